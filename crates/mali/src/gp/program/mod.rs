//! Prepared vertex programs, run on lanes of vertices.
//!
//! All arithmetic is in single precision. How the complex unit's functions are
//! refined between `complex2` and `complex1` is not known; here the complex unit
//! gives the rounded function and `complex1` passes it on (a guess that only
//! silicon could settle; drivers use the three together only).

mod flat;

use flat::Flat;
use isotherm_lanes::dispatch;
use isotherm_lanes::{LANES, Lane, Simd};
use isotherm_regs::mali::isa_gp::{self as isa, Unit, complex_op, mul_op, pass_op, src};

/// vec4 attributes, varyings and registers that an instruction can name.
pub const NAMES: usize = 16;
/// vec4s that the load unit can address.
const LOADS: usize = 512;
/// Instructions a vertex may run before it counts as hung; the longest
/// program has 512.
const MAX_STEPS: usize = 1 << 16;

/// A prepared program.
pub struct Program {
    instrs: Vec<Instr>,
    stores_temporaries: bool,
    /// The same as a list of operations, for programs that allow it.
    flat: Option<Flat>,
}

#[derive(Clone, Copy)]
struct Instr {
    acc: [(u8, u8, f32, f32); 2],
    acc_op: u8,
    mul: [(u8, u8, f32); 2],
    mul_op: u8,
    complex: (u8, u8),
    pass: (u8, u8),
    load: (u16, u8),
    reg0: (u8, bool),
    reg1: u8,
    /// Where x, y, z, w go.
    store: [u8; 4],
    store_to: [Store; 2],
    branch: Option<u16>,
}

#[derive(Clone, Copy, PartialEq)]
enum Store {
    None,
    Register(u8),
    Varying(u8),
    Temporary,
}

impl Program {
    /// Decodes a program.
    pub fn new(words: &[u32]) -> Program {
        let code = isa::decode_program(words);
        let instrs: Vec<Instr> = code.iter().map(|&raw| Instr::new(raw)).collect();
        let stores_temporaries = instrs
            .iter()
            .any(|i| i.store_to.contains(&Store::Temporary));
        Program {
            flat: Flat::new(&instrs).filter(|_| !isotherm_lanes::step_by_step()),
            instrs,
            stores_temporaries,
        }
    }

    /// Whether it runs as a list of operations.
    pub fn is_flat(&self) -> bool {
        self.flat.is_some()
    }
}

impl Instr {
    fn new(raw: u128) -> Instr {
        let n = |b: isotherm_regs::mali::isa_bits::Bits| b.get(raw) as u8;
        let sign = |b: isotherm_regs::mali::isa_bits::Bits| if b.on(raw) { -1.0 } else { 1.0 };
        let store = [
            n(isa::STORE0_SRC_X),
            n(isa::STORE0_SRC_Y),
            n(isa::STORE1_SRC_Z),
            n(isa::STORE1_SRC_W),
        ];
        let place = |srcs: &[u8], temporary: bool, varying: bool, addr: u8| {
            if srcs.iter().all(|&s| u32::from(s) == isa::STORE_NONE) {
                Store::None
            } else if temporary {
                Store::Temporary
            } else if varying {
                Store::Varying(addr)
            } else {
                Store::Register(addr)
            }
        };
        Instr {
            acc: [
                (
                    n(isa::ACC0_SRC0),
                    n(isa::ACC0_SRC1),
                    sign(isa::ACC0_SRC0_NEG),
                    sign(isa::ACC0_SRC1_NEG),
                ),
                (
                    n(isa::ACC1_SRC0),
                    n(isa::ACC1_SRC1),
                    sign(isa::ACC1_SRC0_NEG),
                    sign(isa::ACC1_SRC1_NEG),
                ),
            ],
            acc_op: n(isa::ACC_OP),
            mul: [
                (n(isa::MUL0_SRC0), n(isa::MUL0_SRC1), sign(isa::MUL0_NEG)),
                (n(isa::MUL1_SRC0), n(isa::MUL1_SRC1), sign(isa::MUL1_NEG)),
            ],
            mul_op: n(isa::MUL_OP),
            complex: (n(isa::COMPLEX_OP), n(isa::COMPLEX_SRC)),
            pass: (n(isa::PASS_OP), n(isa::PASS_SRC)),
            load: (isa::LOAD_ADDR.get(raw) as u16, n(isa::LOAD_OFFSET)),
            reg0: (n(isa::REGISTER0_ADDR), isa::REGISTER0_ATTRIBUTE.on(raw)),
            reg1: n(isa::REGISTER1_ADDR),
            store,
            store_to: [
                place(
                    &store[..2],
                    isa::STORE0_TEMPORARY.on(raw),
                    isa::STORE0_VARYING.on(raw),
                    n(isa::STORE0_ADDR),
                ),
                place(
                    &store[2..],
                    isa::STORE1_TEMPORARY.on(raw),
                    isa::STORE1_VARYING.on(raw),
                    n(isa::STORE1_ADDR),
                ),
            ],
            branch: isa::BRANCH.on(raw).then(|| isa::branch_target(raw) as u16),
        }
    }
}

/// vec4s of a group: attributes, varyings, registers, and what `flat` keeps behind them.
pub type Rows = [[Lane; 4]; flat::ROWS];
/// Where varyings and registers begin.
pub const VARYINGS: usize = NAMES;
pub const REGISTERS: usize = 2 * NAMES;

/// What a group of vertices reads and writes.
#[repr(C, align(64))]
pub struct Vertices {
    pub rows: Rows,
    temporaries: Vec<[Lane; 4]>,
    /// Results of the units: now, one and two instructions ago.
    units: [[Lane; 6]; 3],
    port0: [[Lane; 4]; 2],
    addresses: [[u16; LANES]; 4],
}

impl Vertices {
    pub fn new() -> Box<Vertices> {
        Box::new(Vertices {
            rows: [[[0.0; LANES]; 4]; flat::ROWS],
            temporaries: Vec::new(),
            units: [[[0.0; LANES]; 6]; 3],
            port0: [[[0.0; LANES]; 4]; 2],
            addresses: [[0; LANES]; 4],
        })
    }

    /// The attributes, to be filled.
    pub fn attributes(&mut self) -> &mut [[Lane; 4]] {
        &mut self.rows[..NAMES]
    }

    /// A varying that the program has stored.
    pub fn varying(&self, n: usize) -> &[Lane; 4] {
        &self.rows[VARYINGS + n % NAMES]
    }
}

/// A draw's uniforms: vec4s, and what of them `flat` wants in all lanes.
pub struct Uniforms {
    pub all: Vec<[f32; 4]>,
    spread: Vec<Lane>,
}

impl Uniforms {
    pub fn new(program: &Program, all: Vec<[f32; 4]>) -> Uniforms {
        let value = |&at: &u16| {
            let vector = all.get(at as usize / 4);
            [vector.map_or(0.0, |v| v[at as usize % 4]); LANES]
        };
        let spread = program.flat.iter().flat_map(Flat::loads).map(value);
        Uniforms {
            spread: spread.collect(),
            all,
        }
    }
}

/// A program did not end.
#[derive(Debug)]
pub struct Hung;

dispatch! {
    /// Runs the program on all lanes of some groups; how many instructions that took.
    pub fn run(program: &Program, uniforms: &Uniforms, groups: &mut [Box<Vertices>]) -> Result<usize, Hung> = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<S: Simd>(
    program: &Program,
    uniforms: &Uniforms,
    groups: &mut [Box<Vertices>],
) -> Result<usize, Hung> {
    if let Some(flat) = &program.flat {
        flat.run::<S>(&uniforms.spread, groups);
        return Ok(program.instrs.len() * groups.len());
    }
    let mut steps = 0;
    for v in groups {
        steps += walk(program, &uniforms.all, v)?;
    }
    Ok(steps)
}

/// Any program, instruction by instruction.
#[inline(never)]
pub fn walk(program: &Program, uniforms: &[[f32; 4]], v: &mut Vertices) -> Result<usize, Hung> {
    walk_seen(program, uniforms, v, |_, _| {})
}

/// The same; somebody sees the vertices after each instruction, whose number is given.
#[inline(always)]
pub fn walk_seen(
    program: &Program,
    uniforms: &[[f32; 4]],
    v: &mut Vertices,
    mut see: impl FnMut(usize, &Vertices),
) -> Result<usize, Hung> {
    // A group knows nothing of the one before it.
    v.rows[VARYINGS..].fill([[0.0; LANES]; 4]);
    v.units = [[[0.0; LANES]; 6]; 3];
    v.port0 = [[[0.0; LANES]; 4]; 2];
    v.addresses = [[0; LANES]; 4];
    if program.stores_temporaries {
        // Temporaries and uniforms share one memory.
        v.temporaries.clear();
        v.temporaries.resize(LOADS, [[0.0; LANES]; 4]);
        for (t, u) in v.temporaries.iter_mut().zip(uniforms) {
            *t = u.map(|x| [x; LANES]);
        }
    }
    // Without branches all lanes walk together; with them each lane has its place and the
    // lowest place runs first, so that lanes meet again.
    let mut place = [0u16; LANES];
    let mut steps = 0;
    let end = program.instrs.len() as u16;
    loop {
        let pc = place.iter().copied().min().unwrap_or(end);
        if pc >= end {
            return Ok(steps);
        }
        steps += 1;
        if steps > MAX_STEPS {
            return Err(Hung);
        }
        let here: [bool; LANES] = std::array::from_fn(|i| place[i] == pc);
        let all = here.iter().all(|&h| h);
        step(
            program,
            &program.instrs[pc as usize],
            uniforms,
            v,
            (!all).then_some(&here),
        );
        see(pc.into(), v);
        for i in 0..LANES {
            if here[i] {
                place[i] = pc + 1;
            }
        }
        if let Some(target) = program.instrs[pc as usize].branch {
            let cond = v.units[1][Unit::Pass as usize];
            for i in 0..LANES {
                if here[i] && cond[i] != 0.0 {
                    place[i] = target;
                }
            }
        }
    }
}

/// One instruction, for the lanes `only` or for all.
fn step(
    program: &Program,
    instr: &Instr,
    uniforms: &[[f32; 4]],
    v: &mut Vertices,
    only: Option<&[bool; LANES]>,
) {
    let load = load_unit(program, instr, uniforms, v);
    let bank = if instr.reg0.1 { 0 } else { REGISTERS };
    let port0 = v.rows[bank + instr.reg0.0 as usize];
    let out = units(instr, v, &port0, &load);
    stores(instr, v, &out, only);
    if u32::from(op_of(instr)) >= complex_op::TEMP_STORE_ADDR {
        let which = (u32::from(op_of(instr)) - complex_op::TEMP_STORE_ADDR) as usize;
        for i in 0..LANES {
            if only.is_none_or(|here| here[i]) {
                v.addresses[which][i] = out[Unit::Complex as usize][i].clamp(0.0, 511.0) as u16;
            }
        }
    }
    for unit in 0..6 {
        let before = v.units[1][unit];
        set(&mut v.units[2][unit], &before, only);
        set(&mut v.units[1][unit], &out[unit], only);
    }
    for c in 0..4 {
        set(&mut v.port0[1][c], &port0[c], only);
    }
}

/// Copies the lanes `only` or all.
fn set(to: &mut Lane, from: &Lane, only: Option<&[bool; LANES]>) {
    for i in 0..LANES {
        if only.is_none_or(|here| here[i]) {
            to[i] = from[i];
        }
    }
}

/// What the six units compute.
fn units(instr: &Instr, v: &Vertices, port0: &[Lane; 4], load: &[Lane; 4]) -> [Lane; 6] {
    let port1 = &v.rows[REGISTERS + instr.reg1 as usize];
    let zero = [0.0; LANES];
    // Units 1 are the results of the instruction before, units 2 of the one before that.
    let source = |n: u8, identity: Option<f32>| -> Lane {
        match u32::from(n) {
            c @ 0..=3 => port0[c as usize],
            c @ 4..=7 => port1[c as usize - 4],
            c @ 12..=15 => load[c as usize - 12],
            c @ 16..=19 => v.units[1][c as usize - 16],
            src::P1_PASS => v.units[1][Unit::Pass as usize],
            src::P1_COMPLEX => match identity {
                Some(x) => [x; LANES],
                None => v.units[1][Unit::Complex as usize],
            },
            src::P2_PASS => v.units[2][Unit::Pass as usize],
            c @ 24..=27 => v.units[2][c as usize - 24],
            c @ 28..=31 => v.port0[1][c as usize - 28],
            _ => zero,
        }
    };
    let mut out = [zero; 6];
    for (unit, &(a, b, na, nb)) in instr.acc.iter().enumerate() {
        if u32::from(a) == src::UNUSED {
            continue;
        }
        let (a, b) = (source(a, None), source(b, Some(0.0)));
        out[unit] = acc(instr.acc_op, a.map(|x| x * na), b.map(|x| x * nb));
    }
    let [(a, b, n0), (c, d, n1)] = instr.mul;
    let product = |a: u8, b: u8, neg: f32| -> Lane {
        if u32::from(a) == src::UNUSED || u32::from(b) == src::UNUSED {
            return zero;
        }
        let (a, b) = (source(a, None), source(b, Some(1.0)));
        std::array::from_fn(|i| a[i] * b[i] * neg)
    };
    let (mul0, mul1) = (Unit::Mul0 as usize, Unit::Mul1 as usize);
    match u32::from(instr.mul_op) {
        mul_op::COMPLEX1 => out[mul0] = source(a, None),
        mul_op::COMPLEX2 => (out[mul0], out[mul1]) = (source(a, None), product(c, d, n1)),
        mul_op::SELECT => {
            let (no, cond, yes) = (source(a, None), source(b, Some(1.0)), source(c, None));
            out[mul0] = std::array::from_fn(|i| if cond[i] != 0.0 { yes[i] } else { no[i] });
        }
        _ => (out[mul0], out[mul1]) = (product(a, b, n0), product(c, d, n1)),
    }
    let (op, s) = instr.complex;
    if u32::from(s) != src::UNUSED && u32::from(op) != complex_op::NOP {
        out[Unit::Complex as usize] = complex(op, source(s, None));
    }
    let (op, s) = instr.pass;
    if u32::from(s) != src::UNUSED {
        let x = source(s, None);
        out[Unit::Pass as usize] = match u32::from(op) {
            pass_op::CLAMP => std::array::from_fn(|i| least(most(x[i], load[0][i]), load[1][i])),
            _ => x,
        };
    }
    out
}

/// Results that go to registers, varyings and temporaries.
fn stores(instr: &Instr, v: &mut Vertices, out: &[Lane; 6], only: Option<&[bool; LANES]>) {
    for c in 0..4 {
        let unit = match u32::from(instr.store[c]) {
            isa::STORE_NONE | 5 => continue,
            6 => Unit::Complex as usize,
            n => n as usize,
        };
        match instr.store_to[c / 2] {
            Store::None => {}
            Store::Register(r) => set(&mut v.rows[REGISTERS + r as usize][c], &out[unit], only),
            Store::Varying(r) => set(&mut v.rows[VARYINGS + r as usize][c], &out[unit], only),
            Store::Temporary => {
                for i in 0..LANES {
                    let at = v.addresses[0][i] as usize;
                    if only.is_none_or(|here| here[i])
                        && let Some(t) = v.temporaries.get_mut(at)
                    {
                        t[c][i] = out[unit][i];
                    }
                }
            }
        }
    }
}

fn op_of(instr: &Instr) -> u8 {
    if u32::from(instr.complex.1) == src::UNUSED {
        0
    } else {
        instr.complex.0
    }
}

fn load_unit(program: &Program, instr: &Instr, uniforms: &[[f32; 4]], v: &Vertices) -> [Lane; 4] {
    let (addr, offset) = (instr.load.0 as usize, instr.load.1);
    let fetch = |at: usize, lane: usize| -> [f32; 4] {
        if program.stores_temporaries {
            v.temporaries
                .get(at)
                .map_or([0.0; 4], |t| t.map(|c| c[lane]))
        } else {
            uniforms.get(at).copied().unwrap_or([0.0; 4])
        }
    };
    if !program.stores_temporaries && !(1..=3).contains(&offset) {
        return fetch(addr, 0).map(|x| [x; LANES]);
    }
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let extra = if (1..=3).contains(&offset) {
            v.addresses[offset as usize][lane]
        } else {
            0
        };
        let value = fetch(addr + extra as usize, lane);
        for c in 0..4 {
            out[c][lane] = value[c];
        }
    }
    out
}

/// The smaller, of equals the second; if one of the two is not a number, the other.
#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b || b.is_nan() { a } else { b }
}

/// The larger, of equals the second; if one of the two is not a number, the other.
#[inline(always)]
fn most(a: f32, b: f32) -> f32 {
    if a > b || b.is_nan() { a } else { b }
}

fn acc(op: u8, a: Lane, b: Lane) -> Lane {
    let each = |f: fn(f32, f32) -> f32| std::array::from_fn(|i| f(a[i], b[i]));
    match op {
        1 => each(|a, _| a.floor()),
        2 => each(|a, _| {
            if a > 0.0 {
                1.0
            } else if a < 0.0 {
                -1.0
            } else {
                0.0
            }
        }),
        4 => each(|a, b| f32::from(u8::from(a >= b))),
        5 => each(|a, b| f32::from(u8::from(a < b))),
        6 => each(least),
        7 => each(most),
        _ => each(|a, b| a + b),
    }
}

fn complex(op: u8, x: Lane) -> Lane {
    match u32::from(op) {
        complex_op::EXP2 => x.map(f32::exp2),
        complex_op::LOG2 => x.map(f32::log2),
        complex_op::RSQRT => x.map(|x| 1.0 / x.abs().sqrt()),
        complex_op::RCP => x.map(|x| 1.0 / x),
        _ => x,
    }
}
