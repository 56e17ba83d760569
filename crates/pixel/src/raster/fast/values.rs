//! What the pixel units read of a triangle, prepared for [`Interpolate`].

use super::interpolate::{Interpolate, Slope, Weights, wide};
use crate::frag::Frag;
use crate::raster::attrs::Attrs;
use crate::raster::fog::Fog;

/// Coordinates of all sets.
const COORDINATES: usize = 16;

/// The values that are not the same for a whole triangle.
pub(super) struct Values {
    /// Texture coordinates and their places among those of all sets.
    coordinates: [(usize, Slope); COORDINATES],
    count: usize,
    fog: Option<Slope>,
    colors: bool,
}

impl Values {
    pub(super) fn new() -> Values {
        Values {
            coordinates: [(0, Slope::default()); COORDINATES],
            count: 0,
            fog: None,
            colors: false,
        }
    }

    /// Takes a triangle's; `fog` says that its fog value is read. `None` if a number could
    /// leave float32's range.
    #[inline(always)]
    pub(super) fn take(&mut self, attrs: &Attrs, fog: bool) -> Option<&Values> {
        self.count = 0;
        for (set, values) in attrs.tex.iter().enumerate() {
            let varying = attrs.varying(set);
            for (c, v) in values.iter().enumerate() {
                if varying >> c & 1 != 0 {
                    let place = 4 * set + c;
                    self.coordinates[self.count % COORDINATES] = (place, Slope::new(v)?);
                    self.count += 1;
                }
            }
        }
        self.fog = match fog {
            true => Some(Slope::new(&attrs.fog)?),
            false => None,
        };
        self.colors = attrs.constant != [true; 2];
        Some(self)
    }

    /// Is there nothing to interpolate?
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0 && self.fog.is_none() && !self.colors
    }

    /// Puts a group's values in their places.
    #[inline(always)]
    pub(super) fn fill<L: Interpolate>(
        &self,
        weights: &Weights,
        attrs: &Attrs,
        fog: &Fog,
        frag: &mut Frag,
    ) {
        let places = frag.tex.as_flattened_mut();
        for (place, slope) in self.coordinates.iter().take(self.count) {
            places[place % COORDINATES] = L::value(slope, weights);
        }
        if let Some(slope) = &self.fog {
            frag.fog = fog.run(&wide(&L::value(slope, weights)));
        }
        if self.colors {
            attrs.fill_colors(&weights.shares, false, frag);
        }
    }
}
