//! The device: a thread that owns the chip, and the door to it.
//!
//! Drivers submit from many threads and from exit handlers, when thread-locals are gone
//! already. So nothing here depends on the caller's thread: it leaves a job, wakes the owner
//! and waits.

use crate::buffers::{Buffers, Space, anonymous_file};
use crate::chips::{self, Board};
use crate::hook::{FileId, file_id};
use crate::record::Recorder;
use crate::stats::Stats;
use crate::user::Errno;
use crate::{lima, nouveau};
use isotherm::budget::Limits;
use isotherm::gpu::Gpu;
use isotherm::memory::{Backing, Memory};
use isotherm::{Chip, Family};
use std::collections::BTreeSet;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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
    pub syncobjs: BTreeSet<u32>,
    pub next_syncobj: u32,
    pub recorder: Option<Recorder>,
    pub stats: Stats,
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
            syncobjs: BTreeSet::new(),
            next_syncobj: 1,
            recorder: None,
            stats: Stats::new(),
        })
    }

    /// Makes a buffer, all zero: what the chip remembers of its place is forgotten.
    pub(crate) fn create(&mut self, size: u64, align: u64, space: Space) -> Result<u32, Errno> {
        let handle = self.buffers.create(size, align, space)?;
        self.placed(handle)?;
        Ok(handle)
    }

    /// Makes a buffer of a file that another process shares.
    pub(crate) fn import(&mut self, fd: RawFd) -> Result<u32, Errno> {
        let handle = self.buffers.import(fd, Space::Vram)?;
        self.placed(handle)?;
        Ok(handle)
    }

    fn placed(&mut self, handle: u32) -> Result<(), Errno> {
        let buffer = self.buffers.get(handle)?;
        let (addr, len) = (buffer.address(), buffer.size as usize);
        self.gpu.cpu_wrote(addr, len);
        if let Some(recorder) = &mut self.recorder {
            recorder.fresh(addr, len);
        }
        Ok(())
    }

    /// Moves a buffer to the other aperture.
    pub(crate) fn relocate(&mut self, handle: u32, space: Space) -> Result<(), Errno> {
        let old = *self.buffers.get(handle)?;
        self.buffers.relocate(handle, space)?;
        self.stats.moved += 1;
        let new = *self.buffers.get(handle)?;
        let (from, to, len) = (old.address(), new.address(), old.size as usize);
        self.gpu.cpu_wrote(from, len);
        self.gpu.cpu_wrote(to, len);
        if let Some(recorder) = &mut self.recorder {
            recorder.moved(from, to, len, &self.gpu.memory);
        }
        Ok(())
    }

    /// Tells the chip, and the recording, what the driver may have written: buffers of the
    /// submission's list that it has mapped.
    pub(crate) fn announce(&mut self, handle: u32) -> Result<(), Errno> {
        let buffer = *self.buffers.get(handle)?;
        if buffer.mapped {
            let (addr, len) = (buffer.address(), buffer.size as usize);
            self.stats.announced += buffer.size;
            self.gpu.cpu_wrote(addr, len);
            if let Some(recorder) = &mut self.recorder {
                recorder.memory(&self.gpu.memory, addr, len);
            }
        }
        Ok(())
    }

    pub(crate) fn chip(&self) -> Chip {
        self.board.chip
    }
}

/// Work for the device's thread. Its answer it leaves with the caller.
type Job = Box<dyn FnOnce(Result<&mut Card, Errno>) + Send>;

/// Where a job waits.
#[derive(Default)]
struct Desk {
    job: Option<Job>,
    done: bool,
    /// Somebody's job is on the desk.
    taken: bool,
}

/// The device of this process.
pub(crate) struct Device {
    desk: Mutex<Desk>,
    changed: Condvar,
    fd: RawFd,
    /// What its descriptors are recognised by.
    file: FileId,
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
            file: file_id(fd).ok_or(libc::ENODEV)?,
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

    /// What its descriptors are recognised by.
    pub(crate) fn file_id(&self) -> FileId {
        self.file
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
        self.changed
            .wait(desk)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a job done and waits for its answer. What the chip cannot do is the program's
    /// input/output error, not its end.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Card) -> Result<T, Errno> + Send + 'static,
    ) -> Result<T, Errno> {
        let answer = Arc::new(Mutex::new(Err(libc::EIO)));
        let place = Arc::clone(&answer);
        self.have_done(Box::new(move |card| {
            let job = AssertUnwindSafe(|| card.and_then(job));
            let result = catch_unwind(job).unwrap_or(Err(libc::EIO));
            *place.lock().unwrap_or_else(PoisonError::into_inner) = result;
        }));
        let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *answer, Err(libc::EIO))
    }

    fn have_done(&self, job: Job) {
        let mut desk = self.desk();
        while desk.taken {
            desk = self.wait(desk);
        }
        desk.taken = true;
        desk.job = Some(job);
        self.changed.notify_all();
        while !std::mem::take(&mut desk.done) {
            desk = self.wait(desk);
        }
        desk.taken = false;
        self.changed.notify_all();
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
            job(card.as_mut().map_err(|errno| *errno));
            desk = self.desk();
            desk.done = true;
            self.changed.notify_all();
        }
    }
}
