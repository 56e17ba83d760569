//! Vertices to lanes and back: batches, transposition.

use super::arith::Lanes;
use super::{LANES, VtxIn};
use crate::lt;

/// A vector of three components, each in lanes.
pub(crate) type V3<const N: usize> = [Lanes<N>; 3];
/// A vector of four components, each in lanes.
pub(crate) type V4<const N: usize> = [Lanes<N>; 4];

/// Four rows of four become four columns.
#[inline(always)]
fn transpose(m: [&[u32; 4]; 4]) -> [[u32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::*;
        // SAFETY: every x86-64 has SSE2 (and no loop is turned into it); sixteen
        // bytes are read from each of the four rows; vectors and arrays are both
        // 64 bytes of which every pattern is valid.
        unsafe {
            let [a, b, c, d] = [
                _mm_loadu_si128(m[0].as_ptr().cast()),
                _mm_loadu_si128(m[1].as_ptr().cast()),
                _mm_loadu_si128(m[2].as_ptr().cast()),
                _mm_loadu_si128(m[3].as_ptr().cast()),
            ];
            let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (ef, gh) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            core::mem::transmute::<[__m128i; 4], [[u32; 4]; 4]>([
                _mm_unpacklo_epi64(ab, cd),
                _mm_unpackhi_epi64(ab, cd),
                _mm_unpacklo_epi64(ef, gh),
                _mm_unpackhi_epi64(ef, gh),
            ])
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let mut t = [[0; 4]; 4];
        for (r, row) in m.into_iter().enumerate() {
            for (c, x) in row.iter().enumerate() {
                t[c][r] = *x;
            }
        }
        t
    }
}

/// One attribute of a batch.
#[inline(always)]
pub(crate) fn attr<const N: usize>(v: &[VtxIn; N], i: usize) -> V4<N> {
    let mut r = [[0; N]; 4];
    let mut lane = 0;
    while lane + 4 <= N {
        let t = transpose([
            &v[lane].attr[i],
            &v[lane + 1].attr[i],
            &v[lane + 2].attr[i],
            &v[lane + 3].attr[i],
        ]);
        for c in 0..4 {
            r[c][lane..lane + 4].copy_from_slice(&t[c]);
        }
        lane += 4;
    }
    while lane < N {
        for c in 0..4 {
            r[c][lane] = v[lane].attr[i][c];
        }
        lane += 1;
    }
    r
}

/// One component of an attribute of a batch.
#[inline(always)]
pub(crate) fn component<const N: usize>(v: &[VtxIn; N], i: usize, c: usize) -> Lanes<N> {
    let mut r = [0; N];
    for (r, v) in r.iter_mut().zip(v) {
        *r = v.attr[i][c];
    }
    r
}

/// The rows of every lane.
#[inline(always)]
pub(crate) fn per_lane<const N: usize>(v: &V4<N>) -> [[u32; 4]; N] {
    let mut r = [[0; 4]; N];
    let mut lane = 0;
    while lane + 4 <= N {
        let mut part = [[0; 4]; 4];
        for c in 0..4 {
            part[c].copy_from_slice(&v[c][lane..lane + 4]);
        }
        r[lane..lane + 4].copy_from_slice(&transpose([&part[0], &part[1], &part[2], &part[3]]));
        lane += 4;
    }
    while lane < N {
        for c in 0..4 {
            r[lane][c] = v[c][lane];
        }
        lane += 1;
    }
    r
}

/// The vertices of a batch that is not empty. If it is not full, the last one fills it up, in
/// `pad`.
#[inline(always)]
pub(crate) fn full<'a>(
    vertices: &'a [VtxIn],
    pad: &'a mut Option<[VtxIn; LANES]>,
) -> &'a [VtxIn; LANES] {
    match vertices.first_chunk() {
        Some(full) => full,
        None => pad.insert(padded(vertices)),
    }
}

#[cold]
fn padded(rest: &[VtxIn]) -> [VtxIn; LANES] {
    core::array::from_fn(|i| rest[i.min(rest.len() - 1)])
}

/// Puts a batch's lanes in one half of LT's. The first batch fills the second half, too: where no
/// other one comes, nothing unusual is to be found there.
#[inline(always)]
pub(crate) fn put(to: &mut Lanes<{ lt::LANES }>, half: Half, lanes: &Lanes<LANES>) {
    let at = match half {
        Half::First => 0,
        Half::Second => LANES,
    };
    to[at..at + LANES].copy_from_slice(lanes);
    to[LANES..].copy_from_slice(lanes);
}

/// A half of LT's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    First,
    Second,
}
