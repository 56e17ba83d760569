//! A render state to bundles.

use super::*;
use crate::field::Field;

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
        logic_op_to_nv(b, word);
    } else {
        blend_func_to_nv(b, word, equation);
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

fn logic_op_to_nv(b: &mut Builder, word: u32) {
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
}

fn blend_func_to_nv(b: &mut Builder, word: u32, equation: u32) {
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
        b.note(
            "EQUATION_ALPHA differs from the colour equation: the chip has one for all channels",
        );
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
