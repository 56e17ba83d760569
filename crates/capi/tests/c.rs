//! C and C++ programs against the library: compiled by gcc and g++ with all warnings as errors,
//! run, and run under valgrind where there is one.

#[path = "../../gpu/examples/triangle.rs"]
#[allow(dead_code)]
mod triangle;

use isotherm::Reader;
use isotherm::capture::{Writer, read_all};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const FRAME: usize = 64 * 32 * 4;

/// The static library, built by the same cargo and for the same profile as this test: cargo
/// builds it for programs in Rust only.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let here = std::env::current_exe().unwrap();
        let folder = here.ancestors().nth(2).unwrap();
        let mut build = Command::new(env!("CARGO"));
        // Together with the program, whose dependencies have more features, as those of a
        // workspace's tests do: alone, the library would have all crates built once more.
        build.args(["build", "--quiet", "-p", "isotherm-capi"]);
        build.args(["-p", "isotherm-cli"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        run(build.current_dir(env!("CARGO_MANIFEST_DIR")));
        folder.join("libisotherm.a")
    })
}

fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: no {tool}");
    }
    found
}

fn run(command: &mut Command) -> String {
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{command:?}: {text}{errors}");
    text
}

/// A program made by a compiler; `None` where there is no such compiler.
fn compile(compiler: &str, language: &str, source: &str) -> Option<PathBuf> {
    if !has(compiler) {
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = Path::new(source).file_stem().unwrap().to_string_lossy();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{compiler}"));
    let mut command = Command::new(compiler);
    command
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g", "-x", language])
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join(source))
        .arg(root.join("record/isotherm_record.c"))
        .args(["-x", "none"])
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program);
    run(&mut command);
    Some(program)
}

/// Under valgrind, which knows no AVX-512.
fn valgrind(program: &Path) -> Option<Command> {
    has("valgrind").then(|| {
        let mut command = Command::new("valgrind");
        command
            .env("ISOTHERM_SIMD", "base")
            .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
            .args(["--errors-for-leak-kinds=definite"])
            .arg(program);
        command
    })
}

const LANGUAGES: [(&str, &str); 2] = [("gcc", "c"), ("g++", "c++")];

/// Pictures and capture of the example.
fn emulate(command: &mut Command, name: &str) -> (Vec<u8>, Vec<u8>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (pictures, capture) = (
        folder.join(format!("{name}.rgba")),
        folder.join(format!("{name}.cap")),
    );
    let said = run(command.arg(&pictures).arg(&capture));
    assert_eq!(said, "3 frames, 3 interrupts\n");
    (
        std::fs::read(pictures).unwrap(),
        std::fs::read(capture).unwrap(),
    )
}

#[test]
fn the_example_draws_as_rust_does() {
    for (compiler, language) in LANGUAGES {
        let Some(program) = compile(compiler, language, "examples/emulator.c") else {
            continue;
        };
        let (pictures, capture) = emulate(&mut Command::new(&program), compiler);
        assert_eq!(pictures.len(), 3 * FRAME);
        let rust = triangle::draw().unwrap().rgba;
        assert!(pictures[..FRAME] == rust, "{compiler}: the first frame");
        assert!(pictures[FRAME..2 * FRAME] != rust[..], "frames differ");

        // What was recorded from the second frame on shows the same.
        let replayed = replayed(&capture);
        assert!(replayed == pictures[FRAME..], "{compiler}: the recording");

        if let Some(mut command) = valgrind(&program) {
            let (watched, _) = emulate(&mut command, "valgrind");
            assert!(watched == pictures, "{compiler}: under valgrind");
        }
    }
}

#[test]
fn hostile_use_gives_a_status() {
    for (compiler, language) in LANGUAGES {
        let Some(program) = compile(compiler, language, "tests/hostile.c") else {
            continue;
        };
        run(&mut Command::new(&program));
        if let Some(mut command) = valgrind(&program) {
            run(&mut command);
        }
    }
}

/// Sequences of calls from seeds; `ISOTHERM_FUZZ_SEED` and `ISOTHERM_FUZZ_ROUNDS` ask for
/// others and for more.
#[test]
fn calls_in_any_order_give_a_status() {
    let number = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.into());
    let Some(program) = compile("gcc", "c", "tests/sequences.c") else {
        return;
    };
    let said = run(Command::new(&program)
        .arg(number("ISOTHERM_FUZZ_SEED", "0"))
        .arg(number("ISOTHERM_FUZZ_ROUNDS", "300")));
    println!("{said}");
    assert!(said.ends_with(" 0 failures\n"), "{said}");
}

/// The scenes, each recorded anew from its middle by the kit, from the chip's registers: the
/// same pictures. `cargo xtask rerecord` does it with captures of real programs.
#[test]
fn the_kit_records_from_the_middle() {
    let Some(program) = compile("gcc", "c", "tests/rerecord.c") else {
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (from, to) = (folder.join("whole.cap"), folder.join("half.cap"));
    for scene in isotherm_scenes::all().unwrap() {
        std::fs::write(&from, plain(&scene.capture)).unwrap();
        run(Command::new(&program).args([&from, &to]).arg("nv2a"));
        let half = std::fs::read(&to).unwrap();
        let (whole, half) = (replayed(&scene.capture), replayed(&half));
        assert!(!whole.is_empty() && whole == half, "{}", scene.name);
    }
}

/// A capture without compression.
fn plain(capture: &[u8]) -> Vec<u8> {
    let mut reader = Reader::new(capture).unwrap();
    drop(reader.next_record().unwrap());
    let info = serde_json::json!({ "gpu": "nv2a" });
    let mut writer = Writer::plain(Vec::new(), &info).unwrap();
    for record in read_all(&mut reader).unwrap() {
        record.write(&mut writer).unwrap();
    }
    writer.finish().unwrap()
}

/// The pictures of a capture, one behind the other.
fn replayed(capture: &[u8]) -> Vec<u8> {
    let mut pictures = Vec::new();
    isotherm::replay(
        Reader::new(capture).unwrap(),
        |gpu| gpu.set_threads(1),
        |gpu, surface| pictures.extend(surface.read(&gpu.memory).rgba),
    )
    .unwrap();
    pictures
}
