//! RPCS3's frame captures (`.rrc`, version 6), as captures of an NV47.
//!
//! A file is magic, version, 1 for little-endian; then four tables (tile states, memory blocks,
//! their bytes, display buffers), each entry followed by its number; then the commands, each a
//! header, a word and the memory that has to be there first; then the registers that the frame
//! began with. Numbers of entries are of seven bits a byte.
//!
//! The console's memory is big-endian, ours little-endian. Blocks are turned over in words of
//! 32 bits, fragment programs in 16: data of other sizes comes out of order, and is warned of.

use super::bytes::Bytes;
use super::{ImportError, Imported, Warnings};
use isotherm_bus::memory::GART;
use isotherm_capture::{Push, Writer};
use serde_json::json;
use std::collections::HashMap;

/// "RRC" and a zero.
const MAGIC: u32 = 0x0043_5252;
const VERSION: u32 = 6;

/// Bytes of the tables' entries, their numbers not counted.
const TILES: usize = 15 * 16 + 8 * 24;
const DISPLAY: usize = 8 * 16 + 4;
/// Words of the vertex program memory, of its constants, and of the registers.
const PROGRAM: usize = 512 * 4;
const CONSTANTS: usize = 512 * 4;
const REGISTERS: usize = 0x10000 / 4;

/// The console's handles of its two memories.
const LOCAL: u32 = 0xFEED_0000;
const MAIN: u32 = 0xFEED_0001;

/// What the console's system binds to the subchannels.
const CLASSES: [(u8, u32); 6] = [
    (0, 0x4097),
    (1, 0x0039),
    (3, 0x3062),
    (4, 0x309E),
    (5, 0x308A),
    (6, 0x3089),
];

mod method {
    /// Where the fragment program lies.
    pub const FRAGMENT_PROGRAM: u32 = 0x8E4;
    pub const PROGRAM: u16 = 0xB80;
    pub const LOAD_SLOT: u16 = 0x1E9C;
    pub const CONSTANTS: u16 = 0x1F00;
    pub const LOAD_CONST: u16 = 0x1EFC;
}

/// A block of memory: its address, and the number of its bytes.
struct Block {
    address: u32,
    bytes: u64,
}

struct Command {
    header: u32,
    word: u32,
    blocks: Vec<u64>,
}

/// The file, taken apart.
struct Frame<'a> {
    blocks: HashMap<u64, Block>,
    data: HashMap<u64, &'a [u8]>,
    commands: Vec<Command>,
    program: Vec<u32>,
    constants: Vec<u32>,
    registers: Vec<u32>,
}

/// Reads a frame.
pub fn rrc(file: &[u8]) -> Result<Imported, ImportError> {
    let frame = Frame::read(file)?;
    let info = json!({ "gpu": "nv47", "source": "RPCS3 capture" });
    let mut writer = Writer::new(Vec::new(), &info)?;
    let mut warnings = Warnings::default();
    frame.write_start(&mut writer)?;
    frame.write_commands(&mut writer, &mut warnings)?;
    warnings.add(
        0,
        "memory was turned over in units of 32 bits; bytes and half-words may be out of order",
    );
    Ok(Imported {
        capture: writer.finish()?,
        warnings: warnings.finish(),
    })
}

impl<'a> Frame<'a> {
    fn read(file: &'a [u8]) -> Result<Frame<'a>, ImportError> {
        let mut bytes = Bytes::new(file);
        if bytes.u32()? != MAGIC {
            return Err(ImportError::Nothing(
                "no RPCS3 capture (a .rrc.gz has to be unpacked first)",
            ));
        }
        let version = bytes.u32()?;
        if version != VERSION {
            return Err(bytes.bad(format!(
                "an RPCS3 capture of version {version}; only version 6 is read"
            )));
        }
        if bytes.u32()? != 1 {
            return Err(bytes.bad("a big-endian RPCS3 capture"));
        }
        for _ in 0..bytes.count(TILES + 8)? {
            bytes.take(TILES + 8)?;
        }
        let mut blocks = HashMap::new();
        for _ in 0..bytes.count(24)? {
            let (offset, location) = (bytes.u32()?, bytes.u32()?);
            let data = bytes.u64()?;
            let address = match location {
                LOCAL => offset & !GART,
                _ => offset | GART,
            };
            let block = Block {
                address,
                bytes: data,
            };
            blocks.insert(bytes.u64()?, block);
        }
        let mut data = HashMap::new();
        for _ in 0..bytes.count(9)? {
            let len = bytes.count(1)?;
            let found = bytes.take(len)?;
            data.insert(bytes.u64()?, found);
        }
        for _ in 0..bytes.count(DISPLAY + 8)? {
            bytes.take(DISPLAY + 8)?;
        }
        let commands = read_commands(&mut bytes)?;
        let program = bytes.words(PROGRAM)?;
        // Later programs of the same version write the constants as well.
        let constants = match bytes.left() >= 4 * (REGISTERS + CONSTANTS) {
            true => bytes.words(CONSTANTS)?,
            false => Vec::new(),
        };
        Ok(Frame {
            blocks,
            data,
            commands,
            program,
            constants,
            registers: bytes.words(REGISTERS)?,
        })
    }

    /// Objects, and the registers that the frame began with, as methods.
    fn write_start(&self, writer: &mut Writer<Vec<u8>>) -> Result<(), ImportError> {
        let channel = json!({ "type": "channel", "vram_ctxdma": LOCAL, "gart_ctxdma": MAIN });
        writer.object(&channel)?;
        let mut push = Push::new();
        for (subchannel, class) in CLASSES {
            writer.object(&json!({ "type": "object", "handle": class, "class": class }))?;
            push.method(subchannel, 0, &[class]);
        }
        let states = self.registers.iter().enumerate().take(0x800);
        for (index, &word) in states.filter(|(index, _)| is_state(4 * *index as u16)) {
            push.method(0, 4 * index as u16, &[word]);
        }
        for (first, rows, load) in [
            (method::PROGRAM, &self.program, method::LOAD_SLOT),
            (method::CONSTANTS, &self.constants, method::LOAD_CONST),
        ] {
            for (row, words) in (0..).zip(rows.chunks(4)) {
                // Most of the memory is never used.
                if words != [0; 4] {
                    push.method(0, load, &[row]).method(0, first, words);
                }
            }
        }
        // What the uploads moved.
        for method in [method::LOAD_SLOT, method::LOAD_CONST] {
            let word = self.registers[usize::from(method / 4)];
            push.method(0, method, &[word]);
        }
        writer.push(push.words())?;
        Ok(())
    }

    fn write_commands(
        &self,
        writer: &mut Writer<Vec<u8>>,
        warnings: &mut Warnings,
    ) -> Result<(), ImportError> {
        let mut words = Vec::new();
        let (mut left, mut at) = (0, 0);
        let mut program = self.registers[method::FRAGMENT_PROGRAM as usize / 4];
        for (number, command) in self.commands.iter().enumerate() {
            if !command.blocks.is_empty() && !words.is_empty() {
                writer.push(&words)?;
                words.clear();
            }
            if left == 0 {
                left = command.header >> 18 & 0x7FF;
                at = command.header & 0xFFFC;
                words.push(command.header);
            }
            if left != 0 {
                if at == method::FRAGMENT_PROGRAM {
                    program = command.word;
                }
                words.push(command.word);
                left -= 1;
                at += if command.header & 0x4000_0000 == 0 {
                    4
                } else {
                    0
                };
            }
            for id in &command.blocks {
                match self.memory(*id, program) {
                    Some((address, bytes)) => writer.memory(address, &bytes)?,
                    None => warnings.add(number, "a memory block that the file does not have"),
                }
            }
        }
        writer.push(&words)?;
        Ok(())
    }

    /// A block's address, and its bytes as ours.
    fn memory(&self, id: u64, program: u32) -> Option<(u32, Vec<u8>)> {
        let block = self.blocks.get(&id)?;
        let mut bytes = self.data.get(&block.bytes)?.to_vec();
        // The program's address has its memory in the lowest bits: 1 local, 2 main.
        let of_program = program & !3 | if program & 3 == 1 { 0 } else { GART };
        let unit = if block.address == of_program { 2 } else { 4 };
        bytes.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
        Some((block.address, bytes))
    }
}

fn read_commands(bytes: &mut Bytes<'_>) -> Result<Vec<Command>, ImportError> {
    let mut commands = Vec::new();
    for _ in 0..bytes.count(25)? {
        let (header, word) = (bytes.u32()?, bytes.u32()?);
        let count = bytes.count(8)?;
        let blocks = (0..count).map(|_| bytes.u64());
        let blocks = blocks.collect::<Result<Vec<u64>, ImportError>>()?;
        // Numbers of the tile and display states.
        bytes.take(16)?;
        commands.push(Command {
            header,
            word,
            blocks,
        });
    }
    Ok(commands)
}

/// Does the method only set state? Those that act, upload or launch are left out.
fn is_state(method: u16) -> bool {
    !matches!(
        method,
        0..0x180
            | 0xB00..0xC00
            | 0x1500..0x1680
            | 0x17C8
            | 0x17CC
            | 0x1800..=0x1830
            | 0x1880..0x1900
            | 0x1940..0x1A00
            | 0x1C00..0x1D00
            | 0x1D6C..0x1D7C
            | 0x1D94
            | 0x1EFC..
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_capture::{Payload, Reader};

    /// A file of the documented layout: one block, and commands that clear.
    fn file() -> Vec<u8> {
        let mut file = Vec::new();
        let mut put = |words: &[u32]| file.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        put(&[MAGIC, VERSION, 1]);
        file.extend([0, 1]);
        let block = [0x1000u32, LOCAL, 7, 0, 9, 0];
        file.extend(block.iter().flat_map(|w| w.to_le_bytes()));
        file.extend([1, 4, 0x11, 0x22, 0x33, 0x44]);
        file.extend(7u64.to_le_bytes());
        file.extend([0, 2]);
        for (word, blocks) in [(5u32, 1u8), (6, 0)] {
            file.extend((2u32 << 18 | 0x1D8C).to_le_bytes());
            file.extend(word.to_le_bytes());
            file.push(blocks);
            (0..blocks).for_each(|_| file.extend(9u64.to_le_bytes()));
            file.extend([0; 16]);
        }
        file.extend(vec![0; 4 * PROGRAM]);
        let mut registers = vec![0u32; REGISTERS];
        registers[0x200 / 4] = 0x0280_0000;
        file.extend(registers.iter().flat_map(|w| w.to_le_bytes()));
        file
    }

    #[test]
    fn commands_registers_and_memory() {
        let imported = rrc(&file()).unwrap();
        let mut reader = Reader::new(imported.capture.as_slice()).unwrap();
        let (mut pushed, mut memory) = (Vec::new(), Vec::new());
        while let Some(record) = reader.next_record().unwrap() {
            match record.payload {
                Payload::Info(info) => assert_eq!(info.gpu, "nv47"),
                Payload::Push(words) => pushed.push(words.to_vec()),
                Payload::Memory { addr, bytes } => memory.push((addr, bytes.to_vec())),
                _ => {}
            }
        }
        assert_eq!(memory, [(0x1000, vec![0x44, 0x33, 0x22, 0x11])]);
        let state = pushed[0]
            .windows(2)
            .any(|w| w == [1 << 18 | 0x200, 0x0280_0000]);
        assert!(state, "the registers are methods");
        assert_eq!(pushed[1..], [vec![2 << 18 | 0x1D8C, 5, 6]]);
        // And the chip takes it.
        let reader = Reader::new(imported.capture.as_slice()).unwrap();
        crate::replay(reader, |gpu| gpu.set_threads(1), |_, _| {}).unwrap();
    }

    #[test]
    fn other_versions_and_cut_files_are_refused() {
        let mut old = file();
        old[4] = 5;
        let text = rrc(&old).unwrap_err().to_string();
        assert!(text.contains("version 5; only version 6"), "{text}");
        let file = file();
        for len in (0..file.len()).step_by(97) {
            assert!(rrc(&file[..len]).is_err(), "{len}");
        }
    }
}
