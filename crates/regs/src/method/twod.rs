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

pub(super) const NULL: &[Method] = &[m(0x0000, "OBJECT", &HANDLE::WORD)];

pub(super) const BETA: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0300, "BETA", &BETA_DATA::WORD).sets("CTX_BETA"),
];

pub(super) const CLIP: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0300, "POINT", &POINT::WORD).sets("UCLIP"),
    m(0x0304, "SIZE", &SIZE::WORD).sets("UCLIP"),
];

pub(super) const M2MF: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_BUFFER_IN", &HANDLE::WORD),
    m(0x0188, "DMA_BUFFER_OUT", &HANDLE::WORD),
    m(0x030c, "OFFSET_IN", &HEX::WORD),
    m(0x0310, "OFFSET_OUT", &HEX::WORD),
    m(0x0314, "PITCH_IN", &UINT::WORD),
    m(0x0318, "PITCH_OUT", &UINT::WORD),
    m(0x031c, "LINE_LENGTH_IN", &UINT::WORD),
    m(0x0320, "LINE_COUNT", &UINT::WORD),
    m(0x0324, "FORMAT", &M2MF_FORMAT_DATA::WORD),
    m(0x0328, "BUF_NOTIFY", &HEX::WORD),
];

pub(super) const SURF2D: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_IMAGE_SOURCE", &HANDLE::WORD).sets("SURF_BASE"),
    m(0x0188, "DMA_IMAGE_DESTIN", &HANDLE::WORD).sets("SURF_BASE"),
    m(0x0300, "FORMAT", &SURF2D_FORMAT_DATA::WORD).sets("SURF_FORMAT"),
    m(0x0304, "PITCH", &SURF2D_PITCH::WORD).sets("SURF_PITCH"),
    m(0x0308, "OFFSET_SOURCE", &HEX::WORD).sets("SURF_OFFSET"),
    m(0x030c, "OFFSET_DESTIN", &HEX::WORD).sets("SURF_OFFSET"),
];

pub(super) const ROP: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0300, "ROP", &ROP_DATA::WORD).sets("CTX_ROP"),
];

pub(super) const PATTERN: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0300, "COLOR_FORMAT", &HEX::WORD),
    m(0x0304, "MONO_FORMAT", &MONO_FORMAT_DATA::WORD),
    m(0x0308, "SHAPE", &PATTERN_SHAPE_DATA::WORD),
    m(0x030c, "SELECT", &PATTERN_SELECT_DATA::WORD),
    m(0x0310, "MONO_COLOR", &HEX::WORD).by(2, 4),
    m(0x0318, "MONO_PATTERN", &HEX::WORD).by(2, 4),
    m(0x0400, "PATTERN_Y8", &HEX::WORD).by(16, 4),
    m(0x0500, "PATTERN_R5G6B5", &HEX::WORD).by(32, 4),
    m(0x0600, "PATTERN_X1R5G5B5", &HEX::WORD).by(32, 4),
    m(0x0700, "PATTERN_X8R8G8B8", &HEX::WORD).by(64, 4),
];

pub(super) const GDI: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_FONTS", &HANDLE::WORD),
    m(0x0188, "PATTERN", &HANDLE::WORD),
    m(0x018c, "ROP", &HANDLE::WORD),
    m(0x0190, "BETA1", &HANDLE::WORD),
    m(0x0194, "BETA4", &HANDLE::WORD),
    m(0x0198, "SURFACE", &HANDLE::WORD),
    m(0x02fc, "OPERATION", &OPERATION_DATA::WORD),
    m(0x0300, "COLOR_FORMAT", &HEX::WORD),
    m(0x0304, "MONO_FORMAT", &MONO_FORMAT_DATA::WORD),
    m(0x03fc, "COLOR1_A", &HEX::WORD),
    m(0x0400, "UNCLIPPED_RECTANGLE_POINT", &POINT_YX::WORD).by(32, 8),
    m(0x0404, "UNCLIPPED_RECTANGLE_SIZE", &SIZE_HW::WORD).by(32, 8),
    m(0x07f4, "CLIP_POINT0_B", &POINT::WORD),
    m(0x07f8, "CLIP_POINT1_B", &POINT::WORD),
    m(0x07fc, "COLOR1_B", &HEX::WORD),
    m(0x0800, "CLIPPED_RECTANGLE_POINT_0", &POINT::WORD).by(32, 8),
    m(0x0804, "CLIPPED_RECTANGLE_POINT_1", &POINT::WORD).by(32, 8),
    m(0x0bec, "CLIP_POINT0_C", &POINT::WORD),
    m(0x0bf0, "CLIP_POINT1_C", &POINT::WORD),
    m(0x0bf4, "COLOR1_C", &HEX::WORD),
    m(0x0bf8, "SIZE_C", &SIZE::WORD),
    m(0x0bfc, "POINT_C", &POINT::WORD),
    m(0x0c00, "MONO_COLOR1_C", &HEX::WORD).by(128, 4),
    m(0x0fe4, "CLIP_POINT0_E", &POINT::WORD),
    m(0x0fe8, "CLIP_POINT1_E", &POINT::WORD),
    m(0x0fec, "COLOR0_E", &HEX::WORD),
    m(0x0ff0, "COLOR1_E", &HEX::WORD),
    m(0x0ff4, "SIZE_IN_E", &SIZE::WORD),
    m(0x0ff8, "SIZE_OUT_E", &SIZE::WORD),
    m(0x0ffc, "POINT_E", &POINT::WORD),
    m(0x1000, "MONO_COLOR01_E", &HEX::WORD).by(128, 4),
];

pub(super) const SURF_SWZ: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_IMAGE", &HANDLE::WORD).sets("SURF_BASE"),
    m(0x0300, "FORMAT", &SURF_SWZ_FORMAT::WORD).sets("SURF_FORMAT SURF_SWIZZLE"),
    m(0x0304, "OFFSET", &HEX::WORD).sets("SURF_OFFSET"),
];

pub(super) const LINE: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "CLIP", &HANDLE::WORD),
    m(0x0188, "PATTERN", &HANDLE::WORD),
    m(0x018c, "ROP", &HANDLE::WORD),
    m(0x0190, "BETA1", &HANDLE::WORD),
    m(0x0194, "BETA4", &HANDLE::WORD),
    m(0x0198, "SURFACE", &HANDLE::WORD),
    m(0x02fc, "OPERATION", &OPERATION_DATA::WORD),
    m(0x0300, "COLOR_FORMAT", &HEX::WORD),
    m(0x0304, "COLOR", &HEX::WORD),
    m(0x0400, "LINE_START", &POINT::WORD).by(16, 8),
    m(0x0404, "LINE_END", &POINT::WORD).by(16, 8),
    m(0x0480, "LINE32", &UINT::WORD).by(8, 16).by(4, 4),
    m(0x0500, "POLYLINE", &POINT::WORD).by(32, 4),
    m(0x0580, "POLYLINE32", &UINT::WORD).by(16, 8).by(2, 4),
    m(0x0600, "CPOLYLINE_COLOR", &HEX::WORD).by(16, 8),
    m(0x0604, "CPOLYLINE_POINT", &POINT::WORD).by(16, 8),
];

pub(super) const BLIT: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0108, "WAIT_FOR_IDLE", &HEX::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0120, "FLIP_SET_READ", &UINT::WORD),
    m(0x0124, "FLIP_SET_WRITE", &UINT::WORD),
    m(0x0128, "FLIP_MAX", &UINT::WORD),
    m(0x012c, "FLIP_INCR_WRITE", &HEX::WORD),
    m(0x0130, "FLIP_WAIT", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "COLOR_KEY", &HANDLE::WORD),
    m(0x0188, "CLIP", &HANDLE::WORD),
    m(0x018c, "PATTERN", &HANDLE::WORD),
    m(0x0190, "ROP", &HANDLE::WORD),
    m(0x0194, "BETA1", &HANDLE::WORD),
    m(0x0198, "BETA4", &HANDLE::WORD),
    m(0x019c, "SURFACE", &HANDLE::WORD),
    m(0x02fc, "OPERATION", &OPERATION_DATA::WORD),
    m(0x0300, "POINT_IN", &POINT::WORD),
    m(0x0304, "POINT_OUT", &POINT::WORD),
    m(0x0308, "SIZE", &SIZE::WORD),
];

pub(super) const IFC: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "COLOR_KEY", &HANDLE::WORD),
    m(0x0188, "CLIP", &HANDLE::WORD),
    m(0x018c, "PATTERN", &HANDLE::WORD),
    m(0x0190, "ROP", &HANDLE::WORD),
    m(0x0194, "BETA1", &HANDLE::WORD),
    m(0x0198, "BETA4", &HANDLE::WORD),
    m(0x019c, "SURFACE", &HANDLE::WORD),
    m(0x02f8, "COLOR_CONVERSION", &COLOR_CONVERSION_DATA::WORD),
    m(0x02fc, "OPERATION", &OPERATION_DATA::WORD),
    m(0x0300, "COLOR_FORMAT", &COLOR_FORMAT_DATA::WORD),
    m(0x0304, "POINT", &POINT::WORD),
    m(0x0308, "SIZE_OUT", &SIZE::WORD),
    m(0x030c, "SIZE_IN", &SIZE::WORD),
    m(0x0400, "COLOR", &HEX::WORD).by(1792, 4),
];

pub(super) const SIFM: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &NOTIFY_DATA::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_IMAGE", &HANDLE::WORD),
    m(0x0188, "PATTERN", &HANDLE::WORD),
    m(0x018c, "ROP", &HANDLE::WORD),
    m(0x0190, "BETA1", &HANDLE::WORD),
    m(0x0194, "BETA4", &HANDLE::WORD),
    m(0x0198, "SURFACE", &HANDLE::WORD),
    m(0x02fc, "COLOR_CONVERSION", &COLOR_CONVERSION_DATA::WORD),
    m(0x0300, "COLOR_FORMAT", &SIFM_FORMAT_DATA::WORD),
    m(0x0304, "OPERATION", &OPERATION_DATA::WORD),
    m(0x0308, "CLIP_POINT", &POINT::WORD),
    m(0x030c, "CLIP_SIZE", &SIZE::WORD),
    m(0x0310, "OUT_POINT", &POINT::WORD),
    m(0x0314, "OUT_SIZE", &SIZE::WORD),
    m(0x0318, "DU_DX", &SIFM_STEP::WORD),
    m(0x031c, "DV_DY", &SIFM_STEP::WORD),
    m(0x0400, "SIZE", &SIZE::WORD),
    m(0x0404, "FORMAT", &SIFM_SOURCE::WORD),
    m(0x0408, "OFFSET", &HEX::WORD),
    m(0x040c, "POINT", &SIFM_POINT::WORD),
];
