//! The fields in braces: whatever the words hold besides the text.

use crate::Family;
use crate::fp::inst::Inst;
use crate::fp::layout::{self, Field};

/// Names of the bits of a word that belong to no field.
pub(super) const BITS: [&str; 4] = ["BITS0", "BITS1", "BITS2", "BITS3"];

/// The fields of an instruction of this kind.
pub(super) fn fields(inst: &Inst) -> impl Iterator<Item = &'static Field> {
    let (tail, flow): (&[Field], &[Field]) = match inst.flow {
        Some(flow) => (&[], flow.fields()),
        None => (layout::TAIL, &[]),
    };
    layout::HEAD.iter().chain(tail).chain(flow)
}

/// Bits of an instruction of this kind that belong to no field. A branch's
/// own bit is the operation's.
pub(super) fn spare(family: Family, inst: &Inst) -> [u32; 4] {
    let mut spare = [u32::MAX; 4];
    for field in fields(inst).chain([&layout::IS_BRANCH]) {
        spare[usize::from(field.place(family).0)] &= !field.mask(family);
    }
    spare
}

/// `NAME=0x…` for everything in which `words` differ from `said`.
pub(super) fn list(family: Family, inst: &Inst, said: [u32; 4], words: [u32; 4]) -> Vec<String> {
    let mut list: Vec<String> = fields(inst)
        .filter(|field| field.get(family, &said) != field.get(family, &words))
        .map(|field| format!("{}={:#x}", field.name, field.get(family, &words)))
        .collect();
    let spare = spare(family, inst);
    for (i, name) in BITS.into_iter().enumerate() {
        let bits = words[i] & spare[i];
        if bits != 0 {
            list.push(format!("{name}={bits:#x}"));
        }
    }
    list
}
