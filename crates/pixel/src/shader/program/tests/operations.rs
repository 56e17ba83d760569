//! What operations make of their sources: the specifications' rules.

use super::*;

const A: Vector = [1.5, -2.0, 0.25, 8.0];
const B: Vector = [0.5, 4.0, -1.0, 8.0];
const C: Vector = [10.0, 0.125, -3.0, 1.0];
const ZERO: Vector = [0.0; 4];

#[test]
fn vectors() {
    for (line, want) in [
        ("MOV R0, R1;", A),
        ("MUL R0, R1, R2;", [0.75, -8.0, -0.25, 64.0]),
        ("ADD R0, R1, R2;", [2.0, 2.0, -0.75, 16.0]),
        ("ADD R0, R1, -R2;", [1.0, -6.0, 1.25, 0.0]),
        ("MAD R0, R1, R2, R3;", [10.75, -7.875, -3.25, 65.0]),
        ("MIN R0, R1, R2;", [0.5, -2.0, -1.0, 8.0]),
        ("MAX R0, R1, R2;", [1.5, 4.0, 0.25, 8.0]),
        ("SLT R0, R1, R2;", [0.0, 1.0, 0.0, 0.0]),
        ("SGE R0, R1, R2;", [1.0, 0.0, 1.0, 1.0]),
        ("SLE R0, R1, R2;", [0.0, 1.0, 0.0, 1.0]),
        ("SGT R0, R1, R2;", [1.0, 0.0, 1.0, 0.0]),
        ("SEQ R0, R1, R2;", [0.0, 0.0, 0.0, 1.0]),
        ("SNE R0, R1, R2;", [1.0, 1.0, 1.0, 0.0]),
        ("FRC R0, R1;", [0.5, 0.0, 0.25, 0.0]),
        ("FLR R0, R1;", [1.0, -2.0, 0.0, 8.0]),
        ("STR R0;", [1.0; 4]),
        ("MOV R0, R1;\nSFL R0;", ZERO),
        ("DP3 R0, R1, R2;", [-7.5; 4]),
        ("DP4 R0, R1, R2;", [56.5; 4]),
        ("DP2A R0, R1, R2, R3;", [2.75; 4]),
        ("DST R0, R1.xywz, R2;", [1.0, -8.0, 8.0, 8.0]),
        ("DST R0, R1, R2.xyzx;", [1.0, -8.0, 0.25, 0.5]),
        ("DIV R0, R1, R2;", [3.0, -4.0, 0.5, 16.0]),
        ("DIV R0, R1, R2.y;", [0.375, -0.5, 0.0625, 2.0]),
    ] {
        for family in [Rankine, Curie] {
            check(eval(family, line, [A, B, C]), want, line);
        }
    }
    for (line, want) in [
        ("LRP R0, R1, R2, R3;", [-4.25, -7.625, -2.5, 57.0]),
        ("RFL R0.xyz, c[1, 1, 1, 7], f[TEX3];", [3.0, 2.0, 1.0, 0.0]),
    ] {
        let text = format!("MOV R1, f[TEX0];\nMOV R2, f[TEX1];\nMOV R3, f[TEX2];\n{line}\nEND\n");
        let start = inputs(&[A, B, C, [1.0, 2.0, 3.0, 5.0]]);
        check(Ran::text(Rankine, &text, &start).same(), want, line);
    }
}

/// Every lane has its own values.
#[test]
fn lanes() {
    let text = "MAD R0, f[TEX0].xyxz, c[2, 2, 2, 2], f[TEX0].x;\nEND\n";
    let ran = Ran::text(Curie, text, &numbered());
    for lane in 0..LANES {
        let x = lane as f32;
        let (two, three) = ((lane % 2) as f32, (lane % 3) as f32);
        let want = [3.0 * x, 2.0 * two + x, 3.0 * x, 2.0 * three + x];
        check(ran.color(lane), want, "MAD");
    }
}

#[test]
fn numbers_without_order() {
    let a = [NAN, 1.0, INF, -0.0];
    let b = [1.0, NAN, INF, 0.0];
    for (op, want) in [
        ("SLT", [0.0, 0.0, 0.0, 0.0]),
        ("SGE", [0.0, 0.0, 1.0, 1.0]),
        ("SLE", [0.0, 0.0, 1.0, 1.0]),
        ("SGT", [0.0, 0.0, 0.0, 0.0]),
        ("SEQ", [0.0, 0.0, 1.0, 1.0]),
        ("SNE", [1.0, 1.0, 0.0, 0.0]),
    ] {
        let line = format!("{op} R0, R1, R2;");
        check(eval(Curie, &line, [a, b, ZERO]), want, op);
    }
    for op in ["MIN", "MAX"] {
        let line = format!("{op} R0.xyz, R1, R2;");
        check(eval(Curie, &line, [a, b, ZERO]), [NAN, NAN, INF, 0.0], op);
    }
    let infinite = [[INF, -INF, INF, 0.0], [-INF, -INF, 0.0, NAN], ZERO];
    check(
        eval(Curie, "ADD R0, R1, R2;", infinite),
        [NAN, -INF, INF, NAN],
        "ADD",
    );
    check(
        eval(Curie, "MUL R0, R1, R2;", infinite),
        [-INF, INF, NAN, NAN],
        "MUL",
    );
}

#[test]
fn floors_and_fractions() {
    let x = [2.25, -3.75, -0.0, INF];
    let of = |line: &str, x: Vector| eval(Rankine, line, [x, ZERO, ZERO]);
    check(of("FLR R0, R1;", x), [2.0, -4.0, -0.0, INF], "FLR");
    check(of("FRC R0, R1;", x), [0.25, 0.25, 0.0, NAN], "FRC");
    check(of("FLR R0.x, R1;", [NAN; 4]), [NAN, 0.0, 0.0, 0.0], "FLR");
    check(of("FRC R0.x, R1;", [NAN; 4]), [NAN, 0.0, 0.0, 0.0], "FRC");
}

/// What a function makes of a number, the same in all components.
#[track_caller]
fn function(family: Family, op: &str, x: f32) -> f32 {
    let line = format!("{op} R0, R1.y;");
    let found = eval(family, &line, [[7.0, x, 7.0, 7.0], ZERO, ZERO]);
    check(found, [found[0]; 4], op);
    found[0]
}

#[track_caller]
fn functions(family: Family, op: &str, table: &[(f32, f32)]) {
    for &(x, want) in table {
        let found = function(family, op, x);
        check([found; 4], [want; 4], &format!("{op} {x}"));
    }
}

#[test]
fn reciprocals() {
    for family in [Rankine, Curie] {
        functions(
            family,
            "RCP",
            &[
                (2.0, 0.5),
                (-4.0, -0.25),
                (0.0, INF),
                (-0.0, -INF),
                (INF, 0.0),
                (-INF, -0.0),
                (NAN, NAN),
            ],
        );
    }
    functions(
        Rankine,
        "RSQ",
        &[
            (4.0, 0.5),
            (0.25, 2.0),
            (0.0, INF),
            (-0.0, -INF),
            (INF, 0.0),
            (-INF, NAN),
            (-4.0, NAN),
            (NAN, NAN),
        ],
    );
    // Curie does not look at the sign.
    functions(Curie, "RSQ", &[(4.0, 0.5), (-4.0, 0.5), (-0.0, INF)]);
}

#[test]
fn operations_of_curie() {
    for (line, want) in [
        ("DP2 R0, R1, R2;", [A[0] * B[0] + A[1] * B[1]; 4]),
        ("NRM R0, c[0, 3, -4, 9];", [0.0, 0.6, -0.8, 0.0]),
        (
            "MOV R4, c[4, 9, 9, 9];\nDIVSQ R0, c[1, 2, 0, -8], R4.x;",
            [0.5, 1.0, 0.0, -4.0],
        ),
        ("DIVSQ R0.xy, c[0, 1, 0, 0], R5.x;", [0.0, INF, 0.0, 0.0]),
        (
            "MOV R4, c[1, 2, 9, 9];\nMOV R5, c[10, 100, 9, 9];\nBEM R0, R4, R5, c[1, 2, 3, 4];",
            [211.0, 432.0, 211.0, 432.0],
        ),
        ("MOV R0, R1;\nFENCT;\nFENCB;", A),
    ] {
        check(eval(Curie, line, [A, B, C]), want, line);
    }
}

/// What the RSX's pictures show of half precision and of last bits.
#[test]
fn last_bits_of_curie() {
    // The nearest product of 1/5 and itself is 0.44 of a last place too large, of 1/3 0.22.
    let line = "MUL R0, R1, R1;";
    for (n, less) in [(5.0, 1), (3.0, 0)] {
        let x = 1.0f32 / n;
        let want = f32::from_bits((x * x).to_bits() - less);
        check(eval(Curie, line, [[x; 4], B, C]), [want; 4], line);
        check(eval(Rankine, line, [[x; 4], B, C]), [x * x; 4], line);
    }
    // A sum is cut: 1 - 2^-25 is not 1.
    let below = 1.0 - 2f32.powi(-24);
    let small = [2f32.powi(-25); 4];
    let line = "ADD R0, c[1, 1, 1, 1], -R1;";
    check(eval(Curie, line, [small, B, C]), [below; 4], line);
    check(eval(Rankine, line, [small, B, C]), [1.0; 4], line);
    // What lies three bits below the last is not seen at all.
    let small = [2f32.powi(-26); 4];
    check(eval(Curie, line, [small, B, C]), [1.0; 4], line);
    // Constants beyond the half floats, at half precision and at full.
    for (line, want) in [
        (
            "MULH R0, R1, c[65536, -70000, 65535, 1];",
            [INF, -INF, 65535.0, 1.0],
        ),
        (
            "MULR R0, R1, c[65536, -70000, 65535, 1];",
            [65536.0, -70000.0, 65535.0, 1.0],
        ),
    ] {
        check(eval(Curie, line, [[1.0; 4], B, C]), want, line);
    }
    // 1/5 at half precision: 3277 of 4096 parts for the root of 25/16, a fourth of it.
    let root = 3277.0 / 4096.0 / 4.0;
    let line = "NRMH R0, c[0, 3, -4, 9];";
    check(
        eval(Curie, line, [A, B, C]),
        [0.0, 3.0 * root, -4.0 * root, 0.0],
        line,
    );
}

/// Two condition registers: the second keeps what the first forgets.
#[test]
fn a_second_condition_register() {
    let lines = "MOVC RC, c[1, 0, 1, 0] {CC_WRITE_INDEX=0x1};\nMOVC RC, c[0, 0, 0, 0];\n\
        MOV R0 (NE), R1 {CC_READ_INDEX=0x1};";
    check(
        eval(Curie, lines, [A, B, C]),
        [A[0], 0.0, A[2], 0.0],
        "second",
    );
    // Rankine has one.
    check(eval(Rankine, lines, [A, B, C]), [0.0; 4], "one");
}

#[test]
fn powers_and_logarithms() {
    for family in [Rankine, Curie] {
        functions(
            family,
            "EX2",
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (3.0, 8.0),
                (-1.0, 0.5),
                (127.0, 127f32.exp2()),
                (128.0, INF),
                (INF, INF),
                (-126.0, f32::MIN_POSITIVE),
                (-150.0, 0.0),
                (-INF, 0.0),
                (NAN, NAN),
            ],
        );
        functions(
            family,
            "LG2",
            &[
                (1.0, 0.0),
                (8.0, 3.0),
                (0.25, -2.0),
                (0.0, -INF),
                (-0.0, -INF),
                (INF, INF),
                (-1.0, NAN),
                (-INF, NAN),
                (NAN, NAN),
            ],
        );
        for i in 1..100 {
            let x = i as f32 * 0.37;
            let log = f64::from(function(family, "LG2", x));
            let want = f64::from(x).log2();
            assert!((log - want).abs() < 2e-6 * (1.0 + want.abs()), "LG2 {x}");
            let x = x - 18.0;
            let power = f64::from(function(family, "EX2", x));
            assert!((power / f64::from(x).exp2() - 1.0).abs() < 1e-6, "EX2 {x}");
        }
    }
}

#[test]
fn sines() {
    for family in [Rankine, Curie] {
        for i in -60..60 {
            let x = i as f32 * 0.17;
            let sine = f64::from(function(family, "SIN", x));
            assert!((sine - f64::from(x).sin()).abs() < 3e-6, "SIN {x}: {sine}");
            let cosine = f64::from(function(family, "COS", x));
            assert!((cosine - f64::from(x).cos()).abs() < 3e-6, "COS {x}");
        }
        for op in ["SIN", "COS"] {
            functions(family, op, &[(INF, NAN), (-INF, NAN), (NAN, NAN)]);
        }
        assert_eq!(function(family, "SIN", -0.0), 0.0);
    }
}

#[test]
fn pow() {
    for (x, y, want) in [
        (2.0, 3.0, 8.0),
        (0.25, -2.0, 16.0),
        (4.0, 0.5, 2.0),
        (-1.0, 2.0, NAN),
        (-2.0, 0.0, NAN),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (0.0, 0.0, NAN),
        (INF, -0.0, NAN),
        (1.0, INF, NAN),
        (0.0, 2.0, 0.0),
        (-0.0, -1.0, INF),
        (1.0, 5.0, 1.0),
        (INF, 2.0, INF),
        (3.0, 0.0, 1.0),
        (0.5, INF, 0.0),
        (2.0, INF, INF),
        (0.5, -INF, INF),
        (2.0, -INF, 0.0),
    ] {
        let sources = [[9.0, 9.0, x, 9.0], [9.0, 9.0, 9.0, y], ZERO];
        let found = eval(Rankine, "POW R0, R1.z, R2.w;", sources);
        check(found, [want; 4], &format!("{x} to the power {y}"));
    }
}

#[test]
fn light_coefficients() {
    for (x, want) in [
        ([0.5, 0.25, 9.0, 2.0], [1.0, 0.5, 0.0625, 1.0]),
        ([3.0, 4.0, 9.0, 0.5], [1.0, 3.0, 2.0, 1.0]),
        ([-1.0, 0.5, 9.0, 2.0], [1.0, 0.0, 0.0, 1.0]),
        ([0.0, 0.5, 9.0, 2.0], [1.0, 0.0, 0.0, 1.0]),
        ([1.0, -3.0, 9.0, 2.0], [1.0, 1.0, 0.0, 1.0]),
        ([1.0, 0.0, 9.0, 0.0], [1.0, 1.0, NAN, 1.0]),
        ([1.0, 2.0, 9.0, 200.0], [1.0, 1.0, INF, 1.0]),
        ([NAN, 2.0, 9.0, 1.0], [1.0, NAN, 0.0, 1.0]),
        ([1.0, NAN, 9.0, 1.0], [1.0, 1.0, NAN, 1.0]),
    ] {
        check(eval(Rankine, "LIT R0, R1;", [x, ZERO, ZERO]), want, "LIT");
    }
    for (x, want) in [
        ([-5.0, 0.5, 7.0, 3.0], [1.0, 0.5, 8.0, 1.0]),
        ([5.0, -0.5, 7.0, 3.0], [1.0, -0.5, 0.0, 1.0]),
        ([5.0, 0.0, 7.0, 3.0], [1.0, 0.0, 0.0, 1.0]),
    ] {
        check(
            eval(Curie, "LITEX2 R0, R1;", [x, ZERO, ZERO]),
            want,
            "LITEX2",
        );
    }
}

/// Words are the bits of floats; nothing rounds them on the way.
#[test]
fn words_of_smaller_numbers() {
    let a = [0.0, 1.0, 0.25, -0.5];
    for (op, word) in [
        ("PK4UB", 0x0040_ff00),
        ("PK4B", 0x41a0_ff80),
        ("PK2US", 0xffff_0000),
        ("PK2H", 0x3c00_0000),
    ] {
        let line = format!("{op} R0, R1;");
        let found = eval(Curie, &line, [a, ZERO, ZERO]).map(f32::to_bits);
        assert_eq!(found, [word; 4], "{op}");
    }
    for (op, word, want) in [
        ("UP4UB", 0xff00_0033u32, [0.2, 0.0, 0.0, 1.0]),
        ("UP4B", 0xff80_0101, [-1.0, -1.0, 0.0, 1.0]),
        ("UP2US", 0xffff_0000, [0.0, 1.0, 0.0, 1.0]),
        ("UP2H", 0xbc00_3800, [0.5, -1.0, 0.5, -1.0]),
    ] {
        // The word is the swizzle's first.
        let line = format!("{op} R0, c[0, 0, {word:#x}, 0].z;");
        check(eval(Rankine, &line, [ZERO; 3]), want, op);
    }
    let there_and_back = "PK2US R2.x, R1.yzww;\nUP2US R0, R2.x;";
    let found = eval(Curie, there_and_back, [[9.0, 1.0, 0.2, 9.0], ZERO, ZERO]);
    check(found, [1.0, 0.2, 1.0, 0.2], "PK2US, UP2US");
}

/// Numbers without a known operation give zeros, which is a guess; NOP gives nothing.
#[test]
fn no_operations() {
    let lines = "MOV R0, R1;\nOP_32 R0.yz, R1, R2, R3;";
    check(eval(Curie, lines, [A, B, C]), [1.5, 0.0, 0.0, 8.0], "OP_32");
    let lines = "MOV R0, R1;\nNOP {OUT_MASK=0xf, COND=0x7, CC_WRITE=0x1};\nMOV R0.x (NE), R2;";
    check(eval(Curie, lines, [A, B, C]), A, "NOP");
    let lines = "MOV R0, R1;\nBOP_07 {OUT_MASK=0xf, COND=0x7};";
    check(eval(Curie, lines, [A, B, C]), A, "BOP_07");
}

/// Differences within quads, each row and each column for itself.
#[test]
fn derivatives() {
    let mut start = Lanes::default();
    // A value for every pixel of a quad, and a step from quad to quad that must not show.
    let pixel: [f32; 4] = [1.0, 3.0, 10.0, 17.0];
    *start.input(input::TEX, 0) = std::array::from_fn(|i| pixel[i % 4] + 100.0 * (i / 4) as f32);
    *start.input(input::TEX, 1) = std::array::from_fn(|i| if i == 5 { NAN } else { 0.0 });
    for family in [Rankine, Curie] {
        let ran = Ran::text(
            family,
            "DDX R0.xy, f[TEX0];\nDDY R0.zw, f[TEX0].xyxy;\nEND\n",
            &start,
        );
        for lane in 0..LANES {
            let across = [2.0, 2.0, 7.0, 7.0][lane % 4];
            let down = [9.0, 14.0, 9.0, 14.0][lane % 4];
            // No number spreads to its row and its column.
            let no_row = if matches!(lane, 4 | 5) { NAN } else { 0.0 };
            let no_column = if matches!(lane, 5 | 7) { NAN } else { 0.0 };
            check(ran.color(lane), [across, no_row, down, no_column], "quads");
        }
    }
}
