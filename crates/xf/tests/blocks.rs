//! Code that branches: vertices that go through blocks together come out as each of them does
//! alone, step by step.

use isotherm_bus::vertex::VtxIn;
use isotherm_regs::xf::asm::assemble;
use isotherm_regs::xf::isa::Isa;
use isotherm_xf::xf::Results;
use isotherm_xf::xf::program::{Env, Tbuf, Xfpr, run, run_with_side_effects};

/// Vertex n has n, n + 1, … in all of its attributes.
fn vertices() -> Vec<VtxIn> {
    let number = |n: usize| std::array::from_fn(|c| ((n + c) as f32).to_bits());
    let vertex = |n| VtxIn {
        attr: [number(n); 16],
        edge_flag: true,
    };
    (0..19).map(vertex).collect()
}

/// Both ways through a program, the whole constants 0 to 99 in its context.
fn both(env: &Env, isa: Isa, text: &str) -> [Vec<Results>; 2] {
    let program = assemble(text, Some(isa)).unwrap_or_else(|e| panic!("{text}: {e}"));
    let mut xfpr = Xfpr::new(isa);
    for (slot, word) in program.words.iter().enumerate() {
        xfpr.write(slot, word.to_upload());
    }
    let plan = xfpr.plan(0);
    let mut ctx: Vec<[u32; 4]> = (0..100).map(|n| [(n as f32).to_bits(); 4]).collect();
    let vertices = vertices();
    let [mut together, mut alone] = [(); 2].map(|()| vec![Results::default(); vertices.len()]);
    let tbuf = Tbuf::default;
    run(&plan, env, &ctx, &mut tbuf(), &vertices, &mut together);
    run_with_side_effects(&plan, env, &mut ctx, &mut tbuf(), &vertices, &mut alone);
    [together, alone]
}

/// Loops whose length differs from vertex to vertex, with all that a block can hold.
const TEXTS: [&str; 4] = [
    // Counts x down; the vertices that are done wait with what they have.
    "MOV R0, v[0]; MOV o[TEX1], c[7]; loop: ADDC R0.x, R0, -c[2].x; ADD R1, R1, c[1]; \
     MOV o[TEX0].xy, R1; MOV o[FOGC].x, R0; MUL R2, R1, R0; BRA loop (GT.x); \
     MOV o[TEX2], R2; MOV o[HPOS], R0; END",
    // Conditions inside, a way around, and a second register of codes untouched.
    "SLTC CC.x, v[0], c[9]; MOV o[COL0], c[3]; BRA over (NE.x); MOV o[COL0], v[0]; \
     ADDC CC, v[0], -c[12]; over: MOV R3, c[4]; MOV R3.yz (LT), c[5]; MOV o[TEX0], R3; END",
    // Calls from two places, one of them by some vertices alone.
    "SGTC CC.x, v[0], c[5]; CAL sub (GT.x); CAL sub; MOV o[TEX0], R0; END \
     sub: ADD R0, R0, v[0]; MAD R1, R0, c[2], R1; RET;",
    // Indices, which no list has, between blocks.
    "ARL A0.x, v[0].x; again: MOV R0, c[A0.x + 3]; ADD R1, R1, R0; ADDC R2.x, R1, -c[50]; \
     BRA again (LT.x); MOV o[TEX0], R1; MOV o[TEX1], R2; END",
];

/// However early the time is over.
#[test]
fn together_as_alone() {
    for isa in [Isa::Rankine, Isa::Curie] {
        for text in TEXTS {
            for timeout in 0..80 {
                let env = Env {
                    timeout,
                    ..Env::default()
                };
                let [together, alone] = both(&env, isa, text);
                assert_eq!(together, alone, "{isa:?}, {timeout} steps: {text}");
            }
        }
    }
}

/// A table leads into the middle of a block, each vertex elsewhere.
#[test]
fn into_the_middle_of_a_block() {
    let text = "ARL A0.x, v[0].x; MOV R1, c[1]; BRX [A0.x + 0]; \
                ADD R1, R1, c[2]; ADD R1, R1, c[4]; ADD R1, R1, c[8]; ADD R1, R1, c[16]; \
                MOV o[TEX0], R1; END";
    let mut branch_table = [3; 16];
    for (n, target) in branch_table.iter_mut().enumerate() {
        *target += n as u16 % 5;
    }
    for isa in [Isa::Rankine, Isa::Curie] {
        for timeout in [3, 5, 6, 7, 8, 100] {
            let env = Env {
                timeout,
                branch_table,
                ..Env::default()
            };
            let [together, alone] = both(&env, isa, text);
            assert_eq!(together, alone, "{isa:?}, {timeout} steps");
            let sums = alone.iter().take(5).map(|v| f32::from_bits(v.tex[0][0]));
            if timeout == 100 {
                let sums: Vec<f32> = sums.collect();
                assert_eq!(sums, [31.0, 29.0, 25.0, 17.0, 1.0], "{isa:?}");
            }
        }
    }
}
