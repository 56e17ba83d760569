//! `isotherm convert`: raster state between Mali-400 and NVIDIA.

use crate::input::{self, Reading};
use crate::show;
use crate::usage::{chip, number, usage};
use isotherm_regs::find::Target;
use isotherm_regs::{Chip, Family, convert};
use serde_json::json;
use std::path::PathBuf;

/// Options of `isotherm convert`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// A Mali render state to the bundles of an NVIDIA chip.
    Rsw2nv {
        /// The 16 words of the render state.
        #[arg(required = true)]
        words: Vec<String>,
        /// The chip to translate for.
        #[arg(short, long, default_value = "kelvin")]
        chip: String,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Bundles of an NVIDIA chip to a Mali render state.
    Nv2rsw {
        /// A dump of the bundles (CONFIG_A, STENCIL_A, STENCIL_B, BLEND, BLEND_COLOR, RASTER, …);
        /// standard input if not given.
        #[arg(default_value = "-")]
        file: PathBuf,
        /// The chip the bundles are of.
        #[arg(short, long, default_value = "kelvin")]
        chip: String,
        /// As JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        reading: Reading,
    },
}

/// Converts.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.what {
        What::Rsw2nv {
            words,
            chip: name,
            json,
        } => rsw2nv(nvidia(name)?, words, *json),
        What::Nv2rsw {
            file,
            chip: name,
            json,
            reading,
        } => {
            let chip = nvidia(name)?;
            let mut bundles = Vec::new();
            input::read(file, reading.options(Some(chip))?, &mut |item| {
                if let Target::Bundle(bundle, 0) = item.target {
                    bundles.push((bundle, item.words[0]));
                }
                Ok(())
            })?;
            nv2rsw(chip, &bundles, *json)
        }
    }
}

fn nvidia(name: &str) -> anyhow::Result<Chip> {
    let chip = chip(name)?;
    if chip.family() == Family::Utgard {
        return Err(usage(format!(
            "{name} is a Mali; an NVIDIA chip such as nv20 was expected"
        )));
    }
    Ok(chip)
}

fn rsw2nv(chip: Chip, words: &[String], as_json: bool) -> anyhow::Result<()> {
    let values = words
        .iter()
        .map(|w| number(w))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let rsw: [u32; 16] = values
        .try_into()
        .map_err(|v: Vec<u32>| usage(format!("a render state has 16 words, {} given", v.len())))?;
    let state = convert::rsw_to_nv(chip, &rsw);
    if as_json {
        let words: Vec<_> = state
            .words
            .iter()
            .map(|(b, v)| json!({ "name": b.name(), "value": format!("{v:#010x}") }))
            .collect();
        let value = json!({ "schema": show::SCHEMA, "chip": chip.name(), "words": words, "notes": state.notes });
        say!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    say!("chip {}", chip.name());
    for (bundle, value) in &state.words {
        let fields = isotherm_regs::explain::word(chip, bundle.word(), 0, *value);
        let set: Vec<_> = fields
            .lines
            .iter()
            .filter(|l| l.raw != 0)
            .map(|l| format!("{}={}", l.name, l.text))
            .collect();
        say!("{} {value:#010x}  # {}", bundle.name(), set.join(" "));
    }
    for note in &state.notes {
        say!("# note: {note}");
    }
    Ok(())
}

fn nv2rsw(
    chip: Chip,
    bundles: &[(isotherm_regs::bundle::Bundle, u32)],
    as_json: bool,
) -> anyhow::Result<()> {
    let state = convert::nv_to_rsw(chip, bundles);
    let words: Vec<_> = state.words.iter().map(|w| format!("{w:#010x}")).collect();
    if as_json {
        let value = json!({ "schema": show::SCHEMA, "chip": "mali400", "name": "RSW", "values": words, "notes": state.notes });
        say!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    say!("chip mali400\nRSW {}", words.join(" "));
    for note in &state.notes {
        say!("# note: {note}");
    }
    Ok(())
}
