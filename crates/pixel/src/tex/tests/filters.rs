//! Filters, levels and footprints: every number follows from the rule beside it.

use super::*;
use crate::tex::lod::{Footprint, Probes};

/// (a (256 - w) + b w + 128) >> 8: the one blend of all filters.
fn lerp(a: i32, b: i32, w: i32) -> i32 {
    (a * (256 - w) + b * w + 128) >> 8
}

#[test]
fn a_volume_blends_eight_texels_x_then_y_then_z() {
    // 2 x 2 x 2, texels in Morton order: x is bit 0, y bit 1, z bit 2.
    let texels = [3, 250, 17, 130, 201, 9, 77, 254];
    let mut s = Setup::new(0x06, [1, 1, 1]);
    s.texels32(&texels.map(|t| t as u32));
    s.wrap(3, 3, 3);
    s.filter(2, 2);
    for (wx, wy, wz) in [
        (0, 0, 0),
        (37, 0, 0),
        (0, 91, 0),
        (0, 0, 200),
        (37, 91, 0),
        (37, 0, 200),
        (0, 91, 200),
        (37, 91, 200),
        (255, 1, 128),
    ] {
        let row = |i: usize| lerp(texels[i], texels[i + 1], wx);
        let plane = |i: usize| lerp(row(i), row(i + 2), wy);
        let want = lerp(plane(0), plane(4), wz);
        let at = |w: i32| (128 + w) as f32 / 512.0;
        let got = s.at3(at(wx), at(wy), at(wz));
        assert_eq!(got as i32, want, "{wx} {wy} {wz}");
        // A 2D operation stays in the first slice.
        assert_eq!(s.at(at(wx), at(wy)) as i32, plane(0), "{wx} {wy}");
    }
}

#[test]
fn linear_filters_wrap_their_neighbours() {
    // Four texels; the filter between the last and what comes after it.
    let texels = [10, 20, 40, 80];
    for (mode, before, after) in [
        (1, 80, 10),
        (2, 10, 80),
        (3, 10, 80),
        (4, 200, 200),
        (5, 200, 200),
    ] {
        for axis in 0..2 {
            let mut log2 = [0; 3];
            log2[axis] = 2;
            let mut s = Setup::new(0x06, log2);
            s.texels32(&texels.map(|t| t as u32));
            s.words.take(b::TEX_BORDER_COLOR, 0, 200);
            let mut modes = [3; 3];
            modes[axis] = mode;
            s.wrap(modes[0], modes[1], modes[2]);
            s.filter(2, 2);
            let at = |c: f32| {
                let uv = if axis == 0 { [c, 0.5] } else { [0.5, c] };
                s.at(uv[0], uv[1]) as i32
            };
            assert_eq!(at(0.0625), lerp(before, 10, 192), "{mode} {axis}");
            assert_eq!(at(0.9375), lerp(80, after, 64), "{mode} {axis}");
            assert_eq!(at(0.375), 20, "{mode} {axis}");
            assert_eq!(at(0.4375), lerp(20, 40, 64), "{mode} {axis}");
        }
    }
}

#[test]
fn all_components_signed_at_once() {
    let mut s = Setup::rect(0x12, 2, 1, 64);
    s.texels32(&[0x7f00_8140, 0x81ff_7fc0]);
    s.filter(2, 2);
    for f in [
        b::TEX_FILTER::SIGNED_A,
        b::TEX_FILTER::SIGNED_R,
        b::TEX_FILTER::SIGNED_G,
        b::TEX_FILTER::SIGNED_B,
    ] {
        s.set(b::TEX_FILTER, f, 1);
    }
    // A 127 and -127, R 0 and -1, G -127 and 127, B 64 and -64, a quarter of the way.
    let want = [(127, -127), (0, -1), (-127, 127), (64, -64)]
        .into_iter()
        .fold(0, |out, (a, b)| out << 8 | lerp(a, b, 64) as u32 & 255);
    assert_eq!(s.at(0.75, 0.5), want);
}

#[test]
fn halves_keep_sixteen_bits() {
    // HI is the upper half, signed with A; LO the lower one, signed with G.
    let mut s = Setup::rect(0x36, 2, 1, 64);
    s.texels32(&[0x1234_ff00, 0xf001_0123]);
    s.filter(2, 2);
    let mix = |hi: (i32, i32), lo: (i32, i32)| {
        let part = |(a, b)| lerp(a, b, 100) as u32 & 0xffff;
        part(hi) << 16 | part(lo)
    };
    let at = |s: &Setup| s.at(0.5 + 100.0 / 256.0, 0.5);
    assert_eq!(at(&s), mix((0x1234, 0xf001), (0xff00, 0x0123)));
    for f in [b::TEX_FILTER::SIGNED_R, b::TEX_FILTER::SIGNED_B] {
        s.set(b::TEX_FILTER, f, 1);
    }
    assert_eq!(at(&s), mix((0x1234, 0xf001), (0xff00, 0x0123)));
    s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_A, 1);
    assert_eq!(at(&s), mix((0x1234, -0x0fff), (0xff00, 0x0123)));
    s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_A, 0);
    s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_G, 1);
    assert_eq!(at(&s), mix((0x1234, 0xf001), (-0x100, 0x0123)));
}

#[test]
fn means_round_half_up_per_component() {
    use crate::tex::filter::Blend;
    use crate::tex::format::Class;
    let texels = [(0x01ff_8003, 3), (0x02fd_7f04, 1)];
    let unsigned = Blend::new(Class::Bytes, [false; 4]);
    // (3 a + b + 2) / 4: A 1.25, R 254.5, G 127.75, B 3.25
    assert_eq!(unsigned.mean(&texels, 4), 0x01ff_8003);
    let signed = Blend::new(Class::Bytes, [true; 4]);
    // R -1.5 rounds up to -1, G (3 * -128 + 127) / 4 = -64.25
    assert_eq!(signed.mean(&texels, 4), 0x01ff_c003);
    let halves = Blend::new(Class::Halves, [false; 4]);
    // HI (3 * 01ffh + 02fdh) / 4 = 23e.8h, LO (3 * 8003h + 7f04h) / 4 = 7fc3.4h
    assert_eq!(halves.mean(&texels, 4), 0x023f_7fc3);
    let wide = Blend::new(Class::Halves, [false, true, false, false]);
    // LO (3 * -7ffdh + 7f04h) / 4 = -403c.c h
    assert_eq!(wide.mean(&texels, 4), 0x023f_bfc3);
    // A comparison's results have no sign.
    let depth = Blend::new(Class::Depth, [true; 4]);
    assert_eq!(depth.lerp(!0, 0, 64), 0xbfbf_bfbf);
}

#[test]
fn footprints_are_means_of_a_quad() {
    // Lanes 0, 1, 8, 9 are a quad: u differs by 2 and 4 texels along its rows.
    let mut s = Setup::rect(0x12, 8, 1, 64);
    s.texels32(&[0x10; 8]);
    s.filter(2, 1);
    let unit = s.unit();
    let mut c = flat(0.0, 0.0, 0.0, false);
    [c.u[1], c.u[8], c.u[9]] = [2.0, 0.0, 4.0];
    // Along x (2 + 4) / 2 = 3, along y (0 + 2) / 2 = 1: log2 3 = 1.58 -> 405 / 256
    assert_eq!(lod::lods(&unit, &c)[..2], [405, 405]);
    assert_eq!(lod::lods(&unit, &c)[8..10], [405, 405]);
    // Both axes count, by Pythagoras: (3, 4) is 5 texels, log2 5 = 2.32 -> 594 / 256
    let mut c = flat(0.0, 0.0, 0.0, false);
    [c.u[1], c.u[8], c.u[9]] = [3.0, 0.0, 3.0];
    [c.v[1], c.v[8], c.v[9]] = [4.0, 0.0, 4.0];
    assert_eq!(lod::lods(&unit, &c)[0], 594);
    // The longer direction decides.
    [c.u[8], c.u[9]] = [16.0, 19.0];
    assert_eq!(lod::lods(&unit, &c)[0], 1024);
    // Other quads are not concerned.
    assert!(lod::lods(&unit, &c)[2] < -1000);
    let f = lod::footprints(&unit, &c);
    assert_eq!(
        (f[0].major, f[0].minor, f[0].axis),
        (16.0, 5.0, [16.0, 0.0, 0.0])
    );
    [c.u[8], c.u[9]] = [0.0, 3.0];
    let f = lod::footprints(&unit, &c);
    assert_eq!(
        (f[9].major, f[9].minor, f[9].axis),
        (5.0, 0.0, [3.0, 4.0, 0.0])
    );
}

#[test]
fn the_third_axis_counts_in_volumes() {
    let mut s = Setup::new(0x06, [1, 1, 3]);
    s.texels32(&[0; 32]);
    let mut c = flat(0.0, 0.0, 0.0, true);
    for i in 8..LANES {
        c.p[i] = 0.5;
    }
    // Half of eight slices per row: 4 texels.
    assert_eq!(lod::lods(&s.unit(), &c)[0], 512);
    c.three = false;
    assert!(lod::lods(&s.unit(), &c)[0] < -1000);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, 2);
    c.three = true;
    assert!(lod::lods(&s.unit(), &c)[0] < -1000);
}

#[test]
fn quads_across_a_cube_edge_see_one_face() {
    // Two lanes on +X and two on +Z of 16 x 16 faces, 1/8 of the face apart or so.
    let mut s = Setup::new(0x06, [4, 4, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    let unit = s.unit();
    let mut c = flat(0.0, 0.0, 0.0, false);
    let mut xyz = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
    for (lane, v) in [(0, [1.0, 0.0, 0.75]), (1, [0.5, 0.0, 0.625])] {
        for l in [lane, lane + 8] {
            c.face[l] = face_of(v[0], v[1], v[2]);
            for k in 0..3 {
                xyz[k][l] = v[k];
            }
            let [s, t] = face_coords(c.face[l], v);
            c.u[l] = (s + 1.0) / 2.0;
            c.v[l] = (1.0 - t) / 2.0;
        }
    }
    assert_eq!([c.face[0], c.face[1]], [0, 4]);
    c.vectors = Some(xyz);
    // On +X s' = -z / x: -0.75 and -1.25, a quarter of the face, 4 texels.
    // On +Z s' = x / z: 4/3 and 0.8, a 0.2667 of the face, 4.2667 texels.
    let lods = lod::lods(&unit, &c);
    let want = |texels: f64| (256.0 * texels.log2()).floor() as i32;
    assert_eq!([lods[0], lods[8]], [512, 512]);
    assert_eq!([lods[1], lods[9]], [want(64.0 / 15.0); 2]);
    // The same quad without its vectors takes the coordinates as they are.
    c.vectors = None;
    assert_ne!(lod::lods(&unit, &c)[0], 512);
}

#[test]
fn limits_choose_levels() {
    let mut s = Setup::new(0x06, [4, 4, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0x080);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0x180);
    let unit = s.unit();
    for (lod, want) in [
        (1, 0x80),
        (0x80, 0x80),
        (0x81, 0x81),
        (0x180, 0x180),
        (0x181, 0x180),
    ] {
        assert_eq!(lod::limit(&unit, lod), want);
    }
    // A maximum below the minimum gives way; no level lies beyond the last.
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0);
    assert_eq!(lod::limit(&s.unit(), 0x300), 0x80);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
    assert_eq!(lod::limit(&s.unit(), 0xf00), 0x200);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0xfff);
    assert_eq!(lod::limit(&s.unit(), 1), 0x200);
}

#[test]
fn levels_have_their_own_texels() {
    // 4 x 2, then 2 x 1, then 1 x 1: level l holds 16 (l + 1) + its Morton index.
    let mut s = Setup::new(0x06, [2, 1, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    let all: Vec<u32> = [(8, 16), (2, 32), (1, 48)]
        .into_iter()
        .flat_map(|(n, first)| (0..n).map(move |i| first + i))
        .collect();
    s.texels32(&all);
    s.filter(3, 1);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
    // At (0.8, 0.6): texel (3, 1) of level 0 has Morton index 7, of level 1 (1, 0).
    for (texels, want) in [
        (1.0, 16 + 7),
        (1.2, 16 + 7),
        (2.0, 33),
        (4.0, 48),
        (9.0, 48),
    ] {
        let mut c = flat(0.8, 0.6, 0.0, false);
        for i in 0..LANES {
            c.u[i] += texels / 4.0 * ((i % 2) as f32 - 0.5) * 1e-3;
        }
        // Only the size of the footprint matters: a bias takes the place of the rest.
        let bias = (256.0 * 1000f64.log2()) as u32;
        s.set(b::TEX_FILTER, b::TEX_FILTER::LOD_BIAS, bias + 1);
        assert_eq!(s.run(&c).0[0], want, "{texels}");
        assert_eq!(s.run(&c).0[9], want, "{texels}");
    }
}

#[test]
fn probes_spread_along_the_longer_side() {
    let footprint = |major, minor| Footprint {
        major,
        minor,
        axis: [0.0; 3],
    };
    let places = |major, minor, most| {
        let p = Probes::new(&footprint(major, minor), most);
        (p.ratio, p.places().collect::<Vec<_>>())
    };
    // Up to 2 a pair drifts apart: (r - 1) / 2 minor sides from the centre.
    assert_eq!(places(1.0, 1.0, 8.0), (1.0, vec![(0.0, 128), (0.0, 128)]));
    assert_eq!(places(1.25, 1.0, 8.0).1, [(0.1, 128), (-0.1, 128)]);
    assert_eq!(places(1.6, 1.0, 8.0).1, [(0.1875, 128), (-0.1875, 128)]);
    assert_eq!(places(2.0, 1.0, 8.0).1, [(0.25, 128), (-0.25, 128)]);
    // A side below one texel counts as one; the ratio is limited.
    assert_eq!(places(0.5, 0.1, 8.0).0, 1.0);
    assert_eq!(places(3.0, 0.1, 8.0).0, 3.0);
    assert_eq!(places(12.0, 4.0, 8.0).0, 3.0);
    assert_eq!(places(12.0, 4.0, 2.0).0, 2.0);
    assert_eq!(places(9.0, 9.0, 8.0).0, 1.0);
    // Above 2 pairs at (j + 1/2) / r with the weight 256 / r, the outer one with what is
    // left: 85.3 rounds to 85, 128 - 85; 102.4 + 73/128 to 102. From 4 on it is 17/32.
    let (r, all) = places(3.0, 1.0, 8.0);
    assert_eq!(r, 3.0);
    let sixth = 0.5f32 / 3.0;
    assert_eq!(all, [(sixth, 85), (-sixth, 85), (0.5, 43), (-0.5, 43)]);
    let weights = |r: f32| {
        let all = places(r, 1.0, 8.0).1;
        all.iter().step_by(2).map(|p| p.1).collect::<Vec<_>>()
    };
    assert_eq!(weights(2.5), [102, 26]);
    assert_eq!(weights(256.0 / 102.42), [102, 26]);
    assert_eq!(weights(256.0 / 102.44), [103, 25]);
    assert_eq!(weights(4.0), [64, 64]);
    assert_eq!(weights(5.0), [51, 51, 26]);
    assert_eq!(weights(256.0 / 50.46), [50, 50, 28]);
    assert_eq!(weights(256.0 / 50.48), [51, 51, 26]);
    assert_eq!(weights(6.01), [43, 43, 42, 0]);
    // They always make a whole.
    for i in 0..=70 {
        let r = 1.0 + i as f32 / 10.0;
        assert_eq!(weights(r).iter().sum::<u32>(), 128, "{r}");
    }
    let (_, all) = places(8.0, 1.0, 8.0);
    assert_eq!(
        all,
        [
            (0.0625, 32),
            (-0.0625, 32),
            (0.1875, 32),
            (-0.1875, 32),
            (0.3125, 32),
            (-0.3125, 32),
            (0.4375, 32),
            (-0.4375, 32)
        ]
    );
}

#[test]
fn lengths_of_footprints_have_few_bits() {
    let mut s = Setup::new(0x06, [6, 6, 0]);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 3);
    let unit = s.unit();
    let square = |du: f32, dv: f32| {
        let mut c = flat(0.0, 0.0, 0.0, false);
        for i in 0..LANES {
            c.u[i] = (i / 8) as f32 * du / 64.0;
            c.v[i] = (i / 8) as f32 * dv / 64.0;
        }
        let f = lod::footprints(&unit, &c)[0];
        assert_eq!(f.axis, [du / 64.0, dv / 64.0, 0.0]);
        f.major * f.major
    };
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} {b}");
    // 11 bits of a difference: 3 + 11/1024 is 3 + 5/512, the square 9.0587 and not 9.0645.
    near(square(0.0, 3.0 + 11.0 / 1024.0), 9.03125);
    // (3 + 5/512)^2 = 9.0587, cut to 9.0546875 and to 9.03125.
    near(square(0.0, 3.0 + 5.0 / 512.0), 9.03125);
    // (3 + 2/512)^2 = 9.02345, cut to 9.0234375: with 9/1024 it reaches the sum's last bit,
    // with ten bits, 9.015625, it would not.
    near(square(0.09375, 3.0 + 2.0 / 512.0), 9.03125);
    near(square(0.0, 3.0 + 2.0 / 512.0), 9.0);
}

#[test]
fn probes_are_rounded_to_the_coordinates_grid() {
    // 64 texels of one row; footprints of 4 texels and a ratio of at most 2: +-1 texel.
    let mut s = Setup::rect(0x12, 64, 1, 256);
    s.texels32(&(0..64).map(|x| 2 * x).collect::<Vec<_>>());
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 1);
    let at = |x: f32| s.stretched(x, 0.5, 4.0);
    assert_eq!(at(16.5), 32);
    // The place is cut to 1/256 first; the way, one texel less 1/2048, is rounded up.
    let short = |x: f32| s.stretched(x, 0.5, 4.0 - 1.0 / 512.0);
    assert_eq!(short(16.0), 32);
    // A texel less 1/1024 rounds up as well, less 3/1024 down: to 15.996 and 14.004.
    let less = |n: f32| s.stretched(15.0, 0.5, 4.0 - n / 256.0);
    assert_eq!(less(1.0), 30);
    assert_eq!(less(3.0), 29);
    // A half rounds away from the centre on both sides: to texels 13 and 15.
    let half = s.stretched(15.0 - 1.0 / 256.0, 0.5, 4.0 - 2.0 / 256.0);
    assert_eq!(half, 28);
}

#[test]
fn a_footprint_larger_than_the_image_takes_one_probe() {
    // 4 texels. Two probes of a footprint of 4 texels are 1 texel away, those of 8
    // would be 2 away, but half of it covers the image.
    let mut s = Setup::rect(0x12, 4, 1, 64);
    s.texels32(&[0, 10, 100, 250]);
    s.wrap(1, 1, 1);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 1);
    assert_eq!(s.stretched(1.5, 0.5, 4.0), 50);
    assert_eq!(s.stretched(1.5, 0.5, 7.9), 250);
    assert_eq!(s.stretched(1.5, 0.5, 8.0), 10);
}

#[test]
fn anisotropy_lowers_the_level_and_follows_both_axes() {
    // 16 x 16 with two levels, the second 0x80. A footprint of 4 by 1 texels minifies
    // to level 2; with four probes its level is that of 4 / 4 = 1 texel.
    let mut s = Setup::new(0x06, [4, 4, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 2);
    let morton = |x: u32, y: u32| {
        (0..4).fold(0, |m, i| {
            m | (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1)
        })
    };
    for y in 0..16 {
        for x in 0..16 {
            s.memory.write_u32(BASE + 4 * morton(x, y), 4 * y + x);
        }
    }
    for i in 0..64 {
        s.memory.write_u32(BASE + 1024 + 4 * i, 0x80);
    }
    s.filter(3, 1);
    let slanted = |du: f32, dv: f32| {
        let mut c = flat(8.5 / 16.0, 8.5 / 16.0, 0.0, false);
        for i in 0..LANES {
            c.u[i] += (i / 8) as f32 * du / 16.0;
            c.v[i] += (i / 8) as f32 * dv / 16.0;
        }
        c
    };
    assert_eq!(s.run(&slanted(0.0, 4.0)).0[0], 0x80);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 2);
    // Rows 6.5 + .5 ..: probes at -1.5, -0.5, +0.5, +1.5 rows from 8.5: rows 7, 8, 9, 10
    let mean = |v: [u32; 4]| (v.iter().sum::<u32>() + 2) / 4;
    let rows = mean([7, 8, 9, 10].map(|y| 4 * y + 8));
    assert_eq!(s.run(&slanted(0.0, 4.0)).0[0], rows);
    let columns = mean([7, 8, 9, 10].map(|x| 4 * 8 + x));
    assert_eq!(s.run(&slanted(4.0, 0.0)).0[0], columns);
    // The bias still moves it.
    s.set(b::TEX_FILTER, b::TEX_FILTER::LOD_BIAS, 0x100);
    assert_eq!(s.run(&slanted(0.0, 4.0)).0[0], 0x80);
}

#[test]
fn kernels_see_all_nine_texels() {
    // Each texel of 3 x 3 alone: 16 times its weight shows.
    for (kernel, weights) in [
        (1, [[2, 0, 2], [0, 8, 0], [2, 0, 2]]),
        (2, [[1, 2, 1], [2, 4, 2], [1, 2, 1]]),
    ] {
        for y in 0..3u32 {
            for x in 0..3u32 {
                let mut s = Setup::rect(0x12, 5, 5, 64);
                s.memory.write_u32(BASE + 64 * (y + 1) + 4 * (x + 1), 16);
                s.filter(7, 4);
                s.set(b::TEX_FILTER, b::TEX_FILTER::CONVOLUTION_KERNEL, kernel);
                let want = weights[y as usize][x as usize];
                assert_eq!(s.at(2.5, 2.5), want, "{kernel} {x} {y}");
                // Its place is the nearest texel's: anywhere within it.
                assert_eq!(s.at(2.01, 2.99), want, "{kernel} {x} {y}");
            }
        }
    }
}

#[test]
fn certain_levels_need_no_logarithm() {
    // 64 x 64 with four levels, nearest level; a bias moves all choices.
    for bias in [0i32, 256, -256, 512] {
        let mut s = Setup::new(0x06, [6, 6, 0]);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 4);
        s.filter(3, 1);
        let word = s.words.register(b::TEX_FILTER, 0).expect("its own") | bias as u32 & 0x1fff;
        s.words.take(b::TEX_FILTER, 0, word);
        let unit = s.unit();
        assert_eq!(unit.data.lod_bias, bias);
        for (lod, level) in [(-200, -1), (60, 0), (250, 1), (500, 2), (760, 3), (2000, 3)] {
            // rho^2 = 2^(2 (lod - bias) / 256)
            let rho2 = (f64::from(lod - bias) / 128.0).exp2() as f32;
            let got = unit.certain.level(&unit, &[rho2; LANES / 2]);
            assert_eq!(got, Some(level), "{bias} {lod}");
            // A lane that wants another level makes it uncertain.
            let mut mixed = [rho2; LANES / 2];
            mixed[5] = if level == 3 { 1e-9 } else { 1e9 };
            assert_eq!(unit.certain.level(&unit, &mixed), None, "{bias} {lod}");
        }
        // Next to a change of level the logarithm decides.
        let edge = (f64::from(128 - bias) / 128.0).exp2() as f32;
        assert_eq!(
            unit.certain.level(&unit, &[edge; LANES / 2]),
            None,
            "{bias}"
        );
    }
}

#[test]
fn an_explanation_lists_texels_and_weights() {
    let mut s = Setup::new(0x06, [1, 1, 1]);
    s.texels32(&[3, 250, 17, 130, 201, 9, 77, 254]);
    s.wrap(3, 4, 3);
    s.words.take(b::TEX_BORDER_COLOR, 0, 99);
    s.filter(2, 2);
    let unit = s.unit();
    let image = TexCache::default().get(&unit.source, &s.memory);
    let sampler = Sampler {
        unit: &unit,
        image: &image,
    };
    // Weights 1/4, 1/8 and 1/2 along x, y and z; the second row is the border.
    let mut c = flat((128.0 + 64.0) / 512.0, (384.0 + 32.0) / 512.0, 0.5, true);
    c.u[2] = 0.0;
    let said = sampler.explain(&c, 5);
    assert_eq!(said.texel, sampler.general(&c, &mut 0)[5]);
    assert_eq!(said.size, [2, 2, 2]);
    assert_eq!(said.levels.len(), 1);
    let texels = &said.levels[0].texels;
    assert_eq!(texels.len(), 8);
    let total: f32 = texels.iter().map(|t| t.weight).sum();
    assert_eq!(total, 1.0);
    let of = |at: [i32; 3]| texels.iter().find(|t| t.at == at).expect("fetched");
    assert_eq!(
        (of([0, 1, 0]).weight, of([0, 1, 0]).value),
        (0.75 * 0.875 * 0.5, 17)
    );
    assert_eq!(
        (of([1, 1, 1]).weight, of([1, 1, 1]).value),
        (0.25 * 0.875 * 0.5, 254)
    );
    assert_eq!(
        (of([1, 2, 0]).weight, of([1, 2, 0]).border),
        (0.25 * 0.125 * 0.5, true)
    );
    assert_eq!((of([1, 2, 0]).value, of([0, 1, 0]).border), (99, false));
    // A kernel's weights, in sixteenths.
    let mut s = Setup::rect(0x12, 5, 5, 64);
    s.filter(7, 4);
    s.set(b::TEX_FILTER, b::TEX_FILTER::CONVOLUTION_KERNEL, 2);
    let unit = s.unit();
    let image = TexCache::default().get(&unit.source, &s.memory);
    let sampler = Sampler {
        unit: &unit,
        image: &image,
    };
    let said = sampler.explain(&flat(2.5, 2.5, 0.0, false), 0);
    let texels = &said.levels[0].texels;
    let of = |at: [i32; 3]| texels.iter().find(|t| t.at == at).expect("fetched").weight;
    assert_eq!(
        [of([2, 2, 0]), of([1, 2, 0]), of([2, 3, 0]), of([3, 1, 0])],
        [0.25, 0.125, 0.125, 0.0625]
    );
}
