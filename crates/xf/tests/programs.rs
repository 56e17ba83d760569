//! Programs: the machine, and the unit around it.

use isotherm_bus::vertex::VtxIn;
use isotherm_regs::xf::asm::assemble;
use isotherm_regs::xf::isa::Isa;
use isotherm_xf::xf::Results;
use isotherm_xf::xf::program::{Env, Tbuf, UserRows, Xfpr, run, run_with_side_effects};

fn memory(isa: Isa, text: &str) -> (Xfpr, usize) {
    let program = assemble(text, Some(isa)).unwrap_or_else(|e| panic!("{e}"));
    let mut xfpr = Xfpr::new(isa);
    for (i, word) in program.words.iter().enumerate() {
        xfpr.write(usize::from(program.org) + i, word.to_upload());
    }
    (xfpr, program.org.into())
}

fn vertex(n: u32) -> VtxIn {
    VtxIn {
        attr: core::array::from_fn(|a| {
            core::array::from_fn(|c| ((n * 64 + a as u32 * 4 + c as u32) as f32).to_bits())
        }),
        edge_flag: n.is_multiple_of(2),
    }
}

fn f(x: f32) -> u32 {
    x.to_bits()
}

/// Runs `text` on `count` vertices with c[n] = (n, n + 0.25, n + 0.5, n + 0.75).
fn run_text(isa: Isa, text: &str, count: u32) -> Vec<Results> {
    run_in(&Env::default(), isa, text, count)
}

fn run_in(env: &Env, isa: Isa, text: &str, count: u32) -> Vec<Results> {
    let (xfpr, start) = memory(isa, text);
    let ctx: Vec<[u32; 4]> = (0..192)
        .map(|n| core::array::from_fn(|c| f(n as f32 + c as f32 / 4.0)))
        .collect();
    let vertices: Vec<VtxIn> = (0..count).map(vertex).collect();
    let mut out = vec![Results::default(); vertices.len()];
    run(
        &xfpr.plan(start),
        env,
        &ctx,
        &mut Tbuf::default(),
        &vertices,
        &mut out,
    );
    out
}

#[test]
fn lanes_keep_their_vertices() {
    let out = run_text(
        Isa::Kelvin,
        "ADD o[HPOS], v[0], c[3]; MOV o[TEX1].yw, -v[2].wzyx; END",
        21,
    );
    for (n, v) in out.iter().enumerate() {
        let base = (n * 64) as f32;
        assert_eq!(
            v.pos.map(f32::from_bits),
            [base + 3.0, base + 4.25, base + 5.5, base + 6.75]
        );
        assert_eq!(
            v.tex[1].map(f32::from_bits),
            [0.0, -(base + 10.0), 0.0, -(base + 8.0)]
        );
        assert_eq!(v.edge_flag, n.is_multiple_of(2));
    }
}

#[test]
fn both_units_read_before_either_writes() {
    // R1 = 4, R0 = 1: the pair reads R0 before DP3 replaces it, and RSQ lands in R1.
    let text = "MOV R0, c[1].x; MOV R1, c[4].x; DP3 R0.x, R1, R1 + RSQ R1.z, R0.x; MOV o[TEX0], R1; MOV o[TEX1], R0; END";
    let out = &run_text(Isa::Kelvin, text, 1)[0];
    assert_eq!(
        out.tex[0][2],
        isotherm_xf::xf::arith::rsq(isotherm_xf::xf::arith::Rules::Kelvin, &[f(1.0)])[0]
    );
    assert_eq!(f32::from_bits(out.tex[1][0]), 48.0);
}

/// Results that are written in place must not be read as sources of what is still to do.
#[test]
fn results_do_not_run_into_sources() {
    let want = [[1.0, 0.0, 3.0, 2.0], [3.0; 4]];
    for (text, want) in [
        (
            "MOV R0, v[0]; MOV R0, R0.yxwz; MOV o[TEX0], R0; END",
            want[0],
        ),
        (
            "MOV R0, v[0]; MUL R0, R0.w, c[1].x; MOV o[TEX0], R0; END",
            want[1],
        ),
        (
            "MOV R0, v[0]; DP4 R0, R0, c[1].x; MOV o[TEX0], R0; END",
            [6.0; 4],
        ),
        (
            "MOV R0, v[0]; MOVC CC, c[1]; MOV R0 (GT), R0.yxwz; MOV o[TEX0], R0; END",
            want[0],
        ),
        (
            "MOV R0, v[0]; MOVC CC, c[1]; MOV R0.xy (GT), R0.yxwz; MOV o[TEX0], R0; END",
            [1.0, 0.0, 2.0, 3.0],
        ),
        // The condition code is the result's, not what became of its place.
        (
            "MOV R1, v[0]; MOVC R1, -R1.yxwz; MOV R1 (LT), c[3].x; MOV o[TEX0], R1; END",
            [3.0, -0.0, 3.0, 3.0],
        ),
    ] {
        for isa in [Isa::Kelvin, Isa::Rankine, Isa::Curie] {
            // Kelvin has no conditions.
            if isa == Isa::Kelvin && text.contains("MOVC") {
                continue;
            }
            let out = &run_text(isa, text, 1)[0];
            assert_eq!(out.tex[0].map(f32::from_bits), want, "{isa:?}: {text}");
        }
    }
}

/// What was found out about a program is found out again when its words, or what they mean,
/// change.
#[test]
fn words_that_change_are_looked_at_again() {
    let (mut xfpr, org) = memory(Isa::Curie, "MOV o[TEX0], c[1]; END");
    let found = |xfpr: &Xfpr| {
        let ctx: Vec<[u32; 4]> = (0..8).map(|n| [f(n as f32); 4]).collect();
        let mut out = [Results::default()];
        let plan = xfpr.plan(org);
        let (env, tbuf) = (Env::default(), &mut Tbuf::default());
        run(&plan, &env, &ctx, tbuf, &[vertex(0)], &mut out);
        f32::from_bits(out[0].tex[0][0])
    };
    assert_eq!((found(&xfpr), found(&xfpr)), (1.0, 1.0));
    let copy = xfpr.clone();
    let program = assemble("MOV o[TEX0], c[2]; END", Some(Isa::Curie));
    for (slot, word) in (org..).zip(program.map(|p| p.words).unwrap_or_default()) {
        xfpr.write(slot, word.to_upload());
    }
    assert_eq!((found(&xfpr), found(&copy)), (2.0, 1.0));
}

/// A program may end early: what a time-out leaves undone is not written.
#[test]
fn straight_code_stops_at_the_time_out() {
    let text = "MOV o[TEX0], c[1]; MOV o[TEX0], c[2]; MOV o[TEX0], c[3]; END";
    for (timeout, want) in [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0), (9, 3.0)] {
        let env = Env {
            timeout,
            ..Env::default()
        };
        let out = &run_in(&env, Isa::Curie, text, 9)[8];
        assert_eq!(f32::from_bits(out.tex[0][0]), want, "{timeout}");
    }
}

#[test]
fn position_reads_back_as_r12() {
    let text = "MOV o[HPOS], c[2]; ADD o[HPOS].x & R0.x, R12, v[0].y; MOV o[TEX0], R0; MOV o[TEX1], R12; END";
    let out = &run_text(Isa::Kelvin, text, 1)[0];
    assert_eq!(f32::from_bits(out.tex[0][0]), 3.0);
    assert_eq!(out.tex[1].map(f32::from_bits), [3.0, 2.25, 2.5, 2.75]);
}

#[test]
fn the_fog_coordinate_is_the_x_of_the_last_result() {
    for (text, want) in [
        ("MOV o[FOGC], c[1];", 1.0),
        ("MOV o[FOGC].yw, c[1].ywww;", 1.25),
        ("MUL o[FOGC].w, c[2].yyyy, c[2].xxxx;", 4.5),
        ("MOV o[FOGC].w, c[1]; MOV o[FOGC].z, c[2].z;", 2.5),
    ] {
        assert_eq!(
            f32::from_bits(run_text(Isa::Kelvin, text, 1)[0].fog),
            want,
            "{text}"
        );
    }
}

/// Every component of both address registers is written where its mask says so.
#[test]
fn address_registers_have_four_components() {
    for isa in [Isa::Rankine, Isa::Curie] {
        let text = "ARL A1, v[0]; ARL A1.yw, v[0].xxxx; MOV o[TEX0], c[A1.x + 9]; \
                    MOV o[TEX1], c[A1.y + 9]; MOV o[TEX2], c[A1.z + 9]; MOV o[TEX3], c[A1.w + 9]; END";
        let out = run_text(isa, text, 1);
        let rows = [0, 1, 2, 3].map(|unit| f32::from_bits(out[0].tex[unit][0]));
        assert_eq!(rows, [9.0, 9.0, 11.0, 9.0], "{isa:?}");
        let text = text.replace(".xxxx", ".wwww");
        let out = run_text(isa, &text, 1);
        let rows = [0, 1, 2, 3].map(|unit| f32::from_bits(out[0].tex[unit][0]));
        assert_eq!(rows, [9.0, 12.0, 11.0, 12.0], "{isa:?}");
    }
}

#[test]
fn indexed_constants_and_their_limits() {
    let text = "ARL A0.x, v[0].y; MOV o[TEX0], c[A0.x + 5]; MOV o[TEX1], c[A0.x + 191]; END";
    let out = &run_text(Isa::Kelvin, text, 1)[0];
    assert_eq!(out.tex[0].map(f32::from_bits), [6.0, 6.25, 6.5, 6.75]);
    assert_eq!(out.tex[1], [0; 4]);
}

/// Fixed function's rows read as 0 where only the user's are open: from 60h on, and the two of the
/// viewport by their own numbers, not by an index.
#[test]
fn rows_of_fixed_function_are_closed() {
    let env = Env {
        user_rows: Some(UserRows::KELVIN),
        ..Env::default()
    };
    // The vertex has 1 there.
    let first = |row: &str| {
        let text = format!("ARL A0.x, v[0].y; MOV o[TEX0], c[{row}]; END");
        f32::from_bits(run_in(&env, Isa::Kelvin, &text, 1)[0].tex[0][0])
    };
    for (row, want) in [
        ("96", 96.0),
        ("95", 0.0),
        ("60", 0.0),
        ("59", 59.0),
        ("58", 58.0),
        ("57", 0.0),
        ("A0.x + 95", 96.0),
        ("A0.x + 94", 0.0),
        ("A0.x + 58", 0.0),
    ] {
        assert_eq!(first(row), want, "c[{row}]");
    }
}

#[test]
fn what_is_not_written_keeps_the_last_vertex() {
    let (first, start) = memory(Isa::Kelvin, "MOV o[COL0], c[0].w; MOV o[FOGC], c[7]; END");
    let (second, _) = memory(Isa::Kelvin, "MOV o[COL0].x, c[1]; END");
    let ctx: Vec<[u32; 4]> = (0..192)
        .map(|n| {
            [f(n as f32); 3]
                .into_iter()
                .chain([f(0.5)])
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or_default()
        })
        .collect();
    let mut tbuf = Tbuf::default();
    let mut out = [Results::default(); 3];
    run(
        &first.plan(start),
        &Env::default(),
        &ctx,
        &mut tbuf,
        &[vertex(0); 3],
        &mut out,
    );
    run(
        &second.plan(start),
        &Env::default(),
        &ctx,
        &mut tbuf,
        &[vertex(0); 3],
        &mut out,
    );
    assert_eq!(out[2].color[0].map(f32::from_bits), [1.0, 0.5, 0.5, 0.5]);
    assert_eq!(f32::from_bits(out[2].fog), 7.0);
}

#[test]
fn side_effects_need_the_mode_and_follow_vertex_order() {
    let (xfpr, start) = memory(
        Isa::Kelvin,
        "ADD c[9].x, c[9], v[0].y; MOV o[TEX0], c[9]; END",
    );
    let plan = xfpr.plan(start);
    assert!(plan.writes_ctx);
    let vertices = [vertex(0), vertex(1), vertex(2)];
    let mut out = [Results::default(); 3];
    let mut ctx = vec![[0; 4]; 192];
    run(
        &plan,
        &Env::default(),
        &ctx,
        &mut Tbuf::default(),
        &vertices,
        &mut out,
    );
    assert_eq!(ctx[9], [0; 4]);
    run_with_side_effects(
        &plan,
        &Env::default(),
        &mut ctx,
        &mut Tbuf::default(),
        &vertices,
        &mut out,
    );
    assert_eq!(out.map(|o| f32::from_bits(o.tex[0][0])), [1.0, 66.0, 195.0]);
    assert_eq!(f32::from_bits(ctx[9][0]), 195.0);
}

#[test]
fn a_program_without_end_stops_at_the_end_of_memory() {
    let out = run_text(Isa::Kelvin, ".org 130 MOV o[HPOS], c[1];", 1);
    assert_eq!(f32::from_bits(out[0].pos[0]), 1.0);
    let xfpr = Xfpr::new(Isa::Kelvin);
    assert!(xfpr.plan(0).unterminated);
    assert!(xfpr.plan(9999).insts().is_empty());
}

#[test]
fn conditions_write_lane_by_lane() {
    // v[0].x = 64 n: below 100 for vertices 0 and 1.
    let text =
        "SLTC CC.x, v[0], c[100]; MOV R0, c[1]; MOV R0.xy (NE.x), c[2]; MOV o[TEX0], R0; END";
    let out = run_text(Isa::Curie, text, 4);
    for (n, v) in out.iter().enumerate() {
        let want = if n < 2 {
            [2.0, 2.25, 1.5, 1.75]
        } else {
            [1.0, 1.25, 1.5, 1.75]
        };
        assert_eq!(v.tex[0].map(f32::from_bits), want, "vertex {n}");
    }
}

#[test]
fn lanes_loop_their_own_number_of_times() {
    // Counts v[0].x = 64 n down by 32 while positive.
    let text = "MOV R0.x, v[0]; loop: ADDC R0.x, R0, -c[32].x; ADD R1.x, R1, c[1].x; BRA loop (GT.x); MOV o[TEX0], R1; END";
    for isa in [Isa::Rankine, Isa::Curie] {
        let out = run_text(isa, text, 11);
        for (n, v) in out.iter().enumerate() {
            assert_eq!(
                f32::from_bits(v.tex[0][0]),
                (2 * n).max(1) as f32,
                "vertex {n}"
            );
        }
    }
}

#[test]
fn calls_return_and_runaways_stop() {
    let text = "CAL sub; CAL sub; MOV o[TEX0], R0; END sub: ADD R0.x, R0, c[3].x; RET;";
    let out = run_text(Isa::Rankine, text, 1);
    assert_eq!(f32::from_bits(out[0].tex[0][0]), 6.0);
    run_text(Isa::Rankine, "l: BRA l;", 1);
    run_text(Isa::Curie, "l: CAL l;", 1);
    run_text(Isa::Curie, "BRA 511; END", 1);
}

/// Mesa divides whole numbers as FLR(a × RCP(b)). NV43 passes piglit's tests of it, which
/// divide these numbers by themselves. 1/77 lies just above a single, so that the nearest
/// one is too small for a product that is cut; Rankine's reciprocal is cut and fails all.
#[test]
fn curies_reciprocal_is_rounded_up() {
    let divided = |isa: Isa, n: [u32; 3]| {
        let [a, b, c] = n;
        let text = format!(
            "RCP R0.x, c[{a}].x; RCP R0.y, c[{b}].x; RCP R0.z, -c[{c}].x; RCP R0.w, c[0].x;
             MUL R1.x, R0.x, c[{a}].x; MUL R1.y, R0.y, c[{b}].x; MUL R1.z, R0.z, -c[{c}].x;
             MOV R1.w, R0.w; MOV o[TEX0], R1; END"
        );
        run_text(isa, &text, 1)[0].tex[0].map(f32::from_bits)
    };
    for n in [[9, 35, 38], [59, 77, 68], [36, 88, 23], [1, 2, 64]] {
        assert_eq!(divided(Isa::Curie, n), [1.0, 1.0, 1.0, f32::INFINITY]);
    }
    let rankine = divided(Isa::Rankine, [59, 77, 68]);
    assert!(rankine[..3].iter().all(|&x| x < 1.0), "{rankine:?}");
}

#[test]
fn saturation_and_absolute_value() {
    let text = "MOV_SAT o[TEX0], -|v[0]|; MOV_SAT o[TEX1], |c[0].yzwy|; MOV o[TEX2], -|c[1]|; END";
    let out = run_text(Isa::Curie, text, 1);
    assert_eq!(out[0].tex[0], [0; 4]);
    assert_eq!(out[0].tex[1].map(f32::from_bits), [0.25, 0.5, 0.75, 0.25]);
    assert_eq!(
        out[0].tex[2].map(f32::from_bits),
        [-1.0, -1.25, -1.5, -1.75]
    );
}

/// Loads a program through the unit's commands, word by word, and turns programs on.
fn unit(text: &str) -> isotherm_xf::xf::Xf {
    use isotherm_regs::xf::mode::{XF_MODE, XFCTX_ACCESS, XFMODE_A, XFMODE_B};
    let chip = isotherm_regs::Chip::Nv2a;
    let mut xf = isotherm_xf::xf::Xf::new(chip);
    let program = assemble(text, Some(Isa::Kelvin)).unwrap_or_else(|e| panic!("{e}"));
    for (slot, word) in (program.org..).zip(&program.words) {
        for (comp, w) in (0u16..).zip(word.to_upload()) {
            xf.command(2, slot << 4 | comp << 2, 1 << (comp & 1), w, w);
        }
    }
    let lights = XFMODE_B::MODE
        .set(chip, 0, XF_MODE::PROGRAM_V1)
        .and_then(|w| XFMODE_B::XFCTX_ACCESS.set(chip, w, XFCTX_ACCESS::FULL))
        .and_then(|w| XFMODE_B::XFCTX_WRITE_ENABLE.set(chip, w, 1))
        .unwrap_or_default();
    let materials = XFMODE_A::PROGRAM_START_POS
        .set(chip, 0, program.org.into())
        .unwrap_or_default();
    xf.command(7, 0, 3, lights, materials);
    xf
}

#[test]
fn the_unit_loads_and_runs_a_program() {
    let mut xf = unit(".org 5 ADD o[HPOS], v[0], c[2]; MOV o[COL0], v[3].x; END");
    for comp in 0..4u16 {
        let w = f(10.0);
        xf.command(9, 2 << 4 | comp << 2, 1 << (comp & 1), w, w);
    }
    let mut out = Vec::new();
    xf.run(&[vertex(0), vertex(1)], &mut out);
    assert_eq!(out[1].pos.map(f32::from_bits), [74.0, 75.0, 76.0, 77.0]);
    assert_eq!(out[1].color[0], [255; 4]);
    let mut slots = Vec::new();
    let traced = xf.trace(&vertex(1), |slot, _, _, _, _| slots.push(slot));
    assert_eq!(traced, Some(out[1]));
    assert_eq!(slots, [5, 6]);
}

/// Steps of a program are shown where one is on, those of fixed function where that is on, and
/// nothing of Celsius.
#[test]
fn there_is_something_to_show_of_what_is_on() {
    use isotherm_regs::Chip;
    use isotherm_xf::xf::Xf;
    for (mut xf, program, fixed) in [
        (unit("MOV o[HPOS], v[0]; END"), true, false),
        (Xf::new(Chip::Nv2a), false, true),
        (Xf::new(Chip::Nv34), false, true),
        (Xf::new(Chip::Nv10), false, false),
    ] {
        let traced = xf.trace(&vertex(0), |_, _, _, _, _| {});
        let observed = xf.observe(&vertex(0));
        assert_eq!((traced.is_some(), observed.is_some()), (program, fixed));
    }
}

#[test]
fn run_starts_a_vertex_state_program() {
    let mut xf = unit(".org 9 MUL c[100], v[0], c[101].x; END");
    xf.state_mut().xfctx[101] = [f(3.0); 4];
    for comp in 0..4u16 {
        let w = f(1.0 + f32::from(comp));
        xf.command(4, comp << 2, 1 << (comp & 1), w, w);
    }
    xf.command(6, 0, 1, 9, 9);
    assert_eq!(
        xf.state().xfctx[100].map(f32::from_bits),
        [3.0, 6.0, 9.0, 12.0]
    );
}

#[test]
fn rankine_runs_kelvin_code() {
    let kelvin = assemble(
        "MOV o[HPOS], v[0]; ADD o[TEX0], R12, c[3]; END",
        Some(Isa::Kelvin),
    );
    let kelvin = kelvin.unwrap_or_else(|e| panic!("{e}"));
    let mut xfpr = Xfpr::new(Isa::Rankine);
    for (slot, word) in kelvin.words.iter().enumerate() {
        xfpr.write(slot, word.to_upload());
    }
    xfpr.set_code(Isa::Kelvin);
    let mut ctx = vec![[0; 4]; 0x19c];
    ctx[0x3c + 3] = [f(5.0); 4];
    let mut out = [Results::default()];
    run(
        &xfpr.plan(0),
        &Env::default(),
        &ctx,
        &mut Tbuf::default(),
        &[vertex(0)],
        &mut out,
    );
    assert_eq!(out[0].tex[0].map(f32::from_bits), [5.0, 6.0, 7.0, 8.0]);
}

#[test]
fn curie_gets_its_mode_by_bundles_and_its_viewport_by_commands() {
    use isotherm_regs::bundle::{self as id, XF_C};
    use isotherm_regs::xf::mode::XF_MODE;
    let chip = isotherm_regs::Chip::Nv40;
    let mut xf = isotherm_xf::xf::Xf::new(chip);
    let text = ".org 300 MOV o[HPOS], v[0]; MOV o[TEX0], c[119]; MOV o[FOGC].x, c[400]; END";
    let program = assemble(text, Some(Isa::Curie)).unwrap_or_else(|e| panic!("{e}"));
    for (slot, word) in (program.org..).zip(&program.words) {
        for (comp, w) in (0u16..).zip(word.to_upload()) {
            xf.command(2, slot << 4 | comp << 2, 1 << (comp & 1), w, w);
        }
    }
    xf.state_mut().xfctx[119] = [f(9.0); 4];
    xf.state_mut().xfctx[400] = [f(1.2345678); 4];
    // (x, y, z) * 10 + 5; each word goes to LTCTX and then to a context row.
    for (lt, row, value) in [(0x36, 0x77, 5.0), (0x37, 0x76, 10.0)] {
        for comp in 0..4u16 {
            xf.command(10, lt << 4 | comp << 2, 1 << (comp & 1), f(value), f(value));
            xf.command(9, row << 4 | comp << 2, 1 << (comp & 1), f(value), f(value));
        }
    }
    let mode = XF_C::MODE
        .set(chip, 300, XF_MODE::PROGRAM_V3)
        .unwrap_or_default();
    xf.bundle(id::XF_C, 0, mode);
    let mut v = vertex(0);
    v.attr[0] = [f(1.0), f(2.0), f(3.0), f(2.0)];
    let mut out = Vec::new();
    xf.run(&[v], &mut out);
    assert_eq!(out[0].pos.map(f32::from_bits), [10.0, 15.0, 20.0, 2.0]);
    assert_eq!(out[0].tex[0].map(f32::from_bits), [9.0; 4]);
    assert_eq!(out[0].fog, f(1.2345678));
}

#[test]
fn rankine_keeps_its_viewport_when_constants_take_its_rows() {
    use isotherm_regs::xf::mode::{XF_MODE, XFMODE_B};
    let chip = isotherm_regs::Chip::Nv34;
    let mut xf = isotherm_xf::xf::Xf::new(chip);
    let text = "MOV o[HPOS], v[0]; MOV o[TEX0], c[119]; MOV o[TEX1], c[118]; END";
    let program = assemble(text, Some(Isa::Rankine)).unwrap_or_else(|e| panic!("{e}"));
    let mut load = |cmd: u8, row: u16, words: [u32; 4]| {
        for (comp, w) in (0u16..).zip(words) {
            xf.command(cmd, row << 4 | comp << 2, 1 << (comp & 1), w, w);
        }
    };
    for (slot, word) in (0u16..).zip(&program.words) {
        load(2, slot, word.to_upload());
    }
    // A translation that 22 bits could not hold; scale 10.
    let translate = 1024.0 + 1.0 / 32.0;
    for (lt, row, value) in [(0x36, 0x77, translate), (0x37, 0x76, 10.0)] {
        load(10, lt, [f(value); 4]);
        load(9, row, [f(value); 4]);
    }
    load(9, 0x76, [f(7.0); 4]);
    load(9, 0x77, [f(9.0); 4]);
    let mode = XFMODE_B::MODE
        .set(chip, 0, XF_MODE::PROGRAM_V2)
        .unwrap_or_default();
    xf.command(7, 8, 3, mode, 0);
    let mut v = vertex(0);
    v.attr[0] = [f(1.0), f(2.0), f(3.0), f(1.0)];
    let mut out = Vec::new();
    xf.run(&[v], &mut out);
    assert_eq!(
        out[0].pos.map(f32::from_bits),
        [translate + 10.0, translate + 20.0, translate + 30.0, 1.0]
    );
    assert_eq!(out[0].tex[0].map(f32::from_bits), [9.0; 4]);
    assert_eq!(out[0].tex[1].map(f32::from_bits), [7.0; 4]);
}

/// Programs that go in circles tell how long they took; those that cannot do not.
#[test]
fn steps_of_programs_that_jump() {
    use isotherm_regs::bundle::{self as id, XF_C, XF_D};
    use isotherm_regs::xf::mode::XF_MODE;
    let chip = isotherm_regs::Chip::Nv40;
    for (text, steps) in [
        ("l: BRA l; MOV o[HPOS], v[0]; END", 2 * 500),
        ("MOV o[HPOS], v[0]; END", 0),
    ] {
        let mut xf = isotherm_xf::xf::Xf::new(chip);
        let program = assemble(text, Some(Isa::Curie)).unwrap_or_else(|e| panic!("{e}"));
        for (slot, word) in (0u16..).zip(&program.words) {
            for (comp, w) in (0u16..).zip(word.to_upload()) {
                xf.command(2, slot << 4 | comp << 2, 1 << (comp & 1), w, w);
            }
        }
        let mode = XF_C::MODE.set(chip, 0, XF_MODE::PROGRAM_V3);
        xf.bundle(id::XF_C, 0, mode.unwrap_or_default());
        let timeout = XF_D::TIMEOUT.set(chip, 0, 500);
        xf.bundle(id::XF_D, 0, timeout.unwrap_or_default());
        let mut out = Vec::new();
        // Eight vertices at a time.
        xf.run(&std::array::from_fn::<_, 10, _>(|_| vertex(0)), &mut out);
        assert_eq!((xf.take_steps(), xf.take_steps()), (steps, 0), "{text}");
    }
}
