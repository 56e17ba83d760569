//! Where programs go, and where their results do: conditions, jumps, the stack, address
//! registers, outputs by index.

use isotherm_bus::vertex::VtxIn;
use isotherm_regs::xf::asm::assemble;
use isotherm_regs::xf::isa::{Inst, Isa};
use isotherm_xf::xf::Results;
use isotherm_xf::xf::program::{Env, Machine, Tbuf, Xfpr, run, trace};

/// Attribute `a` of every vertex is (4 a, 4 a + 1, 4 a + 2, 4 a + 3).
fn vertex() -> VtxIn {
    VtxIn {
        attr: std::array::from_fn(|a| std::array::from_fn(|c| ((4 * a + c) as f32).to_bits())),
        edge_flag: true,
    }
}

/// Runs a program with c[n] = (n, n, n, n), but for what the test puts there.
fn run_with(env: &Env, isa: Isa, text: &str, rows: &[(usize, f32)]) -> Results {
    let program = assemble(text, Some(isa)).unwrap_or_else(|e| panic!("{text}: {e}"));
    let mut xfpr = Xfpr::new(isa);
    for (slot, word) in (usize::from(program.org)..).zip(&program.words) {
        xfpr.write(slot, word.to_upload());
    }
    let mut ctx: Vec<[u32; 4]> = (0..200).map(|n| [(n as f32).to_bits(); 4]).collect();
    rows.iter()
        .for_each(|(row, x)| ctx[*row] = [x.to_bits(); 4]);
    let mut out = [Results::default()];
    let plan = xfpr.plan(program.org.into());
    run(
        &plan,
        env,
        &ctx,
        &mut Tbuf::default(),
        &[vertex()],
        &mut out,
    );
    out[0]
}

/// The first components of texture coordinate sets 0 to 3.
fn sets(isa: Isa, text: &str) -> [f32; 4] {
    let tex = run_with(&Env::default(), isa, text, &[]).tex;
    std::array::from_fn(|set| f32::from_bits(tex[set][0]))
}

/// Less, equal, greater and what is neither, against all tests.
#[test]
fn conditions() {
    let denormal = f32::from_bits(0x007f_ffff);
    for (x, less, equal, greater) in [
        (-1.0, true, false, false),
        (-f32::INFINITY, true, false, false),
        (0.0, false, true, false),
        (-0.0, false, true, false),
        (denormal, false, true, false),
        (f32::MIN_POSITIVE, false, false, true),
        (f32::INFINITY, false, false, true),
        (f32::NAN, false, false, false),
    ] {
        for (test, holds) in [
            ("FL", false),
            ("LT", less),
            ("EQ", equal),
            ("LE", less || equal),
            ("GT", greater),
            // What is no number differs from zero.
            ("NE", !equal),
            ("GE", greater || equal),
            ("TR", true),
        ] {
            for isa in [Isa::Rankine, Isa::Curie] {
                let env = Env {
                    ieee: true,
                    ..Env::default()
                };
                let text = format!(
                    "MOVC CC, c[9]; MOV R0, c[1]; MOV R0 ({test}), c[2]; MOV o[TEX0], R0; END"
                );
                let out = run_with(&env, isa, &text, &[(9, x)]);
                let want = if holds { 2.0 } else { 1.0 };
                let found = f32::from_bits(out.tex[0][0]);
                assert_eq!(found, want, "{isa:?}: {x:e} {test}");
            }
        }
    }
}

/// Only the components that a result is written to get a condition, and a test may look at
/// another one.
#[test]
fn conditions_by_component() {
    let text = "MOVC CC, c[1]; MOVC CC.yw, -c[1]; MOV R0, c[3]; MOV R0 (LT), c[4]; \
                MOV R1, c[3]; MOV R1 (LT.yxwz), c[4]; MOV o[TEX0], R0; MOV o[TEX1], R1; END";
    for isa in [Isa::Rankine, Isa::Curie] {
        let out = run_with(&Env::default(), isa, text, &[]);
        let found = [0, 1].map(|set| out.tex[set].map(f32::from_bits));
        assert_eq!(
            found,
            [[3.0, 4.0, 3.0, 4.0], [4.0, 3.0, 4.0, 3.0]],
            "{isa:?}"
        );
    }
}

/// What is pushed of an address register comes back, to either of them.
#[test]
fn address_registers_on_the_stack() {
    let text = |push: u32, pop: u32| {
        format!(
            "ARL A0, v[0]; ARL A1, v[1]; PUSHA A{push}.x; ARL A{push}, v[2]; POPA A{pop}.x; \
             MOV o[TEX0], c[A0.x + 20]; MOV o[TEX1], c[A0.w + 20]; \
             MOV o[TEX2], c[A1.x + 20]; MOV o[TEX3], c[A1.w + 20]; END"
        )
    };
    assert_eq!(sets(Isa::Curie, &text(0, 0)), [20.0, 23.0, 24.0, 27.0]);
    assert_eq!(sets(Isa::Curie, &text(1, 1)), [20.0, 23.0, 24.0, 27.0]);
    assert_eq!(sets(Isa::Curie, &text(0, 1)), [28.0, 31.0, 20.0, 23.0]);
    assert_eq!(sets(Isa::Curie, &text(1, 0)), [24.0, 27.0, 28.0, 31.0]);
}

/// The stack holds eight; whoever asks for more, or takes from an empty one, has ended.
#[test]
fn the_stack_has_an_end() {
    let after = |before: &str| {
        let text = format!("MOV o[TEX0], c[1]; {before} MOV o[TEX0], c[2]; END");
        sets(Isa::Curie, &text)[0]
    };
    assert_eq!(after(&"PUSHA A0.x; ".repeat(8)), 2.0);
    assert_eq!(after(&"PUSHA A0.x; ".repeat(9)), 1.0);
    assert_eq!(after("PUSHA A0.x; POPA A1.x; "), 2.0);
    assert_eq!(after("POPA A0.x; "), 1.0);
    assert_eq!(after("RET; "), 1.0);
    // Calls take from the same eight.
    for (pushed, want) in [(7, 2.0), (8, 1.0)] {
        let text = format!(
            "MOV o[TEX0], c[1]; {} CAL sub; MOV o[TEX0], c[2]; END sub: RET;",
            "PUSHA A0.x; ".repeat(pushed)
        );
        assert_eq!(sets(Isa::Curie, &text)[0], want, "{pushed}");
    }
}

/// Jumps through the table: the entry is the instruction's number and the address register's sum.
#[test]
fn jumps_by_table() {
    let mut branch_table = [0; 16];
    (branch_table[3], branch_table[15]) = (4, 5);
    let env = Env {
        branch_table,
        timeout: 100,
        ..Env::default()
    };
    for isa in [Isa::Rankine, Isa::Curie] {
        let found = |index: &str, value: f32| {
            // Slots: 0 and 1, then the jump, then one for each way.
            let text = format!(
                "MOV o[TEX0], c[1]; ARL A0.x, c[9]; BRX [A0.x + {index}]; MOV o[TEX0], c[2]; \
                 MOV o[TEX0], c[3]; MOV o[TEX1], c[4]; END"
            );
            let out = run_with(&env, isa, &text, &[(9, value)]);
            [0, 1].map(|set| f32::from_bits(out.tex[set][0]))
        };
        assert_eq!(found("3", 0.0), [3.0, 4.0], "{isa:?}");
        assert_eq!(found("1", 2.0), [3.0, 4.0], "{isa:?}");
        assert_eq!(found("5", -2.0), [3.0, 4.0], "{isa:?}");
        assert_eq!(found("15", 0.0), [1.0, 4.0], "{isa:?}");
        // Beside the table the program ends.
        assert_eq!(found("0", 16.0)[0], 1.0, "{isa:?}");
        assert_eq!(found("0", -1.0)[0], 1.0, "{isa:?}");
    }
}

/// Curie's boolean constants: a jump wants a bit set or clear.
#[test]
fn jumps_by_bit() {
    for bits in [0, 1, 1 << 5, !(1 << 5), u32::MAX] {
        let env = Env {
            branch_bits: bits,
            ..Env::default()
        };
        for bit in [0, 5, 31] {
            for (wanted, not) in [(0, "!"), (1, "")] {
                let text = format!(
                    "MOV o[TEX0], c[1]; BRB over, {not}b[{bit}]; MOV o[TEX0], c[2]; \
                     over: MOV o[TEX1], c[3]; END"
                );
                let out = run_with(&env, Isa::Curie, &text, &[]);
                let jumped = f32::from_bits(out.tex[0][0]) == 1.0;
                assert_eq!(jumped, bits >> bit & 1 == wanted, "{bits:x} {bit} {wanted}");
            }
        }
    }
}

/// Address registers: rounded down or to nearest, limited, and added in pairs.
#[test]
fn address_registers() {
    let row = |op: &str, x: f32| {
        let text = format!("{op} A0.x, c[9]; MOV o[TEX0], c[A0.x + 100]; END");
        let out = run_with(&Env::default(), Isa::Curie, &text, &[(9, x)]);
        f32::from_bits(out.tex[0][0]) - 100.0
    };
    for (x, down, near) in [(2.75, 2.0, 3.0), (-2.25, -3.0, -2.0), (7.0, 7.0, 7.0)] {
        assert_eq!((row("ARL", x), row("ARR", x)), (down, near), "{x}");
    }
    // x + z and y + w, both ways.
    let text = "ARL A1, v[1]; ARA A0, A1.x; MOV o[TEX0], c[A0.x + 0]; MOV o[TEX1], c[A0.y + 0]; \
                MOV o[TEX2], c[A0.z + 0]; MOV o[TEX3], c[A0.w + 0]; END";
    assert_eq!(sets(Isa::Curie, text), [10.0, 12.0, 10.0, 12.0]);
}

/// Nine or ten bits with a sign: what is larger stays at the limit.
#[test]
fn address_registers_have_limits() {
    for (isa, low, high) in [
        (Isa::Kelvin, -256, 255),
        (Isa::Rankine, -512, 511),
        (Isa::Curie, -512, 511),
    ] {
        for (x, want) in [(1e9, high), (-1e9, low), (high as f32, high), (-7.0, -7)] {
            let program = assemble("ARL A0.x, c[9]; END", Some(isa)).expect("a program");
            let mut xfpr = Xfpr::new(isa);
            for (slot, word) in program.words.iter().enumerate() {
                xfpr.write(slot, word.to_upload());
            }
            let mut ctx = vec![[x.to_bits(); 4]; 200];
            let mut found = None;
            let seen = |_, _: &Inst, m: &Machine| found = Some(m.address(0, 0)[0]);
            let (env, tbuf) = (Env::default(), &mut Tbuf::default());
            trace(&xfpr.plan(0), &env, &mut ctx, tbuf, &vertex(), seen);
            assert_eq!(found, Some(want), "{isa:?} {x}");
        }
    }
}

/// A row by index is another one for each vertex: the numbers among them, too.
#[test]
fn outputs_by_index() {
    let put = |index: f32, first: u32| {
        let text = format!("ARL A0.x, c[90]; MOV o[A0.x + {first}], v[1]; END");
        run_with(&Env::default(), Isa::Curie, &text, &[(90, index)])
    };
    let value = [4.0, 5.0, 6.0, 7.0f32].map(f32::to_bits);
    for set in 0..8 {
        for (index, first) in [(set as f32, 7), (set as f32 - 2.0, 9)] {
            let out = put(index, first);
            let written: Vec<_> = (0..8).filter(|n| out.tex[*n] == value).collect();
            assert_eq!(written, [set], "{index} {first}");
        }
    }
    let numbers = |out: Results| [out.fog, out.point_size].map(f32::from_bits);
    assert_eq!(numbers(put(0.0, 5)), [4.0, 0.0]);
    assert_eq!(numbers(put(1.0, 5)), [0.0, 4.0]);
    assert_eq!(numbers(put(2.0, 5)), [0.0, 0.0]);
    // Beside the rows there is nothing.
    for (index, first) in [(-1.0, 0), (40.0, 0), (1.0, 31)] {
        let out = put(index, first);
        assert_eq!(
            out,
            run_with(
                &Env::default(),
                Isa::Curie,
                "ARL A0.x, c[90]; MOV R0, v[1]; END",
                &[]
            )
        );
    }
}
