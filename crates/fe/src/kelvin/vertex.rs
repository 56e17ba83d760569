//! Immediate vertex attributes and vertex buffers.

use crate::Fe;
use crate::bits::ext;
use crate::idx;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Always, Attr, Do};
use crate::table::{Call, Guard, Row, free, hard, open};
use crate::traps::warning;
use crate::xfload::cmd;
use isotherm_bus::trap::nsource;

/// Data formats of immediate attributes.
pub(crate) mod fmt {
    pub const UBYTE: u32 = 4;
    pub const SHORT: u32 = 5;
    pub const NSHORT: u32 = 6;
    pub const FLOAT: u32 = 7;
}

/// Methods that an attribute of `n` components takes.
fn words(fmt: u32, n: u32) -> u16 {
    match fmt {
        fmt::UBYTE => 1,
        fmt::FLOAT => n as u16,
        _ => n.div_ceil(2) as u16,
    }
}

/// An attribute method that may not come in a patch.
pub(crate) fn attr(at: u16, name: &'static str, fmt: u32, attr: u32, n: u32) -> Row {
    open(at, name, Any, Attr(fmt, attr, n)).n(words(fmt, n))
}

/// EDGE_FLAG: the x97h classes warn, the Celsius ones take bit 0.
pub(crate) fn edge_flag(fe: &mut Fe, c: Call) {
    if fe.class & 0xff == 0x97 {
        use crate::bits::bit;
        if fe.g.kelvin() && bit(fe.r.fe3d_misc, 4) && bit(fe.r.debug_d, 3) {
            fe.blow_up(nsource::PATCH);
        }
        if c.v > 1 {
            return fe.warn(warning::ENUM);
        }
    }
    if !fe.blocked() {
        fe.edge_flag(c.v & 1 != 0);
    }
}

fn zero_in_x97(fe: &Fe, c: Call) -> bool {
    fe.class & 0xff != 0x97 || c.v == 0
}

fn nop(fe: &mut Fe, c: Call) {
    fe.xf_marker(cmd::NOP, c.v);
}

fn sync(fe: &mut Fe, c: Call) {
    fe.xf_marker(cmd::SYNC, c.v);
}

/// VTXBUF_VALIDATE, 1714h, XF_NOP, XF_SYNC, in a row at `at`.
pub(crate) fn markers(at: u16) -> [Row; 4] {
    [
        hard(at, "unkcf0", Rule(zero_in_x97), Do(idx::drop_cache)).guard(Guard::TrapWarn),
        hard(at + 4, "unkcf4", Rule(zero_in_x97), Do(idx::drop_cache)).guard(Guard::TrapWarn),
        free(at + 8, "xf_nop", Rule(zero_in_x97), Do(nop)),
        free(at + 12, "xf_sync", Rule(zero_in_x97), Do(sync)),
    ]
}

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    let attr = fe.attribute(c.i);
    fe.vertex_offset(attr, c.v);
}

fn vtxbuf_format_ok(_: &Fe, c: Call) -> bool {
    let comp = ext(c.v, 4, 4);
    let ok = match ext(c.v, 0, 4) {
        0 => comp == 3 || comp == 4,
        1 | 2 | 4 | 5 => true,
        6 => comp == 1,
        _ => false,
    };
    ext(c.v, 16, 16) == 0 && ok && (comp <= 4 || comp == 7)
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let attr = fe.attribute(c.i);
    fe.vertex_format(attr, c.v);
}

/// Attributes by their fixed-function names; `base` is 1500h, C00h in the Celsius classes.
pub(crate) fn named(base: u16) -> Vec<Row> {
    use fmt::*;
    vec![
        attr(base, "vtx_pos_3f", FLOAT, 0, 3),
        attr(base + 0x10, "vtx_pos_3s", SHORT, 0, 3),
        attr(base + 0x18, "vtx_pos_4f", FLOAT, 0, 4),
        attr(base + 0x28, "vtx_pos_4s", SHORT, 0, 4),
        attr(base + 0x30, "vtx_nrm_3f", FLOAT, 2, 3),
        attr(base + 0x40, "vtx_nrm_3s", NSHORT, 2, 3),
        attr(base + 0x50, "vtx_col0_4f", FLOAT, 3, 4),
        attr(base + 0x60, "vtx_col0_3f", FLOAT, 3, 3),
        attr(base + 0x6c, "vtx_col0_4ub", UBYTE, 3, 4),
        attr(base + 0x70, "vtx_col1_4f", FLOAT, 4, 4),
        attr(base + 0x80, "vtx_col1_3f", FLOAT, 4, 3),
        attr(base + 0x8c, "vtx_col1_4ub", UBYTE, 4, 4),
        attr(base + 0x90, "vtx_txc0_2f", FLOAT, 9, 2),
        attr(base + 0x98, "vtx_txc0_2s", SHORT, 9, 2),
        attr(base + 0xa0, "vtx_txc0_4f", FLOAT, 9, 4),
        attr(base + 0xb0, "vtx_txc0_4s", SHORT, 9, 4),
        attr(base + 0xb8, "vtx_txc1_2f", FLOAT, 10, 2),
        attr(base + 0xc0, "vtx_txc1_2s", SHORT, 10, 2),
        attr(base + 0xc8, "vtx_txc1_4f", FLOAT, 10, 4),
        attr(base + 0xd8, "vtx_txc1_4s", SHORT, 10, 4),
    ]
}

/// All rows of the Kelvin classes.
pub(crate) fn rows() -> Vec<Row> {
    use fmt::*;
    let mut rows = named(0x1500);
    rows.extend([
        attr(0x15e0, "vtx_txc2_2f", FLOAT, 11, 2),
        attr(0x15e8, "vtx_txc2_2s", SHORT, 11, 2),
        attr(0x15f0, "vtx_txc2_4f", FLOAT, 11, 4),
        attr(0x1600, "vtx_txc2_4s", SHORT, 11, 4),
        attr(0x1608, "vtx_txc3_2f", FLOAT, 12, 2),
        attr(0x1610, "vtx_txc3_2s", SHORT, 12, 2),
        attr(0x1620, "vtx_txc3_4f", FLOAT, 12, 4),
        attr(0x1630, "vtx_txc3_4s", SHORT, 12, 4),
        attr(0x1698, "vtx_fog_1f", FLOAT, 5, 1),
        attr(0x169c, "vtx_wei_1f", FLOAT, 1, 1),
        attr(0x16a0, "vtx_wei_2f", FLOAT, 1, 2),
        attr(0x16b0, "vtx_wei_3f", FLOAT, 1, 3),
        free(0x16bc, "vtx_edge_flag", Any, Always(edge_flag)),
        attr(0x16c0, "vtx_wei_4f", FLOAT, 1, 4),
        open(
            0x1720,
            "vtxbuf_offset",
            Mask(0x8fff_ffff),
            Do(vtxbuf_offset),
        )
        .n(16),
        open(
            0x1760,
            "vtxbuf_format",
            Rule(vtxbuf_format_ok),
            Do(vtxbuf_format),
        )
        .n(16),
    ]);
    rows.extend(markers(0x1710));
    for i in 0..16u16 {
        let free = |at, name, fmt, n| attr(at, name, fmt, i.into(), n).guard(Guard::Free);
        rows.extend([
            free(0x1880 + i * 8, "vtx_attr_2f", FLOAT, 2),
            free(0x1900 + i * 4, "vtx_attr_2s", SHORT, 2),
            free(0x1940 + i * 4, "vtx_attr_4ub", UBYTE, 4),
            free(0x1980 + i * 8, "vtx_attr_4s", SHORT, 4),
            free(0x1a00 + i * 16, "vtx_attr_4f", FLOAT, 4),
        ]);
    }
    rows
}
