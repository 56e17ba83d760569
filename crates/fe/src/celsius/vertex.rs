//! Vertices: immediate attributes, buffers, BEGIN/END and draws.

use isotherm_regs::method::{VTXBUF_FORMAT, celsius as m};
use isotherm_regs::pgraph::{CELSIUS_CONFIG_C, CELSIUS_PIPE_VTX_STATE, CELSIUS_VTXBUF_FORMAT};

use crate::Fe;
use crate::convert;
use crate::idx::ONE;
use crate::kelvin::draw;
use crate::kelvin::vertex::{attr, fmt, named_attributes};
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Always, Do, Index16, Index32, Nop};
use crate::table::{CELSIUS_FOG, Call, Guard, Row, Soft, free, soft};
use crate::traps::warning;
use isotherm_bus::bundle::Event;

/// What a vertex array's address can be.
pub(crate) const OFFSET_BITS: u32 = 0x0fff_fffc;

impl Fe {
    /// One word of an immediate attribute.
    pub(crate) fn load_celsius_attr(&mut self, fmt: u32, attr: u32, n: u32, comp: u32, data: u32) {
        self.out.push(Event::Attr {
            fmt: fmt as u8,
            attr: attr as u8,
            ncomp: n as u8,
            comp: comp as u8,
            data,
        });
        let nv10 = self.g.nv10;
        let base = attr as usize * 4;
        let row = &mut self.r.celsius_pipe_vtx;
        if attr == CELSIUS_FOG {
            row[11] = data;
            return;
        }
        let i = comp as usize;
        let half = |k: u32| (data >> (16 * k)) as u16 as i16;
        match fmt {
            fmt::FLOAT => {
                // Colours, texture coordinates and positions get defaults behind what is written.
                if matches!(attr, 0 | 1 | 3 | 4) {
                    if i < 1 && !nv10 {
                        row[base + 1] = 0;
                    }
                    if i < 2 {
                        row[base + 2] = 0;
                        row[base + 3] = ONE;
                    }
                }
                row[base + i] = data;
            }
            fmt::UBYTE => {
                for k in 0..4 {
                    row[base + k] = convert::ubyte((data >> (8 * k)) as u8);
                }
            }
            fmt::SHORT => {
                for k in 0..2 {
                    row[base + i * 2 + k as usize] = short(half(k), nv10);
                }
                if i == 0 {
                    row[base + 2] = 0;
                    row[base + 3] = ONE;
                }
            }
            _ => {
                for k in 0..2 {
                    if i == 0 || k == 0 {
                        row[base + i * 2 + k as usize] = convert::nshort(half(k));
                    }
                }
            }
        }
    }
}

/// NV10 loses the number of -32768.
fn short(v: i16, nv10: bool) -> u32 {
    if nv10 && v == i16::MIN {
        0x8000_0000
    } else {
        convert::short(v)
    }
}

fn edge_flag(fe: &mut Fe, c: Call) {
    fe.r.celsius_pipe_edge_flag = c.v & 1;
    fe.out.push(Event::EdgeFlag(c.v & 1 != 0));
}

/// XF_NOP and XF_SYNC.
fn marker(fe: &mut Fe, c: Call) {
    fe.r.celsius_pipe_junk[2] = c.v;
    fe.r.celsius_pipe_junk[3] = c.v;
}

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    fe.r.celsius_pipe_vtxbuf_offset[c.i as usize] = c.v & OFFSET_BITS;
    CELSIUS_PIPE_VTX_STATE::UNK8.write(&mut fe.r.celsius_pipe_vtx_state, 0);
    fe.out.push(Event::VertexOffset {
        index: c.i as u8,
        dma: 0,
        offset: c.v & OFFSET_BITS,
    });
}

/// Two components need a W of their own, four have it.
pub(crate) fn vtxbuf_format_ok(_: &Fe, c: Call) -> bool {
    let comp = VTXBUF_FORMAT::SIZE.read(c.v) & 7;
    let homogeneous = VTXBUF_FORMAT::HOMOGENEOUS.is_on(c.v);
    c.i != 0 || comp != if homogeneous { 2 } else { 4 }
}

/// Which formats an attribute takes without a warning.
pub(crate) fn vtxbuf_format_soft(fe: &Fe, c: Call) -> Result<u32, u32> {
    let (fmt, comp) = (VTXBUF_FORMAT::TYPE.read(c.v), VTXBUF_FORMAT::SIZE.read(c.v));
    let comp_ok = match c.i {
        0 => matches!(comp, 2..=4),
        1 | 2 => matches!(comp, 0 | 3 | 4),
        3 | 4 => comp <= 4,
        5 => matches!(comp, 0 | 3),
        _ => comp <= 1,
    };
    let fmt_ok = if matches!(c.i, 1 | 2) {
        matches!(fmt, 0 | 2 | 4)
    } else {
        matches!(fmt, 1 | 2)
    };
    let mut err = 0;
    if !comp_ok || !fmt_ok {
        err |= warning::ENUM;
    }
    if fe.g.celsius() && c.i == 0 && c.v >> 24 > 1 {
        err |= warning::ENUM;
    }
    if c.v & 0xff00_0000 != 0 && c.i != 0 || c.v & 0x00ff_0300 != 0 {
        err |= warning::RANGE;
    }
    if fe.inside() && matches!(fe.class, 0x56 | 0x85) {
        err |= warning::INSIDE;
    }
    if err == 0 { Ok(c.v) } else { Err(err) }
}

/// The format as the register keeps it: what an attribute cannot have is replaced.
fn normalised(i: u32, v: u32) -> u32 {
    let (fmt, comp) = (
        VTXBUF_FORMAT::TYPE.read(v) & 7,
        VTXBUF_FORMAT::SIZE.read(v) & 7,
    );
    let comp = match i {
        0 if comp & 3 == 0 => 4,
        0 | 3 | 4 if comp > 4 => comp & 3,
        1 | 2 => [0, 0, 3, 3, 4, 4, 4, 4][comp as usize],
        5 if comp & 3 == 3 => 3,
        5 => 0,
        6 | 7 => comp & 1,
        _ => comp,
    };
    let fmt = if matches!(i, 1 | 2) {
        [0, 0, 6, 6, 4, 4, 6, 6][fmt as usize]
    } else if fmt & 2 != 0 {
        6
    } else {
        5
    };
    let mut kept =
        v & (CELSIUS_VTXBUF_FORMAT::STRIDE.ones() | CELSIUS_VTXBUF_FORMAT::HOMOGENEOUS.ones());
    CELSIUS_VTXBUF_FORMAT::TYPE.write(&mut kept, fmt);
    CELSIUS_VTXBUF_FORMAT::SIZE.write(&mut kept, comp);
    kept
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let nv10 = fe.g.nv10;
    let r = &mut fe.r;
    let formats = &mut r.celsius_pipe_vtxbuf_format;
    formats[c.i as usize] = normalised(c.i, c.v);
    // The W flag is one for all.
    let w = CELSIUS_VTXBUF_FORMAT::HOMOGENEOUS.read(formats[0]);
    for format in formats.iter_mut() {
        CELSIUS_VTXBUF_FORMAT::HOMOGENEOUS.write(format, w);
    }
    if nv10 {
        // Of the second colour's type one bit follows the first's.
        let float = CELSIUS_VTXBUF_FORMAT::TYPE.is_on(formats[1]);
        let upper = CELSIUS_VTXBUF_FORMAT::TYPE.entry(2, 1);
        upper.write(&mut formats[2], float.into());
    }
    let last = (1..8)
        .rev()
        .find(|&i| CELSIUS_VTXBUF_FORMAT::SIZE.is_on(formats[i]))
        .unwrap_or(0);
    CELSIUS_PIPE_VTX_STATE::UNK8.write(&mut r.celsius_pipe_vtx_state, 0);
    CELSIUS_PIPE_VTX_STATE::UNK0.write(&mut r.celsius_pipe_vtx_state, last as u32);
    fe.out.push(Event::VertexFormat {
        index: c.i as u8,
        format: c.v,
    });
}

/// BEGIN and END of the four ways to draw.
fn begin(fe: &mut Fe, c: Call) {
    let mut err = 0;
    if c.v > 0xa {
        err |= warning::ENUM;
    }
    if fe.inside() && c.v & 0xf != 0 {
        err |= warning::INSIDE;
    }
    if err != 0 {
        return fe.warn(err);
    }
    if fe.blocked() {
        return;
    }
    if fe.mode_pending {
        fe.push_celsius_mode();
    }
    fe.r.celsius_pipe_begin_end = c.v;
    CELSIUS_CONFIG_C::IN_BEGIN_END.write(&mut fe.r.celsius_config_c, (c.v != 0).into());
    CELSIUS_PIPE_VTX_STATE::STEP.write(&mut fe.r.celsius_pipe_vtx_state, 0);
    fe.begin_event(c.v);
}

/// The attributes.
pub(crate) const ATTRIBUTES: &[Row] = named_attributes!(m);

/// All others.
pub(crate) const ROWS: &[Row] = &[
    attr(m::VTX_TXC_4F, "TEX{}", fmt::FLOAT, 4),
    attr(m::VTX_TXC_4S, "TEX{}", fmt::SHORT, 4),
    free(m::DRAW_IDX16_BEGIN, Any, Always(begin)),
    free(m::DRAW_IDX32_BEGIN, Any, Always(begin)),
    free(m::DRAW_ARRAYS_BEGIN, Any, Always(begin)),
    free(m::DRAW_INLINE_BEGIN, Any, Always(begin)),
    free(m::VTX_EDGE_FLAG, Any, Do(edge_flag)),
    soft(m::UNKCF0, Soft::Any, Nop),
    soft(m::UNKCF4, Soft::Any, Nop),
    free(m::XF_NOP, Any, Do(marker)),
    free(m::XF_SYNC, Any, Do(marker)),
    free(m::VTXBUF_OFFSET, Mask(OFFSET_BITS), Do(vtxbuf_offset)),
    soft(
        m::VTXBUF_FORMAT,
        Soft::Rule(vtxbuf_format_soft),
        Do(vtxbuf_format),
    )
    .check(Rule(vtxbuf_format_ok))
    .guard(Guard::Free),
    free(m::DRAW_IDX16_DATA, Any, Index16),
    free(m::DRAW_IDX32_DATA, Any, Index32),
    free(m::DRAW_ARRAYS_DATA, Any, Do(draw::arrays)),
    free(m::DRAW_INLINE_DATA, Any, Do(draw::inline)),
];
