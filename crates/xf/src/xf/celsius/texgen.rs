//! Texture sets: generation, embossing, then the matrix.

use super::super::mode::{CelsiusMode, TexGen, TexMode};
use super::full::Vectors;
use super::vector::{cross, dp3, dp4, inverse_length, mat3, mat4, row, scale, vadd, vmul};
use super::{Vab, Vec4};
use crate::xf::{LANES, State};
use isotherm_lanes::{Level, dispatch};
use isotherm_regs::Chip;

/// Texture set `i` before the 1/w factor.
#[expect(clippy::too_many_arguments)]
pub(super) fn texture(
    level: Level,
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &Vab,
    v: &Vectors,
    i: usize,
    set: &mut Vec4,
) {
    let mode = &mode.tex[i];
    let mut bump = None;
    *set = vab[3 + i];
    if i == 1 && mode.gen_[0] == TexGen::Emboss {
        emboss(level, state, vab, v, bump.insert([[0; LANES]; 4]), set);
    }
    for k in 0..4 {
        match (mode.gen_[k], &bump) {
            (TexGen::Sphere, Some(bump)) if k < 2 => set[k] = bump[k],
            (TexGen::Sphere, None) if k < 2 => set[k] = v.sphere[k],
            (TexGen::Normal, _) => set[k] = v.normal[k],
            (TexGen::Reflection, Some(_)) => set[k] = vab[3][3],
            (TexGen::Reflection, None) => set[k] = v.reflection[k],
            _ => {}
        }
    }
    linear(level, chip, state, mode, v, i, set);
}

dispatch! {
    /// Tangent frame of the normal and the second set; the light in it (`bump`) moves
    /// the first set by its own q.
    fn emboss(state: &State, vab: &Vab, v: &Vectors, bump: &mut Vec4, set: &mut Vec4)
        = emboss_lanes;
}

#[inline(always)]
fn emboss_lanes(state: &State, vab: &Vab, v: &Vectors, bump: &mut Vec4, set: &mut Vec4) {
    let ctx = &state.xfctx;
    let tangent = mat3(&vab[4], &ctx[4..8]);
    let n = cross(&v.normal, &tangent);
    let len = inverse_length(&n);
    let unit = scale(&n, &len);
    let other = scale(&cross(&n, &v.normal), &len);
    bump[0] = dp3(&vmul(&row(&ctx[0x1c]), &v.light0), &unit);
    bump[1] = dp3(&vmul(&row(&ctx[0x1d]), &v.light0), &other);
    *set = vadd(&vab[3], &scale(bump, &vab[3][3]));
}

dispatch! {
    /// What planes give, then the matrix.
    fn linear(
        chip: Chip,
        state: &State,
        mode: &TexMode,
        v: &Vectors,
        i: usize,
        set: &mut Vec4,
    ) = linear_lanes;
}

#[inline(always)]
fn linear_lanes(chip: Chip, state: &State, mode: &TexMode, v: &Vectors, i: usize, set: &mut Vec4) {
    let ctx = &state.xfctx;
    for k in 0..4 {
        let of = match mode.gen_[k] {
            TexGen::EyeLinear => &v.eye,
            TexGen::ObjectLinear => &v.pos,
            _ => continue,
        };
        set[k] = dp4(of, &row(&ctx[0x14 + 8 * i + k]));
    }
    if !mode.matrix {
        return;
    }
    let matrix = &ctx[0x18 + 8 * i..0x1c + 8 * i];
    let mut m = mat4(set, matrix);
    if chip == Chip::Nv10 {
        // NV10 has already overwritten s when it computes q.
        m[3] = dp4(&[m[0], set[1], set[2], set[3]], &row(&matrix[3]));
    }
    *set = m;
}
