//! `cargo xtask front-end`: every capture of the shared data through the front end, without
//! pixels. Nothing unknown, no trap, the counts of the index; and a context that is saved in the
//! middle goes on in a fresh chip as if nothing had happened.

use anyhow::{Context as _, Result, bail, ensure};
use isotherm::bundle::Event;
use isotherm::capture::{Owned, Payload, Reader, Writer, read_all};
use isotherm::gpu::{self, Gpu};
use isotherm::mali::trace;
use isotherm::method::Method;
use isotherm::observe::Observer;
use isotherm::trap::Trap;
use isotherm_regs::xf::asm::generate::Rng;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// An index of captures.
#[derive(Deserialize)]
struct Index {
    entries: Vec<Entry>,
}

/// What an index says of a capture; not every index has all counts.
#[derive(Clone, Deserialize)]
struct Entry {
    capture: String,
    capture_inorder: Option<String>,
    draws: Option<u64>,
    clears: Option<u64>,
    blits: Option<u64>,
    pushes: Option<u64>,
    push_words: Option<u64>,
    jobs: Option<u64>,
}

fn index(folder: &Path) -> Result<Vec<Entry>> {
    let path = folder.join("index.json");
    let text = std::fs::read(&path).with_context(|| path.display().to_string())?;
    let index: Index = serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
    let mut entries = BTreeMap::new();
    for entry in index.entries {
        entries.insert(entry.capture.clone(), entry);
    }
    Ok(entries.into_values().collect())
}

/// A trap by class, method, NSOURCE and INTR.
type TrapKey = (u32, u32, u32, u32);

/// What a capture holds.
#[derive(Default)]
struct Counts {
    draws: u64,
    clears: u64,
    blits: u64,
    pushes: u64,
    push_words: u64,
    jobs: u64,
    methods: u64,
    unknown: u64,
    handles: u64,
    headers: u64,
    traps: BTreeMap<TrapKey, u32>,
}

/// Counts what passes.
#[derive(Clone, Default)]
struct Counter(Arc<Mutex<Counts>>);

impl Counter {
    fn with(&self, f: impl FnOnce(&mut Counts)) {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Observer for Counter {
    fn method(&mut self, class: u32, m: Method) {
        self.with(|c| {
            c.methods += 1;
            // SIZE starts a blit.
            c.blits += u64::from(matches!(class, 0x5f | 0x9f) && m.method == 0x308);
        });
    }

    fn event(&mut self, event: &Event) {
        if let Event::Clear(_) = event {
            self.with(|c| c.clears += 1);
        }
    }

    fn trap(&mut self, trap: &Trap) {
        // NO_OPERATION with an argument calls the driver's handler.
        if trap.method != 0x100 {
            let key = (trap.class, trap.method, trap.nsource, trap.intr);
            self.with(|c| *c.traps.entry(key).or_default() = trap.data);
        }
    }
}

/// Walks a capture.
fn walk(path: &Path) -> Result<Counts> {
    let counter = Counter::default();
    let mut reader = Reader::new(std::fs::File::open(path)?)?;
    let mut gpu = gpu::start(&mut reader)?;
    gpu.set_drawing(false);
    gpu.set_observer(Some(Box::new(counter.clone())));
    while let Some(record) = reader.next_record()? {
        match &record.payload {
            Payload::Push(words) => counter.with(|c| {
                c.pushes += 1;
                c.push_words += words.len() as u64;
            }),
            Payload::Gp(_) => counter.with(|c| c.jobs += 1),
            Payload::Pp(job) => {
                let draws = match gpu.mali() {
                    Some(machine) => trace::draws(machine, &gpu.memory, job.frame)?.len(),
                    None => 0,
                };
                counter.with(|c| {
                    c.jobs += 1;
                    c.draws += draws as u64;
                });
            }
            _ => {}
        }
        gpu.record(record)?;
    }
    let odd = gpu.oddities();
    let draws = gpu.draws();
    gpu.set_observer(None);
    let mut counts = std::mem::take(&mut *counter.0.lock().unwrap_or_else(PoisonError::into_inner));
    if gpu.mali().is_none() {
        counts.draws = draws;
    }
    (counts.unknown, counts.handles, counts.headers) = (odd.methods, odd.handles, odd.headers);
    Ok(counts)
}

/// What is wrong with a capture, if anything.
fn judge(entry: &Entry, counts: &Counts) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut same = |what: &str, ours: u64, theirs: Option<u64>| {
        if let Some(theirs) = theirs
            && ours != theirs
        {
            wrong.push(format!("{ours} {what}, the index has {theirs}"));
        }
    };
    same("draws", counts.draws, entry.draws);
    same("clears", counts.clears, entry.clears);
    same("blits", counts.blits, entry.blits);
    same("pushes", counts.pushes, entry.pushes);
    same("words", counts.push_words, entry.push_words);
    same("jobs", counts.jobs, entry.jobs);
    same("unknown methods", counts.unknown, Some(0));
    same("handles to nowhere", counts.handles, Some(0));
    same("words that are no header", counts.headers, Some(0));
    for (&(class, method, nsource, intr), data) in &counts.traps {
        if !expected(class, method, nsource) {
            wrong.push(format!(
                "{class:x}:{method:04x} <- {data:x} trapped, NSOURCE {nsource:x}, INTR {intr:x}"
            ));
        }
    }
    wrong
}

/// Traps that the program caused and the chip would have raised too.
fn expected(_class: u32, _method: u32, nsource: u32) -> bool {
    // Data that the class refuses: the driver's own doing.
    nsource == 2
}

/// Walks all captures of a folder with an index; says how many.
fn walk_all(folder: &Path) -> Result<usize> {
    let mut work: Vec<(PathBuf, Entry)> = Vec::new();
    for entry in index(folder)? {
        if let Some(inorder) = &entry.capture_inorder {
            // The index counts what the test's own capture does.
            let bare = Entry {
                draws: None,
                clears: None,
                blits: None,
                ..entry.clone()
            };
            work.push((folder.join(inorder), bare));
        }
        work.push((folder.join(&entry.capture), entry));
    }
    let results: Vec<(usize, u64, Vec<String>)> = work
        .par_iter()
        .map(|(path, entry)| match walk(path) {
            Ok(counts) => (1, counts.methods, judge(entry, &counts)),
            Err(error) => (1, 0, vec![format!("{error:#}")]),
        })
        .collect();
    let methods: u64 = results.iter().map(|(_, methods, _)| methods).sum();
    let mut bad = 0;
    for ((path, _), (_, _, wrong)) in work.iter().zip(&results) {
        bad += usize::from(!wrong.is_empty());
        for wrong in wrong.iter().take(4) {
            if bad < 40 {
                println!("    {}: {wrong}", path.display());
            }
        }
    }
    println!(
        "{}: {} captures, {methods} methods, {bad} captures differ from the index or trap",
        folder.display(),
        work.len()
    );
    ensure!(bad == 0, "{bad} captures differ from the index or trap");
    Ok(work.len())
}

/// A hash of everything that the front end emits.
#[derive(Clone, Default)]
struct Stream(Arc<Mutex<(u64, u64)>>);

impl Stream {
    fn get(&self) -> (u64, u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Stream {
    fn event(&mut self, event: &Event) {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        event.hash(&mut hasher);
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = state.0.wrapping_mul(0x100_0000_01b3) ^ hasher.finish();
        state.1 += 1;
    }
}

/// Runs records; what the last `SURF` shows.
fn run_records(gpu: &mut Gpu, records: &[Owned]) -> Result<Vec<u8>> {
    let mut picture = Vec::new();
    for record in records {
        if let Some(surface) = gpu.record(record.record())? {
            picture = surface.read(&gpu.memory).rgba;
        }
    }
    Ok(picture)
}

/// Saves a context at a random method boundary outside primitives, restores it into a fresh
/// chip and lets both go on: same events, same context in the end, same picture.
fn save_and_go_on(path: &Path, rng: &mut Rng) -> Result<()> {
    let mut reader = Reader::new(std::fs::File::open(path)?)?;
    let mut first = gpu::start(&mut reader)?;
    first.set_threads(1);
    let records = read_all(&mut reader)?;
    let words = |record: &Owned| record.push_words().map_or(0, <[u32]>::len);
    let total: usize = records.iter().map(words).sum();
    ensure!(total > 0, "no words");
    let mut cut = rng.below(total as u64) as usize;
    let at = records
        .iter()
        .position(|record| {
            let here = words(record);
            let found = cut < here;
            if !found {
                cut -= here;
            }
            found
        })
        .context("a word")?;
    run_records(&mut first, &records[..at])?;
    let push = records[at].push_words().context("words")?;
    let mut count = 0;
    let done = first.push_until(push, |_| {
        count += 1;
        count > cut
    })?;
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": first.chip().name() }))?;
    first.write_state(&mut writer)?;
    let file = writer.finish()?;
    let mut reader = Reader::new(file.as_slice())?;
    let mut second = gpu::start(&mut reader)?;
    second.set_threads(1);
    while let Some(record) = reader.next_record()? {
        second.record(record)?;
    }
    ensure!(
        first.context() == second.context(),
        "the context is not what was saved"
    );
    let streams = [Stream::default(), Stream::default()];
    let mut pictures = Vec::new();
    for (gpu, stream) in [&mut first, &mut second].into_iter().zip(&streams) {
        gpu.set_observer(Some(Box::new(stream.clone())));
        gpu.push(&push[done..])?;
        pictures.push(run_records(gpu, &records[at + 1..])?);
    }
    let [one, two] = [streams[0].get(), streams[1].get()];
    ensure!(
        one == two,
        "events after the restore: {} and {}",
        one.1,
        two.1
    );
    ensure!(first.context() == second.context(), "the final context");
    ensure!(pictures[0] == pictures[1], "the picture");
    Ok(())
}

/// Captures of all families, by family so that none is left out.
fn families(shared: &Path) -> Result<Vec<Vec<PathBuf>>> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in ["nv2a", "streams"] {
        let folder = shared.join(folder);
        for entry in index(&folder)? {
            let path = folder.join(&entry.capture);
            let group = entry.capture.split('/').next().unwrap_or("").to_string();
            if group != "mali400" {
                groups.entry(group).or_default().push(path);
            }
        }
    }
    Ok(groups.into_values().collect())
}

/// Saves and restores in so many captures, with pixels.
fn contexts(shared: &Path, count: usize, seed: u64) -> Result<()> {
    let groups = families(shared)?;
    ensure!(!groups.is_empty(), "no captures");
    let work: Vec<(usize, PathBuf)> = (0..count)
        .map(|n| {
            let group = &groups[n % groups.len()];
            let mut rng = Rng(seed.wrapping_add(n as u64));
            let path = group[rng.below(group.len() as u64) as usize].clone();
            (n, path)
        })
        .collect();
    let wrong: Vec<String> = work
        .par_iter()
        .filter_map(|(n, path)| {
            let mut rng = Rng(seed.wrapping_add(0x1_0000 + *n as u64));
            let result = save_and_go_on(path, &mut rng);
            let error = result.err()?;
            Some(format!("{} (number {n}): {error:#}", path.display()))
        })
        .collect();
    for wrong in &wrong {
        println!("    {wrong}");
    }
    println!(
        "contexts: {count} captures of {} chips, {} do not go on as before",
        groups.len(),
        wrong.len()
    );
    if !wrong.is_empty() {
        bail!("{} of {count} contexts do not go on as before", wrong.len());
    }
    Ok(())
}

/// Walks everything, then saves and restores in `count` captures.
pub fn run(count: usize, seed: u64) -> Result<()> {
    let shared = crate::shared();
    if !shared.is_dir() {
        println!(
            "skipped: {} is not there (set ISOTHERM_SHARED)",
            shared.display()
        );
        return Ok(());
    }
    let walked = ["nv2a", "streams"].map(|folder| walk_all(&shared.join(folder)));
    let contexts = contexts(&shared, count, seed);
    for result in walked {
        result?;
    }
    contexts
}
