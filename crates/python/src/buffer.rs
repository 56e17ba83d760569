//! Arrays that numpy looks into without copying them.

use isotherm::Image;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Bytes with a shape and a type. `numpy.asarray` shows them as they lie; the array keeps the
/// buffer alive, and nobody changes it.
#[pyclass(frozen, module = "isotherm._isotherm")]
pub struct Buffer {
    bytes: Bytes,
    shape: Vec<usize>,
    /// As numpy writes it: `|u1`, `<u4`, `<f4`.
    kind: &'static str,
}

enum Bytes {
    U8(Vec<u8>),
    U32(Vec<u32>),
}

impl Buffer {
    pub(crate) fn bytes(bytes: Vec<u8>, shape: Vec<usize>) -> Buffer {
        debug_assert_eq!(bytes.len(), shape.iter().product::<usize>());
        Buffer {
            bytes: Bytes::U8(bytes),
            shape,
            kind: "|u1",
        }
    }

    pub(crate) fn words(words: Vec<u32>, shape: Vec<usize>) -> Buffer {
        debug_assert_eq!(words.len(), shape.iter().product::<usize>());
        Buffer {
            bytes: Bytes::U32(words),
            shape,
            kind: "<u4",
        }
    }

    /// float32 bit patterns.
    pub(crate) fn floats(words: Vec<u32>, shape: Vec<usize>) -> Buffer {
        Buffer {
            kind: "<f4",
            ..Buffer::words(words, shape)
        }
    }

    /// Rows, columns, R G B A.
    pub(crate) fn image(image: Image) -> Buffer {
        let shape = vec![image.height as usize, image.width as usize, 4];
        Buffer::bytes(image.rgba, shape)
    }
}

#[pymethods]
impl Buffer {
    /// What numpy asks for.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let start = match &self.bytes {
            Bytes::U8(bytes) => bytes.as_ptr() as usize,
            Bytes::U32(words) => words.as_ptr() as usize,
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        let read_only = true;
        interface.set_item("data", (start, read_only))?;
        Ok(interface)
    }
}
