//! Files that lie, through everything that the page asks: there is an answer or an error, and
//! never a panic.

use isotherm::budget::{Limits, set_usual};
use isotherm::capture::unpacked;
use isotherm_inspect::{Answer, Session};
use isotherm_lanes::Random;
use std::io::Read;
use std::path::PathBuf;

/// Events that are listed of a file; later ones are like them.
const MOST_EVENTS: usize = 300;

/// Asks everything about some events of a file; gives how many questions were answered.
fn ask_all(name: &str, bytes: &[u8]) -> usize {
    // A part of what a capture may usually cost: the files are made to cost all of it.
    let usual = Limits::default();
    set_usual(Limits {
        steps: usual.steps / 40,
        copied: usual.copied / 40,
        texels: usual.texels / 40,
        ..usual
    });
    let Ok(mut session) = Session::open(name, bytes) else {
        return 0;
    };
    let mut events = 0;
    while let Ok(Answer::Json(more)) = session.ask(&format!("events?from={events}")) {
        events += more["events"].as_array().map_or(0, Vec::len);
        if more["done"] == true || events > MOST_EVENTS {
            break;
        }
    }
    let last = events.saturating_sub(1);
    let mut answered = 0;
    for event in [0, last / 2, last] {
        for question in [
            "thumbnail?",
            "target?what=color&",
            "target?what=zeta&before=1&",
            "target?what=frame&",
            "state?",
            "programs?",
            "textures?",
            "texture?unit=0&level=0&",
            "mesh?",
            "vertex?vertex=0&",
            "why?",
            "routing?",
            "history?what=color&x=5&y=5&",
            "whatif?do=depth,wireframe&",
        ] {
            let answer = session.ask(&format!("{question}event={event}"));
            answered += usize::from(answer.is_ok_and(|a| !a.into_bytes().is_empty()));
        }
    }
    answered
}

/// The project's own scenes, unpacked.
fn scenes() -> Vec<(String, Vec<u8>)> {
    let wanted = ["torus", "tex-linear", "stencil", "prim-quads"];
    let all = isotherm_scenes::all().unwrap().into_iter();
    all.filter(|scene| wanted.contains(&scene.name.as_str()))
        .map(|scene| {
            let mut plain = Vec::new();
            let mut file = unpacked(&scene.capture).unwrap();
            file.read_to_end(&mut plain).unwrap();
            (scene.name, plain)
        })
        .collect()
}

#[test]
fn cut_files_and_flipped_bytes() {
    let mut random = Random::new(7);
    for (name, file) in scenes() {
        assert!(ask_all(&name, &file) > 20, "{name}");
        for _ in 0..4 {
            ask_all(&name, &file[..random.below(file.len() as u32) as usize]);
            let mut flipped = file.clone();
            for _ in 0..=random.below(24) {
                let at = 8 + random.below(file.len() as u32 - 8) as usize;
                flipped[at] = random.next_u32() as u8;
            }
            ask_all(&name, &flipped);
        }
    }
}

#[test]
fn hostile_files_of_the_shared_data() {
    let shared =
        std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../../../shared".into(), PathBuf::from);
    let Ok(list) = std::fs::read_dir(shared.join("hostile")) else {
        eprintln!("skipped: no hostile files below {}", shared.display());
        return;
    };
    let mut files: Vec<PathBuf> = list.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "zst"));
    files.sort();
    assert!(files.len() > 10);
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&path).unwrap();
        let answered = ask_all(&name, &bytes);
        eprintln!("{name}: {answered} answers");
    }
}
