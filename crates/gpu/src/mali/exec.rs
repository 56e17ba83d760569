//! Runs prepared fragment programs on batches of pixels.

use super::half::{LANES, Lane, Round, at_least, lanes, to_int, unit};
use super::shader::{Code, MAX_TEMPS, Op, Program, Src, row};
use super::tex;

/// Groups of [`LANES`] pixels in a batch.
pub(crate) const CHUNKS: usize = 4;
/// Pixels in a batch.
pub(crate) const PIXELS: usize = CHUNKS * LANES;
/// 2x2 quads in a batch.
pub(crate) const QUADS: usize = PIXELS / 4;
/// Instructions a batch may run before the program counts as hung.
const MAX_STEPS: u32 = 1 << 16;

/// One row: a value for each pixel of the batch.
pub(crate) type Row = [Lane; CHUNKS];

/// What a program finds in front of it.
pub(crate) struct Input<'a> {
    /// Groups in use.
    pub(crate) chunks: usize,
    /// Weights of vertices 1 and 2, perspective corrected.
    pub(crate) weights: &'a [Row; 2],
    /// x, y, z, 1/w of the window.
    pub(crate) frag_coord: &'a [Row; 4],
    /// 1 for a front face, else 0.
    pub(crate) facing: &'a Row,
    /// First plane of each quad's triangle.
    pub(crate) quad_planes: &'a [u32; QUADS],
    /// All quads belong to one triangle.
    pub(crate) one_triangle: bool,
    pub(crate) planes: &'a [[f32; 3]],
    pub(crate) consts: &'a [f32],
    pub(crate) uniforms: &'a [f32],
    pub(crate) samplers: &'a [Option<std::sync::Arc<tex::Sampler>>],
    /// y of derivatives grows upwards.
    pub(crate) flip_derivatives: bool,
    /// Colour and depth in the tile, for programs that read it.
    pub(crate) tile: &'a [Row; 5],
}

/// Registers and the rest; kept between batches so that nothing is allocated.
pub(crate) struct State {
    pub(crate) rows: Box<[Row; row::COUNT]>,
    pub(crate) killed: [u32; CHUNKS],
    temps: Vec<[Row; 4]>,
    mask: Row,
}

impl State {
    pub(crate) fn new() -> State {
        let rows = vec![[[0.0; LANES]; CHUNKS]; row::COUNT];
        State {
            rows: rows
                .try_into()
                .unwrap_or_else(|_| unreachable!("the length is right")),
            killed: [0; CHUNKS],
            temps: Vec::new(),
            mask: [[0.0; LANES]; CHUNKS],
        }
    }
}

/// The program did not end.
#[derive(Debug)]
pub(crate) struct Hung;

/// Runs `program`; afterwards the registers hold its results.
pub(crate) fn run(program: &Program, input: &Input, s: &mut State) -> Result<(), Hung> {
    #[cfg(target_arch = "x86_64")]
    if has_f16c() {
        // SAFETY: the processor has the features, see has_f16c.
        return unsafe { run_f16c(program, input, s) };
    }
    run_with::<super::half::Portable>(program, input, s)
}

/// Whether the fast conversion between halves and singles exists.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_f16c() -> bool {
    static HAS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *HAS.get_or_init(|| {
        std::env::var_os("ISOTHERM_MALI_PORTABLE").is_none()
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("f16c")
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
fn run_f16c(program: &Program, input: &Input, s: &mut State) -> Result<(), Hung> {
    run_with::<super::half::F16c>(program, input, s)
}

#[inline(always)]
fn run_with<R: Round>(program: &Program, input: &Input, s: &mut State) -> Result<(), Hung> {
    s.killed = [0; CHUNKS];
    if program.temps && s.temps.is_empty() {
        s.temps = vec![[[[0.0; LANES]; CHUNKS]; 4]; MAX_TEMPS];
    }
    let mut pc = 0usize;
    let mut steps = 0;
    while let Some(step) = program.steps.get(pc) {
        steps += 1;
        if steps > MAX_STEPS {
            return Err(Hung);
        }
        for op in &program.ops[step.ops.0 as usize..step.ops.1 as usize] {
            execute::<R, false>(program, op, input, s);
        }
        let mut next = pc + 1;
        if let Some(branch) = step.branch {
            let taken = branch_mask(input, s, branch.a, branch.b, branch.when);
            let full = all_lanes(input.chunks);
            if taken == full {
                next = branch.target as usize;
            } else if taken != 0 {
                return diverged::<R>(program, input, s, pc, taken);
            }
            if step.stop && taken != full {
                return Ok(());
            }
        } else if step.stop {
            return Ok(());
        }
        pc = next;
    }
    Ok(())
}

fn all_lanes(chunks: usize) -> u64 {
    if chunks == CHUNKS {
        u64::MAX
    } else {
        (1 << (chunks * LANES)) - 1
    }
}

/// Each pixel has its own place; the lowest place runs first, so that pixels meet again.
#[cold]
#[inline(never)]
fn diverged<R: Round>(
    program: &Program,
    input: &Input,
    s: &mut State,
    pc: usize,
    taken: u64,
) -> Result<(), Hung> {
    const DONE: u32 = u32::MAX;
    let mut place = [DONE; PIXELS];
    let lanes = input.chunks * LANES;
    let end = program.steps.len() as u32;
    let jump = |place: &mut [u32; PIXELS], here: u64, pc: usize, taken: u64| {
        let step = &program.steps[pc];
        for (i, p) in place.iter_mut().enumerate().take(lanes) {
            if here >> i & 1 == 0 {
                continue;
            }
            *p = match step.branch {
                Some(b) if taken >> i & 1 != 0 => b.target,
                _ if step.stop => DONE,
                _ => pc as u32 + 1,
            };
            if *p >= end {
                *p = DONE;
            }
        }
    };
    jump(&mut place, all_lanes(input.chunks), pc, taken);
    for _ in 0..MAX_STEPS {
        let pc = place[..lanes].iter().copied().min().unwrap_or(DONE);
        if pc == DONE {
            return Ok(());
        }
        let mut here = 0u64;
        for (i, p) in place.iter().enumerate().take(lanes) {
            let on = *p == pc;
            here |= u64::from(on) << i;
            s.mask[i / LANES][i % LANES] = f32::from_bits(if on { u32::MAX } else { 0 });
        }
        let step = &program.steps[pc as usize];
        for op in &program.ops[step.ops.0 as usize..step.ops.1 as usize] {
            execute::<R, true>(program, op, input, s);
        }
        let taken = step
            .branch
            .map_or(0, |b| branch_mask(input, s, b.a, b.b, b.when));
        jump(&mut place, here, pc as usize, taken);
    }
    Err(Hung)
}

#[inline(always)]
fn branch_mask(input: &Input, s: &State, a: Src, b: Src, when: u8) -> u64 {
    if when == 7 {
        return all_lanes(input.chunks);
    }
    let mut out = 0u64;
    for k in 0..input.chunks {
        let (x, y) = (fetch(input, s, a, k), fetch(input, s, b, k));
        for i in 0..LANES {
            let (x, y) = (x[i], y[i]);
            let on = when & 1 != 0 && x < y || when & 2 != 0 && x == y || when & 4 != 0 && x > y;
            out |= u64::from(on) << (k * LANES + i);
        }
    }
    out
}

#[inline(always)]
fn fetch(input: &Input, s: &State, src: Src, k: usize) -> Lane {
    let x = if src.at & Src::CONST != 0 {
        let value = input
            .consts
            .get((src.at & !Src::CONST) as usize)
            .copied()
            .unwrap_or(0.0);
        [value; LANES]
    } else {
        s.rows[src.at as usize % row::COUNT][k]
    };
    lanes!(|i| f32::from_bits(x[i].to_bits() & src.and ^ src.xor))
}

/// Texture coordinates keep their precision, everything else is a half float.
#[inline(always)]
fn finish<R: Round>(op: &Op, mut x: Lane) -> Lane {
    match op.outmod {
        1 => x = lanes!(|i| unit(x[i])),
        2 => x = lanes!(|i| at_least(x[i], 0.0)),
        3 => x = lanes!(|i| x[i].trunc()),
        _ => {}
    }
    if (row::COORD..row::COORD + 4).contains(&op.dst) {
        x
    } else {
        R::round(x)
    }
}

#[inline(always)]
fn store<const MASKED: bool>(s: &mut State, dst: u8, k: usize, x: Lane) {
    let to = &mut s.rows[dst as usize % row::COUNT][k];
    if MASKED {
        for i in 0..LANES {
            let m = s.mask[k][i].to_bits();
            to[i] = f32::from_bits(x[i].to_bits() & m | to[i].to_bits() & !m);
        }
    } else {
        *to = x;
    }
}

#[inline(always)]
fn truth(t: bool) -> f32 {
    f32::from_bits(if t { 0x3F80_0000 } else { 0 })
}

#[inline(always)]
fn execute<R: Round, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    macro_rules! each1 {
        (|$a:ident| $e:expr) => {
            for k in 0..input.chunks {
                let a = fetch(input, s, op.a, k);
                let r: Lane = lanes!(|i| {
                    let $a = a[i];
                    $e
                });
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        };
    }
    macro_rules! each2 {
        (|$a:ident, $b:ident| $e:expr) => {
            for k in 0..input.chunks {
                let (a, b) = (fetch(input, s, op.a, k), fetch(input, s, op.b, k));
                let r: Lane = lanes!(|i| {
                    let ($a, $b) = (a[i], b[i]);
                    $e
                });
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        };
    }
    match op.code {
        Code::Mov => each1!(|a| a),
        Code::Mul if op.scale == 1.0 => each2!(|a, b| a * b),
        Code::Mul => each2!(|a, b| a * b * op.scale),
        Code::Add if op.scale == 1.0 => each2!(|a, b| a + b),
        Code::Add => each2!(|a, b| (a + b) * op.scale),
        Code::Not => each1!(|a| truth(a == 0.0)),
        Code::And => each2!(|a, b| truth(a != 0.0 && b != 0.0)),
        Code::Or => each2!(|a, b| truth(a != 0.0 || b != 0.0)),
        Code::Xor => each2!(|a, b| truth((a != 0.0) != (b != 0.0))),
        Code::Ne => each2!(|a, b| truth(a != b)),
        Code::Gt => each2!(|a, b| truth(a > b)),
        Code::Ge => each2!(|a, b| truth(a >= b)),
        Code::Eq => each2!(|a, b| truth(a == b)),
        Code::Min => each2!(|a, b| if a < b { a } else { b }),
        Code::Max => each2!(|a, b| if a > b { a } else { b }),
        Code::Fract => each1!(|a| a - a.floor()),
        Code::Floor => each1!(|a| a.floor()),
        Code::Ceil => each1!(|a| a.ceil()),
        Code::Div => each2!(|a, b| a / b),
        Code::Rcp => each1!(|a| 1.0 / a),
        Code::Sqrt => each1!(|a| a.sqrt()),
        Code::Rsqrt => each1!(|a| 1.0 / a.sqrt()),
        Code::Exp2 => each1!(|a| exp2(a)),
        Code::Log2 => each1!(|a| log2(a)),
        Code::Sin => each1!(|a| sin_turn(a)),
        Code::Cos => each1!(|a| sin_turn(a + 0.25)),
        Code::Atan => each1!(|a| a.atan()),
        Code::Atan2 => each2!(|a, b| a.atan2(b)),
        Code::DFdx => derivative::<R, MASKED>(op, input, s, 1, false),
        Code::DFdy => derivative::<R, MASKED>(op, input, s, 2, input.flip_derivatives),
        Code::Sel => {
            for k in 0..input.chunks {
                let (a, b) = (fetch(input, s, op.a, k), fetch(input, s, op.b, k));
                let c = s.rows[row::S0 as usize][k];
                let r: Lane = lanes!(|i| if c[i] != 0.0 { a[i] } else { b[i] });
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        }
        Code::Sum | Code::InvLength => {
            let terms = program.sums[op.n as usize];
            for k in 0..input.chunks {
                let t = [
                    fetch(input, s, terms[0], k),
                    fetch(input, s, terms[1], k),
                    fetch(input, s, terms[2], k),
                    fetch(input, s, terms[3], k),
                ];
                let r: Lane = if op.code == Code::Sum {
                    lanes!(|i| t[0][i] + t[1][i] + t[2][i] + t[3][i])
                } else {
                    lanes!(|i| {
                        1.0 / (t[0][i] * t[0][i] + t[1][i] * t[1][i] + t[2][i] * t[2][i]).sqrt()
                    })
                };
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        }
        Code::Varying => {
            for k in 0..input.chunks {
                let r = varying(input, op.n as usize, k);
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        }
        Code::FragCoord => {
            for k in 0..input.chunks {
                let r = input.frag_coord[op.n as usize & 3][k];
                store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
            }
        }
        Code::FrontFacing => {
            for k in 0..input.chunks {
                store::<MASKED>(s, op.dst, k, input.facing[k]);
            }
        }
        Code::FbColor | Code::FbDepth => {
            let from = if op.code == Code::FbColor {
                op.n as usize & 3
            } else {
                4
            };
            for k in 0..input.chunks {
                store::<MASKED>(s, op.dst, k, finish::<R>(op, input.tile[from][k]));
            }
        }
        Code::Discard => {
            for k in 0..input.chunks {
                for i in 0..LANES {
                    if !MASKED || s.mask[k][i].to_bits() != 0 {
                        s.killed[k] |= 1 << i;
                    }
                }
            }
        }
        Code::Texture => texture::<R, MASKED>(program, op, input, s),
        Code::VaryingAt | Code::UniformAt | Code::LoadTemp | Code::StoreTemp => {
            indexed::<R, MASKED>(program, op, input, s);
        }
    }
}

#[inline(always)]
fn varying(input: &Input, n: usize, k: usize) -> Lane {
    let (w1, w2) = (&input.weights[0][k], &input.weights[1][k]);
    let plane = |q: usize| {
        let at = input.quad_planes[k * 4 + q] as usize + n;
        input.planes.get(at).copied().unwrap_or([0.0; 3])
    };
    if input.one_triangle {
        let [a, d1, d2] = plane(0);
        return lanes!(|i| a + d1 * w1[i] + d2 * w2[i]);
    }
    let mut out = [0.0; LANES];
    for q in 0..LANES / 4 {
        let [a, d1, d2] = plane(q);
        for i in q * 4..q * 4 + 4 {
            out[i] = a + d1 * w1[i] + d2 * w2[i];
        }
    }
    out
}

/// The first source in the pixel on the far side of the quad plus the second source in
/// the near one; programs give a value and its negation.
#[inline(always)]
fn derivative<R: Round, const MASKED: bool>(
    op: &Op,
    input: &Input,
    s: &mut State,
    side: usize,
    flip: bool,
) {
    for k in 0..input.chunks {
        let (mut a, mut b) = (fetch(input, s, op.a, k), fetch(input, s, op.b, k));
        if flip {
            (a, b) = (b, a);
        }
        let r: Lane = lanes!(|i| a[i | side] + b[i & !side]);
        store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
    }
}

#[inline(always)]
fn texture<R: Round, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    let lookup = &program.lookups[op.n as usize];
    for k in 0..input.chunks {
        let at = row::COORD as usize;
        let coord = [
            s.rows[at][k],
            s.rows[at + 1][k],
            s.rows[at + 2][k],
            s.rows[at + 3][k],
        ];
        let lod = lookup.lod.map(|l| (fetch(input, s, l, k), lookup.explicit));
        let number = match lookup.sampler_at {
            Some(at) => lookup.sampler as f32 + fetch(input, s, at, k)[0],
            None => lookup.sampler as f32,
        };
        let sampler = input
            .samplers
            .get(number.max(0.0) as usize)
            .and_then(Option::as_ref);
        let out = match sampler {
            Some(t) => t.sample::<R::Wide>(&coord, lod, lookup.cube),
            None => [[0.0; LANES]; 4],
        };
        for (c, x) in out.into_iter().enumerate() {
            store::<MASKED>(s, row::TEXTURE + c as u8, k, R::round(x));
        }
    }
}

/// Loads and stores at a place that only the pixel knows.
#[cold]
#[inline(never)]
fn indexed<R: Round, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    use super::prim::Attr;
    for k in 0..input.chunks {
        let index = fetch(
            input,
            s,
            if op.code == Code::StoreTemp {
                op.b
            } else {
                op.a
            },
            k,
        );
        let at = |i: usize| op.n + (index[i].clamp(-65536.0, 65536.0).floor() * op.scale) as i32;
        let r: Lane = match op.code {
            Code::UniformAt => std::array::from_fn(|i| {
                usize::try_from(at(i))
                    .ok()
                    .and_then(|n| input.uniforms.get(n))
                    .copied()
                    .unwrap_or(0.0)
            }),
            Code::LoadTemp => std::array::from_fn(|i| {
                let n = usize::try_from(at(i)).unwrap_or(usize::MAX);
                s.temps.get(n / 4).map_or(0.0, |t| t[n % 4][k][i])
            }),
            Code::VaryingAt => std::array::from_fn(|i| {
                let n = op.n + 4 * index[i].clamp(-64.0, 64.0).floor() as i32;
                let attr = Attr::Varying((n >> 2).clamp(0, 255) as u8, (n & 3) as u8);
                program
                    .attrs
                    .iter()
                    .position(|&a| a == attr)
                    .map_or(0.0, |n| varying(input, n, k)[i])
            }),
            _ => {
                let x = fetch(input, s, op.a, k);
                for i in 0..LANES {
                    let n = usize::try_from(at(i)).unwrap_or(usize::MAX);
                    if (!MASKED || s.mask[k][i].to_bits() != 0)
                        && let Some(t) = s.temps.get_mut(n / 4)
                    {
                        t[n % 4][k][i] = x[i];
                    }
                }
                continue;
            }
        };
        store::<MASKED>(s, op.dst, k, finish::<R>(op, r));
    }
}

/// 2^x, good to a few units in the last place of a single.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let x = if x.is_nan() {
        x
    } else {
        x.clamp(-126.0, 127.99)
    };
    let n = x.round_ties_even();
    let f = x - n;
    let p = 1.535_336_2e-4;
    let p = p * f + 1.339_887_4e-3;
    let p = p * f + 9.618_438e-3;
    let p = p * f + 5.550_332_5e-2;
    let p = p * f + 2.402_264_7e-1;
    let p = p * f + 6.931_472_e-1;
    let p = p * f + 1.0;
    f32::from_bits(p.to_bits().wrapping_add((to_int(n) as u32) << 23))
}

/// log2 x; NaN below zero, -∞ at zero.
#[inline(always)]
pub(crate) fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    // Mantissa in √½…√2.
    let shifted = bits.wrapping_sub(0x3F35_04F3);
    let e = (shifted as i32 >> 23) as f32;
    let m = f32::from_bits((shifted & 0x007F_FFFF) + 0x3F35_04F3);
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    // 2/ln 2 · (t + t³/3 + t⁵/5 + …)
    let p = 0.412_198_6;
    let p = p * t2 + 0.577_078_04;
    let p = p * t2 + 0.961_796_7;
    let p = p * t2 + 2.885_39;
    let r = p * t + e;
    let r = if x == f32::INFINITY { f32::INFINITY } else { r };
    let r = if x == 0.0 { f32::NEG_INFINITY } else { r };
    if x < 0.0 || x.is_nan() { f32::NAN } else { r }
}

/// sin 2πx.
#[inline(always)]
fn sin_turn(x: f32) -> f32 {
    let f = x - x.round_ties_even();
    // Fold into a quarter on each side.
    let f = if f > 0.25 {
        0.5 - f
    } else if f < -0.25 {
        -0.5 - f
    } else {
        f
    };
    let f2 = f * f;
    let p = 39.7;
    let p = p * f2 - 76.705_86;
    let p = p * f2 + 81.605_25;
    let p = p * f2 - 41.341_7;
    let p = p * f2 + std::f32::consts::TAU;
    p * f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_good_to_more_than_a_half() {
        for i in 0..20_000 {
            let x = (i as f32 - 10_000.0) / 700.0;
            let e = (exp2(x) / x.exp2() - 1.0).abs();
            assert!(e < 1e-6, "exp2 {x} {e}");
            let y = x.exp2();
            assert!(
                (log2(y) - y.log2()).abs() < 2e-6 * (1.0 + x.abs()),
                "log2 {y}"
            );
            let t = f64::from(x) * std::f64::consts::TAU;
            assert!((f64::from(sin_turn(x)) - t.sin()).abs() < 2e-5, "sin {x}");
        }
        assert_eq!(log2(0.0), f32::NEG_INFINITY);
        assert!(log2(-1.0).is_nan());
    }
}
