//! Texture operations: which unit, which coordinates, which level.

use super::super::load::ProgramCache;
use super::super::{Apart, Fragments, Groups, mask_by_quads, to_quads};
use super::*;
use crate::bundles::UnitBundles;
use crate::frag::Frag;
use crate::rop::prepare::Surfaces;
use crate::tex::TexCache;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_lanes::{Random, dispatch};
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;
use std::collections::BTreeSet;
use std::sync::Arc;

const IMAGE: u32 = 0x4000;
const CUBE: u32 = 0x8000;
const PARTLY: u32 = 0xc000;
/// All four components as they are.
const IDENTITY: u32 = 0xaae4;
const CHIPS: [Chip; 2] = [Chip::Nv34, Chip::Nv40];

/// Words of one unit of a chip.
struct Unit<'a> {
    chip: Chip,
    words: &'a mut UnitBundles,
    unit: usize,
}

impl Unit<'_> {
    fn set(&mut self, bundle: b::Bundle, field: Field, value: u32) {
        let word = self.words.register(bundle, self.unit).expect("its own");
        let word = field.set(self.chip, word, value).expect("it fits");
        self.words.take(bundle, self.unit, word);
    }

    /// A swizzled A8R8G8B8 image with all levels, nearest texels of the nearest level.
    fn image(&mut self, address: u32, size: u32) {
        let words = &mut self.words;
        words.take(b::TEX_OFFSET, self.unit, address);
        let pitch = words.register(b::TEX_PITCH, self.unit).expect("its own");
        words.take(b::TEX_PITCH, self.unit, pitch | IDENTITY);
        self.set(b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 1);
        self.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
        let border = b::BORDER_TYPE::CONST;
        self.set(b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, border);
        self.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D2);
        self.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, size.ilog2() + 1);
        let min = b::MIN_FILTER::NEAREST_MIPMAP_NEAREST;
        self.set(b::TEX_FILTER, b::TEX_FILTER::MINIFY, min);
        self.set(
            b::TEX_FILTER,
            b::TEX_FILTER::MAGNIFY,
            b::MAG_FILTER::NEAREST,
        );
        if self.chip.since(Chip::Nv40) {
            let code = b::CURIE_TEX_FORMAT::A8R8G8B8;
            self.set(b::TEX_FORMAT, b::TEX_FORMAT::CURIE_FORMAT, code);
            self.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 1);
            self.set(b::TEX_RECT, b::TEX_RECT::WIDTH, size);
            self.set(b::TEX_RECT, b::TEX_RECT::HEIGHT, size);
        } else {
            let code = b::TEX_FORMAT_COLOR::A8R8G8B8;
            self.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, code);
            self.set(b::TEX_FORMAT, b::TEX_FORMAT::SIZE_S, size.ilog2());
            self.set(b::TEX_FORMAT, b::TEX_FORMAT::SIZE_T, size.ilog2());
            self.set(b::TEX_WRAP, b::TEX_WRAP::WRAP_S, 1);
            self.set(b::TEX_WRAP, b::TEX_WRAP::WRAP_T, 1);
        }
    }
}

/// 4x4 texels whose red is their number, all of green 40; level 1 is of green 80, level 2 of
/// green 120. Alpha is 255. On unit 5; unit 2 has a cube, face n of red 40 n.
fn fragments(chip: Chip, text: &str) -> Fragments {
    let mut memory = Memory::new(chip);
    for (i, word) in words(chip.family(), text).into_iter().enumerate() {
        memory.write_u32(4 * i as u32, word);
    }
    let texel = |red: u32, green: u32| 0xff00_0000 | red << 16 | green << 8;
    // Texels in the order of memory, x and y interleaved.
    let order = |i: u32| (i & 1 | i >> 1 & 2) + 4 * (i >> 1 & 1 | i >> 2 & 2);
    let first = (0..16).map(|i| texel(order(i), 40));
    let rest = [80, 80, 80, 80, 120].map(|green| texel(0, green));
    for (i, word) in first.chain(rest).enumerate() {
        memory.write_u32(IMAGE + 4 * i as u32, word);
    }
    for face in 0..6 {
        memory.write_u32(CUBE + 128 * face, texel(40 * face, 0));
    }
    let mut state = UnitBundles::default();
    state.take(b::PS_CONTROL, 0, 1 << 6);
    let mut unit = Unit {
        chip,
        words: &mut state,
        unit: 5,
    };
    unit.image(IMAGE, 4);
    unit.unit = 2;
    unit.image(CUBE, 1);
    unit.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    // Two by two texels, the first without alpha; unit 8 kills where it is 0.
    for (i, alpha) in [0, 1, 0x80, 0xff].into_iter().enumerate() {
        memory.write_u32(PARTLY + 4 * i as u32, alpha << 24 | 0x33_3333);
    }
    unit.unit = 7;
    unit.image(PARTLY, 2);
    unit.unit = 8;
    unit.image(PARTLY, 2);
    unit.set(b::TEX_CONTROL, b::TEX_CONTROL::ALPHA_KILL, 1);
    // Unit 9's key is the third texel.
    unit.unit = 9;
    unit.image(PARTLY, 2);
    let kill = b::COLOR_KEY::KILL;
    unit.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, kill);
    state.take(b::TEX_COLOR_KEY, 9, 0x8033_3333);
    let spans = [DmaSpan {
        base: 0,
        limit: 0xffff,
    }; 2];
    let mut cache = ProgramCache::default();
    let found = Fragments::prepare(
        chip,
        &state.shader,
        &state.tex,
        spans,
        &memory,
        &mut cache,
        &Surfaces::default(),
    );
    let mut found = found.expect("a program");
    found.bind(&memory, &mut TexCache::default());
    found
}

/// The result of a line at coordinates that step by `dx` and `dy` from pixel to pixel, the
/// same at all levels.
fn sample(chip: Chip, line: &str, at: Vector, dx: Vector, dy: Vector) -> [i32; 4] {
    let program = fragments(chip, &format!("{line}\nEND\n"));
    let mut start = Lanes::default();
    for c in 0..4 {
        let value = |i: usize| {
            let (x, y) = ((i % 2) as f32, (i / 8) as f32);
            f64::from(at[c] + x * dx[c] + y * dy[c])
        };
        *start.input(input::TEX, c) = to_quads(&std::array::from_fn(value));
    }
    Ran::new((*program.plan).clone(), &program.units, &start);
    let mut frag = Frag::default();
    *frag.program = start;
    program.run(&mut frag).map(|c| c[0])
}

const NONE: Vector = [0.0; 4];

#[test]
fn coordinates() {
    for chip in CHIPS {
        let tex = |at| sample(chip, "TEX R0, f[TEX0], TEX5;", at, NONE, NONE);
        let txp = |at| sample(chip, "TXP R0, f[TEX0], TEX5;", at, NONE, NONE);
        // q divides nothing but TXP's coordinates.
        for q in [1.0, 2.0, -5.0] {
            assert_eq!(tex([0.375, 0.625, 0.0, q]), [9, 40, 0, 255], "{chip:?}");
        }
        assert_eq!(txp([0.75, 1.25, 0.0, 2.0]), [9, 40, 0, 255]);
        assert_eq!(txp([0.375, 0.625, 0.0, 1.0]), [9, 40, 0, 255]);
        assert_eq!(txp([0.4375, 0.1875, 0.0, 0.5]), [7, 40, 0, 255]);
        // A swizzle's components.
        let found = sample(
            chip,
            "TEX R0.x, f[TEX0].wyzx, TEX5;",
            [0.9, 0.1, 0.0, 0.3],
            NONE,
            NONE,
        );
        assert_eq!(found, [1, 0, 0, 0]);
    }
}

/// A texel without alpha gives the pixel up, whether or not alpha is written, and so does one
/// that matches a key.
#[test]
fn alpha_kills() {
    for chip in CHIPS {
        for (line, left, late) in [
            ("TEX R0, f[TEX0], TEX7;", 0xffff, false),
            ("TEX R0, f[TEX0], TEX8;", 0xaaff, true),
            ("TEX R0.x, f[TEX0], TEX8;", 0xaaff, true),
            ("TEX_BX2 R0, f[TEX0], TEX8;", 0xaaff, true),
            // The third texel lies in the first row's even columns.
            ("TEX R0, f[TEX0], TEX9;", 0xffaa, true),
        ] {
            let program = fragments(chip, &format!("{line}\nEND\n"));
            assert_eq!(program.kills_or_moves(), late, "{line}");
            let mut frag = Frag {
                mask: 0xffff,
                ..Frag::default()
            };
            // The second row of the block shows the first texel in its even columns.
            let s = std::array::from_fn(|i| if i % 2 == 0 { 0.25 } else { 0.75 });
            let t = std::array::from_fn(|i| if i < 8 { 0.75 } else { 0.25 });
            *frag.program.input(input::TEX, 0) = to_quads(&s);
            *frag.program.input(input::TEX, 1) = to_quads(&t);
            for lane in [0, 8, 9] {
                let killed = left >> lane & 1 == 0;
                let run = program.explain(&mut frag, lane);
                assert_eq!(run.steps[0].killed, killed, "{line}, lane {lane}");
            }
            program.run(&mut frag);
            assert_eq!(frag.mask, left, "{chip:?} {line}");
        }
    }
}

#[test]
fn levels_of_detail() {
    let green = |chip, line: &str, at, dx, dy| sample(chip, line, at, dx, dy)[1];
    for chip in CHIPS {
        let near = [0.3, 0.3, 0.0, 0.0];
        let tex = |dx, dy| green(chip, "TEX R0, f[TEX0], TEX5;", near, dx, dy);
        assert_eq!(tex(NONE, NONE), 40, "{chip:?}");
        // Two texels from pixel to pixel, four.
        assert_eq!(tex([0.5, 0.0, 0.0, 0.0], NONE), 80);
        assert_eq!(tex(NONE, [0.0, 1.0, 0.0, 0.0]), 120);
        // Curie's bias is the second source's x, and comes on top.
        for (bias, step, want) in [
            (0.0, 0.25, 40),
            (1.0, 0.25, 80),
            (2.0, 0.25, 120),
            (1.0, 0.5, 120),
            (-1.0, 0.5, 40),
        ] {
            let line = format!("TXB R0, f[TEX0], c[{bias}, 9, 9, 9].x, TEX5;");
            let found = green(Chip::Nv40, &line, near, [step, 0.0, 0.0, 0.0], NONE);
            assert_eq!(found, want, "{bias} {step}");
        }
        // Derivatives of its own: what the coordinates do does not count.
        for (x, y, want) in [
            (0.25, 0.0, 40),
            (0.5, 0.0, 80),
            (0.0, 0.5, 80),
            (1.0, 0.25, 120),
        ] {
            let line = format!(
                "MOV R1, c[{x}, 0, 0, 0];\nMOV R2, c[0, {y}, 0, 0];\nTXD R0, f[TEX0], R1, R2, TEX5;"
            );
            let found = green(chip, &line, near, [1.0, 0.0, 0.0, 0.0], NONE);
            assert_eq!(found, want, "{chip:?}: {x} {y}");
        }
    }
    // The level itself.
    for (lod, want) in [(-3.0, 40), (0.0, 40), (1.0, 80), (2.0, 120), (9.0, 120)] {
        let line = format!("TXL R0, f[TEX0], c[{lod}, 9, 9, 9].x, TEX5;");
        let step = [0.5, 0.0, 0.0, 0.0];
        let found = green(Chip::Nv40, &line, [0.3, 0.3, 0.0, 0.0], step, NONE);
        assert_eq!(found, want, "{lod}");
    }
}

#[test]
fn directions_are_not_divided() {
    for chip in CHIPS {
        for op in ["TEX", "TXP"] {
            for q in [1.0, 0.5, -1.0, 0.0] {
                let line = format!("{op} R0, f[TEX0], TEX2;");
                let found = sample(chip, &line, [0.0, 0.0, 3.0, q], NONE, NONE);
                assert_eq!(found[0], 160, "{chip:?}: {line} {q}");
            }
        }
    }
}

#[test]
fn a_unit_that_is_off_is_black() {
    for chip in CHIPS {
        let found = sample(chip, "TEX R0, f[TEX0], TEX6;", [0.4; 4], NONE, NONE);
        assert_eq!(found, [0, 0, 0, 255], "{chip:?}");
    }
}

#[test]
fn texels_are_results_like_others() {
    for chip in CHIPS {
        let at = [0.375, 0.625, 0.0, 1.0];
        let of = |line: &str| sample(chip, line, at, NONE, NONE);
        // 2x - 1, then the scale: green 40/255 is far below 0.
        assert_eq!(of("TEX_BX2 R0, f[TEX0], TEX5;"), [0, 0, 0, 255]);
        assert_eq!(
            of("TEX_BX2 R1, f[TEX0], TEX5;\nMOV R0, -R1;"),
            [237, 175, 255, 0]
        );
        assert_eq!(of("TEX_4X R0.yz, f[TEX0], TEX5;"), [0, 160, 0, 0]);
        assert_eq!(
            of("TEX H4.y, f[TEX0], TEX5;\nMOV R0.y, H4;\nMOV R2.x, R2;"),
            [0, 40, 0, 0]
        );
    }
}

#[test]
fn memory_that_is_read() {
    let program = fragments(
        Chip::Nv40,
        "TEX R0, f[TEX0], TEX5;\nTEX R1, f[TEX0], TEX6;\nEND\n",
    );
    let reads: Vec<(u32, usize)> = program.reads().collect();
    assert_eq!(reads.len(), 2, "unit 6 is off, unit 2 unused");
    assert_eq!(reads[1].0, IMAGE, "after the program itself");
    let program = fragments(Chip::Nv34, "MOV R0, R1;\nEND\n");
    assert_eq!(program.reads().count(), 1, "the program itself");
}

dispatch! {
    /// Finds footprints and puts the pixels in `mask` first.
    fn leave_quads(program: &Fragments, lanes: &mut Lanes, mask: u32) = leave_quads_any::<Lanes>;
}

#[inline(always)]
fn leave_quads_any<S: Apart>(program: &Fragments, lanes: &mut Lanes, mask: u32) {
    program.look::<S>(lanes, mask);
    for number in [input::COLOR, input::TEX] {
        for c in 0..4 {
            S::compress(lanes.input(number, c), mask);
        }
    }
}

/// Pixels that have left their quads have the colours that they would have there, of all levels.
#[test]
fn pixels_apart_look_the_same() {
    let mut random = Random::new(3);
    let mut greens = BTreeSet::new();
    for round in 0..600 {
        let text = [
            "MOVR R1, f[TEX0];\nTXP R2, R1, TEX5;\nMULR R0, R2, f[COL0];\nEND\n",
            "TEX R2, f[TEX0], TEX5;\nTEX R1, f[TEX0].yxzw, TEX5;\nADDR R0, R1, R2;\nEND\n",
            "MOVR R1, f[TEX0];\nTXP R1, R1, TEX5;\nMULR H0, R1, f[COL0];\nEND\n",
        ][round % 3];
        let modulates = round % 3 == 2;
        let chip = CHIPS[round / 2 % 2];
        let mut program = fragments(chip, text);
        if modulates {
            program.plan = Arc::new(plan(chip.family(), text, HALF));
        }
        assert!(program.stands_apart(), "{text}");
        let scale = [0.02, 0.3, 1.0, 4.0][round / 4 % 4];
        let mut rows = [[0.0; LANES]; 8];
        for (i, row) in rows.iter_mut().enumerate() {
            let (first, scale) = if i < 4 { (0.5, 0.5) } else { (0.3, scale) };
            *row = std::array::from_fn(|_| first + scale * random.unit());
            if modulates && i < 4 {
                // Colours are bytes.
                *row = row.map(|x| (x * 255.0).round() / 255.0);
            }
        }
        let inputs = |lanes: &mut Lanes| {
            for (c, row) in rows.iter().enumerate() {
                *lanes.input([input::COLOR, input::TEX][c / 4], c % 4) = *row;
            }
        };
        let mask = (random.below(0xffff) + 1) as u16;
        for level in Level::available() {
            program.level = level;
            let (mut want, mut got) = ([Default::default()], [Default::default()]);
            let mut lanes = Lanes::default();
            inputs(&mut lanes);
            program.run_groups(&mut lanes, &Groups::ONE, &mut want);
            lanes.lane = 3;
            inputs(&mut lanes);
            leave_quads(level, &program, &mut lanes, mask_by_quads(mask));
            let groups = Groups {
                lanes: 3 + mask.count_ones() as usize,
                first: &[3],
                apart: Some(&[mask]),
            };
            program.run_groups(&mut lanes, &groups, &mut got);
            for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
                let color = |pairs: &[[[u32; LANES]; 2]; 1]| pairs[0].map(|pair| pair[lane]);
                assert_eq!(color(&got), color(&want), "{round} {level:?} {lane}");
                greens.insert(color(&got)[1] & 0xff);
            }
        }
    }
    assert!(greens.len() > 20, "hardly any level: {greens:?}");
}

#[test]
fn who_must_stay_in_quads() {
    for (text, apart) in [
        ("MULR R0, f[TEX0], f[TEX0].x;\nEND\n", true),
        ("DDXR R0, f[TEX0];\nEND\n", false),
        ("TEX R0, f[TEX0], TEX5;\nEND\n", true),
        ("TEX R0, -f[TEX0], TEX5;\nEND\n", false),
        (
            "MULR R1, f[TEX0], f[TEX0].x;\nTEX R0, R1, TEX5;\nEND\n",
            false,
        ),
        ("TEX R1, f[TEX0], TEX5;\nTEX R0, R1, TEX5;\nEND\n", false),
        (
            "MOVR R1, f[TEX0];\nMOVR R1.y, f[COL0].x;\nTEX R0, R1, TEX5;\nEND\n",
            true,
        ),
        (
            "MOVR R1, f[TEX0];\nADDR R1.y, R1, R1;\nTEX R0, R1, TEX5;\nEND\n",
            false,
        ),
        ("MOVR_SAT R1, f[TEX0];\nTEX R0, R1, TEX5;\nEND\n", false),
        ("MOVR H2, f[TEX0];\nTEX R0, H2, TEX5;\nEND\n", false),
        // A cube's coordinates change at its edges.
        ("TEX R0, f[TEX0], TEX2;\nEND\n", false),
        ("TXB R0, f[TEX0], f[TEX0].x, TEX5;\nEND\n", false),
        ("KIL;\nMOVR R0, f[TEX0];\nEND\n", false),
    ] {
        assert_eq!(fragments(Chip::Nv40, text).stands_apart(), apart, "{text}");
    }
}
