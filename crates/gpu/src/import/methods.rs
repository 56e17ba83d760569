//! Pushbuffer words and method traces of NVIDIA chips.
//!
//! Method traces say what reached the graphics engine, not what memory held: vertex
//! buffers and textures are missing, and the picture with them. What can be told from
//! them is the state.

use super::{ImportError, Imported, Warnings};
use isotherm_capture::{Push, Writer};
use isotherm_fe::fifo::{Pusher, Walk};
use isotherm_regs::Chip;
use serde_json::json;
use std::collections::BTreeMap;

/// Most words that jumps may lead through.
const BUDGET: u64 = 64 << 20;

/// Most handles that a stream's bindings are looked through for.
const MOST_HANDLES: usize = 64;

/// Raw pushbuffer words, jumps followed. `base` is the address of the first word.
/// Subchannel `s` is bound to `classes[s]` first, so that a stream that begins in the
/// middle means something.
pub fn pushbuffer(
    chip: Chip,
    words: &[u32],
    base: u32,
    classes: &[(u8, u32)],
) -> Result<Imported, ImportError> {
    let fetched = Walk {
        words,
        base,
        get: base,
        put: base.wrapping_add((words.len() as u32).wrapping_mul(4)),
        budget: BUDGET,
    }
    .fetch()?;
    if fetched.is_empty() {
        return Err(ImportError::Nothing("no pushbuffer words"));
    }
    let mut writer = start(chip, "raw pushbuffer words")?;
    let mut warnings = Vec::new();
    for (subchannel, handle) in handles(&fetched) {
        let class = classes.iter().find(|(s, _)| *s == subchannel);
        if let Some((_, class)) = class {
            writer.object(&json!({ "type": "object", "handle": handle, "class": class }))?;
            warnings.push(format!(
                "handle {handle:#x} on subchannel {subchannel} is taken for class {class:x}"
            ));
        } else {
            warnings.push(format!(
                "handle {handle:#x} on subchannel {subchannel}: no class was given for it"
            ));
        }
    }
    bind(&mut writer, classes)?;
    writer.push(&fetched)?;
    Ok(Imported {
        capture: writer.finish()?,
        warnings,
    })
}

/// The handles that a stream binds, with the first subchannel of each.
fn handles(words: &[u32]) -> Vec<(u8, u32)> {
    let mut found: Vec<(u8, u32)> = Vec::new();
    Pusher::default().run(words, |m| {
        let known = found.iter().any(|(_, handle)| *handle == m.data);
        if m.method == 0 && !known && found.len() < MOST_HANDLES {
            found.push((m.subchannel, m.data));
        }
    });
    found
}

fn start(chip: Chip, source: &str) -> Result<Writer<Vec<u8>>, ImportError> {
    Ok(Writer::new(
        Vec::new(),
        &json!({ "gpu": chip.name(), "source": source }),
    )?)
}

/// Objects of these classes, each bound to its subchannel.
fn bind(writer: &mut Writer<Vec<u8>>, classes: &[(u8, u32)]) -> Result<(), ImportError> {
    let mut push = Push::new();
    for &(subchannel, class) in classes {
        let handle = 0x1000_0000 | class;
        writer.object(&json!({ "type": "object", "handle": handle, "class": class }))?;
        push.method(subchannel, 0, &[handle]);
    }
    writer.push(push.words())?;
    Ok(())
}

/// One line of a method trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    subchannel: u8,
    class: u32,
    method: u32,
    data: u32,
    /// The line stands for several methods whose data it does not have.
    abbreviated: bool,
}

/// Lines of xemu's `nv2a_pgraph_method` trace events, as xemu, nv2a-trace and
/// xbdm_gdb_bridge write them:
///
/// ```text
/// nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE (0xf0)
/// 12345@1700000000.0:nv2a_pgraph_method 0: 0x97 -> 0x0300 NV097_SET_ALPHA_TEST_ENABLE 0x0
/// nv2a: pgraph method (0): 0x97 -> 0x1d94 (0xf0)
/// nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1818 NV097_INLINE_ARRAY * 96
/// nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_SET_FLIP_READ<0x120> (0x0 {...})
/// ```
///
/// `nv2a_pgraph_method_unhandled` repeats a line that came before. Other lines are skipped.
/// Abbreviated lines have lost their data; each gives a warning.
pub fn trace_lines(text: &str) -> Result<Imported, ImportError> {
    let mut warnings = Warnings::default();
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        if text.contains("nv2a_pgraph_method_unhandled") {
            continue;
        }
        match parse(text) {
            Some(line) if line.abbreviated => {
                let Line { method, data, .. } = line;
                warnings.add(
                    number,
                    format!("{data} words of method {method:#x} are not in the trace"),
                );
            }
            Some(line) => lines.push(line),
            None if text.contains("pgraph_method") => {
                warnings.add(number, "cannot be read; skipped")
            }
            None => {}
        }
    }
    if lines.is_empty() {
        return Err(ImportError::Nothing("no line of a method trace"));
    }
    let classes: BTreeMap<u8, u32> = lines
        .iter()
        .rev()
        .map(|line| (line.subchannel, line.class))
        .collect();
    let mut writer = start(Chip::Nv2a, "method trace")?;
    let mut bound = classes.clone();
    bind(&mut writer, &classes.into_iter().collect::<Vec<_>>())?;
    let mut push = Push::new();
    for line in lines {
        // Handles in SET_OBJECT lines mean nothing without instance memory; the class of
        // the next line on the subchannel says what was bound.
        if line.method == 0 {
            continue;
        }
        if bound.insert(line.subchannel, line.class) != Some(line.class) {
            writer.push(push.words())?;
            push = Push::new();
            bind(&mut writer, &[(line.subchannel, line.class)])?;
        }
        push.method(line.subchannel, line.method as u16, &[line.data]);
    }
    writer.push(push.words())?;
    Ok(Imported {
        capture: writer.finish()?,
        warnings: warnings.finish(),
    })
}

fn parse(text: &str) -> Option<Line> {
    // Whatever a trace backend puts before the event's name does not count.
    let after = [
        "nv2a_pgraph_method_abbrev",
        "nv2a_pgraph_method",
        "pgraph method",
    ]
    .iter()
    .find_map(|name| text.split_once(name).map(|(_, after)| after))?;
    let (subchannel, rest) = after.split_once(':')?;
    let subchannel = number(subchannel.trim().trim_matches(['(', ')']))?;
    let (class, rest) = rest.split_once("->")?;
    // What a prettifier has to say about the data stands in braces.
    let rest = rest.split('{').next().unwrap_or(rest);
    let mut words = rest.split_whitespace();
    let method = number(bracketed(words.next()?.trim_end_matches([':', ','])))?;
    let data = words.next_back()?;
    let counted = data.strip_prefix('*').filter(|count| !count.is_empty());
    let abbreviated = counted.is_some() || words.next_back() == Some("*");
    let data = counted.unwrap_or(data).trim_matches(['(', ')', ',']);
    Some(Line {
        subchannel: u8::try_from(subchannel).ok().filter(|s| *s < 8)?,
        class: number(bracketed(class.trim()))?,
        method: (method < 0x2000 && method % 4 == 0).then_some(method)?,
        data: number(data)?,
        abbreviated,
    })
}

/// The number of `NAME<0x97>`; other texts as they are.
fn bracketed(text: &str) -> &str {
    match text.split_once('<') {
        Some((_, number)) => number.trim_end_matches('>'),
        None => text,
    }
}

/// Hexadecimal with `0x`, else decimal.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_capture::{Payload, Reader};

    fn methods(file: &[u8]) -> Vec<(u8, u16, u32)> {
        let mut reader = Reader::new(file).unwrap();
        let mut pusher = Pusher::default();
        let mut out = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            if let Payload::Push(words) = record.payload {
                pusher.run(words, |m| out.push((m.subchannel, m.method, m.data)));
            }
        }
        out
    }

    #[test]
    fn all_three_spellings() {
        let text = "\
            nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE (0xf0)\n\
            123@17.5:nv2a_pgraph_method 0: 0x97 -> 0x0300 NV097_SET_ALPHA_TEST_ENABLE 0x1\n\
            something else\n\
            nv2a: pgraph method (3): 0x9f -> 0x0300 (0x80008)\n\
            nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1818 NV097_INLINE_ARRAY * 96\n\
            nv2a_pgraph_method_unhandled 0: 0x97 -> 0x0300 0x1\n\
            nv2a_pgraph_method 0: A<0x97> -> NV097_SET_FLIP_READ<0x120> (0x2 {x: 1})\n\
            nv2a_pgraph_method 0: garbage\n";
        let imported = trace_lines(text).unwrap();
        assert_eq!(imported.warnings.len(), 2);
        assert!(imported.warnings[0].contains("96 words of method 0x1818"));
        let seen = methods(&imported.capture);
        assert_eq!(
            seen[2..],
            [
                (0, 0x1D94, 0xF0),
                (0, 0x300, 1),
                (3, 0x300, 0x8_0008),
                (0, 0x120, 2)
            ]
        );
        assert_eq!((seen[0].1, seen[1].1), (0, 0));
    }

    #[test]
    fn raw_words_follow_jumps() {
        let words = [0x8 | 1, 0, 1 << 18 | 0x100, 5];
        let imported = pushbuffer(Chip::Nv2a, &words, 0, &[(0, 0x97)]).unwrap();
        assert_eq!(methods(&imported.capture)[1..], [(0, 0x100, 5)]);
        assert!(imported.warnings.is_empty());
        let words = [1 << 18, 0xBEEF, 1 << 18 | 0x100, 5];
        let imported = pushbuffer(Chip::Nv2a, &words, 0, &[(0, 0x97)]).unwrap();
        assert_eq!(
            imported.warnings,
            ["handle 0xbeef on subchannel 0 is taken for class 97"]
        );
        assert!(pushbuffer(Chip::Nv2a, &[1], 0, &[]).is_err());
        assert!(trace_lines("nothing\n").is_err());
    }
}
