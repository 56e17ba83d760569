//! Transformed and lit vertices.

use super::{d3d6, mark, valid};
use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::convert::ubyte;
use crate::idx::ONE;
use crate::kelvin::vertex::fmt;
use crate::table::Call;
use isotherm_bus::bundle::Event;

pub(super) fn any_ok(_: &Fe, _: Call) -> bool {
    true
}

/// 48h refuses coordinates of 2048 and more.
pub(super) fn xy_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || ext(c.v, 23, 8) <= 0x7f + 10
}

/// 48h refuses depths outside 0 to 1.
pub(super) fn z_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !bit(c.v, 31) && ext(c.v, 23, 8) < 0x7f
}

/// 48h refuses negative 1/w.
pub(super) fn w_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !bit(c.v, 31)
}

/// The vertex slot: 48h has it in the fog method's data, the others in the address.
fn slot(fe: &Fe, c: Call) -> u32 {
    if fe.class == 0x48 {
        ext(fe.r.misc24[2], 0, 4)
    } else {
        c.i
    }
}

/// A vertex word came in: note it, and that the slot is incomplete.
fn note(fe: &mut Fe, c: Call, which: u32) {
    mark(fe, which);
    let slot = slot(fe, c);
    ins(&mut fe.r.valid[0], slot, 1, 0);
}

fn send_attr(fe: &mut Fe, format: u32, attr: u8, n: u8, comp: u8, data: u32) {
    fe.out.push(Event::Attr {
        fmt: format as u8,
        attr,
        ncomp: n,
        comp,
        data,
    });
}

pub(super) fn tlv_x(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        let nv10 = fe.g.nv10;
        let row = &mut fe.r.celsius_pipe_vtx;
        row[0] = c.v;
        if !nv10 {
            row[1] = 0;
        }
        row[2] = 0;
        row[3] = ONE;
    }
    note(fe, c, valid::TLV_X);
}

pub(super) fn tlv_y(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[1..4].copy_from_slice(&[c.v, 0, ONE]);
    }
    note(fe, c, valid::TLV_Y);
}

pub(super) fn tlv_z(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[2] = c.v;
    }
    note(fe, c, valid::TLV_Z);
}

pub(super) fn tlv_w(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[3] = c.v;
    }
    note(fe, c, valid::TLV_RHW);
}

/// A8R8G8B8 to four floats.
fn color_row(fe: &mut Fe, first: usize, v: u32) {
    for (k, lo) in [16, 8, 0, 24].into_iter().enumerate() {
        fe.r.celsius_pipe_vtx[first + k] = ubyte(ext(v, lo, 8) as u8);
    }
    let bgra = v & 0xff00_ff00 | ext(v, 0, 8) << 16 | ext(v, 16, 8);
    send_attr(fe, fmt::UBYTE, first as u8 / 4, 4, 0, bgra);
}

pub(super) fn tlv_color(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 4, c.v);
    }
    note(fe, c, valid::TLV_COLOR);
}

/// Fog in alpha, specular colour; in 48h also the triangle's three slots.
pub(super) fn tlv_fog(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 8, c.v);
    }
    if fe.class == 0x48 {
        fe.r.misc24[2] = c.v & 0xff_ffff;
        ins(&mut fe.r.valid[1], 0, 7, 1);
    } else {
        note(fe, c, valid::TLV_FOG);
    }
}

/// A texture coordinate; `p`: which, and bit 8 on the one that ends a vertex.
pub(super) fn tlv_uv(fe: &mut Fe, c: Call) {
    let (unit, v) = (c.p as usize >> 1 & 1, c.p as usize & 1);
    let ends = bit(c.p, 8);
    if !fe.blocked() {
        let nv10 = fe.g.nv10;
        let row = &mut fe.r.celsius_pipe_vtx[(3 + unit) * 4..];
        if !nv10 {
            row[1] = 0;
        }
        row[2] = 0;
        row[3] = ONE;
        row[v] = c.v;
    }
    if v == 0 || unit == 0 {
        mark(fe, valid::TLV_UV + unit as u32 * 2 + v as u32);
    }
    let slot = slot(fe, c);
    if !ends {
        ins(&mut fe.r.valid[0], slot, 1, 0);
        return;
    }
    end_vertex(fe, slot);
}

/// The last word of a vertex: it is stored if all others came in. No hardware model covers this.
fn end_vertex(fe: &mut Fe, slot: u32) {
    let words = if d3d6(fe) { 0x1ff } else { 0x7f };
    let current = ext(fe.r.valid[0], 16, 4);
    if fe.r.valid[1] & words == words {
        ins(&mut fe.r.valid[0], slot, 1, 1);
        if fe.class != 0x48 {
            ins(&mut fe.r.valid[0], 16, 4, slot);
        }
        fe.r.valid[1] &= !words;
    } else if !bit(fe.r.valid[0], current) {
        fe.blow_up(0x4000);
    }
    if ext(fe.r.surf_format, 8, 4) == 0 && bit(fe.r.debug_d, 22) {
        fe.blow_up(0x200);
    }
}
