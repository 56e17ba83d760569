//! NV40's fixed function against Rankine's.

use isotherm_bus::vertex::VtxIn;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{self as id, Bundle, CONFIG_B, RASTER, XF_A, XF_LIGHT, XF_TXC};
use isotherm_regs::field::Field;
use isotherm_regs::xf::mode::{LIGHT_MODE, MATERIAL_SOURCE, TEX_GEN, XFMODE_A, XFMODE_B, XFMODE_T};
use isotherm_xf::xf::{Path, Xf};

fn set(chip: Chip, fields: &[(Field, u32)]) -> u32 {
    fields
        .iter()
        .fold(0, |word, &(f, v)| f.set(chip, word, v).expect("fits"))
}

/// Lights, materials and texture set 6, in Rankine's registers.
fn rankine_mode(xf: &mut Xf) {
    let chip = Chip::Nv34;
    let b = set(
        chip,
        &[
            (XFMODE_B::LIGHT_MODE_0, LIGHT_MODE::INFINITE),
            (XFMODE_B::LIGHT_MODE_3, LIGHT_MODE::LOCAL),
            (XFMODE_B::LIGHT_MODE_7, LIGHT_MODE::SPOTLIGHT),
            (XFMODE_B::POINT_PARAMS_ENABLE, 1),
            (XFMODE_B::WEIGHT_MODE, 3),
        ],
    );
    let a = set(
        chip,
        &[
            (XFMODE_A::LIGHTING_ENABLE, 1),
            (XFMODE_A::NORMALIZE_ENABLE, 1),
            (XFMODE_A::SPECULAR_ENABLE, 1),
            (XFMODE_A::LIGHT_TWO_SIDE_ENABLE, 1),
            (XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER, 1),
            (XFMODE_A::LIGHT_MODEL_SEPARATE_SPECULAR, 1),
            (
                XFMODE_A::LIGHT_MATERIAL_DIFFUSE_FRONT,
                MATERIAL_SOURCE::COL0,
            ),
            (
                XFMODE_A::LIGHT_MATERIAL_SPECULAR_BACK,
                MATERIAL_SOURCE::COL1,
            ),
        ],
    );
    let t = set(
        chip,
        &[
            (XFMODE_T::TEX_0_ENABLE, 1),
            (XFMODE_T::TEX_0_MATRIX_ENABLE, 1),
            (XFMODE_T::TEX_0_GEN_S, TEX_GEN::SPHERE_MAP),
            (XFMODE_T::TEX_0_GEN_T, TEX_GEN::EYE_LINEAR),
            (XFMODE_T::TEX_0_GEN_R, TEX_GEN::REFLECTION_MAP),
            (XFMODE_T::TEX_0_GEN_Q, TEX_GEN::OBJECT_LINEAR),
        ],
    );
    // Set 6 is the lower half of the fourth word, which travels first.
    xf.command(7, 0x08, 3, b, a);
    xf.command(7, 0x10, 3, t, 0);
    xf.command(7, 0x18, 3, 0, 0);
}

/// The same in NV40's bundles.
fn curie_mode(xf: &mut Xf) {
    let chip = Chip::Nv40;
    let words: [(Bundle, usize, u32); 5] = [
        (
            id::XF_A,
            0,
            set(
                chip,
                &[
                    (XF_A::LIGHTING_ENABLE, 1),
                    (XF_A::NORMALIZE_ENABLE, 1),
                    (XF_A::WEIGHT_MODE, 3),
                    (XF_A::LIGHT_MATERIAL_DIFFUSE_FRONT, MATERIAL_SOURCE::COL0),
                    (XF_A::LIGHT_MATERIAL_SPECULAR_BACK, MATERIAL_SOURCE::COL1),
                ],
            ),
        ),
        (
            id::XF_LIGHT,
            0,
            set(
                chip,
                &[
                    (XF_LIGHT::LIGHT_MODE_0, LIGHT_MODE::INFINITE),
                    (XF_LIGHT::LIGHT_MODE_3, LIGHT_MODE::LOCAL),
                    (XF_LIGHT::LIGHT_MODE_7, LIGHT_MODE::SPOTLIGHT),
                    (XF_LIGHT::LIGHT_MODEL_LOCAL_VIEWER, 1),
                    (XF_LIGHT::LIGHT_MODEL_SEPARATE_SPECULAR, 1),
                ],
            ),
        ),
        (
            id::XF_TXC,
            6,
            set(
                chip,
                &[
                    (XF_TXC::TEX_MATRIX_ENABLE, 1),
                    (XF_TXC::TEX_GEN_S, TEX_GEN::SPHERE_MAP),
                    (XF_TXC::TEX_GEN_T, TEX_GEN::EYE_LINEAR),
                    (XF_TXC::TEX_GEN_R, TEX_GEN::REFLECTION_MAP),
                    (XF_TXC::TEX_GEN_Q, TEX_GEN::OBJECT_LINEAR),
                ],
            ),
        ),
        (
            id::CONFIG_B,
            0,
            set(
                chip,
                &[
                    (CONFIG_B::SPECULAR_ENABLE, 1),
                    (CONFIG_B::POINT_PARAMS_ENABLE, 1),
                ],
            ),
        ),
        (
            id::RASTER,
            0,
            set(chip, &[(RASTER::LIGHT_TWO_SIDE_ENABLE, 1)]),
        ),
    ];
    for (bundle, index, word) in words {
        xf.bundle(bundle, index, word);
    }
}

/// Units of both chips with the same random constants.
fn units(r: &mut Random) -> [Xf; 2] {
    let mut rankine = Xf::new(Chip::Nv34);
    let state = rankine.state_mut();
    for x in state.xfctx.iter_mut().flatten() {
        *x = r.next_u32() & 0x807f_ffff | 0x3f00_0000;
    }
    for x in state.ltctx.iter_mut().flatten() {
        *x = r.next_u32() & 0x7f_fc00 | 0x3e00_0000;
    }
    for x in state.ltc.iter_mut().flatten() {
        *x = r.next_u32() & 0x7f_fc00 | 0x3e80_0000;
    }
    let mut curie = Xf::new(Chip::Nv40);
    let (from, to) = (rankine.state(), curie.state_mut());
    to.xfctx[..from.xfctx.len()].copy_from_slice(&from.xfctx);
    (to.ltctx, to.ltc) = (from.ltctx, from.ltc);
    to.curie.viewport.translate = from.xfctx[0x77];
    [rankine, curie]
}

fn random_vertex(r: &mut Random) -> VtxIn {
    let mut attr = [[0; 4]; 16];
    for x in attr.iter_mut().flatten() {
        *x = r.next_u32() & 0x807f_ffff | 0x3f00_0000;
    }
    VtxIn {
        attr,
        edge_flag: true,
    }
}

/// NV40 keeps fixed function, with its mode in bundles: the same mode and constants give
/// what Rankine gives.
#[test]
fn nv40_runs_fixed_function_from_bundles() {
    let mut r = Random::new(0x4097);
    let [mut rankine, mut curie] = units(&mut r);
    rankine_mode(&mut rankine);
    curie_mode(&mut curie);
    let mut mode = curie.mode().clone();
    assert_eq!(mode.path, Path::Fixed);
    // Where the constants lie is each chip's own, and NV40 has no switches for texture sets.
    mode.map = rankine.mode().map;
    for (to, from) in mode.tex.iter_mut().zip(&rankine.mode().tex) {
        to.enable &= from.enable;
    }
    assert_eq!(&mode, rankine.mode());
    let vertices: Vec<VtxIn> = (0..50).map(|_| random_vertex(&mut r)).collect();
    let (mut want, mut got) = (Vec::new(), Vec::new());
    rankine.run(&vertices, &mut want);
    curie.run(&vertices, &mut got);
    assert_eq!(got, want);
    assert!(want.iter().any(|v| v.color[2] != want[0].color[2]));
    assert_ne!(want[0].tex[6], vertices[0].attr[15]);
}

#[test]
fn nv41_has_no_fixed_function_left() {
    assert_eq!(Xf::new(Chip::Nv41).mode().path, Path::Program);
}
