//! The programs that a command stream uploads, draw by draw.
//!
//! Tools look at programs without a chip behind them: this follows the few
//! methods that load program and constants, and shows what a draw would run.

use isotherm_bus::method::Method;
use isotherm_capture::{ObjectRecord, Payload, Reader};
use isotherm_fe::fifo::Pusher;
use isotherm_regs::Class3d;
use isotherm_regs::xf::asm::Program;
use isotherm_regs::xf::isa::{Inst, Isa, Word, ops};
use std::collections::HashMap;

/// Method addresses: rnndb `nv20_3d.xml`, `nv30-40_3d.xml`.
mod method {
    /// Kelvin: program words.
    pub const KELVIN_PROGRAM: std::ops::RangeInclusive<u16> = 0xb00..=0xb7c;
    /// Kelvin: context rows.
    pub const KELVIN_CONST: std::ops::RangeInclusive<u16> = 0xb80..=0xbfc;
    /// Rankine and Curie: program words.
    pub const PROGRAM: std::ops::RangeInclusive<u16> = 0xb80..=0xbfc;
    /// Rankine and Curie: context rows.
    pub const CONST: std::ops::RangeInclusive<u16> = 0x1f00..=0x1f3c;
    /// Slot of the next program word.
    pub const LOAD_SLOT: u16 = 0x1e9c;
    /// First slot that runs.
    pub const START: u16 = 0x1ea0;
    /// Transform mode: program or fixed function.
    pub const MODE: u16 = 0x1e94;
    pub const KELVIN_LOAD_CONST: u16 = 0x1ea4;
    pub const LOAD_CONST: u16 = 0x1efc;
    pub const KELVIN_BEGIN: u16 = 0x17fc;
    pub const BEGIN: u16 = 0x1808;
}

/// The instruction set of a 3D class.
pub fn isa_of_class(class: u32) -> Option<Isa> {
    match Class3d::of(class & 0xffff)? {
        Class3d::Kelvin => Some(Isa::Kelvin),
        Class3d::Rankine => Some(Isa::Rankine),
        Class3d::Curie => Some(Isa::Curie),
        Class3d::D3d3 | Class3d::D3d56 | Class3d::Celsius => None,
    }
}

/// Follows a stream of methods.
#[derive(Clone, Debug)]
pub struct Uploads {
    classes: HashMap<u32, u32>,
    bound: [Option<Isa>; 8],
    isa: Isa,
    memory: Vec<Word>,
    staged: [u32; 4],
    slot: usize,
    ctx: Vec<[u32; 4]>,
    row: usize,
    start: usize,
    program_mode: bool,
    draws: u64,
}

impl Default for Uploads {
    fn default() -> Uploads {
        Uploads {
            classes: HashMap::new(),
            bound: [None; 8],
            isa: Isa::Kelvin,
            memory: vec![Word(0); Isa::Curie.slots()],
            staged: [0; 4],
            slot: 0,
            ctx: vec![[0; 4]; 0x220],
            row: 0,
            start: 0,
            program_mode: false,
            draws: 0,
        }
    }
}

/// What a draw would run.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Number of the draw in the stream, from 1.
    pub number: u64,
    uploads: &'a Uploads,
}

impl Draw<'_> {
    /// The program: the slots that can be reached from its start.
    pub fn program(&self) -> Program {
        let u = self.uploads;
        let slots = &u.memory[..u.isa.slots()];
        let (first, end) = reach(u.isa, slots, u.start);
        Program {
            isa: u.isa,
            org: first as u16,
            words: slots[first..end].to_vec(),
        }
    }

    /// First slot that runs.
    pub fn start(&self) -> usize {
        self.uploads.start
    }

    /// The context rows.
    pub fn ctx(&self) -> &[[u32; 4]] {
        &self.uploads.ctx
    }
}

/// The range of slots that code from `start` can reach.
fn reach(isa: Isa, slots: &[Word], start: usize) -> (usize, usize) {
    use ops::Form::{Branch, BranchBit};
    let (mut first, mut end) = (start.min(slots.len()), start.min(slots.len()));
    let mut seen = vec![false; slots.len()];
    let mut todo = vec![start];
    while let Some(mut at) = todo.pop() {
        while at < slots.len() && !seen[at] {
            seen[at] = true;
            (first, end) = (first.min(at), end.max(at + 1));
            let inst = Inst::decode(isa, slots[at]);
            if matches!(inst.sca_op(isa).form, Branch | BranchBit) {
                todo.push(usize::from(inst.branch));
            }
            if inst.end {
                break;
            }
            at += 1;
        }
    }
    (first, end)
}

impl Uploads {
    /// An object became reachable.
    pub fn object(&mut self, object: &ObjectRecord) {
        let (handle, class) = match object {
            ObjectRecord::Instance(o) => (o.handle, o.class),
            ObjectRecord::Graphics { handle, class } => (*handle, *class),
            _ => return,
        };
        self.classes.insert(handle, class);
    }

    /// One method. Gives the draw that it begins, if programs are on.
    pub fn method(&mut self, m: Method) -> Option<Draw<'_>> {
        let bound = &mut self.bound[usize::from(m.subchannel & 7)];
        if m.method == 0 {
            *bound = self.classes.get(&m.data).copied().and_then(isa_of_class);
            if let Some(isa) = *bound {
                self.isa = isa;
            }
            return None;
        }
        let kelvin = match (*bound)? {
            Isa::Kelvin => true,
            Isa::Rankine | Isa::Curie => false,
        };
        let word = usize::from((m.method / 4) & 3);
        match m.method {
            method::LOAD_SLOT => self.slot = m.data as usize,
            method::START => self.start = m.data as usize & 0x3ff,
            // 0 and 4 are fixed function, whatever else the word holds.
            method::MODE => self.program_mode = m.data & 3 != 0,
            method::KELVIN_LOAD_CONST if kelvin => self.row = m.data as usize,
            method::LOAD_CONST if !kelvin => self.row = m.data as usize,
            n if kelvin && method::KELVIN_PROGRAM.contains(&n) => self.program_word(word, m.data),
            n if !kelvin && method::PROGRAM.contains(&n) => self.program_word(word, m.data),
            n if kelvin && method::KELVIN_CONST.contains(&n) => self.const_word(word, m.data),
            n if !kelvin && method::CONST.contains(&n) => {
                // A column of rows behind the one that was named.
                let row = self.row + usize::from((n - method::CONST.start()) / 16);
                if let Some(r) = self.ctx.get_mut(row) {
                    r[word] = m.data;
                }
            }
            method::KELVIN_BEGIN if kelvin => return self.begin(m.data),
            method::BEGIN if !kelvin => return self.begin(m.data),
            _ => {}
        }
        None
    }

    fn begin(&mut self, primitive: u32) -> Option<Draw<'_>> {
        if primitive == 0 {
            return None;
        }
        self.draws += 1;
        let number = self.draws;
        self.program_mode.then_some(Draw {
            number,
            uploads: self,
        })
    }

    fn program_word(&mut self, word: usize, data: u32) {
        self.staged[word] = data;
        if let Some(w) = self.memory.get_mut(self.slot) {
            *w = Word::from_upload(self.staged);
        }
        if word == 3 {
            self.slot = self.slot.saturating_add(1);
        }
    }

    fn const_word(&mut self, word: usize, data: u32) {
        if let Some(r) = self.ctx.get_mut(self.row) {
            r[word] = data;
        }
        if word == 3 {
            self.row = self.row.saturating_add(1);
        }
    }
}

/// Shows every draw that runs a program; stops when `see` says so.
pub fn draws(
    mut reader: Reader,
    mut see: impl FnMut(Draw) -> bool,
) -> Result<(), isotherm_capture::Error> {
    let mut uploads = Uploads::default();
    let mut pusher = Pusher::default();
    while let Some(record) = reader.next_record()? {
        match record.payload {
            Payload::Object(object) => uploads.object(&object),
            Payload::Push(words) => {
                for &word in words {
                    if let Some(draw) = pusher.step(word).and_then(|m| uploads.method(m))
                        && !see(draw)
                    {
                        return Ok(());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
