//! `isotherm explain`: one word or record, field by field.

use crate::show;
use crate::usage::{chip, number, usage};
use isotherm_regs::Chip;
use isotherm_regs::find::Target;
use std::io::{BufWriter, Write};

/// Options of `isotherm explain`.
#[derive(clap::Args)]
pub struct Args {
    /// Chip, family or product: nv2a, xbox, geforce3, kelvin, rsx, mali400…
    chip: String,
    /// What it is: a bundle (RASTER, `TEX_FILTER[2]`), a bundle id (0x64), the address of a shadow
    /// register (0x401990, 0xfd401990), a method (97:0x1e60), a record (rsw, xfmode, texture), a
    /// command stream (plbu, vs), a context entry (`xfctx[0x28]`, MATRIX_MV0), or what others call
    /// these: NV097_SET_BLEND_ENABLE, NV_PGRAPH_BLEND, NV40_3D_BLEND_FUNC_ENABLE.
    word: String,
    /// Its words, hexadecimal with or without 0x.
    #[arg(required = true)]
    values: Vec<String>,
    /// Show what headers, drivers and emulators call it.
    #[arg(long)]
    names: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Splits the values given to a target into what it takes at a time.
fn groups(chip: Chip, target: Target, values: &[u32]) -> anyhow::Result<Vec<(Target, Vec<u32>)>> {
    let wrong = |wanted: String| {
        usage(format!(
            "{} takes {wanted}, {} given",
            target.label(),
            values.len()
        ))
    };
    Ok(match target {
        Target::Record(record) => {
            if values.len() != record.slots.len() {
                return Err(wrong(format!("{} words", record.slots.len())));
            }
            vec![(target, values.to_vec())]
        }
        Target::Commands(..) => {
            if !values.len().is_multiple_of(2) {
                return Err(wrong("pairs of words, a value and an opcode".into()));
            }
            values
                .chunks(2)
                .map(|pair| (target, pair.to_vec()))
                .collect()
        }
        Target::Context(ram, ..) => {
            if values.len() > ram.width() {
                return Err(wrong(format!("up to {} words", ram.width())));
            }
            vec![(target, values.to_vec())]
        }
        Target::Bundle(first, entry) => neighbours(values, |i| {
            let ids = first.row().on(chip)?;
            (entry + i < ids.count).then_some(Target::Bundle(first, entry + i))
        })
        .ok_or_else(|| wrong("no more than its entries".into()))?,
        Target::Method(class, _, at) => neighbours(values, |i| {
            let at = at.checked_add(4 * i)?;
            Some(Target::Method(class, class.method(at)?, at))
        })
        .ok_or_else(|| wrong("no more than the methods that follow".into()))?,
        Target::Mode(..) | Target::Slot(..) | Target::Register(_) => {
            if values.len() != 1 {
                return Err(wrong("one word".into()));
            }
            vec![(target, values.to_vec())]
        }
    })
}

fn neighbours(
    values: &[u32],
    next: impl Fn(u16) -> Option<Target>,
) -> Option<Vec<(Target, Vec<u32>)>> {
    values
        .iter()
        .enumerate()
        .map(|(i, v)| Some((next(u16::try_from(i).ok()?)?, vec![*v])))
        .collect()
}

/// Explains.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let chip = chip(&args.chip)?;
    let target = crate::usage::target(chip, &args.word)?;
    let values = args
        .values
        .iter()
        .map(|v| number(v))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let groups = groups(chip, target, &values)?;
    let mut out = BufWriter::new(show::stdout());
    let shown: Vec<_> = groups
        .into_iter()
        .map(|(target, values)| show::explain(chip, target, &values))
        .collect();
    let result = if args.json {
        let all: Vec<_> = shown.iter().map(|s| show::to_json(chip, s)).collect();
        let value = serde_json::json!({ "schema": show::SCHEMA, "words": all });
        show::write_json(&mut out, &value)
    } else {
        shown
            .iter()
            .try_for_each(|s| show::print(&mut out, chip, s, args.names))
    };
    show::finish(result.and_then(|()| out.flush()))
}
