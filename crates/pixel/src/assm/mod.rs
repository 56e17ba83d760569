//! ASSM: primitives out of vertices; facing, culling, polygon modes.
//!
//! The vertex order matters: interpolation is not symmetric in its vertices.

mod bundles;
#[cfg(target_arch = "x86_64")]
mod plain;

pub use bundles::Bundles;

use crate::raster::line::Line;
use crate::raster::point::Point;
use crate::raster::slope;
use crate::raster::tile::{Draw, point_size};
use crate::raster::tri::{Corners, behind_eye, bounds, within_reach};
use crate::raster::{Prim, PrimKind, RasterState};
use isotherm_bus::saved::Saved;
use isotherm_bus::verts::VtxHead;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{CONFIG_B, RASTER};

/// What BEGIN starts (GL's number plus one).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    None,
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
    Quads,
    QuadStrip,
    Polygon,
}

/// By BEGIN's number.
const MODES: [Mode; 11] = [
    Mode::None,
    Mode::Points,
    Mode::Lines,
    Mode::LineLoop,
    Mode::LineStrip,
    Mode::Triangles,
    Mode::TriangleStrip,
    Mode::TriangleFan,
    Mode::Quads,
    Mode::QuadStrip,
    Mode::Polygon,
];

/// What the registers say, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Flat primitives take the colour of their first vertex, not of their last.
    pub provoking_first: bool,
    /// FILL 0, POINT 1, LINE 2 for front and back faces.
    pub polygon_mode: [u32; 2],
    /// Front, back faces are dropped.
    pub cull: [bool; 2],
    /// Clockwise polygons are front faces.
    pub front_clockwise: bool,
    /// Primitives beyond the depth range are dropped.
    pub cull_near_far: bool,
}

impl Settings {
    /// Takes the registers apart.
    pub fn prepare(chip: Chip, bundles: &Bundles) -> Settings {
        let raster = bundles.RASTER;
        let faces = match RASTER::CULL_FACE_ENABLE.is_set(chip, raster) {
            true => RASTER::CULL_FACE.get(chip, raster),
            false => 0,
        };
        Settings {
            provoking_first: CONFIG_B::PROVOKING_VERTEX.is_set(chip, bundles.CONFIG_B),
            polygon_mode: [
                RASTER::POLYGON_MODE_FRONT.get(chip, raster),
                RASTER::POLYGON_MODE_BACK.get(chip, raster),
            ],
            cull: [faces & 1 != 0, faces & 2 != 0],
            front_clockwise: !RASTER::FRONT_FACE.is_set(chip, raster),
            cull_near_far: RASTER::CULL_NEAR_FAR.is_set(chip, raster),
        }
    }
}

/// Assembly in progress.
#[derive(Clone, Debug, Default)]
pub struct Assm {
    mode: Mode,
    /// Vertices since BEGIN.
    count: u64,
    /// The first vertex, and the last three, newest first.
    first: u32,
    last: [u32; 3],
    /// Pixels of the stipple pattern that a strip or loop has used up.
    phase: u32,
}

/// Where primitives go.
pub struct Out<'a> {
    /// The scene's vertices.
    pub verts: &'a [VtxHead],
    /// Assembly's own switches.
    pub settings: &'a Settings,
    /// The draw's state.
    pub state: &'a RasterState,
    /// The draw's number.
    pub draw: u32,
    /// Samples are not only at pixel centres.
    pub multisample: bool,
    /// The scene's primitives.
    pub prims: &'a mut Vec<Prim>,
}

impl Assm {
    /// BEGIN.
    pub fn begin(&mut self, prim: u8) {
        *self = Assm {
            mode: MODES.get(usize::from(prim)).copied().unwrap_or_default(),
            ..Assm::default()
        };
    }

    /// What an open primitive has so far, but for its vertices: on loading those have the
    /// numbers that [`Assm::carry`] gives them.
    pub fn saved(&mut self, saved: &mut Saved) {
        // More vertices than anybody can send, so that counting them does not overflow.
        const MOST: u64 = 1 << 48;
        let Assm {
            mode,
            count,
            first: _,
            last: _,
            phase,
        } = self;
        let mut prim = MODES.iter().position(|kept| kept == mode).unwrap_or(0) as u32;
        saved.word(&mut prim);
        *mode = MODES.get(prim as usize).copied().unwrap_or_default();
        saved.wide(count);
        *count %= MOST;
        saved.word(phase);
        if saved.loads() {
            self.carry();
        }
    }

    /// The vertices that later ones may still need.
    pub fn needs(&self) -> [u32; 4] {
        [self.first, self.last[0], self.last[1], self.last[2]]
    }

    /// The same primitive with no vertex yet.
    pub fn fresh(&self) -> Assm {
        Assm {
            mode: self.mode,
            ..Assm::default()
        }
    }

    /// The vertices that later ones may still need, to be kept over a flush; they
    /// get the numbers 0 to 3.
    pub fn carry(&mut self) -> [u32; 4] {
        let kept = self.needs();
        self.first = 0;
        self.last = [1, 2, 3];
        kept
    }

    /// Goes on as if `count` vertices from number `v` on had been taken.
    pub fn skip(&mut self, v: u32, count: u32) {
        if self.count == 0 && count != 0 {
            self.first = v;
        }
        for i in count.saturating_sub(3)..count {
            self.last = [v + i, self.last[0], self.last[1]];
        }
        self.count += u64::from(count);
    }

    /// Takes vertices by their numbers.
    pub fn vertices(&mut self, numbers: &[u32], out: &mut Out<'_>) {
        let mut rest = numbers;
        if self.mode == Mode::Triangles && self.count.is_multiple_of(3) {
            rest = self.triangles(numbers, out);
        }
        for &v in rest {
            self.vertex(v, out);
        }
    }

    /// Takes whole triangles, which need nothing of what came before; returns what is left.
    fn triangles<'v>(&mut self, numbers: &'v [u32], out: &mut Out<'_>) -> &'v [u32] {
        let (whole, rest) = numbers.as_chunks();
        let Some(&[a, b, c]) = whole.last() else {
            return rest;
        };
        listed(whole, out);
        if self.count == 0 {
            self.first = whole[0][0];
        }
        self.last = [c, b, a];
        self.count += 3 * whole.len() as u64;
        rest
    }

    /// Takes vertex number `v`.
    pub fn vertex(&mut self, v: u32, out: &mut Out<'_>) {
        let n = self.count;
        let [a, b, c] = self.last; // n-1, n-2, n-3
        if n == 0 {
            self.first = v;
        }
        let first = out.settings.provoking_first;
        let pick = |f: u32, l: u32| if first { f } else { l };
        match self.mode {
            Mode::None => {}
            Mode::Points => out.point(v, v, true),
            Mode::Lines if n % 2 == 1 => {
                out.line([a, v], pick(a, v), true, 0);
            }
            Mode::LineLoop | Mode::LineStrip if n >= 1 => {
                self.phase = out.line([a, v], pick(a, v), true, self.phase);
            }
            Mode::Triangles if n % 3 == 2 => out.listed([b, a, v]),
            Mode::TriangleStrip if n >= 2 => {
                let order = if n.is_multiple_of(2) {
                    [b, a, v]
                } else {
                    [a, b, v]
                };
                out.triangle(order, pick(b, v), [true; 3]);
            }
            Mode::TriangleFan if n >= 2 => {
                out.triangle([self.first, a, v], pick(a, v), [true; 3]);
            }
            Mode::Quads if n % 4 == 3 => {
                out.triangle([c, b, a], v, [out.flag(b), false, out.flag(c)]);
                out.triangle([c, a, v], v, [out.flag(a), out.flag(v), false]);
            }
            Mode::QuadStrip if n >= 3 && n % 2 == 1 => {
                out.triangle([c, b, a], v, [false, true, true]);
                out.triangle([a, b, v], v, [true, true, false]);
            }
            Mode::Polygon if n >= 3 => self.fan_part(b, a, n == 3, false, out),
            _ => {}
        }
        self.last = [v, a, b];
        self.count += 1;
    }

    /// Will END draw something?
    pub fn closes(&self) -> bool {
        match self.mode {
            Mode::LineLoop => self.count >= 2,
            Mode::Polygon => self.count >= 3,
            _ => false,
        }
    }

    /// END.
    pub fn end(&mut self, out: &mut Out<'_>) {
        let [a, b, _] = self.last;
        match self.mode {
            Mode::LineLoop if self.count >= 2 => {
                let provoking = if out.settings.provoking_first {
                    a
                } else {
                    self.first
                };
                out.line([a, self.first], provoking, true, self.phase);
            }
            Mode::Polygon if self.count >= 3 => {
                self.fan_part(b, a, self.count == 3, true, out);
            }
            _ => {}
        }
        self.mode = Mode::None;
    }

    /// One triangle of a polygon: (first, a, b). Its colour is always vertex 0's.
    fn fan_part(&self, a: u32, b: u32, first: bool, last: bool, out: &mut Out<'_>) {
        let edges = [
            out.flag(a),
            last && out.flag(b),
            first && out.flag(self.first),
        ];
        out.triangle([self.first, a, b], self.first, edges);
    }
}

/// Triangles of a list by their vertices' numbers: the plain ones are a few vectors.
fn listed(list: &[[u32; 3]], out: &mut Out<'_>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(plain) = plain::Plain::of(out) {
        return plain::triangles(isotherm_lanes::Level::current(), &plain, list, out);
    }
    list.iter().for_each(|v| out.listed(*v));
}

impl<'a> Out<'a> {
    /// Primitives of a draw's state.
    pub fn new(
        verts: &'a [VtxHead],
        state: &'a Draw,
        draw: u32,
        prims: &'a mut Vec<Prim>,
    ) -> Out<'a> {
        Out {
            verts,
            settings: &state.assm,
            state: &state.raster,
            draw,
            multisample: state.beside_centres(),
            prims,
        }
    }
}

impl Out<'_> {
    fn flag(&self, v: u32) -> bool {
        self.verts[v as usize].edge_flag
    }

    fn at(&self, v: u32) -> &VtxHead {
        &self.verts[v as usize]
    }

    /// Beyond near or far with all vertices?
    fn culled(&self, v: &[u32]) -> bool {
        if !self.settings.cull_near_far {
            return false;
        }
        let scale = self.state.depth_scale as f32;
        let z = |v: &u32| f32::from_bits(self.at(*v).pos[2]) * scale;
        v.iter().all(|v| z(v) < self.state.near) || v.iter().all(|v| z(v) > self.state.far)
    }

    /// The polygon offset of points and lines, which have no slope.
    fn constant_offset(&self, kind: usize) -> f32 {
        if self.state.offset[kind] {
            self.state.offset_units as f32
        } else {
            0.0
        }
    }

    fn point(&mut self, v: u32, provoking: u32, front: bool) {
        if self.culled(&[v]) {
            return;
        }
        let size = point_size(self.state, self.at(v));
        if let Some(p) = Point::new(self.at(v), size, self.state.multisample) {
            self.prims.push(Prim {
                kind: PrimKind::Point,
                front,
                offset: self.constant_offset(0),
                draw: self.draw,
                phase: 0,
                v: [v; 3],
                provoking,
                bounds: p.bounds,
            });
        }
    }

    /// A line, before which `phase` pixels of the stipple pattern are used up. Says how many
    /// are behind it.
    fn line(&mut self, [a, b]: [u32; 2], provoking: u32, front: bool, phase: u32) -> u32 {
        if self.culled(&[a, b]) {
            return phase;
        }
        let s = self.state;
        let line = Line::new(
            [self.at(a), self.at(b)],
            s.line_width,
            s.line_style(),
            s.perspective,
        );
        let Some(line) = line else {
            return phase;
        };
        self.prims.push(Prim {
            kind: PrimKind::Line,
            front,
            offset: self.constant_offset(1),
            draw: self.draw,
            phase,
            v: [a, b, b],
            provoking,
            bounds: line.bounds,
        });
        match s.line_stipple {
            Some(_) => phase.wrapping_add(line.steps()),
            None => phase,
        }
    }

    /// A triangle of a list.
    #[inline(never)]
    fn listed(&mut self, v: [u32; 3]) {
        let provoking = if self.settings.provoking_first {
            v[0]
        } else {
            v[2]
        };
        let edges = [v[1], v[2], v[0]].map(|v| self.flag(v));
        self.triangle(v, provoking, edges);
    }

    /// A triangle; `edges` says which of (1,2), (2,0), (0,1) are real edges.
    fn triangle(&mut self, v: [u32; 3], provoking: u32, edges: [bool; 3]) {
        // Names and not an array: one that is copied waits for its own stores.
        let (a, b, c) = (self.at(v[0]), self.at(v[1]), self.at(v[2]));
        let behind = |v: &VtxHead| u32::from(behind_eye(v.pos[3]));
        let behind = behind(a) + behind(b) + behind(c);
        if behind == 3 || self.culled(&v) {
            return;
        }
        let corners = Corners::new([a, b, c]);
        // Each vertex behind the eye turns the triangle around.
        let area = corners.double_area() * if behind % 2 == 0 { 1.0 } else { -1.0 };
        // No area counts as counter-clockwise; lines and points of it are drawn
        // (Front_face LM).
        let front = (area > 0.0) == self.settings.front_clockwise;
        let face = usize::from(!front);
        if self.settings.cull[face] {
            return;
        }
        match self.settings.polygon_mode[face] {
            1 => {
                // A vertex is drawn with the edge that it begins.
                for (v, real) in [(v[1], edges[0]), (v[2], edges[1]), (v[0], edges[2])] {
                    if real {
                        self.point(v, provoking, front);
                    }
                }
            }
            2 => {
                // The pattern runs around the triangle.
                let mut phase = 0;
                for (i, j, real) in [(1, 2, edges[0]), (2, 0, edges[1]), (0, 1, edges[2])] {
                    if real {
                        phase = self.line([v[i], v[j]], provoking, front, phase);
                    }
                }
            }
            _ if area == 0.0 => {}
            _ => {
                let bounds = if behind != 0 {
                    [0, 0, i32::MAX / 2, i32::MAX / 2]
                } else if self.multisample || self.state.smooth[1] {
                    bounds(&corners.x, &corners.y)
                } else {
                    // Only pixel centres count.
                    bounds_of_centres(&corners.x.map(within_reach), &corners.y.map(within_reach))
                };
                if bounds[0] < bounds[2] && bounds[1] < bounds[3] {
                    let offset = if self.state.offset[2] {
                        slope::offset(self.state, [a, b, c])
                    } else {
                        0.0
                    };
                    self.prims.push(Prim {
                        kind: PrimKind::Triangle,
                        front,
                        offset,
                        draw: self.draw,
                        phase: 0,
                        v,
                        provoking,
                        bounds,
                    });
                }
            }
        }
    }
}

/// Pixels whose centres lie within the vertices' bounds, max exclusive.
#[inline]
fn bounds_of_centres(x: &[i32; 4], y: &[i32; 4]) -> [i32; 4] {
    // A centre is at 8 of a pixel's 16 units.
    let low = |v: &[i32; 4]| (v[0].min(v[1]).min(v[2]) + 7) >> 4;
    let high = |v: &[i32; 4]| (v[0].max(v[1]).max(v[2]) + 8) >> 4;
    [low(x), low(y), high(x), high(y)]
}
