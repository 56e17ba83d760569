//! Register combiners: general combiners 0 to 7 and the final combiner.
//!
//! A register holds four signed integers per fragment with 1.0 = 255. Every
//! general combiner forms A*B, C*D and their sum (or picks one of them), three
//! times for RGB and once for alpha; the final combiner blends the registers to
//! the fragment's colour. Celsius has two general combiners and the same final one.

mod arith;
mod bundles;
mod explain;
mod final_combiner;
mod general;
mod plan;
mod words;

pub use bundles::Bundles;
pub(crate) use plan::put_texels;
pub use plan::{
    BLOCKS, KnownInputs, Modulate, Passthrough, Plan, Slots, TextureRange, Values, slot,
};
pub use words::{Control, Data, Final, Input, Map, Op, Portion, Stage};

use crate::frag::{I, LANES};
use isotherm_regs::Chip;

/// Register numbers, as the input and output fields of the words name them.
pub mod reg {
    /// Reads 0; as an output: discard.
    pub const ZERO: usize = 0;
    /// Constant colour 0 of the stage.
    pub const FACTOR_0: usize = 1;
    /// Constant colour 1 of the stage.
    pub const FACTOR_1: usize = 2;
    /// Fog colour, and the fog factor as alpha.
    pub const FOG: usize = 3;
    /// Primary (diffuse) colour.
    pub const COL0: usize = 4;
    /// Secondary (specular) colour.
    pub const COL1: usize = 5;
    /// Result of texture stage 0; stages 1 to 3 follow.
    pub const TEX0: usize = 8;
    /// First temporary.
    pub const SPARE0: usize = 12;
    /// Second temporary.
    pub const SPARE1: usize = 13;
    /// Final combiner only: spare 0 plus the secondary colour.
    pub const SPARE0_PLUS_COL1: usize = 14;
    /// Final combiner only: E * F.
    pub const E_TIMES_F: usize = 15;
}

/// The sixteen registers of a block of fragments: register, channel R G B A, lane.
pub type Registers = [[I; 4]; 16];

/// All registers 0.
pub const CLEAR: Registers = [[[0; LANES]; 4]; 16];

/// The unit and its plan, prepared for a state.
#[derive(Clone, Debug)]
pub struct PreparedCombiners {
    /// What they were made of.
    from: Bundles,
    /// What the state says about the inputs.
    pub known: KnownInputs,
    /// What the words say.
    pub words: Combiners,
    /// The same as a short list, if one is enough.
    pub plan: Option<Plan>,
}

impl PreparedCombiners {
    /// From the registers.
    pub fn new(chip: Chip, from: &Bundles, known: KnownInputs) -> PreparedCombiners {
        let words = Combiners::prepare(chip, from);
        PreparedCombiners {
            from: from.clone(),
            plan: Plan::new(&words, &known),
            known,
            words,
        }
    }

    /// Would these registers of the same chip give the same?
    pub fn fits(&self, from: &Bundles, known: &KnownInputs) -> bool {
        self.from == *from && self.known == *known
    }
}

/// The unit as its words describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combiners {
    /// What selects code.
    pub control: Control,
    /// What is data.
    pub data: Data,
}

impl Combiners {
    /// Runs all combiners. The caller has filled the colour, fog and texture
    /// registers; SPARE0's alpha starts as texture 0's alpha (Combiner goldens),
    /// the rest of the temporaries as 0.
    ///
    /// Returns R, G, B, A as 0..=255.
    #[inline(always)]
    pub fn run(&self, regs: &mut Registers) -> [I; 4] {
        self.start(regs);
        for (stage, factors) in self.control.stages().iter().zip(&self.data.factors) {
            Combiners::factors(regs, factors);
            general::run(stage, self.control.mux_msb, regs);
        }
        Combiners::factors(regs, &self.data.final_factors);
        final_combiner::run(&self.control.last, regs)
    }

    #[inline(always)]
    fn start(&self, regs: &mut Registers) {
        for c in 0..3 {
            regs[reg::FOG][c] = [self.data.fog[c]; LANES];
        }
        regs[reg::SPARE0][3] = regs[reg::TEX0][3];
    }

    #[inline(always)]
    fn factors(regs: &mut Registers, factors: &[[i32; 4]; 2]) {
        for c in 0..4 {
            regs[reg::FACTOR_0][c] = [factors[0][c]; LANES];
            regs[reg::FACTOR_1][c] = [factors[1][c]; LANES];
        }
    }
}

#[cfg(test)]
mod tests;
