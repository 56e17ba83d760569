//! The chip's state as the CPU reads and writes it: registers by address, and the units'
//! memories through the port that the chip has for them.

use super::Nvidia;
use isotherm_bus::context::Units;
use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_fe::Fe;
use isotherm_regs::pgraph::port::{
    self, Cell, LT_SHIFT, cells, pack, pack_branches, port, unpack, unpack_branches,
};
use std::collections::HashMap;

/// The port's address, and what was written through it and has not reached the units yet.
#[derive(Default)]
pub(super) struct Writes {
    at: u32,
    cells: HashMap<u32, Cell>,
    units: Option<Box<Units>>,
    /// Registers were written that the units have to hear of.
    stale: bool,
}

impl Writes {
    /// Where it stands; what was written through it is in the units by then.
    pub(super) fn saved(&mut self, saved: &mut Saved) {
        saved.word(&mut self.at);
    }
}

impl Nvidia {
    /// The CPU writes a register of PGRAPH that is no bundle shadow; false if it is none.
    pub(super) fn write_bar(&mut self, address: u32, value: u32) -> bool {
        match port(self.chip) {
            Some(port) if port.address == address => self.written.at = value,
            Some(port) if port.data == address => self.write_port(value),
            _ if self.fe.set_register(address, value) => self.written.stale = true,
            _ => return false,
        }
        true
    }

    /// A word through the port.
    fn write_port(&mut self, word: u32) {
        let Writes {
            at,
            cells: known,
            units,
            stale,
        } = &mut self.written;
        if known.is_empty() {
            known.extend(cells(self.chip));
        }
        let cell = known.get(at).copied();
        *at = port::next(*at);
        let Some(cell) = cell else {
            return;
        };
        *stale = true;
        let pipeline = &self.back.pipeline;
        let units = units.get_or_insert_with(|| Box::new(pipeline.units()));
        write(cell, word, units, &mut self.fe);
    }

    /// What the CPU wrote to registers and the port reaches the units.
    pub(super) fn settle_bar(&mut self, memory: &mut Memory) {
        let pipeline = &mut self.back.pipeline;
        if std::mem::take(&mut self.written.stale) {
            self.fe
                .send_registers(&mut |event| pipeline.event(memory, event));
            for subchannel in 0..8 {
                let class = self.fe.class(subchannel);
                if isotherm_regs::Class3d::of(class).is_some() {
                    self.bound[subchannel] = class;
                    self.bound_3d[subchannel] = true;
                }
            }
        }
        if let Some(units) = self.written.units.take() {
            self.fe.adopt_units(&units);
            self.back.pipeline.load_units(memory, &units);
        }
    }

    /// The registers, and the memories as the port shows them, as writes that put them back.
    pub(super) fn bar_writes(&mut self) -> Vec<(u32, u32)> {
        let mut writes = self.fe.registers();
        let Some(port) = port(self.chip) else {
            return writes;
        };
        let units = self.back.pipeline.units();
        let mut at = None;
        for (address, cell) in cells(self.chip) {
            if at != Some(address) {
                writes.push((port.address, address));
            }
            writes.push((port.data, read(cell, &units, &mut self.fe)));
            at = Some(port::next(address));
        }
        writes
    }
}

/// A component of a row; 0 where the units have none.
fn at(rows: &[[u32; 4]], row: u16, word: u8) -> u32 {
    let row = rows.get(usize::from(row)).copied().unwrap_or_default();
    row[usize::from(word & 3)]
}

fn set(rows: &mut [[u32; 4]], row: u16, word: u8, value: u32) {
    if let Some(row) = rows.get_mut(usize::from(row)) {
        row[usize::from(word & 3)] = value;
    }
}

fn packed(units: &Units, row: u16) -> [u32; 4] {
    pack([0, 1, 2].map(|word| at(&units.ltctx, row, word) >> LT_SHIFT))
}

/// Rows of branch addresses are packed, the time-out is not.
fn control(units: &Units, row: u8) -> [u32; 4] {
    let words = [0, 1, 2, 3].map(|word| at(&units.xf_control, row.into(), word));
    if row < 2 { pack_branches(words) } else { words }
}

fn scalar(units: &mut Units, bank: u8, row: u16) -> Option<&mut u32> {
    let bank = units.ltc.get_mut(usize::from(bank))?;
    bank.get_mut(usize::from(row))
}

/// What the port shows.
fn read(cell: Cell, units: &Units, fe: &mut Fe) -> u32 {
    let number = |bank: u8, row: u16| {
        let bank = units.ltc.get(usize::from(bank));
        let word = bank.and_then(|bank| bank.get(usize::from(row)));
        word.copied().unwrap_or(0)
    };
    match cell {
        Cell::Vab(row, word) => at(&units.vab, row, word),
        Cell::Slot(word) => units.slot[usize::from(word & 3)],
        Cell::Xfctx(row, word) => at(&units.xfctx, row, word),
        Cell::Xfpr(row, word) => at(&units.xfpr, row, word),
        Cell::Ltctx(row, word) => at(&units.ltctx, row, word),
        Cell::LtctxPacked(row, word) => packed(units, row)[usize::from(word & 3)],
        Cell::Ltc(bank, row) => number(bank, row),
        Cell::LtcLow(bank, row) => number(bank, row) >> LT_SHIFT,
        Cell::Control(row, word) => control(units, row)[usize::from(word & 3)],
        Cell::Arrays(index) => fe.arrays_word(index).map_or(0, |word| *word),
        Cell::Pass(index) => fe.pass_word(index).map_or(0, |word| *word),
    }
}

/// What is written to it.
fn write(cell: Cell, word: u32, units: &mut Units, fe: &mut Fe) {
    let kept = match cell {
        Cell::Vab(row, i) => return set(&mut units.vab, row, i, word),
        Cell::Xfctx(row, i) => return set(&mut units.xfctx, row, i, word),
        Cell::Xfpr(row, i) => return set(&mut units.xfpr, row, i, word),
        Cell::Ltctx(row, i) => return set(&mut units.ltctx, row, i, word),
        Cell::LtctxPacked(row, i) => {
            let mut words = packed(units, row);
            words[usize::from(i & 3)] = word;
            for (i, number) in (0..).zip(unpack(words)) {
                set(&mut units.ltctx, row, i, number << LT_SHIFT);
            }
            return;
        }
        Cell::Control(row, i) => {
            let mut words = control(units, row);
            words[usize::from(i & 3)] = word;
            let words = if row < 2 {
                unpack_branches(words)
            } else {
                words
            };
            for (i, word) in (0..).zip(words) {
                set(&mut units.xf_control, row.into(), i, word);
            }
            return;
        }
        Cell::Slot(i) => units.slot.get_mut(usize::from(i)),
        Cell::Ltc(bank, row) => scalar(units, bank, row),
        Cell::LtcLow(bank, row) => {
            if let Some(kept) = scalar(units, bank, row) {
                *kept = word << LT_SHIFT;
            }
            return;
        }
        Cell::Arrays(index) => fe.arrays_word(index),
        Cell::Pass(index) => fe.pass_word(index),
    };
    if let Some(kept) = kept {
        *kept = word;
    }
}
