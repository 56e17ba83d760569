//! Plain triangles: the vertices' colour goes to memory as it is, or blended with
//! its alpha, after a depth test at most.
//!
//! The same words as [`super::tile`]'s general path writes (a test below draws both
//! ways), for the part of drawing where no other unit has anything to do. A block's
//! colours travel as two pairs of channels per lane: blue and red, green and alpha,
//! 16 bits each. Neither a weighted sum of bytes nor a blended one ever needs more.

use super::State;
use super::num::D;
use super::tile::{Attrs, range};
use super::tri::{Place, Tri};
use crate::frag::{F, HEIGHT, I, LANES, WIDTH};
use crate::rop::blend::{Blend, Equation};
use crate::rop::prepare::Surfaces;
use crate::rop::surface::{Block, Color, Plane, Ram, Row, Words};
use crate::rop::{Func, Rop, Target, compare};
use crate::shader::Shade;

/// Two 8-bit channels per lane.
type Pair = [u32; LANES];

/// The bits of the two channels.
const PAIR: u32 = 0x00ff_00ff;
/// Half of the last bit that is kept, in both channels.
const HALF: u32 = 0x0080_0080;

/// How a draw's triangles reach the surfaces, if they are plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// Blend: source by its alpha, destination by the rest.
    over: bool,
    /// Bits whose value the format dictates, and that value.
    forced: (u32, u32),
    /// Compare function of the depth test, and whether depth is written.
    depth: Option<(Func, bool)>,
}

impl Plain {
    /// Is this a state whose triangles are plain?
    pub(crate) fn prepare(
        raster: &State,
        rop: &Rop,
        shade: &Shade,
        surfaces: &Surfaces,
    ) -> Option<Plain> {
        let words = |plane: &Plane| plane.bytes == 4 && plane.swizzle.is_none();
        let over = match rop.blend {
            None => false,
            Some(Blend {
                equation: Equation::Add,
                src: [4, 4],
                dst: [5, 5],
                ..
            }) => true,
            Some(_) => return None,
        };
        let simple = raster.stipple.is_none()
            && !raster.smooth[1]
            && raster.planes == 0
            && raster.clip.rects.is_empty()
            && !raster.w_buffer
            && surfaces.scale == (1, 1)
            && surfaces.color.as_ref().is_some_and(words)
            && matches!(rop.format, Color::A8R8G8B8 | Color::X8R8G8B8 { .. })
            && rop.bits == u32::MAX
            && rop.alpha.is_none()
            && rop.stencil == [None; 2]
            && rop.logic.is_none()
            && (rop.depth.is_none() || rop.zeta.z24 && surfaces.zeta.as_ref().is_some_and(words));
        (simple && shade.passes_primary()).then_some(Plain {
            over,
            forced: rop.forced,
            depth: rop.depth.map(|func| (func, rop.depth_write)),
        })
    }
}

/// A vertex's or a fragment's colour as blue and red, green and alpha.
#[inline(always)]
fn pairs([r, g, b, a]: [u8; 4]) -> [u32; 2] {
    let (r, g, b, a) = (u32::from(r), u32::from(g), u32::from(b), u32::from(a));
    [b | r << 16, g | a << 16]
}

/// Mixes a pair of the vertices' channels with weights of 256. Covered lanes have
/// no weight below 0, so neither channel's sum leaves its 16 bits.
#[inline(always)]
fn mix(w: &[I; 3], c: [u32; 3]) -> Pair {
    let (d0, d2) = (c[0].wrapping_sub(c[1]), c[2].wrapping_sub(c[1]));
    let base = (c[1] << 8) + HALF;
    let mut out = [0; LANES];
    for i in 0..LANES {
        let (w0, w2) = (w[0][i] as u32, w[2][i] as u32);
        let sum = base
            .wrapping_add(d0.wrapping_mul(w0))
            .wrapping_add(d2.wrapping_mul(w2));
        out[i] = sum >> 8 & PAIR;
    }
    out
}

/// Source by its alpha, destination by the rest, one rounding of the sum.
#[inline(always)]
fn over(s: &Pair, d: &Pair, alpha: &Pair) -> Pair {
    let mut out = [0; LANES];
    for i in 0..LANES {
        let sum = s[i]
            .wrapping_mul(alpha[i])
            .wrapping_add(d[i].wrapping_mul(255 - alpha[i]))
            .wrapping_add(HALF);
        out[i] = sum.wrapping_add(sum >> 8 & PAIR) >> 8 & PAIR;
    }
    out
}

/// Depth as float32.
#[inline(always)]
fn narrow(z: &D) -> F {
    let mut out = [0.0; LANES];
    for i in 0..LANES {
        out[i] = z[i] as f32;
    }
    out
}

/// The new words of the lanes in `mask`, the old ones elsewhere.
#[inline(always)]
fn choose(mask: u16, new: &Pair, old: &Pair) -> Pair {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = if mask & 1 << i != 0 { new[i] } else { old[i] };
    }
    out
}

/// A plain triangle on its tile.
pub(super) struct PlainTri<'a> {
    plain: &'a Plain,
    tri: &'a Tri,
    attrs: &'a Attrs,
    state: &'a State,
    rop: &'a Rop,
    /// The vertices' pairs.
    colors: [[u32; 3]; 2],
    /// Can sixteen pixels of a row be inside? Then what they add to the edge functions.
    wide: bool,
    steps: [D; 3],
}

/// The words of a block, if the surface has all of them.
#[inline(always)]
fn block(surface: &Option<(Plane, Ram)>, x: i32, y: i32) -> Option<Block> {
    let (plane, ram) = surface.as_ref()?;
    plane.block(*ram, x, y)
}

/// The words of `count` times sixteen pixels of a row, if the surface has all of them.
#[inline(always)]
fn row(surface: &Option<(Plane, Ram)>, x: i32, y: i32, count: usize) -> Option<Row> {
    let (plane, ram) = surface.as_ref()?;
    plane.row(*ram, x, y, count)
}

/// What became of a block.
pub(super) enum Drawn {
    /// So many pixels passed.
    Pixels(u32),
    /// Nothing was done: not all of the block's memory exists.
    Not,
}

impl<'a> PlainTri<'a> {
    /// `None` if this triangle, so many pixels wide here, needs more than the draw's
    /// plain state.
    #[inline(always)]
    pub(super) fn new(
        plain: &'a Plain,
        tri: &'a Tri,
        attrs: &'a Attrs,
        state: &'a State,
        rop: &'a Rop,
        width: i32,
    ) -> Option<PlainTri<'a>> {
        if tri.turned() || !(attrs.flat_depth || plain.depth.is_some()) {
            return None;
        }
        let mut colors = [[0; 3]; 2];
        for i in 0..3 {
            let pairs = pairs(attrs.color[0][i]);
            colors[0][i] = pairs[0];
            colors[1][i] = pairs[1];
        }
        let (wide, mut steps) = (width >= 2 * WIDTH, [[0.0; LANES]; 3]);
        if wide {
            tri.row_steps(&mut steps);
        }
        Some(PlainTri {
            wide,
            steps,
            plain,
            tri,
            attrs,
            state,
            rop,
            colors,
        })
    }

    /// Draws one block, whose lanes all may be drawn. `first` are the edge functions
    /// at its first pixel.
    #[inline(always)]
    pub(super) fn block(&self, target: &Target, x: i32, y: i32, first: &[f64; 3]) -> Drawn {
        let tri = self.tri;
        let place = tri.place(first, WIDTH, HEIGHT);
        if place == Place::Outside {
            return Drawn::Pixels(0);
        }
        let Some(pixels) = block(&target.color, x, y) else {
            return Drawn::Not;
        };
        let zetas = block(&target.zeta, x, y);
        if self.plain.depth.is_some() && zetas.is_none() {
            return Drawn::Not;
        }
        let inside = place == Place::Inside;
        let e = tri.lanes(first);
        let mask = if inside { 0xffff } else { tri.coverage(&e) };
        if mask == 0 {
            return Drawn::Pixels(0);
        }
        Drawn::Pixels(self.draw(&e, inside, mask, &pixels, zetas.as_ref()))
    }

    /// How many times sixteen pixels of this row and the next are inside, from the pixel
    /// whose edge functions are `first` on, before column `end`? `first` is moved there.
    #[inline(always)]
    pub(super) fn inside(&self, x: i32, end: i32, first: &mut [f64; 3]) -> usize {
        let mut count = 0;
        let mut next = x + 2 * WIDTH;
        while self.wide && next <= end && self.tri.place(first, 2 * WIDTH, HEIGHT) == Place::Inside
        {
            self.tri.next(first);
            self.tri.next(first);
            next += 2 * WIDTH;
            count += 1;
        }
        count
    }

    /// Draws all of a rectangle at once where that is possible.
    #[inline(always)]
    pub(super) fn rectangle(&self, target: &Target, [x0, y0, x1, y1]: [i32; 4]) -> Drawn {
        let (width, height) = (x1 - x0, y1 - y0);
        let first = self.tri.first(x0, y0);
        match self.tri.place(&first, width, height) {
            Place::Outside => Drawn::Pixels(0),
            Place::Inside if self.wide && width % (2 * WIDTH) == 0 => {
                let count = (width / (2 * WIDTH)) as usize;
                self.rows(target, (x0, y0), &first, count, height)
            }
            _ => Drawn::Not,
        }
    }

    /// Draws a rectangle that is all inside: `count` times sixteen pixels in so many rows.
    #[inline(always)]
    pub(super) fn rows(
        &self,
        target: &Target,
        (x, y): (i32, i32),
        first: &[f64; 3],
        count: usize,
        height: i32,
    ) -> Drawn {
        let depth = self.plain.depth.is_some();
        // All rows must exist before any of them is drawn: the last one lies behind the
        // others.
        let last = y + height - 1;
        if row(&target.color, x, last, count).is_none()
            || depth && row(&target.zeta, x, last, count).is_none()
        {
            return Drawn::Not;
        }
        let mut passed = 0;
        let mut first = *first;
        for y in y..y + height {
            let mut at = first;
            let mut zetas = row(&target.zeta, x, y, count).filter(|_| depth);
            let Some(mut pixels) = row(&target.color, x, y, count) else {
                break;
            };
            while let Some(pixels) = pixels.next() {
                let zetas = zetas.as_mut().and_then(Row::next);
                let e = self.tri.row(&at, &self.steps);
                passed += self.draw(&e, true, 0xffff, &pixels, zetas.as_ref());
                self.tri.next(&mut at);
                self.tri.next(&mut at);
            }
            first = self.tri.below(&first);
        }
        Drawn::Pixels(passed)
    }

    /// Draws the lanes in `mask`; `inside` says that those are all. Returns how many
    /// passed.
    #[inline(always)]
    fn draw<P: Words>(
        &self,
        e: &[D; 3],
        inside: bool,
        mut mask: u16,
        pixels: &P,
        zetas: Option<&P>,
    ) -> u32 {
        if let (Some((func, write)), Some(zetas)) = (self.plain.depth, zetas) {
            let z = self.depth(e);
            let z = if self.attrs.in_range {
                narrow(&z)
            } else {
                range(self.state, self.attrs.bias, &z, &mut mask)
            };
            let (new, old) = (self.rop.zeta.convert(&z), zetas.load());
            let (mut stored, mut words) = ([0; LANES], [0; LANES]);
            for i in 0..LANES {
                stored[i] = old[i] >> 8;
                words[i] = new[i] << 8 | old[i] & 0xff;
            }
            mask &= compare(func, &new, &stored);
            if mask == 0 {
                return 0;
            }
            if write {
                zetas.store(&choose(mask, &words, &old));
            }
        }
        let [mut br, mut ga] = self.shade(e, inside);
        let old = pixels.load();
        if self.plain.over {
            let (mut old_br, mut old_ga, mut alpha) = ([0; LANES], [0; LANES], [0; LANES]);
            for i in 0..LANES {
                old_br[i] = old[i] & PAIR;
                old_ga[i] = old[i] >> 8 & PAIR;
                alpha[i] = ga[i] >> 16;
            }
            br = over(&br, &old_br, &alpha);
            ga = over(&ga, &old_ga, &alpha);
        }
        let (forced, ones) = self.plain.forced;
        let mut words = [0; LANES];
        for i in 0..LANES {
            words[i] = (ga[i] << 8 | br[i]) & !forced | ones;
        }
        if mask != 0xffff {
            words = choose(mask, &words, &old);
        }
        pixels.store(&words);
        mask.count_ones()
    }

    #[inline(always)]
    fn depth(&self, e: &[D; 3]) -> D {
        let z = &self.attrs.z;
        if z[0] == z[1] && z[1] == z[2] {
            [z[0]; LANES]
        } else {
            self.tri.depth(e, z)
        }
    }

    #[inline(always)]
    fn shade(&self, e: &[D; 3], inside: bool) -> [Pair; 2] {
        let [br, ga] = self.colors;
        if self.attrs.constant[0] {
            return [[br[0]; LANES], [ga[0]; LANES]];
        }
        let w = if inside && self.tri.is_linear() {
            // SAFETY: all lanes are covered, and no vertex is behind the eye (`new`).
            unsafe { self.tri.inner_weights(e) }
        } else {
            self.tri.covered_weights(e)
        };
        [mix(&w, br), mix(&w, ga)]
    }
}

#[cfg(test)]
mod tests;
