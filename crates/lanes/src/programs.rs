//! How programs run.

use std::sync::OnceLock;

/// Do programs run step by step (the environment's `ISOTHERM_PROGRAMS=steps`), each step as its
/// instruction says, and not as the operations that were made of them when they were prepared?
/// That is the reference: slow, and the same bits.
pub fn step_by_step() -> bool {
    static CHOSEN: OnceLock<bool> = OnceLock::new();
    *CHOSEN.get_or_init(|| std::env::var_os("ISOTHERM_PROGRAMS").is_some_and(|how| how == "steps"))
}
