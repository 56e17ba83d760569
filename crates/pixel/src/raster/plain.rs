//! Plain triangles: a colour goes to memory as it is, or blended with its alpha, after a
//! depth test at most. It is the vertices' own or what the pixel units make of a block.
//!
//! The same words as [`super::tile`]'s general path writes (a test below draws both
//! ways), for the part of drawing where no other unit has anything to do. A block's
//! colours travel as two pairs of channels per lane: blue and red, green and alpha,
//! 16 bits each. Neither a weighted sum of bytes nor a blended one ever needs more.

use super::State;
use super::attrs::Attrs;
use super::clip::intersect;
use super::form::{Blocks, Forms, Job, read, write};
use super::num::D;
use super::quads::{self, Four, Quads};
use super::shares::{SHARE, weights_of};
use super::short::Short;
use super::tile::{Draw, range};
use super::tri::{Place, Tri};
use crate::frag::{Frag, HEIGHT, Halves, I, LANES, WIDTH, halves, lanes};
use crate::level::Level;
use crate::rop::blend::{Blend, Equation};
use crate::rop::prepare::Surfaces;
use crate::rop::surface::{Block, Color, Plane, Ram, Row, Words};
use crate::rop::{Func, Rop, Target};
use crate::shader::program::{Fragments, input};
use crate::shader::{Form, Shade, Through};
use crate::tex::Texels;
use std::cell::Cell;

/// Two 8-bit channels per lane.
pub type Pair = [u32; LANES];

/// The bits of the two channels.
pub(super) const PAIR: u32 = 0x00ff_00ff;
/// Half of the last bit that is kept, in both channels.
pub(super) const HALF: u32 = 0x0080_0080;

/// Where the colour comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The vertices.
    Primary,
    /// A texture and the vertices.
    Form(Form),
    /// The pixel units, whatever they do.
    Shade,
    /// A fragment program.
    Program,
}

/// How a draw's triangles reach the surfaces, if they are plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    source: Source,
    /// Blend: source by its alpha, destination by the rest.
    pub(super) over: bool,
    /// Bits whose value the format dictates, and that value.
    pub(super) forced: (u32, u32),
    /// Compare function of the depth test, and whether depth is written.
    pub(super) depth: Option<(Func, bool)>,
}

impl Plain {
    /// Is this a state whose triangles are plain?
    pub fn prepare(
        raster: &State,
        rop: &Rop,
        shade: &Shade,
        program: Option<&Fragments>,
        surfaces: &Surfaces,
    ) -> Option<Plain> {
        let words = |plane: &Plane| plane.bytes == 4 && plane.swizzle.is_none();
        let over = match rop.blend {
            None => false,
            Some(Blend {
                equation: [Equation::Add, Equation::Add],
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
        let (source, kills_or_moves) = match program {
            // Four quads are not always a block: they have no place in the window.
            Some(program) if program.inputs()[input::POSITION] != 0 => return None,
            Some(program) => (Source::Program, program.kills_or_moves()),
            None if shade.passes_through() == Some(Through::Diffuse) => {
                (Source::Primary, shade.kills_or_moves())
            }
            None => (
                shade.form().map_or(Source::Shade, Source::Form),
                shade.kills_or_moves(),
            ),
        };
        (simple && !kills_or_moves).then_some(Plain {
            source,
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

/// The same number in both channels.
#[inline(always)]
fn both(x: &Pair) -> Halves {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = x[i] | x[i] << 16;
    }
    halves(out)
}

/// What one vertex's channels have more than another's.
#[inline(always)]
fn more(a: u32, b: u32) -> Halves {
    let low = a.wrapping_sub(b) & 0xffff;
    let high = (a >> 16).wrapping_sub(b >> 16) << 16;
    halves([low | high; LANES])
}

/// Mixes a pair of the vertices' channels with weights of 256. Covered lanes have
/// no weight below 0, so neither channel's sum leaves its 16 bits.
#[inline(always)]
fn mix(w: &[I; 3], c: [u32; 3]) -> Pair {
    let (mut w0, mut w2) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        w0[i] = w[0][i] as u32;
        w2[i] = w[2][i] as u32;
    }
    let (w0, w2) = (both(&w0), both(&w2));
    let (d0, d2) = (more(c[0], c[1]), more(c[2], c[1]));
    let base = halves([(c[1] << 8) + HALF; LANES]);
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        let sum = base[i]
            .wrapping_add(d0[i].wrapping_mul(w0[i]))
            .wrapping_add(d2[i].wrapping_mul(w2[i]));
        out[i] = sum >> 8;
    }
    lanes(out)
}

/// Source by its alpha, destination by the rest, one rounding of the sum.
#[inline(always)]
fn over(s: &Pair, d: &Pair, alpha: &Pair) -> Pair {
    let (s, d, alpha) = (halves(*s), halves(*d), both(alpha));
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        let sum = s[i]
            .wrapping_mul(alpha[i])
            .wrapping_add(d[i].wrapping_mul(255u16.wrapping_sub(alpha[i])))
            .wrapping_add(0x80);
        out[i] = sum.wrapping_add(sum >> 8) >> 8;
    }
    lanes(out)
}

/// Sixteen pixels to shade: where they are and their words.
///
/// Moving the words is the caller's work. Where the same function moves pairs of pixels and
/// computes with them, the compiler takes everything apart.
#[repr(C, align(64))]
pub(super) struct Sixteen {
    color: [u32; LANES],
    zeta: [u32; LANES],
    quads: Four,
    /// First pixel of the tile.
    origin: [i32; 2],
}

/// [`PlainTri::shaded`], compiled for one instruction set. It is a function of its own: as
/// a part of the worker its values would not stay in registers.
pub(super) type Shaded = fn(&PlainTri<'_>, &mut Sixteen, &mut Frag) -> u16;

/// What is compiled by itself for each instruction set.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) shaded: Shaded,
    pub(super) forms: Forms,
}

/// Room that all triangles of a tile use.
pub(super) struct Room {
    quads: Quads,
    blocks: Blocks,
}

thread_local! {
    /// A thread's room between two tiles: making it anew takes as long as some triangles.
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

impl Room {
    /// This thread's.
    pub(super) fn take() -> Box<Room> {
        ROOM.take().unwrap_or_else(|| {
            Box::new(Room {
                quads: Quads::new(),
                blocks: Blocks::new(),
            })
        })
    }

    /// For its next tile.
    pub(super) fn give_back(self: Box<Room>) {
        ROOM.set(Some(self));
    }
}

/// A plain triangle on its tile. Arrays first, where vectors of them are aligned.
#[repr(C, align(64))]
pub struct PlainTri<'a> {
    /// Can sixteen pixels of a row be inside?
    wide: bool,
    code: Code,
    pub(super) plain: &'a Plain,
    tri: &'a Tri,
    pub(super) attrs: &'a Attrs,
    pub(super) draw: &'a Draw,
    /// The vertices' pairs.
    pub(super) colors: [[u32; 3]; 2],
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
        draw: &'a Draw,
        width: i32,
        code: Code,
    ) -> Option<PlainTri<'a>> {
        if tri.extreme() || !(attrs.flat_depth || plain.depth.is_some()) {
            return None;
        }
        let mut colors = [[0; 3]; 2];
        for i in 0..3 {
            let pairs = pairs(attrs.color[0][i]);
            colors[0][i] = pairs[0];
            colors[1][i] = pairs[1];
        }
        // The pixel units want blocks of whole 2x2 quads.
        let wide = width >= 2 * WIDTH && plain.source == Source::Primary;
        Some(PlainTri {
            code,
            wide,
            plain,
            tri,
            attrs,
            draw,
            colors,
        })
    }

    /// Do the pixel units take part?
    #[inline(always)]
    pub(super) fn shades(&self) -> bool {
        self.plain.source != Source::Primary
    }

    /// Draws all of a triangle in the blocks of `r` that the pixel units shade, if these
    /// are whole blocks that may be drawn and exist in memory.
    #[inline(always)]
    pub(super) fn by_quads<L: Level>(
        &self,
        target: &Target,
        r: [i32; 4],
        limits: [i32; 4],
        origin: [i32; 2],
        room: &mut Room,
        frag: &mut Frag,
    ) -> Drawn {
        let r = [
            r[0] & !(WIDTH - 1),
            r[1] & !(HEIGHT - 1),
            (r[2] + WIDTH - 1) & !(WIDTH - 1),
            (r[3] + HEIGHT - 1) & !(HEIGHT - 1),
        ];
        if !self.shades() || intersect(r, limits) != r {
            return Drawn::Not;
        }
        let area = |surface: &Option<(Plane, Ram)>| {
            let (plane, ram) = surface.as_ref()?;
            plane.area(*ram, r, origin)
        };
        let Some(color) = area(&target.color) else {
            return Drawn::Not;
        };
        let zeta = area(&target.zeta).filter(|_| self.plain.depth.is_some());
        if self.plain.depth.is_some() && zeta.is_none() {
            return Drawn::Not;
        }
        let Room { quads, blocks } = room;
        let Some(whole) = quads.cover::<L>(self.tri, r, origin) else {
            return Drawn::Not;
        };
        if quads.all_fours().is_empty() {
            return Drawn::Pixels(0);
        }
        if let Source::Form(form) = &self.plain.source
            && let Some(short) = &Short::new(self.tri, &whole, self.attrs, form.stage % 4)
        {
            let job = Job {
                form,
                short,
                depth: self.tri.calm_depth(&self.attrs.z),
                quads,
                color,
                zeta,
            };
            return Drawn::Pixels((self.code.forms)(self, &job, blocks, frag));
        }
        self.attrs.start(self.draw, frag);
        let write_zeta = self.plain.depth.is_some_and(|(_, write)| write);
        let mut block = Sixteen {
            quads: Four::default(),
            origin,
            color: [0; LANES],
            zeta: [0; LANES],
        };
        let mut passed = 0;
        for four in quads.all_fours() {
            let joined = quads::joined(four);
            block.quads = *four;
            // SAFETY: `cover` lists quads of the blocks in `r`, which the areas are.
            unsafe {
                block.color = read::<L>(&color, four, joined);
                if let Some(zeta) = &zeta {
                    block.zeta = read::<L>(zeta, four, joined);
                }
            }
            let mask = (self.code.shaded)(self, &mut block, frag);
            if mask == 0 {
                continue;
            }
            passed += mask.count_ones();
            // SAFETY: as above.
            unsafe {
                write::<L>(&color, four, joined, &block.color, mask);
                if let Some(zeta) = &zeta
                    && write_zeta
                {
                    write::<L>(zeta, four, joined, &block.zeta, mask);
                }
            }
        }
        Drawn::Pixels(passed)
    }

    /// Draws sixteen pixels that the pixel units shade, for one level of vector
    /// instructions. Returns which passed.
    #[inline(always)]
    pub(super) fn shaded<L: Level>(&self, block: &mut Sixteen, frag: &mut Frag) -> u16 {
        let mut mask = quads::mask::<L>(&block.quads);
        let e = self
            .tri
            .lanes_at::<L>(&quads::centres(&block.quads, block.origin));
        let inside = mask == 0xffff;
        if let Some(depth) = self.plain.depth {
            let zeta = self.test::<L>(depth, &self.depth(&e), &mut mask, &block.zeta);
            if mask == 0 {
                return 0;
            }
            block.zeta = zeta;
        }
        frag.mask = mask;
        let color = self.shade(&e, inside, frag);
        block.color = self.mixed::<L>(color, mask, &block.color);
        mask
    }

    /// Draws one block, whose lanes all may be drawn. `first` are the edge functions
    /// at its first pixel.
    #[inline(always)]
    pub(super) fn block<L: Level>(
        &self,
        target: &Target,
        (x, y): (i32, i32),
        first: &[f64; 3],
        frag: &mut Frag,
    ) -> Drawn {
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
        Drawn::Pixels(self.draw::<L, _>(&e, inside, mask, &pixels, zetas.as_ref(), frag))
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
    pub(super) fn rectangle<L: Level>(
        &self,
        target: &Target,
        [x0, y0, x1, y1]: [i32; 4],
        frag: &mut Frag,
    ) -> Drawn {
        let (width, height) = (x1 - x0, y1 - y0);
        let first = self.tri.first(x0, y0);
        match self.tri.place(&first, width, height) {
            Place::Outside => Drawn::Pixels(0),
            Place::Inside if self.wide && width % (2 * WIDTH) == 0 => {
                let count = (width / (2 * WIDTH)) as usize;
                self.rows::<L>(target, (x0, y0), &first, count, height, frag)
            }
            _ => Drawn::Not,
        }
    }

    /// Draws a rectangle that is all inside: `count` times sixteen pixels in so many rows.
    #[inline(always)]
    pub(super) fn rows<L: Level>(
        &self,
        target: &Target,
        (x, y): (i32, i32),
        first: &[f64; 3],
        count: usize,
        height: i32,
        frag: &mut Frag,
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
        let mut steps = [[0.0; LANES]; 3];
        self.tri.row_steps(&mut steps);
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
                let e = self.tri.row(&at, &steps);
                passed += self.draw::<L, _>(&e, true, 0xffff, &pixels, zetas.as_ref(), frag);
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
    fn draw<L: Level, P: Words>(
        &self,
        e: &[D; 3],
        inside: bool,
        mut mask: u16,
        pixels: &P,
        zetas: Option<&P>,
        frag: &mut Frag,
    ) -> u32 {
        if let (Some(depth), Some(zetas)) = (self.plain.depth, zetas) {
            let new = self.test::<L>(depth, &self.depth(e), &mut mask, &zetas.load());
            if mask == 0 {
                return 0;
            }
            if depth.1 {
                zetas.store(&new);
            }
        }
        let color = if self.plain.source == Source::Primary {
            self.primary::<L>(e, inside)
        } else {
            frag.mask = mask;
            self.shade(e, inside, frag)
        };
        pixels.store(&self.mixed::<L>(color, mask, &pixels.load()));
        mask.count_ones()
    }

    /// The depth test: takes lanes out of the mask and returns the new words.
    #[inline(always)]
    pub(super) fn test<L: Level>(
        &self,
        (func, _): (Func, bool),
        z: &D,
        mask: &mut u16,
        old: &Pair,
    ) -> Pair {
        let zeta = self.draw.rop.zeta;
        let new = if self.attrs.in_range {
            zeta.convert_wide(z)
        } else {
            zeta.convert(&range(&self.draw.raster, self.attrs.bias, z, mask))
        };
        let (mut stored, mut words) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            stored[i] = old[i] >> 8;
            words[i] = new[i] << 8 | old[i] & 0xff;
        }
        *mask &= L::compare(func, &new, &stored);
        L::choose(*mask, &words, old)
    }

    /// Colours as words over the old ones.
    #[inline(always)]
    fn mixed<L: Level>(&self, [mut br, mut ga]: [Pair; 2], mask: u16, old: &Pair) -> Pair {
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
            words = L::choose(mask, &words, old);
        }
        words
    }

    #[inline(always)]
    pub(super) fn depth(&self, e: &[D; 3]) -> D {
        let z = &self.attrs.z;
        if z[0] == z[1] && z[1] == z[2] {
            [z[0]; LANES]
        } else {
            self.tri.depth(e, z)
        }
    }

    #[inline(always)]
    fn primary<L: Level>(&self, e: &[D; 3], inside: bool) -> [Pair; 2] {
        let [br, ga] = self.colors;
        if self.attrs.constant[0] {
            return [[br[0]; LANES], [ga[0]; LANES]];
        }
        let shares = match self.tri.linear_reciprocal() {
            Some(r) => L::linear_shares(e, r * SHARE),
            None => self.attrs.parts(self.tri, e, inside).shares(),
        };
        let w = weights_of(&shares);
        [mix(&w, br), mix(&w, ga)]
    }

    /// What the pixel units make of a block.
    #[inline(always)]
    fn shade(&self, e: &[D; 3], inside: bool, frag: &mut Frag) -> [Pair; 2] {
        if let Source::Form(form) = &self.plain.source {
            return self.form(form, e, inside, frag);
        }
        let [r, g, b, a] = match (&self.draw.program, &self.attrs.inputs) {
            (Some(program), Some(inputs)) => {
                if inputs.vary() {
                    let parts = self.attrs.parts(self.tri, e, inside);
                    inputs.fill_triangle(&parts.coordinate_shares(), frag);
                }
                program.run(frag)
            }
            _ => {
                self.attrs.fill(self.tri, e, inside, self.draw, frag);
                self.draw.shade.run(frag)
            }
        };
        let (mut br, mut ga) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            br[i] = b[i] as u32 | (r[i] as u32) << 16;
            ga[i] = g[i] as u32 | (a[i] as u32) << 16;
        }
        [br, ga]
    }

    /// A texture and the vertices' colour.
    #[inline(always)]
    fn form(&self, form: &Form, e: &[D; 3], inside: bool, frag: &mut Frag) -> [Pair; 2] {
        let parts = self.attrs.parts(self.tri, e, inside);
        let set = form.stage % 4;
        if self.attrs.varying(set) != 0 {
            let shares = parts.coordinate_shares();
            self.attrs.fill_set(set, &shares, &mut frag.tex[set]);
        }
        let texels = self.draw.shade.texels(form.stage, frag);
        self.formed(form, &texels, &parts.shares())
    }

    /// The words of a form's pixels from their texels, the shares of vertices 0 and 2, and
    /// the old words.
    #[inline(always)]
    pub fn finish<L: Level>(
        &self,
        form: &Form,
        texels: &Texels,
        shares: &[I; 2],
        mask: u16,
        old: &Pair,
    ) -> Pair {
        self.mixed::<L>(self.formed(form, texels, shares), mask, old)
    }

    /// Their colours.
    #[inline(always)]
    fn formed(&self, form: &Form, texels: &Texels, shares: &[I; 2]) -> [Pair; 2] {
        let (mut br, mut ga) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            br[i] = texels[i] & PAIR;
            ga[i] = texels[i] >> 8 & PAIR;
        }
        if !form.reads_primary() {
            return [br, ga];
        }
        let primary = if self.attrs.constant[0] {
            [[self.colors[0][0]; LANES], [self.colors[1][0]; LANES]]
        } else {
            let w = weights_of(shares);
            [mix(&w, self.colors[0]), mix(&w, self.colors[1])]
        };
        [
            form.pair(0, &br, &primary[0]),
            form.pair(1, &ga, &primary[1]),
        ]
    }
}

#[cfg(test)]
mod tests;
