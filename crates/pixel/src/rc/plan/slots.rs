//! Where the values are while a plan runs.

use super::{BLOCKS, SLOTS};
use crate::frag::{I, LANES, lanes};
use crate::tex::Texels;

/// A value of two blocks, lane by lane; the first block's has the lower bits of each 32.
pub type Both = [i16; 2 * LANES];

/// A value of all blocks.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Value([Both; BLOCKS / 2]);

/// All values.
pub type Values = [Value; SLOTS];

/// The lower bits of a lane.
const LOW: u32 = 0xffff;
/// Two bytes, sixteen bits each.
const BYTES: u32 = 0x00ff_00ff;

/// Memory for values, which is taken when it is used first.
#[derive(Clone, Debug, Default)]
pub struct Slots(Vec<Value>);

impl Slots {
    /// All values; what they are is not defined.
    #[inline(always)]
    pub fn values(&mut self) -> &mut Values {
        if self.0.len() < SLOTS {
            self.make();
        }
        // There are as many now.
        self.0.first_chunk_mut().unwrap_or_else(|| unreachable!())
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self) {
        self.0 = vec![Value([[0; 2 * LANES]; BLOCKS / 2]); SLOTS];
    }
}

impl Value {
    #[inline(always)]
    pub(super) fn of(&self, pair: usize) -> &Both {
        &self.0[pair % (BLOCKS / 2)]
    }

    #[inline(always)]
    pub(super) fn of_mut(&mut self, pair: usize) -> &mut Both {
        &mut self.0[pair % (BLOCKS / 2)]
    }

    /// Takes the values of a pair of blocks, which sixteen bits hold.
    #[inline(always)]
    pub fn put(&mut self, pair: usize, first: &I, second: &I) {
        let mut both = [0; LANES];
        for i in 0..LANES {
            both[i] = first[i].cast_unsigned() & LOW | second[i].cast_unsigned() << 16;
        }
        *self.of_mut(pair) = signed(both);
    }
}

/// Takes the texels of a pair of blocks to four values, R, G, B, A.
#[inline(always)]
pub fn put_texels(to: &mut [Value; 4], pair: usize, first: &Texels, second: &Texels) {
    let [r, g, b, a] = to;
    put_bytes([b, r], pair, first, second, 0);
    put_bytes([g, a], pair, first, second, 8);
}

/// The same of the bytes from bit `shift` and from 16 bits above on.
#[inline(always)]
fn put_bytes(to: [&mut Value; 2], pair: usize, first: &Texels, second: &Texels, shift: u32) {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        let (a, b) = (first[i] >> shift & BYTES, second[i] >> shift & BYTES);
        low[i] = a & LOW | b << 16;
        high[i] = a >> 16 | b & !LOW;
    }
    *to[0].of_mut(pair) = signed(low);
    *to[1].of_mut(pair) = signed(high);
}

/// Two values of a pair of blocks as those of either block, the first value in the lower bits.
#[inline(always)]
pub(super) fn apart(low: &Both, high: &Both) -> [[u32; LANES]; 2] {
    let (low, high) = (words(low), words(high));
    let mut out = [[0; LANES]; 2];
    for i in 0..LANES {
        out[0][i] = low[i] & LOW | high[i] << 16;
        out[1][i] = low[i] >> 16 | high[i] & !LOW;
    }
    out
}

#[inline(always)]
fn signed(x: [u32; LANES]) -> Both {
    let halves = crate::frag::halves(x);
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        out[i] = halves[i].cast_signed();
    }
    out
}

#[inline(always)]
fn words(x: &Both) -> [u32; LANES] {
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        out[i] = x[i].cast_unsigned();
    }
    lanes(out)
}
