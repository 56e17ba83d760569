//! Class methods: addresses, array shapes, names, data, and the words they change.
//!
//! Layout and validity are two facts: the data words here say where bits lie in
//! what a driver sends; a method may reject a value that a state word could hold.

pub mod celsius;
pub mod d3d;
mod data;
pub mod kelvin;
pub mod rankine_curie;
mod table;
mod twod;

pub use data::*;
pub use table::{CLASSES, Class, Method};
pub use twod::{
    COLOR_CONVERSION, COLOR_FORMAT, MONO_FORMAT, OPERATION, PATTERN_SELECT, PATTERN_SHAPE,
    SIFM_FILTER, SIFM_FORMAT, SIFM_ORIGIN, SIFM_POINT, SIFM_SOURCE, SURF_SWZ_FORMAT, SURF2D_FORMAT,
};
