//! The way from the front end into IDX on Kelvin and up: the token FIFO, vertex
//! buffer registers, immediate attributes.

use super::chips::Kind;
use super::regs::Regs;
use super::table::Call;
use super::{Fe, convert};
use isotherm_bus::bundle::Event;
use isotherm_regs::Chip;
use isotherm_regs::field::Field;
use isotherm_regs::method::VTXBUF_FORMAT;
use isotherm_regs::pgraph::{
    IDX_STATE_A, IDX_STATE_B, IDX_STATE_C, IDX_TOKEN, IDX_VTXBUF_FORMAT, IDX_VTXBUF_OFFSET,
    TOKEN_ATTRIBUTE,
};

/// Where the Celsius attributes (position, two colours, two texture coordinates,
/// normal, weight, fog) sit among Kelvin's sixteen.
pub(crate) const CELSIUS_ATTR: [u32; 8] = [0, 3, 4, 9, 10, 2, 1, 5];

/// Where Kelvin's attributes sit among Rankine's sixteen.
const RANKINE_ATTR: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 15, 8, 9, 10, 11, 12, 13, 14];

/// Bundles of Rankine that stop before the vertex path.
const RESTART_ENABLE: u16 = 0xb9;
const RESTART_INDEX: u16 = 0xba;

/// 1.0.
pub(crate) const ONE: u32 = 0x3f80_0000;

/// A run of tokens on its way through Kelvin's vertex path. What every token counts or clears
/// is kept here and written back behind the last one, by [`Fe::close_path`].
pub(crate) struct Path {
    /// The chip has the token FIFO, and (NV25 and up) the byte ring beside it.
    fifo: bool,
    ring: bool,
    at: u32,
    bundles: u32,
    tokens: bool,
    xf: bool,
    /// Something went past the front end's door.
    sent: bool,
}

impl Path {
    /// Stores a token. Kelvin keeps the last 64 of them.
    #[inline(always)]
    fn token(&mut self, r: &mut Regs, addr: u32, be: u32, a: u32, b: u32) {
        let at = self.at as usize & 0x3f;
        let kelvin = Chip::Nv20;
        let place = IDX_TOKEN::ADDRESS.with(kelvin, 0, addr >> 3);
        r.idx_fifo[at] = [a, b, IDX_TOKEN::BYTE_ENABLE.with(kelvin, place, be)];
        self.at = at as u32 + 1;
        self.tokens = true;
    }

    /// A bundle: it travels through the pass-through slot.
    #[inline(always)]
    pub fn bundle(&mut self, r: &mut Regs, id: u16, value: u32) {
        self.sent |= !matches!(id, RESTART_ENABLE | RESTART_INDEX);
        if !self.fifo {
            return;
        }
        let id = u32::from(id) << 2;
        self.token(r, 0x1_5000, 3, id, value);
        self.bundles += 1;
        if self.bundles >= 24 {
            self.bundles -= 24;
        }
        if self.ring {
            let n = r.idx_unk27_bidx & 7;
            r.push_token(0x40 | n);
            r.idx_unk27_bidx = (n + 1) & 7;
        }
        r.vab[16][0] = id;
        r.vab[16][1] = value;
    }

    /// An XF command.
    #[inline(always)]
    pub fn xf(&mut self, r: &mut Regs, addr: u32, be: u32, a: u32, b: u32) {
        self.xf = true;
        self.sent = true;
        if self.fifo {
            self.token(r, 0x1_0000 | addr, be, a, b);
        }
    }
}

impl Fe {
    /// Begins a run of tokens.
    #[inline(always)]
    pub(crate) fn open_path(&self) -> Path {
        Path {
            fifo: self.g.kelvin(),
            ring: self.g.nv25p,
            at: self.r.idx_fifo_ptr,
            bundles: IDX_STATE_B::BUNDLES.read(self.r.idx_state_b),
            tokens: false,
            xf: false,
            sent: false,
        }
    }

    /// Ends a run of tokens.
    #[inline(always)]
    pub(crate) fn close_path(&mut self, path: Path) {
        if path.tokens {
            self.r.idx_fifo_ptr = path.at & 0x3f;
            IDX_STATE_B::UNK16.write(&mut self.r.idx_state_b, 0);
            IDX_STATE_B::BUNDLES.write(&mut self.r.idx_state_b, path.bundles);
            if self.kind != Kind::Celsius {
                self.reset_cursor();
            }
        }
        if path.sent && self.g.rankine() {
            IDX_STATE_B::UNK16.write(&mut self.r.idx_state_b, 0);
            self.reset_rankine_cursor();
            // Bundles of its own classes do not drop the cached vertices.
            if path.xf || self.class_kind == Kind::Kelvin {
                IDX_STATE_B::CACHED.write(&mut self.r.idx_state_b, 0);
            }
        }
    }

    /// Stores one token.
    pub(crate) fn token(&mut self, addr: u32, be: u32, a: u32, b: u32) {
        let mut path = self.open_path();
        path.sent = true;
        if path.fifo {
            path.token(&mut self.r, addr, be, a, b);
        }
        self.close_path(path);
    }

    /// Puts the inline-vertex cursor back to the first enabled attribute.
    ///
    /// For Kelvin classes that is the lowest number, for the emulated Celsius classes
    /// the last in their own order.
    #[inline]
    fn reset_cursor(&mut self) {
        let r = &mut self.r;
        IDX_STATE_B::CACHED.write(&mut r.idx_state_b, 0);
        let enabled = IDX_STATE_C::ARRAYS.read(r.idx_state_c);
        let first = if self.kind == Kind::Celsius {
            let mut order = CELSIUS_ATTR[1..].iter().rev();
            order
                .find(|&&a| enabled >> a & 1 != 0)
                .copied()
                .unwrap_or(0)
        } else {
            // 0 if none is enabled.
            (enabled | 1 << 16).trailing_zeros() & 15
        };
        IDX_STATE_C::CURSOR.write(&mut r.idx_state_c, first);
        IDX_STATE_C::UNK24.write(&mut r.idx_state_c, 0);
    }

    /// The same on Rankine, which keeps the cached vertices.
    #[inline]
    fn reset_rankine_cursor(&mut self) {
        let r = &mut self.r;
        let enabled = IDX_STATE_C::ARRAYS.read(r.idx_state_c);
        let first = (enabled | 1 << 16).trailing_zeros() & 15;
        IDX_STATE_C::CURSOR.write(&mut r.idx_state_c, first);
        IDX_STATE_C::UNK24.write(&mut r.idx_state_c, 0);
    }

    /// Sends a bundle down Kelvin's (and later) vertex path.
    #[inline]
    pub(crate) fn send_kelvin(&mut self, id: u16, value: u32, last: bool) {
        let mut path = self.open_path();
        path.bundle(&mut self.r, id, value);
        self.close_path(path);
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
        let mut addr = 0;
        TOKEN_ATTRIBUTE::TYPE.write(&mut addr, fmt);
        TOKEN_ATTRIBUTE::SIZE.write(&mut addr, n);
        TOKEN_ATTRIBUTE::ATTRIBUTE.write(&mut addr, attr);
        TOKEN_ATTRIBUTE::COMPONENT.write(&mut addr, comp);
        if self.kind != Kind::Celsius {
            IDX_STATE_B::CACHED.write(&mut self.r.idx_state_b, 0);
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
        if self.g.rankine() && IDX_STATE_B::CACHED.is_on(self.r.idx_state_b) {
            // The upper two bits of the cursor.
            let upper = IDX_STATE_C::CURSOR.entry(2, 2);
            upper.write(&mut self.r.idx_state_c, 0);
        }
        IDX_STATE_A::EDGE_FLAG.write(&mut self.r.idx_state_a, flag.into());
        if self.kind != Kind::Celsius {
            IDX_STATE_B::CACHED.write(&mut self.r.idx_state_b, 0);
        }
        self.out.push(Event::EdgeFlag(flag));
    }

    /// Vertex buffer offset register.
    pub(crate) fn vertex_offset(&mut self, attr: u32, value: u32) {
        IDX_STATE_B::CACHED.write(&mut self.r.idx_state_b, 0);
        let offset = IDX_VTXBUF_OFFSET::OFFSET.get(self.g.chip, value);
        let kept = offset | value & IDX_VTXBUF_OFFSET::DMA.ones();
        self.r.idx_state_vtxbuf_offset[attr as usize & 15] = kept;
        self.out.push(Event::VertexOffset {
            index: attr as u8,
            dma: IDX_VTXBUF_OFFSET::DMA.read(value) as u8,
            offset,
        });
    }

    /// Vertex buffer format register: kept with the format and component count twice and
    /// the size in words.
    pub(crate) fn vertex_format(&mut self, attr: u32, value: u32) {
        self.token(attr << 3, 2, value, value);
        let data = |field: Field| field.get(self.data_chip, value);
        let (fmt, comp) = (data(VTXBUF_FORMAT::TYPE), data(VTXBUF_FORMAT::SIZE));
        let (at, stride) = (attr as usize & 15, data(VTXBUF_FORMAT::STRIDE));
        let kept = &mut self.r.idx_state_vtxbuf_format[at];
        *kept = 0;
        IDX_VTXBUF_FORMAT::TYPE.write(kept, fmt);
        IDX_VTXBUF_FORMAT::SIZE.write(kept, comp);
        IDX_VTXBUF_FORMAT::STRIDE.write(kept, stride);
        IDX_VTXBUF_FORMAT::TYPE_2.write(kept, fmt);
        IDX_VTXBUF_FORMAT::SIZE_2.write(kept, comp);
        IDX_VTXBUF_FORMAT::WORDS.write(kept, array_words(*kept));
        // Three bits of the size count.
        let on = IDX_VTXBUF_FORMAT::SIZE.is_on(*kept).into();
        let (a, c) = (&mut self.r.idx_state_a, &mut self.r.idx_state_c);
        IDX_STATE_A::ARRAYS.entry(at as u32, 1).write(a, on);
        IDX_STATE_C::ARRAYS.entry(at as u32, 1).write(c, on);
        if self.g.kelvin() {
            self.reset_cursor();
        } else {
            self.reset_rankine_cursor();
            if self.class_kind == Kind::Kelvin {
                IDX_STATE_B::CACHED.write(&mut self.r.idx_state_b, 0);
            }
        }
        let total: u32 = (0..16)
            .filter(|&i| IDX_STATE_A::ARRAYS.entry(i, 1).is_on(self.r.idx_state_a))
            .map(|i| array_words(self.r.idx_state_vtxbuf_format[i as usize]))
            .sum();
        IDX_STATE_B::VERTEX_WORDS.write(&mut self.r.idx_state_b, total);
        self.out.push(Event::VertexFormat {
            index: attr as u8,
            format: value,
        });
    }
}

/// Words of one element of a vertex array, from IDX_VTXBUF_FORMAT.
fn array_words(kept: u32) -> u32 {
    let fmt = IDX_VTXBUF_FORMAT::TYPE.read(kept);
    let comp = IDX_VTXBUF_FORMAT::SIZE.read(kept);
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
        IDX_STATE_B::CACHED.write(&mut fe.r.idx_state_b, 0);
    }
}
