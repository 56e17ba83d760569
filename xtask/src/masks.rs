//! `cargo xtask masks`: the declared fields of every word against the bits that
//! the register scans found to exist.

use anyhow::{Context, bail};
use isotherm_regs::bundle::{Bundle, Kind};
use isotherm_regs::{Chip, Word, errata, xf::mode};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Deserialize)]
struct Register {
    reg: String,
    mask: String,
    fixed: String,
    bundle: Option<String>,
}

/// Runs the comparison and fails on any difference that errata do not explain.
pub fn run(file: Option<PathBuf>) -> anyhow::Result<()> {
    let file = file.unwrap_or_else(|| crate::shared().join("vectors/masks.json"));
    if !file.exists() {
        println!("skipped: {} is not there", file.display());
        return Ok(());
    }
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let scans: BTreeMap<String, BTreeMap<String, Vec<Register>>> =
        serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    let mut report = Report::default();
    for (name, sections) in &scans {
        let chip = Chip::parse(name).with_context(|| format!("{name}: no such chip"))?;
        check_bundles(chip, &sections["bundles"], &mut report)?;
        check_xfmode(chip, &sections["fe3d"], &mut report)?;
    }
    println!(
        "{} chips, {} words equal, {} explained by errata, {} unexplained",
        scans.len(),
        report.equal,
        report.explained,
        report.unexplained.len()
    );
    for line in &report.unexplained {
        println!("  {line}");
    }
    if !report.unexplained.is_empty() {
        bail!("the declarations differ from the scans");
    }
    Ok(())
}

#[derive(Default)]
struct Report {
    equal: usize,
    explained: usize,
    unexplained: Vec<String>,
}

impl Report {
    /// Compares one word; `declared` is `None` when the chip should not have it.
    fn compare(
        &mut self,
        chip: Chip,
        name: &str,
        entry: u16,
        declared: Option<u32>,
        scanned: Option<u32>,
    ) {
        if declared == scanned {
            self.equal += 1;
        } else if errata::mask_exception(chip, name, entry).is_some() {
            self.explained += 1;
        } else {
            let show = |mask: Option<u32>| mask.map_or("absent".into(), |m| format!("{m:08x}"));
            self.unexplained.push(format!(
                "{} {name}[{entry}]: declared {}, scanned {}",
                chip.name(),
                show(declared),
                show(scanned)
            ));
        }
    }
}

fn hex(text: &str) -> anyhow::Result<u32> {
    u32::from_str_radix(text, 16).with_context(|| format!("{text:?} is not a hexadecimal number"))
}

fn check_bundles(chip: Chip, registers: &[Register], report: &mut Report) -> anyhow::Result<()> {
    let mut seen = BTreeSet::new();
    for register in registers {
        let Some(id) = &register.bundle else { continue };
        let id = u16::try_from(hex(id)?)?;
        let scanned = hex(&register.mask)? | hex(&register.fixed)?;
        let Some((bundle, entry)) = Bundle::locate(chip.family(), id) else {
            report.compare(chip, &register.reg, 0, None, Some(scanned));
            continue;
        };
        seen.insert((bundle, entry));
        let declared = bundle
            .row()
            .on(chip)
            .map(|_| bundle.word().mask(chip, entry));
        report.compare(chip, bundle.name(), entry, declared, Some(scanned));
    }
    for bundle in Bundle::all().filter(|b| b.row().kind == Kind::State) {
        for entry in 0..bundle.row().on(chip).map_or(0, |ids| ids.count) {
            if !seen.contains(&(bundle, entry)) {
                let declared = Some(bundle.word().mask(chip, entry));
                report.compare(chip, bundle.name(), entry, declared, None);
            }
        }
    }
    Ok(())
}

fn check_xfmode(chip: Chip, registers: &[Register], report: &mut Report) -> anyhow::Result<()> {
    let words: [(&str, &Word); 6] = [
        ("XF_MODE_A", &mode::XFMODE_A::WORD),
        ("XF_MODE_B", &mode::XFMODE_B::WORD),
        ("XF_MODE_C", &mode::XFMODE_C::WORD),
        ("XF_MODE_T", &mode::XFMODE_T::WORD),
        ("CELSIUS_XF_MISC_A", &mode::CELSIUS_XFMODE_B::WORD),
        ("CELSIUS_XF_MISC_B", &mode::CELSIUS_XFMODE_A::WORD),
    ];
    let mut found = 0;
    for register in registers {
        let name = register.reg.split('[').next().unwrap_or_default();
        if let Some((_, word)) = words.iter().find(|(n, _)| *n == name) {
            found += 1;
            let scanned = hex(&register.mask)? | hex(&register.fixed)?;
            report.compare(chip, word.name, 0, Some(word.mask(chip, 0)), Some(scanned));
        }
    }
    let expected = mode::record(chip).map_or(0, |(record, _)| record.slots.len());
    if found != expected {
        bail!(
            "{}: {found} mode words scanned, {expected} declared",
            chip.name()
        );
    }
    Ok(())
}
