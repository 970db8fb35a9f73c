//! Files of reference data: a sample in `tests/data`, and all of them in a folder beside the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use super::notice::notice;

/// One row of a file of plays: a position and a roll with all results.
pub(crate) struct PlaysRow {
    pub(crate) game: String,
    pub(crate) rules: String,
    pub(crate) position: String,
    pub(crate) roll: String,
    /// How many results end the game: by 2 points, by 1, and tied.
    pub(crate) ends: [usize; 3],
    /// Positions after the play, with the next player on roll, in ascending order.
    pub(crate) results: Vec<String>,
}

/// The rows of a file, without the header: all where the full reference data are, else those of the sample.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let path = full(name).unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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

/// A file of the full reference data: in the folder `variants` of the one that the environment variable `TAVLI_GOLDEN`
/// names, or in `shared/golden/variants` beside the repository. Prints a notice if it does not exist.
///
/// # Panics
/// If `TAVLI_GOLDEN` is set and has no such file.
fn full(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TAVLI_GOLDEN") {
        let path = Path::new(&folder).join("variants").join(name);
        assert!(
            path.exists(),
            "TAVLI_GOLDEN is set, but {} does not exist",
            path.display()
        );
        return Some(path);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/golden/variants")
        .join(name);
    if !path.exists() {
        notice(&format!(
            "SKIPPED but for a sample: no {}; set TAVLI_GOLDEN to the folder of the full reference data",
            path.display()
        ));
        return None;
    }
    Some(path)
}

/// The plays of both games by the default rules, and by others.
pub(crate) fn plays() -> Vec<PlaysRow> {
    let mut all = Vec::new();
    for game in ["plakoto", "fevga"] {
        for row in rows(&format!("{game}_plays.tsv.gz")) {
            all.push(plays_row(game, "default", &[&row[0], &row[1], &row[4], &row[5]]));
        }
    }
    for row in rows("option_plays.tsv.gz") {
        let rules = row[1].replace(' ', ",");
        all.push(plays_row(&row[0], &rules, &[&row[2], &row[3], &row[6], &row[7]]));
    }
    all
}

fn plays_row(game: &str, rules: &str, [position, roll, ends, results]: &[&String; 4]) -> PlaysRow {
    let ends: Vec<usize> = ends
        .split(':')
        .map(|number| number.parse().expect("a number"))
        .collect();
    PlaysRow {
        game: game.to_owned(),
        rules: rules.to_owned(),
        position: (*position).clone(),
        roll: (*roll).clone(),
        ends: ends.try_into().expect("three numbers"),
        results: results.split(',').map(str::to_owned).collect(),
    }
}
