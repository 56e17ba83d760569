//! How long the inspector takes from one draw of a capture to another.
//!
//!     cargo run --release -p isotherm-inspect --example step [CAPTURE [REPEATED]]
//!
//! The words of a capture of an NVIDIA chip, the scene `torus` unless one is named, are repeated
//! until there are a thousand draws. They are listed once, as the page does; then the picture
//! and the state of draws are asked for: one after the other, backwards, and here and there. The
//! second file is where the repeated capture is written, for `isotherm inspect`.

use anyhow::Context;
use isotherm::capture::{Owned, Payload, Reader, Writer, read_all};
use isotherm_inspect::{Answer, Session};
use std::time::{Duration, Instant};

const DRAWS: usize = 1000;
const STEPS: usize = 200;

fn main() -> anyhow::Result<()> {
    let capture = match std::env::args().nth(1) {
        Some(path) => std::fs::read(&path).with_context(|| path)?,
        None => torus()?,
    };
    let (repeated, times) = repeated(&capture)?;
    if let Some(path) = std::env::args().nth(2) {
        std::fs::write(&path, &repeated).with_context(|| path)?;
    }
    let start = Instant::now();
    let mut session = Session::open("repeated", &repeated)?;
    let events = list(&mut session)?;
    println!(
        "{} events, {times} times the capture, listed in {:.2} s",
        events.len(),
        start.elapsed().as_secs_f64()
    );
    let draws: Vec<usize> = (0..events.len()).filter(|e| events[*e]).collect();
    let last = draws.len() - 1;
    let forward = (0..STEPS).map(|step| draws[(last / 2 + step).min(last)]);
    let backward = (0..STEPS).map(|step| draws[last - step.min(last)]);
    // A stride without a common factor with their number meets them in no order.
    let across = (0..STEPS).map(|step| draws[(step * 619) % draws.len()]);
    timed(&mut session, "forward", forward)?;
    timed(&mut session, "backward", backward)?;
    timed(&mut session, "across", across)
}

fn torus() -> anyhow::Result<Vec<u8>> {
    let all = isotherm_scenes::all()?;
    let torus = all.into_iter().find(|scene| scene.name == "torus");
    Ok(torus.context("no scene is called torus")?.capture)
}

/// The capture with its words repeated, and how many times.
fn repeated(capture: &[u8]) -> anyhow::Result<(Vec<u8>, usize)> {
    let mut session = Session::open("once", capture)?;
    let draws = list(&mut session)?.iter().filter(|draw| **draw).count();
    let times = DRAWS.div_ceil(draws.max(1));
    let mut reader = Reader::new(capture)?;
    let first = reader.next_record()?.map(|record| record.payload);
    let Some(Payload::Info(info)) = first else {
        anyhow::bail!("expected INFO first");
    };
    let records = read_all(&mut reader)?;
    let mut writer = Writer::new(Vec::new(), &serde_json::json!({ "gpu": info.gpu }))?;
    for time in 0..times {
        let again = |record: &&Owned| time == 0 || record.push_words().is_some();
        for record in records.iter().filter(again) {
            record.write(&mut writer)?;
        }
    }
    Ok((writer.finish()?, times))
}

/// The capture's events: which of them are draws.
fn list(session: &mut Session) -> anyhow::Result<Vec<bool>> {
    let mut all = Vec::new();
    loop {
        let Answer::Json(more) = session.ask(&format!("events?from={}", all.len()))? else {
            anyhow::bail!("no list");
        };
        let events = more["events"].as_array().into_iter().flatten();
        all.extend(events.map(|event| event["kind"] == "draw"));
        if more["done"] == true {
            return Ok(all);
        }
    }
}

/// Goes to each event and asks what the page asks.
fn timed(
    session: &mut Session,
    way: &str,
    events: impl Iterator<Item = usize>,
) -> anyhow::Result<()> {
    let mut times: Vec<Duration> = Vec::new();
    for event in events {
        let start = Instant::now();
        session.ask(&format!("target?event={event}&what=color"))?;
        session.ask(&format!("state?event={event}"))?;
        times.push(start.elapsed());
    }
    times.sort();
    let of = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "{way:9} median {:6.2} ms, 95 % within {:6.2} ms, slowest {:6.2} ms",
        of(50),
        of(95),
        of(100)
    );
    Ok(())
}
