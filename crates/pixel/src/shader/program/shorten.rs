//! Leaves out of a straight program's operations what nobody needs: copies, what was computed
//! already, and what is not looked at again.

use super::list::{Code, Formula, RowOp};
use super::operations::Sums;
use super::plan::{Place, Plan, Round};
use std::collections::HashMap;

/// The operations of a program that has run through them to the end. All of its lanes run, so an
/// operation replaces all of its row.
pub(super) fn shortened(plan: &Plan, ops: &[RowOp]) -> Vec<RowOp> {
    // Which rows these read and write depends on more than the operation.
    let depends = |op: &RowOp| matches!(op.code, Code::Write | Code::Unpack);
    if ops.iter().any(depends) {
        return ops.to_vec();
    }
    let mut values = Values::new(plan);
    let ops: Vec<RowOp> = ops.iter().map(|op| values.take(plan, *op)).collect();
    needed(plan, &ops)
}

/// A value that rows hold; several may hold the same one.
type Value = u32;

/// What an operation computes: the operation, its operands, and what its step does besides.
type Formed = (Code, Sums, [Value; 3], Option<(u32, bool, Round)>);

/// Which rows hold the same values.
struct Values {
    /// By rows.
    held: Vec<Value>,
    /// The row that got a value first, by values.
    homes: Vec<u32>,
    formed: HashMap<Formed, Value>,
}

impl Values {
    fn new(plan: &Plan) -> Values {
        let rows = (plan.first_const + plan.consts.len()) as u32;
        Values {
            held: (0..rows).collect(),
            homes: (0..rows).collect(),
            formed: HashMap::new(),
        }
    }

    /// A row that holds what this one holds: the first one, if it still does.
    fn home(&self, row: u32) -> u32 {
        let value = self.held[row as usize];
        let home = self.homes[value as usize];
        match self.held[home as usize] == value {
            true => home,
            false => row,
        }
    }

    /// A row gets a value that no other one has.
    fn fresh(&mut self, row: u32) -> Value {
        let value = self.homes.len() as Value;
        self.homes.push(row);
        self.held[row as usize] = value;
        value
    }

    /// An operation, reading the first rows of its values; a copy if that is all that is left.
    fn take(&mut self, plan: &Plan, mut op: RowOp) -> RowOp {
        let reads = op.reads();
        for row in &mut op.rows[..reads] {
            *row = self.home(*row);
        }
        match op.code {
            Code::Copy | Code::Formula(Formula::Mov) => {
                self.held[op.to as usize] = self.held[op.rows[0] as usize];
                op.code = Code::Copy;
            }
            Code::Formula(_) | Code::Modify | Code::Finish | Code::Half(_) | Code::Pack(_) => {
                self.form(plan, &mut op);
            }
            Code::Whole => {
                for row in written(plan, &op) {
                    self.fresh(row);
                }
            }
            Code::Write | Code::Kill | Code::Unpack => {}
        }
        op
    }

    fn form(&mut self, plan: &Plan, op: &mut RowOp) {
        let mut operands = op.rows;
        let reads = op.reads();
        for operand in &mut operands[..reads] {
            *operand = self.held[*operand as usize];
        }
        // Behind them are the masks of Modify; what formulas have there means nothing.
        if matches!(op.code, Code::Formula(_)) {
            operands[reads..].fill(0);
        }
        let step = &plan.steps[op.step as usize];
        let finish = matches!(op.code, Code::Finish | Code::Pack(_));
        let finish = finish.then_some((step.scale.to_bits(), step.sat, step.round));
        let formed = (op.code, op.sums, operands, finish);
        if let Some(&value) = self.formed.get(&formed) {
            let home = self.homes[value as usize];
            if self.held[home as usize] == value {
                op.code = Code::Copy;
                op.rows = [home, 0, 0];
                self.held[op.to as usize] = value;
                return;
            }
        }
        let value = self.fresh(op.to);
        self.formed.insert(formed, value);
    }
}

/// Rows that an operation writes.
fn written(plan: &Plan, op: &RowOp) -> Vec<u32> {
    match op.code {
        Code::Whole => {
            let mask = plan.steps[op.step as usize].mask;
            (0..4)
                .filter(|c| mask >> c & 1 != 0)
                .map(|c| op.to + c)
                .collect()
        }
        Code::Kill | Code::Write | Code::Unpack => Vec::new(),
        _ => vec![op.to],
    }
}

/// Those whose results somebody reads.
fn needed(plan: &Plan, ops: &[RowOp]) -> Vec<RowOp> {
    let mut read = vec![false; plan.first_const + plan.consts.len()];
    let results = [plan.color].into_iter().chain(plan.more.iter().copied());
    for Place { row, .. } in results.chain(plan.depth) {
        read[row as usize..][..4].fill(true);
    }
    let mut kept = Vec::new();
    for op in ops.iter().rev() {
        let rows = written(plan, op);
        let is_needed = match op.code {
            // It may give lanes up.
            Code::Whole | Code::Kill => true,
            Code::Copy => op.rows[0] != op.to && read[op.to as usize],
            _ => rows.iter().any(|&row| read[row as usize]),
        };
        if !is_needed {
            continue;
        }
        for row in rows {
            read[row as usize] = false;
        }
        for &row in &op.rows[..op.reads()] {
            read[row as usize] = true;
        }
        if op.code == Code::Whole {
            let sources = plan.steps[op.step as usize].src;
            for row in sources.iter().flat_map(|source| source.rows) {
                read[row as usize] = true;
            }
        }
        kept.push(*op);
    }
    kept.reverse();
    kept
}
