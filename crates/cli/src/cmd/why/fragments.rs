//! What keeps fragments from changing a pixel: one pixel of each draw is watched.

use super::{Args, Reason, Verdict};
use crate::input;
use isotherm::gpu;
use isotherm::observe::{Fragment, Outcome, Touch};
use isotherm_inspect::follow::{self, Mirror, Next, Step};
use isotherm_regs::bundle as id;
use isotherm_regs::{Chip, Family};
use std::collections::BTreeMap;

/// Replays and watches one pixel of each of these draws.
pub fn watch(
    args: &Args,
    pixels: &BTreeMap<u64, u32>,
    verdicts: &mut [Verdict],
) -> anyhow::Result<()> {
    let last = pixels.keys().next_back().copied().unwrap_or(0);
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader)?;
    follow::follow(
        &mut reader,
        &mut gpu,
        |_| false,
        |step, gpu, mirror| {
            match step {
                Step::Begin(draw) => {
                    let pixel = pixels.get(&draw).copied();
                    gpu.touches();
                    gpu.watch(pixel);
                }
                Step::End(draw) => {
                    let touches = gpu.touches();
                    gpu.watch(None);
                    if pixels.contains_key(&draw)
                        && let Some(verdict) = verdicts.iter_mut().find(|v| v.draw == draw)
                    {
                        verdict.reasons.extend(judge(mirror, &touches));
                    }
                    if draw >= last {
                        return Ok(Next::Stop);
                    }
                }
                _ => {}
            }
            Ok(Next::Go)
        },
    )
}

fn judge(mirror: &Mirror, touches: &[Touch]) -> Vec<Reason> {
    let reasons: Vec<Reason> = touches
        .iter()
        .filter_map(|touch| match touch {
            Touch::Fragment(fragment) => Some(of_fragment(mirror, fragment)),
            _ => None,
        })
        .collect();
    if reasons.is_empty() {
        let text = "no fragment at the pixel in the middle of a primitive: it covers no pixel centre, or stipple, user clip planes or window clip rectangles took it";
        return vec![Reason::new("raster", text).by(mirror, id::RASTER, 0)];
    }
    reasons
}

fn of_fragment(mirror: &Mirror, f: &Fragment) -> Reason {
    let at = format!("at ({}, {})", f.x, f.y);
    let test = |test: &isotherm::observe::Test| {
        format!("{:X}h {} {:X}h", test.incoming, test.function, test.stored)
    };
    match f.outcome {
        Outcome::OutsideDepthRange => Reason::new(
            "raster",
            format!("{at} its depth is outside the depth range"),
        )
        .by(mirror, id::DEPTH_RANGE_NEAR, 0)
        .by(mirror, id::DEPTH_RANGE_FAR, 0)
        .by(mirror, id::Z_CONFIG, 0),
        Outcome::StencilFailed => {
            let shown = f
                .stencil_test
                .as_ref()
                .map(|s| test(&s.test))
                .unwrap_or_default();
            Reason::new("rop", format!("{at} the stencil test fails: {shown}")).by(
                mirror,
                id::STENCIL_A,
                0,
            )
        }
        Outcome::DepthFailed => {
            let shown = f.depth_test.as_ref().map(test).unwrap_or_default();
            Reason::new("rop", format!("{at} the depth test fails: {shown}")).by(
                mirror,
                id::CONFIG_A,
                0,
            )
        }
        Outcome::AlphaFailed => {
            let shown = f.alpha_test.as_ref().map(test).unwrap_or_default();
            let reason = Reason::new("rop", format!("{at} the alpha test fails: {shown}")).by(
                mirror,
                id::CONFIG_A,
                0,
            );
            match mirror.chip.since(Chip::Nv40) {
                true => reason.by(mirror, id::ALPHA_FUNC_REF, 0),
                false => reason,
            }
        }
        Outcome::Killed => {
            let unit = if f.program.is_some() { "shader" } else { "tex" };
            let step = f.program.iter().flat_map(|p| &p.steps).find(|s| s.killed);
            let by = step.map_or("a texture stage".into(), |s| s.text.clone());
            let reason = Reason::new(unit, format!("{at} the fragment is killed by {by}"));
            match mirror.chip.family() {
                Family::Kelvin => {
                    reason
                        .by(mirror, id::TEX_SHADER_OP, 0)
                        .by(mirror, id::TEX_SHADER_CULL_MODE, 0)
                }
                _ => reason,
            }
        }
        Outcome::NotSampled => Reason::new("rop", format!("{at} sample coverage leaves it out"))
            .by(mirror, id::MULTISAMPLE, 0),
        Outcome::Written => written(mirror, f, &at),
    }
}

fn written(mirror: &Mirror, f: &Fragment, at: &str) -> Reason {
    let Some(write) = &f.write else {
        let text = format!("{at} it is written, but no colour surface is bound");
        return Reason::new("rop", text);
    };
    if write.mask == 0 {
        let reason = Reason::new("rop", format!("{at} all write masks of the colour are off"));
        return match mirror.chip.family() {
            Family::Curie => reason.by(mirror, id::COLOR_MASK, 0),
            _ => reason.by(mirror, id::CONFIG_A, 0),
        };
    }
    let color = f.before.color.unwrap_or(0);
    let reason = Reason::new(
        "rop",
        format!(
            "{at} what is written ({:08X}h) is what was there ({color:08X}h)",
            write.word
        ),
    );
    if write.blend.is_some() || write.logic.is_some() {
        return reason.by(mirror, id::BLEND, 0);
    }
    reason
}

/// One reason is said once. What a fragment met decides over primitives that had none, and
/// primitives that got to no pixel are the only reason where none did.
pub fn settle(reasons: &mut Vec<Reason>) {
    let mut seen: Vec<(&'static str, String)> = Vec::new();
    reasons.retain(|reason| {
        // The place is another each time.
        let text = reason
            .text
            .split_once(") ")
            .map_or(&*reason.text, |(_, rest)| rest);
        let text = text.split([':', '(']).next().unwrap_or(text).to_string();
        let key = (reason.unit, text);
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
}
