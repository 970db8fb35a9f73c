//! Files of reference data: a sample in `tests/data`, and all of them in a folder beside the repository.

use std::path::Path;

use tavli_testing::golden;

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

/// The rows of a file, without the header: all rows if the full reference data are present, else the sample.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let sample = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    golden::rows(&golden::full(&format!("variants/{name}")).unwrap_or_else(sample))
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
    let ends: Vec<usize> = ends.split(':').map(|number| number.parse().expect("a number")).collect();
    PlaysRow {
        game: game.to_owned(),
        rules: rules.to_owned(),
        position: (*position).clone(),
        roll: (*roll).clone(),
        ends: ends.try_into().expect("three numbers"),
        results: results.split(',').map(str::to_owned).collect(),
    }
}
