//! The bundles that the raster operations take.

isotherm_bus::takes! {
    /// ROP's registers. Those of the surfaces come as events of their own, not as bundles.
    Rop:
    CONFIG_A: u32,
    CONFIG_B: u32,
    RASTER: u32,
    STENCIL_A: u32,
    STENCIL_B: u32,
    STENCIL_C: u32,
    STENCIL_D: u32,
    BLEND: u32,
    BLEND_COLOR: u32,
    COLOR_MASK: u32,
    ALPHA_FUNC_REF: u32,
    RT_ENABLE: u32,
    Z_CONFIG: u32,
    DEPTH_BOUNDS_MIN: u32,
    DEPTH_BOUNDS_MAX: u32,
    MULTISAMPLE: u32;
    also ZPASS_COUNTER_RESET
}
