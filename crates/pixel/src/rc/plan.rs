//! The combiners as a short list of operations, made once per state change.
//!
//! The words are run symbolically, channel by channel: a constant input is
//! folded, what nobody reads is dropped, a clamp that the known ranges make
//! idle disappears, equal expressions are formed once. What is left runs over
//! sixteen lanes with the arithmetic of `arith.rs` and gives the bits of
//! [`Combiners::run`].

use super::words::{Final, Input, Map, Op, Portion, Stage};
use super::{Combiners, reg};
use crate::frag::{I, LANES, halves, lanes};
use isotherm_lanes::fixed::{div255, div255_signed, div255_u16};

/// Values that a plan can hold: the sources, then its own results.
const SLOTS: usize = 128;

/// The values of a block while a plan runs.
pub type Slots = [I; SLOTS];

/// Where the units before the combiners put what a plan reads.
pub mod slot {
    /// Diffuse colour R, G, B, A.
    pub const COL0: usize = 0;
    /// Specular colour R, G, B, A.
    pub const COL1: usize = 4;
    /// Texture registers 0 to 3, R, G, B, A each.
    pub const TEX0: usize = 8;
    /// Fog factor.
    pub const FOG: usize = 24;
    /// First result.
    pub const FREE: usize = 25;
}

/// What the state says about a texture register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// No texture: black, alpha 1.
    Opaque,
    /// 0 to 255.
    Unsigned,
    /// -255 to 255.
    Signed,
}

/// What the state says about the registers that the plan reads.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The texture registers.
    pub textures: [Texture; 4],
    /// There is a specular colour; else it is black, alpha 1.
    pub specular: bool,
    /// There is a fog factor; else it is 1.
    pub fog: bool,
}

/// A colour that a plan hands on unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// The diffuse colour.
    Diffuse,
    /// The specular colour.
    Specular,
}

/// One texture and the diffuse colour: every channel is the texel's, the colour's or the
/// product of both. Channels stand in pairs of 16 bits: blue and red, green and alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The texture's stage.
    pub stage: usize,
    /// Bits of the pairs that are products.
    product: [u32; 2],
    /// Bits of the pairs that are the colour's.
    primary: [u32; 2],
}

impl Form {
    /// The pair of each channel R, G, B, A, and its bits there.
    const CHANNELS: [(usize, u32); 4] = [
        (0, 0xffff_0000),
        (1, 0x0000_ffff),
        (0, 0x0000_ffff),
        (1, 0xffff_0000),
    ];

    /// Does anything depend on the diffuse colour?
    #[inline(always)]
    pub fn reads_primary(&self) -> bool {
        self.product != [0; 2] || self.primary != [0; 2]
    }

    /// Bits of a pair that are products, and those that are the colour's.
    #[inline(always)]
    pub(crate) fn bits(&self, half: usize) -> (u32, u32) {
        (self.product[half], self.primary[half])
    }

    /// A pair of channels from the texels' and the colours'.
    #[inline(always)]
    pub fn pair(&self, half: usize, texel: &[u32; LANES], color: &[u32; LANES]) -> [u32; LANES] {
        let (product, primary) = self.bits(half);
        let (a, b) = (halves(*texel), halves(*color));
        let mut p = [0u16; 2 * LANES];
        for i in 0..2 * LANES {
            p[i] = div255_u16(a[i].wrapping_mul(b[i]));
        }
        let p = lanes(p);
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = p[i] & product | color[i] & primary | texel[i] & !(product | primary);
        }
        out
    }
}

/// A value's number.
type Id = u16;

/// One value of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expr {
    Const(i32),
    /// A slot that is filled before.
    Source(u8),
    /// mul x + add, limited to low..=high
    Linear {
        x: Id,
        mul: i32,
        add: i32,
        low: i32,
        high: i32,
    },
    /// (x + 1) >> 1
    Half(Id),
    /// x / 255, rounded
    Round(Id),
    /// a b
    Product(Id, Id),
    /// a b / 255, rounded
    Times(Id, Id),
    /// a + b
    Add(Id, Id),
    /// All ones where x chooses the second: by its top bit, else by its lowest.
    Pick(Id, bool),
    /// a, or b where the pick says so
    Select(Id, Id, Id),
    /// (a b + (255 - a) c) / 255, rounded
    Mix(Id, Id, Id),
}

/// An expression with its range.
#[derive(Clone, Copy)]
struct Node {
    expr: Expr,
    range: (i32, i32),
}

/// The symbolic registers.
struct Builder {
    nodes: Vec<Node>,
    regs: [[Id; 4]; 16],
}

/// How far back an equal expression is looked for.
const WINDOW: usize = 48;

impl Builder {
    fn node(&mut self, expr: Expr, range: (i32, i32)) -> Id {
        let from = self.nodes.len().saturating_sub(WINDOW);
        let known = self.nodes[from..].iter().position(|n| n.expr == expr);
        if let Some(i) = known {
            return (from + i) as Id;
        }
        self.nodes.push(Node { expr, range });
        (self.nodes.len() - 1) as Id
    }

    fn constant(&mut self, v: i32) -> Id {
        self.node(Expr::Const(v), (v, v))
    }

    fn value(&self, id: Id) -> Option<i32> {
        match self.nodes[id as usize].expr {
            Expr::Const(v) => Some(v),
            _ => None,
        }
    }

    fn range(&self, id: Id) -> (i32, i32) {
        self.nodes[id as usize].range
    }

    fn linear(&mut self, x: Id, mul: i32, add: i32, low: i32, high: i32) -> Id {
        if let Some(v) = self.value(x) {
            return self.constant((v * mul + add).clamp(low, high));
        }
        let (a, b) = self.range(x);
        let (a, b) = (a * mul + add, b * mul + add);
        let (a, b) = (a.min(b), a.max(b));
        if mul == 1 && add == 0 && a >= low && b <= high {
            return x;
        }
        let range = (a.clamp(low, high), b.clamp(low, high));
        self.node(
            Expr::Linear {
                x,
                mul,
                add,
                low,
                high,
            },
            range,
        )
    }

    fn clamp(&mut self, x: Id, low: i32, high: i32) -> Id {
        self.linear(x, 1, 0, low, high)
    }

    /// The range of a b.
    fn products(&self, a: Id, b: Id) -> (i32, i32) {
        let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
        let all = [a0 * b0, a0 * b1, a1 * b0, a1 * b1];
        let low = all.iter().copied().min().unwrap_or(0);
        (low, all.iter().copied().max().unwrap_or(0))
    }

    fn product(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x * y),
            (Some(0), _) | (_, Some(0)) => self.constant(0),
            _ => {
                let range = self.products(a, b);
                self.node(Expr::Product(a, b), range)
            }
        }
    }

    fn times(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(div255_signed(x * y)),
            (Some(0), _) | (_, Some(0)) => self.constant(0),
            (Some(255), _) => b,
            (_, Some(255)) => a,
            (Some(-255), _) => self.linear(b, -1, 0, i32::MIN, i32::MAX),
            (_, Some(-255)) => self.linear(a, -1, 0, i32::MIN, i32::MAX),
            _ => {
                let (low, high) = self.products(a, b);
                self.node(Expr::Times(a, b), (div255_signed(low), div255_signed(high)))
            }
        }
    }

    fn round(&mut self, x: Id) -> Id {
        if let Some(v) = self.value(x) {
            return self.constant(div255_signed(v));
        }
        let (low, high) = self.range(x);
        self.node(Expr::Round(x), (div255_signed(low), div255_signed(high)))
    }

    fn add(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x + y),
            (Some(k), _) => self.linear(b, 1, k, i32::MIN, i32::MAX),
            (_, Some(k)) => self.linear(a, 1, k, i32::MIN, i32::MAX),
            _ => {
                let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
                self.node(Expr::Add(a, b), (a0 + b0, a1 + b1))
            }
        }
    }

    fn pick(&mut self, x: Id, msb: bool) -> Id {
        match self.value(x) {
            Some(v) if msb => self.constant(-i32::from(v >= 128)),
            Some(v) => self.constant(-(v & 1)),
            None => self.node(Expr::Pick(x, msb), (-1, 0)),
        }
    }

    fn select(&mut self, pick: Id, a: Id, b: Id) -> Id {
        match self.value(pick) {
            Some(0) => a,
            Some(_) => b,
            None if a == b => a,
            None => {
                let ((a0, a1), (b0, b1)) = (self.range(a), self.range(b));
                self.node(Expr::Select(pick, a, b), (a0.min(b0), a1.max(b1)))
            }
        }
    }

    fn mix(&mut self, a: Id, b: Id, c: Id) -> Id {
        if b == c {
            return b;
        }
        match (self.value(a), self.value(b), self.value(c)) {
            (Some(255), ..) => b,
            (Some(0), ..) => c,
            (_, _, Some(0)) => self.times(a, b),
            (_, Some(0), _) => {
                let rest = self.linear(a, -1, 255, i32::MIN, i32::MAX);
                self.times(rest, c)
            }
            (Some(a), Some(b), Some(c)) => self.constant(div255_signed(a * b + (255 - a) * c)),
            _ => {
                let rest = self.linear(a, -1, 255, i32::MIN, i32::MAX);
                let (x, y) = (self.products(a, b), self.products(rest, c));
                let range = (div255_signed(x.0 + y.0), div255_signed(x.1 + y.1));
                self.node(Expr::Mix(a, b, c), range)
            }
        }
    }

    /// One input mapping (see `arith::input`).
    fn input(&mut self, x: Id, map: Map) -> Id {
        const NO: (i32, i32) = (i32::MIN, i32::MAX);
        let (mul, add, low, high) = match map {
            Map::UnsignedIdentity => (1, 0, 0, NO.1),
            Map::UnsignedInvert => (-1, 255, 0, 255),
            Map::ExpandNormal => (2, -255, -255, NO.1),
            Map::ExpandNegate => (-2, 255, NO.0, 255),
            Map::HalfBiasNormal => (1, -128, -128, NO.1),
            Map::HalfBiasNegate => (-1, 128, NO.0, 128),
            Map::SignedIdentity => return x,
            Map::SignedNegate => (-1, 0, NO.0, NO.1),
        };
        self.linear(x, mul, add, low, high)
    }

    /// The output operation and the clamp of the register write.
    fn output(&mut self, x: Id, op: Op) -> Id {
        let (mul, add) = match op {
            Op::Identity => (1, 0),
            Op::Bias => (1, -128),
            Op::ShiftLeft1 => (2, 0),
            Op::ShiftLeft1Bias => (2, -256),
            Op::ShiftLeft2 => (4, 0),
            Op::ShiftRight1 => {
                let half = match self.value(x) {
                    Some(v) => self.constant((v + 1) >> 1),
                    None => {
                        let (low, high) = self.range(x);
                        self.node(Expr::Half(x), ((low + 1) >> 1, (high + 1) >> 1))
                    }
                };
                return self.clamp(half, -255, 255);
            }
        };
        self.linear(x, mul, add, -255, 255)
    }

    /// An operand of a general combiner: the RGB half has three channels, the
    /// alpha half reads alpha or blue.
    fn operand(&mut self, from: Input, channel: usize) -> Id {
        let channel = match (from.alpha, channel) {
            (true, _) => 3,
            (false, 3) => 2,
            (false, c) => c,
        };
        let x = self.regs[from.reg as usize][channel];
        self.input(x, from.map)
    }

    /// A half's results A B, C D and the sum for some channels.
    fn portion(&mut self, p: &Portion, pick: Option<Id>, channels: &[usize]) -> [[Id; 3]; 4] {
        let mut out = [[0; 3]; 4];
        let halves = [(0, p.ab_dot, p.ab), (2, p.cd_dot, p.cd)];
        let mut products = [[0; 2]; 4];
        for (half, (k, dot, to)) in halves.into_iter().enumerate() {
            if p.sum == 0 && to == 0 {
                continue;
            }
            let mut pairs = [(0, 0); 4];
            for &c in channels {
                pairs[c] = (
                    self.operand(p.inputs[k], c),
                    self.operand(p.inputs[k + 1], c),
                );
            }
            if dot {
                let [r, g, b] = [0, 1, 2].map(|c| self.product(pairs[c].0, pairs[c].1));
                let sum = self.add(r, g);
                let sum = self.add(sum, b);
                let dot = self.round(sum);
                for &c in channels {
                    products[c][half] = dot;
                }
            } else {
                for &c in channels {
                    products[c][half] = self.times(pairs[c].0, pairs[c].1);
                }
            }
        }
        for &c in channels {
            let [ab, cd] = products[c];
            if p.ab != 0 {
                out[c][0] = self.output(ab, p.op);
            }
            if p.cd != 0 {
                out[c][1] = self.output(cd, p.op);
            }
            if p.sum != 0 {
                let sum = match pick {
                    Some(pick) if p.mux => self.select(pick, ab, cd),
                    _ => self.add(ab, cd),
                };
                out[c][2] = self.output(sum, p.op);
            }
        }
        out
    }

    /// A general combiner. All reads see the registers as they were before it.
    fn stage(&mut self, stage: &Stage, mux_msb: bool) {
        let mux = stage.rgb.mux || stage.alpha.mux;
        let pick = mux.then(|| self.pick(self.regs[reg::SPARE0][3], mux_msb));
        let rgb = self.portion(&stage.rgb, pick, &[0, 1, 2]);
        let alpha = self.portion(&stage.alpha, pick, &[3]);
        let p = &stage.rgb;
        for (i, to) in [p.ab, p.cd, p.sum].into_iter().enumerate() {
            if to != 0 {
                for c in 0..3 {
                    self.regs[to as usize][c] = rgb[c][i];
                }
            }
        }
        if p.ab_blue_to_alpha && p.ab != 0 {
            self.regs[p.ab as usize][3] = rgb[2][0];
        }
        if p.cd_blue_to_alpha && p.cd != 0 {
            self.regs[p.cd as usize][3] = rgb[2][1];
        }
        let p = &stage.alpha;
        for (i, to) in [p.ab, p.cd, p.sum].into_iter().enumerate() {
            if to != 0 {
                self.regs[to as usize][3] = alpha[3][i];
            }
        }
    }

    /// An operand of the final combiner.
    fn last_operand(&mut self, from: Input, channel: usize) -> Id {
        let r = from.reg as usize;
        let x = self.regs[r][if from.alpha { 3 } else { channel }];
        if from.map == Map::UnsignedInvert {
            self.linear(x, -1, 255, 0, 255)
        } else {
            let top = if r == reg::SPARE0_PLUS_COL1 { 510 } else { 255 };
            self.clamp(x, 0, top)
        }
    }

    fn last(&mut self, last: &Final) -> [Id; 4] {
        let [a, b, c, d, e, f, g] = last.inputs;
        let zero = self.constant(0);
        let uses = |r: usize| last.inputs.iter().any(|i| i.reg as usize == r);
        if uses(reg::SPARE0_PLUS_COL1) {
            for k in 0..3 {
                let mut part = |r: usize, invert: bool| {
                    let x = self.regs[r][k];
                    if invert {
                        self.linear(x, -1, 255, 0, 255)
                    } else {
                        self.clamp(x, 0, 255)
                    }
                };
                let v1 = part(reg::COL1, last.invert_col1);
                let r0 = part(reg::SPARE0, last.invert_spare0);
                let sum = self.add(v1, r0);
                let top = if last.clamp_sum { 255 } else { 510 };
                self.regs[reg::SPARE0_PLUS_COL1][k] = self.clamp(sum, 0, top);
            }
            self.regs[reg::SPARE0_PLUS_COL1][3] = zero;
        }
        if uses(reg::E_TIMES_F) {
            let product: [Id; 3] = std::array::from_fn(|k| {
                let (x, y) = (self.last_operand(e, k), self.last_operand(f, k));
                self.times(x, y)
            });
            self.regs[reg::E_TIMES_F][..3].copy_from_slice(&product);
            self.regs[reg::E_TIMES_F][3] = zero;
        }
        let rgb: [Id; 3] = std::array::from_fn(|k| {
            let [a, b, c, d] = [a, b, c, d].map(|i| self.last_operand(i, k));
            let mixed = self.mix(a, b, c);
            let sum = self.add(mixed, d);
            self.clamp(sum, 0, 255)
        });
        let alpha = self.last_operand(g, 2);
        [rgb[0], rgb[1], rgb[2], self.clamp(alpha, 0, 255)]
    }
}

/// What a step does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fill(i32),
    Linear {
        mul: i32,
        add: i32,
        low: i32,
        high: i32,
    },
    Half,
    Round,
    Product,
    /// Both operands in 0..=255.
    TimesBytes,
    Times,
    Add,
    Pick(bool),
    Select,
    Mix,
}

/// One operation on one to four channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    kind: Kind,
    count: u8,
    /// Result and operands of each channel, as slots.
    parts: [[u8; 4]; 4],
}

/// The compiled combiners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    steps: Vec<Step>,
    out: [u8; 4],
    /// Sources that are read, one bit per slot.
    reads: u32,
}

impl Plan {
    /// Compiles a state; `None` if it needs more values than a plan can hold.
    pub fn new(rc: &Combiners, known: &Known) -> Option<Plan> {
        let (b, out) = Builder::new(rc, known);
        b.emit(out)
    }

    /// The colour that comes out as it went in, if that is all that happens.
    pub fn through(&self) -> Option<Through> {
        let from = |first: usize| self.out == [0, 1, 2, 3].map(|c| (first + c) as u8);
        if from(slot::COL0) {
            Some(Through::Diffuse)
        } else if from(slot::COL1) {
            Some(Through::Specular)
        } else {
            None
        }
    }

    /// The same in the form of a texture and the diffuse colour, if it has that form.
    pub fn form(&self) -> Option<Form> {
        let stage = (0..4).find(|i| self.reads(slot::TEX0 + 4 * i))?;
        let mut form = Form {
            stage,
            product: [0; 2],
            primary: [0; 2],
        };
        for (channel, &out) in self.out.iter().enumerate() {
            let (diffuse, texel) = (slot::COL0 + channel, slot::TEX0 + 4 * stage + channel);
            let (half, bits) = Form::CHANNELS[channel];
            if self.multiplies(out, diffuse as u8, texel as u8) {
                form.product[half] |= bits;
            } else if out == diffuse as u8 {
                form.primary[half] |= bits;
            } else if out != texel as u8 {
                return None;
            }
        }
        Some(form)
    }

    /// Is a slot the product of two bytes in these slots?
    fn multiplies(&self, out: u8, x: u8, y: u8) -> bool {
        let parts = |step: &Step| step.parts[..step.count as usize].to_vec();
        self.steps
            .iter()
            .filter(|step| step.kind == Kind::TimesBytes)
            .flat_map(parts)
            .any(|[to, a, b, _]| to == out && [a.min(b), a.max(b)] == [x, y])
    }

    /// Does it read any of the four channels from slot `first` on?
    pub fn reads(&self, first: usize) -> bool {
        self.reads >> first & 15 != 0
    }

    /// Does it read the fog factor?
    pub fn reads_fog(&self) -> bool {
        self.reads >> slot::FOG & 1 != 0
    }

    /// Runs the steps; the sources that are read are in their slots. Returns R, G,
    /// B, A as 0..=255.
    #[inline(always)]
    pub fn run(&self, slots: &mut Slots) -> [I; 4] {
        for step in &self.steps {
            step.run(slots);
        }
        // Written out, here and below: closures over arrays do not always become
        // part of the vector code around them.
        let [r, g, b, a] = self.out;
        [
            slots[r as usize % SLOTS],
            slots[g as usize % SLOTS],
            slots[b as usize % SLOTS],
            slots[a as usize % SLOTS],
        ]
    }
}

impl Builder {
    /// The expressions of a state and which of them are R, G, B, A.
    fn new(rc: &Combiners, known: &Known) -> (Builder, [Id; 4]) {
        let mut b = Builder {
            nodes: Vec::with_capacity(64),
            regs: [[0; 4]; 16],
        };
        // Node 0 is what unnamed registers hold.
        b.constant(0);
        let opaque = [0, 0, 0, 255];
        let mut register = |r: usize, at: usize, texture: Texture| {
            b.regs[r] = std::array::from_fn(|c| match texture {
                Texture::Opaque => b.constant(opaque[c]),
                Texture::Unsigned => b.node(Expr::Source((at + c) as u8), (0, 255)),
                Texture::Signed => b.node(Expr::Source((at + c) as u8), (-255, 255)),
            });
        };
        register(reg::COL0, slot::COL0, Texture::Unsigned);
        let specular = if known.specular {
            Texture::Unsigned
        } else {
            Texture::Opaque
        };
        register(reg::COL1, slot::COL1, specular);
        for i in 0..4 {
            register(reg::TEX0 + i, slot::TEX0 + 4 * i, known.textures[i]);
        }
        for c in 0..3 {
            b.regs[reg::FOG][c] = b.constant(rc.data.fog[c]);
        }
        b.regs[reg::FOG][3] = if known.fog {
            b.node(Expr::Source(slot::FOG as u8), (0, 255))
        } else {
            b.constant(255)
        };
        b.regs[reg::SPARE0][3] = b.regs[reg::TEX0][3];
        for (stage, factors) in rc.control.stages().iter().zip(&rc.data.factors) {
            b.factors(factors);
            b.stage(stage, rc.control.mux_msb);
        }
        b.factors(&rc.data.final_factors);
        let out = b.last(&rc.control.last);
        (b, out)
    }

    fn factors(&mut self, factors: &[[i32; 4]; 2]) {
        for (i, f) in factors.iter().enumerate() {
            for c in 0..4 {
                self.regs[reg::FACTOR_0 + i][c] = self.constant(f[c]);
            }
        }
    }

    /// The operands of an expression.
    fn operands(expr: &Expr) -> ([Id; 3], usize) {
        match *expr {
            Expr::Const(_) | Expr::Source(_) => ([0; 3], 0),
            Expr::Linear { x, .. } | Expr::Half(x) | Expr::Round(x) | Expr::Pick(x, _) => {
                ([x, 0, 0], 1)
            }
            Expr::Product(a, b) | Expr::Times(a, b) | Expr::Add(a, b) => ([a, b, 0], 2),
            Expr::Select(a, b, c) | Expr::Mix(a, b, c) => ([a, b, c], 3),
        }
    }

    fn kind(&self, expr: &Expr) -> Option<Kind> {
        let byte = |id: Id| {
            let (low, high) = self.range(id);
            low >= 0 && high <= 255
        };
        Some(match *expr {
            Expr::Source(_) => return None,
            Expr::Const(v) => Kind::Fill(v),
            Expr::Linear {
                mul,
                add,
                low,
                high,
                ..
            } => Kind::Linear {
                mul,
                add,
                low,
                high,
            },
            Expr::Half(_) => Kind::Half,
            Expr::Round(_) => Kind::Round,
            Expr::Product(..) => Kind::Product,
            Expr::Times(a, b) if byte(a) && byte(b) => Kind::TimesBytes,
            Expr::Times(..) => Kind::Times,
            Expr::Add(..) => Kind::Add,
            Expr::Pick(_, msb) => Kind::Pick(msb),
            Expr::Select(..) => Kind::Select,
            Expr::Mix(..) => Kind::Mix,
        })
    }

    /// Keeps what the results need, in order, neighbours of one kind together.
    fn emit(&self, out: [Id; 4]) -> Option<Plan> {
        let mut needed = vec![false; self.nodes.len()];
        for id in out {
            needed[id as usize] = true;
        }
        for i in (0..self.nodes.len()).rev() {
            if needed[i] {
                let (args, n) = Builder::operands(&self.nodes[i].expr);
                for &a in &args[..n] {
                    needed[a as usize] = true;
                }
            }
        }
        let mut plan = Plan {
            steps: Vec::new(),
            out: [0; 4],
            reads: 0,
        };
        let mut places = vec![0u8; self.nodes.len()];
        let mut next = slot::FREE;
        for (i, node) in self.nodes.iter().enumerate() {
            if !needed[i] {
                continue;
            }
            let Some(kind) = self.kind(&node.expr) else {
                if let Expr::Source(s) = node.expr {
                    places[i] = s;
                    plan.reads |= 1 << s;
                }
                continue;
            };
            if next == SLOTS {
                return None;
            }
            places[i] = next as u8;
            let (args, _) = Builder::operands(&node.expr);
            let [a, b, c] = args.map(|a| places[a as usize]);
            let part = [next as u8, a, b, c];
            next += 1;
            match plan.steps.last_mut() {
                Some(step) if step.kind == kind && step.count < 4 => {
                    step.parts[step.count as usize] = part;
                    step.count += 1;
                }
                _ => plan.steps.push(Step {
                    kind,
                    count: 1,
                    parts: [part; 4],
                }),
            }
        }
        plan.out = out.map(|id| places[id as usize]);
        Some(plan)
    }
}

impl Step {
    #[inline(always)]
    fn each(&self, slots: &mut Slots, f: impl Fn(i32, i32, i32) -> i32) {
        let slot = |s: u8| s as usize % SLOTS;
        let mut left = self.count;
        for &[to, a, b, c] in &self.parts {
            if left == 0 {
                return;
            }
            left -= 1;
            let mut out = [0; LANES];
            for i in 0..LANES {
                out[i] = f(slots[slot(a)][i], slots[slot(b)][i], slots[slot(c)][i]);
            }
            slots[slot(to)] = out;
        }
    }

    #[inline(always)]
    fn run(&self, slots: &mut Slots) {
        match self.kind {
            Kind::Fill(v) => self.each(slots, |_, _, _| v),
            Kind::Linear {
                mul,
                add,
                low,
                high,
            } => self.each(slots, |x, _, _| (x * mul + add).max(low).min(high)),
            Kind::Half => self.each(slots, |x, _, _| (x + 1) >> 1),
            Kind::Round => self.each(slots, |x, _, _| div255_signed(x)),
            Kind::Product => self.each(slots, |a, b, _| a * b),
            Kind::TimesBytes => self.each(slots, |a, b, _| div255(a * b)),
            Kind::Times => self.each(slots, |a, b, _| div255_signed(a * b)),
            Kind::Add => self.each(slots, |a, b, _| a + b),
            Kind::Pick(true) => self.each(slots, |x, _, _| -i32::from(x >= 128)),
            Kind::Pick(false) => self.each(slots, |x, _, _| -(x & 1)),
            Kind::Select => self.each(slots, |p, a, b| (a & !p) | (b & p)),
            Kind::Mix => self.each(slots, |a, b, c| div255_signed(a * b + (255 - a) * c)),
        }
    }
}

#[cfg(test)]
mod tests;
