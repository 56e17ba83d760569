//! Vertices and draws.

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::idx;
use crate::kelvin::draw::{arrays, begin, idx16, idx32, inline};
use crate::kelvin::vertex::{self, fmt};
use crate::table::Check::{Any, Below};
use crate::table::Op::{Always, Do};
use crate::table::{Call, Guard, Row, free, open};
use isotherm_bus::bundle::Event;

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    fe.vertex_offset(c.i, c.v);
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    fe.vertex_format(c.i, c.v);
}

/// The index buffer: offset, then DMA object and width.
fn idxbuf_offset(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.idx_state_d, 0, 29, c.v & !1);
    fe.announce_indices();
}

fn idxbuf_format(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.idx_state_d, 29, 1, (ext(c.v, 4, 4) != 0).into());
    ins(&mut fe.r.idx_state_d, 30, 1, c.v);
    fe.announce_indices();
}

impl Fe {
    /// Tells where the index buffer is.
    pub(crate) fn announce_indices(&mut self) {
        let state = self.r.idx_state_d;
        self.out.push(Event::IndexBuffer {
            dma: ext(state, 30, 1) as u8,
            offset: ext(state, 0, 29),
            short: bit(state, 29),
        });
    }
}

/// A run of the index buffer: count - 1 above, first below.
fn indexed(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Indexed {
        start: c.v & 0xff_ffff,
        count: (c.v >> 24) + 1,
    });
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    use fmt::*;
    let mut rows = vec![
        free(0x145c, "vtx_edge_flag", Any, Always(vertex::edge_flag)),
        open(0x1680, "vtxbuf_offset", Any, Do(vtxbuf_offset)).n(16),
        open(0x1710, "unkcf0", Any, Do(idx::drop_cache)).n(2),
        free(0x1718, "xf_nop", Any, Do(|_, _| {})).n(2),
        open(0x1740, "vtxbuf_format", Any, Do(vtxbuf_format)).n(16),
        open(0x1808, "begin", Below(11), Do(begin)),
        open(0x180c, "draw_idx16.data", Any, Do(idx16)),
        open(0x1810, "draw_idx32.data", Any, Do(idx32)),
        open(0x1814, "draw_arrays.data", Any, Do(arrays)),
        open(0x1818, "draw_inline.data", Any, Do(inline)),
        free(0x181c, "idxbuf_offset", Any, Do(idxbuf_offset)),
        free(0x1820, "idxbuf_format", Any, Do(idxbuf_format)),
        open(0x1824, "draw_index.data", Any, Do(indexed)),
    ];
    for i in 0..16u16 {
        let attr = |at, name, fmt, n| vertex::attr(at, name, fmt, i.into(), n).guard(Guard::Free);
        rows.extend([
            attr(0xa80 + i * 8, "vtx_attr_4ns", NSHORT, 4),
            attr(0x1500 + i * 16, "vtx_attr_3f", FLOAT, 3),
            attr(0x1880 + i * 8, "vtx_attr_2f", FLOAT, 2),
            attr(0x1900 + i * 4, "vtx_attr_2s", SHORT, 2),
            attr(0x1940 + i * 4, "vtx_attr_4ub", UBYTE, 4),
            attr(0x1980 + i * 8, "vtx_attr_4s", SHORT, 4),
            attr(0x1c00 + i * 16, "vtx_attr_4f", FLOAT, 4),
            attr(0x1e40 + i * 4, "vtx_attr_1f", FLOAT, 1),
        ]);
    }
    rows
}
