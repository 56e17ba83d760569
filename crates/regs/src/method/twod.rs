//! Methods of the 2D and memory classes.

use super::Method;
use super::data::*;
use super::table::m;
use crate::field::{Kind, bit, bits};
use crate::{values, word};

values! { /// What a 2D object does with source and destination.
OPERATION {
    SRCCOPY_AND = 0,
    ROP_AND = 1,
    BLEND_AND = 2,
    SRCCOPY = 3,
    SRCCOPY_PREMULT = 4,
    BLEND_PREMULT = 5,
} }
word! { /// Operation.
OPERATION_DATA { OPERATION: bits(0, 31).of(OPERATION), } }

values! { /// Pixel formats of a 2D surface.
SURF2D_FORMAT {
    Y8 = 0x1,
    X1R5G5B5_Z1R5G5B5 = 0x2,
    X1R5G5B5_X1R5G5B5 = 0x3,
    R5G6B5 = 0x4,
    Y16 = 0x5,
    X8R8G8B8_Z8R8G8B8 = 0x6,
    X8R8G8B8_X8R8G8B8 = 0x7,
    X1A7R8G8B8_Z1A7R8G8B8 = 0x8,
    X1A7R8G8B8_X1A7R8G8B8 = 0x9,
    A8R8G8B8 = 0xa,
    Y32 = 0xb,
} }
word! { /// Surface format.
SURF2D_FORMAT_DATA { FORMAT: bits(0, 31).of(SURF2D_FORMAT), } }
word! { /// Pitches of source and destination.
SURF2D_PITCH { SRC: bits(0, 15), DST: bits(16, 31), } }
word! { /// Format and log2 size of a swizzled surface.
SURF_SWZ_FORMAT {
    FORMAT: bits(0, 15).of(SURF2D_FORMAT),
    WIDTH: bits(16, 23),
    HEIGHT: bits(24, 31),
} }

values! { /// Pixel formats of image data and rectangles.
COLOR_FORMAT {
    R5G6B5 = 1,
    A1R5G5B5 = 2,
    X1R5G5B5 = 3,
    A8R8G8B8 = 4,
    X8R8G8B8 = 5,
} }
word! { /// Colour format.
COLOR_FORMAT_DATA { FORMAT: bits(0, 31).of(COLOR_FORMAT), } }
values! { /// Order of monochrome bits.
MONO_FORMAT {
    /// most significant bit first
    CGA6 = 1,
    /// least significant bit first
    LE = 2,
} }
word! { /// Monochrome format.
MONO_FORMAT_DATA { FORMAT: bits(0, 31).of(MONO_FORMAT), } }

values! { /// Formats of a scaled image.
SIFM_FORMAT {
    A1R5G5B5 = 0x1,
    X1R5G5B5 = 0x2,
    A8R8G8B8 = 0x3,
    X8R8G8B8 = 0x4,
    V8YB8U8YA8 = 0x5,
    YB8V8YA8U8 = 0x6,
    R5G6B5 = 0x7,
    Y8 = 0x8,
    AY8 = 0x9,
} }
word! { /// Scaled image format.
SIFM_FORMAT_DATA { FORMAT: bits(0, 31).of(SIFM_FORMAT), } }
values! { /// Conversion to fewer bits.
COLOR_CONVERSION {
    DITHER = 0,
    TRUNCATE = 1,
    SUBTR_TRUNCATE = 2,
} }
word! { /// Conversion.
COLOR_CONVERSION_DATA { CONVERSION: bits(0, 31).of(COLOR_CONVERSION), } }
values! { /// Where a source pixel's origin lies.
SIFM_ORIGIN { CENTER = 1, CORNER = 2, } }
values! { /// Filter of a scaled image.
SIFM_FILTER { POINT_SAMPLE = 0, BILINEAR = 1, } }
word! { /// Pitch, origin and filter of the source.
SIFM_SOURCE {
    PITCH: bits(0, 15),
    ORIGIN: bits(16, 23).of(SIFM_ORIGIN),
    FILTER: bits(24, 31).of(SIFM_FILTER),
} }
word! { /// Source position, 12.4 fixed point.
SIFM_POINT {
    U: bits(0, 15).of(Kind::UFixed(12, 4)),
    V: bits(16, 31).of(Kind::UFixed(12, 4)),
} }
word! { /// Step, 12.20 fixed point.
SIFM_STEP { STEP: bits(0, 31).of(Kind::SFixed(12, 20)), } }

word! { /// A point.
POINT { X: bits(0, 15).of(Kind::Int), Y: bits(16, 31).of(Kind::Int), } }
word! { /// A size.
SIZE { W: bits(0, 15), H: bits(16, 31), } }
word! { /// A rectangle's corner, X in the high half.
POINT_YX { Y: bits(0, 15).of(Kind::Int), X: bits(16, 31).of(Kind::Int), } }
word! { /// A rectangle's size, W in the high half.
SIZE_HW { H: bits(0, 15), W: bits(16, 31), } }

word! { /// Steps of a memory copy in bytes.
M2MF_FORMAT_DATA { INPUT_INC: bits(0, 7), OUTPUT_INC: bits(8, 15), } }
word! { /// Blend factor of BETA1, of which the upper bits count.
BETA_DATA { VALUE: bits(0, 31).of(Kind::Hex), } }
word! { /// Ternary raster operation.
ROP_DATA { ROP: bits(0, 7).of(Kind::Hex), } }
values! { /// Shape of a monochrome pattern.
PATTERN_SHAPE { P8X8 = 0, P64X1 = 1, P1X64 = 2, } }
word! { /// Pattern shape.
PATTERN_SHAPE_DATA { SHAPE: bits(0, 31).of(PATTERN_SHAPE), } }
values! { /// Which pattern.
PATTERN_SELECT { MONO = 1, COLOR = 2, } }
word! { /// Pattern selection.
PATTERN_SELECT_DATA { SELECT: bits(0, 31).of(PATTERN_SELECT), } }
word! { /// What a notification does.
NOTIFY_DATA { WRITE_LE_AWAKEN: bit(0), }}

pub(super) const NULL: &[Method] = &[m(0x0000, &HANDLE::WORD).named("OBJECT")];

pub(super) const BETA: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0300, &BETA_DATA::WORD).named("BETA").sets("CTX_BETA"),
];

pub(super) const CLIP: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0300, &POINT::WORD).named("POINT").sets("UCLIP"),
    m(0x0304, &SIZE::WORD).named("SIZE").sets("UCLIP"),
];

pub(super) const M2MF: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("DMA_BUFFER_IN"),
    m(0x0188, &HANDLE::WORD).named("DMA_BUFFER_OUT"),
    m(0x030c, &HEX::WORD).named("OFFSET_IN"),
    m(0x0310, &HEX::WORD).named("OFFSET_OUT"),
    m(0x0314, &UINT::WORD).named("PITCH_IN"),
    m(0x0318, &UINT::WORD).named("PITCH_OUT"),
    m(0x031c, &UINT::WORD).named("LINE_LENGTH_IN"),
    m(0x0320, &UINT::WORD).named("LINE_COUNT"),
    m(0x0324, &M2MF_FORMAT_DATA::WORD).named("FORMAT"),
    m(0x0328, &HEX::WORD).named("BUF_NOTIFY"),
];

pub(super) const SURF2D: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD)
        .named("DMA_IMAGE_SOURCE")
        .sets("SURF_BASE"),
    m(0x0188, &HANDLE::WORD)
        .named("DMA_IMAGE_DESTIN")
        .sets("SURF_BASE"),
    m(0x0300, &SURF2D_FORMAT_DATA::WORD)
        .named("FORMAT")
        .sets("SURF_FORMAT"),
    m(0x0304, &SURF2D_PITCH::WORD)
        .named("PITCH")
        .sets("SURF_PITCH"),
    m(0x0308, &HEX::WORD)
        .named("OFFSET_SOURCE")
        .sets("SURF_OFFSET"),
    m(0x030c, &HEX::WORD)
        .named("OFFSET_DESTIN")
        .sets("SURF_OFFSET"),
];

pub(super) const ROP: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0300, &ROP_DATA::WORD).named("ROP").sets("CTX_ROP"),
];

pub(super) const PATTERN: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0300, &HEX::WORD).named("COLOR_FORMAT"),
    m(0x0304, &MONO_FORMAT_DATA::WORD).named("MONO_FORMAT"),
    m(0x0308, &PATTERN_SHAPE_DATA::WORD).named("SHAPE"),
    m(0x030c, &PATTERN_SELECT_DATA::WORD).named("SELECT"),
    m(0x0310, &HEX::WORD).named("MONO_COLOR").by(2, 4),
    m(0x0318, &HEX::WORD).named("MONO_PATTERN").by(2, 4),
    m(0x0400, &HEX::WORD).named("PATTERN_Y8").by(16, 4),
    m(0x0500, &HEX::WORD).named("PATTERN_R5G6B5").by(32, 4),
    m(0x0600, &HEX::WORD).named("PATTERN_X1R5G5B5").by(32, 4),
    m(0x0700, &HEX::WORD).named("PATTERN_X8R8G8B8").by(64, 4),
];

pub(super) const GDI: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("DMA_FONTS"),
    m(0x0188, &HANDLE::WORD).named("PATTERN"),
    m(0x018c, &HANDLE::WORD).named("ROP"),
    m(0x0190, &HANDLE::WORD).named("BETA1"),
    m(0x0194, &HANDLE::WORD).named("BETA4"),
    m(0x0198, &HANDLE::WORD).named("SURFACE"),
    m(0x02fc, &OPERATION_DATA::WORD).named("OPERATION"),
    m(0x0300, &HEX::WORD).named("COLOR_FORMAT"),
    m(0x0304, &MONO_FORMAT_DATA::WORD).named("MONO_FORMAT"),
    m(0x03fc, &HEX::WORD).named("COLOR1_A"),
    m(0x0400, &POINT_YX::WORD)
        .named("UNCLIPPED_RECTANGLE_POINT")
        .by(32, 8),
    m(0x0404, &SIZE_HW::WORD)
        .named("UNCLIPPED_RECTANGLE_SIZE")
        .by(32, 8),
    m(0x07f4, &POINT::WORD).named("CLIP_POINT0_B"),
    m(0x07f8, &POINT::WORD).named("CLIP_POINT1_B"),
    m(0x07fc, &HEX::WORD).named("COLOR1_B"),
    m(0x0800, &POINT::WORD)
        .named("CLIPPED_RECTANGLE_POINT_0")
        .by(32, 8),
    m(0x0804, &POINT::WORD)
        .named("CLIPPED_RECTANGLE_POINT_1")
        .by(32, 8),
    m(0x0bec, &POINT::WORD).named("CLIP_POINT0_C"),
    m(0x0bf0, &POINT::WORD).named("CLIP_POINT1_C"),
    m(0x0bf4, &HEX::WORD).named("COLOR1_C"),
    m(0x0bf8, &SIZE::WORD).named("SIZE_C"),
    m(0x0bfc, &POINT::WORD).named("POINT_C"),
    m(0x0c00, &HEX::WORD).named("MONO_COLOR1_C").by(128, 4),
    m(0x0fe4, &POINT::WORD).named("CLIP_POINT0_E"),
    m(0x0fe8, &POINT::WORD).named("CLIP_POINT1_E"),
    m(0x0fec, &HEX::WORD).named("COLOR0_E"),
    m(0x0ff0, &HEX::WORD).named("COLOR1_E"),
    m(0x0ff4, &SIZE::WORD).named("SIZE_IN_E"),
    m(0x0ff8, &SIZE::WORD).named("SIZE_OUT_E"),
    m(0x0ffc, &POINT::WORD).named("POINT_E"),
    m(0x1000, &HEX::WORD).named("MONO_COLOR01_E").by(128, 4),
];

pub(super) const SURF_SWZ: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD)
        .named("DMA_IMAGE")
        .sets("SURF_BASE"),
    m(0x0300, &SURF_SWZ_FORMAT::WORD)
        .named("FORMAT")
        .sets("SURF_FORMAT SURF_SWIZZLE"),
    m(0x0304, &HEX::WORD).named("OFFSET").sets("SURF_OFFSET"),
];

pub(super) const LINE: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("CLIP"),
    m(0x0188, &HANDLE::WORD).named("PATTERN"),
    m(0x018c, &HANDLE::WORD).named("ROP"),
    m(0x0190, &HANDLE::WORD).named("BETA1"),
    m(0x0194, &HANDLE::WORD).named("BETA4"),
    m(0x0198, &HANDLE::WORD).named("SURFACE"),
    m(0x02fc, &OPERATION_DATA::WORD).named("OPERATION"),
    m(0x0300, &HEX::WORD).named("COLOR_FORMAT"),
    m(0x0304, &HEX::WORD).named("COLOR"),
    m(0x0400, &POINT::WORD).named("LINE_START").by(16, 8),
    m(0x0404, &POINT::WORD).named("LINE_END").by(16, 8),
    m(0x0480, &UINT::WORD).named("LINE32").by(8, 16).by(4, 4),
    m(0x0500, &POINT::WORD).named("POLYLINE").by(32, 4),
    m(0x0580, &UINT::WORD)
        .named("POLYLINE32")
        .by(16, 8)
        .by(2, 4),
    m(0x0600, &HEX::WORD).named("CPOLYLINE_COLOR").by(16, 8),
    m(0x0604, &POINT::WORD).named("CPOLYLINE_POINT").by(16, 8),
];

pub(super) const BLIT: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0108, &HEX::WORD).named("WAIT_FOR_IDLE"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0120, &UINT::WORD).named("FLIP_SET_READ"),
    m(0x0124, &UINT::WORD).named("FLIP_SET_WRITE"),
    m(0x0128, &UINT::WORD).named("FLIP_MAX"),
    m(0x012c, &HEX::WORD).named("FLIP_INCR_WRITE"),
    m(0x0130, &HEX::WORD).named("FLIP_WAIT"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("COLOR_KEY"),
    m(0x0188, &HANDLE::WORD).named("CLIP"),
    m(0x018c, &HANDLE::WORD).named("PATTERN"),
    m(0x0190, &HANDLE::WORD).named("ROP"),
    m(0x0194, &HANDLE::WORD).named("BETA1"),
    m(0x0198, &HANDLE::WORD).named("BETA4"),
    m(0x019c, &HANDLE::WORD).named("SURFACE"),
    m(0x02fc, &OPERATION_DATA::WORD).named("OPERATION"),
    m(0x0300, &POINT::WORD).named("POINT_IN"),
    m(0x0304, &POINT::WORD).named("POINT_OUT"),
    m(0x0308, &SIZE::WORD).named("SIZE"),
];

pub(super) const IFC: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("COLOR_KEY"),
    m(0x0188, &HANDLE::WORD).named("CLIP"),
    m(0x018c, &HANDLE::WORD).named("PATTERN"),
    m(0x0190, &HANDLE::WORD).named("ROP"),
    m(0x0194, &HANDLE::WORD).named("BETA1"),
    m(0x0198, &HANDLE::WORD).named("BETA4"),
    m(0x019c, &HANDLE::WORD).named("SURFACE"),
    m(0x02f8, &COLOR_CONVERSION_DATA::WORD).named("COLOR_CONVERSION"),
    m(0x02fc, &OPERATION_DATA::WORD).named("OPERATION"),
    m(0x0300, &COLOR_FORMAT_DATA::WORD).named("COLOR_FORMAT"),
    m(0x0304, &POINT::WORD).named("POINT"),
    m(0x0308, &SIZE::WORD).named("SIZE_OUT"),
    m(0x030c, &SIZE::WORD).named("SIZE_IN"),
    m(0x0400, &HEX::WORD).named("COLOR").by(1792, 4),
];

pub(super) const SIFM: &[Method] = &[
    m(0x0000, &HANDLE::WORD).named("OBJECT"),
    m(0x0100, &HEX::WORD).named("NOP"),
    m(0x0104, &NOTIFY_DATA::WORD).named("NOTIFY"),
    m(0x0110, &HEX::WORD).named("SYNC"),
    m(0x0180, &HANDLE::WORD).named("DMA_NOTIFY"),
    m(0x0184, &HANDLE::WORD).named("DMA_IMAGE"),
    m(0x0188, &HANDLE::WORD).named("PATTERN"),
    m(0x018c, &HANDLE::WORD).named("ROP"),
    m(0x0190, &HANDLE::WORD).named("BETA1"),
    m(0x0194, &HANDLE::WORD).named("BETA4"),
    m(0x0198, &HANDLE::WORD).named("SURFACE"),
    m(0x02fc, &COLOR_CONVERSION_DATA::WORD).named("COLOR_CONVERSION"),
    m(0x0300, &SIFM_FORMAT_DATA::WORD).named("COLOR_FORMAT"),
    m(0x0304, &OPERATION_DATA::WORD).named("OPERATION"),
    m(0x0308, &POINT::WORD).named("CLIP_POINT"),
    m(0x030c, &SIZE::WORD).named("CLIP_SIZE"),
    m(0x0310, &POINT::WORD).named("OUT_POINT"),
    m(0x0314, &SIZE::WORD).named("OUT_SIZE"),
    m(0x0318, &SIFM_STEP::WORD).named("DU_DX"),
    m(0x031c, &SIFM_STEP::WORD).named("DV_DY"),
    m(0x0400, &SIZE::WORD).named("SIZE"),
    m(0x0404, &SIFM_SOURCE::WORD).named("FORMAT"),
    m(0x0408, &HEX::WORD).named("OFFSET"),
    m(0x040c, &SIFM_POINT::WORD).named("POINT"),
];
