//! Texture units.

use isotherm_regs::Chip::Nv30;
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::{
    TEX_FILTER_OPT_DATA, TEX_FORMAT_DATA, TEX_WRAP_DATA, rankine_curie as m,
};

use crate::Fe;
use crate::chips::Kind;
use crate::kelvin::tex::{self, Layout, layout};
use crate::table::Check::{Any, Declared, Rule};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Move, Row, hard};
use crate::words::{Data, Edit};

/// TEX_FORMAT of Rankine: Kelvin's rules, and a few formats more.
fn rankine_format_ok(fe: &Fe, c: Call) -> bool {
    use TEX_FORMAT_DATA as D;
    let data = Data::new(fe, c.v);
    let blocks = matches!(layout(fe, data.get(D::FORMAT)), Layout::Dxt | Layout::Yuv);
    tex::format_fits(fe, data, 0x4f) && (!blocks || data.is(D::BORDER_TYPE))
}

/// Formats that Curie has in rows only.
fn linear_only(format: u32) -> bool {
    matches!(format, 9 | 0xa | 0xc | 0xd | 0xe | 0x16)
}

fn curie_format_ok(fe: &Fe, c: Call) -> bool {
    use TEX_FORMAT_DATA as D;
    let data = Data::new(fe, c.v);
    let (mode, format, mips) = (
        data.get(D::MODE),
        data.get(D::CURIE_FORMAT),
        data.get(D::MIPS),
    );
    let (cube, linear, rect) = (data.is(D::CUBE_MAP), data.is(D::LINEAR), data.is(D::RECT));
    let depth = (0x10..=0x13).contains(&format);
    matches!(data.get(D::DMA), 1 | 2)
        && data.is(D::UNK15)
        && format != 0
        && (1..=3).contains(&mode)
        && (1..=0xd).contains(&mips)
        && (!linear_only(format) || linear)
        && !(rect && (cube || mips != 1))
        && !(depth && mode == 3)
        && [D::SIZE_S, D::SIZE_T, D::SIZE_R]
            .iter()
            .all(|size| !data.is(*size))
}

fn format_ok(fe: &Fe, c: Call) -> bool {
    if fe.class_kind == Kind::Curie {
        curie_format_ok(fe, c)
    } else {
        rankine_format_ok(fe, c)
    }
}

/// What Curie's word takes of the data: the object inverted, the format as it is.
const CURIE_FORMAT: &[Move] = &[
    (TEX_FORMAT_DATA::CUBE_MAP, TEX_FORMAT::CUBE_MAP),
    (TEX_FORMAT_DATA::BORDER_TYPE, TEX_FORMAT::BORDER_TYPE),
    (TEX_FORMAT_DATA::MODE, TEX_FORMAT::MODE),
    (TEX_FORMAT_DATA::CURIE_FORMAT, TEX_FORMAT::CURIE_FORMAT),
    (TEX_FORMAT_DATA::LINEAR, TEX_FORMAT::LINEAR),
    (TEX_FORMAT_DATA::RECT, TEX_FORMAT::RECT),
    (TEX_FORMAT_DATA::UNK15, TEX_FORMAT::CURIE_UNK15),
    (TEX_FORMAT_DATA::MIPS, TEX_FORMAT::MIPS),
    (TEX_FORMAT_DATA::SIZE_S, TEX_FORMAT::SIZE_S),
    (TEX_FORMAT_DATA::SIZE_T, TEX_FORMAT::SIZE_T),
    (TEX_FORMAT_DATA::SIZE_R, TEX_FORMAT::SIZE_R),
];

/// TEX_FORMAT: Rankine has the sizes in it and cuts the mip count to them; Curie has not.
fn format(fe: &mut Fe, c: Call) {
    if !fe.g.curie() {
        let word = tex::format_word(fe, c);
        return fe.put(TEX_FORMAT, c.i, word);
    }
    let chip = fe.g.chip;
    let mut word = fe.word(TEX_FORMAT, c.i as usize);
    if fe.class_kind == Kind::Curie {
        // No sizes here.
        for (from, to) in &CURIE_FORMAT[..8] {
            to.put(chip, &mut word, from.get(chip, c.v));
        }
    } else {
        for (from, to) in CURIE_FORMAT {
            to.put(chip, &mut word, from.get(chip, c.v));
        }
        let levels = tex::levels(fe, c.v);
        TEX_FORMAT::MIPS.put(chip, &mut word, levels);
    }
    let second = TEX_FORMAT_DATA::DMA.entry(0, 1).read(c.v) == 0;
    TEX_FORMAT::DMA.write(&mut word, second.into());
    fe.put(TEX_FORMAT, c.i, word);
}

const WRAPS: [Field; 3] = [
    TEX_WRAP_DATA::WRAP_S,
    TEX_WRAP_DATA::WRAP_T,
    TEX_WRAP_DATA::WRAP_R,
];

fn wrap_ok(fe: &Fe, c: Call) -> bool {
    let curie = fe.class_kind == Kind::Curie;
    let most = if curie { 8 } else { 5 };
    let unk24 = TEX_WRAP_DATA::UNK24.read(c.v);
    c.v & !TEX_WRAP_DATA::WORD.mask(Nv30, 0) == 0
        && WRAPS
            .iter()
            .all(|wrap| (1..=most).contains(&wrap.read(c.v)))
        && if curie {
            matches!(unk24, 0 | 3)
        } else {
            unk24 != 3
        }
        && (curie || TEX_WRAP_DATA::RCOMP.read(c.v) < 8)
}

const WRAP_MOVES: &[Move] = &[
    (
        TEX_WRAP_DATA::ANISO_MIP_FILTER_OPTIMIZATION,
        TEX_WRAP::ANISO_MIP_FILTER_OPTIMIZATION,
    ),
    (TEX_WRAP_DATA::EXPAND_NORMAL, TEX_WRAP::EXPAND_NORMAL),
    (TEX_WRAP_DATA::UNK24, TEX_WRAP::RANKINE_TEX_WRAP_UNK24),
    (
        TEX_WRAP_DATA::GAMMA_DECREASE_FILTER,
        TEX_WRAP::GAMMA_DECREASE_FILTER,
    ),
    (TEX_WRAP_DATA::RCOMP, TEX_WRAP::ZCOMP),
];

/// TEX_WRAP: Curie counts the modes from 0.
fn wrap(fe: &mut Fe, c: Call) {
    let less = u32::from(fe.g.curie());
    let mut word = Edit::of(fe, TEX_WRAP, c.i).moved(c.v, WRAP_MOVES);
    let kept = [
        (TEX_WRAP::WRAP_S, TEX_WRAP::CURIE_WRAP_S),
        (TEX_WRAP::WRAP_T, TEX_WRAP::CURIE_WRAP_T),
        (TEX_WRAP::WRAP_R, TEX_WRAP::CURIE_WRAP_R),
    ];
    for (from, (rankine, curie)) in WRAPS.into_iter().zip(kept) {
        let mode = from.read(c.v).wrapping_sub(less);
        word = word.set(rankine, mode).set(curie, mode);
    }
    fe.put(TEX_WRAP, c.i, word.word);
}

fn filter_opt_ok(fe: &Fe, c: Call) -> bool {
    c.v & !TEX_FILTER_OPT_DATA::WORD.mask(fe.data_chip, 0) == 0
        && (fe.class_kind < Kind::Curie || TEX_FILTER_OPT_DATA::UNK15.read(c.v) <= 4)
}

/// TEX_FILTER_OPT.
fn filter_opt(fe: &mut Fe, c: Call) {
    let mut word = Edit::of(fe, TEX_WRAP, c.i).set(
        TEX_WRAP::FILTER_OPT_TRILINEAR,
        TEX_FILTER_OPT_DATA::TRILINEAR.read(c.v),
    );
    if fe.class_kind == Kind::Curie {
        word = word
            .set(TEX_WRAP::CURIE_UNK11, TEX_FILTER_OPT_DATA::UNK6.read(c.v))
            .set(TEX_WRAP::CURIE_UNK15, TEX_FILTER_OPT_DATA::UNK7.read(c.v));
    }
    fe.put(TEX_WRAP, c.i, word.word);
    if fe.class_kind == Kind::Curie {
        let upper = c.v >> TEX_FILTER_OPT_DATA::UNK8.ones().trailing_zeros();
        let control = Edit::of(fe, TEX_PITCH, c.i).set(TEX_PITCH::CURIE_UNK17, upper);
        fe.put(TEX_PITCH, c.i, control.word);
    }
}

fn control_a_ok(fe: &Fe, c: Call) -> bool {
    c.v & !TEX_CONTROL::WORD.mask(fe.data_chip, 0) == 0
}

/// 3597h's fields, which Curie has elsewhere.
const CONTROL_MOVES: &[Move] = &[
    (TEX_CONTROL::COLOR_KEY_MODE, TEX_CONTROL::COLOR_KEY_MODE),
    (TEX_CONTROL::ALPHA_KILL, TEX_CONTROL::ALPHA_KILL),
    (TEX_CONTROL::IMAGE_FIELD, TEX_CONTROL::IMAGE_FIELD),
    (TEX_CONTROL::MAX_LOD, TEX_CONTROL::MAX_LOD),
    (TEX_CONTROL::MIN_LOD, TEX_CONTROL::MIN_LOD),
    (TEX_CONTROL::ENABLE, TEX_CONTROL::ENABLE),
];

fn control_a(fe: &mut Fe, c: Call) {
    if fe.g.curie() && fe.class_kind != Kind::Curie {
        // The fourth number of samples came with Curie, as the fifth.
        let anisotropy = match TEX_CONTROL::ANISOTROPY.read(c.v) {
            3 => 4,
            number => number,
        };
        let word = Edit::zero(fe)
            .moved(c.v, CONTROL_MOVES)
            .set(TEX_CONTROL::CURIE_ANISOTROPY, anisotropy);
        return fe.put(TEX_CONTROL, c.i, word.word);
    }
    fe.put(TEX_CONTROL, c.i, c.v & TEX_CONTROL::WORD.mask(fe.g.chip, 0));
}

/// Where the swizzle takes a component from: nothing, one, or the texel.
const SOURCES: [Field; 4] = [
    TEX_PITCH::S0_W,
    TEX_PITCH::S0_Z,
    TEX_PITCH::S0_Y,
    TEX_PITCH::S0_X,
];

fn control_b_ok(fe: &Fe, c: Call) -> bool {
    fe.class_kind != Kind::Curie
        || c.v < 1 << 17 && SOURCES.iter().all(|source| source.read(c.v) != 3)
}

/// TEX_CONTROL_B: Rankine's pitch and swizzle, Curie's swizzle.
fn control_b(fe: &mut Fe, c: Call) {
    if fe.class_kind == Kind::Curie {
        let kept = fe.word(TEX_PITCH, c.i as usize) & TEX_PITCH::CURIE_UNK17.ones();
        let swizzle = c.v & !TEX_PITCH::CURIE_UNK17.ones() & TEX_PITCH::WORD.mask(fe.g.chip, 0);
        fe.put(TEX_PITCH, c.i, kept | swizzle);
    } else if fe.g.curie() {
        // The pitch moved to a word of its own.
        let pitch = TEX_PITCH::PITCH.read(c.v);
        let swizzle = c.v & !TEX_PITCH::PITCH.ones();
        let kept = fe.word(TEX_PITCH, c.i as usize) & TEX_PITCH::PITCH.ones();
        fe.put(TEX_PITCH, c.i, kept | swizzle);
        let size = Edit::of(fe, TEX_CONTROL_D, c.i).set(TEX_CONTROL_D::PITCH, pitch);
        fe.put(TEX_CONTROL_D, c.i, size.word);
    } else {
        fe.put(TEX_PITCH, c.i, c.v);
    }
}

/// The rows of both generations.
pub(crate) const SHARED: &[Row] = &[
    hard(m::TEX_FILTER_OPT, Rule(filter_opt_ok), Do(filter_opt)),
    hard(m::TEX_OFFSET, Any, Word(TEX_OFFSET)),
    hard(m::TEX_FORMAT, Rule(format_ok), Do(format)),
    hard(m::TEX_WRAP, Rule(wrap_ok), Do(wrap)),
    hard(m::TEX_CONTROL_A, Rule(control_a_ok), Do(control_a)),
    hard(m::TEX_CONTROL_B, Rule(control_b_ok), Do(control_b)),
    hard(m::TEX_FILTER, Rule(tex::filter_ok), Word(TEX_FILTER)),
    hard(m::TEX_RECT, Rule(tex::rect_ok), Word(TEX_RECT)),
    hard(m::TEX_BORDER_COLOR, Any, Word(TEX_BORDER_COLOR)),
    hard(m::TEX_COLOR_KEY, Any, Word(TEX_COLOR_KEY)),
];

/// Rankine's own.
pub(crate) const RANKINE: &[Row] = &[hard(m::TEX_PALETTE, Declared, Word(TEX_PALETTE))];
