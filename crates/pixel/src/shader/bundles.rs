//! The bundles that texture shaders and fragment programs take.

isotherm_bus::takes! {
    /// The registers of texture shaders and fragment programs.
    Shader:
    TEX_SHADER_OP: u32,
    TEX_SHADER_MISC: u32,
    TEX_SHADER_CULL_MODE: u32,
    TEX_SHADER_CONST_EYE: [u32; 3],
    TEX_UNK10: [u32; 3],
    TEX_UNK11: [u32; 3],
    TEX_UNK12: [u32; 3],
    TEX_UNK13: [u32; 3],
    TEX_UNK14: [u32; 3],
    TEX_UNK15: [u32; 3],
    TEX_CONTROL: [u32; 16],
    TEX_FORMAT: [u32; 16],
    CONFIG_A: u32,
    CONFIG_B: u32,
    PS_OFFSET: u32,
    PS_CONTROL: u32;
}
