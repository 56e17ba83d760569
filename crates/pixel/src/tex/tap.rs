//! Following one sample through the general path.

use super::unit::Filter;

/// Somebody who follows a sample. The unit itself only wants to know what kills: for a `bool`
/// all the rest is nothing.
pub(crate) trait Tap {
    /// The colour key or alpha kills the fragment.
    fn kill(&mut self);
    /// The level of detail, 8 fraction bits; said again when it was limited.
    fn lod(&mut self, _lod: i32) {}
    /// A probe of an anisotropic footprint begins; its weight.
    fn probe(&mut self, _weight: u32) {}
    /// A level is filtered at this place, in texels with 8 fraction bits.
    fn level(&mut self, _number: usize, _filter: Filter, _place: [i32; 3]) {}
    /// A texel was fetched: its coordinates before wrapping, its index in the image.
    fn texel(&mut self, _at: [i32; 3], _index: usize, _texel: u32) {}
    /// A texel lies outside and shows the border colour.
    fn border(&mut self, _at: [i32; 3], _color: u32) {}
    /// The last texel is a depth and was compared with this.
    fn compared(&mut self, _reference: u32) {}
}

impl Tap for bool {
    #[inline(always)]
    fn kill(&mut self) {
        *self = true;
    }
}
