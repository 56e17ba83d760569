//! One instruction: its meaning and its words.

use super::layout::{self as f, Field, SOURCES, SrcFields};
use super::ops::Op;
use crate::Family;

/// Precision of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// fp32, the suffix R.
    #[default]
    Full,
    /// fp16, the suffix H.
    Half,
    /// fx12 (two's complement 2.10), the suffix X.
    Fixed,
    /// Mesa's table calls it signed 0.8 fixed point, Curie only.
    Unknown3,
}

/// A condition on the condition register's less, equal and greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the specification's names
pub enum Cond {
    Fl,
    Lt,
    Eq,
    Le,
    Gt,
    Ne,
    Ge,
    #[default]
    Tr,
}

/// A temporary register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reg {
    /// Its number.
    pub index: u8,
    /// H instead of R.
    pub half: bool,
}

/// Where a source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A temporary.
    Temp(Reg),
    /// The instruction's input.
    Input,
    /// The constant behind the instruction.
    Const,
    /// Type 3.
    Unknown,
}

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Src {
    /// Register file.
    pub source: Source,
    /// For x, y, z, w the component that is read.
    pub swizzle: [u8; 4],
    /// Negation, after the absolute value.
    pub neg: bool,
    /// Absolute value.
    pub abs: bool,
}

/// x, y, z, w.
pub const IDENTITY: [u8; 4] = [0, 1, 2, 3];

impl Src {
    /// What Mesa's encoder puts where an operation has no source: the input.
    pub const UNREAD: Src = Src {
        source: Source::Input,
        swizzle: IDENTITY,
        neg: false,
        abs: false,
    };
}

/// What happens to a source that is read with another precision, before its sign is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Nothing: numbers 0, and 5, which compilers write for NRM.
    #[default]
    None,
    /// It becomes a half float.
    Half,
    /// -2 … 2.
    Two,
    /// -1 … 1.
    One,
    /// 0 … 1.
    Unit,
}

/// What a branch says besides its condition. Offsets count words from the
/// program's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// IF: where the condition holds the instructions that follow, else those
    /// from `otherwise`; both blocks go on at `end`.
    If {
        /// First word of the other block; `end` if there is none.
        otherwise: u32,
        /// First word behind both.
        end: u32,
    },
    /// LOOP.
    Loop {
        /// How many times.
        count: u8,
        /// First value of the address register.
        start: u8,
        /// What each round adds.
        step: u8,
        /// First word behind the block.
        end: u32,
    },
    /// REP.
    Rep {
        /// How many times; drivers write the same number three times.
        counts: [u8; 3],
        /// First word behind the block.
        end: u32,
    },
    /// CAL.
    Call {
        /// The subroutine's first word.
        target: u32,
    },
    /// BRK, RET and unknown numbers.
    Plain,
}

impl Flow {
    /// Every place it names.
    pub fn targets(self) -> impl Iterator<Item = u32> {
        let (a, b) = match self {
            Flow::If { otherwise, end } => (Some(otherwise), Some(end)),
            Flow::Loop { end, .. } | Flow::Rep { end, .. } => (Some(end), None),
            Flow::Call { target } => (Some(target), None),
            Flow::Plain => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The fields of words 2 and 3 that it fills.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Flow::If { .. } => &[f::ELSE_OFFSET, f::END_OFFSET],
            Flow::Loop { .. } | Flow::Rep { .. } => &[f::COUNT, f::INDEX, f::INCR, f::END_OFFSET],
            Flow::Call { .. } => &[f::SUB_OFFSET],
            Flow::Plain => &[],
        }
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Its first word, counted from the program's.
    pub at: u32,
    /// Operation.
    pub op: Op,
    /// The program ends after it.
    pub end: bool,
    /// Destination; `None` where nothing but the condition register is written.
    pub out: Option<Reg>,
    /// Components that are written, x in bit 0; also those of the condition register.
    pub mask: u8,
    /// Clamp to 0 … 1.
    pub sat: bool,
    /// The condition register follows the result.
    pub cc_write: bool,
    /// It is the second of Curie's two condition registers that follows.
    pub cc_write_second: bool,
    /// And it is the second one that the condition looks at.
    pub cc_read_second: bool,
    /// Precision of the operation.
    pub precision: Precision,
    /// Scale of the result: 0 … 3 for 1, 2, 4, 8 and 5 … 7 for 1/2, 1/4, 1/8; 4 is unknown.
    pub scale: u8,
    /// Components are written where this holds.
    pub cond: Cond,
    /// Which component of the condition register each component looks at.
    pub cond_swizzle: [u8; 4],
    /// Input: 0 window position, 1 and 2 colours, 3 fog, 4 … 11 texture
    /// coordinates (12, 13 two more on Curie), 14 facing.
    pub input: u8,
    /// Texture unit.
    pub unit: u8,
    /// A texture's result becomes 2x - 1.
    pub expand: bool,
    /// Sources. A branch has the first one only, the others are [`Src::UNREAD`].
    pub src: [Src; 3],
    /// Precision of the input, where it is not full.
    pub input_precision: Precision,
    /// The address register chooses the input.
    pub indexed_input: bool,
    /// What is added to the address register.
    pub address_index: u16,
    /// Interpolation without perspective (believed).
    pub no_perspective: bool,
    /// A branch's offsets and counts; `None` for other instructions.
    pub flow: Option<Flow>,
    /// The four words behind the instruction when a source is a constant.
    pub constant: Option<[u32; 4]>,
    /// The instruction's words. [`Inst::encode`] takes from them whatever the
    /// members above do not say.
    pub words: [u32; 4],
}

impl Default for Inst {
    /// A NOP as drivers write it.
    fn default() -> Inst {
        Inst {
            at: 0,
            op: Op::Nop,
            end: false,
            out: Some(Reg::default()),
            mask: 0,
            sat: false,
            cc_write: false,
            cc_write_second: false,
            cc_read_second: false,
            precision: Precision::Full,
            scale: 0,
            cond: Cond::Tr,
            cond_swizzle: IDENTITY,
            input: 0,
            unit: 0,
            expand: false,
            src: [Src::UNREAD; 3],
            input_precision: Precision::Full,
            indexed_input: false,
            address_index: 0,
            no_perspective: false,
            flow: None,
            constant: None,
            words: [0; 4],
        }
    }
}

impl Inst {
    /// What four words mean. The constant stays `None`; see [`Inst::has_constant`].
    pub fn decode(family: Family, at: u32, words: [u32; 4]) -> Inst {
        let get = |field: Field| field.get(family, &words);
        let bit = |field: Field| field.is_set(family, &words);
        let branch = bit(f::IS_BRANCH);
        let op = Op::decode(family, get(f::OPCODE) as u8, branch);
        let mut inst = Inst {
            at,
            op,
            end: bit(f::END),
            out: (!bit(f::OUT_NONE)).then(|| Reg {
                index: get(f::OUT_REG) as u8,
                half: bit(f::OUT_HALF),
            }),
            mask: get(f::OUT_MASK) as u8,
            sat: bit(f::OUT_SAT),
            cc_write: bit(f::CC_WRITE),
            cc_write_second: bit(f::CC_WRITE_INDEX),
            cc_read_second: bit(f::CC_READ_INDEX),
            precision: Precision::from_bits(get(f::PRECISION)),
            cond: Cond::from_bits(get(f::COND)),
            cond_swizzle: unpack_swizzle(get(f::COND_SWZ)),
            input: get(f::INPUT_SRC) as u8,
            unit: get(f::TEX_UNIT) as u8,
            expand: bit(f::TEX_EXPAND),
            words,
            ..Inst::default()
        };
        inst.src[0] = Src::unpack(family, &SOURCES[0], &words);
        if branch {
            inst.flow = Some(Flow::unpack(family, op, &words));
            return inst;
        }
        for i in 1..3 {
            inst.src[i] = Src::unpack(family, &SOURCES[i], &words);
        }
        inst.input_precision = Precision::from_bits(get(f::INPUT_PREC));
        inst.scale = get(f::SCALE) as u8;
        inst.address_index = get(f::ADDR_INDEX) as u16;
        inst.indexed_input = bit(f::INDEX_INPUT);
        inst.no_perspective = bit(f::NO_PERSPECTIVE);
        inst
    }

    /// The four words; bits that no member holds come from `words`. The inverse
    /// of [`Inst::decode`].
    pub fn encode(&self, family: Family) -> [u32; 4] {
        let mut words = self.words;
        let mut put = |field: Field, value: u32| field.put(family, &mut words, value);
        put(f::END, self.end.into());
        put(f::OUT_NONE, self.out.is_none().into());
        if let Some(out) = self.out {
            put(f::OUT_REG, out.index.into());
            put(f::OUT_HALF, out.half.into());
        }
        put(f::OUT_MASK, self.mask.into());
        put(f::OUT_SAT, self.sat.into());
        put(f::CC_WRITE, self.cc_write.into());
        put(f::CC_WRITE_INDEX, self.cc_write_second.into());
        put(f::CC_READ_INDEX, self.cc_read_second.into());
        put(f::PRECISION, self.precision as u32);
        put(f::COND, self.cond as u32);
        put(f::COND_SWZ, pack_swizzle(self.cond_swizzle));
        put(f::INPUT_SRC, self.input.into());
        put(f::TEX_UNIT, self.unit.into());
        put(f::TEX_EXPAND, self.expand.into());
        put(f::OPCODE, self.op.code().into());
        let branch = self.flow.filter(|_| f::IS_BRANCH.exists(family));
        if branch.is_none() {
            put(f::INPUT_PREC, self.input_precision as u32);
            put(f::SCALE, self.scale.into());
            put(f::ADDR_INDEX, self.address_index.into());
            put(f::INDEX_INPUT, self.indexed_input.into());
            put(f::NO_PERSPECTIVE, self.no_perspective.into());
        }
        put(f::IS_BRANCH, branch.is_some().into());
        self.src[0].pack(family, &SOURCES[0], &mut words);
        match branch {
            Some(flow) => flow.pack(family, &mut words),
            None => {
                for i in 1..3 {
                    self.src[i].pack(family, &SOURCES[i], &mut words);
                }
            }
        }
        words
    }

    /// With what precision a source is read (Curie).
    pub fn limit(&self, family: Family, source: usize) -> Limit {
        if family != Family::Curie || self.flow.is_some() {
            return Limit::None;
        }
        let get = |field: Field| field.get(family, &self.words);
        let number = match source {
            0 => self.input_precision as u32 | get(f::SRC0_PREC_HIGH) << 2,
            1 => get(f::SRC1_PREC),
            _ => get(f::SRC2_PREC),
        };
        match number {
            1 => Limit::Half,
            2 => Limit::Two,
            3 => Limit::One,
            4 => Limit::Unit,
            _ => Limit::None,
        }
    }

    /// Whether a constant stands behind the instruction: a source has that type,
    /// be it read or not.
    pub fn has_constant(&self) -> bool {
        self.flow.is_none() && self.src.iter().any(|s| s.source == Source::Const)
    }

    /// Words it takes, its constant included.
    pub fn size(&self) -> u32 {
        if self.has_constant() { 8 } else { 4 }
    }
}

impl Src {
    fn unpack(family: Family, at: &SrcFields, words: &[u32; 4]) -> Src {
        let source = match at.kind.get(family, words) {
            0 => Source::Temp(Reg {
                index: at.reg.get(family, words) as u8,
                half: at.half.is_set(family, words),
            }),
            1 => Source::Input,
            2 => Source::Const,
            _ => Source::Unknown,
        };
        Src {
            source,
            swizzle: unpack_swizzle(at.swz.get(family, words)),
            neg: at.neg.is_set(family, words),
            abs: at.abs.is_set(family, words),
        }
    }

    fn pack(self, family: Family, at: &SrcFields, words: &mut [u32; 4]) {
        let kind = match self.source {
            Source::Temp(reg) => {
                at.reg.put(family, words, reg.index.into());
                at.half.put(family, words, reg.half.into());
                0
            }
            Source::Input => 1,
            Source::Const => 2,
            Source::Unknown => 3,
        };
        at.kind.put(family, words, kind);
        at.swz.put(family, words, pack_swizzle(self.swizzle));
        at.neg.put(family, words, self.neg.into());
        at.abs.put(family, words, self.abs.into());
    }
}

impl Flow {
    fn unpack(family: Family, op: Op, words: &[u32; 4]) -> Flow {
        let get = |field: Field| field.get(family, words);
        let counts = [f::COUNT, f::INDEX, f::INCR].map(|field| get(field) as u8);
        let end = get(f::END_OFFSET);
        match op {
            Op::If => Flow::If {
                otherwise: get(f::ELSE_OFFSET),
                end,
            },
            Op::Loop => Flow::Loop {
                count: counts[0],
                start: counts[1],
                step: counts[2],
                end,
            },
            Op::Rep => Flow::Rep { counts, end },
            Op::Cal => Flow::Call {
                target: get(f::SUB_OFFSET),
            },
            _ => Flow::Plain,
        }
    }

    fn pack(self, family: Family, words: &mut [u32; 4]) {
        let mut put = |field: Field, value: u32| field.put(family, words, value);
        let mut put_counts = |counts: [u8; 3]| {
            put(f::COUNT, counts[0].into());
            put(f::INDEX, counts[1].into());
            put(f::INCR, counts[2].into());
        };
        match self {
            Flow::If { otherwise, end } => {
                put(f::ELSE_OFFSET, otherwise);
                put(f::END_OFFSET, end);
            }
            Flow::Loop {
                count,
                start,
                step,
                end,
            } => {
                put_counts([count, start, step]);
                put(f::END_OFFSET, end);
            }
            Flow::Rep { counts, end } => {
                put_counts(counts);
                put(f::END_OFFSET, end);
            }
            Flow::Call { target } => put(f::SUB_OFFSET, target),
            Flow::Plain => {}
        }
    }
}

impl Precision {
    /// All of them by number.
    pub const ALL: [Precision; 4] = [
        Precision::Full,
        Precision::Half,
        Precision::Fixed,
        Precision::Unknown3,
    ];

    fn from_bits(bits: u32) -> Precision {
        Precision::ALL[bits as usize & 3]
    }
}

impl Cond {
    /// All of them by number.
    pub const ALL: [Cond; 8] = [
        Cond::Fl,
        Cond::Lt,
        Cond::Eq,
        Cond::Le,
        Cond::Gt,
        Cond::Ne,
        Cond::Ge,
        Cond::Tr,
    ];

    fn from_bits(bits: u32) -> Cond {
        Cond::ALL[bits as usize & 7]
    }
}

fn unpack_swizzle(bits: u32) -> [u8; 4] {
    [0, 2, 4, 6].map(|shift| (bits >> shift & 3) as u8)
}

fn pack_swizzle(swz: [u8; 4]) -> u32 {
    swz.iter()
        .rev()
        .fold(0, |bits, &c| bits << 2 | u32::from(c & 3))
}
