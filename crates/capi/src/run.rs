//! Commands: methods, words, pushbuffers in memory.

use crate::border::{Inner, IsoGpu, enter, put};
use crate::status::{Failure, IsoStatus};
use crate::structs::{self, IsoFetchEnd, IsoFifo, IsoStop};
use isotherm::bundle::DmaSpan;
use isotherm::capture::Problem;
use isotherm::{Fifo, Stop, Wait};

pub(crate) fn problem(problem: Problem) -> Failure {
    let status = match problem {
        Problem::WrongChip(_) => IsoStatus::WrongChip,
        Problem::Io(_) => IsoStatus::Io,
        _ => IsoStatus::BadData,
    };
    (status, problem.to_string())
}

impl Inner {
    fn waits(&mut self, wait: Option<&Wait>) -> IsoStatus {
        match wait {
            Some(wait) => {
                self.stop = wait.into();
                IsoStatus::Wait
            }
            None => {
                self.stop = IsoStop::default();
                IsoStatus::Ok
            }
        }
    }

    /// Fails while words of an earlier push wait.
    fn nothing_waits(&self) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let text = format!(
            "{} words of an earlier push wait for iso_resume",
            self.waiting.len()
        );
        Err((IsoStatus::WrongOrder, text))
    }
}

/// Runs one method on the object that is bound to a subchannel; method 0 binds the object of a
/// handle. ISO_STATUS_TRAPPED if the front end refuses it. ISO_STATUS_WAIT with the reason
/// ISO_WAIT_REASON_SEMAPHORE: it has not run, give it again.
///
/// # Safety
/// gpu is NULL or a live handle, here and below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_method(
    gpu: *mut IsoGpu,
    subchannel: u32,
    method: u32,
    data: u32,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.nothing_waits()?;
            let place = u8::try_from(subchannel).ok().filter(|s| *s < 8);
            let number = u16::try_from(method).ok().filter(|m| *m < 0x2000);
            let (Some(subchannel), Some(method)) = (place, number) else {
                let text = format!("no method {method:#x} of subchannel {subchannel}");
                return Err((IsoStatus::BadArgument, text));
            };
            let outcome = inner
                .gpu
                .method(subchannel, method, data)
                .map_err(problem)?;
            let status = inner.waits(outcome.wait.as_ref());
            match outcome.trap {
                Some(trap) if status == IsoStatus::Ok => {
                    inner.stop = IsoStop::of_trap(&trap);
                    Ok(IsoStatus::Trapped)
                }
                _ => Ok(status),
            }
        })
    }
}

/// Runs words as the pusher fetches them: headers and data. ISO_STATUS_WAIT: the chip stopped,
/// the library keeps the words that are left, and iso_resume goes on with them.
///
/// # Safety
/// words is valid for reads of count words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_push(gpu: *mut IsoGpu, words: *const u32, count: usize) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.nothing_waits()?;
            let words = inner.given(words, count, "words")?;
            let progress = inner.gpu.push(&words).map_err(problem)?;
            inner.waiting.extend_from_slice(&words[progress.taken..]);
            Ok(inner.waits(progress.wait.as_ref()))
        })
    }
}

/// Goes on with the words that an iso_push left. ISO_STATUS_WAIT again if the chip stops
/// again. Nothing to do is no failure.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_resume(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let words = std::mem::take(&mut inner.waiting);
            let progress = inner.gpu.push(&words).map_err(problem)?;
            inner.waiting = words[progress.taken..].to_vec();
            Ok(inner.waits(progress.wait.as_ref()))
        })
    }
}

/// How many words wait for iso_resume.
///
/// # Safety
/// count is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_words_waiting(gpu: *mut IsoGpu, count: *mut usize) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            put(count, inner.waiting.len(), "count")?;
            Ok(IsoStatus::Ok)
        })
    }
}

/// Why the chip stopped, after ISO_STATUS_WAIT or ISO_STATUS_TRAPPED.
///
/// # Safety
/// stop is NULL or valid, its size set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_stop_reason(gpu: *mut IsoGpu, stop: *mut IsoStop) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            structs::write(stop, &inner.stop, "stop")?;
            Ok(IsoStatus::Ok)
        })
    }
}

/// Fetches and runs words from GET to PUT, at most budget of them: jumps may run in a circle.
/// fifo->get moves on; fifo->ended says why it ended. ISO_STATUS_WAIT: fetch again to go on.
///
/// # Safety
/// fifo is NULL or valid, its size set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_fetch(gpu: *mut IsoGpu, fifo: *mut IsoFifo, budget: u64) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.nothing_waits()?;
            let mut given: IsoFifo = structs::read(fifo, "fifo")?;
            let mut channel = Fifo {
                memory: DmaSpan {
                    base: given.base,
                    limit: given.limit,
                },
                get: given.get,
                put: given.put,
                return_to: (given.calls != 0).then_some(given.return_to),
            };
            let stop = inner.gpu.fetch(&mut channel, budget).map_err(problem)?;
            let (ended, wait) = match &stop {
                Stop::Empty => (IsoFetchEnd::Empty, None),
                Stop::Wait(wait) => (IsoFetchEnd::Wait, Some(wait)),
                Stop::Budget => (IsoFetchEnd::Budget, None),
                Stop::Command(_) => (IsoFetchEnd::Command, None),
                Stop::Nesting => (IsoFetchEnd::Nesting, None),
                Stop::Outside => (IsoFetchEnd::Outside, None),
            };
            given.get = channel.get;
            given.calls = channel.return_to.is_some().into();
            given.return_to = channel.return_to.unwrap_or(0);
            given.ended = ended as u32;
            structs::write(fifo, &given, "fifo")?;
            Ok(inner.waits(wait))
        })
    }
}

/// Waits until everything so far is drawn and in memory.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_finish(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.finish();
            Ok(IsoStatus::Ok)
        })
    }
}
