//! What silicon does to the stencil buffer, from tests that it fails: Mesa runs dEQP on a
//! Mali-450 and lists the cases that do not give OpenGL's picture (lima's `lima-fails.txt`).

use isotherm_mali::pp::depth_stencil::{compare, stencil_op};

/// Keep, zero, replace, count up, count down, invert, and both ways around the end: the
/// numbers that lima sends.
const OPS: [u32; 8] = [0, 2, 1, 6, 7, 3, 4, 5];

/// Compare function, reference, compare mask, write mask; operations on a failed stencil
/// test, a failed depth test, and on neither.
type Case = (u32, u8, u8, u8, [u32; 3]);

/// Does a case's picture differ from OpenGL's? The tests fill the buffer with the eight
/// lowest and the eight highest values, under pixels that pass and that fail the depth
/// test, and show those values afterwards; others look all the same.
fn fails(cases: &[Case]) -> bool {
    let shown = |value: u8| if (8..248).contains(&value) { 8 } else { value };
    let differs = |&(func, reference, mask, write, ops): &Case| {
        (0..8u8).chain(248..=255).any(|old| {
            let passes = compare(func, u32::from(reference & mask), u32::from(old & mask));
            let which = if passes { [1, 2] } else { [0, 0] };
            which.iter().any(|&n| {
                let [a, b] =
                    [write, 255].map(|seen| stencil_op(ops[n], old, reference, write, seen));
                shown(a) != shown(b)
            })
        })
    };
    cases.iter().any(differs)
}

/// `fragment_ops.depth_stencil.stencil_ops`: 432 of 512 fail, all in which a depth result
/// counts, or a failed stencil test counts in any way but down to zero.
#[test]
fn operations_are_those_of_silicon() {
    let listed =
        |[fail, zfail, zpass]: [u32; 3]| fail >= 4 && fail != 7 || zfail >= 4 || zpass >= 4;
    let mut failed = 0;
    for n in 0..512 {
        let ops = [n / 64, n / 8 % 8, n % 8].map(|i| OPS[i]);
        let case = |func, reference, mask, write| (func, reference, mask, write, ops);
        let cases = [
            case(1, 4, 0xFF, 0xFF),
            case(4, 2, 0xFF, 0xFF),
            case(2, 3, 0xFD, 0xFF),
            case(5, 1, 0xFF, 0xFE),
        ];
        assert_eq!(fails(&cases), listed(ops), "{ops:?}");
        failed += u32::from(fails(&cases));
    }
    assert_eq!(failed, 432);
}

/// `write_mask.stencil` fails, `write_mask.both` does not: counting under 0Fh is right,
/// at its end too; under 02h it is not.
#[test]
fn write_masks_are_those_of_silicon() {
    let front = |write| (5, 1, 0xFF, write, [3, 6, 7]);
    let back = |write| (7, 0, 0xFF, write, [1, 3, 6]);
    let masks = |masks: &[u8]| {
        let cases = masks.iter().flat_map(|&m| [front(m), back(m)]);
        cases.collect::<Vec<Case>>()
    };
    assert!(!fails(&masks(&[0xFF, 0, 0xF])));
    assert!(fails(&masks(&[0xFF, 0, 0xF, 2])));
}
