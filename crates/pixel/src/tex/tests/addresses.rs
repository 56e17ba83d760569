//! Addresses, depth units, units of the words: tables of the rules.

use super::*;

#[test]
fn border_texels_in_three_dimensions() {
    // 2 x 1 x 2 stored as 16 x 16 x 16, texel 0 at (4, 4, 4).
    let mut s = Setup::new(0x06, [1, 0, 1]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, 3);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, 0);
    s.wrap(4, 4, 4);
    let morton = |c: [u32; 3]| {
        (0..4).fold(0, |m, i| {
            (0..3).fold(m, |m, k| m | (c[k] >> i & 1) << (3 * i + k as u32))
        })
    };
    for z in 0..16 {
        for y in 0..16 {
            for x in 0..16 {
                s.memory
                    .write_u32(BASE + 4 * morton([x, y, z]), z << 16 | y << 8 | x);
            }
        }
    }
    assert_eq!(s.at3(0.25, 0.5, 0.25), 0x04_0404);
    assert_eq!(s.at3(0.75, 0.5, 0.75), 0x05_0405);
    assert_eq!(s.at3(-0.25, 1.5, 1.25), 0x06_0503);
    // Four texels around the image, then clamped.
    assert_eq!(s.at3(-9.0, -9.0, -9.0), 0x00_0000);
    assert_eq!(s.at3(9.0, 9.0, 9.0), 0x09_0809);
    // Clamp to edge stays inside.
    s.wrap(3, 3, 3);
    assert_eq!(s.at3(-9.0, 9.0, 9.0), 0x05_0404);
}

#[test]
fn a_large_border_image_doubles() {
    // 16 x 16 is stored as 32 x 32.
    let mut s = Setup::new(0x00, [4, 4, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, 0);
    let morton = |x: u32, y: u32| {
        (0..5).fold(0, |m, i| {
            m | (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1)
        })
    };
    for y in 0..32 {
        for x in 0..32 {
            s.memory.write(BASE + morton(x, y), &[(8 * y + x) as u8]);
        }
    }
    for (u, v, x, y) in [(0.01, 0.01, 4, 4), (0.99, 0.01, 19, 4), (0.01, 0.99, 4, 19)] {
        let y8: u32 = (8 * y + x) & 255;
        assert_eq!(s.at(u, v), 0xff00_0000 | (y8 * 0x01_0101), "{u} {v}");
    }
}

#[test]
fn depth_units_of_all_formats() {
    let f = sample::depth_units;
    // Integers: cut, limited to 16 or 24 bits.
    for (r, short, long) in [
        (0.0, 0, 0),
        (-1.0, 0, 0),
        (0.99, 0, 0),
        (1.0, 1, 1),
        (65535.9, 0xffff, 0xffff),
        (65536.0, 0xffff, 0x1_0000),
        (16777215.0, 0xffff, 0xff_ffff),
        (16777216.0, 0xffff, 0xff_ffff),
    ] {
        assert_eq!(f(r, false, false), short, "{r}");
        assert_eq!(f(r, true, false), long, "{r}");
    }
    // e4m12: the float's bits >> 11 less 78000h; e8m16: its bits >> 7.
    for (bits, short, long) in [
        (0x0000_0000u32, 0, 0),
        (0x0000_0001, 0, 0),
        (0x007f_ffff, 0, 0),
        (0x0080_0000, 0, 0x1_0000),
        (0x3c7f_ffff, 0, 0x78_ffff),
        (0x3c80_0000, 0x1000, 0x79_0000),
        (0x3c80_0800, 0x1001, 0x79_0010),
        (0x3f80_0000, 0x7000, 0x7f_0000),
        (0x43ff_f800, 0xffff, 0x87_fff0),
        (0x4400_0000, 0xffff, 0x88_0000),
        (0x7f7f_ffff, 0xffff, 0xfe_ffff),
        (0x7f80_0000, 0xffff, 0xff_0000),
        (0xbf80_0000, 0, 0),
        (0x8000_0000, 0, 0),
    ] {
        let r = f32::from_bits(bits);
        assert_eq!(f(r, false, true), short, "{bits:x}");
        assert_eq!(f(r, true, true), long, "{bits:x}");
    }
}

#[test]
fn fractions_are_cut_off_downwards() {
    assert_eq!(sample::to_fixed(-0.5), -1);
    assert_eq!(sample::to_fixed(1.9), 1);
}

#[test]
fn rows_of_pairs_share_their_chroma() {
    // Two rows of four UYVY texels, 64 bytes apart.
    let mut s = Setup::rect(0x25, 4, 2, 64);
    for (at, word) in [
        (0, 0x4433_2211),
        (4, 0x8877_6655),
        (64, 0xccbb_aa99),
        (68, 1),
    ] {
        s.memory.write_u32(BASE + at, word);
    }
    let row = |y: f32| [0.5, 1.5, 2.5, 3.5].map(|x| s.at(x, y));
    assert_eq!(
        row(0.5),
        [0xff22_1133, 0xff44_1133, 0xff66_5577, 0xff88_5577]
    );
    assert_eq!(row(1.5)[..3], [0xffaa_99bb, 0xffcc_99bb, 0xff00_0100]);
}

#[test]
fn blocks_of_odd_sizes() {
    // 8 x 2 DXT1: two blocks side by side, only their upper half is seen. 2 x 8: two
    // blocks below each other.
    for (log2, uv) in [([3, 1, 0], [0.6, 0.25]), ([1, 3, 0], [0.25, 0.6])] {
        let mut s = Setup::new(0x0e, log2);
        for block in 0..2 {
            s.memory.write_u32(BASE + 16 * block, !0);
            s.memory.write_u32(BASE + 16 * block + 4, !0);
            let c = [0xf800, 0x001f][block as usize];
            s.memory.write_u32(BASE + 16 * block + 8, c << 16 | c);
        }
        assert_eq!(s.at(0.1, 0.1), 0xffff_0000, "{log2:?}");
        assert_eq!(s.at(uv[0], uv[1]), 0xff00_00ff, "{log2:?}");
    }
    // Volumes: 4 x 4 x 2 has groups of two slices.
    let mut s = Setup::new(0x0e, [3, 2, 1]);
    for block in 0..4u32 {
        s.memory.write_u32(BASE + 16 * block, !0);
        s.memory.write_u32(BASE + 16 * block + 4, !0);
        s.memory
            .write_u32(BASE + 16 * block + 8, 0x1_0001 * (block + 1));
    }
    let blue = |v: u32| v << 3 | v >> 2;
    for (u, p, block) in [(0.1, 0.1, 0), (0.1, 0.9, 1), (0.9, 0.1, 2), (0.9, 0.9, 3)] {
        let want = 0xff00_0000 | blue(block + 1);
        assert_eq!(s.at3(u, 0.5, p), want, "{u} {p}");
    }
}

#[test]
fn keys_of_narrow_formats() {
    // A1R5G5B5 compares sixteen bits, X1R5G5B5 fifteen, Y8 eight.
    for (code, texel, key, hit) in [
        (0x02, 0x8123u32, 0xffff_8123, true),
        (0x02, 0x8123, 0x0123, false),
        (0x03, 0x8123, 0x0123, true),
        (0x03, 0x8123, 0x0122, false),
        (0x00, 0x5a, 0xffff_ff5a, true),
        (0x00, 0x5a, 0x5b, false),
        (0x06, 0x8000_005a, 0x5a, false),
    ] {
        let mut s = Setup::new(code, [0, 0, 0]);
        s.memory.write_u32(BASE, texel);
        s.words.take(b::TEX_COLOR_KEY, 0, key);
        s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, 3);
        let alive = s.run(&flat(0.5, 0.5, 0.0, false)).1;
        assert_eq!(alive == 0, hit, "{code:x} {key:x}");
    }
    // Texel 65 of 128 has its own bit.
    let mut s = Setup::rect(0x12, 128, 1, 512);
    s.memory.write_u32(BASE + 4 * 65, 7);
    s.words.take(b::TEX_COLOR_KEY, 0, 7);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, 3);
    for (x, alive) in [
        (0.5, true),
        (1.5, true),
        (64.5, true),
        (65.5, false),
        (66.5, true),
    ] {
        let mask = s.run(&flat(x, 0.5, 0.0, false)).1;
        assert_eq!(mask != 0, alive, "{x}");
    }
}

#[test]
fn a_key_kills_lanes_of_its_own() {
    let mut s = Setup::rect(0x12, 2, 1, 64);
    s.texels32(&[7, 8]);
    s.words.take(b::TEX_COLOR_KEY, 0, 7);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, 3);
    let mut c = flat(1.5, 0.5, 0.0, false);
    c.u[3] = 0.5;
    c.u[12] = 0.5;
    assert_eq!(s.run(&c).1, !(1 << 3 | 1 << 12));
}

#[test]
fn comparison_modes_per_unit_from_nv25_on() {
    for (chip, want) in [(Chip::Nv20, [5, 5, 5, 5]), (Chip::Nv25, [1, 2, 3, 4])] {
        let mut w = Bundles::default();
        let mut z = 0;
        if chip == Chip::Nv20 {
            z = b::TEX_ZCOMP::MODE.with(chip, z, 5);
        } else {
            for (f, v) in [
                (b::TEX_ZCOMP::TEX0_MODE, 1),
                (b::TEX_ZCOMP::TEX1_MODE, 2),
                (b::TEX_ZCOMP::TEX2_MODE, 3),
                (b::TEX_ZCOMP::TEX3_MODE, 4),
            ] {
                z = f.with(chip, z, v);
            }
        }
        w.take(b::TEX_ZCOMP, 0, z);
        let got = [0, 1, 2, 3].map(|i| {
            w.take(b::TEX_CONTROL, i, b::TEX_CONTROL::ENABLE.with(chip, 0, 1));
            let unit = Unit::prepare(chip, &w, [DmaSpan::default(); 2], i).expect("on");
            unit.control.compare
        });
        assert_eq!(got, want, "{chip:?}");
    }
}

#[test]
fn what_the_short_path_takes() {
    let plain = |s: &Setup| s.unit().control.plain;
    let base = Setup::new(0x06, [2, 2, 0]);
    assert!(plain(&base));
    assert!(plain(&Setup::rect(0x24, 2, 2, 64)), "YUV bytes");
    // Products of rows and widths have sixteen bits each there.
    for (sides, want) in [
        ([14, 14, 0], true),
        ([15, 2, 0], false),
        ([2, 15, 0], false),
    ] {
        assert_eq!(plain(&Setup::new(0x06, sides)), want, "{sides:?}");
    }
    type Change = (&'static str, fn(&mut Setup));
    let changes: [Change; 14] = [
        ("sixteen bits", |s| {
            s.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, 0x33)
        }),
        ("depth", |s| {
            s.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, 0x2c)
        }),
        ("a sign", |s| {
            s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_G, 1)
        }),
        ("a cube", |s| {
            s.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1)
        }),
        ("a volume", |s| s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, 3)),
        ("one axis", |s| s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, 1)),
        ("border texels", |s| {
            s.set(b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, 0)
        }),
        ("a border in s", |s| s.wrap(4, 1, 1)),
        ("a border in t", |s| s.wrap(1, 5, 1)),
        ("a kernel above", |s| s.filter(1, 4)),
        ("a kernel below", |s| s.filter(7, 1)),
        ("anisotropy", |s| {
            s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 1)
        }),
        ("alpha kill", |s| {
            s.set(b::TEX_CONTROL, b::TEX_CONTROL::ALPHA_KILL, 1)
        }),
        ("a killing key", |s| {
            s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, 3)
        }),
    ];
    for (what, change) in changes {
        let mut s = Setup::new(0x06, [2, 2, 0]);
        change(&mut s);
        assert!(!plain(&s), "{what}");
    }
}

#[test]
fn footprints_are_asked_for_where_they_matter() {
    for (mips, min, mag, aniso, want) in [
        (1, 1, 1, 0, false),
        (1, 2, 2, 0, false),
        (1, 2, 1, 0, true),
        (1, 6, 2, 0, false),
        (2, 6, 2, 0, true),
        (2, 3, 1, 0, true),
        (2, 2, 2, 0, false),
        (1, 1, 1, 1, true),
    ] {
        let mut s = Setup::new(0x06, [2, 2, 0]);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, mips);
        s.filter(min, mag);
        s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, aniso);
        let got = s.unit().control.needs_lod();
        assert_eq!(got, want, "{mips} {min} {mag} {aniso}");
    }
}

#[test]
fn cylinders_turn_beyond_half() {
    for (c, want) in [
        ([0.25, 0.75, 0.25], [0.25, 0.75, 0.25]),
        ([0.25, 0.8125, -0.3125], [0.25, -0.1875, 0.6875]),
        ([0.75, 0.25, 0.1875], [0.75, 0.25, 1.1875]),
    ] {
        let mut got = c;
        unwrap_cylinder(&mut got);
        assert_eq!(got, want);
    }
}

#[test]
fn cylinder_bits_of_the_families() {
    let axes = |chip: Chip, bundle: b::Bundle, fields: &[(Field, u32)]| {
        let word = fields.iter().fold(0, |w, (f, v)| f.with(chip, w, *v));
        let mut w = Bundles::default();
        w.take(bundle, 0, word);
        cylinder_axes(chip, &w)
    };
    use b::{TEX_FORMAT as F, TEX_WRAP as W};
    for (mode, cyl, k) in [
        (W::WRAP_S, W::WRAP_S_CYL, 0),
        (W::WRAP_T, W::WRAP_T_CYL, 1),
        (W::WRAP_R, W::WRAP_R_CYL, 2),
    ] {
        for (wrap, on) in [(1, true), (2, false), (3, false)] {
            let got = axes(Chip::Nv20, b::TEX_WRAP, &[(mode, wrap), (cyl, 1)]);
            let mut want = [false; 4];
            want[k] = on;
            assert_eq!((got[0], got[1]), (want, [false; 4]), "{k} {wrap}");
        }
        // Repeating alone does not turn.
        assert_eq!(axes(Chip::Nv20, b::TEX_WRAP, &[(mode, 1)])[0], [false; 4]);
    }
    for (mode, cyl, k) in [(F::WRAP_S, F::WRAP_S_CYL, 0), (F::WRAP_T, F::WRAP_T_CYL, 1)] {
        for (wrap, on) in [(1, true), (2, false)] {
            let got = axes(Chip::Nv10, b::TEX_FORMAT, &[(mode, wrap), (cyl, 1)]);
            let mut want = [false; 4];
            want[k] = on;
            assert_eq!(
                got,
                [want, [false; 4], [false; 4], [false; 4]],
                "{k} {wrap}"
            );
        }
        assert_eq!(axes(Chip::Nv10, b::TEX_FORMAT, &[(mode, 1)])[0], [false; 4]);
    }
}

#[test]
fn the_cache_drops_the_oldest() {
    // Six images of four texels each, nine with their margins, at offsets 0 to 5; one is used again.
    let mut s = Setup::new(0x00, [1, 1, 0]);
    let mut cache = TexCache::default();
    let mut get = |cache: &mut TexCache, offset: u32| {
        s.words.take(b::TEX_OFFSET, 0, BASE + offset);
        cache.get(&s.unit().source, &s.memory)
    };
    let images: Vec<_> = (0..6).map(|i| get(&mut cache, i)).collect();
    let kept = |cache: &mut TexCache, get: &mut dyn FnMut(&mut TexCache, u32) -> _, i: u32| {
        let image: std::sync::Arc<Image> = get(cache, i);
        std::sync::Arc::ptr_eq(&image, &images[i as usize])
    };
    assert!(kept(&mut cache, &mut get, 0));
    cache.trim(54);
    assert_eq!(cache.held(), (6, 54));
    // 53 texels are one too few for all six: the oldest, number 1, goes.
    cache.trim(53);
    assert_eq!(cache.held(), (5, 45));
    // Four images stay, however large.
    cache.trim(0);
    assert_eq!(cache.held(), (4, 36));
    for (i, stays) in [(0, true), (5, true), (4, true), (3, true), (1, false)] {
        assert_eq!(kept(&mut cache, &mut get, i), stays, "{i}");
    }
}

#[test]
fn axes_follow_mode_in_swizzled_images_only() {
    for (mode, dims) in [(1, 1), (2, 2), (3, 3)] {
        let mut s = Setup::new(0x06, [2, 1, 1]);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, mode);
        let size = [[4, 1, 1], [4, 2, 1], [4, 2, 2]][dims as usize - 1];
        assert_eq!(s.unit().control.dims, dims);
        assert_eq!(s.unit().data.size, size);
        // A linear image and a cube's face are flat.
        let mut s = Setup::rect(0x12, 4, 2, 64);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, mode);
        assert_eq!(s.unit().control.dims, 2);
        assert_eq!(s.unit().data.size, [4, 2, 1]);
        let mut s = Setup::new(0x06, [2, 2, 0]);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, mode);
        s.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
        assert_eq!(s.unit().control.dims, 2);
    }
}

#[test]
fn too_many_texels_read_zero() {
    let mut s = Setup::new(0x06, [1, 1, 0]);
    s.texels32(&[5, 6, 7, 8]);
    let source = s.unit().source;
    // With its margin: the first of each row, and the first row.
    let texels = [5, 6, 5, 7, 8, 7, 5, 6, 5];
    assert_eq!(source.decode_up_to(&s.memory, 9).texels, texels);
    let none = source.decode_up_to(&s.memory, 8);
    assert_eq!((none.texels.len(), none.levels.len()), (1, 1));
    assert_eq!(none.texels, [0]);
}
