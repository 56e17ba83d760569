//! How a unit listens to the bundles that pass by.
//!
//! Bundles travel through all units in order. Every unit keeps its own registers: it picks the
//! bundles that it knows and passes on the rest. So each unit declares, once and in its own
//! folder, which bundles those are ([`takes!`](macro@crate::takes)), and can read no others:
//! a word that it does not declare is no field of its registers.

use crate::bundle::reset_words;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, Unit};

/// The registers that a unit fills from the bundles that pass by.
pub trait Takes: Default {
    /// The unit.
    const UNIT: Unit;
    /// All bundles that it takes, also those that leave no word in a register.
    const TAKES: &'static [Bundle];

    /// A bundle passes by: keeps its word if the unit knows it. Says whether a register
    /// changed.
    fn take(&mut self, bundle: Bundle, entry: usize, value: u32) -> bool;

    /// The unit's register for an entry of a bundle, if it has one.
    fn register(&self, bundle: Bundle, entry: usize) -> Option<u32>;

    /// The registers of the context that drivers start from.
    fn reset(chip: Chip) -> Self {
        let mut registers = Self::default();
        let words = reset_words(chip);
        for &bundle in Self::TAKES {
            for entry in 0..bundle.row().width() {
                registers.take(bundle, entry, words[bundle.slot() + entry]);
            }
        }
        registers
    }
}

/// The words of a register, one or one per entry of the bundle.
pub trait Entries {
    /// How many.
    const COUNT: usize;
    /// All of them.
    fn entries(&self) -> &[u32];
    /// All of them, to be written.
    fn entries_mut(&mut self) -> &mut [u32];
}

impl Entries for u32 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn entries(&self) -> &[u32] {
        std::slice::from_ref(self)
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [u32] {
        std::slice::from_mut(self)
    }
}

impl<const N: usize> Entries for [u32; N] {
    const COUNT: usize = N;

    #[inline(always)]
    fn entries(&self) -> &[u32] {
        self
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [u32] {
        self
    }
}

/// Declares the bundles that a unit takes, as a struct `Bundles` with one public field per
/// state bundle, named as the hardware names it: a `u32`, or an array where the bundle has
/// several entries. After `also` stand the bundles that it acts on without keeping their word:
/// triggers, and memory objects, whose spans come as an event of their own.
///
/// ```
/// use isotherm_bus::unit::Takes;
/// use isotherm_regs::bundle::{BLEND, CLIP_RECT_HORIZ};
/// isotherm_bus::takes! {
///     /// The bundles that an example takes.
///     Raster: BLEND: u32, CLIP_RECT_HORIZ: [u32; 8];
/// }
/// let mut bundles = Bundles::default();
/// assert!(bundles.take(CLIP_RECT_HORIZ, 3, 7));
/// assert!(!bundles.take(CLIP_RECT_HORIZ, 3, 7), "it is there already");
/// assert_eq!((bundles.CLIP_RECT_HORIZ[3], bundles.BLEND), (7, 0));
/// ```
///
/// What is not declared cannot be read:
///
/// ```compile_fail
/// isotherm_bus::takes! {
///     /// The bundles that an example takes.
///     Raster: BLEND: u32;
/// }
/// let word = Bundles::default().CONFIG_A;
/// ```
///
/// Nor does a register compile that has not as many entries as its bundle:
///
/// ```compile_fail
/// isotherm_bus::takes! {
///     /// The bundles that an example takes.
///     Raster: CLIP_RECT_HORIZ: [u32; 4];
/// }
/// ```
#[macro_export]
macro_rules! takes {
    ($(#[doc = $doc:literal])* $unit:ident:
        $($bundle:ident: $words:ty),* $(,)?; $(also $($also:ident),+ $(,)?)?
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[allow(non_snake_case)] // the hardware's own names
        pub struct Bundles {
            $(#[doc = concat!("The word of the `", stringify!($bundle), "` bundle.")]
            pub $bundle: $words,)*
        }

        $(const _: () = assert!(
            <$words as $crate::unit::Entries>::COUNT
                == $crate::regs::bundle::$bundle.row().width(),
            concat!(stringify!($bundle), " has another number of entries")
        );)*

        impl $crate::unit::Takes for Bundles {
            const UNIT: $crate::regs::bundle::Unit = $crate::regs::bundle::Unit::$unit;
            const TAKES: &'static [$crate::regs::bundle::Bundle] = &[
                $($crate::regs::bundle::$bundle,)*
                $($($crate::regs::bundle::$also,)+)?
            ];

            #[allow(unused_variables)] // `entry`, of a unit that keeps nothing
            fn take(
                &mut self,
                bundle: $crate::regs::bundle::Bundle,
                entry: usize,
                value: u32,
            ) -> bool {
                let word: Option<&mut u32> = match bundle {
                    $($crate::regs::bundle::$bundle => {
                        $crate::unit::Entries::entries_mut(&mut self.$bundle).get_mut(entry)
                    })*
                    _ => None,
                };
                word.is_some_and(|word| std::mem::replace(word, value) != value)
            }

            #[allow(unused_variables)] // `entry`, of a unit that keeps nothing
            fn register(
                &self,
                bundle: $crate::regs::bundle::Bundle,
                entry: usize,
            ) -> Option<u32> {
                match bundle {
                    $($crate::regs::bundle::$bundle => {
                        $crate::unit::Entries::entries(&self.$bundle).get(entry).copied()
                    })*
                    _ => None,
                }
            }
        }
    };
}
