//! PFIFO's own methods, below 100h: the same for every class.

use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::method::Method;
use isotherm_bus::objects::Objects;
use isotherm_bus::saved::Saved;
use isotherm_regs::Chip;

/// Method addresses, from envytools' description of the puller.
mod method {
    pub const REFERENCE: u16 = 0x50;
    pub const SEMAPHORE_OBJECT: u16 = 0x60;
    pub const SEMAPHORE_OFFSET: u16 = 0x64;
    pub const SEMAPHORE_ACQUIRE: u16 = 0x68;
    pub const SEMAPHORE_RELEASE: u16 = 0x6C;
}

/// The puller's registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Puller {
    semaphore: DmaSpan,
    offset: u32,
    /// What REF_CNT was last set to.
    pub reference: u32,
}

/// What a method of the puller asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pull {
    /// Nothing more: it is done.
    Done,
    /// Write this word when everything before is in memory.
    Release { address: u32, value: u32 },
    /// Go on only when memory holds this word.
    Acquire { address: u32, value: u32 },
}

impl Puller {
    /// All words.
    pub(super) fn saved(&mut self, saved: &mut Saved) {
        let Puller {
            semaphore,
            offset,
            reference,
        } = self;
        saved.span(semaphore);
        saved.words([offset, reference]);
    }

    /// A method; `None` if it is none of the puller's.
    pub(super) fn method(&mut self, chip: Chip, m: Method, objects: &Objects) -> Option<Pull> {
        // NV10 and NV15 have no semaphores.
        let semaphores = !matches!(chip, Chip::Nv10 | Chip::Nv15);
        let (address, value) = (self.semaphore.base.wrapping_add(self.offset), m.data);
        let inside = self.offset <= self.semaphore.limit;
        match m.method {
            method::REFERENCE => self.reference = m.data,
            method::SEMAPHORE_OBJECT if semaphores => {
                self.semaphore = objects.get(m.data).map_or(DmaSpan::default(), |o| o.span);
            }
            method::SEMAPHORE_OFFSET if semaphores => self.offset = m.data & !3,
            method::SEMAPHORE_ACQUIRE if semaphores && inside => {
                return Some(Pull::Acquire { address, value });
            }
            method::SEMAPHORE_RELEASE if semaphores && inside => {
                return Some(Pull::Release { address, value });
            }
            method::SEMAPHORE_ACQUIRE | method::SEMAPHORE_RELEASE if semaphores => {}
            _ => return None,
        }
        Some(Pull::Done)
    }
}

impl Pull {
    /// Must the chip wait?
    pub(super) fn waits(self, memory: &Memory) -> bool {
        matches!(self, Pull::Acquire { address, value } if memory.read_u32(address) != value)
    }
}
