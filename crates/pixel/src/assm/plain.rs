//! Triangles as most draws have them: filled, without an offset, nothing but the centres of
//! pixels counts, and their corners are neither behind the eye nor far away nor finer than
//! 1/16 pixel. Such a corner is two whole numbers, and a triangle a few vectors. What is any
//! different goes the general way ([`Out::listed`]), on processors other than x86-64 all.

use super::Out;
use crate::raster::{Prim, PrimKind};
use isotherm_bus::verts::VtxHead;
use isotherm_lanes::dispatch;
use std::arch::x86_64::*;

/// What a draw's triangles have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// Front, back faces are dropped.
    cull: [bool; 2],
    front_clockwise: bool,
    provoking_first: bool,
    /// The unit of depths, and what is in range, where what lies out of it is dropped.
    range: Option<(f32, [f32; 2])>,
}

/// What becomes of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Drawn {
        front: bool,
        bounds: [i32; 4],
    },
    Dropped,
    /// The general way knows.
    Open,
}

impl Plain {
    /// Those of a draw, if it is one.
    pub(super) fn of(out: &Out<'_>) -> Option<Plain> {
        let (settings, state) = (out.settings, out.state);
        let [front, back] = settings.polygon_mode;
        let filled = !matches!(front, 1 | 2) && !matches!(back, 1 | 2);
        let centres = !out.multisample && !state.smooth[1];
        let scale = state.depth_scale as f32;
        let plain = Plain {
            cull: settings.cull,
            front_clockwise: settings.front_clockwise,
            provoking_first: settings.provoking_first,
            range: settings
                .cull_near_far
                .then_some((scale, [state.near, state.far])),
        };
        (filled && centres && !state.offset[2]).then_some(plain)
    }

    /// May a triangle with this vertex be out of the range of depths?
    #[inline(always)]
    fn may_be_out_of_range(&self, v: &VtxHead) -> bool {
        let Some((scale, [near, far])) = self.range else {
            return false;
        };
        let z = f32::from_bits(v.pos[2]) * scale;
        !((near <= z) & (z <= far))
    }

    /// What becomes of a triangle.
    #[inline(always)]
    fn fate(&self, [a, b, c]: [&VtxHead; 3]) -> Fate {
        /// Corners nearer than this many 1/16 pixels have an exact area.
        const NEAR: i32 = 1 << 25;
        if a.is_placed() | b.is_placed() | c.is_placed() || self.may_be_out_of_range(a) {
            return Fate::Open;
        }
        // SAFETY: 16 bytes are read of each position, and every x86-64 has the instructions.
        // Their vectors are x, y, z and w; z of whole numbers is not looked at.
        unsafe {
            let load = |v: &VtxHead| _mm_loadu_ps(v.pos.as_ptr().cast());
            let (a, b, c) = (load(a), load(b), load(c));
            // Cut toward zero. What is no number becomes the least whole one.
            let whole = |v: __m128| _mm_cvttps_epi32(_mm_mul_ps(v, _mm_set1_ps(16.0)));
            let (p, q, r) = (whole(a), whole(b), whole(c));
            let moved = |v: __m128i| _mm_add_epi32(v, _mm_set1_epi32(NEAR));
            let moved = _mm_or_si128(_mm_or_si128(moved(p), moved(q)), moved(r));
            let near = _mm_cmpeq_epi32(
                _mm_and_si128(moved, _mm_set1_epi32(!(2 * NEAR - 1))),
                _mm_setzero_si128(),
            );
            let near = _mm_movemask_ps(_mm_castsi128_ps(near)) & 3 == 3;
            let behind = _mm_movemask_ps(_mm_or_ps(_mm_or_ps(a, b), c)) & 8 != 0;
            if !near | behind {
                return Fate::Open;
            }
            let (u, v) = (_mm_sub_epi32(q, p), _mm_sub_epi32(r, p));
            let (u, v) = (_mm_cvtepi32_pd(u), _mm_cvtepi32_pd(v));
            let products = _mm_mul_pd(u, _mm_shuffle_pd(v, v, 1));
            let (plus, minus) = (
                _mm_cvtsd_f64(products),
                _mm_cvtsd_f64(_mm_unpackhi_pd(products, products)),
            );
            let front = (plus > minus) == self.front_clockwise;
            if plus == minus || self.cull[usize::from(!front)] {
                return Fate::Dropped;
            }
            // A centre is at 8 of a pixel's 16 units.
            let low = whole(_mm_min_ps(_mm_min_ps(a, b), c));
            let high = whole(_mm_max_ps(_mm_max_ps(a, b), c));
            let low = _mm_srai_epi32(_mm_add_epi32(low, _mm_set1_epi32(7)), 4);
            let high = _mm_srai_epi32(_mm_add_epi32(high, _mm_set1_epi32(8)), 4);
            let some = _mm_castsi128_ps(_mm_cmpgt_epi32(high, low));
            if _mm_movemask_ps(some) & 3 != 3 {
                return Fate::Dropped;
            }
            let mut bounds = [0; 4];
            let both = _mm_unpacklo_epi64(low, high);
            _mm_storeu_si128(bounds.as_mut_ptr().cast(), both);
            Fate::Drawn { front, bounds }
        }
    }
}

dispatch! {
    /// Triangles of a list by their vertices' numbers.
    pub(super) fn triangles(plain: &Plain, list: &[[u32; 3]], out: &mut Out<'_>) = triangles_any;
}

#[inline(always)]
fn triangles_any(plain: &Plain, list: &[[u32; 3]], out: &mut Out<'_>) {
    let (plain, heads, draw) = (*plain, out.verts, out.draw);
    out.prims.reserve(list.len());
    for &v in list {
        let [i, j, k] = v;
        let corners = [&heads[i as usize], &heads[j as usize], &heads[k as usize]];
        match plain.fate(corners) {
            Fate::Drawn { front, bounds } => out.prims.push(Prim {
                kind: PrimKind::Triangle,
                front,
                offset: 0.0,
                draw,
                phase: 0,
                v,
                provoking: if plain.provoking_first { i } else { k },
                bounds,
            }),
            Fate::Dropped => {}
            Fate::Open => out.listed(v),
        }
    }
}

#[cfg(test)]
mod tests;
