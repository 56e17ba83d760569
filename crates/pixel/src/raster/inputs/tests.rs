//! Inputs of vertices with a value of its own in every place.

use super::*;
use crate::assm::Settings;
use crate::bundles::UnitBundles;
use crate::raster::{PrimKind, RasterState};
use crate::rop::Rop;
use crate::rop::prepare::Surfaces;
use crate::shader::Shade;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::vertex::VtxOut;
use isotherm_regs::Chip;

const CHIP: Chip = Chip::Nv40;
const TOP: f32 = 65536.0;
/// What no vertex has.
const UNTOUCHED: f32 = 99.0;
const ALL: [u8; INPUTS] = [15; INPUTS];

fn draw() -> Draw {
    let words = UnitBundles::default();
    let surfaces = Surfaces {
        scale: (1, 1),
        ..Surfaces::default()
    };
    let mut raster = RasterState::prepare(CHIP, &words.raster, 0, surfaces.clip, TOP);
    (raster.flat, raster.two_side) = (false, false);
    // Curie's colours have tests of their own.
    raster.byte_colors = false;
    raster.window = Window {
        inverted: None,
        centre: 0.5,
    };
    Draw {
        assm: Settings::default(),
        raster,
        rop: Rop::prepare(CHIP, &words.rop, &surfaces),
        shade: Shade::prepare(
            CHIP,
            &words.shader,
            &words.tex,
            &words.rc,
            [DmaSpan::default(); 2],
        ),
        program: None,
        depth_scale: TOP,
        sets: 0,
        late: false,
        clip_ids: None,
        fast: None,
        cylinder: [[false; 4]; 4],
        samples: Vec::new(),
    }
}

/// Texture coordinates of vertex `n`.
fn tex(n: usize, set: usize, c: usize) -> f32 {
    (1000 * n + 10 * set + c) as f32
}

/// The byte of a colour: two of the front, two of the back.
fn color(n: usize, side: usize, c: usize) -> u8 {
    (60 * n + 10 * side + c) as u8
}

fn vertex(n: usize) -> VtxOut {
    VtxOut {
        pos: [1.0, 2.0, 3.0, [1.0f32, 2.0, 4.0][n]].map(f32::to_bits),
        color: std::array::from_fn(|side| std::array::from_fn(|c| color(n, side, c))),
        fog: (8.0 * n as f32).to_bits(),
        tex: std::array::from_fn(|set| std::array::from_fn(|c| tex(n, set, c).to_bits())),
        ..VtxOut::default()
    }
}

fn vertices() -> Vec<VtxOut> {
    (0..3).map(vertex).collect()
}

fn prim(front: bool) -> Prim {
    Prim {
        kind: PrimKind::Triangle,
        front,
        offset: 0.0,
        draw: 0,
        phase: 0,
        v: [0, 1, 2],
        provoking: 2,
        bounds: [0, 0, 8, 2],
    }
}

/// A quarter, a quarter, a half.
fn mix(v: &[f64; 3]) -> f64 {
    v[0] * 0.25 + v[1] * 0.25 + v[2] * 0.5
}

fn inputs(reads: &[u8; INPUTS], draw: &Draw, prim: &Prim, verts: &[VtxOut], n: usize) -> Inputs {
    let mut inputs = Inputs::default();
    let verts: Verts = verts.iter().copied().collect();
    inputs.fill_in(reads, draw, prim, &verts, n);
    inputs
}

/// The inputs of a block in place.
fn filled(reads: &[u8; INPUTS], draw: &Draw, prim: &Prim, n: usize) -> Frag {
    let inputs = inputs(reads, draw, prim, &vertices(), n);
    let mut frag = Frag {
        x: 16,
        y: 6,
        z: std::array::from_fn(|i| TOP * i as f32 / 16.0),
        ..Frag::default()
    };
    for number in 0..INPUTS {
        for c in 0..4 {
            *frag.program.input(number, c) = [UNTOUCHED; LANES];
        }
    }
    inputs.start(&mut frag);
    inputs.place(draw, &mut frag);
    inputs.fill(&[0.5; LANES], |v| [mix(v); LANES], &mut frag);
    frag
}

/// An input, which all lanes have.
#[track_caller]
fn input_of(frag: &mut Frag, number: usize) -> [f32; 4] {
    [0, 1, 2, 3].map(|c| {
        let lane = *frag.program.input(number, c);
        assert_eq!(lane, [lane[0]; LANES], "input {number}, component {c}");
        lane[0]
    })
}

fn mixed(value: impl Fn(usize) -> f64) -> f32 {
    mix(&[value(0), value(1), value(2)]) as f32
}

fn mixed_color(side: usize) -> [f32; 4] {
    [0, 1, 2, 3].map(|c| mixed(|n| f64::from(color(n, side, c)) / 255.0))
}

#[test]
fn a_triangle() {
    let mut frag = filled(&ALL, &draw(), &prim(true), 3);
    assert_eq!(input_of(&mut frag, input::COLOR), mixed_color(0));
    assert_eq!(input_of(&mut frag, input::COLOR + 1), mixed_color(1));
    assert_eq!(input_of(&mut frag, input::FOG), [10.0, 0.0, 0.0, 0.0]);
    for set in 0..10 {
        let want = [0, 1, 2, 3].map(|c| mixed(|n| tex(n, set, c).into()));
        assert_eq!(input_of(&mut frag, input::TEX + set), want, "set {set}");
    }
    assert_eq!(input_of(&mut frag, input::FACING), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(input_of(&mut frag, 15), [0.0; 4]);
    // 1/w of what lies between 1, 2 and 4.
    let w = *frag.program.input(input::POSITION, 3);
    assert_eq!(w, [1.0 / 2.75; LANES]);
}

#[test]
fn nothing_else_is_touched() {
    let mut reads = [0; INPUTS];
    reads[input::TEX + 2] = 0b0010;
    reads[input::COLOR] = 0b1000;
    let mut frag = filled(&reads, &draw(), &prim(true), 3);
    for number in 0..INPUTS {
        let mut want = [UNTOUCHED; 4];
        match number {
            input::COLOR => want[3] = mixed_color(0)[3],
            6 => want[1] = mixed(|n| tex(n, 2, 1).into()),
            _ => {}
        }
        assert_eq!(input_of(&mut frag, number), want, "input {number}");
    }
}

#[test]
fn sides() {
    let mut draw = draw();
    for (two_side, front, side) in [
        (false, true, 0),
        (false, false, 0),
        (true, true, 0),
        (true, false, 2),
    ] {
        draw.raster.two_side = two_side;
        let mut frag = filled(&ALL, &draw, &prim(front), 3);
        let what = format!("two sides {two_side}, front {front}");
        let first = input_of(&mut frag, input::COLOR);
        assert_eq!(first, mixed_color(side), "{what}");
        let second = input_of(&mut frag, input::COLOR + 1);
        assert_eq!(second, mixed_color(side + 1), "{what}");
        let facing = if front { 1.0 } else { -1.0 };
        let found = input_of(&mut frag, input::FACING);
        assert_eq!(found, [facing, 0.0, 0.0, 1.0], "{what}");
    }
}

#[test]
fn flat_colours_are_those_of_one_vertex() {
    let mut draw = draw();
    draw.raster.flat = true;
    let mut prim = prim(true);
    prim.provoking = 1;
    let mut frag = filled(&ALL, &draw, &prim, 3);
    let want = |side| [0, 1, 2, 3].map(|c| f32::from(color(1, side, c)) / 255.0);
    assert_eq!(input_of(&mut frag, input::COLOR), want(0));
    assert_eq!(input_of(&mut frag, input::COLOR + 1), want(1));
    assert_eq!(input_of(&mut frag, input::FOG)[0], 10.0);
    let s = mixed(|n| tex(n, 0, 0).into());
    assert_eq!(input_of(&mut frag, input::TEX)[0], s);
}

/// The last vertex of a line or a point stands for those that it lacks.
#[test]
fn lines_and_points() {
    for n in [1, 2] {
        let mut frag = filled(&ALL, &draw(), &prim(true), n);
        let at = |i: usize| tex(i.min(n - 1), 3, 1).into();
        assert_eq!(input_of(&mut frag, input::TEX + 3)[1], mixed(at));
        let w = mixed(|i| [1.0, 2.0][i.min(n - 1)]);
        assert_eq!(frag.program.input(input::POSITION, 3)[0], 1.0 / w);
    }
}

/// What is the same at all vertices is not interpolated.
#[test]
fn what_varies() {
    let draw = draw();
    let vary = |number: usize, bits: u8, verts: &[VtxOut]| {
        let mut reads = [0; INPUTS];
        reads[number] = bits;
        inputs(&reads, &draw, &prim(true), verts, 3).vary()
    };
    let mut verts = vertices();
    assert!(vary(input::TEX, 1, &verts));
    assert!(vary(input::COLOR, 1, &verts));
    assert!(vary(input::FOG, 1, &verts));
    assert!(!vary(input::FOG, 0b1110, &verts));
    assert!(!vary(input::FACING, 15, &verts));
    assert!(!vary(input::POSITION, 0b0111, &verts));
    assert!(vary(input::POSITION, 0b1000, &verts));
    for odd in 0..3 {
        for (i, vertex) in verts.iter_mut().enumerate() {
            vertex.tex[0][0] = (if i == odd { 2.0f32 } else { 1.0 }).to_bits();
        }
        assert!(vary(input::TEX, 1, &verts), "vertex {odd} is another");
    }
    verts.iter_mut().for_each(|v| v.tex[0][0] = 5f32.to_bits());
    assert!(!vary(input::TEX, 1, &verts));
    let mut reads = [0; INPUTS];
    reads[input::TEX] = 1;
    let inputs = inputs(&reads, &draw, &prim(true), &verts, 3);
    let mut frag = Frag::default();
    inputs.start(&mut frag);
    assert_eq!(*frag.program.input(input::TEX, 0), [5.0; LANES]);
}

#[test]
fn window_positions() {
    let mut draw = draw();
    for (window, [x, y, down]) in [
        (
            Window {
                inverted: None,
                centre: 0.5,
            },
            [16.5, 6.5, 1.0],
        ),
        (
            Window {
                inverted: None,
                centre: 0.0,
            },
            [16.0, 6.0, 1.0],
        ),
        // Row 0 of 48 is the last one, whose centre lies at 47.5.
        (
            Window {
                inverted: Some(48.0),
                centre: 0.5,
            },
            [16.5, 41.5, -1.0],
        ),
        (
            Window {
                inverted: Some(48.0),
                centre: 0.0,
            },
            [16.0, 41.0, -1.0],
        ),
    ] {
        draw.raster.window = window;
        let mut frag = filled(&ALL, &draw, &prim(true), 3);
        let rows = |value: &dyn Fn(usize) -> f64| to_quads(&std::array::from_fn(value));
        let want = [
            rows(&|i| x + (i % 8) as f64),
            rows(&|i| y + down * (i / 8) as f64),
            rows(&|i| i as f64 / 16.0),
        ];
        for (c, want) in want.iter().enumerate() {
            let found = frag.program.input(input::POSITION, c);
            assert_eq!(found, want, "{window:?}, component {c}");
        }
    }
}

#[test]
fn sprites() {
    let mut frag = filled(&ALL, &draw(), &prim(true), 1);
    let before: Vec<[f32; 4]> = (0..10)
        .map(|set| input_of(&mut frag, input::TEX + set))
        .collect();
    let s = std::array::from_fn(|i| i as f32 / 32.0);
    let t = std::array::from_fn(|i| 1.0 - i as f32 / 32.0);
    let mut state = draw().raster;
    state.sprite = 0x189;
    sprite(&state, &[s, t], &mut frag);
    let rows = |row: &F| to_quads(&row.map(f64::from));
    for set in 0..10 {
        let found = [0, 1, 2, 3].map(|c| *frag.program.input(input::TEX + set, c));
        let want = if matches!(set, 0 | 3 | 7 | 8) {
            [rows(&s), rows(&t), [0.0; LANES], [1.0; LANES]]
        } else {
            before[set].map(|x| [x; LANES])
        };
        assert_eq!(found, want, "set {set}");
    }
    // The third coordinate may be the first once more, or the vertex's.
    for (mode, want) in [
        (SpriteR::S, rows(&s)),
        (SpriteR::Vertex, [UNTOUCHED; LANES]),
    ] {
        state.sprite_r = mode;
        *frag.program.input(input::TEX, 2) = [UNTOUCHED; LANES];
        sprite(&state, &[s, t], &mut frag);
        assert_eq!(*frag.program.input(input::TEX, 2), want, "{mode:?}");
    }
}

/// A set of two components, and a point's in its place.
#[test]
fn sets_of_two_components() {
    let mut draw = draw();
    draw.raster.two_d = 1 << 9;
    let mut frag = filled(&ALL, &draw, &prim(true), 3);
    let [s, t] = [0, 1].map(|c| mixed(|n| tex(n, 9, c).into()));
    let w = mixed(|n| [1.0, 2.0, 4.0][n]);
    assert_eq!(input_of(&mut frag, input::TEX + 9), [s, t, 0.0, w]);
    draw.raster.sprite = 1 << 9;
    sprite(&draw.raster, &[[0.25; LANES], [0.75; LANES]], &mut frag);
    assert_eq!(input_of(&mut frag, input::TEX + 9), [0.25, 0.75, 0.0, w]);
}

#[test]
fn coordinates_around_a_cylinder() {
    // Set 1's t: the way from 0.9 to 0.1 is a fifth of a turn.
    let word = 0b0010 << 4;
    let got = unwrapped(word, input::TEX + 1, 1, [0.9, 0.1, 0.9]);
    let spread = got
        .iter()
        .fold(0f64, |most, x| most.max((x - got[0]).abs()));
    assert!(spread < 0.25, "{got:?}");
    for (number, c) in [(input::TEX + 1, 0), (input::TEX, 1), (input::COLOR, 1)] {
        assert_eq!(unwrapped(word, number, c, [0.9, 0.1, 0.9]), [0.9, 0.1, 0.9]);
    }
}
