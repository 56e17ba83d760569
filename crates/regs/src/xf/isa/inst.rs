//! An instruction's meaning, and its usual encoding.
//!
//! [`Inst::decode`] keeps what acts and drops what cannot (the input number of
//! an instruction that reads no input, the swizzle of an unread source).
//! [`Inst::encode`] fills those places with the values that drivers use. Whoever
//! needs every bit compares the two words (the disassembler does).

use super::layout::{self as f, Field, src};
use super::ops::{self, Form, Op};
use super::{Isa, Word};

/// Where a source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mux {
    /// A temporary register.
    Temp,
    /// The instruction's input row.
    Input,
    /// The instruction's context row.
    Ctx,
}

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// Register file.
    pub mux: Mux,
    /// Temporary number.
    pub reg: u8,
    /// For x, y, z, w the component that is read.
    pub swz: [u8; 4],
    /// Absolute value.
    pub abs: bool,
    /// Negation, after the absolute value.
    pub neg: bool,
}

impl Src {
    /// What an unread source holds: the input row, unswizzled.
    pub const UNREAD: Src = Src {
        mux: Mux::Input,
        reg: 0,
        swz: IDENTITY,
        abs: false,
        neg: false,
    };

    /// From the field's value and the absolute-value bit.
    fn unpack(isa: Isa, value: u32, abs: bool) -> Src {
        let curie = isa == Isa::Curie;
        let part = |p| src::get(p, curie, value);
        // 0 is no documented register file. Rankine rewrites it to "input" in
        // sources 0 and 1 of Kelvin code; source 2 is taken to do the same (a guess).
        let mux = match part(src::MUX) {
            1 => Mux::Temp,
            3 => Mux::Ctx,
            _ => Mux::Input,
        };
        Src {
            mux,
            reg: if mux == Mux::Temp {
                part(src::REG) as u8
            } else {
                0
            },
            swz: unpack_swizzle(part(src::SWZ)),
            abs,
            neg: part(src::NEG) != 0,
        }
    }

    fn pack(self, isa: Isa) -> u32 {
        let curie = isa == Isa::Curie;
        let mux = match self.mux {
            Mux::Temp => 1,
            Mux::Input => 2,
            Mux::Ctx => 3,
        };
        src::put(src::MUX, curie, mux)
            | src::put(src::REG, curie, self.reg.into())
            | src::put(src::SWZ, curie, pack_swizzle(self.swz))
            | src::put(src::NEG, curie, self.neg.into())
    }
}

/// x, y, z, w.
pub const IDENTITY: [u8; 4] = [0, 1, 2, 3];

fn unpack_swizzle(bits: u32) -> [u8; 4] {
    [6, 4, 2, 0].map(|shift| (bits >> shift & 3) as u8)
}

fn pack_swizzle(swz: [u8; 4]) -> u32 {
    swz.iter().fold(0, |bits, &c| bits << 2 | u32::from(c & 3))
}

/// The two units that work side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The vector unit.
    Vec,
    /// The scalar unit.
    Sca,
}

/// Where a unit's result goes. Masks have x in bit 3 … w in bit 0, as the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dst {
    /// Temporary (or, for address operations, address register).
    pub temp: Option<u8>,
    /// Components written to the temporary; also those whose condition codes change.
    pub mask: u8,
    /// Components written to the instruction's output.
    pub out_mask: u8,
}

/// What `Out` addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// An output row.
    #[default]
    Output,
    /// A context row.
    Ctx,
}

/// The instruction's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Out {
    /// Output or context.
    pub target: Target,
    /// Row.
    pub addr: u16,
    /// The address register is added.
    pub indexed: bool,
}

/// A condition under which results are written or a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cond {
    /// 1 less, 2 equal, 4 greater.
    pub test: u8,
    /// Which component of the condition register each component looks at.
    pub swz: [u8; 4],
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Last instruction.
    pub end: bool,
    /// Vector operation.
    pub vec: u8,
    /// Scalar operation.
    pub sca: u8,
    /// Sources.
    pub src: [Src; 3],
    /// Input row.
    pub input: u8,
    /// The address register is added to `input`.
    pub input_indexed: bool,
    /// Context row.
    pub ctx: u16,
    /// The address register is added to `ctx`.
    pub ctx_indexed: bool,
    /// Address register used for indexing (and by address operations).
    pub addr_reg: u8,
    /// Its component.
    pub addr_comp: u8,
    /// Write condition.
    pub cond: Option<Cond>,
    /// The unit whose result updates the condition register.
    pub cc: Option<Unit>,
    /// Condition register tested and updated.
    pub cc_reg: u8,
    /// Clamp to 0 … 1.
    pub sat: bool,
    /// Vector result.
    pub vec_dst: Dst,
    /// Scalar result.
    pub sca_dst: Dst,
    /// Output row that either may write.
    pub out: Out,
    /// Texture unit.
    pub texture: u8,
    /// Branch target, or entry of the branch table.
    pub branch: u16,
    /// Boolean constant of a boolean branch, and the value it must have.
    pub branch_bit: (u8, bool),
}

impl Default for Inst {
    fn default() -> Inst {
        Inst {
            end: false,
            vec: ops::vec::NOP,
            sca: ops::sca::NOP,
            src: [Src::UNREAD; 3],
            input: 0,
            input_indexed: false,
            ctx: 0,
            ctx_indexed: false,
            addr_reg: 0,
            addr_comp: 0,
            cond: None,
            cc: None,
            cc_reg: 0,
            sat: false,
            vec_dst: Dst::default(),
            sca_dst: Dst::default(),
            out: Out::default(),
            texture: 0,
            branch: 0,
            branch_bit: (0, false),
        }
    }
}

/// "No temporary" and "no output" by instruction set.
mod none {
    pub const RANKINE_DST: u32 = 0x1f;
    pub const RANKINE_DST_IDLE: u32 = 0xf;
    pub const CURIE_DST: u32 = 0x3f;
    pub const CURIE_DST_SCA_IDLE: u32 = 0x1f;
    pub const CURIE_OUT: u32 = 0x1f;
    pub const KELVIN_OUT: u32 = 0xff;
    pub const KELVIN_DST: u32 = 7;
}

/// The temporary that Kelvin's and Rankine's scalar unit writes when the vector
/// unit works too: there is one destination field, and the vector unit has it.
/// (Rankine's rewriting of Kelvin code keeps the scalar mask of a pair whose
/// destination field is out of range, which makes sense only so.)
pub const PAIR_TEMP: u8 = 1;

impl Inst {
    /// The vector operation.
    pub fn vec_op(&self, isa: Isa) -> Op {
        ops::vec_or_unknown(isa, self.vec)
    }

    /// The scalar operation.
    pub fn sca_op(&self, isa: Isa) -> Op {
        ops::sca_or_unknown(isa, self.sca)
    }

    /// Does it look at conditions, or set them?
    pub fn is_conditional(&self) -> bool {
        self.cond.is_some() || self.cc.is_some()
    }

    /// Bit n: source n is read.
    pub fn sources(&self, isa: Isa) -> u8 {
        self.vec_op(isa).sources | self.sca_op(isa).sources
    }

    /// Whether any read source has this register file.
    fn reads(&self, isa: Isa, mux: Mux) -> bool {
        let read = self.sources(isa);
        self.src
            .iter()
            .enumerate()
            .any(|(i, s)| read >> i & 1 != 0 && s.mux == mux)
    }

    /// Both units have work, so that the scalar one cannot choose its temporary.
    fn is_pair(&self, isa: Isa) -> bool {
        let vec = self.vec_op(isa);
        self.vec != ops::vec::NOP && !vec.is_unknown() && self.sca != ops::sca::NOP
    }

    /// Whether an address register takes part other than as a destination.
    fn uses_address(&self, isa: Isa) -> bool {
        self.ctx_indexed
            || self.input_indexed
            || self.out.indexed
            || self.vec_op(isa).form == Form::AddressAdd
            || matches!(self.sca_op(isa).form, Form::BranchIndexed | Form::Address)
    }

    /// What the word does.
    pub fn decode(isa: Isa, word: Word) -> Inst {
        let get = |field: Field| field.get(isa, word);
        let bit = |field: Field| field.is_set(isa, word);
        let mut inst = Inst {
            end: bit(f::END),
            vec: get(f::OP_VEC) as u8,
            sca: get(f::OP_SCA) as u8,
            sat: bit(f::SAT),
            ..Inst::default()
        };
        let read = inst.sources(isa);
        for (i, (field, abs)) in SOURCES.into_iter().enumerate() {
            if read >> i & 1 != 0 {
                inst.src[i] = Src::unpack(isa, get(field), bit(abs));
            }
        }
        if inst.reads(isa, Mux::Input) {
            inst.input = get(f::IBUF_ADDR) as u8;
            inst.input_indexed = bit(f::IBUF_INDEXED);
        }
        if inst.reads(isa, Mux::Ctx) {
            inst.ctx = get(f::XFCTX_ADDR) as u16;
            inst.ctx_indexed = bit(f::XFCTX_INDEXED);
        }
        inst.decode_results(isa, word);
        inst.decode_condition(isa, word);
        inst.decode_branch(isa, word);
        if inst.uses_address(isa) {
            inst.addr_reg = get(f::ASRC) as u8;
            inst.addr_comp = get(f::ASRC_SWZ) as u8;
        }
        inst
    }

    fn decode_results(&mut self, isa: Isa, word: Word) {
        let get = |field: Field| field.get(isa, word);
        let writes = |form: Form| matches!(form, Form::Plain | Form::Texture);
        let vec = writes(self.vec_op(isa).form);
        let sca = writes(self.sca_op(isa).form);
        let (vec_mask, sca_mask) = (get(f::DST_WM_VEC) as u8, get(f::DST_WM_SCA) as u8);
        let (vec_temp, sca_temp, vec_out, sca_out) = match isa {
            Isa::Kelvin => {
                let (out, by_sca) = (get(f::OUT_WM) as u8, f::OUT_IS_SCA.is_set(isa, word));
                let dst = get(f::DST) as u8;
                (
                    Some(dst),
                    Some(dst),
                    if by_sca { 0 } else { out },
                    if by_sca { out } else { 0 },
                )
            }
            Isa::Rankine => {
                let dst = (get(f::DST) != none::RANKINE_DST).then_some(get(f::DST) as u8);
                (dst, dst, get(f::OUT_WM_VEC) as u8, get(f::OUT_WM_SCA) as u8)
            }
            Isa::Curie => {
                let temp = |v: u32| (v != none::CURIE_DST).then_some(v as u8);
                let out = get(f::OUT_ADDR) != none::CURIE_OUT;
                let by_vec = f::OUT_IS_VEC.is_set(isa, word);
                (
                    temp(get(f::DST_VEC)),
                    temp(get(f::DST_SCA)),
                    if out && by_vec { vec_mask } else { 0 },
                    if out && !by_vec { sca_mask } else { 0 },
                )
            }
        };
        let dst = |on: bool, temp: Option<u8>, mask: u8, out_mask: u8| {
            if !on {
                return Dst::default();
            }
            Dst {
                temp: temp.filter(|_| mask != 0),
                mask,
                out_mask,
            }
        };
        let sca_temp = if isa != Isa::Curie && self.is_pair(isa) {
            Some(PAIR_TEMP)
        } else {
            sca_temp
        };
        self.vec_dst = dst(vec, vec_temp, vec_mask, vec_out);
        self.sca_dst = dst(sca, sca_temp, sca_mask, sca_out);
        if self.vec_dst.out_mask | self.sca_dst.out_mask != 0 {
            let ctx = f::OUT_TARGET.exists(isa) && !f::OUT_TARGET.is_set(isa, word);
            self.out = Out {
                target: if ctx { Target::Ctx } else { Target::Output },
                addr: get(f::OUT_ADDR) as u16,
                indexed: f::OUT_INDEXED.is_set(isa, word),
            };
        }
        if self.vec_op(isa).form == Form::ToAddress || self.vec_op(isa).form == Form::AddressAdd {
            // The temporary's number names the address register; Kelvin has one.
            let (reg, mask) = match isa {
                Isa::Kelvin => (0, 0b1000),
                Isa::Rankine => (get(f::DST) as u8, vec_mask),
                Isa::Curie => (get(f::DST_VEC) as u8, vec_mask),
            };
            self.vec_dst = Dst {
                temp: Some(reg),
                mask,
                out_mask: 0,
            };
        }
        if self.vec_op(isa).form == Form::Texture {
            self.texture = src::get(src::REG, true, get(f::SRC1)) as u8;
        }
    }

    fn decode_condition(&mut self, isa: Isa, word: Word) {
        let get = |field: Field| field.get(isa, word);
        if f::COND_ENABLE.is_set(isa, word) {
            self.cond = Some(Cond {
                test: get(f::COND_TEST) as u8,
                swz: unpack_swizzle(get(f::CSRC_SWZ)),
            });
        }
        if f::CDST_WM.is_set(isa, word) {
            let by_vec = match isa {
                // One bit and two units: taken to follow the vector unit when it works.
                Isa::Kelvin | Isa::Rankine => self.vec != ops::vec::NOP,
                Isa::Curie => f::CDST_IS_VEC.is_set(isa, word),
            };
            let unit = if by_vec { Unit::Vec } else { Unit::Sca };
            let works = match unit {
                Unit::Vec => self.vec != ops::vec::NOP,
                Unit::Sca => self.sca != ops::sca::NOP,
            };
            self.cc = works.then_some(unit);
        }
        if self.cond.is_some() || self.cc.is_some() {
            self.cc_reg = get(f::CSRCDST) as u8;
        }
    }

    fn decode_branch(&mut self, isa: Isa, word: Word) {
        let form = self.sca_op(isa).form;
        if matches!(form, Form::Branch | Form::BranchIndexed | Form::BranchBit) {
            self.branch = f::BRANCH_ADDR.get(isa, word) as u16;
        }
        if form == Form::BranchBit {
            self.branch_bit = (
                f::BRANCH_BIT.get(isa, word) as u8,
                f::BRANCH_BIT_VALUE.is_set(isa, word),
            );
        }
    }

    /// The usual word for this instruction; the name of the field that cannot
    /// hold its value, if there is one.
    pub fn encode(&self, isa: Isa) -> Result<Word, &'static str> {
        let mut e = Encoder {
            isa,
            word: Word(0),
            bad: None,
        };
        e.put(f::END, self.end.into());
        e.put(f::OP_VEC, self.vec.into());
        e.put(f::OP_SCA, self.sca.into());
        for (i, (field, abs)) in SOURCES.into_iter().enumerate() {
            e.put(field, self.src[i].pack(isa));
            e.put(abs, self.src[i].abs.into());
        }
        e.put(f::IBUF_ADDR, self.input.into());
        e.put(f::IBUF_INDEXED, self.input_indexed.into());
        e.put(f::XFCTX_ADDR, self.ctx.into());
        e.put(f::XFCTX_INDEXED, self.ctx_indexed.into());
        e.put(f::ASRC, self.addr_reg.into());
        e.put(f::ASRC_SWZ, self.addr_comp.into());
        e.put(f::SAT, self.sat.into());
        self.encode_results(isa, &mut e);
        self.encode_condition(isa, &mut e);
        let form = self.sca_op(isa).form;
        if matches!(form, Form::Branch | Form::BranchIndexed | Form::BranchBit) {
            e.put(f::BRANCH_ADDR, self.branch.into());
        }
        if form == Form::BranchBit {
            e.put(f::BRANCH_BIT, self.branch_bit.0.into());
            e.put(f::BRANCH_BIT_VALUE, self.branch_bit.1.into());
        }
        if self.vec_op(isa).form == Form::Texture {
            let unread = Src {
                reg: self.texture,
                ..Src::UNREAD
            };
            e.put(f::SRC1, unread.pack(isa));
        }
        match e.bad {
            Some(name) => Err(name),
            None => Ok(e.word),
        }
    }

    fn encode_results(&self, isa: Isa, e: &mut Encoder) {
        let (v, s) = (self.vec_dst, self.sca_dst);
        let to_address = matches!(self.vec_op(isa).form, Form::ToAddress | Form::AddressAdd);
        let has_out = v.out_mask | s.out_mask != 0;
        let target = u32::from(self.out.target == Target::Output);
        let temp = |dst: Dst| dst.temp.map(u32::from);
        match isa {
            Isa::Kelvin => {
                let by_sca = s.out_mask != 0;
                if by_sca && v.out_mask != 0 {
                    e.bad = Some("OUT_IS_SCA");
                }
                let dst = if to_address { None } else { temp(v) };
                let pair = if v.mask != 0 { dst } else { None };
                e.put(f::DST, pair.or(temp(s)).unwrap_or(none::KELVIN_DST));
                e.put(f::DST_WM_VEC, if to_address { 0 } else { v.mask.into() });
                e.put(f::DST_WM_SCA, s.mask.into());
                e.put(f::OUT_WM, u32::from(v.out_mask | s.out_mask));
                e.put(f::OUT_IS_SCA, by_sca.into());
                e.put(f::OUT_TARGET, if has_out { target } else { 1 });
                e.put(
                    f::OUT_ADDR,
                    if has_out {
                        self.out.addr.into()
                    } else {
                        none::KELVIN_OUT
                    },
                );
            }
            Isa::Rankine => {
                let idle = if v.mask | s.mask | v.out_mask | s.out_mask != 0 {
                    none::RANKINE_DST
                } else {
                    none::RANKINE_DST_IDLE
                };
                let dst = if v.mask != 0 || to_address {
                    temp(v)
                } else {
                    temp(s)
                };
                e.put(f::DST, dst.unwrap_or(idle));
                e.put(f::DST_WM_VEC, v.mask.into());
                e.put(f::DST_WM_SCA, s.mask.into());
                e.put(f::OUT_WM_VEC, v.out_mask.into());
                e.put(f::OUT_WM_SCA, s.out_mask.into());
                e.put(f::OUT_TARGET, if has_out { target } else { 0 });
                e.put(f::OUT_ADDR, if has_out { self.out.addr.into() } else { 0 });
            }
            Isa::Curie => {
                if v.out_mask != 0 && s.out_mask != 0 {
                    e.bad = Some("OUT_IS_VEC");
                }
                let idle = if s.mask != 0 {
                    none::CURIE_DST
                } else {
                    none::CURIE_DST_SCA_IDLE
                };
                e.put(f::DST_VEC, temp(v).unwrap_or(none::CURIE_DST));
                e.put(f::DST_SCA, temp(s).unwrap_or(idle));
                e.put(f::DST_WM_VEC, u32::from(v.mask | v.out_mask));
                e.put(f::DST_WM_SCA, u32::from(s.mask | s.out_mask));
                e.put(f::OUT_IS_VEC, (v.out_mask != 0).into());
                e.put(
                    f::OUT_ADDR,
                    if has_out {
                        self.out.addr.into()
                    } else {
                        none::CURIE_OUT
                    },
                );
                if self.out.target == Target::Ctx {
                    e.bad = Some("OUT_TARGET");
                }
            }
        }
        e.put(f::OUT_INDEXED, self.out.indexed.into());
    }

    fn encode_condition(&self, isa: Isa, e: &mut Encoder) {
        let cond = self.cond.unwrap_or(Cond {
            test: 7,
            swz: IDENTITY,
        });
        if f::COND_TEST.exists(isa) {
            e.put(f::COND_TEST, cond.test.into());
            e.put(f::CSRC_SWZ, pack_swizzle(cond.swz));
        }
        e.put(f::COND_ENABLE, self.cond.is_some().into());
        e.put(f::CDST_WM, self.cc.is_some().into());
        if isa == Isa::Curie {
            e.put(f::CDST_IS_VEC, (self.cc == Some(Unit::Vec)).into());
        }
        e.put(f::CSRCDST, self.cc_reg.into());
    }
}

/// Sources with their absolute-value bits, in order.
const SOURCES: [(Field, Field); 3] = [
    (f::SRC0, f::SRC0_ABS),
    (f::SRC1, f::SRC1_ABS),
    (f::SRC2, f::SRC2_ABS),
];

struct Encoder {
    isa: Isa,
    word: Word,
    bad: Option<&'static str>,
}

impl Encoder {
    fn put(&mut self, field: Field, value: u32) {
        match field.set(self.isa, self.word, value) {
            Some(word) => self.word = word,
            None => self.bad = Some(field.name),
        }
    }
}
