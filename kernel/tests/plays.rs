//! The fast generator against the reference: every play of every table, once each.

mod support;

use std::path::Path;

use proptest::prelude::*;
use support::boards::{boards, rolls, varied_boards};
use support::effort::is_thorough;
use support::golden;
use support::notice::notice;
use support::position_id;
use tavli::plays::{Plays, perft, reference};
use tavli::{Backgammon, Board, McGammon, Roll, RuleSet, Rules};

/// Compares all plays of a roll with the reference, and each by index with the listing.
fn check<R: Rules>(board: &Board, roll: Roll) {
    let plays = Plays::new::<R>(board, roll);
    let listed = plays.to_vec();
    assert_eq!(listed.len(), plays.len(), "listing of {roll} in {board:?}");
    for (index, play) in listed.iter().enumerate() {
        assert_eq!(
            plays.get(index).as_ref(),
            Some(play),
            "play {index} of {roll} in {board:?}"
        );
    }
    assert_eq!(plays.get(plays.len()), None);
    let mut results: Vec<Board> = listed.iter().map(|play| play.board()).collect();
    results.sort_by_key(|board| (board.own().counts(), board.opponent().counts()));
    let mut expected = reference::plays::<R>(board, roll);
    expected.sort_by_key(|board| (board.own().counts(), board.opponent().counts()));
    assert_eq!(results, expected, "{roll} in {board:?}");
}

#[test]
fn varied_positions_have_the_plays_of_the_reference() {
    for board in varied_boards().take(3_000) {
        for roll in Roll::ALL {
            check::<Backgammon>(&board, roll);
            check::<McGammon>(&board, roll);
        }
    }
}

proptest! {
    #[test]
    fn any_position_has_the_plays_of_the_reference(board in boards(), roll in rolls()) {
        check::<Backgammon>(&board, roll);
        check::<McGammon>(&board, roll);
    }
}

/// Compares the plays of every row, and returns the number of rows.
fn compare(path: &Path) -> usize {
    let rows = golden::plays(path);
    for row in &rows {
        let plays = Plays::new::<Backgammon>(&row.board(), row.roll);
        let mut ids: Vec<_> = plays
            .to_vec()
            .iter()
            .map(|play| position_id::encode(&play.board()))
            .collect();
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

/// Compares the counts of every row that has at most so many nodes, and returns the number of rows.
fn compare_perft(path: &Path, most_nodes: u128) -> usize {
    let number = |field: &str| field.parse::<u128>().expect("a count");
    let mut compared = 0;
    for row in golden::rows(path) {
        let (depth, nodes, weighted) = (number(&row[2]), number(&row[3]), number(&row[4]));
        if nodes > most_nodes {
            notice(&format!(
                "SKIPPED: perft {} {depth}, {nodes} nodes: set TAVLI_THOROUGH=1",
                row[0]
            ));
            continue;
        }
        let board = position_id::decode(&row[1]);
        let counted = perft(&board, RuleSet::Backgammon, depth as u32);
        assert_eq!(
            (counted.nodes, counted.weighted),
            (nodes, weighted),
            "{} at depth {depth}",
            row[0]
        );
        compared += 1;
    }
    compared
}

#[test]
fn perft_counts_are_those_of_the_golden_rows() {
    // The last ply is counted without listing it, but 14 thousand million nodes still take a while.
    let (most_nodes, rows) = if is_thorough() {
        (u128::MAX, 18)
    } else {
        (200_000_000, 17)
    };
    assert_eq!(compare_perft(&golden::data("perft.tsv"), most_nodes), rows);
}
