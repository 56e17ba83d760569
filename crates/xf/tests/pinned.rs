//! What the hardware-checked vectors (`cargo xtask vectors`) have proven, pinned: numbers over
//! thousands of results, special values included, that change when any bit does. They need no
//! shared data. Whoever changes arithmetic on purpose runs the vectors again and then pins anew
//! what the failing test prints.

use isotherm_bus::vertex::VtxIn;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::xf::asm::generate::{self, Rng};
use isotherm_regs::xf::isa::Isa;
use isotherm_xf::lt::arith as lt;
use isotherm_xf::xf::arith::{self, INF, MAX, NAN, ONE, Rules, SIGN, Test};
use isotherm_xf::xf::level_check::{Digest, digest};
use isotherm_xf::xf::program::{Env, Tbuf, Xfpr, run, run_with_side_effects, trace};
use isotherm_xf::xf::{Results, Xf};

const RULES: [Rules; 6] = [
    Rules::Celsius,
    Rules::Kelvin,
    Rules::RankineLegacy,
    Rules::Rankine,
    Rules::CurieLegacy,
    Rules::Curie,
];
const LANES: usize = 4;
const ROUNDS: usize = 4000;
const SPECIAL: [u32; 12] = [
    0,
    1,
    0x007f_ffff,
    0x0080_0000,
    ONE,
    ONE - 1,
    ONE + 1,
    MAX,
    INF,
    NAN,
    0x7f80_0001,
    0x4b00_0000,
];

/// Anything at all, numbers of an ordinary size, special ones; of either sign.
fn number(r: &mut Random) -> u32 {
    let word = r.next_u32();
    match r.below(8) {
        0 => SPECIAL[r.below(SPECIAL.len() as u32) as usize] | word & SIGN,
        1 | 2 => word,
        _ => word & 0x807f_ffff | (r.below(40) + 107) << 23,
    }
}

fn lanes(r: &mut Random) -> [u32; LANES] {
    // A special value sends all lanes the slow way, so most batches have none.
    let ordinary = r.below(4) != 0;
    std::array::from_fn(|_| match (ordinary, number(r)) {
        (true, word) => word & 0x807f_ffff | (r.below(40) + 107) << 23,
        (false, word) => word,
    })
}

fn over(rules: &[Rules], mut step: impl FnMut(Rules, &mut Random, &mut dyn FnMut(&[u32]))) -> u64 {
    let mut digest = Digest::default();
    for (n, rules) in rules.iter().enumerate() {
        let mut r = Random::new(n as u64 + 1);
        for _ in 0..ROUNDS {
            step(*rules, &mut r, &mut |words| {
                words.iter().for_each(|word| digest.take(*word));
            });
        }
    }
    digest.0
}

fn pinned(name: &str, found: u64, wanted: u64) {
    assert_eq!(found, wanted, "{name}: {found:#018x} now");
}

#[test]
fn products_and_sums() {
    let found = over(&RULES, |rules, r, take| {
        let [a, b, c, d] = std::array::from_fn(|_| lanes(r));
        take(&arith::mul(rules, &a, &b));
        take(&arith::add(rules, &a, &b));
        take(&arith::mad(rules, &a, &b, &c));
        take(&arith::sum(rules, &[a, b, c]));
        take(&arith::sum(rules, &[a, b, c, d]));
        take(&arith::dp3(rules, [&a, &b, &c], [&d, &a, &b]));
        take(&arith::dph(rules, [&a, &b, &c], [&d, &a, &b, &c]));
        take(&arith::dp4(rules, [&a, &b, &c, &d], [&d, &a, &b, &c]));
        let rows: [[u32; 4]; 4] = std::array::from_fn(|_| lanes(r));
        let found: [_; 4] = arith::transform::<4, 4, LANES>(rules, &[a, b, c, d], &rows);
        found.iter().for_each(|row| take(row));
    });
    pinned("products and sums", found, PRODUCTS);
}

#[test]
fn quotients_and_roots() {
    let found = over(&RULES, |rules, r, take| {
        let x = lanes(r);
        take(&arith::rcp(rules, &x));
        take(&arith::rcc(rules, &x));
        take(&arith::rsq(rules, &x));
    });
    pinned("quotients and roots", found, QUOTIENTS);
}

#[test]
fn comparisons() {
    let found = over(&RULES, |rules, r, take| {
        let (a, mut b) = (lanes(r), lanes(r));
        if r.below(4) == 0 {
            b = a;
        }
        take(&arith::min(rules, &a, &b));
        take(&arith::max(rules, &a, &b));
        take(&arith::ssg(rules, &a));
        for bits in 0..8 {
            take(&arith::set(rules, Test::from_bits(bits), &a, &b));
        }
    });
    pinned("comparisons", found, COMPARISONS);
}

#[test]
fn powers_and_logarithms() {
    let found = over(&RULES, |rules, r, take| {
        let [x, y, w] = std::array::from_fn(|_| lanes(r));
        take(&arith::exp(&x));
        take(&arith::exp_flr(&x));
        take(&arith::exp_frc(&x));
        take(&arith::log(rules, &x));
        take(&arith::log_e(rules, &x));
        take(&arith::log_f(rules, &x));
        arith::lit(&x, &y, &w).iter().for_each(|row| take(row));
    });
    pinned("powers and logarithms", found, POWERS);
}

#[test]
fn functions_of_curie() {
    let found = over(&RULES[5..], |_, r, take| {
        let x = lanes(r);
        take(&arith::ex2(&x));
        take(&arith::lg2(&x));
        take(&arith::sin(&x));
        take(&arith::cos(&x));
        take(&arith::flr(&x));
        take(&arith::frc(&x));
    });
    pinned("functions of Curie", found, FUNCTIONS);
}

#[test]
fn conversions() {
    let mut digest = Digest::default();
    for x in 0..=u16::MAX {
        digest.take(arith::short_to_float(x as i16, false));
        digest.take(arith::short_to_float(x as i16, true));
        digest.take(arith::nshort_to_float(x as i16));
        digest.take(arith::ubyte_to_float(x as u8));
    }
    let mut r = Random::new(5);
    for _ in 0..ROUNDS {
        digest.take(arith::color_to_byte(number(&mut r)).into());
        digest.take(arith::color_to_byte(r.below(0x81_0000) + 0x3f00_0000).into());
    }
    pinned("conversions", digest.0, CONVERSIONS);
}

#[test]
fn lighting() {
    let found = over(&RULES[..1], |_, r, take| {
        let [a, b, c] = std::array::from_fn(|_| lanes(r).map(lt::load));
        take(&lt::mul(&a, &b));
        take(&lt::smul(&a, &b));
        take(&lt::add(&a, &b));
        take(&lt::sadd(&a, &b));
        take(&lt::add3([&a, &b, &c]));
        take(&lt::mad(&a, &b, &c));
        take(&lt::smad(&a, &b, &c));
        take(&lt::dp3([&a, &b, &c], [&b, &c, &a]));
        take(&lt::rcp(&a));
        take(&lt::rsqrt(&a));
        take(&lt::clamp01(&a));
        take(&lanes(r).map(lt::load_scalar_celsius));
    });
    pinned("lighting", found, LIGHTING);
}

/// Fixed function of every family as a whole: transformation, lighting, texture coordinates, fog.
#[test]
fn fixed_function() {
    let found = FIXED.map(|(chip, _)| (chip, digest(chip, 1, 400, 5)));
    assert_eq!(found, FIXED, "{found:x?} now");
}

/// What the chips wake up with.
#[test]
fn first_states() {
    let found = FIXED.map(|(chip, _)| {
        let (xf, mut digest) = (Xf::new(chip), Digest::default());
        let state = xf.state();
        digest.text(&format!(
            "{:x?}",
            (&state.xfctx, &state.ltctx, &state.ltc, &state.mode)
        ));
        digest.0
    });
    assert_eq!(found, FIRST, "{found:x?} now");
}

/// Random programs of every instruction set on ordinary numbers and special ones: branches,
/// conditions, address registers, writes of the context.
#[test]
fn programs() {
    let found = Isa::ALL.map(|isa| {
        let (mut rng, mut r) = (Rng(7), Random::new(9));
        let mut digest = Digest::default();
        for _ in 0..300 {
            let program = generate::program(isa, &mut rng);
            let mut xfpr = Xfpr::new(isa);
            for (i, word) in program.words.iter().enumerate() {
                xfpr.write(usize::from(program.org) + i, word.to_upload());
            }
            let plan = xfpr.plan(program.org.into());
            let env = Env {
                timeout: 100,
                ieee: r.below(2) == 0,
                branch_bits: r.next_u32(),
                ..Env::default()
            };
            let mut row = || std::array::from_fn(|_| number(&mut r));
            let mut ctx: Vec<[u32; 4]> = (0..0x220).map(|_| row()).collect();
            let vertices: [VtxIn; 3] = std::array::from_fn(|_| VtxIn {
                attr: std::array::from_fn(|_| row()),
                edge_flag: false,
            });
            let (mut out, mut tbuf) = ([Results::default(); 3], Tbuf::default());
            run(&plan, &env, &ctx, &mut tbuf, &vertices, &mut out);
            digest.vertices(&format!("{out:x?} {}", plan.writes_ctx));
            run_with_side_effects(&plan, &env, &mut ctx, &mut tbuf, &vertices, &mut out);
            digest.vertices(&format!("{out:x?}"));
            ctx.iter().flatten().for_each(|word| digest.take(*word));
            trace(
                &plan,
                &env,
                &mut ctx,
                &mut tbuf,
                &vertices[0],
                |at, _, m| {
                    let rows = |row: usize| [m.temporary(row, 0), m.output(row, 0)];
                    let all: Vec<_> = (0..20).map(rows).collect();
                    digest.text(&format!(
                        "{at} {all:x?} {:x?}",
                        [0, 1].map(|a| m.address(a, 0))
                    ));
                },
            );
        }
        digest.0
    });
    assert_eq!(found, PROGRAMS, "{found:x?} now");
}

const PRODUCTS: u64 = 0xae80_54ff_8e3f_e860;
const QUOTIENTS: u64 = 0x485e_9965_59ac_59e1;
const COMPARISONS: u64 = 0xd27d_2e70_33f3_0ecf;
const POWERS: u64 = 0xe443_bafe_b587_b8df;
const FUNCTIONS: u64 = 0x1a11_f406_dda0_d8bd;
const CONVERSIONS: u64 = 0x6d06_1a3b_5901_7104;
const LIGHTING: u64 = 0x554b_2d5a_f620_2725;
const FIXED: [(Chip, u64); 5] = [
    (Chip::Nv10, 0xccb8_2a4d_2225_c5fd),
    (Chip::Nv17, 0x492d_d432_3781_b7de),
    (Chip::Nv2a, 0x57e0_36d6_bb06_a3cd),
    (Chip::Nv34, 0xd9e8_fd7a_8853_ddce),
    (Chip::Nv40, 0x3b07_7bc6_0a54_fad5),
];
const PROGRAMS: [u64; Isa::ALL.len()] = [
    0x5890_f313_3d73_4f24,
    0x71e5_bde8_36c9_f67b,
    0x235f_7032_bd78_d2ce,
];
const FIRST: [u64; 5] = [
    0x51e1_7926_120a_ad16,
    0x51e1_7926_120a_ad16,
    0xa513_9473_d987_6846,
    0x42d1_df41_6a44_6041,
    0x21bd_e0a9_798a_6e6e,
];
