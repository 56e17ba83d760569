//! Jobs of a Mali.

use crate::border::{IsoGpu, enter};
use crate::run::problem;
use crate::status::IsoStatus;

/// Runs a Mali's vertex job: the words of its frame structure.
///
/// # Safety
/// gpu is NULL or a live handle; frame is valid for reads of count words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_vertex_job(
    gpu: *mut IsoGpu,
    frame: *const u32,
    count: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let frame = inner.given(frame, count, "frame")?;
            inner.gpu.vertex_job(&frame).map_err(problem)?;
            Ok(IsoStatus::Ok)
        })
    }
}

/// Runs a Mali's fragment job: the words of its frame structure.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_fragment_job(
    gpu: *mut IsoGpu,
    frame: *const u32,
    count: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let frame = inner.given(frame, count, "frame")?;
            inner.gpu.fragment_job(&frame).map_err(problem)?;
            Ok(IsoStatus::Ok)
        })
    }
}
