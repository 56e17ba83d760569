//! The bundles that primitive assembly takes.

isotherm_bus::takes! {
    /// ASSM's registers.
    Assm:
    CONFIG_B: u32,
    RASTER: u32;
}
