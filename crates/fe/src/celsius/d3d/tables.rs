//! Tables of the Direct3D triangle classes that Celsius emulates: 48h, 54h, 55h, 94h, 95h.

use std::sync::OnceLock;

use super::{blend, combine, d3d0, state, tex, vertex};
use crate::common::{NOP, NOTIFY, PM_TRIGGER};
use crate::object;
use crate::table::Check::{Any, Rule};
use crate::table::Op::{Always, Do, Nop};
use crate::table::{Call, Row, Table, free};

type Act = fn(&mut crate::Fe, Call);
type Check = fn(&crate::Fe, Call) -> bool;

/// Vertex methods, `n` vertices `step` bytes apart: address of x, y, z, 1/w, colour, fog and
/// specular, the texture coordinates; and the first software-method bit.
fn vertices(rows: &mut Vec<Row>, n: u16, step: u16, at: [u16; 6], uv: &[u16], trap: i8) {
    let list: [(&'static str, Check, Act); 6] = [
        ("tlv_x", vertex::xy_ok, vertex::tlv_x),
        ("tlv_y", vertex::xy_ok, vertex::tlv_y),
        ("tlv_z", vertex::z_ok, vertex::tlv_z),
        ("tlv_rhw", vertex::w_ok, vertex::tlv_w),
        ("tlv_color", vertex::any_ok, vertex::tlv_color),
        ("tlv_fog", vertex::any_ok, vertex::tlv_fog),
    ];
    let mut order: Vec<usize> = (0..6).collect();
    order.sort_by_key(|&i| at[i]);
    for (k, i) in order.into_iter().enumerate() {
        let (name, check, act) = list[i];
        let row = free(at[i], name, Rule(check), Always(act)).every(n, step);
        rows.push(row.trap(trap + k as i8));
    }
    for (k, &at) in uv.iter().enumerate() {
        let last = k + 1 == uv.len();
        let p = k as u32 | u32::from(last) << 8;
        let row = free(at, "tlv_uv", Rule(vertex::xy_ok), Always(vertex::tlv_uv))
            .every(n, step)
            .p(p);
        rows.push(row.trap(trap + 6 + k as i8));
    }
}

/// 48h.
pub(crate) fn d3d0() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut rows = vec![
            NOP,
            NOTIFY,
            PM_TRIGGER,
            free(0x180, "dma_notify", Any, Always(object::dma_notify))
                .dma()
                .trap(1),
            free(0x184, "dma_tex", Any, Always(tex::dma_tex))
                .dma()
                .trap(2),
            free(0x188, "ctx_clip", Any, Always(object::ctx_clip))
                .dma()
                .trap(3)
                .exists(object::ctx_exists),
            free(0x18c, "ctx_color", Any, Always(object::ctx_surface))
                .dma()
                .p(2)
                .trap(4)
                .exists(object::ctx_exists),
            free(0x190, "ctx_zeta", Any, Always(object::ctx_surface))
                .dma()
                .p(3)
                .trap(5)
                .exists(object::ctx_exists),
            free(0x200, "missing", Any, Always(|fe, _| fe.missing_hw())).n(4),
            free(0x304, "tex_offset", Any, Always(tex::tex_offset))
                .p(3)
                .trap(6),
            free(
                0x308,
                "tex_format",
                Rule(d3d0::format_ok),
                Always(d3d0::format),
            )
            .trap(7),
            free(0x30c, "tex_filter", Any, Always(d3d0::filter)).trap(8),
            free(0x310, "fog_color", Any, Always(state::fog_color)).trap(9),
            free(0x314, "config", Rule(d3d0::config_ok), Always(d3d0::config)).trap(10),
            free(0x318, "alpha", Rule(d3d0::alpha_ok), Always(d3d0::alpha)).trap(11),
        ];
        let at = [0x1008, 0x100c, 0x1010, 0x1014, 0x1004, 0x1000];
        vertices(&mut rows, 0x80, 0x20, at, &[0x1018, 0x101c], 12);
        Table::new(&[&rows])
    })
}

/// What 54h, 55h, 94h, 95h have in common.
fn d3d56() -> Vec<Row> {
    vec![
        NOP,
        NOTIFY,
        PM_TRIGGER,
        free(0x180, "dma_notify", Any, Always(object::dma_notify))
            .dma()
            .trap(1),
        free(0x184, "dma_tex_a", Any, Always(tex::dma_tex))
            .dma()
            .p(0)
            .trap(2),
        free(0x188, "dma_tex_b", Any, Always(tex::dma_tex))
            .dma()
            .p(1)
            .trap(3),
        free(0x18c, "ctx_surf3d", Any, Always(object::ctx_surface3d))
            .dma()
            .trap(4),
    ]
}

/// 54h and 94h.
pub(crate) fn d3d5(_class: u32) -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut rows = d3d56();
        rows.extend([
            free(0x300, "tex_color_key", Any, Always(tex::tex_color_key)).trap(5),
            free(
                0x304,
                "tex_offset",
                Rule(tex::offset_ok),
                Always(tex::tex_offset),
            )
            .p(1)
            .trap(6),
            free(
                0x308,
                "tex_format",
                Rule(tex::format_ok),
                Always(tex::tex_format),
            )
            .p(3)
            .trap(7),
            free(
                0x30c,
                "tex_filter",
                Rule(tex::filter_ok),
                Always(tex::tex_filter),
            )
            .p(0)
            .trap(8),
            free(0x310, "blend", Rule(blend::blend_ok), Always(blend::blend)).trap(9),
            free(
                0x314,
                "config",
                Rule(state::config_ok),
                Always(state::config),
            )
            .trap(10),
            free(0x318, "fog_color", Any, Always(state::fog_color)).trap(11),
            free(0x600, "draw", Any, Do(|_, _| {})).n(0x40).trap(20),
        ]);
        let at = [0x400, 0x404, 0x408, 0x40c, 0x410, 0x414];
        vertices(&mut rows, 0x10, 0x20, at, &[0x418, 0x41c], 12);
        Table::new(&[&rows])
    })
}

/// 55h and 95h.
pub(crate) fn d3d6(_class: u32) -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut rows = d3d56();
        rows.extend([
            free(
                0x308,
                "tex_0_offset",
                Rule(tex::offset_ok),
                Always(tex::tex_offset),
            )
            .p(1)
            .trap(5),
            free(
                0x30c,
                "tex_1_offset",
                Rule(tex::offset_ok),
                Always(tex::tex_offset),
            )
            .p(2)
            .trap(6),
            free(
                0x310,
                "tex_0_format",
                Rule(tex::format_ok),
                Always(tex::tex_format),
            )
            .p(1)
            .trap(7),
            free(
                0x314,
                "tex_1_format",
                Rule(tex::format_ok),
                Always(tex::tex_format),
            )
            .p(2)
            .trap(8),
            free(
                0x318,
                "tex_0_filter",
                Rule(tex::filter_ok),
                Always(tex::tex_filter),
            )
            .p(0)
            .trap(9),
            free(
                0x31c,
                "tex_1_filter",
                Rule(tex::filter_ok),
                Always(tex::tex_filter),
            )
            .p(1)
            .trap(10),
            free(
                0x334,
                "combine_factor",
                Any,
                Always(combine::combine_factor),
            )
            .trap(15),
            free(0x338, "blend", Rule(blend::blend_ok), Always(blend::blend)).trap(16),
            free(
                0x33c,
                "config",
                Rule(state::config_ok),
                Always(state::config),
            )
            .trap(17),
            free(
                0x340,
                "stencil_func",
                Rule(state::stencil_func_ok),
                Always(state::stencil_func),
            )
            .trap(18),
            free(
                0x344,
                "stencil_op",
                Rule(state::stencil_op_ok),
                Always(state::stencil_op),
            )
            .trap(19),
            free(0x348, "fog_color", Any, Always(state::fog_color)).trap(20),
            free(0x540, "draw", Any, Nop).n(0x30).trap(31),
        ]);
        for (k, at) in [0x320, 0x324, 0x32c, 0x330].into_iter().enumerate() {
            // Stage, then colour or alpha.
            let p = (k as u32 >> 1) << 1 | k as u32 & 1;
            let row = free(
                at,
                "combine_control",
                Rule(combine::combine_ok),
                Always(combine::combine),
            );
            rows.push(row.p(p).trap(11 + k as i8));
        }
        let at = [0x400, 0x404, 0x408, 0x40c, 0x410, 0x414];
        vertices(&mut rows, 8, 0x28, at, &[0x418, 0x41c, 0x420, 0x424], 21);
        Table::new(&[&rows])
    })
}
