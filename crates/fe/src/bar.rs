//! PGRAPH as the CPU sees it in the BAR: registers by their addresses, and what the front end
//! has of the memories behind PIPE and RDI. Recorders read a chip's state there, and loading it
//! writes there.
//!
//! Addresses and layouts are those of envytools' hardware tests, which read and write them on
//! the chips.

use super::Fe;
use super::context::{Announced, array_format};
use super::regs::Regs;
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event, SurfaceReg};
use isotherm_bus::context::Units;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, Kind};
use isotherm_regs::pgraph::address::{Place, places};
use isotherm_regs::pgraph::port::LT_SHIFT;
use isotherm_regs::pgraph::{FE3D_XF_LOAD_POS, IDX_STATE_A, IDX_STATE_D};

/// What Curie shows in no register: what the methods gave that loaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uploads {
    /// Data of VTXBUF_OFFSET and VTXBUF_FORMAT.
    pub arrays: [[u32; 2]; 16],
    /// Offset of the index buffer.
    pub index_offset: u32,
    /// Its indices have 16 bits.
    pub index_short: bool,
    /// Its DMA object is the second.
    pub index_dma: bool,
    /// The edge flag.
    pub edge_flag: bool,
    /// The row that the next instruction and the next constant go to.
    pub load_pos: [u32; 2],
}

impl Fe {
    /// All registers: address and word. Bundle shadows come first: their writes change other
    /// registers.
    pub fn registers(&mut self) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
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
        for place in places(self.g.chip) {
            for i in 0..place.count {
                let word = reach(&mut self.r, place, i).copied();
                all.extend(word.map(|word| (place.address + 4 * i, word)));
            }
        }
        all
    }

    /// The CPU writes a register that is no bundle shadow; false if there is none.
    pub fn set_register(&mut self, address: u32, value: u32) -> bool {
        let found = places(self.g.chip).find_map(|place| {
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

    /// A word of the vertex arrays' state, as the port has them in a row.
    pub fn arrays_word(&mut self, index: u8) -> Option<&mut u32> {
        let celsius = self.g.celsius();
        let r = &mut self.r;
        let array = usize::from(index / 2);
        if celsius {
            return match index {
                0..0x10 if index.is_multiple_of(2) => r.celsius_pipe_vtxbuf_offset.get_mut(array),
                0..0x10 => r.celsius_pipe_vtxbuf_format.get_mut(array),
                0x10 => Some(&mut r.celsius_pipe_begin_end),
                0x11 => Some(&mut r.celsius_pipe_edge_flag),
                0x12 => Some(&mut r.celsius_pipe_unk48),
                0x13 => Some(&mut r.celsius_pipe_vtx_state),
                _ => None,
            };
        }
        match index {
            0..0x20 if index.is_multiple_of(2) => r.idx_state_vtxbuf_offset.get_mut(array),
            0..0x20 => r.idx_state_vtxbuf_format.get_mut(array),
            0x20 => Some(&mut r.idx_state_a),
            0x21 => Some(&mut r.idx_state_b),
            0x22 => Some(&mut r.idx_state_c),
            0x23 => Some(&mut r.idx_state_d),
            _ => None,
        }
    }

    /// A component of Celsius's pass-through slot.
    pub fn pass_word(&mut self, index: u8) -> Option<&mut u32> {
        self.r.celsius_pipe_junk.get_mut(usize::from(index))
    }

    /// Takes over what lies in the units' memories: the front end has copies of some.
    pub fn adopt_units(&mut self, units: &Units) {
        if self.g.celsius() {
            return self.adopt_celsius(units);
        }
        let r = &mut self.r;
        r.vab.iter_mut().zip(&units.vab).for_each(copy);
        r.vab[16] = units.slot;
        r.xfctx.iter_mut().zip(&units.xfctx).for_each(copy);
        let scalars = units.ltc.iter().flatten();
        r.ltc
            .iter_mut()
            .zip(scalars)
            .for_each(|(to, from)| *to = *from >> LT_SHIFT);
        for (row, &[x, y, z, _]) in (0..).zip(&units.ltctx) {
            if let Some(kept) = self.ltctx_row(row) {
                *kept = [x, y, z].map(|word| word >> LT_SHIFT);
            }
        }
    }

    fn adopt_celsius(&mut self, units: &Units) {
        let r = &mut self.r;
        r.celsius_pipe_xfrm
            .iter_mut()
            .zip(&units.xfctx)
            .for_each(copy);
        for (kept, &[x, y, z, _]) in r.celsius_pipe_light_v.iter_mut().zip(&units.ltctx) {
            *kept = [x, y, z];
        }
        let banks: [&mut [u32]; 4] = [
            &mut r.celsius_pipe_light_sa,
            &mut r.celsius_pipe_light_sb,
            &mut r.celsius_pipe_light_sc,
            &mut r.celsius_pipe_light_sd,
        ];
        for (bank, kept) in banks.into_iter().zip(&units.ltc) {
            bank.iter_mut().zip(kept).for_each(|(to, from)| *to = *from);
        }
    }

    /// Tells the units what the registers hold that are no bundles.
    pub fn send_registers(&mut self, sink: &mut impl FnMut(&Event)) {
        if self.g.celsius() {
            self.send_celsius_registers();
        } else {
            self.send_kelvin_registers();
        }
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

    /// What no register shows, as methods load it.
    pub fn uploads(&self) -> Uploads {
        let (r, chip): (_, Chip) = (&self.r, self.g.chip);
        let mut arrays = [[0; 2]; 16];
        for (i, array) in arrays.iter_mut().enumerate() {
            let format = array_format(chip, r.idx_state_vtxbuf_format[i]);
            *array = [r.idx_state_vtxbuf_offset[i], format];
        }
        Uploads {
            arrays,
            index_offset: IDX_STATE_D::OFFSET.read(r.idx_state_d),
            index_short: IDX_STATE_D::SHORT.is_on(r.idx_state_d),
            index_dma: IDX_STATE_D::DMA.is_on(r.idx_state_d),
            edge_flag: IDX_STATE_A::EDGE_FLAG.is_on(r.idx_state_a),
            load_pos: [FE3D_XF_LOAD_POS::PROGRAM, FE3D_XF_LOAD_POS::PARAM]
                .map(|field| field.get(chip, r.fe3d_xf_load_pos)),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_is_there() {
        for &chip in Chip::ALL {
            for place in places(chip) {
                for i in 0..place.count {
                    let found = reach(&mut Regs::default(), place, i).is_some();
                    assert!(found, "{} {i}", place.name);
                }
            }
        }
    }

    #[test]
    fn registers_come_back() {
        for chip in [Chip::Nv10, Chip::Nv17, Chip::Nv2a, Chip::Nv34, Chip::Nv40] {
            let mut from = Fe::new(chip);
            for (i, place) in (1..).zip(places(chip)) {
                assert!(from.set_register(place.address, i));
            }
            let mut to = Fe::new(chip);
            for (address, value) in from.registers() {
                assert!(to.set_register(address, value) || to.write(address, value));
            }
            assert_eq!(from.registers(), to.registers());
        }
    }
}
