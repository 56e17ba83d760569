//! A general combiner.

use super::arith::{input, map1, map2, output};
use super::words::{Input, Portion, Stage};
use super::{Registers, reg};
use crate::frag::{I, LANES};
use isotherm_lanes::fixed::div255_signed;

/// Runs one combiner. All reads see the registers as they were before it.
#[inline(always)]
pub fn run(stage: &Stage, mux_msb: bool, regs: &mut Registers) {
    let pick = pick(stage, mux_msb, regs);
    let rgb = (!stage.rgb.idle()).then(|| portion::<3>(&stage.rgb, &pick, regs));
    let alpha = (!stage.alpha.idle()).then(|| portion::<1>(&stage.alpha, &pick, regs));
    if let Some(out) = rgb {
        let p = &stage.rgb;
        for (to, from) in [(p.ab, &out.ab), (p.cd, &out.cd), (p.sum, &out.sum)] {
            if to != 0 {
                regs[to as usize][..3].copy_from_slice(from);
            }
        }
        if p.ab_blue_to_alpha && p.ab != 0 {
            regs[p.ab as usize][3] = out.ab[2];
        }
        if p.cd_blue_to_alpha && p.cd != 0 {
            regs[p.cd as usize][3] = out.cd[2];
        }
    }
    if let Some(out) = alpha {
        let p = &stage.alpha;
        for (to, from) in [(p.ab, &out.ab), (p.cd, &out.cd), (p.sum, &out.sum)] {
            if to != 0 {
                regs[to as usize][3] = from[0];
            }
        }
    }
}

/// Which lanes a multiplexer gives C*D: all ones there, else 0.
#[inline(always)]
pub fn pick(stage: &Stage, mux_msb: bool, regs: &Registers) -> I {
    if stage.rgb.mux || stage.alpha.mux {
        let a = &regs[reg::SPARE0][3];
        if mux_msb {
            map1(a, |v| -i32::from(v >= 128))
        } else {
            map1(a, |v| -(v & 1))
        }
    } else {
        [0; LANES]
    }
}

struct Out<const N: usize> {
    ab: [I; N],
    cd: [I; N],
    sum: [I; N],
}

/// An operand's channels; the alpha portion reads alpha or blue.
#[inline(always)]
pub fn operand<const N: usize>(regs: &Registers, from: Input) -> [I; N] {
    let r = &regs[from.reg as usize];
    std::array::from_fn(|c| {
        let channel = if from.alpha {
            3
        } else if N == 1 {
            2
        } else {
            c
        };
        input(&r[channel], from.map)
    })
}

/// The products before rounding, in units of 1 / 255^2; a dot product fills all channels.
#[inline(always)]
pub fn product<const N: usize>(a: &[I; N], b: &[I; N], dot: bool) -> [I; N] {
    let mut p: [I; N] = std::array::from_fn(|c| map2(&a[c], &b[c], |x, y| x * y));
    if dot && N == 3 {
        let mut s = p[0];
        for i in 0..LANES {
            s[i] += p[1][i] + p[2][i];
        }
        p = [s; N];
    }
    p
}

#[inline(always)]
fn portion<const N: usize>(p: &Portion, pick: &I, regs: &Registers) -> Out<N> {
    let zero = [[0; LANES]; N];
    let half = |k: usize, dot: bool| -> [I; N] {
        let x = operand::<N>(regs, p.inputs[k]);
        let y = operand::<N>(regs, p.inputs[k + 1]);
        product(&x, &y, dot).map(|t| map1(&t, div255_signed))
    };
    // What nobody reads is not computed.
    let summed = p.sum != 0;
    let ab = if summed || p.ab != 0 {
        half(0, p.ab_dot)
    } else {
        zero
    };
    let cd = if summed || p.cd != 0 {
        half(2, p.cd_dot)
    } else {
        zero
    };
    let mut sum = zero;
    if summed {
        for k in 0..N {
            sum[k] = if p.mux {
                let mut s = [0; LANES];
                for i in 0..LANES {
                    s[i] = (ab[k][i] & !pick[i]) | (cd[k][i] & pick[i]);
                }
                output(&s, p.op)
            } else {
                output(&map2(&ab[k], &cd[k], |x, y| x + y), p.op)
            };
        }
    }
    let written = |to: u8, x: &[I; N]| {
        if to == 0 {
            zero
        } else {
            x.map(|v| output(&v, p.op))
        }
    };
    Out {
        ab: written(p.ab, &ab),
        cd: written(p.cd, &cd),
        sum,
    }
}
