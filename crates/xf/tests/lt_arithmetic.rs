//! LT's fused steps.

use isotherm_lanes::Random;
use isotherm_xf::lt::arith::*;
use isotherm_xf::xf::arith::{INF, Lanes, ONE};

const MAX22: u32 = 0x7f7f_fc00;

/// Denominators of the goldens' curves: (s, k1, k2), where s or k1 loses its last
/// bit to k2's larger exponent. A product cut afterwards, or not at all, gives the
/// neighbouring byte in the picture.
#[test]
fn the_scalar_unit_shifts_a_factor_before_it_multiplies() {
    let (k1, k2) = (0xc038_c800, 0x4043_1800);
    assert_eq!(smad(&[0x3f7f_7400], &[k1], &[k2]), [0x3e2b_7c00]);
    assert_eq!(smad(&[k1], &[0x3f7f_7400], &[k2]), [0x3e2b_5000]);
    assert_eq!(smad(&[0x3f85_4c00], &[k1], &[k2]), [0x3d2a_9c00]);
    let (k1, k2) = (0xc046_4000, 0x404a_9800);
    assert_eq!(smad(&[k1], &[0x3f7d_0c00], &[k2]), [0x3dd4_2c00]);
    assert_eq!(smad(&[0x3f7d_0c00], &[k1], &[k2]), [0x3dd4_9000]);
}

#[test]
fn the_vector_unit_adds_whole_products() {
    let (a, b, c) = ([0x3fbf_0400], [0x3ecc_cc00], [0x3e1c_8c00]);
    assert_eq!(mad(&a, &b, &c), [0x3f3f_f000]);
    assert_eq!(add(&mul(&a, &b), &c), [0x3f3f_ec00]);
}

#[test]
fn specials_and_zeros_of_the_fused_steps() {
    for x in [0, ONE, 0xc040_0400, INF, NAN22] {
        assert_eq!(smad(&[0], &[0xc000_0000], &[x]), sadd(&[0], &[x]));
        assert_eq!(smad(&[x], &[ONE], &[0]), sadd(&[x], &[0]));
        assert_eq!(mad(&[0], &[0xc000_0000], &[x]), add(&[0], &[x]));
        assert_eq!(mad(&[x], &[ONE], &[0]), add(&[x], &[0]));
    }
    assert_eq!(smad(&[MAX22], &[MAX22], &[ONE]), [INF]);
}

/// A batch with a special value in its last lane takes the way of the definition in all
/// lanes; without one, the way of the vectors.
#[test]
fn both_ways_of_a_step_give_the_same() {
    let mut r = Random::new(7);
    let mut number = || {
        let word = r.next_u32() & !0x3ff;
        // Half of them of a size that lighting has, the others anything at all.
        match r.one_in(2) {
            true => word & 0x87ff_ffff | 0x3800_0000,
            false => word,
        }
    };
    for _ in 0..100_000 {
        let [a, b, c]: [Lanes<4>; 3] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let by_definition = |f: &dyn Fn(&Lanes<2>, &Lanes<2>, &Lanes<2>) -> Lanes<2>| {
            std::array::from_fn(|i| f(&[a[i], NAN22], &[b[i], NAN22], &[c[i], NAN22])[0])
        };
        assert_eq!(mul(&a, &b), by_definition(&|a, b, _| mul(a, b)));
        assert_eq!(smul(&a, &b), by_definition(&|a, b, _| smul(a, b)));
        assert_eq!(mad(&a, &b, &c), by_definition(&|a, b, c| mad(a, b, c)));
        assert_eq!(smad(&a, &b, &c), by_definition(&|a, b, c| smad(a, b, c)));
        assert_eq!(sadd(&a, &b), by_definition(&|a, b, _| sadd(a, b)));
        assert_eq!(
            add3([&a, &b, &c]),
            by_definition(&|a, b, c| add3([a, b, c]))
        );
    }
}
