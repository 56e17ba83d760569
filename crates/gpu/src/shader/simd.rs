//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::{Code, Shade};
use crate::frag::{Frag, I};
use crate::level::{Base, Best};
use crate::tex::Texels;

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
#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($name:ident, $level:ident, $features:literal) => {
        mod $name {
            use super::{Code, Frag, I, Shade, Texels};
            use crate::level::$level;

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

#[cfg(target_arch = "x86_64")]
level!(avx2, Avx2, "avx2,bmi1,bmi2");
#[cfg(target_arch = "x86_64")]
level!(
    avx512,
    Avx512,
    "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl"
);

/// The form for a level, which the processor must have.
pub fn code(level: Best) -> Code {
    match level {
        #[cfg(target_arch = "x86_64")]
        Best::Avx512 => avx512::CODE,
        #[cfg(target_arch = "x86_64")]
        Best::Avx2 => avx2::CODE,
        _ => BASE,
    }
}
