//! The stencil test and its operations.

use super::{Func, compare};
use crate::frag::LANES;

/// One face's stencil state, prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stencil {
    pub func: Func,
    pub reference: u32,
    /// Applied to both sides of the comparison.
    pub func_mask: u32,
    /// Bits that operations may change; 0 while STENCIL_WRITE is off.
    pub mask: u32,
    /// Operation codes on stencil fail, depth fail, pass.
    pub ops: [u8; 3],
}

/// The outcome for a block.
pub(crate) struct StencilResult {
    /// Lanes that pass the stencil test.
    pub pass: u16,
    /// New stencil values.
    pub values: [u32; LANES],
}

/// One operation. Codes as the STENCIL_B word has them.
#[inline(always)]
fn operate(op: u8, old: u32, reference: u32) -> u32 {
    match op {
        2 => 0,
        3 => reference,
        4 => (old + 1).min(255),
        5 => old.saturating_sub(1),
        6 => !old & 255,
        7 => (old + 1) & 255,
        8 => old.wrapping_sub(1) & 255,
        _ => old,
    }
}

impl Stencil {
    /// Can it change a stencil value?
    #[inline(always)]
    pub(crate) fn writes(&self) -> bool {
        self.mask != 0 && self.ops != [1, 1, 1]
    }

    /// Tests the lanes in `mask` against the zeta words `old`; `depth` says which
    /// lanes pass the depth test.
    #[inline(always)]
    pub(crate) fn run(&self, old: &[u32; LANES], mask: u16, depth: u16) -> StencilResult {
        let mut stored = [0; LANES];
        for i in 0..LANES {
            stored[i] = old[i] & self.func_mask & 255;
        }
        let reference = [self.reference & self.func_mask; LANES];
        let pass = mask & compare(self.func, &reference, &stored);
        let mut values = [0; LANES];
        let mut apply = |op: u8, lanes: u16| {
            for i in 0..LANES {
                let s = old[i] & 255;
                let new = s & !self.mask | operate(op, s, self.reference) & self.mask;
                values[i] = if lanes >> i & 1 != 0 { new } else { values[i] };
            }
        };
        apply(1, !mask);
        apply(self.ops[0], mask & !pass);
        apply(self.ops[1], pass & !depth);
        apply(self.ops[2], pass & depth);
        StencilResult { pass, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations() {
        let run = |op, old| operate(op, old, 0x42);
        assert_eq!(run(1, 9), 9);
        assert_eq!(run(2, 9), 0);
        assert_eq!(run(3, 9), 0x42);
        assert_eq!(run(4, 255), 255);
        assert_eq!(run(5, 0), 0);
        assert_eq!(run(6, 0x0f), 0xf0);
        assert_eq!(run(7, 255), 0);
        assert_eq!(run(8, 0), 255);
    }

    #[test]
    fn each_outcome_has_its_operation_and_the_mask_holds() {
        let stencil = Stencil {
            func: 2,
            reference: 0x15,
            func_mask: 0x0f,
            mask: 0x7f,
            ops: [6, 3, 2],
        };
        // Lane 0 fails, lane 1 passes without depth, lane 2 passes, lane 3 is dead.
        let mut old = [0xabcdef00; LANES];
        old[0] |= 0x01;
        old[1] |= 0x85;
        old[2] |= 0xf5;
        old[3] |= 0x33;
        let got = stencil.run(&old, 0b0111, 0b0101);
        assert_eq!(got.pass, 0b0110);
        assert_eq!(got.values[..4], [0x7e, 0x95, 0x80, 0x33]);
    }

    /// Every operation on every value, by arithmetic on bytes.
    #[test]
    fn operations_on_all_values() {
        for old in 0..=u8::MAX {
            for (op, want) in [
                (0, old),
                (1, old),
                (2, 0),
                (3, 0x42),
                (4, old.saturating_add(1)),
                (5, old.saturating_sub(1)),
                (6, !old),
                (7, old.wrapping_add(1)),
                (8, old.wrapping_sub(1)),
                (9, old),
            ] {
                assert_eq!(operate(op, old.into(), 0x42), want.into(), "{op} {old}");
            }
        }
    }

    /// Nothing changes where no bit may, or where each outcome keeps what is there.
    #[test]
    fn what_can_write() {
        for ops in 0..512u32 {
            let ops = [ops & 7, ops >> 3 & 7, ops >> 6].map(|op| op as u8 + 1);
            for mask in [0, 1, 0x80, 0xff] {
                let stencil = Stencil {
                    func: 7,
                    reference: 0,
                    func_mask: 0xff,
                    mask,
                    ops,
                };
                let keeps = ops.iter().all(|op| *op == 1);
                assert_eq!(stencil.writes(), mask != 0 && !keeps, "{ops:?} {mask:x}");
            }
        }
    }
}
