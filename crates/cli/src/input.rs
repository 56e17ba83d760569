//! Dumps and captures from files and pipes.

use crate::output::is_standard;
use crate::usage::{chip, number, usage};
use anyhow::Context;
use isotherm::capture::Reader;
use isotherm::import::{self, lima_dump};
use isotherm_regs::Chip;
use isotherm_regs::dump::{self, Form, Item, Options, Raw};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::OnceLock;

/// How an input is to be read.
#[derive(clap::Args, Default)]
pub struct Reading {
    /// Take the input as text, JSON or raw words instead of looking at it.
    #[arg(long, value_enum)]
    form: Option<FormName>,
    /// Raw words are one of these after another: a word or record as for `explain`.
    #[arg(long, value_name = "WORD")]
    of: Option<String>,
    /// Raw words are methods of this class, as the pusher fetches them (hexadecimal).
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Raw words are registers from this MMIO address on.
    #[arg(long, value_name = "ADDRESS")]
    registers: Option<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormName {
    Text,
    Json,
    Raw,
}

impl Reading {
    /// The reader's options.
    pub fn options(&self, chip: Option<Chip>) -> anyhow::Result<Options> {
        let raw = if let Some(word) = &self.of {
            let chip = chip.ok_or_else(|| usage("--of needs a chip"))?;
            Some(Raw::Of(crate::usage::target(chip, word)?))
        } else if let Some(class) = &self.class {
            let id = number(class).ok().and_then(|id| u16::try_from(id).ok());
            let wrong = || usage(format!("{class:?} is not a class such as 97"));
            Some(Raw::Push(id.ok_or_else(wrong)?))
        } else if let Some(address) = &self.registers {
            Some(Raw::Registers(number(address)?))
        } else {
            None
        };
        let form = match (self.form, raw) {
            (None, Some(raw)) | (Some(FormName::Raw), Some(raw)) => Some(Form::Raw(raw)),
            (Some(FormName::Raw), None) => Some(Form::Raw(Raw::natural(chip))),
            (Some(FormName::Text), _) => Some(Form::Text),
            (Some(FormName::Json), _) => Some(Form::Json),
            (None, None) => None,
        };
        Ok(Options { chip, form })
    }
}

static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// Standard input, read once: a command may look at it several times.
fn standard_input() -> anyhow::Result<&'static [u8]> {
    /// More than any capture has, compressed.
    const MOST: u64 = 4 << 30;
    if let Some(bytes) = STANDARD_INPUT.get() {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MOST)
        .read_to_end(&mut bytes)
        .context("standard input")?;
    Ok(STANDARD_INPUT.get_or_init(|| bytes))
}

/// A file's name for messages.
pub fn name(path: &Path) -> String {
    if is_standard(path) {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

/// Opens a file, or standard input for `-`.
fn source(path: &Path) -> anyhow::Result<Box<dyn Read + Send>> {
    if is_standard(path) {
        return Ok(Box::new(Cursor::new(standard_input()?)));
    }
    let file = File::open(path).with_context(|| name(path))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        anyhow::bail!("{}: is a folder, a file was expected", path.display());
    }
    Ok(Box::new(file))
}

/// All bytes of a file, or of standard input for `-`.
pub fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source(path)?
        .read_to_end(&mut bytes)
        .with_context(|| name(path))?;
    Ok(bytes)
}

/// Opens a capture, or a dump that lima wrote; either may be compressed.
pub fn open_capture(path: &Path) -> anyhow::Result<Reader<'static>> {
    if let Some(text) = lima_text(path)? {
        let imported = import::lima_dump(&text).with_context(|| name(path))?;
        for warning in &imported.warnings {
            note!("{}: {warning}", name(path));
        }
        return Reader::new(Cursor::new(imported.capture)).with_context(|| name(path));
    }
    Reader::new(source(path)?).with_context(|| name(path))
}

/// The text of a dump that lima wrote, compressed or not; `None` if this is none.
pub fn lima_text(path: &Path) -> anyhow::Result<Option<String>> {
    let mut start = Vec::new();
    // What cannot be decompressed is the reader's to complain about.
    if let Err(error) = decompressed(path)?.take(4096).read_to_end(&mut start)
        && start.is_empty()
        && error.raw_os_error().is_some()
    {
        return Err(error).with_context(|| name(path));
    }
    if !lima_dump::looks_like_dump(&start) {
        return Ok(None);
    }
    /// More than lima writes in an hour.
    const MOST: u64 = 1 << 29;
    let mut bytes = Vec::new();
    decompressed(path)?
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .with_context(|| name(path))?;
    anyhow::ensure!(
        bytes.len() as u64 <= MOST,
        "{}: a dump of more than {MOST} bytes",
        name(path)
    );
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Does a file, or standard input, hold a capture or a dump that lima wrote? No, if it cannot
/// be read.
pub fn is_capture(path: &Path) -> bool {
    let mut start = Vec::new();
    if !is_standard(path) && !path.is_file() {
        return false;
    }
    // What cannot be decompressed any further may be a capture that was cut.
    let Ok(file) = decompressed(path) else {
        return false;
    };
    let _ = file.take(4096).read_to_end(&mut start);
    start.starts_with(b"GPUCAP") || lima_dump::looks_like_dump(&start)
}

/// Zstandard's first bytes.
pub const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A file's bytes, decompressed if they are compressed.
fn decompressed(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    let mut file = source(path)?;
    let mut start = Vec::new();
    file.by_ref()
        .take(4)
        .read_to_end(&mut start)
        .with_context(|| name(path))?;
    let compressed = start == ZSTD;
    let whole = Cursor::new(start).chain(file);
    if compressed {
        return Ok(Box::new(zstd::Decoder::new(whole)?));
    }
    Ok(Box::new(whole))
}

/// Opens a dump.
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    // Streams of words may be endless: they are read as they come, unless somebody has looked
    // at them already.
    if is_standard(path) && STANDARD_INPUT.get().is_none() {
        let stdin = std::io::stdin();
        return Ok(Box::new(BufReader::with_capacity(1 << 16, stdin)));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, source(path)?)))
}

/// Reads a dump; errors carry the file's name.
pub fn read(
    path: &Path,
    options: Options,
    visit: &mut dyn FnMut(Item<'_>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let mut input = open(path)?;
    dump::read(&mut *input, options, visit).with_context(|| name(path))
}

/// A chip by name, if one is given.
pub fn maybe_chip(text: Option<&str>) -> anyhow::Result<Option<Chip>> {
    text.map(chip).transpose()
}
