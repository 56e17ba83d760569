//! Hooks at the edges of the units; free when nobody looks.
//!
//! An [`Observer`] follows the commands. A pixel is followed by a watch: the tile worker
//! that owns it is another instance of the same code, one that calls its hooks (`watch.rs`) at each step
//! and always goes the general way; the units then say what they did to that one lane
//! (`explain.rs` in their folders). What comes out is a [`Touch`].

mod history;
mod mali;
mod names;

pub use history::*;
pub use mali::*;
pub use names::name;

use crate::bundle::Event;
use crate::method::Method;
use crate::trap::Trap;

/// Somebody who watches the chip work. Every method does nothing unless overridden.
pub trait Observer: Send {
    /// A method reaches an object of this class, before it acts.
    fn method(&mut self, _class: u32, _method: Method) {}

    /// The front end emitted this, before the pipeline gets it.
    fn event(&mut self, _event: &Event) {}

    /// The front end refused a method.
    fn trap(&mut self, _trap: &Trap) {}
}
