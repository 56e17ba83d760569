//! A part of a capture that stands alone: the state in front of it, the draws, a picture.

use super::Whole;
use crate::usage::Draws;
use isotherm::gpu::Gpu;

/// The capture of these draws alone.
pub fn trim(whole: &Whole, keep: Draws, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut gpu = Gpu::new(whole.chip);
    let mut writer = whole.writer()?;
    let before = keep.first - 1;
    // From the beginning there is no state to save: the records themselves are it.
    let mut copying = before == 0;
    let mut records = whole.records.iter();
    for record in records.by_ref() {
        let Some(words) = record.push_words() else {
            if copying && !record.is_surface() {
                record.write(&mut writer)?;
            }
            gpu.record(record.record())?;
            continue;
        };
        let mut rest = words;
        if !copying {
            let done = gpu.push_until(rest, |gpu| gpu.draws() >= before)?;
            rest = &rest[done..];
            if gpu.draws() < before {
                continue;
            }
            gpu.write_state(&mut writer)?;
            copying = true;
        }
        let done = gpu.push_until(rest, |gpu| gpu.draws() >= keep.last)?;
        writer.push(&rest[..done])?;
        if gpu.draws() >= keep.last {
            break;
        }
    }
    keep.check(gpu.draws(), name)?;
    // The picture that the draws belong to, or the last one.
    let next = records.find(|record| record.is_surface());
    let last = || {
        whole
            .records
            .iter()
            .rev()
            .find(|record| record.is_surface())
    };
    if let Some(surface) = next.or_else(last) {
        surface.write(&mut writer)?;
    }
    Ok(writer.finish()?)
}
