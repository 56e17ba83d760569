//! What a lookup does for one lane, by the general path itself.

use super::sample::{Coords, Sampler};
use super::tap::Tap;
use super::unit::Filter;
use crate::observe::{Filtered, Sampled, Texel};

#[derive(Default)]
struct Followed {
    lod: Vec<i32>,
    levels: Vec<Filtered>,
    probe: Option<u32>,
    killed: bool,
}

impl Followed {
    fn fetched(&mut self, at: [i32; 3], value: u32, border: bool) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let weight = if level.filter == "Linear" {
            share(level.place, at)
        } else {
            0
        };
        level.texels.push(Texel {
            at,
            weight,
            value,
            border,
            compared: None,
        });
    }
}

/// The weight of a texel in a linear filter: 8 bits of each axis.
fn share(place: [i32; 3], at: [i32; 3]) -> u32 {
    let axis = |k: usize| {
        let w = place[k] as u32 & 255;
        if at[k] == place[k] >> 8 { 256 - w } else { w }
    };
    // A flat image has no third axis: its weight is 0 or, in a volume, cut to fit.
    let flat = axis(0) * axis(1);
    if place[2] & 255 == 0 {
        flat
    } else {
        flat * axis(2)
    }
}

impl Tap for Followed {
    fn kill(&mut self) {
        self.killed = true;
    }

    fn lod(&mut self, lod: i32) {
        self.lod.push(lod);
    }

    fn probe(&mut self, weight: u32) {
        self.probe = Some(weight);
    }

    fn level(&mut self, number: usize, filter: Filter, place: [i32; 3]) {
        self.levels.push(Filtered {
            level: number,
            probe: self.probe,
            filter: format!("{filter:?}"),
            place,
            texels: Vec::new(),
        });
    }

    fn texel(&mut self, at: [i32; 3], _: usize, texel: u32) {
        self.fetched(at, texel, false);
    }

    fn border(&mut self, at: [i32; 3], color: u32) {
        self.fetched(at, color, true);
    }

    fn compared(&mut self, reference: u32) {
        let level = self.levels.last_mut();
        if let Some(texel) = level.and_then(|level| level.texels.last_mut()) {
            texel.compared = Some(reference);
        }
    }
}

impl Sampler<'_> {
    /// Samples as [`Sampler::sample`] does and says what lane `lane` saw.
    pub(crate) fn explain(&self, c: &Coords, lane: usize) -> Sampled {
        let mut followed = Followed::default();
        let texel = self.lane(c, &self.spread(c), lane, &mut followed);
        let source = &self.unit.source;
        let mut lod = followed.lod;
        lod.dedup();
        Sampled {
            address: source.addr,
            format: format!("{:?} {:?}", source.format.texel, source.format.layout),
            size: self.unit.data.size,
            wrap: self.unit.control.wrap.map(|w| format!("{w:?}")),
            coords: [c.u[lane], c.v[lane], c.p[lane]],
            face: self.unit.control.cube.then_some(c.face[lane]),
            lod,
            levels: followed.levels,
            killed: followed.killed,
            texel,
        }
    }
}
