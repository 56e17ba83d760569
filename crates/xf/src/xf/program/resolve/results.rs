//! Where results of straight code go.

use super::{Places, Resolver, components, places};
use crate::xf::program::Prep;
use crate::xf::program::file::{self, Slot};
use crate::xf::program::machine::OUTPUTS;
use crate::xf::program::op::{Code, Op, Part};
use crate::xf::program::write::{FOG, is_number};
use isotherm_regs::xf::isa::{Dst, Inst, Isa, Unit};

/// A place that takes a component of a result.
type Taker = (Slot, usize);

/// A unit's result.
struct Outcome {
    unit: Unit,
    takers: Vec<Taker>,
    /// Components that become condition codes.
    compared: u8,
    /// Where it is computed.
    at: Places,
}

impl Resolver {
    /// Both units' results. They are written at once where that spoils nothing.
    pub(super) fn results(&mut self, inst: &Inst, prep: &Prep, src: &[[Slot; 4]; 3]) {
        let start = self.made.ops.len();
        if self.conditional_move(inst, prep, &src[0]) {
            return;
        }
        self.made.ops.truncate(start);
        if !self.at_once(inst, prep, src) {
            self.made.ops.truncate(start);
            self.one_by_one(inst, prep, src);
        }
    }

    /// A move under a condition takes its source as it lies. False if there is more to do.
    fn conditional_move(&mut self, inst: &Inst, prep: &Prep, src: &[Slot; 4]) -> bool {
        let passing = inst.cond.is_some() && inst.cc.is_none();
        if !passing || !prep.vec_move || prep.sca || inst.sat {
            return false;
        }
        let start = self.made.ops.len();
        let takers = self.takers(inst, inst.vec_dst);
        self.hand_out(&takers, &src.map(Some), true);
        self.good_since(start, &mut Vec::new())
    }

    /// The results, each written before the next is computed. False if that spoils something.
    fn at_once(&mut self, inst: &Inst, prep: &Prep, src: &[[Slot; 4]; 3]) -> bool {
        // One unit's result could be overwritten before it is compared.
        let mut good = !(prep.vec && prep.sca && inst.cc.is_some());
        let outcomes = self.outcomes(inst, prep, inst.cond.is_none());
        let mut written = Vec::new();
        for outcome in &outcomes {
            let start = self.made.ops.len();
            self.compute(inst, src, outcome);
            good &= self.good_since(start, &mut written);
            self.saturate_if(inst.sat, &outcome.at);
            self.hand_out(&outcome.takers, &outcome.at, inst.cond.is_some());
            written.extend(outcome.takers.iter().map(|taker| taker.0));
        }
        for outcome in &outcomes {
            self.compare(inst, outcome);
        }
        good
    }

    /// The results, all of them computed before any is written.
    fn one_by_one(&mut self, inst: &Inst, prep: &Prep, src: &[[Slot; 4]; 3]) {
        let outcomes = self.outcomes(inst, prep, false);
        for outcome in &outcomes {
            self.compute(inst, src, outcome);
            self.saturate_if(inst.sat, &outcome.at);
        }
        for outcome in &outcomes {
            self.hand_out(&outcome.takers, &outcome.at, inst.cond.is_some());
        }
        for outcome in &outcomes {
            self.compare(inst, outcome);
        }
    }

    /// The results that there are, computed where they are to go if `at_once`.
    fn outcomes(&self, inst: &Inst, prep: &Prep, at_once: bool) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut add = |unit, dst: Dst, kept| {
            let takers = self.takers(inst, dst);
            let compared = match inst.cc {
                Some(cc) if cc == unit => dst.mask | dst.out_mask,
                _ => 0,
            };
            outcomes.push(Outcome {
                unit,
                at: home(&takers, compared, kept, at_once),
                takers,
                compared,
            });
        };
        if prep.vec {
            add(Unit::Vec, inst.vec_dst, file::VECTOR);
        }
        if prep.sca {
            add(Unit::Sca, inst.sca_dst, file::SCALAR);
        }
        outcomes
    }

    fn compute(&mut self, inst: &Inst, src: &[[Slot; 4]; 3], outcome: &Outcome) {
        match outcome.unit {
            Unit::Vec => self.vector(inst, src, &outcome.at),
            Unit::Sca => self.scalar(inst, &src[2], &outcome.at),
        }
    }

    /// Whether the operations since `start` read nothing that is written before.
    fn good_since(&self, start: usize, written: &mut Vec<Slot>) -> bool {
        let mut good = true;
        for op in &self.made.ops[start..] {
            good &= !op.clashes(written);
        }
        good
    }

    /// All places that take a result, in the order in which they are written.
    fn takers(&self, inst: &Inst, dst: Dst) -> Vec<Taker> {
        let mut takers: Vec<Taker> = Vec::new();
        let mut row = |row, mask| takers.extend(components(mask).map(|c| (Slot::new(row, c), c)));
        // Numbers beyond the register file write nothing.
        if let Some(reg) = dst.temp.map(usize::from).filter(|&r| r < self.isa.temps()) {
            row(file::TEMP + reg, dst.mask);
        }
        let out = inst.out.addr;
        if dst.out_mask == 0 || usize::from(out) >= OUTPUTS {
            return takers;
        }
        row(file::OUT + usize::from(out), dst.out_mask);
        if out == 0 && self.shadow {
            row(file::POSITION, dst.out_mask);
        }
        if is_number(out) && (self.isa != Isa::Curie || dst.out_mask & 8 != 0) {
            takers.push((Slot::new(file::NUMBERS, usize::from(out != FOG)), 0));
        }
        takers
    }

    /// Copies a result to all that take it, under a condition where there is one.
    fn hand_out(&mut self, takers: &[Taker], from: &Places, passing: bool) {
        let mut parts = Vec::new();
        for &(to, c) in takers {
            let Some(a) = from[c].filter(|&from| passing || from != to) else {
                continue;
            };
            let b = if passing {
                Slot::new(file::PASS, c)
            } else {
                Slot::ZERO
            };
            let c = Slot::ZERO;
            parts.push(Part { to, a, b, c });
        }
        let code = if passing { Code::Blend } else { Code::Copy };
        for parts in parts.chunks(4) {
            self.push(Op::each(code, parts.iter().copied()));
        }
    }

    /// The condition codes of a result.
    fn compare(&mut self, inst: &Inst, outcome: &Outcome) {
        let codes = file::CODES + usize::from(inst.cc_reg & 1);
        let part = |c: usize| {
            outcome.at[c].map(|a| Part {
                to: Slot::new(codes, c),
                a,
                b: match inst.cond {
                    Some(_) => Slot::new(file::PASS, c),
                    None => Slot::ALL,
                },
                c: Slot::ZERO,
            })
        };
        self.push(Op::each(
            Code::Compare,
            components(outcome.compared).filter_map(part),
        ));
    }
}

/// Where a result is computed: where it is to go, or in a row that is kept for it; also the
/// components that are only `compared`.
fn home(takers: &[Taker], compared: u8, kept: usize, at_once: bool) -> Places {
    let mut home = places(kept, compared);
    for &(to, c) in takers.iter().rev() {
        home[c] = Some(if at_once { to } else { Slot::new(kept, c) });
    }
    home
}
