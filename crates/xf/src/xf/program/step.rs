//! One instruction: read, compute in both units, write.

use super::super::arith::{Lanes, Rules};
use super::Plan;
use super::alu::{self, Source};
use super::machine::{Machine, OUTPUTS, POSITION_SHADOW, Row, TEMPS};
use super::run::{Env, UserRows};
use isotherm_regs::xf::isa::ops::{self, Form};
use isotherm_regs::xf::isa::{Cond, Dst, Inst, Isa, Mux, Src, Target, Unit};

/// The context memory, as far as a program may touch it.
pub trait Ctx {
    /// A row; zero beyond the memory.
    fn read(&self, row: i64) -> [u32; 4];
    /// Writes one component of a row, where the program may.
    fn write(&mut self, row: i64, component: usize, value: u32);
}

/// Simple programs only read.
impl Ctx for &[[u32; 4]] {
    #[inline(always)]
    fn read(&self, row: i64) -> [u32; 4] {
        usize::try_from(row)
            .ok()
            .and_then(|r| self.get(r))
            .copied()
            .unwrap_or_default()
    }

    fn write(&mut self, _: i64, _: usize, _: u32) {}
}

/// Programs with side effects write, too.
impl Ctx for &mut [[u32; 4]] {
    fn read(&self, row: i64) -> [u32; 4] {
        (&**self as &[[u32; 4]]).read(row)
    }

    fn write(&mut self, row: i64, component: usize, value: u32) {
        if let Some(r) = usize::try_from(row).ok().and_then(|r| self.get_mut(r)) {
            r[component] = value;
        }
    }
}

/// Lanes that take part, all ones or zero each.
pub(super) type Active<const N: usize> = [u32; N];

/// Output rows whose meaning is a single number. They take the x of the result,
/// whichever components the write mask names (Fog_coord_vec4: programs that write
/// `.yw` from a source swizzled `ywww` show the source's y). On Curie the other
/// components are user clip distances, so there x must be written.
pub(super) const FOG: u16 = 5;
pub(super) const POINT_SIZE: u16 = 6;

/// Whether an output row is such a number.
pub(super) fn is_number(row: u16) -> bool {
    matches!(row, FOG | POINT_SIZE)
}

/// Where a step finds its constants and makes what it cannot find.
pub(super) struct Operands<const N: usize> {
    /// Of straight code, the context row of each instruction, spread over the lanes.
    pub splats: Vec<Row<N>>,
    made: [Row<N>; 3],
}

impl<const N: usize> Operands<N> {
    /// Prepares for many batches of vertices.
    pub(super) fn new<C: Ctx>(plan: &Plan, env: &Env, ctx: &C, spread: bool) -> Self {
        let insts = if spread && !plan.flow {
            plan.insts
        } else {
            &[]
        };
        let splat = |inst| constant(env, ctx, inst).map(|x| [x; N]);
        Operands {
            splats: insts.iter().map(splat).collect(),
            made: [[[0; N]; 4]; 3],
        }
    }
}

/// Lanes of each component that take part; all of them if there is no telling.
type Pass<'p, const N: usize> = Option<&'p Row<N>>;

#[inline(always)]
fn passes_at<const N: usize>(pass: Pass<N>, c: usize, lane: usize) -> bool {
    pass.is_none_or(|p| p[c][lane] != 0)
}

/// Runs one instruction on the active lanes and moves their program counters.
///
/// Both units read before either writes (Vertex_shader_independence).
#[inline(always)]
pub(super) fn step<R: Rules, C: Ctx, const N: usize>(
    m: &mut Machine<N>,
    plan: &Plan,
    env: &Env,
    ctx: &mut C,
    at: usize,
    active: &Active<N>,
    operands: &mut Operands<N>,
) {
    let isa = plan.isa;
    let (inst, prep) = (&plan.insts[at], &plan.preps[at]);
    let splat = operands.splats.get(at);
    let nothing = [&m.fog; 4];
    let mut src = [nothing; 3];
    for (i, made) in operands.made.iter_mut().enumerate() {
        if prep.read >> i & 1 != 0 {
            src[i] = fetch(made, m, plan, env, ctx, inst, inst.src[i], splat);
        }
    }
    // No closures from here on: they would be compiled without the vector level.
    let mut vector = None;
    if inst.vec == ops::vec::TXL && isa == Isa::Curie {
        vector = Some(sample(env, inst, &src[0]));
    } else if prep.vec {
        vector = alu::vector::<R, N>(inst.vec, &src, prep.need);
    }
    let mut scalar = None;
    if prep.sca {
        scalar = alu::scalar::<R, N>(inst.sca, &src[2]);
    }
    let mut address = None;
    if prep.address {
        address = Some([*src[0][0], *src[0][1], *src[0][2], *src[0][3]]);
    }
    if inst.sat {
        if let Some(row) = &mut vector {
            alu::saturate(row);
        }
        if let Some(row) = &mut scalar {
            alu::saturate(row);
        }
    }
    let mut lanes = [*active; 4];
    let mut pass = None;
    if plan.flow {
        if let Some(cond) = inst.cond {
            for (lanes, passed) in lanes.iter_mut().zip(passes(m, inst, cond)) {
                for i in 0..N {
                    lanes[i] &= passed[i];
                }
            }
        }
        pass = Some(&lanes);
    }
    if let Some(src) = &address {
        write_address(m, isa, inst, src, pass);
    }
    if let Some(result) = &vector {
        write(m, isa, ctx, inst, inst.vec_dst, result, pass);
    }
    if let Some(result) = &scalar {
        write(m, isa, ctx, inst, inst.sca_dst, result, pass);
    }
    if plan.flow {
        let (updated, mask) = match inst.cc {
            Some(Unit::Vec) => (&vector, inst.vec_dst.mask | inst.vec_dst.out_mask),
            Some(Unit::Sca) => (&scalar, inst.sca_dst.mask | inst.sca_dst.out_mask),
            None => (&None, 0),
        };
        if let Some(result) = updated {
            update_condition(m, inst, result, mask, &lanes);
        }
        advance(m, plan, env, inst, active, &lanes);
    }
}

/// The context row that an instruction names without an index.
#[inline(always)]
fn constant<C: Ctx>(env: &Env, ctx: &C, inst: &Inst) -> [u32; 4] {
    let closed = |user: UserRows| inst.ctx < user.first && !user.viewport.contains(&inst.ctx);
    match env.user_rows {
        Some(user) if closed(user) => [0; 4],
        _ => ctx.read(i64::from(inst.ctx)),
    }
}

/// Reads a source, swizzled; what does not lie anywhere as it is gets `made`.
#[inline(always)]
#[expect(clippy::too_many_arguments)]
fn fetch<'s, C: Ctx, const N: usize>(
    made: &'s mut Row<N>,
    m: &'s Machine<N>,
    plan: &Plan,
    env: &Env,
    ctx: &C,
    inst: &Inst,
    src: Src,
    splat: Option<&'s Row<N>>,
) -> Source<'s, N> {
    let gathered;
    let row = match src.mux {
        Mux::Temp => {
            let reg = usize::from(src.reg);
            if plan.position_shadow && reg >= POSITION_SHADOW {
                &m.position
            } else {
                &m.temp[reg % TEMPS]
            }
        }
        Mux::Input if !inst.input_indexed => &m.input[usize::from(inst.input & 15)],
        Mux::Input => {
            gathered = gather(|lane| {
                let row = i32::from(inst.input).wrapping_add(index(m, inst, lane));
                match usize::try_from(row) {
                    Ok(row) if row < 16 => core::array::from_fn(|c| m.input[row][c][lane]),
                    _ => [0; 4],
                }
            });
            return swizzled(made, &gathered, src);
        }
        Mux::Ctx if !inst.ctx_indexed => match splat {
            Some(row) => row,
            None => {
                let row = constant(env, ctx, inst);
                for (to, c) in made.iter_mut().zip(src.swz) {
                    *to = [modified(row[usize::from(c & 3)], src); N];
                }
                return [&made[0], &made[1], &made[2], &made[3]];
            }
        },
        Mux::Ctx => {
            gathered = gather(|lane| {
                let row = i64::from(inst.ctx) + i64::from(index(m, inst, lane));
                match env.user_rows {
                    Some(user) if row < i64::from(user.first) => [0; 4],
                    _ => ctx.read(row),
                }
            });
            return swizzled(made, &gathered, src);
        }
    };
    if src.abs || src.neg {
        return swizzled(made, row, src);
    }
    let mut refs = [&row[0]; 4];
    for (to, c) in refs.iter_mut().zip(src.swz) {
        *to = &row[usize::from(c & 3)];
    }
    refs
}

/// A copy with swizzle and modifiers.
#[inline(always)]
fn swizzled<'s, const N: usize>(made: &'s mut Row<N>, row: &Row<N>, src: Src) -> Source<'s, N> {
    for (to, c) in made.iter_mut().zip(src.swz) {
        let from = &row[usize::from(c & 3)];
        for i in 0..N {
            to[i] = modified(from[i], src);
        }
    }
    [&made[0], &made[1], &made[2], &made[3]]
}

/// Absolute value, then sign.
#[inline(always)]
fn modified(x: u32, src: Src) -> u32 {
    let keep = if src.abs { 0x7fff_ffff } else { u32::MAX };
    x & keep ^ u32::from(src.neg) << 31
}

fn gather<const N: usize>(f: impl Fn(usize) -> [u32; 4]) -> Row<N> {
    let values: [[u32; 4]; N] = core::array::from_fn(f);
    core::array::from_fn(|c| values.map(|v| v[c]))
}

/// The address register component that the instruction indexes with.
fn index<const N: usize>(m: &Machine<N>, inst: &Inst, lane: usize) -> i32 {
    m.addr[usize::from(inst.addr_reg & 1)][usize::from(inst.addr_comp & 3)][lane]
}

fn sample<const N: usize>(env: &Env, inst: &Inst, coord: &Source<N>) -> Row<N> {
    gather(|lane| match env.textures {
        Some(textures) => {
            textures.sample(inst.texture & 3, core::array::from_fn(|c| coord[c][lane]))
        }
        None => [0; 4],
    })
}

/// Per component, the lanes whose condition holds.
fn passes<const N: usize>(m: &Machine<N>, inst: &Inst, cond: Cond) -> Row<N> {
    let reg = &m.cc[usize::from(inst.cc_reg & 1)];
    // A NaN is not equal, and "true" takes it, too; no other test does.
    let test = u32::from(cond.test & 7);
    let test = if test & 5 == 5 {
        test | UNORDERED
    } else {
        test
    };
    cond.swz.map(|c| {
        let mut lanes = [0; N];
        for (to, &code) in lanes.iter_mut().zip(&reg[usize::from(c & 3)]) {
            *to = if code & test != 0 { u32::MAX } else { 0 };
        }
        lanes
    })
}

fn update_condition<const N: usize>(
    m: &mut Machine<N>,
    inst: &Inst,
    result: &Row<N>,
    mask: u8,
    pass: &Row<N>,
) {
    for c in 0..4 {
        if mask >> (3 - c) & 1 == 0 {
            continue;
        }
        let codes = &mut m.cc[usize::from(inst.cc_reg & 1)][c];
        for i in 0..N {
            if pass[c][i] != 0 {
                codes[i] = condition_code(result[c][i]);
            }
        }
    }
}

/// How a result compares with zero: less 1, equal 2, greater 4, unordered 8.
fn condition_code(x: u32) -> u32 {
    let magnitude = x & 0x7fff_ffff;
    match (
        magnitude > super::super::arith::INF,
        magnitude < 0x0080_0000,
        x >> 31 != 0,
    ) {
        (true, ..) => UNORDERED,
        (_, true, _) => 2,
        (_, _, true) => 1,
        _ => 4,
    }
}

const UNORDERED: u32 = 8;

#[inline(always)]
fn blend<const N: usize>(to: &mut Lanes<N>, from: &Row<N>, pass: Pass<N>, c: usize) {
    match pass {
        None => *to = from[c],
        Some(pass) => {
            for i in 0..N {
                to[i] = to[i] & !pass[c][i] | from[c][i] & pass[c][i];
            }
        }
    }
}

/// Writes the masked components in the lanes that pass.
#[inline(always)]
fn put<const N: usize>(to: &mut Row<N>, from: &Row<N>, mask: u8, pass: Pass<N>) {
    for c in 0..4 {
        if mask >> (3 - c) & 1 != 0 {
            blend(&mut to[c], from, pass, c);
        }
    }
}

#[inline(always)]
fn write<C: Ctx, const N: usize>(
    m: &mut Machine<N>,
    isa: Isa,
    ctx: &mut C,
    inst: &Inst,
    dst: Dst,
    result: &Row<N>,
    pass: Pass<N>,
) {
    // Numbers beyond the register file write nothing.
    if let Some(reg) = dst.temp.map(usize::from).filter(|&r| r < isa.temps()) {
        put(&mut m.temp[reg], result, dst.mask, pass);
    }
    if dst.out_mask == 0 {
        return;
    }
    match inst.out.target {
        Target::Ctx => {
            for c in (0..4).filter(|c| dst.out_mask >> (3 - c) & 1 != 0) {
                for lane in 0..N {
                    if passes_at(pass, c, lane) {
                        ctx.write(i64::from(inst.out.addr), c, result[c][lane]);
                    }
                }
            }
        }
        Target::Output if inst.out.indexed => scatter(m, inst, dst, result, pass),
        Target::Output => {
            let row = usize::from(inst.out.addr);
            if row >= OUTPUTS {
                return;
            }
            put(&mut m.out[row], result, dst.out_mask, pass);
            if row == 0 {
                put(&mut m.position, result, dst.out_mask, pass);
            }
            let number = match inst.out.addr {
                FOG => &mut m.fog,
                POINT_SIZE => &mut m.point_size,
                _ => return,
            };
            if isa == Isa::Curie && dst.out_mask & 8 == 0 {
                return;
            }
            blend(number, result, pass, 0);
        }
    }
}

/// An output whose row differs from lane to lane.
fn scatter<const N: usize>(
    m: &mut Machine<N>,
    inst: &Inst,
    dst: Dst,
    result: &Row<N>,
    pass: Pass<N>,
) {
    for lane in 0..N {
        let row = i32::from(inst.out.addr).wrapping_add(index(m, inst, lane));
        let Ok(row) = usize::try_from(row) else {
            continue;
        };
        if row >= OUTPUTS {
            continue;
        }
        for c in (0..4).filter(|c| dst.out_mask >> (3 - c) & 1 != 0) {
            if passes_at(pass, c, lane) {
                m.out[row][c][lane] = result[c][lane];
                if c == 0 && row == usize::from(FOG) {
                    m.fog[lane] = result[0][lane];
                } else if c == 0 && row == usize::from(POINT_SIZE) {
                    m.point_size[lane] = result[0][lane];
                }
            }
        }
    }
}

/// Address registers are narrow signed numbers: 9 bits on Kelvin, 10 later.
/// Values beyond saturate (as `NV_vertex_program2` asks; Kelvin cannot tell, every
/// context row is in reach).
fn address_range(isa: Isa) -> (i32, i32) {
    match isa {
        Isa::Kelvin => (-256, 255),
        Isa::Rankine | Isa::Curie => (-512, 511),
    }
}

fn write_address<const N: usize>(
    m: &mut Machine<N>,
    isa: Isa,
    inst: &Inst,
    src: &Row<N>,
    pass: Pass<N>,
) {
    let Some(reg) = inst.vec_dst.temp.map(usize::from).filter(|&r| r < 2) else {
        return;
    };
    let (low, high) = address_range(isa);
    let before = m.addr[usize::from(inst.addr_reg & 1)];
    for c in (0..4).filter(|c| inst.vec_dst.mask >> (3 - c) & 1 != 0) {
        for lane in 0..N {
            if !passes_at(pass, c, lane) {
                continue;
            }
            let value = match inst.vec {
                ops::vec::ARR => alu::round_to_int(src[c][lane]),
                // ARA adds the components in pairs: x + z and y + w.
                ops::vec::ARA => before[c][lane] + before[c ^ 2][lane],
                _ => alu::floor_to_int(src[c][lane]),
            };
            m.addr[reg][c][lane] = value.clamp(low, high);
        }
    }
}

/// Moves the program counters of the active lanes.
fn advance<const N: usize>(
    m: &mut Machine<N>,
    plan: &Plan,
    env: &Env,
    inst: &Inst,
    active: &Active<N>,
    pass: &Row<N>,
) {
    let stop = plan.insts.len();
    let form = inst.sca_op(plan.isa).form;
    for lane in (0..N).filter(|&l| active[l] != 0) {
        let next = m.pc[lane] + 1;
        // A condition with four answers: one that holds is enough.
        let mut taken = inst.cond.is_none() || pass.iter().any(|p| p[lane] != 0);
        if form == Form::BranchBit {
            let (bit, wanted) = inst.branch_bit;
            taken &= (env.branch_bits >> (bit & 31) & 1 != 0) == wanted;
        }
        let target = match form {
            Form::BranchIndexed => {
                let entry = i32::from(inst.branch).wrapping_add(index(m, inst, lane));
                usize::try_from(entry)
                    .ok()
                    .and_then(|e| env.branch_table.get(e))
                    .map_or(stop, |&t| usize::from(t))
            }
            _ => usize::from(inst.branch),
        };
        m.pc[lane] = match inst.sca {
            _ if plan.isa == Isa::Kelvin => next,
            ops::sca::BRA | ops::sca::BRX | ops::sca::BRB if taken => target,
            ops::sca::CAL | ops::sca::CLX | ops::sca::CLB if taken => {
                // A full stack ends the program.
                if m.push(lane, [next as i32, 0, 0, 0]) {
                    target
                } else {
                    stop
                }
            }
            // Returning from nowhere ends the program.
            ops::sca::RET if taken => m.pop(lane).map_or(stop, |v| v[0].max(0) as usize),
            ops::sca::PUSHA if taken => {
                let value =
                    core::array::from_fn(|c| m.addr[usize::from(inst.addr_reg & 1)][c][lane]);
                if m.push(lane, value) { next } else { stop }
            }
            ops::sca::POPA if taken => match m.pop(lane) {
                Some(value) => {
                    for (c, v) in value.into_iter().enumerate() {
                        m.addr[usize::from(inst.addr_reg & 1)][c][lane] = v;
                    }
                    next
                }
                None => stop,
            },
            _ => next,
        };
        m.lane_count[lane] += 1;
        if inst.end || m.pc[lane] > stop || m.lane_count[lane] >= env.timeout {
            m.pc[lane] = stop;
        }
    }
}
