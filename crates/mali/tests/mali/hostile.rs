//! Hostile input comes back.

use isotherm_mali::fuzz;

#[test]
fn seeds() {
    for seed in 0..300 {
        fuzz::programs(seed);
    }
    for seed in 0..40 {
        fuzz::jobs(seed);
    }
}
