//! The registers of a batch as one file, and the places in it.

use super::super::LANES;
use super::super::arith::ONE;
use super::machine::{L, OUTPUTS, Row, TEMPS};

/// First rows of the kinds of registers.
pub(super) const TEMP: usize = 0;
pub(super) const INPUT: usize = TEMP + TEMPS;
pub(super) const OUT: usize = INPUT + INPUTS;
/// A copy of what goes to the position output.
pub(super) const POSITION: usize = OUT + OUTPUTS;
/// How results compare with 0, as a set of less 1, equal 2, greater 4.
pub(super) const CODES: usize = POSITION + 1;
/// Fog coordinate and point size in x and y.
pub(super) const NUMBERS: usize = CODES + 2;
/// 0, 1 and all bits in x, y and z; nobody writes them.
const FIXED: usize = NUMBERS + 1;
/// Sources that lie nowhere as they are.
pub(super) const MADE: usize = FIXED + 1;
/// Results on their way.
pub(super) const VECTOR: usize = MADE + 3;
pub(super) const SCALAR: usize = VECTOR + 1;
/// Lanes in which a condition holds.
pub(super) const PASS: usize = SCALAR + 1;
/// Constants of straight code, spread over the lanes.
const CONSTANTS: usize = PASS + 1;
/// All rows. More constants than fit are read as they are needed.
const ROWS: usize = 512;

pub(super) const INPUTS: usize = 16;

/// A component of a row: its number is below that of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u16);

impl Slot {
    /// 0, 1 and all bits in all lanes.
    pub const ZERO: Slot = Slot::new(FIXED, 0);
    pub const ONE: Slot = Slot::new(FIXED, 1);
    pub const ALL: Slot = Slot::new(FIXED, 2);

    pub const fn new(row: usize, component: usize) -> Slot {
        Slot((4 * row + component) as u16 % (4 * ROWS) as u16)
    }

    /// A row as it is.
    pub fn row(row: usize) -> [Slot; 4] {
        [0, 1, 2, 3].map(|c| Slot::new(row, c))
    }

    /// A constant by its number, if there is room for it.
    pub fn constant(number: usize) -> Option<Slot> {
        let at = 4 * CONSTANTS + number;
        (at < 4 * ROWS).then_some(Slot(at as u16))
    }

    #[inline(always)]
    pub fn get(self) -> usize {
        let at = usize::from(self.0);
        // SAFETY: all that make slots make them so.
        unsafe { core::hint::assert_unchecked(at < 4 * ROWS) };
        at
    }
}

/// All registers; a row of lanes never lies across lines of a cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct File([Row; ROWS]);

impl File {
    /// Zeros, but for what is fixed.
    pub fn new() -> Box<File> {
        let mut file = Box::new(File([[[0; LANES]; 4]; ROWS]));
        file.0[FIXED][1] = [ONE; LANES];
        file.0[FIXED][2] = [u32::MAX; LANES];
        file
    }

    /// Puts constants in their places.
    pub fn spread(&mut self, constants: impl Iterator<Item = u32>) {
        let places = self.0[CONSTANTS..].as_flattened_mut();
        for (to, x) in places.iter_mut().zip(constants) {
            *to = [x; LANES];
        }
    }
}

impl core::ops::Index<usize> for File {
    type Output = Row;

    #[inline(always)]
    fn index(&self, row: usize) -> &Row {
        &self.0[row]
    }
}

impl core::ops::IndexMut<usize> for File {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut Row {
        &mut self.0[row]
    }
}

impl core::ops::Index<Slot> for File {
    type Output = L;

    #[inline(always)]
    fn index(&self, slot: Slot) -> &L {
        &self.0.as_flattened()[slot.get()]
    }
}

impl core::ops::IndexMut<Slot> for File {
    #[inline(always)]
    fn index_mut(&mut self, slot: Slot) -> &mut L {
        &mut self.0.as_flattened_mut()[slot.get()]
    }
}
