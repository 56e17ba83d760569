//! Fragment programs of Rankine and Curie: what runs in the place of texture shader and
//! combiners.
//!
//! [`Fragments::prepare`] is called when a state word changed, [`Fragments::bind`] when a
//! draw starts, [`Fragments::run`] for every block of fragments.

pub mod alike;
mod apart;
mod compute;
mod exec;
mod explain;
mod flow;
mod lanes;
mod list;
pub mod load;
mod modulate;
mod operations;
mod pack;
mod plan;
mod shorten;
mod signs;

#[cfg(test)]
mod tests;

pub(crate) use apart::{Apart, mask_by_quads};
pub(crate) use exec::Groups;
pub(crate) use lanes::{ALL_LANES, Lanes};
pub use load::ProgramCache;
pub(crate) use plan::INPUTS;

use crate::frag::{ColorPairs, F, Frag, I, LANES, channels};
use crate::rop::prepare::Surfaces;
use crate::shader::Bundles;
use crate::tex::program::{BoundUnit, ProgramUnit};
use crate::tex::{self, TexCache};
use exec::Units;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_lanes::{Lane, Level};
use isotherm_regs::Chip;
use isotherm_regs::bundle::{PS_CONTROL, PS_OFFSET};
use plan::{Plan, Results};
use std::slice;
use std::sync::Arc;

/// Numbers of the inputs.
pub mod input {
    /// Window position.
    pub const POSITION: usize = 0;
    /// Diffuse colour; the specular one follows.
    pub const COLOR: usize = 1;
    /// Fog factor.
    pub const FOG: usize = 3;
    /// The first set of texture coordinates.
    pub const TEX: usize = 4;
    /// 1 or -1 for front and back faces.
    pub const FACING: usize = 14;
}

/// Does R1.z replace the depth? Rankine's word has the number of registers in the same
/// bits; only Mesa's way of setting all three is known.
fn writes_depth(chip: Chip, control: u32) -> bool {
    if chip.since(Chip::Nv40) {
        PS_CONTROL::DEPTH.get(chip, control) != 0
    } else {
        PS_CONTROL::USED_REGS.get(chip, control) & 0xe == 0xe
    }
}

/// Where the active program begins.
fn address(chip: Chip, bundles: &Bundles, spans: [DmaSpan; 2]) -> u32 {
    let offset = bundles.PS_OFFSET;
    let span = spans[PS_OFFSET::DMA.get(chip, offset) as usize & 1];
    span.base
        .wrapping_add(PS_OFFSET::OFFSET.get(chip, offset) << 6)
}

/// The fragment program of a draw.
#[derive(Clone, Debug)]
pub struct Fragments {
    plan: Arc<Plan>,
    /// Where it lies in memory.
    code: (u32, usize),
    prepared: Vec<(usize, ProgramUnit)>,
    units: Arc<Units>,
    /// See [`Fragments::stands_apart`].
    apart: bool,
    level: Level,
    /// The buffer's depth where the program writes 1.
    depth_scale: f32,
}

impl Fragments {
    /// The active program and its texture units; `None` on chips that have no programs,
    /// and where there is no program in memory.
    pub fn prepare(
        chip: Chip,
        bundles: &Bundles,
        tex: &tex::Bundles,
        spans: [DmaSpan; 2],
        mem: &Memory,
        cache: &mut ProgramCache,
        surfaces: &Surfaces,
    ) -> Option<Fragments> {
        if !chip.since(Chip::Nv30) {
            return None;
        }
        let control = bundles.PS_CONTROL;
        let address = address(chip, bundles, spans);
        let results = Results {
            full: PS_CONTROL::FULL_RESULTS.is_set(chip, control),
            depth: writes_depth(chip, control),
            more: surfaces.more.iter().flatten().count() as u8,
        };
        let plan = cache.get(chip.family(), mem, address, results)?;
        let prepared = (0..16)
            .filter(|i| plan.units >> i & 1 != 0)
            .filter_map(|i| Some((i, ProgramUnit::prepare(chip, tex, spans, i)?)))
            .collect();
        Some(Fragments {
            code: (address, 4 * plan.words),
            plan,
            prepared,
            units: Arc::new([const { None }; 16]),
            apart: false,
            level: Level::current(),
            depth_scale: surfaces.depth_scale(chip),
        })
    }

    /// Memory that it and its textures lie in.
    pub fn reads(&self) -> impl Iterator<Item = (u32, usize)> {
        let textures = self.prepared.iter().map(|(_, unit)| unit.reads());
        std::iter::once(self.code).chain(textures)
    }

    /// Memory that the active program may lie in, as far as the chip looks for its end.
    pub fn code(chip: Chip, bundles: &Bundles, spans: [DmaSpan; 2]) -> Option<(u32, usize)> {
        let found = chip.since(Chip::Nv30);
        found.then(|| (address(chip, bundles, spans), 4 * load::MOST))
    }

    /// Steps of a pixel, loops apart.
    pub(crate) fn price(&self) -> u64 {
        self.plan.price()
    }

    /// Steps that loops may take for a block of pixels, at most.
    pub(crate) fn most_loop_steps(&self) -> u64 {
        self.plan.loop_steps.into()
    }

    /// Takes the textures' present contents from memory. To be called before every draw.
    pub fn bind(&mut self, mem: &Memory, cache: &mut TexCache) {
        let mut units: Units = [const { None }; 16];
        for (i, unit) in &self.prepared {
            units[*i] = Some(unit.bind(mem, cache));
        }
        self.units = Arc::new(units);
        self.apart = self.plan.sights.iter().flatten().all(|sight| {
            let unit = &self.units[usize::from(sight.unit & 15)];
            unit.as_ref().is_none_or(BoundUnit::stands_apart)
        }) && self.plan.sights.is_some();
    }

    /// The components of each input that it reads, a bit each.
    pub fn inputs(&self) -> &[u8; INPUTS] {
        &self.plan.reads
    }

    /// Does it read the window's z?
    pub fn reads_depth(&self) -> bool {
        self.plan.reads[input::POSITION] >> 2 & 1 != 0
    }

    /// Is the colour the diffuse one, byte by byte? A test goes through all bytes.
    pub(crate) fn hands_on_color(&self) -> bool {
        self.plan.hands_on_color()
    }

    /// May a block lose lanes or get another depth?
    pub fn kills_or_moves(&self) -> bool {
        let mut units = self.prepared.iter().map(|(_, unit)| unit);
        let textures = units.any(|unit| unit.kills || unit.key_kills());
        self.plan.kills || textures || self.plan.depth.is_some()
    }

    /// Shades a block: returns R, G, B, A as 0..=255, takes killed lanes out of
    /// `frag.mask` and may replace `frag.z`. The inputs are in `frag.program`.
    #[inline(always)]
    pub fn run(&self, frag: &mut Frag) -> [I; 4] {
        channels(&self.run_pairs(frag))
    }

    /// The same; returns blue and red, green and alpha, sixteen bits each.
    #[inline(always)]
    pub(crate) fn run_pairs(&self, frag: &mut Frag) -> ColorPairs {
        let mut color = [[0; LANES]; 2];
        let lanes = &mut frag.program;
        self.run_groups(lanes, &Groups::ONE, slice::from_mut(&mut color));
        self.kill_and_move(frag);
        color
    }

    /// May blocks be shaded together? Those with branches count their steps one by one.
    #[inline(always)]
    pub(crate) fn is_straight(&self) -> bool {
        !self.plan.branches
    }

    /// Shades lanes that have their inputs and does nothing but that; `colors` gets those of each
    /// group.
    #[inline(always)]
    pub(crate) fn run_groups(
        &self,
        lanes: &mut Lanes,
        groups: &Groups<'_>,
        colors: &mut [ColorPairs],
    ) {
        exec::run(self.level, &self.plan, &self.units, lanes, groups, colors);
    }

    /// May pixels leave their quads, once [`Fragments::look`] has seen these?
    #[inline(always)]
    pub(crate) fn stands_apart(&self) -> bool {
        self.apart
    }

    /// Finds what a program needs whole quads for, at the lanes that are meant, and puts it
    /// to the front for those in `mask`.
    #[inline(always)]
    pub(crate) fn look<S: Apart>(&self, lanes: &mut Lanes, mask: u32) {
        for sight in self.plan.sights.iter().flatten() {
            sight.look::<S>(&self.units, lanes, mask);
        }
    }

    /// A colour result of the block that ran last, as it is.
    pub(crate) fn result(&self, frag: &Frag, number: usize) -> [F; 4] {
        let place = match number.checked_sub(1) {
            None => self.plan.color,
            Some(i) => self.plan.more.get(i).copied().unwrap_or(self.plan.color),
        };
        [0, 1, 2, 3].map(|c| {
            let (quads, mut rows) = (frag.program.register(place, c), [0.0; LANES]);
            for i in 0..LANES {
                rows[row_lane(i)] = quads[i];
            }
            rows
        })
    }

    /// A colour result as bytes.
    pub(crate) fn bytes(&self, result: &[F; 4]) -> [I; 4] {
        result
            .each_ref()
            .map(|c| exec::byte_lanes(self.plan.family, c))
    }

    /// What a program does besides its colour.
    #[inline(always)]
    fn kill_and_move(&self, frag: &mut Frag) {
        let lanes = &*frag.program;
        if lanes.left == 0 {
            // It was cut: its colours are nobody's.
            frag.mask = 0;
        }
        if lanes.killed() != 0 {
            frag.mask &= !rows_mask(lanes.killed());
        }
        if let Some(place) = self.plan.depth {
            let z = lanes.register(place, 2);
            for i in 0..LANES {
                frag.z[row_lane(i)] = z[i] * self.depth_scale;
            }
        }
    }
}

#[cfg(test)]
impl Fragments {
    /// A Curie's program, of text; no textures.
    pub fn assembled(text: &str) -> Fragments {
        let family = isotherm_regs::Family::Curie;
        let words = isotherm_regs::fp::asm::assemble(family, text).unwrap();
        let program = isotherm_regs::fp::Program::decode(family, &words).unwrap();
        let plan = Plan::new(family, program, Results::default());
        Fragments {
            apart: plan.sights.is_some(),
            plan: Arc::new(plan),
            code: (0, 0),
            prepared: Vec::new(),
            units: Arc::new([const { None }; 16]),
            level: Level::current(),
            depth_scale: 16_777_215.0,
        }
    }
}

/// The lane of a block (two rows of eight) that lane `i` of four quads is.
#[inline(always)]
fn row_lane(i: usize) -> usize {
    (i & 2) << 2 | i >> 1 & 6 | i & 1
}

/// Values of a block by quads, as singles.
#[inline(always)]
pub fn to_quads(rows: &[f64; LANES]) -> Lane {
    let mut quads = [0.0; LANES];
    for i in 0..LANES {
        quads[i] = rows[row_lane(i)] as f32;
    }
    quads
}

/// The same of any values.
#[inline(always)]
pub(crate) fn by_quads<T: Copy>(rows: &[T; LANES]) -> [T; LANES] {
    std::array::from_fn(|i| rows[row_lane(i)])
}

/// Lanes of quads as lanes of a block.
fn rows_mask(quads: u32) -> u16 {
    (0..LANES).fold(0, |mask, i| mask | ((quads >> i & 1) as u16) << row_lane(i))
}
