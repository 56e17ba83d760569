//! Sources and destinations: swizzles, signs, masks, clamps, scales, precisions, names.

use super::*;

const A: Vector = [1.5, -2.0, 0.25, -8.0];
const ZERO: Vector = [0.0; 4];
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

#[test]
fn swizzles() {
    for code in 0..256usize {
        let picked = [0, 2, 4, 6].map(|shift| code >> shift & 3);
        let swizzle: String = picked.iter().map(|&c| LETTERS[c]).collect();
        let want = picked.map(|c| A[c]);
        for (line, sign) in [
            (format!("MOV R0, R1.{swizzle};"), 1.0),
            (
                format!("MUL R0, c[-1, -1, -1, -1], f[TEX0].{swizzle};"),
                -1.0,
            ),
        ] {
            let found = eval(Curie, &line, [A, ZERO, ZERO]);
            check(found, want.map(|x| sign * x), &line);
        }
    }
}

#[test]
fn signs() {
    let values = [[1.0, -2.0, 0.0, -INF], [-3.0; 4], [-5.0; 4]];
    for (line, want) in [
        ("MOV R0, -R1;", [-1.0, 2.0, -0.0, INF]),
        ("MOV R0, |R1|;", [1.0, 2.0, 0.0, INF]),
        ("MOV R0, -|R1|;", [-1.0, -2.0, -0.0, -INF]),
        ("ADD R0, R1.x, |R2|;", [4.0; 4]),
        ("ADD R0, R1.x, -|R2|;", [-2.0; 4]),
        ("MAD R0, R1.x, R2, |R3|;", [2.0; 4]),
        ("MAD R0, R1.x, R2, -R3;", [2.0; 4]),
        ("MAD R0, R1.x, R2, R3;", [-8.0; 4]),
        ("MOV R0, -f[TEX1];", [3.0; 4]),
        ("MOV R0, |c[-1, 2, -3, 4]|;", [1.0, 2.0, 3.0, 4.0]),
        ("MOV R0, -UNK;", [-0.0; 4]),
    ] {
        check(eval(Curie, line, values), want, line);
    }
}

/// Curie's sources with a precision: limited behind the absolute value, before the sign.
#[test]
fn sources_with_a_precision() {
    let x = [3.0, -1.5, 0.1, NAN];
    let cut = 0.099_975_586;
    for (line, want) in [
        ("MOV R0, R1 {INPUT_PREC=0x1};", [3.0, -1.5, cut, NAN]),
        ("MOV R0, R1 {INPUT_PREC=0x2};", [2.0, -1.5, 0.1, 0.0]),
        ("MOV R0, R1 {INPUT_PREC=0x3};", [1.0, -1.0, 0.1, 0.0]),
        ("MOV R0, R1 {SRC0_PREC_HIGH=0x1};", [1.0, 0.0, 0.1, 0.0]),
        (
            "MOV R0, -R1 {SRC0_PREC_HIGH=0x1};",
            [-1.0, -0.0, -0.1, -0.0],
        ),
        ("MOV R0, |R1| {SRC0_PREC_HIGH=0x1};", [1.0, 1.0, 0.1, 0.0]),
        ("MOV R0, R1 {INPUT_PREC=0x1, SRC0_PREC_HIGH=0x1};", x),
        ("MOV R0, fx[TEX0];", [2.0, -1.5, 0.1, 0.0]),
        ("ADD R0, R2, R1 {SRC1_PREC=0x4};", [1.0, 0.0, 0.1, 0.0]),
        (
            "MAD R0, R2, R2, -|R1| {SRC2_PREC=0x3};",
            [-1.0, -1.0, -0.1, 0.0],
        ),
        (
            "MOV R0, c[3, -1.5, 0.1, 9] {INPUT_PREC=0x3};",
            [1.0, -1.0, 0.1, 1.0],
        ),
    ] {
        check(eval(Curie, line, [x, ZERO, ZERO]), want, line);
    }
    // Rankine's inputs are as they are.
    check(
        eval(Rankine, "MOV R0, fx[TEX0];", [x, ZERO, ZERO]),
        x,
        "Rankine",
    );
}

/// Texture coordinates before perspective; position.w is 1/w.
#[test]
fn sources_before_perspective() {
    let text = "MOV R0, f[TEX0] {NO_PERSPECTIVE=0x1};\nMOV R0.w, f[TEX0].w;\nEND\n";
    let mut lanes = inputs(&[A]);
    *lanes.input(input::POSITION, 3) = [0.5; LANES];
    let ran = Ran::text(Curie, text, &lanes);
    check(ran.same(), [0.75, -1.0, 0.125, -8.0], "half of it");
    assert_eq!(ran.plan.reads[input::POSITION], 8);
    assert_eq!(ran.plan.reads[input::TEX], 15);
    // Others do not know the difference.
    let text = "MOV R0, f[COL0] {NO_PERSPECTIVE=0x1};\nEND\n";
    *lanes.input(input::COLOR, 0) = [0.25; LANES];
    let ran = Ran::text(Curie, text, &lanes);
    check(ran.same(), [0.25, 0.0, 0.0, 0.0], "a colour");
    assert_eq!(ran.plan.reads[input::POSITION], 0);
    // A set that the loop names.
    let text = "LOOP 1, 0, 1;\nMOV R0, f[A0] {NO_PERSPECTIVE=0x1};\nENDLOOP;\nNOP;\nEND\n";
    check(
        Ran::text(Curie, text, &lanes).same(),
        A.map(|x| x / 2.0),
        "indexed",
    );
}

#[test]
fn masks() {
    for mask in 0..16usize {
        let letters: String = (0..4)
            .filter(|c| mask >> c & 1 != 0)
            .map(|c| LETTERS[c])
            .collect();
        let mask_text = if mask == 0 { "_" } else { &letters };
        let want = |c: usize, x: f32| if mask >> c & 1 != 0 { x } else { 9.0 };
        // Component by component, by a function, by a vector, by words.
        for (line, result) in [
            ("MOV R0.{}, R1;", A),
            ("RCP R0.{}, R1.y;", [-0.5; 4]),
            ("DST R0.{}, R1, R2;", [1.0, -6.0, 0.25, 5.0]),
            ("UP4UB R0.{}, c[0xff00ff00, 0, 0, 0];", [0.0, 1.0, 0.0, 1.0]),
        ] {
            let line = line.replace("{}", mask_text);
            let lines = format!("MOV R0, c[9, 9, 9, 9];\n{line}");
            let found = eval(Rankine, &lines, [A, [0.0, 3.0, 0.0, 5.0], ZERO]);
            check(found, [0, 1, 2, 3].map(|c| want(c, result[c])), &line);
        }
    }
}

#[test]
fn clamps_and_scales() {
    let of = |line: &str, x: Vector| eval(Curie, line, [x, ZERO, ZERO]);
    let x = [-1.0, 0.5, 2.0, NAN];
    check(of("MOV_SAT R0, R1;", x), [0.0, 0.5, 1.0, 0.0], "_SAT");
    for (suffix, factor) in [
        ("_2X", 2.0),
        ("_4X", 4.0),
        ("_8X", 8.0),
        ("_D2", 0.5),
        ("_D4", 0.25),
        ("_D8", 0.125),
    ] {
        let found = of(&format!("MOV{suffix} R0, R1;"), A);
        check(found, A.map(|x| x * factor), suffix);
    }
    // Scaled first.
    check(of("MOV_D2_SAT R0, R1;", [1.5; 4]), [0.75; 4], "_D2_SAT");
    check(of("MOV_2X_SAT R0, R1;", [0.75; 4]), [1.0; 4], "_2X_SAT");
    // The scale without a name counts as none.
    check(of("MOV R0, R1 {SCALE=0x4};", A), A, "scale 4");
}

#[test]
fn precisions() {
    let of = |line: &str, x: Vector, to: Results| eval_to(Curie, line, [x, ZERO, ZERO], to);
    let third = 1.0 / 3.0;
    let x = [third, 1.0 + 1.0 / 2048.0, 1.0 + 3.0 / 2048.0, 65519.0];
    // Cut by the register, not by the operation.
    let half = [0.333_251_95, 1.0, 1.0 + 2.0 / 2048.0, 65504.0];
    check(of("MOVR R0, R1;", x, FULL), x, "R to R");
    check(of("MOVH R0, R1;", x, FULL), x, "H to R");
    check(of("MOVH H0, R1;", x, HALF), half, "H to H");
    check(of("MOVR H0, R1;", x, HALF), half, "R to H");
    let x = [65536.0, -65536.0, 1e-7, 5e-8];
    let half = [INF, -INF, 5.960_464_5e-8, 0.0];
    check(of("MOVH H0, R1;", x, HALF), half, "the ends of H");
    // 2.10: ties to even, -2 up to less than 2.
    let unit = 1.0 / 1024.0;
    let x = [third, 0.5 * unit, 1.5 * unit, -0.7 * unit];
    let fixed = [341.0 * unit, 0.0, 2.0 * unit, -unit];
    check(of("MOVX R0, R1;", x, FULL), fixed, "X to R");
    check(of("MOVX H0, R1;", x, HALF), fixed, "X to H");
    let x = [5.0, -5.0, 1.9995, INF];
    let most = 2047.0 * unit;
    check(
        of("MOVX R0, R1;", x, FULL),
        [most, -2.0, most, most],
        "ends of X",
    );
    // A scale comes before it: what is too large for X is not yet.
    check(
        of("MOVX_D4 R0, R1;", [4.0; 4], FULL),
        [1.0; 4],
        "X and scale",
    );
    // The fourth precision rounds nothing that its register does not.
    check(
        of("MOV R0, R1 {PRECISION=0x3};", [third; 4], FULL),
        [third; 4],
        "3",
    );
    check(
        of("MOV H0, R1 {PRECISION=0x3};", [third; 4], HALF),
        [0.333_251_95; 4],
        "3 to H",
    );
}

#[test]
fn registers_begin_as_zero() {
    let start = inputs(&[[3.0; 4]]);
    let dirty = Ran::text(
        Curie,
        "MOVC R5, -f[TEX0];\nKIL;\nMOV R6, R5;\nMOV R0, R5;\nEND\n",
        &start,
    );
    assert_eq!(dirty.lanes.killed(), 0xffff);
    // The same rows again.
    let clean = "MOV R0.x, R5;\nMOV R0.y, R6;\nMOV R0.z (EQ), f[TEX0];\nEND\n";
    let ran = Ran::text(Curie, clean, &dirty.lanes);
    check(ran.same(), [0.0, 0.0, 3.0, 0.0], "registers, conditions");
    assert_eq!(ran.lanes.killed(), 0);
}

#[test]
fn registers_are_apart() {
    for (letter, results) in [('R', FULL), ('H', HALF)] {
        let mut text = String::new();
        for n in 0..64 {
            text += &format!("MOV {letter}{n}, c[{}, {n}, 1, {}];\n", n * n, 64 - n);
        }
        for n in 1..64 {
            text += &format!("MAD {letter}0, {letter}{n}, c[{n}, {n}, {n}, 1], {letter}0;\n");
        }
        text += "END\n";
        let found = Ran::new(plan(Curie, &text, results), &no_units(), &Lanes::default()).same();
        let sum = |f: &dyn Fn(f32) -> f32| (1..64).map(|n| f(n as f32)).sum::<f32>();
        let z = 1.0 + sum(&|n| n);
        if letter == 'R' {
            let (x, y) = (sum(&|n| n * n * n), sum(&|n| n * n));
            let w = 64.0 + sum(&|n| 64.0 - n);
            check(found, [x, y, z, w], "R");
        } else {
            // Of these sums half floats hold one only.
            assert_eq!(found[2], z);
        }
    }
}

/// H(2n) and H(2n+1) are the halves of R(n): R1 as words.
const WORDS: &str = "c[0x40003c00, 0x44004200, 0x46004500, 0x48004700]";
const LOW: Vector = [1.0, 2.0, 3.0, 4.0];
const HIGH: Vector = [5.0, 6.0, 7.0, 8.0];

#[test]
fn half_registers_are_halves_of_whole_ones() {
    for (line, want) in [
        ("MOVR R0, H2;", LOW),
        ("MOVR R0, H3;", HIGH),
        ("MOVR R0, H3.wzyx;", [8.0, 7.0, 6.0, 5.0]),
        ("MOVR R0, -H2.y;", [-2.0; 4]),
        ("MOVR R0, |-H2|;", LOW),
        ("ADDR R0, H2, H3;", [6.0, 8.0, 10.0, 12.0]),
        ("MADR R0, H2, H3.x, -H2.w;", [1.0, 6.0, 11.0, 16.0]),
    ] {
        let line = line.replace("|-H2|", "|H2|");
        let lines = format!("MOV R1, {WORDS};\n{line}");
        check(eval(Curie, &lines, [ZERO; 3]), want, &line);
    }
}

#[test]
fn whole_registers_are_two_half_ones() {
    let words = [0x4000_3c00u32, 0x4400_4200, 0x4600_4500, 0x4800_4700];
    let of = |lines: &str| eval(Curie, lines, [ZERO; 3]).map(f32::to_bits);
    let both = "MOV H2, c[1, 2, 3, 4];\nMOV H3, c[5, 6, 7, 8];\n";
    assert_eq!(of(&format!("{both}MOV R0, R1;")), words);
    // One component at a time, the others stay.
    for (register, first) in [("H2", 0), ("H3", 4)] {
        for (c, letter) in LETTERS.iter().enumerate() {
            let found = of(&format!(
                "{both}MOV {register}.{letter}, c[-1, -1, -1, -1];\nMOV R0, R1;"
            ));
            let mut want = words;
            let shift = c % 2 * 16;
            let word = &mut want[(first + c) / 2];
            *word = *word & !(0xffff << shift) | 0xbc00 << shift;
            assert_eq!(found, want, "{register}.{letter}");
        }
    }
    // Rounded, clamped, and where the condition holds.
    let lines =
        format!("{both}MOVC RC, c[1, 0, 1, 0];\nMOV_SAT H2 (NE), c[9, 9, -9, 9];\nMOV R0, R1;");
    assert_eq!(of(&lines), [0x4000_3c00, 0x4400_0000, words[2], words[3]]);
    let lines = "MOV H2.x, c[0.33333334, 0, 0, 0];\nMOV R0, R1;";
    assert_eq!(of(lines), [0x3555, 0, 0, 0]);
    // A whole register that was written replaces both halves.
    let lines = format!("{both}MOV R1, R2;\nMOVR R0.xy, H2;\nMOVR R0.zw, H3;");
    check(eval(Curie, &lines, [ZERO; 3]), ZERO, "R1 over H2, H3");
}

/// Lanes are written one by one.
#[test]
fn halves_of_some_lanes() {
    let text = "\
        MOV R1, c[1, 1, 1, 1];\nMOVC RC.x, f[TEX0].y;\n\
        MOV H3.xy (NE.x), f[TEX0].x;\nMOVR R0, H3;\nEND\n";
    let ran = Ran::text(Curie, text, &numbered());
    for lane in 0..LANES {
        let x = lane as f32;
        // 1.0 is 3f800000h: halves 0 and 1.875.
        let old = [0.0, 1.875, 0.0, 1.875];
        let want = if lane % 2 == 1 {
            [x, x, 0.0, 1.875]
        } else {
            old
        };
        check(ran.color(lane), want, "lane");
    }
}

#[test]
fn the_colour_may_be_a_half_of_a_register() {
    let lines = "MOV R0, c[0x40003c00, 0x44004200, 0, 0];";
    check(eval_to(Curie, lines, [ZERO; 3], HALF), LOW, "H0 of R0");
    let lines = "MOV H0, c[1, 2, 3, 4];\nMOV H1, c[5, 6, 7, 8];";
    let found = eval_to(Curie, lines, [ZERO; 3], FULL).map(f32::to_bits);
    assert_eq!(found, [0x4000_3c00, 0x4400_4200, 0x4600_4500, 0x4800_4700]);
    // Registers above R31 have no halves.
    let lines = "MOV H62, c[1, 2, 3, 4];\nMOV R62, c[5, 6, 7, 8];\nMOV R32, R62;\nMOVR R0, H62;";
    check(eval(Curie, lines, [ZERO; 3]), LOW, "H62 and R62");
    let lines = "MOV H63, c[1, 2, 3, 4];\nMOV R31.xy, c[9, 9, 9, 9];\nMOVR R0, H63;";
    check(eval(Curie, lines, [ZERO; 3]), LOW, "H63 is half of R31");
}

#[test]
fn constants() {
    let of = |lines: &str| eval(Curie, lines, [ZERO; 3]);
    let twice = "MUL R0, c[1, 2, 3, 4], c[1, 2, 3, 4].wzyx;";
    check(of(twice), [4.0, 6.0, 6.0, 4.0], "twice");
    let bits = of("MOV R0, c[0x7fc00001, 0x80000000, 0x00000001, 0x3f800000];");
    let want = [0x7fc0_0001, 0x8000_0000, 1, 0x3f80_0000];
    assert_eq!(bits.map(f32::to_bits), want);
    // A number has one row, and zeros of either sign are two numbers.
    let plan = plan(
        Curie,
        "MOV R0, c[1, 1, 2, 1];\nADD R0, R0, c[2, 0, -0.0, 1];\nEND\n",
        FULL,
    );
    let rows: Vec<u32> = plan.consts.iter().map(|row| row[0].to_bits()).collect();
    assert_eq!(rows, [0x3f80_0000, 0x4000_0000, 0, 0x8000_0000]);
    assert!(plan.consts.iter().all(|row| *row == [row[0]; LANES]));
}
