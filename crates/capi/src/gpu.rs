//! Objects, registers, memory.

use crate::border::{IsoGpu, enter, null, put};
use crate::status::IsoStatus;
use isotherm::budget::Limits;

/// A DMA object: handle leads to the memory from base to base + limit, both included.
///
/// # Safety
/// gpu is NULL or a live handle, here and below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_object_dma(
    gpu: *mut IsoGpu,
    handle: u32,
    base: u32,
    limit: u32,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.objects_mut().dma(handle, base, limit);
            Ok(IsoStatus::Ok)
        })
    }
}

/// A graphics object of a class, such as 0x97.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_object_graphics(
    gpu: *mut IsoGpu,
    handle: u32,
    class_id: u32,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.objects_mut().graphics(handle, class_id);
            Ok(IsoStatus::Ok)
        })
    }
}

/// All objects of a channel that the hash table in instance memory names. ramin is instance
/// memory; the table is the table_size bytes from table_start on. Call it again when the driver
/// has changed the table. found, which may be NULL, gets their number.
///
/// # Safety
/// ramin is valid for reads of ramin_size bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_objects_from_ramht(
    gpu: *mut IsoGpu,
    ramin: *const u8,
    ramin_size: usize,
    table_start: usize,
    table_size: usize,
    channel: u32,
    found: *mut u32,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let ramin = inner.given(ramin, ramin_size, "ramin")?;
            let end = table_start.checked_add(table_size);
            let Some(end) = end.filter(|end| *end <= ramin.len()) else {
                let text = "the table lies outside instance memory".to_string();
                return Err((IsoStatus::BadArgument, text));
            };
            let Ok(channel) = u8::try_from(channel) else {
                return Err((IsoStatus::BadArgument, format!("{channel} is no channel")));
            };
            let count = inner
                .gpu
                .objects_mut()
                .load_ramht(&ramin, table_start..end, channel);
            if !found.is_null() {
                put(found, count as u32, "found")?;
            }
            Ok(IsoStatus::Ok)
        })
    }
}

/// No handle leads anywhere any more.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_objects_clear(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.objects_mut().clear();
            Ok(IsoStatus::Ok)
        })
    }
}

/// The CPU writes a register: its offset in the chip's register space, such as 0x400084.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_register_write(
    gpu: *mut IsoGpu,
    address: u32,
    value: u32,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.write_register(address, value);
            Ok(IsoStatus::Ok)
        })
    }
}

/// The CPU wrote to borrowed memory by itself: nothing that was read there before may be used
/// again. Call it before the commands that could read the new bytes.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_cpu_wrote(gpu: *mut IsoGpu, address: u32, size: usize) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.cpu_wrote(address, size);
            Ok(IsoStatus::Ok)
        })
    }
}

/// The CPU writes to memory, after everything that the chip was told to draw so far. What lies
/// outside memory vanishes.
///
/// # Safety
/// bytes is valid for reads of size bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_memory_write(
    gpu: *mut IsoGpu,
    address: u32,
    bytes: *const u8,
    size: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let bytes = inner.given(bytes, size, "bytes")?;
            inner.gpu.write_memory(address, &bytes);
            Ok(IsoStatus::Ok)
        })
    }
}

/// Reads memory when everything so far is drawn. What lies outside memory is zero.
///
/// # Safety
/// bytes is valid for writes of size bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_memory_read(
    gpu: *mut IsoGpu,
    address: u32,
    bytes: *mut u8,
    size: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let bytes = inner.room(bytes, size, "bytes")?;
            inner.gpu.finish();
            inner.gpu.memory.read(address, bytes);
            Ok(IsoStatus::Ok)
        })
    }
}

/// The display went on to the next picture: counts FLIP_READ.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_picture_shown(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.picture_shown();
            Ok(IsoStatus::Ok)
        })
    }
}

/// What each call may cost: bytes held at once, steps of about a nanosecond, bytes copied,
/// texels decoded. 0: as much as usual; UINT64_MAX: anything. A call that goes over it ends with
/// ISO_STATUS_BAD_DATA, and what was drawn until then stays.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_budget(
    gpu: *mut IsoGpu,
    held: u64,
    steps: u64,
    copied: u64,
    texels: u64,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let usual = Limits::usual();
            let limit = |asked: u64, usual: u64| if asked == 0 { usual } else { asked };
            inner.gpu.set_budget(Limits {
                held: limit(held, usual.held),
                steps: limit(steps, usual.steps),
                copied: limit(copied, usual.copied),
                texels: limit(texels, usual.texels),
            });
            Ok(IsoStatus::Ok)
        })
    }
}

/// The channel's reference counter: what the driver's last REF_CNT said.
///
/// # Safety
/// value is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_reference(gpu: *mut IsoGpu, value: *mut u32) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            if value.is_null() {
                return Err(null("value"));
            }
            put(value, inner.gpu.reference(), "value")?;
            Ok(IsoStatus::Ok)
        })
    }
}
