//! `cargo xtask programs`: vertex programs there and back, and run to their end; fragment programs
//! as they are prepared and step by step.

pub mod fragments;
pub mod fuzz;

use anyhow::{Context, bail};
use isotherm::capture::Reader;
use isotherm::pixel::shader::program::alike::Pictures;
use isotherm::programs::vertex as uploads;
use isotherm::vertex::VtxIn;
use isotherm::xf::Level;
use isotherm::xf::Results;
use isotherm::xf::program::{Env, Tbuf, Xfpr, run, run_at, run_with_side_effects, trace};
use isotherm_regs::Family;
use isotherm_regs::xf::asm::generate::{self, Rng};
use isotherm_regs::xf::asm::{Program, assemble, disassemble};
use isotherm_regs::xf::isa::Isa;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Round trips of `count` random programs per instruction set, then every
/// program of every capture; random fragment programs between.
pub fn run_task(count: usize, fragments: u64) -> anyhow::Result<()> {
    for isa in Isa::ALL {
        let instructions = random_programs(isa, count)?;
        println!(
            "{:8} {count} random programs, {instructions} instructions: text and words agree",
            isa.name()
        );
    }
    levels(1_000_000)?;
    for family in [Family::Rankine, Family::Curie] {
        prepared(family, fragments / 2)?;
    }
    captures()
}

/// Random programs on `count` random vertices per instruction set: every vector
/// level, and one vertex at a time, give the same bits.
fn levels(count: usize) -> anyhow::Result<()> {
    const BATCH: usize = 1000;
    let available = Level::available();
    for isa in Isa::ALL {
        (0..(count / BATCH) as u64)
            .into_par_iter()
            .try_for_each(|seed| {
                let mut rng = Rng(seed << 8 | 0x80 | isa as u64);
                let program = loop {
                    let program = generate::program(isa, &mut rng);
                    if !load(&program).plan(program.org.into()).writes_ctx {
                        break program;
                    }
                };
                let xfpr = load(&program);
                let plan = xfpr.plan(program.org.into());
                let ctx: Vec<[u32; 4]> = (0..0x220)
                    .map(|_| std::array::from_fn(|_| number(&mut rng)))
                    .collect();
                let vertices: Vec<VtxIn> = (0..BATCH)
                    .map(|_| VtxIn {
                        attr: std::array::from_fn(|_| std::array::from_fn(|_| number(&mut rng))),
                        edge_flag: true,
                    })
                    .collect();
                let env = Env {
                    timeout: 64,
                    ieee: seed % 2 == 0,
                    ..Env::default()
                };
                let mut one = vec![Results::default(); BATCH];
                run_with_side_effects(
                    &plan,
                    &env,
                    &mut ctx.clone(),
                    &mut Tbuf::default(),
                    &vertices,
                    &mut one,
                );
                for &level in &available {
                    let mut out = vec![Results::default(); BATCH];
                    run_at(
                        level,
                        &plan,
                        &env,
                        &ctx,
                        &mut Tbuf::default(),
                        &vertices,
                        &mut out,
                    );
                    if let Some(n) = (0..BATCH).find(|&n| out[n] != one[n]) {
                        bail!(
                            "{level:?}, seed {seed}, vertex {n} differs\n{}",
                            disassemble(&program)
                        );
                    }
                }
                Ok(())
            })?;
        println!(
            "{:8} {count} vertices through random programs: same bits at {available:?} and alone",
            isa.name()
        );
    }
    Ok(())
}

/// Random fragment programs: as they were prepared, at every vector level, and step by step.
fn prepared(family: Family, count: u64) -> anyhow::Result<()> {
    let pictures = Pictures::new(family).map_err(anyhow::Error::msg)?;
    let instructions: usize = (0..count)
        .into_par_iter()
        .map(|seed| pictures.compare(seed).map_err(anyhow::Error::msg))
        .sum::<anyhow::Result<usize>>()?;
    println!(
        "{family:?} {count} random fragment programs, {instructions} instructions: same bits as \
         they are prepared and step by step"
    );
    Ok(())
}

/// Mostly ordinary numbers, sometimes any bits at all.
fn number(rng: &mut Rng) -> u32 {
    match rng.below(16) {
        0 => rng.bits() as u32,
        1 => [
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x3f80_0000,
        ][rng.below(6) as usize],
        _ => (rng.below(1 << 20) as f32 / 4096.0 - 128.0).to_bits(),
    }
}

fn load(program: &Program) -> Xfpr {
    let mut xfpr = Xfpr::new(program.isa);
    for (i, word) in program.words.iter().enumerate() {
        xfpr.write(usize::from(program.org) + i, word.to_upload());
    }
    xfpr
}

fn round_trip(program: &Program) -> anyhow::Result<()> {
    let text = disassemble(program);
    let again = assemble(&text, None).map_err(|e| anyhow::anyhow!("{e}\nin\n{text}"))?;
    if again != *program {
        bail!("other words after assembling\n{text}");
    }
    Ok(())
}

fn random_programs(isa: Isa, count: usize) -> anyhow::Result<usize> {
    (0..count as u64)
        .into_par_iter()
        .map(|n| {
            let mut rng = Rng(n << 8 | isa as u64);
            let program = generate::program(isa, &mut rng);
            round_trip(&program).with_context(|| format!("{} program, seed {n}", isa.name()))?;
            Ok(program.words.len())
        })
        .sum()
}

fn captures() -> anyhow::Result<()> {
    let shared = crate::shared();
    let mut files = Vec::new();
    for folder in ["nv2a/captures", "nv2a/captures_inorder", "streams", "bench"] {
        find(&shared.join(folder), &mut files);
    }
    if files.is_empty() {
        println!("captures: skipped, none in {}", shared.display());
        return Ok(());
    }
    let seen = Mutex::new(HashSet::new());
    let totals = Mutex::new(BTreeMap::<&str, (usize, usize, usize)>::new());
    let timeouts = Mutex::new(Vec::new());
    files.par_iter().try_for_each(|file| {
        let mut result = Ok(());
        let reader = Reader::new(File::open(file)?).with_context(|| file.display().to_string())?;
        let mut last = None;
        uploads::draws(reader, |draw| {
            let program = draw.program();
            let mut totals = totals.lock().unwrap_or_else(|e| e.into_inner());
            let total = totals.entry(program.isa.name()).or_default();
            total.0 += 1;
            if last.as_ref() == Some(&program) {
                return true;
            }
            let new = seen
                .lock()
                .unwrap_or_else(|e| e.into_inner())
                .insert(key(&program));
            if new {
                total.1 += 1;
                total.2 += program.words.len();
                drop(totals);
                let place = || format!("{}, draw {}", file.display(), draw.number);
                result = check(&program, draw.start(), draw.ctx())
                    .with_context(place)
                    .map(|ended| {
                        if !ended {
                            timeouts
                                .lock()
                                .unwrap_or_else(|e| e.into_inner())
                                .push(place());
                        }
                    });
            }
            last = Some(program);
            result.is_ok()
        })
        .with_context(|| file.display().to_string())?;
        result
    })?;
    let totals = totals.into_inner().unwrap_or_default();
    println!("captures: {} files", files.len());
    for (isa, (draws, programs, instructions)) in totals {
        println!(
            "{isa:8} {draws} draws, {programs} different programs, {instructions} instructions: \
             text and words agree, all run to their end"
        );
    }
    // A loop that the driver compiled without a way out runs into the timeout, as on the chip.
    for place in timeouts.into_inner().unwrap_or_default() {
        println!("stopped by the timeout: {place}");
    }
    Ok(())
}

fn key(program: &Program) -> (&'static str, u16, Vec<u32>) {
    (program.isa.name(), program.org, program.upload())
}

/// Text and back, then a handful of vertices through the machine. False if the
/// timeout had to stop it.
fn check(program: &Program, start: usize, ctx: &[[u32; 4]]) -> anyhow::Result<bool> {
    round_trip(program)?;
    let xfpr = load(program);
    let plan = xfpr.plan(start);
    if plan.unterminated {
        bail!("no END\n{}", disassemble(program));
    }
    let vertices: Vec<VtxIn> = (0..11).map(vertex).collect();
    let mut out = vec![Results::default(); vertices.len()];
    let env = Env::default();
    run(&plan, &env, ctx, &mut Tbuf::default(), &vertices, &mut out);
    let mut ended = false;
    let mut steps = 0;
    let mut own = ctx.to_vec();
    let alone = trace(
        &plan,
        &env,
        &mut own,
        &mut Tbuf::default(),
        &vertices[0],
        |_, inst, _| {
            ended = inst.end;
            steps += 1;
        },
    );
    if !ended && steps < env.timeout {
        bail!(
            "left its code after {steps} instructions\n{}",
            disassemble(program)
        );
    }
    if !plan.writes_ctx && alone != out[0] {
        bail!(
            "one vertex alone differs from the same among others\n{}",
            disassemble(program)
        );
    }
    Ok(ended)
}

fn vertex(n: u32) -> VtxIn {
    let mut rng = Rng(u64::from(n));
    VtxIn {
        attr: std::array::from_fn(|_| {
            std::array::from_fn(|_| (rng.below(2000) as f32 / 1000.0 - 1.0).to_bits())
        }),
        edge_flag: true,
    }
}

/// All captures below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, files);
        } else if path.to_string_lossy().ends_with(".cap.zst") {
            files.push(path);
        }
    }
}
