//! Files that names name, with their contents.

use std::io;
use std::path::Path;

use super::error::NamedError;
use crate::crc32::crc32;
use crate::whole_file;

/// A file of `PATH` or `PATH#CHECKSUM`.
pub(super) struct NamedFile {
    pub(super) path: String,
    /// The path and the checksum, which name the contents.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl NamedFile {
    /// Reads the file of at most `most` bytes that a text names.
    ///
    /// # Errors
    /// [`NamedError::Read`], or [`NamedError::Checksum`] if it has other contents than are named.
    pub(super) fn read(text: &str, most: u64) -> Result<NamedFile, NamedError> {
        let (path, expected) = match text.rsplit_once('#') {
            Some((path, checksum)) if is_checksum(checksum) => (path, Some(checksum)),
            _ => (text, None),
        };
        let path = path.to_owned();
        let read = whole_file::read(Path::new(&path), most);
        let mut bytes = read.map_err(|error| NamedError::Read {
            path: path.clone(),
            reason: error.to_string(),
            is_missing: error.kind() == io::ErrorKind::NotFound,
        })?;
        let found = format!("{:08x}", checksum(&mut bytes));
        match expected {
            Some(expected) if expected != found => Err(NamedError::Checksum {
                path,
                found,
                expected: expected.to_owned(),
            }),
            _ => Ok(NamedFile {
                name: format!("{path}#{found}"),
                path,
                bytes,
            }),
        }
    }

    /// The error of a file that cannot be used for a reason.
    pub(super) fn damaged(&self, reason: impl ToString) -> NamedError {
        NamedError::Damaged {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

/// The CRC-32 of the bytes from the last to the first. Files of players end with the CRC-32 of what stands before, and so
/// have all the same CRC-32 from the first byte to the last.
fn checksum(bytes: &mut [u8]) -> u32 {
    // In place: a table may fill half of the memory.
    bytes.reverse();
    let sum = crc32(bytes);
    bytes.reverse();
    sum
}

/// Whether a text is a CRC-32 as this module writes it.
fn is_checksum(text: &str) -> bool {
    text.len() == 8
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
