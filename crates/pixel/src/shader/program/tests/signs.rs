//! Which steps add numbers of one sign. That their bits are those of the long way is
//! [`levels`](super::levels)'s.

use super::super::signs::Alike::{self, No, WithTexels, Yes};
use super::*;

fn alike(family: Family, lines: &str) -> Vec<Alike> {
    let plan = plan(family, &format!("{lines}\nEND\n"), FULL);
    plan.steps.iter().map(|step| step.alike).collect()
}

#[test]
fn steps_that_add_numbers_of_one_sign() {
    for (lines, want) in [
        ("DP3 R0.x, f[TEX0], f[TEX0];", &[Yes][..]),
        ("DP3 R0.x, f[TEX0], -f[TEX0];", &[Yes]),
        ("DP3 R0.x, f[TEX0], |f[TEX0]|;", &[No]),
        ("DP4 R0.x, f[TEX0], f[TEX0].xyzz;", &[No]),
        ("DP2 R0.x, |f[TEX0]|, c[1, 2, -3, 4];", &[Yes]),
        ("DP3 R0.x, |f[TEX0]|, c[1, 2, -3, 4];", &[No]),
        ("ADD R0, |f[TEX0]|, |f[TEX0].w|;", &[Yes]),
        ("ADD R0, -|f[TEX0]|, -|f[TEX0].w|;", &[Yes]),
        ("ADD R0, |f[TEX0]|, -|f[TEX0].w|;", &[No]),
        // A component that is not written does not count.
        ("ADD R0.xz, |f[TEX0]|, c[1, -1, 0, -1];", &[Yes]),
        (
            "MAX R0, f[TEX0], c[0, 0, 0, 0];\nMUL R1, R0, R0.w;\nADD R1.x, R0, R1;",
            &[No, No, Yes],
        ),
        (
            "MOV_SAT R0, f[TEX0];\nMAD R1, R0, R0.x, c[0.5, 0.5, 0.5, 0.5];",
            &[No, Yes],
        ),
        // Half of the lanes may have kept what was there.
        (
            "MOV R0, f[TEX0];\nMOVC RC.x, f[TEX0];\nMOV_SAT R0 (GT.x), f[TEX0];\nADD R1, R0, c[1, 1, 1, 1];",
            &[No; 4],
        ),
        // Another component of the register is as it was.
        (
            "MOV R0, f[TEX0];\nEX2 R0.x, f[TEX0];\nADD R1.x, R0, c[1, 1, 1, 1];\nADD R1.y, R0, c[1, 1, 1, 1];",
            &[No, No, Yes, No],
        ),
        // 1 / -0 is below zero.
        ("RCP R0, |f[TEX0]|;\nADD R1, R0, c[1, 1, 1, 1];", &[No, No]),
        (
            "TEX R0, f[TEX0], TEX0;\nMAD R1, R0, R0.w, c[1, 1, 1, 1];",
            &[No, WithTexels],
        ),
        // Halves of it are written by other names.
        (
            "MOV_SAT R0, f[TEX0];\nMOVH H0, f[TEX0];\nADD R1, R0, c[1, 1, 1, 1];",
            &[No; 3],
        ),
    ] {
        assert_eq!(alike(Curie, lines), want, "{lines}");
    }
    assert_eq!(alike(Rankine, "DP3 R0.x, f[TEX0], f[TEX0];"), [No]);
}

#[test]
fn components_with_the_same_sources_are_computed_once() {
    let twins = |lines: &str| plan(Curie, &format!("{lines}\nEND\n"), FULL).steps[0].twins;
    assert_eq!(twins("MUL R0, f[TEX0].x, c[2, 2, 2, 2];"), [0; 4]);
    assert_eq!(twins("MUL R0.yzw, f[TEX0].x, c[2, 2, 2, 2];"), [0, 1, 1, 1]);
    assert_eq!(twins("MUL R0, f[TEX0].xyxw, c[2, 2, 2, 2];"), [0, 1, 0, 3]);
    assert_eq!(twins("MUL R0, f[TEX0].x, c[1, 2, 1, 2];"), [0, 1, 0, 1]);
}
