//! States and captures: saved, loaded, recorded, replayed.

use crate::border::{IsoGpu, enter, null};
use crate::bytes::{IsoBytes, hand_out};
use crate::status::{Failure, IsoStatus};
use isotherm::Gpu;
use isotherm::capture::{Error, Payload, Problem, Reader, Writer};
use std::ffi::c_void;
use std::io;

/// Takes bytes of a file, one after the other; anything but 0 is a failure.
pub type WriteFn =
    Option<unsafe extern "C" fn(user: *mut c_void, bytes: *const u8, size: usize) -> i32>;

/// A file that is written by the embedder.
struct Out {
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> i32,
    user: *mut c_void,
}

// SAFETY: the header says that the callback runs on whichever thread calls, with this pointer.
unsafe impl Send for Out {}

impl io::Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the embedder vouches for its function and its pointer.
        match unsafe { (self.write)(self.user, bytes.as_ptr(), bytes.len()) } {
            0 => Ok(bytes.len()),
            code => Err(io::Error::other(format!("the callback answered {code}"))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn io_failure(error: io::Error) -> Failure {
    let status = match error.kind() {
        io::ErrorKind::ResourceBusy => IsoStatus::WrongOrder,
        _ => IsoStatus::Io,
    };
    (status, error.to_string())
}

fn bad_data(error: Error) -> Failure {
    let offset = error.offset;
    let status = match error.problem {
        Problem::WrongChip(_) => IsoStatus::WrongChip,
        _ => IsoStatus::BadData,
    };
    (status, format!("at offset {offset}: {}", error.problem))
}

/// Everything that the chip remembers, memory and objects included, as a capture that goes on
/// from here: between any two methods or jobs, inside a primitive too.
///
/// # Safety
/// gpu is NULL or a live handle, here and below; out is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_state_save(gpu: *mut IsoGpu, out: *mut *mut IsoBytes) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            if out.is_null() {
                return Err(null("out"));
            }
            let info = serde_json::json!({ "gpu": inner.gpu.chip().name(), "source": "state" });
            let mut writer = Writer::new(Vec::new(), &info).map_err(io_failure)?;
            inner.gpu.write_state(&mut writer).map_err(io_failure)?;
            hand_out(out, writer.finish().map_err(io_failure)?)
        })
    }
}

/// The chip's registers, bindings and objects as the hardware lays them out: records of a
/// capture (OBJ, REG, PUSH, CTX) one after the other, without a file's beginning and without memory.
/// What a recorder starts with. Not inside a primitive (ISO_STATUS_WRONG_ORDER);
/// ISO_STATUS_NOTHING for a Mali.
///
/// # Safety
/// As above; out is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_hardware_state(
    gpu: *mut IsoGpu,
    out: *mut *mut IsoBytes,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            if out.is_null() {
                return Err(null("out"));
            }
            let mut writer = Writer::fragment(Vec::new());
            let written = inner.gpu.write_hardware_state(&mut writer);
            if !written.map_err(io_failure)? {
                return Ok(IsoStatus::Nothing);
            }
            hand_out(out, writer.finish().map_err(io_failure)?)
        })
    }
}

/// Runs the records of a capture or of a saved state of the same chip. A chip that gets a
/// saved state must be new, or gets the state on top of what it has. A failure may come after
/// some of the records have run.
///
/// # Safety
/// bytes is valid for reads of size bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_state_load(
    gpu: *mut IsoGpu,
    bytes: *const u8,
    size: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let bytes = inner.given(bytes, size, "bytes")?;
            load(&mut inner.gpu, &bytes)?;
            Ok(IsoStatus::Ok)
        })
    }
}

fn load(gpu: &mut Gpu, bytes: &[u8]) -> Result<(), Failure> {
    let mut reader = Reader::new(bytes).map_err(bad_data)?;
    while let Some(record) = reader.next_record().map_err(bad_data)? {
        if let Payload::Info(info) = &record.payload
            && isotherm::Chip::parse(&info.gpu) != Some(gpu.chip())
        {
            let text = format!("for {}, the chip is {}", info.gpu, gpu.chip().name());
            return Err((IsoStatus::WrongChip, text));
        }
        gpu.record(record).map_err(bad_data)?;
    }
    Ok(())
}

/// From now on everything that the chip is told goes into a capture, which begins with the
/// chip as it is: registers, objects, memory. FLIP_STALL is noted as a picture. The bytes go to
/// write, which is called by the calls that are recorded.
///
/// # Safety
/// write and user stay valid until iso_record_end or iso_gpu_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_record_begin(
    gpu: *mut IsoGpu,
    write: WriteFn,
    user: *mut c_void,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let write = write.ok_or_else(|| null("write"))?;
            inner
                .gpu
                .record_to(Out { write, user })
                .map_err(io_failure)?;
            Ok(IsoStatus::Ok)
        })
    }
}

/// Notes that the bound colour surface is a picture now: replaying the capture shows it. For
/// guests that show pictures without FLIP_STALL; directly behind one nothing happens.
/// ISO_STATUS_NOTHING if none is bound.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_record_picture(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| match inner.gpu.record_picture() {
            Ok(true) => Ok(IsoStatus::Ok),
            Ok(false) => Ok(IsoStatus::Nothing),
            Err(error) => Err(io_failure(error)),
        })
    }
}

/// Ends the recording. A failure of the callback on the way is told here. ISO_STATUS_WRONG_ORDER
/// if nothing is recorded.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_record_end(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.end_recording().map_err(io_failure)?;
            Ok(IsoStatus::Ok)
        })
    }
}
