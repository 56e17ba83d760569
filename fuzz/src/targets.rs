//! The targets as functions of some bytes: what libFuzzer calls, and what runs the kept inputs
//! without it. One that panics has found something.

use crate::oracle;
use isotherm::capture::{Limits, Reader};
use isotherm::{Chip, Gpu, import};
use isotherm_regs::dump::{self, Options};
use isotherm_regs::xf::asm as vp;
use isotherm_regs::xf::isa::{Isa, Word};
use isotherm_regs::{Family, fp};
use std::cell::RefCell;

/// A function that gets bytes.
pub type Target = fn(&[u8]);

/// All of them, by name.
pub const ALL: [(&str, Target); 6] = [
    ("capture", capture),
    ("chip", chip),
    ("pusher", pusher),
    ("programs", programs),
    ("mali", mali),
    ("texts", texts),
];

/// The capture reader: any bytes, plain and compressed.
pub fn capture(file: &[u8]) {
    let limits = Limits {
        record: 1 << 20,
        total: 8 << 20,
        ..Limits::default()
    };
    let Ok(mut reader) = Reader::with_limits(file, limits) else {
        return;
    };
    loop {
        match reader.next_record() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                assert!(error.to_string().len() < 1000);
                break;
            }
        }
    }
}

/// Whole chips: a capture replayed in several ways.
pub fn chip(file: &[u8]) {
    oracle::compare(file);
}

const CHIPS: [(Chip, u32); 5] = [
    (Chip::Nv10, 0x56),
    (Chip::Nv2a, 0x97),
    (Chip::Nv25, 0x597),
    (Chip::Nv34, 0x697),
    (Chip::Nv40, 0x4097),
];

thread_local! {
    /// Making memory takes longer than running some words.
    static GPUS: RefCell<Vec<Gpu>> = RefCell::new(CHIPS.map(|(chip, _)| make(chip)).into());
}

fn make(chip: Chip) -> Gpu {
    let builder = Gpu::builder(chip).memory_size(1 << 20).threads(1);
    let mut gpu = builder.build().expect("a megabyte");
    gpu.set_drawing(false);
    for (handle, (_, class)) in (1..).zip(CHIPS) {
        gpu.objects_mut().graphics(handle, class);
    }
    gpu.objects_mut().dma(9, 0, 0xF_FFFF);
    gpu
}

/// Pusher and front end of every family: words as they come, nothing drawn.
pub fn pusher(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let words = words(bytes);
    GPUS.with_borrow_mut(|gpus| {
        let chip = usize::from(first) % gpus.len();
        let gpu = &mut gpus[chip];
        gpu.renew_budget();
        let _ = gpu.push(&[1 << 18, chip as u32 + 1]);
        let _ = gpu.push(&words);
        gpu.finish();
    });
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let chunks = bytes.as_chunks::<4>().0.iter();
    chunks.map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// Programs: any words decode to text that assembles to the same program, and any text gets an
/// answer.
pub fn programs(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let (is_text, kind) = (first & 2 != 0, usize::from(first >> 3));
    if first & 4 != 0 {
        let isa = Isa::ALL[kind % Isa::ALL.len()];
        return vertex_programs(isa, bytes, is_text);
    }
    let family = match first & 1 {
        0 => Family::Rankine,
        _ => Family::Curie,
    };
    fragment_programs(family, bytes, is_text);
}

fn fragment_programs(family: Family, bytes: &[u8], is_text: bool) {
    let words = match is_text {
        false => words(bytes),
        true => match fp::asm::assemble(family, &String::from_utf8_lossy(bytes)) {
            Ok(words) => words,
            Err(_) => return,
        },
    };
    let text = fp::asm::disassemble_words(family, &words);
    let again = fp::asm::assemble(family, &text);
    assert_eq!(again.as_ref(), Ok(&words), "{text}");
    if let Ok(program) = fp::Program::decode(family, &words) {
        let again = program.encode(family);
        assert_eq!(again, words[..again.len()], "{text}");
    }
}

fn vertex_programs(isa: Isa, bytes: &[u8], is_text: bool) {
    let program = match is_text {
        true => match vp::assemble(&String::from_utf8_lossy(bytes), Some(isa)) {
            Ok(program) => program,
            Err(error) => return assert!(error.line >= 1, "{error:?}"),
        },
        false => {
            let chunks = bytes.as_chunks::<16>().0.iter();
            vp::Program {
                isa,
                org: 0,
                words: chunks
                    .map(|b| Word(u128::from_le_bytes(*b)))
                    .take(512)
                    .collect(),
            }
        }
    };
    let text = vp::disassemble(&program);
    let again = vp::assemble(&text, None);
    assert_eq!(again.as_ref(), Ok(&program), "{text}");
}

/// Mali jobs: a frame that works, with other words in it.
pub fn mali(data: &[u8]) {
    let change = |bytes: &[u8; 6]| {
        let [a, b, word @ ..] = *bytes;
        (u16::from_le_bytes([a, b]), u32::from_le_bytes(word))
    };
    let changes: Vec<(u16, u32)> = data.as_chunks().0.iter().map(change).collect();
    isotherm::mali::fuzz::changed_jobs(&changes);
}

/// Texts and dumps: register dumps in every form, and files of other tools.
pub fn texts(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    let imported = match first % 5 {
        0 => return registers(bytes),
        1 => import::lima_dump(&text),
        2 => import::trace_lines(&text),
        3 => import::lima_kernel_dump(bytes),
        _ => import::rrc(bytes),
    };
    if let Ok(imported) = imported {
        let mut reader = Reader::new(&*imported.capture).expect("a capture");
        while reader.next_record().expect("whole records").is_some() {}
    }
}

fn registers(mut bytes: &[u8]) {
    let options = Options {
        chip: None,
        form: None,
    };
    let read = dump::read(&mut bytes, options, &mut |item| {
        assert!(!item.words.is_empty());
        Ok(())
    });
    if let Err(error) = read {
        assert!(error.to_string().len() < 2000);
    }
}
