//! Half-float rounding, and single steps of the arithmetic on lanes. Registers of Mali's pixel
//! processor hold half floats; here they are singles that a half float can hold.

/// Half floats as words have them; [`round1`] is both in one step.
pub use isotherm_regs::mali::isa_bits::{f32_to_half, half_to_f32};

/// One value per lane from its number. A plain loop: the compiler makes vectors of it in
/// whatever function it stands, which it does not do with closures handed to the library.
#[macro_export]
macro_rules! lanes {
    (|$i:ident| $e:expr) => {{
        let mut lanes = [Default::default(); $crate::LANES];
        for $i in 0..$crate::LANES {
            lanes[$i] = $e;
        }
        lanes
    }};
}

/// The larger, in one instruction; not a number gives `least`.
#[inline(always)]
pub fn at_least(x: f32, least: f32) -> f32 {
    if x > least { x } else { least }
}

/// The smaller, likewise.
#[inline(always)]
pub fn at_most(x: f32, most: f32) -> f32 {
    if x < most { x } else { most }
}

/// Clamps to 0…1; not a number gives 0.
#[inline(always)]
pub fn unit(x: f32) -> f32 {
    at_most(at_least(x, 0.0), 1.0)
}

/// Towards zero; what no integer can hold is clamped.
#[inline(always)]
pub fn to_int(x: f32) -> i32 {
    let x = at_most(at_least(x, -2_147_483_648.0), 2_147_483_520.0);
    // SAFETY: clamped to what an i32 holds, and a number. `as` would clamp once more, lane
    // by lane.
    unsafe { x.to_int_unchecked() }
}

/// Rounds to the nearest half float, ties to even.
#[inline(always)]
pub fn round1(x: f32) -> f32 {
    let b = x.to_bits();
    let sign = b & 0x8000_0000;
    let a = b & 0x7FFF_FFFF;
    let r = (a + 0xFFF + (a >> 13 & 1)) & !0x1FFF;
    // Below 2^-14 the last place stays at 2^-24, which is that of 0.5.
    let small = ((f32::from_bits(a) + 0.5) - 0.5).to_bits();
    let r = if r >= 0x4780_0000 { 0x7F80_0000 } else { r };
    let r = if a < 0x3880_0000 { small } else { r };
    let r = if a > 0x7F80_0000 { 0x7FC0_0000 } else { r };
    f32::from_bits(r | sign)
}

/// The shortest decimal fraction that rounds to the same half float: what a constant was
/// before the compiler rounded it, as likely as not.
pub fn written(x: f32) -> f32 {
    let same = |digits: usize| {
        let text = format!("{x:.digits$e}");
        let decimal: f32 = text.parse().ok()?;
        (round1(decimal) == x).then_some(decimal)
    };
    // Five digits tell all half floats apart.
    (0..5).find_map(same).unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut random = crate::Random::new(3);
        for i in 0..200_000 {
            let mut bits = random.next_u32();
            if i % 2 == 0 {
                // Keep most of them where halves live.
                bits = bits & 0x8000_FFFF | (100 + (bits >> 16) % 48) << 23 | bits & 0x007F_0000;
            }
            let x = f32::from_bits(bits);
            let want = half_to_f32(f32_to_half(x));
            let got = round1(x);
            assert!(
                got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                "{x} {bits:#x}"
            );
        }
    }

    #[test]
    fn constants_as_they_were_written() {
        for x in [2.2, -0.37, 0.1, 0.0, 1000.0, 6.0e-8, 1.5, 12.34] {
            assert_eq!(written(round1(x)), x);
        }
        for half in (0..0x7C00).map(half_to_f32) {
            assert_eq!(round1(written(half)), half);
        }
        assert_eq!(written(f32::INFINITY), f32::INFINITY);
        assert!(written(f32::NAN).is_nan());
    }
}
