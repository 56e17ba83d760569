//! What the surface registers keep, and the names that explanations have for the ROP's codes.

use super::*;

const REGISTERS: [SurfaceReg; 12] = [
    SurfaceReg::ClipHoriz,
    SurfaceReg::ClipVert,
    SurfaceReg::Format,
    SurfaceReg::Pitch,
    SurfaceReg::ColorOffset,
    SurfaceReg::ZetaOffset,
    SurfaceReg::MoreOffset(1),
    SurfaceReg::MoreOffset(2),
    SurfaceReg::MoreOffset(3),
    SurfaceReg::MorePitch(1),
    SurfaceReg::MorePitch(2),
    SurfaceReg::MorePitch(3),
];
const ROLES: [DmaRole; 5] = [
    DmaRole::Color,
    DmaRole::Zeta,
    DmaRole::MoreColor(1),
    DmaRole::MoreColor(2),
    DmaRole::MoreColor(3),
];

/// Registers that all have another value.
fn filled() -> SurfaceRegs {
    let mut r = SurfaceRegs::default();
    for (n, reg) in (1u32..).zip(REGISTERS) {
        r.set(reg, n << 16 | (n + 100));
    }
    for (n, role) in (1u32..).zip(ROLES) {
        let span = DmaSpan {
            base: n << 8,
            limit: n << 16,
        };
        assert!(r.attach(role, span));
        assert!(!r.attach(role, span), "the same again is no change");
    }
    assert!(!r.attach(DmaRole::Report, DmaSpan { base: 1, limit: 1 }));
    r.enable(0x1f);
    r
}

#[test]
fn each_register_has_a_place() {
    let r = filled();
    assert_eq!(r.clip, [0x1_0065, 0x2_0066]);
    assert_eq!((r.format, r.enable), (0x3_0067, 0x1f));
    // Colour A and zeta share a word.
    assert_eq!(r.pitch, [0x68, 0x4, 0xa_006e, 0xb_006f, 0xc_0070]);
    assert_eq!(r.offset, [0x5_0069, 0x6_006a, 0x7_006b, 0x8_006c, 0x9_006d]);
    assert_eq!(r.dma.map(|span| span.base >> 8), [1, 2, 3, 4, 5]);
    // A target that there is not takes the nearest one's place.
    assert_eq!([0, 1, 2, 3, 4, 255].map(more), [2, 2, 3, 4, 4, 4]);
}

#[test]
fn all_of_them_are_saved() {
    let mut saved = Saved::save();
    filled().saved(&mut saved);
    let words = saved.finish().expect("written");
    let mut back = SurfaceRegs::default();
    let mut saved = Saved::load(words);
    back.saved(&mut saved);
    assert!(saved.finish().is_ok());
    assert_eq!(back, filled());
}

/// Every surface that is on is one that is drawn to, and knows which target it is.
#[test]
fn planes_are_those_of_the_targets() {
    let mut r = regs(0x148);
    for i in 1..4 {
        r.set(SurfaceReg::MoreOffset(i), u32::from(i) << 8);
    }
    for (enable, first, count) in [
        (1, 0, 1),
        (2, 1, 1),
        (4, 2, 1),
        (8, 3, 1),
        (0xe, 1, 3),
        (15, 0, 4),
    ] {
        r.enable(enable);
        let s = r.prepare(Chip::Nv40);
        assert_eq!(s.first, first, "{enable:x}");
        let colors = [s.color, s.more[0], s.more[1], s.more[2]];
        assert_eq!(colors.iter().flatten().count(), count, "{enable:x}");
        let [a, zeta, b, c, d] = s.planes();
        assert_eq!(([a, b, c, d], zeta), (colors, s.zeta));
        assert!(zeta.is_some());
    }
}

/// Where samples lie by family.
#[test]
fn spreads_of_samples() {
    for (chip, code, scale, spread) in [
        (Chip::Nv20, 0, (1, 1), Spread::Corner),
        (Chip::Nv20, 1, (2, 1), Spread::Corner),
        (Chip::Nv20, 2, (2, 2), Spread::Corner),
        (Chip::Nv20, 3, (1, 1), Spread::Corner),
        (Chip::Nv20, 4, (1, 1), Spread::Corner),
        (Chip::Nv40, 0, (1, 1), Spread::Corner),
        (Chip::Nv40, 1, (1, 1), Spread::Corner),
        (Chip::Nv40, 2, (1, 1), Spread::Corner),
        (Chip::Nv40, 3, (2, 1), Spread::Centered),
        (Chip::Nv40, 4, (2, 2), Spread::Centered),
        (Chip::Nv40, 5, (2, 2), Spread::Rotated),
        (Chip::Nv40, 6, (1, 1), Spread::Corner),
    ] {
        let s = regs(0x128 | code << 12).prepare(chip);
        assert_eq!((s.scale, s.spread), (scale, spread), "{chip:?} {code}");
    }
}

/// An explained blend: its names are the codes'.
#[test]
fn explained_equations_and_factors() {
    for (code, name) in [
        (0, "SUBTRACT"),
        (1, "REVERSE_SUBTRACT"),
        (2, "ADD"),
        (3, "MIN"),
        (4, "MAX"),
        (5, "SIGNED_REVERSE_SUBTRACT"),
        (6, "SIGNED_ADD"),
    ] {
        let fields = [
            (id::BLEND, BLEND::BLEND_FUNC_ENABLE, 1),
            (id::BLEND, BLEND::BLEND_EQUATION, code),
            (id::BLEND, BLEND::BLEND_FACTOR_SRC_0, 3),
            (id::BLEND, BLEND::BLEND_FACTOR_DST_0, 8),
        ];
        let state = rop(&fields, &surfaces(Color::A8R8G8B8));
        let at = At {
            x: 0,
            y: 0,
            sample: (0, 0),
            whole: true,
        };
        let color = [10, 20, 30, 40].map(|c| [c; LANES]);
        let said = state.explain_write(at, 2, 0x0102_0304, &color);
        let blend = said.blend.expect("on");
        assert_eq!((blend.equation, blend.alpha_equation), (name, name));
        assert_eq!(blend.source_factor[0], blend.source_factor[1]);
        assert_eq!(
            (said.source, blend.destination),
            ([10, 20, 30, 40], [2, 3, 4, 1])
        );
        // Minimum, maximum and the signed ones know no factors.
        let weighs = code < 3;
        assert_eq!(blend.source_weight, weighs.then_some([245, 235, 225, 215]));
        assert_eq!(blend.destination_weight, weighs.then_some([2, 3, 4, 1]));
    }
}
