//! Levels that are chosen without a logarithm.

use super::super::certain::Certain;
use super::*;
use crate::tex::unit::Mip;
use isotherm_lanes::{Base, Random};

fn plain() -> ProgramUnit {
    let setup = Setup::curie(b::CURIE_TEX_FORMAT::A8R8G8B8, [64, 64]);
    setup.unit().expect("the unit is on")
}

/// Any unit, any length: what is certain is what the logarithm says.
#[test]
fn what_is_certain_is_right() {
    let mut random = Random::new(12);
    let mut found = 0;
    for round in 0..400 {
        let mut unit = plain();
        unit.mip = [Mip::Base, Mip::Nearest, Mip::Linear][round % 3];
        unit.lod_bias = random.below(2000) as i32 - 1000;
        unit.lod_range = match random.below(3) {
            0 => [0, 4095],
            1 => [random.below(600) as i32, random.below(3000) as i32],
            _ => [0, 0],
        };
        unit.linear = [random.one_in(2), random.one_in(2)];
        let last = random.below(12) as usize;
        let certain = Certain::new(&unit, last);
        for _ in 0..200 {
            let near = f32::from_bits(random.below(0x7f80_0000));
            let rho2 = [near, 2f32.powi(random.below(40) as i32 - 20), 0.0, f32::MAX]
                [random.below(4) as usize];
            // Neighbours, too.
            let rho2 = f32::from_bits((rho2.to_bits() + random.below(3)).saturating_sub(1));
            if let Some(choice) = certain.choice::<Base>([rho2; LANES]) {
                let want = unit.choose(unit.lod_of(rho2), last);
                assert_eq!(choice, want, "{rho2} {unit:?} {last}");
                assert_eq!(choice.next, 0);
                found += 1;
            }
        }
    }
    assert!(found > 20_000, "{found}");
}

#[test]
fn one_that_differs_is_enough() {
    let mut unit = plain();
    (unit.mip, unit.lod_range) = (Mip::Nearest, [0, 4095]);
    let certain = Certain::new(&unit, 5);
    let mut rho2 = [4.0; LANES];
    assert_eq!(certain.choice::<Base>(rho2).map(|c| c.level), Some(1));
    for lane in 0..LANES {
        for other in [16.0, f32::NAN, f32::INFINITY, 0.0] {
            rho2[lane] = other;
            assert_eq!(certain.choice::<Base>(rho2), None, "{lane} {other}");
        }
        rho2[lane] = 4.0;
    }
}
