//! `isotherm asm`, `disasm` and `vsh run` from the outside.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn isotherm(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that fails early may not read its input.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const PROGRAM: &str =
    "!!VP1.1\n    DP4 o[HPOS].x, v[0], c[96];\n    MUL R2.xyz, R0, R2 + RCP R1.w, R0.w;\nEND\n";

#[test]
fn words_and_text_are_inverse() {
    let words = out(&isotherm(&["asm", "-"], PROGRAM));
    assert_eq!(words.lines().count(), 2);
    let text = out(&isotherm(&["disasm", "-", "--isa", "kelvin"], &words));
    assert_eq!(text, PROGRAM);
    assert_eq!(out(&isotherm(&["asm", "-"], &text)), words);
}

const FRAGMENT: &str = "!!FP2.0\n    TEX R0, f[TEX0], TEX2;\n    MADH_SAT R1.xyz, R0, c[0.5, 0.25, 1, 0], -|H2.x|;\n    IF (GT.x);\n        MOVR H0, R1;\n    ENDIF;\n    KIL (LT);\nEND\n";

#[test]
fn fragment_words_and_text_are_inverse() {
    // The header says what it is, and wins over --isa.
    let words = out(&isotherm(&["asm", "-"], FRAGMENT));
    assert_eq!(words.lines().count(), 6);
    assert_eq!(
        out(&isotherm(&["asm", "-", "--isa", "rankine"], FRAGMENT)),
        words
    );
    let text = out(&isotherm(&["disasm", "-", "--isa", "curie-fp"], &words));
    assert_eq!(text, FRAGMENT);
    assert_eq!(out(&isotherm(&["disasm", "-"], FRAGMENT)), FRAGMENT);
    // Any words at all, whole instructions or not.
    let odd = "ffffffff 00000000 12345678 9abcdef0\n00000001\n";
    let text = out(&isotherm(&["disasm", "-", "--isa", "rankine-fp"], odd));
    assert!(
        text.starts_with("!!FP1.0\n") && text.ends_with(".word 0x1\n"),
        "{text}"
    );
    assert_eq!(out(&isotherm(&["asm", "-"], &text)), odd);
    let json = out(&isotherm(&["asm", "-", "--json"], FRAGMENT));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["isa"], "curie-fp");
    assert_eq!(json["words"].as_array().map(Vec::len), Some(24));
}

#[test]
fn fragment_errors_point_at_their_place() {
    let source = "!!FP1.0\nMUL R0, f[COL0], f[TEX1];\nEND\n";
    let output = isotherm(&["asm", "-"], source);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("-:2:18: an instruction reads one input"),
        "{message}"
    );
}

#[test]
fn errors_point_at_their_place() {
    let output = isotherm(
        &["asm", "-", "--isa", "kelvin"],
        "MOV R0, v[0];\nMUL R0, v[1], v[2];\n",
    );
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("-:2:15: an instruction reads one input row"),
        "{message}"
    );
    let lines: Vec<&str> = message.lines().collect();
    let (text, caret) = (lines[1], lines[2]);
    assert_eq!(text.find("v[2]"), caret.find('^'), "{message}");
}

#[test]
fn words_need_an_instruction_set() {
    let output = isotherm(&["disasm", "-"], "00000000 0020001b 0836106c 2070f801\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--isa"));
}

#[test]
fn a_vertex_runs_and_shows_its_steps() {
    let program = "!!VP1.1\nADD R0, v[0], c[96];\nMOV o[HPOS], R0;\nEND\n";
    let args = [
        "vsh",
        "run",
        "-",
        "-i",
        "0=1,2,3",
        "-c",
        "96=0.5,0x3f000000,0,0",
        "--json",
    ];
    let json: serde_json::Value =
        serde_json::from_str(&out(&isotherm(&args, program))).expect("JSON");
    assert_eq!(json["steps"][0]["text"], "ADD R0, v[0], c[96];");
    let position: Vec<f32> = json["outputs"]["HPOS"]
        .as_array()
        .expect("four numbers")
        .iter()
        .map(|x| f32::from_bits(x.as_u64().unwrap_or_default() as u32))
        .collect();
    assert_eq!(position, [1.5, 2.5, 3.0, 1.0]);
}
