//! The fog factor: 8 bits per pixel out of the interpolated fog value.

use super::num::{D, asum3_plain, int, max, min, t24};
use crate::frag::{F, I, LANES};

/// FOG_MODE, prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// t = bias + mult * c per pixel.
    #[default]
    Linear,
    /// t = bias + mult * |c| per pixel.
    LinearAbs,
    /// The exponential curve of t.
    Exp,
    /// The same of |c|.
    ExpAbs,
    /// EXP2 and EXP2_ABS are one curve.
    Exp2,
}

/// Fog state, prepared.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Fog {
    /// There is fog.
    pub enable: bool,
    /// The curve.
    pub mode: Mode,
    /// What is added to the fog value.
    pub bias: f32,
    /// What it is multiplied with.
    pub mult: f32,
}

/// round(255 * 2^(-8 (1 - i/32))): the exponential curve.
const EXP: [i32; 34] = [
    1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 23, 27, 32, 38, 45, 54, 64, 76, 90,
    107, 128, 152, 180, 214, 255, 255,
];

/// round(255 * 2^(-8 (1 - i/32)^2)): the squared exponential curve.
const EXP2: [i32; 34] = [
    1, 1, 2, 3, 4, 5, 7, 9, 11, 15, 19, 23, 29, 36, 44, 53, 64, 75, 88, 102, 117, 132, 148, 164,
    180, 196, 210, 223, 234, 243, 250, 254, 255, 255,
];

/// The curve between two table entries.
#[inline(always)]
fn curve(table: &[i32; 34], v: i32) -> i32 {
    let v = v.clamp(0, 2048);
    let i = (v >> 6) as usize & 63;
    let i = if i > 32 { 32 } else { i };
    let (a, b) = (table[i], table[i + 1]);
    (a * 64 + (b - a) * (v & 63) + 32) >> 6
}

/// bias + mult c: the product and the sum are cut to 24 bits, without guard bits.
// A function: closures do not become part of the vector code around them.
#[inline(always)]
fn linear(bias: f64, mult: f64, c: f64) -> f64 {
    t24(asum3_plain(bias, t24(mult * c), 0.0))
}

/// Twelve fraction bits; far beyond every limit is as good as infinity.
#[inline(always)]
fn fixed(x: f64) -> i32 {
    int((min(max(x, -64.0), 64.0) * 4096.0).floor())
}

/// The straight line's factor.
#[inline(always)]
fn straight(t: f64) -> i32 {
    let v = fixed(t - 1.0);
    let v = if v < 0 { 0 } else { v };
    limited(if v > 4096 { 4096 } else { v })
}

/// The factor of twelve fraction bits between 0 and 1.
#[inline(always)]
fn limited(v: i32) -> i32 {
    let factor = (v - (v >> 8)) >> 4;
    if factor > 255 { 255 } else { factor }
}

/// The factor by a curve that is as high as it gets from the middle on.
#[inline(always)]
fn rising(table: &[i32; 34], t: f64) -> i32 {
    let v = fixed(t - 1.0);
    if v <= 0 {
        0
    } else if t >= 1.5 {
        255
    } else {
        curve(table, v)
    }
}

/// The factor by a curve that is mirrored beyond the middle, rounded up.
#[inline(always)]
fn mirrored(table: &[i32; 34], t: f64) -> i32 {
    let v = if t > 1.5 {
        -fixed(t - 2.0)
    } else {
        fixed(t - 1.0)
    };
    if v <= 0 { 0 } else { curve(table, v) }
}

impl Fog {
    /// Bias and factor of a straight line, and whether it is one of |c|.
    #[inline(always)]
    pub(crate) fn line(&self) -> Option<(f32, f32, bool)> {
        match self.mode {
            Mode::Linear => Some((self.bias, self.mult, false)),
            Mode::LinearAbs => Some((self.bias, self.mult, true)),
            _ => None,
        }
    }

    /// Factors of a block from the finite places on that line. Only from 1 to 2 does it matter
    /// which number it is, and there float32 loses nothing.
    #[inline(always)]
    pub(crate) fn on_line(t: &F) -> I {
        let mut out = [0; LANES];
        for i in 0..LANES {
            let over = t[i] - 1.0;
            let over = if over > 0.0 { over } else { 0.0 };
            let over = if over < 1.0 { over } else { 1.0 };
            // SAFETY: it is between 0 and 4096.
            out[i] = limited(unsafe { (over * 4096.0).to_int_unchecked() });
        }
        out
    }

    /// Factors of a block from the interpolated fog values.
    // The mode is asked outside of the loops, or they would not become vector code.
    #[inline(always)]
    pub(crate) fn run(&self, value: &D) -> I {
        let mut t = *value;
        if self.mode == Mode::LinearAbs {
            for i in 0..LANES {
                t[i] = t[i].abs();
            }
        }
        if matches!(self.mode, Mode::Linear | Mode::LinearAbs) {
            let (bias, mult) = (f64::from(self.bias), f64::from(self.mult));
            for i in 0..LANES {
                t[i] = linear(bias, mult, t[i]);
            }
        }
        for i in 0..LANES {
            // What the 22-bit unit makes of infinities and NaN is +infinity.
            let finite = value[i].is_finite() & t[i].is_finite();
            t[i] = if finite { t[i] } else { f64::INFINITY };
        }
        let mut out = [255; LANES];
        match self.mode {
            Mode::Linear | Mode::LinearAbs => {
                for i in 0..LANES {
                    out[i] = straight(t[i]);
                }
            }
            Mode::Exp => {
                for i in 0..LANES {
                    out[i] = rising(&EXP, t[i]);
                }
            }
            Mode::ExpAbs => {
                for i in 0..LANES {
                    out[i] = mirrored(&EXP, t[i]);
                }
            }
            Mode::Exp2 => {
                for i in 0..LANES {
                    out[i] = mirrored(&EXP2, t[i]);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_rounded_curves() {
        for i in 0..=32 {
            let x = 1.0 - f64::from(i) / 32.0;
            let e1 = (255.0 * 2f64.powf(-8.0 * x)).round() as i32;
            let e2 = (255.0 * 2f64.powf(-8.0 * x * x)).round() as i32;
            assert_eq!(EXP[i as usize], e1, "exp {i}");
            assert_eq!(EXP2[i as usize], e2, "exp2 {i}");
        }
    }

    fn factor(mode: Mode, t: f64) -> i32 {
        Fog {
            enable: true,
            mode,
            bias: 0.0,
            mult: 1.0,
        }
        .run(&[t; LANES])[3]
    }

    #[test]
    fn ends_and_middles() {
        assert_eq!(factor(Mode::Linear, 1.0), 0);
        assert_eq!(factor(Mode::Linear, 2.0), 255);
        assert_eq!(factor(Mode::Linear, 0.5), 0);
        assert_eq!(factor(Mode::Exp, 1.0), 0);
        assert_eq!(factor(Mode::Exp, 1.5), 255);
        assert_eq!(factor(Mode::Exp, 9.0), 255);
        assert_eq!(factor(Mode::Exp2, 1.5), 255);
        assert_eq!(factor(Mode::Exp2, 2.5), 0);
        assert_eq!(factor(Mode::ExpAbs, 1.25), factor(Mode::ExpAbs, 1.75));
    }

    #[test]
    fn exceptional_values_count_as_plus_infinity() {
        for t in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(factor(Mode::Linear, t), 255);
            assert_eq!(factor(Mode::LinearAbs, t), 255);
            assert_eq!(factor(Mode::Exp, t), 255);
            assert_eq!(factor(Mode::ExpAbs, t), 0);
            assert_eq!(factor(Mode::Exp2, t), 0);
        }
    }
}
