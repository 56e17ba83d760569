//! Method vectors: one method on a given state, the registers and events that follow.

use super::read;
use super::score::{Bad, Outcome, Score};
use anyhow::{Context, Result, bail};
use isotherm::Chip;
use isotherm::bundle::Event;
use isotherm::fe::{Fe, Register};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// The state that rows of one group are run on.
struct Bench {
    chip: Chip,
    class: u32,
    regs: Vec<Register>,
    pipe_dropped: bool,
    /// Rankine or Curie: words that no test reads back are not judged, in full rows either.
    later: bool,
    ours: Fe,
    theirs: Option<Fe>,
    blank: Fe,
    st2: Register,
    data: Register,
    suspects: Vec<Suspect>,
}

/// Words that a row may fail to list although its result depends on them, what they may have
/// held, and what that would explain.
struct Suspect {
    cause: &'static str,
    words: Vec<(Register, u32)>,
}

/// How a row came out.
enum Verdict {
    Right,
    /// Wrong with 0 in every word that the row does not list, right with something else in one
    /// of them.
    Missing(&'static str, Wrong),
    Wrong(Wrong),
}

/// How a row differs.
struct Wrong {
    what: String,
    /// Every register agrees.
    only_events: bool,
    /// In a word or an event that the row lists, and not only in a word that should have stayed
    /// as it was.
    listed: bool,
}

fn hex(text: &str) -> Result<u32> {
    u32::from_str_radix(text, 16).with_context(|| format!("not a hex number: {text:?}"))
}

fn known(name: &str) -> Result<Register> {
    Fe::register(name).with_context(|| format!("no register {name}"))
}

/// What rows have been seen not to list. The first that explains a row is held responsible.
const SUSPECTS: &[(&str, &[(&str, u32)])] = &[
    (
        "NOTIFY[30:28]: a warning was pending, so none is noted",
        &[("notify", 7 << 28)],
    ),
    (
        "SURF_TYPE[3:2], DEBUG_E[2]: UNKA10[29] follows them on NV17",
        &[("surf_type", 0xc), ("debug_e", 4)],
    ),
    (
        "CTX_SWITCH_B[31:16]: a notifier is bound",
        &[("ctx_switch_b", 0xffff_0000)],
    ),
    (
        "FE3D_SHADOW_BEGIN_PATCH_C: the patch has points",
        &[
            ("fe3d_shadow_begin_patch_c", !0),
            ("fd_state_begin_patch_c", !0),
        ],
    ),
    (
        "FE3D_STATE_TRANSITION[0]: a transition is open",
        &[("fe3d_state_transition", 1)],
    ),
    (
        "FD_STATE_UNK1C[4:0]: rows of the patch",
        &[("fd_state_unk1c", !0)],
    ),
    (
        "DMA_TEX: the textures have memory",
        &[("bundle_dma_tex[0]", 1), ("bundle_dma_tex[1]", 1)],
    ),
    ("MISC24[2]: which vertex of 48h", &[("misc24[2]", !0)]),
    (
        "FE3D_MISC[0]: inside BEGIN and END, while a warning was pending",
        &[("fe3d_misc", 1)],
    ),
];

/// The hardware tests do not see what a Curie sends.
const CURIE_EVENTS: &str = "events of NV4x, which no test has read back from a chip";

/// The object whose handle is a method's data lies in memory and is no register: what a row does
/// not list of it is as good as random, that is of no class, long, and aligned to nothing. All
/// zeroes would be an error of their own (a limit of 0), or hide one (an aligned base).
const OBJECT: [(&str, u32); 2] = [("pobj[0]", 0xfff0_3000), ("pobj[1]", 0x8000_0000)];

impl Bench {
    fn new(chip: Chip, class: u32) -> Result<Bench> {
        let mut blank = Fe::new(chip);
        blank.clear();
        for (name, value) in OBJECT {
            blank.set(&known(name)?, value);
        }
        let class_word = known("ctx_switch_a")?;
        let mut suspects = vec![Suspect {
            cause: "CTX_SWITCH_A: the class decides",
            words: vec![(class_word.clone(), class)],
        }];
        for (cause, words) in SUSPECTS {
            let words = words.iter().map(|(name, v)| Ok((known(name)?, *v)));
            suspects.push(Suspect {
                cause,
                words: words.collect::<Result<_>>()?,
            });
        }
        // Two words missing at once.
        for i in 0..suspects.len() {
            for j in 0..i {
                let mut words = suspects[i].words.clone();
                words.extend_from_slice(&suspects[j].words);
                suspects.push(Suspect {
                    cause: "two of these",
                    words,
                });
            }
        }
        Ok(Bench {
            chip,
            class,
            regs: Vec::new(),
            pipe_dropped: false,
            later: matches!(
                chip.family(),
                isotherm::Family::Rankine | isotherm::Family::Curie
            ),
            ours: Fe::new(chip),
            theirs: Some(Fe::new(chip)),
            blank,
            st2: known("fifo_mthd_st2")?,
            data: known("fifo_data_st2[0]")?,
            suspects,
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

    /// Runs a row with 0 in every word that it does not list; if that goes wrong, looks for the
    /// word that it should have listed.
    fn row(&mut self, row: &Row, events: &mut Vec<Event>) -> Result<Verdict> {
        let Some(wrong) = self.attempt(row, &[], events)? else {
            return Ok(Verdict::Right);
        };
        if wrong.only_events && self.chip.family() == isotherm::Family::Curie {
            return Ok(Verdict::Missing(CURIE_EVENTS, wrong));
        }
        let suspects = std::mem::take(&mut self.suspects);
        let mut verdict = Verdict::Wrong(wrong);
        for suspect in &suspects {
            if self.attempt(row, &suspect.words, events)?.is_none() {
                let Verdict::Wrong(wrong) = verdict else {
                    break;
                };
                verdict = Verdict::Missing(suspect.cause, wrong);
                break;
            }
        }
        self.suspects = suspects;
        Ok(verdict)
    }

    /// Runs a row on a background; `Some` says what was wrong.
    ///
    /// The methods are those of the file's class. The object's own class word, which decides
    /// about checks that 3D objects get, is as the row lists it: lite rows have those bits of it
    /// cleared that the method did not look at.
    fn attempt(
        &mut self,
        row: &Row,
        background: &[(Register, u32)],
        events: &mut Vec<Event>,
    ) -> Result<Option<Wrong>> {
        let &Row(tier, mthd, data, inputs, outputs, wanted) = row;
        let (mthd, data) = (hex(mthd)?, hex(data)?);
        let lite = tier == "l";
        let mut state = self.theirs.take().context("state")?;
        state.load(&self.blank);
        for (register, value) in background {
            state.set(register, *value);
        }
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
        self.ours.execute_as(self.class, events);
        for pair in self.pairs(outputs) {
            let (register, value) = pair?;
            state.set(register, value);
        }
        let list = event_list(events, self.chip);
        if lite || self.later {
            let slot = (self.pipe_dropped || !lite) && !wanted.contains(['X', 'V', 'F']);
            state.adopt(&self.ours, lite, self.pipe_dropped && lite, slot);
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
            let mut listed = list != wanted;
            let pairs: Vec<(Register, u32)> = self
                .pairs(outputs)
                .map(|pair| pair.map(|(register, value)| (register.clone(), value)))
                .collect::<Result<_>>()?;
            for (register, value) in &pairs {
                listed |= self.ours.get(register) != Some(*value);
            }
            wrong = Some(Wrong {
                only_events: diff.is_empty(),
                listed,
                what: format!("{tier} {mthd:x} <- {data:x}: {}{events}", diff.join(", ")),
            });
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
            score.rows += 1;
            let (missing, wrong) = match bench.row(&row, &mut events).with_context(place)? {
                Verdict::Right => continue,
                Verdict::Missing(cause, wrong) => (Some(cause), wrong),
                Verdict::Wrong(wrong) => (None, wrong),
            };
            score.bad.push(Bad {
                line: number + 1,
                missing,
                listed: wrong.listed,
                what: wrong.what,
            });
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

/// The method files of a folder, the longest first, so that no core waits for one of them at
/// the end.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("mthd-") && name.ends_with(".jsonl.zst") {
            let name = name.into_owned();
            files.push((std::cmp::Reverse(path.metadata()?.len()), name, path));
        }
    }
    files.sort();
    Ok(files
        .into_iter()
        .map(|(_, name, path)| (name, path))
        .collect())
}

/// Runs all `mthd-*` files; with `list`, names every row that differs.
pub fn run(folder: &Path, list: bool) -> Result<Outcome> {
    let results: Vec<_> = files(folder)?
        .into_par_iter()
        .map(|(name, path)| {
            let scores = file(&path);
            (name, scores)
        })
        .collect();
    let mut outcome = Outcome::default();
    for (name, scores) in results {
        outcome.add(&name, scores.with_context(|| name.clone())?, list);
    }
    Ok(outcome)
}
