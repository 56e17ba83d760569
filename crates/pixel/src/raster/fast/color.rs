//! Colours of sixteen pixels on the fast way, down to the words in memory.
//!
//! They travel as two pairs of channels per lane: blue and red, green and alpha, 16 bits
//! each. Neither a weighted sum of bytes nor a blended one ever needs more.

use super::FastTriangle;
use super::state::{Blending, FastState};
use crate::frag::{self, Halves, I, LANES, halves, lanes};
use crate::raster::colors::{Mix, Steps, weight};
use crate::raster::shares::weights_of;
use crate::rop::Rop;
use crate::rop::blend::unpack;
use crate::shader::Modulate;
use crate::tex::Texels;
use isotherm_lanes::{Base, Simd};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Two 8-bit channels per lane.
pub(super) type Pair = [u32; LANES];

/// The bits of the two channels.
const PAIR: u32 = 0x00ff_00ff;
/// Half of the last bit that is kept, in both channels.
const HALF: u32 = 0x0080_0080;

/// The colour's last steps for each level.
pub(crate) trait ColorLanes: Simd {
    /// The new words of the lanes in `mask`, the old ones elsewhere. They come from the
    /// texels, if there is a texture, and from the shares of vertices 0 and 2.
    #[inline(always)]
    fn finish(
        triangle: &FastTriangle<'_, '_>,
        texture: Option<(&Modulate, &Texels)>,
        shares: &[I; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        let color = triangle.color(texture, shares);
        blended::<Self>(triangle.state, &triangle.draw.rop, color, mask, old)
    }

    /// The same of Curie's colours, in a whole block of the tile.
    #[inline(always)]
    fn finish_bytes(
        bytes: &Bytes<'_>,
        place: [i32; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        blended::<Self>(bytes.state, bytes.rop, bytes.color(place), mask, old)
    }
}

impl ColorLanes for Base {}

#[cfg(target_arch = "x86_64")]
impl ColorLanes for isotherm_lanes::Avx2 {}

#[cfg(target_arch = "x86_64")]
impl ColorLanes for isotherm_lanes::Avx512 {
    #[inline(always)]
    fn finish(
        triangle: &FastTriangle<'_, '_>,
        texture: Option<(&Modulate, &Texels)>,
        shares: &[I; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { avx512::finish(triangle, texture, shares, mask, old) }
    }

    #[inline(always)]
    fn finish_bytes(
        bytes: &Bytes<'_>,
        place: [i32; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        // SAFETY: as above.
        unsafe { avx512::finish_bytes(bytes, place, mask, old) }
    }
}

/// Curie's diffuse colours in the whole blocks of a tile.
#[repr(C, align(64))]
pub(crate) struct Bytes<'a> {
    /// What the lanes of a block add to its first pixel's number, for both weights.
    lanes: [[i64; LANES]; 2],
    steps: Steps,
    /// Red, green, blue, alpha. Inside of a triangle no limits are needed.
    mixes: [Mix; 4],
    state: &'a FastState,
    rop: &'a Rop,
}

impl<'a> Bytes<'a> {
    #[inline(always)]
    pub(super) fn new(steps: Steps, mixes: [Mix; 4], state: &'a FastState, rop: &'a Rop) -> Self {
        Bytes {
            lanes: [steps.lanes(0), steps.lanes(1)],
            steps,
            mixes,
            state,
            rop,
        }
    }

    #[inline(always)]
    fn color(&self, place: [i32; 2]) -> [Pair; 2] {
        let mut weights = [[0; LANES]; 2];
        for (i, weights) in weights.iter_mut().enumerate() {
            let first = self.steps.at(i, place);
            for lane in 0..LANES {
                weights[lane] = weight(first.wrapping_add(self.lanes[i][lane]));
            }
        }
        let [r, g, b, a] = &self.mixes;
        frag::pairs(&[
            r.bytes(&weights),
            g.bytes(&weights),
            b.bytes(&weights),
            a.bytes(&weights),
        ])
    }
}

/// A vertex's colour as blue and red, green and alpha.
#[inline(always)]
pub(super) fn pairs([r, g, b, a]: [u8; 4]) -> [u32; 2] {
    let (r, g, b, a) = (u32::from(r), u32::from(g), u32::from(b), u32::from(a));
    [b | r << 16, g | a << 16]
}

/// The same of sixteen fragments' R, G, B, A, which stand quad by quad.
#[inline(always)]
pub(super) fn pairs_of_quads<L: Simd>(color: &[I; 4]) -> [Pair; 2] {
    let mut rows = [[0; LANES]; 2];
    for (row, pair) in rows.iter_mut().zip(&frag::pairs(color)) {
        L::istore(L::rows_of_quads(L::iload(pair)), row);
    }
    rows
}

/// The alpha of green and alpha.
#[inline(always)]
pub(super) fn alpha_of(ga: &Pair) -> Pair {
    let mut alpha = [0; LANES];
    for i in 0..LANES {
        alpha[i] = ga[i] >> 16;
    }
    alpha
}

/// The same of words.
#[inline(always)]
fn pairs_of_words(words: &[u32; LANES]) -> [Pair; 2] {
    let (mut br, mut ga) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        br[i] = words[i] & PAIR;
        ga[i] = words[i] >> 8 & PAIR;
    }
    [br, ga]
}

/// The same number in both channels.
#[inline(always)]
fn both(x: &Pair) -> Halves {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = x[i] | x[i] << 16;
    }
    halves(out)
}

/// A pair of channels of a triangle's vertices, as [`mix`] needs them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VertexPairs {
    /// Vertex 1's.
    own: u32,
    /// The same with weight 256 and the rounding's half; then with the highest bit of the
    /// mixed channel turned.
    start: [u32; 2],
    /// What vertices 0 and 2 have more, modulo 2^16.
    more: [u32; 2],
}

impl VertexPairs {
    #[inline(always)]
    pub(super) fn new([c0, c1, c2]: [u32; 3]) -> VertexPairs {
        let start = (c1 << 8) + HALF;
        VertexPairs {
            own: c1,
            start: [start, start ^ HALF << 8],
            more: [difference(c0, c1), difference(c2, c1)],
        }
    }
}

/// What one vertex's channels have more than another's.
#[inline(always)]
fn difference(a: u32, b: u32) -> u32 {
    let low = a.wrapping_sub(b) & 0xffff;
    let high = (a >> 16).wrapping_sub(b >> 16) << 16;
    low | high
}

/// Mixes a pair of the vertices' channels with weights of 256. Covered lanes have
/// no weight below 0, so neither channel's sum leaves its 16 bits.
#[inline(always)]
fn mix(w: &[I; 3], c: &VertexPairs) -> Pair {
    let (mut w0, mut w2) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        w0[i] = w[0][i] as u32;
        w2[i] = w[2][i] as u32;
    }
    let (w0, w2) = (both(&w0), both(&w2));
    let (d0, d2) = (halves([c.more[0]; LANES]), halves([c.more[1]; LANES]));
    let start = halves([c.start[0]; LANES]);
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        let sum = start[i]
            .wrapping_add(d0[i].wrapping_mul(w0[i]))
            .wrapping_add(d2[i].wrapping_mul(w2[i]));
        out[i] = sum >> 8;
    }
    lanes(out)
}

/// Source by its alpha, destination by the rest, one rounding of the sum.
#[inline(always)]
fn over(s: &Pair, d: &Pair, alpha: &Pair) -> Pair {
    let (s, d, alpha) = (halves(*s), halves(*d), both(alpha));
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        let sum = s[i]
            .wrapping_mul(alpha[i])
            .wrapping_add(d[i].wrapping_mul(255u16.wrapping_sub(alpha[i])))
            .wrapping_add(0x80);
        out[i] = sum.wrapping_add(sum >> 8) >> 8;
    }
    lanes(out)
}

impl FastTriangle<'_, '_> {
    /// Colours from the texels, if there is a texture, and the shares of vertices 0 and 2.
    #[inline(always)]
    fn color(&self, texture: Option<(&Modulate, &Texels)>, shares: &[I; 2]) -> [Pair; 2] {
        let Some((modulate, texels)) = texture else {
            return self.vertex_color(shares);
        };
        let texel = pairs_of_words(texels);
        if !modulate.reads_primary() {
            return texel;
        }
        let vertex = self.vertex_color(shares);
        [
            modulate.pair(0, &texel[0], &vertex[0]),
            modulate.pair(1, &texel[1], &vertex[1]),
        ]
    }

    /// The vertices' diffuse colour.
    #[inline(always)]
    fn vertex_color(&self, shares: &[I; 2]) -> [Pair; 2] {
        let [br, ga] = &self.colors;
        if self.constant {
            return [[br.own; LANES], [ga.own; LANES]];
        }
        let w = weights_of(shares);
        [mix(&w, br), mix(&w, ga)]
    }
}

/// Colours as words over the old ones, in the lanes of `mask`.
#[inline(always)]
pub(super) fn blended<L: Simd>(
    state: &FastState,
    rop: &Rop,
    [mut br, mut ga]: [Pair; 2],
    mask: u16,
    old: &[u32; LANES],
) -> [u32; LANES] {
    match (state.blending, &rop.blend) {
        (Blending::Over, _) => {
            let [old_br, old_ga] = pairs_of_words(old);
            let alpha = alpha_of(&ga);
            br = over(&br, &old_br, &alpha);
            ga = over(&ga, &old_ga, &alpha);
        }
        (Blending::Any, Some(blend)) => {
            let old = unpack(rop.format, old);
            [br, ga] = frag::pairs(&blend.run(&frag::channels(&[br, ga]), &old));
        }
        _ => {}
    }
    let (kept, ones) = state.kept;
    let mut words = [0; LANES];
    for i in 0..LANES {
        words[i] = (ga[i] << 8 | br[i]) & kept | ones;
    }
    L::choose(mask, &words, old)
}
