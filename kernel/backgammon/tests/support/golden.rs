//! Files of reference data: copies in `tests/data`, and all of them in a folder beside the repository.

use std::path::{Path, PathBuf};

use tavli_backgammon::{Board, Roll};

use super::position_id;
pub(crate) use tavli_testing::golden::{full, rows};

/// One row of `plays.tsv.gz`.
pub(crate) struct PlaysRow {
    pub(crate) position_id: String,
    pub(crate) roll: Roll,
    pub(crate) tags: Vec<String>,
    /// Position IDs after the play, with the next player on roll, in ascending order.
    pub(crate) results: Vec<String>,
}

impl PlaysRow {
    pub(crate) fn board(&self) -> Board {
        position_id::decode(&self.position_id)
    }
}

/// A file of this package's reference data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The rows of a file like `plays.tsv.gz`.
pub(crate) fn plays(path: &Path) -> Vec<PlaysRow> {
    rows(path)
        .into_iter()
        .map(|row| {
            let results: Vec<String> = row[4].split(',').map(str::to_owned).collect();
            assert_eq!(row[3], results.len().to_string(), "{row:?}");
            PlaysRow {
                position_id: row[0].clone(),
                roll: row[1].parse().expect("a roll"),
                tags: row[2].split(';').map(str::to_owned).collect(),
                results,
            }
        })
        .collect()
}
