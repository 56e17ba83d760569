//! `isotherm import`: what other tools record, as captures.

use crate::usage::{number, usage};
use crate::{input, output};
use anyhow::{Context, bail};
use isotherm::import::{
    Imported, lima_dump, lima_kernel_dump, looks_like_kernel_dump, pushbuffer, rrc, trace_lines,
};
use std::path::PathBuf;

/// Options of `isotherm import`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Raw pushbuffer words, little-endian; jumps are followed.
    Words {
        #[command(flatten)]
        files: Files,
        /// The chip.
        #[arg(short, long, default_value = "nv2a")]
        chip: String,
        /// Address of the first word, hexadecimal.
        #[arg(long, default_value = "0")]
        base: String,
        /// Class bound to a subchannel, as `0:97`. May be given several times.
        #[arg(long, default_value = "0:97")]
        class: Vec<String>,
    },
    /// Lines of `nv2a_pgraph_method` traces: xemu's, nv2a-trace's, xbdm_gdb_bridge's.
    Trace {
        #[command(flatten)]
        files: Files,
    },
    /// lima's text dumps (LIMA_DEBUG=dump), or the kernel's of a task that failed; plain or zstd.
    Lima {
        #[command(flatten)]
        files: Files,
    },
    /// RPCS3's frame captures (.rrc, version 6), as captures of an NV47.
    Rrc {
        #[command(flatten)]
        files: Files,
    },
}

#[derive(clap::Args)]
struct Files {
    /// What to import; `-` is standard input.
    input: PathBuf,
    /// The capture to write; `-` is standard output.
    #[arg(short, long)]
    out: PathBuf,
    /// JSON: a line for the file written.
    #[arg(long)]
    json: bool,
}

impl Files {
    /// What is imported, for messages.
    fn name(&self) -> impl FnOnce() -> String {
        let name = input::name(&self.input);
        || name
    }

    /// The input's bytes, decompressed if they are zstd.
    fn read(&self) -> anyhow::Result<Vec<u8>> {
        let bytes = input::bytes(&self.input)?;
        if bytes.starts_with(&input::ZSTD) {
            return zstd::decode_all(bytes.as_slice()).with_context(self.name());
        }
        Ok(bytes)
    }
}

/// Imports.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let (What::Words { files, .. }
    | What::Trace { files }
    | What::Lima { files }
    | What::Rrc { files }) = &args.what;
    output::tell_files(files.json);
    output::check(&files.out)?;
    let (files, imported) = match &args.what {
        What::Words {
            files,
            chip,
            base,
            class,
        } => (files, words(files, chip, base, class)?),
        What::Trace { files } => (
            files,
            trace_lines(&text(files)?).with_context(files.name())?,
        ),
        What::Lima { files } => (files, lima(files)?),
        What::Rrc { files } => (files, rrc(&files.read()?).with_context(files.name())?),
    };
    for warning in &imported.warnings {
        note!("{}: {warning}", files.input.display());
    }
    output::write(&files.out, &imported.capture)?;
    let len = imported.capture.len();
    output::wrote(&files.out, format_args!("{len} bytes"))?;
    Ok(())
}

/// The kernel's dump has everything, lima's own has not.
fn lima(files: &Files) -> anyhow::Result<Imported> {
    let bytes = files.read()?;
    if looks_like_kernel_dump(&bytes) {
        return lima_kernel_dump(&bytes).with_context(files.name());
    }
    note!(
        "{}: a lima dump has no vertices, indices or texels; what depends on them is drawn from zeroes",
        files.input.display()
    );
    let text = String::from_utf8(bytes).with_context(files.name())?;
    lima_dump(&text).with_context(files.name())
}

fn text(files: &Files) -> anyhow::Result<String> {
    String::from_utf8(files.read()?).with_context(files.name())
}

fn words(files: &Files, chip: &str, base: &str, class: &[String]) -> anyhow::Result<Imported> {
    let chip = crate::usage::chip(chip)?;
    let bytes = files.read()?;
    let (chunks, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        bail!(
            "{}: {} bytes, not a multiple of 4",
            files.input.display(),
            bytes.len()
        );
    }
    let words: Vec<u32> = chunks
        .iter()
        .map(|chunk| u32::from_le_bytes(*chunk))
        .collect();
    let classes = class
        .iter()
        .map(|text| {
            let bad = || usage(format!("{text:?}: expected SUBCHANNEL:CLASS, such as 0:97"));
            let (subchannel, class) = text.split_once(':').ok_or_else(bad)?;
            let subchannel = subchannel.parse::<u8>().ok().filter(|s| *s < 8);
            Ok((subchannel.ok_or_else(bad)?, number(class)?))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    pushbuffer(chip, &words, number(base)?, &classes).with_context(files.name())
}
