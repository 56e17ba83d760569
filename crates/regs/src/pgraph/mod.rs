//! PGRAPH's own registers: what the front end keeps besides bundle shadows.
//!
//! Names as in the public register database, or those of the hardware tests where the database
//! has none. Nothing here is sent down the pipeline as it stands.

pub mod address;
mod fd;
mod idx;
mod object;
pub mod port;
mod surface;

pub use fd::*;
pub use idx::*;
pub use object::*;
pub use surface::*;

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::word;

word! { /// 400084h: how objects and subchannels are followed.
DEBUG_B {
    /// the last subchannel switch reset the volatile state
    VOLATILE_RESET: bit(0),
    /// texture shaders take dot mapping 5
    DOT_MAPPING_5_ENABLE: bit(6),
    /// texture shaders take dot mapping 6
    DOT_MAPPING_6_ENABLE: bit(7),
    UNK8: bits(8, 10).of(Kind::Unknown),
    UNK15: bits(15, 16).of(Kind::Unknown),
    /// CTX_SWITCH follows CTX_CACHE
    CTX_SWITCH_FOLLOW: bit(20),
} }

word! { /// 40008Ch: which errors are reported, and a few ways to behave.
DEBUG_D {
    /// the order of the forward differencer's methods is checked
    PATCH_CHECK: bit(3).until(Nv40),
    /// the 3D state belongs to a channel, not to an object
    STATE3D_PER_CHANNEL: bit(9).since(Nv15).until(Nv20),
    /// NOP takes part in buffer synchronisation
    SYNC: bit(12),
    /// the Direct3D classes own the 3D state as others do
    STATE3D_D3D_AS_OTHERS: bit(13),
    /// a subchannel switch reads the object again
    OBJECT_RELOAD: bit(14),
    PM_TRIGGER_ENABLE: bit(15),
    /// class 56h is called 85h
    CLASS_85: bit(16),
    /// a subchannel switch resets the volatile state
    VOLATILE_RESET: bit(19),
    /// bad data is an error
    DATA_CHECK: bit(20),
    /// all data is bad
    DATA_ERROR_ALWAYS: bit(21),
    /// a missing colour surface is an error
    SURFACE_CHECK: bit(22),
    /// a DMA object of the wrong class is an error
    DMA_CLASS_CHECK: bit(23),
    /// a state that does not fit together is an error
    STATE_CHECK: bit(24),
    /// the Kelvin classes have the flip methods
    KELVIN_FLIP_ENABLE: bit(25),
    /// the 3D state has an owner
    STATE3D_CHECK: bit(27).until(Nv40),
    /// XF's mode is sent with the next primitive
    XFMODE_DEFER: bit(28).until(Nv40),
    /// the Direct3D classes have context objects
    CONTEXT_OBJECTS: bit(29),
} }

word! { /// 400090h.
DEBUG_E {
    /// NV17: shows in UNKA10 for surfaces with SURF_TYPE UNK2
    UNK2: bit(2).of(Kind::Unknown),
} }

word! { /// Debug word of the texture shaders.
DEBUG_L {
    /// class 597h has the shader operations 13h to 17h
    SHADER_OPS_13_ENABLE: bit(1),
} }

word! { /// Which steps of the forward differencer's protocol are not checked.
DEBUG_FD_CHECK_SKIP { STEPS: bits(0, 9).of(Kind::Hex), } }

word! { /// 400A10h of NV17.
UNKA10 {
    /// a wire, not a register
    SURF_UNK2: bit(29).since(Nv17).until(Nv20),
} }

word! { /// 400104h: what became of the last method.
NSTATUS {
    STATE_IN_USE: bit(23),
    INVALID_STATE: bit(24),
    BAD_ARGUMENT: bit(25),
    PROTECTION_FAULT: bit(26),
} }

word! { /// 400108h: why a method trapped.
NSOURCE {
    NOTIFICATION: bit(0),
    DATA_ERROR: bit(1),
    PROTECTION_ERROR: bit(2),
    RANGE_EXCEPTION: bit(3),
    LIMIT_COLOR: bit(4),
    LIMIT_ZETA: bit(5),
    ILLEGAL_MTHD: bit(6),
    DMA_R_PROTECTION: bit(7),
    DMA_W_PROTECTION: bit(8),
    FORMAT_EXCEPTION: bit(9),
    PATCH_EXCEPTION: bit(10),
    STATE_INVALID: bit(11),
    DOUBLE_NOTIFY: bit(12),
    NOTIFY_IN_USE: bit(13),
    METHOD_CNT: bit(14),
    BFR_NOTIFICATION: bit(15),
    /// a state method inside BEGIN/END
    IN_BEGIN_END: bit(18),
    /// the order of the forward differencer's methods
    PATCH_ORDER: bit(19),
} }

word! { /// The notify that is to be written, and the warning.
NOTIFY {
    PENDING: bit(16),
    /// with an interrupt
    STYLE: bit(20),
    WARNING_PENDING: bit(24),
    WARNING_STYLE: bit(25),
    /// the first warning since the last report
    WARNING: bits(28, 30),
} }

word! { /// The method at the front end's door.
FIFO_MTHD {
    METHOD: bits(2, 12),
    SUBCHANNEL: bits(16, 18),
    CHANNEL: bits(20, 24),
    /// not executed yet
    PENDING: bit(26),
} }

word! { /// 400704h: the method that trapped.
TRAP_ADDR {
    METHOD: bits(2, 12),
    SUBCHANNEL: bits(16, 18),
    CHANNEL: bits(20, 24),
    UNK28: bit(28).of(Kind::Unknown),
} }

word! { /// 40077Ch: whose the 3D state is.
STATE3D {
    INSTANCE: bits(0, 15).of(Kind::Hex),
    CHANNEL: bits(16, 20),
    INSTANCE_VALID: bit(24),
    CHANNEL_VALID: bit(25),
    D3D0: bit(28),
    D3D5: bit(29),
    D3D6: bit(30),
} }

word! { /// 400F48h: the front end's own word on Celsius.
CELSIUS_CONFIG_C {
    FOG_MODE: bits(0, 2),
    CLIP_RECT_MODE: bit(4),
    IN_BEGIN_END: bit(8),
    /// Direct3D 6, first stage, alpha and colour: texture 1 is not read
    NO_TEXTURE_1: bits(16, 17),
    /// Direct3D 6, second stage, alpha and colour: the first stage's result passes through
    PASSES: bits(18, 19),
    /// Direct3D 6: the result is complemented; first stage's alpha and colour, then the second's
    COMPLEMENT: bits(20, 23),
} }

word! { /// What the front end remembers of the 3D methods, Kelvin and its heirs.
FE3D_MISC {
    IN_BEGIN_END: bit(0),
    /// emulated Celsius: bit 0 of LIGHT_MODEL
    EMU_VERTEX_SPECULAR: bit(2).until(Nv30),
    /// emulated Celsius: the specular colour follows the vertex
    EMU_MATERIAL_SPECULAR: bit(3).until(Nv30),
    IN_PATCH: bit(4).until(Nv30),
    /// BEGIN_PATCH_A, B and C came in
    PATCH_WORDS: bits(5, 7).until(Nv30),
    IN_CURVE: bit(8).until(Nv30),
    CURVE_STEP: bits(9, 10).until(Nv30).of(Kind::Unknown),
    UNK11: bit(11).until(Nv30).of(Kind::Unknown),
    /// BEGIN_TRANSITION_A and B came in
    TRANSITION_WORDS: bits(12, 13).until(Nv30),
    UNK14: bit(14).until(Nv30).of(Kind::Unknown),
    CURVE_OPEN: bit(15).until(Nv30),
    /// nothing more is to be drawn but transitions
    PATCH_DONE: bit(16).until(Nv30),
    UNK17: bits(17, 19).until(Nv30).of(Kind::Unknown),
    /// the rectangles that were set since the first
    CLIP_RECT_HORIZ: bits(4, 11).since(Nv30),
    CLIP_RECT_VERT: bits(12, 19).since(Nv30),
    STATE_SAVED: bit(20).until(Nv40),
    /// emulated Celsius: only the emission follows the vertex
    EMU_MATERIAL_EMISSION: bit(21).until(Nv30),
    /// emulated Celsius: the ambient colour follows the vertex
    EMU_MATERIAL_AMBIENT: bit(22).until(Nv30),
    UNK23: bit(23).until(Nv30).of(Kind::Unknown),
    /// an error spoilt the patch
    PATCH_SPOILT: bit(24).until(Nv30),
    /// texture objects A and B were bound
    DMA_TEX: bits(28, 29).since(Nv30),
    /// a fragment program is to be fetched from object A or B
    PS_PREFETCH: bits(30, 31).since(Nv30),
} }

word! { /// Where the next program and constant words go, Kelvin and Rankine.
FE3D_XF_LOAD_POS {
    PROGRAM: bits(0, 7).then(Nv30, 0, 8).then(Nv40, 0, 9),
    PARAM: bits(8, 15).then(Nv30, 16, 24).then(Nv40, 16, 25),
} }

word! { /// 400500h and on: what came in, as the 2D rasteriser and the surfaces note it.
VALID_A {
    SURF_PITCH: bit(2),
    SURF_OFFSET: bit(3),
    CLIP: bit(19),
    /// kept by a reset of the volatile state
    UNK28: bit(28).of(Kind::Unknown),
    UNK30: bit(30).of(Kind::Unknown),
} }

word! { /// The same register as the Direct3D classes use it.
VALID_A_D3D {
    /// vertices that are complete
    VERTICES: bits(0, 15),
    /// the last one
    LAST: bits(16, 19),
} }

word! { /// 400508h: which words of a vertex and of the state came in.
VALID_B {
    TLV_FOG: bit(0),
    TLV_COLOR: bit(1),
    TLV_RHW: bit(2),
    TLV_Z: bit(3),
    TLV_Y: bit(4),
    TLV_X: bit(5),
    /// u and v of the first texture, then those of the second
    TLV_UV: bits(6, 9),
    COLOR_KEY: bit(12),
    FOG_COLOR: bit(13),
    TEX_0_OFFSET: bit(14),
    TEX_0_FORMAT: bit(15),
    TEX_0_FILTER: bit(16),
    CONFIG: bit(17),
    /// stencil test, or Direct3D 3's alpha test
    TEST: bit(18),
    BLEND: bit(19),
    STENCIL_OP: bit(20),
    TEX_1_FORMAT: bit(21),
    TEX_1_OFFSET: bit(22),
    TEX_1_FILTER: bit(23),
    COMBINE_FACTOR: bit(24),
    COMBINE_1_COLOR: bit(25),
    COMBINE_1_ALPHA: bit(26),
    COMBINE_0_COLOR: bit(27),
    COMBINE_0_ALPHA: bit(28),
    CLIP: bits(30, 31),
} }

word! { /// The vertex slots of a Direct3D 3 triangle (MISC24).
MISC24 { FIRST: bits(0, 3), REST: bits(4, 23).of(Kind::Hex), } }

word! { /// 2D rasteriser.
XY_MISC_1 { CLIP: bit(0), } }
word! { /// 2D rasteriser.
XY_MISC_3 {
    UNK0: bit(0).of(Kind::Unknown),
    UNK4: bit(4).of(Kind::Unknown),
    CLIP: bit(8),
} }
word! { /// Where coordinates lie against the clip rectangle: below, at its beginning, above, at its end.
XY_CLIP { STATUS: bits(0, 31).of(Kind::Hex), } }
