//! `isotherm state`: a chip's state in the middle of a capture, as a capture of its own.

use super::replay::open;
use crate::show::many;
use crate::{input, output, picture};
use anyhow::{Context as _, bail};
use isotherm::capture::{Owned, Writer, read_all};
use isotherm::gpu::{self, Gpu};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Options of `isotherm state`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Run a capture up to a draw and save objects, memory and context there.
    Save {
        /// The capture; `-` is standard input.
        capture: PathBuf,
        /// Save after this many draws; at the end unless given.
        #[arg(long, value_name = "N")]
        draw: Option<u64>,
        /// Where to write the state, a capture that begins with it; `-` is standard output.
        #[arg(short, long)]
        out: PathBuf,
        /// Append the rest of the capture: the file then replays to the same picture.
        #[arg(long)]
        rest: bool,
        /// JSON: a line for the file written.
        #[arg(long)]
        json: bool,
    },
    /// Load a saved state into a fresh chip and say what it holds; draws what follows it.
    Load {
        /// The state; `-` is standard input.
        file: PathBuf,
        /// Write the picture that follows the state here.
        #[arg(short, long)]
        out: Option<PathBuf>,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Saves or loads.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Save {
            capture,
            draw,
            out,
            rest,
            json,
        } => {
            output::tell_files(*json);
            save(capture, *draw, out, *rest)
        }
        Action::Load { file, out, json } => {
            output::tell_files(*json);
            load(file, out.as_deref(), *json)
        }
    }
}

fn save(capture: &Path, draw: Option<u64>, out: &Path, rest: bool) -> anyhow::Result<()> {
    output::check(out)?;
    let name = input::name(capture);
    let mut reader = open(capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(|| name.clone())?;
    let records = read_all(&mut reader).with_context(|| name.clone())?;
    let wanted = draw.unwrap_or(u64::MAX);
    let mut left: Option<(usize, usize)> = None;
    for (index, record) in records.iter().enumerate() {
        if gpu.draws() >= wanted {
            left = Some((index, 0));
            break;
        }
        if let Some(words) = record.push_words() {
            let done = gpu.push_until(words, |gpu| gpu.draws() >= wanted)?;
            if done < words.len() {
                left = Some((index, done));
                break;
            }
        } else {
            gpu.record(record.record())?;
        }
    }
    if draw.is_some() && gpu.draws() < wanted {
        return Err(crate::usage::no_draw(&name, wanted, gpu.draws()));
    }
    let info = json!({ "gpu": gpu.chip().name(), "source": "isotherm state" });
    let mut writer = Writer::new(output::create(out)?, &info)?;
    gpu.write_state(&mut writer)?;
    if let (true, Some((index, word))) = (rest, left) {
        append(&mut writer, &records[index..], word)?;
    }
    std::io::Write::flush(&mut writer.finish()?)?;
    let (chip, draws) = (gpu.chip().name(), gpu.draws());
    let draws = many(draws, "draw");
    output::wrote(out, format_args!("{chip} after {draws}"))?;
    Ok(())
}

/// The records that are left, the first from a word on.
fn append<W: std::io::Write>(
    writer: &mut Writer<W>,
    records: &[Owned],
    word: usize,
) -> anyhow::Result<()> {
    for (index, record) in records.iter().enumerate() {
        match record.push_words() {
            Some(words) if index == 0 => writer.push(&words[word..])?,
            _ => record.write(writer)?,
        }
    }
    Ok(())
}

fn load(file: &Path, out: Option<&Path>, as_json: bool) -> anyhow::Result<()> {
    if let Some(out) = out {
        output::check_picture(out)?;
    }
    let name = || input::name(file);
    let mut reader = open(file)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    let mut shown = false;
    let mut context = None;
    while let Some(record) = reader.next_record().with_context(name)? {
        if let isotherm::capture::Payload::Context(found) = &record.payload {
            let units = found.units.words() + found.inner.len();
            context = Some((found.fe.len(), units, found.draws));
        }
        let surface = gpu.record(record).with_context(name)?;
        // What comes without a state before it is some other capture.
        if let (Some(surface), Some(_), Some(out)) = (surface, context, out) {
            picture::save(out, &surface.read(&gpu.memory))?;
            output::wrote(out, format_args!("what follows the state"))?;
            shown = true;
        }
    }
    let Some((fe, units, draws)) = context else {
        bail!("{}: no saved state", name())
    };
    if as_json {
        let (chip, objects) = (gpu.chip().name(), gpu.objects().sorted().len());
        say!(
            "{}",
            json!({ "schema": "isotherm-state-1", "chip": chip, "front_end_words": fe,
                "unit_words": units, "objects": objects, "draws": draws })
        );
    } else {
        print_state(&gpu, fe, units, draws)?;
    }
    if out.is_some() && !shown {
        note!("nothing follows the state, so there is no picture");
    }
    Ok(())
}

fn print_state(gpu: &Gpu, fe: usize, units: usize, draws: u64) -> std::io::Result<()> {
    say!(
        "{}: {fe} words of the front end, {units} of the units, {} objects, saved after {}",
        gpu.chip().name(),
        gpu.objects().sorted().len(),
        many(draws, "draw"),
    );
    Ok(())
}
