//! TBUF to the vertex that leaves XF.

use super::super::arith::{self, Kelvin, Rules, map};
use super::super::fixed::BLACK;
use super::super::lanes::{V4, per_lane};
use super::super::output::{bytes, fog_value};
use super::super::{Mode, Results, State, VtxIn, VtxOut};
use super::Plan;
use super::machine::{Machine, Tbuf};
use super::step::{FOG, POINT_SIZE};
use crate::lt::arith::load;
use isotherm_regs::bundle::result;
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

/// An output buffer as results.
pub(super) fn results(isa: Isa, tbuf: &Tbuf) -> Results {
    let rows = rows(isa);
    let mut r = Results {
        pos: tbuf.rows[0],
        color: rows.color.map(|row| tbuf.rows[row]),
        fog: tbuf.fog,
        point_size: tbuf.point_size,
        clip: rows
            .clip
            .map(|place| place.map_or(0, |(row, c)| tbuf.rows[row][c])),
        ..Results::default()
    };
    r.tex[..rows.tex_count].copy_from_slice(&tbuf.rows[rows.tex..rows.tex + rows.tex_count]);
    r
}

/// Where vertices go. There is one per call, on the stack: its size costs nothing.
#[allow(clippy::large_enum_variant)]
pub(super) enum Sink<'a> {
    /// As the program left them: `fog` is its coordinate, from which LT makes the value.
    Raw(&'a mut [Results]),
    /// Converted for ASSM.
    Finished(Finished<'a>),
}

/// What the output conversions need.
pub(super) struct Finished<'a> {
    pub mode: &'a Mode,
    pub state: &'a State,
    /// Curie has no LT for the fog coordinate to go through.
    pub raw_fog: bool,
    /// Results that leave the unit, by [`result`]'s numbers.
    pub enabled: u32,
    /// A vertex of which the program wrote nothing.
    pub blank: VtxOut,
    pub out: &'a mut [VtxOut],
}

/// A vertex after the output conversions.
pub(super) fn finish(result: &Results, mode: &Mode, state: &State, raw_fog: bool) -> VtxOut {
    let vertex = result.finish(mode, state);
    let fog = if raw_fog { result.fog } else { vertex.fog };
    VtxOut { fog, ..vertex }
}

/// Hands over a batch whose first vertex is the `first` of all.
#[inline(always)]
pub(super) fn emit<R: Rules, const N: usize>(
    m: &Machine<N>,
    plan: &Plan,
    viewport: Option<&Viewport>,
    vertices: &[VtxIn],
    first: usize,
    sink: &mut Sink,
) {
    let mut pos = m.out[0];
    if let Some(v) = viewport {
        let rw = arith::rcc::<R, N>(&pos[3]);
        for (c, lanes) in pos.iter_mut().take(3).enumerate() {
            let ndc = arith::mul::<R, N>(lanes, &rw);
            *lanes = arith::mad::<R, N>(&ndc, &[v.scale[c]; N], &[v.translate[c]; N]);
        }
    }
    match sink {
        Sink::Raw(out) => {
            for (lane, (to, v)) in out[first..].iter_mut().zip(vertices).enumerate() {
                *to = one(m, plan.isa, &pos, lane, v);
            }
        }
        // LT lights a program's colours too; that is rare.
        Sink::Finished(f) if f.mode.lighting => {
            for (lane, (to, v)) in f.out[first..].iter_mut().zip(vertices).enumerate() {
                let result = one(m, plan.isa, &pos, lane, v);
                *to = finish(&result, f.mode, f.state, f.raw_fog);
            }
        }
        Sink::Finished(f) => f.convert::<N>(m, plan, &pos, vertices, first),
    }
}

/// One lane.
#[inline(never)]
fn one<const N: usize>(
    m: &Machine<N>,
    isa: Isa,
    pos: &V4<N>,
    lane: usize,
    vertex: &VtxIn,
) -> Results {
    Results {
        pos: pos.map(|c| c[lane]),
        edge_flag: vertex.edge_flag,
        ..results(isa, &m.tbuf(lane))
    }
}

impl Finished<'_> {
    /// The output conversions of all lanes, of the rows that the program writes.
    #[inline(always)]
    fn convert<const N: usize>(
        &mut self,
        m: &Machine<N>,
        plan: &Plan,
        pos: &V4<N>,
        vertices: &[VtxIn],
        first: usize,
    ) {
        let rows = rows(plan.isa);
        // A result counts if the program writes its row and XF_ATTR_OUT_MASK (Curie)
        // lets it out; that the others are as if never written is a guess.
        let written = |row: usize, result: u32| {
            plan.outputs >> row & 1 != 0 && self.enabled >> result & 1 != 0
        };
        let out = &mut self.out[first..first + vertices.len()];
        let rw = arith::rcp::<Kelvin, N>(&pos[3]);
        let pos = per_lane(pos);
        for (lane, (o, v)) in out.iter_mut().zip(vertices).enumerate() {
            *o = self.blank;
            o.pos = pos[lane];
            o.rw = rw[lane];
            o.edge_flag = v.edge_flag;
        }
        // Fragment programs get the secondary colours as they are: drivers for chips that
        // have such programs set neither of Kelvin's two switches.
        let kelvin = plan.isa == Isa::Kelvin;
        for (i, &row) in rows.color.iter().enumerate() {
            let secondary = i & 1 != 0 && kelvin;
            // The secondary colours may be fixed: then the blank vertex has them.
            let fixed = secondary && !self.mode.specular_enable;
            if !written(row, result::COLOR + i as u32) || fixed {
                continue;
            }
            let opaque = secondary && !self.mode.light_model_17;
            let words = bytes(&m.out[row]);
            for (o, word) in out.iter_mut().zip(words) {
                let word = if opaque { word | BLACK } else { word };
                o.color[i] = word.to_le_bytes();
            }
        }
        if written(usize::from(FOG), result::FOG) {
            let fog = if self.raw_fog {
                m.fog
            } else {
                fog_value(self.mode, self.state, &map(&m.fog, load))
            };
            for (o, fog) in out.iter_mut().zip(fog) {
                o.fog = fog;
            }
        }
        if written(usize::from(POINT_SIZE), result::POINT_SIZE) {
            for (o, size) in out.iter_mut().zip(m.point_size) {
                o.point_size = size;
            }
        }
        for i in 0..rows.tex_count {
            if written(rows.tex + i, result::TEX + i as u32) {
                for (o, set) in out.iter_mut().zip(per_lane(&m.out[rows.tex + i])) {
                    o.tex[i] = set;
                }
            }
        }
        for (i, place) in rows.clip.iter().enumerate() {
            if let &Some((row, c)) = place
                && written(row, result::CLIP + i as u32)
            {
                for (o, x) in out.iter_mut().zip(m.out[row][c]) {
                    o.clip[i] = x;
                }
            }
        }
    }
}
