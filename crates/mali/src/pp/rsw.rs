//! The render state, decoded once per draw.

use crate::words::rsw as f;

/// A face's stencil state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stencil {
    pub(crate) func: u32,
    pub(crate) fail: u32,
    pub(crate) zfail: u32,
    pub(crate) zpass: u32,
    pub(crate) reference: u8,
    pub(crate) mask: u8,
    pub(crate) write: u8,
    /// Counting sees all bits, see [`crate::WhatIf`].
    pub(crate) whole: bool,
}

impl Stencil {
    /// Whether it neither tests nor writes.
    pub(crate) fn idle(&self) -> bool {
        self.func == ALWAYS && (self.write == 0 || self.zfail == 0 && self.zpass == 0)
    }
}

/// Compare function that always passes.
pub(crate) const ALWAYS: u32 = 7;

/// Blend equation numbers.
pub(crate) mod func {
    pub(crate) const SUBTRACT: u32 = 0;
    pub(crate) const REVERSE_SUBTRACT: u32 = 1;
    pub(crate) const LOGIC_OP: u32 = 3;
    pub(crate) const MIN: u32 = 4;
    pub(crate) const MAX: u32 = 5;
}

/// Everything the pixel processor needs to know about a draw.
#[derive(Clone, Debug)]
pub(crate) struct RenderState {
    pub(crate) blend_color: [f32; 4],
    pub(crate) func_rgb: u32,
    pub(crate) func_a: u32,
    pub(crate) src_rgb: u32,
    pub(crate) dst_rgb: u32,
    pub(crate) src_a: u32,
    pub(crate) dst_a: u32,
    pub(crate) logicop: [u32; 2],
    pub(crate) color_mask: u32,
    pub(crate) depth_write: bool,
    pub(crate) depth_func: u32,
    pub(crate) near_clip: bool,
    pub(crate) far_clip: bool,
    pub(crate) frag_depth_reg: usize,
    pub(crate) shader_depth_stencil: bool,
    pub(crate) shader_depth: bool,
    pub(crate) shader_stencil: bool,
    pub(crate) offset_factor: f32,
    pub(crate) offset_units: f32,
    pub(crate) depth_range: [f32; 2],
    /// Front, back.
    pub(crate) stencil: [Stencil; 2],
    pub(crate) alpha_func: u32,
    pub(crate) alpha_ref: u8,
    pub(crate) msaa: bool,
    pub(crate) alpha_to_coverage: bool,
    pub(crate) alpha_to_one: bool,
    pub(crate) sample_mask: u8,
    pub(crate) color_reg: usize,
    pub(crate) color1_reg: usize,
    pub(crate) shader: u32,
    pub(crate) uniforms: u32,
    pub(crate) uniform_size: u32,
    pub(crate) has_uniforms: bool,
    pub(crate) textures: u32,
    pub(crate) sampler_count: usize,
    pub(crate) varyings: u32,
    pub(crate) varying_stride: u32,
    pub(crate) varying_types: [u8; 12],
    pub(crate) front_ccw: bool,
    pub(crate) dither: bool,
}

impl RenderState {
    pub(crate) fn new(w: &[u32]) -> RenderState {
        let byte = |b: crate::words::At| b.get(w) as f32 / 255.0;
        let stencil = |face: usize| {
            let s = [w[f::STENCIL[face]]];
            Stencil {
                func: f::STENCIL_FUNC.get(&s),
                fail: f::STENCIL_FAIL.get(&s),
                zfail: f::STENCIL_ZFAIL.get(&s),
                zpass: f::STENCIL_ZPASS.get(&s),
                reference: f::STENCIL_REF.get(&s) as u8,
                mask: f::STENCIL_MASK.get(&s) as u8,
                write: f::STENCIL_WRITE[face].get(w) as u8,
                whole: false,
            }
        };
        RenderState {
            blend_color: [
                byte(f::BLEND_R),
                byte(f::BLEND_G),
                byte(f::BLEND_B),
                byte(f::BLEND_A),
            ],
            func_rgb: f::FUNC_RGB.get(w),
            func_a: f::FUNC_A.get(w),
            src_rgb: f::SRC_RGB.get(w),
            dst_rgb: f::DST_RGB.get(w),
            src_a: f::SRC_A.get(w),
            dst_a: f::DST_A.get(w),
            logicop: [f::LOGICOP_RGB.get(w), f::LOGICOP_A.get(w)],
            color_mask: f::COLOR_MASK.get(w),
            depth_write: f::DEPTH_WRITE.on(w),
            depth_func: f::DEPTH_FUNC.get(w),
            near_clip: !f::NEAR_CLIP_OFF.on(w),
            far_clip: !f::FAR_CLIP_OFF.on(w),
            frag_depth_reg: f::FRAG_DEPTH_REG.get(w) as usize,
            shader_depth_stencil: f::SHADER_DEPTH_STENCIL.on(w),
            shader_depth: f::SHADER_DEPTH.on(w),
            shader_stencil: f::SHADER_STENCIL.on(w),
            offset_factor: f::OFFSET_FACTOR.signed(w) as f32 / 4.0,
            offset_units: f::OFFSET_UNITS.signed(w) as f32 / 2.0,
            depth_range: [f::DEPTH_NEAR, f::DEPTH_FAR].map(|b| b.get(w) as f32 / 65535.0),
            stencil: [stencil(0), stencil(1)],
            alpha_func: f::ALPHA_FUNC.get(w),
            alpha_ref: f::ALPHA_REF.get(w) as u8,
            msaa: f::MSAA.get(w) & 8 != 0,
            alpha_to_coverage: f::ALPHA_TO_COVERAGE.on(w),
            alpha_to_one: f::ALPHA_TO_ONE.on(w),
            sample_mask: f::SAMPLE_MASK.get(w) as u8,
            color_reg: f::COLOR_REG.get(w) as usize,
            color1_reg: f::COLOR1_REG.get(w) as usize,
            shader: f::SHADER.get(w) << 5,
            uniforms: f::UNIFORMS.get(w) << 4,
            uniform_size: f::UNIFORM_SIZE.get(w),
            has_uniforms: f::HAS_UNIFORMS.on(w),
            textures: f::TEXTURES.get(w) << 4,
            sampler_count: f::SAMPLER_COUNT.get(w) as usize,
            varyings: f::VARYINGS.get(w) << 4,
            varying_stride: f::VARYING_STRIDE.get(w) * 8,
            varying_types: std::array::from_fn(|i| f::varying_type(w, i) as u8),
            front_ccw: f::FRONT_CCW.on(w),
            dither: f::DITHER.on(w),
        }
    }

    /// Whether the colour in the tile matters to the result.
    pub(crate) fn reads_color(&self) -> bool {
        const ONE: u32 = 11;
        const ZERO: u32 = 3;
        const ADD: u32 = 2;
        let plain = self.func_rgb == ADD
            && self.func_a == ADD
            && (self.src_rgb, self.dst_rgb) == (ONE, ZERO)
            && (self.src_a, self.dst_a) == (ONE, ZERO);
        !plain || self.color_mask != 15
    }

    /// Whether a blend factor is the program's second colour.
    pub(crate) fn second_color(&self) -> bool {
        let factors = [self.src_rgb, self.dst_rgb, self.src_a, self.dst_a];
        factors.iter().any(|f| f & 7 == 5)
    }

    /// Whether depth and stencil have to wait for the shader.
    pub(crate) fn late_tests(&self, discards: bool) -> bool {
        discards
            || self.alpha_func != ALWAYS
            || self.alpha_to_coverage
            || self.shader_depth
            || self.shader_depth_stencil
            || self.shader_stencil
    }
}
