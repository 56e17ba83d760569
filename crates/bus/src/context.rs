//! A context: everything a chip remembers besides memory and objects.
//!
//! The front end's part is its registers and shadow words. What lies in the units' own memories
//! is read there, as a driver reads it through RDI (Kelvin and up) or PIPE (Celsius). Restoring
//! writes the shadow registers, each of which sends its bundle, and loads the memories by the
//! commands that loaded them first. What is still missing then comes from the words that the
//! units themselves name ([`crate::saved`]), so that a state can be saved between any two
//! methods, inside a primitive too.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Version of the context record.
pub const VERSION: u32 = 4;

/// The oldest version that can be read: it had no [`Context::inner`]. Version 3 had vertices with
/// eight texture coordinate sets: with an open primitive it is refused, its length being wrong.
pub const OLDEST: u32 = 2;

/// A saved context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// Version of the record, [`VERSION`].
    pub version: u32,
    /// The front end's words: registers, shadow words, objects, surfaces. Empty after a start
    /// from registers; then of all that follows only `units.stipple` and `units.zpass` count.
    pub fe: Vec<u32>,
    /// The units' memories.
    pub units: Units,
    /// Class and handle bound to each subchannel.
    pub bound: [[u32; 2]; 8],
    /// The pusher's: subchannel, method, step, words left.
    pub pusher: [u32; 4],
    /// The 2D engine's words.
    pub twod: Vec<u32>,
    /// Draws so far.
    pub draws: u64,
    /// What no register shows, as words in this program's own order: what each unit really
    /// holds, an open primitive, the puller's; all of a Mali. Empty before version 3 and after
    /// a start from registers.
    #[serde(default)]
    pub inner: Vec<u32>,
}

/// What the units remember themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Units {
    /// VAB: the current value of every vertex attribute.
    pub vab: Vec<[u32; 4]>,
    /// The slot in which rows of the memories below are put together.
    pub slot: [u32; 4],
    /// XFCTX: rows of float32.
    pub xfctx: Vec<[u32; 4]>,
    /// LTCTX: rows of float22, left aligned. Curie has none; its viewport's translation and
    /// scale stand here, which its methods load as LTCTX rows.
    pub ltctx: Vec<[u32; 4]>,
    /// LTC0 to LTC3: float22, left aligned.
    #[serde(deserialize_with = "four")]
    pub ltc: Vec<Vec<u32>>,
    /// XFPR: four words per instruction, as uploaded.
    pub xfpr: Vec<[u32; 4]>,
    /// Rankine's branch addresses and time-out.
    pub xf_control: Vec<[u32; 4]>,
    /// The polygon stipple pattern, a bundle without a shadow register.
    pub stipple: Vec<u32>,
    /// Pixels that passed since the z-pass counter was reset.
    pub zpass: u64,
}

/// At most four lists: many empty ones would take much more memory than their text.
fn four<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u32>>, D::Error> {
    struct Four;
    impl<'de> Visitor<'de> for Four {
        type Value = Vec<Vec<u32>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("at most four lists")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<Self::Value, A::Error> {
            let mut out = Vec::new();
            while let Some(list) = lists.next_element()? {
                if out.len() == 4 {
                    return Err(A::Error::invalid_length(5, &self));
                }
                out.push(list);
            }
            Ok(out)
        }
    }
    from.deserialize_seq(Four)
}

impl Units {
    /// How many words.
    pub fn words(&self) -> usize {
        let rows = [
            &self.vab,
            &self.xfctx,
            &self.ltctx,
            &self.xfpr,
            &self.xf_control,
        ];
        let scalars: usize = self.ltc.iter().map(Vec::len).sum();
        4 * (1 + rows.iter().map(|rows| rows.len()).sum::<usize>()) + scalars + self.stipple.len()
    }
}
