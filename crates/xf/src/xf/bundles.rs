//! The bundles that the vertex engine takes.

isotherm_bus::takes! {
    /// XF's registers. Before Curie its mode comes as commands, not as bundles.
    Xf:
    XF_A: u32,
    XF_LIGHT: u32,
    XF_C: u32,
    XF_D: u32,
    XF_ATTR_OUT_MASK: u32,
    XF_TXC: [u32; 10],
    XF_OUT_MAP_MISC_A: u32,
    XF_OUT_MAP_MISC_B: u32,
    XF_OUT_MAP_TXC_A: u32,
    XF_OUT_MAP_TXC_B: u32,
    CONFIG_B: u32,
    RASTER: u32;
}
