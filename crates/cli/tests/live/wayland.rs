//! Windows on Weston, which draws without a GPU or a screen.

use super::{Live, send, succeeded};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The output's size.
const OUTPUT: (u32, u32) = (160, 120);

/// A compositor, until it is dropped.
struct Weston {
    process: Child,
    folder: PathBuf,
}

impl Weston {
    /// Starts one in the test's folder; none if a program is missing.
    fn new(live: &Live) -> Option<Weston> {
        let there = |program: &&str| Command::new(program).arg("--help").output().is_ok();
        let programs = ["weston", "weston-simple-egl", "weston-screenshooter"];
        if !programs.iter().all(there) {
            println!("skipped: no Weston (Debian: weston)");
            return None;
        }
        let folder = live.path("run");
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
        let settings = folder.join("weston.ini");
        let still = "[shell]\nstartup-animation=none\nanimation=none\npanel-position=none\n";
        std::fs::write(&settings, still).unwrap();
        let socket = folder.join("wayland-test");
        // Versions 10 and 12 on name the same things differently.
        let old = ["--backend=headless-backend.so", "--use-pixman"];
        let new = ["--backend=headless", "--renderer=pixman"];
        for options in [old, new] {
            let mut process = Command::new("weston")
                .args(options)
                .args(["--debug", "--socket=wayland-test", "--idle-time=0"])
                .arg(format!("--width={}", OUTPUT.0))
                .arg(format!("--height={}", OUTPUT.1))
                .arg(format!("--config={}", settings.display()))
                .env("XDG_RUNTIME_DIR", &folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            until(|| socket.exists() || process.try_wait().unwrap().is_some());
            if process.try_wait().unwrap().is_none() && socket.exists() {
                return Some(Weston { process, folder });
            }
            let _ = process.kill();
            let _ = process.wait();
        }
        panic!("Weston does not start");
    }

    /// Has a program find the compositor, and nothing else.
    fn invite<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("XDG_RUNTIME_DIR", &self.folder)
            .env("WAYLAND_DISPLAY", "wayland-test")
            .env_remove("DISPLAY")
            // NV3x have no ES 2 otherwise.
            .env("MESA_GLES_VERSION_OVERRIDE", "2.0")
    }

    /// What the output shows.
    fn screenshot(&self) -> Picture {
        let mut command = Command::new("weston-screenshooter");
        let taken = self.invite(&mut command).current_dir(&self.folder).output();
        succeeded(&taken.unwrap());
        let files = std::fs::read_dir(&self.folder).unwrap();
        let mut files = files.map(|entry| entry.unwrap().path());
        let file = files.find(|path| path.extension().is_some_and(|suffix| suffix == "png"));
        let file = file.expect("a screenshot");
        let picture = Picture::from_png(&file);
        std::fs::remove_file(file).unwrap();
        picture
    }
}

impl Drop for Weston {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits for something that takes a moment.
fn until(mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while !done() {
        if began.elapsed().as_secs() > 30 {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Red, green and blue, top row first.
#[derive(PartialEq)]
struct Picture {
    size: (u32, u32),
    rgb: Vec<u8>,
}

impl Picture {
    fn from_png(path: &Path) -> Picture {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let samples = info.color_type.samples();
        let pixels = bytes[..info.buffer_size()].chunks_exact(samples);
        Picture {
            size: (info.width, info.height),
            rgb: pixels.flat_map(|pixel| pixel[..3].to_vec()).collect(),
        }
    }

    fn from_ppm(path: &Path) -> Picture {
        let bytes = std::fs::read(path).unwrap();
        let mut lines = bytes.splitn(4, |byte| *byte == b'\n').skip(1);
        let size = String::from_utf8_lossy(lines.next().unwrap()).into_owned();
        let (width, height) = size.split_once(' ').unwrap();
        Picture {
            size: (width.parse().unwrap(), height.parse().unwrap()),
            rgb: lines.nth(1).unwrap().to_vec(),
        }
    }

    fn colours(&self) -> usize {
        let (pixels, _) = self.rgb.as_chunks::<3>();
        pixels
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len()
    }
}

/// All pictures of a recording: those that were shown, and the last.
fn replayed(live: &Live, capture: &str) -> Vec<Picture> {
    let replay = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(["replay", capture, "-o", &format!("{capture}.png")])
        .current_dir(&live.folder)
        .output();
    succeeded(&replay.unwrap());
    let numbered = (0..).map(|number| live.path(&format!("{capture}.{number}.png")));
    let last = live.path(&format!("{capture}.png"));
    numbered
        .take_while(|path| path.exists())
        .chain([last])
        .map(|path| Picture::from_png(&path))
        .collect()
}

/// The screen shows a frame of the recording, in every pixel.
#[test]
fn a_compositor_shows_what_was_recorded() {
    let Some(live) = Live::new("screen") else {
        return;
    };
    let Some(weston) = Weston::new(&live) else {
        return;
    };
    for gpu in ["nv34", "nv43"] {
        let capture = format!("{gpu}.cap.zst");
        let screen = shown(&live, &weston, gpu, &capture);
        assert_eq!(screen.size, OUTPUT, "{gpu}");
        assert!(screen.colours() > 100, "{gpu}: {}", screen.colours());
        let frames = replayed(&live, &capture);
        let count = frames.len();
        assert!(frames.contains(&screen), "{gpu}: no frame of {count}");
    }
}

/// What the screen shows of a program that fills it, and is recorded.
fn shown(live: &Live, weston: &Weston, gpu: &str, capture: &str) -> Picture {
    let script = format!("echo $$ > part; mv part {gpu}; exec weston-simple-egl -f");
    let program = [Path::new("/bin/sh"), Path::new("-c"), Path::new(&script)];
    let mut command = live.command(gpu, &["--record", capture], &program);
    let command = weston.invite(&mut command);
    let mut run = command.stdout(Stdio::null()).spawn().unwrap();
    let process = live.path(gpu);
    assert!(until(|| process.exists()), "{gpu}");
    let process = std::fs::read_to_string(process).unwrap();
    let process = process.trim();
    let mut screen = None;
    until(|| {
        std::thread::sleep(Duration::from_millis(700));
        // Between two frames nothing moves, and what was sent comes to the screen.
        send("-STOP", process);
        std::thread::sleep(Duration::from_millis(300));
        screen = Some(weston.screenshot());
        send("-CONT", process);
        screen.as_ref().is_some_and(|screen| screen.colours() > 100)
    });
    send("-INT", process);
    run.wait().unwrap();
    screen.unwrap()
}

/// Every frame of a window that changes its size is recorded as it was drawn.
#[test]
fn wayland_windows_change_their_size() {
    let Some(live) = Live::new("sizes") else {
        return;
    };
    let libraries = ["-lwayland-client", "-lwayland-egl"];
    let Some(window) = live.build_with("window", &libraries) else {
        return;
    };
    let Some(weston) = Weston::new(&live) else {
        return;
    };
    for gpu in ["nv34", "nv43"] {
        let capture = format!("{gpu}.cap.zst");
        let options = ["--stats", "--record", &capture];
        let mut command = live.command(gpu, &options, &[&window, Path::new(".")]);
        let output = weston.invite(&mut command).output().unwrap();
        let said = succeeded(&output);
        assert!(said.ends_with("ok\n"), "{gpu}: {said}");
        let noted = String::from_utf8_lossy(&output.stderr);
        assert!(noted.contains("; 7 frames"), "{gpu}: {noted}");
        let frames = replayed(&live, &capture);
        assert!(frames.len() >= 7, "{gpu}: {} frames", frames.len());
        for (number, frame) in frames.iter().take(7).enumerate() {
            let drawn = Picture::from_ppm(&live.path(&format!("{number}.ppm")));
            assert_eq!(frame.size, drawn.size, "{gpu}: frame {number}");
            assert!(*frame == drawn, "{gpu}: frame {number} differs");
        }
    }
    // The program ends when it has shown as many frames as are wanted.
    let mut command = live.command(
        "nv43",
        &["--stats", "--frames", "3"],
        &[&window, Path::new(".")],
    );
    let output = weston.invite(&mut command).output().unwrap();
    let noted = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && noted.contains("; 3 frames"),
        "{noted}"
    );
}
