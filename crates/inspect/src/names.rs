//! Names of primitives, registers and their fields.

use isotherm_regs::Chip;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain::{self, Explained};
use std::fmt::Write;

/// GL's primitive numbers, one up.
pub const PRIMS: [&str; 11] = [
    "none",
    "points",
    "lines",
    "line_loop",
    "line_strip",
    "triangles",
    "triangle_strip",
    "triangle_fan",
    "quads",
    "quad_strip",
    "polygon",
];

/// The name of a primitive.
pub fn primitive(prim: u8) -> &'static str {
    PRIMS.get(usize::from(prim)).copied().unwrap_or("?")
}

/// `NAME`, or `NAME[index]` for arrays.
pub fn register(chip: Chip, bundle: Bundle, index: u16) -> String {
    let ids = bundle.row().ids(chip.family());
    if ids.is_some_and(|ids| ids.count > 1) {
        format!("{}[{index}]", bundle.name())
    } else {
        bundle.name().to_string()
    }
}

/// The fields that are not zero.
pub fn set_fields(word: &Explained) -> String {
    let mut out = String::new();
    for line in word.lines.iter().filter(|line| line.raw != 0) {
        let _ = write!(out, "{}={} ", line.name, line.text);
    }
    undeclared(&mut out, word);
    out.trim_end().to_string()
}

/// Says which bits are set that the chip does not have.
pub fn undeclared(out: &mut String, word: &Explained) {
    if word.undeclared != 0 {
        let _ = write!(out, "{}={:#x}", explain::UNDECLARED, word.undeclared);
    }
}
