//! ROP's words and the surface registers to prepared state.

use super::blend::{Blend, Equation};
use super::stencil::Stencil;
use super::surface::{Color, Plane};
use super::{Bundles, Func, Output, Rop, TARGETS, Zeta};
use crate::frag::LANES;
use isotherm_bus::bundle::{DmaRole, DmaSpan, SurfaceReg};
use isotherm_bus::saved::Saved;
use isotherm_lanes::depth;
use isotherm_regs::Chip;
use isotherm_regs::Family;
use isotherm_regs::bundle::CONFIG_B;
use isotherm_regs::bundle::RASTER;
use isotherm_regs::bundle::{
    ALPHA_FUNC_REF, BLEND, BLEND_COLOR, COLOR_MASK, CONFIG_A, MULTISAMPLE, RT_ENABLE, STENCIL_A,
    STENCIL_B, STENCIL_C, STENCIL_D, Z_CONFIG,
};

/// The surface registers as methods wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceRegs {
    clip: [u32; 2],
    format: u32,
    /// Of colour A, zeta, colours B to D.
    pitch: [u32; SURFACES],
    offset: [u32; SURFACES],
    /// Their objects.
    pub dma: [DmaSpan; SURFACES],
    /// RT_ENABLE of Rankine and Curie.
    enable: u32,
}

/// Four colour surfaces and zeta.
const SURFACES: usize = TARGETS + 1;
/// The place of zeta among them; colours B to D are behind it.
const ZETA: usize = 1;

impl Default for SurfaceRegs {
    /// Nothing is bound; the first colour target is on.
    fn default() -> SurfaceRegs {
        SurfaceRegs {
            clip: [0; 2],
            format: 0,
            pitch: [0; SURFACES],
            offset: [0; SURFACES],
            dma: [DmaSpan::default(); SURFACES],
            enable: 1,
        }
    }
}

/// The bound surfaces, prepared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// Where colours go.
    pub color: Option<Plane>,
    /// Where depth and stencil go.
    pub zeta: Option<Plane>,
    /// The colour targets behind the first that is on.
    pub more: [Option<Plane>; TARGETS - 1],
    /// Which colour target `color` is.
    pub first: usize,
    /// How colour is stored.
    pub format: Color,
    /// Depth has 24 bits, with eight of stencil; else 16.
    pub z24: bool,
    /// Surface clip in pixels, max exclusive.
    pub clip: [i32; 4],
    /// Samples per pixel, horizontally and vertically.
    pub scale: (u32, u32),
    /// Where they lie.
    pub spread: Spread,
}

/// How the samples of a pixel lie in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// One at the upper left corner (Kelvin).
    #[default]
    Corner,
    /// Around the centre.
    Centered,
    /// Around the centre, turned.
    Rotated,
}

impl SurfaceRegs {
    /// Keeps a register. Says whether it changed.
    pub fn set(&mut self, reg: SurfaceReg, value: u32) -> bool {
        if reg == SurfaceReg::Pitch {
            let both = [value & 0xffff, value >> 16];
            let changed = self.pitch[..2] != both;
            self.pitch[..2].copy_from_slice(&both);
            return changed;
        }
        let word = match reg {
            SurfaceReg::ClipHoriz => &mut self.clip[0],
            SurfaceReg::ClipVert => &mut self.clip[1],
            SurfaceReg::Format => &mut self.format,
            SurfaceReg::Pitch => &mut self.pitch[0],
            SurfaceReg::ColorOffset => &mut self.offset[0],
            SurfaceReg::ZetaOffset => &mut self.offset[ZETA],
            SurfaceReg::MoreOffset(i) => &mut self.offset[more(i)],
            SurfaceReg::MorePitch(i) => &mut self.pitch[more(i)],
        };
        let changed = *word != value;
        *word = value;
        changed
    }

    /// Attaches an object: that of colour target `number`, or of zeta. Says whether it is
    /// another one.
    pub fn attach(&mut self, role: DmaRole, span: DmaSpan) -> bool {
        let place = match role {
            DmaRole::Color => 0,
            DmaRole::Zeta => ZETA,
            DmaRole::MoreColor(i) => more(i),
            _ => return false,
        };
        std::mem::replace(&mut self.dma[place], span) != span
    }

    /// All words.
    pub fn saved(&mut self, saved: &mut Saved) {
        let SurfaceRegs {
            clip,
            format,
            pitch,
            offset,
            dma,
            enable,
        } = self;
        saved.words(clip);
        saved.words([format, enable]);
        saved.words(pitch);
        saved.words(offset);
        dma.iter_mut().for_each(|span| saved.span(span));
    }

    /// Takes RT_ENABLE.
    pub fn enable(&mut self, word: u32) {
        self.enable = word;
    }

    /// The places of the colour surfaces that are on.
    fn enabled(&self, chip: Chip) -> Vec<usize> {
        if !chip.since(Chip::Nv30) {
            return vec![0];
        }
        let fields = [
            RT_ENABLE::COLOR0,
            RT_ENABLE::COLOR1,
            RT_ENABLE::COLOR2,
            RT_ENABLE::COLOR3,
        ];
        let on = |i: &usize| fields[*i].is_set(chip, self.enable);
        (0..TARGETS)
            .filter(on)
            .map(|i| if i == 0 { 0 } else { i + 1 })
            .collect()
    }

    /// Derives the bound surfaces.
    pub fn prepare(&self, chip: Chip) -> Surfaces {
        let rankine = chip.since(Chip::Nv30);
        let (color, zeta) = if rankine {
            (self.format & 31, self.format >> 5 & 7)
        } else {
            (self.format & 15, self.format >> 4 & 15)
        };
        let format = color_format(chip, color);
        // Celsius numbers Z24S8 0, the later ones 2.
        let z24 = match chip.family() {
            Family::Celsius => zeta & 3 != 1,
            _ => zeta != 1,
        };
        let scale = match self.format >> 12 & 15 {
            1 if !rankine => (2, 1),
            2 if !rankine => (2, 2),
            3 if rankine => (2, 1),
            4 | 5 if rankine => (2, 2),
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
        let targets = self.enabled(chip);
        let target = |i: usize| {
            let place = *targets.get(i)?;
            plane(place, format?.bytes(), self.pitch[place])
        };
        Surfaces {
            color: target(0),
            more: [target(1), target(2), target(3)],
            first: targets.first().map_or(0, |place| place.saturating_sub(1)),
            zeta: if zeta == 0 && chip.family() != Family::Celsius {
                None
            } else {
                plane(ZETA, if z24 { 4 } else { 2 }, self.pitch[ZETA])
            },
            format: format.unwrap_or_default(),
            z24,
            clip,
            scale,
            spread: match self.format >> 12 & 15 {
                3 | 4 if rankine => Spread::Centered,
                5 if rankine => Spread::Rotated,
                _ => Spread::Corner,
            },
        }
    }
}

/// The place of colour surface B, C or D (1 to 3).
fn more(number: u8) -> usize {
    usize::from(number).clamp(1, TARGETS - 1) + ZETA
}

fn color_format(chip: Chip, code: u32) -> Option<Color> {
    let floats = chip.since(Chip::Nv30);
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
        11 if floats => Color::Rgba16f,
        12 if floats => Color::Rgba32f,
        13 if floats => Color::R32f,
        14 => Color::A8B8G8R8 {
            forced: Some(false),
        },
        15 => Color::A8B8G8R8 { forced: Some(true) },
        16 => Color::A8B8G8R8 { forced: None },
        _ => return None,
    })
}

impl Surfaces {
    /// Everything that is drawn to.
    pub fn planes(&self) -> [Option<Plane>; TARGETS + 1] {
        let [b, c, d] = self.more;
        [self.color, self.zeta, b, c, d]
    }

    /// Depth in the buffer's units where a chip's is 1: the largest that fits; on Curie one
    /// more, so that fractions of powers of two are exact.
    pub fn depth_scale(&self, chip: Chip) -> f32 {
        let top = depth::top(self.z24);
        if chip.since(Chip::Nv40) {
            top + 1.0
        } else {
            top
        }
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
        let first = surfaces.first;
        let bits = surfaces.format.written(color_mask(chip, bundles, first));
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
            bounds: bounds(chip, bundles, surfaces),
            depth_write: on(CONFIG_A::DEPTH_WRITE_ENABLE, a),
            zeta: Zeta {
                z24: surfaces.z24,
                float: on(RASTER::Z_FORMAT, bundles.RASTER),
            },
            format: surfaces.format,
            bits,
            forced: surfaces.format.forced(),
            blend: blend(chip, bundles, blend_word, first),
            outputs: outputs(chip, bundles, surfaces),
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

/// The depth bounds test: it asks the depth that is stored.
fn bounds(chip: Chip, bundles: &Bundles, surfaces: &Surfaces) -> Option<[u32; 2]> {
    let zeta = Zeta {
        z24: surfaces.z24,
        float: RASTER::Z_FORMAT.is_set(chip, bundles.RASTER),
    };
    let stored = |word: u32| {
        let z = f32::from_bits(word) * surfaces.depth_scale(chip);
        zeta.convert(&[z; LANES])[0]
    };
    Z_CONFIG::DEPTH_BOUNDS_ENABLE
        .is_set(chip, bundles.Z_CONFIG)
        .then(|| [bundles.DEPTH_BOUNDS_MIN, bundles.DEPTH_BOUNDS_MAX].map(stored))
}

/// What goes to targets that the usual way of a colour does not reach.
fn outputs(chip: Chip, bundles: &Bundles, surfaces: &Surfaces) -> Vec<Output> {
    let format = surfaces.format;
    // Without MRT all of Curie's targets get the first result; Rankine has no such bit.
    let shared = chip.since(Chip::Nv40) && !RT_ENABLE::MRT.is_set(chip, bundles.RT_ENABLE);
    let planes = [surfaces.color].into_iter().chain(surfaces.more);
    let wanted = |(number, plane): &(usize, Option<Plane>)| {
        plane.is_some() && (*number != 0 || format.is_float())
    };
    let made = |(number, _)| {
        let target = surfaces.first + number;
        // Only Curie blends floats, and of them halves.
        let blend = blend(chip, bundles, bundles.BLEND, target)
            .filter(|_| chip.since(Chip::Nv40) || !format.is_float());
        let result = if shared { 0 } else { number };
        let mask = color_mask(chip, bundles, target);
        Output::new((number, result), mask, format, blend)
    };
    planes.enumerate().filter(wanted).map(made).collect()
}

/// Channels of a target that are written: R, G, B, A. Before Curie all have the same.
fn color_mask(chip: Chip, bundles: &Bundles, target: usize) -> [bool; 4] {
    if chip.since(Chip::Nv40) {
        let mask = COLOR_MASK::MASK.get(chip, bundles.COLOR_MASK) >> (4 * target.min(3));
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

/// Blending of a colour target; before Curie all have the same.
fn blend(chip: Chip, bundles: &Bundles, word: u32, target: usize) -> Option<Blend> {
    let enable = match target.checked_sub(1) {
        Some(i) if chip.since(Chip::Nv40) => BLEND::BLEND_MRT_ENABLE.get(chip, word) >> i & 1,
        _ => BLEND::BLEND_FUNC_ENABLE.get(chip, word),
    };
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
