//! Every layout, wrap, filter, key and comparison of the texture units.

mod addresses;
mod filters;

use super::*;
use crate::frag::LANES;
use crate::tex::Bundles;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::unit::Takes;
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;

const CHIP: Chip = Chip::Nv2a;
const BASE: u32 = 0x1000;

/// Words of one unit, built field by field.
struct Setup {
    words: Bundles,
    memory: Memory,
}

impl Setup {
    /// A swizzled 2D A8R8G8B8 texture of log2 size, nearest, repeating.
    fn new(format: u32, log2: [u32; 3]) -> Setup {
        let mut s = Setup {
            words: Bundles::default(),
            memory: Memory::new(CHIP),
        };
        s.words.take(b::TEX_OFFSET, 0, BASE);
        for (f, v) in [
            (b::TEX_FORMAT::FORMAT, format),
            (b::TEX_FORMAT::MODE, if log2[2] > 0 { 3 } else { 2 }),
            (b::TEX_FORMAT::BORDER_TYPE, 1),
            (b::TEX_FORMAT::MIPS, 1),
            (b::TEX_FORMAT::SIZE_S, log2[0]),
            (b::TEX_FORMAT::SIZE_T, log2[1]),
            (b::TEX_FORMAT::SIZE_R, log2[2]),
        ] {
            s.set(b::TEX_FORMAT, f, v);
        }
        s.set(b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 1);
        s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
        s.filter(1, 1);
        s.wrap(1, 1, 1);
        s
    }

    /// A linear texture.
    fn rect(format: u32, width: u32, height: u32, pitch: u32) -> Setup {
        let mut s = Setup::new(format, [0; 3]);
        s.set(b::TEX_RECT, b::TEX_RECT::WIDTH, width);
        s.set(b::TEX_RECT, b::TEX_RECT::HEIGHT, height);
        s.set(b::TEX_PITCH, b::TEX_PITCH::PITCH, pitch);
        s.wrap(3, 3, 3);
        s
    }

    fn set(&mut self, bundle: b::Bundle, field: Field, value: u32) {
        let word = field
            .set(
                CHIP,
                self.words.register(bundle, 0).expect("its own"),
                value,
            )
            .expect("fits");
        self.words.take(bundle, 0, word);
    }

    fn wrap(&mut self, s: u32, t: u32, r: u32) {
        self.set(b::TEX_WRAP, b::TEX_WRAP::WRAP_S, s);
        self.set(b::TEX_WRAP, b::TEX_WRAP::WRAP_T, t);
        self.set(b::TEX_WRAP, b::TEX_WRAP::WRAP_R, r);
    }

    fn filter(&mut self, min: u32, mag: u32) {
        self.set(b::TEX_FILTER, b::TEX_FILTER::MINIFY, min);
        self.set(b::TEX_FILTER, b::TEX_FILTER::MAGNIFY, mag);
        self.set(b::TEX_FILTER, b::TEX_FILTER::CONVOLUTION_KERNEL, 1);
    }

    fn texels32(&mut self, texels: &[u32]) -> &mut Setup {
        for (i, &t) in texels.iter().enumerate() {
            self.memory.write_u32(BASE + 4 * i as u32, t);
        }
        self
    }

    fn unit(&self) -> Unit {
        Unit::prepare(CHIP, &self.words, [DmaSpan::default(); 2], 0).expect("enabled")
    }

    fn run(&self, c: &Coords) -> (Texels, u16) {
        let unit = self.unit();
        let image = TexCache::default().get(&unit.source, &self.memory);
        let mut mask = !0;
        let out = Sampler {
            unit: &unit,
            image: &image,
        }
        .sample(c, &mut mask);
        (out, mask)
    }

    /// The texel at a point, no footprint.
    fn at(&self, u: f32, v: f32) -> u32 {
        self.run(&flat(u, v, 0.0, false)).0[0]
    }

    fn at3(&self, u: f32, v: f32, p: f32) -> u32 {
        self.run(&flat(u, v, p, true)).0[0]
    }

    /// The texel of lane 0 where u grows by `du` per pixel.
    fn stretched(&self, u: f32, v: f32, du: f32) -> u32 {
        let mut c = flat(u, v, 0.0, false);
        for i in 0..LANES {
            c.u[i] += du * (i % 8) as f32;
        }
        self.run(&c).0[0]
    }
}

fn flat(u: f32, v: f32, p: f32, three: bool) -> Coords {
    Coords {
        u: [u; LANES],
        v: [v; LANES],
        p: [p; LANES],
        face: [0; LANES],
        vectors: None,
        three,
    }
}

#[test]
fn morton_order() {
    // 4 x 2: bits x0 y0 x1
    let mut s = Setup::new(0x06, [2, 1, 0]);
    s.texels32(&[0, 1, 10, 11, 2, 3, 12, 13]);
    for (y, row) in [[0, 1, 2, 3], [10, 11, 12, 13]].into_iter().enumerate() {
        for (x, want) in row.into_iter().enumerate() {
            let (u, v) = ((x as f32 + 0.5) / 4.0, (y as f32 + 0.5) / 2.0);
            assert_eq!(s.at(u, v), want, "{x} {y}");
        }
    }
    // 2 x 2 x 2: x0 y0 z0
    let mut s = Setup::new(0x06, [1, 1, 1]);
    s.texels32(&[0, 1, 10, 11, 100, 101, 110, 111]);
    assert_eq!(s.at3(0.75, 0.25, 0.75), 101);
    assert_eq!(s.at3(0.25, 0.75, 0.25), 10);
    // a 2D operation sees slice 0
    assert_eq!(s.at(0.75, 0.75), 11);
}

#[test]
fn linear_rows_and_texel_coordinates() {
    let mut s = Setup::rect(0x12, 3, 2, 32);
    s.texels32(&[0, 1, 2, 9, 9, 9, 9, 9, 10, 11, 12]);
    assert_eq!(s.at(2.9, 0.5), 2);
    assert_eq!(s.at(1.0, 1.0), 11);
    assert_eq!(s.at(-5.0, 77.0), 10);
    let mut s = Setup::rect(0x24, 2, 1, 64);
    s.texels32(&[0x4433_2211]);
    assert_eq!([s.at(0.5, 0.0), s.at(1.5, 0.0)], [0xff11_2244, 0xff33_2244]);
}

#[test]
fn wraps() {
    let mut s = Setup::new(0x06, [2, 0, 0]);
    s.texels32(&[0, 1, 2, 3]);
    s.words.take(b::TEX_BORDER_COLOR, 0, 0xb);
    let row = |s: &Setup| -> Vec<u32> {
        (-5..10)
            .map(|i| s.at((i as f32 + 0.5) / 4.0, 0.5))
            .collect()
    };
    s.wrap(1, 1, 1);
    assert_eq!(row(&s), [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
    s.wrap(2, 1, 1);
    assert_eq!(row(&s), [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1]);
    s.wrap(3, 1, 1);
    assert_eq!(row(&s), [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]);
    s.wrap(4, 1, 1);
    assert_eq!(
        row(&s),
        [11, 11, 11, 11, 11, 0, 1, 2, 3, 11, 11, 11, 11, 11, 11]
    );
    s.wrap(5, 1, 1);
    assert_eq!(row(&s), [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]);
    // the other axes have modes of their own
    s.wrap(1, 4, 1);
    assert_eq!(s.at(0.1, 1.5), 11);
    s.wrap(1, 1, 4);
    assert_eq!(s.at(0.1, 1.5), 0);
}

#[test]
fn clamp_blends_with_the_border_when_linear() {
    let mut s = Setup::new(0x06, [2, 0, 0]);
    s.texels32(&[0x10, 0x20, 0x30, 0x40]);
    s.words.take(b::TEX_BORDER_COLOR, 0, 0x80);
    s.filter(2, 2);
    for (mode, want) in [(3, 0x10), (5, 0x48), (4, 0x80)] {
        s.wrap(mode, 3, 3);
        assert_eq!(s.at(-1.0, 0.5), want, "{mode}");
    }
}

#[test]
fn border_texels_lie_around_the_image() {
    // 4 x 4 stored as 16 x 16, texel 0 at (4, 4)
    let mut s = Setup::new(0x06, [2, 2, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, 0);
    s.wrap(4, 4, 4);
    let morton = |x: u32, y: u32| {
        (0..4).fold(0, |m, i| {
            m | (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1)
        })
    };
    for y in 0..16 {
        for x in 0..16 {
            s.memory.write_u32(BASE + 4 * morton(x, y), y << 8 | x);
        }
    }
    assert_eq!(s.at(0.1, 0.1), 0x0404);
    assert_eq!(s.at(0.9, 0.1), 0x0407);
    assert_eq!(s.at(-0.3, 1.1), 0x0802);
    assert_eq!(s.at(-9.0, 9.0), 0x0b00);
    s.wrap(1, 1, 1);
    assert_eq!(s.at(-0.1, 0.1), 0x0407);
}

#[test]
fn bilinear_goes_row_by_row_with_eight_bits() {
    let mut s = Setup::rect(0x12, 2, 2, 64);
    s.memory.write_u32(BASE, 0xff00_0000);
    s.memory.write_u32(BASE + 4, 0x01ff_0000);
    s.memory.write_u32(BASE + 64, 0x0000_ff00);
    s.memory.write_u32(BASE + 68, 0x0000_00ff);
    s.filter(2, 2);
    let lerp = |a: u32, b: u32, w: u32| (a * (256 - w) + b * w + 128) >> 8;
    for (wx, wy) in [(0, 0), (64, 192), (1, 255), (128, 128), (77, 3)] {
        let (u, v) = (0.5 + wx as f32 / 256.0, 0.5 + wy as f32 / 256.0);
        let t = [0xff00_0000, 0x01ff_0000, 0x0000_ff00, 0x0000_00ffu32];
        let want = [24, 16, 8, 0].into_iter().fold(0, |out, shift| {
            let c = t.map(|t| t >> shift & 255);
            let v = lerp(lerp(c[0], c[1], wx), lerp(c[2], c[3], wx), wy);
            out | v << shift
        });
        assert_eq!(s.at(u, v), want, "{wx} {wy}");
    }
    // the weight is cut, not rounded
    assert_eq!(s.at(0.5 + 0.99 / 256.0, 0.5), 0xff00_0000);
}

#[test]
fn signed_and_wide_components() {
    let mut s = Setup::rect(0x12, 2, 1, 64);
    s.texels32(&[0x7f7f_7f7f, 0x8181_8181]);
    s.filter(2, 2);
    let half = |s: &Setup| s.at(1.0, 0.5);
    assert_eq!(half(&s), 0x8080_8080);
    for (field, shift) in [
        (b::TEX_FILTER::SIGNED_A, 24),
        (b::TEX_FILTER::SIGNED_R, 16),
        (b::TEX_FILTER::SIGNED_G, 8),
        (b::TEX_FILTER::SIGNED_B, 0),
    ] {
        s.set(b::TEX_FILTER, field, 1);
        assert_eq!(half(&s), 0x8080_8080 & !(0xff << shift), "{shift}");
        s.set(b::TEX_FILTER, field, 0);
    }
    let mut s = Setup::rect(0x36, 2, 1, 64);
    s.texels32(&[0x0100_00ff, 0x0200_0100]);
    s.filter(2, 2);
    assert_eq!(half(&s), 0x0180_0100);
    s.texels32(&[0x7fff_7fff, 0x8001_8001]);
    assert_eq!(half(&s), 0x8000_8000);
    s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_A, 1);
    assert_eq!(half(&s), 0x0000_8000);
    s.set(b::TEX_FILTER, b::TEX_FILTER::SIGNED_G, 1);
    assert_eq!(half(&s), 0);
}

#[test]
fn volume_filters_blend_slices() {
    let mut s = Setup::new(0x06, [0, 0, 1]);
    s.texels32(&[0x10, 0x30]);
    s.wrap(3, 3, 3);
    s.filter(2, 2);
    assert_eq!(s.at3(0.5, 0.5, 0.25), 0x10);
    assert_eq!(s.at3(0.5, 0.5, 0.5), 0x20);
    assert_eq!(s.at3(0.5, 0.5, 0.75), 0x30);
    assert_eq!(s.at(0.5, 0.5), 0x10);
}

#[test]
fn levels() {
    // 4x4 of 0x10, 2x2 of 0x20, 1x1 of 0x40
    let mut s = Setup::new(0x06, [2, 2, 0]);
    s.texels32(&[[0x10; 16].as_slice(), &[0x20; 4], &[0x40]].concat());
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 3);
    let at = |s: &Setup, texels: f32| s.stretched(0.0, 0.0, texels / 4.0);
    for (min, steps, want) in [
        (1, 4.0, 0x10),
        (2, 4.0, 0x10),
        (3, 1.0, 0x10),
        (3, 1.3, 0x10),
        (3, 1.5, 0x20),
        (3, 3.0, 0x40),
        (4, 2.0, 0x20),
        (5, 2.0, 0x20),
        (6, 1.0, 0x10),
        (6, 2.0, 0x20),
        (6, 99.0, 0x40),
        (6, 0.5, 0x10),
    ] {
        s.filter(min, 1);
        assert_eq!(at(&s, steps), want, "filter {min}, {steps}");
    }
    // between two levels: log2(1.5) = 0.585 -> 149/256
    s.filter(6, 2);
    assert_eq!(at(&s, 1.5), (0x10 * (256 - 149) + 0x20 * 149 + 128) >> 8);
    // bias, signed 5.8
    s.words.take(
        b::TEX_FILTER,
        0,
        s.words.register(b::TEX_FILTER, 0).expect("its own") & !0x1fff | 0x100,
    );
    assert_eq!(at(&s, 1.0), 0x20);
    s.words.take(
        b::TEX_FILTER,
        0,
        s.words.register(b::TEX_FILTER, 0).expect("its own") & !0x1fff | 0x1f00,
    );
    assert_eq!(at(&s, 2.0), 0x10);
    s.words.take(
        b::TEX_FILTER,
        0,
        s.words.register(b::TEX_FILTER, 0).expect("its own") & !0x1fff,
    );
    // limits
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0x100);
    assert_eq!(at(&s, 4.0), 0x20);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0x100);
    assert_eq!(at(&s, 1.1), 0x20);
    // the vertical footprint counts as much
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, 0);
    let mut c = flat(0.0, 0.0, 0.0, false);
    for i in 8..LANES {
        c.v[i] = 1.0;
    }
    assert_eq!(s.run(&c).0[0], 0x40);
}

#[test]
fn minification_starts_above_one_texel() {
    let mut s = Setup::rect(0x12, 2, 1, 64);
    s.texels32(&[0x10, 0x30]);
    s.filter(2, 1);
    assert_eq!(s.stretched(1.25, 0.5, 1.0), 0x30);
    assert_eq!(s.stretched(1.25, 0.5, 1.1), 0x28);
    s.filter(1, 2);
    assert_eq!(s.stretched(1.25, 0.5, 1.0), 0x28);
    assert_eq!(s.stretched(1.25, 0.5, 1.1), 0x30);
}

#[test]
fn convolutions() {
    let mut s = Setup::rect(0x12, 3, 3, 64);
    for y in 0..3 {
        for x in 0..3 {
            s.memory
                .write_u32(BASE + y * 64 + x * 4, 1 << (2 * (x + 3 * y)) & 0xff);
        }
    }
    s.memory.write_u32(BASE + 64 + 4, 128);
    s.filter(7, 4);
    let t = |x: i64, y: i64| {
        if (x, y) == (1, 1) {
            128
        } else {
            (1i64 << (2 * (x + 3 * y))) & 0xff
        }
    };
    let corners = t(0, 0) + t(2, 0) + t(0, 2) + t(2, 2);
    let edges = t(1, 0) + t(0, 1) + t(2, 1) + t(1, 2);
    assert_eq!(i64::from(s.at(1.5, 1.5)), (8 * 128 + 2 * corners + 8) / 16);
    s.set(b::TEX_FILTER, b::TEX_FILTER::CONVOLUTION_KERNEL, 2);
    assert_eq!(
        i64::from(s.at(1.5, 1.5)),
        (4 * 128 + 2 * edges + corners + 8) / 16
    );
}

#[test]
fn anisotropy_takes_probes_along_the_longer_side() {
    let mut s = Setup::rect(0x12, 64, 1, 256);
    let row: Vec<u32> = (0..64).collect();
    s.texels32(&row);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 1);
    // footprint 8 wide, under 1 high, limit 2: probes at +-2
    let four = |s: &Setup| s.stretched(16.5, 0.5, 8.0);
    assert_eq!(four(&s), (14 + 18) / 2);
    s.texels32(&(0..64).map(|x| x * x / 16).collect::<Vec<_>>());
    assert_eq!(four(&s), u32::midpoint(14 * 14 / 16 + 1, 18 * 18 / 16));
    // limit 8: probes at +-0.5, 1.5, 2.5, 3.5 texels
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ANISOTROPY, 3);
    let mut sum = 0;
    for at in [0.5, 1.5, 2.5, 3.5f32] {
        for x in [16.5 + at, 16.5 - at] {
            let x = x.floor() as u32;
            sum += x * x / 16;
        }
    }
    assert_eq!(four(&s), (2 * sum + 8) / 16);
    // square footprints take one
    assert_eq!(s.stretched(16.5, 0.5, 1.2), 16);
}

#[test]
fn palettes() {
    for (length, mask) in [(0, 255), (1, 127), (2, 63), (3, 31)] {
        let mut s = Setup::new(0x0b, [2, 0, 0]);
        s.set(b::TEX_PALETTE, b::TEX_PALETTE::OFFSET, 0x8000 >> 6);
        s.set(b::TEX_PALETTE, b::TEX_PALETTE::LENGTH, length);
        s.memory.write(BASE, &[0, 31, 127, 255]);
        for i in 0..256 {
            s.memory.write_u32(0x8000 + 4 * i, 0x0100_0000 | i);
        }
        for (x, index) in [0, 31, 127, 255].into_iter().enumerate() {
            let want = 0x0100_0000 | index & mask;
            assert_eq!(s.at((x as f32 + 0.5) / 4.0, 0.5), want, "{length} {index}");
        }
    }
    let mut s = Setup::new(0x09, [0, 0, 0]);
    s.set(b::TEX_PALETTE, b::TEX_PALETTE::OFFSET, 0x8000 >> 6);
    s.memory.write(BASE, &[3]);
    s.memory.write_u16(0x8006, 0xf800);
    assert_eq!(s.at(0.0, 0.0), 0xffff_0000);
}

#[test]
fn colour_keys_and_alpha_kill() {
    let mut s = Setup::new(0x06, [1, 0, 0]);
    s.texels32(&[0x8012_3456, 0x0012_3456]);
    s.words.take(b::TEX_COLOR_KEY, 0, 0x8012_3456);
    let both = |s: &Setup| [s.at(0.25, 0.5), s.at(0.75, 0.5)];
    let kills = |s: &Setup| [0.25, 0.75].map(|u| s.run(&flat(u, 0.5, 0.0, false)).1 == 0);
    for (mode, want, killed) in [
        (0, [0x8012_3456, 0x0012_3456], [false, false]),
        (1, [0x0012_3456, 0x0012_3456], [false, false]),
        (2, [0, 0x0012_3456], [false, false]),
        (3, [0x8012_3456, 0x0012_3456], [true, false]),
    ] {
        s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, mode);
        assert_eq!((both(&s), kills(&s)), (want, killed), "{mode}");
    }
    // X8: the top byte does not count
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, 0x07);
    assert_eq!(kills(&s), [true, true]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, 0x06);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::COLOR_KEY_MODE, 0);
    s.set(b::TEX_CONTROL, b::TEX_CONTROL::ALPHA_KILL, 1);
    assert_eq!(kills(&s), [false, true]);
}

#[test]
fn depth_comparison() {
    for (func, below, equal, above) in [
        (0, false, false, false),
        (1, false, false, true),
        (2, false, true, false),
        (3, false, true, true),
        (4, true, false, false),
        (5, true, false, true),
        (6, true, true, false),
        (7, true, true, true),
    ] {
        let mut s = Setup::rect(0x30, 1, 1, 64);
        s.memory.write_u16(BASE, 1000);
        s.set(b::TEX_ZCOMP, b::TEX_ZCOMP::MODE, func);
        for (r, pass) in [(999.9, below), (1000.5, equal), (1001.0, above)] {
            let want = if pass { !0 } else { 0 };
            assert_eq!(s.at3(0.5, 0.5, r), want, "{func} {r}");
        }
        // a 2D operation compares 0, whatever its third coordinate
        let want = if below { !0 } else { 0 };
        assert_eq!(s.at(0.5, 0.5), want);
        assert_eq!(s.run(&flat(0.5, 0.5, 2000.0, false)).0[0], want);
    }
    // 24 bits, and the float forms
    let mut s = Setup::rect(0x2e, 1, 1, 64);
    s.texels32(&[0x1234_5678]);
    s.set(b::TEX_ZCOMP, b::TEX_ZCOMP::MODE, 2);
    assert_eq!(s.at3(0.5, 0.5, 0x12_3456 as f32), !0);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, 0x2f);
    s.texels32(&[(1.5f32.to_bits() >> 7) << 8]);
    assert_eq!(s.at3(0.5, 0.5, 1.5), !0);
    assert_eq!(s.at3(0.5, 0.5, 1.6), 0);
    assert_eq!(sample::depth_units(1.0, false, true), 0x8000 - 0x1000);
    assert_eq!(sample::depth_units(1e-9, false, true), 0);
    assert_eq!(sample::depth_units(1e30, false, true), 0xffff);
    assert_eq!(sample::depth_units(f32::NAN, true, false), 0);
    assert_eq!(sample::depth_units(1e30, true, false), 0x00ff_ffff);
    // filtered: the comparison's results are blended
    let mut s = Setup::rect(0x30, 2, 1, 64);
    s.memory.write_u16(BASE, 5);
    s.memory.write_u16(BASE + 2, 50);
    s.set(b::TEX_ZCOMP, b::TEX_ZCOMP::MODE, 1);
    s.filter(2, 2);
    assert_eq!(s.at3(1.0, 0.5, 10.0), 0x8080_8080);
}

#[test]
fn faces() {
    for (v, face, st) in [
        ([1.0, 0.25, 0.5], 0, [-0.5, 0.25]),
        ([-1.0, 0.25, 0.5], 1, [0.5, 0.25]),
        ([0.25, 1.0, 0.5], 2, [0.25, -0.5]),
        ([0.25, -1.0, 0.5], 3, [0.25, 0.5]),
        ([0.25, 0.5, 1.0], 4, [0.25, 0.5]),
        ([0.25, 0.5, -1.0], 5, [-0.25, 0.5]),
        ([1.0, 1.0, 1.0], 0, [-1.0, 1.0]),
        ([0.5, -1.0, 1.0], 3, [0.5, 1.0]),
    ] {
        assert_eq!(face_of(v[0], v[1], v[2]), face, "{v:?}");
        assert_eq!(face_coords(face, v), st, "{v:?}");
    }
    assert_eq!(face_of(f32::NAN, f32::NAN, f32::NAN), 0);
}

#[test]
fn cube_faces_follow_each_other() {
    // 2x2 faces of two levels: 5 texels = 20 bytes, stride 128
    let mut s = Setup::new(0x06, [1, 1, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, 1);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 2);
    for f in 0..6 {
        for i in 0..5 {
            s.memory.write_u32(BASE + 128 * f + 4 * i, 16 * f + i);
        }
    }
    for f in 0..6 {
        let mut c = flat(0.75, 0.25, 0.0, false);
        c.face = [f; LANES];
        assert_eq!(s.run(&c).0[0], 16 * u32::from(f) + 1);
    }
}

#[test]
fn volume_blocks_come_in_groups_of_four_slices() {
    // DXT1 4x4x8: block z of group z/4
    let mut s = Setup::new(0x0c, [2, 2, 3]);
    for z in 0..8 {
        s.memory.write_u32(BASE + 8 * z, z << 16 | z); // blue z
        s.memory.write_u32(BASE + 8 * z + 4, 0);
    }
    let unit = s.unit();
    let mut source = unit.source;
    source.noise = false;
    let image = source.decode(&s.memory);
    for z in 0..8 {
        let want = 0xff00_0000 | (z << 3 | z >> 2);
        assert_eq!(image.texels[16 * z as usize], want);
    }
    // 8x4x4: blocks of the same column first
    let mut s = Setup::new(0x0c, [3, 2, 2]);
    for i in 0..8 {
        s.memory.write_u32(BASE + 8 * i, i << 16 | i);
    }
    let mut source = s.unit().source;
    source.noise = false;
    let image = source.decode(&s.memory);
    assert_eq!(image.texels[4] & 255, 4 << 3 | 4 >> 2);
    assert_eq!(image.texels[32] & 255, 1 << 3);
}

#[test]
fn one_dimensional_textures_ignore_t() {
    let mut s = Setup::new(0x06, [1, 1, 0]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, 1);
    s.texels32(&[1, 2, 3, 4]);
    assert_eq!([s.at(0.25, 0.75), s.at(0.75, 0.75)], [1, 2]);
    s.filter(2, 2);
    s.texels32(&[0x10, 0x20]);
    assert_eq!(s.at(0.5, 0.75), 0x18);
}

#[test]
fn the_cache_sees_new_contents() {
    let mut s = Setup::new(0x06, [0, 0, 0]);
    s.texels32(&[1]);
    let mut cache = TexCache::default();
    let source = s.unit().source;
    assert_eq!(cache.get(&source, &s.memory).texels[0], 1);
    assert_eq!(cache.get(&source, &s.memory).texels[0], 1);
    s.texels32(&[2]);
    assert_eq!(cache.get(&source, &s.memory).texels[0], 2);
    // the palette counts too
    let mut s = Setup::new(0x0b, [0, 0, 0]);
    s.set(b::TEX_PALETTE, b::TEX_PALETTE::OFFSET, 0x8000 >> 6);
    let source = s.unit().source;
    assert_eq!(cache.get(&source, &s.memory).texels[0], 0);
    s.memory.write_u32(0x8000, 7);
    assert_eq!(cache.get(&source, &s.memory).texels[0], 7);
}

#[test]
fn hostile_words_do_no_harm() {
    let mut seed = 12345u32;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed
    };
    let memory = Memory::new(CHIP);
    for _ in 0..300 {
        let mut w = Bundles::default();
        for bundle in [
            b::TEX_FORMAT,
            b::TEX_CONTROL,
            b::TEX_FILTER,
            b::TEX_WRAP,
            b::TEX_PITCH,
            b::TEX_RECT,
            b::TEX_PALETTE,
            b::TEX_OFFSET,
        ] {
            w.take(bundle, 0, random());
        }
        // keep the images small enough for a test
        let mut format = w.register(b::TEX_FORMAT, 0).expect("its own");
        for f in [
            b::TEX_FORMAT::SIZE_S,
            b::TEX_FORMAT::SIZE_T,
            b::TEX_FORMAT::SIZE_R,
        ] {
            format = f.with(CHIP, format, f.get(CHIP, format) & 5);
        }
        w.take(b::TEX_FORMAT, 0, format);
        w.take(
            b::TEX_RECT,
            0,
            w.register(b::TEX_RECT, 0).expect("its own") & 0x003f_003f,
        );
        w.take(
            b::TEX_CONTROL,
            0,
            w.register(b::TEX_CONTROL, 0).expect("its own") | 1 << 30,
        );
        let Some(unit) = Unit::prepare(CHIP, &w, [DmaSpan::default(); 2], 0) else {
            continue;
        };
        let image = TexCache::default().get(&unit.source, &memory);
        for v in [f32::NAN, f32::INFINITY, -1e38, 1e38, -0.5, 0.5] {
            let mut c = flat(v, -v, v, random() & 1 != 0);
            c.u[3] = f32::from_bits(random());
            Sampler {
                unit: &unit,
                image: &image,
            }
            .sample(&c, &mut 0);
        }
    }
    // far more than memory holds
    let mut s = Setup::new(0x0c, [15, 15, 15]);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 15);
    assert_eq!(s.at3(0.5, 0.5, 0.5), 0);
}

#[test]
fn cylinders() {
    let mut w = Bundles::default();
    let mut word = 0;
    for (f, v) in [
        (b::TEX_WRAP::WRAP_S, 1),
        (b::TEX_WRAP::WRAP_S_CYL, 1),
        (b::TEX_WRAP::WRAP_T, 2),
        (b::TEX_WRAP::WRAP_T_CYL, 1),
        (b::TEX_WRAP::WRAP_R, 1),
    ] {
        word = f.with(CHIP, word, v);
    }
    w.take(b::TEX_WRAP, 1, word);
    let axes = cylinder_axes(CHIP, &w);
    assert_eq!(axes[1], [true, false, false, false]);
    assert_eq!(axes[0], [false; 4]);
    let mut c = [0.1, 0.9, 0.5];
    unwrap_cylinder(&mut c);
    assert_eq!(c, [0.1, 0.9 - 1.0, 0.5]);
    let mut c = [0.9, 0.1, 0.4];
    unwrap_cylinder(&mut c);
    assert_eq!(c, [0.9, 1.1, 0.4]);
}

#[test]
fn celsius_words() {
    let chip = Chip::Nv10;
    let mut memory = Memory::new(chip);
    for i in 0..4u32 {
        memory.write_u32(BASE + 4 * i, i + 1);
    }
    let mut format = 0;
    for (f, v) in [
        (b::TEX_FORMAT::FORMAT, 6),
        (b::TEX_FORMAT::MIPS, 1),
        (b::TEX_FORMAT::SIZE_S, 2),
        (b::TEX_FORMAT::WRAP_S, 1),
        (b::TEX_FORMAT::WRAP_T, 3),
        (b::TEX_FORMAT::ORIGIN_ZOH, 1),
        (b::TEX_FORMAT::ORIGIN_FOH, 1),
    ] {
        format = f.set(chip, format, v).expect("fits");
    }
    let mut filter = 0;
    for (f, v) in [(b::TEX_FILTER::MINIFY, 1), (b::TEX_FILTER::MAGNIFY, 1)] {
        filter = f.set(chip, filter, v).expect("fits");
    }
    let mut w = Bundles::default();
    w.take(b::TEX_OFFSET, 1, BASE);
    w.take(b::TEX_FORMAT, 1, format);
    w.take(b::TEX_FILTER, 1, filter);
    w.take(b::TEX_CONTROL, 1, 1 << 30);
    let at = |w: &Bundles, u: f32| {
        let unit = Unit::prepare(chip, w, [DmaSpan::default(); 2], 1).expect("enabled");
        let image = TexCache::default().get(&unit.source, &memory);
        Sampler {
            unit: &unit,
            image: &image,
        }
        .sample(&flat(u, 0.5, 0.0, false), &mut 0)[0]
    };
    assert_eq!([at(&w, 0.3), at(&w, 1.3), at(&w, 0.49)], [2, 2, 2]);
    // texel centres at integers: the nearest one is half a texel off
    w.take(
        b::TEX_FORMAT,
        1,
        b::TEX_FORMAT::ORIGIN_ZOH.with(chip, format, 0),
    );
    assert_eq!([at(&w, 0.3), at(&w, 0.49)], [2, 3]);
    w.take(b::TEX_CONTROL, 1, 0);
    assert!(Unit::prepare(chip, &w, [DmaSpan::default(); 2], 1).is_none());
}

#[test]
fn dma_objects_select_the_base() {
    let mut s = Setup::new(0x06, [0, 0, 0]);
    let spans = [0, 0x10_0000].map(|base| DmaSpan { base, limit: !0 });
    let addr = |s: &Setup| {
        Unit::prepare(CHIP, &s.words, spans, 0)
            .expect("on")
            .source
            .addr
    };
    assert_eq!(addr(&s), BASE);
    s.set(b::TEX_FORMAT, b::TEX_FORMAT::DMA, 1);
    assert_eq!(addr(&s), 0x10_0000 + BASE);
}

#[test]
fn both_paths_give_the_same_bits() {
    let mut seed = 99u32;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed
    };
    for round in 0..400 {
        let mut s = if round % 4 == 0 {
            Setup::rect(0x12, 37, 19, 256)
        } else {
            Setup::new(0x06, [random() % 6, random() % 6, 0])
        };
        if round % 4 != 0 {
            s.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 1 + random() % 6);
        }
        // Sizes that are no powers of two clamp, but may be told to repeat.
        if round % 8 != 0 {
            s.wrap(1 + random() % 3, 1 + random() % 3, 1);
        }
        s.filter(1 + random() % 6, 1 + random() % 2);
        let bias = random() & 0x1fff;
        s.words.take(
            b::TEX_FILTER,
            0,
            s.words.register(b::TEX_FILTER, 0).expect("its own") | bias & 0x1f | bias & 0x1f80,
        );
        if random() % 2 == 0 {
            s.set(b::TEX_CONTROL, b::TEX_CONTROL::MIN_LOD, random() % 0x300);
            s.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, random() % 0x600);
        }
        for i in 0..4096 {
            s.memory.write_u32(BASE + 4 * i, random());
        }
        let unit = s.unit();
        assert!(unit.control.plain);
        let image = TexCache::default().get(&unit.source, &s.memory);
        let sampler = Sampler {
            unit: &unit,
            image: &image,
        };
        let (texture, mut hint) = (PreparedTexture::new(&unit, image.clone()), 7);
        for _ in 0..8 {
            let scale = f32::from_bits(0x3c00_0000 + random() % 0x0500_0000);
            let (u, v) = (random() as i32 as f32 * 1e-9, random() as i32 as f32 * 1e-9);
            let mut c = flat(u, v, 0.0, false);
            // Bent, so that a block sees several levels.
            let bend = [0.0, 0.3, 2.0][random() as usize % 3];
            for i in 0..LANES {
                let x = (i % 8) as f32 * 0.1;
                c.u[i] += scale * (x + bend * x * x);
                c.v[i] += scale * (i / 8) as f32 * (0.1 + bend * x);
            }
            if random() % 8 == 0 {
                c.u[random() as usize % 16] = f32::from_bits(random());
            }
            let general = sampler.general(&c, &mut 0);
            let fast = isotherm_lanes::Base::sample(&unit, &texture, &mut 0, &c.u, &c.v);
            assert_eq!(fast, general, "round {round}");
            #[cfg(target_arch = "x86_64")]
            if isotherm_lanes::Level::up_to("").is_avx512() {
                let fast = isotherm_lanes::Avx512::sample(&unit, &texture, &mut hint, &c.u, &c.v);
                assert_eq!(fast, general, "round {round}");
            }
        }
    }
}
