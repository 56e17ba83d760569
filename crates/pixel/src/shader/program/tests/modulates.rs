//! Programs that multiply a texel by the diffuse colour.

use super::super::apart::Apart;
use super::super::modulate::product;
use super::super::row_lane;
use super::*;
use isotherm_lanes::dispatch;

dispatch! {
    fn modulate(a: &[u32; LANES], b: &[u32; LANES], out: &mut [u32; LANES]) = modulate_any::<Lanes>;
}

#[inline(always)]
fn modulate_any<S: Apart>(a: &[u32; LANES], b: &[u32; LANES], out: &mut [u32; LANES]) {
    S::istore(S::modulate(S::iload(a), S::iload(b)), out);
}

/// Bytes' products are those that a program makes of them as floats.
#[test]
fn products_of_bytes_are_those_of_floats() {
    let plan = plan(
        Curie,
        "MOVR R1, f[TEX0];\nMULR H0, R1, f[COL0];\nEND\n",
        HALF,
    );
    for a in 0..256u32 {
        for first in (0..256).step_by(LANES) {
            let bytes: [u32; LANES] = std::array::from_fn(|i| (first + i) as u32);
            let mut lanes = Lanes::default();
            for c in 0..4 {
                *lanes.input(input::TEX, c) = [a as f32 / 255.0; LANES];
                *lanes.input(input::COLOR, c) = bytes.map(|b| b as f32 / 255.0);
            }
            let mut pairs = [[[0; LANES]; 2]];
            let level = Level::current();
            let units = &no_units();
            exec::run(level, &plan, units, &mut lanes, &Groups::ONE, &mut pairs);
            let want = bytes.map(|b| u32::from(product(a as u16, b as u16)) * 0x1_0001);
            for i in 0..LANES {
                assert_eq!(pairs[0][0][row_lane(i)], want[i], "{a} * {}", bytes[i]);
            }
            for level in Level::available() {
                let mut got = [0; LANES];
                let both = |byte: u32| byte | byte << 16;
                modulate(level, &[both(a); LANES], &bytes.map(both), &mut got);
                assert_eq!(got, want, "{level:?}");
            }
        }
    }
}

#[test]
fn who_modulates() {
    let texel = "TEX R1, f[TEX0], TEX5;\n";
    for (before, text, modulates) in [
        (texel, "MULR H0, R1, f[COL0];", true),
        (texel, "MULR H0, f[COL0], R1;", true),
        ("MOVR R1, f[TEX0];\n", "MULR H0, R1, f[COL0];", false),
        (texel, "MULR H0, R1, f[COL1];", false),
        (texel, "MULR H0, R1, R1;", false),
        (texel, "MULR H0, R1, f[COL0].x;", false),
        (texel, "MULR H0, -R1, f[COL0];", false),
        (texel, "MULR H0.xyz, R1, f[COL0];", false),
        (texel, "ADDR H0, R1, f[COL0];", false),
        (texel, "MULR H2, R1, f[COL0];", false),
        (texel, "MULX H0, R1, f[COL0];", false),
        (texel, "MULR H0, R1, f[COL0];\nMOVR H0.x, R1;", false),
        ("TEX H2, f[TEX0], TEX5;\n", "MULR H0, H2, f[COL0];", false),
        (
            "TEX_SAT R1, f[TEX0], TEX5;\n",
            "MULR H0, R1, f[COL0];",
            false,
        ),
        (
            "TEX R1.xyz, f[TEX0], TEX5;\n",
            "MULR H0, R1, f[COL0];",
            false,
        ),
    ] {
        let text = format!("{before}{text}\nEND\n");
        assert_eq!(plan(Curie, &text, HALF).modulates, modulates, "{text}");
        assert!(!plan(Curie, &text, FULL).modulates, "{text}");
    }
    let moved = "MOVR R1, f[TEX0].xyxw;\nTXP R1, R1, TEX5;\nMULR H0, R1, f[COL0];\nEND\n";
    assert!(plan(Curie, moved, HALF).modulates);
    assert!(!plan(Rankine, moved, HALF).modulates);
}
