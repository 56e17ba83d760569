//! All commands from the outside: what they say to bad use and bad data, and to a reader that
//! has gone; `pixel` on the project's own scenes.

use isotherm::capture::Reader;
use isotherm::gpu;
use isotherm_scenes as scenes;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotherm"));
    command.stdin(Stdio::null());
    command
}

fn isotherm(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// A scene of ours as a file, and its picture.
fn scene(folder: &Path, name: &str) -> (String, u32, Vec<u8>) {
    let all = scenes::all().expect("scenes");
    let scene = all.iter().find(|scene| scene.name == name);
    let capture = &scene.expect("the scene").capture;
    let path = folder.join("scene.cap");
    std::fs::write(&path, capture).expect("written");
    let mut picture = (0, Vec::new());
    gpu::replay(
        Reader::new(capture.as_slice()).expect("a capture"),
        |gpu| gpu.set_threads(1),
        |gpu, surface| picture = (surface.width, surface.read(&gpu.memory).rgba),
    )
    .expect("replays");
    (path.display().to_string(), picture.0, picture.1)
}

#[test]
fn a_pixels_history_ends_with_the_picture() {
    let folder = folder("pixel");
    for name in ["blend-add", "tex-linear", "stencil"] {
        let all = scenes::all().expect("scenes");
        let Some(found) = all.iter().find(|scene| scene.name.starts_with(name)) else {
            panic!("no scene {name}");
        };
        let (path, width, rgba) = scene(&folder, &found.name);
        for (x, y) in [(33u32, 60u32), (128, 128), (200, 77)] {
            let output = isotherm(&["pixel", &path, &x.to_string(), &y.to_string(), "--json"]);
            assert!(output.status.success(), "{output:?}");
            let text = String::from_utf8(output.stdout).expect("text");
            let lines: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            let last = lines.last().expect("lines");
            assert_eq!(last["event"], "end");
            let at = (y * width + x) as usize * 4;
            let [r, g, b, a] = [0, 1, 2, 3].map(|c| u64::from(rgba[at + c]));
            assert_eq!(
                last["word"],
                a << 24 | r << 16 | g << 8 | b,
                "{name} {x},{y}"
            );
            let touches = lines.iter().filter(|line| line["event"] == "touch");
            assert!(touches.count() > 0, "{name}: nothing touched {x},{y}");

            let output = isotherm(&["pixel", &path, &x.to_string(), &y.to_string()]);
            let text = String::from_utf8(output.stdout).expect("text");
            assert!(
                text.contains("rc final") && text.contains("color word"),
                "{text}"
            );
        }
    }
}

#[test]
fn errors_end_in_2_and_name_the_file() {
    let folder = folder("bad");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("written");
        path.display().to_string()
    };
    let (capture, _, _) = scene(&folder, "cull");
    let whole = std::fs::read(&capture).expect("the scene");
    let noise: Vec<u8> = (0..5000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let nothing = folder.join("nothing");
    std::fs::create_dir_all(&nothing).expect("a folder");
    let inputs = [
        "/no/such/file".to_string(),
        nothing.display().to_string(),
        file("empty", b""),
        file("noise", &noise),
        file("cut", &whole[..whole.len() / 3]),
        file("text", b"\xff\xfe hello \x80"),
    ];
    let commands: [&[&str]; 9] = [
        &["replay", "@", "-o", "/dev/null"],
        &["trace", "@"],
        &["pixel", "@", "1", "1"],
        &["lint", "@"],
        &["asm", "@"],
        &["state", "load", "@"],
        &["conform", "@"],
        &["bench", "@", "--seconds", "0.01"],
        &["disasm", "@"],
    ];
    for command in commands {
        for input in &inputs {
            let args: Vec<&str> = command
                .iter()
                .map(|arg| if *arg == "@" { input } else { *arg })
                .collect();
            let output = isotherm(&args);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
            let name = input.rsplit('/').next().expect("a name");
            assert!(
                error.starts_with("isotherm: error: ") && error.contains(name),
                "{args:?}: {error}"
            );
        }
    }
    let wrong: [&[&str]; 7] = [
        &["pixel", &capture, "9999", "0"],
        &["pixel", &capture, "-1", "0"],
        &["explain", "nv99", "RASTER", "1"],
        &["explain", "nv2a", "RASTER", "99999999999"],
        &["bench", &capture, "--seconds", "nan"],
        &["bench", &capture, "--seconds", "-1"],
        &["replay"],
    ];
    for args in wrong {
        let output = isotherm(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    }
}

#[test]
fn draws_count_from_one() {
    let folder = folder("draws");
    let all = scenes::all().expect("scenes");
    let (capture, ..) = scene(&folder, &all[0].name);
    let vertex = |draw: &str| {
        let output = isotherm(&["vsh", "run", &capture, "--draw", draw, "--vertex", "0"]);
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (found, text) = vertex("1");
    assert!(found && text.contains("window position = "), "{text}");
    assert!(!vertex("0").0);
    assert!(!vertex("99").0);
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_to_the_end() {
    let folder = folder("pipe");
    let (capture, _, _) = scene(&folder, "cull");
    let out = folder.join("out.png").display().to_string();
    let commands: [&[&str]; 8] = [
        &["regs"],
        &["trace", &capture],
        &["pixel", &capture, "100", "100"],
        &["replay", &capture, "-o", &out],
        &["explain", "nv2a", "RASTER", "5"],
        &["encode", "nv2a", "RASTER"],
        &["bench", &capture, "--seconds", "0.01"],
        &["--help"],
    ];
    for args in commands {
        // A pipe whose reading end is closed before anything is written.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = program()
            .args(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn();
        let output = child
            .and_then(|child| child.wait_with_output())
            .expect("ends");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
        assert_eq!(error, "", "{args:?}");
    }
}
