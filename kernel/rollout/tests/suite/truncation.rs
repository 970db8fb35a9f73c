//! Games that are cut off and valued: the numbers equal the sums over the games one by one, and their errors are right.

use core::num::NonZeroU32;
use std::sync::Arc;

use super::playing::{facts, opening, played, stratified, workers};
use crate::support::effort::by_effort;
use crate::support::tiers::tiers;
use crate::support::{begun, request, request_of_plays};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities, built_in};
use tavli_backgammon::policies::{self, Observer, PolicyPair};
use tavli_backgammon::{
    Board, FirstRoll, GameEnd, NO_STOP, Outcome, Planes, Plays, Position, Roll, RuleSet, Stopped, Tier,
};
use tavli_rollout::{
    Allocation, CandidateResult, EndReason, EndRules, PlayoutSettings, Rollout, RolloutError, RolloutRequest, Session,
    Shard, Statistic, SuppliedPlayers,
};
use tavli_run::Cancel;

/// An evaluator that counts pips: the side with fewer is likelier to win.
#[derive(Debug)]
struct Pips;

impl Evaluator for Pips {
    fn name(&self) -> &str {
        "pips"
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
            let weights = [4 * other, other, 0, 3 * own, 2 * own, own];
            *value = Probabilities::from_weights(weights).expect("somebody has pips");
        }
        Ok(())
    }
}

fn plies(number: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(number)
}

fn pips() -> Option<Arc<dyn Evaluator>> {
    Some(Arc::new(Pips))
}

/// The seven values of a game with these probabilities of its outcomes.
fn values(of: [f64; Outcome::COUNT]) -> [f64; 7] {
    let [ws, wg, wb, ls, lg, lb] = of;
    let (win, win_gammon, lose, lose_gammon) = (ws + wg + wb, wg + wb, ls + lg + lb, lg + lb);
    let equity = win + win_gammon + wb - lose - lose_gammon - lb;
    [win, win_gammon, wb, lose, lose_gammon, lb, equity]
}

fn statistics(result: &CandidateResult) -> [Statistic; 7] {
    [
        result.win,
        result.win_gammon,
        result.win_backgammon,
        result.lose,
        result.lose_gammon,
        result.lose_backgammon,
        result.equity,
    ]
}

/// The outcome probabilities of a game after a play, for the player who made the play, from the game's record. `seed`
/// is the game's, for the evaluator.
fn of_record(record: &GameEnd, evaluator: &dyn Evaluator, seed: u64) -> [f64; Outcome::COUNT] {
    let value = match record.outcome {
        Some(outcome) => Probabilities::certain(outcome),
        None => {
            let position = Planes::from(record.board);
            let seeds = [seed];
            let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::Portable);
            let conditions = conditions.seeded(Some(&seeds));
            let value = evaluator.evaluated(&conditions, &[position]).expect("nothing stops it");
            if record.plies % 2 == 1 { value[0].reversed() } else { value[0] }
        }
    };
    let for_player = value.reversed();
    let mut probabilities = [0.0; Outcome::COUNT];
    for &outcome in Outcome::ALL {
        probabilities[outcome as usize] = for_player.probability(outcome);
    }
    probabilities
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let number = values.len() as f64;
    values.sum::<f64>() / number
}

/// The standard error of the mean of independent values.
fn standard_error(values: &[f64]) -> f64 {
    let (number, middle) = (values.len() as f64, mean(values.iter().copied()));
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (squares / (number - 1.0) / number).sqrt()
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

#[test]
fn statistics_are_those_of_the_games_one_by_one() {
    // After 2 plies no game has ended, after 45 some have. The number of plies is odd or even.
    for (cut, evaluator, policy, trials) in [
        (2, pips().expect("one"), "uniform", 500),
        (45, pips().expect("one"), "uniform", 400),
        (9, built_in("sampled:5").expect("one"), "uniform", 60),
        (30, built_in("sampled:3:pubeval").expect("one"), "pubeval", 20),
    ] {
        let settings = PlayoutSettings { seed: 3, truncation: plies(cut), ..PlayoutSettings::default() };
        let players = PolicyPair::alike(policies::built_in(policy).expect("a policy"));
        let request = RolloutRequest {
            players: Some(players.clone()),
            evaluator: Some(Arc::clone(&evaluator)),
            ..request_of_plays("31", settings, trials)
        };
        let rollout = played(begun(Board::START, &request), &workers(2));
        let games: Vec<Vec<[f64; 7]>> = rollout
            .candidates()
            .iter()
            .map(|candidate| {
                let playouts = settings.playouts(candidate.board).expect("games");
                let mut records = Vec::new();
                let recording = Observer::collecting(&mut records);
                let played = players.run_observed(&playouts, Tier::Portable, 0..trials, recording, NO_STOP);
                played.unwrap();
                let games = records.iter();
                games
                    .map(|record| {
                        let seed = playouts.seed_of_game(record.game);
                        values(of_record(record, &*evaluator, seed))
                    })
                    .collect()
            })
            .collect();
        let summary = rollout.summary();
        for result in &summary.standings {
            let of_games = &games[result.candidate];
            for (at, statistic) in statistics(result).iter().enumerate() {
                let value: Vec<f64> = of_games.iter().map(|values| values[at]).collect();
                let what = format!("value {at} after {cut} plies");
                assert_near(statistic.mean, mean(value.iter().copied()), &what);
                assert_near(statistic.standard_error, standard_error(&value), &what);
                assert!(statistic.low <= statistic.mean && statistic.mean <= statistic.high);
            }
            let from_probabilities = values(result.probabilities);
            assert_near(from_probabilities[6], result.equity.mean, "probabilities");
            assert_near(result.probabilities.iter().sum(), 1.0, "probabilities");
            assert!(result.unfinished > 0);
        }
        for difference in rollout.differences() {
            let pairs = games[difference.candidate].iter().zip(&games[difference.other]);
            let equities: Vec<f64> = pairs.clone().map(|(a, b)| a[6] - b[6]).collect();
            let error = standard_error(&equities);
            assert_near(difference.equity.mean, mean(equities.iter().copied()), "difference");
            assert_near(difference.equity.standard_error, error, "difference");
            let gammons: Vec<f64> = pairs.map(|(a, b)| a[4] - b[4]).collect();
            let error = standard_error(&gammons);
            assert_near(difference.lose_gammon.standard_error, error, "gammons");
        }
    }
}

/// A caller's own evaluator for a saved rollout.
fn supplied() -> SuppliedPlayers {
    SuppliedPlayers { evaluator: pips(), ..SuppliedPlayers::default() }
}

/// A rollout of the plays of 31, cut off after some plies.
fn cut_off(settings: PlayoutSettings, trials: u64) -> Rollout {
    begun(Board::START, &cut_off_request(settings, trials))
}

fn cut_off_request(settings: PlayoutSettings, trials: u64) -> RolloutRequest {
    let settings = PlayoutSettings { truncation: plies(21), ..settings };
    valued(pips(), request_of_plays("31", settings, trials))
}

fn valued(evaluator: Option<Arc<dyn Evaluator>>, request: RolloutRequest) -> RolloutRequest {
    RolloutRequest { evaluator, ..request }
}

#[test]
fn threads_tiers_sessions_shards_and_records_change_nothing() {
    for settings in [PlayoutSettings::default(), stratified()] {
        let whole = played(cut_off(settings, 3000), &workers(1));
        for (threads, tier) in (1..).zip(tiers()) {
            let mut rollout = cut_off(settings, 3000);
            let session = Session { tier, ..Session::default() };
            let ended = session.play(&mut rollout, &workers(threads), |_| ());
            assert_eq!(ended.expect("nothing is saved"), EndReason::Trials);
            assert_eq!(facts(&rollout), facts(&whole), "{tier}");
        }
        let some = played(cut_off(settings, 700), &workers(2));
        let text = some.to_json();
        assert!(text.contains("\"evaluator\":\"pips\""), "{text}");
        let again = Rollout::from_json_with(&text, supplied(), NO_STOP);
        let again = again.expect("a record");
        assert_eq!(again.to_json(), text);
        let again = again.until(EndRules::after_trials(3000)).expect("more");
        let again = played(again, &workers(2));
        assert_eq!(facts(&again), facts(&whole));
        assert_eq!(again.summary().standings, whole.summary().standings);
        let parts: Vec<Rollout> = [2, 3, 1]
            .map(|index| {
                let shard = Shard::new(index, 3).expect("a shard");
                let part = RolloutRequest { shard: Some(shard), ..cut_off_request(settings, 3000) };
                played(begun(Board::START, &part), &workers(1))
            })
            .into();
        let merged = Rollout::merge(&parts).expect("a whole");
        assert_eq!(facts(&merged), facts(&whole));
    }
}

#[test]
fn races_drop_candidates_by_their_values() {
    let rollout = cut_off(PlayoutSettings::default(), 6000).allocated(Allocation::DEFAULT_RACE).expect("a race");
    let rollout = played(rollout, &workers(2));
    let standings = &rollout.summary().standings;
    assert!(standings.iter().any(|result| result.is_dropped));
    let text = rollout.to_json();
    let again = Rollout::from_json_with(&text, supplied(), NO_STOP);
    assert_eq!(again.expect("a record").summary().standings, *standings);
}

#[test]
fn records_keep_built_in_evaluators_and_refuse_others() {
    let settings = PlayoutSettings { truncation: plies(6), ..PlayoutSettings::default() };
    let sampled = valued(Some(built_in("sampled:2:pubeval").expect("one")), request(settings, 50));
    let sampled = played(begun(Board::START, &sampled), &workers(2));
    let text = sampled.to_json();
    assert!(text.contains("\"values\":\"5e4411ba37c678f2/1ce45f70cea56dc8.2\""), "{text}");
    let again = Rollout::from_json(&text).expect("a record");
    assert_eq!(again.summary().standings, sampled.summary().standings);
    assert_eq!(again.to_json(), text);

    let valued_by =
        |text: &str| Rollout::from_json_with(text, supplied(), NO_STOP).expect_err("another evaluator").to_string();
    assert!(valued_by(&text).starts_with("its games were valued by sampled:2:pubeval, not by pips: "));
    let plain = played(begun(Board::START, &request(settings, 5)), &workers(1));
    assert!(valued_by(&plain.to_json()).starts_with("its games were valued by none, not by pips: "));
    let pips = valued(pips(), request(settings, 5));
    let pips = played(begun(Board::START, &pips), &workers(1));
    let error = Rollout::from_json(&pips.to_json()).expect_err("not built in");
    assert!(error.to_string().contains("unknown evaluator 'pips'"), "{error}");
    let error = Rollout::merge(&[plain, pips]).expect_err("other values");
    let message = "the evaluator is none in one, pips in the other";
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn an_evaluator_needs_games_that_are_cut_off() {
    let not_truncated = valued(pips(), request(PlayoutSettings::default(), 5));
    let error = not_truncated.rollout(&Board::START.into()).expect_err("no truncation");
    assert_eq!(error, RolloutError::NotTruncated);
    // Without an evaluator the same games count 0 points.
    let settings = PlayoutSettings { truncation: plies(4), ..PlayoutSettings::default() };
    let nothing = played(opening(settings, 50), &workers(1));
    for result in &nothing.summary().standings {
        assert_eq!((result.equity.mean, result.unfinished), (0.0, 50));
        assert_eq!(result.probabilities, [0.0; Outcome::COUNT]);
    }
}

#[test]
fn a_switch_ends_games_that_are_being_valued() {
    let mut rollout = cut_off(PlayoutSettings::default(), 1 << 40);
    let session = Session { cancel: Cancel::new(), ..Session::default() };
    let ended = session.play(&mut rollout, &workers(2), |progress| {
        if progress.trials > 0 {
            session.cancel.cancel();
        }
    });
    assert_eq!(ended.expect("nothing is saved"), EndReason::Cancelled);
    let trials = rollout.trials().end;
    let again = played(cut_off(PlayoutSettings::default(), trials), &workers(1));
    assert_eq!(again.summary().standings, rollout.summary().standings);
}

/// An evaluator that fails: it throws the switch of the session and leaves the values as they are.
#[derive(Debug)]
struct Fails(Cancel);

impl Evaluator for Fails {
    fn name(&self) -> &str {
        "fails"
    }

    fn estimate(&self, _: &EvaluationConditions<'_>, _: &[Planes], _: &mut [Probabilities]) -> Result<(), Stopped> {
        self.0.cancel();
        Ok(())
    }
}

#[test]
fn what_an_evaluator_leaves_that_ends_the_games_is_not_counted() {
    let session = Session::default();
    let settings = PlayoutSettings { truncation: plies(3), ..PlayoutSettings::default() };
    let fails: Arc<dyn Evaluator> = Arc::new(Fails(session.cancel.clone()));
    let mut rollout = begun(Board::START, &valued(Some(fails), request_of_plays("31", settings, 2000)));
    let ended = session.play(&mut rollout, &workers(2), |_| ());
    assert_eq!(ended.expect("nothing is saved"), EndReason::Cancelled);
    assert!(rollout.trials().is_empty(), "{:?}", rollout.trials());
}

/// The mean value of a position over all throws and all plays of each, each play as likely as any other.
fn after_one_ply(board: &Board) -> [f64; 7] {
    let mut sums = [0.0; 7];
    for throw in Roll::THROWS {
        let plays = Plays::new(board, throw, RuleSet::Backgammon).to_vec();
        for play in &plays {
            let record = GameEnd { game: 0, outcome: None, plies: 1, board: play.board() };
            // Seen by the player who was on roll, whose opponent is the player of `of_record`.
            let mut of = of_record(&record, &Pips, 0);
            of.rotate_left(3);
            for (sum, value) in sums.iter_mut().zip(values(of)) {
                *sum += value / 36.0 / plays.len() as f64;
            }
        }
    }
    sums
}

#[test]
fn intervals_hold_the_exact_value_of_the_horizon() {
    let workers = workers(2);
    let seeds = by_effort(300, 3000);
    for id in ["4HPwATDgc/ABMA", "7e4OAABtdw8AAA"] {
        let position: Position = id.parse().expect("a position");
        let exact = after_one_ply(position.board());
        for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
            for trials in [8, 36, 500] {
                let (mut held, mut all) = (0, 0);
                for seed in 0..seeds {
                    let settings =
                        PlayoutSettings { seed, first_roll, truncation: plies(1), ..PlayoutSettings::default() };
                    let request = valued(pips(), request(settings, trials));
                    let rollout = played(begun(*position.board(), &request), &workers);
                    let found = statistics(rollout.summary().best());
                    for (statistic, &exact) in found.iter().zip(&exact) {
                        all += 1;
                        held += u64::from((statistic.low..=statistic.high).contains(&exact));
                    }
                    // Honest, not only wide: 500 values tell more than 500 games won or lost.
                    if trials == 500 {
                        assert!(found[0].high - found[0].low < 0.05, "{:?}", found[0]);
                    }
                }
                let share = held as f64 / all as f64;
                println!("{id}, {first_roll}, {trials}: {share:.4}");
                assert!(share > 0.925, "{id}, {first_roll}, {trials}: {share:.4}");
            }
        }
    }
}

#[test]
fn games_of_a_horizon_are_those_without_one() {
    let settings = PlayoutSettings { truncation: plies(60), ..PlayoutSettings::default() };
    let request = request_of_plays("31", settings, 300);
    let plain = played(begun(Board::START, &request), &workers(1));
    let valued = played(begun(Board::START, &valued(pips(), request)), &workers(1));
    let by_candidate = |rollout: &Rollout| {
        let mut standings = rollout.summary().standings.clone();
        standings.sort_by_key(|result| result.candidate);
        standings
    };
    for (valued, plain) in by_candidate(&valued).iter().zip(by_candidate(&plain)) {
        assert_eq!(valued.outcomes, plain.outcomes);
        assert_eq!(valued.unfinished, plain.unfinished);
        assert!(valued.win.mean > plain.win.mean);
    }
}
