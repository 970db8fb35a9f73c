//! Players by name, and the files of players whose nets are fetched.

use tavli::named;
use tavli_web_module::{Failure, bytes};

/// Takes the file of a player: `length` bytes in a row of numbers.
pub(crate) fn give(name: &str, numbers: &[u64], length: usize) -> Result<(), Failure> {
    Ok(named::give_net(name, &bytes(numbers, length))?)
}
