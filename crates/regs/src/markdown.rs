//! The reference pages, made from the declarations.

use crate::bundle::{Bundle, Ids, Kind as BundleKind};
use crate::errata;
use crate::explain::range;
use crate::field::{Field, Kind, Values};
use crate::mali::words as mali;
use crate::method::{CLASSES, Class};
use crate::record::{Command, Record};
use crate::word::Word;
use crate::xf::ctx::Ram;
use crate::xf::mode;
use std::fmt::Write;

/// What every page says at its top.
const MADE: &str =
    "*Made from the declarations by `isotherm regs --markdown docs/reference`; do not edit.*\n\n";

/// All pages: file name and text.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("README.md", index()),
        ("bundles.md", bundles()),
        ("xfmode.md", xfmode()),
        ("context.md", context()),
        ("fragment-isa.md", fragment_isa()),
        ("methods-celsius.md", methods("Celsius", "CELSIUS")),
        ("methods-kelvin.md", methods("Kelvin", "KELVIN")),
        ("methods-rankine.md", methods("Rankine", "RANKINE")),
        ("methods-curie.md", methods("Curie", "CURIE")),
        ("methods-2d.md", methods("2D and memory", "")),
        ("mali.md", mali_page()),
    ]
}

fn index() -> String {
    let bundles = Bundle::all().count();
    let methods: usize = CLASSES.iter().map(|c| c.methods().count()).sum();
    format!(
        "# Reference\n\n{MADE}\
         * [Bundles](bundles.md): {bundles} bundles of Celsius, Kelvin, Rankine and Curie, and their words\n\
         * [XFMODE](xfmode.md): the vertex engine's mode words\n\
         * [Context memories](context.md): XFCTX, LTCTX, LTC, attribute slots, fixed constants\n\
         * [Fragment programs](fragment-isa.md): instruction words and operations of Rankine and Curie\n\
         * Methods of {} classes, {methods} rows: [Celsius](methods-celsius.md), [Kelvin](methods-kelvin.md), \
         [Rankine](methods-rankine.md), [Curie](methods-curie.md), [2D and memory](methods-2d.md)\n\
         * [Mali-400](mali.md): render state, commands, texture descriptor, pixel processor registers\n\
         * [Errata](../errata.md): what the public documents have wrong or leave open\n\n\
         Ranges of chips are half-open, as in `[NV20:NV25]`, in the order NV10 NV15 NV1A NV11 NV17 NV1F NV18, \
         NV20 NV2A NV25 NV28, NV30 NV35 NV31 NV36 NV34, NV40 and up.\n",
        CLASSES.len()
    )
}

fn fragment_isa() -> String {
    format!("# Fragment programs\n\n{MADE}{}", crate::fp::page::page())
}

fn kind_text(kind: Kind) -> String {
    match kind {
        Kind::Uint => "number".into(),
        Kind::Int => "signed".into(),
        Kind::Bool => "on/off".into(),
        Kind::Hex => "bits".into(),
        Kind::SFixed(i, f) => format!("signed {i}.{f}"),
        Kind::UFixed(i, f) => format!("{i}.{f}"),
        Kind::Float32 => "float".into(),
        Kind::Enum(values) => values.name.into(),
        Kind::Address(s) => format!("address >> {s}"),
        Kind::MinusOne => "number - 1".into(),
        Kind::Times(s) => format!("number >> {s}"),
        Kind::Unorm => "0 to 1".into(),
        Kind::Unknown => "unknown".into(),
    }
}

/// The layouts of a field, as `24-26 [:NV20], 16-21 [NV20:]`.
pub fn layouts(field: &Field) -> String {
    let spans: Vec<_> = field
        .spans()
        .iter()
        .map(|s| {
            let bits = if s.lo == s.hi {
                s.lo.to_string()
            } else {
                format!("{}-{}", s.lo, s.hi)
            };
            let since = (s.first() as u8 > 0).then(|| s.first());
            let until = s.end().filter(|c| (*c as u8) < crate::Chip::Mali200 as u8);
            match (since, until) {
                (None, None) => bits,
                ends => format!("{bits} {}", range(ends)),
            }
        })
        .collect();
    let mut text = spans.join(", ");
    if let Some((first, last)) = field.entry_range() {
        let _ = write!(text, ", entries {first}-{last}");
    }
    text
}

fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}

fn word_table(out: &mut String, word: &Word) {
    let _ = writeln!(out, "| bits | field | kind | |\n|---|---|---|---|");
    for field in word.fields {
        let mut notes = vec![cell(field.doc)];
        if !field.alias.is_empty() {
            notes.push(format!("page: `{}`", field.alias));
        }
        if !field.source.is_empty() {
            notes.push(format!("source: {}", cell(field.source)));
        }
        if !field.conflict.is_empty() {
            notes.push(format!("**sources differ:** {}", cell(field.conflict)));
        }
        notes.retain(|n| !n.is_empty());
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} |",
            layouts(field),
            field.name,
            kind_text(field.kind),
            notes.join("; ")
        );
    }
    out.push('\n');
}

/// The enumerations of some words, each once.
fn value_tables(out: &mut String, words: &[&'static Word]) {
    let mut seen: Vec<&'static Values> = Vec::new();
    for word in words {
        for field in word.fields {
            if let Kind::Enum(values) = field.kind
                && !seen
                    .iter()
                    .any(|v| std::ptr::eq(*v, values) || v.name == values.name)
            {
                seen.push(values);
            }
        }
    }
    seen.sort_by_key(|v| v.name);
    out.push_str("## Values\n\n");
    for values in seen {
        let _ = writeln!(out, "### {}\n\n{}\n", values.name, values.doc.trim());
        let _ = writeln!(out, "| value | name | chips | |\n|---|---|---|---|");
        for v in values.list {
            let chips = match v.range() {
                (None, None) => String::new(),
                ends => range(ends),
            };
            let _ = writeln!(
                out,
                "| {:#x} | `{}` | {chips} | {} |",
                v.value,
                v.name,
                cell(v.doc)
            );
        }
        out.push('\n');
    }
}

fn ids_text(ids: Option<Ids>, first_of_family: crate::Chip) -> String {
    let Some(ids) = ids else { return "-".into() };
    let mut text = format!("{:03x}", ids.first);
    if ids.count > 1 {
        let _ = write!(text, "[{}]", ids.count);
    }
    if ids.since as u8 > first_of_family as u8 {
        let _ = write!(text, " [{}:]", ids.since.name().to_ascii_uppercase());
    }
    if let Some(except) = ids.except {
        let _ = write!(text, " not {}", except.name().to_ascii_uppercase());
    }
    text
}

fn bundles() -> String {
    use crate::Chip::{Nv10, Nv20, Nv30, Nv40};
    use crate::Family::{Celsius, Curie, Kelvin, Rankine};
    let mut out = format!("# Bundles\n\n{MADE}");
    out.push_str("| name | Celsius | Kelvin | Rankine | Curie | type | unit |\n|---|---|---|---|---|---|---|\n");
    for bundle in Bundle::all() {
        let row = bundle.row();
        let kind = match row.kind {
            BundleKind::State => "state",
            BundleKind::StateNoShadow => "state, no shadow",
            BundleKind::Trigger => "trigger",
        };
        let _ = writeln!(
            out,
            "| [`{0}`](#{1}) | {2} | {3} | {4} | {5} | {kind} | {6:?} |",
            row.name,
            row.name.to_ascii_lowercase(),
            ids_text(row.ids(Celsius), Nv10),
            ids_text(row.ids(Kelvin), Nv20),
            ids_text(row.ids(Rankine), Nv30),
            ids_text(row.ids(Curie), Nv40),
            row.unit,
        );
    }
    out.push('\n');
    let mut words = Vec::new();
    for bundle in Bundle::all() {
        let _ = writeln!(
            out,
            "## {}\n\n{}\n",
            bundle.name(),
            bundle.word().doc.trim()
        );
        word_table(&mut out, bundle.word());
        words.push(bundle.word());
    }
    value_tables(&mut out, &words);
    out
}

fn record_section(out: &mut String, record: &Record, words: &mut Vec<&'static Word>) {
    let _ = writeln!(out, "## {}\n\n{}\n", record.name, record.doc);
    let mut shown: Vec<&str> = Vec::new();
    for (i, slot) in record.slots.iter().enumerate() {
        let other = slot.otherwise.map(|(_, _, w)| w);
        for word in [Some(slot.word), other].into_iter().flatten() {
            if shown.contains(&word.name) {
                let _ = writeln!(out, "Word {i} is `{}` again.\n", word.name);
                continue;
            }
            shown.push(word.name);
            words.push(word);
            let _ = writeln!(out, "### {i}: {}\n\n{}\n", word.name, word.doc.trim());
            word_table(out, word);
        }
    }
    if !record.joined.is_empty() {
        out.push_str(
            "Fields that cross words:\n\n| field | from | to | kind |\n|---|---|---|---|\n",
        );
        for joined in record.joined {
            let _ = writeln!(
                out,
                "| `{}` | word {} `{}` | word {} `{}` | {} |",
                joined.name,
                joined.word,
                joined.low.name,
                joined.word + 1,
                joined.high.name,
                kind_text(joined.kind)
            );
        }
        out.push('\n');
    }
}

fn xfmode() -> String {
    let mut out = format!("# XFMODE\n\n{MADE}");
    let mut words = Vec::new();
    for (title, record) in [
        ("Celsius", &mode::CELSIUS_XFMODE),
        ("Kelvin", &mode::KELVIN_XFMODE),
        ("Rankine", &mode::RANKINE_XFMODE),
    ] {
        let _ = writeln!(out, "# {title}\n");
        record_section(&mut out, record, &mut words);
    }
    value_tables(&mut out, &words);
    out
}

fn context() -> String {
    let mut out = format!("# Context memories\n\n{MADE}");
    for ram in Ram::ALL {
        let _ = writeln!(
            out,
            "## {}\n\n| entry | NV10 | NV20 | NV30 | rows |\n|---|---|---|---|---|",
            ram.name()
        );
        for entry in ram.map() {
            let at = |i: usize| entry.index[i].map_or("-".into(), |n| format!("{n:#04x}"));
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} |",
                entry.name,
                at(0),
                at(1),
                at(2),
                entry.rows
            );
        }
        out.push('\n');
    }
    out.push_str(
        "## Fixed constants of Celsius\n\n| entry | memory | value | |\n|---|---|---|---|\n",
    );
    for c in crate::xf::ctx::FIXED {
        let by = if c.wired {
            "wired"
        } else {
            "loaded by software"
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {:?} | {by} |",
            c.name,
            c.ram.name(),
            c.value
        );
    }
    out
}

fn methods(title: &str, prefix: &str) -> String {
    let mut out = format!("# {title} methods\n\n{MADE}");
    let classes: Vec<&Class> = CLASSES
        .iter()
        .filter(|c| {
            if prefix.is_empty() {
                !c.is_3d()
            } else {
                c.name.starts_with(prefix)
            }
        })
        .collect();
    let mut words: Vec<&'static Word> = Vec::new();
    for class in &classes {
        let _ = writeln!(
            out,
            "## {:x}h {} [{}:]\n\n| method | name | array | data | changes |\n|---|---|---|---|---|",
            class.id,
            class.name,
            class.since.name().to_ascii_uppercase()
        );
        for m in class.methods() {
            let shape: Vec<_> = m
                .dims
                .iter()
                .filter(|d| d.0 > 0)
                .map(|(n, s)| format!("{n} by {s:#x}"))
                .collect();
            let also = if m.nv097.is_empty() {
                String::new()
            } else {
                format!(" ({})", m.nv097)
            };
            let _ = writeln!(
                out,
                "| {:04x} | `{}`{also} | {} | [`{}`](#{}) | {} |",
                m.at,
                m.name,
                shape.join(", "),
                m.data.name,
                m.data.name.to_ascii_lowercase(),
                m.changes.replace(' ', ", ")
            );
            if !words.iter().any(|w| w.name == m.data.name) {
                words.push(m.data);
            }
        }
        out.push('\n');
    }
    words.sort_by_key(|w| w.name);
    out.push_str("## Data words\n\n");
    for word in &words {
        let _ = writeln!(out, "### {}\n\n{}\n", word.name, word.doc.trim());
        word_table(&mut out, word);
    }
    value_tables(&mut out, &words);
    out
}

fn command_section(
    out: &mut String,
    title: &str,
    table: &'static [Command],
    words: &mut Vec<&'static Word>,
) {
    let _ = writeln!(
        out,
        "## {title}\n\n| command | opcode | mask | value word | opcode word | |\n|---|---|---|---|---|---|"
    );
    for c in table {
        let link = |w: &Word| format!("[`{}`](#{})", w.name, w.name.to_ascii_lowercase());
        let _ = writeln!(
            out,
            "| `{}` | {:08x} | {:08x} | {} | {} | {} |",
            c.name,
            c.code,
            c.mask,
            link(c.value),
            link(c.opcode),
            c.doc.trim()
        );
        for word in [c.value, c.opcode] {
            if !words.iter().any(|w| w.name == word.name) {
                words.push(word);
            }
        }
    }
    out.push('\n');
}

fn mali_page() -> String {
    let mut out = format!("# Mali-400\n\n{MADE}");
    let mut words = Vec::new();
    for record in [
        &mali::RSW,
        &mali::TEXTURE,
        &mali::PP_FRAME,
        &mali::PP_WRITE_BACK,
    ] {
        record_section(&mut out, record, &mut words);
    }
    let mut command_words = Vec::new();
    command_section(&mut out, "PLBU commands", mali::PLBU, &mut command_words);
    command_section(&mut out, "VS commands", mali::VS, &mut command_words);
    command_words.push(&mali::VS_ATTRIBUTE::WORD);
    command_words.push(&mali::VS_VARYING::WORD);
    out.push_str("## Command words\n\n");
    for word in &command_words {
        let _ = writeln!(out, "### {}\n\n{}\n", word.name, word.doc.trim());
        word_table(&mut out, word);
    }
    words.extend(command_words);
    value_tables(&mut out, &words);
    out
}

/// Every word with the place it is found in, each once.
pub fn all_words() -> Vec<(&'static str, &'static Word)> {
    let mut words: Vec<(&'static str, &'static Word)> = Vec::new();
    let mut add = |place: &'static str, word: &'static Word| {
        if !words
            .iter()
            .any(|(p, w)| *p == place && w.name == word.name)
        {
            words.push((place, word));
        }
    };
    for bundle in Bundle::all() {
        add("bundle", bundle.word());
    }
    for record in [
        &mode::CELSIUS_XFMODE,
        &mode::KELVIN_XFMODE,
        &mode::RANKINE_XFMODE,
    ] {
        for slot in record.slots {
            add("XFMODE", slot.word);
        }
    }
    for record in [
        &mali::RSW,
        &mali::TEXTURE,
        &mali::PP_FRAME,
        &mali::PP_WRITE_BACK,
    ] {
        for slot in record.slots {
            add(record.name, slot.word);
            if let Some((_, _, other)) = slot.otherwise {
                add(record.name, other);
            }
        }
    }
    for (name, table) in [("PLBU", mali::PLBU), ("VS", mali::VS)] {
        for command in table {
            add(name, command.value);
            add(name, command.opcode);
        }
    }
    for class in CLASSES {
        for method in class.methods() {
            add("method data", method.data);
        }
    }
    words
}

/// `docs/errata.md`.
pub fn errata_page() -> String {
    let mut out = String::from(
        "# Errata\n\n*Made from the declarations by `isotherm regs --markdown docs/reference`; do not edit.*\n\n\
         Where the three public documents this project implements are wrong or leave something open, what is \
         known today, and how. Nothing is dropped: bits nobody understands decode, print and survive a round trip.\n\n",
    );
    errata_of_documents(&mut out);
    let words = all_words();
    errata_conflicts(&mut out, &words);
    errata_names(&mut out, &words);
    errata_unknown_bits(&mut out, &words);
    errata_unknown_values(&mut out, &words);
    errata_of_scans(&mut out);
    out
}

fn errata_of_documents(out: &mut String) {
    for (document, title) in errata::DOCUMENTS {
        let _ = writeln!(
            out,
            "## {title}\n\n| where | the document | today | evidence |\n|---|---|---|---|"
        );
        for e in errata::entries().filter(|e| e.document == *document) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                cell(e.place),
                cell(e.says),
                cell(e.known),
                cell(e.evidence)
            );
        }
        out.push('\n');
    }
}

fn errata_conflicts(out: &mut String, words: &[(&'static str, &'static Word)]) {
    out.push_str("## Fields on which sources differ\n\n| word | field | bits | what differs |\n|---|---|---|---|\n");
    for (place, word) in words {
        for field in word.fields.iter().filter(|f| !f.conflict.is_empty()) {
            let _ = writeln!(
                out,
                "| {place} {} | `{}` | {} | {} |",
                word.name,
                field.name,
                layouts(field),
                cell(field.conflict)
            );
        }
    }
}

fn errata_names(out: &mut String, words: &[(&'static str, &'static Word)]) {
    out.push_str(
        "\n## Names the documents lack\n\n| word | the document's name | name here | source |\n|---|---|---|---|\n",
    );
    for (place, word) in words {
        for field in word.fields.iter().filter(|f| !f.alias.is_empty()) {
            let _ = writeln!(
                out,
                "| {place} {} | `{}` | `{}` | {} |",
                word.name,
                field.alias,
                field.name,
                cell(field.source)
            );
        }
    }
}

fn errata_unknown_bits(out: &mut String, words: &[(&'static str, &'static Word)]) {
    out.push_str("\n## Unknown bits\n\nThey exist; nobody has said what they do.\n\n| word | field | bits | what is known |\n|---|---|---|---|\n");
    for (place, word) in words {
        for field in word
            .fields
            .iter()
            .filter(|f| matches!(f.kind, Kind::Unknown))
        {
            let known: Vec<_> = [field.doc, field.source]
                .into_iter()
                .map(str::trim)
                .filter(|t| !t.is_empty())
                .collect();
            let _ = writeln!(
                out,
                "| {place} {} | `{}` | {} | {} |",
                word.name,
                field.name,
                layouts(field),
                cell(&known.join("; "))
            );
        }
    }
}

fn errata_unknown_values(out: &mut String, words: &[(&'static str, &'static Word)]) {
    out.push_str("\n## Unknown values\n\n| enumeration | value | name | what is known |\n|---|---|---|---|\n");
    let mut seen = Vec::new();
    for (_, word) in words {
        for field in word.fields {
            let Kind::Enum(values) = field.kind else {
                continue;
            };
            if seen.contains(&values.name) {
                continue;
            }
            seen.push(values.name);
            for v in values
                .list
                .iter()
                .filter(|v| v.name.contains("UNK") || v.doc.contains("believed"))
            {
                let known = if v.doc.trim().is_empty() {
                    "nothing"
                } else {
                    v.doc
                };
                let _ = writeln!(
                    out,
                    "| {} | {:#x} | `{}` | {} |",
                    values.name,
                    v.value,
                    v.name,
                    cell(known)
                );
            }
        }
    }
}

fn errata_of_scans(out: &mut String) {
    out.push_str("\n## Declared bits that differ from a register scan\n\n");
    if errata::MASK_EXCEPTIONS.is_empty() {
        out.push_str(
            "None: for all 18 scanned chips the declared fields are the bits that exist.\n",
        );
    }
    for e in errata::MASK_EXCEPTIONS {
        let _ = writeln!(
            out,
            "* {} {}: {}",
            e.word,
            range((Some(e.since), Some(e.until))),
            e.reason
        );
    }
}
