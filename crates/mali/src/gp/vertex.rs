//! One vertex through the program of a geometry job, step by step, for those who look.

use crate::gp::program::{self, NAMES, Program, REGISTERS, VARYINGS, Vertices};
use crate::gp::vs::{self, KIND_POINT_SIZE, KIND_POSITION, VsState};
use crate::{Error, command_stream};
use isotherm_bus::memory::Memory;
use isotherm_lanes::{LANES, Lane};
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text};

/// What became of a vertex.
#[derive(Clone, Debug, Default)]
pub struct VertexRun {
    /// Address of the program.
    pub shader: u32,
    /// The attributes as they were fetched.
    pub inputs: Vec<[f32; 4]>,
    /// The instructions that ran.
    pub steps: Vec<VertexStep>,
    /// What is stored, by name.
    pub outputs: Vec<(String, [f32; 4])>,
}

/// An instruction that ran.
#[derive(Clone, Debug)]
pub struct VertexStep {
    /// Its number in the program.
    pub slot: usize,
    /// Its operations.
    pub text: String,
    /// Registers and varyings that it changed, and what they are then.
    pub writes: Vec<(String, [f32; 4])>,
}

/// Instructions that are written down; loops may run many more.
const MOST_STEPS: usize = 1 << 12;

/// Runs the vertex `number` of the draw whose positions go to an address. The memory is that
/// before the job. `None` if the job has no such draw or vertex.
pub fn vertex(
    mem: &Memory,
    frame: &[u32],
    positions: u32,
    number: usize,
) -> Result<Option<VertexRun>, Error> {
    let state = find(mem, frame, positions, number)?;
    state.map(|state| run(mem, &state, number)).transpose()
}

/// The attributes of some vertices of that draw as they are fetched: a list for each attribute.
pub fn attributes(
    mem: &Memory,
    frame: &[u32],
    positions: u32,
    vertices: &[u32],
) -> Result<Vec<Vec<[f32; 4]>>, Error> {
    let Some(state) = find(mem, frame, positions, 0)? else {
        return Ok(Vec::new());
    };
    let (inputs, _) = vs::tables(mem, &state);
    let mut lanes = [[0.0; LANES]; 4];
    let mut one = |array, vertex: &u32| {
        vs::fetch(mem, array, *vertex as usize, 1, &mut lanes);
        lanes.map(|lanes| lanes[0])
    };
    let list = inputs
        .iter()
        .map(|array| vertices.iter().map(|v| one(array, v)).collect());
    Ok(list.collect())
}

/// The state of the draw whose positions go to an address, if it has such a vertex.
fn find(
    mem: &Memory,
    frame: &[u32],
    positions: u32,
    number: usize,
) -> Result<Option<VsState>, Error> {
    let &[start, end, ..] = frame else {
        return Err(Error::Frame {
            unit: "GP",
            got: frame.len(),
            want: 6,
        });
    };
    let mut state = VsState::default();
    let mut stream = command_stream::Stream::new("VS", start, end);
    while let Some((_, w)) = stream.next(mem)? {
        let Some(count) = vs::count(w) else {
            state.set(w);
            continue;
        };
        let (_, outputs) = vs::tables(mem, &state);
        let mut places = outputs.iter().filter(|o| o.kind == KIND_POSITION);
        if number < count && places.any(|place| place.addr == positions) {
            return Ok(Some(state));
        }
    }
    Ok(None)
}

fn run(mem: &Memory, state: &VsState, number: usize) -> Result<VertexRun, Error> {
    let (shader, words) = state.program(mem);
    let (inputs, outputs) = vs::tables(mem, state);
    let mut v = Vertices::new();
    for (array, to) in inputs.iter().zip(v.attributes()) {
        vs::fetch(mem, array, number, 1, to);
        // All lanes go the same way.
        to.iter_mut().for_each(|lanes| *lanes = [lanes[0]; LANES]);
    }
    let first = |row: &[Lane; 4]| row.map(|lanes| lanes[0]);
    let mut seen = VertexRun {
        shader,
        inputs: v.rows[..inputs.len()].iter().map(first).collect(),
        ..VertexRun::default()
    };
    let code = isa_gp::decode_program(&words);
    let mut kept = vec![[0u32; 4]; REGISTERS + NAMES];
    let note = |slot: usize, v: &Vertices| {
        if seen.steps.len() >= MOST_STEPS {
            return;
        }
        let mut writes = Vec::new();
        for (row, kept) in kept.iter_mut().enumerate().skip(VARYINGS) {
            let now = first(&v.rows[row]);
            // By bits: what is no number equals nothing.
            if now.map(f32::to_bits) != *kept {
                *kept = now.map(f32::to_bits);
                let name = match row.checked_sub(REGISTERS) {
                    Some(register) => format!("${register}"),
                    None => format!("varying {}", row - VARYINGS),
                };
                writes.push((name, now));
            }
        }
        let text = isa_gp_text::disasm_instr(&code, slot, Style::Lima).join(", ");
        seen.steps.push(VertexStep { slot, text, writes });
    };
    program::walk_seen(&Program::new(&words), &state.uniforms(mem), &mut v, note)
        .map_err(|program::Hung| Error::Hung { unit: "GP", shader })?;
    seen.outputs = outputs
        .iter()
        .enumerate()
        .map(|(index, output)| {
            let name = match output.kind {
                KIND_POSITION => "window position".to_string(),
                KIND_POINT_SIZE => "point size".to_string(),
                _ => format!("varying {index}"),
            };
            (name, first(v.varying(index)))
        })
        .collect();
    Ok(seen)
}
