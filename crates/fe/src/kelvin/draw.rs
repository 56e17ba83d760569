//! BEGIN/END and what draws. No hardware model covers these methods.

use crate::Fe;
use crate::bits::{ext, ins};
use crate::table::Check::{Any, Below};
use crate::table::Op::Do;
use crate::table::{Call, Row, open};
use isotherm_bus::bundle::Event;

/// BEGIN (GL primitive + 1) or END (0).
pub(crate) fn begin(fe: &mut Fe, c: Call) {
    let prim = ext(c.v, 0, 4);
    ins(&mut fe.r.fe3d_misc, 0, 1, (prim != 0).into());
    fe.begin_event(prim);
}

/// Two 16-bit indices, low half first.
pub(crate) fn idx16(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Element(c.v & 0xffff));
    fe.out.push(Event::Element(c.v >> 16));
}

/// One 32-bit index.
pub(crate) fn idx32(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Element(c.v));
}

/// A run of vertices: count - 1 above, first below.
pub(crate) fn arrays(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Arrays {
        start: c.v & 0x00ff_ffff,
        count: (c.v >> 24) + 1,
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
    open(0x17fc, "begin", Below(11), Do(begin)),
    open(0x1800, "draw_idx16.data", Any, Do(idx16)),
    open(0x1808, "draw_idx32.data", Any, Do(idx32)),
    open(0x1810, "draw_arrays.data", Any, Do(arrays)),
    open(0x1818, "draw_inline.data", Any, Do(inline)),
    // Unknown; the name of a neighbour of the index methods.
    open(0x1828, "idx_unk1828", Any, Do(|_, _| {})),
];
