//! Making and freeing chips.

use crate::border::{IsoGpu, free, null, outside, put};
use crate::status::{Failure, IsoStatus};
use crate::structs::{self, Growing, IsoFlip, IsoTrap};
use isotherm::trap::Trap;
use isotherm::{Answer, Chip, Flip, Gpu, Host, MemoryError};
use std::ffi::{CStr, c_char, c_void};
use std::ops::Range;
use std::ptr::NonNull;

/// What a chip is to be like. Set size, and chip; all else may be zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IsoConfig {
    /// sizeof(iso_config).
    pub size: u32,
    /// How many threads may draw; 0: all cores. The picture does not depend on it.
    pub threads: u32,
    /// The chip, such as "nv2a", "nv40", "mali400".
    pub chip: *const c_char,
    /// The guest's memory, which the chip then reads and draws to itself; NULL: memory of its
    /// own. It must stay valid for reads and writes until iso_gpu_free. While a call runs on
    /// the handle, no other thread may write to bytes that the chip reads, nor touch bytes that
    /// it writes. Tell the chip what the CPU writes: iso_cpu_wrote. What calls are given may lie
    /// in it and is copied then; answers may not be written to it.
    pub memory: *mut u8,
    /// Bytes of it; 0: as many as usual. The console's are a power of two, 64 or 128 MiB.
    pub memory_size: usize,
    /// System memory that a chip with memory of its own reaches at addresses with bit 31 set.
    pub gart: *mut u8,
    /// Bytes of it.
    pub gart_size: usize,
    /// 1 for embedders who cannot say what the CPU wrote: textures are compared with what
    /// they were whenever they are used.
    pub check_memory: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Given to every callback.
    pub user: *mut c_void,
    /// The front end raised an interrupt: a refused method, or NO_OPERATION with an argument.
    /// Answers an iso_answer, as the two after it.
    pub interrupt: Option<unsafe extern "C" fn(user: *mut c_void, trap: *const IsoTrap) -> i32>,
    /// A notifier was written; awaken is 1 if the driver asked for an interrupt too.
    pub notify: Option<unsafe extern "C" fn(user: *mut c_void, address: u32, awaken: i32) -> i32>,
    /// FLIP_STALL: a picture is complete.
    pub flip: Option<unsafe extern "C" fn(user: *mut c_void, flip: *const IsoFlip) -> i32>,
    /// The chip wrote to memory, in whole pages. Comes before the other callbacks, after
    /// semaphores and reports, and with iso_finish.
    pub wrote: Option<unsafe extern "C" fn(user: *mut c_void, address: u32, size: usize)>,
}

// SAFETY: integers, pointers that may be null and optional functions; the first is the size.
unsafe impl Growing for IsoConfig {
    const FIRST: usize = size_of::<IsoConfig>();
}

/// The embedder's callbacks.
struct Callbacks(IsoConfig);

// SAFETY: the header says that callbacks run on whichever thread calls, with this pointer.
unsafe impl Send for Callbacks {}

fn answer(number: i32) -> Answer {
    match number {
        0 => Answer::Go,
        _ => Answer::Wait,
    }
}

impl Callbacks {
    fn any(&self) -> bool {
        let c = &self.0;
        c.interrupt.is_some() || c.notify.is_some() || c.flip.is_some() || c.wrote.is_some()
    }
}

impl Host for Callbacks {
    fn interrupt(&mut self, trap: &Trap) -> Answer {
        let trap = IsoTrap::from(trap);
        self.0.interrupt.map_or(Answer::Go, |call| {
            // SAFETY: the embedder vouches for its function and its pointer.
            answer(unsafe { call(self.0.user, &trap) })
        })
    }

    fn notify(&mut self, address: u32, awaken: bool) -> Answer {
        self.0.notify.map_or(Answer::Go, |call| {
            // SAFETY: as above.
            answer(unsafe { call(self.0.user, address, awaken.into()) })
        })
    }

    fn flip(&mut self, flip: &Flip) -> Answer {
        let flip = IsoFlip::from(flip);
        self.0.flip.map_or(Answer::Go, |call| {
            // SAFETY: as above.
            answer(unsafe { call(self.0.user, &flip) })
        })
    }

    fn wants_writes(&self) -> bool {
        self.0.wrote.is_some()
    }

    fn wrote(&mut self, address: u32, len: usize) {
        if let Some(call) = self.0.wrote {
            // SAFETY: as above.
            unsafe { call(self.0.user, address, len) };
        }
    }
}

/// A text of the caller.
///
/// # Safety
/// `text` is null or a C string.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: by the contract.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| (IsoStatus::BadArgument, format!("{what} is not UTF-8")))
}

/// A chip by its name.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn chip(name: *const c_char) -> Result<Chip, Failure> {
    // SAFETY: by the contract.
    let name = unsafe { text(name, "chip") }?;
    Chip::parse(name).ok_or_else(|| {
        let text = format!("no chip is called {name:?}");
        (IsoStatus::BadArgument, text)
    })
}

fn build(config: &IsoConfig) -> Result<Gpu, Failure> {
    // SAFETY: the header asks for a C string.
    let mut builder = Gpu::builder(unsafe { chip(config.chip) }?);
    if config.reserved != 0 {
        return Err((IsoStatus::BadArgument, "reserved must be 0".into()));
    }
    if config.threads != 0 {
        builder = builder.threads(config.threads as usize);
    }
    let too_long = |len: usize| (IsoStatus::BadArgument, format!("memory of {len} bytes"));
    if config.memory_size.max(config.gart_size) > isize::MAX as usize {
        return Err(too_long(config.memory_size.max(config.gart_size)));
    }
    builder = match (NonNull::new(config.memory), config.memory_size) {
        (None, 0) => builder,
        (None, size) => builder.memory_size(size),
        // SAFETY: the header says how long it must be valid, and who may touch it.
        (Some(start), size) => unsafe { builder.memory_mapped(start, size) },
    };
    builder = match (NonNull::new(config.gart), config.gart_size) {
        (None, 0) => builder,
        (None, size) => builder.gart_size(size),
        // SAFETY: as above.
        (Some(start), size) => unsafe { builder.gart_mapped(start, size) },
    };
    builder = builder.check_memory(config.check_memory != 0);
    let callbacks = Callbacks(*config);
    if callbacks.any() {
        builder = builder.host(callbacks);
    }
    builder.build().map_err(|error| {
        let status = match error {
            MemoryError::Size(_) => IsoStatus::BadArgument,
            MemoryError::Refused(_) => IsoStatus::NoMemory,
        };
        (status, error.to_string())
    })
}

/// Addresses of the memory that the caller lends.
fn borrowed(config: &IsoConfig) -> [Range<usize>; 2] {
    let lent = [
        (config.memory, config.memory_size),
        (config.gart, config.gart_size),
    ];
    lent.map(|(start, size)| match start.is_null() {
        true => 0..0,
        false => start as usize..(start as usize).saturating_add(size),
    })
}

/// Makes a chip. *out is NULL when that fails.
///
/// # Safety
/// config and out are NULL or valid; what config says of its members holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_gpu_new(config: *const IsoConfig, out: *mut *mut IsoGpu) -> IsoStatus {
    outside(|| {
        // SAFETY: by the contract.
        unsafe { put(out, std::ptr::null_mut(), "out") }?;
        // SAFETY: by the contract.
        let config = unsafe { structs::read(config, "config") }?;
        let gpu = Box::new(IsoGpu::new(build(&config)?, borrowed(&config)));
        // SAFETY: by the contract.
        unsafe { put(out, Box::into_raw(gpu), "out") }?;
        Ok(IsoStatus::Ok)
    })
}

/// Frees a chip; NULL is allowed. ISO_STATUS_BUSY, and nothing happens, while a call runs on
/// it. A recording that was not ended is cut off.
///
/// # Safety
/// gpu is NULL or comes from iso_gpu_new; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_gpu_free(gpu: *mut IsoGpu) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe { free(gpu) }
}
