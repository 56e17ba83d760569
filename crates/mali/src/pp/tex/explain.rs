//! What a lookup did for one pixel, by the functions that do it for all.

use super::layers::Place;
use super::{LANES, Sampler, linear_texels, nearest_texel};
use isotherm_bus::observe::{MaliLevel, MaliLookup, MaliTexel};

impl Sampler {
    /// What a lookup did for pixel `at` of a quad with these coordinates.
    #[cold]
    pub(crate) fn explain(
        &self,
        quad: &[[f32; 4]; 4],
        at: usize,
        lod: Option<(f32, bool)>,
        cube: bool,
        out: &mut MaliLookup,
    ) {
        let (w, h) = self.levels[0].size();
        let layers = self.levels[0].layers();
        out.size = Some([w as u32, h as u32, layers]);
        let cube = cube || self.cube;
        let xyz = |i: usize| [quad[i][0], quad[i][1], quad[i][2]];
        let place = Place::new(xyz(at), cube);
        if let Place::Face(face, _) = place {
            out.face = Some(face as u8);
        }
        let planar = !cube && layers == 1;
        let rho = if planar {
            self.planar_step([xyz(0), xyz(1), xyz(2)])
        } else {
            self.layers_step([xyz(0), xyz(1), xyz(2)], cube)
        };
        let rho = rho.log2();
        let lambda = match lod {
            _ if self.fixed && !self.has_layers() => 0.0,
            Some((level, true)) => level,
            Some((bias, false)) => rho + bias,
            None => rho,
        } + self.bias;
        if !(self.fixed && planar) {
            out.lod = Some(lambda);
        }
        let (a, b, nearest) = self.levels_at(
            if self.fixed && planar { 0.0 } else { lambda },
            self.levels.len() - 1,
        );
        let second = if a == b {
            0.0
        } else {
            self.clamped(lambda) - a as f32
        };
        let mut told = vec![(a, 1.0 - second)];
        if a != b {
            told.push((b, second));
        }
        for (level, share) in told {
            let layers = if planar {
                vec![(0, 1.0)]
            } else {
                let layers = self.layers_at(level, place, nearest).into_iter();
                layers.filter(|&(_, share)| share != 0.0).collect()
            };
            let layer = |&(layer, share)| self.texels(level, place, layer, share, nearest);
            out.levels.push(MaliLevel {
                level,
                share,
                texels: layers.iter().flat_map(layer).collect(),
            });
        }
    }

    /// The largest step in texels between neighbours of a quad.
    fn planar_step(&self, quad: [[f32; 3]; 3]) -> f32 {
        let (w, h) = if self.unnormalised {
            (1.0, 1.0)
        } else {
            self.levels[0].size()
        };
        let step = |i: usize| {
            let (a, b) = (quad[i], quad[0]);
            ((a[0] - b[0]).abs() * w).max((a[1] - b[1]).abs() * h)
        };
        step(1).max(step(2))
    }

    /// The texels of a layer under a coordinate; `share` is the layer's.
    fn texels(
        &self,
        level: usize,
        place: Place,
        layer: i32,
        share: f32,
        nearest: bool,
    ) -> Vec<MaliTexel> {
        let level = &self.levels[level];
        let (w, h) = level.size();
        let [s, t] = place.st();
        let (sw, sh) = match place {
            Place::Volume(_) if self.unnormalised => (1.0, 1.0),
            _ => (w, h),
        };
        let (s, t) = ([s; LANES], [t; LANES]);
        let texel = |i: i32, j: i32, weight: f32| MaliTexel {
            at: [i, j, layer],
            weight: weight * share,
            value: level.texel(i, j, layer, &self.border),
        };
        if nearest {
            let i = nearest_texel(self.wrap[0], &s, sw, w)[0];
            let j = nearest_texel(self.wrap[1], &t, sh, h)[0];
            return vec![texel(i, j, 1.0)];
        }
        let (i0, i1, fx) = linear_texels(self.wrap[0], &s, sw, w);
        let (j0, j1, fy) = linear_texels(self.wrap[1], &t, sh, h);
        let (x, y) = (fx[0], fy[0]);
        vec![
            texel(i0[0], j0[0], (1.0 - x) * (1.0 - y)),
            texel(i1[0], j0[0], x * (1.0 - y)),
            texel(i0[0], j1[0], (1.0 - x) * y),
            texel(i1[0], j1[0], x * y),
        ]
    }
}
