//! Words: 32 bits with fields, declared by [`word!`](macro@crate::word).
//!
//! Two fields that share a bit on one chip do not compile:
//!
//! ```compile_fail
//! use isotherm_regs::{word, Chip, field::bits};
//! word! { /// Wrong.
//! CLASH {
//!     A: bits(0, 7),
//!     B: bits(7, 9).since(Chip::Nv20),
//! } }
//! ```
//!
//! The same bits on different chips are fine:
//!
//! ```
//! use isotherm_regs::{word, Chip, field::bits};
//! word! { /// Right.
//! MOVED {
//!     /// Left Kelvin.
//!     A: bits(0, 7).until(Chip::Nv20),
//!     /// Came with Kelvin.
//!     B: bits(7, 9).since(Chip::Nv20),
//! } }
//! assert_eq!(MOVED::B.get(Chip::Nv20, 0x380), 7);
//! assert_eq!(MOVED::WORD.mask(Chip::Nv10, 0), 0xff);
//! ```

use crate::chip::Chip;
use crate::field::Field;

/// The table of one word.
#[derive(Debug)]
pub struct Word {
    /// The hardware's own name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its fields, in the page's order.
    pub fields: &'static [Field],
}

impl Word {
    /// The bits that are declared on a chip, in one entry of the word's array.
    pub const fn mask(&self, chip: Chip, entry: u16) -> u32 {
        let mut mask = 0;
        let mut i = 0;
        while i < self.fields.len() {
            if self.fields[i].in_entry(entry) {
                mask |= self.fields[i].mask(chip);
            }
            i += 1;
        }
        mask
    }

    /// The fields that a chip has in an entry, lowest bit first.
    pub fn on(&self, chip: Chip, entry: u16) -> Vec<&'static Field> {
        let mut fields: Vec<_> = self
            .fields
            .iter()
            .filter(|f| f.in_entry(entry) && f.span(chip).is_some())
            .collect();
        fields.sort_by_key(|f| f.span(chip).map(|s| s.lo));
        fields
    }

    /// Finds a field of a chip by name, case-insensitively.
    pub fn field(&self, chip: Chip, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| {
            f.span(chip).is_some()
                && (f.name.eq_ignore_ascii_case(name)
                    || !f.alias.is_empty() && f.alias.eq_ignore_ascii_case(name))
        })
    }

    /// No two fields share a bit on any chip. Evaluated at compile time.
    pub const fn disjoint(&self) -> bool {
        let mut c = 0;
        while c < Chip::ALL.len() {
            let mut seen = 0;
            let mut i = 0;
            while i < self.fields.len() {
                let mask = self.fields[i].mask(Chip::ALL[c]);
                if seen & mask != 0 {
                    return false;
                }
                seen |= mask;
                i += 1;
            }
            c += 1;
        }
        true
    }
}

/// Declares a word: `NAME::FIELD` for code, `NAME::WORD` for everything that
/// walks tables. See the module's documentation.
#[macro_export]
macro_rules! word {
    ($(#[doc = $wdoc:literal])* $name:ident {
        $($(#[doc = $doc:literal])* $field:ident: $bits:expr,)*
    }) => {
        $(#[doc = $wdoc])*
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        pub enum $name {}
        #[allow(missing_docs)] // the hardware's names; what they do not say has a doc line
        impl $name {
            $($(#[doc = $doc])*
            pub const $field: $crate::field::Field =
                ($bits).named(stringify!($field), concat!($($doc,)* ""));)*
            /// The table of fields.
            pub const WORD: $crate::word::Word = $crate::word::Word {
                name: stringify!($name),
                doc: concat!($($wdoc,)* ""),
                fields: &[$($name::$field,)*],
            };
        }
        const _: () = assert!(
            $name::WORD.disjoint(),
            concat!("two fields of ", stringify!($name), " overlap on a chip")
        );
    };
}

/// Declares words of one 32-bit value each: `plain! { /// doc NAME of Kind::Hex; … }`.
#[macro_export]
macro_rules! plain_words {
    ($($(#[doc = $doc:literal])* $name:ident . $field:ident of $kind:expr;)*) => {
        $($crate::word! { $(#[doc = $doc])* $name { $field: $crate::field::bits(0, 31).of($kind), } })*
    };
}
