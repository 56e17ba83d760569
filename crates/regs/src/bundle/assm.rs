//! Words of primitive assembly.

use super::rop::COLOR_SPACE_CONVERT;
use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{values, word};

values! { /// The vertex whose colour a flat primitive takes.
PROVOKING_VERTEX {
    LAST = 0,
    FIRST = 1,
} }

values! { /// Shading.
SHADE_MODE {
    FLAT = 0,
    SMOOTH = 1,
} }

values! { /// The R coordinate of a point sprite.
POINT_SPRITE_R_MODE {
    ZERO = 0,
    R = 1,
    S = 2,
} }

values! { /// How the fog coordinate becomes a factor. The low bit, exponential, is also in XFMODE.
FOG_MODE {
    /// signed
    LINEAR = 0,
    /// signed
    EXP = 1,
    /// signed
    EXP2 = 3,
    /// linear of the coordinate's magnitude, method value 804h (page: UNK_0804)
    LINEAR_ABS = 4,
    /// method value 802h (page: UNK_0802)
    EXP_ABS = 5,
    /// method value 803h (page: UNK_0803)
    EXP2_ABS = 7,
} }

word! { /// Assembly, shading, fog and point state.
CONFIG_B {
    PROVOKING_VERTEX: bit(0).of(PROVOKING_VERTEX),
    POINT_SPRITE_ENABLE: bit(1).since(Nv25),
    /// bit 24 of method 290h: the source colour is already multiplied by its alpha
    PREMULTIPLIED_ALPHA: bit(2).alias("CELSIUS_CONFIG_UNK24")
        .src("name from public NV097 headers; no picture shows the effect"),
    POINT_SPRITE_R_MODE: bits(3, 4).since(Nv25).of(POINT_SPRITE_R_MODE),
    /// exists on Celsius, no method affects it
    CELSIUS_UNK4: bit(4).until(Nv20).of(Kind::Unknown),
    /// also stored in XFMODE
    SPECULAR_ENABLE: bit(5),
    TEXTURE_PERSPECTIVE_ENABLE: bit(6),
    SHADE_MODE: bit(7).of(SHADE_MODE),
    /// also stored in XFMODE
    FOG_ENABLE: bit(8),
    /// also stored in XFMODE
    POINT_PARAMS_ENABLE: bit(9),
    /// written by method 290h of the Celsius classes only
    CELSIUS_CONFIG_UNK8: bits(10, 13).until(Nv30).of(Kind::Unknown),
    /// method 290h bits 28-29
    CELSIUS_CONFIG_UNK28: bits(14, 15).since(Nv17).until(Nv20).of(Kind::Unknown),
    /// texture coordinate sets 4 to 9
    POINT_SPRITE_COORD_REPLACE_B: bits(10, 15).since(Nv40).of(Kind::Hex)
        .src("register scan; public headers give the method one bit for each of ten sets"),
    FOG_MODE: bits(16, 18).since(Nv20).of(FOG_MODE),
    CURIE_UNK19: bit(19).since(Nv40).of(Kind::Unknown).src("register scan"),
    ZPASS_COUNTER_ENABLE: bit(20).since(Nv20),
    CURIE_UNK21: bit(21).since(Nv40).of(Kind::Unknown).src("register scan"),
    /// one bit per texture coordinate set
    POINT_SPRITE_COORD_REPLACE: bits(24, 27).since(Nv25).of(Kind::Hex),
    /// method 290h bits 28-30; lay in CONFIG_A before
    COLOR_SPACE_CONVERT: bits(28, 30).since(Nv25).of(COLOR_SPACE_CONVERT)
        .alias("KELVIN_CONFIG_UNK28").src("public NV097 headers name the method field"),
    /// bit 0 of method A0Ch, meaning unknown
    KELVIN_UNKA0C: bit(31).since(Nv25).of(Kind::Unknown),
} }

word! { /// Point size: 6.3 fixed point before NV25, a float from NV25 on.
POINT_SIZE {
    /// pixels, unsigned 6.3 fixed point
    FIXED: bits(0, 8).until(Nv25).of(Kind::UFixed(6, 3)),
    /// pixels
    FLOAT: bits(0, 31).since(Nv25).of(Kind::Float32),
} }
