//! Hostile input: entry points that must come back, whatever they are given.

use super::Machine;
use isotherm_bus::memory::Memory;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};

/// Both instruction sets: random words decode, and what decodes survives as text.
pub fn programs(seed: u64) {
    let mut n = Random::new(seed);
    let mut words: Vec<u32> = (0..64).map(|_| n.next_u32()).collect();
    // Now and then a first word that fits, so that slots are reached.
    words[0] = words[0] & !31 | 31;
    if let Ok(code) = isa_pp::decode_program(&words, words.len()) {
        let text = isa_pp_text::disasm(&code, Style::Asm);
        // Programs with holes between instructions cannot be told from their text.
        if let Ok(back) = isa_pp_text::asm(&text)
            && code
                .windows(2)
                .all(|p| p[0].offset + p[0].len() == p[1].offset)
        {
            assert_eq!(back.len(), code.len(), "{text}");
        }
    }
    let code = isa_gp::decode_program(&words);
    let text = isa_gp_text::disasm(&code, Style::Asm);
    assert_eq!(isa_gp_text::asm(&text).ok().as_ref(), Some(&code), "{text}");
}

/// Command streams, descriptors and programs: a frame that works, with some of its words
/// replaced.
pub fn jobs(seed: u64) {
    let mut n = Random::new(seed);
    let mut mem = Memory::new(Chip::Mali400);
    let mut words = frame();
    for _ in 0..n.next_u32() % 12 {
        let at = n.next_u32() as usize % words.len();
        let new = match n.next_u32() % 4 {
            0 => n.next_u32(),
            1 => words[at].1 ^ 1 << (n.next_u32() % 32),
            2 => 0,
            _ => u32::MAX,
        };
        words[at].1 = new;
    }
    for &(addr, word) in &words {
        mem.write_u32(addr, word);
    }
    let mut m = Machine::new();
    let mut gp = [
        BASE,
        BASE + 8 * 9,
        BASE + 0x100,
        BASE + 0x100 + 8 * 13,
        0,
        0,
    ];
    if n.next_u32().is_multiple_of(8) {
        gp[n.next_u32() as usize % 4] = n.next_u32();
    }
    let _ = m.gp_job(&mut mem, &gp);
    let mut pp = vec![0u32; 68];
    (pp[4], pp[10], pp[11]) = (0xFF_FFFF, 31, 31);
    (pp[16], pp[17], pp[21], pp[22], pp[23]) = (1, 63, 0xE0C, 0x8888, 1);
    pp[24..30].copy_from_slice(&[2, BASE + 0x1_0000, 3, 0, 2, 2]);
    pp[60] = BASE + 0x200;
    if n.next_u32().is_multiple_of(4) {
        let at = n.next_u32() as usize % pp.len();
        pp[at] = n.next_u32();
    }
    let _ = super::lint(&m, &mem, &pp);
    let _ = super::trace::pp_job(&m, &mem, &pp);
    let _ = super::trace::gp_job(&mem, &gp);
    let _ = m.pp_job(&mut mem, &pp);
}

/// Where the frame lies.
const BASE: u32 = 0x8000_0000;

/// One triangle with a texture on a picture of 32x32.
fn frame() -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut put = |at: u32, words: &[u32]| {
        out.extend(
            words
                .iter()
                .enumerate()
                .map(|(i, &w)| (BASE + at + 4 * i as u32, w)),
        );
    };
    // VS commands.
    put(
        0,
        &[
            BASE + 0x400,
            0x3001_0000,
            BASE + 0x500,
            0x4000_1000,
            0,
            0x1000_0040,
        ],
    );
    put(
        0x18,
        &[
            0,
            0x1000_0042,
            BASE + 0x440,
            0x2002_0000,
            BASE + 0x460,
            0x2002_0008,
        ],
    );
    put(0x30, &[0x0300_0000, 0, 0, 0x6000_0000, 0, 0x5000_0000]);
    // PLBU commands.
    put(
        0x100,
        &[
            0x200,
            0x1000_010b,
            0,
            0x1000_010c,
            0x0100_0100,
            0x1000_0109,
            2,
            0x3000_0000,
        ],
    );
    put(
        0x120,
        &[
            BASE + 0x480,
            0x2800_0003,
            0,
            0x1000_0107,
            0x4200_0000,
            0x1000_0108,
        ],
    );
    put(
        0x138,
        &[
            0,
            0x1000_0105,
            0x4200_0000,
            0x1000_0106,
            0x2200,
            0x1000_010b,
        ],
    );
    put(
        0x150,
        &[
            BASE + 0x600,
            0x8000_0000 | (BASE + 0x700) >> 4,
            0x0300_0000,
            0x0004_0000,
        ],
    );
    put(0x160, &[0, 0x5000_0000]);
    // Tiles.
    for (i, (x, y)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
        let block = 0xE000_0002 | (BASE + 0x2000 + 512 * i as u32) >> 3 & !0xE000_0003;
        put(
            0x200 + 16 * i as u32,
            &[0, 0xB800_0000 | x | y << 8, block, 0xB000_0000],
        );
        put(0x480 + 4 * i as u32, &[BASE + 0x2000 + 512 * i as u32]);
    }
    put(0x240, &[0, 0xBC00_0000]);
    // Attribute and varying tables, uniforms, vertex program, positions as attributes.
    put(0x440, &[BASE + 0x780, 0x8003]);
    put(0x460, &[BASE + 0x700, 0x8020]);
    put(0x400, &[0x3F80_0000; 4]);
    // v0 = a0: four copies.
    put(0x500, &[0xad4b_02c0, 0x4380_02b5, 0x0006_4d00, 0x000a_d500]);
    let f = f32::to_bits;
    for (i, [x, y]) in [[2.0, 2.0], [30.0, 4.0], [5.0, 29.0]]
        .into_iter()
        .enumerate()
    {
        put(0x780 + 16 * i as u32, &[f(x), f(y), f(0.5), f(1.0)]);
        put(0x700 + 16 * i as u32, &[f(x), f(y), f(0.5), f(1.0)]);
    }
    // Render state, its program (a texture), list and descriptor.
    put(
        0x600,
        &[
            0,
            0,
            0xfc3b_1ad2,
            0x33,
            0xffff_0000,
            0xff00_0007,
            0xff00_0007,
            0xffff,
        ],
    );
    put(
        0x620,
        &[
            0x0000_f807,
            (BASE + 0x800) | 6,
            1,
            0,
            BASE + 0x840,
            0x4021,
            0x3000,
            BASE + 0x700,
        ],
    );
    put(
        0x800,
        &[
            0x0000_11e6,
            0x3f00_3c20,
            0,
            0x3900_1000,
            0x0000_0e4e,
            0x0000_07cf,
        ],
    );
    put(0x840, &[BASE + 0x880]);
    put(
        0x880,
        &[
            0x96,
            0x0400,
            0x0200_0000,
            0x0001_0040,
            0,
            0,
            0x6000,
            (BASE + 0x4000) >> 8,
        ],
    );
    out
}
