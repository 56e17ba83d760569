//! Whole Celsius vertices: context, mode and input words to the sixteen words
//! of an output slot.

use super::{Tally, read};
use anyhow::{Context, Result, ensure};
use isotherm::Chip;
use isotherm::vertex::VtxIn;
use isotherm::xf::{Xf, celsius};
use serde_json::Value;
use std::path::Path;

pub fn run(folder: &Path) -> Result<Tally> {
    let path = folder.join("celsius-tl.jsonl.zst");
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return Ok(Tally::default());
    }
    let text = String::from_utf8(read(&path)?)?;
    let mut tally = Tally::default();
    let mut unit: Option<(Chip, Xf)> = None;
    for (n, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line)?;
        match &value {
            Value::Object(o) if o.contains_key("ctx") => unit = Some(context(&value)?),
            Value::Array(row) => {
                let (chip, xf) = unit.as_mut().context("a row before any context")?;
                tally.rows += 1;
                if let Err(why) = check(*chip, xf, row) {
                    if tally.wrong < 5 {
                        println!("celsius-tl line {}: {why}", n + 1);
                    }
                    tally.wrong += 1;
                }
            }
            _ => {}
        }
    }
    Ok(tally.report("celsius vertices"))
}

fn words(v: &Value) -> Result<Vec<u32>> {
    let text = v.as_str().context("words as text")?;
    text.split(' ')
        .map(|w| Ok(u32::from_str_radix(w, 16)?))
        .collect()
}

fn context(v: &Value) -> Result<(Chip, Xf)> {
    let name = v["chipset"].as_str().context("chipset")?;
    let chip = Chip::parse(name).with_context(|| format!("no chip {name}"))?;
    let mut xf = Xf::new(chip);
    let s = xf.state_mut();
    for (row, w) in s.xfctx.iter_mut().zip(words(&v["xfrm"])?.chunks_exact(4)) {
        row.copy_from_slice(w);
    }
    for (row, w) in s
        .ltctx
        .iter_mut()
        .zip(words(&v["light_v"])?.chunks_exact(3))
    {
        row.copy_from_slice(w);
    }
    for (bank, key) in s.ltc.iter_mut().zip(["sa", "sb", "sc", "sd"]) {
        let w = words(&v[key])?;
        bank[..w.len()].copy_from_slice(&w);
    }
    Ok((chip, xf))
}

fn check(chip: Chip, xf: &mut Xf, row: &[Value]) -> Result<()> {
    ensure!(row.len() == 4, "a row of four");
    let mode = words(&row[1])?;
    let input = words(&row[2])?;
    let want = words(&row[3])?;
    ensure!(
        mode.len() == 5 && input.len() == 28 && want.len() == 16,
        "5, 28 and 16 words"
    );
    xf.state_mut().mode[..2].copy_from_slice(&mode[..2]);
    let mut v = VtxIn {
        attr: [[0; 4]; 16],
        edge_flag: mode[4] != 0,
    };
    for (a, w) in v.attr.iter_mut().zip(input.chunks_exact(4)) {
        a.copy_from_slice(w);
    }
    let clamp = mode[2] & 1 != 0 && mode[3] & 1 == 0;
    let got = celsius::slot(chip, xf.state(), clamp, &v);
    for i in 0..16 {
        ensure!(
            got[i] == want[i],
            "mode {mode:08x?} word {i}: {:08x}, not {:08x}",
            got[i],
            want[i]
        );
    }
    Ok(())
}
