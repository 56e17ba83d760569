//! Patches: the protocol of the forward differencer, and the check of the whole
//! state that comes before anything is drawn.

use isotherm_regs::Chip::Nv20;
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::kelvin as m;
use isotherm_regs::pgraph::*;

use super::tex::{Layout, layout};
use crate::Fe;
use crate::table::Check::{Any, Below, Rule};
use crate::table::Op::{Always, Nop};
use crate::table::{Call, Row, free, open};
use crate::words::Data;
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::nsource;

/// Has BEGIN_PATCH_A, B or C come in?
fn patch_word(n: u32) -> Field {
    FE3D_MISC::PATCH_WORDS.entry(n, 1)
}

/// Has BEGIN_TRANSITION_A or B come in?
fn transition_word(n: u32) -> Field {
    FE3D_MISC::TRANSITION_WORDS.entry(n, 1)
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
    DEBUG_D::PATCH_CHECK.is_on(fe.r.debug_d)
        && !DEBUG_FD_CHECK_SKIP::STEPS
            .entry(step, 1)
            .is_on(fe.r.debug_fd_check_skip)
}

fn require(fe: &mut Fe, ok: bool) {
    if !ok {
        fe.blow_up(nsource::PATCH);
    }
}

fn flag(fe: &Fe, field: Field) -> bool {
    field.is_on(fe.r.fe3d_misc)
}

fn set(fe: &mut Fe, field: Field, on: bool) {
    field.write(&mut fe.r.fe3d_misc, on.into());
}

/// A bit for each of the eight attributes that has a number.
fn used_attributes(word: u32) -> u32 {
    (0..8)
        .map(|i| u32::from(word >> (4 * i) & 0xf != 0) << i)
        .sum()
}

/// BEGIN_PATCH_A, _B, _C: `p` is 0, 1, 2.
fn begin_abc(fe: &mut Fe, c: Call) {
    if checked(fe, c.p) {
        let ok = !flag(fe, FE3D_MISC::IN_PATCH)
            && !flag(fe, patch_word(c.p))
            && !flag(fe, FE3D_MISC::PATCH_SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, FE3D_MISC::PATCH_SPOILT, true);
    }
    set(fe, FE3D_MISC::PATCH_SPOILT, false);
    set(fe, patch_word(c.p), true);
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
            fe.r.fe3d_shadow_begin_patch_c = c.v & FE3D_SHADOW_BEGIN_PATCH_C::SIZE.ones();
            fe.fd(cmd::BEGIN_C, c.v);
        }
    }
}

fn low_nibble(_: &Fe, c: Call) -> bool {
    FD_ATTRIBUTES::FIRST.is_on(c.v)
}

fn begin_c_ok(_: &Fe, c: Call) -> bool {
    let order = FD_BEGIN_PATCH_C::ORDER.read(c.v);
    (4..=0x11).contains(&order)
        && FD_BEGIN_PATCH_C::ROWS_T.read(c.v) < order
        && FD_BEGIN_PATCH_C::ROWS_S.read(c.v) < order
        && !FD_BEGIN_PATCH_C::ZERO31.is_on(c.v)
}

fn begin_d_ok(_: &Fe, c: Call) -> bool {
    !matches!(FD_BEGIN_PATCH_D::EDGE_S.read(c.v), 4 | 7)
        && !matches!(FD_BEGIN_PATCH_D::EDGE_T.read(c.v), 4 | 7)
        && FD_BEGIN_PATCH_D::WORDS.is_on(c.v)
        && !FD_BEGIN_PATCH_D::ZERO17.is_on(c.v)
}

fn has_swatches(size: u32) -> bool {
    FD_BEGIN_PATCH_C::SWATCHES_S.is_on(size) || FD_BEGIN_PATCH_C::SWATCHES_T.is_on(size)
}

/// Is there nothing to draw, given the patch's size and the first and last rows that
/// transitions take?
fn empty(size: u32, in_s: u32, in_t: u32, rows_s: bool, rows_t: bool) -> bool {
    let left_s = in_s == u32::from(rows_s);
    let left_t = in_t == u32::from(rows_t);
    !has_swatches(size) && (left_s || left_t)
}

/// Does an edge kind (0 none, 1, 2 one side, 3 both, 5, 6 reversed) have the near row?
fn near(kind: u32) -> bool {
    matches!(kind, 1 | 3 | 5)
}

/// BEGIN_PATCH_D: the last word, checked against all before.
fn begin_d(fe: &mut Fe, c: Call) {
    use FD_BEGIN_PATCH_D as D;
    check_launch(fe);
    let (s, t) = (D::EDGE_S.read(c.v), D::EDGE_T.read(c.v));
    let size = fe.r.fe3d_shadow_begin_patch_c;
    let (in_t, in_s) = (
        FD_BEGIN_PATCH_C::ROWS_T.read(size),
        FD_BEGIN_PATCH_C::ROWS_S.read(size),
    );
    let nothing = empty(size, in_s, in_t, near(s), near(t));
    let second = D::WORDS_2.read(c.v);
    let vertex_words = 2 + D::WORDS.read(c.v) + if second != 0 { 2 + second } else { 0 };
    if checked(fe, 3) {
        let ready = !flag(fe, FE3D_MISC::IN_PATCH)
            && (0..3).all(|k| flag(fe, patch_word(k)))
            && !flag(fe, FE3D_MISC::PATCH_SPOILT);
        let count = D::COUNT.read(c.v);
        let room = 0x3c - (vertex_words & 0x1f);
        require(fe, ready && count >= 2 && count <= room);
        if !D::UNK16.is_on(c.v) && !has_swatches(size) {
            let (least_s, least_t) = least(s, t);
            require(fe, in_s >= least_s && in_t >= least_t);
        }
    }
    if fe.blocked() {
        return set(fe, FE3D_MISC::PATCH_SPOILT, true);
    }
    let r = &mut fe.r;
    let misc = &mut r.fe3d_misc;
    FE3D_MISC::IN_PATCH.write(misc, 1);
    for field in [FE3D_MISC::IN_CURVE, FE3D_MISC::CURVE_STEP, FE3D_MISC::UNK11] {
        field.write(misc, 0);
    }
    if nothing {
        FE3D_MISC::PATCH_DONE.write(misc, 1);
    }
    FE3D_MISC::UNK17.write(&mut r.fe3d_misc, 0);
    FE3D_MISC::UNK23.write(&mut r.fe3d_misc, 0);
    FE3D_MISC::PATCH_SPOILT.write(&mut r.fe3d_misc, 0);
    FE3D_STATE_CURVE::VERTEX_WORDS.write(&mut r.fe3d_state_curve, vertex_words);
    FE3D_STATE_CURVE::COUNT.write(&mut r.fe3d_state_curve, D::COUNT.read(c.v));
    FE3D_STATE_SWATCH::STATE.write(&mut r.fe3d_state_swatch, 0);
    FE3D_STATE_TRANSITION::DONE.write(&mut r.fe3d_state_transition, 0);
    let edges = |kind| match kind {
        0 | 4 => 0,
        3 | 7 => 2,
        _ => 1,
    };
    FE3D_STATE_TRANSITION::EDGES.write(&mut r.fe3d_state_transition, edges(s) + edges(t));
    let kept = FE3D_SHADOW_BEGIN_PATCH_D::WORD.mask(Nv20, 0);
    r.fe3d_shadow_begin_patch_d = r.fe3d_shadow_begin_patch_d & !kept | c.v & kept;
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

/// What the end of a patch clears.
const PATCH_FLAGS: [Field; 10] = [
    FE3D_MISC::IN_PATCH,
    FE3D_MISC::PATCH_WORDS,
    FE3D_MISC::IN_CURVE,
    FE3D_MISC::CURVE_STEP,
    FE3D_MISC::UNK11,
    FE3D_MISC::TRANSITION_WORDS,
    FE3D_MISC::UNK14,
    FE3D_MISC::CURVE_OPEN,
    FE3D_MISC::PATCH_DONE,
    FE3D_MISC::UNK17,
];

fn end_patch(fe: &mut Fe, c: Call) {
    let transitions = fe.r.fe3d_state_transition;
    let complete = flag(fe, FE3D_MISC::IN_PATCH)
        && flag(fe, FE3D_MISC::PATCH_DONE)
        && FE3D_STATE_TRANSITION::DONE.read(transitions)
            == FE3D_STATE_TRANSITION::EDGES.read(transitions);
    if !fe.blocked() {
        for field in PATCH_FLAGS {
            field.write(&mut fe.r.fe3d_misc, 0);
        }
        FE3D_MISC::UNK23.write(&mut fe.r.fe3d_misc, 0);
        set(fe, FE3D_MISC::PATCH_SPOILT, false);
        fe.fd(cmd::END_PATCH, c.v);
    } else {
        set(fe, FE3D_MISC::PATCH_SPOILT, false);
    }
    if checked(fe, 4) {
        require(fe, complete);
    }
}

fn curve_data(fe: &mut Fe, c: Call) {
    if checked(fe, 7) {
        let full = flag(fe, FE3D_MISC::IN_CURVE) && FE3D_MISC::CURVE_STEP.read(fe.r.fe3d_misc) == 0;
        let ok = !full && flag(fe, FE3D_MISC::CURVE_OPEN) && !flag(fe, FE3D_MISC::PATCH_SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, FE3D_MISC::PATCH_SPOILT, true);
    }
    set(fe, FE3D_MISC::PATCH_SPOILT, false);
    fe.fd(cmd::CURVE_DATA + c.i * 4, c.v);
    if c.i == 3 {
        let words = FE3D_STATE_CURVE::DONE.read(fe.r.fe3d_state_curve) + 4;
        FE3D_STATE_CURVE::DONE.write(&mut fe.r.fe3d_state_curve, words);
    }
}

/// BEGIN_TRANSITION_A (`p` = 0) and _B.
fn begin_transition(fe: &mut Fe, c: Call) {
    if checked(fe, 8 + c.p) {
        let ok = flag(fe, FE3D_MISC::IN_PATCH)
            && !flag(fe, transition_word(c.p))
            && !flag(fe, FE3D_MISC::CURVE_OPEN)
            && flag(fe, FE3D_MISC::PATCH_DONE)
            && !flag(fe, FE3D_MISC::PATCH_SPOILT);
        require(fe, ok);
    }
    if fe.blocked() {
        return set(fe, FE3D_MISC::PATCH_SPOILT, true);
    }
    set(fe, FE3D_MISC::PATCH_SPOILT, false);
    set(fe, transition_word(c.p), true);
    let used = used_attributes(c.v);
    if c.p == 0 {
        fe.r.fe3d_shadow_begin_transition_a = c.v;
        FE3D_STATE_TRANSITION::ATTRIBUTES_A
            .write(&mut fe.r.fe3d_state_transition, (used >> 1).count_ones());
        fe.fd(cmd::BEGIN_A, c.v);
    } else {
        fe.r.fe3d_shadow_begin_transition_b = c.v;
        FE3D_STATE_TRANSITION::ATTRIBUTES_B
            .write(&mut fe.r.fe3d_state_transition, used.count_ones());
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
                let depth = IDX_STATE_A::PATCHES.read(r.idx_state_a).wrapping_sub(1);
                IDX_STATE_A::PATCHES.write(&mut r.idx_state_a, depth);
                for field in [
                    FD_STATE_UNK18::ACTIVE,
                    FD_STATE_UNK18::UNK9,
                    FD_STATE_UNK18::UNK10,
                    FD_STATE_UNK18::UNK11,
                ] {
                    field.write(&mut r.fd_state_unk18, 0);
                }
                FD_STATE_UNK30::OPEN.write(&mut r.fd_state_unk30, 0);
                FD_STATE_UNK34::BANK.write(&mut r.fd_state_unk34, 0);
            }
            cmd::CURVE_DATA..=0x200c => self.fd_curve_data(command >> 2 & 3, arg),
            cmd::BEGIN_A => {
                r.fd_state_begin_pt_a = arg;
                FD_STATE_UNK1C::ATTRIBUTES_A.write(&mut r.fd_state_unk1c, used_attributes(arg));
            }
            cmd::BEGIN_B => {
                r.fd_state_begin_pt_b = arg;
                FD_STATE_UNK1C::ATTRIBUTES_B.write(&mut r.fd_state_unk1c, used_attributes(arg));
            }
            cmd::BEGIN_C => {
                r.fd_state_begin_patch_c = arg;
                FD_STATE_UNK20::ROWS_T
                    .write(&mut r.fd_state_unk20, FD_BEGIN_PATCH_C::ROWS_T.read(arg));
                FD_STATE_UNK1C::ROWS_S
                    .write(&mut r.fd_state_unk1c, FD_BEGIN_PATCH_C::ROWS_S.read(arg));
                FD_STATE_UNK1C::UNK5.write(&mut r.fd_state_unk1c, 0x1ff);
            }
            cmd::BEGIN_D => self.fd_begin_d(arg),
            _ => {}
        }
    }

    /// A word of a curve goes to the index cache, whose halves the modes fill in turn.
    fn fd_curve_data(&mut self, word: u32, arg: u32) {
        let r = &mut self.r;
        let mode = FD_STATE_UNK14::MODE.read(r.fd_state_unk14);
        if mode == 0 {
            return;
        }
        let row = FD_STATE_UNK18::ROW.read(r.fd_state_unk18);
        if FD_STATE_UNK18::ACTIVE.is_on(r.fd_state_unk18) {
            let bank = match mode {
                1 => FD_STATE_UNK34::BANK.read(r.fd_state_unk34),
                3 | 4 | 6 => 1,
                _ => 0,
            };
            let at = (row >> 1) * 4 + word;
            r.idx_cache[(bank << 1 | row & 1) as usize][at as usize & 0x7f] = arg;
        }
        if word == 3 {
            let down = mode & 2 != 0;
            let next = if down { row.wrapping_sub(1) } else { row + 1 };
            FD_STATE_UNK18::ROW.write(&mut r.fd_state_unk18, next);
        }
    }

    fn fd_begin_d(&mut self, arg: u32) {
        let r = &mut self.r;
        let depth = IDX_STATE_A::PATCHES.read(r.idx_state_a) + 1;
        IDX_STATE_A::PATCHES.write(&mut r.idx_state_a, depth);
        FD_STATE_UNK18::UNK6.write(&mut r.fd_state_unk18, 0);
        FD_STATE_UNK18::ACTIVE.write(&mut r.fd_state_unk18, 1);
        FD_STATE_UNK18::UNK10.write(&mut r.fd_state_unk18, 1);
        FD_STATE_UNK18::UNK23.write(&mut r.fd_state_unk18, 0x1f);
        let (s, t) = (
            FD_BEGIN_PATCH_D::EDGE_S.read(arg),
            FD_BEGIN_PATCH_D::EDGE_T.read(arg),
        );
        let sides = |kind| if kind == 4 { 3 } else { kind & 3 };
        let (in_s, in_t) = (sides(s), sides(t));
        // The four transitions in the order in which they are drawn, and whether backwards.
        let edges = [
            (in_s & 2 != 0, 1, s == FD_EDGE::FAR_REVERSED),
            (in_t & 2 != 0, 3, t == FD_EDGE::FAR_REVERSED),
            (in_s & 1 != 0, 0, s == FD_EDGE::NEAR_REVERSED),
            (in_t & 1 != 0, 2, t == FD_EDGE::NEAR_REVERSED),
        ];
        let mut sequence = [0, 1, 2, 3];
        let mut n = 0;
        for (on, edge, backwards) in edges {
            if on {
                sequence[n] = edge;
                let reverse = FD_STATE_UNK24::BACKWARDS.entry(n as u32, 1);
                reverse.write(&mut r.fd_state_unk24, backwards.into());
                n += 1;
            }
        }
        let size = r.fd_state_begin_patch_c;
        let (rows_s, rows_t) = (
            FD_STATE_UNK1C::ROWS_S.read(r.fd_state_unk1c),
            FD_STATE_UNK20::ROWS_T.read(r.fd_state_unk20),
        );
        FD_STATE_UNK20::TRANSITION_1.write(&mut r.fd_state_unk20, sequence[1]);
        FD_STATE_UNK20::TRANSITION_0.write(&mut r.fd_state_unk20, sequence[0]);
        FD_STATE_UNK20::UNK4.write(&mut r.fd_state_unk20, 0);
        FD_STATE_UNK20::UNK6.write(&mut r.fd_state_unk20, FD_BEGIN_PATCH_D::UNK14.read(arg));
        FD_STATE_UNK20::UNK7.write(&mut r.fd_state_unk20, 0);
        FD_STATE_UNK20::UNK8.write(&mut r.fd_state_unk20, FD_BEGIN_PATCH_D::UNK16.read(arg));
        let (whole_s, whole_t) = (
            FD_BEGIN_PATCH_C::SWATCHES_S.read(size),
            FD_BEGIN_PATCH_C::SWATCHES_T.read(size),
        );
        let more_s = rows_s != 0 && (whole_s != 0 || rows_s > 1 || in_s & 1 == 0 || whole_t == 0);
        let more_t = rows_t != 0 && (whole_t != 0 || rows_t > 1 || in_t & 1 == 0);
        FD_STATE_UNK20::SWATCHES_S.write(&mut r.fd_state_unk20, whole_s + u32::from(more_s));
        FD_STATE_UNK20::SWATCHES_T.write(&mut r.fd_state_unk20, whole_t + u32::from(more_t));
        FD_STATE_UNK24::UNK15.write(&mut r.fd_state_unk24, 0);
        for (k, (on, ..)) in edges.into_iter().enumerate() {
            FD_STATE_UNK24::EDGES
                .entry(k as u32, 1)
                .write(&mut r.fd_state_unk24, on.into());
        }
        FD_STATE_UNK24::TRANSITION_3.write(&mut r.fd_state_unk24, sequence[3]);
        FD_STATE_UNK24::TRANSITION_2.write(&mut r.fd_state_unk24, sequence[2]);
        FD_STATE_UNK30::OPEN.write(&mut r.fd_state_unk30, 1);
        FD_STATE_UNK30::UNK11.write(&mut r.fd_state_unk30, 0);
        FD_STATE_UNK30::COUNT.write(&mut r.fd_state_unk30, FD_BEGIN_PATCH_D::COUNT.read(arg));
        let nothing = empty(size, rows_s, rows_t, in_s & 1 != 0, in_t & 1 != 0);
        FD_STATE_UNK34::EMPTY.write(&mut r.fd_state_unk34, nothing.into());
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
    let blend = Data::of(fe, BLEND, 0);
    let blending = blend.is(BLEND::BLEND_FUNC_ENABLE);
    let signed = matches!(
        blend.get(BLEND::BLEND_EQUATION),
        BLEND_EQUATION::SIGNED_REVERSE_SUBTRACT | BLEND_EQUATION::SIGNED_ADD
    );
    let swizzled = CTX_SWITCH_A::SWIZZLED.is_on(fe.r.ctx_switch_a)
        || SURF_TYPE::TYPE.read(fe.r.surf_type) == 2;
    let tests = Data::of(fe, STENCIL_A, 0).is(STENCIL_A::STENCIL_ENABLE)
        || Data::of(fe, CONFIG_A, 0).is(CONFIG_A::DEPTH_TEST_ENABLE);
    let color_ok = match SURF_FORMATS::COLOR.get(fe.g.chip, fe.r.surf_format) {
        0 => false,
        0xd => !blending || signed,
        1 => !swizzled && !tests && (!blending || signed),
        6 => !swizzled && !tests,
        2 | 3 | 5 | 9 | 0xa => !(blending && signed),
        _ => true,
    };
    let bound = |dma: Field, pitch: Field| dma.is_on(fe.r.ctx_valid) && pitch.is_on(fe.r.ctx_valid);
    color_ok
        && (bound(CTX_VALID::COLOR_DMA, CTX_VALID::COLOR_PITCH)
            || bound(CTX_VALID::ZETA_DMA, CTX_VALID::ZETA_PITCH))
        && SURF_TYPE::TYPE.read(fe.r.surf_type) != 0
}

fn unit_ok(fe: &Fe, i: usize) -> bool {
    let control = Data::of(fe, TEX_CONTROL, i);
    if !control.is(TEX_CONTROL::ENABLE) {
        return true;
    }
    let (format, filter) = (Data::of(fe, TEX_FORMAT, i), Data::of(fe, TEX_FILTER, i));
    let wrap = Data::of(fe, TEX_WRAP, i).get(TEX_WRAP::WRAP_S);
    let dma = Data::of(fe, DMA_TEX, format.get(TEX_FORMAT::DMA) as usize);
    let anisotropic = control.is(TEX_CONTROL::ANISOTROPY);
    let field = control.is(TEX_CONTROL::IMAGE_FIELD);
    let odd_height = Data::of(fe, TEX_RECT, i).get(TEX_RECT::HEIGHT) & 1 != 0;
    let shape_ok = match layout(fe, format.get(TEX_FORMAT::FORMAT)) {
        Layout::Rect | Layout::Yuv => !matches!(wrap, 1 | 2),
        Layout::Dxt => !field && !control.is(TEX_CONTROL::COLOR_KEY_MODE),
        _ => !field,
    };
    dma.is(DMA_TEX::INSTANCE)
        && !(anisotropic
            && (format.get(TEX_FORMAT::MODE) == TEX_MODE::D3
                || filter.get(TEX_FILTER::MAGNIFY) == 4
                || filter.get(TEX_FILTER::MINIFY) == 7))
        && !(field && (!format.is(TEX_FORMAT::BORDER_TYPE) || odd_height))
        && shape_ok
}

fn shaders_ok(fe: &Fe) -> bool {
    let ops = Data::of(fe, TEX_SHADER_OP, 0);
    let misc = Data::of(fe, TEX_SHADER_MISC, 0);
    // Of the first stage three bits count.
    let op = |i: u32| match i {
        0 => ops.get(TEX_SHADER_OP::TX0) & 7,
        1 => ops.get(TEX_SHADER_OP::TX1),
        2 => ops.get(TEX_SHADER_OP::TX2),
        _ => ops.get(TEX_SHADER_OP::TX3),
    };
    let dead = |op| matches!(op, 0 | 5 | 0x11);
    let textures_ok = (0..4).all(|i| {
        Data::of(fe, TEX_CONTROL, i as usize).is(TEX_CONTROL::ENABLE)
            || matches!(op(i), 0 | 4 | 5)
            || op(i) == 0x11 && i != 3
    });
    let source2 = op(misc.get(TEX_SHADER_MISC::TX2_PREVIOUS));
    let stage2_ok = !matches!(op(2), 6 | 7 | 9 | 0xa | 0xb | 0xf | 0x10 | 0x11) || !dead(source2);
    let from = misc.get(TEX_SHADER_MISC::TX3_PREVIOUS);
    let source3 = op(from);
    let stage3_ok = !matches!(op(3), 6 | 7 | 9 | 0xa | 0xc..=0x10 | 0x12)
        || !(dead(source3) || from == 2 && matches!(source3, 0xa | 0xb));
    textures_ok && stage2_ok && stage3_ok
}

/// Blue to alpha must not write the register that alpha writes.
fn combiners_ok(fe: &Fe) -> bool {
    (0..8).all(|i| {
        let (color, alpha) = (Data::of(fe, RC_OUT_COLOR, i), Data::of(fe, RC_OUT_ALPHA, i));
        let clash = |blue, color_output, alpha_output| {
            let to = color.get(color_output);
            color.is(blue) && to != 0 && to == alpha.get(alpha_output)
        };
        !clash(
            RC_OUT_COLOR::CD_BLUE_TO_ALPHA,
            RC_OUT_COLOR::CD_OUTPUT,
            RC_OUT_ALPHA::CD_OUTPUT,
        ) && !clash(
            RC_OUT_COLOR::AB_BLUE_TO_ALPHA,
            RC_OUT_COLOR::AB_OUTPUT,
            RC_OUT_ALPHA::AB_OUTPUT,
        )
    })
}

/// BEGIN_SWATCH, BEGIN_CURVE and the ends of transitions have no hardware model: they do nothing.
pub(crate) const ROWS: &[Row] = &[
    free(m::FD_BEGIN_PATCH_A, Rule(low_nibble), Always(begin_abc)).p(0),
    free(m::FD_BEGIN_PATCH_B, Any, Always(begin_abc)).p(1),
    free(m::FD_BEGIN_PATCH_C, Rule(begin_c_ok), Always(begin_abc)).p(2),
    free(m::FD_BEGIN_PATCH_D, Rule(begin_d_ok), Always(begin_d)),
    free(m::FD_END_PATCH, Below(1), Always(end_patch)),
    open(m::FD_BEGIN_SWATCH, Any, Nop),
    open(m::FD_BEGIN_CURVE, Any, Nop),
    free(m::FD_CURVE_DATA, Any, Always(curve_data)),
    free(
        m::FD_BEGIN_TRANSITION_A,
        Rule(low_nibble),
        Always(begin_transition),
    )
    .p(0),
    free(m::FD_BEGIN_TRANSITION_B, Any, Always(begin_transition)).p(1),
    open(m::FD_BEGIN_TRANSITION_C, Any, Nop),
    open(m::FD_END_TRANSITION, Any, Nop),
];
