//! A general combiner.

use super::arith::{div255, input, map1, map2, output};
use super::words::{Input, Portion, Stage};
use super::{Registers, reg};
use crate::frag::{I, LANES};

/// Runs one combiner. All reads see the registers as they were before it.
#[inline(always)]
pub fn run(stage: &Stage, mux_msb: bool, regs: &mut Registers) {
    let pick: I = if stage.rgb.mux || stage.alpha.mux {
        let a = &regs[reg::SPARE0][3];
        if mux_msb {
            map1(a, |v| -i32::from(v >= 128))
        } else {
            map1(a, |v| -(v & 1))
        }
    } else {
        [0; LANES]
    };
    let rgb = (!stage.rgb.idle()).then(|| portion::<3>(&stage.rgb, &pick, regs));
    let alpha = (!stage.alpha.idle()).then(|| portion::<1>(&stage.alpha, &pick, regs));
    if let Some(out) = rgb {
        let p = &stage.rgb;
        for c in 0..3 {
            regs[p.ab as usize][c] = out.ab[c];
            regs[p.cd as usize][c] = out.cd[c];
            regs[p.sum as usize][c] = out.sum[c];
        }
        if p.ab_blue_to_alpha {
            regs[p.ab as usize][3] = out.ab[2];
        }
        if p.cd_blue_to_alpha {
            regs[p.cd as usize][3] = out.cd[2];
        }
    }
    if let Some(out) = alpha {
        let p = &stage.alpha;
        regs[p.ab as usize][3] = out.ab[0];
        regs[p.cd as usize][3] = out.cd[0];
        regs[p.sum as usize][3] = out.sum[0];
    }
    // Discarded results went to register 0, which must go on reading 0.
    regs[reg::ZERO] = [[0; LANES]; 4];
}

struct Out<const N: usize> {
    ab: [I; N],
    cd: [I; N],
    sum: [I; N],
}

/// An operand's channels; the alpha portion reads alpha or blue.
#[inline(always)]
fn operand<const N: usize>(regs: &Registers, from: Input) -> [I; N] {
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
fn product<const N: usize>(a: &[I; N], b: &[I; N], dot: bool) -> [I; N] {
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
    let [a, b, c, d] = p.inputs.map(|i| operand::<N>(regs, i));
    let ab = product(&a, &b, p.ab_dot).map(|x| map1(&x, div255));
    let cd = product(&c, &d, p.cd_dot).map(|x| map1(&x, div255));
    let sum: [I; N] = std::array::from_fn(|k| {
        let mut s = [0; LANES];
        for i in 0..LANES {
            s[i] = if p.mux {
                (ab[k][i] & !pick[i]) | (cd[k][i] & pick[i])
            } else {
                ab[k][i] + cd[k][i]
            };
        }
        s
    });
    Out {
        ab: ab.map(|x| output(&x, p.op)),
        cd: cd.map(|x| output(&x, p.op)),
        sum: sum.map(|x| output(&x, p.op)),
    }
}
