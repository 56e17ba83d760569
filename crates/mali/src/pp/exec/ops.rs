//! The operations of fragment programs, one row of results at a time.
//!
//! The frequent ones come in two ways: in one go where neither sources nor result are modified
//! and a half float comes out ([`PixelOp::plain`]); otherwise like all the others, with
//! modifiers at both ends.

use super::{GROUPS, Input, Operand, Registers, pairs};
use crate::pp::primitives::AttrPlane;
use crate::pp::setup::Attr;
use crate::pp::shader::{Lookup, OutMod, PixelCode, PixelOp, Program, row};
use crate::pp::tex;
use isotherm_lanes::{Base, LANES, Lane, Simd, dispatch, math};
use std::ops::Range;

/// Executes an operation, or several simple ones, in these groups of the batch. The frequent
/// ones are functions of their own: a large one keeps nothing in registers from one operation
/// to the next.
pub(super) fn execute(
    program: &Program,
    ops: &[PixelOp],
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let level = input.level;
    let groups = groups.start..groups.end.min(GROUPS);
    let [op, ..] = ops else {
        return;
    };
    match op.code {
        _ if op.simple => simple(level, program, ops, input, groups, r),
        PixelCode::Varying if input.one_triangle && op.unmodified => {
            plain_varyings(level, op, input, groups, r);
        }
        PixelCode::Varying => varyings(level, op, input, groups, r),
        PixelCode::Texture => texture(program, op, input, groups, r),
        PixelCode::StoreTemp => store_temp(op, input, groups, r),
        PixelCode::Discard => groups.for_each(|k| r.killed[k] |= r.mask[k]),
        _ if op.code.fetches() => {
            load(program, op, input, groups.clone(), r);
            finish_row(level, op, groups, r);
        }
        _ => compute(level, program, op, input, groups, r),
    }
}

#[inline(always)]
fn store<S: Simd>(r: &mut Registers, dst: u8, k: usize, x: S::F) {
    S::store(x, &mut r.row_mut(dst)[k % GROUPS]);
}

/// Stores groups `2 * pair` and the one behind it.
///
/// # Safety
/// `row` is one of the registers, and `pair` below half of [`GROUPS`].
#[inline(always)]
unsafe fn store_pair<S: Simd>(row: *mut Lane, pair: usize, [first, second]: [S::F; 2]) {
    // SAFETY: a row has GROUPS groups, and pairs are half as many.
    let (to, behind) = unsafe { (&mut *row.add(2 * pair), &mut *row.add(2 * pair + 1)) };
    S::store(first, to);
    S::store(second, behind);
}

/// One where a condition holds, else zero.
#[inline(always)]
fn truth<S: Simd>(m: S::M) -> S::F {
    S::select(m, S::splat(1.0), S::splat(0.0))
}

/// Zero where a condition holds, else one.
#[inline(always)]
fn untruth<S: Simd>(m: S::M) -> S::F {
    S::select(m, S::splat(0.0), S::splat(1.0))
}

/// What becomes of a result: the output modifier, and a half float unless it is a texture
/// coordinate.
#[inline(always)]
fn finished<S: Simd>(op: &PixelOp, x: S::F) -> S::F {
    let x = match op.outmod {
        OutMod::None => x,
        OutMod::Unit => S::unit(x),
        OutMod::Positive => S::max(x, S::splat(0.0)),
        OutMod::Integer => S::trunc(x),
    };
    if op.rounds { S::half(x) } else { x }
}

/// The pairs of groups to go through: those that were asked for, or all there are, which takes no
/// loop.
#[inline(always)]
fn places<const ALL: bool>(groups: &Range<usize>) -> Range<usize> {
    if ALL { 0..GROUPS / 2 } else { pairs(groups) }
}

// Macros, since closures may lose the level's instructions.

/// Rows of results from rows of sources, as they are (`raw_pair`) or modified (`pair`), of as many
/// components as were joined.
macro_rules! rows {
    ($op:ident, $input:ident, $groups:ident, $r:ident, $get:ident, |$x:ident, $y:ident| $e:expr) => {{
        let (a, b) = ($op.a, $op.b);
        let a = Operand::joined($input, $r, a, $op.steps[0], $op.count);
        let b = Operand::joined($input, $r, b, $op.steps[1], $op.count);
        for c in 0..$op.count {
            let (a, b) = (a.component(c), b.component(c));
            let to = $r.row_mut($op.dst + c).as_mut_ptr();
            for pair in places::<ALL>(&$groups) {
                // SAFETY: it is below half of GROUPS.
                let (x, y) = unsafe { (a.$get::<S>(pair), b.$get::<S>(pair)) };
                let first = {
                    let ($x, $y) = (x[0], y[0]);
                    $e
                };
                let second = {
                    let ($x, $y) = (x[1], y[1]);
                    $e
                };
                // SAFETY: the same, and `to` is a row of the registers.
                unsafe { store_pair::<S>(to, pair, [first, second]) };
            }
        }
    }};
}

/// Sums of four components, `raw_pair` or modified (`pair`); with `halves` they come out as half
/// floats without more ado.
macro_rules! sums {
    ($program:ident, $op:ident, $input:ident, $groups:ident, $r:ident, $get:ident, $halves:ident) => {{
        let t = $program.sums[$op.n as usize].map(|t| Operand::new($input, $r, t));
        let to = $r.row_mut($op.dst).as_mut_ptr();
        for pair in places::<ALL>(&$groups) {
            // SAFETY: it is below half of GROUPS.
            let [x, y] = unsafe { [t[0].$get::<S>(pair), t[1].$get::<S>(pair)] };
            // SAFETY: the same.
            let [z, w] = unsafe { [t[2].$get::<S>(pair), t[3].$get::<S>(pair)] };
            let mut sum = [
                S::add(S::add(S::add(x[0], y[0]), z[0]), w[0]),
                S::add(S::add(S::add(x[1], y[1]), z[1]), w[1]),
            ];
            if $halves {
                sum = [S::half(sum[0]), S::half(sum[1])];
            } else {
                sum = [finished::<S>($op, sum[0]), finished::<S>($op, sum[1])];
            }
            // SAFETY: the same, and `to` is a row of the registers.
            unsafe { store_pair::<S>(to, pair, sum) };
        }
    }};
}

dispatch! {
    /// Operations that only move, multiply or add, one after the other.
    fn simple(program: &Program, ops: &[PixelOp], input: &Input, groups: Range<usize>, r: &mut Registers) = simple_any::<Lanes>;
}

#[inline(always)]
fn simple_any<S: Simd>(
    program: &Program,
    ops: &[PixelOp],
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    // Most batches are full, or nearly so.
    let all = pairs(&groups);
    if all.start == 0 && all.end + 1 >= GROUPS / 2 {
        simple_in::<S, true>(program, ops, input, groups, r);
    } else {
        simple_in::<S, false>(program, ops, input, groups, r);
    }
}

/// The same, in all groups of the batch (`ALL`) or in some.
#[inline(always)]
fn simple_in<S: Simd, const ALL: bool>(
    program: &Program,
    ops: &[PixelOp],
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    for op in ops {
        // Half floats come out as they are, which most do.
        let halves = op.rounds && op.outmod == OutMod::None;
        match op.code {
            PixelCode::Mul if op.plain => {
                rows!(op, input, groups, r, raw_pair, |a, b| S::half(S::mul(a, b)));
            }
            PixelCode::Add if op.plain => {
                rows!(op, input, groups, r, raw_pair, |a, b| S::half(S::add(a, b)));
            }
            PixelCode::Mov if op.plain => rows!(op, input, groups, r, raw_pair, |a, _b| S::half(a)),
            PixelCode::Mov if op.unmodified => rows!(op, input, groups, r, raw_pair, |a, _b| a),
            PixelCode::Sum if op.plain => sums!(program, op, input, groups, r, raw_pair, halves),
            PixelCode::Sum => sums!(program, op, input, groups, r, pair, halves),
            PixelCode::Mul if halves => {
                rows!(op, input, groups, r, pair, |a, b| S::half(S::mul(a, b)));
            }
            PixelCode::Add if halves => {
                rows!(op, input, groups, r, pair, |a, b| S::half(S::add(a, b)));
            }
            PixelCode::Mul => {
                rows!(op, input, groups, r, pair, |a, b| finished::<S>(
                    op,
                    S::mul(a, b)
                ));
            }
            PixelCode::Add => {
                rows!(op, input, groups, r, pair, |a, b| finished::<S>(
                    op,
                    S::add(a, b)
                ));
            }
            _ => rows!(op, input, groups, r, pair, |a, _b| finished::<S>(op, a)),
        }
    }
}

dispatch! {
    /// Any other operation that computes one row.
    fn compute(program: &Program, op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) = compute_any::<Lanes>;
}

#[inline(always)]
fn compute_any<S: Simd>(
    program: &Program,
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let (a, b) = (Operand::new(input, r, op.a), Operand::new(input, r, op.b));
    macro_rules! each1 {
        (|$x:ident| $e:expr) => {
            for k in groups {
                let $x = a.get::<S>(k);
                store::<S>(r, op.dst, k, finished::<S>(op, $e));
            }
        };
    }
    // The same where a half float comes out without more ado, for operations that many programs
    // have: otherwise each group asks what becomes of its result.
    macro_rules! often1 {
        (|$x:ident| $e:expr) => {
            if op.rounds && op.outmod == OutMod::None {
                for k in groups {
                    let $x = a.get::<S>(k);
                    store::<S>(r, op.dst, k, S::half($e));
                }
            } else {
                each1!(|$x| $e);
            }
        };
    }
    macro_rules! each2 {
        (|$x:ident, $y:ident| $e:expr) => {
            for k in groups {
                let ($x, $y) = (a.get::<S>(k), b.get::<S>(k));
                store::<S>(r, op.dst, k, finished::<S>(op, $e));
            }
        };
    }
    match op.code {
        PixelCode::Mul => each2!(|a, b| S::mul(S::mul(a, b), S::splat(op.scale))),
        PixelCode::Add => each2!(|a, b| S::mul(S::add(a, b), S::splat(op.scale))),
        PixelCode::Not => each1!(|a| truth::<S>(S::eq(a, zero))),
        PixelCode::And => {
            each2!(|a, b| S::select(S::eq(a, zero), zero, untruth::<S>(S::eq(b, zero))))
        }
        PixelCode::Or => {
            each2!(|a, b| S::select(S::eq(a, zero), untruth::<S>(S::eq(b, zero)), one))
        }
        PixelCode::Xor => each2!(|a, b| {
            let b = S::eq(b, zero);
            S::select(S::eq(a, zero), untruth::<S>(b), truth::<S>(b))
        }),
        PixelCode::Ne => each2!(|a, b| untruth::<S>(S::eq(a, b))),
        PixelCode::Gt => each2!(|a, b| truth::<S>(S::lt(b, a))),
        PixelCode::Ge => each2!(|a, b| truth::<S>(S::le(b, a))),
        PixelCode::Eq => each2!(|a, b| truth::<S>(S::eq(a, b))),
        PixelCode::Min => each2!(|a, b| S::min(a, b)),
        PixelCode::Max => each2!(|a, b| S::max(a, b)),
        PixelCode::Fract => each1!(|a| S::sub(a, S::floor(a))),
        PixelCode::Floor => each1!(|a| S::floor(a)),
        PixelCode::Ceil => each1!(|a| S::ceil(a)),
        PixelCode::Div => each2!(|a, b| S::div(a, b)),
        PixelCode::Rcp => often1!(|a| S::div(one, a)),
        PixelCode::Sqrt => often1!(|a| S::sqrt(a)),
        PixelCode::Rsqrt => often1!(|a| S::div(one, S::sqrt(a))),
        PixelCode::Exp2 => often1!(|a| math::exp2::<S>(a)),
        PixelCode::Log2 => often1!(|a| math::log2::<S>(a)),
        PixelCode::Sin => each1!(|a| math::sin_turn::<S>(a)),
        PixelCode::Cos => each1!(|a| math::sin_turn::<S>(S::add(a, S::splat(0.25)))),
        PixelCode::Atan => each1!(|a| S::map(a, f32::atan)),
        PixelCode::Atan2 => each2!(|a, b| math::atan2::<S>(a, b)),
        PixelCode::Sel => {
            for k in groups {
                let c = S::load(&r.row(row::S0 as usize)[k % GROUPS]);
                let x = S::select(S::eq(c, zero), b.get::<S>(k), a.get::<S>(k));
                store::<S>(r, op.dst, k, finished::<S>(op, x));
            }
        }
        PixelCode::InvLength => {
            let t = program.sums[op.n as usize].map(|t| Operand::new(input, r, t));
            for k in groups {
                let [x, y, z] = [t[0].get::<S>(k), t[1].get::<S>(k), t[2].get::<S>(k)];
                let sum = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
                let x = S::div(one, S::sqrt(sum));
                store::<S>(r, op.dst, k, finished::<S>(op, x));
            }
        }
        // The others have ways of their own.
        _ => {}
    }
}

/// Operations that fetch something, compiled once.
#[inline(never)]
fn load(program: &Program, op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) {
    match op.code {
        PixelCode::FragCoord => *r.row_mut(op.dst) = input.frag_coord[op.n as usize & 3],
        PixelCode::FrontFacing => *r.row_mut(op.dst) = *input.facing,
        PixelCode::FbColor => *r.row_mut(op.dst) = input.tile[op.n as usize & 3],
        PixelCode::FbDepth => *r.row_mut(op.dst) = input.tile[4],
        PixelCode::DFdx => derivative(op, input, groups, r, 1, false),
        PixelCode::DFdy => derivative(op, input, groups, r, 2, input.flip_derivatives),
        _ => load_indexed(program, op, input, groups, r),
    }
}

dispatch! {
    /// The end of an operation that left its results in rows as they came.
    fn finish_row(op: &PixelOp, groups: Range<usize>, r: &mut Registers) = finish_row_any::<Lanes>;
}

#[inline(always)]
fn finish_row_any<S: Simd>(op: &PixelOp, groups: Range<usize>, r: &mut Registers) {
    for k in groups {
        let to = &mut r.row_mut(op.dst)[k % GROUPS];
        S::store(finished::<S>(op, S::load(to)), to);
    }
}

dispatch! {
    /// Interpolated values, group by group: where its triangles' planes lie is looked up once.
    fn varyings(op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) = varyings_any::<Lanes>;
}

#[inline(always)]
fn varyings_any<S: Simd>(op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) {
    match op.count {
        1 => joined_varyings::<S, 1>(op, input, groups, r),
        2 => joined_varyings::<S, 2>(op, input, groups, r),
        3 => joined_varyings::<S, 3>(op, input, groups, r),
        _ => joined_varyings::<S, 4>(op, input, groups, r),
    }
}

/// So many attributes that follow each other, into rows that do.
#[inline(always)]
fn joined_varyings<S: Simd, const N: usize>(
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let rows = r.rows.0.get_mut(op.dst as usize..);
    // No operation writes behind the last row.
    let Some(rows) = rows.and_then(|rows| rows.first_chunk_mut::<N>()) else {
        return;
    };
    for k in groups.start..groups.end.min(GROUPS) {
        let w = [S::load(&input.weights[0][k]), S::load(&input.weights[1][k])];
        let first = input.quad_planes[k];
        let planes = |q: usize| {
            let at = first[q].wrapping_add(op.n as u32) as usize;
            let planes = input.planes.get(at..at + N);
            planes
                .and_then(|p| p.first_chunk())
                .unwrap_or(&[NO_PLANE; N])
        };
        let one = first == [first[0]; 4];
        let p: &[AttrPlane; N] = planes(0);
        let others = if one {
            [p; 3]
        } else {
            [planes(1), planes(2), planes(3)]
        };
        for c in 0..N {
            let x = if one {
                at_weights::<S>(&p[c], w)
            } else {
                at_weights_of_four::<S>([&p[c], &others[0][c], &others[1][c], &others[2][c]], w)
            };
            let x = if op.plain {
                S::half(x)
            } else {
                finished::<S>(op, x)
            };
            S::store(x, &mut rows[c][k]);
        }
    }
}

dispatch! {
    /// Interpolated values of one triangle, one row after the other: by far the most batches
    /// are of one triangle, and their values go to registers.
    fn plain_varyings(op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) = plain_varyings_any::<Lanes>;
}

#[inline(always)]
fn plain_varyings_any<S: Simd>(
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let first = input.quad_planes[0][0] as usize + op.n as usize;
    for c in 0..op.count.min(4) {
        let p = plane(input.planes, first + c as usize);
        for k in groups.clone() {
            let k = k % GROUPS;
            let w = [S::load(&input.weights[0][k]), S::load(&input.weights[1][k])];
            let x = at_weights::<S>(&p, w);
            let x = if op.rounds { S::half(x) } else { x };
            store::<S>(r, op.dst + c, k, x);
        }
    }
}

/// What an attribute is that has no plane.
const NO_PLANE: AttrPlane = [0.0; 4];

/// The plane at a place.
#[inline(always)]
fn plane(planes: &[AttrPlane], at: usize) -> AttrPlane {
    planes.get(at).copied().unwrap_or(NO_PLANE)
}

/// An attribute where vertices 1 and 2 have these weights.
#[inline(always)]
pub(crate) fn at_weights<S: Simd>(p: &AttrPlane, [w1, w2]: [S::F; 2]) -> S::F {
    let (a, d1, d2) = (S::splat(p[0]), S::splat(p[1]), S::splat(p[2]));
    S::add(S::add(a, S::mul(d1, w1)), S::mul(d2, w2))
}

/// Attribute `n` in a group.
#[inline(always)]
pub(crate) fn varying<S: Simd>(input: &Input, n: usize, k: usize) -> S::F {
    let w = [S::load(&input.weights[0][k]), S::load(&input.weights[1][k])];
    let p = input.quad_planes[k % GROUPS].map(|first| plane(input.planes, first as usize + n));
    at_weights_of_four::<S>([&p[0], &p[1], &p[2], &p[3]], w)
}

/// The same where each quad has a plane of its own.
#[inline(always)]
fn at_weights_of_four<S: Simd>(p: [&AttrPlane; 4], [w1, w2]: [S::F; 2]) -> S::F {
    let p = S::four(p);
    let (a, d1, d2) = (S::pick::<0>(p), S::pick::<1>(p), S::pick::<2>(p));
    S::add(S::add(a, S::mul(d1, w1)), S::mul(d2, w2))
}

/// The first source in the pixel on the far side of the quad plus the second source in
/// the near one; programs give a value and its negation.
fn derivative(
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
    side: usize,
    flip: bool,
) {
    let (mut a, mut b) = (Operand::new(input, r, op.a), Operand::new(input, r, op.b));
    if flip {
        (a, b) = (b, a);
    }
    for k in groups {
        let (x, y) = (a.get::<Base>(k), b.get::<Base>(k));
        let mut out = [0.0; LANES];
        for (i, out) in out.iter_mut().enumerate() {
            *out = x[i | side] + y[i & !side];
        }
        r.row_mut(op.dst)[k] = out;
    }
}

/// A texture lookup: four rows.
fn texture(
    program: &Program,
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let lookup = &program.lookups[op.n as usize];
    let left = common_texture(lookup, op, input, groups.clone(), r);
    if left != 0 {
        any_texture(input.level, lookup, op, input, left, r);
    }
}

/// The groups whose lookups are common ones; one bit for each of the others.
fn common_texture(
    lookup: &Lookup,
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) -> u32 {
    let all = groups.clone().fold(0, |all, k| all | 1 << k);
    if lookup.lod.is_some() || lookup.sampler_at.is_some() || lookup.cube {
        return all;
    }
    let Some(Some(sampler)) = input.samplers.get(lookup.sampler as usize) else {
        return all;
    };
    let (at, dst) = (row::COORD as usize, op.dst as usize % row::COUNT);
    let rows = [at, at + 1, dst, dst + 1, dst + 2, dst + 3];
    let Ok([s, t, r, g, b, a]) = r.rows.0.get_disjoint_mut(rows) else {
        return all;
    };
    let lookups = tex::Lookups {
        s,
        t,
        groups,
        rounds: op.rounds,
    };
    tex::sample_common(input.level, sampler, &lookups, [r, g, b, a])
}

dispatch! {
    /// Any lookup, for the groups that have a bit in `left`.
    fn any_texture(lookup: &Lookup, op: &PixelOp, input: &Input, left: u32, r: &mut Registers) = any_texture_any::<Lanes>;
}

#[inline(always)]
fn any_texture_any<S: Simd>(
    lookup: &Lookup,
    op: &PixelOp,
    input: &Input,
    left: u32,
    r: &mut Registers,
) {
    let lod = lookup.lod.map(|l| Operand::new(input, r, l));
    let shift = lookup.sampler_at.map(|l| Operand::new(input, r, l));
    for k in (0..GROUPS).filter(|k| left >> k & 1 != 0) {
        // The group's first pixel chooses the sampler for all of them.
        let number = lookup.sampler as f32 + shift.map_or(0.0, |at| at.get::<Base>(k)[0]);
        let sampler = input.samplers.get(number.max(0.0) as usize);
        let mut out = [[0.0; LANES]; 4];
        if let Some(sampler) = sampler.and_then(Option::as_deref) {
            let at = row::COORD as usize;
            let coord = [
                &r.row(at)[k],
                &r.row(at + 1)[k],
                &r.row(at + 2)[k],
                &r.row(at + 3)[k],
            ];
            let mut level = [0.0; LANES];
            if let Some(l) = lod {
                S::store(l.get::<S>(k), &mut level);
            }
            let lookup = tex::SampleRequest {
                coord,
                lod: lod.map(|_| (&level, lookup.explicit)),
                cube: lookup.cube,
                rounds: op.rounds,
            };
            tex::sample(input.level, sampler, &lookup, &mut out);
        }
        for c in 0..4 {
            store::<S>(r, op.dst + c as u8, k, S::load(&out[c]));
        }
    }
}

/// Component that an operation's index register selects.
fn component(op: &PixelOp, index: f32) -> i32 {
    op.n + (index.clamp(-65536.0, 65536.0).floor() * op.scale) as i32
}

/// Component of the temporaries: indices count from the stack's first pointer, which lima sets
/// to the stack's end, so that its own are all below zero. What lies outside the pixel's stack
/// would be another pixel's; here it is nobody's.
fn temporary(op: &PixelOp, input: &Input, index: f32) -> Option<usize> {
    usize::try_from(4 * input.stack.1 as i32 + component(op, index)).ok()
}

/// Stores to a temporary whose place only the pixel knows.
#[cold]
#[inline(never)]
fn store_temp(op: &PixelOp, input: &Input, groups: Range<usize>, r: &mut Registers) {
    for k in groups {
        let value = Operand::new(input, r, op.a).get::<Base>(k);
        let index = Operand::new(input, r, op.b).get::<Base>(k);
        for i in 0..LANES {
            if r.mask[k] >> i & 1 != 0
                && let Some(n) = temporary(op, input, index[i])
                && let Some(t) = r.temps.get_mut(n / 4)
            {
                t[n % 4][k][i] = value[i];
            }
        }
    }
}

/// Loads from a place that only the pixel knows.
fn load_indexed(
    program: &Program,
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    for k in groups {
        let index: Lane = Operand::new(input, r, op.a).get::<Base>(k);
        let value = |i: usize| match op.code {
            PixelCode::UniformAt => {
                let n = usize::try_from(component(op, index[i])).ok()?;
                input.uniforms.get(n).copied()
            }
            PixelCode::LoadTemp => {
                let n = temporary(op, input, index[i])?;
                Some(r.temps.get(n / 4)?[n % 4][k][i])
            }
            _ => {
                let n = op.n + 4 * index[i].clamp(-64.0, 64.0).floor() as i32;
                let attr = Attr::Varying((n >> 2).clamp(0, 255) as u8, (n & 3) as u8);
                let n = program.attrs.iter().position(|&a| a == attr)?;
                Some(varying::<Base>(input, n, k)[i])
            }
        };
        let out = std::array::from_fn(|i| value(i).unwrap_or(0.0));
        r.row_mut(op.dst)[k] = out;
    }
}
