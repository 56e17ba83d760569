//! Where each field lies: one line per field, one column per instruction set.
//!
//! Source: envytools `docs/hw/graph/xf/isa.rst` (the table "Instruction
//! encoding"), checked against the fields that Mesa's nv30 driver writes.

use super::{Isa, Word};

/// A field's place in each instruction set. A set that lacks it reads 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The documentation's name.
    pub name: &'static str,
    /// Lowest bit and width, by [`Isa`]; width 0 where the field is absent.
    at: [(u8, u8); 3],
}

impl Field {
    /// Lowest bit and width; width 0 where the set has no such field.
    pub const fn place(&self, isa: Isa) -> (u8, u8) {
        self.at[isa as usize]
    }

    /// Whether the set has this field.
    pub const fn exists(&self, isa: Isa) -> bool {
        self.place(isa).1 != 0
    }

    /// Largest value that fits.
    pub const fn max(&self, isa: Isa) -> u32 {
        ((1u64 << self.place(isa).1) - 1) as u32
    }

    /// The field's bits, in place.
    pub const fn mask(&self, isa: Isa) -> u128 {
        (self.max(isa) as u128) << self.place(isa).0
    }

    /// The field's value, 0 where it is absent.
    #[inline]
    pub const fn get(&self, isa: Isa, word: Word) -> u32 {
        (word.0 >> self.place(isa).0) as u32 & self.max(isa)
    }

    /// The same, for a single bit.
    #[inline]
    pub const fn is_set(&self, isa: Isa, word: Word) -> bool {
        self.get(isa, word) != 0
    }

    /// Replaces the field; `None` when the value does not fit (a value other
    /// than 0 does not fit an absent field).
    pub const fn set(&self, isa: Isa, word: Word, value: u32) -> Option<Word> {
        if value > self.max(isa) {
            return None;
        }
        Some(Word(
            word.0 & !self.mask(isa) | (value as u128) << self.place(isa).0,
        ))
    }
}

/// `lo..hi` inclusive, or `-`.
macro_rules! place {
    (-) => {
        (0, 0)
    };
    ($lo:literal) => {
        ($lo, 1)
    };
    ($lo:literal $hi:literal) => {
        ($lo, $hi - $lo + 1)
    };
}

macro_rules! fields {
    ($table:ident: $( $(#[$doc:meta])* $name:ident [ $($k:tt)+ ] [ $($r:tt)+ ] [ $($c:tt)+ ]; )*) => {
        $( $(#[$doc])* pub const $name: Field = Field {
            name: stringify!($name),
            at: [place!($($k)+), place!($($r)+), place!($($c)+)],
        }; )*
        /// The fields above, none of which overlap.
        pub const $table: &[Field] = &[$($name),*];
    };
}

fields! { ALL:
    //                    Kelvin    Rankine     Curie
    /// The program ends after this instruction.
    END                   [0]       [0]         [0];
    /// An address register is added to `XFCTX_ADDR`.
    XFCTX_INDEXED         [1]       [1]         [1];
    /// The output takes the scalar result instead of the vector one.
    OUT_IS_SCA            [2]       [-]         [-];
    /// Output or context row that is written.
    OUT_ADDR              [3 10]    [2 10]      [2 6];
    /// 1: `OUT_ADDR` is an output; 0: a context row.
    OUT_TARGET            [11]      [11]        [-];
    /// Output write mask.
    OUT_WM                [12 15]   [-]         [-];
    /// Output write mask of the vector result.
    OUT_WM_VEC            [-]       [12 15]     [-];
    /// Output write mask of the scalar result.
    OUT_WM_SCA            [-]       [16 19]     [-];
    /// Temporary that the scalar result goes to.
    DST_SCA               [-]       [-]         [7 12];
    /// Temporary write mask of the vector result (on Curie its only mask).
    DST_WM_VEC            [24 27]   [20 23]     [13 16];
    /// Temporary that results go to (the vector one's, in a pair).
    DST                   [20 23]   [112 116]   [-];
    /// Temporary write mask of the scalar result (on Curie its only mask).
    DST_WM_SCA            [16 19]   [24 27]     [17 20];
    /// Temporary that the vector result goes to.
    DST_VEC               [-]       [-]         [111 116];
    /// Third source; the scalar unit's only one.
    SRC2                  [28 42]   [28 42]     [21 37];
    /// Second source.
    SRC1                  [43 57]   [43 57]     [38 54];
    /// First source.
    SRC0                  [58 72]   [58 72]     [55 71];
    /// Input row.
    IBUF_ADDR             [73 76]   [73 76]     [72 75];
    /// Not understood.
    UNK77                 [-]       [77]        [-];
    /// Context row.
    XFCTX_ADDR            [77 84]   [78 86]     [76 85];
    /// Vector operation.
    OP_VEC                [85 88]   [87 91]     [86 90];
    /// Scalar operation.
    OP_SCA                [89 91]   [92 96]     [91 95];
    /// Component of the address register.
    ASRC_SWZ              [-]       [97 98]     [96 97];
    /// Swizzle of the condition register.
    CSRC_SWZ              [-]       [99 106]    [98 105];
    /// Condition tested: 1 less, 2 equal, 4 greater, in combination.
    COND_TEST             [-]       [107 109]   [106 108];
    /// Results are written only where the condition holds.
    COND_ENABLE           [-]       [110]       [109];
    /// The condition register is updated.
    CDST_WM               [-]       [111]       [110];
    /// Absolute value of source 0.
    SRC0_ABS              [-]       [117]       [117];
    /// Absolute value of source 1.
    SRC1_ABS              [-]       [118]       [118];
    /// Absolute value of source 2.
    SRC2_ABS              [-]       [119]       [119];
    /// Which address register.
    ASRC                  [-]       [120]       [120];
    /// Which condition register is tested and updated.
    CSRCDST               [-]       [-]         [121];
    /// Results are clamped to 0 … 1.
    SAT                   [-]       [-]         [122];
    /// The address register is added to `IBUF_ADDR`.
    IBUF_INDEXED          [-]       [-]         [123];
    /// The address register is added to `OUT_ADDR`.
    OUT_INDEXED           [-]       [-]         [124];
    /// The condition register follows the vector result.
    CDST_IS_VEC           [-]       [-]         [125];
    /// The output takes the vector result instead of the scalar one.
    OUT_IS_VEC            [-]       [-]         [126];
}

fields! { OVERLAID:
    /// Branch and call target: the upper bits of `SRC2`.
    BRANCH_ADDR           [-]       [34 42]     [29 37];
    /// Which boolean constant a boolean branch tests.
    BRANCH_BIT            [-]       [-]         [23 27];
    /// The value that constant must have.
    BRANCH_BIT_VALUE      [-]       [-]         [28];
}

/// Parts of a `SRCx` field, as bits within it.
pub mod src {
    /// Lowest bit and width within the source, Kelvin and Rankine / Curie.
    type Part = [(u8, u8); 2];
    /// Temporary, input or context.
    pub const MUX: Part = [(0, 2), (0, 2)];
    /// Temporary register number.
    pub const REG: Part = [(2, 4), (2, 6)];
    /// Four 2-bit selectors, x highest.
    pub const SWZ: Part = [(6, 8), (8, 8)];
    /// Negated (after the absolute value).
    pub const NEG: Part = [(14, 1), (16, 1)];

    pub(crate) const fn get(part: Part, curie: bool, value: u32) -> u32 {
        let (lo, width) = part[curie as usize];
        value >> lo & ((1 << width) - 1)
    }

    pub(crate) const fn put(part: Part, curie: bool, value: u32) -> u32 {
        let (lo, width) = part[curie as usize];
        (value & ((1 << width) - 1)) << lo
    }
}

/// Bits that belong to no field.
pub const fn unknown(isa: Isa) -> u128 {
    let mut known = 0;
    let mut i = 0;
    while i < ALL.len() {
        known |= ALL[i].mask(isa);
        i += 1;
    }
    !known
}

/// The field of that name.
pub fn by_name(name: &str) -> Option<&'static Field> {
    ALL.iter()
        .find(|field| field.name.eq_ignore_ascii_case(name))
}

/// Two fields on one bit would be a wrong table.
const _: () = {
    let mut isa = 0;
    while isa < 3 {
        let (mut i, mut seen) = (0, 0);
        while i < ALL.len() {
            let mask = ALL[i].mask(Isa::ALL[isa]);
            assert!(seen & mask == 0, "fields overlap");
            seen |= mask;
            i += 1;
        }
        isa += 1;
    }
};
