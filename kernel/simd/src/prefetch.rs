//! Prefetching: asks in advance for memory that is read soon.

/// The bytes of a cache line of most CPUs.
const LINE: usize = 64;

/// Asks for the cache lines of an element without waiting for them: only for the first line if the element is not
/// larger than a line. The index may be past the end.
///
/// A hint, which changes no result. On CPUs without an instruction for it nothing happens.
#[inline(always)]
pub fn prefetch<T>(elements: &[T], index: usize) {
    let element = elements.as_ptr().wrapping_add(index).cast::<u8>();
    (0..size_of::<T>().max(1)).step_by(LINE).for_each(|byte| prefetch_line(element.wrapping_add(byte)));
    if size_of::<T>() > LINE {
        // Its end lies in one more line than its size needs, unless it begins a line.
        prefetch_line(element.wrapping_add(size_of::<T>() - 1));
    }
}

#[inline(always)]
fn prefetch_line(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every CPU of x86-64 has the instruction, which takes any address and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(target_arch = "aarch64")]
    {
        // No stable intrinsic has this instruction.
        // SAFETY: it takes any address, never faults, and changes nothing that a program can read.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
