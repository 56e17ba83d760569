//! The words of `isotherm demo`: dumps written to the folder, and some of them explained.

use crate::show;
use anyhow::Context;
use isotherm_regs::{Chip, find};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Words of real programs, chip by chip.
const WORDS: &[(Chip, &str, &[u32])] = &[
    (Chip::Nv10, "TEX_FORMAT[0]", &[0x1188_8332]),
    (Chip::Nv2a, "CONFIG_A", &[0x3d43_5f00]),
    (Chip::Nv2a, "BLEND", &[0x0000_055a]),
    (Chip::Nv2a, "RC_IN_COLOR[0]", &[0x0804_2020]),
    (Chip::Nv25, "RASTER", &[0x2060_0084]),
    (
        Chip::Nv25,
        "xfmode",
        &[0x8000_0005, 0x8000_0100, 0, 0x0001_0001],
    ),
    (Chip::Nv40, "TEX_CONTROL[3]", &[0x8007_8070]),
    (
        Chip::Mali400,
        "rsw",
        &[
            0,
            0,
            0xfc3b_1ad2,
            0x3e,
            0xffff_0000,
            7,
            7,
            0xffff,
            0xf807,
            0x1234_56e3,
            0,
            0x10,
            0,
            0x200,
            0x3000,
            0,
        ],
    ),
];

/// Which of them are explained on the terminal.
const SHOWN: &[&str] = &["BLEND", "RASTER"];

/// Writes `words.txt` and explains, unless nobody wants to hear it.
pub fn run(folder: &Path, quiet: bool) -> anyhow::Result<()> {
    let mut dump = String::from("# State words, as `isotherm decode CHIP words.txt` reads them.\n");
    let mut out = show::stdout();
    for (chip, name, values) in WORDS {
        let target = find::find(*chip, name)?;
        let hex: Vec<_> = values.iter().map(|v| format!("{v:#010x}")).collect();
        writeln!(dump, "chip {}\n{name} {}", chip.name(), hex.join(" "))?;
        if !quiet && SHOWN.contains(name) {
            show::print(&mut out, *chip, &show::explain(*chip, target, values), true)?;
            writeln!(out)?;
        }
    }
    let path = folder.join("words.txt");
    std::fs::write(&path, dump).with_context(|| path.display().to_string())?;
    if !quiet {
        writeln!(
            out,
            "{}: {} state words; isotherm decode nv2a {0} decodes them all",
            path.display(),
            WORDS.len()
        )?;
    }
    Ok(())
}
