//! The header that is checked in is the one that the sources make.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new()
        .with_crate(root)
        .with_config(config)
        .generate()
        .unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = without_rust(&String::from_utf8(made).unwrap());
    let file = root.join("include/isotherm.h");
    if std::env::var_os("ISOTHERM_BLESS").is_some() {
        std::fs::create_dir_all(root.join("include")).unwrap();
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == made,
        "include/isotherm.h is not what the sources say; ISOTHERM_BLESS=1 cargo test -p \
         isotherm-capi writes it anew"
    );
}

/// Contracts that Rust asks for are not for C: the header says them at its top.
fn without_rust(header: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in header.lines() {
        let text = line.trim_start();
        if text == "// # Safety" {
            skipping = true;
            // The empty comment line above it goes, too.
            if out.ends_with("//\n") {
                out.truncate(out.trim_end_matches("//\n").len());
            }
        }
        skipping &= text.starts_with("//");
        if !skipping {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
