//! Prefetching: memory that is read soon is asked for in advance.

/// Asks for the cache line of an element, and does not wait for it. The index may be past the end.
///
/// A hint, which changes no result. On CPUs without an instruction for it nothing happens.
#[inline(always)]
pub fn prefetch<T>(elements: &[T], index: usize) {
    let element = elements.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every CPU of x86-64 has the instruction, which takes any address and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) }
    }
    #[cfg(target_arch = "aarch64")]
    {
        // No stable intrinsic has this instruction.
        // SAFETY: it takes any address, never faults, and changes nothing that a program can read.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) element, options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = element;
}
