//! Walking pusher streams word by word, without allocation.

use crate::chip::Chip;
use crate::field::{Field, Kind};
use crate::method::{Class, Method};

/// What a word of a pusher stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The header of a run of methods.
    Header,
    /// A jump, call or return.
    Jump,
    /// Data of the method at this address.
    Data(u16),
    /// Nothing the pusher knows.
    Bad,
}

/// Follows a pusher stream. Jumps are noticed, not followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk {
    left: u16,
    at: u16,
    step: u16,
    subchannel: u8,
}

impl Walk {
    /// Takes the next word.
    #[inline]
    pub fn step(&mut self, word: u32) -> Step {
        if self.left > 0 {
            let at = self.at;
            self.left -= 1;
            self.at = self.at.wrapping_add(self.step) & 0x1ffc;
            return Step::Data(at);
        }
        match word {
            // a run of methods, ascending or all to one address
            _ if word & 0xa003_0003 == 0 => {
                self.left = (word >> 18 & 0x7ff) as u16;
                self.at = (word & 0x1ffc) as u16;
                self.subchannel = (word >> 13 & 7) as u8;
                self.step = if word & 0x4000_0000 == 0 { 4 } else { 0 };
                Step::Header
            }
            // the old jump, the jump, the call, the return
            _ if word & 0xe000_0003 == 0x2000_0000
                || matches!(word & 3, 1 | 2)
                || word == 0x0002_0000 =>
            {
                Step::Jump
            }
            _ => Step::Bad,
        }
    }

    /// Words of data still to come.
    pub fn wanted(&self) -> u16 {
        self.left
    }

    /// The subchannel of the current run.
    pub fn subchannel(&self) -> u8 {
        self.subchannel
    }
}

/// A class's methods by address, made once.
pub struct Index {
    methods: Vec<Option<&'static Method>>,
}

impl Index {
    /// Indexes a class.
    pub fn new(class: &Class) -> Index {
        let mut methods = vec![None; 0x800];
        for method in class.methods() {
            for at in method.addresses() {
                methods[usize::from(at / 4)] = Some(method);
            }
        }
        Index { methods }
    }

    /// The method at an address.
    #[inline]
    pub fn method(&self, at: u16) -> Option<&'static Method> {
        self.methods.get(usize::from(at / 4)).copied().flatten()
    }
}

/// A field prepared for one chip.
#[derive(Clone, Copy)]
pub struct Prepared {
    /// The field.
    pub field: &'static Field,
    shift: u8,
    mask: u32,
    /// Bit `n` set: the number `n` has a name.
    named: u64,
    /// The same for numbers from 64 on, by a hash; a set bit must be looked up.
    maybe: u64,
}

/// Spreads a number over 64 bits.
#[inline(always)]
fn spread(value: u32) -> u64 {
    1 << (value.wrapping_mul(0x9e37_79b1) >> 26)
}

impl Prepared {
    /// Reads the field.
    #[inline(always)]
    pub fn get(&self, word: u32) -> u32 {
        word >> self.shift & self.mask
    }

    /// Is the number one that the field's enumeration names, or is it no enumeration?
    #[inline]
    pub fn is_named(&self, chip: Chip, value: u32) -> bool {
        if value < 64 {
            return self.named >> value & 1 != 0;
        }
        if self.maybe & spread(value) == 0 {
            return false;
        }
        match self.field.kind {
            Kind::Enum(values) => values.name_of(chip, value).is_some(),
            _ => true,
        }
    }
}

/// Decodes the data of a class's methods to fields, for one chip; prepared once,
/// then no allocation and no search per word.
pub struct Decoder {
    chip: Chip,
    /// First field and number of fields of each method, and its declared bits.
    slots: Vec<(u32, u32, u32)>,
    fields: Vec<Prepared>,
    walk: Walk,
}

/// What a [`Decoder`] met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Words of data decoded.
    pub words: u64,
    /// Fields decoded.
    pub fields: u64,
    /// Sum of all field values, so that no work can be left out.
    pub sum: u64,
    /// Fields with a number that has no name.
    pub unnamed: u64,
    /// Words for which the class has no method.
    pub unknown: u64,
    /// Words with bits set that no field declares.
    pub undeclared: u64,
}

impl Decoder {
    /// Prepares a class for a chip.
    pub fn new(chip: Chip, class: &Class) -> Decoder {
        let mut slots = vec![(0, 0, u32::MAX); 0x800];
        let mut fields = Vec::new();
        for method in class.methods() {
            let first = fields.len() as u32;
            for field in method.data.on(chip, 0) {
                let Some(span) = field.span(chip) else {
                    continue;
                };
                let (named, maybe) = match field.kind {
                    Kind::Enum(values) => values.list.iter().filter(|v| v.on(chip)).fold(
                        (0, 0),
                        |(small, large), v| match v.value {
                            0..64 => (small | 1 << v.value, large),
                            _ => (small, large | spread(v.value)),
                        },
                    ),
                    _ => (u64::MAX, u64::MAX),
                };
                fields.push(Prepared {
                    field,
                    shift: span.lo,
                    mask: span.mask() >> span.lo,
                    named,
                    maybe,
                });
            }
            let slot = (
                first,
                fields.len() as u32 - first,
                method.data.mask(chip, 0),
            );
            for at in method.addresses() {
                slots[usize::from(at / 4)] = slot;
            }
        }
        Decoder {
            chip,
            slots,
            fields,
            walk: Walk::default(),
        }
    }

    /// The fields of the method at an address; `None` if there is no such method.
    #[inline]
    pub fn fields(&self, at: u16) -> Option<&[Prepared]> {
        let &(first, count, _) = self.slots.get(usize::from(at / 4))?;
        (count > 0).then(|| &self.fields[first as usize..(first + count) as usize])
    }

    /// Decodes the next words of a stream. `visit` gets every field with its value.
    pub fn run(
        &mut self,
        words: &[u32],
        tally: &mut Tally,
        mut visit: impl FnMut(u16, &Prepared, u32),
    ) {
        for &word in words {
            let Step::Data(at) = self.walk.step(word) else {
                continue;
            };
            let (first, count, mask) = self.slots[usize::from(at / 4) & 0x7ff];
            tally.words += 1;
            tally.unknown += u64::from(count == 0);
            tally.undeclared += u64::from(word & !mask != 0);
            tally.fields += u64::from(count);
            for field in &self.fields[first as usize..(first + count) as usize] {
                let value = field.get(word);
                tally.sum = tally.sum.wrapping_add(value.into());
                tally.unnamed += u64::from(!field.is_named(self.chip, value));
                visit(at, field, value);
            }
        }
    }

    /// Decodes the next words of a stream and only counts: what `bench decode` measures. Without a
    /// type parameter, so that it is compiled here and not with the program, which is not optimised.
    pub fn count(&mut self, words: &[u32], tally: &mut Tally) {
        self.run(words, tally, |_, _, _| {});
    }
}

/// Decodes a pusher stream of a class and counts what is in it.
pub fn decode_push(chip: Chip, class: &Class, words: &[u32]) -> Tally {
    let mut tally = Tally::default();
    Decoder::new(chip, class).count(words, &mut tally);
    tally
}

/// A stream for measurements: all methods of a class in runs, with data from a
/// seeded generator, about `words` words long.
pub fn sample(class: &Class, words: usize, seed: u64) -> Vec<u32> {
    let mut state = seed | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let methods: Vec<_> = class.methods().collect();
    let mut out = Vec::with_capacity(words + 64);
    while out.len() < words && !methods.is_empty() {
        let method = methods[random() as usize % methods.len()];
        let run = if method.dims[1].0 > 0 {
            method.dims[1]
        } else {
            method.dims[0]
        };
        let count = if run.1 == 4 {
            u32::from(run.0).min(32)
        } else {
            1
        };
        out.push(count << 18 | u32::from(method.at));
        for _ in 0..count {
            out.push(random());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_runs_and_jumps() {
        let mut walk = Walk::default();
        let steps: Vec<_> = [
            0x0008_0300,
            1,
            0,
            0x4008_1818,
            5,
            6,
            0x2000_1000,
            0xffff_ffff,
        ]
        .into_iter()
        .map(|w| walk.step(w))
        .collect();
        assert_eq!(
            steps,
            [
                Step::Header,
                Step::Data(0x300),
                Step::Data(0x304),
                Step::Header,
                Step::Data(0x1818),
                Step::Data(0x1818),
                Step::Jump,
                Step::Bad
            ]
        );
    }

    #[test]
    fn samples_decode_without_unknown_methods() {
        for class in crate::method::CLASSES.iter().filter(|c| c.is_3d()) {
            let words = sample(class, 10_000, 7);
            let tally = decode_push(class.since, class, &words);
            assert_eq!(tally.unknown, 0, "{:x}", class.id);
            assert!(tally.words > 5_000 && tally.fields > tally.words);
        }
    }
}
