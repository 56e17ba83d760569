//! Fixed-function raster state between Mali-400's render state and NVIDIA's bundles.
//!
//! What one side cannot say is named in the notes, never dropped silently.

use crate::bundle::*;
use crate::chip::{Chip, Family};
use crate::field::Field;
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

struct Builder {
    chip: Chip,
    words: Vec<(Bundle, u32)>,
    notes: Vec<String>,
}

impl Builder {
    fn word(&mut self, bundle: Bundle, fields: &[(&Field, u32)]) {
        if bundle.row().on(self.chip).is_none() {
            self.note(format!(
                "{} does not exist on {}",
                bundle.name(),
                self.chip.name()
            ));
            return;
        }
        let value = fields.iter().fold(0, |word, (field, value)| {
            field.with(self.chip, word, *value)
        });
        self.words.push((bundle, value));
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// Translates a render state to the bundles of a Kelvin, Rankine or other NVIDIA chip.
pub fn rsw_to_nv(chip: Chip, rsw: &[u32; 16]) -> NvState {
    let mut b = Builder {
        chip,
        words: Vec::new(),
        notes: Vec::new(),
    };
    if chip.family() == Family::Utgard {
        b.note("the target must be an NVIDIA chip");
        return NvState {
            words: b.words,
            notes: b.notes,
        };
    }
    tests_to_nv(&mut b, rsw);
    stencil_to_nv(&mut b, rsw);
    blend_to_nv(&mut b, rsw);
    raster_to_nv(&mut b, rsw);
    leftovers(&mut b, rsw);
    NvState {
        words: b.words,
        notes: b.notes,
    }
}

fn tests_to_nv(b: &mut Builder, rsw: &[u32; 16]) {
    let alpha = RSW_MULTISAMPLE::ALPHA_FUNC.get(M, rsw[8]);
    let depth = RSW_DEPTH::DEPTH_FUNC.get(M, rsw[3]);
    let write = RSW_DEPTH::DEPTH_WRITE.get(M, rsw[3]);
    let mask = RSW_BLEND::COLOR_MASK.get(M, rsw[2]);
    // no test, no write on NVIDIA: a writing ALWAYS needs the test on
    let test = depth != RSW_COMPARE::ALWAYS || write != 0;
    let stencil_write = rsw[7] & 0xffff != 0;
    b.word(
        CONFIG_A,
        &[
            (
                &CONFIG_A::ALPHA_REF,
                RSW_STENCIL_MASK::ALPHA_REF.get(M, rsw[7]),
            ),
            (&CONFIG_A::ALPHA_FUNC, alpha),
            (
                &CONFIG_A::ALPHA_FUNC_ENABLE,
                u32::from(alpha != RSW_COMPARE::ALWAYS),
            ),
            (&CONFIG_A::DEPTH_TEST_ENABLE, u32::from(test)),
            (&CONFIG_A::DEPTH_FUNC, depth),
            (&CONFIG_A::DITHER_ENABLE, RSW_AUX1::DITHER.get(M, rsw[14])),
            (&CONFIG_A::DEPTH_WRITE_ENABLE, write),
            (&CONFIG_A::STENCIL_WRITE_ENABLE, u32::from(stencil_write)),
            (&CONFIG_A::COLOR_MASK_R, mask & 1),
            (&CONFIG_A::COLOR_MASK_G, mask >> 1 & 1),
            (&CONFIG_A::COLOR_MASK_B, mask >> 2 & 1),
            (&CONFIG_A::COLOR_MASK_A, mask >> 3 & 1),
        ],
    );
}

/// The stencil fields of one side: function, reference, masks, operations.
fn stencil_side(word: u32, write_mask: u32) -> [u32; 7] {
    // both sides have the same layout
    let op = |field: &Field| STENCIL_OPS[field.get(M, word) as usize & 7];
    [
        RSW_STENCIL_FRONT::FUNC.get(M, word),
        RSW_STENCIL_FRONT::REF.get(M, word),
        RSW_STENCIL_FRONT::MASK.get(M, word),
        write_mask,
        op(&RSW_STENCIL_FRONT::OP_FAIL),
        op(&RSW_STENCIL_FRONT::OP_ZFAIL),
        op(&RSW_STENCIL_FRONT::OP_ZPASS),
    ]
}

fn stencil_to_nv(b: &mut Builder, rsw: &[u32; 16]) {
    let front = stencil_side(rsw[5], RSW_STENCIL_MASK::WRITE_MASK_FRONT.get(M, rsw[7]));
    let back = stencil_side(rsw[6], RSW_STENCIL_MASK::WRITE_MASK_BACK.get(M, rsw[7]));
    let idle = |side: &[u32; 7]| {
        side[0] == RSW_COMPARE::ALWAYS && side[4..].iter().all(|&op| op == STENCIL_OP::KEEP)
    };
    let two_sided = front != back;
    let has_back = b.chip.since(Chip::Nv30);
    b.word(
        STENCIL_A,
        &[
            (
                &STENCIL_A::STENCIL_ENABLE,
                u32::from(!idle(&front) || !idle(&back)),
            ),
            (&STENCIL_A::STENCIL_BACK_ENABLE, u32::from(two_sided)),
            (&STENCIL_A::STENCIL_FUNC, front[0]),
            (&STENCIL_A::STENCIL_FUNC_REF, front[1]),
            (&STENCIL_A::STENCIL_FUNC_MASK, front[2]),
            (&STENCIL_A::STENCIL_MASK, front[3]),
        ],
    );
    b.word(
        STENCIL_B,
        &[
            (&STENCIL_B::STENCIL_OP_FAIL, front[4]),
            (&STENCIL_B::STENCIL_OP_ZFAIL, front[5]),
            (&STENCIL_B::STENCIL_OP_ZPASS, front[6]),
        ],
    );
    if has_back {
        b.word(
            STENCIL_C,
            &[
                (&STENCIL_C::STENCIL_BACK_MASK, back[3]),
                (&STENCIL_C::STENCIL_BACK_OP_FAIL, back[4]),
                (&STENCIL_C::STENCIL_BACK_OP_ZFAIL, back[5]),
                (&STENCIL_C::STENCIL_BACK_OP_ZPASS, back[6]),
            ],
        );
        b.word(
            STENCIL_D,
            &[
                (&STENCIL_D::STENCIL_BACK_FUNC, back[0]),
                (&STENCIL_D::STENCIL_BACK_FUNC_REF, back[1]),
                (&STENCIL_D::STENCIL_BACK_FUNC_MASK, back[2]),
            ],
        );
    } else if two_sided {
        b.note("RSW_STENCIL_BACK differs from the front: the chip has one stencil state for both faces");
    }
}

fn blend_to_nv(b: &mut Builder, rsw: &[u32; 16]) {
    let word = rsw[2];
    let equation = RSW_BLEND::EQUATION_RGB.get(M, word);
    let color = (rsw[0], rsw[1]);
    if equation == RSW_BLEND_EQUATION::LOGIC_OP {
        let op = RSW_LOGIC::LOGIC_OP_RGB.get(M, word);
        if op != RSW_LOGIC::LOGIC_OP_ALPHA.get(M, word) {
            b.note("the alpha logic operation differs: the chip has one for all channels");
        }
        if !b.chip.since(Chip::Nv15) {
            b.note("NV10 has no logic operations");
        }
        b.word(
            BLEND,
            &[
                (&BLEND::COLOR_LOGIC_OP_OP, LOGIC_OPS[op as usize & 15]),
                (&BLEND::COLOR_LOGIC_OP_ENABLE, 1),
                (&BLEND::BLEND_EQUATION, BLEND_EQUATION::ADD),
                (&BLEND::BLEND_FACTOR_SRC_0, BLEND_FACTOR::ONE),
                (&BLEND::BLEND_FACTOR_DST_0, BLEND_FACTOR::ZERO),
            ],
        );
    } else {
        let (src, dst) = (
            RSW_BLEND::SRC_RGB.get(M, word),
            RSW_BLEND::DST_RGB.get(M, word),
        );
        let alpha = [
            RSW_BLEND::EQUATION_ALPHA.get(M, word),
            RSW_BLEND::SRC_ALPHA.get(M, word),
            RSW_BLEND::DST_ALPHA.get(M, word),
        ];
        let off = equation == RSW_BLEND_EQUATION::ADD
            && src == RSW_COLOR_FACTOR::ONE
            && dst == RSW_COLOR_FACTOR::ZERO
            && alpha
                == [
                    RSW_BLEND_EQUATION::ADD,
                    RSW_ALPHA_FACTOR::ONE,
                    RSW_ALPHA_FACTOR::ZERO,
                ];
        let mut factor = |value: u32, what: &str| {
            nv_of(&FACTORS, value).unwrap_or_else(|| {
                b.note(format!(
                    "{what} is {value:#x}, which has no counterpart; ONE is taken"
                ));
                BLEND_FACTOR::ONE
            })
        };
        let (nv_src, nv_dst) = (factor(src, "SRC_RGB"), factor(dst, "DST_RGB"));
        // the alpha factor of the same source; colour factors stand for both kinds
        let widen = |a: u32| {
            if nv_of(&FACTORS, a | 0x10).is_some() {
                a | 0x10
            } else {
                a
            }
        };
        let (nv_src_a, nv_dst_a) = (
            factor(widen(alpha[1]), "SRC_ALPHA"),
            factor(widen(alpha[2]), "DST_ALPHA"),
        );
        let nv_equation = nv_of(&EQUATIONS, equation).unwrap_or_else(|| {
            b.note(format!(
                "EQUATION_RGB is {equation}, which has no counterpart; ADD is taken"
            ));
            BLEND_EQUATION::ADD
        });
        let separate = alpha[1] != alpha_factor(src) || alpha[2] != alpha_factor(dst);
        if separate && !b.chip.since(Chip::Nv30) {
            b.note("SRC_ALPHA and DST_ALPHA differ from the colour factors: the chip has one pair for all channels");
        }
        if alpha[0] != equation && !b.chip.since(Chip::Nv40) {
            b.note("EQUATION_ALPHA differs from the colour equation: the chip has one for all channels");
        }
        b.word(
            BLEND,
            &[
                (&BLEND::BLEND_EQUATION, nv_equation),
                (
                    &BLEND::BLEND_EQUATION_1,
                    nv_of(&EQUATIONS, alpha[0]).unwrap_or(nv_equation),
                ),
                (&BLEND::BLEND_FUNC_ENABLE, u32::from(!off)),
                (&BLEND::BLEND_FACTOR_SRC_0, nv_src),
                (&BLEND::BLEND_FACTOR_DST_0, nv_dst),
                (&BLEND::BLEND_FACTOR_SRC_1, nv_src_a),
                (&BLEND::BLEND_FACTOR_DST_1, nv_dst_a),
                (&BLEND::COLOR_LOGIC_OP_OP, LOGIC_OP::COPY),
            ],
        );
    }
    b.word(
        BLEND_COLOR,
        &[
            (&BLEND_COLOR::B, RSW_BLEND_COLOR_BG::B.get(M, color.0)),
            (&BLEND_COLOR::G, RSW_BLEND_COLOR_BG::G.get(M, color.0)),
            (&BLEND_COLOR::R, RSW_BLEND_COLOR_RA::R.get(M, color.1)),
            (&BLEND_COLOR::A, RSW_BLEND_COLOR_RA::A.get(M, color.1)),
        ],
    );
}

fn raster_to_nv(b: &mut Builder, rsw: &[u32; 16]) {
    let factor = RSW_DEPTH::OFFSET_FACTOR.get_signed(M, rsw[3]);
    let units = RSW_DEPTH::OFFSET_UNITS.get_signed(M, rsw[3]);
    let offset = u32::from(factor != 0 || units != 0);
    let ccw = RSW_AUX1::FRONT_FACE_CCW.get(M, rsw[14]);
    b.word(
        RASTER,
        &[
            (&RASTER::POLYGON_OFFSET_POINT_ENABLE, offset),
            (&RASTER::POLYGON_OFFSET_LINE_ENABLE, offset),
            (&RASTER::POLYGON_OFFSET_FILL_ENABLE, offset),
            (&RASTER::FRONT_FACE, ccw),
        ],
    );
    b.words
        .push((POLYGON_OFFSET_FACTOR, (factor as f32 / 4.0).to_bits()));
    b.words
        .push((POLYGON_OFFSET_UNITS, (units as f32 / 2.0).to_bits()));
    let depth = |field: &Field| (field.get(M, rsw[4]) as f32 / 65535.0 * Z24).to_bits();
    b.words
        .push((DEPTH_RANGE_NEAR, depth(&RSW_DEPTH_RANGE::NEAR)));
    b.words
        .push((DEPTH_RANGE_FAR, depth(&RSW_DEPTH_RANGE::FAR)));
    b.note("DEPTH_RANGE_* count in units of a 24-bit depth buffer");
    let samples = RSW_MULTISAMPLE::SAMPLE_MASK.get(M, rsw[8]);
    if b.chip.family() == Family::Celsius {
        if RSW_MULTISAMPLE::MSAA.get(M, rsw[8]) != 0 {
            b.note("Celsius has no multisampling");
        }
    } else {
        b.word(
            MULTISAMPLE,
            &[
                (
                    &MULTISAMPLE::MULTISAMPLE_ENABLE,
                    u32::from(RSW_MULTISAMPLE::MSAA.get(M, rsw[8]) != 0),
                ),
                (
                    &MULTISAMPLE::ALPHA_TO_COVERAGE,
                    RSW_MULTISAMPLE::ALPHA_TO_COVERAGE.get(M, rsw[8]),
                ),
                (
                    &MULTISAMPLE::ALPHA_TO_ONE,
                    RSW_MULTISAMPLE::ALPHA_TO_ONE.get(M, rsw[8]),
                ),
                (&MULTISAMPLE::SAMPLE_COVERAGE, samples * 0x1111),
            ],
        );
    }
}

/// Names every field that is set and belongs to shaders, memory or nobody knows what.
fn leftovers(b: &mut Builder, rsw: &[u32; 16]) {
    const TRANSLATED: &[(usize, u32)] = &[
        (0, 0x00ff_00ff),
        (1, 0x00ff_00ff),
        (2, 0xf0ff_ffff),
        (3, 0xffff_000f),
        (4, u32::MAX),
        (5, 0xffff_0fff),
        (6, 0xffff_0fff),
        (7, 0x00ff_ffff),
        (8, 0x0000_f1ff),
        (14, 0x0000_3000),
    ];
    for (index, slot) in RSW.slots.iter().enumerate() {
        let done = TRANSLATED
            .iter()
            .find(|(i, _)| *i == index)
            .map_or(0, |(_, mask)| *mask);
        let word = slot.reading(M, rsw[index]);
        for field in word.on(M, 0) {
            if field.mask(M) & !done != 0 && field.get(M, rsw[index]) != 0 {
                b.note(format!(
                    "{}.{} = {:#x} has no counterpart",
                    word.name,
                    field.name,
                    field.get(M, rsw[index])
                ));
            }
        }
    }
}

/// Translates bundles to a render state. Bundles that are not given count as zero
/// and are named where that matters.
pub fn nv_to_rsw(chip: Chip, words: &[(Bundle, u32)]) -> RswState {
    let mut notes = Vec::new();
    let mut out = [0; 16];
    let mut get = |bundle: Bundle| {
        words.iter().rev().find(|(b, _)| *b == bundle).map_or_else(
            || {
                notes.push(format!("{} is not given and counts as 0", bundle.name()));
                0
            },
            |(_, value)| *value,
        )
    };
    let (config_a, stencil_a, stencil_b) = (get(CONFIG_A), get(STENCIL_A), get(STENCIL_B));
    let (blend, blend_color, raster) = (get(BLEND), get(BLEND_COLOR), get(RASTER));
    let mut set =
        |index: usize, field: &Field, value: u32| out[index] = field.with(M, out[index], value);

    // depth and alpha tests: "off" is the function ALWAYS
    let on = |enable: &Field, func: &Field, word: u32| {
        if enable.is_set(chip, word) {
            func.get(chip, word) & 7
        } else {
            RSW_COMPARE::ALWAYS
        }
    };
    let depth_test = CONFIG_A::DEPTH_TEST_ENABLE.is_set(chip, config_a);
    set(
        3,
        &RSW_DEPTH::DEPTH_FUNC,
        on(
            &CONFIG_A::DEPTH_TEST_ENABLE,
            &CONFIG_A::DEPTH_FUNC,
            config_a,
        ),
    );
    let write = depth_test && CONFIG_A::DEPTH_WRITE_ENABLE.is_set(chip, config_a);
    set(3, &RSW_DEPTH::DEPTH_WRITE, u32::from(write));
    set(
        8,
        &RSW_MULTISAMPLE::ALPHA_FUNC,
        on(
            &CONFIG_A::ALPHA_FUNC_ENABLE,
            &CONFIG_A::ALPHA_FUNC,
            config_a,
        ),
    );
    set(
        7,
        &RSW_STENCIL_MASK::ALPHA_REF,
        CONFIG_A::ALPHA_REF.get(chip, config_a),
    );
    set(
        14,
        &RSW_AUX1::DITHER,
        CONFIG_A::DITHER_ENABLE.get(chip, config_a),
    );
    let masks = [
        &CONFIG_A::COLOR_MASK_R,
        &CONFIG_A::COLOR_MASK_G,
        &CONFIG_A::COLOR_MASK_B,
        &CONFIG_A::COLOR_MASK_A,
    ];
    let mask = masks
        .iter()
        .enumerate()
        .fold(0, |mask, (i, field)| mask | field.get(chip, config_a) << i);
    set(2, &RSW_BLEND::COLOR_MASK, mask);
    // what ordinary draws carry
    set(2, &RSW_BLEND::UNK24, 0xc);

    // stencil
    let op = |field: &Field, word: u32| {
        STENCIL_OPS
            .iter()
            .position(|&op| op == field.get(chip, word))
            .unwrap_or(0) as u32
    };
    let stencil = STENCIL_A::STENCIL_ENABLE.is_set(chip, stencil_a);
    let two_sided = STENCIL_A::STENCIL_BACK_ENABLE.is_set(chip, stencil_a);
    for (index, write_mask) in [
        (5, &RSW_STENCIL_MASK::WRITE_MASK_FRONT),
        (6, &RSW_STENCIL_MASK::WRITE_MASK_BACK),
    ] {
        if !stencil {
            set(index, &RSW_STENCIL_FRONT::FUNC, RSW_COMPARE::ALWAYS);
            set(7, write_mask, 0xff);
            continue;
        }
        set(
            index,
            &RSW_STENCIL_FRONT::FUNC,
            STENCIL_A::STENCIL_FUNC.get(chip, stencil_a) & 7,
        );
        set(
            index,
            &RSW_STENCIL_FRONT::REF,
            STENCIL_A::STENCIL_FUNC_REF.get(chip, stencil_a),
        );
        set(
            index,
            &RSW_STENCIL_FRONT::MASK,
            STENCIL_A::STENCIL_FUNC_MASK.get(chip, stencil_a),
        );
        set(
            index,
            &RSW_STENCIL_FRONT::OP_FAIL,
            op(&STENCIL_B::STENCIL_OP_FAIL, stencil_b),
        );
        set(
            index,
            &RSW_STENCIL_FRONT::OP_ZFAIL,
            op(&STENCIL_B::STENCIL_OP_ZFAIL, stencil_b),
        );
        set(
            index,
            &RSW_STENCIL_FRONT::OP_ZPASS,
            op(&STENCIL_B::STENCIL_OP_ZPASS, stencil_b),
        );
        let write = if CONFIG_A::STENCIL_WRITE_ENABLE.is_set(chip, config_a) {
            STENCIL_A::STENCIL_MASK.get(chip, stencil_a)
        } else {
            0
        };
        set(7, write_mask, write);
    }
    if stencil && two_sided {
        let (c, d) = (
            words
                .iter()
                .find(|(b, _)| *b == STENCIL_C)
                .map_or(0, |w| w.1),
            words
                .iter()
                .find(|(b, _)| *b == STENCIL_D)
                .map_or(0, |w| w.1),
        );
        set(
            6,
            &RSW_STENCIL_BACK::FUNC,
            STENCIL_D::STENCIL_BACK_FUNC.get(chip, d) & 7,
        );
        set(
            6,
            &RSW_STENCIL_BACK::REF,
            STENCIL_D::STENCIL_BACK_FUNC_REF.get(chip, d),
        );
        set(
            6,
            &RSW_STENCIL_BACK::MASK,
            STENCIL_D::STENCIL_BACK_FUNC_MASK.get(chip, d),
        );
        set(
            6,
            &RSW_STENCIL_BACK::OP_FAIL,
            op(&STENCIL_C::STENCIL_BACK_OP_FAIL, c),
        );
        set(
            6,
            &RSW_STENCIL_BACK::OP_ZFAIL,
            op(&STENCIL_C::STENCIL_BACK_OP_ZFAIL, c),
        );
        set(
            6,
            &RSW_STENCIL_BACK::OP_ZPASS,
            op(&STENCIL_C::STENCIL_BACK_OP_ZPASS, c),
        );
        set(
            7,
            &RSW_STENCIL_MASK::WRITE_MASK_BACK,
            STENCIL_C::STENCIL_BACK_MASK.get(chip, c),
        );
    }

    // blending
    let logic = BLEND::COLOR_LOGIC_OP_ENABLE.is_set(chip, blend);
    let enabled = BLEND::BLEND_FUNC_ENABLE.is_set(chip, blend);
    if logic {
        let wanted = BLEND::COLOR_LOGIC_OP_OP.get(chip, blend);
        let op = LOGIC_OPS.iter().position(|&o| o == wanted).unwrap_or(12) as u32;
        set(2, &RSW_LOGIC::EQUATION_RGB, RSW_BLEND_EQUATION::LOGIC_OP);
        set(2, &RSW_LOGIC::EQUATION_ALPHA, RSW_BLEND_EQUATION::LOGIC_OP);
        set(2, &RSW_LOGIC::LOGIC_OP_RGB, op);
        set(2, &RSW_LOGIC::LOGIC_OP_ALPHA, op);
    } else {
        let mut missing = Vec::new();
        let mut factor = |field: &Field, default: u32| {
            if !enabled {
                return default;
            }
            let value = field.get(chip, blend);
            mali_of(&FACTORS, value).unwrap_or_else(|| {
                missing.push(format!(
                    "{} is {value:#x}, which has no counterpart",
                    field.name
                ));
                default
            })
        };
        let src = factor(&BLEND::BLEND_FACTOR_SRC_0, RSW_COLOR_FACTOR::ONE);
        let dst = factor(&BLEND::BLEND_FACTOR_DST_0, RSW_COLOR_FACTOR::ZERO);
        let (src_a, dst_a) = if chip.since(Chip::Nv30) {
            (
                factor(&BLEND::BLEND_FACTOR_SRC_1, RSW_COLOR_FACTOR::ONE),
                factor(&BLEND::BLEND_FACTOR_DST_1, RSW_COLOR_FACTOR::ZERO),
            )
        } else {
            (src, dst)
        };
        let mut equation = |field: &Field| {
            let value = if enabled {
                field.get(chip, blend)
            } else {
                BLEND_EQUATION::ADD
            };
            mali_of(&EQUATIONS, value).unwrap_or_else(|| {
                missing.push(format!(
                    "{} is {value}, which has no counterpart; ADD is taken",
                    field.name
                ));
                RSW_BLEND_EQUATION::ADD
            })
        };
        let rgb = equation(&BLEND::BLEND_EQUATION);
        let alpha = if chip.since(Chip::Nv40) {
            equation(&BLEND::BLEND_EQUATION_1)
        } else {
            rgb
        };
        // the driver's rule: MIN and MAX still multiply on Mali, so the factors must be ONE and ZERO
        let plain = |e: u32, s: u32, d: u32| {
            if matches!(e, RSW_BLEND_EQUATION::MIN | RSW_BLEND_EQUATION::MAX) {
                (RSW_COLOR_FACTOR::ONE, RSW_COLOR_FACTOR::ZERO)
            } else {
                (s, d)
            }
        };
        let ((src, dst), (src_a, dst_a)) = (plain(rgb, src, dst), plain(alpha, src_a, dst_a));
        set(2, &RSW_BLEND::EQUATION_RGB, rgb);
        set(2, &RSW_BLEND::EQUATION_ALPHA, alpha);
        set(2, &RSW_BLEND::SRC_RGB, src);
        set(2, &RSW_BLEND::DST_RGB, dst);
        set(2, &RSW_BLEND::SRC_ALPHA, alpha_factor(src_a));
        set(2, &RSW_BLEND::DST_ALPHA, alpha_factor(dst_a));
        notes.extend(missing);
    }
    set(
        0,
        &RSW_BLEND_COLOR_BG::B,
        BLEND_COLOR::B.get(chip, blend_color),
    );
    set(
        0,
        &RSW_BLEND_COLOR_BG::G,
        BLEND_COLOR::G.get(chip, blend_color),
    );
    set(
        1,
        &RSW_BLEND_COLOR_RA::R,
        BLEND_COLOR::R.get(chip, blend_color),
    );
    set(
        1,
        &RSW_BLEND_COLOR_RA::A,
        BLEND_COLOR::A.get(chip, blend_color),
    );

    // raster
    set(
        14,
        &RSW_AUX1::FRONT_FACE_CCW,
        RASTER::FRONT_FACE.get(chip, raster),
    );
    let float = |bundle: Bundle, default: f32| {
        words
            .iter()
            .rev()
            .find(|(b, _)| *b == bundle)
            .map_or(default, |(_, v)| f32::from_bits(*v))
    };
    if RASTER::POLYGON_OFFSET_FILL_ENABLE.is_set(chip, raster) {
        let clamp = |v: f32| v.clamp(-128.0, 127.0) as i32 as u32;
        set(
            3,
            &RSW_DEPTH::OFFSET_FACTOR,
            clamp(float(POLYGON_OFFSET_FACTOR, 0.0) * 4.0),
        );
        set(
            3,
            &RSW_DEPTH::OFFSET_UNITS,
            clamp(float(POLYGON_OFFSET_UNITS, 0.0) * 2.0),
        );
    }
    let depth = |v: f32| (v / Z24 * 65535.0 + 0.5).clamp(0.0, 65535.0) as u32;
    set(
        4,
        &RSW_DEPTH_RANGE::NEAR,
        depth(float(DEPTH_RANGE_NEAR, 0.0)),
    );
    set(4, &RSW_DEPTH_RANGE::FAR, depth(float(DEPTH_RANGE_FAR, Z24)));
    set(8, &RSW_MULTISAMPLE::DRAW_MODE, RSW_DRAW_MODE::TRIANGLES);
    let multisample = words
        .iter()
        .rev()
        .find(|(b, _)| *b == MULTISAMPLE)
        .map(|(_, v)| *v);
    match multisample {
        Some(word) => {
            let on = MULTISAMPLE::MULTISAMPLE_ENABLE.is_set(chip, word);
            set(8, &RSW_MULTISAMPLE::MSAA, if on { 0xd } else { 0 });
            set(
                8,
                &RSW_MULTISAMPLE::ALPHA_TO_COVERAGE,
                MULTISAMPLE::ALPHA_TO_COVERAGE.get(chip, word),
            );
            set(
                8,
                &RSW_MULTISAMPLE::ALPHA_TO_ONE,
                MULTISAMPLE::ALPHA_TO_ONE.get(chip, word),
            );
            set(
                8,
                &RSW_MULTISAMPLE::SAMPLE_MASK,
                MULTISAMPLE::SAMPLE_COVERAGE.get(chip, word) & 0xf,
            );
        }
        None => set(8, &RSW_MULTISAMPLE::SAMPLE_MASK, 0xf),
    }
    nv_leftovers(chip, words, raster, config_a, &mut notes);
    RswState { words: out, notes }
}

fn nv_leftovers(
    chip: Chip,
    words: &[(Bundle, u32)],
    raster: u32,
    config_a: u32,
    notes: &mut Vec<String>,
) {
    let untranslated: &[(&Field, u32, &str)] = &[
        (
            &RASTER::POLYGON_MODE_FRONT,
            raster,
            "Mali fills polygons only",
        ),
        (
            &RASTER::POLYGON_MODE_BACK,
            raster,
            "Mali fills polygons only",
        ),
        (
            &RASTER::CULL_FACE_ENABLE,
            raster,
            "culling is the PLBU command PRIMITIVE_SETUP",
        ),
        (&RASTER::POINT_SMOOTH_ENABLE, raster, "no counterpart"),
        (&RASTER::LINE_SMOOTH_ENABLE, raster, "no counterpart"),
        (&RASTER::POLYGON_SMOOTH_ENABLE, raster, "no counterpart"),
        (
            &RASTER::LINE_WIDTH,
            raster,
            "line width is the PLBU command LOW_PRIM_SIZE",
        ),
        (&RASTER::Z_FORMAT, raster, "Mali's depth is fixed point"),
        (&RASTER::CLIP_RECT_MODE, raster, "no counterpart"),
        (
            &CONFIG_A::DEPTH_PERSPECTIVE_ENABLE,
            config_a,
            "Mali has no W buffer",
        ),
    ];
    for (field, word, why) in untranslated {
        if field.is_set(chip, *word) {
            notes.push(format!(
                "{} = {:#x}: {why}",
                field.name,
                field.get(chip, *word)
            ));
        }
    }
    const TRANSLATED: &[Bundle] = &[
        CONFIG_A,
        STENCIL_A,
        STENCIL_B,
        STENCIL_C,
        STENCIL_D,
        BLEND,
        BLEND_COLOR,
        RASTER,
        POLYGON_OFFSET_FACTOR,
        POLYGON_OFFSET_UNITS,
        DEPTH_RANGE_NEAR,
        DEPTH_RANGE_FAR,
        MULTISAMPLE,
    ];
    for (bundle, value) in words {
        if !TRANSLATED.contains(bundle) && *value != 0 {
            notes.push(format!(
                "{} = {value:#010x} has no counterpart",
                bundle.name()
            ));
        }
    }
}

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
