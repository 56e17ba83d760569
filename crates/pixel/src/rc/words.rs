//! The words of the combiners, taken apart once per state change.

use super::Bundles;
use isotherm_regs::Chip;
use isotherm_regs::Family;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;

/// What an input does to the register's value first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// max(0, x)
    UnsignedIdentity,
    /// 1 - clamp(x)
    UnsignedInvert,
    /// 2 max(0, x) - 1
    ExpandNormal,
    /// 1 - 2 max(0, x)
    ExpandNegate,
    /// max(0, x) - 1/2
    HalfBiasNormal,
    /// 1/2 - max(0, x)
    HalfBiasNegate,
    /// x
    SignedIdentity,
    /// -x
    SignedNegate,
}

impl Map {
    const ALL: [Map; 8] = [
        Map::UnsignedIdentity,
        Map::UnsignedInvert,
        Map::ExpandNormal,
        Map::ExpandNegate,
        Map::HalfBiasNormal,
        Map::HalfBiasNegate,
        Map::SignedIdentity,
        Map::SignedNegate,
    ];
}

/// What happens to a result before it is clamped and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// x
    Identity,
    /// x - 1/2
    Bias,
    /// 2 x
    ShiftLeft1,
    /// 2 (x - 1/2)
    ShiftLeft1Bias,
    /// 4 x
    ShiftLeft2,
    /// x / 2
    ShiftRight1,
}

impl Op {
    fn new(scale: u32, bias: bool) -> Op {
        match (scale, bias) {
            (b::RC_SCALE::NONE, false) => Op::Identity,
            (b::RC_SCALE::NONE, true) => Op::Bias,
            (b::RC_SCALE::SCALE_BY_TWO, false) => Op::ShiftLeft1,
            (b::RC_SCALE::SCALE_BY_TWO, true) => Op::ShiftLeft1Bias,
            // A bias with the last two scales does not exist in the documents;
            // taken as absent.
            (b::RC_SCALE::SCALE_BY_FOUR, _) => Op::ShiftLeft2,
            _ => Op::ShiftRight1,
        }
    }
}

/// Only colours, textures and temporaries can be written; anything else discards.
fn destination(register: u32) -> u8 {
    match register {
        r @ (4 | 5 | 8..=13) => r as u8,
        _ => 0,
    }
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    /// Register number.
    pub reg: u8,
    /// Read the alpha channel (else RGB; in an alpha portion: blue).
    pub alpha: bool,
    /// Input mapping.
    pub map: Map,
}

/// The fields of one operand: register, component, mapping.
type InputFields = [Field; 3];

/// Takes the fields NAME_INPUT, NAME_COMPONENT_USAGE, NAME_MAPPING of a word.
macro_rules! operands {
    ($word:ident: $($input:ident $usage:ident $map:ident),*) => {
        [$([b::$word::$input, b::$word::$usage, b::$word::$map]),*]
    };
}

const IN_COLOR: [InputFields; 4] = operands!(RC_IN_COLOR:
    A_INPUT A_COMPONENT_USAGE A_MAPPING, B_INPUT B_COMPONENT_USAGE B_MAPPING,
    C_INPUT C_COMPONENT_USAGE C_MAPPING, D_INPUT D_COMPONENT_USAGE D_MAPPING);
const IN_ALPHA: [InputFields; 4] = operands!(RC_IN_ALPHA:
    A_INPUT A_COMPONENT_USAGE A_MAPPING, B_INPUT B_COMPONENT_USAGE B_MAPPING,
    C_INPUT C_COMPONENT_USAGE C_MAPPING, D_INPUT D_COMPONENT_USAGE D_MAPPING);
const FINAL_ABCD: [InputFields; 4] = operands!(RC_FINAL_A:
    A_INPUT A_COMPONENT_USAGE A_MAPPING, B_INPUT B_COMPONENT_USAGE B_MAPPING,
    C_INPUT C_COMPONENT_USAGE C_MAPPING, D_INPUT D_COMPONENT_USAGE D_MAPPING);
const FINAL_EFG: [InputFields; 3] = operands!(RC_FINAL_B:
    E_INPUT E_COMPONENT_USAGE E_MAPPING, F_INPUT F_COMPONENT_USAGE F_MAPPING,
    G_INPUT G_COMPONENT_USAGE G_MAPPING);

impl Input {
    fn new(chip: Chip, word: u32, [input, usage, map]: InputFields) -> Input {
        Input {
            reg: input.get(chip, word) as u8,
            alpha: usage.is_set(chip, word),
            map: Map::ALL[map.get(chip, word) as usize & 7],
        }
    }
}

/// The RGB or the alpha half of a general combiner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portion {
    /// A, B, C, D.
    pub inputs: [Input; 4],
    /// Register of A*B (0: discard).
    pub ab: u8,
    /// Register of C*D (0: discard).
    pub cd: u8,
    /// Register of the sum (0: discard).
    pub sum: u8,
    /// A*B is a dot product.
    pub ab_dot: bool,
    /// C*D is a dot product.
    pub cd_dot: bool,
    /// The sum is a choice between A*B and C*D.
    pub mux: bool,
    /// The operation on all three results.
    pub op: Op,
    /// The blue of A*B also goes to its register's alpha.
    pub ab_blue_to_alpha: bool,
    /// The blue of C*D also goes to its register's alpha.
    pub cd_blue_to_alpha: bool,
}

impl Portion {
    fn color(chip: Chip, inputs: u32, out: u32) -> Portion {
        use b::RC_OUT_COLOR as O;
        let f = |f: Field| f.get(chip, out);
        Portion {
            inputs: IN_COLOR.map(|i| Input::new(chip, inputs, i)),
            ab: destination(f(O::AB_OUTPUT)),
            cd: destination(f(O::CD_OUTPUT)),
            sum: destination(f(O::SUM_OUTPUT)),
            ab_dot: f(O::AB_DOT_PRODUCT) != 0,
            cd_dot: f(O::CD_DOT_PRODUCT) != 0,
            mux: f(O::MUX_SUM) != 0,
            op: Op::new(f(O::SCALE), f(O::BIAS) != 0),
            ab_blue_to_alpha: f(O::AB_BLUE_TO_ALPHA) != 0,
            cd_blue_to_alpha: f(O::CD_BLUE_TO_ALPHA) != 0,
        }
    }

    fn alpha(chip: Chip, inputs: u32, out: u32) -> Portion {
        use b::RC_OUT_ALPHA as O;
        let f = |f: Field| f.get(chip, out);
        Portion {
            inputs: IN_ALPHA.map(|i| Input::new(chip, inputs, i)),
            ab: destination(f(O::AB_OUTPUT)),
            cd: destination(f(O::CD_OUTPUT)),
            sum: destination(f(O::SUM_OUTPUT)),
            ab_dot: false,
            cd_dot: false,
            mux: f(O::MUX_SUM) != 0,
            op: Op::new(f(O::SCALE), f(O::BIAS) != 0),
            ab_blue_to_alpha: false,
            cd_blue_to_alpha: false,
        }
    }

    /// Does the portion write nothing?
    pub fn idle(&self) -> bool {
        self.ab == 0 && self.cd == 0 && self.sum == 0
    }
}

/// One general combiner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Colour half.
    pub rgb: Portion,
    /// Alpha half.
    pub alpha: Portion,
}

/// The final combiner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Final {
    /// A, B, C, D, E, F, G.
    pub inputs: [Input; 7],
    /// Limit the colour sum to 1.
    pub clamp_sum: bool,
    /// Add 1 - secondary colour.
    pub invert_col1: bool,
    /// Add 1 - spare 0.
    pub invert_spare0: bool,
}

/// What selects code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    stages: [Stage; 8],
    count: u8,
    /// Mux by R0.a >= 1/2 (else by its lowest bit).
    pub mux_msb: bool,
    /// The final combiner.
    pub last: Final,
}

impl Control {
    /// The general combiners that run.
    pub fn stages(&self) -> &[Stage] {
        &self.stages[..self.count as usize]
    }
}

/// Colour words, R G B A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Factors 0 and 1 of each general combiner.
    pub factors: [[[i32; 4]; 2]; 8],
    /// Factors 0 and 1 of the final combiner.
    pub final_factors: [[i32; 4]; 2],
    /// Fog colour; its alpha is replaced by the factor.
    pub fog: [i32; 4],
}

/// A8R8G8B8 as R, G, B, A.
pub fn argb(word: u32) -> [i32; 4] {
    [16, 8, 0, 24].map(|shift| (word >> shift & 255) as i32)
}

impl super::Combiners {
    /// Derives the unit's state from the words.
    pub fn prepare(chip: Chip, bundles: &Bundles) -> super::Combiners {
        let celsius = chip.family() == Family::Celsius;
        // Celsius keeps count and mux mode in the second combiner's output word,
        // and has one pair of factors for all (hwtest's Celsius class on Kelvin).
        let (count, mux_msb, each) = if celsius {
            let op = b::RC_OUT_COLOR::OPERATION.get(chip, bundles.RC_OUT_COLOR[1]);
            ((op >> 1).min(2), op & 1 != 0, [false; 2])
        } else {
            use b::RC_CONFIG as C;
            let f = |f: Field| f.get(chip, bundles.RC_CONFIG);
            (
                f(C::NUM_COMBINERS).min(8),
                f(C::MUX_SELECT) == b::RC_MUX::MSB,
                [C::FACTOR0, C::FACTOR1].map(|m| f(m) == b::RC_FACTOR_MODE::EACH_STAGE),
            )
        };
        let stages = std::array::from_fn(|i| {
            let (inputs, out) = (&bundles.RC_IN_COLOR, &bundles.RC_OUT_COLOR);
            let (alpha_inputs, alpha_out) = (&bundles.RC_IN_ALPHA, &bundles.RC_OUT_ALPHA);
            Stage {
                rgb: Portion::color(chip, inputs[i], out[i]),
                alpha: Portion::alpha(chip, alpha_inputs[i], alpha_out[i]),
            }
        });
        let factor = |words: &[u32; 8], i: usize, each: bool| argb(words[if each { i } else { 0 }]);
        let factors = std::array::from_fn(|i| {
            [
                factor(&bundles.RC_FACTOR_A, i, each[0]),
                factor(&bundles.RC_FACTOR_B, i, each[1]),
            ]
        });
        let final_factors = if celsius {
            factors[0]
        } else {
            [0, 1].map(|i| argb(bundles.RC_FINAL_FACTOR[i]))
        };
        let [fa, fb, fc, fd] = FINAL_ABCD.map(|i| Input::new(chip, bundles.RC_FINAL_A, i));
        let last = bundles.RC_FINAL_B;
        let [fe, ff, fg] = FINAL_EFG.map(|i| Input::new(chip, last, i));
        super::Combiners {
            control: Control {
                stages,
                count: count as u8,
                mux_msb,
                last: Final {
                    inputs: [fa, fb, fc, fd, fe, ff, fg],
                    clamp_sum: b::RC_FINAL_B::COLOR_SUM_CLAMP.is_set(chip, last),
                    invert_col1: b::RC_FINAL_B::SECONDARY_INVERT.is_set(chip, last),
                    invert_spare0: b::RC_FINAL_B::SPARE0_INVERT.is_set(chip, last),
                },
            },
            data: Data {
                factors,
                final_factors,
                fog: argb(bundles.FOG_COLOR),
            },
        }
    }
}
