//! Bundles to a render state.

use super::*;
use crate::field::Field;

/// Translates bundles to a render state. Bundles that are not given count as zero
/// and are named where that matters.
pub fn nv_to_rsw(chip: Chip, words: &[(Bundle, u32)]) -> RswState {
    let mut b = Builder {
        chip,
        given: words,
        out: [0; 16],
        notes: Vec::new(),
    };
    let nv = Nv {
        config_a: b.needed(CONFIG_A),
        stencil_a: b.needed(STENCIL_A),
        stencil_b: b.needed(STENCIL_B),
        blend: b.needed(BLEND),
        blend_color: b.needed(BLEND_COLOR),
        raster: b.needed(RASTER),
    };
    tests(&mut b, &nv);
    stencil(&mut b, &nv);
    if BLEND::COLOR_LOGIC_OP_ENABLE.is_set(chip, nv.blend) {
        logic(&mut b, &nv);
    } else {
        blend(&mut b, &nv);
    }
    raster(&mut b, &nv);
    multisample(&mut b);
    leftovers(&mut b, &nv);
    RswState {
        words: b.out,
        notes: b.notes,
    }
}

/// The words that most depends on.
struct Nv {
    config_a: u32,
    stencil_a: u32,
    stencil_b: u32,
    blend: u32,
    blend_color: u32,
    raster: u32,
}

struct Builder<'a> {
    chip: Chip,
    given: &'a [(Bundle, u32)],
    out: [u32; 16],
    notes: Vec<String>,
}

impl Builder<'_> {
    /// A bundle's word; the last one counts.
    fn word(&self, bundle: Bundle) -> Option<u32> {
        let found = self.given.iter().rev().find(|(b, _)| *b == bundle);
        found.map(|(_, value)| *value)
    }

    /// A bundle's word, which is missed if it is not there.
    fn needed(&mut self, bundle: Bundle) -> u32 {
        self.word(bundle).unwrap_or_else(|| {
            let name = bundle.name();
            self.notes
                .push(format!("{name} is not given and counts as 0"));
            0
        })
    }

    fn float(&self, bundle: Bundle, default: f32) -> f32 {
        self.word(bundle).map_or(default, f32::from_bits)
    }

    fn set(&mut self, index: usize, field: &Field, value: u32) {
        self.out[index] = field.with(M, self.out[index], value);
    }

    /// Sets fields to those of an NVIDIA word.
    fn copy(&mut self, index: usize, word: u32, fields: &[(&Field, &Field)]) {
        for (to, from) in fields {
            self.set(index, to, from.get(self.chip, word));
        }
    }
}

/// Depth and alpha tests ("off" is the function ALWAYS), colour mask, dithering.
fn tests(b: &mut Builder<'_>, nv: &Nv) {
    let (chip, word) = (b.chip, nv.config_a);
    let func = |enable: &Field, func: &Field| {
        if enable.is_set(chip, word) {
            func.get(chip, word) & 7
        } else {
            RSW_COMPARE::ALWAYS
        }
    };
    let depth = func(&CONFIG_A::DEPTH_TEST_ENABLE, &CONFIG_A::DEPTH_FUNC);
    b.set(3, &RSW_DEPTH::DEPTH_FUNC, depth);
    let write = CONFIG_A::DEPTH_TEST_ENABLE.is_set(chip, word)
        && CONFIG_A::DEPTH_WRITE_ENABLE.is_set(chip, word);
    b.set(3, &RSW_DEPTH::DEPTH_WRITE, u32::from(write));
    let alpha = func(&CONFIG_A::ALPHA_FUNC_ENABLE, &CONFIG_A::ALPHA_FUNC);
    b.set(8, &RSW_MULTISAMPLE::ALPHA_FUNC, alpha);
    b.copy(
        7,
        word,
        &[(&RSW_STENCIL_MASK::ALPHA_REF, &CONFIG_A::ALPHA_REF)],
    );
    b.copy(14, word, &[(&RSW_AUX1::DITHER, &CONFIG_A::DITHER_ENABLE)]);
    let masks = [
        &CONFIG_A::COLOR_MASK_R,
        &CONFIG_A::COLOR_MASK_G,
        &CONFIG_A::COLOR_MASK_B,
        &CONFIG_A::COLOR_MASK_A,
    ];
    let mask = masks
        .iter()
        .enumerate()
        .fold(0, |mask, (i, field)| mask | field.get(chip, word) << i);
    b.set(2, &RSW_BLEND::COLOR_MASK, mask);
    // what ordinary draws carry
    b.set(2, &RSW_BLEND::UNK24, 0xc);
}

fn stencil(b: &mut Builder<'_>, nv: &Nv) {
    let chip = b.chip;
    let sides = [
        (5, &RSW_STENCIL_MASK::WRITE_MASK_FRONT),
        (6, &RSW_STENCIL_MASK::WRITE_MASK_BACK),
    ];
    if !STENCIL_A::STENCIL_ENABLE.is_set(chip, nv.stencil_a) {
        for (index, write_mask) in sides {
            b.set(index, &RSW_STENCIL_FRONT::FUNC, RSW_COMPARE::ALWAYS);
            b.set(7, write_mask, 0xff);
        }
        return;
    }
    let write = if CONFIG_A::STENCIL_WRITE_ENABLE.is_set(chip, nv.config_a) {
        STENCIL_A::STENCIL_MASK.get(chip, nv.stencil_a)
    } else {
        0
    };
    for (index, write_mask) in sides {
        let func = STENCIL_A::STENCIL_FUNC.get(chip, nv.stencil_a) & 7;
        b.set(index, &RSW_STENCIL_FRONT::FUNC, func);
        b.copy(
            index,
            nv.stencil_a,
            &[
                (&RSW_STENCIL_FRONT::REF, &STENCIL_A::STENCIL_FUNC_REF),
                (&RSW_STENCIL_FRONT::MASK, &STENCIL_A::STENCIL_FUNC_MASK),
            ],
        );
        for (to, from) in [
            (&RSW_STENCIL_FRONT::OP_FAIL, &STENCIL_B::STENCIL_OP_FAIL),
            (&RSW_STENCIL_FRONT::OP_ZFAIL, &STENCIL_B::STENCIL_OP_ZFAIL),
            (&RSW_STENCIL_FRONT::OP_ZPASS, &STENCIL_B::STENCIL_OP_ZPASS),
        ] {
            b.set(index, to, stencil_op(chip, from, nv.stencil_b));
        }
        b.set(7, write_mask, write);
    }
    if STENCIL_A::STENCIL_BACK_ENABLE.is_set(chip, nv.stencil_a) {
        back_stencil(b);
    }
}

fn back_stencil(b: &mut Builder<'_>) {
    let chip = b.chip;
    let (c, d) = (
        b.word(STENCIL_C).unwrap_or(0),
        b.word(STENCIL_D).unwrap_or(0),
    );
    let func = STENCIL_D::STENCIL_BACK_FUNC.get(chip, d) & 7;
    b.set(6, &RSW_STENCIL_BACK::FUNC, func);
    b.copy(
        6,
        d,
        &[
            (&RSW_STENCIL_BACK::REF, &STENCIL_D::STENCIL_BACK_FUNC_REF),
            (&RSW_STENCIL_BACK::MASK, &STENCIL_D::STENCIL_BACK_FUNC_MASK),
        ],
    );
    for (to, from) in [
        (&RSW_STENCIL_BACK::OP_FAIL, &STENCIL_C::STENCIL_BACK_OP_FAIL),
        (
            &RSW_STENCIL_BACK::OP_ZFAIL,
            &STENCIL_C::STENCIL_BACK_OP_ZFAIL,
        ),
        (
            &RSW_STENCIL_BACK::OP_ZPASS,
            &STENCIL_C::STENCIL_BACK_OP_ZPASS,
        ),
    ] {
        b.set(6, to, stencil_op(chip, from, c));
    }
    b.copy(
        7,
        c,
        &[(
            &RSW_STENCIL_MASK::WRITE_MASK_BACK,
            &STENCIL_C::STENCIL_BACK_MASK,
        )],
    );
}

/// A stencil operation in the render state's numbering.
fn stencil_op(chip: Chip, field: &Field, word: u32) -> u32 {
    STENCIL_OPS
        .iter()
        .position(|&op| op == field.get(chip, word))
        .unwrap_or(0) as u32
}

fn logic(b: &mut Builder<'_>, nv: &Nv) {
    let wanted = BLEND::COLOR_LOGIC_OP_OP.get(b.chip, nv.blend);
    let op = LOGIC_OPS.iter().position(|&o| o == wanted).unwrap_or(12) as u32;
    b.set(2, &RSW_LOGIC::EQUATION_RGB, RSW_BLEND_EQUATION::LOGIC_OP);
    b.set(2, &RSW_LOGIC::EQUATION_ALPHA, RSW_BLEND_EQUATION::LOGIC_OP);
    b.set(2, &RSW_LOGIC::LOGIC_OP_RGB, op);
    b.set(2, &RSW_LOGIC::LOGIC_OP_ALPHA, op);
    blend_color(b, nv);
}

fn blend(b: &mut Builder<'_>, nv: &Nv) {
    let chip = b.chip;
    let enabled = BLEND::BLEND_FUNC_ENABLE.is_set(chip, nv.blend);
    let mut factor = |field: &Field, default: u32| {
        if !enabled {
            return default;
        }
        let value = field.get(chip, nv.blend);
        mali_of(&FACTORS, value).unwrap_or_else(|| {
            b.notes.push(format!(
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
            field.get(chip, nv.blend)
        } else {
            BLEND_EQUATION::ADD
        };
        mali_of(&EQUATIONS, value).unwrap_or_else(|| {
            b.notes.push(format!(
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
    b.set(2, &RSW_BLEND::EQUATION_RGB, rgb);
    b.set(2, &RSW_BLEND::EQUATION_ALPHA, alpha);
    b.set(2, &RSW_BLEND::SRC_RGB, src);
    b.set(2, &RSW_BLEND::DST_RGB, dst);
    b.set(2, &RSW_BLEND::SRC_ALPHA, alpha_factor(src_a));
    b.set(2, &RSW_BLEND::DST_ALPHA, alpha_factor(dst_a));
    blend_color(b, nv);
}

fn blend_color(b: &mut Builder<'_>, nv: &Nv) {
    b.copy(
        0,
        nv.blend_color,
        &[
            (&RSW_BLEND_COLOR_BG::B, &BLEND_COLOR::B),
            (&RSW_BLEND_COLOR_BG::G, &BLEND_COLOR::G),
        ],
    );
    b.copy(
        1,
        nv.blend_color,
        &[
            (&RSW_BLEND_COLOR_RA::R, &BLEND_COLOR::R),
            (&RSW_BLEND_COLOR_RA::A, &BLEND_COLOR::A),
        ],
    );
}

fn raster(b: &mut Builder<'_>, nv: &Nv) {
    b.copy(
        14,
        nv.raster,
        &[(&RSW_AUX1::FRONT_FACE_CCW, &RASTER::FRONT_FACE)],
    );
    if RASTER::POLYGON_OFFSET_FILL_ENABLE.is_set(b.chip, nv.raster) {
        let clamp = |v: f32| v.clamp(-128.0, 127.0) as i32 as u32;
        let factor = b.float(POLYGON_OFFSET_FACTOR, 0.0);
        let units = b.float(POLYGON_OFFSET_UNITS, 0.0);
        b.set(3, &RSW_DEPTH::OFFSET_FACTOR, clamp(factor * 4.0));
        b.set(3, &RSW_DEPTH::OFFSET_UNITS, clamp(units * 2.0));
    }
    let depth = |v: f32| (v / Z24 * 65535.0 + 0.5).clamp(0.0, 65535.0) as u32;
    let (near, far) = (
        b.float(DEPTH_RANGE_NEAR, 0.0),
        b.float(DEPTH_RANGE_FAR, Z24),
    );
    b.set(4, &RSW_DEPTH_RANGE::NEAR, depth(near));
    b.set(4, &RSW_DEPTH_RANGE::FAR, depth(far));
    b.set(8, &RSW_MULTISAMPLE::DRAW_MODE, RSW_DRAW_MODE::TRIANGLES);
}

fn multisample(b: &mut Builder<'_>) {
    let Some(word) = b.word(MULTISAMPLE) else {
        b.set(8, &RSW_MULTISAMPLE::SAMPLE_MASK, 0xf);
        return;
    };
    let on = MULTISAMPLE::MULTISAMPLE_ENABLE.is_set(b.chip, word);
    b.set(8, &RSW_MULTISAMPLE::MSAA, if on { 0xd } else { 0 });
    b.copy(
        8,
        word,
        &[
            (
                &RSW_MULTISAMPLE::ALPHA_TO_COVERAGE,
                &MULTISAMPLE::ALPHA_TO_COVERAGE,
            ),
            (&RSW_MULTISAMPLE::ALPHA_TO_ONE, &MULTISAMPLE::ALPHA_TO_ONE),
        ],
    );
    let mask = MULTISAMPLE::SAMPLE_COVERAGE.get(b.chip, word) & 0xf;
    b.set(8, &RSW_MULTISAMPLE::SAMPLE_MASK, mask);
}

/// Names what is set and has no place in a render state.
fn leftovers(b: &mut Builder<'_>, nv: &Nv) {
    let (chip, raster, config_a) = (b.chip, nv.raster, nv.config_a);
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
            b.notes.push(format!(
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
    for (bundle, value) in b.given {
        if !TRANSLATED.contains(bundle) && *value != 0 {
            b.notes.push(format!(
                "{} = {value:#010x} has no counterpart",
                bundle.name()
            ));
        }
    }
}
