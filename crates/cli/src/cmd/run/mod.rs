//! `isotherm run`: a program with the stock Mesa driver of a chip that nobody has plugged in.

mod files;

use anyhow::{Context, bail, ensure};
use files::Files;
use isotherm::{Chip, Family};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Options of `isotherm run`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isotherm run --gpu nv34 -- eglinfo -B
  isotherm run --gpu nv43 --record frame.cap.zst -- ./my-program
  isotherm run --gpu nv40 -- piglit run quick_gl results

The driver is Debian's own (package libgl1-mesa-dri): nouveau for NV30 to NV4E, lima where Mesa
was built with it. Programs draw without a window: EGL on GBM or surfaceless.")]
pub struct Args {
    /// The chip: nv30 … nv4e, or mali400, mali400mp2 … mali400mp4.
    #[arg(long)]
    gpu: String,
    /// Record everything the driver sends.
    #[arg(long, value_name = "CAPTURE")]
    record: Option<PathBuf>,
    /// The preloaded library; found beside this program if not given.
    #[arg(long, value_name = "FILE", env = "ISOTHERM_DRM")]
    library: Option<PathBuf>,
    /// Say which files are used.
    #[arg(long)]
    verbose: bool,
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

/// Runs the program; its exit code is ours.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let chip = chip(&args.gpu)?;
    let library = library(args.library.as_deref())?;
    let program = find(Path::new(&args.program[0]))?;
    check_program(&program)?;
    if let Some(record) = &args.record {
        // A place where nothing can be written is better known now than at the end.
        std::fs::File::create(record)
            .with_context(|| format!("cannot record to {}", record.display()))?;
    }
    let files = Files::create(chip, &args.gpu)?;
    if args.verbose {
        eprintln!(
            "library {}, device files {}",
            library.display(),
            files.path().display()
        );
    }
    let mut command = Command::new(&program);
    command
        .args(&args.program[1..])
        .env("LD_PRELOAD", preload(&library))
        .env("ISOTHERM_GPU", args.gpu.to_ascii_lowercase())
        .env("ISOTHERM_DRM_FILES", files.path())
        // Where these point elsewhere, another device than ours would be chosen.
        .env_remove("LIBGL_ALWAYS_SOFTWARE")
        .env_remove("GALLIUM_DRIVER")
        .env("WAFFLE_GBM_DEVICE", "/dev/dri/renderD128");
    match &args.record {
        Some(path) => command.env("ISOTHERM_RECORD", std::path::absolute(path)?),
        None => command.env_remove("ISOTHERM_RECORD"),
    };
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The chip of a board's name, if a driver that runs here knows it.
fn chip(name: &str) -> anyhow::Result<Chip> {
    let name = name.to_ascii_lowercase();
    let base = name.split("mp").next().unwrap_or(&name);
    let chip = Chip::parse(base).with_context(|| format!("no chip is called {base:?}"))?;
    match chip.family() {
        Family::Rankine | Family::Curie | Family::Utgard => Ok(chip),
        _ => bail!(
            "{base}: its driver (nouveau_vieux) left Mesa with version 22 and needs DRI2; \
             chips from nv30 on and mali400 can be run"
        ),
    }
}

/// The library to preload.
fn library(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = given {
        ensure!(path.is_file(), "{}: no such library", path.display());
        return Ok(std::path::absolute(path)?);
    }
    let own = std::env::current_exe().context("where is this program?")?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let places = [
        "libisotherm_drm.so",
        "../lib/libisotherm_drm.so",
        "../libisotherm_drm.so",
    ];
    places
        .iter()
        .map(|place| folder.join(place))
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "libisotherm_drm.so is not beside {}: build it with `cargo build --release`, or \
                 name it with --library",
                own.display()
            )
        })
}

/// The preloaded libraries: ours first, then what there was.
fn preload(library: &Path) -> OsString {
    let mut list = library.as_os_str().to_owned();
    if let Some(old) = std::env::var_os("LD_PRELOAD").filter(|old| !old.is_empty()) {
        list.push(":");
        list.push(old);
    }
    list
}

/// A program by its path, or in the search path.
fn find(program: &Path) -> anyhow::Result<PathBuf> {
    if program.components().count() > 1 {
        ensure!(program.is_file(), "{}: no such program", program.display());
        return Ok(program.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .with_context(|| format!("{}: no such program in the search path", program.display()))
}

/// A library of 64 bits cannot be preloaded into a program of 32.
fn check_program(program: &Path) -> anyhow::Result<()> {
    let mut start = [0; 5];
    let mut file = std::fs::File::open(program)
        .with_context(|| format!("cannot read {}", program.display()))?;
    let found = file.read(&mut start).unwrap_or(0);
    let elf = found == 5 && start[..4] == *b"\x7fELF";
    ensure!(
        !elf || start[4] == 2,
        "{}: a 32-bit program; the library is a 64-bit one",
        program.display()
    );
    Ok(())
}
