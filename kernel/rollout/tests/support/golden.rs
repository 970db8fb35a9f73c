//! Reference data of backgammon.

use std::path::{Path, PathBuf};

pub(crate) use tavli_testing::golden::rows;

/// A file of the reference data of `tavli-backgammon`.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../backgammon/tests/data").join(name)
}
