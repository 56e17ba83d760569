//! PGRAPH as the CPU sees it in the BAR: registers by their addresses, and the memories behind
//! RDI. Recorders read a chip's state there, and loading it writes there.
//!
//! Addresses and layouts are those of envytools' hardware tests, which read and write them on
//! the chips. Only Kelvin's are here; the other families' states go by the context.

use super::Fe;
use super::context::Announced;
use super::regs::Regs;
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event, SurfaceReg};
use isotherm_bus::context::Units;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, Kind};
use isotherm_regs::pgraph::address::{Place, kelvin_places};

/// Where RDI keeps what: the upper half of its address.
pub mod rdi {
    /// The register that takes the address: space in the upper half, byte offset in the lower.
    pub const ADDRESS: u32 = 0x40_0750;
    /// The register that takes a word and moves on to the next.
    pub const DATA: u32 = 0x40_0754;
    /// XFPR, four words a row.
    pub const XFPR: u32 = 0x10;
    /// VAB, four words a row, the last first; behind the attributes the pass-through slot.
    pub const VAB: u32 = 0x15;
    /// The second part of LTCTX, from NV2A on.
    pub const LTCTX_B: u32 = 0x16;
    /// XFCTX, four words a row, the last first.
    pub const XFCTX: u32 = 0x17;
    /// LTCTX, three numbers of 22 bits packed into a row of four words, the last first.
    pub const LTCTX: u32 = 0x18;
    /// LTC0 to LTC3, one after the other.
    pub const LTC: u32 = 0x19;
    /// Offset and format of sixteen vertex arrays, then IDX_STATE_A to C.
    pub const IDX: u32 = 0x26;
}

/// A row of LTCTX, by the space it lies in.
pub type LtPlace = (u32, u32);

impl Fe {
    /// Can the state be read and written by address?
    pub fn has_bar(&self) -> bool {
        self.g.kelvin()
    }

    fn places(&self) -> impl Iterator<Item = &'static Place> + use<> {
        let chip = self.g.chip;
        kelvin_places().iter().filter(move |place| place.on(chip))
    }

    /// All registers: address and word. Bundle shadows are among them.
    pub fn registers(&mut self) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        for place in self.places() {
            for i in 0..place.count {
                let word = reach(&mut self.r, place, i).copied();
                all.extend(word.map(|word| (place.address + 4 * i, word)));
            }
        }
        let (base, _) = self.shadow_range();
        for bundle in Bundle::all().filter(|bundle| bundle.row().kind == Kind::State) {
            let count = bundle.row().ids(self.g.family).map_or(0, |ids| ids.count);
            for i in 0..count {
                if let Some(id) = bundle.id(self.g.family, i) {
                    let word = self.word(bundle, i.into());
                    all.push((base + 4 * u32::from(id), word));
                }
            }
        }
        all
    }

    /// The CPU writes a register that is no bundle shadow; false if there is none.
    pub fn set_register(&mut self, address: u32, value: u32) -> bool {
        if !self.has_bar() {
            return false;
        }
        let found = self.places().find_map(|place| {
            let i = address.wrapping_sub(place.address) / 4;
            (address >= place.address && i < place.count).then_some((place, i))
        });
        let Some((place, i)) = found else {
            return false;
        };
        if let Some(word) = reach(&mut self.r, place, i) {
            *word = value;
        }
        self.class_key = !0;
        self.settled = Default::default();
        true
    }

    /// A word of the vertex arrays' state.
    pub fn idx_word(&mut self, index: u32) -> Option<&mut u32> {
        let r = &mut self.r;
        let array = (index / 2) as usize;
        match index {
            0..0x20 if index.is_multiple_of(2) => r.idx_state_vtxbuf_offset.get_mut(array),
            0..0x20 => r.idx_state_vtxbuf_format.get_mut(array),
            0x20 => Some(&mut r.idx_state_a),
            0x21 => Some(&mut r.idx_state_b),
            0x22 => Some(&mut r.idx_state_c),
            _ => None,
        }
    }

    /// The row of LTCTX that is kept at a place.
    pub fn lt_row_at(&self, (space, row): LtPlace) -> Option<u32> {
        (0..LT_ROWS).find(|&number| self.lt_place(number) == Some((space, row)))
    }

    /// Where a row of LTCTX is kept.
    pub fn lt_place(&self, row: u32) -> Option<LtPlace> {
        if self.g.chip == Chip::Nv20 {
            return (row < 0x4a).then_some((rdi::LTCTX, row));
        }
        let light = row >> 3 & 7;
        Some(match (row, row & 7) {
            (0..0x40, k @ 0..=2) => (rdi::LTCTX_B, light * 6 + k),
            (0..0x40, k @ 3..=4) => (rdi::LTCTX, light * 2 + k - 3),
            (0..0x40, k) => (rdi::LTCTX_B, light * 6 + k - 2),
            (0x40..0x48, _) => (rdi::LTCTX, row - 0x30),
            (0x48, _) => (rdi::LTCTX_B, 0x30),
            (0x49, _) => (rdi::LTCTX, 0x18),
            (0x4a, _) => (rdi::LTCTX_B, 0x32),
            (0x4b, _) => (rdi::LTCTX_B, 0x31),
            _ => return None,
        })
    }

    /// Takes over what lies in the units' memories: the front end has copies of some.
    pub fn adopt_units(&mut self, units: &Units) {
        let r = &mut self.r;
        r.vab.iter_mut().zip(&units.vab).for_each(copy);
        r.vab[16] = units.slot;
        r.xfctx.iter_mut().zip(&units.xfctx).for_each(copy);
        r.ltc
            .iter_mut()
            .zip(units.ltc.iter().flatten())
            .for_each(|(to, from)| *to = *from >> 10);
        for (row, &[x, y, z, _]) in (0..).zip(&units.ltctx) {
            if let Some(kept) = self.ltctx_row(row) {
                *kept = [x, y, z].map(|word| word >> 10);
            }
        }
    }

    /// Tells the units what the registers hold that are no bundles.
    pub fn send_registers(&mut self, sink: &mut impl FnMut(&Event)) {
        self.send_kelvin_registers();
        self.out.iter().for_each(&mut *sink);
        self.out.clear();
    }

    /// The objects and surfaces as methods gave them.
    pub fn announced(
        &self,
    ) -> (
        impl Iterator<Item = (DmaRole, DmaSpan)>,
        impl Iterator<Item = (SurfaceReg, u32)>,
    ) {
        let Announced { dma, surface } = self.announced;
        let roles = super::context::ROLES.into_iter().zip(dma);
        let surfaces = super::context::SURFACE.into_iter().zip(surface);
        (
            roles.filter_map(|(role, span)| Some((role, span?))),
            surfaces.filter_map(|(reg, value)| Some((reg, value?))),
        )
    }
}

/// Rows of LTCTX.
const LT_ROWS: u32 = 0x4c;

fn copy((to, from): (&mut [u32; 4], &[u32; 4])) {
    *to = *from;
}

/// The word of a register.
fn reach<'a>(r: &'a mut Regs, place: &Place, i: u32) -> Option<&'a mut u32> {
    let first = place.first as usize + i as usize;
    let access = Regs::access(place.name)?;
    let index: &[usize] = match place.count {
        1 if place.first == 0 && access(&mut Regs::default(), &[]).is_some() => &[],
        _ => &[first],
    };
    access(r, index)
}
