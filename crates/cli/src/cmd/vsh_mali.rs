//! `isotherm vsh run` of a Mali's capture: the vertex program of a draw, and where it put a
//! vertex.

use crate::input;
use crate::usage::{no_draw, usage};
use isotherm::capture::read_all;
use isotherm::gpu;
use isotherm_inspect::follow::mali;
use serde_json::json;
use std::path::Path;

/// Shows the program of a draw, or where it put one vertex.
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
    gpu.set_drawing(false);
    let records = read_all(&mut reader)?;
    let wanted = draw.unwrap_or(1);
    let (mut found, mut draws) = (None, 0);
    mali::draws(&records, &mut gpu, |draw, _| {
        draws = draw.number;
        if draw.number == wanted {
            found = Some((draw.vertex.clone(), draw.positions.clone()));
        }
        Ok(())
    })?;
    let Some((program, positions)) = found else {
        return Err(no_draw(&name, wanted, draws));
    };
    let Some(program) = program else {
        return Err(usage(format!(
            "{name}: the geometry job of draw {wanted} names no vertex program for its positions"
        )));
    };
    let at = vertex.unwrap_or(0);
    let Some(position) = positions.get(at) else {
        return Err(usage(format!(
            "{name}: draw {wanted} has no vertex {at}: it has {}",
            positions.len()
        )));
    };
    let bits = position.map(f32::to_bits);
    if as_json {
        let steps: Vec<_> = program
            .text
            .lines()
            .map(|line| json!({ "text": line }))
            .collect();
        say!(
            "{}",
            json!({ "schema": "isotherm-vsh-1", "steps": steps, "vertex": at,
                "outputs": { "window position": bits } })
        );
        return Ok(());
    }
    if !quiet {
        put!("{}", program.text);
    }
    say!(
        "vertex {at}: window position = {}",
        super::vsh::numbers(&bits)
    );
    Ok(())
}
