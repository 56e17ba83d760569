//! Every question about every event of the project's scenes, back and forth.

use isotherm_inspect::{Answer, Session};
use serde_json::Value;

fn json(session: &mut Session, question: &str) -> Value {
    match session.ask(question) {
        Ok(Answer::Json(value)) => value,
        Ok(Answer::Words(head, _)) => panic!("{question}: words {head}"),
        Err(error) => panic!("{question}: {error:#}"),
    }
}

fn words(session: &mut Session, question: &str) -> Vec<u32> {
    match session.ask(question) {
        Ok(Answer::Words(_, words)) => words,
        Ok(Answer::Json(value)) => panic!("{question}: {value}"),
        Err(error) => panic!("{question}: {error:#}"),
    }
}

fn events(session: &mut Session) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let more = json(session, &format!("events?from={}", all.len()));
        assert_eq!(more["error"], Value::Null);
        all.extend(more["events"].as_array().unwrap().iter().cloned());
        if more["done"] == true {
            return all;
        }
    }
}

fn scenes() -> impl Iterator<Item = (String, Vec<u8>)> {
    let all = isotherm_scenes::all().unwrap();
    all.into_iter().map(|scene| (scene.name, scene.capture))
}

fn open(name: &str) -> (Session, Vec<Value>) {
    let (_, capture) = scenes().find(|(n, _)| n == name).unwrap();
    let mut session = Session::open(name, &capture).unwrap();
    let events = events(&mut session);
    (session, events)
}

#[test]
fn every_question_is_answered_for_every_event() {
    for (name, capture) in scenes() {
        let mut session = Session::open(&name, &capture).unwrap();
        let events = events(&mut session);
        assert!(events.iter().any(|e| e["kind"] == "draw"), "{name}");
        assert!(events.iter().any(|e| e["kind"] == "frame"), "{name}");
        for event in 0..events.len() {
            for what in [
                "thumbnail",
                "target",
                "state",
                "programs",
                "textures",
                "mesh",
                "why",
                "routing",
            ] {
                let question = format!("{what}?event={event}");
                if let Err(error) = session.ask(&question) {
                    panic!("{name}: {question}: {error:#}");
                }
            }
        }
    }
}

#[test]
fn going_back_shows_what_was_there() {
    let (mut session, events) = open("torus");
    let question = |event: usize| format!("target?event={event}&what=color");
    let forth: Vec<_> = (0..events.len())
        .map(|event| words(&mut session, &question(event)))
        .collect();
    for event in (0..events.len()).rev() {
        assert_eq!(
            words(&mut session, &question(event)),
            forth[event],
            "{event}"
        );
        if event > 0 {
            let before = words(&mut session, &format!("{}&before=1", question(event)));
            assert_eq!(before, forth[event - 1], "before {event}");
        }
    }
}

#[test]
fn a_pixel_that_was_drawn_has_a_history() {
    let (mut session, events) = open("torus");
    let draw = events.iter().position(|e| e["kind"] == "draw").unwrap();
    let before = words(
        &mut session,
        &format!("target?event={draw}&what=color&before=1"),
    );
    let after = words(&mut session, &format!("target?event={draw}&what=color"));
    let width = events[draw]["size"][0].as_u64().unwrap() as usize;
    let at = (0..after.len()).find(|&i| before[i] != after[i]).unwrap();
    let (x, y) = (at % width, at / width);
    let history = json(
        &mut session,
        &format!("history?event={draw}&what=color&x={x}&y={y}"),
    );
    let touches = history["touches"].as_array().unwrap();
    let wrote = touches.iter().find(|t| t["event"] == draw).unwrap();
    assert_eq!(wrote["touch"]["fragment"]["outcome"], "written");
    assert_eq!(wrote["touch"]["fragment"]["after"]["color"], after[at]);
    // Asking did not move anything.
    assert_eq!(
        words(&mut session, &format!("target?event={draw}&what=color")),
        after
    );
}

#[test]
fn a_draw_that_is_skipped_leaves_what_was_there() {
    let (mut session, events) = open("torus");
    let draw = events.iter().position(|e| e["kind"] == "draw").unwrap();
    let before = words(
        &mut session,
        &format!("target?event={draw}&what=color&before=1"),
    );
    let after = words(&mut session, &format!("target?event={draw}&what=color"));
    let skipped = words(&mut session, &format!("whatif?event={draw}&do=skip"));
    assert_eq!(skipped, before);
    let same = words(&mut session, &format!("whatif?event={draw}&do="));
    assert_eq!(same, after);
    let unlit = words(&mut session, &format!("whatif?event={draw}&do=wireframe"));
    assert_ne!(unlit, after);
    assert!(
        session
            .ask(&format!("whatif?event={draw}&do=nonsense"))
            .is_err()
    );
    // What never was does not stay.
    assert_eq!(
        words(&mut session, &format!("target?event={draw}&what=color")),
        after
    );
}

#[test]
fn a_vertex_goes_where_the_mesh_says() {
    let (mut session, events) = open("torus");
    let draw = events.iter().position(|e| e["kind"] == "draw").unwrap();
    let mesh = json(&mut session, &format!("mesh?event={draw}"));
    let way = json(&mut session, &format!("vertex?event={draw}&vertex=1"));
    let x = way["outputs"]["window position"][0].as_u64().unwrap() as u32;
    let shown = mesh["window"][4].as_f64().unwrap() as f32;
    assert_eq!(f32::from_bits(x), shown);
}

#[test]
fn nonsense_is_an_error() {
    let (mut session, events) = open("torus");
    for question in [
        "",
        "nothing",
        "target",
        "target?event=x",
        "target?event=0&what=frame&frame=99",
        "history?event=0&x=99999&y=0",
        "history?event=0&what=moon&x=0&y=0",
        "texture?event=0&unit=99",
        "vertex?event=1&vertex=999999999",
        "explain?bundle=NOTHING&word=1",
    ] {
        assert!(session.ask(question).is_err(), "{question}");
    }
    assert!(
        session
            .ask(&format!("state?event={}", events.len()))
            .is_err()
    );
    for bytes in [
        &b""[..],
        b"GPUCAP01",
        b"nonsense of some length",
        &[0x28, 0xB5, 0x2F, 0xFD, 9],
    ] {
        assert!(Session::open("x", bytes).is_err());
    }
}

#[test]
fn the_first_draw_can_be_seen_before_the_others_are_listed() {
    let (_, capture) = scenes().find(|(name, _)| name == "torus").unwrap();
    let mut session = Session::open("torus", &capture).unwrap();
    let first = json(&mut session, "events?from=0");
    let listed = first["events"].as_array().unwrap();
    assert_eq!(first["done"], false);
    assert_eq!(listed.iter().filter(|e| e["kind"] == "draw").count(), 1);
    let draw = listed.len() - 1;
    assert_eq!(listed[draw]["kind"], "draw");
    let question = format!("target?event={draw}&what=color");
    let early = words(&mut session, &question);
    let all = events(&mut session);
    assert!(all.len() > listed.len());
    assert_eq!(all[..listed.len()], listed[..]);
    assert_eq!(words(&mut session, &question), early);
}

/// A capture of a thousand draws: the torus' words again and again.
fn thousand_draws() -> Vec<u8> {
    use isotherm::capture::{Reader, Writer, read_all};
    let (_, capture) = scenes().find(|(name, _)| name == "torus").unwrap();
    let mut reader = Reader::new(capture.as_slice()).unwrap();
    let records = read_all(&mut reader).unwrap();
    let info = serde_json::json!({ "gpu": "nv2a", "test": "thousand draws" });
    let mut writer = Writer::new(Vec::new(), &info).unwrap();
    for time in 0..25 {
        for record in &records {
            if time == 0 || record.push_words().is_some() {
                record.write(&mut writer).unwrap();
            }
        }
    }
    writer.finish().unwrap()
}

#[test]
fn a_thousand_draws_are_stepped_through() {
    let mut session = Session::open("thousand", &thousand_draws()).unwrap();
    let events = events(&mut session);
    assert!(events.iter().filter(|e| e["kind"] == "draw").count() >= 1000);
    let question = |event: usize| format!("target?event={event}&what=color");
    // Back, forth and across; the torus of each time is the same.
    let round = events.len() / 25;
    let mut slowest = std::time::Duration::ZERO;
    for step in 0..60 {
        let event = match step % 3 {
            0 => 900 - step,
            1 => 900 - step + 1,
            _ => (step * 97) % events.len(),
        };
        let start = std::time::Instant::now();
        let found = words(&mut session, &question(event));
        slowest = slowest.max(start.elapsed());
        if event > 2 * round && event + round < events.len() {
            assert_eq!(
                found,
                words(&mut session, &question(event + round)),
                "{event}"
            );
        }
    }
    println!("slowest step {slowest:?}");
    assert!(slowest.as_secs() < 2, "{slowest:?}");
}
