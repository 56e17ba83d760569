//! Fixed-function raster state between Mali-400's render state and NVIDIA's bundles.
//!
//! What one side cannot say is named in the notes, never dropped silently.

mod to_nv;
mod to_rsw;

pub use to_nv::rsw_to_nv;
pub use to_rsw::nv_to_rsw;

use crate::bundle::*;
use crate::chip::{Chip, Family};
use crate::mali::words::*;

/// NVIDIA words made from a render state, and what has no counterpart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NvState {
    /// The bundles and their words.
    pub words: Vec<(Bundle, u32)>,
    /// What the target cannot say, and assumptions made.
    pub notes: Vec<String>,
}

/// A render state made from NVIDIA words, and what has no counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RswState {
    /// The 16 words.
    pub words: [u32; 16],
    /// What the target cannot say, and assumptions made.
    pub notes: Vec<String>,
}

const M: Chip = Chip::Mali400;

/// Stencil operations by Mali's number.
const STENCIL_OPS: [u32; 8] = [
    STENCIL_OP::KEEP,
    STENCIL_OP::REPLACE,
    STENCIL_OP::ZERO,
    STENCIL_OP::INVERT,
    STENCIL_OP::INCR_WRAP,
    STENCIL_OP::DECR_WRAP,
    STENCIL_OP::INCR,
    STENCIL_OP::DECR,
];

/// Logic operations by Mali's number, a truth table, in GL's order.
const LOGIC_OPS: [u32; 16] = [
    LOGIC_OP::CLEAR,
    LOGIC_OP::NOR,
    LOGIC_OP::AND_INVERTED,
    LOGIC_OP::COPY_INVERTED,
    LOGIC_OP::AND_REVERSE,
    LOGIC_OP::INVERT,
    LOGIC_OP::XOR,
    LOGIC_OP::NAND,
    LOGIC_OP::AND,
    LOGIC_OP::EQUIV,
    LOGIC_OP::NOOP,
    LOGIC_OP::OR_INVERTED,
    LOGIC_OP::COPY,
    LOGIC_OP::OR_REVERSE,
    LOGIC_OP::OR,
    LOGIC_OP::SET,
];

/// Blend equations: Mali's number, NVIDIA's.
const EQUATIONS: [(u32, u32); 5] = [
    (RSW_BLEND_EQUATION::SUBTRACT, BLEND_EQUATION::SUBTRACT),
    (
        RSW_BLEND_EQUATION::REVERSE_SUBTRACT,
        BLEND_EQUATION::REVERSE_SUBTRACT,
    ),
    (RSW_BLEND_EQUATION::ADD, BLEND_EQUATION::ADD),
    (RSW_BLEND_EQUATION::MIN, BLEND_EQUATION::MIN),
    (RSW_BLEND_EQUATION::MAX, BLEND_EQUATION::MAX),
];

/// Blend factors: Mali's colour number, NVIDIA's.
const FACTORS: [(u32, u32); 15] = [
    (RSW_COLOR_FACTOR::ZERO, BLEND_FACTOR::ZERO),
    (RSW_COLOR_FACTOR::ONE, BLEND_FACTOR::ONE),
    (RSW_COLOR_FACTOR::SRC_COLOR, BLEND_FACTOR::SRC_COLOR),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_SRC_COLOR,
        BLEND_FACTOR::ONE_MINUS_SRC_COLOR,
    ),
    (RSW_COLOR_FACTOR::SRC_ALPHA, BLEND_FACTOR::SRC_ALPHA),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_SRC_ALPHA,
        BLEND_FACTOR::ONE_MINUS_SRC_ALPHA,
    ),
    (RSW_COLOR_FACTOR::DST_ALPHA, BLEND_FACTOR::DST_ALPHA),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_DST_ALPHA,
        BLEND_FACTOR::ONE_MINUS_DST_ALPHA,
    ),
    (RSW_COLOR_FACTOR::DST_COLOR, BLEND_FACTOR::DST_COLOR),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_DST_COLOR,
        BLEND_FACTOR::ONE_MINUS_DST_COLOR,
    ),
    (
        RSW_COLOR_FACTOR::SRC_ALPHA_SATURATE,
        BLEND_FACTOR::SRC_ALPHA_SATURATE,
    ),
    (
        RSW_COLOR_FACTOR::CONSTANT_COLOR,
        BLEND_FACTOR::CONSTANT_COLOR,
    ),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_CONSTANT_COLOR,
        BLEND_FACTOR::ONE_MINUS_CONSTANT_COLOR,
    ),
    (
        RSW_COLOR_FACTOR::CONSTANT_ALPHA,
        BLEND_FACTOR::CONSTANT_ALPHA,
    ),
    (
        RSW_COLOR_FACTOR::ONE_MINUS_CONSTANT_ALPHA,
        BLEND_FACTOR::ONE_MINUS_CONSTANT_ALPHA,
    ),
];

fn nv_of(table: &[(u32, u32)], mali: u32) -> Option<u32> {
    table.iter().find(|(m, _)| *m == mali).map(|(_, n)| *n)
}

fn mali_of(table: &[(u32, u32)], nv: u32) -> Option<u32> {
    table.iter().find(|(_, n)| *n == nv).map(|(m, _)| *m)
}

/// Mali's alpha factor has no "alpha" bit: colour and alpha factors fall together.
fn alpha_factor(color: u32) -> u32 {
    color & 0xf
}

/// The full scale of a 24-bit depth buffer, which NVIDIA's depth range counts in.
const Z24: f32 = 16_777_215.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// What a translation to NVIDIA and back keeps: everything fixed-function that
    /// the chip can say.
    #[test]
    fn there_and_back() {
        let mut seed = 0x5eed_0001u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 24) as u32
        };
        for _ in 0..2000 {
            let pick = |n: u32, r: u32| r % n;
            let mut rsw = [0u32; 16];
            rsw[0] = random() & 0x00ff_00ff;
            rsw[1] = random() & 0x00ff_00ff;
            let (mut src, mut dst) = (
                FACTORS[pick(15, random()) as usize].0,
                FACTORS[pick(15, random()) as usize].0,
            );
            let equation = EQUATIONS[pick(5, random()) as usize].0;
            if equation >= RSW_BLEND_EQUATION::MIN {
                (src, dst) = (RSW_COLOR_FACTOR::ONE, RSW_COLOR_FACTOR::ZERO);
            }
            rsw[2] = equation
                | equation << 3
                | src << 6
                | dst << 11
                | (src & 15) << 16
                | (dst & 15) << 20;
            rsw[2] |= 0x0c00_0000 | random() & 0xf000_0000;
            if random() & 3 == 0 {
                let op = random() & 15;
                rsw[2] = 3 | 3 << 3 | op << 6 | op << 16 | 0xfc00_0000;
            }
            rsw[3] = random() & 0xffff_000f;
            rsw[4] = random();
            let stencil = random() & 0xffff_0fff;
            rsw[5] = stencil;
            rsw[6] = stencil;
            let mask = random() & 0xff;
            rsw[7] = mask | mask << 8 | random() & 0x00ff_0000;
            rsw[8] = random() & 7 | 0x800 | random() & 0xf180;
            rsw[14] = random() & 0x3000;
            let nv = rsw_to_nv(Chip::Nv2a, &rsw);
            let back = nv_to_rsw(Chip::Nv2a, &nv.words);
            let mut expected = rsw;
            // an idle stencil test is off, and off is written in one way
            if stencil & 0xfff == 7 {
                expected[5] = 7;
                expected[6] = 7;
                expected[7] = expected[7] & 0x00ff_0000 | 0xffff;
            }
            assert_eq!(back.words, expected, "{rsw:08x?} {:?}", nv.words);
            assert!(
                !nv.notes.iter().any(|n| n.contains("differ")),
                "{:?}",
                nv.notes
            );
        }
    }

    #[test]
    fn what_has_no_counterpart_is_named() {
        let mut rsw = [0u32; 16];
        rsw[2] = 2 | 4 << 3 | 5 << 6;
        rsw[6] = 0x0100_0000;
        rsw[9] = 0x1000_0003;
        let notes = rsw_to_nv(Chip::Nv20, &rsw).notes.join("\n");
        for text in [
            "SRC_RGB is 0x5",
            "EQUATION_ALPHA differs",
            "RSW_STENCIL_BACK",
            "RSW_SHADER.ADDRESS",
        ] {
            assert!(notes.contains(text), "{notes}");
        }
        let notes = nv_to_rsw(Chip::Nv20, &[(RASTER, 0x1000_0002), (FOG_COLOR, 1)])
            .notes
            .join("\n");
        for text in [
            "CONFIG_A is not given",
            "POLYGON_MODE_FRONT",
            "CULL_FACE_ENABLE",
            "FOG_COLOR",
        ] {
            assert!(notes.contains(text), "{notes}");
        }
    }
}
