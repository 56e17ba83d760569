//! A capture: its draws, pictures and pixels.

use crate::buffer::Buffer;
use crate::{bad, limits};
use isotherm::programs::{fragments, vertex};
use isotherm::{PixelFormat, Reader, SurfaceView};
use isotherm_regs::bundle::{Bundle, Kind};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// A capture in memory.
#[pyclass(frozen, module = "isotherm._isotherm")]
pub struct Capture {
    /// The file, for those who read it again.
    file: Vec<u8>,
    inner: Mutex<isotherm::Capture>,
    threads: Option<usize>,
}

/// A draw's depth, and its stencil where the surface has one.
type DepthStencil = (Buffer, Option<Buffer>);
/// Rows of vertices: attributes; positions, colours, fog, point size, texture coordinates.
type Vertices = (Buffer, Buffer, Buffer, Buffer, Buffer, Buffer);

impl Capture {
    fn lock(&self) -> PyResult<MutexGuard<'_, isotherm::Capture>> {
        self.inner
            .lock()
            .map_err(|_| bad("an earlier fault has broken this capture"))
    }

    /// Runs something with the capture while other Python threads go on.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        body: impl FnOnce(&mut isotherm::Capture) -> Result<T, isotherm::capture::Error> + Send,
    ) -> PyResult<T> {
        py.detach(|| body(&mut *self.lock()?).map_err(bad))
    }
}

/// A surface's words, row after row of samples, and their rows and columns.
fn surface_words(view: &SurfaceView, gpu: &isotherm::Gpu) -> (Vec<u32>, Vec<usize>) {
    let rows = (view.height * view.samples.1) as usize;
    let words = view.raw(&gpu.memory);
    let columns = words.len().checked_div(rows).unwrap_or(0);
    (words, vec![rows, columns])
}

#[pymethods]
impl Capture {
    #[new]
    #[pyo3(signature = (file, threads=None, budget=None))]
    fn new(
        py: Python<'_>,
        file: Vec<u8>,
        threads: Option<usize>,
        budget: Option<String>,
    ) -> PyResult<Capture> {
        let budget = budget.as_deref().map(limits).transpose()?;
        py.detach(|| {
            let reader = Reader::new(file.as_slice()).map_err(bad)?;
            let mut inner = isotherm::Capture::read(reader).map_err(bad)?;
            if let Some(threads) = threads {
                inner.set_threads(threads);
            }
            if let Some(budget) = budget {
                inner.set_budget(budget);
            }
            Ok(Capture {
                file,
                inner: Mutex::new(inner),
                threads,
            })
        })
    }

    fn chip(&self) -> PyResult<&'static str> {
        Ok(self.lock()?.chip().name())
    }

    fn draw_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, isotherm::Capture::draw_count)
    }

    /// Primitive type of a draw, and the offset of the record that it ends in.
    fn draw(&self, py: Python<'_>, number: u64) -> PyResult<Option<(u8, u64)>> {
        let draw = self.with(py, |capture| capture.draw(number))?;
        Ok(draw.map(|draw| (draw.primitive, draw.offset)))
    }

    /// The colour surface before and after a draw.
    fn target(&self, py: Python<'_>, number: u64) -> PyResult<Option<(Buffer, Buffer)>> {
        let images = self.with(py, |capture| capture.target(number))?;
        Ok(images.map(|[before, after]| (Buffer::image(before), Buffer::image(after))))
    }

    /// The colour surface after a draw.
    fn color(&self, py: Python<'_>, number: u64) -> PyResult<Option<Buffer>> {
        self.with(py, |capture| {
            let gpu = capture.seek(number)?;
            let target = gpu.render_target();
            let image = target.map(|target| gpu.read_surface(&target));
            // A Mali has no surface bound; its last job wrote a picture.
            Ok(image.or_else(|| gpu.last_picture()).map(Buffer::image))
        })
    }

    /// Depth and stencil after a draw.
    fn depth(&self, py: Python<'_>, number: u64) -> PyResult<Option<DepthStencil>> {
        self.with(py, |capture| {
            let gpu = capture.seek(number)?;
            let Some(view) = gpu.depth() else {
                return Ok(None);
            };
            let (words, shape) = surface_words(&view, gpu);
            if view.format != PixelFormat::Z24S8 {
                return Ok(Some((Buffer::words(words, shape), None)));
            }
            let stencil = words.iter().map(|word| *word as u8).collect();
            let depth = words.iter().map(|word| word >> 8).collect();
            let stencil = Buffer::bytes(stencil, shape.clone());
            Ok(Some((Buffer::words(depth, shape), Some(stencil))))
        })
    }

    /// What a texture unit samples in a draw.
    fn texture(&self, py: Python<'_>, number: u64, unit: usize) -> PyResult<Option<Buffer>> {
        self.with(py, |capture| {
            Ok(capture.seek(number)?.texture(unit).map(Buffer::image))
        })
    }

    /// The vertices of a draw before and after XF.
    fn vertices(&self, py: Python<'_>, number: u64) -> PyResult<Vertices> {
        self.with(py, |capture| {
            let pairs = capture.vertices(number)?;
            let count = pairs.len();
            let words = |of: &dyn Fn(&isotherm::VertexPair) -> Vec<u32>| -> Vec<u32> {
                pairs.iter().flat_map(of).collect()
            };
            let attributes = words(&|pair| pair.input.attr.as_flattened().to_vec());
            let positions = words(&|pair| pair.output.pos.to_vec());
            let fog = words(&|pair| vec![pair.output.fog]);
            let size = words(&|pair| vec![pair.output.point_size]);
            let coordinates = words(&|pair| pair.output.tex.as_flattened().to_vec());
            let colors = pairs.iter().flat_map(|pair| pair.output.color).flatten();
            Ok((
                Buffer::floats(attributes, vec![count, 16, 4]),
                Buffer::floats(positions, vec![count, 4]),
                Buffer::bytes(colors.collect(), vec![count, 4, 4]),
                Buffer::floats(fog, vec![count]),
                Buffer::floats(size, vec![count]),
                Buffer::floats(coordinates, vec![count, 8, 4]),
            ))
        })
    }

    /// A state word after a draw.
    fn word(&self, py: Python<'_>, number: u64, name: &str, index: usize) -> PyResult<Option<u32>> {
        self.with(py, |capture| Ok(capture.seek(number)?.word(name, index)))
    }

    /// All state words after a draw: name, number, word.
    fn words(&self, py: Python<'_>, number: u64) -> PyResult<Vec<(&'static str, usize, u32)>> {
        self.with(py, |capture| {
            let family = capture.chip().family();
            let gpu = capture.seek(number)?;
            let mut all = Vec::new();
            for bundle in Bundle::all().filter(|b| b.row().kind == Kind::State) {
                let count = bundle.row().ids(family).map_or(0, |ids| ids.count);
                for index in 0..usize::from(count) {
                    let word = gpu.word(bundle.name(), index);
                    all.extend(word.map(|word| (bundle.name(), index, word)));
                }
            }
            Ok(all)
        })
    }

    /// Vertex and fragment program of a draw as text, where it runs one.
    fn programs(&self, py: Python<'_>, number: u64) -> PyResult<(Option<String>, Option<String>)> {
        py.detach(|| {
            let reader = || Reader::new(self.file.as_slice()).map_err(bad);
            let mut of_vertices = None;
            vertex::draws(reader()?, |draw| {
                if draw.number == number {
                    of_vertices = Some(isotherm_regs::xf::asm::disassemble(&draw.program()));
                }
                draw.number < number
            })
            .map_err(bad)?;
            let mut of_fragments = None;
            fragments::draws(reader()?, |draw| {
                if draw.number == number {
                    let text = draw.program();
                    of_fragments = text
                        .ok()
                        .map(|program| isotherm_regs::fp::asm::disassemble(draw.family, &program));
                }
                draw.number < number
            })
            .map_err(bad)?;
            Ok((of_vertices, of_fragments))
        })
    }

    /// The pictures that the capture shows: a JSON of the SURF record, and the pixels.
    fn pictures(&self, py: Python<'_>) -> PyResult<Vec<(String, Buffer)>> {
        let threads = self.threads;
        let pictures = self.with(py, |capture| capture.pictures(threads))?;
        let pictures = pictures.into_iter().map(|shown| {
            let json = serde_json::to_string(&shown.surface).map_err(bad)?;
            Ok((json, Buffer::image(shown.image)))
        });
        pictures.collect()
    }

    /// What happened to a pixel of the last picture, or of the colour surface of a draw; JSON.
    fn pixel(&self, py: Python<'_>, x: u32, y: u32, draw: Option<u64>) -> PyResult<String> {
        let steps = self.with(py, |capture| {
            let (address, bytes) = match pixel_place(capture, x, y, draw)? {
                Some(place) => place,
                None => return Ok(None),
            };
            capture.pixel_history(address, bytes).map(Some)
        })?;
        let steps = steps.ok_or_else(|| bad(format!("no pixel ({x}, {y})")))?;
        serde_json::to_string(&steps).map_err(bad)
    }
}

/// Address and bytes of a pixel; `None` if it is outside, or there is no picture.
fn pixel_place(
    capture: &mut isotherm::Capture,
    x: u32,
    y: u32,
    draw: Option<u64>,
) -> Result<Option<(u32, u32)>, isotherm::capture::Error> {
    let mut shown = None;
    for record in capture.records() {
        if let isotherm::capture::Payload::Surface(surface) = record.payload {
            shown = Some(surface);
        }
    }
    if let (None, Some(surface)) = (draw, shown) {
        let inside = x < surface.width && y < surface.height;
        return Ok(inside.then(|| (surface.address(x, y), surface.bytes())));
    }
    let gpu = capture.seek(draw.unwrap_or(u64::MAX))?;
    let target = gpu.render_target();
    Ok(target
        .filter(|target| x < target.width && y < target.height)
        .map(|target| {
            (
                target.address_of(x * target.samples.0, y * target.samples.1),
                target.format.bytes(),
            )
        }))
}
