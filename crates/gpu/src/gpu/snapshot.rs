//! A chip with everything it remembers, kept in memory.

use super::Gpu;
use isotherm_bus::context::Context;
use isotherm_bus::objects::Objects;
use isotherm_capture::Problem;
use isotherm_regs::Chip;

/// Everything that a chip remembers, memory included.
#[derive(Clone, Debug)]
pub struct Snapshot {
    chip: Chip,
    context: Context,
    objects: Objects,
    registers: Vec<(u32, u32)>,
    pages: Vec<(u32, Box<[u8]>)>,
}

impl Snapshot {
    /// Roughly how much memory it takes.
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(|(_, page)| page.len() + 32).sum()
    }
}

impl Gpu {
    /// Everything that the chip remembers, if that can be said: not inside a primitive, and
    /// not of a Mali.
    pub fn snapshot(&mut self) -> Option<Snapshot> {
        let context = self.context()?;
        let pages = self.memory.pages();
        Some(Snapshot {
            chip: self.chip,
            context,
            objects: self.objects.clone(),
            registers: self.engine.registers(),
            pages: pages.map(|(addr, bytes)| (addr, bytes.into())).collect(),
        })
    }

    /// A chip as it was when the snapshot was made, with memory of the usual size.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Gpu, Problem> {
        let mut gpu = Gpu::new(snapshot.chip);
        gpu.objects = snapshot.objects.clone();
        for &(addr, value) in &snapshot.registers {
            gpu.engine.register(addr, value);
        }
        // Registers that order memory act before it is written.
        gpu.engine.before_access(&mut gpu.memory);
        for (addr, page) in &snapshot.pages {
            gpu.memory.write(*addr, page);
        }
        gpu.engine.restore(&snapshot.context, &mut gpu.memory)?;
        Ok(gpu)
    }
}
