//! The bundles that vertex and index fetch takes.

isotherm_bus::takes! {
    /// The registers of vertex and index fetch. Offsets and formats of the buffers come as events of
    /// their own, not as bundles.
    Idx:
    PRIMITIVE_RESTART_ENABLE: u32,
    PRIMITIVE_RESTART_INDEX: u32,
    VB_ELEMENT_BASE: u32,
    VB_OFFSET_BASE: u32,
    XF_ATTR_IN_MASK: u32;
    also DMA_VTX
}
