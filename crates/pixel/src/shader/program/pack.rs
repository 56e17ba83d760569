//! Operations that pack numbers into a word and unpack them, as the specification of
//! NV_fragment_program has them. A word is the bits of a float; nothing may round it.

use isotherm_lanes::half::{f32_to_half, half_to_f32};
use isotherm_lanes::srgb;
use isotherm_regs::fp::Op;

/// The word that an operation makes of a pixel's x, y, z, w.
pub(super) fn pack(op: Op, v: [f32; 4]) -> u32 {
    let bytes =
        |of: &dyn Fn(f32) -> u32| (0..4).fold(0, |word, c| word | (of(v[c]) & 0xff) << (8 * c));
    match op {
        Op::Pk2h => u32::from(f32_to_half(v[0])) | u32::from(f32_to_half(v[1])) << 16,
        Op::Pk2us => {
            let short = |x: f32| (unit(x) * 65535.0 + 0.5).floor() as u32;
            short(v[0]) | short(v[1]) << 16
        }
        // -128/127 … 1, 128 for zero.
        Op::Pk4b => bytes(&|x| (127.0 * limited(x, -128.0 / 127.0) + 128.5).floor() as u32),
        Op::Pk4ubg => bytes(&|x| (brighter(unit(x)) * 255.0 + 0.5).floor() as u32),
        _ => bytes(&|x| (unit(x) * 255.0 + 0.5).floor() as u32),
    }
}

/// Does an operation put values in a word, or take them out?
pub(super) fn packs(op: Op) -> bool {
    matches!(
        op,
        Op::Pk2h
            | Op::Pk2us
            | Op::Pk4b
            | Op::Pk4ub
            | Op::Pk4ubg
            | Op::Up2h
            | Op::Up2us
            | Op::Up4b
            | Op::Up4ub
            | Op::Up4ubg
    )
}

/// And back.
pub(super) fn unpack(op: Op, word: u32) -> [f32; 4] {
    let byte = |c: usize| (word >> (8 * c) & 0xff) as f32;
    let short = |c: usize| (word >> (16 * c) & 0xffff) as u16;
    match op {
        Op::Up2h => [0, 1, 0, 1].map(|c| half_to_f32(short(c))),
        Op::Up2us => [0, 1, 0, 1].map(|c| f32::from(short(c)) / 65535.0),
        Op::Up4b => [0, 1, 2, 3].map(|c| (byte(c) - 128.0) / 127.0),
        Op::Up4ubg => [0, 1, 2, 3].map(|c| darker(byte(c) / 255.0)),
        _ => [0, 1, 2, 3].map(|c| byte(c) / 255.0),
    }
}

/// That the curve is sRGB's is a guess: the names say gamma.
fn brighter(x: f32) -> f32 {
    srgb::from_light(x.into()) as f32
}

fn darker(x: f32) -> f32 {
    srgb::to_light(x.into()) as f32
}

fn unit(x: f32) -> f32 {
    limited(x, 0.0)
}

/// From `least` to 1; what is no number is `least`.
fn limited(x: f32, least: f32) -> f32 {
    if x > least { x.min(1.0) } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        let v = [0.0, 1.0, 0.25, -0.5];
        assert_eq!(pack(Op::Pk4ub, v), 0x0040_ff00);
        assert_eq!(pack(Op::Pk4b, v), 0x41a0_ff80);
        assert_eq!(pack(Op::Pk2us, v), 0xffff_0000);
        assert_eq!(pack(Op::Pk2h, v), 0x3c00_0000);
        assert_eq!(pack(Op::Pk4ub, [f32::NAN, 2.0, -3.0, 0.5]), 0x8000_ff00);
        assert_eq!(unpack(Op::Up4ub, 0xff00_0033), [0.2, 0.0, 0.0, 1.0]);
        assert_eq!(pack(Op::Pk4ubg, [0.0, 1.0, 0.214_04, 0.0]), 0x007f_ff00);
        assert_eq!(unpack(Op::Up4ubg, 0xff00)[..2], [0.0, 1.0]);
        assert_eq!(unpack(Op::Up4b, 0xff80_0101), [-1.0, -1.0, 0.0, 1.0]);
        assert_eq!(unpack(Op::Up2us, 0xffff_0000), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(unpack(Op::Up2h, 0xbc00_3800), [0.5, -1.0, 0.5, -1.0]);
    }
}
