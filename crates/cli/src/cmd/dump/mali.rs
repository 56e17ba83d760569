//! A Mali's draws as files: the picture behind each, textures, render state, programs and
//! positions.

use super::{Folder, What};
use crate::usage::Draws;
use isotherm::capture::{Image, Owned, Reader, read_all};
use isotherm::gpu::Gpu;
use isotherm::mali::trace;
use isotherm_inspect::follow::mali::{self, Draw};
use isotherm_inspect::follow::shapes;
use isotherm_inspect::mesh::{self, gltf};
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};
use std::fmt::Write;

/// Writes the files; says how many draws there are.
pub fn run(folder: &mut Folder<'_>, reader: &mut Reader<'_>, wanted: Draws) -> anyhow::Result<u64> {
    let records = read_all(reader)?;
    let mut gpu = Gpu::new(Chip::Mali400);
    let (mut draws, mut jobs) = (0, Vec::new());
    mali::draws(&records, &mut gpu, |draw, gpu| {
        draws = draw.number;
        if wanted.contains(draw.number) {
            jobs.push((draw.number, draw.job, draw.draw.clone()));
            one(folder, draw)?;
            tiles(folder, draw)?;
            textures(folder, draw, gpu)?;
        }
        Ok(())
    })?;
    for (number, job, draw) in jobs {
        pictures(folder, &records, number, job)?;
        attributes(folder, &records, number, job, &draw)?;
    }
    Ok(draws)
}

/// What goes into the vertex program; the first attribute is taken for a place.
fn attributes(
    folder: &mut Folder<'_>,
    records: &[Owned],
    number: u64,
    job: u64,
    draw: &trace::Draw,
) -> anyhow::Result<()> {
    let Some(record) = mali::pixel_job(records, job).filter(|_| folder.wants(What::Vertices))
    else {
        return Ok(());
    };
    let mut gpu = Gpu::builder(Chip::Mali400).build()?;
    let attributes = mali::attributes(&mut gpu, records, record, draw)?;
    let Some(places) = attributes.first() else {
        return Ok(());
    };
    let text = mesh::attributes(&draw.vertices, &attributes);
    folder.text(number, "vertices-in.csv", &text)?;
    let all = shapes(primitive(draw), places.len());
    folder.text(number, "mesh-in.obj", &mesh::obj(places, &all))?;
    folder.text(number, "mesh-in.gltf", &gltf::document(places, &[], &all))
}

/// The number of a draw's primitive.
fn primitive(draw: &trace::Draw) -> u8 {
    let mut modes = isotherm_inspect::names::PRIMS.iter();
    modes.position(|mode| *mode == draw.mode).unwrap_or(0) as u8
}

/// The surfaces behind a draw.
fn pictures(folder: &mut Folder<'_>, records: &[Owned], draw: u64, job: u64) -> anyhow::Result<()> {
    if folder.wants(What::Targets) {
        let (gpu, surface) = mali::until(records, draw)?;
        if let Some(surface) = surface {
            folder.picture(draw, "color", &surface.read(&gpu.memory))?;
            if folder.args.raw {
                let bytes = surface.pitch as usize * surface.height as usize;
                let bytes = gpu.memory.bytes(surface.addr, bytes).to_vec();
                folder.bytes(draw, "color", &bytes)?;
            }
        }
    }
    if !folder.wants(What::Depth) && !folder.wants(What::Stencil) {
        return Ok(());
    }
    let Some(mut zeta) = mali::zeta(records, draw, job)? else {
        return Ok(());
    };
    let last = records.iter().rev().find_map(Owned::surface);
    if last.is_some_and(|surface| surface.origin == "bottom") {
        zeta = zeta.upside_down();
    }
    if folder.wants(What::Depth) {
        folder.picture(draw, "depth", &zeta.depth())?;
        if folder.args.raw {
            folder.words(draw, "zeta", &zeta.words)?;
        }
    }
    if folder.wants(What::Stencil) {
        folder.picture(draw, "stencil", &zeta.stencil())?;
    }
    Ok(())
}

/// Every texture that the samplers name, all levels and layers.
fn textures(folder: &mut Folder<'_>, draw: &Draw, gpu: &Gpu) -> anyhow::Result<()> {
    if !folder.wants(What::Textures) {
        return Ok(());
    }
    for texture in isotherm::mali::textures(&gpu.memory, &draw.draw.state) {
        let texture = match texture {
            Ok(texture) => texture,
            Err(error) => {
                note!("draw {}: {error}", draw.number);
                continue;
            }
        };
        for (number, level) in texture.levels.iter().enumerate() {
            let size = 4 * (level.width * level.height) as usize;
            for (layer, rgba) in level.rgba.chunks(size.max(1)).enumerate() {
                let mut name = format!("texture{}", texture.sampler);
                if texture.levels.len() > 1 {
                    name += &format!("-level{number}");
                }
                if level.layers > 1 {
                    let kind = if texture.cube { "face" } else { "slice" };
                    name += &format!("-{kind}{layer}");
                }
                let (width, height, rgba) = (level.width, level.height, rgba.to_vec());
                let image = Image {
                    width,
                    height,
                    rgba,
                };
                folder.picture(draw.number, &name, &image)?;
            }
        }
    }
    Ok(())
}

/// The tiles of the draw's job, and how many of its primitives have them in their bounds.
fn tiles(folder: &mut Folder<'_>, draw: &Draw) -> anyhow::Result<()> {
    if !folder.wants(What::Tiles) {
        return Ok(());
    }
    let bounds: Vec<[f32; 4]> = shapes(primitive(&draw.draw), draw.positions.len())
        .iter()
        .filter_map(|shape| bounds(&draw.positions, shape.vertices()))
        .collect();
    let mut text = String::from("order,x,y,primitives\n");
    for (order, &(x, y)) in draw.tiles.iter().enumerate() {
        let [left, top] = [x, y].map(|at| (at * TILE) as f32);
        let [right, bottom] = [left, top].map(|at| at + TILE as f32);
        let reaches = |b: &&[f32; 4]| b[0] < right && b[2] >= left && b[1] < bottom && b[3] >= top;
        let primitives = bounds.iter().filter(reaches).count();
        let _ = writeln!(text, "{order},{x},{y},{primitives}");
    }
    folder.text(draw.number, "tiles.csv", &text)
}

/// Pixels of a tile's side.
const TILE: u32 = 16;

/// Left, top, right and bottom of some vertices; `None` where a place is no number.
fn bounds(positions: &[[f32; 4]], vertices: &[usize]) -> Option<[f32; 4]> {
    let mut all = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    for &vertex in vertices {
        let [x, y, ..] = *positions.get(vertex)?;
        if !x.is_finite() || !y.is_finite() {
            return None;
        }
        all = [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)];
    }
    Some(all)
}

fn one(folder: &mut Folder<'_>, draw: &Draw) -> anyhow::Result<()> {
    let number = draw.number;
    if folder.wants(What::State) {
        let mut text = format!(
            "chip mali400\n# {} of job {}\nRSW",
            draw.draw.mode, draw.job
        );
        for word in &draw.draw.state {
            let _ = write!(text, " {word:#010x}");
        }
        text.push('\n');
        let (words, _) = explain::record(Chip::Mali400, &RSW, &draw.draw.state);
        for word in words {
            let _ = writeln!(
                text,
                "#   {} {:08x}  {}",
                word.name,
                word.value,
                word.fields()
            );
        }
        folder.text(number, "state.txt", &text)?;
    }
    if folder.wants(What::Programs) {
        if let Some(program) = &draw.vertex {
            folder.text(number, "vertex-program.txt", &program.text)?;
        }
        folder.text(number, "fragment-program.txt", &draw.fragment.text)?;
    }
    if folder.wants(What::Indices) {
        let mut text = String::from("vertex,number\n");
        for (i, vertex) in draw.draw.vertices.iter().enumerate() {
            let _ = writeln!(text, "{i},{vertex}");
        }
        folder.text(number, "indices.csv", &text)?;
    }
    if folder.wants(What::Vertices) {
        let text = mesh::positions(&draw.positions);
        folder.text(number, "vertices-out.csv", &text)?;
        let all = shapes(primitive(&draw.draw), draw.positions.len());
        folder.text(number, "mesh-out.obj", &mesh::obj(&draw.positions, &all))?;
        let document = gltf::document(&draw.positions, &[], &all);
        folder.text(number, "mesh-out.gltf", &document)?;
    }
    Ok(())
}
