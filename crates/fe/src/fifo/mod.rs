//! The DMA pusher, objects and handles.
//!
//! [`Pusher`] cuts pushbuffer words into methods; `Objects` is what the hash table
//! in instance memory finds for a handle.

mod pusher;

pub use pusher::{Ahead, Header, Pusher, Walk, WalkError, header};
