//! `isotherm regs`: the database of words, browsed, searched and dumped.

use crate::show;
use crate::usage::usage;
use anyhow::Context;
use isotherm_regs::bundle::{Bundle, Ids};
use isotherm_regs::explain::range;
use isotherm_regs::method::CLASSES;
use isotherm_regs::xf::ctx::Ram;
use isotherm_regs::{Chip, Family, Field, Kind, Word, find, markdown};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Options of `isotherm regs`.
#[derive(clap::Args)]
pub struct Args {
    /// Chip or family; without one, everything.
    chip: Option<String>,
    /// Part of a name of a word, field, value, method or context entry.
    pattern: Option<String>,
    /// Show what headers, drivers and emulators call the words and methods.
    #[arg(long)]
    names: bool,
    /// The whole database as JSON; docs/json.md describes it.
    #[arg(long)]
    json: bool,
    /// Write the reference pages to this folder, and errata.md beside it.
    #[arg(long, value_name = "FOLDER")]
    markdown: Option<PathBuf>,
}

/// Shows or writes the database.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(folder) = &args.markdown {
        return write_pages(folder);
    }
    let (chip, pattern) = match (&args.chip, &args.pattern) {
        (None, _) => (None, None),
        (Some(first), None) => match Chip::parse(first) {
            Some(chip) => (Some(chip), None),
            None => (None, Some(first.as_str())),
        },
        (Some(first), Some(pattern)) => (Some(crate::usage::chip(first)?), Some(pattern.as_str())),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        return show::finish(show::write_json(&mut out, &database(chip, pattern)));
    }
    let mut listing = Listing {
        chip,
        pattern,
        names: args.names,
        found: 0,
    };
    // What others call a word is looked up by its own name.
    let theirs = chip
        .zip(pattern)
        .and_then(|(chip, text)| Some((chip, find::find(chip, text).ok()?)));
    // An id or an address is one thing, which comes first; its digits may be part of names, too.
    let digits = pattern.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    if let (true, Some((chip, target))) = (digits, theirs) {
        listing.found += 1;
        writeln!(out, "{}", one(chip, target))?;
    }
    show::finish(listing.all(&mut out))?;
    if let (0, Some((chip, target))) = (listing.found, theirs) {
        listing.found += 1;
        writeln!(out, "{}", one(chip, target))?;
    }
    show::finish(out.flush())?;
    if listing.found == 0 {
        let pattern = pattern.unwrap_or_default();
        let names: Vec<_> = chip.map(find::names).unwrap_or_default();
        let near = find::near(pattern, names.iter().map(String::as_str));
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!(" did you mean {}?", near.join(", "))
        };
        return Err(usage(format!(
            "nothing matches {pattern:?};{hint} `isotherm regs` lists everything"
        )));
    }
    Ok(())
}

/// One thing by another name: what it is here.
fn one(chip: Chip, target: find::Target) -> String {
    let word = target.word(chip, 0).map_or("", |(word, _)| word.doc.trim());
    let names = isotherm_regs::alias::names(chip, target).join(", ");
    let also = match names.is_empty() {
        true => String::new(),
        false => format!("\n               also called {names}"),
    };
    let place = match target {
        find::Target::Bundle(bundle, entry) => bundle
            .id(chip.family(), entry)
            .map_or(String::new(), |id| format!("{id:03x}")),
        _ => String::new(),
    };
    format!("{place:14} {:26} {word}{also}", target.label())
}

fn write_pages(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, text) in markdown::pages() {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        say!("{}", path.display());
    }
    let errata = folder.parent().unwrap_or(Path::new(".")).join("errata.md");
    std::fs::write(&errata, markdown::errata_page())
        .with_context(|| errata.display().to_string())?;
    say!("{}", errata.display());
    Ok(())
}

fn matches(pattern: Option<&str>, names: &[&str]) -> bool {
    pattern.is_none_or(|p| {
        let p = p.to_ascii_uppercase();
        names.iter().any(|n| n.to_ascii_uppercase().contains(&p))
    })
}

/// Fields of a word that match by their own or a value's name.
fn matching_fields(
    word: &'static Word,
    chip: Option<Chip>,
    pattern: Option<&str>,
) -> Vec<&'static Field> {
    word.fields
        .iter()
        .filter(|f| chip.is_none_or(|c| f.span(c).is_some()))
        .filter(|f| {
            matches(pattern, &[f.name, f.alias])
                || matches!(f.kind, Kind::Enum(v) if v.list.iter().any(|v| matches(pattern, &[v.name])))
        })
        .collect()
}

/// What is looked for, and how much of it was found.
struct Listing<'a> {
    chip: Option<Chip>,
    pattern: Option<&'a str>,
    /// Show what others call it.
    names: bool,
    found: usize,
}

impl Listing<'_> {
    fn all(&mut self, out: &mut impl Write) -> io::Result<()> {
        let nvidia = self.chip.is_none_or(|c| c.family() != Family::Utgard);
        if nvidia {
            self.bundles(out)?;
        }
        for (place, word) in markdown::all_words() {
            if self.has(place, word) {
                self.word(out, place, word.name, word)?;
            }
        }
        if let Some(pattern) = self.pattern {
            self.methods(out, pattern)?;
            self.context(out, pattern)?;
        }
        Ok(())
    }

    fn bundles(&mut self, out: &mut impl Write) -> io::Result<()> {
        for bundle in Bundle::all() {
            if self.chip.is_some_and(|c| bundle.row().on(c).is_none()) {
                continue;
            }
            let place = match self.chip.and_then(|c| bundle.row().on(c)) {
                Some(ids) if ids.count > 1 => format!("{:03x}[{}]", ids.first, ids.count),
                Some(ids) => format!("{:03x}", ids.first),
                None => "bundle".into(),
            };
            if self.word(out, &place, bundle.name(), bundle.word())? {
                let target = find::Target::Bundle(bundle, 0);
                self.other_names(out, target)?;
            }
        }
        Ok(())
    }

    /// Does the chip have a word that is no bundle?
    fn has(&self, place: &str, word: &Word) -> bool {
        match (place, self.chip) {
            ("bundle" | "method data", _) => false,
            ("XFMODE", Some(chip)) => find::records(chip)
                .iter()
                .any(|r| r.name == "XFMODE" && r.slots.iter().any(|s| s.word.name == word.name)),
            (_, None) => true,
            (_, Some(chip)) => chip.family() == Family::Utgard,
        }
    }

    /// A word and, if something is looked for, its fields; was it wanted?
    fn word(
        &mut self,
        out: &mut impl Write,
        place: &str,
        name: &str,
        word: &'static Word,
    ) -> io::Result<bool> {
        let (chip, pattern) = (self.chip, self.pattern);
        let by_name = matches(pattern, &[name]);
        let fields = matching_fields(word, chip, pattern);
        if !by_name && (fields.is_empty() || pattern.is_none()) {
            return Ok(false);
        }
        self.found += 1;
        writeln!(out, "{place:14} {name:26} {}", word.doc.trim())?;
        let Some(pattern) = pattern else {
            return Ok(true);
        };
        let shown: Vec<_> = if by_name {
            let on = |f: &&Field| chip.is_none_or(|c| f.span(c).is_some());
            word.fields.iter().filter(on).collect()
        } else {
            fields
        };
        for field in shown {
            let bits = match chip.and_then(|c| field.span(c)) {
                Some(s) if s.lo == s.hi => s.lo.to_string(),
                Some(s) => format!("{}-{}", s.lo, s.hi),
                None => markdown::layouts(field),
            };
            writeln!(out, "  {bits:>8}  {:32} {}", field.name, field.doc.trim())?;
            if let Kind::Enum(values) = field.kind {
                for v in values.list.iter().filter(|v| chip.is_none_or(|c| v.on(c))) {
                    if by_name || matches(Some(pattern), &[v.name, field.name]) {
                        let (value, doc) = (v.value, v.doc.trim());
                        writeln!(out, "            {value:#6x}  {:30} {doc}", v.name)?;
                    }
                }
            }
        }
        Ok(true)
    }

    fn methods(&mut self, out: &mut impl Write, pattern: &str) -> io::Result<()> {
        let chip = self.chip;
        for class in CLASSES {
            let on = chip.is_none_or(|c| {
                c.family() != Family::Utgard
                    && c.since(class.since)
                    && same_generation(c, class.since, class.is_3d())
            });
            if !on {
                continue;
            }
            for m in class.methods() {
                let theirs = isotherm_regs::alias::names(
                    chip.unwrap_or(class.since),
                    find::Target::Method(class, m, m.at),
                );
                let names: Vec<&str> = theirs.iter().map(String::as_str).chain([m.name]).collect();
                if !matches(Some(pattern), &names) {
                    continue;
                }
                self.found += 1;
                let also = if m.nv097.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", m.nv097)
                };
                let changes = if m.changes.is_empty() {
                    String::new()
                } else {
                    format!("  changes {}", m.changes)
                };
                let place = format!("{:x}:{:04x}", class.id, m.at);
                writeln!(out, "{place:14} {}{also}{changes}", m.label(m.at))?;
                self.other_names(out, find::Target::Method(class, m, m.at))?;
            }
        }
        Ok(())
    }

    /// Rows of the context memories, by their own names or the memory's.
    fn context(&mut self, out: &mut impl Write, pattern: &str) -> io::Result<()> {
        for ram in Ram::ALL {
            for entry in ram.map() {
                let at = match self.chip {
                    Some(c) => match entry.at(c) {
                        Some(at) => format!("{}[{at:#04x}]", ram.name()),
                        None => continue,
                    },
                    None => ram.name().to_string(),
                };
                if matches(Some(pattern), &[entry.name, &at]) {
                    self.found += 1;
                    writeln!(out, "{at:14} {}", entry.name)?;
                }
            }
        }
        Ok(())
    }

    /// The line below a word or method that says what others call it.
    fn other_names(&self, out: &mut impl Write, target: find::Target) -> io::Result<()> {
        // Without a chip, the names are those of the Xbox's.
        let chip = self.chip.unwrap_or(Chip::Nv2a);
        let names = isotherm_regs::alias::names(chip, target);
        if !self.names || names.is_empty() {
            return Ok(());
        }
        writeln!(out, "{:14} also called {}", "", names.join(", "))
    }
}

/// 3D classes belong to one generation; the 2D ones live on.
fn same_generation(chip: Chip, since: Chip, is_3d: bool) -> bool {
    !is_3d || chip.family() == since.family()
}

fn ids_json(ids: Option<Ids>) -> Value {
    ids.map_or(Value::Null, |i| {
        json!({ "first": i.first, "count": i.count, "since": i.since.name(),
                "until": (i.until < Chip::Mali200).then(|| i.until.name()),
                "except": i.except.map(Chip::name) })
    })
}

fn kind_json(kind: Kind) -> Value {
    match kind {
        Kind::Uint => json!({ "type": "uint" }),
        Kind::Int => json!({ "type": "int" }),
        Kind::Bool => json!({ "type": "bool" }),
        Kind::Hex => json!({ "type": "hex" }),
        Kind::SFixed(i, f) => json!({ "type": "sfixed", "integer": i, "fraction": f }),
        Kind::UFixed(i, f) => json!({ "type": "ufixed", "integer": i, "fraction": f }),
        Kind::Float32 => json!({ "type": "float32" }),
        Kind::Enum(v) => json!({ "type": "enum", "values": v.name }),
        Kind::Address(s) => json!({ "type": "address", "shift": s }),
        Kind::MinusOne => json!({ "type": "minus_one" }),
        Kind::Times(s) => json!({ "type": "times", "shift": s }),
        Kind::Unorm => json!({ "type": "unorm" }),
        Kind::Unknown => json!({ "type": "unknown" }),
    }
}

fn field_json(field: &Field) -> Value {
    let spans: Vec<_> = field
        .spans()
        .iter()
        .map(|s| json!({ "lo": s.lo, "hi": s.hi, "since": s.first().name(), "until": s.end().map(Chip::name) }))
        .collect();
    json!({
        "name": field.name, "alias": field.alias, "doc": field.doc.trim(), "layouts": spans,
        "entries": field.entry_range(), "kind": kind_json(field.kind),
        "source": field.source, "conflict": field.conflict,
    })
}

fn word_json(place: &str, word: &Word) -> Value {
    let fields: Vec<_> = word.fields.iter().map(field_json).collect();
    json!({ "place": place, "name": word.name, "doc": word.doc.trim(), "fields": fields })
}

/// The database, whole or what a chip has and a pattern matches.
fn database(chip: Option<Chip>, pattern: Option<&str>) -> Value {
    let kept = |name: &str, word: &'static Word| {
        matches(pattern, &[name])
            || pattern.is_some() && !matching_fields(word, chip, pattern).is_empty()
    };
    let chips: Vec<_> = Chip::ALL
        .iter()
        .map(|c| json!({ "name": c.name(), "family": format!("{:?}", c.family()).to_lowercase() }))
        .collect();
    let bundles: Vec<_> = Bundle::all()
        .filter(|b| chip.is_none_or(|c| b.row().on(c).is_some()) && kept(b.name(), b.word()))
        .map(|b| {
            let row = b.row();
            json!({
                "name": row.name, "kind": format!("{:?}", row.kind), "unit": format!("{:?}", row.unit),
                "celsius": ids_json(row.ids(Family::Celsius)), "kelvin": ids_json(row.ids(Family::Kelvin)),
                "rankine": ids_json(row.ids(Family::Rankine)), "curie": ids_json(row.ids(Family::Curie)),
            })
        })
        .collect();
    let all = markdown::all_words();
    let words: Vec<_> = all
        .iter()
        .filter(|(_, w)| kept(w.name, w))
        .map(|(place, w)| word_json(place, w))
        .collect();
    let mut enums = serde_json::Map::new();
    for (_, word) in &all {
        for field in word.fields {
            if let Kind::Enum(values) = field.kind {
                let list: Vec<_> = values
                    .list
                    .iter()
                    .map(|v| json!({ "value": v.value, "name": v.name, "doc": v.doc.trim(), "chips": range(v.range()) }))
                    .collect();
                enums.insert(
                    values.name.into(),
                    json!({ "doc": values.doc.trim(), "values": list }),
                );
            }
        }
    }
    let classes: Vec<_> = CLASSES
        .iter()
        .map(|class| {
            let methods: Vec<_> = class
                .methods()
                .filter(|m| matches(pattern, &[m.name, m.nv097]))
                .map(|m| {
                    let dims: Vec<_> = m.dims.iter().filter(|d| d.0 > 0).collect();
                    json!({ "method": m.at, "name": m.name, "nv097": m.nv097, "array": dims, "data": m.data.name,
                            "changes": m.changes.split_whitespace().collect::<Vec<_>>() })
                })
                .collect();
            json!({ "class": class.id, "name": class.name, "since": class.since.name(), "methods": methods })
        })
        .collect();
    let context: Vec<_> = Ram::ALL
        .iter()
        .flat_map(|ram| {
            ram.map()
                .iter()
                .filter(|e| matches(pattern, &[e.name]))
                .map(|e| json!({ "memory": ram.name(), "name": e.name, "index": e.index, "rows": e.rows }))
        })
        .collect();
    json!({
        "schema": show::SCHEMA, "chips": chips, "bundles": bundles, "words": words, "enums": enums,
        "classes": classes, "context": context,
    })
}
