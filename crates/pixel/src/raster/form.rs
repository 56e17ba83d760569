//! Triangles of a [`Form`], one texture and the vertices' colour, a handful of blocks at a
//! time.
//!
//! From a pixel's place to its colour there are some hundred steps, each of which waits for
//! the one before. So all blocks take a few of them, then all of them the next few: a
//! processor works on several blocks at once, but cannot look far enough ahead to find the
//! next block behind all of one block's steps.

use super::plain::{Pair, PlainTri};
use super::quads::{self, Four, Quads};
use super::short::Short;
use super::tri::Depth;
use crate::frag::{F, Frag, I, LANES};
use crate::level::Level;
use crate::rop::surface::{Area, Words};
use crate::shader::Form;
use crate::tex::Texels;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Blocks that are drawn together.
const MOST: usize = 8;

/// What is known of them between the steps.
#[repr(C, align(64))]
pub(super) struct Blocks {
    shares: [[I; 2]; MOST],
    /// Texture coordinates s and t.
    coordinates: [[F; 2]; MOST],
    texels: [Texels; MOST],
    zeta: [Pair; MOST],
    quads: [Four; MOST],
    /// Pixels that are drawn.
    masks: [u16; MOST],
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        Blocks {
            shares: [[[0; LANES]; 2]; MOST],
            coordinates: [[[0.0; LANES]; 2]; MOST],
            texels: [[0; LANES]; MOST],
            zeta: [[0; LANES]; MOST],
            quads: [Four::default(); MOST],
            masks: [0; MOST],
        }
    }
}

/// A triangle and where it is drawn.
pub(super) struct Job<'a> {
    pub(super) form: &'a Form,
    pub(super) short: &'a Short,
    pub(super) depth: Option<Depth>,
    pub(super) quads: &'a Quads,
    pub(super) color: Area<'a>,
    /// Where depth is tested.
    pub(super) zeta: Option<Area<'a>>,
}

/// [`PlainTri::forms`], compiled for one instruction set.
pub(super) type Forms = fn(&PlainTri<'_>, &Job<'_>, &mut Blocks, &mut Frag) -> u32;

/// Reads the words of four quads; `joined` says that they are a block.
///
/// # Safety
/// The quads must be inside the area.
#[inline(always)]
pub(super) unsafe fn read<L: Level>(area: &Area, quads: &Four, joined: bool) -> Pair {
    // SAFETY: the caller's promise.
    unsafe {
        if joined {
            let [first, _] = quads[0];
            return area.block(quads::column(first), quads::row(first)).load();
        }
        L::read(area, quads)
    }
}

/// Writes the words of those that have pixels in `mask`.
///
/// # Safety
/// The quads must be inside the area.
#[inline(always)]
pub(super) unsafe fn write<L: Level>(
    area: &Area,
    quads: &Four,
    joined: bool,
    words: &Pair,
    mask: u16,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if joined {
            let [first, _] = quads[0];
            let block = area.block(quads::column(first), quads::row(first));
            return block.store(words);
        }
        L::write(area, quads, words, mask);
    }
}

impl PlainTri<'_> {
    /// Draws the listed quads of a triangle. Returns how many pixels passed.
    #[inline(always)]
    pub(super) fn forms<L: Level>(
        &self,
        job: &Job<'_>,
        blocks: &mut Blocks,
        frag: &mut Frag,
    ) -> u32 {
        let stage = job.form.stage % 4;
        let Some(quick) = self.draw.shade.simple_stage(stage) else {
            return 0;
        };
        let joined = job.quads.joined();
        let mut passed = 0;
        for fours in job.quads.all_fours().chunks(MOST) {
            let count = self.tested::<L>(job, fours, joined, blocks);
            for i in 0..count {
                let out = &mut blocks.coordinates[i];
                blocks.shares[i] = L::interpolate(job.short, &blocks.quads[i], out);
            }
            for i in 0..count {
                let [s, t] = &blocks.coordinates[i];
                blocks.texels[i] = quick.sample::<L>(&mut frag.levels[stage], s, t);
            }
            for i in 0..count {
                passed += self.put::<L>(job, joined, blocks, i);
            }
        }
        passed
    }

    /// Which pixels of the blocks pass the depth test: fills `zeta`, `quads` and `masks`
    /// with the blocks that have any, and returns their number.
    #[inline(always)]
    fn tested<L: Level>(
        &self,
        job: &Job<'_>,
        fours: &[Four],
        joined: bool,
        blocks: &mut Blocks,
    ) -> usize {
        let mut count = 0;
        for four in fours {
            let mut mask = quads::mask::<L>(four);
            if let (Some(state), Some(zeta)) = (self.plain.depth, &job.zeta) {
                let z = match &job.depth {
                    Some(depth) => L::depth(job.short, depth, four),
                    None => self.depth(&job.short.edges_wide(four)),
                };
                // SAFETY: `cover` lists quads that the areas have.
                let old = unsafe { read::<L>(zeta, four, joined) };
                blocks.zeta[count % MOST] = self.test::<L>(state, &z, &mut mask, &old);
            }
            blocks.quads[count % MOST] = *four;
            blocks.masks[count % MOST] = mask;
            count += usize::from(mask != 0);
        }
        count.min(MOST)
    }

    /// Writes a block. Returns how many pixels it has.
    #[inline(always)]
    fn put<L: Level>(&self, job: &Job<'_>, joined: bool, blocks: &Blocks, i: usize) -> u32 {
        let (four, mask) = (&blocks.quads[i], blocks.masks[i]);
        // SAFETY: `cover` lists quads that the areas have.
        unsafe {
            let old = read::<L>(&job.color, four, joined);
            let (texels, shares) = (&blocks.texels[i], &blocks.shares[i]);
            let new = L::finish(self, job.form, texels, shares, mask, &old);
            write::<L>(&job.color, four, joined, &new, mask);
            if let (Some((_, true)), Some(zeta)) = (self.plain.depth, &job.zeta) {
                write::<L>(zeta, four, joined, &blocks.zeta[i], mask);
            }
        }
        mask.count_ones()
    }
}
