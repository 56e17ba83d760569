//! Where Rankine and Curie put vertices: VIEWPORT_OFFSET moves the viewport on the surface,
//! and positions are rounded: Rankine's to 1/16 pixel, Curie's to 1/256.

use super::Bundles;
use isotherm_bus::verts::VtxHead;
use isotherm_regs::Chip;
use isotherm_regs::bundle::VIEWPORT_OFFSET;

/// What happens to window positions before primitives are assembled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placing {
    /// Steps of a pixel that positions are rounded to; 0 where the rasteriser cuts them.
    steps: u16,
    /// Pixels to the right and down.
    offset: [i32; 2],
}

impl Placing {
    pub(super) fn new(chip: Chip, bundles: &Bundles) -> Placing {
        if !chip.since(Chip::Nv30) {
            return Placing::default();
        }
        let word = bundles.VIEWPORT_OFFSET;
        Placing {
            steps: if chip.since(Chip::Nv40) { 256 } else { 16 },
            offset: [VIEWPORT_OFFSET::X, VIEWPORT_OFFSET::Y].map(|f| f.get_signed(chip, word)),
        }
    }

    /// Moves and rounds the positions of vertices.
    pub fn apply(&self, verts: &mut [VtxHead]) {
        if *self == Placing::default() {
            return;
        }
        for v in verts {
            for i in 0..2 {
                v.exact[i] = moved(v.pos[i], self.offset[i]).to_bits();
                v.pos[i] = self.placed(v.pos[i], self.offset[i]);
            }
        }
    }

    /// A rectangle that moves with the viewport.
    pub(super) fn moved(&self, [x0, y0, x1, y1]: [i32; 4]) -> [i32; 4] {
        let [x, y] = self.offset;
        [x0 + x, y0 + y, x1 + x, y1 + y]
    }

    fn placed(&self, bits: u32, offset: i32) -> u32 {
        let x = f64::from(moved(bits, offset));
        // Larger numbers are whole, or none.
        if self.steps != 0 && x.abs() < 1e7 {
            let steps = f64::from(self.steps);
            (((x * steps + 0.5).floor() / steps) as f32).to_bits()
        } else {
            (x as f32).to_bits()
        }
    }
}

fn moved(bits: u32, offset: i32) -> f32 {
    f32::from_bits(bits) + offset as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_rounded_and_moved() {
        let at = |placing: &Placing, x: f32| f32::from_bits(placing.placed(x.to_bits(), 0));
        let placing = Placing {
            steps: 16,
            offset: [0; 2],
        };
        assert_eq!(at(&placing, 302.4), 302.375);
        assert_eq!(at(&placing, 453.6), 453.625);
        assert_eq!(at(&placing, -0.04), -0.0625);
        assert_eq!(at(&placing, f32::INFINITY), f32::INFINITY);
        let fine = Placing {
            steps: 256,
            ..placing
        };
        assert_eq!(at(&fine, 302.4), 302.0 + 102.0 / 256.0);
        assert_eq!(at(&fine, 453.6), 453.0 + 154.0 / 256.0);
        assert_eq!(at(&fine, 36.00003), 36.0);
        let placing = Placing {
            offset: [3, -5],
            ..placing
        };
        assert_eq!(placing.moved([0, 10, 64, 20]), [3, 5, 67, 15]);
        let mut v = [VtxHead::default()];
        placing.apply(&mut v);
        assert_eq!(v[0].pos.map(f32::from_bits), [3.0, -5.0, 0.0, 0.0]);
    }

    #[test]
    fn the_scissor_moves_with_the_viewport() {
        use isotherm_regs::bundle::SCISSOR_HV;
        let chip = Chip::Nv43;
        let word = |origin, size| {
            let word = SCISSOR_HV::ORIGIN.with(chip, 0, origin);
            SCISSOR_HV::SIZE.with(chip, word, size)
        };
        let mut bundles = Bundles {
            SCISSOR_HV: [word(1, 2), word(0, 1)],
            ..Bundles::default()
        };
        let scissor = super::super::prepare::scissor;
        assert_eq!(scissor(chip, &bundles), [1, 0, 3, 1]);
        bundles.VIEWPORT_OFFSET = VIEWPORT_OFFSET::X.with(chip, 0, 8);
        assert_eq!(scissor(chip, &bundles), [9, 0, 11, 1]);
    }
}
