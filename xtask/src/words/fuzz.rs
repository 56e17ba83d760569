//! Hostile words, names and dumps: an error with a place, or an answer that holds.

use isotherm::capture::Reader;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::dump::{self, Form, Options, Raw};
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp_text, isa_pp, isa_pp_text};
use isotherm_regs::xf::asm::generate::Rng;
use isotherm_regs::{Chip, convert, explain, find, method, stream};

fn below(rng: &mut Rng, n: usize) -> usize {
    rng.below(n as u64) as usize
}

fn chip(rng: &mut Rng) -> Chip {
    Chip::ALL[below(rng, Chip::ALL.len())]
}

/// Changes, cuts, doubles and swaps bytes.
pub fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    const LETTERS: &[u8] = b" \n\t:;,.[]{}\"\\=#@-+0x19afhRAT_\0\xff";
    for _ in 0..below(rng, 8) {
        if bytes.is_empty() {
            bytes.push(b'{');
        }
        let at = below(rng, bytes.len());
        match rng.below(6) {
            0 => bytes[at] = LETTERS[below(rng, LETTERS.len())],
            1 => bytes[at] = rng.bits() as u8,
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            4 => {
                let piece = bytes[at..].to_vec();
                bytes.extend(piece);
                bytes.truncate(1 << 16);
            }
            _ => bytes.insert(at, LETTERS[below(rng, LETTERS.len())]),
        }
    }
}

/// Dumps in every form, damaged.
pub fn dumps(rng: &mut Rng) {
    const SEEDS: &[&[u8]] = &[
        b"chip nv25\nRASTER 20600084\n401990: 1, 2, 3\n97:1e60 = 8\nTEX_FILTER[2] 0\nxfctx[0x28] 0 0 0 3f800000\n",
        b"{\"chip\":\"nv25\",\"words\":[{\"name\":\"RASTER\",\"value\":\"0x20600084\"},{\"addr\":\"401990\",\"values\":[1,2]}]}",
        b"[{\"chip\":\"mali400\",\"name\":\"rsw\",\"value\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}]",
        b"chip mali400\nrsw 0 0 fc3b1ad2 3e ffff0000 7 7 ffff f807 123456e3 0 10 0 200 3000 0\nplbu 0 50000000\n",
        b"\x60\x1e\x04\x00\x08\x00\x00\x00\x00\x03\x08\x40\x01\x00\x00\x00\x02\x00\x00\x00",
    ];
    let mut bytes = SEEDS[below(rng, SEEDS.len())].to_vec();
    mutate(rng, &mut bytes);
    let chip = chip(rng);
    let raw = match rng.below(4) {
        0 => Raw::natural(Some(chip)),
        1 => Raw::Push(method::CLASSES[below(rng, method::CLASSES.len())].id),
        2 => Raw::Registers(rng.bits() as u32),
        _ => match find::find(chip, "xfmode").or_else(|_| find::find(chip, "rsw")) {
            Ok(target) => Raw::Of(target),
            Err(_) => Raw::Push(0),
        },
    };
    let form = [
        None,
        Some(Form::Text),
        Some(Form::Json),
        Some(Form::Raw(raw)),
    ][below(rng, 4)];
    let chip = (rng.below(2) == 0).then_some(chip);
    let result = dump::read(&mut &bytes[..], Options { chip, form }, &mut |item| {
        assert!(!item.words.is_empty());
        if let (Some((word, entry)), &[value]) =
            (item.target.word(item.chip, item.words[0]), item.words)
        {
            let text = explain::word(item.chip, word, entry, value).fields();
            let back = explain::encode(item.chip, word, entry, text.split_whitespace());
            assert_eq!(back, Ok(value), "{text}");
        }
        Ok(())
    });
    if let Err(error) = result {
        let text = error.to_string();
        assert!(!text.contains('\n') && text.len() < 2000, "{text}");
    }
}

/// Names and fields, damaged.
pub fn names(rng: &mut Rng) {
    let chip = chip(rng);
    let names = find::names(chip);
    if names.is_empty() {
        return;
    }
    let mut name = names[below(rng, names.len())].clone().into_bytes();
    if rng.below(3) == 0 {
        name.extend(format!("[{}]", rng.bits() as u8).bytes());
    }
    mutate(rng, &mut name);
    let name = String::from_utf8_lossy(&name);
    if let Ok(target) = find::find(chip, &name) {
        let value = rng.bits() as u32;
        let _ = target.label();
        if let Some((word, entry)) = target.word(chip, value) {
            let mut text = explain::word(chip, word, entry, value)
                .fields()
                .into_bytes();
            mutate(rng, &mut text);
            let text = String::from_utf8_lossy(&text);
            let _ = explain::encode(chip, word, entry, text.split_whitespace());
        }
    }
}

/// Any words as a pusher stream.
pub fn streams(rng: &mut Rng) {
    let class = &method::CLASSES[below(rng, method::CLASSES.len())];
    let mut words = stream::sample(class, 64, rng.bits());
    for _ in 0..below(rng, 8) {
        let at = below(rng, words.len().max(1));
        if let Some(word) = words.get_mut(at) {
            *word = rng.bits() as u32;
        }
    }
    let tally = stream::decode_push(chip(rng), class, &words);
    assert!(tally.words <= words.len() as u64);
}

/// Any raster state, there and back without a panic.
pub fn conversions(rng: &mut Rng) {
    let rsw: [u32; 16] = std::array::from_fn(|_| rng.bits() as u32);
    let chip = chip(rng);
    let nv = convert::rsw_to_nv(chip, &rsw);
    let _ = convert::nv_to_rsw(chip, &nv.words);
    let all: Vec<_> = Bundle::all().map(|b| (b, rng.bits() as u32)).collect();
    let _ = convert::nv_to_rsw(chip, &all);
}

/// Mali programs: any words, and damaged text of both processors.
pub fn mali_programs(rng: &mut Rng) {
    let program: Vec<u128> = (0..=rng.below(4))
        .map(|_| u128::from(rng.bits()) << 64 | u128::from(rng.bits()))
        .collect();
    let mut text = isa_gp_text::disasm(&program, Style::Asm).into_bytes();
    mutate(rng, &mut text);
    let _ = isa_gp_text::asm(&String::from_utf8_lossy(&text));
    let words: Vec<u32> = (0..=rng.below(40)).map(|_| rng.bits() as u32).collect();
    if let Ok(program) = isa_pp::decode_program(&words, words.len()) {
        let mut text = isa_pp_text::disasm(&program, Style::Asm).into_bytes();
        mutate(rng, &mut text);
        let _ = isa_pp_text::asm(&String::from_utf8_lossy(&text));
    }
}

/// Captures, damaged inside and outside the compression.
pub fn captures(rng: &mut Rng) {
    let mut plain = b"GPUCAP01".to_vec();
    let records: &[(&[u8; 4], &[u8])] = &[
        (b"INFO", br#"{"gpu":"nv2a","version":1}"#),
        (b"OBJ ", br#"{"type":"object","handle":1,"class":151}"#),
        (b"MEM ", b"\0\0\x10\0abcdefgh"),
        (b"PUSH", b"\0\0\x04\0\x01\0\0\0"),
        (b"REG ", b"\x90\x19\x40\0\x01\0\0\0"),
        (
            b"SURF",
            br#"{"addr":0,"pitch":2560,"width":640,"height":480,"format":"A8R8G8B8"}"#,
        ),
    ];
    for (tag, body) in records {
        plain.extend(*tag);
        plain.extend((body.len() as u32).to_le_bytes());
        plain.extend(*body);
    }
    mutate(rng, &mut plain);
    let Ok(mut packed) = zstd::stream::encode_all(&plain[..], 1) else {
        return;
    };
    if rng.below(4) == 0 {
        mutate(rng, &mut packed);
    }
    if let Ok(mut reader) = Reader::new(&packed[..]) {
        for _ in 0..64 {
            match reader.next_record() {
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
    }
}
