//! A fragment program made ready to run: registers are numbered densely, operands
//! resolved, branch targets turned into steps.

use super::apart::{Sight, sights};
use super::exec::MOST_STEPS;
use super::input;
use super::list::List;
use super::modulate::modulates;
use super::signs::{Alike, alike};
use isotherm_lanes::{Base, LANES, Lane, Simd};
use isotherm_regs::Family;
use isotherm_regs::fp::{Cond, Flow, Inst, Limit, Op, Precision, Program, Reg, Source};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

/// Inputs that an instruction can name.
pub(crate) const INPUTS: usize = 16;
/// Texture coordinate sets among them.
pub(crate) const SETS: usize = 10;
/// Registers that an instruction can name, as R and as H.
const REGISTERS: usize = 64;

/// Where a register's values lie. H2n and H2n+1 are the two halves of Rn; a register
/// that the program uses under one name only needs no packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The first of its four rows.
    pub row: u32,
    pub kind: Kind,
    /// It holds half floats.
    pub half: bool,
}

impl Place {
    /// The row of a component, or of the words that have it as a half.
    #[inline(always)]
    pub(super) fn row_of(self, c: usize) -> u32 {
        let words = c as u32 / 2;
        self.row
            + match self.kind {
                Kind::Whole => c as u32,
                Kind::Low => words,
                Kind::High => 2 + words,
            }
    }
}

/// What part of its rows a register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All of them, a float each.
    Whole,
    /// The half floats in rows x and y.
    Low,
    /// The half floats in rows z and w.
    High,
}

/// Behind the inputs' rows, those of footprints that are found before a program runs, and how
/// many there are.
pub(crate) const FOOTPRINT_ROWS: usize = 4 * INPUTS;
pub(crate) const FOOTPRINTS: usize = 4;
/// Rows that all of these take, before the registers.
pub(crate) const INPUT_ROWS: usize = FOOTPRINT_ROWS + FOOTPRINTS;
/// Rows behind the registers: unpacked sources, then what a step computes.
const UNPACKED_ROWS: usize = 12;
const EXTRA_ROWS: usize = UNPACKED_ROWS + 4;

/// A source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Operand {
    /// The row of each component, swizzle applied.
    pub rows: [u32; 4],
    /// Components that the operation asks for, a bit each.
    pub slots: u8,
    /// Bits that stay and bits that flip: absolute value, then negation.
    pub and: u32,
    pub xor: u32,
    /// What has to be put in the source's own rows first.
    pub staged: Option<Staging>,
}

/// A source that does not lie ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Staging {
    pub from: Origin,
    /// It is 1/w times what it would be: perspective leaves it alone.
    pub undivided: bool,
    pub limit: Limit,
}

/// Where such a source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Half floats, to be unpacked.
    Halves(Place),
    /// The texture coordinate set of this number and the loop's index.
    Set(u32),
    /// The first of four rows.
    Row(u32),
}

impl Operand {
    /// Is the register read as it is?
    #[inline(always)]
    pub(crate) fn plain(&self) -> bool {
        self.and == u32::MAX && self.xor == 0
    }
}

/// How a result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Round {
    Full,
    /// To the nearest half float (Rankine).
    Half,
    /// Cut to a half float (Curie).
    HalfCut,
    /// Two's complement 2.10.
    Fixed,
}

/// A branch; targets are steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    If {
        otherwise: u32,
        end: u32,
    },
    /// `index` has LOOP's first value of the address register, and what each round adds.
    Repeat {
        count: u8,
        end: u32,
        index: Option<(u8, i8)>,
    },
    Call {
        target: u32,
    },
    Break,
    Return,
}

/// An instruction, prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub op: Op,
    pub branch: Option<Branch>,
    pub dst: Option<Place>,
    pub mask: u8,
    pub sat: bool,
    pub cc_write: bool,
    /// Which condition register is written, and which one is looked at.
    pub cc_to: u8,
    pub cc_from: u8,
    pub round: Round,
    pub scale: f32,
    pub cond: Cond,
    pub cond_swizzle: [u8; 4],
    pub src: [Operand; 3],
    /// Sources have to be put beside the registers first.
    pub staged: bool,
    pub unit: u8,
    /// The row of a lookup's footprint, where it may be found before.
    pub footprint: Option<u32>,
    pub expand: bool,
    /// Curie's half precision: NRM has a coarse root.
    pub coarse: bool,
    pub end: bool,
    /// All sources are read as they are.
    pub plain: bool,
    /// What it adds has one sign.
    pub alike: Alike,
    /// The component that each one is the same as: the first with the same sources.
    pub twins: [u8; 4],
    /// What it computes goes to a register, and nowhere else, in all lanes that run.
    pub always: bool,
    /// And it is what the register gets: it may be put there at once.
    pub direct: bool,
}

/// What the control word says about a program's results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Results {
    /// The colour is R0's, not H0's.
    pub full: bool,
    /// R1.z replaces the depth.
    pub depth: bool,
    /// Colour targets behind the first that want a result.
    pub more: u8,
}

/// The registers of a program's colours: H0, H4, H6, H8, or R0, R2, R3, R4.
const COLOR_REGISTERS: [u8; 4] = [0, 2, 3, 4];

/// A program made ready.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// The same as operations on rows.
    pub list: List,
    /// No other plan has this number.
    pub id: u64,
    /// Constants, one row for each number. They lie behind all other rows.
    pub consts: Vec<Lane>,
    /// The first rows of unpacked sources, of what a step computes, and of the constants.
    pub unpacked: usize,
    pub out: usize,
    pub first_const: usize,
    /// Rows of registers that are looked at before they are written.
    pub unset: Vec<u32>,
    /// It runs step by step, with nothing left out.
    pub stepwise: bool,
    /// Its lookups, if these are all that it needs quads for.
    pub sights: Option<Vec<Sight>>,
    /// It multiplies a texel by the diffuse colour, and that is all.
    pub modulates: bool,
    /// There are conditions.
    pub conditions: bool,
    /// Components of each input that are read.
    pub reads: [u8; INPUTS],
    /// Texture units, a bit each.
    pub units: u16,
    /// There are KILs.
    pub kills: bool,
    /// There are branches.
    pub branches: bool,
    /// Steps that a program with branches may take for a block at most; 0 without.
    pub loop_steps: u32,
    /// Texture lookups among the steps.
    lookups: u32,
    /// Words that it takes in memory.
    pub words: usize,
    /// Where the results are found.
    pub color: Place,
    pub more: Vec<Place>,
    pub depth: Option<Place>,
    /// What it was made of.
    pub family: Family,
    pub program: Program,
}

impl Plan {
    /// Prepares a program.
    pub(crate) fn new(family: Family, program: Program, results: Results) -> Plan {
        Plan::made(family, program, results, isotherm_lanes::step_by_step())
    }

    /// The same; whether it runs step by step is said.
    pub(super) fn made(family: Family, program: Program, results: Results, stepwise: bool) -> Plan {
        let result = |&number: &u8| Reg {
            index: if results.full { number } else { 2 * number },
            half: !results.full,
        };
        let [first, others @ ..] = &COLOR_REGISTERS;
        let color = result(first);
        let more: Vec<Reg> = others[..usize::from(results.more).min(3)]
            .iter()
            .map(result)
            .collect();
        let depth = results.depth.then_some(Reg {
            index: 1,
            half: false,
        });
        let mut file = File::default();
        file.name(color);
        more.iter().for_each(|&reg| file.name(reg));
        depth.iter().for_each(|&reg| file.name(reg));
        for inst in &program.insts {
            registers(inst).for_each(|reg| file.name(reg));
        }
        file.number();
        let mut plan = Plan {
            steps: Vec::with_capacity(program.insts.len()),
            list: List::default(),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            consts: Vec::new(),
            unpacked: file.rows,
            out: file.rows + UNPACKED_ROWS,
            first_const: file.rows + EXTRA_ROWS,
            unset: Vec::new(),
            stepwise,
            sights: None,
            modulates: false,
            conditions: false,
            reads: [0; INPUTS],
            units: 0,
            kills: false,
            branches: false,
            loop_steps: 0,
            lookups: 0,
            words: program.insts.last().map_or(0, |inst| inst.at + inst.size()) as usize,
            color: file.place(color),
            more: more.into_iter().map(|reg| file.place(reg)).collect(),
            depth: depth.map(|reg| file.place(reg)),
            family,
            program: Program::default(),
        };
        let mut known = HashMap::new();
        for inst in &program.insts {
            let step = plan.step(inst, &file, &program, &mut known);
            plan.kills |= step.op == Op::Kil;
            plan.branches |= step.branch.is_some();
            plan.conditions |= step.cond != Cond::Tr;
            if step.op.is_texture() {
                plan.lookups += 1;
                plan.units |= 1 << (step.unit & 15);
            }
            plan.steps.push(step);
        }
        if plan.branches {
            plan.loop_steps = most_steps(&plan.steps);
        }
        plan.unset = unset_rows(&plan);
        if !stepwise {
            plan.sights = sights(&mut plan);
        }
        let alike = alike(&plan);
        for (step, alike) in plan.steps.iter_mut().zip(alike) {
            step.alike = alike;
        }
        plan.list = List::new(&plan);
        plan.modulates = modulates(&plan);
        plan.program = program;
        plan
    }

    /// Steps of the budget for a pixel, what loops repeat apart.
    pub(crate) fn price(&self) -> u64 {
        const LOOKUP: u64 = 12;
        self.steps.len() as u64 + LOOKUP * u64::from(self.lookups)
    }

    /// Does it do nothing but move the diffuse colour to the result?
    pub(crate) fn hands_on_color(&self) -> bool {
        let [step] = self.steps.as_slice() else {
            return false;
        };
        let source = &step.src[0];
        let first = 4 * input::COLOR as u32;
        !self.stepwise
            && step.op == Op::Mov
            && source.rows == [first, first + 1, first + 2, first + 3]
            && source.plain()
            && source.staged.is_none()
            && step.mask == 15
            && step.cond == Cond::Tr
            && !step.cc_write
            && step.scale == 1.0
            && matches!(step.round, Round::Full | Round::HalfCut)
            && step.dst == Some(self.color)
            && self.more.is_empty()
            && self.depth.is_none()
    }

    /// Bytes that it takes when it is ready.
    pub(crate) fn bytes(&self) -> usize {
        let insts = size_of_val(self.program.insts.as_slice());
        let consts = size_of_val(self.consts.as_slice());
        insts + size_of_val(self.steps.as_slice()) + self.list.bytes() + consts
    }

    fn step(&mut self, inst: &Inst, file: &File, program: &Program, known: &mut Known) -> Step {
        let dst = inst.out.map(|reg| file.place(reg));
        let curie = self.family == Family::Curie;
        let sources = inst.op.sources();
        let src: [Operand; 3] = std::array::from_fn(|i| {
            let slots = if i < sources { slots(inst, i) } else { 0 };
            self.operand(i, inst, slots, file, known)
        });
        let mut step = Step {
            op: inst.op,
            branch: inst.flow.and_then(|flow| branch(flow, inst.op, program)),
            dst,
            mask: if writes(inst) { inst.mask & 15 } else { 0 },
            sat: inst.sat,
            cc_write: inst.cc_write,
            cc_to: u8::from(inst.cc_write_second && curie),
            cc_from: u8::from(inst.cc_read_second && curie),
            round: round(self.family, inst.precision, dst),
            scale: scale(inst.scale),
            cond: inst.cond,
            cond_swizzle: inst.cond_swizzle,
            staged: src.iter().any(|src| src.staged.is_some()),
            src,
            unit: inst.unit,
            footprint: None,
            expand: inst.expand,
            coarse: curie && inst.precision == Precision::Half,
            end: inst.end,
            plain: src.iter().all(Operand::plain),
            alike: Alike::No,
            twins: [0, 1, 2, 3],
            always: false,
            direct: false,
        };
        step.always = step.cond == Cond::Tr && !step.cc_write && step.branch.is_none();
        step.twins = twins(&step);
        step.direct = is_direct(&step);
        step
    }

    fn operand(
        &mut self,
        i: usize,
        inst: &Inst,
        slots: u8,
        file: &File,
        known: &mut Known,
    ) -> Operand {
        let src = &inst.src[i];
        let own = (file.rows + 4 * i) as u32;
        let staged = self.staging(i, inst, file);
        let rows = src.swizzle.map(|c| {
            let c = u32::from(c & 3);
            if staged.is_some() {
                return own + c;
            }
            match src.source {
                Source::Temp(reg) => file.place(reg).row + c,
                Source::Input => input_row(inst) + c,
                Source::Const => {
                    let bits = inst.constant.unwrap_or_default()[c as usize];
                    let bits = constant(self.family, inst.precision, bits);
                    let sign = if src.abs { 0x7fff_ffff } else { u32::MAX };
                    let value = f32::from_bits(bits & sign);
                    match inst.limit(self.family, i) {
                        Limit::None => self.constant(bits, known),
                        limit => self.constant(limited(limit, value).to_bits(), known),
                    }
                }
                // What type 3 reads is not known; zeros are a guess.
                Source::Unknown => self.constant(0, known),
            }
        });
        let components = (0..4).filter(|c| slots >> c & 1 != 0);
        let components = components.fold(0, |bits, c| bits | 1 << (src.swizzle[c] & 3));
        let inputs = match (src.source, staged) {
            // Any set may be meant.
            (Source::Input, Some(staged)) if matches!(staged.from, Origin::Set(_)) => {
                input::TEX..input::TEX + SETS
            }
            (Source::Input, _) => {
                let number = input_row(inst) as usize / 4;
                number..number + 1
            }
            _ => 0..0,
        };
        for read in &mut self.reads[inputs] {
            *read |= components;
        }
        if staged.is_some_and(|staged| staged.undivided) && components != 0 {
            self.reads[input::POSITION] |= 1 << 3;
        }
        Operand {
            rows,
            slots,
            and: if src.abs { 0x7fff_ffff } else { u32::MAX },
            xor: if src.neg { 0x8000_0000 } else { 0 },
            staged: staged.filter(|_| slots != 0),
        }
    }

    /// What has to happen to source `i` before it can be read.
    fn staging(&self, i: usize, inst: &Inst, file: &File) -> Option<Staging> {
        let limit = inst.limit(self.family, i);
        let (from, undivided, ready) = match inst.src[i].source {
            Source::Temp(reg) => {
                let place = file.place(reg);
                let whole = place.kind == Kind::Whole;
                let from = if whole {
                    Origin::Row(place.row)
                } else {
                    Origin::Halves(place)
                };
                (from, false, whole)
            }
            // That the addend counts coordinate sets, as the specification's does, is a
            // guess; a program that reads one so would settle it.
            Source::Input if inst.indexed_input => {
                let from = Origin::Set(inst.address_index.into());
                (from, inst.no_perspective, false)
            }
            Source::Input => {
                let undivided = is_undivided(inst);
                (Origin::Row(input_row(inst)), undivided, !undivided)
            }
            Source::Const | Source::Unknown => return None,
        };
        (!ready || limit != Limit::None).then_some(Staging {
            from,
            undivided,
            limit,
        })
    }

    /// The row of a constant.
    fn constant(&mut self, bits: u32, known: &mut Known) -> u32 {
        let found = *known.entry(bits).or_insert_with(|| {
            self.consts.push([f32::from_bits(bits); LANES]);
            self.consts.len() as u32 - 1
        });
        self.first_const as u32 + found
    }
}

/// The first row of an instruction's input.
fn input_row(inst: &Inst) -> u32 {
    u32::from(inst.input % INPUTS as u8) * 4
}

/// A number that a source's precision limits. What is no number becomes 0 (public notes on the
/// RSX); that half floats are cut, as registers are, is a guess.
pub(crate) fn limited(limit: Limit, x: f32) -> f32 {
    let (least, most) = match limit {
        Limit::None => return x,
        Limit::Half => return Base::half_cut([x; LANES])[0],
        Limit::Two => (-2.0, 2.0),
        Limit::One => (-1.0, 1.0),
        Limit::Unit => (0.0, 1.0),
    };
    if x.is_nan() {
        0.0
    } else {
        x.clamp(least, most)
    }
}

/// Does an instruction take its input as it is before perspective? Texture coordinates alone
/// are known to have both ways.
fn is_undivided(inst: &Inst) -> bool {
    let sets = input::TEX..input::TEX + SETS;
    inst.no_perspective && sets.contains(&inst.input.into())
}

/// The number of the next plan.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// May a step's results go where they belong at once? Not if something happens to them on the
/// way, and not if a component that is written is read for a later one that is no twin.
fn is_direct(step: &Step) -> bool {
    let Some(dst) = step.dst else { return false };
    let plain = step.scale == 1.0 && !step.sat && step.round == Round::Full;
    let written = |c: usize| step.mask >> c & 1 != 0;
    let spoils = |src: &Operand| {
        let reads = |c: &usize| written(*c) && usize::from(step.twins[*c]) == *c;
        let read_later = |row: u32| (0..4).filter(|c| reads(c) && src.rows[*c] == row).max();
        (0..4).any(|c| written(c) && read_later(dst.row + c as u32) > Some(c))
    };
    plain
        && step.always
        && dst.kind == Kind::Whole
        && step.op != Op::Kil
        && !step.src.iter().any(spoils)
}

/// For each component the first one of those that are written whose sources are the same.
fn twins(step: &Step) -> [u8; 4] {
    let sources = step.src.iter().filter(|src| src.slots != 0);
    let same = |c: usize, d: usize| sources.clone().all(|src| src.rows[c] == src.rows[d]);
    let first = |c: usize| (0..c).find(|&d| step.mask >> d & 1 != 0 && same(c, d));
    [0, 1, 2, 3].map(|c| first(c).unwrap_or(c) as u8)
}

/// Rows of registers that a program may look at before it has written them.
fn unset_rows(plan: &Plan) -> Vec<u32> {
    let registers = INPUT_ROWS as u32..plan.unpacked as u32;
    if plan.branches {
        return registers.collect();
    }
    let (mut written, mut unset) = (vec![false; plan.unpacked], BTreeSet::new());
    let mut look = |written: &[bool], row: u32| {
        if registers.contains(&row) && !written[row as usize] {
            unset.insert(row);
        }
    };
    for step in &plan.steps {
        for src in &step.src {
            for c in (0..4).filter(|c| src.slots >> c & 1 != 0) {
                look(&written, src.rows[c]);
            }
            let first = match src.staged.map(|staged| staged.from) {
                Some(Origin::Halves(place)) => Some(place.row),
                Some(Origin::Row(row)) => Some(row),
                _ => None,
            };
            if let Some(first) = first {
                (first..first + 4).for_each(|row| look(&written, row));
            }
        }
        if let Some(dst) = step.dst.filter(|_| step.mask != 0) {
            let whole = dst.kind == Kind::Whole && step.cond == Cond::Tr;
            for c in 0..4 {
                let row = dst.row + c;
                if !whole {
                    look(&written, row);
                } else if step.mask >> c & 1 != 0 {
                    written[row as usize] = true;
                }
            }
        }
        if step.end {
            break;
        }
    }
    for place in plan.depth.iter().chain(&plan.more).chain([&plan.color]) {
        (place.row..place.row + 4).for_each(|row| look(&written, row));
    }
    unset.into_iter().collect()
}

/// The rows of constants, by their bits.
type Known = HashMap<u32, u32>;

/// How many steps can be taken at most, if every loop runs to its end.
fn most_steps(steps: &[Step]) -> u32 {
    // Loops that are open: where they end, and how often what is inside runs.
    let mut open: Vec<(u32, u64)> = Vec::new();
    let mut total = 0u64;
    for (at, step) in (0..).zip(steps) {
        open.retain(|&(end, _)| at < end);
        let times = open.last().map_or(1, |&(_, times)| times);
        total = total.saturating_add(times);
        match step.branch {
            // Subroutines lie elsewhere, and may call others.
            Some(Branch::Call { .. }) => return MOST_STEPS,
            Some(Branch::Repeat { count, end, .. }) => {
                open.push((end, times.saturating_mul(count.max(1).into())));
            }
            _ => {}
        }
    }
    total.min(MOST_STEPS.into()) as u32
}

/// Does it have a result? NOP, marks and branches have none, whatever their mask is.
fn writes(inst: &Inst) -> bool {
    !matches!(inst.op, Op::Nop | Op::FencT | Op::FencB) && inst.flow.is_none()
}

/// The components of source `i` that an operation asks for, a bit each.
fn slots(inst: &Inst, i: usize) -> u8 {
    match inst.op {
        Op::Mov
        | Op::Mul
        | Op::Add
        | Op::Mad
        | Op::Min
        | Op::Max
        | Op::Slt
        | Op::Sge
        | Op::Sle
        | Op::Sgt
        | Op::Sne
        | Op::Seq
        | Op::Frc
        | Op::Flr
        | Op::Ddx
        | Op::Ddy
        | Op::Lrp => inst.mask & 15,
        Op::Div | Op::DivSq if i == 0 => inst.mask & 15,
        Op::Rcp | Op::Rsq | Op::Ex2 | Op::Lg2 | Op::Cos | Op::Sin | Op::Pow => 1,
        Op::Div | Op::DivSq => 1,
        Op::Txb | Op::Txl if i == 1 => 1,
        Op::Dp2 => 3,
        Op::Dp3 | Op::Rfl | Op::Nrm => 7,
        _ => 15,
    }
}

/// The registers that an instruction names.
fn registers(inst: &Inst) -> impl Iterator<Item = Reg> {
    let sources = inst.src[..inst.op.sources()].iter().filter_map(|src| {
        if let Source::Temp(reg) = src.source {
            Some(reg)
        } else {
            None
        }
    });
    inst.out.into_iter().chain(sources)
}

fn branch(flow: Flow, op: Op, program: &Program) -> Option<Branch> {
    // A target between instructions, or outside, ends the program.
    let step = |word: u32| program.index_of(word).unwrap_or(program.insts.len()) as u32;
    Some(match flow {
        Flow::If { otherwise, end } => Branch::If {
            otherwise: step(otherwise),
            end: step(end),
        },
        // That the increment has a sign is a guess: the specification has the address
        // register stop at 0.
        Flow::Loop {
            count,
            start,
            step: add,
            end,
        } => Branch::Repeat {
            count,
            end: step(end),
            index: Some((start, add as i8)),
        },
        Flow::Rep { counts, end } => Branch::Repeat {
            count: counts[0],
            end: step(end),
            index: None,
        },
        Flow::Call { target } => Branch::Call {
            target: step(target),
        },
        Flow::Plain if op == Op::Brk => Branch::Break,
        Flow::Plain if op == Op::Ret => Branch::Return,
        Flow::Plain => return None,
    })
}

/// How a result is rounded. On Curie the register says so, and half precision alone rounds
/// nothing (docs/accuracy/fragment.md). Rankine's way is a guess.
fn round(family: Family, precision: Precision, dst: Option<Place>) -> Round {
    let half = dst.is_some_and(|place| place.half);
    match (precision, family) {
        (Precision::Fixed, _) => Round::Fixed,
        (_, Family::Curie) if half => Round::HalfCut,
        (_, Family::Curie) => Round::Full,
        (Precision::Half, _) => Round::Half,
        _ if half => Round::Half,
        _ => Round::Full,
    }
}

/// A constant as an instruction takes it. Curie's half precision has no number that a half
/// float has no room for; it keeps all bits of the others (docs/accuracy/fragment.md).
fn constant(family: Family, precision: Precision, bits: u32) -> u32 {
    let size = f32::from_bits(bits).abs();
    if family == Family::Curie && precision == Precision::Half && size >= 65536.0 {
        f32::INFINITY.copysign(f32::from_bits(bits)).to_bits()
    } else {
        bits
    }
}

fn scale(code: u8) -> f32 {
    match code {
        1 => 2.0,
        2 => 4.0,
        3 => 8.0,
        5 => 0.5,
        6 => 0.25,
        7 => 0.125,
        _ => 1.0,
    }
}

/// The register file while it is being numbered.
struct File {
    full: [bool; REGISTERS],
    half: [bool; REGISTERS],
    /// First rows of Rn, and of Hn where it has its own.
    full_rows: [u32; REGISTERS],
    half_rows: [u32; REGISTERS],
    /// Rows so far.
    rows: usize,
}

impl Default for File {
    fn default() -> File {
        File {
            full: [false; REGISTERS],
            half: [false; REGISTERS],
            full_rows: [0; REGISTERS],
            half_rows: [0; REGISTERS],
            rows: INPUT_ROWS,
        }
    }
}

impl File {
    fn name(&mut self, reg: Reg) {
        let index = usize::from(reg.index) % REGISTERS;
        if reg.half {
            self.half[index] = true;
        } else {
            self.full[index] = true;
        }
    }

    fn number(&mut self) {
        let mut next = || {
            self.rows += 4;
            self.rows as u32 - 4
        };
        for n in 0..REGISTERS {
            if self.full[n] {
                self.full_rows[n] = next();
            }
            if self.half[n] && !self.full[n / 2] {
                self.half_rows[n] = next();
            }
        }
    }

    fn place(&self, reg: Reg) -> Place {
        let n = usize::from(reg.index) % REGISTERS;
        let (row, kind) = match (reg.half, self.full[n / 2]) {
            (false, _) => (self.full_rows[n], Kind::Whole),
            (true, false) => (self.half_rows[n], Kind::Whole),
            (true, true) if n.is_multiple_of(2) => (self.full_rows[n / 2], Kind::Low),
            (true, true) => (self.full_rows[n / 2], Kind::High),
        };
        Place {
            row,
            kind,
            half: reg.half,
        }
    }
}
