//! Words to state, and state to memory: every field of the ROP and of the surface.

mod kept;

use super::*;
use crate::frag::LANES;
use crate::rop::surface::read_word;
use crate::rop::{At, Target};
use isotherm_bus::memory::SharedBytes;
use isotherm_bus::unit::Takes;
use isotherm_regs::bundle as id;
use isotherm_regs::field::Field;

const CHIP: Chip = Chip::Nv20;

const SPAN: DmaSpan = DmaSpan {
    base: 0x1000,
    limit: 0xffff,
};

/// Memory of a test's own.
fn shared(bytes: &mut [u8]) -> SharedBytes<'_> {
    // SAFETY: tests use it in one thread.
    unsafe { SharedBytes::new(bytes) }
}

fn regs(format: u32) -> SurfaceRegs {
    let mut r = SurfaceRegs {
        dma: [SPAN; SURFACES],
        ..SurfaceRegs::default()
    };
    for (reg, value) in [
        (SurfaceReg::ClipHoriz, 16 << 16 | 8),
        (SurfaceReg::ClipVert, 4 << 16 | 2),
        (SurfaceReg::Format, format),
        (SurfaceReg::Pitch, 128 << 16 | 96),
        (SurfaceReg::ColorOffset, 0x20),
        (SurfaceReg::ZetaOffset, 0x40),
    ] {
        assert!(r.set(reg, value));
        assert!(!r.set(reg, value), "the same again is no change");
    }
    r
}

#[test]
fn surface_registers() {
    let s = regs(0x128).prepare(CHIP);
    assert_eq!(s.clip, [8, 2, 24, 6]);
    assert_eq!((s.format, s.z24, s.scale), (Color::A8R8G8B8, true, (1, 1)));
    let (color, zeta) = (s.color.expect("colour"), s.zeta.expect("zeta"));
    assert_eq!((color.address, color.pitch, color.bytes), (0x1020, 96, 4));
    assert_eq!((zeta.address, zeta.pitch, zeta.bytes), (0x1040, 128, 4));
    assert_eq!((color.end, zeta.end), (0xffe0, 0xffc0));
    assert_eq!(color.swizzle, None);
    let swizzled = regs(0x0405_0228).prepare(CHIP).color.expect("colour");
    assert_eq!(swizzled.swizzle, Some((5, 4)));
    assert_eq!(regs(0x113).prepare(CHIP).zeta.map(|z| z.bytes), Some(2));
    assert_eq!(regs(0x103).prepare(CHIP).zeta, None);
    assert_eq!(regs(0x1123).prepare(CHIP).scale, (2, 1));
    assert_eq!(regs(0x2123).prepare(CHIP).scale, (2, 2));
    assert_eq!(regs(0x3123).prepare(CHIP).scale, (1, 1));
    // An offset beyond the object, an object that was never attached.
    let mut r = regs(0x128);
    r.set(SurfaceReg::ColorOffset, 0x10000);
    assert_eq!(r.prepare(CHIP).color, None);
    r.set(SurfaceReg::ColorOffset, 0xffff);
    assert_eq!(r.prepare(CHIP).color.map(|p| p.end), Some(1));
    r.dma[0] = DmaSpan::default();
    assert_eq!(r.prepare(CHIP).color, None);
}

#[test]
fn surface_codes_of_the_families() {
    // Celsius: Z24S8 is 0 and 2; nothing switches zeta off.
    let zeta = |chip, format| regs(format).prepare(chip).zeta.map(|z| z.bytes);
    assert_eq!(zeta(Chip::Nv10, 0x108), Some(4));
    assert_eq!(zeta(Chip::Nv10, 0x118), Some(2));
    // Rankine: five bits of colour, three of zeta, its own sample codes.
    let s = regs(0x150).prepare(Chip::Nv30);
    assert_eq!(s.format, Color::A8B8G8R8 { forced: None });
    assert!(s.z24 && s.zeta.is_some());
    assert_eq!(zeta(Chip::Nv30, 0x128), Some(2));
    assert_eq!(zeta(Chip::Nv30, 0x108), None);
    assert_eq!(regs(0x3148).prepare(Chip::Nv30).scale, (2, 1));
    assert_eq!(regs(0x4148).prepare(Chip::Nv30).scale, (2, 2));
    assert_eq!(regs(0x1148).prepare(Chip::Nv30).scale, (1, 1));
}

#[test]
fn colour_codes() {
    let bytes = [0, 2, 2, 2, 4, 4, 4, 4, 4, 1, 2, 8, 16, 4, 4, 4, 4, 0];
    let forced = [
        (1, (0x8000, 0)),
        (2, (0x8000, 0x8000)),
        (3, (0, 0)),
        (4, (0xff00_0000, 0)),
        (5, (0xff00_0000, 0xff00_0000)),
        (6, (0x8000_0000, 0)),
        (7, (0x8000_0000, 0x8000_0000)),
        (8, (0, 0)),
        (9, (0, 0)),
        (10, (0, 0)),
        (14, (0xff00_0000, 0)),
        (15, (0xff00_0000, 0xff00_0000)),
        (16, (0, 0)),
    ];
    for (code, want) in bytes.into_iter().enumerate() {
        let got = color_format(Chip::Nv40, code as u32).map_or(0, Color::bytes);
        assert_eq!(got, want, "{code}");
    }
    for (code, want) in forced {
        let format = color_format(Chip::Nv40, code).expect("known");
        assert_eq!(format.forced(), want, "{code}");
        // Channels and forced bits fill the word, without overlap.
        let all = u32::MAX >> (32 - 8 * format.bytes());
        let [r, g, b, a] = format.channels();
        assert_eq!(r | g | b | a | want.0, all, "{code}");
        assert_eq!(
            r.count_ones() + g.count_ones() + b.count_ones() + a.count_ones() + want.0.count_ones(),
            all.count_ones()
        );
    }
}

/// Words with some fields set.
fn words(fields: &[(id::Bundle, Field, u32)]) -> Bundles {
    let mut w = Bundles::default();
    for (bundle, field, value) in fields {
        let word = w.register(*bundle, 0).expect("its own");
        w.take(*bundle, 0, field.with(CHIP, word, *value));
    }
    w
}

fn rop(fields: &[(id::Bundle, Field, u32)], surfaces: &Surfaces) -> Rop {
    Rop::prepare(CHIP, &words(fields), surfaces)
}

const MASK: [(id::Bundle, Field, u32); 4] = [
    (id::CONFIG_A, CONFIG_A::COLOR_MASK_R, 1),
    (id::CONFIG_A, CONFIG_A::COLOR_MASK_G, 1),
    (id::CONFIG_A, CONFIG_A::COLOR_MASK_B, 1),
    (id::CONFIG_A, CONFIG_A::COLOR_MASK_A, 1),
];

#[test]
fn curie_has_words_of_its_own_for_masks_reference_and_alphas_equation() {
    let s = surfaces(Color::A8R8G8B8);
    let of = |set: &[(id::Bundle, u32)]| {
        let mut words = Bundles::default();
        set.iter()
            .for_each(|&(bundle, word)| assert!(words.take(bundle, 0, word)));
        Rop::prepare(Chip::Nv40, &words, &s)
    };
    // A, R, G, B from bit 8 on.
    for (bit, bits) in [(8, 0xff00_0000), (9, 0xff_0000), (10, 0xff00), (11, 0xff)] {
        assert_eq!(of(&[(id::COLOR_MASK, 1 << bit)]).bits, bits);
    }
    let test = 1 << 12 | 4 << 8;
    let alpha = of(&[(id::CONFIG_A, test), (id::ALPHA_FUNC_REF, 0x99)]).alpha;
    assert_eq!(alpha, Some((4, 0x99)));
    let both = of(&[(id::BLEND, 1 << 28 | 4 << 17 | 2)]).blend;
    assert_eq!(both.unwrap().equation, [Equation::Add, Equation::Max]);
}

#[test]
fn depths_top() {
    let wide = surfaces(Color::A8R8G8B8);
    assert_eq!(wide.depth_scale(CHIP), 16_777_215.0);
    assert_eq!(wide.depth_scale(Chip::Nv34), 16_777_215.0);
    assert_eq!(wide.depth_scale(Chip::Nv43), 16_777_216.0);
    let narrow = Surfaces::default();
    assert_eq!(narrow.depth_scale(CHIP), 65_535.0);
    assert_eq!(narrow.depth_scale(Chip::Nv43), 65_536.0);
}

#[test]
fn switches() {
    let s = regs(0x128).prepare(CHIP);
    let none = rop(&[], &s);
    assert!(none.alpha.is_none() && none.depth.is_none() && none.stencil == [None; 2]);
    assert!(none.blend.is_none() && none.logic.is_none());
    assert!(!none.depth_write && !none.dither && !none.count && none.bits == 0);
    let all = rop(
        &[
            (id::CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE, 1),
            (id::CONFIG_A, CONFIG_A::ALPHA_FUNC, 4),
            (id::CONFIG_A, CONFIG_A::ALPHA_REF, 0x7b),
            (id::CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE, 1),
            (id::CONFIG_A, CONFIG_A::DEPTH_FUNC, 3),
            (id::CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, 1),
            (id::CONFIG_A, CONFIG_A::DITHER_ENABLE, 1),
            (id::BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, 1),
            (id::BLEND, BLEND::COLOR_LOGIC_OP_OP, 9),
            (id::RASTER, RASTER::Z_FORMAT, 1),
            (id::CONFIG_B, CONFIG_B::ZPASS_COUNTER_ENABLE, 1),
        ],
        &s,
    );
    assert_eq!(all.alpha, Some((4, 0x7b)));
    assert_eq!((all.depth, all.depth_write), (Some(3), true));
    assert!(all.zeta.float && all.zeta.z24 && all.dither && all.count);
    assert_eq!(all.logic, Some(9));
    for (i, bits) in [0xff_0000, 0xff00, 0xff, 0xff00_0000]
        .into_iter()
        .enumerate()
    {
        assert_eq!(rop(&MASK[i..=i], &s).bits, bits);
    }
    // The X bits are written with any channel.
    let x = regs(0x125).prepare(CHIP);
    assert_eq!(rop(&MASK[..1], &x).bits, 0xffff_0000);
    assert_eq!(rop(&MASK[3..], &x).bits, 0);
}

#[test]
fn blend_words() {
    let s = regs(0x128).prepare(CHIP);
    let fields = [
        (id::BLEND, BLEND::BLEND_FUNC_ENABLE, 1),
        (id::BLEND, BLEND::BLEND_FACTOR_SRC_0, 4),
        (id::BLEND, BLEND::BLEND_FACTOR_DST_0, 5),
        (id::BLEND_COLOR, BLEND_COLOR::R, 1),
        (id::BLEND_COLOR, BLEND_COLOR::G, 2),
        (id::BLEND_COLOR, BLEND_COLOR::B, 3),
        (id::BLEND_COLOR, BLEND_COLOR::A, 4),
    ];
    for (code, equation) in [
        (0, Equation::Subtract),
        (1, Equation::ReverseSubtract),
        (2, Equation::Add),
        (3, Equation::Min),
        (4, Equation::Max),
        (5, Equation::SignedReverseSubtract),
        (6, Equation::SignedAdd),
        (7, Equation::SignedSubtract),
    ] {
        let mut list = fields.to_vec();
        list.push((id::BLEND, BLEND::BLEND_EQUATION, code));
        let want = Blend {
            equation: [equation; 2],
            src: [4; 2],
            dst: [5; 2],
            constant: [1, 2, 3, 4],
        };
        assert_eq!(rop(&list, &s).blend, Some(want));
    }
}

fn stencil_fields(back: u32) -> Vec<(id::Bundle, Field, u32)> {
    vec![
        (id::CONFIG_A, CONFIG_A::STENCIL_WRITE_ENABLE, 1),
        (id::STENCIL_A, STENCIL_A::STENCIL_ENABLE, 1),
        (id::STENCIL_A, STENCIL_A::STENCIL_FUNC, 5),
        (id::STENCIL_A, STENCIL_A::STENCIL_FUNC_REF, 0x21),
        (id::STENCIL_A, STENCIL_A::STENCIL_FUNC_MASK, 0x7f),
        (id::STENCIL_A, STENCIL_A::STENCIL_MASK, 0xf0),
        (id::STENCIL_B, STENCIL_B::STENCIL_OP_FAIL, 3),
        (id::STENCIL_B, STENCIL_B::STENCIL_OP_ZFAIL, 4),
        (id::STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS, 5),
        (id::STENCIL_A, STENCIL_A::STENCIL_BACK_ENABLE, back),
    ]
}

#[test]
fn stencil_words() {
    let s = regs(0x128).prepare(CHIP);
    let front = Stencil {
        func: 5,
        reference: 0x21,
        func_mask: 0x7f,
        mask: 0xf0,
        ops: [3, 4, 5],
    };
    assert_eq!(rop(&stencil_fields(0), &s).stencil, [Some(front); 2]);
    let off = rop(&stencil_fields(0)[1..], &s).stencil[0];
    assert_eq!(off, Some(Stencil { mask: 0, ..front }));
}

/// Memory that a block is drawn to: colour at 0, zeta at 512, 64 bytes a row.
struct Bench {
    bytes: Vec<u8>,
    format: Color,
}

impl Bench {
    fn new(format: Color, color: u32, zeta: u32) -> Bench {
        let mut b = Bench {
            bytes: vec![0; 1024],
            format,
        };
        for i in 0..LANES {
            b.put(0, i, color);
            b.put(512, i, zeta);
        }
        b
    }

    fn size(&self, at: usize) -> u32 {
        if at == 0 { self.format.bytes() } else { 4 }
    }

    fn place(&self, at: usize, lane: usize) -> usize {
        at + lane / 8 * 64 + lane % 8 * self.size(at) as usize
    }

    fn put(&mut self, at: usize, lane: usize, word: u32) {
        let (from, n) = (self.place(at, lane), self.size(at) as usize);
        self.bytes[from..from + n].copy_from_slice(&word.to_le_bytes()[..n]);
    }

    fn get(&self, at: usize, lane: usize) -> u32 {
        let (from, n) = (self.place(at, lane), self.size(at) as usize);
        let mut word = [0; 4];
        word[..n].copy_from_slice(&self.bytes[from..from + n]);
        u32::from_le_bytes(word)
    }

    /// Draws one block: all lanes of one colour, depth from the lane's number.
    fn draw(&mut self, rop: &Rop, color: [i32; 4], depth: impl Fn(usize) -> f32) -> u32 {
        let (color_bytes, zeta_bytes) = self.bytes.split_at_mut(512);
        let plane = |bytes: u32| Plane {
            address: 0,
            end: 512,
            pitch: 64,
            bytes,
            swizzle: None,
            scale: (1, 1),
        };
        let target = Target {
            color: Some((plane(self.format.bytes()), shared(color_bytes))),
            zeta: Some((plane(4), shared(zeta_bytes))),
            more: [None; 3],
        };
        let at = At {
            x: 0,
            y: 0,
            sample: (0, 0),
            whole: true,
        };
        let z = std::array::from_fn(depth);
        let tested = rop.test(&target, at, !0, &z, true);
        let color = color.map(|c| [c; LANES]);
        let alive = rop.alpha_test(!0, &color[3]);
        rop.write(&target, at, alive, &tested, &color)
    }
}

fn surfaces(format: Color) -> Surfaces {
    Surfaces {
        format,
        z24: true,
        scale: (1, 1),
        ..Surfaces::default()
    }
}

#[test]
fn depth_and_stencil_reach_memory() {
    let mut fields = stencil_fields(0);
    fields.extend(MASK);
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE, 1));
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_FUNC, 1));
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, 1));
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    // 21h & 7fh is not equal to 91h & 7fh: the stencil test passes; depth 1000 stands.
    let mut b = Bench::new(Color::A8R8G8B8, 0, 1000 << 8 | 0x91);
    let passed = b.draw(&state, [1, 2, 3, 4], |lane| 992.0 + lane as f32);
    assert_eq!(passed, 8);
    for lane in 0..LANES {
        let (z, c) = (b.get(512, lane), b.get(0, lane));
        if lane < 8 {
            // ZPASS: decrement, upper four bits only.
            assert_eq!((z >> 8, z & 255, c), (992 + lane as u32, 0x91, 0x0401_0203));
        } else {
            // ZFAIL: increment.
            assert_eq!((z >> 8, z & 255, c), (1000, 0x91, 0));
        }
    }
    // The same values with a low half that carries into the mask: 9fh + 1 = a0h.
    let mut b = Bench::new(Color::A8R8G8B8, 7, 1000 << 8 | 0x9f);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |_| 1001.0), 0);
    assert_eq!((b.get(512, 3), b.get(0, 3)), (1000 << 8 | 0xaf, 7));
    // A failing stencil test: 21h against 21h with "not equal". REPLACE.
    let mut b = Bench::new(Color::A8R8G8B8, 7, 1000 << 8 | 0xa1);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |_| 0.0), 0);
    assert_eq!((b.get(512, 3), b.get(0, 3)), (1000 << 8 | 0x21, 7));
}

#[test]
fn every_format_reaches_memory() {
    let color = [0x9a, 0x5b, 0xc7, 0x2d];
    for (code, old, want) in [
        (1, 0xffff, 0x13 << 10 | 0xb << 5 | 0x18),
        (2, 0, 0x8000 | 0x13 << 10 | 0xb << 5 | 0x18),
        (3, 0, 0x13 << 11 | 0x16 << 5 | 0x18),
        (4, !0, 0x9a5bc7),
        (5, 0, 0xff9a_5bc7),
        (6, !0, 0x169a_5bc7),
        (7, 0, 0x969a_5bc7),
        (8, 0, 0x2d9a_5bc7),
        (9, 0, 0xc7),
        (10, 0, 0x5bc7),
        (15, 0, 0xffc7_5b9a),
        (16, 0, 0x2dc7_5b9a),
    ] {
        let format = color_format(Chip::Nv40, code).expect("known");
        let state = rop(&MASK, &surfaces(format));
        let mut b = Bench::new(format, old, 0);
        assert_eq!(b.draw(&state, color, |_| 0.0), 16);
        for lane in 0..LANES {
            assert_eq!(b.get(0, lane), want, "{code}");
        }
        // What blending reads back of it: a sum with 0 leaves the word.
        let mut fields = MASK.to_vec();
        fields.push((id::BLEND, BLEND::BLEND_FUNC_ENABLE, 1));
        fields.push((id::BLEND, BLEND::BLEND_FACTOR_DST_0, 1));
        fields.push((id::BLEND, BLEND::BLEND_EQUATION, 2));
        let state = rop(&fields, &surfaces(format));
        b.draw(&state, color, |_| 0.0);
        assert_eq!(b.get(0, 5), want, "{code} blended");
    }
}

#[test]
fn logic_alpha_and_masks() {
    let fields = [
        (id::CONFIG_A, CONFIG_A::COLOR_MASK_G, 1),
        (id::CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE, 1),
        (id::CONFIG_A, CONFIG_A::ALPHA_FUNC, 4),
        (id::CONFIG_A, CONFIG_A::ALPHA_REF, 9),
        (id::BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, 1),
        (id::BLEND, BLEND::COLOR_LOGIC_OP_OP, 6),
    ];
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 0x1234_5678, 0);
    assert_eq!(b.draw(&state, [255, 255, 255, 9], |_| 0.0), 0);
    assert_eq!(b.get(0, 0), 0x1234_5678);
    assert_eq!(b.draw(&state, [255, 255, 255, 10], |_| 0.0), 16);
    assert_eq!(b.get(0, 0), 0x1234_a978);
}

#[test]
fn dither_is_a_bayer_matrix() {
    let mut fields = MASK.to_vec();
    fields.push((id::CONFIG_A, CONFIG_A::DITHER_ENABLE, 1));
    let state = rop(&fields, &surfaces(Color::R5G6B5));
    let mut b = Bench::new(Color::R5G6B5, 0, 0);
    b.draw(&state, [4, 2, 255, 0], |_| 0.0);
    for lane in 0..LANES {
        let bayer = [[0, 8, 2, 10], [12, 4, 14, 6]][lane / 8][lane % 4];
        let want = u32::from(bayer >= 8);
        assert_eq!(b.get(0, lane), want << 11 | want << 5 | 0x1f, "{lane}");
    }
}

/// Fields of a depth test with function `func`, and all channels.
fn depth_fields(func: u32, write: u32) -> Vec<(id::Bundle, Field, u32)> {
    let mut fields = MASK.to_vec();
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE, 1));
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_FUNC, func));
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, write));
    fields
}

#[test]
fn depth_is_written_where_it_passes_and_may() {
    for func in 0..8 {
        for write in 0..2 {
            let state = rop(&depth_fields(func, write), &surfaces(Color::A8R8G8B8));
            let mut b = Bench::new(Color::A8R8G8B8, 5, 1000 << 8 | 0x91);
            let mut passed = 0;
            let count = b.draw(&state, [1, 2, 3, 4], |lane| 992.0 + lane as f32);
            for lane in 0..LANES {
                let z = 992 + lane as u32;
                let pass = match z.cmp(&1000) {
                    std::cmp::Ordering::Less => func & 1 != 0,
                    std::cmp::Ordering::Equal => func & 2 != 0,
                    std::cmp::Ordering::Greater => func & 4 != 0,
                };
                passed += u32::from(pass);
                let depth = if pass && write == 1 { z } else { 1000 };
                assert_eq!(b.get(512, lane), depth << 8 | 0x91, "{func} {lane}");
                let color = if pass { 0x0401_0203 } else { 5 };
                assert_eq!(b.get(0, lane), color, "{func} {lane}");
            }
            assert_eq!(count, passed, "{func}");
        }
    }
    // The write switch alone does nothing: depth is written by the test.
    let mut fields = MASK.to_vec();
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, 1));
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 5, 1000 << 8);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |_| 3.0), 16);
    assert_eq!((b.get(512, 7), b.get(0, 7)), (1000 << 8, 0x0401_0203));
}

#[test]
fn stencil_without_depth_keeps_the_depth_bits() {
    // REPLACE with 21h where the reference differs from what stands there.
    let mut fields = stencil_fields(0);
    fields.extend(MASK);
    fields.push((id::CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, 1));
    fields.push((id::STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS, 3));
    fields.push((id::STENCIL_A, STENCIL_A::STENCIL_MASK, 0xff));
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 5, 1000 << 8 | 0x12);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |_| 3.0), 16);
    assert_eq!(
        (b.get(512, 7), b.get(0, 7)),
        (1000 << 8 | 0x21, 0x0401_0203)
    );
    // With the write switch of the stencil off the word stays.
    let off: Vec<_> = fields[1..].to_vec();
    let state = rop(&off, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 5, 1000 << 8 | 0x12);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |_| 3.0), 16);
    assert_eq!(b.get(512, 7), 1000 << 8 | 0x12);
    // Depth passes but may not be written: only the stencil changes, where both pass.
    let mut both = fields.clone();
    both.extend(depth_fields(1, 0));
    let state = rop(&both, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 5, 1000 << 8 | 0x12);
    assert_eq!(b.draw(&state, [1, 2, 3, 4], |lane| 992.0 + lane as f32), 8);
    // ZFAIL increments: 12h + 1.
    assert_eq!(b.get(512, 7), 1000 << 8 | 0x21);
    assert_eq!(b.get(512, 8), 1000 << 8 | 0x13);
}

#[test]
fn sixteen_bit_depth_has_no_stencil() {
    let mut fields = stencil_fields(0);
    fields.extend(depth_fields(1, 1));
    let s = Surfaces {
        z24: false,
        ..surfaces(Color::A8R8G8B8)
    };
    let state = rop(&fields, &s);
    let mut bytes = vec![0; 512];
    for lane in 0..8 {
        bytes[2 * lane..2 * lane + 2].copy_from_slice(&1000u16.to_le_bytes());
    }
    let plane = Plane {
        address: 0,
        end: 512,
        pitch: 64,
        bytes: 2,
        swizzle: None,
        scale: (1, 1),
    };
    let target = Target {
        color: None,
        zeta: Some((plane, shared(&mut bytes))),
        more: [None; 3],
    };
    let at = At {
        x: 0,
        y: 0,
        sample: (0, 0),
        whole: true,
    };
    let z = std::array::from_fn(|lane| 996.5 + lane as f32);
    let tested = state.test(&target, at, 0x00fe, &z, true);
    // 997, 998, 999 pass in lanes 1 to 3; 1000 and above do not.
    assert_eq!(tested.pass, 0b1110);
    assert!(state.fails_silently(&tested));
    state.write(&target, at, !0, &tested, &[[0; LANES]; 4]);
    let got: Vec<u16> = (0..6)
        .map(|lane| u16::from_le_bytes([bytes[2 * lane], bytes[2 * lane + 1]]))
        .collect();
    assert_eq!(got, [1000, 997, 998, 999, 1000, 1000]);
}

#[test]
fn failing_fragments_may_still_write() {
    // Depth fails everywhere; ZFAIL increments the stencil.
    let mut fields = stencil_fields(0);
    fields.extend(depth_fields(0, 1));
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    let mut b = Bench::new(Color::A8R8G8B8, 5, 0x0f);
    let plane = Plane {
        address: 0,
        end: 512,
        pitch: 64,
        bytes: 4,
        swizzle: None,
        scale: (1, 1),
    };
    let (_, zeta) = b.bytes.split_at_mut(512);
    let target = Target {
        color: None,
        zeta: Some((plane, shared(zeta))),
        more: [None; 3],
    };
    let at = At {
        x: 0,
        y: 0,
        sample: (0, 0),
        whole: true,
    };
    let tested = state.test(&target, at, !0, &[0.0; LANES], true);
    assert!(!state.fails_silently(&tested));
    // The first field is STENCIL_WRITE_ENABLE.
    let keeps = &fields[1..];
    let state = rop(keeps, &surfaces(Color::A8R8G8B8));
    let tested = state.test(&target, at, !0, &[0.0; LANES], true);
    assert!(state.fails_silently(&tested));
}

#[test]
fn both_faces_have_their_stencil() {
    // Kelvin has one set of words; Rankine a second for back faces.
    let chip = Chip::Nv30;
    let mut fields = stencil_fields(1);
    fields.extend([
        (id::STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC, 6),
        (id::STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_REF, 0x43),
        (id::STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_MASK, 0x3f),
        (id::STENCIL_C, STENCIL_C::STENCIL_BACK_MASK, 0x0f),
        (id::STENCIL_C, STENCIL_C::STENCIL_BACK_OP_FAIL, 6),
        (id::STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZFAIL, 7),
        (id::STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZPASS, 8),
    ]);
    let mut w = Bundles::default();
    for (bundle, field, value) in &fields {
        let word = w.register(*bundle, 0).expect("its own");
        w.take(*bundle, 0, field.with(chip, word, *value));
    }
    let s = surfaces(Color::A8R8G8B8);
    let front = Stencil {
        func: 5,
        reference: 0x21,
        func_mask: 0x7f,
        mask: 0xf0,
        ops: [3, 4, 5],
    };
    let back = Stencil {
        func: 6,
        reference: 0x43,
        func_mask: 0x3f,
        mask: 0x0f,
        ops: [6, 7, 8],
    };
    assert_eq!(
        Rop::prepare(chip, &w, &s).stencil,
        [Some(front), Some(back)]
    );
    // Without STENCIL_WRITE nothing is written, but on Curie, which has no such switch.
    let a =
        CONFIG_A::STENCIL_WRITE_ENABLE.with(chip, w.register(id::CONFIG_A, 0).expect("its own"), 0);
    w.take(id::CONFIG_A, 0, a);
    let masks = |chip| {
        Rop::prepare(chip, &w, &s)
            .stencil
            .map(|s| s.expect("on").mask)
    };
    assert_eq!(masks(chip), [0, 0]);
    assert_eq!(masks(Chip::Nv40)[0], 0xf0);
}

#[test]
fn samples_have_their_switches() {
    let fields = [
        (id::MULTISAMPLE, MULTISAMPLE::ALPHA_TO_COVERAGE, 1),
        (id::MULTISAMPLE, MULTISAMPLE::ALPHA_TO_ONE, 1),
        (id::MULTISAMPLE, MULTISAMPLE::SAMPLE_COVERAGE, 0x1234),
    ];
    for (scale, on) in [((1, 1), false), ((2, 1), true), ((2, 2), true)] {
        let s = Surfaces {
            scale,
            ..surfaces(Color::A8R8G8B8)
        };
        let state = rop(&fields, &s);
        assert_eq!(
            (state.alpha_to_coverage, state.alpha_to_one),
            (on, on),
            "{scale:?}"
        );
        let mask = if on { 0x1234 } else { u32::MAX };
        assert_eq!(state.sample_mask, mask, "{scale:?}");
        let none = rop(&[], &s);
        assert!(!none.alpha_to_coverage && !none.alpha_to_one);
        let mut all = MASK.to_vec();
        all.extend(fields);
        let mut b = Bench::new(Color::A8R8G8B8, 0, 0);
        b.draw(&rop(&all, &s), [1, 2, 3, 4], |_| 0.0);
        let alpha = if on { 255 } else { 4 };
        assert_eq!(b.get(0, 0), alpha << 24 | 0x01_0203, "{scale:?}");
    }
}

#[test]
fn dither_adds_a_part_of_what_is_lost() {
    const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    let at = |x, y| At {
        x,
        y,
        sample: (0, 0),
        whole: true,
    };
    for y in [0, 2, 6] {
        for (format, lost) in [
            (Color::R5G6B5, [8, 4, 8]),
            (Color::X1R5G5B5 { ones: true }, [8, 8, 8]),
        ] {
            let mut c = [[100; LANES], [7; LANES], [253; LANES], [9; LANES]];
            crate::rop::dither(format, at(8, y), &mut c);
            for lane in 0..LANES {
                let bayer = BAYER[(y as usize + lane / 8) % 4][lane % 4];
                for (ch, old) in [100, 7, 253].into_iter().enumerate() {
                    let want = (old + bayer * lost[ch] / 16).min(255);
                    assert_eq!(c[ch][lane], want, "{format:?} {y} {lane} {ch}");
                }
                assert_eq!(c[3][lane], 9);
            }
        }
        let mut c = [[100; LANES]; 4];
        crate::rop::dither(Color::A8R8G8B8, at(0, y), &mut c);
        assert_eq!(c, [[100; LANES]; 4]);
    }
}

#[test]
fn rankine_blends_alpha_with_factors_of_its_own() {
    let fields = [
        (id::BLEND, BLEND::BLEND_FUNC_ENABLE, 1),
        (id::BLEND, BLEND::BLEND_FACTOR_SRC_0, 4),
        (id::BLEND, BLEND::BLEND_FACTOR_DST_0, 5),
        (id::BLEND, BLEND::BLEND_FACTOR_SRC_1, 1),
        (id::BLEND, BLEND::BLEND_FACTOR_DST_1, 6),
    ];
    let chip = Chip::Nv30;
    let word = fields.iter().fold(0, |w, (_, f, v)| f.with(chip, w, *v));
    let mut w = Bundles::default();
    w.take(id::BLEND, 0, word);
    let blend = Rop::prepare(chip, &w, &surfaces(Color::A8R8G8B8)).blend;
    assert_eq!(blend.map(|b| (b.src, b.dst)), Some(([4, 1], [5, 6])));
}

#[test]
fn clears_stay_in_their_rectangle() {
    use crate::rop::clear::Clear;
    let mut bytes = vec![0x11; 1024];
    let ram = shared(&mut bytes);
    let plane = |scale| Plane {
        address: 0,
        end: 1024,
        pitch: 64,
        bytes: 4,
        swizzle: None,
        scale,
    };
    let clear = |rect, color, tile: [i32; 4], scale| {
        let target = Target {
            color: Some((plane(scale), ram)),
            zeta: None,
            more: [None; 3],
        };
        Clear {
            rect,
            color,
            zeta: (9, 9),
        }
        .run(&target, &tile);
    };
    let word = |x: usize, y: usize| read_word(ram, 64 * y + 4 * x, 4);
    clear([2, 1, 5, 3], (0x1234_5678, !0), [0, 0, 16, 16], (1, 1));
    for y in 0..6 {
        for x in 0..8 {
            let inside = (2..5).contains(&x) && (1..3).contains(&y);
            let want = if inside { 0x1234_5678 } else { 0x1111_1111 };
            assert_eq!(word(x, y), want, "{x} {y}");
        }
    }
    // Only the tile's part, only some bits.
    clear([0, 0, 8, 8], (0, 0xff00), [3, 2, 4, 9], (1, 1));
    assert_eq!(
        [word(3, 1), word(3, 2), word(4, 2)],
        [0x1234_5678, 0x1234_0078, 0x1234_5678]
    );
    assert_eq!(
        [word(3, 3), word(2, 3), word(3, 8)],
        [0x1111_0011, 0x1111_1111, 0x1111_1111]
    );
    // Nothing where no bit is asked for or the rectangle is empty.
    clear([0, 0, 8, 8], (0, 0), [0, 0, 16, 16], (1, 1));
    clear([5, 0, 5, 8], (0, !0), [0, 0, 16, 16], (1, 1));
    clear([6, 0, 4, 8], (0, !0), [0, 0, 16, 16], (1, 1));
    assert_eq!([word(5, 0), word(4, 4), word(0, 7)], [0x1111_1111; 3]);
    // Samples: twice as wide and high.
    clear([1, 1, 2, 2], (7, !0), [0, 0, 16, 16], (2, 2));
    for (x, y, want) in [(1, 2, 0), (2, 2, 7), (3, 3, 7), (2, 4, 0), (4, 3, 0)] {
        assert_eq!(word(x, y) == 7, want == 7, "{x} {y}");
    }
}

#[test]
fn explanations_say_what_the_tests_do() {
    let mut fields = stencil_fields(0);
    fields.extend(depth_fields(1, 1));
    fields.extend([
        (id::CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE, 1),
        (id::CONFIG_A, CONFIG_A::ALPHA_FUNC, 4),
        (id::CONFIG_A, CONFIG_A::ALPHA_REF, 9),
    ]);
    let state = rop(&fields, &surfaces(Color::A8R8G8B8));
    for (z, pass) in [(999.0, true), (1000.0, false)] {
        let test = state
            .explain_depth(1000 << 8 | 0x91, &[z; LANES], 5)
            .expect("on");
        assert_eq!((test.incoming, test.stored), (z as u32, 1000));
        assert_eq!((test.function, test.pass), ("LESS", pass));
    }
    for (alpha, pass) in [(9, false), (10, true)] {
        let test = state.explain_alpha(alpha).expect("on");
        assert_eq!(
            (test.incoming, test.stored, test.pass),
            (alpha as u32, 9, pass)
        );
    }
    // 21h & 7fh against what stands there: "not equal" fails, REPLACE; else by depth.
    for (old, z, pass, op, after) in [
        (0xa1, 0.0, false, "REPLACE", 0x21),
        (0x9f, 1001.0, true, "INCR", 0xaf),
        (0xb0, 999.0, true, "DECR", 0xa0),
    ] {
        let old = 1000 << 8 | old;
        let mut b = Bench::new(Color::A8R8G8B8, 0, old);
        let (_, zeta) = b.bytes.split_at_mut(512);
        let plane = Plane {
            address: 0,
            end: 512,
            pitch: 64,
            bytes: 4,
            swizzle: None,
            scale: (1, 1),
        };
        let target = Target {
            color: None,
            zeta: Some((plane, shared(zeta))),
            more: [None; 3],
        };
        let at = At {
            x: 0,
            y: 0,
            sample: (0, 0),
            whole: true,
        };
        let tested = state.test(&target, at, !0, &[z; LANES], true);
        let depth = z < 1000.0;
        let got = state
            .explain_stencil(old, true, depth, &tested, 3)
            .expect("on");
        assert_eq!((got.test.incoming, got.test.stored), (0x21, old & 0x7f));
        assert_eq!(
            (got.test.pass, got.before, got.after),
            (pass, old & 255, after)
        );
        assert!(got.operation.starts_with(op), "{}", got.operation);
        assert_eq!((got.func_mask, got.write_mask), (0x7f, 0xf0));
    }
    let none = rop(&[], &surfaces(Color::A8R8G8B8));
    assert!(none.explain_depth(0, &[0.0; LANES], 0).is_none() && none.explain_alpha(0).is_none());
}

#[test]
fn an_explained_write_is_the_write() {
    let color = [0x9a, 0x5b, 0xc7, 0x2d];
    let mut fields = MASK[..3].to_vec();
    fields.extend([
        (id::BLEND, BLEND::BLEND_FUNC_ENABLE, 1),
        (id::BLEND, BLEND::BLEND_EQUATION, 2),
        (id::BLEND, BLEND::BLEND_FACTOR_SRC_0, 4),
        (id::BLEND, BLEND::BLEND_FACTOR_DST_0, 5),
        (id::BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, 1),
        (id::BLEND, BLEND::COLOR_LOGIC_OP_OP, 6),
        (id::CONFIG_A, CONFIG_A::DITHER_ENABLE, 1),
    ]);
    for code in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16] {
        let format = color_format(Chip::Nv40, code).expect("known");
        for n in 0..fields.len() - 3 {
            // With blending, then also logic, then also dither.
            let state = rop(&fields[..4 + n], &surfaces(format));
            let mut b = Bench::new(format, 0x1234_5678, 0);
            let old = b.get(0, 5);
            b.draw(&state, color, |_| 0.0);
            let at = At {
                x: 0,
                y: 0,
                sample: (0, 0),
                whole: true,
            };
            let said = state.explain_write(at, 5, old, &color.map(|c| [c; LANES]));
            assert_eq!(said.word, b.get(0, 5), "{code} {n}");
            assert_eq!(said.logic.is_some(), state.logic.is_some());
            let Some(blend) = said.blend else {
                assert!(state.blend.is_none());
                continue;
            };
            assert_eq!(blend.equation, if n == 0 { "SUBTRACT" } else { "ADD" });
            if n >= 3 {
                // SRC_ALPHA and its complement.
                assert_eq!(blend.source_weight, Some([0x2d; 4]), "{code}");
                assert_eq!(blend.destination_weight, Some([0xd2; 4]), "{code}");
            }
        }
    }
}

#[test]
fn targets_that_are_on() {
    let mut r = regs(0x148);
    for (i, offset) in (1..4).zip([0x100, 0x200, 0x300]) {
        assert!(r.set(SurfaceReg::MoreOffset(i), offset));
        assert!(r.set(SurfaceReg::MorePitch(i), 64 * u32::from(i)));
    }
    let at = |plane: Option<Plane>| plane.map(|p| (p.address, p.pitch));
    for (enable, color, more) in [
        (0x0, None, [None; 3]),
        (0x1, Some((0x1020, 96)), [None; 3]),
        (0x2, Some((0x1100, 64)), [None; 3]),
        (
            0x17,
            Some((0x1020, 96)),
            [Some((0x1100, 64)), Some((0x1200, 128)), None],
        ),
    ] {
        r.enable(enable);
        let s = r.prepare(Chip::Nv40);
        assert_eq!(at(s.color), color, "{enable:#x}");
        assert_eq!(s.more.map(at), more, "{enable:#x}");
    }
    r.enable(3);
    assert_eq!(r.prepare(CHIP).more, [None; 3], "Kelvin has one");
}

#[test]
fn each_target_has_its_mask_and_blending() {
    let chip = Chip::Nv40;
    let words = Bundles {
        // A, R, G, B from the lowest bit: red of the first, green of the second.
        COLOR_MASK: COLOR_MASK::MASK.with(chip, 0, 0x2 | 0x4 << 4),
        BLEND: BLEND::BLEND_MRT_ENABLE.with(chip, 0, 1),
        ..Bundles::default()
    };
    let mut r = regs(0x148);
    r.enable(0x13);
    let surfaces = r.prepare(chip);
    // With MRT each has its own result, too; without it all have the first.
    for (mrt, result) in [(1, 1), (0, 0)] {
        let words = Bundles {
            RT_ENABLE: RT_ENABLE::MRT.with(chip, 3, mrt),
            ..words
        };
        let rop = Rop::prepare(chip, &words, &surfaces);
        assert_eq!((rop.bits, rop.blend.is_some()), (0xff_0000, false));
        assert_eq!(
            rop.outputs,
            [Output::new(
                (1, result),
                [false, true, false, false],
                Color::A8R8G8B8,
                blend(chip, &words, words.BLEND, 1)
            )]
        );
    }
    assert!(blend(chip, &words, words.BLEND, 1).is_some());
}

/// Curie blends halves and no whole floats; Rankine writes all floats as they are.
#[test]
fn only_curie_blends_floats() {
    for (chip, format, blends) in [
        (Chip::Nv40, Color::Rgba16f, true),
        (Chip::Nv40, Color::Rgba32f, false),
        (Chip::Nv34, Color::Rgba16f, false),
    ] {
        let words = Bundles {
            BLEND: BLEND::BLEND_FUNC_ENABLE.with(chip, 0, 1),
            ..Bundles::default()
        };
        let on = blend(chip, &words, words.BLEND, 0);
        assert!(on.is_some());
        let target = Surfaces {
            color: regs(0x148).prepare(chip).color,
            ..surfaces(format)
        };
        let mask = color_mask(chip, &words, 0);
        let want = Output::new((0, 0), mask, format, on.filter(|_| blends));
        assert_eq!(
            outputs(chip, &words, &target),
            [want],
            "{chip:?} {format:?}"
        );
    }
}

/// The depth that is stored is asked, before stencil.
#[test]
fn depth_bounds() {
    let chip = Chip::Nv40;
    let words = Bundles {
        Z_CONFIG: Z_CONFIG::DEPTH_BOUNDS_ENABLE.with(chip, 0, 1),
        DEPTH_BOUNDS_MIN: 0.25f32.to_bits(),
        DEPTH_BOUNDS_MAX: 0.5f32.to_bits(),
        ..Bundles::default()
    };
    let s = surfaces(Color::A8R8G8B8);
    let rop = Rop::prepare(chip, &words, &s);
    let stored = [0.2, 0.3, 0.5, 0.6].map(|z| ((z * 16_777_215.0) as u32) << 8);
    let mut bytes: Vec<u8> = stored.iter().flat_map(|w| w.to_le_bytes()).collect();
    bytes.resize(512, 0);
    let plane = Plane {
        address: 0,
        end: 512,
        pitch: 64,
        bytes: 4,
        swizzle: None,
        scale: (1, 1),
    };
    let target = Target {
        color: None,
        zeta: Some((plane, shared(&mut bytes))),
        more: [None; 3],
    };
    let at = At {
        x: 0,
        y: 0,
        sample: (0, 0),
        whole: true,
    };
    let tested = rop.test(&target, at, 0xf, &[0.0; LANES], true);
    assert_eq!(tested.pass, 0b0110);
}
