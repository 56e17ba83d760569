//! Running the program, and captures to run it on.

use isotherm_scenes as scenes;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program gave.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// The same, after an exit code that was expected.
    #[track_caller]
    pub fn expect(&self, code: i32) -> String {
        assert_eq!(self.code, code, "{} {}", self.text(), self.err);
        self.text()
    }
}

/// Runs the program with bytes on standard input.
pub fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let bytes = input.to_vec();
    // The program may write before it has read everything, or end before.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&bytes);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Run {
        code: output.status.code().unwrap_or(-1),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program.
pub fn run(args: &[&str]) -> Run {
    run_with(args, b"")
}

/// An empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// A file in a folder, as text.
pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// One of the project's scenes as a capture in a folder.
pub fn scene(folder: &Path, name: &str) -> String {
    let all = scenes::all().expect("scenes");
    let scene = all.iter().find(|scene| scene.name.starts_with(name));
    let path = path(folder, &format!("{name}.cap.zst"));
    std::fs::write(&path, &scene.expect("the scene").capture).expect("written");
    path
}
