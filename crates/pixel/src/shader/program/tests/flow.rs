//! Blocks, loops and subroutines whose lanes part and meet again.

use super::*;

/// R0.x of lanes whose TEX0.x is their number.
#[track_caller]
fn x(text: &str) -> Lane {
    Ran::text(Curie, text, &numbered()).x()
}

/// Each lane against a formula.
#[track_caller]
fn each(text: &str, want: impl Fn(usize) -> f32) {
    assert_eq!(x(text), std::array::from_fn(want), "{text}");
}

/// R0.x = R0.x + n.
fn add(n: i32) -> String {
    format!("ADD R0.x, R0, c[{n}, 0, 0, 0];\n")
}

/// Sets the condition's x to the lane's number less `n`.
fn less(n: i32) -> String {
    format!("ADDC RC.x, f[TEX0], c[{}, 0, 0, 0];\n", -n)
}

#[test]
fn two_ways() {
    for n in [0, 1, 8, 15, 16] {
        let text = format!(
            "{}IF (LT.x);\n{}ELSE;\n{}ENDIF;\n{}END\n",
            less(n),
            add(1),
            add(10),
            add(100)
        );
        each(&text, |i| if (i as i32) < n { 101.0 } else { 110.0 });
        let text = format!("{}IF (GE.x);\n{}ENDIF;\n{}END\n", less(n), add(1), add(100));
        each(&text, |i| if (i as i32) < n { 100.0 } else { 101.0 });
    }
}

#[test]
fn ways_within_ways() {
    let text = format!(
        "{}IF (LT.x);\n{}IF (LT.x);\n{}ELSE;\n{}ENDIF;\n{}ELSE;\n{}IF (EQ.x);\n{}ENDIF;\n{}ENDIF;\n{}END\n",
        less(8),
        less(3),
        add(1),
        add(2),
        add(4),
        less(12),
        add(8),
        add(16),
        add(32)
    );
    each(&text, |i| match i {
        0..3 => 1.0 + 4.0 + 32.0,
        3..8 => 2.0 + 4.0 + 32.0,
        12 => 8.0 + 16.0 + 32.0,
        _ => 16.0 + 32.0,
    });
}

#[test]
fn blocks_around_nothing() {
    for empty in [
        "REP 3;\nENDREP;\n",
        "IF (TR);\nENDIF;\n",
        "IF (FL);\nELSE;\nENDIF;\n",
    ] {
        let text = format!(
            "{}IF (LT.x);\n{empty}{}ELSE;\n{empty}{}ENDIF;\n{empty}{}END\n",
            less(4),
            add(1),
            add(10),
            add(100)
        );
        each(&text, |i| if i < 4 { 101.0 } else { 110.0 });
    }
}

/// A branch is taken if its condition holds in any component.
#[test]
fn any_component_counts() {
    let text = |condition: &str| {
        format!(
            "MOVC RC, c[0, -1, 0, 0];\nIF ({condition});\n{}ENDIF;\nNOP;\nEND\n",
            add(1)
        )
    };
    each(&text("LT"), |_| 1.0);
    each(&text("LT.xxzy"), |_| 1.0);
    each(&text("LT.x"), |_| 0.0);
    each(&text("LT.xzwx"), |_| 0.0);
    each(&text("TR"), |_| 1.0);
    each(&text("FL"), |_| 0.0);
}

#[test]
fn counts() {
    for n in [0, 1, 2, 5, 255] {
        let text = format!("REP {n};\n{}ENDREP;\n{}END\n", add(1), add(1000));
        each(&text, |_| n as f32 + 1000.0);
        let text = format!("LOOP {n}, 0, 1;\n{}ENDLOOP;\n{}END\n", add(1), add(1000));
        each(&text, |_| n as f32 + 1000.0);
    }
    let text = format!(
        "REP 3;\n{}REP 4;\n{}ENDREP;\nENDREP;\nNOP;\nEND\n",
        add(100),
        add(1)
    );
    each(&text, |_| 312.0);
    // Only where its condition holds.
    let text = format!(
        "{}REP 3 (LT.x);\n{}ENDREP;\n{}END\n",
        less(4),
        add(1),
        add(10)
    );
    each(&text, |i| if i < 4 { 13.0 } else { 10.0 });
}

/// Compares the number of rounds with the lane's.
const PASSED: &str = "ADDC RC.x, R0, -f[TEX0];\n";

#[test]
fn loops_are_left() {
    let text = format!(
        "REP 200;\n{}{PASSED}BRK (GT.x);\nENDREP;\n{}END\n",
        add(1),
        add(1000)
    );
    each(&text, |i| i as f32 + 1001.0);
    // What stands behind BRK runs in the lanes that stay.
    let text = format!(
        "REP 12;\n{PASSED}BRK (GE.x);\n{}ENDREP;\n{}END\n",
        add(1),
        add(1000)
    );
    each(&text, |i| i.min(12) as f32 + 1000.0);
    // From a block, and every lane at once.
    let text = format!(
        "REP 9;\n{}{}IF (LT.x);\nBRK;\nELSE;\n{}ENDIF;\nENDREP;\n{}END\n",
        add(1),
        less(5),
        add(10),
        add(1000)
    );
    each(&text, |i| if i < 5 { 1001.0 } else { 1099.0 });
}

#[test]
fn leaving_one_loop_stays_in_the_other() {
    // Two rounds; in each an inner loop that lanes leave after their number modulo 4.
    let text = format!(
        "REP 2;\nMOV R1.x, c[0, 0, 0, 0];\nREP 9;\nADDC RC.x, R1, -f[TEX0].w;\nBRK (GE.x);\n\
         ADD R1.x, R1, c[1, 0, 0, 0];\n{}ENDREP;\n{}ENDREP;\nNOP;\nEND\n",
        add(1),
        add(100)
    );
    each(&text, |i| 2.0 * (100 + i % 4) as f32);
    // Lanes that left the outer loop do not come back for the inner one.
    let text = format!(
        "REP 3;\n{}BRK (LT.x);\nREP 2;\n{}ENDREP;\n{}ENDREP;\n{}END\n",
        less(6),
        add(1),
        add(10),
        add(1000)
    );
    each(&text, |i| if i < 6 { 1000.0 } else { 1036.0 });
}

#[test]
fn subroutines() {
    let text = format!(
        "{}CAL sub (LT.x);\n{}CAL sub;\n{}END\nsub:\n{}RET;\n",
        less(5),
        add(1),
        add(10),
        add(100)
    );
    each(&text, |i| if i < 5 { 211.0 } else { 111.0 });
    // Nobody calls.
    let text = format!("CAL sub (FL);\n{}END\nsub:\n{}RET;\n", add(1), add(100));
    each(&text, |_| 1.0);
    // Some return early; subroutines of subroutines.
    let text = format!(
        "CAL one;\n{}END\none:\n{}{}RET (LT.x);\n{}CAL two;\n{}RET;\ntwo:\n{}RET (GT.x);\n{}RET;\n",
        add(1),
        add(2),
        less(8),
        add(4),
        add(8),
        less(12),
        add(16)
    );
    each(&text, |i| match i {
        0..8 => 3.0,
        8..=12 => 31.0,
        _ => 15.0,
    });
}

#[test]
fn returning_from_loops_and_blocks() {
    let text = format!(
        "REP 2;\nCAL sub;\n{}ENDREP;\n{}END\n\
         sub:\nMOV R1.x, c[0, 0, 0, 0];\nREP 9;\n{}ADD R1.x, R1, c[1, 0, 0, 0];\n\
         ADDC RC.x, R1, -f[TEX0].w;\nIF (GT.x);\nRET;\nENDIF;\nENDREP;\n{}RET;\n",
        add(100),
        add(1000),
        add(1),
        add(10000)
    );
    each(&text, |i| 1000.0 + 2.0 * (101 + i % 4) as f32);
    // BRK of a loop around the call does not reach into it.
    let text = format!(
        "REP 3;\n{}BRK (LT.x);\nCAL sub;\nENDREP;\n{}END\nsub:\n{}RET;\n",
        less(4),
        add(1000),
        add(1)
    );
    each(&text, |i| if i < 4 { 1000.0 } else { 1003.0 });
}

/// RET where nothing was called ends the program.
#[test]
fn returning_from_nothing() {
    let text = format!("{}{}RET (LT.x);\n{}END\n", add(1), less(3), add(10));
    each(&text, |i| if i < 3 { 1.0 } else { 11.0 });
    let text = format!(
        "{}IF (LT.x);\n{}RET;\nELSE;\n{}ENDIF;\n{}END\n",
        less(3),
        add(1),
        add(2),
        add(10)
    );
    each(&text, |i| if i < 3 { 1.0 } else { 12.0 });
}

#[test]
fn end_within_a_block() {
    // The first block ends the program, the others go on.
    let text = format!(
        "{}IF (LT.x);\n{}END\nELSE;\n{}ENDIF;\n{}END\n",
        less(3),
        add(1),
        add(2),
        add(10)
    );
    each(&text, |i| if i < 3 { 1.0 } else { 12.0 });
    // Nothing stands behind the block.
    let text = format!("{}{}IF (LT.x);\n{}END\nENDIF;\n", add(5), less(3), add(1));
    each(&text, |i| if i < 3 { 6.0 } else { 5.0 });
    // In a loop the first round is the last.
    let text = format!("REP 9;\n{}END\nENDREP;\n", add(1));
    each(&text, |_| 1.0);
    // In a subroutine.
    let text = format!(
        "{}CAL sub (LT.x);\n{}END\nsub:\n{}END\n{}RET;\n",
        less(3),
        add(10),
        add(1),
        add(100)
    );
    each(&text, |i| if i < 3 { 1.0 } else { 10.0 });
}

/// A branch that is the last instruction.
#[test]
fn end_on_a_branch() {
    let text = format!("{}CAL sub;\nEND\nsub:\n{}RET;\n", add(1), add(10));
    each(&text, |_| 11.0);
    let text = format!("{}CAL sub (LT.x);\nEND\nsub:\n{}RET;\n", less(3), add(10));
    each(&text, |i| if i < 3 { 10.0 } else { 0.0 });
    let text = format!("CAL sub (FL);\nEND\nsub:\n{}RET;\n", add(10));
    each(&text, |_| 0.0);
    // Lanes that did not come there go on.
    let text = format!(
        "{}IF (LT.x);\nCAL sub;\nEND\nELSE;\n{}ENDIF;\n{}END\nsub:\n{}RET;\n",
        less(3),
        add(1),
        add(2),
        add(10)
    );
    each(&text, |i| if i < 3 { 10.0 } else { 3.0 });
    let text = format!("{}RET;\nEND\n{}", add(1), add(10));
    each(&text, |_| 1.0);
    let text = format!("IF (TR);\nEND\n{}ENDIF;\n{}END\n", add(1), add(10));
    each(&text, |_| 0.0);
}

#[test]
fn killed_in_a_block() {
    let text = format!(
        "{}IF (LT.x);\nKIL (TR);\nELSE;\nMOVC RC.y, f[TEX0];\nKIL (NE.y);\nENDIF;\nNOP;\nEND\n",
        less(6)
    );
    let ran = Ran::text(Curie, &text, &numbered());
    assert_eq!(ran.lanes.killed(), 0x3f | 0xaa80, "odd ones from 7 on");
}

/// Conditions and registers of lanes that do not run stay.
#[test]
fn lanes_that_wait_keep_what_they_have() {
    let text = format!(
        "{}IF (LT.x);\nMOVC R1.x, c[5, 0, 0, 0];\nMOV H9.x, c[5, 0, 0, 0];\nENDIF;\n\
         MOV R0.x (LT.x), c[1, 0, 0, 0];\nADD R0.x, R0, R1;\nADDR R0.x, R0, H9;\n\
         MOV R4.y, R4;\nEND\n",
        less(4)
    );
    // Those below 4 have greater now, the others what they had.
    each(&text, |i| if i < 4 { 10.0 } else { 0.0 });
    let text = text.replace("(LT.x), c", "(GE.x), c");
    each(&text, |i| if i < 4 { 11.0 } else { 1.0 });
}

#[test]
fn nothing_runs_forever() {
    // 255 times 255 times 255.
    let text = format!(
        "REP 255;\nREP 255;\nREP 255;\n{}ENDREP;\nENDREP;\nENDREP;\nMOV R0.x, c[-1, 0, 0, 0];\nEND\n",
        add(1)
    );
    let found = x(&text)[0];
    assert!(found > 60000.0 && found < 65536.0, "{found}");
    // The same number of steps, few enough.
    let text = text.replace("REP 255;\nREP 255;\nREP 255;", "REP 1;\nREP 200;\nREP 255;");
    each(&text, |_| -1.0);
    // A subroutine that calls itself.
    let text = format!(
        "CAL sub;\n{}END\nsub:\n{}CAL sub;\nRET;\n",
        add(1000),
        add(1)
    );
    each(&text, |_| 64.0);
}

#[test]
fn how_deep_blocks_may_be() {
    for (depth, want) in [(48, 101.0), (64, 101.0), (65, 0.0)] {
        let open = "IF (TR);\n".repeat(depth);
        let close = "ENDIF;\n".repeat(depth);
        let text = format!("{open}{}{close}{}END\n", add(1), add(100));
        each(&text, |_| want);
    }
}

/// Offsets that hostile words may have.
#[test]
fn offsets_that_lead_nowhere() {
    // Between instructions and outside: the program ends there.
    for target in ["2", "4000", "0x7fffffff"] {
        let text = format!("{}CAL {target};\n{}END\n", add(1), add(10));
        each(&text, |_| 1.0);
        let text = format!("{}IF {target}, {target} (FL);\n{}END\n", add(1), add(10));
        each(&text, |_| 1.0);
        let text = format!("{}REP 3, {target};\n{}END\n", add(1), add(10));
        each(&text, |_| 11.0);
    }
    // Backwards: steps are counted, and so is how deep it gets.
    let text = format!("{}IF 0, 0 (FL);\n{}END\n", add(1), add(100));
    each(&text, |_| 32768.0);
    let text = format!("{}CAL 0;\n{}END\n", add(1), add(100));
    each(&text, |_| 65.0);
}

/// The end of a loop that lies before it is never reached: its lanes come to nothing.
#[test]
fn loops_that_end_before_they_begin() {
    let text = format!("{}REP 3, 0;\n{}END\n", add(1), add(100));
    each(&text, |_| 1.0);
    let text = format!(
        "{}IF (LT.x);\nREP 3, 0;\n{}BRK;\nENDIF;\n{}END\n",
        less(4),
        add(1),
        add(10)
    );
    each(&text, |i| if i < 4 { 0.0 } else { 10.0 });
    // Without a loop BRK has no way back.
    let text = format!("{}BRK (LT.x);\n{}END\n", less(4), add(1));
    each(&text, |i| if i < 4 { 0.0 } else { 1.0 });
}

/// LOOP counts in the address register, which picks a coordinate set.
#[test]
fn the_address_register() {
    let sets: Vec<Vector> = (0..10)
        .map(|n| [n as f32 + 1.0, -1.0, 0.5, n as f32])
        .collect();
    let start = inputs(&sets);
    let of = |text: &str| Ran::text(Curie, text, &start).same()[0];
    // Numbers of the sets as digits.
    let digits = |addend: &str| format!("MAD R0.x, R0, c[16, 0, 0, 0], f[A0{addend}];\n");
    for (head, addend, want) in [
        ("LOOP 3, 1, 2;", "", 0x246 as f32),
        ("LOOP 3, 1, 2;", " + 3", 0x579 as f32),
        ("LOOP 1, 9, 0;", "", 10.0),
        // Sets that do not exist.
        ("LOOP 3, 8, 1;", "", 0x9a0 as f32),
        // It stops at 0.
        ("LOOP 4, 2, 255;", "", 0x3211 as f32),
    ] {
        let text = format!("{head}\n{}ENDLOOP;\nNOP;\nEND\n", digits(addend));
        assert_eq!(of(&text), want, "{text}");
    }
    // Each loop has its own; REP has none, and outside it is 0 as before.
    let text = format!(
        "{d}LOOP 2, 3, 1;\nLOOP 2, 7, 1;\n{d}ENDLOOP;\nREP 1;\n{d}ENDREP;\nENDLOOP;\n{d}END\n",
        d = digits("")
    );
    let found = of(&text);
    let want = [1, 8, 9, 4, 8, 9, 5, 1]
        .iter()
        .fold(0.0f32, |sum, &n| sum * 16.0 + n as f32);
    assert_eq!(found, want);
    // Other components, and lanes that broke.
    let text = "LOOP 9, 2, 1;\nADD R0, R0, -f[A0].wzyx;\nBRK;\nENDLOOP;\nNOP;\nEND\n";
    check(
        Ran::text(Curie, text, &start).same(),
        [-2.0, -0.5, 1.0, -3.0],
        text,
    );
}
