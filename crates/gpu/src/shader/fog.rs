//! The fog factor of a fragment, from the interpolated fog value.
//!
//! Evidence: Fog, Fog_gen, Fog_param and Fog_exceptional_value goldens; see
//! docs/accuracy/shader.md.

/// Fog mode codes as CONFIG_B holds them.
pub mod mode {
    /// GL_LINEAR
    pub const LINEAR: u32 = 0;
    /// GL_EXP
    pub const EXP: u32 = 1;
    /// GL_EXP2
    pub const EXP2: u32 = 3;
    /// Linear of the absolute coordinate.
    pub const LINEAR_ABS: u32 = 4;
    /// Exp of the absolute coordinate.
    pub const EXP_ABS: u32 = 5;
    /// Exp2 of the absolute coordinate.
    pub const EXP2_ABS: u32 = 7;
}

/// round(255 * 2^(-8 (1 - i/32)))
const EXP: [i32; 33] = [
    1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 23, 27, 32, 38, 45, 54, 64, 76, 90,
    107, 128, 152, 180, 214, 255,
];
/// round(255 * 2^(-8 (1 - i/32)^2))
const EXP2: [i32; 33] = [
    1, 1, 2, 3, 4, 5, 7, 9, 11, 15, 19, 23, 29, 36, 44, 53, 64, 75, 88, 102, 117, 132, 148, 164,
    180, 196, 210, 223, 234, 243, 250, 254, 255,
];

/// The factor 0..=255 (255: no fog) of the fog value `t`.
pub fn factor(mode: u32, t: f32) -> i32 {
    if t.is_nan() || t.is_infinite() && t > 0.0 {
        // The lighting unit's floats have one infinity and no NaN.
        return match mode {
            mode::LINEAR | mode::LINEAR_ABS | mode::EXP => 255,
            _ => 0,
        };
    }
    let d = f64::from(t) - 1.0;
    // 12 fraction bits; far outside, any large number will do.
    let fixed = |x: f64| (x * 4096.0).clamp(-1e6, 1e6);
    match mode {
        mode::LINEAR | mode::LINEAR_ABS => {
            let v = (fixed(d).floor() as i32).clamp(0, 4096);
            ((v - (v >> 8)) >> 4).min(255)
        }
        mode::EXP => curve(&EXP, fixed(d).floor() as i32),
        _ => {
            let table = if mode == mode::EXP_ABS { &EXP } else { &EXP2 };
            let v = if t > 1.5 {
                fixed(1.0 - d).ceil() as i32
            } else {
                fixed(d).floor() as i32
            };
            curve(table, v)
        }
    }
}

fn curve(table: &[i32; 33], v: i32) -> i32 {
    if v <= 0 {
        return 0;
    }
    if v >= 2048 {
        return 255;
    }
    let (i, f) = ((v >> 6) as usize, v & 63);
    (table[i] * 64 + (table[i + 1] - table[i]) * f + 32) >> 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_curves() {
        for i in 0..=32 {
            let x = 1.0 - f64::from(i) / 32.0;
            assert_eq!(
                f64::from(EXP[i as usize]),
                (255.0 * (-8.0 * x).exp2()).round()
            );
            assert_eq!(
                f64::from(EXP2[i as usize]),
                (255.0 * (-8.0 * x * x).exp2()).round()
            );
        }
    }

    #[test]
    fn linear() {
        for (t, f) in [
            (0.0, 0),
            (1.0, 0),
            (1.5, 127),
            (2.0, 255),
            (9.0, 255),
            (-1e30, 0),
            (1e30, 255),
        ] {
            assert_eq!(factor(mode::LINEAR, t), f, "{t}");
            assert_eq!(factor(mode::LINEAR_ABS, t), f, "{t}");
        }
    }

    #[test]
    fn exponential() {
        assert_eq!(factor(mode::EXP, 1.0), 0);
        assert_eq!(factor(mode::EXP, 1.25), 16);
        assert_eq!(factor(mode::EXP, 1.5), 255);
        assert_eq!(factor(mode::EXP, 1.75), 255);
        assert_eq!(factor(mode::EXP_ABS, 1.75), 16);
        assert_eq!(factor(mode::EXP_ABS, 1.25), 16);
        assert_eq!(factor(mode::EXP2, 1.25), 64);
        assert_eq!(factor(mode::EXP2, 1.75), 64);
        assert_eq!(factor(mode::EXP2_ABS, 1.75), 64);
        assert_eq!(factor(mode::EXP2, 2.0), 0);
        // between two entries: 1/64 of the way is a whole step of the 12 bits
        assert_eq!(factor(mode::EXP, 1.0 + 31.5 / 64.0), 235);
    }

    #[test]
    fn exceptional() {
        for t in [f32::INFINITY, f32::NAN] {
            for m in [mode::LINEAR, mode::LINEAR_ABS, mode::EXP] {
                assert_eq!(factor(m, t), 255);
            }
            for m in [mode::EXP_ABS, mode::EXP2, mode::EXP2_ABS] {
                assert_eq!(factor(m, t), 0);
            }
        }
        assert_eq!(factor(mode::EXP, f32::MAX), 255);
        assert_eq!(factor(mode::EXP, f32::MIN), 0);
        assert_eq!(factor(mode::EXP2, f32::MIN), 0);
        assert_eq!(factor(mode::EXP2, f32::MAX), 0);
    }
}
