//! Tables of the Direct3D triangle classes that Celsius emulates: 48h, 54h, 55h, 94h, 95h.

use isotherm_regs::method::Method;
use isotherm_regs::method::d3d::{d3d0 as m0, d3d5 as m5, d3d6 as m6};

use super::{blend, combine, d3d0, state, tex, vertex};
use crate::common::{NOP, NOTIFY, PM_TRIGGER};
use crate::object;
use crate::surface::{COLOR, ZETA};
use crate::table::Check::{Any, Rule};
use crate::table::Op::{Always, Nop};
use crate::table::{Call, Row, free};

type Act = fn(&mut crate::Fe, Call);
type Accepts = fn(&crate::Fe, Call) -> bool;

/// A method that looks at errors itself and can be left to software.
const fn row(method: Method, act: Act, trap: i8) -> Row {
    free(method, Any, Always(act)).trap(trap)
}

/// The same with a check of its data.
const fn checked(method: Method, check: Accepts, act: Act, trap: i8) -> Row {
    free(method, Rule(check), Always(act)).trap(trap)
}

/// 48h.
pub(crate) const D3D0: &[Row] = &[
    NOP,
    NOTIFY,
    PM_TRIGGER,
    row(m0::DMA_NOTIFY, object::dma_notify, 1).dma(),
    row(m0::DMA_TEX, tex::dma_tex, 2).dma(),
    row(m0::CTX_CLIP, object::ctx_clip, 3)
        .dma()
        .exists(object::ctx_exists),
    row(m0::CTX_COLOR, object::ctx_surface, 4)
        .dma()
        .p(COLOR)
        .exists(object::ctx_exists),
    row(m0::CTX_ZETA, object::ctx_surface, 5)
        .dma()
        .p(ZETA)
        .exists(object::ctx_exists),
    free(m0::UNK200, Any, Always(|fe, _| fe.missing_hw())),
    row(m0::TEX_OFFSET, tex::tex_offset, 6).p(3),
    checked(m0::TEX_FORMAT, d3d0::format_ok, d3d0::format, 7),
    row(m0::TEX_FILTER, d3d0::filter, 8),
    row(m0::FOG_COLOR, state::fog_color, 9),
    checked(m0::CONFIG, d3d0::config_ok, d3d0::config, 10),
    checked(m0::ALPHA, d3d0::alpha_ok, d3d0::alpha, 11),
    row(m0::TLV_FOG, vertex::tlv_fog, 12),
    row(m0::TLV_COLOR, vertex::tlv_color, 13),
    checked(m0::TLV_X, vertex::xy_ok, vertex::tlv_x, 14),
    checked(m0::TLV_Y, vertex::xy_ok, vertex::tlv_y, 15),
    checked(m0::TLV_Z, vertex::z_ok, vertex::tlv_z, 16),
    checked(m0::TLV_RHW, vertex::w_ok, vertex::tlv_w, 17),
    checked(m0::TLV_U, vertex::xy_ok, vertex::tlv_uv, 18).p(0),
    checked(m0::TLV_V, vertex::xy_ok, vertex::tlv_uv_last, 19).p(1),
];

/// 54h and 94h.
pub(crate) const D3D5: &[Row] = &[
    NOP,
    NOTIFY,
    PM_TRIGGER,
    row(m5::DMA_NOTIFY, object::dma_notify, 1).dma(),
    row(m5::DMA_TEX_A, tex::dma_tex, 2).dma().p(0),
    row(m5::DMA_TEX_B, tex::dma_tex, 3).dma().p(1),
    row(m5::CTX_SURF3D, object::ctx_surface3d, 4).dma(),
    row(m5::TEX_COLOR_KEY, tex::tex_color_key, 5),
    checked(m5::TEX_OFFSET, tex::offset_ok, tex::tex_offset, 6).p(1),
    checked(m5::TEX_FORMAT, tex::format_ok, tex::tex_format, 7).p(3),
    checked(m5::TEX_FILTER, tex::filter_ok, tex::tex_filter, 8).p(0),
    checked(m5::BLEND, blend::blend_ok, blend::blend, 9),
    checked(m5::CONFIG, state::config_ok, state::config, 10),
    row(m5::FOG_COLOR, state::fog_color, 11),
    row(m5::TLV_X, vertex::tlv_x, 12),
    row(m5::TLV_Y, vertex::tlv_y, 13),
    row(m5::TLV_Z, vertex::tlv_z, 14),
    row(m5::TLV_RHW, vertex::tlv_w, 15),
    row(m5::TLV_COLOR, vertex::tlv_color, 16),
    row(m5::TLV_FOG, vertex::tlv_fog, 17),
    row(m5::TLV_U, vertex::tlv_uv, 18).p(0),
    row(m5::TLV_V, vertex::tlv_uv_last, 19).p(1),
    free(m5::DRAW, Any, Nop).trap(20),
];

/// 55h and 95h. The units' methods lie side by side, but each has its own software bit.
pub(crate) const D3D6: &[Row] = &[
    NOP,
    NOTIFY,
    PM_TRIGGER,
    row(m6::DMA_NOTIFY, object::dma_notify, 1).dma(),
    row(m6::DMA_TEX_A, tex::dma_tex, 2).dma().p(0),
    row(m6::DMA_TEX_B, tex::dma_tex, 3).dma().p(1),
    row(m6::CTX_SURF3D, object::ctx_surface3d, 4).dma(),
    checked(m6::TEX_0_OFFSET, tex::offset_ok, tex::tex_offset, 5).p(1),
    checked(m6::TEX_1_OFFSET, tex::offset_ok, tex::tex_offset, 6).p(2),
    checked(m6::TEX_0_FORMAT, tex::format_ok, tex::tex_format, 7).p(1),
    checked(m6::TEX_1_FORMAT, tex::format_ok, tex::tex_format, 8).p(2),
    checked(m6::TEX_0_FILTER, tex::filter_ok, tex::tex_filter, 9).p(0),
    checked(m6::TEX_1_FILTER, tex::filter_ok, tex::tex_filter, 10).p(1),
    // Stage, then colour or alpha.
    checked(
        m6::COMBINE_0_ALPHA,
        combine::combine_ok,
        combine::combine,
        11,
    )
    .p(0),
    checked(
        m6::COMBINE_0_COLOR,
        combine::combine_ok,
        combine::combine,
        12,
    )
    .p(1),
    checked(
        m6::COMBINE_1_ALPHA,
        combine::combine_ok,
        combine::combine,
        13,
    )
    .p(2),
    checked(
        m6::COMBINE_1_COLOR,
        combine::combine_ok,
        combine::combine,
        14,
    )
    .p(3),
    row(m6::COMBINE_FACTOR, combine::combine_factor, 15),
    checked(m6::BLEND, blend::blend_ok, blend::blend, 16),
    checked(m6::CONFIG, state::config_ok, state::config, 17),
    checked(
        m6::STENCIL_FUNC,
        state::stencil_func_ok,
        state::stencil_func,
        18,
    ),
    checked(m6::STENCIL_OP, state::stencil_op_ok, state::stencil_op, 19),
    row(m6::FOG_COLOR, state::fog_color, 20),
    row(m6::TLV_X, vertex::tlv_x, 21),
    row(m6::TLV_Y, vertex::tlv_y, 22),
    row(m6::TLV_Z, vertex::tlv_z, 23),
    row(m6::TLV_RHW, vertex::tlv_w, 24),
    row(m6::TLV_COLOR, vertex::tlv_color, 25),
    row(m6::TLV_FOG, vertex::tlv_fog, 26),
    row(m6::TLV_U0, vertex::tlv_uv, 27).p(0),
    row(m6::TLV_V0, vertex::tlv_uv, 28).p(1),
    row(m6::TLV_U1, vertex::tlv_uv, 29).p(2),
    row(m6::TLV_V1, vertex::tlv_uv_last, 30).p(3),
    free(m6::DRAW, Any, Nop).trap(31),
];
