//! Where each field lies: one line per field, one column per instruction set.
//!
//! Source: Mesa's nv30 driver (`nvfx_shader.h`, its comments included, and
//! `nvfx_fragprog.c`). Word 0 comes first in memory.

use crate::Family;

/// A field's place in both instruction sets. A set that lacks it reads 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Word, lowest bit and width, Rankine and Curie; width 0 where the field is absent.
    at: [(u8, u8, u8); 2],
}

impl Field {
    /// Word, lowest bit and width; width 0 where the set has no such field.
    pub const fn place(&self, family: Family) -> (u8, u8, u8) {
        self.at[column(family)]
    }

    /// Whether the set has this field.
    pub const fn exists(&self, family: Family) -> bool {
        self.place(family).2 != 0
    }

    /// Largest value that fits.
    pub const fn max(&self, family: Family) -> u32 {
        ((1u64 << self.place(family).2) - 1) as u32
    }

    /// The field's bits, in place, in its word.
    pub const fn mask(&self, family: Family) -> u32 {
        self.max(family) << self.place(family).1
    }

    /// The field's value, 0 where it is absent.
    #[inline]
    pub const fn get(&self, family: Family, words: &[u32; 4]) -> u32 {
        let (word, lo, _) = self.place(family);
        words[word as usize] >> lo & self.max(family)
    }

    /// The same, for a single bit.
    #[inline]
    pub const fn is_set(&self, family: Family, words: &[u32; 4]) -> bool {
        self.get(family, words) != 0
    }

    /// Replaces the field by the value's low bits; nothing where it is absent.
    pub const fn put(&self, family: Family, words: &mut [u32; 4], value: u32) {
        let (word, lo, _) = self.place(family);
        let old = words[word as usize];
        words[word as usize] = old & !self.mask(family) | (value & self.max(family)) << lo;
    }
}

/// Chips before Curie have Rankine's places.
const fn column(family: Family) -> usize {
    matches!(family, Family::Curie) as usize
}

/// `word: lo hi` inclusive, or `-`.
macro_rules! place {
    (-) => {
        (0, 0, 0)
    };
    ($word:literal: $lo:literal) => {
        ($word, $lo, 1)
    };
    ($word:literal: $lo:literal $hi:literal) => {
        ($word, $lo, $hi - $lo + 1)
    };
}

macro_rules! fields {
    ($(#[$table_doc:meta])* $table:ident: $( $(#[doc = $doc:literal])* $name:ident [ $($r:tt)+ ] [ $($c:tt)+ ]; )*) => {
        $( $(#[doc = $doc])* pub const $name: Field = Field {
            name: stringify!($name),
            doc: concat!($($doc),*),
            at: [place!($($r)+), place!($($c)+)],
        }; )*
        $(#[$table_doc])*
        pub const $table: &[Field] = &[$($name),*];
    };
}

fields! {
    /// The fields of words 0 and 1, which every instruction has.
    HEAD:
    //                Rankine     Curie
    /// The program ends after this instruction.
    END               [0: 0]      [0: 0];
    /// Destination register. Mesa has five bits on Rankine and calls them
    /// uncertain; 64 half registers need six.
    OUT_REG           [0: 1 6]    [0: 1 6];
    /// The destination is a half register.
    OUT_HALF          [0: 7]      [0: 7];
    /// The condition register is updated.
    CC_WRITE          [0: 8]      [0: 8];
    /// Components that are written, x lowest.
    OUT_MASK          [0: 9 12]   [0: 9 12];
    /// The input that sources of the input type read.
    INPUT_SRC         [0: 13 16]  [0: 13 16];
    /// Texture unit.
    TEX_UNIT          [0: 17 20]  [0: 17 20];
    /// A texture operation's result becomes 2x - 1.
    TEX_EXPAND        [0: 21]     [0: 21];
    /// Precision of the operation.
    PRECISION         [0: 22 23]  [0: 22 23];
    /// Operation.
    OPCODE            [0: 24 29]  [0: 24 29];
    /// No register is written.
    OUT_NONE          [0: 30]     [0: 30];
    /// The result is clamped to 0 … 1.
    OUT_SAT           [0: 31]     [0: 31];
    /// First source: type.
    SRC0_TYPE         [1: 0 1]    [1: 0 1];
    /// First source: temporary.
    SRC0_REG          [1: 2 7]    [1: 2 7];
    /// First source: the temporary is a half register.
    SRC0_HALF         [1: 8]      [1: 8];
    /// First source: four 2-bit selectors, x lowest.
    SRC0_SWZ          [1: 9 16]   [1: 9 16];
    /// First source: negated, after the absolute value.
    SRC0_NEG          [1: 17]     [1: 17];
    /// Condition: 1 less, 2 equal, 4 greater, in combination.
    COND              [1: 18 20]  [1: 18 20];
    /// Swizzle of the condition register, x lowest.
    COND_SWZ          [1: 21 28]  [1: 21 28];
    /// First source: absolute value.
    SRC0_ABS          [1: 29]     [1: 29];
    /// Which of Curie's two condition registers is updated. Mesa's encoder puts the second
    /// source's absolute value here; NV34 and NV43 boards show that it has no such effect.
    CC_WRITE_INDEX    [1: 30]     [1: 30];
    /// Which of them the condition looks at; Mesa puts the third source's absolute value here.
    CC_READ_INDEX     [1: 31]     [1: 31];
}

fields! {
    /// The fields of words 2 and 3 of an instruction that is no branch.
    TAIL:
    //                Rankine     Curie
    /// Second source: type.
    SRC1_TYPE         [2: 0 1]    [2: 0 1];
    /// Second source: temporary.
    SRC1_REG          [2: 2 7]    [2: 2 7];
    /// Second source: the temporary is a half register.
    SRC1_HALF         [2: 8]      [2: 8];
    /// Second source: selectors.
    SRC1_SWZ          [2: 9 16]   [2: 9 16];
    /// Second source: negated.
    SRC1_NEG          [2: 17]     [2: 17];
    /// Second source: absolute value.
    SRC1_ABS          [2: 18]     [2: 18];
    /// Precision of the input; numbers as `PRECISION`. On Curie it is that of the first
    /// source, whatever it is, and has a third bit.
    INPUT_PREC        [2: 19 20]  [2: 19 20];
    /// First source: the third bit of its precision.
    SRC0_PREC_HIGH    [-]         [2: 21];
    /// Second source: its precision.
    SRC1_PREC         [-]         [2: 22 24];
    /// Third source: its precision.
    SRC2_PREC         [-]         [2: 25 27];
    /// Scale of the result: 0 … 3 for 1, 2, 4, 8 and 5 … 7 for 1/2, 1/4, 1/8.
    SCALE             [2: 28 30]  [2: 28 30];
    /// The instruction is a branch: `OPCODE` has another meaning.
    IS_BRANCH         [-]         [2: 31];
    /// Third source: type.
    SRC2_TYPE         [3: 0 1]    [3: 0 1];
    /// Third source: temporary.
    SRC2_REG          [3: 2 7]    [3: 2 7];
    /// Third source: the temporary is a half register.
    SRC2_HALF         [3: 8]      [3: 8];
    /// Third source: selectors.
    SRC2_SWZ          [3: 9 16]   [3: 9 16];
    /// Third source: negated.
    SRC2_NEG          [3: 17]     [3: 17];
    /// Third source: absolute value.
    SRC2_ABS          [3: 18]     [3: 18];
    /// What is added to the address register. Mesa's table has bits 19 to 29,
    /// its mask 19 to 22.
    ADDR_INDEX        [-]         [3: 19 29];
    /// The address register chooses the input.
    INDEX_INPUT       [3: 30]     [3: 30];
    /// Interpolation without perspective (a question in Mesa's table).
    NO_PERSPECTIVE    [3: 31]     [3: 31];
}

fields! {
    /// Words 2 and 3 of a branch; which of them count depends on the operation.
    BRANCH:
    //                Rankine     Curie
    /// IF: the first word behind the block, where the other one begins.
    ELSE_OFFSET       [-]         [2: 0 30];
    /// CAL: the subroutine's first word.
    SUB_OFFSET        [-]         [2: 0 30];
    /// LOOP and REP: how many times.
    COUNT             [-]         [2: 2 9];
    /// LOOP: first value of the address register. REP: the count again.
    INDEX             [-]         [2: 10 17];
    /// LOOP: what is added each time. REP: the count again.
    INCR              [-]         [2: 19 26];
    /// IF, LOOP, REP: the first word behind all of it.
    END_OFFSET        [-]         [3: 0 30];
}

/// A source's fields, by number.
#[derive(Clone, Copy, Debug)]
pub struct SrcFields {
    /// Type.
    pub kind: Field,
    /// Temporary.
    pub reg: Field,
    /// Half register.
    pub half: Field,
    /// Selectors.
    pub swz: Field,
    /// Negation.
    pub neg: Field,
    /// Absolute value.
    pub abs: Field,
}

/// The three sources.
pub const SOURCES: [SrcFields; 3] = [
    SrcFields {
        kind: SRC0_TYPE,
        reg: SRC0_REG,
        half: SRC0_HALF,
        swz: SRC0_SWZ,
        neg: SRC0_NEG,
        abs: SRC0_ABS,
    },
    SrcFields {
        kind: SRC1_TYPE,
        reg: SRC1_REG,
        half: SRC1_HALF,
        swz: SRC1_SWZ,
        neg: SRC1_NEG,
        abs: SRC1_ABS,
    },
    SrcFields {
        kind: SRC2_TYPE,
        reg: SRC2_REG,
        half: SRC2_HALF,
        swz: SRC2_SWZ,
        neg: SRC2_NEG,
        abs: SRC2_ABS,
    },
];

/// The field of that name.
pub fn by_name(name: &str) -> Option<&'static Field> {
    [HEAD, TAIL, BRANCH]
        .into_iter()
        .flatten()
        .find(|field| field.name.eq_ignore_ascii_case(name))
}

/// Bits that belong to no field of an instruction that is no branch.
pub const fn unknown(family: Family) -> [u32; 4] {
    let mut unknown = [u32::MAX; 4];
    let mut table = 0;
    while table < 2 {
        let fields = [HEAD, TAIL][table];
        let mut i = 0;
        while i < fields.len() {
            let word = fields[i].place(family).0 as usize;
            unknown[word] &= !fields[i].mask(family);
            i += 1;
        }
        table += 1;
    }
    unknown
}

/// Two fields on one bit would be a wrong table.
const _: () = {
    let families = [Family::Rankine, Family::Curie];
    let mut f = 0;
    while f < 2 {
        let mut seen = [0; 4];
        let mut table = 0;
        while table < 2 {
            let fields = [HEAD, TAIL][table];
            let mut i = 0;
            while i < fields.len() {
                let word = fields[i].place(families[f]).0 as usize;
                let mask = fields[i].mask(families[f]);
                assert!(seen[word] & mask == 0, "fields overlap");
                seen[word] |= mask;
                i += 1;
            }
            table += 1;
        }
        f += 1;
    }
};
