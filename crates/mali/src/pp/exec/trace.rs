//! What a fragment program did to one pixel, instruction by instruction.

use super::{Input, Mask, Operand, Registers};
use crate::pp::shader::{Lookup, PixelCode, PixelOp, Program, row};
use crate::pp::tex::Sampler;
use isotherm_bus::observe::MaliLookup;
use isotherm_lanes::Base;
use std::sync::Arc;

/// Instructions that are written down; a loop may take many more.
const MAX_STEPS: usize = 1 << 12;

/// An instruction that the pixel went through.
pub(crate) struct TracedStep {
    /// Its number.
    pub(crate) step: usize,
    /// Rows that it wrote, in order.
    pub(crate) results: Vec<(u8, f32)>,
    pub(crate) lookup: Option<LookedUp>,
    pub(crate) killed: bool,
}

/// A texture lookup.
pub(crate) struct LookedUp {
    /// Number in the program.
    n: usize,
    sampler: usize,
    /// The quad's coordinates, pixel by pixel, and which of them is ours.
    quad: [[f32; 4]; 4],
    at: usize,
    lod: Option<f32>,
    result: [f32; 4],
}

impl LookedUp {
    /// What happened in the sampler.
    pub(crate) fn explain(
        self,
        lookups: &[Lookup],
        samplers: &[Option<Arc<Sampler>>],
    ) -> MaliLookup {
        let lookup = &lookups[self.n];
        let texture = samplers.get(self.sampler).and_then(Option::as_deref);
        let mut out = MaliLookup {
            sampler: self.sampler as u32,
            size: None,
            coords: self.quad[self.at],
            face: None,
            lod: None,
            levels: Vec::new(),
            result: self.result,
        };
        if let Some(texture) = texture {
            let lod = self.lod.map(|lod| (lod, lookup.explicit));
            texture.explain(&self.quad, self.at, lod, lookup.cube, &mut out);
        }
        out
    }
}

/// What one pixel went through.
pub(super) struct Trace {
    lane: usize,
    /// The pixel takes part in the instruction that runs.
    on: bool,
    pub(super) done: Vec<TracedStep>,
}

impl Trace {
    pub(super) fn new(lane: usize) -> Trace {
        Trace {
            lane,
            on: false,
            done: Vec::new(),
        }
    }

    /// The pixels `here` begin instruction `step`.
    pub(super) fn begin(&mut self, step: u32, here: Mask) {
        self.on = here >> self.lane & 1 != 0 && self.done.len() < MAX_STEPS;
        if self.on {
            self.done.push(TracedStep {
                step: step as usize,
                results: Vec::new(),
                lookup: None,
                killed: false,
            });
        }
    }

    /// Before an operation: where a lookup will look.
    pub(super) fn look_up(
        &mut self,
        program: &Program,
        op: &PixelOp,
        input: &Input,
        s: &Registers,
    ) {
        let Some(traced) = self.done.last_mut().filter(|_| self.on) else {
            return;
        };
        if op.code != PixelCode::Texture {
            return;
        }
        let lookup = &program.lookups[op.n as usize];
        let value = |src| Operand::new(input, s, src).get::<Base>(0)[self.lane];
        // The group's first pixel chooses the sampler for all of them.
        let shift = |src| Operand::new(input, s, src).get::<Base>(0)[0];
        let number = lookup.sampler as f32 + lookup.sampler_at.map_or(0.0, shift);
        let first = self.lane & !3;
        let coord = |i: usize, c: usize| s.row(row::COORD as usize + c)[0][first + i];
        traced.lookup = Some(LookedUp {
            n: op.n as usize,
            sampler: number.max(0.0) as usize,
            quad: std::array::from_fn(|i| std::array::from_fn(|c| coord(i, c))),
            at: self.lane & 3,
            lod: lookup.lod.map(value),
            result: [0.0; 4],
        });
    }

    /// After an operation: what it wrote.
    pub(super) fn note(&mut self, op: &PixelOp, s: &Registers) {
        let lane = self.lane;
        let Some(traced) = self.done.last_mut().filter(|_| self.on) else {
            return;
        };
        let value = |at: u8| s.row(at as usize)[0][lane];
        match op.code {
            PixelCode::Discard => traced.killed = true,
            PixelCode::StoreTemp => {}
            PixelCode::Texture => {
                let texel = [0, 1, 2, 3].map(|c| value(row::TEXTURE + c));
                if let Some(lookup) = &mut traced.lookup {
                    lookup.result = texel;
                }
                for (c, x) in texel.iter().enumerate() {
                    traced.results.push((row::TEXTURE + c as u8, *x));
                }
            }
            _ => {
                for c in 0..op.count {
                    traced.results.push((op.dst + c, value(op.dst + c)));
                }
            }
        }
    }
}
