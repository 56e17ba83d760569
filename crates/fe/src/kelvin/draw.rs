//! BEGIN/END and what draws. No hardware model covers these methods.

use isotherm_regs::method::{DRAW_ARRAYS, kelvin as m};
use isotherm_regs::pgraph::FE3D_MISC;

use crate::Fe;
use crate::table::Check::{Any, Below};
use crate::table::Op::{Do, Index16, Index32, Nop};
use crate::table::{Call, Row, open};
use isotherm_bus::bundle::Event;

/// BEGIN (GL primitive + 1) or END (0).
pub(crate) fn begin(fe: &mut Fe, c: Call) {
    let prim = c.v & 0xf;
    FE3D_MISC::IN_BEGIN_END.write(&mut fe.r.fe3d_misc, (prim != 0).into());
    fe.begin_event(prim);
}

/// A run of vertices: count - 1 above, first below.
pub(crate) fn arrays(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Arrays {
        start: DRAW_ARRAYS::FIRST.read(c.v),
        count: DRAW_ARRAYS::COUNT.read(c.v) + 1,
    });
}

/// A word of inline vertex data.
pub(crate) fn inline(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Inline(c.v));
}

impl Fe {
    /// Announces BEGIN or END.
    pub(crate) fn begin_event(&mut self, prim: u32) {
        self.out.push(match prim {
            0 => Event::End,
            _ => Event::Begin { prim: prim as u8 },
        });
    }
}

pub(crate) const ROWS: &[Row] = &[
    open(m::BEGIN, Below(11), Do(begin)),
    open(m::DRAW_IDX16_DATA, Any, Index16),
    open(m::DRAW_IDX32_DATA, Any, Index32),
    open(m::DRAW_ARRAYS_DATA, Any, Do(arrays)),
    open(m::DRAW_INLINE_DATA, Any, Do(inline)),
    // Unknown; the name of a neighbour of the index methods.
    open(m::IDX_UNK1828, Any, Nop),
];
