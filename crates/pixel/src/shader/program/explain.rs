//! What a program did to one pixel.

use super::plan::INPUTS;
use super::{Fragments, exec, row_lane};
use crate::frag::{Frag, LANES};
use isotherm_bus::observe::{ProgramInput, ProgramRun, ProgramStep};
use isotherm_regs::fp::asm;

impl Fragments {
    /// Runs the program on a block's inputs and says what lane `lane` saw.
    pub(crate) fn explain(&self, frag: &mut Frag, lane: usize) -> ProgramRun {
        let row = lane;
        let lane = (0..LANES).find(|&i| row_lane(i) == row).unwrap_or(0);
        let lanes = &mut *frag.program;
        let inputs = (0..INPUTS)
            .filter(|&number| self.plan.reads[number] != 0)
            .map(|number| ProgramInput {
                name: asm::input_name(self.plan.family, number as u8),
                value: [0, 1, 2, 3].map(|c| {
                    let read = self.plan.reads[number] >> c & 1 != 0;
                    read.then(|| lanes.input(number, c)[lane])
                }),
            })
            .collect();
        let mut steps = Vec::new();
        exec::watch(&self.plan, &self.units, lanes, &mut |seen| {
            let inst = &self.plan.program.insts[seen.step];
            let ran = seen.ran >> lane & 1 != 0;
            let written = |c: usize| seen.written[c] >> lane & 1 != 0;
            steps.push(ProgramStep {
                word: inst.at,
                text: asm::text(self.plan.family, inst),
                ran,
                killed: seen.killed >> lane & 1 != 0,
                result: [0, 1, 2, 3].map(|c| written(c).then(|| seen.result[c][lane])),
            });
        });
        ProgramRun {
            inputs,
            steps,
            color: [0, 1, 2, 3].map(|c| {
                exec::byte_lanes(self.plan.family, &lanes.register(self.plan.color, c))[lane]
            }),
        }
    }
}
