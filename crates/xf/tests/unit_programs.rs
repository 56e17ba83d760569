//! The unit around programs: any program, on every family, in every mode that the words can say.

use isotherm_bus::vertex::{VtxIn, VtxOut};
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{self as id, XF_C, XF_D};
use isotherm_regs::xf::asm::assemble;
use isotherm_regs::xf::asm::generate::{self, Rng};
use isotherm_regs::xf::isa::{Isa, Word};
use isotherm_regs::xf::mode::{ARITH_RULES, XF_MODE, XFCTX_ACCESS, XFMODE_A, XFMODE_B};
use isotherm_xf::xf::Xf;

/// A chip, the instructions that it runs, and the mode that says so.
const KINDS: [(Chip, Isa, u32); 4] = [
    (Chip::Nv2a, Isa::Kelvin, XF_MODE::PROGRAM_V1),
    (Chip::Nv34, Isa::Kelvin, XF_MODE::PROGRAM_V1),
    (Chip::Nv34, Isa::Rankine, XF_MODE::PROGRAM_V2),
    (Chip::Nv40, Isa::Curie, XF_MODE::PROGRAM_V3),
];

fn load(xf: &mut Xf, command: u8, row: u16, words: [u32; 4]) {
    for (component, word) in (0u16..).zip(words) {
        let which = 1 << (component & 1);
        xf.command(command, row << 4 | component << 2, which, word, word);
    }
}

fn load_program(xf: &mut Xf, start: u16, words: &[Word]) {
    for (slot, word) in (start..).zip(words) {
        load(xf, 2, slot, word.to_upload());
    }
}

/// Turns programs on, with other bits of the mode's words as they come.
fn turn_on(xf: &mut Xf, chip: Chip, mode: u32, start: u16, other: [u32; 2]) {
    if chip == Chip::Nv40 {
        let word = XF_C::MODE.with(chip, other[0], mode);
        let word = XF_C::PROGRAM_START_POS.with(chip, word, start.into());
        return xf.bundle(id::XF_C, 0, word);
    }
    let lights = XFMODE_B::MODE.with(chip, other[0], mode);
    let materials = XFMODE_A::PROGRAM_START_POS.with(chip, other[1], start.into());
    let address = if chip == Chip::Nv34 { 8 } else { 0 };
    xf.command(7, address, 3, lights, materials);
}

/// A number of an ordinary size.
fn number(r: &mut Random) -> u32 {
    r.next_u32() & 0x807f_ffff | (r.below(12) + 121) << 23
}

fn any_vertex(r: &mut Random) -> VtxIn {
    VtxIn {
        attr: std::array::from_fn(|_| std::array::from_fn(|_| number(r))),
        edge_flag: r.below(2) == 0,
    }
}

/// A unit with any constants, any viewport, any masks and a program.
fn any_unit(r: &mut Random, rng: &mut Rng, (chip, isa, mode): (Chip, Isa, u32)) -> Xf {
    let mut xf = Xf::new(chip);
    let state = xf.state_mut();
    for word in state.xfctx.iter_mut().flatten() {
        *word = number(r);
    }
    for word in state
        .ltctx
        .iter_mut()
        .flatten()
        .chain(state.ltc.iter_mut().flatten())
    {
        *word = number(r) & !0x3ff;
    }
    state.curie.viewport.scale = [0; 4].map(|_| number(r));
    state.curie.viewport.translate = [0; 4].map(|_| number(r));
    let program = generate::program(isa, rng);
    load_program(&mut xf, program.org, &program.words);
    load(&mut xf, 8, 0, [0; 4].map(|_| r.next_u32()));
    load(&mut xf, 8, 1, [0; 4].map(|_| r.next_u32()));
    load(&mut xf, 8, 2, [r.below(100) + 1; 4]);
    if chip == Chip::Nv40 {
        for bundle in [id::XF_A, id::XF_LIGHT, id::CONFIG_B, id::RASTER] {
            xf.bundle(bundle, 0, r.next_u32());
        }
        if r.below(2) == 0 {
            xf.bundle(id::XF_ATTR_OUT_MASK, 0, r.next_u32());
        }
        xf.bundle(id::XF_D, 0, XF_D::TIMEOUT.with(chip, 0, r.below(100) + 1));
    }
    let other = [r.next_u32(), r.next_u32()];
    turn_on(&mut xf, chip, mode, program.org, other);
    xf
}

/// Vertices that are shown instruction by instruction, and those that run alone, are those that
/// run with others; a program that writes constants does so in order.
#[test]
fn a_traced_vertex_is_the_vertex() {
    let (mut r, mut rng) = (Random::new(0x77ac), Rng(11));
    for kind in KINDS {
        for round in 0..250 {
            let mut xf = any_unit(&mut r, &mut rng, kind);
            let vertices: Vec<VtxIn> = (0..11).map(|_| any_vertex(&mut r)).collect();
            let mut together = Vec::new();
            xf.clone().run(&vertices, &mut together);
            for (n, vertex) in vertices.iter().enumerate() {
                let traced = xf.trace(vertex, |_, _, _, _, _| {});
                let mut alone: Vec<VtxOut> = Vec::new();
                xf.run(&[*vertex], &mut alone);
                let what = format!("{kind:?} round {round} vertex {n}");
                assert_eq!(alone[0], together[n], "{what}");
                assert_eq!(traced, Some(together[n]), "{what}");
            }
        }
    }
}

fn f(x: f32) -> u32 {
    x.to_bits()
}

fn assembled(chip: Chip, isa: Isa, text: &str) -> Xf {
    let mut xf = Xf::new(chip);
    let program = assemble(text, Some(isa)).unwrap_or_else(|e| panic!("{e}"));
    load_program(&mut xf, program.org, &program.words);
    xf
}

fn first(xf: &mut Xf) -> VtxOut {
    let mut out = Vec::new();
    let attr = std::array::from_fn(|a| [f(a as f32), f(2.0), f(3.0), f(1.0)]);
    xf.run(
        &[VtxIn {
            attr,
            edge_flag: true,
        }],
        &mut out,
    );
    out[0]
}

/// Kelvin's rows for fixed function are closed unless all are open; Rankine's never are.
#[test]
fn access_to_the_context() {
    let (open, closed) = (XFCTX_ACCESS::FULL, XFCTX_ACCESS::USER_ONLY);
    for (chip, isa, mode, access, want) in [
        (Chip::Nv2a, Isa::Kelvin, XF_MODE::PROGRAM_V1, open, 5.0),
        (Chip::Nv2a, Isa::Kelvin, XF_MODE::PROGRAM_V1, closed, 0.0),
        (Chip::Nv34, Isa::Rankine, XF_MODE::PROGRAM_V2, closed, 5.0),
    ] {
        let mut xf = assembled(chip, isa, "MOV o[HPOS], v[0]; MOV o[TEX0], c[7]; END");
        xf.state_mut().xfctx[7] = [f(5.0); 4];
        let lights = XFMODE_B::XFCTX_ACCESS.with(chip, 0, access);
        turn_on(&mut xf, chip, mode, 0, [lights, 0]);
        assert_eq!(
            f32::from_bits(first(&mut xf).tex[0][0]),
            want,
            "{chip:?} {access}"
        );
    }
}

/// What a program writes to the context stays only where the mode lets it; then vertices see
/// what those before them wrote.
#[test]
fn writes_to_the_context() {
    let chip = Chip::Nv2a;
    for (write, want) in [(0, [1.0, 1.0]), (1, [2.0, 3.0])] {
        let text = "ADD c[100], c[100], v[1].x; MOV o[HPOS], v[0]; MOV o[TEX0], c[100]; END";
        let mut xf = assembled(chip, Isa::Kelvin, text);
        xf.state_mut().xfctx[100] = [f(1.0); 4];
        let lights = XFMODE_B::XFCTX_WRITE_ENABLE.with(chip, 0, write);
        let lights = XFMODE_B::XFCTX_ACCESS.with(chip, lights, XFCTX_ACCESS::FULL);
        turn_on(&mut xf, chip, XF_MODE::PROGRAM_V1, 0, [lights, 0]);
        let found = [first(&mut xf), first(&mut xf)].map(|v| f32::from_bits(v.tex[0][0]));
        assert_eq!(found, want);
        assert_eq!(xf.snapshot().is_none(), write == 1);
    }
    // A program that writes none needs no order.
    let mut xf = assembled(chip, Isa::Kelvin, "MOV o[HPOS], v[0]; END");
    let lights = XFMODE_B::XFCTX_WRITE_ENABLE.with(chip, 0, 1);
    turn_on(&mut xf, chip, XF_MODE::PROGRAM_V1, 0, [lights, 0]);
    assert!(xf.snapshot().is_some_and(|unit| !unit.jumps()));
}

/// Rankine's and Curie's programs leave clip coordinates, unless the mode says otherwise.
#[test]
fn viewports_behind_programs() {
    use id::XF_A;
    let text = "MOV o[HPOS], v[0]; END";
    for (chip, isa, mode, skip, scaled) in [
        (Chip::Nv2a, Isa::Kelvin, XF_MODE::PROGRAM_V1, 0, false),
        (Chip::Nv34, Isa::Kelvin, XF_MODE::PROGRAM_V1, 0, false),
        (Chip::Nv34, Isa::Rankine, XF_MODE::PROGRAM_V2, 0, true),
        (Chip::Nv34, Isa::Rankine, XF_MODE::PROGRAM_V2, 1, false),
        (Chip::Nv40, Isa::Curie, XF_MODE::PROGRAM_V3, 0, true),
        (Chip::Nv40, Isa::Curie, XF_MODE::PROGRAM_V3, 1, false),
    ] {
        let mut xf = assembled(chip, isa, text);
        load(&mut xf, 10, 0x37, [f(10.0); 4]);
        load(&mut xf, 10, 0x36, [f(100.0); 4]);
        let other = match chip {
            Chip::Nv40 => {
                xf.bundle(
                    id::XF_A,
                    0,
                    XF_A::VIEWPORT_TRANSFORM_SKIP.with(chip, 0, skip),
                );
                0
            }
            Chip::Nv34 => XFMODE_B::VIEWPORT_TRANSFORM_SKIP.with(chip, 0, skip),
            _ => 0,
        };
        turn_on(&mut xf, chip, mode, 0, [other, 0]);
        let want = match scaled {
            true => [100.0, 120.0, 130.0, 1.0],
            false => [0.0, 2.0, 3.0, 1.0],
        };
        let found = first(&mut xf).pos.map(f32::from_bits);
        assert_eq!(found, want, "{chip:?} {isa:?} {skip}");
    }
}

/// Infinity times zero: nothing by the old rules, no number by the modern ones, which Kelvin has
/// not.
#[test]
fn rules_of_arithmetic() {
    let text = "MOV o[HPOS], v[0]; MUL o[TEX0], c[1], v[0].x; END";
    for (chip, isa, mode, rules, nan) in [
        (
            Chip::Nv2a,
            Isa::Kelvin,
            XF_MODE::PROGRAM_V1,
            ARITH_RULES::MODERN,
            false,
        ),
        (
            Chip::Nv34,
            Isa::Rankine,
            XF_MODE::PROGRAM_V2,
            ARITH_RULES::LEGACY,
            false,
        ),
        (
            Chip::Nv34,
            Isa::Rankine,
            XF_MODE::PROGRAM_V2,
            ARITH_RULES::MODERN,
            true,
        ),
        (
            Chip::Nv40,
            Isa::Curie,
            XF_MODE::PROGRAM_V3,
            ARITH_RULES::LEGACY,
            false,
        ),
        (
            Chip::Nv40,
            Isa::Curie,
            XF_MODE::PROGRAM_V3,
            ARITH_RULES::MODERN,
            true,
        ),
    ] {
        let mut xf = assembled(chip, isa, text);
        xf.state_mut().xfctx[1] = [f(f32::INFINITY); 4];
        let other = match chip {
            Chip::Nv40 => XF_C::ARITH_RULES.with(chip, 0, rules),
            Chip::Nv34 => XFMODE_B::ARITH_RULES.with(chip, 0, rules),
            _ => XFMODE_B::XFCTX_ACCESS.with(chip, 0, XFCTX_ACCESS::FULL),
        };
        turn_on(&mut xf, chip, mode, 0, [other, 0]);
        let found = f32::from_bits(first(&mut xf).tex[0][0]);
        assert_eq!(found.is_nan(), nan, "{chip:?} {rules}: {found}");
    }
}

/// How long a program may run: Rankine's limit is loaded by a command, Curie's by a bundle.
#[test]
fn limits_of_programs() {
    let text = "MOV o[HPOS], v[0]; MOV o[TEX0], c[1]; MOV o[TEX1], c[1]; END";
    for (chip, isa, mode) in KINDS {
        for limit in 0..4 {
            let mut xf = assembled(chip, isa, text);
            let row = if (chip, isa) == (Chip::Nv34, Isa::Kelvin) {
                0x3d
            } else {
                1
            };
            xf.state_mut().xfctx[row] = [f(5.0); 4];
            match chip {
                Chip::Nv40 => xf.bundle(id::XF_D, 0, XF_D::TIMEOUT.with(chip, 0, limit)),
                _ => load(&mut xf, 8, 2, [limit; 4]),
            }
            let other = match chip {
                Chip::Nv2a => XFMODE_B::XFCTX_ACCESS.with(chip, 0, XFCTX_ACCESS::FULL),
                _ => 0,
            };
            turn_on(&mut xf, chip, mode, 0, [other, 0]);
            let found = first(&mut xf).tex.map(|set| set[0] == f(5.0));
            // Kelvin has no limit.
            let steps = if chip == Chip::Nv2a { 9 } else { limit };
            assert_eq!(
                found[..2],
                [steps >= 2, steps >= 3],
                "{chip:?} {isa:?} {limit}"
            );
        }
    }
}
