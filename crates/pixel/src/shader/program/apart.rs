//! Pixels that leave their quads: where a program needs its neighbours for nothing but the levels
//! of detail of lookups whose coordinates are inputs, these are found first, and pixels that are
//! drawn then lie side by side.

use super::exec::{ALL, Units};
use super::lanes::Lanes;
use super::modulate;
use super::operations::divided;
use super::plan::{FOOTPRINT_ROWS, FOOTPRINTS, INPUT_ROWS, Kind, Plan, Round, Step};
use crate::tex::lanes::SampleLanes;
use isotherm_lanes::{Base, LANES, Lane};
use isotherm_regs::fp::{Cond, Op};

/// Sixteen pixels, of which some leave their quads.
pub(crate) trait Apart: SampleLanes {
    /// Is that worth while, and other code that only wide vectors keep short?
    const WORTH: bool = false;

    /// Puts the lanes in `mask` first.
    #[inline(always)]
    fn compress(row: &mut Lane, mask: u32) {
        let taken = (0..LANES).filter(|lane| mask >> lane & 1 != 0);
        for (next, lane) in taken.enumerate() {
            row[next] = row[lane];
        }
    }

    /// Puts the first lanes back to where they were.
    #[inline(always)]
    fn expand(row: &[u32; LANES], mask: u32) -> [u32; LANES] {
        let mut out = [0; LANES];
        let taken = (0..LANES).filter(|lane| mask >> lane & 1 != 0);
        for (next, lane) in taken.enumerate() {
            out[lane] = row[next];
        }
        out
    }

    /// Products of bytes, two in each lane ([`modulate::product`]).
    #[inline(always)]
    fn modulate(a: Self::I, b: Self::I) -> Self::I {
        let (mut x, mut y) = ([0; LANES], [0; LANES]);
        Self::istore(a, &mut x);
        Self::istore(b, &mut y);
        Self::iload(&modulate::products(&x, &y))
    }
}

impl Apart for Base {}

#[cfg(target_arch = "x86_64")]
impl Apart for isotherm_lanes::Avx2 {}

#[cfg(target_arch = "x86_64")]
impl Apart for isotherm_lanes::Avx512 {
    const WORTH: bool = true;

    #[inline(always)]
    fn compress(row: &mut Lane, mask: u32) {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { avx512::compress(row, mask as u16) }
    }

    #[inline(always)]
    fn expand(row: &[u32; LANES], mask: u32) -> [u32; LANES] {
        // SAFETY: as above.
        unsafe { avx512::expand(row, mask as u16) }
    }

    #[inline(always)]
    fn modulate(a: Self::I, b: Self::I) -> Self::I {
        // SAFETY: as above.
        unsafe { avx512::modulate(a, b) }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::modulate::PART;
    use super::{LANES, Lane};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn modulate(a: __m512i, b: __m512i) -> __m512i {
        let product = _mm512_mullo_epi16(a, b);
        let more = _mm512_mulhi_epu16(product, _mm512_set1_epi16(PART as i16));
        let part = _mm512_add_epi16(product, more);
        let last = _mm512_and_si512(_mm512_srli_epi16::<11>(part), _mm512_set1_epi16(0x10));
        let cut = _mm512_srli_epi16::<4>(_mm512_andnot_si512(last, part));
        // It rounds fifteen bits away.
        _mm512_mulhrs_epi16(cut, _mm512_set1_epi16(255 << 3))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn compress(row: &mut Lane, mask: __mmask16) {
        // SAFETY: it is 64 bytes.
        let x = unsafe { _mm512_loadu_ps(row.as_ptr()) };
        let x = _mm512_maskz_compress_ps(mask, x);
        // SAFETY: as above.
        unsafe { _mm512_storeu_ps(row.as_mut_ptr(), x) };
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn expand(row: &[u32; LANES], mask: __mmask16) -> [u32; LANES] {
        // SAFETY: it is 64 bytes.
        let x = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
        let x = _mm512_maskz_expand_epi32(mask, x);
        let mut out = [0; LANES];
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), x) };
        out
    }
}

/// Lanes of a block's rows by quads.
#[inline(always)]
pub(crate) fn mask_by_quads(rows: u16) -> u32 {
    let spread = |half: u32| {
        let half = (half | half << 4) & 0x0f0f;
        (half | half << 2) & 0x3333
    };
    spread(u32::from(rows) & 0xff) | spread(u32::from(rows) >> 8) << 2
}

/// A lookup whose footprint is found before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub unit: u8,
    /// Inputs' rows of s and t, and of q, where it divides them.
    coords: [u32; 2],
    by: Option<u32>,
    /// Where the footprint goes.
    pub row: u32,
}

impl Sight {
    /// Finds the footprints of the quads that are meant, and puts those in `mask` first.
    #[inline(always)]
    pub(super) fn look<S: Apart>(&self, units: &Units, lanes: &mut Lanes, mask: u32) {
        let Some(unit) = &units[usize::from(self.unit & 15)] else {
            return;
        };
        let mut coords = [
            S::load(lanes.row(self.coords[0])),
            S::load(lanes.row(self.coords[1])),
        ];
        if let Some(q) = self.by {
            coords = divided::<S, 2>(coords, S::load(lanes.row(q)));
        }
        if let Some(footprint) = unit.footprint::<S>(coords) {
            let row = lanes.row(self.row);
            S::store(footprint, row);
            if mask != ALL {
                S::compress(row, mask);
            }
        }
    }

    /// s and t of a block.
    #[inline(always)]
    pub(super) fn coords<S: Apart>(&self, lanes: &Lanes, block: usize) -> [S::F; 2] {
        let coords = [
            S::load(lanes.block(self.coords[0], block)),
            S::load(lanes.block(self.coords[1], block)),
        ];
        match self.by {
            Some(q) => divided::<S, 2>(coords, S::load(lanes.block(q, block))),
            None => coords,
        }
    }
}

/// A plan's lookups, if they are all that it needs quads for and their coordinates are inputs.
/// Their steps get the rows where footprints are found.
pub(super) fn sights(plan: &mut Plan) -> Option<Vec<Sight>> {
    if plan.branches || plan.kills || plan.depth.is_some() {
        return None;
    }
    // The input that a row has.
    let mut known: Vec<Option<u32>> = vec![None; plan.first_const];
    for (row, known) in (0..).zip(&mut known[..FOOTPRINT_ROWS]) {
        *known = Some(row);
    }
    let (mut sights, mut rows) = (Vec::new(), Vec::new());
    for (at, step) in plan.steps.iter().enumerate() {
        match step.op {
            Op::Ddx | Op::Ddy => return None,
            Op::Tex | Op::Txp => {
                let row = (FOOTPRINT_ROWS + sights.len()) as u32;
                sights.push(sight(step, &known, row)?);
                rows.push((at, row));
            }
            op if op.is_texture() => return None,
            _ => {}
        }
        follow(step, &mut known);
        if step.end {
            break;
        }
    }
    if sights.len() > FOOTPRINTS {
        return None;
    }
    for (at, row) in rows {
        plan.steps[at].footprint = Some(row);
    }
    Some(sights)
}

fn sight(step: &Step, known: &[Option<u32>], row: u32) -> Option<Sight> {
    let source = &step.src[0];
    if !source.plain() || source.staged.is_some() {
        return None;
    }
    let from = |c: usize| known.get(source.rows[c] as usize).copied().flatten();
    Some(Sight {
        unit: step.unit,
        coords: [from(0)?, from(1)?],
        by: match step.op {
            Op::Txp => Some(from(3)?),
            _ => None,
        },
        row,
    })
}

/// What rows have after a step.
fn follow(step: &Step, known: &mut [Option<u32>]) {
    let Some(dst) = step.dst.filter(|_| step.mask != 0) else {
        return;
    };
    let source = &step.src[0];
    let moves = step.op == Op::Mov
        && source.plain()
        && source.staged.is_none()
        && step.cond == Cond::Tr
        && step.scale == 1.0
        && !step.sat
        && step.round == Round::Full
        && dst.kind == Kind::Whole;
    let from = source
        .rows
        .map(|row| known.get(row as usize).copied().flatten());
    for c in 0..4 {
        if step.mask >> c & 1 != 0 || dst.kind != Kind::Whole {
            known[dst.row as usize + c] = if moves { from[c] } else { None };
        }
    }
}

const _: () = assert!(FOOTPRINT_ROWS + FOOTPRINTS <= INPUT_ROWS);
