//! The reference page of the instruction set, made from the tables.

use super::layout::{self, Field};
use super::ops::{Info, On, TABLE};
use crate::Family;
use std::fmt::Write;

/// The page behind its title.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "Four words to an instruction, word 0 first; what they mean, the text and the machine: \
         [fragment programs](../fragment-programs.md). Places are word and bits.\n",
    );
    for (title, fields) in [
        ("Words 0 and 1, every instruction", layout::HEAD),
        ("Words 2 and 3, no branch", layout::TAIL),
        ("Words 2 and 3, branches", layout::BRANCH),
    ] {
        let _ = write!(
            out,
            "\n## {title}\n\n| field | Rankine | Curie | |\n|---|---|---|---|\n"
        );
        for field in fields {
            let [rankine, curie] = [Family::Rankine, Family::Curie].map(|f| place(field, f));
            let doc = cell(field.doc);
            let _ = writeln!(out, "| {} | {rankine} | {curie} | {doc} |", field.name);
        }
        out.push_str(&unknown(fields));
    }
    operations(&mut out, "Operations", false);
    operations(&mut out, "Branches (Curie)", true);
    out
}

/// `1: 18-20`.
fn place(field: &Field, family: Family) -> String {
    let (word, lo, width) = field.place(family);
    match width {
        0 => String::new(),
        1 => format!("{word}: {lo}"),
        _ => format!("{word}: {lo}-{}", lo + width - 1),
    }
}

/// Bits without a field, below the table of words 2 and 3.
fn unknown(fields: &[Field]) -> String {
    if fields != layout::TAIL {
        return String::new();
    }
    let list = |family| {
        let masks = layout::unknown(family);
        let words = masks.iter().enumerate().filter(|(_, mask)| **mask != 0);
        let words: Vec<_> = words.map(|(i, mask)| format!("{i}: {mask:08X}h")).collect();
        words.join(", ")
    };
    format!(
        "\nBits that belong to no field: {} (Rankine); {} (Curie).\n",
        list(Family::Rankine),
        list(Family::Curie)
    )
}

fn operations(out: &mut String, title: &str, branch: bool) {
    let _ = write!(
        out,
        "\n## {title}\n\n| number | name | sources | on | |\n|---|---|---|---|---|\n"
    );
    for info in TABLE.iter().filter(|info| info.branch == branch) {
        let Info {
            code,
            name,
            sources,
            doc,
            ..
        } = info;
        let on = match info.on {
            On::Both => "both",
            On::Rankine => "Rankine",
            On::Curie => "Curie",
        };
        let _ = writeln!(
            out,
            "| {code:02X}h | {name} | {sources} | {on} | {} |",
            cell(doc)
        );
    }
}

/// A doc comment as a cell of a table.
fn cell(doc: &str) -> String {
    doc.trim().replace('|', "\\|")
}
