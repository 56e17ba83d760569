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

    /// Finds a chip by name, case-insensitively; a family name means its first chip
    /// (`kelvin` is `nv20`).
    pub fn parse(text: &str) -> Option<Chip> {
        let text = text.to_ascii_lowercase();
        if let Some(chip) = Chip::ALL.iter().find(|c| c.name() == text) {
            return Some(*chip);
        }
        Some(match text.as_str() {
            "celsius" => Chip::Nv10,
            "kelvin" => Chip::Nv20,
            "rankine" => Chip::Nv30,
            "curie" => Chip::Nv40,
            "utgard" | "mali" => Chip::Mali400,
            _ => return None,
        })
    }
}

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
    }
}
