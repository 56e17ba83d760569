//! What a lookup does for one lane, by the general path itself.

use super::sample::{Coords, Sampler};
use super::tap::Tap;
use super::unit::{Filter, Kernel};
use isotherm_bus::observe::{Filtered, Sampled, Texel};

struct Followed {
    lod: Vec<i32>,
    levels: Vec<Filtered>,
    filter: Filter,
    /// Axes that a linear filter blends.
    axes: usize,
    kernel: Kernel,
    probe: Option<u32>,
    killed: bool,
}

impl Followed {
    fn fetched(&mut self, at: [i32; 3], value: u32, border: bool) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let weight = match self.filter {
            Filter::Nearest => 1.0,
            Filter::Linear => (0..self.axes)
                .map(|k| share(level.place[k], at[k]))
                .product(),
            Filter::Convolution => {
                let off = |k: usize| (at[k] - (level.place[k] >> 8)).unsigned_abs() as usize;
                self.kernel.weights()[(off(0) + off(1)).min(2)] as f32 / 16.0
            }
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

/// The weight of a texel along one axis of a linear filter.
fn share(place: i32, at: i32) -> f32 {
    let w = (place & 255) as f32 / 256.0;
    if at == place >> 8 { 1.0 - w } else { w }
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
        self.filter = filter;
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
        let control = &self.unit.control;
        let volume = control.dims == 3 && c.three;
        let mut followed = Followed {
            lod: Vec::new(),
            levels: Vec::new(),
            filter: Filter::Nearest,
            axes: if volume {
                3
            } else {
                usize::from(control.dims.min(2))
            },
            kernel: control.kernel,
            probe: None,
            killed: false,
        };
        let texel = self.lane(c, &self.spread(c), lane, &mut followed);
        let source = &self.unit.source;
        let mut lod = followed.lod;
        lod.dedup();
        Sampled {
            address: source.addr,
            format: format!("{:?} {:?}", source.format.texel, source.format.layout),
            size: self.unit.data.size,
            wrap: control.wrap.map(|w| format!("{w:?}")),
            coords: [c.u[lane], c.v[lane], c.p[lane]],
            face: control.cube.then_some(c.face[lane]),
            lod,
            levels: followed.levels,
            killed: followed.killed,
            texel,
        }
    }
}
