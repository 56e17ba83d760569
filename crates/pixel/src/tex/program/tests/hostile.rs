//! Words that nobody should write.

use super::*;

const BUNDLES: [b::Bundle; 10] = [
    b::TEX_OFFSET,
    b::TEX_FORMAT,
    b::TEX_WRAP,
    b::TEX_CONTROL,
    b::TEX_PITCH,
    b::TEX_CONTROL_D,
    b::TEX_FILTER,
    b::TEX_RECT,
    b::TEX_PALETTE,
    b::TEX_BORDER_COLOR,
];

/// Samples a unit somewhere with all lookups.
fn sample_somewhere(setup: &Setup, random: &mut Random) {
    let Some(unit) = setup.unit() else { return };
    let bound = unit.bind(&setup.memory, &mut TexCache::default());
    let mut lane = || [(); LANES].map(|()| f32::from_bits(random.next()));
    let coords = [lane(), lane(), lane(), lane()];
    for lookup in [
        Lookup::Implicit,
        Lookup::Bias(lane()),
        Lookup::Explicit(lane()),
        Lookup::Gradients {
            dx: [lane(), lane(), lane()],
            dy: [lane(), lane(), lane()],
        },
    ] {
        let mut out = [[0.0; LANES]; 4];
        sample(Level::available()[0], &bound, &coords, &lookup, &mut out);
    }
    let longest = 1 << 25;
    assert!(bound.image.texels.len() <= longest);
}

#[test]
fn random_words_do_no_harm() {
    // Seed 4: small sizes mostly, so that decoding takes no time.
    let mut random = Random(4);
    for chip in [Chip::Nv30, Chip::Nv34, Chip::Nv40, Chip::Nv44] {
        let mut setup = Setup::new(chip, 1, [4, 4]);
        for round in 0..600 {
            for bundle in BUNDLES {
                setup.words.take(bundle, 0, random.next());
            }
            setup.set(b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 1);
            if round % 50 != 0 {
                let rect = setup.words.register(b::TEX_RECT, 0).expect("its own") & 0x003f_003f;
                setup.words.take(b::TEX_RECT, 0, rect);
                setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, random.next() % 8);
                if !chip.since(Chip::Nv40) {
                    for f in [
                        b::TEX_FORMAT::SIZE_S,
                        b::TEX_FORMAT::SIZE_T,
                        b::TEX_FORMAT::SIZE_R,
                    ] {
                        setup.set(b::TEX_FORMAT, f, random.next() % 6);
                    }
                }
            }
            sample_somewhere(&setup, &mut random);
        }
    }
}

#[test]
fn too_large_reads_zero() {
    let mut setup = Setup::curie(b::CURIE_TEX_FORMAT::RGBA32F, [8191, 8191]);
    setup.memory.write_u32(ADDR, 1f32.to_bits());
    assert_eq!(setup.at(0.0, 0.0), [0.0; 4]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 15);
    assert_eq!(setup.at(0.0, 0.0), [0.0; 4]);
    let mut setup = Setup::new(Chip::Nv30, 6, [2, 2]);
    for f in [
        b::TEX_FORMAT::SIZE_S,
        b::TEX_FORMAT::SIZE_T,
        b::TEX_FORMAT::SIZE_R,
    ] {
        setup.set(b::TEX_FORMAT, f, 15);
    }
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D3);
    assert_eq!(setup.at(0.0, 0.0), [0.0; 4]);
}

#[test]
fn pitches_and_addresses_that_leave_memory() {
    for pitch in [0, 1, 3, 0x3_ffff] {
        let mut setup = Setup::linear([64, 64], &[grey(7); 64]);
        setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, pitch);
        for addr in [ADDR, 0x0fff_fff0, 0x7fff_fffc, 0xffff_fffc] {
            setup.words.take(b::TEX_OFFSET, 0, addr);
            let out = setup.at(0.99, 0.99);
            assert!(out.iter().all(|x| (0.0..=1.0).contains(x)));
        }
    }
    let mut setup = Setup::linear([64, 64], &[]);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, 0x3_ffff);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D3);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 1023);
    let unit = setup.unit().expect("on");
    assert!(unit.reads().1 <= 1 << 31);
    assert_eq!(setup.at3([0.99; 3]), [0.0; 4]);
}

#[test]
fn swizzled_sizes_that_are_no_powers_of_two_stay_inside() {
    let mut setup = Setup::curie(b::CURIE_TEX_FORMAT::A8R8G8B8, [5, 3]);
    setup.put(0, &[grey(1); 32]);
    for i in 0..15 {
        let (x, y) = (i % 5, i / 5);
        let got = setup.at((x as f32 + 0.5) / 5.0, (y as f32 + 0.5) / 3.0);
        assert_eq!(bytes(got)[0], 1, "{i}");
    }
}
