//! Sixteen lanes: the vector layer under every unit.
//!
//! A unit's arithmetic is written once over [`Simd`] (or as plain loops over arrays of
//! [`LANES`] values) and compiled for every [`Level`] by [`dispatch!`]. All levels give the
//! same bits.
//!
//! | what | where |
//! |---|---|
//! | which instructions this processor has | [`Level`] |
//! | the same function for each of them | [`dispatch!`] |
//! | sixteen floats, integers, truths | [`Simd`], with the forms [`Base`], `Avx2`, `Avx512` |
//! | random tests | [`Random`] |
//! | whether programs run as they were prepared | [`step_by_step`] |
//! | bytes, weights of filters | [`fixed`], [`halves`] |
//! | depth buffers' numbers | [`depth`] |
//! | swizzled surfaces and textures | [`morton`] |
//! | Curie's products and sums | [`curie`] |
//! | half floats, exp2, log2, sine, sRGB | [`half`], [`math`], [`srgb`] |

pub mod curie;
pub mod depth;
pub mod fixed;
pub mod half;
pub mod halves;
mod level;
pub mod math;
pub mod morton;
mod programs;
mod random;
mod simd;
pub mod srgb;

pub use level::Level;
pub use programs::step_by_step;
pub use random::Random;
pub use simd::*;

/// Lanes of a block: four quads of pixels, or one AVX-512 register of 32-bit values.
pub const LANES: usize = 16;

/// One float32 per lane.
pub type F = [f32; LANES];
/// One integer per lane.
pub type I = [i32; LANES];
/// One float64 per lane.
pub type D = [f64; LANES];
/// One float32 per lane, as [`Simd`] loads and stores them.
pub type Lane = F;
