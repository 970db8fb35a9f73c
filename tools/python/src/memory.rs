//! Memory that a call takes by its arguments: Python would end where it cannot be allocated.

use std::hint::black_box;

use pyo3::prelude::*;

use crate::errors::bad_setting;

/// Refuses `games` games of `bytes` bytes each if the system has not the memory.
pub(crate) fn check_room(games: u64, bytes: u64) -> PyResult<()> {
    let needed = games.saturating_mul(bytes);
    let mut room = Vec::<u8>::new();
    let reserved = room.try_reserve_exact(usize::try_from(needed).unwrap_or(usize::MAX));
    // What is reserved and not used may be compiled away.
    black_box(&room);
    reserved.map_err(|_| {
        bad_setting(format_args!(
            "{games} games take about {needed} bytes of memory, more than there are: ask for fewer at a time"
        ))
    })
}
