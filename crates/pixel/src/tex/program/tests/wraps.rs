//! What happens outside the image.

use super::*;

/// A row of four greys, 40, 80, 120, 160, and a border of 200.
fn row(mode: u32, linear: bool) -> Setup {
    let mut setup = Setup::linear([4, 1], &[grey(40), grey(80), grey(120), grey(160)]);
    setup.wrap([mode, 3, 3]);
    setup.words.take(b::TEX_BORDER_COLOR, 0, grey(200));
    if linear {
        setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    }
    setup
}

#[test]
fn nearest_texels_of_every_mode() {
    // Texels -5 to 8.
    for (mode, want) in [
        (
            1,
            [
                160, 40, 80, 120, 160, 40, 80, 120, 160, 40, 80, 120, 160, 40,
            ],
        ),
        (
            2,
            [
                160, 160, 120, 80, 40, 40, 80, 120, 160, 160, 120, 80, 40, 40,
            ],
        ),
        (
            3,
            [
                40, 40, 40, 40, 40, 40, 80, 120, 160, 160, 160, 160, 160, 160,
            ],
        ),
        (
            4,
            [
                200, 200, 200, 200, 200, 40, 80, 120, 160, 200, 200, 200, 200, 200,
            ],
        ),
        (
            5,
            [
                40, 40, 40, 40, 40, 40, 80, 120, 160, 160, 160, 160, 160, 160,
            ],
        ),
        (
            6,
            [
                160, 160, 120, 80, 40, 40, 80, 120, 160, 160, 160, 160, 160, 160,
            ],
        ),
        (
            7,
            [
                200, 160, 120, 80, 40, 40, 80, 120, 160, 200, 200, 200, 200, 200,
            ],
        ),
        (
            8,
            [
                160, 160, 120, 80, 40, 40, 80, 120, 160, 160, 160, 160, 160, 160,
            ],
        ),
    ] {
        let setup = row(mode, false);
        let got: Vec<i32> = (-5..9)
            .map(|i| bytes(setup.at((i as f32 + 0.5) / 4.0, 0.5))[0])
            .collect();
        assert_eq!(got, want, "{mode}");
    }
}

#[test]
fn linear_filters_at_the_edges() {
    // A quarter texel left of the image's edge, on it, and right of the other.
    for (mode, want) in [
        (1, [130, 100, 70]),
        (2, [40, 40, 160]),
        (3, [40, 40, 160]),
        (4, [160, 120, 190]),
        // The coordinate stops at the edge: half of the border.
        (5, [120, 120, 180]),
        (6, [40, 40, 160]),
        (7, [40, 40, 190]),
        (8, [40, 40, 180]),
    ] {
        let setup = row(mode, true);
        let got = [-0.25, 0.0, 4.25].map(|x: f32| bytes(setup.at(x / 4.0, 0.5))[0]);
        assert_eq!(got, want, "{mode}");
    }
}

#[test]
fn rankine_counts_its_modes_from_one_and_curie_from_zero() {
    for chip in [Chip::Nv30, Chip::Nv34, Chip::Nv35, Chip::Nv40, Chip::Nv44] {
        let code = if chip.since(Chip::Nv40) {
            b::CURIE_TEX_FORMAT::A8R8G8B8
        } else {
            b::TEX_FORMAT_COLOR::A8R8G8B8
        };
        let mut setup = Setup::new(chip, code, [2, 1]);
        setup.put(0, &[grey(10), grey(20)]);
        for (mode, want) in [(1, 10), (2, 20), (3, 20)] {
            setup.wrap([mode; 3]);
            assert_eq!(bytes(setup.at(1.25, 0.5))[0], want, "{chip:?} {mode}");
        }
    }
}

#[test]
fn sizes_that_are_no_power_of_two() {
    let texels: Vec<u32> = (0..15).map(|i| grey(10 * i)).collect();
    let mut setup = Setup::linear([5, 3], &texels);
    let column = |setup: &Setup, i: i32| bytes(setup.at((i as f32 + 0.5) / 5.0, 0.5))[0] / 10 - 5;
    for i in -12..20 {
        setup.wrap([1, 3, 3]);
        assert_eq!(column(&setup, i), i.rem_euclid(5), "{i}");
        setup.wrap([2, 3, 3]);
        let j = i.rem_euclid(10);
        assert_eq!(column(&setup, i), j.min(9 - j), "{i}");
        setup.wrap([3, 3, 3]);
        assert_eq!(column(&setup, i), i.clamp(0, 4), "{i}");
    }
    // Between the last column and the first, between the last row and the first.
    setup.wrap([1, 1, 1]);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    assert_eq!(bytes(setup.at(0.0, 0.5))[0], 70);
    assert_eq!(bytes(setup.at(0.5, 1.0))[0], 70);
}

#[test]
fn the_lanes_and_single_pixels_agree_on_random_places() {
    // Seed 77: coordinates far and near, ties, and what is no number.
    let mut random = Random(77);
    for (w, h) in [(8, 4), (5, 3), (1, 1), (7, 16)] {
        let texels: Vec<u32> = (0..2 * w * h + w).map(|_| random.next()).collect();
        let mut setup = Setup::linear([w, h], &texels);
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
        for round in 0..200 {
            let mut mode = || 1 + random.next() % 8;
            setup.wrap([mode(), mode(), 3]);
            setup.words.take(b::TEX_BORDER_COLOR, 0, 0x1234_5678);
            let (min, mag) = (1 + random.next() % 6, 1 + random.next() % 2);
            setup.filter(min, mag);
            let unit = setup.bind();
            assert!(unit.unit.flat);
            let mut coord = || match random.next() % 8 {
                0 => f32::from_bits(random.next()),
                1 => [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, -1e-9, 1e9]
                    [random.next() as usize % 8],
                2 => (random.next() % 64) as f32 / 16.0 - 2.0,
                _ => random.unit() * 6.0 - 3.0,
            };
            let mut lane = || [(); LANES].map(|()| coord());
            let coords = [lane(), lane(), lane(), lane()];
            let lookup = match round % 4 {
                0 => Lookup::Implicit,
                1 => Lookup::Bias(lane()),
                2 => Lookup::Explicit(lane()),
                _ => Lookup::Gradients {
                    dx: [lane(), lane(), lane()],
                    dy: [lane(), lane(), lane()],
                },
            };
            let out = all(&unit, &coords, lookup);
            assert!(
                out.iter().flatten().all(|x| (0.0..=1.0).contains(x)),
                "{round}"
            );
        }
    }
}
