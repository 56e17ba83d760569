//! Bit ranges inside instructions, which are wider than a word.

/// Bits `lo .. lo + len` of an instruction or of one of its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Lowest bit.
    pub lo: u32,
    /// Number of bits, at most 32.
    pub len: u32,
}

/// `len` bits from bit `lo` on.
pub const fn bits(lo: u32, len: u32) -> Bits {
    assert!(len >= 1 && len <= 32 && lo + len <= 128);
    Bits { lo, len }
}

impl Bits {
    /// The value in `raw`.
    pub const fn get(self, raw: u128) -> u32 {
        ((raw >> self.lo) as u64 & ((1u64 << self.len) - 1)) as u32
    }

    /// Whether a one-bit range is set.
    pub const fn on(self, raw: u128) -> bool {
        self.get(raw) != 0
    }

    /// `raw` with these bits replaced by the low bits of `value`.
    pub const fn put(self, raw: u128, value: u32) -> u128 {
        let mask = ((1u128 << self.len) - 1) << self.lo;
        raw & !mask | ((value as u128) << self.lo) & mask
    }
}

/// What was wrong with an instruction or with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsaError {
    /// Word offset in a program, or line number (from 1) in a text.
    pub at: usize,
    /// What was met and what was expected.
    pub what: String,
}

impl std::fmt::Display for IsaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at {}: {}", self.at, self.what)
    }
}

impl std::error::Error for IsaError {}

/// How a disassembly is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As lima's own dump prints it, which loses some bits.
    Lima,
    /// The assembler's language: nothing is lost. Bits that no part of the
    /// syntax stands for follow their operation as `~0x…` (exclusive or).
    Asm,
}

/// A half float as a single.
pub fn half_to_f32(h: u16) -> f32 {
    let sign = u32::from(h & 0x8000) << 16;
    let exp = u32::from(h >> 10 & 31);
    let man = u32::from(h & 0x3FF);
    match exp {
        0 => {
            let m = man as f32 * (1.0 / 16_777_216.0);
            f32::from_bits(m.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7F80_0000 | man << 13),
        _ => f32::from_bits(sign | (exp + 112) << 23 | man << 13),
    }
}

/// The nearest half float, ties to even; too large gives infinity.
pub fn f32_to_half(x: f32) -> u16 {
    let b = x.to_bits();
    let sign = (b >> 16 & 0x8000) as u16;
    let a = b & 0x7FFF_FFFF;
    if a > 0x7F80_0000 {
        return sign | 0x7C00 | 0x200 | (a >> 13 & 0x3FF) as u16;
    }
    if a < 0x3880_0000 {
        // A half of 0.5 has its last place at 2^-24, where the smallest halves have theirs.
        let r = f32::from_bits(a) + 0.5;
        return sign | (r.to_bits() - 0x3F00_0000) as u16;
    }
    let r = a + 0xFFF + (a >> 13 & 1);
    if r >= 0x4780_0000 {
        return sign | 0x7C00;
    }
    sign | ((r - 0x3800_0000) >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives() {
        for h in 0..=0xFFFFu16 {
            let x = half_to_f32(h);
            if x.is_nan() {
                assert!(half_to_f32(f32_to_half(x)).is_nan());
            } else {
                assert_eq!(f32_to_half(x), h, "{h:#x} {x}");
            }
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        assert_eq!(f32_to_half(1.0 + 1.0 / 2048.0), 0x3C00);
        assert_eq!(f32_to_half(1.0 + 3.0 / 2048.0), 0x3C02);
        assert_eq!(f32_to_half(65519.0), 0x7BFF);
        assert_eq!(f32_to_half(65520.0), 0x7C00);
        assert_eq!(f32_to_half(2f32.powi(-25)), 0);
        assert_eq!(f32_to_half(2f32.powi(-25) * 1.5), 1);
    }

    #[test]
    fn put_get() {
        let b = bits(90, 27);
        let raw = b.put(u128::MAX, 5);
        assert_eq!(b.get(raw), 5);
        assert_eq!(raw.count_zeros(), 25);
    }
}
