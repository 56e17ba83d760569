//! The vertex-program instruction sets.
//!
//! XF is a VLIW machine: one instruction reads one input row, one context row
//! and three sources, runs one vector operation (sources 0, 1, 2) and one
//! scalar operation (source 2), and writes temporaries and one output or
//! context row. Kelvin, Rankine and Curie differ in where the fields lie and
//! in what was added; [`layout`] has the three side by side.

pub mod convert;
pub mod inst;
pub mod layout;
pub mod ops;

pub use inst::{Cond, Dst, Inst, Mux, Out, Src, Target, Unit};
pub use layout::Field;

/// A vertex-program instruction set that a driver can upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// NV20 … NV2A, NV25; `NV_vertex_program` 1.0 and 1.1.
    Kelvin,
    /// NV30 … NV36; `NV_vertex_program2`.
    Rankine,
    /// NV40 …; `NV_vertex_program3`.
    Curie,
}

/// One instruction: bits 0 … 127, the low word being the *last* one uploaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(pub u128);

impl Word {
    /// From four words in upload order (the first holds bits 96 … 127).
    pub fn from_upload(w: [u32; 4]) -> Word {
        Word(w.iter().fold(0, |bits, &x| bits << 32 | u128::from(x)))
    }

    /// Four words in upload order.
    pub fn to_upload(self) -> [u32; 4] {
        [96, 64, 32, 0].map(|shift| (self.0 >> shift) as u32)
    }
}

impl Isa {
    /// All of them, oldest first.
    pub const ALL: [Isa; 3] = [Isa::Kelvin, Isa::Rankine, Isa::Curie];

    /// First line of a program's text.
    pub const fn header(self) -> &'static str {
        match self {
            Isa::Kelvin => "!!VP1.1",
            Isa::Rankine => "!!VP2.0",
            Isa::Curie => "!!VP3.0",
        }
    }

    /// The family's name.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Kelvin => "kelvin",
            Isa::Rankine => "rankine",
            Isa::Curie => "curie",
        }
    }

    /// Instruction slots of the program memory (XFPR).
    pub const fn slots(self) -> usize {
        match self {
            Isa::Kelvin => 0x88,
            Isa::Rankine => 0x118,
            Isa::Curie => 0x220,
        }
    }

    /// Temporary registers that can be written.
    pub const fn temps(self) -> usize {
        match self {
            Isa::Kelvin => 12,
            Isa::Rankine => 16,
            Isa::Curie => 32,
        }
    }

    /// Bits of the upload that the program memory keeps.
    ///
    /// Kelvin stores 92 bits, Rankine 121 (the envytools hardware test masks the
    /// first word with 01FFFFFFh), Curie 127 (NV40's 144-bit memory holds a
    /// flag of its own in bit 127).
    pub const fn stored(self) -> u128 {
        match self {
            Isa::Kelvin => (1 << 92) - 1,
            Isa::Rankine => (1 << 121) - 1,
            Isa::Curie => (1 << 127) - 1,
        }
    }
}

/// A number that is no instruction set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownIsa(pub String);

impl core::fmt::Display for UnknownIsa {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "unknown instruction set `{}`: expected kelvin, rankine or curie",
            self.0
        )
    }
}

impl core::error::Error for UnknownIsa {}

impl core::str::FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(s: &str) -> Result<Isa, UnknownIsa> {
        match s.to_ascii_lowercase().as_str() {
            "kelvin" | "vp1" | "vp1.0" | "vp1.1" | "nv20" | "nv25" | "nv2a" => Ok(Isa::Kelvin),
            "rankine" | "vp2" | "vp2.0" | "nv30" | "nv34" | "nv35" => Ok(Isa::Rankine),
            "curie" | "vp3" | "vp3.0" | "nv40" | "nv41" | "nv44" => Ok(Isa::Curie),
            _ => Err(UnknownIsa(s.to_owned())),
        }
    }
}
