//! Pages of the system's memory.

/// Asks the system for large pages under these items, which nothing has touched yet: a
/// processor keeps translations of a few thousand pages only.
pub(crate) fn prefer_large<T>(items: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use std::ffi::{c_int, c_void};
        const MADV_HUGEPAGE: c_int = 14;
        const PAGE: usize = 4096;
        unsafe extern "C" {
            fn madvise(address: *mut c_void, len: usize, advice: c_int) -> c_int;
        }
        let start = items.as_mut_ptr().cast::<u8>();
        let skip = start.align_offset(PAGE);
        if let Some(len) = size_of_val(items).checked_sub(skip) {
            // SAFETY: these pages are the caller's alone. The advice changes none of their
            // bytes; a system that does not know it says so, and nothing is lost.
            unsafe {
                madvise(
                    start.wrapping_add(skip).cast(),
                    len & !(PAGE - 1),
                    MADV_HUGEPAGE,
                )
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = items;
}
