//! Which lanes run: open blocks, loops and calls.

use super::plan::Branch;

/// Branches inside branches. The specification allows 48 in conditions and 4 elsewhere.
const DEEPEST: usize = 64;

/// An open branch.
#[derive(Clone, Copy)]
struct Frame {
    kind: Open,
    /// The step at which it does something.
    at: u32,
    /// Lanes that were running when it was opened.
    outer: u32,
    /// What counted as broken and returned outside.
    broken: u32,
    returned: u32,
    /// The address register outside.
    index: u32,
}

#[derive(Clone, Copy)]
enum Open {
    /// In the first block; lanes for the other one, and where both end.
    Then {
        others: u32,
        end: u32,
    },
    Else,
    /// `add` is what each round adds to the address register.
    Repeat {
        start: u32,
        left: u8,
        add: i8,
    },
    /// `last`: the program ends on return.
    Call {
        back: u32,
        last: bool,
    },
}

/// Which lanes run, and why others do not.
pub(super) struct Flow {
    frames: Vec<Frame>,
    pub active: u32,
    broken: u32,
    returned: u32,
    ended: u32,
    /// The address register.
    pub index: u32,
}

impl Flow {
    /// These lanes run.
    pub(super) fn new(active: u32) -> Flow {
        Flow {
            frames: Vec::new(),
            active,
            broken: 0,
            returned: 0,
            ended: 0,
            index: 0,
        }
    }

    /// The program is over for the lanes that run.
    pub(super) fn end(&mut self) {
        self.ended |= self.active;
        self.active = 0;
    }

    /// Those of `lanes` that have not left.
    fn staying(&self, lanes: u32) -> u32 {
        lanes & !(self.broken | self.returned | self.ended)
    }

    fn open(&mut self, kind: Open, at: u32) -> bool {
        if self.frames.len() == DEEPEST {
            return false;
        }
        self.frames.push(Frame {
            kind,
            at,
            outer: self.active,
            broken: self.broken,
            returned: self.returned,
            index: self.index,
        });
        true
    }

    /// Where to go on when step `pc` is reached, or no lane runs any more.
    pub(super) fn settle(&mut self, mut pc: u32) -> Option<u32> {
        while let Some(&frame) = self.frames.last() {
            if self.active != 0 && pc != frame.at {
                return Some(pc);
            }
            self.frames.pop();
            match frame.kind {
                Open::Then { others, end } => {
                    self.active = self.staying(others);
                    pc = frame.at;
                    if frame.at < end {
                        // The frame that was popped made room.
                        self.frames.push(Frame {
                            kind: Open::Else,
                            at: end,
                            ..frame
                        });
                    } else {
                        self.active = self.staying(frame.outer);
                    }
                }
                Open::Else => {
                    self.active = self.staying(frame.outer);
                    pc = frame.at;
                }
                // A loop around nothing is over at once.
                Open::Repeat { start, left, add }
                    if left > 1 && self.active != 0 && start != frame.at =>
                {
                    self.frames.push(Frame {
                        kind: Open::Repeat {
                            start,
                            left: left - 1,
                            add,
                        },
                        ..frame
                    });
                    self.index = self.index.saturating_add_signed(add.into());
                    return Some(start);
                }
                Open::Repeat { .. } => {
                    self.broken = frame.broken;
                    self.index = frame.index;
                    self.active = self.staying(frame.outer);
                    pc = frame.at;
                }
                Open::Call { back, last } => {
                    self.broken = frame.broken;
                    self.returned = frame.returned;
                    if last {
                        self.ended |= frame.outer;
                    }
                    self.active = self.staying(frame.outer);
                    pc = back;
                }
            }
        }
        (self.active != 0).then_some(pc)
    }

    /// Takes a branch whose condition holds in these lanes; says where to go on, `None`
    /// where the program has to be given up.
    pub(super) fn branch(
        &mut self,
        branch: Branch,
        holds: u32,
        pc: u32,
        last: bool,
    ) -> Option<u32> {
        let taken = self.active & holds;
        let next = pc + 1;
        let calls = taken != 0 && matches!(branch, Branch::Call { .. });
        if last && !calls {
            // Nothing is left that could run or not.
            self.end();
            return Some(next);
        }
        match branch {
            Branch::If { otherwise, end } => {
                let others = self.active & !holds;
                let kind = Open::Then { others, end };
                self.open(kind, otherwise.min(end)).then(|| {
                    self.active = taken;
                    next
                })
            }
            // A loop whose end lies before it never comes to it: what it draws is lost
            // (docs/accuracy/fragment.md).
            Branch::Repeat { end, .. } if end <= pc => {
                self.ended |= taken;
                self.active &= !taken;
                Some(next)
            }
            Branch::Repeat { count, end, index } => {
                let kind = Open::Repeat {
                    start: next,
                    left: count,
                    add: index.map_or(0, |(_, add)| add),
                };
                self.open(kind, end).then(|| {
                    self.broken = 0;
                    self.index = index.map_or(self.index, |(first, _)| first.into());
                    self.active = if count == 0 { 0 } else { taken };
                    next
                })
            }
            Branch::Call { target } if taken != 0 => {
                // Nothing but RET ends a subroutine.
                self.open(Open::Call { back: next, last }, u32::MAX)
                    .then(|| {
                        (self.broken, self.returned) = (0, 0);
                        self.active = taken;
                        target
                    })
            }
            Branch::Call { .. } => Some(next),
            Branch::Break => {
                self.broken |= taken;
                self.active &= !taken;
                Some(next)
            }
            Branch::Return => {
                if self
                    .frames
                    .iter()
                    .any(|f| matches!(f.kind, Open::Call { .. }))
                {
                    self.returned |= taken;
                } else {
                    self.ended |= taken;
                }
                self.active &= !taken;
                Some(next)
            }
        }
    }
}
