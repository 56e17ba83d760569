//! Fragment programs as captures have them: found, shown as text, assembled again.

use isotherm::capture::{Push, Reader, Writer};
use isotherm::programs::fragments;
use isotherm_regs::Family;
use isotherm_regs::fp::asm::{assemble, disassemble};
use isotherm_regs::fp::{Program, layout};
use std::collections::HashSet;
use std::path::PathBuf;

/// A draw of an NV40 whose program lies at 1040h of texture object B, which is the GART.
fn capture(words: &[u32]) -> Vec<u8> {
    let mut file = Vec::new();
    let info = serde_json::json!({ "gpu": "nv40" });
    let mut writer = Writer::new(&mut file, &info).unwrap();
    for object in [
        serde_json::json!({ "type": "channel", "vram_ctxdma": 2, "gart_ctxdma": 3 }),
        serde_json::json!({ "type": "object", "handle": 1, "class": 0x4097 }),
    ] {
        writer.object(&object).unwrap();
    }
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    writer.memory(0x8000_1040, &bytes).unwrap();
    let mut push = Push::new();
    push.method(0, 0, &[1])
        .method(0, 0x184, &[2, 3])
        .method(0, 0x8e4, &[0x1042])
        .method(0, 0x1808, &[5])
        .method(0, 0x1808, &[0]);
    writer.push(push.words()).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn a_draw_shows_its_program() {
    // Longer than what is read at first.
    let mut source = String::from("!!FP2.0\n    IF (GT.x);\n");
    for i in 0..80 {
        source.push_str(&format!("        MOV R{}, c[{i}, 0, 0.5, 1];\n", i % 8));
    }
    source.push_str("    ENDIF;\n    MOVR H0, f[COL0];\nEND\n");
    let words = assemble(Family::Curie, &source).unwrap_or_else(|e| panic!("{e}"));
    let file = capture(&words);
    let mut seen = Vec::new();
    fragments::draws(Reader::new(&file[..]).unwrap(), |draw| {
        seen.push((draw.number, draw.address, draw.program().unwrap()));
        true
    })
    .unwrap();
    assert_eq!(seen.len(), 1);
    let (number, address, program) = &seen[0];
    assert_eq!((*number, *address), (1, 0x8000_1040));
    assert_eq!(disassemble(Family::Curie, program), source);
}

#[test]
fn no_program_is_an_error() {
    let file = capture(&[]);
    let mut errors = 0;
    fragments::draws(Reader::new(&file[..]).unwrap(), |draw| {
        errors += usize::from(draw.program().is_err());
        true
    })
    .unwrap();
    assert_eq!(errors, 1);
}

/// All programs of the drivers' streams: text and words agree, no bit is unknown.
#[test]
fn streams_round_trip() {
    let shared =
        std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../../../shared".into(), PathBuf::from);
    let mut files = Vec::new();
    for chip in ["nv34", "nv35", "nv40", "nv44"] {
        let folder = shared.join("streams").join(chip);
        let list = std::fs::read_dir(folder).into_iter().flatten();
        files.extend(list.filter_map(|entry| Some(entry.ok()?.path())));
    }
    files.retain(|file| file.to_string_lossy().ends_with(".cap.zst"));
    if files.is_empty() {
        let place = shared.display();
        eprintln!("skipped: no streams in {place} (set ISOTHERM_SHARED)");
        return;
    }
    files.sort();
    let mut seen = HashSet::new();
    for file in &files {
        let reader = Reader::new(std::fs::File::open(file).unwrap()).unwrap();
        let name = file.display();
        fragments::draws(reader, |draw| {
            let program = draw
                .program()
                .unwrap_or_else(|e| panic!("{name}, draw {}: {e}", draw.number));
            let words = program.encode(draw.family);
            if seen.insert((draw.family as u8, words.clone())) {
                check(draw.family, &program, &words);
            }
            true
        })
        .unwrap();
    }
    eprintln!("{} streams, {} different programs", files.len(), seen.len());
    assert!(seen.len() > 100, "too few programs: {}", seen.len());
}

/// What the text does not say in the one program that Mesa's driver has as numbers, the
/// copy of a texture: other unread sources than its compiler writes, and an addend to the
/// address register, which nothing reads.
const BLIT: [&str; 2] = [
    "TEX R0, f[TEX0], TEX0 {SRC1_TYPE=0x0, SRC2_TYPE=0x0, ADDR_INDEX=0x7fc};",
    "MOV H0, R0 {SRC1_TYPE=0x0, SRC2_TYPE=0x0};",
];

#[track_caller]
fn check(family: Family, program: &Program, words: &[u32]) {
    let text = disassemble(family, program);
    assert_eq!(assemble(family, &text).as_deref(), Ok(words), "{text}");
    let unknown = layout::unknown(family);
    for inst in program.insts.iter().filter(|i| i.flow.is_none()) {
        for (word, unknown) in inst.words.iter().zip(unknown) {
            assert_eq!(word & unknown, 0, "{text}");
        }
    }
    for line in text.lines().filter(|line| line.contains('{')) {
        assert!(
            BLIT.contains(&line.trim()),
            "the text does not say all: {line}"
        );
    }
}
