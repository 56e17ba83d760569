//! Names of operations, inputs, conditions, scales and precisions.

use crate::Family;
use crate::fp::inst::{Cond, Precision, Reg};
use crate::fp::ops::{Form, Op, TABLE};

/// The first line of a program. `NV_fragment_program` has FP1.0 for Rankine;
/// its successors for Curie are options of another language, FP2.0 is ours.
pub(super) const HEADERS: [(&str, Family); 2] =
    [("!!FP1.0", Family::Rankine), ("!!FP2.0", Family::Curie)];

/// By [`Cond`]'s number.
pub(super) const CONDITIONS: [&str; 8] = ["FL", "LT", "EQ", "LE", "GT", "NE", "GE", "TR"];

/// Suffixes of the scales by number; 4 is unknown.
const SCALES: [Option<&str>; 8] = [
    Some(""),
    Some("_2X"),
    Some("_4X"),
    Some("_8X"),
    None,
    Some("_D2"),
    Some("_D4"),
    Some("_D8"),
];

/// Inputs by number: `nvfx_shader.h`; TEX8 and TEX9, which follow TEX7, are
/// what its compiler assigns on Curie.
const INPUTS: [(&str, u8); 15] = [
    ("WPOS", 0),
    ("COL0", 1),
    ("COL1", 2),
    ("FOGC", 3),
    ("TEX0", 4),
    ("TEX1", 5),
    ("TEX2", 6),
    ("TEX3", 7),
    ("TEX4", 8),
    ("TEX5", 9),
    ("TEX6", 10),
    ("TEX7", 11),
    ("TEX8", 12),
    ("TEX9", 13),
    ("FACE", 14),
];

/// The specification's outputs, which are registers.
const OUTPUTS: [(&str, Reg); 3] = [
    ("COLR", reg(0, false)),
    ("COLH", reg(0, true)),
    ("DEPR", reg(1, false)),
];

const fn reg(index: u8, half: bool) -> Reg {
    Reg { index, half }
}

/// `rankine` or `curie`.
pub(super) fn family_name(family: Family) -> &'static str {
    match family {
        Family::Curie => "curie",
        _ => "rankine",
    }
}

pub(super) fn header(family: Family) -> &'static str {
    HEADERS[usize::from(family == Family::Curie)].0
}

fn has_input(family: Family, number: u8) -> bool {
    // Rankine has eight texture coordinates, and Mesa's table no facing.
    family == Family::Curie || number < 12
}

/// The name of an input, or its number.
pub fn input_name(family: Family, number: u8) -> String {
    INPUTS
        .iter()
        .find(|&&(_, n)| n == number && has_input(family, n))
        .map_or_else(|| number.to_string(), |(name, _)| (*name).to_owned())
}

pub(super) fn input(family: Family, name: &str) -> Option<u8> {
    INPUTS
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|&(_, number)| number)
        .filter(|&number| has_input(family, number))
}

pub(super) fn output(name: &str) -> Option<Reg> {
    OUTPUTS
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|&(_, reg)| reg)
}

/// The suffix of a scale; `None` for the unknown one.
pub(super) fn scale_suffix(scale: u8) -> Option<&'static str> {
    SCALES.get(usize::from(scale)).copied().flatten()
}

/// The letter of a precision; `None` for the unknown one.
pub(super) fn letter(precision: Precision) -> Option<char> {
    match precision {
        Precision::Full => Some('R'),
        Precision::Half => Some('H'),
        Precision::Fixed => Some('X'),
        Precision::Unknown3 => None,
    }
}

/// The precision that a name without a letter has: the result register's own.
pub(super) fn natural(out: Option<Reg>) -> Precision {
    match out {
        Some(Reg { half: true, .. }) => Precision::Half,
        _ => Precision::Full,
    }
}

pub(super) fn condition(name: &str) -> Option<Cond> {
    let at = CONDITIONS
        .iter()
        .position(|c| c.eq_ignore_ascii_case(name))?;
    Some(Cond::ALL[at])
}

/// An operation's name without suffixes. `OP_32` and, among the branches,
/// `BOP_07` are numbers without a known operation.
pub(super) fn stem(op: Op, branch: bool) -> String {
    match op.info() {
        Some(info) => info.name.to_owned(),
        None if branch => format!("BOP_{:02X}", op.code()),
        None => format!("OP_{:02X}", op.code()),
    }
}

/// A name taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    pub op: Option<Op>,
    pub branch: bool,
    pub precision: Option<Precision>,
    pub cc_write: bool,
    pub scale: u8,
    pub sat: bool,
    pub expand: bool,
}

/// Whether an operation has a result and thus suffixes.
pub(super) fn has_result(op: Op, branch: bool) -> bool {
    match op.info() {
        Some(info) => matches!(info.form, Form::Plain | Form::Texture),
        None => !branch,
    }
}

/// Takes `MADHC_2X_SAT` apart, or says what is wrong with it.
pub(super) fn take_apart(family: Family, text: &str) -> Result<Name, String> {
    let upper = text.to_ascii_uppercase();
    let mut parts = upper.split('_');
    let mut first = parts.next().unwrap_or_default().to_owned();
    if matches!(first.as_str(), "OP" | "BOP") {
        first = format!("{first}_{}", parts.next().unwrap_or_default());
    }
    let Some(mut name) = with_letters(family, &first) else {
        return Err(match elsewhere(family, &first) {
            Some(other) => format!("`{text}` is an operation of {other} only"),
            None => format!("`{text}` is no {} operation", family_name(family)),
        });
    };
    for part in parts {
        let suffix = format!("_{part}");
        let scale = SCALES.iter().position(|&s| s == Some(suffix.as_str()));
        match (part, scale) {
            ("SAT", _) => name.sat = true,
            ("BX2", _) => name.expand = true,
            (_, Some(scale)) if scale != 0 => name.scale = scale as u8,
            _ => {
                return Err(format!(
                    "`{suffix}` is no suffix: expected _2X, _4X, _8X, _D2, _D4, _D8, _BX2 or _SAT"
                ));
            }
        }
    }
    let plain = name.scale == 0 && !name.sat && !name.expand;
    match name.op {
        Some(op) if !plain && !has_result(op, name.branch) => Err(format!(
            "`{text}`: {} has no result, so no suffix",
            stem(op, name.branch)
        )),
        _ => Ok(name),
    }
}

/// The set that has an operation which this one lacks.
fn elsewhere(family: Family, first: &str) -> Option<&'static str> {
    HEADERS
        .into_iter()
        .map(|(_, other)| other)
        .find(|&other| other != family && with_letters(other, first).is_some())
        .map(family_name)
}

/// A name with its precision and `C`, as in `MADHC`.
fn with_letters(family: Family, first: &str) -> Option<Name> {
    for (suffix, precision, cc_write) in [
        ("", None, false),
        ("C", None, true),
        ("R", Some(Precision::Full), false),
        ("H", Some(Precision::Half), false),
        ("X", Some(Precision::Fixed), false),
        ("RC", Some(Precision::Full), true),
        ("HC", Some(Precision::Half), true),
        ("XC", Some(Precision::Fixed), true),
    ] {
        let Some((op, branch)) = first
            .strip_suffix(suffix)
            .and_then(|bare| exact(family, bare))
        else {
            continue;
        };
        if suffix.is_empty() || has_result(op, branch) {
            return Some(Name {
                op: Some(op),
                branch,
                precision,
                cc_write,
                ..Name::default()
            });
        }
    }
    None
}

fn exact(family: Family, name: &str) -> Option<(Op, bool)> {
    for (prefix, branch) in [("OP_", false), ("BOP_", true)] {
        if let Some(digits) = name.strip_prefix(prefix) {
            let code = u8::from_str_radix(digits, 16)
                .ok()
                .filter(|&code| digits.len() == 2 && code < 64)?;
            let op = Op::decode(family, code, branch);
            let exists = !branch || family == Family::Curie;
            return (exists && op == Op::Unknown(code)).then_some((op, branch));
        }
    }
    TABLE
        .iter()
        .find(|i| i.name == name && i.on.has(family))
        .map(|i| (i.op, i.branch))
}
