//! Class methods: their data words.
//!
//! Layout and validity are two facts: the words here say where bits lie in the
//! data a driver sends; a method may reject a value that the word could hold.

mod data;

pub use data::*;
