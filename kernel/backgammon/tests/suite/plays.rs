//! The fast generator against results that other programs agree on.

use std::path::Path;

use crate::support::effort::is_thorough;
use crate::support::golden;
use crate::support::notice::notice;
use crate::support::position_id;
use tavli_backgammon::RuleSet;
use tavli_backgammon::plays::{Plays, perft};

/// Compares the plays of every row, and returns the number of rows.
fn compare(path: &Path) -> usize {
    let rows = golden::plays(path);
    for row in &rows {
        let plays = Plays::new(&row.board(), row.roll, RuleSet::Backgammon);
        let mut ids: Vec<_> = plays.to_vec().iter().map(|play| position_id::encode(&play.board())).collect();
        ids.sort();
        assert_eq!(ids, row.results, "{} {}", row.position_id, row.roll);
        assert_eq!(plays.len(), row.results.len());
    }
    rows.len()
}

#[test]
fn plays_are_those_of_the_golden_rows() {
    assert_eq!(compare(&golden::data("plays.tsv.gz")), 7_016);
    if let Some(path) = golden::full("plays.tsv.gz") {
        assert_eq!(compare(&path), 21_644);
    }
}

/// Compares the counts of every row of at most `max_nodes` nodes, and returns the number of rows.
fn compare_perft(path: &Path, max_nodes: u128) -> usize {
    let number = |field: &str| field.parse::<u128>().expect("a count");
    let mut compared = 0;
    for row in golden::rows(path) {
        let (depth, nodes, weighted) = (number(&row[2]), number(&row[3]), number(&row[4]));
        if nodes > max_nodes {
            notice(&format!("SKIPPED: perft {} {depth}, {nodes} nodes: set TAVLI_THOROUGH=1", row[0]));
            continue;
        }
        let board = position_id::decode(&row[1]);
        let counted = perft(&board, RuleSet::Backgammon, depth as u32);
        assert_eq!((counted.nodes, counted.weighted), (nodes, weighted), "{} at depth {depth}", row[0]);
        compared += 1;
    }
    compared
}

#[test]
fn perft_counts_are_those_of_the_golden_rows() {
    // The last ply is counted without listing it, but 14 billion nodes still take a while.
    let (max_nodes, rows) = if is_thorough() { (u128::MAX, 18) } else { (200_000_000, 17) };
    assert_eq!(compare_perft(&golden::data("perft.tsv"), max_nodes), rows);
}
