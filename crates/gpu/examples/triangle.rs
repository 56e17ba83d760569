//! A clear and a triangle on the Xbox's NV2A, method by method.
//!
//! `cargo run --release -p isotherm --example triangle` draws it as text.

use isotherm::capture::Problem;
use isotherm::{Chip, Gpu, Image};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const COLOR: u32 = 0x0010_0000;
const LAST_BYTE: u32 = 0x03FF_FFFF;

/// Handles, as a driver would choose them.
const MEMORY: u32 = 3;
const COLOR_SURFACE: u32 = 9;
const KELVIN: u32 = 13;

/// Draws, and shows what came out.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = draw()?;
    for row in picture.rgba.chunks(picture.width as usize * 4) {
        let letter = |p: &[u8]| match p {
            [r, g, b, _] if r > g && r > b => 'r',
            [_, g, b, _] if g > b => 'g',
            [_, _, b, _] if *b > 0x40 => 'b',
            _ => '.',
        };
        println!("{}", row.chunks(4).map(letter).collect::<String>());
    }
    let pixel = |x: u32, y: u32| &picture.rgba[(y * picture.width + x) as usize * 4..][..4];
    assert_eq!(pixel(0, 0), [0, 0, 0x30, 0xFF]);
    assert!(pixel(8, 29)[0] > 200 && pixel(32, 4)[1] > 200 && pixel(56, 29)[2] > 200);
    Ok(())
}

/// The picture.
pub fn draw() -> Result<Image, Box<dyn std::error::Error>> {
    let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build()?;
    gpu.objects_mut()
        .graphics(KELVIN, 0x97)
        .dma(MEMORY, 0, LAST_BYTE)
        .dma(COLOR_SURFACE, COLOR, LAST_BYTE - COLOR);
    set_up(&mut gpu)?;

    // Clear to dark blue: value, then which channels.
    methods(&mut gpu, 0x1D98, &[(WIDTH - 1) << 16, (HEIGHT - 1) << 16])?;
    methods(&mut gpu, 0x1D90, &[0xFF00_0030, 0xF0])?;

    // BEGIN triangles, three vertices (colour, then position, which launches it), END.
    methods(&mut gpu, 0x17FC, &[5])?;
    for (x, y, color) in [
        (4.0, 30.0, [1.0, 0.0, 0.0, 1.0]),
        (32.0, 2.0, [0.0, 1.0, 0.0, 1.0]),
        (60.0, 30.0, [0.0, 0.0, 1.0, 1.0]),
    ] {
        methods(&mut gpu, 0x1550, &color.map(f32::to_bits))?;
        methods(&mut gpu, 0x1518, &[x, y, 0.0, 1.0].map(f32::to_bits))?;
    }
    methods(&mut gpu, 0x17FC, &[0])?;

    let target = gpu.render_target().ok_or("no colour surface is bound")?;
    Ok(gpu.read_surface(&target))
}

/// Data for a method and those after it, on subchannel 0.
fn methods(gpu: &mut Gpu, first: u16, data: &[u32]) -> Result<(), Problem> {
    for (method, &word) in (first..).step_by(4).zip(data) {
        let outcome = gpu.method(0, method, word)?;
        assert_eq!(outcome.trap, None);
    }
    Ok(())
}

/// The state that a triangle of plain colours needs.
fn set_up(gpu: &mut Gpu) -> Result<(), Problem> {
    methods(gpu, 0, &[KELVIN])?;
    // Objects: textures, colour and depth, vertices.
    methods(gpu, 0x184, &[MEMORY, MEMORY])?;
    methods(gpu, 0x194, &[COLOR_SURFACE, MEMORY, MEMORY, MEMORY])?;
    // Size; A8R8G8B8 with 24-bit depth, linear; pitches; offsets.
    methods(gpu, 0x200, &[WIDTH << 16, HEIGHT << 16])?;
    let pitch = WIDTH * 4;
    methods(gpu, 0x208, &[0x128, pitch << 16 | pitch, 0, 0])?;
    // One combiner stage; the final combiner passes the diffuse colour on.
    methods(gpu, 0x288, &[4, 0x1400])?;
    methods(gpu, 0x1E60, &[1])?;
    // Window clip; all tests off; all channels written; filled polygons; smooth shading.
    methods(gpu, 0x2C0, &[(WIDTH - 1) << 16; 8])?;
    methods(gpu, 0x2E0, &[(HEIGHT - 1) << 16; 8])?;
    methods(gpu, 0x300, &[0; 15])?;
    methods(gpu, 0x358, &[0x0101_0101])?;
    methods(gpu, 0x37C, &[0x1D01])?;
    methods(gpu, 0x38C, &[0x1B02, 0x1B02])?;
    methods(gpu, 0x394, &[0.0, 16_777_215.0].map(f32::to_bits))?;
    // A vertex program of two moves: oPos = v0, oD0 = v3. Positions are the window's.
    methods(gpu, 0x1E94, &[6, 0, 0, 0])?;
    methods(gpu, 0xB00, &[0, 0x0020_001B, 0x0836_106C, 0x2070_F800])?;
    methods(gpu, 0xB00, &[0, 0x0020_061B, 0x0836_106C, 0x2070_F819])
}
