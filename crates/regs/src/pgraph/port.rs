//! The memories that the CPU reaches through a pair of registers: PIPE of Celsius, RDI of
//! Kelvin and Rankine. One register takes the address, the other a word, and moves on to the
//! next.
//!
//! Layouts are those of envytools' hardware tests. Curie's are not known to the public. Of
//! Rankine the tests know how many rows LTCTX has and not which is which: here they are in the
//! order of the commands that load them, as in the part of Kelvin's at the same place.

use crate::Family;
use crate::xf::ctx::ltctx_split;
use crate::{Chip, Chip::Nv20};

/// The two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Takes the address.
    pub address: u32,
    /// Takes a word.
    pub data: u32,
}

/// The port of a chip.
pub const fn port(chip: Chip) -> Option<Port> {
    match chip.family() {
        Family::Celsius => Some(Port {
            address: 0x40_0f50,
            data: 0x40_0f54,
        }),
        Family::Kelvin | Family::Rankine => Some(Port {
            address: 0x40_0750,
            data: 0x40_0754,
        }),
        Family::Curie | Family::Utgard => None,
    }
}

/// The address after one: the upper half says which memory.
pub const fn next(at: u32) -> u32 {
    at & 0xffff_0000 | at.wrapping_add(4) & 0xffff
}

/// What a word is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A component of a vertex attribute.
    Vab(u16, u8),
    /// A component of the slot in which rows are put together.
    Slot(u8),
    /// A component of a row of XFCTX.
    Xfctx(u16, u8),
    /// A word of an instruction, in the order in which methods upload it.
    Xfpr(u16, u8),
    /// A number of a row of LTCTX, by itself and left aligned.
    Ltctx(u16, u8),
    /// A word of a row of LTCTX whose numbers are packed; see [`pack`].
    LtctxPacked(u16, u8),
    /// A number of LTC0 to LTC3, left aligned.
    Ltc(u8, u16),
    /// The same in the lower bits.
    LtcLow(u8, u16),
    /// A word of a row of branch addresses, packed ([`pack_branches`]), or the time-out.
    Control(u8, u8),
    /// A word of the vertex arrays' state.
    Arrays(u8),
    /// Celsius: a component of the pass-through slot.
    Pass(u8),
}

/// LTC's banks have so many numbers.
pub const fn ltc_rows(family: Family) -> [u16; 4] {
    match family {
        Family::Celsius => [3, 19, 12, 12],
        Family::Kelvin => [4, 0x14, 0x0f, 0x0e],
        Family::Rankine => [0, 0x15, 0x0d, 0x0f],
        Family::Curie | Family::Utgard => [0; 4],
    }
}

/// Numbers of LT have so many bits.
pub const LT_BITS: u32 = 22;
/// How far a number is shifted when it is left aligned.
pub const LT_SHIFT: u32 = 32 - LT_BITS;
const LT_MASK: u32 = (1 << LT_BITS) - 1;

/// A row of LTCTX as RDI shows it: three numbers without gaps, the last first.
pub const fn pack([x, y, z]: [u32; 3]) -> [u32; 4] {
    [z | y << 22, y >> 10 | x << 12, x >> 20, 0]
}

/// The numbers of such a row.
pub const fn unpack([a, b, c, _]: [u32; 4]) -> [u32; 3] {
    let (z, y) = (a & LT_MASK, (a >> 22 | b << 10) & LT_MASK);
    [(b >> 12 | c << 20) & LT_MASK, y, z]
}

/// Branch addresses as RDI shows them: eight numbers of nine bits without gaps, of two a word.
pub fn pack_branches(row: [u32; 4]) -> [u32; 4] {
    let mut packed = 0u128;
    for (n, word) in row.into_iter().enumerate() {
        packed |= u128::from(word & 0x1ff) << (18 * n);
        packed |= u128::from(word >> 16 & 0x1ff) << (18 * n + 9);
    }
    [0, 1, 2, 3].map(|n| (packed >> (32 * n)) as u32)
}

/// The words that methods load them with.
pub fn unpack_branches(row: [u32; 4]) -> [u32; 4] {
    let mut packed = 0u128;
    for (n, word) in row.into_iter().enumerate() {
        packed |= u128::from(word) << (32 * n);
    }
    [0, 1, 2, 3].map(|n| {
        let pair = (packed >> (18 * n)) as u32;
        pair & 0x1ff | (pair >> 9 & 0x1ff) << 16
    })
}

/// Words of the vertex arrays' state: of Celsius, Kelvin and Rankine.
const ARRAYS: [u8; 3] = [0x14, 0x23, 0x24];

/// Which memory of RDI: the upper half of the address.
mod rdi {
    pub const XFPR: u32 = 0x10 << 16;
    pub const VAB: u32 = 0x15 << 16;
    pub const LTCTX_B: u32 = 0x16 << 16;
    pub const XFCTX: u32 = 0x17 << 16;
    pub const LTCTX: u32 = 0x18 << 16;
    pub const LTC: u32 = 0x19 << 16;
    pub const ARRAYS: u32 = 0x26 << 16;
    /// Behind Rankine's program.
    pub const CONTROL: u32 = XFPR | 0x1180;
}

/// Where PIPE has what.
mod pipe {
    pub const ARRAYS: u32 = 0;
    pub const VAB: u32 = 0x4400;
    pub const PASS: u32 = 0x4470;
    pub const XFCTX: u32 = 0x6400;
    pub const LTCTX: u32 = 0x6800;
    /// LTC0; the others follow at the same distance.
    pub const LTC: u32 = 0x6c00;
    pub const BANK: u32 = 0x400;
}

/// All words behind the port that are state, with their addresses. What travels between the
/// units when the port is read is left out.
pub fn cells(chip: Chip) -> Vec<(u32, Cell)> {
    match chip.family() {
        Family::Celsius => celsius(),
        Family::Kelvin => kelvin(chip),
        Family::Rankine => rankine(),
        Family::Curie | Family::Utgard => Vec::new(),
    }
}

/// Rows of four words.
fn rows(base: u32, count: u16, cell: impl Fn(u16, u8) -> Cell) -> Vec<(u32, Cell)> {
    let words = (0..count).flat_map(|row| (0..4).map(move |word| (row, word)));
    words
        .map(|(row, word)| {
            (
                base + 16 * u32::from(row) + 4 * u32::from(word),
                cell(row, word),
            )
        })
        .collect()
}

fn words(base: u32, count: u8, cell: impl Fn(u8) -> Cell) -> Vec<(u32, Cell)> {
    (0..count)
        .map(|i| (base + 4 * u32::from(i), cell(i)))
        .collect()
}

fn celsius() -> Vec<(u32, Cell)> {
    let vab = rows(pipe::VAB, 7, |row, word| match (row, word) {
        // The fog coordinate has the place of the second colour's alpha.
        (2, 3) => Cell::Vab(7, 0),
        _ => Cell::Vab(row, word),
    });
    let lt = rows(pipe::LTCTX, 0x30, Cell::Ltctx);
    let mut all = [
        words(pipe::ARRAYS, ARRAYS[0], Cell::Arrays),
        vab,
        rows(pipe::XFCTX, 0x3c, Cell::Xfctx),
        lt.into_iter()
            .filter(|(_, cell)| !matches!(cell, Cell::Ltctx(_, 3)))
            .collect(),
        words(pipe::PASS, 4, Cell::Pass),
    ]
    .concat();
    for (bank, count) in (0..).zip(ltc_rows(Family::Celsius)) {
        let base = pipe::LTC + u32::from(bank) * pipe::BANK;
        all.extend((0..count).map(|row| (base + 16 * u32::from(row), Cell::Ltc(bank, row))));
    }
    all
}

/// LTC0 to LTC3 one after the other.
fn scalars(family: Family) -> Vec<(u32, Cell)> {
    let banks = (0..).zip(ltc_rows(family));
    let cells = banks.flat_map(|(bank, count)| (0..count).map(move |row| Cell::LtcLow(bank, row)));
    (rdi::LTC..).step_by(4).zip(cells).collect()
}

/// What Kelvin and Rankine share. Rows are shown with their last component first.
fn newer(family: Family, program: u16, constants: u16, arrays: u8) -> Vec<(u32, Cell)> {
    [
        rows(rdi::XFPR, program, |row, word| Cell::Xfpr(row, 3 - word)),
        rows(rdi::XFCTX, constants, |row, word| {
            Cell::Xfctx(row, 3 - word)
        }),
        scalars(family),
        words(rdi::ARRAYS, arrays, Cell::Arrays),
        rows(rdi::VAB, 17, |row, word| match row {
            16 => Cell::Slot(3 - word),
            _ => Cell::Vab(row, 3 - word),
        }),
    ]
    .concat()
}

fn kelvin(chip: Chip) -> Vec<(u32, Cell)> {
    let mut all = newer(Family::Kelvin, 0x88, 0xc0, ARRAYS[1]);
    for row in 0..0x4c {
        let place = match (chip, ltctx_split(row)) {
            (Nv20, _) => (row < 0x4a).then_some((rdi::LTCTX, row)),
            (_, Some((true, at))) => Some((rdi::LTCTX_B, at)),
            (_, Some((false, at))) => Some((rdi::LTCTX, at)),
            (_, None) => None,
        };
        if let Some((base, at)) = place {
            let base = base + 16 * u32::from(at);
            all.extend(words(base, 4, |word| Cell::LtctxPacked(row, word)));
        }
    }
    all
}

fn rankine() -> Vec<(u32, Cell)> {
    let mut all = newer(Family::Rankine, 0x118, 0x19c, ARRAYS[2]);
    all.extend(rows(rdi::LTCTX_B, 0x36, Cell::LtctxPacked));
    all.extend(rows(rdi::CONTROL, 3, |row, word| {
        Cell::Control(row as u8, word)
    }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_rows_come_back() {
        for row in [
            [0, 0, 0],
            [0x3f_ffff, 0, 1],
            [0x12_3456, 0x2a_aaaa, 0x15_5555],
        ] {
            assert_eq!(unpack(pack(row)), row);
        }
        let row = [0x01ff_0001, 0x0155_00aa, 0x0001_01ff, 0x0123_0045];
        assert_eq!(unpack_branches(pack_branches(row)), row);
    }

    #[test]
    fn no_two_cells_share_an_address() {
        for &chip in Chip::ALL {
            let mut all: Vec<u32> = cells(chip).iter().map(|(at, _)| *at).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "{}", chip.name());
            assert_eq!(count == 0, port(chip).is_none());
        }
    }
}
