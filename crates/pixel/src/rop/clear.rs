//! CLEAR_SURFACE: rectangles of raw words.

use super::Target;

/// What a clear writes, prepared. Its rectangle and which bits it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// Pixels, max exclusive, already inside the surface clip.
    pub rect: [i32; 4],
    /// Colour word and the bits to write.
    pub color: (u32, u32),
    /// Zeta word and the bits to write.
    pub zeta: (u32, u32),
}

impl Clear {
    /// Clears the part inside `tile` (pixels, max exclusive). In the worker's instructions:
    /// the wider a write, the more of them are on their way to memory.
    #[inline(always)]
    pub fn run(&self, target: &Target<'_>, tile: &[i32; 4]) {
        let x0 = self.rect[0].max(tile[0]).max(0) as u32;
        let y0 = self.rect[1].max(tile[1]).max(0) as u32;
        let x1 = self.rect[2].min(tile[2]).max(0) as u32;
        let y1 = self.rect[3].min(tile[3]).max(0) as u32;
        let more = target.more.map(|plane| (plane, self.color));
        let planes = [(target.color, self.color), (target.zeta, self.zeta)];
        for (plane, (value, bits)) in planes.into_iter().chain(more) {
            let Some((plane, memory)) = plane else {
                continue;
            };
            if bits == 0 || x0 >= x1 {
                continue;
            }
            let (sx, sy) = plane.scale;
            for y in y0 * sy..y1 * sy {
                plane.fill(memory, x0 * sx, x1 * sx, y, value, bits);
            }
        }
    }
}
