//! Methods of the Celsius classes.
//!
//! Names and effects are read off the hardware method vectors; 98h and 99h are the
//! NV17 classes and have the same methods.

use super::Method;
use super::data::*;
use super::table::{C96, C98, C99, m};
use crate::bundle::*;

/// The methods, ascending.
pub(super) const METHODS: &[Method] = &[
    m(0x0000, "OBJECT", &HANDLE::WORD),
    m(0x0100, "NOP", &HEX::WORD),
    m(0x0104, "NOTIFY", &HEX::WORD),
    m(0x0108, "WARNING", &HEX::WORD),
    m(0x010c, "STATE", &HEX::WORD),
    m(0x0110, "SYNC", &HEX::WORD),
    m(0x0114, "UNK114", &HEX::WORD).only(C96 | C98 | C99),
    m(0x0120, "FLIP_READ", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C96 | C98 | C99),
    m(0x0124, "FLIP_WRITE", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C96 | C98 | C99),
    m(0x0128, "FLIP_MODULO", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C96 | C98 | C99),
    m(0x012c, "FLIP_BUMP_WRITE", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C96 | C98 | C99),
    m(0x0130, "FLIP_UNK130", &HEX::WORD).only(C96 | C98 | C99),
    m(0x0140, "PM_TRIGGER", &HEX::WORD),
    m(0x0180, "DMA_NOTIFY", &HANDLE::WORD).sets("CTX_SWITCH_B"),
    m(0x0184, "DMA_TEX_A", &HANDLE::WORD).sets("CTX_SWITCH_C"),
    m(0x0188, "DMA_TEX_B", &HANDLE::WORD).sets("CTX_SWITCH_C"),
    m(0x018c, "DMA_VTX", &HANDLE::WORD).sets("DMA"),
    m(0x0190, "DMA_STATE", &HANDLE::WORD).sets("DMA"),
    m(0x0194, "DMA_SURF_COLOR", &HANDLE::WORD).sets("SURF_BASE SURF_LIMIT"),
    m(0x0198, "DMA_SURF_ZETA", &HANDLE::WORD).sets("SURF_BASE SURF_LIMIT"),
    m(0x01ac, "DMA_CLIPID", &HANDLE::WORD)
        .sets("CLIPID_BASE CLIPID_LIMIT")
        .only(C98 | C99),
    m(0x01b0, "DMA_ZCULL", &HANDLE::WORD)
        .sets("ZCULL_BASE ZCULL_LIMIT")
        .only(C98 | C99),
    m(0x0200, "CLIP_H", &SURF_CLIP::WORD).sets("UCLIP"),
    m(0x0204, "CLIP_V", &SURF_CLIP::WORD).sets("UCLIP"),
    m(0x0208, "SURF_FORMAT", &SURF_FORMAT::WORD).sets("SURF_FORMAT SURF_SWIZZLE SURF_TYPE"),
    m(0x020c, "SURF_PITCH", &SURF_PITCH::WORD).sets("SURF_PITCH"),
    m(0x0210, "COLOR_OFFSET", &HEX::WORD).sets("SURF_OFFSET"),
    m(0x0214, "ZETA_OFFSET", &HEX::WORD).sets("SURF_OFFSET"),
    m(0x0218, "TEX_OFFSET", &TEX_OFFSET::WORD)
        .by(2, 0x4)
        .sets("TEX_OFFSET"),
    m(0x0220, "TEX_FORMAT", &TEX_FORMAT::WORD)
        .by(2, 0x4)
        .sets("TEX_FORMAT"),
    m(0x0228, "TEX_CONTROL_A", &TEX_CONTROL::WORD)
        .by(2, 0x4)
        .sets("TEX_CONTROL XFMODE_A"),
    m(0x0230, "TEX_CONTROL_B", &TEX_PITCH::WORD)
        .by(2, 0x4)
        .sets("TEX_PITCH"),
    m(0x0238, "TEX_CONTROL_C", &TEX_UNK238::WORD)
        .by(2, 0x4)
        .sets("TEX_UNK238"),
    m(0x0240, "TEX_RECT", &TEX_RECT::WORD)
        .by(2, 0x4)
        .sets("TEX_RECT"),
    m(0x0248, "TEX_FILTER", &TEX_FILTER::WORD)
        .by(2, 0x4)
        .sets("TEX_FILTER"),
    m(0x0250, "TEX_PALETTE", &TEX_PALETTE::WORD)
        .by(2, 0x4)
        .sets("TEX_PALETTE"),
    m(0x0258, "TEX_UNK258", &HEX::WORD)
        .by(2, 0x4)
        .sets("TEX_FORMAT")
        .only(C98 | C99),
    m(0x0260, "RC_IN_ALPHA", &RC_IN_ALPHA::WORD)
        .by(2, 0x4)
        .sets("RC_IN_ALPHA"),
    m(0x0268, "RC_IN_COLOR", &RC_IN_COLOR::WORD)
        .by(2, 0x4)
        .sets("RC_IN_COLOR"),
    m(0x0270, "RC_FACTOR", &RC_FACTOR_A::WORD)
        .by(2, 0x4)
        .sets("RC_FACTOR_A RC_FACTOR_B"),
    m(0x0278, "RC_OUT_ALPHA", &RC_OUT_ALPHA::WORD)
        .by(2, 0x4)
        .sets("RC_OUT_ALPHA"),
    m(0x0280, "RC_OUT_COLOR", &RC_OUT_COLOR::WORD)
        .by(2, 0x4)
        .sets("RC_OUT_COLOR"),
    m(0x0288, "RC_FINAL_A", &RC_FINAL_A::WORD).sets("RC_FINAL_A"),
    m(0x028c, "RC_FINAL_B", &RC_FINAL_B::WORD).sets("RC_FINAL_B"),
    m(0x0290, "CONFIG", &CONTROL::WORD).sets("CONFIG_A CONFIG_B RASTER"),
    m(0x0294, "LIGHT_MODEL", &CELSIUS_LIGHT_MODEL_DATA::WORD).sets("XFMODE_B XFMODE_A"),
    m(0x0298, "LIGHT_MATERIAL", &CELSIUS_LIGHT_MATERIAL_DATA::WORD).sets("XFMODE_B"),
    m(0x029c, "FOG_MODE", &GL_FOG_MODE_DATA::WORD).sets("CONFIG_C"),
    m(0x02a0, "FOG_COORD", &CELSIUS_FOG_COORD_DATA::WORD).sets("XFMODE_B"),
    m(0x02a4, "FOG_ENABLE", &BOOL::WORD).sets("CONFIG_B XFMODE_A"),
    m(0x02a8, "FOG_COLOR", &FOG_COLOR_DATA::WORD).sets("FOG_COLOR"),
    m(0x02ac, "TEX_COLOR_KEY", &TEX_COLOR_KEY::WORD)
        .by(2, 0x4)
        .sets("TEX_COLOR_KEY"),
    m(0x02b4, "CLIP_RECT_MODE", &CLIP_RECT_MODE_DATA::WORD).sets("CONFIG_C"),
    m(0x02b8, "SURF_UNK2B8", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C98 | C99),
    m(0x02bc, "SURF_UNK2BC", &HEX::WORD)
        .sets("SURF_TYPE")
        .only(C98 | C99),
    m(0x02c0, "CLIP_RECT_HORIZ", &CLIP_RECT_HORIZ::WORD)
        .by(8, 0x4)
        .sets("CLIP_RECT_HORIZ"),
    m(0x02e0, "CLIP_RECT_VERT", &CLIP_RECT_VERT::WORD)
        .by(8, 0x4)
        .sets("CLIP_RECT_VERT"),
    m(0x0300, "ALPHA_FUNC_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0304, "BLEND_FUNC_ENABLE", &BOOL::WORD).sets("BLEND"),
    m(0x0308, "CULL_FACE_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x030c, "DEPTH_TEST_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0310, "DITHER_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0314, "LIGHTING_ENABLE", &BOOL::WORD).sets("XFMODE_A"),
    m(0x0318, "POINT_PARAMS_ENABLE", &BOOL::WORD).sets("CONFIG_B XFMODE_B"),
    m(0x031c, "POINT_SMOOTH_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0320, "LINE_SMOOTH_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0324, "POLYGON_SMOOTH_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0328, "WEIGHT_ENABLE", &BOOL::WORD).sets("XFMODE_B"),
    m(0x032c, "STENCIL_ENABLE", &BOOL::WORD).sets("STENCIL_A"),
    m(0x0330, "POLYGON_OFFSET_POINT_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0334, "POLYGON_OFFSET_LINE_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x0338, "POLYGON_OFFSET_FILL_ENABLE", &BOOL::WORD).sets("RASTER"),
    m(0x033c, "ALPHA_FUNC_FUNC", &GL_COMPARE_DATA::WORD).sets("CONFIG_A"),
    m(0x0340, "ALPHA_FUNC_REF", &BYTE::WORD).sets("CONFIG_A"),
    m(0x0344, "BLEND_FUNC_SRC", &GL_BLEND_FACTOR_DATA::WORD).sets("BLEND"),
    m(0x0348, "BLEND_FUNC_DST", &GL_BLEND_FACTOR_DATA::WORD).sets("BLEND"),
    m(0x034c, "BLEND_COLOR", &BLEND_COLOR::WORD).sets("BLEND_COLOR"),
    m(0x0350, "BLEND_EQUATION", &GL_BLEND_EQUATION_DATA::WORD).sets("BLEND"),
    m(0x0354, "DEPTH_FUNC", &GL_COMPARE_DATA::WORD).sets("CONFIG_A"),
    m(0x0358, "COLOR_MASK", &COLOR_MASK_DATA::WORD).sets("CONFIG_A"),
    m(0x035c, "DEPTH_WRITE_ENABLE", &BOOL::WORD).sets("CONFIG_A"),
    m(0x0360, "STENCIL_MASK", &BYTE::WORD).sets("STENCIL_A"),
    m(0x0364, "STENCIL_FUNC", &GL_COMPARE_DATA::WORD).sets("STENCIL_A"),
    m(0x0368, "STENCIL_FUNC_REF", &BYTE::WORD).sets("STENCIL_A"),
    m(0x036c, "STENCIL_FUNC_MASK", &BYTE::WORD).sets("STENCIL_A"),
    m(0x0370, "STENCIL_OP_FAIL", &GL_STENCIL_OP_DATA::WORD).sets("STENCIL_B"),
    m(0x0374, "STENCIL_OP_ZFAIL", &GL_STENCIL_OP_DATA::WORD).sets("STENCIL_B"),
    m(0x0378, "STENCIL_OP_ZPASS", &GL_STENCIL_OP_DATA::WORD).sets("STENCIL_B"),
    m(0x037c, "SHADE_MODE", &GL_SHADE_MODE_DATA::WORD).sets("CONFIG_B"),
    m(0x0380, "LINE_WIDTH", &LINE_WIDTH_DATA::WORD).sets("RASTER"),
    m(0x0384, "POLYGON_OFFSET_FACTOR", &FLOAT::WORD).sets("POLYGON_OFFSET_FACTOR"),
    m(0x0388, "POLYGON_OFFSET_UNITS", &FLOAT::WORD).sets("POLYGON_OFFSET_UNITS"),
    m(0x038c, "POLYGON_MODE_FRONT", &GL_POLYGON_MODE_DATA::WORD).sets("RASTER"),
    m(0x0390, "POLYGON_MODE_BACK", &GL_POLYGON_MODE_DATA::WORD).sets("RASTER"),
    m(0x0394, "DEPTH_RANGE_NEAR", &FLOAT::WORD).sets("DEPTH_RANGE_NEAR"),
    m(0x0398, "DEPTH_RANGE_FAR", &FLOAT::WORD).sets("DEPTH_RANGE_FAR"),
    m(0x039c, "CULL_FACE", &GL_CULL_FACE_DATA::WORD).sets("RASTER"),
    m(0x03a0, "FRONT_FACE", &GL_FRONT_FACE_DATA::WORD).sets("RASTER"),
    m(0x03a4, "NORMALIZE_ENABLE", &BOOL::WORD).sets("XFMODE_A"),
    m(0x03a8, "MATERIAL_FACTOR_RGB", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x03b4, "MATERIAL_FACTOR_A", &FLOAT::WORD).sets("LTC"),
    m(0x03b8, "SPECULAR_ENABLE", &BOOL::WORD).sets("CONFIG_B"),
    m(0x03bc, "LIGHT_ENABLE", &LIGHT_ENABLE_DATA::WORD).sets("XFMODE_B"),
    m(0x03c0, "TEX_GEN_MODE_S", &GL_TEXGEN_DATA::WORD)
        .by(2, 0x10)
        .sets("XFMODE_A"),
    m(0x03c4, "TEX_GEN_MODE_T", &GL_TEXGEN_DATA::WORD)
        .by(2, 0x10)
        .sets("XFMODE_A"),
    m(0x03c8, "TEX_GEN_MODE_R", &GL_TEXGEN_DATA::WORD)
        .by(2, 0x10)
        .sets("XFMODE_A"),
    m(0x03cc, "TEX_GEN_MODE_Q", &GL_TEXGEN_DATA::WORD)
        .by(2, 0x10)
        .sets("XFMODE_A"),
    m(0x03e0, "TEX_MATRIX_ENABLE", &BOOL::WORD)
        .by(2, 0x4)
        .sets("XFMODE_A"),
    m(0x03e8, "TL_MODE", &CELSIUS_TL_MODE_DATA::WORD).sets("XFMODE_B XFMODE_A"),
    m(0x03ec, "POINT_SIZE", &POINT_SIZE::WORD).sets("POINT_SIZE"),
    m(0x03f0, "UNK3F0", &SWATH_WIDTH_DATA::WORD).sets("RASTER"),
    m(0x03f4, "FLATSHADE_FIRST", &BOOL::WORD).sets("CONFIG_B"),
    m(0x03f8, "UNK3F8", &HEX::WORD).sets("CONFIG_A"),
    m(0x03fc, "UNK3FC", &HEX::WORD)
        .sets("UNK3FC")
        .only(C98 | C99),
    m(0x0400, "MATRIX_MV", &FLOAT::WORD)
        .by(2, 0x40)
        .by(16, 0x4)
        .sets("XFCTX"),
    m(0x0480, "MATRIX_IMV", &FLOAT::WORD)
        .by(2, 0x40)
        .by(16, 0x4)
        .sets("XFCTX"),
    m(0x0500, "MATRIX_PROJ", &FLOAT::WORD)
        .by(16, 0x4)
        .sets("XFCTX"),
    m(0x0540, "MATRIX_TX", &FLOAT::WORD)
        .by(2, 0x40)
        .by(16, 0x4)
        .sets("XFCTX"),
    m(0x0600, "TEX_GEN_S_PLANE", &FLOAT::WORD)
        .by(2, 0x40)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x0610, "TEX_GEN_T_PLANE", &FLOAT::WORD)
        .by(2, 0x40)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x0620, "TEX_GEN_R_PLANE", &FLOAT::WORD)
        .by(2, 0x40)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x0630, "TEX_GEN_Q_PLANE", &FLOAT::WORD)
        .by(2, 0x40)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x0680, "FOG_COEFF", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x068c, "FOG_PLANE", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x06a0, "MATERIAL_SHININESS_0", &FLOAT::WORD).sets("LTC"),
    m(0x06a4, "MATERIAL_SHININESS_1", &FLOAT::WORD).sets("LTC"),
    m(0x06a8, "MATERIAL_SHININESS_2", &FLOAT::WORD).sets("LTC"),
    m(0x06ac, "MATERIAL_SHININESS_3", &FLOAT::WORD).sets("LTC"),
    m(0x06b0, "MATERIAL_SHININESS_4", &FLOAT::WORD).sets("LTC"),
    m(0x06b4, "MATERIAL_SHININESS_5", &FLOAT::WORD).sets("LTC"),
    m(0x06c4, "LIGHT_MODEL_AMBIENT_COLOR", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x06e8, "VIEWPORT_TRANSLATE", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x06f8, "POINT_PARAMS_012", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0704, "POINT_PARAMS_345", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0710, "POINT_PARAMS_6", &FLOAT::WORD).sets("LTC"),
    m(0x0714, "POINT_PARAMS_7", &FLOAT::WORD).sets("LTC"),
    m(0x0718, "LIGHT_EYE_POSITION", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x0800, "LIGHT_AMBIENT_COLOR", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x080c, "LIGHT_DIFFUSE_COLOR", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0818, "LIGHT_SPECULAR_COLOR", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0824, "LIGHT_LOCAL_RANGE", &FLOAT::WORD)
        .by(8, 0x80)
        .sets("LTC"),
    m(0x0828, "LIGHT_HALF_VECTOR", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0834, "LIGHT_DIRECTION", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0840, "LIGHT_SPOT_CUTOFF_0", &FLOAT::WORD)
        .by(8, 0x80)
        .sets("LTC"),
    m(0x0844, "LIGHT_SPOT_CUTOFF_1", &FLOAT::WORD)
        .by(8, 0x80)
        .sets("LTC"),
    m(0x0848, "LIGHT_SPOT_CUTOFF_2", &FLOAT::WORD)
        .by(8, 0x80)
        .sets("LTC"),
    m(0x084c, "LIGHT_SPOT_DIRECTION", &FLOAT::WORD)
        .by(8, 0x80)
        .by(4, 0x4)
        .sets("XFCTX"),
    m(0x085c, "LIGHT_POSITION", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("XFCTX"),
    m(0x0868, "LIGHT_ATTENUATION", &FLOAT::WORD)
        .by(8, 0x80)
        .by(3, 0x4)
        .sets("LTCTX"),
    m(0x0c00, "VTX_POS_3F", &FLOAT::WORD).by(3, 0x4),
    m(0x0c10, "VTX_POS_3S", &SHORT2::WORD).by(2, 0x4),
    m(0x0c18, "VTX_POS_4F", &FLOAT::WORD).by(4, 0x4),
    m(0x0c28, "VTX_POS_4S", &SHORT2::WORD).by(2, 0x4),
    m(0x0c30, "VTX_NRM_3F", &FLOAT::WORD).by(3, 0x4).sets("VAB"),
    m(0x0c40, "VTX_NRM_3S", &SHORT2::WORD)
        .by(2, 0x4)
        .sets("VAB"),
    m(0x0c50, "VTX_COL0_4F", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("VAB"),
    m(0x0c60, "VTX_COL0_3F", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("VAB"),
    m(0x0c6c, "VTX_COL0_4UB", &UBYTE4::WORD).sets("VAB"),
    m(0x0c70, "VTX_COL1_4F", &FLOAT::WORD)
        .by(4, 0x4)
        .sets("VAB"),
    m(0x0c80, "VTX_COL1_3F", &FLOAT::WORD)
        .by(3, 0x4)
        .sets("VAB"),
    m(0x0c8c, "VTX_COL1_4UB", &UBYTE4::WORD).sets("VAB"),
    m(0x0c90, "VTX_TXC_2F", &FLOAT::WORD)
        .by(2, 0x28)
        .by(2, 0x4)
        .sets("VAB"),
    m(0x0c98, "VTX_TXC_2S", &SHORT2::WORD)
        .by(2, 0x28)
        .sets("VAB"),
    m(0x0ca0, "VTX_TXC_4F", &FLOAT::WORD)
        .by(2, 0x28)
        .by(4, 0x4)
        .sets("VAB"),
    m(0x0cb0, "VTX_TXC_4S", &SHORT2::WORD)
        .by(2, 0x28)
        .by(2, 0x4)
        .sets("VAB"),
    m(0x0ce0, "VTX_FOG_1F", &FLOAT::WORD).sets("VAB"),
    m(0x0ce4, "VTX_WEI_1F", &FLOAT::WORD).sets("VAB"),
    m(0x0cec, "VTX_EDGE_FLAG", &BOOL::WORD).sets("EDGE_FLAG"),
    m(0x0cf0, "UNKCF0", &HEX::WORD),
    m(0x0cf4, "UNKCF4", &HEX::WORD),
    m(0x0cf8, "XF_NOP", &HEX::WORD),
    m(0x0cfc, "XF_SYNC", &HEX::WORD),
    m(0x0d00, "VTXBUF_OFFSET", &VTXBUF_OFFSET::WORD)
        .by(8, 0x8)
        .sets("VTXBUF"),
    m(0x0d04, "VTXBUF_FORMAT", &VTXBUF_FORMAT::WORD)
        .by(8, 0x8)
        .sets("VTXBUF"),
    // NV10 has no logic operations, but drivers of class 56h send these two all the same
    m(0x0d40, "COLOR_LOGIC_OP_ENABLE", &BOOL::WORD).sets("BLEND"),
    m(0x0d44, "COLOR_LOGIC_OP_OP", &GL_LOGIC_OP_DATA::WORD).sets("BLEND"),
    m(0x0d54, "SURF_PITCH_CLIPID", &HEX::WORD)
        .sets("CLIPID_PITCH")
        .only(C98 | C99),
    m(0x0d58, "SURF_OFFSET_CLIPID", &HEX::WORD)
        .sets("CLIPID_OFFSET")
        .only(C98 | C99),
    m(0x0d5c, "SURF_PITCH_ZCULL", &HEX::WORD)
        .sets("ZCULL_PITCH")
        .only(C98 | C99),
    m(0x0d60, "SURF_OFFSET_ZCULL", &HEX::WORD)
        .sets("ZCULL_OFFSET")
        .only(C98 | C99),
    m(0x0d64, "INVALIDATE_ZCULL", &HEX::WORD).only(C98 | C99),
    m(0x0d68, "CLEAR_ZETA", &CLEAR_ZETA::WORD)
        .sets("CLEAR_ZETA")
        .only(C98 | C99),
    m(0x0d6c, "CLEAR_ZETA_TRIGGER", &HEX::WORD).only(C98 | C99),
    m(0x0d70, "CLEAR_CLIPID_TRIGGER", &HEX::WORD).only(C98 | C99),
    m(0x0d74, "CLIPID_ENABLE", &BOOL::WORD)
        .sets("Z_CONFIG")
        .only(C98 | C99),
    m(0x0d78, "CLIPID_ID", &CLIPID_ID::WORD)
        .sets("CLIPID_ID")
        .only(C98 | C99),
    m(0x0d7c, "CLEAR_H", &CLEAR_HV::WORD)
        .sets("CLEAR_HV")
        .only(C98 | C99),
    m(0x0d80, "CLEAR_V", &CLEAR_HV::WORD)
        .sets("CLEAR_HV")
        .only(C98 | C99),
    m(0x0d84, "UNKD84", &OCCLUDE_DATA::WORD)
        .sets("Z_CONFIG")
        .only(C98 | C99),
    m(0x0dfc, "DRAW_IDX16_BEGIN", &BEGIN_END::WORD).sets("CONFIG_C BEGIN_END"),
    m(0x0e00, "DRAW_IDX16_DATA", &INDEX16::WORD).by(128, 0x4),
    m(0x10fc, "DRAW_IDX32_BEGIN", &BEGIN_END::WORD).sets("CONFIG_C BEGIN_END"),
    m(0x1100, "DRAW_IDX32_DATA", &HEX::WORD).by(64, 0x4),
    m(0x13fc, "DRAW_ARRAYS_BEGIN", &BEGIN_END::WORD).sets("CONFIG_C BEGIN_END"),
    m(0x1400, "DRAW_ARRAYS_DATA", &DRAW_ARRAYS::WORD).by(128, 0x4),
    // sent by drivers of the NV17 classes; the hardware tests do not know them
    m(0x1638, "HIERZ_WINDOW", &FLOAT::WORD)
        .by(4, 0x4)
        .only(C98 | C99),
    m(0x1658, "HIERZ_ENABLE", &BOOL::WORD).only(C98 | C99),
    m(0x17fc, "DRAW_INLINE_BEGIN", &BEGIN_END::WORD).sets("CONFIG_C BEGIN_END"),
    m(0x1800, "DRAW_INLINE_DATA", &HEX::WORD).by(512, 0x4),
];
