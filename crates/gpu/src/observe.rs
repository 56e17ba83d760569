//! Hooks at the edges of the units; free when nobody looks.

use crate::bundle::Event;
use crate::fe::Trap;
use crate::fifo::Method;

/// Somebody who watches the chip work. Every method does nothing unless overridden.
pub trait Observer: Send {
    /// A method reaches an object of this class, before it acts.
    fn method(&mut self, _class: u32, _method: Method) {}

    /// The front end emitted this, before the pipeline gets it.
    fn event(&mut self, _event: &Event) {}

    /// The front end refused a method.
    fn trap(&mut self, _trap: &Trap) {}
}
