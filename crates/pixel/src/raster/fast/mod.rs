//! The fast way of a triangle: colours go to memory as they are, or blended, after tests of
//! depth and alpha at most.
//!
//! The words are those that the general way ([`super::tile`]) writes; a test below draws
//! random states both ways. What other units would do to the pixels is left out, and the
//! pixels are taken in groups of sixteen that need not be neighbours:
//!
//! ```text
//! tile.rs         Tile::triangle         which blocks lie inside the clip rectangle?
//!    ├─ hidden.rs                        is all of it behind what is there?
//!    ▼
//! mod.rs          Covering::draw         where does the colour come from?
//!    ├─ quads.rs                         covered 2x2 quads, four to a group
//!    ▼
//! stages.rs       textured, colored, handed_on, combined, programmed, branching: eight groups
//!                 at a time through
//!    ├─ interpolate.rs                   1. depth, and its test
//!    ├─ interpolate.rs                   2. vertices' shares, texture coordinates
//!    ├─ tex/lanes.rs                     3. texels (textured)
//!    ├─ together.rs, shader, shader/program or all the pixel units
//!    └─ color.rs, sink.rs, quads.rs      4. alpha test, colours, blending, memory
//! ```
//!
//! Everything below `stages.rs` is compiled once for every level of vector instructions.

mod color;
mod hidden;
mod interpolate;
mod quads;
mod sink;
mod stages;
mod state;
mod together;
mod values;

pub(super) use hidden::Hiding;
pub(super) use sink::Sink;
pub use state::FastState;

use super::Prim;
use super::attrs::{Attrs, Corners};
use super::tile::Draw;
use super::tri::Tri;
use crate::frag::Frag;
use crate::shader::program::{Apart, Lanes};
use crate::tex::SampleLanes;
use color::{ColorLanes, VertexPairs};
use interpolate::{Edges, Interpolate, Interpolator, Slope};
use isotherm_bus::verts::Verts;
use isotherm_lanes::Level;
use quads::{QuadLanes, Quads};
use stages::{Batch, Depths, Job, Test, Tested};
use state::Source;
use std::cell::Cell;
use values::Values;

/// What each level of vector instructions does in its own way here.
pub(crate) trait FastLanes:
    QuadLanes + Interpolate + SampleLanes + ColorLanes + Apart
{
}

impl<L: QuadLanes + Interpolate + SampleLanes + ColorLanes + Apart> FastLanes for L {}

/// Memory that all triangles of a tile use.
pub(super) struct Scratch {
    quads: Quads,
    edges: Edges,
    depths: Depths,
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
                edges: Edges::default(),
                depths: Depths::default(),
                values: Values::new(),
                batch: Batch::new(),
                lanes: None,
            })
        })
    }

    /// Are there groups that wait for their colours?
    #[inline(always)]
    pub(super) fn waits(&self) -> bool {
        self.batch.waits()
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

/// A triangle that goes the fast way, of which something is drawn.
#[derive(Clone, Copy)]
pub(crate) struct FastTriangle<'t, 'a> {
    state: &'a FastState,
    tri: &'t Tri,
    attrs: &'t Attrs,
    draw: &'a Draw,
    /// The vertices' blue and red, green and alpha, where the pixel units do not mix them.
    colors: [VertexPairs; 2],
    /// They are all the same.
    constant: bool,
}

impl<'t, 'a> FastTriangle<'t, 'a> {
    #[inline(always)]
    fn new(draw: &'a Draw, state: &'a FastState, tri: &'t Tri, attrs: &'t Attrs) -> Self {
        let colors = match state.source {
            Source::Units | Source::HandedOn => Default::default(),
            Source::Vertices | Source::Texture(_) => {
                // One by one: `map` would be a call.
                let [a, b, c] = attrs.color[0];
                let (a, b, c) = (color::pairs(a), color::pairs(b), color::pairs(c));
                [
                    VertexPairs::new([a[0], b[0], c[0]]),
                    VertexPairs::new([a[1], b[1], c[1]]),
                ]
            }
        };
        FastTriangle {
            state,
            tri,
            attrs,
            draw,
            colors,
            constant: attrs.constant[0],
        }
    }
}

/// A triangle that may cover pixels, and where it goes the fast way.
pub(super) struct Covering<'t, 'a> {
    pub(super) sink: &'t Sink<'a>,
    /// The triangle, of the sink's draw, and where its vertices are.
    pub(super) prim: &'t Prim,
    pub(super) verts: &'t Verts,
    pub(super) tri: &'t Tri,
    /// The pixels that it may cover.
    pub(super) r: [i32; 4],
    /// Those that are drawn here: whole blocks of the tile at `origin`, and of what the sink is
    /// for.
    pub(super) whole: [i32; 4],
    pub(super) origin: [i32; 2],
}

impl<'t, 'a> Covering<'t, 'a> {
    /// Draws the pixels. Only if some pass the depth test, all of the attributes that have begun
    /// are taken. Returns how many passed; others may wait for their colours ([`finish`]).
    /// `None`, and nothing is drawn, if the triangle needs more than its draw's other ones, or if
    /// it is too large. Those that wait must be of the same draw.
    #[inline(always)]
    pub(super) fn draw<L: FastLanes>(
        &self,
        level: Level,
        attrs: &mut Attrs,
        scratch: &mut Scratch,
        frag: &mut Frag,
    ) -> Option<u32> {
        let sink = self.sink;
        if self.tri.extreme() || !(attrs.flat_depth || sink.state.depth.is_some()) {
            return None;
        }
        let Scratch {
            quads,
            edges,
            depths,
            values,
            batch,
            ..
        } = scratch;
        if sink.zeta.is_some() {
            depths.begin(self.tri);
        }
        quads.cover::<L>(self.tri, self.r, self.whole, self.origin, edges)?;
        if quads.is_empty() {
            return Some(0);
        }
        let mut passed = 0;
        if sink.depth_waits {
            passed += keep_apart(level, sink, quads, batch, frag);
        }
        let test = Test::new::<L>(self.tri, edges, sink, attrs, depths);
        let mut rest = quads.batches();
        let found = loop {
            let Some(groups) = rest.next() else {
                return Some(passed);
            };
            let found = test.groups::<L>(groups, batch);
            if found.count != 0 {
                break Some(found);
            }
        };
        attrs.complete_triangle(level, sink.draw, self.prim, self.verts, self.tri);
        let tested = Tested { found, rest };
        passed += self
            .job::<L>(&test, attrs, values)
            .draw(level, tested, batch, frag);
        Some(passed)
    }

    /// What the pixels that pass are made of.
    #[inline(always)]
    fn job<'j, L: FastLanes>(
        &self,
        test: &'j Test<'j, 'a>,
        attrs: &'j Attrs,
        values: &'j mut Values,
    ) -> Job<'j, 'a>
    where
        't: 'j,
    {
        let Sink { draw, state, .. } = *self.sink;
        let triangle = FastTriangle::new(draw, state, self.tri, attrs);
        let interpolator = match &attrs.inputs {
            None if test.edges.are_whole() => Interpolator::new(self.tri),
            _ => None,
        };
        let slopes = match &state.source {
            Source::Texture(modulate) => plain_slopes::<L>(&attrs.tex[modulate.stage % 4]),
            _ => None,
        };
        let values = match &state.source {
            Source::Units if interpolator.is_some() => {
                let fog = &draw.raster.fog;
                let read = fog.enable && draw.shade.reads_fog();
                values.take(attrs, read.then_some(fog))
            }
            _ => None,
        };
        let is_plain = match &state.source {
            Source::Texture(_) => interpolator.is_some() && slopes.is_some(),
            _ => interpolator.is_some(),
        };
        Job {
            triangle,
            test,
            edges: test.edges,
            interpolator: interpolator.unwrap_or_default(),
            slopes: slopes.unwrap_or_default(),
            is_plain,
            values,
            origin: self.origin,
            sink: self.sink,
        }
    }
}

impl Job<'_, '_> {
    /// Draws the groups that passed the depth test. Returns how many of their pixels are done;
    /// others may wait.
    #[inline(always)]
    fn draw(&self, level: Level, tested: Tested<'_>, batch: &mut Batch, frag: &mut Frag) -> u32 {
        let FastTriangle {
            state, draw, attrs, ..
        } = self.triangle;
        match &state.source {
            Source::Texture(modulate) if self.is_plain => {
                stages::textured(level, self, tested, modulate, batch, frag)
            }
            Source::Vertices if self.is_plain => stages::colored(level, self, tested, batch),
            Source::HandedOn => stages::handed_on(level, self, tested, batch),
            _ => match (&draw.program, &attrs.inputs) {
                (Some(program), Some(inputs)) if program.is_straight() => {
                    stages::programmed(level, self, tested, program, inputs, batch, frag)
                }
                (Some(program), Some(inputs)) => {
                    stages::branching(level, self, tested, program, inputs, batch, frag)
                }
                _ => stages::combined(level, self, tested, batch, frag),
            },
        }
    }
}

/// Draws those that wait for their depth if the triangle covers one of their pixels: its test
/// needs to see it. Returns how many passed.
#[inline(never)]
fn keep_apart(
    level: Level,
    sink: &Sink<'_>,
    quads: &Quads,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    if !batch.waits() {
        batch.claims.clear();
    }
    if !batch.claims.take(quads) {
        return 0;
    }
    batch.claims.clear();
    batch.claims.take(quads);
    stages::rest(level, sink, batch, frag)
}

/// Whether no pixel of a triangle that has begun can pass the depth test of its draw, which is
/// the sink's, in the rectangle `r` of the tile. No vertex may be behind the eye, and the blocks
/// that it touches must be those that the sink was made for.
#[inline(always)]
pub(super) fn is_hidden<L: FastLanes>(sink: &Sink<'_>, attrs: &Attrs, r: [i32; 4]) -> bool {
    hidden::is_hidden::<L>(sink, attrs, r)
}

/// Draws the groups that wait for their colours. Returns how many of their pixels passed.
#[inline(always)]
pub(super) fn finish(level: Level, sink: &Sink<'_>, scratch: &mut Scratch, frag: &mut Frag) -> u32 {
    stages::rest(level, sink, &mut scratch.batch, frag)
}

/// How s and t of a set are interpolated, if q is 1 and float32 holds all of their numbers.
#[inline(always)]
fn plain_slopes<L: FastLanes>([s, t, _, q]: &[Corners; 4]) -> Option<[Slope; 2]> {
    // As whole numbers: as such they are looked at together.
    const ONE: u32 = 1f32.to_bits();
    let mut others = 0;
    for q in q {
        others |= q.to_bits() ^ ONE;
    }
    if others != 0 {
        return None;
    }
    L::slopes(s, t)
}

#[cfg(test)]
mod tests;
