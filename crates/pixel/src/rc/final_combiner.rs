//! The final combiner: A*B + (1-A)*C + D, alpha = G.

use super::arith::{map1, map2};
use super::words::{Final, Input, Map};
use super::{Registers, reg};
use crate::frag::{I, LANES};
use isotherm_lanes::fixed::div255_signed;

/// An operand: clamped to [0, 255], then perhaps inverted. The sum register may
/// hold up to 510 and keeps it (Combiner/Flags).
#[inline(always)]
pub fn operand(regs: &Registers, from: Input, channel: usize) -> I {
    let r = from.reg as usize;
    let x = &regs[r][if from.alpha { 3 } else { channel }];
    let top = if r == reg::SPARE0_PLUS_COL1 { 510 } else { 255 };
    // The word has one mapping bit here: invert.
    if from.map == Map::UnsignedInvert {
        map1(x, |v| (255 - v.clamp(0, top)).max(0))
    } else {
        map1(x, |v| v.clamp(0, top))
    }
}

/// Returns the fragment's R, G, B, A, each 0..=255.
#[inline(always)]
pub fn run(last: &Final, regs: &mut Registers) -> [I; 4] {
    let [a, b, c, d, e, f, g] = last.inputs;
    let uses = |r: usize| last.inputs.iter().any(|i| i.reg as usize == r);
    if uses(reg::SPARE0_PLUS_COL1) {
        let part = |x: &I, invert: bool| {
            let flip = if invert { 255 } else { 0 };
            // Registers end at 255.
            map1(x, |v| v.max(0) ^ flip)
        };
        let top = if last.clamp_sum { 255 } else { 510 };
        for k in 0..3 {
            let v1 = part(&regs[reg::COL1][k], last.invert_col1);
            let r0 = part(&regs[reg::SPARE0][k], last.invert_spare0);
            regs[reg::SPARE0_PLUS_COL1][k] = map2(&v1, &r0, |x, y| (x + y).min(top));
        }
        // The sum has no alpha of its own; it reads 0.
        regs[reg::SPARE0_PLUS_COL1][3] = [0; LANES];
    }
    if uses(reg::E_TIMES_F) {
        for k in 0..3 {
            let x = operand(regs, e, k);
            let y = operand(regs, f, k);
            regs[reg::E_TIMES_F][k] = map2(&x, &y, |x, y| div255_signed(x * y));
        }
        regs[reg::E_TIMES_F][3] = [0; LANES];
    }
    let mut out = [[0; LANES]; 4];
    for (k, o) in out.iter_mut().enumerate().take(3) {
        let a = operand(regs, a, k);
        let b = operand(regs, b, k);
        let c = operand(regs, c, k);
        let d = operand(regs, d, k);
        for i in 0..LANES {
            // One rounding of the whole sum (Fog goldens: 242 of 242 colours).
            let t = a[i] * b[i] + (255 - a[i]) * c[i];
            o[i] = (div255_signed(t) + d[i]).clamp(0, 255);
        }
    }
    out[3] = map1(&operand(regs, g, 2), |v| v.min(255));
    out
}
