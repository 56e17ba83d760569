//! The crate `isotherm` for Python. What people use is the package in `python/isotherm`; this
//! module is what it stands on: arrays as buffers, everything else as numbers and JSON.

mod buffer;
mod capture;
mod gpu;
mod picture;
mod words;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Anything that went wrong, as a ValueError with its sentence.
fn bad(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn chip(name: &str) -> PyResult<isotherm::Chip> {
    isotherm::Chip::parse(name).ok_or_else(|| bad(format!("no chip is called {name:?}")))
}

/// A budget by its text.
fn limits(text: &str) -> PyResult<isotherm::budget::Limits> {
    text.parse()
        .map_err(|error| bad(format!("budget: {error}")))
}

#[pymodule]
fn _isotherm(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<buffer::Buffer>()?;
    module.add_class::<capture::Capture>()?;
    module.add_class::<gpu::Gpu>()?;
    module.add_function(wrap_pyfunction!(words::explain, module)?)?;
    module.add_function(wrap_pyfunction!(words::encode, module)?)?;
    module.add_function(wrap_pyfunction!(words::decode, module)?)?;
    module.add_function(wrap_pyfunction!(picture::png_encode, module)?)?;
    module.add_function(wrap_pyfunction!(picture::png_decode, module)?)?;
    module.add("version", env!("CARGO_PKG_VERSION"))
}
