//! Runs prepared fragment programs on batches of pixels.

use super::shader::{Code, MAX_TEMPS, Op, Program, Src, row};
use super::tex;
use super::traced::Trace;
pub(crate) use super::traced::Traced;
use crate::form::{Form, by_form};
use isotherm_lanes::math;
use isotherm_lanes::{LANES, Lane, Simd};

/// Groups of [`LANES`] pixels in a batch.
pub(crate) const CHUNKS: usize = 8;
/// Pixels in a batch.
pub(crate) const PIXELS: usize = CHUNKS * LANES;
/// 2x2 quads in a batch.
pub(crate) const QUADS: usize = PIXELS / 4;
/// Instructions a batch may run before the program counts as hung.
const MAX_STEPS: u32 = 1 << 16;

/// One bit for each pixel of a batch.
pub(crate) type Mask = u128;

/// One row: a value for each pixel of the batch.
pub(crate) type Row = [Lane; CHUNKS];

/// A value in all lanes of a group.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Splat(pub(crate) Lane);

/// What a program finds in front of it.
pub(crate) struct Input<'a> {
    pub(crate) level: Form,
    /// Groups in use.
    pub(crate) chunks: usize,
    /// Weights of vertices 1 and 2, perspective corrected.
    pub(crate) weights: &'a [Row; 2],
    /// x, y, z, 1/w of the window.
    pub(crate) frag_coord: &'a [Row; 4],
    /// 1 for a front face, else 0.
    pub(crate) facing: &'a Row,
    /// First plane of each quad's triangle, by groups.
    pub(crate) quad_planes: &'a [[u32; 4]; CHUNKS],
    /// All quads are of the same triangle.
    pub(crate) one: bool,
    pub(crate) planes: &'a [[f32; 3]],
    pub(crate) consts: &'a [Splat],
    pub(crate) uniforms: &'a [f32],
    pub(crate) samplers: &'a [Option<std::sync::Arc<tex::Sampler>>],
    /// y of derivatives grows upwards.
    pub(crate) flip_derivatives: bool,
    /// Colour and depth in the tile, for programs that read it.
    pub(crate) tile: &'a [Row; 5],
}

/// Rows, each group at the start of a cache line.
#[repr(C, align(64))]
pub(crate) struct Rows([Row; row::COUNT]);

/// Registers and the rest; kept between batches so that nothing is allocated.
pub(crate) struct State {
    rows: Box<Rows>,
    pub(crate) killed: [u32; CHUNKS],
    temps: Vec<[Row; 4]>,
    mask: [u32; CHUNKS],
    /// Work that may still be done; a tile starts with a budget for all its batches.
    pub(crate) budget: u64,
}

impl State {
    pub(crate) fn new() -> State {
        State {
            rows: Box::new(Rows([[[0.0; LANES]; CHUNKS]; row::COUNT])),
            killed: [0; CHUNKS],
            temps: Vec::new(),
            mask: [0; CHUNKS],
            budget: 0,
        }
    }

    /// What the program left in a row.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> &Row {
        &self.rows.0[at % row::COUNT]
    }
}

/// The program did not end.
#[derive(Debug)]
pub(crate) struct Hung;

by_form! {
    /// Runs `program`; afterwards the registers hold its results.
    pub(crate) fn run(program: &Program, input: &Input, s: &mut State) -> Result<(), Hung> = run_any;
}

#[inline(always)]
fn run_any<S: Simd>(program: &Program, input: &Input, s: &mut State) -> Result<(), Hung> {
    s.killed = [0; CHUNKS];
    if program.temps && s.temps.is_empty() {
        s.temps = vec![[[[0.0; LANES]; CHUNKS]; 4]; MAX_TEMPS];
    }
    let mut pc = 0usize;
    let mut steps = 0;
    while let Some(step) = program.steps.get(pc) {
        steps += 1;
        if steps > MAX_STEPS || s.budget < step.cost {
            return Err(Hung);
        }
        s.budget -= step.cost;
        for op in &program.ops[step.ops.0 as usize..step.ops.1 as usize] {
            execute::<S, false>(program, op, input, s);
        }
        let mut next = pc + 1;
        if let Some(branch) = step.branch {
            let taken = branch_mask::<S>(input, s, branch.a, branch.b, branch.when);
            let full = all_lanes(input.chunks);
            if taken == full {
                next = branch.target as usize;
            } else if taken != 0 {
                return diverged(input.level, program, input, s, pc, taken);
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

fn all_lanes(chunks: usize) -> Mask {
    if chunks == CHUNKS {
        Mask::MAX
    } else {
        (1 << (chunks * LANES)) - 1
    }
}

by_form! {
    /// Each pixel has its own place; the lowest place runs first, so that pixels meet again.
    fn diverged(
        program: &Program,
        input: &Input,
        s: &mut State,
        pc: usize,
        taken: Mask,
    ) -> Result<(), Hung> = diverged_any;
}

#[inline(always)]
fn diverged_any<S: Simd>(
    program: &Program,
    input: &Input,
    s: &mut State,
    pc: usize,
    taken: Mask,
) -> Result<(), Hung> {
    let mut place = [DONE; PIXELS];
    let lanes = input.chunks * LANES;
    let all = all_lanes(input.chunks);
    jump(program, &mut place[..lanes], all, pc, taken);
    scattered_any::<S>(program, input, s, place, None)
}

/// Its place when a pixel is done.
const DONE: u32 = u32::MAX;

/// Where pixels of a group go from step `pc`.
fn jump(program: &Program, place: &mut [u32], here: Mask, pc: usize, taken: Mask) {
    let end = program.steps.len() as u32;
    let step = &program.steps[pc];
    for (i, p) in place.iter_mut().enumerate() {
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
}

by_form! {
    /// Runs a program whose pixels are each at their own place.
    fn scattered(
        program: &Program,
        input: &Input,
        s: &mut State,
        place: [u32; PIXELS],
        trace: Option<&mut Trace>,
    ) -> Result<(), Hung> = scattered_any;
}

#[inline(always)]
fn scattered_any<S: Simd>(
    program: &Program,
    input: &Input,
    s: &mut State,
    mut place: [u32; PIXELS],
    mut trace: Option<&mut Trace>,
) -> Result<(), Hung> {
    let lanes = input.chunks * LANES;
    for _ in 0..MAX_STEPS {
        let pc = place[..lanes].iter().copied().min().unwrap_or(DONE);
        if pc == DONE {
            return Ok(());
        }
        let step = &program.steps[pc as usize];
        if s.budget < step.cost {
            return Err(Hung);
        }
        s.budget -= step.cost;
        let mut here: Mask = 0;
        for (i, p) in place.iter().enumerate().take(lanes) {
            here |= Mask::from(*p == pc) << i;
        }
        for (k, mask) in s.mask.iter_mut().enumerate() {
            *mask = (here >> (k * LANES)) as u32 & 0xFFFF;
        }
        if let Some(t) = &mut trace {
            t.begin(pc, here);
        }
        for op in &program.ops[step.ops.0 as usize..step.ops.1 as usize] {
            if let Some(t) = &mut trace {
                t.look_up(program, op, input, s);
            }
            execute::<S, true>(program, op, input, s);
            if let Some(t) = &mut trace {
                t.note(op, s);
            }
        }
        let taken = step
            .branch
            .map_or(0, |b| branch_mask::<S>(input, s, b.a, b.b, b.when));
        jump(program, &mut place[..lanes], here, pc as usize, taken);
    }
    Err(Hung)
}

/// Runs a program from its start and writes down what it does to one pixel.
pub(crate) fn trace(
    program: &Program,
    input: &Input,
    s: &mut State,
    lane: usize,
) -> Result<Vec<Traced>, Hung> {
    s.killed = [0; CHUNKS];
    if program.temps && s.temps.is_empty() {
        s.temps = vec![[[[0.0; LANES]; CHUNKS]; 4]; MAX_TEMPS];
    }
    let mut trace = Trace::new(lane);
    let mut place = [DONE; PIXELS];
    place[..input.chunks * LANES].fill(0);
    scattered(input.level, program, input, s, place, Some(&mut trace))?;
    Ok(trace.done)
}

#[inline(always)]
fn branch_mask<S: Simd>(input: &Input, s: &State, a: Src, b: Src, when: u8) -> Mask {
    if when == 7 {
        return all_lanes(input.chunks);
    }
    let (a, b) = (Source::new(input, s, a), Source::new(input, s, b));
    let mut out: Mask = 0;
    for k in 0..input.chunks {
        let (x, y) = (a.get::<S>(k), b.get::<S>(k));
        let mut on = 0;
        if when & 1 != 0 {
            on |= S::bits(S::lt(x, y));
        }
        if when & 2 != 0 {
            on |= S::bits(S::eq(x, y));
        }
        if when & 4 != 0 {
            on |= S::bits(S::lt(y, x));
        }
        out |= Mask::from(on) << (k * LANES);
    }
    out
}

/// Where an operation reads: the first group, and how far the next one is.
#[derive(Clone, Copy)]
pub(super) struct Source {
    at: *const Lane,
    step: usize,
    and: u32,
    xor: u32,
}

impl Source {
    #[inline(always)]
    pub(super) fn new(input: &Input, s: &State, src: Src) -> Source {
        const ZERO: Splat = Splat([0.0; LANES]);
        let (at, step) = if src.at & Src::CONST != 0 {
            let value = input.consts.get((src.at & !Src::CONST) as usize);
            (value.unwrap_or(&ZERO).0.as_ptr().cast(), 0)
        } else {
            (s.row(src.at as usize).as_ptr(), 1)
        };
        Source {
            at,
            step,
            and: src.and,
            xor: src.xor,
        }
    }

    /// A group as it lies there.
    #[inline(always)]
    fn raw<S: Simd>(&self, k: usize) -> S::F {
        // SAFETY: `new` points to a constant's one group (step 0) or to the CHUNKS groups of a
        // row; both outlive the operation, and `k` is below CHUNKS.
        S::load(unsafe { &*self.at.add(k % CHUNKS * self.step) })
    }

    /// A group with the source's modifiers.
    #[inline(always)]
    pub(super) fn get<S: Simd>(&self, k: usize) -> S::F {
        S::modify(self.raw::<S>(k), self.and, self.xor)
    }
}

/// Texture coordinates keep their precision, everything else is a half float.
#[inline(always)]
fn finish<S: Simd>(op: &Op, x: S::F) -> S::F {
    let x = match op.outmod {
        1 => S::unit(x),
        2 => S::max(x, S::splat(0.0)),
        3 => S::trunc(x),
        _ => x,
    };
    if (row::COORD..row::COORD + 4).contains(&op.dst) {
        x
    } else {
        S::half(x)
    }
}

#[inline(always)]
fn store<S: Simd, const MASKED: bool>(s: &mut State, dst: u8, k: usize, x: S::F) {
    let to = &mut s.rows.0[dst as usize % row::COUNT][k % CHUNKS];
    if MASKED {
        let old = S::load(to);
        S::store(S::select(S::mask(s.mask[k % CHUNKS]), x, old), to);
    } else {
        S::store(x, to);
    }
}

/// One where a condition holds, else zero.
#[inline(always)]
fn truth<S: Simd>(m: S::M) -> S::F {
    S::select(m, S::splat(1.0), S::splat(0.0))
}

/// Zero where a condition holds, else one.
#[inline(always)]
fn untruth<S: Simd>(m: S::M) -> S::F {
    S::select(m, S::splat(0.0), S::splat(1.0))
}

#[inline(always)]
fn execute<S: Simd, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    let (a, b) = (Source::new(input, s, op.a), Source::new(input, s, op.b));
    let chunks = input.chunks.min(CHUNKS);
    macro_rules! each1 {
        (|$x:ident| $e:expr) => {
            if !MASKED && op.plain {
                for k in 0..chunks {
                    let $x = a.raw::<S>(k);
                    store::<S, false>(s, op.dst, k, S::half($e));
                }
            } else {
                for k in 0..chunks {
                    let $x = a.get::<S>(k);
                    store::<S, MASKED>(s, op.dst, k, finish::<S>(op, $e));
                }
            }
        };
    }
    macro_rules! each2 {
        (|$x:ident, $y:ident| $e:expr) => {
            if !MASKED && op.plain {
                for k in 0..chunks {
                    let ($x, $y) = (a.raw::<S>(k), b.raw::<S>(k));
                    store::<S, false>(s, op.dst, k, S::half($e));
                }
            } else {
                for k in 0..chunks {
                    let ($x, $y) = (a.get::<S>(k), b.get::<S>(k));
                    store::<S, MASKED>(s, op.dst, k, finish::<S>(op, $e));
                }
            }
        };
    }
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    match op.code {
        Code::Mov => each1!(|a| a),
        Code::Mul if op.scale == 1.0 => each2!(|a, b| S::mul(a, b)),
        Code::Mul => each2!(|a, b| S::mul(S::mul(a, b), S::splat(op.scale))),
        Code::Add if op.scale == 1.0 => each2!(|a, b| S::add(a, b)),
        Code::Add => each2!(|a, b| S::mul(S::add(a, b), S::splat(op.scale))),
        Code::Not => each1!(|a| truth::<S>(S::eq(a, zero))),
        Code::And => {
            each2!(|a, b| S::select(S::eq(a, zero), zero, untruth::<S>(S::eq(b, zero))))
        }
        Code::Or => each2!(|a, b| S::select(S::eq(a, zero), untruth::<S>(S::eq(b, zero)), one)),
        Code::Xor => each2!(|a, b| {
            let b = S::eq(b, zero);
            S::select(S::eq(a, zero), untruth::<S>(b), truth::<S>(b))
        }),
        Code::Ne => each2!(|a, b| untruth::<S>(S::eq(a, b))),
        Code::Gt => each2!(|a, b| truth::<S>(S::lt(b, a))),
        Code::Ge => each2!(|a, b| truth::<S>(S::le(b, a))),
        Code::Eq => each2!(|a, b| truth::<S>(S::eq(a, b))),
        Code::Min => each2!(|a, b| S::min(a, b)),
        Code::Max => each2!(|a, b| S::max(a, b)),
        Code::Fract => each1!(|a| S::sub(a, S::floor(a))),
        Code::Floor => each1!(|a| S::floor(a)),
        Code::Ceil => each1!(|a| S::ceil(a)),
        Code::Div => each2!(|a, b| S::div(a, b)),
        Code::Rcp => each1!(|a| S::div(one, a)),
        Code::Sqrt => each1!(|a| S::sqrt(a)),
        Code::Rsqrt => each1!(|a| S::div(one, S::sqrt(a))),
        Code::Exp2 => each1!(|a| math::exp2::<S>(a)),
        Code::Log2 => each1!(|a| math::log2::<S>(a)),
        Code::Sin => each1!(|a| math::sin_turn::<S>(a)),
        Code::Cos => each1!(|a| math::sin_turn::<S>(S::add(a, S::splat(0.25)))),
        Code::Atan => each1!(|a| S::map(a, f32::atan)),
        Code::Atan2 => each2!(|a, b| math::atan2::<S>(a, b)),
        Code::DFdx => derivative::<S, MASKED>(op, input, s, 1, false),
        Code::DFdy => derivative::<S, MASKED>(op, input, s, 2, input.flip_derivatives),
        Code::Sel => {
            for k in 0..chunks {
                let c = S::load(&s.row(row::S0 as usize)[k]);
                let r = S::select(S::eq(c, zero), b.get::<S>(k), a.get::<S>(k));
                store::<S, MASKED>(s, op.dst, k, finish::<S>(op, r));
            }
        }
        Code::Sum | Code::InvLength => {
            let t = program.sums[op.n as usize].map(|t| Source::new(input, s, t));
            for k in 0..chunks {
                let [x, y, z] = [t[0].get::<S>(k), t[1].get::<S>(k), t[2].get::<S>(k)];
                let r = if op.code == Code::Sum {
                    S::add(S::add(S::add(x, y), z), t[3].get::<S>(k))
                } else {
                    let sum = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
                    S::div(one, S::sqrt(sum))
                };
                store::<S, MASKED>(s, op.dst, k, finish::<S>(op, r));
            }
        }
        Code::Varying => varyings::<S, MASKED>(op, input, s),
        Code::FragCoord => {
            for k in 0..chunks {
                let r = S::load(&input.frag_coord[op.n as usize & 3][k]);
                store::<S, MASKED>(s, op.dst, k, finish::<S>(op, r));
            }
        }
        Code::FrontFacing => {
            for k in 0..chunks {
                store::<S, MASKED>(s, op.dst, k, S::load(&input.facing[k]));
            }
        }
        Code::FbColor | Code::FbDepth => {
            let from = if op.code == Code::FbColor {
                op.n as usize & 3
            } else {
                4
            };
            for k in 0..chunks {
                let r = finish::<S>(op, S::load(&input.tile[from][k]));
                store::<S, MASKED>(s, op.dst, k, r);
            }
        }
        Code::Discard => {
            for k in 0..chunks {
                s.killed[k] |= if MASKED { s.mask[k] } else { 0xFFFF };
            }
        }
        Code::Texture => texture::<S, MASKED>(program, op, input, s),
        Code::VaryingAt | Code::UniformAt | Code::LoadTemp | Code::StoreTemp => {
            indexed::<S, MASKED>(program, op, input, s);
        }
    }
}

/// Interpolated values, one row after the other.
#[inline(always)]
fn varyings<S: Simd, const MASKED: bool>(op: &Op, input: &Input, s: &mut State) {
    let first = input.quad_planes[0][0] as usize + op.n as usize;
    for c in 0..op.count.min(4) {
        let dst = op.dst + c;
        // By far the most batches are of one triangle, and their values go to registers.
        if !MASKED && input.one && op.plain {
            let plane = input.planes.get(first + c as usize);
            let p = plane.copied().unwrap_or([0.0; 3]);
            let (a, d1, d2) = (S::splat(p[0]), S::splat(p[1]), S::splat(p[2]));
            for k in 0..input.chunks.min(CHUNKS) {
                let (w1, w2) = (S::load(&input.weights[0][k]), S::load(&input.weights[1][k]));
                let r = S::add(S::add(a, S::mul(d1, w1)), S::mul(d2, w2));
                store::<S, false>(s, dst, k, S::half(r));
            }
            continue;
        }
        for k in 0..input.chunks.min(CHUNKS) {
            let r = varying::<S>(input, op.n as usize + c as usize, k);
            store::<S, MASKED>(s, dst, k, finish::<S>(op, r));
        }
    }
}

#[inline(always)]
pub(crate) fn varying<S: Simd>(input: &Input, n: usize, k: usize) -> S::F {
    let (w1, w2) = (S::load(&input.weights[0][k]), S::load(&input.weights[1][k]));
    let first = input.quad_planes[k % CHUNKS];
    let plane = |at: u32| {
        let at = at as usize + n;
        input.planes.get(at).copied().unwrap_or([0.0; 3])
    };
    let (a, d1, d2) = if first[0] == first[3] && first[0] == first[1] && first[0] == first[2] {
        let p = plane(first[0]);
        (S::splat(p[0]), S::splat(p[1]), S::splat(p[2]))
    } else {
        let p = [
            plane(first[0]),
            plane(first[1]),
            plane(first[2]),
            plane(first[3]),
        ];
        (
            S::quads([p[0][0], p[1][0], p[2][0], p[3][0]]),
            S::quads([p[0][1], p[1][1], p[2][1], p[3][1]]),
            S::quads([p[0][2], p[1][2], p[2][2], p[3][2]]),
        )
    };
    S::add(S::add(a, S::mul(d1, w1)), S::mul(d2, w2))
}

/// The first source in the pixel on the far side of the quad plus the second source in
/// the near one; programs give a value and its negation.
#[inline(always)]
fn derivative<S: Simd, const MASKED: bool>(
    op: &Op,
    input: &Input,
    s: &mut State,
    side: usize,
    flip: bool,
) {
    let (mut a, mut b) = (Source::new(input, s, op.a), Source::new(input, s, op.b));
    if flip {
        (a, b) = (b, a);
    }
    for k in 0..input.chunks {
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        S::store(a.get::<S>(k), &mut x);
        S::store(b.get::<S>(k), &mut y);
        let mut r = [0.0; LANES];
        for (i, r) in r.iter_mut().enumerate() {
            *r = x[i | side] + y[i & !side];
        }
        store::<S, MASKED>(s, op.dst, k, finish::<S>(op, S::load(&r)));
    }
}

#[inline(always)]
fn texture<S: Simd, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    let lookup = &program.lookups[op.n as usize];
    let lod = lookup.lod.map(|l| Source::new(input, s, l));
    let shift = lookup.sampler_at.map(|l| Source::new(input, s, l));
    for k in 0..input.chunks {
        let number = match shift {
            Some(at) => {
                let mut x = [0.0; LANES];
                S::store(at.get::<S>(k), &mut x);
                lookup.sampler as f32 + x[0]
            }
            None => lookup.sampler as f32,
        };
        let sampler = input
            .samplers
            .get(number.max(0.0) as usize)
            .and_then(Option::as_ref);
        let mut out = [[0.0; LANES]; 4];
        if let Some(t) = sampler {
            let at = row::COORD as usize;
            let coord = [
                &s.row(at)[k],
                &s.row(at + 1)[k],
                &s.row(at + 2)[k],
                &s.row(at + 3)[k],
            ];
            let mut level = [0.0; LANES];
            if let Some(l) = lod {
                S::store(l.get::<S>(k), &mut level);
            }
            let lod = lod.map(|_| (&level, lookup.explicit));
            tex::sample(input.level, t, coord, lod, lookup.cube, &mut out);
        }
        for c in 0..4 {
            store::<S, MASKED>(s, row::TEXTURE + c as u8, k, S::load(&out[c]));
        }
    }
}

/// Loads and stores at a place that only the pixel knows.
#[inline(always)]
fn indexed<S: Simd, const MASKED: bool>(program: &Program, op: &Op, input: &Input, s: &mut State) {
    for k in 0..input.chunks {
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        S::store(Source::new(input, s, op.a).get::<S>(k), &mut a);
        S::store(Source::new(input, s, op.b).get::<S>(k), &mut b);
        if op.code == Code::StoreTemp {
            let on = if MASKED { s.mask[k] } else { 0xFFFF };
            store_temp(op, &mut s.temps, k, &a, &b, on);
            continue;
        }
        let r = S::load(&load_indexed(program, op, input, &s.temps, k, &a));
        store::<S, MASKED>(s, op.dst, k, finish::<S>(op, r));
    }
}

/// Component that an operation's index register selects.
fn component(op: &Op, index: f32) -> i32 {
    op.n + (index.clamp(-65536.0, 65536.0).floor() * op.scale) as i32
}

#[cold]
#[inline(never)]
fn store_temp(op: &Op, temps: &mut [[Row; 4]], k: usize, value: &Lane, index: &Lane, on: u32) {
    for i in 0..LANES {
        let n = usize::try_from(component(op, index[i])).unwrap_or(usize::MAX);
        if on >> i & 1 != 0
            && let Some(t) = temps.get_mut(n / 4)
        {
            t[n % 4][k][i] = value[i];
        }
    }
}

#[cold]
#[inline(never)]
fn load_indexed(
    program: &Program,
    op: &Op,
    input: &Input,
    temps: &[[Row; 4]],
    k: usize,
    index: &Lane,
) -> Lane {
    use super::prim::Attr;
    std::array::from_fn(|i| {
        let n = usize::try_from(component(op, index[i])).unwrap_or(usize::MAX);
        match op.code {
            Code::UniformAt => input.uniforms.get(n).copied().unwrap_or(0.0),
            Code::LoadTemp => temps.get(n / 4).map_or(0.0, |t| t[n % 4][k][i]),
            _ => {
                let n = op.n + 4 * index[i].clamp(-64.0, 64.0).floor() as i32;
                let attr = Attr::Varying((n >> 2).clamp(0, 255) as u8, (n & 3) as u8);
                let found = program.attrs.iter().position(|&a| a == attr);
                found.map_or(0.0, |n| varying::<isotherm_lanes::Base>(input, n, k)[i])
            }
        }
    })
}
