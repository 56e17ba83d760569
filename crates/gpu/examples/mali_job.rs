//! A Mali-400 draws a triangle: one vertex job, one fragment job.
//!
//! The kernel driver's part is played here: memory at GPU addresses, and the words of the two
//! frame structures.

use isotherm::{Chip, Gpu};
use isotherm_regs::mali::isa_pp::Instr;
use isotherm_regs::mali::isa_pp_text::asm;

const WIDTH: u32 = 64;
const HEIGHT: u32 = 48;
const TILE: u32 = 16;

// Where things lie.
const COMMANDS: u32 = 0x8000_0000;
const TILE_LISTS: u32 = 0x8001_0000;
const STATE: u32 = 0x8002_0000;
const PROGRAM: u32 = 0x8003_0000;
const POSITIONS: u32 = 0x8010_0000;
const VARYINGS: u32 = 0x8020_0000;
const PICTURE: u32 = 0x8040_0000;

/// Runs both jobs and looks at the picture.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut gpu = Gpu::new(Chip::Mali400);
    let f = f32::to_bits;

    // The fragment program: load the varying, that is the colour.
    let program: Vec<u32> = asm("load.v $0 0, stop")?
        .iter()
        .flat_map(Instr::encode)
        .collect();
    put(&mut gpu, PROGRAM, &program);
    for (i, (x, y, color)) in [
        (2.0, 46.0, [1.0, 0.0, 0.0, 1.0]),
        (32.0, 2.0, [0.0, 1.0, 0.0, 1.0]),
        (62.0, 46.0, [0.0, 0.0, 1.0, 1.0]),
    ]
    .into_iter()
    .enumerate()
    {
        let i = i as u32;
        put(&mut gpu, POSITIONS + 16 * i, &[f(x), f(y), f(0.5), f(1.0)]);
        put(&mut gpu, VARYINGS + 16 * i, &color.map(f));
    }

    // The render state: no blending, depth always passes, one varying of four floats.
    let mut state = [0; 16];
    state[2..9].copy_from_slice(&[
        0xFC3B_1AD2,
        0x0000_003E,
        0xFFFF_0000,
        0xFF00_0007,
        0xFF00_0007,
        0,
        0x0000_F807,
    ]);
    state[9] = PROGRAM | program[0] & 31;
    state[13] = 2;
    state[15] = VARYINGS;
    put(&mut gpu, STATE, &state);

    // The vertex job sorts the triangle into tiles.
    let mut commands = vec![0x200, 0x1000_010B, 0, 0x1000_010C];
    let blocks = (HEIGHT / TILE - 1) << 24 | (WIDTH / TILE - 1) << 8;
    commands.extend([blocks, 0x1000_0109, 2, 0x3000_0000]);
    commands.extend([TILE_LISTS + 0x8000, 0x2800_0000]);
    commands.extend([0, 0x1000_0107, f(WIDTH as f32), 0x1000_0108]);
    commands.extend([0, 0x1000_0105, f(HEIGHT as f32), 0x1000_0106]);
    commands.extend([0, 0x1000_010E, f(1.0), 0x1000_010F]);
    commands.extend([STATE, 0x8000_0000 | POSITIONS >> 4, 3 << 24, 0x0004_0000]);
    commands.extend([0, 0x5000_0000]);
    put(&mut gpu, COMMANDS, &commands);
    gpu.vertex_job(&[0, 0, COMMANDS, COMMANDS + 4 * commands.len() as u32, 0, 0])?;

    // The fragment job walks the tiles and writes the picture, rows one after the other.
    let mut at = TILE_LISTS;
    for (x, y) in (0..HEIGHT / TILE).flat_map(|y| (0..WIDTH / TILE).map(move |x| (x, y))) {
        put(
            &mut gpu,
            at,
            &[0, 0xB800_0000 | x | y << 8, 0xE000_0002, 0xB000_0000],
        );
        at += 16;
    }
    put(&mut gpu, at, &[0, 0xBC00_0000]);
    let mut frame = vec![0; 68];
    (frame[4], frame[10], frame[11]) = (0x00FF_FFFF, WIDTH - 1, HEIGHT - 1);
    (frame[16], frame[17], frame[21], frame[22], frame[23]) = (1, 2 * HEIGHT - 1, 0xE0C, 0x8888, 1);
    frame[24..30].copy_from_slice(&[2, PICTURE, 3, 0, 0, WIDTH * 4 / 8]);
    frame[60] = TILE_LISTS;
    gpu.fragment_job(&frame)?;

    let picture = gpu.last_picture().ok_or("the job wrote no picture")?;
    let pixel = |x: u32, y: u32| &picture.rgba[(y * picture.width + x) as usize * 4..][..4];
    println!(
        "{}x{}, middle {:?}",
        picture.width,
        picture.height,
        pixel(32, 30)
    );
    assert_eq!((picture.width, picture.height), (WIDTH, HEIGHT));
    assert_eq!(pixel(0, 0), [0; 4]);
    assert!(pixel(6, 45)[0] > 200 && pixel(32, 5)[1] > 200 && pixel(58, 45)[2] > 200);
    Ok(())
}

fn put(gpu: &mut Gpu, at: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    gpu.write_memory(at, &bytes);
}
