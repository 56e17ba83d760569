//! `isotherm encode`: fields to a word.

use crate::show;
use crate::usage::{chip, usage};
use isotherm::words;

/// Options of `isotherm encode`.
#[derive(clap::Args)]
pub struct Args {
    /// Chip or family.
    chip: String,
    /// What it is, as for `explain`.
    word: String,
    /// Fields, with values as `explain` prints them: names, or numbers, decimal unless they begin
    /// with 0x. Those not named are zero. Of a record: WORD.FIELD=VALUE, or a field that crosses words.
    #[arg(value_name = "FIELD=VALUE")]
    fields: Vec<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Makes the words.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let chip = chip(&args.chip)?;
    let target = crate::usage::target(chip, &args.word)?;
    let fields: Vec<&str> = args.fields.iter().map(String::as_str).collect();
    let values = words::encode(chip, target, &args.word, &fields).map_err(|e| usage(e.0))?;
    if args.json {
        let words: Vec<_> = values.iter().map(|v| format!("{v:#010x}")).collect();
        let json = serde_json::json!({
            "schema": show::SCHEMA, "chip": chip.name(), "label": target.label(), "values": words,
        });
        say!("{}", serde_json::to_string_pretty(&json)?);
    } else {
        let words: Vec<_> = values.iter().map(|v| format!("{v:#010x}")).collect();
        say!("{}", words.join(" "));
    }
    Ok(())
}
