//! From control words to colours, depths and lanes of a block.

use super::super::exec::byte_lanes;
use super::super::load::ProgramCache;
use super::super::{Fragments, row_lane, rows_mask, to_quads};
use super::*;
use crate::bundles::UnitBundles;
use crate::frag::Frag;
use crate::rop::prepare::Surfaces;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;

const CHIPS: [Chip; 2] = [Chip::Nv34, Chip::Nv40];
const SPAN: DmaSpan = DmaSpan {
    base: 0x1_0000,
    limit: 0xffff,
};

/// A program at 40h of the second object, as the control word has it.
fn prepared(chip: Chip, control: u32, text: &str) -> Option<Fragments> {
    let mut memory = Memory::new(chip);
    for (i, word) in words(chip.family(), text).into_iter().enumerate() {
        memory.write_u32(SPAN.base + 0x40 + 4 * i as u32, word);
    }
    let mut state = UnitBundles::default();
    state.take(b::PS_OFFSET, 0, 0x41);
    state.take(b::PS_CONTROL, 0, control);
    let spans = [DmaSpan::default(), SPAN];
    let mut cache = ProgramCache::default();
    Fragments::prepare(
        chip,
        &state.shader,
        &state.tex,
        spans,
        &memory,
        &mut cache,
        &Surfaces::default(),
    )
}

fn fragments(chip: Chip, control: u32, text: &str) -> Fragments {
    prepared(chip, control, text).expect("there is a program")
}

/// FULL_RESULTS.
const R0: u32 = 1 << 6;
/// What Mesa sets where R1.z is the depth.
const DEPTH: u32 = 0xe;

#[test]
fn pixels_of_quads_and_rows() {
    // Quad after quad, in each left to right, then down.
    let places: Vec<usize> = (0..LANES).map(row_lane).collect();
    assert_eq!(
        places,
        [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15]
    );
    let rows: [f64; LANES] = std::array::from_fn(|i| i as f64 + 0.5);
    let quads = to_quads(&rows);
    for (i, &place) in places.iter().enumerate() {
        assert_eq!(quads[i], place as f32 + 0.5);
    }
    assert_eq!(rows_mask(1 << 2 | 1 << 4), 1 << 8 | 1 << 2);
    assert_eq!(rows_mask(0xffff), 0xffff);
}

#[test]
fn bytes() {
    for (x, want) in [
        (0.0, 0),
        (1.0, 255),
        (0.5, 128),
        (0.2, 51),
        // Cut to 4096ths before it is rounded: 8.03 is 8, 4087.97 is 4087.
        (0.5 / 255.0, 0),
        (9.0 / 4096.0, 1),
        (254.5 / 255.0, 254),
        (4088.0 / 4096.0, 255),
        (-1.0, 0),
        (2.0, 255),
        (INF, 255),
        (-INF, 0),
        (NAN, 0),
    ] {
        assert_eq!(byte_lanes(Curie, &[x; LANES]), [want; LANES], "{x}");
        let mut frag = Frag::default();
        *frag.program.input(input::TEX, 0) = [x; LANES];
        let color = fragments(Chip::Nv40, R0, "MOV R0, f[TEX0].x;\nEND\n").run(&mut frag);
        assert_eq!(color, [[want; LANES]; 4], "{x}");
    }
}

#[test]
fn the_colour_is_r0_or_h0() {
    for chip in CHIPS {
        // The halves of R0 are 1 and 0.5.
        let text = "MOV R0, c[0x38003c00, 0x38003c00, 0.2, 1];\nEND\n";
        let mut frag = Frag::default();
        let half = fragments(chip, 0, text).run(&mut frag);
        assert_eq!(half.map(|c| c[0]), [255, 128, 255, 128], "{chip:?}");
        let full = fragments(chip, R0, text).run(&mut frag);
        assert_eq!(full.map(|c| c[0]), [0, 0, 51, 255], "{chip:?}");
        assert!(full.iter().all(|c| *c == [c[0]; LANES]));
    }
}

#[test]
fn colours_lie_in_rows() {
    let mut frag = Frag::default();
    let rows = std::array::from_fn(|i| i as f64 / 255.0);
    *frag.program.input(input::TEX, 0) = to_quads(&rows);
    let color = fragments(Chip::Nv40, R0, "MOV R0.z, f[TEX0].x;\nEND\n").run(&mut frag);
    assert_eq!(color[2], std::array::from_fn(|i| i as i32));
    assert_eq!(color[0], [0; LANES]);
}

#[test]
fn killed_lanes_leave_the_mask() {
    for chip in CHIPS {
        let text = "ADDC RC.x, f[TEX0], c[-5, 0, 0, 0];\nKIL (LT.x);\nMOV R0, R1;\nEND\n";
        let program = fragments(chip, R0, text);
        assert!(program.kills_or_moves());
        let mut frag = Frag::default();
        *frag.program.input(input::TEX, 0) = to_quads(&std::array::from_fn(|i| i as f64));
        frag.mask = 0x7fff;
        program.run(&mut frag);
        assert_eq!(frag.mask, 0x7fe0, "{chip:?}");
        let program = fragments(chip, R0, "MOV R0, R1;\nEND\n");
        assert!(!program.kills_or_moves());
        program.run(&mut frag);
        assert_eq!(frag.mask, 0x7fe0);
    }
}

#[test]
fn the_depth_is_r1_z() {
    for chip in CHIPS {
        let text =
            "MOV R0, c[1, 1, 1, 1];\nMOV R1.z, f[TEX0].x;\nMOV R1.xyw, c[9, 9, 9, 9];\nEND\n";
        let rows = std::array::from_fn(|i| i as f64 / 16.0);
        let mut frag = Frag {
            z: [7.0; LANES],
            ..Frag::default()
        };
        *frag.program.input(input::TEX, 0) = to_quads(&rows);
        let program = fragments(chip, R0, text);
        assert!(!program.kills_or_moves());
        program.run(&mut frag);
        assert_eq!(frag.z, [7.0; LANES], "{chip:?}");
        let program = fragments(chip, R0 | DEPTH, text);
        assert!(program.kills_or_moves());
        program.run(&mut frag);
        let one = Surfaces::default().depth_scale(chip);
        assert_eq!(frag.z, std::array::from_fn(|i| i as f32 / 16.0 * one));
    }
    // Rankine has the number of registers there.
    let text = "MOV R0, R1;\nEND\n";
    for control in 0..0x10 {
        let moves = fragments(Chip::Nv34, control, text).kills_or_moves();
        assert_eq!(moves, control & 0xe == 0xe, "{control:#x}");
        let moves = fragments(Chip::Nv40, control, text).kills_or_moves();
        assert_eq!(moves, control & 0xe != 0, "{control:#x}");
    }
}

#[test]
fn where_there_is_no_program() {
    let none = UnitBundles::default();
    let mut cache = ProgramCache::default();
    for chip in [Chip::Nv20, Chip::Nv34, Chip::Nv40] {
        let memory = Memory::new(chip);
        let spans = [DmaSpan::default(); 2];
        let found = Fragments::prepare(
            chip,
            &none.shader,
            &none.tex,
            spans,
            &memory,
            &mut cache,
            &Surfaces::default(),
        );
        assert!(found.is_none(), "{chip:?}");
    }
    // Chips without programs do not look for them.
    let mut memory = Memory::new(Chip::Nv20);
    for (i, word) in words(Rankine, "MOV R0, R1;\nEND\n").into_iter().enumerate() {
        memory.write_u32(4 * i as u32, word);
    }
    let spans = [DmaSpan::default(); 2];
    let found = Fragments::prepare(
        Chip::Nv20,
        &none.shader,
        &none.tex,
        spans,
        &memory,
        &mut cache,
        &Surfaces::default(),
    );
    assert!(found.is_none());
}

/// The program lies in the object that the word names.
#[test]
fn two_objects() {
    let mut memory = Memory::new(Chip::Nv40);
    for (base, red) in [(0x1000, 0), (0x2000, 1)] {
        let text = format!("MOV R0, c[{red}, 0, 0, 1];\nEND\n");
        for (i, word) in words(Curie, &text).into_iter().enumerate() {
            memory.write_u32(base + 0x80 + 4 * i as u32, word);
        }
    }
    let spans = [0x1000, 0x2000].map(|base| DmaSpan { base, limit: 0xfff });
    for object in 0..2 {
        let mut state = UnitBundles::default();
        state.take(b::PS_OFFSET, 0, 0x80 | object);
        state.take(b::PS_CONTROL, 0, R0);
        let mut cache = ProgramCache::default();
        let found = Fragments::prepare(
            Chip::Nv40,
            &state.shader,
            &state.tex,
            spans,
            &memory,
            &mut cache,
            &Surfaces::default(),
        );
        let color = found.expect("a program").run(&mut Frag::default());
        assert_eq!(color[0][0], 255 * object as i32);
    }
}

/// H0, H4, H6, H8 or R0, R2, R3, R4, for as many targets as there are.
#[test]
fn further_colours_have_registers_of_their_own() {
    for (full, text) in [
        (
            false,
            "MOV H0, c[1, 0, 0, 0];\nMOV H4, c[2, 0, 0, 0];\nMOV H6, c[3, 0, 0, 0];\nMOV H8, c[4, 0, 0, 0];\nEND\n",
        ),
        (
            true,
            "MOV R0, c[1, 0, 0, 0];\nMOV R2, c[2, 0, 0, 0];\nMOV R3, c[3, 0, 0, 0];\nMOV R4, c[4, 0, 0, 0];\nEND\n",
        ),
    ] {
        let results = Results {
            full,
            depth: false,
            more: 3,
        };
        let ran = Ran::new(plan(Curie, text, results), &no_units(), &Lanes::default());
        let red: Vec<f32> = ran
            .plan
            .more
            .iter()
            .map(|&place| ran.lanes.register(place, 0)[5])
            .collect();
        assert_eq!(red, [2.0, 3.0, 4.0], "{full}");
    }
}

/// Who hands on the diffuse colour changes no byte of it.
#[test]
fn a_colour_that_is_handed_on_stays_as_it_is() {
    for (results, text) in [
        (HALF, "!!FP2.0 MOVR H0, f[COL0]; END"),
        (HALF, "!!FP2.0 MOVH H0, f[COL0]; END"),
        (FULL, "!!FP2.0 MOVR_SAT R0, f[COL0]; END"),
    ] {
        let plan = plan(Curie, text, results);
        assert!(plan.hands_on_color(), "{text}");
        for first in (0..256).step_by(LANES) {
            let mut lanes = Lanes::default();
            let bytes: [i32; LANES] = std::array::from_fn(|i| (first + i) as i32);
            for c in 0..4 {
                *lanes.input(input::COLOR, c) = bytes.map(|byte| byte as f32 / 255.0);
            }
            for level in Level::available() {
                let mut pairs = [[[0; LANES]; 2]];
                exec::run(
                    level,
                    &plan,
                    &no_units(),
                    &mut lanes,
                    &Groups::ONE,
                    &mut pairs,
                );
                for pair in &pairs[0] {
                    for i in 0..LANES {
                        let byte = bytes[i] as u32;
                        assert_eq!(pair[row_lane(i)], byte | byte << 16, "{text} {level:?}");
                    }
                }
            }
        }
    }
    for other in [
        "!!FP2.0 MOVR H0, f[COL1]; END",
        "!!FP2.0 MOVR H0, f[COL0].zyxw; END",
        "!!FP2.0 MOVR H0, -f[COL0]; END",
        "!!FP2.0 MOVR H0.xyz, f[COL0]; END",
        "!!FP2.0 MOVX H0, f[COL0]; END",
        "!!FP2.0 MOVR H2, f[COL0]; END",
        "!!FP2.0 MOVR R0, f[COL0]; END",
        "!!FP2.0 MOVR H0, f[COL0]; MOVR H0.x, f[COL1]; END",
    ] {
        assert!(!plan(Curie, other, HALF).hands_on_color(), "{other}");
    }
}

#[test]
fn colors_are_cut_to_twelve_bits_and_rounded_to_bytes() {
    for step in 0..=4096 {
        let part = step as f32 / 4096.0;
        let want = (part * 255.0 + 0.5).floor() as i32;
        for x in [part, part + 0.99 / 4096.0] {
            assert_eq!(byte_lanes(Curie, &[x; LANES]), [want; LANES], "{x}");
        }
    }
    for (x, want) in [(NAN, 0), (-1.0, 0), (INF, 255), (1.5, 255)] {
        assert_eq!(byte_lanes(Curie, &[x; LANES]), [want; LANES], "{x}");
    }
}
