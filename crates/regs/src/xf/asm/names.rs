//! Register names.

use crate::xf::isa::Isa;

/// Outputs by row. Names as in the specifications, with the row of each set.
///
/// Kelvin: nv2a programs; Rankine and Curie: Mesa's nv30 driver. Curie sends
/// user clip distances through the spare components of FOGC and PSIZ.
const OUTPUTS: &[(&str, [u16; 3])] = &[
    ("HPOS", [0, 0, 0]),
    ("COL0", [3, 3, 1]),
    ("COL1", [4, 4, 2]),
    ("BFC0", [7, 1, 3]),
    ("BFC1", [8, 2, 4]),
    ("FOGC", [5, 5, 5]),
    ("PSIZ", [6, 6, 6]),
    ("TEX0", [9, 8, 7]),
    ("TEX1", [10, 9, 8]),
    ("TEX2", [11, 10, 9]),
    ("TEX3", [12, 11, 10]),
    ("TEX4", [ABSENT, 12, 11]),
    ("TEX5", [ABSENT, 13, 12]),
    ("TEX6", [ABSENT, 14, 13]),
    ("TEX7", [ABSENT, 15, 14]),
    ("TEX8", [ABSENT, ABSENT, 15]),
    // The register of point sizes and clip distances.
    ("TEX9", [ABSENT, ABSENT, 6]),
    ("CLP0", [ABSENT, 17, ABSENT]),
    ("CLP1", [ABSENT, 18, ABSENT]),
    ("CLP2", [ABSENT, 19, ABSENT]),
    ("CLP3", [ABSENT, 20, ABSENT]),
    ("CLP4", [ABSENT, 21, ABSENT]),
    ("CLP5", [ABSENT, 22, ABSENT]),
];

const ABSENT: u16 = u16::MAX;

/// Names that Xbox programs use.
const SHORT: &[(&str, &str)] = &[
    ("oPos", "HPOS"),
    ("oD0", "COL0"),
    ("oD1", "COL1"),
    ("oB0", "BFC0"),
    ("oB1", "BFC1"),
    ("oFog", "FOGC"),
    ("oPts", "PSIZ"),
    ("oT0", "TEX0"),
    ("oT1", "TEX1"),
    ("oT2", "TEX2"),
    ("oT3", "TEX3"),
];

/// Attribute names of `NV_vertex_program`.
const INPUTS: &[(&str, u8)] = &[
    ("OPOS", 0),
    ("WGHT", 1),
    ("NRML", 2),
    ("COL0", 3),
    ("COL1", 4),
    ("FOGC", 5),
    ("TEX0", 8),
    ("TEX1", 9),
    ("TEX2", 10),
    ("TEX3", 11),
    ("TEX4", 12),
    ("TEX5", 13),
    ("TEX6", 14),
    ("TEX7", 15),
];

pub(super) fn output_name(isa: Isa, row: u16) -> Option<&'static str> {
    OUTPUTS
        .iter()
        .find(|(_, rows)| rows[isa as usize] == row)
        .map(|(name, _)| *name)
}

pub(super) fn output_row(isa: Isa, name: &str) -> Option<u16> {
    let (_, rows) = OUTPUTS.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))?;
    Some(rows[isa as usize]).filter(|&row| row != ABSENT)
}

pub(super) fn short_output(isa: Isa, name: &str) -> Option<u16> {
    let (_, long) = SHORT.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))?;
    output_row(isa, long)
}

pub(super) fn input_row(name: &str) -> Option<u8> {
    INPUTS
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, row)| *row)
}
