//! Words of the texture shaders (Kelvin) and fragment programs (Rankine, Curie).

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, values, word};

values! { /// What a texture stage does.
TEX_SHADER_PROGRAM {
    NONE = 0x00,
    TEXTURE_2D = 0x01,
    TEXTURE_3D = 0x02,
    TEXTURE_CUBE_MAP = 0x03,
    PASS_THROUGH = 0x04,
    /// clip plane: drop the fragment by the signs of the coordinates
    CULL_FRAGMENT = 0x05,
    /// bump environment map
    OFFSET_TEXTURE_2D = 0x06,
    /// bump environment map with luminance
    OFFSET_TEXTURE_2D_SCALE = 0x07,
    BRDF = 0x08,
    DOT_PRODUCT_TEXTURE_2D = 0x09,
    DOT_PRODUCT_DEPTH_REPLACE = 0x0a,
    DOT_PRODUCT_REFLECT_DIFFUSE = 0x0b,
    DOT_PRODUCT_REFLECT_SPECULAR = 0x0c,
    DOT_PRODUCT_TEXTURE_3D = 0x0d,
    DOT_PRODUCT_TEXTURE_CUBE_MAP = 0x0e,
    DEPENDENT_AR_TEXTURE_2D = 0x0f,
    DEPENDENT_GB_TEXTURE_2D = 0x10,
    DOT_PRODUCT = 0x11,
    DOT_PRODUCT_REFLECT_SPECULAR_CONST = 0x12,
} }

word! { /// The programs of the four texture stages.
TEX_SHADER_OP {
    TX0: bits(0, 3).then(Nv25, 0, 4).of(TEX_SHADER_PROGRAM),
    TX1: bits(5, 9).of(TEX_SHADER_PROGRAM),
    TX2: bits(10, 14).of(TEX_SHADER_PROGRAM),
    TX3: bits(15, 19).of(TEX_SHADER_PROGRAM),
    KELVIN_UNK29: bit(29).since(Nv25).until(Nv34).of(Kind::Unknown).src("register scan"),
    KELVIN_UNK30: bits(30, 31).until(Nv34).of(Kind::Unknown).src("register scan; no method writes them"),
} }

values! { /// How a texel becomes a vector for a dot product.
DOT_MAPPING {
    /// 0 to 1
    ZERO_TO_1 = 0,
    /// -1 to 1, (v - 128) / 127
    MINUS_1_TO_1_D3D = 1,
    /// -1 to 1, (2 v + 1) / 255, signed
    MINUS_1_TO_1_GL = 2,
    /// -1 to 1, v / 128, signed
    MINUS_1_TO_1 = 3,
    /// two 16-bit components and 1
    HILO_1 = 4,
    HILO_HEMISPHERE_D3D = 5,
    HILO_HEMISPHERE_GL = 6,
    /// two signed 16-bit components, the third from the unit sphere
    HILO_HEMISPHERE = 7,
} }

word! { /// Dot product mappings and the stages that dependent stages read.
TEX_SHADER_MISC {
    TX1_DOT_MAPPING: bits(0, 2).of(DOT_MAPPING)
        .conflict("the method has four bits a stage, the word three before NV25"),
    TX2_DOT_MAPPING: bits(3, 5).of(DOT_MAPPING),
    TX3_DOT_MAPPING: bits(6, 8).of(DOT_MAPPING),
    KELVIN_UNK9: bits(9, 11).since(Nv25).of(Kind::Unknown).src("class 597h writes [11:0] from its data [11:0]; how NV25 splits them is not known"),
    /// bit 0 of method 1E78h: stage 1 reads stage 0
    TX1_PREVIOUS: bit(15),
    /// the stage that stage 2 reads
    TX2_PREVIOUS: bit(16),
    /// the stage that stage 3 reads
    TX3_PREVIOUS: bits(20, 21),
    KELVIN_UNK24: bits(24, 29).since(Nv25).of(Kind::Unknown).src("class 597h, method 1E74h bits 24-29"),
    /// bit 0 of method 1E7Ch, meaning unknown
    KELVIN_UNK1E7C: bit(31).since(Nv25).of(Kind::Unknown),
} }

values! { /// When a clip-plane stage drops the fragment.
CULL_MODE {
    /// drop if the coordinate is below 0
    GEQUAL = 0,
    /// drop if the coordinate is 0 or more
    LESS = 1,
} }

word! { /// Comparisons of the clip-plane stages.
TEX_SHADER_CULL_MODE {
    TX0_S: bit(0).of(CULL_MODE),
    TX0_T: bit(1).of(CULL_MODE),
    TX0_R: bit(2).of(CULL_MODE),
    TX0_Q: bit(3).of(CULL_MODE),
    TX1_S: bit(4).of(CULL_MODE),
    TX1_T: bit(5).of(CULL_MODE),
    TX1_R: bit(6).of(CULL_MODE),
    TX1_Q: bit(7).of(CULL_MODE),
    TX2_S: bit(8).of(CULL_MODE),
    TX2_T: bit(9).of(CULL_MODE),
    TX2_R: bit(10).of(CULL_MODE),
    TX2_Q: bit(11).of(CULL_MODE),
    TX3_S: bit(12).of(CULL_MODE),
    TX3_T: bit(13).of(CULL_MODE),
    TX3_R: bit(14).of(CULL_MODE),
    TX3_Q: bit(15).of(CULL_MODE),
} }

plain_words! {
    /// Bump matrix word 0 of stages 1 to 3 (NV097 SET_TEXTURE_SET_BUMP_ENV_MAT).
    TEX_UNK10.VALUE of Kind::Float32;
    /// Bump matrix word 1 of stages 1 to 3.
    TEX_UNK11.VALUE of Kind::Float32;
    /// Bump matrix word 2 of stages 1 to 3 (method order; the ids of 12 and 13 are crossed).
    TEX_UNK12.VALUE of Kind::Float32;
    /// Bump matrix word 3 of stages 1 to 3.
    TEX_UNK13.VALUE of Kind::Float32;
    /// Bump luminance scale of stages 1 to 3.
    TEX_UNK14.VALUE of Kind::Float32;
    /// Bump luminance offset of stages 1 to 3.
    TEX_UNK15.VALUE of Kind::Float32;
    /// The constant eye vector of DOT_PRODUCT_REFLECT_SPECULAR_CONST.
    TEX_SHADER_CONST_EYE.VALUE of Kind::Float32;
    /// Fragment program words sent ahead; no shadow register.
    PS_PREFETCH_DATA.DATA of Kind::Hex;
}

word! { /// Where the fragment program lies.
PS_OFFSET {
    /// memory object: the method's values are 1 = A, 2 = B
    DMA: bits(0, 1),
    /// a multiple of 64
    OFFSET: bits(6, 31).of(Kind::Address(6)),
} }

word! { /// Fragment program control (method 1D60h FP_CONTROL).
PS_CONTROL {
    /// half the number of registers, rounded up, minus one; Mesa sets bits 1 to 3 where
    /// R1.z replaces the depth, whatever the number is
    USED_REGS: bits(0, 3).until(Nv40).src("rnndb names the method's bits; the word is assumed to keep them"),
    RANKINE_UNK4: bits(4, 5).until(Nv40).of(Kind::Unknown).src("register scan"),
    /// the colour is R0's, a float32, not H0's
    FULL_RESULTS: bit(6).src("emulators of the RSX, where it is the 32-bit export"),
    USES_KIL: bit(7).src("rnndb names the method's bit; the word is assumed to keep it"),
    RANKINE_UNK8: bits(8, 15).until(Nv40).of(Kind::Unknown).src("register scan"),
    RANKINE_UNK16: bit(16).until(Nv40).of(Kind::Unknown).src("register scan"),
    RANKINE_UNK17: bit(17).until(Nv40).of(Kind::Unknown).src("register scan"),
    RANKINE_UNK28: bits(28, 30).until(Nv40).of(Kind::Unknown).src("register scan"),
    RANKINE_UNK31: bit(31).until(Nv40).of(Kind::Unknown).src("register scan"),
    /// 7: R1.z replaces the depth
    DEPTH: bits(1, 3).since(Nv40).src("Mesa sets all three"),
    CURIE_UNK4: bits(4, 5).since(Nv40).of(Kind::Unknown).src("register scan"),
    CURIE_UNK9: bit(9).since(Nv40).of(Kind::Unknown).src("register scan"),
    CURIE_UNK11: bit(11).since(Nv40).of(Kind::Unknown).src("register scan"),
    CURIE_UNK13: bit(13).since(Nv40).of(Kind::Unknown).src("register scan"),
    CURIE_UNK16: bit(16).since(Nv40).of(Kind::Unknown).src("register scan"),
    /// number of temporaries
    TEMP_COUNT: bits(19, 26).since(Nv40).src("rnndb has the method's bits 24-31; bit 31 does not exist"),
    CURIE_UNK27: bits(27, 30).since(Nv40).of(Kind::Unknown).src("hardware tests"),
} }
