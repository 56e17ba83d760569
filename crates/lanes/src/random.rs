//! The seeded generator of all random tests: the same seed gives the same test everywhere.

/// A 64-bit linear congruential generator (Knuth's MMIX constants).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits; the upper ones are the good ones.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// The next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `limit`, which is not 0.
    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(limit)) >> 32) as u32
    }

    /// A number from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// True once in `times`.
    #[inline]
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of these, which must not be none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_sequence() {
        let mut random = Random::new(7);
        assert_eq!(
            [random.next_u32(), random.next_u32()],
            [0x7e4328bc, 0xf4a61a7f]
        );
    }

    #[test]
    fn numbers_stay_below_their_limit() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5) as usize] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
