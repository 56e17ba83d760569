//! Status codes, and the text of a thread's last failure.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

/// What a call came to. Failures are negative.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsoStatus {
    /// Done.
    Ok = 0,
    /// Done as far as it went: the chip waits for the embedder. iso_stop_reason() says for what.
    Wait = 1,
    /// The front end refused the method, as the chip does by an interrupt; iso_stop_reason()
    /// has the trap. The chip can go on.
    Trapped = 2,
    /// There is no such thing: no surface bound, no such handle.
    Nothing = 3,
    /// A pointer is NULL that must not be.
    NullPointer = -1,
    /// A structure's size member is smaller than that of the first version.
    StructSize = -2,
    /// An argument that means nothing: an unknown chip, format or name, a size the chip cannot
    /// have.
    BadArgument = -3,
    /// The buffer is too short.
    ShortBuffer = -4,
    /// Not now: words of an earlier push wait, a primitive is open, nothing is recorded.
    WrongOrder = -5,
    /// The handle is in use, by another thread or by the call that this callback belongs to.
    Busy = -6,
    /// The chip has no such command: a push to a Mali, a job to an NVIDIA chip.
    WrongChip = -7,
    /// A capture or saved state that makes no sense.
    BadData = -8,
    /// The system gives no memory.
    NoMemory = -9,
    /// A file could not be written, or a write callback failed.
    Io = -10,
    /// A fault of the library. The handle can only be freed now; please report the text.
    Internal = -11,
}

/// A failure on its way to the border.
pub(crate) type Failure = (IsoStatus, String);

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps a failure's text for the calling thread.
pub(crate) fn fail((status, text): Failure) -> IsoStatus {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST.with_borrow_mut(|last| *last = text);
    status
}

/// A sentence about the last failure of a call by this thread; empty before the first. It stays
/// valid until the next call that fails on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn iso_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}

/// The library's version: major * 1000000 + minor * 1000 + patch.
#[unsafe(no_mangle)]
pub extern "C" fn iso_version() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or(0);
    part(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + part(env!("CARGO_PKG_VERSION_MINOR")) * 1000
        + part(env!("CARGO_PKG_VERSION_PATCH"))
}
