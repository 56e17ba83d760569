//! TBUF to the vertex that leaves XF.

use super::super::Results;
use super::super::arith::{self, Rules};
use super::machine::Machine;
use isotherm_regs::xf::isa::Isa;

/// Scale and translation to window coordinates. Kelvin programs do this
/// themselves; Rankine and Curie programs leave clip coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// VIEWPORT_SCALE.
    pub scale: [u32; 4],
    /// VIEWPORT_TRANSLATE.
    pub translate: [u32; 4],
}

/// Where the outputs lie.
struct Rows {
    /// Front diffuse, front specular, back diffuse, back specular.
    color: [usize; 4],
    tex: usize,
    tex_count: usize,
    /// Row and component of each user clip distance.
    clip: [Option<(usize, usize)>; 6],
}

const fn rows(isa: Isa) -> Rows {
    match isa {
        Isa::Kelvin => Rows {
            color: [3, 4, 7, 8],
            tex: 9,
            tex_count: 4,
            clip: [None; 6],
        },
        Isa::Rankine => Rows {
            color: [3, 4, 1, 2],
            tex: 8,
            tex_count: 8,
            clip: [
                Some((17, 0)),
                Some((18, 0)),
                Some((19, 0)),
                Some((20, 0)),
                Some((21, 0)),
                Some((22, 0)),
            ],
        },
        Isa::Curie => Rows {
            color: [1, 2, 3, 4],
            tex: 7,
            tex_count: 8,
            clip: [
                Some((5, 1)),
                Some((5, 2)),
                Some((5, 3)),
                Some((6, 1)),
                Some((6, 2)),
                Some((6, 3)),
            ],
        },
    }
}

/// Hands over the vertices of the first `out.len()` lanes. `fog` is the fog
/// coordinate as the program wrote it; LT makes the fog
/// value from it.
#[inline(always)]
pub(super) fn emit<R: Rules, const N: usize>(
    m: &Machine<N>,
    isa: Isa,
    viewport: Option<&Viewport>,
    edge_flags: impl Fn(usize) -> bool,
    out: &mut [Results],
) {
    let rows = rows(isa);
    let mut pos = m.out[0];
    if let Some(v) = viewport {
        let rw = arith::rcc::<R, N>(&pos[3]);
        for (c, lanes) in pos.iter_mut().take(3).enumerate() {
            let ndc = arith::mul::<R, N>(lanes, &rw);
            *lanes = arith::mad::<R, N>(&ndc, &[v.scale[c]; N], &[v.translate[c]; N]);
        }
    }
    for (lane, to) in out.iter_mut().enumerate().take(N) {
        for c in 0..4 {
            to.pos[c] = pos[c][lane];
        }
        for (color, &r) in to.color.iter_mut().zip(&rows.color) {
            for c in 0..4 {
                color[c] = m.out[r][c][lane];
            }
        }
        for (tex, row) in to
            .tex
            .iter_mut()
            .zip(&m.out[rows.tex..rows.tex + rows.tex_count])
        {
            for c in 0..4 {
                tex[c] = row[c][lane];
            }
        }
        to.tex[rows.tex_count..].fill([0; 4]);
        for (clip, place) in to.clip.iter_mut().zip(&rows.clip) {
            *clip = match *place {
                Some((r, c)) => m.out[r][c][lane],
                None => 0,
            };
        }
        to.fog = m.fog[lane];
        to.point_size = m.point_size[lane];
        to.edge_flag = edge_flags(lane);
    }
}
