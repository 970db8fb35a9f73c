//! Files of reference data: copies in `tests/data`, and all of them in a folder beside the repository.

use std::path::{Path, PathBuf};

use super::notice::notice;

/// A file of this package's reference data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A file of the full reference data, which is too large for the repository: in the folder `draughts` of the one that
/// the environment variable `TAVLI_GOLDEN` names, or of `shared/golden` beside the repository. Prints a notice if it
/// does not exist.
///
/// # Panics
/// If `TAVLI_GOLDEN` is set and has no such file.
pub(crate) fn full(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TAVLI_GOLDEN") {
        let path = Path::new(&folder).join("draughts").join(name);
        assert!(
            path.exists(),
            "TAVLI_GOLDEN is set, but {} does not exist",
            path.display()
        );
        return Some(path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/golden/draughts")
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

/// The full file of this name where it exists, or else the copy.
pub(crate) fn best(name: &str) -> PathBuf {
    full(name).unwrap_or_else(|| data(name))
}

/// The lines of a file without those that say what the columns are.
pub(crate) fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The rows of a tab-separated file.
pub(crate) fn rows(path: &Path) -> Vec<Vec<String>> {
    let lines = lines(path);
    lines
        .iter()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}
