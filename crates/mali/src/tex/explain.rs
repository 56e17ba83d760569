//! What a lookup did for one pixel, by the functions that do it for all.

use super::{LANES, Sampler, cube_face, linear_texels, nearest_texel, on_face};
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
        let first = if cube { cube_face(xyz(0)) } else { 0 };
        let st = |i: usize| {
            if cube {
                on_face(xyz(i), first)
            } else {
                [quad[i][0], quad[i][1]]
            }
        };
        let scale = if self.unnormalised && !cube {
            (1.0, 1.0)
        } else {
            (w, h)
        };
        let step = |i: usize| {
            let (a, b) = (st(i), st(0));
            ((a[0] - b[0]).abs() * scale.0).max((a[1] - b[1]).abs() * scale.1)
        };
        let rho = step(1).max(step(2)).log2();
        let lambda = match lod {
            _ if self.fixed && !self.has_layers() => 0.0,
            Some((level, true)) => level,
            Some((bias, false)) => rho + bias,
            None => rho,
        } + self.bias;
        let planar = !cube && layers == 1;
        if !(self.fixed && planar) {
            out.lod = Some(lambda);
        }
        let (a, b, nearest) = self.levels_at(
            if self.fixed && planar { 0.0 } else { lambda },
            self.levels.len() - 1,
        );
        let (layer, st) = if cube {
            let face = cube_face(xyz(at));
            out.face = Some(face as u8);
            (face as i32, on_face(xyz(at), face))
        } else {
            let depth = self.levels[a].layers() as f32;
            let layer = nearest_texel(self.wrap[2], &[quad[at][2]; LANES], depth, depth)[0];
            (if planar { 0 } else { layer.max(0) }, st(at))
        };
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
            let texels = self.texels(level, st, layer, nearest, cube);
            out.levels.push(MaliLevel {
                level,
                share,
                texels,
            });
        }
    }

    /// The texels under a coordinate.
    fn texels(
        &self,
        level: usize,
        st: [f32; 2],
        layer: i32,
        nearest: bool,
        cube: bool,
    ) -> Vec<MaliTexel> {
        let level = &self.levels[level];
        let (w, h) = level.size();
        let (sw, sh) = if self.unnormalised && !cube {
            (1.0, 1.0)
        } else {
            (w, h)
        };
        let (s, t) = ([st[0]; LANES], [st[1]; LANES]);
        let texel = |i: i32, j: i32, weight: f32| MaliTexel {
            at: [i, j, layer],
            weight,
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
