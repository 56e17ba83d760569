//! Answers about captures of NVIDIA chips.

mod events;
mod history;
mod mesh;
mod programs;
mod routing;
mod state;
mod target;
mod textures;
mod what_if;

use crate::follow::Mirror;
use crate::player::{Checkpoint, Happened, Kind, Player, Position};
use crate::question::{Answer, Question};
use anyhow::bail;
use events::Thumbnail;
use isotherm::capture::{Owned, Surface};
use isotherm::pixel::rop::prepare::Surfaces;
use isotherm::{Chip, MemoryError};
use programs::Programs;
pub use state::field;
use std::sync::Arc;

/// Events between two checkpoints at first; twice as many whenever they take too much memory.
const FIRST_INTERVAL: usize = 16;
/// Pixels that count as much as an event: where draws are large, checkpoints are closer.
const PIXELS_PER_EVENT: u64 = 1 << 16;
/// Bytes that all checkpoints together may take.
const MOST_BYTES: usize = if cfg!(target_arch = "wasm32") {
    128 << 20
} else {
    512 << 20
};

/// A capture, as far as it was looked at.
pub struct Film {
    chip: Chip,
    capture: Arc<[u8]>,
    player: Player,
    entries: Vec<Entry>,
    /// Positions between events.
    checkpoints: Vec<(usize, Checkpoint)>,
    interval: usize,
    /// Positions between the events of one interval, for somebody who steps back through it.
    steps: Vec<(usize, Checkpoint)>,
    /// All events are listed; an error says why there are no more.
    scanned: Option<Result<(), String>>,
    /// Words that one question looks through for an event.
    patience: usize,
    /// Entries that are done where the player stands; `None` if it stands elsewhere.
    stands: Option<usize>,
    /// The words at the last event that was listed.
    last_words: Vec<u32>,
    surfaces: Vec<Surface>,
    programs: Option<Programs>,
}

/// An event of the list.
struct Entry {
    happened: Happened,
    end: Position,
    /// Draws so far, this one included.
    draw: u64,
    vertices: usize,
    pixels: u64,
    /// Methods that were refused since the event before.
    traps: usize,
    /// Slots of words that are others than at the event before, with what they were.
    changes: Vec<(u16, u32)>,
    surfaces: Surfaces,
    /// A number that differs where the colour surface does.
    digest: u64,
    thumbnail: Option<Thumbnail>,
}

impl Film {
    /// A capture of which nothing was looked at yet.
    pub fn new(chip: Chip, records: Arc<[Owned]>, capture: Arc<[u8]>) -> Result<Film, MemoryError> {
        let surfaces = records.iter().filter_map(Owned::surface).cloned().collect();
        let player = Player::new(chip, records)?;
        Ok(Film {
            chip,
            capture,
            last_words: player.mirror.words.all().to_vec(),
            player,
            entries: Vec::new(),
            checkpoints: Vec::new(),
            interval: FIRST_INTERVAL,
            steps: Vec::new(),
            scanned: None,
            patience: events::WORDS,
            stands: Some(0),
            surfaces,
            programs: None,
        })
    }

    /// Answers a question.
    pub fn ask(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        match question.what {
            "events" => self.events(question.number_or("from", 0)?),
            "thumbnail" => self.thumbnail(self.event(question)?),
            "target" => self.target(question),
            "state" => self.state(self.event(question)?),
            "explain" => self.explain(question),
            "programs" => self.programs(self.event(question)?),
            "textures" => self.textures(self.event(question)?),
            "texture" => self.texture(question),
            "mesh" => self.mesh(self.event(question)?),
            "vertex" => self.vertex(question),
            "why" => self.why(self.event(question)?),
            "routing" => self.routing(self.event(question)?),
            "history" => self.history(question),
            "switches" => Ok(what_if::switches()),
            "whatif" => self.what_if(question),
            other => bail!("no such question: {other:?}"),
        }
    }

    /// The event of a question; an error if it is not listed.
    fn event(&self, question: &Question<'_>) -> anyhow::Result<usize> {
        let event = question.number("event")?;
        self.entry(event).map(|_| event)
    }

    fn entry(&self, event: usize) -> anyhow::Result<&Entry> {
        match self.entries.get(event) {
            Some(entry) => Ok(entry),
            None => bail!("no event {event}: {} are listed", self.entries.len()),
        }
    }

    /// The player when so many events are done.
    fn seek(&mut self, events: usize) -> anyhow::Result<&mut Player> {
        let to = match events.checked_sub(1) {
            Some(last) => self.entry(last)?.end,
            None => Position::default(),
        };
        let kept = self.checkpoints.iter().chain(&self.steps);
        let near = kept.filter(|(at, _)| *at <= events).max_by_key(|k| k.0);
        let from = near.map_or(0, |(at, _)| *at);
        // Until all is well again, nobody knows where the player stands.
        let stood = self.stands.take();
        let usable = stood.is_some_and(|at| (from..=events).contains(&at));
        let back = stood.is_some_and(|at| at > events && at - events <= self.interval);
        if !usable {
            match near {
                Some((_, checkpoint)) => self.player.restore(checkpoint)?,
                None => self.player.rewind(),
            }
        }
        self.player.mirror.collect(false);
        if back && !usable {
            self.keep_steps(from, events)?;
        }
        self.player.run_to(to)?;
        self.stands = Some(events);
        Ok(&mut self.player)
    }

    /// Runs from one event to another and keeps what is between them: who goes back one step
    /// will go back another.
    fn keep_steps(&mut self, from: usize, to: usize) -> anyhow::Result<()> {
        if to <= from + 1 {
            return Ok(());
        }
        self.steps.clear();
        let mut bytes = 0;
        for done in from + 1..to {
            let end = self.entry(done - 1)?.end;
            self.player.run_to(end)?;
            let before = self.steps.last().or(self.checkpoints.last());
            let step = self.player.checkpoint(before.map(|(_, c)| c));
            bytes += step.snapshot.own_bytes();
            if bytes > MOST_BYTES / 4 {
                break;
            }
            self.steps.push((done, step));
        }
        Ok(())
    }

    /// Runs the event that comes next where the player stands.
    fn play(&mut self, event: usize) -> anyhow::Result<&mut Player> {
        let end = self.entry(event)?.end;
        self.stands = None;
        self.player.run_to(end)?;
        self.stands = Some(event + 1);
        Ok(&mut self.player)
    }

    /// The state when an event is over.
    fn mirror(&mut self, event: usize) -> anyhow::Result<&Mirror> {
        Ok(&self.seek(event + 1)?.mirror)
    }

    /// Keeps a checkpoint where the player stands, if it is time for one.
    fn keep_checkpoint(&mut self) {
        let done = self.entries.len();
        let last = self.checkpoints.last();
        let from = last.map_or(0, |(at, _)| *at);
        let pixels: u64 = self.entries[from..].iter().map(|e| e.pixels).sum();
        let drawn = (pixels / PIXELS_PER_EVENT) as usize;
        if done - from + drawn < self.interval {
            return;
        }
        let kept = self.player.checkpoint(last.map(|(_, c)| c));
        self.checkpoints.push((done, kept));
        let bytes = |all: &[(usize, Checkpoint)]| -> usize {
            all.iter().map(|(_, c)| c.snapshot.own_bytes()).sum()
        };
        if bytes(&self.checkpoints) > MOST_BYTES {
            self.interval *= 2;
            let mut keep = false;
            self.checkpoints.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    /// Is it a draw? Other events have no vertices and programs.
    fn is_draw(&self, event: usize) -> bool {
        matches!(self.entries.get(event), Some(e) if e.happened.kind == Kind::Draw)
    }
}
