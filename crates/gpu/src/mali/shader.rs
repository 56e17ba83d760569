//! Fragment programs, prepared: every slot of every instruction becomes
//! operations on single components, with sources resolved to rows of lanes or
//! to constants, so that running one is a walk along a flat list.

use super::prim::Attr;
use isotherm_regs::mali::isa_bits::{Bits, half_to_f32};
use isotherm_regs::mali::isa_pp::{
    self as isa, Instr, Slot, branch, combine, float, reg, sampler, temp_write, uniform, varying,
    vec4,
};

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
}

/// A prepared instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) ops: (u32, u32),
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
#[derive(Debug, Default)]
pub(crate) struct Program {
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
            program: Program::default(),
        };
        for (i, instr) in code.iter().enumerate() {
            let first = b.program.ops.len() as u32;
            let branch = b.instruction(instr, &code)?;
            let falls_off = i + 1 == code.len() || code[i + 1].offset != instr.offset + instr.len();
            b.program.steps.push(Step {
                ops: (first, b.program.ops.len() as u32),
                branch,
                stop: instr.stop() || falls_off,
            });
        }
        b.program.straight = b.program.steps.iter().all(|s| s.branch.is_none());
        Ok(b.program)
    }

    /// Words of the program at the start of `words`: as far as the last instruction
    /// that it can reach.
    pub(crate) fn extent(words: &[u32]) -> Result<usize, String> {
        let code = isa::decode_program(words, MAX_WORDS).map_err(|e| e.to_string())?;
        Ok(code.last().map_or(0, |i| i.offset + i.len()))
    }
}

struct Builder {
    program: Program,
}

const NO_OP: Op = Op {
    code: Code::Mov,
    dst: 0,
    outmod: 0,
    a: Src {
        at: 0,
        and: u32::MAX,
        xor: 0,
    },
    b: Src {
        at: 0,
        and: u32::MAX,
        xor: 0,
    },
    scale: 1.0,
    n: 0,
};

/// What the slots of one instruction share.
struct Context {
    consts: [[f32; 4]; 2],
    /// A uniform load without an index register: its first component.
    uniform: Option<(u32, u32)>,
}

impl Builder {
    fn constant(&mut self, value: Const) -> Src {
        let same = |c: &Const| match (c, &value) {
            (Const::Value(a), Const::Value(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        };
        let consts = &mut self.program.consts;
        let at = consts.iter().position(same).unwrap_or_else(|| {
            consts.push(value);
            consts.len() - 1
        });
        Src {
            at: Src::CONST | at as u16,
            and: u32::MAX,
            xor: 0,
        }
    }

    fn source(&mut self, cx: &Context, register: u32, comp: u32) -> Src {
        match register {
            reg::CONST0 | reg::CONST1 => {
                let value = cx.consts[(register - reg::CONST0) as usize][comp as usize];
                self.constant(Const::Value(value))
            }
            reg::TEXTURE => Src::row(row::TEXTURE + comp as u8),
            reg::UNIFORM => match cx.uniform {
                Some((first, count)) if comp < count => self.constant(Const::Uniform(first + comp)),
                // A load of one or two components fills only these.
                Some(_) => self.constant(Const::Value(0.0)),
                None => Src::row(row::UNIFORM + comp as u8),
            },
            _ => Src::row((register * 4 + comp) as u8),
        }
    }

    fn scalar(&mut self, cx: &Context, index: u32) -> Src {
        self.source(cx, index >> 2, index & 3)
    }

    fn push(&mut self, op: Op) {
        self.program.ops.push(op);
    }

    fn attr(&mut self, attr: Attr) -> i32 {
        let attrs = &mut self.program.attrs;
        let at = attrs.iter().position(|&a| a == attr).unwrap_or_else(|| {
            attrs.push(attr);
            attrs.len() - 1
        });
        at as i32
    }

    fn instruction(&mut self, instr: &Instr, code: &[Instr]) -> Result<Option<Branch>, String> {
        let consts = [Slot::Const0, Slot::Const1].map(|slot| {
            let raw = instr.slot(slot).unwrap_or(0);
            std::array::from_fn(|i| half_to_f32((raw >> (16 * i)) as u16))
        });
        let mut cx = Context {
            consts,
            uniform: None,
        };
        if let Some(raw) = instr.slot(Slot::Varying) {
            self.varying(&cx, raw);
        }
        if let Some(raw) = instr.slot(Slot::Sampler) {
            self.sampler(&cx, raw);
        }
        if let Some(raw) = instr.slot(Slot::Uniform) {
            self.uniform(&mut cx, raw);
        }
        self.multiply(&cx, instr);
        self.add(&cx, instr);
        if let Some(raw) = instr.slot(Slot::Combine) {
            self.combine(&cx, raw);
        }
        if let Some(raw) = instr.slot(Slot::TempWrite) {
            self.temp_write(&cx, raw);
        }
        match instr.slot(Slot::Branch) {
            Some(branch::DISCARD) => {
                self.program.discards = true;
                self.push(Op {
                    code: Code::Discard,
                    ..NO_OP
                });
                Ok(None)
            }
            Some(raw) => {
                let target = instr.branch_target().unwrap_or(0);
                let target = code
                    .iter()
                    .position(|i| i.offset as i64 == target)
                    .ok_or_else(|| {
                        format!(
                            "branch at {} into the middle of an instruction",
                            instr.offset
                        )
                    })?;
                let when =
                    branch::LT.get(raw) | branch::EQ.get(raw) << 1 | branch::GT.get(raw) << 2;
                Ok(Some(Branch {
                    a: self.scalar(&cx, branch::ARG0.get(raw)),
                    b: self.scalar(&cx, branch::ARG1.get(raw)),
                    when: when as u8,
                    target: target as u32,
                }))
            }
            None => Ok(None),
        }
    }

    fn varying(&mut self, cx: &Context, raw: u128) {
        use varying::*;
        let (kind, persp) = (SOURCE_TYPE.get(raw), PERSPECTIVE.get(raw));
        let from_register = kind == 1 || kind == 2 && (persp == 1 || persp == 2);
        // First the four components, unrounded, where the sampler finds them.
        for c in 0..4u32 {
            let dst = row::COORD + c as u8;
            let op = if from_register {
                let from = SWIZZLE.get(raw) >> (2 * c) & 3;
                let a = self.source(cx, SOURCE.get(raw), from);
                Op {
                    a: a.modified(ABSOLUTE.on(raw), NEGATE.on(raw)),
                    dst,
                    ..NO_OP
                }
            } else if kind == 2 && persp == 3 {
                Op {
                    code: Code::FragCoord,
                    dst,
                    n: c as i32,
                    ..NO_OP
                }
            } else if kind == 3 && persp == 0 {
                if c > 1 {
                    let a = self.constant(Const::Value(if c == 3 { 1.0 } else { 0.0 }));
                    Op { a, dst, ..NO_OP }
                } else {
                    let n = self.attr(Attr::Point(c as u8));
                    Op {
                        code: Code::Varying,
                        dst,
                        n,
                        ..NO_OP
                    }
                }
            } else if kind == 3 {
                Op {
                    code: Code::FrontFacing,
                    dst,
                    ..NO_OP
                }
            } else {
                self.varying_component(cx, raw, c, dst)
            };
            self.push(op);
        }
        if kind < 2 && persp >= 2 {
            let by = row::COORD + persp as u8;
            let divisor = Op {
                a: Src::row(by),
                dst: row::TEMPORARY,
                ..NO_OP
            };
            self.push(divisor);
            for c in 0..4 {
                let dst = row::COORD + c;
                let b = Src::row(row::TEMPORARY);
                self.push(Op {
                    code: Code::Div,
                    a: Src::row(dst),
                    b,
                    dst,
                    ..NO_OP
                });
            }
        }
        if kind == 2 && persp == 2 || from_register && kind == 1 && NORMALIZE.on(raw) {
            let xyz = [0, 1, 2, 2].map(|c| Src::row(row::COORD + c));
            self.program.sums.push(xyz);
            let n = self.program.sums.len() as i32 - 1;
            self.push(Op {
                code: Code::InvLength,
                dst: row::TEMPORARY,
                n,
                ..NO_OP
            });
            for c in 0..3 {
                let dst = row::COORD + c;
                let b = Src::row(row::TEMPORARY);
                self.push(Op {
                    code: Code::Mul,
                    a: Src::row(dst),
                    b,
                    dst,
                    ..NO_OP
                });
            }
        }
        if DEST.get(raw) < 12 {
            // The first component written gets x: lima shifts the mask alone when it puts a
            // short vector into the later components of a register.
            let shift = MASK.get(raw).trailing_zeros().min(3);
            for c in shift..4 {
                if MASK.get(raw) >> c & 1 != 0 {
                    let dst = (DEST.get(raw) * 4 + c) as u8;
                    self.push(Op {
                        a: Src::row(row::COORD + (c - shift) as u8),
                        dst,
                        ..NO_OP
                    });
                }
            }
        }
    }

    /// A component of a varying as the slot's alignment cuts it.
    fn varying_component(&mut self, cx: &Context, raw: u128, c: u32, dst: u8) -> Op {
        use varying::*;
        let index = INDEX.get(raw);
        let (slot, comp) = match ALIGNMENT.get(raw) {
            0 => (index >> 2, index & 3),
            1 => (index >> 1, (index & 1) * 2 + (c & 1)),
            _ => (index, c),
        };
        if OFFSET_VECTOR.get(raw) != 15 {
            // Which varying is only known when the program runs.
            for slot in 0..12 {
                for comp in 0..4 {
                    self.attr(Attr::Varying(slot, comp));
                }
            }
            let a = self.source(cx, OFFSET_VECTOR.get(raw), OFFSET_SCALAR.get(raw));
            let n = (slot * 4 + comp) as i32;
            return Op {
                code: Code::VaryingAt,
                dst,
                a,
                n,
                ..NO_OP
            };
        }
        let n = self.attr(Attr::Varying(slot as u8, comp as u8));
        Op {
            code: Code::Varying,
            dst,
            n,
            ..NO_OP
        }
    }

    fn sampler(&mut self, cx: &Context, raw: u128) {
        use sampler::*;
        let sampler_at = OFFSET_EN
            .on(raw)
            .then(|| self.scalar(cx, INDEX_OFFSET.get(raw)));
        let lod = LOD_BIAS_EN
            .on(raw)
            .then(|| self.scalar(cx, LOD_BIAS.get(raw)));
        self.program.lookups.push(Lookup {
            sampler: INDEX.get(raw),
            sampler_at,
            cube: TYPE.get(raw) == CUBE,
            lod,
            explicit: EXPLICIT_LOD.on(raw),
        });
        let n = self.program.lookups.len() as i32 - 1;
        self.push(Op {
            code: Code::Texture,
            dst: row::TEXTURE,
            n,
            ..NO_OP
        });
    }

    fn uniform(&mut self, cx: &mut Context, raw: u128) {
        use uniform::*;
        let index = i32::from(INDEX.get(raw) as u16 as i16);
        // Components per unit of the index, and components loaded.
        let unit = match ALIGNMENT.get(raw) {
            0 => 1,
            1 => 2,
            _ => 4,
        };
        let temporary = SOURCE.get(raw) == TEMPORARY;
        if !temporary && !OFFSET_EN.on(raw) {
            cx.uniform = Some(((index * unit).max(0) as u32, unit as u32));
            return;
        }
        let zero = self.constant(Const::Value(0.0));
        let a = if OFFSET_EN.on(raw) {
            self.scalar(cx, OFFSET_REG.get(raw))
        } else {
            zero
        };
        self.program.temps |= temporary;
        let code = if temporary {
            Code::LoadTemp
        } else {
            Code::UniformAt
        };
        for c in 0..4 {
            // The index register counts whole units as well.
            let dst = row::UNIFORM + c as u8;
            let op = if c < unit {
                Op {
                    code,
                    dst,
                    a,
                    n: index * unit + c,
                    scale: unit as f32,
                    ..NO_OP
                }
            } else {
                Op {
                    a: zero,
                    dst,
                    ..NO_OP
                }
            };
            self.push(op);
        }
    }

    fn vec_sources(&mut self, cx: &Context, raw: u128, c: u32, mul_in: bool) -> (Src, Src) {
        use vec4::*;
        let s0 = ARG0_SWIZZLE.get(raw) >> (2 * c) & 3;
        let s1 = ARG1_SWIZZLE.get(raw) >> (2 * c) & 3;
        let a = if mul_in {
            Src::row(row::V0 + s0 as u8)
        } else {
            self.source(cx, ARG0.get(raw), s0)
        };
        let b = self.source(cx, ARG1.get(raw), s1);
        (
            a.modified(ARG0_ABS.on(raw), ARG0_NEG.on(raw)),
            b.modified(ARG1_ABS.on(raw), ARG1_NEG.on(raw)),
        )
    }

    fn float_sources(&mut self, cx: &Context, raw: u128, mul_in: bool) -> (Src, Src) {
        use float::*;
        let a = if mul_in {
            Src::row(row::S0)
        } else {
            self.scalar(cx, ARG0.get(raw))
        };
        let b = self.scalar(cx, ARG1.get(raw));
        (
            a.modified(ARG0_ABS.on(raw), ARG0_NEG.on(raw)),
            b.modified(ARG1_ABS.on(raw), ARG1_NEG.on(raw)),
        )
    }

    /// The two multipliers, side by side.
    fn multiply(&mut self, cx: &Context, instr: &Instr) {
        let vector = instr.slot(Slot::VecMul);
        let scalar = instr.slot(Slot::FloatMul);
        let acc = |slot: Slot, mul_in: Bits, op: Bits| {
            instr.slot(slot).map_or((false, false), |raw| {
                (
                    mul_in.on(raw),
                    isa::ACC_OPS[op.get(raw) as usize].0 == "sel",
                )
            })
        };
        let (v_in, v_sel) = acc(Slot::VecAcc, vec4::MUL_IN, vec4::OP);
        let (s_in, s_sel) = acc(Slot::FloatAcc, float::MUL_IN, float::OP);
        let mut stage = Vec::new();
        if let Some(raw) = vector {
            let mask = vec4::MASK.get(raw);
            let pipelined = mask == 0 || v_in;
            for c in 0..4 {
                if !pipelined && mask >> c & 1 == 0 {
                    continue;
                }
                let (a, b) = self.vec_sources(cx, raw, c, false);
                let (code, scale) = mul_code(vec4::OP.get(raw));
                let to = (vec4::DEST.get(raw) * 4 + c) as u8;
                let dst = if pipelined { row::V0 + c as u8 } else { to };
                let outmod = vec4::OUTMOD.get(raw) as u8;
                stage.push(Op {
                    code,
                    dst,
                    outmod,
                    a,
                    b,
                    scale,
                    n: 0,
                });
            }
        }
        if let Some(raw) = scalar {
            let (a, b) = self.float_sources(cx, raw, false);
            let (code, scale) = mul_code(float::OP.get(raw));
            let outmod = float::OUTMOD.get(raw) as u8;
            let pipelined = !float::OUTPUT_EN.on(raw) || s_in || s_sel || v_sel;
            let dst = if pipelined {
                row::S0
            } else {
                float::DEST.get(raw) as u8
            };
            stage.push(Op {
                code,
                dst,
                outmod,
                a,
                b,
                scale,
                n: 0,
            });
        }
        self.stage(stage);
        // Results that both go on and stay.
        if let Some(raw) = vector
            && v_in
        {
            for c in 0..4 {
                if vec4::MASK.get(raw) >> c & 1 != 0 {
                    let dst = (vec4::DEST.get(raw) * 4 + c) as u8;
                    self.push(Op {
                        a: Src::row(row::V0 + c as u8),
                        dst,
                        ..NO_OP
                    });
                }
            }
        }
        if let Some(raw) = scalar
            && float::OUTPUT_EN.on(raw)
            && (s_in || s_sel || v_sel)
        {
            self.push(Op {
                a: Src::row(row::S0),
                dst: float::DEST.get(raw) as u8,
                ..NO_OP
            });
        }
    }

    /// The two adders, side by side.
    fn add(&mut self, cx: &Context, instr: &Instr) {
        let mut stage = Vec::new();
        if let Some(raw) = instr.slot(Slot::VecAcc) {
            let mul_in = vec4::MUL_IN.on(raw);
            let op = vec4::OP.get(raw);
            let outmod = vec4::OUTMOD.get(raw) as u8;
            let sum = if op == 16 || op == 17 {
                let mut terms = [0, 1, 2, 3].map(|c| self.vec_sources(cx, raw, c, mul_in).0);
                if op == 16 {
                    terms[3] = self.constant(Const::Value(0.0));
                }
                self.program.sums.push(terms);
                Some(self.program.sums.len() as i32 - 1)
            } else {
                None
            };
            for c in 0..4 {
                if vec4::MASK.get(raw) >> c & 1 == 0 {
                    continue;
                }
                let dst = (vec4::DEST.get(raw) * 4 + c) as u8;
                let (a, b) = self.vec_sources(cx, raw, c, mul_in);
                let (code, scale) = acc_code(op);
                stage.push(match sum {
                    Some(n) => Op {
                        code: Code::Sum,
                        dst,
                        outmod,
                        n,
                        ..NO_OP
                    },
                    None => Op {
                        code,
                        dst,
                        outmod,
                        a,
                        b,
                        scale,
                        n: 0,
                    },
                });
            }
        }
        if let Some(raw) = instr.slot(Slot::FloatAcc)
            && float::OUTPUT_EN.on(raw)
        {
            let (a, b) = self.float_sources(cx, raw, float::MUL_IN.on(raw));
            let (code, scale) = acc_code(float::OP.get(raw));
            let outmod = float::OUTMOD.get(raw) as u8;
            stage.push(Op {
                code,
                dst: float::DEST.get(raw) as u8,
                outmod,
                a,
                b,
                scale,
                n: 0,
            });
        }
        self.stage(stage);
    }

    /// Operations of one stage read before any of them writes: results that a later
    /// operation of the stage still needs the old value of wait in spare rows.
    fn stage(&mut self, mut ops: Vec<Op>) {
        let mut moves = Vec::new();
        for i in 0..ops.len() {
            let dst = ops[i].dst;
            let sums = &self.program.sums;
            let reads = |op: &Op| {
                let at = u16::from(dst);
                op.a.at == at
                    || op.b.at == at
                    || op.code == Code::Sum && sums[op.n as usize].iter().any(|s| s.at == at)
            };
            if ops[i + 1..].iter().any(reads) {
                let spare = row::TEMPORARY + moves.len() as u8;
                moves.push(Op {
                    a: Src::row(spare),
                    dst,
                    ..NO_OP
                });
                ops[i].dst = spare;
            }
        }
        self.program.ops.extend(ops);
        self.program.ops.extend(moves);
    }

    fn combine(&mut self, cx: &Context, raw: u128) {
        use combine::*;
        let a = self
            .scalar(cx, ARG0.get(raw))
            .modified(ARG0_ABS.on(raw), ARG0_NEG.on(raw));
        let vector_comp = |c: u32| (ARG1_VEC.get(raw), ARG1_SWIZZLE.get(raw) >> (2 * c) & 3);
        match (DEST_VEC.on(raw), SRC_VEC.on(raw)) {
            (true, true) => {
                let mut stage = Vec::new();
                for c in 0..4 {
                    if MASK.get(raw) >> c & 1 != 0 {
                        let (r, s) = vector_comp(c);
                        let b = self.source(cx, r, s);
                        let dst = (DEST_REG.get(raw) * 4 + c) as u8;
                        stage.push(Op {
                            code: Code::Mul,
                            dst,
                            a,
                            b,
                            ..NO_OP
                        });
                    }
                }
                self.stage(stage);
            }
            // Arc tangent, second half. The first half leaves the result in x and a one
            // in y (a guess: no driver seen uses it; how the silicon splits the work is
            // not known).
            (false, true) => {
                let (r, s) = vector_comp(0);
                let a = self.source(cx, r, s);
                let outmod = OUTMOD.get(raw) as u8;
                self.push(Op {
                    dst: DEST.get(raw) as u8,
                    outmod,
                    a,
                    ..NO_OP
                });
            }
            (to_vector, false) => {
                let b = self
                    .scalar(cx, ARG1.get(raw))
                    .modified(ARG1_ABS.on(raw), ARG1_NEG.on(raw));
                let code = match OP.get(raw) {
                    0 => Code::Rcp,
                    2 => Code::Sqrt,
                    3 => Code::Rsqrt,
                    4 => Code::Exp2,
                    5 => Code::Log2,
                    6 => Code::Sin,
                    7 => Code::Cos,
                    8 => Code::Atan,
                    9 => Code::Atan2,
                    _ => Code::Mov,
                };
                if !to_vector {
                    let outmod = OUTMOD.get(raw) as u8;
                    self.push(Op {
                        code,
                        dst: DEST.get(raw) as u8,
                        outmod,
                        a,
                        b,
                        ..NO_OP
                    });
                    return;
                }
                self.push(Op {
                    code,
                    dst: row::TEMPORARY,
                    a,
                    b,
                    ..NO_OP
                });
                let arc = matches!(code, Code::Atan | Code::Atan2);
                for c in 0..4 {
                    if MASK.get(raw) >> c & 1 != 0 {
                        let one = self.constant(Const::Value(1.0));
                        let a = if arc && c > 0 {
                            one
                        } else {
                            Src::row(row::TEMPORARY)
                        };
                        let dst = (DEST_REG.get(raw) * 4 + c) as u8;
                        self.push(Op { dst, a, ..NO_OP });
                    }
                }
            }
        }
    }

    fn temp_write(&mut self, cx: &Context, raw: u128) {
        use temp_write::*;
        if FB_MARK.get(raw) == 7 {
            self.program.reads_tile = true;
            let code = if FB_SOURCE.on(raw) {
                Code::FbColor
            } else {
                Code::FbDepth
            };
            for c in 0..4 {
                let dst = (FB_DEST.get(raw) * 4 + c) as u8;
                self.push(Op {
                    code,
                    dst,
                    n: c as i32,
                    ..NO_OP
                });
            }
            return;
        }
        self.program.temps = true;
        let index = i32::from(INDEX.get(raw) as u16 as i16);
        let zero = self.constant(Const::Value(0.0));
        let b = if OFFSET_EN.on(raw) {
            self.scalar(cx, OFFSET_REG.get(raw))
        } else {
            zero
        };
        let unit = match ALIGNMENT.get(raw) {
            0 => 1,
            1 => 2,
            _ => 4,
        };
        for c in 0..unit {
            let a = self.scalar(cx, (SOURCE.get(raw) + c as u32).min(63));
            let scale = unit as f32;
            self.push(Op {
                code: Code::StoreTemp,
                a,
                b,
                n: index * unit + c,
                scale,
                ..NO_OP
            });
        }
    }
}

/// Operation number of a multiplier; 0…7 are products with a signed shift.
fn mul_code(op: u32) -> (Code, f32) {
    let code = match op {
        0..=7 => return (Code::Mul, shift(op)),
        8 => Code::Not,
        9 => Code::And,
        10 => Code::Or,
        11 => Code::Xor,
        12 => Code::Ne,
        13 => Code::Gt,
        14 => Code::Ge,
        15 => Code::Eq,
        16 => Code::Min,
        17 => Code::Max,
        _ => Code::Mov,
    };
    (code, 1.0)
}

/// Operation number of an adder.
fn acc_code(op: u32) -> (Code, f32) {
    let code = match op {
        4 => Code::Fract,
        0..=7 => return (Code::Add, shift(op)),
        8 => Code::Ne,
        9 => Code::Gt,
        10 => Code::Ge,
        11 => Code::Eq,
        12 => Code::Floor,
        13 => Code::Ceil,
        14 => Code::Min,
        15 => Code::Max,
        20 => Code::DFdx,
        21 => Code::DFdy,
        23 => Code::Sel,
        _ => Code::Mov,
    };
    (code, 1.0)
}

fn shift(op: u32) -> f32 {
    let signed = if op < 4 { op as i32 } else { op as i32 - 8 };
    2f32.powi(signed)
}
