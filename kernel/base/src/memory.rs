//! A check for memory before a call takes it: an allocation that fails would end the program.

use core::hint::black_box;

/// Whether the system has this many bytes more for the process. Ask before work of that size begins: one of its small
/// allocations would otherwise fail, which ends the process.
///
/// ```
/// use tavli_base::has_memory;
/// assert!(has_memory(1000) && !has_memory(u64::MAX));
/// ```
#[must_use]
pub fn has_memory(bytes: u64) -> bool {
    let mut room = Vec::<u8>::new();
    let reserved = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // The compiler may remove an unused reservation.
    black_box(&room);
    reserved
}
