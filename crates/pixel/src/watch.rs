//! Following one pixel through the tile worker.

use crate::frag::{F, Frag, I};
use crate::raster::tile::{Draw, Work};
use crate::raster::{Prim, PrimKind};
use crate::rop::clear::Clear;
use crate::rop::surface::{Plane, read_word};
use crate::rop::{At, Target, Tested};
use isotherm_bus::memory::SharedBytes;
use isotherm_bus::observe::{Cleared, Fragment, Inputs, Outcome, Touch, Vertex, Words};
use isotherm_bus::vertex::VtxOut;
use isotherm_lanes::morton;

/// A pixel of a surface: column, row, sample within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
    /// The sample within the pixel.
    pub sample: (u32, u32),
}

impl Spot {
    /// The pixel whose word begins so many bytes behind the first of a plane, if there is one.
    pub fn find(plane: &Plane, at: usize, clip: &[i32; 4]) -> Option<Spot> {
        let size = plane.bytes as usize;
        let (column, row) = match plane.swizzle {
            None if plane.pitch == 0 => return None,
            None => (at % plane.pitch / size, at / plane.pitch),
            Some((w, h)) => {
                let (x, y) = morton::pixel(u32::try_from(at / size).ok()?, w, h);
                (x as usize, y as usize)
            }
        };
        let (sx, sy) = (plane.scale.0 as usize, plane.scale.1 as usize);
        let spot = Spot {
            x: i32::try_from(column / sx).ok()?,
            y: i32::try_from(row / sy).ok()?,
            sample: ((column % sx) as u32, (row % sy) as u32),
        };
        let [_, _, right, bottom] = *clip;
        let found = plane.addr(column as u32, row as u32) == at;
        (found && spot.x < right && spot.y < bottom && at + size <= plane.end).then_some(spot)
    }

    /// Is it in the rectangle (max exclusive)?
    pub fn inside(&self, r: &[i32; 4]) -> bool {
        self.x >= r[0] && self.x < r[2] && self.y >= r[1] && self.y < r[3]
    }

    /// Its lane in the block at (x, y).
    fn lane(&self, x: i32, y: i32) -> Option<usize> {
        let (dx, dy) = (self.x - x, self.y - y);
        ((0..8).contains(&dx) && (0..2).contains(&dy)).then_some((dy * 8 + dx) as usize)
    }

    /// Its lane, if the block of samples holds it.
    fn at(&self, at: At) -> Option<usize> {
        self.lane(at.x, at.y).filter(|_| at.sample == self.sample)
    }

    fn word(&self, plane: Option<&(Plane, SharedBytes<'_>)>) -> Option<u32> {
        let (plane, memory) = plane?;
        let (sx, sy) = plane.scale;
        let at = plane.addr(
            self.x as u32 * sx + self.sample.0,
            self.y as u32 * sy + self.sample.1,
        );
        Some(read_word(*memory, at, plane.bytes))
    }

    /// What memory holds there.
    fn words(&self, target: &Target) -> Words {
        Words {
            color: self.word(target.color.as_ref()),
            zeta: self.word(target.zeta.as_ref()),
        }
    }
}

/// Follows one pixel.
pub struct Pixel<'a> {
    spot: Spot,
    touches: &'a mut Vec<Touch>,
    /// The primitive that is being drawn, its vertices, and what was there before it.
    prim: Option<(u32, Prim, [VtxOut; 3])>,
    before: Words,
    /// The fragment of this primitive.
    fragment: Option<Box<Fragment>>,
    /// The block before it was shaded.
    frag: Option<Box<Frag>>,
}

impl<'a> Pixel<'a> {
    /// Follows `spot` and puts what happens to it to `touches`.
    pub fn new(spot: Spot, touches: &'a mut Vec<Touch>) -> Pixel<'a> {
        Pixel {
            spot,
            touches,
            prim: None,
            before: Words::default(),
            fragment: None,
            frag: None,
        }
    }

    /// Puts what is known of the last primitive with the rest.
    fn close(&mut self) {
        self.touches
            .extend(self.fragment.take().map(Touch::Fragment));
        self.frag = None;
    }

    fn begin(&self, draw: &Draw, lane: usize, coverage: u16) -> Option<Box<Fragment>> {
        let (index, prim, verts) = self.prim.as_ref()?;
        let (kind, count) = match prim.kind {
            PrimKind::Point => ("point", 1),
            PrimKind::Line => ("line", 2),
            _ => ("triangle", 3),
        };
        let side = if draw.raster.two_side && !prim.front {
            2
        } else {
            0
        };
        let vertex = |i: usize| {
            let v = &verts[i];
            Vertex {
                number: prim.v[i],
                window: v.pos.map(f32::from_bits),
                primary: v.color[side],
                secondary: v.color[side + 1],
                fog: f32::from_bits(v.fog),
                tex: sets(draw).map(|s| v.tex[s].map(f32::from_bits)).collect(),
            }
        };
        Some(Box::new(Fragment {
            primitive: *index,
            kind,
            front: prim.front,
            vertices: (0..count).map(vertex).collect(),
            x: self.spot.x,
            y: self.spot.y,
            sample: self.spot.sample.into(),
            coverage,
            lane,
            depth: None,
            inputs: None,
            stages: Vec::new(),
            combiners: Vec::new(),
            final_combiner: None,
            program: None,
            color: None,
            smoothed_alpha: None,
            stencil_test: None,
            depth_test: None,
            alpha_test: None,
            write: None,
            outcome: Outcome::OutsideDepthRange,
            before: self.before,
            after: self.before,
        }))
    }
}

/// The texture coordinate sets that a draw reads.
fn sets(draw: &Draw) -> impl Iterator<Item = usize> {
    let sets = draw.sets;
    (0..4).filter(move |s| sets >> s & 1 != 0)
}

impl Drop for Pixel<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

/// What the tile worker tells.
impl Pixel<'_> {
    /// A primitive (or clear) begins.
    pub(crate) fn prim(&mut self, work: &Work<'_>, index: u32) {
        self.close();
        self.before = self.spot.words(&work.target);
        let prim = work.prims[index as usize];
        let vertex = |v: u32| work.verts.get(v as usize).unwrap_or_default();
        self.prim = Some((index, prim, prim.v.map(vertex)));
    }

    /// The clear was done.
    pub(crate) fn cleared(&mut self, target: &Target, clear: &Clear) {
        if !self.spot.inside(&clear.rect) || clear.color.1 == 0 && clear.zeta.1 == 0 {
            return;
        }
        self.touches.push(Touch::Clear(Cleared {
            color: clear.color.into(),
            zeta: clear.zeta.into(),
            before: self.before,
            after: self.spot.words(target),
        }));
    }

    /// The primitive covers these lanes of a block, at one sample.
    pub(crate) fn covered(&mut self, draw: &Draw, x: i32, y: i32, sample: (u32, u32), mask: u16) {
        let lane = self.spot.lane(x, y).filter(|lane| mask >> lane & 1 != 0);
        if let Some(lane) = lane
            && sample == self.spot.sample
        {
            self.fragment = self.begin(draw, lane, mask);
        }
    }

    /// Covered samples of a block were tested. Said again where the pixel units replaced the
    /// depth.
    pub(crate) fn tested(&mut self, draw: &Draw, at: At, z: &F, tested: &Tested) {
        let Some(lane) = self.spot.at(at) else { return };
        let Some(fragment) = &mut self.fragment else {
            return;
        };
        fragment.depth = (draw.rop.depth.is_some() || draw.late).then_some(z[lane]);
        if tested.lanes >> lane & 1 == 0 {
            fragment.outcome = Outcome::OutsideDepthRange;
            return;
        }
        let rop = &draw.rop;
        if let Some(old) = self.before.zeta {
            fragment.depth_test = rop.explain_depth(old, z, lane);
            let depth = fragment.depth_test.is_none_or(|test| test.pass);
            fragment.stencil_test = rop.explain_stencil(old, fragment.front, depth, tested, lane);
        }
        let stencil = fragment.stencil_test.is_none_or(|s| s.test.pass);
        fragment.outcome = match (tested.pass >> lane & 1 != 0, stencil) {
            (true, _) => Outcome::Written,
            (false, false) => Outcome::StencilFailed,
            (false, true) => Outcome::DepthFailed,
        };
    }

    /// A block is about to be shaded.
    pub(crate) fn filled(&mut self, frag: &Frag) {
        if self.spot.lane(frag.x, frag.y).is_some() {
            self.frag = Some(Box::new(frag.clone()));
        }
    }

    /// A block was shaded.
    pub(crate) fn shaded(&mut self, draw: &Draw, after: &Frag, color: &[I; 4]) {
        let (Some(fragment), Some(mut frag)) = (&mut self.fragment, self.frag.take()) else {
            return;
        };
        let lane = fragment.lane;
        fragment.inputs = Some(Inputs {
            primary: frag.col0.map(|c| c[lane]),
            secondary: frag.col1.map(|c| c[lane]),
            fog: frag.fog[lane],
            tex: sets(draw).map(|s| frag.tex[s].map(|c| c[lane])).collect(),
        });
        let mut found = color.map(|c| c[lane]);
        let kind = self.prim.as_ref().map(|(_, prim, _)| prim.kind);
        let smooth = kind.is_some_and(|kind| draw.raster.smooth(kind));
        if smooth {
            fragment.smoothed_alpha = Some(found[3]);
        }
        if let Some(program) = &draw.program {
            fragment.inputs = None;
            let run = program.explain(&mut frag, lane);
            if smooth {
                found[3] = run.color[3];
            }
            fragment.program = Some(run);
        } else {
            let (stages, combiners, last) = draw.shade.explain(&mut frag, lane);
            if smooth {
                found[3] = last.color[3];
            }
            fragment.stages = stages;
            fragment.combiners = combiners;
            fragment.final_combiner = Some(last);
        }
        fragment.color = Some(found);
        if after.mask >> lane & 1 == 0 {
            fragment.outcome = Outcome::Killed;
        }
    }

    /// Samples are about to be written.
    pub(crate) fn writes(&mut self, draw: &Draw, at: At, lanes: u16, color: &[I; 4]) {
        let Some(lane) = self.spot.at(at) else { return };
        let Some(fragment) = &mut self.fragment else {
            return;
        };
        fragment.alpha_test = draw.rop.explain_alpha(color[3][lane]);
        if lanes >> lane & 1 == 0 && fragment.outcome != Outcome::Killed {
            let alpha = fragment.alpha_test.is_none_or(|test| test.pass);
            fragment.outcome = if alpha {
                Outcome::NotSampled
            } else {
                Outcome::AlphaFailed
            };
        }
        if fragment.outcome == Outcome::Written
            && let Some(old) = self.before.color
        {
            fragment.write = Some(draw.rop.explain_write(at, lane, old, color));
        }
    }

    /// Samples were written.
    pub(crate) fn written(&mut self, target: &Target, at: At) {
        if self.spot.at(at).is_some() {
            let after = self.spot.words(target);
            if let Some(fragment) = &mut self.fragment {
                fragment.after = after;
            }
        }
    }
}
