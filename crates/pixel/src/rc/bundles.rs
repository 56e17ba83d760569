//! The bundles that the register combiners take.

isotherm_bus::takes! {
    /// The registers that configure the combiners.
    Rc:
    RC_IN_COLOR: [u32; 8],
    RC_OUT_COLOR: [u32; 8],
    RC_IN_ALPHA: [u32; 8],
    RC_OUT_ALPHA: [u32; 8],
    RC_FACTOR_A: [u32; 8],
    RC_FACTOR_B: [u32; 8],
    RC_CONFIG: u32,
    RC_FINAL_A: u32,
    RC_FINAL_B: u32,
    RC_FINAL_FACTOR: [u32; 2],
    FOG_COLOR: u32;
}
