//! Kelvin's, Rankine's and NV40's fixed function: positions, normals, texture
//! coordinates, fog coordinate. LT follows with colours and point sizes.
//!
//! The steps and their order are Celsius' (which hwtest's author matched on
//! hardware), with Kelvin's arithmetic; goldens confirm position, z, fog.
//!
//! Every step is a function of its own that is compiled for each vector level, and
//! hands its results on in [`Batch`].

mod observe;
mod texgen;
mod transform;

pub use observe::Seen;

use super::arith::{Lanes, Matrix, Rules};
use super::lanes::{Half, V3, V4, full};
use super::mode::{FogSource, LightMode, Mode, Path, TexGen};
use super::{LANES, State, VtxIn, VtxOut};
use crate::lt::{self, Factors, ToLt};
use isotherm_lanes::Level;
use std::array;

/// The arithmetic of fixed function on all chips that this module is for.
const RULES: Rules = Rules::Kelvin;
/// First of six rows of XFCTX on Rankine.
const USER_CLIP_PLANE: usize = 0x20;

type L = Lanes<LANES>;
type Vec3 = V3<LANES>;
type Vec4 = V4<LANES>;
type LtVec4 = V4<{ lt::LANES }>;

/// Transforms and lights vertices. `out` has room for them.
pub(super) fn run(
    level: Level,
    mode: &Mode,
    state: &State,
    vertices: &[VtxIn],
    out: &mut [VtxOut],
) {
    let fixed = Fixed::new(mode, state);
    let mut batch = Batch::default();
    let steps = vertices.chunks(lt::LANES);
    for (vertices, out) in steps.zip(out.chunks_mut(lt::LANES)) {
        fixed.step(level, vertices, &mut batch, out);
    }
}

/// One vertex, with all that is computed on its way.
pub(super) fn observe(mode: &Mode, state: &State, vertex: &VtxIn) -> (Vec<Seen>, VtxOut) {
    let fixed = Fixed::new(mode, state);
    let mut batch = Batch::default();
    let mut out = [VtxOut::default()];
    fixed.step(Level::current(), &[*vertex], &mut batch, &mut out);
    (fixed.seen(&batch, &out[0]), out[0])
}

/// What the steps hand to each other. A mode computes the same of it for every batch,
/// and what it does not compute stays 0.
#[derive(Default)]
struct Batch {
    position: Vec4,
    weights: [L; 4],
    /// Eye-space position, and the same divided by its w.
    eye: Vec4,
    eye3: Vec3,
    clip: Vec4,
    /// 1 / clip w.
    rw: L,
    normal: Vec3,
    /// Unit vector to the eye, the distance and its square.
    to_eye: Vec3,
    distance: L,
    distance_square: L,
    fog_coordinate: L,
    fog: L,
    /// Set where LT has something to do: for two batches.
    lt: Option<Box<Lt>>,
    reflection: Vec3,
    sphere: Vec3,
}

/// What LT gets and gives: words, of which each begins as 0.
struct Lt {
    to: ToLt,
    /// The vertex colours, whole.
    colors: [LtVec4; 4],
    factors: [[Factors; 8]; 2],
    lit: [LtVec4; 4],
    point_size: Lanes<{ lt::LANES }>,
}

impl Lt {
    /// Where it stays: made elsewhere, some kilobytes would be copied there.
    fn new() -> Box<Lt> {
        // SAFETY: all of it are words.
        unsafe { Box::new_zeroed().assume_init() }
    }
}

/// The mode with what is derived from it and from the constants once for many
/// batches.
struct Fixed<'a> {
    mode: &'a Mode,
    state: &'a State,
    need: Needs,
    composite: Matrix<'a, 4, 4>,
    /// These are there where they are needed.
    model_view: [Option<Matrix<'a, 4, 4>>; 4],
    inverse: [Option<Matrix<'a, 3, 3>>; 4],
    tex: [Option<Matrix<'a, 4, 4>>; 8],
    planes: Option<Matrix<'a, 4, 6>>,
}

impl<'a> Fixed<'a> {
    fn new(mode: &'a Mode, state: &'a State) -> Fixed<'a> {
        let need = Needs::of(mode);
        let at = &mode.map;
        // What is not needed is not prepared. A constant of nothing would be copied as a whole.
        let mut fixed = Fixed {
            composite: Matrix::new(&state.xfctx[at.composite..]),
            model_view: array::from_fn(|_| None),
            inverse: array::from_fn(|_| None),
            tex: array::from_fn(|_| None),
            planes: None,
            mode,
            state,
            need,
        };
        let need = &fixed.need;
        for i in 0..mode.weights.0.min(4) {
            if need.eye {
                fixed.model_view[i] = Some(Matrix::new(&state.xfctx[at.model_view(i)..]));
            }
            if need.normal {
                fixed.inverse[i] = Some(Matrix::new(&state.xfctx[at.inverse(i)..]));
            }
        }
        for i in 0..8 {
            if need.computed >> i & 1 != 0 && mode.tex[i].matrix {
                fixed.tex[i] = Some(Matrix::new(&state.xfctx[at.tex(i) + 4..]));
            }
        }
        if need.planes {
            fixed.planes = Some(Matrix::new(&state.xfctx[USER_CLIP_PLANE..]));
        }
        fixed
    }

    /// As many vertices as LT takes at once, or fewer.
    fn step(&self, level: Level, vertices: &[VtxIn], batch: &mut Batch, out: &mut [VtxOut]) {
        let batches = vertices.chunks(LANES).zip(out.chunks_mut(LANES));
        for (half, (vertices, out)) in [Half::First, Half::Second].into_iter().zip(batches) {
            let mut pad = None;
            let full = full(vertices, &mut pad);
            self.batch(level, half, full, batch, out);
        }
        if let Some(lt) = &mut batch.lt {
            self.light(level, lt, out);
        }
    }

    /// All steps of one batch but LT's.
    fn batch(
        &self,
        level: Level,
        half: Half,
        vertices: &[VtxIn; LANES],
        batch: &mut Batch,
        out: &mut [VtxOut],
    ) {
        let (mode, need) = (self.mode, &self.need);
        if mode.path == Path::Bypass {
            return transform::bypass(mode, self.state, vertices, out);
        }
        if need.eye {
            transform::eye_position(level, self, vertices, batch);
        }
        transform::project(level, self, vertices, batch, out);
        if need.normal {
            transform::normal(level, self, vertices, batch);
        }
        if need.eye_vector {
            transform::eye_vector(level, self, batch);
        }
        if mode.fog {
            transform::fog(level, self, vertices, batch, out);
        }
        if mode.lighting || mode.point_params {
            let mut lt = batch.lt.take().unwrap_or_else(Lt::new);
            transform::to_lt(level, self, half, vertices, batch, &mut lt);
            for (i, light) in lt.to.lights.iter_mut().enumerate() {
                if mode.lighting && matches!(mode.lights[i], LightMode::Local | LightMode::Spot) {
                    transform::local_light(level, self, i, half, batch, light);
                }
            }
            batch.lt = Some(lt);
        }
        if need.reflection {
            texgen::reflect(level, batch);
        }
        let mut sets = need.computed;
        while sets != 0 {
            let i = sets.trailing_zeros() as usize;
            sets &= sets - 1;
            texgen::texture(level, self, i, vertices, batch, out);
        }
        if need.planes {
            transform::clip_distances(level, self, batch, out);
        }
    }

    /// What LT does: colours and point sizes.
    fn light(&self, level: Level, lt: &mut Lt, out: &mut [VtxOut]) {
        let (mode, state) = (self.mode, self.state);
        if mode.lighting {
            let (seen, lit) = (&mut lt.factors, &mut lt.lit);
            lt::light(level, mode, state, &lt.to, &lt.colors, seen, lit);
            transform::lit_colors(level, mode, &lt.lit, out);
        }
        if mode.point_params {
            let distance = &lt.to.eye_distance;
            lt::point_size(level, mode, state, distance, &mut lt.point_size);
            for (o, size) in out.iter_mut().zip(lt.point_size) {
                o.point_size = size;
            }
        }
    }
}

/// What a mode needs to be computed.
struct Needs {
    /// Texture sets that there are.
    sets: usize,
    /// Texture sets that are more than the vertex's own, a bit each.
    computed: u8,
    /// User clip distances.
    planes: bool,
    /// Eye-space positions, normals.
    eye: bool,
    normal: bool,
    /// The vector to the eye, and what is reflected along it.
    eye_vector: bool,
    reflection: bool,
}

impl Needs {
    fn of(mode: &Mode) -> Needs {
        let sets = || mode.tex.iter().filter(|t| t.enable);
        let uses = |g: TexGen| sets().any(|t| t.gen_.contains(&g));
        let local = mode.lighting
            && mode
                .lights
                .iter()
                .any(|l| matches!(l, LightMode::Local | LightMode::Spot));
        let reflection = uses(TexGen::Sphere) || uses(TexGen::Reflection);
        let eye_vector = reflection
            || mode.point_params
            || mode.lighting && mode.local_viewer
            || mode.fog && mode.fog_source == FogSource::Radial;
        let planar =
            mode.fog && matches!(mode.fog_source, FogSource::Planar | FogSource::PlanarAbs);
        let planes = mode.map.rankine;
        Needs {
            sets: if mode.map.rankine { 8 } else { 4 },
            computed: (0..8).map(|i| u8::from(mode.tex[i].computed()) << i).sum(),
            planes,
            eye: planes
                || local
                || eye_vector
                || planar
                || uses(TexGen::EyeLinear)
                || mode.weights.0 > 1,
            normal: mode.lighting || reflection || uses(TexGen::Normal),
            eye_vector,
            reflection,
        }
    }
}
