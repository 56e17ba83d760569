//! A surface to draw on, and the registers every scene starts from.

use isotherm_capture::{Push, Writer};
use serde_json::json;

/// Width and height of the demo's scenes.
pub const SIZE: u32 = 256;
const COLOR: u32 = 0x0010_0000;
/// Surfaces begin at a whole megabyte.
const MEGABYTE: u32 = 0x0010_0000;
/// Memory for textures of the demo's scenes.
pub const TEXTURE: u32 = 0x0030_0000;
const LAST_BYTE: u32 = 0x03FF_FFFF;

/// Methods of class 97h that the scenes use.
pub mod m {
    pub const SURFACE_CLIP: u16 = 0x200;
    pub const SURFACE_FORMAT: u16 = 0x208;
    pub const COMBINER_ALPHA_ICW: u16 = 0x260;
    pub const COMBINER_FINAL: u16 = 0x288;
    pub const CONTROL0: u16 = 0x290;
    pub const WINDOW_CLIP_TYPE: u16 = 0x2B4;
    pub const WINDOW_CLIP_X: u16 = 0x2C0;
    pub const WINDOW_CLIP_Y: u16 = 0x2E0;
    pub const FOG: u16 = 0x29C;
    pub const ALPHA_TEST: u16 = 0x300;
    pub const BLEND: u16 = 0x304;
    pub const CULL: u16 = 0x308;
    pub const DEPTH_TEST: u16 = 0x30C;
    pub const DITHER: u16 = 0x310;
    pub const STENCIL_TEST: u16 = 0x32C;
    pub const ALPHA_FUNC: u16 = 0x33C;
    pub const BLEND_SFACTOR: u16 = 0x344;
    pub const BLEND_COLOR: u16 = 0x34C;
    pub const DEPTH_FUNC: u16 = 0x354;
    pub const COLOR_MASK: u16 = 0x358;
    pub const DEPTH_WRITE: u16 = 0x35C;
    pub const STENCIL_MASK: u16 = 0x360;
    pub const SHADE_MODE: u16 = 0x37C;
    pub const LINE_WIDTH: u16 = 0x380;
    pub const POLYGON_MODE: u16 = 0x38C;
    pub const CLIP_MIN: u16 = 0x394;
    pub const CULL_FACE: u16 = 0x39C;
    pub const POINT_SIZE: u16 = 0x43C;
    pub const COMPOSITE_MATRIX: u16 = 0x680;
    pub const FOG_PARAMS: u16 = 0x9C0;
    pub const FOG_PLANE: u16 = 0x9D0;
    pub const VIEWPORT_OFFSET: u16 = 0xA20;
    pub const COMBINER_FACTOR0: u16 = 0xA60;
    pub const COMBINER_FACTOR1: u16 = 0xA80;
    pub const COMBINER_ALPHA_OCW: u16 = 0xAA0;
    pub const COMBINER_COLOR_ICW: u16 = 0xAC0;
    pub const PROGRAM: u16 = 0xB00;
    pub const STIPPLE_ENABLE: u16 = 0x147C;
    pub const STIPPLE: u16 = 0x1480;
    pub const VERTEX4F: u16 = 0x1518;
    pub const DIFFUSE4F: u16 = 0x1550;
    pub const TEXCOORD2F: u16 = 0x1590;
    pub const ARRAY_OFFSET: u16 = 0x1720;
    pub const ARRAY_FORMAT: u16 = 0x1760;
    pub const BEGIN_END: u16 = 0x17FC;
    pub const ARRAY_ELEMENT16: u16 = 0x1800;
    pub const DRAW_ARRAYS: u16 = 0x1810;
    pub const LOGIC_OP: u16 = 0x17BC;
    pub const TEXTURE: u16 = 0x1B00;
    pub const BUMP_MATRIX: u16 = 0x1B28;
    pub const CLEAR_VALUE: u16 = 0x1D8C;
    pub const CLEAR_RECT: u16 = 0x1D98;
    pub const COMBINER_COLOR_OCW: u16 = 0x1E40;
    pub const COMBINER_CONTROL: u16 = 0x1E60;
    pub const SHADER_STAGES: u16 = 0x1E70;
    pub const TRANSFORM_MODE: u16 = 0x1E94;
}

/// Primitive numbers of BEGIN_END.
pub mod prim {
    pub const POINTS: u32 = 1;
    pub const LINES: u32 = 2;
    pub const TRIANGLES: u32 = 5;
    pub const TRIANGLE_STRIP: u32 = 6;
    pub const QUADS: u32 = 8;
}

/// A vertex in window coordinates.
#[derive(Clone, Copy)]
pub struct Vertex {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub color: [f32; 4],
    pub uv: [f32; 2],
}

/// A vertex without texture at depth 0.
pub fn vertex(x: f32, y: f32, color: [f32; 4]) -> Vertex {
    Vertex {
        x,
        y,
        z: 0.0,
        color,
        uv: [0.0; 2],
    }
}

/// Eleven moves: every attribute to the output of the same name. The words are those of
/// any assembler for `mov oPos, v0; mov oD0, v3; … mov oT3, v12`.
fn pass_through() -> Vec<u32> {
    // Attribute, then output register; the last has the end bit.
    let moves = [
        (0u32, 0u32),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 7),
        (8, 8),
        (9, 9),
        (10, 10),
        (11, 11),
        (12, 12),
    ];
    let word = |(input, output): (u32, u32)| {
        let end = u32::from(output == 12);
        [
            0,
            0x0020_001B | input << 9,
            0x0836_106C,
            0x2070_F800 | output << 3 | end,
        ]
    };
    moves.into_iter().flat_map(word).collect()
}

/// What a scene draws on.
pub struct Canvas {
    width: u32,
    height: u32,
    push: Push,
    /// Frames that are complete.
    frames: Vec<Push>,
    memory: Vec<(u32, Vec<u8>)>,
}

impl Canvas {
    /// A cleared surface, all tests off, diffuse colour straight to the surface.
    pub fn new(width: u32, height: u32) -> Canvas {
        let mut canvas = Canvas {
            width,
            height,
            push: Push::new(),
            frames: Vec::new(),
            memory: Vec::new(),
        };
        let pitch = canvas.pitch();
        canvas
            .set(0, &[13])
            .set(0x184, &[3, 3])
            .set(0x194, &[9, 10, 3, 3]);
        canvas.set(m::SURFACE_CLIP, &[width << 16, height << 16]);
        canvas.set(m::SURFACE_FORMAT, &[0x128, pitch << 16 | pitch, 0, 0]);
        canvas
            .set(m::COMBINER_ALPHA_ICW, &[0; 8])
            .set(m::COMBINER_COLOR_ICW, &[0; 8]);
        canvas
            .set(m::COMBINER_COLOR_OCW, &[0; 8])
            .set(0xAA0, &[0; 8]);
        canvas
            .set(m::COMBINER_FINAL, &[4, 0x1400])
            .set(m::COMBINER_CONTROL, &[1]);
        canvas
            .set(m::CONTROL0, &[0x0010_0001])
            .set(0x29C, &[0x2601, 0, 0]);
        canvas.set(m::WINDOW_CLIP_TYPE, &[0]);
        canvas
            .set(m::WINDOW_CLIP_X, &[(width - 1) << 16; 8])
            .set(m::WINDOW_CLIP_Y, &[(height - 1) << 16; 8]);
        canvas.set(m::ALPHA_TEST, &[0; 15]);
        canvas.set(m::ALPHA_FUNC, &[0x207, 0, 1, 0, 0, 0x8006]);
        canvas.set(
            m::DEPTH_FUNC,
            &[0x201, 0x0101_0101, 1, 0xFF, 0x207, 0, 0xFF],
        );
        canvas
            .set(0x370, &[0x1E00, 0x1E00, 0x1E00])
            .set(m::SHADE_MODE, &[0x1D01, 8]);
        canvas.set(m::POLYGON_MODE, &[0x1B02, 0x1B02]);
        canvas.set_floats(m::CLIP_MIN, &[0.0, 16_777_215.0]);
        canvas
            .set(m::CULL_FACE, &[0x405, 0x900])
            .set(m::POINT_SIZE, &[8]);
        canvas
            .set(m::STIPPLE_ENABLE, &[0])
            .set(m::LOGIC_OP, &[0, 0x1503]);
        for stage in 0..4 {
            canvas.set(m::TEXTURE + 0x40 * stage + 0xC, &[0]);
        }
        canvas
            .set(0x1D7C, &[0xFFFF_0000])
            .set(m::SHADER_STAGES, &[0])
            .set(0x1E78, &[0]);
        canvas.set(m::TRANSFORM_MODE, &[6, 0, 0, 0]);
        let program = pass_through();
        program.chunks(4).for_each(|words| {
            canvas.set(m::PROGRAM, words);
        });
        canvas.clear(0xFF20_2830, (0, 0, width, height));
        canvas
    }

    /// Bytes from one row to the next.
    fn pitch(&self) -> u32 {
        self.width * 4
    }

    /// Where depth lies: behind colour.
    fn zeta(&self) -> u32 {
        COLOR + (self.pitch() * self.height).next_multiple_of(MEGABYTE)
    }

    /// Data to a method and those after it.
    pub fn set(&mut self, method: u16, data: &[u32]) -> &mut Canvas {
        self.push.method(0, method, data);
        self
    }

    /// Floats to a method and those after it.
    pub fn set_floats(&mut self, method: u16, data: &[f32]) -> &mut Canvas {
        self.push.floats(0, method, data);
        self
    }

    /// All data to one method.
    pub fn repeat(&mut self, method: u16, data: &[u32]) -> &mut Canvas {
        self.push.repeat(0, method, data);
        self
    }

    /// What was sent up to here is a frame, with a picture at its end.
    pub fn end_frame(&mut self) -> &mut Canvas {
        self.frames.push(std::mem::take(&mut self.push));
        self
    }

    /// Clears a rectangle to a colour, depth to the far end, stencil to 0.
    pub fn clear(&mut self, color: u32, (x, y, w, h): (u32, u32, u32, u32)) -> &mut Canvas {
        self.set(
            m::CLEAR_RECT,
            &[(x + w - 1) << 16 | x, (y + h - 1) << 16 | y],
        );
        self.set(m::CLEAR_VALUE, &[0xFFFF_FF00, color, 0xF3])
    }

    /// A primitive of its vertices.
    pub fn draw(&mut self, prim: u32, vertices: &[Vertex]) -> &mut Canvas {
        self.set(m::BEGIN_END, &[prim]);
        for v in vertices {
            self.push.floats(0, m::DIFFUSE4F, &v.color);
            self.push.floats(0, m::TEXCOORD2F, &v.uv);
            self.push.floats(0, m::VERTEX4F, &[v.x, v.y, v.z, 1.0]);
        }
        self.set(m::BEGIN_END, &[0])
    }

    /// A primitive of vertices in memory, fetched by as many methods as it takes.
    pub fn draw_arrays(&mut self, prim: u32, address: u32, vertices: &[Vertex]) -> &mut Canvas {
        // Position and colour, four floats each.
        let floats = |v: &Vertex| [v.x, v.y, v.z, 1.0].into_iter().chain(v.color);
        let bytes = vertices.iter().flat_map(floats).flat_map(f32::to_le_bytes);
        self.memory(address, bytes.collect());
        let format = 32 << 8 | 4 << 4 | 2;
        for (attribute, offset) in [(0, 0), (3, 16)] {
            self.set(m::ARRAY_OFFSET + 4 * attribute, &[address + offset]);
            self.set(m::ARRAY_FORMAT + 4 * attribute, &[format]);
        }
        self.set(m::BEGIN_END, &[prim]);
        for start in (0..vertices.len()).step_by(256) {
            let count = (vertices.len() - start).min(256);
            self.set(m::DRAW_ARRAYS, &[(count as u32 - 1) << 24 | start as u32]);
        }
        self.set(m::BEGIN_END, &[0]);
        for attribute in [0, 3] {
            self.set(m::ARRAY_FORMAT + 4 * attribute, &[2]);
        }
        self
    }

    /// A rectangle of one colour.
    pub fn quad(
        &mut self,
        (x, y, w, h): (f32, f32, f32, f32),
        z: f32,
        color: [f32; 4],
    ) -> &mut Canvas {
        let corner = |x, y, uv| Vertex { x, y, z, color, uv };
        self.draw(
            prim::QUADS,
            &[
                corner(x, y, [0.0, 0.0]),
                corner(x + w, y, [1.0, 0.0]),
                corner(x + w, y + h, [1.0, 1.0]),
                corner(x, y + h, [0.0, 1.0]),
            ],
        )
    }

    /// Bytes that lie in memory from the beginning.
    pub fn memory(&mut self, address: u32, bytes: Vec<u8>) -> &mut Canvas {
        self.memory.push((address, bytes));
        self
    }

    /// The capture file.
    pub fn finish(&self, name: &str) -> std::io::Result<Vec<u8>> {
        let info = json!({ "gpu": "nv2a", "suite": "isotherm", "test": name });
        let mut writer = Writer::new(Vec::new(), &info)?;
        let mut dma = |handle: u32, base: u32| {
            writer.object(&json!({
                "handle": handle, "kind": "dma", "class": 0x3D, "base": base,
                "limit": LAST_BYTE, "target": 0, "instance": 0x1000 + handle,
                "raw": [0xB03D, LAST_BYTE, base | 3, base | 3],
            }))
        };
        dma(3, 0)?;
        dma(9, COLOR)?;
        dma(10, self.zeta())?;
        writer.object(&json!({ "handle": 13, "kind": "graphics", "class": 0x97,
            "instance": 0x100D, "raw": [0x97, 0xA00, 0, 0] }))?;
        for (address, bytes) in &self.memory {
            writer.memory(*address, bytes)?;
        }
        for frame in self.frames.iter().chain([&self.push]) {
            writer.push(frame.words())?;
            writer.surface(
                &json!({ "golden": name, "addr": COLOR, "pitch": self.pitch(), "width": self.width,
                "height": self.height, "format": "A8R8G8B8", "source": "color" }),
            )?;
        }
        writer.finish()
    }
}
