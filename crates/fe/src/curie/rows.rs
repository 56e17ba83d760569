//! State methods that only Curie's classes have.

use isotherm_bus::bundle::Event;
use isotherm_regs::Chip::Nv40;
use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    BLEND_ENABLE_MRT_DATA, COLOR_MASK_MRT_DATA, RENDER_ENABLE_DATA, RENDER_ENABLE_MODE,
    UNK0E6_DATA, rankine_curie as m,
};

use crate::Fe;
use crate::kelvin::state as gl;
use crate::object;
use crate::rankine::rows::{inert, software};
use crate::surface::{self, COLOR, COLOR_C, COLOR_D, ZETA};
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Always, Field, Spread, Word};
use crate::table::{Call, Row, Soft, free, hard, open, soft};
use crate::words::Edit;

/// RENDER_ENABLE: draws follow a report's count, or do not.
fn render_enable(fe: &mut Fe, c: Call) {
    let asked = RENDER_ENABLE_DATA::MODE.read(c.v) == RENDER_ENABLE_MODE::CONDITIONAL;
    fe.out.push(Event::RenderEnable {
        report: asked.then(|| RENDER_ENABLE_DATA::OFFSET.read(c.v)),
    });
}

/// Clip id rectangles go in steps of 16 and are at most 4,096 wide.
fn clipid_rect_ok(_: &Fe, c: Call) -> bool {
    let (origin, size) = (
        CLIPID_RECT_HORIZ::ORIGIN.read(c.v),
        CLIPID_RECT_HORIZ::SIZE.read(c.v),
    );
    c.v & !CLIPID_RECT_HORIZ::WORD.mask(Nv40, 0) == 0
        && origin.is_multiple_of(16)
        && size.is_multiple_of(16)
        && size <= 4096
}

/// DMA_UNK0B0: memory that begins and ends on 256 bytes. The handle's lowest bits stand where the
/// target would.
fn dma_unk0b0(fe: &mut Fe, c: Call) {
    let handle = DMA_UNK0B0::INSTANCE.read(c.v);
    fe.check_dma_class(2);
    fe.check_dma_aligned();
    if !fe.blocked() {
        let word = Edit::zero(fe)
            .set(DMA_UNK0B0::INSTANCE, handle)
            .set(DMA_UNK0B0::TARGET, handle);
        fe.put(DMA_UNK0B0, 0, word.word);
    }
}

/// Two rows of the vertex engine's memory.
fn unk0e7_ok(_: &Fe, c: Call) -> bool {
    c.v & !XF_UNK0E7::WORD.mask(Nv40, 0) == 0
        && [XF_UNK0E7::UNK0, XF_UNK0E7::UNK16]
            .iter()
            .all(|row| row.read(c.v) < 0x220)
}

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    free(m::DMA_BUNDLE_UNK0B0, Any, Always(dma_unk0b0)).dma(),
    free(m::DMA_SURF_COLOR_C, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR_C),
    free(m::DMA_SURF_COLOR_D, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR_D),
    free(
        m::COLOR_A_PITCH,
        Rule(surface::one_pitch_ok),
        Always(surface::one_pitch),
    )
    .p(COLOR),
    free(
        m::ZETA_PITCH,
        Rule(surface::one_pitch_ok),
        Always(surface::one_pitch),
    )
    .p(ZETA),
    hard(m::TXC_CYLWRAP_B, Mask(0xff), Word(TXC_CYLWRAP_B)),
    free(
        m::CLIPID_RECT_HORIZ,
        Rule(clipid_rect_ok),
        Word(CLIPID_RECT_HORIZ),
    ),
    free(
        m::CLIPID_RECT_VERT,
        Rule(clipid_rect_ok),
        Word(CLIPID_RECT_VERT),
    ),
    free(
        m::COLOR_C_PITCH,
        Rule(surface::one_pitch_ok),
        Always(surface::one_pitch),
    )
    .p(COLOR_C),
    free(
        m::COLOR_D_PITCH,
        Rule(surface::one_pitch_ok),
        Always(surface::one_pitch),
    )
    .p(COLOR_D),
    free(m::COLOR_C_OFFSET, Mask(!0x3f), Always(surface::offset)).p(COLOR_C),
    free(m::COLOR_D_OFFSET, Mask(!0x3f), Always(surface::offset)).p(COLOR_D),
    hard(
        m::BLEND_FUNC_ENABLE_MRT,
        Mask(0xe),
        Spread(
            BLEND,
            &[(BLEND_ENABLE_MRT_DATA::TARGETS, BLEND::BLEND_MRT_ENABLE)],
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
    free(m::UNK38C, Any, Always(software)),
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
    free(m::UNK1430, Any, Always(|fe, _| fe.missing_hw())),
    inert(m::UNK1438),
    inert(m::UNK1804),
    open(m::XF_BUNDLE_UNK0E7, Rule(unk0e7_ok), Word(XF_UNK0E7)),
    free(m::RENDER_ENABLE, Any, Always(render_enable)),
    inert(m::UNK1EA4),
    free(m::BUNDLE_UNK0E1, Any, Word(CURIE_UNK0E1)),
    inert(m::UNK1EF0),
    free(m::BUNDLE_UNK0E2, Mask(0xffff_7111), Word(CURIE_UNK0E2)),
    // Drops cached texels; there are none that memory does not know.
    inert(m::TEX_CACHE_CTL),
    inert(m::UNK1FDC),
    free(m::BUNDLE_UNK0E9, Any, Word(CURIE_UNK0E9)),
    free(m::BUNDLE_UNK0ED, Any, Word(CURIE_UNK0ED)),
];
