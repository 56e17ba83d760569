//! The common lookup: two dimensions, texels of bytes, two by two of one level mixed.

use super::{Sampler, largest_step};
use crate::pp::exec::Row;
use isotherm_lanes::{LANES, Simd, dispatch};
use std::ops::Range;

/// Steps between neighbours, in texels of the first level, for which one level alone is
/// sampled, with its four nearest texels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    low: f32,
    high: f32,
    level: usize,
}

/// All lanes of a group.
const ALL: u32 = (1 << LANES) - 1;
/// How far spans stay away from each other, as a share: far more than the logarithm of a step
/// is ever off, so that nobody has to take it inside of them.
const APART: f32 = 1.0 / 1024.0;
/// Steps beyond these are left to the general way.
const STEPS: (f32, f32) = (1.0e-18, 1.0e18);

impl Sampler {
    /// See [`Span`]; none where the texture is not a common one.
    pub(super) fn find_spans(&self) -> Vec<Span> {
        let last = self.levels.len() - 1;
        if self.has_layers() || self.unnormalised || self.wrap[0] > 1 || self.wrap[1] > 1 {
            return Vec::new();
        }
        // Where the choice changes: at 0, and halfway between two levels.
        let mut edges = vec![f32::NEG_INFINITY, 0.0];
        if !self.mip_linear {
            edges.extend((0..=last).map(|level| level as f32 + 0.5));
            edges.push(f32::INFINITY);
        }
        let step = |lambda: f32| (lambda - self.bias).exp2().clamp(STEPS.0, STEPS.1);
        let span = |edge: &[f32]| {
            let inside = edge[1].min(edge[0] + 0.25);
            let (level, _, nearest) = self.levels_at(inside, last);
            let span = Span {
                low: step(edge[0]) * (1.0 + APART),
                high: step(edge[1]) * (1.0 - APART),
                level,
            };
            (!nearest).then_some(span)
        };
        edges.windows(2).filter_map(span).collect()
    }

    /// The span that all of these steps are in.
    #[inline(always)]
    fn span_of<S: Simd>(&self, step: S::F) -> Option<Span> {
        self.spans.iter().copied().find(|s| s.holds::<S>(step))
    }

    /// Pixels in several spans; `None` if there are others.
    #[inline(always)]
    fn mixed<S: Simd>(
        &self,
        [s, t]: [S::F; 2],
        step: S::F,
        repeats: [bool; 2],
    ) -> Option<[S::F; 4]> {
        let mut out = [S::splat(0.0); 4];
        let mut todo = ALL;
        if self
            .spans
            .iter()
            .fold(0, |in_any, span| in_any | span.lanes::<S>(step))
            != ALL
        {
            return None;
        }
        for span in &self.spans {
            let here = span.lanes::<S>(step) & todo;
            if here == 0 {
                continue;
            }
            let texel = self.levels[span.level].bilinear_bytes::<S>(s, t, repeats)?;
            for c in 0..4 {
                out[c] = S::select(S::mask(here), texel[c], out[c]);
            }
            todo &= !here;
            if todo == 0 {
                break;
            }
        }
        Some(out)
    }
}

impl Span {
    /// The lanes whose steps are in it.
    #[inline(always)]
    fn lanes<S: Simd>(&self, step: S::F) -> u32 {
        let above = S::bits(S::lt(S::splat(self.low), step));
        above & S::bits(S::lt(step, S::splat(self.high)))
    }

    #[inline(always)]
    fn holds<S: Simd>(&self, step: S::F) -> bool {
        self.lanes::<S>(step) == ALL
    }
}

/// Where a batch's lookups begin and end.
pub(crate) struct Lookups<'a> {
    pub(crate) s: &'a Row,
    pub(crate) t: &'a Row,
    pub(crate) groups: Range<usize>,
    /// What comes out is rounded to half floats.
    pub(crate) rounds: bool,
}

dispatch! {
    /// Samples the groups of a batch whose lookups are common ones; one bit for each of the
    /// others, which are left as they were.
    pub(crate) fn sample_common(texture: &Sampler, lookups: &Lookups, out: [&mut Row; 4]) -> u32 = sample_common_any::<Lanes>;
}

#[inline(always)]
fn sample_common_any<S: Simd>(texture: &Sampler, lookups: &Lookups, out: [&mut Row; 4]) -> u32 {
    let groups = lookups.groups.clone();
    let mut left = 0;
    let Some(mut span) = texture.spans.first().copied() else {
        return groups.fold(0, |left, k| left | 1 << k);
    };
    let repeats = [texture.wrap[0] == 0, texture.wrap[1] == 0];
    let (w, h) = texture.levels[0].size();
    for k in groups {
        let (s, t) = (S::load(&lookups.s[k]), S::load(&lookups.t[k]));
        let mut texel = None;
        if !texture.fixed {
            let across = S::mul(largest_step::<S>(s), S::splat(w));
            let step = S::max(across, S::mul(largest_step::<S>(t), S::splat(h)));
            if !span.holds::<S>(step) {
                if let Some(other) = texture.span_of::<S>(step) {
                    span = other;
                } else {
                    texel = texture.mixed::<S>([s, t], step, repeats);
                    if texel.is_none() {
                        left |= 1 << k;
                        continue;
                    }
                }
            }
        }
        let level = &texture.levels[span.level];
        let texel = texel.or_else(
            #[inline(always)]
            || level.bilinear_bytes::<S>(s, t, repeats),
        );
        let Some(texel) = texel else {
            left |= 1 << k;
            continue;
        };
        for c in 0..4 {
            let x = if lookups.rounds {
                S::half(texel[c])
            } else {
                texel[c]
            };
            S::store(x, &mut out[c][k]);
        }
    }
    left
}
