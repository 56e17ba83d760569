//! The draws of a Mali's jobs.

use isotherm::capture::{Image, Job, Owned, Payload, Record, Surface};
use isotherm::gpu::Gpu;
use isotherm::mali::trace::{self, Shader, VertexRun};
use isotherm::mali::zeta_probe;
use isotherm_regs::Chip;
use isotherm_regs::mali::words::{RSW_BLEND, RSW_DEPTH};
use serde_json::{Value, json};

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
    /// The positions of its vertices, in the order in which they are drawn, as its vertex program
    /// left them: x, y, z, w in the window.
    pub positions: Vec<[f32; 4]>,
    /// Column and row of its job's tiles, in the order in which they are drawn.
    pub tiles: Vec<(u32, u32)>,
}

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
    let tiles = trace::tiles(machine, &gpu.memory, frame)?;
    let numbered = (before + 1..).zip(draws);
    let found = numbered.map(|(number, draw)| {
        let program = programs.iter().find(|v| v.0 == draw.positions);
        Draw {
            number,
            job,
            vertex: program.map(|v| v.1.clone()),
            fragment: trace::fragment_program(&gpu.memory, &draw.state),
            positions: positions(gpu, &draw),
            tiles: tiles.clone(),
            draw,
        }
    });
    Ok(found.collect())
}

fn positions(gpu: &Gpu, draw: &trace::Draw) -> Vec<[f32; 4]> {
    let word = |vertex: u32, part: u32| {
        let at = draw.positions.wrapping_add(vertex.wrapping_mul(16));
        f32::from_bits(gpu.memory.read_u32(at.wrapping_add(4 * part)))
    };
    let vertices = draw.vertices.iter();
    vertices
        .map(|&v| [0, 1, 2, 3].map(|part| word(v, part)))
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

/// The words of the geometry job before a pixel job; a chip that is fresh is run up to it.
fn geometry_job<'r>(
    gpu: &mut Gpu,
    records: &'r [Owned],
    pixel_job: usize,
) -> anyhow::Result<Option<&'r [u32]>> {
    let before = records.get(..pixel_job).unwrap_or_default();
    let is_geometry = |record: &Owned| matches!(record.record().payload, Payload::Gp(_));
    let Some(geometry) = before.iter().rposition(is_geometry) else {
        return Ok(None);
    };
    for record in &before[..geometry] {
        gpu.record(record.record())?;
    }
    let Payload::Gp(job) = before[geometry].record().payload else {
        return Ok(None);
    };
    Ok(Some(job.frame))
}

/// Runs one vertex of the draw whose positions go to an address, with a chip that is fresh. The
/// pixel job's record is given.
pub fn vertex(
    gpu: &mut Gpu,
    records: &[Owned],
    pixel_job: usize,
    positions: u32,
    number: usize,
) -> anyhow::Result<Option<VertexRun>> {
    Ok(match geometry_job(gpu, records, pixel_job)? {
        Some(frame) => trace::vertex(&gpu.memory, frame, positions, number)?,
        None => None,
    })
}

/// The attributes of a draw's vertices, a list for each; of a chip that is fresh.
pub fn attributes(
    gpu: &mut Gpu,
    records: &[Owned],
    pixel_job: usize,
    draw: &trace::Draw,
) -> anyhow::Result<Vec<Vec<[f32; 4]>>> {
    Ok(match geometry_job(gpu, records, pixel_job)? {
        Some(frame) => trace::attributes(&gpu.memory, frame, draw.positions, &draw.vertices)?,
        None => Vec::new(),
    })
}

/// The record of a pixel job, counted from 1.
pub fn pixel_job(records: &[Owned], job: u64) -> Option<usize> {
    let jobs = records.iter().enumerate();
    let mut jobs = jobs.filter(|(_, r)| matches!(r.record().payload, Payload::Pp(_)));
    let index = usize::try_from(job).ok()?.checked_sub(1)?;
    jobs.nth(index).map(|(record, _)| record)
}

/// The same as JSON, values as bits.
pub fn vertex_json(run: &VertexRun) -> Value {
    let bits = |value: &[f32; 4]| value.map(f32::to_bits);
    let named = |list: &[(String, [f32; 4])]| {
        let pairs = list.iter().map(|(name, v)| (name.clone(), json!(bits(v))));
        Value::Object(pairs.collect())
    };
    let steps: Vec<Value> = run
        .steps
        .iter()
        .map(|s| json!({ "slot": s.slot, "text": s.text, "writes": named(&s.writes) }))
        .collect();
    json!({
        "schema": "isotherm-vsh-1",
        "inputs": run.inputs.iter().map(bits).collect::<Vec<_>>(),
        "steps": steps,
        "seen": [],
        "outputs": named(&run.outputs),
    })
}

/// Depth and stencil of a pixel job's picture.
pub struct Zeta {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// As other chips store them: depth in the upper 24 bits, stencil below.
    pub words: Vec<u32>,
}

impl Zeta {
    /// Depth as grey: 0 is black, the farthest that fits is white.
    pub fn depth(&self) -> Image {
        self.picture(|word| (word >> 24) as u8)
    }

    /// Stencil as grey.
    pub fn stencil(&self) -> Image {
        self.picture(|word| word as u8)
    }

    fn picture(&self, grey: impl Fn(u32) -> u8) -> Image {
        let words = self.words.iter();
        Image {
            width: self.width,
            height: self.height,
            rgba: words
                .flat_map(|&word| [grey(word), grey(word), grey(word), 255])
                .collect(),
        }
    }

    /// The same with the first row last.
    pub fn upside_down(mut self) -> Zeta {
        let rows = self.words.chunks(self.width.max(1) as usize).rev();
        self.words = rows.flatten().copied().collect();
        self
    }
}

/// Runs a pixel job and reads depth and stencil of its tiles; `None` if it has no write-back unit
/// left to store them. The chip's memory is another one afterwards.
pub fn zeta_of_job(gpu: &mut Gpu, job: Job<'_>) -> anyhow::Result<Option<Zeta>> {
    let first = gpu.memory.first_address().max(LOWEST);
    let mut places = (first..=u32::MAX - STEP).step_by(STEP as usize);
    // A place that nobody wrote to, or will: what lies elsewhere may be what the job reads.
    let Some((probe, address)) = places.find_map(|address| {
        let probe = zeta_probe(job.frame, address)?;
        let bytes = gpu.memory.bytes(address, probe.bytes());
        let empty = bytes.len() == probe.bytes() && bytes.iter().all(|byte| *byte == 0);
        let mut targets = probe.targets.iter();
        let apart = targets.all(|target| target.abs_diff(address) >= STEP);
        (empty && apart).then_some((probe, address))
    }) else {
        return Ok(None);
    };
    let payload = Payload::Pp(Job {
        json: job.json,
        frame: &probe.frame,
    });
    gpu.record(Record { offset: 0, payload })?;
    let rows = (0..probe.height).map(|y| address.wrapping_add(y * probe.pitch));
    let row = |at: u32| (0..probe.width).map(move |x| at.wrapping_add(4 * x));
    let words = rows.flat_map(row).map(|at| gpu.memory.read_u32(at));
    Ok(Some(Zeta {
        width: probe.width,
        height: probe.height,
        words: words.map(|word| word.rotate_left(8)).collect(),
    }))
}

/// Where a free place is looked for, and how far apart.
const LOWEST: u32 = 0x1000_0000;
const STEP: u32 = 0x0800_0000;

/// Depth and stencil behind a draw of a job, counted from 1 both.
pub fn zeta(records: &[Owned], draw: u64, job: u64) -> anyhow::Result<Option<Zeta>> {
    let mut gpu = Gpu::new(Chip::Mali400);
    gpu.set_until_draw(Some(draw));
    let mut jobs = 0;
    for record in records {
        let record = record.record();
        if let Payload::Pp(found) = record.payload {
            jobs += 1;
            if jobs == job {
                return zeta_of_job(&mut gpu, found);
            }
            let payload = Payload::Pp(found);
            gpu.record(Record { payload, ..record })?;
        } else {
            gpu.record(record)?;
        }
    }
    Ok(None)
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
