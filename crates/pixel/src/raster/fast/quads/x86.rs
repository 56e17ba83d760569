//! Groups of quads with AVX-512: put together in a register and scattered, so that no wide load
//! has to wait for narrow stores. A gather would take longer than its loads one by one.

use super::{Group, QUADS, Quad, QuadLanes, SIDE, column, place, row};
use crate::frag::LANES;
use crate::rop::surface::Area;
use isotherm_lanes::{Avx2, Avx512};
use std::arch::x86_64::*;
use std::hint::black_box;

impl QuadLanes for Avx2 {}

impl QuadLanes for Avx512 {
    #[inline(always)]
    fn pack_quads(
        first: Quad,
        places: &[u32; LANES],
        outside: &[__m512i; 4],
        lanes: u16,
        out: &mut [[Quad; 2]; LANES],
    ) -> usize {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { pack(first, places, outside, lanes, out) }
    }

    #[inline(always)]
    fn fill_up(group: &mut Group, count: usize) {
        // SAFETY: as above.
        unsafe { fill_up(group, count) }
    }

    #[inline(always)]
    fn covered(group: &Group) -> u16 {
        // SAFETY: as above.
        unsafe { covered(group) }
    }

    #[inline(always)]
    unsafe fn read_quads(area: &Area, group: &Group) -> [u32; LANES] {
        // SAFETY: as above, and the caller's promise.
        unsafe { read(area, group) }
    }

    #[inline(always)]
    unsafe fn read_block(area: &Area, first: Quad) -> [u32; LANES] {
        // SAFETY: as above, and the caller's promise.
        unsafe { read_block(area, first) }
    }

    #[inline(always)]
    unsafe fn greatest(area: &Area, r: [i32; 4]) -> u32 {
        // SAFETY: as above, and the caller's promise.
        unsafe { greatest(area, r) }
    }

    #[inline(always)]
    unsafe fn write_quads(area: &Area, group: &Group, words: &[u32; LANES], mask: u16) {
        // SAFETY: as above, and the caller's promise.
        unsafe { write(area, group, words, mask) }
    }
}

/// Columns and rows of quads in their tile.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::raster::fast) fn places(quads: __m256i) -> [__m256i; 2] {
    let column = _mm256_and_si256(_mm256_srli_epi32::<4>(quads), _mm256_set1_epi32(SIDE - 1));
    [column, _mm256_srli_epi32::<10>(quads)]
}

/// [`QuadLanes::pack_quads`]: all pixels of a quad, without those that are outside.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn pack(
    first: Quad,
    places: &[u32; LANES],
    outside: &[__m512i; 4],
    lanes: u16,
    out: &mut [[Quad; 2]; LANES],
) -> usize {
    // Where the second has a bit of the third, the first one is changed.
    const CHANGE: i32 = 0b0111_1000;
    let pixels = _mm512_set1_epi32(15);
    // SAFETY: it is 64 bytes.
    let places = unsafe { _mm512_loadu_si512(places.as_ptr().cast()) };
    let all = _mm512_add_epi32(_mm512_set1_epi32((first | 15).cast_signed()), places);
    let bit = |bit: i32| _mm512_set1_epi32(bit);
    let [a, b, c, d] = *outside;
    let quads = _mm512_ternarylogic_epi32::<CHANGE>(all, _mm512_srli_epi32::<31>(a), bit(1));
    let quads = _mm512_ternarylogic_epi32::<CHANGE>(quads, _mm512_srli_epi32::<30>(b), bit(2));
    let quads = _mm512_ternarylogic_epi32::<CHANGE>(quads, _mm512_srli_epi32::<29>(c), bit(4));
    let quads = _mm512_ternarylogic_epi32::<CHANGE>(quads, _mm512_srli_epi32::<28>(d), bit(8));
    let some = _mm512_mask_test_epi32_mask(lanes, quads, pixels);
    let packed = _mm512_maskz_compress_epi32(some, quads);
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for i in 0..LANES as i32 {
        low[i as usize] = i / 2;
        high[i as usize] = LANES as i32 / 2 + i / 2;
    }
    // SAFETY: all are 64 bytes, and `out` is 128.
    unsafe {
        let to: *mut __m512i = out.as_mut_ptr().cast();
        let low = _mm512_permutexvar_epi32(_mm512_loadu_si512(low.as_ptr().cast()), packed);
        let high = _mm512_permutexvar_epi32(_mm512_loadu_si512(high.as_ptr().cast()), packed);
        _mm512_storeu_si512(to, low);
        _mm512_storeu_si512(to.add(1), high);
    }
    some.count_ones() as usize
}

/// [`QuadLanes::fill_up`]: written whole, so that who reads it need not wait for two stores.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn fill_up(group: &mut Group, count: usize) {
    let missing = 0xffu8.checked_shl(2 * count as u32).unwrap_or(0);
    // SAFETY: it is 32 bytes.
    unsafe {
        let to: *mut __m256i = std::ptr::from_mut(group).cast();
        let quads = _mm256_loadu_si256(to);
        let first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(quads));
        let place = _mm256_and_si256(first, _mm256_set1_epi32(!15));
        _mm256_storeu_si256(to, _mm256_mask_mov_epi32(quads, missing, place));
    }
}

/// [`QuadLanes::covered`]: each lane's bit goes to its sign.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn covered(group: &Group) -> u16 {
    let up = _mm512_setr_epi32(
        31, 30, 31, 30, 31, 30, 31, 30, 29, 28, 29, 28, 29, 28, 29, 28,
    );
    // SAFETY: it is 32 bytes.
    let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
    _mm512_movepi32_mask(_mm512_sllv_epi32(_mm512_broadcast_i64x4(quads), up))
}

/// Where quads begin, in bytes from the area's start.
#[inline]
#[target_feature(enable = "avx2")]
fn offsets(pitch: i32, quads: __m256i) -> __m256i {
    let [x, y] = places(quads);
    let rows = _mm256_mullo_epi32(y, _mm256_set1_epi32(pitch));
    _mm256_add_epi32(rows, _mm256_slli_epi32::<2>(x))
}

/// Where the pairs of pixels of a group are, in bytes from the area's start: the upper
/// rows, the lower ones.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn pairs(pitch: i32, group: &Group) -> __m256i {
    // SAFETY: it is 32 bytes.
    let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
    let each = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    let at = offsets(pitch, _mm256_permutevar8x32_epi32(quads, each));
    _mm256_mask_add_epi32(at, 0xf0, at, _mm256_set1_epi32(pitch))
}

/// Are all quads in the area?
fn inside(area: &Area, group: &Group) -> bool {
    let has = |[quad, _]: &[u32; 2]| area.has_quad(column(*quad), row(*quad));
    group.iter().all(has)
}

/// [`QuadLanes::read_quads`].
///
/// # Safety
/// The quads must be inside the area: what is read are their pairs of pixels and no more.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn read(area: &Area, group: &Group) -> [u32; LANES] {
    debug_assert!(inside(area, group));
    let (start, pitch) = area.parts();
    let below = start.wrapping_offset(pitch as isize);
    let mut at = [[0i32; 2]; QUADS];
    // SAFETY: both are 32 bytes.
    unsafe {
        let quads = _mm256_loadu_si256(std::ptr::from_ref(group).cast());
        _mm256_storeu_si256(at.as_mut_ptr().cast(), offsets(pitch, quads));
    }
    // Read from memory: to take them out of a register takes the ports that put pixels together.
    let at = black_box(at);
    let (mut upper, mut lower) = ([start; QUADS], [below; QUADS]);
    for q in 0..QUADS {
        let [at, _] = at[q];
        upper[q] = start.wrapping_offset(at as isize);
        lower[q] = below.wrapping_offset(at as isize);
    }
    let mut out = [0; LANES];
    // SAFETY: the caller's promise; and it is 64 bytes.
    unsafe {
        let rows = [row_of_pairs(upper), row_of_pairs(lower)];
        let words = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(rows[0]), rows[1]);
        _mm512_storeu_si512(out.as_mut_ptr().cast(), words);
    }
    out
}

/// Four pairs of pixels, side by side.
///
/// # Safety
/// There must be eight bytes at each place.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn row_of_pairs([a, b, c, d]: [*mut u8; QUADS]) -> __m256i {
    // SAFETY: the caller's promise.
    let (left, right) = unsafe { (two_pairs(a, b), two_pairs(c, d)) };
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(left), right)
}

/// Two pairs of pixels, side by side.
///
/// # Safety
/// As above.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn two_pairs(a: *mut u8, b: *mut u8) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe {
        let first = _mm_castsi128_pd(_mm_loadl_epi64(a.cast()));
        _mm_castpd_si128(_mm_loadh_pd(first, b.cast()))
    }
}

/// [`QuadLanes::read_block`]: both rows in one register. In an array a wide load would wait
/// for the two stores of the rows.
///
/// # Safety
/// The block must be inside the area: what is read are eight pixels of two rows.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn read_block(area: &Area, first: Quad) -> [u32; LANES] {
    let [x, y] = place(first);
    debug_assert!((0..4).all(|quad| area.has_quad(x + 2 * quad, y)));
    // SAFETY: the caller's promise.
    let [upper, lower] = unsafe { area.block(x, y).rows() };
    let mut out = [0; LANES];
    // SAFETY: a row is 32 bytes, and both are 64.
    unsafe {
        let upper = _mm256_loadu_si256(upper.as_ptr().cast());
        let lower = _mm256_loadu_si256(lower.as_ptr().cast());
        let words = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(upper), lower);
        _mm512_storeu_si512(out.as_mut_ptr().cast(), words);
    }
    out
}

/// [`QuadLanes::greatest`]: a row at a time, sixteen columns of it.
///
/// # Safety
/// The rectangle must be inside the area: no other pixel is read.
#[inline]
#[target_feature(enable = "avx512f,bmi2")]
unsafe fn greatest(area: &Area, [x0, y0, x1, y1]: [i32; 4]) -> u32 {
    debug_assert!(area.has_quad(x0 & !1, y0 & !1) && area.has_quad((x1 - 1) & !1, (y1 - 1) & !1));
    let (start, pitch) = area.parts();
    let mut most = _mm512_setzero_si512();
    for x in (x0..x1).step_by(LANES) {
        let lanes = _bzhi_u32(0xffff, (x1 - x) as u32) as u16;
        let mut at = start.wrapping_offset((y0 * pitch + 4 * x) as isize);
        for _ in y0..y1 {
            // SAFETY: the caller's promise.
            let row = unsafe { _mm512_maskz_loadu_epi32(lanes, at.cast()) };
            most = _mm512_max_epu32(most, row);
            at = at.wrapping_offset(pitch as isize);
        }
    }
    _mm512_reduce_max_epu32(most)
}

/// [`QuadLanes::write_quads`].
///
/// # Safety
/// The quads must be inside the area: the scatter writes their pairs of pixels and no more.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,bmi2")]
unsafe fn write(area: &Area, group: &Group, words: &[u32; LANES], mask: u16) {
    debug_assert!(inside(area, group));
    let (start, pitch) = area.parts();
    let at = pairs(pitch, group);
    let some = _pext_u32(u32::from(mask | mask >> 1), 0x5555) as u8;
    // SAFETY: the caller's promise; and it is 64 bytes.
    unsafe {
        let words = _mm512_loadu_si512(words.as_ptr().cast());
        _mm512_mask_i32scatter_epi64::<1>(start.cast(), some, at, words);
    }
}
