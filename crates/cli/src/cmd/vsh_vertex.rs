//! `isotherm vsh run CAPTURE --draw N --vertex K`: a vertex of a capture on its way
//! through the vertex engine.

use super::replay::open;
use super::vsh::numbers;
use anyhow::Context;
use isotherm::gpu;
use isotherm_inspect::vertex::{self, COLORS, Way, name};
use std::path::Path;

/// Replays to the draw, and shows the vertex.
pub fn run(
    path: &Path,
    draw: u64,
    vertex: usize,
    quiet: bool,
    as_json: bool,
) -> anyhow::Result<()> {
    let mut reader = open(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    gpu.set_until_draw(Some(draw));
    gpu.watch_vertex(draw.saturating_sub(1), vertex);
    while let Some(record) = reader.next_record()? {
        gpu.record(record)?;
        if gpu.draws() >= draw {
            break;
        }
    }
    let draws = gpu.draws();
    let found = gpu.watched_vertex().with_context(|| {
        let name = crate::input::name(path);
        if (1..=draws).contains(&draw) {
            format!("{name}: draw {draw} has no vertex {vertex}")
        } else {
            crate::usage::no_draw(&name, draw, draws).to_string()
        }
    })?;
    let way = vertex::follow(found)?;
    if as_json {
        say!("{}", way.json());
    } else {
        print(&way, quiet)?;
    }
    Ok(())
}

fn print(way: &Way, quiet: bool) -> anyhow::Result<()> {
    if !quiet {
        for (i, value) in way.inputs.iter().enumerate() {
            say!("v[{i}] = {}", numbers(value));
        }
        for (slot, text, changed) in &way.steps {
            say!("{slot:4}  {text}");
            for (name, value) in changed {
                say!("        {name} = {}", numbers(value));
            }
        }
        for seen in &way.seen {
            say!("{} = {}", name(seen), numbers(&seen.values));
        }
    }
    for (name, value) in way.outputs() {
        say!("{name} = {}", numbers(&value));
    }
    for (name, color) in COLORS.into_iter().zip(way.out.color) {
        let [r, g, b, a] = color;
        say!("{name} = {r:02x} {g:02x} {b:02x} {a:02x}");
    }
    Ok(())
}
