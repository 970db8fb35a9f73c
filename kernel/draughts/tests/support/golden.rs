//! Files of reference data: copies in `tests/data`, and all of them in a folder beside the repository.

use std::path::{Path, PathBuf};

pub(crate) use tavli_testing::golden::{lines, rows};

/// A file of this package's reference data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A file of the full reference data; see [`tavli_testing::golden::full`].
pub(crate) fn full(name: &str) -> Option<PathBuf> {
    tavli_testing::golden::full(&format!("draughts/{name}"))
}

/// The full file of this name where it exists, or else the copy.
pub(crate) fn best(name: &str) -> PathBuf {
    full(name).unwrap_or_else(|| data(name))
}
