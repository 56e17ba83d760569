//! FE: the pusher and the front end. Methods come in, shadow words change, bundles go out.
//!
//! The rules are those of envytools' hardware-checked models. A class is a table
//! of rows (`table`); the tables of a generation are in the folder of its name.

mod bits;
mod celsius;
mod chips;
mod common;
mod context;
mod convert;
pub mod fifo;
mod idx;
mod kelvin;
mod object;
mod probe;
mod quick;
mod rankine;
mod regs;
mod surface;
mod table;
mod traps;
mod xfload;

#[cfg(test)]
mod walk;

use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, SLOTS};

pub use context::{Context, ContextError};
pub use object::{Object, Objects};
pub use probe::Register;
pub use quick::Run;

use bits::{bit, ext, ins};
use chips::{Gen, Kind};
use isotherm_bus::bundle::{Event, reset_words};
use isotherm_bus::trap::{Trap, intr, nsource};
use quick::Calm;
use regs::Regs;
use table::{Bits, Call, Check, Guard, Mode, ModeBits, Op, Row, Soft, Table};
use traps::warning;

/// No bundle of this chip.
const NO_ID: u16 = u16::MAX;

/// TRAP_ADDR takes these bits of FIFO_MTHD_ST2: method, subchannel, channel.
const TRAP_BITS: u32 = 0x1ff_1ffc & !(1 << 19 | 7 << 13);

/// The front end of one chip.
pub struct Fe {
    g: Gen,
    r: Box<Regs>,
    shadow: Box<[u32; SLOTS]>,
    /// The graph objects in instance memory, by the subchannel they are bound to.
    grobj: [[u32; 4]; 8],
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
    /// Methods come from this class whatever the object's is; for vectors, which list of the
    /// object's class no more than a method looks at.
    methods_of: Option<u32>,
    /// Celsius: XF's mode words changed and were not sent yet.
    mode_pending: bool,
    calm: Calm,
    announced: context::Announced,
}

impl Fe {
    /// A front end after reset, with the checks that the usual kernel driver asks for.
    pub fn new(chip: Chip) -> Fe {
        let mut fe = Fe {
            g: Gen::new(chip),
            r: Box::default(),
            shadow: reset_words(chip),
            grobj: [[0; 4]; 8],
            dma: Object::default(),
            out: Vec::with_capacity(64),
            ids: ids(chip),
            class_key: !0,
            class: 0,
            class_kind: Kind::None,
            kind: Kind::None,
            methods: None,
            methods_of: None,
            mode_pending: false,
            calm: Calm::default(),
            announced: context::Announced::default(),
        };
        // Follow subchannel switches; report bad data and bad DMA classes.
        fe.r.debug_b = 0x0011_8700;
        // The driver for NV20 leaves the data check off: bad data is cut to what fits.
        let data_check = !matches!(chip, Chip::Nv20 | Chip::Nv25 | Chip::Nv28);
        fe.r.debug_d = 1 << 25 | 1 << 23 | u32::from(data_check) << 20 | 1 << 15;
        fe.r.fifo_enable = 1;
        // The context that drivers start from has these as the units have them after reset:
        // signed, the rectangle is as far to the upper left as it can be.
        fe.r.celsius_clip_rect_horiz = [0x0800_0800; 8];
        fe.r.celsius_clip_rect_vert = [0x0800_0800; 8];
        fe.r.celsius_pipe_edge_flag = 1;
        ins(&mut fe.r.idx_state_a, 24, 1, 1);
        fe
    }

    /// The chip.
    pub fn chip(&self) -> Chip {
        self.g.chip
    }

    /// The class bound to a subchannel, 0 before the first binding.
    pub fn class(&self, subchannel: usize) -> u32 {
        self.r.ctx_cache_a[subchannel & 7] & self.g.class_mask
    }

    /// Is this a class that the front end executes on this chip?
    pub fn executes(&self, class: u32) -> bool {
        self.g.kind(class, bit(self.r.debug_d, 16)) != Kind::None
    }

    /// What a method of a class is called, if the class has it on this chip.
    pub fn method_name(&self, class: u32, method: u32) -> Option<&'static str> {
        let kind = self.g.kind(class, bit(self.r.debug_d, 16));
        let (row, _) = table_of(&self.g, class, kind)?.find(method)?;
        Some(row.name)
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
            self.grobj[subc] = object.words;
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
        self.calm = Calm::default();
        match addr {
            0x40_0084 => self.r.debug_b = value,
            0x40_008c => self.r.debug_d = value,
            0x40_0090 => self.r.debug_e = value,
            0x40_0098 => self.r.debug_g = value,
            _ => return self.write_shadow(addr, value),
        }
        true
    }

    fn write_shadow(&mut self, addr: u32, value: u32) -> bool {
        let id = addr.wrapping_sub(self.shadow_base()) / 4;
        let ids = if self.g.celsius() { 0x40 } else { 0x200 };
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
        let kind = self.g.kind(class, bit(self.r.debug_d, 16));
        let row = table_of(&self.g, class, kind).and_then(|t| t.find(method));
        row.is_some_and(|(row, _)| row.dma)
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
            let on = bit(self.r.debug_e, 2) && ext(self.r.surf_type, 2, 2) != 0;
            ins(&mut self.r.unka10, 29, 1, on.into());
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
        let data_ok = row.is_none_or(|row| self.accepts(row, i, data));
        self.r.fifo_mthd_st2 &= !(1 << 26);
        if missing {
            self.missing_hw();
            return;
        }
        if (!data_ok || bit(self.r.debug_d, 21)) && bit(self.r.debug_d, 20) && method != 0 {
            self.blow_up(nsource::DATA);
        }
        match row {
            Some(row) => self.execute_row(row, i, data),
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
            let n = ext(traps, 30, 2);
            return (0..n).any(|k| ext(traps, k * 10, 10) == ext(method, 2, 10));
        }
        let bit_number = match row {
            Some(_) if method == 0x100 && self.kind < Kind::Kelvin && self.sync() => 0,
            // The x97h classes have no software methods before NV25.
            Some(_) if self.class & 0xff == 0x97 => -1,
            Some(row) => row.trap,
            None => -1,
        };
        bit_number >= 0 && bit(traps, bit_number as u32)
    }

    #[inline]
    fn class_key_now(&self) -> u32 {
        self.r.ctx_switch_a & self.g.class_mask | (self.r.debug_d & 1 << 16) << 8
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
        self.kind = self.g.kind(self.class, bit(self.r.debug_d, 16));
        self.class_kind = self.kind;
        if let Some(class) = self.methods_of {
            self.class = class;
            self.class_kind = self.g.kind(class, false).max(self.g.kind(class, true));
        }
        self.methods = table_of(&self.g, self.class, self.class_kind);
    }

    /// The class of the object that the method goes to.
    #[inline]
    fn object_class(&self) -> u32 {
        self.r.ctx_switch_a & self.g.class_mask
    }

    #[inline]
    fn accepts(&self, row: &Row, i: u32, v: u32) -> bool {
        match row.check {
            Check::Any => true,
            Check::Mask(mask) => v & !mask == 0,
            Check::Below(n) => v < n,
            Check::Rule(rule) => rule(self, Call { i, v, p: row.p }),
        }
    }

    /// Executes a row whose data was judged.
    #[inline]
    fn execute_row(&mut self, row: &Row, i: u32, v: u32) {
        if let Op::Always(act) = row.op {
            return act(self, Call { i, v, p: row.p });
        }
        if row.pipe && self.g.celsius() {
            self.refresh_point_size();
        }
        if row.guard != Guard::Free
            && self.g.kelvin()
            && self.kind == Kind::Kelvin
            && bit(self.r.fe3d_misc, 4)
            && bit(self.r.debug_d, 3)
        {
            self.blow_up(nsource::PATCH);
        }
        let mut err = if row.guard != Guard::Free && self.inside() {
            self.guard_inside(row.guard)
        } else {
            0
        };
        let v = match self.translate(row, i, v) {
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
            self.act(row, i, v);
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
    fn translate(&self, row: &Row, i: u32, v: u32) -> Result<u32, u32> {
        match row.soft {
            Soft::Any => Ok(v),
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
            Soft::Rule(rule) => rule(self, Call { i, v, p: row.p }),
        }
    }

    #[inline]
    fn act(&mut self, row: &Row, i: u32, v: u32) {
        match row.op {
            Op::Nop => {}
            Op::Field(bits) => self.field(bits, v),
            Op::Word(bundle, mask) => self.put(bundle, i, v & mask),
            Op::Spread(bundle, moves) => {
                let mut word = self.word(bundle, 0);
                for &(from, to, len) in moves {
                    ins(&mut word, to, len, ext(v, from, len));
                }
                self.put(bundle, 0, word);
            }
            Op::Trigger(bundle) => self.send(bundle, i, v),
            Op::Mode(bits) => self.mode_field(bits, v),
            Op::Both(bits, mode) => {
                self.field(bits, v);
                self.mode_field(mode, v);
            }
            Op::Xfctx(first) => self.load_xfctx(first + (i >> 2), i & 3, v),
            Op::Ltctx(first) => self.load_ltctx(first, i, v),
            Op::Ltc(space, at) => self.load_ltc(space, at, v),
            Op::Attr(fmt, attr, n) => {
                let attr = self.attribute(attr);
                self.load_attr(fmt, attr, n, i, v);
            }
            Op::Do(act) | Op::Always(act) => act(self, Call { i, v, p: row.p }),
        }
    }

    /// Replaces bits of a shadow word and sends it.
    fn field(&mut self, (bundle, lo, len): Bits, value: u32) {
        let mut word = self.word(bundle, 0);
        ins(&mut word, lo, len, value);
        self.put(bundle, 0, word);
    }

    /// Replaces bits of an XF mode word and sends the mode.
    fn mode_field(&mut self, (mode, lo, len): ModeBits, value: u32) {
        let word = match mode {
            Mode::A => &mut self.r.xf_mode_a,
            Mode::B => &mut self.r.xf_mode_b,
            Mode::CelsiusA => &mut self.r.celsius_xf_misc_a,
            Mode::CelsiusB => &mut self.r.celsius_xf_misc_b,
        };
        ins(word, lo, len, value);
        if self.g.celsius() {
            self.send_celsius_mode();
        } else {
            self.send_mode();
        }
    }

    /// Replaces a shadow word without sending it.
    fn keep(&mut self, bundle: Bundle, i: u32, value: u32) {
        if let Some(word) = self.shadow.get_mut(bundle.slot() + i as usize) {
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

/// The table of a class.
fn table_of(g: &Gen, class: u32, kind: Kind) -> Option<&'static Table> {
    match kind {
        Kind::None => None,
        Kind::Kelvin | Kind::Celsius if !g.celsius() => Some(kelvin::table(class, kind)),
        Kind::Celsius | Kind::D3d0 | Kind::D3d56 => Some(celsius::table(class)),
        Kind::Kelvin => None,
        Kind::Rankine | Kind::Curie => Some(rankine::table(kind)),
    }
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
                shortened += u32::from(short.calm.subchannel == 0);
                let (mut a, mut b) = (Vec::new(), Vec::new());
                let (mut one, mut two) = (Vec::new(), Vec::new());
                let run = Run::new(0, method, step * 4, &data);
                short.run(run, &objects, &mut |e| a.push(*e), &mut |t| one.push(t));
                for (i, word) in (0..).zip(&data) {
                    long.calm = Calm::default();
                    let method = method + i * step * 4;
                    two.extend(long.method(0, method, *word, &objects, &mut |e| b.push(*e)));
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
