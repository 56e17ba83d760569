//! What keeps primitives from having pixels: vertices, w, near and far, culling, area, clipping.

use super::Reason;
use isotherm::vertex::VtxOut;
use isotherm_inspect::follow::{Mirror, Shape, shapes, target};
use isotherm_regs::bundle::{self as id, CLIP_RECT_HORIZ, CLIP_RECT_MODE, CLIP_RECT_VERT, RASTER};
use isotherm_regs::{Chip, Family};
use std::collections::BTreeMap;

/// What stops a primitive, in the order in which the units meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// A coordinate is infinite or no number.
    NotFinite,
    /// All its vertices have w below zero.
    Behind,
    /// All its vertices are nearer than near or farther than far.
    BeyondNearFar,
    CulledFront,
    CulledBack,
    /// A triangle without area.
    NoArea,
    OutsideSurface,
    OutsideScissor,
    OutsideRectangles,
    /// It ought to have pixels.
    Goes,
}

/// Why no primitive gets to its pixels, or which pixels to look at.
pub fn judge(mirror: &Mirror, most: usize) -> (Vec<Reason>, Vec<u32>) {
    if let Some(trap) = mirror.traps.first() {
        let refused = format!(
            "{} methods before this draw were refused; the first: class {:X}h method {:04X}h data {:08X}h ({})",
            mirror.traps.len(),
            trap.class,
            trap.method,
            trap.data,
            trap.reason()
        );
        let mut rest = of_mesh(mirror, most);
        rest.0.push(Reason::new("fe", refused));
        return rest;
    }
    of_mesh(mirror, most)
}

fn of_mesh(mirror: &Mirror, most: usize) -> (Vec<Reason>, Vec<u32>) {
    let mesh = &mirror.mesh;
    let count = mesh.outputs.len();
    if count == 0 {
        return (vec![Reason::new("idx", "it has no vertices")], Vec::new());
    }
    let all = shapes(mesh.prim, count);
    if all.is_empty() {
        let text = format!("{count} vertices are too few for one primitive");
        return (vec![Reason::new("assm", text)], Vec::new());
    }
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    let mut pixels = Vec::new();
    for shape in &all {
        let fate = fate(mirror, shape);
        *fates.entry(fate).or_default() += 1;
        if fate == Fate::Goes && pixels.len() < most {
            pixels.extend(middle(mirror, shape).filter(|at| !pixels.contains(at)));
        }
    }
    let goes = fates.contains_key(&Fate::Goes);
    let mut reasons: Vec<Reason> = fates
        .iter()
        .filter(|(fate, _)| **fate != Fate::Goes)
        .map(|(fate, count)| reason(mirror, *fate, *count, all.len()))
        .collect();
    let surfaces = mirror.surfaces();
    if goes && surfaces.color.is_none() {
        let text = "no colour surface is bound: its format is unknown or its object has no memory";
        reasons.insert(0, Reason::new("rop", text));
    }
    (reasons, pixels)
}

fn position(vertex: &VtxOut) -> [f32; 4] {
    vertex.pos.map(f32::from_bits)
}

fn fate(mirror: &Mirror, shape: &Shape) -> Fate {
    let (chip, mesh) = (mirror.chip, &mirror.mesh);
    let points: Vec<[f32; 4]> = shape
        .vertices()
        .iter()
        .map(|v| position(&mesh.outputs[*v]))
        .collect();
    if points
        .iter()
        .any(|p| p[..3].iter().any(|c| !c.is_finite()) || p[3].is_nan())
    {
        return Fate::NotFinite;
    }
    let behind = points.iter().filter(|p| p[3] < 0.0).count();
    if behind == points.len() {
        return Fate::Behind;
    }
    let raster = mirror.word(id::RASTER);
    if RASTER::CULL_NEAR_FAR.is_set(chip, raster) && beyond(mirror, &points) {
        return Fate::BeyondNearFar;
    }
    if let Shape::Triangle(_) = shape {
        let area = area(&points) * if behind % 2 == 0 { 1.0 } else { -1.0 };
        let front = (area > 0.0) != RASTER::FRONT_FACE.is_set(chip, raster);
        if RASTER::CULL_FACE_ENABLE.is_set(chip, raster) {
            let faces = RASTER::CULL_FACE.get(chip, raster);
            match front {
                true if faces & 1 != 0 => return Fate::CulledFront,
                false if faces & 2 != 0 => return Fate::CulledBack,
                _ => {}
            }
        }
        let filled = [RASTER::POLYGON_MODE_FRONT, RASTER::POLYGON_MODE_BACK];
        if area == 0.0 && filled[usize::from(!front)].get(chip, raster) == 0 {
            return Fate::NoArea;
        }
    }
    if behind > 0 {
        // Its bounds say nothing.
        return Fate::Goes;
    }
    clipped(mirror, bounds(&points))
}

/// Twice the area, of coordinates cut to sixteenths as the rasteriser has them.
fn area(p: &[[f32; 4]]) -> f64 {
    let cut = |v: f32| (f64::from(v) * 16.0).floor();
    let edge = |i: usize| [cut(p[i][0]) - cut(p[0][0]), cut(p[i][1]) - cut(p[0][1])];
    let (a, b) = (edge(1), edge(2));
    a[0] * b[1] - b[0] * a[1]
}

fn beyond(mirror: &Mirror, points: &[[f32; 4]]) -> bool {
    // Depth counts from 0 to 1 from Rankine on, in the surface's units before.
    let limit = |bundle| f32::from_bits(mirror.word(bundle));
    let (near, far) = (limit(id::DEPTH_RANGE_NEAR), limit(id::DEPTH_RANGE_FAR));
    points.iter().all(|p| p[2] < near) || points.iter().all(|p| p[2] > far)
}

/// Left, top, right, bottom.
fn bounds(points: &[[f32; 4]]) -> [f32; 4] {
    let fold = |axis: usize, f: fn(f32, f32) -> f32| {
        points.iter().map(|p| p[axis]).reduce(f).unwrap_or(0.0)
    };
    [
        fold(0, f32::min),
        fold(1, f32::min),
        fold(0, f32::max),
        fold(1, f32::max),
    ]
}

fn apart(b: [f32; 4], clip: [i32; 4]) -> bool {
    let [left, top, right, bottom] = clip.map(|v| v as f32);
    b[2] < left || b[3] < top || b[0] > right || b[1] > bottom
}

fn clipped(mirror: &Mirror, b: [f32; 4]) -> Fate {
    let (chip, words) = (mirror.chip, &mirror.words);
    if apart(b, mirror.surfaces().clip) {
        return Fate::OutsideSurface;
    }
    if chip.since(Chip::Nv30)
        && apart(
            b,
            isotherm::pixel::raster::prepare::scissor(chip, &mirror.units.raster),
        )
    {
        return Fate::OutsideScissor;
    }
    let exclusive =
        RASTER::CLIP_RECT_MODE.get(chip, mirror.word(id::RASTER)) == CLIP_RECT_MODE::EXCLUSIVE;
    if chip.family() == Family::Kelvin && !exclusive {
        let rectangle = |i: usize| {
            let (h, v) = (
                words.at(id::CLIP_RECT_HORIZ, i),
                words.at(id::CLIP_RECT_VERT, i),
            );
            [
                CLIP_RECT_HORIZ::LEFT.get(chip, h),
                CLIP_RECT_VERT::TOP.get(chip, v),
                CLIP_RECT_HORIZ::RIGHT.get(chip, h) + 1,
                CLIP_RECT_VERT::BOTTOM.get(chip, v) + 1,
            ]
            .map(|edge| edge as i32)
        };
        if (0..8).all(|i| apart(b, rectangle(i))) {
            return Fate::OutsideRectangles;
        }
    }
    Fate::Goes
}

fn reason(mirror: &Mirror, fate: Fate, count: usize, all: usize) -> Reason {
    let many = if count == all {
        format!("all {all} primitives")
    } else {
        format!("{count} of {all} primitives")
    };
    let new = |unit, text: &str| Reason::new(unit, format!("{many} {text}"));
    match fate {
        Fate::NotFinite => new(
            "xf",
            "have a coordinate that is infinite or no number: see the vertex program, w = 0 or the matrices",
        ),
        Fate::Behind => new(
            "xf",
            "have w below zero in every vertex: they lie behind the eye",
        ),
        Fate::BeyondNearFar => new("assm", "lie beyond near or far with every vertex")
            .by(mirror, id::RASTER, 0)
            .by(mirror, id::DEPTH_RANGE_NEAR, 0)
            .by(mirror, id::DEPTH_RANGE_FAR, 0),
        Fate::CulledFront => {
            new("assm", "are front faces, which are culled").by(mirror, id::RASTER, 0)
        }
        Fate::CulledBack => {
            new("assm", "are back faces, which are culled").by(mirror, id::RASTER, 0)
        }
        Fate::NoArea => new("assm", "have no area"),
        Fate::OutsideSurface => {
            let [left, top, right, bottom] = mirror.surfaces().clip;
            let text = format!("lie outside the surface clip ({left},{top})-({right},{bottom})");
            new("raster", &text)
                .by(mirror, id::CLIP_HV, 0)
                .by(mirror, id::CLIP_HV, 1)
        }
        Fate::OutsideScissor => new("raster", "lie outside the scissor rectangle")
            .by(mirror, id::SCISSOR_HV, 0)
            .by(mirror, id::SCISSOR_HV, 1),
        Fate::OutsideRectangles => new("raster", "lie outside all window clip rectangles")
            .by(mirror, id::CLIP_RECT_HORIZ, 0)
            .by(mirror, id::CLIP_RECT_VERT, 0)
            .by(mirror, id::RASTER, 0),
        Fate::Goes => new("raster", "go on"),
    }
}

/// Address of the colour word (or the zeta word where there is none) in the middle of the part
/// of a primitive that lies inside the surface.
fn middle(mirror: &Mirror, shape: &Shape) -> Option<u32> {
    let surfaces = mirror.surfaces();
    let plane = surfaces.color.or(surfaces.zeta)?;
    let vertices = shape.vertices();
    let mean = |axis: usize| {
        let sum: f32 = vertices
            .iter()
            .map(|v| position(&mirror.mesh.outputs[*v])[axis])
            .sum();
        sum / vertices.len() as f32
    };
    let [left, top, right, bottom] = surfaces.clip;
    let inside = |value: f32, low: i32, high: i32| {
        (value.floor() as i32).clamp(low, (high - 1).max(low)) as u32
    };
    let (x, y) = (inside(mean(0), left, right), inside(mean(1), top, bottom));
    target::address(&plane, x * surfaces.scale.0, y * surfaces.scale.1)
}
