//! What fixed function computes on the way, for those who want to look.

use super::{Batch, Fixed, Lt};
use crate::xf::VtxOut;
use crate::xf::arith::Lanes;
use crate::xf::mode::LightMode;

/// One value on the way of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name: "eye position", "diffuse factor" …
    pub what: &'static str,
    /// Which light or texture set it belongs to.
    pub index: Option<usize>,
    /// Float32 bit patterns, one per component; LT's have their low ten bits clear.
    pub values: Vec<u32>,
}

/// Front and back, primary and secondary.
const COLOR_NAMES: [&str; 4] = [
    "lit front diffuse",
    "lit front specular",
    "lit back diffuse",
    "lit back specular",
];

/// By side; the first is the attenuation.
const FACTOR_NAMES: [[&str; 3]; 2] = [
    ["attenuation", "diffuse factor", "specular factor"],
    [
        "back attenuation",
        "back diffuse factor",
        "back specular factor",
    ],
];

/// A list of values, each the first lane's.
struct List(Vec<Seen>);

impl List {
    fn add<const N: usize>(&mut self, what: &'static str, values: &[Lanes<N>]) {
        self.of(what, None, values.iter().map(|lanes| lanes[0]).collect());
    }

    fn of(&mut self, what: &'static str, index: Option<usize>, values: Vec<u32>) {
        self.0.push(Seen {
            what,
            index,
            values,
        });
    }
}

impl Fixed<'_> {
    /// Lists what the steps have left behind, in their order.
    pub(super) fn seen(&self, batch: &Batch, out: &VtxOut) -> Vec<Seen> {
        let (mode, need) = (self.mode, &self.need);
        let mut list = List(Vec::new());
        if mode.weights.0 > 1 {
            list.add("weights", &batch.weights[..mode.weights.0]);
        }
        if need.eye {
            list.add("eye position", &batch.eye);
        }
        list.add("clip position", &batch.clip);
        list.add("1/w", &[batch.rw]);
        if need.normal {
            list.add("normal", &batch.normal);
        }
        if need.eye_vector {
            list.add("vector to the eye", &batch.to_eye);
            list.add("distance to the eye", &[batch.distance]);
        }
        if mode.fog {
            list.add("fog coordinate", &[batch.fog_coordinate]);
            list.add("fog value", &[batch.fog]);
        }
        if let Some(lt) = &batch.lt {
            self.lt_seen(lt, &mut list);
        }
        if need.reflection {
            list.add("reflection vector", &batch.reflection);
            list.add("sphere map", &batch.sphere);
        }
        for i in (0..need.sets).filter(|i| need.computed >> i & 1 != 0) {
            list.of("texture coordinates", Some(i), out.tex[i].to_vec());
        }
        if need.planes {
            list.of("clip distances", None, out.clip.to_vec());
        }
        list.0
    }

    fn lt_seen(&self, lt: &Lt, list: &mut List) {
        let sides = match (self.mode.lighting, self.mode.two_side) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        for (names, factors) in FACTOR_NAMES.iter().zip(&lt.factors).take(sides) {
            for (i, light) in factors.iter().enumerate() {
                if self.mode.lights[i] == LightMode::Off {
                    continue;
                }
                let values = [light.ambient, light.diffuse, light.specular];
                for (name, value) in names.iter().zip(values) {
                    list.of(name, Some(i), vec![value[0]]);
                }
            }
        }
        if self.mode.lighting {
            for (name, color) in COLOR_NAMES.into_iter().zip(&lt.lit) {
                list.add(name, color);
            }
        }
        if self.mode.point_params {
            list.add("point size", &[lt.point_size]);
        }
    }
}
