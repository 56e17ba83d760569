//! Fragment programs: any words decode to text that assembles to the same program, and any
//! text gets an answer.

#![no_main]

use isotherm_regs::Family;
use isotherm_regs::fp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let family = if first & 1 != 0 {
        Family::Curie
    } else {
        Family::Rankine
    };
    if first & 2 != 0 {
        let _ = fp::asm::assemble(family, &String::from_utf8_lossy(bytes));
        return;
    }
    let words = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b));
    let words: Vec<u32> = words.collect();
    let _ = fp::Program::decode(family, &words);
});
