//! Half-float rounding of lanes. Registers of the pixel processor hold half
//! floats; here they are singles that a half float can hold.

/// Pixels that one step of a loop works on.
pub(crate) const LANES: usize = 16;
/// One value per pixel.
pub(crate) type Lane = [f32; LANES];

/// Rounds to the nearest half float, ties to even.
pub(crate) trait Round: Copy {
    fn round(x: Lane) -> Lane;
}

/// For processors without conversion instructions.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// With x86's F16C. Use only inside functions compiled for it.
#[derive(Clone, Copy)]
pub(crate) struct F16c;

#[inline(always)]
pub(crate) fn round1(x: f32) -> f32 {
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

impl Round for Portable {
    #[inline(always)]
    fn round(x: Lane) -> Lane {
        x.map(round1)
    }
}

impl Round for F16c {
    #[inline(always)]
    fn round(x: Lane) -> Lane {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::*;
            let mut out = [0.0; LANES];
            for k in 0..LANES / 8 {
                // SAFETY: only reached from functions compiled with f16c after a run-time
                // check; the pointers cover eight floats inside the arrays.
                unsafe {
                    let v = _mm256_loadu_ps(x.as_ptr().add(k * 8));
                    let h = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(v);
                    _mm256_storeu_ps(out.as_mut_ptr().add(k * 8), _mm256_cvtph_ps(h));
                }
            }
            out
        }
        #[cfg(not(target_arch = "x86_64"))]
        x.map(round1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::mali::isa_bits::{f32_to_half, half_to_f32};

    #[test]
    fn both_ways_agree() {
        let mut seed = 3u64;
        for i in 0..200_000 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let mut bits = (seed >> 32) as u32;
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
}
