//! The names that headers, drivers and emulators use for the same words and methods.
//!
//! Methods carry the class in front (`NV097_SET_BLEND_ENABLE`, `NV40_3D_BLEND_FUNC_ENABLE`),
//! state registers of the Xbox are called `NV_PGRAPH_…`, and its PGRAPH is mapped at FD400000h.

use crate::bundle::Bundle;
use crate::chip::{Chip, Family};
use crate::find::{Target, shadow_base};
use crate::method::{Class, Method};

/// Method prefixes with the classes they are written for, the oldest first.
const PREFIXES: &[(&str, &[u16])] = &[
    ("NV097_", &[0x97, 0x597]),
    ("NV597_", &[0x597]),
    ("NV10_3D_", CELSIUS),
    ("NV15_3D_", CELSIUS),
    ("NV17_3D_", CELSIUS),
    ("NV10TCL_", CELSIUS),
    ("NV20_3D_", &[0x97, 0x597]),
    ("NV25_3D_", &[0x597]),
    ("NV20TCL_", &[0x97, 0x597]),
    ("NV30_3D_", RANKINE),
    ("NV34_3D_", &[0x697]),
    ("NV35_3D_", &[0x497]),
    ("NV34TCL_", RANKINE),
    ("NV40_3D_", CURIE),
    ("NV44_3D_", &[0x4497]),
    ("NV40TCL_", CURIE),
    ("NV4097_", &[0x4097, 0x4497]),
];
const CELSIUS: &[u16] = &[0x56, 0x96, 0x99];
const RANKINE: &[u16] = &[0x397, 0x497, 0x697];
const CURIE: &[u16] = &[0x4097, 0x4497];

/// Methods of class 97h that the headers name by themselves and that are part of an array here.
const WITHIN_ARRAYS: &[(&str, u16)] = &[
    ("SET_POINT_PARAMS_SCALE_FACTOR_B", 0xa34),
    ("SET_POINT_PARAMS_SCALE_FACTOR_C", 0xa38),
    ("SET_POINT_PARAMS_SIZE_RANGE_DUP_1", 0xa40),
    ("SET_POINT_PARAMS_SIZE_RANGE_DUP_2", 0xa44),
    ("SET_TEXCOORD1_2F", 0x15b8),
    ("SET_TEXCOORD1_2S", 0x15c0),
    ("SET_TEXCOORD2_2F", 0x15e0),
    ("SET_TEXCOORD2_2S", 0x15e8),
    ("SET_TEXCOORD3_2F", 0x1608),
    ("SET_TEXCOORD3_2S", 0x1610),
    ("SET_TEXTURE_SET_BUMP_ENV_OFFSET", 0x1b3c),
];

/// Where state registers of the Xbox's PGRAPH begin in its address space.
const XBOX_MMIO: u32 = 0xfd00_0000;

/// `NV_PGRAPH_` names of the Xbox's state registers and the bundles they shadow, with the
/// entry that the name without a number means.
const PGRAPH: &[(&str, &str, u16)] = &[
    ("ANTIALIASING", "MULTISAMPLE", 0),
    ("BLEND", "BLEND", 0),
    ("BLENDCOLOR", "BLEND_COLOR", 0),
    ("BORDERCOLOR#", "TEX_BORDER_COLOR", 0),
    ("CLEARRECTX", "CLEAR_HV", 0),
    ("CLEARRECTY", "CLEAR_HV", 1),
    ("COLORCLEARVALUE", "CLEAR_COLOR", 0),
    ("COLORKEYCOLOR#", "TEX_COLOR_KEY", 0),
    ("COMBINEFACTOR0", "RC_FACTOR_A", 0),
    ("COMBINEFACTOR1", "RC_FACTOR_B", 0),
    ("COMBINEALPHAI#", "RC_IN_ALPHA", 0),
    ("COMBINEALPHAO#", "RC_OUT_ALPHA", 0),
    ("COMBINECOLORI#", "RC_IN_COLOR", 0),
    ("COMBINECOLORO#", "RC_OUT_COLOR", 0),
    ("COMBINECTL", "RC_CONFIG", 0),
    ("COMBINESPECFOG0", "RC_FINAL_A", 0),
    ("COMBINESPECFOG1", "RC_FINAL_B", 0),
    ("CONTROL_0", "CONFIG_A", 0),
    ("CONTROL_1", "STENCIL_A", 0),
    ("CONTROL_2", "STENCIL_B", 0),
    ("CONTROL_3", "CONFIG_B", 0),
    ("FOGCOLOR", "FOG_COLOR", 0),
    ("FOGPARAM#", "FOG_COEFF", 0),
    ("POINTSIZE", "POINT_SIZE", 0),
    ("SETUPRASTER", "RASTER", 0),
    ("SHADERCLIPMODE", "TEX_SHADER_CULL_MODE", 0),
    ("SHADERCTL", "TEX_SHADER_MISC", 0),
    ("SHADERPROG", "TEX_SHADER_OP", 0),
    ("SEMAPHOREOFFSET", "FENCE_OFFSET", 0),
    ("SHADOWCTL", "TEX_ZCOMP", 0),
    ("SPECFOGFACTOR#", "RC_FINAL_FACTOR", 0),
    ("SURFACECLIPX", "CLIP_HV", 0),
    ("SURFACECLIPY", "CLIP_HV", 1),
    ("TEXADDRESS#", "TEX_WRAP", 0),
    ("TEXCTL0_#", "TEX_CONTROL", 0),
    ("TEXCTL1_#", "TEX_PITCH", 0),
    ("TEXCTL2_#", "TEX_UNK238", 0),
    ("TEXFILTER#", "TEX_FILTER", 0),
    ("TEXFMT#", "TEX_FORMAT", 0),
    ("TEXIMAGERECT#", "TEX_RECT", 0),
    ("TEXOFFSET#", "TEX_OFFSET", 0),
    ("TEXPALETTE#", "TEX_PALETTE", 0),
    ("WINDOWCLIPX#", "CLIP_RECT_HORIZ", 0),
    ("WINDOWCLIPY#", "CLIP_RECT_VERT", 0),
    ("ZCOMPRESSOCCLUDE", "Z_CONFIG", 0),
    ("ZSTENCILCLEARVALUE", "CLEAR_ZETA", 0),
    ("ZCLIPMAX", "DEPTH_RANGE_FAR", 0),
    ("ZCLIPMIN", "DEPTH_RANGE_NEAR", 0),
    ("ZOFFSETBIAS", "POLYGON_OFFSET_UNITS", 0),
    ("ZOFFSETFACTOR", "POLYGON_OFFSET_FACTOR", 0),
];

/// `NV_PGRAPH_` names of the vertex engine's mode words, by our names and numbers.
const PGRAPH_MODES: &[(&str, &str, usize)] = &[
    ("CSV0_D", "XFMODE_B", 0),
    ("CSV0_C", "XFMODE_A", 0),
    ("CSV1_B", "XFMODE_T", 1),
    ("CSV1_A", "XFMODE_T", 0),
];

/// An address of the Xbox's PGRAPH as the chip itself counts.
pub fn without_xbox_base(address: u32) -> u32 {
    if address & 0xff00_0000 == XBOX_MMIO {
        address & 0x00ff_ffff
    } else {
        address
    }
}

/// What a name with a known prefix means on a chip; a method without its class is looked for
/// in the chip's own 3D class.
pub(crate) fn lookup(chip: Chip, name: &str, indices: &[u32]) -> Option<Target> {
    let name = name.to_ascii_uppercase();
    if let Some(register) = name.strip_prefix("NV_PGRAPH_") {
        return pgraph(chip, register, indices);
    }
    let found = PREFIXES
        .iter()
        .find_map(|(prefix, classes)| Some((name.strip_prefix(prefix)?, *classes)));
    let (method, classes) = found.unwrap_or((&name, classes_of(chip.family())));
    let mut known: Vec<&'static Class> = classes.iter().filter_map(|c| Class::by_id(*c)).collect();
    // The chip's own class first, then any that has the name.
    known.sort_by_key(|class| class.id != class_of(chip));
    known
        .into_iter()
        .find_map(|class| by_method_name(class, method, indices))
}

/// The 3D classes of a family.
fn classes_of(family: Family) -> &'static [u16] {
    match family {
        Family::Celsius => CELSIUS,
        Family::Kelvin => &[0x97, 0x597],
        Family::Rankine => RANKINE,
        Family::Curie => CURIE,
        Family::Utgard => &[],
    }
}

/// The 3D class that drivers use on a chip; 0 on a Mali.
fn class_of(chip: Chip) -> u16 {
    use Chip::*;
    match chip {
        Nv10 => 0x56,
        Nv11 | Nv15 | Nv1a => 0x96,
        Nv17 | Nv18 | Nv1f => 0x99,
        Nv20 | Nv2a => 0x97,
        Nv25 | Nv28 => 0x597,
        Nv30 | Nv31 => 0x397,
        Nv35 | Nv36 => 0x497,
        Nv34 => 0x697,
        Nv40 | Nv41 | Nv42 | Nv43 | Nv45 | Nv47 | Nv49 | Nv4b => 0x4097,
        Nv44 | Nv46 | Nv4a | Nv4c | Nv4e | Nv63 | Nv67 | Nv68 => 0x4497,
        Mali200 | Mali400 | Mali450 => 0,
    }
}

/// A method by either of its names.
pub(crate) fn by_method_name(class: &'static Class, name: &str, indices: &[u32]) -> Option<Target> {
    if let (Family::Kelvin, true, Some((_, at))) = (
        class.since.family(),
        class.is_3d(),
        WITHIN_ARRAYS
            .iter()
            .find(|(theirs, _)| theirs.eq_ignore_ascii_case(name)),
    ) {
        let step = indices.first().copied().unwrap_or(0);
        let at = at.checked_add(u16::try_from(step).ok()?.checked_mul(4)?)?;
        return Some(Target::Method(class, class.method(at)?, at));
    }
    let called = |m: &Method| {
        m.name.eq_ignore_ascii_case(name)
            || !m.nv097.is_empty() && m.nv097.eq_ignore_ascii_case(name)
    };
    let method = class.methods().find(|m| called(m))?;
    let inner = u32::from(method.dims[1].0);
    let number = match *indices {
        [] => 0,
        [index] => index,
        [outer, index] if index < inner => outer.checked_mul(inner)?.checked_add(index)?,
        _ => return None,
    };
    let at = method.addresses().nth(number as usize)?;
    Some(Target::Method(class, method, at))
}

fn pgraph(chip: Chip, name: &str, indices: &[u32]) -> Option<Target> {
    if let Some((_, word, number)) = PGRAPH_MODES.iter().find(|row| row.0 == name) {
        return crate::find::by_mode_name(chip, word, Some(*number as u32));
    }
    PGRAPH.iter().find_map(|(theirs, ours, first)| {
        let number = match theirs.strip_suffix('#') {
            None => (*theirs == name).then_some(0)?,
            Some(stem) => name.strip_prefix(stem)?.parse::<u16>().ok()?,
        };
        let bundle = Bundle::by_name(ours)?;
        let entry = first
            .checked_add(number)?
            .checked_add(u16::try_from(indices.first().copied().unwrap_or(0)).ok()?)?;
        let ids = bundle.row().on(chip)?;
        (entry < ids.count).then_some(Target::Bundle(bundle, entry))
    })
}

/// The names of a chip's state registers that emulators use.
pub(crate) fn registers(chip: Chip) -> Vec<String> {
    let bundles = Bundle::all().filter_map(|bundle| Some((bundle, bundle.row().on(chip)?)));
    bundles
        .flat_map(|(bundle, ids)| (0..ids.count).map(move |entry| Target::Bundle(bundle, entry)))
        .flat_map(|target| names(chip, target))
        .collect()
}

/// What others call a target, the most usual name first.
pub fn names(chip: Chip, target: Target) -> Vec<String> {
    match target {
        Target::Method(class, method, at) => {
            let index = method.label(at);
            let index = index.find('[').map_or("", |from| &index[from..]);
            let theirs = match method.nv097 {
                "" => method.name,
                other => other,
            };
            let (header, rnndb) = match class.since.family() {
                _ if !class.is_3d() => return Vec::new(),
                Family::Celsius => (None, "NV10_3D_"),
                Family::Kelvin => (Some("NV097_"), "NV20_3D_"),
                Family::Rankine => (None, "NV30_3D_"),
                Family::Curie => (None, "NV40_3D_"),
                Family::Utgard => return Vec::new(),
            };
            let own = WITHIN_ARRAYS.iter().find(|(_, place)| *place == at);
            let header = header.map(|prefix| match own {
                Some((own, _)) => format!("{prefix}{own}"),
                None => format!("{prefix}{theirs}{index}"),
            });
            let rnndb = format!("{rnndb}{}{index}", method.name);
            header.into_iter().chain([rnndb]).collect()
        }
        Target::Bundle(bundle, entry) if chip.family() == Family::Kelvin => {
            bundle_names(chip, bundle, entry)
        }
        Target::Mode(place, word) if chip.family() == Family::Kelvin => {
            let number = crate::xf::mode::record(chip).map_or(0, |(record, _)| {
                let later = &record.slots[place + 1..];
                later.iter().filter(|s| s.word.name == word.name).count()
            });
            PGRAPH_MODES
                .iter()
                .filter(|(_, ours, n)| *ours == word.name && *n == number)
                .map(|(theirs, ..)| format!("NV_PGRAPH_{theirs}"))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn bundle_names(chip: Chip, bundle: Bundle, entry: u16) -> Vec<String> {
    let mut out = Vec::new();
    for (theirs, ours, first) in PGRAPH.iter().filter(|row| row.1 == bundle.name()) {
        match theirs.strip_suffix('#') {
            Some(stem) => out.push(format!("NV_PGRAPH_{stem}{entry}")),
            None if *first == entry => out.push(format!("NV_PGRAPH_{theirs}")),
            // An array of which the header names only the beginning.
            None if ours.starts_with("RC_FACTOR") => {
                out.push(format!("NV_PGRAPH_{theirs}+{:#x}", 4 * entry));
            }
            None => {}
        }
    }
    if let (Chip::Nv2a, Some(id), Some(base)) = (
        chip,
        bundle.id(chip.family(), entry),
        shadow_base(chip.family()),
    ) && id < 0x100
    {
        out.push(format!("{:#x}", XBOX_MMIO | (base + 4 * u32::from(id))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find;

    fn label(chip: Chip, text: &str) -> String {
        find(chip, text).map_or_else(|e| e.to_string(), |t| t.label())
    }

    #[test]
    fn headers_drivers_and_emulators_name_the_same_things() {
        for (chip, theirs, ours) in [
            (
                Chip::Nv2a,
                "NV097_SET_BLEND_ENABLE",
                "97:0304 BLEND_FUNC_ENABLE",
            ),
            (
                Chip::Nv25,
                "nv097_set_blend_enable",
                "597:0304 BLEND_FUNC_ENABLE",
            ),
            (Chip::Nv2a, "NV097_SET_FLIP_READ", "97:0120 FLIP_READ"),
            (
                Chip::Nv2a,
                "NV097_SET_TEXCOORD1_2F",
                "97:15b8 VTX_TXC_2F[1][0]",
            ),
            (Chip::Nv2a, "NV_PGRAPH_BLEND", "BLEND"),
            (Chip::Nv2a, "NV_PGRAPH_TEXFMT2", "TEX_FORMAT[2]"),
            (Chip::Nv2a, "NV_PGRAPH_CONTROL_0", "CONFIG_A"),
            (Chip::Nv2a, "NV_PGRAPH_CSV0_D", "XFMODE_B"),
            (Chip::Nv2a, "0xfd401804", "BLEND"),
            (
                Chip::Nv34,
                "NV30_3D_BLEND_FUNC_ENABLE",
                "697:0310 BLEND_FUNC_ENABLE",
            ),
            (
                Chip::Nv40,
                "NV40_3D_BLEND_FUNC_ENABLE",
                "4097:0310 BLEND_FUNC_ENABLE",
            ),
            (
                Chip::Nv47,
                "NV40_3D_BLEND_FUNC_ENABLE",
                "4097:0310 BLEND_FUNC_ENABLE",
            ),
            (Chip::Nv2a, "SET_BLEND_ENABLE", "97:0304 BLEND_FUNC_ENABLE"),
        ] {
            assert_eq!(label(chip, theirs), ours, "{theirs}");
        }
        assert!(find(Chip::Nv2a, "NV_PGRAPH_TEXFMT9").is_err());
        assert!(find(Chip::Mali400, "NV_PGRAPH_BLEND").is_err());
    }

    #[test]
    fn every_name_that_is_shown_is_understood() {
        for (ours, chip) in [
            ("BLEND", Chip::Nv2a),
            ("TEX_FORMAT[3]", Chip::Nv2a),
            ("CLEAR_HV[1]", Chip::Nv2a),
            ("XFMODE_T", Chip::Nv2a),
            ("97:0304", Chip::Nv2a),
            ("97:15b8", Chip::Nv2a),
            ("4097:0310", Chip::Nv40),
        ] {
            let target = find(chip, ours).expect("our own name");
            let others = names(chip, target);
            assert!(!others.is_empty(), "{ours}");
            for other in others {
                assert_eq!(label(chip, &other), target.label(), "{other}");
            }
        }
    }

    #[test]
    fn every_row_names_a_bundle_of_the_xbox() {
        for (theirs, ours, entry) in PGRAPH {
            let ids = Bundle::by_name(ours).and_then(|b| b.row().on(Chip::Nv2a));
            assert!(ids.is_some_and(|ids| *entry < ids.count), "{theirs}");
        }
    }
}
