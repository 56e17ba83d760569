//! Methods of the Rankine and Curie classes.
//!
//! Names from the public register database and the drivers; which words a method
//! changes follows from the names, it is not measured.

use super::Method;
use super::data::*;
use super::table::{CURIE, R497, RANKINE, U4097, U4497, m};
use crate::bundle::*;

/// The methods, ascending.
pub(super) const METHODS: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &HEX::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0120, "FLIP_SET_READ", &HEX::WORD),
    m(0x0124, "FLIP_SET_WRITE", &HEX::WORD),
    m(0x0128, "FLIP_MAX", &HEX::WORD),
    m(0x012c, "FLIP_INCR_WRITE", &HEX::WORD),
    m(0x0130, "FLIP_WAIT", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD),
    m(0x0184, "DMA_TEXTURE0", &HANDLE::WORD),
    m(0x0188, "DMA_TEXTURE1", &HANDLE::WORD),
    m(0x018c, "DMA_COLOR1", &HANDLE::WORD),
    m(0x0190, "DMA_UNK190", &HANDLE::WORD),
    m(0x0194, "DMA_COLOR0", &HANDLE::WORD),
    m(0x0198, "DMA_ZETA", &HANDLE::WORD),
    m(0x019c, "DMA_VTXBUF0", &HANDLE::WORD),
    m(0x01a0, "DMA_VTXBUF1", &HANDLE::WORD),
    m(0x01a4, "DMA_FENCE", &HANDLE::WORD),
    m(0x01a8, "DMA_QUERY", &HANDLE::WORD),
    m(0x01ac, "DMA_UNK1AC", &HANDLE::WORD),
    m(0x01b0, "DMA_UNK1B0", &HANDLE::WORD),
    m(0x01b4, "DMA_COLOR2", &HANDLE::WORD).only(CURIE),
    m(0x01b8, "DMA_COLOR3", &HANDLE::WORD).only(CURIE),
    m(0x0200, "RT_HORIZ", &SURF_CLIP::WORD).sets("CLIP_HV"),
    m(0x0204, "RT_VERT", &SURF_CLIP::WORD).sets("CLIP_HV"),
    m(0x0208, "RT_FORMAT", &SURF_FORMAT::WORD).sets("SURF_FORMAT"),
    m(0x020c, "COLOR0_PITCH", &SURF_PITCH::WORD)
        .sets("SURF_PITCH")
        .only(RANKINE),
    m(0x020c, "COLOR0_PITCH", &SURF_PITCH::WORD)
        .sets("SURF_PITCH")
        .only(CURIE),
    m(0x0210, "COLOR0_OFFSET", &HEX::WORD),
    m(0x0214, "ZETA_OFFSET", &HEX::WORD),
    m(0x0218, "COLOR1_OFFSET", &HEX::WORD),
    m(0x021c, "COLOR1_PITCH", &UINT::WORD),
    m(0x0220, "RT_ENABLE", &RT_ENABLE_DATA::WORD).sets("RT_ENABLE"),
    m(0x022c, "HIERZ_PITCH", &UINT::WORD).only(RANKINE),
    m(0x022c, "ZETA_PITCH", &UINT::WORD).only(CURIE),
    m(0x0230, "HIERZ_OFFSET", &HEX::WORD).only(RANKINE),
    m(0x023c, "TEX_UNITS_ENABLE", &HEX::WORD)
        .sets("TXC_ENABLE")
        .only(RANKINE),
    m(0x0240, "TEX_MATRIX_ENABLE", &BOOL::WORD)
        .by(8, 0x4)
        .sets("XFMODE_T")
        .only(RANKINE),
    m(0x0280, "COLOR2_PITCH", &UINT::WORD).only(CURIE),
    m(0x0284, "COLOR3_PITCH", &UINT::WORD).only(CURIE),
    m(0x0288, "COLOR2_OFFSET", &HEX::WORD).only(CURIE),
    m(0x028c, "COLOR3_OFFSET", &HEX::WORD).only(CURIE),
    m(0x02b8, "VIEWPORT_TX_ORIGIN", &XY16::WORD).sets("VIEWPORT_OFFSET"),
    m(0x02bc, "VIEWPORT_CLIP_MODE", &CLIP_RECT_MODE_DATA::WORD).sets("RASTER"),
    m(0x02c0, "VIEWPORT_CLIP_HORIZ", &CLIP_RECT_HORIZ::WORD)
        .by(8, 0x8)
        .sets("CLIP_RECT_HORIZ"),
    m(0x02c4, "VIEWPORT_CLIP_VERT", &CLIP_RECT_VERT::WORD)
        .by(8, 0x8)
        .sets("CLIP_RECT_VERT"),
    m(0x0300, "DITHER_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0304, "ALPHA_FUNC_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0308, "ALPHA_FUNC_FUNC", &GL_COMPARE_DATA::WORD).sets("CONFIG_A"),
    m(0x030c, "ALPHA_FUNC_REF", &BYTE::WORD).sets("CONFIG_A ALPHA_FUNC_REF"),
    m(0x0310, "BLEND_FUNC_ENABLE", &BOOL::WORD).sets("BLEND"),
    m(0x0314, "BLEND_FUNC_SRC", &GL_BLEND_FACTOR2_DATA::WORD).sets("BLEND"),
    m(0x0318, "BLEND_FUNC_DST", &GL_BLEND_FACTOR2_DATA::WORD).sets("BLEND"),
    m(0x031c, "BLEND_COLOR", &BLEND_COLOR::WORD).sets("BLEND_COLOR"),
    m(0x0320, "BLEND_EQUATION", &GL_BLEND_EQUATION2_DATA::WORD)
        .sets("BLEND")
        .only(RANKINE),
    m(0x0320, "BLEND_EQUATION", &GL_BLEND_EQUATION2_DATA::WORD)
        .sets("BLEND")
        .only(CURIE),
    m(0x0324, "COLOR_MASK", &COLOR_MASK_DATA::WORD).sets("CONFIG_A COLOR_MASK"),
    m(0x0328, "STENCIL_ENABLE", &BOOL::WORD)
        .by(2, 0x20)
        .sets("STENCIL_A"),
    m(0x032c, "STENCIL_MASK", &BYTE::WORD)
        .by(2, 0x20)
        .sets("STENCIL_A STENCIL_C"),
    m(0x0330, "STENCIL_FUNC_FUNC", &GL_COMPARE_DATA::WORD)
        .by(2, 0x20)
        .sets("STENCIL_A STENCIL_D"),
    m(0x0334, "STENCIL_FUNC_REF", &BYTE::WORD)
        .by(2, 0x20)
        .sets("STENCIL_A STENCIL_D"),
    m(0x0338, "STENCIL_FUNC_MASK", &BYTE::WORD)
        .by(2, 0x20)
        .sets("STENCIL_A STENCIL_D"),
    m(0x033c, "STENCIL_OP_FAIL", &GL_STENCIL_OP_DATA::WORD)
        .by(2, 0x20)
        .sets("STENCIL_B STENCIL_C"),
    m(0x0340, "STENCIL_OP_ZFAIL", &GL_STENCIL_OP_DATA::WORD)
        .by(2, 0x20)
        .sets("STENCIL_B STENCIL_C"),
    m(0x0344, "STENCIL_OP_ZPASS", &GL_STENCIL_OP_DATA::WORD)
        .by(2, 0x20)
        .sets("STENCIL_B STENCIL_C"),
    m(0x0368, "SHADE_MODEL", &GL_SHADE_MODE_DATA::WORD).sets("CONFIG_B"),
    m(0x036c, "FOG_ENABLE", &BOOL::WORD)
        .sets("CONFIG_B XFMODE_B")
        .only(RANKINE),
    m(0x036c, "UNK036C", &HEX::WORD).only(CURIE),
    m(0x0370, "FOG_COLOR", &FOG_COLOR_DATA::WORD)
        .sets("FOG_COLOR")
        .only(RANKINE),
    m(0x0370, "MRT_COLOR_MASK", &HEX::WORD).only(CURIE),
    m(0x0374, "COLOR_LOGIC_OP_ENABLE", &BOOL::WORD).sets("BLEND"),
    m(0x0378, "COLOR_LOGIC_OP_OP", &GL_LOGIC_OP_DATA::WORD).sets("BLEND"),
    m(0x037c, "NORMALIZE_ENABLE", &BOOL::WORD)
        .sets("XFMODE_A")
        .only(RANKINE),
    m(0x0380, "DEPTH_BOUNDS_TEST_ENABLE", &BOOL::WORD).only(R497 | U4097 | U4497),
    m(0x0384, "DEPTH_BOUNDS_TEST_ZMIN", &FLOAT::WORD)
        .sets("DEPTH_BOUNDS_MIN")
        .only(R497 | U4097 | U4497),
    m(0x0388, "DEPTH_BOUNDS_TEST_ZMAX", &FLOAT::WORD)
        .sets("DEPTH_BOUNDS_MAX")
        .only(R497 | U4097 | U4497),
    m(0x0390, "COLOR_MATERIAL", &LIGHT_MATERIAL_DATA::WORD)
        .sets("XFMODE_A")
        .only(RANKINE),
    m(0x0394, "DEPTH_RANGE_NEAR", &FLOAT::WORD).sets("DEPTH_RANGE_NEAR"),
    m(0x0398, "DEPTH_RANGE_FAR", &FLOAT::WORD).sets("DEPTH_RANGE_FAR"),
    m(0x03a0, "COLOR_MATERIAL_FRONT", &FLOAT::WORD)
        .by(4, 0x4)
        .only(RANKINE),
    m(0x03b0, "MIPMAP_ROUNDING", &HEX::WORD).only(CURIE),
    m(0x03b0, "MIPMAP_ROUNDING", &HEX::WORD).only(RANKINE),
    m(0x03b8, "LINE_WIDTH", &LINE_WIDTH_DATA::WORD).sets("RASTER"),
    m(0x03bc, "LINE_SMOOTH_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0400, "TEX_GEN_MODE", &GL_TEXGEN_DATA::WORD)
        .by(8, 0x10)
        .by(4, 0x4)
        .only(RANKINE),
    m(0x0480, "MODELVIEW_MATRIX", &FLOAT::WORD)
        .by(16, 0x4)
        .only(RANKINE),
    m(0x0580, "INVERSE_MODELVIEW_MATRIX", &FLOAT::WORD)
        .by(12, 0x4)
        .only(RANKINE),
    m(0x0680, "PROJECTION_MATRIX", &FLOAT::WORD)
        .by(16, 0x4)
        .only(RANKINE),
    m(0x06c0, "TEX_MATRIX", &FLOAT::WORD)
        .by(8, 0x40)
        .by(16, 0x4)
        .only(RANKINE),
    m(0x08c0, "SCISSOR_HORIZ", &SURF_CLIP::WORD).sets("SCISSOR_HV"),
    m(0x08c4, "SCISSOR_VERT", &SURF_CLIP::WORD).sets("SCISSOR_HV"),
    m(0x08c8, "FOG_COORD_DIST", &HEX::WORD).only(RANKINE),
    m(0x08cc, "FOG_MODE", &GL_FOG_MODE_DATA::WORD).sets("CONFIG_B"),
    m(0x08d0, "FOG_EQUATION_CONSTANT", &FLOAT::WORD),
    m(0x08d4, "FOG_EQUATION_LINEAR", &FLOAT::WORD),
    m(0x08d8, "FOG_EQUATION_QUADRATIC", &FLOAT::WORD),
    m(0x08e4, "FP_ACTIVE_PROGRAM", &FP_ACTIVE_PROGRAM_DATA::WORD).sets("PS_OFFSET"),
    m(0x08ec, "RC_COLOR0", &RC_FINAL_FACTOR::WORD)
        .sets("RC_FINAL_FACTOR")
        .only(RANKINE),
    m(0x08f0, "RC_COLOR1", &RC_FINAL_FACTOR::WORD)
        .sets("RC_FINAL_FACTOR")
        .only(RANKINE),
    m(0x08f4, "RC_FINAL0", &RC_FINAL_A::WORD)
        .sets("RC_FINAL_A")
        .only(RANKINE),
    m(0x08f8, "RC_FINAL1", &RC_FINAL_B::WORD)
        .sets("RC_FINAL_B")
        .only(RANKINE),
    m(0x08fc, "RC_ENABLE", &RC_CONFIG::WORD)
        .sets("RC_CONFIG")
        .only(RANKINE),
    m(0x0900, "RC_IN_ALPHA", &RC_IN_ALPHA::WORD)
        .by(8, 0x20)
        .sets("RC_IN_ALPHA")
        .only(RANKINE),
    m(0x0900, "VTXTEX_OFFSET", &XF_TEX_OFFSET::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_OFFSET")
        .only(CURIE),
    m(0x0904, "RC_IN_RGB", &RC_IN_COLOR::WORD)
        .by(8, 0x20)
        .sets("RC_IN_COLOR")
        .only(RANKINE),
    m(0x0904, "VTXTEX_FORMAT", &TEX_FORMAT_DATA::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_FORMAT")
        .only(CURIE),
    m(0x0908, "RC_CONSTANT_COLOR0", &RC_FACTOR_A::WORD)
        .by(8, 0x20)
        .sets("RC_FACTOR_A")
        .only(RANKINE),
    m(0x0908, "VTXTEX_WRAP", &TEX_WRAP_DATA::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_WRAP")
        .only(CURIE),
    m(0x090c, "RC_CONSTANT_COLOR1", &RC_FACTOR_B::WORD)
        .by(8, 0x20)
        .sets("RC_FACTOR_B")
        .only(RANKINE),
    m(0x090c, "VTXTEX_ENABLE", &TEX_CONTROL::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_CONTROL_A")
        .only(CURIE),
    m(0x0910, "RC_OUT_ALPHA", &RC_OUT_ALPHA::WORD)
        .by(8, 0x20)
        .sets("RC_OUT_ALPHA")
        .only(RANKINE),
    m(0x0910, "VTXTEX_SWIZZLE", &HEX::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_CONTROL_B")
        .only(CURIE),
    m(0x0914, "RC_OUT_RGB", &RC_OUT_COLOR::WORD)
        .by(8, 0x20)
        .sets("RC_OUT_COLOR")
        .only(RANKINE),
    m(0x0914, "VTXTEX_FILTER", &XF_TEX_FILTER::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_FILTER")
        .only(CURIE),
    m(0x0918, "VTXTEX_SIZE", &XF_TEX_RECT::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_RECT")
        .only(CURIE),
    m(0x091c, "VTXTEX_BORDER_COLOR", &TEX_BORDER_COLOR::WORD)
        .by(4, 0x20)
        .sets("XF_TEX_BORDER_COLOR")
        .only(CURIE),
    m(0x0a00, "VIEWPORT_HORIZ", &SURF_CLIP::WORD).sets("VIEWPORT_HV"),
    m(0x0a04, "VIEWPORT_VERT", &SURF_CLIP::WORD).sets("VIEWPORT_HV"),
    m(
        0x0a10,
        "LIGHT_MODEL_FRONT_SIDE_PRODUCT_AMBIENT_PLUS_EMISSION",
        &FLOAT::WORD,
    )
    .by(3, 0x4)
    .only(RANKINE),
    m(0x0a20, "VIEWPORT_TRANSLATE", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("XFCTX LTCTX"),
    m(0x0a30, "VIEWPORT_SCALE", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("XFCTX LTCTX"),
    m(0x0a60, "POLYGON_OFFSET_POINT_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0a64, "POLYGON_OFFSET_LINE_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0a68, "POLYGON_OFFSET_FILL_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0a6c, "DEPTH_FUNC", &GL_COMPARE_DATA::WORD).sets("CONFIG_A"),
    m(0x0a70, "DEPTH_WRITE_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0a74, "DEPTH_TEST_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0a78, "POLYGON_OFFSET_FACTOR", &FLOAT::WORD).sets("POLYGON_OFFSET_FACTOR"),
    m(0x0a7c, "POLYGON_OFFSET_UNITS", &FLOAT::WORD).sets("POLYGON_OFFSET_UNITS"),
    m(0x0a80, "VTX_ATTR_3I_XY", &SHORT2::WORD).by(16, 0x8),
    m(0x0a84, "VTX_ATTR_3I_Z", &HEX::WORD).by(16, 0x8),
    m(0x0b00, "TEX_FILTER_OPTIMIZATION", &HEX::WORD).by(4, 0x4),
    m(0x0b40, "UNK0B40", &HEX::WORD).by(8, 0x4).only(CURIE),
    m(0x0b80, "VP_UPLOAD_INST", &HEX::WORD)
        .by(4, 0x4)
        .sets("XFPR"),
    m(0x0e00, "TEX_CLIP_PLANE", &FLOAT::WORD)
        .by(8, 0x10)
        .by(4, 0x4)
        .only(RANKINE),
    m(0x1000, "LIGHT_FRONT_SIDE_PRODUCT_AMBIENT", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x100c, "LIGHT_FRONT_SIDE_PRODUCT_DIFFUSE", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1018, "LIGHT_FRONT_SIDE_PRODUCT_SPECULAR", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1024, "LIGHT_UNK24", &HEX::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x1028, "LIGHT_HALF_VECTOR", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1034, "LIGHT_DIRECTION", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1200, "LIGHT_SPOT_CUTOFF_A", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x1204, "LIGHT_SPOT_CUTOFF_B", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x1208, "LIGHT_SPOT_CUTOFF_C", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x120c, "LIGHT_SPOT_DIR", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1218, "LIGHT_SPOT_CUTOFF_D", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x121c, "LIGHT_POSITION", &FLOAT::WORD)
        .by(8, 0x40)
        .by(3, 0x4)
        .only(RANKINE),
    m(0x1228, "LIGHT_ATTENUATION_CONSTANT", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x122c, "LIGHT_ATTENUATION_LINEAR", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x1230, "LIGHT_ATTENUATION_QUADRATIC", &FLOAT::WORD)
        .by(8, 0x40)
        .only(RANKINE),
    m(0x1400, "FRONT_MATERIAL_SHININESS", &FLOAT::WORD)
        .by(6, 0x4)
        .only(RANKINE),
    m(0x1420, "ENABLED_LIGHTS", &LIGHT_ENABLE_DATA::WORD)
        .sets("XFMODE_B")
        .only(RANKINE),
    m(0x142c, "VERTEX_TWO_SIDE_ENABLE", &BOOL::WORD).sets("RASTER XFMODE_A"),
    m(0x1450, "FP_REG_CONTROL", &HEX::WORD),
    m(0x1454, "FLATSHADE_FIRST", &BOOL::WORD).sets("CONFIG_B"),
    m(0x145c, "EDGEFLAG", &HEX::WORD),
    m(0x1478, "VP_CLIP_PLANES_ENABLE", &CLIP_PLANE_ENABLE::WORD).sets("CLIP_PLANE_ENABLE XFMODE_C"),
    m(0x147c, "POLYGON_STIPPLE_ENABLE", &BOOL::WORD).sets("LINE_STIPPLE"),
    m(0x1480, "POLYGON_STIPPLE_PATTERN", &POLYGON_STIPPLE::WORD)
        .by(32, 0x4)
        .sets("POLYGON_STIPPLE"),
    m(0x1500, "VTX_ATTR_3F", &FLOAT::WORD)
        .by(16, 0x10)
        .by(3, 0x4),
    m(0x1600, "VP_CLIP_PLANE", &HEX::WORD)
        .by(6, 0x10)
        .by(4, 0x4)
        .only(RANKINE),
    m(0x1680, "VTXBUF", &VTXBUF_OFFSET::WORD)
        .by(16, 0x4)
        .sets("VTXBUF"),
    m(0x1710, "VTX_CACHE_FLUSH", &HEX::WORD),
    m(0x1714, "VTX_CACHE_INVALIDATE", &HEX::WORD).only(CURIE),
    m(0x1714, "VTX_CACHE_UNK1714", &HEX::WORD).only(RANKINE),
    m(0x1718, "UNK1718", &HEX::WORD).only(CURIE),
    m(0x173c, "VB_ELEMENT_BASE", &HEX::WORD)
        .sets("VB_ELEMENT_BASE")
        .only(CURIE),
    m(0x1740, "VTXFMT", &VTXBUF_FORMAT::WORD)
        .by(16, 0x4)
        .sets("VTXBUF"),
    m(
        0x17a0,
        "LIGHT_MODEL_BACK_SIDE_PRODUCT_AMBIENT_PLUS_EMISSION",
        &FLOAT::WORD,
    )
    .by(3, 0x4)
    .only(RANKINE),
    m(0x17b0, "COLOR_MATERIAL_BACK", &FLOAT::WORD)
        .by(4, 0x4)
        .only(RANKINE),
    m(0x17c8, "QUERY_RESET", &HEX::WORD).sets("ZPASS_COUNTER_RESET"),
    m(0x17cc, "QUERY_ENABLE", &BOOL::WORD).sets("CONFIG_B"),
    m(0x17e0, "EYE_DIRECTION", &FLOAT::WORD)
        .by(3, 4)
        .sets("XFCTX")
        .only(RANKINE),
    m(0x1800, "QUERY_GET", &QUERY_GET::WORD).sets("ZPASS_COUNTER_READ"),
    m(0x1808, "VERTEX_BEGIN_END", &BEGIN_END::WORD).sets("BEGIN_END"),
    m(0x180c, "VB_ELEMENT_U16", &INDEX16::WORD),
    m(0x1810, "VB_ELEMENT_U32", &UINT::WORD),
    m(0x1814, "VB_VERTEX_BATCH", &DRAW_ARRAYS::WORD),
    m(0x1818, "VERTEX_DATA", &FLOAT::WORD),
    m(0x181c, "IDXBUF_OFFSET", &HEX::WORD),
    m(0x1820, "IDXBUF_FORMAT", &IDXBUF_FORMAT_DATA::WORD),
    m(0x1824, "VB_INDEX_BATCH", &DRAW_ARRAYS::WORD),
    m(0x1828, "POLYGON_MODE_FRONT", &GL_POLYGON_MODE_DATA::WORD).sets("RASTER"),
    m(0x182c, "POLYGON_MODE_BACK", &GL_POLYGON_MODE_DATA::WORD).sets("RASTER"),
    m(0x1830, "CULL_FACE", &GL_CULL_FACE_DATA::WORD).sets("RASTER"),
    m(0x1834, "FRONT_FACE", &GL_FRONT_FACE_DATA::WORD).sets("RASTER"),
    m(0x1838, "POLYGON_SMOOTH_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x183c, "CULL_FACE_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x1840, "TEX_PALETTE_OFFSET", &TEX_PALETTE::WORD)
        .by(8, 0x4)
        .sets("TEX_PALETTE")
        .only(RANKINE),
    m(0x1840, "TEX_SIZE1", &TEX_CONTROL_D::WORD)
        .by(8, 0x4)
        .sets("TEX_CONTROL_D")
        .only(CURIE),
    m(0x1880, "VTX_ATTR_2F", &FLOAT::WORD)
        .by(16, 0x8)
        .by(2, 0x4),
    m(0x1900, "VTX_ATTR_2I", &SHORT2::WORD).by(16, 0x4),
    m(0x1940, "VTX_ATTR_4UB", &UBYTE4::WORD).by(16, 0x4),
    m(0x1980, "VTX_ATTR_4I_XY", &SHORT2::WORD).by(16, 0x8),
    m(0x1984, "VTX_ATTR_4I_ZW", &SHORT2::WORD).by(16, 0x8),
    m(0x1a00, "TEX_OFFSET", &TEX_OFFSET::WORD)
        .by(8, 0x20)
        .sets("TEX_OFFSET"),
    m(0x1a04, "TEX_FORMAT", &TEX_FORMAT_DATA::WORD)
        .by(8, 0x20)
        .sets("TEX_FORMAT"),
    m(0x1a08, "TEX_WRAP", &TEX_WRAP_DATA::WORD)
        .by(8, 0x20)
        .sets("TEX_WRAP"),
    m(0x1a0c, "TEX_ENABLE", &TEX_CONTROL::WORD)
        .by(8, 0x20)
        .sets("TEX_CONTROL"),
    m(0x1a10, "TEX_SWIZZLE", &TEX_PITCH::WORD)
        .by(8, 0x20)
        .sets("TEX_PITCH"),
    m(0x1a14, "TEX_FILTER", &TEX_FILTER::WORD)
        .by(8, 0x20)
        .sets("TEX_FILTER"),
    m(0x1a18, "TEX_NPOT_SIZE", &TEX_RECT::WORD)
        .by(8, 0x20)
        .sets("TEX_RECT"),
    m(0x1a1c, "TEX_BORDER_COLOR", &TEX_BORDER_COLOR::WORD)
        .by(8, 0x20)
        .sets("TEX_BORDER_COLOR"),
    m(0x1c00, "VTX_ATTR_4F", &FLOAT::WORD)
        .by(16, 0x10)
        .by(4, 0x4),
    m(0x1d60, "FP_CONTROL", &PS_CONTROL::WORD).sets("PS_CONTROL"),
    m(0x1d64, "UNK1D64", &HEX::WORD).only(CURIE),
    m(0x1d6c, "FENCE_OFFSET", &HEX::WORD).sets("FENCE_OFFSET"),
    m(0x1d70, "FENCE_VALUE", &HEX::WORD).sets("FENCE_WRITE_B"),
    m(0x1d78, "DEPTH_CONTROL", &DEPTH_CLAMP::WORD).sets("RASTER Z_CONFIG"),
    m(0x1d7c, "MULTISAMPLE_CONTROL", &MULTISAMPLE::WORD).sets("MULTISAMPLE"),
    m(0x1d80, "COMPRESS_ZBUFFER_ENABLE", &HEX::WORD)
        .sets("Z_CONFIG")
        .only(RANKINE),
    m(0x1d88, "COORD_CONVENTIONS", &COORD_CONVENTIONS_DATA::WORD).sets("WINDOW_OFFSET"),
    m(0x1d8c, "CLEAR_DEPTH_VALUE", &CLEAR_ZETA::WORD).sets("CLEAR_ZETA"),
    m(0x1d90, "CLEAR_COLOR_VALUE", &CLEAR_COLOR::WORD).sets("CLEAR_COLOR"),
    m(0x1d94, "CLEAR_BUFFERS", &CLEAR_SURFACE::WORD),
    m(0x1da4, "CLIPID_ENABLE", &BOOL::WORD).sets("Z_CONFIG"),
    m(0x1dac, "PRIMITIVE_RESTART_ENABLE", &BOOL::WORD).sets("PRIMITIVE_RESTART_ENABLE"),
    m(0x1db0, "PRIMITIVE_RESTART_INDEX", &HEX::WORD).sets("PRIMITIVE_RESTART_INDEX"),
    m(0x1db4, "LINE_STIPPLE_ENABLE", &BOOL::WORD).sets("LINE_STIPPLE"),
    m(0x1db8, "LINE_STIPPLE_PATTERN", &LINE_STIPPLE_DATA::WORD).sets("LINE_STIPPLE"),
    m(0x1e20, "BACK_MATERIAL_SHININESS", &FLOAT::WORD)
        .by(6, 0x4)
        .only(RANKINE),
    m(0x1e40, "VTX_ATTR_1F", &FLOAT::WORD).by(16, 0x4),
    m(0x1e94, "ENGINE", &ENGINE_DATA::WORD).sets("XFMODE_B"),
    m(0x1e98, "XFCTX_WRITE_ENABLE", &BOOL::WORD)
        .sets("XFMODE_B")
        .only(RANKINE),
    m(0x1e9c, "VP_UPLOAD_FROM_ID", &UINT::WORD).sets("XF_LOAD_POS"),
    m(0x1ea0, "VP_START_FROM_ID", &UINT::WORD).sets("XFMODE_A XF_C"),
    m(0x1ea4, "UNK1EA4", &HEX::WORD).by(3, 4).only(CURIE),
    m(0x1ec0, "POINT_PARAMETERS", &FLOAT::WORD)
        .by(8, 0x4)
        .only(RANKINE),
    m(0x1ee0, "POINT_SIZE", &FLOAT::WORD).sets("POINT_SIZE"),
    m(0x1ee4, "POINT_PARAMETERS_ENABLE", &BOOL::WORD)
        .sets("CONFIG_B XFMODE_B")
        .only(RANKINE),
    m(0x1ee8, "POINT_SPRITE", &POINT_SPRITE_DATA::WORD).sets("CONFIG_B"),
    m(0x1ef8, "VP_TIMEOUT", &XF_D::WORD)
        .sets("XF_D")
        .only(CURIE),
    m(0x1efc, "VP_UPLOAD_CONST_ID", &UINT::WORD).sets("XF_LOAD_POS"),
    m(0x1f00, "VP_UPLOAD_CONST", &FLOAT::WORD)
        .by(4, 0x10)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x1f80, "UNK1F80", &HEX::WORD).by(16, 0x4).only(RANKINE),
    m(0x1fc4, "VP_OUT_MAP_MISC_A", &XF_OUT_MAP_MISC_A::WORD)
        .sets("XF_OUT_MAP_MISC_A")
        .only(CURIE),
    m(0x1fc8, "VP_OUT_MAP_TXC_A", &XF_OUT_MAP_TXC_A::WORD)
        .sets("XF_OUT_MAP_TXC_A")
        .only(CURIE),
    m(0x1fcc, "VP_OUT_MAP_TXC_B", &XF_OUT_MAP_TXC_B::WORD)
        .sets("XF_OUT_MAP_TXC_B")
        .only(CURIE),
    m(0x1fd0, "VP_OUT_MAP_UNK1FD0", &HEX::WORD).only(CURIE),
    m(0x1fd4, "VP_OUT_MAP_UNK1FD4", &HEX::WORD).only(CURIE),
    m(0x1fd8, "TEX_CACHE_CTL", &HEX::WORD).only(CURIE),
    m(0x1ff0, "VP_ATTRIB_EN", &HEX::WORD)
        .sets("XF_ATTR_IN_MASK")
        .only(CURIE),
    m(0x1ff4, "VP_RESULT_EN", &HEX::WORD)
        .sets("XF_ATTR_OUT_MASK")
        .only(CURIE),
];
