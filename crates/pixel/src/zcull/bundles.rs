//! The bundles that ZCULL takes.

isotherm_bus::takes! {
    /// ZCULL's registers.
    Zcull:
    Z_CONFIG: u32,
    CLIPID_ID: u32,
    CLIPID_BASE: u32,
    CLIPID_LIMIT: u32,
    CLIPID_OFFSET: u32,
    CLIPID_PITCH: u32,
    CLEAR_ZETA: u32;
    also CLEAR_CLIPID_TRIGGER
}
