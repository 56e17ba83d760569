//! What a pixel's history says about a program.

use super::super::{Fragments, to_quads};
use super::*;
use crate::frag::Frag;
use isotherm_bus::observe::{ProgramInput, ProgramRun};
use isotherm_lanes::Level;
use std::sync::Arc;

/// What pixel `lane` of a block sees whose TEX0.x is the pixel's number.
fn explain(text: &str, lane: usize) -> ProgramRun {
    let program = Fragments {
        apart: false,
        plan: Arc::new(plan(Curie, text, FULL)),
        code: (0, 0),
        prepared: Vec::new(),
        units: Arc::new(no_units()),
        level: Level::current(),
        depth_scale: 1.0,
    };
    let mut frag = Frag::default();
    *frag.program.input(input::TEX, 0) = to_quads(&std::array::from_fn(|i| i as f64));
    *frag.program.input(input::TEX, 3) = to_quads(&[4.0; LANES]);
    program.explain(&mut frag, lane)
}

#[test]
fn inputs_and_steps() {
    let text = "\
        MOV R1.xw, f[TEX0];\n\
        MADH_2X R0.yz, R1.xxww, c[0.5, 0.5, 0.5, 0.5], f[COL0].x;\n\
        MOVC RC.x, -R1;\nEND\n";
    for lane in [0, 3, 8, 13] {
        let run = explain(text, lane);
        let x = lane as f32;
        let input = |name: &str, value| ProgramInput {
            name: name.to_owned(),
            value,
        };
        assert_eq!(
            run.inputs,
            [
                input("COL0", [Some(0.0), None, None, None]),
                input("TEX0", [Some(x), None, None, Some(4.0)]),
            ]
        );
        let words: Vec<u32> = run.steps.iter().map(|step| step.word).collect();
        assert_eq!(words, [0, 4, 12]);
        assert_eq!(run.steps[0].text, "MOV R1.xw, f[TEX0];");
        assert_eq!(run.steps[0].result, [Some(x), None, None, Some(4.0)]);
        assert_eq!(run.steps[1].result, [None, Some(x), Some(4.0), None]);
        assert_eq!(run.steps[2].result, [Some(-x), None, None, None]);
        assert!(run.steps.iter().all(|step| step.ran && !step.killed));
    }
}

#[test]
fn steps_of_other_pixels() {
    let text = "\
        ADDC RC.x, f[TEX0], c[-5, 0, 0, 0];\n\
        IF (LT.x);\nMOV R0, c[1, 1, 1, 1];\nELSE;\nMOV R0.x (GT.x), c[2, 2, 2, 2];\nENDIF;\n\
        NOP;\nEND\n";
    // Less, equal, greater; branches are no steps.
    for (lane, ran, first, second) in [
        (4, [true, true, false, true], Some(1.0), None),
        (5, [true, false, true, true], None, None),
        (6, [true, false, true, true], None, Some(2.0)),
    ] {
        let run = explain(text, lane);
        let found: Vec<bool> = run.steps.iter().map(|step| step.ran).collect();
        assert_eq!(found, ran, "pixel {lane}");
        assert_eq!(run.steps[1].result, [first; 4], "pixel {lane}");
        assert_eq!(
            run.steps[2].result,
            [second, None, None, None],
            "pixel {lane}"
        );
        assert_eq!(run.steps[3].result, [None; 4]);
    }
}

/// The KIL that takes a pixel says so, a later one that spares it does not.
#[test]
fn the_step_that_kills() {
    let text = "\
        ADDC RC.x, f[TEX0], c[-5, 0, 0, 0];\nKIL (LT.x);\nKIL (GT.x);\n\
        IF (EQ.x);\nKIL (LE.x);\nENDIF;\nMOV R0, R1;\nEND\n";
    for (lane, killed) in [
        (4, [false, true, false, false, false]),
        (5, [false, false, false, true, false]),
        (6, [false, false, true, false, false]),
    ] {
        let run = explain(text, lane);
        let found: Vec<bool> = run.steps.iter().map(|step| step.killed).collect();
        assert_eq!(found, killed, "pixel {lane}");
        assert!(run.steps[..3].iter().all(|step| step.ran));
        assert_eq!(run.steps[1].result, [None; 4]);
    }
}

/// Rounds of a loop are steps of their own, halves of registers are shown as numbers.
#[test]
fn rounds_and_halves() {
    let text = "\
        MOV R1, f[TEX0].w;\nREP 3;\nADD H3.x, H3, c[1, 0, 0, 0];\nENDREP;\nMOV R0, R1;\nEND\n";
    let run = explain(text, 2);
    let words: Vec<u32> = run.steps.iter().map(|step| step.word).collect();
    assert_eq!(words, [0, 8, 8, 8, 16]);
    // 4.0 is 40800000h, its lower half 0.
    let results: Vec<_> = run.steps[1..4].iter().map(|step| step.result[0]).collect();
    assert_eq!(results, [Some(1.0), Some(2.0), Some(3.0)]);
    assert_eq!(run.steps[1].result[1..], [None; 3]);
}

#[test]
fn the_colour_of_the_pixel() {
    let text = "MUL R0.xz, f[TEX0].x, c[0.003921569, 0, 0.007843138, 0];\nEND\n";
    for lane in 0..LANES {
        let color = explain(text, lane).color;
        assert_eq!(color, [lane as i32, 0, 2 * lane as i32, 0]);
    }
}

/// Watching and running agree.
#[test]
fn the_same_registers_as_when_it_runs() {
    let text = "\
        MUL R1, f[TEX0].x, c[0.1, 0.2, 0.3, 0.4];\nMOVC H2, R1;\n\
        IF (GT.x);\nMAD R0, R1, H2, f[TEX0];\nENDIF;\nKIL (LT.x);\nADD R0, R0, R1;\nEND\n";
    let plan = plan(Curie, text, FULL);
    let start = numbered();
    let mut watched = start.clone();
    let mut last = [[0.0; LANES]; 4];
    exec::watch(&plan, &no_units(), &mut watched, &mut |seen| {
        last = *seen.result
    });
    let ran = Ran::new(plan, &no_units(), &start);
    assert_eq!(state(&ran.plan, &watched), state(&ran.plan, &ran.lanes));
    for lane in 0..LANES {
        check(
            ran.color(lane),
            last.map(|row| row[lane]),
            "the last result",
        );
    }
}
