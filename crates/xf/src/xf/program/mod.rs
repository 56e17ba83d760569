//! Vertex programs: the XFPR memory and the machine that runs it.
//!
//! Instructions are decoded when they are written. A draw asks for a [`Plan`]
//! (which slots run, what they read, whether they branch) and hands it batches of
//! vertices; the machine works on [`LANES`](super::LANES) of them at once, one array per
//! register component. Kelvin code has no branches, so all lanes walk together;
//! Rankine and Curie lanes each have their own program counter, and those that
//! stand at the lowest one step together.
//!
//! Arithmetic is [`super::arith`], the same source for every instruction set.

mod alu;
mod block;
mod context;
mod file;
mod flow;
mod kept;
mod machine;
mod op;
mod out;
mod resolve;
mod rows;
mod run;
mod step;
mod unit;
mod write;

pub use machine::{Machine, Tbuf};
pub use out::Viewport;
pub use rows::Rows;
pub use run::{Env, UserRows, run, run_at, run_with_side_effects, trace};
pub(crate) use unit::{PreparedProgram, Programs};

use kept::Kept;
pub use kept::Program;
use resolve::Resolved;

use isotherm_regs::xf::isa::{Dst, Inst, Isa, Mux, Target, Word, convert, ops};

/// The program memory.
#[derive(Clone, Debug)]
pub struct Xfpr {
    /// What the chip's memory is made for.
    native: Isa,
    /// What the words in it are: older code runs on newer chips.
    code: Isa,
    /// As uploaded.
    words: Vec<Word>,
    insts: Vec<Inst>,
    preps: Vec<Prep>,
    /// What was found out about the programs in it.
    kept: Kept,
}

/// What a step would otherwise look up again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prep {
    /// Bit n: source n is read.
    pub read: u8,
    /// The vector unit's operation exists and gives a result.
    pub vec: bool,
    /// It is a move.
    pub vec_move: bool,
    /// The same of the scalar unit.
    pub sca: bool,
    /// Components of the vector result that somebody looks at.
    pub vec_need: u8,
    /// The same of the scalar result.
    pub sca_need: u8,
    /// The vector unit writes an address register.
    pub address: bool,
    /// How it names its target, if it may go elsewhere than to the next instruction.
    pub branch: Option<ops::Form>,
}

impl Prep {
    fn new(isa: Isa, inst: &Inst) -> Prep {
        use ops::Form::{AddressAdd, ToAddress};
        let need = |dst: Dst| {
            // Fog and point size look at x even if it is not written.
            let number = dst.out_mask != 0 && write::is_number(inst.out.addr);
            dst.mask | dst.out_mask | if number { 8 } else { 0 }
        };
        Prep {
            read: inst.sources(isa),
            vec: alu::vector_gives(inst.vec) && ops::vec_op(isa, inst.vec).is_some(),
            vec_move: inst.vec == ops::vec::MOV,
            sca: alu::scalar_gives(inst.sca) && ops::sca_op(isa, inst.sca).is_some(),
            vec_need: need(inst.vec_dst),
            sca_need: need(inst.sca_dst),
            address: matches!(inst.vec_op(isa).form, ToAddress | AddressAdd),
            branch: is_branch(isa, inst).then(|| inst.sca_op(isa).form),
        }
    }
}

impl Xfpr {
    /// An empty memory.
    pub fn new(isa: Isa) -> Xfpr {
        let nothing = Inst::decode(isa, Word(0));
        Xfpr {
            native: isa,
            code: isa,
            words: vec![Word(0); isa.slots()],
            insts: vec![nothing; isa.slots()],
            preps: vec![Prep::new(isa, &nothing); isa.slots()],
            kept: Kept::new(isa.slots()),
        }
    }

    /// The instruction set of the chip.
    pub fn isa(&self) -> Isa {
        self.native
    }

    /// Stores an instruction, four words in upload order. Slots beyond the
    /// memory are ignored, bits that it does not have are dropped.
    pub fn write(&mut self, slot: usize, upload: [u32; 4]) {
        if let Some(word) = self.words.get_mut(slot) {
            *word = Word::from_upload(upload);
            self.decode(slot);
        }
    }

    /// Says what the words in memory are. Rankine runs Kelvin's by rewriting them;
    /// anything else stays the chip's own.
    pub fn set_code(&mut self, code: Isa) {
        let code = match (self.native, code) {
            (Isa::Rankine, Isa::Kelvin) => code,
            (native, _) => native,
        };
        if self.code != code {
            self.code = code;
            for slot in 0..self.words.len() {
                self.decode(slot);
            }
        }
    }

    /// The instruction set that instructions are decoded to.
    fn running(&self) -> Isa {
        match (self.native, self.code) {
            (Isa::Rankine, Isa::Kelvin) => Isa::Rankine,
            (_, code) => code,
        }
    }

    fn decode(&mut self, slot: usize) {
        let mut word = Word(self.words[slot].0 & self.code.stored());
        if self.code != self.running() {
            word = convert::kelvin_to_rankine(word);
        }
        let inst = Inst::decode(self.running(), word);
        self.kept.forget();
        self.insts[slot] = inst;
        self.preps[slot] = Prep::new(self.running(), &inst);
    }

    /// The words of a slot, in upload order; zero beyond the memory.
    pub fn read(&self, slot: usize) -> [u32; 4] {
        self.words
            .get(slot)
            .copied()
            .unwrap_or_default()
            .to_upload()
    }

    /// What runs from `start`. A start beyond the memory runs nothing.
    pub fn plan(&self, start: usize) -> Plan<'_> {
        let start = start.min(self.insts.len());
        let program = self.kept.program(start, || self.find_out(start));
        let range = program.first..program.first + program.count;
        Plan {
            program,
            resolved: &program.resolved,
            isa: self.running(),
            insts: &self.insts[range.clone()],
            preps: &self.preps[range],
            position_shadow: self.code == Isa::Kelvin,
        }
    }

    /// What there is to know of a program.
    fn find_out(&self, start: usize) -> Program {
        let straight = &self.insts[start..];
        let end = straight.iter().position(|i| i.end);
        let body = &straight[..end.map_or(straight.len(), |e| e + 1)];
        // A branch before the first END can reach any slot, so all of them count.
        let isa = self.running();
        let flow = body.iter().any(|i| is_branch(isa, i));
        let (insts, first) = if flow {
            (&self.insts[..], 0)
        } else {
            (body, start)
        };
        let conditions = insts.iter().any(Inst::is_conditional);
        let varies = |i: &&Inst| flow || conditions && (i.cond.is_some() || i.out.indexed);
        let outputs = |set, i| set | outputs_of(i);
        let shadow = self.code == Isa::Kelvin;
        let preps = &self.preps[first..first + insts.len()];
        Program {
            first,
            count: insts.len(),
            entry: start - first,
            flow,
            conditions,
            inputs: insts.iter().fold(0, |set, i| set | inputs_of(isa, i)),
            temps: insts.iter().fold(0, |set, i| set | temps_of(isa, i)),
            outputs: insts.iter().fold(0, outputs),
            varying: insts.iter().filter(varies).fold(0, outputs),
            writes_ctx: insts.iter().any(writes_ctx),
            unterminated: end.is_none(),
            resolved: Resolved::new(isa, shadow, flow.then_some(start), insts, preps),
        }
    }
}

/// How one program start runs.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    program: &'a Program,
    resolved: &'a Resolved,
    pub(crate) isa: Isa,
    /// The whole memory for code that branches, else the straight run of instructions.
    pub(crate) insts: &'a [Inst],
    /// One for each of them.
    pub(crate) preps: &'a [Prep],
    /// The position can be read back as R12.
    pub(crate) position_shadow: bool,
}

impl core::ops::Deref for Plan<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.program
    }
}

impl Plan<'_> {
    /// Slot of the first of [`Plan::insts`].
    pub fn base(&self) -> usize {
        self.first
    }

    /// The instructions in the order they lie in memory.
    pub fn insts(&self) -> &[Inst] {
        self.insts
    }

    /// The instruction set.
    pub fn isa(&self) -> Isa {
        self.isa
    }
}

fn is_branch(isa: Isa, inst: &Inst) -> bool {
    use ops::Form::{Address, Branch, BranchBit, BranchIndexed};
    inst.sca == ops::sca::RET && isa != Isa::Kelvin
        || matches!(
            inst.sca_op(isa).form,
            Branch | BranchBit | BranchIndexed | Address
        )
}

fn writes_ctx(inst: &Inst) -> bool {
    inst.out.target == Target::Ctx && inst.vec_dst.out_mask | inst.sca_dst.out_mask != 0
}

fn temps_of(isa: Isa, inst: &Inst) -> u32 {
    let read = inst.sources(isa);
    let temps = (0..3).filter(|&i| read >> i & 1 != 0 && inst.src[i].mux == Mux::Temp);
    temps.fold(0, |set, i| {
        set | 1 << (usize::from(inst.src[i].reg) % machine::TEMPS)
    })
}

fn outputs_of(inst: &Inst) -> u32 {
    let written = inst.vec_dst.out_mask | inst.sca_dst.out_mask != 0;
    match (
        written && inst.out.target == Target::Output,
        inst.out.indexed,
    ) {
        (false, _) => 0,
        (true, true) => u32::MAX,
        (true, false) => 1u32.checked_shl(inst.out.addr.into()).unwrap_or(0),
    }
}

fn inputs_of(isa: Isa, inst: &Inst) -> u16 {
    let read = inst.sources(isa);
    let reads = (0..3).any(|i| read >> i & 1 != 0 && inst.src[i].mux == Mux::Input);
    match (reads, inst.input_indexed) {
        (false, _) => 0,
        (true, true) => u16::MAX,
        (true, false) => 1 << (inst.input & 15),
    }
}
