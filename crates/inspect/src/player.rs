//! An NVIDIA capture that is played event by event, from any event on.

use crate::follow::Mirror;
use crate::names::primitive;
use isotherm::MemoryError;
use isotherm::bundle::Event;
use isotherm::capture::{Error, Owned, Payload, Surface};
use isotherm::gpu::{Gpu, Snapshot};
use isotherm::method::Method;
use isotherm::observe::Observer;
use isotherm::trap::Trap;
use isotherm_regs::method::Class;
use isotherm_regs::{Chip, Class3d};
use std::sync::{Arc, Mutex, PoisonError};

/// Between two words of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The record.
    pub record: usize,
    /// Words of it that are done.
    pub word: usize,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A primitive was begun and ended.
    Draw,
    /// A surface was cleared.
    Clear,
    /// The 2D engine did something; the class.
    Blit(u32),
    /// A picture of the capture: its number among all.
    Frame(usize),
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Happened {
    /// What it is.
    pub kind: Kind,
    /// In words.
    pub name: String,
    /// Where a draw's BEGIN is the next word; else where the event ends.
    pub begin: Position,
    /// Bytes that the CPU wrote since the event before.
    pub uploaded: u64,
    /// Class and subchannel of the 3D object that was last spoken to.
    pub object: Option<(u32, u8)>,
}

#[derive(Clone, Copy)]
enum Heard {
    Event(Event),
    Trap(Trap),
    Method(u32, Method),
}

/// Writes down what the chip says, for somebody who asks after each word.
struct Ear(Arc<Mutex<Vec<Heard>>>);

impl Ear {
    fn push(&self, heard: Heard) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(heard);
    }
}

impl Observer for Ear {
    fn method(&mut self, class: u32, method: Method) {
        self.push(Heard::Method(class, method));
    }

    fn event(&mut self, event: &Event) {
        self.push(Heard::Event(*event));
    }

    fn trap(&mut self, trap: &Trap) {
        self.push(Heard::Trap(*trap));
    }
}

/// The chip and everything known about it at a position.
pub struct Player {
    records: Arc<[Owned]>,
    /// The chip.
    pub gpu: Gpu,
    /// Its state.
    pub mirror: Mirror,
    /// Where it stands.
    pub at: Position,
    heard: Arc<Mutex<Vec<Heard>>>,
    list: Vec<Heard>,
    /// Bundles since the last call of [`Player::record_bundles`], if they are wanted.
    bundles: Option<Vec<(u16, u32)>>,
    frames: usize,
    last: Last,
}

/// What was heard last.
#[derive(Clone, Default)]
struct Last {
    begin: Position,
    primitive: u8,
    clear: Option<u32>,
    blit: Option<(u32, u16)>,
    object: Option<(u32, u8)>,
    uploaded: u64,
    drawn: bool,
}

/// A player at an event, to be taken up again.
pub struct Checkpoint {
    /// Where it stands.
    pub at: Position,
    /// The chip.
    pub snapshot: Snapshot,
    mirror: Mirror,
    frames: usize,
    object: Option<(u32, u8)>,
}

/// Bundles that are kept of one event.
const MOST_BUNDLES: usize = 1 << 14;

impl Player {
    /// At the beginning of a capture; an error if there is no memory for the chip.
    pub fn new(chip: Chip, records: Arc<[Owned]>) -> Result<Player, MemoryError> {
        let mut player = Player {
            records,
            gpu: Gpu::builder(chip).build()?,
            mirror: Mirror::new(chip),
            at: Position::default(),
            heard: Arc::default(),
            list: Vec::new(),
            bundles: None,
            frames: 0,
            last: Last::default(),
        };
        player.listen();
        Ok(player)
    }

    fn listen(&mut self) {
        // Going back and forth for hours is no fault of the capture.
        self.gpu.renew_budget();
        if cfg!(target_arch = "wasm32") {
            self.gpu.set_threads(1);
        }
        self.heard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.bundles = None;
        self.last = Last::default();
        self.gpu
            .set_observer(Some(Box::new(Ear(self.heard.clone()))));
    }

    /// Back to the beginning.
    pub fn rewind(&mut self) {
        self.gpu.reset();
        self.mirror = Mirror::new(self.gpu.chip());
        self.at = Position::default();
        self.frames = 0;
        self.listen();
    }

    /// Back to a checkpoint.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        self.gpu.restore(&checkpoint.snapshot)?;
        self.mirror = checkpoint.mirror.clone();
        self.at = checkpoint.at;
        self.frames = checkpoint.frames;
        self.listen();
        self.last.object = checkpoint.object;
        Ok(())
    }

    /// Something to come back to.
    pub fn checkpoint(&mut self, before: Option<&Checkpoint>) -> Checkpoint {
        let snapshot = self.gpu.snapshot_after(before.map(|b| &b.snapshot));
        let mut mirror = self.mirror.clone();
        mirror.mesh = Default::default();
        Checkpoint {
            at: self.at,
            snapshot,
            mirror,
            frames: self.frames,
            object: self.last.object,
        }
    }

    /// Is the capture over?
    pub fn ended(&self) -> bool {
        self.at.record >= self.records.len()
    }

    /// Keeps the bundles from now on; gives those kept so far.
    pub fn record_bundles(&mut self, on: bool) -> Vec<(u16, u32)> {
        let kept = self.bundles.take().unwrap_or_default();
        self.bundles = on.then(Vec::new);
        kept
    }

    /// Class and subchannel of the 3D object that was last spoken to.
    pub fn object(&self) -> Option<(u32, u8)> {
        self.last.object
    }

    /// Runs to the end of the next event, or so many words; `Ok(None)` if none was met.
    pub fn step(&mut self, most_words: usize) -> Result<Option<Happened>, Error> {
        let mut left = most_words;
        while left > 0 {
            let records = self.records.clone();
            let Some(record) = records.get(self.at.record) else {
                return Ok(None);
            };
            let Some(words) = record.push_words() else {
                left -= 1;
                match self.other(record)? {
                    Some(happened) => return Ok(Some(happened)),
                    None => continue,
                }
            };
            let offset = record.offset;
            while let Some(&word) = words.get(self.at.word) {
                let happened = self.word(word);
                let happened = happened.map_err(|problem| Error { offset, problem })?;
                left = left.saturating_sub(1);
                if happened.is_some() || left == 0 {
                    return Ok(happened);
                }
            }
            self.at = self.next_record();
        }
        Ok(None)
    }

    fn next_record(&self) -> Position {
        Position {
            record: self.at.record + 1,
            word: 0,
        }
    }

    /// Runs up to a position.
    pub fn run_to(&mut self, to: Position) -> Result<(), Error> {
        while self.at < to && !self.ended() {
            let words = match self.at.record == to.record {
                true => to.word - self.at.word,
                false => usize::MAX,
            };
            self.step(words.max(1))?;
        }
        self.gpu.finish();
        Ok(())
    }

    /// A record that is no PUSH.
    fn other(&mut self, record: &Owned) -> Result<Option<Happened>, Error> {
        let record = record.record();
        if let Payload::Memory { bytes, .. } = record.payload {
            self.last.uploaded += bytes.len() as u64;
        }
        self.mirror.load(&record.payload, &self.gpu.memory);
        self.at = self.next_record();
        let surface = self.gpu.record(record)?;
        Ok(surface.map(|surface| self.frame(&surface)))
    }

    fn frame(&mut self, surface: &Surface) -> Happened {
        self.frames += 1;
        let name = format!("{}x{} {}", surface.width, surface.height, surface.format);
        self.happened(Kind::Frame(self.frames - 1), name)
    }

    fn happened(&mut self, kind: Kind, name: String) -> Happened {
        self.gpu.finish();
        Happened {
            kind,
            name,
            begin: match kind {
                Kind::Draw => self.last.begin,
                _ => self.at,
            },
            uploaded: std::mem::take(&mut self.last.uploaded),
            object: self.last.object,
        }
    }

    /// One word of a PUSH.
    fn word(&mut self, word: u32) -> Result<Option<Happened>, isotherm::capture::Problem> {
        let (before, here) = (self.gpu.actions(), self.at);
        self.gpu.push(std::slice::from_ref(&word))?;
        self.at.word += 1;
        let mut list = std::mem::take(&mut self.list);
        std::mem::swap(
            &mut list,
            &mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner),
        );
        for heard in list.drain(..) {
            self.hear(heard, here);
        }
        self.list = list;
        if self.gpu.actions() == before || !self.last.drawn {
            return Ok(None);
        }
        self.last.drawn = false;
        let last = &self.last;
        let (kind, name) = match (last.clear, last.blit) {
            (Some(what), _) => (Kind::Clear, clear_name(what)),
            (None, Some((class, method))) => (Kind::Blit(class), blit_name(class, method)),
            _ => (Kind::Draw, primitive(last.primitive).to_string()),
        };
        Ok(Some(self.happened(kind, name)))
    }

    fn hear(&mut self, heard: Heard, here: Position) {
        match heard {
            Heard::Trap(trap) => self.mirror.trapped(trap),
            Heard::Method(class, method) if Class3d::of(class).is_some() => {
                self.last.object = Some((class, method.subchannel));
            }
            Heard::Method(class, method) => {
                self.last.blit = Some((class, method.method));
                (self.last.clear, self.last.drawn) = (None, true);
            }
            Heard::Event(event) => self.event(&event, here),
        }
    }

    fn event(&mut self, event: &Event, here: Position) {
        match *event {
            Event::Begin { prim } if !self.mirror.is_open() => {
                (self.last.begin, self.last.primitive) = (here, prim);
            }
            Event::End => {
                (self.last.clear, self.last.blit) = (None, None);
                self.last.drawn = true;
            }
            Event::Clear(what) => {
                (self.last.clear, self.last.blit) = (Some(what), None);
                self.last.drawn = true;
            }
            Event::Bundle { id, value, .. } => {
                if let Some(bundles) = self.bundles.as_mut().filter(|b| b.len() < MOST_BUNDLES) {
                    bundles.push((id, value));
                }
            }
            _ => {}
        }
        self.mirror.event(event, &self.gpu.memory);
    }
}

/// The parts of a clear, from the method's data.
fn clear_name(what: u32) -> String {
    let parts = [
        (0x01, "depth"),
        (0x02, "stencil"),
        (0x10, "red"),
        (0x20, "green"),
        (0x40, "blue"),
        (0x80, "alpha"),
    ];
    if what & 0xF0 == 0xF0 {
        let rest = parts[..2].iter().filter(|(bit, _)| what & bit != 0);
        let rest: Vec<&str> = rest.map(|(_, name)| *name).collect();
        return ["colour"]
            .into_iter()
            .chain(rest)
            .collect::<Vec<_>>()
            .join(", ");
    }
    let parts = parts.iter().filter(|(bit, _)| what & bit != 0);
    parts.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

fn blit_name(class: u32, method: u16) -> String {
    let known = u16::try_from(class).ok().and_then(Class::by_id);
    let kind = known.map_or("", |class| class.name);
    let label = known.and_then(|class| class.method(method));
    let label = label.map_or_else(|| format!("{method:04X}h"), |m| m.label(method));
    format!("{kind} {label}").trim().to_string()
}
