//! Fragment programs, prepared: every slot of every instruction becomes
//! operations on single components, with sources resolved to rows of lanes or
//! to constants, so that running one is a walk along a flat list.

mod alu;
mod build;
mod cache;
mod load;
mod opt;

pub use build::NO_OP;
pub(crate) use cache::Cache;
pub use opt::rows;

use super::setup::Attr;
use build::Builder;
use isotherm_regs::mali::isa_pp as isa;

/// Words a program may have.
const MAX_WORDS: usize = 1 << 14;
/// vec4s of temporaries a pixel may have.
pub(crate) const MAX_TEMPS: usize = 256;

/// Rows of lanes: registers first (four rows each), then what the stages hand
/// to each other inside an instruction.
pub mod row {
    /// The first row behind the registers.
    pub const TEXTURE: u8 = 48;
    pub const UNIFORM: u8 = 52;
    pub const V0: u8 = 56;
    pub const S0: u8 = 60;
    /// Texture coordinates; not rounded to half floats.
    pub const COORD: u8 = 64;
    pub const TEMPORARY: u8 = 68;
    /// Four rows that wait until they are merged under a mask.
    pub const ASIDE: u8 = 124;
    /// Number of rows, a power of two.
    pub const COUNT: usize = 128;
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Src {
    /// A row, or from [`Src::CONST`] on a constant.
    pub at: u16,
    /// Cleared bits (absolute value) and flipped bits (negation).
    pub and: u32,
    pub xor: u32,
}

impl Src {
    pub const CONST: u16 = 0x8000;

    pub fn row(at: u8) -> Src {
        Src {
            at: u16::from(at),
            and: u32::MAX,
            xor: 0,
        }
    }

    /// The source of component `c` of operations that were joined.
    #[inline(always)]
    pub(crate) fn step(self, step: u8, c: u8) -> Src {
        Src {
            at: self.at + u16::from(step * c),
            ..self
        }
    }

    pub fn modified(self, abs: bool, neg: bool) -> Src {
        Src {
            at: self.at,
            and: if abs { 0x7FFF_FFFF } else { u32::MAX },
            xor: if neg { 0x8000_0000 } else { 0 },
        }
    }
}

/// A constant of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Const {
    Value(f32),
    /// A component of the uniforms.
    Uniform(u32),
}

/// Operations on one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PixelCode {
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

impl PixelCode {
    /// Whether it fetches its result from somewhere else than rows and constants.
    pub(crate) fn fetches(self) -> bool {
        matches!(
            self,
            PixelCode::FragCoord
                | PixelCode::FrontFacing
                | PixelCode::FbColor
                | PixelCode::FbDepth
                | PixelCode::DFdx
                | PixelCode::DFdy
                | PixelCode::VaryingAt
                | PixelCode::UniformAt
                | PixelCode::LoadTemp
        )
    }
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub struct PixelOp {
    pub code: PixelCode,
    pub dst: u8,
    pub outmod: OutMod,
    pub a: Src,
    pub b: Src,
    /// Scale of products and sums.
    pub scale: f32,
    /// Attribute, sampler, component, sum or temporary number.
    pub n: i32,
    /// Rows from `dst` on: how many operations were joined.
    pub count: u8,
    /// How far each source moves from one of them to the next.
    pub steps: [u8; 2],
    /// A half float comes out: everywhere but in texture coordinates.
    pub rounds: bool,
    /// Neither sources nor result are modified.
    pub unmodified: bool,
    /// The same, and a half float comes out.
    pub plain: bool,
    /// One of those that run together, see `is_simple`.
    pub simple: bool,
    /// How many run together from this one on.
    pub together: u8,
}

impl PixelOp {
    /// Whether it only moves, multiplies or adds: such operations run in one go.
    pub(crate) fn is_simple(&self) -> bool {
        match self.code {
            PixelCode::Mul | PixelCode::Add => self.scale == 1.0,
            PixelCode::Mov | PixelCode::Sum => true,
            _ => false,
        }
    }

    /// Rows from `dst` on that it writes.
    #[inline(always)]
    pub(crate) fn rows(&self) -> u8 {
        match self.code {
            PixelCode::Texture => 4,
            _ => self.count,
        }
    }
}

/// What happens to a result on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutMod {
    None,
    /// Clamped to 0…1.
    Unit,
    /// Clamped to 0….
    Positive,
    /// Cut towards zero.
    Integer,
}

impl From<u32> for OutMod {
    /// From the instruction's two bits.
    fn from(bits: u32) -> OutMod {
        match bits & 3 {
            0 => OutMod::None,
            1 => OutMod::Unit,
            2 => OutMod::Positive,
            _ => OutMod::Integer,
        }
    }
}

/// A prepared instruction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub ops: (u32, u32),
    /// What it takes of a tile's budget.
    pub cost: u64,
    pub branch: Option<Branch>,
    pub stop: bool,
}

/// A branch between prepared instructions.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    pub a: Src,
    pub b: Src,
    /// Any of [`Branch::LESS`], [`Branch::EQUAL`] and [`Branch::GREATER`].
    pub when: u8,
    pub target: u32,
}

impl Branch {
    pub const LESS: u8 = 1;
    pub const EQUAL: u8 = 2;
    pub const GREATER: u8 = 4;
    pub const ALWAYS: u8 = 7;
}

/// How a texture is looked up.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    pub sampler: u32,
    pub sampler_at: Option<Src>,
    pub cube: bool,
    pub lod: Option<Src>,
    pub explicit: bool,
}

/// A program that only hands four attributes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RampProgram {
    /// The first of them.
    pub(crate) first: u32,
    /// What a batch takes of a tile's budget.
    pub(crate) cost: u32,
}

/// A prepared program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// As the driver wrote it.
    pub words: Vec<u32>,
    pub steps: Vec<Step>,
    pub ops: Vec<PixelOp>,
    pub consts: Vec<Const>,
    pub sums: Vec<[Src; 4]>,
    pub lookups: Vec<Lookup>,
    pub attrs: Vec<Attr>,
    pub discards: bool,
    /// Reads the tile buffer.
    pub reads_tile: bool,
    pub temps: bool,
    /// Nothing is rounded to half floats, see [`crate::WhatIf`].
    pub full_floats: bool,
    /// Rows that must be zero when it starts: they are read before they are written.
    pub unset: Vec<u8>,
    /// No branches: one walk along the list.
    pub straight: bool,
}

impl Program {
    /// Prepares the program in `words`; with `full_floats` nothing is rounded to half floats.
    pub(crate) fn new(words: &[u32], full_floats: bool) -> Result<Program, String> {
        let code = isa::decode_program(words, MAX_WORDS).map_err(|e| e.to_string())?;
        let mut b = Builder {
            program: Program {
                words: words.to_vec(),
                full_floats,
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
        // Whoever watches looks at all registers.
        b.program.finish(rows(0, row::TEXTURE as usize), false);
        Ok(b.program)
    }

    /// Where all that the program does is to leave four attributes in the rows from `color` on.
    pub(crate) fn ramp(&self, color: usize) -> Option<RampProgram> {
        let ([op], [step]) = (&self.ops[..], &self.steps[..]) else {
            return None;
        };
        let whole = self.straight && self.unset.is_empty();
        let alike = op.code == PixelCode::Varying && op.plain && op.count == 4;
        (whole && alike && op.dst as usize == color).then_some(RampProgram {
            first: op.n as u32,
            cost: step.cost as u32,
        })
    }

    /// Words of the program at the start of `words`: as far as the last instruction
    /// that it can reach.
    pub(crate) fn extent(words: &[u32]) -> Result<usize, String> {
        let code = isa::decode_program(words, MAX_WORDS).map_err(|e| e.to_string())?;
        Ok(code.last().map_or(0, |i| i.offset + i.len()))
    }
}
