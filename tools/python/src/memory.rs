//! A check of the memory that a call needs by its arguments: Python would end if it cannot be allocated.

use pyo3::prelude::*;
use tavli::has_memory;

use crate::errors::bad_setting;

/// Refuses `games` games of `bytes` bytes each if the system lacks the memory.
pub(crate) fn check_room(games: u64, bytes: u64) -> PyResult<()> {
    let needed = games.saturating_mul(bytes);
    if has_memory(needed) {
        return Ok(());
    }
    Err(bad_setting(format_args!(
        "{games} games take about {needed} bytes of memory, more than there are: ask for fewer at a time"
    )))
}
