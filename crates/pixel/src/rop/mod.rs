//! ROP: alpha, stencil and depth tests, blending, logic operations, colour mask,
//! surfaces, clears, pixel counting.

pub mod blend;
mod bundles;
pub mod clear;
mod explain;
pub mod prepare;
pub mod stencil;
pub mod surface;
mod targets;

pub use bundles::Bundles;

use crate::frag::{F, I, LANES};
use blend::Blend;
use isotherm_bus::memory::SharedBytes;
use isotherm_lanes::{Base, Simd, depth};
use stencil::Stencil;
use surface::{Color, Plane};
pub use targets::{Output, TARGETS};

/// A compare function: bit 0 less, bit 1 equal, bit 2 greater, as the words have it.
pub type Func = u8;

/// Lanes for which `a FUNC b` holds. Both are below 2^31.
#[inline(always)]
pub fn compare(func: Func, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
    Base::compare(func, a, b)
}

/// How depth is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zeta {
    /// Z24S8 if set, else Z16.
    pub z24: bool,
    /// Floating point: e8m16 in 24 bits, e4m12 in 16 bits.
    pub float: bool,
}

impl Zeta {
    /// The same as [`Zeta::convert`] for depth that float32 holds.
    #[inline(always)]
    pub fn convert_wide(self, z: &[f64; LANES]) -> [u32; LANES] {
        let mut out = [0; LANES];
        if self.float {
            let mut narrow = [0.0; LANES];
            for i in 0..LANES {
                narrow[i] = z[i] as f32;
            }
            return self.convert(&narrow);
        }
        let top = f64::from(depth::top(self.z24));
        for i in 0..LANES {
            out[i] = depth::fixed_wide(z[i], top);
        }
        out
    }

    /// Depth in buffer units to the stored number.
    #[inline(always)]
    pub fn convert(self, z: &F) -> [u32; LANES] {
        let mut out = [0; LANES];
        match (self.float, self.z24) {
            (false, z24) => {
                let top = depth::top(z24);
                for i in 0..LANES {
                    out[i] = depth::fixed(z[i], top);
                }
            }
            (true, true) => {
                for i in 0..LANES {
                    out[i] = depth::float24(z[i]);
                }
            }
            (true, false) => {
                for i in 0..LANES {
                    out[i] = depth::float16(z[i]);
                }
            }
        }
        out
    }
}

/// Everything the ROP needs for a draw, prepared.
#[derive(Clone, Debug)]
pub struct Rop {
    /// Compare function and reference.
    pub alpha: Option<(Func, u32)>,
    /// Front and back faces.
    pub(crate) stencil: [Option<Stencil>; 2],
    /// Compare function.
    pub depth: Option<Func>,
    /// Stored depths, the least and the largest, over which pixels are drawn.
    pub bounds: Option<[u32; 2]>,
    /// Pixels that pass write their depth.
    pub depth_write: bool,
    /// How depth is stored.
    pub zeta: Zeta,
    /// How colour is stored.
    pub format: Color,
    /// The word's bits that a pixel changes, colour mask applied.
    pub bits: u32,
    /// Bits whose value the format dictates, and that value.
    pub forced: (u32, u32),
    /// Blending, if it is on.
    pub(crate) blend: Option<Blend>,
    /// The logic operation, if one is on.
    pub logic: Option<u8>,
    /// 16-bit colours are dithered.
    pub dither: bool,
    /// Count pixels that pass.
    pub count: bool,
    /// Alpha becomes a mask of samples.
    pub alpha_to_coverage: bool,
    /// Alpha is 1 from here on.
    pub alpha_to_one: bool,
    /// Samples that are ever written, from SAMPLE_COVERAGE.
    pub sample_mask: u32,
    /// Colour targets besides the first, and the first if it holds floats.
    pub outputs: Vec<Output>,
}

/// What a tile worker draws to.
#[derive(Clone, Copy)]
pub struct Target<'m> {
    /// The colour surface and its memory.
    pub color: Option<(Plane, SharedBytes<'m>)>,
    /// The depth surface and its memory.
    pub zeta: Option<(Plane, SharedBytes<'m>)>,
    /// The colour targets behind the first.
    pub more: [Option<(Plane, SharedBytes<'m>)>; TARGETS - 1],
}

/// Where a block of samples lies.
#[derive(Clone, Copy)]
pub struct At {
    /// Its first pixel's column.
    pub x: i32,
    /// Its first pixel's row.
    pub y: i32,
    /// Sample within the pixel.
    pub sample: (u32, u32),
    /// No lane of the block belongs to anybody else.
    pub whole: bool,
}

/// The outcome of the stencil and depth tests of a block, before anything is
/// written.
#[derive(Clone, Copy)]
pub struct Tested {
    /// Lanes that were tested.
    pub lanes: u16,
    /// Lanes that pass both.
    pub pass: u16,
    /// Lanes whose zeta word changes, and the new words.
    write: u16,
    words: [u32; LANES],
}

impl Rop {
    /// Can a fragment that fails the tests still change something?
    #[inline(always)]
    pub fn fails_silently(&self, tested: &Tested) -> bool {
        tested.write & !tested.pass == 0
    }

    /// Stencil and depth test of the lanes in `mask`; `z` in buffer units.
    #[inline(always)]
    pub fn test(&self, target: &Target<'_>, at: At, mask: u16, z: &F, front: bool) -> Tested {
        let stencil = &self.stencil[usize::from(!front)];
        let mut out = Tested {
            lanes: mask,
            pass: mask,
            write: 0,
            words: [0; LANES],
        };
        let Some((plane, memory)) = &target.zeta else {
            return out;
        };
        if self.depth.is_none() && stencil.is_none() && self.bounds.is_none() {
            return out;
        }
        let old = plane.load(*memory, at.x, at.y, at.sample);
        let shift = if self.zeta.z24 { 8 } else { 0 };
        let mut mask = mask;
        if let Some([least, most]) = self.bounds {
            for i in 0..LANES {
                let inside = (least..=most).contains(&(old[i] >> shift));
                mask &= !(u16::from(!inside) << i);
            }
            out.lanes = mask;
            out.pass = mask;
        }
        let depth = match self.depth {
            None => 0xffff,
            Some(func) => {
                let new = self.zeta.convert(z);
                let mut stored = [0; LANES];
                for i in 0..LANES {
                    stored[i] = old[i] >> shift;
                    out.words[i] = new[i] << shift | old[i] & ((1 << shift) - 1);
                }
                compare(func, &new, &stored)
            }
        };
        let keep = self.depth.is_none() || !self.depth_write;
        if keep {
            out.words = old;
        }
        match stencil {
            Some(stencil) if self.zeta.z24 => {
                let result = stencil.run(&old, mask, depth);
                out.pass = result.pass & depth;
                for i in 0..LANES {
                    let z = if out.pass >> i & 1 != 0 {
                        out.words[i]
                    } else {
                        old[i]
                    };
                    out.words[i] = z & !0xff | result.values[i];
                }
                out.write = if stencil.writes() { mask } else { 0 };
                if !keep {
                    out.write |= out.pass;
                }
            }
            _ => {
                out.pass = mask & depth;
                out.write = if keep { 0 } else { out.pass };
            }
        }
        out
    }

    /// Lanes that pass the alpha test.
    #[inline(always)]
    pub fn alpha_test(&self, mask: u16, alpha: &I) -> u16 {
        match self.alpha {
            None => mask,
            Some((func, reference)) => {
                let mut a = [0; LANES];
                for i in 0..LANES {
                    a[i] = alpha[i] as u32;
                }
                mask & compare(func, &a, &[reference; LANES])
            }
        }
    }

    /// Writes what is left of a block: `alive` lanes passed everything before the
    /// stencil test. Returns the number of pixels that passed.
    #[inline(always)]
    pub fn write(
        &self,
        target: &Target<'_>,
        at: At,
        alive: u16,
        tested: &Tested,
        color: &[I; 4],
    ) -> u32 {
        if let Some((plane, memory)) = &target.zeta {
            let mask = tested.write & alive;
            if mask != 0 {
                plane.store(
                    *memory,
                    at.x,
                    at.y,
                    at.sample,
                    mask,
                    &tested.words,
                    at.whole,
                );
            }
        }
        let pass = tested.pass & alive;
        if pass == 0 {
            return 0;
        }
        if let Some((plane, memory)) = &target.color
            && self.bits != 0
        {
            let words = self.words_over(plane, *memory, at, color, self.bits, self.blend.as_ref());
            plane.store(*memory, at.x, at.y, at.sample, pass, &words, at.whole);
        }
        pass.count_ones()
    }

    /// The words of a block after blending, logic operation and mask.
    #[inline(always)]
    fn words_over(
        &self,
        plane: &Plane,
        memory: SharedBytes<'_>,
        at: At,
        color: &[I; 4],
        bits: u32,
        blend: Option<&Blend>,
    ) -> [u32; LANES] {
        let keeps = bits.count_ones() != 8 * plane.bytes;
        let reads = blend.is_some_and(Blend::reads_destination);
        let old = if keeps || reads || self.logic.is_some() {
            plane.load(memory, at.x, at.y, at.sample)
        } else {
            [0; LANES]
        };
        let mut c = *color;
        if self.dither {
            dither(self.format, at, &mut c);
        }
        if self.alpha_to_one {
            c[3] = [255; LANES];
        }
        if let Some(blend) = blend {
            blend::narrow(self.format, &mut c);
            c = blend.run(&c, &blend::unpack(self.format, &old));
        }
        let mut words = blend::pack(self.format, &c);
        if let Some(op) = self.logic {
            for i in 0..LANES {
                words[i] = blend::logic(op, words[i], old[i]);
            }
        }
        let (forced, ones) = self.forced;
        for i in 0..LANES {
            words[i] = old[i] & !bits | (words[i] & !forced | ones) & bits;
        }
        words
    }
}

/// Ordered dither for 16-bit surfaces. No golden turns dithering on: the 4x4
/// Bayer matrix is the one that fits NVIDIA's other chips' pictures by habit, a
/// guess that one capture with DITHER_ENABLE on a 565 surface would settle.
#[inline(always)]
fn dither(format: Color, at: At, c: &mut [I; 4]) {
    const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    let lost = match format {
        Color::X1R5G5B5 { .. } => [8, 8, 8],
        Color::R5G6B5 => [8, 4, 8],
        _ => return,
    };
    for ch in 0..3 {
        for i in 0..LANES {
            let (x, y) = (at.x as usize + i % 8, at.y as usize + i / 8);
            c[ch][i] = (c[ch][i] + BAYER[y % 4][x % 4] * lost[ch] / 16).min(255);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compare_functions() {
        let a = std::array::from_fn(|i| i as u32);
        let b = [5; LANES];
        assert_eq!(compare(0, &a, &b), 0);
        assert_eq!(compare(1, &a, &b), 0x1f);
        assert_eq!(compare(2, &a, &b), 0x20);
        assert_eq!(compare(3, &a, &b), 0x3f);
        assert_eq!(compare(4, &a, &b), 0xffc0);
        assert_eq!(compare(5, &a, &b), 0xffdf);
        assert_eq!(compare(6, &a, &b), 0xffe0);
        assert_eq!(compare(7, &a, &b), 0xffff);
    }

    fn one(zeta: Zeta, z: f32) -> u32 {
        zeta.convert(&[z; LANES])[7]
    }

    #[test]
    fn depth_formats() {
        let zeta = |z24, float| Zeta { z24, float };
        assert_eq!(one(zeta(true, false), 16777214.0), 0xfffffe);
        assert_eq!(one(zeta(true, false), 1e12), 0xffffff);
        assert_eq!(one(zeta(true, false), -3.0), 0);
        assert_eq!(one(zeta(true, false), f32::NAN), 0);
        assert_eq!(one(zeta(false, false), 99999.0), 0xffff);
        assert_eq!(one(zeta(false, false), 7.9), 7);
        assert_eq!(one(zeta(true, true), 1.0), 0x3f800000 >> 7);
        assert_eq!(one(zeta(true, true), 1e-40), 0);
        // 511.9375 is the largest e4m12 number.
        assert_eq!(one(zeta(false, true), f32::from_bits(0x43fff800)), 0xffff);
        assert_eq!(one(zeta(false, true), 1e30), 0xffff);
        assert_eq!(one(zeta(false, true), 1.0), 0x7f000 - 0x78000);
    }
}
