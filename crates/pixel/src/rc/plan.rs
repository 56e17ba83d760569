//! The combiners as a short list of operations, made once per state change.
//!
//! The words are run symbolically, channel by channel: a constant input is
//! folded, what nobody reads is dropped, a clamp that the known ranges make
//! idle disappears, equal expressions are formed once. What is left runs over
//! sixteen lanes with the arithmetic of `arith.rs` and gives the bits of
//! [`Combiners::run`].

mod build;
mod modulate;

pub use modulate::{Modulate, Passthrough};

use super::Combiners;
use crate::frag::{Frag, I, LANES, halves, lanes};
use build::Builder;
use isotherm_lanes::fixed::{div255_signed, div255_u16};

/// Values that a plan can hold: the sources, then its own results.
const SLOTS: usize = 128;

/// The values of a block while a plan runs.
pub type Slots = [I; SLOTS];

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
    Fill(i32),
    Linear {
        mul: i32,
        add: i32,
        low: i32,
        high: i32,
    },
    Half,
    Round,
    Product,
    /// Both operands in 0..=255.
    TimesBytes,
    Times,
    Add,
    Pick(bool),
    Select,
    Mix,
}

/// One operation on one to four channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    kind: Kind,
    count: u8,
    /// Result and operands of each channel, as slots.
    parts: [[u8; 4]; 4],
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
            .any(|[to, a, b, _]| to == out && [a.min(b), a.max(b)] == [x, y])
    }

    /// Does it read any of the four channels from slot `first` on?
    pub fn reads(&self, first: usize) -> bool {
        self.reads >> first & 15 != 0
    }

    /// Does it read the fog factor?
    pub fn reads_fog(&self) -> bool {
        self.reads >> slot::FOG & 1 != 0
    }

    /// Runs the steps on blocks whose sources are in their slots: each step on all of them,
    /// which are independent of each other, so that none waits for the step before.
    #[inline(always)]
    pub fn run(&self, blocks: &mut [Frag]) {
        for step in &self.steps {
            step.run(blocks);
        }
    }

    /// R, G, B, A of a block as 0..=255.
    #[inline(always)]
    pub fn color(&self, slots: &Slots) -> [I; 4] {
        // Written out, here and below: closures over arrays do not always become
        // part of the vector code around them.
        let [r, g, b, a] = self.out;
        [
            slots[r as usize % SLOTS],
            slots[g as usize % SLOTS],
            slots[b as usize % SLOTS],
            slots[a as usize % SLOTS],
        ]
    }
}

#[inline(always)]
fn bits(x: &I) -> [u32; LANES] {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = x[i].cast_unsigned();
    }
    out
}

#[inline(always)]
fn signed(x: [u32; LANES]) -> I {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = x[i].cast_signed();
    }
    out
}

impl Step {
    #[inline(always)]
    fn each(&self, blocks: &mut [Frag], f: impl Fn(i32, i32, i32) -> i32) {
        let slot = |s: u8| s as usize % SLOTS;
        for &[to, a, b, c] in self.parts.iter().take(self.count as usize) {
            for block in &mut *blocks {
                let slots = &mut *block.slots;
                let mut out = [0; LANES];
                for i in 0..LANES {
                    out[i] = f(slots[slot(a)][i], slots[slot(b)][i], slots[slot(c)][i]);
                }
                slots[slot(to)] = out;
            }
        }
    }

    /// Products of bytes: 16 bits hold them, which takes half as long as products of 32.
    #[inline(always)]
    fn times_bytes(&self, blocks: &mut [Frag]) {
        let slot = |s: u8| s as usize % SLOTS;
        for &[to, a, b, _] in self.parts.iter().take(self.count as usize) {
            for block in &mut *blocks {
                let slots = &mut *block.slots;
                let (a, b) = (halves(bits(&slots[slot(a)])), halves(bits(&slots[slot(b)])));
                let mut out = [0; 2 * LANES];
                for i in 0..2 * LANES {
                    out[i] = div255_u16(a[i].wrapping_mul(b[i]));
                }
                slots[slot(to)] = signed(lanes(out));
            }
        }
    }

    #[inline(always)]
    fn run(&self, blocks: &mut [Frag]) {
        match self.kind {
            Kind::Fill(v) => self.each(blocks, |_, _, _| v),
            Kind::Linear {
                mul,
                add,
                low,
                high,
            } => self.each(blocks, |x, _, _| (x * mul + add).max(low).min(high)),
            Kind::Half => self.each(blocks, |x, _, _| (x + 1) >> 1),
            Kind::Round => self.each(blocks, |x, _, _| div255_signed(x)),
            Kind::Product => self.each(blocks, |a, b, _| a * b),
            Kind::TimesBytes => self.times_bytes(blocks),
            Kind::Times => self.each(blocks, |a, b, _| div255_signed(a * b)),
            Kind::Add => self.each(blocks, |a, b, _| a + b),
            Kind::Pick(true) => self.each(blocks, |x, _, _| -i32::from(x >= 128)),
            Kind::Pick(false) => self.each(blocks, |x, _, _| -(x & 1)),
            Kind::Select => self.each(blocks, |p, a, b| (a & !p) | (b & p)),
            Kind::Mix => self.each(blocks, |a, b, c| div255_signed(a * b + (255 - a) * c)),
        }
    }
}

#[cfg(test)]
mod tests;
