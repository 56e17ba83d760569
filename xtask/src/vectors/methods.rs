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
    defective: usize,
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
    class_mask: u32,
    debug_d: Register,
    /// Another background: a warning waits to be reported, objects are not null.
    other: Vec<(Register, u32)>,
    /// Take a class that a row does not list whole for no 3D class, as the rows' own check did.
    foreign: bool,
}

/// Bits of DEBUG_D that ask for checks which 3D classes only get. A row that does not list the
/// class was checked with random ones, and so without them.
const CLASS_CHECKS: u32 = 1 << 27 | 1 << 3;

/// How a row came out.
enum Verdict {
    Right,
    /// Right on another background only: the row misses a dependency.
    Defective,
    Wrong(String),
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
            class_mask: if class > 0xff || chip == Chip::Nv25 {
                0xfff
            } else {
                0xff
            },
            debug_d: known("debug_d")?,
            other: vec![
                (known("notify")?, 7 << 28),
                (known("ctx_switch_b")?, !0),
                (known("pobj[0]")?, !0),
                (known("pobj[1]")?, !0),
                (known("debug_e")?, !0),
                (known("surf_type")?, !0),
                (known("fe3d_shadow_begin_patch_c")?, !0),
                (known("fd_state_begin_patch_c")?, !0),
                (known("fe3d_state_transition")?, 1),
            ],
            foreign: false,
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

    /// Runs a row: right, defective or wrong.
    fn row(&mut self, row: &Row, events: &mut Vec<Event>) -> Result<Verdict> {
        let Some(wrong) = self.attempt(row, &[], events)? else {
            return Ok(Verdict::Right);
        };
        let other = std::mem::take(&mut self.other);
        let again = self.attempt(row, &other, events);
        self.foreign = true;
        let foreign = self.attempt(row, &[], events);
        self.foreign = false;
        self.other = other;
        Ok(match (again?, foreign?) {
            (Some(_), Some(_)) => Verdict::Wrong(wrong),
            _ => Verdict::Defective,
        })
    }

    /// Runs a row on a background; `Some` says what was wrong.
    fn attempt(
        &mut self,
        row: &Row,
        background: &[(Register, u32)],
        events: &mut Vec<Event>,
    ) -> Result<Option<String>> {
        let &Row(tier, mthd, data, inputs, outputs, wanted) = row;
        let (mthd, data) = (hex(mthd)?, hex(data)?);
        let lite = tier == "l";
        let mut state = self.theirs.take().context("state")?;
        state.load(&self.blank);
        for (register, value) in background {
            state.set(register, *value);
        }
        let debug_d = self.listed(inputs, "debug_d")?.unwrap_or(0);
        // DEBUG_D[16] renumbers class 56h.
        let class = match self.class {
            0x56 if debug_d & 1 << 16 != 0 => 0x85,
            class => class,
        };
        state.set(&self.class_word, class);
        state.set(&self.st2, mthd | 1 << 26);
        // Lite rows have those bits of the class cleared that the model of the method did not
        // look at; what they mean is the file's class.
        let mut listed_class = class;
        let mut whole_class = false;
        // The subchannel decides which object `grobj` means, so it has to be known first.
        for pass in 0..2 {
            for pair in self.pairs(inputs) {
                let (register, mut value) = pair?;
                if register.name() == "ctx_switch_a" {
                    listed_class = value & self.class_mask;
                    whole_class = listed_class == class;
                    if lite {
                        value = self.renamed(value, listed_class, class);
                    }
                }
                if pass == 1 || register.name() == "fifo_mthd_st2" {
                    state.set(register, value);
                }
            }
        }
        if lite {
            state.set(&self.data, data);
        }
        if !background.is_empty() && !whole_class {
            state.set(&self.debug_d, debug_d & !CLASS_CHECKS);
        }
        self.ours.load(&state);
        events.clear();
        if self.foreign && !whole_class {
            self.ours.execute_as(class, events);
        } else {
            self.ours.execute(events);
        }
        for pair in self.pairs(outputs) {
            let (register, mut value) = pair?;
            if lite && register.holds_class() {
                value = self.renamed(value, listed_class, class);
            }
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
            wrong = Some(format!(
                "{tier} {mthd:x} <- {data:x}: {}{events}",
                diff.join(", ")
            ));
        }
        self.theirs = Some(state);
        Ok(wrong)
    }

    /// A word with the file's class in place of the one that a lite row lists.
    fn renamed(&self, word: u32, listed: u32, class: u32) -> u32 {
        if word & self.class_mask == listed {
            word & !self.class_mask | class
        } else {
            word
        }
    }

    /// The value that a list of pairs gives a register, if it does.
    fn listed(&self, pairs: &str, name: &str) -> Result<Option<u32>> {
        for pair in self.pairs(pairs) {
            let (register, value) = pair?;
            if register.name() == name {
                return Ok(Some(value));
            }
        }
        Ok(None)
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
            Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            } => {
                list.push(format!("X{cmd:x},{addr:x},{be:x},{a:x},{b:x}"));
            }
            Event::Attr {
                fmt,
                attr,
                ncomp,
                comp,
                data,
            } => {
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
            match bench.row(&row, &mut events).with_context(place)? {
                Verdict::Right => {}
                Verdict::Defective => score.defective += 1,
                Verdict::Wrong(wrong) => {
                    score.tally.wrong += 1;
                    score.first.get_or_insert(wrong);
                }
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
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with("mthd-") && name.ends_with(".jsonl.zst") {
            files.push((std::cmp::Reverse(path.metadata()?.len()), name, path));
        }
    }
    // The longest first, so that no core waits for one of them at the end.
    files.sort();
    let results: Vec<_> = files
        .par_iter()
        .map(|(_, name, path)| (name, file(path)))
        .collect();
    let mut total = Tally::default();
    let mut defective = 0;
    for (name, scores) in results {
        let scores = scores.with_context(|| name.clone())?;
        let mut sum = Tally::default();
        for (group, score) in &scores {
            sum += score.tally;
            defective += score.defective;
            if score.tally.wrong != 0 {
                let Tally { rows, wrong } = score.tally;
                let first = score.first.as_deref().unwrap_or_default();
                println!("    {group}: {wrong} of {rows} wrong; {first:.600}");
            }
        }
        total += sum.report(name);
    }
    println!("{defective} rows miss a dependency: they agree on another background only");
    Ok(total.report("methods"))
}
