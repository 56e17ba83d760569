//! The words of the combiners run symbolically: expressions first, then the steps of a plan.

use super::{Kind, KnownInputs, OPERANDS, Plan, SLOTS, TextureRange, slot};
use crate::rc::words::{Final, Input, Map, Op, Portion, Stage};
use crate::rc::{Combiners, reg};
use isotherm_lanes::fixed::div255_signed;

/// A value's number.
pub(super) type Id = u16;

/// One value of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expr {
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
    /// a b + c d + e f, over 255, rounded
    Dot([[Id; 2]; 3]),
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
pub(super) struct Node {
    pub(super) expr: Expr,
    pub(super) range: (i32, i32),
}

/// The symbolic registers.
pub(super) struct Builder {
    pub(super) nodes: Vec<Node>,
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

    /// A product whose value is known.
    fn known_product(&self, a: Id, b: Id) -> Option<i32> {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => Some(x * y),
            (Some(0), _) | (_, Some(0)) => Some(0),
            _ => None,
        }
    }

    fn dot(&mut self, mut pairs: [[Id; 2]; 3]) -> Id {
        let (mut sum, mut range) = (Some(0), (0, 0));
        for pair in &mut pairs {
            let [a, b] = *pair;
            let known = self.known_product(a, b);
            let (low, high) = self.products(a, b);
            range = (range.0 + low, range.1 + high);
            sum = sum.zip(known).map(|(sum, product)| sum + product);
            *pair = match known {
                // One that counts for nothing reads nothing.
                Some(0) => [0; 2],
                _ => [a.min(b), a.max(b)],
            };
        }
        match sum {
            Some(sum) => self.constant(div255_signed(sum)),
            None => {
                let range = (div255_signed(range.0), div255_signed(range.1));
                self.node(Expr::Dot(pairs), range)
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
                let dot = self.dot([0, 1, 2].map(|c| [pairs[c].0, pairs[c].1]));
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

impl Builder {
    /// The expressions of a state and which of them are R, G, B, A.
    pub(super) fn new(rc: &Combiners, known: &KnownInputs) -> (Builder, [Id; 4]) {
        let mut b = Builder {
            nodes: Vec::with_capacity(64),
            regs: [[0; 4]; 16],
        };
        // Node 0 is what unnamed registers hold.
        b.constant(0);
        let opaque = [0, 0, 0, 255];
        let mut register = |r: usize, at: usize, texture: TextureRange| {
            b.regs[r] = std::array::from_fn(|c| match texture {
                TextureRange::Opaque => b.constant(opaque[c]),
                TextureRange::Unsigned => b.node(Expr::Source((at + c) as u8), (0, 255)),
                TextureRange::Signed => b.node(Expr::Source((at + c) as u8), (-255, 255)),
            });
        };
        register(reg::COL0, slot::COL0, TextureRange::Unsigned);
        let specular = if known.specular {
            TextureRange::Unsigned
        } else {
            TextureRange::Opaque
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
    fn operands(expr: &Expr) -> ([Id; OPERANDS], usize) {
        match *expr {
            Expr::Const(_) | Expr::Source(_) => ([0; OPERANDS], 0),
            Expr::Linear { x, .. } | Expr::Half(x) | Expr::Pick(x, _) => ([x, 0, 0, 0, 0, 0], 1),
            Expr::Times(a, b) | Expr::Add(a, b) => ([a, b, 0, 0, 0, 0], 2),
            Expr::Select(a, b, c) | Expr::Mix(a, b, c) => ([a, b, c, 0, 0, 0], 3),
            Expr::Dot([[a, b], [c, d], [e, f]]) => ([a, b, c, d, e, f], 6),
        }
    }

    /// The largest size that a value can have.
    fn size(&self, id: Id) -> i32 {
        let (low, high) = self.range(id);
        low.abs().max(high.abs())
    }

    /// Is a value a byte?
    fn byte(&self, id: Id) -> bool {
        self.range(id).0 >= 0 && self.size(id) <= 255
    }

    /// What a step does; `None` for sources.
    fn kind(&self, expr: &Expr) -> Option<Kind> {
        Some(match *expr {
            Expr::Source(_) => return None,
            Expr::Const(_) => Kind::Fill,
            Expr::Linear {
                mul,
                add,
                low,
                high,
                ..
            } => {
                let [low, high] = limits(low, high);
                Kind::Linear {
                    mul: mul as i16,
                    add: add as i16,
                    low,
                    high,
                }
            }
            Expr::Half(_) => Kind::Half,
            Expr::Dot(_) => Kind::Dot,
            Expr::Times(a, b) if self.byte(a) && self.byte(b) => Kind::TimesBytes,
            Expr::Times(a, b) if self.size(a) <= 255 && self.size(b) <= 255 => Kind::Times,
            Expr::Times(..) => Kind::TimesAny,
            Expr::Add(..) => Kind::Add,
            Expr::Pick(_, msb) => Kind::Pick(msb),
            Expr::Select(..) => Kind::Select,
            Expr::Mix(a, b, c) if self.byte(a) && self.byte(b) && self.byte(c) => Kind::MixBytes,
            Expr::Mix(..) => Kind::MixAny,
        })
    }

    /// Do sixteen bits hold a value, and what is limited to become it?
    fn fits(&self, node: &Node) -> bool {
        let holds = |v: i32| i16::try_from(v).is_ok();
        let before = match node.expr {
            Expr::Linear { x, mul, add, .. } => {
                let (low, high) = self.range(x);
                holds(low * mul + add) && holds(high * mul + add)
            }
            _ => true,
        };
        before && holds(node.range.0) && holds(node.range.1)
    }

    /// Keeps what the results need: first what waits for nothing, then what waits for that, and
    /// among those that may run at the same time neighbours of one kind together, so that a
    /// step has several channels.
    pub(super) fn emit(&self, out: [Id; 4]) -> Option<Plan> {
        let mut plan = Plan {
            steps: Vec::new(),
            out: [0; 4],
            reads: 0,
        };
        let mut places = vec![0u8; self.nodes.len()];
        let operations = self.operations(out);
        for (place, operation) in (slot::FREE..).zip(&operations) {
            if place == SLOTS || !self.fits(&self.nodes[operation.node]) {
                return None;
            }
            places[operation.node] = place as u8;
        }
        let mut used = out.to_vec();
        used.extend(operations.iter().flat_map(|operation| operation.from));
        for id in used {
            if let Expr::Source(slot) = self.nodes[id as usize].expr {
                places[id as usize] = slot;
                plan.reads |= 1 << slot;
            }
        }
        for operation in &operations {
            let [a, b, c, d, e, f] = match operation.value {
                Some(v) => {
                    let [low, high] = v.to_le_bytes();
                    [low, high, 0, 0, 0, 0]
                }
                None => operation.from.map(|id| places[id as usize]),
            };
            plan.append(operation.kind, [places[operation.node], a, b, c, d, e, f]);
        }
        plan.out = out.map(|id| places[id as usize]);
        Some(plan)
    }

    /// What has to be done for the results, in the order in which it is.
    fn operations(&self, out: [Id; 4]) -> Vec<Operation> {
        let mut users = vec![0; self.nodes.len()];
        for id in out {
            users[id as usize] += 1;
        }
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let (from, n) = Builder::operands(&node.expr);
            let n = if users[i] > 0 { n } else { 0 };
            for &id in &from[..n] {
                users[id as usize] += 1;
            }
        }
        let mut depths = vec![0; self.nodes.len()];
        let mut found: Vec<Operation> = Vec::new();
        for (i, node) in self.nodes.iter().enumerate().filter(|(i, _)| users[*i] > 0) {
            let Some(mut operation) = self.operation(i, &node.expr) else {
                continue;
            };
            self.join(&mut operation, &users, &mut found);
            let from = operation.from.iter().map(|&id| depths[id as usize]);
            depths[i] = 1 + from.max().unwrap_or(0);
            found.push(operation);
        }
        in_order(found, &depths)
    }

    /// A sum that is limited, and used nowhere else, is limited at once; so are the products
    /// of bytes that it is the sum of multiplied. Takes those out of what was found.
    fn join(&self, operation: &mut Operation, users: &[u32], found: &mut Vec<Operation>) {
        let own = |id: Id| users[id as usize] == 1 && self.fits(&self.nodes[id as usize]);
        let mut drop = |id: Id| found.retain(|operation| operation.node != usize::from(id));
        let node = &self.nodes[operation.node];
        let (sum, [add, low, high]) = match node.expr {
            Expr::Linear {
                x,
                mul: 1,
                add,
                low,
                high,
            } if own(x) => (x, [add, low, high]),
            // It needs no limits: the usual ones, so that it may share a step.
            Expr::Add(..) if self.size(operation.node as Id) <= 255 => {
                (operation.node as Id, [0, -255, 255])
            }
            _ => return,
        };
        let Expr::Add(a, b) = self.nodes[sum as usize].expr else {
            return;
        };
        if usize::from(sum) != operation.node {
            drop(sum);
        }
        let [low, high] = limits(low, high);
        let (add, mut from) = (add as i16, [a, b, 0, 0]);
        operation.kind = Kind::Sum { add, low, high };
        let product = |id: Id| match self.nodes[id as usize].expr {
            Expr::Times(a, b) if own(id) && self.byte(a) && self.byte(b) => Some([a, b]),
            _ => None,
        };
        if let (Some([c, d]), Some([e, f])) = (product(a), product(b)) {
            drop(a);
            drop(b);
            operation.kind = Kind::Products { add, low, high };
            from = [c, d, e, f];
        }
        operation.from = [from[0], from[1], from[2], from[3], 0, 0];
    }

    /// What a value is made of; `None` for sources.
    fn operation(&self, node: usize, expr: &Expr) -> Option<Operation> {
        Some(Operation {
            node,
            kind: self.kind(expr)?,
            from: Builder::operands(expr).0,
            value: match *expr {
                Expr::Const(v) => Some(v as i16),
                _ => None,
            },
        })
    }
}

/// An operation, its operands and, for a constant, its value. Operands that it does not have
/// are value 0, which is a constant and waits for nothing.
struct Operation {
    node: usize,
    kind: Kind,
    from: [Id; OPERANDS],
    value: Option<i16>,
}

/// Operations by their depths, those of the same kind together.
fn in_order(mut found: Vec<Operation>, depths: &[usize]) -> Vec<Operation> {
    let mut ordered: Vec<Operation> = Vec::with_capacity(found.len());
    found.sort_by_key(|operation| depths[operation.node]);
    while let Some(first) = found.first() {
        let (kind, depth) = (first.kind, depths[first.node]);
        let same =
            |operation: &mut Operation| operation.kind == kind && depths[operation.node] == depth;
        ordered.extend(found.extract_if(.., same));
    }
    ordered
}

/// Limits as far as sixteen bits go.
fn limits(low: i32, high: i32) -> [i16; 2] {
    [
        low.max(i16::MIN.into()) as i16,
        high.min(i16::MAX.into()) as i16,
    ]
}
