//! What texels of each format are, and what happens to them behind the filter.

use super::*;
use b::{CURIE_TEX_FORMAT as C, TEX_FORMAT_COLOR as R};

/// One texel of a format.
fn texel(chip: Chip, code: u32, raw: &[u8]) -> Setup {
    let mut setup = Setup::new(chip, code, [1, 1]);
    if !chip.since(Chip::Nv40) {
        setup.set(b::TEX_PITCH, b::TEX_PITCH::PITCH, 64);
    }
    setup.put_bytes(0, raw);
    setup
}

fn of_255([r, g, b, a]: [u32; 4]) -> [f32; 4] {
    [r, g, b, a].map(|x| x as f32 / 255.0)
}

#[test]
fn bytes_and_less() {
    let cases = [
        (Some(C::L8), Some(R::L8), 0x5a, [0x5a, 0x5a, 0x5a, 255]),
        (None, Some(R::I8), 0x5a, [0x5a; 4]),
        (None, Some(R::A8), 0x5a, [255, 255, 255, 0x5a]),
        (None, Some(R::A8L8), 0x125a, [0x5a, 0x5a, 0x5a, 0x12]),
        (Some(C::A8L8), None, 0x125a, [0x5a, 0x12, 0x5a, 0x12]),
        (
            Some(C::A1R5G5B5),
            Some(R::A1R5G5B5),
            0xc555,
            [0x8c, 0x52, 0xad, 255],
        ),
        (
            Some(C::X1R5G5B5),
            Some(R::X1R5G5B5),
            0x4555,
            [0x8c, 0x52, 0xad, 255],
        ),
        (
            Some(C::R5G5B5A1),
            Some(R::R5G5B5A1),
            0x8aab,
            [0x8c, 0x52, 0xad, 255],
        ),
        (
            Some(C::A4R4G4B4),
            Some(R::A4R4G4B4),
            0x1234,
            [0x22, 0x33, 0x44, 0x11],
        ),
        (
            Some(C::R5G6B5),
            Some(R::R5G6B5),
            0x8d55,
            [0x8c, 0xaa, 0xad, 255],
        ),
        (
            Some(C::R6G5B5),
            Some(R::R6G5B5),
            0xaa35,
            [0xaa, 0x8c, 0xad, 255],
        ),
        (
            Some(C::A8R8G8B8),
            Some(R::A8R8G8B8),
            0x1234_5678,
            [0x34, 0x56, 0x78, 0x12],
        ),
        (
            Some(C::X8R8G8B8),
            Some(R::X8R8G8B8),
            0x1234_5678,
            [0x34, 0x56, 0x78, 255],
        ),
        (
            None,
            Some(R::A8B8G8R8),
            0x1234_5678,
            [0x78, 0x56, 0x34, 0x12],
        ),
        (
            None,
            Some(R::A8R8G8B8_RECT),
            0x1234_5678,
            [0x34, 0x56, 0x78, 0x12],
        ),
    ];
    for (curie, rankine, raw, want) in cases {
        let raw: u32 = raw;
        for (chip, code) in [(Chip::Nv40, curie), (Chip::Nv34, rankine)] {
            let Some(code) = code else { continue };
            let got = texel(chip, code, &raw.to_le_bytes()).at(0.5, 0.5);
            assert_eq!(got, of_255(want), "{chip:?} {code:#x}");
        }
    }
}

#[test]
fn pairs_share_two_components() {
    for (code, want) in [
        (
            C::B8R8_G8R8,
            [[0x78, 0x56, 0x12, 255], [0x34, 0x56, 0x12, 255]],
        ),
        (
            C::R8B8_R8G8,
            [[0x56, 0x78, 0x34, 255], [0x12, 0x78, 0x34, 255]],
        ),
    ] {
        let mut setup = Setup::curie(code, [2, 1]);
        setup.put(0, &[0x1234_5678]);
        for (i, want) in want.into_iter().enumerate() {
            assert_eq!(
                setup.at(0.25 + 0.5 * i as f32, 0.5),
                of_255(want),
                "{code:#x}"
            );
        }
    }
}

#[test]
fn sixteen_bits() {
    let [hi, lo, byte] = [0x1234, 0x5678, 0x1212].map(|x| x as f32 / 65535.0);
    for (chip, code, raw, want) in [
        (Chip::Nv40, C::A16L16, 0x1234_5678, [hi, lo, hi, byte]),
        (Chip::Nv30, R::HILO16, 0x1234_5678, [hi, lo, lo, hi]),
        (Chip::Nv30, R::HILO16_RECT, 0x1234_5678, [hi, lo, lo, hi]),
        (Chip::Nv40, C::A16, 0x5678, [1.0, lo, 1.0, 1.0]),
        (Chip::Nv30, R::Y16, 0x5678, [1.0, lo, lo, 1.0]),
        (Chip::Nv40, C::HILO8, 0xff33, [1.0, 0.2, 1.0, 1.0]),
        (Chip::Nv40, C::SIGNED_HILO8, 0x7f81, [1.0, -1.0, 1.0, 1.0]),
    ] {
        let raw: u32 = raw;
        assert_eq!(
            texel(chip, code, &raw.to_le_bytes()).at(0.5, 0.5),
            want,
            "{code:#x}"
        );
    }
}

#[test]
fn floats() {
    let halves: Vec<u8> = [0x3c00u16, 0xc100, 0x0001, 0x7bff]
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let wide = [1.0, -2.5, 2f32.powi(-24), 65504.0];
    let singles: Vec<u8> = [0.1f32, -7.0, 1e30, 0.25]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    let four = [0.1, -7.0, 1e30, 0.25];
    let one = [0.1, 0.0, 0.0, 1.0];
    for (chip, code, raw, want) in [
        (Chip::Nv40, C::RGBA16F, &halves, wide),
        (Chip::Nv30, R::RGBA16F_RECT, &halves, wide),
        (Chip::Nv40, C::RG16F, &halves, [1.0, -2.5, 1.0, -2.5]),
        (Chip::Nv40, C::RGBA32F, &singles, four),
        (Chip::Nv30, R::RGBA32F_RECT, &singles, four),
        (Chip::Nv40, C::R32F, &singles, one),
        (Chip::Nv30, R::R32F_RECT, &singles, one),
    ] {
        assert_eq!(
            texel(chip, code, raw).at(0.5, 0.5),
            want,
            "{chip:?} {code:#x}"
        );
    }
}

#[test]
fn half_floats_are_filtered_and_singles_are_not() {
    let halves: Vec<u8> = [0x4000u16, 0, 0, 0, 0x4500, 0, 0, 0]
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut setup = Setup::curie(C::RGBA16F, [2, 1]);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    setup.wrap([3; 3]);
    setup.put_bytes(0, &halves);
    assert_eq!(setup.at(0.375, 0.5)[0], 2.75);
    let mut setup = Setup::curie(C::R32F, [2, 1]);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    setup.wrap([3; 3]);
    setup.put(0, &[2f32.to_bits(), 5f32.to_bits()]);
    assert_eq!(setup.at(0.375, 0.5)[0], 2.0);
    assert_eq!(setup.at(0.625, 0.5)[0], 5.0);
}

#[test]
fn every_half_is_a_single() {
    use crate::tex::format::half_to_single;
    for h in 0..=u16::MAX {
        let got = f32::from_bits(half_to_single(h));
        let (e, m) = (i32::from(h >> 10 & 31), f64::from(h & 1023));
        let magnitude = match e {
            0 => m * 2f64.powi(-24),
            31 if m == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1024.0 + m) * 2f64.powi(e - 25),
        };
        let want = if h >> 15 != 0 { -magnitude } else { magnitude };
        assert!(
            f64::from(got) == want || want.is_nan() && got.is_nan(),
            "{h:#x}"
        );
        assert_eq!(got.is_sign_negative(), h >> 15 != 0, "{h:#x}");
    }
}

#[test]
fn compressed_blocks() {
    // Red and blue; the first row picks both and the two between.
    let block = [0x00, 0xf8, 0x1f, 0x00, 0b1110_0100, 0, 0, 0];
    let mut long = [0u8; 16];
    long[8..].copy_from_slice(&block);
    let mut alphas = long;
    alphas[0] = 0x90;
    for (curie, rankine, raw, want) in [
        (C::DXT1, R::DXT1, &block[..], [0xaa, 0, 0x55, 255]),
        (C::DXT3, R::DXT3, &long[..], [0xaa, 0, 0x55, 0]),
        (C::DXT5, R::DXT5, &alphas[..], [0xaa, 0, 0x55, 0x90]),
    ] {
        for (chip, code) in [(Chip::Nv40, curie), (Chip::Nv34, rankine)] {
            let mut setup = Setup::new(chip, code, [4, 4]);
            setup.put_bytes(0, raw);
            assert_eq!(setup.at(0.625, 0.1), of_255(want), "{chip:?} {code:#x}");
        }
    }
}

#[test]
fn a_palette() {
    let mut setup = texel(Chip::Nv30, R::INDEX8, &[3]);
    setup.words.take(b::TEX_PALETTE, 0, 0x4000);
    setup.memory.write_u32(0x4000 + 12, 0x1234_5678);
    assert_eq!(setup.at(0.5, 0.5), of_255([0x34, 0x56, 0x78, 0x12]));
}

#[test]
fn yuv_is_converted_on_rankine() {
    let got = texel(Chip::Nv30, R::YUY2_RECT, &[235, 128, 16, 128]).at(0.5, 0.5);
    let want = crate::tex::format::yuv_to_rgb([235, 128, 128, 255]);
    assert_eq!(got, want.map(|x| x as f32 / 255.0));
}

#[test]
fn unknown_formats_are_no_units() {
    for (chip, codes) in [
        (Chip::Nv40, &[0x00, 0x09, 0x0a, 0x0c, 0x16][..]),
        (Chip::Nv30, &[0x0d, 0x18, 0x48, 0x4d, 0x7f][..]),
    ] {
        for &code in codes {
            assert!(Setup::new(chip, code, [4, 4]).unit().is_none(), "{code:#x}");
        }
    }
    let mut setup = Setup::curie(C::L8, [4, 4]);
    assert!(setup.unit().is_some());
    setup.set(b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 0);
    assert!(setup.unit().is_none());
    assert!(Setup::curie(C::L8, [0, 4]).unit().is_none());
    assert!(Setup::curie(C::L8, [4, 0]).unit().is_none());
}

/// The low sixteen bits of the swizzle word, as the driver makes them: for each of R, G, B
/// and A what it takes (0, 1 or a component) and of which component.
fn driver_swizzle(outputs: [&str; 4]) -> u32 {
    let code = |c: char| match c {
        'R' => 0x201,
        'G' => 0x202,
        'B' => 0x203,
        'A' => 0x200,
        '1' => 0x100,
        _ => 0x000,
    };
    let shifts = [2, 4, 6, 0];
    outputs.iter().zip(shifts).fold(0, |word, (out, shift)| {
        word | code(out.chars().next().expect("a letter")) << shift
    })
}

#[test]
fn swizzles() {
    assert_eq!(driver_swizzle(["R", "G", "B", "A"]), IDENTITY);
    for chip in [Chip::Nv34, Chip::Nv40] {
        let code = if chip == Chip::Nv40 {
            C::A8R8G8B8
        } else {
            R::A8R8G8B8
        };
        let mut setup = texel(chip, code, &0x8011_2233u32.to_le_bytes());
        // A pitch in the same word of Rankine changes nothing.
        let high = if chip == Chip::Nv40 { 0 } else { 0xffff_0000 };
        for (outputs, want) in [
            (["R", "G", "B", "A"], [0x11, 0x22, 0x33, 0x80]),
            (["B", "G", "R", "A"], [0x33, 0x22, 0x11, 0x80]),
            (["B", "B", "B", "1"], [0x33, 0x33, 0x33, 255]),
            (["0", "0", "0", "B"], [0, 0, 0, 0x33]),
            (["A", "A", "A", "A"], [0x80; 4]),
            (["B", "A", "0", "1"], [0x33, 0x80, 0, 255]),
            (["1", "R", "0", "G"], [255, 0x11, 0, 0x22]),
        ] {
            setup
                .words
                .take(b::TEX_PITCH, 0, high | driver_swizzle(outputs));
            assert_eq!(setup.at(0.5, 0.5), of_255(want), "{outputs:?}");
        }
    }
}

#[test]
fn signed_components_and_spread_ones() {
    let mut setup = texel(Chip::Nv40, C::A8R8G8B8, &[0x80, 0x81, 0x7f, 0x33]);
    for f in [
        b::TEX_FILTER::SIGNED_R,
        b::TEX_FILTER::SIGNED_G,
        b::TEX_FILTER::SIGNED_B,
    ] {
        setup.set(b::TEX_FILTER, f, 1);
    }
    assert_eq!(setup.at(0.5, 0.5), [1.0, -1.0, -1.0, 0.2]);
    let mut setup = texel(Chip::Nv40, C::A8R8G8B8, &[0, 51, 255, 255]);
    setup.set(b::TEX_WRAP, b::TEX_WRAP::EXPAND_NORMAL, 1);
    let [r, g, b, a] = setup.at(0.5, 0.5);
    assert_eq!([r, b, a], [1.0, -1.0, 1.0]);
    assert!((g + 0.6).abs() < 1e-6, "{g}");
}

#[test]
fn srgb_texels_become_linear_before_the_filter() {
    let mut setup = texel(Chip::Nv40, C::A8R8G8B8, &[255, 188, 10, 188]);
    setup.set(b::TEX_WRAP, b::TEX_WRAP::GAMMA_DECREASE_FILTER, 7);
    let [r, g, b, a] = setup.at(0.5, 0.5);
    assert!((r - 10.0 / 255.0 / 12.92).abs() < 1e-7, "{r}");
    assert!((g - 0.502_886_5).abs() < 1e-5, "{g}");
    assert_eq!([b, a], [1.0, 188.0 / 255.0]);
    // Green alone.
    setup.set(b::TEX_WRAP, b::TEX_WRAP::GAMMA_DECREASE_FILTER, 2);
    let got = setup.at(0.5, 0.5);
    assert_eq!([got[0], got[1], got[2]], [10.0 / 255.0, g, 1.0]);
    let mut setup = Setup::linear([2, 1], &[grey(0), grey(255)]);
    setup.set(b::TEX_WRAP, b::TEX_WRAP::GAMMA_DECREASE_FILTER, 7);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    assert_eq!(setup.at(0.375, 0.5)[0], 0.25);
}

#[test]
fn a_border_colour_has_the_scale_of_the_format() {
    for (code, scale) in [(C::A8R8G8B8, 1), (C::A16L16, 1), (C::RGBA16F, 1)] {
        let mut setup = Setup::curie(code, [1, 1]);
        setup.wrap([4; 3]);
        setup.words.take(b::TEX_BORDER_COLOR, 0, 0xff33_6699);
        let got = setup
            .at(1.5, 0.5)
            .map(|x| (x * 255.0).round() as i32 * scale);
        assert_eq!(got, [0x33, 0x66, 0x99, 0xff], "{code:#x}");
    }
}
