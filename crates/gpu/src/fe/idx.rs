//! The way from the front end into IDX on Kelvin and up: the token FIFO, vertex
//! buffer registers, immediate attributes.

use super::bits::{bit, ext, ins};
use super::chips::Kind;
use super::table::Call;
use super::{Fe, convert};
use crate::bundle::Event;

/// Where the Celsius attributes (position, two colours, two texture coordinates,
/// normal, weight, fog) sit among Kelvin's sixteen.
pub(crate) const CELSIUS_ATTR: [u32; 8] = [0, 3, 4, 9, 10, 2, 1, 5];

/// Where Kelvin's attributes sit among Rankine's sixteen.
const RANKINE_ATTR: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 15, 8, 9, 10, 11, 12, 13, 14];

/// 1.0.
pub(crate) const ONE: u32 = 0x3f80_0000;

impl Fe {
    /// Stores a token. Kelvin keeps the last 64 of them.
    #[inline]
    pub(crate) fn token(&mut self, addr: u32, be: u32, a: u32, b: u32) {
        if !self.g.kelvin() {
            return;
        }
        let r = &mut self.r;
        let at = r.idx_fifo_ptr as usize & 0x3f;
        r.idx_fifo[at] = [a, b, addr >> 3 | be << 14];
        r.idx_fifo_ptr = (r.idx_fifo_ptr + 1) & 0x3f;
        ins(&mut r.idx_state_b, 16, 5, 0);
        if self.kind != Kind::Celsius {
            self.reset_cursor();
        }
    }

    /// Puts the inline-vertex cursor back to the first enabled attribute.
    ///
    /// For Kelvin classes that is the lowest number, for the emulated Celsius classes
    /// the last in their own order.
    #[inline]
    fn reset_cursor(&mut self) {
        let r = &mut self.r;
        ins(&mut r.idx_state_b, 10, 6, 0);
        let enabled = ext(r.idx_state_c, 0, 16);
        let first = if self.kind == Kind::Celsius {
            let mut order = CELSIUS_ATTR[1..].iter().rev();
            order.find(|&&a| bit(enabled, a)).copied().unwrap_or(0)
        } else {
            // 0 if none is enabled.
            (enabled | 1 << 16).trailing_zeros() & 15
        };
        r.idx_state_c = r.idx_state_c & !(1 << 24 | 0x3f << 16) | first << 16;
    }

    /// Sends a bundle down Kelvin's (and later) vertex path.
    #[inline]
    pub(crate) fn send_kelvin(&mut self, id: u16, value: u32, last: bool) {
        if self.g.kelvin() {
            let id = u32::from(id);
            self.token(0x1_5000, 3, id << 2, value);
            let count = ext(self.r.idx_state_b, 24, 5) + 1;
            let count = if count < 24 { count } else { count - 24 };
            ins(&mut self.r.idx_state_b, 24, 5, count);
            if self.g.nv25p {
                let n = self.r.idx_unk27_bidx & 7;
                self.r.push_token(0x40 | n);
                self.r.idx_unk27_bidx = (n + 1) & 7;
            }
            self.r.vab[16][0] = id << 2;
            self.r.vab[16][1] = value;
        }
        self.out.push(Event::Bundle { id, value, last });
    }

    /// The chip's number for a Kelvin-class attribute.
    pub(crate) fn attribute(&self, attr: u32) -> u32 {
        if self.kind == Kind::Kelvin && !self.g.kelvin() {
            RANKINE_ATTR[attr as usize & 15]
        } else {
            attr
        }
    }

    /// One word of an immediate attribute.
    pub(crate) fn load_attr(&mut self, fmt: u32, attr: u32, n: u32, comp: u32, data: u32) {
        let be = if comp & 1 != 0 { 2 } else { 1 };
        let addr = fmt << 10 | (n & 3) << 8 | attr << 4 | comp << 2;
        if self.kind != Kind::Celsius {
            ins(&mut self.r.idx_state_b, 10, 6, 0);
        }
        self.token(addr, be, data, data);
        self.out.push(Event::Attr {
            fmt: fmt as u8,
            attr: attr as u8,
            ncomp: n as u8,
            comp: comp as u8,
            data,
        });
        let (lo, hi) = (data as u16 as i16, (data >> 16) as u16 as i16);
        match fmt {
            4 => {
                for c in 0..n {
                    self.set_vab(attr, c, convert::ubyte((data >> (8 * c)) as u8));
                }
            }
            5 | 6 => {
                let float = if fmt == 5 {
                    convert::short
                } else {
                    convert::nshort
                };
                self.set_vab(attr, comp * 2, float(lo));
                if comp * 2 + 1 < n {
                    self.set_vab(attr, comp * 2 + 1, float(hi));
                }
            }
            _ => self.set_vab(attr, comp, data),
        }
    }

    /// One component of the current vertex; writing the first sets the others to 0, 0, 1.
    fn set_vab(&mut self, attr: u32, comp: u32, value: u32) {
        // Celsius keeps fog in the second colour's alpha.
        let (attr, comp) = if self.kind == Kind::Celsius && (attr, comp) == (4, 3) {
            (5, 0)
        } else {
            (attr, comp)
        };
        let Some(row) = self.r.vab.get_mut(attr as usize) else {
            return;
        };
        row[comp as usize & 3] = value;
        if comp == 0 {
            row[1..].copy_from_slice(&[0, 0, ONE]);
        }
    }

    /// EDGE_FLAG.
    pub(crate) fn edge_flag(&mut self, flag: bool) {
        ins(&mut self.r.idx_state_a, 24, 1, flag.into());
        if self.kind != Kind::Celsius {
            ins(&mut self.r.idx_state_b, 10, 6, 0);
        }
        self.out.push(Event::EdgeFlag(flag));
    }

    /// Vertex buffer offset register.
    pub(crate) fn vertex_offset(&mut self, attr: u32, value: u32) {
        ins(&mut self.r.idx_state_b, 10, 6, 0);
        let mask = if self.g.kelvin() {
            0x8fff_ffff
        } else {
            0x9fff_ffff
        };
        self.r.idx_state_vtxbuf_offset[attr as usize & 15] = value & mask;
        self.out.push(Event::VertexOffset {
            index: attr as u8,
            dma: (value >> 31) as u8,
            offset: value & mask & 0x7fff_ffff,
        });
    }

    /// Vertex buffer format register: kept with the format and component count twice and
    /// the size in words.
    pub(crate) fn vertex_format(&mut self, attr: u32, value: u32) {
        self.token(attr << 3, 2, value, value);
        let fmt = ext(value, 0, 3);
        let comp = ext(value, 4, 3);
        let at = attr as usize & 15;
        self.r.idx_state_vtxbuf_format[at] = fmt
            | comp << 3
            | ext(value, 8, 8) << 6
            | fmt << 14
            | comp << 17
            | words(fmt, comp) << 20;
        ins(&mut self.r.idx_state_a, attr & 15, 1, (comp != 0).into());
        ins(&mut self.r.idx_state_c, attr & 15, 1, (comp != 0).into());
        self.reset_cursor();
        let total: u32 = (0..16)
            .filter(|&i| bit(self.r.idx_state_a, i))
            .map(|i| {
                let kept = self.r.idx_state_vtxbuf_format[i as usize];
                words(ext(kept, 0, 3), ext(kept, 3, 3))
            })
            .sum();
        ins(&mut self.r.idx_state_b, 2, 6, total);
        self.out.push(Event::VertexFormat {
            index: attr as u8,
            format: value,
        });
    }
}

/// Words of one vertex attribute in a buffer.
fn words(fmt: u32, comp: u32) -> u32 {
    let comp = if comp & 3 == 0 { 4 } else { comp & 3 };
    match fmt {
        0 | 4 => 1,
        1 | 5 => comp.div_ceil(2),
        _ => comp,
    }
}

/// VTXBUF_VALIDATE and its neighbour: only the cached vertices go.
pub(crate) fn drop_cache(fe: &mut Fe, _: Call) {
    if fe.kind != Kind::Celsius {
        ins(&mut fe.r.idx_state_b, 10, 6, 0);
    }
}
