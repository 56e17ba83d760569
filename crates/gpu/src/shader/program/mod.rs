//! Fragment programs of Rankine and Curie: what runs in the place of texture shader and
//! combiners.
//!
//! [`Fragments::prepare`] is called when a state word changed, [`Fragments::bind`] when a
//! draw starts, [`Fragments::run`] for every block of fragments.

mod exec;
mod explain;
mod flow;
pub(crate) mod load;
mod pack;
mod plan;

#[cfg(test)]
mod tests;

pub(crate) use exec::Lanes;
pub(crate) use load::ProgramCache;
pub(crate) use plan::INPUTS;

use crate::Chip;
use crate::bundle::{DmaSpan, Words};
use crate::frag::{Frag, I, LANES};
use crate::memory::Memory;
use crate::simd::{Lane, Level};
use crate::tex::TexCache;
use crate::tex::program::ProgramUnit;
use exec::Units;
use isotherm_regs::bundle::{self as id, PS_CONTROL, PS_OFFSET};
use plan::{Plan, Results};
use std::sync::Arc;

/// Numbers of the inputs.
pub(crate) mod input {
    pub(crate) const POSITION: usize = 0;
    pub(crate) const COLOR: usize = 1;
    pub(crate) const FOG: usize = 3;
    pub(crate) const TEX: usize = 4;
    pub(crate) const FACING: usize = 14;
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

/// The fragment program of a draw.
#[derive(Clone, Debug)]
pub(crate) struct Fragments {
    plan: Arc<Plan>,
    prepared: Vec<(usize, ProgramUnit)>,
    units: Arc<Units>,
    level: Level,
    /// The largest depth.
    depth_top: f32,
}

impl Fragments {
    /// The active program and its texture units; `None` on chips that have no programs,
    /// and where there is no program in memory.
    pub(crate) fn prepare(
        chip: Chip,
        words: &Words,
        spans: [DmaSpan; 2],
        mem: &Memory,
        cache: &mut ProgramCache,
        depth_top: f32,
    ) -> Option<Fragments> {
        if !chip.since(Chip::Nv30) {
            return None;
        }
        let offset = words.get(id::PS_OFFSET);
        let control = words.get(id::PS_CONTROL);
        let span = spans[PS_OFFSET::DMA.get(chip, offset) as usize & 1];
        let address = span
            .base
            .wrapping_add(PS_OFFSET::OFFSET.get(chip, offset) << 6);
        let results = Results {
            full: PS_CONTROL::FULL_RESULTS.is_set(chip, control),
            depth: writes_depth(chip, control),
        };
        let plan = cache.get(chip.family(), mem, address, results)?;
        let prepared = (0..16)
            .filter(|i| plan.units >> i & 1 != 0)
            .filter_map(|i| Some((i, ProgramUnit::prepare(chip, words, spans, i)?)))
            .collect();
        Some(Fragments {
            plan,
            prepared,
            units: Arc::new([const { None }; 16]),
            level: Level::default(),
            depth_top,
        })
    }

    /// Memory that its textures lie in.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (u32, usize)> {
        self.prepared.iter().map(|(_, unit)| unit.reads())
    }

    /// Takes the textures' present contents from memory. To be called before every draw.
    pub(crate) fn bind(&mut self, mem: &Memory, cache: &mut TexCache) {
        let mut units: Units = [const { None }; 16];
        for (i, unit) in &self.prepared {
            units[*i] = Some(unit.bind(mem, cache));
        }
        self.units = Arc::new(units);
    }

    /// The components of each input that it reads, a bit each.
    pub(crate) fn inputs(&self) -> &[u8; INPUTS] {
        &self.plan.reads
    }

    /// May a block lose lanes or get another depth?
    pub(crate) fn kills_or_moves(&self) -> bool {
        self.plan.kills || self.plan.depth.is_some()
    }

    /// Shades a block: returns R, G, B, A as 0..=255, takes killed lanes out of
    /// `frag.mask` and may replace `frag.z`. The inputs are in `frag.program`.
    pub(crate) fn run(&self, frag: &mut Frag) -> [I; 4] {
        let lanes = &mut *frag.program;
        exec::run(self.level, &self.plan, &self.units, lanes);
        self.results(frag)
    }

    fn results(&self, frag: &mut Frag) -> [I; 4] {
        let lanes = &*frag.program;
        frag.mask &= !rows_mask(lanes.killed);
        if let Some(place) = self.plan.depth {
            let z = to_rows(&lanes.register(place, 2));
            for i in 0..LANES {
                frag.z[i] = z[i] * self.depth_top;
            }
        }
        [0, 1, 2, 3].map(|c| to_rows(&lanes.register(self.plan.color, c)).map(byte))
    }
}

/// 0 … 1 as a byte, to nearest; what is no number is 0.
fn byte(x: f32) -> i32 {
    let x = if x > 0.0 { x.min(1.0) } else { 0.0 };
    (x * 255.0 + 0.5) as i32
}

/// The lane of a block (two rows of eight) that lane `i` of four quads is.
#[inline(always)]
fn row_lane(i: usize) -> usize {
    (i & 2) << 2 | i >> 1 & 6 | i & 1
}

/// Values of a block by quads.
#[inline(always)]
pub(crate) fn to_quads(rows: &[f64; LANES]) -> Lane {
    std::array::from_fn(|i| rows[row_lane(i)] as f32)
}

/// And back.
#[inline(always)]
fn to_rows(quads: &Lane) -> Lane {
    let mut rows = [0.0; LANES];
    for i in 0..LANES {
        rows[row_lane(i)] = quads[i];
    }
    rows
}

/// Lanes of quads as lanes of a block.
fn rows_mask(quads: u32) -> u16 {
    (0..LANES).fold(0, |mask, i| mask | ((quads >> i & 1) as u16) << row_lane(i))
}
