//! The operations: numbers, names and how many sources they read.

use crate::Family;

/// Which of the two instruction sets has an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Both.
    Both,
    /// NV30 … NV36.
    Rankine,
    /// NV40 ….
    Curie,
}

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No operand: `NOP`.
    Bare,
    /// `OP dst, sources`.
    Plain,
    /// `TEX dst, sources, TEX0, 2D`: reads a texture unit.
    Texture,
    /// Only a condition: `KIL`, `BRK`, `RET`.
    Condition,
    /// Control flow with offsets.
    Flow,
}

/// What is known about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The operation.
    pub op: Op,
    /// The number in the instruction.
    pub code: u8,
    /// Name in the specifications.
    pub name: &'static str,
    /// How many sources it reads.
    pub sources: u8,
    /// Instruction sets that have it.
    pub on: On,
    /// How it is written.
    pub form: Form,
    /// One of Curie's branches, which have numbers of their own.
    pub branch: bool,
    /// What it does.
    pub doc: &'static str,
}

macro_rules! ops {
    ($($(#[doc = $doc:literal])* $op:ident $name:literal $code:literal $sources:literal $on:ident $form:ident $branch:literal;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op {
            $($(#[doc = $doc])* $op,)*
            /// A number without a known operation. Whether it is a branch's
            /// number, [`Inst::flow`](super::Inst::flow) tells.
            Unknown(u8),
        }

        /// The operations.
        pub const TABLE: &[Info] = &[
            $(Info { op: Op::$op, code: $code, name: $name, sources: $sources, on: On::$on, form: Form::$form, branch: $branch, doc: concat!($($doc),*) }),*
        ];
    };
}

// Numbers: Mesa nvfx_shader.h; those from 2Bh on that it lacks are what public notes on the
// RSX list. Sources: the specifications of NV_fragment_program
// and NV_fragment_program2, and what Mesa's encoder fills in.
ops! {
    /// Nothing.
    Nop    "NOP"    0x00 0 Both    Bare    false;
    /// a.
    Mov    "MOV"    0x01 1 Both    Plain   false;
    /// a * b.
    Mul    "MUL"    0x02 2 Both    Plain   false;
    /// a + b.
    Add    "ADD"    0x03 2 Both    Plain   false;
    /// a * b + c.
    Mad    "MAD"    0x04 3 Both    Plain   false;
    /// Three-component dot product, to all components.
    Dp3    "DP3"    0x05 2 Both    Plain   false;
    /// Four-component dot product.
    Dp4    "DP4"    0x06 2 Both    Plain   false;
    /// Distance vector: 1, a.y * b.y, a.z, b.w.
    Dst    "DST"    0x07 2 Both    Plain   false;
    /// Smaller one.
    Min    "MIN"    0x08 2 Both    Plain   false;
    /// Greater one.
    Max    "MAX"    0x09 2 Both    Plain   false;
    /// 1 where a < b, else 0.
    Slt    "SLT"    0x0a 2 Both    Plain   false;
    /// 1 where a >= b.
    Sge    "SGE"    0x0b 2 Both    Plain   false;
    /// 1 where a <= b.
    Sle    "SLE"    0x0c 2 Both    Plain   false;
    /// 1 where a > b.
    Sgt    "SGT"    0x0d 2 Both    Plain   false;
    /// 1 where a != b.
    Sne    "SNE"    0x0e 2 Both    Plain   false;
    /// 1 where a = b.
    Seq    "SEQ"    0x0f 2 Both    Plain   false;
    /// a - floor(a).
    Frc    "FRC"    0x10 1 Both    Plain   false;
    /// floor(a).
    Flr    "FLR"    0x11 1 Both    Plain   false;
    /// The pixel is given up if the condition holds in any component.
    Kil    "KIL"    0x12 0 Both    Condition false;
    /// Four signed bytes into one 32-bit value.
    Pk4b   "PK4B"   0x13 1 Both    Plain   false;
    /// And out of it.
    Up4b   "UP4B"   0x14 1 Both    Plain   false;
    /// Derivative along x; writes x and y only, Mesa says.
    Ddx    "DDX"    0x15 1 Both    Plain   false;
    /// Derivative along y.
    Ddy    "DDY"    0x16 1 Both    Plain   false;
    /// Texture.
    Tex    "TEX"    0x17 1 Both    Texture false;
    /// Texture, coordinates divided by the last one.
    Txp    "TXP"    0x18 1 Both    Texture false;
    /// Texture with derivatives in sources 1 and 2.
    Txd    "TXD"    0x19 3 Both    Texture false;
    /// 1 / a.x.
    Rcp    "RCP"    0x1a 1 Both    Plain   false;
    /// 1 / sqrt(a.x).
    Rsq    "RSQ"    0x1b 1 Both    Plain   false;
    /// 2 to the power a.x.
    Ex2    "EX2"    0x1c 1 Both    Plain   false;
    /// log2(a.x).
    Lg2    "LG2"    0x1d 1 Both    Plain   false;
    /// Lighting coefficients.
    Lit    "LIT"    0x1e 1 Both    Plain   false;
    /// a * b + (1 - a) * c.
    Lrp    "LRP"    0x1f 3 Both    Plain   false;
    /// 1.
    Str    "STR"    0x20 0 Both    Plain   false;
    /// 0.
    Sfl    "SFL"    0x21 0 Both    Plain   false;
    /// Cosine of a.x.
    Cos    "COS"    0x22 1 Both    Plain   false;
    /// Sine of a.x.
    Sin    "SIN"    0x23 1 Both    Plain   false;
    /// Two halfs into one 32-bit value.
    Pk2h   "PK2H"   0x24 1 Both    Plain   false;
    /// And out of it.
    Up2h   "UP2H"   0x25 1 Both    Plain   false;
    /// a.x to the power b.x.
    Pow    "POW"    0x26 2 Both    Plain   false;
    /// Four unsigned bytes into one 32-bit value.
    Pk4ub  "PK4UB"  0x27 1 Both    Plain   false;
    /// And out of it.
    Up4ub  "UP4UB"  0x28 1 Both    Plain   false;
    /// Two unsigned shorts into one 32-bit value.
    Pk2us  "PK2US"  0x29 1 Both    Plain   false;
    /// And out of it.
    Up2us  "UP2US"  0x2a 1 Both    Plain   false;
    /// Bump: a.xy moved by b.xy through the 2x2 matrix c.
    Bem    "BEM"    0x2b 3 Curie   Plain   false;
    /// PK4UB of values that are made brighter first, as sRGB has it.
    Pk4ubg "PK4UBG" 0x2c 1 Curie   Plain   false;
    /// And out of it.
    Up4ubg "UP4UBG" 0x2d 1 Curie   Plain   false;
    /// Two-component dot product plus c.x.
    Dp2a   "DP2A"   0x2e 3 Both    Plain   false;
    /// Texture with the level of detail in b.x.
    Txl    "TXL"    0x2f 2 Curie   Texture false;
    /// Texture with a bias in b.x.
    Txb    "TXB"    0x31 2 Curie   Texture false;
    /// Texture at a.xy, moved as BEM does.
    TexBem "TEXBEM" 0x33 3 Curie   Texture false;
    /// The same, coordinates divided by the last one first.
    TxpBem "TXPBEM" 0x34 3 Curie   Texture false;
    /// Reflection of b at the axis a.
    Rfl    "RFL"    0x36 2 Both    Plain   false;
    /// Two-component dot product, to all components.
    Dp2    "DP2"    0x38 2 Curie   Plain   false;
    /// a.xyz made as long as 1.
    Nrm    "NRM"    0x39 1 Curie   Plain   false;
    /// a / b.x.
    Div    "DIV"    0x3a 2 Both    Plain   false;
    /// a / sqrt(b.x); 0 where a is 0.
    DivSq  "DIVSQ"  0x3b 2 Curie   Plain   false;
    /// The last step of LIT: 1, a.y, 2^a.w where a.y > 0, 1.
    LitEx2 "LITEX2" 0x3c 1 Curie   Plain   false;
    /// A mark for the texture unit, without effect on values.
    FencT  "FENCT"  0x3d 0 Curie   Bare    false;
    /// A mark for the branch unit, likewise.
    FencB  "FENCB"  0x3e 0 Curie   Bare    false;
    /// Leaves the loop where the condition holds.
    Brk    "BRK"    0x00 0 Curie   Condition true;
    /// Calls a subroutine.
    Cal    "CAL"    0x01 0 Curie   Flow    true;
    /// Runs one block or the other.
    If     "IF"     0x02 0 Curie   Flow    true;
    /// Repeats a block, counting in the address register.
    Loop   "LOOP"   0x03 0 Curie   Flow    true;
    /// Repeats a block.
    Rep    "REP"    0x04 0 Curie   Flow    true;
    /// Returns from a subroutine.
    Ret    "RET"    0x05 0 Curie   Condition true;
}

impl On {
    /// Whether the family's set is meant.
    pub const fn has(self, family: Family) -> bool {
        match self {
            On::Both => matches!(family, Family::Rankine | Family::Curie),
            On::Rankine => matches!(family, Family::Rankine),
            On::Curie => matches!(family, Family::Curie),
        }
    }
}

impl Op {
    /// The operation with this number.
    pub fn decode(family: Family, code: u8, is_branch: bool) -> Op {
        TABLE
            .iter()
            .find(|i| i.code == code && i.branch == is_branch && i.on.has(family))
            .map_or(Op::Unknown(code), |i| i.op)
    }

    /// What is known about it; `None` for an unknown number.
    pub fn info(self) -> Option<&'static Info> {
        TABLE.iter().find(|i| i.op == self)
    }

    /// The number in the instruction.
    pub fn code(self) -> u8 {
        match self {
            Op::Unknown(code) => code,
            known => known.info().map_or(0, |i| i.code),
        }
    }

    /// How many sources it reads; all three for an unknown number.
    pub fn sources(self) -> usize {
        self.info().map_or(3, |i| usize::from(i.sources))
    }

    /// Whether it reads a texture unit.
    pub fn is_texture(self) -> bool {
        self.info().is_some_and(|i| i.form == Form::Texture)
    }

    /// Whether it is one of Curie's branches.
    pub fn is_branch(self) -> bool {
        self.info().is_some_and(|i| i.branch)
    }
}
