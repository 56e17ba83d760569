//! A Mali's draws as files: the picture behind each, textures, render state, programs and
//! positions.

use super::{Folder, What, gltf};
use crate::usage::Draws;
use isotherm::capture::{Image, Reader, read_all};
use isotherm::gpu::Gpu;
use isotherm_inspect::follow::mali::{self, Draw};
use isotherm_inspect::follow::shapes;
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};
use std::fmt::Write;

/// Writes the files; says how many draws there are.
pub fn run(folder: &mut Folder<'_>, reader: &mut Reader<'_>, wanted: Draws) -> anyhow::Result<u64> {
    let records = read_all(reader)?;
    let mut gpu = Gpu::new(Chip::Mali400);
    let mut draws = 0;
    mali::draws(&records, &mut gpu, |draw, gpu| {
        draws = draw.number;
        if wanted.contains(draw.number) {
            one(folder, draw)?;
            textures(folder, draw, gpu)?;
        }
        Ok(())
    })?;
    if folder.wants(What::Targets) {
        for draw in wanted.first..=wanted.last.min(draws) {
            let (gpu, surface) = mali::until(&records, draw)?;
            if let Some(surface) = surface {
                folder.picture(draw, "color", &surface.read(&gpu.memory))?;
            }
        }
    }
    Ok(draws)
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
    if folder.wants(What::Vertices) {
        let mut text = String::from("vertex,x,y,z,w\n");
        for (i, [x, y, z, w]) in draw.positions.iter().enumerate() {
            let _ = writeln!(text, "{i},{x},{y},{z},{w}");
        }
        folder.text(number, "vertices-out.csv", &text)?;
        let modes = isotherm_inspect::names::PRIMS.iter();
        let primitive = modes.into_iter().position(|mode| *mode == draw.draw.mode);
        let all = shapes(primitive.unwrap_or(0) as u8, draw.positions.len());
        let document = gltf::document(&draw.positions, &[], &all);
        folder.text(number, "mesh-out.gltf", &document)?;
    }
    Ok(())
}
