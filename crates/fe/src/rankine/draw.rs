//! Vertices and draws.

use isotherm_regs::Chip::{Nv20, Nv40};
use isotherm_regs::method::{DRAW_ARRAYS, IDXBUF_FORMAT_DATA, Method, rankine_curie as m};
use isotherm_regs::pgraph::{IDX_STATE_D, IDX_VTXBUF_OFFSET};

use super::state::vtxbuf_format_ok;

use crate::Fe;
use crate::chips::Kind;
use crate::kelvin::draw::{arrays, begin, inline};
use crate::kelvin::vertex::{self, fmt};
use crate::table::Check::{Any, Below, Rule};
use crate::table::Op::{Always, Do, Index16, Index32};
use crate::table::{Call, Guard, Row, free, open};
use isotherm_bus::bundle::Event;

/// What a class takes for an address; Curie's has a bit more.
fn vtxbuf_offset_ok(fe: &Fe, c: Call) -> bool {
    let known = IDX_VTXBUF_OFFSET::WORD.mask(
        if fe.class_kind == Kind::Curie {
            Nv40
        } else {
            Nv20
        },
        0,
    );
    c.v & !known == 0
}

fn idxbuf_format_ok(_: &Fe, c: Call) -> bool {
    let known = IDXBUF_FORMAT_DATA::DMA.ones() | IDXBUF_FORMAT_DATA::TYPE.ones();
    c.v & !known == 0 && IDXBUF_FORMAT_DATA::TYPE.read(c.v) < 2
}

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    fe.vertex_offset(c.i, c.v);
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    fe.vertex_format(c.i, c.v);
}

/// The index buffer: offset, then DMA object and width.
fn idxbuf_offset(fe: &mut Fe, c: Call) {
    IDX_STATE_D::OFFSET.write(&mut fe.r.idx_state_d, c.v & !1);
    fe.announce_indices();
}

fn idxbuf_format(fe: &mut Fe, c: Call) {
    IDX_STATE_D::SHORT.write(
        &mut fe.r.idx_state_d,
        IDXBUF_FORMAT_DATA::TYPE.is_on(c.v).into(),
    );
    IDX_STATE_D::DMA.write(&mut fe.r.idx_state_d, c.v);
    fe.announce_indices();
}

impl Fe {
    /// Tells where the index buffer is.
    pub(crate) fn announce_indices(&mut self) {
        let state = self.r.idx_state_d;
        self.out.push(Event::IndexBuffer {
            dma: IDX_STATE_D::DMA.read(state) as u8,
            offset: IDX_STATE_D::OFFSET.read(state),
            short: IDX_STATE_D::SHORT.is_on(state),
        });
    }
}

/// A run of the index buffer: count - 1 above, first below.
fn indexed(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Indexed {
        start: DRAW_ARRAYS::FIRST.read(c.v),
        count: DRAW_ARRAYS::COUNT.read(c.v) + 1,
    });
}

/// A numbered attribute.
const fn attr(method: Method, fmt: u32, n: u32) -> Row {
    vertex::attr(method, "{}", fmt, n).guard(Guard::Free)
}

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    free(m::VTX_EDGE_FLAG, Any, Always(vertex::edge_flag)),
    open(m::VTXBUF_OFFSET, Rule(vtxbuf_offset_ok), Do(vtxbuf_offset)),
    vertex::drop_cache_row(m::UNKCF0),
    vertex::drop_cache_row(m::UNKCF4),
    vertex::nop_row(m::XF_NOP),
    vertex::sync_row(m::XF_SYNC),
    open(m::VTXBUF_FORMAT, Rule(vtxbuf_format_ok), Do(vtxbuf_format)),
    open(m::BEGIN, Below(11), Do(begin)),
    open(m::DRAW_IDX16_DATA, Any, Index16),
    open(m::DRAW_IDX32_DATA, Any, Index32),
    open(m::DRAW_ARRAYS_DATA, Any, Do(arrays)),
    open(m::DRAW_INLINE_DATA, Any, Do(inline)),
    free(m::IDXBUF_OFFSET, Any, Do(idxbuf_offset)),
    free(m::IDXBUF_FORMAT, Rule(idxbuf_format_ok), Do(idxbuf_format)),
    open(m::DRAW_INDEX_DATA, Any, Do(indexed)),
    attr(m::VTX_ATTR_4NS, fmt::NSHORT, 4),
    attr(m::VTX_ATTR_3F, fmt::FLOAT, 3),
    attr(m::VTX_ATTR_2F, fmt::FLOAT, 2),
    attr(m::VTX_ATTR_2S, fmt::SHORT, 2),
    attr(m::VTX_ATTR_4UB, fmt::UBYTE, 4),
    attr(m::VTX_ATTR_4S, fmt::SHORT, 4),
    attr(m::VTX_ATTR_4F, fmt::FLOAT, 4),
    attr(m::VTX_ATTR_1F, fmt::FLOAT, 1),
];
