//! Fragment programs, prepared: every slot of every instruction becomes
//! operations on single components, with sources resolved to rows of lanes or
//! to constants, so that running one is a walk along a flat list.

mod alu;
mod build;
mod cache;
mod load;
mod opt;
#[cfg(test)]
mod tests;

pub(crate) use cache::Cache;
pub(crate) use opt::rows;

use super::prim::Attr;
use build::Builder;
use isotherm_regs::mali::isa_pp as isa;

/// Words a program may have.
const MAX_WORDS: usize = 1 << 14;
/// vec4s of temporaries a pixel may have.
pub(crate) const MAX_TEMPS: usize = 256;

/// Rows of lanes: registers first (four rows each), then what the stages hand
/// to each other inside an instruction.
pub(crate) mod row {
    pub(crate) const TEXTURE: u8 = 48;
    pub(crate) const UNIFORM: u8 = 52;
    pub(crate) const V0: u8 = 56;
    pub(crate) const S0: u8 = 60;
    /// Texture coordinates; not rounded to half floats.
    pub(crate) const COORD: u8 = 64;
    pub(crate) const TEMPORARY: u8 = 68;
    /// Number of rows, a power of two.
    pub(crate) const COUNT: usize = 128;
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Src {
    /// A row, or from [`Src::CONST`] on a constant.
    pub(crate) at: u16,
    /// Cleared bits (absolute value) and flipped bits (negation).
    pub(crate) and: u32,
    pub(crate) xor: u32,
}

impl Src {
    pub(crate) const CONST: u16 = 0x8000;

    fn row(at: u8) -> Src {
        Src {
            at: u16::from(at),
            and: u32::MAX,
            xor: 0,
        }
    }

    fn modified(self, abs: bool, neg: bool) -> Src {
        Src {
            at: self.at,
            and: if abs { 0x7FFF_FFFF } else { u32::MAX },
            xor: if neg { 0x8000_0000 } else { 0 },
        }
    }
}

/// A constant of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Const {
    Value(f32),
    /// A component of the uniforms.
    Uniform(u32),
}

/// Operations on one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Code {
    Mov,
    Mul,
    Not,
    And,
    Or,
    Xor,
    Ne,
    Gt,
    Ge,
    Eq,
    Min,
    Max,
    Add,
    Fract,
    Floor,
    Ceil,
    DFdx,
    DFdy,
    /// First or second source, as [`row::S0`] is not or is zero.
    Sel,
    /// Sum of the components in [`Program::sums`].
    Sum,
    Rcp,
    Sqrt,
    Rsqrt,
    Exp2,
    Log2,
    Sin,
    Cos,
    Atan,
    Atan2,
    /// Quotient, for projective coordinates.
    Div,
    Varying,
    /// A varying whose number a register shifts.
    VaryingAt,
    FragCoord,
    FrontFacing,
    /// Writes four rows from [`row::TEXTURE`] on.
    Texture,
    UniformAt,
    LoadTemp,
    StoreTemp,
    FbColor,
    FbDepth,
    Discard,
    /// Reciprocal length of three components in [`Program::sums`].
    InvLength,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) code: Code,
    pub(crate) dst: u8,
    /// Output modifier: 0 none, 1 to 0…1, 2 to 0…, 3 towards zero to an integer.
    pub(crate) outmod: u8,
    pub(crate) a: Src,
    pub(crate) b: Src,
    /// Scale of products and sums.
    pub(crate) scale: f32,
    /// Attribute, sampler, component, sum or temporary number.
    pub(crate) n: i32,
    /// Attributes, and rows from `dst` on, of a [`Code::Varying`]; else 1.
    pub(crate) count: u8,
    /// No modifiers, and a half float comes out.
    pub(crate) plain: bool,
}

/// A prepared instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) ops: (u32, u32),
    /// What it takes of a tile's budget.
    pub(crate) cost: u64,
    pub(crate) branch: Option<Branch>,
    pub(crate) stop: bool,
}

/// A branch between prepared instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) a: Src,
    pub(crate) b: Src,
    /// Bit 0 less, 1 equal, 2 greater.
    pub(crate) when: u8,
    pub(crate) target: u32,
}

/// How a texture is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) sampler: u32,
    pub(crate) sampler_at: Option<Src>,
    pub(crate) cube: bool,
    pub(crate) lod: Option<Src>,
    pub(crate) explicit: bool,
}

/// A prepared program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// As the driver wrote it.
    pub(crate) words: Vec<u32>,
    pub(crate) steps: Vec<Step>,
    pub(crate) ops: Vec<Op>,
    pub(crate) consts: Vec<Const>,
    pub(crate) sums: Vec<[Src; 4]>,
    pub(crate) lookups: Vec<Lookup>,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) discards: bool,
    /// Reads the tile buffer.
    pub(crate) reads_tile: bool,
    pub(crate) temps: bool,
    /// No branches: one walk along the list.
    pub(crate) straight: bool,
}

impl Program {
    /// Prepares the program in `words`.
    pub(crate) fn new(words: &[u32]) -> Result<Program, String> {
        let code = isa::decode_program(words, MAX_WORDS).map_err(|e| e.to_string())?;
        let mut b = Builder {
            program: Program {
                words: words.to_vec(),
                ..Program::default()
            },
        };
        for (i, instr) in code.iter().enumerate() {
            let first = b.program.ops.len() as u32;
            let branch = b.instruction(instr, &code)?;
            let falls_off = i + 1 == code.len() || code[i + 1].offset != instr.offset + instr.len();
            b.program.steps.push(Step {
                ops: (first, b.program.ops.len() as u32),
                cost: 0,
                branch,
                stop: instr.stop() || falls_off,
            });
        }
        b.program.straight = b.program.steps.iter().all(|s| s.branch.is_none());
        b.program.finish();
        Ok(b.program)
    }

    /// Words of the program at the start of `words`: as far as the last instruction
    /// that it can reach.
    pub(crate) fn extent(words: &[u32]) -> Result<usize, String> {
        let code = isa::decode_program(words, MAX_WORDS).map_err(|e| e.to_string())?;
        Ok(code.last().map_or(0, |i| i.offset + i.len()))
    }
}
