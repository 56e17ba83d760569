//! `cargo xtask doors`: what the C interface, borrowed memory and recording cost.

use crate::rerecord::{compile, plain};
use anyhow::Context;
use isotherm::capture::{Owned, Payload, Reader, read_all};
use isotherm::{Chip, Gpu};
use std::path::Path;
use std::process::Command;
use std::ptr::NonNull;
use std::time::Instant;

/// Each figure is the best of so many.
const REPEATS: usize = 5;
const VRAM: usize = 256 << 20;

/// Measures, and prints the lines for docs/benchmarks.md.
pub fn run() -> anyhow::Result<()> {
    let Some(program) = compile("bench")? else {
        println!("skipped: no gcc");
        return Ok(());
    };
    let c: f64 = output(Command::new(&program).arg("methods"))?;
    let rust = methods();
    println!(
        "| methods per second | Rust {:.1} million | C {:.1} million | {:.2} |",
        rust / 1e6,
        c / 1e6,
        c / rust
    );
    let file = crate::shared().join("bench/captures/nv20/lit_640x480.cap.zst");
    if !file.exists() {
        println!("skipped: no {}", file.display());
        return Ok(());
    }
    let whole = std::fs::read(&file).with_context(|| file.display().to_string())?;
    frames(&program, &whole)
}

fn frames(program: &Path, whole: &[u8]) -> anyhow::Result<()> {
    let mut reader = Reader::new(whole)?;
    let chip = isotherm::gpu::start(&mut reader)?.chip();
    let records = read_all(&mut reader)?;
    let own = best(|| replay(&records, Gpu::new(chip)))?;
    let mut ram = vec![0u8; VRAM];
    let borrowed = best(|| {
        ram.fill(0);
        replay(&records, borrowing(chip, &mut ram)?)
    })?;
    let recording = best(|| {
        let mut gpu = Gpu::new(chip);
        gpu.record_to(std::io::sink())?;
        replay(&records, gpu)
    })?;
    let from = std::env::temp_dir().join(format!("bench-{}.cap", std::process::id()));
    std::fs::write(&from, plain(whole)?)?;
    let c: f64 = output(
        Command::new(program)
            .arg("frames")
            .arg(&from)
            .arg(chip.name()),
    )?;
    std::fs::remove_file(&from)?;
    for (what, seconds) in [
        ("memory of its own", own),
        ("borrowed memory", borrowed),
        ("borrowed memory, from C", c),
        ("recorded", recording),
    ] {
        println!(
            "| `lit`, {what} | {:.2} ms | {:.2} |",
            seconds * 1e3,
            seconds / own
        );
    }
    Ok(())
}

fn borrowing(chip: Chip, ram: &mut [u8]) -> anyhow::Result<Gpu> {
    let start = NonNull::new(ram.as_mut_ptr()).context("memory")?;
    // SAFETY: `ram` outlives the chip, and nobody touches it while it draws.
    let builder = unsafe { Gpu::builder(chip).memory_mapped(start, ram.len()) };
    Ok(builder.gart_size(VRAM).build()?)
}

/// Seconds of pushing and drawing; what the CPU does is not counted.
fn replay(records: &[Owned], mut gpu: Gpu) -> anyhow::Result<f64> {
    gpu.set_threads(1);
    let mut spent = 0.0;
    for record in records {
        let record = record.record();
        if let Payload::Push(words) = record.payload {
            let start = Instant::now();
            gpu.push(words)?;
            gpu.finish();
            spent += start.elapsed().as_secs_f64();
        } else {
            gpu.record(record)?;
        }
    }
    Ok(spent)
}

fn best(mut run: impl FnMut() -> anyhow::Result<f64>) -> anyhow::Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..REPEATS {
        best = best.min(run()?);
    }
    Ok(best)
}

/// Methods per second: state words, nothing drawn; the words of `bench.c`.
fn methods() -> f64 {
    const GROUPS: u32 = 4096;
    const ROUNDS: u32 = 200;
    let group = |i: u32| [[8 << 18 | 0x300].as_slice(), &[i & 1; 8]].concat();
    let words: Vec<u32> = (0..GROUPS).flat_map(group).collect();
    let mut gpu = Gpu::new(Chip::Nv2a);
    gpu.objects_mut().graphics(97, 0x97);
    let mut best = f64::MAX;
    // A chip of this kind takes all words.
    let mut push = |words: &[u32]| drop(gpu.push(words));
    push(&[1 << 18, 97]);
    for _ in 0..REPEATS {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| push(&words));
        best = best.min(start.elapsed().as_secs_f64());
    }
    f64::from(8 * GROUPS * ROUNDS) / best
}

fn output(command: &mut Command) -> anyhow::Result<f64> {
    let out = command.output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    text.trim()
        .parse()
        .with_context(|| format!("{text}{}", String::from_utf8_lossy(&out.stderr)))
}
