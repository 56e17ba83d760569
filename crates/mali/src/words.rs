//! The fields of Mali's records as the machine uses them: which word of a record, and the
//! field's declaration. No bit position stands here; they are all in `isotherm_regs`.

use isotherm_regs::Chip;
use isotherm_regs::field::Field;
use isotherm_regs::mali::words::*;
use isotherm_regs::record::Joined;

const CHIP: Chip = Chip::Mali400;

/// A field of a record; it may go on in the following word, as in texture descriptors.
#[derive(Clone, Copy)]
pub(crate) struct At {
    word: usize,
    low: Field,
    high: Option<Field>,
}

impl At {
    /// The field's value; words that the record lacks count as zero.
    pub(crate) fn get(&self, record: &[u32]) -> u32 {
        let word_at = |i: usize| record.get(i).copied().unwrap_or(0);
        let low = self.low.get(CHIP, word_at(self.word));
        match &self.high {
            None => low,
            Some(high) => low | high.get(CHIP, word_at(self.word + 1)) << width(&self.low),
        }
    }

    /// Whether a flag is set.
    pub(crate) fn on(&self, record: &[u32]) -> bool {
        self.get(record) != 0
    }

    /// The field as a signed number.
    pub(crate) fn signed(&self, record: &[u32]) -> i32 {
        let width = width(&self.low) + self.high.as_ref().map_or(0, width);
        let shift = 32 - width.clamp(1, 32);
        (self.get(record) << shift) as i32 >> shift
    }
}

fn width(field: &Field) -> u32 {
    field.span(CHIP).map_or(0, |s| s.width())
}

const fn at(word: usize, low: Field) -> At {
    At {
        word,
        low,
        high: None,
    }
}

const fn both(joined: Joined) -> At {
    At {
        word: joined.word,
        low: joined.low,
        high: Some(joined.high),
    }
}

/// The render state, 16 words.
pub(crate) mod rsw {
    use super::*;
    pub(crate) const BLEND_B: At = at(0, RSW_BLEND_COLOR_BG::B);
    pub(crate) const BLEND_G: At = at(0, RSW_BLEND_COLOR_BG::G);
    pub(crate) const BLEND_R: At = at(1, RSW_BLEND_COLOR_RA::R);
    pub(crate) const BLEND_A: At = at(1, RSW_BLEND_COLOR_RA::A);
    pub(crate) const FUNC_RGB: At = at(2, RSW_BLEND::EQUATION_RGB);
    pub(crate) const FUNC_A: At = at(2, RSW_BLEND::EQUATION_ALPHA);
    pub(crate) const SRC_RGB: At = at(2, RSW_BLEND::SRC_RGB);
    pub(crate) const DST_RGB: At = at(2, RSW_BLEND::DST_RGB);
    pub(crate) const SRC_A: At = at(2, RSW_BLEND::SRC_ALPHA);
    pub(crate) const DST_A: At = at(2, RSW_BLEND::DST_ALPHA);
    pub(crate) const LOGICOP_RGB: At = at(2, RSW_LOGIC::LOGIC_OP_RGB);
    pub(crate) const LOGICOP_A: At = at(2, RSW_LOGIC::LOGIC_OP_ALPHA);
    pub(crate) const COLOR_MASK: At = at(2, RSW_BLEND::COLOR_MASK);
    pub(crate) const DEPTH_WRITE: At = at(3, RSW_DEPTH::DEPTH_WRITE);
    pub(crate) const DEPTH_FUNC: At = at(3, RSW_DEPTH::DEPTH_FUNC);
    pub(crate) const NEAR_CLIP_OFF: At = at(3, RSW_DEPTH::NEAR_CLIP_DISABLE);
    pub(crate) const FAR_CLIP_OFF: At = at(3, RSW_DEPTH::FAR_CLIP_DISABLE);
    pub(crate) const FRAG_DEPTH_REG: At = at(3, RSW_DEPTH::FRAG_DEPTH_REGISTER);
    pub(crate) const SHADER_DEPTH_STENCIL: At = at(3, RSW_DEPTH::SHADER_WRITES_DEPTH_STENCIL);
    pub(crate) const SHADER_DEPTH: At = at(3, RSW_DEPTH::SHADER_WRITES_DEPTH);
    pub(crate) const SHADER_STENCIL: At = at(3, RSW_DEPTH::SHADER_WRITES_STENCIL);
    pub(crate) const OFFSET_FACTOR: At = at(3, RSW_DEPTH::OFFSET_FACTOR);
    pub(crate) const OFFSET_UNITS: At = at(3, RSW_DEPTH::OFFSET_UNITS);
    pub(crate) const DEPTH_NEAR: At = at(4, RSW_DEPTH_RANGE::NEAR);
    pub(crate) const DEPTH_FAR: At = at(4, RSW_DEPTH_RANGE::FAR);
    /// Words of the front and back stencil state; the fields below are of one such word.
    pub(crate) const STENCIL: [usize; 2] = [5, 6];
    pub(crate) const STENCIL_FUNC: At = at(0, RSW_STENCIL_FRONT::FUNC);
    pub(crate) const STENCIL_FAIL: At = at(0, RSW_STENCIL_FRONT::OP_FAIL);
    pub(crate) const STENCIL_ZFAIL: At = at(0, RSW_STENCIL_FRONT::OP_ZFAIL);
    pub(crate) const STENCIL_ZPASS: At = at(0, RSW_STENCIL_FRONT::OP_ZPASS);
    pub(crate) const STENCIL_REF: At = at(0, RSW_STENCIL_FRONT::REF);
    pub(crate) const STENCIL_MASK: At = at(0, RSW_STENCIL_FRONT::MASK);
    pub(crate) const STENCIL_WRITE: [At; 2] = [
        at(7, RSW_STENCIL_MASK::WRITE_MASK_FRONT),
        at(7, RSW_STENCIL_MASK::WRITE_MASK_BACK),
    ];
    pub(crate) const ALPHA_REF: At = at(7, RSW_STENCIL_MASK::ALPHA_REF);
    pub(crate) const ALPHA_FUNC: At = at(8, RSW_MULTISAMPLE::ALPHA_FUNC);
    pub(crate) const MSAA: At = at(8, RSW_MULTISAMPLE::MSAA);
    pub(crate) const ALPHA_TO_COVERAGE: At = at(8, RSW_MULTISAMPLE::ALPHA_TO_COVERAGE);
    pub(crate) const ALPHA_TO_ONE: At = at(8, RSW_MULTISAMPLE::ALPHA_TO_ONE);
    pub(crate) const SAMPLE_MASK: At = at(8, RSW_MULTISAMPLE::SAMPLE_MASK);
    pub(crate) const COLOR_REG: At = at(8, RSW_MULTISAMPLE::FRAG_COLOR_REGISTER0);
    pub(crate) const SHADER: At = at(9, RSW_SHADER::ADDRESS);
    pub(crate) const UNIFORM_SIZE: At = at(11, RSW_UNIFORMS::SIZE_CODE);
    pub(crate) const UNIFORMS: At = at(11, RSW_UNIFORMS::ADDRESS);
    pub(crate) const TEXTURES: At = at(12, RSW_TEXTURES::ADDRESS);
    pub(crate) const VARYING_STRIDE: At = at(13, RSW_AUX0::VARYING_STRIDE);
    pub(crate) const HAS_UNIFORMS: At = at(13, RSW_AUX0::HAS_UNIFORMS);
    pub(crate) const EARLY_Z: At = at(13, RSW_AUX0::EARLY_Z);
    pub(crate) const PIXEL_KILL: At = at(13, RSW_AUX0::PIXEL_KILL);
    pub(crate) const SAMPLER_COUNT: At = at(13, RSW_AUX0::SAMPLER_COUNT);
    pub(crate) const COLOR1_REG: At = at(13, RSW_AUX0::FRAG_COLOR1_REGISTER);
    pub(crate) const FRONT_CCW: At = at(14, RSW_AUX1::FRONT_FACE_CCW);
    pub(crate) const DITHER: At = at(14, RSW_AUX1::DITHER);
    pub(crate) const VARYINGS: At = at(15, RSW_VARYINGS::ADDRESS);

    /// Type of a varying, 0…11.
    pub(crate) fn varying_type(record: &[u32], index: usize) -> u32 {
        const TYPES: [At; 10] = [
            at(10, RSW_VARYING_TYPES::TYPE0),
            at(10, RSW_VARYING_TYPES::TYPE1),
            at(10, RSW_VARYING_TYPES::TYPE2),
            at(10, RSW_VARYING_TYPES::TYPE3),
            at(10, RSW_VARYING_TYPES::TYPE4),
            at(10, RSW_VARYING_TYPES::TYPE5),
            at(10, RSW_VARYING_TYPES::TYPE6),
            at(10, RSW_VARYING_TYPES::TYPE7),
            at(10, RSW_VARYING_TYPES::TYPE8),
            at(10, RSW_VARYING_TYPES::TYPE9),
        ];
        match index {
            0..=9 => TYPES[index].get(record),
            10 => record.try_into().map_or(0, rsw_varying_type10),
            _ => at(15, RSW_VARYINGS::TYPE11).get(record),
        }
    }
}

/// The texture descriptor, 16 words.
pub(crate) mod tex {
    use super::*;
    pub(crate) const FORMAT: At = at(0, TEX_DESC0::FORMAT);
    pub(crate) const REVERSE: At = at(0, TEX_DESC0::REVERSE_COMPONENT_ORDER);
    pub(crate) const SWAP_RB: At = at(0, TEX_DESC0::SWAP_RB);
    pub(crate) const RANGE: At = at(0, TEX_DESC0::RANGE);
    pub(crate) const SIGNED: At = at(0, TEX_DESC0::HAS_SIGNED_COMPONENTS);
    pub(crate) const STRIDE: At = at(0, TEX_DESC0::STRIDE);
    pub(crate) const UNNORM: At = at(1, TEX_DESC1::UNNORM_COORDS);
    pub(crate) const CUBE: At = at(1, TEX_DESC1::CUBE_MAP);
    pub(crate) const DIM: At = at(1, TEX_DESC1::SAMPLER_DIM);
    pub(crate) const MIN_LOD: At = at(1, TEX_DESC1::MIN_LOD);
    pub(crate) const MAX_LOD: At = at(1, TEX_DESC1::MAX_LOD);
    pub(crate) const LOD_BIAS: At = both(TEX_LOD_BIAS);
    pub(crate) const HAS_STRIDE: At = at(2, TEX_DESC2::HAS_STRIDE);
    pub(crate) const MIPFILTER: At = at(2, TEX_DESC2::MIP_FILTER);
    pub(crate) const MIN_NEAREST: At = at(2, TEX_DESC2::MIN_FILTER_NEAREST);
    pub(crate) const MAG_NEAREST: At = at(2, TEX_DESC2::MAG_FILTER_NEAREST);
    pub(crate) const WRAP_S: At = at(2, TEX_DESC2::WRAP_S);
    pub(crate) const WRAP_T: At = at(2, TEX_DESC2::WRAP_T);
    pub(crate) const WRAP_R: At = at(2, TEX_DESC2::WRAP_R);
    pub(crate) const WIDTH: At = both(TEX_WIDTH);
    pub(crate) const HEIGHT: At = at(3, TEX_DESC3::HEIGHT);
    pub(crate) const DEPTH: At = at(3, TEX_DESC3::DEPTH);
    pub(crate) const BORDER: [At; 4] = [
        both(TEX_BORDER_R),
        at(4, TEX_DESC4::BORDER_G),
        both(TEX_BORDER_B),
        at(5, TEX_DESC5::BORDER_A),
    ];
    pub(crate) const LAYOUT: At = at(6, TEX_DESC6::LAYOUT);

    /// Address of a level.
    pub(crate) fn level(record: &[u32], level: usize) -> u32 {
        record
            .try_into()
            .map_or(0, |record| texture_level_address(record, level))
    }
}

/// The pixel processor's frame registers.
pub(crate) mod frame {
    use super::*;
    pub(crate) const FP16: At = at(3, PP_FLAGS::FP16_TILEBUFFER);
    pub(crate) const CLEAR_DEPTH: At = at(4, PP_CLEAR_DEPTH::DEPTH);
    pub(crate) const CLEAR_STENCIL: At = at(5, PP_CLEAR_STENCIL::STENCIL);
    pub(crate) const CLEAR_COLOR: usize = 6;
    pub(crate) const RIGHT: At = at(10, PP_BOUNDING_BOX_X::RIGHT);
    pub(crate) const BOTTOM: At = at(11, PP_BOUNDING_BOX_Y::BOTTOM);
    pub(crate) const STACK_SIZE: At = at(13, PP_STACK_SIZE::SIZE);
    pub(crate) const STACK_POINTER: At = at(13, PP_STACK_SIZE::INITIAL);
    pub(crate) const ORIGIN_X: At = at(16, PP_ORIGIN_X::X);
    pub(crate) const ORIGIN_Y: At = at(17, PP_ORIGIN_Y::Y);
    pub(crate) const FLIP_SPRITES: At = at(21, PP_SCALE::FLIP_SPRITES);
    pub(crate) const FLIP_FRAGCOORD: At = at(21, PP_SCALE::FLIP_FRAGCOORD);
    pub(crate) const FLIP_DERIVATIVES: At = at(21, PP_SCALE::FLIP_DERIVATIVES);
    pub(crate) const CHANNEL_BITS: [At; 4] = [
        at(22, PP_CHANNEL_LAYOUT::R),
        at(22, PP_CHANNEL_LAYOUT::G),
        at(22, PP_CHANNEL_LAYOUT::B),
        at(22, PP_CHANNEL_LAYOUT::A),
    ];
    /// Words of the frame registers; then come the number of cores and the rest.
    pub(crate) const WORDS: usize = 23;
    pub(crate) const NUM_PP: usize = 23;
    pub(crate) const WB: usize = 24;
    pub(crate) const WB_WORDS: usize = 12;
    pub(crate) const WB_UNITS: usize = 3;
    pub(crate) const PLB_STREAMS: usize = 60;
    pub(crate) const MAX_PP: usize = 4;
}

/// A write-back unit: which word is what.
pub(crate) mod wb {
    use super::*;
    pub(crate) const TYPE: usize = 0;
    pub(crate) const ADDRESS: usize = 1;
    pub(crate) const FORMAT: usize = 2;
    pub(crate) const LAYOUT: usize = 4;
    pub(crate) const PITCH: usize = 5;
    pub(crate) const MRT_BITS: usize = 7;
    pub(crate) const MRT_PITCH: usize = 8;
    pub(crate) const SWAP_RB: At = at(6, WB_FLAGS::SWAP_RB);
}

/// VS commands: value in the first word, operation in the second.
pub(crate) mod vs {
    use super::*;
    pub(crate) const DRAW_COUNT_LO: At = at(0, VS_DRAW0::COUNT_LO);
    pub(crate) const DRAW_COUNT_HI: At = at(1, VS_DRAW1::COUNT_HI);
    pub(crate) const SHADER_INSTRS: At = at(0, VS_SHADER_INFO::SIZE);
    pub(crate) const VARYINGS: At = at(0, VS_COUNTS::VARYINGS);
    pub(crate) const ATTRIBUTES: At = at(0, VS_COUNTS::ATTRIBUTES);
    pub(crate) const UNIFORM_BYTES: At = at(1, VS_SIZE_OP::SIZE);
    /// Attribute table entries.
    pub(crate) const ATTR_STRIDE: At = at(1, VS_ATTRIBUTE::STRIDE);
    pub(crate) const ATTR_TYPE: At = at(1, VS_ATTRIBUTE::TYPE);
    pub(crate) const ATTR_COMPS: At = at(1, VS_ATTRIBUTE::COMPONENTS);
    /// Varying table entries.
    pub(crate) const VARY_STRIDE: At = at(1, VS_VARYING::STRIDE);
    pub(crate) const VARY_KIND: At = at(1, VS_VARYING::FLAGS);
}

/// PLBU commands, likewise.
pub(crate) mod plbu {
    use super::*;
    pub(crate) const COUNT_LO: At = at(0, PLBU_DRAW0::COUNT_LO);
    pub(crate) const COUNT_HI: At = at(1, PLBU_DRAW1::COUNT_HI);
    pub(crate) const START: At = at(0, PLBU_DRAW0::START);
    pub(crate) const MODE: At = at(1, PLBU_DRAW1::MODE);
    pub(crate) const INDEXED: At = at(1, PLBU_DRAW1::INDEXED);
    pub(crate) const POS_ADDR: At = at(1, PLBU_RSW_OP::POSITIONS);
    pub(crate) const INDEX_SIZE: At = at(0, PLBU_PRIMITIVE_SETUP::INDEX_SIZE);
    pub(crate) const FORCE_SIZE: At = at(0, PLBU_PRIMITIVE_SETUP::FORCE_POINT_SIZE);
    pub(crate) const CULL: At = at(0, PLBU_PRIMITIVE_SETUP::CULL);
    pub(crate) const CULL_CW: u32 = PLBU_CULL::CW;
    pub(crate) const CULL_CCW: u32 = PLBU_CULL::CCW;
    pub(crate) const TILES_W: At = at(0, PLBU_TILED_DIMENSIONS::WIDTH);
    pub(crate) const TILES_H: At = at(0, PLBU_TILED_DIMENSIONS::HEIGHT);
    pub(crate) const BLOCKS: At = at(1, PLBU_ARRAY_ADDRESS_OP::BLOCK_NUM);
    pub(crate) const SCISSOR_MINX_LO: At = at(0, PLBU_SCISSOR0::MIN_X_LO);
    pub(crate) const SCISSOR_MINX_HI: At = at(1, PLBU_SCISSOR1::MIN_X_HI);
    pub(crate) const SCISSOR_MAXX: At = at(1, PLBU_SCISSOR1::MAX_X);
    pub(crate) const SCISSOR_MINY: At = at(0, PLBU_SCISSOR0::MIN_Y);
    pub(crate) const SCISSOR_MAXY: At = at(0, PLBU_SCISSOR0::MAX_Y);
}
