//! Depth and stencil, which a job keeps in its tiles only: for those who look, a write-back
//! unit that has nothing else to do stores them.

use crate::words::{frame as fr, wb};
use isotherm_regs::mali::words::{PIXEL_FORMAT, WB_LAYOUT_VALUE, WB_TYPE_VALUE};

/// A pixel job that also stores depth and stencil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZetaProbe {
    /// The job's words.
    pub frame: Vec<u32>,
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes per row.
    pub pitch: u32,
    /// Where the job's other write-back units begin to write.
    pub targets: Vec<u32>,
}

impl ZetaProbe {
    /// Bytes that the job stores.
    pub fn bytes(&self) -> usize {
        self.pitch as usize * self.height.next_multiple_of(16) as usize
    }
}

/// Longest side of a picture.
const MOST_SIDE: u32 = 4096;

/// The job with its first sample's depth and stencil stored from an address on, a word for each
/// pixel: depth in the low 24 bits, stencil above. `None` if it has no unit for that, or is none.
pub fn zeta_probe(frame: &[u32], address: u32) -> Option<ZetaProbe> {
    let (right, bottom) = (fr::RIGHT.get(frame), fr::BOTTOM.get(frame));
    if right.max(bottom) >= MOST_SIDE {
        return None;
    }
    let (width, height) = (right + 1, bottom + 1);
    let start = |unit: usize| fr::WB + unit * fr::WB_WORDS;
    let kind = |unit: &usize| frame.get(start(*unit) + wb::TYPE).copied();
    let of_kind = |wanted: u32| (0..fr::WB_UNITS).find(|unit| kind(unit) == Some(wanted));
    let unit = of_kind(WB_TYPE_VALUE::OFF).or_else(|| of_kind(WB_TYPE_VALUE::DEPTH_STENCIL))?;
    let others = (0..fr::WB_UNITS).filter(|other| *other != unit);
    let targets = others
        .filter(|other| kind(other) != Some(WB_TYPE_VALUE::OFF))
        .filter_map(|other| frame.get(start(other) + wb::ADDRESS).copied())
        .collect();
    let mut frame = frame.to_vec();
    let words = frame.get_mut(start(unit)..)?.get_mut(..fr::WB_WORDS)?;
    let pitch = 4 * width.next_multiple_of(16);
    words.fill(0);
    words[wb::TYPE] = WB_TYPE_VALUE::DEPTH_STENCIL;
    words[wb::ADDRESS] = address;
    words[wb::FORMAT] = PIXEL_FORMAT::Z24S8;
    words[wb::LAYOUT] = WB_LAYOUT_VALUE::LINEAR;
    words[wb::PITCH] = pitch / 8;
    words[wb::MRT_BITS] = 1;
    Some(ZetaProbe {
        frame,
        width,
        height,
        pitch,
        targets,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_unit_is_used_and_the_others_are_left_alone() {
        let mut frame = vec![0; 64];
        (frame[10], frame[11]) = (99, 49);
        frame[fr::WB + wb::TYPE] = WB_TYPE_VALUE::COLOR;
        frame[fr::WB + wb::ADDRESS] = 0xFD00_0000;
        let probe = zeta_probe(&frame, 0xC000_0000).expect("a unit is free");
        assert_eq!((probe.width, probe.height, probe.pitch), (100, 50, 448));
        assert_eq!(
            (probe.bytes(), &*probe.targets),
            (448 * 64, &[0xFD00_0000][..])
        );
        let unit = fr::WB + fr::WB_WORDS;
        assert_eq!(probe.frame[..unit], frame[..unit]);
        assert_eq!(probe.frame[unit + wb::ADDRESS], 0xC000_0000);
        for unit in 0..fr::WB_UNITS {
            frame[fr::WB + unit * fr::WB_WORDS] = WB_TYPE_VALUE::COLOR;
        }
        assert_eq!(zeta_probe(&frame, 0xC000_0000), None);
        assert_eq!(zeta_probe(&frame[..30], 0xC000_0000), None);
        frame[10] = u32::MAX;
        assert_eq!(zeta_probe(&frame, 0xC000_0000), None);
    }
}
