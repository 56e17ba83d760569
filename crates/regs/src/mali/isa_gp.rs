//! The geometry processor's instructions (Mali-400 vertex shaders).
//!
//! Every instruction has 128 bits and gives work to six units at once: two
//! adders (one operation for both), two multipliers (likewise), one complex
//! unit and one pass unit. There are hardly any registers in between: a unit's
//! sources are the results of the instruction before (`p1`) and of the one
//! before that (`p2`), an attribute or register, a uniform.
//!
//! Source: Mesa `src/gallium/drivers/lima/ir/gp` (layout), lima's dumps.

use super::isa_bits::{Bits, bits};

/// First multiplier, first source.
pub const MUL0_SRC0: Bits = bits(0, 5);
/// First multiplier, second source.
pub const MUL0_SRC1: Bits = bits(5, 5);
/// Second multiplier, first source.
pub const MUL1_SRC0: Bits = bits(10, 5);
/// Second multiplier, second source.
pub const MUL1_SRC1: Bits = bits(15, 5);
/// First product negated.
pub const MUL0_NEG: Bits = bits(20, 1);
/// Second product negated.
pub const MUL1_NEG: Bits = bits(21, 1);
/// First adder, first source.
pub const ACC0_SRC0: Bits = bits(22, 5);
/// First adder, second source.
pub const ACC0_SRC1: Bits = bits(27, 5);
/// Second adder, first source.
pub const ACC1_SRC0: Bits = bits(32, 5);
/// Second adder, second source.
pub const ACC1_SRC1: Bits = bits(37, 5);
/// First adder's first source negated.
pub const ACC0_SRC0_NEG: Bits = bits(42, 1);
/// First adder's second source negated.
pub const ACC0_SRC1_NEG: Bits = bits(43, 1);
/// Second adder's first source negated.
pub const ACC1_SRC0_NEG: Bits = bits(44, 1);
/// Second adder's second source negated.
pub const ACC1_SRC1_NEG: Bits = bits(45, 1);
/// Uniform or temporary read by the load unit (a vec4).
pub const LOAD_ADDR: Bits = bits(46, 9);
/// 1…3 adds an address register, 7 none.
pub const LOAD_OFFSET: Bits = bits(55, 3);
/// Attribute or register read by the first register port.
pub const REGISTER0_ADDR: Bits = bits(58, 4);
/// The first port reads an attribute.
pub const REGISTER0_ATTRIBUTE: Bits = bits(62, 1);
/// Register read by the second port.
pub const REGISTER1_ADDR: Bits = bits(63, 4);
/// x and y go to a temporary.
pub const STORE0_TEMPORARY: Bits = bits(67, 1);
/// z and w go to a temporary.
pub const STORE1_TEMPORARY: Bits = bits(68, 1);
/// Branch if the pass unit's result is not zero.
pub const BRANCH: Bits = bits(69, 1);
/// The target is below 256 (an inverted ninth bit).
pub const BRANCH_TARGET_LO: Bits = bits(70, 1);
/// What is stored to x.
pub const STORE0_SRC_X: Bits = bits(71, 3);
/// What is stored to y.
pub const STORE0_SRC_Y: Bits = bits(74, 3);
/// What is stored to z.
pub const STORE1_SRC_Z: Bits = bits(77, 3);
/// What is stored to w.
pub const STORE1_SRC_W: Bits = bits(80, 3);
/// Both adders' operation.
pub const ACC_OP: Bits = bits(83, 3);
/// The complex unit's operation.
pub const COMPLEX_OP: Bits = bits(86, 4);
/// Where x and y go.
pub const STORE0_ADDR: Bits = bits(90, 4);
/// x and y go to a varying, not a register.
pub const STORE0_VARYING: Bits = bits(94, 1);
/// Where z and w go.
pub const STORE1_ADDR: Bits = bits(95, 4);
/// z and w go to a varying.
pub const STORE1_VARYING: Bits = bits(99, 1);
/// Both multipliers' operation.
pub const MUL_OP: Bits = bits(100, 3);
/// The pass unit's operation.
pub const PASS_OP: Bits = bits(103, 3);
/// The complex unit's source.
pub const COMPLEX_SRC: Bits = bits(106, 5);
/// The pass unit's source.
pub const PASS_SRC: Bits = bits(111, 5);
/// 12 with temporary stores, 13 with branches, else 0.
pub const UNKNOWN_1: Bits = bits(116, 4);
/// Branch target, low eight bits.
pub const BRANCH_TARGET: Bits = bits(120, 8);

/// Sources of the units.
pub mod src {
    /// First register port, x; y z w follow.
    pub const ATTRIB_X: u32 = 0;
    /// Second register port, x; y z w follow.
    pub const REGISTER_X: u32 = 4;
    /// Unknown; three more follow.
    pub const UNKNOWN_0: u32 = 8;
    /// Load unit, x; y z w follow.
    pub const LOAD_X: u32 = 12;
    /// First adder one instruction ago.
    pub const P1_ACC_0: u32 = 16;
    /// Second adder one instruction ago.
    pub const P1_ACC_1: u32 = 17;
    /// First multiplier one instruction ago.
    pub const P1_MUL_0: u32 = 18;
    /// Second multiplier one instruction ago.
    pub const P1_MUL_1: u32 = 19;
    /// Pass unit one instruction ago.
    pub const P1_PASS: u32 = 20;
    /// The unit does nothing.
    pub const UNUSED: u32 = 21;
    /// Complex unit one instruction ago; as a second source of an adder or
    /// multiplier the identity, 0 or 1.
    pub const P1_COMPLEX: u32 = 22;
    /// Pass unit two instructions ago.
    pub const P2_PASS: u32 = 23;
    /// First adder two instructions ago; second adder and multipliers follow.
    pub const P2_ACC_0: u32 = 24;
    /// First register port one instruction ago, x; y z w follow.
    pub const P1_ATTRIB_X: u32 = 28;
}

/// The units in the order in which results are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Unit {
    /// First adder.
    Acc0,
    /// Second adder.
    Acc1,
    /// First multiplier.
    Mul0,
    /// Second multiplier.
    Mul1,
    /// Pass unit.
    Pass,
    /// Complex unit.
    Complex,
}

impl Unit {
    /// All units, in numbering order.
    pub const ALL: [Unit; 6] = [
        Unit::Acc0,
        Unit::Acc1,
        Unit::Mul0,
        Unit::Mul1,
        Unit::Pass,
        Unit::Complex,
    ];

    /// The number that stands for the unit in a store's source.
    pub const fn store_src(self) -> u32 {
        [0, 1, 2, 3, 4, 6][self as usize]
    }
}

/// A store's source: none.
pub const STORE_NONE: u32 = 7;

/// Names of the adders' operations with their number of sources.
pub const ACC_OPS: [(&str, u32); 8] = [
    ("add", 2),
    ("floor", 1),
    ("sign", 1),
    ("", 0),
    ("ge", 2),
    ("lt", 2),
    ("min", 2),
    ("max", 2),
];

/// The multipliers' operations.
pub mod mul_op {
    /// Two products.
    pub const MUL: u32 = 0;
    /// Last step of a function of the complex unit, both multipliers.
    pub const COMPLEX1: u32 = 1;
    /// First step of a function of the complex unit; the second multiplier is free.
    pub const COMPLEX2: u32 = 3;
    /// Select, both multipliers.
    pub const SELECT: u32 = 4;
}

/// The pass unit's operations.
pub mod pass_op {
    /// Copy.
    pub const PASS: u32 = 2;
    /// Before exp2.
    pub const PREEXP2: u32 = 4;
    /// After log2.
    pub const POSTLOG2: u32 = 5;
    /// Clamp between the load unit's x and y.
    pub const CLAMP: u32 = 6;
}

/// The complex unit's operations.
pub mod complex_op {
    /// Nothing.
    pub const NOP: u32 = 0;
    /// Power of two.
    pub const EXP2: u32 = 2;
    /// Logarithm.
    pub const LOG2: u32 = 3;
    /// Reciprocal square root.
    pub const RSQRT: u32 = 4;
    /// Reciprocal.
    pub const RCP: u32 = 5;
    /// Copy.
    pub const PASS: u32 = 9;
    /// Copy, and set the address of temporary stores; 13…15 set those of loads.
    pub const TEMP_STORE_ADDR: u32 = 12;
}

/// An instruction as lima encodes one in which nothing is used.
pub const NOP: u128 = {
    let u = src::UNUSED;
    let mut raw = 0;
    raw = MUL0_SRC0.put(raw, u);
    raw = MUL0_SRC1.put(raw, u);
    raw = MUL1_SRC0.put(raw, u);
    raw = MUL1_SRC1.put(raw, u);
    raw = ACC0_SRC0.put(raw, u);
    raw = ACC0_SRC1.put(raw, u);
    raw = ACC1_SRC0.put(raw, u);
    raw = ACC1_SRC1.put(raw, u);
    raw = COMPLEX_SRC.put(raw, u);
    raw = PASS_SRC.put(raw, u);
    raw = PASS_OP.put(raw, pass_op::PASS);
    raw = LOAD_OFFSET.put(raw, 7);
    raw = STORE0_SRC_X.put(raw, STORE_NONE);
    raw = STORE0_SRC_Y.put(raw, STORE_NONE);
    raw = STORE1_SRC_Z.put(raw, STORE_NONE);
    raw = STORE1_SRC_W.put(raw, STORE_NONE);
    raw
};

/// A branch's target, an instruction number.
pub fn branch_target(raw: u128) -> u32 {
    BRANCH_TARGET.get(raw) + if BRANCH_TARGET_LO.on(raw) { 0 } else { 0x100 }
}

/// Instructions from words; a rest of fewer than four words is left out.
pub fn decode_program(words: &[u32]) -> Vec<u128> {
    words
        .chunks_exact(4)
        .map(|w| (0..4).fold(0, |raw, i| raw | u128::from(w[i]) << (32 * i)))
        .collect()
}

/// Words from instructions.
pub fn encode_program(program: &[u128]) -> Vec<u32> {
    program
        .iter()
        .flat_map(|raw| (0..4).map(move |i| (raw >> (32 * i)) as u32))
        .collect()
}
