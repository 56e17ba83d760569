//! Method vectors: one method on a given state, the registers and events that follow.

use super::{Tally, read};
use anyhow::{Context, Result, bail};
use isotherm::Chip;
use isotherm::bundle::Event;
use isotherm::fe::{Fe, Register};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// First line of a file.
#[derive(Deserialize)]
struct Header {
    chipset: String,
    class: String,
}

/// A method group.
#[derive(Deserialize)]
struct Group {
    group: String,
    regs: Option<Vec<String>>,
    #[serde(default)]
    pipe_dropped_in_lite: bool,
}

/// `[tier, mthd, data, inputs, outputs, events]`.
#[derive(Deserialize)]
struct Row<'a>(&'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

/// What one group came to.
#[derive(Default)]
struct Score {
    tally: Tally,
    first: Option<String>,
}

/// The state that rows of one group are run on.
struct Bench {
    chip: Chip,
    class: u32,
    regs: Vec<Register>,
    pipe_dropped: bool,
    ours: Fe,
    theirs: Option<Fe>,
    blank: Fe,
    st2: Register,
    data: Register,
    class_word: Register,
}

fn hex(text: &str) -> Result<u32> {
    u32::from_str_radix(text, 16).with_context(|| format!("not a hex number: {text:?}"))
}

fn known(name: &str) -> Result<Register> {
    Fe::register(name).with_context(|| format!("no register {name}"))
}

impl Bench {
    fn new(chip: Chip, class: u32) -> Result<Bench> {
        let mut blank = Fe::new(chip);
        blank.clear();
        Ok(Bench {
            chip,
            class,
            regs: Vec::new(),
            pipe_dropped: false,
            ours: Fe::new(chip),
            theirs: Some(Fe::new(chip)),
            blank,
            st2: known("fifo_mthd_st2")?,
            data: known("fifo_data_st2[0]")?,
            class_word: known("ctx_switch_a")?,
        })
    }

    /// `index:value` pairs.
    fn pairs<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Result<(&'a Register, u32)>> {
        text.split_ascii_whitespace().map(|pair| {
            let (index, value) = pair.split_once(':').context("no colon")?;
            let register = self.regs.get(index.parse::<usize>()?).context("index")?;
            Ok((register, hex(value)?))
        })
    }

    /// Runs a row; `Some` says what was wrong.
    fn row(&mut self, row: &Row, events: &mut Vec<Event>) -> Result<Option<String>> {
        let &Row(tier, mthd, data, inputs, outputs, wanted) = row;
        let (mthd, data) = (hex(mthd)?, hex(data)?);
        let lite = tier == "l";
        let mut state = self.theirs.take().context("state")?;
        state.load(&self.blank);
        state.set(&self.class_word, self.class);
        state.set(&self.st2, mthd | 1 << 26);
        // The subchannel decides which object `grobj` means, so it has to be known first.
        for pass in 0..2 {
            for pair in self.pairs(inputs) {
                let (register, value) = pair?;
                if pass == 1 || register.name() == "fifo_mthd_st2" {
                    state.set(register, value);
                }
            }
        }
        if lite {
            state.set(&self.data, data);
        }
        self.ours.load(&state);
        events.clear();
        self.ours.execute(events);
        for pair in self.pairs(outputs) {
            let (register, value) = pair?;
            state.set(register, value);
        }
        let list = event_list(events, self.chip);
        if lite {
            let slot = self.pipe_dropped && !wanted.contains(['X', 'V', 'F']);
            state.adopt(&self.ours, self.pipe_dropped, slot);
        }
        let mut wrong = None;
        if list != wanted || !self.ours.same(&state) {
            let diff: Vec<String> = self
                .ours
                .differences(&state)
                .into_iter()
                .map(|(name, ours, theirs)| format!("{name} is {ours:x}, not {theirs:x}"))
                .collect();
            let events = if list == wanted {
                String::new()
            } else {
                format!("; events {list:?}, not {wanted:?}")
            };
            wrong = Some(format!("{tier} {mthd:x} <- {data:x}: {}{events}", diff.join(", ")));
        }
        self.theirs = Some(state);
        Ok(wrong)
    }
}

/// Events in the vectors' notation. Celsius vectors list bundles only.
fn event_list(events: &[Event], chip: Chip) -> String {
    let celsius = chip.family() == isotherm::Family::Celsius;
    let mut list = Vec::new();
    for event in events {
        match *event {
            Event::Bundle { id, value, last } => {
                let letter = if celsius { 'C' } else { 'B' };
                list.push(format!("{letter}{id:x},{value:x},{}", u8::from(last)));
            }
            _ if celsius => {}
            Event::Xf { cmd, addr, be, a, b } => {
                list.push(format!("X{cmd:x},{addr:x},{be:x},{a:x},{b:x}"));
            }
            Event::Attr { fmt, attr, ncomp, comp, data } => {
                list.push(format!("V{fmt:x},{attr:x},{ncomp:x},{comp:x},{data:x}"));
            }
            Event::Fd { cmd, arg } => list.push(format!("F{cmd:x},{arg:x}")),
            _ => {}
        }
    }
    list.join(" ")
}

/// Runs one file: a score for every group.
fn file(path: &Path) -> Result<BTreeMap<String, Score>> {
    let text = String::from_utf8(read(path)?)?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut bench = None;
    let mut name = String::new();
    let mut events = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("line {}", number + 1);
        if line.starts_with('[') {
            let row: Row = serde_json::from_str(line).with_context(place)?;
            let Some(bench) = &mut bench else {
                bail!("a row before the header");
            };
            let bench: &mut Bench = bench;
            let score = scores.entry(name.clone()).or_default();
            score.tally.rows += 1;
            if let Some(wrong) = bench.row(&row, &mut events).with_context(place)? {
                score.tally.wrong += 1;
                score.first.get_or_insert(wrong);
            }
        } else if line.contains("\"format\"") {
            let header: Header = serde_json::from_str(line).with_context(place)?;
            let chip = Chip::parse(&header.chipset).context("chip")?;
            bench = Some(Bench::new(chip, hex(&header.class)?)?);
        } else {
            let group: Group = serde_json::from_str(line).with_context(place)?;
            if let Some(bench) = &mut bench {
                let regs = group.regs.unwrap_or_default();
                bench.regs = regs.iter().map(|r| known(r)).collect::<Result<_>>()?;
                bench.pipe_dropped = group.pipe_dropped_in_lite;
                name = format!("{} {:x} {}", bench.chip.name(), bench.class, group.group);
            }
        }
    }
    Ok(scores)
}

/// Runs all `mthd-*` files.
pub fn run(folder: &Path) -> Result<Tally> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("mthd-") && name.ends_with(".jsonl.zst") {
            files.push((std::cmp::Reverse(path.metadata()?.len()), name, path));
        }
    }
    // The longest first, so that no core waits for one of them at the end.
    files.sort();
    let results: Vec<_> =
        files.par_iter().map(|(_, name, path)| (name, file(path))).collect();
    let mut total = Tally::default();
    for (name, scores) in results {
        let scores = scores.with_context(|| name.clone())?;
        let mut sum = Tally::default();
        for (group, score) in &scores {
            sum += score.tally;
            if score.tally.wrong != 0 {
                let Tally { rows, wrong } = score.tally;
                let first = score.first.as_deref().unwrap_or_default();
                println!("    {group}: {wrong} of {rows} wrong; {first:.600}");
            }
        }
        total += sum.report(name);
    }
    Ok(total.report("methods"))
}
