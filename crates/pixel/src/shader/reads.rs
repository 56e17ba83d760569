//! The memory that a prepared pixel pipe reads, for whoever has to keep it fresh.

use super::Shade;

impl Shade {
    /// Address and length of every texture and palette it samples.
    pub fn reads(&self) -> impl Iterator<Item = (u32, usize)> {
        self.units.iter().flatten().flat_map(|unit| unit.reads)
    }
}
