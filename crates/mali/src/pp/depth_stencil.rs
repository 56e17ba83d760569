//! Per-pixel tests: depth, stencil, alpha.

// `max` then `min` takes NaN to the lower bound, as the unit does; `clamp` would pass it on.
#![allow(clippy::manual_clamp)]

use crate::pp::rsw::{ALWAYS, RenderState, Stencil};
use isotherm_lanes::dispatch;
use isotherm_lanes::half::{to_int, unit};
use isotherm_lanes::{LANES, Lane, Simd};

/// Largest depth.
const DEPTH_MAX: f32 = 16_777_215.0;
/// Pixels of a row of quads.
const ROW: usize = 32;

/// Depth as the tile keeps it.
#[inline(always)]
pub(crate) fn depth24(z: f32) -> u32 {
    // Clamped first: what is left of the range after clipping is rounding.
    to_int(unit(z) * DEPTH_MAX + 0.5) as u32
}

/// x of the lanes of half a row of quads.
const X: [Lane; 2] = [
    [
        0., 1., 0., 1., 2., 3., 2., 3., 4., 5., 4., 5., 6., 7., 6., 7.,
    ],
    [
        8., 9., 8., 9., 10., 11., 10., 11., 12., 13., 12., 13., 14., 15., 14., 15.,
    ],
];
/// y of the lanes of a row of quads.
const Y: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

/// A plane of depth: at the first pixel of a tile, per pixel across, per pixel down.
pub(crate) type Plane = [f32; 3];

/// Depth of half a row of quads, `base` that of the row's first pixel.
#[inline(always)]
pub(crate) fn depth_half<S: Simd>(base: f32, plane: &Plane, half: usize) -> S::I {
    let x = S::mul(S::splat(plane[1]), S::load(&X[half]));
    let y = S::mul(S::splat(plane[2]), S::repeat(Y));
    let z = S::add(S::add(S::splat(base), x), y);
    let z = S::mul(S::unit(z), S::splat(DEPTH_MAX));
    S::int(S::add(z, S::splat(0.5)))
}

/// The depths of a tile for one triangle, at the pixels' centres: what is the same in all rows is
/// made once. The operations are those of [`row_base`] and [`depth_half`], so that the bits are.
pub(crate) struct TileDepth<S: Simd> {
    base: S::F,
    across: S::F,
    down: S::F,
    /// From the first row of pixels of a row of quads to both.
    lower: S::F,
}

impl<S: Simd> TileDepth<S> {
    #[inline(always)]
    pub(crate) fn new([z, across, down]: &Plane) -> Self {
        TileDepth {
            base: S::splat(z + across * 0.0),
            across: S::splat(*across),
            down: S::splat(*down),
            lower: S::mul(S::splat(*down), S::repeat(Y)),
        }
    }

    /// What is the same in the left or right half of all rows.
    #[inline(always)]
    pub(crate) fn side(&self, half: usize) -> S::F {
        S::mul(self.across, S::load(&X[half % 2]))
    }

    /// Where a row of quads is, for [`TileDepth::depth`].
    #[inline(always)]
    pub(crate) fn row(row: usize) -> S::F {
        S::splat((row as i32 * 2) as f32)
    }

    /// The row behind one.
    #[inline(always)]
    pub(crate) fn next_row(row: S::F) -> S::F {
        S::add(row, S::splat(2.0))
    }

    /// The depths of one half of a row.
    #[inline(always)]
    pub(crate) fn depth(&self, side: S::F, row: S::F) -> S::I {
        let base = S::add(self.base, S::mul(self.down, row));
        let z = S::add(S::add(base, side), self.lower);
        let z = S::mul(S::unit(z), S::splat(DEPTH_MAX));
        S::int(S::add(z, S::splat(0.5)))
    }
}

/// Depth of the first pixel of a row of quads, seen from (`dx`, `dy`) 1/256 pixel off.
#[inline(always)]
pub(crate) fn row_base(plane: &Plane, row: usize, (dx, dy): (i32, i32)) -> f32 {
    plane[0] + plane[1] * (dx as f32 / 256.0) + plane[2] * ((row * 2) as f32 + dy as f32 / 256.0)
}

dispatch! {
    /// Depths of a row of quads.
    pub(crate) fn depth_row(plane: &Plane, row: usize, at: (i32, i32), out: &mut [u32; ROW]) = depth_row_any::<Lanes>;
}

#[inline(always)]
fn depth_row_any<S: Simd>(plane: &Plane, row: usize, at: (i32, i32), out: &mut [u32; ROW]) {
    let base = row_base(plane, row, at);
    let (halves, _) = out.as_chunks_mut::<LANES>();
    for (half, out) in halves.iter_mut().enumerate() {
        S::istore(depth_half::<S>(base, plane, half), out);
    }
}

/// A depth test without stencil, for a whole tile.
pub(crate) struct DepthTest {
    pub(crate) func: u32,
    pub(crate) write: bool,
    pub(crate) plane: Plane,
    /// Where the sample lies.
    pub(crate) at: (i32, i32),
}

impl DepthTest {
    /// Lanes of which depth `z` passes beside what was there.
    #[inline(always)]
    pub(crate) fn passes<S: Simd>(&self, z: S::I, old: S::I) -> u32 {
        // The bits of the function: less, equal, greater. Most need one comparison.
        match self.func {
            1 => S::bits(S::igt(old, z)),
            3 => !S::bits(S::igt(z, old)),
            func => {
                let (less, more) = (S::bits(S::igt(old, z)), S::bits(S::igt(z, old)));
                let when = |bit: u32| (func >> bit & 1).wrapping_neg();
                when(0) & less | when(1) & !(less | more) | when(2) & more
            }
        }
    }
}

dispatch! {
    /// Tests and writes the depth of a tile's rows of quads; what does not pass leaves `cover`.
    pub(crate) fn depth_tile(test: &DepthTest, depth: &mut [u32; 256], cover: &mut [u32; 8]) = depth_tile_any::<Lanes>;
}

#[inline(always)]
fn depth_tile_any<S: Simd>(test: &DepthTest, depth: &mut [u32; 256], cover: &mut [u32; 8]) {
    let (halves, _) = depth.as_chunks_mut::<LANES>();
    for (row, cover) in cover.iter_mut().enumerate() {
        if *cover == 0 {
            continue;
        }
        let base = row_base(&test.plane, row, test.at);
        let mut left = 0;
        for half in 0..2 {
            let here = *cover >> (half * LANES) & 0xFFFF;
            if here == 0 {
                continue;
            }
            let z = depth_half::<S>(base, &test.plane, half);
            let to = &mut halves[row * 2 + half];
            let old = S::iload(to);
            let pass = here & test.passes::<S>(z, old);
            if test.write {
                S::istore(S::iselect(S::mask(pass), z, old), to);
            }
            left |= pass << (half * LANES);
        }
        *cover = left;
    }
}

pub fn compare(func: u32, a: u32, b: u32) -> bool {
    match func {
        0 => false,
        1 => a < b,
        2 => a == b,
        3 => a <= b,
        4 => a > b,
        5 => a != b,
        6 => a >= b,
        _ => true,
    }
}

/// What an operation makes of a stencil value. Silicon (a Mali-450, see `tests/mali/stencil.rs`) counts with
/// the bits that it may write: it starts from the value under the write mask and ends at the
/// mask, `seen` is that mask. OpenGL counts with the whole value.
pub fn stencil_op(op: u32, old: u8, reference: u8, write: u8, seen: u8) -> u8 {
    let value = old & seen;
    let new = match op {
        0 => value,
        1 => reference,
        2 => 0,
        3 => !value,
        4 => value.wrapping_add(1),
        5 => value.wrapping_sub(1),
        6 if value == seen => value,
        6 => value + 1,
        _ => value.saturating_sub(1),
    };
    old & !write | new & write
}

/// Tests and updates depth and stencil of one sample. `replace` is the program's
/// stencil value where it writes one.
pub(crate) fn depth_stencil(
    rsw: &RenderState,
    stencil: &Stencil,
    z: u32,
    depth: &mut u32,
    value: &mut u8,
    replace: Option<u8>,
) -> bool {
    let reference = replace.unwrap_or(stencil.reference);
    let mask = stencil.mask;
    let write = stencil.write;
    let seen = if stencil.whole { 255 } else { write };
    let update = |op, value: &mut u8| *value = stencil_op(op, *value, reference, write, seen);
    if !compare(
        stencil.func,
        u32::from(reference & mask),
        u32::from(*value & mask),
    ) {
        update(stencil.fail, value);
        return false;
    }
    if !compare(rsw.depth_func, z, *depth) {
        update(stencil.zfail, value);
        return false;
    }
    update(stencil.zpass, value);
    if rsw.depth_write {
        *depth = z;
    }
    true
}

/// Depth and stencil as the program may have written them.
pub(crate) fn shader_depth_stencil(
    rsw: &RenderState,
    out: [f32; 4],
    plane: impl Fn() -> u32,
) -> (u32, Option<u8>) {
    if rsw.shader_depth_stencil {
        // Four bytes, see texel format 32h.
        let b = out.map(|x| x.max(0.0).min(255.0) as u32);
        let z = if rsw.shader_depth {
            b[0] | b[1] << 8 | b[2] << 16
        } else {
            plane()
        };
        return (z, rsw.shader_stencil.then_some(b[3] as u8));
    }
    let z = if rsw.shader_depth {
        depth24(out[0])
    } else {
        plane()
    };
    (z, None)
}

/// Alpha as the test sees it.
pub(crate) fn alpha_byte(alpha: f32) -> u32 {
    (alpha.max(0.0).min(1.0) * 255.0 + 0.5) as u32
}

/// Samples that the alpha tests leave.
pub(crate) fn alpha_cover(rsw: &RenderState, alpha: f32, planes: usize) -> u32 {
    let byte = alpha_byte(alpha);
    if rsw.alpha_func != ALWAYS && !compare(rsw.alpha_func, byte, u32::from(rsw.alpha_ref)) {
        return 0;
    }
    if rsw.alpha_to_coverage && planes > 1 {
        // As many samples as alpha has quarters (guess: which ones is not known).
        let count = (alpha.max(0.0).min(1.0) * 4.0 + 0.5) as u32;
        return (1 << count) - 1;
    }
    15
}
