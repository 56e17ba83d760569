//! Celsius' vertices as the sixteen words of an output slot, against the same vertices as they
//! reach the rasterizer.

use isotherm_bus::vertex::VtxIn;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::xf::mode::{CELSIUS_XFMODE_A, CELSIUS_XFMODE_B};
use isotherm_xf::xf::Xf;
use isotherm_xf::xf::celsius::slot;

fn number(r: &mut Random) -> u32 {
    r.next_u32() & 0x807f_ffff | (r.below(12) + 121) << 23
}

#[test]
fn slots_and_vertices_are_the_same() {
    let mut r = Random::new(0x510);
    for round in 0..600 {
        let chip = [Chip::Nv10, Chip::Nv17][round % 2];
        let mut xf = Xf::new(chip);
        let state = xf.state_mut();
        for word in state.xfctx.iter_mut().flatten() {
            *word = number(&mut r);
        }
        for word in state
            .ltctx
            .iter_mut()
            .flatten()
            .chain(state.ltc.iter_mut().flatten())
        {
            *word = number(&mut r) & !0x3ff;
        }
        let (b, a) = (r.next_u32(), r.next_u32());
        xf.command(7, 0, 3, b, a);
        let vertex = VtxIn {
            attr: std::array::from_fn(|_| std::array::from_fn(|_| number(&mut r))),
            edge_flag: r.below(2) == 0,
        };
        let mut out = Vec::new();
        xf.run(&[vertex], &mut out);
        let (out, words) = (out[0], slot(chip, xf.state(), false, &vertex));
        let on = |field: isotherm_regs::field::Field, word: u32| field.is_set(chip, word);
        let bypass = on(CELSIUS_XFMODE_B::BYPASS, b);
        // Edge flag and point size.
        assert_eq!(words[2] >> 31, u32::from(vertex.edge_flag), "{round}");
        if bypass || on(CELSIUS_XFMODE_B::POINT_PARAMS_ENABLE, b) {
            let size = (words[2] >> 12 & 0x1ff) as f32 / 8.0;
            assert_eq!(f32::from_bits(out.point_size), size, "{round}");
            assert_eq!(words[2] & 0x7fe0_0fff, 0, "{round}");
        } else {
            assert_eq!(words[2] << 1, 0, "{round}");
        }
        let fog = bypass || on(CELSIUS_XFMODE_A::FOG_ENABLE, a);
        assert_eq!(words[9], if fog { out.fog } else { 0 }, "{round}");
        // Colours: the second one's alpha has no place, the edge flag is there instead.
        assert_eq!(words[10], u32::from_le_bytes(out.color[0]), "{round}");
        let [red, green, blue, _] = out.color[1];
        let second = [u8::from(vertex.edge_flag), red, green, blue];
        assert_eq!(words[11].to_le_bytes(), second, "{round}");
        // The window's coordinates are counted from its middle.
        for c in 0..2 {
            let moved = f32::from_bits(words[12 + c]) + 2048.0;
            assert_eq!(f32::from_bits(out.pos[c]), moved, "{round} {c}");
        }
        assert_eq!(words[14], out.pos[2], "{round}");
        assert_eq!(words[15] & !1, out.rw, "{round}");
        assert_eq!(words[15] & 1, words[12] >> 31, "{round}");
        let sets = [
            (4, CELSIUS_XFMODE_A::TEX_0_ENABLE),
            (0, CELSIUS_XFMODE_A::TEX_1_ENABLE),
        ];
        for (first, enable) in sets {
            let found = [0, 1, 3].map(|c| words[first + c]);
            // Numbers as large as these are never 0, whatever the mode makes of them.
            let there = found.iter().any(|word| *word != 0);
            assert_eq!(there, bypass || on(enable, a), "{round} {first}");
        }
    }
}
