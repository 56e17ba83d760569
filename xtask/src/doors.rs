//! `cargo xtask doors`: what the C interface, borrowed memory and recording cost, beside the same
//! work without them. Times are of the processor and everything takes turns, so that a busy
//! machine shows the same ratios; the best of the rounds counts.

use crate::rerecord::{compile, plain};
use anyhow::{Context, ensure};
use isotherm::capture::{Owned, Payload, Reader, read_all};
use isotherm::{Chip, Gpu};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each thing is done.
const ROUNDS: usize = 9;
/// What the console has, and more than the scene needs.
const MEMORY: usize = 64 << 20;

/// What must hold: methods per second of C over Rust; a frame with borrowed memory, and one
/// that is recorded, over a frame without.
const LEAST_METHODS: f64 = 0.9;
const MOST_BORROWED: f64 = 1.03;
const MOST_RECORDED: f64 = 2.0;

/// Measures, and prints the table of docs/benchmarks.md.
pub fn run() -> anyhow::Result<()> {
    let Some(program) = compile("bench")? else {
        println!("skipped: no gcc");
        return Ok(());
    };
    println!("| | processor time | ratio | must be |\n|---|---:|---:|---:|");
    let methods = compare_methods(&program)?;
    let file = crate::shared().join("bench/captures/nv20/lit_640x480.cap.zst");
    if !file.exists() {
        println!("skipped: no {}", file.display());
        return Ok(());
    }
    let whole = std::fs::read(&file).with_context(|| file.display().to_string())?;
    let [borrowed, recorded] = frames(&program, &whole)?;
    ensure!(methods >= LEAST_METHODS, "methods from C: {methods:.2}");
    ensure!(borrowed <= MOST_BORROWED, "borrowed memory: {borrowed:.2}");
    ensure!(recorded <= MOST_RECORDED, "recording: {recorded:.2}");
    Ok(())
}

/// Seconds of the processor that this process has had.
fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a timespec of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn compare_methods(program: &Path) -> anyhow::Result<f64> {
    let (mut rust, mut c) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        rust = rust.min(methods());
        c = c.min(numbers(Command::new(program).arg("methods"))?[0]);
    }
    let millions = f64::from(8 * GROUPS * PUSHES) / 1e6;
    println!(
        "| methods per second, Rust | {:.1} million | 1.00 | |",
        millions / rust
    );
    println!(
        "| methods per second, C | {:.1} million | {:.2} | >= {LEAST_METHODS} |",
        millions / c,
        rust / c
    );
    Ok(rust / c)
}

fn frames(program: &Path, whole: &[u8]) -> anyhow::Result<[f64; 2]> {
    let mut reader = Reader::new(whole)?;
    let chip = isotherm::gpu::start(&mut reader)?.chip();
    let records = read_all(&mut reader)?;
    let shown = |record: &&Owned| matches!(record.record().payload, Payload::Surface(_));
    let count = records.iter().filter(shown).count().max(1) as f64;
    let from = std::env::temp_dir().join(format!("bench-{}.cap", std::process::id()));
    std::fs::write(&from, plain(whole)?)?;
    let outside = |what: &str| {
        let mut command = Command::new(program);
        numbers(command.arg(what).arg(&from).arg(chip.name()))
    };
    let mut ram = vec![0u8; MEMORY];
    let written = Arc::new(AtomicU64::new(0));
    let mut best = [f64::MAX; 4];
    let mut kit = vec![f64::MAX; 6];
    for _ in 0..ROUNDS {
        let own = Gpu::builder(chip).memory_size(MEMORY).gart_size(MEMORY);
        ram.fill(0);
        let mut recorded = Gpu::builder(chip)
            .memory_size(MEMORY)
            .gart_size(MEMORY)
            .build()?;
        written.store(0, Ordering::Relaxed);
        recorded.record_to(Bytes(Arc::clone(&written)))?;
        let round = [
            replay(&records, own.build()?)?,
            replay(&records, borrowing(chip, &mut ram)?)?,
            replay(&records, recorded)?,
            outside("frames")?[0],
        ];
        best.iter_mut().zip(round).for_each(|(a, b)| *a = a.min(b));
        let round = outside("kit")?;
        kit.iter_mut().zip(round).for_each(|(a, b)| *a = a.min(b));
    }
    std::fs::remove_file(&from)?;
    let [own, borrowed, recorded, c] = best;
    for (what, seconds, limit) in [
        ("memory of its own", own, String::new()),
        ("borrowed memory", borrowed, format!("<= {MOST_BORROWED}")),
        ("borrowed memory, from C", c, String::new()),
        ("recorded", recorded, format!("<= {MOST_RECORDED}")),
    ] {
        let (ms, ratio) = (seconds * 1e3 / count, seconds / own);
        println!("| a frame of `lit`, {what} | {ms:.2} ms | {ratio:.2} | {limit} |");
    }
    let &[began, _, kept, bytes, compared, drawn] = kit.as_slice() else {
        anyhow::bail!("the kit's figures");
    };
    let ms = |seconds: f64| seconds * 1e3;
    println!(
        "| the kit: words and changed pages of a frame | {:.2} ms | {:.2} | |",
        ms(kept) / count,
        (drawn + kept) / drawn
    );
    println!(
        "| the kit: comparing 64 MiB once | {:.1} ms | | |",
        ms(compared)
    );
    println!(
        "| the kit: the start, 128 MiB read | {:.1} ms | | |",
        ms(began)
    );
    println!(
        "\nBytes a frame, not compressed: {:.0} KiB by the kit, {:.0} KiB by `record_to` with its start.",
        bytes / count / 1024.0,
        written.load(Ordering::Relaxed) as f64 / count / 1024.0
    );
    Ok([borrowed / own, recorded / own])
}

/// A file of which only the size is kept.
struct Bytes(Arc<AtomicU64>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn borrowing(chip: Chip, ram: &mut [u8]) -> anyhow::Result<Gpu> {
    let start = NonNull::new(ram.as_mut_ptr()).context("memory")?;
    // SAFETY: `ram` outlives the chip, and nobody touches it while it draws.
    let builder = unsafe { Gpu::builder(chip).memory_mapped(start, ram.len()) };
    Ok(builder.gart_size(MEMORY).build()?)
}

/// Seconds of pushing and drawing; what the CPU does is not counted.
fn replay(records: &[Owned], mut gpu: Gpu) -> anyhow::Result<f64> {
    gpu.set_threads(1);
    let mut spent = 0.0;
    for record in records {
        let record = record.record();
        if let Payload::Push(words) = record.payload {
            let start = now();
            gpu.push(words)?;
            gpu.finish();
            spent += now() - start;
        } else {
            gpu.record(record)?;
        }
    }
    Ok(spent)
}

/// Groups of eight state words in a push, and pushes; as in `bench.c`.
const GROUPS: u32 = 4096;
const PUSHES: u32 = 200;

/// Seconds for methods that draw nothing.
fn methods() -> f64 {
    let group = |i: u32| [[8 << 18 | 0x300].as_slice(), &[i & 1; 8]].concat();
    let words: Vec<u32> = (0..GROUPS).flat_map(group).collect();
    let mut gpu = Gpu::new(Chip::Nv2a);
    gpu.set_threads(1);
    gpu.objects_mut().graphics(97, 0x97);
    // A chip of this kind takes all words.
    let mut push = |words: &[u32]| drop(gpu.push(words));
    push(&[1 << 18, 97]);
    let start = now();
    (0..PUSHES).for_each(|_| push(&words));
    now() - start
}

/// The numbers that a program prints.
fn numbers(command: &mut Command) -> anyhow::Result<Vec<f64>> {
    let out = command.output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let numbers = numbers.ok().filter(|all| !all.is_empty());
    numbers.with_context(|| format!("{text}{}", String::from_utf8_lossy(&out.stderr)))
}
