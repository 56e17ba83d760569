//! The front end's part of a context: every register word, the shadow words, the graph
//! objects. Saving dumps them, restoring puts them back.

use super::Fe;

impl Fe {
    /// All words, always in the same order for a chip.
    pub fn save(&mut self) -> Vec<u32> {
        let mut words = Vec::new();
        self.r
            .each(&mut |_, register| register.each(&mut |word| words.push(*word)));
        words.extend_from_slice(self.shadow.as_slice());
        words.extend(self.grobj.iter().flatten());
        words
    }

    /// Puts back what [`Fe::save`] gave; false, and nothing changed, when it is not as many
    /// words as this chip has.
    pub fn restore(&mut self, words: &[u32]) -> bool {
        if words.len() != self.save().len() {
            return false;
        }
        let mut words = words.iter().copied();
        let mut next = || words.next().unwrap_or(0);
        self.r
            .each(&mut |_, register| register.each(&mut |word| *word = next()));
        self.shadow.iter_mut().for_each(|word| *word = next());
        self.grobj
            .iter_mut()
            .flatten()
            .for_each(|word| *word = next());
        // What was derived from the registers is derived anew.
        self.class_key = !0;
        true
    }
}
