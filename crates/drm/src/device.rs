//! The device: a thread that owns the chip, and the door to it.
//!
//! Drivers submit from many threads and from exit handlers, when thread-locals are gone
//! already. So nothing here depends on the caller's thread: it leaves a job, wakes the owner
//! and waits.

use crate::buffers::{Buffers, anonymous_file};
use crate::chips::{self, Board};
use crate::record::Recorder;
use crate::user::Errno;
use crate::{lima, nouveau};
use isotherm::budget::Limits;
use isotherm::gpu::Gpu;
use isotherm::memory::{Backing, Memory};
use isotherm::{Chip, Family};
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Size of an aperture of a chip with memory of its own.
const APERTURE: u64 = 256 << 20;

/// What the device's thread owns.
pub(crate) struct Card {
    pub board: Board,
    pub gpu: Gpu,
    pub buffers: Buffers,
    pub nouveau: nouveau::Channels,
    pub lima: lima::Contexts,
    /// Synchronisation objects; all work is done when a call returns, so all are signalled.
    pub syncobjs: BTreeMap<u32, ()>,
    pub next_syncobj: u32,
    pub recorder: Option<Recorder>,
}

impl Card {
    fn new(board: Board, file: OwnedFd) -> Result<Card, Errno> {
        let chip = board.chip;
        let (sizes, limits) = if chip.family() == Family::Utgard {
            ([1 << 32, 0], [1 << 30, 0])
        } else {
            ([APERTURE, APERTURE], [board.vram, board.gart])
        };
        let buffers = Buffers::new(file, sizes, limits)?;
        let [local, gart] = buffers.apertures().map(|(start, len)| {
            NonNull::new(start).map_or(Backing::Own(0), |start| Backing::Mapped(start, len))
        });
        let mut gpu = Gpu::new(chip);
        // SAFETY: the apertures stay mapped as long as the process lives, and drivers wait for
        // the chip before they touch what it works on.
        gpu.memory = unsafe { Memory::backed(chip, local, gart) }.map_err(|_| libc::ENOMEM)?;
        // A program that runs here may run for days, and asks for what it likes.
        gpu.set_budget(Limits::NONE);
        Ok(Card {
            board,
            gpu,
            buffers,
            nouveau: nouveau::Channels::default(),
            lima: lima::Contexts::default(),
            syncobjs: BTreeMap::new(),
            next_syncobj: 1,
            recorder: None,
        })
    }

    pub(crate) fn chip(&self) -> Chip {
        self.board.chip
    }
}

/// Work for the device's thread.
type Job = Box<dyn FnOnce(&mut Card) -> Result<(), Errno> + Send>;

/// Where a job waits, and its answer.
#[derive(Default)]
struct Desk {
    job: Option<Job>,
    answer: Option<Result<(), Errno>>,
    /// Somebody's job is on the desk.
    taken: bool,
}

/// The device of this process.
pub(crate) struct Device {
    desk: Mutex<Desk>,
    changed: Condvar,
    fd: RawFd,
    /// The process that made it: a child has no thread of ours.
    process: libc::pid_t,
}

impl Device {
    /// Plugs a board in.
    pub(crate) fn start(name: &str) -> Result<&'static Device, Errno> {
        let board = chips::board(name).ok_or(libc::ENODEV)?;
        let file = anonymous_file()?;
        let fd = file.as_raw_fd();
        let device: &'static Device = Box::leak(Box::new(Device {
            desk: Mutex::default(),
            changed: Condvar::new(),
            fd,
            // SAFETY: it takes nothing and cannot fail.
            process: unsafe { libc::getpid() },
        }));
        std::thread::Builder::new()
            .name("isotherm".into())
            .spawn(move || device.work(board, file))
            .map_err(|_| libc::ENOMEM)?;
        Ok(device)
    }

    /// Is it this process's own?
    pub(crate) fn is_ours(&self) -> bool {
        // SAFETY: it takes nothing and cannot fail.
        self.process == unsafe { libc::getpid() }
    }

    /// The file behind the device's descriptors.
    pub(crate) fn fd(&self) -> RawFd {
        self.fd
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
        self.changed
            .wait(desk)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a job done and waits for it.
    pub(crate) fn call(
        &self,
        job: impl FnOnce(&mut Card) -> Result<(), Errno> + Send + 'static,
    ) -> Result<(), Errno> {
        let mut desk = self.desk();
        while desk.taken {
            desk = self.wait(desk);
        }
        desk.taken = true;
        desk.job = Some(Box::new(job));
        self.changed.notify_all();
        loop {
            if let Some(answer) = desk.answer.take() {
                desk.taken = false;
                self.changed.notify_all();
                return answer;
            }
            desk = self.wait(desk);
        }
    }

    fn work(&self, board: Board, file: OwnedFd) {
        let mut card = Card::new(board, file);
        let mut desk = self.desk();
        loop {
            let Some(job) = desk.job.take() else {
                desk = self.wait(desk);
                continue;
            };
            drop(desk);
            // What the chip cannot do is the program's input/output error, not its end.
            let answer = match &mut card {
                Ok(card) => catch_unwind(AssertUnwindSafe(|| job(card))).unwrap_or(Err(libc::EIO)),
                Err(errno) => Err(*errno),
            };
            desk = self.desk();
            desk.answer = Some(answer);
            self.changed.notify_all();
        }
    }
}
