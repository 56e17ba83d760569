//! Hostile programs: nothing may panic, hang or answer with nonsense.

use isotherm::vertex::Textures;
use isotherm::vertex::VtxIn;
use isotherm::xf::Results;
use isotherm::xf::program::{Env, Tbuf, Xfpr, run, run_with_side_effects};
use isotherm_regs::xf::asm::generate::{self, Rng};
use isotherm_regs::xf::asm::{Program, assemble, disassemble};
use isotherm_regs::xf::isa::{Inst, Isa, Word};

/// Any words: what decodes also encodes, and text gives the words back.
pub fn decode(rng: &mut Rng) {
    for isa in Isa::ALL {
        let word = Word(u128::from(rng.bits()) << 64 | u128::from(rng.bits()));
        let inst = Inst::decode(isa, word);
        let usual = inst.encode(isa).unwrap_or_default();
        assert_eq!(Inst::decode(isa, usual), inst, "{isa:?} {word:x?}");
        let program = Program {
            isa,
            org: 0,
            words: vec![word],
        };
        let text = disassemble(&program);
        assert_eq!(assemble(&text, None).as_ref(), Ok(&program), "{text}");
    }
}

/// What program text is made of.
const LETTERS: &[u8] = b" \n,;:.[](){}+-|&=!xyzwRAcvo0189_#/";

/// Text with bytes changed, cut and doubled: an error with a place, or a program.
pub fn text(rng: &mut Rng) {
    for isa in Isa::ALL {
        let mut bytes = disassemble(&generate::program(isa, rng)).into_bytes();
        for _ in 0..=rng.below(6) {
            let at = rng.below(bytes.len() as u64) as usize;
            match rng.below(4) {
                0 => bytes[at] = LETTERS[rng.below(LETTERS.len() as u64) as usize],
                1 => bytes[at] = rng.bits() as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
            if bytes.is_empty() {
                bytes.push(b';');
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match assemble(&text, None) {
            Ok(program) => {
                assert_eq!(
                    assemble(&disassemble(&program), None).as_ref(),
                    Ok(&program),
                    "{text}"
                );
            }
            Err(error) => {
                assert!(
                    error.line >= 1 && error.column >= 1 && error.len >= 1,
                    "{error:?}"
                );
                assert!(error.line <= text.matches('\n').count() + 1, "{error:?}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

struct Anything;

impl Textures for Anything {
    fn sample(&self, unit: u8, coord: [u32; 4]) -> [u32; 4] {
        coord.map(|c| c ^ u32::from(unit))
    }
}

/// Random code on random vertices: it ends, and one vertex alone gives what it
/// gives among others.
pub fn execute(rng: &mut Rng) {
    for isa in Isa::ALL {
        let program = generate::program(isa, rng);
        let mut xfpr = Xfpr::new(isa);
        for (i, word) in program.words.iter().enumerate() {
            xfpr.write(usize::from(program.org) + i, word.to_upload());
        }
        let start = if rng.below(8) == 0 {
            rng.below(1024) as usize
        } else {
            program.org.into()
        };
        let plan = xfpr.plan(start);
        let env = Env {
            timeout: rng.below(200) as u32,
            ieee: rng.below(2) == 0,
            branch_bits: rng.bits() as u32,
            branch_table: std::array::from_fn(|_| rng.bits() as u16 & 0x1ff),
            textures: Some(&Anything),
            ..Env::default()
        };
        let mut word = |_: usize| rng.bits() as u32;
        let mut ctx: Vec<[u32; 4]> = (0..0x220).map(|_| std::array::from_fn(&mut word)).collect();
        let vertices: Vec<VtxIn> = (0..11)
            .map(|_| VtxIn {
                attr: std::array::from_fn(|_| std::array::from_fn(&mut word)),
                edge_flag: false,
            })
            .collect();
        let mut together = vec![Results::default(); vertices.len()];
        run(
            &plan,
            &env,
            &ctx,
            &mut Tbuf::default(),
            &vertices,
            &mut together,
        );
        // What is left over from the vertex before differs; the first has no such vertex.
        let mut alone = [Results::default()];
        run(
            &plan,
            &env,
            &ctx,
            &mut Tbuf::default(),
            &vertices[..1],
            &mut alone,
        );
        assert_eq!(alone[0], together[0], "{}", disassemble(&program));
        run_with_side_effects(
            &plan,
            &env,
            &mut ctx,
            &mut Tbuf::default(),
            &vertices,
            &mut together,
        );
    }
}
