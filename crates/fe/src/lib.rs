//! FE: the pusher and the front end. Methods come in, shadow words change, bundles go out.
//!
//! The rules are those of envytools' hardware-checked models. A class is a table
//! of rows (`table`); the tables of a generation are in the folder of its name.

pub mod bar;
mod celsius;
mod chips;
mod common;
mod context;
mod convert;
mod curie;
pub mod fifo;
mod idx;
mod kelvin;
mod object;
mod probe;
mod rankine;
mod regs;
mod shortcut;
mod surface;
mod table;
mod transform;
mod traps;
mod words;
mod xfload;

#[cfg(test)]
mod walk;

use std::sync::OnceLock;

use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, SLOTS};
use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{
    CTX_SWITCH_A, CTX_SWITCH_T, DEBUG_B, DEBUG_D, DEBUG_E, FE3D_MISC, FIFO_MTHD, IDX_STATE_A,
    SURF_TYPE, TRAP_ADDR, UNKA10, address,
};

pub use context::{Context, ContextError};
pub use object::{Object, Objects};
pub use probe::Register;
pub use shortcut::{Run, Sink};

use chips::{Gen, Kind};
use isotherm_bus::bundle::{Event, reset_words};
use isotherm_bus::trap::{Trap, intr, nsource};
use regs::Regs;
use shortcut::{Settled, two_numbers};
use table::{Call, Check, Guard, Mode, Move, Op, Row, Soft, Table};
use traps::warning;
use words::Edit;

/// No bundle of this chip.
const NO_ID: u16 = u16::MAX;

/// TRAP_ADDR takes these bits of FIFO_MTHD_ST2, which has them in the same places.
const TRAP_BITS: u32 =
    TRAP_ADDR::METHOD.ones() | TRAP_ADDR::SUBCHANNEL.ones() | TRAP_ADDR::CHANNEL.ones();

/// The front end of one chip.
pub struct Fe {
    g: Gen,
    r: Box<Regs>,
    shadow: Box<[u32; SLOTS]>,
    /// The graph objects in instance memory, by the subchannel they are bound to.
    grobj: [[u32; 5]; 8],
    /// The object whose handle is the data of the method in execution.
    dma: Object,
    out: Vec<Event>,
    /// The chip's bundle id of every shadow word, [`NO_ID`] for those it does not have.
    ids: Box<[u16; SLOTS]>,
    /// What `class`, `kind` and `methods` were derived from.
    class_key: u32,
    /// The class whose methods run.
    class: u32,
    /// Its generation.
    class_kind: Kind,
    /// The generation of the object's class.
    kind: Kind,
    methods: Option<&'static Table>,
    /// A chip whose own classes lay out data as the class does, and one that knows no more than
    /// the class does.
    data_chip: Chip,
    class_chip: Chip,
    /// Methods come from this class whatever the object's is; for vectors, which list of the
    /// object's class no more than a method looks at.
    methods_of: Option<u32>,
    /// Method and data that came with the last switch of the subchannel.
    switched_by: (u32, u32),
    /// Celsius: XF's mode words changed and were not sent yet.
    mode_pending: bool,
    settled: Settled,
    announced: context::Announced,
}

impl Fe {
    /// A front end after reset, with the checks that the usual kernel driver asks for.
    pub fn new(chip: Chip) -> Fe {
        let mut fe = Fe {
            g: Gen::new(chip),
            r: Box::default(),
            shadow: reset_words(chip),
            grobj: [[0; 5]; 8],
            dma: Object::default(),
            out: Vec::with_capacity(64),
            ids: ids(chip),
            class_key: !0,
            class: 0,
            switched_by: (0, 0),
            class_kind: Kind::None,
            kind: Kind::None,
            methods: None,
            data_chip: chip,
            class_chip: chip,
            methods_of: None,
            mode_pending: false,
            settled: Settled::default(),
            announced: context::Announced::default(),
        };
        // Follow subchannel switches; report bad data and bad DMA classes.
        fe.r.debug_b =
            DEBUG_B::CTX_SWITCH_FOLLOW.ones() | DEBUG_B::UNK8.ones() | DEBUG_B::UNK15.ones();
        fe.r.debug_d = DEBUG_D::KELVIN_FLIP_ENABLE.ones()
            | DEBUG_D::DMA_CLASS_CHECK.ones()
            | DEBUG_D::PM_TRIGGER_ENABLE.ones();
        // The driver for NV20 leaves the data check off: bad data is cut to what fits.
        let data_check = !matches!(chip, Chip::Nv20 | Chip::Nv25 | Chip::Nv28);
        DEBUG_D::DATA_CHECK.write(&mut fe.r.debug_d, data_check.into());
        fe.r.fifo_enable = 1;
        // The context that drivers start from has these as the units have them after reset:
        // signed, the rectangle is as far to the upper left as it can be.
        fe.r.celsius_clip_rect_horiz = [0x0800_0800; 8];
        fe.r.celsius_clip_rect_vert = [0x0800_0800; 8];
        fe.r.celsius_pipe_edge_flag = 1;
        IDX_STATE_A::EDGE_FLAG.write(&mut fe.r.idx_state_a, 1);
        fe
    }

    /// The chip.
    pub fn chip(&self) -> Chip {
        self.g.chip
    }

    /// The class bound to a subchannel, 0 before the first binding.
    pub fn class(&self, subchannel: usize) -> u32 {
        CTX_SWITCH_A::CLASS.get(self.g.chip, self.r.ctx_cache_a[subchannel & 7])
    }

    /// Is this a class that the front end executes on this chip?
    pub fn executes(&self, class: u32) -> bool {
        self.g.kind(class, DEBUG_D::CLASS_85.is_on(self.r.debug_d)) != Kind::None
    }

    /// What a method of a class is called, if the class has it on this chip.
    pub fn method_name(&self, class: u32, method: u32) -> Option<&'static str> {
        let kind = self.g.kind(class, DEBUG_D::CLASS_85.is_on(self.r.debug_d));
        let (row, ..) = table_of(&self.g, class, kind)?.find(method)?;
        Some(row.method.name)
    }

    /// The shadow word of a bundle's entry.
    pub fn word(&self, bundle: Bundle, index: usize) -> u32 {
        self.shadow.get(bundle.slot() + index).copied().unwrap_or(0)
    }

    /// What PGRAPH sees of a handle: the object's instance. Other data stays as it is.
    #[cold]
    fn resolve(&mut self, subc: usize, method: u32, data: u32, objects: &impl Objects) -> u32 {
        if method == 0 {
            let object = objects.find(data).unwrap_or(Object::NULL);
            self.grobj[subc][..4].copy_from_slice(&object.words);
            self.grobj[subc][4] = 0;
            object.instance
        } else if method & 0x1f80 == 0x180 && self.takes_dma(subc, method) {
            self.dma = objects.find(data).unwrap_or(Object::NULL);
            self.dma.instance
        } else {
            data
        }
    }

    /// A CPU write to a PGRAPH register (offset within the BAR). False if the front end
    /// does not have it. Writing a shadow register sends its bundle.
    pub fn write(&mut self, addr: u32, value: u32) -> bool {
        self.settled = Settled::default();
        match addr {
            address::DEBUG_B => self.r.debug_b = value,
            address::DEBUG_D => self.r.debug_d = value,
            address::DEBUG_E => self.r.debug_e = value,
            address::DEBUG_G => self.r.debug_g = value,
            _ => return self.write_shadow(addr, value),
        }
        true
    }

    fn write_shadow(&mut self, addr: u32, value: u32) -> bool {
        let (base, ids) = self.shadow_range();
        let id = addr.wrapping_sub(base) / 4;
        if addr & 3 != 0 || id >= ids {
            return false;
        }
        let Some((bundle, i)) = Bundle::locate(self.g.family, id as u16) else {
            return false;
        };
        self.put(bundle, i.into(), value);
        true
    }

    /// Clears a trap, as the interrupt handler does.
    #[cold]
    fn acknowledge(&mut self, method: u32, data: u32) -> Trap {
        let trap = Trap {
            intr: self.r.intr,
            nsource: self.r.nsource,
            class: self.class,
            method,
            data,
        };
        self.r.intr = 0;
        self.r.nsource = 0;
        self.r.nstatus = 0;
        self.r.fifo_enable = 1;
        trap
    }

    fn takes_dma(&mut self, subc: usize, method: u32) -> bool {
        let class = self.class(subc);
        let kind = self.g.kind(class, DEBUG_D::CLASS_85.is_on(self.r.debug_d));
        let row = table_of(&self.g, class, kind).and_then(|t| t.find(method));
        row.is_some_and(|(row, ..)| row.dma)
    }

    /// Executes the method in FIFO_MTHD_ST2 and FIFO_DATA_ST2; its parts are given because
    /// reading them back from there in other sizes than they were written in is slow.
    #[inline]
    fn step(&mut self, subc: usize, method: u32, data: u32) {
        self.dispatch(subc, method, data);
        self.follow_wires();
    }

    /// UNKA10\[29\] of NV17 is a wire, not a register: it follows SURF_TYPE and DEBUG_E.
    #[inline]
    fn follow_wires(&mut self) {
        if self.g.nv17p {
            let on = DEBUG_E::UNK2.is_on(self.r.debug_e) && SURF_TYPE::UNK2.is_on(self.r.surf_type);
            UNKA10::SURF_UNK2.write(&mut self.r.unka10, on.into());
        }
    }

    #[inline]
    fn dispatch(&mut self, subc: usize, method: u32, data: u32) {
        self.switch(subc, method, data);
        self.refresh_class();

        let found = self.methods.and_then(|t| t.find(method));
        let (row, i) = match found {
            Some((row, i)) if row.exists.is_none_or(|exists| exists(self)) => (Some(row), i),
            _ => (None, 0),
        };
        let call = Call {
            i,
            v: data,
            p: row.map_or(0, |row| row.p),
        };
        let mut known = row.is_some() || method == 0;
        let missing = self.left_to_software(row, method);
        known |= missing;
        let object_method = method & 0x1f80 == 0x180 && known && !missing;
        let ownerless = !(object_method || self.state3d_ok());
        if ownerless {
            self.r.intr |= intr::STATE3D;
            self.r.fifo_enable = 0;
            return;
        }
        if self.class == 0x48 && method & 0x101f == 0x101c {
            // A vertex's last word: its slots are latched whatever becomes of the method.
            self.r.misc24[1] = self.r.misc24[2];
        }
        let data_ok = row.is_none_or(|row| self.accepts(row, call));
        FIFO_MTHD::PENDING.write(&mut self.r.fifo_mthd_st2, 0);
        if missing {
            self.missing_hw();
            return;
        }
        if (!data_ok || DEBUG_D::DATA_ERROR_ALWAYS.is_on(self.r.debug_d))
            && DEBUG_D::DATA_CHECK.is_on(self.r.debug_d)
            && method != 0
        {
            self.blow_up(nsource::DATA);
        }
        match row {
            Some(row) => self.execute_row(row, call),
            None if method != 0 => self.blow_up(nsource::METHOD),
            None => {}
        }
    }

    /// Step 4: is the method left to software by CTX_SWITCH_T?
    #[inline]
    fn left_to_software(&self, row: Option<&Row>, method: u32) -> bool {
        let traps = self.r.ctx_switch_t;
        if traps == 0 {
            return false;
        }
        if self.g.nv25p && self.kind != Kind::None {
            let n = CTX_SWITCH_T::COUNT.read(traps);
            // Ten bits of the method's number.
            let number = method >> 2 & 0x3ff;
            return (0..n).any(|k| CTX_SWITCH_T::METHODS.entry(k, 10).read(traps) == number);
        }
        let bit_number = match row {
            Some(_) if method == 0x100 && self.kind < Kind::Kelvin && self.sync() => 0,
            // The x97h classes have no software methods before NV25.
            Some(_) if self.class & 0xff == 0x97 => -1,
            Some(row) => row.trap,
            None => -1,
        };
        bit_number >= 0 && traps >> bit_number & 1 != 0
    }

    #[inline]
    fn class_key_now(&self) -> u32 {
        self.object_class() | DEBUG_D::CLASS_85.read(self.r.debug_d) << 31
    }

    /// Brings `class`, `kind` and `methods` up to date with CTX_SWITCH_A.
    #[inline]
    fn refresh_class(&mut self) {
        let key = self.class_key_now();
        if key == self.class_key {
            return;
        }
        self.class_key = key;
        self.class = self.object_class();
        self.kind = self
            .g
            .kind(self.class, DEBUG_D::CLASS_85.is_on(self.r.debug_d));
        self.class_kind = self.kind;
        if let Some(class) = self.methods_of {
            self.class = class;
            self.class_kind = self.g.kind(class, false).max(self.g.kind(class, true));
        }
        self.methods = table_of(&self.g, self.class, self.class_kind);
        self.data_chip = chips::data_chip(self.g.chip, self.class);
        self.class_chip = chips::class_chip(self.g.chip, self.class);
    }

    /// The class of the object that the method goes to.
    #[inline]
    fn object_class(&self) -> u32 {
        CTX_SWITCH_A::CLASS.get(self.g.chip, self.r.ctx_switch_a)
    }

    #[inline]
    fn accepts(&self, row: &Row, call: Call) -> bool {
        match row.check {
            Check::Any | Check::Declared => true,
            Check::Mask(mask) => call.v & !mask == 0,
            Check::Below(n) => call.v < n,
            Check::Rule(rule) => rule(self, call),
        }
    }

    /// Executes a row whose data was judged.
    #[inline]
    fn execute_row(&mut self, row: &Row, call: Call) {
        if let Op::Always(act) = row.op {
            return act(self, call);
        }
        if row.pipe && self.g.celsius() {
            self.refresh_point_size();
        }
        if row.guard != Guard::Free
            && self.g.kelvin()
            && self.kind == Kind::Kelvin
            && FE3D_MISC::IN_PATCH.is_on(self.r.fe3d_misc)
            && DEBUG_D::PATCH_CHECK.is_on(self.r.debug_d)
        {
            self.blow_up(nsource::PATCH);
        }
        let mut err = if row.guard != Guard::Free && self.inside() {
            self.guard_inside(row.guard)
        } else {
            0
        };
        let v = match self.translate(row, call) {
            Ok(value) => value,
            Err(code) => {
                err |= code;
                0
            }
        };
        if err != 0 {
            return self.warn(err);
        }
        if !self.blocked() {
            self.act(row, Call { v, ..call });
        }
    }

    /// What a method that minds an open primitive does in one: the warning code, or 0.
    #[cold]
    fn guard_inside(&mut self, guard: Guard) -> u32 {
        let x97 = self.object_class() & 0xff == 0x97;
        match guard {
            Guard::Free | Guard::Patch => {}
            Guard::Warn => return warning::INSIDE,
            Guard::WarnCelsius if x97 => {}
            Guard::WarnCelsius => return warning::INSIDE,
            Guard::Trap | Guard::TrapWarn if x97 => self.blow_up(nsource::IN_BEGIN_END),
            Guard::TrapOrWarn => {
                if x97 {
                    self.blow_up(nsource::IN_BEGIN_END);
                }
                if self.class & 0xff != 0x97 {
                    return warning::INSIDE;
                }
            }
            Guard::Trap => {}
            Guard::TrapWarn if self.kind != Kind::Celsius && !self.g.celsius() => {}
            Guard::TrapWarn => return warning::INSIDE,
        }
        0
    }

    #[inline]
    fn translate(&self, row: &Row, call: Call) -> Result<u32, u32> {
        let v = call.v;
        match row.soft {
            Soft::Any | Soft::Declared => Ok(v),
            Soft::Bool if v > 1 => Err(warning::ENUM),
            Soft::Bool => Ok(v),
            Soft::Enum(values) => {
                let found = values.iter().find(|(from, _)| *from == v);
                found.map(|(_, to)| *to).ok_or(warning::ENUM)
            }
            Soft::Range(first, n) if v.wrapping_sub(first) < n => Ok(v - first),
            Soft::Range(..) => Err(warning::ENUM),
            Soft::Below(n) if v < n => Ok(v),
            Soft::Below(_) => Err(warning::RANGE),
            Soft::Mask(mask) if v & !mask == 0 => Ok(v),
            Soft::Mask(_) => Err(warning::ENUM),
            Soft::Rule(rule) => rule(self, call),
        }
    }

    #[inline]
    fn act(&mut self, row: &Row, call: Call) {
        let Call { i, v, .. } = call;
        match row.op {
            Op::Nop => {}
            Op::Field(bundle, field) => self.field(bundle, field, v),
            Op::Resend(bundle) => self.resend(bundle, 0, true),
            Op::Word(bundle) => self.put(bundle, i, v & row.kept),
            Op::Spread(bundle, moves) => {
                let word = Edit::of(self, bundle, 0).moved(v, moves).word;
                self.put(bundle, 0, word);
            }
            Op::SpreadSend(bundle, moves) => {
                let word = Edit::zero(self).moved(v, moves).word;
                self.send(bundle, 0, word);
            }
            Op::Trigger(bundle) => self.send(bundle, i, v),
            Op::Mode(mode, field) => self.mode_field(mode, field, v),
            Op::SpreadMode(mode, moves) => self.move_mode(mode, moves, v),
            Op::Both(bundle, field, mode, mode_field) => {
                self.field(bundle, field, v);
                self.mode_field(mode, mode_field, v);
            }
            Op::Load(_) | Op::LoadThird(_) => {}
            Op::Xfctx(first) => self.load_xfctx(first + (i >> 2), i & 3, v),
            Op::Xfctx3(row, fourth) => self.load_xfctx3(row, i, v, fourth),
            Op::Ltctx(row) => self.load_ltctx(row, i, v),
            Op::Ltc(space, row) => self.load_ltc(space, row, v),
            Op::Attr(..) => {}
            Op::AttrAt(attr, fmt, n) if self.g.celsius() => {
                self.load_celsius_attr(fmt, attr, n, i, v);
            }
            Op::AttrAt(attr, fmt, n) => {
                let attr = self.attribute(attr);
                self.load_attr(fmt, attr, n, i, v);
            }
            Op::Index16 => self.out.extend(two_numbers(v).map(Event::Element)),
            Op::Index32 => self.out.push(Event::Element(v)),
            Op::Do(act) | Op::Always(act) => act(self, call),
        }
    }

    /// Replaces a field of a shadow word and sends it. The field lies in one place on the chip.
    fn field(&mut self, bundle: Bundle, field: Field, value: u32) {
        let mut word = self.word(bundle, 0);
        field.write(&mut word, value);
        self.put(bundle, 0, word);
    }

    /// Replaces a field of a shadow word and sends it.
    fn put_field(&mut self, bundle: Bundle, field: Field, value: u32) {
        let word = Edit::of(self, bundle, 0).set(field, value).word;
        self.put(bundle, 0, word);
    }

    /// One of XF's mode words.
    fn mode_word(&mut self, mode: Mode) -> &mut u32 {
        match mode {
            Mode::A => &mut self.r.xf_mode_a,
            Mode::B => &mut self.r.xf_mode_b,
            Mode::CelsiusLights => &mut self.r.celsius_xf_misc_a,
            Mode::CelsiusTextures => &mut self.r.celsius_xf_misc_b,
        }
    }

    /// Replaces a field of an XF mode word and sends the mode.
    fn mode_field(&mut self, mode: Mode, field: Field, value: u32) {
        if self.g.curie() {
            return self.put_curie_mode(&[(field, value)]);
        }
        field.write(self.mode_word(mode), value);
        self.send_any_mode();
    }

    /// Moves fields of the data to an XF mode word and sends the mode.
    fn move_mode(&mut self, mode: Mode, moves: &[Move], data: u32) {
        let (chip, data_chip) = (self.chip(), self.data_chip);
        if self.g.curie() {
            let values: Vec<_> = moves
                .iter()
                .map(|(from, to)| (*to, from.get(data_chip, data)))
                .collect();
            return self.put_curie_mode(&values);
        }
        let word = self.mode_word(mode);
        for (from, to) in moves {
            to.put(chip, word, from.get(data_chip, data));
        }
        self.send_any_mode();
    }

    fn send_any_mode(&mut self) {
        if self.g.celsius() {
            self.send_celsius_mode();
        } else {
            self.send_mode();
        }
    }

    /// Replaces a shadow word without sending it.
    fn keep(&mut self, bundle: Bundle, i: u32, value: u32) {
        let slot = bundle.slot() + i as usize;
        // A word that the chip does not have is not kept.
        if let (Some(word), Some(&id)) = (self.shadow.get_mut(slot), self.ids.get(slot))
            && id != NO_ID
        {
            *word = value;
        }
    }

    /// Replaces a shadow word and sends it.
    fn put(&mut self, bundle: Bundle, i: u32, value: u32) {
        self.keep(bundle, i, value);
        self.send(bundle, i, value);
    }

    /// Sends a shadow word as it is.
    fn resend(&mut self, bundle: Bundle, i: u32, last: bool) {
        self.send_one(bundle, i, self.word(bundle, i as usize), last);
    }

    /// Replaces a shadow word and sends it; the method has more to send.
    fn put_more(&mut self, bundle: Bundle, i: u32, value: u32) {
        self.keep(bundle, i, value);
        self.send_one(bundle, i, value, false);
    }

    /// Sends a bundle.
    fn send(&mut self, bundle: Bundle, i: u32, value: u32) {
        self.send_one(bundle, i, value, true);
    }

    #[inline]
    fn send_one(&mut self, bundle: Bundle, i: u32, value: u32, last: bool) {
        let id = match self.ids.get(bundle.slot() + i as usize) {
            Some(&id) if id != NO_ID => id,
            _ => return,
        };
        if self.g.celsius() {
            self.send_celsius(id, value, last);
        } else {
            self.send_kelvin(id, value, last);
        }
    }
}

/// The chip's bundle id of every shadow word.
fn ids(chip: Chip) -> Box<[u16; SLOTS]> {
    let mut ids = Box::new([NO_ID; SLOTS]);
    for bundle in Bundle::all() {
        let count = bundle.row().ids(chip.family()).map_or(0, |ids| ids.count);
        for i in 0..count {
            if let Some(id) = bundle.id(chip.family(), i) {
                ids[bundle.slot() + usize::from(i)] = id;
            }
        }
    }
    ids
}

/// The table of a class on a chip.
fn table_of(g: &Gen, class: u32, kind: Kind) -> Option<&'static Table> {
    const CLASSES: [u32; 14] = [
        0x48, 0x54, 0x55, 0x56, 0x96, 0x98, 0x99, 0x97, 0x597, 0x397, 0x497, 0x3597, 0x4097, 0x4497,
    ];
    static TABLES: [[OnceLock<Table>; CLASSES.len()]; Chip::ALL.len()] =
        [const { [const { OnceLock::new() }; CLASSES.len()] }; Chip::ALL.len()];
    let listed = match class {
        0x85 => 0x56,
        0x94 => 0x54,
        0x95 => 0x55,
        0x697 => 0x397,
        class => class,
    };
    let make: fn(Chip, u32) -> Table = match kind {
        Kind::None => return None,
        Kind::Kelvin if g.celsius() => return None,
        Kind::Kelvin => kelvin::table,
        Kind::Celsius if !g.celsius() => kelvin::celsius_table,
        Kind::Celsius | Kind::D3d0 | Kind::D3d56 => celsius::table,
        Kind::Rankine => rankine::table,
        Kind::Curie => curie::table,
    };
    let column = CLASSES.iter().position(|c| *c == listed)?;
    Some(TABLES[g.chip as usize][column].get_or_init(|| make(g.chip, listed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of one class under every handle.
    struct One(u32);

    impl Objects for One {
        fn find(&self, _: u32) -> Option<Object> {
            Some(Object {
                instance: 1,
                words: [self.0, 0, 0, 0],
                ..Object::NULL
            })
        }
    }

    /// In debug builds a table is not made if it names a context entry that there is not.
    #[test]
    fn every_class_has_a_table_on_every_chip_that_executes_it() {
        let mut tables = 0;
        for &chip in Chip::ALL {
            let g = Gen::new(chip);
            for class in 0..0x5000 {
                let kind = g.kind(class, false).max(g.kind(class, true));
                if chip.family() == isotherm_regs::Family::Utgard || kind == Kind::None {
                    continue;
                }
                let table =
                    table_of(&g, class, kind).unwrap_or_else(|| panic!("{chip:?} {class:x}"));
                assert!(table.find(0x100).is_some(), "{chip:?} {class:x}");
                tables += 1;
            }
        }
        assert!(tables > 80, "{tables}");
    }

    struct Rng(u64);

    impl Rng {
        fn next(&mut self) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 32) as u32
        }
    }

    /// Data that many methods accept, and some that none does.
    fn some_data(rng: &mut Rng) -> u32 {
        match rng.next() % 4 {
            0 => rng.next() % 4,
            1 => rng.next() % 0x1_0000,
            2 => 0x3f80_0000,
            _ => rng.next(),
        }
    }

    #[test]
    fn the_short_way_does_what_the_long_way_does() {
        use Chip::{Nv2a, Nv10, Nv17, Nv20, Nv25, Nv34, Nv40};
        let chips = [
            (Nv10, 0x56),
            (Nv10, 0x55),
            (Nv17, 0x99),
            (Nv20, 0x97),
            (Nv2a, 0x97),
            (Nv25, 0x96),
            (Nv25, 0x597),
            (Nv34, 0x697),
            (Nv40, 0x4097),
        ];
        for (seed, (chip, class)) in (1..).zip(chips) {
            let objects = One(class);
            let mut rng = Rng(seed);
            let (mut short, mut long) = (Fe::new(chip), Fe::new(chip));
            let mut shortened = 0;
            for n in 0..20_000 {
                let method = match (n, rng.next() % 16) {
                    (0, _) => 0,
                    (_, 0) => 0x17fc,
                    _ => rng.next() % 0x800 * 4,
                };
                // A binding ends a run.
                let most = if method == 0 {
                    1
                } else {
                    (0x2000 - method) / 4
                };
                let words = (1 + rng.next() % 6).min(most);
                let step = (rng.next() % 4 / 3) ^ 1;
                let data: Vec<u32> = (0..words).map(|_| some_data(&mut rng)).collect();
                shortened += u32::from(short.settled.subchannel == 0);
                let (mut a, mut b) = (Vec::new(), Vec::new());
                let (mut one, mut two) = (Vec::new(), Vec::new());
                let run = Run::new(0, method, step * 4, &data);
                short.run(run, &objects, &mut |e: &Event| a.push(*e), &mut |t| {
                    one.push(t)
                });
                for (i, word) in (0..).zip(&data) {
                    long.settled = Settled::default();
                    let method = method + i * step * 4;
                    two.extend(
                        long.method(0, method, *word, &objects, &mut |e: &Event| b.push(*e)),
                    );
                }
                assert_eq!((a, one), (b, two), "{chip:?} {method:04x} <- {data:x?}");
                if n % 64 == 0 {
                    let differences = short.differences(&long);
                    assert!(
                        short.same(&long),
                        "{chip:?} {method:04x} <- {data:x?}: {differences:x?}"
                    );
                }
            }
            assert!(short.same(&long), "{chip:?}");
            assert!(shortened > 10_000, "{chip:?} {shortened}");
        }
    }
}
