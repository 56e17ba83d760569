//! Words of a saved state. Units name their words once, and the same code saves and loads
//! them, so that the two cannot come apart.

use crate::bundle::DmaSpan;

/// A list of words that is being written or read.
#[derive(Debug)]
pub struct Saved {
    words: Vec<u32>,
    /// The next word, while loading.
    at: Option<usize>,
    /// Words were missing, or made no sense.
    bad: bool,
}

impl Saved {
    /// An empty list, to be filled.
    pub fn save() -> Saved {
        Saved {
            words: Vec::new(),
            at: None,
            bad: false,
        }
    }

    /// A list from a file, to be read.
    pub fn load(words: Vec<u32>) -> Saved {
        Saved {
            words,
            at: Some(0),
            bad: false,
        }
    }

    /// Are words read, not written?
    pub fn loads(&self) -> bool {
        self.at.is_some()
    }

    /// One word. What is missing reads as 0.
    pub fn word(&mut self, word: &mut u32) {
        match &mut self.at {
            None => self.words.push(*word),
            Some(at) => {
                let found = self.words.get(*at);
                self.bad |= found.is_none();
                *word = found.copied().unwrap_or(0);
                *at += 1;
            }
        }
    }

    /// Several words.
    pub fn words<'a>(&mut self, words: impl IntoIterator<Item = &'a mut u32>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// Something that is true or not.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut word = u32::from(*flag);
        self.word(&mut word);
        *flag = word != 0;
    }

    /// Two words.
    pub fn wide(&mut self, value: &mut u64) {
        let (mut low, mut high) = (*value as u32, (*value >> 32) as u32);
        self.word(&mut low);
        self.word(&mut high);
        *value = u64::from(high) << 32 | u64::from(low);
    }

    /// A float's bits.
    pub fn float(&mut self, value: &mut f32) {
        let mut word = value.to_bits();
        self.word(&mut word);
        *value = f32::from_bits(word);
    }

    /// A DMA object's memory.
    pub fn span(&mut self, span: &mut DmaSpan) {
        let DmaSpan { base, limit } = span;
        self.words([base, limit]);
    }

    /// How many things follow. A list that is read has at most so many, and not more than it
    /// has words.
    pub fn count(&mut self, count: usize, most: usize) -> usize {
        let mut word = u32::try_from(count).unwrap_or(u32::MAX);
        self.word(&mut word);
        let count = word as usize;
        let left = self.at.map_or(usize::MAX, |at| {
            self.words.len().saturating_sub(at).min(most)
        });
        if count > left {
            self.refuse();
            return 0;
        }
        count
    }

    /// Bytes of any number, four to a word.
    pub fn bytes(&mut self, bytes: &mut Vec<u8>) {
        let words = self.count(bytes.len().div_ceil(4), usize::MAX);
        let mut odd = (bytes.len() % 4) as u32;
        self.word(&mut odd);
        let pad = (4 - odd as usize % 4) % 4;
        bytes.resize(words * 4, 0);
        for bytes in bytes.chunks_exact_mut(4) {
            let mut word = bytes.iter().rev().fold(0, |w, b| w << 8 | u32::from(*b));
            self.word(&mut word);
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes.truncate((words * 4).saturating_sub(pad));
    }

    /// What was read makes no sense.
    pub fn refuse(&mut self) {
        self.bad = true;
    }

    /// The list that was written; of one that was read, whether it was whole and had no more
    /// than was asked for.
    pub fn finish(self) -> Result<Vec<u32>, Broken> {
        match self.at {
            Some(at) if self.bad || at != self.words.len() => Err(Broken(self.words.len())),
            _ => Ok(self.words),
        }
    }
}

/// Words that are no saved state of this chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken(usize);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} words that are no state of this chip", self.0)
    }
}

impl std::error::Error for Broken {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of everything.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Thing {
        word: u32,
        flag: bool,
        wide: u64,
        float: f32,
        span: DmaSpan,
        list: Vec<u32>,
        bytes: Vec<u8>,
    }

    impl Thing {
        fn saved(&mut self, saved: &mut Saved) {
            saved.word(&mut self.word);
            saved.flag(&mut self.flag);
            saved.wide(&mut self.wide);
            saved.float(&mut self.float);
            saved.span(&mut self.span);
            let count = saved.count(self.list.len(), 10);
            self.list.resize(count, 0);
            saved.words(&mut self.list);
            saved.bytes(&mut self.bytes);
        }
    }

    fn thing(bytes: usize) -> Thing {
        Thing {
            word: 7,
            flag: true,
            wide: 0x1_2345_6789,
            float: -1.5,
            span: DmaSpan { base: 1, limit: 2 },
            list: vec![1, 2, 3],
            bytes: (0..bytes as u8).collect(),
        }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        for bytes in 0..9 {
            let mut saved = Saved::save();
            thing(bytes).saved(&mut saved);
            let words = saved.finish().unwrap();
            let mut loaded = Thing::default();
            let mut saved = Saved::load(words);
            loaded.saved(&mut saved);
            assert_eq!(loaded, thing(bytes));
            assert!(saved.finish().is_ok());
        }
    }

    #[test]
    fn too_few_and_too_many_words_are_refused() {
        let mut saved = Saved::save();
        thing(5).saved(&mut saved);
        let words = saved.finish().unwrap();
        for len in 0..words.len() {
            let mut saved = Saved::load(words[..len].to_vec());
            Thing::default().saved(&mut saved);
            assert!(saved.finish().is_err(), "{len}");
        }
        let mut more = words.clone();
        more.push(0);
        let mut saved = Saved::load(more);
        Thing::default().saved(&mut saved);
        assert!(saved.finish().is_err());
        // A list of so many that no file could hold them.
        let mut huge = words;
        huge[7] = u32::MAX;
        let mut saved = Saved::load(huge);
        Thing::default().saved(&mut saved);
        assert!(saved.finish().is_err());
    }
}
