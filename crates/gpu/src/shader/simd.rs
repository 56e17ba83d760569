//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::{Code, Shade};
use crate::frag::{Frag, I};
use crate::level::Base;
use crate::tex::Texels;
use std::sync::OnceLock;

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
                // SAFETY: `best` hands this out only where the processor has the features.
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

/// The best form for this processor; `ISOTHERM_SIMD` = `base`, `avx2` or `avx512`
/// holds it back.
pub fn code() -> Code {
    static CODE: OnceLock<Code> = OnceLock::new();
    *CODE.get_or_init(|| best(&std::env::var("ISOTHERM_SIMD").unwrap_or_default()))
}

/// The best form up to a limit.
pub fn best(limit: &str) -> Code {
    #[cfg(target_arch = "x86_64")]
    {
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let has_avx512 = has_avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if has_avx512 && limit != "base" && limit != "avx2" {
            return avx512::CODE;
        }
        if has_avx2 && limit != "base" {
            return avx2::CODE;
        }
    }
    let _ = limit;
    BASE
}
