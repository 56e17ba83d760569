//! Runs a prepared program on blocks of sixteen pixels: four quads, pixel after pixel of a
//! quad. Blocks without branches take every step together.

use super::apart::{Apart, mask_by_quads};
use super::flow::Flow;
use super::lanes::{BLOCKS, Lanes, Rows, lanes_from};
use super::modulate::Modulate;
use super::operations::{
    Sources, Sums, Taken, across, add, dot, down, mul, packed, power_of_two, quotients, scalar,
    texture, vector,
};
use super::pack;
use super::plan::{Kind, Plan, Round, Step};
use crate::frag::ColorPairs;
use crate::tex::program::BoundUnit;
use isotherm_lanes::{Base, LANES, Lane, Simd, dispatch, math};
use isotherm_regs::Family;
use isotherm_regs::fp::{Cond, Op};
use std::ops::Range;

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
                _ => S::load(&lanes.register_of(block, plan.color, c)),
            };
            color[c] = to_byte::<S>(plan.family, x);
        }
        let [r, g, b, a] = color;
        for (out, [low, high]) in pairs.iter_mut().zip([[b, r], [g, a]]) {
            S::istore(S::ior(low, S::shl::<16>(high)), &mut out[block]);
        }
    }
}

/// A colour as a byte: limited to 0…1, on Curie cut to twelve bits behind the point, then
/// rounded (rsx_fp_static_test1; docs/accuracy/fragment.md).
#[inline(always)]
fn to_byte<S: Simd>(family: Family, x: S::F) -> S::I {
    let x = S::unit(x);
    if family != Family::Curie {
        return S::to_byte(x);
    }
    let cut = S::floor(S::mul(x, S::splat(4096.0)));
    S::to_byte(S::mul(cut, S::splat(1.0 / 4096.0)))
}

/// Colours as bytes.
pub(super) fn byte_lanes(family: Family, x: &Lane) -> [i32; LANES] {
    to_byte::<Base>(family, *x)
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
    lanes.start(plan, WATCH);
    lanes.texels_positive = texels_positive(plan, units);
    let together = if plan.branches { 1 } else { count.max(1) };
    for first in (0..count).step_by(together) {
        let blocks = first..first + together;
        let mut flow = Flow::new(ALL);
        let mut pc = 0u32;
        for _ in 0..MOST_STEPS {
            let Some(step) = plan.steps.get(pc as usize) else {
                break;
            };
            if let Some(branch) = step.branch {
                let holds = any(conditions::<S>(lanes, first, step));
                let Some(next) = flow.branch(branch, holds, pc, step.end) else {
                    break;
                };
                pc = next;
            } else {
                let at = (pc as usize, flow.active, flow.index);
                execute::<S, WATCH>(plan, units, lanes, blocks.clone(), at, seen);
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

/// One instruction that is no branch: its number, the lanes that run, the address register.
#[inline(always)]
fn execute<S: Apart, const WATCH: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    (at, active, index): (usize, u32, u32),
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let step = &plan.steps[at];
    if step.op == Op::Kil {
        for block in blocks {
            let taken = active & any(conditions::<S>(lanes, block, step));
            lanes.killed[block % BLOCKS] |= taken;
            if WATCH {
                seen(Seen {
                    step: at,
                    ran: active,
                    written: [0; 4],
                    killed: taken,
                    result: &[[0.0; LANES]; 4],
                });
            }
        }
        return;
    }
    if step.staged {
        for block in blocks.clone() {
            lanes.unpack(block, plan, step, index);
        }
    }
    let direct = step.direct && active == ALL && !WATCH;
    let to = match step.dst {
        Some(dst) if direct => dst.row as usize,
        _ => plan.out,
    };
    let before = if WATCH { lanes.killed[0] } else { 0 };
    compute::<S>(
        plan,
        units,
        lanes,
        blocks.clone(),
        step,
        (to, !WATCH),
        active,
    );
    if direct {
        return;
    }
    match step.dst {
        Some(dst) if step.always && dst.kind == Kind::Whole && active == ALL && !WATCH => {
            let (from, to) = (plan.out, dst.row as usize);
            finish_all::<S>(&mut lanes.rows, blocks, step, from, to);
        }
        _ => {
            for block in blocks {
                write::<S, WATCH>(plan, lanes, block, (at, active), before, seen);
            }
        }
    }
}

/// Finishes what a step has computed in the rows from `from` on and writes it to those from
/// `to` on.
#[inline(always)]
fn finish_all<S: Simd>(
    rows: &mut [Rows],
    blocks: Range<usize>,
    step: &Step,
    from: usize,
    to: usize,
) {
    let blocks = blocks.start..blocks.end.min(BLOCKS);
    /// What happens is chosen once for all blocks.
    macro_rules! each {
        (|$x:ident| $rounded:expr) => {
            for c in 0..4 {
                if step.mask >> c & 1 == 0 {
                    continue;
                }
                assert!(from + c < rows.len() && to + c < rows.len());
                if step.scale == 1.0 && !step.sat {
                    for block in blocks.clone() {
                        let $x = S::load(&rows[from + c].0[block]);
                        S::store($rounded, &mut rows[to + c].0[block]);
                    }
                } else {
                    for block in blocks.clone() {
                        let $x = limited::<S>(step, S::load(&rows[from + c].0[block]));
                        S::store($rounded, &mut rows[to + c].0[block]);
                    }
                }
            }
        };
    }
    match step.round {
        Round::Full => each!(|x| x),
        Round::Half => each!(|x| S::half(x)),
        Round::HalfCut => each!(|x| S::half_cut(x)),
        Round::Fixed => each!(|x| fixed::<S>(x)),
    }
}

/// Finishes what a step has computed for a block and writes it where its condition holds. Who
/// watches is told which lanes were given up since `killed_before`.
#[inline(always)]
fn write<S: Simd, const WATCH: bool>(
    plan: &Plan,
    lanes: &mut Lanes,
    block: usize,
    (at, active): (usize, u32),
    killed_before: u32,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let block = block % BLOCKS;
    let step = &plan.steps[at];
    let mut written = [active; 4];
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
                let mut halves = [0.0; LANES];
                S::store(x, &mut halves);
                lanes.write_half(block, dst, c, &halves, written[c]);
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
            step: at,
            ran: active,
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
fn conditions<S: Simd>(lanes: &Lanes, block: usize, step: &Step) -> [u32; 4] {
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
fn any([x, y, z, w]: [u32; 4]) -> u32 {
    x | y | z | w
}

/// Scale and clamp.
#[inline(always)]
fn limited<S: Simd>(step: &Step, x: S::F) -> S::F {
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
fn finish<S: Simd>(step: &Step, x: S::F) -> S::F {
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
fn fixed<S: Simd>(x: S::F) -> S::F {
    let x = S::round(S::mul(x, S::splat(1024.0)));
    let x = S::min(S::max(x, S::splat(-2048.0)), S::splat(2047.0));
    S::mul(x, S::splat(1.0 / 1024.0))
}

/// What an operation makes of its sources, to the rows from `to` on: those components that
/// are written. The short way leaves out what is known not to matter.
#[inline(always)]
fn compute<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    step: &Step,
    (to, short): (usize, bool),
    active: u32,
) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let (family, apart) = (plan.family, lanes.apart);
    let sums = Sums::of(family, short && step.alike.holds(lanes.texels_positive));
    let rows = &mut lanes.rows[..];
    let blocks = blocks.start..blocks.end.min(BLOCKS);
    /// The sources as they are now.
    macro_rules! src {
        ($block:ident) => {
            Sources {
                rows,
                block: $block,
                step,
                family,
            }
        };
    }
    /// The same formula in every component that is written, of up to three sources. Rows are
    /// looked for once for all blocks.
    macro_rules! each {
        (|$($name:ident = $i:literal),+| $e:expr) => {
            for c in 0..4 {
                let twin = usize::from(step.twins[c] & 3);
                if step.mask >> c & 1 != 0 && short && twin != c {
                    for block in blocks.clone() {
                        rows[to + c].0[block] = rows[to + twin].0[block];
                    }
                } else if step.mask >> c & 1 != 0 {
                    $(let $name = Taken::<S>::new(&step.src[$i], c);)+
                    let all = rows.len();
                    assert!($($name.row < all &&)+ to + c < all);
                    if step.plain {
                        for block in blocks.clone() {
                            $(let $name = $name.get::<true>(rows, block);)+
                            S::store($e, &mut rows[to + c].0[block]);
                        }
                    } else {
                        for block in blocks.clone() {
                            $(let $name = $name.get::<false>(rows, block);)+
                            S::store($e, &mut rows[to + c].0[block]);
                        }
                    }
                }
            }
        };
    }
    /// A value for each component, of each block by itself.
    macro_rules! four {
        (|$block:ident| $e:expr) => {
            for $block in blocks.clone() {
                let x: [S::F; 4] = $e;
                for c in 0..4 {
                    if step.mask >> c & 1 != 0 {
                        S::store(x[c], &mut rows[to + c].0[$block]);
                    }
                }
            }
        };
    }
    /// One value for all components that are written, of components of the sources. Rows are
    /// looked for once, too, and the first component is copied to the others.
    macro_rules! same {
        (|$($name:ident = ($i:literal, $c:literal)),+| $e:expr) => {
            if step.mask & 15 != 0 {
                let first = to + (step.mask & 15).trailing_zeros() as usize;
                $(let $name = Taken::<S>::new(&step.src[$i], $c);)+
                let all = rows.len();
                assert!($($name.row < all &&)+ first < all);
                if step.plain {
                    for block in blocks.clone() {
                        $(let $name = $name.get::<true>(rows, block);)+
                        S::store($e, &mut rows[first].0[block]);
                    }
                } else {
                    for block in blocks.clone() {
                        $(let $name = $name.get::<false>(rows, block);)+
                        S::store($e, &mut rows[first].0[block]);
                    }
                }
                for c in 0..4 {
                    if step.mask >> c & 1 != 0 && to + c != first {
                        for block in blocks.clone() {
                            rows[to + c].0[block] = rows[first].0[block];
                        }
                    }
                }
            }
        };
    }
    match step.op {
        Op::Mov => each!(|a = 0| a),
        Op::Mul => each!(|a = 0, b = 1| mul::<S>(family, a, b)),
        Op::Add => each!(|a = 0, b = 1| add::<S>(sums, a, b)),
        Op::Mad => each!(|a = 0, b = 1, d = 2| {
            add::<S>(sums, mul::<S>(family, a, b), d)
        }),
        // What is no number wins on either side.
        Op::Min => each!(|a = 0, b = 1| S::select(S::eq(a, a), S::min(a, b), a)),
        Op::Max => each!(|a = 0, b = 1| S::select(S::eq(a, a), S::max(a, b), a)),
        Op::Slt => each!(|a = 0, b = 1| S::select(S::lt(a, b), one, zero)),
        Op::Sge => each!(|a = 0, b = 1| S::select(S::le(b, a), one, zero)),
        Op::Sle => each!(|a = 0, b = 1| S::select(S::le(a, b), one, zero)),
        Op::Sgt => each!(|a = 0, b = 1| S::select(S::lt(b, a), one, zero)),
        Op::Seq => each!(|a = 0, b = 1| S::select(S::eq(a, b), one, zero)),
        Op::Sne => each!(|a = 0, b = 1| S::select(S::eq(a, b), zero, one)),
        Op::Flr => each!(|a = 0| S::floor(a)),
        Op::Frc => each!(|a = 0| S::sub(a, S::floor(a))),
        Op::Lrp => each!(|a = 0, b = 1, d = 2| {
            let rest = mul::<S>(family, S::sub(one, a), d);
            add::<S>(sums, mul::<S>(family, a, b), rest)
        }),
        Op::Ddx => each!(|a = 0| across::<S>(a)),
        Op::Ddy => each!(|a = 0| down::<S>(a)),
        Op::Div | Op::DivSq => four!(|block| quotients::<S>(src!(block))),
        Op::Dp2 => same!(|x = (0, 0), a = (1, 0), y = (0, 1), b = (1, 1)| {
            dot::<S, 2>((family, sums), [[x, a], [y, b]])
        }),
        Op::Dp3 => same!(
            |x = (0, 0), a = (1, 0), y = (0, 1), b = (1, 1), z = (0, 2), d = (1, 2)| {
                dot::<S, 3>((family, sums), [[x, a], [y, b], [z, d]])
            }
        ),
        Op::Dp4 => same!(
            |x = (0, 0),
             a = (1, 0),
             y = (0, 1),
             b = (1, 1),
             z = (0, 2),
             d = (1, 2),
             w = (0, 3),
             e = (1, 3)| {
                dot::<S, 4>((family, sums), [[x, a], [y, b], [z, d], [w, e]])
            }
        ),
        Op::Dp2a => same!(
            |x = (0, 0), a = (1, 0), y = (0, 1), b = (1, 1), d = (2, 0)| {
                let sum = dot::<S, 2>((family, sums), [[x, a], [y, b]]);
                add::<S>(sums, sum, d)
            }
        ),
        Op::Rcp => same!(|x = (0, 0)| S::div(one, x)),
        Op::Ex2 => same!(|x = (0, 0)| power_of_two::<S>(x)),
        Op::Lg2 => same!(|x = (0, 0)| math::log2::<S>(x)),
        Op::Rsq | Op::Sin | Op::Cos | Op::Pow => {
            four!(|block| [scalar::<S>(src!(block)); 4]);
        }
        Op::Dst | Op::Lit | Op::LitEx2 | Op::Rfl | Op::Nrm | Op::Bem => {
            four!(|block| vector::<S>(src!(block)));
        }
        Op::Str => four!(|block| [one; 4]),
        Op::Tex | Op::Txp | Op::Txb | Op::Txl | Op::Txd | Op::TexBem | Op::TxpBem => {
            for block in blocks {
                let (x, killed) = texture::<S>(units, src!(block), apart);
                for c in 0..4 {
                    if step.mask >> c & 1 != 0 {
                        S::store(x[c], &mut rows[to + c].0[block]);
                    }
                }
                lanes.killed[block] |= killed & active;
            }
        }
        op if pack::packs(op) => four!(|block| packed::<S>(src!(block))),
        // NOP, SFL, and numbers whose operation is not known.
        _ => four!(|block| [zero; 4]),
    }
}
