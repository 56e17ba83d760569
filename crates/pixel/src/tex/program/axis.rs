//! One axis of a level: from a coordinate to texels, by the wrap mode.

use crate::tex::image::BORDER;
use crate::tex::sample::to_fixed;
use crate::tex::unit;
use isotherm_lanes::Simd;

/// What happens outside the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrap {
    /// Start again.
    Repeat,
    /// Run back and forth.
    Mirror,
    /// Repeat the edge texel.
    Edge,
    /// Show the border.
    Border,
    /// Clamp the coordinate to the image; a linear filter reaches half of the border.
    Clamp,
    /// Mirrored once around 0, then as above.
    MirrorEdge,
    /// Mirrored once around 0, then as above.
    MirrorBorder,
    /// Mirrored once around 0, then as above.
    MirrorClamp,
}

impl Wrap {
    /// Never shows the border.
    pub(super) fn edgeless(self) -> bool {
        matches!(
            self,
            Wrap::Repeat | Wrap::Mirror | Wrap::Edge | Wrap::MirrorEdge
        )
    }

    fn mirrors_once(self) -> bool {
        matches!(
            self,
            Wrap::MirrorEdge | Wrap::MirrorBorder | Wrap::MirrorClamp
        )
    }
}

/// An axis of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub wrap: Wrap,
    /// Texels.
    pub size: i32,
    /// Texels per unit of the coordinate.
    pub scale: f32,
    /// The image has texels around it.
    pub border: bool,
    /// Added to 256ths of a texel before they are cut.
    pub nudge: f32,
}

/// Beyond this no integer of a coordinate goes.
const MOST: f32 = 2_147_483_392.0;

impl Axis {
    /// After how much of the coordinate the image comes again. Powers of two need no help:
    /// the texels' numbers are cut below.
    #[inline(always)]
    fn period(&self) -> Option<f32> {
        if self.size & (self.size - 1) == 0 {
            return None;
        }
        let image = self.size as f32 / self.scale;
        match self.wrap {
            Wrap::Repeat => Some(image),
            Wrap::Mirror => Some(2.0 * image),
            _ => None,
        }
    }

    /// The wrap mode by its simplest name, where one of these three does.
    pub(super) fn simple_wrap(&self) -> Option<unit::Wrap> {
        let power = self.size & (self.size - 1) == 0;
        match self.wrap {
            Wrap::Repeat if power => Some(unit::Wrap::Repeat),
            Wrap::Mirror if power => Some(unit::Wrap::Mirror),
            Wrap::Edge => Some(unit::Wrap::ClampToEdge),
            _ => None,
        }
    }

    /// Where a coordinate lies, eight fraction bits; for a linear filter that of the first
    /// of two texels. What is no number lies at 0.
    #[inline(always)]
    pub(super) fn fixed(&self, s: f32, linear: bool) -> i32 {
        let mut s = s;
        if let Some(period) = self.period() {
            s -= (s / period).floor() * period;
        } else if self.wrap.mirrors_once() {
            s = s.abs();
        }
        let mut c = to_fixed(s * (self.scale * 256.0) + self.nudge);
        if matches!(self.wrap, Wrap::Clamp | Wrap::MirrorClamp) {
            c = c.clamp(0, self.size * 256 - i32::from(!linear));
        }
        if linear { c - 128 } else { c }
    }

    /// The texel that a number means; `None` is the border colour.
    #[inline(always)]
    pub(super) fn texel(&self, i: i32) -> Option<i32> {
        let size = self.size;
        match self.wrap {
            Wrap::Repeat => Some(i.rem_euclid(size)),
            Wrap::Mirror => {
                let j = i.rem_euclid(2 * size);
                Some(j.min(2 * size - 1 - j))
            }
            Wrap::Edge | Wrap::MirrorEdge => Some(i.clamp(0, size - 1)),
            _ if self.border => Some(i.clamp(-BORDER, size - 1 + BORDER)),
            Wrap::Border | Wrap::Clamp => (0..size).contains(&i).then_some(i),
            // Left of 0 lies its mirror image.
            Wrap::MirrorBorder | Wrap::MirrorClamp => {
                let i = i.max(0);
                (i < size).then_some(i)
            }
        }
    }

    /// [`Axis::fixed`] of each lane.
    #[inline(always)]
    pub(super) fn fixed_lanes<S: Simd>(&self, s: S::F, linear: bool) -> S::I {
        let mut s = s;
        if let Some(period) = self.period() {
            let period = S::splat(period);
            s = S::sub(s, S::mul(S::floor(S::div(s, period)), period));
        } else if self.wrap.mirrors_once() {
            s = S::modify(s, 0x7fff_ffff, 0);
        }
        let x = S::mul(s, S::splat(self.scale * 256.0));
        let x = S::floor(S::add(x, S::splat(self.nudge)));
        let x = S::select(S::eq(x, x), x, S::splat(0.0));
        let mut x = S::int(S::min(S::max(x, S::splat(-MOST)), S::splat(MOST)));
        if matches!(self.wrap, Wrap::Clamp | Wrap::MirrorClamp) {
            let end = S::isplat(self.size * 256 - i32::from(!linear));
            x = S::imin(S::imax(x, S::isplat(0)), end);
        }
        if linear {
            S::isub(x, S::isplat(128))
        } else {
            x
        }
    }

    /// Lanes whose texel, a number that [`Axis::fixed_lanes`] gave or its neighbour's, is
    /// one of the image's. Images with texels around them are not for lanes.
    #[inline(always)]
    pub(super) fn inside<S: Simd>(&self, i: S::I) -> u32 {
        if self.wrap.edgeless() {
            return 0xffff;
        }
        let below_end = S::bits(S::igt(S::isplat(self.size), i));
        match self.wrap {
            Wrap::Border | Wrap::Clamp => below_end & S::bits(S::igt(i, S::isplat(-1))),
            _ => below_end,
        }
    }

    /// [`Axis::texel`] of the lanes that are [`Axis::inside`], any texel for others.
    #[inline(always)]
    pub(super) fn texel_lanes<S: Simd>(&self, i: S::I) -> S::I {
        let zero = S::isplat(0);
        let size = S::isplat(self.size);
        let last = S::isplat(self.size - 1);
        let power = self.size & (self.size - 1) == 0;
        match self.wrap {
            Wrap::Repeat if power => S::iand(i, last),
            // Not further than one texel outside: the coordinate was reduced.
            Wrap::Repeat => {
                let i = S::iselect(S::igt(zero, i), S::iadd(i, size), i);
                S::iselect(S::igt(i, last), S::isub(i, size), i)
            }
            Wrap::Mirror => {
                let end = S::isplat(2 * self.size - 1);
                let j = if power {
                    S::iand(i, end)
                } else {
                    let wrapped = S::isub(i, S::isplat(2 * self.size));
                    let i = S::iselect(S::igt(i, end), wrapped, i);
                    S::iselect(S::igt(zero, i), zero, i)
                };
                S::imin(j, S::isub(end, j))
            }
            _ => S::imin(S::imax(i, zero), last),
        }
    }
}
