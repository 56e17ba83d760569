//! What a name, an id or an address means on a chip.

use crate::bundle::Bundle;
use crate::chip::{Chip, Family};
use crate::mali::words as mali;
use crate::method::{Class, Method};
use crate::record::{Command, Record};
use crate::word::Word;
use crate::xf::ctx::{Entry, Ram};
use crate::xf::mode;

/// Something with a value that can be explained.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A bundle's word.
    Bundle(Bundle, u16),
    /// A word of XFMODE, by its place in the record.
    Mode(usize, &'static Word),
    /// A method's data.
    Method(&'static Class, &'static Method, u16),
    /// A record of words.
    Record(&'static Record),
    /// A word of a record.
    Slot(&'static Record, usize),
    /// A command stream's commands.
    Commands(&'static str, &'static [Command]),
    /// An entry of a context memory, and the row in it.
    Context(Ram, u16, Option<(&'static Entry, u16)>),
    /// A register of a dump that is no state word, by its MMIO address.
    Register(u32),
}

impl Target {
    /// Its name for people.
    pub fn label(&self) -> String {
        match self {
            Target::Bundle(bundle, entry) => {
                let row = bundle.row();
                let many = [row.celsius, row.kelvin, row.rankine]
                    .into_iter()
                    .flatten()
                    .any(|ids| ids.count > 1);
                if many {
                    format!("{}[{entry}]", bundle.name())
                } else {
                    bundle.name().to_string()
                }
            }
            Target::Mode(_, word) => word.name.to_string(),
            Target::Method(class, method, at) => {
                format!("{:02x}:{at:04x} {}", class.id, method.label(*at))
            }
            Target::Record(record) => record.name.to_string(),
            Target::Slot(record, index) => format!("{}[{index}]", record.name),
            Target::Commands(name, _) => (*name).to_string(),
            Target::Context(ram, index, Some((entry, row))) if entry.rows > 1 => {
                format!("{}[{index:#04x}] {} row {row}", ram.name(), entry.name)
            }
            Target::Context(ram, index, Some((entry, _))) => {
                format!("{}[{index:#04x}] {}", ram.name(), entry.name)
            }
            Target::Context(ram, index, None) => format!("{}[{index:#04x}]", ram.name()),
            Target::Register(address) => format!("register {address:#x}"),
        }
    }

    /// The single word it is, and its array entry; `None` for records and streams.
    pub fn word(&self, chip: Chip, value: u32) -> Option<(&'static Word, u16)> {
        match self {
            Target::Bundle(bundle, entry) => Some((bundle.word(), *entry)),
            Target::Mode(_, word) => Some((word, 0)),
            Target::Method(_, method, _) => Some((method.data, 0)),
            Target::Slot(record, index) => Some((record.slots[*index].reading(chip, value), 0)),
            Target::Register(_) => Some((&crate::method::HEX::WORD, 0)),
            Target::Record(_) | Target::Commands(..) | Target::Context(..) => None,
        }
    }
}

/// Nothing of that name; what would have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// What was looked for.
    pub name: String,
    /// Names that would do.
    pub would_do: String,
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "nothing is called {:?}: {}", self.name, self.would_do)
    }
}

impl std::error::Error for NotFound {}

/// First MMIO address of the bundle shadow registers.
pub fn shadow_base(family: Family) -> Option<u32> {
    match family {
        Family::Celsius => Some(0x40_0e00),
        Family::Kelvin | Family::Rankine | Family::Curie => Some(0x40_1800),
        Family::Utgard => None,
    }
}

/// A word, an id or an address: hexadecimal, as dumps write them, with or without `0x` or `h`.
pub fn word(text: &str) -> Option<u32> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .or_else(|| text.strip_suffix(['h', 'H']))
        .unwrap_or(text);
    // The parser would take a sign, too.
    let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok())?
}

/// An index of an array: decimal, or hexadecimal with `0x` or `h`.
fn index(text: &str) -> Option<u32> {
    match text.bytes().all(|b| b.is_ascii_digit()) {
        true => text.parse().ok(),
        false => word(text).filter(|_| text.starts_with(['0']) || text.ends_with(['h', 'H'])),
    }
}

/// What an MMIO address means: a bundle's shadow register or a mode word. The address may be
/// the chip's own or the one at which the Xbox's processor sees it.
pub fn by_mmio(chip: Chip, address: u32) -> Option<Target> {
    let address = crate::alias::without_xbox_base(address);
    if let Some((record, first)) = mode::record(chip) {
        let index = (address.wrapping_sub(first) / 4) as usize;
        if address >= first && address.is_multiple_of(4) && index < record.slots.len() {
            return Some(Target::Mode(index, record.slots[index].word));
        }
    }
    let base = shadow_base(chip.family())?;
    if address < base || !address.is_multiple_of(4) || address >= base + 0x200 * 4 {
        return None;
    }
    by_id(chip, ((address - base) / 4) as u16)
}

/// What an address of a register dump means: a state word, or just a register. The
/// MMIO space is 16 MiB.
pub fn by_dump_address(chip: Chip, address: u32) -> Option<Target> {
    let address = crate::alias::without_xbox_base(address);
    let register = (0x200..1 << 24).contains(&address) && address.is_multiple_of(4);
    by_mmio(chip, address).or(register.then_some(Target::Register(address)))
}

/// What a bundle id means.
pub fn by_id(chip: Chip, id: u16) -> Option<Target> {
    let (bundle, entry) = Bundle::locate(chip.family(), id)?;
    bundle.row().on(chip)?;
    Some(Target::Bundle(bundle, entry))
}

/// Splits `NAME[3]` or `NAME[1][0]` into the name and the indices.
fn indexed(text: &str) -> Option<(&str, Vec<u32>)> {
    let Some((name, rest)) = text.split_once('[') else {
        return Some((text, Vec::new()));
    };
    let list = rest.strip_suffix(']')?.split("][").map(index);
    Some((name, list.take(3).collect::<Option<_>>()?))
}

/// The records and command streams of a chip by name.
pub fn records(chip: Chip) -> Vec<&'static Record> {
    match chip.family() {
        Family::Utgard => vec![
            &mali::RSW,
            &mali::TEXTURE,
            &mali::PP_FRAME,
            &mali::PP_WRITE_BACK,
        ],
        _ => mode::record(chip).map(|(r, _)| r).into_iter().collect(),
    }
}

/// Finds what a text names: a bundle (`RASTER`, `TEX_FILTER[2]`), a bundle id
/// (`0x64`), an MMIO address (`0x401990`), a method (`97:0x1e60`, `97:RC_CONFIG`),
/// a record (`xfmode`, `rsw`), a word of one (`rsw[2]`, `XFMODE_B`), a command
/// stream (`plbu`, `vs`), a context entry (`xfctx[0x28]`, `MATRIX_MV0`), or what others
/// call these (`NV097_SET_BLEND_ENABLE`, `NV_PGRAPH_BLEND`, `0xfd401804`).
pub fn find(chip: Chip, text: &str) -> Result<Target, NotFound> {
    lookup(chip, text.trim()).ok_or_else(|| NotFound {
        name: text.chars().take(80).collect(),
        would_do: suggestions(chip, text.trim()),
    })
}

fn lookup(chip: Chip, text: &str) -> Option<Target> {
    if let Some((class, method)) = text.split_once(':') {
        return by_method(class, method);
    }
    // No name begins with a digit.
    if let Some(n) = word(text).filter(|_| text.starts_with(|c: char| c.is_ascii_digit())) {
        return if n < 0x200 {
            by_id(chip, n as u16)
        } else {
            by_mmio(chip, n)
        };
    }
    let (name, indices) = indexed(text)?;
    // Only methods have arrays of arrays.
    let index = match indices[..] {
        [] => None,
        [index] => Some(index),
        _ => return crate::alias::lookup(chip, name, &indices),
    };
    if chip.family() == Family::Utgard {
        return by_mali_name(name, index);
    }
    if let Some(bundle) = Bundle::by_name(name) {
        let ids = bundle.row().on(chip)?;
        let entry = u16::try_from(index.unwrap_or(0)).ok()?;
        return (entry < ids.count).then_some(Target::Bundle(bundle, entry));
    }
    by_mode_name(chip, name, index)
        .or_else(|| by_context_name(chip, name, index))
        .or_else(|| crate::alias::lookup(chip, name, &indices))
}

fn by_method(class: &str, method: &str) -> Option<Target> {
    let id = u16::from_str_radix(class.trim_start_matches("0x").trim_end_matches('h'), 16).ok()?;
    let class = Class::by_id(id)?;
    // classes and methods are always written in hexadecimal
    let digits = method.trim_start_matches("0x").trim_end_matches('h');
    if let Ok(at) = u16::from_str_radix(digits, 16) {
        return Some(Target::Method(class, class.method(at)?, at));
    }
    let (name, indices) = indexed(method)?;
    crate::alias::by_method_name(class, name, &indices)
}

fn by_mali_name(name: &str, index: Option<u32>) -> Option<Target> {
    match name.to_ascii_lowercase().as_str() {
        "plbu" => return Some(Target::Commands("PLBU", mali::PLBU)),
        "vs" => return Some(Target::Commands("VS", mali::VS)),
        _ => {}
    }
    for record in records(Chip::Mali400) {
        if record.name.eq_ignore_ascii_case(name) {
            return match index {
                None => Some(Target::Record(record)),
                Some(i) => {
                    ((i as usize) < record.slots.len()).then_some(Target::Slot(record, i as usize))
                }
            };
        }
        let slot = record.slots.iter().position(|s| {
            s.word.name.eq_ignore_ascii_case(name)
                || s.otherwise
                    .is_some_and(|(_, _, w)| w.name.eq_ignore_ascii_case(name))
        });
        if let Some(slot) = slot {
            return Some(Target::Slot(record, slot));
        }
    }
    None
}

pub(crate) fn by_mode_name(chip: Chip, name: &str, index: Option<u32>) -> Option<Target> {
    let (record, _) = mode::record(chip)?;
    if name.eq_ignore_ascii_case(record.name) {
        return match index {
            None => Some(Target::Record(record)),
            Some(i) => {
                let slot = record.slots.get(i as usize)?;
                Some(Target::Mode(i as usize, slot.word))
            }
        };
    }
    let of_name = |n: &str| {
        n.eq_ignore_ascii_case(name)
            || n.strip_prefix("CELSIUS_")
                .is_some_and(|n| n.eq_ignore_ascii_case(name))
    };
    let places: Vec<_> = (0..record.slots.len())
        .filter(|&i| of_name(record.slots[i].word.name))
        .collect();
    // T[0] is the last word of the record
    let i = *places.iter().rev().nth(index.unwrap_or(0) as usize)?;
    Some(Target::Mode(i, record.slots[i].word))
}

fn by_context_name(chip: Chip, name: &str, index: Option<u32>) -> Option<Target> {
    for &ram in Ram::ALL {
        if ram.name().eq_ignore_ascii_case(name) {
            let index = u16::try_from(index?).ok()?;
            return Some(Target::Context(ram, index, Some(ram.locate(chip, index)?)));
        }
    }
    for &ram in Ram::ALL {
        if let Some(entry) = ram.by_name(name) {
            let row = u16::try_from(index.unwrap_or(0)).ok()?;
            let at = entry.at(chip)? + row;
            return Some(Target::Context(ram, at, ram.locate(chip, at)));
        }
    }
    None
}

/// Every name that [`find`] knows on a chip, for searching.
pub fn names(chip: Chip) -> Vec<String> {
    let mut names: Vec<String> = Bundle::all()
        .filter(|b| b.row().on(chip).is_some())
        .map(|b| b.name().to_string())
        .collect();
    for record in records(chip) {
        names.push(record.name.to_ascii_lowercase());
        for slot in record.slots {
            let name = slot.word.name.trim_start_matches("CELSIUS_").to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if chip.family() == Family::Utgard {
        names.extend(["plbu".to_string(), "vs".to_string()]);
    }
    for ram in Ram::ALL {
        names.extend(
            ram.map()
                .iter()
                .filter(|e| e.at(chip).is_some())
                .map(|e| e.name.to_string()),
        );
    }
    names
}

/// The 3D methods that a chip's newest class has, by our names and by those of the headers.
fn method_names(chip: Chip) -> Vec<String> {
    let mut classes = crate::method::CLASSES.iter().filter(|class| {
        class.is_3d() && class.since.family() == chip.family() && chip.since(class.since)
    });
    let Some(class) = classes.next_back() else {
        return Vec::new();
    };
    let of_method = |m: &'static Method| {
        let theirs = crate::alias::names(chip, Target::Method(class, m, m.at));
        theirs.into_iter().chain([m.name.to_string()])
    };
    class.methods().flat_map(of_method).collect()
}

/// Up to eight names close to a text, or what kinds of names there are.
fn suggestions(chip: Chip, text: &str) -> String {
    let mut all = names(chip);
    all.extend(method_names(chip));
    all.extend(crate::alias::registers(chip));
    let near = near(text, all.iter().map(String::as_str));
    let lead = if near.is_empty() {
        String::new()
    } else {
        format!("{} has {}; ", chip.name(), near.join(", "))
    };
    let forms = match chip.family() {
        Family::Utgard => "records rsw, texture, pp_frame, pp_write_back, streams plbu, vs",
        _ => {
            "a bundle name or id, an MMIO address, CLASS:METHOD, xfmode, or a context entry would do"
        }
    };
    lead + forms
}

/// Up to eight names that a text may have been meant to be, the closest first.
pub fn near<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: String = text.to_ascii_uppercase().chars().take(40).collect();
    let stem = wanted.split('[').next().unwrap_or("");
    let mut close: Vec<(usize, &str)> = names
        .map(|name| {
            let upper = name.to_ascii_uppercase();
            (strsim::osa_distance(stem, &upper), name)
        })
        .filter(|(distance, name)| *distance <= stem.len().max(name.len()) / 3)
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().map(|(_, name)| name).take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(chip: Chip, text: &str) -> String {
        find(chip, text).map_or_else(|e| e.to_string(), |t| t.label())
    }

    #[test]
    fn names_ids_and_addresses_mean_the_same() {
        for text in ["RASTER", "raster", "0x64", "0x401990"] {
            assert_eq!(label(Chip::Nv25, text), "RASTER");
        }
        assert_eq!(label(Chip::Nv25, "64"), "RASTER");
        assert_eq!(
            label(Chip::Nv20, "XFCTX[40]"),
            label(Chip::Nv20, "xfctx[0x28]")
        );
        assert_eq!(label(Chip::Nv10, "0x400e88"), "RASTER");
        assert_eq!(label(Chip::Nv20, "tex_filter[2]"), "TEX_FILTER[2]");
        assert_eq!(label(Chip::Nv20, "97:0x1e60"), "97:1e60 RC_CONFIG");
        assert_eq!(
            label(Chip::Nv20, "97:VTX_TXC_2F[1][0]"),
            "97:15b8 VTX_TXC_2F[1][0]"
        );
        assert_eq!(label(Chip::Nv20, "97:SET_CONTROL0"), "97:0290 CONFIG");
        assert_eq!(label(Chip::Nv20, "0x400fc0"), "XFMODE_T");
        assert_eq!(label(Chip::Nv20, "XFMODE_T[1]"), "XFMODE_T");
        assert_eq!(label(Chip::Nv10, "XFMODE_A"), "CELSIUS_XFMODE_A");
        assert_eq!(label(Chip::Mali400, "rsw[2]"), "RSW[2]");
        assert_eq!(
            label(Chip::Nv20, "xfctx[0x29]"),
            "XFCTX[0x29] LIGHT_1_POSITION"
        );
        assert_eq!(
            label(Chip::Nv20, "matrix_mv0[2]"),
            "XFCTX[0x0a] MATRIX_MV0 row 2"
        );
    }

    #[test]
    fn words_are_hexadecimal() {
        for (text, value) in [
            ("20600084", Some(0x2060_0084)),
            ("0x20600084", Some(0x2060_0084)),
            ("10", Some(16)),
            ("10h", Some(16)),
            ("ffffffff", Some(u32::MAX)),
            ("100000000", None),
            ("+1", None),
            ("-1", None),
            ("", None),
            ("0x", None),
            ("zz", None),
        ] {
            assert_eq!(word(text), value, "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(find(Chip::Nv20, "TEX_FILTER[4]").is_err());
        assert!(find(Chip::Nv20, "LINE_STIPPLE").is_err());
        assert!(find(Chip::Nv25, "LINE_STIPPLE").is_ok());
        let error = find(Chip::Nv25, "RASTRE").unwrap_err().to_string();
        assert!(error.contains("RASTER"), "{error}");
        for (chip, wrong, right) in [
            (
                Chip::Nv2a,
                "NV097_SET_BLEND_ENABEL",
                "NV097_SET_BLEND_ENABLE",
            ),
            (
                Chip::Nv34,
                "NV30_3D_BLEND_FUNC_ENABL",
                "NV30_3D_BLEND_FUNC_ENABLE",
            ),
            (
                Chip::Nv47,
                "NV40_3D_BLEND_FUNC_ENABL",
                "NV40_3D_BLEND_FUNC_ENABLE",
            ),
            (Chip::Nv2a, "NV_PGRAPH_BLEN", "NV_PGRAPH_BLEND"),
            (Chip::Nv20, "NV_PGRAPH_TEXFMT9", "NV_PGRAPH_TEXFMT3"),
        ] {
            let error = find(chip, wrong).unwrap_err();
            let names: Vec<&str> = error.would_do.split([' ', ',', ';']).collect();
            assert!(names.contains(&right), "{error}");
        }
        for text in [
            "",
            "[",
            "x[",
            "97:",
            ":",
            "0x",
            "97:0x1e61",
            "97:VTX_TXC_2F[1][9]",
            "97:VTX_TXC_2F[1][0][0]",
            "RASTER[0][0]",
            "ffffffff:1",
            "\u{0}",
        ] {
            assert!(find(Chip::Nv25, text).is_err(), "{text:?}");
        }
    }
}
