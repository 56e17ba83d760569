//! The condition register: what sets it, what it lets through, what it kills.

use super::*;

const SIGNS: Vector = [-2.0, 0.0, 2.0, NAN];
const ZERO: Vector = [0.0; 4];

/// Which of less, equal, greater and no number a condition holds for.
const CONDITIONS: [(&str, [bool; 4]); 8] = [
    ("FL", [false, false, false, false]),
    ("LT", [true, false, false, false]),
    ("EQ", [false, true, false, false]),
    ("LE", [true, true, false, false]),
    ("GT", [false, false, true, false]),
    ("NE", [true, false, true, true]),
    ("GE", [false, true, true, false]),
    ("TR", [true, true, true, true]),
];

const SWIZZLES: [(&str, [usize; 4]); 6] = [
    ("", [0, 1, 2, 3]),
    (".x", [0; 4]),
    (".y", [1; 4]),
    (".z", [2; 4]),
    (".w", [3; 4]),
    (".wzyx", [3, 2, 1, 0]),
];

#[test]
fn writes() {
    for family in [Rankine, Curie] {
        for (condition, holds) in CONDITIONS {
            for (swizzle, picked) in SWIZZLES {
                let lines =
                    format!("MOVC RC, R1;\nMOV R0, R2;\nMOV R0 ({condition}{swizzle}), R3;");
                let found = eval(family, &lines, [SIGNS, [9.0; 4], [7.0; 4]]);
                let want = picked.map(|c| if holds[c] { 7.0 } else { 9.0 });
                check(found, want, &lines);
            }
        }
    }
}

/// The specification's own example.
#[test]
fn the_register_follows_what_was_written() {
    let lines = "MOVC R0, R1;\nMOVC R0.xyz, R1.yzwx;\nMOVC R0 (NE), R1.zywx;\n";
    let sources = [SIGNS, [1.0; 4], ZERO];
    check(eval(Rankine, lines, sources), [0.0, 0.0, NAN, -2.0], "R0");
    // EQ, EQ, UN, LT.
    for (condition, want) in [
        ("EQ", [1.0, 1.0, 0.0, 0.0]),
        ("LT", [0.0, 0.0, 0.0, 1.0]),
        ("GE", [1.0, 1.0, 0.0, 0.0]),
        ("NE", [0.0, 0.0, 1.0, 1.0]),
    ] {
        let lines = format!("{lines}SFL R0;\nMOV R0 ({condition}), R2;");
        check(eval(Rankine, &lines, sources), want, &lines);
    }
}

#[test]
fn only_some_instructions_set_it() {
    let sources = [SIGNS, [1.0; 4], [5.0; 4]];
    for (lines, want) in [
        // It begins as equal, which is a guess.
        ("MOV R0 (EQ), R2;", [1.0; 4]),
        // Without C.
        ("MOV R4, R1;\nMOV R0 (EQ), R2;", [1.0; 4]),
        // RC is no register.
        ("MOVC RC, R1;", ZERO),
        // Components outside of the mask stay.
        ("MOVC RC.xz, R1;\nMOV R0 (EQ), R2;", [0.0, 1.0, 0.0, 1.0]),
        // What was clamped, scaled, rounded.
        ("MOVC_SAT RC, R1;\nMOV R0 (EQ), R2;", [1.0, 1.0, 0.0, 1.0]),
        (
            "MOVC H9, c[1e-9, 1e-9, 1, 1];\nMOV R0 (EQ), R2;",
            [1.0, 1.0, 0.0, 0.0],
        ),
        (
            "MOVXC R4, c[4e-4, -4e-4, 1, 1];\nMOV R0 (EQ), R2;",
            [1.0, 1.0, 0.0, 0.0],
        ),
        (
            "MULC RC, c[1e-30, 1, 1, 1], c[1e-30, 1, 1, 1];\nMOV R0 (EQ), R2;",
            [1.0, 0.0, 0.0, 0.0],
        ),
        (
            "MOVC RC, c[-0.0, -0.0, 1, 1];\nMOV R0 (EQ), R2;",
            [1.0, 1.0, 0.0, 0.0],
        ),
        // Half registers that lie in a whole one.
        (
            "MOV R4, R1;\nMOVC H9.xy, R1;\nMOV R0 (LT), R2;",
            [1.0, 0.0, 0.0, 0.0],
        ),
        // No register and no condition.
        (
            "MOVC RC, R1;\nMOV _, R3;\nMOV R0 (LT), R2;",
            [1.0, 0.0, 0.0, 0.0],
        ),
        // Functions and words too.
        ("RCPC RC, R1.x;\nMOV R0 (LT), R2;", [1.0; 4]),
        (
            "UP4BC RC, c[0xff80007f, 0, 0, 0];\nMOV R0 (GT), R2;",
            [0.0, 0.0, 0.0, 1.0],
        ),
    ] {
        check(eval(Curie, lines, sources), want, lines);
    }
}

/// The condition that is tested is the one from before.
#[test]
fn one_instruction_tests_and_sets() {
    let lines = "MOVC RC, R1;\nMOVC RC (LT.xxyy), R2;\nMOV R0 (GT), R3;";
    // x and y are written: greater; z stays so, w is no number.
    let found = eval(Curie, lines, [SIGNS, [1.0; 4], [5.0; 4]]);
    check(found, [5.0, 5.0, 5.0, 0.0], lines);
}

#[test]
fn kil() {
    // Any component is enough.
    for (condition, holds) in CONDITIONS {
        for (swizzle, picked) in SWIZZLES {
            let text = format!("MOVC RC, f[TEX0];\nKIL ({condition}{swizzle});\nEND\n");
            let ran = Ran::text(Rankine, &text, &inputs(&[SIGNS]));
            let want = if picked.iter().any(|&c| holds[c]) {
                0xffff
            } else {
                0
            };
            assert_eq!(ran.lanes.killed(), want, "{text}");
            assert!(ran.plan.kills);
        }
    }
    // Lane by lane, and what follows runs on.
    let text = "\
        ADDC RC.x, f[TEX0], c[-5, 0, 0, 0];\nKIL (LT.x);\n\
        MOVC RC.x, f[TEX0].y;\nKIL (GT.x);\nMOV R0, c[1, 1, 1, 1];\nEND\n";
    let ran = Ran::text(Curie, text, &numbered());
    assert_eq!(ran.lanes.killed(), 0xaaaa | 0x1f);
    check(ran.same(), [1.0; 4], "killed lanes run on");
    assert!(!plan(Curie, "MOV R0, R1;\nEND\n", FULL).kills);
}
