use super::generate::{Rng, program};
use super::*;

fn round_trip(isa: Isa, count: usize) {
    let mut rng = Rng(0x5eed_0000 + isa as u64);
    for n in 0..count {
        let made = program(isa, &mut rng);
        let text = disassemble(&made);
        let again = assemble(&text, None).unwrap_or_else(|e| panic!("program {n}:\n{text}\n{e}"));
        assert_eq!(made, again, "program {n}:\n{text}");
        assert_eq!(text, disassemble(&again), "program {n}");
    }
}

#[test]
fn random_kelvin_programs_round_trip() {
    round_trip(Isa::Kelvin, 2000);
}

#[test]
fn random_rankine_programs_round_trip() {
    round_trip(Isa::Rankine, 2000);
}

#[test]
fn random_curie_programs_round_trip() {
    round_trip(Isa::Curie, 2000);
}

#[track_caller]
fn one(isa: Isa, upload: [u32; 4], text: &str) {
    let word = Word::from_upload(upload);
    assert_eq!(statement(isa, word), text);
    let program = assemble(text, Some(isa)).unwrap_or_else(|e| panic!("{e}"));
    let end = word.0 & 1;
    assert_eq!(program.words, [Word(word.0 & !end)], "{text}");
}

/// Words that the suite's assembler and Mesa's compiler made.
#[test]
fn real_instructions_read_plainly() {
    let k = Isa::Kelvin;
    one(
        k,
        [0, 0x0020001b, 0x0836106c, 0x2070f800],
        "MOV o[HPOS], v[0];",
    );
    one(
        k,
        [0, 0x0020181b, 0x0836106c, 0x2070f861],
        "MOV o[TEX3], v[12];",
    );
    one(
        k,
        [0, 0x018c601b, 0x0c00086c, 0x2f100ff8],
        "SGE R1, c[99], R0.x;",
    );
    one(
        k,
        [0, 0x002c001b, 0x0c36106c, 0x28000ff8],
        "MOV R0.x, c[96];",
    );
    let r = Isa::Rankine;
    one(
        r,
        [0x000038d8, 0x023f4055, 0x0836186c, 0x10f00000],
        "MAD R0, v[0].y, c[253], R0;",
    );
    one(
        r,
        [0x001f38d8, 0x0080021b, 0x0836106c, 0x2000f80d],
        "MOV o[COL0], v[1];",
    );
    one(r, [0x000f38d8, 0x0000001b, 0x0836106c, 0x20000001], "NOP;");
    let c = Isa::Curie;
    one(
        c,
        [0x201fdc6c, 0x004000aa, 0x8086c083, 0x6041effc],
        "MOVC CC, -R0.y;",
    );
    one(
        c,
        [0x001fa800, 0x4800000d, 0x8106c0be, 0xa0400ffc],
        "BRA 501 (EQ.x);",
    );
    one(
        c,
        [0x401f9c6c, 0x0040010d, 0x8106c083, 0x6041ef9d],
        "MOV o[TEX0], v[1];",
    );
}

#[test]
fn pairs_and_double_destinations() {
    for text in [
        "MUL R2.xyz, R0, R1 + RCP R1.w, R0.w;",
        "MOV R3.xy & o[COL0], v[3];",
        "MAD R2, R0, c[A0.x + 5], -R1 + MOV R1.x, -R1;",
        "NOP + MOV R5.x, R2.y;",
        "ARL A0.x, v[1].x;",
        "MOV c[12], R0;",
        "NOP;",
    ] {
        let program = assemble(text, Some(Isa::Kelvin)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(statement(Isa::Kelvin, program.words[0]), text);
    }
}

#[test]
fn labels_comments_and_end() {
    let text = "!!VP3.0\n# a loop\n.org 4\nstart: ADDC R0.x, R0.x, c[7].y; // count\n  BRA start (LT.x);\nMOV o[HPOS], v[0];\nEND\n";
    let program = assemble(text, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(program.org, 4);
    assert_eq!(
        disassemble(&program),
        "!!VP3.0\n.org 4\nL4:\n    ADDC R0.x, R0.x, c[7].y;\n    BRA L4 (LT.x);\n    MOV o[HPOS], v[0];\nEND\n"
    );
}

#[test]
fn errors_have_a_place() {
    let cases = [
        ("MOV R0, v[0], R1;", 1, 13, "expected `;`"),
        ("MOV R0 v[0];", 1, 8, "expected `,`"),
        ("NOP;\n  FOO R0;", 2, 3, "no kelvin operation"),
        ("MUL R0, v[0], v[1];", 1, 15, "one input row"),
        ("MUL R0, c[0], c[1];", 1, 15, "one context row"),
        ("MOV R0.yx, v[0];", 1, 8, "write mask"),
        ("MOV R0, v[99];", 1, 11, "out of range"),
        ("MOV R99, v[0];", 1, 5, "out of range"),
        ("ADD R0, R1, R2 + RCP R1, R3;", 1, 26, "share this source"),
        ("MUL R0, R1, R2 + RCP R2.x, R3;", 1, 1, "writes R1"),
        ("MOV R0, |R1|;", 1, 9, "absolute"),
        ("END", 1, 1, "there is none"),
        ("MOV R0, v[0]; \u{fc}", 1, 15, "unexpected character"),
    ];
    for (text, line, column, message) in cases {
        let error = assemble(text, Some(Isa::Kelvin)).expect_err(text);
        assert_eq!(
            (error.line, error.column),
            (line, column),
            "{text}: {error}"
        );
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.to_string().ends_with('^'), "{error}");
    }
    let error = assemble("BRA nowhere;", Some(Isa::Curie)).expect_err("no label");
    assert!(error.message.contains("not defined"));
}

/// What Rankine's memory holds after a Kelvin upload.
#[test]
fn kelvin_code_on_rankine() {
    use crate::xf::isa::convert::kelvin_to_rankine;
    let convert = |text: &str| {
        let kelvin = assemble(text, Some(Isa::Kelvin)).unwrap_or_else(|e| panic!("{e}"));
        statement(Isa::Rankine, kelvin_to_rankine(kelvin.words[0]))
    };
    assert!(convert("MOV o[TEX0], v[9];").starts_with("MOV o[TEX0], v[8]"));
    assert!(convert("MOV o[BFC1], c[0];").starts_with("MOV o[BFC1], c[60]"));
    assert!(convert("MOV c[2].x, R15;").starts_with("MOV c[62].x, R12"));
    assert!(
        convert("MUL R12, v[0], R2 + RCP R1.x, R2.x;")
            .starts_with("MUL _, v[0], R2 + RCP R1.x, R2.x")
    );
}
