//! A Mali's draws as files: the picture behind each, render state, programs and positions.

use super::{Folder, What};
use crate::usage::Draws;
use isotherm::capture::{Reader, read_all};
use isotherm::gpu::Gpu;
use isotherm_inspect::follow::mali::{self, Draw};
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};
use std::fmt::Write;

/// Writes the files; says how many draws there are.
pub fn run(folder: &mut Folder<'_>, reader: &mut Reader<'_>, wanted: Draws) -> anyhow::Result<u64> {
    let records = read_all(reader)?;
    let mut gpu = Gpu::new(Chip::Mali400);
    let mut draws = 0;
    mali::draws(&records, &mut gpu, |draw, _| {
        draws = draw.number;
        match wanted.contains(draw.number) {
            true => one(folder, draw),
            false => Ok(()),
        }
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
    }
    Ok(())
}
