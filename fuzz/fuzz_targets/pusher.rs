//! `targets::pusher` with libFuzzer.

#![no_main]

use isotherm_fuzz::targets;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| targets::pusher(data));
