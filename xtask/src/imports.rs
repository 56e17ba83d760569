//! Fuzz target: files of other tools, damaged. What is imported is a capture.

use crate::words::fuzz::mutate;
use isotherm::capture::Reader;
use isotherm::import::{self, ImportError, Imported};
use isotherm_regs::xf::asm::generate::Rng;

const LIMA: &str = "add fs at va fddfa000\n{\n\t0x00001224, 0x00000800, /* 0x00000000 */\n}\n\
    /* ============ FS DISASSEMBLY BEGIN ============== */\n@     0: load.u 0, stop\n\
    /* ============ FS DISASSEMBLY END ================= */\n\
    update gp uniform at va fddfe0c0\n{\n\t128.000000, -128.000000, /* 0x0 */\n}\n\
    add gp frame\n{\n\t0x1, 0x2, 0x3, 0x4, /* 0x0 */\n\t0x5, 0x6, /* 0x4 */\n}\n";

const METHODS: &str = "nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE (0xf0)\n\
    1@2.0:nv2a_pgraph_method 0: 0x97 -> 0x0300 NV097_SET_ALPHA_TEST_ENABLE 0x0\n\
    nv2a: pgraph method (0): 0x97 -> 0x1d94 (0xf0)\n\
    nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1818 NV097_INLINE_ARRAY * 96\n\
    nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_SET_FLIP_READ<0x120> (0x0 {...})\n";

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A dump of lima's kernel driver: one geometry job, a name, a buffer.
fn kernel_dump() -> Vec<u8> {
    const MAGIC: u32 = 0x414d_494c;
    let mut file = bytes(&[MAGIC, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0]);
    file.extend(bytes(&[0, 24, 0, 0, 1, 2, 3, 4, 5, 6, 3, 0, 77, 0]));
    file.extend(bytes(&[
        2,
        4,
        0,
        0,
        0x0065_6F67,
        1,
        8,
        0x1000,
        0,
        0xAA,
        0xBB,
    ]));
    file
}

/// A frame of a console: a block, its bytes, two commands; registers are left out, so that
/// most of the file is looked at.
fn frame() -> Vec<u8> {
    let mut file = bytes(&[0x0043_5252, 6, 1]);
    file.extend([0, 1]);
    file.extend(bytes(&[0x1000, 0xFEED_0000, 7, 0, 9, 0]));
    file.extend([1, 4, 0x11, 0x22, 0x33, 0x44]);
    file.extend(7u64.to_le_bytes());
    file.extend([0, 2]);
    for word in [5u32, 6] {
        file.extend(bytes(&[2 << 18 | 0x1D8C, word]));
        file.extend([0; 17]);
    }
    file
}

/// One damaged file.
pub fn round(rng: &mut Rng) {
    let kind = rng.below(4);
    let mut file = match kind {
        0 => LIMA.as_bytes().to_vec(),
        1 => METHODS.as_bytes().to_vec(),
        2 => kernel_dump(),
        _ => frame(),
    };
    mutate(rng, &mut file);
    let text = String::from_utf8_lossy(&file);
    let imported: Result<Imported, ImportError> = match kind {
        0 => import::lima_dump(&text),
        1 => import::trace_lines(&text),
        2 => import::lima_kernel_dump(&file),
        _ => {
            // The registers' place.
            file.resize(file.len() + 4 * (512 * 8 + 0x4000), 0);
            import::rrc(&file)
        }
    };
    match imported {
        Ok(imported) => {
            let mut reader = Reader::new(imported.capture.as_slice()).expect("a capture");
            while reader.next_record().expect("whole records").is_some() {}
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
}
