//! Textures with layers, pixel by pixel: cubes and volumes.

use super::{LANES, Lane, Sampler, linear_texels, nearest_texel, to_int};

/// Where a pixel looks: on a face of a cube, or in a volume.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Face(usize, [f32; 2]),
    Volume([f32; 3]),
}

impl Place {
    /// Where coordinates point to.
    pub(super) fn new(coord: [f32; 3], cube: bool) -> Place {
        if cube {
            let face = cube_face(coord);
            Place::Face(face, on_face(coord, face))
        } else {
            Place::Volume(coord)
        }
    }

    pub(super) fn st(&self) -> [f32; 2] {
        match *self {
            Place::Face(_, st) => st,
            Place::Volume([s, t, _]) => [s, t],
        }
    }
}

impl Sampler {
    #[inline(never)]
    pub(super) fn sample_layers(
        &self,
        coord: [&Lane; 4],
        lod: Option<(&Lane, bool)>,
        cube: bool,
    ) -> [Lane; 4] {
        let mut out = [[0.0; LANES]; 4];
        for quad in 0..LANES / 4 {
            let at = |i: usize| {
                let n = quad * 4 + i;
                [coord[0][n], coord[1][n], coord[2][n]]
            };
            let rho = self.layers_step([at(0), at(1), at(2)], cube).log2();
            for i in 0..4 {
                let n = quad * 4 + i;
                let lambda = match lod {
                    Some((level, true)) => level[n],
                    Some((bias, false)) => rho + bias[n],
                    None => rho,
                };
                let lambda = lambda + self.bias;
                let (first, second, nearest) = self.levels_at(lambda, self.levels.len() - 1);
                let place = Place::new(at(i), cube);
                let a = self.in_level(first, place, nearest);
                let texel = if second == first {
                    a
                } else {
                    let b = self.in_level(second, place, nearest);
                    mix(a, b, self.clamped(lambda) - first as f32)
                };
                for c in 0..4 {
                    out[c][n] = texel[c];
                }
            }
        }
        out
    }

    /// The largest step in texels from the first pixel of a quad to its neighbours across and
    /// down. On a cube all three are seen from the face of the first.
    pub(super) fn layers_step(&self, quad: [[f32; 3]; 3], cube: bool) -> f32 {
        let (w, h) = self.levels[0].size();
        let size = [w, h, self.levels[0].layers() as f32];
        let face = cube_face(quad[0]);
        let on = |coord: [f32; 3]| {
            if cube {
                let [s, t] = on_face(coord, face);
                [s, t, 0.0]
            } else {
                coord
            }
        };
        let first = on(quad[0]);
        let step = |coord: [f32; 3]| {
            let there = on(coord);
            (0..3).fold(0.0, |step: f32, i| {
                step.max((there[i] - first[i]).abs() * size[i])
            })
        };
        step(quad[1]).max(step(quad[2]))
    }

    /// The layers of a level that take part, with their shares: one, or the two beside a
    /// coordinate of a volume that is filtered.
    pub(super) fn layers_at(&self, level: usize, place: Place, nearest: bool) -> [(i32, f32); 2] {
        let layers = self.levels[level].layers() as f32;
        match place {
            Place::Face(face, _) => [(face as i32, 1.0), (face as i32, 0.0)],
            Place::Volume([.., r]) if nearest => {
                let layer = nearest_texel(self.wrap[2], &[r; LANES], layers, layers)[0];
                [(layer, 1.0), (layer, 0.0)]
            }
            Place::Volume([.., r]) => {
                let (a, b, share) = linear_texels(self.wrap[2], &[r; LANES], layers, layers);
                [(a[0], 1.0 - share[0]), (b[0], share[0])]
            }
        }
    }

    fn in_level(&self, level: usize, place: Place, nearest: bool) -> [f32; 4] {
        let [(first, _), (second, share)] = self.layers_at(level, place, nearest);
        let a = self.in_layer(level, first, place, nearest);
        if share == 0.0 {
            return a;
        }
        mix(a, self.in_layer(level, second, place, nearest), share)
    }

    fn in_layer(&self, level: usize, layer: i32, place: Place, nearest: bool) -> [f32; 4] {
        let level = &self.levels[level];
        let (w, h) = level.size();
        let st = place.st();
        // Faces are not joined: the wraps act inside each (ES 2 has nothing else).
        let joined = self.joined && matches!(place, Place::Face(..));
        let (s, t) = ([st[0]; LANES], [st[1]; LANES]);
        if nearest {
            let i = nearest_texel(self.wrap[0], &s, w, w)[0];
            let j = nearest_texel(self.wrap[1], &t, h, h)[0];
            return level.texel(i, j, layer, &self.border);
        }
        let (i0, i1, fx) = linear_texels(self.wrap[0], &s, w, w);
        let (j0, j1, fy) = linear_texels(self.wrap[1], &t, h, h);
        let (i0, i1, j0, j1) = if joined {
            let (i, j) = (st[0] * w - 0.5, st[1] * h - 0.5);
            let (i, j) = (to_int(i.floor()), to_int(j.floor()));
            (i, i + 1, j, j + 1)
        } else {
            (i0[0], i1[0], j0[0], j1[0])
        };
        let get = |i: i32, j: i32| {
            let (i, j, layer) = if joined {
                across(layer, i, j, (w, h))
            } else {
                (i, j, layer)
            };
            level.texel(i, j, layer, &self.border)
        };
        let top = mix(get(i0, j0), get(i1, j0), fx[0]);
        let bottom = mix(get(i0, j1), get(i1, j1), fx[0]);
        mix(top, bottom, fy[0])
    }
}

/// Between two colours.
fn mix(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * share)
}

/// +x, −x, +y, −y, +z, −z.
pub(super) fn cube_face(v: [f32; 3]) -> usize {
    let a = v.map(f32::abs);
    if a[0] >= a[1] && a[0] >= a[2] {
        usize::from(v[0] < 0.0)
    } else if a[1] >= a[2] {
        2 + usize::from(v[1] < 0.0)
    } else {
        4 + usize::from(v[2] < 0.0)
    }
}

/// The texel beside the edge of a face, on the face that it belongs to.
fn across(face: i32, i: i32, j: i32, (w, h): (f32, f32)) -> (i32, i32, i32) {
    let inside = |i: i32, size: f32| i >= 0 && i < size as i32;
    if inside(i, w) && inside(j, h) {
        return (i, j, face);
    }
    // On the edge itself, a little nearer to the neighbour.
    let at = |i: i32, size: f32| ((2 * i + 1) as f32 / size - 1.0).clamp(-1.0, 1.0);
    let (s, t, m) = (at(i, w), at(j, h), 1.0 - 0.5 / w);
    let v = match face {
        0 => [m, -t, -s],
        1 => [-m, -t, s],
        2 => [s, m, t],
        3 => [s, -m, -t],
        4 => [s, -t, m],
        _ => [-s, -t, -m],
    };
    let face = cube_face(v);
    let [s, t] = on_face(v, face);
    let texel = |s: f32, size: f32| to_int((s * size).floor()).clamp(0, size as i32 - 1);
    (texel(s, w), texel(t, h), face as i32)
}

/// A direction on a face, 0…1.
pub(super) fn on_face(v: [f32; 3], face: usize) -> [f32; 2] {
    let [x, y, z] = v;
    let (s, t, m) = match face {
        0 => (-z, -y, x),
        1 => (z, -y, x),
        2 => (x, z, y),
        3 => (x, -z, y),
        4 => (x, -y, z),
        _ => (-x, -y, z),
    };
    let m = m.abs();
    [(s / m + 1.0) / 2.0, (t / m + 1.0) / 2.0]
}
