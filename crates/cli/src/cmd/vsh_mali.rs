//! `isotherm vsh run` of a Mali's capture: a vertex of a draw, step by step.

use super::vsh::numbers;
use crate::input;
use crate::usage::{no_draw, usage};
use isotherm::capture::read_all;
use isotherm::gpu::{self, Gpu};
use isotherm::mali::trace::VertexRun;
use isotherm_inspect::follow::mali;
use std::path::Path;

/// Shows what the program of a draw does with a vertex, the first unless another is asked for.
pub fn run(
    path: &Path,
    draw: Option<u64>,
    vertex: Option<usize>,
    quiet: bool,
    as_json: bool,
) -> anyhow::Result<()> {
    let name = input::name(path);
    let mut reader = input::open_capture(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    let records = read_all(&mut reader)?;
    let (wanted, at) = (draw.unwrap_or(1), vertex.unwrap_or(0));
    let (mut found, mut draws) = (None, 0);
    mali::draws(&records, &mut gpu, |draw, _| {
        draws = draw.number;
        if draw.number == wanted {
            let vertex = draw.draw.vertices.get(at).copied();
            found = Some((draw.draw.positions, draw.job, draw.vertex.is_some(), vertex));
        }
        Ok(())
    })?;
    let Some((positions, job, has_program, number)) = found else {
        return Err(no_draw(&name, wanted, draws));
    };
    if !has_program {
        return Err(usage(format!(
            "{name}: no program of the geometry job writes the positions of draw {wanted}: the driver put them into memory itself, as it does to fill a surface or to copy one into the tiles; `isotherm dump --draw {wanted} --what vertices` writes them"
        )));
    }
    let mut fresh = Gpu::builder(gpu.chip()).build()?;
    let run = match (mali::pixel_job(&records, job), number) {
        (Some(record), Some(number)) => {
            mali::vertex(&mut fresh, &records, record, positions, number as usize)?
        }
        _ => None,
    };
    let Some(run) = run else {
        return Err(usage(format!("{name}: draw {wanted} has no vertex {at}")));
    };
    if as_json {
        say!("{}", mali::vertex_json(&run));
        return Ok(());
    }
    print(&run, quiet)
}

fn print(run: &VertexRun, quiet: bool) -> anyhow::Result<()> {
    let bits = |value: &[f32; 4]| numbers(&value.map(f32::to_bits));
    if !quiet {
        for (i, value) in run.inputs.iter().enumerate() {
            say!("attribute[{i}] = {}", bits(value));
        }
        for step in &run.steps {
            say!("{:4}  {}", step.slot, step.text);
            for (name, value) in &step.writes {
                say!("        {name} = {}", bits(value));
            }
        }
        say!("{} instructions", run.steps.len());
    }
    for (name, value) in &run.outputs {
        say!("{name} = {}", bits(value));
    }
    Ok(())
}
