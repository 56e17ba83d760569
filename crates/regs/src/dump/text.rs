//! Dumps as lines of text.

use super::{Error, Item, LONGEST, Place, Visit, io_error, no_chip};
use crate::chip::{Chip, Family};
use crate::find::{self, Target};
use crate::method::Class;
use crate::record::Command;
use std::io::{BufRead, Read};

/// Most values on one line.
const MOST: usize = 4096;

pub(super) fn read(
    input: &mut dyn BufRead,
    chip: Option<Chip>,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut chip = chip;
    let mut bytes = Vec::new();
    let mut values = Vec::new();
    let mut number = 0;
    loop {
        number += 1;
        let place = Place::Line(number);
        bytes.clear();
        let read = input
            .take(LONGEST as u64 + 1)
            .read_until(b'\n', &mut bytes)
            .map_err(|e| io_error(place, &e))?;
        if read == 0 {
            return Ok(());
        }
        let error = |problem: String| Error { place, problem };
        if bytes.len() > LONGEST {
            return Err(error(format!("the line is longer than {LONGEST} bytes")));
        }
        let line = std::str::from_utf8(&bytes)
            .map_err(|e| error(format!("not text at byte {} of the line", e.valid_up_to())))?;
        let line = line.split('#').next().unwrap_or_default();
        let line = line.split("//").next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("chip ") {
            chip = Some(Chip::parse(name.trim()).ok_or_else(|| error(unknown_chip(name.trim())))?);
            continue;
        }
        let chip = chip.ok_or_else(|| no_chip(place))?;
        statement(chip, line, &mut values, place, visit)?;
    }
}

/// What to say to a chip nobody knows.
pub(super) fn unknown_chip(name: &str) -> String {
    let name: String = name.chars().take(40).collect();
    let all: Vec<_> = Chip::ALL.iter().map(|c| c.name()).collect();
    format!("no chip is called {name:?}; there are {}", all.join(", "))
}

/// `NAME VALUE…`, with `=` or `:` allowed after the name.
fn statement(
    chip: Chip,
    line: &str,
    values: &mut Vec<u32>,
    place: Place,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let error = |problem: String| Error { place, problem };
    let mut tokens = line.split([' ', '\t', '=', ',']).filter(|t| !t.is_empty());
    let name = tokens.next().unwrap_or_default().trim_end_matches(':');
    values.clear();
    for token in tokens {
        if values.len() == MOST {
            return Err(error(format!("more than {MOST} values on a line")));
        }
        values.push(hex(token).ok_or_else(|| {
            error(format!(
                "{:?} is not a 32-bit hexadecimal number",
                token.chars().take(40).collect::<String>()
            ))
        })?);
    }
    named(chip, name, values, place, visit)
}

/// Hands out what a name and its values are; shared with JSON.
pub(super) fn named(
    chip: Chip,
    name: &str,
    values: &[u32],
    place: Place,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let error = |problem: String| Error { place, problem };
    // JSON's names may have a line's end or worse in them.
    let said = name.escape_debug();
    if values.is_empty() {
        return Err(error(format!(
            "{said} has no value; NAME VALUE was expected"
        )));
    }
    let mut give = |target: Target, words: &[u32]| {
        visit(Item {
            chip,
            target,
            words,
            place,
        })
        .map_err(error)
    };
    if let Some(address) = hex(name).filter(|_| chip.family() != Family::Utgard) {
        // an address: the values are neighbours
        for (i, value) in values.iter().enumerate() {
            let (address, target) = if address < 0x200 {
                let id = address + i as u32;
                (
                    id,
                    u16::try_from(id).ok().and_then(|id| find::by_id(chip, id)),
                )
            } else {
                let address = address.wrapping_add(4 * i as u32);
                (address, find::by_dump_address(chip, address))
            };
            let target = target.ok_or_else(|| {
                error(format!(
                    "{} has no state word at {address:#x}; a bundle id or the address of a shadow register was expected",
                    chip.name()
                ))
            })?;
            give(target, &[*value])?;
        }
        return Ok(());
    }
    let target = find::find(chip, name).map_err(|e| error(e.to_string()))?;
    match target {
        Target::Method(class, _, at) => methods(class, at, values, error, &mut give),
        Target::Commands(_, table) => commands(target, table, values, error, &mut give),
        Target::Record(record) if values.len() != record.slots.len() => Err(error(format!(
            "{said} has {} words, {} were given",
            record.slots.len(),
            values.len()
        ))),
        Target::Record(_) => give(target, values),
        Target::Context(ram, ..) if values.len() > ram.width() => Err(error(format!(
            "{said} has {} words, {} were given",
            ram.width(),
            values.len()
        ))),
        Target::Context(..) => give(target, values),
        Target::Bundle(bundle, first) => {
            for (entry, value) in (first..).zip(values) {
                let known = bundle.row().on(chip).is_some_and(|ids| entry < ids.count);
                if !known {
                    return Err(error(format!("{} has no entry {entry}", bundle.name())));
                }
                give(Target::Bundle(bundle, entry), &[*value])?;
            }
            Ok(())
        }
        Target::Mode(..) | Target::Slot(..) if values.len() > 1 => Err(error(format!(
            "{said} is one word, {} were given",
            values.len()
        ))),
        Target::Mode(..) | Target::Slot(..) | Target::Register(_) => give(target, values),
    }
}

fn methods(
    class: &'static Class,
    first: u16,
    values: &[u32],
    error: impl Fn(String) -> Error,
    give: &mut impl FnMut(Target, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    for (i, value) in values.iter().enumerate() {
        let at = u32::from(first) + 4 * i as u32;
        let method = u16::try_from(at)
            .ok()
            .and_then(|at| class.method(at))
            .ok_or_else(|| error(format!("class {:x} has no method {at:#x}", class.id)))?;
        give(Target::Method(class, method, at as u16), &[*value])?;
    }
    Ok(())
}

fn commands(
    target: Target,
    table: &'static [Command],
    values: &[u32],
    error: impl Fn(String) -> Error,
    give: &mut impl FnMut(Target, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    if !values.len().is_multiple_of(2) {
        return Err(error(
            "commands are pairs of words, a value and an opcode".into(),
        ));
    }
    for pair in values.chunks_exact(2) {
        if Command::find(table, pair[1]).is_none() {
            return Err(error(format!(
                "no command has the opcode {:#010x}",
                pair[1]
            )));
        }
        give(target, pair)?;
    }
    Ok(())
}

/// A hexadecimal number of up to 32 bits, with or without `0x` or `h`.
pub(super) fn hex(token: &str) -> Option<u32> {
    let digits = token
        .strip_prefix("0x")
        .or_else(|| token.strip_prefix("0X"))
        .or_else(|| token.strip_suffix(['h', 'H']))
        .unwrap_or(token);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()))
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}
