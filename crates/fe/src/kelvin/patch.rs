//! Patches: the protocol of the forward differencer, and the check of the whole
//! state that comes before anything is drawn.

use isotherm_regs::bundle::*;

use super::tex::{Layout, layout};
use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::table::Check::{Any, Below, Rule};
use crate::table::Op::{Always, Do};
use crate::table::{Call, Row, free, open};
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::nsource;

/// Bits of FE3D_MISC.
mod misc {
    pub const IN_PATCH: u32 = 4;
    /// BEGIN_PATCH_A came in; B and C follow.
    pub const PATCH_A: u32 = 5;
    pub const IN_CURVE: u32 = 8;
    /// BEGIN_TRANSITION_A came in; B follows.
    pub const TRANSITION_A: u32 = 12;
    pub const CURVE_OPEN: u32 = 15;
    pub const DONE: u32 = 16;
    /// An error spoilt the patch.
    pub const SPOILT: u32 = 24;
}

/// Commands of the forward differencer.
mod cmd {
    pub const END_PATCH: u32 = 0x1800;
    pub const CURVE_DATA: u32 = 0x2000;
    pub const BEGIN_A: u32 = 0x2800;
    pub const BEGIN_B: u32 = 0x2804;
    pub const BEGIN_C: u32 = 0x2810;
    pub const BEGIN_D: u32 = 0x2814;
}

/// Is a step of the protocol checked?
fn checked(fe: &Fe, step: u32) -> bool {
    bit(fe.r.debug_d, 3) && !bit(fe.r.debug_fd_check_skip, step)
}

fn require(fe: &mut Fe, ok: bool) {
    if !ok {
        fe.blow_up(nsource::PATCH);
    }
}

fn flag(fe: &Fe, at: u32) -> bool {
    bit(fe.r.fe3d_misc, at)
}

fn set(fe: &mut Fe, at: u32, on: bool) {
    ins(&mut fe.r.fe3d_misc, at, 1, on.into());
}

fn bit_of_nibbles(word: u32) -> u32 {
    (0..8)
        .map(|i| u32::from(ext(word, i * 4, 4) != 0) << i)
        .sum()
}

/// BEGIN_PATCH_A, _B, _C: `p` is 0, 1, 2.
fn begin_abc(fe: &mut Fe, c: Call) {
    if checked(fe, c.p) {
        let ok =
            !flag(fe, misc::IN_PATCH) && !flag(fe, misc::PATCH_A + c.p) && !flag(fe, misc::SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, misc::SPOILT, true);
    }
    set(fe, misc::SPOILT, false);
    set(fe, misc::PATCH_A + c.p, true);
    match c.p {
        0 => {
            fe.r.fe3d_shadow_begin_patch_a = c.v;
            fe.fd(cmd::BEGIN_A, c.v);
        }
        1 => {
            fe.r.fe3d_shadow_begin_patch_b = c.v;
            fe.fd(cmd::BEGIN_B, c.v);
        }
        _ => {
            fe.r.fe3d_shadow_begin_patch_c = c.v & 0x7fff_ffff;
            fe.fd(cmd::BEGIN_C, c.v);
        }
    }
}

fn low_nibble(_: &Fe, c: Call) -> bool {
    ext(c.v, 0, 4) != 0
}

fn begin_c_ok(_: &Fe, c: Call) -> bool {
    let order = ext(c.v, 16, 5);
    (4..=0x11).contains(&order)
        && ext(c.v, 21, 5) < order
        && ext(c.v, 26, 5) < order
        && !bit(c.v, 31)
}

fn begin_d_ok(_: &Fe, c: Call) -> bool {
    !matches!(ext(c.v, 0, 3), 4 | 7)
        && !matches!(ext(c.v, 3, 3), 4 | 7)
        && ext(c.v, 6, 4) != 0
        && ext(c.v, 17, 7) == 0
}

/// Is there nothing to draw, given the patch's size and the first and last rows that
/// transitions take?
fn empty(size: u32, in_s: u32, in_t: u32, rows_s: bool, rows_t: bool) -> bool {
    let left_s = in_s == u32::from(rows_s);
    let left_t = in_t == u32::from(rows_t);
    size & 0xffff == 0 && (left_s || left_t)
}

/// Does an edge kind (0 none, 1, 2 one side, 3 both, 5, 6 reversed) have the near row?
fn near(kind: u32) -> bool {
    matches!(kind, 1 | 3 | 5)
}

/// BEGIN_PATCH_D: the last word, checked against all before.
fn begin_d(fe: &mut Fe, c: Call) {
    check_launch(fe);
    let (s, t) = (ext(c.v, 0, 3), ext(c.v, 3, 3));
    let size = fe.r.fe3d_shadow_begin_patch_c;
    let (in_t, in_s) = (ext(size, 21, 5), ext(size, 26, 5));
    let nothing = empty(size, in_s, in_t, near(s), near(t));
    let second = ext(c.v, 10, 4);
    let vertex_words = 2 + ext(c.v, 6, 4) + if second != 0 { 2 + second } else { 0 };
    if checked(fe, 3) {
        let ready = !flag(fe, misc::IN_PATCH)
            && (0..3).all(|k| flag(fe, misc::PATCH_A + k))
            && !flag(fe, misc::SPOILT);
        let count = ext(c.v, 24, 8);
        let room = 0x3c - (vertex_words & 0x1f);
        require(fe, ready && count >= 2 && count <= room);
        if !bit(c.v, 16) && size & 0xffff == 0 {
            let (least_s, least_t) = least(s, t);
            require(fe, in_s >= least_s && in_t >= least_t);
        }
    }
    if fe.blocked() {
        return set(fe, misc::SPOILT, true);
    }
    let r = &mut fe.r;
    ins(&mut r.fe3d_misc, misc::IN_PATCH, 1, 1);
    ins(&mut r.fe3d_misc, misc::IN_CURVE, 4, 0);
    if nothing {
        ins(&mut r.fe3d_misc, misc::DONE, 1, 1);
    }
    ins(&mut r.fe3d_misc, 17, 3, 0);
    ins(&mut r.fe3d_misc, 23, 2, 0);
    ins(&mut r.fe3d_state_curve, 12, 6, vertex_words);
    ins(&mut r.fe3d_state_curve, 18, 8, ext(c.v, 24, 8));
    ins(&mut r.fe3d_state_swatch, 0, 24, 0);
    ins(&mut r.fe3d_state_transition, 0, 3, 0);
    let edges = |kind| match kind {
        0 | 4 => 0,
        3 | 7 => 2,
        _ => 1,
    };
    ins(&mut r.fe3d_state_transition, 4, 3, edges(s) + edges(t));
    ins(&mut r.fe3d_shadow_begin_patch_d, 0, 6, ext(c.v, 0, 6));
    ins(&mut r.fe3d_shadow_begin_patch_d, 14, 3, ext(c.v, 14, 3));
    fe.fd(cmd::BEGIN_D, c.v);
}

/// How many rows an empty patch must leave to its transitions.
fn least(s: u32, t: u32) -> (u32, u32) {
    match (s, t) {
        (0, 2 | 6) => (0, 0),
        (0, 1 | 5) => (0, 1),
        (0, 3) => (1, 2),
        (0, _) => (1, 1),
        (2 | 6, 0) => (0, 0),
        (1 | 5, 0) => (1, 0),
        (3, 0) => (2, 1),
        (_, 0) => (1, 1),
        _ => (1 + u32::from(near(s)), 1 + u32::from(near(t))),
    }
}

fn end_patch(fe: &mut Fe, c: Call) {
    let transitions = fe.r.fe3d_state_transition;
    let complete = flag(fe, misc::IN_PATCH)
        && flag(fe, misc::DONE)
        && ext(transitions, 0, 3) == ext(transitions, 4, 3);
    if !fe.blocked() {
        ins(&mut fe.r.fe3d_misc, misc::IN_PATCH, 16, 0);
        ins(&mut fe.r.fe3d_misc, 23, 1, 0);
        set(fe, misc::SPOILT, false);
        fe.fd(cmd::END_PATCH, c.v);
    } else {
        set(fe, misc::SPOILT, false);
    }
    if checked(fe, 4) {
        require(fe, complete);
    }
}

fn curve_data(fe: &mut Fe, c: Call) {
    if checked(fe, 7) {
        let full = flag(fe, misc::IN_CURVE) && ext(fe.r.fe3d_misc, 9, 2) == 0;
        let ok = !full && flag(fe, misc::CURVE_OPEN) && !flag(fe, misc::SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, misc::SPOILT, true);
    }
    set(fe, misc::SPOILT, false);
    fe.fd(cmd::CURVE_DATA + c.i * 4, c.v);
    if c.i == 3 {
        let words = ext(fe.r.fe3d_state_curve, 0, 10) + 4;
        ins(&mut fe.r.fe3d_state_curve, 0, 10, words);
    }
}

/// BEGIN_TRANSITION_A (`p` = 0) and _B.
fn begin_transition(fe: &mut Fe, c: Call) {
    if checked(fe, 8 + c.p) {
        let ok = flag(fe, misc::IN_PATCH)
            && !flag(fe, misc::TRANSITION_A + c.p)
            && !flag(fe, misc::CURVE_OPEN)
            && flag(fe, misc::DONE)
            && !flag(fe, misc::SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, misc::SPOILT, true);
    }
    set(fe, misc::SPOILT, false);
    set(fe, misc::TRANSITION_A + c.p, true);
    let used = bit_of_nibbles(c.v);
    if c.p == 0 {
        fe.r.fe3d_shadow_begin_transition_a = c.v;
        ins(
            &mut fe.r.fe3d_state_transition,
            24,
            4,
            (used >> 1).count_ones(),
        );
        fe.fd(cmd::BEGIN_A, c.v);
    } else {
        fe.r.fe3d_shadow_begin_transition_b = c.v;
        ins(&mut fe.r.fe3d_state_transition, 28, 4, used.count_ones());
        fe.fd(cmd::BEGIN_B, c.v);
    }
}

impl Fe {
    /// Sends a forward-differencer command and follows what it does to the unit.
    fn fd(&mut self, command: u32, arg: u32) {
        self.token(
            0x4000 | command,
            if command & 4 != 0 { 2 } else { 1 },
            arg,
            arg,
        );
        self.out.push(Event::Fd {
            cmd: command as u16,
            arg,
        });
        let r = &mut self.r;
        match command {
            cmd::END_PATCH => {
                let depth = ext(r.idx_state_a, 20, 4).wrapping_sub(1);
                ins(&mut r.idx_state_a, 20, 4, depth);
                ins(&mut r.fd_state_unk18, 8, 10, 0);
                ins(&mut r.fd_state_unk30, 10, 1, 0);
                ins(&mut r.fd_state_unk34, 16, 1, 0);
            }
            cmd::CURVE_DATA..=0x200c => self.fd_curve_data(command >> 2 & 3, arg),
            cmd::BEGIN_A => {
                r.fd_state_begin_pt_a = arg;
                ins(&mut r.fd_state_unk1c, 14, 8, bit_of_nibbles(arg));
            }
            cmd::BEGIN_B => {
                r.fd_state_begin_pt_b = arg;
                ins(&mut r.fd_state_unk1c, 22, 8, bit_of_nibbles(arg));
            }
            cmd::BEGIN_C => {
                r.fd_state_begin_patch_c = arg;
                ins(&mut r.fd_state_unk20, 27, 5, ext(arg, 21, 5));
                ins(&mut r.fd_state_unk1c, 0, 5, ext(arg, 26, 5));
                ins(&mut r.fd_state_unk1c, 5, 9, 0x1ff);
            }
            cmd::BEGIN_D => self.fd_begin_d(arg),
            _ => {}
        }
    }

    /// A word of a curve goes to the index cache, whose halves the modes fill in turn.
    fn fd_curve_data(&mut self, word: u32, arg: u32) {
        let r = &mut self.r;
        let mode = ext(r.fd_state_unk14, 28, 3);
        if mode == 0 {
            return;
        }
        let row = ext(r.fd_state_unk18, 0, 6);
        if bit(r.fd_state_unk18, 8) {
            let bank = match mode {
                1 => ext(r.fd_state_unk34, 16, 1),
                3 | 4 | 6 => 1,
                _ => 0,
            };
            let at = (row >> 1) * 4 + word;
            r.idx_cache[(bank << 1 | row & 1) as usize][at as usize & 0x7f] = arg;
        }
        if word == 3 {
            let down = bit(r.fd_state_unk14, 29);
            let next = if down { row.wrapping_sub(1) } else { row + 1 };
            ins(&mut r.fd_state_unk18, 0, 6, next);
        }
    }

    fn fd_begin_d(&mut self, arg: u32) {
        let r = &mut self.r;
        let depth = ext(r.idx_state_a, 20, 4) + 1;
        ins(&mut r.idx_state_a, 20, 4, depth);
        ins(&mut r.fd_state_unk18, 6, 2, 0);
        ins(&mut r.fd_state_unk18, 8, 1, 1);
        ins(&mut r.fd_state_unk18, 10, 1, 1);
        ins(&mut r.fd_state_unk18, 23, 5, 0x1f);
        let (s, t) = (ext(arg, 0, 3), ext(arg, 3, 3));
        let sides = |kind| if kind == 4 { 3 } else { kind & 3 };
        let (in_s, in_t) = (sides(s), sides(t));
        // The four transitions in the order in which they are drawn, and whether backwards.
        let edges = [
            (bit(in_s, 1), 1, s == 6),
            (bit(in_t, 1), 3, t == 6),
            (bit(in_s, 0), 0, s == 5),
            (bit(in_t, 0), 2, t == 5),
        ];
        let mut sequence = [0, 1, 2, 3];
        let mut n = 0;
        for (on, edge, backwards) in edges {
            if on {
                sequence[n] = edge;
                ins(&mut r.fd_state_unk24, 20 + n as u32, 1, backwards.into());
                n += 1;
            }
        }
        let size = r.fd_state_begin_patch_c;
        let (rows_s, rows_t) = (ext(r.fd_state_unk1c, 0, 5), ext(r.fd_state_unk20, 27, 5));
        ins(&mut r.fd_state_unk20, 0, 2, sequence[1]);
        // Four bits, the next field's included.
        ins(&mut r.fd_state_unk20, 2, 4, sequence[0]);
        ins(&mut r.fd_state_unk20, 4, 2, 0);
        ins(&mut r.fd_state_unk20, 6, 1, ext(arg, 14, 1));
        ins(&mut r.fd_state_unk20, 7, 1, 0);
        ins(&mut r.fd_state_unk20, 8, 1, ext(arg, 16, 1));
        let (whole_s, whole_t) = (ext(size, 0, 8), ext(size, 8, 8));
        let more_s = rows_s != 0 && (whole_s != 0 || rows_s > 1 || !bit(in_s, 0) || whole_t == 0);
        let more_t = rows_t != 0 && (whole_t != 0 || rows_t > 1 || !bit(in_t, 0));
        ins(&mut r.fd_state_unk20, 9, 9, whole_s + u32::from(more_s));
        ins(&mut r.fd_state_unk20, 18, 9, whole_t + u32::from(more_t));
        ins(&mut r.fd_state_unk24, 15, 1, 0);
        for (k, (on, ..)) in edges.into_iter().enumerate() {
            ins(&mut r.fd_state_unk24, 16 + k as u32, 1, on.into());
        }
        ins(&mut r.fd_state_unk24, 24, 2, sequence[3]);
        ins(&mut r.fd_state_unk24, 26, 2, sequence[2]);
        ins(&mut r.fd_state_unk30, 10, 3, 1);
        ins(&mut r.fd_state_unk30, 13, 8, ext(arg, 24, 8));
        let nothing = empty(size, rows_s, rows_t, bit(in_s, 0), bit(in_t, 0));
        ins(&mut r.fd_state_unk34, 11, 1, nothing.into());
        r.fd_state_begin_patch_d = arg;
    }
}

/// Everything must fit together before a patch is drawn, else NSOURCE 800h.
fn check_launch(fe: &mut Fe) {
    let units_ok = (0..4).all(|i| unit_ok(fe, i));
    let ok = surfaces_ok(fe) && units_ok && shaders_ok(fe) && combiners_ok(fe);
    if !ok {
        fe.state_error();
    }
}

fn surfaces_ok(fe: &Fe) -> bool {
    let blend = fe.word(BLEND, 0);
    let blending = bit(blend, 3);
    let signed = matches!(ext(blend, 0, 3), 5 | 6);
    let swizzled = bit(fe.r.ctx_switch_a, 14) || ext(fe.r.surf_type, 0, 2) == 2;
    let tests = bit(fe.word(STENCIL_A, 0), 0) || bit(fe.word(CONFIG_A, 0), 14);
    let color_ok = match ext(fe.r.surf_format, 8, 4) {
        0 => false,
        0xd => !blending || signed,
        1 => !swizzled && !tests && (!blending || signed),
        6 => !swizzled && !tests,
        2 | 3 | 5 | 9 | 0xa => !(blending && signed),
        _ => true,
    };
    let bound = |surface| bit(fe.r.ctx_valid, surface) && bit(fe.r.ctx_valid, surface + 8);
    color_ok && (bound(2) || bound(3)) && ext(fe.r.surf_type, 0, 2) != 0
}

fn unit_ok(fe: &Fe, i: usize) -> bool {
    let control = fe.word(TEX_CONTROL, i);
    if !bit(control, 30) {
        return true;
    }
    let (format, filter) = (fe.word(TEX_FORMAT, i), fe.word(TEX_FILTER, i));
    let wrap = ext(fe.word(TEX_WRAP, i), 0, 3);
    let dma = fe.word(DMA_TEX, ext(format, 1, 1) as usize);
    let anisotropic = ext(control, 4, 2) != 0;
    let unk3 = bit(control, 3);
    let shape_ok = match layout(fe, ext(format, 8, 7)) {
        Layout::Rect | Layout::Yuv => !matches!(wrap, 1 | 2),
        Layout::Dxt => !unk3 && ext(control, 0, 2) == 0,
        _ => !unk3,
    };
    ext(dma, 0, 16) != 0
        && !(anisotropic
            && (ext(format, 6, 2) == 3 || ext(filter, 24, 4) == 4 || ext(filter, 16, 6) == 7))
        && !(unk3 && (!bit(format, 3) || bit(fe.word(TEX_RECT, i), 0)))
        && shape_ok
}

fn shaders_ok(fe: &Fe) -> bool {
    let ops = fe.word(TEX_SHADER_OP, 0);
    let misc = fe.word(TEX_SHADER_MISC, 0);
    // The first stage has three bits.
    let op = |i: u32| ext(ops, i * 5, if i == 0 { 3 } else { 5 });
    let dead = |op| matches!(op, 0 | 5 | 0x11);
    let textures_ok = (0..4).all(|i| {
        bit(fe.word(TEX_CONTROL, i as usize), 30)
            || matches!(op(i), 0 | 4 | 5)
            || op(i) == 0x11 && i != 3
    });
    let source2 = op(ext(misc, 16, 1));
    let stage2_ok = !matches!(op(2), 6 | 7 | 9 | 0xa | 0xb | 0xf | 0x10 | 0x11) || !dead(source2);
    let from = ext(misc, 20, 2);
    let source3 = op(from);
    let stage3_ok = !matches!(op(3), 6 | 7 | 9 | 0xa | 0xc..=0x10 | 0x12)
        || !(dead(source3) || from == 2 && matches!(source3, 0xa | 0xb));
    textures_ok && stage2_ok && stage3_ok
}

/// Blue to alpha must not write the register that alpha writes.
fn combiners_ok(fe: &Fe) -> bool {
    (0..8).all(|i| {
        let (color, alpha) = (fe.word(RC_OUT_COLOR, i), fe.word(RC_OUT_ALPHA, i));
        [(18, 0), (19, 4)].into_iter().all(|(blue, register)| {
            let to = ext(color, register, 4);
            !bit(color, blue) || to == 0 || to != ext(alpha, register, 4)
        })
    })
}

/// Methods of the forward differencer that no hardware model covers.
fn unmodelled(_: &mut Fe, _: Call) {}

pub(crate) const ROWS: &[Row] = &[
    free(
        0x1de0,
        "fd_begin_patch_a",
        Rule(low_nibble),
        Always(begin_abc),
    )
    .p(0),
    free(0x1de4, "fd_begin_patch_b", Any, Always(begin_abc)).p(1),
    free(
        0x1de8,
        "fd_begin_patch_c",
        Rule(begin_c_ok),
        Always(begin_abc),
    )
    .p(2),
    free(
        0x1dec,
        "fd_begin_patch_d",
        Rule(begin_d_ok),
        Always(begin_d),
    ),
    free(0x1df0, "fd_end_patch", Below(1), Always(end_patch)),
    open(0x1df4, "fd_begin_swatch", Any, Do(unmodelled)),
    open(0x1df8, "fd_begin_curve", Any, Do(unmodelled)),
    free(0x1e00, "fd_curve_data", Any, Always(curve_data)).n(4),
    free(
        0x1e10,
        "fd_begin_transition_a",
        Rule(low_nibble),
        Always(begin_transition),
    )
    .p(0),
    free(
        0x1e14,
        "fd_begin_transition_b",
        Any,
        Always(begin_transition),
    )
    .p(1),
    open(0x1e18, "fd_begin_transition_c", Any, Do(unmodelled)),
    open(0x1e1c, "fd_end_transition", Any, Do(unmodelled)),
];
