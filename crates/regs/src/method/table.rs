//! Rows of method tables, and classes.

use crate::Chip::{self, *};
use crate::word::Word;

/// Some methods of a class: one, an array, or an array of arrays.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Address of the first.
    pub at: u16,
    /// The hardware's name.
    pub name: &'static str,
    /// The name in public driver headers (NV097, NV30_3D, NV40_3D), if it is another.
    pub nv097: &'static str,
    /// Array shape, outer first: count and stride in bytes; count 0 is no dimension.
    pub dims: [(u16, u16); 2],
    /// Fields of the data. Bits outside them, and numbers an enumeration does not
    /// name, are what the method rejects or has no known meaning for.
    pub data: &'static Word,
    /// Words it changes, separated by spaces.
    pub changes: &'static str,
    /// Which classes of the table have it.
    pub classes: u8,
}

/// Declares the methods of a table, ascending: a constant each, by which the front end's rows
/// name them, and `METHODS`, the list of all.
macro_rules! methods {
    ($($name:ident: $method:expr,)*) => {
        $(#[doc = concat!("`", stringify!($name), "`.")]
        pub const $name: $crate::method::Method = $method.named(stringify!($name));)*

        /// All of them.
        pub(in crate::method) const METHODS: &[$crate::method::Method] = &[$($name,)*];
    };
}
pub(super) use methods;

/// One method that every class of its table has.
pub(super) const fn m(at: u16, data: &'static Word) -> Method {
    Method {
        at,
        name: "",
        nv097: "",
        dims: [(0, 0); 2],
        data,
        changes: "",
        classes: u8::MAX,
    }
}

impl Method {
    /// An array of so many, this far apart; the second call adds an inner dimension.
    pub(super) const fn by(mut self, count: u16, stride: u16) -> Self {
        if self.dims[0].0 == 0 {
            self.dims[0] = (count, stride);
        } else {
            self.dims[1] = (count, stride);
        }
        self
    }

    /// The words it changes.
    pub(super) const fn sets(mut self, words: &'static str) -> Self {
        self.changes = words;
        self
    }

    /// The name that drivers use.
    pub(super) const fn nv(mut self, name: &'static str) -> Self {
        self.nv097 = name;
        self
    }

    /// Its name; given by the declaration.
    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Only some classes have it.
    pub(super) const fn only(mut self, classes: u8) -> Self {
        self.classes = classes;
        self
    }

    /// Number of methods.
    pub const fn count(&self) -> u16 {
        let [(outer, _), (inner, _)] = self.dims;
        (if outer == 0 { 1 } else { outer }) * if inner == 0 { 1 } else { inner }
    }

    /// The indices of an address in its array, if it is one of these methods.
    pub fn index(&self, at: u16) -> Option<[u16; 2]> {
        let (n0, s0) = self.dims[0];
        let (n1, s1) = self.dims[1];
        for i in 0..n0.max(1) {
            for j in 0..n1.max(1) {
                if self.at + i * s0 + j * s1 == at {
                    return Some([i, j]);
                }
            }
        }
        None
    }

    /// All addresses.
    pub fn addresses(&self) -> impl Iterator<Item = u16> + use<> {
        let (at, [(n0, s0), (n1, s1)]) = (self.at, self.dims);
        (0..n0.max(1)).flat_map(move |i| (0..n1.max(1)).map(move |j| at + i * s0 + j * s1))
    }

    /// The name with indices, as `LIGHT_POSITION[2][0]`.
    pub fn label(&self, at: u16) -> String {
        let mut label = self.name.to_string();
        if let Some(index) = self.index(at) {
            for (i, (n, _)) in index.iter().zip(self.dims) {
                if n > 0 {
                    label += &format!("[{i}]");
                }
            }
        }
        label
    }
}

pub(super) const C56: u8 = 1;
pub(super) const C96: u8 = 2;
pub(super) const C98: u8 = 4;
pub(super) const C99: u8 = 8;
pub(super) const K97: u8 = 1;
pub(super) const K597: u8 = 2;
const R397: u8 = 1;
pub(super) const R497: u8 = 2;
const R697: u8 = 4;
const U4097: u8 = 8;
const U4497: u8 = 16;
pub(super) const RANKINE: u8 = R397 | R497 | R697;
pub(super) const CURIE: u8 = U4097 | U4497;

/// A class of objects.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Its number.
    pub id: u16,
    /// Its name.
    pub name: &'static str,
    /// The first chip that has it.
    pub since: Chip,
    table: &'static [Method],
    bit: u8,
}

const fn class(
    id: u16,
    name: &'static str,
    since: Chip,
    table: &'static [Method],
    bit: u8,
) -> Class {
    Class {
        id,
        name,
        since,
        table,
        bit,
    }
}

use super::{celsius, d3d, kelvin, rankine_curie as rc, twod};

/// All classes, ascending.
pub const CLASSES: &[Class] = &[
    class(0x0012, "BETA1", Nv10, twod::BETA, 1),
    class(0x0019, "CLIP", Nv10, twod::CLIP, 1),
    class(0x0030, "NULL", Nv10, twod::NULL, 1),
    class(0x0039, "M2MF", Nv10, twod::M2MF, 1),
    class(0x0042, "SURF2D", Nv10, twod::SURF2D, 1),
    class(0x0043, "ROP", Nv10, twod::ROP, 1),
    class(0x0044, "PATTERN", Nv10, twod::PATTERN, 1),
    class(0x0048, "D3D0", Nv10, d3d::d3d0::METHODS, 1),
    class(0x004a, "GDI", Nv10, twod::GDI, 1),
    class(0x0052, "SURF_SWZ", Nv10, twod::SURF_SWZ, 1),
    class(0x0054, "D3D5", Nv10, d3d::d3d5::METHODS, 1),
    class(0x0055, "D3D6", Nv10, d3d::d3d6::METHODS, 1),
    class(0x0056, "CELSIUS", Nv10, celsius::METHODS, C56),
    class(0x005c, "LINE", Nv10, twod::LINE, 1),
    class(0x005f, "BLIT", Nv10, twod::BLIT, 1),
    class(0x0061, "IFC", Nv10, twod::IFC, 1),
    class(0x0062, "SURF2D_NV10", Nv10, twod::SURF2D, 1),
    class(0x0063, "SIFM_NV5", Nv10, twod::SIFM, 1),
    class(0x0065, "IFC_NV5", Nv10, twod::IFC, 1),
    class(0x0072, "BETA4", Nv10, twod::BETA, 1),
    class(0x0077, "SIFM_NV4", Nv10, twod::SIFM, 1),
    class(0x0089, "SIFM_NV10", Nv10, twod::SIFM, 1),
    class(0x008a, "IFC_NV10", Nv10, twod::IFC, 1),
    class(0x0094, "D3D5_NV10", Nv10, d3d::d3d5::METHODS, 1),
    class(0x0095, "D3D6_NV10", Nv10, d3d::d3d6::METHODS, 1),
    class(0x0096, "CELSIUS_NV15", Nv15, celsius::METHODS, C96),
    class(0x0097, "KELVIN", Nv20, kelvin::METHODS, K97),
    class(0x0098, "CELSIUS_NV17_98", Nv17, celsius::METHODS, C98),
    class(0x0099, "CELSIUS_NV17", Nv17, celsius::METHODS, C99),
    class(0x009e, "SURF_SWZ_NV20", Nv20, twod::SURF_SWZ, 1),
    class(0x009f, "BLIT_NV10", Nv10, twod::BLIT, 1),
    class(0x0362, "SURF2D_NV30", Nv30, twod::SURF2D, 1),
    class(0x0389, "SIFM_NV30", Nv30, twod::SIFM, 1),
    class(0x038a, "IFC_NV30", Nv30, twod::IFC, 1),
    class(0x039e, "SURF_SWZ_NV30", Nv30, twod::SURF_SWZ, 1),
    class(0x0397, "RANKINE", Nv30, rc::METHODS, R397),
    class(0x0497, "RANKINE_NV35", Nv35, rc::METHODS, R497),
    class(0x0597, "KELVIN_NV25", Nv25, kelvin::METHODS, K597),
    class(0x0697, "RANKINE_NV34", Nv34, rc::METHODS, R697),
    class(0x3597, "RANKINE_NV40", Nv40, rc::METHODS, R497),
    class(0x3062, "SURF2D_NV40", Nv40, twod::SURF2D, 1),
    class(0x3089, "SIFM_NV40", Nv40, twod::SIFM, 1),
    class(0x308a, "IFC_NV40", Nv40, twod::IFC, 1),
    class(0x309e, "SURF_SWZ_NV40", Nv40, twod::SURF_SWZ, 1),
    class(0x4097, "CURIE", Nv40, rc::METHODS, U4097),
    class(0x4497, "CURIE_NV44", Nv44, rc::METHODS, U4497),
];

impl Class {
    /// Finds a class by number.
    pub fn by_id(id: u16) -> Option<&'static Class> {
        CLASSES.iter().find(|c| c.id == id)
    }

    /// Its methods, ascending.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> + use<> {
        let bit = self.bit;
        self.table.iter().filter(move |m| m.classes & bit != 0)
    }

    /// The method at an address.
    pub fn method(&self, at: u16) -> Option<&'static Method> {
        self.methods().find(|m| m.index(at).is_some())
    }

    /// Is it one of the 3D classes?
    pub fn is_3d(&self) -> bool {
        ["CELSIUS", "KELVIN", "RANKINE", "CURIE"]
            .iter()
            .any(|n| self.name.starts_with(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn methods_of_a_class_do_not_collide() {
        for class in CLASSES {
            let mut seen = BTreeMap::new();
            for method in class.methods() {
                for at in method.addresses() {
                    assert!(at < 0x2000 && at % 4 == 0, "{:x}:{at:x}", class.id);
                    assert_eq!(
                        seen.insert(at, method.name),
                        None,
                        "{:x}:{at:04x}",
                        class.id
                    );
                    assert_eq!(class.method(at).map(|m| m.name), Some(method.name));
                }
            }
        }
    }

    #[test]
    fn changes_name_words() {
        use crate::bundle::Bundle;
        const OTHERS: &[&str] = &[
            "XFMODE_A",
            "XFMODE_B",
            "XFMODE_C",
            "XFMODE_T",
            "XFCTX",
            "LTCTX",
            "LTC",
            "VAB",
            "XFPR",
            "VTXBUF",
            "CONFIG_C",
            "DMA",
            "BEGIN_END",
            "EDGE_FLAG",
            "UCLIP",
        ];
        for class in CLASSES {
            for method in class.methods() {
                for word in method.changes.split_whitespace() {
                    assert!(
                        Bundle::by_name(word).is_some()
                            || OTHERS.contains(&word)
                            || ["SURF_", "FE3D_", "CTX_"]
                                .iter()
                                .any(|p| word.starts_with(p)),
                        "{:x} {}: {word}",
                        class.id,
                        method.name
                    );
                }
            }
        }
    }

    #[test]
    fn labels_carry_indices() {
        let kelvin = Class::by_id(0x97).unwrap();
        let light = kelvin.method(0x10dc).unwrap();
        assert_eq!(light.label(0x10dc), "LIGHT_POSITION[1][0]");
        assert_eq!(kelvin.method(0x1e60).unwrap().label(0x1e60), "RC_CONFIG");
        assert_eq!(kelvin.method(0x1e68).map(|m| m.name), Some("UNK1E68"));
        assert!(Class::by_id(0x597).unwrap().method(0x1e68).is_none());
    }
}
