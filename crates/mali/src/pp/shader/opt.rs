//! Makes straight programs shorter without changing a bit of what they leave behind: copies
//! disappear into the operations before or after them, results that nobody reads are not
//! computed, attributes that nobody needs are not interpolated.
//!
//! Programs with branches stay as they are: a pixel's neighbour may stand elsewhere, and
//! derivatives read its registers.

use super::{OutMod, PixelCode, PixelOp, Program, Src, row};

/// A set of rows.
pub type RowSet = u128;

const fn bit(row: u16) -> RowSet {
    if row < row::COUNT as u16 { 1 << row } else { 0 }
}

/// Bits of `count` rows from `first` on.
pub const fn rows(first: usize, count: usize) -> RowSet {
    let mut out = 0;
    let mut i = 0;
    while i < count {
        out |= 1 << ((first + i) % row::COUNT);
        i += 1;
    }
    out
}

/// RowSet from here on are nobody's: a stage leaves results in the first few behind
/// [`row::TEMPORARY`].
const FIRST_SPARE: u8 = 88;

/// How many of its two sources an operation reads.
fn sources(code: PixelCode) -> usize {
    match code {
        PixelCode::Varying
        | PixelCode::FragCoord
        | PixelCode::FrontFacing
        | PixelCode::Texture
        | PixelCode::FbColor
        | PixelCode::FbDepth
        | PixelCode::Discard
        | PixelCode::Sum
        | PixelCode::InvLength => 0,
        PixelCode::Mov
        | PixelCode::Not
        | PixelCode::Fract
        | PixelCode::Floor
        | PixelCode::Ceil
        | PixelCode::Rcp
        | PixelCode::Sqrt
        | PixelCode::Rsqrt
        | PixelCode::Exp2
        | PixelCode::Log2
        | PixelCode::Sin
        | PixelCode::Cos
        | PixelCode::Atan
        | PixelCode::VaryingAt
        | PixelCode::UniformAt
        | PixelCode::LoadTemp => 1,
        _ => 2,
    }
}

impl Src {
    fn is_row(&self) -> bool {
        self.at & Src::CONST == 0
    }

    fn untouched(&self) -> bool {
        self.and == u32::MAX && self.xor == 0
    }
}

impl PixelOp {
    /// No modifier on either side.
    fn is_unmodified(&self) -> bool {
        let used = [self.a, self.b];
        self.outmod == OutMod::None && used[..sources(self.code)].iter().all(Src::untouched)
    }

    /// The result is a texture coordinate, which keeps its precision.
    fn writes_coordinates(&self) -> bool {
        (row::COORD..row::COORD + 4).contains(&self.dst)
    }
}

impl Program {
    /// RowSet that an operation reads.
    fn reads(&self, op: &PixelOp, planar: bool) -> RowSet {
        let mut out = 0;
        let mut add = |s: Src| {
            if s.is_row() {
                out |= bit(s.at);
            }
        };
        for c in 0..op.count {
            let from = [op.a.step(op.steps[0], c), op.b.step(op.steps[1], c)];
            from.into_iter().take(sources(op.code)).for_each(&mut add);
        }
        match op.code {
            PixelCode::Sel => add(Src::row(row::S0)),
            PixelCode::Sum | PixelCode::InvLength => {
                self.sums[op.n as usize].into_iter().for_each(add)
            }
            PixelCode::Texture => {
                let lookup = &self.lookups[op.n as usize];
                lookup.lod.into_iter().for_each(&mut add);
                lookup.sampler_at.into_iter().for_each(&mut add);
                let count = if planar && !lookup.cube { 2 } else { 4 };
                (0..count).for_each(|c| add(Src::row(row::COORD + c)));
            }
            _ => {}
        }
        out
    }

    /// RowSet that an operation writes.
    fn writes(op: &PixelOp) -> RowSet {
        match op.code {
            PixelCode::Discard | PixelCode::StoreTemp => 0,
            _ => rows(op.dst as usize, op.rows() as usize),
        }
    }

    /// The program for a state, shortened if programs are run as they are prepared.
    pub(super) fn prepared(&self, live: RowSet, planar: bool) -> Program {
        if !isotherm_lanes::step_by_step() {
            return self.optimised(live, planar);
        }
        let mut out = self.clone();
        out.finish(live, planar);
        out
    }

    /// The same program for a state that looks at the rows `live` alone when it ends. `planar`
    /// says that all its textures have two dimensions.
    pub fn optimised(&self, live: RowSet, planar: bool) -> Program {
        let mut out = self.clone();
        if out.straight {
            let end = out.steps.iter().position(|s| s.stop).unwrap_or(0);
            let last = out.steps.get(end).map_or(0, |s| s.ops.1 as usize);
            out.ops.truncate(last);
            out.forward_copies();
            out.drop_dead(live, planar);
            out.retarget(live, planar);
            out.drop_dead(live, planar);
            out.gather_varyings();
            out.forward_copies();
            out.retarget(live, planar);
            out.drop_dead(live, planar);
            out.drop_attributes();
            out.join();
            out.steps = vec![super::Step {
                ops: (0, out.ops.len() as u32),
                cost: 0,
                branch: None,
                stop: true,
            }];
        }
        out.finish(live, planar);
        out
    }

    /// Notes what the executor wants to know of the program and of each operation. `live` are
    /// the rows that are looked at when it ends.
    pub fn finish(&mut self, live: RowSet, planar: bool) {
        let unset = self.read_before_written(live, planar);
        self.unset = (0..row::COUNT as u8)
            .filter(|&at| unset & bit(at.into()) != 0)
            .collect();
        for op in &mut self.ops {
            op.rounds = !self.full_floats && !op.writes_coordinates();
            let terms = match op.code {
                PixelCode::Sum | PixelCode::InvLength => &self.sums[op.n as usize][..],
                _ => &[],
            };
            op.unmodified = op.is_unmodified() && terms.iter().all(Src::untouched);
            op.plain = op.rounds && op.unmodified;
            op.simple = op.is_simple();
        }
        for step in &mut self.steps {
            let ops = &mut self.ops[step.ops.0 as usize..step.ops.1 as usize];
            let mut behind = 0u8;
            for op in ops.iter_mut().rev() {
                behind = if op.simple {
                    behind.saturating_add(1)
                } else {
                    0
                };
                op.together = behind.max(1);
            }
            let cost = |o: &PixelOp| match o.code {
                PixelCode::Texture => 16,
                PixelCode::Varying => 1,
                _ => u64::from(o.count),
            };
            step.cost = 8 + ops.iter().map(cost).sum::<u64>();
        }
    }

    /// RowSet that are read or looked at, and not certainly written before that.
    fn read_before_written(&self, live: RowSet, planar: bool) -> RowSet {
        if self.straight {
            return self.ops.iter().rev().fold(live, |live, op| {
                live & !Self::writes(op) | self.reads(op, planar)
            });
        }
        // Pixels that take another way may leave out any write.
        let branches = self.steps.iter().filter_map(|s| s.branch);
        let compared = branches.flat_map(|b| [b.a, b.b]).filter(Src::is_row);
        let compared = compared.fold(0, |rows, s| rows | bit(s.at));
        let read = self
            .ops
            .iter()
            .fold(0, |rows, op| rows | self.reads(op, planar));
        live | compared | read
    }

    /// Whether an operation copies a row or a constant as it is. RowSet outside the coordinates
    /// and all constants are half floats already, so that rounding does nothing.
    fn copies(op: &PixelOp) -> bool {
        let coord = |at: u16| (row::COORD as u16..row::COORD as u16 + 4).contains(&at);
        op.code == PixelCode::Mov
            && op.outmod == OutMod::None
            && op.a.untouched()
            && !coord(op.a.at)
    }

    /// Readers of a copy read what it was copied from.
    fn forward_copies(&mut self) {
        let mut known: [Option<u16>; row::COUNT] = [None; row::COUNT];
        for i in 0..self.ops.len() {
            let swap = |s: &mut Src| {
                if s.is_row()
                    && let Some(from) = known[s.at as usize % row::COUNT]
                {
                    s.at = from;
                }
            };
            let op = &mut self.ops[i];
            match sources(op.code) {
                0 => {}
                1 => swap(&mut op.a),
                _ => {
                    swap(&mut op.a);
                    swap(&mut op.b);
                }
            }
            match op.code {
                PixelCode::Sum | PixelCode::InvLength => {
                    self.sums[op.n as usize].iter_mut().for_each(swap);
                }
                PixelCode::Texture => {
                    let lookup = &mut self.lookups[op.n as usize];
                    lookup.lod.iter_mut().for_each(swap);
                    lookup.sampler_at.iter_mut().for_each(swap);
                }
                _ => {}
            }
            let op = self.ops[i];
            let written = Self::writes(&op);
            for (at, from) in known.iter_mut().enumerate() {
                let stale = from.is_some_and(|f| f & Src::CONST == 0 && written & bit(f) != 0);
                if stale || written & bit(at as u16) != 0 {
                    *from = None;
                }
            }
            // A copy into the coordinates keeps its precision too: it has none to lose.
            if Self::copies(&op) && op.a.at != u16::from(op.dst) {
                known[op.dst as usize % row::COUNT] = Some(op.a.at);
            }
        }
    }

    /// Leaves out what nobody reads.
    fn drop_dead(&mut self, live: RowSet, planar: bool) {
        let mut live = live;
        let mut keep = vec![true; self.ops.len()];
        for i in (0..self.ops.len()).rev() {
            let op = self.ops[i];
            let written = Self::writes(&op);
            if written != 0 && written & live == 0 {
                keep[i] = false;
                continue;
            }
            live &= !written;
            live |= self.reads(&op, planar);
        }
        let mut kept = keep.iter();
        self.ops.retain(|_| *kept.next().unwrap_or(&true));
    }

    /// An operation whose result is only copied writes the copy itself.
    fn retarget(&mut self, live: RowSet, planar: bool) {
        let mut i = 0;
        while i < self.ops.len() {
            let copy = self.ops[i];
            let movable = copy.code == PixelCode::Mov
                && copy.outmod == OutMod::None
                && copy.a.untouched()
                && copy.a.is_row()
                && copy.a.at != u16::from(copy.dst)
                && !copy.writes_coordinates()
                && self.is_dead_after(i, copy.a.at, live, planar);
            if movable && let Some(j) = self.only_source(i, planar) {
                self.ops[j].dst = copy.dst;
                self.ops.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Whether nobody reads `row` behind operation `i` before it is written again.
    fn is_dead_after(&self, i: usize, row: u16, live: RowSet, planar: bool) -> bool {
        for op in &self.ops[i + 1..] {
            if self.reads(op, planar) & bit(row) != 0 {
                return false;
            }
            if Self::writes(op) & bit(row) != 0 {
                return true;
            }
        }
        live & bit(row) == 0
    }

    /// The operation whose result copy `i` moves on, if it may write the copy's row itself:
    /// between the two nobody reads the result or touches the row.
    fn only_source(&self, i: usize, planar: bool) -> Option<usize> {
        let (from, to) = (bit(self.ops[i].a.at), bit(u16::from(self.ops[i].dst)));
        for j in (0..i).rev() {
            let op = &self.ops[j];
            let written = Self::writes(op);
            if written & from != 0 {
                let single = written == from;
                return single.then_some(j);
            }
            if self.reads(op, planar) & (from | to) != 0 || written & to != 0 {
                return None;
            }
        }
        None
    }

    /// Attributes that are left, renumbered.
    fn drop_attributes(&mut self) {
        if self.ops.iter().any(|o| o.code == PixelCode::VaryingAt) {
            return;
        }
        let mut attrs = Vec::new();
        for op in self.ops.iter_mut().filter(|o| o.code == PixelCode::Varying) {
            let attr = self.attrs[op.n as usize];
            let at = attrs.iter().position(|&a| a == attr).unwrap_or_else(|| {
                attrs.push(attr);
                attrs.len() - 1
            });
            op.n = at as i32;
        }
        self.attrs = attrs;
    }

    /// Attributes are loaded in front of everything else, once each and side by side, so that
    /// they are joined. The chip loads them where they are needed, as often as they are.
    fn gather_varyings(&mut self) {
        let loads = |op: &PixelOp, n: i32| {
            op.code == PixelCode::Varying
                && op.n == n
                && op.outmod == OutMod::None
                && !op.writes_coordinates()
        };
        let most = usize::from(row::ASIDE - FIRST_SPARE);
        let shared: Vec<i32> = (0..self.attrs.len() as i32)
            .filter(|&n| self.ops.iter().any(|op| loads(op, n)))
            .take(most)
            .collect();
        let row_of = |n: i32| {
            let at = shared.iter().position(|&shared| shared == n)?;
            Some(row::ASIDE - (shared.len() - at) as u8)
        };
        for op in &mut self.ops {
            if loads(op, op.n)
                && let Some(kept) = row_of(op.n)
            {
                *op = PixelOp {
                    a: Src::row(kept),
                    dst: op.dst,
                    ..super::build::NO_OP
                };
            }
        }
        let kept = shared.iter().filter_map(|&n| {
            Some(PixelOp {
                code: PixelCode::Varying,
                dst: row_of(n)?,
                n,
                ..super::build::NO_OP
            })
        });
        self.ops.splice(0..0, kept);
    }

    /// Operations that follow each other into rows that follow each other are one: attributes,
    /// and what is done to the components of vectors.
    fn join(&mut self) {
        let mut joined: Vec<PixelOp> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            if let Some(last) = joined.last_mut()
                && last.code == op.code
                && last.outmod == op.outmod
                && last.count < 4
                && last.writes_coordinates() == op.writes_coordinates()
                && op.dst == last.dst + last.count
                && let Some(steps) = last.steps_to(op)
            {
                last.count += 1;
                last.steps = steps;
            } else {
                joined.push(*op);
            }
        }
        self.ops = joined;
    }
}

impl PixelOp {
    /// How far the sources move if `next` is joined, and whether it can be.
    fn steps_to(&self, next: &PixelOp) -> Option<[u8; 2]> {
        match self.code {
            PixelCode::Varying => (next.n == self.n + i32::from(self.count)).then_some([0; 2]),
            PixelCode::Mov | PixelCode::Mul | PixelCode::Add => {
                let used = sources(self.code);
                let alike = [(self.a, next.a), (self.b, next.b)]
                    .iter()
                    .take(used)
                    .all(|(a, b)| (a.and, a.xor) == (b.and, b.xor));
                let scaled = self.scale != 1.0 || next.scale != 1.0;
                if !alike || scaled {
                    return None;
                }
                let steps = [
                    self.step_to(self.a, next.a, 0)?,
                    self.step_to(self.b, next.b, 1)?,
                ];
                Some(steps)
            }
            _ => None,
        }
    }

    /// The same for one source.
    fn step_to(&self, from: Src, to: Src, which: usize) -> Option<u8> {
        if which >= sources(self.code) {
            return Some(0);
        }
        let count = u16::from(self.count);
        let step = [0, 1].into_iter().find(|s| to.at == from.at + s * count)? as u8;
        let same = self.count == 1 || self.steps[which] == step;
        (same && from.is_row() == to.is_row()).then_some(step)
    }
}
