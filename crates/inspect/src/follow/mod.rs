//! A capture draw by draw, with the state that each draw sees. NVIDIA chips; a Mali's jobs are
//! in `mali.rs`.

pub mod mali;
mod mirror;
mod shapes;
pub mod target;

pub use mirror::{Mesh, Mirror};
pub use shapes::{Shape, shapes};

use anyhow::Context as _;
use isotherm::bundle::Event;
use isotherm::capture::{Payload, Reader, Record, Surface};
use isotherm::gpu::Gpu;
use isotherm::observe::Observer;
use isotherm::trap::Trap;
use std::sync::{Arc, Mutex, PoisonError};

/// What comes by.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// A draw begins: memory is as it was before, the state is the draw's.
    Begin(u64),
    /// The same draw is over.
    End(u64),
    /// A picture is to be looked at.
    Surface(&'a Surface),
}

/// What a follower wants next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// More.
    Go,
    /// It has seen enough.
    Stop,
}

#[derive(Clone, Copy)]
enum Seen {
    Event(Event),
    Trap(Trap),
}

struct Listener(Arc<Mutex<Vec<Seen>>>);

impl Listener {
    fn push(&self, seen: Seen) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(seen);
    }
}

impl Observer for Listener {
    fn event(&mut self, event: &Event) {
        self.push(Seen::Event(*event));
    }

    fn trap(&mut self, trap: &Trap) {
        self.push(Seen::Trap(*trap));
    }
}

/// Runs a capture on a chip and calls `see` at each step. Vertices are kept for the draws that
/// `meshes` asks for.
pub fn follow(
    reader: &mut Reader<'_>,
    gpu: &mut Gpu,
    meshes: impl Fn(u64) -> bool,
    mut see: impl FnMut(Step<'_>, &mut Gpu, &Mirror) -> anyhow::Result<Next>,
) -> anyhow::Result<()> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    gpu.set_observer(Some(Box::new(Listener(heard.clone()))));
    let mut mirror = Mirror::new(gpu.chip());
    while let Some(record) = reader.next_record()? {
        let Record { offset, payload } = record;
        let Payload::Push(words) = payload else {
            mirror.load(&payload, &gpu.memory);
            if let Some(surface) = gpu.record(Record { offset, payload })?
                && see(Step::Surface(&surface), gpu, &mirror)? == Next::Stop
            {
                break;
            }
            continue;
        };
        if push(words, gpu, &mut mirror, &heard, &meshes, &mut see)
            .with_context(|| format!("record at {offset:#x}"))?
            == Next::Stop
        {
            break;
        }
    }
    gpu.set_observer(None);
    Ok(())
}

fn push(
    words: &[u32],
    gpu: &mut Gpu,
    mirror: &mut Mirror,
    heard: &Mutex<Vec<Seen>>,
    meshes: &impl Fn(u64) -> bool,
    see: &mut impl FnMut(Step<'_>, &mut Gpu, &Mirror) -> anyhow::Result<Next>,
) -> anyhow::Result<Next> {
    let mut list = Vec::new();
    for word in words {
        gpu.push(std::slice::from_ref(word))?;
        std::mem::swap(
            &mut list,
            &mut *heard.lock().unwrap_or_else(PoisonError::into_inner),
        );
        for seen in list.drain(..) {
            let event = match seen {
                Seen::Event(event) => event,
                Seen::Trap(trap) => {
                    mirror.trapped(trap);
                    continue;
                }
            };
            let next = gpu.draws() + 1;
            let step = match event {
                Event::Begin { .. } if !mirror.is_open() => {
                    mirror.collect(meshes(next));
                    Some(Step::Begin(next))
                }
                Event::End => Some(Step::End(gpu.draws())),
                _ => None,
            };
            mirror.event(&event, &gpu.memory);
            let Some(step) = step else { continue };
            gpu.finish();
            if see(step, gpu, mirror)? == Next::Stop {
                return Ok(Next::Stop);
            }
            if matches!(step, Step::End(_)) {
                mirror.forget_traps();
            }
        }
    }
    Ok(Next::Go)
}

/// How many draws a capture has; nothing is drawn.
pub fn count_draws(reader: &mut Reader<'_>) -> anyhow::Result<u64> {
    let mut gpu = isotherm::gpu::start(reader)?;
    gpu.set_drawing(false);
    let mut mali = 0;
    while let Some(record) = reader.next_record()? {
        if let Payload::Pp(job) = &record.payload
            && let Some(machine) = gpu.mali()
        {
            mali += isotherm::mali::trace::draws(machine, &gpu.memory, job.frame)?.len() as u64;
        }
        gpu.record(record)?;
    }
    Ok(if gpu.mali().is_some() {
        mali
    } else {
        gpu.draws()
    })
}
