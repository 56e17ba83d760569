//! Every word of every chip, with random values, comes back from its fields and
//! from its text.

use isotherm_regs::bundle::Bundle;
use isotherm_regs::method::CLASSES;
use isotherm_regs::{Chip, Word, dump, explain, find};

/// A seeded generator; the failing seed is in the message.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // all-random bits, few bits, and the ends of ranges
        let bits = (self.0 >> 20) as u32;
        match self.0 & 7 {
            0 => bits & (bits >> 3) & (bits >> 7),
            1 => bits | (bits >> 3) | (bits << 5),
            2 => 0,
            3 => u32::MAX,
            _ => bits,
        }
    }
}

/// Words a chip has: bundles, mode words, method data, records' words.
fn words_of(chip: Chip) -> Vec<(String, &'static Word, u16)> {
    let mut words = Vec::new();
    for bundle in Bundle::all() {
        for entry in 0..bundle.row().on(chip).map_or(0, |ids| ids.count) {
            words.push((bundle.name().to_string(), bundle.word(), entry));
        }
    }
    for record in find::records(chip) {
        for slot in record.slots {
            words.push((record.name.into(), slot.word, 0));
            if let Some((_, _, other)) = slot.otherwise {
                words.push((record.name.into(), other, 0));
            }
        }
    }
    for class in CLASSES.iter().filter(|c| chip.since(c.since)) {
        for method in class.methods() {
            words.push((format!("{:x} {}", class.id, method.name), method.data, 0));
        }
    }
    words
}

#[test]
fn fields_make_the_word_again() {
    let mut random = Random(0x1507_3e12);
    let mut checked = 0u64;
    for &chip in Chip::ALL {
        for (place, word, entry) in words_of(chip) {
            for _ in 0..6 {
                let value = random.next();
                let mut built = value & !word.mask(chip, entry);
                for field in word.on(chip, entry) {
                    let raw = field.get(chip, value);
                    built = field.set(chip, built, raw).unwrap();
                }
                assert_eq!(built, value, "{} {place} {}", chip.name(), word.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 100_000, "{checked}");
}

#[test]
fn text_makes_the_word_again() {
    let mut random = Random(0xc0ff_ee11);
    for &chip in Chip::ALL {
        for (place, word, entry) in words_of(chip) {
            for _ in 0..3 {
                let value = random.next();
                let text = explain::word(chip, word, entry, value).fields();
                let back = explain::encode(chip, word, entry, text.split_whitespace());
                assert_eq!(
                    back,
                    Ok(value),
                    "{} {place} {}: {text}",
                    chip.name(),
                    word.name
                );
            }
        }
    }
}

#[test]
fn names_are_unique_in_a_word() {
    for &chip in Chip::ALL {
        for (place, word, entry) in words_of(chip) {
            let mut names: Vec<_> = word.on(chip, entry).iter().map(|f| f.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(
                names.len(),
                word.on(chip, entry).len(),
                "{} {place} {}",
                chip.name(),
                word.name
            );
        }
    }
}

#[test]
fn errors_list_what_would_do() {
    use isotherm_regs::bundle::RASTER;
    let encode = |chip, item| {
        explain::encode(chip, &RASTER::WORD, 0, [item])
            .unwrap_err()
            .to_string()
    };
    assert!(encode(Chip::Nv25, "CULL_FACE=SIDEWAYS").contains("FRONT_AND_BACK"));
    assert!(encode(Chip::Nv25, "CULL_FACE=4").contains("0x3"));
    assert!(encode(Chip::Nv25, "CULL").contains("FIELD=VALUE"));
    assert!(encode(Chip::Nv25, "NOTHING=1").contains("POLYGON_MODE_FRONT"));
    assert!(encode(Chip::Nv25, "POLYGON_STIPPLE_ENABLE=1").contains("[NV20:NV25]"));
    assert!(encode(Chip::Nv25, "LINE_WIDTH=1.03").contains("1/8"));
    assert!(encode(Chip::Nv10, "UNDECLARED=0x1").contains("0x3000030"));
    let twice = explain::encode(Chip::Nv25, &RASTER::WORD, 0, ["CULL_FACE=1", "CULL_FACE=2"]);
    assert!(twice.unwrap_err().to_string().contains("twice"));
}

/// Reads a dump and gives every word back.
fn read(chip: Option<Chip>, text: &[u8]) -> Result<Vec<(String, Vec<u32>)>, String> {
    let mut items = Vec::new();
    let options = dump::Options { chip, form: None };
    dump::read(&mut &text[..], options, &mut |item| {
        items.push((item.target.label(), item.words.to_vec()));
        Ok(())
    })
    .map_err(|e| e.to_string())?;
    Ok(items)
}

#[test]
fn dumps_of_all_forms_say_the_same() {
    let text = b"chip nv25\n# a comment\nRASTER 20600084\n0x401990: 0x1\n97:1e60 = 8, 9\n".to_vec();
    let json = br#"{"chip":"nv25","words":[{"name":"RASTER","value":"0x20600084"},{"addr":"401990","value":1},{"method":"97:1e60","value":8,"fields":{"x":[1,{"y":null}]}}],"note":[] }"#;
    let plain = br#"{"RASTER": 543162500, "0x401990": "1"}"#;
    let error = read(None, &text).unwrap_err();
    assert!(
        error.starts_with("line 5: class 97 has no method 0x1e64"),
        "{error}"
    );
    let text = &text[..text.len() - 3];
    let items = read(None, text).unwrap();
    assert_eq!(items[0], ("RASTER".into(), vec![0x2060_0084]));
    assert_eq!(items[1], ("RASTER".into(), vec![1]));
    assert_eq!(items[2], ("97:1e60 RC_CONFIG".into(), vec![8]));
    // an unknown key must be a name
    assert!(read(None, json).unwrap_err().contains("note"));
    let json = String::from_utf8_lossy(json).replace(r#","note":[] "#, "");
    assert_eq!(read(None, json.as_bytes()).unwrap(), items);
    assert_eq!(read(Some(Chip::Nv25), plain).unwrap(), items[..2]);
    let mut raw = Vec::new();
    for word in [0x0004_1e60u32, 8, 0x0008_0300, 1, 0] {
        raw.extend(word.to_le_bytes());
    }
    let items = read(Some(Chip::Nv20), &raw).unwrap();
    assert_eq!(items[0], ("97:1e60 RC_CONFIG".into(), vec![8]));
    assert_eq!(items[2], ("97:0304 BLEND_FUNC_ENABLE".into(), vec![0]));
    raw.truncate(15);
    assert!(
        read(Some(Chip::Nv20), &raw)
            .unwrap_err()
            .contains("3 bytes")
    );
}

#[test]
fn registers_that_are_no_state_words_are_kept() {
    let items = read(Some(Chip::Nv20), b"400084 12345678\n40198c 1 2 3\n").unwrap();
    assert_eq!(items[0], ("register 0x400084".into(), vec![0x1234_5678]));
    assert_eq!(items[1], ("POINT_SIZE".into(), vec![1]));
    assert_eq!(items[2], ("RASTER".into(), vec![2]));
    assert_eq!(items[3], ("TEX_SHADER_CULL_MODE".into(), vec![3]));
    assert!(read(Some(Chip::Nv20), b"400083 1\n").is_err());
    assert!(read(Some(Chip::Nv20), b"f0000000 1\n").is_err());
}

#[test]
fn hostile_dumps_end_in_an_error_with_a_place() {
    let long = [b'1'; 200_000];
    let cases: &[(&[u8], &str)] = &[
        (b"RASTER", "which chip"),
        (b"chip nv99\n", "line 1: no chip is called \"nv99\""),
        (b"chip nv25\nRASTER\n", "line 2: RASTER has no value"),
        (b"chip nv25\nRASTER 12345678901\n", "line 2"),
        (b"chip nv25\nRASTER xyz\n", "hexadecimal"),
        (b"chip nv25\nRASTRE 1\n", "RASTER"),
        (b"chip nv25\n0x9 1\n\xff\xfe\n", "which chip"),
        (b"chip mali400\nrsw 1 2 3\n", "16 words, 3 were given"),
        (b"chip mali400\nplbu 1\n", "pairs"),
        (
            b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "nested deeper",
        ),
        (b"{\"chip\":\"nv25\",\"RASTER\":4294967296}", "32 bits"),
        (b"{\"chip\":\"nv25\",\"RASTER\":1.5}", "whole number"),
        (b"{\"chip\":\"nv25\",\"RASTER\":", "number was expected"),
        (b"{\"chip", "ends in a string"),
        (b"{\"name\":\"RASTER\"}", "no \"value\""),
        (
            b"[{\"chip\":\"mali400\",\"name\":\"rsw\n\",\"value\":[1]}]",
            "rsw\\n has 16 words",
        ),
        (&long, "longer than"),
    ];
    for (input, expected) in cases {
        let error = read(None, input).unwrap_err();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
        assert!(!error.contains('\n'), "{error:?} is more than a line");
    }
}
