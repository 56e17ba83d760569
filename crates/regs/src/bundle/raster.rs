//! Words of the rasteriser: polygon state, rectangles, depth range, clears.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, values, word};

values! { /// What is drawn of a polygon.
POLYGON_MODE {
    FILL = 0,
    POINT = 1,
    LINE = 2,
} }

values! { /// Faces to drop.
CULL_FACE {
    FRONT = 1,
    BACK = 2,
    FRONT_AND_BACK = 3,
} }

values! { /// The winding of a front face.
FRONT_FACE {
    CW = 0,
    CCW = 1,
} }

values! { /// Depth buffer number format.
Z_FORMAT {
    FIXED = 0,
    FLOAT = 1,
} }

values! { /// Width of the swath in which a primitive is walked, in pixels.
SWATH_WIDTH {
    /// 4 pixels (page: UNK0)
    V_04 = 0,
    /// 8 pixels (page: UNK1)
    V_08 = 1,
    /// 16 pixels (page: UNK2)
    V_10 = 2,
    /// 32 pixels (page: UNK3)
    V_20 = 3,
    /// 64 pixels (page: UNK4)
    V_40 = 4 since Nv20,
    /// the method's value Fh (page: UNK0F)
    V_OFF = 7 since Nv20,
} }

values! { /// Which side of the window clip rectangles is drawn.
CLIP_RECT_MODE {
    /// draw inside any rectangle
    INCLUSIVE = 0,
    /// draw outside all rectangles
    EXCLUSIVE = 1,
} }

word! { /// Polygon, line and point state.
RASTER {
    POLYGON_MODE_FRONT: bits(0, 1).of(POLYGON_MODE),
    POLYGON_MODE_BACK: bits(2, 3).of(POLYGON_MODE),
    /// moved to LINE_STIPPLE on NV25
    POLYGON_STIPPLE_ENABLE: bit(4).since(Nv20).until(Nv25),
    /// bit 31 of method 9F8h, meaning unknown
    SWATH_UNK31: bit(4).since(Nv25).until(Nv30).of(Kind::Unknown)
        .src("method vectors; the page has ???"),
    /// bit 31 of method 1450h, meaning unknown
    RANKINE_UNK1450_UNK31: bit(4).since(Nv30).until(Nv40).of(Kind::Unknown),
    /// bit 8 of method 1D78h: near and far culling does not look at W
    CULL_IGNORE_W: bit(5).since(Nv20).alias("DEPTH_CLAMP_UNK8")
        .src("public NV097 headers name the method field"),
    POLYGON_OFFSET_POINT_ENABLE: bit(6),
    POLYGON_OFFSET_LINE_ENABLE: bit(7),
    POLYGON_OFFSET_FILL_ENABLE: bit(8),
    POINT_SMOOTH_ENABLE: bit(9).until(Nv30),
    LINE_SMOOTH_ENABLE: bit(10),
    POLYGON_SMOOTH_ENABLE: bit(11),
    /// unsigned 6.3 fixed point
    LINE_WIDTH: bits(12, 20).of(Kind::UFixed(6, 3)),
    CULL_FACE: bits(21, 22).of(CULL_FACE),
    FRONT_FACE: bit(23).of(FRONT_FACE),
    /// also stored in XFMODE
    LIGHT_TWO_SIDE_ENABLE: bit(24).since(Nv20),
    /// method 3F0h, from NV20 on 9F8h
    SWATH_WIDTH: bits(26, 27).then(Nv20, 25, 27).of(SWATH_WIDTH).alias("CELSIUS_MTHD_UNK3F0")
        .src("public NV097 headers name the method"),
    CULL_FACE_ENABLE: bit(28),
    Z_FORMAT: bit(29).of(Z_FORMAT),
    /// exist on Celsius; bit 30 set keeps the vertex engine from clamping negative depth and tiny W
    CELSIUS_UNK30: bits(30, 31).until(Nv20).of(Kind::Unknown).alias("CELSIUS_MTHD_UNK3F8")
        .conflict("the page says method 3F8h writes these; the method vectors show 3F8h writing CONFIG_A bit 31 and nothing writing these"),
    /// bit 0 of method 1D78h: primitives beyond near and far are culled or clipped, not clamped
    CULL_NEAR_FAR: bit(30).since(Nv20).alias("DEPTH_CLAMP_UNK0")
        .src("public NV097 headers name the method field"),
    CLIP_RECT_MODE: bit(31).since(Nv20).of(CLIP_RECT_MODE),
} }

word! { /// Polygon and line stipple.
LINE_STIPPLE {
    POLYGON_STIPPLE_ENABLE: bit(0),
    LINE_STIPPLE_ENABLE: bit(1),
    LINE_STIPPLE_FACTOR: bits(8, 15),
    LINE_STIPPLE_PATTERN: bits(16, 31).of(Kind::Hex),
} }

word! { /// Surface clip: entry 0 horizontal, entry 1 vertical.
CLIP_HV {
    ORIGIN: bits(0, 15).then(Nv30, 0, 11),
    SIZE: bits(16, 31).then(Nv30, 16, 28),
} }

word! { /// Clear rectangle: entry 0 horizontal, entry 1 vertical; both bounds inclusive.
CLEAR_HV {
    MIN: bits(0, 11),
    MAX: bits(16, 27),
} }

word! { /// Window clip rectangles, horizontal bounds, both inclusive.
CLIP_RECT_HORIZ {
    LEFT: bits(0, 11),
    RIGHT: bits(16, 27),
} }

word! { /// Celsius keeps fog and window clip modes in a register of the front end (400F48h), not in a bundle.
CONFIG_C {
    FOG_MODE: bits(0, 2).until(Nv20).of(super::FOG_MODE),
    CLIP_RECT_MODE: bit(4).until(Nv20).of(CLIP_RECT_MODE),
} }

word! { /// Window clip rectangles, vertical bounds, both inclusive.
CLIP_RECT_VERT {
    TOP: bits(0, 11),
    BOTTOM: bits(16, 27),
} }

word! { /// Where the viewport lies in the render target.
VIEWPORT_OFFSET {
    X: bits(0, 12).of(Kind::Int),
    Y: bits(16, 28).of(Kind::Int),
} }

word! { /// Viewport rectangle: entry 0 horizontal, entry 1 vertical.
VIEWPORT_HV {
    ORIGIN: bits(0, 11),
    SIZE: bits(16, 28),
} }

word! { /// Scissor rectangle: entry 0 horizontal, entry 1 vertical.
SCISSOR_HV {
    ORIGIN: bits(0, 11),
    SIZE: bits(16, 28),
} }

values! { /// What a user clip plane does.
CLIP_PLANE {
    OFF = 0,
    UNK1 = 1,
    /// the drivers' value for "enabled"
    ENABLE = 2,
    UNK3 = 3,
} }

word! { /// User clip planes, two bits each.
CLIP_PLANE_ENABLE {
    PLANE0: bits(0, 1).of(CLIP_PLANE),
    PLANE1: bits(4, 5).of(CLIP_PLANE),
    PLANE2: bits(8, 9).of(CLIP_PLANE),
    PLANE3: bits(12, 13).of(CLIP_PLANE),
    PLANE4: bits(16, 17).of(CLIP_PLANE),
    PLANE5: bits(20, 21).of(CLIP_PLANE),
} }

word! { /// Cylindrical wrap of texture coordinate sets 0 to 7, one bit per component.
TXC_CYLWRAP {
    TXC0: bits(0, 3).of(Kind::Hex),
    TXC1: bits(4, 7).of(Kind::Hex),
    TXC2: bits(8, 11).of(Kind::Hex),
    TXC3: bits(12, 15).of(Kind::Hex),
    TXC4: bits(16, 19).of(Kind::Hex),
    TXC5: bits(20, 23).of(Kind::Hex),
    TXC6: bits(24, 27).of(Kind::Hex),
    TXC7: bits(28, 31).of(Kind::Hex),
} }

word! { /// Cylindrical wrap of texture coordinate sets 8 and 9.
TXC_CYLWRAP_B {
    TXC8: bits(0, 3).of(Kind::Hex),
    TXC9: bits(4, 7).of(Kind::Hex),
} }

word! { /// Texture coordinate sets that are interpolated.
TXC_ENABLE {
    TXC: bits(0, 7).of(Kind::Hex),
} }

values! { /// Direction of the window's Y.
COORD_ORIGIN {
    NORMAL = 0,
    INVERTED = 1,
} }

values! { /// Where a pixel's centre lies.
COORD_CENTER {
    HALF_INTEGER = 0,
    INTEGER = 1,
} }

word! { /// Window coordinates of fragment programs.
WINDOW_OFFSET {
    /// what y is counted from where the origin is inverted
    HEIGHT: bits(0, 11).src("rnndb has the method's bits; the register scan calls the word WINDOW_CONFIG"),
    ORIGIN: bit(12).of(COORD_ORIGIN).src("rnndb has the method's bit"),
    CENTER: bit(13).of(COORD_CENTER).src("rnndb has the method's bit, number 16 there"),
} }

plain_words! {
    /// Polygon stipple, one word per row of 32 pixels; no shadow register.
    POLYGON_STIPPLE.PATTERN of Kind::Hex;
    /// The colour clears write, in the surface's own packing.
    CLEAR_COLOR.VALUE of Kind::Hex;
    /// Depth at the near plane.
    DEPTH_RANGE_NEAR.VALUE of Kind::Float32;
    /// Depth at the far plane.
    DEPTH_RANGE_FAR.VALUE of Kind::Float32;
    /// Polygon offset, constant term.
    POLYGON_OFFSET_UNITS.VALUE of Kind::Float32;
    /// Polygon offset, slope term.
    POLYGON_OFFSET_FACTOR.VALUE of Kind::Float32;
    /// Unknown, apparently involved in clears.
    CLEAR_UNK1DC.DATA of Kind::Unknown;
}

word! { /// Unknown, apparently involved in clears.
CLEAR_UNK0C6 {
    UNK0: bit(0).of(Kind::Unknown),
} }
