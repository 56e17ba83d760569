//! lima: buffers with addresses of their own, and jobs, as the kernel's `lima_drm.h` has them.

use crate::buffers::Space;
use crate::core::Version;
use crate::device::Card;
use crate::request::Request;
use crate::user::{self, Errno};
use isotherm::capture::{Job, Payload, Record};
use std::collections::BTreeSet;
use std::time::Instant;

pub(crate) const VERSION: Version = Version {
    name: "lima",
    numbers: [1, 1, 0],
    date: "20191231",
    description: "lima DRM",
};

/// A heap buffer may grow to as much as this.
const HEAP: u64 = 16 << 20;
/// Words of the frame structures of a Mali-400.
const GP_FRAME: u32 = 6;
const PP_FRAME: u32 = 68;

/// Contexts that exist.
#[derive(Default)]
pub(crate) struct Contexts {
    list: BTreeSet<u32>,
    next: u32,
}

/// Answers a lima ioctl.
pub(crate) fn ioctl(card: &mut Card, number: u8, r: &mut Request) -> Result<(), Errno> {
    match number {
        0x00 => parameter(card, r),
        0x01 => create(card, r),
        0x02 => {
            let buffer = card.buffers.get(r.u32(0))?;
            let (offset, file) = (buffer.offset, buffer.file);
            r.set_u32(4, offset as u32);
            r.set_u64(8, file);
            Ok(())
        }
        0x03 => submit(card, r),
        // GEM_WAIT: jobs are done when their submission returns.
        0x04 => card.buffers.get(r.u32(0)).map(|_| ()),
        0x05 => {
            if card.lima.list.len() >= 1024 {
                return Err(libc::ENOMEM);
            }
            let id = card.lima.next;
            card.lima.next += 1;
            card.lima.list.insert(id);
            r.set_u32(0, id);
            Ok(())
        }
        0x06 => {
            let known = card.lima.list.remove(&r.u32(0));
            known.then_some(()).ok_or(libc::EINVAL)
        }
        _ => Err(libc::EINVAL),
    }
}

/// GET_PARAM.
fn parameter(card: &Card, r: &mut Request) -> Result<(), Errno> {
    let value = match r.u32(0) {
        // GPU_ID: Mali-400.
        0 => 1,
        1 => card.board.pixel_processors,
        // Versions of the processors: r1p1.
        2 | 3 => 0x0101,
        _ => return Err(libc::EINVAL),
    };
    r.set_u64(8, value.into());
    Ok(())
}

/// GEM_CREATE.
fn create(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    const GROWS: u32 = 1;
    let size = u64::from(r.u32(0));
    let flags = r.u32(4);
    if flags & !GROWS != 0 {
        return Err(libc::EINVAL);
    }
    // A heap gets all it may grow to: pages that nobody touches cost nothing.
    let size = if flags & GROWS != 0 {
        size.max(HEAP)
    } else {
        size
    };
    let handle = card.create(size, 0, Space::Vram)?;
    r.set_u32(8, handle);
    Ok(())
}

/// GEM_SUBMIT: a list of buffers (handle, how it is used) and a frame.
fn submit(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let (context, pipe, size) = (r.u32(0), r.u32(4), r.u32(12));
    if !card.lima.list.contains(&context) {
        return Err(libc::ENOENT);
    }
    // Synchronisation objects to wait for and to signal; 0 is none.
    for at in [36, 40, 44] {
        let handle = r.u32(at);
        if handle != 0 && !card.syncobjs.contains(&handle) {
            return Err(libc::ENOENT);
        }
    }
    let words = match pipe {
        0 => GP_FRAME,
        1 => PP_FRAME,
        _ => return Err(libc::EINVAL),
    };
    if size != 4 * words {
        return Err(libc::EINVAL);
    }
    let list = user::read_words::<2>(r.u64(16), r.u32(8), 1 << 12)?;
    let frame = user::read_words::<1>(r.u64(24), words, words)?.concat();
    for [handle, _] in list {
        card.announce(handle)?;
    }
    card.stats.words += u64::from(words);
    let began = Instant::now();
    let job = Job {
        json: "{}",
        frame: &frame,
    };
    if let Some(recorder) = &mut card.recorder {
        recorder.job(pipe == 0, &frame);
    }
    let payload = if pipe == 0 {
        Payload::Gp(job)
    } else {
        Payload::Pp(job)
    };
    let record = Record { offset: 0, payload };
    // A job that fails is a fault of the GPU, which the kernel clears up after: the driver is
    // not told.
    if let Err(error) = card.gpu.record(record) {
        eprintln!("isotherm: job: {error}");
    }
    card.gpu.finish();
    card.stats.submitted(began);
    if let Some(recorder) = &mut card.recorder {
        recorder.settle(&card.gpu.memory);
    }
    Ok(())
}
