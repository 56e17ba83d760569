//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::{Code, Shade};
use crate::frag::{Frag, I};
use crate::tex::Texels;
use isotherm_lanes::{Base, Level};

fn run_base(shade: &Shade, frag: &mut Frag) -> [I; 4] {
    shade.lanes::<Base>(frag)
}

fn texels_base(shade: &Shade, stage: usize, frag: &mut Frag) -> Texels {
    shade.quick_texels::<Base>(stage, frag)
}

const BASE: Code = Code {
    run: run_base,
    texels: texels_base,
};

/// The two functions with a set of processor features.
#[allow(unused_macros)]
macro_rules! level {
    ($name:ident, $level:ident, $features:literal) => {
        mod $name {
            use super::{Code, Frag, I, Shade, Texels};
            use isotherm_lanes::$level;

            #[target_feature(enable = $features)]
            fn run(shade: &Shade, frag: &mut Frag) -> [I; 4] {
                shade.lanes::<$level>(frag)
            }

            #[target_feature(enable = $features)]
            fn texels(shade: &Shade, stage: usize, frag: &mut Frag) -> Texels {
                shade.quick_texels::<$level>(stage, frag)
            }

            pub const CODE: Code = Code {
                // SAFETY: `code` is asked only for a level that the processor has.
                run: |shade, frag| unsafe { run(shade, frag) },
                // SAFETY: as above.
                texels: |shade, stage, frag| unsafe { texels(shade, stage, frag) },
            };
        }
    };
}

isotherm_lanes::with_avx2! { level!(avx2, Avx2, "avx2,bmi1,bmi2"); }
isotherm_lanes::with_avx512! { level!(avx512, Avx512, "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl"); }

/// The form for a level, which the processor must have.
pub fn code(level: Level) -> Code {
    isotherm_lanes::with_avx512! {
        if level == Level::Avx512 {
            return avx512::CODE;
        }
    }
    isotherm_lanes::with_avx2! {
        if level == Level::Avx2 {
            return avx2::CODE;
        }
    }
    let _ = level;
    BASE
}
