//! Runs a prepared program on blocks of sixteen pixels: four quads, pixel after pixel of a
//! quad. Blocks without branches take every step together.

use super::apart::{Apart, mask_by_quads};
use super::flow::Flow;
use super::modulate::Modulate;
use super::plan::{
    INPUT_ROWS, INPUTS, Kind, Operand, Origin, Place, Plan, Round, SETS, Step, limited,
};
use super::{input, pack};
use crate::frag::ColorPairs;
use crate::tex::program::{BoundUnit, Lookup};
use isotherm_lanes::half::{f32_to_half, half_to_f32};
use isotherm_lanes::{Base, LANES, Lane, Simd, curie, dispatch, math};
use isotherm_regs::Family;
use isotherm_regs::fp::{Cond, Limit, Op};
use std::ops::Range;

/// Steps that a block may take before the program counts as hung: loops nest, and one
/// repeats up to 255 times.
pub(super) const MOST_STEPS: u32 = 1 << 16;
/// All lanes.
pub(super) const ALL: u32 = 0xffff;
/// Blocks that take their steps together: as many as the first cache holds.
pub(crate) const BLOCKS: usize = 8;

/// A texture unit for every number that an instruction can have.
pub(crate) type Units = [Option<BoundUnit>; 16];

/// A component of all blocks, one after the other: a step finds its rows once for all of them,
/// and one vector instruction finds a block's in one line of cache.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
struct Rows([Lane; BLOCKS]);

const ZERO: Rows = Rows([[0.0; LANES]; BLOCKS]);

/// Lanes of all blocks.
pub(crate) const ALL_LANES: usize = BLOCKS * LANES;

/// Sixteen lanes from `first` on, which may be in two blocks.
#[inline(always)]
fn lanes_from<T>(blocks: &[[T; LANES]; BLOCKS], first: usize) -> &[T; LANES] {
    let (_, from) = blocks.as_flattened().split_at(first.min(ALL_LANES - LANES));
    from.first_chunk().unwrap_or(&blocks[0])
}

/// What a program finds in front of it and leaves behind. All of it lies in memory, not in
/// local variables, so that the operations stay small and apart.
/// It is small itself, so that it may be moved about.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    /// Curie's two condition registers.
    cc: Box<[[[Lane; 4]; 2]; BLOCKS]>,
    /// Inputs, registers, unpacked sources, what a step computes, constants.
    rows: Vec<Rows>,
    /// The plan whose constants are in their place.
    plan: u64,
    /// The first of the sixteen lanes whose inputs are meant. Programs run on the first blocks.
    pub lane: usize,
    /// Pixels have left their quads; footprints are known.
    apart: bool,
    /// Lanes that KIL took.
    killed: [u32; BLOCKS],
    /// Steps that programs with branches may still take.
    pub left: u64,
}

/// The inputs at the lanes that are meant. Where they lie is found once, not again for each of
/// them.
pub(crate) struct Inputs<'a> {
    rows: &'a mut [Rows; 4 * INPUTS],
    first: usize,
}

impl Inputs<'_> {
    /// A component of an input.
    #[inline(always)]
    pub(crate) fn of(&mut self, number: usize, component: usize) -> &mut Lane {
        let row = &mut self.rows[(4 * number + component) % (4 * INPUTS)];
        let (_, from) = row.0.as_flattened_mut().split_at_mut(self.first);
        from.first_chunk_mut().expect("a block is left")
    }
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes {
            cc: Box::new([[[[0.0; LANES]; 4]; 2]; BLOCKS]),
            rows: vec![ZERO; INPUT_ROWS],
            plan: 0,
            lane: 0,
            apart: false,
            killed: [0; BLOCKS],
            left: u64::MAX,
        }
    }
}

impl Lanes {
    /// Before a program starts: registers and conditions are zero, a guess. Those that nobody
    /// looks at before they are written need not be, unless `all` are wanted.
    #[inline(always)]
    fn start(&mut self, plan: &Plan, all: bool) {
        if all || self.plan != plan.id {
            self.place(plan);
        }
        for &row in &plan.unset {
            self.rows[row as usize] = ZERO;
        }
        if plan.conditions {
            *self.cc = [[[[0.0; LANES]; 4]; 2]; BLOCKS];
        }
        self.killed = [0; BLOCKS];
    }

    /// Makes room for a plan's rows and puts its constants in their place.
    #[inline(never)]
    fn place(&mut self, plan: &Plan) {
        self.rows.truncate(INPUT_ROWS);
        self.rows.resize(plan.first_const, ZERO);
        let consts = plan.consts.iter().map(|row| Rows([*row; BLOCKS]));
        self.rows.extend(consts);
        self.plan = plan.id;
    }

    /// A component of an input.
    #[inline(always)]
    pub(crate) fn input(&mut self, number: usize, component: usize) -> &mut Lane {
        self.row((4 * number + component) as u32)
    }

    /// All inputs, for whoever fills several.
    #[inline(always)]
    pub(crate) fn inputs(&mut self) -> Inputs<'_> {
        let first = self.lane.min(ALL_LANES - LANES);
        let rows = self.rows.first_chunk_mut().expect("inputs come first");
        Inputs { rows, first }
    }

    /// A row of inputs or footprints.
    #[inline(always)]
    pub(super) fn row(&mut self, row: u32) -> &mut Lane {
        let first = self.lane.min(ALL_LANES - LANES);
        let (_, from) = self.rows[row as usize]
            .0
            .as_flattened_mut()
            .split_at_mut(first);
        from.first_chunk_mut().expect("a block is left")
    }

    /// A row of a block.
    #[inline(always)]
    pub(super) fn block(&self, row: u32, block: usize) -> &Lane {
        &self.rows[row as usize].0[block % BLOCKS]
    }

    /// What a register holds.
    pub(crate) fn register(&self, place: Place, c: usize) -> Lane {
        self.register_of(self.lane / LANES, place, c)
    }

    fn register_of(&self, block: usize, place: Place, c: usize) -> Lane {
        let row = |i: usize| &self.rows[place.row as usize + i].0[block % BLOCKS];
        match place.kind {
            Kind::Whole => *row(c),
            Kind::Low => halves(row(c / 2), c),
            Kind::High => halves(row(2 + c / 2), c),
        }
    }

    /// Lanes that KIL took.
    pub(crate) fn killed(&self) -> u32 {
        self.killed[self.lane / LANES % BLOCKS]
    }

    /// Puts sources that do not lie ready in rows of their own. `index` is the address
    /// register.
    #[inline(never)]
    fn unpack(&mut self, block: usize, plan: &Plan, step: &Step, index: u32) {
        for (i, src) in step.src.iter().enumerate() {
            let Some(staged) = src.staged else { continue };
            let first = plan.unpacked + 4 * i;
            for c in 0..4 {
                let mut value = match staged.from {
                    Origin::Halves(place) => self.register_of(block, place, c),
                    Origin::Set(add) => self.set(block, index.wrapping_add(add), c),
                    Origin::Row(row) => self.rows[row as usize + c].0[block % BLOCKS],
                };
                if staged.undivided {
                    value = self.undivided(block, &value);
                }
                if staged.limit != Limit::None {
                    let sign = |x: f32| f32::from_bits(x.to_bits() & src.and);
                    value = value.map(|x| limited(staged.limit, sign(x)));
                }
                self.rows[first + c].0[block % BLOCKS] = value;
            }
        }
    }

    /// A texture coordinate; zeros in sets that do not exist, a guess.
    fn set(&self, block: usize, number: u32, c: usize) -> Lane {
        if number < SETS as u32 {
            self.rows[4 * (input::TEX + number as usize) + c].0[block % BLOCKS]
        } else {
            [0.0; LANES]
        }
    }

    /// A coordinate as it is interpolated: 1/w times what perspective makes of it.
    fn undivided(&self, block: usize, value: &Lane) -> Lane {
        let one_over_w = &self.rows[4 * input::POSITION + 3].0[block % BLOCKS];
        std::array::from_fn(|i| value[i] * one_over_w[i])
    }

    /// Writes half floats of a register that has a name as a whole too.
    #[inline(never)]
    fn write_half(&mut self, block: usize, to: Place, c: usize, x: &Lane, mask: u32) {
        let up = if to.kind == Kind::High { 2 } else { 0 };
        let row = &mut self.rows[to.row as usize + up + c / 2].0[block % BLOCKS];
        let shift = c % 2 * 16;
        for i in 0..LANES {
            if mask >> i & 1 != 0 {
                let half = u32::from(f32_to_half(x[i])) << shift;
                let word = row[i].to_bits() & !(0xffff << shift) | half;
                row[i] = f32::from_bits(word);
            }
        }
    }
}

/// The half floats of an even or odd component in a row of words.
fn halves(row: &Lane, c: usize) -> Lane {
    let shift = c % 2 * 16;
    row.map(|word| half_to_f32((word.to_bits() >> shift) as u16))
}

/// What one step did, for whoever watches.
pub(crate) struct Seen<'a> {
    pub step: usize,
    /// Lanes that ran it, and those of each component that were written.
    pub ran: u32,
    pub written: [u32; 4],
    /// Lanes that it gave up.
    pub killed: u32,
    /// What it computed, scaled, clamped and rounded.
    pub result: &'a [Lane; 4],
}

/// The lanes that a program runs on, and what becomes of them.
pub(crate) struct Groups<'a> {
    /// How many, from the first one on.
    pub lanes: usize,
    /// The first lane of each group of sixteen pixels.
    pub first: &'a [u8],
    /// Those of its pixels that have left their quads and lie there, if any have.
    pub apart: Option<&'a [u16]>,
}

impl Groups<'static> {
    /// One block.
    pub(crate) const ONE: Groups<'static> = Groups {
        lanes: LANES,
        first: &[0],
        apart: None,
    };
}

dispatch! {
    /// Runs a program on lanes, which have their inputs and take their results. Groups' colours go
    /// to `colors`.
    pub(crate) fn run(plan: &Plan, units: &Units, lanes: &mut Lanes, groups: &Groups<'_>, colors: &mut [ColorPairs]) = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    groups: &Groups<'_>,
    colors: &mut [ColorPairs],
) {
    let count = groups.lanes.div_ceil(LANES).min(BLOCKS);
    lanes.apart = groups.apart.is_some();
    let mut pairs = [[[0; LANES]; BLOCKS]; 2];
    match Modulate::new(plan, units) {
        // Nobody asks for the registers of pixels apart.
        Some(modulate) if lanes.apart => {
            for block in 0..count {
                let [br, ga] = modulate.run::<S>(lanes, block);
                S::istore(br, &mut pairs[0][block]);
                S::istore(ga, &mut pairs[1][block]);
            }
        }
        _ => {
            machine::<S, false>(plan, units, lanes, count, &mut |_| {});
            bytes::<S>(plan, lanes, count, &mut pairs);
        }
    }
    for (i, (&first, out)) in groups.first.iter().zip(colors).enumerate() {
        for (pairs, out) in pairs.iter().zip(out) {
            let mut quads = *lanes_from(pairs, first.into());
            if let Some(masks) = groups.apart
                && masks[i] != u16::MAX
            {
                quads = S::expand(&quads, mask_by_quads(masks[i]));
            }
            S::istore(S::rows_of_quads(S::iload(&quads)), out);
        }
    }
}

/// The colours of the first blocks: blue and red, green and alpha.
#[inline(always)]
fn bytes<S: Simd>(
    plan: &Plan,
    lanes: &Lanes,
    count: usize,
    pairs: &mut [[[u32; LANES]; BLOCKS]; 2],
) {
    for block in 0..count {
        let mut color = [S::isplat(0); 4];
        for c in 0..4 {
            let x = match plan.color.kind {
                Kind::Whole => S::load(&lanes.rows[plan.color.row as usize + c].0[block]),
                _ => S::load(&lanes.register_of(block, plan.color, c)),
            };
            color[c] = to_byte::<S>(plan.family, x);
        }
        let [r, g, b, a] = color;
        for (out, [low, high]) in pairs.iter_mut().zip([[b, r], [g, a]]) {
            S::istore(S::ior(low, S::shl::<16>(high)), &mut out[block]);
        }
    }
}

/// A colour as a byte: limited to 0…1, on Curie cut to twelve bits behind the point, then
/// rounded (rsx_fp_static_test1; docs/accuracy/fragment.md).
#[inline(always)]
fn to_byte<S: Simd>(family: Family, x: S::F) -> S::I {
    let x = S::unit(x);
    if family != Family::Curie {
        return S::to_byte(x);
    }
    let cut = S::floor(S::mul(x, S::splat(4096.0)));
    S::to_byte(S::mul(cut, S::splat(1.0 / 4096.0)))
}

/// Colours as bytes.
pub(super) fn byte_lanes(family: Family, x: &Lane) -> [i32; LANES] {
    to_byte::<Base>(family, *x)
}

/// The same on the first block, telling what every step does.
pub(crate) fn watch(plan: &Plan, units: &Units, lanes: &mut Lanes, seen: &mut dyn FnMut(Seen<'_>)) {
    lanes.apart = false;
    machine::<Base, true>(plan, units, lanes, 1, seen);
}

/// Blocks without branches take every step together: the next one of a block waits for the
/// last, but those of other blocks do not. With branches each goes its own way.
#[inline(always)]
fn machine<S: Apart, const WATCH: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    count: usize,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    lanes.start(plan, WATCH);
    let together = if plan.branches { 1 } else { count.max(1) };
    for first in (0..count).step_by(together) {
        let blocks = first..first + together;
        let mut flow = Flow::new(ALL);
        let mut pc = 0u32;
        for _ in 0..MOST_STEPS {
            let Some(step) = plan.steps.get(pc as usize) else {
                break;
            };
            if let Some(branch) = step.branch {
                let holds = any(conditions::<S>(lanes, first, step));
                let Some(next) = flow.branch(branch, holds, pc, step.end) else {
                    break;
                };
                pc = next;
            } else {
                let at = (pc as usize, flow.active, flow.index);
                execute::<S, WATCH>(plan, units, lanes, blocks.clone(), at, seen);
                pc += 1;
                if step.end {
                    flow.end();
                }
            }
            if plan.branches {
                if lanes.left == 0 {
                    break;
                }
                lanes.left -= 1;
                let Some(next) = flow.settle(pc) else {
                    break;
                };
                pc = next;
            } else if step.end {
                break;
            }
        }
    }
}

/// One instruction that is no branch: its number, the lanes that run, the address register.
#[inline(always)]
fn execute<S: Apart, const WATCH: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    (at, active, index): (usize, u32, u32),
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let step = &plan.steps[at];
    if step.op == Op::Kil {
        for block in blocks {
            let taken = active & any(conditions::<S>(lanes, block, step));
            lanes.killed[block % BLOCKS] |= taken;
            if WATCH {
                seen(Seen {
                    step: at,
                    ran: active,
                    written: [0; 4],
                    killed: taken,
                    result: &[[0.0; LANES]; 4],
                });
            }
        }
        return;
    }
    if step.staged {
        for block in blocks.clone() {
            lanes.unpack(block, plan, step, index);
        }
    }
    let direct = step.direct && active == ALL && !WATCH;
    let to = match step.dst {
        Some(dst) if direct => dst.row as usize,
        _ => plan.out,
    };
    let before = if WATCH { lanes.killed[0] } else { 0 };
    compute::<S>(plan, units, lanes, blocks.clone(), step, to, active);
    if direct {
        return;
    }
    match step.dst {
        Some(dst) if step.always && dst.kind == Kind::Whole && active == ALL && !WATCH => {
            let (from, to) = (plan.out, dst.row as usize);
            finish_all::<S>(&mut lanes.rows, blocks, step, from, to);
        }
        _ => {
            for block in blocks {
                write::<S, WATCH>(plan, lanes, block, (at, active), before, seen);
            }
        }
    }
}

/// Finishes what a step has computed in the rows from `from` on and writes it to those from
/// `to` on.
#[inline(always)]
fn finish_all<S: Simd>(
    rows: &mut [Rows],
    blocks: Range<usize>,
    step: &Step,
    from: usize,
    to: usize,
) {
    for c in 0..4 {
        if step.mask >> c & 1 != 0 {
            for block in blocks.start..blocks.end.min(BLOCKS) {
                let x = finish::<S>(step, S::load(&rows[from + c].0[block]));
                S::store(x, &mut rows[to + c].0[block]);
            }
        }
    }
}

/// Finishes what a step has computed for a block and writes it where its condition holds. Who
/// watches is told which lanes were given up since `killed_before`.
#[inline(always)]
fn write<S: Simd, const WATCH: bool>(
    plan: &Plan,
    lanes: &mut Lanes,
    block: usize,
    (at, active): (usize, u32),
    killed_before: u32,
    seen: &mut dyn FnMut(Seen<'_>),
) {
    let block = block % BLOCKS;
    let step = &plan.steps[at];
    let mut written = [active; 4];
    if step.cond != Cond::Tr {
        let holds = conditions::<S>(lanes, block, step);
        for c in 0..4 {
            written[c] &= holds[c];
        }
    }
    for c in 0..4 {
        if step.mask >> c & 1 == 0 {
            written[c] = 0;
            continue;
        }
        let x = finish::<S>(step, S::load(&lanes.rows[plan.out + c].0[block]));
        match step.dst {
            Some(dst) if dst.kind == Kind::Whole => {
                let to = &mut lanes.rows[dst.row as usize + c].0[block];
                put::<S>(to, x, written[c]);
            }
            Some(dst) => {
                let mut halves = [0.0; LANES];
                S::store(x, &mut halves);
                lanes.write_half(block, dst, c, &halves, written[c]);
            }
            None => {}
        }
        if step.cc_write {
            let to = &mut lanes.cc[block][usize::from(step.cc_to & 1)][c];
            put::<S>(to, x, written[c]);
        }
        if WATCH {
            S::store(x, &mut lanes.rows[plan.out + c].0[block]);
        }
    }
    if WATCH {
        let result = &[0, 1, 2, 3].map(|c| lanes.rows[plan.out + c].0[block]);
        seen(Seen {
            step: at,
            ran: active,
            written,
            killed: lanes.killed[block] & !killed_before,
            result,
        });
    }
}

/// Stores where lanes are set.
#[inline(always)]
fn put<S: Simd>(to: &mut Lane, x: S::F, lanes: u32) {
    let x = if lanes == ALL {
        x
    } else {
        S::select(S::mask(lanes), x, S::load(to))
    };
    S::store(x, to);
}

/// The sources of a step. No closures stand between it and the lanes: they would be compiled
/// without the level's instructions.
#[derive(Clone, Copy)]
struct Sources<'a> {
    rows: &'a [Rows],
    block: usize,
    step: &'a Step,
    family: Family,
}

impl Sources<'_> {
    /// A component of source `i`.
    #[inline(always)]
    fn get<S: Simd>(&self, i: usize, c: usize) -> S::F {
        let from = &self.step.src[i];
        let x = S::load(&self.rows[from.rows[c] as usize].0[self.block % BLOCKS]);
        if from.plain() {
            x
        } else {
            S::modify(x, from.and, from.xor)
        }
    }
}

/// Where the condition holds, by components.
#[inline(always)]
fn conditions<S: Simd>(lanes: &Lanes, block: usize, step: &Step) -> [u32; 4] {
    let zero = S::splat(0.0);
    let register = &lanes.cc[block % BLOCKS][usize::from(step.cc_from & 1)];
    let mut holds = [0; 4];
    for c in 0..4 {
        let x = S::load(&register[usize::from(step.cond_swizzle[c] & 3)]);
        holds[c] = match step.cond {
            Cond::Fl => 0,
            Cond::Tr => ALL,
            Cond::Lt => S::bits(S::lt(x, zero)),
            Cond::Le => S::bits(S::le(x, zero)),
            Cond::Eq => S::bits(S::eq(x, zero)),
            Cond::Gt => S::bits(S::lt(zero, x)),
            Cond::Ge => S::bits(S::le(zero, x)),
            // What is no number is not equal to zero.
            Cond::Ne => !S::bits(S::eq(x, zero)) & ALL,
        };
    }
    holds
}

/// Lanes in which it holds for any component.
fn any([x, y, z, w]: [u32; 4]) -> u32 {
    x | y | z | w
}

/// Scale, clamp, rounding.
#[inline(always)]
fn finish<S: Simd>(step: &Step, x: S::F) -> S::F {
    let mut x = x;
    if step.scale != 1.0 {
        x = S::mul(x, S::splat(step.scale));
    }
    if step.sat {
        x = S::unit(x);
    }
    match step.round {
        Round::Full => x,
        Round::Half => S::half(x),
        Round::HalfCut => S::half_cut(x),
        Round::Fixed => fixed::<S>(x),
    }
}

/// To the nearest multiple of 2^-10 from -2 up to less than 2. That it rounds to nearest
/// is a guess.
#[inline(always)]
fn fixed<S: Simd>(x: S::F) -> S::F {
    let x = S::round(S::mul(x, S::splat(1024.0)));
    let x = S::min(S::max(x, S::splat(-2048.0)), S::splat(2047.0));
    S::mul(x, S::splat(1.0 / 1024.0))
}

/// A component of a source, the same for all blocks.
#[derive(Clone, Copy)]
struct Taken<S: Simd> {
    row: usize,
    and: S::I,
    xor: S::I,
}

impl<S: Simd> Taken<S> {
    #[inline(always)]
    fn new(from: &Operand, c: usize) -> Taken<S> {
        Taken {
            row: from.rows[c] as usize,
            and: S::isplat(from.and as i32),
            xor: S::isplat(from.xor as i32),
        }
    }

    /// Of a block; `PLAIN`: as it is.
    #[inline(always)]
    fn get<const PLAIN: bool>(self, rows: &[Rows], block: usize) -> S::F {
        let x = S::load(&rows[self.row].0[block]);
        if PLAIN {
            return x;
        }
        S::from_bits(S::ixor(S::iand(S::to_bits(x), self.and), self.xor))
    }
}

/// What an operation makes of its sources, to the rows from `to` on: those components that
/// are written.
#[inline(always)]
fn compute<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    step: &Step,
    to: usize,
    active: u32,
) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let (family, apart) = (plan.family, lanes.apart);
    let rows = &mut lanes.rows[..];
    let blocks = blocks.start..blocks.end.min(BLOCKS);
    /// The sources as they are now.
    macro_rules! src {
        ($block:ident) => {
            Sources {
                rows,
                block: $block,
                step,
                family,
            }
        };
    }
    /// The same formula in every component that is written, of up to three sources. Rows are
    /// looked for once for all blocks.
    macro_rules! each {
        (|$($name:ident = $i:literal),+| $e:expr) => {
            for c in 0..4 {
                if step.mask >> c & 1 != 0 {
                    $(let $name = Taken::<S>::new(&step.src[$i], c);)+
                    let all = rows.len();
                    assert!($($name.row < all &&)+ to + c < all);
                    if step.plain {
                        for block in blocks.clone() {
                            $(let $name = $name.get::<true>(rows, block);)+
                            S::store($e, &mut rows[to + c].0[block]);
                        }
                    } else {
                        for block in blocks.clone() {
                            $(let $name = $name.get::<false>(rows, block);)+
                            S::store($e, &mut rows[to + c].0[block]);
                        }
                    }
                }
            }
        };
    }
    /// A value for each component, of each block by itself.
    macro_rules! four {
        (|$block:ident| $e:expr) => {
            for $block in blocks.clone() {
                let x: [S::F; 4] = $e;
                for c in 0..4 {
                    if step.mask >> c & 1 != 0 {
                        S::store(x[c], &mut rows[to + c].0[$block]);
                    }
                }
            }
        };
    }
    /// One value of the first component of the first source.
    macro_rules! one {
        (|$name:ident| $e:expr) => {
            four!(|block| {
                let $name = src!(block).get::<S>(0, 0);
                [$e; 4]
            })
        };
    }
    /// A sum of products, with or without changed signs.
    macro_rules! dot {
        ($n:literal) => {
            if step.plain {
                four!(|block| [dot::<S, $n, true>(rows, block, family, step); 4]);
            } else {
                four!(|block| [dot::<S, $n, false>(rows, block, family, step); 4]);
            }
        };
    }
    match step.op {
        Op::Mov => each!(|a = 0| a),
        Op::Mul => each!(|a = 0, b = 1| mul::<S>(family, a, b)),
        Op::Add => each!(|a = 0, b = 1| add::<S>(family, a, b)),
        Op::Mad => each!(|a = 0, b = 1, d = 2| {
            add::<S>(family, mul::<S>(family, a, b), d)
        }),
        // What is no number wins on either side.
        Op::Min => each!(|a = 0, b = 1| S::select(S::eq(a, a), S::min(a, b), a)),
        Op::Max => each!(|a = 0, b = 1| S::select(S::eq(a, a), S::max(a, b), a)),
        Op::Slt => each!(|a = 0, b = 1| S::select(S::lt(a, b), one, zero)),
        Op::Sge => each!(|a = 0, b = 1| S::select(S::le(b, a), one, zero)),
        Op::Sle => each!(|a = 0, b = 1| S::select(S::le(a, b), one, zero)),
        Op::Sgt => each!(|a = 0, b = 1| S::select(S::lt(b, a), one, zero)),
        Op::Seq => each!(|a = 0, b = 1| S::select(S::eq(a, b), one, zero)),
        Op::Sne => each!(|a = 0, b = 1| S::select(S::eq(a, b), zero, one)),
        Op::Flr => each!(|a = 0| S::floor(a)),
        Op::Frc => each!(|a = 0| S::sub(a, S::floor(a))),
        Op::Lrp => each!(|a = 0, b = 1, d = 2| {
            let rest = mul::<S>(family, S::sub(one, a), d);
            add::<S>(family, mul::<S>(family, a, b), rest)
        }),
        Op::Ddx => each!(|a = 0| across::<S>(a)),
        Op::Ddy => each!(|a = 0| down::<S>(a)),
        Op::Div | Op::DivSq => four!(|block| quotients::<S>(src!(block))),
        Op::Dp3 => dot!(3),
        Op::Dp4 => dot!(4),
        Op::Dp2 => dot!(2),
        Op::Dp2a => four!(|block| {
            let sum = dot::<S, 2, false>(rows, block, family, step);
            [add::<S>(family, sum, src!(block).get::<S>(2, 0)); 4]
        }),
        Op::Rcp => one!(|x| S::div(one, x)),
        Op::Ex2 => one!(|x| power_of_two::<S>(x)),
        Op::Lg2 => one!(|x| math::log2::<S>(x)),
        Op::Rsq | Op::Sin | Op::Cos | Op::Pow => {
            four!(|block| [scalar::<S>(src!(block)); 4]);
        }
        Op::Dst | Op::Lit | Op::LitEx2 | Op::Rfl | Op::Nrm | Op::Bem => {
            four!(|block| vector::<S>(src!(block)));
        }
        Op::Str => four!(|block| [one; 4]),
        Op::Tex | Op::Txp | Op::Txb | Op::Txl | Op::Txd | Op::TexBem | Op::TxpBem => {
            for block in blocks {
                let (x, killed) = texture::<S>(units, src!(block), apart);
                for c in 0..4 {
                    if step.mask >> c & 1 != 0 {
                        S::store(x[c], &mut rows[to + c].0[block]);
                    }
                }
                lanes.killed[block] |= killed & active;
            }
        }
        op if pack::packs(op) => four!(|block| packed::<S>(src!(block))),
        // NOP, SFL, and numbers whose operation is not known.
        _ => four!(|block| [zero; 4]),
    }
}

/// DIV and DIVSQ: by a number, or by its root.
#[inline(always)]
fn quotients<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let (zero, by) = (S::splat(0.0), src.get::<S>(1, 0));
    let mut out = [zero; 4];
    for c in 0..4 {
        let a = src.get::<S>(0, c);
        out[c] = if src.step.op == Op::Div {
            S::div(a, by)
        } else {
            S::select(S::eq(a, zero), zero, S::div(a, S::sqrt(by)))
        };
    }
    out
}

/// The sum of `N` products of a step's first two sources, in a block; `PLAIN`: of sources as
/// they are.
#[inline(always)]
fn dot<S: Simd, const N: usize, const PLAIN: bool>(
    rows: &[Rows],
    block: usize,
    family: Family,
    step: &Step,
) -> S::F {
    let mut sum = S::splat(0.0);
    for c in 0..N {
        let a = Taken::<S>::new(&step.src[0], c).get::<PLAIN>(rows, block);
        let b = Taken::<S>::new(&step.src[1], c).get::<PLAIN>(rows, block);
        let product = mul::<S>(family, a, b);
        sum = match c {
            0 => product,
            _ => add::<S>(family, sum, product),
        };
    }
    sum
}

/// A product. Curie's has another last bit; Rankine's is taken for the nearest.
#[inline(always)]
fn mul<S: Simd>(family: Family, a: S::F, b: S::F) -> S::F {
    if family == Family::Curie {
        curie::product::<S>(a, b)
    } else {
        S::mul(a, b)
    }
}

/// And a sum.
#[inline(always)]
fn add<S: Simd>(family: Family, a: S::F, b: S::F) -> S::F {
    if family == Family::Curie {
        curie::sum::<S>(a, b)
    } else {
        S::add(a, b)
    }
}

/// Longer functions of one number, and POW.
#[inline(always)]
fn scalar<S: Simd>(src: Sources<'_>) -> S::F {
    let x = src.get::<S>(0, 0);
    let one = S::splat(1.0);
    match src.step.op {
        Op::Rsq if src.family == Family::Curie => {
            S::div(one, S::sqrt(S::modify(x, 0x7fff_ffff, 0)))
        }
        Op::Rsq => S::div(one, S::sqrt(x)),
        Op::Pow => power::<S>(x, src.get::<S>(1, 0)),
        Op::Sin => math::fine_sin_turn::<S>(turns::<S>(x)),
        _ => math::fine_sin_turn::<S>(S::add(turns::<S>(x), S::splat(0.25))),
    }
}

/// An angle as a part of a turn, whole turns taken away: 2π in three parts, of which the first
/// two have so few bits that their multiples lose none.
#[inline(always)]
fn turns<S: Simd>(x: S::F) -> S::F {
    const PARTS: [f32; 3] = [6.281_25, 4058.0 / 2_097_152.0, 3.019_915_9e-7];
    let whole = S::round(S::mul(x, S::splat(1.0 / std::f32::consts::TAU)));
    let mut rest = x;
    for part in PARTS {
        rest = S::sub(rest, S::mul(whole, S::splat(part)));
    }
    S::mul(rest, S::splat(1.0 / std::f32::consts::TAU))
}

/// 2^x with the ends that [`math::exp2`] leaves out.
#[inline(always)]
fn power_of_two<S: Simd>(x: S::F) -> S::F {
    let r = math::exp2::<S>(x);
    let r = S::select(S::lt(x, S::splat(-126.0)), S::splat(0.0), r);
    S::select(S::le(S::splat(128.0), x), S::splat(f32::INFINITY), r)
}

/// x^y, by way of the logarithm: 0^0 is no number, the specification says.
#[inline(always)]
fn power<S: Simd>(x: S::F, y: S::F) -> S::F {
    power_of_two::<S>(S::mul(y, math::log2::<S>(x)))
}

/// Operations whose components differ.
#[inline(always)]
fn vector<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let [x, y, z, w] = [
        src.get::<S>(0, 0),
        src.get::<S>(0, 1),
        src.get::<S>(0, 2),
        src.get::<S>(0, 3),
    ];
    match src.step.op {
        Op::Dst => [one, S::mul(y, src.get::<S>(1, 1)), z, src.get::<S>(1, 3)],
        Op::Lit => {
            // What is no number stays so.
            let shine = power::<S>(S::max(zero, y), w);
            let shine = S::select(S::lt(zero, x), shine, zero);
            [one, S::max(zero, x), shine, one]
        }
        Op::LitEx2 => {
            let shine = power_of_two::<S>(w);
            [one, y, S::select(S::lt(zero, y), shine, zero), one]
        }
        // What w becomes is not known.
        Op::Nrm if src.step.coarse => {
            let squares = S::mul(x, x);
            let squares = S::add(squares, S::mul(y, y));
            let by = curie::coarse_root::<S>(S::add(squares, S::mul(z, z)));
            [S::mul(x, by), S::mul(y, by), S::mul(z, by), zero]
        }
        Op::Nrm => {
            let squares = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
            let by = S::sqrt(squares);
            [S::div(x, by), S::div(y, by), S::div(z, by), zero]
        }
        Op::Bem => {
            let [x, y] = bumped::<S>(src, [x, y]);
            [x, y, x, y]
        }
        // RFL: 2 (a·b / a·a) a - b.
        _ => {
            let ab = dot::<S, 3, false>(src.rows, src.block, src.family, src.step);
            let aa = S::add(S::add(S::mul(x, x), S::mul(y, y)), S::mul(z, z));
            let k = S::div(S::add(ab, ab), aa);
            [
                S::sub(S::mul(k, x), src.get::<S>(1, 0)),
                S::sub(S::mul(k, y), src.get::<S>(1, 1)),
                S::sub(S::mul(k, z), src.get::<S>(1, 2)),
                zero,
            ]
        }
    }
}

/// A place moved by a vector (source 1) through a 2x2 matrix (source 2), as Direct3D's `bem`.
#[inline(always)]
fn bumped<S: Simd>(src: Sources<'_>, [x, y]: [S::F; 2]) -> [S::F; 2] {
    let by = [src.get::<S>(1, 0), src.get::<S>(1, 1)];
    let moved = |at: S::F, row: usize| {
        let along = S::mul(by[0], src.get::<S>(2, 2 * row));
        S::add(
            S::add(at, along),
            S::mul(by[1], src.get::<S>(2, 2 * row + 1)),
        )
    };
    [moved(x, 0), moved(y, 1)]
}

/// Right pixel less left one, each row of a quad for itself.
#[inline(always)]
fn across<S: Simd>(x: S::F) -> S::F {
    let upper = S::sub(S::pick::<1>(x), S::pick::<0>(x));
    let lower = S::sub(S::pick::<3>(x), S::pick::<2>(x));
    S::select(S::mask(0x3333), upper, lower)
}

/// Lower pixel less upper one, each column for itself.
#[inline(always)]
fn down<S: Simd>(x: S::F) -> S::F {
    let left = S::sub(S::pick::<2>(x), S::pick::<0>(x));
    let right = S::sub(S::pick::<3>(x), S::pick::<1>(x));
    S::select(S::mask(0x5555), left, right)
}

/// Words of the four values in each lane, or the values of a word in the first.
#[inline(never)]
fn repack(op: Op, rows: &mut [Lane; 4]) {
    for i in 0..LANES {
        let v = [rows[0][i], rows[1][i], rows[2][i], rows[3][i]];
        let result = match op {
            Op::Pk2h | Op::Pk2us | Op::Pk4b | Op::Pk4ub | Op::Pk4ubg => {
                [f32::from_bits(pack::pack(op, v)); 4]
            }
            _ => pack::unpack(op, v[0].to_bits()),
        };
        for c in 0..4 {
            rows[c][i] = result[c];
        }
    }
}

#[inline(always)]
fn packed<S: Simd>(src: Sources<'_>) -> [S::F; 4] {
    let mut out = [[0.0; LANES]; 4];
    for c in 0..4 {
        S::store(src.get::<S>(0, c), &mut out[c]);
    }
    repack(src.step.op, &mut out);
    [
        S::load(&out[0]),
        S::load(&out[1]),
        S::load(&out[2]),
        S::load(&out[3]),
    ]
}

/// Coordinates divided by q. Where that is 1 everywhere, as most often, there is nothing to do.
#[inline(always)]
pub(super) fn divided<S: Simd, const N: usize>(coords: [S::F; N], q: S::F) -> [S::F; N] {
    let one = S::splat(1.0);
    let mut out = coords;
    if S::bits(S::eq(q, one)) != ALL {
        let by = S::div(one, q);
        for x in &mut out {
            *x = S::mul(*x, by);
        }
    }
    out
}

/// A texel, and the lanes that it kills.
#[inline(always)]
fn texture<S: Apart>(units: &Units, src: Sources<'_>, apart: bool) -> ([S::F; 4], u32) {
    let step = src.step;
    let mut coords = [
        src.get::<S>(0, 0),
        src.get::<S>(0, 1),
        src.get::<S>(0, 2),
        src.get::<S>(0, 3),
    ];
    let unit = &units[usize::from(step.unit & 15)];
    // Directions into a cube are not divided.
    let projects = matches!(step.op, Op::Txp | Op::TxpBem);
    if projects && !unit.as_ref().is_some_and(BoundUnit::is_cube) {
        let [s, t, r, q] = coords;
        let [s, t, r] = divided::<S, 3>([s, t, r], q);
        coords = [s, t, r, q];
    }
    if matches!(step.op, Op::TexBem | Op::TxpBem) {
        [coords[0], coords[1]] = bumped::<S>(src, [coords[0], coords[1]]);
    }
    let lookup = match step.op {
        Op::Txb => Lookup::Bias(src.get::<S>(1, 0)),
        Op::Txl => Lookup::Explicit(src.get::<S>(1, 0)),
        Op::Txd => Lookup::Gradients {
            dx: [src.get::<S>(1, 0), src.get::<S>(1, 1), src.get::<S>(1, 2)],
            dy: [src.get::<S>(2, 0), src.get::<S>(2, 1), src.get::<S>(2, 2)],
        },
        _ => match step.footprint {
            Some(row) if apart => {
                let row = &src.rows[row as usize].0;
                Lookup::Footprint(S::load(&row[src.block % BLOCKS]))
            }
            _ => Lookup::Implicit,
        },
    };
    // What a unit that is off returns is not known; black is a guess.
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let mut texel = [zero, zero, zero, one];
    let mut killed = 0;
    if let Some(unit) = unit {
        (texel, killed) = unit.sample::<S>(&coords, lookup);
    }
    if step.expand {
        for x in &mut texel {
            *x = S::sub(S::add(*x, *x), one);
        }
    }
    (texel, killed)
}
