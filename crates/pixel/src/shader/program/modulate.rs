//! Programs that multiply a texel by the diffuse colour, which is what drivers make of fixed
//! function. Both are bytes, and so is the result: nothing has to become a float in between.

use super::apart::{Apart, Sight};
use super::exec::Units;
use super::input;
use super::lanes::Lanes;
use super::plan::{Kind, Plan, Round, Step};
use crate::tex::program::BoundUnit;
use isotherm_lanes::LANES;
use isotherm_regs::Family;
use isotherm_regs::fp::Op;

/// The first row of the diffuse colour.
const COLOR: u32 = 4 * input::COLOR as u32;

/// Is that all that a plan does? Its sights must be known.
pub(super) fn modulates(plan: &Plan) -> bool {
    let [moves @ .., lookup, product] = plan.steps.as_slice() else {
        return false;
    };
    let Some(texel) = lookup.dst else {
        return false;
    };
    let rows = [0, 1].map(|i| product.src[i].rows);
    let row = |first: u32| [0, 1, 2, 3].map(|c| first + c);
    let pair = [row(texel.row), row(COLOR)];
    plan.family == Family::Curie
        && plan.more.is_empty()
        && plan.sights.as_ref().is_some_and(|sights| sights.len() == 1)
        && moves.iter().all(|step| step.op == Op::Mov && !step.end)
        && matches!(lookup.op, Op::Tex | Op::Txp)
        && all_of(lookup)
        && lookup.round == Round::Full
        && texel.kind == Kind::Whole
        && !lookup.sat
        && !lookup.expand
        && !lookup.end
        && product.op == Op::Mul
        && all_of(product)
        && product.round == Round::HalfCut
        && product.dst == Some(plan.color)
        && !product.staged
        && product.src[..2].iter().all(|src| src.plain())
        && (rows == pair || rows == [pair[1], pair[0]])
}

/// Does a step write all components as they are?
fn all_of(step: &Step) -> bool {
    step.always && step.mask == 15 && step.scale == 1.0
}

/// Such a program with its texture.
pub(super) struct Modulate<'a> {
    sight: &'a Sight,
    unit: &'a BoundUnit,
}

impl Modulate<'_> {
    /// `None` if the plan is another, or its texels are no bytes.
    #[inline(always)]
    pub(super) fn new<'a>(plan: &'a Plan, units: &'a Units) -> Option<Modulate<'a>> {
        let [sight] = plan.sights.as_deref().filter(|_| plan.modulates)? else {
            return None;
        };
        let unit = units[usize::from(sight.unit & 15)].as_ref()?;
        unit.gives_bytes().then_some(Modulate { sight, unit })
    }

    /// The colours of a block: blue and red, green and alpha.
    #[inline(always)]
    pub(super) fn run<S: Apart>(&self, lanes: &Lanes, block: usize) -> [S::I; 2] {
        let coords = self.sight.coords::<S>(lanes, block);
        let footprint = S::load(lanes.block(self.sight.row, block));
        let texels = self.unit.bytes::<S>(coords, footprint);
        let mut channels = [S::isplat(0); 4];
        for (row, channel) in (COLOR..).zip(&mut channels) {
            *channel = S::to_byte(S::load(lanes.block(row, block)));
        }
        let [r, g, b, a] = channels;
        [
            S::modulate(texels[0], S::ior(b, S::shl::<16>(r))),
            S::modulate(texels[1], S::ior(g, S::shl::<16>(a))),
        ]
    }
}

/// The byte of two bytes' product. As a part of 255 each, its 24 bits are cut to a half float,
/// then to twelve bits behind the point (one less from a half on), then rounded to a byte. A test
/// goes through all bytes.
#[inline(always)]
pub(super) fn product(a: u16, b: u16) -> u16 {
    let product = a * b;
    // In parts of 65536 instead of 65025: as near as any of the 256 steps needs.
    let part = product + ((u32::from(product) * PART) >> 16) as u16;
    let cut = (part & !(part >> 11 & 0x10)) >> 4;
    ((u32::from(cut) * 255 + 2048) >> 12) as u16
}

/// See [`product`].
pub(super) const PART: u32 = 515;

/// [`product`] of both numbers of each lane.
#[inline(always)]
pub(super) fn products(a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
    let mut out = [0; LANES];
    for i in 0..LANES {
        let low = product(a[i] as u16, b[i] as u16);
        let high = product((a[i] >> 16) as u16, (b[i] >> 16) as u16);
        out[i] = u32::from(low) | u32::from(high) << 16;
    }
    out
}
