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
        if let Ok(words) = fp::asm::assemble(family, &String::from_utf8_lossy(bytes)) {
            let text = fp::asm::disassemble_words(family, &words);
            assert_eq!(
                fp::asm::assemble(family, &text).as_ref(),
                Ok(&words),
                "{text}"
            );
        }
        return;
    }
    let words = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b));
    let words: Vec<u32> = words.collect();
    let text = fp::asm::disassemble_words(family, &words);
    assert_eq!(
        fp::asm::assemble(family, &text).as_ref(),
        Ok(&words),
        "{text}"
    );
    if let Ok(program) = fp::Program::decode(family, &words) {
        let again = program.encode(family);
        assert_eq!(again, words[..again.len()], "{text}");
    }
});
