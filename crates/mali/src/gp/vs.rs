//! The VS command stream: fetch attributes, run the vertex program, store
//! positions and varyings.

use crate::gp::program::{self, NAMES};
use crate::words::vs as f;
use crate::{Error, Machine, command_stream, threads};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_lanes::{LANES, Lane};
use isotherm_regs::mali::isa_bits::{f32_to_half, half_to_f32};
use std::sync::Arc;

/// Vertices a job may have; lima ends a job after some hundred draws of 65535 at most.
const MAX_VERTICES: usize = 1 << 22;
/// Instructions that all groups of sixteen vertices of a job may run together: seconds of the
/// hardware's time, where the kernel ends a job after half a second.
const MAX_INSTRUCTIONS: usize = 1 << 25;
/// Vertex programs that are kept.
const MAX_PROGRAMS: usize = 1 << 12;
/// Groups of vertices whose results wait for each other.
const BLOCK: usize = 64;
/// So many of them run together.
const TOGETHER: usize = 4;
/// Groups of vertices that are worth waking other threads, more than run together.
const WORTH_THREADS: usize = TOGETHER + 1;

/// What the commands have set so far.
#[derive(Default)]
pub(super) struct VsState {
    vertices: usize,
    instructions: usize,
    uniforms: (u32, usize),
    shader: (u32, usize),
    attributes: u32,
    varyings: u32,
    counts: (usize, usize),
}

impl VsState {
    /// Takes a command that draws nothing; was it one?
    pub(super) fn set(&mut self, w: [u32; 2]) -> bool {
        match (w[1] >> 24, w[1] & 0xFF) {
            (0x10, 0x40) => self.shader.1 = f::SHADER_INSTRS.get(&w) as usize + 1,
            (0x10, 0x41) => {}
            (0x10, 0x42) => {
                self.counts = (
                    f::ATTRIBUTES.get(&w) as usize + 1,
                    f::VARYINGS.get(&w) as usize + 1,
                );
            }
            (0x30..=0x3F, _) => self.uniforms = (w[0], f::UNIFORM_BYTES.get(&w) as usize / 16),
            (0x40..=0x4F, _) => self.shader = (w[0], self.shader.1),
            // Semaphores and flushes order the two streams of real hardware; here the
            // vertex stream runs whole before the other.
            (0x50..=0x6F, _) => {}
            (0x20..=0x2F, 0) => self.attributes = w[0],
            (0x20..=0x2F, 8) => self.varyings = w[0],
            _ => return false,
        }
        true
    }

    /// The program: its address and words.
    pub(super) fn program(&self, mem: &Memory) -> (u32, Vec<u32>) {
        let (addr, instructions) = self.shader;
        (addr, command_stream::words(mem, addr, instructions * 4))
    }

    /// The uniforms.
    pub(super) fn uniforms(&self, mem: &Memory) -> Vec<[f32; 4]> {
        let words = command_stream::words(mem, self.uniforms.0, self.uniforms.1 * 4);
        let (rows, _) = words.as_chunks::<4>();
        rows.iter().map(|v| v.map(f32::from_bits)).collect()
    }
}

/// How many vertices a drawing command asks for; `None` if it draws nothing.
pub(super) fn count(w: [u32; 2]) -> Option<usize> {
    let draws = w[1] >> 24 == 0 && w != [0, 0];
    draws.then(|| (f::DRAW_COUNT_LO.get(&w) | f::DRAW_COUNT_HI.get(&w) << 8) as usize)
}

/// Kind of the varying table entry that holds positions.
pub(super) const KIND_POSITION: u32 = 0x020;
/// Kind of the entry that holds point sizes.
pub(super) const KIND_POINT_SIZE: u32 = 0x021;

/// Runs the stream between two addresses.
pub(crate) fn run(m: &mut Machine, mem: &mut Memory, start: u32, end: u32) -> Result<(), Error> {
    let mut state = VsState::default();
    let mut stream = command_stream::Stream::new("VS", start, end);
    while let Some((at, w)) = stream.next(mem)? {
        // Work that the budget refused is reported by whoever gave the job.
        if mem.budget().over().is_some() {
            break;
        }
        step(m, mem, &mut state, at, w)?;
    }
    Ok(())
}

/// Steps of the budget for a vertex, and for an instruction of a group of them.
const VERTEX_STEPS: u64 = 200;
const GROUP_STEPS: u64 = 16;

fn charge(mem: &Memory, steps: u64) -> bool {
    mem.budget().charge(Unit::Gp, Cost::Steps, steps)
}

fn step(
    m: &mut Machine,
    mem: &mut Memory,
    s: &mut VsState,
    at: u32,
    w: [u32; 2],
) -> Result<(), Error> {
    if let Some(count) = count(w) {
        s.vertices += count;
        if s.vertices > MAX_VERTICES {
            return Err(Error::Endless {
                unit: "VS",
                addr: at,
            });
        }
        return draw(m, mem, s, count, at);
    }
    if w == [0, 0] || s.set(w) {
        return Ok(());
    }
    Err(Error::Command {
        unit: "VS",
        addr: at,
        words: w,
    })
}

/// An array of attributes or varyings in memory.
#[derive(Clone, Copy)]
pub(super) struct Array {
    pub(super) addr: u32,
    stride: u32,
    pub(super) kind: u32,
    comps: usize,
}

/// Reads the tables of attributes and varyings.
pub(super) fn tables(mem: &Memory, s: &VsState) -> (Vec<Array>, Vec<Array>) {
    let entry = |base: u32, i: usize| {
        let at = base.wrapping_add(i as u32 * 8);
        [mem.read_u32(at), mem.read_u32(at.wrapping_add(4))]
    };
    let attribute = |i: usize| {
        let e = entry(s.attributes, i);
        Array {
            addr: e[0],
            stride: f::ATTR_STRIDE.get(&e),
            kind: f::ATTR_TYPE.get(&e),
            comps: f::ATTR_COMPS.get(&e) as usize + 1,
        }
    };
    let varying = |i: usize| {
        let e = entry(s.varyings, i);
        let kind = f::VARY_KIND.get(&e);
        Array {
            addr: e[0],
            stride: f::VARY_STRIDE.get(&e),
            kind,
            comps: (kind & 3) as usize + 1,
        }
    };
    (
        (0..s.counts.0.min(NAMES)).map(attribute).collect(),
        (0..s.counts.1.min(NAMES)).map(varying).collect(),
    )
}

/// The program and its uniforms.
fn prepare(
    m: &mut Machine,
    mem: &Memory,
    s: &VsState,
) -> (Arc<program::Program>, program::Uniforms) {
    let (_, words) = s.program(mem);
    if m.gp_programs.len() >= MAX_PROGRAMS && !m.gp_programs.contains_key(&words) {
        m.gp_programs.clear();
    }
    let program = m
        .gp_programs
        .entry(words.clone())
        .or_insert_with(|| program::Program::new(&words).into());
    let program = Arc::clone(program);
    let uniforms = program::Uniforms::new(&program, s.uniforms(mem));
    (program, uniforms)
}

fn draw(
    m: &mut Machine,
    mem: &mut Memory,
    s: &mut VsState,
    count: usize,
    at: u32,
) -> Result<(), Error> {
    if !charge(mem, VERTEX_STEPS * count as u64) {
        return Ok(());
    }
    let (inputs, outputs) = tables(mem, s);
    let (code, uniforms) = prepare(m, mem, s);
    let address = |kind: u32| outputs.iter().find(|o| o.kind == kind).map(|o| o.addr);
    if let Some(sizes) = address(KIND_POINT_SIZE) {
        let positions = address(KIND_POSITION).unwrap_or(0);
        m.point_sizes.insert(positions, sizes);
    }
    // Groups that read what others write have to take turns.
    let turns = inputs
        .iter()
        .any(|i| outputs.iter().any(|o| i.overlaps(o, count)));
    let block = if turns { 1 } else { BLOCK };
    let (level, threads) = (m.level, m.workers());
    let groups: Vec<usize> = (0..count).step_by(LANES).collect();
    let mut room = std::mem::take(&mut m.vertices);
    room.resize_with(BLOCK, program::Vertices::new);
    for block in groups.chunks(block) {
        let before = s.instructions;
        let shade = |firsts: &[usize], groups: &mut [Box<program::Vertices>]| {
            for (&first, v) in firsts.iter().zip(&mut *groups) {
                let count = LANES.min(count - first);
                for (i, a) in inputs.iter().enumerate() {
                    fetch(mem, a, first, count, &mut v.attributes()[i]);
                }
                v.attributes()[inputs.len()..].fill([[0.0; LANES]; 4]);
            }
            program::run(level, &code, &uniforms, groups)
        };
        let mut parts: Vec<_> = block
            .chunks(TOGETHER)
            .zip(room[..block.len()].chunks_mut(TOGETHER))
            .map(|(firsts, groups)| (firsts, groups, Ok(0)))
            .collect();
        if block.len() < WORTH_THREADS {
            for (firsts, groups, done) in &mut parts {
                *done = shade(firsts, groups);
            }
        } else {
            threads::each(&threads, &mut parts, |_, (firsts, groups, done)| {
                *done = shade(firsts, groups);
            });
        }
        for (firsts, groups, done) in parts {
            s.instructions += done.map_err(|program::Hung| Error::Hung {
                unit: "GP",
                shader: s.shader.0,
            })?;
            for (&first, v) in firsts.iter().zip(groups) {
                for (i, a) in outputs.iter().enumerate() {
                    store(mem, a, first, LANES.min(count - first), v.varying(i));
                }
            }
        }
        if !charge(mem, GROUP_STEPS * (s.instructions - before) as u64) {
            break;
        }
        if s.instructions > MAX_INSTRUCTIONS {
            return Err(Error::Endless {
                unit: "VS",
                addr: at,
            });
        }
    }
    m.vertices = room;
    Ok(())
}

impl Array {
    /// Whether two arrays of `count` vertices may share a byte.
    fn overlaps(&self, other: &Array, count: usize) -> bool {
        let span = |a: &Array| {
            let start = u64::from(a.addr);
            start..start + u64::from(a.stride) * count as u64 + 16
        };
        let (a, b) = (span(self), span(other));
        // What wraps round the end of memory counts as overlapping everything.
        let wraps = a.end > 1 << 32 || b.end > 1 << 32;
        wraps || a.start < b.end && b.start < a.end
    }
}

impl Array {
    /// Where a vertex's record begins, and the bytes from there to the end of the last of some
    /// of them whose values take `len` bytes each.
    fn span(&self, first: usize, lanes: usize, len: usize) -> (u32, usize) {
        let at = self.stride.wrapping_mul(first as u32);
        let behind = self.stride as usize * lanes.saturating_sub(1);
        (self.addr.wrapping_add(at), behind + len)
    }
}

/// The same as [`fetch`] for floats that lie in one piece of memory, as they nearly always do;
/// whether they did.
fn fetch_floats(mem: &Memory, a: &Array, first: usize, lanes: usize, out: &mut [Lane; 4]) -> bool {
    let (at, span) = a.span(first, lanes, 4 * a.comps);
    let bytes = mem.bytes(at, span);
    if bytes.len() < span {
        return false;
    }
    *out = [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]];
    for lane in 0..lanes.min(LANES) {
        let record = bytes.get(lane * a.stride as usize..).unwrap_or_default();
        let (words, _) = record.as_chunks::<4>();
        for (out, word) in out.iter_mut().zip(words).take(a.comps) {
            out[lane] = f32::from_le_bytes(*word);
        }
    }
    out[3][lanes.min(LANES)..].fill(0.0);
    true
}

/// Reads one attribute of a group of vertices; missing components are 0, 0, 0, 1.
pub(super) fn fetch(mem: &Memory, a: &Array, first: usize, lanes: usize, out: &mut [Lane; 4]) {
    // The low nine bits of the kind hold the type; 16.16 fixed point sets the highest.
    let size = match a.kind {
        3..=5 | 10 | 11 => 2,
        6..=9 => 1,
        _ => 4,
    };
    let whole = size == 4 && !matches!(a.kind, 1 | 2 | 13 | 14 | 0x101);
    if whole && fetch_floats(mem, a, first, lanes, out) {
        return;
    }
    for lane in 0..lanes {
        let at = a
            .addr
            .wrapping_add(a.stride.wrapping_mul((first + lane) as u32));
        let mut raw = [0u8; 16];
        let len = size * a.comps;
        mem.read(at, &mut raw[..len]);
        for c in 0..4 {
            out[c][lane] = if c >= a.comps {
                if c == 3 { 1.0 } else { 0.0 }
            } else {
                component(a.kind, &raw[c * size..])
            };
        }
    }
    for c in out {
        c[lanes..].fill(0.0);
    }
}

fn component(kind: u32, raw: &[u8]) -> f32 {
    let u16_ = u16::from_le_bytes([raw[0], raw.get(1).copied().unwrap_or(0)]);
    let u32_ = || u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
    match kind {
        1 => u32_() as i32 as f32,
        2 => u32_() as f32,
        3 => half_to_f32(u16_),
        4 => f32::from(u16_ as i16),
        5 => f32::from(u16_),
        6 => f32::from(raw[0] as i8),
        7 => f32::from(raw[0]),
        8 => (f32::from(raw[0] as i8) / 127.0).max(-1.0),
        9 => f32::from(raw[0]) / 255.0,
        10 => (f32::from(u16_ as i16) / 32767.0).max(-1.0),
        11 => f32::from(u16_) / 65535.0,
        13 => (u32_() as i32 as f32 / 2_147_483_647.0).max(-1.0),
        14 => u32_() as f32 / 4_294_967_295.0,
        0x101 => u32_() as i32 as f32 / 65536.0,
        _ => f32::from_bits(u32_()),
    }
}

/// What is not a number has one pattern of bits in memory: which one an operation gives depends
/// on the order of its operands, and so on the vector level.
fn one_nan(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}

/// Bytes from a record to the next up to which all pages between them have one.
const CLOSE: u32 = 256;

/// The same as [`store`] for floats that go to one piece of memory; whether they do.
fn store_floats(
    mem: &mut Memory,
    a: &Array,
    comps: usize,
    first: usize,
    lanes: usize,
    values: &[Lane; 4],
) -> bool {
    let (at, span) = a.span(first, lanes, 4 * comps);
    if a.stride > CLOSE {
        return false;
    }
    let bytes = mem.bytes_mut(at, span);
    if bytes.len() < span {
        return false;
    }
    for lane in 0..lanes.min(LANES) {
        let record = bytes.get_mut(lane * a.stride as usize..);
        let (words, _) = record.unwrap_or_default().as_chunks_mut::<4>();
        for (word, values) in words.iter_mut().zip(values).take(comps) {
            *word = one_nan(values[lane]).to_le_bytes();
        }
    }
    true
}

/// Writes one output of a group of vertices.
fn store(mem: &mut Memory, a: &Array, first: usize, lanes: usize, values: &[Lane; 4]) {
    let half = a.kind & 0xC == 0xC;
    let comps = match a.kind {
        KIND_POSITION => 4,
        KIND_POINT_SIZE => 1,
        _ => a.comps,
    };
    if !half && store_floats(mem, a, comps, first, lanes, values) {
        return;
    }
    for lane in 0..lanes {
        let at = a
            .addr
            .wrapping_add(a.stride.wrapping_mul((first + lane) as u32));
        let mut raw = [0u8; 16];
        for c in 0..comps {
            let value = one_nan(values[c][lane]);
            if half {
                raw[c * 2..][..2].copy_from_slice(&f32_to_half(value).to_le_bytes());
            } else {
                raw[c * 4..][..4].copy_from_slice(&value.to_le_bytes());
            }
        }
        mem.write(at, &raw[..comps * if half { 2 } else { 4 }]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_no_number_is_stored_alike() {
        let patterns = [0xFFC0_0000, 0x7F80_0001, 0xFFFF_FFFF, 0x7FC0_0000];
        for bits in patterns.map(f32::from_bits) {
            assert_eq!(one_nan(bits).to_bits(), 0x7FC0_0000);
        }
        for number in [0.0, -0.0, 1.5, f32::INFINITY] {
            assert_eq!(one_nan(number).to_bits(), number.to_bits());
        }
    }
}
