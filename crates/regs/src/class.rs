//! The classes of the 3D engine, by generation.

/// A generation of 3D classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class3d {
    /// Direct3D 3 triangles (NV10).
    D3d3,
    /// Direct3D 5 and 6 triangles (Celsius).
    D3d56,
    /// Celsius.
    Celsius,
    /// Kelvin.
    Kelvin,
    /// Rankine.
    Rankine,
    /// Curie.
    Curie,
}

impl Class3d {
    /// The generation of a class number; `None` for classes of other engines. Which chips have
    /// a class is the front end's to say.
    pub const fn of(class: u32) -> Option<Class3d> {
        Some(match class {
            0x48 => Class3d::D3d3,
            0x54 | 0x55 | 0x94 | 0x95 => Class3d::D3d56,
            0x56 | 0x85 | 0x96 | 0x98 | 0x99 => Class3d::Celsius,
            0x97 | 0x597 => Class3d::Kelvin,
            0x397 | 0x497 | 0x697 | 0x3597 => Class3d::Rankine,
            0x4097 | 0x4497 => Class3d::Curie,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::CLASSES;

    #[test]
    fn agrees_with_the_tables_of_methods() {
        // Direct3D's classes draw too, but have tables that are named for their interface.
        for class in CLASSES
            .iter()
            .filter(|class| !class.name.starts_with("D3D"))
        {
            let found = Class3d::of(class.id.into());
            assert_eq!(found.is_some(), class.is_3d(), "{:x}", class.id);
            if let Some(generation) = found {
                let name = format!("{generation:?}").to_uppercase();
                assert!(class.name.starts_with(&name), "{:x}", class.id);
            }
        }
    }
}
