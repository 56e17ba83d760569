//! Texture coordinates: generation, then the matrix.

use super::super::arith::{self, ONE, neg, rows};
use super::super::lanes::{attr, per_lane};
use super::super::mode::TexGen;
use super::super::{LANES, VtxIn, VtxOut};
use super::transform::{dot, row4, scale3, sub3};
use super::{Batch, Fixed, RULES, Vec3};
use isotherm_lanes::dispatch;

const TWO: u32 = 0x4000_0000;
const HALF: u32 = 0x3f00_0000;

/// The attribute of a texture set: 9 and up, and after the last of them 8.
#[inline(always)]
pub(super) fn tex_attr(set: usize) -> usize {
    if 9 + set < 16 { 9 + set } else { 8 }
}

dispatch! {
    /// Reflection vector and sphere map coordinates.
    pub(super) fn reflect(batch: &mut Batch) = reflect_lanes;
}

#[inline(always)]
fn reflect_lanes(batch: &mut Batch) {
    let (n, e) = (&batch.normal, &batch.to_eye);
    let twice = scale3(n, &[TWO; LANES]);
    let p = scale3(n, &dot(e, &twice));
    let r = sub3(&p, e);
    // The sphere map adds (0, 0, 1) before the eye vector is taken off.
    let z = arith::add(RULES, &p[2], &[ONE; LANES]);
    let m = [r[0], r[1], arith::add(RULES, &z, &neg(e[2]))];
    let inverse_length = arith::rsq(RULES, &dot(&m, &m));
    let s: Vec3 = scale3(&scale3(&m, &[HALF; LANES]), &inverse_length);
    batch.reflection = r;
    batch.sphere = rows!(3, |i| arith::add(RULES, &s[i], &[HALF; LANES]));
}

dispatch! {
    /// Texture set `i`.
    pub(super) fn texture(
        fixed: &Fixed,
        i: usize,
        vertices: &[VtxIn; LANES],
        batch: &Batch,
        out: &mut [VtxOut],
    ) = texture_lanes;
}

#[inline(always)]
fn texture_lanes(
    fixed: &Fixed,
    i: usize,
    vertices: &[VtxIn; LANES],
    batch: &Batch,
    out: &mut [VtxOut],
) {
    let mode = &fixed.mode.tex[i];
    let first = fixed.mode.map.tex(i);
    let planes = &fixed.state.xfctx[first..first + 4];
    let mut c = attr(vertices, tex_attr(i));
    for k in 0..4 {
        let linear = match mode.gen_[k] {
            TexGen::EyeLinear => &batch.eye,
            TexGen::ObjectLinear => &batch.position,
            other => {
                match other {
                    TexGen::Sphere if k < 2 => c[k] = batch.sphere[k],
                    // A guess: the sphere map takes the place of x and y alone, z is still
                    // the reflection's. No method asks for it: the front end refuses it for r.
                    TexGen::Sphere if k == 2 => c[k] = batch.reflection[k],
                    TexGen::Normal if k < 3 => c[k] = batch.normal[k],
                    TexGen::Reflection if k < 3 => c[k] = batch.reflection[k],
                    _ => {}
                }
                continue;
            }
        };
        c[k] = row4(linear, &planes[k]);
    }
    if let Some(matrix) = &fixed.tex[i] {
        c = matrix.times(RULES, &c);
    }
    for (o, set) in out.iter_mut().zip(per_lane(&c)) {
        o.tex[i] = set;
    }
}
