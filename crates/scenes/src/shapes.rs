//! Primitives, faces, lines, points, clipping by rectangles.

use super::base::{Canvas, SIZE, TEXTURE, Vertex, m, prim, vertex};
use super::{Plan, plan};

const NAMES: [&str; 10] = [
    "points",
    "lines",
    "line-loop",
    "line-strip",
    "triangles",
    "triangle-strip",
    "triangle-fan",
    "quads",
    "quad-strip",
    "polygon",
];

/// A colour that differs from one vertex to the next.
fn color(index: usize) -> [f32; 4] {
    let part = |shift: usize| ((index * 7 + 3) >> shift & 3) as f32 / 3.0;
    [part(0), part(1), part(2), 1.0]
}

/// Vertices in an order that suits strips, or around a circle.
fn vertices(primitive: usize) -> Vec<Vertex> {
    let strip = matches!(primitive, 5 | 8);
    let around = matches!(primitive, 2 | 6 | 9);
    (0..12)
        .map(|i| {
            let (x, y) = if around {
                let angle = i as f32 * 0.52 + 0.1;
                (128.3 + 100.2 * angle.cos(), 127.6 + 90.7 * angle.sin())
            } else if strip {
                (
                    20.4 + 18.7 * i as f32,
                    if i % 2 == 0 { 60.3 } else { 190.8 },
                )
            } else {
                let (column, row) = (i % 4, i / 4);
                // Quads and triangles go around; neighbours of a cell are not in line.
                let wave = if column == 1 || column == 2 {
                    30.0
                } else {
                    0.0
                };
                (30.6 + 55.3 * column as f32, 40.2 + 70.4 * row as f32 + wave)
            };
            vertex(x, y, color(i))
        })
        .collect()
}

/// More vertices than one thread gets at once.
fn crowd(canvas: &mut Canvas) {
    let mut seed = 1u32;
    let mut random = |n: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 16_777_216.0 * n
    };
    let mut list = Vec::new();
    for _ in 0..2000 {
        let (x, y, z) = (random(240.0), random(240.0), random(16_000_000.0));
        for _ in 0..3 {
            let color = [random(1.0), random(1.0), random(1.0), 1.0];
            let v = vertex(x + random(16.0), y + random(16.0), color);
            list.push(Vertex { z, ..v });
        }
    }
    canvas.set(m::DEPTH_TEST, &[1]);
    canvas.draw_arrays(prim::TRIANGLES, TEXTURE, &list);
    let strip: Vec<Vertex> = (0..2500)
        .map(|i| {
            let (turn, out) = (
                i as f32 * 0.02,
                20.0 + i as f32 * 0.04 + (i % 2) as f32 * 3.0,
            );
            let v = vertex(
                128.0 + out * turn.cos(),
                128.0 + out * turn.sin(),
                color(i as usize / 16),
            );
            Vertex {
                z: 1_000_000.0,
                ..v
            }
        })
        .collect();
    canvas.draw_arrays(prim::TRIANGLE_STRIP, TEXTURE + 0x10_0000, &strip);
}

/// Twelve points on the rim of the torus's tube, twenty around it.
fn torus(canvas: &mut Canvas) {
    let (rings, sides) = (40, 20);
    let point = |ring: usize, side: usize| {
        let (a, b) = (
            ring as f32 / rings as f32 * 6.283_185_5,
            side as f32 / sides as f32 * 6.283_185_5,
        );
        let normal = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
        let place = [
            a.cos() * (80.0 + 34.0 * b.cos()),
            a.sin() * (80.0 + 34.0 * b.cos()),
            34.0 * b.sin(),
        ];
        // Tilted towards the viewer.
        let (sin, cos) = (0.8f32.sin(), 0.8f32.cos());
        let tilt = |v: [f32; 3]| [v[0], v[1] * cos - v[2] * sin, v[1] * sin + v[2] * cos];
        let (normal, place) = (tilt(normal), tilt(place));
        let light = (normal[0] * -0.4 + normal[1] * -0.5 + normal[2] * 0.77).max(0.0) * 0.85 + 0.12;
        let hue = [
            0.5 + 0.5 * a.cos(),
            0.5 + 0.5 * (a - 2.1).cos(),
            0.5 + 0.5 * (a + 2.1).cos(),
        ];
        Vertex {
            x: 128.0 + place[0],
            y: 128.0 + place[1],
            z: 8_000_000.0 - place[2] * 40_000.0,
            color: [hue[0] * light, hue[1] * light, hue[2] * light, 1.0],
            uv: [0.0; 2],
        }
    };
    canvas.set(m::DEPTH_TEST, &[1]);
    for ring in 0..rings {
        let strip: Vec<Vertex> = (0..=sides)
            .flat_map(|side| [point(ring, side), point(ring + 1, side)])
            .collect();
        canvas.draw(9, &strip);
    }
}

/// All scenes of this file.
pub fn plans() -> Vec<Plan> {
    let mut plans = primitives();
    plans.extend(polygons_lines_points());
    plans.extend(clipping());
    plans
}

fn primitives() -> Vec<Plan> {
    let mut plans = vec![plan(
        "torus",
        "a lit torus: depth test, smooth colours",
        torus,
    )];
    plans.push(plan(
        "crowd",
        "two thousand triangles and a long strip from arrays, depth test",
        crowd,
    ));
    for (primitive, name) in NAMES.iter().enumerate() {
        plans.push(plan(
            format!("prim-{name}"),
            "one primitive, smooth colours",
            move |c| {
                c.draw(primitive as u32 + 1, &vertices(primitive));
            },
        ));
        plans.push(plan(
            format!("flat-{name}"),
            "one primitive, flat colours",
            move |c| {
                c.set(m::SHADE_MODE, &[0x1D00]);
                c.draw(primitive as u32 + 1, &vertices(primitive));
            },
        ));
    }
    plans
}

fn polygons_lines_points() -> Vec<Plan> {
    vec![
        plan("polygon-mode", "triangles as points, lines, filled", |c| {
            for (row, mode) in [0x1B00, 0x1B01, 0x1B02].into_iter().enumerate() {
                c.set(m::POLYGON_MODE, &[mode, mode]);
                let y = 20.0 + 75.0 * row as f32;
                let corners = [(20.3, y), (230.2, y + 20.6), (90.7, y + 60.1)];
                let list: Vec<Vertex> = corners
                    .iter()
                    .enumerate()
                    .map(|(i, &(x, y))| vertex(x, y, color(i)))
                    .collect();
                c.draw(prim::TRIANGLES, &list);
            }
        }),
        plan("cull", "both windings, each culled in turn", |c| {
            c.set(m::CULL, &[1]);
            for (index, face) in [0x404, 0x405, 0x408].into_iter().enumerate() {
                c.set(m::CULL_FACE, &[face]);
                let y = 10.0 + 80.0 * index as f32;
                let at = |x: f32, dy: f32, i| vertex(x, y + dy, color(i));
                c.draw(
                    prim::TRIANGLES,
                    &[at(20.0, 0.0, 0), at(120.0, 0.0, 1), at(60.0, 70.0, 2)],
                );
                c.draw(
                    prim::TRIANGLES,
                    &[at(140.0, 0.0, 0), at(180.0, 70.0, 1), at(240.0, 0.0, 2)],
                );
            }
        }),
        plan("line-width", "lines from 1/8 to 8 pixels wide", |c| {
            for (row, width) in [1, 4, 8, 12, 16, 31, 64].into_iter().enumerate() {
                c.set(m::LINE_WIDTH, &[width]);
                let y = 15.4 + 34.0 * row as f32;
                c.draw(
                    prim::LINES,
                    &[
                        vertex(12.3, y, color(row)),
                        vertex(243.8, y + 14.7, color(row + 3)),
                    ],
                );
            }
        }),
        plan("point-size", "points from 1/8 to 32 pixels wide", |c| {
            for (index, size) in [1, 8, 12, 16, 33, 64, 128, 256].into_iter().enumerate() {
                c.set(m::POINT_SIZE, &[size]);
                let (x, y) = (
                    40.3 + 58.6 * (index % 4) as f32,
                    80.7 + 90.4 * (index / 4) as f32,
                );
                c.draw(prim::POINTS, &[vertex(x, y, color(index))]);
            }
        }),
    ]
}

fn clipping() -> Vec<Plan> {
    vec![
        plan("stipple", "polygon stipple", |c| {
            let pattern: Vec<u32> = (0..32).map(|i| 0x8421_1248u32.rotate_left(i)).collect();
            c.set(m::STIPPLE_ENABLE, &[1]).set(m::STIPPLE, &pattern);
            c.quad((10.0, 10.0, 236.0, 236.0), 0.0, [1.0, 0.8, 0.2, 1.0]);
        }),
        plan(
            "window-clip",
            "inside of two rectangles, then outside of them",
            |c| {
                c.set(m::WINDOW_CLIP_X, &[100 << 16 | 20, 230 << 16 | 140]);
                c.set(m::WINDOW_CLIP_Y, &[100 << 16 | 20, 230 << 16 | 140]);
                c.quad(
                    (0.0, 0.0, SIZE as f32, SIZE as f32),
                    0.0,
                    [0.2, 0.9, 0.3, 1.0],
                );
                c.set(m::WINDOW_CLIP_TYPE, &[1]);
                c.quad((40.0, 40.0, 180.0, 180.0), 0.0, [0.9, 0.2, 0.3, 1.0]);
            },
        ),
        plan(
            "surface-clip",
            "drawing and clears stay inside the surface clip",
            |c| {
                c.set(m::SURFACE_CLIP, &[100 << 16 | 50, 80 << 16 | 60]);
                c.clear(0xFF80_4020, (0, 0, SIZE, SIZE));
                c.quad((20.0, 80.0, 220.0, 20.0), 0.0, [1.0; 4]);
            },
        ),
    ]
}
