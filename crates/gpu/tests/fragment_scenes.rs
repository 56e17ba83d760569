//! Rankine and Curie draw with fragment programs that lie in memory: from methods to pixels.

#[path = "fragment/drawing.rs"]
mod drawing;
#[path = "fragment/inputs.rs"]
mod inputs;

use isotherm::capture::{Push, Reader, Surface, Writer};
use isotherm::gpu;
use isotherm::observe::{Outcome, Touch};
use isotherm::{Gpu, Reason};
use isotherm_regs::Family;
use isotherm_regs::fp;
use isotherm_regs::xf::asm as vp;
use serde_json::json;

/// Width and height.
const SIZE: u32 = 64;
const PITCH: u32 = SIZE * 4;
const COLOR: u32 = 0x10_0000;
const ZETA: u32 = 0x20_0000;
const PROGRAMS: u32 = 0x30_0000;
/// What the target is cleared to.
const CLEARED: [u8; 4] = [0x20, 0x28, 0x30, 0xff];

/// FP_CONTROL: the colour is R0.
const FULL: u32 = 0x40;
/// FP_CONTROL: R1.z is the depth, as Mesa writes it.
const DEPTH: u32 = 0xe;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Chip {
    name: &'static str,
    class: u32,
    family: Family,
}

const CHIPS: [Chip; 2] = [
    Chip {
        name: "nv34",
        class: 0x697,
        family: Family::Rankine,
    },
    Chip {
        name: "nv40",
        class: 0x4097,
        family: Family::Curie,
    },
];

/// A capture while it is being written.
struct Scene {
    chip: Chip,
    push: Push,
    /// Fragment programs one after the other.
    programs: Vec<u8>,
}

impl Scene {
    /// A cleared target, all tests off, vertices in clip coordinates with y down.
    fn new(chip: Chip) -> Scene {
        let mut scene = Scene {
            chip,
            push: Push::new(),
            programs: Vec::new(),
        };
        let curie = chip.family == Family::Curie;
        let (side, last) = (SIZE << 16, (SIZE - 1) << 16);
        scene
            .set(0, &[1])
            .set(0x184, &[2, 3])
            .set(0x194, &[2, 2])
            .set(0x200, &[side, side, 0x148]);
        if curie {
            scene.set(0x22c, &[PITCH]).set(0x20c, &[PITCH]);
            // Where results go, as the driver has them.
            scene.set(
                0x1fc4,
                &[0x0614_4321, 0xedcb_a987, 0x6f, 0x17_1615, 0x1b_1a19],
            );
            scene.set(0x1ef8, &[0x20_ffff]).set(0x370, &[0xfff0]);
        } else {
            scene.set(0x20c, &[PITCH << 16 | PITCH]);
            scene.set(0x1450, &[0x1_0004]).set(0x23c, &[1]);
        }
        scene
            .set(0x210, &[COLOR, ZETA])
            .set(0x220, &[1])
            .set(0x2b8, &[0, 0])
            .set(0x2c0, &[last, last])
            .set(0x300, &[0, 0])
            .set(0x310, &[0])
            .set(0x324, &[0x0101_0101, 0])
            .set(0x348, &[0])
            .set(0x368, &[0x1d01])
            .set(0x374, &[0])
            .set(0x8c0, &[side, side])
            .set(0xa00, &[side, side])
            .set(0xa60, &[0; 6])
            .set(0x142c, &[0])
            .set(0x147c, &[0])
            .set(0x1478, &[0])
            .set(0x1828, &[0x1b02, 0x1b02, 0x405, 0x901, 0, 0])
            .set(0x1d78, &[1, 0xffff_0000])
            .set(0x1d88, &[SIZE])
            .set(0x1da4, &[0]);
        let half = SIZE as f32 / 2.0;
        scene.push.floats(0, 0x394, &[0.0, 1.0]);
        scene.push.floats(0, 0xa20, &[half, half, 0.5, 0.0]);
        scene.push.floats(0, 0xa30, &[half, half, 0.5, 0.0]);
        scene.vertex_program();
        scene.set(0x1d8c, &[0xffff_ff00, 0xff20_2830, 0xf3]);
        scene
    }

    /// Data to a method and those after it.
    fn set(&mut self, method: u16, data: &[u32]) -> &mut Scene {
        self.push.method(0, method, data);
        self
    }

    /// Position, colour and one set of texture coordinates go through.
    fn vertex_program(&mut self) {
        self.vertices("MOV o[COL0], v[3];\nMOV o[TEX0], v[8];\n", 1 | 1 << 14);
    }

    /// A vertex program behind the position, and its results (Curie).
    fn vertices(&mut self, text: &str, results: u32) {
        let curie = self.chip.family == Family::Curie;
        let header = if curie { "!!VP3.0" } else { "!!VP2.0" };
        let text = format!("{header}\nMOV o[HPOS], v[0];\n{text}END\n");
        let program = vp::assemble(&text, None).unwrap_or_else(|e| panic!("{e}"));
        self.set(0x1e9c, &[0]);
        for words in program.upload().chunks(4) {
            self.set(0xb80, words);
        }
        self.set(0x1ea0, &[0]);
        if curie {
            self.set(0x1ff0, &[0xffff, results]);
        }
        self.set(0x1e94, &[if curie { 0x11 } else { 0x13 }]);
    }

    /// Puts a fragment program into memory and makes it the one that runs.
    fn program(&mut self, text: &str, control: u32) -> &mut Scene {
        let words = fp::asm::assemble(self.chip.family, text).unwrap_or_else(|e| panic!("{e}"));
        let address = PROGRAMS + self.programs.len() as u32;
        self.programs
            .extend(words.iter().flat_map(|w| w.to_le_bytes()));
        self.programs
            .resize(self.programs.len().next_multiple_of(64), 0);
        let registers = if self.chip.family == Family::Curie {
            4 << 24
        } else {
            0
        };
        self.set(0x8e4, &[address | 1])
            .set(0x1d60, &[control | registers])
    }

    /// A triangle that covers the target; texture coordinates run from 0 to 1 over it. `z`
    /// is the depth, from 0 to 1.
    fn fill(&mut self, z: f32, color: [f32; 4]) -> &mut Scene {
        self.set(0x1808, &[5]);
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            let (s, t) = ((x + 1.0) / 2.0, (y + 1.0) / 2.0);
            self.push.floats(0, 0x1c30, &color);
            self.push.floats(0, 0x1c80, &[s, t, 0.25, 1.0]);
            self.push.floats(0, 0x1c00, &[x, y, 2.0 * z - 1.0, 1.0]);
        }
        self.set(0x1808, &[0])
    }

    fn capture(&self) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), &json!({ "gpu": self.chip.name })).unwrap();
        for object in [
            json!({ "type": "channel", "vram_ctxdma": 2, "gart_ctxdma": 3 }),
            json!({ "type": "object", "handle": 1, "class": self.chip.class }),
        ] {
            writer.object(&object).unwrap();
        }
        writer.memory(PROGRAMS, &self.programs).unwrap();
        writer.push(self.push.words()).unwrap();
        let surface = json!({ "golden": "scene", "addr": COLOR, "pitch": PITCH, "width": SIZE,
            "height": SIZE, "format": "A8R8G8B8", "source": "color" });
        writer.surface(&surface).unwrap();
        writer.finish().unwrap()
    }

    /// The picture, the same with any number of threads.
    fn draw(&self) -> Picture {
        let capture = self.capture();
        let draw = |threads: usize, primitives: usize| {
            let mut picture = Vec::new();
            let gpu = gpu::replay(
                Reader::new(&capture[..]).unwrap(),
                |gpu| {
                    gpu.set_threads(threads);
                    gpu.set_scene_size(primitives);
                },
                |gpu, surface: &Surface| picture = surface.read(&gpu.memory).rgba,
            )
            .unwrap();
            assert!(!gpu.oddities().any(), "{:?}", gpu.oddities());
            picture
        };
        let one = draw(1, usize::MAX);
        assert!(
            draw(3, usize::MAX) == one,
            "{}: threads show",
            self.chip.name
        );
        assert!(draw(3, 1) == one, "{}: scenes show", self.chip.name);
        Picture {
            chip: self.chip,
            rgba: one,
        }
    }

    /// What happened to a pixel.
    fn touches(&self, x: u32, y: u32) -> Vec<Touch> {
        let address = COLOR + y * PITCH + x * 4;
        let mut gpu = gpu::replay(
            Reader::new(&self.capture()[..]).unwrap(),
            |gpu| {
                gpu.set_threads(1);
                gpu.watch(Some(address));
            },
            |_, _| {},
        )
        .unwrap();
        gpu.touches()
    }
}

struct Picture {
    chip: Chip,
    rgba: Vec<u8>,
}

impl Picture {
    fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let i = (y * SIZE + x) as usize * 4;
        [0, 1, 2, 3].map(|c| self.rgba[i + c])
    }

    /// Every pixel against a formula, each channel up to `off` away.
    #[track_caller]
    fn check(&self, off: u8, want: impl Fn(u32, u32) -> [u8; 4]) {
        for y in 0..SIZE {
            for x in 0..SIZE {
                let (found, want) = (self.at(x, y), want(x, y));
                let near = found.iter().zip(want).all(|(a, b)| a.abs_diff(b) <= off);
                let chip = self.chip.name;
                assert!(near, "{chip} at {x}, {y}: {found:?}, expected {want:?}");
            }
        }
    }
}

#[test]
fn the_vertices_colour() {
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        scene.program("MOVR H0, f[COL0];\nEND\n", 0);
        scene.fill(0.5, [1.0, 0.6, 0.2, 0.4]);
        scene.draw().check(0, |_, _| [255, 153, 51, 102]);
    }
}

/// To say why a draw leaves nothing it is drawn on trial, which writes nothing, to targets of
/// floats neither.
#[test]
fn who_looks_at_draws_changes_nothing() {
    let mut scene = Scene::new(CHIPS[1]);
    // Half floats, eight bytes for a pixel.
    scene.set(0x208, &[0x14b]).set(0x20c, &[2 * PITCH]);
    scene.program("MOVR H0, f[COL0];\nEND\n", 0);
    scene.fill(0.5, [1.0; 4]);
    // The alpha test never passes.
    scene.set(0x304, &[1, 0x200, 0]);
    scene.fill(0.5, [0.2; 4]);
    let replay = |look: bool| {
        let capture = scene.capture();
        let look = |gpu: &mut Gpu| gpu.inspect_draws(look);
        gpu::replay(Reader::new(&capture[..]).unwrap(), look, |_, _| {}).unwrap()
    };
    let (plain, mut inspected) = (replay(false), replay(true));
    let one = 0x3c00_3c00;
    for at in (COLOR..COLOR + 2 * PITCH * SIZE).step_by(4) {
        assert_eq!(plain.memory.read_u32(at), one);
        assert_eq!(inspected.memory.read_u32(at), one);
    }
    let reports = inspected.draw_reports();
    let why = |i: usize| reports[i].why_nothing().map(|why| why.reason);
    assert_eq!((why(0), why(1)), (None, Some(Reason::Alpha)));
}

/// Conditions by the window's coordinates, a killed band, a constant, a half float.
#[test]
fn places_and_conditions() {
    let text = "\
        ADDC RC.x, f[WPOS], c[-40, 0, 0, 0];\n\
        ADDC RC.y, f[WPOS], c[0, -48, 0, 0];\n\
        KIL (GT.y);\n\
        MOV H0, c[1, 0.5, 0, 1];\n\
        MOV H0.xyz (GT.x), c[0.2, 0.4, 0.6, 1];\nEND\n";
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        scene.program(text, 0x80).fill(0.5, [0.0; 4]);
        scene.draw().check(0, |x, y| match (x, y) {
            (_, 48..) => CLEARED,
            (40.., _) => [51, 102, 153, 255],
            _ => [255, 128, 0, 255],
        });
    }
}

#[test]
fn coordinates_run_over_the_triangle() {
    // Their derivatives too: 1/64 from pixel to pixel.
    let text = "\
        DDX R1, f[TEX0];\nMOV R0.xyw, f[TEX0];\nMUL R0.z, R1.x, c[32, 32, 32, 32];\nEND\n";
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        scene.program(text, FULL).fill(0.5, [0.0; 4]);
        let byte = |x: u32| ((2 * x + 1) * 255 / 128) as u8;
        scene.draw().check(1, |x, y| [byte(x), byte(y), 128, 255]);
    }
}

/// The depth of the programs is what is tested.
#[test]
fn depth() {
    // 0.25 in the left half, 0.75 in the right one.
    let halves = "\
        ADDC RC.x, f[WPOS], c[-32, 0, 0, 0];\nMOV R1.z, c[0, 0, 0.25, 0];\n\
        MOV R1.z (GT.x), c[0, 0, 0.75, 0];\nMOV R0, f[COL0];\nEND\n";
    let plain = "MOV R0, f[COL0];\nEND\n";
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        // Less, written, tested.
        scene.set(0xa6c, &[0x201, 1, 1]);
        scene.program(plain, FULL).fill(0.5, [1.0, 0.0, 0.0, 1.0]);
        // The vertices' depth would pass everywhere.
        scene
            .program(halves, FULL | DEPTH)
            .fill(0.1, [0.0, 1.0, 0.0, 1.0]);
        // What the left half has now is nearer than this.
        scene.program(plain, FULL).fill(0.3, [0.0, 0.0, 1.0, 1.0]);
        scene.draw().check(0, |x, _| match x {
            0..32 => [0, 255, 0, 255],
            _ => [0, 0, 255, 255],
        });
    }
}

/// Programs see the depth of the vertices where no test asks for it, too.
#[test]
fn the_windows_depth() {
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        scene.program("MOV R0, f[WPOS].z;\nEND\n", FULL);
        scene.fill(0.4, [0.0; 4]);
        scene.draw().check(0, |_, _| [102; 4]);
    }
}

/// A program that a driver changed between two draws.
#[test]
fn every_draw_has_its_own_program() {
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        for (i, rgb) in ["1, 0, 0", "0, 1, 0", "0, 0, 1"].iter().enumerate() {
            let text = format!(
                "ADDC RC.x, f[WPOS], c[{}, 0, 0, 0];\nKIL (LT.x);\nMOV H0, c[{rgb}, 1];\nEND\n",
                -16 * i as i32
            );
            scene.program(&text, 0x80).fill(0.5, [0.0; 4]);
        }
        scene.draw().check(0, |x, _| match x {
            0..16 => [255, 0, 0, 255],
            16..32 => [0, 255, 0, 255],
            _ => [0, 0, 255, 255],
        });
    }
}

/// Blocks, a loop that every pixel leaves at another time, a subroutine.
#[test]
fn curie_branches() {
    let text = "\
        MOV R1.x, c[0, 0, 0, 0];\n\
        REP 100;\n\
            ADD R1.x, R1, c[1, 0, 0, 0];\n\
            ADDC RC.x, R1, -f[WPOS];\n\
            BRK (GT.x);\n\
        ENDREP;\n\
        MUL R0.x, R1, c[0.00390625, 0, 0, 0];\n\
        ADDC RC.x, f[WPOS].y, c[-20, 0, 0, 0];\n\
        IF (LT.x);\n\
            MOV R0.y, c[1, 1, 1, 1];\n\
        ELSE;\n\
            CAL sub;\n\
        ENDIF;\n\
        MOV R0.w, c[1, 1, 1, 1];\nEND\n\
        sub:\n\
        MOV R0.z, c[1, 1, 1, 1];\n\
        ADDC RC.x, f[WPOS].y, c[-30, 0, 0, 0];\n\
        RET (LT.x);\n\
        MOV R0.z, c[0.2, 0.2, 0.2, 0.2];\n\
        RET;\n";
    let mut scene = Scene::new(CHIPS[1]);
    scene.program(text, FULL).fill(0.5, [0.0; 4]);
    scene.draw().check(0, |x, y| {
        // The first number above x and a half.
        let rounds = f64::from(x + 1) / 256.0 * 255.0;
        let [green, blue] = match y {
            0..20 => [255, 0],
            20..30 => [0, 255],
            _ => [0, 51],
        };
        [(rounds + 0.5) as u8, green, blue, 255]
    });
}

/// A pixel's history has the program's run.
#[test]
fn the_history_of_a_pixel() {
    let text = "\
        MOV R1.xy, f[WPOS];\nADDC RC.x, R1, c[-32, 0, 0, 0];\nKIL (LT.x);\n\
        MOV R0, c[0.2, 0.4, 0.6, 1];\nEND\n";
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        scene.program(text, FULL | 0x80).fill(0.5, [0.0; 4]);
        for (x, killed) in [(20, true), (45, false)] {
            let touches = scene.touches(x, 9);
            let Some(Touch::Fragment(fragment)) = touches.last() else {
                panic!("{}: {touches:?}", chip.name);
            };
            let run = fragment.program.as_ref().expect("a program ran");
            let wpos = [Some(x as f32 + 0.5), Some(9.5), None, None];
            assert_eq!(run.inputs.len(), 1);
            assert_eq!(run.inputs[0].value, wpos);
            assert_eq!(run.steps.len(), 4);
            assert_eq!(run.steps[0].result, wpos);
            assert_eq!(run.steps[2].killed, killed);
            assert_eq!(run.steps[3].result[2], Some(0.6));
            if killed {
                assert_eq!(fragment.outcome, Outcome::Killed);
            } else {
                assert_eq!(fragment.color, Some([51, 102, 153, 255]));
                assert_eq!(run.color, [51, 102, 153, 255]);
                assert_eq!(fragment.outcome, Outcome::Written);
            }
        }
    }
}
