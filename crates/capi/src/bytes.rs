//! Bytes that the library makes and the caller frees.

use crate::border::put;
use crate::status::{Failure, IsoStatus};

/// Bytes made by the library: a text, or a file's contents.
pub struct IsoBytes {
    /// With a zero behind the last one, so that texts are C strings.
    bytes: Vec<u8>,
}

/// Hands bytes out.
///
/// # Safety
/// `out` is null or valid for writes.
pub(crate) unsafe fn hand_out(
    out: *mut *mut IsoBytes,
    mut bytes: Vec<u8>,
) -> Result<IsoStatus, Failure> {
    if out.is_null() {
        return Err(crate::border::null("out"));
    }
    bytes.push(0);
    let made = Box::into_raw(Box::new(IsoBytes { bytes }));
    // SAFETY: by the contract.
    unsafe { put(out, made, "out") }.inspect_err(|_| {
        // SAFETY: made of a box above, and nobody has seen it.
        drop(unsafe { Box::from_raw(made) });
    })?;
    Ok(IsoStatus::Ok)
}

/// The first byte; NULL for NULL. Behind the last one there is a zero, which does not count.
///
/// # Safety
/// `bytes` is NULL or comes from this library and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_bytes_data(bytes: *const IsoBytes) -> *const u8 {
    // SAFETY: by the contract.
    unsafe { bytes.as_ref() }.map_or(std::ptr::null(), |bytes| bytes.bytes.as_ptr())
}

/// How many there are; 0 for NULL.
///
/// # Safety
/// As for iso_bytes_data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_bytes_size(bytes: *const IsoBytes) -> usize {
    // SAFETY: by the contract.
    unsafe { bytes.as_ref() }.map_or(0, |bytes| bytes.bytes.len() - 1)
}

/// Frees them; NULL is allowed.
///
/// # Safety
/// As for iso_bytes_data; they are gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_bytes_free(bytes: *mut IsoBytes) {
    if !bytes.is_null() {
        // SAFETY: `hand_out` made it of a box.
        drop(unsafe { Box::from_raw(bytes) });
    }
}
