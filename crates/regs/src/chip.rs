//! The chips, in documentation order.
//!
//! The reference pages write `[NV20:NV25]` for "from NV20 up to, but without,
//! NV25" in an order of their own: NV2A stands between NV20 and NV25, NV1A
//! after NV15, NV34 after NV36. [`Chip`] is declared in that order, so a range
//! is a comparison.

/// A family of chips with one 3D engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// NV10 to NV18: fixed-function vertices, two textures, two combiners.
    Celsius,
    /// NV20 to NV28: vertex programs, four textures, eight combiners.
    Kelvin,
    /// NV30 to NV34: fragment programs.
    Rankine,
    /// NV40 and up.
    Curie,
    /// ARM Mali-200, 400 and 450.
    Utgard,
}

macro_rules! chips {
    ($($chip:ident $name:literal $family:ident,)*) => {
        /// One chip.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // the names say it all
        pub enum Chip { $($chip,)* }

        impl Chip {
            /// All chips in documentation order.
            pub const ALL: &'static [Chip] = &[$(Chip::$chip,)*];

            /// The chip's name as users write it, lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Chip::$chip => $name,)* }
            }

            /// The family whose 3D engine it has.
            pub const fn family(self) -> Family {
                match self { $(Chip::$chip => Family::$family,)* }
            }
        }
    };
}

chips! {
    Nv10 "nv10" Celsius,
    Nv15 "nv15" Celsius,
    Nv1a "nv1a" Celsius,
    Nv11 "nv11" Celsius,
    Nv17 "nv17" Celsius,
    Nv1f "nv1f" Celsius,
    Nv18 "nv18" Celsius,
    Nv20 "nv20" Kelvin,
    Nv2a "nv2a" Kelvin,
    Nv25 "nv25" Kelvin,
    Nv28 "nv28" Kelvin,
    Nv30 "nv30" Rankine,
    Nv35 "nv35" Rankine,
    Nv31 "nv31" Rankine,
    Nv36 "nv36" Rankine,
    Nv34 "nv34" Rankine,
    Nv40 "nv40" Curie,
    Nv45 "nv45" Curie,
    Nv41 "nv41" Curie,
    Nv42 "nv42" Curie,
    Nv43 "nv43" Curie,
    Nv44 "nv44" Curie,
    Nv46 "nv46" Curie,
    Nv47 "nv47" Curie,
    Nv49 "nv49" Curie,
    Nv4a "nv4a" Curie,
    Nv4b "nv4b" Curie,
    Nv4c "nv4c" Curie,
    Nv4e "nv4e" Curie,
    Nv63 "nv63" Curie,
    Nv67 "nv67" Curie,
    Nv68 "nv68" Curie,
    Mali200 "mali200" Utgard,
    Mali400 "mali400" Utgard,
    Mali450 "mali450" Utgard,
}

impl Chip {
    /// Is the chip in the half-open documentation range `[from:until]`?
    pub const fn within(self, from: Chip, until: Chip) -> bool {
        self as u8 >= from as u8 && (self as u8) < until as u8
    }

    /// Is the chip in `[from:]` (of the NVIDIA chips, or of the Malis)?
    pub const fn since(self, from: Chip) -> bool {
        self as u8 >= from as u8
    }

    /// Finds a chip by name, case-insensitively: its own, its family's (`kelvin` is `nv20`) or
    /// that of a product it is in (`xbox` is `nv2a`).
    pub fn parse(text: &str) -> Option<Chip> {
        let text = text.to_ascii_lowercase();
        if let Some(chip) = Chip::ALL.iter().find(|c| c.name() == text) {
            return Some(*chip);
        }
        NAMES
            .iter()
            .find(|(_, names)| names.split(' ').any(|name| name == text))
            .map(|(chip, _)| *chip)
    }

    /// Other names of the chip: its family, products and code names.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        let row = NAMES.iter().find(|(chip, _)| *chip == self);
        row.into_iter().flat_map(|(_, names)| names.split(' '))
    }
}

/// What chips are called besides their own names. A family means its first chip, a product
/// the chip that its first boards had.
const NAMES: &[(Chip, &str)] = &[
    (Chip::Nv10, "celsius geforce256"),
    (Chip::Nv15, "geforce2 geforce2gts"),
    (Chip::Nv1a, "nforce"),
    (Chip::Nv11, "geforce2mx"),
    (Chip::Nv17, "geforce4mx"),
    (Chip::Nv1f, "nforce2"),
    (Chip::Nv20, "kelvin geforce3"),
    (Chip::Nv2a, "xbox"),
    (Chip::Nv25, "geforce4 geforce4ti"),
    (Chip::Nv30, "rankine geforcefx fx5800"),
    (Chip::Nv35, "fx5900"),
    (Chip::Nv31, "fx5600"),
    (Chip::Nv36, "fx5700"),
    (Chip::Nv34, "fx5200"),
    (Chip::Nv40, "curie geforce6 geforce6800"),
    (Chip::Nv43, "geforce6600"),
    (Chip::Nv44, "geforce6200"),
    (Chip::Nv46, "g72 geforce7300"),
    (Chip::Nv47, "rsx ps3 g70 geforce7 geforce7800"),
    (Chip::Nv49, "g71 geforce7900"),
    (Chip::Nv4b, "g73 geforce7600"),
    (Chip::Nv4c, "c61"),
    (Chip::Nv4e, "c51"),
    (Chip::Nv63, "c73"),
    (Chip::Nv67, "c67"),
    (Chip::Nv68, "c68"),
    (Chip::Mali200, "mali-200"),
    (Chip::Mali400, "mali utgard mali-400 lima"),
    (Chip::Mali450, "mali-450"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nv2a_is_before_nv25() {
        assert!(Chip::Nv2a.within(Chip::Nv20, Chip::Nv25));
        assert!(!Chip::Nv2a.since(Chip::Nv25));
        assert!(Chip::Nv2a.since(Chip::Nv20));
    }

    #[test]
    fn names_parse_back() {
        for chip in Chip::ALL {
            assert_eq!(Chip::parse(chip.name()), Some(*chip));
        }
        assert_eq!(Chip::parse("KELVIN"), Some(Chip::Nv20));
        assert_eq!(Chip::parse("nv99"), None);
        assert_eq!(Chip::parse("Xbox"), Some(Chip::Nv2a));
        assert_eq!(Chip::parse("rsx"), Some(Chip::Nv47));
        assert_eq!(Chip::parse(""), None);
        for (chip, _) in NAMES {
            assert!(chip.other_names().all(|n| Chip::parse(n) == Some(*chip)));
        }
    }
}
