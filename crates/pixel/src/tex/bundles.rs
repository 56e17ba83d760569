//! The bundles that the texture units take.

isotherm_bus::takes! {
    /// The registers of the texture units, those that vertex programs sample included.
    Tex:
    TEX_OFFSET: [u32; 16],
    TEX_FORMAT: [u32; 16],
    TEX_WRAP: [u32; 16],
    TEX_CONTROL: [u32; 16],
    TEX_CONTROL_D: [u32; 16],
    TEX_PITCH: [u32; 16],
    TEX_FILTER: [u32; 16],
    TEX_RECT: [u32; 16],
    TEX_BORDER_COLOR: [u32; 16],
    TEX_PALETTE: [u32; 16],
    TEX_COLOR_KEY: [u32; 16],
    TEX_ZCOMP: u32,
    XF_TEX_OFFSET: [u32; 4],
    XF_TEX_FORMAT: [u32; 4],
    XF_TEX_WRAP: [u32; 4],
    XF_TEX_CONTROL_A: [u32; 4],
    XF_TEX_CONTROL_B: [u32; 4],
    XF_TEX_FILTER: [u32; 4],
    XF_TEX_RECT: [u32; 4],
    XF_TEX_BORDER_COLOR: [u32; 4];
    also DMA_TEX
}
