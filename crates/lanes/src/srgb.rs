//! sRGB's curve between light and the numbers that stand for it, both from 0 to 1.

/// The light that a number stands for.
pub fn to_light(x: f64) -> f64 {
    if x <= 0.04045 {
        x / 12.92
    } else {
        ((x + 0.055) / 1.055).powf(2.4)
    }
}

/// The number that stands for a light.
pub fn from_light(x: f64) -> f64 {
    if x <= 0.003_130_8 {
        12.92 * x
    } else {
        1.055 * x.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for byte in 0..=255 {
            let x = f64::from(byte) / 255.0;
            assert!((from_light(to_light(x)) - x).abs() < 1e-6, "{byte}");
        }
        assert_eq!((to_light(1.0), from_light(1.0)), (1.0, 1.0));
    }
}
