//! Mali jobs: a frame that works, with other words in it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let change = |bytes: &[u8; 6]| {
        let [a, b, word @ ..] = *bytes;
        (u16::from_le_bytes([a, b]), u32::from_le_bytes(word))
    };
    let changes: Vec<(u16, u32)> = data.as_chunks().0.iter().map(change).collect();
    isotherm::mali::fuzz::changed_jobs(&changes);
});
