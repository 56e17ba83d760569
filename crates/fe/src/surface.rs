//! Surface registers, shared by all 3D classes.

use super::Fe;
use super::bits::{bit, ext, ins};
use super::chips::Kind;
use super::table::Call;
use isotherm_bus::bundle::{Event, SurfaceReg};

/// Number of the colour surface among PGRAPH's surfaces; the zeta surface follows.
pub(crate) const COLOR: u32 = 2;
/// The zeta surface.
pub(crate) const ZETA: u32 = 3;

impl Fe {
    /// A surface that moved is in no tile region any more, unless SURF_UNK880[20] pins it.
    pub(crate) fn forget_tile(&mut self, surface: u32) {
        if self.g.celsius() || bit(self.r.surf_unk880, 20) {
            return;
        }
        for s in [surface & !1, surface | 1] {
            ins(&mut self.r.surf_unk888, s, 1, 0);
            if self.g.nv25p {
                ins(&mut self.r.surf_unk89c, s * 4, 4, 0);
            }
        }
    }

    pub(crate) fn announce_surface(&mut self, reg: SurfaceReg, value: u32) {
        self.announced.surface(reg, value);
        self.out.push(Event::Surface { reg, value });
    }

    /// Is the object allowed the newer surface formats?
    fn new_formats(&self) -> bool {
        let flag = self.g.nv11p && bit(self.r.ctx_switch_a, 22);
        match self.class {
            0x53 | 0x93 | 0x96 => flag,
            0x56 | 0x85 => flag && !self.g.celsius(),
            0x98 | 0x99 => true,
            _ => false,
        }
    }
}

/// COLOR_OFFSET, ZETA_OFFSET; `p` is the surface.
pub(crate) fn offset(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.valid[0], 3, 1, 1);
    fe.r.surf_offset[c.p as usize] = c.v & fe.g.offset_mask();
    fe.forget_tile(c.p);
    let reg = if c.p == COLOR {
        SurfaceReg::ColorOffset
    } else {
        SurfaceReg::ZetaOffset
    };
    fe.announce_surface(reg, c.v);
}

/// SURF_PITCH is two multiples of 64, neither zero.
pub(crate) fn pitch_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 0, 16) != 0 && ext(c.v, 16, 16) != 0 && c.v & 0x003f_003f == 0
}

/// SURF_PITCH.
pub(crate) fn pitch(fe: &mut Fe, c: Call) {
    let mask = fe.g.pitch_mask() & 0xffff;
    let valid = u32::from(!bit(fe.r.nsource, 1));
    fe.r.surf_pitch[2] = c.v & mask;
    fe.r.surf_pitch[3] = c.v >> 16 & mask;
    fe.r.valid[0] |= 4;
    ins(&mut fe.r.ctx_valid, 10, 1, valid);
    ins(&mut fe.r.ctx_valid, 11, 1, valid);
    fe.announce_surface(SurfaceReg::Pitch, c.v);
}

/// Which SURF_FORMAT words a class takes.
pub(crate) fn format_ok(fe: &Fe, c: Call) -> bool {
    let v = c.v;
    let mode = ext(v, 8, 4);
    let (fmt, zfmt) = if fe.kind >= Kind::Rankine {
        (ext(v, 0, 5), ext(v, 5, 3))
    } else {
        (ext(v, 0, 4), ext(v, 4, 4))
    };
    let last = match fe.kind {
        Kind::None | Kind::D3d0 | Kind::D3d56 => 8,
        Kind::Celsius | Kind::Kelvin => 0xa,
        Kind::Rankine | Kind::Curie => 0x10,
    };
    if fmt == 0 || fmt > last {
        return false;
    }
    let samples = ext(v, 12, 4);
    let old = fe.kind < Kind::Kelvin;
    if old {
        let bad = zfmt > u32::from(fe.new_formats())
            || zfmt == 1 && mode == 2 && !matches!(fe.class, 0x53 | 0x93)
            || zfmt == 1 && fmt >= 9
            || samples != 0 && !(fe.class == 0x99 && samples == 3);
        if bad {
            return false;
        }
    } else {
        let most = match fe.kind {
            _ if fe.class == 0x97 => 2,
            Kind::Curie => 5,
            _ => 4,
        };
        let swizzled_z = match fmt {
            0..4 => 1,
            4..9 => 2,
            0xe.. => 2,
            0xb.. if fe.kind == Kind::Curie => 2,
            _ => 0,
        };
        let bad = zfmt != 1 && zfmt != 2
            || samples > most
            || samples != 0 && mode == 2
            || fe.kind >= Kind::Rankine && matches!(samples, 1 | 2)
            || mode == 2 && swizzled_z != 0 && zfmt != swizzled_z
            || fe.kind == Kind::Curie && (0xb..=0xd).contains(&fmt) && zfmt == 1
            || ext(v, 16, 8) == 0 && ext(v, 24, 8) != 0
            || fe.class != 0x97 && matches!(fmt, 6 | 7);
        if bad {
            return false;
        }
    }
    let largest = if old { 0xb } else { 0xc };
    (mode == 1 || mode == 2) && ext(v, 16, 8) <= largest && ext(v, 24, 8) <= largest
}

/// How PGRAPH stores the colour formats of the method, by number.
const COLOR_FORMATS: [u32; 17] = [
    0, 2, 3, 5, 7, 0xb, 9, 0xa, 0xc, 1, 6, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
];

/// SURF_FORMAT.
pub(crate) fn format(fe: &mut Fe, c: Call) {
    let v = c.v;
    let new = fe.kind >= Kind::Rankine;
    let number = if new { v & 0x1f } else { v & 0xf };
    let known = match number {
        6 | 7 => !new,
        9 | 0xa => fe.kind >= Kind::Celsius,
        0xb..=0x10 => new,
        _ => true,
    };
    let stored = COLOR_FORMATS.get(number as usize).copied().unwrap_or(0);
    let color = if known { stored } else { 0 };
    fe.set_surface_format(COLOR, color);
    ins(&mut fe.r.surf_type, 0, 2, ext(v, 8, 2));
    if fe.g.celsius() {
        if fe.g.nv11p {
            ins(&mut fe.r.surf_type, 4, 1, ext(v, 4, 1));
        }
        if fe.g.nv17p {
            ins(&mut fe.r.surf_type, 5, 1, ext(v, 12, 1));
        }
    } else {
        let samples = if fe.g.nv25p { 3 } else { 2 };
        ins(&mut fe.r.surf_type, 4, samples, ext(v, 12, samples));
        let zeta = if fe.kind >= Kind::Kelvin {
            let z = if new { ext(v, 5, 3) } else { ext(v, 4, 4) };
            if z > 2 { 0 } else { z }
        } else if color == 0 {
            0
        } else if matches!(number, 1 | 2 | 3 | 9 | 0xa) || bit(v, 4) {
            1
        } else {
            2
        };
        fe.set_surface_format(ZETA, zeta);
    }
    ins(&mut fe.r.surf_swizzle[0], 16, 4, ext(v, 16, 4));
    ins(&mut fe.r.surf_swizzle[0], 24, 4, ext(v, 24, 4));
    fe.announce_surface(SurfaceReg::Format, v);
}

impl Fe {
    fn set_surface_format(&mut self, surface: u32, format: u32) {
        let width = if self.g.celsius() || self.g.kelvin() {
            4
        } else {
            5
        };
        ins(&mut self.r.surf_format, surface * width, width, format);
    }

    /// CLIP_H, CLIP_V: Kelvin and up send them as a bundle.
    pub(crate) fn surface_clip(&mut self, hv: u32, v: u32) {
        let reg = if hv == 0 {
            SurfaceReg::ClipHoriz
        } else {
            SurfaceReg::ClipVert
        };
        self.announce_surface(reg, v);
    }
}
