//! Every field of every bundle acts in a unit, or it is written down why it does not:
//! `docs/accuracy/inert.md`. What acts is read off the units' sources. Fields that nobody
//! understands have their page, `docs/accuracy/unknown.md`.

use isotherm_regs::bundle::Bundle;
use isotherm_regs::field::Kind;
use std::path::{Path, PathBuf};

/// Words whose fields a unit reads by tables, not by their names, and where.
const BY_TABLE: &[(&str, &str)] = &[
    ("RC_", "pixel/src/rc/words.rs"),
    ("FOG_COLOR", "pixel/src/rc/words.rs"),
    ("TEX_SHADER_", "pixel/src/shader/words.rs"),
    ("TXC_CYLWRAP.", "pixel/src/raster/prepare.rs"),
    ("TXC_CYLWRAP_B.", "pixel/src/raster/prepare.rs"),
    ("XF_ATTR_OUT_MASK", "xf/src/xf/program/unit.rs"),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All text of the units' sources, tests left out.
fn sources() -> String {
    let mut text = String::new();
    let mut folders: Vec<PathBuf> = ["bus", "xf", "pixel", "gpu"]
        .map(|name| workspace().join("crates").join(name).join("src"))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("sources") {
            let path = entry.expect("sources").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.starts_with("tests") {
                text += &std::fs::read_to_string(&path).expect("sources");
            }
        }
    }
    text
}

/// `WORD.FIELD` of a page's first column, and whole words as `WORD`.
fn first_column(page: &str) -> Vec<String> {
    let page = workspace().join("docs/accuracy").join(page);
    let text = std::fs::read_to_string(page).expect("the page");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let names = rows.filter_map(|row| row.split(" |").next());
    names
        .flat_map(|cell| cell.split(", "))
        .map(|name| name.trim_matches(['`', ' ']).to_owned())
        .collect()
}

fn reasons() -> Vec<String> {
    first_column("inert.md")
}

/// Every field without a known meaning has its row, and no other field has one.
#[test]
fn unknown_fields_have_their_page() {
    let mut rows = first_column("unknown.md");
    for bundle in Bundle::all() {
        for field in bundle.row().word.fields {
            let name = format!("{}.{}", bundle.name(), field.name);
            let row = rows.iter().position(|row| *row == name);
            let unknown = matches!(field.kind, Kind::Unknown);
            assert_eq!(row.is_some(), unknown, "{name}");
            row.map(|row| rows.swap_remove(row));
        }
    }
    assert!(rows.is_empty(), "no such fields: {rows:?}");
}

/// Does this text stand there as a name of its own?
fn names(sources: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    sources.match_indices(name).any(|(at, _)| {
        let behind = sources[at + name.len()..].chars().next();
        let before = sources[..at].chars().next_back();
        !behind.is_some_and(part) && !before.is_some_and(part)
    })
}

#[test]
fn fields_act_or_have_a_reason() {
    let (sources, reasons) = (sources(), reasons());
    let written = |name: &str| reasons.iter().any(|reason| reason == name);
    let mut silent = Vec::new();
    let mut stale = Vec::new();
    for bundle in Bundle::all() {
        let word = bundle.name();
        for field in bundle.row().word.fields {
            let name = format!("{word}.{}", field.name);
            let by_table = BY_TABLE.iter().any(|(start, _)| name.starts_with(start));
            let by_word = bundle.row().word.fields.len() == 1 && names(&sources, word);
            let by_name = names(&sources, &format!("{word}::{}", field.name));
            let acts = by_table || by_name || by_word;
            let reason = written(&name) || written(word);
            let unknown = matches!(field.kind, Kind::Unknown);
            if !acts && !reason && !unknown {
                silent.push(name.clone());
            }
            if by_name && written(&name) {
                stale.push(name);
            }
        }
    }
    assert!(
        silent.is_empty(),
        "neither act nor have a reason: {silent:?}"
    );
    assert!(stale.is_empty(), "have a reason and act: {stale:?}");
}

#[test]
fn reasons_are_about_fields() {
    for reason in reasons() {
        let (word, field) = reason.split_once('.').unwrap_or((&reason, ""));
        let bundle = Bundle::by_name(word).unwrap_or_else(|| panic!("no bundle {word}"));
        let fields = bundle.row().word.fields;
        assert!(
            field.is_empty() || fields.iter().any(|f| f.name == field),
            "no field {reason}"
        );
    }
    for (_, file) in BY_TABLE {
        assert!(workspace().join("crates").join(file).exists(), "{file}");
    }
}
