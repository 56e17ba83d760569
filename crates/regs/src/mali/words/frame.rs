//! Registers of the pixel processor: frame (23 words) and write-back units (12 words each).

use crate::field::{Kind, bit, bits};
use crate::record::{Record, Slot, slot};
use crate::{plain_words, values, word};

word! { /// Polygon list stream; set per core.
PP_PLBU_ARRAY_ADDRESS {
    UNK0: bits(0, 2).of(Kind::Unknown),
    ADDRESS: bits(3, 31).of(Kind::Address(3)),
} }

word! { /// The frame's own render state.
PP_RENDER_ADDRESS {
    UNK0: bits(0, 5).of(Kind::Unknown),
    ADDRESS: bits(6, 31).of(Kind::Address(6)),
} }

word! { /// Vertex base.
PP_VERTEX_ADDRESS {
    UNK0: bits(0, 5).of(Kind::Unknown),
    ADDRESS: bits(6, 31).of(Kind::Address(6)),
} }

word! { /// Frame flags.
PP_FLAGS {
    FP16_TILEBUFFER: bit(0),
    EARLY_Z: bit(1),
    UNK2: bit(2).of(Kind::Unknown),
    EARLY_Z1_DISABLE: bit(3),
    EARLY_Z2_DISABLE: bit(4),
    ORIGIN_LOWER_LEFT: bit(5),
    QUAD_COVER_SUMMATION: bit(6),
    UNK7: bits(7, 31).of(Kind::Unknown),
} }

word! { /// Depth the tile buffer starts with.
PP_CLEAR_DEPTH {
    DEPTH: bits(0, 23).of(Kind::Unorm),
    UNK24: bits(24, 31).of(Kind::Unknown),
} }

word! { /// Stencil the tile buffer starts with.
PP_CLEAR_STENCIL {
    STENCIL: bits(0, 7).of(Kind::Hex),
    UNK8: bits(8, 31).of(Kind::Unknown),
} }

word! { /// Colour a sample starts with, 8 bits a channel.
PP_CLEAR_COLOR {
    R: bits(0, 7).of(Kind::Unorm),
    G: bits(8, 15).of(Kind::Unorm),
    B: bits(16, 23).of(Kind::Unorm),
    A: bits(24, 31).of(Kind::Unorm),
} }

word! { /// Clear colour with an FP16 tile buffer: red and green in words 6, blue and alpha in word 7.
PP_CLEAR_COLOR16 {
    LOW: bits(0, 15).of(Kind::Hex),
    HIGH: bits(16, 31).of(Kind::Hex),
} }

word! { /// Bounding box, horizontal.
PP_BOUNDING_BOX_X {
    RIGHT: bits(0, 13).of(Kind::MinusOne),
    UNK14: bits(14, 15).of(Kind::Unknown),
    LEFT: bits(16, 19),
    UNK20: bits(20, 31).of(Kind::Unknown),
} }

word! { /// Bounding box, vertical.
PP_BOUNDING_BOX_Y {
    BOTTOM: bits(0, 13).of(Kind::MinusOne),
    UNK14: bits(14, 31).of(Kind::Unknown),
} }

word! { /// Fragment stack.
PP_STACK_ADDRESS {
    UNK0: bits(0, 5).of(Kind::Unknown),
    ADDRESS: bits(6, 31).of(Kind::Address(6)),
} }

word! { /// Fragment stack size and first pointer.
PP_STACK_SIZE {
    SIZE: bits(0, 15),
    INITIAL: bits(16, 31).of(Kind::Hex),
} }

plain_words! {
    /// Unknown frame word.
    PP_UNK14.DATA of Kind::Unknown;
    /// Unknown frame word.
    PP_UNK15.DATA of Kind::Unknown;
}

word! { /// Origin, horizontal.
PP_ORIGIN_X {
    X: bits(0, 15),
    UNK16: bits(16, 31).of(Kind::Unknown),
} }

word! { /// Origin, vertical.
PP_ORIGIN_Y {
    Y: bits(0, 15).of(Kind::MinusOne),
    UNK16: bits(16, 31).of(Kind::Unknown),
} }

word! { /// Sample position; 77h.
PP_SUBPIXEL {
    SPECIFIER: bits(0, 7).of(Kind::Hex),
    UNK8: bits(8, 31).of(Kind::Unknown),
} }

word! { /// How an edge through a sample is decided.
PP_TIEBREAK {
    MODE: bits(0, 1),
    UNK2: bits(2, 31).of(Kind::Unknown),
} }

values! { /// Tiles per polygon list entry.
PP_TILE_SIZE {
    T1X1 = 0,
    T2X2 = 1,
    T4X4 = 2,
} }

word! { /// Tiles per block, as shifts.
PP_BLOCK_STEP {
    SHIFT_W: bits(0, 5),
    UNK6: bits(6, 15).of(Kind::Unknown),
    SHIFT_H: bits(16, 21),
    UNK22: bits(22, 27).of(Kind::Unknown),
    TILE_SIZE: bits(28, 29).of(PP_TILE_SIZE),
    UNK30: bits(30, 31).of(Kind::Unknown),
} }

word! { /// Scaling and flipping.
PP_SCALE {
    SCALE_POINTS_AND_LINES: bit(0),
    SCALE_DITHER: bit(1),
    SCALE_FRAGCOORD: bit(2),
    SCALE_DERIVATIVES: bit(3),
    UNK4: bits(4, 7).of(Kind::Unknown),
    FLIP_SPRITES: bit(8),
    FLIP_DITHER: bit(9),
    FLIP_FRAGCOORD: bit(10),
    FLIP_DERIVATIVES: bit(11),
    UNK12: bits(12, 15).of(Kind::Unknown),
    FACTOR_X: bits(16, 18),
    UNK19: bit(19).of(Kind::Unknown),
    FACTOR_Y: bits(20, 22),
    UNK23: bits(23, 31).of(Kind::Unknown),
} }

word! { /// Bits per channel in the tile buffer.
PP_CHANNEL_LAYOUT {
    R: bits(0, 3),
    G: bits(4, 7),
    B: bits(8, 11),
    A: bits(12, 15),
    UNK16: bits(16, 31).of(Kind::Unknown),
} }

const FRAME_SLOTS: &[Slot] = &[
    slot(&PP_PLBU_ARRAY_ADDRESS::WORD),
    slot(&PP_RENDER_ADDRESS::WORD),
    slot(&PP_VERTEX_ADDRESS::WORD),
    slot(&PP_FLAGS::WORD),
    slot(&PP_CLEAR_DEPTH::WORD),
    slot(&PP_CLEAR_STENCIL::WORD),
    slot(&PP_CLEAR_COLOR::WORD),
    slot(&PP_CLEAR_COLOR::WORD),
    slot(&PP_CLEAR_COLOR::WORD),
    slot(&PP_CLEAR_COLOR::WORD),
    slot(&PP_BOUNDING_BOX_X::WORD),
    slot(&PP_BOUNDING_BOX_Y::WORD),
    slot(&PP_STACK_ADDRESS::WORD),
    slot(&PP_STACK_SIZE::WORD),
    slot(&PP_UNK14::WORD),
    slot(&PP_UNK15::WORD),
    slot(&PP_ORIGIN_X::WORD),
    slot(&PP_ORIGIN_Y::WORD),
    slot(&PP_SUBPIXEL::WORD),
    slot(&PP_TIEBREAK::WORD),
    slot(&PP_BLOCK_STEP::WORD),
    slot(&PP_SCALE::WORD),
    slot(&PP_CHANNEL_LAYOUT::WORD),
];

/// The frame registers.
pub const PP_FRAME: Record = Record {
    name: "PP_FRAME",
    doc: "Pixel processor frame registers, 23 words.",
    slots: FRAME_SLOTS,
    joined: &[],
};

values! { /// What a write-back unit stores.
WB_TYPE_VALUE {
    OFF = 0,
    DEPTH_STENCIL = 1,
    COLOR = 2,
} }

values! { /// Pixel formats of a write-back unit.
PIXEL_FORMAT {
    B5G6R5 = 0x0,
    B5G5R5A1 = 0x1,
    B4G4R4A4 = 0x2,
    /// blue in the lowest byte
    B8G8R8A8 = 0x3,
    B8 = 0x4,
    G8B8 = 0x5,
    B16G16R16A16_FLOAT = 0x6,
    B16_FLOAT = 0x7,
    G16B16_FLOAT = 0x8,
    Z16 = 0xe,
    Z24S8 = 0xf,
} }

values! { /// Memory layout of a write-back unit.
WB_LAYOUT_VALUE {
    LINEAR = 0,
    /// 16x16 tiles
    TILED = 2,
} }

word! { /// What is stored.
WB_TYPE { TYPE: bits(0, 31).of(WB_TYPE_VALUE), } }
word! { /// Pixel format.
WB_PIXEL_FORMAT { FORMAT: bits(0, 31).of(PIXEL_FORMAT), } }
word! { /// Memory layout.
WB_LAYOUT { LAYOUT: bits(0, 31).of(WB_LAYOUT_VALUE), } }
word! { /// Flags.
WB_FLAGS {
    UNK0: bits(0, 1).of(Kind::Unknown),
    SWAP_RB: bit(2),
    UNK3: bits(3, 31).of(Kind::Unknown),
} }

plain_words! {
    /// Where it is stored.
    WB_ADDRESS.ADDRESS of Kind::Hex;
    /// Downsampling factors.
    WB_DOWNSAMPLE.FACTOR of Kind::Hex;
    /// Linear: bytes per row divided by 8. Tiled: tiles per row.
    WB_PITCH.PITCH of Kind::Uint;
    /// One bit a sample that is stored on its own.
    WB_MRT_BITS.BITS of Kind::Hex;
    /// Bytes between the images of the samples.
    WB_MRT_PITCH.PITCH of Kind::Uint;
    /// Unused.
    WB_UNUSED.DATA of Kind::Unknown;
}

const WB_SLOTS: &[Slot] = &[
    slot(&WB_TYPE::WORD),
    slot(&WB_ADDRESS::WORD),
    slot(&WB_PIXEL_FORMAT::WORD),
    slot(&WB_DOWNSAMPLE::WORD),
    slot(&WB_LAYOUT::WORD),
    slot(&WB_PITCH::WORD),
    slot(&WB_FLAGS::WORD),
    slot(&WB_MRT_BITS::WORD),
    slot(&WB_MRT_PITCH::WORD),
    slot(&WB_UNUSED::WORD),
    slot(&WB_UNUSED::WORD),
    slot(&WB_UNUSED::WORD),
];

/// The registers of one write-back unit.
pub const PP_WRITE_BACK: Record = Record {
    name: "PP_WRITE_BACK",
    doc: "Registers of one pixel processor write-back unit, 12 words.",
    slots: WB_SLOTS,
    joined: &[],
};
