//! Where the registers lie in the BAR.

use crate::Chip::{self, *};

/// DEBUG_B.
pub const DEBUG_B: u32 = 0x40_0084;
/// DEBUG_D.
pub const DEBUG_D: u32 = 0x40_008c;
/// DEBUG_E.
pub const DEBUG_E: u32 = 0x40_0090;
/// DEBUG_G.
pub const DEBUG_G: u32 = 0x40_0098;
/// The first bundle shadow of Celsius, and how many there are.
pub const CELSIUS_SHADOW: (u32, u32) = (0x40_0e00, 0x40);
/// The first bundle shadow of Kelvin and its heirs, and how many there are.
pub const SHADOW: (u32, u32) = (0x40_1800, 0x200);

/// A register or several in a row.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Address of the first.
    pub address: u32,
    /// What the hardware tests call it.
    pub name: &'static str,
    /// Number of the first, of an array.
    pub first: u32,
    /// How many.
    pub count: u32,
    chips: Chips,
}

#[derive(Clone, Copy, Debug)]
enum Chips {
    All,
    /// NV20 and NV2A.
    Early,
    /// NV25 and NV28.
    Late,
}

impl Place {
    /// Does the chip have it there?
    pub fn on(&self, chip: Chip) -> bool {
        let early = matches!(chip, Nv20 | Nv2a);
        match self.chips {
            Chips::All => true,
            Chips::Early => early,
            Chips::Late => !early,
        }
    }
}

const fn one(address: u32, name: &'static str) -> Place {
    some(address, name, 1)
}

const fn some(address: u32, name: &'static str, count: u32) -> Place {
    from(address, name, 0, count)
}

const fn from(address: u32, name: &'static str, first: u32, count: u32) -> Place {
    Place {
        address,
        name,
        first,
        count,
        chips: Chips::All,
    }
}

const fn on(chips: Chips, place: Place) -> Place {
    Place { chips, ..place }
}

/// The registers of Kelvin besides the bundle shadows; from the hardware tests of envytools.
pub fn kelvin_places() -> &'static [Place] {
    &KELVIN
}

static KELVIN: [Place; 65] = [
    one(DEBUG_B, "debug_b"),
    one(DEBUG_D, "debug_d"),
    one(DEBUG_E, "debug_e"),
    one(DEBUG_G, "debug_g"),
    one(0x40_009c, "debug_fd_check_skip"),
    on(Chips::Late, one(0x40_00c0, "debug_l")),
    one(0x40_0104, "nstatus"),
    one(0x40_0148, "ctx_user"),
    one(0x40_014c, "ctx_switch_a"),
    one(0x40_0150, "ctx_switch_b"),
    one(0x40_0154, "ctx_switch_c"),
    one(0x40_0158, "ctx_switch_i"),
    one(0x40_015c, "ctx_switch_t"),
    some(0x40_0160, "ctx_cache_a", 8),
    some(0x40_0180, "ctx_cache_b", 8),
    some(0x40_01a0, "ctx_cache_c", 8),
    some(0x40_01c0, "ctx_cache_i", 8),
    some(0x40_01e0, "ctx_cache_t", 8),
    some(0x40_0500, "xy_misc_4", 2),
    from(0x40_0508, "valid", 0, 1),
    from(0x40_050c, "misc32", 0, 1),
    from(0x40_0510, "misc24", 0, 1),
    one(0x40_0514, "xy_a"),
    some(0x40_0518, "xy_misc_1", 2),
    one(0x40_0520, "xy_misc_3"),
    from(0x40_0570, "misc24", 1, 2),
    from(0x40_057c, "misc32", 1, 3),
    one(0x40_0710, "surf_type"),
    one(0x40_0714, "ctx_valid"),
    one(0x40_0718, "notify"),
    one(0x40_0724, "surf_format"),
    one(0x40_0774, "dvd_format"),
    one(0x40_077c, "state3d"),
    some(0x40_0818, "surf_swizzle", 2),
    some(0x40_0820, "surf_offset", 6),
    some(0x40_0838, "surf_base", 6),
    some(0x40_0850, "surf_pitch", 5),
    some(0x40_0864, "surf_limit", 6),
    on(Chips::Early, one(0x40_0880, "surf_unk880")),
    on(Chips::Early, one(0x40_0888, "surf_unk888")),
    on(Chips::Late, from(0x40_0880, "surf_offset", 6, 1)),
    on(Chips::Late, from(0x40_0884, "surf_base", 6, 1)),
    on(Chips::Late, from(0x40_0888, "surf_pitch", 6, 1)),
    on(Chips::Late, from(0x40_088c, "surf_limit", 6, 1)),
    on(Chips::Late, one(0x40_0890, "surf_unk880")),
    on(Chips::Late, one(0x40_0898, "surf_unk888")),
    on(Chips::Late, one(0x40_089c, "surf_unk89c")),
    one(0x40_0f5c, "fe3d_misc"),
    one(0x40_0f60, "fe3d_state_curve"),
    one(0x40_0f64, "fe3d_state_swatch"),
    one(0x40_0f68, "fe3d_state_transition"),
    some(0x40_0f6c, "fe3d_emu_material_factor_rgb", 3),
    some(0x40_0f78, "fe3d_emu_light_model_ambient", 3),
    one(0x40_0f84, "fe3d_dma_state"),
    one(0x40_0f90, "fe3d_shadow_begin_patch_a"),
    one(0x40_0f94, "fe3d_shadow_begin_patch_b"),
    one(0x40_0f98, "fe3d_shadow_begin_patch_c"),
    one(0x40_0f9c, "fe3d_shadow_begin_patch_d"),
    one(0x40_0fa4, "fe3d_shadow_begin_transition_a"),
    one(0x40_0fa8, "fe3d_shadow_begin_transition_b"),
    one(0x40_0fb4, "xf_mode_b"),
    one(0x40_0fb8, "xf_mode_a"),
    from(0x40_0fbc, "xf_mode_t", 1, 1),
    from(0x40_0fc0, "xf_mode_t", 0, 1),
    one(0x40_0fc4, "fe3d_xf_load_pos"),
];
