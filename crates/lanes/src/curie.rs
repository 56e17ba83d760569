//! The arithmetic of Curie's fragment programs, as the pictures of an RSX show it
//! (docs/accuracy/fragment.md). Numbers are plain singles; what differs is the last bit.

use crate::Simd;

/// Part of a unit in the last place that the multiplier adds before it cuts. The pictures
/// leave 5/16 to 6/16.
const ADDED: f32 = 11.0 / 32.0;

/// Bits of an operand that the adder keeps below the larger one's last.
const GUARD: i32 = 2;

const SIGN: i32 = i32::MIN;
const EXPONENT: i32 = 0x7f80_0000;

/// A product: a constant is added below the last bit, then the rest is cut. What is smaller
/// than any normal number is zero.
#[inline(always)]
pub fn product<S: Simd>(a: S::F, b: S::F) -> S::F {
    let nearest = S::mul(a, b);
    // The unit in the last place, with the product's sign.
    let mask = S::isplat(EXPONENT | SIGN);
    let power = S::from_bits(S::iand(S::to_bits(nearest), mask));
    let added = S::mul(power, S::splat(ADDED / 8_388_608.0));
    // Of a zero there is nothing to add but a zero with its sign.
    let more = S::ne(power, S::splat(0.0));
    S::product_cut_where(more, a, b, added)
}

/// A sum: the smaller operand loses what lies more than two bits below the larger one's
/// last, then the sum is cut.
#[inline(always)]
pub fn sum<S: Simd>(a: S::F, b: S::F) -> S::F {
    let [large, small] = S::by_size(a, b);
    // A number whose sum with anything smaller, cut, keeps what lies above the two bits; what is
    // as large as it has nothing below them. It has the smaller operand's sign.
    let exponent = S::iand(S::to_bits(large), S::isplat(EXPONENT));
    let power = S::less_pairs(exponent, S::isplat(GUARD << 23));
    let bits = S::to_bits(small);
    let power = S::ior(power, S::iand(bits, S::isplat(SIGN)));
    let below = S::ult(bits, power);
    let power = S::from_bits(power);
    let kept = S::sub(S::sum_cut(power, small), power);
    S::sum_cut(large, S::select(below, kept, small))
}

/// [`sum`] of numbers neither of which is above zero if the other is below: what the smaller one
/// would lose lies below the last bit of the sum, which is cut.
#[inline(always)]
pub fn like_sum<S: Simd>(a: S::F, b: S::F) -> S::F {
    S::sum_cut_any(a, b)
}

/// One over the root of a number, as the unit that normalises half floats has it: straight
/// lines over the 32nds of an octave, twelve bits behind the point for numbers from 1/2 to 2,
/// to nearest. Of zero it is a large number; what is no number stays none.
#[inline(always)]
pub fn coarse_root<S: Simd>(x: S::F) -> S::F {
    const UNITS: f32 = 4096.0;
    const WIDTH: i32 = 1 << 18;
    // x = m 4^k, 1/2 <= m < 2.
    let bits = S::to_bits(x);
    let k = S::sar::<24>(S::isub(bits, S::isplat(126 << 23)));
    let m = S::isub(bits, S::shl::<24>(k));
    let start = S::iand(m, S::isplat(!(WIDTH - 1)));
    let end = S::iadd(start, S::isplat(WIDTH));
    let [m, start, end] = [m, start, end].map(S::from_bits);
    let root = |x: S::F| S::div(S::splat(UNITS), S::sqrt(x));
    let (first, last) = (root(start), root(end));
    let along = S::div(S::sub(m, start), S::sub(end, start));
    let line = S::add(first, S::mul(S::sub(last, first), along));
    let near = S::floor(S::add(line, S::splat(0.5)));
    let near = S::mul(near, S::splat(1.0 / UNITS));
    let root = S::from_bits(S::isub(S::to_bits(near), S::shl::<23>(k)));
    S::select(S::eq(x, x), root, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Base, LANES, Lane, Level, Random, dispatch};

    fn one(f: impl Fn(Lane, Lane) -> Lane, a: f32, b: f32) -> f32 {
        f([a; LANES], [b; LANES])[7]
    }

    /// What a number of 24 bits becomes of one with more.
    fn cut(exact: f64, added: f64) -> f64 {
        let scale = 2f64.powi(23 - exact.abs().log2().floor() as i32);
        (exact.abs() * scale + added).floor() / scale * exact.signum()
    }

    #[test]
    fn products_are_cut_above_two_thirds() {
        // Rows of an RSX's picture: t has 24 bits, and 480 t lacks k sixteenths of its last
        // bit to a whole number of halves. Up to 5 of them are made good.
        for k in 0..15u32 {
            let t = (0..480u32).find_map(|row| {
                let exact = f64::from(959 - 2 * row) / 960.0 * 16_777_216.0;
                let lacks = ((exact - exact.floor()) * 15.0).round() as u32;
                (lacks == k && row < 220).then_some((exact.floor() / 16_777_216.0, row))
            });
            let (t, row) = t.unwrap();
            let whole = 479.5 - row as f32;
            let got = one(product::<Base>, t as f32, 480.0);
            assert_eq!(got >= whole, k <= 5, "{k}");
        }
    }

    #[test]
    fn products_and_sums_follow_the_formulas() {
        let mut random = Random::new(7);
        for _ in 0..20_000 {
            let mut number = || {
                let size = 2f64.powi(random.below(24) as i32 - 12);
                (f64::from(random.next_u32()) / 2f64.powi(31) - 1.0) * size
            };
            let (a, b) = (number() as f32, number() as f32);
            if a == 0.0 || b == 0.0 || a == -b {
                continue;
            }
            let exact = f64::from(a) * f64::from(b);
            let got = f64::from(one(product::<Base>, a, b));
            let want = cut(exact, ADDED.into());
            let unit = 2f64.powi(got.abs().log2().floor() as i32 - 24);
            // A power of two has another unit on either side.
            let edge = got.abs().log2().fract() == 0.0;
            assert!(
                got == want || edge && (got - want).abs() <= unit,
                "{a} * {b}"
            );
            let large = f64::from(if a.abs() < b.abs() { b } else { a });
            let unit = 2f64.powi(large.abs().log2().floor() as i32 - 25);
            let trunc = |x: f32| (f64::from(x) / unit).trunc() * unit;
            let want = trunc(a) + trunc(b);
            if want != 0.0 {
                let got = f64::from(one(sum::<Base>, a, b));
                assert_eq!(got, cut(want, 0.0), "{a} + {b}");
            }
        }
    }

    /// Numbers of any size, the smallest ones too.
    #[test]
    fn sums_of_like_numbers_lose_nothing_before_they_are_cut() {
        let mut random = Random::new(11);
        for _ in 0..200_000 {
            let a = random.next_u32() & 0x7fff_ffff;
            // Most of them are not far from each other.
            let b = match random.below(3) {
                0 => random.next_u32() & 0x7fff_ffff,
                _ => (a ^ random.next_u32() & 0x0fff_ffff).wrapping_sub(random.next_u32() >> 6),
            };
            let sign = random.next_u32() & 1 << 31;
            let [a, b] = [a, b & 0x7fff_ffff].map(|bits| f32::from_bits(bits | sign));
            let [long, short] = [sum::<Base>, like_sum::<Base>].map(|f| one(f, a, b));
            assert!(
                long.to_bits() == short.to_bits() || long.is_nan() && short.is_nan(),
                "{a:e} + {b:e}: {long:e}, {short:e}"
            );
        }
    }

    /// The sum as it was formed first: the smaller operand as so many units.
    fn sum_by_units(a: f32, b: f32) -> f32 {
        let [large, small] = Base::by_size([a; LANES], [b; LANES]).map(|x| x[0]);
        let exponent = large.to_bits() as i32 & EXPONENT;
        let depth = (23 + GUARD) << 23;
        let mut cut = small;
        if exponent > depth {
            let unit = f32::from_bits((exponent - depth) as u32);
            cut = (small / unit).trunc() * unit;
        }
        Base::sum_cut([large; LANES], [cut; LANES])[0]
    }

    /// But for numbers whose units are no normal numbers.
    #[test]
    fn sums_are_those_of_units() {
        let mut random = Random::new(13);
        for _ in 0..400_000 {
            let a = random.next_u32();
            let b = match random.below(4) {
                0 => random.next_u32(),
                // Mostly of the other sign, and not far away.
                _ => (a ^ random.next_u32() & 0x8fff_ffff).wrapping_sub(random.next_u32() >> 6),
            };
            let [a, b] = [a, b].map(f32::from_bits);
            if a.abs().max(b.abs()) < 2f32.powi(-100) {
                continue;
            }
            let [new, old] = [one(sum::<Base>, a, b), sum_by_units(a, b)];
            assert!(
                new.to_bits() == old.to_bits() || new.is_nan() && old.is_nan(),
                "{a:e} + {b:e}: {new:e}, {old:e}"
            );
        }
    }

    #[test]
    fn coarse_roots_have_twelve_bits() {
        let root = |x: f32| coarse_root::<Base>([x; LANES])[2];
        for (x, want) in [(1.0, 1.0), (4.0, 0.5), (0.25, 2.0), (64.0, 0.125)] {
            assert_eq!(root(x), want);
        }
        for x in [0.5f32, 0.7, 1.3, 1.999, 2.0, 2.5, 3.99, 1e-6, 12345.0] {
            let scale = 4f32.powi((x.log2() / 2.0 + 0.5).floor() as i32);
            let m = f64::from(x / scale);
            let width = if m < 1.0 { 1.0 / 64.0 } else { 1.0 / 32.0 };
            let start = (m / width).floor() * width;
            let [first, last] = [start, start + width].map(|x| 4096.0 / x.sqrt());
            let line = first + (last - first) * (m - start) / width;
            let want = line.round() as f32 / 4096.0 / scale.sqrt();
            assert_eq!(root(x), want, "{x}");
        }
        assert!(root(0.0).is_finite());
        assert!(root(f32::NAN).is_nan() && root(-f32::NAN).is_nan());
    }

    #[test]
    fn ends_of_the_range_stay() {
        let inf = f32::INFINITY;
        assert_eq!(one(product::<Base>, inf, -2.0), -inf);
        assert!(one(product::<Base>, inf, 0.0).is_nan());
        assert_eq!(one(product::<Base>, -0.0, 3.0).to_bits(), (-0f32).to_bits());
        assert_eq!(one(product::<Base>, 1e30, 1e30), inf);
        let small = 2f32.powi(-63);
        assert_eq!(one(product::<Base>, small, small), small * small);
        assert_eq!(one(product::<Base>, small, small / 2.0), 0.0);
        let negative = one(product::<Base>, small, -small / 4.0);
        assert_eq!(negative.to_bits(), (-0f32).to_bits());
        assert_eq!(one(sum::<Base>, inf, 1.0), inf);
        assert!(one(sum::<Base>, inf, -inf).is_nan());
        assert_eq!(one(sum::<Base>, 0.0, 0.0), 0.0);
        assert_eq!(one(sum::<Base>, 1.5, -1.5), 0.0);
        assert_eq!(one(sum::<Base>, 1e-38, 0.0), 1e-38);
        assert!(one(sum::<Base>, f32::NAN, 1.0).is_nan());
    }

    /// The product as it was formed first: the nearest, and one unit less where that and the
    /// constant together lie below it.
    fn pulled_in(a: f32, b: f32) -> f32 {
        let nearest = a * b;
        let error = (f64::from(a) * f64::from(b) - f64::from(nearest)) as f32;
        let mask = (EXPONENT | SIGN) as u32;
        let power = f32::from_bits(nearest.to_bits() & mask);
        let rest = error + power * (ADDED / 8_388_608.0);
        let inward = rest != 0.0 && !rest.is_nan() && (rest < 0.0) != (nearest < 0.0);
        f32::from_bits(nearest.to_bits() - u32::from(inward))
    }

    #[test]
    fn a_product_is_the_nearest_pulled_in() {
        let mut random = Random::new(31);
        let mut tried = 0;
        while tried < 400_000 {
            let (a, b) = (
                f32::from_bits(random.next_u32()),
                f32::from_bits(random.next_u32()),
            );
            // Where the error itself is rounded, the two differ.
            if a.is_nan() || b.is_nan() || (a * b).abs() < 2f32.powi(-100) {
                continue;
            }
            tried += 1;
            let got = one(product::<Base>, a, b);
            assert_eq!(got.to_bits(), pulled_in(a, b).to_bits(), "{a:e} * {b:e}");
        }
    }

    #[inline(always)]
    fn all_any<S: Simd>(a: &Lane, b: &Lane, out: &mut [Lane; 3]) {
        let (a, b) = (S::load(a), S::load(b));
        S::store(product::<S>(a, b), &mut out[0]);
        S::store(sum::<S>(a, b), &mut out[1]);
        S::store(coarse_root::<S>(S::modify(a, 0x7fff_ffff, 0)), &mut out[2]);
    }

    dispatch! {
        fn all(a: &Lane, b: &Lane, out: &mut [Lane; 3]) = all_any::<Lanes>;
    }

    #[test]
    fn levels_have_the_same_bits() {
        let mut random = Random::new(3);
        for _ in 0..50_000 {
            let mut lane = || std::array::from_fn(|_| f32::from_bits(random.next_u32()));
            let (a, b): (Lane, Lane) = (lane(), lane());
            let bits = |level: Level| {
                let mut out = [[0.0; LANES]; 3];
                all(level, &a, &b, &mut out);
                // Which not-a-number comes out is nobody's business.
                out.map(|lane| lane.map(|x| if x.is_nan() { 9 } else { x.to_bits() }))
            };
            let base = bits(Level::Base);
            for level in Level::available() {
                assert_eq!(bits(level), base, "{a:?} {b:?}");
            }
        }
    }
}
