//! `isotherm lint`: states that contradict themselves or that no driver means.

mod mali;
mod nv;

use crate::input;
use anyhow::Context;
use isotherm::{Family, gpu};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `isotherm lint`.
#[derive(clap::Args)]
#[command(after_help = "Ends in 0 when there is nothing to remark, in 1 when there is.")]
pub struct Args {
    /// The capture, or a dump that lima wrote; `-` is standard input.
    capture: PathBuf,
    /// One JSON object per remark.
    #[arg(long)]
    json: bool,
}

/// Remarks and the places they were made at: the same remark on many draws is one line.
type Found = BTreeMap<(&'static str, String), Vec<String>>;

/// Prints the remarks. Ends in 1 when there are any.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let name = || input::name(&args.capture);
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    let (found, counted) = match gpu.chip().family() {
        Family::Utgard => mali::look(&mut reader).with_context(name)?,
        _ => nv::look(&mut reader, &mut gpu).with_context(name)?,
    };
    for ((code, text), places) in &found {
        if args.json {
            say!(
                "{}",
                json!({ "schema": "isotherm-lint-1", "code": code, "text": text, "places": places })
            );
            continue;
        }
        let more = match places.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        say!("{code}: {text}\n    {}{more}", places[0]);
    }
    if !args.json {
        let kinds = crate::show::many(found.len() as u64, "kind");
        say!("{counted}, {kinds} of remarks");
    }
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}
