//! The translator's two threads.

use super::link::Link;
use super::session::{Action, Session};
use super::wire;
use crate::hook::frames::{self, Frame};
use crate::hook::{device, file_id};
use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Descriptors that may wait for their message.
const WAITING: usize = 1024;
/// How often a moment is waited for when descriptors of ours cannot be mixed up with others.
const PATIENCE: u32 = 1000;

/// Why a connection ends: nobody is there any more, or something is wrong.
enum End {
    Closed,
    Wrong(String),
}

impl From<std::io::Error> for End {
    fn from(_: std::io::Error) -> End {
        End::Closed
    }
}

impl From<String> for End {
    fn from(why: String) -> End {
        End::Wrong(why)
    }
}

/// Both ends of a connection, and what is known of it.
pub(super) struct Translator {
    session: Mutex<Session>,
    changed: Condvar,
    program: Link,
    compositor: Link,
    /// The process that has the threads: a child has none.
    process: u32,
}

impl Translator {
    /// Starts to translate between two connections.
    pub(super) fn start(program: OwnedFd, compositor: OwnedFd) -> Arc<Translator> {
        let translator = Arc::new(Translator {
            session: Mutex::default(),
            changed: Condvar::new(),
            program: Link::new(program),
            compositor: Link::new(compositor),
            process: std::process::id(),
        });
        for work in [Translator::requests, Translator::events] {
            let shared = Arc::clone(&translator);
            let thread = std::thread::Builder::new().name("isotherm-wayland".into());
            // Without its threads the connection is closed, which the program sees.
            if thread.spawn(move || shared.run(work)).is_err() {
                translator.close();
            }
        }
        translator
    }

    pub(super) fn is_ours(&self) -> bool {
        self.process == std::process::id()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.session().closed
    }

    /// The program has sent so many bytes: waits until they were sent on.
    pub(super) fn settle(&self, bytes: u64) {
        let mut session = self.session();
        session.sent += bytes;
        let end = session.sent;
        while !session.closed && session.handled < end {
            session = self.sleep(session);
        }
    }

    fn sleep<'a>(&self, session: MutexGuard<'a, Session>) -> MutexGuard<'a, Session> {
        let slept = self.changed.wait(session);
        slept.unwrap_or_else(PoisonError::into_inner)
    }

    /// What the program has sent so far is done.
    fn handled(&self, bytes: u64) {
        self.session().handled = bytes;
        self.changed.notify_all();
    }

    /// Does one direction's work until the connection ends.
    fn run(&self, work: fn(&Translator) -> Result<(), End>) {
        no_signals();
        if let Err(End::Wrong(why)) = work(self) {
            eprintln!("isotherm: the Wayland connection ends: {why}");
        }
        self.close();
    }

    fn close(&self) {
        self.session().closed = true;
        self.changed.notify_all();
        self.program.close();
        self.compositor.close();
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From the program to the compositor.
    fn requests(&self) -> Result<(), End> {
        let (mut bytes, mut fds) = (Vec::new(), VecDeque::new());
        let mut received = 0;
        loop {
            let (len, count) = self.program.receive(&mut bytes, &mut fds)?;
            if len == 0 {
                return Ok(());
            }
            received += len as u64;
            self.note_buffers(fds.iter().skip(fds.len() - count));
            let (mut at, mut out) = (0, Vec::new());
            while let Some(message) = wire::first(&bytes[at..])? {
                at += message.whole.len();
                let action = self.session().request(message, &mut out)?;
                match action {
                    Action::None => {}
                    Action::Wait(id) => {
                        // The program may have to read events before one can be told.
                        self.handled(received);
                        self.wait(id, &mut out, &mut fds)?;
                    }
                    Action::Shown(frame) => self.show(&frame, &mut out, &mut fds)?,
                }
            }
            bytes.drain(..at);
            self.compositor.send(&out, &mut fds)?;
            self.handled(received);
            not_too_many(&fds)?;
        }
    }

    /// Remembers which buffers of ours come along.
    fn note_buffers<'a>(&self, fds: impl Iterator<Item = &'a OwnedFd>) {
        for fd in fds {
            if let (Some(device), Some(file)) = (device(), file_id(fd.as_raw_fd()))
                && device.call(move |card| Ok(card.buffers.address_of(file).is_some())) == Ok(true)
            {
                self.session().came(file);
            }
        }
    }

    /// Sends on what there is, and waits until an object was told of.
    fn wait(&self, id: u32, out: &mut Vec<u8>, fds: &mut VecDeque<OwnedFd>) -> Result<(), End> {
        for _ in 0..PATIENCE {
            self.compositor.send(out, fds)?;
            out.clear();
            let mut session = self.session();
            // Each time the compositor answers, its callback is taken off.
            while !session.closed && session.awaits(id) {
                session = self.sleep(session);
            }
            if session.closed {
                return Err(End::Closed);
            }
            if session.told == Some(id) {
                return Ok(());
            }
            session.ask(out, id);
        }
        Err(End::Wrong(
            "the compositor never stops sending descriptors".into(),
        ))
    }

    /// A picture is about to be shown. It is recorded before the compositor, and by it the
    /// program, can go on with its buffer.
    fn show(
        &self,
        frame: &Frame,
        out: &mut Vec<u8>,
        fds: &mut VecDeque<OwnedFd>,
    ) -> Result<(), End> {
        frames::record(frame);
        self.compositor.send(out, fds)?;
        out.clear();
        frames::shown();
        Ok(())
    }

    /// From the compositor to the program.
    fn events(&self) -> Result<(), End> {
        let (mut bytes, mut fds) = (Vec::new(), VecDeque::new());
        let mut before = 0;
        loop {
            let (len, count) = self.compositor.receive(&mut bytes, &mut fds)?;
            if len == 0 {
                return Ok(());
            }
            // A descriptor can come with the bytes before its message's, not earlier.
            let clean = before == 0 && count == 0 && fds.is_empty();
            before = count;
            let (mut at, mut out) = (0, Vec::new());
            while let Some(message) = wire::first(&bytes[at..])? {
                at += message.whole.len();
                fds.extend(self.session().event(message, clean, &mut out)?);
            }
            bytes.drain(..at);
            self.program.send(&out, &mut fds)?;
            self.changed.notify_all();
            not_too_many(&fds)?;
        }
    }
}

fn not_too_many(fds: &VecDeque<OwnedFd>) -> Result<(), End> {
    match fds.len() {
        ..=WAITING => Ok(()),
        _ => Err(End::Wrong(format!(
            "{} descriptors without a message",
            fds.len()
        ))),
    }
}

/// Signals are the program's own threads' business.
fn no_signals() {
    // SAFETY: the set is filled in before it is used.
    unsafe {
        let mut all = std::mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}
