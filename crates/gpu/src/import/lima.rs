//! lima's own dumps (`LIMA_DEBUG=dump`), old and new layout.
//!
//! A dump is blocks of words, each after a line that says what and where:
//!
//! ```text
//! add render state at va fddfe180
//! {
//!     0x00000000, 0x00000000, 0xfc3b1ad2, 0x0000003e, /* 0x00000000 */
//! }
//! ```
//!
//! The blocks `add gp frame` and `add pp frame` have no address: they are the jobs. Some
//! blocks hold floats. Decoded text, disassemblies and command listings between ruler
//! comments repeat the blocks and are skipped. A dump has no vertex and texture data that
//! the application uploaded, so the picture may be incomplete; the state is not. Nor has it the
//! buffer that the driver fills when it starts, but that is always the same.

use super::{ImportError, Imported, Warnings};
use isotherm_capture::Writer;
use serde_json::json;

/// What a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Memory(u32),
    Gp,
    Pp,
    /// What the GPU itself made; not the CPU's to send.
    Skip,
}

/// Reads a dump, or several one after another.
pub fn lima_dump(text: &str) -> Result<Imported, ImportError> {
    let info = json!({ "gpu": "mali400", "source": "lima dump" });
    let mut writer = Writer::new(Vec::new(), &info)?;
    if let Some(address) = frame_state(text) {
        writer.memory(address, &driver_buffer(address))?;
    }
    let mut warnings = Warnings::default();
    let (mut target, mut words, mut inside, mut blocks) = (None, Vec::new(), false, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !inside {
            if line.starts_with('{') {
                inside = true;
                words.clear();
            } else if let Some(found) = heading(line) {
                target = Some(found);
            }
            continue;
        }
        // The last line of a block may end in the brace itself.
        let (body, ends) = match line.split_once('}') {
            Some((body, _)) => (body, true),
            None => (line, false),
        };
        if let Err(text) = read_words(body, &mut words) {
            warnings.add(number, text);
        }
        if ends {
            inside = false;
            match target.take() {
                Some(target) => {
                    emit(&mut writer, target, &words, number, &mut warnings)?;
                    blocks += 1;
                }
                None => warnings.add(number, "a block without a heading; skipped"),
            }
        }
    }
    if inside {
        warnings.add(text.lines().count(), "the dump ends inside a block");
    }
    if blocks == 0 {
        return Err(ImportError::Nothing("no block of a lima dump"));
    }
    Ok(Imported {
        capture: writer.finish()?,
        warnings: warnings.finish(),
    })
}

/// Address of the render state that the first pixel job's frame has.
fn frame_state(text: &str) -> Option<u32> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| heading(line) == Some(Target::Pp))?;
    let mut words = Vec::new();
    for line in lines.take(8) {
        // A line that is no words is told where it is read.
        let _ = read_words(line.trim_matches(['{', '}']), &mut words);
    }
    words
        .get(1)
        .copied()
        .filter(|address| address % 64 == 0 && *address != 0)
}

/// The buffer that lima fills once, when it starts, and never dumps: the frame's render state,
/// the programs that clear and reload a tile, three indices and the corners of a clear.
/// Frames name its first byte; what a dump says of it counts more.
fn driver_buffer(address: u32) -> Vec<u8> {
    const CLEAR: (usize, [u32; 5]) = (
        0x40,
        [
            0x0002_0425,
            0x0000_000C,
            0x01E0_07CF,
            0xB000_0000,
            0x0000_05F5,
        ],
    );
    // load.v $1 0.xy, texld 0, mov.v0 $0 ^texture, sync, stop
    const RELOAD: (usize, [u32; 6]) = (
        0x80,
        [
            0x0000_05E6,
            0xF100_3C20,
            0x0000_0000,
            0x3900_1000,
            0x0000_0E4E,
            0x0000_07CF,
        ],
    );
    const INDICES: (usize, u32) = (0xC0, 0x0002_0100);
    const CORNERS: (usize, [[f32; 4]; 3]) = (
        0x100,
        [
            [4096.0, 0.0, 1.0, 1.0],
            [0.0, 0.0, 1.0, 1.0],
            [0.0, 4096.0, 1.0, 1.0],
        ],
    );
    let mut out = vec![0; 0x130];
    let mut put = |at: usize, words: &[u32]| {
        for (i, word) in words.iter().enumerate() {
            out[at + i * 4..at + i * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
    };
    let clear = address.wrapping_add(CLEAR.0 as u32);
    put(8 * 4, &[0xF008, clear]);
    put(13 * 4, &[0x100]);
    put(CLEAR.0, &CLEAR.1);
    put(RELOAD.0, &RELOAD.1);
    put(INDICES.0, &[INDICES.1]);
    put(
        CORNERS.0,
        &CORNERS
            .1
            .as_flattened()
            .iter()
            .map(|x| x.to_bits())
            .collect::<Vec<_>>(),
    );
    out
}

/// What a line before a block says.
fn heading(line: &str) -> Option<Target> {
    if line.starts_with("/*") {
        return None;
    }
    match line {
        "add gp frame" | "gp frame" => return Some(Target::Gp),
        "add pp frame" | "pp frame" => return Some(Target::Pp),
        _ => {}
    }
    let (what, address) = line.split_once(" at va ")?;
    if what.ends_with("plb dump") {
        return Some(Target::Skip);
    }
    let address = address.split_whitespace().next()?.trim_start_matches("0x");
    Some(Target::Memory(u32::from_str_radix(address, 16).ok()?))
}

/// The words of a line: hexadecimal, or floats where lima prints floats. The old layout has
/// a comment after each word, the new one after each line.
fn read_words(line: &str, words: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = line;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(',');
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    for text in plain
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        let word = match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => text.parse::<f32>().ok().map(f32::to_bits),
        };
        words.push(word.ok_or_else(|| format!("{text:?} is no word"))?);
    }
    Ok(())
}

fn emit(
    writer: &mut Writer<Vec<u8>>,
    target: Target,
    words: &[u32],
    line: usize,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    match target {
        Target::Memory(address) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            writer.memory(address, &bytes)?;
        }
        Target::Gp => {
            if words.len() != 6 {
                warnings.add(
                    line,
                    format!("a gp frame of {} words, expected 6", words.len()),
                );
            }
            writer.job(b"GP  ", "{\"pipe\":\"gp\"}", words)?;
        }
        Target::Pp => {
            writer.job(b"PP  ", "{\"pipe\":\"pp\"}", words)?;
            // The colour buffer that the job writes, to be looked at.
            if let Some(surface) = isotherm_mali::color_surface(words) {
                writer.surface(&surface)?;
            }
        }
        Target::Skip => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_capture::{Payload, Reader};

    #[test]
    fn new_and_old_layout() {
        let text = "\
/* ---- file a.0000 ---- */
add render state at va 0xfddfe180
{
\t0x00000001, 0x00000002, /* 0x00000000 */}
update gp uniform at va fddfe080
{
\t128.000000, -1.500000, /* 0x00000000 */
}
add old words at va 00001000
{
\t0x00000007 /* 0x0000 */
\t0x00000008, /* 0x0004 */
}
plb dump at va fffbf000
{
\t0x00000000, /* 0x00000000 */
}
add gp frame
{
\t0x1, 0x2, 0x3, 0x4, /* 0x00000000 */
\t0x5, 0x6, /* 0x00000008 */
}
";
        let imported = lima_dump(text).unwrap();
        assert_eq!(imported.warnings, [""; 0]);
        let mut reader = Reader::new(imported.capture.as_slice()).unwrap();
        let mut memory = Vec::new();
        let mut jobs = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            match record.payload {
                Payload::Memory { addr, bytes } => memory.push((addr, bytes.to_vec())),
                Payload::Gp(job) => jobs.push(job.frame.to_vec()),
                _ => {}
            }
        }
        assert_eq!(memory[0], (0xFDDF_E180, vec![1, 0, 0, 0, 2, 0, 0, 0]));
        assert_eq!(memory[1].1[..4], 128f32.to_bits().to_le_bytes());
        assert_eq!(memory[2], (0x1000, vec![7, 0, 0, 0, 8, 0, 0, 0]));
        assert_eq!((memory.len(), jobs), (3, vec![vec![1, 2, 3, 4, 5, 6]]));
    }

    #[test]
    fn rubbish_is_told() {
        assert!(lima_dump("hello").is_err());
        let imported = lima_dump("add x at va 10\n{\n zz,\n}\n{\n}\n").unwrap();
        assert_eq!(imported.warnings.len(), 2);
    }
}
