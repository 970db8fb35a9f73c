//! Players by name, and the files of those whose nets are fetched.

use tavli::named;

use crate::failure::Failure;

/// Takes the file of a player: this many bytes in a row of numbers, eight to a number, the lowest first.
pub(crate) fn give(name: &str, numbers: &[u64], length: usize) -> Result<(), Failure> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let file = bytes.get(..length).unwrap_or(&bytes);
    Ok(named::give(name, file)?)
}
