//! What all commands have in common: help, versions, exit codes, files and pipes.

mod common;

use common::{folder, path, run, run_with, scene};
use std::path::Path;

#[test]
fn the_help_says_what_it_is_and_groups_the_commands() {
    let help = run(&["--help"]).expect(0);
    for part in [
        "software GPU",
        "Xbox",
        "Draw:",
        "Words:",
        "Examples:",
        "Exit codes: 0 done, or equal; 1 different",
        "--quiet",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(run(&["--version"]).expect(0).starts_with("isotherm "));
    assert_eq!(run(&[]).code, 2);
}

#[test]
fn dashes_are_standard_input_and_output() {
    let folder = folder("dashes");
    let capture = scene(&folder, "cull");
    let bytes = std::fs::read(&capture).expect("the scene");
    let png = path(&folder, "out.png");
    run(&["replay", &capture, "-o", &png]).expect(0);
    let piped = run_with(&["replay", "-", "-o", "-"], &bytes);
    piped.expect(0);
    assert_eq!(piped.out, std::fs::read(&png).expect("the picture"));
    for args in [
        &["trace", "-", "--summary"][..],
        &["pixel", "-", "100", "100", "--brief"],
        &["disasm", "-"],
        &["vsh", "run", "-", "--draw", "1", "--vertex", "0"],
    ] {
        let named: Vec<&str> = args
            .iter()
            .map(|a| if *a == "-" { &capture } else { *a })
            .collect();
        assert_eq!(
            run_with(args, &bytes).expect(0),
            run(&named).expect(0),
            "{args:?}"
        );
    }
    let state = run(&["state", "save", &capture, "--draw", "1", "-o", "-"]);
    state.expect(0);
    let loaded = run_with(&["state", "load", "-"], &state.out).expect(0);
    assert!(loaded.contains("saved after 1 draw\n"), "{loaded}");
    // Standard input has no name to call a picture by.
    let nameless = run_with(&["replay", "-"], &bytes);
    assert_eq!(nameless.code, 2);
    assert!(nameless.err.contains("-o FILE"), "{}", nameless.err);
    // A picture on standard output has it alone: words go to standard error.
    let other = scene(&folder, "torus");
    let picture = run(&["compare", &other, &png, "-o", "-"]);
    assert_eq!(picture.code, 1);
    assert!(picture.out.starts_with(b"\x89PNG"));
    assert!(picture.out.ends_with(b"IEND\xaeB`\x82"));
    assert!(picture.err.contains("worst pixel"), "{}", picture.err);
    let both = run(&["compare", &other, &png, "-o", "-", "--json"]);
    assert_eq!(both.code, 2);
}

#[test]
fn quiet_says_nothing_but_the_result() {
    let folder = folder("quiet");
    let capture = scene(&folder, "cull");
    let png = path(&folder, "out.png");
    assert_ne!(run(&["replay", &capture, "-o", &png]).expect(0), "");
    assert_eq!(
        run(&["--quiet", "replay", &capture, "-o", &png]).expect(0),
        ""
    );
    assert_eq!(run(&["replay", &capture, "-o", &png, "-q"]).expect(0), "");
    let out = path(&folder, "demo");
    let demo = |args: &[&str]| {
        let mut all = vec!["demo", "--only", "cull", "-o", &out];
        all.extend(args);
        let run = run(&all);
        (run.expect(0), run.err)
    };
    assert!(demo(&[]).0.contains("BLEND = 0x0000055a"));
    assert_eq!(demo(&["--quiet"]), (String::new(), String::new()));
    assert!(Path::new(&out).join("words.txt").is_file());
    let none = run(&["demo", "--only", "nothing", "-o", &path(&folder, "none")]);
    assert_eq!((none.code, none.text()), (2, String::new()));
    assert!(!folder.join("none").exists());
    let decode = run(&["decode", "nv2a", &capture]);
    assert_eq!(decode.code, 2);
    assert!(decode.err.contains("isotherm trace"), "{}", decode.err);
}

#[test]
fn bad_outputs_are_found_before_the_work() {
    let folder = folder("outputs");
    // Reading this would fail, too; the output is looked at first.
    let missing = path(&folder, "missing.cap");
    let jpg = run(&["replay", &missing, "-o", &path(&folder, "x.jpg")]);
    assert_eq!(jpg.code, 2);
    assert!(
        jpg.err.contains("PNG") && jpg.err.contains("x.png"),
        "{}",
        jpg.err
    );
    let file = path(&folder, "file");
    std::fs::write(&file, b"").expect("written");
    let below = format!("{file}/x.png");
    for args in [
        &["replay", &missing, "-o", &below][..],
        &["state", "save", &missing, "-o", &below],
        &["import", "words", &missing, "-o", &below],
        &["replay", &missing, "-o", &folder.display().to_string()],
    ] {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(!run.err.contains("missing"), "{args:?}: {}", run.err);
    }
    assert!(std::fs::read_dir(&folder).is_ok_and(|files| files.count() == 1));
}

#[test]
fn draws_out_of_range_are_errors_everywhere() {
    let folder = folder("range");
    let capture = scene(&folder, "cull");
    let (png, state) = (path(&folder, "x.png"), path(&folder, "x.cap"));
    let files = path(&folder, "files");
    for args in [
        &["replay", &capture, "--until-draw", "999", "-o", &png][..],
        &["trace", &capture, "--draw", "999"],
        &["trace", &capture, "--draw", "0"],
        &["pixel", &capture, "1", "1", "--draw", "999"],
        &["disasm", &capture, "--draw", "999"],
        &["vsh", "run", &capture, "--draw", "999"],
        &["vsh", "run", &capture, "--draw", "999", "--vertex", "0"],
        &["state", "save", &capture, "--draw", "999", "-o", &state],
        &["why", &capture, "--draw", "999"],
        &["dump", &capture, "--draw", "3..999", "-o", &files],
        &[
            "edit", &capture, "--draw", "999", "--set", "97:304=1", "-o", &state,
        ],
        &["edit", &capture, "--keep", "999", "-o", &state],
        &[
            "pixel",
            &capture,
            "1",
            "1",
            "--target",
            "color",
            "--target-of",
            "999",
        ],
    ] {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.text());
        assert!(
            run.err.contains("there is no draw"),
            "{args:?}: {}",
            run.err
        );
        // Nothing half done, and the file is named once.
        assert_eq!(run.text(), "", "{args:?}");
        assert_eq!(run.err.matches(&capture).count(), 1, "{}", run.err);
    }
}

#[test]
fn colours_are_for_terminals() {
    let plain = run(&["explain", "nv2a", "BLEND", "55a"]).expect(0);
    assert!(!plain.contains('\u{1b}'));
    let colours = run(&["--color", "always", "explain", "nv2a", "BLEND", "55a"]).expect(0);
    assert!(colours.contains('\u{1b}'));
    let error = run(&["explain", "nv2a", "BLEND", "zz"]);
    assert!(!error.err.contains('\u{1b}'));
}

#[test]
fn nobody_sees_rusts_debug_text() {
    let folder = folder("debug");
    let capture = scene(&folder, "cull");
    let trace = run(&["trace", &capture]).expect(0);
    for part in ["Some(", "Tex(", "ClipHoriz", "Oddities"] {
        assert!(!trace.contains(part), "{part}");
    }
    let root = folder.display().to_string();
    let none = run(&["conform", &root, "--filter", "a*", "--filter", "b"]);
    assert!(none.err.contains("no case matches a* or b"), "{}", none.err);
}
