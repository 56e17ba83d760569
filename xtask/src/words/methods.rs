//! Every method of every capture has a name.

use anyhow::{Context, bail};
use isotherm::capture::{ObjectRecord, Payload, Reader};
use isotherm::fifo::Pusher;
use isotherm_regs::method::Class;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

type Uses = BTreeMap<(u32, u16), u64>;

/// Counts the methods of one capture by class and address.
fn count(path: &Path) -> anyhow::Result<Uses> {
    let file = File::open(path)?;
    let mut reader = Reader::new(file).with_context(|| path.display().to_string())?;
    let mut classes: BTreeMap<u32, u32> = BTreeMap::new();
    let mut bound = [0u32; 8];
    let mut pusher = Pusher::default();
    let mut uses = Uses::new();
    while let Some(record) = reader
        .next_record()
        .with_context(|| path.display().to_string())?
    {
        match record.payload {
            Payload::Object(ObjectRecord::Instance(object)) => {
                classes.insert(object.handle, object.class);
            }
            Payload::Object(ObjectRecord::Graphics { handle, class }) => {
                classes.insert(handle, class);
            }
            Payload::Push(words) => pusher.run(words, |m| {
                let slot = usize::from(m.subchannel & 7);
                if m.method == 0 {
                    bound[slot] = classes.get(&m.data).copied().unwrap_or(0);
                }
                *uses.entry((bound[slot], m.method)).or_default() += 1;
            }),
            _ => {}
        }
    }
    Ok(uses)
}

/// Counts over all captures and fails if a method has no name.
pub fn run() -> anyhow::Result<()> {
    let shared = crate::shared();
    let mut files = super::files(&shared.join("nv2a/captures"), ".zst");
    files.extend(super::files(&shared.join("nv2a/captures_inorder"), ".zst"));
    files.extend(
        super::files(&shared.join("streams"), ".cap.zst")
            .into_iter()
            .filter(|p| !p.to_string_lossy().contains("mali")),
    );
    files.extend(super::files(&shared.join("bench"), ".cap.zst"));
    if files.is_empty() {
        println!("skipped: no captures in {}", shared.display());
        return Ok(());
    }
    let uses = files
        .par_iter()
        .map(|f| count(f))
        .try_reduce(Uses::new, |mut a, b| {
            for (key, n) in b {
                *a.entry(key).or_default() += n;
            }
            Ok(a)
        })?;
    let mut nameless = Vec::new();
    let mut classes = BTreeSet::new();
    for ((class, at), n) in &uses {
        classes.insert(*class);
        let known = u16::try_from(*class)
            .ok()
            .and_then(Class::by_id)
            .is_some_and(|c| c.method(*at).is_some());
        if !known {
            nameless.push(format!("{class:x}:{at:04x} ({n} times)"));
        }
    }
    println!(
        "{} captures, {} methods of {} classes sent {} times, {} without a name",
        files.len(),
        uses.len(),
        classes.len(),
        uses.values().sum::<u64>(),
        nameless.len()
    );
    if !nameless.is_empty() {
        bail!("no name for {}", nameless.join(", "));
    }
    Ok(())
}
