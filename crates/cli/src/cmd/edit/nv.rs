//! Programs and methods of NVIDIA captures: put in front of a draw, and back behind it.

use super::textures::{Words, runs};
use super::{Change, Code, Whole};
use isotherm::bundle::Event;
use isotherm::capture::{ObjectRecord, Payload, Push, Writer};
use isotherm::fifo::Pusher;
use isotherm::gpu::Gpu;
use isotherm::method::Method;
use isotherm::observe::Observer;
use isotherm::programs::fragments::words_at;
use isotherm::programs::vertex::isa_of_class;
use isotherm_regs::Class3d;
use isotherm_regs::bundle::{Bundle, PS_OFFSET};
use isotherm_regs::find::Target;
use isotherm_regs::xf::asm::Program;
use isotherm_regs::xf::isa::Isa;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Methods that load vertex programs: rnndb `nv20_3d.xml`, `nv30-40_3d.xml`.
mod method {
    /// Slot of the next program word.
    pub const LOAD_SLOT: u16 = 0x1e9c;
    /// First program word of Kelvin, and of Rankine and Curie.
    pub const KELVIN_PROGRAM: u16 = 0xb00;
    pub const PROGRAM: u16 = 0xb80;
    /// There are 32 of them.
    pub const PROGRAM_WORDS: u16 = 0x80;
    /// First slot that runs.
    pub const START: u16 = 0x1ea0;
}

/// What the front end said to the last word.
#[derive(Default)]
struct Heard {
    begun: bool,
    ended: bool,
    /// PS_OFFSET and the texture objects, where fragment programs lie.
    offset: Option<u32>,
    spans: [u32; 2],
}

struct Listener(Arc<Mutex<Heard>>, isotherm::Family);

impl Observer for Listener {
    fn event(&mut self, event: &Event) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *event {
            Event::Begin { .. } => heard.begun = true,
            Event::End => heard.ended = true,
            Event::Bundle { id, value, .. }
                if Bundle::locate(self.1, id) == Some((isotherm_regs::bundle::PS_OFFSET, 0)) =>
            {
                heard.offset = Some(value);
            }
            Event::Dma {
                role: isotherm::bundle::DmaRole::Tex(i),
                span,
            } => {
                heard.spans[usize::from(i & 1)] = span.base;
            }
            _ => {}
        }
    }
}

/// What methods have set so far.
#[derive(Default)]
struct Known {
    classes: HashMap<u32, u32>,
    /// Class on each subchannel.
    bound: [u32; 8],
    /// The last data of every 3D method.
    data: HashMap<u16, u32>,
    /// Vertex program words by slot, and the slot that the next goes to.
    slots: HashMap<u32, [u32; 4]>,
    staged: [u32; 4],
    slot: u32,
}

impl Known {
    fn object(&mut self, object: &ObjectRecord) {
        match object {
            ObjectRecord::Instance(o) => self.classes.insert(o.handle, o.class),
            ObjectRecord::Graphics { handle, class } => self.classes.insert(*handle, *class),
            _ => None,
        };
    }

    /// The 3D object: subchannel and class.
    fn object_3d(&self) -> Option<(u8, u32)> {
        let at = self
            .bound
            .iter()
            .position(|class| Class3d::of(*class).is_some())?;
        Some((at as u8, self.bound[at]))
    }

    fn method(&mut self, m: Method) {
        let bound = &mut self.bound[usize::from(m.subchannel & 7)];
        if m.method == 0 {
            *bound = self.classes.get(&m.data).copied().unwrap_or(0);
            return;
        }
        if Class3d::of(*bound).is_none() {
            return;
        }
        let first = program_method(*bound);
        self.data.insert(m.method, m.data);
        if m.method == method::LOAD_SLOT {
            self.slot = m.data;
        } else if first.is_some_and(|at| (at..at + method::PROGRAM_WORDS).contains(&m.method)) {
            let word = usize::from((m.method / 4) & 3);
            self.staged[word] = m.data;
            self.slots.insert(self.slot, self.staged);
            if word == 3 {
                self.slot = self.slot.wrapping_add(1);
            }
        }
    }
}

fn program_method(class: u32) -> Option<u16> {
    isa_of_class(class).map(|isa| match isa {
        Isa::Kelvin => method::KELVIN_PROGRAM,
        Isa::Rankine | Isa::Curie => method::PROGRAM,
    })
}

/// Writes methods as runs of words.
struct Out {
    writer: Writer<Vec<u8>>,
    push: Push,
    run: Vec<u32>,
    first: Option<Method>,
    step: Option<u16>,
}

impl Out {
    fn method(&mut self, m: Method) {
        let count = self.run.len() as u16;
        if let Some(first) = self.first
            && first.subchannel == m.subchannel
            && count < 0x700
        {
            let last = match self.step {
                Some(step) => first.method.wrapping_add(step * (count - 1)),
                None => first.method,
            };
            let step = m.method.wrapping_sub(last);
            let fits = match self.step {
                Some(known) => step == known,
                None => step == 0 || step == 4,
            };
            // Method 0 binds an object: what follows may be another class's.
            if fits && first.method != 0 {
                self.step = Some(step);
                self.run.push(m.data);
                return;
            }
        }
        self.end_run();
        self.first = Some(m);
        self.run.push(m.data);
    }

    fn end_run(&mut self) {
        if let Some(first) = self.first.take() {
            match self.step.take() {
                Some(0) => self.push.repeat(first.subchannel, first.method, &self.run),
                _ => self.push.method(first.subchannel, first.method, &self.run),
            };
        }
        self.run.clear();
    }

    /// All methods so far become a record.
    fn flush(&mut self) -> std::io::Result<()> {
        self.end_run();
        let push = std::mem::take(&mut self.push);
        match push.words() {
            [] => Ok(()),
            words => self.writer.push(words),
        }
    }

    fn memory(&mut self, address: u32, words: &[u32]) -> std::io::Result<()> {
        self.flush()?;
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.writer.memory(address, &bytes)
    }
}

/// A piece that is put in or back.
enum Piece {
    Method(Method),
    Memory(u32, Vec<u32>),
}

/// The capture with the changes.
pub fn edit(whole: &Whole, change: &Change, memory: &Words, name: &str) -> anyhow::Result<Vec<u8>> {
    let heard = Arc::new(Mutex::new(Heard::default()));
    let mut gpu = Gpu::new(whole.chip);
    gpu.set_drawing(false);
    gpu.set_observer(Some(Box::new(Listener(heard.clone(), whole.chip.family()))));
    let mut known = Known::default();
    let mut pusher = Pusher::default();
    let mut out = Out {
        writer: whole.writer()?,
        push: Push::new(),
        run: Vec::new(),
        first: None,
        step: None,
    };
    let (mut back, mut open) = (Vec::new(), false);
    for record in &whole.records {
        if let Payload::Object(object) = record.record().payload {
            known.object(&object);
        }
        let Some(words) = record.push_words() else {
            out.flush()?;
            record.write(&mut out.writer)?;
            gpu.record(record.record())?;
            continue;
        };
        for word in words {
            gpu.push(std::slice::from_ref(word))?;
            let Some(m) = pusher.step(*word) else {
                continue;
            };
            let said = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
            // Where programs lie holds until it is said again.
            {
                let mut next = heard.lock().unwrap_or_else(PoisonError::into_inner);
                (next.offset, next.spans) = (said.offset, said.spans);
            }
            let draw = gpu.draws() + 1;
            if said.begun && !std::mem::replace(&mut open, true) && draw == change.draws.first {
                let mut front = pieces(change, &known, &said, &gpu, &mut back)?;
                let old = memory.iter().map(|(at, (_, old))| (*at, *old));
                let new = memory.iter().map(|(at, (new, _))| (*at, *new));
                front.extend(runs(new).into_iter().map(|(at, w)| Piece::Memory(at, w)));
                back.extend(runs(old).into_iter().map(|(at, w)| Piece::Memory(at, w)));
                for piece in front {
                    put(&mut out, piece)?;
                }
            }
            known.method(m);
            out.method(m);
            if said.ended {
                open = false;
                if gpu.draws() == change.draws.last {
                    for piece in std::mem::take(&mut back) {
                        put(&mut out, piece)?;
                    }
                }
            }
        }
        out.flush()?;
    }
    change.draws.check(gpu.draws(), name)?;
    Ok(out.writer.finish()?)
}

fn put(out: &mut Out, piece: Piece) -> std::io::Result<()> {
    match piece {
        Piece::Method(m) => {
            out.method(m);
            Ok(())
        }
        Piece::Memory(address, words) => out.memory(address, &words),
    }
}

/// What goes in front of the draw; what goes behind it is added to `back`.
fn pieces(
    change: &Change,
    known: &Known,
    heard: &Heard,
    gpu: &Gpu,
    back: &mut Vec<Piece>,
) -> anyhow::Result<Vec<Piece>> {
    let Some((subchannel, class)) = known.object_3d() else {
        anyhow::bail!("no 3D object is bound where the draw begins");
    };
    let method = |method: u16, data: u32| {
        Piece::Method(Method {
            subchannel,
            method,
            data,
        })
    };
    let mut front = Vec::new();
    for (target, value) in &change.words {
        let Target::Method(_, _, at) = target else {
            anyhow::bail!("{} is no method", target.label());
        };
        front.push(method(*at, *value));
        match known.data.get(at) {
            Some(old) => back.push(method(*at, *old)),
            None => note!(
                "{}: never set before, so it stays behind the draws",
                target.label()
            ),
        }
    }
    for code in &change.programs {
        match code {
            Code::Vertex { program, placed } => {
                let Some(at) = program_method(class) else {
                    anyhow::bail!("class {class:x} has no vertex programs");
                };
                let start = known.data.get(&method::START).copied().unwrap_or(0);
                let org = if *placed { program.org.into() } else { start };
                front.extend(upload(program, org, at, &method));
                back.extend(old_slots(known, program, org, at, &method));
            }
            Code::Fragment(made) => {
                let Some(address) = fragment_address(gpu, heard) else {
                    anyhow::bail!("no fragment program is set where the draw begins");
                };
                let old = words_at(&gpu.memory, address, made.words.len());
                front.push(Piece::Memory(address, made.words.clone()));
                back.push(Piece::Memory(address, old));
            }
            Code::MaliVertex(_) | Code::MaliFragment(_) => {
                anyhow::bail!("a Mali's program in a capture of {}", gpu.chip().name());
            }
        }
    }
    Ok(front)
}

fn upload(program: &Program, org: u32, at: u16, method: &impl Fn(u16, u32) -> Piece) -> Vec<Piece> {
    let mut list = vec![method(method::LOAD_SLOT, org)];
    for word in &program.words {
        for (i, part) in (0u16..).zip(word.to_upload()) {
            list.push(method(at + 4 * i, part));
        }
    }
    list
}

/// The slots that a program covers, as they were, and the slot that is loaded next.
fn old_slots(
    known: &Known,
    program: &Program,
    org: u32,
    at: u16,
    method: &impl Fn(u16, u32) -> Piece,
) -> Vec<Piece> {
    let mut list = Vec::new();
    for slot in (org..).take(program.words.len()) {
        if let Some(words) = known.slots.get(&slot) {
            list.push(method(method::LOAD_SLOT, slot));
            let parts = (0u16..).zip(words);
            list.extend(parts.map(|(i, part)| method(at + 4 * i, *part)));
        }
    }
    list.extend(load_position(known, at, method));
    list
}

/// Where the next word goes to. The register keeps the slot that was set, a count behind it moves
/// on with each word: the words since then are sent once more.
fn load_position(known: &Known, at: u16, method: &impl Fn(u16, u32) -> Piece) -> Vec<Piece> {
    let set = known.data.get(&method::LOAD_SLOT).copied();
    let since: Option<Vec<&[u32; 4]>> = set.filter(|set| *set <= known.slot).and_then(|set| {
        (set..known.slot)
            .map(|slot| known.slots.get(&slot))
            .collect()
    });
    let Some((set, since)) = set.zip(since) else {
        return vec![method(method::LOAD_SLOT, known.slot)];
    };
    let mut list = vec![method(method::LOAD_SLOT, set)];
    for words in since {
        let parts = (0u16..).zip(words);
        list.extend(parts.map(|(i, part)| method(at + 4 * i, *part)));
    }
    list
}

fn fragment_address(gpu: &Gpu, heard: &Heard) -> Option<u32> {
    let (chip, offset) = (gpu.chip(), heard.offset?);
    let object = PS_OFFSET::DMA.get(chip, offset) as usize & 1;
    let within = offset & PS_OFFSET::OFFSET.mask(chip);
    Some(heard.spans[object].wrapping_add(within))
}
