//! Scenes for measuring speed. `peers/scenes.c` draws the same with OpenGL, number for number, for
//! the drivers we stand beside; whoever changes one changes the other.

use super::Scene;
use super::base::{Canvas, m, prim};
use isotherm_lanes::morton;
use std::f32::consts::TAU;

/// The scenes' names and what they show.
pub const BENCH: [(&str, &str); 2] = [
    (
        "combine",
        "four blended layers: four textures, the second moved by the first, four combiner stages",
    ),
    (
        "frame",
        "like a game's frame: 1,500 draws with 40 triangles each, fog, alpha test, blending",
    ),
];

/// Textures and vertices lie behind all surfaces.
const MEMORY: u32 = 0x0200_0000;

/// A scene of [`BENCH`]: a first frame that sets up, then the frame to be timed.
pub fn bench(name: &str, width: u32, height: u32) -> std::io::Result<Option<Scene>> {
    let Some((name, about)) = BENCH.into_iter().find(|(known, _)| *known == name) else {
        return Ok(None);
    };
    let mut canvas = Canvas::new(width, height);
    match name {
        "combine" => combine(&mut canvas, width as f32, height as f32),
        _ => frame(&mut canvas, width as f32, height as f32),
    }
    Ok(Some(Scene {
        name: name.into(),
        about,
        capture: canvas.finish(name)?,
    }))
}

/// A swizzled A8R8G8B8 texture with all its levels, each texel taken from the first level.
fn texture(log2: u32, levels: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for level in 0..levels {
        let size = log2 - level;
        let start = bytes.len();
        bytes.resize(start + (4 << (2 * size)), 0);
        for y in 0..1 << size {
            for x in 0..1 << size {
                let place = start + 4 * morton::place(x, y, size, size) as usize;
                bytes[place..place + 4].copy_from_slice(&texel(x << level, y << level));
            }
        }
    }
    bytes
}

/// Binds a texture of [`texture`] at `address`, repeated and filtered.
fn bind(c: &mut Canvas, stage: u16, address: u32, log2: u32, levels: u32) {
    // System memory, no cube, no border, two dimensions, A8R8G8B8 swizzled.
    let format = 1 | 1 << 3 | 2 << 4 | 6 << 8 | levels << 16 | log2 << 20 | log2 << 24;
    let method = m::TEXTURE + 0x40 * stage;
    c.set(method, &[address, format, 0x0001_0101, 0x4003_FFC0]);
    // Linear; between levels the nearest.
    let minify = if levels > 1 { 4 } else { 2 };
    c.set(method + 0x14, &[2 << 24 | minify << 16 | 1 << 13]);
}

/// Checks, gradients and alpha; no two numbers give the same texture.
fn pattern(number: u32, mask: u32) -> impl Fn(u32, u32) -> [u8; 4] {
    move |x, y| {
        let check = (x >> 3 ^ y >> 3 ^ number) & 1;
        let red = x * 255 / mask;
        let green = y * 255 / mask;
        let blue = if check == 1 { 255 } else { 40 + number * 10 };
        let alpha = 255 - (x ^ y) * 200 / mask;
        [blue, green, red, alpha].map(|part| part.min(255) as u8)
    }
}

/// Blending by the source's alpha.
fn blend(c: &mut Canvas) {
    c.set(m::BLEND, &[1]).set(m::BLEND_SFACTOR, &[0x302, 0x303]);
}

const COMBINE_LOG2: u32 = 7;

fn combine(c: &mut Canvas, width: f32, height: f32) {
    for stage in 0..4u16 {
        let mask = (1 << COMBINE_LOG2) - 1;
        let bytes = if stage == 0 {
            // Offsets of 0 to 127: the same number for who reads signed bytes and who does not.
            texture(COMBINE_LOG2, 1, |x, y| {
                [((x * 3) & 127) as u8, ((y * 5) & 127) as u8, 0, 255]
            })
        } else {
            texture(COMBINE_LOG2, 1, pattern(u32::from(stage), mask))
        };
        let address = MEMORY + u32::from(stage) * (bytes.len() as u32);
        c.memory(address, bytes);
        bind(c, stage, address, COMBINE_LOG2, 1);
    }
    // Two dimensions, moved by stage 0's texel, two dimensions twice.
    c.set(m::SHADER_STAGES, &[1 | 6 << 5 | 1 << 10 | 1 << 15]);
    c.set_floats(m::BUMP_MATRIX + 0x40, &[0.11, 0.03, 0.09, -0.04]);
    // t1 by diffuse; that and t3 by t2; both by constants; that and t1 by t3's alpha.
    c.set(
        m::COMBINER_COLOR_ICW,
        &[0x0904_0000, 0x0C0A_0B2A, 0x0C01_0B02, 0x0C1B_093B],
    );
    c.set(m::COMBINER_COLOR_OCW, &[0xC0, 0xC00, 0xC00, 0xC00]);
    c.set(m::COMBINER_ALPHA_ICW, &[0x1914_0000]);
    c.set(m::COMBINER_ALPHA_OCW, &[0xC0, 0, 0, 0]);
    c.set(m::COMBINER_FACTOR0, &[0xFFC0_B0A0; 8]);
    c.set(m::COMBINER_FACTOR1, &[0xFF40_3050; 8]);
    c.set(m::COMBINER_CONTROL, &[4 | 1 << 12 | 1 << 16]);
    c.set(m::COMBINER_FINAL, &[0xC, 0x1C00]);
    blend(c);
    c.end_frame();

    c.clear(0xFF20_2830, (0, 0, width as u32, height as u32));
    for layer in 0..4u8 {
        let part = f32::from(layer) / 4.0;
        c.set(m::BEGIN_END, &[prim::TRIANGLE_STRIP]);
        for (x, y, alpha) in [(0., 0., 0.9), (1., 0., 0.5), (0., 1., 0.7), (1., 1., 0.3)] {
            c.set_floats(m::DIFFUSE4F, &[1.0 - part, 1.0, 0.5 + part / 2.0, alpha]);
            for stage in 0..4u8 {
                let (scale, f) = (3.0 + f32::from(stage), f32::from(stage) * 0.13 + part);
                let method = m::TEXCOORD2F + 0x28 * u16::from(stage);
                c.set_floats(method, &[x * scale + f, y * scale * 0.75 - f]);
            }
            c.set_floats(m::VERTEX4F, &[x * width, y * height, 0.0, 1.0]);
        }
        c.set(m::BEGIN_END, &[0]);
    }
}

const DRAWS: u32 = 1500;
const MESHES: u32 = 16;
const TEXTURES: u32 = 16;
const FRAME_LOG2: u32 = 6;
/// Quads of a mesh.
const ACROSS: u16 = 5;
const DOWN: u16 = 4;
/// Bytes of a vertex: position, colour, texture coordinates.
const STRIDE: u32 = 36;
/// Where things begin and end, in front of the eye, and where fog does.
const NEAR: f32 = 1.0;
const FAR: f32 = 40.0;
const FOG: (f32, f32) = (4.0, 34.0);
const FOCAL: f32 = 1.5;

/// The generator that both programs use.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 16_777_216.0
    }
}

/// A bent sheet.
fn mesh(number: u32) -> Vec<u8> {
    let mut floats = Vec::new();
    for row in 0..=DOWN {
        for column in 0..=ACROSS {
            let (u, v) = (
                f32::from(column) / f32::from(ACROSS),
                f32::from(row) / f32::from(DOWN),
            );
            let bend = (number + 1) as f32 * 0.05;
            let light = 0.4 + 0.6 * u * (1.0 - v * 0.5);
            floats.extend([2.0 * u - 1.0, 2.0 * v - 1.0, bend * (u * u + v * v - 1.0)]);
            floats.extend([light, light * 0.9, 1.0 - 0.5 * v, 0.4 + 0.6 * u]);
            floats.extend([u, v]);
        }
    }
    floats.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Two indices in each word; all meshes have the same.
fn indices() -> Vec<u32> {
    let mut list = Vec::new();
    for row in 0..DOWN {
        for column in 0..ACROSS {
            let a = row * (ACROSS + 1) + column;
            let b = a + ACROSS + 1;
            list.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    list.chunks(2)
        .map(|pair| u32::from(pair[0]) | u32::from(pair[1]) << 16)
        .collect()
}

/// Where a thing stands: three rows of a matrix that takes it before the eye.
fn place(random: &mut Random, width: f32, height: f32) -> [[f32; 4]; 3] {
    let depth = 4.0 + 28.0 * random.next();
    let pixels = 14.0 + 30.0 * random.next();
    let x = (2.0 * random.next() - 1.0) * depth / FOCAL * width / height;
    let y = (2.0 * random.next() - 1.0) * depth / FOCAL;
    let scale = pixels * depth / (FOCAL * 480.0);
    let (turn, tilt) = (TAU * random.next(), random.next());
    let (s, c) = (turn.sin() * scale, turn.cos() * scale);
    let (st, ct) = (tilt.sin(), tilt.cos());
    [
        [c, -s * ct, s * st, x],
        [s, c * ct, -c * st, y],
        [0.0, st * scale, ct * scale, -depth],
    ]
}

/// Eye to window, rows of the chip's matrix: the viewport's size is in it, its centre is not.
fn project(eye: [[f32; 4]; 3], height: f32) -> [f32; 16] {
    let deepest = 16_777_215.0;
    // Depth is (far - near far / distance) / (far - near) of the deepest.
    let (slope, start) = (
        -FAR / (FAR - NEAR) * deepest,
        -FAR * NEAR / (FAR - NEAR) * deepest,
    );
    let mut matrix = [0.0; 16];
    for i in 0..4 {
        matrix[i] = eye[0][i] * FOCAL * height / 2.0;
        matrix[4 + i] = eye[1][i] * FOCAL * -height / 2.0;
        matrix[8 + i] = eye[2][i] * slope + if i == 3 { start } else { 0.0 };
        matrix[12 + i] = -eye[2][i];
    }
    matrix
}

fn frame(c: &mut Canvas, width: f32, height: f32) {
    let levels = FRAME_LOG2 + 1;
    let mut address = MEMORY;
    let mut put = |c: &mut Canvas, bytes: Vec<u8>| {
        let start = address;
        address += (bytes.len() as u32).next_multiple_of(128);
        c.memory(start, bytes);
        start
    };
    let mask = (1 << FRAME_LOG2) - 1;
    let textures: Vec<u32> = (0..TEXTURES)
        .map(|n| put(c, texture(FRAME_LOG2, levels, pattern(n, mask))))
        .collect();
    let meshes: Vec<u32> = (0..MESHES).map(|n| put(c, mesh(n))).collect();
    c.set(m::TRANSFORM_MODE, &[4, 0, 0, 0]);
    c.set_floats(
        m::VIEWPORT_OFFSET,
        &[width / 2.0 + 0.03125, height / 2.0 + 0.03125, 0.0, 0.0],
    );
    c.set(m::SHADER_STAGES, &[1]);
    c.set(m::COMBINER_COLOR_ICW, &[0x0804_0000])
        .set(m::COMBINER_COLOR_OCW, &[0xC0]);
    c.set(m::COMBINER_ALPHA_ICW, &[0x1814_0000])
        .set(m::COMBINER_ALPHA_OCW, &[0xC0]);
    // Mixed with the fog's colour by its factor.
    c.set(m::COMBINER_FINAL, &[0x130C_0300, 0x1C00]);
    // Linear, the distance from a plane, on, colour.
    c.set(m::FOG, &[0x2601, 2, 1, 0xFF99_8880]);
    let length = FOG.1 - FOG.0;
    c.set_floats(m::FOG_PARAMS, &[1.0 + FOG.1 / length, -1.0 / length, 0.0]);
    c.set(m::DEPTH_TEST, &[1]).set(m::DEPTH_FUNC, &[0x203]);
    c.set(m::ALPHA_FUNC, &[0x204, 0x60]);
    c.set(m::BLEND_SFACTOR, &[0x302, 0x303]);
    c.end_frame();

    c.clear(0xFF80_8899, (0, 0, width as u32, height as u32));
    let indices = indices();
    let mut random = Random(1);
    for draw in 0..DRAWS {
        let eye = place(&mut random, width, height);
        // Most are solid; some have holes; the last ones are seen through.
        let (holes, glass) = ((900..1200).contains(&draw), draw >= 1200);
        c.set(m::ALPHA_TEST, &[u32::from(holes), u32::from(glass)]);
        c.set(m::DEPTH_WRITE, &[u32::from(!glass)]);
        let texture = textures[(draw * 7 % TEXTURES) as usize];
        bind(c, 0, texture, FRAME_LOG2, levels);
        c.set_floats(m::COMPOSITE_MATRIX, &project(eye, height));
        c.set_floats(m::FOG_PLANE, &eye[2].map(|part| -part));
        let vertices = meshes[(draw * 5 % MESHES) as usize];
        for (attribute, offset, count) in [(0, 0, 3), (3, 12, 4), (9, 28, 2)] {
            c.set(m::ARRAY_OFFSET + 4 * attribute, &[vertices + offset]);
            c.set(
                m::ARRAY_FORMAT + 4 * attribute,
                &[STRIDE << 8 | count << 4 | 2],
            );
        }
        c.set(m::BEGIN_END, &[prim::TRIANGLES]);
        c.repeat(m::ARRAY_ELEMENT16, &indices);
        c.set(m::BEGIN_END, &[0]);
    }
}
