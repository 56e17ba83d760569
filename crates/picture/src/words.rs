//! The words of a surface or a texture.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Words as they lie in memory, little-endian.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// How many words are not the same.
pub fn changed(before: &[u32], after: &[u32]) -> usize {
    before.iter().zip(after).filter(|(a, b)| a != b).count()
}

/// A number that tells words from others, the same in every run.
pub fn digest(words: &[u32]) -> u64 {
    digest_of(words)
}

/// The same for bytes.
pub fn digest_bytes(bytes: &[u8]) -> u64 {
    digest_of(bytes)
}

fn digest_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_little_endian() {
        assert_eq!(bytes(&[0x0403_0201, 8]), [1, 2, 3, 4, 8, 0, 0, 0]);
    }

    #[test]
    fn changes_are_counted() {
        assert_eq!(changed(&[1, 2, 3], &[1, 0, 0]), 2);
        assert_ne!(digest(&[1, 2, 3]), digest(&[1, 2, 4]));
        assert_eq!(digest_bytes(&[1, 2, 3]), digest_bytes(&[1, 2, 3]));
    }
}
