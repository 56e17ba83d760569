//! What a tile asks memory for before it is needed: later primitives, their vertices and states,
//! and the surfaces' words that they may touch.

use super::Prim;
use super::PrimKind;
use super::clip::{empty, intersect};
use super::tile::{Bin, Draw, Work};
use crate::rop::Target;
use crate::rop::surface::Plane;
use isotherm_bus::memory::SharedBytes;
use std::ops::Range;

/// Width and height of the largest tile whose words are asked for.
const SIDE: i32 = 64;
/// Pixels of a line of cache, and its bytes.
const PIXELS: i32 = 16;
const LINE: usize = 64;
/// So many primitives ahead heads and words are asked for.
const SOON: usize = 8;
/// Lines of a tile's row.
const COLUMNS: usize = (SIDE / PIXELS) as usize;

/// Where the words of a tile's first pixel are, and how many bytes there are from row to row.
type Surface = (*const u8, usize);

/// What has been asked for in one tile.
pub(super) struct Ahead {
    /// Pixels, max exclusive.
    rect: [i32; 4],
    surfaces: [Option<Surface>; 2],
    /// Rows of each column of lines that have been asked for, a bit each.
    asked: [u64; COLUMNS],
    /// The last draw whose state was asked for.
    draw: Option<u32>,
    next: Next,
}

/// The tile that is drawn next, if that begins with a clear.
#[derive(Default)]
struct Next {
    surfaces: [Option<Surface>; 2],
    /// Rows and lines of a row that nobody has asked for.
    rows: Range<usize>,
    columns: Range<usize>,
    /// Rows to ask for with each primitive of this tile.
    each: usize,
}

/// Where a tile's words are. None if it is too large, or they do not lie in rows.
fn surfaces(target: &Target<'_>, [x0, y0, x1, y1]: [i32; 4]) -> [Option<Surface>; 2] {
    let small = x1 - x0 <= SIDE && y1 - y0 <= SIDE;
    let first = |surface: &Option<(Plane, SharedBytes<'_>)>| {
        let (plane, bytes) = surface.as_ref().filter(|_| small)?;
        let area = plane.area(*bytes, [x0, y0, x0 + 1, y0 + 1], [x0, y0])?;
        let (start, pitch) = area.parts();
        Some((start.cast_const(), pitch as usize))
    };
    [first(&target.color), first(&target.zeta)]
}

/// Which rows and which lines of a row a tile's first primitive clears, if it clears any.
fn cleared(first: &Prim, rect: [i32; 4]) -> Option<(Range<usize>, Range<usize>)> {
    let r = intersect(first.bounds, rect);
    if first.kind != PrimKind::Clear || empty(&r) {
        return None;
    }
    let column = |x: i32| ((x - rect[0]) / PIXELS) as usize;
    let rows = (r[1] - rect[1]) as usize..(r[3] - rect[1]) as usize;
    Some((rows, column(r[0])..column(r[2] - 1) + 1))
}

impl Next {
    /// Nothing yet. The tile before has so many primitives.
    fn new(work: &Work<'_>, bin: Bin<'_>, primitives: usize) -> Option<Next> {
        let first = work.prims.get(*bin.list.first()? as usize)?;
        let (rows, columns) = cleared(first, bin.rect)?;
        Some(Next {
            surfaces: surfaces(&work.target, bin.rect),
            each: rows.len().div_ceil(primitives.max(1)),
            rows,
            columns,
        })
    }

    /// Asks for some rows.
    #[inline(always)]
    fn ask(&mut self) {
        let end = (self.rows.start + self.each).min(self.rows.end);
        while self.rows.start < end {
            for (start, pitch) in self.surfaces.iter().flatten() {
                let row = start.wrapping_add(self.rows.start * pitch);
                if self.columns == (0..COLUMNS) {
                    for column in 0..COLUMNS {
                        line_nearer(row.wrapping_add(column * LINE));
                    }
                    continue;
                }
                for column in self.columns.clone() {
                    line_nearer(row.wrapping_add(column * LINE));
                }
            }
            self.rows.start += 1;
        }
    }
}

impl Ahead {
    /// Nothing yet. `next` is the tile after this one.
    pub(super) fn new(
        work: &Work<'_>,
        Bin { rect, list }: Bin<'_>,
        next: Option<Bin<'_>>,
    ) -> Ahead {
        let surfaces = surfaces(&work.target, rect);
        let next = next.and_then(|next| Next::new(work, next, list.len()));
        // Without any there is nothing to ask for.
        let asked = if surfaces == [None; 2] { u64::MAX } else { 0 };
        Ahead {
            rect,
            surfaces,
            asked: [asked; COLUMNS],
            draw: None,
            next: next.unwrap_or_default(),
        }
    }

    /// Asks for what the primitives of a list, from the present one on, will need: them, then
    /// what their vertices begin with, their state and the words below them, then the rest of
    /// the vertices. A tile's primitives lie all over a scene's memory, which is larger than the
    /// caches, and so may the surfaces be.
    #[inline(always)]
    pub(super) fn ask(&mut self, work: &Work<'_>, list: &[u32]) {
        self.next.ask();
        let later = |n: usize| work.prims.get(*list.get(n)? as usize);
        if let Some(prim) = later(16) {
            ask_for(prim);
        }
        if let Some(prim) = later(SOON) {
            self.heads_and_words(work, prim);
        }
        let heads = work.verts.heads();
        let Some(prim) = later(4) else { return };
        if work
            .draws
            .get(prim.draw as usize)
            .is_some_and(Draw::reads_sets)
        {
            for v in prim.v {
                if let Some(head) = heads.get(v as usize) {
                    ask_for(&work.verts.tail(head).tex[..4]);
                }
            }
        }
    }

    /// Asks for what the first of a list's primitives need.
    pub(super) fn begin(&mut self, work: &Work<'_>, list: &[u32]) {
        for &index in list.iter().take(SOON) {
            if let Some(prim) = work.prims.get(index as usize) {
                self.heads_and_words(work, prim);
            }
        }
    }

    #[inline(always)]
    fn heads_and_words(&mut self, work: &Work<'_>, prim: &Prim) {
        let heads = work.verts.heads();
        for v in prim.v {
            if let Some(head) = heads.get(v as usize) {
                ask_for(head);
            }
        }
        if self.draw != Some(prim.draw) {
            self.draw = Some(prim.draw);
            if let Some(draw) = work.draws.get(prim.draw as usize) {
                ask_for_all(draw);
            }
        }
        self.words_of(prim);
    }

    /// The surfaces' words in a primitive's rectangle, each once.
    #[inline(always)]
    fn words_of(&mut self, prim: &Prim) {
        if prim.kind == PrimKind::Clear {
            // It writes all of them without reading one.
            self.asked = [u64::MAX; COLUMNS];
            return;
        }
        if self.asked == [u64::MAX; COLUMNS] {
            return;
        }
        let r = intersect(prim.bounds, self.rect);
        if empty(&r) {
            return;
        }
        let [left, top] = [r[0] - self.rect[0], r[1] - self.rect[1]];
        let [right, height] = [r[2] - self.rect[0], r[3] - r[1]];
        let rows = u64::MAX >> (64 - height) << top;
        let columns = left / PIXELS..=(right - 1) / PIXELS;
        for column in columns {
            let asked = &mut self.asked[column as usize % COLUMNS];
            let mut new = rows & !*asked;
            *asked |= rows;
            while new != 0 {
                let row = new.trailing_zeros() as usize;
                new &= new - 1;
                for (start, pitch) in self.surfaces.iter().flatten() {
                    line(start.wrapping_add(row * pitch + column as usize * LINE));
                }
            }
        }
    }
}

/// Asks for something of at most 64 bytes: for one line of cache, or for two if it is smaller,
/// as it may then lie across a border.
#[inline(always)]
fn ask_for<T: ?Sized>(item: &T) {
    let first = std::ptr::from_ref(item).cast::<u8>();
    line(first);
    if !size_of_val(item).is_multiple_of(LINE) {
        line(first.wrapping_add(size_of_val(item) - 1));
    }
}

/// Asks for all of something.
fn ask_for_all<T>(item: &T) {
    let first = std::ptr::from_ref(item).cast::<u8>();
    for at in (0..size_of::<T>()).step_by(LINE) {
        line(first.wrapping_add(at));
    }
}

/// Asks for the line of cache that has this address.
#[inline(always)]
fn line(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and no address is wrong for it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for a line of cache to come nearer, but not so near that it drives out what is used
/// now.
#[inline(always)]
fn line_nearer(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and no address is wrong for it.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prim(bounds: [i32; 4]) -> Prim {
        Prim {
            kind: PrimKind::Triangle,
            front: true,
            offset: 0.0,
            draw: 0,
            phase: 0,
            v: [0; 3],
            provoking: 0,
            bounds,
        }
    }

    /// Clears of all of a tile, of some of it, beside it, and a triangle.
    #[test]
    fn what_a_tile_begins_with_is_asked_for_when_it_is_a_clear() {
        let rect = [64, 128, 128, 192];
        let clear = |bounds| Prim {
            kind: PrimKind::Clear,
            ..prim(bounds)
        };
        assert_eq!(cleared(&prim(rect), rect), None);
        let cases = [
            ([0, 0, 640, 480], Some((0..64, 0..4))),
            ([80, 130, 81, 131], Some((2..3, 1..2))),
            ([95, 0, 97, 129], Some((0..1, 1..3))),
            ([0, 0, 64, 480], None),
        ];
        for (bounds, lines) in cases {
            assert_eq!(cleared(&clear(bounds), rect), lines, "{bounds:?}");
        }
    }

    /// Every row is asked for by the time the tile before is done, whatever it has.
    #[test]
    fn no_row_is_left_to_ask_for() {
        for primitives in [1, 3, 17, 64, 65, 1000] {
            let mut next = Next {
                rows: 0..64,
                each: 64usize.div_ceil(primitives),
                ..Next::default()
            };
            (0..primitives).for_each(|_| next.ask());
            assert!(next.rows.is_empty(), "{primitives}");
        }
    }

    /// Rows and columns of lines that rectangles touch, at all borders of a tile.
    #[test]
    fn a_line_is_asked_for_when_a_rectangle_touches_it() {
        let rect = [64, 128, 128, 192];
        let memory = [0u8; LINE];
        let new = || Ahead {
            rect,
            surfaces: [Some((memory.as_ptr(), 0)), None],
            asked: [0; COLUMNS],
            draw: None,
            next: Next::default(),
        };
        let cases = [
            ([64, 128, 65, 129], [1, 0, 0, 0]),
            ([79, 129, 81, 131], [6, 6, 0, 0]),
            ([127, 191, 128, 192], [0, 0, 0, 1 << 63]),
            ([0, 0, 1000, 1000], [u64::MAX; 4]),
            ([0, 130, 64, 140], [0; 4]),
            ([96, 190, 300, 300], [0, 0, 3 << 62, 3 << 62]),
        ];
        let mut all = new();
        for (bounds, asked) in cases {
            let mut one = new();
            one.words_of(&prim(bounds));
            assert_eq!(one.asked, asked, "{bounds:?}");
            all.words_of(&prim(bounds));
        }
        assert_eq!(all.asked, [u64::MAX; 4]);
    }
}
