//! The form of a method table.
//!
//! A class is a list of [`Row`]s: a declared method, when it is allowed, which data it accepts,
//! and what it does. What many methods have in common is data here; the odd ones name a
//! function. A table is made for one chip, so that a field has one place in it.

use isotherm_regs::bundle::Bundle;
use isotherm_regs::field::Field as RegField;
use isotherm_regs::method::Method;
use isotherm_regs::xf::ctx::{self, Ram};
use isotherm_regs::{Chip, Family};

use super::Fe;
use super::chips::class_chip;
use super::shortcut::Shortcut;

/// One execution of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The method's place in its array; of two, in the inner one.
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
    /// Only bits that the method's declaration has on the chip.
    Declared,
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
    /// Only bits that the method's declaration has on the chip, or warning 1.
    Declared,
    /// No bits outside the mask, or warning 1.
    Mask(u32),
    /// A rule of its own: the stored value or the warning code.
    Rule(fn(&Fe, Call) -> Result<u32, u32>),
}

/// One of the XF mode words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// XFMODE_A: lighting and materials.
    A,
    /// XFMODE_B: lights, fog, blending weights, program or fixed function.
    B,
    /// CELSIUS_XFMODE_B, 400F40h: lights and materials.
    CelsiusLights,
    /// CELSIUS_XFMODE_A, 400F44h: textures.
    CelsiusTextures,
}

/// A field of the data that goes to a field of a word.
pub(crate) type Move = (RegField, RegField);

/// The fourth word of an XFCTX row that a method has three words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fourth {
    /// 1.
    One,
    /// The third word again.
    Third,
}

/// What an accepted method does.
#[derive(Clone, Copy)]
pub(crate) enum Op {
    /// Nothing.
    Nop,
    /// Puts the value into a field of a shadow word and sends the word.
    Field(Bundle, RegField),
    /// Sends a shadow word as it is: what a field comes down to that the chip lacks.
    Resend(Bundle),
    /// The declared bits of the word of entry `i`.
    Word(Bundle),
    /// Fields of the data to fields of one word.
    Spread(Bundle, &'static [Move]),
    /// The same, sent without being kept: the chip has no shadow for it.
    SpreadSend(Bundle, &'static [Move]),
    /// Sends the data as bundle entry `i`; there is no shadow.
    Trigger(Bundle),
    /// Puts the value into a field of an XF mode word and sends the mode.
    Mode(Mode, RegField),
    /// Fields of the data to fields of an XF mode word.
    SpreadMode(Mode, &'static [Move]),
    /// A field of a shadow word, then one of the XF mode.
    Both(Bundle, RegField, Mode, RegField),
    /// Loads the entry of a context memory that has this name; `{}` is the unit.
    Load(&'static str),
    /// The same; the third word stands for the fourth too.
    LoadThird(&'static str),
    /// XFCTX rows from here on, four words each.
    Xfctx(u32),
    /// An XFCTX row from three words, and what the fourth is.
    Xfctx3(u32, Fourth),
    /// An LTCTX row, three words.
    Ltctx(u32),
    /// An LTC scalar: space and row.
    Ltc(u32, u32),
    /// An immediate vertex attribute: its name (`{}` is the unit), data format, components.
    Attr(&'static str, u32, u32),
    /// The same by number.
    AttrAt(u32, u32, u32),
    /// Vertices by their numbers: two of 16 bits, low half first.
    Index16,
    /// A vertex by its number.
    Index32,
    /// A function, only when no error is pending.
    Do(fn(&mut Fe, Call)),
    /// A function that looks at errors itself.
    Always(fn(&mut Fe, Call)),
}

/// Some methods of a class.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// Address, name, array shape, data.
    pub method: Method,
    /// Nothing but the data decides what it does, if the front end is settled.
    pub plain: bool,
    /// Bit of CTX_SWITCH_T that leaves the method to software (before NV25).
    pub trap: i8,
    pub guard: Guard,
    pub check: Check,
    pub soft: Soft,
    pub op: Op,
    /// Bits of the shadow word that [`Op::Word`] replaces.
    pub kept: u32,
    pub p: u32,
    /// Is the method there at all, by DEBUG_D and the object?
    pub exists: Option<fn(&Fe) -> bool>,
    /// The data is a DMA object's handle.
    pub dma: bool,
    /// The action sends bundles (Celsius prepares its pipe for them beforehand).
    pub pipe: bool,
}

impl Row {
    const fn new(method: Method, guard: Guard, op: Op) -> Row {
        Row {
            method,
            plain: true,
            trap: -1,
            guard,
            check: Check::Any,
            soft: Soft::Any,
            op,
            kept: !0,
            p: 0,
            exists: None,
            dma: false,
            pipe: matches!(
                op,
                Op::Field(..) | Op::Word(..) | Op::Spread(..) | Op::Trigger(_) | Op::Both(..)
            ),
        }
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

    /// There only under a condition.
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

    /// The action of one unit: a named context entry as a place in its memory.
    fn of_unit(mut self, chip: Chip, unit: usize) -> Row {
        let (pattern, fourth) = match self.op {
            Op::Attr(pattern, format, n) => {
                let name = pattern.replace("{}", &unit.to_string());
                self.op = Op::AttrAt(attribute(chip, &name), format, n);
                return self;
            }
            Op::Load(pattern) => (pattern, Fourth::One),
            Op::LoadThird(pattern) => (pattern, Fourth::Third),
            _ => return self,
        };
        let name = pattern.replace("{}", &unit.to_string());
        let [outer, inner] = self.method.dims;
        let words = if inner.0 > 0 { inner.0 } else { outer.0 };
        self.op = match ctx::find(chip, &name) {
            Some((Ram::Xfctx, row)) if words == 3 => Op::Xfctx3(row.into(), fourth),
            Some((Ram::Xfctx, row)) => Op::Xfctx(row.into()),
            Some((Ram::Ltctx, row)) => Op::Ltctx(row.into()),
            Some((Ram::Ltc(space), row)) => Op::Ltc(space.into(), row.into()),
            Some((Ram::Vab, _)) | None => {
                let known = Ram::ALL.iter().any(|ram| ram.by_name(&name).is_some());
                debug_assert!(known, "no context memory has {name}");
                Op::Nop
            }
        };
        self
    }

    /// The row as a chip has it: fields in their places, checks as masks.
    fn on(mut self, chip: Chip, class_chip: Chip) -> Row {
        let declared = self.method.data.mask(class_chip, 0);
        if let Check::Declared = self.check {
            self.check = Check::Mask(declared);
        }
        if let Soft::Declared = self.soft {
            self.soft = Soft::Mask(declared);
        }
        self.op = match self.op {
            Op::Field(bundle, field) => match field.on(chip) {
                Some(field) => Op::Field(bundle, field),
                None => Op::Resend(bundle),
            },
            Op::Mode(mode, field) if chip.family() == Family::Curie => Op::Mode(mode, field),
            Op::Mode(mode, field) => field.on(chip).map_or(Op::Nop, |f| Op::Mode(mode, f)),
            Op::Both(bundle, field, mode, other) => match (field.on(chip), other.on(chip)) {
                (Some(field), Some(other)) => Op::Both(bundle, field, mode, other),
                (Some(field), None) => Op::Field(bundle, field),
                (None, _) => Op::Resend(bundle),
            },
            Op::Word(bundle) | Op::Spread(bundle, _)
                if bundle.row().ids(chip.family()).is_none() =>
            {
                Op::Nop
            }
            Op::Spread(bundle, moves) if bundle.row().on(chip).is_none() => {
                Op::SpreadSend(bundle, moves)
            }
            Op::Word(bundle) => {
                self.kept = bundle.word().mask(chip, 0);
                self.op
            }
            op => op,
        };
        self
    }
}

/// The number of a vertex attribute that has a name, or is one. Rankine numbers them otherwise,
/// but not for its own classes, and those have no names.
fn attribute(chip: Chip, name: &str) -> u32 {
    if let Ok(number) = name.parse() {
        return number;
    }
    let family = if chip.family() == Family::Celsius {
        Chip::Nv10
    } else {
        Chip::Nv20
    };
    let entry = Ram::Vab.by_name(name);
    debug_assert!(entry.is_some(), "no attribute {name}");
    let number = entry.and_then(|entry| entry.at(family));
    // Celsius has no row for fog.
    number.map_or(CELSIUS_FOG, u32::from)
}

/// The number that Celsius's fog goes by, which is kept in the second colour's alpha.
pub(crate) const CELSIUS_FOG: u32 = 7;

/// A method that warns: GL style, inherited from Celsius.
pub(crate) const fn soft(method: Method, soft: Soft, op: Op) -> Row {
    Row::new(method, Guard::Warn, op).soft(soft)
}

/// A method that traps inside BEGIN/END.
pub(crate) const fn hard(method: Method, check: Check, op: Op) -> Row {
    Row::new(method, Guard::Trap, op).check(check)
}

/// A method that is allowed inside BEGIN/END, but not inside a patch.
pub(crate) const fn open(method: Method, check: Check, op: Op) -> Row {
    Row::new(method, Guard::Patch, op).check(check)
}

/// A method that is always allowed.
pub(crate) const fn free(method: Method, check: Check, op: Op) -> Row {
    Row::new(method, Guard::Free, op).check(check)
}

/// Where a method is in a table.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The row's number + 1; 0 if the class has no such method.
    row: u16,
    i: u16,
}

/// A class's rows on a chip, reachable by method number.
pub(crate) struct Table {
    rows: Vec<Row>,
    /// By method number / 4.
    slots: Box<[Slot; 0x800]>,
    /// By method number / 4: what it comes down to.
    shortcut: Box<[Shortcut; 0x800]>,
}

impl Table {
    /// Later lists override earlier ones.
    pub fn new(chip: Chip, class: u32, lists: &[&[Row]]) -> Table {
        let class_chip = class_chip(chip, class);
        let mut table = Table {
            rows: Vec::new(),
            slots: Box::new([Slot::default(); 0x800]),
            shortcut: Box::new([Shortcut::LONG; 0x800]),
        };
        for row in lists.iter().copied().flatten() {
            // Curie has no fixed function of its own, but 3597h loads Rankine's contexts.
            let context = if chip.family() == Family::Curie {
                class_chip
            } else {
                chip
            };
            table.add(row.on(chip, class_chip), context);
        }
        table
    }

    /// Adds a row: one entry for all its methods, or one for each unit where these differ.
    fn add(&mut self, row: Row, chip: Chip) {
        let units = match row.op {
            Op::Load(name) | Op::LoadThird(name) | Op::Attr(name, ..) => name.contains("{}"),
            _ => false,
        };
        let inner = usize::from(row.method.dims[1].0);
        for (n, at) in row.method.addresses().enumerate() {
            let (outer, i) = match inner {
                0 if units => (n, 0),
                0 => (n, n),
                _ => (n / inner, n % inner),
            };
            if n == 0 || units && (inner == 0 || i == 0) {
                self.rows.push(row.of_unit(chip, outer));
            }
            let number = self.rows.len() - 1;
            let slot = usize::from(at / 4) & 0x7ff;
            self.slots[slot] = Slot {
                row: number as u16 + 1,
                i: i as u16,
            };
            self.shortcut[slot] = Shortcut::new(&self.rows[number], number, i as u16);
        }
    }

    /// The row of a method, and the method's place in its array.
    #[inline]
    pub fn find(&self, method: u32) -> Option<(&Row, u32)> {
        let slot = self.slots[(method >> 2) as usize & 0x7ff];
        let row = self.rows.get(usize::from(slot.row).wrapping_sub(1))?;
        Some((row, slot.i.into()))
    }

    /// What a method comes down to when the front end is settled.
    #[inline]
    pub fn shortcut(&self, method: u32) -> &Shortcut {
        &self.shortcut[(method >> 2) as usize & 0x7ff]
    }

    /// A row by its number.
    #[inline]
    pub fn row(&self, number: u16) -> &Row {
        &self.rows[usize::from(number)]
    }
}
