//! Surface registers, shared by all 3D classes.

use super::Fe;
use super::chips::Kind;
use super::table::Call;
use super::words::Data;
use isotherm_bus::bundle::{Event, SurfaceReg};
use isotherm_regs::method::{SURF_FORMAT, SURF_PITCH};
use isotherm_regs::pgraph::{
    CTX_SWITCH_A, CTX_VALID, NSOURCE, SURF_FORMATS, SURF_SWIZZLE, SURF_TYPE, SURF_UNK89C,
    SURF_UNK880, SURF_UNK888, VALID_A,
};

/// Number of the colour surface among PGRAPH's surfaces; the zeta surface follows.
pub(crate) const COLOR: u32 = 2;
/// The zeta surface.
pub(crate) const ZETA: u32 = 3;
/// The second to fourth colour surface, Rankine and Curie.
pub(crate) const COLOR_B: u32 = 6;
pub(crate) const COLOR_C: u32 = 7;
pub(crate) const COLOR_D: u32 = 8;

impl Fe {
    /// A surface that moved is in no tile region any more, unless SURF_UNK880[20] pins it.
    pub(crate) fn forget_tile(&mut self, surface: u32) {
        // NV34 and Curie have no such words, nor has the fourth colour surface.
        if self.g.celsius()
            || self.g.nv34
            || self.g.curie()
            || surface >= 8
            || SURF_UNK880::TILE_PINNED.is_on(self.r.surf_unk880)
        {
            return;
        }
        for s in [surface & !1, surface | 1] {
            SURF_UNK888::TILED
                .entry(s, 1)
                .write(&mut self.r.surf_unk888, 0);
            if self.g.nv25p {
                let region = SURF_UNK89C::REGION.entry(s, 4);
                region.write(&mut self.r.surf_unk89c, 0);
            }
        }
    }

    pub(crate) fn announce_surface(&mut self, reg: SurfaceReg, value: u32) {
        self.announced.surface(reg, value);
        self.out.push(Event::Surface { reg, value });
    }

    /// Is the object allowed the newer surface formats?
    fn new_formats(&self) -> bool {
        let flag = CTX_SWITCH_A::NEW_FORMATS.is_set(self.g.chip, self.r.ctx_switch_a);
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
    VALID_A::SURF_OFFSET.write(&mut fe.r.valid[0], 1);
    fe.r.surf_offset[c.p as usize] = c.v & fe.g.offset_mask();
    fe.forget_tile(c.p);
    match c.p {
        COLOR => fe.announce_surface(SurfaceReg::ColorOffset, c.v),
        ZETA => fe.announce_surface(SurfaceReg::ZetaOffset, c.v),
        p => fe.announce_surface(SurfaceReg::MoreOffset(target(p)), c.v),
    }
}

/// The number of colour surface B, C or D among the targets.
pub(crate) fn target(surface: u32) -> u8 {
    (surface - COLOR_B) as u8 + 1
}

/// SURF_PITCH is two multiples of 64, neither zero.
pub(crate) fn pitch_ok(_: &Fe, c: Call) -> bool {
    [SURF_PITCH::COLOR, SURF_PITCH::ZETA]
        .iter()
        .all(|pitch| pitch.is_on(c.v) && pitch.read(c.v) % 64 == 0)
}

/// SURF_PITCH.
pub(crate) fn pitch(fe: &mut Fe, c: Call) {
    let mask = fe.g.pitch_mask();
    let valid = u32::from(!NSOURCE::DATA_ERROR.is_on(fe.r.nsource));
    if fe.g.curie() && fe.blocked() {
        // A pitch of NV4x has a bit more, which here is the other one's lowest.
        fe.r.surf_pitch[COLOR as usize] = c.v & mask;
    } else {
        fe.r.surf_pitch[COLOR as usize] = SURF_PITCH::COLOR.read(c.v) & mask;
        fe.r.surf_pitch[ZETA as usize] = SURF_PITCH::ZETA.read(c.v) & mask;
    }
    VALID_A::SURF_PITCH.write(&mut fe.r.valid[0], 1);
    CTX_VALID::COLOR_PITCH.write(&mut fe.r.ctx_valid, valid);
    CTX_VALID::ZETA_PITCH.write(&mut fe.r.ctx_valid, valid);
    fe.announce_surface(SurfaceReg::Pitch, c.v);
}

/// The pitch of one surface: a multiple of 16, not 0.
pub(crate) fn one_pitch_ok(_: &Fe, c: Call) -> bool {
    c.v.is_multiple_of(16) && c.v != 0 && c.v < 0x2000
}

/// The pitch of one surface; `p` is the surface.
pub(crate) fn one_pitch(fe: &mut Fe, c: Call) {
    let valid = u32::from(!NSOURCE::DATA_ERROR.is_on(fe.r.nsource));
    fe.r.surf_pitch[c.p as usize] = c.v & fe.g.pitch_mask();
    VALID_A::SURF_PITCH.write(&mut fe.r.valid[0], 1);
    let field = match c.p {
        COLOR => CTX_VALID::COLOR_PITCH,
        ZETA => CTX_VALID::ZETA_PITCH,
        COLOR_B => CTX_VALID::COLOR_B_PITCH,
        COLOR_C => CTX_VALID::COLOR_C_PITCH,
        _ => CTX_VALID::COLOR_D_PITCH,
    };
    field.write(&mut fe.r.ctx_valid, valid);
    if matches!(c.p, COLOR | ZETA) {
        let [color, zeta] = [COLOR, ZETA].map(|s| fe.r.surf_pitch[s as usize]);
        let mut both = 0;
        SURF_PITCH::COLOR.write(&mut both, color);
        SURF_PITCH::ZETA.write(&mut both, zeta);
        fe.announce_surface(SurfaceReg::Pitch, both);
    } else {
        let pitch = fe.r.surf_pitch[c.p as usize];
        fe.announce_surface(SurfaceReg::MorePitch(target(c.p)), pitch);
    }
}

/// Which SURF_FORMAT words a class takes.
pub(crate) fn format_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    let mode = data.get(SURF_FORMAT::TYPE);
    let (fmt, zfmt) = (data.get(SURF_FORMAT::COLOR), data.get(SURF_FORMAT::ZETA));
    let (width, height) = (data.get(SURF_FORMAT::WIDTH), data.get(SURF_FORMAT::HEIGHT));
    let last = match fe.kind {
        Kind::None | Kind::D3d0 | Kind::D3d56 => 8,
        Kind::Celsius | Kind::Kelvin => 0xa,
        Kind::Rankine | Kind::Curie => 0x10,
    };
    if fmt == 0 || fmt > last {
        return false;
    }
    let samples = data.get(SURF_FORMAT::ANTI_ALIASING);
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
            || width == 0 && height != 0
            || fe.class != 0x97 && matches!(fmt, 6 | 7);
        if bad {
            return false;
        }
    }
    let largest = if old { 0xb } else { 0xc };
    (mode == 1 || mode == 2) && width <= largest && height <= largest
}

/// How PGRAPH stores the colour formats of the method, by number.
const COLOR_FORMATS: [u32; 17] = [
    0, 2, 3, 5, 7, 0xb, 9, 0xa, 0xc, 1, 6, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
];

/// SURF_FORMAT.
pub(crate) fn format(fe: &mut Fe, c: Call) {
    let (chip, data) = (fe.g.chip, Data::new(fe, c.v));
    let new = fe.kind >= Kind::Rankine;
    let number = data.get(SURF_FORMAT::COLOR);
    let zeta = data.get(SURF_FORMAT::ZETA);
    let known = match number {
        6 | 7 => !new,
        9 | 0xa => fe.kind >= Kind::Celsius,
        0xb..=0x10 => new,
        _ => true,
    };
    let stored = COLOR_FORMATS.get(number as usize).copied().unwrap_or(0);
    let color = if known { stored } else { 0 };
    let r = &mut fe.r;
    let samples = data.get(SURF_FORMAT::ANTI_ALIASING);
    SURF_FORMATS::COLOR.put(chip, &mut r.surf_format, color);
    SURF_TYPE::TYPE.write(&mut r.surf_type, data.get(SURF_FORMAT::TYPE));
    SURF_TYPE::ZETA_16.put(chip, &mut r.surf_type, zeta);
    SURF_TYPE::CELSIUS_ANTI_ALIASING.put(chip, &mut r.surf_type, samples);
    SURF_TYPE::ANTI_ALIASING.put(chip, &mut r.surf_type, samples);
    if !fe.g.celsius() {
        let zeta = if fe.kind >= Kind::Kelvin {
            if zeta > 2 { 0 } else { zeta }
        } else if color == 0 {
            0
        } else if matches!(number, 1 | 2 | 3 | 9 | 0xa) || zeta & 1 != 0 {
            1
        } else {
            2
        };
        SURF_FORMATS::ZETA.put(chip, &mut fe.r.surf_format, zeta);
    }
    let swizzle = &mut fe.r.surf_swizzle[0];
    SURF_SWIZZLE::WIDTH.write(swizzle, data.get(SURF_FORMAT::WIDTH));
    SURF_SWIZZLE::HEIGHT.write(swizzle, data.get(SURF_FORMAT::HEIGHT));
    fe.announce_surface(SurfaceReg::Format, c.v);
}

impl Fe {
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
