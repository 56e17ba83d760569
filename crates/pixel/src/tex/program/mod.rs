//! Textures as the fragment programs of Rankine and Curie sample them.
//!
//! A unit's words are taken apart once per state change ([`ProgramUnit`]), the image is
//! found or decoded when a draw starts ([`BoundUnit`]), and sixteen pixels are sampled at a
//! time. Pixels lie as in `isotherm_lanes::simd`: four quads, in each left to right, then down.
//!
//! Where nothing else is said, the rules are those that Kelvin's pictures show
//! (docs/accuracy/tex.md): weights with eight fraction bits, cut; levels of detail with
//! eight; the Euclidean length of the longer side of the footprint. The pictures of an RSX
//! confirm the filter: every blend is rounded to the texel's own precision.

mod axis;
mod certain;
mod cube;
mod flat;
mod format;
mod general;
mod lod;
mod output;
mod unit;

use super::image::{Image, TexCache};
use super::lanes::{SampleLanes, SimpleLevel};
use certain::Certain;
use isotherm_bus::memory::Memory;
use isotherm_lanes::{LANES, Lane, Simd};
use output::Output;
use std::sync::Arc;
pub use unit::ProgramUnit;

/// How an instruction chooses the level of detail.
pub(crate) enum Lookup<F> {
    /// By the differences within quads.
    Implicit,
    /// By the squared length of the longer one, which was found before ([`BoundUnit::footprint`]).
    Footprint(F),
    /// By the differences, and this much more.
    Bias(F),
    /// The level itself.
    Explicit(F),
    /// By these derivatives of s, t, r.
    Gradients { dx: [F; 3], dy: [F; 3] },
}

/// A unit with its image: what the pixels of a draw sample.
#[derive(Debug)]
pub struct BoundUnit {
    unit: ProgramUnit,
    image: Arc<Image>,
    certain: Certain,
    /// Levels that are sampled by the shortest way, with either filter; none if there is none.
    simple: Vec<[SimpleLevel; 2]>,
}

impl ProgramUnit {
    /// Address and length of the image in memory.
    pub fn reads(&self) -> (u32, usize) {
        self.source.reads()[0]
    }

    /// Finds or decodes the image.
    pub fn bind(&self, mem: &Memory, cache: &mut TexCache) -> BoundUnit {
        let image = cache.get(&self.source, mem);
        BoundUnit {
            certain: Certain::new(self, image.levels.len() - 1),
            simple: self.simple_levels(&image).unwrap_or_default(),
            image,
            unit: self.clone(),
        }
    }
}

impl BoundUnit {
    /// Are coordinates directions?
    pub(crate) fn is_cube(&self) -> bool {
        self.unit.source.cube
    }

    /// Do lookups without more need a pixel's neighbours for nothing but the footprint?
    pub(crate) fn stands_apart(&self) -> bool {
        self.unit.flat && self.unit.source.dims <= 2
    }

    /// Are the results bytes of texels, in their order?
    pub(crate) fn gives_bytes(&self) -> bool {
        self.unit.flat && !self.unit.kills && self.unit.output.hands_on()
    }

    /// Is no component of a result ever below zero?
    pub(crate) fn never_negative(&self) -> bool {
        self.unit.flat && !self.unit.output.expand
    }

    /// These bytes: blue and red, green and alpha.
    #[inline(always)]
    pub(crate) fn bytes<S: SampleLanes>(&self, [s, t]: [S::F; 2], footprint: S::F) -> [S::I; 2] {
        let zero = S::splat(0.0);
        self.flat::<S>(&[s, t, zero, zero], Lookup::Footprint(footprint))
    }

    /// What [`Lookup::Implicit`] would find at s and t; `None` if it does not matter.
    #[inline(always)]
    pub(crate) fn footprint<S: Simd>(&self, [s, t]: [S::F; 2]) -> Option<S::F> {
        let zero = S::splat(0.0);
        let coords = [s, t, zero, zero];
        let needed = self.unit.needs_lod();
        needed.then(|| self.unit.footprints::<S>(&coords, &Lookup::Implicit))
    }

    /// Samples sixteen pixels at s, t, r (q was divided by before): R, G, B, A. What a depth
    /// texture compares with is r. The other result is the pixels that the texels give up.
    #[inline(always)]
    pub(crate) fn sample<S: SampleLanes>(
        &self,
        coords: &[S::F; 4],
        lookup: Lookup<S::F>,
    ) -> ([S::F; 4], u32) {
        let mut killed = 0;
        let texel = if self.unit.flat {
            let pairs = self.flat::<S>(coords, lookup);
            self.unit.output.apply_bytes::<S>(pairs)
        } else {
            self.sample_any::<S>(coords, lookup, &mut killed)
        };
        if self.unit.kills {
            killed |= S::bits(S::eq(texel[3], S::splat(0.0)));
        }
        (texel, killed)
    }

    #[inline(always)]
    fn sample_any<S: Simd>(
        &self,
        coords: &[S::F; 4],
        lookup: Lookup<S::F>,
        killed: &mut u32,
    ) -> [S::F; 4] {
        let mut lanes = [[0.0; LANES]; 4];
        for k in 0..4 {
            S::store(coords[k], &mut lanes[k]);
        }
        let raw = self.general(&lanes, &lookup.stored::<S>(), killed);
        self.unit.output.apply::<S>([
            S::load(&raw[0]),
            S::load(&raw[1]),
            S::load(&raw[2]),
            S::load(&raw[3]),
        ])
    }
}

#[inline(always)]
fn store<S: Simd>(x: S::F) -> Lane {
    let mut lane = [0.0; LANES];
    S::store(x, &mut lane);
    lane
}

impl<F: Copy> Lookup<F> {
    #[inline(always)]
    fn stored<S: Simd<F = F>>(&self) -> Lookup<Lane> {
        match *self {
            Lookup::Implicit => Lookup::Implicit,
            Lookup::Footprint(x) => Lookup::Footprint(store::<S>(x)),
            Lookup::Bias(x) => Lookup::Bias(store::<S>(x)),
            Lookup::Explicit(x) => Lookup::Explicit(store::<S>(x)),
            Lookup::Gradients { dx, dy } => Lookup::Gradients {
                dx: [store::<S>(dx[0]), store::<S>(dx[1]), store::<S>(dx[2])],
                dy: [store::<S>(dy[0]), store::<S>(dy[1]), store::<S>(dy[2])],
            },
        }
    }
}

#[cfg(test)]
mod tests;
