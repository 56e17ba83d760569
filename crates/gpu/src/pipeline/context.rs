//! The units' own memories, read and loaded for a context switch.

use super::{IndexBuffer, Pipeline};
use isotherm_bus::bundle::Event;
use isotherm_bus::context::Units;
use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_regs::Family;
use isotherm_regs::bundle::{Bundle, POLYGON_STIPPLE};

/// XF commands.
mod cmd {
    pub const PROGRAM: u8 = 2;
    pub const DATA: u8 = 4;
    pub const CONTROL: u8 = 8;
    pub const XFCTX: u8 = 9;
    pub const LTCTX: u8 = 10;
    /// LTC0; LTC1 to LTC3 follow.
    pub const LTC: u8 = 11;
}

/// Rows by which Curie's methods load the viewport: LTCTX row and the XFCTX row beside it.
const CURIE_VIEWPORT: [(u16, u16); 2] = [(0x36, 0x77), (0x37, 0x76)];

/// More rows than any memory has; what a file has beyond them is left out.
const MOST_ROWS: u16 = 0x400;

/// Rows of LTC0 to LTC3, and of LTCTX.
fn lt_rows(family: Family) -> ([usize; 4], usize) {
    match family {
        Family::Celsius => ([3, 19, 12, 12], 0x30),
        Family::Kelvin => ([4, 0x14, 0x0f, 0x0e], 0x4c),
        Family::Rankine => ([0, 0x15, 0x0d, 0x0f], 0x38),
        _ => ([0; 4], 0),
    }
}

impl Pipeline {
    /// Reads the memories.
    pub(crate) fn units(&self) -> Units {
        let family = self.chip.family();
        let (ltc, ltctx) = lt_rows(family);
        let state = self.queue.xf().state();
        let ltctx = if family == Family::Curie {
            let viewport = state.curie.viewport;
            vec![viewport.translate, viewport.scale]
        } else {
            let rows = state.ltctx.iter().take(ltctx);
            rows.map(|&[x, y, z]| [x, y, z, 0]).collect()
        };
        let attributes = if family == Family::Celsius { 8 } else { 16 };
        Units {
            vab: self.queue.idx().current.attr[..attributes].to_vec(),
            slot: self.queue.xf().staged(),
            xfctx: state.xfctx.to_vec(),
            ltctx,
            ltc: ltc
                .iter()
                .zip(&state.ltc)
                .map(|(&rows, bank)| bank.iter().copied().take(rows).collect())
                .collect(),
            xfpr: state.xfpr.to_vec(),
            xf_control: if family == Family::Rankine {
                self.queue.xf().program_control().to_vec()
            } else {
                Vec::new()
            },
            stipple: self
                .stipple_ids()
                .map(|(_, i)| self.queue.bundles().raster.POLYGON_STIPPLE[i])
                .collect(),
            zpass: self.queue.passed(),
        }
    }

    /// Bundle ids and numbers of the stipple words.
    fn stipple_ids(&self) -> impl Iterator<Item = (u16, usize)> {
        let family = self.chip.family();
        let count = POLYGON_STIPPLE.row().ids(family).map_or(0, |ids| ids.count);
        (0..count).filter_map(move |i| {
            let id = Bundle::id(POLYGON_STIPPLE, family, i)?;
            Some((id, usize::from(i)))
        })
    }

    /// Loads the memories.
    pub(crate) fn load_units(&mut self, mem: &mut Memory, units: &Units) {
        self.flush(mem);
        for (cmd, rows) in [
            (cmd::XFCTX, &units.xfctx),
            (cmd::PROGRAM, &units.xfpr),
            (cmd::CONTROL, &units.xf_control),
        ] {
            for (row, words) in (0..MOST_ROWS).zip(rows) {
                self.load_row(mem, cmd, row, *words);
            }
        }
        self.load_lighting(mem, units);
        // As they are: an attribute's method could be a vertex.
        let current = &mut self.queue.change_idx(mem).current;
        for (kept, words) in current.attr.iter_mut().zip(&units.vab) {
            *kept = *words;
        }
        // Last, so that nothing passes through the slot any more. The command stages its
        // words and commits none.
        self.load_row(mem, cmd::DATA, 0, units.slot);
        self.load_unseen(mem, units);
    }

    /// Everything that a later draw depends on; in what is loaded it comes last.
    pub(crate) fn saved(&mut self, mem: &mut Memory, saved: &mut Saved) {
        let Pipeline {
            chip: _,
            ids: _,
            queue,
            index_buffer,
            semaphore,
            report,
        } = self;
        queue.saved(mem, saved);
        let IndexBuffer { dma, offset, short } = index_buffer;
        let mut number = u32::from(*dma);
        saved.words([&mut number, offset]);
        *dma = number as u8 & 1;
        saved.flag(short);
        saved.span(semaphore);
        saved.span(report);
    }

    /// No primitive is open any more: another state is about to be loaded.
    pub(crate) fn drop_primitive(&mut self, mem: &mut Memory) {
        self.queue.drop_primitive(mem);
    }

    /// Loads what no register shows: the stipple pattern and the pixel counter.
    pub(crate) fn load_unseen(&mut self, mem: &mut Memory, units: &Units) {
        let ids: Vec<_> = self.stipple_ids().collect();
        for ((id, _), &value) in ids.into_iter().zip(&units.stipple) {
            let last = true;
            self.event(mem, &Event::Bundle { id, value, last });
        }
        self.queue.set_passed(mem, units.zpass);
    }

    fn load_lighting(&mut self, mem: &mut Memory, units: &Units) {
        if self.chip.family() == Family::Curie {
            for ((lt, xf), words) in CURIE_VIEWPORT.into_iter().zip(&units.ltctx) {
                for (comp, &word) in (0..).zip(words) {
                    self.load_word(mem, cmd::LTCTX, lt << 4 | comp << 2, word);
                    self.load_word(mem, cmd::XFCTX, xf << 4 | comp << 2, word);
                }
            }
            return;
        }
        for (row, words) in (0..MOST_ROWS).zip(&units.ltctx) {
            self.load_row(mem, cmd::LTCTX, row, *words);
        }
        for (space, bank) in (cmd::LTC..cmd::LTC + 4).zip(&units.ltc) {
            for (row, &word) in (0..MOST_ROWS).zip(bank) {
                self.load_word(mem, space, row << 4, word);
            }
        }
    }

    /// A row as two pairs.
    fn load_row(&mut self, mem: &mut Memory, cmd: u8, row: u16, [x, y, z, w]: [u32; 4]) {
        for (addr, a, b) in [(row << 4, x, y), (row << 4 | 8, z, w)] {
            let be = 3;
            self.event(
                mem,
                &Event::Xf {
                    cmd,
                    addr,
                    be,
                    a,
                    b,
                },
            );
        }
    }

    /// One word of a row.
    fn load_word(&mut self, mem: &mut Memory, cmd: u8, addr: u16, word: u32) {
        let be = if addr & 4 != 0 { 2 } else { 1 };
        let (a, b) = (word, word);
        self.event(
            mem,
            &Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            },
        );
    }
}
