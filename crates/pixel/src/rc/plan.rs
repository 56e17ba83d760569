//! The combiners as a short list of operations, made once per state change.
//!
//! The words are run symbolically, channel by channel: a constant input is
//! folded, what nobody reads is dropped, a clamp that the known ranges make
//! idle disappears, equal expressions are formed once. What is left runs with the arithmetic
//! of `arith.rs` over up to four blocks of sixteen lanes and gives the bits of
//! [`Combiners::run`]. No value needs more than sixteen bits.

mod build;
mod modulate;
mod slots;

pub use modulate::{Modulate, Passthrough};
pub use slots::{Slots, Values, put_texels};

use super::Combiners;
use crate::frag::LANES;
use build::Builder;
use isotherm_lanes::fixed::{div255_signed, div255_u16};
use slots::{Both, Value};

/// Values that a plan can hold: the sources, then its own results.
const SLOTS: usize = 128;

/// Blocks that take their steps together at most: as many as the first cache holds.
pub const BLOCKS: usize = 4;

/// Where the units before the combiners put what a plan reads.
pub mod slot {
    /// Diffuse colour R, G, B, A.
    pub const COL0: usize = 0;
    /// Specular colour R, G, B, A.
    pub const COL1: usize = 4;
    /// Texture registers 0 to 3, R, G, B, A each.
    pub const TEX0: usize = 8;
    /// Fog factor.
    pub const FOG: usize = 24;
    /// First result.
    pub const FREE: usize = 25;
}

/// What the state says about a texture register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRange {
    /// No texture: black, alpha 1.
    Opaque,
    /// 0 to 255.
    Unsigned,
    /// -255 to 255.
    Signed,
}

/// What the state says about the registers that the plan reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownInputs {
    /// The texture registers.
    pub textures: [TextureRange; 4],
    /// There is a specular colour; else it is black, alpha 1.
    pub specular: bool,
    /// There is a fog factor; else it is 1.
    pub fog: bool,
}

/// What a step does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The operands are the number's lower and upper byte.
    Fill,
    Linear {
        mul: i16,
        add: i16,
        low: i16,
        high: i16,
    },
    Half,
    Dot,
    /// Both operands in 0..=255.
    TimesBytes,
    /// Both operands in -255..=255.
    Times,
    TimesAny,
    Add,
    /// The sum of both, limited.
    Sum {
        add: i16,
        low: i16,
        high: i16,
    },
    /// The same of two products of bytes.
    Products {
        add: i16,
        low: i16,
        high: i16,
    },
    Pick(bool),
    Select,
    /// All operands in 0..=255.
    MixBytes,
    MixAny,
}

/// Operands of a step at most.
const OPERANDS: usize = 6;

/// One operation on one to four channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    kind: Kind,
    count: u8,
    /// Result and operands of each channel, as slots.
    parts: [[u8; 1 + OPERANDS]; 4],
}

/// The compiled combiners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    steps: Vec<Step>,
    out: [u8; 4],
    /// Sources that are read, one bit per slot.
    reads: u32,
}

impl Plan {
    /// Adds an operation behind those that are there, to a step of its kind if the last one is.
    fn append(&mut self, kind: Kind, part: [u8; 1 + OPERANDS]) {
        match self.steps.last_mut() {
            Some(step) if step.kind == kind && step.count < 4 => {
                step.parts[step.count as usize] = part;
                step.count += 1;
            }
            _ => self.steps.push(Step {
                kind,
                count: 1,
                parts: [part; 4],
            }),
        }
    }

    /// Compiles a state; `None` if it needs more values than a plan can hold.
    pub fn new(rc: &Combiners, known: &KnownInputs) -> Option<Plan> {
        let (b, out) = Builder::new(rc, known);
        b.emit(out)
    }

    /// The colour that comes out as it went in, if that is all that happens.
    pub fn through(&self) -> Option<Passthrough> {
        let from = |first: usize| self.out == [0, 1, 2, 3].map(|c| (first + c) as u8);
        if from(slot::COL0) {
            Some(Passthrough::Diffuse)
        } else if from(slot::COL1) {
            Some(Passthrough::Specular)
        } else {
            None
        }
    }

    /// The same as a texture modulated by the diffuse colour, if it is no more than that.
    pub fn modulate(&self) -> Option<Modulate> {
        let stage = (0..4).find(|i| self.reads(slot::TEX0 + 4 * i))?;
        let mut modulate = Modulate {
            stage,
            product: [0; 2],
            primary: [0; 2],
        };
        for (channel, &out) in self.out.iter().enumerate() {
            let (diffuse, texel) = (slot::COL0 + channel, slot::TEX0 + 4 * stage + channel);
            let (half, bits) = Modulate::CHANNELS[channel];
            if self.multiplies(out, diffuse as u8, texel as u8) {
                modulate.product[half] |= bits;
            } else if out == diffuse as u8 {
                modulate.primary[half] |= bits;
            } else if out != texel as u8 {
                return None;
            }
        }
        Some(modulate)
    }

    /// Is a slot the product of two bytes in these slots?
    fn multiplies(&self, out: u8, x: u8, y: u8) -> bool {
        let parts = |step: &Step| step.parts[..step.count as usize].to_vec();
        self.steps
            .iter()
            .filter(|step| step.kind == Kind::TimesBytes)
            .flat_map(parts)
            .any(|[to, a, b, ..]| to == out && [a.min(b), a.max(b)] == [x, y])
    }

    /// Does it read any of the four channels from slot `first` on?
    pub fn reads(&self, first: usize) -> bool {
        self.reads >> first & 15 != 0
    }

    /// Does it read the fog factor?
    pub fn reads_fog(&self) -> bool {
        self.reads >> slot::FOG & 1 != 0
    }

    /// Runs the steps on the first `count` blocks, whose sources are in their slots: each step
    /// on all of them, which are independent of each other, so that none waits for the step
    /// before.
    #[inline(always)]
    pub fn run(&self, values: &mut Values, count: usize) {
        if count > 2 {
            self.run_pairs::<2>(values);
        } else {
            self.run_pairs::<1>(values);
        }
    }

    #[inline(always)]
    fn run_pairs<const N: usize>(&self, values: &mut Values) {
        for step in &self.steps {
            step.run::<N>(values);
        }
    }

    /// The colours of a pair of blocks, 0..=255: blue and red, green and alpha, sixteen bits
    /// each.
    #[inline(always)]
    pub fn colors(&self, values: &Values, pair: usize) -> [[[u32; LANES]; 2]; 2] {
        // Written out, here and below: closures over arrays do not always become
        // part of the vector code around them.
        let [r, g, b, a] = self.out;
        let br = slots::apart(value(values, b).of(pair), value(values, r).of(pair));
        let ga = slots::apart(value(values, g).of(pair), value(values, a).of(pair));
        [[br[0], ga[0]], [br[1], ga[1]]]
    }
}

#[inline(always)]
fn value(values: &Values, slot: u8) -> &Value {
    &values[slot as usize % SLOTS]
}

impl Step {
    #[inline(always)]
    fn each<const N: usize>(&self, values: &mut Values, f: impl Fn(i16, i16, i16) -> i16) {
        for &[to, a, b, c, ..] in self.parts.iter().take(self.count as usize) {
            for pair in 0..N {
                let mut out: Both = [0; 2 * LANES];
                let (a, b) = (value(values, a).of(pair), value(values, b).of(pair));
                let c = value(values, c).of(pair);
                for i in 0..2 * LANES {
                    out[i] = f(a[i], b[i], c[i]);
                }
                *values[to as usize % SLOTS].of_mut(pair) = out;
            }
        }
    }

    /// The same where sixteen bits do not hold what is between operands and result.
    #[inline(always)]
    fn wide<const N: usize>(&self, values: &mut Values, f: impl Fn(i32, i32, i32) -> i32) {
        self.each::<N>(values, |a, b, c| {
            f(i32::from(a), i32::from(b), i32::from(c)) as i16
        });
    }

    #[inline(always)]
    fn fill<const N: usize>(&self, values: &mut Values) {
        for &[to, low, high, ..] in self.parts.iter().take(self.count as usize) {
            for pair in 0..N {
                let number = i16::from_le_bytes([low, high]);
                *values[to as usize % SLOTS].of_mut(pair) = [number; 2 * LANES];
            }
        }
    }

    #[inline(always)]
    fn products<const N: usize>(&self, values: &mut Values, [add, low, high]: [i16; 3]) {
        for &[to, a, b, c, d, ..] in self.parts.iter().take(self.count as usize) {
            for pair in 0..N {
                let mut out: Both = [0; 2 * LANES];
                let (a, b) = (value(values, a).of(pair), value(values, b).of(pair));
                let (c, d) = (value(values, c).of(pair), value(values, d).of(pair));
                for i in 0..2 * LANES {
                    let sum = times_bytes(a[i], b[i]).wrapping_add(times_bytes(c[i], d[i]));
                    out[i] = sum.wrapping_add(add).max(low).min(high);
                }
                *values[to as usize % SLOTS].of_mut(pair) = out;
            }
        }
    }

    #[inline(always)]
    fn dot<const N: usize>(&self, values: &mut Values) {
        for &[to, a, b, c, d, e, f] in self.parts.iter().take(self.count as usize) {
            for pair in 0..N {
                let mut out: Both = [0; 2 * LANES];
                let (a, b) = (value(values, a).of(pair), value(values, b).of(pair));
                let (c, d) = (value(values, c).of(pair), value(values, d).of(pair));
                let (e, f) = (value(values, e).of(pair), value(values, f).of(pair));
                for i in 0..2 * LANES {
                    let product = |x: &Both, y: &Both| i32::from(x[i]) * i32::from(y[i]);
                    out[i] = div255_signed(product(a, b) + product(c, d) + product(e, f)) as i16;
                }
                *values[to as usize % SLOTS].of_mut(pair) = out;
            }
        }
    }

    #[inline(always)]
    fn run<const N: usize>(&self, values: &mut Values) {
        match self.kind {
            Kind::Fill => self.fill::<N>(values),
            Kind::Linear {
                mul,
                add,
                low,
                high,
            } => self.each::<N>(values, |x, _, _| {
                x.wrapping_mul(mul).wrapping_add(add).max(low).min(high)
            }),
            Kind::Half => self.each::<N>(values, |x, _, _| x.wrapping_add(1) >> 1),
            Kind::Dot => self.dot::<N>(values),
            Kind::TimesBytes => self.each::<N>(values, |a, b, _| times_bytes(a, b)),
            Kind::Times => self.each::<N>(values, |a, b, _| times(a, b)),
            Kind::TimesAny => self.wide::<N>(values, |a, b, _| div255_signed(a * b)),
            Kind::Add => self.each::<N>(values, |a, b, _| a.wrapping_add(b)),
            Kind::Sum { add, low, high } => self.each::<N>(values, |a, b, _| {
                let sum = a.wrapping_add(b).wrapping_add(add);
                sum.max(low).min(high)
            }),
            Kind::Products { add, low, high } => self.products::<N>(values, [add, low, high]),
            Kind::Pick(true) => self.each::<N>(values, |x, _, _| -i16::from(x >= 128)),
            Kind::Pick(false) => self.each::<N>(values, |x, _, _| -(x & 1)),
            Kind::Select => self.each::<N>(values, |p, a, b| (a & !p) | (b & p)),
            Kind::MixBytes => self.each::<N>(values, |a, b, c| {
                let [a, b, c] = [a as u16, b as u16, c as u16];
                let rest = 255u16.wrapping_sub(a).wrapping_mul(c);
                div255_u16(a.wrapping_mul(b).wrapping_add(rest)) as i16
            }),
            Kind::MixAny => {
                self.wide::<N>(values, |a, b, c| div255_signed(a * b + (255 - a) * c));
            }
        }
    }
}

/// a b / 255 of bytes, rounded to nearest.
#[inline(always)]
fn times_bytes(a: i16, b: i16) -> i16 {
    div255_u16((a as u16).wrapping_mul(b as u16)) as i16
}

/// a b / 255, rounded to nearest, by their sizes: there are no ties.
#[inline(always)]
fn times(a: i16, b: i16) -> i16 {
    let size = div255_u16(a.unsigned_abs().wrapping_mul(b.unsigned_abs())) as i16;
    if a ^ b < 0 { -size } else { size }
}

#[cfg(test)]
pub(super) mod tests;
