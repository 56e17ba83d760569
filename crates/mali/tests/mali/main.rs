//! Tests of the Mali-400 against the library as everybody links it.

mod fragment_programs;
mod hostile;
mod kill;
mod lint;
mod pictures;
mod raster;
mod rules;
mod stencil;
mod texels;
mod trace;
mod vertex_programs;
