//! Triangles whose interpolated values are their colours, all the way from the weights to the
//! bytes without a stop. Those that cover a whole tile wait for the next ones: between them the
//! tile's colours stay where they are, as numbers.

use crate::pp::blend;
use crate::pp::exec::{self, at_weights};
use crate::pp::primitives::AttrPlane;
use crate::pp::shade::TilePlane;
use crate::pp::tile::{DrawState, Job, Worker};
use isotherm_lanes::{LANES, Lane, Simd};

/// Triangles that wait at most; together they take a quarter of the fastest cache.
const MOST: usize = 16;

/// A triangle in a tile. Its weights need no correction.
#[repr(C, align(64))]
#[derive(Clone)]
pub(crate) struct Layer {
    /// What the weights of vertices 1 and 2 are across the tile.
    across: [[Lane; 3]; 2],
    /// The same as planes.
    weights: [[f32; 4]; 2],
    /// The colour's.
    planes: [AttrPlane; 4],
}

impl Layer {
    const NONE: Layer = Layer {
        across: [[[0.0; LANES]; 3]; 2],
        weights: [[0.0; 4]; 2],
        planes: [[0.0; 4]; 4],
    };

    /// Before the first group.
    #[inline(always)]
    pub(crate) fn prepare<S: Simd>(&mut self) {
        for (across, plane) in self.across.iter_mut().zip(&self.weights) {
            TilePlane::<S>::new(plane).store(across);
        }
    }

    /// The colours in the left or right quads of a row.
    #[inline(always)]
    pub(crate) fn colors<S: Simd>(&self, row: usize, side: usize) -> [S::F; 4] {
        let w = [
            TilePlane::<S>::group_of(&self.across[0], &self.weights[0], row, side),
            TilePlane::<S>::group_of(&self.across[1], &self.weights[1], row, side),
        ];
        [
            S::half(at_weights::<S>(&self.planes[0], w)),
            S::half(at_weights::<S>(&self.planes[1], w)),
            S::half(at_weights::<S>(&self.planes[2], w)),
            S::half(at_weights::<S>(&self.planes[3], w)),
        ]
    }
}

/// The triangles of a tile that wait, each over all of it, and their draw.
pub(crate) struct Layers {
    list: Box<[Layer]>,
    len: usize,
    draw: u32,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers {
            list: vec![Layer::NONE; MOST].into(),
            len: 0,
            draw: 0,
        }
    }
}

impl Layers {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

/// A triangle on its way into the tile.
pub(crate) struct Ramp<'a> {
    /// The draw's number, and what of the tile's budget it takes.
    pub(crate) draw: u32,
    pub(crate) cost: u32,
    /// Weights of vertices 1 and 2.
    pub(crate) weights: [[f32; 4]; 2],
    /// The first of the colour's planes.
    pub(crate) planes: u32,
    /// Covered pixels by rows of quads, unless it is all of them.
    pub(crate) cover: Option<&'a [u32; 8]>,
}

impl Worker {
    /// Draws a triangle, or lets it wait.
    #[inline(always)]
    pub(crate) fn ramp(&mut self, job: &Job, draw: &DrawState, ramp: &Ramp) -> Result<(), u32> {
        self.flush(job, ramp.draw)?;
        let paid = self.exec.pay(ramp.cost.into());
        paid.map_err(|exec::Hung| draw.rsw.shader)?;
        let last = job.draws.get(self.layers.draw as usize);
        let joins = ramp.cover.is_none()
            && self.layers.len < MOST
            && last.is_some_and(|last| last.blend.stacks_with(&draw.blend));
        if !joins {
            self.draw_layers(job);
        }
        self.layers.draw = ramp.draw;
        let layer = &mut self.layers.list[self.layers.len % MOST];
        self.layers.len += 1;
        layer.weights = ramp.weights;
        // Every attribute of a program has its plane.
        let planes = job.prims.planes.get(ramp.planes as usize..);
        let planes = planes.and_then(|planes| planes.first_chunk());
        layer.planes = planes.copied().unwrap_or_default();
        if let Some(cover) = ramp.cover {
            self.draw_covered(job, cover);
        }
        Ok(())
    }

    /// Draws what waits.
    #[inline(always)]
    pub(crate) fn draw_layers(&mut self, job: &Job) {
        if self.layers.len > 0 {
            self.draw_covered(job, &[u32::MAX; 8]);
        }
    }

    #[inline(never)]
    fn draw_covered(&mut self, job: &Job, cover: &[u32; 8]) {
        let layers = &mut self.layers.list[..self.layers.len];
        if let Some(draw) = job.draws.get(self.layers.draw as usize) {
            let tile = &mut self.buf.color.0[0];
            blend::write_layers(job.frame.level, &draw.blend, layers, cover, tile);
        }
        self.layers.clear();
    }
}

#[cfg(test)]
impl Layer {
    /// Colours around 0…1, over the edges too.
    pub(crate) fn random(random: &mut isotherm_lanes::Random) -> Layer {
        let mut plane = |size: f32| {
            let [a, b, c] = [0; 3].map(|_| random.unit() * size - size / 4.0);
            [a, b, c, b + c]
        };
        Layer {
            weights: [plane(0.1), plane(0.1)],
            planes: [plane(2.0), plane(2.0), plane(2.0), plane(2.0)],
            ..Layer::NONE
        }
    }
}
