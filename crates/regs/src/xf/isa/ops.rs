//! The operations: numbers, names and the sources they read.

use super::Isa;

/// What an operation is called and reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The number in the instruction.
    pub code: u8,
    /// Name in the specifications.
    pub name: &'static str,
    /// Bit n: source n is read.
    pub sources: u8,
    /// First instruction set that has it.
    pub since: Isa,
    /// How its text differs from `OP dst, src, …`.
    pub form: Form,
}

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `OP dst, sources`.
    Plain,
    /// The destination is an address register: `ARL A0.x, src`.
    ToAddress,
    /// `ARA A0.x, A1`: address register to address register.
    AddressAdd,
    /// `TXL dst, src, texture[n]`: the unit is source 1's register number.
    Texture,
    /// `BRA label`.
    Branch,
    /// `BRX [A0.x + n]`: through the table of branch addresses.
    BranchIndexed,
    /// `BRB label (n = 0)`: on a boolean constant.
    BranchBit,
    /// No operand at all.
    Bare,
    /// `PUSHA A0`.
    Address,
}

macro_rules! ops {
    ($table:ident, $kind:literal: $($name:ident $code:literal $sources:literal $since:ident $form:ident;)*) => {
        #[doc = concat!("Numbers of the ", $kind, " operations.")]
        pub mod $table {
            use super::{Form, Isa, Op};
            $(#[allow(missing_docs)] pub const $name: u8 = $code;)*
            #[doc = concat!("The ", $kind, " operations.")]
            pub const TABLE: &[Op] = &[
                $(Op { code: $code, name: stringify!($name), sources: $sources, since: Isa::$since, form: Form::$form }),*
            ];
        }
    };
}

// Numbers and introduction: envytools docs/hw/graph/xf/isa.rst.
ops! { vec, "vector":
    NOP 0x00 0b000 Kelvin  Bare;
    MOV 0x01 0b001 Kelvin  Plain;
    MUL 0x02 0b011 Kelvin  Plain;
    ADD 0x03 0b101 Kelvin  Plain;
    MAD 0x04 0b111 Kelvin  Plain;
    DP3 0x05 0b011 Kelvin  Plain;
    DPH 0x06 0b011 Kelvin  Plain;
    DP4 0x07 0b011 Kelvin  Plain;
    DST 0x08 0b011 Kelvin  Plain;
    MIN 0x09 0b011 Kelvin  Plain;
    MAX 0x0a 0b011 Kelvin  Plain;
    SLT 0x0b 0b011 Kelvin  Plain;
    SGE 0x0c 0b011 Kelvin  Plain;
    ARL 0x0d 0b001 Kelvin  ToAddress;
    FRC 0x0e 0b001 Rankine Plain;
    FLR 0x0f 0b001 Rankine Plain;
    SEQ 0x10 0b011 Rankine Plain;
    SFL 0x11 0b000 Rankine Plain;
    SGT 0x12 0b011 Rankine Plain;
    SLE 0x13 0b011 Rankine Plain;
    SNE 0x14 0b011 Rankine Plain;
    STR 0x15 0b000 Rankine Plain;
    SSG 0x16 0b001 Rankine Plain;
    ARR 0x17 0b001 Rankine ToAddress;
    ARA 0x18 0b000 Rankine AddressAdd;
    TXL 0x19 0b001 Curie   Texture;
}

// 08h, 0Ah, 11h and 12h have no name in envytools. Their meaning here (branch and
// call through the table of sixteen 9-bit addresses that Rankine keeps beside its
// program memory; branch and call on boolean constants) is a guess that fits the
// state the chip has; a Rankine or Curie run of such an instruction would settle it.
ops! { sca, "scalar":
    NOP   0x00 0b000 Kelvin  Bare;
    MOV   0x01 0b100 Kelvin  Plain;
    RCP   0x02 0b100 Kelvin  Plain;
    RCC   0x03 0b100 Kelvin  Plain;
    RSQ   0x04 0b100 Kelvin  Plain;
    EXP   0x05 0b100 Kelvin  Plain;
    LOG   0x06 0b100 Kelvin  Plain;
    LIT   0x07 0b100 Kelvin  Plain;
    BRX   0x08 0b000 Rankine BranchIndexed;
    BRA   0x09 0b000 Rankine Branch;
    CLX   0x0a 0b000 Rankine BranchIndexed;
    CAL   0x0b 0b000 Rankine Branch;
    RET   0x0c 0b000 Rankine Bare;
    LG2   0x0d 0b100 Rankine Plain;
    EX2   0x0e 0b100 Rankine Plain;
    SIN   0x0f 0b100 Rankine Plain;
    COS   0x10 0b100 Rankine Plain;
    BRB   0x11 0b000 Curie   BranchBit;
    CLB   0x12 0b000 Curie   BranchBit;
    PUSHA 0x13 0b000 Curie   Address;
    POPA  0x14 0b000 Curie   Address;
}

/// A number without an operation: it computes nothing, and its sources are
/// shown so that nothing of the instruction is lost.
const UNKNOWN_VEC: Op = Op {
    code: 0,
    name: "VOP",
    sources: 0b111,
    since: Isa::Kelvin,
    form: Form::Plain,
};
const UNKNOWN_SCA: Op = Op {
    code: 0,
    name: "SOP",
    sources: 0b100,
    since: Isa::Kelvin,
    form: Form::Plain,
};

fn find(table: &[Op], isa: Isa, code: u8) -> Option<Op> {
    let op = *table.get(usize::from(code))?;
    (op.since as u8 <= isa as u8).then_some(op)
}

/// The vector operation with this number; `None` if the set has none.
pub fn vec_op(isa: Isa, code: u8) -> Option<Op> {
    find(vec::TABLE, isa, code)
}

/// The scalar operation with this number; `None` if the set has none.
pub fn sca_op(isa: Isa, code: u8) -> Option<Op> {
    find(sca::TABLE, isa, code)
}

pub(crate) fn vec_or_unknown(isa: Isa, code: u8) -> Op {
    vec_op(isa, code).unwrap_or(Op {
        code,
        ..UNKNOWN_VEC
    })
}

pub(crate) fn sca_or_unknown(isa: Isa, code: u8) -> Op {
    sca_op(isa, code).unwrap_or(Op {
        code,
        ..UNKNOWN_SCA
    })
}

impl Op {
    /// Whether the number has no known operation.
    pub fn is_unknown(&self) -> bool {
        matches!(self.name, "VOP" | "SOP")
    }
}

/// Condition tests by number: less 1, equal 2, greater 4.
pub const CONDITIONS: [&str; 8] = ["FL", "LT", "EQ", "LE", "GT", "NE", "GE", "TR"];
