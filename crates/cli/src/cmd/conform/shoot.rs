//! Replays captures, and picks the picture that a case is about.

use super::index::{Case, stem};
use super::record::Failure;
use crate::cmd::replay::{Rule, open, what_if};
use isotherm::capture::{Image, Surface};
use isotherm::gpu::{self, Gpu, Snapshot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What a replay showed.
pub struct Roll {
    /// Every surface, in order.
    pub shots: Vec<(Surface, Image)>,
    /// The chip.
    pub chip: &'static str,
    /// Draws of this capture.
    pub draws: u64,
}

/// A replay, or why it failed.
pub type Shots = Result<Roll, (Failure, String)>;

/// What the capture before left, in a chain.
pub enum Left {
    /// There was none.
    Nothing,
    /// The chip as it was at its end.
    Chip(Box<Gpu>),
    /// An error: what follows would start from something else.
    Broken,
}

impl Left {
    /// The chip, to start from it once more; none if nothing was left.
    pub fn snapshot(&mut self) -> Option<Snapshot> {
        match self {
            Left::Chip(gpu) => Some(gpu.snapshot()),
            Left::Nothing | Left::Broken => None,
        }
    }
}

/// What is said of captures behind one that failed.
pub const BROKEN: &str = "an earlier capture of the chain ended in an error";

/// Replays a capture on a new chip.
pub fn shoot(capture: &Path, rules: &[Rule]) -> Shots {
    shoot_on(Left::Nothing, capture, rules).0
}

/// Replays a capture on what the last one left. A panic is an error like any other.
pub fn shoot_on(left: Left, capture: &Path, rules: &[Rule]) -> (Shots, Left) {
    let attempt = || -> anyhow::Result<(Roll, Gpu)> {
        let mut reader = open(capture)?;
        let new = gpu::start(&mut reader)?;
        let mut gpu = match left {
            Left::Nothing => new,
            Left::Chip(gpu) => {
                anyhow::ensure!(gpu.chip() == new.chip(), "the chain is of another chip");
                *gpu
            }
            Left::Broken => anyhow::bail!(BROKEN),
        };
        gpu.set_threads(1);
        gpu.set_what_if(what_if(rules));
        let before = gpu.draws();
        let mut shots = Vec::new();
        while let Some(record) = reader.next_record()? {
            if let Some(surface) = gpu.record(record)? {
                let image = surface.read(&gpu.memory);
                shots.push((*surface, image));
            }
        }
        gpu.finish();
        let roll = Roll {
            shots,
            chip: gpu.chip().name(),
            draws: gpu.draws() - before,
        };
        Ok((roll, gpu))
    };
    let error = match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok((roll, gpu))) => return (Ok(roll), Left::Chip(Box::new(gpu))),
        Ok(Err(error)) => (Failure::Data, format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("of unknown kind");
            (Failure::Panic, format!("panic: {text}"))
        }
    };
    (Err(error), Left::Broken)
}

/// Are there rules of software renderers to draw this capture with?
pub fn is_mali(capture: &Path) -> bool {
    open(capture)
        .ok()
        .and_then(|mut reader| gpu::start(&mut reader).ok())
        .is_some_and(|mut gpu| gpu.set_what_if(what_if(&[])))
}

/// The shot that a case is about: the one that names its golden, else the one of its kind,
/// else the last.
pub fn pick<'s>(case: &Case, roll: &'s Roll) -> anyhow::Result<&'s (Surface, Image)> {
    let names = |surface: &Surface| {
        let named = surface
            .golden
            .as_deref()
            .is_some_and(|g| stem(Path::new(g)) == case.name);
        let depth = surface.source == "texture";
        let kind = case
            .surface
            .as_deref()
            .is_some_and(|kind| (kind == "zeta") == depth);
        (named, kind)
    };
    let best = roll.shots.iter().max_by_key(|(surface, _)| names(surface));
    best.ok_or_else(|| anyhow::anyhow!("the capture has no SURF record"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_broke_stays_broken() {
        let missing = Path::new("/nonexistent/capture.cap.zst");
        let (shots, left) = shoot_on(Left::Nothing, missing, &[]);
        assert!(shots.is_err() && matches!(left, Left::Broken));
        let (shots, _) = shoot_on(left, missing, &[]);
        assert!(shots.is_err());
    }
}
