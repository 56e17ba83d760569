//! TBUF to the vertex that leaves XF.

use super::super::arith::{self, Rules, map};
use super::super::lanes::per_lane;
use super::super::output::{BLACK, bytes, fog_value};
use super::super::{LANES, Mode, Results, State, VtxIn, VtxOut};
use super::machine::{L, Machine, Row, Tbuf};
use super::rows::{Place, ROW_FOG, ROW_POINT_SIZE, Rows};
use super::run::Job;
use crate::lt::arith::load;
use isotherm_bus::vertex::SETS;
use isotherm_lanes::dispatch;
use isotherm_regs::bundle::result;
use isotherm_regs::xf::isa::Isa;
use std::ops::Range;

/// Scale and translation to window coordinates. Kelvin programs do this
/// themselves; Rankine and Curie programs leave clip coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// VIEWPORT_SCALE.
    pub scale: [u32; 4],
    /// VIEWPORT_TRANSLATE.
    pub translate: [u32; 4],
}

/// An output buffer as results.
fn results(rows: &Rows, tbuf: &Tbuf) -> Results {
    let number = |(row, c): Place| match (row, c) {
        (ROW_FOG, 0) => tbuf.fog,
        (ROW_POINT_SIZE, 0) => tbuf.point_size,
        _ => tbuf.rows[row][c],
    };
    let mut r = Results {
        pos: tbuf.rows[0],
        color: rows.color.map(|row| tbuf.rows[row]),
        fog: number(rows.fog),
        point_size: number(rows.point_size),
        clip: rows
            .clip
            .map(|place| place.map_or(0, |(row, c)| tbuf.rows[row][c])),
        ..Results::default()
    };
    for (set, row) in r.tex.iter_mut().zip(&rows.tex) {
        *set = row.map_or([0; 4], |row| tbuf.rows[row]);
    }
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
    mode: &'a Mode,
    state: &'a State,
    /// Curie has no LT for the fog coordinate to go through.
    raw_fog: bool,
    /// Results that leave the unit, by [`result`]'s numbers.
    enabled: u32,
    /// Where they come from.
    rows: Rows,
    /// A vertex of which the program wrote nothing.
    blank: VtxOut,
    out: &'a mut [VtxOut],
}

/// A vertex after the output conversions.
fn finish(result: &Results, mode: &Mode, state: &State, raw_fog: bool) -> VtxOut {
    let vertex = result.finish(mode, state);
    let fog = if raw_fog { result.fog } else { vertex.fog };
    VtxOut { fog, ..vertex }
}

dispatch! {
    /// Hands over a batch whose first vertex is the `first` of all.
    pub(super) fn emit(
        m: &Machine,
        job: &Job,
        vertices: &[VtxIn],
        first: usize,
        sink: &mut Sink,
    ) = emit_lanes;
}

#[inline(always)]
fn emit_lanes(m: &Machine, job: &Job, vertices: &[VtxIn], first: usize, sink: &mut Sink) {
    let mut pos = *m.out(0);
    if let Some(v) = &job.env.viewport {
        let mut rw = arith::rcc(job.rules, &pos[3]);
        arith::settle(&mut rw);
        for (c, lanes) in pos.iter_mut().take(3).enumerate() {
            let mut ndc = arith::mul(job.rules, lanes, &rw);
            arith::settle(&mut ndc);
            let (scale, translate) = ([v.scale[c]; LANES], [v.translate[c]; LANES]);
            *lanes = arith::mad(job.rules, &ndc, &scale, &translate);
        }
    }
    match sink {
        Sink::Raw(out) => {
            let rows = job.rows();
            for (lane, (to, v)) in out[first..].iter_mut().zip(vertices).enumerate() {
                *to = one(m, &rows, &pos, lane, v);
            }
        }
        // LT lights a program's colours too; that is rare.
        Sink::Finished(f) if f.mode.lighting => {
            for (lane, (to, v)) in f.out[first..].iter_mut().zip(vertices).enumerate() {
                let result = one(m, &f.rows, &pos, lane, v);
                *to = finish(&result, f.mode, f.state, f.raw_fog);
            }
        }
        Sink::Finished(f) => f.convert(m, job, &pos, vertices, first),
    }
}

/// One lane.
#[inline(never)]
fn one(m: &Machine, rows: &Rows, pos: &Row, lane: usize, vertex: &VtxIn) -> Results {
    Results {
        pos: pos.map(|c| c[lane]),
        edge_flag: vertex.edge_flag,
        ..results(rows, &m.tbuf(lane))
    }
}

impl<'a> Finished<'a> {
    /// For vertices of a job that finds `before` in the output buffer.
    pub(super) fn new(
        job: &Job,
        before: &Tbuf,
        mode: &'a Mode,
        state: &'a State,
        raw_fog: bool,
        out: &'a mut [VtxOut],
    ) -> Finished<'a> {
        let rows = job.rows();
        let nothing = results(&rows, before.before(job.plan));
        Finished {
            mode,
            state,
            raw_fog,
            enabled: match state.curie.bundles.XF_ATTR_OUT_MASK {
                // Nobody has set it: everything counts.
                mask if job.plan.isa == Isa::Curie && mask != 0 => mask,
                _ => u32::MAX,
            },
            rows,
            blank: finish(&nothing, mode, state, raw_fog),
            out,
        }
    }

    /// Whether a result leaves the unit: the program writes its row, and
    /// XF_ATTR_OUT_MASK (Curie) lets it out; that the others are as if never written is
    /// a guess.
    #[inline(always)]
    fn written(&self, job: &Job, row: usize, result: u32) -> bool {
        job.plan.outputs >> row & 1 != 0 && self.enabled >> result & 1 != 0
    }

    /// The output conversions of all lanes, of the rows that the program writes.
    #[inline(always)]
    fn convert(&mut self, m: &Machine, job: &Job, pos: &Row, vertices: &[VtxIn], first: usize) {
        let range = first..first + vertices.len();
        let rw = arith::rcp(Rules::Kelvin, &pos[3]);
        let pos = per_lane(pos);
        let blank = self.blank;
        for (lane, (o, v)) in self.out[range.clone()].iter_mut().zip(vertices).enumerate() {
            *o = blank;
            o.pos = pos[lane];
            o.rw = rw[lane];
            o.edge_flag = v.edge_flag;
        }
        self.colors(m, job, range.clone());
        self.numbers(m, job, range.clone());
        for i in 0..SETS {
            if let Some(row) = self.rows.tex[i]
                && self.written(job, row, result::tex(i as u32))
            {
                let sets = per_lane(m.out(row));
                for (o, set) in self.out[range.clone()].iter_mut().zip(sets) {
                    o.tex[i] = set;
                }
            }
        }
        for i in 0..self.rows.clip.len() {
            if let Some((row, c)) = self.rows.clip[i]
                && self.written(job, row, result::CLIP + i as u32)
            {
                for (o, x) in self.out[range.clone()].iter_mut().zip(m.out(row)[c]) {
                    o.clip[i] = x;
                }
            }
        }
    }

    #[inline(always)]
    fn colors(&mut self, m: &Machine, job: &Job, range: Range<usize>) {
        // Fragment programs get the secondary colours as they are: drivers for chips that
        // have such programs set neither of Kelvin's two switches.
        let kelvin = job.plan.isa == Isa::Kelvin;
        for (i, row) in self.rows.color.into_iter().enumerate() {
            let secondary = i & 1 != 0 && kelvin;
            // The secondary colours may be fixed: then the blank vertex has them.
            let fixed = secondary && !self.mode.specular_enable;
            if !self.written(job, row, result::COLOR + i as u32) || fixed {
                continue;
            }
            let opaque = secondary && !self.mode.light_model_17;
            let words = bytes(m.out(row));
            for (o, word) in self.out[range.clone()].iter_mut().zip(words) {
                let word = if opaque { word | BLACK } else { word };
                o.color[i] = word.to_le_bytes();
            }
        }
    }

    /// Fog and point size.
    #[inline(always)]
    fn numbers(&mut self, m: &Machine, job: &Job, range: Range<usize>) {
        let (fog, point_size) = (self.rows.fog, self.rows.point_size);
        if self.written(job, fog.0, result::FOG) {
            let fog = number(m, fog);
            let fog = if self.raw_fog {
                *fog
            } else {
                fog_value(self.mode, self.state, &map(fog, load))
            };
            for (o, fog) in self.out[range.clone()].iter_mut().zip(fog) {
                o.fog = fog;
            }
        }
        if self.written(job, point_size.0, result::POINT_SIZE) {
            for (o, size) in self.out[range].iter_mut().zip(number(m, point_size)) {
                o.point_size = *size;
            }
        }
    }
}

/// A result that is a single number.
#[inline(always)]
fn number(m: &Machine, (row, c): Place) -> &L {
    match (row, c) {
        (ROW_FOG, 0) => m.fog(),
        (ROW_POINT_SIZE, 0) => m.point_size(),
        _ => &m.out(row)[c],
    }
}
