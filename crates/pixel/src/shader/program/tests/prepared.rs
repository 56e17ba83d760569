//! What is known about a program before it runs, and the programs that are kept.

use super::super::load::{ProgramCache, program_at};
use super::*;
use isotherm_bus::budget::Cost;
use isotherm_bus::memory::Memory;
use isotherm_regs::Chip;
use std::sync::Arc;

/// The inputs that a program reads, by name.
fn reads(family: Family, lines: &str) -> Vec<(String, u8)> {
    let plan = plan(family, &format!("{lines}\nEND\n"), FULL);
    let named = plan
        .reads
        .iter()
        .enumerate()
        .filter(|(_, bits)| **bits != 0);
    named
        .map(|(i, &bits)| (asm::input_name(family, i as u8), bits))
        .collect()
}

#[test]
fn components_that_are_read() {
    for (lines, want) in [
        ("MOV R0, f[COL0];", &[("COL0", 0b1111)][..]),
        ("MOV R0.y, f[COL0];", &[("COL0", 0b0010)]),
        ("MOV R0.y, f[COL0].w;", &[("COL0", 0b1000)]),
        ("MOV R0.xw, f[TEX3].yyzz;", &[("TEX3", 0b0110)]),
        (
            "MAD R0.x, f[WPOS], f[WPOS].y, f[WPOS].z;",
            &[("WPOS", 0b0111)],
        ),
        ("DP3 R0.x, f[TEX0], R1;", &[("TEX0", 0b0111)]),
        ("DP4 R0.x, R1, f[TEX0];", &[("TEX0", 0b1111)]),
        ("RCP R0, f[TEX0].z;", &[("TEX0", 0b0100)]),
        ("DIV R0.z, f[TEX0], f[TEX0].w;", &[("TEX0", 0b1100)]),
        ("TEX R0.x, f[TEX7], TEX0;", &[("TEX7", 0b1111)]),
        (
            "MOV R0.x, f[FOGC];\nMOV R0.y, f[COL1];",
            &[("COL1", 0b0010), ("FOGC", 0b0001)],
        ),
        ("MOV R0, R1;", &[]),
        ("KIL;", &[]),
        ("STR R0;", &[]),
    ] {
        for family in [Rankine, Curie] {
            let want: Vec<_> = want
                .iter()
                .map(|&(name, bits)| (name.to_owned(), bits))
                .collect();
            assert_eq!(reads(family, lines), want, "{lines}");
        }
    }
    assert_eq!(reads(Curie, "MOV R0.x, f[FACE];"), [("FACE".to_owned(), 1)]);
    assert_eq!(reads(Curie, "MOV R0.x, f[15];"), [("15".to_owned(), 1)]);
    assert_eq!(
        reads(Rankine, "POW R0, f[TEX0].y, R1.x;"),
        [("TEX0".to_owned(), 2)]
    );
    assert_eq!(
        reads(Rankine, "RFL R0.xyz, R1, f[TEX0];"),
        [("TEX0".to_owned(), 7)]
    );
    assert_eq!(
        reads(Rankine, "LRP R0.y, R1, R2, f[TEX0];"),
        [("TEX0".to_owned(), 2)]
    );
    // Passthrough the address register: any set.
    let indexed = reads(
        Curie,
        "LOOP 2, 0, 1;\nMOV R0.x, f[A0 + 1].z;\nENDLOOP;\nNOP;",
    );
    let sets: Vec<_> = (0..10).map(|n| (format!("TEX{n}"), 0b0100)).collect();
    assert_eq!(indexed, sets);
}

#[test]
fn units_and_flags() {
    let text =
        "TEX R0, f[TEX0], TEX3;\nTXP R1, f[TEX0], TEX15;\nTXD R2, f[TEX0], R1, R1, TEX0;\nEND\n";
    let found = plan(Rankine, text, FULL);
    assert_eq!(found.units, 1 << 3 | 1 << 15 | 1);
    assert!(!found.branches && !found.kills && found.depth.is_none());
    let found = plan(Curie, "IF (TR);\nNOP;\nENDIF;\nKIL;\nEND\n", FULL);
    assert!(found.branches && found.kills);
    assert_eq!(found.units, 0);
}

/// A memory with programs in it.
fn memory(programs: &[(u32, &str)]) -> Memory {
    let mut memory = Memory::new(Chip::Nv40);
    for &(address, text) in programs {
        put(&mut memory, address, text);
    }
    memory
}

fn put(memory: &mut Memory, address: u32, text: &str) {
    for (i, word) in words(Curie, text).into_iter().enumerate() {
        memory.write_u32(address + 4 * i as u32, word);
    }
}

#[test]
fn programs_are_kept_until_memory_changes() {
    let first = "MOV R0, c[1, 2, 3, 4];\nEND\n";
    let mut memory = memory(&[(0x1000, first), (0x2000, "MOV R0, R1;\nEND\n")]);
    let mut cache = ProgramCache::default();
    let mut get = |memory: &Memory, address: u32, results: Results| {
        cache
            .get(Curie, memory, address, results)
            .expect("a program")
    };
    let one = get(&memory, 0x1000, FULL);
    assert_eq!(one.program, program(Curie, first));
    let other = get(&memory, 0x2000, FULL);
    assert!(!Arc::ptr_eq(&one, &other));
    assert!(
        Arc::ptr_eq(&one, &get(&memory, 0x1000, FULL)),
        "found again"
    );
    assert!(
        Arc::ptr_eq(&other, &get(&memory, 0x2000, FULL)),
        "found again"
    );
    // Other results are another plan.
    let half = get(&memory, 0x1000, HALF);
    assert!(!Arc::ptr_eq(&one, &half));
    assert!(half.color.half && !one.color.half);
    let depth = Results {
        full: true,
        depth: true,
        more: 0,
    };
    assert!(get(&memory, 0x1000, depth).depth.is_some());
    // A constant that a driver writes anew.
    memory.write_u32(0x1000 + 4 * 7, 9f32.to_bits());
    let changed = get(&memory, 0x1000, FULL);
    assert!(!Arc::ptr_eq(&one, &changed));
    assert_eq!(changed.consts.last().map(|row| row[0]), Some(9.0));
    // What stands behind it does not count; the old contents are still known.
    memory.write_u32(0x1000 + 4 * 8, 1);
    assert!(Arc::ptr_eq(&changed, &get(&memory, 0x1000, FULL)));
    put(&mut memory, 0x1000, first);
    assert!(Arc::ptr_eq(&one, &get(&memory, 0x1000, FULL)));
}

#[test]
fn not_all_programs_are_kept() {
    let memory = memory(&[(0, "MOV R0, c[1, 2, 3, 4];\nEND\n")]);
    let mut many = Memory::new(Chip::Nv40);
    for i in 0..300 {
        put(&mut many, 64 * i, "MOV R0, R1;\nEND\n");
    }
    let mut cache = ProgramCache::default();
    let first = cache.get(Curie, &memory, 0, FULL).expect("a program");
    for i in 0..256 {
        assert!(cache.get(Curie, &many, 64 * i, FULL).is_some());
        let again = cache.get(Curie, &memory, 0, FULL).expect("a program");
        assert_eq!(Arc::ptr_eq(&first, &again), i < 255, "after {i} others");
    }
}

#[test]
fn what_is_no_program() {
    let memory = Memory::new(Chip::Nv40);
    let mut cache = ProgramCache::default();
    assert!(cache.get(Curie, &memory, 0x1000, FULL).is_none());
    assert!(program_at(Family::Kelvin, &memory, 0).is_err());
}

/// To look for a program that is not there has its price, each time, and is done once.
#[test]
fn a_program_that_is_missing_is_missed_once() {
    let mut memory = Memory::new(Chip::Nv40);
    let mut cache = ProgramCache::default();
    let steps = |memory: &Memory| memory.budget().spent(Cost::Steps);
    let mut miss = |memory: &Memory, address: u32| {
        let before = steps(memory);
        assert!(cache.get(Curie, memory, address, FULL).is_none());
        steps(memory) - before
    };
    let first = miss(&memory, 0x1000);
    let again = miss(&memory, 0x1000);
    assert!(again > 0 && first > 10 * again, "{first}, then {again}");
    for address in [0x2000, 0x3000, 0x4000, 0x5000] {
        assert_eq!(miss(&memory, address), first);
    }
    assert_eq!(miss(&memory, 0x1000), first, "forgotten");
    assert_eq!(miss(&memory, 0x5000), again, "remembered");
    // A program that comes is found, however far behind the place it ends.
    memory.write_u32(0x5000 + 16 * 500, 1);
    assert!(cache.get(Curie, &memory, 0x5000, FULL).is_some());
}

/// Longer than what is read at first, and what branches reach behind the END.
#[test]
fn long_programs_are_read_whole() {
    let mut text = "CAL sub;\n".to_owned();
    for i in 0..100 {
        text += &format!("MOV R1, c[{i}, 0, 0, 1];\n");
    }
    text += "END\n";
    for _ in 0..50 {
        text += "MOV R2, c[7, 0, 0, 0];\n";
    }
    text += "sub:\nMOV R0, c[3, 4, 5, 6];\nRET;\n";
    let memory = memory(&[(0x40, &text)]);
    let found = program_at(Curie, &memory, 0x40).expect("a program");
    assert_eq!(found.insts.len(), 1 + 100 + 50 + 2);
    let plan = Plan::new(Curie, found, FULL);
    let found = Ran::new(plan, &no_units(), &Lanes::default()).same();
    check(found, [3.0, 4.0, 5.0, 6.0], "the subroutine");
}
