//! The statistics of rollouts against exact values and other programs.

use super::playing::{played, position, stratified, workers};
use crate::support::effort::by_effort;
use crate::support::{begun, golden, request, request_of_plays};
use core::num::NonZeroU32;
use core::ops::RangeInclusive;
use std::sync::Arc;

use tavli_backgammon::evaluators::built_in;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, FirstRoll, NO_STOP};
use tavli_players::named;
use tavli_rollout::{CandidateResult, PlayoutSettings, RequestedPlay, RolloutRequest, Statistic};

fn number(field: &str) -> f64 {
    field.parse().expect("a number")
}

/// How many 95 % intervals hold the exact value.
#[derive(Default)]
struct Coverage {
    held: u64,
    all: u64,
}

impl Coverage {
    fn add(&mut self, statistic: &Statistic, exact: f64) {
        self.all += 1;
        self.held += u64::from((statistic.low..=statistic.high).contains(&exact));
    }

    fn assert(&self, promised: RangeInclusive<f64>, what: &str) {
        let share = self.held as f64 / self.all as f64;
        println!("{what}: {share:.4} of {}", self.all);
        assert!(promised.contains(&share), "{what}: {share:.4} of {}", self.all);
    }
}

/// Rollouts of a board with different seeds, changed by `request`.
fn independent(
    board: Board,
    first_roll: FirstRoll,
    rollouts: u64,
    request: impl Fn(PlayoutSettings) -> RolloutRequest,
    mut each: impl FnMut(&[CandidateResult]),
) {
    let workers = workers(2);
    for seed in 0..rollouts {
        let settings = PlayoutSettings { seed, first_roll, ..PlayoutSettings::default() };
        let rollout = begun(board, &request(settings));
        each(&played(rollout, &workers).summary().standings);
    }
}

/// A position with its shares of games won and won by gammon or better and the points of a game: exact, or from
/// millions of games by other programs.
struct Known {
    board: Board,
    win: f64,
    win_gammon: f64,
    equity: f64,
    has_contact: bool,
}

/// Bear-offs, the shortest decided by the first two rolls, and positions with contact.
fn known() -> Vec<Known> {
    let bear_offs = golden::rows(&golden::data("bearoff_random_exact.tsv"));
    let contact = golden::rows(&golden::data("playout_stats.tsv"));
    let of_row = |board: &str, win: f64, win_gammon: f64, equity: f64| Known {
        board: position(board),
        win,
        win_gammon,
        equity,
        has_contact: false,
    };
    // Derived from the rules, like the values in the file.
    let mut known = vec![
        of_row("hgAAAAEAAAAAAA", 0.984_567_901_235, 0.0, 0.969_135_802_469),
        of_row("aQAAADMAAAAAAA", 0.363_137_573_430, 0.0, -0.273_724_853_141),
        // Five throws of 36 win a gammon, the others a single game: the first decides all.
        of_row("/78AAAAbAAAAAA", 1.0, 5.0 / 36.0, 41.0 / 36.0),
    ];
    let of_file = ["FQAAIAoAAAAAAA", "QgAACAIAAAAAAA", "VQYAAG0CAAAAAA", "274LAADfuQ0AAA", "zRUAAG71GwAAAA"]
        .into_iter()
        .map(|id| {
            let row = bear_offs.iter().find(|row| row[0] == id).expect("a row");
            let [win, win_gammon, lose, lose_gammon] = [1, 2, 3, 4].map(|column| number(&row[column]));
            of_row(id, win, win_gammon, win + win_gammon - lose - lose_gammon)
        });
    known.extend(of_file);
    for row in contact.iter().filter(|row| row[2..5] == ["any", "normal", "pooled"]) {
        let games = number(&row[5]);
        let [ws, wg, wb, ls, lg, lb] = [0, 1, 2, 3, 4, 5].map(|at| number(&row[20 + at]) / games);
        let equity = ws + 2.0 * wg + 3.0 * wb - ls - 2.0 * lg - 3.0 * lb;
        known.push(Known { has_contact: true, ..of_row(&row[1], ws + wg + wb, wg + wb, equity) });
    }
    known
}

/// The share of intervals that must hold the truth: 93 to 97 in 100, and half of one more or less for the luck of the
/// seeds; at least 90 of few trials. All intervals may hold it where an event is so rare that few rollouts see it.
fn promised(trials: u64, share: f64) -> RangeInclusive<f64> {
    let expected = trials as f64 * share.min(1.0 - share);
    match trials {
        ..100 => 0.90..=1.0,
        _ if expected < 5.0 => 0.92..=1.0,
        _ => 0.925..=0.975,
    }
}

#[test]
fn intervals_hold_the_exact_value_95_times_in_100() {
    let seeds = by_effort(600, 4000);
    for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
        for known in known() {
            // Many trials of long games take long.
            let most = if known.has_contact { by_effort(1296, 5000) } else { 5000 };
            for trials in [8, 36, 100, 1296, 5000].into_iter().filter(|&n| n <= most) {
                // The first rolls decide these, so whole blocks have no error.
                let decided = ["hgAAAAEAAAAAAA", "/78AAAAbAAAAAA"].map(position);
                let exact = decided.contains(&known.board) && first_roll == FirstRoll::Stratified && trials >= 1296;
                let [mut win, mut gammon, mut equity] = [const { Coverage { held: 0, all: 0 } }; 3];
                let request = |settings| request(settings, trials);
                independent(known.board, first_roll, seeds, request, |standings| {
                    win.add(&standings[0].win, known.win);
                    gammon.add(&standings[0].win_gammon, known.win_gammon);
                    equity.add(&standings[0].equity, known.equity);
                });
                let what = format!("{} {first_roll} {trials}", known.board.position_id());
                let all = |range: RangeInclusive<f64>| *range.start()..=if exact { 1.0 } else { *range.end() };
                win.assert(all(promised(trials, known.win)), &format!("{what}, won"));
                gammon.assert(all(promised(trials, known.win_gammon)), &format!("{what}, gammons"));
                equity.assert(all(promised(trials, known.win)), &format!("{what}, equity"));
            }
        }
    }
}

/// A position that a few games value has their sampling error. The error differs from trial to trial, so it is part of
/// the standard error. Uniform play to the end has the same mean.
#[test]
fn intervals_of_games_valued_by_games_hold_the_exact_value() {
    let seeds = by_effort(400, 2000);
    for known in known().iter().filter(|known| !known.has_contact).skip(3) {
        for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
            for trials in [100, 500] {
                let [mut win, mut equity] = [const { Coverage { held: 0, all: 0 } }; 2];
                let request = |settings| valued_by_games(request(settings, trials));
                independent(known.board, first_roll, seeds, request, |standings| {
                    win.add(&standings[0].win, known.win);
                    equity.add(&standings[0].equity, known.equity);
                });
                let what = format!("{} {first_roll} {trials}", known.board.position_id());
                win.assert(0.92..=0.985, &format!("{what}, won"));
                equity.assert(0.92..=0.985, &format!("{what}, equity"));
            }
        }
    }
}

/// A rollout whose games are cut off after a ply, and valued by two games.
fn valued_by_games(request: RolloutRequest) -> RolloutRequest {
    RolloutRequest {
        settings: PlayoutSettings { truncation: NonZeroU32::new(1), ..request.settings },
        evaluator: Some(built_in("sampled:2").expect("an evaluator")),
        ..request
    }
}

/// Candidates of a rollout are valued on the same dice, which makes their difference less uncertain, not wrong.
#[test]
fn intervals_of_differences_of_games_valued_by_games_hold_the_difference() {
    let seeds = by_effort(400, 2000);
    let board = position("FQAAIAoAAAAAAA");
    let whole = begun(board, &request_of_plays("21", stratified(), 36 * 1296));
    let whole = played(whole, &workers(2));
    let last = whole.candidates().len() - 1;
    let expected = whole.difference(0, last).equity;
    for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
        let mut coverage = Coverage::default();
        let mut ratio = 0.0;
        for seed in 0..seeds {
            let settings = PlayoutSettings { seed, first_roll, ..PlayoutSettings::default() };
            let request = valued_by_games(request_of_plays("21", settings, 144));
            let rollout = played(begun(board, &request), &workers(1));
            let found = rollout.difference(0, last).equity;
            coverage.add(&found, expected.mean);
            ratio = found.standard_error / expected.standard_error;
        }
        // The expected difference is far more certain.
        assert!(ratio > 5.0, "{ratio}");
        coverage.assert(0.92..=0.985, &format!("{first_roll}, difference"));
    }
}

/// Short luck-adjusted games whose values are the ends of one game differ like whole games, and so do games that end
/// before they are cut off.
#[test]
fn intervals_of_differences_of_short_games_hold_the_difference() {
    let seeds = by_effort(100, 400);
    let board = position("GQAAYAkAAAAAAA");
    let whole = begun(board, &request_of_plays("21", stratified(), 36 * 1296));
    let whole = played(whole, &workers(2));
    for (truncation, name) in [(1, "sampled:1"), (3, "sampled:1"), (3, "sampled:4"), (8, "fast")] {
        let evaluator = named::evaluator(name, NO_STOP).expect("an evaluator");
        for trials in [10, 36, 100] {
            let mut coverage = Coverage::default();
            for seed in 0..seeds {
                let settings =
                    PlayoutSettings { seed, truncation: NonZeroU32::new(truncation), ..PlayoutSettings::default() };
                let request = RolloutRequest {
                    evaluator: Some(Arc::clone(&evaluator)),
                    luck: Some(Arc::clone(&evaluator)),
                    ..request_of_plays("21", settings, trials)
                };
                let rollout = played(begun(board, &request), &workers(1));
                for [one, other] in pairs(rollout.candidates().len()) {
                    let expected = whole.difference(one, other).equity.mean;
                    coverage.add(&rollout.difference(one, other).equity, expected);
                }
            }
            coverage.assert(0.94..=1.0, &format!("{truncation} {name} {trials}"));
        }
    }
}

/// The luck-adjusted values of games that a net valued where they were cut off differ as the net's errors do. Their
/// intervals hold the mean, and are not made as for whole games: after 100 trials from the opening such intervals
/// reached 13 standard errors to either side for the equity, and 326 for the share of backgammons.
#[test]
fn intervals_of_cut_off_games_less_their_luck_are_as_wide_as_they_have_to_be() {
    let seeds = by_effort(100, 400);
    let fast = named::evaluator("fast", NO_STOP).expect("an evaluator");
    for truncation in [1, 3, 11] {
        let result = |board: Board, seed, trials| {
            let settings =
                PlayoutSettings { seed, truncation: NonZeroU32::new(truncation), ..PlayoutSettings::default() };
            let request = RolloutRequest {
                players: Some(PolicyPair::alike(named::policy("fast").expect("a player"))),
                evaluator: Some(Arc::clone(&fast)),
                luck: Some(Arc::clone(&fast)),
                ..request(settings, trials)
            };
            *played(begun(board, &request), &workers(2)).summary().best()
        };
        let four = |result: &CandidateResult| [result.equity, result.win, result.win_gammon, result.win_backgammon];
        for (name, board) in [("opening", Board::START), ("hit or not", position("GQAAYAkAAAAAAA"))] {
            let expected = four(&result(board, 0, 8000)).map(|statistic| statistic.raw_mean);
            for trials in [10, 36, 100] {
                let mut coverage = Coverage::default();
                for seed in 1..=seeds {
                    let found = four(&result(board, seed, trials));
                    for (statistic, expected) in found.iter().zip(expected) {
                        coverage.add(statistic, expected);
                    }
                    if trials == 100 && name == "opening" {
                        let reach = found.map(|statistic| (statistic.high - statistic.low) / 2.0);
                        let least = if truncation == 1 { 0.002 } else { 0.0 };
                        assert!(reach[0] < least + 2.5 * found[0].standard_error, "{truncation} {:?}", found[0]);
                        assert!(reach[1] < least + 2.5 * found[1].standard_error, "{truncation} {:?}", found[1]);
                        assert!(reach[3] < 0.003, "{truncation} {:?}", found[3]);
                    }
                }
                coverage.assert(0.94..=1.0, &format!("{name} {truncation} {trials}"));
            }
        }
    }
}

/// Every pair of the candidates, by index.
fn pairs(candidates: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..candidates).flat_map(move |one| (one + 1..candidates).map(move |other| [one, other]))
}

#[test]
fn means_are_unbiased_at_any_number_of_trials() {
    let seeds = by_effort(1500, 10_000);
    for known in known().iter().take(5) {
        for trials in [1, 8, 35, 36, 37, 100] {
            let mut means = Vec::new();
            let request = |settings| request(settings, trials);
            independent(known.board, FirstRoll::Stratified, seeds, request, |standings| {
                means.push(standings[0].win.mean);
            });
            let n = means.len() as f64;
            let mean = means.iter().sum::<f64>() / n;
            let error = (means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / n / n).sqrt();
            assert!(
                (mean - known.win).abs() <= 4.0 * error,
                "{} {trials}: {mean} ± {error}, exact {}",
                known.board.position_id(),
                known.win
            );
        }
    }
}

#[test]
fn an_event_of_every_trial_is_not_certain() {
    let rollout = begun(position("hgAAAAEAAAAAAA"), &request(PlayoutSettings::default(), 8));
    let rollout = played(rollout, &workers(1));
    let summary = rollout.summary();
    let best = summary.best();
    assert_eq!((best.win.mean, best.win.standard_error), (1.0, 0.0));
    assert!(best.win.low < 0.7 && best.win.high == 1.0, "{best:?}");
    assert!(best.equity.low < 0.4 && best.equity.high == 1.0, "{best:?}");
    assert!(best.lose.low == 0.0 && best.lose.high > 0.3, "{best:?}");
    // A player who has borne a checker off cannot lose a gammon.
    let gammon = best.lose_gammon;
    assert_eq!((gammon.mean, gammon.low, gammon.high), (0.0, 0.0, 0.0));
}

#[test]
fn intervals_of_differences_hold_their_mean_95_times_in_100() {
    let seeds = by_effort(600, 2000);
    // The opening, and a race of few plies, in which the first rolls decide much and games run in step.
    for (id, roll) in [("4HPwATDgc/ABMA", "31"), ("FQAAIAoAAAAAAA", "21")] {
        let board = position(id);
        let all = begun(board, &request_of_plays(roll, PlayoutSettings::default(), 1));
        let plays = [&all.candidates()[0], all.candidates().last().expect("a play")];
        let plays = plays.map(|play| RequestedPlay::After(play.board)).to_vec();
        for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
            for trials in [36, 100, 1296] {
                let mut differences = Vec::new();
                let two = |settings| RolloutRequest {
                    plays: Some(plays.clone()),
                    ..request_of_plays(roll, settings, trials)
                };
                independent(board, first_roll, seeds, two, |standings| {
                    let mut behind = standings[1].behind;
                    if standings[0].candidate == 1 {
                        behind.mean = -behind.mean;
                        (behind.low, behind.high) = (-behind.high, -behind.low);
                    }
                    differences.push(behind);
                });
                // All these rollouts together are far more certain than each.
                let sum = differences.iter().map(|s| s.mean).sum::<f64>();
                let mean = sum / differences.len() as f64;
                let mut coverage = Coverage::default();
                differences.iter().for_each(|s| coverage.add(s, mean));
                let promised = if trials < 1000 { 0.90..=1.0 } else { 0.925..=0.975 };
                coverage.assert(promised, &format!("{id} {first_roll} {trials}, difference"));
            }
        }
    }
}

#[test]
fn rollouts_are_those_of_other_programs() {
    let workers = workers(2);
    let trials = by_effort(36 * 1296, 1296 * 1296);
    let rows = golden::rows(&golden::data("playout_stats.tsv"));
    let mut compared = 0;
    for row in rows.iter().filter(|row| row[4] == "pooled") {
        let first_roll = match (row[2].as_str(), row[3].as_str()) {
            ("any", "normal") => FirstRoll::Stratified,
            ("open", "normal") => FirstRoll::Open,
            _ => continue,
        };
        let settings = PlayoutSettings { first_roll, ..PlayoutSettings::default() };
        let rollout = played(begun(position(&row[1]), &request(settings, trials)), &workers);
        let summary = rollout.summary();
        let best = summary.best();
        let games = number(&row[5]);
        let count = |outcome: usize| number(&row[20 + outcome]);
        for (statistic, theirs) in [
            (best.win, count(0) + count(1) + count(2)),
            (best.win_gammon, count(1) + count(2)),
            (best.win_backgammon, count(2)),
            (best.lose, count(3) + count(4) + count(5)),
            (best.lose_gammon, count(4) + count(5)),
            (best.lose_backgammon, count(5)),
        ] {
            let share = theirs / games;
            let their_error = (share * (1.0 - share) / games).sqrt();
            // An event that never happened here has no error here, so the error of the golden share bounds it.
            let floor = their_error * (games / trials as f64).sqrt();
            let ours = if statistic.mean == 0.0 { floor } else { statistic.standard_error };
            let difference = (statistic.mean - share).abs();
            assert!(
                difference <= 4.0 * ours.hypot(their_error) + 1e-12,
                "{} {}: {statistic:?}, golden {share}",
                row[0],
                row[2]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 4 * 6);
}
