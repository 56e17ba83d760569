//! What is left out of a straight program's operations. That their bits are those of all of them is
//! [`alike`](super::super::alike)'s.

use super::super::list::{Code, Formula, Half};
use super::*;

/// The operations of a program that ends with these lines.
fn codes(lines: &str) -> Vec<Code> {
    let plan = plan(Curie, &format!("{lines}\nEND\n"), FULL);
    plan.list.all(true).iter().map(|op| op.code).collect()
}

const MUL: Code = Code::Formula(Formula::Mul);

#[test]
fn copies_are_not_made() {
    let found = codes("MOV R1.xy, f[TEX0].yxzw;\nMUL R0.xy, R1, R1.yxzw;");
    assert_eq!(found, [MUL, MUL]);
    // The second component reads what the first one had.
    let found = codes("MOV R0.xy, f[TEX0];\nMUL R0.x, R0.x, R0.y;");
    assert_eq!(found, [Code::Copy, MUL]);
}

#[test]
fn what_was_computed_is_not_computed_again() {
    let found = codes("MUL R1.x, f[TEX0], f[TEX0].y;\nMUL R0.x, f[TEX0], f[TEX0].y;");
    assert_eq!(found, [MUL, Code::Copy]);
    let found = codes("MUL R0.xy, -f[TEX0].x, -f[TEX0].x;\nMUL R0.z, -f[TEX0].x, f[TEX0].x;");
    assert_eq!(found, [Code::Modify, MUL, Code::Copy, MUL]);
    // What it was computed from has changed.
    let found =
        codes("MOV R1, f[TEX0];\nMUL R0.x, R1, R1;\nMUL R1.x, R1.y, R1.y;\nMUL R0.y, R1.x, R1.x;");
    assert_eq!(found, [MUL, MUL, MUL]);
    // Where it was has changed.
    let found =
        codes("MUL R0.x, f[TEX0], f[TEX0];\nMOV R0.x, f[TEX1];\nMUL R0.y, f[TEX0].x, f[TEX0].x;");
    assert_eq!(found, [Code::Copy, MUL]);
}

#[test]
fn what_nobody_reads_is_not_computed() {
    assert_eq!(
        codes("MUL R1, f[TEX0], f[TEX0];\nMOV R2, R1;\nMUL R0.x, f[TEX0], f[TEX0];").len(),
        1 + 1
    );
    assert_eq!(codes("MUL R1, f[TEX0], f[TEX0];"), []);
    // Lookups may give pixels up.
    assert_eq!(
        codes("TEX R1, f[TEX0], TEX0;\nKIL;"),
        [Code::Whole, Code::Kill]
    );
    // Only some lanes are written.
    let found = codes("MOVC RC.x, f[TEX0];\nMUL R1, f[TEX0], f[TEX0];\nMOV R0 (GT.x), R1;");
    assert!(
        found.contains(&Code::Write) && found.contains(&MUL),
        "{found:?}"
    );
}

/// H2 and H3 are the halves of R1.
#[test]
fn halves_of_words_are_read_and_written_like_rows() {
    let found = codes("MOV R1.x, f[TEX0];\nMOV H2.y, f[TEX1];\nMUL R0.x, R1, H2.y;");
    let [pack, half] = [Code::Pack(Half::Upper), Code::Half(Half::Upper)];
    assert_eq!(found, [pack, half, MUL]);
    // What was taken out once is not taken out again, but what has changed is.
    let found = codes("MUL R0.x, H3.x, H3.x;\nMUL R0.y, H3.x, R1.z;\nMUL R0.z, H3.x, H2.x;");
    let half = Code::Half(Half::Lower);
    assert_eq!(found, [half, MUL, MUL, half, MUL]);
    let found = codes("MUL R0.x, H2.y, R1;\nMOV H2.y, R0.x;\nMUL R0.y, H2.y, R0.x;");
    let half = Code::Half(Half::Upper);
    assert_eq!(found, [half, MUL, pack, half, MUL]);
}
