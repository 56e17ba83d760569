//! Every table of the three documents against the declarations: an omission fails.
//!
//! The documents are part of the shared data, found through `ISOTHERM_SHARED`
//! (default `../shared` from the workspace); without them this test says so and passes.
//! Deliberate corrections are listed here and explained in `docs/errata.md`.

use isotherm_regs::bundle::{self, Bundle};
use isotherm_regs::field::Values;
use isotherm_regs::mali::words as mali;
use isotherm_regs::xf::ctx::Ram;
use isotherm_regs::xf::mode;
use isotherm_regs::{Chip, Family, Field, Word};

fn document(name: &str) -> Option<String> {
    let folder = std::env::var_os("ISOTHERM_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        Into::into,
    );
    let path = folder.join("reference").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: {} is not there", path.display());
    }
    text
}

fn hex(text: &str) -> u16 {
    u16::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_else(|_| panic!("{text:?}"))
}

/// Names the bundle page lacks, by their Kelvin or Rankine id.
const NAMELESS: &[(&str, &str)] = &[
    ("0069", "RANKINE_UNK069"),
    ("00ae", "KELVIN_UNK1D88"),
    ("00c6", "CLEAR_UNK0C6"),
    ("01dc", "CLEAR_UNK1DC"),
];

/// Rows whose ids or stars are corrected: see the errata.
const CORRECTED_ROWS: &[&str] = &[
    "TEX_UNK10",
    "TEX_UNK11",
    "TEX_UNK12",
    "TEX_UNK13",
    "TEX_UNK14",
    "TEX_UNK15",
    "CLEAR_HV",
    "Z_CONFIG",
    "CLEAR_ZETA",
    "UNK3FC",
    "RT_ENABLE",
    "CLEAR_ZCULL_TRIGGER",
];

/// First id, count and star of a cell; `None` for "-" and "?".
fn cell(text: &str) -> Option<(u16, u16, bool)> {
    let star = text.ends_with('*');
    let text = text.trim_end_matches(['*', '?']);
    if text.is_empty() || text == "\\-" {
        return None;
    }
    match text.split_once('[') {
        Some((id, count)) => Some((hex(id), hex(count.trim_end_matches(']')), star)),
        None => Some((hex(text), 1, star)),
    }
}

#[test]
fn the_bundle_table() {
    let Some(text) = document("000_281bbf0ac5e6e5cf.txt") else {
        return;
    };
    let mut rulers = 0;
    let mut rows = 0;
    for line in text.lines() {
        if line.starts_with("======== =========") {
            rulers += 1;
            continue;
        }
        if rulers != 2 {
            continue;
        }
        rows += 1;
        let columns: Vec<_> = line.split_whitespace().collect();
        let cells = [cell(columns[0]), cell(columns[1]), cell(columns[2])];
        let mut name = columns[5];
        if name == "????" {
            let id = cells.iter().flatten().next().unwrap().0;
            name = NAMELESS
                .iter()
                .find(|(n, _)| hex(n) == id)
                .unwrap_or_else(|| panic!("{line}"))
                .1;
        }
        let bundle = Bundle::by_name(name).unwrap_or_else(|| panic!("{name} is not declared"));
        let row = bundle.row();
        let trigger = columns[3].starts_with("trigger");
        assert_eq!(trigger, row.kind == bundle::Kind::Trigger, "{name}");
        assert_eq!(
            columns[3] == "state-ish",
            row.kind == bundle::Kind::StateNoShadow,
            "{name}"
        );
        if CORRECTED_ROWS.contains(&name) {
            continue;
        }
        let families = [
            (Family::Celsius, Chip::Nv10, Chip::Nv17),
            (Family::Kelvin, Chip::Nv20, Chip::Nv25),
            (Family::Rankine, Chip::Nv30, Chip::Nv30),
        ];
        for ((family, first, starred), cell) in families.into_iter().zip(cells) {
            let declared = row.ids(family).map(|i| (i.first, i.count, i.since));
            let expected = cell.map(|(id, n, star)| (id, n, if star { starred } else { first }));
            assert_eq!(declared, expected, "{name} {family:?}");
        }
        let unit = columns[4]
            .trim_end_matches('?')
            .split(',')
            .next()
            .unwrap_or_default();
        let declared = format!("{:?}", row.unit).to_uppercase();
        assert!(
            unit == declared || unit.is_empty() && declared == "UNKNOWN" || unit == "?",
            "{name}: {unit} {declared}"
        );
    }
    assert_eq!(rows, 100);
}

/// Fields that are corrected: word, the page's name.
const CORRECTED_FIELDS: &[(&str, &str)] = &[
    ("TEX_FORMAT", "WRAP_T"),
    ("TEX_FORMAT", "MODE"),
    ("TEX_CONTROL", "COLOR_KEY_ENABLE"),
    ("TEX_FILTER", "SIGNED_B"),
    ("TEX_FILTER", "SIGNED_G"),
    ("TEX_FILTER", "SIGNED_R"),
    ("TEX_FILTER", "SIGNED_A"),
    ("STENCIL_D", "STENCIL_BACK_FUNC_REF"),
    ("STENCIL_D", "STENCIL_BACK_FUNC_MASK"),
    ("TEX_RECT", "WIDTH"),
    ("TEX_RECT", "HEIGHT"),
    // these leave the word on Curie, or move in it: the newer edition says so
    ("CONFIG_A", "Z_FORMAT"),
    ("CONFIG_A", "CULL_FACE"),
    ("BLEND", "BLEND_FUNC_ENABLE"),
    ("TEX_CONTROL", "ANISOTROPY"),
    ("TEX_CONTROL", "MAX_LOD"),
    ("TEX_CONTROL", "MIN_LOD"),
    ("TEX_CONTROL", "ENABLE"),
    ("TEX_FORMAT", "FORMAT"),
    ("TEX_PITCH", "PITCH"),
];

/// A bit range: `bit 4` or `bits 0-10`.
fn bits(text: &str) -> Option<(u8, u8)> {
    let rest = text.strip_prefix("bit")?;
    let rest = rest.trim_start_matches('s').trim_start();
    let (range, _) = rest.split_once(':')?;
    match range.split_once('-') {
        Some((lo, hi)) => Some((lo.parse().ok()?, hi.parse().ok()?)),
        None => {
            let n = range.parse().ok()?;
            Some((n, n))
        }
    }
}

/// The chips of the ranges in a text, such as `[NV17:NV20, NV34]`; all if there are none.
fn chips(text: &str) -> Vec<Chip> {
    let Some((_, rest)) = text.split_once("[") else {
        return Chip::ALL.to_vec();
    };
    let Some((inside, _)) = rest.split_once(']') else {
        return Chip::ALL.to_vec();
    };
    if !inside.contains("NV") {
        return Chip::ALL.to_vec();
    }
    let mut out = Vec::new();
    for part in inside.split(',').map(str::trim) {
        let end = |t: &str| if t.is_empty() { None } else { Chip::parse(t) };
        // NV4 is before all of them
        let part = part.replace("NV4:", ":");
        match part.split_once(':') {
            Some((from, until)) => {
                let (from, until) = (end(from), end(until));
                out.extend(Chip::ALL.iter().filter(|c| {
                    from.is_none_or(|f| c.since(f)) && until.is_none_or(|u| (**c as u8) < u as u8)
                }));
            }
            None => out.extend(Chip::parse(&part)),
        }
    }
    out
}

/// The name after the bit range: up to a space, a `?` taken off.
fn field_name(text: &str) -> String {
    let name = text.split_once(':').map_or("", |(_, n)| n.trim());
    name.split([' ', ','])
        .next()
        .unwrap_or_default()
        .trim_end_matches('?')
        .to_string()
}

fn values_of(field: &Field) -> Option<&'static Values> {
    match field.kind {
        isotherm_regs::Kind::Enum(values) => Some(values),
        _ => None,
    }
}

/// Is a value of the page in the enumeration, by its name or as "page: NAME"?
fn has_value(values: &Values, number: u32, name: &str, on: &[Chip]) -> bool {
    values.list.iter().any(|v| {
        v.value == number
            && on.iter().any(|c| v.on(*c))
            && (v.name == name
                || name.contains("???")
                || v.doc.contains(name)
                // 1D, 2D, 3D are no identifiers; AND_INVERSE is GL's AND_INVERTED
                || v.name == format!("D{}", name.trim_end_matches('D'))
                || name.replace("INVERSE", "INVERTED") == v.name
                || name.starts_with("UNK_") && v.doc.contains(name))
    })
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The word a heading names, and the chips that have it.
type Find<'a> = dyn Fn(&str) -> Option<(&'static Word, Vec<Chip>)> + 'a;

struct Checker<'a> {
    find: &'a Find<'a>,
    corrected: &'a [(&'a str, &'a str)],
    fields: usize,
    values: usize,
}

impl Checker<'_> {
    /// Walks "WORD [range]:" headings, "- bits a-b: NAME" items and "- n: VALUE" items.
    fn walk(&mut self, text: &str) {
        let mut word: Option<(&'static Word, Vec<Chip>)> = None;
        let mut field: Option<(&'static Field, Vec<Chip>)> = None;
        for line in text.lines() {
            let trimmed = line.trim();
            let heading = trimmed
                .trim_matches('`')
                .split([' ', ':', '`', '('])
                .next()
                .unwrap_or_default();
            if !line.starts_with([' ', '-']) && !trimmed.is_empty() {
                field = None;
                if let Some((found, on)) = (self.find)(heading) {
                    let range = chips(trimmed);
                    word = Some((
                        found,
                        on.into_iter().filter(|c| range.contains(c)).collect(),
                    ));
                } else if trimmed.ends_with(':') && heading.starts_with(char::is_uppercase)
                    || trimmed.starts_with("===")
                {
                    word = None;
                }
                continue;
            }
            let Some(item) = trimmed.strip_prefix("- ") else {
                continue;
            };
            let item = item.replace("btis", "bits");
            let Some((word, on)) = &word else { continue };
            if let Some((lo, hi)) = bits(&item) {
                field = self.field(word, on, lo, hi, &item);
            } else if let (Some((f, on)), Some((n, name))) = (&field, item.split_once(':')) {
                let name = name.split('[').next().unwrap_or_default();
                let name = name
                    .split(" - ")
                    .next()
                    .unwrap_or_default()
                    .split(" --")
                    .next()
                    .unwrap_or_default();
                let name = name.split(" (").next().unwrap_or_default().trim();
                if let (Some(n), Some(values)) = (number(n.trim()), values_of(f)) {
                    self.values += 1;
                    let range = chips(&item);
                    let on: Vec<_> = on.iter().copied().filter(|c| range.contains(c)).collect();
                    assert!(
                        has_value(values, n, name, &on),
                        "{}.{} lacks {n}: {name}",
                        word.name,
                        f.name
                    );
                }
            }
        }
    }

    fn field(
        &mut self,
        word: &'static Word,
        on: &[Chip],
        lo: u8,
        hi: u8,
        item: &str,
    ) -> Option<(&'static Field, Vec<Chip>)> {
        let name = field_name(item);
        let range = chips(item);
        let on: Vec<Chip> = on.iter().copied().filter(|c| range.contains(c)).collect();
        self.fields += 1;
        if self.corrected.contains(&(word.name, name.as_str())) {
            let field = on.iter().find_map(|c| word.field(*c, &name))?;
            return Some((field, on));
        }
        let mut found = None;
        for &chip in &on {
            let curie = chip.family() == Family::Curie;
            if name.contains("???") || name.is_empty() {
                let mask = (u32::MAX >> (31 - (hi - lo))) << lo;
                let declared = (0..16).fold(0, |m, e| m | word.mask(chip, e));
                assert!(
                    curie || declared & mask == mask,
                    "{} bits {lo}-{hi} on {}",
                    word.name,
                    chip.name()
                );
                continue;
            }
            let Some(field) = word.field(chip, &name) else {
                // what Curie dropped, the page's later edition says
                assert!(curie, "{} has no {name} on {}", word.name, chip.name());
                continue;
            };
            let span = field.span(chip).unwrap();
            let split = field.alias == name && span.lo == lo;
            assert!(
                (span.lo, span.hi) == (lo, hi) || split,
                "{}.{name} on {}: {}-{} against {lo}-{hi}",
                word.name,
                chip.name(),
                span.lo,
                span.hi
            );
            found = Some(field);
        }
        found.map(|f| (f, on))
    }
}

#[test]
fn the_bundle_words() {
    let Some(text) = document("000_281bbf0ac5e6e5cf.txt") else {
        return;
    };
    let find = |name: &str| {
        let bundle = Bundle::by_name(name)?;
        let on = Chip::ALL
            .iter()
            .copied()
            .filter(|c| bundle.row().on(*c).is_some())
            .collect();
        Some((bundle.word(), on))
    };
    let mut checker = Checker {
        find: &find,
        corrected: CORRECTED_FIELDS,
        fields: 0,
        values: 0,
    };
    // the NV4 list of compare functions is not of a chip here
    let start = text.find("Texture bundles").unwrap();
    let nv4 = text.find("On NV4:NV10, the values are:").unwrap();
    let nv10 = text.find("On NV10 and up, they are:").unwrap();
    let text = format!("{}{}", &text[start..nv4], &text[nv10..]);
    checker.walk(&text);
    assert!(checker.fields > 120, "{} fields", checker.fields);
    assert!(checker.values > 90, "{} values", checker.values);
}

/// Lists of the bundle page that stand apart from their field.
#[test]
fn the_bundle_lists() {
    let Some(text) = document("000_281bbf0ac5e6e5cf.txt") else {
        return;
    };
    let lists: [(&str, &Values, usize); 4] = [
        (
            "FORMAT can be one of:",
            bundle::TEX_FORMAT_COLOR::VALUES,
            79,
        ),
        ("WRAP can be one of:", bundle::TEX_WRAP_MODE::VALUES, 5),
        ("MINIFY can be one of:", bundle::MIN_FILTER::VALUES, 7),
        ("And MAGNIFY can be:", bundle::MAG_FILTER::VALUES, 3),
    ];
    for (title, values, count) in lists {
        let start = text.find(title).unwrap();
        let mut seen = 0;
        for line in text[start..].lines().skip(2) {
            let Some(item) = line.strip_prefix("- ") else {
                break;
            };
            let (n, name) = item.split_once(':').unwrap();
            let n = number(n).unwrap();
            let on = chips(item);
            let bare = name.split('[').next().unwrap().trim();
            seen += 1;
            for chip in on.iter().filter(|c| c.family() < Family::Curie) {
                // Celsius has five bits of format
                if values.name == "TEX_FORMAT_COLOR" && chip.family() == Family::Celsius && n > 0x1f
                {
                    continue;
                }
                let named = values.name_of(*chip, n);
                // the NV17 numbers 19h-1Ch were given again on NV20
                let named = named.unwrap_or_else(|| panic!("{title} {n:#x} on {}", chip.name()));
                let reused = (0x19..=0x1c).contains(&n) && values.name == "TEX_FORMAT_COLOR";
                let rect = bare.contains("_RECT");
                assert!(
                    reused || !bare.contains("???") || rect == named.name.contains("RECT"),
                    "{n:#x} {bare} is {}",
                    named.name
                );
                assert!(
                    bare.contains("???") || bare == named.name,
                    "{bare} is {}",
                    named.name
                );
            }
        }
        assert_eq!(seen, count, "{title}");
    }
}

#[test]
fn the_xf_words() {
    let Some(text) = document("002_b82dffa32f4f81f0.txt") else {
        return;
    };
    let section = |from: &str, until: &str| {
        let start = text.find(from).unwrap();
        let end = text[start..].find(until).unwrap() + start;
        text[start..end].to_string()
    };
    let family = |f: Family| {
        Chip::ALL
            .iter()
            .copied()
            .filter(move |c| c.family() == f)
            .collect::<Vec<_>>()
    };
    let corrected: &[(&str, &str)] = &[
        // one field of four unknown bits: four named ones
        ("CELSIUS_XFMODE_B", "LIGHT_MATERIAL"),
    ];
    let celsius = |name: &str| match name {
        "XFMODE_A" => Some((&mode::CELSIUS_XFMODE_B::WORD, family(Family::Celsius))),
        "XFMODE_B" => Some((&mode::CELSIUS_XFMODE_A::WORD, family(Family::Celsius))),
        _ => None,
    };
    let kelvin = |name: &str| match name {
        "XFMODE_A" => Some((&mode::XFMODE_B::WORD, family(Family::Kelvin))),
        "XFMODE_B" => Some((&mode::XFMODE_A::WORD, family(Family::Kelvin))),
        "XFMODE_C" => Some((&mode::XFMODE_T::WORD, family(Family::Kelvin))),
        _ => None,
    };
    let mut total = (0, 0);
    for (find, text) in [
        (
            &celsius as &dyn Fn(&str) -> _,
            section("XFMODE - Celsius\n", "XFMODE - Kelvin\n"),
        ),
        (&kelvin, section("XFMODE - Kelvin\n", "XFMODE - Rankine\n")),
    ] {
        let mut checker = Checker {
            find,
            corrected,
            fields: 0,
            values: 0,
        };
        checker.walk(&text);
        total = (total.0 + checker.fields, total.1 + checker.values);
    }
    assert!(total.0 >= 82 && total.1 >= 30, "{total:?}");
}

/// The rows of a table of the XF page: cells and name.
fn table(text: &str, title: &str) -> Vec<(Vec<String>, String)> {
    let start = text.find(&format!("\n{title}\n===")).unwrap();
    let mut rulers = 0;
    let mut rows = Vec::new();
    for line in text[start + 1..].lines().skip(2) {
        if line.starts_with("====") && line.contains(' ') {
            rulers += 1;
            if rulers == 3 {
                break;
            }
        } else if rulers == 2 {
            let mut cells: Vec<_> = line.split_whitespace().map(String::from).collect();
            let columns = if title == "LTC" { 2 } else { 3 };
            let name = cells.split_off(columns).join(" ");
            rows.push((cells, name));
        }
    }
    rows
}

/// The name here of an entry the page calls otherwise.
fn renamed(name: &str) -> Option<String> {
    Some(match name {
        "[unused]" => "UNUSED".into(),
        "CONST_???" => "RANGE_FACTOR".into(),
        "[const 1.0]" => "CONST_ONE".into(),
        "[const 0.0]" => "CONST_ZERO".into(),
        "POINT_PARAMS_012" => "POINT_PARAMS_A".into(),
        "POINT_PARAMS_345" => "POINT_PARAMS_B".into(),
        "POINT_PARAMS_6" => "POINT_PARAMS_C".into(),
        "POINT_PARAMS_7" => "POINT_PARAMS_D".into(),
        _ if name.ends_with("_HALF_VECTOR") => format!("{name}_ATTENUATION"),
        _ if name.contains("SHININESS_") => {
            let (stem, n) = name.rsplit_once('_')?;
            format!("{stem}_{}", (b'A' + n.parse::<u8>().ok()?) as char)
        }
        _ => return None,
    })
}

#[test]
fn the_context_tables() {
    let Some(text) = document("002_b82dffa32f4f81f0.txt") else {
        return;
    };
    let chips = [Chip::Nv10, Chip::Nv20, Chip::Nv30];
    let mut counts = Vec::new();
    for (title, ram) in [("XFCTX", Ram::Xfctx), ("LTCTX", Ram::Ltctx)] {
        let rows = table(&text, title);
        counts.push(rows.len());
        for (cells, name) in rows {
            for (chip, cell) in chips.into_iter().zip(&cells) {
                if cell == "\\-" || cell == "?" {
                    continue;
                }
                let index = hex(cell.trim_end_matches('+'));
                let (entry, row) = ram
                    .locate(chip, index)
                    .unwrap_or_else(|| panic!("{title}[{cell}] on {}", chip.name()));
                assert_eq!(row, 0, "{title} {name}");
                let known = renamed(&name).unwrap_or(name.clone());
                assert!(
                    name == "???" || entry.name == known,
                    "{title}[{cell}]: {} is not {known}",
                    entry.name
                );
                assert_eq!(cell.ends_with('+'), entry.rows == 4, "{title} {name}");
            }
        }
    }
    let rows = table(&text, "LTC");
    counts.push(rows.len());
    for (cells, name) in rows {
        for (chip, cell) in chips.into_iter().zip(&cells) {
            let Some((bank, index)) = cell.split_once('.') else {
                continue;
            };
            let ram = Ram::Ltc(bank.parse().unwrap());
            let (entry, _) = ram
                .locate(chip, hex(index))
                .unwrap_or_else(|| panic!("LTC {cell}"));
            let known = renamed(&name).unwrap_or(name.clone());
            assert!(
                name == "???" || entry.name == known,
                "LTC {cell}: {} is not {known}",
                entry.name
            );
        }
    }
    assert_eq!(counts, [107, 79, 58]);
}

/// What each mask of the Render State page is here: word, mask, fields, or why it is otherwise.
const RENDER_STATE: &[(usize, u32, &[&str])] = &[
    (0, 0x0000_00ff, &["B"]),
    (0, 0x00ff_0000, &["G"]),
    (1, 0x0000_00ff, &["R"]),
    (1, 0x00ff_0000, &["A"]),
    (2, 0x0000_0007, &["EQUATION_RGB"]),
    (2, 0x0000_0038, &["EQUATION_ALPHA"]),
    (2, 0x0000_07c0, &["SRC_RGB"]),
    (2, 0x0000_f800, &["DST_RGB"]),
    (2, 0x000f_0000, &["SRC_ALPHA"]),
    (2, 0x00f0_0000, &["DST_ALPHA"]),
    (2, 0xff00_0000, &["UNK24", "COLOR_MASK"]),
    (3, 0x0000_0001, &["DEPTH_WRITE"]),
    (3, 0x0000_000e, &["DEPTH_FUNC"]),
    (3, 0x00ff_0000, &["OFFSET_FACTOR"]),
    (3, 0xff00_0000, &["OFFSET_UNITS"]),
    (4, 0xffff_0000, &["FAR"]),
    (4, 0x0000_ffff, &["NEAR"]),
    (5, 0x0000_0007, &["FUNC"]),
    (5, 0x0000_0038, &["OP_FAIL"]),
    (5, 0x0000_01c0, &["OP_ZFAIL"]),
    (5, 0x0000_0e00, &["OP_ZPASS"]),
    (5, 0x00ff_0000, &["REF"]),
    (5, 0xff00_0000, &["MASK"]),
    (6, 0x0000_0007, &["FUNC"]),
    (6, 0x0000_0038, &["OP_FAIL"]),
    (6, 0x0000_01c0, &["OP_ZFAIL"]),
    (6, 0x0000_0e00, &["OP_ZPASS"]),
    (6, 0x00ff_0000, &["REF"]),
    (6, 0xff00_0000, &["MASK"]),
    (7, 0x0000_ffff, &["WRITE_MASK_FRONT", "WRITE_MASK_BACK"]),
    (7, 0x00ff_0000, &["ALPHA_REF"]),
    (8, 0x0000_0007, &["ALPHA_FUNC"]),
    (8, 0x0000_0080, &["ALPHA_TO_COVERAGE"]),
    (8, 0x0000_0100, &["ALPHA_TO_ONE"]),
    (8, 0x0000_f000, &["SAMPLE_MASK"]),
    (9, 0xffff_ffe0, &["ADDRESS"]),
    (9, 0x0000_001f, &["FIRST_INSTR_LENGTH"]),
    (13, 0x0000_0100, &["UNK8"]),
    (13, 0x0000_0200, &["EARLY_Z"]),
    (13, 0x0000_1000, &["PIXEL_KILL"]),
    (14, 0x0000_1000, &["FRONT_FACE_CCW"]),
    (14, 0x0000_2000, &["DITHER"]),
    (14, 0x0001_0000, &["UNIFORM_BIT"]),
];

/// Masks the page has wrong, and its two default values of word 8.
const RENDER_STATE_CORRECTED: &[(usize, u32)] =
    &[(8, 0x68), (8, 0x00c0_0000), (8, 0xf007), (8, 0xf807)];

#[test]
fn the_render_state() {
    let Some(text) = document("001_3f582f2343b29c8d.txt") else {
        return;
    };
    let mut word = 0;
    let mut words = 0;
    let mut seen = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("0x")
            && let Some((_, n)) = rest.split_once('[')
        {
            word = n.split(']').next().unwrap().parse::<usize>().unwrap();
            words += 1;
            assert!(word < mali::RSW.slots.len());
            continue;
        }
        let groups: Vec<_> = line.split_whitespace().take(4).collect();
        if groups.len() < 4
            || !groups
                .iter()
                .all(|g| g.len() == 8 && g.bytes().all(|b| b"01?".contains(&b)))
        {
            continue;
        }
        let mask = groups
            .concat()
            .bytes()
            .fold(0u32, |m, b| m << 1 | u32::from(b != b'0'));
        if RENDER_STATE_CORRECTED.contains(&(word, mask)) {
            continue;
        }
        let (_, _, fields) = RENDER_STATE
            .iter()
            .find(|(w, m, _)| (*w, *m) == (word, mask))
            .unwrap_or_else(|| panic!("word {word} mask {mask:08x} is not declared: {line}"));
        let declared = fields.iter().fold(0, |m, name| {
            let field = mali::RSW.slots[word].word.field(Chip::Mali400, name);
            m | field
                .unwrap_or_else(|| panic!("{word} {name}"))
                .mask(Chip::Mali400)
        });
        assert_eq!(declared, mask, "word {word} {fields:?}");
        seen.push((word, mask));
    }
    assert_eq!(words, 16);
    assert_eq!(seen.len(), RENDER_STATE.len());
}

#[test]
fn the_render_state_lists() {
    let Some(text) = document("001_3f582f2343b29c8d.txt") else {
        return;
    };
    let lists: [(&str, &Values, usize); 4] = [
        ("CompareFunc:", mali::RSW_COMPARE::VALUES, 8),
        ("StencilOp:", mali::RSW_STENCIL_OP::VALUES, 8),
        ("BlendEquation:", mali::RSW_BLEND_EQUATION::VALUES, 5),
        ("ColorBlendFunc:", mali::RSW_COLOR_FACTOR::VALUES, 15),
    ];
    for (title, values, count) in lists {
        let start = text.find(&format!("\n{title}")).unwrap() + 1;
        let mut seen = 0;
        for line in text[start..].lines().skip(1) {
            let Some((bits, name)) = line.trim().split_once(' ') else {
                break;
            };
            let Ok(mut n) = u32::from_str_radix(bits, 2) else {
                break;
            };
            let name = name
                .trim()
                .trim_start_matches("GL_")
                .trim_start_matches("FUNC_")
                .trim_end_matches("_EXT");
            // the one number the page has wrong
            if name == "SRC_ALPHA_SATURATE" {
                assert_eq!(n, 7);
                n = 4;
            }
            let named = values
                .name_of(Chip::Mali400, n)
                .unwrap_or_else(|| panic!("{title} {n}"));
            assert_eq!(named.name, name, "{title} {n}");
            seen += 1;
        }
        assert_eq!(seen, count, "{title}");
    }
}
