//! The list of plays and long runs of games against the specification.

use core::num::NonZeroU32;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;

use crate::support::boards::{boards, rolls, varied_boards};
use crate::support::specification::{self, Position};
use crate::support::tiers::tiers;
use crate::support::{golden, specified, threads};
use proptest::prelude::*;
use tavli_backgammon::plays::{Plays, reference};
use tavli_backgammon::{Board, FirstRoll, NO_STOP, Playouts, Roll, RuleSet};

/// The plays as the specification lists them, compared with the library's by index, and with the reference's as a set.
fn check_list(board: &Board, roll: Roll, rules: RuleSet) -> Vec<Position> {
    let specified = specification::plays(&specified::position(board), specified::dice(roll), specified::rules(rules));
    let plays = Plays::new(board, roll, rules);
    let listed = plays.to_vec();
    let positions = || listed.iter().map(|play| specified::position(&play.board()));
    assert!(
        positions().eq(specified.iter().cloned()),
        "{rules}, {roll} in {board:?}:\n{:?}\nspecified: {specified:?}",
        positions().collect::<Vec<_>>()
    );
    assert_eq!(plays.len(), specified.len());
    for (index, play) in listed.iter().enumerate() {
        let picked = plays.get(index);
        assert_eq!(picked.as_ref(), Some(play), "{rules}, play {index} of {roll} in {board:?}");
    }
    assert_eq!(plays.get(plays.len()), None);

    let key = |position: &Position| (position.mover, position.other);
    let mut sorted: Vec<_> = specified.iter().map(key).collect();
    sorted.sort_unstable();
    let reference = reference::plays(board, roll, rules);
    let mut of_reference: Vec<_> = reference.iter().map(|after| key(&specified::position(after))).collect();
    of_reference.sort_unstable();
    assert_eq!(sorted, of_reference, "{rules}, {roll} in {board:?}");
    specified
}

/// Whether some of these plays bear a checker off and others do not, although not all were home before.
fn holds_both_sorts(board: &Board, plays: &[Position]) -> bool {
    let before = board.own().checkers();
    let bears_off = |play: &Position| play.other.iter().sum::<u8>() < before;
    !board.own().all_home() && plays.iter().any(bears_off) && plays.iter().any(|play| !bears_off(play))
}

#[test]
fn varied_positions_have_the_specified_lists() {
    let boards: Vec<Board> = varied_boards().take(3_000).collect();
    // Doubles in whose lists some plays begin to bear off and others do not.
    let joined = AtomicUsize::new(0);
    threads::for_each(boards, |board| {
        for roll in Roll::ALL {
            let plays = check_list(&board, roll, RuleSet::Backgammon);
            check_list(&board, roll, RuleSet::McGammon);
            let is_joined = roll.is_double() && holds_both_sorts(&board, &plays);
            joined.fetch_add(usize::from(is_joined), Relaxed);
        }
    });
    let joined = joined.into_inner();
    assert!(joined >= 300, "only {joined} lists of both sorts");
}

#[test]
fn golden_positions_have_the_specified_lists() {
    let rows = golden::plays(&golden::data("plays.tsv.gz"));
    assert_eq!(rows.len(), 7_016);
    threads::for_each(rows, |row| {
        let plays = check_list(&row.board(), row.roll, RuleSet::Backgammon);
        assert_eq!(plays.len(), row.results.len(), "{}", row.position_id);
        check_list(&row.board(), row.roll, RuleSet::McGammon);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_position_has_the_specified_list(
        board in boards(),
        roll in rolls(),
        rules in prop::sample::select(RuleSet::ALL.to_vec()),
    ) {
        check_list(&board, roll, rules);
    }
}

/// Plays a range on every tier, and each of its games by the specification.
fn check_run(playouts: &Playouts, first: u64, games: u64) {
    let range = first..first + games;
    let specified = specified::games(playouts, range.clone());
    let offered: u64 = specified.iter().map(|game| game.offered).sum();
    for tier in tiers() {
        let mut records = Vec::new();
        let results = playouts.run_with_ends(tier, range.clone(), &mut records, NO_STOP).unwrap();
        assert_eq!(records.len(), specified.len());
        for ((number, record), specified) in range.clone().zip(&records).zip(&specified) {
            assert_eq!(record.game, number);
            assert!(
                specified::agree(record, specified),
                "tier {tier}, {playouts:?}, {games} games:\n{record:?}\nspecified: {specified:?}"
            );
        }
        assert_eq!(results.tally.plays, u128::from(offered), "{playouts:?}");
    }
}

/// Positions from which games are long or short, with contact or without, and begin on the bar or bearing off.
const POSITIONS: [&str; 6] = [
    "4HPwATDgc/ABMA", // the start
    "4Dp4AGzgGTwgbA", // both on the bar
    "z3cACQiHAzhiZA", // two on the bar
    "BgAAmM0IwDYAAA", // a race
    "7e4OAABtdw8AAA", // a bear-off
    "74AAAG4AAAIAAA", // a bear-off with a shot
];

/// Every position, goal and way to begin, whole and cut off, under seeds and from games beyond 32 bits too.
fn settings() -> Vec<(Playouts, u64)> {
    let mut settings = Vec::new();
    for (i, id) in POSITIONS.into_iter().enumerate() {
        let board = Board::from_position_id(id).expect("a position");
        // The other rule sets share the goal of backgammon; `rules.rs` plays them from their own starts.
        for rules in [RuleSet::Backgammon, RuleSet::McGammon] {
            for (j, first_roll) in [
                FirstRoll::Any,
                FirstRoll::Open,
                FirstRoll::Given(Roll::ALL[i * 3]),
                FirstRoll::Given(Roll::ALL[i * 3 + 1]),
                FirstRoll::Stratified,
            ]
            .into_iter()
            .enumerate()
            {
                let seed = [1, 0x1_0000_0001, u64::MAX][(i + j) % 3];
                let first = [0, 0xffff_fff0, 0x7_ffff_fff0, u64::MAX - 300][(i + j) % 4];
                let Ok(playouts) = Playouts::new(board, rules, seed) else {
                    continue; // The bear-offs are over by the rules of McGammon.
                };
                let playouts = playouts.with_first_roll(first_roll);
                let cut_off = NonZeroU32::new(3 + j as u32).expect("not 0");
                settings.push((playouts, first));
                settings.push((playouts.truncated_after(cut_off), first));
            }
        }
    }
    settings
}

#[test]
fn runs_of_every_size_play_the_specified_games() {
    // The batch plays runs of up to 64 games in another way, and takes sixteen or eight games at a time.
    let settings = settings();
    assert_eq!(settings.len(), 100);
    threads::for_each(settings, |(playouts, first)| {
        for games in [1, 5, 65, 200] {
            check_run(&playouts, first, games);
        }
    });
}

#[test]
fn long_runs_play_the_specified_games() {
    // More games than the batch has places: new games take the places of finished ones.
    let start = |rules, seed| Playouts::new(Board::START, rules, seed).expect("a game");
    let cut_off = NonZeroU32::new(40).expect("not 0");
    let runs = vec![
        (start(RuleSet::Backgammon, 2), FirstRoll::Any, 0),
        (start(RuleSet::Backgammon, 3), FirstRoll::Stratified, (1 << 32) - 1_000),
        (start(RuleSet::Backgammon, 4).truncated_after(cut_off), FirstRoll::Given(Roll::ALL[20]), 1 << 63),
        (start(RuleSet::McGammon, u64::MAX), FirstRoll::Open, u64::MAX - 2_500),
    ];
    threads::for_each(runs, |(playouts, first_roll, first)| {
        check_run(&playouts.with_first_roll(first_roll), first, 2_500);
    });
}
