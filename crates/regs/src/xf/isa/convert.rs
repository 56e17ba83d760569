//! Kelvin code on Rankine: the upload rewrites each instruction.
//!
//! The rules are those that envytools' hardware test found in the program
//! memory of a Rankine after uploads through a Kelvin class.

use super::layout::{self as f, Field, src};
use super::ops::{sca, vec};
use super::{Isa, Word};

/// Rankine keeps Kelvin's 192 context rows from this row on.
pub const XFCTX_BASE: u32 = 0x3c;

/// Kelvin's last writable temporary, and the row that reads back the position.
const LAST_TEMP: u32 = 0xb;
const POSITION_SHADOW: u32 = 0xc;

/// Rankine's number of a Kelvin attribute: the texture sets moved from 9-12 to
/// 8-11, and Kelvin's number 8 went to the end.
pub fn attribute(kelvin: u32) -> u32 {
    match kelvin & 15 {
        8 => 15,
        moved @ 9..=15 => moved - 1,
        same => same,
    }
}

/// Rankine's number of a Kelvin output: back colours moved before the front
/// ones, and everything after them moved down by one.
pub fn output(kelvin: u32) -> u32 {
    match kelvin {
        7 => 1,
        8 => 2,
        9..=15 => kelvin - 1,
        // As found; a row that nothing reads.
        0xff => 0x1ff,
        other => other,
    }
}

/// The Rankine instruction that a Kelvin upload leaves in the program memory.
pub fn kelvin_to_rankine(word: Word) -> Word {
    let get = |field: Field| field.get(Isa::Kelvin, word);
    let mut to = Rankine(Word(0));
    to.put(f::END, get(f::END));
    to.put(f::XFCTX_INDEXED, get(f::XFCTX_INDEXED));

    let op = if get(f::OP_VEC) > u32::from(vec::ARL) {
        u32::from(vec::NOP)
    } else {
        get(f::OP_VEC)
    };
    let sca_op = get(f::OP_SCA);
    let (mut dst, mut wm_vec, mut wm_sca) = (get(f::DST), get(f::DST_WM_VEC), get(f::DST_WM_SCA));
    if op == u32::from(vec::ARL) {
        dst = 0;
    }
    if dst > LAST_TEMP {
        dst = LAST_TEMP;
        wm_vec = 0;
        if op == u32::from(vec::NOP) {
            wm_sca = 0;
        }
    }
    to.put(f::DST, dst);
    to.put(f::DST_WM_VEC, wm_vec);
    to.put(f::DST_WM_SCA, wm_sca);

    let to_output = get(f::OUT_TARGET) != 0;
    let addr = get(f::OUT_ADDR);
    to.put(
        f::OUT_ADDR,
        if to_output {
            output(addr)
        } else {
            addr + XFCTX_BASE
        },
    );
    to.put(f::OUT_TARGET, get(f::OUT_TARGET));
    let mask = if get(f::OUT_IS_SCA) != 0 {
        f::OUT_WM_SCA
    } else {
        f::OUT_WM_VEC
    };
    to.put(mask, get(f::OUT_WM));

    to.put(f::SRC0, source(get(f::SRC0), true));
    to.put(f::SRC1, source(get(f::SRC1), true));
    to.put(f::SRC2, source(get(f::SRC2), false));
    to.put(f::IBUF_ADDR, attribute(get(f::IBUF_ADDR)));
    to.put(f::XFCTX_ADDR, get(f::XFCTX_ADDR) + XFCTX_BASE);
    to.put(f::OP_VEC, op);
    to.put(f::OP_SCA, sca_op.min(u32::from(sca::LIT)));
    to.put(f::CSRC_SWZ, 0x1b);
    to.put(f::COND_TEST, 7);
    to.0
}

/// An undefined register file becomes the input (in sources 0 and 1), a
/// temporary beyond the file the position's shadow.
fn source(value: u32, fix_mux: bool) -> u32 {
    let mux = src::get(src::MUX, false, value);
    let reg = src::get(src::REG, false, value);
    let mux = if mux == 0 && fix_mux { 2 } else { mux };
    src::put(src::MUX, false, mux)
        | src::put(src::REG, false, reg.min(POSITION_SHADOW))
        | src::put(src::SWZ, false, src::get(src::SWZ, false, value))
        | src::put(src::NEG, false, src::get(src::NEG, false, value))
}

struct Rankine(Word);

impl Rankine {
    /// Every value written here fits: Kelvin's fields are narrower.
    fn put(&mut self, field: Field, value: u32) {
        if let Some(word) = field.set(Isa::Rankine, self.0, value) {
            self.0 = word;
        }
    }
}
