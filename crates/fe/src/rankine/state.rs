//! What state methods do beyond replacing a field of a word.

use isotherm_regs::bundle::*;
use isotherm_regs::pgraph::FE3D_MISC;
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::chips::Kind;
use crate::kelvin::state as gl;
use crate::table::Call;
use crate::traps::warning;
use isotherm_bus::bundle::{DmaRole, Event, SurfaceReg};

/// GL comparison functions; Curie also takes Direct3D's numbers.
pub(crate) fn func(fe: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0x200..=0x207 => Ok(c.v & 7),
        1..=8 if fe.kind == Kind::Curie => Ok(c.v - 1),
        _ => Err(warning::ENUM),
    }
}

pub(crate) fn stencil_op(fe: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0 => Ok(2),
        0x150a => Ok(6),
        0x1e00 => Ok(1),
        0x1e01..=0x1e03 => Ok(c.v - 0x1dfe),
        0x8507 => Ok(7),
        0x8508 => Ok(8),
        1..=8 if fe.kind == Kind::Curie => Ok(c.v),
        _ => Err(warning::ENUM),
    }
}

fn factor(fe: &Fe, v: u32) -> Result<u32, u32> {
    Ok(match v {
        0 | 1 => v,
        0x300..=0x308 => v - 0x2fe,
        0x8001..=0x8004 => v - 0x7ff5,
        0x1001..=0x100b if fe.kind == Kind::Curie => v - 0x1001,
        0x100c | 0x100d if fe.kind == Kind::Curie => v - 0x1008,
        0x100e | 0x100f if fe.kind == Kind::Curie => v - 0x1002,
        _ => return Err(warning::ENUM),
    })
}

/// Two blend factors in one word: colour below, alpha above.
pub(crate) fn factors(fe: &Fe, c: Call) -> Result<u32, u32> {
    Ok(factor(fe, c.v & 0xffff)? | factor(fe, c.v >> 16)? << 16)
}

/// BLEND_FUNC of the source (`p` = 0) or the destination.
pub(crate) fn set_factors(fe: &mut Fe, c: Call) {
    let mut word = fe.word(BLEND, 0);
    ins(&mut word, 4 + c.p * 4, 4, c.v);
    ins(&mut word, 20 + c.p * 4, 4, c.v >> 16);
    fe.put(BLEND, 0, word);
}

fn equation(fe: &Fe, v: u32) -> Result<u32, u32> {
    Ok(match v {
        0x8006 => 2,
        0x8007 => 3,
        0x8008 => 4,
        0x800a => 0,
        0x800b => 1,
        0xf005..=0xf007 => v & 7,
        1..=5 if fe.kind == Kind::Curie => [2, 0, 1, 3, 4][v as usize - 1],
        _ => return Err(warning::ENUM),
    })
}

/// Curie has an equation for alpha too.
pub(crate) fn equations(fe: &Fe, c: Call) -> Result<u32, u32> {
    let (rgb, alpha) = (c.v & 0xffff, c.v >> 16);
    if fe.kind == Kind::Curie {
        Ok(equation(fe, rgb)? | equation(fe, alpha)? << 16)
    } else if alpha == 0 {
        equation(fe, rgb)
    } else {
        Err(warning::ENUM)
    }
}

pub(crate) fn set_equations(fe: &mut Fe, c: Call) {
    let mut word = fe.word(BLEND, 0);
    ins(&mut word, 0, 3, c.v);
    if fe.g.curie() {
        ins(&mut word, 17, 3, c.v >> 16);
    }
    fe.put(BLEND, 0, word);
}

pub(crate) fn blend_enable(fe: &mut Fe, c: Call) {
    fe.put_field(BLEND, BLEND::BLEND_FUNC_ENABLE, c.v);
}

pub(crate) fn alpha_ref_ok(fe: &Fe, c: Call) -> bool {
    c.v < if fe.kind == Kind::Curie {
        0x1_0000
    } else {
        0x100
    }
}

pub(crate) fn alpha_ref(fe: &mut Fe, c: Call) {
    if fe.g.curie() {
        fe.put(ALPHA_FUNC_REF, 0, c.v & 0xffff);
    } else {
        fe.put_field(CONFIG_A, CONFIG_A::ALPHA_REF, c.v);
    }
}

pub(crate) fn color_mask(fe: &mut Fe, c: Call) {
    let (bundle, lo) = if fe.g.curie() {
        (COLOR_MASK, 8)
    } else {
        (CONFIG_A, 26)
    };
    let mut word = fe.word(bundle, 0);
    // Blue, green, red, alpha: from the top down.
    for k in 0..4 {
        ins(&mut word, lo + 3 - k, 1, ext(c.v, k * 8, 1));
    }
    fe.put(bundle, 0, word);
}

/// CLIP, VIEWPORT or SCISSOR rectangle; `p`: which, then horizontal or vertical.
pub(crate) fn rectangle(fe: &mut Fe, c: Call) {
    let bundle = [CLIP_HV, VIEWPORT_HV, SCISSOR_HV][c.p as usize >> 1];
    fe.put(bundle, c.p & 1, c.v & 0x1fff_1fff);
    if c.p >> 1 == 0 {
        fe.surface_clip(c.p & 1, c.v);
    }
}

pub(crate) fn clip_rect(fe: &mut Fe, c: Call) {
    let bundle = if c.p == 0 {
        CLIP_RECT_HORIZ
    } else {
        CLIP_RECT_VERT
    };
    let value = c.v & 0x0fff_0fff;
    // A Rankine rectangle replaces all later ones too.
    let last = if fe.kind == Kind::Curie { c.i + 1 } else { 8 };
    for i in c.i + 1..last {
        fe.keep(bundle, i, value);
    }
    fe.put(bundle, c.i, value);
}

/// CONFIG: what Kelvin has in d0 is always on.
pub(crate) fn config(fe: &mut Fe, c: Call) {
    let (chip, curie) = (fe.chip(), fe.g.curie());
    let [mut a, mut b, raster] = gl::control_words(fe, c.v);
    if curie {
        b = CONFIG_B::CURIE_UNK19.with(chip, b, ext(c.v, 8, 1));
        b = CONFIG_B::CURIE_UNK21.with(chip, b, ext(c.v, 16, 1));
        // No method changes this one any more.
        let kept = CONFIG_B::PREMULTIPLIED_ALPHA.get(chip, fe.word(CONFIG_B, 0));
        b = CONFIG_B::PREMULTIPLIED_ALPHA.with(chip, b, kept);
    } else {
        // Stencil writes are always on; they have a mask of their own.
        a = CONFIG_A::STENCIL_WRITE_ENABLE.with(chip, a, 1);
    }
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
    fe.refresh_perspective();
}

impl Fe {
    /// XFMODE: a texture coordinate set is perspective-correct unless it wraps.
    pub(crate) fn refresh_perspective(&mut self) {
        if !self.g.rankine() {
            return;
        }
        let (on, wrap) = (bit(self.word(CONFIG_B, 0), 6), self.word(TXC_CYLWRAP, 0));
        for i in 0..8u32 {
            let set = on && ext(wrap, i * 4, 4) == 0;
            ins(
                &mut self.r.xf_mode_t[i as usize >> 1],
                (i & 1) * 16 + 2,
                1,
                set.into(),
            );
        }
        self.send_mode();
    }
}

pub(crate) fn cylwrap(fe: &mut Fe, c: Call) {
    fe.put(TXC_CYLWRAP, 0, c.v);
    fe.refresh_perspective();
}

/// TXC_ENABLE: which coordinate sets there are.
pub(crate) fn txc_enable(fe: &mut Fe, c: Call) {
    fe.put(TXC_ENABLE, 0, c.v & 0xff);
    if fe.g.rankine() {
        for i in 0..8u32 {
            ins(
                &mut fe.r.xf_mode_t[i as usize >> 1],
                (i & 1) * 16,
                1,
                ext(c.v, i, 1),
            );
        }
        fe.send_mode();
    }
}

pub(crate) fn two_side(fe: &mut Fe, c: Call) {
    fe.put_field(RASTER, RASTER::LIGHT_TWO_SIDE_ENABLE, c.v);
    if fe.g.rankine() {
        XFMODE_A::LIGHT_TWO_SIDE_ENABLE.write(&mut fe.r.xf_mode_a, c.v);
        fe.send_mode();
    }
}

pub(crate) fn point_params(fe: &mut Fe, c: Call) {
    fe.put_field(CONFIG_B, CONFIG_B::POINT_PARAMS_ENABLE, c.v);
    if fe.g.rankine() {
        XFMODE_B::POINT_PARAMS_ENABLE.write(&mut fe.r.xf_mode_b, c.v);
        fe.send_mode();
    }
}

/// User clip planes: two bits each say less, greater or off.
pub(crate) fn clip_planes(fe: &mut Fe, c: Call) {
    fe.put(CLIP_PLANE_ENABLE, 0, c.v & 0x33_3333);
    for i in 0..6 {
        ins(&mut fe.r.xf_mode_c, i, 1, (ext(c.v, i * 4, 2) != 0).into());
    }
    if fe.g.rankine() {
        fe.send_mode();
    }
}

pub(crate) fn unk3f0(fe: &mut Fe, c: Call) {
    let mode = ext(c.v, 0, 4);
    let stored = match mode {
        0xd if !fe.g.curie() => 1,
        0xe if !fe.g.curie() => 2,
        5 | 0xd => 7,
        _ => mode,
    };
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 25, 3, stored);
    if !fe.g.curie() {
        ins(&mut raster, 4, 1, ext(c.v, 31, 1));
    }
    fe.put(RASTER, 0, raster);
    let mut control = fe.word(PS_CONTROL, 0);
    if fe.kind == Kind::Curie {
        ins(&mut control, 27, 4, ext(c.v, 16, 4));
    } else {
        let threads = ext(c.v, 16, 4);
        ins(&mut control, 8, 8, ext(c.v, 8, 8));
        ins(&mut control, 17, 1, ext(c.v, 20, 1));
        ins(
            &mut control,
            28,
            3,
            if (1..=8).contains(&threads) {
                threads - 1
            } else {
                0
            },
        );
    }
    fe.put(PS_CONTROL, 0, control);
}

pub(crate) fn ps_offset_ok(_: &Fe, c: Call) -> bool {
    c.v & 0x3c == 0 && matches!(c.v & 3, 1 | 2)
}

/// PS_OFFSET: the program's address; the object (A or B) in bit 0.
pub(crate) fn ps_offset(fe: &mut Fe, c: Call) {
    let object = ext(c.v, 1, 1);
    FE3D_MISC::PS_PREFETCH.write(&mut fe.r.fe3d_misc, 1 << object);
    fe.put(PS_OFFSET, 0, c.v & !0x3f | object);
}

/// PS_CONTROL: how many registers, what the program writes.
pub(crate) fn ps_control(fe: &mut Fe, c: Call) {
    let mut word = fe.word(PS_CONTROL, 0);
    if fe.kind == Kind::Curie {
        for (from, to, len) in [(1, 1, 2), (10, 9, 1), (12, 11, 1), (15, 13, 1), (24, 19, 8)] {
            ins(&mut word, to, len, ext(c.v, from, len));
        }
    } else {
        ins(&mut word, 0, 3, ext(c.v, 0, 3));
    }
    ins(&mut word, 3, 5, ext(c.v, 3, 5));
    ins(&mut word, 16, 1, ext(c.v, 8, 1));
    fe.put(PS_CONTROL, 0, word);
}

pub(crate) fn depth_clamp(fe: &mut Fe, c: Call) {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 5, 1, ext(c.v, 8, 1));
    ins(&mut raster, 30, 1, ext(c.v, 0, 1));
    fe.put(RASTER, 0, raster);
    fe.put_field(Z_CONFIG, Z_CONFIG::DEPTH_CLAMP, ext(c.v, 4, 1));
    if fe.g.rankine() {
        let mut word = fe.word(PS_CONTROL, 0);
        ins(&mut word, 31, 1, ext(c.v, 12, 1));
        fe.put(PS_CONTROL, 0, word);
    }
}

pub(crate) fn rt_enable(fe: &mut Fe, c: Call) {
    let (len, value) = if fe.kind == Kind::Curie {
        (8, c.v)
    } else {
        (4, c.v & 3)
    };
    let mut word = fe.word(RT_ENABLE, 0);
    ins(&mut word, 0, len, value);
    fe.put(RT_ENABLE, 0, word);
}

/// DMA objects of further colour surfaces; `p` is the surface.
pub(crate) fn dma_color(fe: &mut Fe, c: Call) {
    let surface = c.p as usize;
    let span = fe.dma.span;
    fe.r.surf_base[surface] = span.base & fe.g.offset_mask();
    fe.r.surf_limit[surface] = span.limit;
}

/// Offsets and pitches of further colour surfaces are kept; drawing goes to the first.
pub(crate) fn color_offset(fe: &mut Fe, c: Call) {
    fe.r.surf_offset[c.p as usize] = c.v & fe.g.offset_mask();
}

pub(crate) fn color_pitch(fe: &mut Fe, c: Call) {
    fe.r.surf_pitch[c.p as usize] = c.v & fe.g.pitch_mask();
}

/// Curie sets the two pitches apart.
pub(crate) fn pitch(fe: &mut Fe, c: Call) {
    color_pitch(fe, c);
    let value = fe.r.surf_pitch[2] & 0xffff | fe.r.surf_pitch[3] << 16;
    fe.announce_surface(SurfaceReg::Pitch, value);
}

pub(crate) fn clear_hv(fe: &mut Fe, c: Call) {
    fe.put(CLEAR_HV, c.p, c.v);
}

pub(crate) fn fence_write(fe: &mut Fe, c: Call) {
    let offset = fe.word(FENCE_OFFSET, 0) & 0xfff;
    fe.out.push(Event::SemaphoreRelease { offset, value: c.v });
}

pub(crate) fn fog_coeff(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.put(FOG_COEFF, c.i, c.v);
    }
}

pub(crate) fn dma_query(fe: &mut Fe, _: Call) {
    fe.announce_dma(DmaRole::Report);
}

pub(crate) fn dma_fence(fe: &mut Fe, _: Call) {
    fe.announce_dma(DmaRole::Semaphore);
}
