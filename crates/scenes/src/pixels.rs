//! What happens to a pixel: tests, blending, logic operations, masks, textures, combiners.

use super::base::{Canvas, SIZE, TEXTURE, Vertex, m, prim};
use super::{Plan, plan};

/// All blend factors.
const FACTORS: [u32; 15] = [
    0, 1, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306, 0x307, 0x308, 0x8001, 0x8002, 0x8003,
    0x8004,
];
/// All blend equations, the signed ones last.
const EQUATIONS: [(u32, &str); 7] = [
    (0x8006, "add"),
    (0x8007, "min"),
    (0x8008, "max"),
    (0x800A, "subtract"),
    (0x800B, "reverse-subtract"),
    (0xF005, "signed-add"),
    (0xF006, "signed-reverse-subtract"),
];

/// A background in which every colour and alpha occurs.
fn background(c: &mut Canvas) {
    let corner = |x, y, color| Vertex {
        x,
        y,
        z: 0.0,
        color,
        uv: [0.0; 2],
    };
    let side = SIZE as f32;
    c.draw(
        prim::QUADS,
        &[
            corner(0.0, 0.0, [1.0, 0.0, 0.3, 0.2]),
            corner(side, 0.0, [0.1, 0.9, 0.0, 1.0]),
            corner(side, side, [0.0, 0.4, 1.0, 0.6]),
            corner(0.0, side, [0.9, 0.8, 0.5, 0.0]),
        ],
    );
}

/// A cell of a grid: x, y, width, height.
fn cell(index: usize, columns: usize) -> (f32, f32, f32, f32) {
    let side = SIZE as f32 / columns as f32;
    let (x, y) = (
        (index % columns) as f32 * side,
        (index / columns) as f32 * side,
    );
    (x + 1.0, y + 1.0, side - 2.0, side - 2.0)
}

/// 64x64 texels with edges, gradients and alpha, Morton order.
fn texture() -> Vec<u8> {
    let mut texels = vec![0; 64 * 64 * 4];
    for y in 0..64u32 {
        for x in 0..64u32 {
            let index = isotherm_lanes::morton::place(x, y, 6, 6) as usize * 4;
            let check = ((x / 8 + y / 8) & 1) * 128;
            let pixel = [
                (x * 4) as u8,
                check as u8,
                (y * 4) as u8,
                (255 - x * y / 16) as u8,
            ];
            texels[index..index + 4].copy_from_slice(&pixel);
        }
    }
    texels
}

/// Texture stage 0: 64x64 A8R8G8B8, swizzled, drawn as it is.
fn textured(c: &mut Canvas, wrap: u32, filter: u32) {
    c.memory(TEXTURE, texture());
    let format = 1 | 1 << 3 | 2 << 4 | 6 << 8 | 1 << 16 | 6 << 20 | 6 << 24;
    c.set(m::TEXTURE, &[TEXTURE, format, wrap, 0x4003_FFC0]);
    c.set(m::TEXTURE + 0x14, &[filter]);
    c.set(m::SHADER_STAGES, &[1])
        .set(m::COMBINER_FINAL, &[8, 0x1800]);
}

/// A quad whose texture coordinates run over more than the texture.
fn texture_quad(c: &mut Canvas, from: f32, to: f32) {
    let corner = |x, y, u, v| Vertex {
        x,
        y,
        z: 0.0,
        color: [1.0; 4],
        uv: [u, v],
    };
    c.draw(
        prim::QUADS,
        &[
            corner(10.0, 14.0, from, from),
            corner(240.5, 8.0, to, from),
            corner(246.0, 241.0, to, to),
            corner(7.0, 250.0, from, to),
        ],
    );
}

/// All scenes of this file.
pub fn plans() -> Vec<Plan> {
    let mut plans = tests();
    plans.extend(writes());
    plans.extend(blending());
    plans.extend(texturing());
    plans.extend(combining());
    plans
}

fn tests() -> Vec<Plan> {
    vec![
        plan("depth-func", "eight comparisons against two depths", |c| {
            c.set(m::DEPTH_TEST, &[1]).set(m::DEPTH_FUNC, &[0x207]);
            c.quad((0.0, 0.0, 256.0, 128.0), 1_000_000.0, [0.2, 0.2, 0.6, 1.0]);
            c.quad(
                (0.0, 128.0, 256.0, 128.0),
                2_000_000.0,
                [0.2, 0.6, 0.2, 1.0],
            );
            for index in 0..8 {
                c.set(m::DEPTH_FUNC, &[0x200 + index as u32]);
                let x = 32.0 * index as f32;
                c.quad(
                    (x + 2.0, 10.0, 12.0, 236.0),
                    1_000_000.0,
                    [1.0, 0.5, 0.0, 1.0],
                );
                c.quad(
                    (x + 16.0, 10.0, 12.0, 236.0),
                    1_500_000.0,
                    [1.0, 1.0, 0.0, 1.0],
                );
            }
        }),
        plan("alpha-func", "eight comparisons with alpha", |c| {
            c.set(m::ALPHA_TEST, &[1]);
            for index in 0..8 {
                c.set(m::ALPHA_FUNC, &[0x200 + index as u32, 0x80]);
                for (row, alpha) in [0.0, 0.25, 128.0 / 255.0, 0.75, 1.0]
                    .into_iter()
                    .enumerate()
                {
                    let (x, y) = (32.0 * index as f32, 51.0 * row as f32);
                    c.quad((x + 2.0, y + 2.0, 28.0, 47.0), 0.0, [1.0, 0.4, 0.4, alpha]);
                }
            }
        }),
        plan("stencil", "comparisons and operations", |c| {
            c.set(m::STENCIL_TEST, &[1]);
            // Operations write, then each value shows by a comparison of its own.
            for (index, op) in [0x1E00, 0, 0x1E01, 0x1E02, 0x1E03, 0x150A, 0x8507, 0x8508]
                .into_iter()
                .enumerate()
            {
                c.set(m::STENCIL_MASK, &[0xFF, 0x207, 3, 0xFF, op, op, op]);
                c.quad(
                    (32.0 * index as f32, 0.0, 30.0, 256.0),
                    0.0,
                    [0.3, 0.3, 0.3, 1.0],
                );
            }
            for (index, value) in [0, 1, 2, 3, 0xFC, 0xFF].into_iter().enumerate() {
                c.set(
                    m::STENCIL_MASK,
                    &[0xFF, 0x202, value, 0xFF, 0x1E00, 0x1E00, 0x1E00],
                );
                c.quad(
                    (0.0, 40.0 * index as f32, 256.0, 36.0),
                    0.0,
                    [1.0, 0.2 * index as f32, 0.0, 1.0],
                );
            }
        }),
    ]
}

fn writes() -> Vec<Plan> {
    vec![
        plan("color-mask", "all sixteen masks", |c| {
            background(c);
            for index in 0..16usize {
                let bit = |n: usize| (index >> n & 1) as u32;
                c.set(
                    m::COLOR_MASK,
                    &[bit(0) | bit(1) << 8 | bit(2) << 16 | bit(3) << 24],
                );
                c.quad(cell(index, 4), 0.0, [0.5, 0.7, 0.2, 0.4]);
            }
        }),
        plan("logic-op", "all sixteen logic operations", |c| {
            background(c);
            for index in 0..16 {
                c.set(m::LOGIC_OP, &[1, 0x1500 + index as u32]);
                c.quad(cell(index, 4), 0.0, [0.6, 0.33, 0.8, 0.7]);
            }
        }),
        plan("dither", "dither to five and six bits", |c| {
            c.set(m::SURFACE_FORMAT, &[0x123, 1024 << 16 | 1024])
                .set(m::DITHER, &[1]);
            background(c);
        }),
    ]
}

fn blending() -> Vec<Plan> {
    EQUATIONS
        .into_iter()
        .map(|(equation, name)| {
            plan(
                format!("blend-{name}"),
                "all pairs of blend factors",
                move |c| {
                    background(c);
                    c.set(m::BLEND, &[1])
                        .set(m::BLEND_COLOR, &[0x60C0_2090, equation]);
                    for (row, source) in FACTORS.into_iter().enumerate() {
                        for (column, target) in FACTORS.into_iter().enumerate() {
                            c.set(m::BLEND_SFACTOR, &[source, target]);
                            let rect = (
                                column as f32 * 17.0 + 1.0,
                                row as f32 * 17.0 + 1.0,
                                15.0,
                                15.0,
                            );
                            c.quad(rect, 0.0, [0.8, 0.35, 0.15, 0.55]);
                        }
                    }
                },
            )
        })
        .collect()
}

fn texturing() -> Vec<Plan> {
    let mut plans = Vec::new();
    for (wrap, name) in [
        (1, "wrap"),
        (2, "mirror"),
        (3, "clamp"),
        (4, "border"),
        (5, "clamp-gl"),
    ] {
        plans.push(plan(
            format!("tex-{name}"),
            "texture coordinates beyond the edges",
            move |c| {
                textured(c, wrap | wrap << 8 | wrap << 16, 0x0101_2000);
                texture_quad(c, -0.7, 1.9);
            },
        ));
    }
    for (filter, name) in [
        (0x0101_2000, "nearest"),
        (0x0202_2000, "linear"),
        (0x0404_2000, "convolution"),
    ] {
        plans.push(plan(
            format!("tex-{name}"),
            "a magnified texture",
            move |c| {
                textured(c, 0x0003_0303, filter);
                texture_quad(c, 0.4, 0.55);
            },
        ));
    }
    plans
}

fn combining() -> Vec<Plan> {
    let mut plans = Vec::new();
    for (index, name) in ["multiply", "add", "dot", "mux"].into_iter().enumerate() {
        plans.push(plan(
            format!("combine-{name}"),
            "one combiner stage of texture and colour",
            move |c| {
                textured(c, 0x0001_0101, 0x0202_2000);
                // A = texture 0, B = diffuse, C = diffuse, D = one (inverted zero).
                c.set(m::COMBINER_COLOR_ICW, &[0x0804_0420]);
                c.set(m::COMBINER_ALPHA_ICW, &[0x1814_1430]);
                // AB to spare 0; sum of AB and CD; AB as a dot product; mux.
                let outputs = [0xC0u32, 0xC00, 0xC0 | 1 << 13, 0xC00 | 1 << 14];
                c.set(m::COMBINER_COLOR_OCW, &[outputs[index]])
                    .set(0xAA0, &[0xC0]);
                c.set(m::COMBINER_FINAL, &[0xC, 0x1C00]);
                let corner = |x, y, u, v, color| Vertex {
                    x,
                    y,
                    z: 0.0,
                    color,
                    uv: [u, v],
                };
                c.draw(
                    prim::QUADS,
                    &[
                        corner(0.0, 0.0, 0.0, 0.0, [1.0, 0.2, 0.2, 1.0]),
                        corner(256.0, 0.0, 2.0, 0.0, [0.2, 1.0, 0.2, 0.5]),
                        corner(256.0, 256.0, 2.0, 2.0, [0.2, 0.2, 1.0, 0.2]),
                        corner(0.0, 256.0, 0.0, 2.0, [1.0, 1.0, 0.2, 0.8]),
                    ],
                );
            },
        ));
    }
    plans.push(plan(
        "combine-two",
        "sixteen layers of a texture through two combiner stages",
        |c| {
            textured(c, 0x0001_0101, 0x0202_2000);
            // Stage 0: texture 0 by diffuse; stage 1: that and diffuse by its alpha.
            c.set(m::COMBINER_COLOR_ICW, &[0x0804_0000, 0x0C20_0414]);
            c.set(m::COMBINER_ALPHA_ICW, &[0x1814_0000, 0x1C30_0000]);
            c.set(m::COMBINER_COLOR_OCW, &[0xC0, 0xC00])
                .set(0xAA0, &[0xC0, 0xC0]);
            c.set(m::COMBINER_CONTROL, &[2]);
            c.set(m::COMBINER_FINAL, &[0xC, 0x1C00]);
            for layer in 0..16u8 {
                let part = f32::from(layer) / 15.0;
                let side = SIZE as f32;
                let corner = |x: f32, y: f32, alpha| Vertex {
                    x,
                    y,
                    z: 0.0,
                    color: [part, 1.0 - part, 0.5, alpha],
                    uv: [x / 128.0 + part, y / 128.0 - part],
                };
                c.draw(
                    prim::QUADS,
                    &[
                        corner(0.0, 0.0, 0.0),
                        corner(side, 0.0, 0.3),
                        corner(side, side, 0.8),
                        corner(0.0, side, 0.5),
                    ],
                );
            }
        },
    ));
    plans
}
