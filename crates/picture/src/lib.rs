//! What is done to whole pictures: every loop over pixels or surface words that a command of the
//! program has.
//!
//! The functions take plain slices and pictures and have no type parameters: a generic one would
//! be compiled with the program, which is not optimised.
//!
//! | module | |
//! |---|---|
//! | [`mod@file`] | PNG in and out |
//! | [`golden`] | a picture against what real hardware or a reference drew |
//! | [`screenshot`] | a picture against a screenshot, within a tolerance |
//! | [`sheet`] | many pictures on one |
//! | [`words`] | the words of a surface |

pub mod file;
pub mod golden;
pub mod screenshot;
pub mod sheet;
pub mod words;

pub use isotherm_capture::Image;
