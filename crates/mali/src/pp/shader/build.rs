//! From instructions to operations: what all slots share.

use super::{Branch, Const, OutMod, PixelCode, PixelOp, Program, Src, row};
use crate::pp::setup::Attr;
use isotherm_regs::mali::isa_bits::half_to_f32;
use isotherm_regs::mali::isa_pp::{Instr, Slot, branch, reg};

pub(super) struct Builder {
    pub(super) program: Program,
}

/// A copy of register 0 to itself, to start from.
pub const NO_OP: PixelOp = PixelOp {
    code: PixelCode::Mov,
    dst: 0,
    outmod: OutMod::None,
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
    count: 1,
    steps: [0; 2],
    rounds: true,
    unmodified: true,
    simple: false,
    together: 1,
    plain: false,
};

/// What the slots of one instruction share.
pub(super) struct Context {
    pub(super) consts: [[f32; 4]; 2],
    /// A uniform load without an index register: its first component.
    pub(super) uniform: Option<(u32, u32)>,
}

impl Builder {
    pub(super) fn constant(&mut self, value: Const) -> Src {
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

    pub(super) fn source(&mut self, cx: &Context, register: u32, comp: u32) -> Src {
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

    pub(super) fn scalar(&mut self, cx: &Context, index: u32) -> Src {
        self.source(cx, index >> 2, index & 3)
    }

    pub(super) fn push(&mut self, op: PixelOp) {
        self.program.ops.push(op);
    }

    pub(super) fn attr(&mut self, attr: Attr) -> i32 {
        let attrs = &mut self.program.attrs;
        let at = attrs.iter().position(|&a| a == attr).unwrap_or_else(|| {
            attrs.push(attr);
            attrs.len() - 1
        });
        at as i32
    }

    pub(super) fn instruction(
        &mut self,
        instr: &Instr,
        code: &[Instr],
    ) -> Result<Option<Branch>, String> {
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
                self.push(PixelOp {
                    code: PixelCode::Discard,
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
}
