//! Remarks on render states.

use isotherm_mali::lint::{Targets, state};

/// A state as lima writes it for a plain opaque draw.
const PLAIN: [u32; 16] = [
    0,
    0,
    0xfc3b_1ad2,
    0x33,
    0xffff_0000,
    0xff00_0007,
    0xff00_0007,
    0xffff,
    0x0000_f807,
    0,
    0,
    0,
    0,
    0x1200,
    0x3000,
    0,
];

fn codes(words: [u32; 16]) -> Vec<&'static str> {
    let mut out = Vec::new();
    state(
        &words,
        None,
        Targets {
            color: true,
            depth: true,
        },
        &mut |c, _| out.push(c),
    );
    out
}

#[test]
fn plain_is_silent_and_contradictions_are_not() {
    assert!(codes(PLAIN).is_empty());
    let mut w = PLAIN;
    w[8] = w[8] & !7 | 4;
    assert_eq!(codes(w), ["early-z", "pixel-kill"]);
    let mut w = PLAIN;
    w[2] = 0xfc3b_1ad2 & !7 | 4 | 1 << 13;
    assert!(codes(w).contains(&"min-max-factors"));
    let mut w = PLAIN;
    w[8] &= !0xF000;
    assert!(codes(w).contains(&"no-samples"));
}
