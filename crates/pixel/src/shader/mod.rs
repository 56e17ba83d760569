//! The pixel pipe between rasteriser and ROP: up to four texture stages with
//! their texture-shader operations, then the register combiners.
//!
//! [`Shade::prepare`] is called when a state word changed, [`Shade::bind`] when a
//! draw starts, [`Shade::run`] for every block of fragments.

mod bundles;
mod dot;
mod explain;
pub mod program;
mod reads;
mod simd;
mod stage;
mod words;

pub use crate::rc::{Modulate, Passthrough};
pub use crate::tex::SimpleStage;
pub use bundles::Bundles;
pub use stage::Stages;
pub use words::{Dot, Op, Program};

use crate::frag::{ColorPairs, Frag, I, LANES, channels, pairs};
use crate::rc::{self, KnownInputs, Plan, PreparedCombiners, TextureRange, Values, reg, slot};
use crate::tex::format::Class;
use crate::tex::{self, Image, SampleLanes, TexCache, Unit, UnitCache};
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_lanes::Level;
use isotherm_regs::Chip;
use isotherm_regs::bundle::CONFIG_B;
use std::sync::Arc;
use std::{mem, slice};

/// Texture shader and combiners, prepared for a state.
#[derive(Clone, Debug)]
pub struct Shade {
    program: Program,
    units: [Option<Arc<Unit>>; 4],
    images: [Option<Arc<Image>>; 4],
    combiners: Arc<PreparedCombiners>,
    /// Stages whose texels or side effects anything depends on, one bit each.
    live: u8,
    /// All live stages do nothing but sample simple 2D images.
    all_simple: bool,
    /// Live stages whose textures are simple 2D images, whatever they do.
    simple: [Option<Arc<SimpleStage>>; 4],
    /// Stages whose registers are the bytes of their texels, one bit each.
    bytes: u8,
    level: Level,
}

impl Shade {
    /// Derives the pixel pipe from the registers of its three units. `dma_tex` are the
    /// objects that texture offsets are relative to.
    pub fn prepare(
        chip: Chip,
        bundles: &Bundles,
        tex: &tex::Bundles,
        rc: &rc::Bundles,
        dma_tex: [DmaSpan; 2],
    ) -> Shade {
        let mut units = UnitCache::default();
        Shade::prepare_after(None, &mut units, chip, bundles, tex, rc, dma_tex)
    }

    /// The same; what is as it was in the state before on this chip, or among `units`, is not
    /// made anew. Games change textures much more often than combiners.
    pub fn prepare_after(
        last: Option<&Shade>,
        units: &mut UnitCache,
        chip: Chip,
        bundles: &Bundles,
        tex: &tex::Bundles,
        rc: &rc::Bundles,
        dma_tex: [DmaSpan; 2],
    ) -> Shade {
        let program = Program::prepare(chip, bundles);
        let units = std::array::from_fn(|i| {
            program.ops[i]
                .samples()
                .then(|| units.get(chip, tex, dma_tex, i))
                .flatten()
        });
        let config = bundles.CONFIG_B;
        let known = KnownInputs {
            textures: std::array::from_fn(|i| register(&program, &units, i)),
            specular: CONFIG_B::SPECULAR_ENABLE.is_set(chip, config),
            fog: CONFIG_B::FOG_ENABLE.is_set(chip, config),
        };
        let combiners = match last.map(|last| &last.combiners) {
            Some(last) if last.fits(rc, &known) => last.clone(),
            _ => Arc::new(PreparedCombiners::new(chip, rc, known)),
        };
        let plan = combiners.plan.as_ref();
        let live = live(&program, &units, plan);
        let simple = |i: usize| {
            live >> i & 1 == 0
                || program.ops[i] == Op::Texture2d && stage::has_simple_texture(&program, &units[i])
        };
        Shade {
            all_simple: plan.is_some() && (0..4).all(simple),
            bytes: stage::of_bytes(&program, &units),
            live,
            program,
            units,
            images: [const { None }; 4],
            simple: [const { None }; 4],
            combiners,
            level: Level::current(),
        }
    }

    /// The colour that a block leaves with as it came, if that is all that happens
    /// here: nothing is sampled, no lane is killed, no depth replaced.
    pub fn passes_through(&self) -> Option<Passthrough> {
        let plan = self.combiners.plan.as_ref().filter(|_| self.live == 0)?;
        plan.through()
    }

    /// One plain texture and the diffuse colour, if no more than they take part.
    pub fn modulate(&self) -> Option<Modulate> {
        let plan = self.combiners.plan.as_ref().filter(|_| self.all_simple)?;
        let modulate = plan.modulate()?;
        (self.live == 1 << modulate.stage).then_some(modulate)
    }

    /// Takes the textures' present contents from memory. To be called before
    /// every draw: an earlier draw or the CPU may have changed them.
    pub fn bind(&mut self, memory: &Memory, cache: &mut TexCache) {
        for (i, unit) in self.units.iter().enumerate() {
            let unit = unit.as_ref();
            self.images[i] = unit.map(|unit| cache.get(&unit.source, memory));
            let simple =
                self.live >> i & 1 != 0 && stage::has_simple_texture(&self.program, &self.units[i]);
            let unit = unit.filter(|_| simple);
            self.simple[i] = unit.map(|unit| cache.simple(unit));
        }
    }

    /// The vector instructions that it uses.
    #[inline(always)]
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// The highest texture coordinate set that the program reads, plus one.
    pub fn coordinate_sets(&self) -> usize {
        self.program.coordinate_sets()
    }

    /// Does anything depend on the fog factor?
    #[inline(always)]
    pub fn reads_fog(&self) -> bool {
        let PreparedCombiners { plan, known, .. } = &*self.combiners;
        plan.as_ref().map_or(known.fog, Plan::reads_fog)
    }

    /// May a block lose lanes or get another depth here? If not, depth and
    /// stencil tests can come first.
    pub fn kills_or_moves(&self) -> bool {
        self.program
            .ops
            .iter()
            .any(|op| matches!(op, Op::ClipPlane | Op::DotZw))
            || self
                .units
                .iter()
                .flatten()
                .any(|u| u.control.alpha_kill || u.control.key_kill)
    }

    /// Shades a block: returns R, G, B, A as 0..=255, takes killed lanes out of
    /// `frag.mask` and may replace `frag.z`.
    #[inline]
    pub fn run(&self, frag: &mut Frag) -> [I; 4] {
        let mut color = [[0; LANES]; 2];
        self.run_blocks(slice::from_mut(frag), slice::from_mut(&mut color));
        channels(&color)
    }

    /// The same with up to [`rc::BLOCKS`] blocks; their colours go to `colors`.
    #[inline]
    pub(crate) fn run_blocks(&self, blocks: &mut [Frag], colors: &mut [ColorPairs]) {
        simd::run(self.level, self, blocks, colors);
    }

    /// A live stage that does nothing but sample a simple 2D image, with the image.
    #[inline(always)]
    pub fn simple_stage(&self, stage: usize) -> Option<&SimpleStage> {
        self.simple[stage].as_deref()
    }

    /// The one implementation, compiled for each level of vector instructions.
    #[inline(always)]
    fn lanes<L: SampleLanes>(&self, blocks: &mut [Frag], colors: &mut [ColorPairs]) {
        let Some(plan) = &self.combiners.plan else {
            for (block, color) in blocks.iter_mut().zip(colors) {
                *color = pairs(&self.general(block));
            }
            return;
        };
        let count = blocks.len();
        let Some(first) = blocks.first_mut() else {
            return;
        };
        // The first block's memory is used for all.
        let mut slots = mem::take(&mut first.slots);
        let values = slots.values();
        if self.live != 0 {
            self.texels::<L>(blocks);
        }
        for (pair, blocks) in blocks.chunks(2).enumerate() {
            self.sources(plan, blocks, pair, values);
        }
        plan.run(values, count);
        for (pair, colors) in colors.chunks_mut(2).enumerate() {
            let made = plan.colors(values, pair);
            for (color, made) in colors.iter_mut().zip(made) {
                *color = made;
            }
        }
        if let Some(first) = blocks.first_mut() {
            first.slots = slots;
        }
    }

    /// Puts what the plan needs of a pair of blocks, or of one, in its slots, no more.
    #[inline(always)]
    fn sources(&self, plan: &Plan, blocks: &[Frag], pair: usize, values: &mut Values) {
        let (Some(a), Some(b)) = (blocks.first(), blocks.last()) else {
            return;
        };
        if plan.reads(slot::COL0) {
            put(values, slot::COL0, pair, &a.col0, &b.col0);
        }
        if plan.reads(slot::COL1) {
            put(values, slot::COL1, pair, &a.col1, &b.col1);
        }
        if plan.reads_fog() {
            values[slot::FOG].put(pair, &a.fog, &b.fog);
        }
        let (registers, _) = values[slot::TEX0..slot::FOG].as_chunks_mut();
        for (i, register) in registers.iter_mut().enumerate().take(4) {
            if self.live >> i & 1 == 0 || !plan.reads(slot::TEX0 + 4 * i) {
                continue;
            }
            if self.bytes >> i & 1 != 0 {
                rc::put_texels(register, pair, &a.stages.texels[i], &b.stages.texels[i]);
            } else {
                let (a, b) = (&a.stages.registers[i], &b.stages.registers[i]);
                for (c, to) in register.iter_mut().enumerate() {
                    to.put(pair, &a[c], &b[c]);
                }
            }
        }
    }

    /// Runs the live stages: texels where those are all there is to a register, registers
    /// elsewhere.
    #[inline(always)]
    fn texels<L: SampleLanes>(&self, blocks: &mut [Frag]) {
        if !self.all_simple {
            let live = [self.live, self.bytes];
            return simd::stages(self.level, &self.program, &self.textures(), live, blocks);
        }
        for (i, simple) in self.simple.iter().enumerate() {
            if let Some(simple) = simple {
                simple.fill::<L>(i, blocks);
            }
        }
    }

    /// What the stages sample.
    fn textures(&self) -> stage::Textures<'_> {
        stage::Textures {
            units: &self.units,
            images: &self.images,
            simple: &self.simple,
        }
    }

    /// The registers as the rasteriser leaves them.
    fn registers(&self, frag: &Frag) -> rc::Registers {
        let mut regs = rc::CLEAR;
        regs[reg::COL0] = frag.col0;
        regs[reg::COL1] = frag.col1;
        regs[reg::FOG][3] = if self.combiners.known.fog {
            frag.fog
        } else {
            [255; LANES]
        };
        regs
    }

    /// Any state, all registers.
    fn general(&self, frag: &mut Frag) -> [I; 4] {
        let mut regs = self.registers(frag);
        let blocks = slice::from_mut(frag);
        simd::stages(
            self.level,
            &self.program,
            &self.textures(),
            [0xf, 0],
            blocks,
        );
        regs[reg::TEX0..reg::TEX0 + 4].copy_from_slice(&frag.stages.registers);
        self.combiners.words.run(&mut regs)
    }
}

/// Takes four channels of a pair of blocks to the slots from `first` on.
#[inline(always)]
fn put(values: &mut Values, first: usize, pair: usize, a: &[I; 4], b: &[I; 4]) {
    for (c, to) in values[first..first + 4].iter_mut().enumerate() {
        to.put(pair, &a[c], &b[c]);
    }
}

/// What the combiners find in a texture register.
fn register(program: &Program, units: &[Option<Arc<Unit>>; 4], i: usize) -> TextureRange {
    match (program.ops[i], &units[i]) {
        (Op::PassThrough, _) => TextureRange::Unsigned,
        // A stage without a texture shows what it depends on at most.
        (op, None) if op.plain() || !op.samples() => TextureRange::Opaque,
        (_, Some(unit))
            if unit.control.signed == [false; 4]
                && unit.control.class != Class::Yuv
                && !program.conversion.of_all() =>
        {
            TextureRange::Unsigned
        }
        _ => TextureRange::Signed,
    }
}

/// Stages that anything depends on, one bit each.
fn live(program: &Program, units: &[Option<Arc<Unit>>; 4], plan: Option<&Plan>) -> u8 {
    let Some(plan) = plan.filter(|_| program.ops.iter().all(|op| op.plain())) else {
        return 0xf;
    };
    let kills = |u: &Arc<Unit>| u.control.alpha_kill || u.control.key_kill;
    (0..4)
        .filter(|&i| plan.reads(slot::TEX0 + 4 * i) || units[i].as_ref().is_some_and(kills))
        .fold(0, |live, i| live | 1 << i)
}

#[cfg(test)]
mod tests;
