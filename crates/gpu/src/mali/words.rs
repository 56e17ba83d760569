//! Where the fields of Mali's records lie. The only file of the machine that
//! knows a bit position.

/// Bits `lo .. lo + len` of word `word` of a record; a field may cross into
/// the following word, as texture descriptors do.
#[derive(Clone, Copy)]
pub(crate) struct At(usize, u32, u32);

impl At {
    /// The field's value; words that the record lacks count as zero.
    pub(crate) fn get(self, record: &[u32]) -> u32 {
        let At(word, lo, len) = self;
        let word_at = |i: usize| u64::from(record.get(i).copied().unwrap_or(0));
        let both = word_at(word) | word_at(word + 1) << 32;
        (both >> lo & ((1u64 << len) - 1)) as u32
    }

    /// Whether a flag is set.
    pub(crate) fn on(self, record: &[u32]) -> bool {
        self.get(record) != 0
    }

    /// The field as a signed number.
    pub(crate) fn signed(self, record: &[u32]) -> i32 {
        let shift = 32 - self.2;
        (self.get(record) << shift) as i32 >> shift
    }

    /// The field of a single word.
    pub(crate) fn of(self, word: u32) -> u32 {
        self.get(&[word])
    }
}

const fn at(word: usize, lo: u32, len: u32) -> At {
    At(word, lo, len)
}

/// The render state, 16 words.
pub(crate) mod rsw {
    use super::*;
    pub(crate) const BLEND_B: At = at(0, 0, 8);
    pub(crate) const BLEND_G: At = at(0, 16, 8);
    pub(crate) const BLEND_R: At = at(1, 0, 8);
    pub(crate) const BLEND_A: At = at(1, 16, 8);
    pub(crate) const FUNC_RGB: At = at(2, 0, 3);
    pub(crate) const FUNC_A: At = at(2, 3, 3);
    pub(crate) const SRC_RGB: At = at(2, 6, 5);
    pub(crate) const DST_RGB: At = at(2, 11, 5);
    pub(crate) const SRC_A: At = at(2, 16, 4);
    pub(crate) const DST_A: At = at(2, 20, 4);
    pub(crate) const LOGICOP_RGB: At = at(2, 6, 4);
    pub(crate) const LOGICOP_A: At = at(2, 16, 4);
    pub(crate) const COLOR_MASK: At = at(2, 28, 4);
    pub(crate) const DEPTH_WRITE: At = at(3, 0, 1);
    pub(crate) const DEPTH_FUNC: At = at(3, 1, 3);
    pub(crate) const NEAR_CLIP_OFF: At = at(3, 4, 1);
    pub(crate) const FAR_CLIP_OFF: At = at(3, 5, 1);
    pub(crate) const FRAG_DEPTH_REG: At = at(3, 6, 4);
    pub(crate) const SHADER_DEPTH_STENCIL: At = at(3, 10, 1);
    pub(crate) const SHADER_DEPTH: At = at(3, 11, 1);
    pub(crate) const SHADER_STENCIL: At = at(3, 12, 1);
    pub(crate) const OFFSET_FACTOR: At = at(3, 16, 8);
    pub(crate) const OFFSET_UNITS: At = at(3, 24, 8);
    pub(crate) const DEPTH_NEAR: At = at(4, 0, 16);
    pub(crate) const DEPTH_FAR: At = at(4, 16, 16);
    pub(crate) const STENCIL: [usize; 2] = [5, 6];
    pub(crate) const STENCIL_FUNC: At = at(0, 0, 3);
    pub(crate) const STENCIL_FAIL: At = at(0, 3, 3);
    pub(crate) const STENCIL_ZFAIL: At = at(0, 6, 3);
    pub(crate) const STENCIL_ZPASS: At = at(0, 9, 3);
    pub(crate) const STENCIL_REF: At = at(0, 16, 8);
    pub(crate) const STENCIL_MASK: At = at(0, 24, 8);
    pub(crate) const STENCIL_WRITE: [At; 2] = [at(7, 0, 8), at(7, 8, 8)];
    pub(crate) const ALPHA_REF: At = at(7, 16, 8);
    pub(crate) const ALPHA_FUNC: At = at(8, 0, 3);
    pub(crate) const MSAA: At = at(8, 3, 4);
    pub(crate) const ALPHA_TO_COVERAGE: At = at(8, 7, 1);
    pub(crate) const ALPHA_TO_ONE: At = at(8, 8, 1);
    pub(crate) const SAMPLE_MASK: At = at(8, 12, 4);
    pub(crate) const COLOR_REG: At = at(8, 16, 4);
    pub(crate) const SHADER: At = at(9, 5, 27);
    pub(crate) const UNIFORM_SIZE: At = at(11, 0, 4);
    pub(crate) const UNIFORMS: At = at(11, 4, 28);
    pub(crate) const TEXTURES: At = at(12, 4, 28);
    pub(crate) const VARYING_STRIDE: At = at(13, 0, 5);
    pub(crate) const HAS_UNIFORMS: At = at(13, 7, 1);
    pub(crate) const EARLY_Z: At = at(13, 9, 1);
    pub(crate) const PIXEL_KILL: At = at(13, 12, 1);
    pub(crate) const SAMPLER_COUNT: At = at(13, 14, 14);
    pub(crate) const COLOR1_REG: At = at(13, 28, 4);
    pub(crate) const FRONT_CCW: At = at(14, 12, 1);
    pub(crate) const DITHER: At = at(14, 13, 1);
    pub(crate) const VARYINGS: At = at(15, 4, 28);
    /// Type of a varying, 0…11.
    pub(crate) fn varying_type(record: &[u32], index: usize) -> u32 {
        match index {
            0..=9 => at(10, 3 * index as u32, 3).get(record),
            10 => at(10, 30, 2).get(record) | at(15, 0, 1).get(record) << 2,
            _ => at(15, 1, 3).get(record),
        }
    }
}

/// The texture descriptor, 16 words.
pub(crate) mod tex {
    use super::*;
    pub(crate) const FORMAT: At = at(0, 0, 6);
    pub(crate) const REVERSE: At = at(0, 6, 1);
    pub(crate) const SWAP_RB: At = at(0, 7, 1);
    pub(crate) const RANGE: At = at(0, 8, 2);
    pub(crate) const SIGNED: At = at(0, 10, 1);
    pub(crate) const STRIDE: At = at(0, 16, 15);
    pub(crate) const UNNORM: At = at(1, 7, 1);
    pub(crate) const CUBE: At = at(1, 9, 1);
    pub(crate) const DIM: At = at(1, 10, 2);
    pub(crate) const MIN_LOD: At = at(1, 12, 8);
    pub(crate) const MAX_LOD: At = at(1, 20, 8);
    pub(crate) const LOD_BIAS: At = at(1, 28, 9);
    pub(crate) const HAS_STRIDE: At = at(2, 8, 1);
    pub(crate) const MIPFILTER: At = at(2, 9, 2);
    pub(crate) const MIN_NEAREST: At = at(2, 11, 1);
    pub(crate) const MAG_NEAREST: At = at(2, 12, 1);
    pub(crate) const WRAP_S: At = at(2, 13, 3);
    pub(crate) const WRAP_T: At = at(2, 16, 3);
    pub(crate) const WRAP_R: At = at(2, 19, 3);
    pub(crate) const WIDTH: At = at(2, 22, 13);
    pub(crate) const HEIGHT: At = at(3, 3, 13);
    pub(crate) const DEPTH: At = at(3, 16, 13);
    pub(crate) const BORDER: [At; 4] = [at(3, 29, 16), at(4, 13, 16), at(4, 29, 16), at(5, 13, 16)];
    pub(crate) const LAYOUT: At = at(6, 13, 2);
    /// Address of a level, in units of 64 bytes.
    pub(crate) fn level(record: &[u32], level: usize) -> u32 {
        let bit = 30 + 26 * level as u32;
        at(6 + (bit / 32) as usize, bit % 32, 26).get(record)
    }
}

/// The pixel processor's frame registers.
pub(crate) mod frame {
    use super::*;
    pub(crate) const FP16: At = at(3, 0, 1);
    pub(crate) const CLEAR_DEPTH: At = at(4, 0, 24);
    pub(crate) const CLEAR_STENCIL: At = at(5, 0, 8);
    pub(crate) const CLEAR_COLOR: usize = 6;
    pub(crate) const RIGHT: At = at(10, 0, 14);
    pub(crate) const BOTTOM: At = at(11, 0, 14);
    pub(crate) const ORIGIN_X: At = at(16, 0, 16);
    pub(crate) const ORIGIN_Y: At = at(17, 0, 16);
    pub(crate) const FLIP_SPRITES: At = at(21, 8, 1);
    pub(crate) const FLIP_FRAGCOORD: At = at(21, 10, 1);
    pub(crate) const FLIP_DERIVATIVES: At = at(21, 11, 1);
    pub(crate) const CHANNEL_BITS: [At; 4] =
        [at(22, 0, 4), at(22, 4, 4), at(22, 8, 4), at(22, 12, 4)];
    /// Words of the frame registers; then come the number of cores and the rest.
    pub(crate) const WORDS: usize = 23;
    pub(crate) const NUM_PP: usize = 23;
    pub(crate) const WB: usize = 24;
    pub(crate) const WB_WORDS: usize = 12;
    pub(crate) const WB_UNITS: usize = 3;
    pub(crate) const PLB_STREAMS: usize = 60;
    pub(crate) const MAX_PP: usize = 4;
}

/// A write-back unit.
pub(crate) mod wb {
    pub(crate) const TYPE: usize = 0;
    pub(crate) const ADDRESS: usize = 1;
    pub(crate) const FORMAT: usize = 2;
    pub(crate) const LAYOUT: usize = 4;
    pub(crate) const PITCH: usize = 5;
    pub(crate) const FLAGS: usize = 6;
    pub(crate) const MRT_BITS: usize = 7;
    pub(crate) const MRT_PITCH: usize = 8;
    pub(crate) const SWAP_RB: u32 = 4;
}

/// VS commands: value in the first word, operation in the second.
pub(crate) mod vs {
    use super::*;
    pub(crate) const DRAW_COUNT_LO: At = at(0, 24, 8);
    pub(crate) const DRAW_COUNT_HI: At = at(1, 0, 8);
    pub(crate) const SHADER_INSTRS: At = at(0, 10, 10);
    pub(crate) const VARYINGS: At = at(0, 8, 16);
    pub(crate) const ATTRIBUTES: At = at(0, 24, 8);
    pub(crate) const UNIFORM_VEC4S: At = at(1, 16, 12);
    pub(crate) const SHADER_WORDS: At = at(1, 14, 14);
    /// Attribute and varying table entries.
    pub(crate) const STRIDE: At = at(1, 11, 21);
    pub(crate) const ATTR_TYPE: At = at(1, 2, 9);
    pub(crate) const ATTR_COMPS: At = at(1, 0, 2);
    pub(crate) const VARY_KIND: At = at(1, 0, 11);
}

/// PLBU commands, likewise.
pub(crate) mod plbu {
    use super::*;
    pub(crate) const COUNT_LO: At = at(0, 24, 8);
    pub(crate) const COUNT_HI: At = at(1, 0, 8);
    pub(crate) const START: At = at(0, 0, 24);
    pub(crate) const MODE: At = at(1, 16, 5);
    pub(crate) const POS_ADDR: At = at(1, 0, 28);
    pub(crate) const INDEX_SIZE: At = at(0, 9, 3);
    pub(crate) const FORCE_SIZE: At = at(0, 12, 1);
    pub(crate) const CULL_CW: At = at(0, 17, 1);
    pub(crate) const CULL_CCW: At = at(0, 18, 1);
    pub(crate) const BLOCK_SHIFT_W: At = at(0, 0, 16);
    pub(crate) const BLOCK_SHIFT_H: At = at(0, 16, 12);
    pub(crate) const TILES_W: At = at(0, 24, 8);
    pub(crate) const TILES_H: At = at(0, 8, 16);
    pub(crate) const BLOCKS: At = at(1, 0, 24);
    pub(crate) const SCISSOR_MINX_LO: At = at(0, 30, 2);
    pub(crate) const SCISSOR_MINX_HI: At = at(1, 0, 13);
    pub(crate) const SCISSOR_MAXX: At = at(1, 13, 15);
    pub(crate) const SCISSOR_MINY: At = at(0, 0, 14);
    pub(crate) const SCISSOR_MAXY: At = at(0, 15, 15);
}
