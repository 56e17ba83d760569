//! A DRM device made of a software GPU.
//!
//! The library is preloaded into a program (`isotherm run` does it). Calls of the C library
//! that concern `/dev/dri/renderD128` and its directory in `/sys` end here instead of in the
//! kernel, so that the stock Mesa drivers nouveau and lima find a GeForce FX, a GeForce 6 or
//! a Mali-400 and draw on it.
//!
//! ```text
//! program ─ libGL/EGL ─ Mesa's driver ─ libdrm ─ ioctl ┐
//!                                                      │ hook     libc's symbols, paths
//!                                                      │ device   one thread owns the chip
//!                                                      │ core     ioctls of all drivers
//!                                                      ├ nouveau  channels, objects, pushbuffers
//!                                                      └ lima     contexts, jobs
//!                                                        buffers  one file, mapped twice
//! ```
//!
//! A buffer is a range of one file. The driver maps it through the device's descriptor, the
//! chip sees it mapped at its GPU address; nothing is copied, and a move between VRAM and GART
//! is another mapping of the same bytes.

mod buffers;
mod chips;
mod core;
mod device;
mod end;
pub mod hook;
#[cfg(test)]
mod hostile;
mod lima;
mod mappings;
mod nouveau;
mod record;
mod request;
mod settings;
mod stats;
mod syncobj;
mod user;
