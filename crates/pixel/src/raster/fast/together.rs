//! Groups of several triangles of a draw that get their colours together.

use super::FastLanes;
use super::stages::{Batch, Found, Job, Tested, in_place};
use crate::frag::{Frag, LANES};
use crate::raster::attrs::Attrs;
use crate::raster::inputs::Inputs;
use crate::raster::tile::Draw;
use crate::shader::Shade;
use crate::shader::program::{ALL_LANES, Fragments, Groups, mask_by_quads};

/// All lanes of a group.
const ALL: u32 = 0xffff;

/// Groups whose combiners take their steps together.
pub(super) const TOGETHER: usize = crate::rc::BLOCKS;

/// Who makes the colours of several groups at once.
pub(super) trait Maker {
    /// Places, and how many of them the largest group needs.
    const PLACES: usize;
    const LARGEST: usize;

    /// How many a group needs of which these lanes are drawn.
    fn size(&self, mask: u16) -> usize;

    /// Takes what is the same for a whole triangle to the places of a group from `at` on.
    fn start(&self, batch: &mut Batch, frag: &mut Frag, at: usize);

    /// Takes the batch's group `i` to the places from `at` on.
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_, '_>,
        batch: &mut Batch,
        frag: &mut Frag,
        i: usize,
        at: usize,
    );

    /// Makes the colours of `count` groups from `first` on, which have the places that are taken.
    fn run(&self, batch: &mut Batch, frag: &mut Frag, first: usize, count: usize);
}

/// A straight program.
pub(super) struct Program<'a> {
    pub(super) program: &'a Fragments,
    pub(super) inputs: &'a Inputs,
    /// Pixels leave their quads.
    pub(super) apart: bool,
}

impl Program<'_> {
    #[inline(always)]
    pub(super) fn make(
        program: &Fragments,
        apart: bool,
        batch: &mut Batch,
        frag: &mut Frag,
        first: usize,
        count: usize,
    ) {
        let range = first..first + count;
        let groups = Groups {
            lanes: batch.taken,
            first: &batch.places[range.clone()],
            apart: apart.then(|| &batch.masks[range.clone()]),
        };
        frag.program.lane = 0;
        program.run_groups(&mut frag.program, &groups, &mut batch.colors[range]);
    }
}

/// Places are lanes. Of a group's those are taken that are drawn, or, where quads must stay
/// together, all up to the last quad that has any.
impl Maker for Program<'_> {
    const PLACES: usize = ALL_LANES;
    const LARGEST: usize = LANES;

    #[inline(always)]
    fn size(&self, mask: u16) -> usize {
        if self.apart {
            return mask.count_ones() as usize;
        }
        // A quad has two lanes of either row.
        let columns = mask as u8 | (mask >> 8) as u8;
        4 * (8 - columns.leading_zeros() as usize).div_ceil(2)
    }

    #[inline(always)]
    fn start(&self, _: &mut Batch, frag: &mut Frag, at: usize) {
        frag.program.lane = at;
        self.inputs.start(frag);
    }

    #[inline(always)]
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_, '_>,
        batch: &mut Batch,
        frag: &mut Frag,
        i: usize,
        at: usize,
    ) {
        frag.program.lane = at;
        let (group, mask) = (&batch.groups[i], batch.masks[i]);
        job.fill::<L>(in_place(self.inputs), group, batch.whole[i], mask, frag);
        if self.apart {
            let mask = mask_by_quads(mask);
            self.program.look::<L>(&mut frag.program, mask);
            if mask != ALL {
                self.inputs.compress::<L>(mask, frag);
            }
        }
    }

    #[inline(always)]
    fn run(&self, batch: &mut Batch, frag: &mut Frag, first: usize, count: usize) {
        Program::make(self.program, self.apart, batch, frag, first, count);
    }
}

/// Texture shader and combiners.
pub(super) struct Combiners<'a> {
    pub(super) draw: &'a Draw,
    pub(super) attrs: &'a Attrs,
}

impl Combiners<'_> {
    #[inline(always)]
    pub(super) fn make(shade: &Shade, batch: &mut Batch, first: usize, count: usize) {
        let colors = &mut batch.colors[first..first + count];
        shade.run_blocks(&mut batch.blocks[..count], colors);
    }
}

impl Maker for Combiners<'_> {
    const PLACES: usize = TOGETHER;
    const LARGEST: usize = 1;

    #[inline(always)]
    fn size(&self, _: u16) -> usize {
        1
    }

    #[inline(always)]
    fn start(&self, batch: &mut Batch, _: &mut Frag, at: usize) {
        self.attrs.start(self.draw, &mut batch.blocks[at]);
    }

    #[inline(always)]
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_, '_>,
        batch: &mut Batch,
        _: &mut Frag,
        i: usize,
        at: usize,
    ) {
        let frag = &mut batch.blocks[at];
        frag.mask = batch.masks[i];
        job.interpolate::<L>(&batch.groups[i], batch.whole[i], frag);
    }

    #[inline(always)]
    fn run(&self, batch: &mut Batch, _: &mut Frag, first: usize, count: usize) {
        Combiners::make(&self.draw.shade, batch, first, count);
    }
}

/// A small triangle has two or three groups, and a unit's steps for so few wait for each other
/// most of the time. So groups wait until there are enough, of whatever triangles of the draw:
/// their depth is written at once, their colours later, in order. Where alpha decides about
/// depth, that is written later, too ([`Covering`](super::Covering) sees to it that none of them is
/// in another's way).
#[inline(always)]
pub(super) fn together<L: FastLanes, M: Maker>(
    job: &Job<'_, '_>,
    tested: Tested<'_>,
    maker: &M,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let may_wait = job.sink.may_wait;
    let at_once = may_wait && !job.sink.depth_waits;
    let (mut tested, mut passed) = (tested, 0);
    // The maker's places from which on is what is the same for the whole triangle, a bit each.
    let mut started = 0u128;
    loop {
        let first = batch.waiting;
        let Some(Found { count, block }) = job.next::<L>(&mut tested, batch) else {
            break;
        };
        let end = first + count;
        let mut done = 0;
        for i in first..end {
            if at_once {
                job.sink.write_depth::<L>(batch, i, block);
            }
            let at = batch.taken;
            if started >> at & 1 == 0 {
                maker.start(batch, frag, at);
                started |= 1 << at;
            }
            maker.fill::<L>(in_place(job), batch, frag, i, at);
            batch.places[i] = at as u8;
            batch.taken += maker.size(batch.masks[i]);
            if batch.taken + M::LARGEST > M::PLACES {
                let count = i + 1 - done;
                maker.run(batch, frag, done, count);
                passed += job.sink.end_of::<L>(batch, done, count, at_once);
                (done, batch.taken) = (i + 1, 0);
            }
        }
        batch.waiting = end - done;
        if !may_wait {
            maker.run(batch, frag, done, end - done);
            passed += job.sink.end_of::<L>(batch, done, end - done, false);
            (batch.waiting, batch.taken) = (0, 0);
        } else if done != 0 {
            batch.move_up(done);
        }
    }
    passed
}
