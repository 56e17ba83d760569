//! The reference pages that are checked in are those the declarations make.

use isotherm_regs::markdown;
use std::path::Path;

#[test]
fn pages_are_current() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages: Vec<_> = markdown::pages()
        .into_iter()
        .map(|(name, text)| (docs.join("reference").join(name), text))
        .collect();
    pages.push((docs.join("errata.md"), markdown::errata_page()));
    for (path, text) in pages {
        if std::env::var_os("ISOTHERM_WRITE_PAGES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == text,
            "{} is out of date: run `cargo run --release -- regs --markdown docs/reference`",
            path.display()
        );
    }
}

#[test]
fn errata_name_no_word_that_is_not_declared() {
    let page = markdown::errata_page();
    for text in [
        "TEX_UNK10",
        "WRAP_T",
        "KELVIN_CONFIG_UNK28",
        "RSW_DEPTH",
        "SIGNED_A",
    ] {
        assert!(page.contains(text), "{text}");
    }
}
