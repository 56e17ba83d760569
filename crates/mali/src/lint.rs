//! Render states that contradict themselves or the frame they are used in.

use crate::pp::rsw::{RenderState, func};
use crate::pp::shader::Program;
use crate::words::{rsw as f, wb};
use crate::{Error, Machine, command_stream};
use isotherm_bus::memory::Memory;

/// A remark on a draw's render state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Draw within the job, from 0.
    pub draw: usize,
    /// Address of the render state.
    pub rsw: u32,
    /// A word for programs.
    pub code: &'static str,
    /// What contradicts what.
    pub text: String,
}

/// The targets that a frame writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Targets {
    pub color: bool,
    pub depth: bool,
}

/// Looks at all draws that the pixel job `frame` would draw.
pub fn lint(m: &Machine, mem: &Memory, frame: &[u32]) -> Result<Vec<Remark>, Error> {
    use crate::words::frame as fr;
    let mut targets = Targets::default();
    for unit in 0..fr::WB_UNITS {
        let at = fr::WB + unit * fr::WB_WORDS;
        match frame.get(at + wb::TYPE) {
            Some(2) => targets.color = true,
            Some(1) => targets.depth = true,
            _ => {}
        }
    }
    let lists = crate::pp::lists_of(m, mem, frame)?;
    let mut out = Vec::new();
    for (draw, d) in lists.draws.iter().enumerate() {
        let words = command_stream::words(mem, d.rsw, 16);
        let program = command_stream::words(mem, RenderState::new(&words).shader, 1 << 12);
        let program = Program::new(&program, false).ok();
        let mut say = |code: &'static str, text: String| {
            out.push(Remark {
                draw,
                rsw: d.rsw,
                code,
                text,
            });
        };
        state(&words, program.as_ref(), targets, &mut say);
    }
    Ok(out)
}

/// Where remarks go: a word for programs, and a sentence.
type Say<'a> = dyn FnMut(&'static str, String) + 'a;

/// Checks one render state.
pub fn state(w: &[u32], program: Option<&Program>, targets: Targets, say: &mut Say) {
    let s = RenderState::new(w);
    early_tests(w, &s, program, say);
    blending(&s, say);
    unstored(&s, targets, say);
    stencil_and_samples(&s, say);
    if s.depth_range[0] > s.depth_range[1] {
        say("depth-range", "the depth range is reversed".into());
    }
    if let Some(program) = program {
        resources(&s, program, say);
    }
}

/// Tests before the program that its results should have a say in.
fn early_tests(w: &[u32], s: &RenderState, program: Option<&Program>, say: &mut Say) {
    let early = f::EARLY_Z.on(w);
    let kill = f::PIXEL_KILL.on(w);
    let late: Vec<&str> = [
        (
            program.is_some_and(|p| p.discards),
            "a program that discards",
        ),
        (s.alpha_func != crate::pp::rsw::ALWAYS, "an alpha test"),
        (
            s.shader_depth || s.shader_depth_stencil,
            "depth from the program",
        ),
        (s.alpha_to_coverage, "alpha to coverage"),
    ]
    .into_iter()
    .filter_map(|(on, what)| on.then_some(what))
    .collect();
    for what in &late {
        if early {
            say(
                "early-z",
                format!("early Z with {what}: the test would come before its result"),
            );
        }
        if kill {
            say(
                "pixel-kill",
                format!("pixel kill with {what}: pixels behind may still show"),
            );
        }
    }
    if kill && s.reads_color() {
        say(
            "pixel-kill-blend",
            "pixel kill, but the colour behind matters (blending or mask)".into(),
        );
    }
}

fn blending(s: &RenderState, say: &mut Say) {
    const ONE: u32 = 11;
    const ZERO: u32 = 3;
    for (name, equation, src, dst) in [
        ("RGB", s.func_rgb, s.src_rgb, s.dst_rgb),
        ("alpha", s.func_a, s.src_a, s.dst_a),
    ] {
        if matches!(equation, func::MIN | func::MAX) && (src, dst) != (ONE, ZERO) {
            say(
                "min-max-factors",
                format!(
                    "{name}: minimum or maximum with factors {src} and {dst}; they are applied first"
                ),
            );
        }
        if equation > func::MAX {
            say(
                "equation",
                format!("{name}: blend equation {equation} is not known"),
            );
        }
    }
    if (s.func_rgb == func::LOGIC_OP) != (s.func_a == func::LOGIC_OP) {
        say(
            "half-logic-op",
            "a logic operation for colour or alpha alone".into(),
        );
    }
    for (name, factor) in [("source", s.src_a), ("destination", s.dst_a)] {
        if factor & 7 == 4 && s.func_a != func::LOGIC_OP {
            say(
                "saturate-alpha",
                format!("alpha's {name} factor is SRC_ALPHA_SATURATE; it counts as ONE"),
            );
        }
    }
}

/// What is written and then not stored.
fn unstored(s: &RenderState, targets: Targets, say: &mut Say) {
    if s.color_mask != 0 && !targets.color {
        say(
            "mask-without-colour",
            "colour is written, but the frame stores none".into(),
        );
    }
    if !targets.depth {
        if s.depth_write && s.depth_func != crate::pp::rsw::ALWAYS {
            say(
                "depth-not-stored",
                "depth is tested and written, but the frame stores none".into(),
            );
        }
        if s.stencil.iter().any(|st| !st.idle()) {
            say(
                "stencil-not-stored",
                "stencil changes, but the frame stores none".into(),
            );
        }
    }
}

fn stencil_and_samples(s: &RenderState, say: &mut Say) {
    if s.stencil
        .iter()
        .any(|st| st.write == 0 && (st.fail | st.zfail | st.zpass) != 0)
    {
        say(
            "stencil-mask",
            "stencil operations with a write mask of zero".into(),
        );
    }
    if s.shader_stencil && !s.shader_depth_stencil {
        say(
            "stencil-from-program",
            "stencil from the program without the combined flag".into(),
        );
    }
    if !s.msaa && (s.alpha_to_coverage || s.sample_mask != 15) {
        say(
            "samples-without-msaa",
            "sample mask or alpha to coverage without multisampling".into(),
        );
    }
    if s.sample_mask == 0 {
        say(
            "no-samples",
            "the sample mask is zero: nothing is drawn".into(),
        );
    }
}

/// Samplers and uniforms that the program uses and nobody gives.
fn resources(s: &RenderState, program: &Program, say: &mut Say) {
    let most = program
        .lookups
        .iter()
        .map(|l| l.sampler + 1)
        .max()
        .unwrap_or(0);
    if most as usize > s.sampler_count {
        say(
            "samplers",
            format!(
                "the program uses {most} samplers, {} are given",
                s.sampler_count
            ),
        );
    }
    let uniforms = program
        .consts
        .iter()
        .any(|c| matches!(c, crate::pp::shader::Const::Uniform(_)));
    if uniforms && !s.has_uniforms {
        say(
            "uniforms",
            "the program reads uniforms, none are given".into(),
        );
    }
}
