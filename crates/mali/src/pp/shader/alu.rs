//! Slots that compute: multipliers, adders, the combiner.

use super::build::{Builder, Context, NO_OP};
use super::{Const, PixelCode, PixelOp, Src, row};
use isotherm_regs::mali::isa_bits::Bits;
use isotherm_regs::mali::isa_pp::{self as isa, Instr, Slot, combine, float, vec4};

impl Builder {
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
    pub(super) fn multiply(&mut self, cx: &Context, instr: &Instr) {
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
                let outmod = vec4::OUTMOD.get(raw).into();
                stage.push(PixelOp {
                    code,
                    dst,
                    outmod,
                    a,
                    b,
                    scale,
                    ..NO_OP
                });
            }
        }
        if let Some(raw) = scalar {
            let (a, b) = self.float_sources(cx, raw, false);
            let (code, scale) = mul_code(float::OP.get(raw));
            let outmod = float::OUTMOD.get(raw).into();
            let pipelined = !float::OUTPUT_EN.on(raw) || s_in || s_sel || v_sel;
            let dst = if pipelined {
                row::S0
            } else {
                float::DEST.get(raw) as u8
            };
            stage.push(PixelOp {
                code,
                dst,
                outmod,
                a,
                b,
                scale,
                ..NO_OP
            });
        }
        self.stage(stage);
        self.keep_products(instr, v_in, s_in || s_sel || v_sel);
    }

    /// Products that both go on to the adders and stay in registers.
    fn keep_products(&mut self, instr: &Instr, vector_goes_on: bool, scalar_goes_on: bool) {
        if let Some(raw) = instr.slot(Slot::VecMul)
            && vector_goes_on
        {
            for c in 0..4 {
                if vec4::MASK.get(raw) >> c & 1 != 0 {
                    let dst = (vec4::DEST.get(raw) * 4 + c) as u8;
                    self.push(PixelOp {
                        a: Src::row(row::V0 + c as u8),
                        dst,
                        ..NO_OP
                    });
                }
            }
        }
        if let Some(raw) = instr.slot(Slot::FloatMul)
            && float::OUTPUT_EN.on(raw)
            && scalar_goes_on
        {
            self.push(PixelOp {
                a: Src::row(row::S0),
                dst: float::DEST.get(raw) as u8,
                ..NO_OP
            });
        }
    }

    /// The two adders, side by side.
    pub(super) fn add(&mut self, cx: &Context, instr: &Instr) {
        let mut stage = Vec::new();
        if let Some(raw) = instr.slot(Slot::VecAcc) {
            let mul_in = vec4::MUL_IN.on(raw);
            let op = vec4::OP.get(raw);
            let outmod = vec4::OUTMOD.get(raw).into();
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
                    Some(n) => PixelOp {
                        code: PixelCode::Sum,
                        dst,
                        outmod,
                        n,
                        ..NO_OP
                    },
                    None => PixelOp {
                        code,
                        dst,
                        outmod,
                        a,
                        b,
                        scale,
                        ..NO_OP
                    },
                });
            }
        }
        if let Some(raw) = instr.slot(Slot::FloatAcc)
            && float::OUTPUT_EN.on(raw)
        {
            let (a, b) = self.float_sources(cx, raw, float::MUL_IN.on(raw));
            let (code, scale) = acc_code(float::OP.get(raw));
            let outmod = float::OUTMOD.get(raw).into();
            stage.push(PixelOp {
                code,
                dst: float::DEST.get(raw) as u8,
                outmod,
                a,
                b,
                scale,
                ..NO_OP
            });
        }
        self.stage(stage);
    }

    /// Operations of one stage read before any of them writes: results that a later
    /// operation of the stage still needs the old value of wait in spare rows.
    fn stage(&mut self, mut ops: Vec<PixelOp>) {
        let mut moves = Vec::new();
        for i in 0..ops.len() {
            let dst = ops[i].dst;
            let sums = &self.program.sums;
            let reads = |op: &PixelOp| {
                let at = u16::from(dst);
                op.a.at == at
                    || op.b.at == at
                    || op.code == PixelCode::Sum && sums[op.n as usize].iter().any(|s| s.at == at)
            };
            if ops[i + 1..].iter().any(reads) {
                let spare = row::TEMPORARY + moves.len() as u8;
                moves.push(PixelOp {
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

    /// The combiner: a scalar times a vector, or a function of scalars.
    pub(super) fn combine(&mut self, cx: &Context, raw: u128) {
        use combine::*;
        match (DEST_VEC.on(raw), SRC_VEC.on(raw)) {
            (true, true) => self.scale_vector(cx, raw),
            // Arc tangent, second half. The first half leaves the result in x and a one
            // in y (a guess: no driver seen uses it; how the silicon splits the work is
            // not known).
            (false, true) => {
                let a = self.source(cx, ARG1_VEC.get(raw), ARG1_SWIZZLE.get(raw) & 3);
                self.push(PixelOp {
                    dst: DEST.get(raw) as u8,
                    outmod: OUTMOD.get(raw).into(),
                    a,
                    ..NO_OP
                });
            }
            (false, false) => {
                let function = self.function(cx, raw);
                self.push(PixelOp {
                    dst: DEST.get(raw) as u8,
                    outmod: OUTMOD.get(raw).into(),
                    ..function
                });
            }
            (true, false) => self.function_to_vector(cx, raw),
        }
    }

    /// The combiner's first source.
    fn combine_scalar(&mut self, cx: &Context, raw: u128) -> Src {
        use combine::*;
        let a = self.scalar(cx, ARG0.get(raw));
        a.modified(ARG0_ABS.on(raw), ARG0_NEG.on(raw))
    }

    fn scale_vector(&mut self, cx: &Context, raw: u128) {
        use combine::*;
        let a = self.combine_scalar(cx, raw);
        let mut stage = Vec::new();
        for c in 0..4 {
            if MASK.get(raw) >> c & 1 != 0 {
                let from = ARG1_SWIZZLE.get(raw) >> (2 * c) & 3;
                let b = self.source(cx, ARG1_VEC.get(raw), from);
                stage.push(PixelOp {
                    code: PixelCode::Mul,
                    dst: (DEST_REG.get(raw) * 4 + c) as u8,
                    a,
                    b,
                    ..NO_OP
                });
            }
        }
        self.stage(stage);
    }

    /// A function of one or two scalars; where it goes is still open.
    fn function(&mut self, cx: &Context, raw: u128) -> PixelOp {
        use combine::*;
        let a = self.combine_scalar(cx, raw);
        let b = self.scalar(cx, ARG1.get(raw));
        let code = match OP.get(raw) {
            0 => PixelCode::Rcp,
            2 => PixelCode::Sqrt,
            3 => PixelCode::Rsqrt,
            4 => PixelCode::Exp2,
            5 => PixelCode::Log2,
            6 => PixelCode::Sin,
            7 => PixelCode::Cos,
            8 => PixelCode::Atan,
            9 => PixelCode::Atan2,
            _ => PixelCode::Mov,
        };
        PixelOp {
            code,
            a,
            b: b.modified(ARG1_ABS.on(raw), ARG1_NEG.on(raw)),
            ..NO_OP
        }
    }

    fn function_to_vector(&mut self, cx: &Context, raw: u128) {
        use combine::*;
        let function = self.function(cx, raw);
        self.push(PixelOp {
            dst: row::TEMPORARY,
            ..function
        });
        let arc = matches!(function.code, PixelCode::Atan | PixelCode::Atan2);
        for c in 0..4 {
            if MASK.get(raw) >> c & 1 != 0 {
                let one = self.constant(Const::Value(1.0));
                let a = if arc && c > 0 {
                    one
                } else {
                    Src::row(row::TEMPORARY)
                };
                let dst = (DEST_REG.get(raw) * 4 + c) as u8;
                self.push(PixelOp { dst, a, ..NO_OP });
            }
        }
    }
}

/// Operation number of a multiplier; 0…7 are products with a signed shift.
fn mul_code(op: u32) -> (PixelCode, f32) {
    let code = match op {
        0..=7 => return (PixelCode::Mul, shift(op)),
        8 => PixelCode::Not,
        9 => PixelCode::And,
        10 => PixelCode::Or,
        11 => PixelCode::Xor,
        12 => PixelCode::Ne,
        13 => PixelCode::Gt,
        14 => PixelCode::Ge,
        15 => PixelCode::Eq,
        16 => PixelCode::Min,
        17 => PixelCode::Max,
        _ => PixelCode::Mov,
    };
    (code, 1.0)
}

/// Operation number of an adder.
fn acc_code(op: u32) -> (PixelCode, f32) {
    let code = match op {
        4 => PixelCode::Fract,
        0..=7 => return (PixelCode::Add, shift(op)),
        8 => PixelCode::Ne,
        9 => PixelCode::Gt,
        10 => PixelCode::Ge,
        11 => PixelCode::Eq,
        12 => PixelCode::Floor,
        13 => PixelCode::Ceil,
        14 => PixelCode::Min,
        15 => PixelCode::Max,
        20 => PixelCode::DFdx,
        21 => PixelCode::DFdy,
        23 => PixelCode::Sel,
        _ => PixelCode::Mov,
    };
    (code, 1.0)
}

fn shift(op: u32) -> f32 {
    let signed = if op < 4 { op as i32 } else { op as i32 - 8 };
    2f32.powi(signed)
}
