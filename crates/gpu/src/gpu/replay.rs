//! Captures from beginning to end.

use super::Gpu;
use isotherm_capture::{Error, Payload, Problem, Reader, Record, Surface};
use isotherm_regs::Chip;

/// Replays a capture from its beginning; `surface` is called at each `SURF`.
pub fn replay(
    mut reader: Reader<'_>,
    prepare: impl FnOnce(&mut Gpu),
    mut surface: impl FnMut(&mut Gpu, &Surface),
) -> Result<Gpu, Error> {
    let mut gpu = start(&mut reader)?;
    prepare(&mut gpu);
    while let Some(record) = reader.next_record()? {
        if let Some(found) = gpu.record(record)? {
            surface(&mut gpu, &found);
        }
    }
    gpu.finish();
    Ok(gpu)
}

/// Reads the `INFO` record and makes the chip it names.
pub fn start(reader: &mut Reader<'_>) -> Result<Gpu, Error> {
    let offset = reader.offset();
    let at = |problem| Error { offset, problem };
    match reader.next_record()? {
        Some(Record {
            payload: Payload::Info(info),
            ..
        }) => {
            let chip = Chip::parse(&info.gpu).ok_or(at(Problem::Chip(info.gpu)))?;
            Ok(Gpu::new(chip))
        }
        _ => Err(at(Problem::NoInfo)),
    }
}
