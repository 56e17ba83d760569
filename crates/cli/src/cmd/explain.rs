//! `isotherm explain`: one word or record, field by field.

use crate::show;
use crate::usage::{chip, number, usage};
use isotherm::words;
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

/// Explains.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let chip = chip(&args.chip)?;
    let target = crate::usage::target(chip, &args.word)?;
    let values = args
        .values
        .iter()
        .map(|v| number(v))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let groups = words::groups(chip, target, &values).map_err(|e| usage(e.0))?;
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
