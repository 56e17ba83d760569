//! The fast way of a triangle: colours go to memory as they are, or blended, after tests of
//! depth and alpha at most.
//!
//! The words are those that the general way ([`super::tile`]) writes; a test below draws
//! random states both ways. What other units would do to the pixels is left out, and the
//! pixels are taken in groups of sixteen that need not be neighbours:
//!
//! ```text
//! tile.rs         Tile::triangle         which blocks lie inside the clip rectangle?
//!    ▼
//! mod.rs          FastTriangle::draw     where does the colour come from?
//!    ├─ quads.rs                         covered 2x2 quads, four to a group
//!    ▼
//! stages.rs       textured, colored, handed_on, combined, programmed, branching: eight groups
//!                 at a time through
//!    ├─ interpolate.rs                   1. depth, and its test
//!    ├─ interpolate.rs                   2. vertices' shares, texture coordinates
//!    ├─ tex/lanes.rs                     3. texels (textured)
//!    ├─ shader, shader/program              or all the pixel units
//!    └─ color.rs, sink.rs, quads.rs      4. alpha test, colours, blending, memory
//! ```
//!
//! Everything below `stages.rs` is compiled once for every level of vector instructions.

mod color;
mod interpolate;
mod quads;
mod sink;
mod stages;
mod state;
mod values;

pub(super) use sink::Sink;
pub use state::FastState;

use super::attrs::Attrs;
use super::tile::Draw;
use super::tri::Tri;
use crate::frag::Frag;
use crate::rop::Target;
use crate::rop::surface::{Area, Plane};
use crate::shader::program::Lanes;
use crate::tex::SampleLanes;
use color::{ColorLanes, VertexPairs};
use interpolate::{Interpolate, Interpolator, Slope};
use isotherm_bus::memory::SharedBytes;
use isotherm_lanes::Level;
use quads::{QuadLanes, Quads};
use stages::{Batch, Job};
use state::Source;
use std::cell::Cell;
use values::Values;

/// What each level of vector instructions does in its own way here.
pub(crate) trait FastLanes: QuadLanes + Interpolate + SampleLanes + ColorLanes {}

impl<L: QuadLanes + Interpolate + SampleLanes + ColorLanes> FastLanes for L {}

/// Memory that all triangles of a tile use.
pub(super) struct Scratch {
    quads: Quads,
    values: Values,
    batch: Batch,
    /// Of programs, between two tiles.
    lanes: Option<Box<Lanes>>,
}

thread_local! {
    /// A thread's scratch memory between two tiles: making it anew takes as long as some
    /// triangles.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

impl Scratch {
    /// This thread's.
    pub(super) fn take() -> Box<Scratch> {
        SCRATCH.take().unwrap_or_else(|| {
            Box::new(Scratch {
                quads: Quads::new(),
                values: Values::new(),
                batch: Batch::new(),
                lanes: None,
            })
        })
    }

    /// A tile's fragments.
    pub(super) fn fragments(&mut self) -> Frag {
        Frag::with(self.lanes.take().unwrap_or_default())
    }

    /// Keeps it and the memory of a tile's programs for the thread's next tile.
    pub(super) fn give_back(mut self: Box<Scratch>, frag: Frag) {
        self.lanes = Some(frag.program);
        SCRATCH.set(Some(self));
    }
}

/// A triangle that goes the fast way.
pub(crate) struct FastTriangle<'t, 'a> {
    state: &'a FastState,
    tri: &'t Tri,
    attrs: &'t Attrs,
    draw: &'a Draw,
    /// The vertices' blue and red, green and alpha.
    colors: [VertexPairs; 2],
}

impl<'t, 'a> FastTriangle<'t, 'a> {
    /// `None` if this triangle needs more than its draw's other ones.
    #[inline(always)]
    pub(super) fn new(draw: &'a Draw, tri: &'t Tri, attrs: &'t Attrs) -> Option<Self> {
        let state = draw.fast.as_ref()?;
        if tri.extreme() || !(attrs.flat_depth || state.depth.is_some()) {
            return None;
        }
        let [a, b, c] = attrs.color[0].map(color::pairs);
        Some(FastTriangle {
            state,
            tri,
            attrs,
            draw,
            colors: [
                VertexPairs::new([a[0], b[0], c[0]]),
                VertexPairs::new([a[1], b[1], c[1]]),
            ],
        })
    }

    /// Draws the pixels in `r`, whole blocks of the tile at `origin` of which no other tile
    /// has a part. Returns how many passed, and where those go that still wait for their colours
    /// ([`finish`]). `None`, and nothing is drawn, if memory ends before the last of them, or if
    /// the triangle is too large. Those that wait must be of the same draw.
    #[inline(always)]
    pub(super) fn draw<L: FastLanes>(
        &self,
        level: Level,
        target: &Target<'a>,
        r: [i32; 4],
        origin: [i32; 2],
        scratch: &mut Scratch,
        frag: &mut Frag,
    ) -> Option<(u32, Option<Sink<'a>>)> {
        let color = area(&target.color, r, origin)?;
        let zeta = match self.state.depth {
            Some(_) => Some(area(&target.zeta, r, origin)?),
            None => None,
        };
        let Scratch {
            quads,
            values,
            batch,
            ..
        } = scratch;
        let edges = quads.cover::<L>(self.tri, r, origin)?;
        let sink = Sink {
            draw: self.draw,
            state: self.state,
            color,
            zeta,
        };
        if quads.is_empty() {
            return Some((0, batch.waits().then_some(sink)));
        }
        let interpolator = match &self.attrs.inputs {
            None if edges.are_whole() => Interpolator::new(self.tri),
            _ => None,
        };
        let slopes = match &self.state.source {
            Source::Texture(modulate) => plain_slopes(&self.attrs.tex[modulate.stage % 4]),
            _ => None,
        };
        let values = match &self.state.source {
            Source::Units if interpolator.is_some() => {
                let fog = &self.draw.raster.fog;
                let read = fog.enable && self.draw.shade.reads_fog();
                values.take(self.attrs, read.then_some(fog))
            }
            _ => None,
        };
        let job = Job {
            triangle: self,
            edges,
            interpolator: interpolator.unwrap_or_default(),
            slopes: slopes.unwrap_or_default(),
            values,
            depth: match zeta {
                Some(_) => self.tri.moderate_depth(&self.attrs.z),
                None => None,
            },
            quads,
            origin,
            sink,
        };
        let passed = match &self.state.source {
            Source::Texture(modulate) if interpolator.is_some() && slopes.is_some() => {
                stages::textured(level, &job, modulate, batch, frag)
            }
            Source::Vertices if interpolator.is_some() => stages::colored(level, &job, batch),
            Source::HandedOn => stages::handed_on(level, &job, batch),
            _ => match (&self.draw.program, &self.attrs.inputs) {
                (Some(program), Some(inputs)) if program.is_straight() => {
                    stages::programmed(level, &job, program, inputs, batch, frag)
                }
                (Some(program), Some(inputs)) => {
                    stages::branching(level, &job, program, inputs, batch, frag)
                }
                _ => stages::combined(level, &job, batch, frag),
            },
        };
        Some((passed, batch.waits().then_some(sink)))
    }
}

/// Draws the groups that wait for their colours. Returns how many of their pixels passed.
#[inline(always)]
pub(super) fn finish(level: Level, sink: &Sink<'_>, scratch: &mut Scratch, frag: &mut Frag) -> u32 {
    stages::rest(level, sink, &mut scratch.batch, frag)
}

/// How s and t of a set are interpolated, if q is 1 and float32 holds all of their numbers.
#[inline(always)]
fn plain_slopes([s, t, _, q]: &[[f64; 3]; 4]) -> Option<[Slope; 2]> {
    if *q != [1.0; 3] {
        return None;
    }
    Some([Slope::new(s)?, Slope::new(t)?])
}

/// The words of a surface in `r`, if memory has all of them.
#[inline(always)]
fn area<'m>(
    surface: &Option<(Plane, SharedBytes<'m>)>,
    r: [i32; 4],
    origin: [i32; 2],
) -> Option<Area<'m>> {
    let (plane, bytes) = surface.as_ref()?;
    plane.area(*bytes, r, origin)
}

#[cfg(test)]
mod tests;
