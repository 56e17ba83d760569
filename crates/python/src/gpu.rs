//! A chip to send methods to.

use crate::buffer::Buffer;
use crate::{bad, chip, limits};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard};

/// A chip with memory of its own.
#[pyclass(frozen, module = "isotherm._isotherm")]
pub struct Gpu(Mutex<isotherm::Gpu>);

impl Gpu {
    fn lock(&self) -> PyResult<MutexGuard<'_, isotherm::Gpu>> {
        self.0
            .lock()
            .map_err(|_| bad("an earlier fault has broken this chip"))
    }

    /// Runs something with the chip while other Python threads go on.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        body: impl FnOnce(&mut isotherm::Gpu) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| body(&mut *self.lock()?))
    }
}

#[pymethods]
impl Gpu {
    #[new]
    #[pyo3(signature = (chip_name, memory_size=None, threads=None, budget=None))]
    fn new(
        chip_name: &str,
        memory_size: Option<usize>,
        threads: Option<usize>,
        budget: Option<&str>,
    ) -> PyResult<Gpu> {
        let mut builder = isotherm::Gpu::builder(chip(chip_name)?);
        if let Some(bytes) = memory_size {
            builder = builder.memory_size(bytes);
        }
        if let Some(threads) = threads {
            builder = builder.threads(threads);
        }
        if let Some(budget) = budget {
            builder = builder.budget(limits(budget)?);
        }
        Ok(Gpu(Mutex::new(builder.build().map_err(bad)?)))
    }

    fn chip(&self) -> PyResult<&'static str> {
        Ok(self.lock()?.chip().name())
    }

    fn dma(&self, handle: u32, base: u32, limit: u32) -> PyResult<()> {
        self.lock()?.objects_mut().dma(handle, base, limit);
        Ok(())
    }

    fn graphics(&self, handle: u32, class_id: u32) -> PyResult<()> {
        self.lock()?.objects_mut().graphics(handle, class_id);
        Ok(())
    }

    fn register(&self, address: u32, value: u32) -> PyResult<()> {
        self.lock()?.write_register(address, value);
        Ok(())
    }

    /// Runs one method; the reason if the front end refuses it.
    fn method(
        &self,
        py: Python<'_>,
        subchannel: u8,
        method: u16,
        data: u32,
    ) -> PyResult<Option<String>> {
        self.with(py, |gpu| {
            let outcome = gpu.method(subchannel, method, data).map_err(bad)?;
            Ok(outcome.trap.map(|trap| trap.reason()))
        })
    }

    fn push(&self, py: Python<'_>, words: Vec<u32>) -> PyResult<usize> {
        self.with(py, |gpu| Ok(gpu.push(&words).map_err(bad)?.taken))
    }

    fn write(&self, py: Python<'_>, address: u32, bytes: Vec<u8>) -> PyResult<()> {
        self.with(py, |gpu| {
            gpu.write_memory(address, &bytes);
            Ok(())
        })
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        address: u32,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |gpu| {
            gpu.finish();
            // No more than there is: the size may be anything.
            Ok(gpu.memory.bytes(address, size).to_vec())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bound colour surface, drawn.
    fn color(&self, py: Python<'_>) -> PyResult<Option<Buffer>> {
        self.with(py, |gpu| {
            let target = gpu.render_target();
            Ok(target.map(|target| Buffer::image(gpu.read_surface(&target))))
        })
    }

    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |gpu| {
            gpu.finish();
            Ok(())
        })
    }

    fn draws(&self) -> PyResult<u64> {
        Ok(self.lock()?.draws())
    }

    fn word(&self, name: &str, index: usize) -> PyResult<Option<u32>> {
        Ok(self.lock()?.word(name, index))
    }

    fn inspect(&self, py: Python<'_>, on: bool) -> PyResult<()> {
        self.with(py, |gpu| {
            gpu.inspect_draws(on);
            Ok(())
        })
    }

    /// Number, primitive, vertices, pixels, and why there are none.
    fn reports(&self) -> PyResult<Vec<(u64, u8, u64, u64, Option<String>)>> {
        let reports = self.lock()?.draw_reports();
        let report = |r: isotherm::DrawReport| {
            let why = r.why_nothing().map(ToString::to_string);
            (r.number, r.primitive, r.vertices, r.pixels, why)
        };
        Ok(reports.into_iter().map(report).collect())
    }

    /// Records into a file from now on.
    fn record_to(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        let file = std::io::BufWriter::new(std::fs::File::create(path)?);
        self.with(py, |gpu| Ok(gpu.record_to(file)?))
    }

    fn record_picture(&self) -> PyResult<bool> {
        Ok(self.lock()?.record_picture()?)
    }

    fn end_recording(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |gpu| Ok(gpu.end_recording()?))
    }
}
