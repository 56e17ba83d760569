//! Every operation and mapping of the texture shader.

use super::*;
use crate::bundles::UnitBundles;
use crate::frag::LANES;
use isotherm_regs::bundle as b;

const CHIP: Chip = Chip::Nv2a;

/// A shade under construction: words, memory, coordinates.
struct Setup {
    words: UnitBundles,
    memory: Memory,
    frag: Frag,
}

impl Setup {
    /// Programs per stage; the final combiner shows texture register `show`.
    fn new(ops: [u32; 4], show: u32) -> Setup {
        let mut words = UnitBundles::default();
        let op = ops
            .iter()
            .enumerate()
            .fold(0, |w, (i, op)| w | op << (5 * i));
        words.take(b::TEX_SHADER_OP, 0, op);
        words.take(b::RC_FINAL_A, 0, 8 + show);
        words.take(b::RC_FINAL_B, 0, (0x18 + show) << 8);
        Setup {
            words,
            memory: Memory::new(CHIP),
            frag: Frag {
                x: 0,
                y: 0,
                mask: !0,
                front: true,
                col0: [[0; LANES]; 4],
                col1: [[0; LANES]; 4],
                fog: [255; LANES],
                tex: [[[0.0; LANES]; 4]; 4],
                ..Frag::default()
            },
        }
    }

    /// A linear A8R8G8B8 texture in a stage.
    fn texture(&mut self, stage: usize, format: u32, width: u32, texels: &[u32]) {
        let at = 0x1_0000 * (stage as u32 + 1);
        let mut f = 0;
        for (field, v) in [
            (b::TEX_FORMAT::FORMAT, format),
            (b::TEX_FORMAT::MODE, 2),
            (b::TEX_FORMAT::BORDER_TYPE, 1),
            (b::TEX_FORMAT::MIPS, 1),
        ] {
            f = field.with(CHIP, f, v);
        }
        let height = texels.len() as u32 / width;
        self.words.take(b::TEX_FORMAT, stage, f);
        self.words.take(b::TEX_OFFSET, stage, at);
        self.words.take(b::TEX_PITCH, stage, (64 * width) << 16);
        self.words.take(b::TEX_RECT, stage, width << 16 | height);
        self.words.take(b::TEX_WRAP, stage, 0x3_0303);
        self.words.take(b::TEX_FILTER, stage, 0x0101_2000);
        self.words.take(b::TEX_CONTROL, stage, 0x4003_ffc0);
        for (i, t) in texels.iter().enumerate() {
            let (x, y) = (i as u32 % width, i as u32 / width);
            self.memory.write_u32(at + 64 * width * y + 4 * x, *t);
        }
    }

    /// A swizzled square texture of 2^`log2`, or six of them.
    fn square(&mut self, stage: usize, log2: u32, cube: bool, texels: &[u32]) {
        self.texture(stage, 0x06, 1, &[]);
        let mut f = self.words.register(b::TEX_FORMAT, stage).expect("its own");
        for (field, v) in [
            (b::TEX_FORMAT::CUBE_MAP, u32::from(cube)),
            (b::TEX_FORMAT::SIZE_S, log2),
            (b::TEX_FORMAT::SIZE_T, log2),
        ] {
            f = field.with(CHIP, f, v);
        }
        self.words.take(b::TEX_FORMAT, stage, f);
        let at = 0x1_0000 * (stage as u32 + 1);
        for (i, t) in texels.iter().enumerate() {
            self.memory.write_u32(at + 4 * i as u32, *t);
        }
    }

    fn coords(&mut self, stage: usize, c: [f32; 4]) {
        self.frag.tex[stage] = c.map(|v| [v; LANES]);
    }

    fn go(&mut self) -> [i32; 4] {
        let mut shade = Shade::prepare(
            CHIP,
            &self.words.shader,
            &self.words.tex,
            &self.words.rc,
            [DmaSpan::default(); 2],
        );
        shade.bind(&self.memory, &mut TexCache::default());
        let mut frag = self.frag.clone();
        let out = shade.run(&mut frag).map(|l| l[0]);
        self.frag.mask = frag.mask;
        self.frag.z = frag.z;
        out
    }
}

#[test]
fn no_program_is_opaque_black() {
    for show in 0..4 {
        assert_eq!(Setup::new([0; 4], show).go(), [0, 0, 0, 255]);
    }
}

#[test]
fn projective() {
    let mut s = Setup::new([1, 0, 0, 0], 0);
    s.texture(0, 0x12, 4, &[1, 2, 3, 4]);
    s.coords(0, [6.5, 0.5, 0.0, 2.0]);
    assert_eq!(s.go(), [0, 0, 4, 0]);
    s.coords(0, [2.5, 0.5, 0.0, 1.0]);
    assert_eq!(s.go(), [0, 0, 3, 0]);
    // an enabled program without an enabled texture shows nothing
    s.words.take(b::TEX_CONTROL, 0, 0);
    assert_eq!(s.go(), [0, 0, 0, 255]);
}

#[test]
fn volumes() {
    let mut s = Setup::new([2, 0, 0, 0], 0);
    s.square(0, 1, false, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let f = b::TEX_FORMAT::MODE.with(
        CHIP,
        s.words.register(b::TEX_FORMAT, 0).expect("its own"),
        3,
    );
    s.words
        .take(b::TEX_FORMAT, 0, b::TEX_FORMAT::SIZE_R.with(CHIP, f, 1));
    s.coords(0, [1.5, 0.5, 1.5, 2.0]);
    assert_eq!(s.go()[2], 5);
}

#[test]
fn cubes_and_mismatched_kinds() {
    // one texel per face
    let mut s = Setup::new([3, 0, 0, 0], 0);
    let faces: Vec<u32> = (0..6 * 32)
        .map(|i| if i % 32 == 0 { i / 32 + 1 } else { 0 })
        .collect();
    s.square(0, 0, true, &faces);
    for (v, face) in [
        ([2.0, 0.0, 0.0], 1),
        ([-2.0, 0.0, 0.0], 2),
        ([0.0, 2.0, 0.0], 3),
        ([0.0, -2.0, 0.0], 4),
        ([0.0, 0.0, 2.0], 5),
        ([0.0, 0.0, -2.0], 6),
    ] {
        for q in [1.0, 0.0, f32::INFINITY] {
            s.coords(0, [v[0], v[1], v[2], q]);
            assert_eq!(s.go()[2], face, "{v:?}");
        }
    }
    // orientation within +X: s' = -z, t' = y up
    s.square(0, 1, true, &[1, 2, 3, 4]);
    for (v, texel) in [
        ([1.0, 0.5, 0.5], 1),
        ([1.0, 0.5, -0.5], 2),
        ([1.0, -0.5, 0.5], 3),
        ([1.0, -0.5, -0.5], 4),
        ([0.0, 0.0, 0.0], 1),
    ] {
        s.coords(0, [v[0], v[1], v[2], 1.0]);
        assert_eq!(s.go()[2], texel, "{v:?}");
    }
    // a plain texture sees s', t' as they are
    s.square(0, 1, false, &[1, 2, 3, 4]);
    s.coords(0, [1.0, 0.75, -0.25, 1.0]);
    assert_eq!(s.go()[2], 3);
    // a 2D program on a cube map: face 0, s and t as face coordinates
    let mut s = Setup::new([1, 0, 0, 0], 0);
    s.square(0, 1, true, &[1, 2, 3, 4]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    assert_eq!(s.go()[2], 2);
}

#[test]
fn pass_through_keeps_twelve_bits() {
    let mut s = Setup::new([4, 0, 0, 0], 0);
    s.coords(0, [0.5, -1.0, 2.0, 0.25]);
    assert_eq!(s.go(), [127, 0, 255, 63]);
    s.coords(0, [1.0, 255.0 / 256.0, 16.0 / 4096.0, 15.9 / 4096.0]);
    assert_eq!(s.go(), [255, 254, 1, 0]);
}

#[test]
fn clip_planes() {
    for (mode, value, killed) in [
        (0, -0.1, true),
        (0, 0.0, false),
        (1, 0.0, true),
        (1, -0.1, false),
    ] {
        for k in 0..4 {
            let mut s = Setup::new([0, 5, 0, 0], 1);
            // the other components are on the good side
            s.words.take(b::TEX_SHADER_CULL_MODE, 0, mode << (4 + k));
            let mut c = [1.0; 4];
            c[k] = value;
            s.coords(1, c);
            s.go();
            assert_eq!(s.frag.mask == 0, killed, "{mode} {value} {k}");
        }
    }
}

/// A setup whose stage 0 shows `texel` and whose stage 1 (2 x 2 or wider) is `op`.
fn dependent(texel: u32, op: u32) -> Setup {
    let mut s = Setup::new([1, op, 0, 0], 1);
    s.texture(0, 0x12, 1, &[texel]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    s
}

#[test]
fn bump_environment() {
    // du = 64/128, dv = -32/128
    let mut s = dependent(0x0000_e040, 6);
    s.texture(1, 0x12, 16, &(0..256).collect::<Vec<_>>());
    s.coords(1, [16.5, 16.5, 0.0, 2.0]);
    let bump = |s: &mut Setup, m: [f32; 4]| {
        for (bundle, v) in [b::TEX_UNK10, b::TEX_UNK11, b::TEX_UNK12, b::TEX_UNK13]
            .into_iter()
            .zip(m)
        {
            s.words.take(bundle, 0, v.to_bits());
        }
        s.go()[2]
    };
    assert_eq!(bump(&mut s, [0.0; 4]), 0x88);
    assert_eq!(bump(&mut s, [8.0, 0.0, 0.0, 0.0]), 0x8c);
    assert_eq!(bump(&mut s, [0.0, 8.0, 0.0, 0.0]), 0xc8);
    assert_eq!(bump(&mut s, [0.0, 0.0, 8.0, 0.0]), 0x68);
    assert_eq!(bump(&mut s, [0.0, 0.0, 0.0, 8.0]), 0x86);
}

#[test]
fn bump_luminance() {
    let mut s = dependent(0x0080_0000, 7);
    s.texture(1, 0x12, 1, &[0x40c8_6432]);
    s.coords(1, [0.5, 0.5, 0.0, 1.0]);
    let mut lum = |scale: f32, offset: f32| {
        s.words.take(b::TEX_UNK14, 0, scale.to_bits());
        s.words.take(b::TEX_UNK15, 0, offset.to_bits());
        s.go()
    };
    assert_eq!(lum(0.0, 1.0), [200, 100, 50, 64]);
    assert_eq!(lum(0.0, 0.5), [100, 50, 25, 64]);
    assert_eq!(lum(0.0, 2.0), [255, 200, 100, 64]);
    assert_eq!(lum(0.0, -1.0), [0, 0, 0, 64]);
    assert_eq!(lum(1.0, 0.0), [100, 50, 25, 64]);
}

#[test]
fn dependent_reads() {
    for (op, texel, want) in [(0xf, 0x8020_0000, 2), (0x10, 0x0000_2080, 3)] {
        let mut s = dependent(texel, op);
        s.square(1, 1, false, &[1, 2, 3, 4]);
        assert_eq!(s.go()[2], want, "{op:x}");
    }
}

/// A dot product's stage-1 value, seen through DotST at stage 2 of a wide texture.
fn dot(map: u32, texel: u32, coords: [f32; 3]) -> i32 {
    let mut s = Setup::new([1, 0x11, 9, 0], 2);
    s.texture(0, 0x12, 1, &[texel]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    s.words.take(
        b::TEX_SHADER_MISC,
        0,
        b::TEX_SHADER_MISC::TX1_DOT_MAPPING.with(CHIP, 0, map),
    );
    s.coords(1, [coords[0], coords[1], coords[2], 1.0]);
    s.coords(2, [0.0, 0.0, 0.0, 1.0]);
    s.texture(2, 0x12, 256, &(0..256).collect::<Vec<_>>());
    s.go()[2]
}

#[test]
fn dot_mappings() {
    // 100 * component, per component
    let one = |map, texel| {
        [0, 1, 2].map(|k| {
            let mut c = [0.0; 3];
            c[k] = 100.0;
            dot(map, texel, c)
        })
    };
    assert_eq!(one(0, 0x00ff_8000), [100, 50, 0]);
    assert_eq!(one(1, 0x00ff_c080), [100, 50, 0]);
    assert_eq!(one(2, 0x007f_4000), [100, 50, 0]);
    assert_eq!(one(3, 0x007f_4020), [99, 50, 25]);
    assert_eq!(one(4, 0xffff_8000), [100, 50, 100]);
    assert_eq!(one(5, 0xffff_8000), [100, 0, 0]);
    assert_eq!(one(6, 0x7fff_0000), [100, 0, 0]);
    assert_eq!(one(7, 0x0000_4ccd), [0, 60, 79]);
    // negative values
    assert_eq!(dot(1, 0x0000_0000, [-100.0, 0.0, 0.0]), 100);
    assert_eq!(dot(3, 0x0080_0000, [-100.0, 0.0, 0.0]), 100);
    assert_eq!(dot(2, 0x0080_0000, [-100.0, 0.0, 0.0]), 100);
    // the sum
    assert_eq!(dot(0, 0x00ff_ffff, [10.0, 20.0, 30.5]), 60);
}

#[test]
fn dot_products_in_two_and_three_dimensions() {
    // stage 1: 1.5, stage 2: 0.5 -> texel (1, 0) of a 2x2 RECT texture
    let mut s = Setup::new([1, 0x11, 9, 0], 2);
    s.texture(0, 0x12, 1, &[0x00ff_0000]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    s.coords(1, [1.5, 0.0, 0.0, 9.0]);
    s.coords(2, [0.5, 0.0, 0.0, 9.0]);
    s.texture(2, 0x12, 2, &[1, 2, 3, 4]);
    assert_eq!(s.go()[2], 2);
    // depth replacement: 1.5 / 0.5
    s.words.take(b::TEX_SHADER_OP, 0, 1 | 0x11 << 5 | 0xa << 10);
    s.go();
    assert_eq!(s.frag.z[0], 3.0);
    assert!(
        Shade::prepare(
            CHIP,
            &s.words.shader,
            &s.words.tex,
            &s.words.rc,
            [DmaSpan::default(); 2]
        )
        .kills_or_moves()
    );
}

/// Three dot products with a unit texel, then an operation at stage `at` on a cube
/// with one colour per face.
fn three(op: u32, at: usize, dots: [[f32; 4]; 3]) -> i32 {
    let mut ops = [1, 0x11, 0x11, 0x11];
    ops[at] = op;
    let mut s = Setup::new(ops, at as u32);
    s.texture(0, 0x12, 1, &[0x00ff_0000]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    for (i, d) in dots.into_iter().enumerate() {
        s.coords(i + 1, d);
    }
    let faces: Vec<u32> = (0..6 * 32)
        .map(|i| if i % 32 == 0 { i / 32 + 1 } else { 0 })
        .collect();
    s.square(at, 0, true, &faces);
    for (i, v) in [0.0f32, 0.0, 1.0].into_iter().enumerate() {
        s.words.take(b::TEX_SHADER_CONST_EYE, i, v.to_bits());
    }
    s.go()[2]
}

#[test]
fn dot_products_into_cubes() {
    let n = |x: f32, y: f32, z: f32, e: [f32; 3]| {
        [
            [x, 0.0, 0.0, e[0]],
            [y, 0.0, 0.0, e[1]],
            [z, 0.0, 0.0, e[2]],
        ]
    };
    let none = [0.0; 3];
    // STR cube at stage 3, reflect diffuse at stage 2: plain directions
    for (op, at) in [(0xe, 3), (0xb, 2)] {
        assert_eq!(three(op, at, n(1.0, 0.2, 0.3, none)), 1);
        assert_eq!(three(op, at, n(0.1, -2.0, 0.3, none)), 4);
        assert_eq!(three(op, at, n(0.1, 0.2, 3.0, none)), 5);
    }
    // reflection about +z of (1, 0, 0.1) is (-1, 0, 0.1); about the diagonal, z
    assert_eq!(three(0xc, 3, n(0.0, 0.0, 1.0, [1.0, 0.0, 0.1])), 2);
    assert_eq!(three(0xc, 3, n(5.0, 0.0, 5.0, [1.0, 0.0, 0.0])), 5);
    // the constant eye is (0, 0, 1)
    assert_eq!(three(0x12, 3, n(0.0, 2.0, 2.0, [9.0, 9.0, 9.0])), 3);
    assert_eq!(three(0x12, 3, n(0.0, 0.0, 2.0, [9.0, 9.0, 9.0])), 5);
}

#[test]
fn dot_products_into_volumes() {
    let mut s = Setup::new([1, 0x11, 0x11, 0xd], 3);
    s.texture(0, 0x12, 1, &[0x00ff_0000]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    s.coords(1, [0.75, 0.0, 0.0, 1.0]);
    s.coords(2, [0.25, 0.0, 0.0, 1.0]);
    s.coords(3, [0.75, 0.0, 0.0, 1.0]);
    s.square(3, 1, false, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let f = b::TEX_FORMAT::MODE.with(
        CHIP,
        s.words.register(b::TEX_FORMAT, 3).expect("its own"),
        3,
    );
    s.words
        .take(b::TEX_FORMAT, 3, b::TEX_FORMAT::SIZE_R.with(CHIP, f, 1));
    assert_eq!(s.go()[2], 5);
}

#[test]
fn brdf_takes_angles_of_two_stages() {
    // eye (theta 0.75, phi 0.75), light (theta 0.25, phi 0.5): u 0.75, v 0.25, phi -0.25 -> 0.75
    let mut s = Setup::new([1, 1, 8, 0], 2);
    s.texture(0, 0x36, 1, &[0xc000_c000]);
    s.texture(1, 0x36, 1, &[0x4000_8000]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    s.coords(1, [0.5, 0.5, 0.0, 1.0]);
    s.coords(2, [0.0, 0.0, 0.0, 1.0]);
    s.square(2, 1, false, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let f = b::TEX_FORMAT::MODE.with(
        CHIP,
        s.words.register(b::TEX_FORMAT, 2).expect("its own"),
        3,
    );
    s.words
        .take(b::TEX_FORMAT, 2, b::TEX_FORMAT::SIZE_R.with(CHIP, f, 1));
    assert_eq!(s.go()[2], 5);
}

#[test]
fn source_stages() {
    // stage 2 and 3 read the stage that the words name
    for (stage, field, choices) in [
        (2, b::TEX_SHADER_MISC::TX2_PREVIOUS, 2),
        (3, b::TEX_SHADER_MISC::TX3_PREVIOUS, 3),
    ] {
        for source in 0..choices {
            let mut ops = [1, 1, 1, 0];
            ops[stage] = 0x10;
            let mut s = Setup::new(ops, stage as u32);
            for i in 0..stage {
                s.texture(
                    i,
                    0x12,
                    1,
                    &[if i == source {
                        0x0000_20c0
                    } else {
                        0x0000_c0c0
                    }],
                );
                s.coords(i, [0.5, 0.5, 0.0, 1.0]);
            }
            s.square(stage, 1, false, &[1, 2, 3, 4]);
            s.words
                .take(b::TEX_SHADER_MISC, 0, field.with(CHIP, 0, source as u32));
            assert_eq!(s.go()[2], 3, "stage {stage} from {source}");
        }
    }
}

#[test]
fn signed_components_double() {
    let mut s = Setup::new([1, 0, 0, 0], 0);
    s.texture(0, 0x12, 1, &[0x0140_7f81]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    let mut w = s.words.register(b::TEX_FILTER, 0).expect("its own");
    for f in [
        b::TEX_FILTER::SIGNED_A,
        b::TEX_FILTER::SIGNED_R,
        b::TEX_FILTER::SIGNED_G,
        b::TEX_FILTER::SIGNED_B,
    ] {
        w = f.with(CHIP, w, 1);
    }
    s.words.take(b::TEX_FILTER, 0, w);
    assert_eq!(s.go(), [128, 254, 0, 2]);
    // -128 stops at -255: a general combiner adds -TEXTURE0 and 0 - 128.
    s.texture(0, 0x12, 1, &[0x8080_8080]);
    s.words.take(b::TEX_FILTER, 0, w);
    s.words.take(b::RC_CONFIG, 0, 1);
    s.words.take(b::RC_IN_COLOR, 0, 0xe820_8020);
    s.words.take(b::RC_OUT_COLOR, 0, 0xc00);
    s.words.take(b::RC_FINAL_A, 0, 0xc);
    assert_eq!(s.go()[..3], [255 - 128; 3]);
}

#[test]
fn yuv_is_converted_behind_the_shader() {
    let mut s = Setup::new([1, 0, 0, 0], 0);
    s.texture(0, 0x24, 2, &[]);
    s.words.take(b::TEX_RECT, 0, 2 << 16 | 1);
    s.memory.write_u32(0x1_0000, 0x20fe_2122); // Y 34, U 33, Y 254, V 32
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    // Only where CONFIG_A says so.
    assert_eq!(s.go(), [34, 33, 32, 255]);
    let space = |space| b::CONFIG_A::COLOR_SPACE_CONVERT.with(CHIP, 0, space);
    s.words.take(
        b::CONFIG_A,
        0,
        space(b::COLOR_SPACE_CONVERT::SCRYSCB_TO_RGB),
    );
    let signed = crate::tex::format::yuv_to_rgb([34, 33 ^ 0x80, 32 ^ 0x80, 255]);
    assert_eq!(s.go(), signed);
    s.words
        .take(b::CONFIG_A, 0, space(b::COLOR_SPACE_CONVERT::CRYCB_TO_RGB));
    assert_eq!(s.go(), [0, 137, 0, 255]);
    // Other textures are converted, too.
    s.words.take(b::TEX_SHADER_OP, 0, 1 | 6 << 5);
    s.words.take(b::RC_FINAL_A, 0, 9);
    s.texture(1, 0x12, 1, &[0xfffe_0000]);
    s.coords(1, [0.5, 0.5, 0.0, 1.0]);
    assert_eq!(s.go()[..3], [72, 255, 18]);
}

#[test]
fn celsius_units_follow_their_enables() {
    let chip = Chip::Nv10;
    let mut memory = Memory::new(chip);
    memory.write_u32(0x1000, 0xff01_0203);
    let mut w = UnitBundles::default();
    let mut f = 0;
    for (field, v) in [
        (b::TEX_FORMAT::FORMAT, 6),
        (b::TEX_FORMAT::MIPS, 1),
        (b::TEX_FORMAT::WRAP_S, 1),
        (b::TEX_FORMAT::WRAP_T, 1),
    ] {
        f = field.with(chip, f, v);
    }
    w.take(b::TEX_FORMAT, 1, f);
    w.take(b::TEX_OFFSET, 1, 0x1000);
    w.take(b::TEX_CONTROL, 1, 1 << 30);
    w.take(b::RC_FINAL_A, 0, 9);
    let run = |w: &UnitBundles| {
        let mut shade = Shade::prepare(chip, &w.shader, &w.tex, &w.rc, [DmaSpan::default(); 2]);
        shade.bind(&memory, &mut TexCache::default());
        let mut frag = Setup::new([0; 4], 0).frag;
        frag.tex[1][3] = [1.0; LANES];
        (shade.run(&mut frag).map(|l| l[0]), shade.coordinate_sets())
    };
    assert_eq!(run(&w), ([1, 2, 3, 0], 2));
    w.take(b::TEX_CONTROL, 1, 0);
    assert_eq!(run(&w), ([0, 0, 0, 0], 0));
}

#[test]
fn every_level_of_vector_code_gives_the_same_bits() {
    let mut seed = 7u32;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed
    };
    for round in 0..200 {
        let mut s = Setup::new([1, [1, 6, 7, 0xf, 0x10, 0x11][round % 6], 9, 0], 0);
        for stage in 0..3 {
            let texels: Vec<u32> = (0..64).map(|_| random()).collect();
            if round % 2 == 0 {
                s.texture(stage, 0x12, 8, &texels);
            } else {
                s.square(stage, 3, false, &texels);
            }
            let filter = 0x2000 | (1 + random() % 6) << 16 | (1 + random() % 2) << 24;
            s.words.take(b::TEX_FILTER, stage, filter);
            for k in 0..4 {
                for l in 0..LANES {
                    s.frag.tex[stage][k][l] = random() as i32 as f32 * 1e-9;
                }
            }
        }
        s.words.take(b::RC_CONFIG, 0, 3 | random() & 0x1_1100);
        for i in 0..3 {
            for bundle in [
                b::RC_IN_COLOR,
                b::RC_IN_ALPHA,
                b::RC_OUT_COLOR,
                b::RC_OUT_ALPHA,
                b::RC_FACTOR_A,
                b::RC_FACTOR_B,
            ] {
                s.words.take(bundle, i, random());
            }
        }
        s.words.take(b::RC_FINAL_A, 0, random());
        s.words.take(b::RC_FINAL_B, 0, random());
        for l in 0..LANES {
            for c in 0..4 {
                s.frag.col0[c][l] = (random() & 255) as i32;
                s.frag.col1[c][l] = (random() & 255) as i32;
            }
        }
        let mut shade = Shade::prepare(
            CHIP,
            &s.words.shader,
            &s.words.tex,
            &s.words.rc,
            [DmaSpan::default(); 2],
        );
        shade.bind(&s.memory, &mut TexCache::default());
        let all = ["base", "avx2", "avx512"].map(|level| {
            let (mut blocks, mut out) = ([s.frag.clone()], [[[0; LANES]; 2]]);
            let level = isotherm_lanes::Level::up_to(level);
            simd::run(level, &shade, &mut blocks, &mut out);
            let [frag] = blocks;
            (out, frag.mask, frag.z.map(f32::to_bits))
        });
        assert_eq!(all[0], all[1], "{round}");
        assert_eq!(all[0], all[2], "{round}");
    }
}

/// Random plain textures: the plan with its simple stages against the general path.
#[test]
fn the_short_path_gives_the_general_bits() {
    let mut seed = 4u32;
    let mut random = move |n: u32| {
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        (seed >> 8) % n
    };
    for round in 0..300 {
        let stages = 1 + round % 2;
        let mut s = Setup::new([1, (stages == 2).into(), 0, 0], 0);
        for stage in 0..stages {
            let texels: Vec<u32> = (0..64)
                .map(|_| random(1 << 24) << 8 | random(256))
                .collect();
            s.texture(stage, 0x12, 8, &texels);
            let filter = (0x0100_0000 * (1 + random(2))) | (0x0001_0000 * (1 + random(2)));
            s.words.take(b::TEX_FILTER, stage, filter);
        }
        // COL0 * TEX0 + TEX1 * TEX0.a
        s.words.take(b::RC_CONFIG, 0, 1);
        s.words.take(b::RC_IN_COLOR, 0, 0x0408_0918);
        s.words.take(b::RC_IN_ALPHA, 0, 0x1418_1918);
        s.words.take(b::RC_OUT_COLOR, 0, 0xc00);
        s.words.take(b::RC_OUT_ALPHA, 0, 0xc00);
        s.words.take(b::RC_FINAL_A, 0, 0x0c);
        s.words.take(b::RC_FINAL_B, 0, 0x1c00);
        let q = if round % 3 == 0 {
            1.0
        } else {
            0.5 + random(100) as f32 / 64.0
        };
        for set in &mut s.frag.tex {
            for l in 0..LANES {
                set[0][l] = (random(2000) as f32 - 200.0) / 100.0;
                set[1][l] = (random(2000) as f32 - 200.0) / 100.0;
                set[3][l] = q + if q == 1.0 { 0.0 } else { l as f32 / 32.0 };
            }
        }
        for c in &mut s.frag.col0 {
            *c = std::array::from_fn(|_| random(256) as i32);
        }
        let mut shade = Shade::prepare(
            CHIP,
            &s.words.shader,
            &s.words.tex,
            &s.words.rc,
            [DmaSpan::default(); 2],
        );
        shade.bind(&s.memory, &mut TexCache::default());
        assert!(shade.all_simple && shade.live == (1 << stages) - 1);
        let want = shade.general(&mut s.frag.clone());
        assert_eq!(shade.run(&mut s.frag), want, "round {round}");
    }
}

/// The program of words on a Kelvin.
fn program(op: u32, misc: u32) -> Program {
    let mut words = UnitBundles::default();
    words.take(b::TEX_SHADER_OP, 0, op);
    words.take(b::TEX_SHADER_MISC, 0, misc);
    Program::prepare(CHIP, &words.shader)
}

#[test]
fn programs_read_sets_up_to_the_last_stage() {
    for (ops, sets) in [
        ([0, 0, 0, 0], 0),
        ([1, 0, 0, 0], 1),
        ([0, 1, 0, 0], 2),
        ([1, 0, 1, 0], 3),
        ([0, 0, 0, 4], 4),
        // Reflect diffuse at stage 2 forms the product of stage 3 ahead of it.
        ([1, 0x11, 0xb, 0], 4),
        ([1, 0xb, 0, 0], 2),
    ] {
        let op = ops.iter().rev().fold(0, |w, op| w << 5 | op);
        assert_eq!(program(op, 0).coordinate_sets(), sets, "{ops:x?}");
    }
}

#[test]
fn what_operations_need() {
    // code, samples, plain, forms a dot product
    for (code, samples, plain, dots) in [
        (0x00, false, true, false),
        (0x01, true, true, false),
        (0x02, true, true, false),
        (0x03, true, true, false),
        (0x04, false, true, false),
        (0x05, false, false, false),
        (0x06, true, false, false),
        (0x07, true, false, false),
        (0x08, true, false, false),
        (0x09, true, false, true),
        (0x0a, false, false, true),
        (0x0b, true, false, true),
        (0x0c, true, false, true),
        (0x0d, true, false, true),
        (0x0e, true, false, true),
        (0x0f, true, false, false),
        (0x10, true, false, false),
        (0x11, false, false, true),
        (0x12, true, false, true),
        (0x13, false, true, false),
        (0x1f, false, true, false),
    ] {
        let op = program(code << 5, 0).ops[1];
        assert_eq!(
            (op.samples(), op.plain(), op.dots()),
            (samples, plain, dots),
            "{code:x}"
        );
    }
}

#[test]
fn the_words_of_a_program() {
    use b::TEX_SHADER_MISC as M;
    let misc = [
        (M::TX1_DOT_MAPPING, 1),
        (M::TX2_DOT_MAPPING, 4),
        (M::TX3_DOT_MAPPING, 7),
        (M::TX2_PREVIOUS, 1),
        (M::TX3_PREVIOUS, 3),
    ]
    .into_iter()
    .fold(0, |w, (f, v)| f.with(CHIP, w, v));
    let p = program(0, misc);
    assert_eq!(
        p.dots,
        [Dot::ZeroToOne, Dot::D3d, Dot::Hilo1, Dot::HiloHemisphere]
    );
    // Stage 3 cannot read itself.
    assert_eq!(p.source, [0, 0, 1, 2]);
    let mut words = UnitBundles::default();
    words.take(b::TEX_SHADER_CULL_MODE, 0, 0x8421);
    for (i, bundle) in [
        b::TEX_UNK10,
        b::TEX_UNK11,
        b::TEX_UNK12,
        b::TEX_UNK13,
        b::TEX_UNK14,
        b::TEX_UNK15,
    ]
    .into_iter()
    .enumerate()
    {
        for stage in 0..3 {
            words.take(bundle, stage, ((10 * stage + i) as f32).to_bits());
        }
    }
    let p = Program::prepare(CHIP, &words.shader);
    assert_eq!(p.cull, [1, 2, 4, 8]);
    for stage in 0..3 {
        let v = |i: usize| (10 * stage + i) as f32;
        let bump = &p.bump[stage + 1];
        assert_eq!(bump.matrix, [v(0), v(1), v(2), v(3)]);
        assert_eq!((bump.scale, bump.offset), (v(4), v(5)));
    }
}

#[test]
fn what_kills_or_moves() {
    let ask = |s: &Setup| {
        Shade::prepare(
            CHIP,
            &s.words.shader,
            &s.words.tex,
            &s.words.rc,
            [DmaSpan::default(); 2],
        )
        .kills_or_moves()
    };
    for (op, want) in [
        (1, false),
        (3, false),
        (4, false),
        (5, true),
        (9, false),
        (0xa, true),
    ] {
        assert_eq!(ask(&Setup::new([1, op, 0, 0], 0)), want, "{op:x}");
    }
    for (field, value, want) in [
        (b::TEX_CONTROL::ALPHA_KILL, 1, true),
        (b::TEX_CONTROL::COLOR_KEY_MODE, 2, false),
        (b::TEX_CONTROL::COLOR_KEY_MODE, 3, true),
    ] {
        let mut s = Setup::new([1, 0, 0, 0], 0);
        s.texture(0, 0x12, 1, &[1]);
        assert!(!ask(&s));
        let w = field.with(
            CHIP,
            s.words.register(b::TEX_CONTROL, 0).expect("its own"),
            value,
        );
        s.words.take(b::TEX_CONTROL, 0, w);
        assert_eq!(ask(&s), want, "{value}");
        // A texture that no program samples does nothing.
        s.words.take(b::TEX_SHADER_OP, 0, 0);
        assert!(!ask(&s));
    }
}

#[test]
fn killing_textures_run_though_nobody_reads_them() {
    // The final combiner shows the diffuse colour; stage 1's key kills one lane.
    let mut s = Setup::new([1, 1, 0, 0], 0);
    s.words.take(b::RC_FINAL_A, 0, 0x04);
    s.words.take(b::RC_FINAL_B, 0, 0x1400);
    s.texture(0, 0x12, 1, &[1]);
    s.texture(1, 0x12, 2, &[7, 8]);
    s.words.take(b::TEX_COLOR_KEY, 1, 7);
    s.frag.tex[1] = [[1.5; LANES], [0.5; LANES], [0.0; LANES], [1.0; LANES]];
    s.frag.tex[1][0][5] = 0.5;
    s.frag.col0 = [[10; LANES], [20; LANES], [30; LANES], [40; LANES]];
    let through = |s: &Setup| {
        Shade::prepare(
            CHIP,
            &s.words.shader,
            &s.words.tex,
            &s.words.rc,
            [DmaSpan::default(); 2],
        )
        .passes_through()
    };
    assert_eq!(through(&s), Some(Passthrough::Diffuse));
    assert_eq!(s.go(), [10, 20, 30, 40]);
    assert_eq!(s.frag.mask, !0);
    let w = b::TEX_CONTROL::COLOR_KEY_MODE.with(
        CHIP,
        s.words.register(b::TEX_CONTROL, 1).expect("its own"),
        3,
    );
    s.words.take(b::TEX_CONTROL, 1, w);
    assert_eq!(through(&s), None);
    s.go();
    assert_eq!(s.frag.mask, !(1 << 5));
}

#[test]
fn fog_and_specular_are_there_when_switched_on() {
    let run = |fog: u32, specular: u32, a: u32| {
        let mut s = Setup::new([0; 4], 0);
        let config = CONFIG_B::FOG_ENABLE.with(CHIP, 0, fog);
        let config = CONFIG_B::SPECULAR_ENABLE.with(CHIP, config, specular);
        s.words.take(b::CONFIG_B, 0, config);
        s.words.take(b::RC_FINAL_A, 0, a);
        s.words.take(b::RC_FINAL_B, 0, 0);
        s.frag.fog = [77; LANES];
        s.frag.col1 = [[50; LANES], [60; LANES], [70; LANES], [80; LANES]];
        s.go()
    };
    // The fog factor alone, as D.
    assert_eq!(run(1, 0, 0x13)[..3], [77; 3]);
    assert_eq!(run(0, 0, 0x13)[..3], [255; 3]);
    assert_eq!(run(0, 1, 0x05)[..3], [50, 60, 70]);
    assert_eq!(run(0, 0, 0x05)[..3], [0; 3]);
}

#[test]
fn reflections_by_numbers() {
    // n = (1, 2, 2), e = (3, 0, 0): n.e = 3, n.n = 9, r = 2/3 n - e = (-7/3, 4/3, 4/3).
    // On face -X: s' = z / 7/3 = 4/7, t' = y / 7/3 = 4/7; u = 11/14, v = 3/14.
    let mut s = Setup::new([1, 0x11, 0x11, 0xc], 3);
    s.texture(0, 0x12, 1, &[0x00ff_0000]);
    s.coords(0, [0.5, 0.5, 0.0, 1.0]);
    for (i, (n, e)) in [(1.0, 3.0), (2.0, 0.0), (2.0, 0.0)].into_iter().enumerate() {
        s.coords(i + 1, [n, 0.0, 0.0, e]);
    }
    let faces: Vec<u32> = (0..6 * 64).collect();
    s.square(3, 3, true, &faces);
    // Texel (6, 1) of face 1 of 8 x 8: Morton x 110, y 001.
    assert_eq!(s.go()[2], (64 + 0b01_0110) & 255);
}

#[test]
fn dot_products_use_all_three_coordinates() {
    // x = 1, y = 0.5 (rounded up a little), z = 0.25 of the mapping v / 128, signed.
    let dot = |s: f32, t: f32, r: f32| dot(3, 0x0040_20c0, [s, t, r]);
    assert_eq!(dot(100.0, 0.0, 0.0), 50);
    assert_eq!(dot(0.0, 100.0, 0.0), 25);
    assert_eq!(dot(0.0, 0.0, -100.0), 50);
    assert_eq!(dot(100.0, 100.0, -100.0), 125);
    assert_eq!(dot(100.0, 100.0, 100.0), 25);
}

#[test]
fn mappings_of_every_byte() {
    for v in 0..256u32 {
        let s8 = f32::from(v as u8 as i8);
        let byte = |map| super::dot::vector(map, v << 16 | 0x1234);
        assert_eq!(byte(Dot::ZeroToOne)[0], v as f32 / 255.0);
        assert_eq!(byte(Dot::D3d)[0], (v as f32 - 128.0) / 127.0);
        assert_eq!(byte(Dot::Gl)[0], (2.0 * s8 + 1.0) / 255.0);
        assert_eq!(byte(Dot::Plain), [s8 / 128.0, 18.0 / 128.0, 52.0 / 128.0]);
    }
    let hemisphere = |map, hi: u32, lo: u32| super::dot::vector(map, hi << 16 | lo);
    // 3-4-5: the third component of (0.6, 0.8) is 0, of (0.6, 0) 0.8.
    let close = |a: [f32; 3], b: [f32; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-3);
    assert!(close(
        hemisphere(Dot::HiloHemisphere, 19660, 0),
        [0.6, 0.0, 0.8]
    ));
    assert!(close(
        hemisphere(Dot::HiloHemisphere, 0xb334, 0),
        [-0.6, 0.0, 0.8]
    ));
    assert!(close(
        hemisphere(Dot::HiloHemisphere, 26213, 0),
        [0.8, 0.0, 0.6]
    ));
    assert!(close(
        hemisphere(Dot::HiloHemisphere, 32767, 32767),
        [1.0, 1.0, 0.0]
    ));
    // The root is whole: of 2^30 - 19660^2 it is 26214.99998.
    let third = hemisphere(Dot::HiloHemisphere, 19660, 0)[2];
    assert_eq!(third, 26214.0 / 32768.0);
    assert!(close(
        hemisphere(Dot::HiloHemisphereD3d, 52428, 32768),
        [0.6, 0.0, 0.8]
    ));
    assert!(close(
        hemisphere(Dot::HiloHemisphereD3d, 32768, 13108),
        [0.0, -0.6, 0.8]
    ));
    assert!(close(
        hemisphere(Dot::HiloHemisphereGl, 19660, 0),
        [0.6, 0.0, 0.8]
    ));
    assert_eq!(
        hemisphere(Dot::HiloHemisphereGl, 0x7fff, 0x8000)[..2],
        [1.0, -1.0]
    );
    assert_eq!(
        hemisphere(Dot::HiloHemisphereD3d, 0xffff, 0)[..2],
        [1.0, -32768.0 / 32767.0]
    );
    // Cut, not rounded: 32768 / 65535 is 8000.8000h / 2^16.
    assert_eq!(
        hemisphere(Dot::Hilo1, 0xffff, 0x8000),
        [1.0, 0x80_0080 as f32 / 16777216.0, 1.0]
    );
    // Squares of 15 bits: 9648^2 >> 15 = 2840, 204^2 >> 15 = 1.
    let z = hemisphere(Dot::HiloHemisphere, 0x25b0, 0xff34)[2];
    // The root is a whole number of 15 bits: that of 29926 x 32768 is 31314 and a rest.
    assert_eq!(z, 31314.0 / 32768.0);
}

#[test]
fn celsius_cubes() {
    let chip = Chip::Nv17;
    let mut w = UnitBundles::default();
    for (cube, op) in [(0, Op::Texture2d), (1, Op::CubeMap)] {
        w.take(
            b::TEX_FORMAT,
            0,
            b::TEX_FORMAT::CUBE_MAP.with(chip, 0, cube),
        );
        w.take(b::TEX_CONTROL, 0, b::TEX_CONTROL::ENABLE.with(chip, 0, 1));
        let p = Program::prepare(chip, &w.shader);
        assert_eq!(p.ops, [op, Op::None, Op::None, Op::None]);
    }
}

#[test]
fn bytes_of_twelve_bits() {
    use crate::tex::num::byte;
    // floor(4096 x), less its 256th, by 16.
    for (x, want) in [
        (0.0, 0),
        (15.9 / 4096.0, 0),
        (16.0 / 4096.0, 1),
        (255.9 / 4096.0, 15),
        (256.0 / 4096.0, 15),
        (257.0 / 4096.0, 16),
        (0.5, 127),
        (2064.0 / 4096.0, 128),
        (4095.9 / 4096.0, 255),
        (1.0, 255),
        (7.0, 255),
        (-1.0, 0),
    ] {
        assert_eq!(byte(x), want, "{x}");
    }
}

/// What is kept of the state before is never what another state needs.
#[test]
fn a_state_behind_another_is_the_same_as_alone() {
    let words = [
        (b::RC_IN_COLOR, 0x0408_0000),
        (b::RC_OUT_COLOR, 0xc00),
        (b::RC_CONFIG, 2),
        (b::RC_FINAL_A, 0x130c_0000),
        (b::RC_FINAL_B, 0x1c00),
        (b::RC_FACTOR_A, 0x1234_5678),
        (b::RC_FINAL_FACTOR, 0x0102_0304),
        (b::FOG_COLOR, 0xff00_ff00),
        (b::CONFIG_B, !0),
        (b::TEX_FILTER, !0),
        (b::TEX_SHADER_OP, 1),
        (b::TEX_OFFSET, 0x2000),
        (b::TEX_WRAP, 0x0003_0302),
        (b::TEX_PITCH, 0x0040_0000),
        (b::TEX_PALETTE, 0x0000_1041),
        (b::TEX_BORDER_COLOR, 0x1122_3344),
        (b::TEX_COLOR_KEY, 0x5566_7788),
        (b::TEX_ZCOMP, 3),
        // A picture in rows, and its size.
        (b::TEX_FORMAT, 0x0001_122a),
        (b::TEX_RECT, 0x0010_0020),
        (b::TEX_CONTROL, 0x4003_ffc1),
    ];
    let mut s = Setup::new([0; 4], 0);
    s.texture(0, 6, 2, &[0; 4]);
    let (mut last, mut kept): (Option<Shade>, usize) = (None, 0);
    let mut units = UnitCache::default();
    for (bundle, value) in words
        .into_iter()
        .chain(words.map(|(bundle, _)| (bundle, 0)))
    {
        s.words.take(bundle, 0, value);
        let UnitBundles {
            shader, tex, rc, ..
        } = &s.words;
        let spans = [DmaSpan::default(); 2];
        let alone = Shade::prepare(CHIP, shader, tex, rc, spans);
        let after = Shade::prepare_after(last.as_ref(), &mut units, CHIP, shader, tex, rc, spans);
        assert_eq!(format!("{after:?}"), format!("{alone:?}"));
        let same = |last: Shade| Arc::ptr_eq(&last.combiners, &after.combiners);
        kept += usize::from(last.is_some_and(same));
        last = Some(after);
    }
    assert!((2..40).contains(&kept), "{kept}");
}
