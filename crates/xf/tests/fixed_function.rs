//! All vector levels give the same bits, and the fixed-function unit does what
//! the goldens proved.

use isotherm_bus::vertex::VtxIn;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_xf::xf::bench::Case;
use isotherm_xf::xf::{Xf, level_check};

/// The whole million is `cargo xtask vectors`.
#[test]
fn every_level_gives_the_same_bits() {
    for chip in [Chip::Nv10, Chip::Nv17, Chip::Nv2a, Chip::Nv34, Chip::Nv40] {
        level_check::fixed_function(chip, 0, 40, 13).unwrap();
    }
}

/// Pieces of a batch that threads take are the batch, whatever was in the way before.
#[test]
fn pieces_are_the_whole() {
    let mut r = Random::new(0x5ead);
    for case in Case::ALL {
        let (mut xf, vertices) = case.prepare(77);
        let mut want = Vec::new();
        xf.run(&vertices, &mut want);
        let mut got = vec![want[usize::from(r.next_u32() as u8) % 77]; 77];
        let unit = xf.snapshot().expect("nothing writes the context");
        std::thread::scope(|scope| {
            for (v, o) in vertices.chunks(13).zip(got.chunks_mut(13)) {
                scope.spawn(move || unit.run(None, v, o));
            }
        });
        assert_eq!(got, want, "{case:?}");
    }
}

fn identity(xf: &mut Xf) {
    let one = 0x3f80_0000;
    for base in [0x00, 0x08, 0x0c] {
        for i in 0..4 {
            xf.state_mut().xfctx[base + i] = [0; 4];
            xf.state_mut().xfctx[base + i][i] = one;
        }
    }
}

fn vertex() -> VtxIn {
    let one = 0x3f80_0000;
    VtxIn {
        attr: [[0, 0, 0, one]; 16],
        edge_flag: true,
    }
}

/// Scalars of lighting are rounded to 22 bits; Celsius' know no denormals and no signs of infinity.
#[test]
fn scalars_of_lighting_by_family() {
    let loaded = |chip: Chip, word: u32| {
        let mut xf = Xf::new(chip);
        xf.command(12, 3 << 4, 1, word, 0);
        xf.state().ltc[1][3]
    };
    for (word, celsius, later) in [
        (0x3f80_0200, 0x3f80_0400, 0x3f80_0400),
        (0x0000_0800, 0, 0x0000_0800),
        (0xff80_0000, 0x7f80_0000, 0xff80_0000),
    ] {
        assert_eq!(loaded(Chip::Nv10, word), celsius, "{word:08x}");
        assert_eq!(loaded(Chip::Nv2a, word), later, "{word:08x}");
        assert_eq!(loaded(Chip::Nv34, word), later, "{word:08x}");
    }
}

/// Celsius' objects on Kelvin: the position is in the window already and only moves.
#[test]
fn bypass_moves_the_position_by_the_viewports_offset() {
    use isotherm_regs::xf::mode::{XF_MODE, XFMODE_B};
    let mut xf = Xf::new(Chip::Nv2a);
    let mode = XFMODE_B::MODE.with(Chip::Nv2a, 0, XF_MODE::BYPASS);
    xf.command(7, 0, 3, mode, 0);
    xf.state_mut().xfctx[0x3b] = [1.0f32, 2.0, 3.0, 100.0].map(f32::to_bits);
    let mut v = vertex();
    v.attr[0] = [10.0f32, 20.0, 30.0, 0.5].map(f32::to_bits);
    let mut out = Vec::new();
    xf.run(&[v], &mut out);
    assert_eq!(out[0].pos.map(f32::from_bits), [11.0, 22.0, 33.0, 0.5]);
}

#[test]
fn commands_load_rows_when_complete() {
    let mut xf = Xf::new(Chip::Nv2a);
    xf.command(9, 0x3b0, 1, 1, 1);
    xf.command(9, 0x3b4, 2, 2, 2);
    xf.command(9, 0x3b8, 1, 3, 3);
    assert_eq!(xf.state().xfctx[0x3b], [0; 4]);
    xf.command(9, 0x3bc, 2, 4, 4);
    assert_eq!(xf.state().xfctx[0x3b], [1, 2, 3, 4]);
    // LTCTX takes three words, rounded to 22 bits.
    xf.command(10, 0x410, 3, 0x3f80_0200, 0x3f80_01ff);
    xf.command(10, 0x418, 1, 0x3f80_0000, 0);
    assert_eq!(
        xf.state().ltctx[0x41],
        [0x3f80_0400, 0x3f80_0000, 0x3f80_0000]
    );
    // Rows that do not exist are ignored.
    xf.command(9, 0xfffc, 2, 0, 0);
    xf.command(14, 0xfff0, 1, 0, 0);
}

#[test]
fn perspective_divides_by_the_units_reciprocal() {
    let mut xf = Xf::new(Chip::Nv2a);
    identity(&mut xf);
    let mut v = vertex();
    v.attr[0] = [6.0f32, 3.0, 1.5, 3.0].map(f32::to_bits);
    let mut out = Vec::new();
    xf.run(&[v], &mut out);
    // RCC(3) is one below the nearest float, and products are cut.
    let [x, y, z, w] = out[0].pos.map(f32::from_bits);
    assert_eq!(w, 3.0);
    assert!(x < 2.0 && x > 1.9999, "{x}");
    assert!(y < 1.0 && z < 0.5, "{y} {z}");
}

#[test]
fn unlit_colors_pass_and_secondary_follows_its_switches() {
    let mut xf = Xf::new(Chip::Nv2a);
    identity(&mut xf);
    let mut v = vertex();
    v.attr[3] = [0.1f32, 1.0, 2.0, -1.0].map(f32::to_bits);
    v.attr[4] = [0.5f32, 0.25, 0.0, 0.5].map(f32::to_bits);
    for (mode, want) in [
        (0, [0, 0, 0, 255]),
        (1 << 16, [128, 64, 0, 255]),
        (1 << 16 | 1 << 17, [128, 64, 0, 128]),
    ] {
        xf.command(7, 0, 3, 0, mode);
        let mut out = Vec::new();
        xf.run(&[v], &mut out);
        assert_eq!(out[0].color[0], [25, 255, 255, 0]);
        assert_eq!(out[0].color[1], want);
        assert_eq!(out[0].color[2], [0, 0, 0, 255]);
    }
}

#[test]
fn material_factor_scales_the_tracked_color() {
    // Emission and ambient both from the primary colour: e + a × factor.
    let mut xf = Xf::new(Chip::Nv2a);
    identity(&mut xf);
    let s = xf.state_mut();
    s.ltctx[0x41] = [0.25f32.to_bits(); 3];
    s.ltctx[0x43] = [0.5f32.to_bits(); 3];
    let mut v = vertex();
    v.attr[3] = [0.5f32; 4].map(f32::to_bits);
    for (sources, want) in [(0, 64), (1 << 25, 128), (1 << 23, 128), (5 << 23, 191)] {
        xf.command(7, 0, 3, 0, 1 << 31 | sources);
        let mut out = Vec::new();
        xf.run(&[v], &mut out);
        assert_eq!(out[0].color[0][0], want, "{sources:x}");
    }
}

#[test]
fn odd_weight_modes_make_the_last_weight() {
    let mut xf = Xf::new(Chip::Nv2a);
    identity(&mut xf);
    // The second matrix doubles.
    for i in 0..4 {
        xf.state_mut().xfctx[0x10 + i] = [0; 4];
        xf.state_mut().xfctx[0x10 + i][i] = if i == 3 { 1.0f32 } else { 2.0 }.to_bits();
    }
    let mut v = vertex();
    v.attr[0] = [4.0f32, 4.0, 4.0, 1.0].map(f32::to_bits);
    v.attr[1] = [0.25f32, 0.5, 0.0, 0.0].map(f32::to_bits);
    for (mode, want) in [(1, 7.0), (2, 5.0)] {
        xf.command(7, 0, 3, mode << 26, 0);
        let mut out = Vec::new();
        xf.run(&[v], &mut out);
        let w = f32::from_bits(out[0].pos[3]);
        // The unit cuts its products and its reciprocal, so the way back misses the last bit.
        let x = f32::from_bits(out[0].pos[0]) * w;
        assert!((x - want).abs() < 1e-5, "mode {mode}: {x}");
    }
}

#[test]
fn a_watched_vertex_is_the_vertex() {
    let (mut xf, vertices) = Case::Lit.prepare(9);
    let mut want = Vec::new();
    xf.run(&vertices, &mut want);
    let (seen, out) = xf.observe(&vertices[5]).expect("fixed function is on");
    assert_eq!(out, want[5]);
    let values = |what| {
        let found = seen.iter().find(|seen| seen.what == what);
        found.map(|seen| (seen.index, seen.values.len()))
    };
    assert_eq!(values("normal"), Some((None, 3)));
    assert_eq!(values("diffuse factor"), Some((Some(0), 1)));
    assert_eq!(values("texture coordinates"), Some((Some(0), 4)));
    let clip = seen.iter().find(|seen| seen.what == "clip position");
    assert_eq!(clip.map(|seen| seen.values[3]), Some(out.pos[3]));
}
