//! What the texture stages do for one lane.

use super::{State, Textures};
use crate::frag::Frag;
use crate::shader::{Op, Program};
use isotherm_bus::observe::Stage;
use isotherm_bus::observe::name;
use isotherm_lanes::Base;
use isotherm_regs::bundle::TEX_SHADER_PROGRAM;

/// Runs the stages as [`super::run`] does and says what lane `lane` saw.
pub fn explain(
    program: &Program,
    textures: &Textures<'_>,
    frag: &mut Frag,
    lane: usize,
) -> Vec<Stage> {
    frag.stages.start(program);
    let mut state = State {
        program,
        textures,
        frag,
    };
    let mut stages = Vec::new();
    for i in 0..4 {
        let op = program.ops[i];
        let mut sampled = None;
        if op != Op::None
            && let Some(mut coords) = state.coords::<Base>(i)
            && let Some(sampler) = state.sampler(i, &mut coords)
        {
            sampled = Some(sampler.explain(&coords, lane));
            state.frag.stages.texels[i] = sampler.sample(&coords, &mut state.frag.mask);
        }
        state.result(i);
        if op == Op::None {
            continue;
        }
        let (set, known) = (&state.frag.tex[i], &state.frag.stages);
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
            dot: op.dots().then(|| known.dots[i][lane]),
            sampled,
            luminance: (op == Op::BumpEnvLum).then(|| known.luminance[i][lane]),
            register: [0, 1, 2, 3].map(|c| known.registers[i][c][lane]),
        });
    }
    stages
}
