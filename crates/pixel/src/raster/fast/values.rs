//! What the pixel units read of a triangle, prepared for [`Interpolate`].

use super::interpolate::{Interpolate, Slope, Weights, wide};
use crate::frag::{F, Frag, I};
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
    /// Fog that is a straight line, and whether it is one of the value's size.
    line: Option<(Slope, bool)>,
    colors: bool,
}

impl Values {
    pub(super) fn new() -> Values {
        Values {
            coordinates: [(0, Slope::default()); COORDINATES],
            count: 0,
            fog: None,
            line: None,
            colors: false,
        }
    }

    /// Takes a triangle's; there is `fog` if its fog value is read. `None` if a number could
    /// leave float32's range.
    #[inline(always)]
    pub(super) fn take(&mut self, attrs: &Attrs, fog: Option<&Fog>) -> Option<&Values> {
        self.count = 0;
        let (values, mut varying) = (attrs.tex.as_flattened(), attrs.varying());
        while varying != 0 {
            let place = varying.trailing_zeros() as usize % COORDINATES;
            varying &= varying - 1;
            self.coordinates[self.count % COORDINATES] = (place, Slope::new(&values[place])?);
            self.count += 1;
        }
        self.fog = None;
        if let Some(fog) = fog {
            self.fog = Some(Slope::new(&attrs.fog)?);
            self.line = line(fog);
        }
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
            frag.fog = self.factors::<L>(fog, &L::value(slope, weights));
        }
        let [diffuse, specular] = attrs.constant;
        if !diffuse {
            L::mix_color(&weights.shares, &attrs.color[0], &mut frag.col0);
        }
        if !specular {
            L::mix_color(&weights.shares, &attrs.color[1], &mut frag.col1);
        }
    }

    /// The fog factors of a group's values.
    #[inline(always)]
    fn factors<L: Interpolate>(&self, fog: &Fog, value: &F) -> I {
        match &self.line {
            Some((line, size)) => Fog::on_line(&L::value(line, &Weights::of(value, *size))),
            None => fog.run(&wide(value)),
        }
    }
}

/// Fog's straight line, if it has one and no number on it can leave float32's range.
#[inline(always)]
fn line(fog: &Fog) -> Option<(Slope, bool)> {
    let (bias, mult, size) = fog.line()?;
    Some((Slope::line(bias, mult)?, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::fog::Mode;
    use isotherm_lanes::{Base, Random};

    /// A number of about this size, half of them below 0.
    fn number(random: &mut Random, power: i32) -> f32 {
        let size = (1.0 + random.unit()) * 2f32.powi(random.below(12) as i32 - 6 + power);
        if random.one_in(2) { -size } else { size }
    }

    /// The factors by the line are those that float64 has.
    fn same<L: Interpolate>(seed: u64) {
        let mut random = Random::new(seed);
        let mut between = 0;
        for round in 0..20000 {
            let power = random.below(40) as i32 - 20;
            let any = number(&mut random, 0);
            let fog = Fog {
                enable: true,
                mode: random.pick(&[Mode::Linear, Mode::LinearAbs]),
                bias: random.pick(&[0.0, 1.0, 2.0, any]),
                mult: number(&mut random, -power),
            };
            let value: F = std::array::from_fn(|_| number(&mut random, power));
            let mut values = Values::new();
            values.line = line(&fog);
            assert!(values.line.is_some());
            let want = fog.run(&wide(&value));
            between += want.iter().filter(|f| (1..255).contains(*f)).count();
            let got = values.factors::<L>(&fog, &value);
            assert_eq!(got, want, "round {round}: {fog:?} {value:?}");
        }
        assert!(between > 40000, "{between}");
    }

    #[test]
    fn a_line_of_fog_in_float32() {
        same::<Base>(41);
        #[cfg(target_arch = "x86_64")]
        if isotherm_lanes::Level::up_to("").is_avx512() {
            same::<isotherm_lanes::Avx512>(42);
        }
    }

    #[test]
    fn curves_and_large_numbers_are_no_lines() {
        let fog = |mode, mult| Fog {
            enable: true,
            mode,
            bias: 1.0,
            mult,
        };
        assert!(line(&fog(Mode::Linear, 1.0)).is_some());
        assert!(line(&fog(Mode::Exp, 1.0)).is_none());
        assert!(line(&fog(Mode::Linear, 1e30)).is_none());
        assert!(line(&fog(Mode::Linear, f32::NAN)).is_none());
    }
}
