//! `isotherm bench decode`: how fast streams of words become fields, per second of one core.

use isotherm_regs::method::Class;
use isotherm_regs::stream::{Decoder, Tally, sample};
use serde_json::json;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Words of one pass: 16 MB, more than the caches hold.
const WORDS: usize = 4 << 20;

/// CPU time of this thread, where the system tells it: other work on the machine does not count.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// Times the decoding of one class of each generation.
pub fn run(seconds: f64, as_json: bool) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(seconds.clamp(0.01, 3600.0));
    let mut all = Vec::new();
    for id in [0x56, 0x97, 0x497, 0x4097] {
        let Some(class) = Class::by_id(id) else {
            continue;
        };
        let words = sample(class, WORDS, 1);
        let mut decoder = Decoder::new(class.since, class);
        let mut tally = Tally::default();
        let (start, cpu) = (Instant::now(), cpu_time());
        let mut passes = 0u32;
        while passes == 0 || start.elapsed() < time / 4 {
            decoder.count(black_box(&words), &mut tally);
            passes += 1;
        }
        black_box(tally.sum);
        let used = cpu_time()
            .zip(cpu)
            .map(|(now, then)| now.saturating_sub(then));
        let elapsed = used
            .unwrap_or(start.elapsed())
            .max(Duration::from_micros(1))
            .as_secs_f64();
        let bytes = words.len() as f64 * 4.0 * f64::from(passes);
        let (mb, fields) = (bytes / elapsed / 1e6, tally.fields as f64 / elapsed / 1e6);
        if !as_json {
            say!(
                "class {id:04x} {:12} {mb:7.0} MB/s, {fields:6.0} million fields/s",
                class.name
            );
        }
        all.push(
            json!({ "class": id, "name": class.name, "mb_per_s": mb, "mfields_per_s": fields }),
        );
    }
    if as_json {
        say!("{}", serde_json::to_string_pretty(&all)?);
    }
    Ok(())
}
