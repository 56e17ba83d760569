//! One scene for each family besides the Xbox's: a wheel of colours.

use isotherm::capture::{Push, Writer};
use isotherm_regs::Family;
use isotherm_regs::fp;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};
use isotherm_regs::xf::asm::assemble;
use serde_json::json;

/// A scene that draws for another chip.
pub struct FamilyScene {
    /// Short name, fit for a file.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The capture file.
    pub capture: Vec<u8>,
}

/// Width and height of the pictures.
const SIZE: u32 = 256;
const PITCH: u32 = SIZE * 4;
const COLOR: u32 = 0x0010_0000;
const ZETA: u32 = 0x0020_0000;
const PROGRAM: u32 = 0x0030_0000;
/// A light background, A8R8G8B8.
const BACKGROUND: u32 = 0xffd8_dce4;

/// A corner: place in the window from -1 to 1, and colour.
#[derive(Clone, Copy)]
struct Corner {
    at: [f32; 2],
    color: [f32; 4],
}

/// Spokes of the wheel.
const SPOKES: usize = 24;

/// Triangles from the middle to the rim, every spoke of another colour.
fn wheel() -> Vec<Corner> {
    let rim = |spoke: usize| {
        let turn = (spoke % SPOKES) as f32 / SPOKES as f32;
        let angle = turn * std::f32::consts::TAU;
        let channel = |shift: f32| {
            let wave = (angle + shift * std::f32::consts::TAU / 3.0).cos();
            0.5 + 0.5 * wave
        };
        Corner {
            at: [0.85 * angle.cos(), 0.85 * angle.sin()],
            color: [channel(0.0), channel(1.0), channel(2.0), 1.0],
        }
    };
    let middle = Corner {
        at: [0.0, 0.0],
        color: [1.0; 4],
    };
    (0..SPOKES)
        .flat_map(|spoke| [middle, rim(spoke), rim(spoke + 1)])
        .collect()
}

/// The scenes.
pub fn all() -> anyhow::Result<Vec<FamilyScene>> {
    Ok(vec![
        FamilyScene {
            name: "celsius-wheel",
            about: "NV10: fixed-function vertices from a buffer, colours interpolated",
            capture: celsius()?,
        },
        FamilyScene {
            name: "rankine-wheel",
            about: "NV34: a vertex and a fragment program",
            capture: programmable("nv34", 0x697, Family::Rankine)?,
        },
        FamilyScene {
            name: "curie-wheel",
            about: "NV40: the same programs in Curie's words",
            capture: programmable("nv40", 0x4097, Family::Curie)?,
        },
        FamilyScene {
            name: "mali-wheel",
            about: "Mali-400: a geometry and a pixel job, a vertex and a fragment program, tiles",
            capture: mali()?,
        },
    ])
}

/// Handles of the objects.
const VRAM: u32 = 1;
const GART: u32 = 2;
const OBJECT: u32 = 3;

/// A capture that begins with the objects every driver makes.
fn begin(chip: &str, class: u32) -> std::io::Result<Writer<Vec<u8>>> {
    let info = json!({ "gpu": chip, "suite": "isotherm", "test": "wheel" });
    let mut writer = Writer::new(Vec::new(), &info)?;
    writer.object(&json!({ "type": "channel", "vram_ctxdma": VRAM, "gart_ctxdma": GART }))?;
    writer.object(&json!({ "type": "object", "handle": OBJECT, "class": class }))?;
    let background = BACKGROUND.to_le_bytes().repeat((SIZE * SIZE) as usize);
    writer.memory(COLOR, &background)?;
    Ok(writer)
}

/// The commands and the picture behind them.
fn end(mut writer: Writer<Vec<u8>>, push: &Push) -> std::io::Result<Vec<u8>> {
    writer.push(push.words())?;
    writer.surface(
        &json!({ "addr": COLOR, "pitch": PITCH, "width": SIZE, "height": SIZE,
        "format": "A8R8G8B8", "source": "color" }),
    )?;
    writer.finish()
}

const VERTICES: u32 = 0x0040_0000;
/// GL's triangles, one up.
const TRIANGLES: u32 = 5;

/// Class 56h; method numbers from rnndb's nv10_3d.xml.
fn celsius() -> std::io::Result<Vec<u8>> {
    let mut writer = begin("nv10", 0x56)?;
    let corners = wheel();
    let floats = corners.iter().flat_map(|c| c.color.into_iter().chain(c.at));
    let bytes: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
    writer.memory(VERTICES, &bytes)?;
    let mut push = Push::new();
    let all = SIZE << 16;
    push.method(0, 0, &[OBJECT])
        .method(0, 0x184, &[VRAM, VRAM, VRAM])
        .method(0, 0x194, &[VRAM, VRAM])
        // Clip, format, pitch, offsets.
        .method(
            0,
            0x200,
            &[all, all, 0x108, PITCH << 16 | PITCH, COLOR, ZETA],
        )
        .method(0, 0x2c0, &[(0x800 + SIZE - 1) << 16 | 0x800])
        .method(0, 0x2e0, &[(0x800 + SIZE - 1) << 16 | 0x800])
        // Combiners off, the final one passes the primary colour.
        .method(0, 0x260, &[0; 9])
        .method(
            0,
            0x284,
            &[0x1800_0000, 0x2004_2000, 0x2000_1400, 0x0010_0001],
        )
        .method(0, 0x300, &[0; 12])
        .method(
            0,
            0x33c,
            &[0x207, 0, 1, 0, 0, 0x8006, 0x201, 0x0101_0101, 0],
        )
        .method(0, 0x37c, &[0x1d01, 8])
        .method(0, 0x38c, &[0x1b02, 0x1b02])
        .floats(0, 0x394, &[0.0, 16_777_215.0])
        .method(0, 0x39c, &[0x405, 0x901])
        .method(0, 0x3e8, &[6]);
    // Window coordinates count from 2048 below.
    let half = SIZE as f32 / 2.0;
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[5], matrix[10], matrix[15]) = (half, -half, 8_388_607.5, 1.0);
    push.floats(0, 0x500, &matrix).floats(
        0,
        0x6e8,
        &[half - 2048.0, half - 2048.0, 8_388_607.5, 0.0],
    );
    // Buffers 0 and 1 are position and colour; the others are off.
    for buffer in 0..8u16 {
        let (offset, format) = match buffer {
            0 => (VERTICES + 16, 24 << 8 | 2 << 4 | 2),
            1 => (VERTICES, 24 << 8 | 4 << 4 | 2),
            _ => (0, 2),
        };
        push.method(0, 0xd00 + 8 * buffer, &[offset, format]);
    }
    push.method(0, 0x13fc, &[TRIANGLES])
        .method(0, 0x1400, &[(corners.len() as u32 - 1) << 24])
        .method(0, 0x13fc, &[0]);
    end(writer, &push)
}

/// Position and colour through; the colour travels as a texture coordinate.
const VERTEX_PROGRAM: &str = "MOV o[HPOS], v[0];\nMOV o[TEX0], v[1];\nEND\n";
const FRAGMENT_PROGRAM: &str = "MOVR H0, f[TEX0];\nEND\n";

/// Classes of Rankine and Curie; method numbers from rnndb's nv30-40_3d.xml.
fn programmable(chip: &str, class: u32, family: Family) -> anyhow::Result<Vec<u8>> {
    let mut writer = begin(chip, class)?;
    let curie = family == Family::Curie;
    let (vertex, fragment) = if curie {
        ("!!VP3.0", "!!FP2.0")
    } else {
        ("!!VP2.0", "!!FP1.0")
    };
    let program = assemble(&format!("{vertex}\n{VERTEX_PROGRAM}"), None)
        .map_err(|e| anyhow::anyhow!("the vertex program: {e}"))?;
    let made = fp::asm::assemble_any(&format!("{fragment}\n{FRAGMENT_PROGRAM}"), None)
        .map_err(|e| anyhow::anyhow!("the fragment program: {e}"))?;
    let bytes: Vec<u8> = made.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    writer.memory(PROGRAM, &bytes)?;
    let mut push = Push::new();
    let all = SIZE << 16;
    let pitch = if curie { PITCH } else { PITCH << 16 | PITCH };
    push.method(0, 0, &[OBJECT])
        .method(0, 0x184, &[VRAM, GART, VRAM])
        .method(0, 0x194, &[VRAM, VRAM, VRAM, GART])
        .method(0, 0x200, &[all, all, 0x148, pitch, COLOR, ZETA])
        .method(0, 0x220, &[1])
        .method(0, 0x2b8, &[0, 0, (SIZE - 1) << 16, (SIZE - 1) << 16])
        .method(0, 0x300, &[0, 0, 0x207, 0, 0])
        .method(0, 0x324, &[0x0101_0101, 0, 0xff])
        .method(0, 0x348, &[0])
        .method(0, 0x368, &[0x1d01])
        .method(0, 0x374, &[0])
        .floats(0, 0x394, &[0.0, 1.0])
        .method(0, 0x8c0, &[0x1000_0000, 0x1000_0000])
        .method(0, 0xa00, &[all, all])
        .method(0, 0xa60, &[0; 3])
        .method(0, 0xa6c, &[0x201, 0, 0])
        .method(0, 0x142c, &[0])
        .method(0, 0x1478, &[0, 0])
        .method(0, 0x1828, &[0x1b02, 0x1b02, 0x405, 0x901, 0, 0])
        .method(0, 0x1d78, &[1, 0xffff_0000])
        .method(0, 0x1d88, &[SIZE]);
    if curie {
        push.method(0, 0x22c, &[PITCH])
            .method(0, 0x370, &[0xfff0])
            .method(0, 0x1ff0, &[0x3, 0x4000]);
    } else {
        push.method(0, 0x8fc, &[0]);
    }
    let half = SIZE as f32 / 2.0;
    push.floats(0, 0xa20, &[half, half, 0.5, 0.0, half, -half, 0.5, 0.0])
        .method(0, 0x8e4, &[PROGRAM | 1])
        .method(0, 0x1d60, &[if curie { 0x0200_0000 } else { 0 }])
        .method(0, 0x1450, &[if curie { 4 } else { 0x1_0004 }])
        .method(0, 0x1e9c, &[0]);
    for word in &program.words {
        push.method(0, 0xb80, &word.to_upload());
    }
    push.method(0, 0x1ea0, &[0])
        .method(0, 0x1e94, &[if curie { 0x11 } else { 0x13 }])
        .method(0, 0x1808, &[TRIANGLES]);
    for corner in wheel() {
        let [x, y] = corner.at;
        push.floats(0, 0x1c10, &corner.color)
            .floats(0, 0x1c00, &[x, y, 0.0, 1.0]);
    }
    push.method(0, 0x1808, &[0]);
    Ok(end(writer, &push)?)
}

/// Where a Mali's job keeps its things.
mod place {
    /// Drivers hand out addresses from the top.
    const BASE: u32 = 0xf000_0000;
    pub const PLBU: u32 = BASE;
    pub const TILES: u32 = BASE + 0x1_0000;
    pub const LISTS: u32 = BASE + 0x1_8000;
    pub const STATE: u32 = BASE + 0x2_0000;
    pub const PROGRAM: u32 = BASE + 0x3_0000;
    pub const VS: u32 = BASE + 0x4_0000;
    pub const VERTEX_PROGRAM: u32 = BASE + 0x5_0000;
    pub const UNIFORMS: u32 = BASE + 0x5_8000;
    pub const INPUT_TABLE: u32 = BASE + 0x6_0000;
    pub const OUTPUT_TABLE: u32 = BASE + 0x6_8000;
    pub const CORNERS: u32 = BASE + 0x7_0000;
    pub const COLORS: u32 = BASE + 0x8_0000;
    pub const POSITIONS: u32 = BASE + 0x10_0000;
    pub const VARYINGS: u32 = BASE + 0x20_0000;
    pub const PICTURE: u32 = BASE + 0x40_0000;
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// From -1..1 to the window, by uniforms 0 (size) and 1 (middle); the colour goes through.
const MALI_VERTEX_PROGRAM: &str = "\
000: mul.m0 ^2 a0.x t[0].x
     mul.m1 ^3 a0.y t[0].y
001: add.a0 ^6/v0.x ^2 t[1].x
     add.a1 ^7/v0.y ^3 t[1].y
     mov.m0 ^8/v0.z a0.z
     mov.m1 ^9/v0.w a0.w
002: mov.a0 ^12/v1.x a1.x
     mov.a1 ^13/v1.y a1.y
     mov.m0 ^14/v1.z a1.z
     mov.m1 ^15/v1.w a1.w
";

/// The vertex program with all that it reads, and the commands that run it; where they end.
fn mali_vertices(writer: &mut Writer<Vec<u8>>, corners: &[Corner]) -> anyhow::Result<u32> {
    let bits = f32::to_bits;
    let place = |c: &Corner| [c.at[0], c.at[1], 0.5, 1.0].map(bits);
    let places: Vec<u32> = corners.iter().flat_map(place).collect();
    let colors: Vec<u32> = corners.iter().flat_map(|c| c.color.map(bits)).collect();
    writer.memory(place::CORNERS, &words(&places))?;
    writer.memory(place::COLORS, &words(&colors))?;
    let half = SIZE as f32 / 2.0;
    let uniforms = [half, -half, 0.0, 0.0, half, half, 0.0, 0.0].map(bits);
    writer.memory(place::UNIFORMS, &words(&uniforms))?;
    let program = isa_gp::encode_program(&isa_gp_text::asm(MALI_VERTEX_PROGRAM)?);
    writer.memory(place::VERTEX_PROGRAM, &words(&program))?;
    // Four floats every 16 bytes; the first output is the position.
    let inputs = [place::CORNERS, 16 << 11 | 3, place::COLORS, 16 << 11 | 3];
    let outputs = [
        place::POSITIONS,
        16 << 11 | 0x20,
        place::VARYINGS,
        16 << 11 | 3,
    ];
    writer.memory(place::INPUT_TABLE, &words(&inputs))?;
    writer.memory(place::OUTPUT_TABLE, &words(&outputs))?;
    let (count, size) = (corners.len() as u32, program.len() as u32 / 4);
    let mut vs = vec![place::UNIFORMS, 0x3000_0000 | 32 << 12];
    vs.extend([place::VERTEX_PROGRAM, 0x4000_0000 | size << 16]);
    vs.extend([(size - 1) << 10, 0x1000_0040, 1 << 24 | 1 << 8, 0x1000_0042]);
    vs.extend([place::INPUT_TABLE, 0x2000_0000 | 2 << 17]);
    vs.extend([place::OUTPUT_TABLE, 0x2000_0008 | 2 << 17]);
    vs.extend([count << 24, count >> 8]);
    writer.memory(place::VS, &words(&vs))?;
    Ok(place::VS + 4 * vs.len() as u32)
}

/// A geometry job that runs vertices and bins them, and a pixel job of one draw.
fn mali() -> anyhow::Result<Vec<u8>> {
    let info = json!({ "gpu": "mali400", "suite": "isotherm", "test": "wheel" });
    let mut writer = Writer::new(Vec::new(), &info)?;
    let corners = wheel();
    let bits = f32::to_bits;
    let vs_end = mali_vertices(&mut writer, &corners)?;
    let code = isa_pp_text::asm("load.v $0 0, stop")?;
    let program: Vec<u32> = code.iter().flat_map(isa_pp::Instr::encode).collect();
    writer.memory(place::PROGRAM, &words(&program))?;
    let first = program.first().copied().unwrap_or(0) & 31;
    writer.memory(place::STATE, &words(&render_state(first)))?;
    let count = corners.len() as u32;
    let mut plbu = vec![0x200, 0x1000_010b, 0, 0x1000_010c];
    let blocks = SIZE / 16 - 1;
    plbu.extend([blocks << 24 | blocks << 8, 0x1000_0109, 2, 0x3000_0000]);
    plbu.extend([place::LISTS, 0x2800_0000]);
    plbu.extend([0, 0x1000_0107, bits(SIZE as f32), 0x1000_0108]);
    plbu.extend([0, 0x1000_0105, bits(SIZE as f32), 0x1000_0106]);
    plbu.extend([0, 0x1000_010e, bits(1.0), 0x1000_010f]);
    plbu.extend([place::STATE, 0x8000_0000 | place::POSITIONS >> 4]);
    plbu.extend([count << 24, 0x0004_0000 | count >> 8, 0, 0x5000_0000]);
    writer.memory(place::PLBU, &words(&plbu))?;
    let mut tiles = Vec::new();
    for y in 0..SIZE / 16 {
        for x in 0..SIZE / 16 {
            tiles.extend([0, 0xb800_0000 | x | y << 8, 0xe000_0002, 0xb000_0000]);
        }
    }
    tiles.extend([0, 0xbc00_0000]);
    writer.memory(place::TILES, &words(&tiles))?;
    let end = place::PLBU + 4 * plbu.len() as u32;
    writer.job(b"GP  ", "{}", &[place::VS, vs_end, place::PLBU, end, 0, 0])?;
    writer.job(b"PP  ", "{}", &pixel_frame())?;
    writer.surface(
        &json!({ "addr": place::PICTURE, "pitch": PITCH, "width": SIZE,
        "height": SIZE, "format": "B8G8R8A8", "source": "color" }),
    )?;
    Ok(writer.finish()?)
}

/// No blending, every fragment passes and writes its depth; the program's first instruction has this many words.
fn render_state(first: u32) -> [u32; 16] {
    let mut state = [0; 16];
    state[2..9].copy_from_slice(&[
        0xfc3b_1ad2,
        0x3f,
        0xffff_0000,
        0xff00_0007,
        0xff00_0007,
        0xffff,
        0xf807,
    ]);
    state[9] = place::PROGRAM | first;
    // One varying of four floats, 16 bytes a vertex.
    state[13] = 2;
    state[14] = 0x3000;
    state[15] = place::VARYINGS;
    state
}

/// The frame registers: clear colour, size, and one write-back unit with linear rows.
fn pixel_frame() -> Vec<u32> {
    let mut frame = vec![0; 68];
    let [b, g, r, a] = BACKGROUND.to_le_bytes();
    let clear = u32::from_le_bytes([r, g, b, a]);
    (frame[4], frame[10], frame[11]) = (0x00ff_ffff, SIZE - 1, SIZE - 1);
    frame[6..10].copy_from_slice(&[clear; 4]);
    (frame[16], frame[17]) = (1, 2 * SIZE - 1);
    (frame[21], frame[22], frame[23]) = (0xe0c, 0x8888, 1);
    frame[24..30].copy_from_slice(&[2, place::PICTURE, 3, 0, 0, PITCH / 8]);
    frame[60] = place::TILES;
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm::capture::Reader;
    use isotherm::gpu;

    #[test]
    fn every_family_draws_a_wheel() {
        for scene in all().expect("scenes") {
            let mut picture = None;
            let gpu = gpu::replay(
                Reader::new(scene.capture.as_slice()).expect("a capture"),
                |gpu| gpu.set_threads(1),
                |gpu, surface| picture = Some(surface.read(&gpu.memory)),
            )
            .expect("replays");
            assert!(
                !gpu.oddities().any(),
                "{}: {:?}",
                scene.name,
                gpu.oddities()
            );
            let rgba = picture.expect("a picture").rgba;
            let at = |x: u32, y: u32| {
                let start = ((y * SIZE + x) * 4) as usize;
                [rgba[start], rgba[start + 1], rgba[start + 2]]
            };
            assert_eq!(at(2, 2), [0xd8, 0xdc, 0xe4], "{}", scene.name);
            // Red lies to the right.
            let [r, g, b] = at(232, 128);
            assert!(r > 200 && g < 90 && b < 90, "{}: {r} {g} {b}", scene.name);
            let [r, g, b] = at(128, 128);
            assert!(r > 230 && g > 230 && b > 230, "{}: {r} {g} {b}", scene.name);
        }
    }
}
