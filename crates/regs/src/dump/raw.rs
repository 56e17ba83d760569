//! Raw little-endian words.

use super::{Error, Item, Place, Visit, io_error, no_chip};
use crate::chip::{Chip, Family};
use crate::find::{self, Target};
use crate::mali::words as mali;
use crate::method::Class;
use crate::stream::{self, Step};
use std::io::BufRead;

/// What raw words are.
#[derive(Clone, Copy, Debug)]
pub enum Raw {
    /// What the pusher fetches; methods are those of this class.
    Push(u16),
    /// One word or record after another.
    Of(Target),
    /// Registers from this MMIO address on; those without a name are passed over.
    Registers(u32),
}

impl Raw {
    /// What raw words of a chip most likely are: a pusher stream for its 3D class,
    /// or render states.
    pub fn natural(chip: Option<Chip>) -> Raw {
        match chip.map(Chip::family) {
            Some(Family::Utgard) => Raw::Of(Target::Record(&mali::RSW)),
            _ => Raw::Push(chip.map_or(0, class_of)),
        }
    }
}

/// The 3D class a chip's driver uses.
pub fn class_of(chip: Chip) -> u16 {
    match chip.family() {
        Family::Celsius if chip.since(Chip::Nv17) => 0x99,
        Family::Celsius if chip.since(Chip::Nv15) => 0x96,
        Family::Celsius => 0x56,
        Family::Kelvin if chip.since(Chip::Nv25) => 0x597,
        Family::Kelvin => 0x97,
        Family::Rankine => match chip {
            Chip::Nv34 => 0x697,
            Chip::Nv35 | Chip::Nv36 => 0x497,
            _ => 0x397,
        },
        Family::Curie => match chip {
            Chip::Nv44
            | Chip::Nv46
            | Chip::Nv4a
            | Chip::Nv4c
            | Chip::Nv4e
            | Chip::Nv63
            | Chip::Nv67
            | Chip::Nv68 => 0x4497,
            _ => 0x4097,
        },
        Family::Utgard => 0,
    }
}

/// Words, one at a time, with their offsets.
struct Words<'i> {
    input: &'i mut dyn BufRead,
    offset: u64,
}

impl Words<'_> {
    /// The next word; `None` at the end, an error if the end cuts a word.
    fn next(&mut self) -> Result<Option<u32>, Error> {
        let mut bytes = [0; 4];
        let mut got = 0;
        while got < 4 {
            let place = Place::Offset(self.offset + got as u64);
            match self.input.read(&mut bytes[got..]) {
                Ok(0) if got == 0 => return Ok(None),
                Ok(0) => {
                    return Err(Error {
                        place,
                        problem: format!("the last word has {got} bytes, 4 were expected"),
                    });
                }
                Ok(n) => got += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(io_error(place, &e)),
            }
        }
        self.offset += 4;
        Ok(Some(u32::from_le_bytes(bytes)))
    }
}

pub(super) fn read(
    input: &mut dyn BufRead,
    chip: Option<Chip>,
    raw: Raw,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let chip = chip.ok_or_else(|| no_chip(Place::Offset(0)))?;
    let mut words = Words { input, offset: 0 };
    match raw {
        Raw::Push(class) => push(&mut words, chip, class, visit),
        Raw::Of(target) => repeated(&mut words, chip, target, visit),
        Raw::Registers(base) => registers(&mut words, chip, base, visit),
    }
}

fn push(words: &mut Words<'_>, chip: Chip, class: u16, visit: &mut Visit<'_>) -> Result<(), Error> {
    let class = Class::by_id(class).ok_or_else(|| Error {
        place: Place::Offset(0),
        problem: format!("no class {class:#x}"),
    })?;
    let index = stream::Index::new(class);
    let mut walk = stream::Walk::default();
    while let Some(word) = words.next()? {
        let place = Place::Offset(words.offset - 4);
        match walk.step(word) {
            Step::Header | Step::Jump => {}
            Step::Bad => {
                return Err(Error {
                    place,
                    problem: format!("{word:#010x} is not a pusher command"),
                });
            }
            Step::Data(at) => {
                let method = index.method(at).ok_or_else(|| Error {
                    place,
                    problem: format!("class {:x} has no method {at:#06x}", class.id),
                })?;
                visit(Item {
                    chip,
                    target: Target::Method(class, method, at),
                    words: &[word],
                    place,
                })
                .map_err(|problem| Error { place, problem })?;
            }
        }
    }
    match walk.wanted() {
        0 => Ok(()),
        n => Err(Error {
            place: Place::Offset(words.offset),
            problem: format!("the stream ends, {n} more words of data were expected"),
        }),
    }
}

fn repeated(
    words: &mut Words<'_>,
    chip: Chip,
    target: Target,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let size = match target {
        Target::Record(record) => record.slots.len(),
        Target::Commands(..) => 2,
        Target::Context(ram, ..) => ram.width(),
        _ => 1,
    };
    let mut buffer = [0; 32];
    loop {
        let place = Place::Offset(words.offset);
        let mut got = 0;
        while got < size {
            match words.next()? {
                Some(word) => buffer[got] = word,
                None if got == 0 => return Ok(()),
                None => {
                    return Err(Error {
                        place,
                        problem: format!(
                            "{} has {size} words, the input ends after {got}",
                            target.label()
                        ),
                    });
                }
            }
            got += 1;
        }
        visit(Item {
            chip,
            target,
            words: &buffer[..size],
            place,
        })
        .map_err(|problem| Error { place, problem })?;
    }
}

fn registers(
    words: &mut Words<'_>,
    chip: Chip,
    base: u32,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut address = base;
    while let Some(word) = words.next()? {
        let place = Place::Offset(words.offset - 4);
        if let Some(target) = find::by_mmio(chip, address) {
            visit(Item {
                chip,
                target,
                words: &[word],
                place,
            })
            .map_err(|problem| Error { place, problem })?;
        }
        address = address.wrapping_add(4);
    }
    Ok(())
}
