//! Files of reference data: copies in a package's `tests/data`, and all of them in a folder beside the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::notice::notice;

/// A file of the full reference data, which is too large for the repository: in the folder that the environment
/// variable `TAVLI_GOLDEN` names, or in `shared/golden` beside the repository. Prints a notice if it does not exist.
///
/// # Panics
/// If `TAVLI_GOLDEN` is set and has no such file.
#[must_use]
pub fn full(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TAVLI_GOLDEN") {
        let path = Path::new(&folder).join(name);
        assert!(path.exists(), "TAVLI_GOLDEN is set, but {} does not exist", path.display());
        return Some(path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden").join(name);
    if !path.exists() {
        notice(&format!(
            "SKIPPED, or a sample of it: no {}; set TAVLI_GOLDEN to the folder of the full reference data",
            path.display()
        ));
        return None;
    }
    Some(path)
}

/// The lines of a file without those that say what the columns are, decompressed if its name ends in `gz`.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn lines(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    } else {
        text = String::from_utf8(bytes).expect("UTF-8");
    }
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The rows of a tab-separated file.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn rows(path: &Path) -> Vec<Vec<String>> {
    let lines = lines(path);
    let row = |line: &String| line.split('\t').map(str::to_owned).collect();
    lines.iter().map(row).collect()
}
