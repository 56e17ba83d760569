//! Captures from beginning to end.

use super::Gpu;
use isotherm_capture::{Error, Payload, Problem, Reader, Record, Surface};
use isotherm_regs::Chip;

/// Replays a capture from its beginning; `surface` is called at each `SURF`.
pub fn replay(
    mut reader: Reader<'_>,
    prepare: impl FnOnce(&mut Gpu),
    surface: impl FnMut(&mut Gpu, &Surface),
) -> Result<Gpu, Error> {
    let mut gpu = start(&mut reader)?;
    prepare(&mut gpu);
    run(&mut gpu, &mut reader, surface)?;
    Ok(gpu)
}

/// Replays what is left of a capture. On failure the chip has what was drawn until then.
pub fn run(
    gpu: &mut Gpu,
    reader: &mut Reader<'_>,
    mut surface: impl FnMut(&mut Gpu, &Surface),
) -> Result<(), Error> {
    while let Some(record) = reader.next_record()? {
        if let Some(found) = gpu.record(record)? {
            surface(gpu, &found);
        }
    }
    gpu.finish();
    let offset = reader.offset();
    let within = gpu.within_budget();
    within.map_err(|problem| Error { offset, problem })
}

/// Reads the `INFO` record and makes the chip it names.
pub fn start(reader: &mut Reader<'_>) -> Result<Gpu, Error> {
    let offset = reader.offset();
    let chip = chip(reader)?;
    Gpu::builder(chip).build().map_err(|error| Error {
        offset,
        problem: Problem::Memory(error),
    })
}

/// Reads the `INFO` record and says which chip it names.
pub fn chip(reader: &mut Reader<'_>) -> Result<Chip, Error> {
    let offset = reader.offset();
    let at = |problem| Error { offset, problem };
    match reader.next_record()? {
        Some(Record {
            payload: Payload::Info(info),
            ..
        }) => Chip::parse(&info.gpu).ok_or(at(Problem::Chip(info.gpu))),
        _ => Err(at(Problem::NoInfo)),
    }
}
