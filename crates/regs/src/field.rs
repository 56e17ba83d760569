//! Fields: where bits lie on which chip, and what their values mean.
//!
//! A field is built by `const fn`s so that a declaration reads like the line of
//! the reference page beside it:
//!
//! ```
//! use isotherm_regs::{Chip, field::{Kind, bits}};
//! // bits 24-26 before NV20, bits 16-21 from NV20 on
//! let minify = bits(24, 26).then(Chip::Nv20, 16, 21).of(Kind::Uint);
//! assert_eq!(minify.get(Chip::Nv10, 0x0500_0000), 5);
//! assert_eq!(minify.get(Chip::Nv2a, 0x0006_0000), 6);
//! ```
//!
//! Values are plain numbers, never Rust enums: a number nobody has named stays
//! legal, is shown as such and survives a round trip.

use crate::chip::Chip;

/// The chip after the last one, as a range bound.
const END: u8 = Chip::ALL.len() as u8;

/// The bits a field occupies on a half-open range of chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Lowest bit.
    pub lo: u8,
    /// Highest bit, inclusive.
    pub hi: u8,
    /// First chip, as its place in documentation order.
    since: u8,
    /// First chip that lacks it.
    until: u8,
}

impl Span {
    /// Does it hold on the chip?
    #[inline(always)]
    pub const fn on(&self, chip: Chip) -> bool {
        chip as u8 >= self.since && (chip as u8) < self.until
    }

    /// Number of bits.
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        (self.hi - self.lo + 1) as u32
    }

    /// The bits as a mask of the word.
    #[inline(always)]
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width())) << self.lo
    }

    /// The first chip that has it.
    pub const fn first(&self) -> Chip {
        Chip::ALL[self.since as usize]
    }

    /// The first chip after its range, if chips remain.
    pub const fn end(&self) -> Option<Chip> {
        if self.until < END {
            Some(Chip::ALL[self.until as usize])
        } else {
            None
        }
    }
}

/// One named number of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The number in the word.
    pub value: u32,
    /// Its name.
    pub name: &'static str,
    /// What it means, where the name does not say it.
    pub doc: &'static str,
    /// First chip, and first chip without it, in documentation order.
    range: (u8, u8),
}

impl Value {
    /// A named number on all chips. Used by [`values!`](macro@crate::values).
    pub const fn new(value: u32, name: &'static str, doc: &'static str) -> Self {
        Value {
            value,
            name,
            doc,
            range: (0, END),
        }
    }

    /// Only from this chip on.
    pub const fn since(mut self, chip: Chip) -> Self {
        self.range.0 = chip as u8;
        self
    }

    /// Only before this chip.
    pub const fn until(mut self, chip: Chip) -> Self {
        self.range.1 = chip as u8;
        self
    }

    /// Does the chip have it?
    pub const fn on(&self, chip: Chip) -> bool {
        chip as u8 >= self.range.0 && (chip as u8) < self.range.1
    }

    /// The documentation range, as the pages write it; empty for all chips.
    pub fn range(&self) -> (Option<Chip>, Option<Chip>) {
        (
            (self.range.0 > 0).then(|| Chip::ALL[self.range.0 as usize]),
            (self.range.1 < END).then(|| Chip::ALL[self.range.1 as usize]),
        )
    }
}

/// The named numbers of a field.
#[derive(Debug)]
pub struct Values {
    /// The enumeration's name.
    pub name: &'static str,
    /// What it enumerates.
    pub doc: &'static str,
    /// All of them, ascending within a chip.
    pub list: &'static [Value],
}

impl Values {
    /// What a number is called on a chip.
    pub fn name_of(&self, chip: Chip, value: u32) -> Option<&'static Value> {
        self.list.iter().find(|v| v.value == value && v.on(chip))
    }

    /// The number behind a name on a chip (case-insensitive).
    pub fn by_name(&self, chip: Chip, name: &str) -> Option<u32> {
        self.list
            .iter()
            .find(|v| v.on(chip) && v.name.eq_ignore_ascii_case(name))
            .map(|v| v.value)
    }
}

/// How a field's bits are read.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Unsigned integer.
    Uint,
    /// Two's complement integer.
    Int,
    /// One bit, on or off.
    Bool,
    /// A number that people read in hexadecimal (masks, colours, handles).
    Hex,
    /// Signed fixed point: integer bits (sign included), fraction bits.
    SFixed(u8, u8),
    /// Unsigned fixed point: integer bits, fraction bits.
    UFixed(u8, u8),
    /// IEEE single precision.
    Float32,
    /// Named numbers.
    Enum(&'static Values),
    /// An address or size stored shifted right by this many bits.
    Address(u8),
    /// An unsigned number stored minus one.
    MinusOne,
    /// An unsigned number stored divided by two to this power (the bits are those of the quotient).
    Times(u8),
    /// 0 to 1, all ones is 1.
    Unorm,
    /// The bits exist, their meaning is not known.
    Unknown,
}

/// Declares the named numbers of a field.
///
/// `values! { /// doc NAME { A = 1, B = 2 since Nv20, C = 3 until Nv30, } }` makes
/// `NAME::A` (a `u32`) for code and `NAME` (a [`Kind`]) for [`Field::of`].
#[macro_export]
macro_rules! values {
    ($(#[doc = $edoc:literal])* $name:ident {
        $($(#[doc = $doc:literal])* $value:ident = $number:literal $(since $since:ident)? $(until $until:ident)?,)*
    }) => {
        $(#[doc = $edoc])*
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        pub enum $name {}
        #[allow(missing_docs)] // the names say it; those that do not have a doc line
        impl $name {
            $($(#[doc = $doc])* pub const $value: u32 = $number;)*
            /// The table of names.
            pub const VALUES: &'static $crate::field::Values = &$crate::field::Values {
                name: stringify!($name),
                doc: concat!($($edoc,)* ""),
                list: &[$($crate::field::Value::new($number, stringify!($value), concat!($($doc,)* ""))
                    $(.since($crate::Chip::$since))? $(.until($crate::Chip::$until))?,)*],
            };
        }
        $(#[doc = $edoc])*
        pub const $name: $crate::field::Kind = $crate::field::Kind::Enum($name::VALUES);
    };
}

/// How many layouts one field can have over the generations.
const SPANS: usize = 5;

/// One field of a word.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The hardware's own name; filled in by [`word!`](macro@crate::word).
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    spans: [Span; SPANS],
    count: u8,
    /// First and last array entry that has it.
    entries: (u8, u8),
    /// How its values read.
    pub kind: Kind,
    /// What the reference page calls it, if it had no better name.
    pub alias: &'static str,
    /// Where the declaration comes from, if not from the reference page.
    pub source: &'static str,
    /// What another source says, and why it is not followed.
    pub conflict: &'static str,
}

/// A field of bits `lo..=hi` on all chips.
pub const fn bits(lo: u8, hi: u8) -> Field {
    Field {
        name: "",
        doc: "",
        spans: [span(lo, hi, 0, END); SPANS],
        count: 1,
        entries: (0, u8::MAX),
        kind: Kind::Uint,
        alias: "",
        source: "",
        conflict: "",
    }
}

/// A one-bit switch.
pub const fn bit(n: u8) -> Field {
    bits(n, n).of(Kind::Bool)
}

const fn span(lo: u8, hi: u8, since: u8, until: u8) -> Span {
    assert!(lo <= hi && hi < 32, "a field lies within bits 0 to 31");
    Span {
        lo,
        hi,
        since,
        until,
    }
}

impl Field {
    /// The latest layout holds from this chip on.
    pub const fn since(mut self, chip: Chip) -> Self {
        self.spans[self.count as usize - 1].since = chip as u8;
        self
    }

    /// The latest layout ends before this chip.
    pub const fn until(mut self, chip: Chip) -> Self {
        self.spans[self.count as usize - 1].until = chip as u8;
        self
    }

    /// From this chip on the field lies elsewhere.
    pub const fn then(mut self, chip: Chip, lo: u8, hi: u8) -> Self {
        let last = self.count as usize - 1;
        if self.spans[last].until > chip as u8 {
            self.spans[last].until = chip as u8;
        }
        self.spans[last + 1] = span(lo, hi, chip as u8, END);
        self.count += 1;
        self
    }

    /// The same bits exist on one more range of chips.
    pub const fn also(mut self, from: Chip, until: Chip) -> Self {
        let last = self.spans[self.count as usize - 1];
        self.spans[self.count as usize] = span(last.lo, last.hi, from as u8, until as u8);
        self.count += 1;
        self
    }

    /// Only these entries of the array have it.
    pub const fn entries(mut self, first: u8, last: u8) -> Self {
        self.entries = (first, last);
        self
    }

    /// How the bits read.
    pub const fn of(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// The reference page's name for it.
    pub const fn alias(mut self, name: &'static str) -> Self {
        self.alias = name;
        self
    }

    /// Where it comes from.
    pub const fn src(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }

    /// What another source says.
    pub const fn conflict(mut self, text: &'static str) -> Self {
        self.conflict = text;
        self
    }

    /// Names the field. Used by [`word!`](macro@crate::word).
    pub const fn named(mut self, name: &'static str, doc: &'static str) -> Self {
        self.name = name;
        self.doc = doc;
        self
    }

    /// All layouts.
    pub fn spans(&self) -> &[Span] {
        &self.spans[..self.count as usize]
    }

    /// Where it lies on a chip.
    #[inline(always)]
    pub const fn span(&self, chip: Chip) -> Option<Span> {
        let mut i = 0;
        while i < self.count as usize {
            if self.spans[i].on(chip) {
                return Some(self.spans[i]);
            }
            i += 1;
        }
        None
    }

    /// Is it in this entry of the array?
    pub const fn in_entry(&self, entry: u16) -> bool {
        entry >= self.entries.0 as u16 && entry <= self.entries.1 as u16
    }

    /// First and last entry that has it, if not all do.
    pub const fn entry_range(&self) -> Option<(u8, u8)> {
        match self.entries {
            (0, u8::MAX) => None,
            range => Some(range),
        }
    }

    /// Entry `i` of a field that is an array of `width`-bit numbers.
    #[inline(always)]
    pub const fn entry(mut self, i: u32, width: u32) -> Field {
        let mut n = 0;
        while n < self.count as usize {
            let lo = self.spans[n].lo + (i * width) as u8;
            assert!(lo + width as u8 - 1 <= self.spans[n].hi, "no such entry");
            self.spans[n].lo = lo;
            self.spans[n].hi = lo + width as u8 - 1;
            n += 1;
        }
        self
    }

    /// The field as one chip has it, to be read and written without naming the chip again.
    pub const fn on(mut self, chip: Chip) -> Option<Field> {
        match self.span(chip) {
            Some(span) => {
                self.spans[0] = span;
                self.count = 1;
                Some(self)
            }
            None => None,
        }
    }

    /// Where it lies on every chip that has it.
    #[inline(always)]
    const fn only_span(&self) -> Span {
        assert!(self.count == 1, "the field lies elsewhere on other chips");
        self.spans[0]
    }

    /// Reads a field that lies in the same bits on every chip.
    #[inline(always)]
    pub const fn read(&self, word: u32) -> u32 {
        let span = self.only_span();
        (word & span.mask()) >> span.lo
    }

    /// Is such a field non-zero?
    #[inline(always)]
    pub const fn is_on(&self, word: u32) -> bool {
        word & self.only_span().mask() != 0
    }

    /// Replaces such a field by the value's low bits.
    #[inline(always)]
    pub const fn write(&self, word: &mut u32, value: u32) {
        let span = self.only_span();
        *word = *word & !span.mask() | value << span.lo & span.mask();
    }

    /// The bits of such a field.
    #[inline(always)]
    pub const fn ones(&self) -> u32 {
        self.only_span().mask()
    }

    /// Replaces the field by the value's low bits; nothing happens where the chip lacks it.
    #[inline(always)]
    pub const fn put(&self, chip: Chip, word: &mut u32, value: u32) {
        *word = self.with(chip, *word, value);
    }

    /// Its bits on a chip, as a mask of the word; 0 where the chip lacks it.
    #[inline(always)]
    pub const fn mask(&self, chip: Chip) -> u32 {
        match self.span(chip) {
            Some(span) => span.mask(),
            None => 0,
        }
    }

    /// Reads it; 0 where the chip lacks it.
    #[inline(always)]
    pub const fn get(&self, chip: Chip, word: u32) -> u32 {
        match self.span(chip) {
            Some(span) => (word & span.mask()) >> span.lo,
            None => 0,
        }
    }

    /// Reads it as two's complement.
    #[inline(always)]
    pub const fn get_signed(&self, chip: Chip, word: u32) -> i32 {
        match self.span(chip) {
            Some(span) => ((word << (31 - span.hi)) as i32) >> (31 - span.hi + span.lo),
            None => 0,
        }
    }

    /// Is it non-zero?
    #[inline(always)]
    pub const fn is_set(&self, chip: Chip, word: u32) -> bool {
        word & self.mask(chip) != 0
    }

    /// The word with the field replaced; refuses a value that does not fit and a
    /// chip that lacks the field.
    pub const fn set(&self, chip: Chip, word: u32, value: u32) -> Result<u32, SetError> {
        match self.span(chip) {
            None => Err(SetError::Lacks),
            Some(span) if value > span.mask() >> span.lo => Err(SetError::TooBig {
                max: span.mask() >> span.lo,
            }),
            Some(span) => Ok(word & !span.mask() | value << span.lo),
        }
    }

    /// The word with the field replaced by the value's low bits, as the front end
    /// does it; unchanged where the chip lacks the field.
    #[inline(always)]
    pub const fn with(&self, chip: Chip, word: u32, value: u32) -> u32 {
        match self.span(chip) {
            Some(span) => word & !span.mask() | value << span.lo & span.mask(),
            None => word,
        }
    }
}

/// Why a field could not be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetError {
    /// The chip does not have the field.
    Lacks,
    /// The value needs more bits.
    TooBig {
        /// The largest value that fits.
        max: u32,
    },
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetError::Lacks => f.write_str("this chip does not have the field"),
            SetError::TooBig { max } => write!(f, "the value does not fit, the most is {max:#x}"),
        }
    }
}

impl std::error::Error for SetError {}

#[cfg(test)]
mod tests {
    use super::*;
    use Chip::*;

    #[test]
    fn layouts_follow_the_chip() {
        const F: Field = bits(24, 26).then(Nv20, 16, 21);
        assert_eq!(F.get(Nv18, 0x0700_0000), 7);
        assert_eq!(F.get(Nv20, 0x0700_0000), 0);
        assert_eq!(F.set(Nv2a, 0, 0x3f), Ok(0x003f_0000));
        assert_eq!(F.set(Nv10, 0, 8), Err(SetError::TooBig { max: 7 }));
    }

    #[test]
    fn a_chip_may_lack_a_field() {
        const F: Field = bits(31, 31).since(Nv17).until(Nv20).also(Nv34, Nv40);
        assert_eq!(F.mask(Nv15), 0);
        assert_eq!(F.mask(Nv17), 1 << 31);
        assert_eq!(F.mask(Nv20), 0);
        assert_eq!(F.mask(Nv34), 1 << 31);
        assert_eq!(F.mask(Nv40), 0);
        assert_eq!(F.set(Nv20, 0, 1), Err(SetError::Lacks));
        assert_eq!(F.with(Nv20, 5, 1), 5);
    }

    #[test]
    fn signed() {
        const BIAS: Field = bits(0, 12).of(Kind::SFixed(5, 8));
        assert_eq!(BIAS.get_signed(Nv20, 0xffff_ffff), -1);
        assert_eq!(BIAS.get_signed(Nv20, 0x0fff), 0x0fff);
        assert_eq!(BIAS.get_signed(Nv20, 0x1000), -0x1000);
    }
}
