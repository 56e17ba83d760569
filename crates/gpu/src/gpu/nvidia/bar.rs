//! The chip's state as the CPU reads and writes it: registers by address, and the units'
//! memories through RDI.

use super::Nvidia;
use isotherm_bus::bundle::{DmaRole, DmaSpan, SurfaceReg};
use isotherm_bus::context::Units;
use isotherm_bus::memory::Memory;
use isotherm_bus::objects::{Object, Objects};
use isotherm_bus::saved::Saved;
use isotherm_fe::bar::rdi;

/// RDI's address, and what was written through it and has not reached the units yet.
#[derive(Default)]
pub(super) struct Rdi {
    at: u32,
    row: [u32; 4],
    units: Option<Box<Units>>,
    /// Registers were written that the units have to hear of.
    stale: bool,
}

impl Rdi {
    /// Where it stands; what was written through it is in the units by then.
    pub(super) fn saved(&mut self, saved: &mut Saved) {
        saved.word(&mut self.at);
        saved.words(&mut self.row);
    }
}

/// Numbers of LTCTX and LTC have so many bits, and lie at the top of a word.
const LT_SHIFT: u32 = 10;
const LT_MASK: u32 = (1 << 22) - 1;

fn pack([x, y, z]: [u32; 3]) -> [u32; 4] {
    [z | y << 22, y >> 10 | x << 12, x >> 20, 0]
}

fn unpack([a, b, c, _]: [u32; 4]) -> [u32; 3] {
    let (z, y) = (a & LT_MASK, a >> 22 | b << 10 & LT_MASK);
    [(b >> 12 | c << 20) & LT_MASK, y & LT_MASK, z]
}

fn reversed([x, y, z, w]: [u32; 4]) -> [u32; 4] {
    [w, z, y, x]
}

impl Nvidia {
    /// The CPU writes a register of PGRAPH that is no bundle shadow; false if it is none.
    pub(super) fn write_bar(&mut self, address: u32, value: u32) -> bool {
        if !self.fe.has_bar() {
            return false;
        }
        match address {
            rdi::ADDRESS => self.rdi.at = value,
            rdi::DATA => self.write_rdi(value),
            _ => {
                if !self.fe.set_register(address, value) {
                    return false;
                }
                self.rdi.stale = true;
            }
        }
        true
    }

    /// A word through RDI.
    fn write_rdi(&mut self, word: u32) {
        let (space, offset) = (self.rdi.at >> 16, self.rdi.at & 0xFFFF);
        self.rdi.at = space << 16 | (offset + 4) & 0xFFFF;
        let (index, row) = (offset / 4, offset / 16);
        if space == rdi::IDX {
            if let Some(kept) = self.fe.idx_word(index) {
                *kept = word;
            }
            self.rdi.stale = true;
            return;
        }
        let pipeline = &self.back.pipeline;
        let units = self
            .rdi
            .units
            .get_or_insert_with(|| Box::new(pipeline.units()));
        if space == rdi::LTC {
            let scalars = units.ltc.iter_mut().flatten();
            if let Some(kept) = scalars.into_iter().nth(index as usize) {
                *kept = word << LT_SHIFT;
            }
            return;
        }
        self.rdi.row[index as usize & 3] = word;
        if index & 3 != 3 {
            return;
        }
        let whole = self.rdi.row;
        let number = match space {
            rdi::LTCTX | rdi::LTCTX_B => self.fe.lt_row_at((space, row)).map(|row| row as usize),
            _ => Some(row as usize),
        };
        let (rows, words) = match space {
            rdi::XFPR => (&mut units.xfpr, whole),
            rdi::VAB if row == 16 => {
                units.slot = reversed(whole);
                return;
            }
            rdi::VAB => (&mut units.vab, reversed(whole)),
            rdi::XFCTX => (&mut units.xfctx, reversed(whole)),
            rdi::LTCTX | rdi::LTCTX_B => {
                let [x, y, z] = unpack(whole).map(|word| word << LT_SHIFT);
                (&mut units.ltctx, [x, y, z, 0])
            }
            _ => return,
        };
        if let Some(kept) = number.and_then(|number| rows.get_mut(number)) {
            *kept = words;
        }
    }

    /// What the CPU wrote to registers and RDI reaches the units.
    pub(super) fn settle_bar(&mut self, memory: &mut Memory) {
        let pipeline = &mut self.back.pipeline;
        if std::mem::take(&mut self.rdi.stale) {
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
        if let Some(units) = self.rdi.units.take() {
            self.fe.adopt_units(&units);
            self.back.pipeline.load_units(memory, &units);
        }
    }

    /// The registers, and the memories as RDI shows them, as writes that put them back.
    pub(super) fn bar_writes(&mut self) -> Vec<(u32, u32)> {
        let mut writes = self.fe.registers();
        let units = self.back.pipeline.units();
        let mut rows = |space: u32, rows: &mut dyn Iterator<Item = [u32; 4]>| {
            writes.push((rdi::ADDRESS, space << 16));
            writes.extend(rows.flatten().map(|word| (rdi::DATA, word)));
        };
        rows(rdi::XFPR, &mut units.xfpr.iter().copied());
        let attributes = units.vab.iter().chain([&units.slot]);
        rows(rdi::VAB, &mut attributes.copied().map(reversed));
        rows(rdi::XFCTX, &mut units.xfctx.iter().copied().map(reversed));
        writes.push((rdi::ADDRESS, rdi::LTC << 16));
        let scalars = units.ltc.iter().flatten();
        writes.extend(scalars.map(|word| (rdi::DATA, word >> LT_SHIFT)));
        for (number, &[x, y, z, _]) in (0..).zip(&units.ltctx) {
            if let Some((space, row)) = self.fe.lt_place(number) {
                writes.push((rdi::ADDRESS, space << 16 | row << 4));
                let packed = pack([x, y, z].map(|word| word >> LT_SHIFT));
                writes.extend(packed.map(|word| (rdi::DATA, word)));
            }
        }
        writes.push((rdi::ADDRESS, rdi::IDX << 16));
        let words = (0..).map_while(|i| self.fe.idx_word(i).copied());
        let words: Vec<u32> = words.collect();
        writes.extend(words.into_iter().map(|word| (rdi::DATA, word)));
        writes
    }

    /// Bindings, objects and surfaces as methods: subchannel, method, data. Objects that have
    /// no handle any more get one.
    pub(super) fn binding_methods(&self, objects: &mut Objects) -> Vec<(u8, u16, u32)> {
        let mut methods = Vec::new();
        for subchannel in 0..8u8 {
            let handle = self.handles[usize::from(subchannel)];
            if handle != 0 && objects.get(handle).is_some() {
                methods.push((subchannel, 0, handle));
            }
        }
        let Some(subchannel) = (0..8u8).find(|s| self.bound_3d[usize::from(*s)]) else {
            return methods;
        };
        let (dma, surfaces) = self.fe.announced();
        for (role, span) in dma {
            methods.push((subchannel, dma_method(role), handle_of(objects, span)));
        }
        for (reg, value) in surfaces {
            methods.push((subchannel, surface_method(reg), value));
        }
        methods
    }
}

/// The method that binds an object; the other colour targets are Rankine's and Curie's.
fn dma_method(role: DmaRole) -> u16 {
    match role {
        DmaRole::Tex(0) => 0x184,
        DmaRole::Tex(_) => 0x188,
        DmaRole::State => 0x190,
        DmaRole::Color => 0x194,
        DmaRole::Zeta => 0x198,
        DmaRole::Vtx(0) => 0x19C,
        DmaRole::Vtx(_) => 0x1A0,
        DmaRole::Semaphore => 0x1A4,
        DmaRole::Report => 0x1A8,
        DmaRole::MoreColor(1) => 0x18C,
        DmaRole::MoreColor(2) => 0x1B4,
        DmaRole::MoreColor(_) => 0x1B8,
    }
}

/// The method that says it, likewise.
fn surface_method(reg: SurfaceReg) -> u16 {
    match reg {
        SurfaceReg::ClipHoriz => 0x200,
        SurfaceReg::ClipVert => 0x204,
        SurfaceReg::Format => 0x208,
        SurfaceReg::Pitch => 0x20C,
        SurfaceReg::ColorOffset => 0x210,
        SurfaceReg::ZetaOffset => 0x214,
        SurfaceReg::MoreOffset(1) => 0x218,
        SurfaceReg::MoreOffset(2) => 0x288,
        SurfaceReg::MoreOffset(_) => 0x28C,
        SurfaceReg::MorePitch(1) => 0x21C,
        SurfaceReg::MorePitch(2) => 0x280,
        SurfaceReg::MorePitch(_) => 0x284,
    }
}

/// First handle of objects that only a saved state has.
const FRESH: u32 = 0xFFFF_0000;

/// The handle of an object over this memory.
fn handle_of(objects: &mut Objects, span: DmaSpan) -> u32 {
    let all = objects.sorted();
    let same = |object: &&Object| object.is_dma() && object.span == span;
    if let Some(object) = all.iter().find(same) {
        return object.handle;
    }
    if span == DmaSpan::default() {
        return 0;
    }
    let handle = (FRESH..).find(|handle| objects.get(*handle).is_none());
    let handle = handle.unwrap_or(FRESH);
    let frame = span.base & !0xFFF | 3;
    objects.insert(Object {
        handle,
        instance: objects.fresh_instance(),
        class: 0x3D,
        raw: [0x303D | span.base << 20, span.limit, frame, frame],
        span,
    });
    handle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_22_bits_come_back() {
        for row in [
            [0, 0, 0],
            [0x3F_FFFF, 0, 1],
            [0x12_3456, 0x2A_AAAA, 0x15_5555],
        ] {
            assert_eq!(unpack(pack(row)), row);
        }
    }
}
