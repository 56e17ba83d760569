//! A chip with everything it remembers, kept in memory.

use super::{Engine, Gpu, Mali, Nvidia, Oddities};
use isotherm_bus::context::Context;
use isotherm_bus::objects::Objects;
use isotherm_capture::Problem;
use isotherm_regs::{Chip, Family};
use std::collections::HashMap;
use std::sync::Arc;

/// Everything that a chip remembers, memory included.
#[derive(Clone, Debug)]
pub struct Snapshot {
    chip: Chip,
    context: Context,
    objects: Objects,
    registers: Vec<(u32, u32)>,
    pages: Vec<(u32, Arc<[u8]>)>,
    /// Bytes that the snapshot before it does not have.
    own: usize,
}

impl Snapshot {
    /// Roughly how much memory it takes.
    pub fn bytes(&self) -> usize {
        let pages = self.pages.iter().map(|(_, page)| page.len() + 32);
        pages.sum::<usize>() + 4 * self.context.inner.len()
    }

    /// Roughly how much memory it takes besides the snapshot that it was made after.
    pub fn own_bytes(&self) -> usize {
        self.own + 32 * self.pages.len()
    }
}

/// An engine after reset.
pub(super) fn engine(chip: Chip) -> Box<dyn Engine> {
    match chip.family() {
        Family::Utgard => Box::new(Mali::new()),
        _ => Box::new(Nvidia::new(chip)),
    }
}

impl Gpu {
    /// Everything that the chip remembers: between any two methods or jobs.
    pub fn snapshot(&mut self) -> Snapshot {
        self.snapshot_after(None)
    }

    /// The same; pages that another snapshot holds with the same bytes are shared with it.
    pub fn snapshot_after(&mut self, before: Option<&Snapshot>) -> Snapshot {
        let context = self.context();
        let known = before.map_or(&[][..], |before| &before.pages);
        let known: HashMap<u32, &Arc<[u8]>> = known.iter().map(|(a, p)| (*a, p)).collect();
        let mut own = 0;
        let keep = |(addr, bytes): (u32, &[u8])| {
            let shared = known.get(&addr).filter(|page| ****page == *bytes);
            let page = shared.map(|page| Arc::clone(page)).unwrap_or_else(|| {
                own += bytes.len();
                bytes.into()
            });
            (addr, page)
        };
        let pages = self.memory.pages().map(keep).collect();
        Snapshot {
            chip: self.chip,
            own: own + 4 * context.inner.len(),
            context,
            objects: self.objects.clone(),
            registers: self.engine.registers(),
            pages,
        }
    }

    /// A chip as it was when the snapshot was made, with memory of the usual size.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Gpu, Problem> {
        let mut gpu = Gpu::new(snapshot.chip);
        gpu.restore(snapshot)?;
        Ok(gpu)
    }

    /// Puts the chip back to where it was when the snapshot was made. Nobody observes,
    /// watches or hosts it then, and it has as many threads as a new one.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Problem> {
        self.fresh_engine();
        self.objects = snapshot.objects.clone();
        for &(addr, value) in &snapshot.registers {
            self.engine.register(addr, value);
        }
        // Registers that order memory act before it is written.
        self.engine.before_access(&mut self.memory);
        let kept = snapshot.pages.iter().map(|(addr, page)| (*addr, &**page));
        self.fill(kept.collect());
        self.engine.restore(&snapshot.context, &mut self.memory)
    }

    /// The chip after reset, its memory all zero.
    pub fn reset(&mut self) {
        self.fresh_engine();
        self.objects = Objects::default();
        self.fill(HashMap::new());
    }

    fn fresh_engine(&mut self) {
        self.engine = engine(self.chip);
        self.oddities = Oddities::default();
    }

    /// Writes pages of memory; what is in no page becomes zero.
    fn fill(&mut self, pages: HashMap<u32, &[u8]>) {
        let stale = |(addr, bytes): (u32, &[u8])| {
            (!pages.contains_key(&addr)).then_some((addr, bytes.len()))
        };
        let stale: Vec<(u32, usize)> = self.memory.pages().filter_map(stale).collect();
        for (addr, len) in stale {
            self.memory.bytes_mut(addr, len).fill(0);
        }
        for (addr, page) in pages {
            if self.memory.bytes(addr, page.len()) != page {
                self.memory.write(addr, page);
            }
        }
    }
}
