//! Makes chips to order.

use super::{Gpu, Host};
use isotherm_bus::budget::Limits;
use isotherm_bus::memory::{Backing, Memory, MemoryError};
use isotherm_regs::Chip;
use std::ptr::NonNull;

/// What a chip is to be like; [`Gpu::builder`] begins it.
///
/// ```
/// use isotherm::{Chip, Gpu};
/// // The arcade board: the console's chip with twice its memory.
/// let gpu = Gpu::builder(Chip::Nv2a).memory_size(128 << 20).threads(2).build()?;
/// assert_eq!(gpu.chip(), Chip::Nv2a);
/// # Ok::<(), isotherm::MemoryError>(())
/// ```
pub struct Builder {
    chip: Chip,
    threads: Option<usize>,
    local: Option<Backing>,
    gart: Option<Backing>,
    checked: bool,
    host: Option<Box<dyn Host>>,
    budget: Limits,
}

impl Builder {
    pub(super) fn new(chip: Chip) -> Builder {
        Builder {
            chip,
            threads: None,
            local: None,
            gart: None,
            checked: false,
            host: None,
            budget: Limits::usual(),
        }
    }

    /// How many threads may draw; all cores unless it is said. The picture does not depend on
    /// it.
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = Some(threads);
        self
    }

    /// Bytes of the chip's own memory: the console's unified memory (64 MiB, or 128 MiB in
    /// arcade boards), the frame buffer of the others, the topmost addresses of a Mali.
    pub fn memory_size(mut self, bytes: usize) -> Builder {
        self.local = Some(Backing::Own(bytes));
        self
    }

    /// Bytes of system memory that a chip with memory of its own reaches, at addresses with
    /// bit 31 set.
    pub fn gart_size(mut self, bytes: usize) -> Builder {
        self.gart = Some(Backing::Own(bytes));
        self
    }

    /// The guest's memory itself instead of memory of our own: nothing is copied, and what is
    /// drawn appears there. Tell the chip what the CPU writes ([`Gpu::cpu_wrote`]).
    ///
    /// # Safety
    /// As for [`Memory::backed`]: for as long as the chip lives the pointer must be valid for
    /// reads and writes of `len` initialised bytes. While a method of the [`Gpu`] runs, no
    /// other thread may write to bytes that the chip reads, nor touch bytes that it writes;
    /// between two calls anybody may.
    pub unsafe fn memory_mapped(mut self, start: NonNull<u8>, len: usize) -> Builder {
        self.local = Some(Backing::Mapped(start, len));
        self
    }

    /// The same for system memory.
    ///
    /// # Safety
    /// As for [`Builder::memory_mapped`].
    pub unsafe fn gart_mapped(mut self, start: NonNull<u8>, len: usize) -> Builder {
        self.gart = Some(Backing::Mapped(start, len));
        self
    }

    /// For embedders who cannot tell what the CPU writes: textures are compared with what they
    /// were whenever they are used, which costs reading them.
    pub fn check_memory(mut self, on: bool) -> Builder {
        self.checked = on;
        self
    }

    /// Whom the chip calls. With a host, methods run one at a time, which makes the front end
    /// slower; what is behind it stays as fast.
    pub fn host(mut self, host: impl Host + 'static) -> Builder {
        self.host = Some(Box::new(host));
        self
    }

    /// What commands may cost; see [`Limits`]. The usual limits are far above what drivers ask
    /// for, and keep a few hundred bytes of somebody's capture from asking for days.
    pub fn budget(mut self, limits: Limits) -> Builder {
        self.budget = limits;
        self
    }

    /// Makes the chip.
    pub fn build(self) -> Result<Gpu, MemoryError> {
        let mut memory = match (self.local, self.gart) {
            (None, None) => Memory::usual(self.chip)?,
            (local, gart) => {
                let local = local.unwrap_or(Backing::Own(Memory::usual_size(self.chip)));
                let gart = gart.unwrap_or(Backing::Own(0));
                // SAFETY: who gave a mapping vouched for it.
                unsafe { Memory::backed(self.chip, local, gart)? }
            }
        };
        memory.set_checked(self.checked);
        memory.set_budget(self.budget);
        let mut gpu = Gpu::with_memory(self.chip, memory);
        gpu.checked = self.checked;
        if let Some(threads) = self.threads {
            gpu.set_threads(threads);
        }
        gpu.engine.set_host(self.host);
        Ok(gpu)
    }
}
