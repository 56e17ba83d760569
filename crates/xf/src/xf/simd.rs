//! Run-time dispatch: the same source, compiled for every vector level.

use super::{LANES, Mode, State, VtxIn, VtxOut, celsius, fixed};
use isotherm_regs::Chip;
use std::sync::OnceLock;

/// A vector level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every machine of the target has.
    Baseline,
    /// x86-64-v3.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// The levels that this machine can run, weakest first.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") {
                levels.push(Level::Avx2);
            }
            if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                levels.push(Level::Avx512);
            }
        }
        levels
    }

    /// The best of them.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            let levels = Level::available();
            levels.into_iter().max().unwrap_or(Level::Baseline)
        })
    }

    /// The level in use: the best, or what `ISOTHERM_SIMD` (base, avx2, avx512)
    /// allows.
    pub fn current() -> Level {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let limit = match std::env::var("ISOTHERM_SIMD").as_deref() {
                Ok("base") => Level::Baseline,
                Ok("avx2") => Level::Avx2,
                _ => Level::Avx512,
            };
            limit.min(Level::best())
        })
    }
}

/// Compiles a function's body for every level and picks one at run time.
macro_rules! levels {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),* $(,)?) = $body:path) => {
        $(#[$doc])*
        pub(super) fn $name(level: Level, $($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $ty),*) {
                    $body($($arg),*);
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512($($arg: $ty),*) {
                    $body($($arg),*);
                }
                match level {
                    Level::Baseline => {}
                    // SAFETY: a level above the baseline is only handed out
                    // after `available` has found its features.
                    Level::Avx2 => return unsafe { avx2($($arg),*) },
                    // SAFETY: as above.
                    Level::Avx512 => return unsafe { avx512($($arg),*) },
                }
            }
            let _ = level;
            $body($($arg),*);
        }
    };
}

levels! {
    /// Kelvin's and Rankine's fixed function.
    fixed_at(mode: &Mode, state: &State, vertices: &[VtxIn], out: &mut [VtxOut])
        = fixed::run_lanes
}

/// Celsius' fixed function. Every level costs another copy of it, and few vertices
/// are Celsius': there are two.
pub(super) fn celsius_at(
    level: Level,
    chip: Chip,
    state: &State,
    vertices: &[VtxIn],
    out: &mut [VtxOut],
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(chip: Chip, state: &State, vertices: &[VtxIn], out: &mut [VtxOut]) {
            celsius::run_lanes::<LANES>(chip, state, vertices, out);
        }
        if level >= Level::Avx2 {
            // SAFETY: a level above the baseline is only handed out after
            // `available` has found its features.
            return unsafe { avx2(chip, state, vertices, out) };
        }
    }
    let _ = level;
    celsius::run_lanes::<LANES>(chip, state, vertices, out);
}
