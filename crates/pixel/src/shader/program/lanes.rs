//! What a program works on: inputs, registers and constants of eight blocks of pixels.

use super::input;
use super::plan::{INPUT_ROWS, INPUTS, Kind, Origin, Place, Plan, SETS, Step, limited};
use isotherm_lanes::{Base, LANES, Lane, Simd};
use isotherm_regs::fp::Limit;

/// Blocks that take their steps together: as many as the first cache holds.
pub(crate) const BLOCKS: usize = 8;

/// A component of all blocks, one after the other: a step finds its rows once for all of them,
/// and one vector instruction finds a block's in one line of cache.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows(pub(super) [Lane; BLOCKS]);

pub(super) const ZERO: Rows = Rows([[0.0; LANES]; BLOCKS]);

/// Lanes of all blocks.
pub(crate) const ALL_LANES: usize = BLOCKS * LANES;

/// Sixteen lanes from `first` on, which may be in two blocks.
#[inline(always)]
pub(super) fn lanes_from<T>(blocks: &[[T; LANES]; BLOCKS], first: usize) -> &[T; LANES] {
    let (_, from) = blocks.as_flattened().split_at(first.min(ALL_LANES - LANES));
    from.first_chunk().unwrap_or(&blocks[0])
}

/// What a program finds in front of it and leaves behind. All of it lies in memory, not in
/// local variables, so that the operations stay small and apart.
/// It is small itself, so that it may be moved about.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    /// Curie's two condition registers.
    pub(super) cc: Box<[[[Lane; 4]; 2]; BLOCKS]>,
    /// Inputs, registers, unpacked sources, what a step computes, constants.
    pub(super) rows: Vec<Rows>,
    /// The plan whose constants are in their place.
    pub(super) plan: u64,
    /// The first of the sixteen lanes whose inputs are meant. Programs run on the first blocks.
    pub lane: usize,
    /// Pixels have left their quads; footprints are known.
    pub(super) apart: bool,
    /// Lanes that KIL took.
    pub(super) killed: [u32; BLOCKS],
    /// Steps that programs with branches may still take.
    pub left: u64,
}

/// The inputs at the lanes that are meant. Where they lie is found once, not again for each of
/// them.
pub(crate) struct Inputs<'a> {
    pub(super) rows: &'a mut [Rows; 4 * INPUTS],
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
    pub(super) fn start(&mut self, plan: &Plan, all: bool) {
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
    pub(super) fn place(&mut self, plan: &Plan) {
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

    pub(super) fn register_of(&self, block: usize, place: Place, c: usize) -> Lane {
        let mut out = [0.0; LANES];
        Base::store(self.component::<Base>(block, place, c), &mut out);
        out
    }

    /// The same where a level computes.
    #[inline(always)]
    pub(super) fn component<S: Simd>(&self, block: usize, place: Place, c: usize) -> S::F {
        let row = S::load(self.block(place.row_of(c), block));
        match place.kind {
            Kind::Whole => row,
            Kind::Low | Kind::High => half::<S>(S::to_bits(row), c),
        }
    }

    /// Lanes that KIL took.
    pub(crate) fn killed(&self) -> u32 {
        self.killed[self.lane / LANES % BLOCKS]
    }

    /// Puts sources that do not lie ready in rows of their own. `index` is the address
    /// register.
    #[inline(always)]
    pub(super) fn unpack<S: Simd>(&mut self, block: usize, plan: &Plan, step: &Step, index: u32) {
        for (i, src) in step.src.iter().enumerate() {
            let Some(staged) = src.staged else { continue };
            let first = plan.unpacked + 4 * i;
            for c in 0..4 {
                let mut value = match staged.from {
                    Origin::Halves(place) => {
                        let mut halves = [0.0; LANES];
                        S::store(self.component::<S>(block, place, c), &mut halves);
                        halves
                    }
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
    pub(super) fn set(&self, block: usize, number: u32, c: usize) -> Lane {
        if number < SETS as u32 {
            self.rows[4 * (input::TEX + number as usize) + c].0[block % BLOCKS]
        } else {
            [0.0; LANES]
        }
    }

    /// A coordinate as it is interpolated: 1/w times what perspective makes of it.
    pub(super) fn undivided(&self, block: usize, value: &Lane) -> Lane {
        let one_over_w = &self.rows[4 * input::POSITION + 3].0[block % BLOCKS];
        std::array::from_fn(|i| value[i] * one_over_w[i])
    }
}

/// The half floats of an even or odd component in words.
#[inline(always)]
pub(super) fn half<S: Simd>(words: S::I, c: usize) -> S::F {
    match c % 2 {
        0 => S::of_halves(words),
        _ => S::of_halves(S::shr::<16>(words)),
    }
}

/// Words with other half floats as an even or odd component.
#[inline(always)]
pub(super) fn with_half<S: Simd>(words: S::I, c: usize, x: S::F) -> S::I {
    let half = S::to_halves(x);
    match c % 2 {
        0 => S::ior(S::iand(words, S::isplat(!0xffff)), half),
        _ => S::ior(S::iand(words, S::isplat(0xffff)), S::shl::<16>(half)),
    }
}
