//! Runs prepared fragment programs on batches of pixels.
//!
//! Pixels of a batch run together as long as they agree about every branch ([`run`]). Where they
//! do not, each pixel has its own place in the program (`Diverged`); the operations are the
//! same ones, and their results are merged under a mask.

mod ops;
mod trace;

pub(crate) use ops::{at_weights, varying};
pub(crate) use trace::TracedStep;

use super::primitives::AttrPlane;
use super::shader::{Branch, MAX_TEMPS, PixelCode, PixelOp, Program, Src, row};
use super::tex;
use isotherm_lanes::{LANES, Lane, Level, Simd, dispatch};
use std::ops::Range;
use trace::Trace;

/// Groups of [`LANES`] pixels in a batch, a power of two.
pub const GROUPS: usize = 8;
/// Pixels in a batch.
pub(crate) const PIXELS: usize = GROUPS * LANES;
/// 2x2 quads in a batch.
pub(crate) const QUADS: usize = PIXELS / 4;
/// Instructions a batch may run before the program counts as hung.
const MAX_STEPS: u32 = 1 << 16;
/// All pixels of a group.
const WHOLE_GROUP: u32 = 0xFFFF;

/// One bit for each pixel of a batch.
pub(crate) type Mask = u128;

/// One row: a value for each pixel of the batch.
pub type Row = [Lane; GROUPS];

/// A value in all pixels, like a row.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Splat(Row);

impl Splat {
    pub const fn new(value: f32) -> Splat {
        Splat([[value; LANES]; GROUPS])
    }
}

const _: () = assert!(
    size_of::<Splat>() == size_of::<Row>(),
    "constants are side by side"
);

/// What a program finds in front of it.
pub struct Input<'a> {
    pub level: Level,
    /// Groups in use.
    pub groups: usize,
    /// Weights of vertices 1 and 2, perspective corrected.
    pub weights: &'a [Row; 2],
    /// x, y, z of the window, and w: what lima's programs take the reciprocal of.
    pub frag_coord: &'a [Row; 4],
    /// 1 for a front face, else 0.
    pub facing: &'a Row,
    /// First plane of each quad's triangle, by groups.
    pub quad_planes: &'a [[u32; 4]; GROUPS],
    /// All quads are of the same triangle.
    pub one_triangle: bool,
    pub planes: &'a [AttrPlane],
    pub consts: &'a [Splat],
    pub uniforms: &'a [f32],
    pub samplers: &'a [Option<std::sync::Arc<tex::Sampler>>],
    /// vec4s of temporaries that each pixel has, and the one that index 0 means.
    pub stack: (usize, u32),
    /// y of derivatives grows upwards.
    pub flip_derivatives: bool,
    /// Colour and depth in the tile, for programs that read it.
    pub tile: &'a [Row; 5],
}

/// Rows, each group at the start of a cache line.
#[repr(C, align(64))]
pub(crate) struct Rows([Row; row::COUNT]);

/// Registers and the rest of what a batch of pixels has; kept between batches so that nothing
/// is allocated.
pub struct Registers {
    rows: Box<Rows>,
    pub(crate) killed: [u32; GROUPS],
    temps: Vec<[Row; 4]>,
    /// Pixels that take part in the instruction that runs.
    mask: [u32; GROUPS],
    /// Work that may still be done; a tile starts with a budget for all its batches.
    pub budget: u64,
}

impl Default for Registers {
    fn default() -> Registers {
        Registers {
            rows: Box::new(Rows([[[0.0; LANES]; GROUPS]; row::COUNT])),
            killed: [0; GROUPS],
            temps: Vec::new(),
            mask: [0; GROUPS],
            budget: 0,
        }
    }
}

impl Registers {
    /// What the program left in a row.
    #[inline(always)]
    pub fn row(&self, at: usize) -> &Row {
        &self.rows.0[at % row::COUNT]
    }

    #[inline(always)]
    fn row_mut(&mut self, at: u8) -> &mut Row {
        &mut self.rows.0[at as usize % row::COUNT]
    }

    /// Before the first instruction of a batch.
    fn start(&mut self, program: &Program, input: &Input) {
        self.killed = [0; GROUPS];
        self.mask = [WHOLE_GROUP; GROUPS];
        // No pixel sees what another one left.
        for &at in &program.unset {
            self.row_mut(at)[..input.groups].fill([0.0; LANES]);
        }
        self.temps.clear();
        if program.temps {
            let size = input.stack.0.min(MAX_TEMPS);
            self.temps.resize(size, [[[0.0; LANES]; GROUPS]; 4]);
        }
    }

    /// Takes the cost of an instruction from the budget.
    pub(crate) fn pay(&mut self, cost: u64) -> Result<(), Hung> {
        self.budget = self.budget.checked_sub(cost).ok_or(Hung)?;
        Ok(())
    }
}

/// The program did not end.
#[derive(Debug)]
pub struct Hung;

/// Runs `program`; afterwards the registers hold its results.
pub fn run(program: &Program, input: &Input, r: &mut Registers) -> Result<(), Hung> {
    r.start(program, input);
    if isotherm_lanes::step_by_step() {
        return Diverged::from_start(program, input).run(r, None);
    }
    let all = all_pixels(input.groups);
    let mut pc = 0usize;
    let mut steps = 0;
    while let Some(step) = program.steps.get(pc) {
        steps += 1;
        if steps > MAX_STEPS {
            return Err(Hung);
        }
        r.pay(step.cost)?;
        let mut ops = &program.ops[step.ops.0 as usize..step.ops.1 as usize];
        while let Some(op) = ops.first() {
            let (now, then) = ops.split_at(usize::from(op.together).min(ops.len()));
            ops::execute(program, now, input, 0..input.groups, r);
            ops = then;
        }
        let taken = step.branch.map_or(0, |b| taken(&b, input, r));
        if taken != 0 && taken != all {
            let mut diverged = Diverged {
                program,
                input,
                place: [DONE; PIXELS],
            };
            diverged.go_on(all, pc, taken);
            return diverged.run(r, None);
        }
        pc = match step.branch {
            Some(branch) if taken == all => branch.target as usize,
            _ if step.stop => return Ok(()),
            _ => pc + 1,
        };
    }
    Ok(())
}

fn all_pixels(groups: usize) -> Mask {
    if groups == GROUPS {
        Mask::MAX
    } else {
        (1 << (groups * LANES)) - 1
    }
}

/// The place of a pixel that is done.
const DONE: u32 = u32::MAX;

/// A program whose pixels are each at their own place. The lowest place runs first, so that
/// pixels meet again.
struct Diverged<'a> {
    program: &'a Program,
    input: &'a Input<'a>,
    place: [u32; PIXELS],
}

impl<'a> Diverged<'a> {
    /// All pixels at the first step.
    fn from_start(program: &'a Program, input: &'a Input<'a>) -> Diverged<'a> {
        let mut diverged = Diverged {
            program,
            input,
            place: [DONE; PIXELS],
        };
        diverged.places().fill(0);
        diverged
    }
}

impl Diverged<'_> {
    fn run(&mut self, r: &mut Registers, mut trace: Option<&mut Trace>) -> Result<(), Hung> {
        let (program, input) = (self.program, self.input);
        for _ in 0..MAX_STEPS {
            let pc = self.places().iter().copied().min().unwrap_or(DONE);
            if pc == DONE {
                return Ok(());
            }
            let step = &program.steps[pc as usize];
            r.pay(step.cost)?;
            let here = self.pixels_at(pc);
            for (k, mask) in r.mask.iter_mut().enumerate() {
                *mask = (here >> (k * LANES)) as u32 & WHOLE_GROUP;
            }
            if let Some(t) = &mut trace {
                t.begin(pc, here);
            }
            for op in &program.ops[step.ops.0 as usize..step.ops.1 as usize] {
                if let Some(t) = &mut trace {
                    t.look_up(program, op, input, r);
                }
                execute_masked(program, op, input, groups_of(here), r);
                if let Some(t) = &mut trace {
                    t.note(op, r);
                }
            }
            let taken = step.branch.map_or(0, |b| taken(&b, input, r));
            self.go_on(here, pc as usize, taken);
        }
        Err(Hung)
    }

    fn places(&mut self) -> &mut [u32] {
        &mut self.place[..self.input.groups * LANES]
    }

    /// The pixels at a place.
    fn pixels_at(&self, pc: u32) -> Mask {
        let place = self.place.iter().enumerate();
        place.fold(0, |out, (i, p)| out | Mask::from(*p == pc) << i)
    }

    /// Where the pixels `here` go from step `pc`.
    fn go_on(&mut self, here: Mask, pc: usize, taken: Mask) {
        let end = self.program.steps.len() as u32;
        let step = &self.program.steps[pc];
        for (i, p) in self.places().iter_mut().enumerate() {
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
}

/// The groups from the first to the last that has one of these pixels.
fn groups_of(pixels: Mask) -> Range<usize> {
    let first = pixels.trailing_zeros() as usize / LANES;
    let last = (Mask::BITS - pixels.leading_zeros()) as usize;
    first..last.div_ceil(LANES)
}

/// One operation for the pixels of the mask alone: its results wait aside and are merged.
fn execute_masked(
    program: &Program,
    op: &PixelOp,
    input: &Input,
    groups: Range<usize>,
    r: &mut Registers,
) {
    let writes_rows = !matches!(op.code, PixelCode::Discard | PixelCode::StoreTemp);
    let dst = if writes_rows { row::ASIDE } else { op.dst };
    let aside = PixelOp { dst, ..*op };
    let ops = std::slice::from_ref(&aside);
    ops::execute(program, ops, input, groups.clone(), r);
    if writes_rows {
        for c in 0..op.rows() {
            merge(input.level, r, row::ASIDE + c, op.dst + c, groups.clone());
        }
    }
}

dispatch! {
    /// Copies a row for the pixels of the mask.
    fn merge(r: &mut Registers, from: u8, to: u8, groups: Range<usize>) = merge_any::<Lanes>;
}

#[inline(always)]
fn merge_any<S: Simd>(r: &mut Registers, from: u8, to: u8, groups: Range<usize>) {
    for k in groups {
        let new = S::load(&r.row(from as usize)[k % GROUPS]);
        let mask = S::mask(r.mask[k % GROUPS]);
        let to = &mut r.row_mut(to)[k % GROUPS];
        S::store(S::select(mask, new, S::load(to)), to);
    }
}

/// Runs a program from its start and writes down what it does to one pixel.
pub(crate) fn trace(
    program: &Program,
    input: &Input,
    r: &mut Registers,
    lane: usize,
) -> Result<Vec<TracedStep>, Hung> {
    r.start(program, input);
    let mut trace = Trace::new(lane);
    Diverged::from_start(program, input).run(r, Some(&mut trace))?;
    Ok(trace.done)
}

/// The pixels that would take a branch.
fn taken(branch: &Branch, input: &Input, r: &Registers) -> Mask {
    if branch.when == Branch::ALWAYS {
        return all_pixels(input.groups);
    }
    compare(input.level, branch, input, r)
}

dispatch! {
    fn compare(branch: &Branch, input: &Input, r: &Registers) -> Mask = compare_any::<Lanes>;
}

#[inline(always)]
fn compare_any<S: Simd>(branch: &Branch, input: &Input, r: &Registers) -> Mask {
    let (a, b) = (
        Operand::new(input, r, branch.a),
        Operand::new(input, r, branch.b),
    );
    let mut out: Mask = 0;
    for k in 0..input.groups {
        let (x, y) = (a.get::<S>(k), b.get::<S>(k));
        let mut on = 0;
        if branch.when & Branch::LESS != 0 {
            on |= S::bits(S::lt(x, y));
        }
        if branch.when & Branch::EQUAL != 0 {
            on |= S::bits(S::eq(x, y));
        }
        if branch.when & Branch::GREATER != 0 {
            on |= S::bits(S::lt(y, x));
        }
        out |= Mask::from(on) << (k * LANES);
    }
    out
}

const _: () = assert!(GROUPS.is_multiple_of(2), "the last pair is whole");

/// The pairs of groups that have one of these. Loops over pairs take half the instructions for
/// their places. A pair may have a group that was not asked for: behind the last one nobody looks,
/// and where pixels part results wait aside ([`execute_masked`]).
#[inline(always)]
fn pairs(groups: &Range<usize>) -> Range<usize> {
    groups.start / 2..groups.end.min(GROUPS).div_ceil(2)
}

/// Where an operation reads.
#[derive(Clone, Copy)]
struct Operand {
    /// The first group.
    at: *const Lane,
    /// Groups from one component of a joined operation to the next: none or a row.
    next: usize,
    and: u32,
    xor: u32,
}

impl Operand {
    #[inline(always)]
    fn new(input: &Input, r: &Registers, src: Src) -> Operand {
        Operand::joined(input, r, src, 0, 1)
    }

    /// The source of so many components, `step` rows or constants from one to the next.
    #[inline(always)]
    fn joined(input: &Input, r: &Registers, src: Src, step: u8, count: u8) -> Operand {
        static ZERO: Splat = Splat::new(0.0);
        let first = usize::from(src.at & !Src::CONST);
        let all = first..=first + usize::from(step) * usize::from(count.saturating_sub(1));
        let found = if src.at & Src::CONST != 0 {
            let consts = input.consts.get(all);
            consts.map(|consts| consts.as_ptr().cast::<Lane>())
        } else {
            let rows = r.rows.0.get(all);
            rows.map(|rows| rows.as_ptr().cast::<Lane>())
        };
        Operand {
            at: found.unwrap_or(ZERO.0.as_ptr()),
            next: found.map_or(0, |_| usize::from(step) * GROUPS),
            and: src.and,
            xor: src.xor,
        }
    }

    /// The source of component `c`.
    #[inline(always)]
    fn component(self, c: u8) -> Operand {
        Operand {
            at: self.at.wrapping_add(self.next * usize::from(c)),
            ..self
        }
    }

    /// A group as it lies there.
    #[inline(always)]
    fn raw<S: Simd>(&self, k: usize) -> S::F {
        // SAFETY: `joined` has looked for the rows of all components, and each has GROUPS
        // groups; they outlive the operation.
        S::load(unsafe { &*self.at.add(k % GROUPS) })
    }

    /// A group with the source's modifiers.
    #[inline(always)]
    fn get<S: Simd>(&self, k: usize) -> S::F {
        S::modify(self.raw::<S>(k), self.and, self.xor)
    }

    /// Groups `2 * pair` and the one behind it as they lie there.
    ///
    /// # Safety
    /// `pair` is below half of [`GROUPS`].
    #[inline(always)]
    unsafe fn raw_pair<S: Simd>(&self, pair: usize) -> [S::F; 2] {
        // SAFETY: as for `raw`: both groups are below GROUPS.
        let (first, second) = unsafe { (&*self.at.add(2 * pair), &*self.at.add(2 * pair + 1)) };
        [S::load(first), S::load(second)]
    }

    /// The same with the source's modifiers.
    ///
    /// # Safety
    /// `pair` is below half of [`GROUPS`].
    #[inline(always)]
    unsafe fn pair<S: Simd>(&self, pair: usize) -> [S::F; 2] {
        // SAFETY: the caller's promise.
        let [first, second] = unsafe { self.raw_pair::<S>(pair) };
        [
            S::modify(first, self.and, self.xor),
            S::modify(second, self.and, self.xor),
        ]
    }
}
