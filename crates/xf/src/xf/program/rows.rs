//! Which output register each result comes from.

use super::super::Bundles;
use super::write::{FOG, POINT_SIZE};
use isotherm_bus::vertex::SETS;
use isotherm_regs::bundle::{
    XF_OUT_MAP_MISC_A, XF_OUT_MAP_MISC_B, XF_OUT_MAP_TXC_A, XF_OUT_MAP_TXC_B,
};
use isotherm_regs::field::Field;
use isotherm_regs::xf::isa::Isa;
use isotherm_regs::{Chip, Family};

/// An output register and one of its components.
pub type Place = (usize, usize);

/// The registers whose x has rules of its own (see `write`).
pub(super) const ROW_FOG: usize = FOG as usize;
pub(super) const ROW_POINT_SIZE: usize = POINT_SIZE as usize;

/// Where the outputs lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Front diffuse, front specular, back diffuse, back specular.
    pub color: [usize; 4],
    /// Texture coordinate sets.
    pub tex: [Option<usize>; SETS],
    /// The fog coordinate.
    pub fog: Place,
    /// Point size.
    pub point_size: Place,
    /// User clip distances.
    pub clip: [Option<Place>; 6],
}

impl Rows {
    /// Where a set of instructions has them.
    pub const fn of(isa: Isa) -> Rows {
        match isa {
            Isa::Kelvin => Rows {
                color: [3, 4, 7, 8],
                tex: successive(9, 4),
                clip: [None; 6],
                ..Rows::NUMBERS
            },
            Isa::Rankine => Rows {
                color: [3, 4, 1, 2],
                tex: successive(8, 8),
                clip: [
                    Some((17, 0)),
                    Some((18, 0)),
                    Some((19, 0)),
                    Some((20, 0)),
                    Some((21, 0)),
                    Some((22, 0)),
                ],
                ..Rows::NUMBERS
            },
            Isa::Curie => Rows {
                color: [1, 2, 3, 4],
                tex: {
                    let mut tex = successive(7, 9);
                    tex[9] = Some(6);
                    tex
                },
                clip: [
                    Some((5, 1)),
                    Some((5, 2)),
                    Some((5, 3)),
                    Some((6, 1)),
                    Some((6, 2)),
                    Some((6, 3)),
                ],
                ..Rows::NUMBERS
            },
        }
    }

    /// What all sets of instructions have in common.
    const NUMBERS: Rows = Rows {
        color: [0; 4],
        tex: [None; SETS],
        fog: (ROW_FOG, 0),
        point_size: (ROW_POINT_SIZE, 0),
        clip: [None; 6],
    };

    /// Where Curie's words have them. A word of zeros would take everything from the position:
    /// nobody has written it, so the usual places count.
    pub(super) fn mapped(chip: Chip, words: &Bundles) -> Option<Rows> {
        if chip.family() != Family::Curie {
            return None;
        }
        let mut rows = Rows::of(Isa::Curie);
        let word = words.XF_OUT_MAP_TXC_A;
        if word != 0 {
            for set in 0..8 {
                let field = XF_OUT_MAP_TXC_A::MAP.entry(set, 4);
                rows.tex[set as usize] = Some(field.get(chip, word) as usize);
            }
        }
        let word = words.XF_OUT_MAP_TXC_B;
        if word != 0 {
            for set in 0..2 {
                let field = XF_OUT_MAP_TXC_B::MAP.entry(set, 4);
                rows.tex[8 + set as usize] = Some(field.get(chip, word) as usize);
            }
        }
        let word = words.XF_OUT_MAP_MISC_A;
        if word != 0 {
            rows.fog = place(chip, XF_OUT_MAP_MISC_A::FOG, word);
            rows.color[0] = XF_OUT_MAP_MISC_A::FRONT_DIFFUSE.get(chip, word) as usize;
            rows.color[1] = XF_OUT_MAP_MISC_A::FRONT_SPECULAR.get(chip, word) as usize;
            for (clip, field) in rows.clip.iter_mut().zip([
                XF_OUT_MAP_MISC_A::CLIP0,
                XF_OUT_MAP_MISC_A::CLIP1,
                XF_OUT_MAP_MISC_A::CLIP2,
            ]) {
                *clip = Some(place(chip, field, word));
            }
        }
        let word = words.XF_OUT_MAP_MISC_B;
        if word != 0 {
            rows.point_size = place(chip, XF_OUT_MAP_MISC_B::POINT_SIZE, word);
            rows.color[2] = XF_OUT_MAP_MISC_B::BACK_DIFFUSE.get(chip, word) as usize;
            rows.color[3] = XF_OUT_MAP_MISC_B::BACK_SPECULAR.get(chip, word) as usize;
            for (clip, field) in rows.clip[3..].iter_mut().zip([
                XF_OUT_MAP_MISC_B::CLIP3,
                XF_OUT_MAP_MISC_B::CLIP4,
                XF_OUT_MAP_MISC_B::CLIP5,
            ]) {
                *clip = Some(place(chip, field, word));
            }
        }
        Some(rows)
    }
}

/// Sets in successive registers.
const fn successive(first: usize, count: usize) -> [Option<usize>; SETS] {
    let mut tex = [None; SETS];
    let mut set = 0;
    while set < count {
        tex[set] = Some(first + set);
        set += 1;
    }
    tex
}

/// A register's number times four, and a component's.
fn place(chip: Chip, field: Field, word: u32) -> Place {
    let number = field.get(chip, word) as usize;
    (number / 4, number % 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What drivers and the console's libraries write names the usual places.
    #[test]
    fn the_usual_words_name_the_usual_places() {
        let words = Bundles {
            XF_OUT_MAP_TXC_A: 0xedcb_a987,
            XF_OUT_MAP_TXC_B: 0x6f,
            // As the front end puts together 06144321h, 00171615h and 001b1a19h.
            XF_OUT_MAP_MISC_A: 0x21 << 24 | 0x14 << 18 | 0x17 << 12 | 0x16 << 6 | 0x15,
            XF_OUT_MAP_MISC_B: 0x43 << 24 | 0x18 << 18 | 0x1b << 12 | 0x1a << 6 | 0x19,
            ..Bundles::default()
        };
        let usual = Rows::of(Isa::Curie);
        assert_eq!(Rows::mapped(Chip::Nv40, &words), Some(usual));
        let nothing = Bundles::default();
        assert_eq!(Rows::mapped(Chip::Nv40, &nothing), Some(usual));
    }

    #[test]
    fn each_word_moves_its_own_results() {
        let words = Bundles {
            XF_OUT_MAP_TXC_A: 0x1234_5678,
            XF_OUT_MAP_TXC_B: 0x9a,
            XF_OUT_MAP_MISC_A: 0xbc << 24 | 0x2d << 18,
            XF_OUT_MAP_MISC_B: 0xde << 24 | 0x3e << 18,
            ..Bundles::default()
        };
        let rows = Rows::mapped(Chip::Nv40, &words).unwrap();
        assert_eq!(rows.tex, [8, 7, 6, 5, 4, 3, 2, 1, 10, 9].map(Some));
        assert_eq!(rows.color, [0xc, 0xb, 0xe, 0xd]);
        assert_eq!((rows.fog, rows.point_size), ((11, 1), (15, 2)));
        assert_eq!(rows.clip, [Some((0, 0)); 6]);
        assert_eq!(Rows::mapped(Chip::Nv34, &words), None);
    }
}
