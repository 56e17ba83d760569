//! Words of the register combiners.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{values, word};

values! { /// Registers a combiner reads or writes. Writing 0 discards.
RC_REGISTER {
    ZERO = 0x0,
    CONSTANT_COLOR0 = 0x1,
    CONSTANT_COLOR1 = 0x2,
    FOG = 0x3,
    PRIMARY_COLOR = 0x4,
    SECONDARY_COLOR = 0x5,
    TEXTURE0 = 0x8,
    TEXTURE1 = 0x9,
    TEXTURE2 = 0xa,
    TEXTURE3 = 0xb,
    SPARE0 = 0xc,
    SPARE1 = 0xd,
    /// final combiner only
    SPARE0_PLUS_SECONDARY_COLOR = 0xe,
    /// final combiner only
    E_TIMES_F = 0xf,
} }

values! { /// Component of a colour input.
RC_USAGE_COLOR {
    RGB = 0,
    ALPHA = 1,
} }

values! { /// Component of an alpha input.
RC_USAGE_ALPHA {
    BLUE = 0,
    ALPHA = 1,
} }

values! { /// Input mappings.
RC_MAPPING {
    UNSIGNED_IDENTITY = 0,
    UNSIGNED_INVERT = 1,
    EXPAND_NORMAL = 2,
    EXPAND_NEGATE = 3,
    HALF_BIAS_NORMAL = 4,
    HALF_BIAS_NEGATE = 5,
    SIGNED_IDENTITY = 6,
    SIGNED_NEGATE = 7,
} }

values! { /// Input mappings of the final combiner.
RC_FINAL_MAPPING {
    UNSIGNED_IDENTITY = 0,
    UNSIGNED_INVERT = 1,
} }

values! { /// Output scale.
RC_SCALE {
    NONE = 0,
    SCALE_BY_TWO = 1,
    SCALE_BY_FOUR = 2,
    SCALE_BY_ONE_HALF = 3,
} }

word! { /// Inputs of a stage's colour half.
RC_IN_COLOR {
    D_INPUT: bits(0, 3).of(RC_REGISTER),
    D_COMPONENT_USAGE: bit(4).of(RC_USAGE_COLOR),
    D_MAPPING: bits(5, 7).of(RC_MAPPING),
    C_INPUT: bits(8, 11).of(RC_REGISTER),
    C_COMPONENT_USAGE: bit(12).of(RC_USAGE_COLOR),
    C_MAPPING: bits(13, 15).of(RC_MAPPING),
    B_INPUT: bits(16, 19).of(RC_REGISTER),
    B_COMPONENT_USAGE: bit(20).of(RC_USAGE_COLOR),
    B_MAPPING: bits(21, 23).of(RC_MAPPING),
    A_INPUT: bits(24, 27).of(RC_REGISTER),
    A_COMPONENT_USAGE: bit(28).of(RC_USAGE_COLOR),
    A_MAPPING: bits(29, 31).of(RC_MAPPING),
} }

word! { /// Inputs of a stage's alpha half.
RC_IN_ALPHA {
    D_INPUT: bits(0, 3).of(RC_REGISTER),
    D_COMPONENT_USAGE: bit(4).of(RC_USAGE_ALPHA),
    D_MAPPING: bits(5, 7).of(RC_MAPPING),
    C_INPUT: bits(8, 11).of(RC_REGISTER),
    C_COMPONENT_USAGE: bit(12).of(RC_USAGE_ALPHA),
    C_MAPPING: bits(13, 15).of(RC_MAPPING),
    B_INPUT: bits(16, 19).of(RC_REGISTER),
    B_COMPONENT_USAGE: bit(20).of(RC_USAGE_ALPHA),
    B_MAPPING: bits(21, 23).of(RC_MAPPING),
    A_INPUT: bits(24, 27).of(RC_REGISTER),
    A_COMPONENT_USAGE: bit(28).of(RC_USAGE_ALPHA),
    A_MAPPING: bits(29, 31).of(RC_MAPPING),
} }

word! { /// Outputs of a stage's colour half.
RC_OUT_COLOR {
    CD_OUTPUT: bits(0, 3).of(RC_REGISTER),
    AB_OUTPUT: bits(4, 7).of(RC_REGISTER),
    SUM_OUTPUT: bits(8, 11).of(RC_REGISTER),
    CD_DOT_PRODUCT: bit(12),
    AB_DOT_PRODUCT: bit(13),
    /// select AB or CD by SPARE0's alpha instead of adding
    MUX_SUM: bit(14),
    /// subtract one half
    BIAS: bit(15),
    SCALE: bits(16, 17).of(RC_SCALE),
    /// copy the blue of CD to the alpha of its output register
    CD_BLUE_TO_ALPHA: bit(18).since(Nv20),
    /// copy the blue of AB to the alpha of its output register
    AB_BLUE_TO_ALPHA: bit(19).since(Nv20),
    KELVIN_UNK20: bits(20, 25).since(Nv25).of(Kind::Unknown).src("register scan; class 597h writes them"),
    RANKINE_UNK26: bit(26).since(Nv30).of(Kind::Unknown).src("register scan"),
    /// number of stages; stage 1's word holds it for both
    OPERATION: bits(27, 29).until(Nv20).entries(1, 1)
        .src("rnndb; the method vectors show the bits in entry 1 only"),
} }

word! { /// Outputs of a stage's alpha half.
RC_OUT_ALPHA {
    CD_OUTPUT: bits(0, 3).of(RC_REGISTER),
    AB_OUTPUT: bits(4, 7).of(RC_REGISTER),
    SUM_OUTPUT: bits(8, 11).of(RC_REGISTER),
    /// select AB or CD by SPARE0's alpha instead of adding
    MUX_SUM: bit(14),
    /// subtract one half
    BIAS: bit(15),
    SCALE: bits(16, 17).of(RC_SCALE),
    RANKINE_UNK18: bit(18).since(Nv30).of(Kind::Unknown).src("register scan"),
    KELVIN_UNK22: bits(22, 25).since(Nv25).of(Kind::Unknown).src("register scan; class 597h writes them"),
} }

values! { /// Which bit of SPARE0's alpha the multiplexer looks at.
RC_MUX {
    LSB = 0,
    MSB = 1,
} }

values! { /// Constants per stage or the same for all.
RC_FACTOR_MODE {
    SAME_FACTOR_ALL = 0,
    EACH_STAGE = 1,
} }

word! { /// Number of stages and their modes.
RC_CONFIG {
    NUM_COMBINERS: bits(0, 3),
    MUX_SELECT: bit(8).of(RC_MUX),
    FACTOR0: bit(12).of(RC_FACTOR_MODE),
    FACTOR1: bit(16).of(RC_FACTOR_MODE),
    KELVIN_UNK20: bits(20, 23).since(Nv25).of(Kind::Unknown).src("register scan; class 597h writes them"),
    RANKINE_UNK24: bit(24).since(Nv30).of(Kind::Unknown).src("register scan"),
    NV34_UNK25: bits(25, 26).since(Nv34).until(Nv40).of(Kind::Unknown).src("register scan"),
} }

word! { /// Final combiner, inputs A to D.
RC_FINAL_A {
    D_INPUT: bits(0, 3).of(RC_REGISTER),
    D_COMPONENT_USAGE: bit(4).of(RC_USAGE_COLOR),
    D_MAPPING: bit(5).of(RC_FINAL_MAPPING).conflict("rnndb has bits 5-7; 6 and 7 do not exist"),
    C_INPUT: bits(8, 11).of(RC_REGISTER),
    C_COMPONENT_USAGE: bit(12).of(RC_USAGE_COLOR),
    C_MAPPING: bit(13).of(RC_FINAL_MAPPING),
    B_INPUT: bits(16, 19).of(RC_REGISTER),
    B_COMPONENT_USAGE: bit(20).of(RC_USAGE_COLOR),
    B_MAPPING: bit(21).of(RC_FINAL_MAPPING),
    A_INPUT: bits(24, 27).of(RC_REGISTER),
    A_COMPONENT_USAGE: bit(28).of(RC_USAGE_COLOR),
    A_MAPPING: bit(29).of(RC_FINAL_MAPPING),
} }

word! { /// Final combiner, inputs E to G and the colour sum.
RC_FINAL_B {
    /// invert SPARE0 in SPARE0_PLUS_SECONDARY_COLOR
    SPARE0_INVERT: bit(5).src("pictures of the silicon; missing in rnndb"),
    /// invert the secondary colour in SPARE0_PLUS_SECONDARY_COLOR
    SECONDARY_INVERT: bit(6).src("pictures of the silicon; missing in rnndb"),
    COLOR_SUM_CLAMP: bit(7),
    G_INPUT: bits(8, 11).of(RC_REGISTER),
    G_COMPONENT_USAGE: bit(12).of(RC_USAGE_ALPHA),
    G_MAPPING: bit(13).of(RC_FINAL_MAPPING),
    F_INPUT: bits(16, 19).of(RC_REGISTER),
    F_COMPONENT_USAGE: bit(20).of(RC_USAGE_COLOR),
    F_MAPPING: bit(21).of(RC_FINAL_MAPPING),
    E_INPUT: bits(24, 27).of(RC_REGISTER),
    E_COMPONENT_USAGE: bit(28).of(RC_USAGE_COLOR),
    E_MAPPING: bit(29).of(RC_FINAL_MAPPING),
} }

word! { /// Constant 0 of a stage (Celsius: of both stages).
RC_FACTOR_A {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }

word! { /// Constant 1 of a stage (Celsius: of both stages).
RC_FACTOR_B {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }

word! { /// Constants 0 and 1 of the final combiner.
RC_FINAL_FACTOR {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }

word! { /// Fog colour: the word has red and blue swapped against the method's data.
FOG_COLOR {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }
