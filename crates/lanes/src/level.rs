//! Levels of vector instructions, and the one place where code is compiled for each.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A level that was chosen: its number and one, or 0. Only levels that the processor has.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// A level of vector instructions. Those above the base come only from [`Level::available`] and
/// [`Level::up_to`], where the processor has their instructions: whoever holds one may run code
/// that is compiled for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has.
    Base,
    /// AVX2 and what came with it: F16C, BMI 1 and 2, POPCNT, LZCNT.
    #[non_exhaustive]
    Avx2,
    /// The same and AVX-512 F, BW, DQ and VL.
    #[non_exhaustive]
    Avx512,
}

impl Level {
    /// Is it the one with AVX2 and no more?
    #[inline(always)]
    pub fn is_avx2(self) -> bool {
        self == Level::Avx2
    }

    /// Is it the one with AVX-512?
    #[inline(always)]
    pub fn is_avx512(self) -> bool {
        self == Level::Avx512
    }

    /// The levels that this processor can run and this build has, weakest first.
    pub fn available() -> Vec<Level> {
        [Level::Base, Level::Avx2, Level::Avx512]
            .into_iter()
            .filter(|level| level.supported())
            .collect()
    }

    /// The best of them up to a limit: `base`, `avx2` or `avx512`.
    pub fn up_to(limit: &str) -> Level {
        let limit = match limit {
            "base" => Level::Base,
            "avx2" => Level::Avx2,
            _ => Level::Avx512,
        };
        let levels = Level::available().into_iter();
        levels.filter(|&l| l <= limit).max().unwrap_or(Level::Base)
    }

    /// The level in use: what was chosen, or the best, or what the environment's
    /// `ISOTHERM_SIMD` (`base`, `avx2`, `avx512`) allows.
    pub fn current() -> Level {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        match CHOSEN.load(Ordering::Relaxed) {
            0 => *CURRENT
                .get_or_init(|| Level::up_to(&std::env::var("ISOTHERM_SIMD").unwrap_or_default())),
            1 => Level::Base,
            2 => Level::Avx2,
            _ => Level::Avx512,
        }
    }

    /// From now on all threads take this level, or the usual one: for those who compare levels
    /// with each other. False, and nothing changed, where the processor does not have it.
    pub fn choose(level: Option<Level>) -> bool {
        let number = match level {
            None => 0,
            Some(level) if !level.supported() => return false,
            Some(Level::Base) => 1,
            Some(Level::Avx2) => 2,
            Some(Level::Avx512) => 3,
        };
        CHOSEN.store(number, Ordering::Relaxed);
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn supported(self) -> bool {
        self == Level::Base
    }

    /// Asks for the very features that [`dispatch!`](crate::dispatch) compiles for.
    #[cfg(target_arch = "x86_64")]
    fn supported(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = || {
            has!("avx2")
                && has!("f16c")
                && has!("bmi1")
                && has!("bmi2")
                && has!("popcnt")
                && has!("lzcnt")
        };
        let avx512 = || has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        match self {
            Level::Base => true,
            Level::Avx2 => cfg!(level_avx2) && avx2(),
            Level::Avx512 => cfg!(level_avx512) && avx2() && avx512(),
        }
    }
}

/// Compiles a function once per level and makes another that picks one of them at run time:
///
/// ```
/// # use isotherm_lanes::{dispatch, Level, Simd, LANES};
/// #[inline(always)]
/// fn double_any<S: Simd>(x: &mut [f32; LANES]) {
///     let two = S::add(S::load(x), S::load(x));
///     S::store(two, x);
/// }
/// dispatch! {
///     /// Doubles all lanes.
///     fn double(x: &mut [f32; LANES]) = double_any::<Lanes>;
/// }
/// let mut x = [1.5; LANES];
/// double(Level::current(), &mut x);
/// assert_eq!(x, [3.0; LANES]);
/// ```
///
/// With `::<Lanes>` the function gets the level's form of [`Simd`](crate::Simd); without, its
/// loops are just compiled for the level's instructions. Everything below such a function has
/// to be `inline(always)`, or it stays compiled for the base level. The function itself is
/// never part of another one: that keeps it small, and its values in registers.
#[macro_export]
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
        = $inner:ident::<Lanes>;) => {
        $crate::dispatch! { @
            [$(#[$meta])* $vis] $name ($($arg: $ty),*) ($($ret)?)
            $inner::<$crate::Base>, $inner::<$crate::Avx2>, $inner::<$crate::Avx512>
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
        = $inner:path;) => {
        $crate::dispatch! { @
            [$(#[$meta])* $vis] $name ($($arg: $ty),*) ($($ret)?) $inner, $inner, $inner
        }
    };
    (@ [$(#[$meta:meta])* $vis:vis] $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?)
        $base:expr, $avx2:expr, $avx512:expr) => {
        $(#[$meta])*
        $vis fn $name(level: $crate::Level, $($arg: $ty),*) $(-> $ret)? {
            $crate::with_avx2! {
                #[inline(never)]
                #[target_feature(enable = "avx2,f16c,bmi1,bmi2,popcnt,lzcnt")]
                fn avx2($($arg: $ty),*) $(-> $ret)? {
                    $avx2($($arg),*)
                }
                if level.is_avx2() {
                    // SAFETY: nobody can make a `Level` above the base but `Level::available`,
                    // where the processor has its features.
                    return unsafe { avx2($($arg),*) };
                }
            }
            $crate::with_avx512! {
                #[inline(never)]
                #[target_feature(
                    enable = "avx2,f16c,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl"
                )]
                fn avx512($($arg: $ty),*) $(-> $ret)? {
                    $avx512($($arg),*)
                }
                if level.is_avx512() {
                    // SAFETY: as above.
                    return unsafe { avx512($($arg),*) };
                }
            }
            // A function of its own, or its prologue would come before the choice.
            #[inline(never)]
            fn base($($arg: $ty),*) $(-> $ret)? {
                $base($($arg),*)
            }
            let _ = level;
            base($($arg),*)
        }
    };
}

/// What stands in it is compiled if this build has the AVX2 level.
#[cfg(level_avx2)]
#[macro_export]
macro_rules! with_avx2 { ($($code:tt)*) => { $($code)* }; }

/// What stands in it is compiled if this build has the AVX2 level.
#[cfg(not(level_avx2))]
#[macro_export]
macro_rules! with_avx2 {
    ($($code:tt)*) => {};
}

/// What stands in it is compiled if this build has the AVX-512 level.
#[cfg(level_avx512)]
#[macro_export]
macro_rules! with_avx512 { ($($code:tt)*) => { $($code)* }; }

/// What stands in it is compiled if this build has the AVX-512 level.
#[cfg(not(level_avx512))]
#[macro_export]
macro_rules! with_avx512 {
    ($($code:tt)*) => {};
}
