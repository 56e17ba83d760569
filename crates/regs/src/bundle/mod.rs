//! The bundle table: what the front end sends down the pipeline.
//!
//! A bundle is an id and a 32-bit word. The three generations number the same
//! bundles differently: 6-bit ids on Celsius, 9-bit ids on Kelvin, reorganised
//! on Rankine and kept by Curie. This table is the only place where an id is
//! written down. Source: the "Pipeline Bundles" page, with the corrections that
//! envytools' hardware-checked models make (Kelvin TEX_UNK1x ids; the Celsius
//! bundles that exist from NV17 on; RT_ENABLE from NV25 on).

use crate::chip::{Chip, Family};
use crate::word::Word;

mod assm;
mod idx;
mod raster;
mod rc;
mod rop;
mod shader;
mod tex;
mod xf;
mod zcull;

pub use assm::*;
pub use idx::*;
pub use raster::*;
pub use rc::*;
pub use rop::*;
pub use shader::*;
pub use tex::*;
pub use xf::*;
pub use zcull::*;

/// The unit that acts on a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Vertex and index fetch.
    Idx,
    /// Primitive assembly.
    Assm,
    /// Rasteriser.
    Raster,
    /// Early depth rejection and clip ids.
    Zcull,
    /// Texture fetch and filtering.
    Tex,
    /// Texture shaders and fragment programs.
    Shader,
    /// Register combiners.
    Rc,
    /// Raster operations.
    Rop,
    /// Vertex engine (Curie, where its mode travels as bundles).
    Xf,
    /// Nobody knows.
    Unknown,
}

/// What a bundle does when it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Configuration: the unit keeps the word.
    State,
    /// Configuration without a shadow register in the front end.
    StateNoShadow,
    /// An action.
    Trigger,
}

/// Where a bundle sits in one generation's id space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    /// First id.
    pub first: u16,
    /// Number of consecutive ids (the array size).
    pub count: u16,
    /// The first chip of the generation that has it.
    pub since: Chip,
    /// The first chip that has it no more.
    pub until: Chip,
    /// A chip in between that lacks it.
    pub except: Option<Chip>,
}

impl Ids {
    /// Ends before a chip.
    const fn until(mut self, chip: Chip) -> Option<Ids> {
        self.until = chip;
        Some(self)
    }

    /// One chip in between lacks it.
    const fn except(mut self, chip: Chip) -> Option<Ids> {
        self.except = Some(chip);
        Some(self)
    }

    /// Does the chip have it?
    pub const fn on(&self, chip: Chip) -> bool {
        let lacks = match self.except {
            Some(except) => except as u8 == chip as u8,
            None => false,
        };
        chip.within(self.since, self.until) && !lacks
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The hardware's own name.
    pub name: &'static str,
    /// Ids on NV10 to NV18.
    pub celsius: Option<Ids>,
    /// Ids on NV20 to NV28.
    pub kelvin: Option<Ids>,
    /// Ids on NV30 and up.
    pub rankine: Option<Ids>,
    /// State or trigger.
    pub kind: Kind,
    /// The unit that listens.
    pub unit: Unit,
    /// The fields.
    pub word: &'static Word,
}

const fn span(first: u16, count: u16, since: Chip) -> Ids {
    Ids {
        first,
        count,
        since,
        until: Chip::Mali200,
        except: None,
    }
}

const fn ids(first: u16, count: u16, since: Chip) -> Option<Ids> {
    Some(span(first, count, since))
}

/// A bundle, whatever number its generation gives it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bundle(u8);

macro_rules! bundles {
    ($($name:ident: $celsius:expr, $kelvin:expr, $rankine:expr, $kind:ident, $unit:ident;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Order { $($name,)* }

        /// All rows, in the page's order.
        pub const TABLE: &[Row] = &[$(Row {
            name: stringify!($name),
            celsius: $celsius,
            kelvin: $kelvin,
            rankine: $rankine,
            kind: Kind::$kind,
            unit: Unit::$unit,
            word: &$name::WORD,
        },)*];

        $(#[doc = concat!("The `", stringify!($name), "` bundle.")]
        pub const $name: Bundle = Bundle(Order::$name as u8);)*
    };
}

use Chip::{Nv10, Nv17, Nv20, Nv25, Nv30, Nv34, Nv35, Nv40};

bundles! {
    POLYGON_STIPPLE: None, ids(0x100, 32, Nv20), ids(0x000, 32, Nv30), StateNoShadow, Raster;
    RC_FACTOR_A: ids(0x14, 1, Nv10), ids(0x020, 8, Nv20), ids(0x020, 8, Nv30), State, Rc;
    RC_FACTOR_B: ids(0x15, 1, Nv10), ids(0x028, 8, Nv20), ids(0x028, 8, Nv30), State, Rc;
    RC_IN_ALPHA: ids(0x10, 2, Nv10), ids(0x030, 8, Nv20), ids(0x030, 8, Nv30), State, Rc;
    RC_OUT_ALPHA: ids(0x16, 2, Nv10), ids(0x038, 8, Nv20), ids(0x038, 8, Nv30), State, Rc;
    RC_IN_COLOR: ids(0x12, 2, Nv10), ids(0x040, 8, Nv20), ids(0x040, 8, Nv30), State, Rc;
    RC_OUT_COLOR: ids(0x18, 2, Nv10), ids(0x048, 8, Nv20), ids(0x048, 8, Nv30), State, Rc;
    RC_CONFIG: None, ids(0x050, 1, Nv20), ids(0x050, 1, Nv30), State, Rc;
    RC_FINAL_A: ids(0x1a, 1, Nv10), ids(0x051, 1, Nv20), ids(0x051, 1, Nv30), State, Rc;
    RC_FINAL_B: ids(0x1b, 1, Nv10), ids(0x052, 1, Nv20), ids(0x052, 1, Nv30), State, Rc;
    CONFIG_A: ids(0x1c, 1, Nv10), ids(0x053, 1, Nv20), ids(0x053, 1, Nv30), State, Rop;
    STENCIL_A: ids(0x1d, 1, Nv10), ids(0x054, 1, Nv20), ids(0x054, 1, Nv30), State, Rop;
    STENCIL_B: ids(0x1e, 1, Nv10), ids(0x055, 1, Nv20), ids(0x055, 1, Nv30), State, Rop;
    CONFIG_B: ids(0x1f, 1, Nv10), ids(0x056, 1, Nv20), ids(0x056, 1, Nv30), State, Assm;
    VIEWPORT_OFFSET: None, None, ids(0x057, 1, Nv30), State, Raster;
    PS_OFFSET: None, None, ids(0x058, 1, Nv30), State, Shader;
    CLIPID_ID: ids(0x35, 1, Nv17), ids(0x059, 1, Nv25), ids(0x059, 1, Nv30), State, Zcull;
    CLIPID_BASE: ids(0x31, 1, Nv17), ids(0x05a, 1, Nv25), ids(0x05a, 1, Nv30), State, Zcull;
    CLIPID_LIMIT: ids(0x32, 1, Nv17), ids(0x05b, 1, Nv25), ids(0x05b, 1, Nv30), State, Zcull;
    CLIPID_OFFSET: ids(0x33, 1, Nv17), ids(0x05c, 1, Nv25), ids(0x05c, 1, Nv30), State, Zcull;
    CLIPID_PITCH: ids(0x34, 1, Nv17), ids(0x05d, 1, Nv25), ids(0x05d, 1, Nv30), State, Zcull;
    LINE_STIPPLE: None, ids(0x05e, 1, Nv25), ids(0x05e, 1, Nv30), State, Raster;
    RT_ENABLE: None, ids(0x05f, 1, Nv25), ids(0x05f, 1, Nv30), State, Rop;
    FOG_COLOR: ids(0x23, 1, Nv10), ids(0x060, 1, Nv20), ids(0x060, 1, Nv30), State, Rc;
    FOG_COEFF: None, ids(0x061, 2, Nv20), ids(0x061, 2, Nv30), State, Unknown;
    POINT_SIZE: ids(0x2a, 1, Nv10), ids(0x063, 1, Nv20), ids(0x063, 1, Nv30), State, Assm;
    RASTER: ids(0x22, 1, Nv10), ids(0x064, 1, Nv20), ids(0x064, 1, Nv30), State, Raster;
    TEX_SHADER_CULL_MODE: None, ids(0x065, 1, Nv20), span(0x065, 1, Nv30).until(Nv40), State, Shader;
    TEX_SHADER_MISC: None, ids(0x066, 1, Nv20), span(0x066, 1, Nv30).until(Nv40), State, Shader;
    TEX_SHADER_OP: None, ids(0x067, 1, Nv20), span(0x067, 1, Nv30).until(Nv40), State, Shader;
    FENCE_OFFSET: None, ids(0x068, 1, Nv20), ids(0x068, 1, Nv30), State, Unknown;
    TEX_ZCOMP: None, ids(0x069, 1, Nv20), None, State, Tex;
    RANKINE_UNK069: None, None, span(0x069, 1, Nv30).except(Nv34), State, Unknown;
    UNK1E68: None, ids(0x06a, 1, Nv20), span(0x06a, 1, Nv30).until(Nv34), State, Unknown;
    RC_FINAL_FACTOR: None, ids(0x06b, 2, Nv20), ids(0x06b, 2, Nv30), State, Rc;
    CLIP_HV: None, ids(0x06d, 2, Nv20), ids(0x06d, 2, Nv30), State, Raster;
    MULTISAMPLE: None, ids(0x000, 1, Nv20), ids(0x06f, 1, Nv30), State, Rop;
    TEX_UNK10: None, ids(0x007, 3, Nv20), span(0x070, 3, Nv30).until(Nv40), State, Shader;
    TEX_UNK11: None, ids(0x00a, 3, Nv20), span(0x073, 3, Nv30).until(Nv40), State, Shader;
    TEX_UNK13: None, ids(0x00d, 3, Nv20), span(0x076, 3, Nv30).until(Nv40), State, Shader;
    TEX_UNK12: None, ids(0x010, 3, Nv20), span(0x079, 3, Nv30).until(Nv40), State, Shader;
    TEX_UNK15: None, ids(0x013, 3, Nv20), span(0x07c, 3, Nv30).until(Nv40), State, Shader;
    TEX_UNK14: None, ids(0x016, 3, Nv20), span(0x07f, 3, Nv30).until(Nv40), State, Shader;
    BLEND: ids(0x20, 1, Nv10), ids(0x001, 1, Nv20), ids(0x082, 1, Nv30), State, Rop;
    BLEND_COLOR: ids(0x21, 1, Nv10), ids(0x002, 1, Nv20), ids(0x083, 1, Nv30), State, Rop;
    CLEAR_HV: ids(0x2b, 2, Nv17), ids(0x019, 2, Nv20), ids(0x084, 2, Nv30), State, Raster;
    CLEAR_COLOR: None, ids(0x01b, 1, Nv20), ids(0x086, 1, Nv30), State, Raster;
    STENCIL_C: None, None, ids(0x087, 1, Nv30), State, Rop;
    STENCIL_D: None, None, ids(0x088, 1, Nv30), State, Rop;
    CLIP_PLANE_ENABLE: None, None, ids(0x089, 1, Nv30), State, Raster;
    VIEWPORT_HV: None, None, ids(0x08b, 2, Nv30), State, Raster;
    SCISSOR_HV: None, None, ids(0x08d, 2, Nv30), State, Raster;
    CLIP_RECT_HORIZ: None, ids(0x091, 8, Nv20), ids(0x091, 8, Nv30), State, Raster;
    CLIP_RECT_VERT: None, ids(0x099, 8, Nv20), ids(0x099, 8, Nv30), State, Raster;
    Z_CONFIG: ids(0x36, 1, Nv17), ids(0x0a1, 1, Nv20), ids(0x0a1, 1, Nv30), State, Zcull;
    CLEAR_ZETA: ids(0x37, 1, Nv17), ids(0x0a2, 1, Nv20), ids(0x0a2, 1, Nv30), State, Zcull;
    UNK3FC: ids(0x38, 1, Nv17), None, None, State, Zcull;
    DEPTH_RANGE_FAR: ids(0x27, 1, Nv10), ids(0x0a3, 1, Nv20), ids(0x0a3, 1, Nv30), State, Raster;
    DEPTH_RANGE_NEAR: ids(0x26, 1, Nv10), ids(0x0a4, 1, Nv20), ids(0x0a4, 1, Nv30), State, Raster;
    DMA_TEX: None, ids(0x0a5, 2, Nv20), ids(0x0a5, 2, Nv30), State, Tex;
    DMA_VTX: None, ids(0x0a7, 2, Nv20), ids(0x0a7, 2, Nv30), State, Idx;
    POLYGON_OFFSET_UNITS: ids(0x25, 1, Nv10), ids(0x0a9, 1, Nv20), ids(0x0a9, 1, Nv30), State, Raster;
    POLYGON_OFFSET_FACTOR: ids(0x24, 1, Nv10), ids(0x0aa, 1, Nv20), ids(0x0aa, 1, Nv30), State, Raster;
    TEX_SHADER_CONST_EYE: None, ids(0x0ab, 3, Nv20), span(0x0ab, 3, Nv30).until(Nv40), State, Shader;
    KELVIN_UNK1D88: None, ids(0x0ae, 1, Nv25), ids(0x0ae, 1, Nv40), State, Unknown;
    RANKINE_UNK0A40: None, None, span(0x0af, 1, Nv30).except(Nv34), State, Unknown;
    ZCULL_BASE: ids(0x2d, 1, Nv17), ids(0x0b0, 1, Nv25), span(0x0b0, 1, Nv30).until(Nv40), State, Zcull;
    ZCULL_LIMIT: ids(0x2e, 1, Nv17), ids(0x0b1, 1, Nv25), span(0x0b1, 1, Nv30).until(Nv40), State, Zcull;
    ZCULL_OFFSET: ids(0x2f, 1, Nv17), ids(0x0b2, 1, Nv25), span(0x0b2, 1, Nv30).until(Nv40), State, Zcull;
    ZCULL_PITCH: ids(0x30, 1, Nv17), ids(0x0b3, 1, Nv25), span(0x0b3, 1, Nv30).until(Nv40), State, Zcull;
    KELVIN_UNK1DC0: None, ids(0x0b4, 4, Nv25), ids(0x0b4, 4, Nv30), State, Unknown;
    KELVIN_UNK1DBC: None, ids(0x0b8, 1, Nv25), ids(0x0b8, 1, Nv30), State, Unknown;
    PRIMITIVE_RESTART_ENABLE: None, None, ids(0x0b9, 1, Nv30), State, Idx;
    PRIMITIVE_RESTART_INDEX: None, None, ids(0x0ba, 1, Nv30), State, Idx;
    TXC_CYLWRAP: None, None, ids(0x0bb, 1, Nv30), State, Raster;
    PS_PREFETCH_DATA: None, None, ids(0x0bc, 8, Nv30), StateNoShadow, Shader;
    PS_CONTROL: None, None, ids(0x0c4, 1, Nv30), State, Shader;
    TXC_ENABLE: None, None, ids(0x0c5, 1, Nv30), State, Raster;
    CLEAR_UNK0C6: None, None, ids(0x0c6, 1, Nv30), State, Unknown;
    WINDOW_OFFSET: None, None, ids(0x0c7, 1, Nv30), State, Raster;
    TEX_OFFSET: ids(0x00, 2, Nv10), ids(0x089, 4, Nv20), ids(0x100, 16, Nv30), State, Tex;
    TEX_FORMAT: ids(0x04, 2, Nv10), ids(0x081, 4, Nv20), ids(0x110, 16, Nv30), State, Tex;
    TEX_WRAP: None, ids(0x06f, 4, Nv20), ids(0x120, 16, Nv30), State, Tex;
    TEX_CONTROL: ids(0x06, 2, Nv10), ids(0x073, 4, Nv20), ids(0x130, 16, Nv30), State, Tex;
    TEX_PITCH: ids(0x08, 2, Nv10), ids(0x077, 4, Nv20), ids(0x140, 16, Nv30), State, Tex;
    TEX_UNK238: ids(0x0a, 2, Nv10), ids(0x07b, 2, Nv20), None, State, Tex;
    TEX_FILTER: ids(0x0e, 2, Nv10), ids(0x07d, 4, Nv20), ids(0x150, 16, Nv30), State, Tex;
    TEX_RECT: ids(0x0c, 2, Nv10), ids(0x085, 4, Nv20), ids(0x160, 16, Nv30), State, Tex;
    TEX_BORDER_COLOR: None, ids(0x003, 4, Nv20), ids(0x170, 16, Nv30), State, Tex;
    TEX_PALETTE: ids(0x02, 2, Nv10), ids(0x08d, 4, Nv20), span(0x180, 16, Nv30).until(Nv40), State, Tex;
    TEX_COLOR_KEY: ids(0x28, 2, Nv10), ids(0x01c, 4, Nv20), ids(0x190, 16, Nv30), State, Tex;
    CLEAR_UNK1DC: None, None, ids(0x1dc, 1, Nv30), Trigger, Unknown;
    UNKA08: None, None, ids(0x1f7, 1, Nv30), Trigger, Unknown;
    PS_PREFETCH_TRIGGER: None, None, ids(0x1f8, 1, Nv30), Trigger, Idx;
    INVALIDATE_ZCULL: ids(0x3f, 1, Nv17), ids(0x1f9, 1, Nv25), ids(0x1f9, 1, Nv30), Trigger, Zcull;
    FENCE_WRITE_B: None, ids(0x1fb, 1, Nv20), ids(0x1fb, 1, Nv30), Trigger, Unknown;
    ZPASS_COUNTER_READ: None, ids(0x1fc, 1, Nv20), ids(0x1fc, 1, Nv30), Trigger, Rop;
    ZPASS_COUNTER_RESET: None, ids(0x1fd, 1, Nv20), ids(0x1fd, 1, Nv30), Trigger, Rop;
    CLEAR_CLIPID_TRIGGER: ids(0x3e, 1, Nv17), ids(0x1fe, 1, Nv25), ids(0x1fe, 1, Nv30), Trigger, Zcull;
    CLEAR_ZCULL_TRIGGER: ids(0x3d, 1, Nv17), None, None, Trigger, Zcull;
    // Curie's own, which the page does not have; from the register scans of NV40 and NV44.
    DMA_UNK0B0: None, None, ids(0x0b0, 1, Nv40), State, Zcull;
    DEPTH_BOUNDS_MIN: None, None, ids(0x0c8, 1, Nv35), State, Rop;
    DEPTH_BOUNDS_MAX: None, None, ids(0x0c9, 1, Nv35), State, Rop;
    XF_A: None, None, ids(0x0ca, 1, Nv40), State, Xf;
    XF_LIGHT: None, None, ids(0x0cb, 1, Nv40), State, Xf;
    XF_C: None, None, ids(0x0cc, 1, Nv40), State, Xf;
    XF_ATTR_IN_MASK: None, None, ids(0x0cd, 1, Nv40), State, Xf;
    XF_ATTR_OUT_MASK: None, None, ids(0x0ce, 1, Nv40), State, Xf;
    TXC_CYLWRAP_B: None, None, ids(0x0cf, 1, Nv40), State, Raster;
    XF_TXC: None, None, ids(0x0d0, 10, Nv40), State, Xf;
    XF_OUT_MAP_MISC_A: None, None, ids(0x0da, 1, Nv40), State, Xf;
    XF_OUT_MAP_MISC_B: None, None, ids(0x0db, 1, Nv40), State, Xf;
    XF_OUT_MAP_TXC_A: None, None, ids(0x0dc, 1, Nv40), State, Xf;
    XF_OUT_MAP_TXC_B: None, None, ids(0x0dd, 1, Nv40), State, Xf;
    VB_OFFSET_BASE: None, None, ids(0x0de, 1, Nv40), State, Idx;
    VB_ELEMENT_BASE: None, None, ids(0x0df, 1, Nv40), State, Idx;
    CURIE_UNK0E0: None, None, ids(0x0e0, 1, Nv40), State, Unknown;
    CURIE_UNK0E1: None, None, ids(0x0e1, 1, Nv40), State, Unknown;
    CURIE_UNK0E2: None, None, ids(0x0e2, 1, Nv40), State, Unknown;
    XF_D: None, None, ids(0x0e3, 1, Nv40), State, Xf;
    ALPHA_FUNC_REF: None, None, ids(0x0e4, 1, Nv40), State, Rop;
    CURIE_UNK0E5: None, None, ids(0x0e5, 1, Nv40), State, Unknown;
    CURIE_UNK0E6: None, None, ids(0x0e6, 1, Nv40), State, Unknown;
    XF_UNK0E7: None, None, ids(0x0e7, 1, Nv40), State, Xf;
    XF_LOAD_POS: None, None, ids(0x0e8, 1, Nv40), State, Xf;
    CURIE_UNK0E9: None, None, ids(0x0e9, 4, Nv40), State, Unknown;
    CURIE_UNK0ED: None, None, ids(0x0ed, 1, Nv40), State, Unknown;
    CLIPID_RECT_HORIZ: None, None, ids(0x0f0, 4, Nv40), State, Zcull;
    CLIPID_RECT_VERT: None, None, ids(0x0f4, 4, Nv40), State, Zcull;
    COLOR_MASK: None, None, ids(0x0f8, 1, Nv40), State, Rop;
    TEX_CONTROL_D: None, None, ids(0x180, 16, Nv40), State, Tex;
    XF_TEX_OFFSET: None, None, ids(0x1a0, 4, Nv40), State, Xf;
    XF_TEX_FORMAT: None, None, ids(0x1a4, 4, Nv40), State, Xf;
    XF_TEX_WRAP: None, None, ids(0x1a8, 4, Nv40), State, Xf;
    XF_TEX_CONTROL_A: None, None, ids(0x1ac, 4, Nv40), State, Xf;
    XF_TEX_CONTROL_B: None, None, ids(0x1b0, 4, Nv40), State, Xf;
    XF_TEX_FILTER: None, None, ids(0x1b4, 4, Nv40), State, Xf;
    XF_TEX_RECT: None, None, ids(0x1b8, 4, Nv40), State, Xf;
    XF_TEX_BORDER_COLOR: None, None, ids(0x1bc, 4, Nv40), State, Xf;
}

impl Row {
    /// The row's ids in a family, if it has any.
    pub const fn ids(&self, family: Family) -> Option<Ids> {
        match family {
            Family::Celsius => self.celsius,
            Family::Kelvin => self.kelvin,
            Family::Rankine => match self.rankine {
                Some(ids) if (ids.since as u8) < Chip::Nv40 as u8 => self.rankine,
                _ => None,
            },
            Family::Curie => match self.rankine {
                Some(ids) if ids.until as u8 > Chip::Nv40 as u8 => self.rankine,
                _ => None,
            },
            Family::Utgard => None,
        }
    }

    /// The row's ids on a chip, if the chip has it.
    pub fn on(&self, chip: Chip) -> Option<Ids> {
        self.ids(chip.family()).filter(|ids| ids.on(chip))
    }

    /// The largest array size over the generations.
    pub const fn width(&self) -> usize {
        let mut width = 0;
        let all = [self.celsius, self.kelvin, self.rankine];
        let mut i = 0;
        while i < 3 {
            if let Some(ids) = all[i]
                && ids.count as usize > width
            {
                width = ids.count as usize;
            }
            i += 1;
        }
        width
    }
}

/// How many words hold every entry of every bundle.
pub const SLOTS: usize = BASES[TABLE.len()];

const BASES: [usize; TABLE.len() + 1] = {
    let mut bases = [0; TABLE.len() + 1];
    let mut i = 0;
    while i < TABLE.len() {
        bases[i + 1] = bases[i] + TABLE[i].width();
        i += 1;
    }
    bases
};

impl Bundle {
    /// The table row.
    #[inline]
    pub const fn row(self) -> &'static Row {
        &TABLE[self.0 as usize]
    }

    /// The fields of its word.
    #[inline]
    pub const fn word(self) -> &'static Word {
        self.row().word
    }

    /// The hardware's name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Index of entry 0 in a flat store of [`SLOTS`] words.
    #[inline]
    pub const fn slot(self) -> usize {
        BASES[self.0 as usize]
    }

    /// The id of entry `index` in a family's numbering.
    #[inline]
    pub const fn id(self, family: Family, index: u16) -> Option<u16> {
        match self.row().ids(family) {
            Some(ids) if index < ids.count => Some(ids.first + index),
            _ => None,
        }
    }

    /// Every bundle in table order.
    pub fn all() -> impl Iterator<Item = Bundle> {
        (0..TABLE.len() as u8).map(Bundle)
    }

    /// Finds a bundle by its hardware name, case-insensitively.
    pub fn by_name(name: &str) -> Option<Bundle> {
        Bundle::all().find(|b| b.name().eq_ignore_ascii_case(name))
    }

    /// Which bundle, and which entry of it, an id means in a family.
    pub fn locate(family: Family, id: u16) -> Option<(Bundle, u16)> {
        Bundle::all().find_map(|b| {
            let ids = b.row().ids(family)?;
            (ids.first..ids.first + ids.count)
                .contains(&id)
                .then(|| (b, id - ids.first))
        })
    }
}

impl std::fmt::Debug for Bundle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_family_do_not_collide() {
        for family in [
            Family::Celsius,
            Family::Kelvin,
            Family::Rankine,
            Family::Curie,
        ] {
            let mut seen = std::collections::BTreeMap::new();
            for b in Bundle::all() {
                let Some(ids) = b.row().ids(family) else {
                    continue;
                };
                for id in ids.first..ids.first + ids.count {
                    assert_eq!(seen.insert(id, b), None, "{family:?} {id:#x}");
                    assert_eq!(Bundle::locate(family, id), Some((b, id - ids.first)));
                }
            }
        }
    }
}
