//! Where the registers lie in the BAR.

use crate::Chip::{self, *};

/// The registers that say what is checked.
pub const DEBUG: std::ops::Range<u32> = 0x40_0080..0x40_0100;
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
    }
}

/// Which chips have the registers of a list.
type On = fn(Chip) -> bool;

/// The registers of a chip besides the bundle shadows; from the hardware tests of envytools.
pub fn places(chip: Chip) -> impl Iterator<Item = &'static Place> {
    let lists = LISTS.iter().filter(move |(on, _)| on(chip));
    lists.flat_map(|(_, list)| *list)
}

static LISTS: [(On, &[Place]); 19] = [
    (|_| true, EVERYWHERE),
    (|chip| !chip.since(Nv40), OBJECTS),
    (|chip| chip.since(Nv40), CURIE_OBJECTS),
    (|chip| chip.within(Nv20, Nv40), &[one(DEBUG_G, "debug_g")]),
    (|chip| chip.since(Nv25), &[one(0x40_00c0, "debug_l")]),
    (|chip| chip.within(Nv17, Nv20), &[one(0x40_0a10, "unka10")]),
    (|chip| !chip.since(Nv20), CELSIUS_SURFACES),
    (|chip| chip.since(Nv20), SURFACES),
    (|chip| chip.within(Nv20, Nv40), SECOND_SURFACE),
    (|chip| chip.within(Nv20, Nv25), FLAGS_EARLY),
    (|chip| chip.within(Nv25, Nv40), FLAGS_LATE),
    (
        |chip| chip.within(Nv25, Nv34),
        &[one(0x40_0898, "surf_unk888"), one(0x40_089c, "surf_unk89c")],
    ),
    (|chip| chip.since(Nv25), SEVENTH_SURFACE),
    (|chip| chip.since(Nv40), CURIE_SURFACES),
    (|chip| !chip.since(Nv20), CELSIUS),
    (|chip| chip.within(Nv20, Nv30), KELVIN),
    (|chip| chip.since(Nv30), CLIP_SHADOWS),
    (|chip| chip.within(Nv30, Nv40), RANKINE),
    (|chip| chip.since(Nv20), &[one(0x40_0f84, "fe3d_dma_state")]),
];

const EVERYWHERE: &[Place] = &[
    one(DEBUG_B, "debug_b"),
    one(DEBUG_D, "debug_d"),
    one(DEBUG_E, "debug_e"),
    one(0x40_0104, "nstatus"),
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
];

const OBJECTS: &[Place] = &[
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
    one(0x40_077c, "state3d"),
];

const CURIE_OBJECTS: &[Place] = &[
    one(0x40_0144, "ctx_user"),
    one(0x40_0148, "ctx_switch_a"),
    one(0x40_014c, "ctx_switch_b"),
    one(0x40_0150, "ctx_switch_c"),
    one(0x40_0154, "ctx_switch_d"),
    one(0x40_0158, "ctx_switch_i"),
    one(0x40_015c, "ctx_switch_t"),
    some(0x40_0160, "ctx_cache_a", 8),
    some(0x40_0180, "ctx_cache_b", 8),
    some(0x40_01a0, "ctx_cache_c", 8),
    some(0x40_01c0, "ctx_cache_d", 8),
    some(0x40_01e0, "ctx_cache_i", 8),
    some(0x40_0200, "ctx_cache_t", 8),
];

const CELSIUS_SURFACES: &[Place] = &[
    from(0x40_0578, "valid", 1, 1),
    some(0x40_0640, "surf_offset", 6),
    some(0x40_0658, "surf_base", 6),
    some(0x40_0670, "surf_pitch", 5),
    some(0x40_0684, "surf_limit", 6),
    some(0x40_069c, "surf_swizzle", 2),
];

const SURFACES: &[Place] = &[
    some(0x40_0818, "surf_swizzle", 2),
    from(0x40_0820, "surf_offset", 0, 1),
    from(0x40_0828, "surf_offset", 2, 4),
    from(0x40_0838, "surf_base", 0, 1),
    from(0x40_0840, "surf_base", 2, 4),
    from(0x40_0850, "surf_pitch", 0, 1),
    from(0x40_0858, "surf_pitch", 2, 3),
    from(0x40_0864, "surf_limit", 0, 1),
    from(0x40_086c, "surf_limit", 2, 4),
];

/// Curie does not have the second.
const SECOND_SURFACE: &[Place] = &[
    from(0x40_0824, "surf_offset", 1, 1),
    from(0x40_083c, "surf_base", 1, 1),
    from(0x40_0854, "surf_pitch", 1, 1),
    from(0x40_0868, "surf_limit", 1, 1),
];

const FLAGS_EARLY: &[Place] = &[one(0x40_0880, "surf_unk880"), one(0x40_0888, "surf_unk888")];

const FLAGS_LATE: &[Place] = &[one(0x40_0890, "surf_unk880")];

const SEVENTH_SURFACE: &[Place] = &[
    from(0x40_0880, "surf_offset", 6, 1),
    from(0x40_0884, "surf_base", 6, 1),
    from(0x40_0888, "surf_pitch", 6, 1),
    from(0x40_088c, "surf_limit", 6, 1),
];

const CURIE_SURFACES: &[Place] = &[
    from(0x40_09c0, "surf_offset", 7, 1),
    from(0x40_09c4, "surf_base", 7, 1),
    from(0x40_09c8, "surf_pitch", 7, 1),
    from(0x40_09cc, "surf_limit", 7, 1),
    from(0x40_09d0, "surf_offset", 8, 1),
    from(0x40_09d4, "surf_base", 8, 1),
    from(0x40_09d8, "surf_pitch", 8, 1),
    from(0x40_09dc, "surf_limit", 8, 1),
];

const CELSIUS: &[Place] = &[
    some(0x40_0f00, "celsius_clip_rect_horiz", 8),
    some(0x40_0f20, "celsius_clip_rect_vert", 8),
    one(0x40_0f40, "celsius_xf_misc_a"),
    one(0x40_0f44, "celsius_xf_misc_b"),
    one(0x40_0f48, "celsius_config_c"),
    one(0x40_0f4c, "celsius_dma"),
];

const KELVIN: &[Place] = &[
    one(0x40_009c, "debug_fd_check_skip"),
    one(0x40_0f5c, "fe3d_misc"),
    one(0x40_0f60, "fe3d_state_curve"),
    one(0x40_0f64, "fe3d_state_swatch"),
    one(0x40_0f68, "fe3d_state_transition"),
    some(0x40_0f6c, "fe3d_emu_material_factor_rgb", 3),
    some(0x40_0f78, "fe3d_emu_light_model_ambient", 3),
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

const CLIP_SHADOWS: &[Place] = &[
    one(0x40_0f5c, "fe3d_misc"),
    one(0x40_0f60, "fe3d_shadow_clip_rect_horiz"),
    one(0x40_0f64, "fe3d_shadow_clip_rect_vert"),
];

const RANKINE: &[Place] = &[
    one(0x40_0fb8, "xf_mode_c"),
    one(0x40_0fbc, "xf_mode_b"),
    one(0x40_0fc0, "xf_mode_a"),
    from(0x40_0fc4, "xf_mode_t", 3, 1),
    from(0x40_0fc8, "xf_mode_t", 2, 1),
    from(0x40_0fcc, "xf_mode_t", 1, 1),
    from(0x40_0fd0, "xf_mode_t", 0, 1),
    one(0x40_0fd4, "fe3d_xf_load_pos"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_registers_share_an_address() {
        for &chip in Chip::ALL {
            let mut seen = std::collections::HashSet::new();
            for place in places(chip) {
                for i in 0..place.count {
                    let address = place.address + 4 * i;
                    assert!(seen.insert(address), "{} {address:#x}", chip.name());
                }
            }
        }
    }
}
