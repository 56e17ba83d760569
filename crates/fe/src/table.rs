//! The form of a method table.
//!
//! A class is a list of [`Row`]s: where the methods are, when they are allowed,
//! which data they accept, and what they do. What many methods have in common
//! is data here; the odd ones name a function.

use isotherm_regs::Chip;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::field::Field;

use super::Fe;
use super::quick::Quick;

/// One execution of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Which method of the row (0 for the first).
    pub i: u32,
    /// The data, after [`Soft`] translation for the row's action.
    pub v: u32,
    /// The row's parameter.
    pub p: u32,
}

/// What happens to a method in a patch, or inside BEGIN/END.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Always allowed.
    Free,
    /// Not while a patch is in progress (Kelvin classes, DEBUG_D[3]).
    Patch,
    /// Nor inside BEGIN/END: NSOURCE 40000h in the x97h classes.
    Trap,
    /// Nor inside BEGIN/END: warning 4.
    Warn,
    /// NSOURCE 40000h in the x97h classes, warning 4 in the Celsius ones.
    TrapWarn,
    /// The same, the warning by the class whose methods run and not by the object's.
    TrapOrWarn,
    /// Warning 4 in the Celsius classes; the x97h classes do not mind.
    WarnCelsius,
}

/// Which data a method accepts; anything else is NSOURCE 2 (if DEBUG_D[20]).
#[derive(Clone, Copy)]
pub(crate) enum Check {
    /// Anything.
    Any,
    /// No bits outside the mask.
    Mask(u32),
    /// Less than.
    Below(u32),
    /// A rule of its own.
    Rule(fn(&Fe, Call) -> bool),
}

/// Which data a method takes without a warning, and how it is stored.
#[derive(Clone, Copy)]
pub(crate) enum Soft {
    /// Anything, as it is.
    Any,
    /// 0 or 1.
    Bool,
    /// Listed values and what they are stored as.
    Enum(&'static [(u32, u32)]),
    /// `first..first+n` are stored as 0 to n-1.
    Range(u32, u32),
    /// Less than, or warning 2.
    Below(u32),
    /// No bits outside the mask, or warning 1.
    Mask(u32),
    /// A rule of its own: the stored value or the warning code.
    Rule(fn(&Fe, Call) -> Result<u32, u32>),
}

/// One of the XF mode words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Lighting and materials.
    A,
    /// Lights, fog, blending weights, program or fixed function.
    B,
    /// Celsius 400F40h: lights and materials.
    CelsiusA,
    /// Celsius 400F44h: textures.
    CelsiusB,
}

/// A bundle word's bits: bundle, first bit, number of bits.
pub(crate) type Bits = (Bundle, u32, u32);
/// The bits of a declared field. Tables serve several chips; the one given is the first that has
/// the field there.
pub(crate) const fn field_at(bundle: Bundle, field: Field, chip: Chip) -> Bits {
    match field.span(chip) {
        Some(span) => (bundle, span.lo as u32, span.width()),
        None => panic!("the chip lacks the field"),
    }
}

/// Data bits that go to bits of a word: from bit, to bit, number of bits.
pub(crate) type Move = (u32, u32, u32);

/// A field of the data to a field of the word; the chip as in [`field_at`].
pub(crate) const fn moved(from: Field, to: Field, chip: Chip) -> Move {
    match from.span(chip) {
        Some(span) => bits_to(span.lo as u32, to, chip),
        None => panic!("the chip's method lacks the field"),
    }
}

/// The data from a bit on to a field of the word.
pub(crate) const fn bits_to(from: u32, to: Field, chip: Chip) -> Move {
    match to.span(chip) {
        Some(span) => (from, span.lo as u32, span.width()),
        None => panic!("the chip lacks the field"),
    }
}

/// The data from a bit on to a part of a field of the word: so many bits, so far up in it.
pub(crate) const fn bits_to_part(from: u32, to: Field, (up, len): (u32, u32), chip: Chip) -> Move {
    let (from, lo, width) = bits_to(from, to, chip);
    assert!(up + len <= width);
    (from, lo + up, len)
}

/// An XF mode word's bits.
pub(crate) type ModeBits = (Mode, u32, u32);

/// What an accepted method does.
#[derive(Clone, Copy)]
pub(crate) enum Op {
    /// Nothing.
    Nop,
    /// Puts the value into bits of a shadow word and sends the word.
    Field(Bits),
    /// The whole word of entry `i`, under a mask.
    Word(Bundle, u32),
    /// Bits of the data to bits of one word.
    Spread(Bundle, &'static [Move]),
    /// Sends the data as bundle entry `i`; there is no shadow.
    Trigger(Bundle),
    /// Puts the value into bits of an XF mode word and sends the mode.
    Mode(ModeBits),
    /// A field of a shadow word, then one of the XF mode.
    Both(Bits, ModeBits),
    /// XFCTX rows from here on, four words each.
    Xfctx(u32),
    /// An LTCTX row, three words.
    Ltctx(u32),
    /// An LTC scalar: space and row.
    Ltc(u32, u32),
    /// An immediate vertex attribute: data format, attribute, components.
    Attr(u32, u32, u32),
    /// A function, only when no error is pending.
    Do(fn(&mut Fe, Call)),
    /// A function that looks at errors itself.
    Always(fn(&mut Fe, Call)),
}

/// Some methods of a class.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// Nothing but the data decides what it does, if the front end is calm.
    pub plain: bool,
    pub at: u16,
    pub n: u16,
    pub step: u16,
    pub name: &'static str,
    /// Bit of CTX_SWITCH_T that leaves the method to software (before NV25).
    pub trap: i8,
    pub guard: Guard,
    pub check: Check,
    pub soft: Soft,
    pub op: Op,
    pub p: u32,
    /// Is the method there at all, by DEBUG_D and the object?
    pub exists: Option<fn(&Fe) -> bool>,
    /// The data is a DMA object's handle.
    pub dma: bool,
    /// The action sends bundles (Celsius prepares its pipe for them beforehand).
    pub pipe: bool,
}

impl Row {
    const fn new(at: u16, name: &'static str, guard: Guard, op: Op) -> Row {
        Row {
            plain: true,
            at,
            n: 1,
            step: 4,
            name,
            trap: -1,
            guard,
            check: Check::Any,
            soft: Soft::Any,
            op,
            p: 0,
            exists: None,
            dma: false,
            pipe: matches!(
                op,
                Op::Field(_) | Op::Word(..) | Op::Spread(..) | Op::Trigger(_) | Op::Both(..)
            ),
        }
    }

    /// `n` methods, one word apart.
    pub const fn n(mut self, n: u16) -> Row {
        self.n = n;
        self
    }

    /// `n` methods, `step` bytes apart.
    pub const fn every(mut self, n: u16, step: u16) -> Row {
        self.n = n;
        self.step = step;
        self
    }

    /// With a data check.
    pub const fn check(mut self, check: Check) -> Row {
        self.check = check;
        self
    }

    /// With a translation.
    pub const fn soft(mut self, soft: Soft) -> Row {
        self.soft = soft;
        self
    }

    /// With a software-method bit.
    pub const fn trap(mut self, bit: i8) -> Row {
        self.trap = bit;
        self
    }

    /// With a parameter for its functions.
    pub const fn p(mut self, p: u32) -> Row {
        self.p = p;
        self
    }

    /// Only if.
    pub const fn exists(mut self, exists: fn(&Fe) -> bool) -> Row {
        self.exists = Some(exists);
        self.plain = false;
        self
    }

    /// Takes a DMA object.
    pub const fn dma(mut self) -> Row {
        self.dma = true;
        self.plain = false;
        self
    }

    /// Sends bundles.
    pub const fn pipe(mut self) -> Row {
        self.pipe = true;
        self
    }

    /// With another guard.
    pub const fn guard(mut self, guard: Guard) -> Row {
        self.guard = guard;
        self
    }
}

/// A method that warns: GL style, inherited from Celsius.
pub(crate) const fn soft(at: u16, name: &'static str, soft: Soft, op: Op) -> Row {
    Row::new(at, name, Guard::Warn, op).soft(soft)
}

/// A method that traps inside BEGIN/END.
pub(crate) const fn hard(at: u16, name: &'static str, check: Check, op: Op) -> Row {
    Row::new(at, name, Guard::Trap, op).check(check)
}

/// A method that is allowed inside BEGIN/END, but not inside a patch.
pub(crate) const fn open(at: u16, name: &'static str, check: Check, op: Op) -> Row {
    Row::new(at, name, Guard::Patch, op).check(check)
}

/// A method that is always allowed.
pub(crate) const fn free(at: u16, name: &'static str, check: Check, op: Op) -> Row {
    Row::new(at, name, Guard::Free, op).check(check)
}

/// A class's rows, reachable by method number.
pub(crate) struct Table {
    rows: Vec<Row>,
    /// For every method number / 4: row + 1, index within the row.
    slots: Box<[(u16, u16); 0x800]>,
    /// For every method number / 4: what it comes down to.
    quick: Box<[Quick; 0x800]>,
}

impl Table {
    /// Later lists override earlier ones.
    pub fn new(lists: &[&[Row]]) -> Table {
        let rows: Vec<Row> = lists.iter().flat_map(|l| l.iter().copied()).collect();
        let mut slots = Box::new([(0, 0); 0x800]);
        let mut quick = Box::new([Quick::LONG; 0x800]);
        for (number, row) in rows.iter().enumerate() {
            for i in 0..row.n {
                let method = usize::from(row.at) + usize::from(i) * usize::from(row.step);
                slots[(method / 4) & 0x7ff] = (number as u16 + 1, i);
                quick[(method / 4) & 0x7ff] = Quick::new(row, number, i);
            }
        }
        Table { rows, slots, quick }
    }

    /// The row of a method and the index within it.
    #[inline]
    pub fn find(&self, method: u32) -> Option<(&Row, u32)> {
        let (row, i) = self.slots[(method >> 2) as usize & 0x7ff];
        let row = self.rows.get(usize::from(row).wrapping_sub(1))?;
        Some((row, u32::from(i)))
    }

    /// What a method comes down to when the front end is calm.
    #[inline]
    pub fn quick(&self, method: u32) -> &Quick {
        &self.quick[(method >> 2) as usize & 0x7ff]
    }

    /// A row by its number.
    #[inline]
    pub fn row(&self, number: u16) -> &Row {
        &self.rows[usize::from(number)]
    }
}
