//! What differs from chip to chip, decided once.

use isotherm_regs::{Chip, Family};

/// The 3D class that is executing, by generation. The order is that of age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Not a 3D class.
    None,
    /// 48h: Direct3D 3 triangles.
    D3d0,
    /// 54h, 55h, 94h, 95h: Direct3D 5 and 6 triangles.
    D3d56,
    /// 56h, 85h, 96h, 98h, 99h.
    Celsius,
    /// 97h, 597h.
    Kelvin,
    /// 397h, 497h, 697h, 3597h.
    Rankine,
    /// 4097h, 4497h.
    Curie,
}

/// The first chip that has a class: what the class accepts is what that chip knows.
pub(crate) fn class_chip(chip: Chip, class: u32) -> Chip {
    match (chip.family(), class) {
        (Family::Kelvin, 0x56 | 0x85) => Chip::Nv10,
        (Family::Kelvin, 0x96) => Chip::Nv15,
        (Family::Kelvin | Family::Rankine, 0x97) => Chip::Nv20,
        (Family::Kelvin | Family::Rankine, 0x597) => Chip::Nv25,
        (Family::Curie, 0x3597) => Chip::Nv35,
        _ => chip,
    }
}

/// A chip whose own classes lay out data as this class does: itself, unless it emulates the
/// class of an older family.
pub(crate) fn data_chip(chip: Chip, class: u32) -> Chip {
    match class_chip(chip, class) {
        older if older.family() == chip.family() => chip,
        Chip::Nv20 => Chip::Nv25,
        older => older,
    }
}

/// Chip predicates of the front end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gen {
    pub chip: Chip,
    pub family: Family,
    /// NV10 itself.
    pub nv10: bool,
    /// NV11 and up, but not NV15.
    pub nv11p: bool,
    /// NV15 and up.
    pub nv15p: bool,
    /// NV17, NV18, NV1F.
    pub nv17p: bool,
    /// NV20 itself.
    pub nv20: bool,
    /// NV25 and up, but not NV2A.
    pub nv25p: bool,
    /// NV34 itself.
    pub nv34: bool,
    /// The TurboCache Curies: NV44, NV46, NV4A, NV4C, NV4E, NV6x.
    pub nv44p: bool,
}

impl Gen {
    pub fn new(chip: Chip) -> Gen {
        use Chip::*;
        let celsius = chip.family() == Family::Celsius;
        let nv25p = !celsius && !matches!(chip, Nv20 | Nv2a);
        Gen {
            chip,
            family: chip.family(),
            nv10: chip == Nv10,
            nv11p: !matches!(chip, Nv10 | Nv15),
            nv15p: chip != Nv10,
            nv17p: celsius && matches!(chip, Nv17 | Nv18 | Nv1f),
            nv20: chip == Nv20,
            nv25p,
            nv34: chip == Nv34,
            nv44p: matches!(chip, Nv44 | Nv46 | Nv4a | Nv4c | Nv4e | Nv63 | Nv67 | Nv68),
        }
    }

    /// Celsius chips.
    pub fn celsius(&self) -> bool {
        self.family == Family::Celsius
    }

    /// Kelvin chips.
    pub fn kelvin(&self) -> bool {
        self.family == Family::Kelvin
    }

    /// Rankine chips.
    pub fn rankine(&self) -> bool {
        self.family == Family::Rankine
    }

    /// Curie chips.
    pub fn curie(&self) -> bool {
        self.family == Family::Curie
    }

    /// The generation of a class on this chip. `alt`: DEBUG_D[16], which renumbers 56h to 85h.
    pub fn kind(&self, class: u32, alt: bool) -> Kind {
        use Kind::*;
        let old = matches!(self.family, Family::Celsius | Family::Kelvin);
        let (kind, here) = match class {
            0x48 => (D3d0, self.nv10),
            0x54 | 0x55 | 0x94 | 0x95 => (D3d56, self.celsius()),
            0x56 => (Celsius, old && !alt),
            0x85 => (Celsius, old && alt),
            0x96 => (Celsius, old && self.nv15p),
            0x98 | 0x99 => (Celsius, self.nv17p),
            0x97 => (Kelvin, self.kelvin() || self.rankine()),
            0x597 => (Kelvin, self.nv25p && !self.curie()),
            0x397 => (Rankine, self.rankine()),
            0x497 => (Rankine, matches!(self.chip, Chip::Nv35 | Chip::Nv36)),
            0x697 => (Rankine, self.nv34),
            0x3597 => (Rankine, self.chip == Chip::Nv40),
            0x4097 => (Curie, self.curie() && !self.nv44p),
            0x4497 => (Curie, self.nv44p),
            _ => (None, false),
        };
        if here { kind } else { None }
    }

    /// Address bits of a surface.
    pub fn offset_mask(&self) -> u32 {
        match self.family {
            Family::Celsius => 0x07ff_fff0,
            _ if self.nv34 => 0x3fff_fff0,
            _ => 0x3fff_ffc0,
        }
    }

    /// Bits of a surface pitch.
    pub fn pitch_mask(&self) -> u32 {
        match self.family {
            Family::Celsius => 0xfff0,
            _ if self.nv34 => 0xfff0,
            Family::Curie => 0x1_ffc0,
            _ => 0xffc0,
        }
    }
}
