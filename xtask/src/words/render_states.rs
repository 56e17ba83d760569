//! Every Mali render state of the streams and dumps decodes without an unknown
//! value in a known field, and comes back from its text.

use anyhow::{Context, bail};
use isotherm::capture::{Payload, Reader};
use isotherm_regs::mali::words::{GP_ADDRESS, PLBU, RSW, VS};
use isotherm_regs::record::Command;
use isotherm_regs::{Chip, Kind, explain};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const CHIP: Chip = Chip::Mali400;
/// Most commands of one stream; real ones have some thousands.
const MOST: usize = 1 << 20;

#[derive(Default)]
struct Seen {
    states: u64,
    commands: u64,
    different: BTreeSet<[u32; 16]>,
    faults: BTreeSet<String>,
}

impl Seen {
    fn merge(mut self, other: Seen) -> Seen {
        self.states += other.states;
        self.commands += other.commands;
        self.different.extend(other.different);
        self.faults.extend(other.faults);
        self
    }

    fn state(&mut self, words: [u32; 16]) {
        self.states += 1;
        if !self.different.insert(words) {
            return;
        }
        for (slot, &value) in RSW.slots.iter().zip(&words) {
            let word = slot.reading(CHIP, value);
            for field in word.on(CHIP, 0) {
                let raw = field.get(CHIP, value);
                if let Kind::Enum(values) = field.kind
                    && values.name_of(CHIP, raw).is_none()
                {
                    self.faults.insert(format!(
                        "{}.{} = {raw:#x} has no name",
                        word.name, field.name
                    ));
                }
            }
            let text = explain::word(CHIP, word, 0, value).fields();
            let back = explain::encode(CHIP, word, 0, text.split_whitespace());
            if back != Ok(value) {
                self.faults
                    .insert(format!("{} {value:08x} comes back as {back:x?}", word.name));
            }
        }
    }
}

/// A Mali's memory as far as the CPU wrote it, by pages.
#[derive(Default)]
struct Memory(BTreeMap<u32, Vec<u8>>);

impl Memory {
    fn write(&mut self, addr: u32, bytes: &[u8]) {
        for (i, byte) in bytes.iter().enumerate() {
            let at = addr.wrapping_add(i as u32);
            let page = self.0.entry(at >> 12).or_insert_with(|| vec![0; 4096]);
            page[(at & 0xfff) as usize] = *byte;
        }
    }

    fn word(&self, addr: u32) -> u32 {
        let byte = |i: u32| {
            let at = addr.wrapping_add(i);
            self.0
                .get(&(at >> 12))
                .map_or(0, |page| page[(at & 0xfff) as usize])
        };
        u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    }

    fn state(&self, addr: u32) -> [u32; 16] {
        std::array::from_fn(|i| self.word(addr.wrapping_add(4 * i as u32)))
    }
}

/// Follows a command stream from `start` to `end`.
fn stream(memory: &Memory, table: &'static [Command], start: u32, end: u32, seen: &mut Seen) {
    let mut at = start;
    for _ in 0..MOST {
        if at == end {
            return;
        }
        let (value, opcode) = (memory.word(at), memory.word(at.wrapping_add(4)));
        at = at.wrapping_add(8);
        seen.commands += 1;
        match Command::find(table, opcode).map(|c| c.name) {
            Some("CONTINUE") => at = GP_ADDRESS::ADDRESS.get(CHIP, value),
            Some("RSW_VERTEX_ARRAY") => seen.state(memory.state(value)),
            Some("END") => return,
            Some(_) => {}
            None => {
                seen.faults
                    .insert(format!("command {value:08x} {opcode:08x} has no name"));
            }
        }
    }
}

fn capture(path: &Path) -> anyhow::Result<Seen> {
    let mut reader = Reader::new(File::open(path)?).with_context(|| path.display().to_string())?;
    let mut memory = Memory::default();
    let mut seen = Seen::default();
    while let Some(record) = reader
        .next_record()
        .with_context(|| path.display().to_string())?
    {
        match record.payload {
            Payload::Memory { addr, bytes } => memory.write(addr, bytes),
            Payload::Gp(job) if job.frame.len() >= 4 => {
                stream(&memory, VS, job.frame[0], job.frame[1], &mut seen);
                stream(&memory, PLBU, job.frame[2], job.frame[3], &mut seen);
            }
            // the frame's own render state
            Payload::Pp(job) if job.frame.len() >= 2 => seen.state(memory.state(job.frame[1])),
            _ => {}
        }
    }
    Ok(seen)
}

/// The render states of a text dump: a line that says so, then words in braces.
fn text_dump(path: &Path) -> anyhow::Result<Seen> {
    let mut text = String::new();
    zstd::stream::read::Decoder::new(File::open(path)?)?.read_to_string(&mut text)?;
    let mut seen = Seen::default();
    let mut words: Option<Vec<u32>> = None;
    for line in text.lines() {
        if line.contains("render state at va") {
            words = Some(Vec::new());
        } else if let Some(list) = &mut words {
            let line = line.split("/*").next().unwrap_or_default();
            for token in line.split([',', ' ', '\t']) {
                if let Some(hex) = token.strip_prefix("0x") {
                    list.push(u32::from_str_radix(hex, 16)?);
                }
            }
            if line.trim() == "}" {
                // some blobs hold several states
                for state in list.chunks_exact(16) {
                    seen.state(std::array::from_fn(|i| state[i]));
                }
                words = None;
            }
        }
    }
    Ok(seen)
}

/// Checks all of them.
pub fn run() -> anyhow::Result<()> {
    let streams = crate::shared().join("streams");
    let captures = super::files(&streams.join("mali400"), ".cap.zst");
    let dumps = super::files(&streams.join("lima-dumps"), ".txt.zst");
    if captures.is_empty() && dumps.is_empty() {
        println!("skipped: no Mali streams in {}", streams.display());
        return Ok(());
    }
    let a = captures
        .par_iter()
        .map(|p| capture(p))
        .try_reduce(Seen::default, |a, b| Ok(a.merge(b)))?;
    let b = dumps
        .par_iter()
        .map(|p| text_dump(p))
        .try_reduce(Seen::default, |a, b| Ok(a.merge(b)))?;
    println!(
        "{} captures: {} render states, {} commands; {} dumps: {} render states",
        captures.len(),
        a.states,
        a.commands,
        dumps.len(),
        b.states
    );
    let all = a.merge(b);
    println!(
        "{} different render states, {} faults",
        all.different.len(),
        all.faults.len()
    );
    if !all.faults.is_empty() {
        for fault in all.faults.iter().take(40) {
            println!("  {fault}");
        }
        bail!("render states do not decode");
    }
    Ok(())
}
