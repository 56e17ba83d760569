//! State methods that only Curie's classes have.

use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    BLEND_ENABLE_MRT_DATA, COLOR_MASK_MRT_DATA, UNK0E6_DATA, rankine_curie as m,
};

use crate::kelvin::state as gl;
use crate::rankine::rows::inert;
use crate::rankine::state::{color_offset, color_pitch, dma_color, pitch};
use crate::surface::{COLOR, ZETA};
use crate::table::Check::{Any, Mask};
use crate::table::Op::{Always, Do, Field, Nop, Spread, Word};
use crate::table::{Row, Soft, free, hard, open, soft};

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    free(m::DMA_BUNDLE_UNK0B0, Any, Nop).dma(),
    free(m::DMA_SURF_COLOR_C, Any, Always(dma_color)).dma().p(7),
    free(m::DMA_SURF_COLOR_D, Any, Always(dma_color)).dma().p(8),
    free(m::COLOR_A_PITCH, Any, Do(pitch)).p(COLOR),
    free(m::ZETA_PITCH, Any, Do(pitch)).p(ZETA),
    hard(m::TXC_CYLWRAP_B, Mask(0xff), Word(TXC_CYLWRAP_B)),
    free(m::CLIPID_RECT_HORIZ, Any, Word(CLIPID_RECT_HORIZ)),
    free(m::CLIPID_RECT_VERT, Any, Word(CLIPID_RECT_VERT)),
    free(m::COLOR_C_PITCH, Any, Do(color_pitch)).p(7),
    free(m::COLOR_D_PITCH, Any, Do(color_pitch)).p(8),
    free(m::COLOR_C_OFFSET, Any, Do(color_offset)).p(7),
    free(m::COLOR_D_OFFSET, Any, Do(color_offset)).p(8),
    hard(
        m::BLEND_FUNC_ENABLE_MRT,
        Mask(0xe),
        Spread(
            BLEND,
            &[(BLEND_ENABLE_MRT_DATA::TARGETS, BLEND::CURIE_UNK29)],
        ),
    ),
    hard(
        m::COLOR_MASK_MRT,
        Mask(0xfff0),
        Spread(
            COLOR_MASK,
            // The first target has a method of its own.
            &[
                (
                    COLOR_MASK_MRT_DATA::TARGETS.entry(0, 4),
                    COLOR_MASK::MASK.entry(1, 4),
                ),
                (
                    COLOR_MASK_MRT_DATA::TARGETS.entry(1, 4),
                    COLOR_MASK::MASK.entry(2, 4),
                ),
                (
                    COLOR_MASK_MRT_DATA::TARGETS.entry(2, 4),
                    COLOR_MASK::MASK.entry(3, 4),
                ),
            ],
        ),
    ),
    soft(m::BUNDLE_UNK0E5, Soft::Any, Word(CURIE_UNK0E5)),
    inert(m::UNK38C),
    soft(
        m::FOG_MODE,
        Soft::Rule(gl::fog_mode),
        Field(CONFIG_B, CONFIG_B::FOG_MODE),
    ),
    hard(
        m::BUNDLE_UNK0E6,
        Mask(0x13ff_cfff),
        Spread(
            CURIE_UNK0E6,
            &[
                (UNK0E6_DATA::UNK0, CURIE_UNK0E6::UNK0.entry(0, 12)),
                (UNK0E6_DATA::UNK14, CURIE_UNK0E6::UNK0.entry(1, 12)),
                (UNK0E6_DATA::UNK28, CURIE_UNK0E6::UNK0.entry(24, 1)),
            ],
        ),
    ),
    inert(m::UNKA1C),
    inert(m::UNK1430),
    inert(m::UNK1438),
    inert(m::UNK1804),
    open(m::XF_BUNDLE_UNK0E7, Any, Word(XF_UNK0E7)),
    inert(m::XFCTX_WRITE_ENABLE),
    inert(m::UNK1EA4),
    free(m::BUNDLE_UNK0E1, Any, Word(CURIE_UNK0E1)),
    inert(m::UNK1EF0),
    free(m::BUNDLE_UNK0E2, Any, Word(CURIE_UNK0E2)),
    // Drops cached texels; there are none that memory does not know.
    inert(m::TEX_CACHE_CTL),
    inert(m::UNK1FDC),
    free(m::BUNDLE_UNK0E9, Any, Word(CURIE_UNK0E9)),
    free(m::BUNDLE_UNK0ED, Any, Word(CURIE_UNK0ED)),
];
