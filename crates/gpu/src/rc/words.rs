//! The words of the combiners, taken apart once per state change.

use crate::Chip;
use crate::bundle::Words;
use isotherm_regs::Family;
use isotherm_regs::bundle as b;

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

impl Input {
    fn new(byte: u32) -> Input {
        Input {
            reg: (byte & 15) as u8,
            alpha: byte & 0x10 != 0,
            map: Map::ALL[(byte >> 5 & 7) as usize],
        }
    }

    /// A, B, C, D from the high byte down.
    fn four(word: u32) -> [Input; 4] {
        [24, 16, 8, 0].map(|shift| Input::new(word >> shift))
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
    fn new(inputs: u32, out: u32, rgb: bool) -> Portion {
        // A register that no output may name keeps its value: only colours,
        // textures and temporaries can be written.
        let dst = |shift: u32| match out >> shift & 15 {
            r @ (4 | 5 | 8..=13) => r as u8,
            _ => 0,
        };
        let bit = |n: u32| out >> n & 1 != 0;
        Portion {
            inputs: Input::four(inputs),
            ab: dst(4),
            cd: dst(0),
            sum: dst(8),
            ab_dot: rgb && bit(13),
            cd_dot: rgb && bit(12),
            mux: bit(14),
            op: match (out >> 16 & 3, bit(15)) {
                (0, false) => Op::Identity,
                (0, true) => Op::Bias,
                (1, false) => Op::ShiftLeft1,
                (1, true) => Op::ShiftLeft1Bias,
                // A bias with the last two scales does not exist in the
                // documents; taken as absent.
                (2, _) => Op::ShiftLeft2,
                _ => Op::ShiftRight1,
            },
            ab_blue_to_alpha: rgb && bit(19),
            cd_blue_to_alpha: rgb && bit(18),
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
    pub fn prepare(chip: Chip, words: &Words) -> super::Combiners {
        let celsius = chip.family() == Family::Celsius;
        // Celsius keeps count and mux mode in the second combiner's output word,
        // and has one pair of factors for all (hwtest's Celsius class on Kelvin).
        let (count, mux_msb, each) = if celsius {
            let out = words.at(b::RC_OUT_COLOR, 1);
            ((out >> 28 & 3).min(2), out >> 27 & 1 != 0, [false; 2])
        } else {
            let config = words.get(b::RC_CONFIG);
            (
                (config & 15).min(8),
                config >> 8 & 1 != 0,
                [config >> 12 & 1 != 0, config >> 16 & 1 != 0],
            )
        };
        let stages = std::array::from_fn(|i| {
            let i = if celsius { i.min(1) } else { i };
            Stage {
                rgb: Portion::new(
                    words.at(b::RC_IN_COLOR, i),
                    words.at(b::RC_OUT_COLOR, i) & if celsius { 0x3_ffff } else { !0 },
                    true,
                ),
                alpha: Portion::new(
                    words.at(b::RC_IN_ALPHA, i),
                    words.at(b::RC_OUT_ALPHA, i),
                    false,
                ),
            }
        });
        let factor =
            |bundle, i: usize, each: bool| argb(words.at(bundle, if each { i } else { 0 }));
        let factors = std::array::from_fn(|i| {
            [
                factor(b::RC_FACTOR_A, i, each[0]),
                factor(b::RC_FACTOR_B, i, each[1]),
            ]
        });
        let final_factors = if celsius {
            factors[0]
        } else {
            [0, 1].map(|i| argb(words.at(b::RC_FINAL_FACTOR, i)))
        };
        let [fa, fb, fc, fd] = Input::four(words.get(b::RC_FINAL_A));
        let last = words.get(b::RC_FINAL_B);
        let [fe, ff, fg, _] = Input::four(last);
        super::Combiners {
            control: Control {
                stages,
                count: count as u8,
                mux_msb,
                last: Final {
                    inputs: [fa, fb, fc, fd, fe, ff, fg],
                    clamp_sum: last & 0x80 != 0,
                    invert_col1: last & 0x40 != 0,
                    invert_spare0: last & 0x20 != 0,
                },
            },
            data: Data {
                factors,
                final_factors,
                fog: argb(words.get(b::FOG_COLOR)),
            },
        }
    }
}
