//! Pictures go back into textures of every format.

use isotherm::Chip;
use isotherm::memory::Memory;
use isotherm::pixel::tex::Source;
use isotherm::pixel::tex::format::{Format, Texel};
use isotherm_inspect::repaint;
use isotherm_inspect::texture::{self, Part};

const SIZE: u32 = 8;

fn source(chip: Chip, code: u32) -> Source {
    Source {
        addr: 0x10_0000,
        format: Format::of(chip, code),
        size: [SIZE, SIZE, 1],
        dims: 2,
        levels: 2,
        cube: false,
        border: false,
        pitch: 256,
        palette: 0x20_0000,
        palette_len: 256,
        noise: false,
        key_mode: 0,
        key: 0,
    }
}

/// Memory with the texture and its palette filled with numbers that follow from a seed.
fn filled(chip: Chip, mut seed: u32) -> Memory {
    let mut memory = Memory::new(chip);
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    let texels: Vec<u8> = (0..8192).map(|_| next()).collect();
    memory.write(0x10_0000, &texels);
    let palette: Vec<u8> = (0..1024u32).map(|i| (i * 7 + i / 4) as u8).collect();
    memory.write(0x20_0000, &palette);
    memory
}

fn look(source: &Source, memory: &Memory, part: Part) -> isotherm::capture::Image {
    texture::picture(source, &source.decode(memory), part).unwrap()
}

#[test]
fn every_format_takes_its_own_colours_back() {
    let chip = Chip::Nv25;
    let mut formats = 0;
    for code in 0..0x48 {
        let source = source(chip, code);
        let texel = source.format.texel;
        if texel.blocks() || texel.pairs() || matches!(texel, Texel::Unknown(_)) {
            continue;
        }
        formats += 1;
        for level in 0..2 {
            let part = Part {
                level,
                face: 0,
                slice: 0,
            };
            let (mut memory, other) = (filled(chip, 1), filled(chip, 2));
            let wanted = look(&source, &other, part);
            assert_ne!(look(&source, &memory, part).rgba, wanted.rgba, "{texel:?}");
            let bytes = repaint::nvidia(&source, &memory, part, &wanted).unwrap();
            for (at, byte) in &bytes {
                memory.write(*at, &[*byte]);
            }
            assert_eq!(look(&source, &memory, part).rgba, wanted.rgba, "{texel:?}");
            // What is right already is left alone.
            let again = repaint::nvidia(&source, &memory, part, &wanted).unwrap();
            assert!(again.is_empty(), "{texel:?}");
        }
    }
    assert!(formats > 40, "{formats}");
}

#[test]
fn blocks_come_close() {
    let chip = Chip::Nv2a;
    for code in [0x0c, 0x0e, 0x0f] {
        let source = source(chip, code);
        let part = Part {
            level: 0,
            face: 0,
            slice: 0,
        };
        let mut memory = filled(chip, 1);
        let mut wanted = look(&source, &memory, part);
        // A grey slope in the first block, as deep as the format's alpha can be; the rest stays.
        for (x, y) in (0..16).map(|i| (i % 4, i / 4)) {
            let at = ((y * SIZE + x) * 4) as usize;
            let grey = (x * 80) as u8;
            wanted.rgba[at..at + 4].copy_from_slice(&[grey, grey, grey, 255]);
        }
        let bytes = repaint::nvidia(&source, &memory, part, &wanted).unwrap();
        let size = source.format.texel.bytes();
        assert_eq!(bytes.len(), size as usize, "one block");
        for (at, byte) in &bytes {
            memory.write(*at, &[*byte]);
        }
        let now = look(&source, &memory, part);
        let far = now
            .rgba
            .iter()
            .zip(&wanted.rgba)
            .map(|(a, b)| a.abs_diff(*b));
        assert!(far.max().unwrap() <= 8, "{code:x}");
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let (chip, part) = (
        Chip::Nv2a,
        Part {
            level: 0,
            face: 0,
            slice: 0,
        },
    );
    let memory = filled(chip, 1);
    let yuy2 = source(chip, 0x24);
    let picture = look(&yuy2, &memory, part);
    let error = repaint::nvidia(&yuy2, &memory, part, &picture).unwrap_err();
    assert!(error.to_string().contains("YUY2"), "{error}");
    let plain = source(chip, 0x06);
    let part = Part { face: 1, ..part };
    assert!(repaint::nvidia(&plain, &memory, part, &picture).is_err());
}
