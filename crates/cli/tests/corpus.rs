//! Runs over many captures: lines as they come, resumed, in parts, against an earlier run; and
//! captures that hang, die or take too much.

mod common;

use common::{folder, path, run, scene};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SCENES: [&str; 3] = ["cull", "prim-triangles", "prim-quads"];

/// A folder with captures and their own pictures as goldens. The golden of the last one is the
/// picture of the first.
fn corpus(name: &str) -> PathBuf {
    let folder = folder(name);
    let golden = |scene: &str| path(&folder, &format!("{scene}.png"));
    for name in SCENES {
        let capture = scene(&folder, name);
        run(&["replay", &capture, "-o", &golden(name)]).expect(0);
    }
    std::fs::copy(golden(SCENES[0]), golden(SCENES[2])).expect("copied");
    let entry = |name: &&str| json!({ "suite": "scenes", "test": name, "capture": format!("{name}.cap.zst"), "golden": format!("{name}.png") });
    index(&folder, SCENES.iter().map(entry).collect());
    folder
}

fn index(folder: &Path, entries: Vec<Value>) {
    let text = json!({ "entries": entries }).to_string();
    std::fs::write(folder.join("index.json"), text).expect("written");
}

fn lines(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).expect("lines");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn names(lines: &[Value]) -> BTreeSet<&str> {
    lines.iter().filter_map(|l| l["name"].as_str()).collect()
}

#[test]
fn a_line_for_each_case() {
    let folder = corpus("corpus-lines");
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    run(&["conform", &root, "--jsonl", &out]).expect(0);
    let lines = lines(&out);
    assert_eq!(names(&lines), BTreeSet::from(SCENES));
    for line in &lines {
        assert_eq!(line["schema"], "isotherm-conform-1");
        let exact = line["name"] != SCENES[2];
        assert_eq!(line["status"] == "exact", exact, "{line}");
        for key in ["capture_blake3", "picture_blake3"] {
            assert_eq!(line[key].as_str().map(str::len), Some(64), "{line}");
        }
        assert!(line["draws"].as_u64() > Some(0), "{line}");
        assert_eq!(line["first_draw"].is_null(), exact, "{line}");
        assert_eq!(
            line["pixels"],
            line["width"].as_u64().unwrap_or(0) * line["height"].as_u64().unwrap_or(0)
        );
    }
    let codes = [("exact", 1), ("error", 0)];
    for (what, code) in codes {
        run(&["conform", &root, "--fail-on", what]).expect(code);
        run(&["report", &out, "--fail-on", what]).expect(code);
    }
    run(&["conform", &root, "--fail-on", "worse"]).expect(2);
}

#[test]
fn a_chain_tells_the_draw_of_its_own_capture() {
    let folder = corpus("corpus-chain");
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    run(&["conform", &root, "--chain", "--jsonl", &out]).expect(0);
    let lines = lines(&out);
    let wrong = lines.iter().find(|line| line["name"] == SCENES[2]);
    let wrong = wrong.expect("the case");
    let draws = wrong["draws"].as_u64().expect("draws");
    let first = wrong["first_draw"].as_u64();
    assert!(first.is_some_and(|first| first <= draws), "{wrong}");
    let right = lines.iter().filter(|line| line["status"] == "exact");
    assert_eq!(right.count(), 2);
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = corpus("corpus-resume");
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    let again = || run(&["conform", &root, "--jsonl", &out, "--resume", "-j1"]);
    run(&["conform", &root, "--jsonl", &out, "-j1"]).expect(0);
    let whole = std::fs::read(&out).expect("lines");
    let table = again().expect(0);
    assert_eq!(std::fs::read(&out).expect("lines"), whole);
    // Killed in the middle of the last line.
    std::fs::write(&out, &whole[..whole.len() - 40]).expect("cut");
    let after = again();
    assert!(
        after.err.contains("2 cases were done already, 1 now"),
        "{}",
        after.err
    );
    assert_eq!(after.expect(0), table);
    let now = lines(&out);
    assert_eq!((now.len(), names(&now)), (3, BTreeSet::from(SCENES)));
    // Another golden: that case is looked at again, and its last line counts.
    run(&[
        "replay",
        &path(&folder, "prim-quads.cap.zst"),
        "-o",
        &path(&folder, "prim-quads.png"),
    ])
    .expect(0);
    let after = again();
    assert!(
        after.err.contains("2 cases were done already, 1 now"),
        "{}",
        after.err
    );
    assert_eq!(lines(&out).len(), 4);
    run(&["report", &out, "--fail-on", "exact"]).expect(0);
}

#[test]
fn parts_are_the_whole() {
    let folder = corpus("corpus-parts");
    let root = folder.display().to_string();
    let part = |i: usize| path(&folder, &format!("part{i}.jsonl"));
    for i in 1..=2 {
        run(&[
            "conform",
            &root,
            "--jsonl",
            &part(i),
            "--shard",
            &format!("{i}/2"),
        ])
        .expect(0);
    }
    let mut all = lines(&part(1));
    all.extend(lines(&part(2)));
    assert_eq!((all.len(), names(&all)), (3, BTreeSet::from(SCENES)));
    let whole = run(&["conform", &root]).expect(0);
    assert_eq!(run(&["report", &part(1), &part(2)]).expect(0), whole);
    run(&["conform", &root, "--shard", "3/2"]).expect(2);
}

#[test]
fn the_baseline_tells_better_from_worse() {
    let folder = corpus("corpus-baseline");
    let (root, old) = (folder.display().to_string(), path(&folder, "old.jsonl"));
    run(&["conform", &root, "--jsonl", &old]).expect(0);
    let args = ["conform", &root, "--baseline", &old, "--fail-on", "worse"];
    assert!(run(&args).expect(0).contains("0 better, 0 worse"));
    let swap = [
        ("prim-quads.png", "keep.png"),
        ("cull.png", "prim-quads.png"),
        ("keep.png", "cull.png"),
    ];
    // cull gets prim-quads' golden, which is its own picture: nothing changes. Then the golden of
    // prim-triangles goes to cull.
    for (from, to) in swap {
        std::fs::copy(folder.join(from), folder.join(to)).expect("copied");
    }
    run(&args).expect(0);
    std::fs::copy(folder.join("prim-triangles.png"), folder.join("cull.png")).expect("copied");
    let text = run(&args).expect(1);
    assert!(
        text.contains("worse: scenes/cull: ") && text.contains("1 worse"),
        "{text}"
    );
    run(&[
        "replay",
        &path(&folder, "prim-quads.cap.zst"),
        "-o",
        &path(&folder, "prim-quads.png"),
    ])
    .expect(0);
    assert!(run(&args).expect(1).contains("1 better, 1 worse"));
}

#[test]
fn folders_without_an_index_are_hashed() {
    let folder = folder("corpus-plain");
    let root = folder.display().to_string();
    std::fs::create_dir_all(folder.join("a/b")).expect("a folder");
    for inside in ["a", "a/b"] {
        scene(&folder.join(inside), "cull");
    }
    let (old, out) = (path(&folder, "old.jsonl"), path(&folder, "pictures"));
    run(&["conform", &root, "--jsonl", &old]).expect(0);
    let found = lines(&old);
    let suites: BTreeSet<_> = found.iter().filter_map(|l| l["suite"].as_str()).collect();
    assert_eq!(suites, BTreeSet::from(["a", "a/b"]));
    assert!(found.iter().all(|line| line["status"] == "drawn"));
    assert_eq!(found[0]["picture_blake3"], found[1]["picture_blake3"]);
    // The other commands take folders, too.
    run(&["replay", &root, "-o", &out]).expect(0);
    assert!(Path::new(&out).join("a/b/cull.png").exists());
    run(&["dump", &root, "-o", &out, "--what", "state"]).expect(0);
    assert!(Path::new(&out).join("a/cull/index.json").exists());
    // Another picture than before is as bad as a worse one: nobody knows which is right.
    std::fs::remove_dir_all(&out).expect("removed");
    let quads = scene(&folder, "prim-quads");
    std::fs::rename(quads, folder.join("a/cull.cap.zst")).expect("renamed");
    let args = ["conform", &root, "--baseline", &old, "--fail-on", "worse"];
    assert!(run(&args).expect(1).contains("1 with another picture"));
}

#[test]
fn the_page_opens_without_a_server() {
    let folder = corpus("corpus-page");
    let (root, page) = (folder.display().to_string(), folder.join("page"));
    let theirs = folder.join("theirs/scenes");
    std::fs::create_dir_all(&theirs).expect("a folder");
    std::fs::copy(folder.join("cull.png"), theirs.join("prim-quads.png")).expect("copied");
    run(&[
        "conform",
        &root,
        "--html",
        &page.display().to_string(),
        "--theirs",
        &path(&folder, "theirs"),
    ])
    .expect(0);
    let text = |name: &str| std::fs::read_to_string(page.join(name)).expect("a file");
    assert!(text("index.html").contains("cases.js"));
    let cases = text("cases.js");
    assert_eq!(cases.matches("add(").count(), 3);
    assert!(
        cases.contains(r#""pictures":["golden","ours","theirs","diff"]"#),
        "{cases}"
    );
    for kind in ["golden", "ours", "theirs", "diff"] {
        let file = format!("pictures/scenes/prim-quads.{kind}.png");
        assert!(page.join(&file).exists(), "{file}");
    }
}

/// A corpus in whose middle is a capture that nobody ever finishes to read: a pipe.
#[cfg(target_os = "linux")]
fn with_a_pipe(name: &str) -> PathBuf {
    let folder = corpus(name);
    let pipe = folder.join("pipe.cap.zst");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let entry = |name: &str| json!({ "suite": "scenes", "test": name, "capture": format!("{name}.cap.zst") });
    index(&folder, ["cull", "pipe", "prim-quads"].map(entry).to_vec());
    folder
}

#[cfg(target_os = "linux")]
fn failure_of_the_pipe(folder: &Path, args: &[&str]) -> String {
    let (root, out) = (folder.display().to_string(), path(folder, "out.jsonl"));
    let mut all = vec!["conform", &root, "--jsonl", &out, "-j1"];
    all.extend(args);
    let err = run(&all);
    assert!(err.err.contains("error: scenes/pipe: "), "{}", err.err);
    err.expect(1);
    let found = lines(&out);
    assert_eq!(found.len(), 3);
    let errors: Vec<&Value> = found.iter().filter(|l| l["status"] == "error").collect();
    assert_eq!(
        (errors.len(), errors[0]["name"].as_str()),
        (1, Some("pipe"))
    );
    errors[0]["failure"].as_str().unwrap_or("").to_string()
}

#[cfg(target_os = "linux")]
#[test]
fn a_capture_that_hangs_is_one_failed_case() {
    let folder = with_a_pipe("corpus-hang");
    let failure = failure_of_the_pipe(&folder, &["--timeout", "0.5"]);
    assert_eq!(failure, "timeout");
}

#[cfg(target_os = "linux")]
#[test]
fn a_capture_that_takes_too_much_memory_is_one_failed_case() {
    let folder = with_a_pipe("corpus-memory");
    let start = Instant::now();
    // The process that waits has drawn a picture before: it has more than a MiB.
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    run(&["conform", &root, "--jsonl", &out, "-j1", "--memory", "1"]).expect(1);
    let found = lines(&out);
    let pipe = found.iter().find(|line| line["name"] == "pipe");
    assert_eq!(pipe.map(|line| &line["failure"]), Some(&json!("memory")));
    assert_eq!(found.len(), 3);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// The processes whose parent is `parent`.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<String> {
    let file = format!("/proc/{parent}/task");
    let tasks = std::fs::read_dir(file).into_iter().flatten().flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|text| {
            text.split_whitespace()
                .map(String::from)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_dies_is_one_failed_case() {
    let folder = with_a_pipe("corpus-died");
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    let mut conform = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(["conform", &root, "--jsonl", &out, "-j1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // It hangs at the pipe behind the first line.
    let deadline = Instant::now() + Duration::from_secs(60);
    while lines_so_far(&out) == 0 || children(conform.id()).is_empty() {
        assert!(Instant::now() < deadline, "nothing happens");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    for child in children(conform.id()) {
        let killed = Command::new("kill").args(["-9", &child]).status();
        assert!(killed.expect("kill").success());
    }
    assert_eq!(conform.wait().expect("it ends").code(), Some(1));
    let found = lines(&out);
    assert_eq!(found.len(), 3);
    assert_eq!(found[1]["failure"], "died");
    assert!(
        found[1]["error"].to_string().contains("signal"),
        "{}",
        found[1]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_whole_lines_and_no_processes() {
    let folder = with_a_pipe("corpus-killed");
    let (root, out) = (folder.display().to_string(), path(&folder, "out.jsonl"));
    let mut conform = Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args(["conform", &root, "--jsonl", &out, "-j1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while lines_so_far(&out) == 0 {
        assert!(Instant::now() < deadline, "nothing happens");
        std::thread::sleep(Duration::from_millis(20));
    }
    let processes = children(conform.id());
    conform.kill().expect("killed");
    conform.wait().expect("it ends");
    assert_eq!(lines(&out).len(), 1);
    for process in processes {
        while Path::new("/proc").join(&process).exists() {
            assert!(Instant::now() < deadline, "process {process} stays");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[cfg(target_os = "linux")]
fn lines_so_far(file: &str) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.matches('\n').count()
}
