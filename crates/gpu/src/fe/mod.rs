//! FE: the front end. Methods come in, shadow words change, bundles go out.
//!
//! The rules are those of envytools' hardware-checked models. A class is a table
//! of rows (`table`); the tables of a generation are in the folder of its name.

mod bits;
mod celsius;
mod chips;
mod common;
mod context;
mod convert;
mod idx;
mod kelvin;
mod object;
mod probe;
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
pub use traps::Trap;

use crate::bundle::Event;
use bits::{bit, ext, ins};
use chips::{Gen, Kind};
use regs::Regs;
use table::{Bits, Call, Check, Guard, Mode, ModeBits, Op, Row, Soft, Table};
use traps::{intr, nsource, warning};

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
    /// What `class`, `kind` and `methods` were derived from.
    class_key: u32,
    class: u32,
    kind: Kind,
    methods: Option<&'static Table>,
    /// Celsius: XF's mode words changed and were not sent yet.
    mode_pending: bool,
    announced: context::Announced,
}

impl Fe {
    /// A front end after reset, with the checks that the usual kernel driver asks for.
    pub fn new(chip: Chip) -> Fe {
        let mut fe = Fe {
            g: Gen::new(chip),
            r: Box::default(),
            shadow: Box::new([0; SLOTS]),
            grobj: [[0; 4]; 8],
            dma: Object::default(),
            out: Vec::with_capacity(64),
            class_key: !0,
            class: 0,
            kind: Kind::None,
            methods: None,
            mode_pending: false,
            announced: context::Announced::default(),
        };
        // Follow subchannel switches; report bad data and bad DMA classes.
        fe.r.debug_b = 0x0011_8700;
        // The driver for NV20 leaves the data check off: bad data is cut to what fits.
        let data_check = !matches!(chip, Chip::Nv20 | Chip::Nv25 | Chip::Nv28);
        fe.r.debug_d = 1 << 25 | 1 << 23 | u32::from(data_check) << 20 | 1 << 15;
        fe.r.fifo_enable = 1;
        fe
    }

    /// The chip.
    pub fn chip(&self) -> Chip {
        self.g.chip
    }

    /// The class bound to a subchannel, 0 before the first binding.
    pub fn class(&self, subchannel: usize) -> u32 {
        self.r.ctx_cache_a[subchannel & 7] & self.g.class_mask()
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

    /// Executes one method and hands on what it pushes into the pipeline.
    ///
    /// An error is reported and then acknowledged, as the driver's interrupt handler
    /// would, so that the next method finds a running front end.
    pub fn method(
        &mut self,
        subchannel: usize,
        method: u32,
        data: u32,
        objects: &impl Objects,
        sink: &mut impl FnMut(Event),
    ) -> Option<Trap> {
        let subc = subchannel & 7;
        let method = method & 0x1ffc;
        let mut value = data;
        if method == 0 {
            let object = objects.find(data).unwrap_or(Object::NULL);
            self.grobj[subc] = object.words;
            value = object.instance;
        } else if method & 0x1f80 == 0x180 && self.takes_dma(subc, method) {
            self.dma = objects.find(data).unwrap_or(Object::NULL);
            value = self.dma.instance;
        }
        let channel = ext(self.r.ctx_user, 24, 7);
        self.r.fifo_mthd_st2 = channel << 20 | (subc as u32) << 16 | method | 1 << 26;
        self.r.fifo_data_st2[0] = value;
        // What CPU writes sent before goes first.
        self.step();
        for event in self.out.drain(..) {
            sink(event);
        }
        if self.r.intr == 0 {
            return None;
        }
        Some(self.acknowledge(method, data))
    }

    /// A CPU write to a PGRAPH register (offset within the BAR). False if the front end
    /// does not have it. Writing a shadow register sends its bundle.
    pub fn write(&mut self, addr: u32, value: u32) -> bool {
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

    /// Executes the method in FIFO_MTHD_ST2 and FIFO_DATA_ST2.
    #[inline]
    fn step(&mut self) {
        self.dispatch();
        if self.g.nv17p {
            // A wire, not a register: it follows SURF_TYPE and DEBUG_E.
            let on = bit(self.r.debug_e, 2) && ext(self.r.surf_type, 2, 2) != 0;
            ins(&mut self.r.unka10, 29, 1, on.into());
        }
    }

    #[inline]
    fn dispatch(&mut self) {
        let st2 = self.r.fifo_mthd_st2;
        let (subc, method) = (ext(st2, 16, 3) as usize, ext(st2, 2, 11) << 2);
        let data = self.r.fifo_data_st2[0];
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
        ins(&mut self.r.fifo_mthd_st2, 26, 1, 0);
        if missing {
            self.missing_hw();
            return;
        }
        if (!data_ok || bit(self.r.debug_d, 21)) && bit(self.r.debug_d, 20) && method != 0 {
            self.blow_up(nsource::DATA);
        }
        match row {
            Some(row) => self.run(row, call),
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
            Some(_) if self.kind >= Kind::Kelvin => -1,
            Some(row) => row.trap,
            None => -1,
        };
        bit_number >= 0 && bit(traps, bit_number as u32)
    }

    #[inline]
    fn class_key_now(&self) -> u32 {
        self.r.ctx_switch_a & self.g.class_mask() | (self.r.debug_d & 1 << 16) << 8
    }

    /// Brings `class`, `kind` and `methods` up to date with CTX_SWITCH_A.
    #[inline]
    fn refresh_class(&mut self) {
        let key = self.class_key_now();
        if key == self.class_key {
            return;
        }
        self.class_key = key;
        self.class = self.r.ctx_switch_a & self.g.class_mask();
        self.kind = self.g.kind(self.class, bit(self.r.debug_d, 16));
        self.methods = table_of(&self.g, self.class, self.kind);
    }

    #[inline]
    fn accepts(&self, row: &Row, call: Call) -> bool {
        match row.check {
            Check::Any => true,
            Check::Mask(mask) => call.v & !mask == 0,
            Check::Below(n) => call.v < n,
            Check::Rule(rule) => rule(self, call),
        }
    }

    /// Executes a row whose data was judged.
    #[inline]
    fn run(&mut self, row: &Row, mut call: Call) {
        if let Op::Always(act) = row.op {
            return act(self, call);
        }
        let x97 = self.class & 0xff == 0x97;
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
        let mut err = 0;
        if self.inside() {
            match row.guard {
                Guard::Free | Guard::Patch => {}
                Guard::Warn => err = warning::INSIDE,
                Guard::WarnCelsius if x97 => {}
                Guard::WarnCelsius => err = warning::INSIDE,
                Guard::Trap | Guard::TrapWarn if x97 => self.blow_up(nsource::IN_BEGIN_END),
                Guard::Trap => {}
                Guard::TrapWarn if self.kind != Kind::Celsius => {}
                Guard::TrapWarn => err = warning::INSIDE,
            }
        }
        match self.translate(row.soft, call) {
            Ok(value) => call.v = value,
            Err(code) => err |= code,
        }
        if err != 0 {
            return self.warn(err);
        }
        if !self.blocked() {
            self.act(row, call);
        }
    }

    #[inline]
    fn translate(&self, soft: Soft, call: Call) -> Result<u32, u32> {
        let v = call.v;
        match soft {
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
            Soft::Rule(rule) => rule(self, call),
        }
    }

    #[inline]
    fn act(&mut self, row: &Row, call: Call) {
        let Call { i, v, .. } = call;
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
            Op::Do(act) | Op::Always(act) => act(self, call),
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
        let Some(id) = bundle.id(self.g.family, i as u16) else {
            return;
        };
        if self.g.celsius() {
            self.send_celsius(id, value, last);
        } else {
            self.send_kelvin(id, value, last);
        }
    }
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
