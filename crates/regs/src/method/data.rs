//! Data words of the 3D classes' methods that are more than one number.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, values, word};

values! { /// Colour formats of a render target.
SURF_COLOR {
    /// X bits are written 0
    X1R5G5B5_Z1R5G5B5 = 0x1,
    /// X bits are written 1
    X1R5G5B5_O1R5G5B5 = 0x2,
    R5G6B5 = 0x3,
    X8R8G8B8_Z8R8G8B8 = 0x4,
    X8R8G8B8_O8R8G8B8 = 0x5,
    X1A7R8G8B8_Z1A7R8G8B8 = 0x6,
    X1A7R8G8B8_O1A7R8G8B8 = 0x7,
    A8R8G8B8 = 0x8,
    B8 = 0x9,
    G8B8 = 0xa,
    A16B16G16R16_FLOAT = 0xb since Nv30,
    A32B32G32R32_FLOAT = 0xc since Nv30,
    R32_FLOAT = 0xd since Nv30,
    X8B8G8R8_Z8B8G8R8 = 0xe since Nv30,
    X8B8G8R8 = 0xf since Nv30,
    A8B8G8R8 = 0x10 since Nv30,
} }

values! { /// Depth formats of a render target.
SURF_ZETA {
    Z16 = 1,
    Z24S8 = 2,
} }

values! { /// Layout of a render target.
SURF_TYPE {
    PITCH = 1,
    SWIZZLE = 2,
} }

values! { /// Samples per pixel.
SURF_AA {
    CENTER_1 = 0,
    CENTER_CORNER_2 = 1,
    SQUARE_OFFSET_4 = 2,
} }

word! { /// Render target format (method 208h).
SURF_FORMAT {
    COLOR: bits(0, 3).then(Nv30, 0, 4).of(SURF_COLOR),
    ZETA: bits(4, 7).then(Nv30, 5, 7).of(SURF_ZETA),
    TYPE: bits(8, 11).of(SURF_TYPE),
    ANTI_ALIASING: bits(12, 15).of(SURF_AA),
    /// log2, if swizzled
    WIDTH: bits(16, 23),
    /// log2, if swizzled
    HEIGHT: bits(24, 31),
} }

word! { /// Render target pitches (method 20Ch).
SURF_PITCH {
    COLOR: bits(0, 15),
    ZETA: bits(16, 31),
} }

word! { /// Surface clip (methods 200h and 204h): origin and size.
SURF_CLIP {
    ORIGIN: bits(0, 15),
    SIZE: bits(16, 31),
} }

values! { /// Number format of depth.
CONTROL_Z_FORMAT {
    FIXED = 0,
    FLOAT = 1,
} }

word! { /// Control word (method 290h): goes to CONFIG_A, CONFIG_B and RASTER.
CONTROL {
    STENCIL_WRITE_ENABLE: bit(0),
    /// Celsius classes only; must be 0 for Kelvin's
    UNK8: bits(8, 11).of(Kind::Unknown),
    Z_FORMAT: bit(12).of(CONTROL_Z_FORMAT),
    DEPTH_PERSPECTIVE_ENABLE: bit(16),
    TEXTURE_PERSPECTIVE_ENABLE: bit(20),
    PREMULTIPLIED_ALPHA: bit(24),
    COLOR_SPACE_CONVERT: bits(28, 30).since(Nv17).of(crate::bundle::COLOR_SPACE_CONVERT),
} }

word! { /// Colour write mask (method 358h), one byte a channel of which bit 0 counts.
COLOR_MASK_DATA {
    B: bit(0),
    G: bit(8),
    R: bit(16),
    A: bit(24),
} }

word! { /// What a clear writes (method 1D94h).
CLEAR_SURFACE {
    DEPTH: bit(0),
    STENCIL: bit(1),
    COLOR_R: bit(4),
    COLOR_G: bit(5),
    COLOR_B: bit(6),
    COLOR_A: bit(7),
} }

word! { /// Depth clamping and near/far culling (method 1D78h).
DEPTH_CLAMP {
    /// RASTER CULL_NEAR_FAR
    CULL_NEAR_FAR: bit(0),
    /// Z_CONFIG DEPTH_CLAMP
    CLAMP: bit(4),
    /// RASTER CULL_IGNORE_W
    CULL_IGNORE_W: bit(8),
    UNK12: bit(12).since(Nv30).until(Nv40).of(Kind::Unknown),
} }

values! { /// Primitive types of BEGIN/END; 0 ends.
PRIMITIVE {
    STOP = 0x0,
    POINTS = 0x1,
    LINES = 0x2,
    LINE_LOOP = 0x3,
    LINE_STRIP = 0x4,
    TRIANGLES = 0x5,
    TRIANGLE_STRIP = 0x6,
    TRIANGLE_FAN = 0x7,
    QUADS = 0x8,
    QUAD_STRIP = 0x9,
    POLYGON = 0xa,
} }

word! { /// BEGIN/END.
BEGIN_END {
    PRIMITIVE: bits(0, 31).of(PRIMITIVE),
} }

values! { /// Component type of a vertex array.
VTX_TYPE {
    /// bytes in the order B, G, R, A, 0 to 1
    B8G8R8A8_UNORM = 0,
    /// 16 bits, -1 to 1
    V16_SNORM = 1,
    V32_FLOAT = 2,
    V16_FLOAT = 3 since Nv30,
    /// bytes, 0 to 1
    U8_UNORM = 4,
    /// 16 bits, plain integers
    V16_SSCALED = 5,
    /// 11, 11 and 10 bits, signed normalised
    CMP_11_11_10 = 6,
    /// bytes, plain integers
    U8_USCALED = 7 since Nv30,
} }

word! { /// Vertex array format (Kelvin 1760h, Rankine and Curie 1740h).
VTXBUF_FORMAT {
    TYPE: bits(0, 3).of(VTX_TYPE),
    /// number of components; 0 disables
    SIZE: bits(4, 7),
    /// bytes from vertex to vertex
    STRIDE: bits(8, 15).then(Nv20, 8, 31).then(Nv40, 8, 15),
    /// so many successive vertices have the same entry, or entries begin anew behind so many
    FREQUENCY: bits(16, 31).since(Nv40).src("public headers of the RSX"),
    /// Celsius: positions have a homogeneous W
    HOMOGENEOUS: bit(24).until(Nv20),
} }

word! { /// Vertex array address (Kelvin 1720h, Rankine and Curie 1680h).
VTXBUF_OFFSET {
    OFFSET: bits(0, 30).of(Kind::Hex),
    DMA: bit(31).of(crate::bundle::DMA_AB),
} }

word! { /// A run of vertices to draw (Kelvin 1810h).
DRAW_ARRAYS {
    FIRST: bits(0, 23),
    /// number of vertices minus one
    COUNT: bits(24, 31).of(Kind::MinusOne),
}}

word! { /// Two indices in one word.
INDEX16 {
    I0: bits(0, 15),
    I1: bits(16, 31),
} }

word! { /// Where dependent texture stages read (method 1E78h).
SHADER_PREVIOUS {
    TX1: bit(0),
    TX2: bits(16, 19),
    TX3: bits(20, 23),
} }

word! { /// Dot product mappings (method 1E74h).
SHADER_DOT_MAPPING {
    TX1: bits(0, 3).of(crate::bundle::DOT_MAPPING),
    TX2: bits(4, 7).of(crate::bundle::DOT_MAPPING),
    TX3: bits(8, 11).of(crate::bundle::DOT_MAPPING),
    UNK24: bits(24, 29).since(Nv25).of(Kind::Unknown),
} }

word! { /// The programs of the four texture stages (method 1E70h).
SHADER_OPS {
    TX0: bits(0, 4).of(crate::bundle::TEX_SHADER_PROGRAM),
    TX1: bits(5, 9).of(crate::bundle::TEX_SHADER_PROGRAM),
    TX2: bits(10, 14).of(crate::bundle::TEX_SHADER_PROGRAM),
    TX3: bits(15, 19).of(crate::bundle::TEX_SHADER_PROGRAM),
} }

plain_words! {
    /// Any number.
    HEX.DATA of Kind::Hex;
    /// An unsigned number.
    UINT.VALUE of Kind::Uint;
    /// A float.
    FLOAT.VALUE of Kind::Float32;
    /// Handle of an object.
    HANDLE.HANDLE of Kind::Hex;
}

word! { /// On or off; other numbers are rejected.
BOOL { ENABLE: bit(0), } }

word! { /// One byte.
BYTE { VALUE: bits(0, 7).of(Kind::Hex), } }

word! { /// Four bytes.
UBYTE4 { X: bits(0, 7), Y: bits(8, 15), Z: bits(16, 23), W: bits(24, 31), } }

word! { /// Two signed 16-bit numbers.
SHORT2 { X: bits(0, 15).of(Kind::Int), Y: bits(16, 31).of(Kind::Int), } }

word! { /// A position.
XY16 { X: bits(0, 15).of(Kind::Int), Y: bits(16, 31).of(Kind::Int), } }

values! { /// Compare functions, GL's numbers.
GL_COMPARE {
    NEVER = 0x200,
    LESS = 0x201,
    EQUAL = 0x202,
    LEQUAL = 0x203,
    GREATER = 0x204,
    NOTEQUAL = 0x205,
    GEQUAL = 0x206,
    ALWAYS = 0x207,
} }
word! { /// Compare function.
GL_COMPARE_DATA { FUNC: bits(0, 31).of(GL_COMPARE), } }

values! { /// Blend factors, GL's numbers.
GL_BLEND_FACTOR {
    ZERO = 0x0,
    ONE = 0x1,
    SRC_COLOR = 0x300,
    ONE_MINUS_SRC_COLOR = 0x301,
    SRC_ALPHA = 0x302,
    ONE_MINUS_SRC_ALPHA = 0x303,
    DST_ALPHA = 0x304,
    ONE_MINUS_DST_ALPHA = 0x305,
    DST_COLOR = 0x306,
    ONE_MINUS_DST_COLOR = 0x307,
    SRC_ALPHA_SATURATE = 0x308,
    CONSTANT_COLOR = 0x8001,
    ONE_MINUS_CONSTANT_COLOR = 0x8002,
    CONSTANT_ALPHA = 0x8003,
    ONE_MINUS_CONSTANT_ALPHA = 0x8004,
} }
word! { /// Blend factor.
GL_BLEND_FACTOR_DATA { FACTOR: bits(0, 31).of(GL_BLEND_FACTOR), } }
word! { /// Blend factors of colour and alpha.
GL_BLEND_FACTOR2_DATA {
    RGB: bits(0, 15).of(GL_BLEND_FACTOR),
    ALPHA: bits(16, 31).of(GL_BLEND_FACTOR),
} }

values! { /// Blend equations, GL's numbers and three of NVIDIA's.
GL_BLEND_EQUATION {
    ADD = 0x8006,
    MIN = 0x8007,
    MAX = 0x8008,
    SUBTRACT = 0x800a,
    REVERSE_SUBTRACT = 0x800b,
    SIGNED_REVERSE_SUBTRACT = 0xf005 since Nv20,
    SIGNED_ADD = 0xf006 since Nv20,
    UNKF007 = 0xf007 since Nv25,
} }
word! { /// Blend equation.
GL_BLEND_EQUATION_DATA { EQUATION: bits(0, 31).of(GL_BLEND_EQUATION), } }
word! { /// Blend equations; Rankine has one.
GL_BLEND_EQUATION2_DATA {
    RGB: bits(0, 15).of(GL_BLEND_EQUATION),
    ALPHA: bits(16, 31).since(Nv40).of(GL_BLEND_EQUATION),
} }

values! { /// Stencil operations, GL's numbers.
GL_STENCIL_OP {
    ZERO = 0x0,
    INVERT = 0x150a,
    KEEP = 0x1e00,
    REPLACE = 0x1e01,
    INCR = 0x1e02,
    DECR = 0x1e03,
    INCR_WRAP = 0x8507,
    DECR_WRAP = 0x8508,
} }
word! { /// Stencil operation.
GL_STENCIL_OP_DATA { OP: bits(0, 31).of(GL_STENCIL_OP), } }

values! { /// Shading, GL's numbers.
GL_SHADE_MODE { FLAT = 0x1d00, SMOOTH = 0x1d01, } }
word! { /// Shading.
GL_SHADE_MODE_DATA { MODE: bits(0, 31).of(GL_SHADE_MODE), } }

values! { /// Polygon modes, GL's numbers.
GL_POLYGON_MODE { POINT = 0x1b00, LINE = 0x1b01, FILL = 0x1b02, } }
word! { /// Polygon mode.
GL_POLYGON_MODE_DATA { MODE: bits(0, 31).of(GL_POLYGON_MODE), } }

values! { /// Faces, GL's numbers.
GL_CULL_FACE { FRONT = 0x404, BACK = 0x405, FRONT_AND_BACK = 0x408, } }
word! { /// Faces to drop.
GL_CULL_FACE_DATA { FACE: bits(0, 31).of(GL_CULL_FACE), } }

values! { /// Winding, GL's numbers.
GL_FRONT_FACE { CW = 0x900, CCW = 0x901, } }
word! { /// Winding of front faces.
GL_FRONT_FACE_DATA { FACE: bits(0, 31).of(GL_FRONT_FACE), } }

values! { /// Logic operations, GL's numbers.
GL_LOGIC_OP {
    CLEAR = 0x1500,
    AND = 0x1501,
    AND_REVERSE = 0x1502,
    COPY = 0x1503,
    AND_INVERTED = 0x1504,
    NOOP = 0x1505,
    XOR = 0x1506,
    OR = 0x1507,
    NOR = 0x1508,
    EQUIV = 0x1509,
    INVERT = 0x150a,
    OR_REVERSE = 0x150b,
    COPY_INVERTED = 0x150c,
    OR_INVERTED = 0x150d,
    NAND = 0x150e,
    SET = 0x150f,
} }
word! { /// Logic operation.
GL_LOGIC_OP_DATA { OP: bits(0, 31).of(GL_LOGIC_OP), } }

values! { /// Fog modes.
GL_FOG_MODE {
    EXP = 0x800,
    EXP2 = 0x801,
    EXP_ABS = 0x802,
    EXP2_ABS = 0x803,
    LINEAR_ABS = 0x804 since Nv20,
    LINEAR = 0x2601,
} }
word! { /// Fog mode.
GL_FOG_MODE_DATA {
    MODE: bits(0, 31).of(GL_FOG_MODE)
        .conflict("rnndb has EXP2 = 803h for Celsius; the hardware tests store 801h as EXP2"),
} }

values! { /// Texture coordinate generation, GL's numbers.
GL_TEXGEN {
    DISABLE = 0x0,
    EYE_LINEAR = 0x2400,
    OBJECT_LINEAR = 0x2401,
    SPHERE_MAP = 0x2402,
    NORMAL_MAP = 0x8511,
    REFLECTION_MAP = 0x8512,
    /// the Celsius classes only
    EMBOSS_MAP = 0x855f,
} }
word! { /// Texture coordinate generation.
GL_TEXGEN_DATA { MODE: bits(0, 31).of(GL_TEXGEN), } }

values! { /// Fog coordinate of the Kelvin classes.
FOG_COORD_SOURCE {
    SPEC_ALPHA = 0,
    DIST_RADIAL = 1,
    DIST_ORTHOGONAL = 2,
    DIST_ORTHOGONAL_ABS = 3,
    FOG_COORD = 6,
} }
word! { /// Fog coordinate.
FOG_COORD_DATA { SOURCE: bits(0, 31).of(FOG_COORD_SOURCE), } }
word! { /// Fog coordinate of the Celsius classes.
CELSIUS_FOG_COORD_DATA { SOURCE: bits(0, 1).of(crate::xf::mode::CELSIUS_FOG_COORD), } }

word! { /// Fog colour: red in the low byte.
FOG_COLOR_DATA { R: bits(0, 7), G: bits(8, 15), B: bits(16, 23), A: bits(24, 31), } }

word! { /// Modes of the eight lights.
LIGHT_ENABLE_DATA {
    LIGHT0: bits(0, 1).of(crate::xf::mode::LIGHT_MODE),
    LIGHT1: bits(2, 3).of(crate::xf::mode::LIGHT_MODE),
    LIGHT2: bits(4, 5).of(crate::xf::mode::LIGHT_MODE),
    LIGHT3: bits(6, 7).of(crate::xf::mode::LIGHT_MODE),
    LIGHT4: bits(8, 9).of(crate::xf::mode::LIGHT_MODE),
    LIGHT5: bits(10, 11).of(crate::xf::mode::LIGHT_MODE),
    LIGHT6: bits(12, 13).of(crate::xf::mode::LIGHT_MODE),
    LIGHT7: bits(14, 15).of(crate::xf::mode::LIGHT_MODE),
} }

word! { /// Light model of the Celsius classes.
CELSIUS_LIGHT_MODEL_DATA {
    VERTEX_SPECULAR: bit(0),
    SEPARATE_SPECULAR: bit(1),
    NO_INVERT: bit(2),
    LOCAL_VIEWER: bit(16),
} }
word! { /// Light model of the Kelvin classes.
LIGHT_MODEL_DATA {
    SEPARATE_SPECULAR: bit(0),
    LOCAL_VIEWER: bit(16),
    UNK17: bit(17).of(Kind::Unknown),
} }
word! { /// Which material colours follow the vertex colour, Celsius classes.
CELSIUS_LIGHT_MATERIAL_DATA {
    EMISSION: bit(0),
    AMBIENT: bit(1),
    DIFFUSE: bit(2),
    SPECULAR: bit(3),
} }
word! { /// Where material colours come from, Kelvin and Rankine classes.
LIGHT_MATERIAL_DATA {
    EMISSION_FRONT: bits(0, 1).of(crate::xf::mode::MATERIAL_SOURCE),
    AMBIENT_FRONT: bits(2, 3).of(crate::xf::mode::MATERIAL_SOURCE),
    DIFFUSE_FRONT: bits(4, 5).of(crate::xf::mode::MATERIAL_SOURCE),
    SPECULAR_FRONT: bits(6, 7).of(crate::xf::mode::MATERIAL_SOURCE),
    EMISSION_BACK: bits(8, 9).of(crate::xf::mode::MATERIAL_SOURCE),
    AMBIENT_BACK: bits(10, 11).of(crate::xf::mode::MATERIAL_SOURCE),
    DIFFUSE_BACK: bits(12, 13).of(crate::xf::mode::MATERIAL_SOURCE),
    SPECULAR_BACK: bits(14, 15).of(crate::xf::mode::MATERIAL_SOURCE),
} }

word! { /// Bypass and texture perspective, Celsius classes.
CELSIUS_TL_MODE_DATA {
    BYPASS: bit(0),
    TEX_0_PERSPECTIVE: bit(1),
    TEX_1_PERSPECTIVE: bit(2),
} }
word! { /// What the vertex engine runs, Kelvin classes: 0 and 2 are accepted.
TL_MODE_DATA {
    MODE: bits(0, 1).of(crate::xf::mode::XF_MODE),
    XFCTX_ACCESS: bit(2).of(crate::xf::mode::XFCTX_ACCESS),
} }
word! { /// Blending of matrices.
WEIGHT_MODE_DATA { MODE: bits(0, 2).of(crate::xf::mode::WEIGHT_MODE), } }

word! { /// Which side of the window clip rectangles is drawn.
CLIP_RECT_MODE_DATA { MODE: bits(0, 1).of(crate::bundle::CLIP_RECT_MODE), } }

word! { /// Line width.
LINE_WIDTH_DATA { WIDTH: bits(0, 8).of(Kind::UFixed(6, 3)), } }

values! { /// Swath width of method 9F8h (Celsius 3F0h).
SWATH_WIDTH_METHOD {
    V_04 = 0,
    V_08 = 1,
    V_10 = 2,
    V_20 = 3,
    V_40 = 4 since Nv20,
    V_OFF = 15 since Nv20,
} }
word! { /// Width of the swath in which a primitive is walked.
SWATH_WIDTH_DATA {
    WIDTH: bits(0, 3).of(SWATH_WIDTH_METHOD),
    UNK8: bits(8, 15).since(Nv30).of(Kind::Unknown),
    UNK16: bits(16, 19).since(Nv30).of(Kind::Unknown),
    UNK20: bit(20).since(Nv30).of(Kind::Unknown),
    UNK31: bit(31).since(Nv25).of(Kind::Unknown),
} }

word! { /// Early rejection by depth and stencil.
OCCLUDE_DATA {
    Z_ENABLE: bit(0),
    STENCIL_ENABLE: bit(1),
    /// the Kelvin classes refuse it
    UNK30: bit(30).of(Kind::Unknown),
    UNK31: bit(31).since(Nv17).until(Nv20).also(Nv25, Mali200).of(Kind::Unknown),
} }

word! { /// Point sprites.
POINT_SPRITE_DATA {
    ENABLE: bit(0),
    R_MODE: bits(1, 2).of(crate::bundle::POINT_SPRITE_R_MODE),
    COORD_REPLACE: bits(8, 11).of(Kind::Hex),
    /// texture coordinate sets 4 to 9
    COORD_REPLACE_B: bits(12, 17).since(Nv40).of(Kind::Hex),
} }

word! { /// Polygon stipple; class 597h has line stipple beside it.
POLYGON_STIPPLE_ENABLE_DATA {
    POLYGON: bit(0),
    LINE: bit(1).since(Nv25),
} }

word! { /// Line stipple.
LINE_STIPPLE_DATA {
    FACTOR: bits(0, 7).then(Nv30, 0, 15),
    PATTERN: bits(16, 31).of(Kind::Hex),
} }

word! { /// Write a report: where, and which.
QUERY_GET {
    OFFSET: bits(0, 23).of(Kind::Hex),
    TYPE: bits(24, 31).of(Kind::Hex),
} }

values! { /// When draws count.
RENDER_ENABLE_MODE {
    ALWAYS = 1,
    /// where the report's count is not 0
    CONDITIONAL = 2,
} }

word! { /// Conditional rendering: a report, and whether it is asked.
RENDER_ENABLE_DATA {
    OFFSET: bits(0, 23).of(Kind::Hex),
    MODE: bits(24, 31).of(RENDER_ENABLE_MODE).src("Mesa's nv30 driver sends 1 and 2"),
} }

values! { /// Which of the two memory objects, as methods say it.
DMA_SELECT { A = 1, B = 2, } }

word! { /// Texture format as Kelvin's and its heirs' method takes it.
TEX_FORMAT_DATA {
    DMA: bits(0, 1).of(DMA_SELECT),
    CUBE_MAP: bit(2),
    BORDER_TYPE: bit(3).of(crate::bundle::BORDER_TYPE),
    MODE: bits(4, 7).of(crate::bundle::TEX_MODE),
    FORMAT: bits(8, 15).until(Nv40).of(crate::bundle::TEX_FORMAT_COLOR),
    CURIE_FORMAT: bits(8, 12).since(Nv40).of(crate::bundle::CURIE_TEX_FORMAT),
    LINEAR: bit(13).since(Nv40),
    RECT: bit(14).since(Nv40),
    UNK15: bit(15).since(Nv40).of(Kind::Unknown),
    MIPS: bits(16, 19),
    SIZE_S: bits(20, 23),
    SIZE_T: bits(24, 27),
    SIZE_R: bits(28, 31),
} }

values! { /// Wrap modes of Rankine's and Curie's method.
TEX_WRAP_METHOD {
    REPEAT = 1,
    MIRRORED_REPEAT = 2,
    CLAMP_TO_EDGE = 3,
    CLAMP_TO_BORDER = 4,
    CLAMP = 5,
    MIRROR_CLAMP_TO_EDGE = 6 since Nv40,
    MIRROR_CLAMP_TO_BORDER = 7 since Nv40,
    MIRROR_CLAMP = 8 since Nv40,
} }

word! { /// Wrap modes as Rankine's and Curie's method takes them.
TEX_WRAP_DATA {
    WRAP_S: bits(0, 3).of(TEX_WRAP_METHOD),
    ANISO_MIP_FILTER_OPTIMIZATION: bits(4, 7),
    WRAP_T: bits(8, 11).of(TEX_WRAP_METHOD),
    EXPAND_NORMAL: bit(12),
    WRAP_R: bits(16, 19).of(TEX_WRAP_METHOD),
    GAMMA_DECREASE_FILTER: bits(20, 23),
    UNK24: bits(24, 25).of(Kind::Unknown),
    RCOMP: bits(28, 31).of(crate::bundle::TEX_COMPARE),
} }

word! { /// Render targets that are written.
RT_ENABLE_DATA {
    COLOR0: bit(0),
    COLOR1: bit(1),
    COLOR2: bit(2).since(Nv40),
    COLOR3: bit(3).since(Nv40),
    MRT: bit(4),
} }

word! { /// Fragment program's place.
FP_ACTIVE_PROGRAM_DATA {
    DMA: bits(0, 1).of(DMA_SELECT),
    OFFSET: bits(2, 31).of(Kind::Address(2)),
} }

values! { /// Index sizes.
INDEX_TYPE { U32 = 0, U16 = 1, } }
word! { /// Index buffer.
IDXBUF_FORMAT_DATA {
    DMA: bit(0).of(crate::bundle::DMA_AB),
    TYPE: bits(4, 7).of(INDEX_TYPE),
} }

word! { /// Window coordinates of fragment programs.
COORD_CONVENTIONS_DATA {
    HEIGHT: bits(0, 11),
    ORIGIN: bit(12).of(crate::bundle::COORD_ORIGIN),
    CENTER: bit(16).of(crate::bundle::COORD_CENTER),
} }

word! { /// What the vertex engine of Rankine and Curie runs.
ENGINE_DATA {
    MODE: bits(0, 1).of(crate::xf::mode::XF_MODE),
    XFCTX_ACCESS: bit(2).until(Nv40).of(crate::xf::mode::XFCTX_ACCESS),
    ARITH_RULES: bit(4).of(crate::xf::mode::ARITH_RULES),
    VIEWPORT_TRANSFORM_SKIP: bit(8),
} }

word! { /// Texture format as the Celsius classes' method takes it.
CELSIUS_TEX_FORMAT_DATA {
    DMA: bits(0, 1).of(DMA_SELECT),
    CUBE_MAP: bit(2),
    /// 1 centre, 2 corner
    ORIGIN_ZOH: bits(3, 4),
    /// 1 centre, 2 corner
    ORIGIN_FOH: bits(5, 6),
    FORMAT: bits(7, 11),
    MIPS: bits(12, 15),
    SIZE_S: bits(16, 19),
    SIZE_T: bits(20, 23),
    WRAP_S: bits(24, 26),
    WRAP_S_CYL: bit(27),
    WRAP_T: bits(28, 30),
    WRAP_T_CYL: bit(31),
} }

word! { /// Texture filter as the Celsius classes' method takes it.
CELSIUS_TEX_FILTER_DATA {
    LOD_BIAS: bits(0, 12).of(Kind::SFixed(5, 8)),
    MINIFY: bits(24, 27),
    MAGNIFY: bits(28, 31),
} }

word! { /// Two numbers below 3 of class 99h.
SURF_UNK2B8_DATA {
    UNK0: bits(0, 1).of(Kind::Unknown),
    UNK2: bits(2, 3).of(Kind::Unknown),
} }

word! { /// Compression of depth.
COMPRESS_ZBUFFER_DATA {
    ENABLE: bit(0),
    /// the Kelvin classes refuse it
    UNK1: bit(1).of(Kind::Unknown),
} }

word! { /// Unknown, Rankine's A40h.
UNKA40_DATA {
    UNK0: bits(0, 2).of(Kind::Unknown),
    UNK4: bit(4).of(Kind::Unknown),
    UNK8: bit(8).of(Kind::Unknown),
    UNK16: bits(16, 17).of(Kind::Unknown),
} }

word! { /// Blending of the second, third and fourth colour target.
BLEND_ENABLE_MRT_DATA { TARGETS: bits(1, 3).of(Kind::Hex), } }

word! { /// Colour masks of the second, third and fourth colour target.
COLOR_MASK_MRT_DATA { TARGETS: bits(4, 15).of(Kind::Hex), } }

word! { /// Unknown, Curie's 8E0h.
UNK0E6_DATA {
    UNK0: bits(0, 11).of(Kind::Unknown),
    UNK14: bits(14, 25).of(Kind::Unknown),
    UNK28: bit(28).of(Kind::Unknown),
} }

word! { /// Vertex engine's time-out.
XF_TIMEOUT_DATA {
    TIMEOUT: bits(0, 15),
    UNK20: bit(20).of(Kind::Unknown),
    ENABLE: bit(21),
} }

word! { /// Sixteen attributes.
XF_ATTR_DATA { ATTRS: bits(0, 15).of(Kind::Hex), } }

word! { /// Where three clip distances come from.
XF_OUT_MAP_CLIP_DATA {
    CLIP0: bits(0, 5),
    CLIP1: bits(8, 13),
    CLIP2: bits(16, 21),
} }

word! { /// Where other results come from.
XF_OUT_MAP_MISC_DATA {
    FRONT_DIFFUSE: bits(0, 3),
    FRONT_SPECULAR: bits(4, 7),
    BACK_DIFFUSE: bits(8, 11),
    BACK_SPECULAR: bits(12, 15),
    FOG: bits(16, 21),
    POINT_SIZE: bits(22, 27),
} }

word! { /// Three flags of a texture coordinate set.
XF_TXC_DATA {
    /// z is 0 and w the position's
    TWO_D: bit(0),
    CENTROID: bit(4),
    UNK8: bit(8).of(Kind::Unknown),
} }

word! { /// The upper bits of the second stage's RC_OUT_COLOR, Celsius classes.
CELSIUS_RC_OUT_DATA {
    MUX_SELECT: bit(27),
    STAGES: bits(28, 31),
} }

word! { /// How a fragment program runs.
PS_CONTROL_DATA {
    USED_REGS: bits(0, 3).until(Nv40),
    DEPTH: bits(1, 3).since(Nv40),
    UNK4: bits(4, 5).of(Kind::Unknown),
    FULL_RESULTS: bit(6),
    USES_KIL: bit(7),
    UNK8: bit(8).of(Kind::Unknown),
    UNK10: bit(10).since(Nv40).of(Kind::Unknown),
    UNK12: bit(12).since(Nv40).of(Kind::Unknown),
    UNK15: bit(15).since(Nv40).of(Kind::Unknown),
    TEMP_COUNT: bits(24, 31).since(Nv40),
} }

word! { /// How textures are filtered where it may cost less.
TEX_FILTER_OPT_DATA {
    TRILINEAR: bits(0, 4),
    UNK6: bit(6).since(Nv40).of(Kind::Unknown),
    UNK7: bit(7).since(Nv40).of(Kind::Unknown),
    UNK8: bits(8, 14).since(Nv40).of(Kind::Unknown),
    /// at most 4
    UNK15: bits(15, 17).since(Nv40).of(Kind::Unknown),
    UNK18: bits(18, 19).since(Nv40).of(Kind::Unknown),
} }
