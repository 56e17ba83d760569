//! Programs and render states of a Mali's captures: written to memory in front of the job, and
//! back behind it.

use super::{Change, Code, Whole, textures};
use anyhow::Context;
use isotherm::capture::{Payload, Writer};
use isotherm::gpu::Gpu;
use isotherm::mali::trace::{self, Shader};
use isotherm_inspect::repaint;
use isotherm_regs::Chip;
use isotherm_regs::find::Target;
use isotherm_regs::mali::isa_pp;
use isotherm_regs::mali::words::{RSW, RSW_SHADER};
use std::collections::BTreeMap;

/// Words by address.
type Words = BTreeMap<u32, u32>;

/// Place of the fragment program in the render state.
const SHADER_WORD: usize = 9;

/// The capture with the changes.
pub fn edit(whole: &Whole, change: &Change, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut gpu = Gpu::new(whole.chip);
    // A texture may be what an earlier job draws.
    let drawing = !change.textures.is_empty();
    gpu.set_drawing(drawing);
    // What each record needs in front of it.
    let mut front: BTreeMap<usize, Words> = BTreeMap::new();
    let (mut geometry, mut vertex) = (0, Vec::new());
    let mut draws = 0;
    for (index, record) in whole.records.iter().enumerate() {
        let record = record.record();
        match &record.payload {
            Payload::Gp(job) => {
                geometry = index;
                vertex = trace::vertex_programs(&gpu.memory, job.frame)?;
            }
            Payload::Pp(job) => {
                let Some(machine) = gpu.mali() else { break };
                for draw in trace::draws(machine, &gpu.memory, job.frame)? {
                    draws += 1;
                    if !change.draws.contains(draws) {
                        continue;
                    }
                    let program = vertex.iter().find(|v| v.0 == draw.positions).map(|v| &v.1);
                    if let Some(words) = vertex_words(change, program)? {
                        front.entry(geometry).or_default().extend(words);
                    }
                    let mut words = fragment_words(change, &gpu, &draw)?;
                    words.extend(texture_words(change, &gpu, &draw, draws)?);
                    front.entry(index).or_default().extend(words);
                }
            }
            _ => {}
        }
        gpu.record(record)?;
    }
    change.draws.check(draws, name)?;
    write(whole, &front, drawing)
}

/// Copies the records, each job with its words in front and the old ones behind.
fn write(whole: &Whole, front: &BTreeMap<usize, Words>, drawing: bool) -> anyhow::Result<Vec<u8>> {
    let mut gpu = Gpu::new(whole.chip);
    gpu.set_drawing(drawing);
    let mut writer = whole.writer()?;
    for (index, record) in whole.records.iter().enumerate() {
        let empty = Words::new();
        let new = front.get(&index).unwrap_or(&empty);
        let old: Words = new
            .keys()
            .map(|at| (*at, gpu.memory.read_u32(*at)))
            .collect();
        put(&mut writer, new)?;
        record.write(&mut writer)?;
        put(&mut writer, &old)?;
        gpu.record(record.record())?;
    }
    Ok(writer.finish()?)
}

fn put(writer: &mut Writer<Vec<u8>>, words: &Words) -> std::io::Result<()> {
    for (address, word) in words {
        writer.memory(*address, &word.to_le_bytes())?;
    }
    Ok(())
}

fn at(address: u32, words: &[u32]) -> Words {
    (0u32..)
        .zip(words)
        .map(|(i, word)| (address.wrapping_add(4 * i), *word))
        .collect()
}

fn vertex_words(change: &Change, program: Option<&Shader>) -> anyhow::Result<Option<Words>> {
    let new = change.programs.iter().find_map(|code| match code {
        Code::MaliVertex(words) => Some(words),
        _ => None,
    });
    let Some(new) = new else { return Ok(None) };
    let Some(old) = program else {
        anyhow::bail!("the geometry job names no vertex program for this draw");
    };
    anyhow::ensure!(
        new.len() == old.words.len(),
        "the vertex program has {} instructions; the job's commands say {}",
        new.len() / 4,
        old.words.len() / 4
    );
    Ok(Some(at(old.addr, new)))
}

/// What the pictures make of the textures of a draw.
fn texture_words(
    change: &Change,
    gpu: &Gpu,
    draw: &trace::Draw,
    number: u64,
) -> anyhow::Result<Words> {
    let mut all = Words::new();
    if change.textures.is_empty() {
        return Ok(all);
    }
    let known = isotherm::mali::textures(&gpu.memory, &draw.state);
    let known: Vec<_> = known.into_iter().flatten().collect();
    for paint in &change.textures {
        let found = known.iter().find(|texture| texture.sampler == paint.unit);
        let texture = found.with_context(|| format!("draw {number} has no {}", paint.name))?;
        let bytes = repaint::utgard(texture, &gpu.memory, paint.part, &paint.picture)
            .with_context(|| paint.name.clone())?;
        let words = textures::words(&gpu.memory, &bytes);
        all.extend(words.into_iter().map(|(at, (new, _))| (at, new)));
    }
    Ok(all)
}

fn fragment_words(change: &Change, gpu: &Gpu, draw: &trace::Draw) -> anyhow::Result<Words> {
    let mut words = Words::new();
    let state = |slot: usize| draw.rsw.wrapping_add(4 * slot as u32);
    for (target, value) in &change.words {
        match target {
            Target::Slot(record, slot) if record.name == RSW.name => {
                words.insert(state(*slot), *value);
            }
            _ => anyhow::bail!("{} is no word of the render state", target.label()),
        }
    }
    for code in &change.programs {
        let new = match code {
            Code::MaliFragment(words) => words,
            Code::MaliVertex(_) => continue,
            _ => anyhow::bail!("a program of an NVIDIA chip in a Mali's capture"),
        };
        let old = trace::fragment_program(&gpu.memory, &draw.state);
        let beyond = at(old.addr, new).into_keys().skip(old.words.len());
        let free = beyond.into_iter().all(|at| gpu.memory.read_u32(at) == 0);
        anyhow::ensure!(
            free,
            "the fragment program has {} words; there is room for {}",
            new.len(),
            old.words.len()
        );
        words.extend(at(old.addr, new));
        let code = isa_pp::decode_program(new, new.len())?;
        let first = code.first().map_or(0, |i| i.len() as u32);
        let word = draw.state.get(SHADER_WORD).copied().unwrap_or(0);
        let word = RSW_SHADER::FIRST_INSTR_LENGTH.with(Chip::Mali400, word, first);
        words.insert(state(SHADER_WORD), word);
    }
    Ok(words)
}
