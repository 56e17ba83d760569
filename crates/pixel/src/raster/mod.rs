//! RASTER: coverage, interpolation, depth range, fog factor, clip rectangles,
//! stipple; and the tile worker that takes fragments down to memory.

mod ahead;
pub mod attrs;
mod bundles;
mod centres;
pub mod clip;
mod colors;
pub mod fast;
pub mod fog;
mod gradient;
mod inputs;
pub mod line;
pub mod num;
mod place;
pub mod planes;
pub mod point;
mod positions;
pub mod prepare;
pub(crate) mod price;
mod shape;
pub mod shares;
pub(crate) mod slope;
mod smooth;
pub mod tile;
pub mod tri;

pub use bundles::Bundles;
use clip::Clip;
use fog::Fog;
pub use line::LineStipple;
use line::Style;
pub use place::Placing;

/// Rasteriser state, prepared.
#[derive(Clone, Debug)]
pub struct RasterState {
    /// Interpolate with 1/w.
    pub perspective: bool,
    /// Back faces take the back colours.
    pub two_side: bool,
    /// All of a primitive has one vertex's colours.
    pub flat: bool,
    /// Polygon offset for points, lines, filled polygons.
    pub offset: [bool; 3],
    /// What polygon offset adds.
    pub offset_units: f64,
    /// What it adds per unit of the depth's slope.
    pub offset_factor: f64,
    /// Eighths of a pixel.
    pub line_width: u32,
    /// Lines are strokes: Rankine and later.
    pub strokes: bool,
    /// Eighths of a pixel.
    pub point_size: u32,
    /// The vertex brings its point size.
    pub point_params: bool,
    /// Texture coordinate sets that a point replaces.
    pub sprite: u32,
    /// What their third coordinate becomes.
    pub sprite_r: SpriteR,
    /// Polygon stipple, if it is on: 32 rows of 32 bits.
    pub stipple: Option<Box<[u32; 32]>>,
    /// Line stipple, if it is on.
    pub line_stipple: Option<LineStipple>,
    /// What makes buffer units of a vertex's depth: Rankine and later count from 0 to 1.
    pub depth_scale: f64,
    /// The least depth, in buffer units.
    pub near: f32,
    /// The largest depth.
    pub far: f32,
    /// Depth outside of them is clamped; else the pixel is dropped.
    pub depth_clamp: bool,
    /// Depth is w.
    pub w_buffer: bool,
    /// The fog factor.
    pub fog: Fog,
    /// Specular colour reaches the pixel units.
    pub specular: bool,
    /// MULTISAMPLE_ENABLE.
    pub multisample: bool,
    /// Lines, polygons have smooth edges.
    pub smooth: [bool; 2],
    /// Smooth edges are Curie's.
    pub curie_edges: bool,
    /// Clip rectangles and the surface's edges.
    pub clip: Clip,
    /// User clip planes that are on, a bit each.
    pub planes: u8,
    /// Window coordinates of fragment programs.
    pub window: Window,
    /// What happens to positions before they are assembled.
    pub placing: Placing,
    /// Coordinates of fragment programs that run around a cylinder, four bits for each set.
    pub cylinder: u64,
    /// Sets whose third and fourth components are 0 and w, a bit each.
    pub two_d: u32,
    /// Sets that fragment programs can read; the others are (0, 0, 0, 1), a guess.
    pub sets_on: u32,
    /// Lines are wide without multisampling, which Celsius does not have.
    pub thick_lines: bool,
    /// Fragment programs can ask which face they draw.
    pub facing: bool,
    /// Colours of fragment programs are bytes, mixed with weights of nine bits.
    pub byte_colors: bool,
}

/// The third coordinate of a point sprite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpriteR {
    /// 0.
    #[default]
    Zero,
    /// The vertex's.
    Vertex,
    /// The same as the first.
    S,
}

/// Where window coordinates of fragment programs count from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Window {
    /// y counts up from here.
    pub inverted: Option<f64>,
    /// Where a pixel's centre lies in it.
    pub centre: f64,
}

impl RasterState {
    /// Does a primitive of this kind have smooth edges?
    #[inline(always)]
    pub fn smooth(&self, kind: PrimKind) -> bool {
        match kind {
            PrimKind::Line => self.smooth[0],
            PrimKind::Triangle => self.smooth[1],
            PrimKind::Point | PrimKind::Clear => false,
        }
    }

    /// How lines are drawn.
    #[inline(always)]
    pub fn line_style(&self) -> Style {
        if self.smooth[0] {
            Style::Wide
        } else if self.strokes {
            Style::Stroke
        } else if self.multisample || self.thick_lines {
            Style::Wide
        } else {
            Style::Thin
        }
    }
}

/// What kind of thing a primitive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrimKind {
    /// Three vertices.
    Triangle,
    /// Two.
    Line,
    /// One.
    Point,
    /// A rectangle of CLEAR_SURFACE; `v[0]` is its number.
    Clear,
}

/// A primitive in a scene: vertices by number.
#[derive(Clone, Copy, Debug)]
pub struct Prim {
    /// What it is.
    pub kind: PrimKind,
    /// Faces the viewer (colours, stencil).
    pub front: bool,
    /// Polygon offset, if the polygon mode it came from has one: what is added to depth.
    pub offset: f32,
    /// Draw state.
    pub draw: u32,
    /// Pixels of a line's stipple pattern that the lines before it used up.
    pub phase: u32,
    /// Its vertices; a line has two, a point one.
    pub v: [u32; 3],
    /// The vertex whose colours a flat primitive takes.
    pub provoking: u32,
    /// Pixels, max exclusive.
    pub bounds: [i32; 4],
}
