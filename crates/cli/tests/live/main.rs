//! Stock Mesa drivers on the model: `isotherm run` with small programs that are built here.
//!
//! Skipped, and said so, where there is no Mesa, no C compiler or no preloaded library
//! (`cargo build --release -p isotherm-drm`); `.ci/live` installs and builds what they need.

mod wayland;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Chips that nouveau knows.
const NOUVEAU: [&str; 13] = [
    "nv30", "nv31", "nv34", "nv35", "nv36", "nv40", "nv41", "nv43", "nv44", "nv46", "nv4a", "nv4b",
    "nv4e",
];
/// The side of the triangle program's picture.
const SIZE: usize = 128;

/// What the tests need.
struct Live {
    library: PathBuf,
    folder: PathBuf,
}

impl Live {
    /// Everything that is needed, in a folder of the test's own; or says why not.
    fn new(test: &str) -> Option<Live> {
        let skip = |why: &str| {
            println!("skipped: {why}");
            None
        };
        if !Path::new("/usr/lib/x86_64-linux-gnu/dri/nouveau_dri.so").exists() {
            return skip("no nouveau_dri.so (Debian: libgl1-mesa-dri)");
        }
        let program = Path::new(env!("CARGO_BIN_EXE_isotherm"));
        let folders = program.ancestors().skip(1).take(2);
        let mut libraries = folders.flat_map(|folder| {
            ["libisotherm_drm.so", "release/libisotherm_drm.so"].map(|name| folder.join(name))
        });
        let Some(library) = libraries.find(|path| path.is_file()) else {
            return skip("no libisotherm_drm.so: cargo build --release -p isotherm-drm");
        };
        let folder = std::env::temp_dir().join(format!("isotherm-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Some(Live { library, folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Builds a program of `crates/drm/tests`.
    fn build(&self, name: &str) -> Option<PathBuf> {
        self.build_with(name, &[])
    }

    /// Builds a program that needs more than OpenGL.
    fn build_with(&self, name: &str, libraries: &[&str]) -> Option<PathBuf> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../drm/tests/{name}.c"));
        let program = self.path(name);
        let built = Command::new("cc")
            .args(["-O1", "-Wall", "-Werror", "-o"])
            .args([&program, &source])
            .args(["-lEGL", "-lGL", "-lgbm"])
            .args(libraries)
            .output();
        match built {
            Ok(output) if output.status.success() => Some(program),
            other => {
                println!("skipped: {name}.c cannot be built: {other:?}");
                None
            }
        }
    }

    /// A program on a chip.
    fn command(&self, gpu: &str, options: &[&str], program: &[&Path]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isotherm"));
        command
            .args(["run", "--gpu", gpu, "--library"])
            .arg(&self.library)
            .args(options)
            .arg("--")
            .args(program)
            .current_dir(&self.folder);
        command
    }

    /// Runs a program on a chip.
    fn run(&self, gpu: &str, options: &[&str], program: &[&Path]) -> Output {
        let output = self.command(gpu, options, program).output();
        output.expect("isotherm starts")
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // A temporary folder that stays behind harms nobody.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {err}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The picture's bytes, red, green and blue, behind the three lines of the file's head.
fn pixels(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a picture");
    assert_eq!(bytes.len(), 15 + SIZE * SIZE * 3);
    bytes[15..].to_vec()
}

/// A capture's last picture as the program saw it: rows from the bottom, without alpha.
fn replayed(live: &Live, capture: &Path) -> Vec<u8> {
    let picture = live.path("replayed.png");
    let output = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .arg("replay")
        .args([capture, Path::new("-o"), &picture])
        .output()
        .unwrap();
    succeeded(&output);
    from_the_bottom(&picture)
}

/// A PNG's rows from the bottom, without alpha.
fn from_the_bottom(picture: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(picture).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; SIZE * SIZE * 4];
    reader.next_frame(&mut rgba).unwrap();
    let rows = rgba.chunks_exact(SIZE * 4).rev();
    rows.flat_map(|row| row.chunks_exact(4).flat_map(|p| p[..3].to_vec()))
        .collect()
}

#[test]
fn a_triangle_on_every_chip_and_again_from_its_recording() {
    let Some(live) = Live::new("triangle") else {
        return;
    };
    let Some(triangle) = live.build("triangle") else {
        return;
    };
    for gpu in NOUVEAU {
        let (picture, capture) = (
            live.path("picture.ppm"),
            live.path(&format!("{gpu}.cap.zst")),
        );
        let record = ["--record", capture.to_str().unwrap()];
        let said = succeeded(&live.run(gpu, &record, &[&triangle, &picture]));
        assert_eq!(said.trim(), gpu.to_ascii_uppercase());
        let drawn = pixels(&picture);
        let at = |x: usize, y: usize| &drawn[3 * (y * SIZE + x)..][..3];
        assert_eq!(at(2, 2), [64, 128, 191], "{gpu}: the background");
        let [r, g, b] = at(SIZE / 2, SIZE / 2) else {
            unreachable!()
        };
        assert!(
            *b > *r && *b > *g && *r > 40 && *g > 40,
            "{gpu}: {r} {g} {b}"
        );
        assert!(
            at(16, 112)[0] > 220 && at(111, 112)[1] > 220,
            "{gpu}: corners"
        );
        assert!(
            replayed(&live, &capture) == drawn,
            "{gpu}: the recording differs"
        );
    }
}

#[test]
fn children_and_contexts_have_their_own() {
    let Some(live) = Live::new("family") else {
        return;
    };
    let (Some(family), Some(triangle)) = (live.build("family"), live.build("triangle")) else {
        return;
    };
    for gpu in ["nv34", "nv43"] {
        let picture = live.path("picture.ppm");
        let said = succeeded(&live.run(gpu, &[], &[&family, &triangle, &picture]));
        assert!(said.ends_with("ok\n"), "{gpu}: {said}");
        assert_eq!(pixels(&picture).len(), SIZE * SIZE * 3);
    }
}

#[test]
fn processes_side_by_side_record_to_files_of_their_own() {
    let Some(live) = Live::new("processes") else {
        return;
    };
    let Some(triangle) = live.build("triangle") else {
        return;
    };
    let script = format!("{0} a.ppm & {0} b.ppm & wait", triangle.display());
    let program = [Path::new("/bin/sh"), Path::new("-c"), Path::new(&script)];
    succeeded(&live.run("nv34", &["--record", "out.cap.zst"], &program));
    assert!(pixels(&live.path("a.ppm")) == pixels(&live.path("b.ppm")));
    let captures = std::fs::read_dir(&live.folder).unwrap();
    let captures: Vec<PathBuf> = captures
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".cap.zst"))
        .collect();
    assert_eq!(captures.len(), 2, "{captures:?}");
    for capture in captures {
        assert!(replayed(&live, &capture) == pixels(&live.path("a.ppm")));
    }
}

/// The next line with this in it.
#[track_caller]
fn line_with(lines: &mut impl Iterator<Item = std::io::Result<String>>, part: &str) -> String {
    lines
        .map(|line| line.expect("text"))
        .find(|line| line.contains(part))
        .unwrap_or_else(|| panic!("no line with {part:?}"))
}

fn send(signal: &str, process: &str) {
    let sent = Command::new("kill").args([signal, process]).status();
    assert!(sent.unwrap().success(), "kill {signal} {process}");
}

#[test]
fn signals_write_pictures_and_close_recordings() {
    let Some(live) = Live::new("signals") else {
        return;
    };
    let Some(triangle) = live.build("triangle") else {
        return;
    };
    let (picture, capture) = (live.path("picture.ppm"), live.path("out.cap.zst"));
    let record = ["--record", capture.to_str().unwrap()];
    let program = [triangle.as_path(), &picture, Path::new("wait")];
    let mut run = live
        .command("nv43", &record, &program)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(run.stdout.take().unwrap()).lines();
    let mut noted = BufReader::new(run.stderr.take().unwrap()).lines();
    let waits = line_with(&mut said, " waits");
    let process = waits.split(' ').next().unwrap();

    send("-USR2", process);
    let wrote = line_with(&mut noted, "isotherm: wrote ");
    let name = wrote.rsplit(' ').next().unwrap();
    assert!(
        name.starts_with(&format!("isotherm-{process}-")) && name.ends_with(".png"),
        "{wrote}"
    );
    let drawn = pixels(&picture);
    assert!(from_the_bottom(&live.path(name)) == drawn, "{name} differs");

    // Ctrl-C reaches both; `isotherm run` stays until the program has ended.
    let own = run.id().to_string();
    send("-INT", &own);
    send("-INT", process);
    let ended = run.wait().unwrap();
    assert_eq!(ended.code(), Some(128 + 2), "{ended:?}");
    assert!(
        replayed(&live, &capture) == drawn,
        "the recording is not whole"
    );
    let files = std::env::temp_dir().join(format!("isotherm-{own}"));
    assert!(!files.exists(), "{} was left", files.display());
}

#[test]
fn the_inspector_opens_on_the_recording() {
    let Some(live) = Live::new("inspect") else {
        return;
    };
    let Some(triangle) = live.build("triangle") else {
        return;
    };
    let browser = live.path("xdg-open");
    std::fs::write(
        &browser,
        "#!/bin/sh\necho \"$1\" > address.part\nmv address.part address\n",
    )
    .unwrap();
    let mut mode = std::fs::metadata(&browser).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&browser, mode).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut run = live
        .command("nv34", &["--inspect"], &[&triangle, Path::new("out.ppm")])
        .env("PATH", format!("{}:{path}", live.folder.display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(run.stdout.take().unwrap()).lines();
    let address = line_with(&mut said, "http://");
    let (host, path) = address["http://".len()..].split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "GET /{path}api/info HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    // The browser is a process of its own.
    let began = std::time::Instant::now();
    while !live.path("address").exists() && began.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let _ = run.kill();
    let _ = run.wait();
    assert!(
        answer.contains("200") && answer.contains("recording.cap.zst") && answer.contains("nv34"),
        "{answer}"
    );
    let browsed = std::fs::read_to_string(live.path("address")).unwrap();
    assert_eq!(browsed.trim(), address);
}

#[test]
fn nothing_to_inspect_is_an_error() {
    let Some(live) = Live::new("no-inspect") else {
        return;
    };
    let output = live.run("nv34", &["--inspect"], &[Path::new("/bin/true")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was recorded"));
}

#[test]
fn programs_that_never_draw_are_told_of() {
    let Some(live) = Live::new("never") else {
        return;
    };
    let output = live.run("nv34", &[], &[Path::new("/bin/true")]);
    succeeded(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("never opened the device"));
}

#[test]
fn a_window_shows_frames_and_records_them() {
    let Some(live) = Live::new("window") else {
        return;
    };
    let there = |program: &str| Command::new(program).arg("-version").output().is_ok();
    if !there("Xvfb") || !there("glxgears") {
        println!("skipped: no Xvfb or glxgears (Debian: xvfb mesa-utils)");
        return;
    }
    // The server picks a free number and writes it when it is ready.
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "640x480x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    let out = server.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut number).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args([
            "run",
            "--gpu",
            "nv43",
            "--frames",
            "3",
            "--stats",
            "--record",
            "gears.cap.zst",
        ])
        .arg("--library")
        .args([
            live.library.as_path(),
            Path::new("--"),
            Path::new("glxgears"),
        ])
        .current_dir(&live.folder)
        .env("DISPLAY", format!(":{}", number.trim()))
        .output()
        .unwrap();
    let _ = server.kill();
    let _ = server.wait();
    succeeded(&output);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        err.contains("nouveau_dri.so") && err.contains("3 frames"),
        "{err}"
    );
    let replay = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(["replay", "gears.cap.zst", "-o", "gears.png"])
        .current_dir(&live.folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&replay.stdout).into_owned()
        + &String::from_utf8_lossy(&replay.stderr);
    assert!(said.contains("300x300"), "{said}");
    let file = std::io::BufReader::new(std::fs::File::open(live.path("gears.1.png")).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut rgba = vec![0; 300 * 300 * 4];
    reader.next_frame(&mut rgba).unwrap();
    let count = |channel: usize| {
        let (pixels, _) = rgba.as_chunks::<4>();
        let others = |p: &[u8; 4]| {
            (0..3)
                .filter(|c| *c != channel)
                .all(|c| p[c] < p[channel] / 2)
        };
        pixels
            .iter()
            .filter(|p| p[channel] > 100 && others(p))
            .count()
    };
    // A red gear, a green one, a blue one.
    assert!(
        (0..3).all(|channel| count(channel) > 500),
        "{} {} {}",
        count(0),
        count(1),
        count(2)
    );
}
