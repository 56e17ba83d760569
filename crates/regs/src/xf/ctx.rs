//! Maps of the vertex engine's context memories: XFCTX, LTCTX, LTC0 to LTC3, and
//! the vertex attribute buffer.
//!
//! The older page's tables, filled up with the newer public documentation where
//! they have "???" or "?"; every number is the entry's index on NV10, NV20 and NV30.

use crate::{Chip, Family};

/// One entry, or one range of entries, of a context memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// First index on Celsius, Kelvin and Rankine.
    pub index: [Option<u16>; 3],
    /// Number of vectors: a matrix has 4 rows.
    pub rows: u16,
}

/// A context memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ram {
    /// 4-vectors of float32.
    Xfctx,
    /// 3-vectors of float22.
    Ltctx,
    /// Scalars of float22, four banks.
    Ltc(u8),
    /// Input attributes and the pass-through slot.
    Vab,
}

const fn row(name: &'static str, nv10: Option<u16>, nv20: Option<u16>, nv30: Option<u16>) -> Entry {
    Entry {
        name,
        index: [nv10, nv20, nv30],
        rows: 1,
    }
}

const fn matrix(
    name: &'static str,
    nv10: Option<u16>,
    nv20: Option<u16>,
    nv30: Option<u16>,
) -> Entry {
    Entry {
        name,
        index: [nv10, nv20, nv30],
        rows: 4,
    }
}

/// Transform context.
pub const XFCTX: &[Entry] = &[
    // the product of all matrices (NV097 SET_COMPOSITE_MATRIX)
    matrix("MATRIX_PROJ", Some(0x08), Some(0x00), Some(0x3c)),
    // NV097 SET_PROJECTION_MATRIX
    matrix("MATRIX_UNK440", None, Some(0x04), Some(0x40)),
    matrix("MATRIX_MV0", Some(0x00), Some(0x08), Some(0x44)),
    matrix("MATRIX_IMV0", Some(0x04), Some(0x0c), Some(0x48)),
    // rows 0 to 2 double as the bypass scale and the two bypass offsets on Celsius
    matrix("MATRIX_MV1", Some(0x0c), Some(0x10), Some(0x4c)),
    matrix("MATRIX_IMV1", Some(0x10), Some(0x14), Some(0x50)),
    matrix("MATRIX_MV2", None, Some(0x18), Some(0x54)),
    matrix("MATRIX_IMV2", None, Some(0x1c), Some(0x58)),
    matrix("MATRIX_MV3", None, Some(0x20), Some(0x5c)),
    matrix("MATRIX_IMV3", None, Some(0x24), Some(0x60)),
    row("LIGHT_0_POSITION", Some(0x24), Some(0x28), Some(0x64)),
    row("LIGHT_1_POSITION", Some(0x25), Some(0x29), Some(0x65)),
    row("LIGHT_2_POSITION", Some(0x26), Some(0x2a), Some(0x66)),
    row("LIGHT_3_POSITION", Some(0x27), Some(0x2b), Some(0x67)),
    row("LIGHT_4_POSITION", Some(0x28), Some(0x2c), Some(0x68)),
    row("LIGHT_5_POSITION", Some(0x29), Some(0x2d), Some(0x69)),
    row("LIGHT_6_POSITION", Some(0x2a), Some(0x2e), Some(0x6a)),
    row("LIGHT_7_POSITION", Some(0x2b), Some(0x2f), Some(0x6b)),
    row("LIGHT_0_SPOT_DIRECTION", Some(0x2c), Some(0x30), Some(0x6c)),
    row("LIGHT_1_SPOT_DIRECTION", Some(0x2d), Some(0x31), Some(0x6d)),
    row("LIGHT_2_SPOT_DIRECTION", Some(0x2e), Some(0x32), Some(0x6e)),
    row("LIGHT_3_SPOT_DIRECTION", Some(0x2f), Some(0x33), Some(0x6f)),
    row("LIGHT_4_SPOT_DIRECTION", Some(0x30), Some(0x34), Some(0x70)),
    row("LIGHT_5_SPOT_DIRECTION", Some(0x31), Some(0x35), Some(0x71)),
    row("LIGHT_6_SPOT_DIRECTION", Some(0x32), Some(0x36), Some(0x72)),
    row("LIGHT_7_SPOT_DIRECTION", Some(0x33), Some(0x37), Some(0x73)),
    row("LIGHT_EYE_POSITION", Some(0x34), Some(0x38), Some(0x74)),
    // the pages say CONST; see FIXED
    row("CONST_REFLECT_TWO", Some(0x35), None, None),
    row("CONST_SPHERE_Z_ONE", Some(0x36), None, None),
    row("CONST_SPHERE_XY_HALF", Some(0x37), None, None),
    row("FOG_PLANE", Some(0x38), Some(0x39), Some(0x75)),
    row("VIEWPORT_SCALE", None, Some(0x3a), Some(0x76)),
    row("VIEWPORT_TRANSLATE", Some(0x39), Some(0x3b), Some(0x77)),
    row("CONST_WEIGHT_ONE", Some(0x3a), None, None),
    row("KELVIN_UNK16E0", None, Some(0x3c), Some(0x78)),
    row("KELVIN_UNK16F0", None, Some(0x3d), Some(0x79)),
    row("KELVIN_UNK1700", None, Some(0x3e), Some(0x7a)),
    row("KELVIN_UNK16D0", None, Some(0x3f), Some(0x7b)),
    row("TEX_0_GEN_S", Some(0x14), Some(0x40), Some(0x7c)),
    row("TEX_0_GEN_T", Some(0x15), Some(0x41), Some(0x7d)),
    row("TEX_0_GEN_R", Some(0x16), Some(0x42), Some(0x7e)),
    row("TEX_0_GEN_Q", Some(0x17), Some(0x43), Some(0x7f)),
    matrix("MATRIX_TX0", Some(0x18), Some(0x44), Some(0x80)),
    row("TEX_1_GEN_S", Some(0x1c), Some(0x48), Some(0x84)),
    row("TEX_1_GEN_T", Some(0x1d), Some(0x49), Some(0x85)),
    row("TEX_1_GEN_R", Some(0x1e), Some(0x4a), Some(0x86)),
    row("TEX_1_GEN_Q", Some(0x1f), Some(0x4b), Some(0x87)),
    matrix("MATRIX_TX1", Some(0x20), Some(0x4c), Some(0x88)),
    row("TEX_2_GEN_S", None, Some(0x50), Some(0x8c)),
    row("TEX_2_GEN_T", None, Some(0x51), Some(0x8d)),
    row("TEX_2_GEN_R", None, Some(0x52), Some(0x8e)),
    row("TEX_2_GEN_Q", None, Some(0x53), Some(0x8f)),
    matrix("MATRIX_TX2", None, Some(0x54), Some(0x90)),
    row("TEX_3_GEN_S", None, Some(0x58), Some(0x94)),
    row("TEX_3_GEN_T", None, Some(0x59), Some(0x95)),
    row("TEX_3_GEN_R", None, Some(0x5a), Some(0x96)),
    row("TEX_3_GEN_Q", None, Some(0x5b), Some(0x97)),
    matrix("MATRIX_TX3", None, Some(0x5c), Some(0x98)),
    // constants of the user: 96 on Kelvin, 256 on Rankine (see user_constants)
    Entry {
        name: "USER",
        index: [None, Some(0x60), Some(0x9c)],
        rows: 96,
    },
    row("TEX_4_GEN_S", None, None, Some(0x00)),
    row("TEX_4_GEN_T", None, None, Some(0x01)),
    row("TEX_4_GEN_R", None, None, Some(0x02)),
    row("TEX_4_GEN_Q", None, None, Some(0x03)),
    matrix("MATRIX_TX4", None, None, Some(0x04)),
    row("TEX_5_GEN_S", None, None, Some(0x08)),
    row("TEX_5_GEN_T", None, None, Some(0x09)),
    row("TEX_5_GEN_R", None, None, Some(0x0a)),
    row("TEX_5_GEN_Q", None, None, Some(0x0b)),
    matrix("MATRIX_TX5", None, None, Some(0x0c)),
    row("TEX_6_GEN_S", None, None, Some(0x10)),
    row("TEX_6_GEN_T", None, None, Some(0x11)),
    row("TEX_6_GEN_R", None, None, Some(0x12)),
    row("TEX_6_GEN_Q", None, None, Some(0x13)),
    matrix("MATRIX_TX6", None, None, Some(0x14)),
    row("TEX_7_GEN_S", None, None, Some(0x18)),
    row("TEX_7_GEN_T", None, None, Some(0x19)),
    row("TEX_7_GEN_R", None, None, Some(0x1a)),
    row("TEX_7_GEN_Q", None, None, Some(0x1b)),
    matrix("MATRIX_TX7", None, None, Some(0x1c)),
    row("USER_CLIP_PLANE_0", None, None, Some(0x20)),
    row("USER_CLIP_PLANE_1", None, None, Some(0x21)),
    row("USER_CLIP_PLANE_2", None, None, Some(0x22)),
    row("USER_CLIP_PLANE_3", None, None, Some(0x23)),
    row("USER_CLIP_PLANE_4", None, None, Some(0x24)),
    row("USER_CLIP_PLANE_5", None, None, Some(0x25)),
    row("POINT_PARAMS_A", None, None, Some(0x26)),
    row("POINT_PARAMS_BCD", None, None, Some(0x27)),
    row("LIGHT_0_DIRECTION", None, None, Some(0x28)),
    row("LIGHT_1_DIRECTION", None, None, Some(0x29)),
    row("LIGHT_2_DIRECTION", None, None, Some(0x2a)),
    row("LIGHT_3_DIRECTION", None, None, Some(0x2b)),
    row("LIGHT_4_DIRECTION", None, None, Some(0x2c)),
    row("LIGHT_5_DIRECTION", None, None, Some(0x2d)),
    row("LIGHT_6_DIRECTION", None, None, Some(0x2e)),
    row("LIGHT_7_DIRECTION", None, None, Some(0x2f)),
    row("LIGHT_0_HALF_VECTOR_ATTENUATION", None, None, Some(0x30)),
    row("LIGHT_1_HALF_VECTOR_ATTENUATION", None, None, Some(0x31)),
    row("LIGHT_2_HALF_VECTOR_ATTENUATION", None, None, Some(0x32)),
    row("LIGHT_3_HALF_VECTOR_ATTENUATION", None, None, Some(0x33)),
    row("LIGHT_4_HALF_VECTOR_ATTENUATION", None, None, Some(0x34)),
    row("LIGHT_5_HALF_VECTOR_ATTENUATION", None, None, Some(0x35)),
    row("LIGHT_6_HALF_VECTOR_ATTENUATION", None, None, Some(0x36)),
    row("LIGHT_7_HALF_VECTOR_ATTENUATION", None, None, Some(0x37)),
    row("LT_UNK17E0", None, None, Some(0x38)),
    row("UNK39", None, None, Some(0x39)),
    row("UNK3A", None, None, Some(0x3a)),
    row("UNK3B", None, None, Some(0x3b)),
    // exists from NV11 on; reads 0 on NV10, whose memory is one entry shorter
    row("UNUSED", Some(0x3b), None, None),
];

/// Lighting context, vectors. NV25 splits it in two memories, see [`ltctx_split`].
pub const LTCTX: &[Entry] = &[
    row("LIGHT_0_AMBIENT_COLOR", Some(0x00), Some(0x00), Some(0x00)),
    row("LIGHT_0_DIFFUSE_COLOR", Some(0x01), Some(0x01), Some(0x01)),
    row("LIGHT_0_SPECULAR_COLOR", Some(0x02), Some(0x02), Some(0x02)),
    row(
        "LIGHT_0_HALF_VECTOR_ATTENUATION",
        Some(0x03),
        Some(0x03),
        None,
    ),
    row("LIGHT_0_DIRECTION", Some(0x04), Some(0x04), None),
    row("LIGHT_0_BACK_AMBIENT_COLOR", None, Some(0x05), Some(0x03)),
    row("LIGHT_0_BACK_DIFFUSE_COLOR", None, Some(0x06), Some(0x04)),
    row("LIGHT_0_BACK_SPECULAR_COLOR", None, Some(0x07), Some(0x05)),
    row("LIGHT_1_AMBIENT_COLOR", Some(0x05), Some(0x08), Some(0x06)),
    row("LIGHT_1_DIFFUSE_COLOR", Some(0x06), Some(0x09), Some(0x07)),
    row("LIGHT_1_SPECULAR_COLOR", Some(0x07), Some(0x0a), Some(0x08)),
    row(
        "LIGHT_1_HALF_VECTOR_ATTENUATION",
        Some(0x08),
        Some(0x0b),
        None,
    ),
    row("LIGHT_1_DIRECTION", Some(0x09), Some(0x0c), None),
    row("LIGHT_1_BACK_AMBIENT_COLOR", None, Some(0x0d), Some(0x09)),
    row("LIGHT_1_BACK_DIFFUSE_COLOR", None, Some(0x0e), Some(0x0a)),
    row("LIGHT_1_BACK_SPECULAR_COLOR", None, Some(0x0f), Some(0x0b)),
    row("LIGHT_2_AMBIENT_COLOR", Some(0x0a), Some(0x10), Some(0x0c)),
    row("LIGHT_2_DIFFUSE_COLOR", Some(0x0b), Some(0x11), Some(0x0d)),
    row("LIGHT_2_SPECULAR_COLOR", Some(0x0c), Some(0x12), Some(0x0e)),
    row(
        "LIGHT_2_HALF_VECTOR_ATTENUATION",
        Some(0x0d),
        Some(0x13),
        None,
    ),
    row("LIGHT_2_DIRECTION", Some(0x0e), Some(0x14), None),
    row("LIGHT_2_BACK_AMBIENT_COLOR", None, Some(0x15), Some(0x0f)),
    row("LIGHT_2_BACK_DIFFUSE_COLOR", None, Some(0x16), Some(0x10)),
    row("LIGHT_2_BACK_SPECULAR_COLOR", None, Some(0x17), Some(0x11)),
    row("LIGHT_3_AMBIENT_COLOR", Some(0x0f), Some(0x18), Some(0x12)),
    row("LIGHT_3_DIFFUSE_COLOR", Some(0x10), Some(0x19), Some(0x13)),
    row("LIGHT_3_SPECULAR_COLOR", Some(0x11), Some(0x1a), Some(0x14)),
    row(
        "LIGHT_3_HALF_VECTOR_ATTENUATION",
        Some(0x12),
        Some(0x1b),
        None,
    ),
    row("LIGHT_3_DIRECTION", Some(0x13), Some(0x1c), None),
    row("LIGHT_3_BACK_AMBIENT_COLOR", None, Some(0x1d), Some(0x15)),
    row("LIGHT_3_BACK_DIFFUSE_COLOR", None, Some(0x1e), Some(0x16)),
    row("LIGHT_3_BACK_SPECULAR_COLOR", None, Some(0x1f), Some(0x17)),
    row("LIGHT_4_AMBIENT_COLOR", Some(0x14), Some(0x20), Some(0x18)),
    row("LIGHT_4_DIFFUSE_COLOR", Some(0x15), Some(0x21), Some(0x19)),
    row("LIGHT_4_SPECULAR_COLOR", Some(0x16), Some(0x22), Some(0x1a)),
    row(
        "LIGHT_4_HALF_VECTOR_ATTENUATION",
        Some(0x17),
        Some(0x23),
        None,
    ),
    row("LIGHT_4_DIRECTION", Some(0x18), Some(0x24), None),
    row("LIGHT_4_BACK_AMBIENT_COLOR", None, Some(0x25), Some(0x1b)),
    row("LIGHT_4_BACK_DIFFUSE_COLOR", None, Some(0x26), Some(0x1c)),
    row("LIGHT_4_BACK_SPECULAR_COLOR", None, Some(0x27), Some(0x1d)),
    row("LIGHT_5_AMBIENT_COLOR", Some(0x19), Some(0x28), Some(0x1e)),
    row("LIGHT_5_DIFFUSE_COLOR", Some(0x1a), Some(0x29), Some(0x1f)),
    row("LIGHT_5_SPECULAR_COLOR", Some(0x1b), Some(0x2a), Some(0x20)),
    row(
        "LIGHT_5_HALF_VECTOR_ATTENUATION",
        Some(0x1c),
        Some(0x2b),
        None,
    ),
    row("LIGHT_5_DIRECTION", Some(0x1d), Some(0x2c), None),
    row("LIGHT_5_BACK_AMBIENT_COLOR", None, Some(0x2d), Some(0x21)),
    row("LIGHT_5_BACK_DIFFUSE_COLOR", None, Some(0x2e), Some(0x22)),
    row("LIGHT_5_BACK_SPECULAR_COLOR", None, Some(0x2f), Some(0x23)),
    row("LIGHT_6_AMBIENT_COLOR", Some(0x1e), Some(0x30), Some(0x24)),
    row("LIGHT_6_DIFFUSE_COLOR", Some(0x1f), Some(0x31), Some(0x25)),
    row("LIGHT_6_SPECULAR_COLOR", Some(0x20), Some(0x32), Some(0x26)),
    row(
        "LIGHT_6_HALF_VECTOR_ATTENUATION",
        Some(0x21),
        Some(0x33),
        None,
    ),
    row("LIGHT_6_DIRECTION", Some(0x22), Some(0x34), None),
    row("LIGHT_6_BACK_AMBIENT_COLOR", None, Some(0x35), Some(0x27)),
    row("LIGHT_6_BACK_DIFFUSE_COLOR", None, Some(0x36), Some(0x28)),
    row("LIGHT_6_BACK_SPECULAR_COLOR", None, Some(0x37), Some(0x29)),
    row("LIGHT_7_AMBIENT_COLOR", Some(0x23), Some(0x38), Some(0x2a)),
    row("LIGHT_7_DIFFUSE_COLOR", Some(0x24), Some(0x39), Some(0x2b)),
    row("LIGHT_7_SPECULAR_COLOR", Some(0x25), Some(0x3a), Some(0x2c)),
    row(
        "LIGHT_7_HALF_VECTOR_ATTENUATION",
        Some(0x26),
        Some(0x3b),
        None,
    ),
    row("LIGHT_7_DIRECTION", Some(0x27), Some(0x3c), None),
    row("LIGHT_7_BACK_AMBIENT_COLOR", None, Some(0x3d), Some(0x2d)),
    row("LIGHT_7_BACK_DIFFUSE_COLOR", None, Some(0x3e), Some(0x2e)),
    row("LIGHT_7_BACK_SPECULAR_COLOR", None, Some(0x3f), Some(0x2f)),
    // the older page has ???: the viewer for a light model without local viewer, and a fog constant in bypass mode
    row("VIEWER_DIRECTION", Some(0x28), None, None),
    // NV097 SET_EYE_DIRECTION
    row("LT_UNK17E0", None, Some(0x40), None),
    row(
        "LIGHT_MODEL_AMBIENT_COLOR",
        Some(0x29),
        Some(0x41),
        Some(0x30),
    ),
    row(
        "LIGHT_MODEL_BACK_AMBIENT_COLOR",
        None,
        Some(0x42),
        Some(0x31),
    ),
    row("MATERIAL_FACTOR_RGB", Some(0x2a), Some(0x43), Some(0x32)),
    row("MATERIAL_FACTOR_BACK_RGB", None, Some(0x44), Some(0x33)),
    row("FOG_COEFF", Some(0x2b), Some(0x45), None),
    row("CONST_ZERO", Some(0x2c), None, None),
    row("LT_UNK17D4", None, Some(0x46), Some(0x34)),
    row("POINT_PARAMS_A", Some(0x2d), Some(0x47), None),
    row("POINT_PARAMS_B", Some(0x2e), Some(0x48), None),
    // exists from NV11 on; reads 0 on NV10
    row("UNUSED", Some(0x2f), None, None),
    row("LT_UNK17EC", None, Some(0x49), None),
    row("UNK35", None, None, Some(0x35)),
    row("VIEWPORT_TRANSLATE", None, None, Some(0x36)),
    row("VIEWPORT_SCALE", None, None, Some(0x37)),
    // NV25 and up: loaded by VIEWPORT_TRANSLATE too; missing on the pages
    row("NV25_VIEWPORT_TRANSLATE", None, Some(0x4a), None),
    row("NV25_UNK4B", None, Some(0x4b), None),
];

/// Lighting scalars, bank 0.
pub const LTC0: &[Entry] = &[
    row("CONST_ONE", Some(0x00), None, None),
    // the pages have CONST_???: multiplies the distance in the range test, and must be negative to be of use
    row("RANGE_FACTOR", Some(0x01), None, None),
    row("UNK00", None, Some(0x00), None),
    row("UNK01", None, Some(0x01), None),
    row("MATERIAL_SHININESS_D", Some(0x02), Some(0x02), None),
    row("MATERIAL_BACK_SHININESS_D", None, Some(0x03), None),
];

/// Lighting scalars, bank 1.
pub const LTC1: &[Entry] = &[
    row("CONST_ZERO", Some(0x00), None, None),
    row("UNK00", None, Some(0x00), Some(0x00)),
    row("MATERIAL_SHININESS_A", Some(0x01), Some(0x01), Some(0x01)),
    row("MATERIAL_BACK_SHININESS_A", None, Some(0x02), Some(0x02)),
    row("MATERIAL_SHININESS_D", None, None, Some(0x03)),
    row("MATERIAL_BACK_SHININESS_D", None, None, Some(0x04)),
    row("POINT_PARAMS_C", Some(0x02), Some(0x03), None),
    row("LIGHT_0_LOCAL_RANGE", Some(0x03), Some(0x04), Some(0x05)),
    row("LIGHT_1_LOCAL_RANGE", Some(0x04), Some(0x05), Some(0x06)),
    row("LIGHT_2_LOCAL_RANGE", Some(0x05), Some(0x06), Some(0x07)),
    row("LIGHT_3_LOCAL_RANGE", Some(0x06), Some(0x07), Some(0x08)),
    row("LIGHT_4_LOCAL_RANGE", Some(0x07), Some(0x08), Some(0x09)),
    row("LIGHT_5_LOCAL_RANGE", Some(0x08), Some(0x09), Some(0x0a)),
    row("LIGHT_6_LOCAL_RANGE", Some(0x09), Some(0x0a), Some(0x0b)),
    row("LIGHT_7_LOCAL_RANGE", Some(0x0a), Some(0x0b), Some(0x0c)),
    row("LIGHT_0_SPOT_CUTOFF_0", Some(0x0b), Some(0x0c), Some(0x0d)),
    row("LIGHT_1_SPOT_CUTOFF_0", Some(0x0c), Some(0x0d), Some(0x0e)),
    row("LIGHT_2_SPOT_CUTOFF_0", Some(0x0d), Some(0x0e), Some(0x0f)),
    row("LIGHT_3_SPOT_CUTOFF_0", Some(0x0e), Some(0x0f), Some(0x10)),
    row("LIGHT_4_SPOT_CUTOFF_0", Some(0x0f), Some(0x10), Some(0x11)),
    row("LIGHT_5_SPOT_CUTOFF_0", Some(0x10), Some(0x11), Some(0x12)),
    row("LIGHT_6_SPOT_CUTOFF_0", Some(0x11), Some(0x12), Some(0x13)),
    row("LIGHT_7_SPOT_CUTOFF_0", Some(0x12), Some(0x13), Some(0x14)),
];

/// Lighting scalars, bank 2.
pub const LTC2: &[Entry] = &[
    row("CONST_ONE", Some(0x00), None, None),
    row("UNK00", None, Some(0x00), Some(0x00)),
    row("MATERIAL_SHININESS_B", Some(0x01), Some(0x01), Some(0x01)),
    row("MATERIAL_BACK_SHININESS_B", None, Some(0x02), Some(0x02)),
    row("MATERIAL_SHININESS_E", Some(0x02), Some(0x03), Some(0x03)),
    row("MATERIAL_BACK_SHININESS_E", None, Some(0x04), Some(0x04)),
    row("MATERIAL_SHININESS_F", Some(0x03), Some(0x05), None),
    row("MATERIAL_BACK_SHININESS_F", None, Some(0x06), None),
    row("LIGHT_0_SPOT_CUTOFF_1", Some(0x04), Some(0x07), Some(0x05)),
    row("LIGHT_1_SPOT_CUTOFF_1", Some(0x05), Some(0x08), Some(0x06)),
    row("LIGHT_2_SPOT_CUTOFF_1", Some(0x06), Some(0x09), Some(0x07)),
    row("LIGHT_3_SPOT_CUTOFF_1", Some(0x07), Some(0x0a), Some(0x08)),
    row("LIGHT_4_SPOT_CUTOFF_1", Some(0x08), Some(0x0b), Some(0x09)),
    row("LIGHT_5_SPOT_CUTOFF_1", Some(0x09), Some(0x0c), Some(0x0a)),
    row("LIGHT_6_SPOT_CUTOFF_1", Some(0x0a), Some(0x0d), Some(0x0b)),
    row("LIGHT_7_SPOT_CUTOFF_1", Some(0x0b), Some(0x0e), Some(0x0c)),
];

/// Lighting scalars, bank 3.
pub const LTC3: &[Entry] = &[
    row("CONST_ZERO", Some(0x00), None, None),
    row("UNK00", None, Some(0x00), Some(0x00)),
    row("POINT_PARAMS_D", Some(0x01), Some(0x01), None),
    row("MATERIAL_SHININESS_C", Some(0x02), Some(0x02), Some(0x01)),
    row("MATERIAL_BACK_SHININESS_C", None, Some(0x03), Some(0x02)),
    row("MATERIAL_SHININESS_F", None, None, Some(0x03)),
    row("MATERIAL_BACK_SHININESS_F", None, None, Some(0x04)),
    row("LIGHT_0_SPOT_CUTOFF_2", Some(0x03), Some(0x04), Some(0x05)),
    row("LIGHT_1_SPOT_CUTOFF_2", Some(0x04), Some(0x05), Some(0x06)),
    row("LIGHT_2_SPOT_CUTOFF_2", Some(0x05), Some(0x06), Some(0x07)),
    row("LIGHT_3_SPOT_CUTOFF_2", Some(0x06), Some(0x07), Some(0x08)),
    row("LIGHT_4_SPOT_CUTOFF_2", Some(0x07), Some(0x08), Some(0x09)),
    row("LIGHT_5_SPOT_CUTOFF_2", Some(0x08), Some(0x09), Some(0x0a)),
    row("LIGHT_6_SPOT_CUTOFF_2", Some(0x09), Some(0x0a), Some(0x0b)),
    row("LIGHT_7_SPOT_CUTOFF_2", Some(0x0a), Some(0x0b), Some(0x0c)),
    row("MATERIAL_FACTOR_A", Some(0x0b), Some(0x0c), Some(0x0d)),
    row("MATERIAL_FACTOR_BACK_A", None, Some(0x0d), Some(0x0e)),
];

/// Vertex attribute slots. The last one stages everything that is not an attribute.
pub const VAB: &[Entry] = &[
    row("POSITION", Some(0), Some(0), Some(0)),
    row("WEIGHT", Some(6), Some(1), Some(1)),
    row("NORMAL", Some(5), Some(2), Some(2)),
    row("COLOR0", Some(1), Some(3), Some(3)),
    // on Celsius the fog coordinate is its W
    row("COLOR1", Some(2), Some(4), Some(4)),
    row("FOG", None, Some(5), Some(5)),
    // NV097 SET_POINT_SIZE's attribute
    row("POINT_SIZE", None, Some(6), Some(6)),
    row("BACK_COLOR0", None, Some(7), Some(7)),
    row("BACK_COLOR1", None, Some(8), Some(8)),
    row("TEX0", Some(3), Some(9), Some(9)),
    row("TEX1", Some(4), Some(10), Some(10)),
    row("TEX2", None, Some(11), Some(11)),
    row("TEX3", None, Some(12), Some(12)),
    row("ATTR13", None, Some(13), Some(13)),
    row("ATTR14", None, Some(14), Some(14)),
    row("ATTR15", None, Some(15), Some(15)),
    row("PASS", Some(7), Some(16), Some(16)),
];

/// A constant that the microcode expects in a context memory of Celsius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The entry's name in its map.
    pub name: &'static str,
    /// Its memory.
    pub ram: Ram,
    /// What it must hold; scalars use the first component.
    pub value: [f32; 4],
    /// True if the memory holds it by itself; false if software must load it.
    pub wired: bool,
}

/// The constants of Celsius. Wired ones read as given; the others are what their
/// use in the vertex model asks for.
pub const FIXED: &[Constant] = &[
    Constant {
        name: "CONST_REFLECT_TWO",
        ram: Ram::Xfctx,
        value: [2.0; 4],
        wired: false,
    },
    Constant {
        name: "CONST_SPHERE_Z_ONE",
        ram: Ram::Xfctx,
        value: [0.0, 0.0, 1.0, 0.0],
        wired: false,
    },
    Constant {
        name: "CONST_SPHERE_XY_HALF",
        ram: Ram::Xfctx,
        value: [0.5, 0.5, 0.0, 0.0],
        wired: false,
    },
    Constant {
        name: "CONST_WEIGHT_ONE",
        ram: Ram::Xfctx,
        value: [1.0; 4],
        wired: false,
    },
    Constant {
        name: "CONST_ZERO",
        ram: Ram::Ltctx,
        value: [0.0; 4],
        wired: false,
    },
    Constant {
        name: "CONST_ONE",
        ram: Ram::Ltc(0),
        value: [1.0, 0.0, 0.0, 0.0],
        wired: true,
    },
    Constant {
        name: "CONST_ZERO",
        ram: Ram::Ltc(1),
        value: [0.0; 4],
        wired: true,
    },
    Constant {
        name: "CONST_ONE",
        ram: Ram::Ltc(2),
        value: [1.0, 0.0, 0.0, 0.0],
        wired: true,
    },
    Constant {
        name: "CONST_ZERO",
        ram: Ram::Ltc(3),
        value: [0.0; 4],
        wired: true,
    },
];

impl Ram {
    /// All context memories.
    pub const ALL: &'static [Ram] = &[
        Ram::Xfctx,
        Ram::Ltctx,
        Ram::Ltc(0),
        Ram::Ltc(1),
        Ram::Ltc(2),
        Ram::Ltc(3),
        Ram::Vab,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Ram::Xfctx => "XFCTX",
            Ram::Ltctx => "LTCTX",
            Ram::Ltc(0) => "LTC0",
            Ram::Ltc(1) => "LTC1",
            Ram::Ltc(2) => "LTC2",
            Ram::Ltc(_) => "LTC3",
            Ram::Vab => "VAB",
        }
    }

    /// Its map.
    pub const fn map(self) -> &'static [Entry] {
        match self {
            Ram::Xfctx => XFCTX,
            Ram::Ltctx => LTCTX,
            Ram::Ltc(0) => LTC0,
            Ram::Ltc(1) => LTC1,
            Ram::Ltc(2) => LTC2,
            Ram::Ltc(_) => LTC3,
            Ram::Vab => VAB,
        }
    }

    /// Words of one entry.
    pub const fn width(self) -> usize {
        match self {
            Ram::Xfctx | Ram::Vab => 4,
            Ram::Ltctx => 3,
            Ram::Ltc(_) => 1,
        }
    }

    /// The entry that holds an index on a chip, and the row within it.
    pub fn locate(self, chip: Chip, index: u16) -> Option<(&'static Entry, u16)> {
        self.map().iter().find_map(|entry| {
            let first = entry.at(chip)?;
            let rows = entry.rows_on(chip);
            (index >= first && index < first + rows).then(|| (entry, index - first))
        })
    }

    /// The entry of a name, case-insensitively.
    pub fn by_name(self, name: &str) -> Option<&'static Entry> {
        self.map()
            .iter()
            .find(|e| e.name.eq_ignore_ascii_case(name))
    }
}

/// The index of an entry of a map on a chip. For constants: an unknown name does not compile.
pub const fn index_of(map: &[Entry], name: &str, chip: Chip) -> u16 {
    let column = match chip.family() {
        Family::Celsius => 0,
        Family::Kelvin => 1,
        _ => 2,
    };
    let mut i = 0;
    while i < map.len() {
        if same(map[i].name.as_bytes(), name.as_bytes())
            && let Some(index) = map[i].index[column]
        {
            return index;
        }
        i += 1;
    }
    panic!("the map has no such entry")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Where an entry is on a chip, if the chip has it: its memory and its first index there.
pub fn find(chip: Chip, name: &str) -> Option<(Ram, u16)> {
    Ram::ALL
        .iter()
        .filter(|ram| **ram != Ram::Vab)
        .find_map(|ram| Some((*ram, ram.by_name(name)?.at(chip)?)))
}

impl Entry {
    /// First index on a chip, if the chip has it. Curie has no fixed-function
    /// context: all of XFCTX is the user's there.
    pub fn at(&self, chip: Chip) -> Option<u16> {
        let nv25_only = self.name.starts_with("NV25_");
        match chip.family() {
            Family::Celsius => self.index[0],
            Family::Kelvin if nv25_only && !chip.since(Chip::Nv25) => None,
            Family::Kelvin => self.index[1],
            Family::Rankine => self.index[2],
            Family::Curie | Family::Utgard => None,
        }
    }

    /// Number of vectors on a chip.
    pub fn rows_on(&self, chip: Chip) -> u16 {
        if self.name == "USER" {
            user_constants(chip)
        } else {
            self.rows
        }
    }
}

/// Number of constants a vertex program has.
pub fn user_constants(chip: Chip) -> u16 {
    match chip.family() {
        Family::Kelvin => 96,
        Family::Rankine => 256,
        Family::Curie => 468,
        Family::Celsius | Family::Utgard => 0,
    }
}

/// Where an LTCTX entry of Kelvin's numbering lies from NV25 on: memory A (false)
/// or B (true) and the index there.
pub fn ltctx_split(index: u16) -> Option<(bool, u16)> {
    Some(match index {
        0x00..=0x3f => {
            let (light, what) = (index / 8, index % 8);
            match what {
                // ambient, diffuse, specular, front
                0..=2 => (true, light * 6 + what),
                // half vector or attenuation, direction
                3 => (false, light * 2),
                4 => (false, light * 2 + 1),
                // ambient, diffuse, specular, back
                _ => (true, light * 6 + what - 2),
            }
        }
        0x40..=0x47 => (false, index - 0x30),
        0x48 => (true, 0x30),
        0x49 => (false, 0x18),
        0x4a => (true, 0x32),
        0x4b => (true, 0x31),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn entries_do_not_overlap() {
        for ram in Ram::ALL {
            for chip in [Chip::Nv10, Chip::Nv20, Chip::Nv25, Chip::Nv30] {
                let mut seen = BTreeMap::new();
                for entry in ram.map() {
                    let Some(first) = entry.at(chip) else {
                        continue;
                    };
                    for i in first..first + entry.rows_on(chip) {
                        assert_eq!(seen.insert(i, entry.name), None, "{ram:?} {chip:?} {i:#x}");
                        assert_eq!(ram.locate(chip, i), Some((entry, i - first)));
                    }
                }
                // no holes either, up to the last entry
                let last = seen.keys().last().copied();
                if let Some(last) = last
                    && !matches!((ram, chip), (Ram::Ltc(_), _))
                {
                    assert_eq!(seen.len(), last as usize + 1, "{ram:?} {chip:?}");
                }
            }
        }
    }

    #[test]
    fn nv25_splits_the_lighting_context_without_collisions() {
        let mut seen = BTreeMap::new();
        for i in 0..0x4c {
            let place = ltctx_split(i).unwrap();
            assert_eq!(seen.insert(place, i), None, "{i:#x}");
        }
        // the checked facts: light i colours at 6i.., back colours after them
        assert_eq!(ltctx_split(0x08), Some((true, 6)));
        assert_eq!(ltctx_split(0x05), Some((true, 3)));
        assert_eq!(ltctx_split(0x0c), Some((false, 3)));
        assert_eq!(ltctx_split(0x4c), None);
    }
}
