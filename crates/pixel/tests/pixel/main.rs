//! Tests of the pixel units from outside: the library is compiled once for all of them.

mod assm;
mod profile;
mod raster_state;
