//! Programs as text, run on sixteen pixels at every SIMD level.

mod conditions;
mod explained;
mod flow;
mod levels;
mod modulates;
mod operations;
mod prepared;
mod registers;
mod results;
mod shorten;
mod signs;
mod textures;

use super::exec::{self, Groups, Units};
use super::input;
use super::lanes::Lanes;
use super::plan::{INPUT_ROWS, Kind, Place, Plan, Results};
use isotherm_lanes::{LANES, Lane, Level};
use isotherm_regs::Family;
use isotherm_regs::Family::{Curie, Rankine};
use isotherm_regs::fp::{Program, asm};

type Vector = [f32; 4];

/// The colour is R0.
const FULL: Results = Results {
    full: true,
    depth: false,
    more: 0,
};
/// The colour is H0.
const HALF: Results = Results {
    full: false,
    depth: false,
    more: 0,
};
/// What is no number.
const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

fn no_units() -> Units {
    [const { None }; 16]
}

fn words(family: Family, text: &str) -> Vec<u32> {
    asm::assemble(family, text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn program(family: Family, text: &str) -> Program {
    Program::decode(family, &words(family, text)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn plan(family: Family, text: &str, results: Results) -> Plan {
    Plan::new(family, program(family, text), results)
}

/// The bits of every register, words that are no number all the same: which one of those
/// comes out is nobody's business.
fn state(plan: &Plan, lanes: &Lanes) -> Vec<[u32; LANES]> {
    let half = |bits: u32| {
        let no_number = bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0;
        if no_number { 0x7e00 } else { bits }
    };
    let word = |x: f32| {
        let bits = x.to_bits();
        if x.is_nan() {
            f32::NAN.to_bits()
        } else {
            half(bits & 0xffff) | half(bits >> 16) << 16
        }
    };
    let rows = (INPUT_ROWS..plan.unpacked).map(|row| lanes.register(row_at(row), 0).map(word));
    rows.chain([[lanes.killed(); LANES]]).collect()
}

fn row_at(row: usize) -> Place {
    Place {
        row: row as u32,
        kind: Kind::Whole,
        half: false,
    }
}

/// A program that has run.
struct Ran {
    plan: Plan,
    lanes: Lanes,
}

impl Ran {
    /// Runs it at every level, which must agree.
    fn new(plan: Plan, units: &Units, start: &Lanes) -> Ran {
        let mut found: Option<Lanes> = None;
        for level in Level::available() {
            let mut lanes = start.clone();
            let mut color = [Default::default()];
            exec::run(level, &plan, units, &mut lanes, &Groups::ONE, &mut color);
            let first = found.get_or_insert_with(|| lanes.clone());
            assert_eq!(state(&plan, first), state(&plan, &lanes), "{level:?}");
        }
        let lanes = found.expect("there is a level");
        Ran { plan, lanes }
    }

    fn text(family: Family, text: &str, start: &Lanes) -> Ran {
        Ran::new(plan(family, text, FULL), &no_units(), start)
    }

    /// The colour of a lane.
    fn color(&self, lane: usize) -> Vector {
        [0, 1, 2, 3].map(|c| self.lanes.register(self.plan.color, c)[lane])
    }

    /// The colour, which all lanes have.
    #[track_caller]
    fn same(&self) -> Vector {
        let first = self.color(0);
        for lane in 1..LANES {
            check(self.color(lane), first, "all lanes alike");
        }
        first
    }

    /// R0.x of all lanes.
    fn x(&self) -> Lane {
        self.lanes.register(self.plan.color, 0)
    }
}

/// Inputs TEX0, TEX1, … with the same values in all lanes.
fn inputs(values: &[Vector]) -> Lanes {
    let mut lanes = Lanes::default();
    for (set, value) in values.iter().enumerate() {
        for (c, &x) in value.iter().enumerate() {
            *lanes.input(input::TEX + set, c) = [x; LANES];
        }
    }
    lanes
}

/// TEX0.x is the lane's number, the other components say what it is modulo 2, 3 and 4.
fn numbered() -> Lanes {
    let mut lanes = Lanes::default();
    for (c, modulo) in [LANES, 2, 3, 4].into_iter().enumerate() {
        *lanes.input(input::TEX, c) = std::array::from_fn(|i| (i % modulo) as f32);
    }
    lanes
}

/// R0 after instructions that find `values` in R1, R2, R3.
#[track_caller]
fn eval(family: Family, lines: &str, values: [Vector; 3]) -> Vector {
    eval_to(family, lines, values, FULL)
}

/// R0 or H0.
#[track_caller]
fn eval_to(family: Family, lines: &str, values: [Vector; 3], results: Results) -> Vector {
    let text =
        format!("MOV R1, f[TEX0];\nMOV R2, f[TEX1];\nMOV R3, f[TEX2];\n{lines}\nNOP;\nEND\n");
    Ran::new(plan(family, &text, results), &no_units(), &inputs(&values)).same()
}

/// The same bits, or both no number.
#[track_caller]
fn check(found: Vector, want: Vector, what: &str) {
    let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    assert!(
        found.iter().zip(&want).all(same),
        "{what}: {found:?}, expected {want:?}"
    );
}
