//! Clears of the surfaces and of the clip ids.

use super::{Queue, SCENE_LIMIT};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_pixel::raster::clip::intersect;
use isotherm_pixel::raster::prepare::scissor;
use isotherm_pixel::rop::clear::Clear;
use isotherm_pixel::rop::prepare::Surfaces;
use isotherm_pixel::zcull::ClipIds;
use isotherm_regs::Chip;
use isotherm_regs::bundle::CLEAR_HV;

/// Steps of the budget for writing the clip id of a pixel.
const CLIP_ID_STEPS: u64 = 8;

impl Queue {
    /// CLEAR_SURFACE: bits 0 and 1 of `what` are depth and stencil, 4 to 7 red, green, blue
    /// and alpha.
    pub(in crate::pipeline) fn clear(&mut self, mem: &mut Memory, what: u32) {
        self.send_vertices(mem);
        let surfaces = self.surfaces(mem);
        let color = self.bundles.raster.CLEAR_COLOR;
        let (forced, ones) = surfaces.format.forced();
        let clear = Clear {
            rect: self.clear_rectangle(&surfaces),
            color: (color & !forced | ones, color_bits(&surfaces, what)),
            zeta: (self.bundles.zcull.CLEAR_ZETA, zeta_bits(&surfaces, what)),
        };
        self.scene.clear(clear, mem.budget());
        self.drawn_to = Some(self.surface);
        if self.scene.serial() || self.scene.prims.len() > SCENE_LIMIT {
            self.draw_scene(mem);
        }
    }

    /// Left, top, right and bottom of what a clear reaches.
    fn clear_rectangle(&self, surfaces: &Surfaces) -> [i32; 4] {
        let chip = self.chip;
        let edges = |i: usize| {
            let word = self.bundles.raster.CLEAR_HV[i];
            let min = CLEAR_HV::MIN.get(chip, word) as i32;
            (min, CLEAR_HV::MAX.get(chip, word) as i32 + 1)
        };
        let ((x0, x1), (y0, y1)) = (edges(0), edges(1));
        let rect = intersect([x0, y0, x1, y1], surfaces.clip);
        if chip.since(Chip::Nv30) {
            // Drivers set the scissor and no clear rectangle.
            intersect(rect, scissor(chip, &self.bundles.raster))
        } else {
            rect
        }
    }

    /// Writes CLIPID_ID over the clear rectangle of the clip id buffer.
    pub(in crate::pipeline) fn clear_clip_ids(&mut self, mem: &mut Memory) {
        let Some(ids) = ClipIds::prepare(self.chip, &self.bundles.zcull) else {
            return;
        };
        self.send_vertices(mem);
        self.draw_scene(mem);
        let clip = self.surface.prepare(self.chip).clip;
        // There are no ids right of a row's bytes and below the last of them.
        let right = clip[2].min(2 * ids.pitch.min(1 << 16) as i32);
        let rows = ids.end.div_ceil(ids.pitch.max(1)).min(1 << 16);
        let bottom = clip[3].min(rows as i32);
        let pixels = (right - clip[0]).max(0) as u64 * (bottom - clip[1]).max(0) as u64;
        let budget = mem.budget();
        if !budget.charge(Unit::ClipIds, Cost::Steps, CLIP_ID_STEPS * pixels) {
            return;
        }
        for y in clip[1].max(0)..bottom {
            for x in clip[0].max(0)..right {
                let Some((at, shift)) = ids.place(x as u32, y as u32) else {
                    continue;
                };
                let addr = ids.address.wrapping_add(at as u32);
                let byte = mem.read_u8(addr) & !(15 << shift) | ids.id << shift;
                mem.write_u8(addr, byte);
            }
        }
    }
}

/// Bits of a colour word that a clear writes. Bits without a channel are written along with
/// any that has one.
fn color_bits(surfaces: &Surfaces, what: u32) -> u32 {
    let channels = surfaces.format.channels().into_iter().enumerate();
    let bits = channels
        .filter(|(channel, _)| what >> (4 + channel) & 1 != 0)
        .fold(0, |all, (_, bits)| all | bits);
    match bits {
        0 => 0,
        _ => bits | surfaces.format.forced().0,
    }
}

/// Bits of a depth word that a clear writes.
fn zeta_bits(surfaces: &Surfaces, what: u32) -> u32 {
    let (depth, stencil) = (what & 1 != 0, what & 2 != 0);
    match (surfaces.z24, depth, stencil) {
        (false, true, _) => 0xffff,
        (true, true, true) => u32::MAX,
        (true, true, false) => 0xffff_ff00,
        (true, false, true) => 0xff,
        _ => 0,
    }
}
