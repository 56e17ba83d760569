//! `isotherm replay`: a capture to pictures.

use crate::picture;
use anyhow::Context;
use isotherm::capture::{Reader, Surface};
use isotherm::gpu;
use isotherm::import::{self, lima_dump};
use isotherm::mali::WhatIf;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

/// Options of `isotherm replay`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture.
    capture: PathBuf,
    /// Where to write the picture. With several surfaces in the capture, all but the last
    /// get a number before the suffix.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Stop after so many draws and show the surface as it is then.
    #[arg(long, value_name = "N")]
    until_draw: Option<u64>,
    /// Write the surface's bytes as they lie in memory, beside the picture (`.bin`).
    #[arg(long)]
    dump_surface: bool,
    /// Mali: draw with rules of software renderers, to learn where a difference to their
    /// pictures comes from.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    what_if: Vec<Rule>,
    /// Threads to draw with.
    #[arg(short = 'j', long, default_value_t = 0)]
    threads: usize,
}

/// A rule that software renderers have and a Mali has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Rule {
    /// The pixel processor computes in single precision, not in half floats; constants and
    /// uniforms become the shortest decimal fractions that round to the half floats given.
    FullFloats,
    /// Texture filters reach across the edges of cube faces, as since ES 3.
    JoinedCubes,
    /// Stencil operations count with all bits of the value, not only with those under the
    /// write mask.
    WholeStencil,
}

/// The rules together.
pub fn what_if(rules: &[Rule]) -> WhatIf {
    WhatIf {
        full_floats: rules.contains(&Rule::FullFloats),
        joined_cubes: rules.contains(&Rule::JoinedCubes),
        whole_stencil: rules.contains(&Rule::WholeStencil),
    }
}

/// Opens a capture, or a dump that lima wrote; either may be compressed.
pub fn open(path: &Path) -> anyhow::Result<Reader<'static>> {
    let name = || format!("{}", path.display());
    if let Some(text) = dump_text(path)? {
        let imported = import::lima_dump(&text).with_context(name)?;
        for warning in &imported.warnings {
            eprintln!("isotherm: {}: {warning}", name());
        }
        return Reader::new(Cursor::new(imported.capture)).with_context(name);
    }
    Reader::new(File::open(path).with_context(name)?).with_context(name)
}

/// The text of a dump that lima wrote, compressed or not; `None` if this is none.
pub fn dump_text(path: &Path) -> anyhow::Result<Option<String>> {
    let name = || format!("{}", path.display());
    let mut start = Vec::new();
    // What cannot be decompressed is the reader's to complain about.
    if let Err(error) = plain(path)
        .with_context(name)?
        .take(4096)
        .read_to_end(&mut start)
        && start.is_empty()
        && error.raw_os_error().is_some()
    {
        return Err(error).with_context(name);
    }
    if !lima_dump::looks_like_dump(&start) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    plain(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .with_context(name)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A file's bytes, decompressed.
fn plain(path: &Path) -> std::io::Result<Box<dyn Read>> {
    const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(4).read_to_end(&mut start)?;
    file.rewind()?;
    if start == ZSTD {
        return Ok(Box::new(zstd::Decoder::new(file)?));
    }
    Ok(Box::new(file))
}

/// Replays the capture and writes its surfaces.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let threads = if args.threads == 0 {
        rayon::current_num_threads()
    } else {
        args.threads
    };
    let mut shots = Vec::new();
    let name = || format!("{}", args.capture.display());
    let mut gpu = gpu::replay(
        open(&args.capture)?,
        |gpu| {
            gpu.set_threads(threads);
            gpu.set_until_draw(args.until_draw);
            if !args.what_if.is_empty() && !gpu.set_what_if(what_if(&args.what_if)) {
                eprintln!("isotherm: {}: --what-if is for Malis alone", name());
            }
        },
        |gpu, surface| {
            shots.push((
                surface.clone(),
                surface.read(&gpu.memory),
                bytes(gpu, surface),
            ))
        },
    )
    .with_context(name)?;
    let odd = gpu.oddities();
    if odd.any() {
        eprintln!("isotherm: {}: odd things met: {odd:?}", name());
    }
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| stem(&args.capture).with_extension("png"));
    if shots.is_empty() {
        let image = gpu
            .last_picture()
            .with_context(|| format!("{}: no SURF record, and nothing was drawn", name()))?;
        picture::save(&out, &image)?;
        say!(
            "{}: {}x{}, what was drawn to last: no SURF record says what to show",
            out.display(),
            image.width,
            image.height
        );
        return Ok(());
    }
    let last = shots.len().saturating_sub(1);
    for (index, (surface, image, bytes)) in shots.iter().enumerate() {
        let path = if index == last {
            out.clone()
        } else {
            numbered(&out, index)
        };
        picture::save(&path, image)?;
        say!(
            "{}: {}x{} {}",
            path.display(),
            surface.width,
            surface.height,
            surface.format
        );
        if args.dump_surface {
            let path = path.with_extension("bin");
            std::fs::write(&path, bytes).with_context(|| format!("{}", path.display()))?;
            say!(
                "{}: {} bytes from {:#x}",
                path.display(),
                bytes.len(),
                surface.addr
            );
        }
    }
    Ok(())
}

/// The surface's bytes as they lie in memory.
fn bytes(gpu: &gpu::Gpu, surface: &Surface) -> Vec<u8> {
    let len = surface.pitch as usize * surface.height as usize;
    gpu.memory.bytes(surface.addr, len).to_vec()
}

/// `dir/name.cap.zst` to `name`.
fn stem(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    PathBuf::from(name.trim_end_matches(".zst").trim_end_matches(".cap"))
}

fn numbered(out: &Path, index: usize) -> PathBuf {
    let suffix = out.extension().unwrap_or_default().to_string_lossy();
    out.with_extension(format!("{index}.{suffix}"))
}
