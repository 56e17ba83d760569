//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::{Code, Shade};
use crate::frag::{Frag, I};
use std::sync::OnceLock;

fn base(shade: &Shade, frag: &mut Frag) -> [I; 4] {
    shade.lanes(frag)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Frag, I, Shade};

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn avx2(shade: &Shade, frag: &mut Frag) -> [I; 4] {
        shade.lanes(frag)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
    fn avx512(shade: &Shade, frag: &mut Frag) -> [I; 4] {
        shade.lanes(frag)
    }

    pub fn run_avx2(shade: &Shade, frag: &mut Frag) -> [I; 4] {
        // SAFETY: `code` hands this out only where the processor has the features.
        unsafe { avx2(shade, frag) }
    }

    pub fn run_avx512(shade: &Shade, frag: &mut Frag) -> [I; 4] {
        // SAFETY: as above.
        unsafe { avx512(shade, frag) }
    }
}

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
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if avx512 && limit != "base" && limit != "avx2" {
            return x86::run_avx512;
        }
        if avx2 && limit != "base" {
            return x86::run_avx2;
        }
    }
    let _ = limit;
    base
}
