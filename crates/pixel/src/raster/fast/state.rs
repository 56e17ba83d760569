//! Which draws go the fast way.

use crate::raster::RasterState;
use crate::rop::blend::{Blend, Equation};
use crate::rop::prepare::Surfaces;
use crate::rop::surface::{Color, Plane};
use crate::rop::{Func, Rop};
use crate::shader::program::{Fragments, input};
use crate::shader::{Modulate, Passthrough, Shade};

/// Where the colour comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The vertices' diffuse colour.
    Vertices,
    /// The same by Curie's rules, which a fragment program hands on as it is.
    HandedOn,
    /// One texture and the vertices' diffuse colour.
    Texture(Modulate),
    /// Texture shader and combiners, or a fragment program.
    Units,
}

/// What becomes of the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blending {
    /// It replaces the old one.
    Replace,
    /// Source by its alpha, destination by the rest.
    Over,
    /// What the ROP does with any factors and equation.
    Any,
}

/// How the triangles of a draw reach the surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FastState {
    pub(super) source: Source,
    pub(super) blending: Blending,
    /// Bits whose value the format does not dictate, and the value of the others.
    pub(super) kept: (u32, u32),
    /// Compare function of the depth test, and whether depth is written.
    pub(super) depth: Option<(Func, bool)>,
}

impl FastState {
    /// `None` if the draw's triangles need more than the fast way does.
    pub fn prepare(
        raster: &RasterState,
        rop: &Rop,
        shade: &Shade,
        program: Option<&Fragments>,
        surfaces: &Surfaces,
    ) -> Option<FastState> {
        let blending = match rop.blend {
            None => Blending::Replace,
            Some(Blend {
                equation: [Equation::Add, Equation::Add],
                src: [4, 4],
                dst: [5, 5],
                ..
            }) => Blending::Over,
            Some(_) => Blending::Any,
        };
        if !simple_raster(raster) || !simple_rop(rop, surfaces) {
            return None;
        }
        let source = match source(raster, shade, program)? {
            // Who makes colours and writes them at once does no more than that.
            _ if rop.alpha.is_some() || blending == Blending::Any => Source::Units,
            source => source,
        };
        Some(FastState {
            source,
            blending,
            kept: (!rop.forced.0, rop.forced.1),
            depth: rop.depth.map(|func| (func, rop.depth_write)),
        })
    }
}

/// Does nothing but the triangle and the clip rectangle decide which pixels are drawn?
fn simple_raster(raster: &RasterState) -> bool {
    raster.stipple.is_none()
        && !raster.smooth[1]
        && raster.planes == 0
        && raster.clip.rects.is_empty()
        && !raster.w_buffer
}

/// Are whole words of rows written, after tests of alpha and depth at most?
fn simple_rop(rop: &Rop, surfaces: &Surfaces) -> bool {
    let words = |plane: &Plane| plane.bytes == 4 && plane.swizzle.is_none();
    surfaces.scale == (1, 1)
        && surfaces.color.as_ref().is_some_and(words)
        && matches!(rop.format, Color::A8R8G8B8 | Color::X8R8G8B8 { .. })
        && rop.bits == u32::MAX
        && rop.outputs.is_empty()
        && rop.bounds.is_none()
        && rop.stencil == [None; 2]
        && rop.logic.is_none()
        && (rop.depth.is_none() || rop.zeta.z24 && surfaces.zeta.as_ref().is_some_and(words))
}

/// `None` if the pixel units may kill pixels or replace their depth, or if a program asks
/// for the place in the window: a group of four quads has no single one.
fn source(raster: &RasterState, shade: &Shade, program: Option<&Fragments>) -> Option<Source> {
    if let Some(program) = program {
        let anywhere = program.inputs()[input::POSITION] == 0;
        let source = if raster.byte_colors && program.hands_on_color() {
            Source::HandedOn
        } else {
            Source::Units
        };
        return (anywhere && !program.kills_or_moves()).then_some(source);
    }
    if shade.kills_or_moves() {
        return None;
    }
    if shade.passes_through() == Some(Passthrough::Diffuse) {
        return Some(Source::Vertices);
    }
    Some(shade.modulate().map_or(Source::Units, Source::Texture))
}
