//! The short way: methods that need no more than their data, many at a time.
//!
//! While the front end is settled (nothing pending, no checks that only some state asks for), a
//! row of the method table comes down to a few masks, worked out once for every method number
//! when the table is made. A run of data words then goes from one [`Shortcut`] to the next; what
//! each method overwrites anyway (trap registers, vertex cursor) is written once behind the
//! last. Everything else goes the long way, `Fe::dispatch`.

use super::object::Objects;
use super::table::{Call, Check, Guard, Op, Row, Soft, Table};
use super::xfload::xfctx_word;
use super::{Fe, NO_ID};
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::Trap;
use isotherm_regs::bundle::SLOTS;
use isotherm_regs::method::INDEX16;
use isotherm_regs::pgraph::{CTX_USER, DEBUG_D, FE3D_MISC, FIFO_MTHD};

/// When the way of a method can be shortened. Any method that goes the long way makes it out
/// anew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// The subchannel that it holds for, or [`Settled::NEVER`].
    pub subchannel: u8,
    /// What a method must not need (see [`needs`]): an open primitive refuses some, data
    /// checks need their rule.
    stop: u8,
    /// All ones if data is checked (DEBUG_D[20]), else 0.
    checked: u32,
    /// Channel and subchannel as in FIFO_MTHD_ST2.
    address: u32,
}

/// Numbers of vertices that are handed on at once.
const NUMBERS: usize = 64;

impl Settled {
    const NEVER: u8 = u8::MAX;
}

impl Default for Settled {
    fn default() -> Settled {
        Settled {
            subchannel: Settled::NEVER,
            stop: 0,
            checked: 0,
            address: 0,
        }
    }
}

/// How a method is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Not at all.
    Long,
    /// Bits of a shadow word, which is sent.
    Word,
    /// A word of an XFCTX row.
    Xfctx,
    /// Numbers of vertices, which change nothing here.
    Numbers,
    /// An action of the table that leaves the front end settled.
    Table,
    /// A function that may do anything.
    Function,
}

/// How a method by its row left the front end.
enum After {
    /// Nothing was done: it takes the long way.
    Untouched,
    /// As settled as before.
    Settled,
    /// Something changed, or a trap is pending.
    Restless,
}

/// What a method needs besides its masks.
mod needs {
    /// No primitive open.
    pub const OUTSIDE: u8 = 1;
    /// The row's own check of the data.
    pub const CHECK: u8 = 2;
    /// The row's own translation of the data.
    pub const TRANSLATION: u8 = 4;
    /// More than a shadow word or an XFCTX row.
    pub const ACTION: u8 = 8;
}

/// What a method comes down to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortcut {
    how: How,
    needs: u8,
    /// The data's bits move up so far.
    lo: u8,
    /// Shadow word, or XFCTX row times 4 and component.
    at: u16,
    /// Row of the table, and the method's place in its array.
    row: u16,
    i: u16,
    /// Data bits that the check refuses.
    refused: u32,
    /// The data lies in `first..=first + most` and is kept as its distance from `first`.
    first: u32,
    most: u32,
    /// Bits of the shadow word that stay, and those that are replaced.
    keep: u32,
    put: u32,
}

impl Shortcut {
    /// A method that the class does not have.
    pub const LONG: Shortcut = Shortcut {
        how: How::Long,
        needs: needs::ACTION,
        lo: 0,
        at: 0,
        row: 0,
        i: 0,
        refused: 0,
        first: 0,
        most: !0,
        keep: !0,
        put: 0,
    };

    /// Method `i` of a row; the row is number `number` of its table.
    pub fn new(row: &Row, number: usize, i: u16) -> Shortcut {
        let mut shortcut = Shortcut {
            row: number as u16,
            i,
            ..Shortcut::LONG
        };
        if row.plain {
            shortcut.needs = 0;
            if !matches!(row.guard, Guard::Free | Guard::Patch) {
                shortcut.needs |= needs::OUTSIDE;
            }
            shortcut.judge(row);
            shortcut.act(row);
        }
        shortcut
    }

    /// Check and translation.
    fn judge(&mut self, row: &Row) {
        match row.check {
            Check::Any | Check::Declared => {}
            Check::Mask(mask) => self.refused = !mask,
            Check::Below(n) if n.is_power_of_two() => self.refused = !(n - 1),
            Check::Below(_) | Check::Rule(_) => self.needs |= needs::CHECK,
        }
        match row.soft {
            Soft::Any | Soft::Declared => {}
            Soft::Bool => self.most = 1,
            Soft::Below(n) if n > 0 => self.most = n - 1,
            Soft::Range(first, n) if n > 0 => (self.first, self.most) = (first, n - 1),
            _ => self.needs |= needs::TRANSLATION,
        }
    }

    /// The action.
    fn act(&mut self, row: &Row) {
        let i = usize::from(self.i);
        match row.op {
            Op::Field(bundle, field) if bundle.slot() < SLOTS => {
                self.at = bundle.slot() as u16;
                self.put = field.ones();
                self.lo = self.put.trailing_zeros() as u8;
                self.keep = !self.put;
                self.how = How::Word;
            }
            Op::Word(bundle) if bundle.slot() + i < SLOTS => {
                self.at = (bundle.slot() + i) as u16;
                (self.keep, self.put) = (0, row.kept);
                self.how = How::Word;
            }
            Op::Xfctx(first) => {
                self.at = (first << 2) as u16 + self.i;
                self.how = How::Xfctx;
            }
            Op::Index16 | Op::Index32 => {
                self.needs |= needs::ACTION;
                self.how = How::Numbers;
            }
            Op::Do(_) | Op::Always(_) => {
                self.needs |= needs::ACTION;
                self.how = How::Function;
            }
            _ => {
                self.needs |= needs::ACTION;
                self.how = How::Table;
            }
        }
    }
}

/// Who takes what the front end pushes into the pipeline.
pub trait Sink {
    /// Takes one event.
    fn event(&mut self, event: &Event);

    /// Takes as many [`Event::Element`]s, which is what most words of a draw are.
    #[inline]
    fn elements(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.event(&Event::Element(*number));
        }
    }
}

impl<F: FnMut(&Event)> Sink for F {
    #[inline]
    fn event(&mut self, event: &Event) {
        self(event);
    }
}

/// Methods of one subchannel, one for each word of data.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    subchannel: u8,
    method: u32,
    step: u32,
    data: &'a [u32],
}

impl Run<'_> {
    /// The first word goes to `method`, each next one `step` (4, or 0) further on.
    pub fn new(subchannel: u8, method: u32, step: u32, data: &[u32]) -> Run<'_> {
        Run {
            subchannel: subchannel & 7,
            method: method & 0x1ffc,
            step,
            data,
        }
    }

    /// The method that word `n` goes to.
    #[inline]
    fn at(&self, n: usize) -> u32 {
        self.method.wrapping_add(self.step.wrapping_mul(n as u32)) & 0x1ffc
    }

    /// What is left behind the first `n` words.
    #[inline]
    fn behind(self, n: usize) -> Self {
        let method = self.at(n);
        let data = self.data.get(n..).unwrap_or_default();
        Run {
            method,
            data,
            ..self
        }
    }
}

impl Fe {
    /// Executes methods and hands on what they push into the pipeline.
    ///
    /// An error is reported and then acknowledged, as the driver's interrupt handler would, so
    /// that the next method finds a running front end.
    pub fn run(
        &mut self,
        run: Run<'_>,
        objects: &impl Objects,
        sink: &mut impl Sink,
        trapped: &mut impl FnMut(Trap),
    ) {
        let mut rest = run;
        while let Some((&word, tail)) = rest.data.split_first() {
            if self.settled.subchannel == rest.subchannel {
                let done = self.run_calm(rest, sink);
                if self.r.intr != 0
                    && let Some(last) = done.checked_sub(1)
                {
                    let trap = self.acknowledge(rest.at(last), rest.data[last]);
                    self.calm_down();
                    trapped(trap);
                }
                if done > 0 {
                    rest = rest.behind(done);
                    continue;
                }
            }
            if let Some(trap) = self.run_long(rest.subchannel, rest.method, word, objects, sink) {
                trapped(trap);
            }
            (rest.method, rest.data) = (rest.at(1), tail);
        }
    }

    /// Executes one method; see [`Fe::run`].
    pub fn method(
        &mut self,
        subchannel: usize,
        method: u32,
        data: u32,
        objects: &impl Objects,
        sink: &mut impl Sink,
    ) -> Option<Trap> {
        let run = Run::new(subchannel as u8, method, 0, std::slice::from_ref(&data));
        let mut found = None;
        self.run(run, objects, sink, &mut |trap| found = Some(trap));
        found
    }

    /// One method on the long way.
    fn run_long(
        &mut self,
        subchannel: u8,
        method: u32,
        data: u32,
        objects: &impl Objects,
        sink: &mut impl Sink,
    ) -> Option<Trap> {
        let subc = usize::from(subchannel);
        let value = if method < 0x200 {
            self.resolve(subc, method, data, objects)
        } else {
            data
        };
        self.r.fifo_mthd_st2 = self.fifo_address(subc) | method | FIFO_MTHD::PENDING.ones();
        self.r.fifo_data_st2[0] = value;
        self.step(subc, method, value);
        self.calm_down();
        // What CPU writes sent before goes first.
        self.hand_on(sink);
        if self.r.intr == 0 {
            return None;
        }
        let trap = self.acknowledge(method, data);
        self.calm_down();
        Some(trap)
    }

    /// FIFO_MTHD_ST2 without the method: channel and subchannel.
    #[inline]
    fn fifo_address(&self, subchannel: usize) -> u32 {
        let mut word = 0;
        FIFO_MTHD::CHANNEL.write(&mut word, CTX_USER::CHANNEL.read(self.r.ctx_user));
        FIFO_MTHD::SUBCHANNEL.write(&mut word, subchannel as u32);
        word
    }

    /// Gives what methods emitted to the pipeline.
    #[inline]
    fn hand_on(&mut self, sink: &mut impl Sink) {
        for event in &self.out {
            sink.event(event);
        }
        self.out.clear();
    }

    /// Executes methods as long as they can be shortened; says how many. After one that
    /// trapped it stops and leaves the trap pending.
    #[inline]
    fn run_calm(&mut self, run: Run<'_>, sink: &mut impl Sink) -> usize {
        let Some(table) = self.methods else {
            return 0;
        };
        let address = self.settled.address;
        let mut done = 0;
        loop {
            done += self.run_words(table, run.behind(done), sink);
            done += run_numbers(table, run.behind(done), sink);
            let Some(&data) = run.data.get(done) else {
                break;
            };
            let shortcut = table.shortcut(run.at(done));
            let settled = self.run_action(table, shortcut, data);
            self.hand_on(sink);
            match settled {
                After::Untouched => break,
                After::Settled => done += 1,
                After::Restless => {
                    done += 1;
                    break;
                }
            }
        }
        if let Some(last) = done.checked_sub(1) {
            let (st2, data) = (address | run.at(last), run.data[last]);
            self.r.fifo_mthd_st2 = st2;
            self.r.fifo_data_st2[0] = data;
            self.latch(st2, data);
        }
        done
    }

    /// Executes methods as long as each is a shadow word or an XFCTX word; says how many.
    #[inline]
    fn run_words(&mut self, table: &Table, run: Run<'_>, sink: &mut impl Sink) -> usize {
        if self.g.celsius() {
            // Its pipe has more to do.
            return 0;
        }
        let stop = self.settled.stop | needs::TRANSLATION | needs::ACTION;
        let checked = self.settled.checked;
        let rows = self.xfctx_rows();
        let mut path = self.open_path();
        let (mut method, mut done) = (run.method, 0);
        let Fe { r, shadow, ids, .. } = self;
        for &data in run.data {
            let shortcut = table.shortcut(method);
            let value = data.wrapping_sub(shortcut.first);
            if shortcut.needs & stop != 0
                || data & shortcut.refused & checked != 0
                || value > shortcut.most
            {
                break;
            }
            let at = usize::from(shortcut.at);
            if shortcut.how == How::Word {
                let (Some(word), Some(&id)) = (shadow.get_mut(at), ids.get(at)) else {
                    break;
                };
                let value = *word & shortcut.keep | value << shortcut.lo & shortcut.put;
                *word = value;
                if id != NO_ID {
                    path.bundle(r, id, value);
                    let last = true;
                    sink.event(&Event::Bundle { id, value, last });
                }
            } else {
                sink.event(&xfctx_word(r, &mut path, rows, shortcut.at.into(), value));
            }
            method = (method + run.step) & 0x1ffc;
            done += 1;
        }
        self.close_path(path);
        done
    }

    /// Executes one method by its row of the table.
    fn run_action(&mut self, table: &Table, shortcut: &Shortcut, data: u32) -> After {
        let row = table.row(shortcut.row);
        let call = Call {
            i: shortcut.i.into(),
            v: data,
            p: row.p,
        };
        if shortcut.how == How::Long
            || shortcut.needs & self.settled.stop & needs::OUTSIDE != 0
            || self.settled.checked != 0 && !self.accepts(row, call)
        {
            return After::Untouched;
        }
        let Ok(value) = self.translate(row, call) else {
            return After::Untouched;
        };
        if shortcut.how == How::Function {
            return self.call(row, call, value);
        }
        if row.pipe && self.g.celsius() {
            self.refresh_point_size();
        }
        self.act(row, Call { v: value, ..call });
        After::Settled
    }

    /// Calls a row's function; says whether the front end is as settled as before.
    #[inline]
    fn call(&mut self, row: &Row, call: Call, value: u32) -> After {
        // Nothing else that settled depends on is changed by a row without a DMA object.
        let state = |fe: &Fe| (fe.r.fe3d_misc, fe.r.celsius_config_c);
        let before = state(self);
        match row.op {
            // Such a function looks at the data as it is.
            Op::Always(act) => act(self, call),
            _ => {
                if row.pipe && self.g.celsius() {
                    self.refresh_point_size();
                }
                self.act(row, Call { v: value, ..call });
            }
        }
        self.follow_wires();
        if before == state(self) && self.r.intr == 0 && self.r.nsource == 0 {
            return After::Settled;
        }
        self.calm_down();
        After::Restless
    }

    /// Notes whether the next methods of this subchannel can be run without looking at anything
    /// but their data.
    pub(super) fn calm_down(&mut self) {
        const CHECKS: u32 = DEBUG_D::STATE3D_CHECK.ones() | DEBUG_D::DATA_ERROR_ALWAYS.ones();
        let r = &*self.r;
        let key = self.class_key == self.class_key_now();
        let settled = key
            && r.intr == 0
            && r.nsource == 0
            && r.ctx_switch_t == 0
            && r.debug_d & CHECKS == 0
            && self.class != 0x48
            && !(FE3D_MISC::IN_PATCH.is_on(r.fe3d_misc) && DEBUG_D::PATCH_CHECK.is_on(r.debug_d));
        let subc = r.subchannel();
        let checked = DEBUG_D::DATA_CHECK.is_on(r.debug_d);
        let outside = if self.inside() { needs::OUTSIDE } else { 0 };
        let rules = if checked { needs::CHECK } else { 0 };
        self.settled = Settled {
            subchannel: if settled { subc as u8 } else { Settled::NEVER },
            stop: outside | rules,
            checked: if checked { !0 } else { 0 },
            address: self.fifo_address(subc),
        };
    }
}

/// Hands on the numbers of vertices that a run begins with; says how many words they were.
#[inline]
fn run_numbers(table: &Table, run: Run<'_>, sink: &mut impl Sink) -> usize {
    let first = table.shortcut(run.method);
    if first.how != How::Numbers {
        return 0;
    }
    let same = |n: &usize| table.shortcut(run.at(*n)).row == first.row;
    let count = match run.step {
        0 => run.data.len(),
        _ => (0..run.data.len()).take_while(same).count(),
    };
    let data = &run.data[..count];
    if matches!(table.row(first.row).op, Op::Index32) {
        sink.elements(data);
        return count;
    }
    let mut numbers = [[0; 2]; NUMBERS / 2];
    for data in data.chunks(numbers.len()) {
        for (numbers, data) in numbers.iter_mut().zip(data) {
            *numbers = two_numbers(*data);
        }
        sink.elements(numbers[..data.len()].as_flattened());
    }
    count
}

/// The numbers in a word, low half first.
#[inline]
pub(super) fn two_numbers(data: u32) -> [u32; 2] {
    [INDEX16::I0.read(data), INDEX16::I1.read(data)]
}
