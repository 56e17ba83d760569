//! Hostile input: entry points that must come back, whatever they are given.

use crate::Machine;
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
    let mut frame = Frame::new();
    for _ in 0..n.next_u32() % 12 {
        let at = n.next_u32() as usize % frame.words.len();
        let new = match n.next_u32() % 4 {
            0 => n.next_u32(),
            1 => frame.words[at].1 ^ 1 << (n.next_u32() % 32),
            2 => 0,
            _ => u32::MAX,
        };
        frame.words[at].1 = new;
    }
    if n.next_u32().is_multiple_of(8) {
        frame.gp[n.next_u32() as usize % 4] = n.next_u32();
    }
    if n.next_u32().is_multiple_of(4) {
        let at = n.next_u32() as usize % frame.pp.len();
        frame.pp[at] = n.next_u32();
    }
    frame.run();
}

/// The same frame with these words at these places: first memory's, then those of the geometry
/// job, then those of the pixel job.
pub fn changed_jobs(changes: &[(u16, u32)]) {
    let mut frame = Frame::new();
    let total = frame.words.len() + frame.gp.len() + frame.pp.len();
    for &(at, word) in changes {
        let memory = frame.words.iter_mut().map(|(_, word)| word);
        let all = memory.chain(&mut frame.gp).chain(&mut frame.pp);
        if let Some(place) = all.into_iter().nth(usize::from(at) % total) {
            *place = word;
        }
    }
    frame.run();
}

/// A frame: what it has in memory, and its two jobs.
struct Frame {
    words: Vec<(u32, u32)>,
    gp: [u32; 6],
    pp: [u32; 68],
}

impl Frame {
    fn new() -> Frame {
        let (vs, plbu) = (BASE, BASE + 0x100);
        let mut pp = [0; 68];
        (pp[4], pp[10], pp[11]) = (0xFF_FFFF, 31, 31);
        (pp[16], pp[17], pp[21], pp[22], pp[23]) = (1, 63, 0xE0C, 0x8888, 1);
        pp[24..30].copy_from_slice(&[2, BASE + 0x1_0000, 3, 0, 2, 2]);
        pp[60] = BASE + 0x200;
        Frame {
            words: frame(),
            gp: [vs, vs + 8 * 9, plbu, plbu + 8 * 13, 0, 0],
            pp,
        }
    }

    /// Both jobs, and everybody who looks at them.
    fn run(&self) {
        let Frame { words, gp, pp } = self;
        let mut mem = Memory::new(Chip::Mali400);
        for &(addr, word) in words {
            mem.write_u32(addr, word);
        }
        let mut m = Machine::new();
        let _ = m.gp_job(&mut mem, gp);
        let _ = crate::lint(&m, &mem, pp);
        let _ = crate::trace::pp_job(&m, &mem, pp);
        let _ = crate::trace::gp_job(&mem, gp);
        let _ = m.pp_job(&mut mem, pp);
    }
}

/// Where the frame lies.
const BASE: u32 = 0x8000_0000;

/// Words with their addresses.
#[derive(Default)]
struct Words(Vec<(u32, u32)>);

impl Words {
    fn put(&mut self, at: u32, words: &[u32]) {
        let addresses = (BASE + at..).step_by(4);
        self.0.extend(addresses.zip(words.iter().copied()));
    }

    /// Commands: values and operations.
    fn commands(&mut self, at: u32, commands: &[(u32, u32)]) {
        for (at, &(value, operation)) in (at..).step_by(8).zip(commands) {
            self.put(at, &[value, operation]);
        }
    }
}

/// One triangle with a texture on a picture of 32x32.
fn frame() -> Vec<(u32, u32)> {
    let mut words = Words::default();
    geometry(&mut words);
    tiles(&mut words);
    render_state(&mut words);
    words.0
}

/// The streams of the geometry processor and what they name.
fn geometry(words: &mut Words) {
    let vs = [
        (BASE + 0x400, 0x3001_0000),
        (BASE + 0x500, 0x4000_1000),
        (0, 0x1000_0040),
        (0, 0x1000_0042),
        (BASE + 0x440, 0x2002_0000),
        (BASE + 0x460, 0x2002_0008),
        (0x0300_0000, 0),
        (0, 0x6000_0000),
        (0, 0x5000_0000),
    ];
    words.commands(0, &vs);
    let plbu = [
        (0x200, 0x1000_010b),
        (0, 0x1000_010c),
        (0x0100_0100, 0x1000_0109),
        (2, 0x3000_0000),
        (BASE + 0x480, 0x2800_0003),
        (0, 0x1000_0107),
        (0x4200_0000, 0x1000_0108),
        (0, 0x1000_0105),
        (0x4200_0000, 0x1000_0106),
        (0x2200, 0x1000_010b),
        (BASE + 0x600, 0x8000_0000 | (BASE + 0x700) >> 4),
        (0x0300_0000, 0x0004_0000),
        (0, 0x5000_0000),
    ];
    words.commands(0x100, &plbu);
    // Attribute and varying tables, uniforms, vertex program, positions as attributes.
    words.put(0x440, &[BASE + 0x780, 0x8003]);
    words.put(0x460, &[BASE + 0x700, 0x8020]);
    words.put(0x400, &[0x3F80_0000; 4]);
    // v0 = a0: four copies.
    words.put(0x500, &[0xad4b_02c0, 0x4380_02b5, 0x0006_4d00, 0x000a_d500]);
    let corners: [[f32; 2]; 3] = [[2.0, 2.0], [30.0, 4.0], [5.0, 29.0]];
    for (at, [x, y]) in (0..).step_by(16).zip(corners) {
        let position = [x, y, 0.5, 1.0].map(f32::to_bits);
        words.put(0x780 + at, &position);
        words.put(0x700 + at, &position);
    }
}

/// The master stream of the pixel processor, and the addresses of the list blocks.
fn tiles(words: &mut Words) {
    for (i, (x, y)) in (0..).zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
        let block = BASE + 0x2000 + 512 * i;
        let list = 0xE000_0002 | block >> 3 & !0xE000_0003;
        let tile = [(0, 0xB800_0000 | x | y << 8), (list, 0xB000_0000)];
        words.commands(0x200 + 16 * i, &tile);
        words.put(0x480 + 4 * i, &[block]);
    }
    words.put(0x240, &[0, 0xBC00_0000]);
}

/// A render state with its program (a texture), list of textures and descriptor.
fn render_state(words: &mut Words) {
    words.put(0x600, &[0, 0, 0xfc3b_1ad2, 0x33, 0xffff_0000]);
    words.put(0x614, &[0xff00_0007, 0xff00_0007, 0xffff, 0x0000_f807]);
    words.put(0x624, &[(BASE + 0x800) | 6, 1, 0, BASE + 0x840]);
    words.put(0x634, &[0x4021, 0x3000, BASE + 0x700]);
    words.put(0x800, &[0x0000_11e6, 0x3f00_3c20, 0]);
    words.put(0x80C, &[0x3900_1000, 0x0000_0e4e, 0x0000_07cf]);
    words.put(0x840, &[BASE + 0x880]);
    words.put(0x880, &[0x96, 0x0400, 0x0200_0000, 0x0001_0040]);
    words.put(0x890, &[0, 0, 0x6000, (BASE + 0x4000) >> 8]);
}
