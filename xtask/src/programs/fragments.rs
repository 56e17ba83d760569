//! Hostile fragment programs: words and text agree, nothing panics.

use isotherm_regs::Family;
use isotherm_regs::fp::Program;
use isotherm_regs::fp::asm::{assemble, assemble_any, disassemble_words};
use isotherm_regs::xf::asm::generate::Rng;

const FAMILIES: [Family; 2] = [Family::Rankine, Family::Curie];

/// What program text is made of.
const LETTERS: &[u8] = b" \n,;:.[](){}+-|=!xyzwRHXCcfo0189_#/e";

fn some_words(rng: &mut Rng) -> Vec<u32> {
    (0..rng.below(48)).map(|_| rng.bits() as u32).collect()
}

/// Any words: text gives them back, and a program is found or not.
pub fn words(rng: &mut Rng) {
    for family in FAMILIES {
        let words = some_words(rng);
        let text = disassemble_words(family, &words);
        assert_eq!(assemble(family, &text).as_ref(), Ok(&words), "{text}");
        if let Ok(program) = Program::decode(family, &words) {
            let again = program.encode(family);
            assert_eq!(again, words[..again.len()], "{text}");
        }
    }
}

/// Text with bytes changed, cut and doubled: an error with a place, or words.
pub fn text(rng: &mut Rng) {
    for family in FAMILIES {
        let mut bytes = disassemble_words(family, &some_words(rng)).into_bytes();
        for _ in 0..=rng.below(6) {
            let at = rng.below(bytes.len() as u64) as usize;
            match rng.below(4) {
                0 => bytes[at] = LETTERS[rng.below(LETTERS.len() as u64) as usize],
                1 => bytes[at] = rng.bits() as u8,
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match assemble_any(&text, None) {
            Ok(made) => {
                let again = disassemble_words(made.family, &made.words);
                assert_eq!(assemble_any(&again, None).as_ref(), Ok(&made), "{text}");
            }
            Err(error) => {
                let lines = text.matches('\n').count() + 1;
                assert!((1..=lines).contains(&error.line), "{error:?}");
                assert!(error.column >= 1 && error.len >= 1, "{error:?}");
            }
        }
    }
}
