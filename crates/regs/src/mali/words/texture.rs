//! The texture descriptor: 64 bytes packed with no regard to word boundaries.

use crate::field::{Kind, bit, bits};
use crate::record::{Joined, Record, Slot, slot};
use crate::{values, word};

values! { /// Texel formats.
TEXEL_FORMAT {
    L8 = 0x09,
    A8 = 0x0a,
    I8 = 0x0b,
    BGR_565 = 0x0e,
    BGRA_5551 = 0x0f,
    BGRA_4444 = 0x10,
    L8A8 = 0x11,
    L16 = 0x12,
    A16 = 0x13,
    I16 = 0x14,
    RGB_888 = 0x15,
    /// bytes B, G, R, A ascending unless swapped
    RGBA_8888 = 0x16,
    RGBX_8888 = 0x17,
    ETC1_RGB8 = 0x20,
    L16_FLOAT = 0x22,
    A16_FLOAT = 0x23,
    I16_FLOAT = 0x24,
    L16A16_FLOAT = 0x25,
    R16G16B16A16_FLOAT = 0x26,
    Z24X8 = 0x2c,
    R16G16B16_FLOAT = 0x2f,
    /// used to load old depth and stencil into the tile buffer
    Z24S8_RELOAD = 0x32,
} }

values! { /// What the numbers stand for.
TEXTURE_RANGE {
    UNORM = 0,
    SNORM_HALF = 1,
    SNORM = 2,
    UNORM_INVERTED = 3,
} }

values! { /// Dimensions.
SAMPLER_DIM {
    D1 = 0,
    D2 = 1,
    /// also cube maps
    D3 = 2,
} }

values! { /// Filter between levels.
MIP_FILTER {
    NEAREST = 0,
    LINEAR = 3,
} }

values! { /// What happens outside the image.
MALI_WRAP {
    REPEAT = 0,
    CLAMP_TO_EDGE = 1,
    CLAMP = 2,
    CLAMP_TO_BORDER = 3,
    MIRROR_REPEAT = 4,
    MIRROR_CLAMP_TO_EDGE = 5,
    MIRROR_CLAMP = 6,
    MIRROR_CLAMP_TO_BORDER = 7,
} }

values! { /// Memory layout.
TEXTURE_LAYOUT {
    LINEAR = 0,
    /// 16x16 tiles
    TILED = 3,
} }

word! { /// Format and stride.
TEX_DESC0 {
    FORMAT: bits(0, 5).of(TEXEL_FORMAT),
    REVERSE_COMPONENT_ORDER: bit(6),
    SWAP_RB: bit(7),
    RANGE: bits(8, 9).of(TEXTURE_RANGE),
    HAS_SIGNED_COMPONENTS: bit(10),
    UNK11: bits(11, 15).of(Kind::Unknown),
    /// bytes per row, if HAS_STRIDE
    STRIDE: bits(16, 30),
    UNK31: bit(31).of(Kind::Unknown),
} }

word! { /// Coordinates and level of detail.
TEX_DESC1 {
    UNK0: bits(0, 6).of(Kind::Unknown),
    UNNORM_COORDS: bit(7),
    UNK8: bit(8).of(Kind::Unknown),
    CUBE_MAP: bit(9),
    SAMPLER_DIM: bits(10, 11).of(SAMPLER_DIM),
    MIN_LOD: bits(12, 19).of(Kind::UFixed(4, 4)),
    MAX_LOD: bits(20, 27).of(Kind::UFixed(4, 4)),
    LOD_BIAS_LO: bits(28, 31),
} }

word! { /// Filters and wrap modes.
TEX_DESC2 {
    LOD_BIAS_HI: bits(0, 4),
    /// log2
    MAX_ANISOTROPY: bits(5, 7),
    HAS_STRIDE: bit(8),
    MIP_FILTER: bits(9, 10).of(MIP_FILTER),
    MIN_FILTER_NEAREST: bit(11),
    MAG_FILTER_NEAREST: bit(12),
    WRAP_S: bits(13, 15).of(MALI_WRAP),
    WRAP_T: bits(16, 18).of(MALI_WRAP),
    WRAP_R: bits(19, 21).of(MALI_WRAP),
    WIDTH_LO: bits(22, 31),
} }

word! { /// Size.
TEX_DESC3 {
    WIDTH_HI: bits(0, 2),
    HEIGHT: bits(3, 15),
    DEPTH: bits(16, 28),
    BORDER_R_LO: bits(29, 31),
} }

word! { /// Border colour.
TEX_DESC4 {
    BORDER_R_HI: bits(0, 12),
    BORDER_G: bits(13, 28).of(Kind::Unorm),
    BORDER_B_LO: bits(29, 31),
} }

word! { /// Border colour.
TEX_DESC5 {
    BORDER_B_HI: bits(0, 12),
    BORDER_A: bits(13, 28).of(Kind::Unorm),
    UNK29: bits(29, 31).of(Kind::Unknown),
} }

word! { /// Layout, first level.
TEX_DESC6 {
    UNK0: bits(0, 12).of(Kind::Unknown),
    LAYOUT: bits(13, 14).of(TEXTURE_LAYOUT),
    UNK15: bits(15, 29).of(Kind::Unknown),
    MIP0_LO: bits(30, 31).of(Kind::Hex),
} }

word! { /// Level addresses.
TEX_DESC7 { MIP0_HI: bits(0, 23).of(Kind::Hex), MIP1_LO: bits(24, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC8 { MIP1_HI: bits(0, 17).of(Kind::Hex), MIP2_LO: bits(18, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC9 { MIP2_HI: bits(0, 11).of(Kind::Hex), MIP3_LO: bits(12, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC10 { MIP3_HI: bits(0, 5).of(Kind::Hex), MIP4: bits(6, 31).of(Kind::Address(6)), } }
word! { /// Level addresses.
TEX_DESC11 { MIP5: bits(0, 25).of(Kind::Hex), MIP6_LO: bits(26, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC12 { MIP6_HI: bits(0, 19).of(Kind::Hex), MIP7_LO: bits(20, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC13 { MIP7_HI: bits(0, 13).of(Kind::Hex), MIP8_LO: bits(14, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC14 { MIP8_HI: bits(0, 7).of(Kind::Hex), MIP9_LO: bits(8, 31).of(Kind::Hex), } }
word! { /// Level addresses.
TEX_DESC15 {
    MIP9_HI: bits(0, 1).of(Kind::Hex),
    MIP10: bits(2, 27).of(Kind::Hex),
    UNK28: bits(28, 31).of(Kind::Unknown),
} }

macro_rules! joined {
    ($(#[doc = $doc:literal])* $name:ident: $word:literal, $low:expr, $high:expr, $kind:expr) => {
        $(#[doc = $doc])*
        pub const $name: Joined = Joined {
            name: stringify!($name),
            word: $word,
            low: $low,
            high: $high,
            kind: $kind,
        };
    };
}

joined! { /// Signed, four fraction bits.
TEX_LOD_BIAS: 1, TEX_DESC1::LOD_BIAS_LO, TEX_DESC2::LOD_BIAS_HI, Kind::SFixed(5, 4) }
joined! { /// Texels, not minus one.
TEX_WIDTH: 2, TEX_DESC2::WIDTH_LO, TEX_DESC3::WIDTH_HI, Kind::Uint }
joined! { /// Border colour, red.
TEX_BORDER_R: 3, TEX_DESC3::BORDER_R_LO, TEX_DESC4::BORDER_R_HI, Kind::Unorm }
joined! { /// Border colour, blue.
TEX_BORDER_B: 4, TEX_DESC4::BORDER_B_LO, TEX_DESC5::BORDER_B_HI, Kind::Unorm }
joined! { /// Address of level 0, divided by 64.
TEX_MIP0: 6, TEX_DESC6::MIP0_LO, TEX_DESC7::MIP0_HI, Kind::Address(6) }
joined! { /// Address of level 1, divided by 64.
TEX_MIP1: 7, TEX_DESC7::MIP1_LO, TEX_DESC8::MIP1_HI, Kind::Address(6) }
joined! { /// Address of level 2, divided by 64.
TEX_MIP2: 8, TEX_DESC8::MIP2_LO, TEX_DESC9::MIP2_HI, Kind::Address(6) }
joined! { /// Address of level 3, divided by 64.
TEX_MIP3: 9, TEX_DESC9::MIP3_LO, TEX_DESC10::MIP3_HI, Kind::Address(6) }
joined! { /// Address of level 6, divided by 64.
TEX_MIP6: 11, TEX_DESC11::MIP6_LO, TEX_DESC12::MIP6_HI, Kind::Address(6) }
joined! { /// Address of level 7, divided by 64.
TEX_MIP7: 12, TEX_DESC12::MIP7_LO, TEX_DESC13::MIP7_HI, Kind::Address(6) }
joined! { /// Address of level 8, divided by 64.
TEX_MIP8: 13, TEX_DESC13::MIP8_LO, TEX_DESC14::MIP8_HI, Kind::Address(6) }
joined! { /// Address of level 9, divided by 64.
TEX_MIP9: 14, TEX_DESC14::MIP9_LO, TEX_DESC15::MIP9_HI, Kind::Address(6) }

/// GPU address of a level; 0 for a level beyond the tenth.
pub fn texture_level_address(desc: &[u32; 16], level: usize) -> u32 {
    let chip = crate::Chip::Mali400;
    let stored = match level {
        0 => TEX_MIP0.get(chip, desc),
        1 => TEX_MIP1.get(chip, desc),
        2 => TEX_MIP2.get(chip, desc),
        3 => TEX_MIP3.get(chip, desc),
        4 => TEX_DESC10::MIP4.get(chip, desc[10]),
        5 => TEX_DESC11::MIP5.get(chip, desc[11]),
        6 => TEX_MIP6.get(chip, desc),
        7 => TEX_MIP7.get(chip, desc),
        8 => TEX_MIP8.get(chip, desc),
        9 => TEX_MIP9.get(chip, desc),
        10 => TEX_DESC15::MIP10.get(chip, desc[15]),
        _ => 0,
    };
    stored << 6
}

const TEXTURE_SLOTS: &[Slot] = &[
    slot(&TEX_DESC0::WORD),
    slot(&TEX_DESC1::WORD),
    slot(&TEX_DESC2::WORD),
    slot(&TEX_DESC3::WORD),
    slot(&TEX_DESC4::WORD),
    slot(&TEX_DESC5::WORD),
    slot(&TEX_DESC6::WORD),
    slot(&TEX_DESC7::WORD),
    slot(&TEX_DESC8::WORD),
    slot(&TEX_DESC9::WORD),
    slot(&TEX_DESC10::WORD),
    slot(&TEX_DESC11::WORD),
    slot(&TEX_DESC12::WORD),
    slot(&TEX_DESC13::WORD),
    slot(&TEX_DESC14::WORD),
    slot(&TEX_DESC15::WORD),
];

/// The texture descriptor.
pub const TEXTURE: Record = Record {
    name: "TEXTURE",
    doc: "Texture descriptor, 16 words; fields cross word boundaries.",
    slots: TEXTURE_SLOTS,
    joined: &[
        TEX_LOD_BIAS,
        TEX_WIDTH,
        TEX_BORDER_R,
        TEX_BORDER_B,
        TEX_MIP0,
        TEX_MIP1,
        TEX_MIP2,
        TEX_MIP3,
        TEX_MIP6,
        TEX_MIP7,
        TEX_MIP8,
        TEX_MIP9,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chip;

    #[test]
    fn joined_fields_come_back() {
        let mut desc = [0u32; 16];
        for (n, field) in TEXTURE.joined.iter().enumerate() {
            let value =
                0x2a5_5aa5u32.rotate_left(n as u32) & ((1u32 << field.width(Chip::Mali400)) - 1);
            field.set(Chip::Mali400, &mut desc, value).unwrap();
            assert_eq!(field.get(Chip::Mali400, &desc), value, "{}", field.name);
        }
        TEX_MIP0
            .set(Chip::Mali400, &mut desc, 0x1234_5680 >> 6)
            .unwrap();
        assert_eq!(texture_level_address(&desc, 0), 0x1234_5680);
        assert!(TEX_WIDTH.set(Chip::Mali400, &mut desc, 0x2000).is_err());
        assert!(TEX_WIDTH.set(Chip::Mali400, &mut desc[..2], 0).is_err());
    }
}
