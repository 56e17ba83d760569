use super::*;
use crate::Family::{self, Curie, Rankine};
use crate::fp::layout;
use crate::fp::ops::TABLE;
use crate::fp::{Inst, Program};
use crate::xf::asm::generate::Rng;

const FAMILIES: [Family; 2] = [Rankine, Curie];

/// Words as drivers might make them: bits without a field clear, mostly known
/// operations, offsets near by.
fn sensible(family: Family, rng: &mut Rng) -> [u32; 4] {
    let mut words = [0; 4].map(|_| rng.bits() as u32);
    let unknown = layout::unknown(family);
    for (word, unknown) in words.iter_mut().zip(unknown) {
        *word &= !unknown;
    }
    let branch = family == Curie && rng.below(4) == 0;
    if layout::IS_BRANCH.exists(family) {
        layout::IS_BRANCH.put(family, &mut words, branch.into());
    }
    if branch {
        layout::OPCODE.put(family, &mut words, rng.below(6) as u32);
        if rng.below(2) == 0 {
            layout::ELSE_OFFSET.put(family, &mut words, 4 * rng.below(16) as u32);
        }
        layout::END_OFFSET.put(family, &mut words, 4 * rng.below(16) as u32);
    }
    words
}

/// decode → text → words.
#[test]
fn random_words_round_trip() {
    for family in FAMILIES {
        let mut rng = Rng(0xf9a5_0000 + family as u64);
        for n in 0..6_000 {
            let len = rng.below(64) as usize;
            let words: Vec<u32> = if n % 2 == 0 {
                (0..len).map(|_| rng.bits() as u32).collect()
            } else {
                (0..len / 4)
                    .flat_map(|_| sensible(family, &mut rng))
                    .collect()
            };
            let text = disassemble_words(family, &words);
            let again = assemble(family, &text).unwrap_or_else(|e| panic!("{n}:\n{text}\n{e}"));
            assert_eq!(again, words, "{family:?} {n}:\n{text}");
            assert_eq!(disassemble_words(family, &again), text, "{n}");
        }
    }
}

/// The text of one instruction stands on its own.
#[test]
fn random_instructions_round_trip() {
    for family in FAMILIES {
        let mut rng = Rng(0x1a57_0000 + family as u64);
        for n in 0..30_000 {
            let words = match n % 2 {
                0 => [0; 4].map(|_| rng.bits() as u32),
                _ => sensible(family, &mut rng),
            };
            let mut inst = Inst::decode(family, 0, words);
            let constant = [0; 4].map(|_| rng.bits() as u32);
            let mut all = words.to_vec();
            if inst.has_constant() {
                inst.constant = Some(constant);
                all.extend(constant);
            }
            let mut line = text(family, &inst);
            if inst.flow.is_some_and(|f| f.targets().next().is_some()) {
                // Without labels, so no block is to be closed.
                assert!(line.contains(' '), "{line}");
            }
            if inst.end {
                line.push_str(" END");
            }
            let again = assemble(family, &line).unwrap_or_else(|e| panic!("{n}:\n{e}"));
            assert_eq!(again, all, "{family:?} {n}: {line}");
        }
    }
}

#[track_caller]
fn same(family: Family, lines: &[&str]) {
    for line in lines {
        let words = assemble(family, line).unwrap_or_else(|e| panic!("{e}"));
        let mut inst = Inst::decode(family, 0, words[..4].try_into().expect("four words"));
        if inst.has_constant() {
            inst.constant = words[4..].try_into().ok();
        }
        assert_eq!(text(family, &inst), *line);
    }
}

#[test]
fn lines_read_back_as_they_are() {
    let both = [
        "MADH_SAT R0.xyz, f[TEX0], c[0.5, 0.25, 1, 0], -|H2.x|;",
        "MOVC RC.x, R1;",
        "MOV _.x, R1;",
        "MOV R0.xy (GT), R2.wzyx;",
        "ADDXC_D4 H63.w (NE.zzzx), -R1.y, H2;",
        "MULR H0, fh[COL0], c[1e-20, -0, 0x7fc00000, 3.5e10].y;",
        "TEX R0, f[TEX0], TEX2;",
        "TXP_BX2 H1, R0, TEX15;",
        "TXD R0, R1, R2, R3, TEX0;",
        "KIL (LT);",
        "KIL;",
        "NOP;",
        "STR R0.x (GT);",
        "PK2HC RC.x, R0;",
        "PK2HH R0.x, R0;",
        "UP4UB R0, R1.x;",
        "DDX R0.xy, R1;",
        "LG2_D2 R0.x, |R1.x|;",
        "DP2A R0.x, R1, R2, R3;",
        "OP_32 R0, R1, UNK, f[15];",
        "OP_32HC_8X_SAT R0, R1, R2, R3;",
        "MOV R0, f[A0];",
        "MOV R0, R1 {SRC1_REG=0x6};",
        "MOV R0, R1 {SRC2_TYPE=0x2, c[1, 2, 3, 4]};",
        "MOV R0, |R1|;",
        "MAX R0, R1, |R2|;",
        "MAXC R0, R1, R2 {CC_WRITE_INDEX=0x1};",
        "MAX R0 (NE), R1, R2 {CC_READ_INDEX=0x1};",
        "MOV R0, f[TEX1] {NO_PERSPECTIVE=0x1};",
        "MOV R0, R1 {PRECISION=0x3, SCALE=0x4};",
    ];
    for family in FAMILIES {
        same(family, &both);
    }
    same(
        Rankine,
        &[
            "LRP R0, R1, R2, R3;",
            "RSQ R0.x, |R1.x|;",
            "MOV R0, f[12];",
            "MOV R0, R1 {SRC1_REG=0x6, BITS2=0x200000};",
        ],
    );
    same(
        Curie,
        &[
            "TXL R0, R1, R2.x, TEX0;",
            "TXB R0, R1, R2.x, TEX0;",
            "TEXBEM R0, R1, R2, R3, TEX0;",
            "NRM R0.xyz, R1;",
            "DIVSQ H0.x, R1.x, R1.x;",
            "FENCT;",
            "MOV R0, f[FACE].x;",
            "MOV R0, fx[A0 + 5];",
            "NRM R0.xyz, R1 {INPUT_PREC=0x1, SRC0_PREC_HIGH=0x1};",
            "MAD R0, R1, R2, R3 {SRC1_PREC=0x4, SRC2_PREC=0x3};",
            "IF 8, 12 (NE.x);",
            "LOOP 4, 0, 1, 20;",
            "REP 255, 12;",
            "REP 5, 12 {INDEX=0x6};",
            "CAL 8 (GT.x);",
            "RET;",
            "BRK (EQ.w);",
            "BOP_07 {BITS3=0x5};",
        ],
    );
}

#[test]
fn words_are_those_of_mesa() {
    let words = |family, text: &str| assemble(family, text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(words(Rankine, "NOP; END"), [1, 0, 0, 0]);
    assert_eq!(
        words(Curie, "MOV R0, c[1, 0, 0, 0];"),
        [
            0x0100_1e00,
            0x1c9d_c802,
            0x0001_c801,
            0x0001_c801,
            0x3f80_0000,
            0,
            0,
            0
        ]
    );
    assert_eq!(
        words(Curie, "IF 8, 12 (NE.x);"),
        [0x4240_0000, 0x0014_0000, 0x8000_0008, 12]
    );
    assert_eq!(
        words(Curie, "RET;"),
        [0x0500_0000, 0x1c9c_0000, 0x8000_0000, 0]
    );
    assert_eq!(
        words(Rankine, "KIL (LT);"),
        [0x5200_0000, 0x1c85_c801, 0x0001_c801, 0x0001_c801]
    );
}

#[test]
fn blocks_nest() {
    let source = "\
!!FP2.0
    MOVC RC.x, f[COL0];
    IF (NE.x);
        REP 4;
            IF (GT.y);
                BRK;
            ENDIF;
            MOV R1, c[1, 2, 3, 4];
        ENDREP;
    ELSE;
        LOOP 3, 1, 2;
            MOV R2, f[A0 + 4];
        ENDLOOP;
    ENDIF;
    MOVR H0, R1;
END
";
    let words = assemble(Curie, source).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::decode(Curie, &words).expect("a program");
    assert_eq!(disassemble(Curie, &program), source);
    let offsets: Vec<Vec<u32>> = program
        .insts
        .iter()
        .filter_map(|i| i.flow)
        .map(|f| f.targets().collect())
        .collect();
    assert_eq!(
        offsets,
        [vec![28, 36], vec![28], vec![20, 20], vec![], vec![36]]
    );
}

/// Blocks that overlap and calls have labels; a block may end behind END.
#[test]
fn labels_where_blocks_do_not_nest() {
    let source = "\
!!FP2.0
    CAL L16;
    IF (NE.x);
        REP 2, L16;
    ELSE;
        MOV R0, R1;
END
    ENDIF;
L16:
    REP 3;
        RET;
    ENDREP;
.word 0x5
";
    let words = assemble(Curie, source).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(disassemble_words(Curie, &words), source);
}

#[test]
fn headers_name_the_family() {
    let made = assemble_any("!!FP2.0\nRET;", None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((made.family, made.words.len()), (Curie, 4));
    let made = assemble_any("NOP;", Some(Rankine)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(made.family, Rankine);
    assert!(assemble_any("NOP;", None).is_err());
    assert!(assemble(Rankine, "!!FP2.0\nNOP;").is_err());
}

/// Each name with each suffix means one thing.
#[test]
fn names_are_unambiguous() {
    for family in FAMILIES {
        let mut seen = std::collections::HashMap::new();
        for info in TABLE.iter().filter(|i| i.on.has(family)) {
            let letters: &[&str] = match names::has_result(info.op, info.branch) {
                true => &["", "C", "R", "H", "X", "RC", "HC", "XC"],
                false => &[""],
            };
            for letters in letters {
                let name = format!("{}{letters}", info.name);
                let found = names::take_apart(family, &name).map(|n| n.op);
                assert_eq!(found, Ok(Some(info.op)), "{name}");
                assert_eq!(seen.insert(name.clone(), info.op), None, "{name}");
            }
        }
    }
}

#[test]
fn errors_have_a_place() {
    let cases = [
        (Rankine, "MOV R0, f[COL0], R1;", 1, 16, "expected `;`"),
        (Rankine, "MOV R0 f[COL0];", 1, 8, "expected `,`"),
        (Rankine, "NOP;\n  FOO R0;", 2, 3, "no rankine operation"),
        (Rankine, "TXL R0, R1, TEX0;", 1, 1, "curie only"),
        (Curie, "MOV_3X R0, R1;", 1, 1, "no suffix"),
        (Curie, "KIL_SAT;", 1, 1, "no result"),
        (Curie, "MUL R0, f[COL0], f[TEX1];", 1, 18, "one input"),
        (
            Curie,
            "MUL R0, c[1,0,0,0], c[2,0,0,0];",
            1,
            21,
            "one constant",
        ),
        (Curie, "MOV R0, c[1, 2];", 1, 15, "expected `,`"),
        (Curie, "MOV R0, c[1e99, 0, 0, 0];", 1, 11, "too large"),
        (Curie, "MOV R0.yx, R1;", 1, 8, "write mask"),
        (Curie, "MOV R0, R1.xy;", 1, 12, "swizzle"),
        (Curie, "MOV R64, R1;", 1, 5, "out of range"),
        (Curie, "MOV Q1, R1;", 1, 5, "a destination"),
        (Curie, "MOV o[COL9], R1;", 1, 7, "COLR"),
        (Rankine, "MOV R0, f[TEX8];", 1, 11, "an input of rankine"),
        (Rankine, "MOV R0, f[A0 + 1];", 1, 16, "out of range"),
        (Curie, "TEX R0, R1, TEX16;", 1, 13, "TEX15"),
        (Curie, "TEX R0, R1, TEX1, 4D;", 1, 19, "CUBE"),
        (Curie, "MOV R0 (XX), R1;", 1, 9, "a condition"),
        (Curie, "MOV R0, R1 {FOO=1};", 1, 13, "a field"),
        (Curie, "MOV R0, R1 {BITS2=1};", 1, 19, "no field"),
        (Curie, "MOV R0, R1 {SRC1_TYPE=2};", 1, 1, "expected `c[…]`"),
        (Curie, "MOV R0, R1 {c[1, 2, 3, 4]};", 1, 1, "no source"),
        (Curie, "END", 1, 1, "there is none"),
        (Curie, "ENDIF;", 1, 1, "none is open"),
        (Curie, "NOP;\nIF (GT.x);\nNOP;", 2, 1, "`ENDIF`"),
        (Curie, "REP 2;\nNOP;\nENDIF;", 3, 1, "`ENDREP;`"),
        (Curie, "REP 256;", 1, 5, "out of range"),
        (Curie, "CAL nowhere;", 1, 5, "not defined"),
        (Curie, "a: NOP;\na: NOP;", 2, 1, "already defined"),
        (Curie, "NOP; \u{fc}", 1, 6, "unexpected character"),
        (Curie, ".byte 3", 1, 2, "`.word`"),
    ];
    for (family, text, line, column, message) in cases {
        let error = assemble(family, text).expect_err(text);
        let place = (error.line, error.column);
        assert_eq!(place, (line, column), "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.to_string().ends_with('^'), "{error}");
    }
}

/// Text cut anywhere is an error or a program, never a panic.
#[test]
fn cut_text_does_no_harm() {
    let source = "!!FP2.0\nL0: IF (GT.x);\nMADH_2X_SAT R0.xyz, fh[TEX0], c[0.5, 1e-9, 0x3, -1], -|H2.x| {SRC1_PREC=0x4};\nELSE;\nTEX R0, f[A0 + 2], TEX1, 2D;\nENDIF;\nCAL L0 (NE.wzyx);\n.word 7\nEND";
    for end in 0..=source.len() {
        for start in 0..3.min(end) {
            let _ = assemble_any(&source[start..end], Some(Curie));
        }
    }
    assert!(assemble_any(source, None).is_ok());
}
