//! Chooses the vector levels that are compiled. Every level costs another copy of all kernels,
//! and a build that runs where it was made needs two: the base, and the best this machine has.
//!
//! `ISOTHERM_LEVELS=all` compiles every level, for binaries that travel and for tests that
//! compare levels; `base` compiles one.

fn main() {
    println!("cargo::rerun-if-env-changed=ISOTHERM_LEVELS");
    println!("cargo::rustc-check-cfg=cfg(level_avx2, level_avx512, base_is_reference)");
    let target = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if target != "x86_64" {
        return;
    }
    let asked = std::env::var("ISOTHERM_LEVELS").unwrap_or_default();
    let (avx2, avx512) = match asked.as_str() {
        "all" => (true, true),
        "base" => (false, false),
        "" | "host" => host(),
        other => panic!("ISOTHERM_LEVELS is all, host or base, not {other:?}"),
    };
    if avx2 || avx512 {
        // Nobody draws with the base level then, except to compare: its operations are
        // called, not inlined, which makes its copy of the kernels small.
        println!("cargo::rustc-cfg=base_is_reference");
    }
    if avx2 {
        println!("cargo::rustc-cfg=level_avx2");
    }
    if avx512 {
        println!("cargo::rustc-cfg=level_avx512");
    }
}

#[cfg(target_arch = "x86_64")]
fn host() -> (bool, bool) {
    use std::arch::is_x86_feature_detected as has;
    if std::env::var("HOST") != std::env::var("TARGET") {
        return (true, true);
    }
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
    (!avx512, avx512)
}

/// A foreign machine builds for x86-64: nobody knows where it will run.
#[cfg(not(target_arch = "x86_64"))]
fn host() -> (bool, bool) {
    (true, true)
}
