//! RASTER: coverage and interpolation.
