//! The bundles that the rasteriser takes.

isotherm_bus::takes! {
    /// The rasteriser's registers.
    Raster:
    RASTER: u32,
    CONFIG_A: u32,
    CONFIG_B: u32,
    MULTISAMPLE: u32,
    POINT_SIZE: u32,
    LINE_STIPPLE: u32,
    POLYGON_STIPPLE: [u32; 32],
    POLYGON_OFFSET_UNITS: u32,
    POLYGON_OFFSET_FACTOR: u32,
    DEPTH_RANGE_NEAR: u32,
    DEPTH_RANGE_FAR: u32,
    Z_CONFIG: u32,
    FOG_COEFF: [u32; 2],
    SCISSOR_HV: [u32; 2],
    VIEWPORT_HV: [u32; 2],
    VIEWPORT_OFFSET: u32,
    TXC_ENABLE: u32,
    TXC_CYLWRAP: u32,
    TXC_CYLWRAP_B: u32,
    XF_TXC: [u32; 10],
    CLIP_RECT_HORIZ: [u32; 8],
    CLIP_RECT_VERT: [u32; 8],
    CLIP_PLANE_ENABLE: u32,
    WINDOW_OFFSET: u32,
    CLEAR_HV: [u32; 2],
    CLEAR_COLOR: u32;
}
