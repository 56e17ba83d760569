//! What a program in flight holds, for a batch of vertices.

use super::super::arith::{Lanes, ONE};
use super::super::lanes::attr;
use super::super::{LANES, VtxIn};
use super::Plan;
use super::file::{self, File};
use isotherm_regs::xf::isa::Inst;

/// A number of each vertex.
pub(super) type L = Lanes<LANES>;
/// A vector register of each vertex.
pub(super) type Row = [L; 4];

/// Rows of the largest output buffer that an instruction can address.
pub(crate) const OUTPUTS: usize = 32;
pub(crate) const TEMPS: usize = 32;
/// Where Kelvin code reads its position back.
pub(crate) const POSITION_SHADOW: usize = 12;
const STACK: usize = 8;

/// Output rows as the last vertex left them. What Kelvin code does not write
/// keeps them: the buffer is not cleared between vertices. Code with conditions
/// would make that depend on the order in which vertices run side by side; its
/// unwritten outputs are undefined by its specification and start as (0, 0, 0, 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tbuf {
    pub(crate) rows: [[u32; 4]; OUTPUTS],
    /// Fog coordinate and point size, the component that was last written.
    pub(crate) fog: u32,
    pub(crate) point_size: u32,
}

impl Tbuf {
    /// What a program finds in its outputs.
    pub(super) fn before(&self, plan: &Plan) -> &Tbuf {
        if plan.position_shadow { self } else { &FRESH }
    }
}

/// Every output (0, 0, 0, 1).
static FRESH: Tbuf = Tbuf {
    rows: [[0, 0, 0, ONE]; OUTPUTS],
    fog: 0,
    point_size: 0,
};

impl Default for Tbuf {
    fn default() -> Tbuf {
        Tbuf {
            rows: [[0; 4]; OUTPUTS],
            fog: 0,
            point_size: 0,
        }
    }
}

/// Programs of a batch of vertices in flight.
#[derive(Clone, Debug)]
pub struct Machine {
    /// XFREG, inputs, TBUF, CREG and what else holds a float.
    pub(super) file: Box<File>,
    /// AREG.
    pub(crate) addr: [[[i32; LANES]; 4]; 2],
    /// PC; beyond the code for a vertex that has ended.
    pub(super) pc: L,
    /// ICNT.
    pub(super) lane_count: L,
    stack: [[[i32; 4]; STACK]; LANES],
    depth: [u8; LANES],
    /// Instructions that were run for all lanes at once, where their number is not known before.
    pub(crate) steps: u64,
    /// What a block has overwritten.
    pub(super) kept: Vec<L>,
}

/// "Equal": the condition register after a reset.
pub(crate) const CC_EQUAL: u32 = 2;

impl Machine {
    /// A machine at rest.
    pub fn new() -> Machine {
        Machine {
            file: File::new(),
            addr: [[[0; LANES]; 4]; 2],
            pc: [0; LANES],
            lane_count: [0; LANES],
            stack: [[[0; 4]; STACK]; LANES],
            depth: [0; LANES],
            steps: 0,
            kept: Vec::new(),
        }
    }

    /// What the outputs in a set hold before a program writes them.
    #[inline(always)]
    pub(crate) fn fill_outputs(&mut self, plan: &Plan, tbuf: &Tbuf, mut set: u32) {
        let tbuf = tbuf.before(plan);
        while set != 0 {
            let row = set.trailing_zeros() as usize;
            set &= set - 1;
            for (lanes, &x) in self.file[file::OUT + row].iter_mut().zip(&tbuf.rows[row]) {
                *lanes = [x; LANES];
            }
        }
        self.file[file::NUMBERS][0] = [tbuf.fog; LANES];
        self.file[file::NUMBERS][1] = [tbuf.point_size; LANES];
    }

    /// Loads vertices.
    #[inline(always)]
    pub(crate) fn start(&mut self, plan: &Plan, vertices: &[VtxIn; LANES]) {
        let mut inputs = plan.inputs;
        while inputs != 0 {
            let i = inputs.trailing_zeros() as usize;
            inputs &= inputs - 1;
            self.file[file::INPUT + i] = attr(vertices, i);
        }
        // The register file is cleared after each program; what nobody reads may stay.
        let mut temps = plan.temps;
        while temps != 0 {
            self.file[file::TEMP + temps.trailing_zeros() as usize] = [[0; LANES]; 4];
            temps &= temps - 1;
        }
        self.file[file::POSITION] = [[0; LANES]; 4];
        self.addr = [[[0; LANES]; 4]; 2];
        if plan.flow | plan.conditions {
            self.file[file::CODES] = [[CC_EQUAL; LANES]; 4];
            self.file[file::CODES + 1] = [[CC_EQUAL; LANES]; 4];
        }
        if plan.flow {
            self.pc = [plan.entry as u32; LANES];
            self.lane_count = [0; LANES];
            self.depth = [0; LANES];
        }
    }

    /// A row of TBUF.
    #[inline(always)]
    pub(super) fn out(&self, row: usize) -> &Row {
        &self.file[file::OUT + row]
    }

    /// Fog coordinates, the component that was last written.
    #[inline(always)]
    pub(super) fn fog(&self) -> &L {
        &self.file[file::NUMBERS][0]
    }

    /// The same of point sizes.
    #[inline(always)]
    pub(super) fn point_size(&self) -> &L {
        &self.file[file::NUMBERS][1]
    }

    /// The output buffer of one lane.
    pub(crate) fn tbuf(&self, lane: usize) -> Tbuf {
        Tbuf {
            rows: core::array::from_fn(|r| core::array::from_fn(|c| self.out(r)[c][lane])),
            fog: self.fog()[lane],
            point_size: self.point_size()[lane],
        }
    }

    /// The address register component that the instruction indexes with.
    pub(super) fn index(&self, inst: &Inst, lane: usize) -> i32 {
        self.addr[usize::from(inst.addr_reg & 1)][usize::from(inst.addr_comp & 3)][lane]
    }

    /// Pushes onto a vertex's stack; false when it is full.
    pub(crate) fn push(&mut self, lane: usize, value: [i32; 4]) -> bool {
        let depth = usize::from(self.depth[lane]);
        match self.stack[lane].get_mut(depth) {
            Some(slot) => {
                *slot = value;
                self.depth[lane] += 1;
                true
            }
            None => false,
        }
    }

    /// Pops from a vertex's stack.
    pub(crate) fn pop(&mut self, lane: usize) -> Option<[i32; 4]> {
        let depth = self.depth[lane].checked_sub(1)?;
        self.depth[lane] = depth;
        Some(self.stack[lane][usize::from(depth)])
    }

    /// A temporary of one lane, for tracing.
    pub fn temporary(&self, reg: usize, lane: usize) -> [u32; 4] {
        core::array::from_fn(|c| self.file[file::TEMP + reg % TEMPS][c][lane % LANES])
    }

    /// An output row of one lane, for tracing.
    pub fn output(&self, row: usize, lane: usize) -> [u32; 4] {
        core::array::from_fn(|c| self.out(row % OUTPUTS)[c][lane % LANES])
    }

    /// An address register of one lane, for tracing.
    pub fn address(&self, reg: usize, lane: usize) -> [i32; 4] {
        core::array::from_fn(|c| self.addr[reg & 1][c][lane % LANES])
    }
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new()
    }
}
