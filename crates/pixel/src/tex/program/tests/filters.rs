//! Filters within and between levels, and how levels are chosen.

use super::*;

/// An 8x8 image with all levels, level n of grey 40 (n + 1).
fn levels_of_grey(min: u32) -> Setup {
    let mut setup = Setup::curie(b::CURIE_TEX_FORMAT::A8R8G8B8, [8, 8]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 4);
    let mut texels = Vec::new();
    for level in 0..4 {
        texels.extend(vec![grey(40 * (level + 1)); 64 >> (2 * level)]);
    }
    setup.put(0, &texels);
    setup.filter(min, b::MAG_FILTER::NEAREST);
    setup
}

/// Coordinates that step by `dx` and `dy` within quads.
fn quads(start: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> [Lane; 4] {
    let lane = |k: usize| {
        std::array::from_fn(|i| {
            let x = if i & 1 != 0 { dx[k] } else { 0.0 };
            let y = if i & 2 != 0 { dy[k] } else { 0.0 };
            start[k] + x + y
        })
    };
    [lane(0), lane(1), lane(2), [1.0; LANES]]
}

fn red(out: [Lane; 4]) -> i32 {
    assert!(out[0].iter().all(|x| *x == out[0][0]), "{out:?}");
    bytes(out.map(|lane| lane[0]))[0]
}

#[test]
fn every_blend_is_rounded_to_a_byte_and_weights_have_eight_bits() {
    let mut setup = Setup::linear([2, 2], &[grey(0), grey(255), grey(0), grey(255)]);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    let at = |setup: &Setup, s: f32, t: f32| bytes(setup.at(s, t))[0];
    assert_eq!(at(&setup, 0.375, 0.25), 64);
    assert_eq!(at(&setup, 0.375 + 0.0018, 0.25), 64);
    assert_eq!(at(&setup, 0.375 + 1.0 / 512.0, 0.25), 65);
    assert_eq!(at(&setup, 0.375 - 0.001, 0.25), 63);
    // What interpolation lost does not show.
    assert_eq!(at(&setup, 0.375 - 1e-6, 0.25), 64);
    setup.put(0, &[grey(0), grey(1), grey(255), grey(7)]);
    // Rows 0 and 193 (193.5 is cut: 49,536 + 128 is below 194), then 48.
    assert_eq!(at(&setup, 0.375, 0.375), 48);
    // In the very middle there is one rounding: 263 / 4.
    assert_eq!(at(&setup, 0.5, 0.5), 66);
}

#[test]
fn the_nearest_level() {
    let setup = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST);
    for (lod, want) in [
        (-9.0, 40),
        (0.0, 40),
        (0.49, 40),
        (0.5, 80),
        (1.49, 80),
        (1.5, 120),
        (2.5, 160),
        (90.0, 160),
        (f32::INFINITY, 160),
        (f32::NAN, 40),
    ] {
        assert_eq!(bytes(setup.at_lod(0.3, 0.3, lod))[0], want, "{lod}");
    }
}

#[test]
fn two_levels_are_mixed_with_eight_bits() {
    let setup = levels_of_grey(b::MIN_FILTER::LINEAR_MIPMAP_LINEAR);
    for (lod, want) in [
        (0.0, 40.0),
        (0.5, 60.0),
        (1.25, 90.0),
        (1.25 + 1.0 / 300.0, 90.0),
        (1.25 + 1.0 / 256.0, 90.0),
        (1.25 + 4.0 / 256.0, 91.0),
        (2.75, 150.0),
        (3.5, 160.0),
    ] {
        assert_eq!(setup.at_lod(0.3, 0.3, lod)[0], want / 255.0, "{lod}");
    }
}

#[test]
fn without_a_filter_between_levels_only_the_first_is_seen() {
    let mut setup = levels_of_grey(b::MIN_FILTER::NEAREST);
    setup.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0x200);
    assert_eq!(bytes(setup.at_lod(0.3, 0.3, 3.0))[0], 40);
}

#[test]
fn the_footprint_chooses_the_filter() {
    let texels: Vec<u32> = (0..16)
        .map(|i| grey(if i % 4 < 2 { 0 } else { 200 }))
        .collect();
    let mut setup = Setup::linear([4, 4], &texels);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::NEAREST);
    // Between columns 1 and 2.
    assert_eq!(bytes(setup.at_lod(0.5, 0.5, 0.0))[0], 200);
    assert_eq!(bytes(setup.at_lod(0.5, 0.5, 1.0 / 256.0))[0], 100);
    setup.filter(b::MIN_FILTER::NEAREST, b::MAG_FILTER::LINEAR);
    assert_eq!(bytes(setup.at_lod(0.5, 0.5, 0.0))[0], 100);
    assert_eq!(bytes(setup.at_lod(0.5, 0.5, 1.0 / 256.0))[0], 200);
}

#[test]
fn limits_and_biases() {
    let mut setup = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST);
    setup.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0x100);
    setup.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0x200);
    // The driver begins at another level than the first with these.
    for (lod, want) in [(-5.0, 80), (0.3, 80), (1.4, 80), (1.6, 120), (7.0, 120)] {
        assert_eq!(bytes(setup.at_lod(0.3, 0.3, lod))[0], want, "{lod}");
    }
    let mut setup = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST);
    setup.set(b::TEX_FILTER, b::TEX_FILTER::LOD_BIAS, 0x180);
    assert_eq!(bytes(setup.at_lod(0.3, 0.3, 0.5))[0], 120);
    setup.set(b::TEX_FILTER, b::TEX_FILTER::LOD_BIAS, 0x1e80);
    assert_eq!(bytes(setup.at_lod(0.3, 0.3, 2.5))[0], 80);
}

#[test]
fn quads_choose_levels_by_the_longer_side() {
    let unit = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST).bind();
    let texel = 1.0 / 8.0;
    for (dx, dy, want) in [
        ([texel, 0.0], [0.0, texel], 40),
        ([1.4 * texel, 0.0], [0.0, texel], 40),
        ([1.42 * texel, 0.0], [0.0, texel], 80),
        ([0.0, texel], [-2.0 * texel, 0.0], 80),
        // sqrt(2.2² + 1.8²) = 2.842…: just above 2^1.5.
        ([2.2 * texel, 1.8 * texel], [0.0, 0.0], 120),
        ([2.2 * texel, 1.75 * texel], [0.0, 0.0], 80),
        ([0.0, 0.0], [0.0, 8.0 * texel], 160),
        ([0.0, 0.0], [0.0, 0.0], 40),
    ] {
        let coords = quads([0.1; 3], [dx[0], dx[1], 9.0], [dy[0], dy[1], 9.0]);
        assert_eq!(
            red(all(&unit, &coords, Lookup::Implicit)),
            want,
            "{dx:?} {dy:?}"
        );
    }
}

#[test]
fn each_quad_has_its_own_level() {
    let unit = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST).bind();
    let mut coords = [[0.0; LANES]; 4];
    for i in 0..LANES {
        coords[0][i] = (i & 1) as f32 * ((i / 4) as f32).exp2() / 8.0;
    }
    let out = all(&unit, &coords, Lookup::Implicit);
    for i in 0..LANES {
        let want = 40 * (1 + i as i32 / 4);
        assert_eq!((out[0][i] * 255.0).round() as i32, want, "{i}");
    }
}

#[test]
fn the_differences_of_a_quad_are_means() {
    let unit = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST).bind();
    // The upper row steps by one texel, the lower by two: 1.5 is more than sqrt(2).
    let s = std::array::from_fn(|i| [0.0, 1.0, 0.0, 2.0][i & 3] / 8.0);
    let coords = [s, [0.0; LANES], [0.0; LANES], [1.0; LANES]];
    assert_eq!(red(all(&unit, &coords, Lookup::Implicit)), 80);
}

#[test]
fn instructions_bias_and_give_derivatives() {
    let unit = levels_of_grey(b::MIN_FILTER::NEAREST_MIPMAP_NEAREST).bind();
    let coords = quads([0.1; 3], [1.0 / 8.0, 0.0, 0.0], [0.0; 3]);
    let bias: Lane = std::array::from_fn(|i| [0.0, 1.0, 2.0, 3.0][i & 3]);
    let out = all(&unit, &coords, Lookup::Bias(bias));
    let got: [i32; 4] = std::array::from_fn(|i| (out[0][i] * 255.0).round() as i32);
    assert_eq!(got, [40, 80, 120, 160]);
    let same = |x: f32| [x; LANES];
    for (dx, dy, want) in [
        (0.125, 0.0, 40),
        (0.0, 0.25, 80),
        (0.5, 0.25, 120),
        (0.0, 0.0, 40),
    ] {
        let lookup = Lookup::Gradients {
            dx: [same(dx), same(0.0), same(7.0)],
            dy: [same(0.0), same(dy), same(7.0)],
        };
        assert_eq!(red(all(&unit, &coords, lookup)), want, "{dx} {dy}");
    }
}

#[test]
fn levels_have_their_own_texels_and_sizes() {
    let mut setup = Setup::curie(b::CURIE_TEX_FORMAT::A8R8G8B8, [4, 2]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    setup.filter(
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST,
        b::MAG_FILTER::NEAREST,
    );
    let texels: Vec<u32> = (0..11).map(|i| grey(20 * i)).collect();
    setup.put(0, &texels);
    // Morton: columns 2 and 3 follow the first 2x2 block.
    assert_eq!(bytes(setup.at_lod(0.6, 0.8, 0.0))[0], 120);
    assert_eq!(bytes(setup.at_lod(0.6, 0.8, 1.0))[0], 180);
    assert_eq!(bytes(setup.at_lod(0.1, 0.8, 1.0))[0], 160);
    assert_eq!(bytes(setup.at_lod(0.6, 0.8, 2.0))[0], 200);
}

#[test]
fn anisotropy_keeps_the_level_of_the_shorter_side() {
    let mut setup = levels_of_grey(b::MIN_FILTER::LINEAR_MIPMAP_NEAREST);
    let coords = quads([0.1; 3], [0.5, 0.0, 0.0], [0.0, 0.125, 0.0]);
    assert_eq!(red(all(&setup.bind(), &coords, Lookup::Implicit)), 120);
    setup.set(
        b::TEX_CONTROL,
        b::TEX_CONTROL::CURIE_ANISOTROPY,
        b::CURIE_ANISOTROPY::X2,
    );
    assert_eq!(red(all(&setup.bind(), &coords, Lookup::Implicit)), 80);
    setup.set(
        b::TEX_CONTROL,
        b::TEX_CONTROL::CURIE_ANISOTROPY,
        b::CURIE_ANISOTROPY::X16,
    );
    assert_eq!(red(all(&setup.bind(), &coords, Lookup::Implicit)), 40);
}

#[test]
fn anisotropic_probes_lie_along_the_longer_side() {
    // One white column of eight, seen through a footprint of four columns.
    let texels: Vec<u32> = (0..64)
        .map(|i| grey(if i % 8 == 4 { 240 } else { 0 }))
        .collect();
    let mut setup = Setup::linear([8, 8], &texels);
    setup.set(
        b::TEX_CONTROL,
        b::TEX_CONTROL::CURIE_ANISOTROPY,
        b::CURIE_ANISOTROPY::X4,
    );
    let dx = [[0.5; LANES], [0.0; LANES], [0.0; LANES]];
    let dy = [[0.0; LANES], [0.125; LANES], [0.0; LANES]];
    let at = |s: f32| {
        let coords = [[s; LANES], [0.5; LANES], [0.0; LANES], [1.0; LANES]];
        red(all(&setup.bind(), &coords, Lookup::Gradients { dx, dy }))
    };
    // Four probes a texel apart: centres at s ± 0.5 and ± 1.5 texels.
    assert_eq!(at(4.0 / 8.0), 60);
    assert_eq!(at(6.0 / 8.0), 60);
    assert_eq!(at(6.7 / 8.0), 0);
    assert_eq!(at(2.3 / 8.0), 0);
}
