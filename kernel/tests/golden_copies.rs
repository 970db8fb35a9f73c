//! The committed copies of the reference data against the full set, where that is at hand.

mod support;

use std::collections::HashSet;

use support::golden;

#[test]
fn copies_are_the_full_files() {
    for name in [
        "bearoff_random_exact.tsv",
        "id_vectors.tsv",
        "perft.tsv",
        "playout_stats.tsv",
        "uniform_exact.tsv",
    ] {
        if let Some(full) = golden::full(name) {
            assert!(
                golden::rows(&golden::data(name)) == golden::rows(&full),
                "{name} is not the file in {}",
                full.display()
            );
        }
    }
}

#[test]
fn copied_plays_are_rows_of_the_full_file() {
    let name = "plays.tsv.gz";
    if let Some(full) = golden::full(name) {
        let full: HashSet<Vec<String>> = golden::rows(&full).into_iter().collect();
        for row in golden::rows(&golden::data(name)) {
            assert!(
                full.contains(&row),
                "{} {} is no golden row",
                row[0],
                row[1]
            );
        }
    }
}
