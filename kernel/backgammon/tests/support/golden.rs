//! Files of reference data: copies in `tests/data`, and all of them in a folder beside the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use tavli_backgammon::{Board, Roll};

use super::notice::notice;
use super::position_id;

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
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../backgammon/tests/data")
        .join(name)
}

/// A file of the full reference data, which is too large for the repository: in the folder that the environment
/// variable `TAVLI_GOLDEN` names, or in `shared/golden` beside the repository. Prints a notice if it does not exist.
///
/// # Panics
/// If `TAVLI_GOLDEN` is set and has no such file.
pub(crate) fn full(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TAVLI_GOLDEN") {
        let path = Path::new(&folder).join(name);
        assert!(
            path.exists(),
            "TAVLI_GOLDEN is set, but {} does not exist",
            path.display()
        );
        return Some(path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/golden")
        .join(name);
    if !path.exists() {
        notice(&format!(
            "SKIPPED: no {}; set TAVLI_GOLDEN to the folder of the full reference data",
            path.display()
        ));
        return None;
    }
    Some(path)
}

/// The rows of a tab-separated file, without the header, decompressed if its name ends in `gz`.
pub(crate) fn rows(path: &Path) -> Vec<Vec<String>> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
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
