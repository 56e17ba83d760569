//! Volumes, cubes, lines, rectangles, and how they lie in memory; depth comparison.

use super::*;
use b::{CURIE_TEX_FORMAT as C, TEX_FORMAT_COLOR as R};

#[test]
fn a_line_does_not_look_at_t() {
    for chip in [Chip::Nv34, Chip::Nv40] {
        let code = if chip == Chip::Nv40 {
            C::A8R8G8B8
        } else {
            R::A8R8G8B8
        };
        let mut setup = Setup::new(chip, code, [4, 4]);
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D1);
        setup.put(0, &[grey(10), grey(20), grey(30), grey(40)]);
        for filter in [b::MIN_FILTER::NEAREST, b::MIN_FILTER::LINEAR] {
            setup.filter(filter, filter);
            for t in [-3.0, 0.0, 0.6, f32::NAN] {
                assert_eq!(bytes(setup.at(0.625, t))[0], 30, "{chip:?} {t}");
            }
        }
        assert_eq!(bytes(setup.at(0.5, 0.9))[0], 25);
    }
}

#[test]
fn volumes_are_swizzled_over_three_axes() {
    for chip in [Chip::Nv34, Chip::Nv40] {
        let code = if chip == Chip::Nv40 {
            C::A8R8G8B8
        } else {
            R::A8R8G8B8
        };
        let mut setup = Setup::new(chip, code, [4, 2]);
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D3);
        if chip == Chip::Nv40 {
            setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 2);
        } else {
            setup.set(b::TEX_FORMAT, b::TEX_FORMAT::SIZE_R, 1);
        }
        setup.wrap([3; 3]);
        let texels: Vec<u32> = (0..16).map(|i| grey(16 * i)).collect();
        setup.put(0, &texels);
        for (at, index) in [
            ([0, 0, 0], 0),
            ([1, 0, 0], 1),
            ([0, 1, 0], 2),
            ([0, 0, 1], 4),
            ([3, 1, 1], 15),
        ] {
            let [x, y, z] = at.map(|i| i as f32 + 0.5);
            let got = bytes(setup.at3([x / 4.0, y / 2.0, z / 2.0]))[0];
            assert_eq!(got, 16 * index, "{chip:?} {at:?}");
        }
        setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
        // The mean of the first eight.
        assert_eq!(bytes(setup.at3([0.25, 0.5, 0.5]))[0], 56);
        assert_eq!(bytes(setup.at3([0.125, 0.25, 0.5]))[0], 32);
    }
}

#[test]
fn linear_volumes_have_slices_of_rows() {
    let mut setup = Setup::curie(C::L8, [3, 2]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::LINEAR, 1);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D3);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 3);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, 64);
    for i in 0..6u32 {
        setup.put_bytes(
            64 * i,
            &[10 * i as u8 + 1, 10 * i as u8 + 2, 10 * i as u8 + 3],
        );
    }
    for z in 0..3 {
        let got = bytes(setup.at3([0.5, 0.75, (z as f32 + 0.5) / 3.0]))[0];
        assert_eq!(got, 20 * z + 12, "{z}");
    }
}

#[test]
fn linear_levels_share_a_pitch() {
    let mut setup = Setup::curie(C::L8, [5, 3]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::LINEAR, 1);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, 64);
    setup.filter(
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST,
        b::MAG_FILTER::NEAREST,
    );
    for (row, bytes) in [
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10],
        [11, 12, 13, 14, 15],
        [21, 22, 0, 0, 0],
        [31, 0, 0, 0, 0],
    ]
    .iter()
    .enumerate()
    {
        setup.put_bytes(64 * row as u32, bytes);
    }
    assert_eq!(bytes(setup.at_lod(0.9, 0.9, 0.0))[0], 15);
    assert_eq!(bytes(setup.at_lod(0.9, 0.9, 1.0))[0], 22);
    assert_eq!(bytes(setup.at_lod(0.9, 0.9, 2.0))[0], 31);
    assert_eq!(setup.unit().expect("on").reads(), (ADDR, 384));
}

#[test]
fn linear_blocks_have_rows_of_blocks() {
    let mut setup = Setup::curie(C::DXT1, [8, 8]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::LINEAR, 1);
    setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, 64);
    for (at, colour) in [(0, 0xf800u16), (8, 0x07e0), (64, 0x001f), (72, 0xffff)] {
        let [low, high] = colour.to_le_bytes();
        setup.put_bytes(at, &[low, high, 0, 0, 0, 0, 0, 0]);
    }
    assert_eq!(bytes(setup.at(0.2, 0.2)), [255, 0, 0, 255]);
    assert_eq!(bytes(setup.at(0.7, 0.2)), [0, 255, 0, 255]);
    assert_eq!(bytes(setup.at(0.2, 0.7)), [0, 0, 255, 255]);
    assert_eq!(bytes(setup.at(0.7, 0.7)), [255; 4]);
}

#[test]
fn rectangles_count_texels() {
    let texels: Vec<u32> = (0..12).map(|i| grey(20 * i)).collect();
    let mut setup = Setup::linear([4, 3], &texels);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::RECT, 1);
    setup.wrap([3; 3]);
    assert_eq!(bytes(setup.at(2.5, 1.5))[0], 120);
    assert_eq!(bytes(setup.at(9.0, 9.0))[0], 220);
    // Of level 0, whichever level is looked at.
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 2);
    setup.filter(
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST,
        b::MAG_FILTER::NEAREST,
    );
    setup.put(48, &[grey(7), grey(9)]);
    assert_eq!(bytes(setup.at_lod(1.5, 0.5, 1.0))[0], 7);
    assert_eq!(bytes(setup.at_lod(2.5, 0.5, 1.0))[0], 9);
    setup.wrap([1; 3]);
    assert_eq!(bytes(setup.at_lod(4.5, 0.5, 1.0))[0], 7);
    assert_eq!(bytes(setup.at_lod(6.5, 0.5, 0.0))[0], 40);
    let mut setup = Setup::new(Chip::Nv34, R::A8R8G8B8_RECT, [4, 3]);
    setup.set(b::TEX_PITCH, b::TEX_PITCH::PITCH, 16);
    setup.wrap([3; 3]);
    setup.put(0, &texels);
    assert_eq!(bytes(setup.at(2.5, 1.5))[0], 120);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    assert_eq!(bytes(setup.at(2.0, 1.5))[0], 110);
}

/// Six faces of one texel each (and its rounding), grey 40 times their number and one.
fn cube(linear: bool) -> Setup {
    let mut setup = Setup::curie(C::A8R8G8B8, [1, 1]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    let stride = if linear {
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::LINEAR, 1);
        setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, 64);
        64
    } else {
        128
    };
    for face in 0..6 {
        setup.put(stride * face, &[grey(40 * (face + 1))]);
    }
    setup
}

#[test]
fn faces_of_a_cube() {
    for linear in [false, true] {
        let setup = cube(linear);
        for (face, v) in [
            [1.0, 0.2, -0.9],
            [-2.0, 1.0, 1.0],
            [0.1, 0.3, 0.2],
            [0.1, -0.3, 0.2],
            [0.5, 0.5, 0.7],
            [0.0, 0.0, -1.0],
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(bytes(setup.at3(v))[0], 40 * (face as i32 + 1), "{v:?}");
        }
        assert_eq!(bytes(setup.at3([0.0; 3]))[0], 40);
        assert_eq!(bytes(setup.at3([f32::NAN; 3]))[0], 40);
    }
}

#[test]
fn places_on_a_face() {
    let mut setup = Setup::curie(C::A8R8G8B8, [2, 2]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    for face in 0..6 {
        let texels: Vec<u32> = (0..4).map(|i| grey(40 * face + 10 * i)).collect();
        setup.put(128 * face, &texels);
    }
    // s and t of the faces: (-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y).
    for (v, face, i) in [
        ([1.0, 0.5, 0.4], 0, 0),
        ([1.0, 0.5, -0.4], 0, 1),
        ([1.0, -0.5, 0.4], 0, 2),
        ([-1.0, 0.5, -0.4], 1, 0),
        ([0.4, 1.0, -0.5], 2, 1),
        ([0.4, 1.0, 0.5], 2, 3),
        ([0.4, -1.0, -0.5], 3, 3),
        ([-0.4, 0.5, 1.0], 4, 0),
        ([-0.4, 0.5, -1.0], 5, 1),
    ] {
        assert_eq!(bytes(setup.at3(v))[0], 40 * face + 10 * i, "{v:?}");
    }
}

#[test]
fn wraps_act_inside_each_face() {
    let mut setup = Setup::curie(C::A8R8G8B8, [2, 2]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    setup.put(0, &[grey(10), grey(90), grey(10), grey(90)]);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    // Repeat reaches the face's own far side, not the neighbouring face (which is black).
    for (mode, left, right) in [(1, 50, 50), (2, 10, 90), (3, 10, 90)] {
        setup.wrap([mode; 3]);
        assert_eq!(bytes(setup.at3([1.0, 0.0, 1.0]))[0], left, "{mode}");
        assert_eq!(bytes(setup.at3([1.0, 0.0, -1.0]))[0], right, "{mode}");
    }
    setup.wrap([4; 3]);
    assert_eq!(bytes(setup.at3([1.0, 0.0, 1.0]))[0], 5);
}

#[test]
fn a_cube_chooses_levels_on_the_face_of_the_pixel() {
    let mut setup = Setup::curie(C::A8R8G8B8, [4, 4]);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    setup.filter(
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST,
        b::MAG_FILTER::NEAREST,
    );
    for face in 0..6 {
        let mut texels = vec![grey(40); 16];
        texels.extend([grey(80); 4]);
        texels.push(grey(120));
        setup.put(128 * face, &texels);
    }
    let unit = setup.bind();
    // Two pixels on each side of the edge between +Z and +X; a texel is half a unit wide.
    let x = std::array::from_fn(|i| if i & 1 == 0 { 0.9 } else { 1.2 });
    let coords = [x, [0.0; LANES], [1.0; LANES], [1.0; LANES]];
    let out = all(&unit, &coords, Lookup::Implicit);
    assert!(out[0].iter().all(|&x| x == 40.0 / 255.0), "{out:?}");
    let x = std::array::from_fn(|i| if i & 1 == 0 { -0.5 } else { 0.5 });
    let coords = [x, [0.0; LANES], [1.0; LANES], [1.0; LANES]];
    let out = all(&unit, &coords, Lookup::Implicit);
    assert!(out[0].iter().all(|&x| x == 80.0 / 255.0), "{out:?}");
    // The same step as derivatives, at twice the distance half as large.
    for (z, want) in [(1.0, 80), (2.0, 40)] {
        let coords = [[0.0; LANES], [0.0; LANES], [z; LANES], [1.0; LANES]];
        let dx = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
        let dy = [[0.0; LANES]; 3];
        let out = all(&unit, &coords, Lookup::Gradients { dx, dy });
        assert_eq!(bytes(out.map(|lane| lane[0]))[0], want, "{z}");
    }
}

#[test]
fn a_border_stored_with_the_image() {
    let mut setup = Setup::new(Chip::Nv34, R::L8, [1, 1]);
    setup.set(
        b::TEX_FORMAT,
        b::TEX_FORMAT::BORDER_TYPE,
        b::BORDER_TYPE::INCLUDED,
    );
    setup.wrap([4; 3]);
    // 16x16 in memory, texel 0 at (4, 4): Morton 0x30; its right neighbour at 0x31.
    setup.put_bytes(0x30, &[100, 50]);
    assert_eq!(bytes(setup.at(0.5, 0.5))[0], 100);
    assert_eq!(bytes(setup.at(1.5, 0.5))[0], 50);
}

#[test]
fn objects_and_other_units() {
    let mut setup = Setup::curie(C::L8, [1, 1]);
    setup.memory.write_u8(0x2000, 20);
    setup.memory.write_u8(0x3000, 30);
    let span = |base| DmaSpan { base, limit: 0xfff };
    let spans = [span(0x1000), span(0x2000)];
    for (dma, want) in [(0, 0x2000), (1, 0x3000)] {
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::DMA, dma);
        let unit = ProgramUnit::prepare(setup.chip, &setup.words, spans, 0).expect("on");
        assert_eq!(unit.reads().0, want);
    }
    assert!(ProgramUnit::prepare(setup.chip, &setup.words, spans, 1).is_none());
}

#[test]
fn depths_are_compared_with_r_on_the_left() {
    for (chip, code, raw) in [
        (Chip::Nv40, C::Z24, 0x8000_00aau32),
        (Chip::Nv40, C::Z16, 0x8000),
        (Chip::Nv34, R::Z24, 0x8000_00aa),
        (Chip::Nv34, R::Z16, 0x8000),
        // 0.5 with 8 and with 4 bits of exponent.
        (Chip::Nv40, C::Z24_FLOAT, 0x7e00_00aa),
        (Chip::Nv40, C::Z16_FLOAT, 0x6000),
    ] {
        let mut setup = Setup::new(chip, code, [1, 1]);
        setup.put(0, &[raw]);
        // r below, equal to and above the texel; the integers round to it.
        for (func, want) in [
            (b::TEX_COMPARE::NEVER, [0, 0, 0]),
            (b::TEX_COMPARE::GREATER, [0, 0, 1]),
            (b::TEX_COMPARE::EQUAL, [0, 1, 0]),
            (b::TEX_COMPARE::GEQUAL, [0, 1, 1]),
            (b::TEX_COMPARE::LESS, [1, 0, 0]),
            (b::TEX_COMPARE::NOTEQUAL, [1, 0, 1]),
            (b::TEX_COMPARE::LEQUAL, [1, 1, 0]),
            (b::TEX_COMPARE::ALWAYS, [1, 1, 1]),
        ] {
            setup.set(b::TEX_WRAP, b::TEX_WRAP::ZCOMP, func);
            let got = [0.3, 0.5, 0.9].map(|r| setup.at3([0.5, 0.5, r]));
            assert_eq!(got, want.map(|x| [x as f32; 4]), "{code:#x} {func}");
        }
    }
}

#[test]
fn comparisons_are_filtered() {
    let mut setup = Setup::curie(C::Z16, [2, 1]);
    setup.put(0, &[0xffff_0000]);
    setup.wrap([3; 3]);
    setup.set(b::TEX_WRAP, b::TEX_WRAP::ZCOMP, b::TEX_COMPARE::LEQUAL);
    setup.filter(b::MIN_FILTER::LINEAR, b::MAG_FILTER::LINEAR);
    assert_eq!(setup.at3([0.375, 0.5, 0.5]), [0.25; 4]);
    assert_eq!(setup.at3([0.375, 0.5, -4.0]), [1.0; 4]);
    // All of the range: 1 is the largest integer.
    setup.set(b::TEX_WRAP, b::TEX_WRAP::ZCOMP, b::TEX_COMPARE::EQUAL);
    assert_eq!(setup.at3([0.75, 0.5, 7.0]), [1.0; 4]);
}
