//! Primitives: assembly, culling, clipping and the setup of edges and planes.
//!
//! Positions come from the vertex program already divided: window x, y, z and
//! 1/w. Coordinates are rounded to 1/256 pixel; a pixel is covered when its
//! centre is inside or on a top or left edge (guess: neither the subpixel grid
//! nor the tie-break that frame registers 18 and 19 select has been measured).

use crate::lists::Draw;
use crate::pp::primitives::{AttrPlane, Edge, Primitives, Room, Triangle};
use crate::pp::rsw::RenderState;
use crate::threads;
use isotherm_bus::memory::Memory;
use isotherm_bus::threads::Threads;
use isotherm_regs::mali::isa_bits::half_to_f32;
use std::ops::Range;

/// Subpixel positions per pixel.
const SUB: f32 = 256.0;
/// Beyond this many pixels a triangle is clipped before its setup.
const GUARD: f32 = 8192.0;
/// Triangles below this, in 1/256 pixel and a power of two, are small ones.
const SMALL: i64 = 64 * 256;
/// The smallest w that survives clipping.
const MIN_W: f32 = 1.0 / 65536.0;

/// A component that a fragment program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attr {
    /// Varying slot and component.
    Varying(u8, u8),
    /// Point coordinate.
    Point(u8),
}

/// A vertex on its way through clipping.
#[derive(Clone, Copy, Debug)]
struct ClipVertex {
    /// Window x, y, z and 1/w.
    p: [f32; 4],
    /// Shares of the primitive's own vertices.
    share: [f32; 3],
    point: [f32; 2],
}

/// What triangles of a draw are made from.
pub(crate) struct DrawSource<'a> {
    pub(crate) mem: &'a Memory,
    pub(crate) draw: &'a Draw,
    /// The draw's place in the job.
    pub(crate) number: u32,
    pub(crate) rsw: &'a RenderState,
    pub(crate) attrs: &'a [Attr],
    pub(crate) flip_sprites: bool,
}

/// Primitives that one thread sets up at a time.
const BLOCK: usize = 512;
/// Triangles that such a block may have more than its primitives, for those that are clipped.
const SPARE: usize = 128;
/// Bytes of triangles up to which threads have rooms of their own, full or not; behind them one
/// thread sets up the rest of a job, without gaps.
const WIDE: usize = 128 << 20;
/// Triangles that a clipped one becomes at most: each of five planes adds a corner.
const CLIPPED: usize = 6;

/// Makes the triangles of a draw. At most `room` triangles; whether that was enough.
pub(crate) fn setup_draw(
    threads: &Threads,
    source: &DrawSource,
    out: &mut Primitives,
    room: usize,
) -> bool {
    let n = source.draw.elements.len();
    // Primitives, and triangles of one that is not clipped.
    let (count, each) = match source.draw.mode {
        0 => (n, 2),
        1 => (n / 2, 2),
        2 if n > 2 => (n, 2),
        2 | 3 => (n.saturating_sub(1), 2),
        4 => (n / 3, 1),
        5 | 6 | 9 => (n.saturating_sub(2), 1),
        7 => (n / 4, 2),
        8 => (n.saturating_sub(2) / 2, 2),
        0xF if n >= 3 => (1, 2),
        _ => (0, 0),
    };
    if count > room.saturating_sub(out.len()) {
        return false;
    }
    let blocks = count.div_ceil(BLOCK);
    let on_threads = blocks > 1 && threads.is_parallel();
    if on_threads && all_blocks(threads, source, out, count, BLOCK * each + SPARE) {
        return out.len() <= room;
    }
    (0..blocks).all(|n| {
        one_block(source, out, block(n, count), each);
        out.len() <= room
    })
}

/// The primitives of a block.
fn block(n: usize, count: usize) -> Range<usize> {
    n * BLOCK..count.min((n + 1) * BLOCK)
}

/// Makes the triangles of all blocks of a draw on all threads, at most so many of each block;
/// whether that was enough, or else nothing is made.
fn all_blocks(
    threads: &Threads,
    source: &DrawSource,
    out: &mut Primitives,
    count: usize,
    most: usize,
) -> bool {
    let (blocks, planes) = (count.div_ceil(BLOCK), source.attrs.len());
    if out.bytes_with(blocks * most, planes) > WIDE {
        return false;
    }
    let mut rooms = out.rooms(blocks, most, planes);
    threads::each(threads, &mut rooms, |n, room| {
        Setup::new(source, room).primitives(block(n, count));
    });
    let made: Vec<_> = rooms.iter().map(Room::made).collect();
    let fits = made.iter().all(|made| !made.full);
    if fits {
        out.take(made.into_iter());
    }
    fits
}

/// Makes the triangles of some primitives.
fn one_block(source: &DrawSource, out: &mut Primitives, block: Range<usize>, each: usize) {
    let mut most = block.len() * each + SPARE;
    loop {
        let mut rooms = out.rooms(1, most, source.attrs.len());
        for room in &mut rooms {
            Setup::new(source, room).primitives(block.clone());
        }
        let made: Vec<_> = rooms.iter().map(Room::made).collect();
        if made.iter().all(|made| !made.full) {
            return out.take(made.into_iter());
        }
        most *= CLIPPED;
    }
}

/// Where a component of a varying lies in a vertex's record.
#[derive(Clone, Copy)]
struct VaryingPlace {
    offset: u32,
    kind: u8,
    comp: u8,
}

impl VaryingPlace {
    /// Whether the component is a word of the record as it lies there.
    fn is_word(&self) -> bool {
        matches!((self.kind, self.comp), (0, _) | (1, 0..=1))
    }
}

/// A draw on its way to triangles.
struct Setup<'a, 'b> {
    mem: &'a Memory,
    draw: &'a Draw,
    number: u32,
    rsw: &'a RenderState,
    attrs: &'a [Attr],
    places: Vec<VaryingPlace>,
    flip_sprites: bool,
    /// Depths of the draw, from the nearest to the farthest.
    range: (f32, f32),
    /// No attribute is a point's coordinate.
    varyings_alone: bool,
    /// All attributes are words of a vertex's record as they lie there.
    words_alone: bool,
    out: &'b mut Room<'a>,
    /// The vertices that were loaded last, and where their values are among those that are kept.
    ids: Option<[u32; 3]>,
    places_of: [usize; 3],
    /// Vertices whose values are kept, by the low bits of their number: neighbours share them.
    known: [Option<u32>; KNOWN],
    /// Their values, all attributes of one after the other; behind them those of corners that
    /// share their place with another one.
    kept: Vec<f32>,
    /// Bytes of a vertex's record that may be read.
    record: usize,
}

/// Vertices that a setup keeps.
const KNOWN: usize = 64;

/// A corner in 1/256 pixel.
type Corner = (i64, i64);

impl<'a, 'b> Setup<'a, 'b> {
    fn new(s: &DrawSource<'a>, out: &'b mut Room<'a>) -> Setup<'a, 'b> {
        let place = |attr: &Attr| match *attr {
            Attr::Varying(slot, comp) => varying_place(s.rsw, slot as usize, comp),
            Attr::Point(_) => VaryingPlace {
                offset: 0,
                kind: NO_VARYING,
                comp: 0,
            },
        };
        let places: Vec<VaryingPlace> = s.attrs.iter().map(place).collect();
        Setup {
            mem: s.mem,
            draw: s.draw,
            number: s.number,
            rsw: s.rsw,
            attrs: s.attrs,
            words_alone: places.iter().all(VaryingPlace::is_word),
            places,
            flip_sprites: s.flip_sprites,
            range: (s.draw.near.min(s.draw.far), s.draw.near.max(s.draw.far)),
            varyings_alone: s.attrs.iter().all(|a| matches!(a, Attr::Varying(..))),
            out,
            ids: None,
            places_of: [0; 3],
            known: [None; KNOWN],
            kept: vec![0.0; (KNOWN + 3) * s.attrs.len()],
            record: 16 * s.rsw.varying_types.len(),
        }
    }

    fn primitives(&mut self, numbers: Range<usize>) {
        numbers.for_each(|i| self.primitive(i));
    }

    /// Primitive number `i` of the draw.
    fn primitive(&mut self, i: usize) {
        let draw = self.draw;
        let e = |i: usize| draw.elements.get(i);
        match draw.mode {
            0 => self.point(e(i)),
            1 => self.line(e(2 * i), e(2 * i + 1)),
            2 | 3 if i + 1 < draw.elements.len() => self.line(e(i), e(i + 1)),
            2 | 3 => self.line(e(i), e(0)),
            4 => self.triangle([e(3 * i), e(3 * i + 1), e(3 * i + 2)]),
            5 => {
                let odd = i & 1;
                self.triangle([e(i + odd), e(i + 1 - odd), e(i + 2)]);
            }
            6 | 9 => self.triangle([e(0), e(i + 1), e(i + 2)]),
            7 => self.quad([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3].map(e)),
            8 => self.quad([2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2].map(e)),
            _ => self.rectangle([e(0), e(1), e(2)]),
        }
    }
}

impl Setup<'_, '_> {
    #[inline(always)]
    fn position(&self, vertex: u32) -> [f32; 4] {
        let at = self.draw.positions.wrapping_add(vertex.wrapping_mul(16));
        let b = self.mem.bytes(at, 16);
        match b.as_chunks::<4>().0.first_chunk() {
            Some(words) => words.map(f32::from_le_bytes),
            None => short_position(b),
        }
    }

    /// Finds what the program needs of the primitive's vertices.
    #[inline(always)]
    fn load(&mut self, ids: [u32; 3]) {
        self.ids = Some(ids);
        for corner in 0..3 {
            let (id, shared) = (ids[corner], ids[corner] as usize % KNOWN);
            let taken = |&other: &u32| other as usize % KNOWN == shared && other != id;
            let place = if ids[..corner].iter().any(taken) {
                self.fetch(id, KNOWN + corner);
                KNOWN + corner
            } else {
                if self.known[shared] != Some(id) {
                    self.known[shared] = Some(id);
                    self.fetch(id, shared);
                }
                shared
            };
            self.places_of[corner] = place;
        }
    }

    /// Fetches a vertex's values to a place.
    #[inline(never)]
    fn fetch(&mut self, id: u32, place: usize) {
        let count = self.places.len();
        let at = id.wrapping_mul(self.rsw.varying_stride);
        let at = self.rsw.varyings.wrapping_add(at);
        let record = self.mem.bytes(at, self.record);
        let kept = &mut self.kept[place * count..(place + 1) * count];
        if self.words_alone {
            for (to, place) in kept.iter_mut().zip(&self.places) {
                let word = record.get(place.offset as usize + 4 * usize::from(place.comp)..);
                let word = word.and_then(<[u8]>::first_chunk);
                *to = word.map_or(0.0, |b| f32::from_le_bytes(*b));
            }
            return;
        }
        for (to, &place) in kept.iter_mut().zip(&self.places) {
            *to = varying(record, place);
        }
    }

    #[inline(always)]
    fn corner(&self, vertex: u32, which: usize) -> ClipVertex {
        let mut share = [0.0; 3];
        share[which] = 1.0;
        ClipVertex {
            p: self.position(vertex),
            share,
            point: [0.0; 2],
        }
    }

    fn triangle(&mut self, ids: [u32; 3]) {
        let v = [
            self.corner(ids[0], 0),
            self.corner(ids[1], 1),
            self.corner(ids[2], 2),
        ];
        self.loaded(ids, &v, true);
    }

    /// Four corners, cut along the diagonal that Mesa's software renderers take (guess).
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangle([a, b, d]);
        self.triangle([b, c, d]);
    }

    /// Three corners of a rectangle, in window coordinates.
    fn rectangle(&mut self, ids: [u32; 3]) {
        let v = [
            self.corner(ids[0], 0),
            self.corner(ids[1], 1),
            self.corner(ids[2], 2),
        ];
        let fourth = ClipVertex {
            p: [
                v[2].p[0] + v[0].p[0] - v[1].p[0],
                v[2].p[1] + v[0].p[1] - v[1].p[1],
                v[2].p[2],
                v[2].p[3],
            ],
            share: [1.0, -1.0, 1.0],
            point: [0.0; 2],
        };
        self.loaded(ids, &v, false);
        self.loaded(ids, &[v[0], v[2], fourth], false);
    }

    fn point(&mut self, id: u32) {
        let v = self.corner(id, 0);
        // A point whose centre is outside the viewport still shows its inner part: silicon
        // passes dEQP's `clipping.point.wide_point_clip*`, which ask for that.
        let inside = v.p[3] > 0.0
            && v.p[2] >= self.draw.near.min(self.draw.far)
            && v.p[2] <= self.draw.near.max(self.draw.far);
        if !inside {
            return;
        }
        let size = match self.draw.sizes {
            Some(at) => f32::from_bits(self.mem.read_u32(at.wrapping_add(id.wrapping_mul(4)))),
            None => self.draw.size,
        };
        let h = size.clamp(1.0, 1024.0) / 2.0;
        let flip = if self.flip_sprites { -1.0 } else { 1.0 };
        let corner = |sx: f32, sy: f32| ClipVertex {
            p: [v.p[0] + h * sx, v.p[1] + h * sy, v.p[2], v.p[3]],
            share: v.share,
            point: [(sx + 1.0) / 2.0, (sy * flip + 1.0) / 2.0],
        };
        let q = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        self.loaded([id; 3], &[q[0], q[1], q[2]], false);
        self.loaded([id; 3], &[q[0], q[2], q[3]], false);
    }

    fn line(&mut self, a: u32, b: u32) {
        let mut v = [self.corner(a, 0), self.corner(b, 1)];
        // Only the part in front of the eye.
        if v[0].p[3] <= 0.0 && v[1].p[3] <= 0.0 {
            return;
        }
        if v[0].p[3] <= 0.0 || v[1].p[3] <= 0.0 {
            let h = v.map(homogeneous);
            let t = (MIN_W - h[0].p[3]) / (h[1].p[3] - h[0].p[3]);
            let cut = divided(between(&h[0], &h[1], t));
            v[usize::from(v[0].p[3] > 0.0)] = cut;
        }
        let (dx, dy) = (v[1].p[0] - v[0].p[0], v[1].p[1] - v[0].p[1]);
        // For each step along the longer axis a row or column of pixels as long as the line is
        // wide. Softpipe ends lines half a pixel elsewhere, llvmpipe as here; the silicon's
        // rule has not been measured.
        let h = self.draw.size.clamp(1.0, 1024.0) / 2.0;
        let (ox, oy) = if dx.abs() >= dy.abs() {
            (0.0, h)
        } else {
            (h, 0.0)
        };
        let side = |v: &ClipVertex, sign: f32| ClipVertex {
            p: [v.p[0] + ox * sign, v.p[1] + oy * sign, v.p[2], v.p[3]],
            ..*v
        };
        let q = [
            side(&v[0], -1.0),
            side(&v[1], -1.0),
            side(&v[1], 1.0),
            side(&v[0], 1.0),
        ];
        self.loaded([a, b, b], &[q[0], q[1], q[2]], false);
        self.loaded([a, b, b], &[q[0], q[2], q[3]], false);
    }

    #[inline(always)]
    fn loaded(&mut self, ids: [u32; 3], v: &[ClipVertex; 3], cull: bool) {
        if v[0].is_near() & v[1].is_near() & v[2].is_near() {
            let corners = v
                .each_ref()
                .map(|v| (fixed_near(v.p[0]), fixed_near(v.p[1])));
            // Those that are culled are triangles, whose corners are the vertices.
            return self.emit(ids, v, corners, cull, cull || is_whole(v));
        }
        self.clipped(ids, v, cull);
    }

    /// A triangle some of whose corners lie where only clipping helps.
    #[inline(never)]
    fn clipped(&mut self, ids: [u32; 3], v: &[ClipVertex; 3], cull: bool) {
        if v.iter().any(|v| v.p.iter().any(|x| x.is_nan())) {
            return;
        }
        let polygon = clip(v);
        for i in 2..polygon.len() {
            let v = [polygon[0], polygon[i - 1], polygon[i]];
            let corners = v.map(|v| (fixed(v.p[0]), fixed(v.p[1])));
            self.emit(ids, &v, corners, cull, is_whole(&v));
        }
    }

    /// A triangle whose corners need no clipping; `whole` if they are the vertices.
    fn emit(
        &mut self,
        ids: [u32; 3],
        v: &[ClipVertex; 3],
        corners: [Corner; 3],
        cull: bool,
        whole: bool,
    ) {
        let [(x0, y0), (x1, y1), (x2, y2)] = corners;
        let area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
        if area == 0 {
            return;
        }
        // Rows run downwards: a positive area is clockwise to the eye.
        let ccw = area < 0;
        if cull && (ccw && self.draw.cull_ccw || !ccw && self.draw.cull_cw) {
            return;
        }
        let Some((bounds, small)) = self.bounds(corners) else {
            return;
        };
        if self.ids != Some(ids) {
            self.load(ids);
        }
        let [p0, p1, p2] = corners;
        let (e12, _) = edge(p1, p2, ccw);
        let (e20, c1) = edge(p2, p0, ccw);
        let (e01, c2) = edge(p0, p1, ccw);
        let inv = 1.0 / (area.abs() as f64);
        let weight = |e: Edge, c: i64| {
            [
                c as f64 * inv,
                f64::from(e.0) * 256.0 * inv,
                f64::from(e.1) * 256.0 * inv,
            ]
        };
        let (l1, l2) = (weight(e20, c1), weight(e01, c2));
        let z = self.depth(v.map(|v| f64::from(v.p[2])), &l1, &l2);
        let (near, far) = self.range;
        let outside = |v: &ClipVertex| (v.p[2] < near) | (v.p[2] > far);
        let rw = v.each_ref().map(|v| v.p[3]);
        let tri = Triangle {
            draw: self.number,
            edge: [e12, e20, e01],
            l1,
            l2,
            z,
            rw,
            bounds,
            back: ccw != self.rsw.front_ccw,
            affine: (rw[0] == rw[1]) & (rw[1] == rw[2]),
            small,
            clip_z: outside(&v[0]) | outside(&v[1]) | outside(&v[2]),
            planes: self.out.next_plane(),
        };
        let (attrs, count) = (self.attrs, self.attrs.len());
        let values = |corner: usize| &self.kept[self.places_of[corner] * count..][..count];
        let values = [values(0), values(1), values(2)];
        let plain = whole && self.varyings_alone;
        self.out.add(tri, count, |to| {
            if plain {
                fill_whole(to, values);
            } else {
                fill_planes(to, attrs, values, v, whole);
            }
        });
    }

    /// The pixels whose centres a triangle may cover, if there are any, and whether it is a small
    /// one.
    #[inline(always)]
    fn bounds(&self, corners: [Corner; 3]) -> Option<([i32; 4], bool)> {
        let [(x0, y0), (x1, y1), (x2, y2)] = corners;
        let scissor = self.draw.scissor;
        // Centres are at +128: the first centre at or right of x is ceil((x - 128) / 256).
        let first = |x: i64| ((x + 127) >> 8) as i32;
        let last = |x: i64| ((x - 128) >> 8) as i32;
        let ends = |a: i64, b: i64, c: i64| (a.min(b).min(c), a.max(b).max(c));
        let ((x0, x1), (y0, y1)) = (ends(x0, x1, x2), ends(y0, y1, y2));
        let [left, right, top, bottom] = [
            first(x0).max(scissor[0]).max(0),
            last(x1).min(scissor[1] - 1),
            first(y0).max(scissor[2]).max(0),
            last(y1).min(scissor[3] - 1),
        ];
        let small = (x1 - x0) | (y1 - y0) < SMALL;
        (left <= right && top <= bottom).then_some(([left, right, top, bottom], small))
    }

    /// The plane of window depth, with polygon offset.
    fn depth(&self, [a, b, c]: [f64; 3], l1: &[f64; 3], l2: &[f64; 3]) -> [f64; 3] {
        let mut z: [f64; 3] = std::array::from_fn(|i| {
            (b - a) * l1[i] + (c - a) * l2[i] + if i == 0 { a } else { 0.0 }
        });
        let rsw = self.rsw;
        if rsw.offset_factor != 0.0 || rsw.offset_units != 0.0 {
            let slope = z[1].abs().max(z[2].abs());
            // The unit is the smallest step of 16-bit depth: silicon passes dEQP's
            // `polygon_offset.*_with_units`, which need more than a step of 24 bits.
            z[0] += f64::from(rsw.offset_factor) * slope + f64::from(rsw.offset_units) / 65_535.0;
        }
        z
    }
}

/// Whether the corners are the vertices, as those of most triangles are.
fn is_whole(v: &[ClipVertex; 3]) -> bool {
    const CORNERS: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    v.each_ref().map(|v| v.share) == CORNERS
}

/// The planes of varyings where the corners are the vertices.
#[inline(always)]
fn fill_whole(to: &mut [AttrPlane], [a, b, c]: [&[f32]; 3]) {
    for (((to, a), b), c) in to.iter_mut().zip(a).zip(b).zip(c) {
        *to = [*a, b - a, c - a, 0.0];
    }
}

/// The planes of any attributes.
fn fill_planes(
    to: &mut [AttrPlane],
    attrs: &[Attr],
    values: [&[f32]; 3],
    v: &[ClipVertex; 3],
    whole: bool,
) {
    for (i, (to, attr)) in to.iter_mut().zip(attrs).enumerate() {
        let values = values.map(|values| values[i]);
        let at = |v: &ClipVertex| match attr {
            Attr::Point(c) => v.point[*c as usize],
            Attr::Varying(..) => {
                v.share[0] * values[0] + v.share[1] * values[1] + v.share[2] * values[2]
            }
        };
        let [a, b, c] = match attr {
            Attr::Varying(..) if whole => values,
            _ => [at(&v[0]), at(&v[1]), at(&v[2])],
        };
        *to = [a, b - a, c - a, 0.0];
    }
}

/// A position whose end lies outside of memory.
#[cold]
fn short_position(b: &[u8]) -> [f32; 4] {
    std::array::from_fn(|i| {
        let four = b.get(i * 4..i * 4 + 4).and_then(|b| b.try_into().ok());
        four.map_or(0.0, f32::from_le_bytes)
    })
}

impl ClipVertex {
    /// Whether it lies in front of the eye, and not far out.
    #[inline(always)]
    fn is_near(&self) -> bool {
        let [x, y, z, rw] = self.p;
        // What is not a number is not below anything.
        (x.abs() <= GUARD)
            & (y.abs() <= GUARD)
            & (z.abs() <= f32::MAX)
            & (rw > 0.0)
            & (rw <= f32::MAX)
    }
}

/// The same as [`fixed`] for what lies inside of the guard band.
#[inline(always)]
fn fixed_near(x: f32) -> i64 {
    // 2^23 and a half of it: sums have no fraction bits, and the lower ones are the number.
    const WHOLE: f32 = 12_582_912.0;
    i64::from((x * SUB + WHOLE).to_bits() as i32 - WHOLE.to_bits() as i32)
}

/// In 1/256 pixel, to the nearest, ties to even.
#[inline(always)]
fn fixed(x: f32) -> i64 {
    // What is left of the sum has no fraction bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    ((f64::from(x * SUB) + WHOLE) - WHOLE) as i64
}

/// An edge from one corner to the next, and E at the centre of pixel (0, 0) as it is.
#[inline(always)]
fn edge((ax, ay): Corner, (bx, by): Corner, ccw: bool) -> (Edge, i64) {
    let sign = if ccw { -1 } else { 1 };
    let (dx, dy) = ((bx - ax) * sign, (by - ay) * sign);
    let e = dx * (128 - ay) - dy * (128 - ax);
    // A top edge runs right, a left edge runs up.
    let inclusive = dy < 0 || dy == 0 && dx > 0;
    let biased = if inclusive { e } else { e - 1 };
    ((-dy as i32, dx as i32, biased >> 8), e)
}

/// Window coordinates times w, and w.
fn homogeneous(v: ClipVertex) -> ClipVertex {
    let w = if v.p[3] == 0.0 { 1.0e12 } else { 1.0 / v.p[3] };
    ClipVertex {
        p: [v.p[0] * w, v.p[1] * w, v.p[2] * w, w],
        ..v
    }
}

fn divided(v: ClipVertex) -> ClipVertex {
    let rw = 1.0 / v.p[3];
    ClipVertex {
        p: [v.p[0] * rw, v.p[1] * rw, v.p[2] * rw, rw],
        ..v
    }
}

fn between(a: &ClipVertex, b: &ClipVertex, t: f32) -> ClipVertex {
    let mix = |a: f32, b: f32| a + (b - a) * t;
    ClipVertex {
        p: std::array::from_fn(|i| mix(a.p[i], b.p[i])),
        share: std::array::from_fn(|i| mix(a.share[i], b.share[i])),
        point: std::array::from_fn(|i| mix(a.point[i], b.point[i])),
    }
}

/// Cuts away what is behind the eye or far off the screen.
fn clip(v: &[ClipVertex; 3]) -> Vec<ClipVertex> {
    let mut polygon: Vec<ClipVertex> = v.iter().map(|&v| homogeneous(v)).collect();
    let planes: [fn(&ClipVertex) -> f32; 5] = [
        |v| v.p[3] - MIN_W,
        |v| v.p[0] + GUARD * v.p[3],
        |v| GUARD * v.p[3] - v.p[0],
        |v| v.p[1] + GUARD * v.p[3],
        |v| GUARD * v.p[3] - v.p[1],
    ];
    for plane in planes {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for i in 0..polygon.len() {
            let (a, b) = (&polygon[i], &polygon[(i + 1) % polygon.len()]);
            let (da, db) = (plane(a), plane(b));
            if da >= 0.0 {
                kept.push(*a);
            }
            // Always from the inner to the outer vertex, so that neighbours cut the edge
            // that they share at the same place.
            if da >= 0.0 && db < 0.0 {
                kept.push(between(a, b, da / (da - db)));
            } else if da < 0.0 && db >= 0.0 {
                kept.push(between(b, a, db / (db - da)));
            }
        }
        polygon = kept;
    }
    polygon.into_iter().map(divided).collect()
}

/// Size and alignment of a varying in a vertex's record.
fn varying_size(kind: u8) -> u32 {
    // lima gives every single-precision varying 16 bytes and every half-precision one 8;
    // the other types are not emitted by any driver seen (guess: packed).
    match kind {
        0 | 1 => 16,
        2 | 3 => 8,
        _ => 4,
    }
}

/// Stands for what no record holds.
const NO_VARYING: u8 = 255;

fn varying_place(rsw: &RenderState, slot: usize, comp: u8) -> VaryingPlace {
    let mut offset = 0u32;
    for (i, &kind) in rsw.varying_types.iter().enumerate() {
        let size = varying_size(kind);
        offset = offset.next_multiple_of(size);
        if i == slot {
            return VaryingPlace { offset, kind, comp };
        }
        offset += size;
    }
    VaryingPlace {
        offset,
        kind: NO_VARYING,
        comp: 0,
    }
}

/// A component of a varying, from the vertex's record.
#[inline]
fn varying(record: &[u8], place: VaryingPlace) -> f32 {
    let at = place.offset as usize;
    let comp = usize::from(place.comp);
    let word = |i: usize| {
        let four = record.get(at + 4 * i..).and_then(<[u8]>::first_chunk);
        four.map_or(0, |b| u32::from_le_bytes(*b))
    };
    let short = |i: usize| {
        let two = record.get(at + 2 * i..).and_then(<[u8]>::first_chunk);
        two.map_or(0, |b| u16::from_le_bytes(*b))
    };
    let missing = if comp == 3 { 1.0 } else { 0.0 };
    match (place.kind, comp) {
        (0, _) | (1, 0..=1) => f32::from_bits(word(comp)),
        (2, _) | (3, 0..=1) => half_to_f32(short(comp)),
        (4, 0..=1) => (f32::from(short(comp) as i16) / 32767.0).max(-1.0),
        (5, 0..=1) => f32::from(short(comp)) / 65535.0,
        // Three components of low precision: eleven, eleven and ten bits (guess).
        (6, 0) => (word(0) & 0x7FF) as f32 / 2047.0,
        (6, 1) => (word(0) >> 11 & 0x7FF) as f32 / 2047.0,
        (6, 2) => (word(0) >> 22) as f32 / 1023.0,
        (7, _) => (word(0) >> (8 * comp) & 0xFF) as f32 / 255.0,
        (NO_VARYING, _) => 0.0,
        _ => missing,
    }
}

#[cfg(test)]
mod tests;
