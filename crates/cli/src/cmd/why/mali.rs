//! Why a Mali's draw shows nothing.

use super::{Args, Deciding, Reason, SAMPLES, Verdict};
use crate::input;
use crate::usage::Draws;
use isotherm::capture::{Owned, Surface, read_all};
use isotherm::gpu::{self, Gpu};
use isotherm::observe::{MaliFragment, Outcome, Touch};
use isotherm_inspect::follow::mali;
use isotherm_picture::screenshot::first_difference;
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};

/// Says why.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let wanted = args.draw.unwrap_or(Draws::ALL);
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader)?;
    let records = read_all(&mut reader)?;
    let mut draws = Vec::new();
    mali::draws(&records, &mut gpu, |draw, _| {
        draws.push((
            draw.number,
            draw.job,
            draw.draw.clone(),
            draw.positions.clone(),
        ));
        Ok(())
    })?;
    wanted.check(draws.len() as u64, &input::name(&args.capture))?;
    let mut silent = true;
    for (number, job, draw, positions) in &draws {
        if !wanted.contains(*number) {
            continue;
        }
        let (before, _) = mali::without(&records, *number, *job, draw.rsw)?;
        let (after, surface) = mali::until(&records, *number)?;
        let changed = surface.as_ref().map_or(0, |s| changed(s, &before, &after));
        if changed > 0 && args.draw.is_none() {
            continue;
        }
        silent = false;
        let reasons = match &surface {
            _ if changed > 0 => Vec::new(),
            None => vec![Reason::new("pp", "the capture shows no surface")],
            Some(surface) => reasons(&records, *number, draw, positions, surface)?,
        };
        let verdict = Verdict {
            schema: "isotherm-why-1",
            draw: *number,
            primitive: draw.mode.into(),
            vertices: draw.elements,
            color_changed: changed,
            zeta_changed: 0,
            reasons,
        };
        verdict.print(args.json)?;
    }
    if silent && !args.json {
        say!("{}", super::all_show(draws.len() as u64));
    }
    Ok(())
}

fn changed(surface: &Surface, before: &Gpu, after: &Gpu) -> usize {
    let (a, b) = (surface.read(&before.memory), surface.read(&after.memory));
    first_difference(&a, &b).map_or(0, |(_, count)| count)
}

fn reasons(
    records: &[Owned],
    number: u64,
    draw: &isotherm::mali::trace::Draw,
    positions: &[[f32; 4]],
    surface: &Surface,
) -> anyhow::Result<Vec<Reason>> {
    if draw.elements == 0 {
        return Ok(vec![Reason::new("plbu", "it has no vertices")]);
    }
    if !positions.is_empty() && positions.iter().all(|p| p.iter().any(|c| !c.is_finite())) {
        let text = "every position is infinite or no number: see the vertex program";
        return Ok(vec![Reason::new("gp", text)]);
    }
    let mut found = Vec::new();
    for three in positions.chunks(3).take(SAMPLES) {
        let mean = |axis: usize| three.iter().map(|p| p[axis]).sum::<f32>() / three.len() as f32;
        let (x, y) = (mean(0), mean(1));
        let inside =
            (0.0..surface.width as f32).contains(&x) && (0.0..surface.height as f32).contains(&y);
        if !inside {
            continue;
        }
        // Window y counts from the first row in memory.
        let y = match surface.origin.as_str() {
            "bottom" => surface.height - 1 - y as u32,
            _ => y as u32,
        };
        let address = surface.address(x as u32, y);
        found.extend(watch(records, number, address)?);
    }
    if found.is_empty() {
        let text = "none of its triangles reaches a pixel: culled, without area, or outside viewport and scissor";
        found.push(Reason::new("plbu", text));
    }
    super::fragments::settle(&mut found);
    Ok(found)
}

fn watch(records: &[Owned], number: u64, address: u32) -> anyhow::Result<Vec<Reason>> {
    let mut gpu = Gpu::new(Chip::Mali400);
    gpu.set_until_draw(Some(number));
    gpu.watch(Some(address));
    let mut reasons = Vec::new();
    for record in records {
        gpu.record(record.record())?;
        for touch in gpu.touches() {
            if let Touch::Mali(f) = touch
                && f.draw == number
            {
                reasons.push(of_fragment(&f));
            }
        }
    }
    Ok(reasons)
}

fn of_fragment(f: &MaliFragment) -> Reason {
    let at = format!("at ({}, {})", f.x, f.y);
    let test = |test: &Option<isotherm::observe::Test>| {
        test.map_or(String::new(), |t| {
            format!(": {:X}h {} {:X}h", t.incoming, t.function, t.stored)
        })
    };
    let (unit, text, slots): (_, _, &[usize]) = match f.outcome {
        Outcome::OutsideDepthRange => ("pp", "its depth is outside the depth range".into(), &[4]),
        Outcome::StencilFailed => {
            let shown = test(&f.stencil_test.as_ref().map(|s| s.test));
            ("pp", format!("the stencil test fails{shown}"), &[5, 6, 7])
        }
        Outcome::DepthFailed => (
            "pp",
            format!("the depth test fails{}", test(&f.depth_test)),
            &[3],
        ),
        Outcome::AlphaFailed => (
            "pp",
            format!("the alpha test fails{}", test(&f.alpha_test)),
            &[7],
        ),
        Outcome::Killed => {
            let step = f.steps.iter().find(|s| s.killed).map_or("", |s| &s.text);
            ("pp", format!("the program discards it: {step}"), &[9])
        }
        Outcome::NotSampled => ("pp", "no sample is covered".into(), &[8]),
        Outcome::Written => {
            let text = "what is written is what was there, or the colour mask keeps it out";
            ("pp", text.into(), &[2])
        }
    };
    let mut reason = Reason::new(unit, format!("{at} {text}"));
    let (words, _) = explain::record(Chip::Mali400, &RSW, &f.state);
    for slot in slots {
        if let Some(word) = words.get(*slot) {
            reason.words.push(Deciding {
                register: word.name.to_string(),
                word: word.value,
                fields: word.fields(),
            });
        }
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_without_vertices_says_so() {
        let draw = isotherm::mali::trace::Draw {
            mode: "triangles",
            elements: 0,
            vertices: Vec::new(),
            rsw: 0,
            positions: 0,
            state: vec![0; 16],
        };
        let found = reasons(&[], 1, &draw, &[], &Surface::default()).expect("reasons");
        assert_eq!(found[0].unit, "plbu");
    }
}
