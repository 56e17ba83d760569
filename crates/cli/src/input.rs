//! Dumps from files and pipes.

use crate::usage::{chip, number, usage};
use anyhow::Context;
use isotherm_regs::dump::{self, Form, Item, Options, Raw};
use isotherm_regs::{Chip, find};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

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
            Some(Raw::Of(
                find::find(chip, word).map_err(|e| usage(e.to_string()))?,
            ))
        } else if let Some(class) = &self.class {
            let id = u16::from_str_radix(class.trim_start_matches("0x"), 16)
                .map_err(|_| usage(format!("{class:?} is not a class such as 97")))?;
            Some(Raw::Push(id))
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

/// Opens a file, or standard input for `-`.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::with_capacity(
            1 << 16,
            std::io::stdin(),
        )));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        anyhow::bail!("{}: is a folder, a file was expected", path.display());
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Reads a dump; errors carry the file's name.
pub fn read(
    path: &Path,
    options: Options,
    visit: &mut dyn FnMut(Item<'_>) -> Result<(), String>,
) -> anyhow::Result<()> {
    let mut input = open(path)?;
    let name = if path == Path::new("-") {
        "standard input".to_string()
    } else {
        path.display().to_string()
    };
    dump::read(&mut *input, options, visit).with_context(|| name)
}

/// A chip by name, if one is given.
pub fn maybe_chip(text: Option<&str>) -> anyhow::Result<Option<Chip>> {
    text.map(chip).transpose()
}
