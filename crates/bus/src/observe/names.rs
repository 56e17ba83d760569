//! Names of numbers, from the declarations of the words.

use isotherm_regs::field::Values;

/// What a number is called, on whichever chip names it.
pub fn name(values: &Values, number: u32) -> &'static str {
    let found = values.list.iter().find(|v| v.value == number);
    found.map_or("?", |v| v.name)
}
