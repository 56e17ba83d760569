//! The bundles that vertex and index fetch takes.

isotherm_bus::takes! {
    /// The registers of vertex and index fetch. Offsets and formats of the buffers come as events of
    /// their own, not as bundles.
    Idx:
    ;
    also DMA_VTX
}
