//! Variance reduction, and games that end at known values. No mean changes: exactly where all throws are played, and
//! otherwise within the errors, which are honest however wrong the evaluator is.

use core::num::NonZeroU32;
use std::sync::Arc;

use super::playing::{facts, played, stratified, workers};
use crate::support::effort::by_effort;
use crate::support::{begun, request};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, FirstRoll, NO_STOP, Outcome, Planes, Stopped};
use tavli_players::bearoff::ExactWins;
use tavli_players::named;
use tavli_rollout::{EndRules, PlayoutSettings, Rollout, RolloutRequest, Shard, Statistic, SuppliedPlayers};

/// An evaluator that takes the side with more pips to be ahead, and sees gammons everywhere.
#[derive(Debug)]
pub(crate) struct Wrong;

impl Evaluator for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn estimate(
        &self,
        _: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        for (position, value) in positions.iter().zip(values) {
            let board = Board::from(*position);
            let [own, other] = [board.own(), board.opponent()].map(|side| u64::from(side.pips()));
            let weights = [4 * own, 3 * own, own, 3 * other, 2 * own, other];
            *value = Probabilities::from_weights(weights).expect("somebody has pips");
        }
        Ok(())
    }
}

fn wrong() -> Option<Arc<dyn Evaluator>> {
    Some(Arc::new(Wrong))
}

fn players(name: &str) -> PolicyPair {
    PolicyPair::alike(named::policy(name).expect("a player"))
}

/// Checkers of both sides by point, from the ace point on.
fn race(own: &[i8], other: &[i8]) -> Board {
    let mut points = [0; 26];
    points[1..=own.len()].copy_from_slice(own);
    for (point, checkers) in (1..).zip(other) {
        points[25 - point] -= checkers;
    }
    Board::from_points(&points).expect("a position")
}

/// A request by these players, with luck measured by `luck`.
fn request_by(
    players: PolicyPair,
    luck: Option<Arc<dyn Evaluator>>,
    settings: PlayoutSettings,
    trials: u64,
) -> RolloutRequest {
    RolloutRequest { players: Some(players), luck, ..request(settings, trials) }
}

fn means(rollout: &Rollout) -> Vec<f64> {
    let results = rollout.summary().standings.iter();
    let statistics = results.flat_map(|result| result.statistics.to_array());
    statistics.map(|statistic| statistic.mean).collect()
}

fn assert_same(found: &[f64], expected: &[f64]) {
    for (found, expected) in found.iter().zip(expected) {
        // Each game is rounded to 2^-30.
        assert!((found - expected).abs() < 1e-8, "{found}, not {expected}");
    }
}

/// If each throw, or each pair of throws, is played once, the luck adds up to nothing.
#[test]
fn over_all_throws_the_luck_is_nothing() {
    for (plies, trials) in [(1, 36), (2, 1296)] {
        let settings = PlayoutSettings { truncation: NonZeroU32::new(plies), ..stratified() };
        for (policy, of_plays) in [("pubeval", false), ("uniform", false), ("pubeval", true)] {
            // Uniform play makes other plays of one throw in other games.
            if policy == "uniform" && plies > 1 {
                continue;
            }
            let begin = |luck| {
                let request = RolloutRequest {
                    roll: of_plays.then(|| "66".parse().expect("a roll")),
                    evaluator: wrong(),
                    ..request_by(players(policy), luck, settings, trials)
                };
                begun(Board::START, &request)
            };
            let plain = played(begin(None), &workers(1));
            let less = played(begin(wrong()), &workers(3));
            // The candidates stand in the order of their equities, which may be equal.
            assert_same(&means(&less)[..7], &means(&plain)[..7]);
            if policy == "pubeval" {
                let behind = |rollout: &Rollout| {
                    let results = rollout.summary().standings.iter();
                    results.map(|result| result.behind.mean).collect::<Vec<f64>>()
                };
                assert_same(&behind(&less), &behind(&plain));
            }
            let unlike =
                plain.summary().best().equity.standard_deviation - less.summary().best().equity.standard_deviation;
            assert!(unlike.abs() > 1e-6, "there was luck");
        }
    }
}

/// With a perfect evaluator and perfect play, a luck-adjusted game has the value of its start.
#[test]
fn perfect_play_less_perfectly_measured_luck_is_certain() {
    let table = ExactWins::new(6, 4, NO_STOP).expect("a table");
    let index = |by_point: &[i8]| {
        let by_point: Vec<u8> = by_point.iter().map(|&checkers| checkers as u8).collect();
        table.positions().index(&by_point).expect("is in the table")
    };
    let (own, other) = ([1, 0, 1, 0, 1, 1], [0, 2, 0, 1, 1, 0]);
    let win = table.win(index(&own), index(&other));
    let exact = named::evaluator("sampled:1+bearoff:6x4", NO_STOP).expect("an evaluator");
    // Pubeval with another table: games are played on to their end.
    let perfect = PolicyPair::new(
        named::policy("pubeval+bearoff:6x4").expect("a player"),
        named::policy("pubeval+bearoff:6x5").expect("a player"),
    );
    for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
        let settings = PlayoutSettings { first_roll, ..PlayoutSettings::default() };
        let request = request_by(perfect.clone(), Some(Arc::clone(&exact)), settings, 500);
        let rollout = begun(race(&own, &other), &request);
        assert!(rollout.known_values().is_none());
        let rollout = played(rollout, &workers(2));
        let result = *rollout.summary().best();
        assert!((result.win.mean - win).abs() < 1e-7, "{} {win}", result.win.mean);
        assert!(result.win.standard_deviation < 1e-7);
        assert_eq!(result.unfinished, 0, "the counts are the games'");
    }
}

/// No name finds a caller's own evaluator: it is supplied where the rollout is read.
#[test]
fn a_rollout_whose_luck_is_measured_by_ones_own_evaluator_is_saved_and_continued() {
    let begin = |trials| {
        let request = request_by(PolicyPair::default(), wrong(), stratified(), trials);
        begun(Board::START, &request)
    };
    let text = played(begin(40), &workers(1)).to_json();
    assert!(text.contains("\"luck\":\"wrong\""), "{text}");
    let luck = |luck| SuppliedPlayers { luck, ..SuppliedPlayers::default() };
    let again = Rollout::from_json_with(&text, luck(wrong()), NO_STOP).expect("a record");
    assert_eq!(again.to_json(), text);
    let again = played(again.until(EndRules::after_trials(90)).expect("more"), &workers(2));
    assert_eq!(facts(&again), facts(&played(begin(90), &workers(1))));

    let error = |luck_of_record| {
        let error = Rollout::from_json_with(&text, luck(luck_of_record), NO_STOP).expect_err("another evaluator");
        error.to_string()
    };
    assert!(error(None).contains("unknown evaluator 'wrong'"), "{}", error(None));
    let fast = named::evaluator("fast", NO_STOP).expect("an evaluator");
    assert!(error(Some(fast)).starts_with("its luck was measured by wrong, not by fast: "));
}

/// A wrong evaluator biases nothing, and makes the errors larger.
#[test]
fn a_wrong_evaluator_biases_no_mean_and_errors_are_honest() {
    // Few plies of uniform play of both sides.
    let board = race(&[0, 1, 0, 1, 0, 1], &[1, 0, 1, 0, 0, 1]);
    let workers = workers(1);
    let (seeds, trials) = (300, 60);
    for first_roll in [FirstRoll::Any, FirstRoll::Open, FirstRoll::Stratified] {
        let settings = |seed| PlayoutSettings { first_roll, seed, ..PlayoutSettings::default() };
        let truth = played(begun(board, &request(settings(1), 1 << 20)), &workers);
        let truth = truth.summary().best().win.mean;
        let found: Vec<Statistic> = (0..seeds)
            .map(|seed| {
                let request = request_by(PolicyPair::default(), wrong(), settings(1000 + seed), trials);
                played(begun(board, &request), &workers).summary().best().win
            })
            .collect();
        let scores: Vec<f64> = found.iter().map(|win| (win.mean - truth) / win.standard_error).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        // The mean of `seeds` scores, each with the mean 0 and the deviation 1.
        assert!(mean.abs() < 4.0 / (seeds as f64).sqrt(), "{first_roll}: {mean}");
        let square = scores.iter().map(|score| score * score).sum::<f64>() / scores.len() as f64;
        // With few stratified trials the errors are cautious.
        let least = match first_roll {
            FirstRoll::Stratified => 0.4,
            _ => 0.75,
        };
        assert!((least..1.3).contains(&square), "{first_roll}: {square}");
        let inside = found.iter().filter(|win| (win.low..=win.high).contains(&truth)).count();
        assert!(inside as f64 > 0.9 * seeds as f64, "{first_roll}: {inside}");
    }
}

/// Games that end in the table have the same mean as games that are played on, and a smaller error.
#[test]
fn games_end_where_both_players_know_their_worth() {
    let table = ExactWins::new(6, 4, NO_STOP).expect("a table");
    let index = |by_point: &[u8]| table.positions().index(by_point).expect("is in the table");
    let perfect = || players("uniform+bearoff:6x4");
    // After each throw the worth is known.
    let start = race(&[0, 0, 0, 2, 0, 1], &[0, 0, 1, 0, 0, 2]);
    let start = begun(start, &request_by(perfect(), None, stratified(), 36));
    let start = played(start, &workers(1));
    let result = *start.summary().best();
    let win = table.win(index(&[0, 0, 0, 2, 0, 1]), index(&[0, 0, 1, 0, 0, 2]));
    assert!((result.win.mean - win).abs() < 1e-8, "{} {win}", result.win.mean);
    assert!(result.unfinished > 30, "a few throws bear all off");
    // From outside the table, with uniform play before it.
    let board = race(&[1, 2, 0, 2, 0, 1], &[0, 1, 2, 0, 1, 2]);
    let begin = |players| begun(board, &request_by(players, None, PlayoutSettings::default(), 20_000));
    let ended = begin(perfect());
    assert_eq!(ended.known_values().expect("they are known").name(), "bearoff:6x4");
    let ended = played(ended, &workers(2));
    // Another name of the same table: these two do not agree where games end.
    let path = std::env::temp_dir().join(format!("tavli-ends-{}.bd", std::process::id()));
    let mut file = Vec::new();
    let table = tavli_players::bearoff::TwoSided::new(6, 4, NO_STOP, &mut |_| ()).expect("a table");
    table.write_gnubg(&mut file).expect("memory is written");
    std::fs::write(&path, file).expect("it is written");
    let of_file = format!("uniform+bearoff:{}", path.display());
    let apart = PolicyPair::new(
        named::policy("uniform+bearoff:6x4").expect("a player"),
        named::policy(&of_file).expect("a player"),
    );
    std::fs::remove_file(&path).expect("it is there");
    let whole = played(begin(apart), &workers(2));
    let [ended, whole] = [ended, whole].map(|rollout| rollout.summary().best().win);
    let error = ended.standard_error.hypot(whole.standard_error);
    assert!((ended.mean - whole.mean).abs() < 4.0 * error);
    assert!(ended.standard_error < 0.8 * whole.standard_error);
    // Without an evaluator, games that are cut off count nothing, and so does the table.
    let settings = PlayoutSettings { truncation: NonZeroU32::new(1), ..PlayoutSettings::default() };
    let cut = begun(board, &request_by(perfect(), None, settings, 36));
    assert!(cut.known_values().is_none());
    let cut = played(cut, &workers(1));
    assert_eq!(cut.summary().best().equity.mean, 0.0);
}

/// Threads, shards and saved sessions change nothing.
#[test]
fn values_less_luck_are_the_same_however_they_are_played() {
    let settings = PlayoutSettings { truncation: NonZeroU32::new(9), ..PlayoutSettings::default() };
    let board = race(&[1, 0, 0, 1, 0, 1], &[0, 1, 1, 0, 0, 1]);
    let sampled = named::evaluator("sampled:1+bearoff:6x2", NO_STOP).expect("an evaluator");
    let request = RolloutRequest {
        roll: Some("31".parse().expect("a roll")),
        evaluator: Some(Arc::clone(&sampled)),
        ..request_by(players("uniform+bearoff:6x2"), Some(sampled), settings, 2592)
    };
    let begin = || begun(board, &request);
    let whole = played(begin(), &workers(1));
    assert_eq!(facts(&played(begin(), &workers(3))), facts(&whole));
    let shards = (1..=2).map(|part| {
        let shard: Shard = format!("{part}/2").parse().expect("a shard");
        let request = RolloutRequest { shard: Some(shard), ..request.clone() };
        played(begun(board, &request), &workers(2))
    });
    let merged = Rollout::merge(&shards.collect::<Vec<_>>()).expect("a whole");
    assert_eq!(facts(&merged), facts(&whole));
    let first = begin().until(EndRules::after_trials(1300)).expect("trials");
    let saved = played(first, &workers(2)).to_json();
    let again = Rollout::from_json(&saved).expect("a record");
    assert_eq!(again.to_json(), saved);
    assert_eq!(again.luck().expect("measured").name(), "sampled:1:uniform+bearoff:6x2");
    let extended = played(again.until(EndRules::after_trials(2592)).expect("trials"), &workers(1));
    assert_eq!(facts(&extended), facts(&whole));
    let other = begun(board, &RolloutRequest { luck: None, ..request });
    assert_eq!(facts(&other)["rollout"].get("luck"), None);
    let error = Rollout::merge(&[extended, other]).expect_err("they differ").to_string();
    assert!(error.contains("the evaluator of luck"), "{error}");
}

/// Outcomes that the rules exclude have exactly the share 0, whatever the evaluator says: no gammon against a side that
/// has borne off, and no backgammon against one whose checkers have all passed and left the other's home.
#[test]
fn outcomes_that_the_rules_exclude_are_exactly_nothing() {
    let borne_off =
        Board::from_points(&[0, -2, 2, 3, 3, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -2, -2, 0, 0])
            .expect("a position");
    // All 15 checkers of both sides are home.
    let race = race(&[5, 5, 5], &[5, 5, 5]);
    for (board, excluded) in [
        (borne_off, &[Outcome::LoseGammon, Outcome::LoseBackgammon][..]),
        (race, &[Outcome::WinBackgammon, Outcome::LoseBackgammon][..]),
    ] {
        for of_plays in [false, true] {
            let request = RolloutRequest {
                roll: of_plays.then(|| "21".parse().expect("a roll")),
                ..request_by(PolicyPair::default(), wrong(), PlayoutSettings::default(), 20)
            };
            let rollout = played(begun(board, &request), &workers(1));
            for result in &rollout.summary().standings {
                for &outcome in excluded {
                    assert_eq!(result.probabilities[outcome as usize], 0.0, "{outcome:?}");
                    let share = match outcome {
                        Outcome::LoseGammon => result.lose_gammon,
                        Outcome::LoseBackgammon => result.lose_backgammon,
                        _ => result.win_backgammon,
                    };
                    let numbers = [share.mean, share.raw_mean, share.low, share.high];
                    assert_eq!(numbers, [0.0; 4], "{outcome:?}");
                }
                assert!(result.win.standard_error > 0.0, "there is luck");
            }
        }
    }
}

/// After few games by a wrong evaluator, many shares would leave their range: the means are the nearest values in it.
#[test]
fn means_stay_in_their_range_and_the_raw_ones_say_what_they_were() {
    let (mut left, mut raw_win) = (0, 0.0);
    let seeds = 60;
    for seed in 0..seeds {
        let settings = PlayoutSettings { seed, ..PlayoutSettings::default() };
        let request = request_by(players("pubeval"), wrong(), settings, 2);
        let rollout = played(begun(Board::START, &request), &workers(1));
        let result = *rollout.summary().best();
        let [win, gammon, backgammon, lose, lose_gammon, lose_backgammon, equity] = result.statistics.to_array();
        for [all, part, rare] in [[win, gammon, backgammon], [lose, lose_gammon, lose_backgammon]] {
            assert!(all.mean <= 1.0 && part.mean <= all.mean && rare.mean <= part.mean);
            assert!(rare.mean >= 0.0 && rare.mean.is_sign_positive(), "{rare:?}");
            for share in [all, part, rare] {
                assert!(0.0 <= share.low && share.low <= share.mean, "{share:?}");
                assert!(share.mean <= share.high && share.high <= 1.0, "{share:?}");
                left += u32::from(share.mean != share.raw_mean);
            }
        }
        assert!((win.mean + lose.mean - 1.0).abs() < 1e-12);
        assert!(equity.mean.abs() <= 3.0 && equity.low >= -3.0 && equity.high <= 3.0);
        assert!(result.probabilities.iter().all(|&share| share >= 0.0));
        assert!((result.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        raw_win += win.raw_mean / seeds as f64;
    }
    assert!(left > 20, "{left}");
    assert!((raw_win - 0.52).abs() < 0.2, "{raw_win}");
}

/// A position whose luck-adjusted equity scatters by 0.25 about 0.855 (20,000 games by `td80`).
#[test]
fn intervals_of_values_less_luck_reach_as_far_to_either_side() {
    let board =
        Board::from_points(&[0, -2, 2, 3, 3, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -3, -2, -2, 0, 0])
            .expect("a position");
    let equity = 0.855;
    let (seeds, mut below, mut above) = (by_effort(1, 1000), 0, 0);
    for seed in 0..seeds {
        let settings = PlayoutSettings { seed, ..PlayoutSettings::default() };
        let luck = Some(named::evaluator("td80", NO_STOP).expect("an evaluator"));
        let rollout = begun(board, &request_by(players("td80"), luck, settings, 100));
        let found = played(rollout, &workers(2)).summary().best().equity;
        // Adding trials of games won and lost moved the middle by 1.3 standard errors.
        let shift = (found.low + found.high) / 2.0 - found.mean;
        assert!(shift.abs() < 0.3 * found.standard_error, "{found:?}");
        let width = (found.high - found.low) / (2.0 * 1.96 * found.standard_error);
        assert!((1.0..1.25).contains(&width), "{found:?}");
        below += u64::from(equity < found.low);
        above += u64::from(equity > found.high);
    }
    println!("{seeds} intervals: the truth below {below}, above {above}");
    // One in 40 on either side, and four standard deviations of these counts.
    let most = seeds as f64 / 40.0 + 4.0 * (seeds as f64 / 40.0).sqrt();
    assert!(below as f64 <= most && above as f64 <= most, "{below} {above}");
}
