//! The kernel's dump of a lima task that failed (`/sys/class/drm/cardN/error`, magic `LIMA`).
//!
//! A head of eight words (magic, version, tasks, size), then tasks of chunks: `FRAME`, what the
//! driver gave the kernel, and `BUFFER`, a GPU address and its bytes. Unlike lima's own text
//! dumps it holds everything that the task could read. The layout is the kernel's `lima_dump.h`.

use super::bytes::Bytes;
use super::{ImportError, Imported, Warnings};
use isotherm_capture::Writer;
use serde_json::json;

/// "LIMA".
const MAGIC: u32 = 0x414D_494C;
const MAJOR: u32 = 1;

mod task {
    pub const GP: u32 = 0;
    pub const PP: u32 = 1;
}

mod chunk {
    pub const FRAME: u32 = 0;
    pub const BUFFER: u32 = 1;
    pub const PROCESS_NAME: u32 = 2;
    pub const PROCESS_ID: u32 = 3;
}

/// Words of a Mali-400's frames; those of a Mali-450's pixel jobs are more.
const GP_WORDS: usize = 6;
const PP_WORDS: usize = 68;

/// Is it such a dump?
pub fn looks_like_kernel_dump(file: &[u8]) -> bool {
    file.starts_with(&MAGIC.to_le_bytes())
}

/// Reads a dump: each task's buffers, then its job.
pub fn lima_kernel_dump(file: &[u8]) -> Result<Imported, ImportError> {
    let mut bytes = Bytes::new(file);
    if bytes.u32()? != MAGIC {
        return Err(ImportError::Nothing("no dump of the lima kernel driver"));
    }
    let version = bytes.u32()?;
    if version & 0xFFFF != MAJOR {
        return Err(bytes.bad(format!("version {}, expected 1", version & 0xFFFF)));
    }
    let tasks = bytes.u32()?;
    bytes.take(20)?;
    let info = json!({ "gpu": "mali400", "source": "lima kernel dump" });
    let mut writer = Writer::new(Vec::new(), &info)?;
    let mut warnings = Warnings::default();
    for _ in 0..tasks {
        read_task(&mut bytes, &mut writer, &mut warnings)?;
    }
    Ok(Imported {
        capture: writer.finish()?,
        warnings: warnings.finish(),
    })
}

fn read_task(
    bytes: &mut Bytes<'_>,
    writer: &mut Writer<Vec<u8>>,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    let (id, _size, chunks) = (bytes.u32()?, bytes.u32()?, bytes.u32()?);
    bytes.take(4)?;
    if !matches!(id, task::GP | task::PP) {
        return Err(bytes.bad(format!("task {id} is neither GP nor PP")));
    }
    let mut frame = None;
    for _ in 0..chunks {
        let at = bytes.at();
        let (id, size, address) = (bytes.u32()?, bytes.u32()?, bytes.u32()?);
        bytes.take(4)?;
        match id {
            chunk::FRAME => frame = Some(bytes.words(size as usize / 4)?),
            chunk::BUFFER => writer.memory(address, bytes.take(size as usize)?)?,
            chunk::PROCESS_NAME => drop(bytes.take(size as usize)?),
            // The number stands in the chunk's head.
            chunk::PROCESS_ID => {}
            _ => {
                warnings.add(at, format!("chunk {id} is unknown; skipped"));
                bytes.take(size as usize)?;
            }
        }
    }
    let Some(frame) = frame else {
        return Err(bytes.bad("a task without a frame"));
    };
    let (tag, wanted) = match id {
        task::GP => (b"GP  ", GP_WORDS),
        _ => (b"PP  ", PP_WORDS),
    };
    if frame.len() != wanted {
        let text = format!("a frame of {} words, expected {wanted}", frame.len());
        warnings.add(bytes.at(), text);
    }
    writer.job(tag, "{}", &frame)?;
    if id == task::PP
        && let Some(surface) = isotherm_mali::color_surface(&frame)
    {
        writer.surface(&surface)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_capture::{Payload, Reader};

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn dump() -> Vec<u8> {
        let mut file = words(&[MAGIC, 1, 1, 0, 0, 0, 0, 0]);
        file.extend(words(&[task::GP, 0, 4, 0]));
        file.extend(words(&[chunk::FRAME, 24, 0, 0, 1, 2, 3, 4, 5, 6]));
        file.extend(words(&[chunk::PROCESS_ID, 0, 77, 0]));
        file.extend(words(&[chunk::PROCESS_NAME, 4, 0, 0, 0x0065_6F67]));
        file.extend(words(&[chunk::BUFFER, 8, 0x1000, 0, 0xAA, 0xBB]));
        file
    }

    #[test]
    fn buffers_come_before_the_job() {
        let imported = lima_kernel_dump(&dump()).unwrap();
        assert_eq!(imported.warnings, [""; 0]);
        let mut reader = Reader::new(imported.capture.as_slice()).unwrap();
        reader.next_record().unwrap();
        let record = reader.next_record().unwrap().unwrap();
        assert!(
            matches!(record.payload, Payload::Memory { addr: 0x1000, bytes } if bytes[4] == 0xBB)
        );
        let record = reader.next_record().unwrap().unwrap();
        assert!(matches!(record.payload, Payload::Gp(job) if job.frame == [1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn a_dump_cut_anywhere_is_an_error() {
        let dump = dump();
        for len in 0..dump.len() {
            assert!(lima_kernel_dump(&dump[..len]).is_err(), "{len}");
        }
        assert!(lima_kernel_dump(b"GPUCAP01").is_err());
    }
}
