//! Changes that cannot show: the changed unit gives the same values. Each with its reason, for a
//! survivor without one is a test that is missing.

use super::find::Mutant;

/// A line of a file, a change of it, and why the unit is the same with it.
struct Same {
    file: &'static str,
    line: &'static str,
    what: &'static str,
    why: &'static str,
}

const SAME: &[Same] = &[
    Same {
        file: "crates/lanes/src/srgb.rs",
        line: "if x <= 0.04045 {",
        what: "`<=` becomes `<`",
        why: "no byte stands for exactly that",
    },
    Same {
        file: "crates/xf/src/xf/arith/mul_sum.rs",
        line: "large |= (t >= LARGE << 1) as u32;",
        what: "`>=` becomes `>`",
        why: "it only chooses the slower of two ways that give the same",
    },
    Same {
        file: "crates/pixel/src/rc/general.rs",
        line: "if to != 0 {",
        what: "`0` becomes `1`",
        why: "constants are no destinations; what is discarded is zero, as register 0 is",
    },
    Same {
        file: "crates/xf/src/xf/celsius/full.rs",
        line: "v.normal = blend(&v.normal, &mat3(&vab[5], &ctx[0x10..0x14]), &w);",
        what: "`0x14` becomes `19`",
        why: "it is the normal's w, which goes nowhere: Celsius' q has two bits, and no normal map",
    },
    Same {
        file: "crates/xf/src/xf/fixed/observe.rs",
        line: "self.of(what, None, values.iter().map(|lanes| lanes[0]).collect());",
        what: "`0` becomes `1`",
        why: "all lanes have the same vertex",
    },
    Same {
        file: "crates/xf/src/xf/celsius/mod.rs",
        line: "o[9] = output_fog(raw.fog[0]);",
        what: "`0` becomes `1`",
        why: "all lanes have the same vertex",
    },
    Same {
        file: "crates/xf/src/xf/state.rs",
        line: "[x, y, z, 0]",
        what: "`0` becomes `1`",
        why: "a viewport moves x, y and z; nobody reads its w",
    },
    Same {
        file: "crates/xf/src/lt/arith.rs",
        line: "let mut odd = false;",
        what: "`false` becomes `true`",
        why: "it only chooses the slower of two ways that give the same",
    },
    Same {
        file: "crates/lanes/src/half.rs",
        line: "let r = if a < 0x3880_0000 { small } else { r };",
        what: "`<` becomes `<=`",
        why: "it is a half float, which both ways leave as it is",
    },
    Same {
        file: "crates/lanes/src/half.rs",
        line: "if x < most { x } else { most }",
        what: "`<` becomes `<=`",
        why: "where they are equal, either is the smaller one",
    },
    Same {
        file: "crates/xf/src/xf/arith/cmp.rs",
        line: "0",
        what: "`0` becomes `1`",
        why: "zeros and denormals stay equal, below all larger numbers and above the negative ones",
    },
    Same {
        file: "crates/xf/src/xf/celsius/full.rs",
        line: "v.normal = mat3(&vab[5], &ctx[4..8]);",
        what: "`8` becomes `7`",
        why: "it is the normal's w, which goes nowhere: Celsius' q has two bits, and no normal map",
    },
    Same {
        file: "crates/xf/src/xf/arith/mul_sum.rs",
        line: "let mut odd = false;",
        what: "`false` becomes `true`",
        why: "it only chooses the slower of two ways that give the same",
    },
];

/// Why a change cannot show, where that is known.
pub fn why(mutant: &Mutant) -> Option<&'static str> {
    let known = SAME.iter().find(|same| {
        mutant.file.as_path() == same.file && mutant.text == same.line && mutant.what == same.what
    });
    known.map(|same| same.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::find;
    use std::path::Path;

    #[test]
    fn every_reason_is_of_a_change_that_there_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for same in SAME {
            let source = std::fs::read_to_string(root.join(same.file)).unwrap();
            let all = find::in_file(Path::new(same.file), &source);
            let found = all
                .iter()
                .any(|mutant| mutant.text == same.line && mutant.what == same.what);
            assert!(found, "{}: {} {}", same.file, same.line, same.what);
        }
    }
}
