//! Pixel-processor programs as text and back.

mod asm;
mod disasm;

pub use asm::asm;
pub use disasm::{disasm, disasm_instr};

use super::isa_pp::*;

const XYZW: [char; 4] = ['x', 'y', 'z', 'w'];
const IDENTITY: u32 = 0xE4;
const CONDITIONS: [&str; 8] = ["nv", "lt", "eq", "le", "gt", "ne", "ge", ""];
const OUTMODS: [&str; 4] = ["", ".sat", ".pos", ".int"];

/// What instruction `i` says of its neighbours when it says the truth: the
/// bits in the control word and in the branch.
fn announced(program: &[Instr], i: usize) -> (u32, u128) {
    let ctrl = program.get(i + 1).map_or(0, |next| {
        ctrl::PREFETCH.put(ctrl::NEXT_COUNT.put(0, next.len() as u32), 1) as u32
    });
    let target = program[i].branch_target();
    let target = program.iter().find(|t| Some(t.offset as i64) == target);
    (
        ctrl,
        branch::NEXT_COUNT.put(0, target.map_or(0, Instr::len) as u32),
    )
}

#[cfg(test)]
mod tests {
    use super::super::isa_bits::*;
    use super::*;

    /// Words → text → words, and the text of lima's dump.
    #[track_caller]
    fn round_trip(words: &[u32], lima: &[&str]) {
        let program = decode_program(words, words.len()).unwrap();
        let text = disasm(&program, Style::Asm);
        let back = asm(&text).unwrap();
        let bits: Vec<u32> = back.iter().flat_map(Instr::encode).collect();
        assert_eq!(bits, words, "\n{text}");
        let lines: Vec<String> = (0..program.len())
            .map(|i| disasm_instr(&program, i, Style::Lima))
            .collect();
        assert_eq!(lines, lima);
    }

    #[test]
    fn lima_programs() {
        round_trip(
            &[0x00001224, 0x00000800, 0x001c9e00, 0x000f9e00],
            &["load.u 0, mov.v1 $0 ^uniform, stop"],
        );
        round_trip(
            &[
                0x02200083, 0xf0003c6b, 0x00000000, 0x02181204, 0x00000800, 0x001c9e00, 0x000f9e20,
                0x02282803, 0x00000601, 0x101101c0, 0x022a2805, 0x00003004, 0x16110000, 0x00000600,
                0x00000000, 0x02122805, 0x00003000, 0x16100000, 0x00000600, 0x00000000, 0x02282002,
                0x00400400, 0x022a2805, 0x00003000, 0x16104000, 0x00000700, 0x00000000, 0x023a2805,
                0x000001b0, 0x10100000, 0x00000800, 0x00000000, 0x02230807, 0x1a410031, 0x000141c0,
                0x00000580, 0x00000010, 0x0000001c, 0x00000000, 0x022010a4, 0xf0003c60, 0x40003900,
                0x00001f3c, 0x00010024, 0x007f0003, 0x00000000, 0x00000000,
            ],
            &[
                "load.v $0 gl_FragCoord",
                "load.u 0, mov.v1 $1 ^uniform",
                "mul.s0 $0.y $1.z, add.s1 $1.x ^s0 $1.w",
                "mul.s0 $1.x ^const0.x, floor.s1 $1.x ^s0, const0 0.125000 0.000000 0.000000 0.000000",
                "mul.s0 $0.x ^const0.x, floor.s1 $0.x ^s0, const0 0.125000 0.000000 0.000000 0.000000",
                "add.s1 $0.x $0.x $1.x",
                "mul.s0 $0.x ^const0.x, floor.s1 $0.y ^s0, const0 0.500000 0.000000 0.000000 0.000000",
                "mul.s0 -^const0.x $0.y, add.s1 $0.x ^s0 $0.x, const0 2.000000 0.000000 0.000000 0.000000",
                "gt.s0 $0.y ^const0.y $0.x, branch.ne $0.y ^const0.x 43, const0 0.000000 0.500000 0.000000 0.000000",
                "load.v $0 0, mov.v1 $1 $0, stop",
                "discard, stop",
            ],
        );
    }

    #[test]
    fn any_bits_survive() {
        // A linear congruential generator: every slot with every kind of rubbish in it.
        let mut seed = 1u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 32) as u32
        };
        for _ in 0..4000 {
            let mut words: Vec<u32> = (0..31).map(|_| next()).collect();
            let c = ctrl::COUNT.put(u128::from(next()), 31);
            words[0] = c as u32;
            let instr = match Instr::decode(&words, 0) {
                Ok(i) => i,
                Err(_) => continue,
            };
            let text = disasm(std::slice::from_ref(&instr), Style::Asm);
            let back = asm(&text).unwrap();
            assert_eq!(back.len(), 1, "{text}");
            assert_eq!(back[0].encode(), instr.encode(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(asm("nop, stop\nfoo.v1 $0 $1").unwrap_err().at, 2);
        assert!(asm("s2 $0 $1").is_err());
        assert!(asm("add.v1 $0").is_err());
        assert!(asm("mov.v1 $16 $0").is_err());
    }
}
