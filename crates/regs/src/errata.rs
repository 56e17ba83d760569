//! Where the documents are wrong or silent, and where declarations knowingly
//! differ from a source. `docs/errata.md` is made from this and from the
//! declarations' own remarks.

use crate::Chip;

/// A word whose declared bits knowingly differ from a register scan.
#[derive(Clone, Copy, Debug)]
pub struct MaskException {
    /// The word's name.
    pub word: &'static str,
    /// First chip.
    pub since: Chip,
    /// First chip that it no longer holds for.
    pub until: Chip,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const MASK_EXCEPTIONS: &[MaskException] = &[];

/// The exception that covers a word of a chip.
pub fn mask_exception(chip: Chip, word: &str, _entry: u16) -> Option<&'static MaskException> {
    MASK_EXCEPTIONS
        .iter()
        .find(|e| e.word == word && chip.within(e.since, e.until))
}

/// One of the three documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// "Pipeline Bundles".
    Bundles,
    /// "XF: The vertex transform & lighting engine".
    Xf,
    /// "Render State" of limadriver.org.
    RenderState,
}

/// The documents with their titles.
pub const DOCUMENTS: &[(Document, &str)] = &[
    (Document::Bundles, "Pipeline Bundles"),
    (Document::Xf, "XF: The vertex transform & lighting engine"),
    (Document::RenderState, "Render State (limadriver.org)"),
];

/// One error, doubt or gap of a document.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Which document.
    pub document: Document,
    /// Where in it.
    pub place: &'static str,
    /// What it says.
    pub says: &'static str,
    /// What is known today.
    pub known: &'static str,
    /// How.
    pub evidence: &'static str,
}

const fn e(
    document: Document,
    place: &'static str,
    says: &'static str,
    known: &'static str,
    evidence: &'static str,
) -> Erratum {
    Erratum {
        document,
        place,
        says,
        known,
        evidence,
    }
}

use Document::{Bundles, RenderState, Xf};

const SCAN: &str = "register scan";
const VECTORS: &str = "method vectors of the hardware tests";
const NEWER: &str = "newer edition of the page";
const HEADERS: &str = "public NV097 headers";
const PICTURES: &str = "pictures of an NV2A";
const NOTHING: &str = "none";

/// All entries, in the documents' order.
pub const ENTRIES: &[Erratum] = &[
    e(
        Bundles,
        "table, column \"Used by\"",
        "unit names with ?",
        "kept as the page guesses them; only what acts is known, not which silicon block latches the word",
        "the emulation draws the same pictures with them",
    ),
    e(
        Bundles,
        "table, TEX_UNK10 to TEX_UNK15 on Kelvin",
        "003, 006, 009, 00c, 00f, 012",
        "007, 00a, 00d, 010, 013, 016; as printed they collide with TEX_BORDER_COLOR",
        SCAN,
    ),
    e(
        Bundles,
        "table, TEX_UNK10 to TEX_UNK15",
        "no meaning",
        "bump matrix (10, 11, 13, 12 in id order are its words 0, 1, 3, 2), luminance scale (14) and offset (15) of stages 1 to 3",
        "pictures of an NV2A; public NV097 headers",
    ),
    e(
        Bundles,
        "table, CLEAR_HV, Z_CONFIG, CLEAR_ZETA, UNK3FC on Celsius",
        "no star",
        "NV17 and up only",
        SCAN,
    ),
    e(
        Bundles,
        "table, RT_ENABLE on Kelvin",
        "05f?",
        "exists on NV25 and NV28, not on NV20 and NV2A",
        SCAN,
    ),
    e(
        Bundles,
        "table, FOG_COEFF",
        "used by ????",
        "two of three coefficients; the third goes to the lighting unit. Which block reads the bundle is unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "table, FENCE_OFFSET, FENCE_WRITE_B",
        "used by ???",
        "where a semaphore is written, and the trigger that writes it",
        HEADERS,
    ),
    e(
        Bundles,
        "table, 069 on Rankine",
        "????",
        "28 bits, absent on NV34; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, UNK1E68",
        "????",
        "a float sent by method 1E68h of class 97h; meaning unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "table, 0ae on Kelvin",
        "????",
        "two bits from method 1D88h of class 597h; Curie has 32 bits there; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, RANKINE_UNK0A40",
        "????",
        "bits 0-6, 9, 11, 12, 16, absent on NV34; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, KELVIN_UNK1DC0",
        "????",
        "four words of four 5-bit numbers; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, KELVIN_UNK1DBC",
        "????",
        "two bits; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, 0c6",
        "???? apparently involved in clears",
        "one bit; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, 1dc",
        "???? apparently involved in clears",
        "nothing more is known",
        NOTHING,
    ),
    e(
        Bundles,
        "table, UNKA08",
        "trigger?",
        "nothing more is known",
        NOTHING,
    ),
    e(
        Bundles,
        "table, CLEAR_ZCULL_TRIGGER on Kelvin, Rankine",
        "?",
        "no id is known",
        NOTHING,
    ),
    e(
        Bundles,
        "table, TEX_UNK238",
        "TEX_UNK238",
        "the register is called TEX_CONTROL_C; all 32 bits exist; meaning unknown",
        SCAN,
    ),
    e(
        Bundles,
        "table, WINDOW_OFFSET",
        "name",
        "the scan calls it WINDOW_CONFIG; 14 bits",
        SCAN,
    ),
    e(
        Bundles,
        "table, Curie",
        "shares Rankine's column",
        "Curie lacks the texture shader, bump, palette and zcull bundles and has 39 of its own from 0c8 on, 0b0 and 180 among them",
        SCAN,
    ),
    e(
        Bundles,
        "Texture bundles",
        "todo: write me",
        "all texture words are declared",
        "this project",
    ),
    e(
        Bundles,
        "TEX_FORMAT [NV10:NV20] WRAP_T",
        "bits 28-32",
        "bits 28-30; 31 is WRAP_T_CYL",
        SCAN,
    ),
    e(
        Bundles,
        "TEX_FORMAT MODE",
        "[NV20:NV30]",
        "the bits exist on Rankine and Curie too",
        SCAN,
    ),
    e(
        Bundles,
        "TEX_FORMAT FORMAT [NV40:]",
        "absent",
        "Curie has 5 bits of format, LINEAR, RECT and one unknown bit",
        "newer edition of the page; public register database",
    ),
    e(
        Bundles,
        "FORMAT list",
        "??? for nearly all",
        "61 of 79 numbers have names, sizes and layouts; 18h, 26h, 34h, 42h, 43h, 48h, 49h, 4Dh, 4Eh and the NV17 numbers 19h-1Ch are unknown; 08h-0Ah, 14h and 15h have sizes but no public name",
        "public NV097 headers, register database, pictures of an NV2A",
    ),
    e(
        Bundles,
        "FORMAT 24h, 25h",
        "???_RECT_DXT",
        "YUY2 and UYVY, linear; not block formats",
        PICTURES,
    ),
    e(Bundles, "FORMAT 34h", "???_RECT_DXT", "unknown", NOTHING),
    e(
        Bundles,
        "TEX_WRAP RANKINE_TEX_WRAP_UNK24",
        "values ???",
        "unknown",
        NOTHING,
    ),
    e(
        Bundles,
        "TEX_WRAP ANISO_MIP_FILTER_OPTIMIZATION?, GAMMA_DECREASE_FILTER?",
        "names with ?",
        "the register database has both names; no picture confirms them",
        "public register database",
    ),
    e(
        Bundles,
        "TEX_CONTROL bit 0",
        "COLOR_KEY_ENABLE?",
        "bits 0-1: off, alpha to 0, all to 0, kill",
        PICTURES,
    ),
    e(
        Bundles,
        "TEX_CONTROL bits 1-3",
        "???",
        "bit 1 belongs to the colour key, 2 is alpha kill, 3 is image field",
        "public NV097 headers; launch checks of the hardware tests",
    ),
    e(
        Bundles,
        "TEX_CONTROL on Curie",
        "as before",
        "the clamps are one bit higher and ENABLE is bit 31",
        "drivers; newer edition of the page has 31: ???",
    ),
    e(
        Bundles,
        "TEX_FILTER_UNK13",
        "UNK0 to UNK3",
        "convolution kernel: 1 quincunx, 2 Gaussian; 0 is rejected, 3 unknown",
        "public NV097 headers; method vectors",
    ),
    e(
        Bundles,
        "TEX_FILTER SIGNED_*",
        "B, G, R, A from bit 28 up",
        "A, R, G, B from bit 28 up",
        PICTURES,
    ),
    e(
        Bundles,
        "MINIFY 7, MAGNIFY 4",
        "???",
        "convolution on level 0",
        HEADERS,
    ),
    e(
        Bundles,
        "TEX_RECT",
        "WIDTH low, HEIGHT high (and \"btis\")",
        "HEIGHT low, WIDTH high",
        "data check of the hardware, drivers, pictures",
    ),
    e(
        Bundles,
        "TEX_PALETTE bits 2-3",
        "???",
        "length: 256, 128, 64 or 32 entries",
        "public NV097 headers; pictures of an NV2A",
    ),
    e(
        Bundles,
        "TEX_ZCOMP values",
        "same as ALPHA_FUNC",
        "less and greater are swapped against it: the coordinate stands on the left",
        "register database; pictures of an NV2A",
    ),
    e(
        Bundles,
        "Register combiner bundles",
        "todo: write me",
        "all declared: inputs, outputs, factors, configuration, final combiner",
        "register database, method vectors, pictures",
    ),
    e(
        Bundles,
        "CONFIG_A Z_FORMAT",
        "bits 30-21",
        "bits 30-31, on NV4 only",
        SCAN,
    ),
    e(
        Bundles,
        "CONFIG_A, STENCIL_A, STENCIL_B of NV4",
        "described",
        "not declared: NV4 is before the first chip here",
        "scope",
    ),
    e(
        Bundles,
        "CONFIG_A, CONFIG_B KELVIN_CONFIG_UNK28",
        "values ???",
        "colour space conversion: 0 none, 1 and 2 from CrYCb; 3 on NV25 is unknown",
        HEADERS,
    ),
    e(
        Bundles,
        "CONFIG_A bit 31 CELSIUS_UNK3F8",
        "[NV17:NV20, NV34]",
        "NV17 to NV18 and NV34; Curie has an unknown bit there",
        SCAN,
    ),
    e(
        Bundles,
        "STENCIL_B bits 12-15",
        "??? [NV34]",
        "NV34 and Curie; unknown",
        SCAN,
    ),
    e(
        Bundles,
        "CONFIG_B POINT_SPRITE_ENABLE",
        "todo: why is POINT_SMOOTH_ENABLE aliased here?",
        "unknown; no method of class 97h or 597h shows it",
        VECTORS,
    ),
    e(
        Bundles,
        "CONFIG_B CELSIUS_CONFIG_UNK24",
        "no meaning",
        "premultiplied alpha",
        HEADERS,
    ),
    e(
        Bundles,
        "CONFIG_B bit 4 [NV10:NV20]",
        "???",
        "exists, no method writes it; absent on NV20 and NV2A",
        SCAN,
    ),
    e(
        Bundles,
        "CONFIG_B CELSIUS_CONFIG_UNK8",
        "values ???",
        "written by the Celsius classes only; unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "CONFIG_B FOG_MODE",
        "UNK_0802, UNK_0803, UNK_0804",
        "exponential, squared exponential and linear of the coordinate's magnitude",
        "public register database (\"unsigned\")",
    ),
    e(
        Bundles,
        "CONFIG_B FOG_MODE on Celsius",
        "stored in FE3D_MISC",
        "stored in CONFIG_C (400F48h), bits 0-2",
        VECTORS,
    ),
    e(
        Bundles,
        "CONFIG_B KELVIN_UNKA0C",
        "no meaning",
        "bit 0 of method A0Ch; unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "BLEND_EQUATION 5, 6",
        "UNKF005, UNKF006",
        "signed reverse subtract and signed add",
        PICTURES,
    ),
    e(
        Bundles,
        "BLEND_EQUATION 7",
        "UNKF007",
        "accepted by class 597h; unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "BLEND on Curie",
        "as before",
        "the enable moves to bit 28, 17-19 are the alpha equation, 29-31 unknown",
        NEWER,
    ),
    e(
        Bundles,
        "RASTER bit 4 [NV25:NV30]",
        "???",
        "bit 31 of method 9F8h; meaning unknown",
        VECTORS,
    ),
    e(
        Bundles,
        "RASTER RANKINE_UNK1450_UNK31",
        "[NV30:]",
        "[NV30:NV40]",
        SCAN,
    ),
    e(
        Bundles,
        "RASTER DEPTH_CLAMP_UNK0, DEPTH_CLAMP_UNK8",
        "no meaning",
        "cull beyond near and far; do not look at W for it",
        HEADERS,
    ),
    e(
        Bundles,
        "RASTER CELSIUS_MTHD_UNK3F0",
        "UNK0 to UNK0F",
        "swath width in pixels",
        HEADERS,
    ),
    e(
        Bundles,
        "RASTER CELSIUS_MTHD_UNK3F8 bits 30-31",
        "written by method 3F8h",
        "3F8h writes CONFIG_A bit 31; nothing writes these",
        VECTORS,
    ),
    e(
        Bundles,
        "RASTER CLIP_RECT_MODE",
        "0: ???, 1: ???",
        "0 inside any rectangle, 1 outside all",
        PICTURES,
    ),
    e(
        Bundles,
        "RASTER CLIP_RECT_MODE before NV20",
        "stored in FE3D_MISC",
        "stored in CONFIG_C (400F48h), bit 4",
        VECTORS,
    ),
    e(
        Bundles,
        "Z_CONFIG, CLEAR_*, CLIP_*, FOG_COLOR, TEX_SHADER_*, Rankine's bundles",
        "not described",
        "declared from scans and method vectors",
        "register scan; method vectors",
    ),
    e(
        Bundles,
        "POINT_SIZE",
        "complete",
        "agrees with the scan",
        SCAN,
    ),
    e(
        Xf,
        "versions, NV25, NV30, NV40, NV41",
        "todo: more?",
        "NV25: two units, split lighting context; NV41 drops the fixed-function mode bits of XF_A",
        NEWER,
    ),
    e(
        Xf,
        "state list",
        "todo: PC, address register, condition register",
        "see the instruction set declarations",
        "this project",
    ),
    e(
        Xf,
        "XFMODE names",
        "A lights, B textures (Celsius), B materials, C textures (Kelvin)",
        "B lights, A textures; B lights, A materials, T textures: the names of the newer edition, the scans and the vectors. `xfmode` takes the words in the order of the registers, which is this page's order",
        NEWER,
    ),
    e(
        Xf,
        "Celsius LIGHT_MODEL_UNK2",
        "???",
        "the attenuation polynomial is not inverted",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "Celsius LIGHT_MODEL_VERTEX_SPECULAR, SEPARATE_SPECULAR",
        "???",
        "read the vertex's specular colour; produce a separate one",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "Celsius LIGHT_MATERIAL bits 21-24",
        "???",
        "emission, ambient, diffuse, specular follow the vertex colour",
        "vertex model; register database",
    ),
    e(
        Xf,
        "Celsius bits 26, 30, 31 of 400F40h",
        "not mentioned",
        "do not exist",
        SCAN,
    ),
    e(
        Xf,
        "Celsius FOG_COORD",
        "one list",
        "in bypass mode 1 is the input z, 2 is 1/w, 3 is 1/w on NV10 and vertex fog later",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "EMBOSS_MAP",
        "s of texture 1",
        "the Kelvin classes reject it; emulated Celsius stores 6 on odd units, 0 on even ones",
        VECTORS,
    ),
    e(
        Xf,
        "Kelvin bit 18",
        "???, set by TL_MODE",
        "which context entries programs may read",
        NEWER,
    ),
    e(
        Xf,
        "Kelvin bit 20",
        "???, set by UNK9CC",
        "SET_TEXGEN_VIEW_MODEL",
        HEADERS,
    ),
    e(
        Xf,
        "Kelvin bit 29",
        "???, set by UNK1E98",
        "programs may write the context",
        "newer edition; public NV097 headers",
    ),
    e(
        Xf,
        "Kelvin WEIGHT_MODE 2 to 6",
        "???",
        "two, three and four matrices, with the last weight given or computed",
        HEADERS,
    ),
    e(
        Xf,
        "Kelvin MODE 1 BYPASS",
        "a mode",
        "cannot be set by a Kelvin class, only by emulated Celsius",
        VECTORS,
    ),
    e(
        Xf,
        "Kelvin bit 17 of materials",
        "???, LIGHT_MODEL bit 17",
        "unknown; drivers set it with the local viewer",
        "drivers",
    ),
    e(
        Xf,
        "Kelvin LIGHT_MODEL_UNK2, SPECULAR_ENABLE",
        "???",
        "no Kelvin method writes UNK2; SPECULAR_ENABLE mirrors CONFIG_B",
        VECTORS,
    ),
    e(
        Xf,
        "XFMODE - Rankine",
        "todo: write me",
        "seven words: clip planes, lights, materials, four pairs of textures",
        NEWER,
    ),
    e(
        Xf,
        "XFCTX, NV30 26h to 38h",
        "???",
        "point parameters, light directions, half vectors or attenuations, eye direction",
        NEWER,
    ),
    e(Xf, "XFCTX, NV30 39h to 3Bh", "???", "unknown", NOTHING),
    e(
        Xf,
        "XFCTX MATRIX_UNK440",
        "no meaning",
        "the projection matrix; MATRIX_PROJ is the product of all",
        HEADERS,
    ),
    e(
        Xf,
        "XFCTX MATRIX_MV1 on Celsius",
        "a matrix",
        "its rows double as the bypass scale and two offsets",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "XFCTX 3Bh, LTCTX 2Fh",
        "[unused]",
        "exist from NV11 on; NV10 reads 0",
        SCAN,
    ),
    e(
        Xf,
        "XFCTX KELVIN_UNK16D0 to UNK1700",
        "no meaning",
        "unknown",
        NOTHING,
    ),
    e(
        Xf,
        "XFCTX USER",
        "missing",
        "Kelvin 60h (96 entries), Rankine 9Ch (256 entries)",
        NEWER,
    ),
    e(
        Xf,
        "LTCTX on NV30",
        "?",
        "listed: colours first, then the global entries",
        NEWER,
    ),
    e(
        Xf,
        "LTCTX 28h on Celsius",
        "???",
        "viewer direction for a viewer that is not local, and a bypass fog constant; 29h doubles as one too",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "LTCTX LT_UNK17E0",
        "no meaning",
        "eye direction",
        HEADERS,
    ),
    e(
        Xf,
        "LTCTX LT_UNK17D4, LT_UNK17EC",
        "no meaning",
        "unknown",
        NOTHING,
    ),
    e(
        Xf,
        "LTCTX 4Ah, 4Bh, and the split of NV25",
        "missing",
        "VIEWPORT_TRANSLATE's copy, an unknown entry, and two memories",
        VECTORS,
    ),
    e(
        Xf,
        "LTC 0.01 CONST_???",
        "???",
        "multiplies the distance in the range test; must be negative to be of use",
        "vertex model of the hardware tests",
    ),
    e(
        Xf,
        "LTC 0.00, 0.01, 1.00, 2.00, 3.00 on Kelvin",
        "???",
        "unknown; presumably Celsius' constants",
        NOTHING,
    ),
    e(Xf, "LTC on NV30", "no column", "listed", NEWER),
    e(
        RenderState,
        "word 2 bits 24-31",
        "always 11111100? (TODO: glAlphaFunc?)",
        "24-27 unknown, Ch in draws; 28-31 the colour write mask. The alpha function is in word 8",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 2, equation 3",
        "missing",
        "logic operation, with its number in the source factors",
        "drivers",
    ),
    e(
        RenderState,
        "SRC_ALPHA_SATURATE",
        "00111",
        "00100",
        "drivers, captures",
    ),
    e(
        RenderState,
        "ColorBlendFunc 5, 13, 21, 29",
        "missing",
        "the second source colour",
        "drivers",
    ),
    e(
        RenderState,
        "word 3 bit 0",
        "GL_DEPTH_TEST",
        "depth write; no test is the function ALWAYS",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 3 bits 4-12",
        "missing",
        "near and far clip disable, depth register, what the shader writes",
        "drivers",
    ),
    e(
        RenderState,
        "word 3 polygon offset",
        "no format",
        "signed: factor times 4, units times 2",
        "drivers",
    ),
    e(
        RenderState,
        "word 4",
        "max and min",
        "near low, far high; a reversed range is not swapped",
        "drivers",
    ),
    e(
        RenderState,
        "words 5, 6 bits 12-15",
        "not mentioned",
        "unknown",
        NOTHING,
    ),
    e(
        RenderState,
        "word 7 bits 0-15",
        "GL_STENCIL_TEST, all or nothing",
        "stencil write masks, front and back",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 8 bits 0-2",
        "always set? could be a CompareFunc",
        "alpha function",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 8, 4x MSAA",
        "mask 68h (and 6800h)",
        "bits 3-6 = Dh",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 8 vertex selector",
        "bits 22-23",
        "bits 10-11; 16-31 are the colour register four times",
        "drivers, captures",
    ),
    e(
        RenderState,
        "word 8 sampleCoverage",
        "a table",
        "bits 12-15 are a sample mask, into which coverage and inversion are folded",
        "drivers",
    ),
    e(
        RenderState,
        "word 10",
        "no content",
        "types of ten varyings and the low bits of the eleventh",
        "drivers",
    ),
    e(
        RenderState,
        "word 11",
        "uniforms address",
        "address of pointers to uniforms, with a size code in the low bits",
        "drivers",
    ),
    e(
        RenderState,
        "word 13 bit 8",
        "? usually 1",
        "0 in draws, 1 in the frame's own state; meaning unknown",
        "captures",
    ),
    e(
        RenderState,
        "word 13, other bits",
        "missing",
        "varying stride, samplers, uniforms, second colour register",
        "drivers",
    ),
    e(
        RenderState,
        "word 14 bit 12",
        "0 = CCW",
        "1 = CCW on a window, whose Y points down",
        "drivers",
    ),
    e(
        RenderState,
        "word 14 bit 16",
        "set if(uniform_size)",
        "agrees; what it does is unknown",
        "drivers",
    ),
    e(
        RenderState,
        "word 15",
        "address",
        "and the types of the eleventh (high bit) and twelfth varying in the low bits",
        "drivers",
    ),
    e(
        RenderState,
        "culling, scissor, point size",
        "not mentioned",
        "not in the render state: PLBU commands",
        "drivers, captures",
    ),
];
