//! `isotherm import`, `trace` and `state` on streams made here.

use std::path::PathBuf;
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("isotherm-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn isotherm(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(args)
        .output()
        .unwrap()
}

fn text(args: &[&str]) -> String {
    let output = isotherm(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A run of methods.
fn run(words: &mut Vec<u32>, method: u32, data: &[u32]) {
    words.push((data.len() as u32) << 18 | method);
    words.extend_from_slice(data);
}

/// Two draws of one triangle each, the second blended, as a capture.
fn capture(name: &str) -> (PathBuf, String) {
    let folder = folder(name);
    let mut words = Vec::new();
    for blend in [0, 1] {
        run(&mut words, 0x304, &[blend]);
        run(&mut words, 0x17fc, &[5]);
        for _ in 0..3 {
            run(&mut words, 0x1518, &[0x3f80_0000; 4]);
        }
        run(&mut words, 0x17fc, &[0]);
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let raw = folder.join("words.bin");
    let out = folder.join("words.cap");
    std::fs::write(&raw, bytes).unwrap();
    let (raw, out) = (raw.display().to_string(), out.display().to_string());
    text(&["import", "words", &raw, "-o", &out]);
    (folder, out)
}

#[test]
fn a_trace_names_methods_fields_and_bundles() {
    let (folder, capture) = capture("names");
    let all = text(&["trace", &capture]);
    for part in [
        "BLEND_FUNC_ENABLE",
        "BEGIN triangles",
        "rop    BLEND",
        "END",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let routed = text(&["trace", &capture, "--bundles", "--route"]);
    assert!(
        routed.contains("taken by rop; passed on by idx xf assm"),
        "{routed}"
    );
    let rop = text(&["trace", &capture, "--unit", "rop"]);
    assert!(rop.contains("BLEND") && !rop.contains("VAB"), "{rop}");
    let second = text(&[
        "trace",
        &capture,
        "--draw",
        "2",
        "--bundles",
        "--only-changed",
    ]);
    assert!(second.contains("ENABLE=0->1"), "{second}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn queries_and_summaries_count_draws() {
    let (folder, capture) = capture("queries");
    let query = text(&["trace", &capture, "--query", "97:BLEND_FUNC_ENABLE"]);
    assert_eq!(query.lines().count(), 2, "{query}");
    let word = text(&[
        "trace",
        &capture,
        "--query",
        "BLEND",
        "--query-delta",
        "--json",
    ]);
    assert_eq!(word.lines().count(), 2, "{word}");
    let summary = text(&["trace", &capture, "--summary"]);
    assert!(
        summary.contains("draw 2: triangles, 3 vertices"),
        "{summary}"
    );
    assert!(summary.contains("2 draws, 0 clears; 0 traps"), "{summary}");
    assert!(
        !isotherm(&["trace", &capture, "--query", "NOTHING"])
            .status
            .success()
    );
    assert!(
        !isotherm(&["trace", &capture, "--query", "BLEND.NOTHING"])
            .status
            .success()
    );
    assert!(
        !isotherm(&["trace", &capture, "--unit", "nothing"])
            .status
            .success()
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_state_goes_on_where_it_was_saved() {
    let (folder, capture) = capture("state");
    let state = folder.join("state.cap").display().to_string();
    text(&[
        "state", "save", &capture, "--draw", "1", "-o", &state, "--rest",
    ]);
    let summary = text(&["trace", &state, "--summary"]);
    assert!(summary.contains("\n1 draw,"), "{summary}");
    assert!(text(&["state", "load", &state]).contains("saved after 1 draw\n"));
    assert!(
        !isotherm(&["state", "save", &capture, "--draw", "9", "-o", &state])
            .status
            .success()
    );
    assert!(!isotherm(&["state", "load", &capture]).status.success());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn method_traces_are_imported_with_warnings() {
    let folder = folder("methods");
    let log = folder.join("xemu.log").display().to_string();
    let out = folder.join("xemu.cap").display().to_string();
    std::fs::write(
        &log,
        "nv2a_pgraph_method 0: 0x97 -> 0x0304 NV097_SET_BLEND_ENABLE 0x1\n\
         nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1800 NV097_ARRAY_ELEMENT16 * 7\n",
    )
    .unwrap();
    let output = isotherm(&["import", "trace", &log, "-o", &out]);
    assert!(output.status.success());
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(
        warnings.contains("line 2: 7 words of method 0x1800"),
        "{warnings}"
    );
    assert!(text(&["trace", &out]).contains("BLEND_FUNC_ENABLE"));
    std::fs::remove_dir_all(folder).unwrap();
}
