//! Commands of the geometry processor: pairs of a value and an opcode.

use crate::field::{Kind, bit, bits};
use crate::record::Command;
use crate::{plain_words, values, word};

word! { /// An opcode that is a register number.
GP_REG {
    REG: bits(0, 11).of(Kind::Hex),
    UNK12: bits(12, 23).of(Kind::Unknown),
    OP: bits(24, 31).of(Kind::Hex),
} }

word! { /// An opcode with nothing else.
GP_OP {
    DATA: bits(0, 27).of(Kind::Hex),
    OP: bits(28, 31).of(Kind::Hex),
} }

plain_words! {
    /// An address.
    GP_ADDRESS.ADDRESS of Kind::Hex;
    /// A float.
    GP_FLOAT.VALUE of Kind::Float32;
    /// A number.
    GP_VALUE.VALUE of Kind::Hex;
}

word! { /// Number of tiles.
PLBU_TILED_DIMENSIONS {
    UNK0: bits(0, 7).of(Kind::Unknown),
    HEIGHT: bits(8, 23).of(Kind::MinusOne),
    WIDTH: bits(24, 31).of(Kind::MinusOne),
} }

word! { /// How many tiles share a block, as shifts.
PLBU_BLOCK_STEP {
    SHIFT_W: bits(0, 15),
    SHIFT_H: bits(16, 27),
    SHIFT_MIN: bits(28, 31),
} }

values! { /// Faces to drop.
PLBU_CULL {
    NONE = 0,
    CW = 2,
    CCW = 4,
    BOTH = 6,
} }

word! { /// Primitive setup; 200h at the start of a stream.
PLBU_PRIMITIVE_SETUP {
    UNK0: bits(0, 8).of(Kind::Unknown),
    /// bytes of an index in bits 10-11; bit 9 is always set
    INDEX_SIZE: bits(9, 11),
    /// the size of points and lines comes from LOW_PRIM_SIZE
    FORCE_POINT_SIZE: bit(12),
    UNK13: bits(13, 15).of(Kind::Unknown),
    CULL: bits(16, 19).of(PLBU_CULL),
    UNK20: bits(20, 31).of(Kind::Unknown),
} }

word! { /// Blocks per row.
PLBU_BLOCK_STRIDE {
    BLOCK_W: bits(0, 7),
    UNK8: bits(8, 31).of(Kind::Unknown),
} }

word! { /// Number of blocks.
PLBU_ARRAY_ADDRESS_OP {
    BLOCK_NUM: bits(0, 23).of(Kind::MinusOne),
    OP: bits(24, 31).of(Kind::Hex),
} }

values! { /// Semaphores around a draw.
PLBU_SEMAPHORE_VALUE {
    END = 0x10001,
    BEGIN = 0x10002,
} }

word! { /// Semaphore.
PLBU_SEMAPHORE {
    WHAT: bits(0, 31).of(PLBU_SEMAPHORE_VALUE),
} }

word! { /// Scissor, first word.
PLBU_SCISSOR0 {
    MIN_Y: bits(0, 14),
    MAX_Y: bits(15, 29).of(Kind::MinusOne),
    MIN_X_LO: bits(30, 31),
} }

word! { /// Scissor, second word.
PLBU_SCISSOR1 {
    MIN_X_HI: bits(0, 12),
    MAX_X: bits(13, 27).of(Kind::MinusOne),
    OP: bits(28, 31).of(Kind::Hex),
} }

word! { /// Address of the positions.
PLBU_RSW_OP {
    POSITIONS: bits(0, 27).of(Kind::Times(4)),
    OP: bits(28, 31).of(Kind::Hex),
} }

values! { /// Primitive types; GL's numbers.
PLBU_MODE {
    POINTS = 0,
    LINES = 1,
    LINE_LOOP = 2,
    LINE_STRIP = 3,
    TRIANGLES = 4,
    TRIANGLE_STRIP = 5,
    TRIANGLE_FAN = 6,
    /// three corners of a rectangle in window coordinates, used for blits, reloads and partial clears
    RECTANGLE = 15,
} }

word! { /// A draw, first word.
PLBU_DRAW0 {
    START: bits(0, 23),
    COUNT_LO: bits(24, 31),
} }

word! { /// A draw, second word.
PLBU_DRAW1 {
    COUNT_HI: bits(0, 15),
    MODE: bits(16, 20).of(PLBU_MODE),
    INDEXED: bit(21),
    OP: bits(22, 31).of(Kind::Hex),
} }

macro_rules! commands {
    ($(#[doc = $tdoc:literal])* $table:ident { $($(#[doc = $doc:literal])* $name:ident: $mask:literal, $code:literal, $value:ident, $opcode:ident;)* }) => {
        $(#[doc = $tdoc])*
        pub const $table: &[Command] = &[$(Command {
            name: stringify!($name),
            doc: concat!($($doc,)* ""),
            mask: $mask,
            code: $code,
            value: &$value::WORD,
            opcode: &$opcode::WORD,
        },)*];
    };
}

commands! { /// Commands of the polygon list builder.
PLBU {
    /// Draw vertices in order.
    DRAW_ARRAYS: 0xffe0_0000, 0x0000_0000, PLBU_DRAW0, PLBU_DRAW1;
    /// Draw by indices.
    DRAW_ELEMENTS: 0xffe0_0000, 0x0020_0000, PLBU_DRAW0, PLBU_DRAW1;
    /// Positions of an indexed draw.
    INDEXED_DEST: 0xff00_0fff, 0x1000_0100, GP_ADDRESS, GP_REG;
    /// Index array.
    INDICES: 0xff00_0fff, 0x1000_0101, GP_ADDRESS, GP_REG;
    /// Point size array.
    INDEXED_PT_SIZE: 0xff00_0fff, 0x1000_0102, GP_ADDRESS, GP_REG;
    /// Viewport, bottom.
    VIEWPORT_BOTTOM: 0xff00_0fff, 0x1000_0105, GP_FLOAT, GP_REG;
    /// Viewport, top.
    VIEWPORT_TOP: 0xff00_0fff, 0x1000_0106, GP_FLOAT, GP_REG;
    /// Viewport, left.
    VIEWPORT_LEFT: 0xff00_0fff, 0x1000_0107, GP_FLOAT, GP_REG;
    /// Viewport, right.
    VIEWPORT_RIGHT: 0xff00_0fff, 0x1000_0108, GP_FLOAT, GP_REG;
    /// Number of tiles.
    TILED_DIMENSIONS: 0xff00_0fff, 0x1000_0109, PLBU_TILED_DIMENSIONS, GP_REG;
    /// Unknown, always 0.
    UNKNOWN1: 0xff00_0fff, 0x1000_010a, GP_VALUE, GP_REG;
    /// Culling, index size, point size source.
    PRIMITIVE_SETUP: 0xff00_0fff, 0x1000_010b, PLBU_PRIMITIVE_SETUP, GP_REG;
    /// Tiles per block.
    BLOCK_STEP: 0xff00_0fff, 0x1000_010c, PLBU_BLOCK_STEP, GP_REG;
    /// Point size or line width.
    LOW_PRIM_SIZE: 0xff00_0fff, 0x1000_010d, GP_FLOAT, GP_REG;
    /// Depth range, near.
    DEPTH_RANGE_NEAR: 0xff00_0fff, 0x1000_010e, GP_FLOAT, GP_REG;
    /// Depth range, far.
    DEPTH_RANGE_FAR: 0xff00_0fff, 0x1000_010f, GP_FLOAT, GP_REG;
    /// Array of block pointers.
    ARRAY_ADDRESS: 0xff00_0000, 0x2800_0000, GP_ADDRESS, PLBU_ARRAY_ADDRESS_OP;
    /// Blocks per row.
    BLOCK_STRIDE: 0xf000_0000, 0x3000_0000, PLBU_BLOCK_STRIDE, GP_OP;
    /// End of the stream.
    END: 0xffff_ffff, 0x5000_0000, GP_VALUE, GP_OP;
    /// Wait for or signal the vertex shader.
    SEMAPHORE: 0xf000_0000, 0x6000_0000, PLBU_SEMAPHORE, GP_OP;
    /// Scissor rectangle.
    SCISSORS: 0xf000_0000, 0x7000_0000, PLBU_SCISSOR0, PLBU_SCISSOR1;
    /// Render state and positions of the following draw.
    RSW_VERTEX_ARRAY: 0xf000_0000, 0x8000_0000, GP_ADDRESS, PLBU_RSW_OP;
    /// Go on at an address.
    CONTINUE: 0xf000_0000, 0xf000_0000, GP_ADDRESS, GP_OP;
} }

word! { /// Vertex shader size.
VS_SHADER_INFO {
    UNK0: bits(0, 9).of(Kind::Unknown),
    /// instructions of 16 bytes
    SIZE: bits(10, 19).of(Kind::MinusOne),
    PREFETCH: bits(20, 31),
} }

word! { /// Number of attributes and varyings.
VS_COUNTS {
    UNK0: bits(0, 7).of(Kind::Unknown),
    VARYINGS: bits(8, 23).of(Kind::MinusOne),
    ATTRIBUTES: bits(24, 31).of(Kind::MinusOne),
} }

word! { /// Entries of an attribute or varying table.
VS_TABLE_OP {
    /// 0 attributes, 8 varyings
    WHICH: bits(0, 7).of(Kind::Hex),
    UNK8: bits(8, 16).of(Kind::Unknown),
    COUNT: bits(17, 27),
    OP: bits(28, 31).of(Kind::Hex),
} }

word! { /// Bytes of uniforms or program.
VS_SIZE_OP {
    UNK0: bits(0, 11).of(Kind::Unknown),
    SIZE: bits(12, 27),
    OP: bits(28, 31).of(Kind::Hex),
} }

values! { /// Semaphores around a draw.
VS_SEMAPHORE_VALUE {
    END_ARRAYS = 0,
    BEGIN_2 = 1,
    END_INDEXED = 0x18000,
    BEGIN_1 = 0x28000,
} }

word! { /// Semaphore.
VS_SEMAPHORE {
    WHAT: bits(0, 31).of(VS_SEMAPHORE_VALUE),
} }

word! { /// Run the vertex shader, first word.
VS_DRAW0 {
    INDEXED: bit(0),
    UNK1: bits(1, 23).of(Kind::Unknown),
    COUNT_LO: bits(24, 31),
} }

word! { /// Run the vertex shader, second word.
VS_DRAW1 {
    COUNT_HI: bits(0, 15),
    OP: bits(16, 31).of(Kind::Hex),
} }

commands! { /// Commands of the vertex shader.
VS {
    /// Run the shader over vertices.
    DRAW: 0xffff_0000, 0x0000_0000, VS_DRAW0, VS_DRAW1;
    /// Size of the program.
    SHADER_INFO: 0xff00_00ff, 0x1000_0040, VS_SHADER_INFO, GP_REG;
    /// Unknown, always 3.
    UNKNOWN1: 0xff00_00ff, 0x1000_0041, GP_VALUE, GP_REG;
    /// Number of attributes and varyings.
    VARYING_ATTRIBUTE_COUNT: 0xff00_00ff, 0x1000_0042, VS_COUNTS, GP_REG;
    /// Attribute table.
    ATTRIBUTES_ADDRESS: 0xf000_00ff, 0x2000_0000, GP_ADDRESS, VS_TABLE_OP;
    /// Varying table.
    VARYINGS_ADDRESS: 0xf000_00ff, 0x2000_0008, GP_ADDRESS, VS_TABLE_OP;
    /// Uniforms.
    UNIFORMS_ADDRESS: 0xf000_0000, 0x3000_0000, GP_ADDRESS, VS_SIZE_OP;
    /// Program.
    SHADER_ADDRESS: 0xf000_0000, 0x4000_0000, GP_ADDRESS, VS_SIZE_OP;
    /// Wait for or signal the polygon list builder.
    SEMAPHORE: 0xf000_0000, 0x5000_0000, VS_SEMAPHORE, GP_OP;
    /// Flush.
    FLUSH: 0xf000_0000, 0x6000_0000, GP_VALUE, GP_OP;
    /// Go on at an address.
    CONTINUE: 0xf000_0000, 0xf000_0000, GP_ADDRESS, GP_OP;
} }

values! { /// Component types of an attribute.
VS_ATTRIBUTE_TYPE {
    FLOAT = 0,
    I32 = 1,
    U32 = 2,
    HALF = 3,
    I16 = 4,
    U16 = 5,
    I8 = 6,
    U8 = 7,
    I8N = 8,
    U8N = 9,
    I16N = 10,
    U16N = 11,
    I32N = 13,
    U32N = 14,
    /// 16.16 fixed point
    FIXED = 0x101,
} }

word! { /// Second word of an attribute table entry; the first is the address.
VS_ATTRIBUTE {
    COMPONENTS: bits(0, 1).of(Kind::MinusOne),
    TYPE: bits(2, 10).of(VS_ATTRIBUTE_TYPE),
    STRIDE: bits(11, 31),
} }

word! { /// Second word of a varying table entry; the first is the address.
VS_VARYING {
    /// components minus one, Ch if half, 20h position, 21h point size
    FLAGS: bits(0, 10).of(Kind::Hex),
    STRIDE: bits(11, 31),
} }
