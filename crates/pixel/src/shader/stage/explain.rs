//! What the texture stages do for one lane.

use super::{Block, State, Textures};
use crate::frag::I;
use crate::shader::{Op, Program};
use isotherm_bus::observe::Stage;
use isotherm_bus::observe::name;
use isotherm_lanes::Base;
use isotherm_regs::bundle::TEX_SHADER_PROGRAM;

/// Runs the stages as [`super::run`] does and says what lane `lane` saw.
pub fn explain(
    program: &Program,
    textures: &Textures<'_>,
    mut block: Block<'_>,
    registers: &mut [[I; 4]],
    lane: usize,
) -> Vec<Stage> {
    let mut state = State::new(program, textures);
    let mut stages = Vec::new();
    for (i, register) in registers.iter_mut().enumerate().take(4) {
        let op = program.ops[i];
        let mut sampled = None;
        if op != Op::None
            && let Some(mut coords) = state.coords::<Base>(i, &mut block)
            && let Some(sampler) = state.sampler(i, &mut coords)
        {
            sampled = Some(sampler.explain(&coords, lane));
            state.texels[i] = sampler.sample(&coords, block.mask);
        }
        state.result(i, register);
        if op == Op::None {
            continue;
        }
        let set = &block.tex[i];
        let depends = op.dots()
            || matches!(
                op,
                Op::BumpEnv | Op::BumpEnvLum | Op::DependentAr | Op::DependentGb
            );
        stages.push(Stage {
            stage: i,
            program: name(TEX_SHADER_PROGRAM::VALUES, op as u32),
            set: [0, 1, 2, 3].map(|c| set[c][lane]),
            source: depends.then_some(program.source[i]),
            dot: op.dots().then(|| state.dots[i][lane]),
            sampled,
            luminance: state.luminance[i].map(|l| l[lane]),
            register: [0, 1, 2, 3].map(|c| register[c][lane]),
        });
    }
    stages
}
