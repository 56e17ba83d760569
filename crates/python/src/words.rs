//! Words explained, made and read.

use crate::{bad, chip};
use isotherm::words;
use isotherm_regs::dump::{self, Options};
use pyo3::prelude::*;

/// Words explained, as JSON (`isotherm-words-1`).
#[pyfunction]
pub fn explain(chip_name: &str, name: &str, values: Vec<u32>) -> PyResult<String> {
    let json = words::explain_named(chip(chip_name)?, name, &values).map_err(bad)?;
    Ok(json.to_string())
}

/// Words made of fields, `NAME=VALUE` each.
#[pyfunction]
pub fn encode(chip_name: &str, name: &str, fields: Vec<String>) -> PyResult<Vec<u32>> {
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    words::encode_named(chip(chip_name)?, name, &fields).map_err(bad)
}

/// A dump, text, JSON or raw words: each thing in it explained, as a JSON list.
#[pyfunction]
pub fn decode(py: Python<'_>, chip_name: Option<&str>, data: &[u8]) -> PyResult<String> {
    let options = Options {
        chip: chip_name.map(chip).transpose()?,
        form: None,
    };
    py.detach(|| {
        let mut all = Vec::new();
        let mut input = data;
        dump::read(&mut input, options, &mut |item| {
            let shown = words::explain(item.chip, item.target, item.words);
            all.push(words::to_json(item.chip, &shown));
            Ok(())
        })
        .map_err(bad)?;
        Ok(serde_json::Value::from(all).to_string())
    })
}
