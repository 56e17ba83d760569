//! Runs a prepared program on blocks of sixteen pixels: four quads, pixel after pixel of a
//! quad. Blocks without branches take every step together.

use super::apart::{Apart, mask_by_quads};
use super::compute::run_ops;
use super::flow::Flow;
use super::lanes::{BLOCKS, Lanes, lanes_from, with_half};
use super::modulate::Modulate;
use super::plan::{Kind, Plan, Round, Step};
use crate::frag::ColorPairs;
use crate::tex::program::BoundUnit;
use isotherm_lanes::{Base, LANES, Lane, Simd, dispatch};
use isotherm_regs::Family;
use isotherm_regs::fp::{Cond, Op};

/// Steps that a block may take before the program counts as hung: loops nest, and one
/// repeats up to 255 times.
pub(super) const MOST_STEPS: u32 = 1 << 16;
/// All lanes.
pub(super) const ALL: u32 = 0xffff;
/// A texture unit for every number that an instruction can have.
pub(crate) type Units = [Option<BoundUnit>; 16];

/// What one step did, for whoever watches.
pub(crate) struct Seen<'a> {
    pub step: usize,
    /// Lanes that ran it, and those of each component that were written.
    pub ran: u32,
    pub written: [u32; 4],
    /// Lanes that it gave up.
    pub killed: u32,
    /// What it computed, scaled, clamped and rounded.
    pub result: &'a [Lane; 4],
}

/// Where a program is: the step, the lanes that run, the address register.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub step: usize,
    pub active: u32,
    pub index: u32,
}

impl At {
    /// The beginning.
    fn start(active: u32) -> At {
        At {
            step: 0,
            active,
            index: 0,
        }
    }

    /// The same at another step.
    pub(super) fn of(self, step: u32) -> At {
        At {
            step: step as usize,
            ..self
        }
    }
}

/// The lanes that a program runs on, and what becomes of them.
pub(crate) struct Groups<'a> {
    /// How many, from the first one on.
    pub lanes: usize,
    /// The first lane of each group of sixteen pixels.
    pub first: &'a [u8],
    /// Those of its pixels that have left their quads and lie there, if any have.
    pub apart: Option<&'a [u16]>,
}

impl Groups<'static> {
    /// One block.
    pub(crate) const ONE: Groups<'static> = Groups {
        lanes: LANES,
        first: &[0],
        apart: None,
    };
}

dispatch! {
    /// Runs a program on lanes, which have their inputs and take their results. Groups' colours go
    /// to `colors`.
    pub(crate) fn run(plan: &Plan, units: &Units, lanes: &mut Lanes, groups: &Groups<'_>, colors: &mut [ColorPairs]) = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    groups: &Groups<'_>,
    colors: &mut [ColorPairs],
) {
    let count = groups.lanes.div_ceil(LANES).min(BLOCKS);
    lanes.apart = groups.apart.is_some();
    let mut pairs = [[[0; LANES]; BLOCKS]; 2];
    match Modulate::new(plan, units) {
        // Nobody asks for the registers of pixels apart.
        Some(modulate) if lanes.apart => {
            for block in 0..count {
                let [br, ga] = modulate.run::<S>(lanes, block);
                S::istore(br, &mut pairs[0][block]);
                S::istore(ga, &mut pairs[1][block]);
            }
        }
        _ => {
            machine::<S, false>(plan, units, lanes, count, &mut |_| {});
            bytes::<S>(plan, lanes, count, &mut pairs);
        }
    }
    for (i, (&first, out)) in groups.first.iter().zip(colors).enumerate() {
        for (pairs, out) in pairs.iter().zip(out) {
            let mut quads = *lanes_from(pairs, first.into());
            if let Some(masks) = groups.apart
                && masks[i] != u16::MAX
            {
                quads = S::expand(&quads, mask_by_quads(masks[i]));
            }
            S::istore(S::rows_of_quads(S::iload(&quads)), out);
        }
    }
}

/// The colours of the first blocks: blue and red, green and alpha.
#[inline(always)]
fn bytes<S: Simd>(
    plan: &Plan,
    lanes: &Lanes,
    count: usize,
    pairs: &mut [[[u32; LANES]; BLOCKS]; 2],
) {
    for block in 0..count {
        let mut color = [S::isplat(0); 4];
        for c in 0..4 {
            let x = match plan.color.kind {
                Kind::Whole => S::load(&lanes.rows[plan.color.row as usize + c].0[block]),
                _ => lanes.component::<S>(block, plan.color, c),
            };
            color[c] = to_steps::<S>(plan.family, x);
        }
        let [r, g, b, a] = color;
        for (out, [low, high]) in pairs.iter_mut().zip([[b, r], [g, a]]) {
            let steps = S::ior(low, S::shl::<16>(high));
            S::istore(bytes_of_steps::<S>(plan.family, steps), &mut out[block]);
        }
    }
}

/// A colour in the steps that it is cut to: limited to 0…1, on Curie cut to twelve bits behind the
/// point (rsx_fp_static_test1; docs/accuracy/fragment.md), else rounded to a byte.
#[inline(always)]
fn to_steps<S: Simd>(family: Family, x: S::F) -> S::I {
    let x = S::unit(x);
    match family {
        Family::Curie => S::int(S::mul(x, S::splat(4096.0))),
        _ => S::to_byte(x),
    }
}

/// Steps, two in every lane, as bytes to nearest.
#[inline(always)]
fn bytes_of_steps<S: Simd>(family: Family, steps: S::I) -> S::I {
    // 255 / 4096 as parts of 2^15.
    const PARTS: i32 = 255 << 3;
    match family {
        Family::Curie => S::mul_parts(steps, S::isplat(PARTS << 16 | PARTS)),
        _ => steps,
    }
}

/// Colours as bytes.
pub(super) fn byte_lanes(family: Family, x: &Lane) -> [i32; LANES] {
    bytes_of_steps::<Base>(family, to_steps::<Base>(family, *x))
}

/// The same on the first block, telling what every step does.
pub(crate) fn watch(plan: &Plan, units: &Units, lanes: &mut Lanes, seen: &mut dyn FnMut(Seen<'_>)) {
    lanes.apart = false;
    machine::<Base, true>(plan, units, lanes, 1, seen);
}

/// Blocks without branches take every step together: the next one of a block waits for the
/// last, but those of other blocks do not. With branches each goes its own way.
#[inline(always)]
fn machine<S: Apart, const WATCH: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    count: usize,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    lanes.start(plan, WATCH || plan.stepwise);
    if !WATCH && !plan.branches && !plan.stepwise {
        let (ops, at) = (plan.list.all(texels_positive(plan, units)), At::start(ALL));
        // Most often there are as many as there can be. Without wide vectors the code for that
        // would be long, and no faster.
        return if S::WORTH && count == BLOCKS {
            run_ops::<S, true>(plan, units, lanes, 0..BLOCKS, ops, at)
        } else {
            run_ops::<S, false>(plan, units, lanes, 0..count, ops, at)
        };
    }
    for block in 0..count {
        let mut flow = Flow::new(ALL);
        let mut pc = 0u32;
        for _ in 0..MOST_STEPS {
            let Some(step) = plan.steps.get(pc as usize) else {
                break;
            };
            if let Some(branch) = step.branch {
                let holds = any(conditions::<S>(lanes, block, step));
                let Some(next) = flow.branch(branch, holds, pc, step.end) else {
                    break;
                };
                pc = next;
            } else {
                let at = At {
                    step: pc as usize,
                    active: flow.active,
                    index: flow.index,
                };
                execute::<S, WATCH>(plan, units, lanes, block, at, seen);
                pc += 1;
                if step.end {
                    flow.end();
                }
            }
            if plan.branches {
                if lanes.left == 0 {
                    break;
                }
                lanes.left -= 1;
                let Some(next) = flow.settle(pc) else {
                    break;
                };
                pc = next;
            } else if step.end {
                break;
            }
        }
    }
}

/// Is no texel that a program looks up ever negative?
#[inline(always)]
fn texels_positive(plan: &Plan, units: &Units) -> bool {
    let used = |unit: &usize| plan.units >> unit & 1 != 0;
    let mut units = (0..units.len()).filter(used).map(|unit| &units[unit]);
    units.all(|unit| unit.as_ref().is_none_or(BoundUnit::never_negative))
}

/// One instruction that is no branch.
#[inline(always)]
fn execute<S: Apart, const WATCH: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    block: usize,
    at: At,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let step = &plan.steps[at.step];
    let blocks = block..block + 1;
    if !WATCH && !plan.stepwise && (at.active == ALL || step.op == Op::Kil) {
        return run_ops::<S, false>(plan, units, lanes, blocks, plan.list.step_ops(at.step), at);
    }
    if step.op == Op::Kil {
        let killed = at.active & any(conditions::<S>(lanes, block, step));
        lanes.killed[block % BLOCKS] |= killed;
        return seen(Seen {
            step: at.step,
            ran: at.active,
            written: [0; 4],
            killed,
            result: &[[0.0; LANES]; 4],
        });
    }
    if step.staged {
        lanes.unpack::<S>(block, plan, step, at.index);
    }
    let before = lanes.killed[block % BLOCKS];
    run_ops::<S, false>(
        plan,
        units,
        lanes,
        blocks,
        plan.list.result_ops(at.step),
        at,
    );
    write::<S, WATCH>(plan, lanes, block, at, before, seen);
}

/// Finishes what a step has computed for a block and writes it where its condition holds. Who
/// watches is told which lanes were given up since `killed_before`.
#[inline(always)]
pub(super) fn write<S: Simd, const WATCH: bool>(
    plan: &Plan,
    lanes: &mut Lanes,
    block: usize,
    at: At,
    killed_before: u32,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let block = block % BLOCKS;
    let step = &plan.steps[at.step];
    let mut written = [at.active; 4];
    if step.cond != Cond::Tr {
        let holds = conditions::<S>(lanes, block, step);
        for c in 0..4 {
            written[c] &= holds[c];
        }
    }
    for c in 0..4 {
        if step.mask >> c & 1 == 0 {
            written[c] = 0;
            continue;
        }
        let x = finish::<S>(step, S::load(&lanes.rows[plan.out + c].0[block]));
        match step.dst {
            Some(dst) if dst.kind == Kind::Whole => {
                let to = &mut lanes.rows[dst.row as usize + c].0[block];
                put::<S>(to, x, written[c]);
            }
            Some(dst) => {
                let to = &mut lanes.rows[dst.row_of(c) as usize].0[block];
                let words = with_half::<S>(S::to_bits(S::load(to)), c, x);
                put::<S>(to, S::from_bits(words), written[c]);
            }
            None => {}
        }
        if step.cc_write {
            let to = &mut lanes.cc[block][usize::from(step.cc_to & 1)][c];
            put::<S>(to, x, written[c]);
        }
        if WATCH {
            S::store(x, &mut lanes.rows[plan.out + c].0[block]);
        }
    }
    if WATCH {
        let result = &[0, 1, 2, 3].map(|c| lanes.rows[plan.out + c].0[block]);
        seen(Seen {
            step: at.step,
            ran: at.active,
            written,
            killed: lanes.killed[block] & !killed_before,
            result,
        });
    }
}

/// Stores where lanes are set.
#[inline(always)]
fn put<S: Simd>(to: &mut Lane, x: S::F, lanes: u32) {
    let x = if lanes == ALL {
        x
    } else {
        S::select(S::mask(lanes), x, S::load(to))
    };
    S::store(x, to);
}

/// Where the condition holds, by components.
#[inline(always)]
pub(super) fn conditions<S: Simd>(lanes: &Lanes, block: usize, step: &Step) -> [u32; 4] {
    let zero = S::splat(0.0);
    let register = &lanes.cc[block % BLOCKS][usize::from(step.cc_from & 1)];
    let mut holds = [0; 4];
    for c in 0..4 {
        let x = S::load(&register[usize::from(step.cond_swizzle[c] & 3)]);
        holds[c] = match step.cond {
            Cond::Fl => 0,
            Cond::Tr => ALL,
            Cond::Lt => S::bits(S::lt(x, zero)),
            Cond::Le => S::bits(S::le(x, zero)),
            Cond::Eq => S::bits(S::eq(x, zero)),
            Cond::Gt => S::bits(S::lt(zero, x)),
            Cond::Ge => S::bits(S::le(zero, x)),
            // What is no number is not equal to zero.
            Cond::Ne => !S::bits(S::eq(x, zero)) & ALL,
        };
    }
    holds
}

/// Lanes in which it holds for any component.
pub(super) fn any([x, y, z, w]: [u32; 4]) -> u32 {
    x | y | z | w
}

/// Scale and clamp.
#[inline(always)]
pub(super) fn limited<S: Simd>(step: &Step, x: S::F) -> S::F {
    let mut x = x;
    if step.scale != 1.0 {
        x = S::mul(x, S::splat(step.scale));
    }
    if step.sat {
        x = S::unit(x);
    }
    x
}

/// Scale, clamp, rounding.
#[inline(always)]
pub(super) fn finish<S: Simd>(step: &Step, x: S::F) -> S::F {
    let x = limited::<S>(step, x);
    match step.round {
        Round::Full => x,
        Round::Half => S::half(x),
        Round::HalfCut => S::half_cut(x),
        Round::Fixed => fixed::<S>(x),
    }
}

/// To the nearest multiple of 2^-10 from -2 up to less than 2. That it rounds to nearest
/// is a guess.
#[inline(always)]
pub(super) fn fixed<S: Simd>(x: S::F) -> S::F {
    let x = S::round(S::mul(x, S::splat(1024.0)));
    let x = S::min(S::max(x, S::splat(-2048.0)), S::splat(2047.0));
    S::mul(x, S::splat(1.0 / 1024.0))
}
