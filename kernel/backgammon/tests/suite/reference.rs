//! The reference generator against results that other programs agree on.

use std::collections::BTreeMap;
use std::path::Path;

use tavli_backgammon::plays::reference;
use tavli_backgammon::{Board, Roll, RuleSet};

use crate::support::boards::varied_boards;
use crate::support::{golden, position_id};

/// Compares each row and returns how many rows each tag has.
fn compare(path: &Path) -> BTreeMap<String, usize> {
    let mut tags = BTreeMap::new();
    for row in golden::plays(path) {
        let mut ids: Vec<String> =
            reference::plays(&row.board(), row.roll, RuleSet::Backgammon).iter().map(position_id::encode).collect();
        ids.sort();
        assert_eq!(ids, row.results, "{} {} {:?}", row.position_id, row.roll, row.tags);
        for tag in row.tags {
            *tags.entry(tag).or_default() += 1;
        }
    }
    tags
}

#[test]
fn plays_are_those_of_the_golden_rows() {
    let tags = compare(&golden::data("plays.tsv.gz"));
    // Every tag of the file, so that no case can get lost.
    let least = |tag: &str| match tag {
        "WS" | "n_win_short" => 40,
        _ => 200,
    };
    for tag in [
        "FB",
        "HI",
        "LF",
        "OL",
        "OS",
        "WS",
        "bar",
        "bar1",
        "bar2",
        "bar3+",
        "bearoff",
        "bearoff_contact",
        "closed",
        "extreme",
        "hit",
        "k0",
        "k1",
        "k2",
        "k3",
        "k4",
        "n_bar_partial",
        "n_dbl1",
        "n_dbl2",
        "n_dbl3",
        "n_forced_both",
        "n_hit",
        "n_larger_forced",
        "n_none",
        "n_only_larger",
        "n_only_smaller",
        "n_win_short",
        "nearend",
        "obar",
        "off",
        "race",
        "random",
        "self_styled",
        "self_uniform",
        "win",
    ] {
        let rows = tags.get(tag).copied().unwrap_or(0);
        assert!(rows >= least(tag), "only {rows} rows are tagged {tag}");
    }
}

#[test]
fn plays_are_those_of_all_golden_rows() {
    if let Some(path) = golden::full("plays.tsv.gz") {
        compare(&path);
    }
}

/// Nodes and weighted nodes at `depth`, as `perft.tsv` defines them.
fn perft(board: &Board, depth: u32) -> (u64, u64) {
    let mut nodes = (0, 0);
    for roll in Roll::ALL {
        let plays = reference::plays(board, roll, RuleSet::Backgammon);
        let (plain, weighted) = if depth == 1 {
            (plays.len() as u64, plays.len() as u64)
        } else {
            plays.iter().map(|play| perft(play, depth - 1)).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        };
        nodes.0 += plain;
        nodes.1 += weighted * u64::from(roll.weight());
    }
    nodes
}

#[test]
fn perft_counts_are_those_of_the_golden_rows() {
    let mut compared = 0;
    for row in golden::rows(&golden::data("perft.tsv")) {
        let nodes: u64 = row[3].parse().expect("a count");
        if nodes > 250_000 {
            continue; // the fast generator's test has these
        }
        let weighted: u64 = row[4].parse().expect("a count");
        let depth = row[2].parse().expect("a depth");
        let board = position_id::decode(&row[1]);
        assert_eq!(perft(&board, depth), (nodes, weighted), "{} at depth {depth}", row[0]);
        compared += 1;
    }
    assert_eq!(compared, 11);
}

#[test]
fn a_finished_game_has_no_plays() {
    let mut own = [0; 26];
    own[2] = 1;
    let board = Board::new(&own, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        .expect("a board");
    let roll = Roll::new(6, 5).expect("a roll");
    let plays = reference::plays(&board, roll, RuleSet::Backgammon);
    assert_eq!(plays.len(), 1);
    assert_eq!(plays[0].opponent().checkers(), 0);
    assert!(reference::plays(&plays[0], roll, RuleSet::Backgammon).is_empty());
    assert!(reference::plays(&plays[0].swapped(), roll, RuleSet::Backgammon).is_empty());
    // McGammon has no bearing off, so the checker stays.
    assert_eq!(reference::plays(&board, roll, RuleSet::McGammon), [board.swapped()]);
}

#[test]
fn results_keep_to_the_dice_and_the_checkers() {
    for (i, board) in varied_boards().take(500).enumerate() {
        let roll = Roll::ALL[i % 21];
        let pips = if roll.is_double() { 4 * roll.high() } else { roll.high() + roll.low() };
        let backgammon = reference::plays(&board, roll, RuleSet::Backgammon);
        let mcgammon = reference::plays(&board, roll, RuleSet::McGammon);
        for after in backgammon.iter().chain(&mcgammon) {
            assert_eq!(after.own().checkers(), board.opponent().checkers());
            assert!(after.opponent().pips() + u16::from(pips) >= board.own().pips());
            assert!(after.own().pips() >= board.opponent().pips());
        }
        for after in &mcgammon {
            assert_eq!(after.opponent().checkers(), board.own().checkers());
        }
        let bears_off = |after: &&Board| after.opponent().checkers() < board.own().checkers();
        if !backgammon.iter().any(|after| bears_off(&after)) {
            assert_eq!(backgammon, mcgammon, "the rules differ in bearing off only");
        }
    }
}

#[test]
fn varied_boards_hold_every_kind_of_position() {
    let mut kinds = BTreeMap::<&str, usize>::new();
    for board in varied_boards().take(4000) {
        let (own, opponent) = (board.own(), board.opponent());
        let coming_home = !own.all_home() && own.points().filter(|&p| p > 6).map(|p| own.count(p)).sum::<u8>() <= 3;
        for (kind, holds) in [
            ("race", board.is_race()),
            ("bar", own.bar() > 0),
            ("bar, several", own.bar() > 1),
            ("bar, more than enter with a double", own.bar() > 4),
            ("bar, eight or more", own.bar() >= 8),
            ("both on the bar", own.bar() > 0 && opponent.bar() > 0),
            ("closed out", own.bar() > 0 && opponent.made() & 0x7e == 0x7e),
            ("bear-off with contact", own.all_home() && !board.is_race()),
            ("bear-off race", own.all_home() && board.is_race()),
            ("coming home", coming_home),
            ("near the end", own.checkers() <= 3),
            ("all 15", own.checkers() == 15 && opponent.checkers() == 15),
            ("blots to hit", (opponent.occupied() & !opponent.made()).count_ones() >= 3),
        ] {
            *kinds.entry(kind).or_default() += usize::from(holds);
        }
    }
    for (kind, boards) in kinds {
        assert!(boards >= 40, "only {boards} of 4000 boards: {kind}");
    }
}
