//! Whole chips: captures mutated record by record, replayed in several ways.

#![no_main]

use isotherm_fuzz::{mutate, targets};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|file: &[u8]| targets::chip(file));

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    // Now and then plain bytes, for the container.
    match seed % 32 {
        0 => libfuzzer_sys::fuzzer_mutate(data, size, most),
        _ => mutate::capture(data, size, most, seed),
    }
});
