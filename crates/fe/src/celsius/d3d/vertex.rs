//! Transformed and lit vertices.

use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{DEBUG_D, MISC24, NSOURCE, SURF_FORMATS, VALID_A_D3D, VALID_B};

use super::{d3d6, mark};
use crate::Fe;
use crate::convert::ubyte;
use crate::idx::ONE;
use crate::kelvin::vertex::fmt;
use crate::table::Call;
use isotherm_bus::bundle::Event;

/// The exponent of a float, biased by 7Fh.
fn exponent(float: u32) -> u32 {
    float >> 23 & 0xff
}

fn negative(float: u32) -> bool {
    f32::from_bits(float).is_sign_negative()
}

/// 48h refuses coordinates of 2048 and more.
pub(super) fn xy_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || exponent(c.v) <= 0x7f + 10
}

/// 48h refuses depths outside 0 to 1.
pub(super) fn z_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !negative(c.v) && exponent(c.v) < 0x7f
}

/// 48h refuses negative 1/w.
pub(super) fn w_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !negative(c.v)
}

/// The vertex slot: 48h has it in the fog method's data, the others in the address.
fn slot(fe: &Fe, c: Call) -> u32 {
    if fe.class == 0x48 {
        MISC24::FIRST.read(fe.r.misc24[2])
    } else {
        c.i
    }
}

/// A vertex word came in: note it, and that the slot is incomplete.
fn note(fe: &mut Fe, c: Call, which: Field) {
    mark(fe, which);
    let slot = slot(fe, c);
    VALID_A_D3D::VERTICES
        .entry(slot, 1)
        .write(&mut fe.r.valid[0], 0);
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
    note(fe, c, VALID_B::TLV_X);
}

pub(super) fn tlv_y(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[1..4].copy_from_slice(&[c.v, 0, ONE]);
    }
    note(fe, c, VALID_B::TLV_Y);
}

pub(super) fn tlv_z(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[2] = c.v;
    }
    note(fe, c, VALID_B::TLV_Z);
}

pub(super) fn tlv_w(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[3] = c.v;
    }
    note(fe, c, VALID_B::TLV_RHW);
}

/// A8R8G8B8 to four floats.
fn color_row(fe: &mut Fe, first: usize, v: u32) {
    let [b, g, r, a] = v.to_le_bytes();
    let floats = [r, g, b, a].map(ubyte);
    fe.r.celsius_pipe_vtx[first..first + 4].copy_from_slice(&floats);
    let rgba = u32::from_le_bytes([r, g, b, a]);
    send_attr(fe, fmt::UBYTE, first as u8 / 4, 4, 0, rgba);
}

pub(super) fn tlv_color(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 4, c.v);
    }
    note(fe, c, VALID_B::TLV_COLOR);
}

/// Fog in alpha, specular colour; in 48h also the triangle's three slots.
pub(super) fn tlv_fog(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 8, c.v);
    }
    if fe.class == 0x48 {
        fe.r.misc24[2] = c.v & (MISC24::FIRST.ones() | MISC24::REST.ones());
        // It is the first word of a vertex.
        fe.r.valid[1] &= !vertex_words(1);
        mark(fe, VALID_B::TLV_FOG);
    } else {
        note(fe, c, VALID_B::TLV_FOG);
    }
}

/// Texture coordinates; `p`: u or v, and twice the unit.
pub(super) fn tlv_uv(fe: &mut Fe, c: Call) {
    texture_coordinate(fe, c, false);
}

/// The one that ends a vertex.
pub(super) fn tlv_uv_last(fe: &mut Fe, c: Call) {
    texture_coordinate(fe, c, true);
}

fn texture_coordinate(fe: &mut Fe, c: Call, ends: bool) {
    let (unit, v) = (c.p as usize >> 1 & 1, c.p as usize & 1);
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
        mark(fe, VALID_B::TLV_UV.entry(unit as u32 * 2 + v as u32, 1));
    }
    let slot = slot(fe, c);
    if !ends {
        VALID_A_D3D::VERTICES
            .entry(slot, 1)
            .write(&mut fe.r.valid[0], 0);
        return;
    }
    end_vertex(fe, slot);
}

/// The words of VALID[1] that a vertex has, with so many texture coordinates.
fn vertex_words(coordinates: u32) -> u32 {
    let fixed = [
        VALID_B::TLV_FOG,
        VALID_B::TLV_COLOR,
        VALID_B::TLV_RHW,
        VALID_B::TLV_Z,
        VALID_B::TLV_Y,
        VALID_B::TLV_X,
    ];
    let uv = VALID_B::TLV_UV.entry(0, coordinates);
    fixed
        .iter()
        .fold(uv.ones(), |mask, field| mask | field.ones())
}

/// The last word of a vertex: it is stored if all others came in. No hardware model covers this.
fn end_vertex(fe: &mut Fe, slot: u32) {
    // Of the last pair only u is noted.
    let words = vertex_words(if d3d6(fe) { 3 } else { 1 });
    let last = VALID_A_D3D::LAST.read(fe.r.valid[0]);
    if fe.r.valid[1] & words == words {
        VALID_A_D3D::VERTICES
            .entry(slot, 1)
            .write(&mut fe.r.valid[0], 1);
        if fe.class != 0x48 {
            VALID_A_D3D::LAST.write(&mut fe.r.valid[0], slot);
        }
        fe.r.valid[1] &= !words;
    } else if !VALID_A_D3D::VERTICES.entry(last, 1).is_on(fe.r.valid[0]) {
        fe.blow_up(NSOURCE::METHOD_CNT.ones());
    }
    if !SURF_FORMATS::COLOR.is_set(fe.g.chip, fe.r.surf_format)
        && DEBUG_D::SURFACE_CHECK.is_on(fe.r.debug_d)
    {
        fe.blow_up(NSOURCE::FORMAT_EXCEPTION.ones());
    }
}
