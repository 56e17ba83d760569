//! A vertex that somebody watches.

use isotherm_bus::vertex::VtxIn;
use isotherm_xf::xf::Xf;

/// One vertex as it goes into XF, and the unit as it stands then.
#[derive(Clone, Debug)]
pub struct WatchedVertex {
    /// The unit.
    pub xf: Xf,
    /// The vertex.
    pub vertex: VtxIn,
}

/// Looks for one vertex of one draw.
#[derive(Debug)]
pub(super) struct VertexWatch {
    /// Draws to pass before it.
    draws: u64,
    /// Vertices of its draw to pass before it.
    vertices: usize,
    found: Option<Box<WatchedVertex>>,
}

impl VertexWatch {
    pub(super) fn new(draw: u64, vertex: usize) -> VertexWatch {
        VertexWatch {
            draws: draw,
            vertices: vertex,
            found: None,
        }
    }

    /// Vertices are about to go through XF.
    pub(super) fn batch(&mut self, xf: &Xf, batch: &[VtxIn]) {
        if self.draws != 0 || self.found.is_some() {
            return;
        }
        match batch.get(self.vertices) {
            Some(&vertex) => {
                let xf = xf.clone();
                self.found = Some(Box::new(WatchedVertex { xf, vertex }));
            }
            None => self.vertices -= batch.len(),
        }
    }

    /// A draw has ended.
    pub(super) fn end(&mut self) {
        // After the watched draw none is waited for.
        self.draws = self.draws.checked_sub(1).unwrap_or(u64::MAX);
    }

    pub(super) fn take(self) -> Option<WatchedVertex> {
        self.found.map(|found| *found)
    }
}
