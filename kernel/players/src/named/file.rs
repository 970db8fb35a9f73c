//! Files named by players' names.

use std::io;
use std::path::Path;

use tavli_backgammon::text::is_printable;

use super::error::NamedError;
use crate::crc32::crc32_from_last;
use tavli_file::whole_file;

/// A file of `PATH` or `PATH#CHECKSUM`.
pub(super) struct NamedFile {
    pub(super) path: String,
    /// The path and the checksum, `PATH#CHECKSUM`.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl NamedFile {
    /// Reads the file of at most `most` bytes that a text names, unless `stop` returns true.
    ///
    /// # Errors
    /// [`NamedError::Read`], [`NamedError::Unprintable`], [`NamedError::Checksum`] if it has other contents than are
    /// named, or [`NamedError::Stopped`].
    pub(super) fn read(text: &str, most: u64, stop: &dyn Fn() -> bool) -> Result<NamedFile, NamedError> {
        let (path, expected) = match split(text) {
            Some((path, checksum)) => (path, Some(checksum)),
            None => (text, None),
        };
        let path = path.to_owned();
        let bytes = whole_file::read(Path::new(&path), most, stop).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => NamedError::Stopped,
            kind => NamedError::Read {
                path: path.clone(),
                reason: error.to_string(),
                is_missing: kind == io::ErrorKind::NotFound,
            },
        })?;
        // The name is printed with results.
        if !is_printable(&path) {
            return Err(NamedError::Unprintable(path));
        }
        let found = crc32_from_last(&bytes, stop).ok_or(NamedError::Stopped)?;
        let found = format!("{found:08x}");
        match expected {
            Some(expected) if expected != found => {
                Err(NamedError::Checksum { path, found, expected: expected.to_owned() })
            }
            _ => Ok(NamedFile { name: format!("{path}#{found}"), path, bytes }),
        }
    }

    /// Whether a text has the form `PATH#CHECKSUM`.
    pub(super) fn is_name(text: &str) -> bool {
        split(text).is_some()
    }

    /// The error of a file that cannot be used.
    pub(super) fn damaged(&self, reason: impl ToString) -> NamedError {
        NamedError::Damaged { path: self.path.clone(), reason: reason.to_string() }
    }
}

/// `#CHECKSUM` for the name of a file, since its path says nothing about its contents; other names unchanged.
pub(super) fn without_path(name: &str) -> String {
    split(name).map_or_else(|| name.to_owned(), |(_, checksum)| format!("#{checksum}"))
}

fn split(text: &str) -> Option<(&str, &str)> {
    let (path, checksum) = text.rsplit_once('#')?;
    is_checksum(checksum).then_some((path, checksum))
}

/// Whether a text is a CRC-32 as this module writes it.
fn is_checksum(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
