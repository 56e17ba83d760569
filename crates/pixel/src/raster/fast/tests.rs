//! Random triangles in random states, drawn the fast and the general way.

use super::*;
use crate::assm::Settings;
use crate::bundles::UnitBundles;
use crate::raster::clip::Clip;
use crate::raster::fog::{Fog, Mode};
use crate::raster::tile::{Bin, Passed, Work, draw_tile};
use crate::raster::{Prim, PrimKind, RasterState};
use crate::rc::reg;
use crate::rop::blend::{Blend, Equation};
use crate::rop::prepare::Surfaces;
use crate::rop::stencil::Stencil;
use crate::rop::surface::{Color, Plane};
use crate::rop::{Func, Rop, Target, Zeta};
use crate::shader::Shade;
use crate::shader::program::Fragments;
use crate::tex::TexCache;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::memory::SharedBytes;
use isotherm_bus::vertex::VtxOut;
use isotherm_bus::verts::Verts;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::bundle as id;
use isotherm_regs::bundle::{CONFIG_B, RC_CONFIG, RC_FINAL_A, RC_FINAL_B, TEX_FORMAT};
use std::sync::atomic::AtomicU64;

/// Memory of a test's own.
pub(super) fn shared(bytes: &mut [u8]) -> SharedBytes<'_> {
    // SAFETY: tests use it in one thread.
    unsafe { SharedBytes::new(bytes) }
}

const CHIP: Chip = Chip::Nv20;

/// Final combiner: the primary colour.
fn primary() -> Shade {
    let mut words = UnitBundles::default();
    let set =
        |field: isotherm_regs::field::Field, value: u32, word: u32| field.with(CHIP, word, value);
    words.take(id::RC_CONFIG, 0, set(RC_CONFIG::NUM_COMBINERS, 1, 0));
    // Zero inverted picks B.
    let a = set(RC_FINAL_A::A_MAPPING, 1, 0);
    words.take(
        id::RC_FINAL_A,
        0,
        set(RC_FINAL_A::B_INPUT, reg::COL0 as u32, a),
    );
    let g = set(RC_FINAL_B::G_INPUT, reg::COL0 as u32, 0);
    words.take(id::RC_FINAL_B, 0, set(RC_FINAL_B::G_COMPONENT_USAGE, 1, g));
    Shade::prepare(
        CHIP,
        &words.shader,
        &words.tex,
        &words.rc,
        [DmaSpan::default(); 2],
    )
}

/// A texture or two with levels and what the combiners make of them: the texel, its product
/// with the vertices' colour, the same with the colour's alpha, or all of both textures.
fn textured(random: &mut Random, kind: u32) -> Shade {
    let mut words = UnitBundles::default();
    let mut memory = Memory::new(CHIP);
    let (stages, log2) = (if kind >= 3 { 2 } else { 1 }, 2 + random.below(4));
    words.take(
        id::TEX_SHADER_OP,
        0,
        if stages == 2 { 1 | 1 << 5 } else { 1 },
    );
    for stage in 0..stages {
        let at = 0x1_0000 * (stage as u32 + 1);
        let format = [
            (TEX_FORMAT::FORMAT, 6),
            (TEX_FORMAT::MODE, 2),
            (TEX_FORMAT::BORDER_TYPE, 1),
            (TEX_FORMAT::MIPS, 1 + random.below(log2 + 1)),
            (TEX_FORMAT::SIZE_S, log2),
            (TEX_FORMAT::SIZE_T, log2),
        ]
        .into_iter()
        .fold(0, |word, (field, v)| field.with(CHIP, word, v));
        words.take(id::TEX_FORMAT, stage, format);
        words.take(id::TEX_OFFSET, stage, at);
        words.take(
            id::TEX_WRAP,
            stage,
            (0x1_0101 * (1 + random.below(2) * 2)) & 0xf_0f0f,
        );
        let filter = (1 + random.below(6)) << 16 | (1 + random.below(2)) << 24;
        words.take(id::TEX_FILTER, stage, filter);
        words.take(id::TEX_CONTROL, stage, 0x4003_ffc0);
        for i in 0..2048 {
            let texel = random.below(1 << 16) << 16 | random.below(1 << 16);
            memory.write_u32(at + 4 * i, texel);
        }
    }
    let (color, alpha, last) = match kind {
        0 => (0, 0, reg::TEX0 as u32),
        1 => (0x0408_0000, 0x1418_0000, 12),
        2 => (0x0408_0000, 0x1430_0000, 12),
        _ => (0x0408_0918, 0x1418_1918, 12),
    };
    // The last kind mixes with black by the fog factor.
    let (first, config) = if kind == 4 {
        (0x130c_0000, CONFIG_B::FOG_ENABLE.with(CHIP, 0, 1))
    } else {
        (last, 0)
    };
    words.take(id::CONFIG_B, 0, config);
    words.take(id::RC_CONFIG, 0, 1);
    words.take(id::RC_IN_COLOR, 0, color);
    words.take(id::RC_IN_ALPHA, 0, alpha);
    words.take(id::RC_OUT_COLOR, 0, 0xc00);
    words.take(id::RC_OUT_ALPHA, 0, 0xc00);
    words.take(id::RC_FINAL_A, 0, first);
    words.take(id::RC_FINAL_B, 0, (0x10 | last) << 8);
    let mut shade = Shade::prepare(
        CHIP,
        &words.shader,
        &words.tex,
        &words.rc,
        [DmaSpan::default(); 2],
    );
    shade.bind(&memory, &mut TexCache::default());
    assert_eq!(shade.modulate().is_some(), kind < 3, "kind {kind}");
    assert_eq!(shade.reads_fog(), kind == 4, "kind {kind}");
    shade
}

pub(super) fn surfaces(random: &mut Random) -> Surfaces {
    let (w, h) = (1 + random.below(150) as i32, 1 + random.below(100) as i32);
    let formats = [
        Color::A8R8G8B8,
        Color::X8R8G8B8 { ones: false },
        Color::X8R8G8B8 { ones: true },
    ];
    let pitch = (w as usize + random.below(20) as usize) * 4;
    let plane = |address: u32, end: usize| Plane {
        address,
        end,
        pitch,
        bytes: 4,
        swizzle: None,
        scale: (1, 1),
    };
    let size = pitch * h as usize;
    // Some surfaces end early.
    let end = |random: &mut Random| size - random.below(4) as usize * size / 8;
    let (color, zeta) = (plane(0, end(random)), plane(1 << 20, end(random)));
    Surfaces {
        color: Some(color),
        zeta: Some(zeta),
        format: formats[random.below(3) as usize],
        z24: true,
        clip: [random.below(9) as i32, random.below(9) as i32, w, h],
        scale: (1, 1),
        ..Surfaces::default()
    }
}

/// By the source's alpha, or anything.
fn blend(random: &mut Random) -> Blend {
    const EQUATIONS: [Equation; 8] = [
        Equation::Add,
        Equation::Subtract,
        Equation::ReverseSubtract,
        Equation::Min,
        Equation::Max,
        Equation::SignedAdd,
        Equation::SignedReverseSubtract,
        Equation::SignedSubtract,
    ];
    if random.one_in(2) {
        return Blend {
            equation: [Equation::Add; 2],
            src: [4; 2],
            dst: [5; 2],
            constant: [0; 4],
        };
    }
    let mut factor = || [(); 2].map(|()| random.below(16) as u8);
    Blend {
        src: factor(),
        dst: factor(),
        equation: [(); 2].map(|()| EQUATIONS[random.below(8) as usize]),
        constant: [(); 4].map(|()| random.below(256) as i32),
    }
}

pub(super) fn draw(random: &mut Random, surfaces: &Surfaces) -> Draw {
    let words = UnitBundles::default();
    let mut raster = RasterState::prepare(CHIP, &words.raster, 0, surfaces.clip, 16_777_215.0);
    raster.clip = Clip::new(surfaces.clip, &[], false);
    raster.perspective = random.one_in(2);
    raster.flat = random.one_in(4);
    raster.near = if random.one_in(3) { 4e6 } else { 0.0 };
    raster.far = if random.one_in(3) { 1.2e7 } else { 16777215.0 };
    raster.depth_clamp = random.one_in(3);
    let mut rop = Rop::prepare(CHIP, &words.rop, surfaces);
    rop.bits = u32::MAX;
    rop.forced = surfaces.format.forced();
    rop.depth = (!random.one_in(3)).then(|| random.below(8) as Func);
    rop.depth_write = random.one_in(2);
    rop.zeta = Zeta {
        z24: true,
        float: random.one_in(4),
    };
    rop.count = true;
    rop.blend = random.one_in(2).then(|| blend(random));
    rop.alpha = random
        .one_in(3)
        .then(|| (random.below(8) as Func, random.below(256)));
    let shade = match random.below(8) {
        kind @ 0..=4 => textured(random, kind),
        _ => primary(),
    };
    let program = random.one_in(3).then(|| {
        let texts = [
            "!!FP2.0 MOVR H0, f[COL0]; END",
            "!!FP2.0
            MOVR R1, f[TEX0];
            MULR R1, R1, f[COL0];
            DDXR R2, f[TEX1].x;
            MADR H0, R1, c[0.3, -0.2, 0.1, 0.4], f[COL0].wzyx;
            ADDR H0.y, H0, R2;
            END",
            // Its pixels leave their quads.
            "!!FP2.0
            MOVR R1, f[TEX0];
            MULR R1, R1, f[TEX1].x;
            MADR H0, R1, f[COL0], R1.y;
            END",
        ];
        Fragments::assembled(texts[random.below(3) as usize])
    });
    raster.byte_colors = program.is_some() && random.one_in(2);
    raster.fog = Fog {
        enable: shade.reads_fog(),
        mode: [Mode::Linear, Mode::ExpAbs][random.below(2) as usize],
        bias: 1.0,
        mult: -0.25,
    };
    let fast = FastState::prepare(&raster, &rop, &shade, program.as_ref(), surfaces);
    assert!(fast.is_some(), "this state goes the fast way");
    Draw {
        assm: Settings::default(),
        raster,
        rop,
        sets: (1 << shade.coordinate_sets()) - 1,
        shade,
        late: false,
        clip_ids: None,
        fast,
        cylinder: [[false; 4]; 4],
        program,
        depth_scale: 16_777_215.0,
        samples: vec![([8.0, 8.0], (0, 0))],
    }
}

fn vertex(random: &mut Random) -> VtxOut {
    let place = |random: &mut Random| match random.below(5) {
        0 => random.below(20) as f32 * 8.0,
        1 => random.below(20000) as f32 - 10000.0,
        _ => random.below(3000) as f32 / 16.0 - 16.0,
    };
    let (x, y) = (place(random), place(random));
    let z = random.below(20_000_000) as f32 - 1e6;
    let w = match random.below(12) {
        0 => -1.0,
        1 => 0.0,
        2..=5 => 1.0 + random.below(100) as f32,
        _ => 1.0,
    };
    let mut tex = VtxOut::default().tex;
    for set in &mut tex[..8] {
        let mut part = || (random.below(6000) as f32 - 1000.0) / 512.0;
        *set = [part(), part(), 0.0, 1.0].map(f32::to_bits);
        if random.one_in(8) {
            set[3] = (0.5 + random.below(100) as f32 / 50.0).to_bits();
        }
    }
    let off = random.below(3) as f32 / 64.0;
    let fog = random.below(600) as f32 / 100.0 - 3.0;
    let mut byte = || random.below(256) as u8;
    VtxOut {
        tex,
        pos: [x, y, z, w].map(f32::to_bits),
        color: std::array::from_fn(|_| [byte(), byte(), byte(), byte()]),
        fog: fog.to_bits(),
        exact: [x + off, y - off].map(f32::to_bits),
        ..VtxOut::default()
    }
}

/// Moves vertices so near to each other that their triangles have few groups of pixels.
fn gather(random: &mut Random, verts: &mut [VtxOut]) {
    let middle = [random.below(140) as f32, random.below(90) as f32];
    for v in verts {
        let place = middle.map(|at| at + random.below(200) as f32 / 16.0);
        for c in 0..2 {
            (v.pos[c], v.exact[c]) = (place[c].to_bits(), place[c].to_bits());
        }
        v.pos[3] = (1.0 + random.below(3) as f32).to_bits();
    }
}

/// Draws all primitives in tiles of 64 by 64 pixels.
pub(super) fn draw_all(level: Level, work: &Work<'_>) -> Passed {
    let list: Vec<u32> = (0..work.prims.len() as u32).collect();
    let mut passed = Passed::default();
    for y in (0..100).step_by(64) {
        for x in (0..150).step_by(64) {
            let bin = Bin {
                rect: [x, y, x + 64, y + 64],
                list: &list,
            };
            passed = passed + draw_tile(level, work, bin, None, None);
        }
    }
    passed
}

#[test]
fn both_ways_draw_the_same() {
    let mut random = Random::new(7);
    let mut changed = 0;
    for round in 0..4000 {
        let surfaces = surfaces(&mut random);
        // What waits for its colours must be there before another draw's pixels.
        let mut draws = vec![draw(&mut random, &surfaces), draw(&mut random, &surfaces)];
        let mut verts: Vec<VtxOut> = (0..24).map(|_| vertex(&mut random)).collect();
        gather(&mut random, &mut verts[12..]);
        if random.one_in(4) {
            let color = verts[0].color;
            verts.iter_mut().for_each(|v| v.color = color);
        }
        if random.one_in(4) {
            let z = verts[0].pos[2];
            verts.iter_mut().for_each(|v| v.pos[2] = z);
        }
        let verts: Verts = verts.into_iter().collect();
        let both = random.one_in(3);
        let prims: Vec<Prim> = (0..18)
            .map(|i| {
                let first = if i % 3 == 0 { 0 } else { 12 };
                Prim {
                    kind: PrimKind::Triangle,
                    front: random.one_in(2),
                    offset: if random.one_in(4) { 1000.5 } else { 0.0 },
                    draw: u32::from(both && random.one_in(4)),
                    phase: 0,
                    v: std::array::from_fn(|_| first + random.below(12)),
                    provoking: first + random.below(12),
                    bounds: surfaces.clip,
                }
            })
            .collect();
        let fill: Vec<u8> = (0..80_000).map(|_| random.below(256) as u8).collect();
        let mut results = Vec::new();
        for way in ["fast", "fast but for one draw", "general"] {
            for level in Level::available() {
                let (mut color, mut zeta) = (fill.clone(), fill.clone());
                let loop_steps = AtomicU64::new(u64::MAX);
                let work = Work {
                    loop_steps: &loop_steps,
                    draws: &draws,
                    verts: &verts,
                    prims: &prims,
                    clears: &[],
                    target: Target {
                        color: surfaces.color.map(|p| (p, shared(&mut color))),
                        zeta: surfaces.zeta.map(|p| (p, shared(&mut zeta))),
                        more: [None; 3],
                    },
                };
                let passed = draw_all(level, &work);
                changed += usize::from(color != fill);
                results.push(((color, zeta, passed), (way, level)));
            }
            if draws[0].fast.take().is_none() {
                draws[1].fast = None;
            }
        }
        for (result, how) in &results {
            let Draw { rop, program, .. } = &draws[0];
            assert!(
                *result == results[0].0,
                "round {round}: {how:?}, {rop:?}, a program: {}",
                program.is_some()
            );
        }
    }
    assert!(changed > 4000, "hardly anything was drawn: {changed}");
}

#[test]
fn the_fast_way_knows_its_states() {
    let random = &mut Random::new(3);
    let surfaces = surfaces(random);
    let Draw {
        raster, rop, shade, ..
    } = draw(random, &surfaces);
    let fast = |rop: &Rop| FastState::prepare(&raster, rop, &shade, None, &surfaces).is_some();
    assert!(fast(&rop));
    let mut other = rop.clone();
    other.bits = 0x00ff_ffff;
    assert!(!fast(&other), "a colour mask");
    let mut other = rop.clone();
    other.stencil[0] = Some(Stencil {
        func: 2,
        reference: 0,
        func_mask: 255,
        mask: 0,
        ops: [1; 3],
    });
    assert!(!fast(&other), "a stencil test");
    let mut words = UnitBundles::default();
    words.take(id::TEX_SHADER_OP, 0, 5);
    let kills = Shade::prepare(
        CHIP,
        &words.shader,
        &words.tex,
        &words.rc,
        [DmaSpan::default(); 2],
    );
    assert!(kills.kills_or_moves(), "clip planes");
    assert!(FastState::prepare(&raster, &rop, &kills, None, &surfaces).is_none());
    for (text, is_fast) in [
        ("!!FP2.0 MOVR H0, f[COL1]; END", true),
        ("!!FP2.0 MOVR H0, f[WPOS]; END", false),
        ("!!FP2.0 KIL; MOVR H0, f[COL1]; END", false),
    ] {
        let program = Fragments::assembled(text);
        let fast = FastState::prepare(&raster, &rop, &shade, Some(&program), &surfaces);
        assert_eq!(fast.is_some(), is_fast, "{text}");
    }
}
