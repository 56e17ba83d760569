//! Two by two entries of a table for each lane, without gathers: the loads of a gather take
//! longer than loads of their own.

use crate::LANES;
use std::arch::x86_64::*;
use std::hint::black_box;

/// Entries by their numbers, and those behind them.
type Pairs = [__m512i; 2];

/// What two wide loads bring.
const LENGTH: usize = 2 * LANES;

/// Which lanes are one row of pixels: those of half a register, or every second pair of them,
/// as the upper and the lower halves of quads.
struct Rows<const QUADS: bool>;

impl<const QUADS: bool> Rows<QUADS> {
    /// The lanes of the first row, from left to right, then those of the second one.
    const LANES: [i32; LANES] = if QUADS {
        super::super::ROWS_OF_QUADS
    } else {
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    };
    /// The first and the last lane of each lane's row.
    const FIRST: [i32; LANES] = Self::ends(0);
    const LAST: [i32; LANES] = Self::ends(7);
    /// Each lane's place in two registers, one for a row: its eight entries, then those behind
    /// them.
    const PLACES: [i32; LANES] = {
        let (mut out, mut i) = ([0; LANES], 0);
        while i < LANES {
            out[Self::LANES[i] as usize] = (i / 8 * LANES + i % 8) as i32;
            i += 1;
        }
        out
    };

    const fn ends(at: usize) -> [i32; LANES] {
        let (mut out, mut i) = ([0; LANES], 0);
        while i < LANES {
            out[Self::LANES[i] as usize] = Self::LANES[i / 8 * 8 + at];
            i += 1;
        }
        out
    }

    /// A row's lanes, twice.
    const fn twice(row: usize) -> [i32; LANES] {
        let (mut out, mut i) = ([0; LANES], 0);
        while i < LANES {
            out[i] = Self::LANES[row * 8 + i % 8];
            i += 1;
        }
        out
    }
}

/// # Safety
/// AVX-512 must be there, as for all functions below. They are part of functions that are
/// compiled for it; on their own they would hand vectors over through memory.
#[inline(always)]
unsafe fn constant(x: &[i32; LANES]) -> __m512i {
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_loadu_si512(x.as_ptr().cast()) }
}

/// [`Simd::squares`](crate::Simd::squares)
///
/// # Safety
/// AVX-512 must be there.
#[inline(always)]
pub(super) unsafe fn squares<const QUADS: bool>(
    table: &[u32],
    first: __m512i,
    down: u32,
) -> [Pairs; 2] {
    // The last number that has entries behind it and below.
    let last = table.len() as i64 - 2 - i64::from(down);
    // SAFETY: AVX-512 is there, and so are the entries of numbers up to the last one.
    unsafe {
        // Numbers are unsigned: what looks negative is large.
        let most = _mm512_set1_epi32(last as i32);
        if last < 0 || table.len() > i32::MAX as usize || _mm512_cmpgt_epu32_mask(first, most) != 0
        {
            return limited(table, first, down);
        }
        if let Some(found) = stretches::<QUADS>(table, first, down) {
            return found;
        }
        neighbours(table, first, down)
    }
}

/// The same of numbers some of which are too large for the table: each row has a limit of its own.
/// Hardly ever asked for, so that few instructions count.
///
/// # Safety
/// AVX-512 must be there.
#[inline(always)]
unsafe fn limited(table: &[u32], first: __m512i, down: u32) -> [Pairs; 2] {
    // SAFETY: AVX-512 is there, and no number is behind the last but one.
    unsafe {
        if table.len() < 2 || table.len() > i32::MAX as usize {
            return [[_mm512_setzero_si512(); 2]; 2];
        }
        let last = _mm512_set1_epi32(table.len() as i32 - 2);
        let second = _mm512_add_epi32(first, _mm512_set1_epi32(down.cast_signed()));
        let row = |at: __m512i| {
            let at = _mm512_min_epu32(at, last);
            let start = table.as_ptr();
            [
                _mm512_i32gather_epi32::<4>(at, start.cast()),
                _mm512_i32gather_epi32::<4>(at, start.add(1).cast()),
            ]
        };
        [row(first), row(second)]
    }
}

/// Where rows of entries start, if the entries of each row of pixels lie in a stretch of 32,
/// and how far behind it each one is.
struct Stretches {
    start: __m512i,
    within: __m512i,
}

impl Stretches {
    /// Those that are in the table, and so far behind, too.
    ///
    /// # Safety
    /// AVX-512 must be there.
    #[inline(always)]
    unsafe fn find<const QUADS: bool>(
        table: &[u32],
        first: __m512i,
        down: u32,
    ) -> Option<Stretches> {
        let last = table.len() as i64 - LENGTH as i64 - i64::from(down);
        // SAFETY: AVX-512 is there.
        unsafe {
            let from = constant(&Rows::<QUADS>::FIRST);
            let to = constant(&Rows::<QUADS>::LAST);
            // The smaller end of a row is its start, the same number in all of its lanes.
            let start = _mm512_min_epi32(
                _mm512_permutexvar_epi32(from, first),
                _mm512_permutexvar_epi32(to, first),
            );
            let within = _mm512_sub_epi32(first, start);
            let outside = _mm512_cmpge_epu32_mask(within, _mm512_set1_epi32(LENGTH as i32 - 1));
            let late = _mm512_cmpgt_epi32_mask(start, _mm512_set1_epi32(last.max(-1) as i32));
            (outside | late == 0).then_some(Stretches { start, within })
        }
    }
}

/// Entries by their numbers and those behind them, and the same so far below, if they come with
/// a few wide loads. Texels of pixels along a row of texels do.
///
/// # Safety
/// AVX-512 and the entries must be there.
#[inline(always)]
unsafe fn stretches<const QUADS: bool>(
    table: &[u32],
    first: __m512i,
    down: u32,
) -> Option<[Pairs; 2]> {
    // SAFETY: AVX-512 is there, and what `find` gives lies in the table, so far behind, too.
    unsafe {
        let found = Stretches::find::<QUADS>(table, first, down)?;
        let behind = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
        // Where a row's entries are in its stretch, then those behind them.
        let upper = constant(const { &Rows::<QUADS>::twice(0) });
        let lower = constant(const { &Rows::<QUADS>::twice(1) });
        let at = [
            _mm512_add_epi32(_mm512_permutexvar_epi32(upper, found.within), behind),
            _mm512_add_epi32(_mm512_permutexvar_epi32(lower, found.within), behind),
        ];
        let starts = starts::<QUADS>(found.start);
        Some([
            row::<QUADS>(table, starts, at),
            row::<QUADS>(&table[down as usize..], starts, at),
        ])
    }
}

/// The entries of stretches.
///
/// # Safety
/// AVX-512 must be there, and each stretch wholly in the table.
#[inline(always)]
unsafe fn row<const QUADS: bool>(table: &[u32], [a, b]: [usize; 2], at: [__m512i; 2]) -> Pairs {
    // SAFETY: the caller's promise.
    unsafe {
        let (upper, lower) = (pick(table, a, at[0]), pick(table, b, at[1]));
        let places = constant(&Rows::<QUADS>::PLACES);
        let behind = _mm512_add_epi32(places, _mm512_set1_epi32(8));
        [
            _mm512_permutex2var_epi32(upper, places, lower),
            _mm512_permutex2var_epi32(upper, behind, lower),
        ]
    }
}

/// Entries of one stretch.
///
/// # Safety
/// AVX-512 must be there, and the stretch wholly in the table.
#[inline(always)]
unsafe fn pick(table: &[u32], start: usize, at: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let start = table.as_ptr().add(start);
        let (low, high) = (start.cast(), start.add(LANES).cast());
        _mm512_permutex2var_epi32(_mm512_loadu_si512(low), at, _mm512_loadu_si512(high))
    }
}

/// What the first lane of each row has.
///
/// # Safety
/// AVX-512 must be there.
#[inline(always)]
unsafe fn starts<const QUADS: bool>(x: __m512i) -> [usize; 2] {
    // SAFETY: AVX-512 is there.
    unsafe {
        let low = _mm512_castsi512_si128(x);
        let second = if QUADS {
            _mm_extract_epi32::<2>(low)
        } else {
            _mm256_cvtsi256_si32(_mm512_extracti64x4_epi64::<1>(x))
        };
        // None is below 0.
        [_mm_cvtsi128_si32(low), second].map(|x| x.cast_unsigned() as usize)
    }
}

/// Entries by their numbers and those behind them, and the same so far below: two come with one
/// load, and both rows have the same numbers.
///
/// # Safety
/// AVX-512 and all entries must be there.
#[inline(always)]
unsafe fn neighbours(table: &[u32], at: __m512i, down: u32) -> [Pairs; 2] {
    let mut places = [0; LANES];
    // SAFETY: AVX-512 is there, and the array is 64 bytes.
    unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), at) };
    // From memory: the ports that take a register apart have to put the entries together.
    let places = black_box(places);
    // SAFETY: the caller's promise.
    unsafe {
        let start = table.as_ptr();
        let rows = [start, start.add(down as usize)];
        let (low, high) = (eight_pairs(rows, &places, 0), eight_pairs(rows, &places, 8));
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
        let apart = |low: __m512i, high: __m512i| {
            [
                _mm512_permutex2var_epi32(low, even, high),
                _mm512_permutex2var_epi32(low, odd, high),
            ]
        };
        [apart(low[0], high[0]), apart(low[1], high[1])]
    }
}

/// Eight entries with those behind them, in both rows.
///
/// # Safety
/// AVX-512 and all entries must be there.
#[inline(always)]
unsafe fn eight_pairs(rows: [*const u32; 2], places: &[u32; LANES], i: usize) -> [__m512i; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let (a, b) = (four_pairs(rows, places, i), four_pairs(rows, places, i + 4));
        let join = |a: __m256d, b: __m256d| {
            _mm512_castpd_si512(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b))
        };
        [join(a[0], b[0]), join(a[1], b[1])]
    }
}

/// # Safety
/// As above.
#[inline(always)]
unsafe fn four_pairs(rows: [*const u32; 2], places: &[u32; LANES], i: usize) -> [__m256d; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let (a, b) = (two_pairs(rows, places, i), two_pairs(rows, places, i + 2));
        let join = |a: __m128d, b: __m128d| _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(a), b);
        [join(a[0], b[0]), join(a[1], b[1])]
    }
}

/// Each number is used for both rows before the next one is read: sixteen registers do not hold
/// all of them. The second load puts its pair beside the first one.
///
/// # Safety
/// The entries and those behind them must be there.
#[inline(always)]
unsafe fn two_pairs(rows: [*const u32; 2], places: &[u32; LANES], i: usize) -> [__m128d; 2] {
    let (a, b) = (places[i] as usize, places[i + 1] as usize);
    // SAFETY: the caller's promise.
    unsafe {
        let beside =
            |row: *const u32| _mm_loadh_pd(_mm_load_sd(row.add(a).cast()), row.add(b).cast());
        [beside(rows[0]), beside(rows[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Random};

    fn lanes(x: __m512i) -> [u32; LANES] {
        let mut out = [0; LANES];
        // SAFETY: it is 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), x) };
        out
    }

    #[target_feature(enable = "avx512f")]
    fn both_ways<const QUADS: bool>(
        table: &[u32],
        first: &[u32; LANES],
        down: u32,
    ) -> (Option<[Pairs; 2]>, [Pairs; 2]) {
        // SAFETY: arrays are 64 bytes, and all entries are there.
        unsafe {
            let first = _mm512_loadu_si512(first.as_ptr().cast());
            (
                stretches::<QUADS>(table, first, down),
                neighbours(table, first, down),
            )
        }
    }

    /// Stretches and single pairs are the entries that their numbers name, up to the last one.
    fn entries_are_those_that_were_asked_for<const QUADS: bool>() {
        if !Level::up_to("").is_avx512() {
            return;
        }
        let mut random = Random::new(76);
        let (mut wide, mut single) = (0, 0);
        for round in 0..20_000 {
            let count = 34 + random.below(200);
            let table: Vec<u32> = (0..count).map(|i| i * 0x0101_0101 + round).collect();
            let reach = [3, 12, 40][round as usize % 3];
            let down = random.below(count - 33);
            let from = random.below(count - down - 1);
            let most = count - down - 2;
            let first: [u32; LANES] =
                std::array::from_fn(|_| (from + random.below(reach)).min(most));
            let second = first.map(|at| at + down);
            let want = |at: [u32; LANES], more: u32| at.map(|i| table[(i + more) as usize]);
            // SAFETY: AVX-512 is there.
            let (found, pairs) = unsafe { both_ways::<QUADS>(&table, &first, down) };
            let row = |at| [want(at, 0), want(at, 1)];
            let rows = [row(first), row(second)];
            assert_eq!(pairs.map(|row| row.map(lanes)), rows);
            match found {
                Some(found) => {
                    wide += 1;
                    assert_eq!(found.map(|row| row.map(lanes)), rows);
                }
                None => single += 1,
            }
        }
        assert!(wide > 1000 && single > 1000, "{wide} {single}");
    }

    #[target_feature(enable = "avx512f")]
    fn all(table: &[u32], first: &[u32; LANES], down: u32) -> [Pairs; 2] {
        // SAFETY: it is 64 bytes, and AVX-512 is there.
        unsafe { squares::<false>(table, _mm512_loadu_si512(first.as_ptr().cast()), down) }
    }

    /// Each row has a limit of its own: the last entry that has one behind it.
    #[test]
    fn numbers_that_are_too_large_are_limited() {
        if !Level::up_to("").is_avx512() {
            return;
        }
        let mut random = Random::new(78);
        for count in [2, 3, 20, 33, 34, 200] {
            let table: Vec<u32> = (0..count).map(|i| i * 0x0101_0101 + 7).collect();
            for down in [0, 1, 5, count - 2, count, 1 << 20] {
                for round in 0..20 {
                    let mut first = [0; LANES];
                    for at in &mut first {
                        *at = random.below(2 * count);
                    }
                    if round == 0 {
                        first[3] = u32::MAX - down;
                    }
                    let row = |down: u32| {
                        let at = first.map(|at| (at + down).min(count - 2) as usize);
                        [at.map(|i| table[i]), at.map(|i| table[i + 1])]
                    };
                    // SAFETY: AVX-512 is there.
                    let got = unsafe { all(&table, &first, down) };
                    let got = got.map(|row| row.map(lanes));
                    assert_eq!(got, [row(0), row(down)], "{count} {down} {first:?}");
                }
            }
        }
    }

    #[test]
    fn entries_of_rows() {
        entries_are_those_that_were_asked_for::<false>();
    }

    #[test]
    fn entries_of_quads() {
        entries_are_those_that_were_asked_for::<true>();
    }
}
