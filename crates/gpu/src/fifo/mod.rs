//! The DMA pusher, objects and handles.
//!
//! [`Pusher`] cuts pushbuffer words into methods; [`Objects`] is what the hash table
//! in instance memory finds for a handle.

mod objects;
mod pusher;

pub use objects::{Object, Objects};
pub use pusher::{Ahead, Method, Pusher, Walk, WalkError};
