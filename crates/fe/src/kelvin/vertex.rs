//! Immediate vertex attributes and vertex buffers.

use isotherm_regs::method::{Method, VTXBUF_FORMAT, kelvin as m};
use isotherm_regs::pgraph::{DEBUG_D, FE3D_MISC};

use crate::Fe;
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

/// An attribute method that may not come in a patch.
pub(crate) const fn attr(method: Method, name: &'static str, fmt: u32, n: u32) -> Row {
    open(method, Any, Attr(name, fmt, n))
}

/// Attributes by their fixed-function names, given the module of a class's methods.
macro_rules! named_attributes {
    ($m:ident) => {{
        use crate::kelvin::vertex::{attr, fmt::*};
        const ROWS: &[crate::table::Row] = &[
            attr($m::VTX_POS_3F, "POSITION", FLOAT, 3),
            attr($m::VTX_POS_3S, "POSITION", SHORT, 3),
            attr($m::VTX_POS_4F, "POSITION", FLOAT, 4),
            attr($m::VTX_POS_4S, "POSITION", SHORT, 4),
            attr($m::VTX_NRM_3F, "NORMAL", FLOAT, 3),
            attr($m::VTX_NRM_3S, "NORMAL", NSHORT, 3),
            attr($m::VTX_COL0_4F, "COLOR0", FLOAT, 4),
            attr($m::VTX_COL0_3F, "COLOR0", FLOAT, 3),
            attr($m::VTX_COL0_4UB, "COLOR0", UBYTE, 4),
            attr($m::VTX_COL1_4F, "COLOR1", FLOAT, 4),
            attr($m::VTX_COL1_3F, "COLOR1", FLOAT, 3),
            attr($m::VTX_COL1_4UB, "COLOR1", UBYTE, 4),
            attr($m::VTX_TXC_2F, "TEX{}", FLOAT, 2),
            attr($m::VTX_TXC_2S, "TEX{}", SHORT, 2),
            attr($m::VTX_FOG_1F, "FOG", FLOAT, 1),
            attr($m::VTX_WEI_1F, "WEIGHT", FLOAT, 1),
        ];
        ROWS
    }};
}
pub(crate) use named_attributes;

/// EDGE_FLAG: the x97h classes warn, the Celsius ones take bit 0.
pub(crate) fn edge_flag(fe: &mut Fe, c: Call) {
    if fe.class & 0xff == 0x97 {
        if fe.g.kelvin()
            && FE3D_MISC::IN_PATCH.is_on(fe.r.fe3d_misc)
            && DEBUG_D::PATCH_CHECK.is_on(fe.r.debug_d)
        {
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

/// A method that drops the cached vertices.
pub(crate) const fn drop_cache_row(method: Method) -> Row {
    hard(method, Rule(zero_in_x97), Do(idx::drop_cache)).guard(Guard::TrapWarn)
}

/// XF_NOP.
pub(crate) const fn nop_row(method: Method) -> Row {
    free(method, Rule(zero_in_x97), Do(nop))
}

/// XF_SYNC.
pub(crate) const fn sync_row(method: Method) -> Row {
    free(method, Rule(zero_in_x97), Do(sync))
}

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    let attr = fe.attribute(c.i);
    fe.vertex_offset(attr, c.v);
}

fn vtxbuf_format_ok(_: &Fe, c: Call) -> bool {
    let comp = VTXBUF_FORMAT::SIZE.read(c.v);
    let ok = match VTXBUF_FORMAT::TYPE.read(c.v) {
        0 => comp == 3 || comp == 4,
        1 | 2 | 4 | 5 => true,
        6 => comp == 1,
        _ => false,
    };
    // The stride has eight bits.
    c.v < 0x1_0000 && ok && (comp <= 4 || comp == 7)
}

fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let attr = fe.attribute(c.i);
    fe.vertex_format(attr, c.v);
}

/// The attributes that have names.
pub(crate) const NAMED: &[Row] = named_attributes!(m);

/// A numbered attribute, which may come in a patch.
const fn numbered(method: Method, fmt: u32, n: u32) -> Row {
    attr(method, "{}", fmt, n).guard(Guard::Free)
}

/// All others.
pub(crate) const ROWS: &[Row] = &[
    attr(m::VTX_TXC0_4F, "TEX0", fmt::FLOAT, 4),
    attr(m::VTX_TXC0_4S, "TEX0", fmt::SHORT, 4),
    attr(m::VTX_TXC1_4F, "TEX1", fmt::FLOAT, 4),
    attr(m::VTX_TXC1_4S, "TEX1", fmt::SHORT, 4),
    attr(m::VTX_TXC2_4F, "TEX2", fmt::FLOAT, 4),
    attr(m::VTX_TXC2_4S, "TEX2", fmt::SHORT, 4),
    attr(m::VTX_TXC3_4F, "TEX3", fmt::FLOAT, 4),
    attr(m::VTX_TXC3_4S, "TEX3", fmt::SHORT, 4),
    attr(m::VTX_WEI_2F, "WEIGHT", fmt::FLOAT, 2),
    attr(m::VTX_WEI_3F, "WEIGHT", fmt::FLOAT, 3),
    attr(m::VTX_WEI_4F, "WEIGHT", fmt::FLOAT, 4),
    free(m::VTX_EDGE_FLAG, Any, Always(edge_flag)),
    open(m::VTXBUF_OFFSET, Mask(0x8fff_ffff), Do(vtxbuf_offset)),
    open(m::VTXBUF_FORMAT, Rule(vtxbuf_format_ok), Do(vtxbuf_format)),
    drop_cache_row(m::UNKCF0),
    drop_cache_row(m::UNKCF4),
    nop_row(m::XF_NOP),
    sync_row(m::XF_SYNC),
    numbered(m::VTX_ATTR_2F, fmt::FLOAT, 2),
    numbered(m::VTX_ATTR_2S, fmt::SHORT, 2),
    numbered(m::VTX_ATTR_4UB, fmt::UBYTE, 4),
    numbered(m::VTX_ATTR_4S, fmt::SHORT, 4),
    numbered(m::VTX_ATTR_4F, fmt::FLOAT, 4),
];
