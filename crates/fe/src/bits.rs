//! Bit arithmetic on register words.

/// Bits `lo..lo+len` of a word.
#[inline(always)]
pub(crate) const fn ext(word: u32, lo: u32, len: u32) -> u32 {
    (word >> lo) & mask(len)
}

/// One bit of a word.
#[inline(always)]
pub(crate) const fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 != 0
}

/// Replaces bits `lo..lo+len`; bits of `value` beyond `len` are lost, as on the wires.
#[inline(always)]
pub(crate) fn ins(word: &mut u32, lo: u32, len: u32, value: u32) {
    let mask = mask(len) << lo;
    *word = *word & !mask | value << lo & mask;
}

/// `len` ones.
#[inline(always)]
pub(crate) const fn mask(len: u32) -> u32 {
    if len >= 32 { !0 } else { (1 << len) - 1 }
}
