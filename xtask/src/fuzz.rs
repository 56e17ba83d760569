//! `cargo xtask fuzz`: seeded hostile input. A panic names the target and its seed.

use crate::programs::fuzz as programs;
use isotherm_regs::xf::asm::generate::Rng;
use rayon::prelude::*;

type Target = (&'static str, fn(&mut Rng));

/// What is fuzzed. One function per target; it panics when something is wrong.
const TARGETS: &[Target] = &[
    ("vertex program words", programs::decode),
    ("vertex program text", programs::text),
    ("vertex program execution", programs::execute),
];

/// Runs every target from `rounds` seeds.
pub fn run(rounds: u64, seed: u64) {
    for (name, target) in TARGETS {
        (seed..seed.saturating_add(rounds))
            .into_par_iter()
            .for_each(|n| {
                let caught = std::panic::catch_unwind(|| target(&mut Rng(n)));
                assert!(
                    caught.is_ok(),
                    "{name}: seed {n} fails: cargo xtask fuzz --rounds 1 --seed {n}"
                );
            });
        println!("{name}: {rounds} rounds");
    }
}
