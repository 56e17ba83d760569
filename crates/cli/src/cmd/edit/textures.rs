//! Pictures that become textures: which part of which, and what that means for memory.

use super::Change;
use crate::usage::usage;
use crate::{input, picture};
use anyhow::Context;
use isotherm::capture::Image;
use isotherm::gpu;
use isotherm::memory::Memory;
use isotherm_inspect::follow::{self, Next, Step};
use isotherm_inspect::repaint::{self, Bytes};
use isotherm_inspect::texture::Part;
use std::collections::BTreeMap;
use std::path::Path;

/// A picture for a part of a texture.
pub struct Paint {
    /// As the user called it.
    pub name: String,
    /// The texture unit; a Mali's sampler.
    pub unit: usize,
    pub part: Part,
    pub picture: Image,
}

/// `0=brick.png`, `0-level1-face2=brick.png`: the names that `dump` gives, without the draw.
pub fn read(text: &str) -> anyhow::Result<Paint> {
    let (name, file) = text.split_once('=').unwrap_or((text, ""));
    let wrong = || {
        usage(format!(
            "{text} is not UNIT=FILE, such as 0=brick.png or 0-level1-face2=brick.png"
        ))
    };
    let mut words = name.strip_prefix("texture").unwrap_or(name).split('-');
    let unit = words.next().and_then(|word| word.parse().ok());
    let mut part = Part {
        level: 0,
        face: 0,
        slice: 0,
    };
    for word in words {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let number: u32 = digits.parse().map_err(|_| wrong())?;
        match &word[..word.len() - digits.len()] {
            "level" => part.level = number as usize,
            "face" => part.face = number,
            "slice" => part.slice = number,
            _ => return Err(wrong()),
        }
    }
    if file.is_empty() {
        return Err(wrong());
    }
    Ok(Paint {
        name: format!("texture {name}"),
        unit: unit.ok_or_else(wrong)?,
        part,
        picture: picture::load(Path::new(file))?,
    })
}

/// Words by address, new and as they were.
pub type Words = BTreeMap<u32, (u32, u32)>;

/// Whole words of memory with some bytes in them changed.
pub fn words(memory: &Memory, bytes: &Bytes) -> Words {
    let mut all = Words::new();
    for (address, byte) in bytes {
        let (at, shift) = (address & !3, 8 * (address & 3));
        let old = memory.read_u32(at);
        let (new, _) = all.entry(at).or_insert((old, old));
        *new = *new & !(0xff << shift) | u32::from(*byte) << shift;
    }
    all
}

/// What the pictures make of an NVIDIA chip's memory in front of the first of the draws.
pub fn nvidia(capture: &Path, change: &Change) -> anyhow::Result<Words> {
    let mut all = Words::new();
    if change.textures.is_empty() {
        return Ok(all);
    }
    let mut reader = input::open_capture(capture)?;
    let mut gpu = gpu::start(&mut reader)?;
    follow::follow(
        &mut reader,
        &mut gpu,
        |_| false,
        |step, gpu, mirror| {
            if !matches!(step, Step::Begin(draw) if draw == change.draws.first) {
                return Ok(Next::Go);
            }
            gpu.finish();
            for paint in &change.textures {
                let draw = change.draws.first;
                let found = (paint.unit < mirror.texture_units())
                    .then(|| mirror.texture(paint.unit))
                    .flatten();
                let source = found.with_context(|| format!("draw {draw} has no {}", paint.name))?;
                let bytes = repaint::nvidia(&source, &gpu.memory, paint.part, &paint.picture)
                    .with_context(|| paint.name.clone())?;
                all.extend(words(&gpu.memory, &bytes));
            }
            Ok(Next::Stop)
        },
    )?;
    Ok(all)
}

/// Neighbours together: the first's address and all words.
pub fn runs(words: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, Vec<u32>)> {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (at, word) in words {
        match runs.last_mut() {
            Some((start, list)) if start.wrapping_add(4 * list.len() as u32) == at => {
                list.push(word);
            }
            _ => runs.push((at, vec![word])),
        }
    }
    runs
}
