//! ROP's words and the surface registers to prepared state.

use super::blend::{Blend, Equation};
use super::stencil::Stencil;
use super::surface::{Color, Plane};
use super::{Bundles, Func, Rop, Zeta};
use isotherm_bus::bundle::{DmaSpan, SurfaceReg};
use isotherm_regs::Chip;
use isotherm_regs::Family;
use isotherm_regs::bundle::CONFIG_B;
use isotherm_regs::bundle::RASTER;
use isotherm_regs::bundle::{
    ALPHA_FUNC_REF, BLEND, BLEND_COLOR, COLOR_MASK, CONFIG_A, MULTISAMPLE, STENCIL_A, STENCIL_B,
    STENCIL_C, STENCIL_D,
};

/// The surface registers as methods wrote them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SurfaceRegs {
    clip: [u32; 2],
    format: u32,
    pitch: u32,
    offset: [u32; 2],
    /// Colour and zeta objects.
    pub dma: [DmaSpan; 2],
}

/// The bound surfaces, prepared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// Where colours go.
    pub color: Option<Plane>,
    /// Where depth and stencil go.
    pub zeta: Option<Plane>,
    /// How colour is stored.
    pub format: Color,
    /// Depth has 24 bits, with eight of stencil; else 16.
    pub z24: bool,
    /// Surface clip in pixels, max exclusive.
    pub clip: [i32; 4],
    /// Samples per pixel, horizontally and vertically.
    pub scale: (u32, u32),
}

impl SurfaceRegs {
    /// Keeps a register. Says whether it changed.
    pub fn set(&mut self, reg: SurfaceReg, value: u32) -> bool {
        let word = match reg {
            SurfaceReg::ClipHoriz => &mut self.clip[0],
            SurfaceReg::ClipVert => &mut self.clip[1],
            SurfaceReg::Format => &mut self.format,
            SurfaceReg::Pitch => &mut self.pitch,
            SurfaceReg::ColorOffset => &mut self.offset[0],
            SurfaceReg::ZetaOffset => &mut self.offset[1],
        };
        let changed = *word != value;
        *word = value;
        changed
    }

    /// Derives the bound surfaces.
    pub fn prepare(&self, chip: Chip) -> Surfaces {
        let rankine = chip.since(Chip::Nv30);
        let (color, zeta) = if rankine {
            (self.format & 31, self.format >> 5 & 7)
        } else {
            (self.format & 15, self.format >> 4 & 15)
        };
        let format = color_format(color);
        // Celsius numbers Z24S8 0, the later ones 2.
        let z24 = match chip.family() {
            Family::Celsius => zeta & 3 != 1,
            _ => zeta != 1,
        };
        let scale = match self.format >> 12 & 15 {
            1 if !rankine => (2, 1),
            2 if !rankine => (2, 2),
            3 if rankine => (2, 1),
            4 if rankine => (2, 2),
            _ => (1, 1),
        };
        let swizzle = (self.format >> 8 & 15 == 2)
            .then_some((self.format >> 16 & 15, self.format >> 24 & 15));
        let origin = |w: u32| (w & 0xffff) as i32;
        let end = |w: u32| (w & 0xffff) as i32 + (w >> 16) as i32;
        let clip = [
            origin(self.clip[0]),
            origin(self.clip[1]),
            end(self.clip[0]),
            end(self.clip[1]),
        ];
        let plane = |i: usize, bytes: u32, pitch: u32| {
            let span = self.dma[i];
            let offset = self.offset[i];
            let room = (u64::from(span.limit) + 1).saturating_sub(u64::from(offset));
            // An object that was never attached has no memory.
            (span != DmaSpan::default() && room != 0).then_some(Plane {
                address: span.base.wrapping_add(offset),
                end: room as usize,
                pitch: pitch as usize,
                bytes,
                swizzle,
                scale,
            })
        };
        Surfaces {
            color: format.and_then(|f| plane(0, f.bytes(), self.pitch & 0xffff)),
            zeta: if zeta == 0 && chip.family() != Family::Celsius {
                None
            } else {
                plane(1, if z24 { 4 } else { 2 }, self.pitch >> 16)
            },
            format: format.unwrap_or_default(),
            z24,
            clip,
            scale,
        }
    }
}

fn color_format(code: u32) -> Option<Color> {
    Some(match code {
        1 => Color::X1R5G5B5 { ones: false },
        2 => Color::X1R5G5B5 { ones: true },
        3 => Color::R5G6B5,
        4 => Color::X8R8G8B8 { ones: false },
        5 => Color::X8R8G8B8 { ones: true },
        6 => Color::X1A7R8G8B8 { ones: false },
        7 => Color::X1A7R8G8B8 { ones: true },
        8 => Color::A8R8G8B8,
        9 => Color::B8,
        10 => Color::G8B8,
        15 => Color::A8B8G8R8 { forced: Some(true) },
        16 => Color::A8B8G8R8 { forced: None },
        _ => return None,
    })
}

impl Surfaces {
    /// The largest depth that fits.
    pub fn depth_top(&self) -> f32 {
        if self.z24 { 16_777_215.0 } else { 65_535.0 }
    }
}

impl Rop {
    /// Derives the state for the bound surfaces.
    pub fn prepare(chip: Chip, bundles: &Bundles, surfaces: &Surfaces) -> Rop {
        let a = bundles.CONFIG_A;
        let on = |field: isotherm_regs::field::Field, word: u32| field.get(chip, word) != 0;
        let func =
            |field: isotherm_regs::field::Field, word: u32| (field.get(chip, word) & 7) as Func;
        let blend_word = bundles.BLEND;
        let multisample = bundles.MULTISAMPLE;
        let mask = color_mask(chip, bundles);
        let channels = surfaces.format.channels();
        let mut bits = 0;
        for ch in 0..4 {
            if mask[ch] {
                bits |= channels[ch];
            }
        }
        let forced = surfaces.format.forced();
        if bits != 0 {
            // Whoever writes a pixel writes its X bits.
            bits |= forced.0;
        }
        let samples = surfaces.scale.0 * surfaces.scale.1;
        Rop {
            alpha: on(CONFIG_A::ALPHA_FUNC_ENABLE, a).then(|| {
                (
                    func(CONFIG_A::ALPHA_FUNC, a),
                    alpha_reference(chip, bundles),
                )
            }),
            stencil: stencil(chip, bundles, a),
            depth: on(CONFIG_A::DEPTH_TEST_ENABLE, a).then(|| func(CONFIG_A::DEPTH_FUNC, a)),
            depth_write: on(CONFIG_A::DEPTH_WRITE_ENABLE, a),
            zeta: Zeta {
                z24: surfaces.z24,
                float: on(RASTER::Z_FORMAT, bundles.RASTER),
            },
            format: surfaces.format,
            bits,
            forced,
            blend: blend(chip, bundles, blend_word),
            logic: on(BLEND::COLOR_LOGIC_OP_ENABLE, blend_word)
                .then(|| BLEND::COLOR_LOGIC_OP_OP.get(chip, blend_word) as u8),
            dither: on(CONFIG_A::DITHER_ENABLE, a),
            count: on(CONFIG_B::ZPASS_COUNTER_ENABLE, bundles.CONFIG_B),
            alpha_to_coverage: on(MULTISAMPLE::ALPHA_TO_COVERAGE, multisample) && samples > 1,
            alpha_to_one: on(MULTISAMPLE::ALPHA_TO_ONE, multisample) && samples > 1,
            sample_mask: if samples > 1 {
                MULTISAMPLE::SAMPLE_COVERAGE.get(chip, multisample)
            } else {
                u32::MAX
            },
        }
    }
}

fn stencil(chip: Chip, bundles: &Bundles, config_a: u32) -> [Option<Stencil>; 2] {
    let a = bundles.STENCIL_A;
    let b = bundles.STENCIL_B;
    if STENCIL_A::STENCIL_ENABLE.get(chip, a) == 0 {
        return [None; 2];
    }
    // Curie lost the separate write switch.
    let write = chip.since(Chip::Nv40) || CONFIG_A::STENCIL_WRITE_ENABLE.get(chip, config_a) != 0;
    let limit = |mask: u32| if write { mask } else { 0 };
    let front = Stencil {
        func: (STENCIL_A::STENCIL_FUNC.get(chip, a) & 7) as Func,
        reference: STENCIL_A::STENCIL_FUNC_REF.get(chip, a),
        func_mask: STENCIL_A::STENCIL_FUNC_MASK.get(chip, a),
        mask: limit(STENCIL_A::STENCIL_MASK.get(chip, a)),
        ops: [
            STENCIL_B::STENCIL_OP_FAIL.get(chip, b) as u8,
            STENCIL_B::STENCIL_OP_ZFAIL.get(chip, b) as u8,
            STENCIL_B::STENCIL_OP_ZPASS.get(chip, b) as u8,
        ],
    };
    if STENCIL_A::STENCIL_BACK_ENABLE.get(chip, a) == 0 {
        return [Some(front); 2];
    }
    let (c, d) = (bundles.STENCIL_C, bundles.STENCIL_D);
    let back = Stencil {
        func: (STENCIL_D::STENCIL_BACK_FUNC.get(chip, d) & 7) as Func,
        reference: STENCIL_D::STENCIL_BACK_FUNC_REF.get(chip, d),
        func_mask: STENCIL_D::STENCIL_BACK_FUNC_MASK.get(chip, d),
        mask: limit(STENCIL_C::STENCIL_BACK_MASK.get(chip, c)),
        ops: [
            STENCIL_C::STENCIL_BACK_OP_FAIL.get(chip, c) as u8,
            STENCIL_C::STENCIL_BACK_OP_ZFAIL.get(chip, c) as u8,
            STENCIL_C::STENCIL_BACK_OP_ZPASS.get(chip, c) as u8,
        ],
    };
    [Some(front), Some(back)]
}

/// Channels of the first target that are written: R, G, B, A.
fn color_mask(chip: Chip, bundles: &Bundles) -> [bool; 4] {
    if chip.since(Chip::Nv40) {
        let mask = COLOR_MASK::MASK.get(chip, bundles.COLOR_MASK);
        return [1, 2, 3, 0].map(|bit| mask >> bit & 1 != 0);
    }
    let word = bundles.CONFIG_A;
    [
        CONFIG_A::COLOR_MASK_R,
        CONFIG_A::COLOR_MASK_G,
        CONFIG_A::COLOR_MASK_B,
        CONFIG_A::COLOR_MASK_A,
    ]
    .map(|field| field.is_set(chip, word))
}

/// The alpha test's reference. Curie's has more bits for float targets; those of eight
/// bits take the lowest.
fn alpha_reference(chip: Chip, bundles: &Bundles) -> u32 {
    if chip.since(Chip::Nv40) {
        ALPHA_FUNC_REF::ALPHA_REF.get(chip, bundles.ALPHA_FUNC_REF) & 0xff
    } else {
        CONFIG_A::ALPHA_REF.get(chip, bundles.CONFIG_A)
    }
}

fn equation(code: u32) -> Equation {
    match code {
        0 => Equation::Subtract,
        1 => Equation::ReverseSubtract,
        3 => Equation::Min,
        4 => Equation::Max,
        5 => Equation::SignedReverseSubtract,
        6 => Equation::SignedAdd,
        7 => Equation::SignedSubtract,
        _ => Equation::Add,
    }
}

fn blend(chip: Chip, bundles: &Bundles, word: u32) -> Option<Blend> {
    let enable = BLEND::BLEND_FUNC_ENABLE.get(chip, word);
    if enable == 0 {
        return None;
    }
    let color = bundles.BLEND_COLOR;
    let factor = |field: isotherm_regs::field::Field| field.get(chip, word) as u8;
    let mut src = [factor(BLEND::BLEND_FACTOR_SRC_0); 2];
    let mut dst = [factor(BLEND::BLEND_FACTOR_DST_0); 2];
    if chip.since(Chip::Nv30) {
        src[1] = factor(BLEND::BLEND_FACTOR_SRC_1);
        dst[1] = factor(BLEND::BLEND_FACTOR_DST_1);
    }
    let mut equations = [equation(BLEND::BLEND_EQUATION.get(chip, word)); 2];
    if chip.since(Chip::Nv40) {
        equations[1] = equation(BLEND::BLEND_EQUATION_1.get(chip, word));
    }
    Some(Blend {
        equation: equations,
        src,
        dst,
        constant: [
            BLEND_COLOR::R.get(chip, color) as i32,
            BLEND_COLOR::G.get(chip, color) as i32,
            BLEND_COLOR::B.get(chip, color) as i32,
            BLEND_COLOR::A.get(chip, color) as i32,
        ],
    })
}

#[cfg(test)]
mod tests;
