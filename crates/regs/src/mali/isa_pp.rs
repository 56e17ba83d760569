//! The pixel processor's instructions (Mali-400 fragment shaders).
//!
//! An instruction is a control word and then, packed without regard to words,
//! the slots its mask names. The slots are the stages of one pipeline and run
//! in the order of the mask: varying, texture, uniform, multiply (vector and
//! scalar side by side), add (likewise), combine, store, branch. A value that
//! an earlier stage leaves in a register is seen by the later stages of the
//! same instruction.
//!
//! Source: Mesa `src/gallium/drivers/lima/ir/pp` (layouts), lima's dumps.

use super::isa_bits::{Bits, IsaError, bits};

/// The control word.
pub mod ctrl {
    use super::*;
    /// Words in this instruction, the control word included.
    pub const COUNT: Bits = bits(0, 5);
    /// The program ends after this instruction.
    pub const STOP: Bits = bits(5, 1);
    /// Waits until all pixels of a quad are here (textures, derivatives).
    pub const SYNC: Bits = bits(6, 1);
    /// Which slots follow, see [`super::Slot`].
    pub const FIELDS: Bits = bits(7, 12);
    /// Words in the instruction behind this one; 0 in the last.
    pub const NEXT_COUNT: Bits = bits(19, 6);
    /// The instruction behind this one may be fetched early.
    pub const PREFETCH: Bits = bits(25, 1);
}

/// The slots, in mask order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Slot {
    /// Varying, fragment coordinate, texture coordinate.
    Varying,
    /// Texture sample.
    Sampler,
    /// Uniform or temporary load.
    Uniform,
    /// Vector multiplier.
    VecMul,
    /// Scalar multiplier.
    FloatMul,
    /// Vector adder.
    VecAcc,
    /// Scalar adder.
    FloatAcc,
    /// Scalar function or scalar by vector product.
    Combine,
    /// Temporary store or tile-buffer read.
    TempWrite,
    /// Branch or discard.
    Branch,
    /// Four half-float constants.
    Const0,
    /// Four more.
    Const1,
}

impl Slot {
    /// All slots in mask order.
    pub const ALL: [Slot; 12] = [
        Slot::Varying,
        Slot::Sampler,
        Slot::Uniform,
        Slot::VecMul,
        Slot::FloatMul,
        Slot::VecAcc,
        Slot::FloatAcc,
        Slot::Combine,
        Slot::TempWrite,
        Slot::Branch,
        Slot::Const0,
        Slot::Const1,
    ];

    /// Bits that the slot takes.
    pub const fn width(self) -> u32 {
        [34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64][self as usize]
    }
}

/// Register numbers with a meaning of their own.
pub mod reg {
    /// First embedded constant.
    pub const CONST0: u32 = 12;
    /// Second embedded constant.
    pub const CONST1: u32 = 13;
    /// Result of this instruction's texture sample.
    pub const TEXTURE: u32 = 14;
    /// Result of this instruction's uniform load (as a source).
    pub const UNIFORM: u32 = 15;
    /// No register (as a destination of the varying slot).
    pub const DISCARD: u32 = 15;
}

/// The varying slot; two forms share it.
pub mod varying {
    use super::*;
    /// 2 divides by z, 3 by w; selects among special sources.
    pub const PERSPECTIVE: Bits = bits(0, 2);
    /// 0 a varying, 1 a register, 2 cube / normalise / FragCoord, 3 PointCoord / FrontFacing.
    pub const SOURCE_TYPE: Bits = bits(2, 2);
    /// Immediate form: 0 one component, 1 two, else four.
    pub const ALIGNMENT: Bits = bits(5, 2);
    /// Immediate form: index register, 15 for none.
    pub const OFFSET_VECTOR: Bits = bits(10, 4);
    /// Immediate form: its component.
    pub const OFFSET_SCALAR: Bits = bits(16, 2);
    /// Immediate form: which varying, in units of the alignment.
    pub const INDEX: Bits = bits(18, 6);
    /// Register form: normalise.
    pub const NORMALIZE: Bits = bits(6, 1);
    /// Register form: source register.
    pub const SOURCE: Bits = bits(10, 4);
    /// Register form: negate.
    pub const NEGATE: Bits = bits(14, 1);
    /// Register form: absolute value.
    pub const ABSOLUTE: Bits = bits(15, 1);
    /// Register form: swizzle.
    pub const SWIZZLE: Bits = bits(16, 8);
    /// Destination register.
    pub const DEST: Bits = bits(24, 4);
    /// Components written.
    pub const MASK: Bits = bits(28, 4);
}

/// The texture slot.
pub mod sampler {
    use super::*;
    /// Scalar register with the bias or the level.
    pub const LOD_BIAS: Bits = bits(0, 6);
    /// Scalar register added to the index.
    pub const INDEX_OFFSET: Bits = bits(6, 6);
    /// The register is the level itself, not a bias.
    pub const EXPLICIT_LOD: Bits = bits(17, 1);
    /// A bias or level is given.
    pub const LOD_BIAS_EN: Bits = bits(18, 1);
    /// 0 plain, 31 cube.
    pub const TYPE: Bits = bits(24, 5);
    /// The index register counts.
    pub const OFFSET_EN: Bits = bits(29, 1);
    /// Descriptor number.
    pub const INDEX: Bits = bits(30, 12);
    /// Always [`UNKNOWN_2_VALUE`] in what lima emits.
    pub const UNKNOWN_2: Bits = bits(42, 20);
    /// See [`UNKNOWN_2`].
    pub const UNKNOWN_2_VALUE: u32 = 0x39001;
    /// [`TYPE`] of a cube.
    pub const CUBE: u32 = 31;
}

/// The uniform slot.
pub mod uniform {
    use super::*;
    /// 0 uniforms, 3 temporaries.
    pub const SOURCE: Bits = bits(0, 2);
    /// 0 one component, 1 two, 2 four.
    pub const ALIGNMENT: Bits = bits(10, 2);
    /// Scalar register added to the index.
    pub const OFFSET_REG: Bits = bits(18, 6);
    /// That register counts.
    pub const OFFSET_EN: Bits = bits(24, 1);
    /// Index in units of the alignment, signed.
    pub const INDEX: Bits = bits(25, 16);
    /// [`SOURCE`] of temporaries.
    pub const TEMPORARY: u32 = 3;
}

/// Vector multiplier and adder.
pub mod vec4 {
    use super::*;
    /// First argument's register.
    pub const ARG0: Bits = bits(0, 4);
    /// Its swizzle.
    pub const ARG0_SWIZZLE: Bits = bits(4, 8);
    /// Its absolute value.
    pub const ARG0_ABS: Bits = bits(12, 1);
    /// Its negation.
    pub const ARG0_NEG: Bits = bits(13, 1);
    /// Second argument's register.
    pub const ARG1: Bits = bits(14, 4);
    /// Its swizzle.
    pub const ARG1_SWIZZLE: Bits = bits(18, 8);
    /// Its absolute value.
    pub const ARG1_ABS: Bits = bits(26, 1);
    /// Its negation.
    pub const ARG1_NEG: Bits = bits(27, 1);
    /// Destination register.
    pub const DEST: Bits = bits(28, 4);
    /// Components written; none keeps the result in the pipeline.
    pub const MASK: Bits = bits(32, 4);
    /// 0 none, 1 clamp to 0…1, 2 clamp to 0…, 3 to an integer.
    pub const OUTMOD: Bits = bits(36, 2);
    /// Operation.
    pub const OP: Bits = bits(38, 5);
    /// Adder only: the first argument is the multiplier's result.
    pub const MUL_IN: Bits = bits(43, 1);
}

/// Scalar multiplier and adder.
pub mod float {
    use super::*;
    /// First argument: register and component.
    pub const ARG0: Bits = bits(0, 6);
    /// Its absolute value.
    pub const ARG0_ABS: Bits = bits(6, 1);
    /// Its negation.
    pub const ARG0_NEG: Bits = bits(7, 1);
    /// Second argument.
    pub const ARG1: Bits = bits(8, 6);
    /// Its absolute value.
    pub const ARG1_ABS: Bits = bits(14, 1);
    /// Its negation.
    pub const ARG1_NEG: Bits = bits(15, 1);
    /// Destination: register and component.
    pub const DEST: Bits = bits(16, 6);
    /// Whether it is written.
    pub const OUTPUT_EN: Bits = bits(22, 1);
    /// As [`super::vec4::OUTMOD`].
    pub const OUTMOD: Bits = bits(23, 2);
    /// Operation.
    pub const OP: Bits = bits(25, 5);
    /// Adder only: the first argument is the multiplier's result.
    pub const MUL_IN: Bits = bits(30, 1);
}

/// The combiner; its forms overlap.
pub mod combine {
    use super::*;
    /// The destination is a vector.
    pub const DEST_VEC: Bits = bits(0, 1);
    /// The second argument is a vector.
    pub const SRC_VEC: Bits = bits(1, 1);
    /// Scalar form: operation.
    pub const OP: Bits = bits(2, 4);
    /// Scalar form: second argument's absolute value.
    pub const ARG1_ABS: Bits = bits(6, 1);
    /// Scalar form: its negation.
    pub const ARG1_NEG: Bits = bits(7, 1);
    /// Scalar form: second argument.
    pub const ARG1: Bits = bits(8, 6);
    /// Vector form: second argument's swizzle.
    pub const ARG1_SWIZZLE: Bits = bits(2, 8);
    /// Vector form: second argument.
    pub const ARG1_VEC: Bits = bits(10, 4);
    /// First argument's absolute value.
    pub const ARG0_ABS: Bits = bits(14, 1);
    /// Its negation.
    pub const ARG0_NEG: Bits = bits(15, 1);
    /// First argument.
    pub const ARG0: Bits = bits(16, 6);
    /// Scalar destination: modifier.
    pub const OUTMOD: Bits = bits(22, 2);
    /// Scalar destination.
    pub const DEST: Bits = bits(24, 6);
    /// Vector destination: components.
    pub const MASK: Bits = bits(22, 4);
    /// Vector destination: register.
    pub const DEST_REG: Bits = bits(26, 4);
}

/// Temporary store and tile-buffer read.
pub mod temp_write {
    use super::*;
    /// 3 temporaries.
    pub const DEST: Bits = bits(0, 2);
    /// Source: register and component.
    pub const SOURCE: Bits = bits(4, 6);
    /// As [`super::uniform::ALIGNMENT`].
    pub const ALIGNMENT: Bits = bits(10, 2);
    /// Scalar register added to the index.
    pub const OFFSET_REG: Bits = bits(18, 6);
    /// That register counts.
    pub const OFFSET_EN: Bits = bits(24, 1);
    /// Index in units of the alignment, signed.
    pub const INDEX: Bits = bits(25, 16);
    /// Tile-buffer read: 0 depth, 1 colour.
    pub const FB_SOURCE: Bits = bits(0, 1);
    /// 7 makes it a tile-buffer read.
    pub const FB_MARK: Bits = bits(1, 5);
    /// Tile-buffer read: destination register.
    pub const FB_DEST: Bits = bits(6, 4);
}

/// Branch.
pub mod branch {
    use super::*;
    /// Second argument.
    pub const ARG1: Bits = bits(4, 6);
    /// First argument.
    pub const ARG0: Bits = bits(10, 6);
    /// Taken when first > second.
    pub const GT: Bits = bits(16, 1);
    /// Taken when equal.
    pub const EQ: Bits = bits(17, 1);
    /// Taken when first < second.
    pub const LT: Bits = bits(18, 1);
    /// Distance in words, signed.
    pub const TARGET: Bits = bits(41, 27);
    /// Words in the instruction there.
    pub const NEXT_COUNT: Bits = bits(68, 5);
    /// The whole slot of a discard.
    pub const DISCARD: u128 = 0x007F_0003;
}

/// Names and number of sources of an operation table.
pub type OpTable = [(&'static str, u32); 32];

const fn op_table(named: &[(usize, &'static str, u32)], shifts: bool) -> OpTable {
    let mut t = [("", 0); 32];
    let mut i = 0;
    while shifts && i < 8 {
        t[i] = ("mul", 2);
        i += 1;
    }
    let mut i = 0;
    while i < named.len() {
        t[named[i].0] = (named[i].1, named[i].2);
        i += 1;
    }
    t
}

/// Operations of the multipliers. 0…7 are products, the number a signed shift.
pub const MUL_OPS: OpTable = op_table(
    &[
        (8, "not", 1),
        (9, "and", 2),
        (10, "or", 2),
        (11, "xor", 2),
        (12, "ne", 2),
        (13, "gt", 2),
        (14, "ge", 2),
        (15, "eq", 2),
        (16, "min", 2),
        (17, "max", 2),
        (31, "mov", 1),
    ],
    true,
);

/// Operations of the adders.
pub const ACC_OPS: OpTable = op_table(
    &[
        (0, "add", 2),
        (4, "fract", 1),
        (8, "ne", 2),
        (9, "gt", 2),
        (10, "ge", 2),
        (11, "eq", 2),
        (12, "floor", 1),
        (13, "ceil", 1),
        (14, "min", 2),
        (15, "max", 2),
        (16, "sum3", 1),
        (17, "sum4", 1),
        (20, "dFdx", 2),
        (21, "dFdy", 2),
        (23, "sel", 2),
        (31, "mov", 1),
    ],
    false,
);

/// Scalar operations of the combiner.
pub const COMBINE_OPS: OpTable = op_table(
    &[
        (0, "rcp", 1),
        (1, "mov", 1),
        (2, "sqrt", 1),
        (3, "rsqrt", 1),
        (4, "exp2", 1),
        (5, "log2", 1),
        (6, "sin", 1),
        (7, "cos", 1),
        (8, "atan", 1),
        (9, "atan2", 2),
    ],
    false,
);

/// One instruction, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    /// Where it starts, in words from the program's start.
    pub offset: usize,
    /// The control word.
    pub ctrl: u32,
    /// The slots' bits; meaningful where the mask names them.
    pub slots: [u128; 12],
    /// Bits behind the last slot, up to the end of the instruction.
    pub padding: u128,
}

impl Instr {
    /// The slot's bits if the instruction has it.
    pub fn slot(&self, slot: Slot) -> Option<u128> {
        let mask = ctrl::FIELDS.get(u128::from(self.ctrl));
        (mask >> slot as u32 & 1 != 0).then(|| self.slots[slot as usize])
    }

    /// Words, control word included.
    pub fn len(&self) -> usize {
        ctrl::COUNT.get(u128::from(self.ctrl)) as usize
    }

    /// Whether it has no words at all, which no instruction does.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether the program ends here.
    pub fn stop(&self) -> bool {
        ctrl::STOP.on(u128::from(self.ctrl))
    }

    /// Words of the instruction behind this one, 0 if there is none.
    pub fn next_count(&self) -> usize {
        ctrl::NEXT_COUNT.get(u128::from(self.ctrl)) as usize
    }

    /// Bits that the named slots take.
    pub fn slot_bits(&self) -> u32 {
        Slot::ALL
            .iter()
            .filter(|&&s| self.slot(s).is_some())
            .map(|s| s.width())
            .sum()
    }

    /// A branch's target in words from the program's start.
    pub fn branch_target(&self) -> Option<i64> {
        let b = self.slot(Slot::Branch)?;
        if b == branch::DISCARD {
            return None;
        }
        let distance = (branch::TARGET.get(b) << 5) as i32 >> 5;
        Some(self.offset as i64 + i64::from(distance))
    }

    /// Takes the instruction at `offset` of `program` apart.
    pub fn decode(program: &[u32], offset: usize) -> Result<Instr, IsaError> {
        let err = |what: String| IsaError { at: offset, what };
        let Some(&word) = program.get(offset) else {
            return Err(err(format!("the program has only {} words", program.len())));
        };
        let count = ctrl::COUNT.get(u128::from(word)) as usize;
        let mut instr = Instr {
            offset,
            ctrl: word,
            slots: [0; 12],
            padding: 0,
        };
        let need = 1 + instr.slot_bits().div_ceil(32) as usize;
        if count < need {
            return Err(err(format!(
                "control word {word:#010x}: {count} words given, its slots take {need}"
            )));
        }
        let Some(body) = program.get(offset + 1..offset + count) else {
            return Err(err(format!(
                "control word {word:#010x}: {count} words given, {} left in the program",
                program.len() - offset
            )));
        };
        let mut at = 0;
        for slot in Slot::ALL {
            if instr.slot(slot).is_some() {
                instr.slots[slot as usize] = extract(body, at, slot.width());
                at += slot.width();
            }
        }
        instr.padding = extract(body, at, (body.len() as u32 * 32 - at).min(128));
        Ok(instr)
    }

    /// The instruction's words.
    pub fn encode(&self) -> Vec<u32> {
        let mut out = vec![0u32; self.len().max(1)];
        out[0] = self.ctrl;
        let mut at = 0;
        for slot in Slot::ALL {
            if let Some(raw) = self.slot(slot) {
                insert(&mut out[1..], at, slot.width(), raw);
                at += slot.width();
            }
        }
        let rest = (out.len() as u32 - 1) * 32;
        if rest > at {
            insert(&mut out[1..], at, (rest - at).min(128), self.padding);
        }
        out
    }
}

/// `len` bits from bit `at` of a row of words; zero beyond its end.
fn extract(words: &[u32], at: u32, len: u32) -> u128 {
    let mut out = 0u128;
    for i in 0..5 {
        let word = (at / 32 + i) as usize;
        let Some(&w) = words.get(word) else { break };
        let shift = i as i32 * 32 - (at % 32) as i32;
        let w = u128::from(w);
        out |= if shift < 0 {
            w >> -shift
        } else if shift < 128 {
            w << shift
        } else {
            0
        };
    }
    if len < 128 {
        out & ((1 << len) - 1)
    } else {
        out
    }
}

/// Puts `len` bits at bit `at` of a row of words; what does not fit is dropped.
fn insert(words: &mut [u32], at: u32, len: u32, value: u128) {
    for b in 0..len {
        let bit = at + b;
        if let Some(w) = words.get_mut((bit / 32) as usize) {
            *w |= ((value >> b & 1) as u32) << (bit % 32);
        }
    }
}

/// The instructions of a program: from its first word as long as each says
/// that another follows, and everything its branches reach. At most
/// `max_words` words are looked at.
pub fn decode_program(program: &[u32], max_words: usize) -> Result<Vec<Instr>, IsaError> {
    let program = &program[..program.len().min(max_words)];
    let mut found: std::collections::BTreeMap<usize, Instr> = Default::default();
    let mut todo = vec![0usize];
    while let Some(mut at) = todo.pop() {
        while !found.contains_key(&at) {
            let instr = Instr::decode(program, at)?;
            if let Some(target) = instr.branch_target() {
                let target = usize::try_from(target).map_err(|_| IsaError {
                    at,
                    what: format!("branch to {target}, before the program"),
                })?;
                todo.push(target);
            }
            let (len, more) = (instr.len(), instr.next_count() != 0);
            found.insert(at, instr);
            if !more {
                break;
            }
            at += len;
        }
    }
    Ok(found.into_values().collect())
}
