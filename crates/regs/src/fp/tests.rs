use super::*;
use crate::Family;
use crate::xf::asm::generate::Rng;

const FAMILIES: [Family; 2] = [Family::Rankine, Family::Curie];

fn words(rng: &mut Rng, len: usize) -> Vec<u32> {
    (0..len).map(|_| rng.bits() as u32).collect()
}

#[test]
fn any_instruction_encodes_back() {
    for family in FAMILIES {
        let mut rng = Rng(0xf9a9_0000 + family as u64);
        for n in 0..20_000 {
            let mut w = [0; 4].map(|_| rng.bits() as u32);
            if n % 2 == 0 {
                w[2] &= 0x7fff_ffff;
            }
            let inst = Inst::decode(family, 0, w);
            assert_eq!(inst.encode(family), w, "{family:?} {n} {inst:?}");
        }
    }
}

/// Members alone, without the words they came from, say everything but the
/// bits that no field has and the fields that do not act.
#[test]
fn members_encode_into_empty_words() {
    for family in FAMILIES {
        let mut rng = Rng(0x9a9f_0000 + family as u64);
        for n in 0..20_000 {
            let w = [0; 4].map(|_| rng.bits() as u32);
            let inst = Inst::decode(family, 0, w);
            let bare = Inst {
                words: [0; 4],
                ..inst
            };
            let again = Inst::decode(family, 0, bare.encode(family));
            assert_eq!(
                Inst {
                    words: [0; 4],
                    ..again
                },
                bare,
                "{family:?} {n}"
            );
        }
    }
}

#[test]
fn any_words_decode_or_say_why_not() {
    for family in FAMILIES {
        let mut rng = Rng(0xdec0_de00 + family as u64);
        for _ in 0..5_000 {
            let len = rng.below(96) as usize;
            let w = words(&mut rng, len);
            match Program::decode(family, &w) {
                Ok(program) => {
                    let again = program.encode(family);
                    assert_eq!(again[..], w[..again.len()]);
                }
                Err(Error::Unfinished { at }) => assert!(at as usize + 8 > len),
                Err(other) => panic!("{other}"),
            }
        }
    }
    let none = Program::decode(Family::Kelvin, &[1, 0, 0, 0]);
    assert_eq!(none, Err(Error::NoPrograms(Family::Kelvin)));
    let zeros = vec![0; 0x20000];
    assert_eq!(
        Program::decode(Family::Curie, &zeros),
        Err(Error::TooLong { at: 0x10000 })
    );
}

/// A constant belongs to its instruction, whatever its words look like.
#[test]
fn constants_are_no_instructions() {
    let w = [
        0x0100_1e00,
        0x1c9c_c802,
        0x0001_c801,
        0x0001_c801, // MOV R0, constant
        0xffff_ffff,
        0xffff_ffff,
        0xffff_ffff,
        0xffff_ffff,
        0x0000_0001,
        0,
        0,
        0,
        7,
        7,
        7,
        7,
    ];
    for family in FAMILIES {
        let program = Program::decode(family, &w).expect("a program");
        assert_eq!(program.insts.len(), 2);
        assert_eq!(program.insts[0].constant, Some([u32::MAX; 4]));
        assert_eq!((program.insts[1].at, program.insts[1].op), (8, Op::Nop));
        assert_eq!(program.index_of(8), Some(1));
        assert_eq!(program.index_of(4), None);
        assert_eq!(program.encode(family)[..], w[..12]);
    }
}

/// IF … ELSE whose end is the NOP behind the END bit.
#[test]
fn branches_reach_behind_the_end() {
    let nop = [0, 0, 0, 0];
    let mut w = Vec::new();
    w.extend([0x4240_0000, 0x0014_0000, 0x8000_0008, 12]); // IF (NE.x) else 8, end 12
    w.extend(nop);
    w.extend([1, 0, 0, 0]); // END
    w.extend([1, 0, 0, 0]); // the landing place
    w.extend([9; 4]);
    let program = Program::decode(Family::Curie, &w).expect("a program");
    assert_eq!(program.insts.len(), 4);
    assert_eq!(
        program.insts[0].flow,
        Some(Flow::If {
            otherwise: 8,
            end: 12
        })
    );
    assert_eq!(program.insts[0].cond, Cond::Ne);
    // Rankine has no branches: the same words are a MUL.
    let program = Program::decode(Family::Rankine, &w).expect("a program");
    assert_eq!(program.insts.len(), 3);
    assert_eq!(program.insts[0].op, Op::Mul);
}

#[test]
fn operations_differ_by_family() {
    for code in [0x1b, 0x1e, 0x1f, 0x26, 0x36] {
        for family in [Family::Rankine, Family::Curie] {
            assert_ne!(Op::decode(family, code, false), Op::Unknown(code));
        }
    }
    for code in [0x2b, 0x2f, 0x31, 0x38, 0x39, 0x3b, 0x3c, 0x3d] {
        assert_eq!(Op::decode(Family::Rankine, code, false), Op::Unknown(code));
        assert_ne!(Op::decode(Family::Curie, code, false), Op::Unknown(code));
    }
    assert_eq!(Op::decode(Family::Curie, 2, true), Op::If);
    for info in ops::TABLE {
        assert_eq!(info.op.code(), info.code);
    }
}
