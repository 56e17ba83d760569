//! Vertices: immediate attributes, buffers, BEGIN/END and draws.

use crate::Fe;
use crate::bits::{ext, ins};
use crate::convert;
use crate::idx::ONE;
use crate::kelvin::draw;
use crate::kelvin::vertex::fmt;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Always, Do};
use crate::table::{Call, Guard, Row, Soft, free, soft};
use crate::traps::warning;
use isotherm_bus::bundle::Event;

/// The pipe's number of the attribute that has no row of its own: fog is the second colour's
/// alpha.
const FOG: u32 = 7;

/// Packs an attribute method for [`attr`].
const fn packed(fmt: u32, attr: u32, n: u32) -> u32 {
    fmt << 8 | attr << 4 | n
}

/// One word of an immediate attribute; `p` says which, of what format and size.
fn attr(fe: &mut Fe, c: Call) {
    let (fmt, attr, n) = (c.p >> 8, c.p >> 4 & 15, c.p & 15);
    fe.out.push(Event::Attr {
        fmt: fmt as u8,
        attr: attr as u8,
        ncomp: n as u8,
        comp: c.i as u8,
        data: c.v,
    });
    let nv10 = fe.g.nv10;
    let base = attr as usize * 4;
    let row = &mut fe.r.celsius_pipe_vtx;
    if attr == FOG {
        row[11] = c.v;
        return;
    }
    let i = c.i as usize;
    let half = |k: u32| (c.v >> (16 * k)) as u16 as i16;
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
            row[base + i] = c.v;
        }
        fmt::UBYTE => {
            for k in 0..4 {
                row[base + k] = convert::ubyte((c.v >> (8 * k)) as u8);
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
    fe.r.celsius_pipe_vtxbuf_offset[c.i as usize] = c.v & 0x0fff_fffc;
    ins(&mut fe.r.celsius_pipe_vtx_state, 8, 5, 0);
    fe.out.push(Event::VertexOffset {
        index: c.i as u8,
        dma: 0,
        offset: c.v & 0x0fff_fffc,
    });
}

/// Two components need a W of their own, four have it.
pub(crate) fn vtxbuf_format_ok(_: &Fe, c: Call) -> bool {
    let comp = ext(c.v, 4, 3);
    c.i != 0 || comp != if ext(c.v, 24, 1) == 0 { 4 } else { 2 }
}

/// Which formats an attribute takes without a warning.
pub(crate) fn vtxbuf_format_soft(fe: &Fe, c: Call) -> Result<u32, u32> {
    let (fmt, comp) = (ext(c.v, 0, 4), ext(c.v, 4, 4));
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
    if fe.g.celsius() && c.i == 0 && ext(c.v, 24, 8) > 1 {
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
    let (fmt, comp) = (ext(v, 0, 3), ext(v, 4, 3));
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
    fmt | comp << 4 | v & 0xfc00 | v & 1 << 24
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let nv10 = fe.g.nv10;
    let r = &mut fe.r;
    let formats = &mut r.celsius_pipe_vtxbuf_format;
    formats[c.i as usize] = normalised(c.i, c.v);
    // The W flag is one for all.
    let w = ext(formats[0], 24, 1);
    for format in formats.iter_mut() {
        ins(format, 24, 1, w);
    }
    if nv10 {
        let float = ext(formats[1], 0, 3) != 0;
        ins(&mut formats[2], 2, 1, float.into());
    }
    let last = (1..8)
        .rev()
        .find(|&i| ext(formats[i], 4, 3) != 0)
        .unwrap_or(0);
    ins(&mut r.celsius_pipe_vtx_state, 8, 5, 0);
    ins(&mut r.celsius_pipe_vtx_state, 0, 5, last as u32);
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
    ins(&mut fe.r.celsius_config_c, 8, 1, (c.v != 0).into());
    ins(&mut fe.r.celsius_pipe_vtx_state, 28, 3, 0);
    fe.begin_event(c.v);
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    use fmt::*;
    let list: &[(u16, u16, &str, u32)] = &[
        (0xc00, 3, "vtx_pos_3f", packed(FLOAT, 0, 3)),
        (0xc10, 2, "vtx_pos_3s", packed(SHORT, 0, 3)),
        (0xc18, 4, "vtx_pos_4f", packed(FLOAT, 0, 4)),
        (0xc28, 2, "vtx_pos_4s", packed(SHORT, 0, 4)),
        (0xc30, 3, "vtx_nrm_3f", packed(FLOAT, 5, 3)),
        (0xc40, 2, "vtx_nrm_3s", packed(NSHORT, 5, 3)),
        (0xc50, 4, "vtx_col0_4f", packed(FLOAT, 1, 4)),
        (0xc60, 3, "vtx_col0_3f", packed(FLOAT, 1, 3)),
        (0xc6c, 1, "vtx_col0_4ub", packed(UBYTE, 1, 4)),
        (0xc70, 4, "vtx_col1_4f", packed(FLOAT, 2, 4)),
        (0xc80, 3, "vtx_col1_3f", packed(FLOAT, 2, 3)),
        (0xc8c, 1, "vtx_col1_4ub", packed(UBYTE, 2, 4)),
        (0xc90, 2, "vtx_txc0_2f", packed(FLOAT, 3, 2)),
        (0xc98, 1, "vtx_txc0_2s", packed(SHORT, 3, 2)),
        (0xca0, 4, "vtx_txc0_4f", packed(FLOAT, 3, 4)),
        (0xcb0, 2, "vtx_txc0_4s", packed(SHORT, 3, 4)),
        (0xcb8, 2, "vtx_txc1_2f", packed(FLOAT, 4, 2)),
        (0xcc0, 1, "vtx_txc1_2s", packed(SHORT, 4, 2)),
        (0xcc8, 4, "vtx_txc1_4f", packed(FLOAT, 4, 4)),
        (0xcd8, 2, "vtx_txc1_4s", packed(SHORT, 4, 4)),
        (0xce0, 1, "vtx_fog_1f", packed(FLOAT, FOG, 1)),
        (0xce4, 1, "vtx_wei_1f", packed(FLOAT, 6, 1)),
    ];
    let mut rows: Vec<Row> = list
        .iter()
        .map(|&(at, n, name, p)| free(at, name, Any, Do(attr)).n(n).p(p))
        .collect();
    for at in [0xdfc, 0x10fc, 0x13fc, 0x17fc] {
        rows.push(free(at, "begin", Any, Always(begin)));
    }
    rows.extend([
        free(0xcec, "vtx_edge_flag", Any, Do(edge_flag)),
        soft(0xcf0, "unkcf0", Soft::Any, Do(|_, _| {})),
        soft(0xcf4, "unkcf4", Soft::Any, Do(|_, _| {})),
        free(0xcf8, "xf_nop", Any, Do(marker)),
        free(0xcfc, "xf_sync", Any, Do(marker)),
        free(0xd00, "vtxbuf_offset", Mask(0x0fff_fffc), Do(vtxbuf_offset)).every(8, 8),
        soft(
            0xd04,
            "vtxbuf_format",
            Soft::Rule(vtxbuf_format_soft),
            Do(vtxbuf_format),
        )
        .check(Rule(vtxbuf_format_ok))
        .guard(Guard::Free)
        .every(8, 8),
        free(0xe00, "draw_idx16.data", Any, Do(draw::idx16)).n(0x80),
        free(0x1100, "draw_idx32.data", Any, Do(draw::idx32)).n(0x40),
        free(0x1400, "draw_arrays.data", Any, Do(draw::arrays)).n(0x80),
        free(0x1800, "draw_inline.data", Any, Do(draw::inline)).n(0x200),
    ]);
    rows
}
