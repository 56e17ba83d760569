//! Draws one at a time, counted, and the reason of those that leave no pixel.
//!
//! A draw without a pixel is drawn again on trial, to surfaces that stay as they are: first
//! with everything off that could have stopped it, then with one unit after the other on as
//! it was, in the pipeline's order. The first that lets nothing through is the reason.

use super::Queue;
use isotherm_bus::memory::Memory;
use isotherm_bus::vertex::{VtxIn, VtxOut};
use isotherm_pixel::assm::{Assm, Out};
use isotherm_pixel::profile::Profile;
use isotherm_pixel::raster::clip::{Clip, empty, intersect};
use isotherm_pixel::raster::tile::Draw;
use isotherm_pixel::rop::prepare::Surfaces;
use isotherm_pixel::rop::{Output, Rop};
use isotherm_pixel::scene::Scene;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{self as id, Bundle, STENCIL_A, STENCIL_C};
use isotherm_regs::field::Field;

/// Vertices of a draw that are kept for a trial.
const KEPT_VERTICES: usize = 1 << 20;
/// Reports that are kept until somebody takes them.
const KEPT_REPORTS: usize = 1 << 16;

/// What a draw did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawReport {
    /// Number of the draw, from 1.
    pub number: u64,
    /// What BEGIN said: 1 points … 10 polygon.
    pub primitive: u8,
    /// Vertices that were assembled.
    pub vertices: u64,
    /// Pixels (samples on multisampled surfaces) that passed all tests.
    pub pixels: u64,
    nothing: Option<Nothing>,
}

impl DrawReport {
    /// Why the draw left no pixel; `None` if it left some.
    pub fn why_nothing(&self) -> Option<&Nothing> {
        self.nothing.as_ref()
    }
}

/// Why a draw left no pixel: the first reason in the pipeline's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nothing {
    /// The reason.
    pub reason: Reason,
    /// The word that decides, if it is one.
    pub word: Option<(Bundle, u32)>,
}

impl std::fmt::Display for Nothing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.reason)?;
        match self.word {
            Some((bundle, value)) => write!(f, " ({} = {value:#010x})", bundle.name()),
            None => Ok(()),
        }
    }
}

/// What can keep a draw from leaving a pixel, in the pipeline's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Fewer vertices than a primitive has.
    Vertices,
    /// Every primitive is behind the eye, or its position is no number.
    W,
    /// No primitive has an area, a length or a size.
    Degenerate,
    /// Every primitive is nearer than near or farther than far.
    NearFar,
    /// Every primitive faces the wrong way.
    Culled,
    /// No surface is bound.
    NoSurface,
    /// Every primitive lies outside the surface.
    OutsideSurface,
    /// No primitive covers the centre of a pixel.
    Coverage,
    /// The textures or the fragment program kill every pixel.
    Killed,
    /// Window clip or scissor.
    Scissor,
    /// Polygon stipple.
    Stipple,
    /// Clip ids.
    ClipIds,
    /// User clip planes.
    ClipPlanes,
    /// Every pixel is nearer than near or farther than far.
    DepthRange,
    /// Alpha test.
    Alpha,
    /// Stencil test.
    Stencil,
    /// Depth test.
    Depth,
    /// Sample mask, or alpha that covers no sample.
    Samples,
    /// Neither colour nor depth nor stencil is written.
    Masks,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Vertices => "fewer vertices than a primitive has",
            Reason::W => "behind the eye, or no number",
            Reason::Degenerate => "no area, length or size",
            Reason::NearFar => "nearer than near or farther than far",
            Reason::Culled => "culled by facing",
            Reason::NoSurface => "no surface is bound",
            Reason::OutsideSurface => "outside the surface",
            Reason::Coverage => "covers the centre of no pixel",
            Reason::Killed => "killed by textures or fragment program",
            Reason::Scissor => "window clip or scissor",
            Reason::Stipple => "polygon stipple",
            Reason::ClipIds => "clip ids",
            Reason::ClipPlanes => "clip planes",
            Reason::DepthRange => "depth outside near and far",
            Reason::Alpha => "alpha test",
            Reason::Stencil => "stencil test",
            Reason::Depth => "depth test",
            Reason::Samples => "sample mask or alpha to coverage",
            Reason::Masks => "nothing is written: masks",
        })
    }
}

/// A vertex as it goes into XF and as it comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexPair {
    /// Before: attributes.
    pub input: VtxIn,
    /// After: window position, colours, texture coordinates.
    pub output: VtxOut,
}

/// The draw that is under way, and reports of those before.
#[derive(Default)]
pub(super) struct Inspection {
    primitive: u8,
    vertices: u64,
    kept: Vec<VtxOut>,
    pairs: Vec<VertexPair>,
    pixels_before: u64,
    draws: u64,
    reports: Vec<DrawReport>,
}

impl Inspection {
    /// A draw begins.
    pub(super) fn begin(&mut self, primitive: u8, pixels: u64) {
        self.primitive = primitive;
        self.vertices = 0;
        self.kept.clear();
        self.pairs.clear();
        self.pixels_before = pixels;
    }

    /// Vertices went through XF.
    pub(super) fn transformed(&mut self, inputs: &[VtxIn], outputs: impl Iterator<Item = VtxOut>) {
        let room = KEPT_VERTICES.saturating_sub(self.pairs.len());
        let pairs = inputs.iter().zip(outputs).take(room);
        self.pairs
            .extend(pairs.map(|(&input, output)| VertexPair { input, output }));
    }

    /// A vertex is assembled.
    pub(super) fn vertex(&mut self, vertex: &VtxOut) {
        self.vertices += 1;
        if self.kept.len() < KEPT_VERTICES {
            self.kept.push(*vertex);
        }
    }

    /// The primitive's vertices through ASSM.
    fn assemble(&self, scene: &mut Scene) {
        let mut assm = Assm::default();
        assm.begin(self.primitive);
        let Scene {
            draws,
            verts,
            prims,
            ..
        } = scene;
        let mut out = Out::new(verts.heads(), &draws[0], 0, prims);
        (0..verts.len() as u32).for_each(|v| assm.vertex(v, &mut out));
        assm.end(&mut out);
    }

    /// Fewest vertices of a primitive.
    fn least_vertices(&self) -> u64 {
        match self.primitive {
            1 => 1,
            2..=4 => 2,
            8 | 9 => 4,
            5..=10 => 3,
            _ => u64::MAX,
        }
    }
}

impl Queue {
    /// Draws are drawn one at a time and reported, or no longer.
    pub(in crate::pipeline) fn inspect(&mut self, mem: &mut Memory, on: bool) {
        self.flush(mem);
        self.inspection = on.then(Box::default);
    }

    /// The reports since the last call.
    pub(in crate::pipeline) fn take_reports(&mut self) -> Vec<DrawReport> {
        let inspection = self.inspection.as_mut();
        inspection.map_or(Vec::new(), |inspection| {
            std::mem::take(&mut inspection.reports)
        })
    }

    /// The vertices of the last draw.
    pub(in crate::pipeline) fn take_vertices(&mut self) -> Vec<VertexPair> {
        let inspection = self.inspection.as_mut();
        inspection.map_or(Vec::new(), |inspection| {
            std::mem::take(&mut inspection.pairs)
        })
    }

    /// A draw has ended; its vertices are sent.
    pub(super) fn report_draw(&mut self, mem: &mut Memory) {
        let draw = self.prepare(mem);
        let draw = self.scene.draws[draw as usize].clone();
        let surfaces = self.scene.surfaces;
        self.draw_scene(mem);
        let Some(mut inspection) = self.inspection.take() else {
            return;
        };
        inspection.draws += 1;
        let pixels = self.pixels - inspection.pixels_before;
        let trial = Trial {
            queue: self,
            inspection: &inspection,
            surfaces,
            actual: draw,
        };
        let report = DrawReport {
            number: inspection.draws,
            primitive: inspection.primitive,
            vertices: inspection.vertices,
            pixels,
            nothing: trial.nothing(mem, pixels),
        };
        if inspection.reports.len() < KEPT_REPORTS {
            inspection.reports.push(report);
        }
        self.inspection = Some(inspection);
    }
}

/// Switches everything off that comes behind the stencil test.
fn open_after_stencil(rop: &mut Rop) {
    rop.depth = None;
    rop.sample_mask = u32::MAX;
    rop.alpha_to_coverage = false;
}

/// Draws the same again, with less in its way.
struct Trial<'a> {
    queue: &'a mut Queue,
    inspection: &'a Inspection,
    surfaces: Surfaces,
    actual: Draw,
}

impl Trial<'_> {
    /// Why there is nothing to see.
    fn nothing(mut self, mem: &mut Memory, pixels: u64) -> Option<Nothing> {
        let reason = if pixels == 0 {
            self.before_pixels().or_else(|| self.at_pixels(mem))?
        } else if self.no_surface() {
            Reason::NoSurface
        } else if self.writes_nothing() {
            Reason::Masks
        } else {
            return None;
        };
        Some(Nothing {
            reason,
            word: self.word(reason),
        })
    }

    fn no_surface(&self) -> bool {
        self.surfaces.color.is_none() && self.surfaces.zeta.is_none()
    }

    fn writes_nothing(&self) -> bool {
        let rop = &self.actual.rop;
        let depth = rop.depth_write && rop.depth.is_some() && self.surfaces.zeta.is_some();
        let word = self.queue.bundles.rop.STENCIL_A;
        let field = |field: Field| field.get(self.queue.chip, word);
        let stencil = field(STENCIL_A::STENCIL_ENABLE) != 0 && field(STENCIL_A::STENCIL_MASK) != 0;
        let color = rop.bits != 0 && self.surfaces.color.is_some();
        let outputs = rop.outputs.iter().any(Output::writes);
        !(color || outputs || depth || stencil)
    }

    /// Reasons up to the assembly of primitives.
    fn before_pixels(&mut self) -> Option<Reason> {
        if self.inspection.vertices < self.inspection.least_vertices() {
            return Some(Reason::Vertices);
        }
        let visible = |v: &VtxOut| {
            let [x, y, _, w] = v.pos.map(f32::from_bits);
            x.is_finite() && y.is_finite() && w >= 0.0
        };
        if !self.inspection.kept.iter().any(visible) {
            return Some(Reason::W);
        }
        let mut draw = self.open();
        let primitives = |draw: &Draw| self.scene(draw.clone()).prims.len();
        // A sample that is no pixel centre keeps what lies between the centres.
        let mut fine = draw.clone();
        fine.samples = vec![([0.0; 2], (0, 0))];
        if primitives(&fine) == 0 {
            return Some(Reason::Degenerate);
        }
        if primitives(&draw) == 0 {
            return Some(Reason::Coverage);
        }
        draw.assm.cull_near_far = self.actual.assm.cull_near_far;
        if primitives(&draw) == 0 {
            return Some(Reason::NearFar);
        }
        draw.assm.cull = self.actual.assm.cull;
        if primitives(&draw) == 0 {
            return Some(Reason::Culled);
        }
        if self.no_surface() {
            return Some(Reason::NoSurface);
        }
        let surface = self.surfaces.clip;
        let outside = |bounds: [i32; 4]| empty(&intersect(bounds, surface));
        let scene = self.scene(draw);
        let all = scene.prims.iter().all(|prim| outside(prim.bounds));
        all.then_some(Reason::OutsideSurface)
    }

    /// Reasons at pixels: one unit after the other is switched on again.
    fn at_pixels(&mut self, mem: &mut Memory) -> Option<Reason> {
        let mut draw = self.open();
        let mut actual = self.actual.clone();
        actual.rop = self.silent(true);
        draw.assm.cull_near_far = actual.assm.cull_near_far;
        draw.assm.cull = actual.assm.cull;
        let first = match actual.late {
            true => Reason::Killed,
            false => Reason::Coverage,
        };
        type Step = fn(&mut Draw, &Draw);
        let steps: [(Reason, Step); 10] = [
            (first, |_, _| {}),
            (Reason::Scissor, |d, a| {
                d.raster.clip.clone_from(&a.raster.clip)
            }),
            (Reason::Stipple, |d, a| {
                d.raster.stipple.clone_from(&a.raster.stipple)
            }),
            (Reason::ClipIds, |d, a| d.clip_ids.clone_from(&a.clip_ids)),
            (Reason::ClipPlanes, |d, a| d.raster.planes = a.raster.planes),
            (Reason::DepthRange, |d, a| {
                d.raster.depth_clamp = a.raster.depth_clamp
            }),
            (Reason::Alpha, |d, a| d.rop.alpha = a.rop.alpha),
            (Reason::Stencil, |d, a| {
                d.rop.clone_from(&a.rop);
                open_after_stencil(&mut d.rop);
            }),
            (Reason::Depth, |d, a| d.rop.depth = a.rop.depth),
            (Reason::Samples, |d, a| {
                d.rop.sample_mask = a.rop.sample_mask;
                d.rop.alpha_to_coverage = a.rop.alpha_to_coverage;
            }),
        ];
        let stops = |(reason, step): (Reason, Step)| {
            step(&mut draw, &actual);
            (self.pixels(draw.clone(), mem) == 0).then_some(reason)
        };
        steps.into_iter().find_map(stops)
    }

    /// The draw's state with nothing in its way, that writes nothing.
    fn open(&self) -> Draw {
        let mut draw = self.actual.clone();
        // The fast way of triangles was chosen for the state as it was.
        draw.fast = None;
        draw.clip_ids = None;
        draw.assm.cull = [false; 2];
        draw.assm.cull_near_far = false;
        let raster = &mut draw.raster;
        raster.depth_clamp = true;
        raster.planes = 0;
        raster.stipple = None;
        raster.clip = Clip::new(self.surfaces.clip, &[], true);
        draw.rop = self.silent(false);
        draw.rop.alpha = None;
        open_after_stencil(&mut draw.rop);
        draw
    }

    /// ROP that writes nothing, with or without the stencil test.
    fn silent(&self, stencil: bool) -> Rop {
        let chip = self.queue.chip;
        let mut bundles = self.queue.bundles.rop.clone();
        let clear = |word: &mut u32, field: Field| *word = field.with(chip, *word, 0);
        clear(&mut bundles.STENCIL_A, STENCIL_A::STENCIL_MASK);
        clear(&mut bundles.STENCIL_C, STENCIL_C::STENCIL_BACK_MASK);
        if !stencil {
            clear(&mut bundles.STENCIL_A, STENCIL_A::STENCIL_ENABLE);
        }
        let mut rop = Rop::prepare(chip, &bundles, &self.surfaces);
        rop.depth_write = false;
        rop.bits = 0;
        rop.outputs.clear();
        rop
    }

    /// The vertices assembled with this state.
    fn scene(&self, draw: Draw) -> Scene {
        let mut scene = Scene::default();
        scene.draws.push(draw);
        scene.verts.append(&self.inspection.kept);
        self.inspection.assemble(&mut scene);
        scene
    }

    /// Pixels that pass with this state.
    fn pixels(&mut self, draw: Draw, mem: &mut Memory) -> u64 {
        let mut scene = self.scene(draw);
        scene.start(self.surfaces, mem);
        scene.bin(mem.budget());
        let workers = self.queue.workers();
        scene.finish(mem, &workers, &mut Profile::default()).all
    }

    /// The word that decides.
    fn word(&self, reason: Reason) -> Option<(Bundle, u32)> {
        let chip = self.queue.chip;
        let bundle = match reason {
            Reason::NearFar | Reason::Culled => id::RASTER,
            Reason::Scissor if chip.since(Chip::Nv30) => id::SCISSOR_HV,
            Reason::Scissor => id::CLIP_RECT_HORIZ,
            Reason::Stipple => id::POLYGON_STIPPLE,
            Reason::ClipIds | Reason::DepthRange => id::Z_CONFIG,
            Reason::ClipPlanes => id::CLIP_PLANE_ENABLE,
            Reason::Alpha | Reason::Depth => id::CONFIG_A,
            Reason::Stencil => id::STENCIL_A,
            Reason::Samples => id::MULTISAMPLE,
            Reason::Masks if chip.since(Chip::Nv40) => id::COLOR_MASK,
            Reason::Masks => id::CONFIG_A,
            Reason::Degenerate if self.inspection.primitive == 1 => id::POINT_SIZE,
            _ => return None,
        };
        Some((bundle, self.queue.bundles.register(bundle, 0)?))
    }
}
