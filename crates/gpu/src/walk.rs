//! A capture to go through: its records, its draws, and the chip as it is after any of them.

use crate::gpu::{Gpu, Snapshot, start};
use crate::pipeline::VertexPair;
use isotherm_bus::budget::Limits;
use isotherm_bus::bundle::Event;
use isotherm_bus::observe::Observer;
use isotherm_capture::{Error, Image, Owned, Payload, Problem, Reader, Record, read_all};
use isotherm_regs::Chip;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Draws between two snapshots at first; twice as many whenever the snapshots take too much
/// memory.
const FIRST_INTERVAL: u64 = 64;
/// Bytes that all snapshots together may take.
const SNAPSHOT_BYTES: usize = 512 << 20;

/// A capture in memory.
///
/// ```no_run
/// let mut capture = isotherm::Capture::open("scene.cap.zst")?;
/// println!("{} draws", capture.draw_count()?);
/// let gpu = capture.seek(3)?;
/// println!("RASTER after draw 3: {:08x?}", gpu.word("RASTER", 0));
/// # Ok::<(), isotherm::capture::Error>(())
/// ```
pub struct Capture {
    chip: Chip,
    records: Vec<Owned>,
    threads: Option<usize>,
    budget: Limits,
    /// Where each draw ends, as far as they were looked for.
    draws: Vec<DrawPlace>,
    scan: Option<Scan>,
    interval: u64,
    snapshots: Vec<(Position, Snapshot)>,
    /// The chip that was sought last, and where it stands.
    gpu: Option<(Position, Gpu)>,
}

/// Between two words of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    record: usize,
    /// Words of that record that are done.
    word: usize,
    draws: u64,
}

/// A draw of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawPlace {
    /// Number, from 1.
    pub number: u64,
    /// What BEGIN said: 1 points … 10 polygon; 0 for the draws of a Mali.
    pub primitive: u8,
    /// Offset of the record that it ends in, in the decompressed file.
    pub offset: u64,
    end: Position,
}

/// Looks for draws with a chip that draws nothing.
struct Scan {
    gpu: Gpu,
    at: Position,
    primitive: Arc<Mutex<u8>>,
}

struct Primitives(Arc<Mutex<u8>>);

impl Observer for Primitives {
    fn event(&mut self, event: &Event) {
        if let Event::Begin { prim } = event {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = *prim;
        }
    }
}

impl Scan {
    fn new(chip: Chip) -> Scan {
        let mut gpu = Gpu::new(chip);
        let primitive = Arc::new(Mutex::new(0));
        gpu.set_drawing(false);
        gpu.set_observer(Some(Box::new(Primitives(primitive.clone()))));
        Scan {
            gpu,
            at: Position::default(),
            primitive,
        }
    }

    /// Runs up to the end of the next draw; `None` at the end of the capture.
    fn next(&mut self, records: &[Owned]) -> Result<Option<DrawPlace>, Error> {
        while let Some(record) = records.get(self.at.record) {
            let offset = record.offset;
            let before = self.gpu.draws();
            match record.push_words() {
                Some(words) => {
                    let rest = &words[self.at.word..];
                    let stop = |gpu: &mut Gpu| gpu.draws() != before;
                    let taken = self.gpu.push_until(rest, stop);
                    self.at.word += taken.map_err(|problem| Error { offset, problem })?;
                    if self.at.word == words.len() {
                        self.at = self.at.next_record();
                    }
                }
                None => {
                    self.gpu.record(record.record())?;
                    self.at = self.at.next_record();
                }
            }
            if self.gpu.draws() != before {
                self.at.draws = self.gpu.draws();
                let primitive = *self
                    .primitive
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                return Ok(Some(DrawPlace {
                    number: self.at.draws,
                    primitive,
                    offset,
                    end: self.at,
                }));
            }
        }
        Ok(None)
    }
}

impl Position {
    fn next_record(self) -> Position {
        Position {
            record: self.record + 1,
            word: 0,
            ..self
        }
    }
}

impl Capture {
    /// Reads a file, compressed or not.
    pub fn open(path: impl AsRef<Path>) -> Result<Capture, Error> {
        let io = |e: std::io::Error| Error {
            offset: 0,
            problem: Problem::Io(e),
        };
        Capture::read(Reader::new(std::fs::File::open(path).map_err(io)?)?)
    }

    /// Reads all records of a capture.
    pub fn read(mut reader: Reader<'_>) -> Result<Capture, Error> {
        let chip = start(&mut reader)?.chip();
        Ok(Capture {
            chip,
            records: read_all(&mut reader)?,
            threads: None,
            budget: Limits::usual(),
            draws: Vec::new(),
            scan: Some(Scan::new(chip)),
            interval: FIRST_INTERVAL,
            snapshots: Vec::new(),
            gpu: None,
        })
    }

    /// The chip it was made with.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// How many threads may draw; all cores unless it is said.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = Some(threads);
        if let Some((_, gpu)) = &mut self.gpu {
            gpu.set_threads(threads);
        }
    }

    /// What a replay may cost; as much as [`Limits::usual`] says unless it is said. What was
    /// found out already stays.
    pub fn set_budget(&mut self, limits: Limits) {
        self.budget = limits;
        if let Some((_, gpu)) = &mut self.gpu {
            gpu.set_budget(limits);
        }
        if let Some(scan) = &mut self.scan {
            scan.gpu.set_budget(limits);
        }
    }

    /// A chip that has replayed nothing.
    pub(crate) fn new_gpu(&self) -> Gpu {
        let mut gpu = Gpu::new(self.chip);
        gpu.set_budget(self.budget);
        gpu
    }

    /// All records behind INFO, in order.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.records.iter().map(Owned::record)
    }

    /// Draw `number`, from 1; `None` if there are not so many. Looks no further than it must.
    pub fn draw(&mut self, number: u64) -> Result<Option<DrawPlace>, Error> {
        let index = number.checked_sub(1).and_then(|i| usize::try_from(i).ok());
        let Some(index) = index else {
            return Ok(None);
        };
        while self.draws.len() <= index {
            let Some(scan) = &mut self.scan else {
                return Ok(None);
            };
            match scan.next(&self.records)? {
                Some(draw) => self.draws.push(draw),
                None => self.scan = None,
            }
        }
        Ok(self.draws.get(index).copied())
    }

    /// How many draws there are. Looks through the whole capture.
    pub fn draw_count(&mut self) -> Result<u64, Error> {
        while self.draw(self.draws.len() as u64 + 1)?.is_some() {}
        Ok(self.draws.len() as u64)
    }

    /// The chip when so many draws are done: 0 is the beginning. If there are fewer, the end.
    /// Going back is quick: the nearest of some snapshots is where it begins.
    pub fn seek(&mut self, draws: u64) -> Result<&mut Gpu, Error> {
        let end = match self.draw(draws)? {
            Some(draw) => draw.end,
            None if draws == 0 => Position::default(),
            None => Position {
                record: self.records.len(),
                word: 0,
                draws: self.draws.len() as u64,
            },
        };
        let mut at = self.nearest(end)?;
        // Snapshots are made on the way.
        while at.0 < end {
            let stop = (at.0.draws / self.interval + 1) * self.interval;
            let next = match stop < end.draws {
                true => self.draw(stop)?.map_or(end, |draw| draw.end),
                false => end,
            };
            run(&mut at.1, &self.records, at.0, next)?;
            at.0 = next;
            if next != end {
                self.keep_snapshot(next, &mut at.1);
            }
        }
        at.1.finish();
        Ok(&mut self.gpu.insert(at).1)
    }

    /// A chip that stands at or before a position.
    fn nearest(&mut self, end: Position) -> Result<(Position, Gpu), Error> {
        let behind = |(at, _): &&(Position, Snapshot)| *at <= end;
        let snapshot = self
            .snapshots
            .iter()
            .filter(behind)
            .max_by_key(|(at, _)| *at);
        let from = snapshot.map_or(Position::default(), |(at, _)| *at);
        if let Some(at) = self.gpu.take_if(|(at, _)| *at <= end && *at >= from) {
            return Ok(at);
        }
        let gpu = match snapshot {
            Some((_, snapshot)) => Gpu::from_snapshot(snapshot),
            None => Ok(Gpu::new(self.chip)),
        };
        let mut gpu = gpu.map_err(|problem| Error { offset: 0, problem })?;
        gpu.set_budget(self.budget);
        if let Some(threads) = self.threads {
            gpu.set_threads(threads);
        }
        Ok((from, gpu))
    }

    /// Keeps a snapshot, if there is room.
    fn keep_snapshot(&mut self, at: Position, gpu: &mut Gpu) {
        if self.snapshots.iter().any(|(kept, _)| *kept == at) {
            return;
        }
        self.snapshots.push((at, gpu.snapshot()));
        let bytes =
            |all: &[(Position, Snapshot)]| all.iter().map(|(_, s)| s.bytes()).sum::<usize>();
        while bytes(&self.snapshots) > SNAPSHOT_BYTES && self.snapshots.len() > 1 {
            self.interval = self.interval.saturating_mul(2);
            let interval = self.interval;
            let before = self.snapshots.len();
            self.snapshots
                .retain(|(at, _)| at.draws.is_multiple_of(interval));
            if self.snapshots.len() == before {
                self.snapshots.pop();
            }
        }
    }

    /// The picture that a draw goes to, before and after it; `None` if it goes to none.
    pub fn target(&mut self, draw: u64) -> Result<Option<[Image; 2]>, Error> {
        let Some(target) = self.seek(draw)?.render_target() else {
            return Ok(None);
        };
        let after = self.seek(draw)?.read_surface(&target);
        let before = self.seek(draw.saturating_sub(1))?.read_surface(&target);
        Ok(Some([before, after]))
    }

    /// The vertices of a draw in the order in which they went through XF, each as it went in
    /// and as it came out. None for a Mali.
    pub fn vertices(&mut self, draw: u64) -> Result<Vec<VertexPair>, Error> {
        let Some(place) = self.draw(draw)? else {
            return Ok(Vec::new());
        };
        self.seek(draw - 1)?;
        let Some((at, mut gpu)) = self.gpu.take() else {
            return Ok(Vec::new());
        };
        gpu.inspect_draws(true);
        run(&mut gpu, &self.records, at, place.end)?;
        let vertices = gpu.draw_vertices();
        gpu.inspect_draws(false);
        self.gpu = Some((place.end, gpu));
        Ok(vertices)
    }
}

/// Runs the records between two positions.
fn run(gpu: &mut Gpu, records: &[Owned], from: Position, to: Position) -> Result<(), Error> {
    let mut at = from;
    while (at.record, at.word) < (to.record, to.word) {
        let Some(record) = records.get(at.record) else {
            break;
        };
        match record.push_words() {
            Some(words) => {
                let end = if at.record == to.record {
                    to.word
                } else {
                    words.len()
                };
                let payload = Payload::Push(words.get(at.word..end).unwrap_or_default());
                let offset = record.offset;
                gpu.record(Record { offset, payload })?;
            }
            None => {
                gpu.record(record.record())?;
            }
        }
        at = at.next_record();
    }
    Ok(())
}
