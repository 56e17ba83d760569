//! Vertex programs without branches and indexed memory as a list of operations on lanes,
//! with their sources found beforehand: units hand on results through a ring of three
//! instructions, uniforms stand in all lanes.
//!
//! The result is that of [`super::walk`] bit by bit, which a test shows.

use super::{Instr, NAMES, REGISTERS, Store, VARYINGS, Vertices};
use isotherm_lanes::{LANES, Lane, Simd};
use isotherm_regs::mali::isa_gp::{self as isa, Unit, complex_op, mul_op, pass_op, src};

/// Results of three instructions, six units each, behind the registers.
const UNITS: u16 = (3 * NAMES * 4) as u16;
/// Always 0.
const ZERO: u16 = UNITS + 18;
/// Always 1.
const ONE: u16 = ZERO + 1;
/// Number of vec4s: attributes, varyings, registers and the above.
pub const ROWS: usize = 3 * NAMES + 5;
/// From here on sources are uniforms.
const UNIFORM: u16 = 0x8000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum VertexCode {
    Mov,
    Add,
    Floor,
    Sign,
    Ge,
    Lt,
    Min,
    Max,
    Mul,
    /// Third source where the second is not zero, else the first.
    Select,
    /// Between the second and the third source.
    Clamp,
    Exp2,
    Log2,
    Rsqrt,
    Rcp,
}

/// An operation: up to three sources, the first two with bits to flip, or the result with
/// those of the first (products).
#[derive(Clone, Copy, Debug)]
struct VertexOp {
    code: VertexCode,
    to: u16,
    from: [u16; 3],
    flip: [u32; 2],
}

/// A program as operations.
pub(super) struct Flat {
    ops: Vec<VertexOp>,
    /// Uniform components that it reads.
    loads: Vec<u16>,
    /// Lanes that start from zero.
    clear: Vec<u16>,
}

const NEGATIVE: u32 = 0x8000_0000;

fn flip(sign: f32) -> u32 {
    if sign < 0.0 { NEGATIVE } else { 0 }
}

/// Whether an instruction reads the first port as the one before it did.
fn reads_old_port(i: &Instr) -> bool {
    let [(a, b, ..), (c, d, ..)] = i.acc;
    let [(e, f, _), (g, h, _)] = i.mul;
    let sources = [a, b, c, d, e, f, g, h, i.complex.1, i.pass.1];
    sources.iter().any(|s| (28..=31).contains(s))
}

struct Builder<'a> {
    instrs: &'a [Instr],
    flat: Flat,
    /// Which units of the last three instructions have a result.
    computed: [[bool; 6]; 3],
}

impl Flat {
    /// The program, if it has neither branches nor indexed memory.
    pub(super) fn new(instrs: &[Instr]) -> Option<Flat> {
        let plain = |i: &Instr| {
            let addresses = u32::from(i.complex.0) >= complex_op::TEMP_STORE_ADDR
                && u32::from(i.complex.1) != src::UNUSED;
            i.branch.is_none()
                && !i.store_to.contains(&Store::Temporary)
                && !(1..=3).contains(&i.load.1)
                && !addresses
        };
        // A port's old value is gone when its register was stored to meanwhile.
        let lost = |pair: &[Instr]| {
            let (before, now) = (&pair[0], &pair[1]);
            let stored = |s: &Store| matches!(s, Store::Register(r) if *r == before.reg0.0);
            !before.reg0.1 && before.store_to.iter().any(stored) && reads_old_port(now)
        };
        if !instrs.iter().all(plain) || instrs.windows(2).any(lost) {
            return None;
        }
        let mut b = Builder {
            instrs,
            flat: Flat {
                ops: Vec::new(),
                loads: Vec::new(),
                clear: Vec::new(),
            },
            computed: [[false; 6]; 3],
        };
        (0..instrs.len()).for_each(|i| b.instruction(i));
        b.flat.forward_copies();
        b.flat.retarget();
        b.flat.drop_dead();
        b.flat.note_clear();
        Some(b.flat)
    }

    /// Readers of a copy read what it was copied from: values go through several units before
    /// they come to where they are needed.
    fn forward_copies(&mut self) {
        let mut source: Vec<u16> = (0..(ROWS * 4) as u16).collect();
        for op in &mut self.ops {
            if op.code == VertexCode::Mul && op.flip[0] == 0 && op.from[1] == ONE {
                *op = VertexOp {
                    code: VertexCode::Mov,
                    from: [op.from[0], ZERO, ZERO],
                    ..*op
                };
            }
            for from in op.from.iter_mut().filter(|from| **from < UNIFORM) {
                *from = source[*from as usize];
            }
            // Who was a copy of what is overwritten now is the last to have it.
            for (at, from) in (0..).zip(&mut source) {
                if *from == op.to {
                    *from = at;
                }
            }
            source[op.to as usize] = match op.code {
                VertexCode::Mov => op.from[0],
                _ => op.to,
            };
        }
    }

    /// A result that is copied is written to where the copy goes, and read there.
    fn retarget(&mut self) {
        let mut i = 0;
        while i < self.ops.len() {
            if self.ops[i].code == VertexCode::Mov && self.moves(i) {
                self.ops.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Makes copy `i` needless, if that is possible.
    fn moves(&mut self, i: usize) -> bool {
        let (from, to) = (self.ops[i].from[0], self.ops[i].to);
        if from == to {
            return true;
        }
        // Somebody looks at varyings when the program has ended, and attributes and constants
        // are nobody's results.
        if !(REGISTERS as u16 * 4..ZERO).contains(&from) {
            return false;
        }
        let Some(made) = self.ops[..i].iter().rposition(|op| op.to == from) else {
            return false;
        };
        let touches = |op: &VertexOp| op.to == to || op.from.contains(&to);
        if self.ops[made + 1..i].iter().any(touches) {
            return false;
        }
        let rest = &self.ops[i + 1..];
        let end = rest.iter().position(|op| op.to == from);
        // The operation that overwrites it may still read it.
        let end = end.map_or(rest.len(), |at| at + 1);
        let last = rest[..end].iter().rposition(|op| op.from.contains(&from));
        let taken = rest.iter().position(|op| op.to == to);
        if last.zip(taken).is_some_and(|(last, taken)| taken < last) {
            return false;
        }
        self.ops[made].to = to;
        for op in &mut self.ops[made + 1..i + 1 + end] {
            for source in op.from.iter_mut().filter(|source| **source == from) {
                *source = to;
            }
        }
        true
    }

    /// Leaves out what nobody reads: varyings alone are looked at when the program has ended.
    fn drop_dead(&mut self) {
        let mut live = vec![false; ROWS * 4];
        live[VARYINGS * 4..REGISTERS * 4].fill(true);
        let mut keep = vec![false; self.ops.len()];
        for (op, keep) in self.ops.iter().zip(&mut keep).rev() {
            *keep = std::mem::take(&mut live[op.to as usize]);
            for &from in op.from.iter().filter(|from| *keep && **from < UNIFORM) {
                live[from as usize] = true;
            }
        }
        let mut keep = keep.into_iter();
        self.ops.retain(|_| keep.next().unwrap_or(true));
    }

    pub(super) fn loads(&self) -> &[u16] {
        &self.loads
    }

    /// Registers that are read before they are written, varyings that are not written.
    fn note_clear(&mut self) {
        let (varyings, registers) = ((VARYINGS * 4) as u16, (REGISTERS * 4) as u16);
        let mut written = vec![false; UNITS as usize];
        let mut clear = Vec::new();
        for op in &self.ops {
            for &from in &op.from {
                if (registers..UNITS).contains(&from)
                    && !written[from as usize]
                    && !clear.contains(&from)
                {
                    clear.push(from);
                }
            }
            if let Some(w) = written.get_mut(op.to as usize) {
                *w = true;
            }
        }
        clear.extend((varyings..registers).filter(|&at| !written[at as usize]));
        self.clear = clear;
    }

    /// Runs it on groups of vertices. They take each operation together: finding out which one
    /// it is takes longer than the operation.
    #[inline(always)]
    pub(super) fn run<S: Simd>(&self, uniforms: &[Lane], groups: &mut [Box<Vertices>]) {
        for group in groups.iter_mut() {
            let lanes = group.rows.as_flattened_mut();
            for &at in &self.clear {
                lanes[at as usize] = [0.0; LANES];
            }
            lanes[ZERO as usize] = [0.0; LANES];
            lanes[ONE as usize] = [1.0; LANES];
        }
        let (zero, one) = (S::splat(0.0), S::splat(1.0));
        for op in &self.ops {
            // Macros, since closures may lose the level's instructions.
            macro_rules! load {
                ($lanes:ident, $n:expr) => {{
                    let at = op.from[$n];
                    if at < UNIFORM {
                        S::load(&$lanes[at as usize])
                    } else {
                        S::load(&uniforms[(at - UNIFORM) as usize])
                    }
                }};
            }
            macro_rules! turned {
                ($lanes:ident, $n:expr) => {
                    S::modify(load!($lanes, $n), u32::MAX, op.flip[$n])
                };
            }
            macro_rules! each {
                (|$lanes:ident| $e:expr) => {
                    for group in groups.iter_mut() {
                        let $lanes = group.rows.as_flattened_mut();
                        let r = $e;
                        S::store(r, &mut $lanes[op.to as usize]);
                    }
                };
            }
            match op.code {
                VertexCode::Mov => each!(|x| load!(x, 0)),
                VertexCode::Add => each!(|x| S::add(turned!(x, 0), turned!(x, 1))),
                VertexCode::Floor => each!(|x| S::floor(turned!(x, 0))),
                VertexCode::Sign => each!(|x| {
                    let x = turned!(x, 0);
                    let down = S::select(S::lt(x, zero), S::splat(-1.0), zero);
                    S::select(S::lt(zero, x), one, down)
                }),
                VertexCode::Ge => {
                    each!(|x| { S::select(S::le(turned!(x, 1), turned!(x, 0)), one, zero) })
                }
                VertexCode::Lt => {
                    each!(|x| { S::select(S::lt(turned!(x, 0), turned!(x, 1)), one, zero) })
                }
                VertexCode::Min => each!(|x| least::<S>(turned!(x, 0), turned!(x, 1))),
                VertexCode::Max => each!(|x| most::<S>(turned!(x, 0), turned!(x, 1))),
                VertexCode::Mul => each!(|x| {
                    let product = S::mul(load!(x, 0), load!(x, 1));
                    S::modify(product, u32::MAX, op.flip[0])
                }),
                VertexCode::Select => each!(|x| {
                    let no = S::eq(load!(x, 1), zero);
                    S::select(no, load!(x, 0), load!(x, 2))
                }),
                VertexCode::Clamp => {
                    each!(|x| { least::<S>(most::<S>(load!(x, 0), load!(x, 1)), load!(x, 2)) })
                }
                VertexCode::Exp2 => each!(|x| S::map(load!(x, 0), f32::exp2)),
                VertexCode::Log2 => each!(|x| S::map(load!(x, 0), f32::log2)),
                VertexCode::Rsqrt => each!(|x| {
                    let x = S::modify(load!(x, 0), !NEGATIVE, 0);
                    S::div(one, S::sqrt(x))
                }),
                VertexCode::Rcp => each!(|x| S::div(one, load!(x, 0))),
            }
        }
    }
}

/// The smaller; if one of the two is not a number, the other.
#[inline(always)]
fn least<S: Simd>(a: S::F, b: S::F) -> S::F {
    S::select(S::eq(b, b), S::min(a, b), a)
}

/// The larger; if one of the two is not a number, the other.
#[inline(always)]
fn most<S: Simd>(a: S::F, b: S::F) -> S::F {
    S::select(S::eq(b, b), S::max(a, b), a)
}

impl Builder<'_> {
    /// Where a unit's result of `ago` instructions before `i` is.
    fn result(&self, i: usize, ago: usize, unit: usize) -> u16 {
        if i < ago || !self.computed[(i - ago) % 3][unit] {
            return ZERO;
        }
        UNITS + ((i - ago) % 3 * 6 + unit) as u16
    }

    fn port0(&self, i: usize, comp: usize) -> u16 {
        let (register, attribute) = self.instrs[i].reg0;
        let bank = if attribute { 0 } else { REGISTERS };
        ((bank + register as usize) * 4 + comp) as u16
    }

    /// Where source `n` of instruction `i` is; `identity` is what the code for the complex
    /// unit stands for in second sources.
    fn source(&mut self, i: usize, n: u8, identity: Option<u16>) -> u16 {
        match u32::from(n) {
            c @ 0..=3 => self.port0(i, c as usize),
            c @ 4..=7 => ((REGISTERS + self.instrs[i].reg1 as usize) * 4) as u16 + c as u16 - 4,
            c @ 12..=15 => self.load(self.instrs[i].load.0, c as u16 - 12),
            c @ 16..=19 => self.result(i, 1, c as usize - 16),
            src::P1_PASS => self.result(i, 1, Unit::Pass as usize),
            src::P1_COMPLEX => match identity {
                Some(at) => at,
                None => self.result(i, 1, Unit::Complex as usize),
            },
            src::P2_PASS => self.result(i, 2, Unit::Pass as usize),
            c @ 24..=27 => self.result(i, 2, c as usize - 24),
            c @ 28..=31 if i > 0 => self.port0(i - 1, c as usize - 28),
            _ => ZERO,
        }
    }

    fn load(&mut self, vector: u16, comp: u16) -> u16 {
        let at = vector * 4 + comp;
        let loads = &mut self.flat.loads;
        let n = loads.iter().position(|&l| l == at).unwrap_or_else(|| {
            loads.push(at);
            loads.len() - 1
        });
        UNIFORM + n as u16
    }

    fn put(&mut self, i: usize, unit: usize, code: VertexCode, from: [u16; 3], flip: [u32; 2]) {
        let to = UNITS + (i % 3 * 6 + unit) as u16;
        self.flat.ops.push(VertexOp {
            code,
            to,
            from,
            flip,
        });
        self.computed[i % 3][unit] = true;
    }

    fn product(&mut self, i: usize, unit: usize, (a, b, sign): (u8, u8, f32)) {
        if u32::from(a) == src::UNUSED || u32::from(b) == src::UNUSED {
            return;
        }
        let (a, b) = (self.source(i, a, None), self.source(i, b, Some(ONE)));
        self.put(i, unit, VertexCode::Mul, [a, b, ZERO], [flip(sign), 0]);
    }

    fn instruction(&mut self, i: usize) {
        let instr = self.instrs[i];
        self.computed[i % 3] = [false; 6];
        for (unit, &(a, b, na, nb)) in instr.acc.iter().enumerate() {
            if u32::from(a) == src::UNUSED {
                continue;
            }
            let (a, b) = (self.source(i, a, None), self.source(i, b, Some(ZERO)));
            let code = match instr.acc_op {
                1 => VertexCode::Floor,
                2 => VertexCode::Sign,
                4 => VertexCode::Ge,
                5 => VertexCode::Lt,
                6 => VertexCode::Min,
                7 => VertexCode::Max,
                _ => VertexCode::Add,
            };
            self.put(i, unit, code, [a, b, ZERO], [flip(na), flip(nb)]);
        }
        let [first, second] = instr.mul;
        let (mul0, mul1) = (Unit::Mul0 as usize, Unit::Mul1 as usize);
        match u32::from(instr.mul_op) {
            op @ (mul_op::COMPLEX1 | mul_op::COMPLEX2) => {
                let a = self.source(i, first.0, None);
                self.put(i, mul0, VertexCode::Mov, [a, ZERO, ZERO], [0; 2]);
                if op == mul_op::COMPLEX2 {
                    self.product(i, mul1, second);
                }
            }
            mul_op::SELECT => {
                let no = self.source(i, first.0, None);
                let cond = self.source(i, first.1, Some(ONE));
                let yes = self.source(i, second.0, None);
                self.put(i, mul0, VertexCode::Select, [no, cond, yes], [0; 2]);
            }
            _ => {
                self.product(i, mul0, first);
                self.product(i, mul1, second);
            }
        }
        let (op, s) = instr.complex;
        if u32::from(s) != src::UNUSED && u32::from(op) != complex_op::NOP {
            let a = self.source(i, s, None);
            let code = match u32::from(op) {
                complex_op::EXP2 => VertexCode::Exp2,
                complex_op::LOG2 => VertexCode::Log2,
                complex_op::RSQRT => VertexCode::Rsqrt,
                complex_op::RCP => VertexCode::Rcp,
                _ => VertexCode::Mov,
            };
            self.put(i, Unit::Complex as usize, code, [a, ZERO, ZERO], [0; 2]);
        }
        let (op, s) = instr.pass;
        if u32::from(s) != src::UNUSED {
            let a = self.source(i, s, None);
            let (code, from) = if u32::from(op) == pass_op::CLAMP {
                let bounds = [0, 1].map(|c| self.load(instr.load.0, c));
                (VertexCode::Clamp, [a, bounds[0], bounds[1]])
            } else {
                (VertexCode::Mov, [a, ZERO, ZERO])
            };
            self.put(i, Unit::Pass as usize, code, from, [0; 2]);
        }
        self.stores(i);
    }

    /// Results that go to registers and varyings, behind everything else.
    fn stores(&mut self, i: usize) {
        let instr = self.instrs[i];
        for c in 0..4 {
            let unit = match u32::from(instr.store[c]) {
                isa::STORE_NONE | 5 => continue,
                6 => Unit::Complex as usize,
                n => n as usize,
            };
            let row = match instr.store_to[c / 2] {
                Store::Register(r) => REGISTERS + r as usize,
                Store::Varying(r) => VARYINGS + r as usize,
                Store::None | Store::Temporary => continue,
            };
            let from = self.result(i, 0, unit);
            self.flat.ops.push(VertexOp {
                code: VertexCode::Mov,
                to: (row * 4 + c) as u16,
                from: [from, ZERO, ZERO],
                flip: [0; 2],
            });
        }
    }
}
