//! Primitives out of vertices.

use isotherm_bus::verts::VtxHead;
use isotherm_pixel::assm::{Assm, Bundles, Out, Settings};
use isotherm_pixel::raster::{self, Prim, RasterState};
use isotherm_regs::Chip;

/// What primitives are made by: culling and depth test off.
struct Setup {
    settings: Settings,
    state: RasterState,
}

fn setup() -> Setup {
    let none = raster::Bundles::default();
    let mut state = RasterState::prepare(Chip::Nv2a, &none, 0, [0, 0, 640, 480], 65535.0);
    state.line_width = 8;
    state.far = 1e9;
    Setup {
        settings: Settings::prepare(Chip::Nv2a, &Bundles::default()),
        state,
    }
}

/// Vertices on a circle, clockwise on the screen.
fn circle(n: u32) -> Vec<VtxHead> {
    (0..n)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / f64::from(n);
            let (x, y) = (100.0 + 50.0 * angle.cos(), 100.0 + 50.0 * angle.sin());
            VtxHead {
                pos: [
                    (x as f32).to_bits(),
                    (y as f32).to_bits(),
                    0,
                    1f32.to_bits(),
                ],
                edge_flag: true,
                ..VtxHead::default()
            }
        })
        .collect()
}

fn assemble(prim: u8, verts: &[VtxHead], setup: &Setup) -> Vec<Prim> {
    let mut prims = Vec::new();
    let mut assm = Assm::default();
    let mut out = Out {
        verts,
        settings: &setup.settings,
        state: &setup.state,
        draw: 0,
        multisample: false,
        prims: &mut prims,
    };
    assm.begin(prim);
    for v in 0..verts.len() as u32 {
        assm.vertex(v, &mut out);
    }
    assm.end(&mut out);
    prims
}

fn orders(prims: &[Prim]) -> Vec<[u32; 3]> {
    prims.iter().map(|p| p.v).collect()
}

#[test]
fn the_hardware_order_of_every_primitive() {
    let setup = setup();
    let get = |prim, n| orders(&assemble(prim, &circle(n), &setup));
    assert_eq!(get(5, 7), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(get(7, 5), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(get(10, 5), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(get(8, 9), [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
    assert_eq!(get(6, 5), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert_eq!(get(9, 5), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(get(1, 2).len(), 2);
    assert_eq!(get(2, 5), [[0, 1, 1], [2, 3, 3]]);
    assert_eq!(get(4, 3), [[0, 1, 1], [1, 2, 2]]);
    assert_eq!(get(3, 3), [[0, 1, 1], [1, 2, 2], [2, 0, 0]]);
    assert_eq!(get(0, 3).len(), 0);
}

#[test]
fn provoking_vertices() {
    let mut setup = setup();
    let get = |prim, n, setup: &Setup| -> Vec<u32> {
        let prims = assemble(prim, &circle(n), setup);
        prims.iter().map(|p| p.provoking).collect()
    };
    assert_eq!(get(5, 3, &setup), [2]);
    assert_eq!(get(6, 4, &setup), [2, 3]);
    assert_eq!(get(7, 4, &setup), [2, 3]);
    setup.settings.provoking_first = true;
    assert_eq!(get(5, 3, &setup), [0]);
    assert_eq!(get(6, 4, &setup), [0, 1]);
    assert_eq!(get(7, 4, &setup), [1, 2]);
    assert_eq!(get(8, 4, &setup), [3, 3]);
    assert_eq!(get(9, 4, &setup), [3, 3]);
    assert_eq!(get(10, 4, &setup), [0, 0]);
}

#[test]
fn polygon_mode_line_leaves_out_inner_edges() {
    let mut setup = setup();
    setup.settings.polygon_mode = [2, 2];
    let get = |prim, n| -> Vec<(u32, u32)> {
        let prims = assemble(prim, &circle(n), &setup);
        prims.iter().map(|p| (p.v[0], p.v[1])).collect()
    };
    assert_eq!(get(5, 3), [(1, 2), (2, 0), (0, 1)]);
    assert_eq!(get(8, 4), [(1, 2), (0, 1), (2, 3), (3, 0)]);
    assert_eq!(get(10, 5), [(1, 2), (0, 1), (2, 3), (3, 4), (4, 0)]);
    let mut verts = circle(4);
    verts[1].edge_flag = false;
    let prims = assemble(8, &verts, &setup);
    assert!(prims.iter().all(|p| p.v[..2] != [1, 2]));
    assert_eq!(prims.len(), 3);
}

#[test]
fn culling_follows_the_winding_and_the_sign_of_w() {
    let mut setup = setup();
    setup.settings.cull = [false, true];
    let mut verts = circle(3);
    assert_eq!(assemble(5, &verts, &setup).len(), 1, "clockwise is front");
    setup.settings.front_clockwise = false;
    assert_eq!(assemble(5, &verts, &setup).len(), 0);
    verts[0].pos[3] = (-1f32).to_bits();
    assert_eq!(assemble(5, &verts, &setup).len(), 1, "one w < 0 turns it");
    for v in &mut verts {
        v.pos[3] = (-1f32).to_bits();
    }
    assert_eq!(assemble(5, &verts, &setup).len(), 0, "behind the eye");
}

#[test]
fn parts_make_the_whole() {
    let (setup, verts) = (setup(), circle(23));
    for prim in 1..=10 {
        let whole = assemble(prim, &verts, &setup);
        for cut in 0..verts.len() as u32 {
            let mut prims = Vec::new();
            for (from, to) in [(0, cut), (cut, verts.len() as u32)] {
                let mut out = Out {
                    verts: &verts,
                    settings: &setup.settings,
                    state: &setup.state,
                    draw: 0,
                    multisample: false,
                    prims: &mut prims,
                };
                let mut part = Assm::default();
                part.begin(prim);
                part.skip(0, from);
                (from..to).for_each(|v| part.vertex(v, &mut out));
                if to as usize == verts.len() {
                    part.end(&mut out);
                }
            }
            assert_eq!(orders(&prims), orders(&whole), "{prim}, cut at {cut}");
        }
    }
}
