//! `isotherm replay`: a capture to pictures.

pub use crate::input::open_capture as open;
use crate::usage::usage;
use crate::{input, output, picture};
use anyhow::Context;
use isotherm::capture::{Image, Problem, Surface};
use isotherm::gpu::{self, Gpu, Oddities};
use isotherm::mali::WhatIf;
use std::path::{Path, PathBuf};

/// Options of `isotherm replay`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture; `-` is standard input. Of a folder every capture below it is replayed.
    capture: PathBuf,
    /// Where to write the picture, a PNG; `-` is standard output. With several surfaces in the
    /// capture, all but the last get a number before the suffix. For a folder: a folder, with the
    /// same folders inside; the current one unless given.
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
    /// JSON: a line for each file written.
    #[arg(long)]
    json: bool,
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

/// Replays the capture, or every one of a folder, and writes the surfaces.
pub fn run(args: &Args) -> anyhow::Result<()> {
    output::tell_files(args.json);
    if !args.capture.is_dir() {
        let out = match &args.out {
            Some(out) => out.clone(),
            None if output::is_standard(&args.capture) => {
                return Err(usage(
                    "standard input has no name that the picture could have: -o FILE says where it goes",
                ));
            }
            None => stem(&args.capture).with_extension("png"),
        };
        return one(args, &args.capture, out);
    }
    let folder = args.out.clone().unwrap_or_else(|| ".".into());
    output::check_folder(&folder).with_context(|| input::name(&args.capture))?;
    crate::folder::each(&args.capture, |capture, inside| {
        let name = format!("{}.png", folder.join(inside).display());
        one(args, capture, name.into())
    })
}

/// Replays one capture.
fn one(args: &Args, capture: &Path, out: PathBuf) -> anyhow::Result<()> {
    let threads = if args.threads == 0 {
        rayon::current_num_threads()
    } else {
        args.threads
    };
    output::check_picture(&out)?;
    let name = || input::name(capture);
    let mut reader = open(capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    gpu.set_threads(threads);
    gpu.set_until_draw(args.until_draw);
    if !args.what_if.is_empty() && !gpu.set_what_if(what_if(&args.what_if)) {
        note!("{}: --what-if is for Malis alone", name());
    }
    let mut shots = Shots::new(out, args.dump_surface);
    let mut failed = None;
    let replayed = gpu::run(&mut gpu, &mut reader, |gpu, surface| {
        if failed.is_none() {
            failed = shots.take(gpu, surface).err();
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if let Err(error) = &replayed
        && !matches!(error.problem, Problem::Budget(_))
    {
        return replayed.with_context(name);
    }
    if let Some(wanted) = args.until_draw
        && wanted > gpu.draws()
    {
        return Err(crate::usage::no_draw(&name(), wanted, gpu.draws()));
    }
    if let Some(text) = odd_things(&gpu.oddities()) {
        note!("{}: {text}", name());
    }
    // What was drawn until a budget ended is shown before the error.
    shots
        .finish(&mut gpu, replayed.is_err())
        .with_context(name)?;
    replayed.with_context(name)
}

/// Surfaces on their way to files. The last one gets the plain name, so one is kept until the
/// next comes.
struct Shots {
    out: PathBuf,
    with_bytes: bool,
    last: Option<Shot>,
    count: usize,
}

struct Shot {
    surface: Surface,
    image: Image,
    bytes: Option<Vec<u8>>,
}

impl Shots {
    fn new(out: PathBuf, with_bytes: bool) -> Shots {
        Shots {
            out,
            with_bytes,
            last: None,
            count: 0,
        }
    }

    /// A surface as memory has it now.
    fn take(&mut self, gpu: &Gpu, surface: &Surface) -> anyhow::Result<()> {
        if let Some(shot) = self.last.take() {
            // Standard output has room for one picture.
            if !output::is_standard(&self.out) {
                shot.write(&numbered(&self.out, self.count))?;
            }
            self.count += 1;
        }
        self.last = Some(Shot {
            surface: surface.clone(),
            image: surface.read(&gpu.memory),
            bytes: self.with_bytes.then(|| bytes(gpu, surface)),
        });
        Ok(())
    }

    /// Writes the last one; if there is none or it was not reached, what was drawn to last.
    fn finish(self, gpu: &mut Gpu, cut: bool) -> anyhow::Result<()> {
        if let Some(shot) = self.last.filter(|_| !cut) {
            return shot.write(&self.out);
        }
        let what = match cut {
            true => "what was drawn to last until the budget ended",
            false => "what was drawn to last: no SURF record says what to show",
        };
        let Some(image) = gpu.last_picture() else {
            anyhow::ensure!(cut, "no SURF record, and nothing was drawn");
            return Ok(());
        };
        picture::save(&self.out, &image)?;
        let (width, height) = (image.width, image.height);
        output::wrote(&self.out, format_args!("{width}x{height}, {what}"))?;
        Ok(())
    }
}

impl Shot {
    fn write(&self, path: &Path) -> anyhow::Result<()> {
        picture::save(path, &self.image)?;
        let Surface { width, height, .. } = self.surface;
        output::wrote(
            path,
            format_args!("{width}x{height} {}", self.surface.format),
        )?;
        if let Some(bytes) = self.bytes.as_ref().filter(|_| !output::is_standard(path)) {
            let path = path.with_extension("bin");
            output::write(&path, bytes)?;
            let (len, addr) = (bytes.len(), self.surface.addr);
            output::wrote(&path, format_args!("{len} bytes from {addr:#x}"))?;
        }
        Ok(())
    }
}

/// What was odd about a capture, in words; `None` if nothing was.
pub fn odd_things(odd: &Oddities) -> Option<String> {
    let counts = [
        (odd.traps, "methods refused"),
        (odd.methods, "methods nobody implements"),
        (odd.handles, "handles that lead nowhere"),
        (odd.headers, "words that are no header"),
        (odd.records, "records of unknown kind"),
    ];
    let list: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    (!list.is_empty()).then(|| list.join(", "))
}

/// The surface's bytes as they lie in memory.
fn bytes(gpu: &Gpu, surface: &Surface) -> Vec<u8> {
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
