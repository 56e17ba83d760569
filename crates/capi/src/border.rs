//! The border: one caller at a time, no panic across it, no null pointers behind it.

use crate::status::{Failure, IsoStatus, fail};
use isotherm::Gpu;
use std::borrow::Cow;
use std::cell::UnsafeCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// A chip with its memory.
pub struct IsoGpu {
    busy: AtomicBool,
    /// A panic came out of the chip: its state may be anything.
    broken: AtomicBool,
    inner: UnsafeCell<Inner>,
}

/// What is behind a handle.
pub(crate) struct Inner {
    pub gpu: Gpu,
    /// Words of a push that were not taken because the chip waits.
    pub waiting: Vec<u32>,
    /// Why the chip stopped last.
    pub stop: crate::structs::IsoStop,
    /// Addresses of the caller's memory that the chip itself reads and writes.
    borrowed: [Range<usize>; 2],
}

impl Inner {
    fn lies_in_memory<T>(&self, start: *const T, len: usize) -> bool {
        let from = start as usize;
        let to = from.saturating_add(len.saturating_mul(size_of::<T>()));
        let mut ranges = self.borrowed.iter();
        ranges.any(|range| from < range.end && range.start < to)
    }

    /// What the caller gives. Words that lie in the guest's memory are copied: the chip may draw
    /// over them during the call, and nobody may write to what a slice shows.
    ///
    /// # Safety
    /// As for [`slice`].
    pub(crate) unsafe fn given<'a, T: Copy>(
        &self,
        start: *const T,
        len: usize,
        what: &str,
    ) -> Result<Cow<'a, [T]>, Failure> {
        // SAFETY: by the contract; the chip does not run before a copy is made.
        let given = unsafe { slice(start, len, what) }?;
        Ok(match self.lies_in_memory(start, len) {
            true => Cow::Owned(given.to_vec()),
            false => Cow::Borrowed(given),
        })
    }

    /// Room that the caller gives for an answer; the guest's memory is none.
    ///
    /// # Safety
    /// As for [`slice_mut`], the guest's memory apart.
    pub(crate) unsafe fn room<'a, T>(
        &self,
        start: *mut T,
        len: usize,
        what: &str,
    ) -> Result<&'a mut [T], Failure> {
        if self.lies_in_memory(start, len) {
            let text = format!("{what} lies in the memory that the chip uses");
            return Err((IsoStatus::BadArgument, text));
        }
        // SAFETY: by the contract, and the chip does not reach it.
        unsafe { slice_mut(start, len, what) }
    }
}

// SAFETY: `inner` is reached only by `enter`, which lets one thread in at a time, and a `Gpu`
// may be used by any thread.
unsafe impl Sync for IsoGpu {}

const fn is_send<T: Send>() {}
const _: () = is_send::<Inner>();

/// Gives the handle back when a call ends, however it ends.
struct Leave<'a>(&'a AtomicBool);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

pub(crate) fn null(what: &str) -> Failure {
    (IsoStatus::NullPointer, format!("{what} is NULL"))
}

fn internal(panic: Box<dyn std::any::Any + Send>) -> Failure {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no text".into());
    (IsoStatus::Internal, format!("fault in the library: {text}"))
}

/// Runs something that needs no handle.
pub(crate) fn outside(body: impl FnOnce() -> Result<IsoStatus, Failure>) -> IsoStatus {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => fail(failure),
        Err(panic) => fail(internal(panic)),
    }
}

impl IsoGpu {
    pub(crate) fn new(gpu: Gpu, borrowed: [Range<usize>; 2]) -> IsoGpu {
        IsoGpu {
            busy: AtomicBool::new(false),
            broken: AtomicBool::new(false),
            inner: UnsafeCell::new(Inner {
                gpu,
                waiting: Vec::new(),
                stop: Default::default(),
                borrowed,
            }),
        }
    }

    fn take(&self) -> Result<Leave<'_>, Failure> {
        if self.busy.swap(true, Ordering::Acquire) {
            let text = "the handle is in use by another call".to_string();
            return Err((IsoStatus::Busy, text));
        }
        Ok(Leave(&self.busy))
    }
}

/// Runs a call on a handle.
///
/// # Safety
/// `handle` is NULL or comes from `iso_gpu_new` and was not freed.
pub(crate) unsafe fn enter(
    handle: *const IsoGpu,
    body: impl FnOnce(&mut Inner) -> Result<IsoStatus, Failure>,
) -> IsoStatus {
    outside(|| {
        // SAFETY: by the contract it is null or a live handle.
        let handle = unsafe { handle.as_ref() }.ok_or_else(|| null("the handle"))?;
        let _leave = handle.take()?;
        if handle.broken.load(Ordering::Relaxed) {
            let text = "an earlier fault has broken this handle; free it".to_string();
            return Err((IsoStatus::Internal, text));
        }
        // SAFETY: `busy` was ours to take, so nobody else has a reference.
        let inner = unsafe { &mut *handle.inner.get() };
        // An emulator runs for days: what bounds hostile commands counts for each call.
        inner.gpu.renew_budget();
        catch_unwind(AssertUnwindSafe(|| body(inner))).unwrap_or_else(|panic| {
            handle.broken.store(true, Ordering::Relaxed);
            Err(internal(panic))
        })
    })
}

/// Ends a handle, unless it is in use.
///
/// # Safety
/// As for [`enter`]; the handle is gone afterwards.
pub(crate) unsafe fn free(handle: *mut IsoGpu) -> IsoStatus {
    if handle.is_null() {
        return IsoStatus::Ok;
    }
    outside(|| {
        // SAFETY: by the contract it is a live handle.
        let leave = unsafe { &*handle }.take()?;
        std::mem::forget(leave);
        // SAFETY: `iso_gpu_new` made it of a box, and nobody uses it.
        drop(unsafe { Box::from_raw(handle) });
        Ok(IsoStatus::Ok)
    })
}

/// A slice of an argument; no pointer is needed where there is nothing.
///
/// # Safety
/// A pointer that is not null is valid for reads of `len` values while the slice lives.
pub(crate) unsafe fn slice<'a, T>(
    start: *const T,
    len: usize,
    what: &str,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(null(what));
    }
    check_len::<T>(start as usize, len, what)?;
    // SAFETY: by the contract; pointer and length were checked.
    Ok(unsafe { std::slice::from_raw_parts(start, len) })
}

/// The same to be written.
///
/// # Safety
/// A pointer that is not null is valid for writes of `len` initialised values, and nobody else
/// uses them while the slice lives.
unsafe fn slice_mut<'a, T>(start: *mut T, len: usize, what: &str) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    if start.is_null() {
        return Err(null(what));
    }
    check_len::<T>(start as usize, len, what)?;
    // SAFETY: by the contract; pointer and length were checked.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, len) })
}

/// A length that no object can have, or a pointer that no such value has.
fn check_len<T>(start: usize, len: usize, what: &str) -> Result<(), Failure> {
    let bytes = len.checked_mul(size_of::<T>());
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        let text = format!("{what}: {len} is no length");
        return Err((IsoStatus::BadArgument, text));
    }
    if !start.is_multiple_of(align_of::<T>()) {
        let text = format!("{what} is not aligned to {} bytes", align_of::<T>());
        return Err((IsoStatus::BadArgument, text));
    }
    Ok(())
}

/// Writes a result through a pointer.
///
/// # Safety
/// `out` is null or valid for writes.
pub(crate) unsafe fn put<T>(out: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null(what));
    }
    check_len::<T>(out as usize, 1, what)?;
    // SAFETY: by the contract, and it is not null.
    unsafe { out.write(value) };
    Ok(())
}
