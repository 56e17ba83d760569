//! Structures that cross the border. Each begins with its size.

use crate::border::null;
use crate::status::{Failure, IsoStatus};
use isotherm::trap::Trap;
use isotherm::{Flip, Layout, PixelFormat, SurfaceView, Wait};

/// A structure that begins with its size and may grow at its end.
///
/// # Safety
/// `repr(C)`, the first member is a `u32` with the size, and all members may be zero.
pub(crate) unsafe trait Growing: Copy {
    /// Bytes of the first version.
    const FIRST: usize;
}

fn known_size<T: Growing>(size: u32) -> Result<usize, Failure> {
    let size = size as usize;
    if size < T::FIRST {
        let text = format!("size is {size}, the structure has {}", size_of::<T>());
        return Err((IsoStatus::StructSize, text));
    }
    Ok(size.min(size_of::<T>()))
}

/// Reads a structure; members that the caller does not know are zero.
///
/// # Safety
/// `from` is null or valid for reads of as many bytes as its first member says.
pub(crate) unsafe fn read<T: Growing>(from: *const T, what: &str) -> Result<T, Failure> {
    if from.is_null() {
        return Err(null(what));
    }
    // SAFETY: the size is the first member of every `Growing`, and the pointer is valid.
    let size = known_size::<T>(unsafe { from.cast::<u32>().read_unaligned() })?;
    // SAFETY: all members of a `Growing` may be zero.
    let mut value: T = unsafe { std::mem::zeroed() };
    // SAFETY: `size` bytes are valid on both sides.
    unsafe {
        from.cast::<u8>()
            .copy_to_nonoverlapping((&raw mut value).cast(), size)
    };
    Ok(value)
}

/// Writes a structure as far as the caller knows it; its size member stays.
///
/// # Safety
/// `to` is null or valid for reads and writes of as many bytes as its first member says.
pub(crate) unsafe fn write<T: Growing>(to: *mut T, value: &T, what: &str) -> Result<(), Failure> {
    if to.is_null() {
        return Err(null(what));
    }
    const SIZE: usize = size_of::<u32>();
    // SAFETY: as in `read`.
    let size = known_size::<T>(unsafe { to.cast::<u32>().read_unaligned() })?;
    let from = (&raw const *value).cast::<u8>();
    // SAFETY: `size` bytes are valid on both sides; it is more than the first member.
    unsafe {
        from.add(SIZE)
            .copy_to_nonoverlapping(to.cast::<u8>().add(SIZE), size - SIZE)
    };
    Ok(())
}

/// What a callback answers.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsoAnswer {
    /// Go on with the next word.
    Go = 0,
    /// Stop here; iso_resume or the next fetch goes on.
    Wait = 1,
}

/// A method that the front end refused, or by which a driver calls its own handler.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct IsoTrap {
    /// INTR at the time.
    pub intr: u32,
    /// NSOURCE at the time.
    pub nsource: u32,
    /// The class that was executing.
    pub class_id: u32,
    /// Its method.
    pub method: u32,
    /// The method's data.
    pub data: u32,
}

impl From<&Trap> for IsoTrap {
    fn from(trap: &Trap) -> IsoTrap {
        IsoTrap {
            intr: trap.intr,
            nsource: trap.nsource,
            class_id: trap.class,
            method: trap.method,
            data: trap.data,
        }
    }
}

/// What a pixel's word holds, from its highest bit on.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsoFormat {
    /// A bit without meaning, five bits each of red, green and blue.
    X1r5g5b5 = 0,
    /// Five bits of red, six of green, five of blue.
    R5g6b5 = 1,
    /// A byte without meaning, red, green, blue.
    X8r8g8b8 = 2,
    /// A bit without meaning, seven bits of alpha, red, green, blue.
    X1a7r8g8b8 = 3,
    /// Alpha, red, green, blue.
    A8r8g8b8 = 4,
    /// A byte without meaning, blue, green, red.
    X8b8g8r8 = 5,
    /// Alpha, blue, green, red.
    A8b8g8r8 = 6,
    /// Blue alone.
    B8 = 7,
    /// Green and blue.
    G8b8 = 8,
    /// 16 bits of depth.
    Z16 = 9,
    /// 24 bits of depth, 8 of stencil.
    Z24s8 = 10,
}

/// The formats by their numbers.
const FORMATS: [PixelFormat; 11] = [
    PixelFormat::X1R5G5B5,
    PixelFormat::R5G6B5,
    PixelFormat::X8R8G8B8,
    PixelFormat::X1A7R8G8B8,
    PixelFormat::A8R8G8B8,
    PixelFormat::X8B8G8R8,
    PixelFormat::A8B8G8R8,
    PixelFormat::B8,
    PixelFormat::G8B8,
    PixelFormat::Z16,
    PixelFormat::Z24S8,
];

/// A surface in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct IsoSurface {
    /// sizeof(iso_surface).
    pub size: u32,
    /// Address of the first byte.
    pub address: u32,
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes from one row to the next; 0 if the words lie in Morton order.
    pub pitch: u32,
    /// In Morton order: log2 of the width.
    pub log_width: u32,
    /// In Morton order: log2 of the height.
    pub log_height: u32,
    /// An iso_format.
    pub format: u32,
    /// Samples per pixel, horizontally; each has a word. 0 means 1.
    pub samples_x: u32,
    /// Samples per pixel, vertically. 0 means 1.
    pub samples_y: u32,
}

// SAFETY: integers only, the first is the size.
unsafe impl Growing for IsoSurface {
    const FIRST: usize = 40;
}

impl From<&SurfaceView> for IsoSurface {
    fn from(view: &SurfaceView) -> IsoSurface {
        let (pitch, log_width, log_height) = match view.layout {
            Layout::Linear { pitch } => (pitch, 0, 0),
            Layout::Swizzled { width, height } => (0, width, height),
        };
        let format = FORMATS.iter().position(|format| *format == view.format);
        IsoSurface {
            size: size_of::<IsoSurface>() as u32,
            address: view.address,
            width: view.width,
            height: view.height,
            pitch,
            log_width,
            log_height,
            format: format.unwrap_or(0) as u32,
            samples_x: view.samples.0,
            samples_y: view.samples.1,
        }
    }
}

impl IsoSurface {
    pub(crate) fn view(&self) -> Result<SurfaceView, Failure> {
        let format = FORMATS.get(self.format as usize).ok_or_else(|| {
            let text = format!("{} is no iso_format", self.format);
            (IsoStatus::BadArgument, text)
        })?;
        Ok(SurfaceView {
            address: self.address,
            width: self.width,
            height: self.height,
            layout: match self.pitch {
                0 => Layout::Swizzled {
                    width: self.log_width,
                    height: self.log_height,
                },
                pitch => Layout::Linear { pitch },
            },
            format: *format,
            samples: (self.samples_x.max(1), self.samples_y.max(1)),
        })
    }
}

/// FLIP_STALL: a picture is complete.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct IsoFlip {
    /// sizeof(iso_flip), set by the library.
    pub size: u32,
    /// Number of the picture that is drawn: FLIP_INCREMENT_WRITE counts it.
    pub write: u32,
    /// Number of the picture that is shown: iso_picture_shown counts it.
    pub read: u32,
    /// Both begin again at 0 when they reach this.
    pub modulo: u32,
    /// 1 if the chip would stall: the picture that is drawn next is still shown.
    pub stalls: u32,
    /// 1 if a colour surface is bound; it is the next member.
    pub has_surface: u32,
    /// What was drawn to.
    pub surface: IsoSurface,
}

impl From<&Flip> for IsoFlip {
    fn from(flip: &Flip) -> IsoFlip {
        IsoFlip {
            size: size_of::<IsoFlip>() as u32,
            write: flip.write.into(),
            read: flip.read.into(),
            modulo: flip.modulo.into(),
            stalls: flip.stalls().into(),
            has_surface: flip.surface.is_some().into(),
            surface: flip
                .surface
                .as_ref()
                .map_or_else(IsoSurface::default, IsoSurface::from),
        }
    }
}

/// Why the chip stopped before the end of its words.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsoWaitReason {
    /// It did not stop.
    None = 0,
    /// A callback answered an interrupt, or a method was refused: `trap`.
    Interrupt = 1,
    /// A callback answered a notification: `address`.
    Notify = 2,
    /// A callback answered a flip: `flip`.
    Flip = 3,
    /// SEMAPHORE_ACQUIRE: the word at `address` is not `value` yet. Write it, say
    /// iso_cpu_wrote, then go on: the method is looked at again.
    Semaphore = 4,
}

/// Why the chip stopped last.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct IsoStop {
    /// sizeof(iso_stop).
    pub size: u32,
    /// An iso_wait_reason.
    pub reason: u32,
    /// Of a notification or semaphore.
    pub address: u32,
    /// What the semaphore must be.
    pub value: u32,
    /// The refused method.
    pub trap: IsoTrap,
    /// The flip.
    pub flip: IsoFlip,
}

// SAFETY: integers only, the first is the size.
unsafe impl Growing for IsoStop {
    const FIRST: usize = size_of::<IsoStop>();
}

impl IsoStop {
    pub(crate) fn of_trap(trap: &Trap) -> IsoStop {
        IsoStop {
            reason: IsoWaitReason::Interrupt as u32,
            trap: trap.into(),
            ..IsoStop::default()
        }
    }
}

impl From<&Wait> for IsoStop {
    fn from(wait: &Wait) -> IsoStop {
        let stop = |reason: IsoWaitReason| IsoStop {
            reason: reason as u32,
            ..IsoStop::default()
        };
        match wait {
            Wait::Interrupt(trap) => IsoStop::of_trap(trap),
            Wait::Notify(address) => IsoStop {
                address: *address,
                ..stop(IsoWaitReason::Notify)
            },
            Wait::Flip(flip) => IsoStop {
                flip: flip.into(),
                ..stop(IsoWaitReason::Flip)
            },
            Wait::Semaphore { address, value } => IsoStop {
                address: *address,
                value: *value,
                ..stop(IsoWaitReason::Semaphore)
            },
        }
    }
}

/// A channel's place in its pushbuffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct IsoFifo {
    /// sizeof(iso_fifo).
    pub size: u32,
    /// The memory that addresses are relative to: its first address.
    pub base: u32,
    /// Its last valid byte, relative to base.
    pub limit: u32,
    /// GET: where the next word is. The library moves it.
    pub get: u32,
    /// PUT: where the words end.
    pub put: u32,
    /// 1 inside a subroutine.
    pub calls: u32,
    /// Where the subroutine returns to.
    pub return_to: u32,
    /// Why the last fetch ended, an iso_fetch_end; set by the library.
    pub ended: u32,
}

// SAFETY: integers only, the first is the size.
unsafe impl Growing for IsoFifo {
    const FIRST: usize = 32;
}

/// Why a fetch ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsoFetchEnd {
    /// GET has reached PUT.
    Empty = 0,
    /// The chip waits; fetch again to go on.
    Wait = 1,
    /// As many words as were allowed.
    Budget = 2,
    /// A word that is no command, at GET; the real pusher raises an interrupt.
    Command = 3,
    /// A call within a call, or a return without one, at GET.
    Nesting = 4,
    /// GET is outside the pushbuffer's memory.
    Outside = 5,
}
