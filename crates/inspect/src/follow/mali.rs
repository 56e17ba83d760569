//! The draws of a Mali's jobs.

use isotherm::capture::{Owned, Payload, Surface};
use isotherm::gpu::Gpu;
use isotherm::mali::trace::{self, Shader};
use isotherm_regs::Chip;
use isotherm_regs::mali::words::{RSW_BLEND, RSW_DEPTH};

/// A draw with all that its job says about it.
pub struct Draw {
    /// Its number, from 1.
    pub number: u64,
    /// The pixel job it belongs to, from 1.
    pub job: u64,
    /// What it draws, how much, and its render state.
    pub draw: trace::Draw,
    /// Its vertex program, if the geometry job names one for its positions.
    pub vertex: Option<Shader>,
    /// Its fragment program.
    pub fragment: Shader,
    /// The positions as its vertex program left them: x, y, z, w in the window.
    pub positions: Vec<[f32; 4]>,
}

/// Positions that are read of one draw.
const MOST_POSITIONS: usize = 1 << 16;

/// Runs a Mali's records and shows each draw before its job draws it.
pub fn draws(
    records: &[Owned],
    gpu: &mut Gpu,
    mut see: impl FnMut(&Draw, &Gpu) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<Surface>> {
    let (mut vertex, mut number, mut job, mut surfaces) = (Vec::new(), 0, 0, Vec::new());
    for record in records {
        let record = record.record();
        match &record.payload {
            Payload::Gp(gp) => vertex = trace::vertex_programs(&gpu.memory, gp.frame)?,
            Payload::Pp(pp) => {
                job += 1;
                for found in draws_of_job(gpu, pp.frame, &vertex, job, number)? {
                    number = found.number;
                    see(&found, gpu)?;
                }
            }
            _ => {}
        }
        surfaces.extend(gpu.record(record)?.map(|surface| *surface));
    }
    Ok(surfaces)
}

/// The draws of a pixel job that was not run yet; `before` were drawn before it.
pub fn draws_of_job(
    gpu: &Gpu,
    frame: &[u32],
    programs: &[(u32, Shader)],
    job: u64,
    before: u64,
) -> anyhow::Result<Vec<Draw>> {
    let Some(machine) = gpu.mali() else {
        return Ok(Vec::new());
    };
    let draws = trace::draws(machine, &gpu.memory, frame)?;
    let numbered = (before + 1..).zip(draws);
    let found = numbered.map(|(number, draw)| {
        let program = programs.iter().find(|v| v.0 == draw.positions);
        Draw {
            number,
            job,
            vertex: program.map(|v| v.1.clone()),
            fragment: trace::fragment_program(&gpu.memory, &draw.state),
            positions: positions(gpu, &draw),
            draw,
        }
    });
    Ok(found.collect())
}

fn positions(gpu: &Gpu, draw: &trace::Draw) -> Vec<[f32; 4]> {
    let count = draw.elements.min(MOST_POSITIONS) as u32;
    let word = |vertex: u32, part: u32| {
        let at = draw.positions.wrapping_add(16 * vertex + 4 * part);
        f32::from_bits(gpu.memory.read_u32(at))
    };
    (0..count)
        .map(|v| [0, 1, 2, 3].map(|part| word(v, part)))
        .collect()
}

/// A chip that has drawn a Mali's records up to a draw, and the last surface.
pub fn until(records: &[Owned], draw: u64) -> anyhow::Result<(Gpu, Option<Surface>)> {
    run(records, draw, None)
}

/// The same, but the draw itself writes neither colour nor depth: what its job clears and draws
/// before it is there.
pub fn without(
    records: &[Owned],
    draw: u64,
    job: u64,
    state: u32,
) -> anyhow::Result<(Gpu, Option<Surface>)> {
    run(records, draw, Some((job, state)))
}

fn run(
    records: &[Owned],
    draw: u64,
    hidden: Option<(u64, u32)>,
) -> anyhow::Result<(Gpu, Option<Surface>)> {
    let mut gpu = Gpu::new(Chip::Mali400);
    gpu.set_until_draw(Some(draw));
    let (mut job, mut last) = (0, None);
    for record in records {
        let record = record.record();
        let pixels = matches!(record.payload, Payload::Pp(_));
        job += u64::from(pixels);
        let hidden = hidden.filter(|(number, _)| pixels && *number == job);
        let kept = hidden.map(|(_, state)| hide(&mut gpu, state));
        if let Some(surface) = gpu.record(record)? {
            last = Some(*surface);
        }
        if let (Some((_, state)), Some([blend, depth])) = (hidden, kept) {
            gpu.memory.write_u32(state.wrapping_add(BLEND), blend);
            gpu.memory.write_u32(state.wrapping_add(DEPTH), depth);
        }
    }
    Ok((gpu, last))
}

/// Where the words lie in a render state.
const BLEND: u32 = 8;
const DEPTH: u32 = 12;

/// Switches a render state's writes off; gives the words as they were.
fn hide(gpu: &mut Gpu, state: u32) -> [u32; 2] {
    let chip = Chip::Mali400;
    let old = [BLEND, DEPTH].map(|at| gpu.memory.read_u32(state.wrapping_add(at)));
    let blend = RSW_BLEND::COLOR_MASK.with(chip, old[0], 0);
    let depth = RSW_DEPTH::DEPTH_WRITE.with(chip, old[1], 0);
    gpu.memory.write_u32(state.wrapping_add(BLEND), blend);
    gpu.memory.write_u32(state.wrapping_add(DEPTH), depth);
    old
}
