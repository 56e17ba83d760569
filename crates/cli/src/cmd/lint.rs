//! `isotherm lint`: render states of a Mali that contradict themselves.

use super::replay;
use anyhow::Context;
use isotherm::capture::Payload;
use isotherm::mali::{self, Machine};
use isotherm::memory::Memory;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `isotherm lint`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture, or a dump that lima wrote.
    capture: PathBuf,
    /// For programs: one JSON object per remark.
    #[arg(long)]
    json: bool,
}

/// Prints the remarks. Ends in 1 when there are any.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut reader = replay::open(&args.capture)?;
    let mut mem = Memory::new(isotherm::Chip::Mali400);
    let mut machine = Machine::new();
    let (mut jobs, mut draws) = (0, 0);
    // The same remark on many draws is one line.
    let mut found: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    let name = || format!("{}", args.capture.display());
    while let Some(record) = reader.next_record().with_context(name)? {
        match record.payload {
            Payload::Info(info) => {
                anyhow::ensure!(
                    info.gpu == "mali400",
                    "{}: a capture of {}, not of a Mali",
                    args.capture.display(),
                    info.gpu
                );
            }
            Payload::Memory { addr, bytes } => mem.write(addr, bytes),
            Payload::Copy { dst, src, len } => mem.copy(dst, src, len as usize),
            Payload::Gp(job) => machine.gp_job(&mut mem, job.frame).context("GP job")?,
            Payload::Pp(job) => {
                for remark in mali::lint(&machine, &mem, job.frame).context("PP job")? {
                    let place = format!("job {jobs} draw {} ({:#010x})", remark.draw, remark.rsw);
                    found
                        .entry((remark.code, remark.text))
                        .or_default()
                        .push(place);
                }
                jobs += 1;
                draws = machine.draws();
            }
            _ => {}
        }
    }
    for ((code, text), places) in &found {
        if args.json {
            say!(
                "{}",
                serde_json::json!({"code": code, "text": text, "places": places})
            );
        } else {
            let more = places.len() - 1;
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            say!("{code}: {text}\n    {}{more}", places[0]);
        }
    }
    if !args.json {
        say!(
            "{jobs} jobs, {draws} draws, {} kinds of remarks",
            found.len()
        );
    }
    Ok(if found.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}
