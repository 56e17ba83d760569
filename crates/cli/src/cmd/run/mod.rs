//! `isotherm run`: a program with the stock Mesa driver of a chip that nobody has plugged in.

mod driver;
mod files;
mod interrupt;

use anyhow::{Context, ensure};
use files::Files;
use interrupt::Interrupts;
use isotherm::Chip;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// Options of `isotherm run`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isotherm run --gpu nv34 -- glxgears
  isotherm run --gpu nv43 --frames 10 --record gears.cap.zst -- glxgears
  isotherm run --gpu nv40 --stats -- piglit run quick_gl results
  isotherm run --gpu nv44 --frames 1 --inspect -- glxgears

The driver is Debian's own (package libgl1-mesa-dri): nouveau for NV30 to NV4E, lima where Mesa
was built with it. Programs draw in windows of any X server or Wayland compositor, or without
one: EGL on GBM or surfaceless. SIGUSR2 makes the program write what it has drawn last as a PNG.
With ISOTHERM_LOG=ioctl each call to the device and its answer is printed.")]
pub struct Args {
    /// The chip: nv30 … nv4e, mali400, mali400mp2 … mali400mp4; nv10 … nv28 for programs that
    /// bring their driver.
    #[arg(long)]
    gpu: String,
    /// Record everything the driver sends.
    #[arg(long, value_name = "CAPTURE")]
    record: Option<PathBuf>,
    /// When the program has ended, open the inspector on what it recorded.
    #[arg(long)]
    inspect: bool,
    /// The preloaded library; found beside this program if not given.
    #[arg(long, value_name = "FILE", env = "ISOTHERM_DRM")]
    library: Option<PathBuf>,
    /// End the program when it has shown so many frames in its windows.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Print at the end which driver it was and what the chip did.
    #[arg(long)]
    stats: bool,
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
    driver::check(chip)?;
    let files = Files::create(chip)?;
    if args.verbose {
        eprintln!(
            "library {}, device files {}",
            library.display(),
            files.path().display()
        );
    }
    let record = match (&args.record, args.inspect) {
        (Some(path), _) => Some(std::path::absolute(path)?),
        (None, true) => Some(files.path().join(RECORDING)),
        (None, false) => None,
    };
    let mut command = Command::new(&program);
    command.args(&args.program[1..]);
    environment(&mut command, args, &library, &files, record.as_deref());
    let interrupts = Interrupts::left_to_the_program();
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    drop(interrupts);
    if !files.opened() {
        note!(
            "{}: it never opened the device; its pictures are not ours",
            program.display()
        );
    }
    if let Some(record) = record.filter(|_| args.inspect) {
        inspect(&record, files)?;
    }
    Ok(exit_code(status))
}

/// What a recording is called that nobody gave a name to.
const RECORDING: &str = "recording.cap.zst";

/// Opens the inspector on a recording. The device's files are not needed any more.
fn inspect(record: &Path, files: Files) -> anyhow::Result<()> {
    let bytes = std::fs::read(record).unwrap_or_default();
    drop(files);
    ensure!(!bytes.is_empty(), "nothing was recorded");
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    super::inspect::show(&name, &bytes)
}

/// What the preloaded library reads.
fn environment(
    command: &mut Command,
    args: &Args,
    library: &Path,
    files: &Files,
    record: Option<&Path>,
) {
    command
        .env("LD_PRELOAD", preload(library))
        .env("ISOTHERM_GPU", args.gpu.to_ascii_lowercase())
        .env("ISOTHERM_DRM_FILES", files.path())
        // Where these point elsewhere, another device than ours would be chosen.
        .env_remove("LIBGL_ALWAYS_SOFTWARE")
        .env_remove("GALLIUM_DRIVER")
        .env_remove("DRI_PRIME")
        .env("WAFFLE_GBM_DEVICE", "/dev/dri/renderD128");
    let settings: [(&str, Option<OsString>); 3] = [
        ("ISOTHERM_RECORD", record.map(Into::into)),
        ("ISOTHERM_FRAMES", args.frames.map(|n| n.to_string().into())),
        ("ISOTHERM_STATS", args.stats.then(|| "1".into())),
    ];
    for (name, value) in settings {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// The program's exit code; that of a shell where a signal ended it.
fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from)
}

/// The chip of a board's name, if a driver that runs here knows it.
fn chip(name: &str) -> anyhow::Result<Chip> {
    let name = name.to_ascii_lowercase();
    let base = name.split("mp").next().unwrap_or(&name);
    let chip = Chip::parse(base).with_context(|| format!("no chip is called {base:?}"))?;
    ensure!(
        chip != Chip::Nv2a,
        "nv2a: the console has no driver in Mesa; chips from nv10 on and mali400 can be run"
    );
    Ok(chip)
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
