//! The 90 arithmetic operations of XF and LT.

use super::{Tally, read};
use anyhow::{Context, Result};
use isotherm::lt::arith as lt;
use isotherm::xf::arith::*;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

#[derive(Deserialize)]
struct Op {
    op: String,
    file: String,
    inputs: String,
    in_words: usize,
    out_words: usize,
    n: usize,
    #[serde(default)]
    undefined_idx: Vec<usize>,
}

/// Lanes per call: every row runs through the vector path.
const N: usize = 8;

pub fn run(folder: &Path) -> Result<Tally> {
    let index = folder.join("xf-index.json");
    if !index.exists() {
        println!("skipped: no {}", index.display());
        return Ok(Tally::default());
    }
    let ops: Vec<Op> = serde_json::from_slice(&std::fs::read(&index)?)
        .with_context(|| index.display().to_string())?;
    let mut inputs: HashMap<String, Vec<u32>> = HashMap::new();
    let mut total = Tally::default();
    for op in &ops {
        if !op.inputs.starts_with("identity") && !inputs.contains_key(&op.inputs) {
            inputs.insert(op.inputs.clone(), words(folder, &op.inputs)?);
        }
        let input = match inputs.get(&op.inputs) {
            Some(words) => words.clone(),
            None => (0..op.n as u32).collect(),
        };
        let want = words(folder, &op.file)?;
        let tally = check(op, &input, &want);
        if tally.wrong != 0 {
            tally.report(&op.op);
        }
        total += tally;
    }
    Ok(total.report(&format!("xf arithmetic ({} ops)", ops.len())))
}

fn words(folder: &Path, name: &str) -> Result<Vec<u32>> {
    let bytes = read(&folder.join(format!("{name}.zst")))?;
    Ok(bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect())
}

fn check(op: &Op, input: &[u32], want: &[u32]) -> Tally {
    let mut tally = Tally::default();
    for first in (0..op.n).step_by(N) {
        let count = N.min(op.n - first);
        let mut arg = [[0; N]; 12];
        for lane in 0..count {
            for w in 0..op.in_words {
                arg[w][lane] = input[(first + lane) * op.in_words + w];
            }
        }
        let Some(got) = apply(&op.op, &arg) else {
            println!("{}: no such operation here", op.op);
            return Tally {
                rows: op.n,
                wrong: op.n,
            };
        };
        for lane in 0..count {
            let row = first + lane;
            if op.undefined_idx.contains(&row) {
                continue;
            }
            tally.rows += 1;
            let want = &want[row * op.out_words..][..op.out_words];
            let got: Vec<u32> = got[..op.out_words].iter().map(|r| r[lane]).collect();
            // A 22-bit unit cannot hold the low bits that the model leaves on overflow.
            let artefact = op.op == "lts_add" && want[0] & 0x7fff_ffff == 0x7f7f_ffff;
            let same = if artefact {
                got[0] == want[0] & !0x3ff
            } else {
                got == want
            };
            if !same {
                if tally.wrong < 3 {
                    let a: Vec<u32> = arg[..op.in_words].iter().map(|a| a[lane]).collect();
                    println!(
                        "{} row {row}: {a:08x?} want {want:08x?} got {got:08x?}",
                        op.op
                    );
                }
                tally.wrong += 1;
            }
        }
    }
    tally
}

type R4 = [Lanes<N>; 4];

const C: Rules = Rules::Celsius;
const K: Rules = Rules::Kelvin;
const L: Rules = Rules::RankineLegacy;
const I: Rules = Rules::Rankine;

/// A result of one component.
fn one(x: Lanes<N>) -> R4 {
    [x, [0; N], [0; N], [0; N]]
}

/// LT's arguments are 22 bits wide.
fn narrow(x: &Lanes<N>) -> Lanes<N> {
    x.map(|x| x & !0x3ff)
}

/// Runs one operation by its name in the index.
fn apply(op: &str, v: &[Lanes<N>; 12]) -> Option<R4> {
    unary(op, &v[0])
        .or_else(|| binary(op, &v[0], &v[1]))
        .or_else(|| vectors(op, v))
}

/// Operations on one number.
fn unary(op: &str, x: &Lanes<N>) -> Option<R4> {
    let each = |f: &dyn Fn(u32) -> u32| one(x.map(f));
    Some(match op {
        "rcp_v1" => one(rcp(C, x)),
        "rcc_v1" => one(rcc(C, x)),
        "rcp_v2" => one(rcp(K, x)),
        "rcc_v2" => one(rcc(K, x)),
        "rsq_v1" => one(rsq(C, x)),
        "rsq_v2" => one(rsq(K, x)),
        "rsq_v3abs" => one(rsq(L, x)),
        "rsq_v3" => one(rsq(I, x)),
        "exp_flr" => one(exp_flr(x)),
        "exp_frc" => one(exp_frc(x)),
        "exp" => one(exp(x)),
        "pre_exp" => each(&|x| pre_exp(x) as u32),
        "log_e_v2" => one(log_e(K, x)),
        "log_f_v2" => one(log_f(K, x)),
        "log_v2" => one(log(K, x)),
        "log_e_v3zw" => one(log_e(L, x)),
        "log_f_v3zw" => one(log_f(L, x)),
        "log_v3zw" => one(log(L, x)),
        "log_e_v3" => one(log_e(I, x)),
        "log_f_v3" => one(log_f(I, x)),
        "log_v3" => one(log(I, x)),
        "lg2" => one(lg2(x)),
        "ex2" => one(ex2(x)),
        "sin" => one(sin(x)),
        "cos" => one(cos(x)),
        "frc" => one(frc(x)),
        "flr" => one(flr(x)),
        "ssg_zw" => one(ssg(K, x)),
        "ssg" => one(ssg(I, x)),
        "s2lt" => each(&|x| lt::load(x) >> 10),
        "celsius_light_v" => each(&lt::load),
        "celsius_light_sx" => each(&lt::load_scalar_celsius),
        "celsius_squash" => each(&isotherm::xf::celsius::squash),
        "celsius_squash_xy" => each(&isotherm::xf::celsius::squash_xy),
        "celsius_f2b" => each(&|x| u32::from(color_to_byte(x))),
        "celsius_squash_w0" => each(&|x| isotherm::xf::celsius::squash_w(x, false)),
        "celsius_squash_w1" => each(&|x| isotherm::xf::celsius::squash_w(x, true)),
        "celsius_squash_z1" => each(&|x| isotherm::xf::celsius::squash_z(x, true)),
        "lt_rcp" => one(lt::rcp(&narrow(x))),
        "lt_rsqrt" => one(lt::rsqrt(&narrow(x))),
        "ubyte_to_float" => each(&|x| ubyte_to_float(x as u8)),
        "short_to_float" => each(&|x| short_to_float(x as i16, false)),
        "short_to_float_nv10" => each(&|x| short_to_float(x as i16, true)),
        "nshort_to_float" => each(&|x| nshort_to_float(x as i16)),
        _ => return None,
    })
}

/// Operations on two numbers.
fn binary(op: &str, x: &Lanes<N>, y: &Lanes<N>) -> Option<R4> {
    Some(match op {
        "mul_v1" => one(mul(C, x, y)),
        "mul_v2" => one(mul(K, x, y)),
        "mul_v3zw" => one(mul(L, x, y)),
        "mul_v3" => one(mul(I, x, y)),
        "add_v12" => one(add(K, x, y)),
        "add_v3" => one(add(I, x, y)),
        "min_zw" => one(min(K, x, y)),
        "max_zw" => one(max(K, x, y)),
        "min" => one(min(I, x, y)),
        "max" => one(max(I, x, y)),
        "slt_zw" => one(set(K, Test::Less, x, y)),
        "sge_zw" => one(set(K, Test::GreaterEqual, x, y)),
        "seq_zw" => one(set(K, Test::Equal, x, y)),
        "sgt_zw" => one(set(K, Test::Greater, x, y)),
        "sle_zw" => one(set(K, Test::LessEqual, x, y)),
        "sne_zw" => one(set(K, Test::NotEqual, x, y)),
        "slt" => one(set(I, Test::Less, x, y)),
        "sge" => one(set(I, Test::GreaterEqual, x, y)),
        "seq" => one(set(I, Test::Equal, x, y)),
        "sgt" => one(set(I, Test::Greater, x, y)),
        "sle" => one(set(I, Test::LessEqual, x, y)),
        "sne" => one(set(I, Test::NotEqual, x, y)),
        "lt_mul" => one(lt::mul(&narrow(x), &narrow(y))),
        "lt_add" => one(lt::add(&narrow(x), &narrow(y))),
        "lts_mul" => one(lt::smul(&narrow(x), &narrow(y))),
        "lts_add" => one(lt::sadd(&narrow(x), &narrow(y))),
        _ => return None,
    })
}

/// Operations on up to three vectors.
fn vectors(op: &str, v: &[Lanes<N>; 12]) -> Option<R4> {
    let w = v.map(|x| narrow(&x));
    let (a, b, c) = (&v[0..4], &v[4..8], &v[8..12]);
    let quad = |f: &dyn Fn(usize) -> Lanes<N>| [f(0), f(1), f(2), f(3)];
    let a3 = [&a[0], &a[1], &a[2]];
    let b3 = [&b[0], &b[1], &b[2]];
    let a4 = [&a[0], &a[1], &a[2], &a[3]];
    let b4 = [&b[0], &b[1], &b[2], &b[3]];
    let s3 = [a[0], a[1], a[2]];
    let s4 = [a[0], a[1], a[2], a[3]];
    Some(match op {
        "dp3_v1" => one(dp3(C, a3, b3)),
        "dp4_v1" => one(dp4(C, a4, b4)),
        "dp3_v2" => one(dp3(K, a3, b3)),
        "dp4_v2" => one(dp4(K, a4, b4)),
        "dph_v2" => one(dph(K, a3, b4)),
        "mad_v2" => quad(&|i| mad(K, &a[i], &b[i], &c[i])),
        "dp3_v3zw" => one(dp3(L, a3, b3)),
        "dp4_v3zw" => one(dp4(L, a4, b4)),
        "dph_v3zw" => one(dph(L, a3, b4)),
        "mad_v3zw" => quad(&|i| mad(L, &a[i], &b[i], &c[i])),
        "dp3_v3" => one(dp3(I, a3, b3)),
        "dp4_v3" => one(dp4(I, a4, b4)),
        "mad_v3" => quad(&|i| mad(I, &a[i], &b[i], &c[i])),
        "sum3_v2" => one(sum(K, &s3)),
        "sum4_v2" => one(sum(K, &s4)),
        "sum4_v3" => one(sum(I, &s4)),
        "lit" => lit(&c[0], &c[1], &c[3]),
        "dst_v2" => [[ONE; N], mul(K, &a[1], &b[1]), a[2], b[3]],
        "lt_dp" => one(lt::dp3([&w[0], &w[1], &w[2]], [&w[4], &w[5], &w[6]])),
        "lt_add3" => one(lt::add3([&w[0], &w[1], &w[2]])),
        _ => return None,
    })
}
