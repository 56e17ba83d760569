//! What the operations of a step compute.

use super::apart::Apart;
use super::exec::{ALL, Units};
use super::lanes::{BLOCKS, Rows};
use super::pack;
use super::plan::Step;
use crate::tex::program::{BoundUnit, Lookup};
use isotherm_lanes::{LANES, Lane, Simd, curie, math};
use isotherm_regs::Family;
use isotherm_regs::fp::Op;

/// The sources of a step. No closures stand between it and the lanes: they would be compiled
/// without the level's instructions.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) rows: &'a [Rows],
    pub(super) block: usize,
    pub(super) step: &'a Step,
    pub(super) family: Family,
}

impl Sources<'_> {
    /// A component of source `i`.
    #[inline(always)]
    pub(super) fn get<S: Simd>(&self, i: usize, c: usize) -> S::F {
        let from = &self.step.src[i];
        let x = S::load(&self.rows[from.rows[c] as usize].0[self.block % BLOCKS]);
        if from.plain() {
            x
        } else {
            S::modify(x, from.and, from.xor)
        }
    }
}

/// DIV and DIVSQ: by a number, or by its root.
#[inline(always)]
pub(super) fn quotients<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let (zero, by) = (S::splat(0.0), src.get::<S>(1, 0));
    let mut out = [zero; 4];
    for c in 0..4 {
        let a = src.get::<S>(0, c);
        out[c] = if src.step.op == Op::Div {
            S::div(a, by)
        } else {
            S::select(S::eq(a, zero), zero, S::div(a, S::sqrt(by)))
        };
    }
    out
}

/// How a step adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sums {
    /// To nearest, what Rankine's are taken for.
    Nearest,
    /// Curie's.
    Cut,
    /// The same of numbers of one sign.
    Alike,
}

impl Sums {
    /// `alike`: the numbers have one sign.
    #[inline(always)]
    pub(super) fn of(family: Family, alike: bool) -> Sums {
        match family {
            Family::Curie if alike => Sums::Alike,
            Family::Curie => Sums::Cut,
            _ => Sums::Nearest,
        }
    }

    /// A product. Curie's has another last bit; Rankine's is taken for the nearest.
    #[inline(always)]
    pub(super) fn product<S: Simd>(self, a: S::F, b: S::F) -> S::F {
        match self {
            Sums::Nearest => S::mul(a, b),
            Sums::Cut | Sums::Alike => curie::product::<S>(a, b),
        }
    }
}

/// And a sum.
#[inline(always)]
pub(super) fn add<S: Simd>(sums: Sums, a: S::F, b: S::F) -> S::F {
    match sums {
        Sums::Nearest => S::add(a, b),
        Sums::Cut => curie::sum::<S>(a, b),
        Sums::Alike => curie::like_sum::<S>(a, b),
    }
}

/// Longer functions of one number, and POW.
#[inline(always)]
pub(super) fn scalar<S: Simd>(src: Sources<'_>) -> S::F {
    let x = src.get::<S>(0, 0);
    let one = S::splat(1.0);
    match src.step.op {
        Op::Rsq if src.family == Family::Curie => {
            S::div(one, S::sqrt(S::modify(x, 0x7fff_ffff, 0)))
        }
        Op::Rsq => S::div(one, S::sqrt(x)),
        Op::Pow => power::<S>(x, src.get::<S>(1, 0)),
        Op::Sin => math::fine_sin_turn::<S>(turns::<S>(x)),
        _ => math::fine_sin_turn::<S>(S::add(turns::<S>(x), S::splat(0.25))),
    }
}

/// An angle as a part of a turn, whole turns taken away: 2π in three parts, of which the first
/// two have so few bits that their multiples lose none.
#[inline(always)]
pub(super) fn turns<S: Simd>(x: S::F) -> S::F {
    const PARTS: [f32; 3] = [6.281_25, 4058.0 / 2_097_152.0, 3.019_915_9e-7];
    let whole = S::round(S::mul(x, S::splat(1.0 / std::f32::consts::TAU)));
    let mut rest = x;
    for part in PARTS {
        rest = S::sub(rest, S::mul(whole, S::splat(part)));
    }
    S::mul(rest, S::splat(1.0 / std::f32::consts::TAU))
}

/// x^y, by way of the logarithm: 0^0 is no number, the specification says.
#[inline(always)]
pub(super) fn power<S: Simd>(x: S::F, y: S::F) -> S::F {
    math::exp2::<S>(S::mul(y, math::log2::<S>(x)))
}

/// Operations whose components differ.
#[inline(always)]
pub(super) fn vector<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let [x, y, z, w] = [
        src.get::<S>(0, 0),
        src.get::<S>(0, 1),
        src.get::<S>(0, 2),
        src.get::<S>(0, 3),
    ];
    match src.step.op {
        Op::Dst => [one, S::mul(y, src.get::<S>(1, 1)), z, src.get::<S>(1, 3)],
        Op::Lit => {
            // What is no number stays so.
            let shine = power::<S>(S::max(zero, y), w);
            let shine = S::select(S::lt(zero, x), shine, zero);
            [one, S::max(zero, x), shine, one]
        }
        Op::LitEx2 => {
            let shine = math::exp2::<S>(w);
            [one, y, S::select(S::lt(zero, y), shine, zero), one]
        }
        // What w becomes is not known.
        Op::Nrm if src.step.coarse => {
            let squares = S::mul(x, x);
            let squares = S::add(squares, S::mul(y, y));
            let by = curie::coarse_root::<S>(S::add(squares, S::mul(z, z)));
            [S::mul(x, by), S::mul(y, by), S::mul(z, by), zero]
        }
        Op::Nrm => {
            let squares = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
            let by = S::sqrt(squares);
            [S::div(x, by), S::div(y, by), S::div(z, by), zero]
        }
        Op::Bem => {
            let [x, y] = bumped::<S>(src, [x, y]);
            [x, y, x, y]
        }
        // RFL: 2 (a·b / a·a) a - b.
        _ => {
            let [a, b, d] = [0, 1, 2].map(|c| src.get::<S>(1, c));
            let how = Sums::of(src.family, false);
            let ab = dot::<S, 3>(how, [[x, a], [y, b], [z, d]]);
            let aa = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
            let k = S::div(S::add(ab, ab), aa);
            [
                S::sub(S::mul(k, x), src.get::<S>(1, 0)),
                S::sub(S::mul(k, y), src.get::<S>(1, 1)),
                S::sub(S::mul(k, z), src.get::<S>(1, 2)),
                zero,
            ]
        }
    }
}

/// A place moved by a vector (source 1) through a 2x2 matrix (source 2), as Direct3D's `bem`.
#[inline(always)]
pub(super) fn bumped<S: Simd>(src: Sources<'_>, [x, y]: [S::F; 2]) -> [S::F; 2] {
    let by = [src.get::<S>(1, 0), src.get::<S>(1, 1)];
    let moved = |at: S::F, row: usize| {
        let along = S::mul(by[0], src.get::<S>(2, 2 * row));
        S::add(
            S::add(at, along),
            S::mul(by[1], src.get::<S>(2, 2 * row + 1)),
        )
    };
    [moved(x, 0), moved(y, 1)]
}

/// Right pixel less left one, each row of a quad for itself.
#[inline(always)]
pub(super) fn across<S: Simd>(x: S::F) -> S::F {
    let upper = S::sub(S::pick::<1>(x), S::pick::<0>(x));
    let lower = S::sub(S::pick::<3>(x), S::pick::<2>(x));
    S::select(S::mask(0x3333), upper, lower)
}

/// Lower pixel less upper one, each column for itself.
#[inline(always)]
pub(super) fn down<S: Simd>(x: S::F) -> S::F {
    let left = S::sub(S::pick::<2>(x), S::pick::<0>(x));
    let right = S::sub(S::pick::<3>(x), S::pick::<1>(x));
    S::select(S::mask(0x5555), left, right)
}

/// Words of the four values in each lane, or the values of a word in the first.
#[inline(never)]
pub(super) fn repack(op: Op, rows: &mut [Lane; 4]) {
    for i in 0..LANES {
        let v = [rows[0][i], rows[1][i], rows[2][i], rows[3][i]];
        let result = match op {
            Op::Pk2h | Op::Pk2us | Op::Pk4b | Op::Pk4ub | Op::Pk4ubg => {
                [f32::from_bits(pack::pack(op, v)); 4]
            }
            _ => pack::unpack(op, v[0].to_bits()),
        };
        for c in 0..4 {
            rows[c][i] = result[c];
        }
    }
}

#[inline(always)]
pub(super) fn packed<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let mut out = [[0.0; LANES]; 4];
    for c in 0..4 {
        S::store(src.get::<S>(0, c), &mut out[c]);
    }
    repack(src.step.op, &mut out);
    [
        S::load(&out[0]),
        S::load(&out[1]),
        S::load(&out[2]),
        S::load(&out[3]),
    ]
}

/// Coordinates divided by q. Where that is 1 everywhere, as most often, there is nothing to do.
#[inline(always)]
pub(super) fn divided<S: Simd, const N: usize>(coords: [S::F; N], q: S::F) -> [S::F; N] {
    let one = S::splat(1.0);
    let mut out = coords;
    if S::bits(S::eq(q, one)) != ALL {
        let by = S::div(one, q);
        for x in &mut out {
            *x = S::mul(*x, by);
        }
    }
    out
}

/// A texel, and the lanes that it kills.
#[inline(always)]
pub(super) fn texture<S: Apart>(units: &Units, src: Sources<'_>, apart: bool) -> ([S::F; 4], u32) {
    let step = src.step;
    let mut coords = [
        src.get::<S>(0, 0),
        src.get::<S>(0, 1),
        src.get::<S>(0, 2),
        src.get::<S>(0, 3),
    ];
    let unit = &units[usize::from(step.unit & 15)];
    // Directions into a cube are not divided.
    let projects = matches!(step.op, Op::Txp | Op::TxpBem);
    if projects && !unit.as_ref().is_some_and(BoundUnit::is_cube) {
        let [s, t, r, q] = coords;
        let [s, t, r] = divided::<S, 3>([s, t, r], q);
        coords = [s, t, r, q];
    }
    if matches!(step.op, Op::TexBem | Op::TxpBem) {
        [coords[0], coords[1]] = bumped::<S>(src, [coords[0], coords[1]]);
    }
    let lookup = match step.op {
        Op::Txb => Lookup::Bias(src.get::<S>(1, 0)),
        Op::Txl => Lookup::Explicit(src.get::<S>(1, 0)),
        Op::Txd => Lookup::Gradients {
            dx: [src.get::<S>(1, 0), src.get::<S>(1, 1), src.get::<S>(1, 2)],
            dy: [src.get::<S>(2, 0), src.get::<S>(2, 1), src.get::<S>(2, 2)],
        },
        _ => match step.footprint {
            Some(row) if apart => {
                let row = &src.rows[row as usize].0;
                Lookup::Footprint(S::load(&row[src.block % BLOCKS]))
            }
            _ => Lookup::Implicit,
        },
    };
    // What a unit that is off returns is not known; black is a guess.
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let mut texel = [zero, zero, zero, one];
    let mut killed = 0;
    if let Some(unit) = unit {
        (texel, killed) = unit.sample::<S>(&coords, lookup);
    }
    if step.expand {
        for x in &mut texel {
            *x = S::sub(S::add(*x, *x), one);
        }
    }
    (texel, killed)
}

/// The sum of `N` products.
#[inline(always)]
pub(super) fn dot<S: Simd, const N: usize>(sums: Sums, products: [[S::F; 2]; N]) -> S::F {
    let mut sum = S::splat(0.0);
    for (c, [a, b]) in products.into_iter().enumerate() {
        let product = sums.product::<S>(a, b);
        sum = match c {
            0 => product,
            _ => add::<S>(sums, sum, product),
        };
    }
    sum
}
