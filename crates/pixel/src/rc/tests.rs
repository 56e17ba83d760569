//! Every input mapping, operation and path of the combiners.

use super::words::argb;
use super::*;
use crate::rc::Bundles;
use isotherm_bus::unit::Takes;
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;

/// Words of a Kelvin with one general combiner and a final combiner that passes SPARE0.
fn kelvin(in_color: u32, out_color: u32, in_alpha: u32, out_alpha: u32) -> Bundles {
    let mut w = Bundles::default();
    w.take(b::RC_CONFIG, 0, 1);
    w.take(b::RC_IN_COLOR, 0, in_color);
    w.take(b::RC_OUT_COLOR, 0, out_color);
    w.take(b::RC_IN_ALPHA, 0, in_alpha);
    w.take(b::RC_OUT_ALPHA, 0, out_alpha);
    w.take(b::RC_FINAL_A, 0, 0x0000_000c);
    w.take(b::RC_FINAL_B, 0, 0x0000_1c00);
    w
}

/// Registers with a different value in every register and channel.
fn distinct() -> Registers {
    let mut regs = CLEAR;
    for (r, c, v) in [
        (reg::COL0, 0, 10),
        (reg::COL0, 1, 20),
        (reg::COL0, 2, 30),
        (reg::COL0, 3, 40),
        (reg::COL1, 0, 50),
        (reg::COL1, 1, 60),
        (reg::COL1, 2, 70),
        (reg::COL1, 3, 80),
        (reg::FOG, 3, 90),
        (reg::TEX0, 0, 100),
        (reg::TEX0, 1, 110),
        (reg::TEX0, 2, 120),
        (reg::TEX0, 3, 130),
        (reg::TEX0 + 1, 0, -140),
        (reg::TEX0 + 1, 1, 150),
        (reg::TEX0 + 1, 2, 160),
        (reg::TEX0 + 1, 3, 170),
        (reg::TEX0 + 2, 0, 180),
        (reg::TEX0 + 3, 3, 190),
    ] {
        regs[r][c] = [v; LANES];
    }
    regs
}

fn run(w: &Bundles, mut regs: Registers) -> [i32; 4] {
    Combiners::prepare(Chip::Nv2a, w).run(&mut regs).map(|l| {
        assert!(l.iter().all(|v| *v == l[0]));
        l[0]
    })
}

/// A*1 with an input byte for A, result of the RGB portion.
fn through(byte: u32) -> [i32; 4] {
    let w = kelvin(
        byte << 24 | 0x20 << 16,
        0x00c0,
        byte << 24 | 0x20 << 16,
        0x00c0,
    );
    run(&w, distinct())
}

#[test]
fn input_registers() {
    assert_eq!(through(0x04), [10, 20, 30, 30]);
    assert_eq!(through(0x14), [40, 40, 40, 40]);
    assert_eq!(through(0x05), [50, 60, 70, 70]);
    assert_eq!(through(0x13), [90, 90, 90, 90]);
    assert_eq!(through(0x08), [100, 110, 120, 120]);
    assert_eq!(through(0x18), [130; 4]);
    assert_eq!(through(0x09), [0, 150, 160, 160]);
    assert_eq!(through(0x0a), [180, 0, 0, 0]);
    assert_eq!(through(0x1b), [190; 4]);
    assert_eq!(through(0x00), [0; 4]);
    // SPARE0.a starts as texture 0's alpha
    assert_eq!(through(0x1c), [130; 4]);
}

#[test]
fn input_mappings() {
    let f = |map: u32, x: i32| {
        let mut r = CLEAR;
        r[reg::TEX0] = [[x; LANES]; 4];
        // signed result made visible: A*1 written to SPARE1, then bias by signed add of 1/2
        let w = kelvin((map << 5 | 8) << 24 | 0x20 << 16, 0x00c0, 0, 0);
        let c = Combiners::prepare(Chip::Nv2a, &w);
        let mut regs = r;
        c.run(&mut regs);
        regs[reg::SPARE0][0][0]
    };
    assert_eq!([f(0, 100), f(0, -5), f(0, 255)], [100, 0, 255]);
    assert_eq!([f(1, 100), f(1, -5), f(1, 255)], [155, 255, 0]);
    assert_eq!([f(2, 100), f(2, -5), f(2, 255)], [-55, -255, 255]);
    assert_eq!([f(3, 100), f(3, -5), f(3, 255)], [55, 255, -255]);
    assert_eq!([f(4, 100), f(4, -5), f(4, 255)], [-28, -128, 127]);
    assert_eq!([f(5, 100), f(5, -5), f(5, 255)], [28, 128, -127]);
    assert_eq!([f(6, 100), f(6, -5), f(6, 255)], [100, -5, 255]);
    assert_eq!([f(7, 100), f(7, -5), f(7, 255)], [-100, 5, -255]);
}

/// TEX0 * 1 with an output operation; the register as written.
fn op(bits: u32, x: i32) -> i32 {
    let w = kelvin(0xc8 << 24 | 0x20 << 16, bits << 15 | 0x00c0, 0, 0);
    let mut regs = CLEAR;
    regs[reg::TEX0] = [[x; LANES]; 4];
    Combiners::prepare(Chip::Nv2a, &w).run(&mut regs);
    regs[reg::SPARE0][1][3]
}

#[test]
fn output_operations() {
    assert_eq!([op(0, 77), op(0, -77)], [77, -77]);
    assert_eq!([op(1, 77), op(1, 255)], [-51, 127]);
    assert_eq!([op(2, 77), op(2, 200), op(2, -200)], [154, 255, -255]);
    assert_eq!([op(3, 77), op(3, 200), op(3, 0)], [-102, 144, -255]);
    assert_eq!([op(4, 50), op(4, 100)], [200, 255]);
    assert_eq!([op(6, 25), op(6, 63), op(6, 255)], [13, 32, 128]);
}

#[test]
fn products_sum_and_destinations() {
    // A = TEX0 B = COL0, C = TEX1 D = COL1: AB -> SPARE1, CD -> TEX2, sum -> SPARE0
    let w = kelvin(0x0804_c905, 0x0cda, 0x1814_1915, 0x0cda);
    let c = Combiners::prepare(Chip::Nv2a, &w);
    let mut regs = distinct();
    let out = c.run(&mut regs);
    let rnd = |t: i32| (f64::from(t) / 255.0).round() as i32;
    assert_eq!(regs[reg::SPARE1][0][0], rnd(100 * 10));
    assert_eq!(regs[reg::TEX0 + 2][0][0], rnd(-140 * 50));
    assert_eq!(regs[reg::SPARE0][0][0], rnd(1000) + rnd(-7000));
    assert_eq!(regs[reg::SPARE1][3][0], rnd(130 * 40));
    assert_eq!(regs[reg::TEX0 + 2][3][0], rnd(170 * 80));
    assert_eq!(out[3][0], rnd(130 * 40) + rnd(170 * 80));
    assert_eq!(out[0][0], 0);
    assert_eq!(regs[reg::ZERO], [[0; LANES]; 4]);
}

#[test]
fn dot_products_and_blue_to_alpha() {
    // AB dot: TEX0 . COL0 -> SPARE0 with blue to alpha
    let w = kelvin(0x0804_0000, 1 << 13 | 1 << 19 | 0xc0, 0, 0);
    let dot = (100.0 * 10.0 + 110.0 * 20.0 + 120.0 * 30.0_f64) / 255.0;
    assert_eq!(run(&w, distinct()), [dot.round() as i32; 4]);
    // CD dot, CD's blue to alpha
    let w = kelvin(0x0000_0804, 1 << 12 | 1 << 18 | 0xc, 0, 0);
    assert_eq!(run(&w, distinct()), [dot.round() as i32; 4]);
    // without the blue-to-alpha bit alpha keeps TEX0's
    let w = kelvin(0x0804_0000, 1 << 13 | 0xc0, 0, 0);
    assert_eq!(run(&w, distinct())[3], 130);
}

#[test]
fn mux_by_lsb_and_msb() {
    for (msb, alpha, cd) in [
        (0, 127, true),
        (0, 128, false),
        (1, 127, false),
        (1, 128, true),
    ] {
        let mut w = kelvin(0x0820_0420, 1 << 14 | 0xc00, 0, 0);
        w.take(b::RC_CONFIG, 0, 1 | msb << 8);
        let mut regs = distinct();
        regs[reg::TEX0][3] = [alpha; LANES];
        let want = if cd { [10, 20, 30] } else { [100, 110, 120] };
        assert_eq!(run(&w, regs)[..3], want, "msb {msb} alpha {alpha}");
    }
}

#[test]
fn factors_shared_or_per_stage() {
    let mut w = kelvin(0x0120_0220, 0xc00, 0x1120_1220, 0xc00);
    // stage 0 writes TEX0, stage 1 SPARE0
    w.take(b::RC_CONFIG, 0, 2);
    w.take(b::RC_IN_COLOR, 1, 0x0120_0220);
    w.take(b::RC_OUT_COLOR, 1, 0xc00);
    w.take(b::RC_IN_ALPHA, 1, 0x1120_1220);
    w.take(b::RC_OUT_ALPHA, 1, 0xc00);
    w.take(b::RC_FACTOR_A, 0, 0x0102_0304);
    w.take(b::RC_FACTOR_B, 0, 0x1020_3040);
    w.take(b::RC_FACTOR_A, 1, 0x0506_0708);
    w.take(b::RC_FACTOR_B, 1, 0x5060_7080);
    let sum = |a: u32, b: u32| {
        let (a, b) = (argb(a), argb(b));
        std::array::from_fn::<i32, 4, _>(|c| a[c] + b[c])
    };
    assert_eq!(run(&w, CLEAR), sum(0x0102_0304, 0x1020_3040));
    w.take(b::RC_CONFIG, 0, 2 | 1 << 12);
    assert_eq!(run(&w, CLEAR), sum(0x0506_0708, 0x1020_3040));
    w.take(b::RC_CONFIG, 0, 2 | 1 << 16);
    assert_eq!(run(&w, CLEAR), sum(0x0102_0304, 0x5060_7080));
    w.take(b::RC_CONFIG, 0, 1 | 1 << 16);
    assert_eq!(run(&w, CLEAR), sum(0x0102_0304, 0x1020_3040));
}

/// A final combiner without general ones.
fn last(a: u32, bb: u32, regs: Registers) -> [i32; 4] {
    let mut w = Bundles::default();
    w.take(b::RC_FINAL_A, 0, a);
    w.take(b::RC_FINAL_B, 0, bb);
    w.take(b::RC_FINAL_FACTOR, 0, 0x0102_0304);
    w.take(b::RC_FINAL_FACTOR, 1, 0x0506_0708);
    w.take(b::FOG_COLOR, 0, 0xff11_2233);
    run(&w, regs)
}

#[test]
fn final_combiner_lerp_and_inputs() {
    let rnd = |t: i32| (f64::from(t) / 255.0).round() as i32;
    // A = fog.a, B = COL0, C = FOG: the usual fog
    let out = last(0x1304_0300, 0x1400, distinct());
    let want = [(10, 0x11), (20, 0x22), (30, 0x33)].map(|(c, f)| rnd(90 * c + 165 * f));
    assert_eq!(out[..3], want);
    assert_eq!(out[3], 40);
    // A inverted
    let out = last(0x3304_0300, 0x1400, distinct());
    assert_eq!(out[0], rnd(165 * 10 + 90 * 0x11));
    // D adds, clamps
    let mut regs = distinct();
    regs[reg::COL0][0] = [250; LANES];
    assert_eq!(last(0x2004_0004, 0, regs)[..3], [255, 40, 60]);
    // negative inputs clamp to 0
    assert_eq!(last(0x2009_0000, 0, distinct())[..3], [0, 150, 160]);
    // factors of the final combiner
    assert_eq!(last(0x2001_0002, 0x1100, CLEAR), [8, 10, 12, 1]);
    // G reads blue or alpha
    assert_eq!(last(0, 0x0400, distinct())[3], 30);
    assert_eq!(last(0, 0x3400, distinct())[3], 215);
}

#[test]
fn final_combiner_products_and_sums() {
    let rnd = |t: i32| (f64::from(t) / 255.0).round() as i32;
    // D = E*F, E = COL0, F = TEX0
    let out = last(0x0000_000f, 0x0408_0000, distinct());
    assert_eq!(out[..3], [rnd(1000), rnd(2200), rnd(3600)]);
    // B = V1 + R0 over A = 127; R0 is 0 + alpha only here, so set it through TEX0 -> no stage
    let mut regs = CLEAR;
    regs[reg::COL1] = [[255; LANES]; 4];
    let mut w = kelvin(0x0820_0000, 0xc0, 0, 0);
    w.take(b::RC_FINAL_A, 0, 0x110e_0000);
    w.take(b::RC_FINAL_B, 0, 0x1c00);
    w.take(b::RC_FINAL_FACTOR, 0, 0x7f00_0000);
    regs[reg::TEX0] = [[255; LANES]; 4];
    assert_eq!(run(&w, regs)[0], 254); // 127 * 510 / 255
    w.take(b::RC_FINAL_B, 0, 0x1c80);
    assert_eq!(run(&w, regs)[0], 127);
    // a negative part of the sum counts as 0
    regs[reg::COL1] = [[100; LANES]; 4];
    regs[reg::TEX0] = [[30; LANES]; 4];
    w.take(b::RC_FINAL_A, 0, 0x0000_000e);
    let mut negative = regs;
    negative[reg::COL1] = [[-100; LANES]; 4];
    w.take(b::RC_FINAL_B, 0, 0x1c00);
    assert_eq!(run(&w, negative)[1], 30);
    for (flags, sum) in [(0, 130), (0x40, 185), (0x20, 325), (0x60, 380)] {
        w.take(b::RC_FINAL_B, 0, 0x1c00 | flags);
        assert_eq!(run(&w, regs)[1], sum.min(255), "{flags:x}");
    }
}

#[test]
fn celsius_count_and_mux_sit_in_the_second_output_word() {
    let mut w = Bundles::default();
    // stage 0: COL0 -> SPARE0; stage 1: TEX0 -> SPARE0
    for (i, src) in [(0, 0x04), (1, 0x08)] {
        w.take(b::RC_IN_COLOR, i, src << 24 | 0x20 << 16);
        w.take(b::RC_OUT_COLOR, i, 0xc0);
    }
    w.take(b::RC_FINAL_A, 0, 0xc);
    w.take(b::RC_FACTOR_A, 0, 0x0102_0304);
    let go = |w: &Bundles| Combiners::prepare(Chip::Nv10, w).run(&mut distinct().clone())[0][0];
    w.take(b::RC_OUT_COLOR, 1, 0xc0 | 3 << 27);
    assert_eq!(go(&w), 10);
    w.take(b::RC_OUT_COLOR, 1, 0xc0 | 5 << 27);
    assert_eq!(go(&w), 100);
    // the final combiner reads the shared factor
    w.take(b::RC_FINAL_A, 0, 1);
    assert_eq!(go(&w), 2);
    // bit 27: the mux looks at the most significant bit
    for (bits, count, msb) in [(2, 1, false), (3, 1, true), (4, 2, false), (5, 2, true)] {
        w.take(b::RC_OUT_COLOR, 1, bits << 27);
        let control = Combiners::prepare(Chip::Nv10, &w).control;
        assert_eq!(control.stages().len(), count, "{bits}");
        assert_eq!(control.mux_msb, msb, "{bits}");
    }
}

#[test]
fn a_discarded_result_has_no_alpha_either() {
    // Blue to alpha of A*B and C*D whose outputs are discarded: ZERO stays 0.
    for bits in [1 << 19, 1 << 18] {
        let mut w = kelvin(0x0804_0804, bits | 0xc00, 0, 0);
        // D = ZERO.a
        w.take(b::RC_FINAL_A, 0, 0x10);
        w.take(b::RC_FINAL_B, 0, 0x1000);
        assert_eq!(run(&w, distinct()), [0; 4], "{bits:x}");
        let known = KnownInputs {
            textures: [TextureRange::Unsigned; 4],
            specular: true,
            fog: true,
        };
        let rc = Combiners::prepare(Chip::Nv2a, &w);
        let plan = Plan::new(&rc, &known).expect("small");
        let colors = plan::tests::run(&plan, &[&[[9; LANES]; slot::FREE]]);
        assert_eq!(colors[0].map(|c| c[0]), [0; 4], "{bits:x}");
    }
}

#[test]
fn the_primary_colour_passes_when_nothing_else_happens() {
    let known = KnownInputs {
        textures: [TextureRange::Unsigned; 4],
        specular: true,
        fog: true,
    };
    let passes = |w: &Bundles| {
        let plan = Plan::new(&Combiners::prepare(Chip::Nv2a, w), &known).expect("small");
        plan.through() == Some(Passthrough::Diffuse)
    };
    let plain = |a: u32, bb: u32| {
        let mut w = Bundles::default();
        w.take(b::RC_FINAL_A, 0, a);
        w.take(b::RC_FINAL_B, 0, bb);
        w
    };
    // D = COL0 with A = B = C = 0; C = COL0 with A = 0; B = COL0 with A = 1.
    for (a, want) in [
        (0x0000_0004, true),
        (0x0000_0400, true),
        (0x2004_0000, true),
        // C is chosen, B is COL0; alpha for colour; inverted; something added.
        (0x0004_0000, false),
        (0x0000_0014, false),
        (0x0000_0024, false),
        (0x0000_0404, false),
        (0x0000_0420, false),
        (0x0000_0005, false),
        // Whatever A is, nothing is mixed.
        (0x0800_0004, true),
    ] {
        assert_eq!(passes(&plain(a, 0x1400)), want, "{a:x}");
    }
    // G must be COL0's alpha as it is.
    for g in [0x0400, 0x3400, 0x1500, 0x1c00] {
        assert!(!passes(&plain(4, g)), "{g:x}");
    }
    // A combiner counts if it writes what is read: COL0, not SPARE0.
    for (color, alpha, want) in [
        (0, 0, true),
        (0xc0, 0xc0, true),
        (0x40, 0, false),
        (0, 0x40, false),
    ] {
        let mut w = plain(4, 0x1400);
        w.take(b::RC_CONFIG, 0, 1);
        w.take(b::RC_OUT_COLOR, 0, color);
        w.take(b::RC_OUT_ALPHA, 0, alpha);
        assert_eq!(passes(&w), want, "{color:x} {alpha:x}");
    }
}

#[test]
fn an_explanation_names_what_was_computed() {
    // RGB: TEX0 . COL0 (dot) to SPARE1, TEX0 * 1 to COL1, their sum to SPARE0, biased.
    // Alpha: COL0.a * TEX0.b and COL1.b * 1, chosen by the lowest bit.
    let mut w = kelvin(
        0x0804_0820,
        1 << 13 | 1 << 15 | 0xcd5,
        0x1408_0520,
        1 << 14 | 0xcd5,
    );
    w.take(b::RC_FINAL_A, 0, 0x0e0f_0004);
    w.take(b::RC_FINAL_B, 0, 0x0405_1c00);
    let rc = Combiners::prepare(Chip::Nv2a, &w);
    let mut regs = distinct();
    let (stages, last) = rc.explain(&mut regs, 3);
    assert_eq!(stages.len(), 1);
    let rgb = stages[0].rgb.as_ref().expect("writes");
    assert_eq!(rgb.operation, "BIAS");
    let inputs: Vec<_> = rgb
        .inputs
        .iter()
        .map(|i| (i.component, i.value.clone()))
        .collect();
    assert_eq!(inputs[0], ("RGB", vec![100, 110, 120]));
    assert_eq!(inputs[1], ("RGB", vec![10, 20, 30]));
    assert_eq!(inputs[3], ("RGB", vec![255; 3]));
    assert_eq!(
        (rgb.inputs[3].mapping, &rgb.inputs[3].raw),
        ("UNSIGNED_INVERT", &vec![0; 3])
    );
    let outputs = |p: &isotherm_bus::observe::Portion| -> Vec<_> {
        let each =
            |o: &isotherm_bus::observe::Output| (o.name, o.how, o.value.clone(), o.out.clone());
        p.outputs.iter().map(each).collect()
    };
    // (1000 + 2200 + 3600) / 255 = 26.7
    assert_eq!(
        outputs(rgb),
        [
            ("AB", "DOT", vec![27; 3], vec![-101; 3]),
            ("CD", "MUL", vec![100, 110, 120], vec![-28, -18, -8]),
            ("SUM", "SUM", vec![127, 137, 147], vec![-1, 9, 19]),
        ]
    );
    let alpha = stages[0].alpha.as_ref().expect("writes");
    let inputs: Vec<_> = alpha
        .inputs
        .iter()
        .map(|i| (i.component, i.value.clone()))
        .collect();
    assert_eq!(inputs[0], ("ALPHA", vec![40]));
    assert_eq!(inputs[1], ("BLUE", vec![120]));
    assert_eq!(inputs[2], ("BLUE", vec![70]));
    // 40 * 120 / 255 = 18.8; SPARE0.a is TEX0.a, 130, whose lowest bit is 0: A B.
    assert_eq!(
        outputs(alpha),
        [
            ("AB", "MUL", vec![19], vec![19]),
            ("CD", "MUL", vec![70], vec![70]),
            ("SUM", "MUX_AB", vec![19], vec![19]),
        ]
    );
    // COL1 is now what C D wrote, SPARE0 the sum; E F = COL0 * COL1.
    assert_eq!(last.spare0_plus_secondary, Some([0, 9, 19]));
    assert_eq!(last.e_times_f, Some([0; 3]));
    assert_eq!(
        (last.inputs[6].component, &last.inputs[6].value),
        ("ALPHA", &vec![19])
    );
    assert_eq!(
        (last.inputs[3].component, &last.inputs[3].value),
        ("RGB", &vec![10, 20, 30])
    );
    assert_eq!(last.color, [10, 20, 30, 19]);
    // An odd alpha chooses C D; idle halves are not told.
    let mut regs = distinct();
    regs[reg::TEX0][3] = [131; LANES];
    let (stages, _) = rc.explain(&mut regs, 3);
    let alpha = stages[0].alpha.as_ref().expect("writes");
    assert_eq!(outputs(alpha)[2], ("SUM", "MUX_CD", vec![70], vec![70]));
    let idle = Combiners::prepare(Chip::Nv2a, &kelvin(0, 0, 0, 0));
    let (stages, last) = idle.explain(&mut distinct(), 0);
    assert!(stages[0].rgb.is_none() && stages[0].alpha.is_none());
    assert_eq!((last.spare0_plus_secondary, last.e_times_f), (None, None));
}

/// Anything at all in every word and register, as one number that changes when any bit does: what
/// goldens have proven, pinned. Whoever changes arithmetic on purpose runs the goldens again.
#[test]
fn every_word_and_register_is_pinned() {
    let mut r = isotherm_lanes::Random::new(3);
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..4000 {
        let mut w = Bundles::default();
        for stage in 0..8 {
            for bundle in [
                b::RC_IN_COLOR,
                b::RC_OUT_COLOR,
                b::RC_IN_ALPHA,
                b::RC_OUT_ALPHA,
                b::RC_FACTOR_A,
                b::RC_FACTOR_B,
            ] {
                w.take(bundle, stage, r.next_u32());
            }
        }
        for bundle in [b::RC_CONFIG, b::RC_FINAL_A, b::RC_FINAL_B] {
            w.take(bundle, 0, r.next_u32());
        }
        w.take(b::RC_FINAL_FACTOR, 0, r.next_u32());
        w.take(b::RC_FINAL_FACTOR, 1, r.next_u32());
        let mut regs = CLEAR;
        for channel in regs.iter_mut().skip(1).flatten() {
            *channel = std::array::from_fn(|_| r.below(511) as i32 - 255);
        }
        let out = Combiners::prepare(Chip::Nv2a, &w).run(&mut regs);
        let words = out.iter().chain(regs.iter().flatten()).flatten();
        for word in words {
            digest = (digest ^ *word as u32 as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(digest, 0x4ee1_374d_eb7b_1770, "{digest:#x} now");
}
