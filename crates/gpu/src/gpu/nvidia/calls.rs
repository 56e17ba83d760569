//! What the chip calls its host for: interrupts, notifiers, flips, semaphores, and that memory
//! was written.

use super::puller::Pull;
use super::{Bus, Nvidia};
use crate::host::{Answer, Flip, Host, Outcome, Wait};
use crate::surface::SurfaceView;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::method::Method;
use isotherm_bus::saved::Saved;
use isotherm_bus::trap::Trap;
use isotherm_fe::fifo::Ahead;
use isotherm_fe::{Fe, Register};
use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{NOTIFY, SURF_TYPE};

/// Methods that every class has.
mod method {
    use isotherm_regs::method::kelvin;

    pub const NOTIFY: u16 = kelvin::NOTIFY.at;
    pub const FLIP_STALL: u16 = kelvin::FLIP_STALL.at;
    pub const DMA_NOTIFY: u16 = kelvin::DMA_NOTIFY.at;
}

/// The host, and what is remembered on its behalf.
pub(super) struct Calls {
    host: Option<Box<dyn Host>>,
    /// The notifier of each subchannel's object.
    notifiers: [DmaSpan; 8],
    /// Everything written up to this time is known to the host.
    told: u32,
    /// A semaphore or report was written since.
    pub released: bool,
    /// The front end's registers of pending notifications and of the flip counters.
    registers: Option<[Register; 2]>,
    /// Stop behind a FLIP_STALL, and remember what it shows.
    stop_at_flips: bool,
    flipped: Option<Flip>,
}

fn counter(surf_type: u32, field: Field) -> u8 {
    field.read(surf_type) as u8
}

impl Calls {
    pub(super) fn new() -> Calls {
        let registers = Fe::register("notify").zip(Fe::register("surf_type"));
        Calls {
            host: None,
            notifiers: [DmaSpan::default(); 8],
            told: 0,
            released: false,
            registers: registers.map(<[_; 2]>::from),
            stop_at_flips: false,
            flipped: None,
        }
    }

    /// What is remembered of the chip's; the host is another matter.
    pub(super) fn saved(&mut self, saved: &mut Saved) {
        self.notifiers.iter_mut().for_each(|span| saved.span(span));
    }

    /// From now on pushes end behind a FLIP_STALL, or no longer.
    pub(super) fn set_stop_at_flips(&mut self, on: bool) {
        self.stop_at_flips = on;
        self.flipped = None;
    }

    /// Must a run of methods be taken word by word, because a flip is among them?
    #[inline]
    pub(super) fn flips_in(&self, ahead: &Ahead) -> bool {
        let end = usize::from(ahead.method) + usize::from(ahead.step) * ahead.words;
        self.stop_at_flips
            && ahead.method <= method::FLIP_STALL
            && (ahead.step == 0 || usize::from(method::FLIP_STALL) < end)
    }

    /// Has a push come to its end because of a flip?
    #[inline]
    pub(super) fn at_flip(&self) -> bool {
        self.flipped.is_some()
    }

    /// The flip that ended the last push.
    pub(super) fn take_flip(&mut self) -> Option<Flip> {
        self.flipped.take()
    }

    pub(super) fn set_host(&mut self, host: Option<Box<dyn Host>>) {
        self.host = host;
    }

    /// Does anybody answer?
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.host.is_some()
    }

    /// What was written since the host was told is not the chip's doing.
    pub(super) fn skip_writes(&mut self, memory: &Memory) {
        if self.any() {
            self.told = memory.now();
        }
    }

    /// Tells the host what the chip wrote.
    pub(super) fn tell_writes(&mut self, memory: &Memory) {
        self.released = false;
        if let Some(host) = &mut self.host
            && host.wants_writes()
        {
            for (address, len) in memory.written_since(self.told) {
                host.wrote(address, len);
            }
            self.told = memory.now();
        }
    }

    fn ask(&mut self, ask: impl FnOnce(&mut dyn Host) -> Answer) -> Answer {
        match &mut self.host {
            Some(host) => ask(&mut **host),
            None => Answer::Go,
        }
    }
}

fn outcome(answer: Answer, wait: impl FnOnce() -> Wait) -> Outcome {
    Outcome {
        trap: None,
        wait: (answer == Answer::Wait).then(wait),
    }
}

impl Nvidia {
    /// Everything so far goes to memory, and the host hears of it.
    fn settle(&mut self, memory: &mut Memory) {
        self.back.pipeline.flush(memory);
        self.calls.tell_writes(memory);
    }

    /// The front end raised an interrupt.
    #[cold]
    pub(super) fn interrupt(&mut self, trap: Trap, bus: &mut Bus<'_>) -> Outcome {
        self.back.trapped(&trap, bus.odd);
        if !self.calls.any() {
            let (trap, wait) = (Some(trap), None);
            return Outcome { trap, wait };
        }
        self.settle(bus.memory);
        let answer = self.calls.ask(|host| host.interrupt(&trap));
        Outcome {
            trap: Some(trap),
            ..outcome(answer, || Wait::Interrupt(trap))
        }
    }

    /// A method of the puller; `None` if it is another's.
    #[cold]
    pub(super) fn pull(&mut self, m: Method, bus: &mut Bus<'_>) -> Option<Outcome> {
        let pull = self.puller.method(self.chip, m, bus.objects)?;
        match pull {
            Pull::Done => {}
            Pull::Release { address, value } => {
                self.back.pipeline.flush(bus.memory);
                bus.memory.write_u32(address, value);
                self.calls.tell_writes(bus.memory);
            }
            // In a replay nobody could write the word that is waited for.
            Pull::Acquire { address, value } if self.calls.any() => {
                if pull.waits(bus.memory) {
                    self.settle(bus.memory);
                }
                if pull.waits(bus.memory) {
                    let wait = Some(Wait::Semaphore { address, value });
                    return Some(Outcome { trap: None, wait });
                }
            }
            Pull::Acquire { .. } => {}
        }
        Some(Outcome::default())
    }

    /// What a method that ran means to the host.
    pub(super) fn call_host(&mut self, m: Method, bus: &mut Bus<'_>) -> Outcome {
        let subchannel = usize::from(m.subchannel & 7);
        if std::mem::take(&mut self.calls.released) {
            self.calls.tell_writes(bus.memory);
        }
        match m.method {
            method::DMA_NOTIFY => {
                let object = bus.objects.get(m.data);
                self.calls.notifiers[subchannel] = object.map_or(DmaSpan::default(), |o| o.span);
                Outcome::default()
            }
            method::NOTIFY => self.notify(self.calls.notifiers[subchannel], m.data, bus),
            method::FLIP_STALL if self.bound_3d[subchannel] => {
                self.settle(bus.memory);
                let flip = self.flip();
                let answer = self.calls.ask(|host| host.flip(&flip));
                outcome(answer, || Wait::Flip(flip))
            }
            _ => Outcome::default(),
        }
    }

    /// Writes the notifier: 64 bits of time, 32 of information, 16 more, 16 of status; all 0,
    /// for there is no clock, and status 0 is "done".
    fn notify(&mut self, notifier: DmaSpan, mode: u32, bus: &mut Bus<'_>) -> Outcome {
        const BYTES: usize = 16;
        self.back.pipeline.flush(bus.memory);
        if let Some([pending, _]) = &self.calls.registers {
            let value = self.fe.get(pending).unwrap_or(0);
            self.fe
                .set(pending, NOTIFY::PENDING.with(self.chip, value, 0));
        }
        if (notifier.limit as usize) < BYTES - 1 {
            return Outcome::default();
        }
        bus.memory.write(notifier.base, &[0; BYTES]);
        self.calls.tell_writes(bus.memory);
        let awaken = mode & 1 != 0;
        let answer = self.calls.ask(|host| host.notify(notifier.base, awaken));
        outcome(answer, || Wait::Notify(notifier.base))
    }

    /// Notes a FLIP_STALL for those who stop there.
    #[inline]
    pub(super) fn note_flip(&mut self, m: Method) {
        if self.calls.stop_at_flips
            && m.method == method::FLIP_STALL
            && self.bound_3d[usize::from(m.subchannel & 7)]
        {
            self.calls.flipped = Some(self.flip());
        }
    }

    fn flip(&mut self) -> Flip {
        let registers = self.calls.registers.as_ref();
        let counters = registers
            .and_then(|[_, surf_type]| self.fe.get(surf_type))
            .unwrap_or(0);
        Flip {
            surface: SurfaceView::color(&self.back.pipeline.surfaces()),
            write: counter(counters, SURF_TYPE::FLIP_WRITE),
            read: counter(counters, SURF_TYPE::FLIP_READ),
            modulo: counter(counters, SURF_TYPE::FLIP_MODULO),
        }
    }

    /// The display went on to the next picture.
    pub(super) fn advance_flip_read(&mut self) {
        let Some([_, surf_type]) = &self.calls.registers else {
            return;
        };
        let mut word = self.fe.get(surf_type).unwrap_or(0);
        let modulo = counter(word, SURF_TYPE::FLIP_MODULO);
        // Three bits: a counter without a modulo begins again by itself.
        let next = match counter(word, SURF_TYPE::FLIP_READ) + 1 {
            next if next == modulo => 0,
            next => next,
        };
        SURF_TYPE::FLIP_READ.write(&mut word, next.into());
        self.fe.set(surf_type, word);
    }
}
