//! `isotherm edit`: a capture with another program, texture, word or range of draws.

mod mali;
mod nv;
mod textures;
mod trim;

use super::language::{self, Language};
use crate::usage::{Draws, number, target, usage};
use crate::{input, output};
use anyhow::Context;
use isotherm::capture::{Info, Owned, Payload, Reader, Writer, read_all};
use isotherm::{Chip, Family};
use isotherm_regs::find::Target;
use isotherm_regs::fp::asm::Assembled;
use isotherm_regs::xf::asm::Program;
use serde_json::json;
use std::path::PathBuf;
use textures::Paint;

/// Options of `isotherm edit`.
#[derive(clap::Args)]
#[command(
    after_help = "Programs, words and textures hold for the draws that --draw names; behind them the old ones are put back.
Examples:
  isotherm disasm a.cap --draw 3 --stage vertex > p.txt      (edit p.txt)
  isotherm edit a.cap --draw 3 --program p.txt -o b.cap
  isotherm edit a.cap --draw 3.. --set NV097_SET_BLEND_ENABLE=0 -o b.cap
  isotherm dump a.cap --draw 3 --what textures -o files      (paint files/draw0003-texture0.png)
  isotherm edit a.cap --draw 3 --texture 0=files/draw0003-texture0.png -o b.cap
  isotherm edit a.cap --keep 10..20 -o b.cap"
)]
pub struct Args {
    /// The capture; `-` is standard input.
    capture: PathBuf,
    /// Where to write the new one; `-` is standard output.
    #[arg(short, long)]
    out: PathBuf,
    /// The draw, or the draws (3..9), from 1, that get another program, texture or word; all unless given.
    #[arg(long, value_name = "N|A..B")]
    draw: Option<Draws>,
    /// A program as `isotherm disasm` writes it: its first line says what it is. May be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    program: Vec<PathBuf>,
    /// Instruction set of programs without such a line, as for `asm`.
    #[arg(long)]
    isa: Option<Language>,
    /// A method's data (NV097_SET_BLEND_ENABLE=1, 97:0304=1), on a Mali a word of the render
    /// state (`rsw[2]=FC3B1AD2`). May be given several times.
    #[arg(long, value_name = "WORD=VALUE")]
    set: Vec<String>,
    /// A picture for a texture: UNIT=FILE, or 0-level1-face2=FILE as `dump` calls them; a PNG of
    /// the same size, put into the texture's own format. May be given several times.
    #[arg(long, value_name = "UNIT=FILE")]
    texture: Vec<String>,
    /// Leave out all draws but these; state and memory from before are kept.
    #[arg(long, value_name = "A..B")]
    keep: Option<Draws>,
    /// JSON: a line for the file written.
    #[arg(long)]
    json: bool,
}

/// A program to put in.
enum Code {
    Vertex { program: Program, placed: bool },
    Fragment(Assembled),
    MaliVertex(Vec<u32>),
    MaliFragment(Vec<u32>),
}

/// What is to be done to some draws.
struct Change {
    draws: Draws,
    programs: Vec<Code>,
    words: Vec<(Target, u32)>,
    textures: Vec<Paint>,
}

/// A capture in memory.
struct Whole {
    chip: Chip,
    info: Info,
    records: Vec<Owned>,
}

impl Whole {
    fn read(reader: &mut Reader<'_>) -> anyhow::Result<Whole> {
        let first = reader.next_record()?.map(|record| record.payload);
        let Some(Payload::Info(info)) = first else {
            anyhow::bail!("expected INFO first");
        };
        let chip = Chip::parse(&info.gpu)
            .with_context(|| format!("unknown chip {}", info.gpu.escape_debug()))?;
        Ok(Whole {
            chip,
            info,
            records: read_all(reader)?,
        })
    }

    /// Starts a capture of the same kind.
    fn writer(&self) -> std::io::Result<Writer<Vec<u8>>> {
        let Info {
            suite,
            test,
            program,
            source,
            ..
        } = &self.info;
        let info = json!({ "gpu": self.chip.name(), "suite": suite, "test": test,
            "program": program, "source": source });
        Writer::new(Vec::new(), &info)
    }
}

/// Edits.
pub fn run(args: &Args) -> anyhow::Result<()> {
    output::tell_files(args.json);
    output::check(&args.out)?;
    let name = || input::name(&args.capture);
    let whole = Whole::read(&mut input::open_capture(&args.capture)?).with_context(name)?;
    let change = Change {
        draws: args.draw.unwrap_or(Draws::ALL),
        programs: programs(args, whole.chip)?,
        words: words(args, whole.chip)?,
        textures: paints(args)?,
    };
    let nothing =
        change.programs.is_empty() && change.words.is_empty() && change.textures.is_empty();
    if nothing && args.keep.is_none() {
        return Err(usage(
            "nothing to do: give --program, --set, --texture or --keep",
        ));
    }
    let mali = whole.chip.family() == Family::Utgard;
    let mut bytes = match (nothing, mali) {
        (true, _) => None,
        (false, true) => Some(mali::edit(&whole, &change, &name()).with_context(name)?),
        (false, false) => {
            let memory = textures::nvidia(&args.capture, &change).with_context(name)?;
            Some(nv::edit(&whole, &change, &memory, &name()).with_context(name)?)
        }
    };
    if let Some(keep) = args.keep {
        if mali {
            return Err(usage("a Mali draws whole jobs: --keep is for NVIDIA chips"));
        }
        let edited = match &bytes {
            Some(bytes) => Whole::read(&mut Reader::new(bytes.as_slice())?)?,
            None => whole,
        };
        bytes = Some(trim::trim(&edited, keep, &name()).with_context(name)?);
    }
    let bytes = bytes.unwrap_or_default();
    output::write(&args.out, &bytes)?;
    output::wrote(&args.out, format_args!("{} bytes", bytes.len()))?;
    Ok(())
}

fn paints(args: &Args) -> anyhow::Result<Vec<Paint>> {
    args.texture
        .iter()
        .map(|text| textures::read(text))
        .collect()
}

fn programs(args: &Args, chip: Chip) -> anyhow::Result<Vec<Code>> {
    args.program
        .iter()
        .map(|path| {
            let name = input::name(path);
            let text = String::from_utf8(input::bytes(path)?)
                .with_context(|| format!("{name}: not text"))?;
            let isa = args.isa.or_else(|| language::said(&text));
            match isa {
                Some(Language::MaliGp) => Ok(Code::MaliVertex(mali_words(
                    Language::MaliGp,
                    &name,
                    &text,
                )?)),
                Some(Language::MaliPp) => Ok(Code::MaliFragment(mali_words(
                    Language::MaliPp,
                    &name,
                    &text,
                )?)),
                _ => match language::fragment_words(isa, &name, &text) {
                    Some(made) => Ok(Code::Fragment(made?)),
                    None => {
                        if chip.family() == Family::Utgard && isa.is_none() {
                            return Err(usage(format!(
                                "{name}: say what it is: --isa mali-gp or mali-pp"
                            )));
                        }
                        let program =
                            super::asm::parse(&name, &text, isa.and_then(Language::vertex))?;
                        let placed = text.contains(".org");
                        Ok(Code::Vertex { program, placed })
                    }
                },
            }
        })
        .collect()
}

fn mali_words(language: Language, name: &str, text: &str) -> anyhow::Result<Vec<u32>> {
    match language.mali_words(name, text) {
        Some(words) => words,
        None => anyhow::bail!("{name}: no program of a Mali"),
    }
}

fn words(args: &Args, chip: Chip) -> anyhow::Result<Vec<(Target, u32)>> {
    args.set
        .iter()
        .map(|text| {
            let wrong = || usage(format!("{text:?} is not WORD=VALUE, such as 97:0304=1"));
            let (name, value) = text.split_once('=').ok_or_else(wrong)?;
            let found = target(chip, name)?;
            match found {
                Target::Method(..) | Target::Slot(..) => Ok((found, number(value)?)),
                Target::Bundle(bundle, _) => Err(usage(format!(
                    "{name} is a state word, which methods change: {}",
                    changed_by(chip, bundle.name())
                ))),
                _ => Err(usage(format!(
                    "{name} is no method that a capture could call"
                ))),
            }
        })
        .collect()
}

/// The methods that change a word.
fn changed_by(chip: Chip, word: &str) -> String {
    let mut classes = isotherm_regs::method::CLASSES.iter().filter(|class| {
        class.is_3d() && class.since.family() == chip.family() && chip.since(class.since)
    });
    let Some(class) = classes.next_back() else {
        return "none that is known".into();
    };
    let list: Vec<String> = class
        .methods()
        .filter(|m| m.changes.split(' ').any(|w| w == word))
        .map(|m| format!("{:x}:{:04x} {}", class.id, m.at, m.name))
        .take(12)
        .collect();
    if list.is_empty() {
        "none that is known".into()
    } else {
        list.join(", ")
    }
}
