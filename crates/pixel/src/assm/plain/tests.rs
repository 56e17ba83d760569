use super::*;
use crate::assm::{Bundles, Settings};
use crate::raster::{self, RasterState};
use isotherm_lanes::{Level, Random};
use isotherm_regs::Chip;

fn state() -> RasterState {
    let none = raster::Bundles::default();
    let mut state = RasterState::prepare(Chip::Nv2a, &none, 0, [0, 0, 640, 480], 65535.0);
    state.near = 0.25;
    state.far = 0.75;
    state.depth_scale = 1.0;
    state
}

/// A coordinate: mostly of the picture, with few bits or many, now and then anything at all.
fn coordinate(random: &mut Random) -> u32 {
    match random.next_u32() % 16 {
        0 => random.next_u32(),
        1 => [0, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000][random.next_u32() as usize % 5],
        2 => (2097152.0 - (random.next_u32() % 8) as f32 / 8.0).to_bits(),
        3 => (-2097152.0 - (random.next_u32() % 3) as f32 / 4.0).to_bits(),
        4..8 => ((random.next_u32() % 64) as f32 / 32.0 - 1.0).to_bits(),
        _ => ((random.next_u32() % 65536) as f32 / 1024.0).to_bits(),
    }
}

fn vertex(random: &mut Random) -> VtxHead {
    let mut v = VtxHead {
        pos: [coordinate(random), coordinate(random), 0, 1f32.to_bits()],
        ..VtxHead::default()
    };
    v.pos[2] = ((random.next_u32() % 64) as f32 / 63.0).to_bits();
    match random.next_u32() % 64 {
        0 => v.pos[3] = (-1f32).to_bits(),
        1 => v.exact = [random.next_u32(); 2],
        2 => v.pos[2] = f32::NAN.to_bits(),
        _ => {}
    }
    v
}

/// What is left of a primitive here.
fn words(prims: &[Prim]) -> Vec<String> {
    prims.iter().map(|prim| format!("{prim:?}")).collect()
}

#[test]
fn the_same_as_the_general_way() {
    let (mut random, mut drawn) = (Random::new(77), 0);
    let state = state();
    for _ in 0..64 {
        let bits = random.next_u32();
        let mut settings = Settings::prepare(Chip::Nv2a, &Bundles::default());
        settings.provoking_first = bits & 1 != 0;
        settings.cull = [bits & 2 != 0 && bits & 4 != 0, bits & 8 != 0];
        settings.front_clockwise = bits & 16 != 0;
        settings.cull_near_far = bits & 32 != 0;
        let verts: Vec<_> = (0..96).map(|_| vertex(&mut random)).collect();
        let list: Vec<[u32; 3]> = (0..256)
            .map(|_| [0; 3].map(|_| random.next_u32() % 96))
            .collect();
        let made = |make: &dyn Fn(&mut Out<'_>)| {
            let mut prims = Vec::new();
            make(&mut Out {
                verts: &verts,
                settings: &settings,
                state: &state,
                draw: 3,
                multisample: false,
                prims: &mut prims,
            });
            words(&prims)
        };
        let general = made(&|out| list.iter().for_each(|v| out.listed(*v)));
        drawn += general.len();
        for level in Level::available() {
            let plain = made(&|out| {
                let plain = Plain::of(out).unwrap();
                triangles(level, &plain, &list, out);
            });
            assert_eq!(plain, general, "{level:?} {settings:?}");
        }
    }
    assert!(drawn > 2000, "{drawn}");
}

#[test]
fn what_the_plain_way_decides_by_itself() {
    let (settings, state) = (Settings::default(), state());
    let mut prims = Vec::new();
    let out = Out {
        verts: &[],
        settings: &settings,
        state: &state,
        draw: 0,
        multisample: false,
        prims: &mut prims,
    };
    let plain = Plain::of(&out).unwrap();
    let at = |x: f32, y: f32| VtxHead {
        pos: [x.to_bits(), y.to_bits(), 0, 1f32.to_bits()],
        ..VtxHead::default()
    };
    let fate = |x: f32| plain.fate([&at(0.0, 0.0), &at(x, 0.0), &at(0.0, 4.0)]);
    assert_eq!(fate(2097152.0), Fate::Open);
    assert_eq!(fate(f32::NAN), Fate::Open);
    assert_eq!(fate(0.25), Fate::Dropped);
    let drawn = Fate::Drawn {
        front: false,
        bounds: [0, 0, 2, 4],
    };
    assert_eq!(fate(2.0), drawn);
}
