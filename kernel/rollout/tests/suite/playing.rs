//! Rollouts are the same however they are played, their errors are right, and their records are whole.

use core::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::support::tiers::tiers;
use crate::support::{begun, request, request_of_plays};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{Policy, PolicyPair, Uniform, built_in};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Outcome, Playouts, RuleSet, Stopped, Tier};
use tavli_rollout::{
    EndReason, EndRules, EndRulesRequest, PlayoutSettings, RequestedPlay, Rollout, RolloutError, RolloutRequest,
    Session, Shard, SuppliedPlayers,
};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

/// A caller's own players for a saved rollout.
fn supplied(players: PolicyPair) -> SuppliedPlayers {
    SuppliedPlayers { players: Some(players), ..SuppliedPlayers::default() }
}

pub(crate) fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).expect("a placement");
    Workers::start(&placement).expect("workers")
}

pub(crate) fn position(id: &str) -> Board {
    Board::from_position_id(id).expect("a position")
}

pub(crate) fn played(rollout: Rollout, workers: &Workers) -> Rollout {
    let mut rollout = rollout;
    let session = Session { tier: tiers()[0], ..Session::default() };
    session.play(&mut rollout, workers, |_| ()).expect("nothing is saved");
    rollout
}

/// Stratified first rolls, and otherwise the default.
pub(crate) fn stratified() -> PlayoutSettings {
    PlayoutSettings { first_roll: FirstRoll::Stratified, ..PlayoutSettings::default() }
}

/// The plays of 3-1 from the opening.
pub(crate) fn opening(settings: PlayoutSettings, trials: u64) -> Rollout {
    begun(Board::START, &request_of_plays("31", settings, trials))
}

/// The record without the time that playing took.
pub(crate) fn facts(rollout: &Rollout) -> serde_json::Value {
    let mut record: serde_json::Value = serde_json::from_str(&rollout.to_json()).expect("JSON");
    record["checksum"].take();
    record["rollout"]["seconds"].take();
    record
}

#[test]
fn counts_are_those_of_the_games() {
    let settings = PlayoutSettings { seed: 11, truncation: NonZeroU32::new(120), ..PlayoutSettings::default() };
    let rollout = played(opening(settings, 3000), &workers(2));
    let summary = rollout.summary();
    assert_eq!(summary.trials, 3000);
    let mut points: Vec<Vec<i32>> = Vec::new();
    for candidate in rollout.candidates() {
        let mut records = Vec::new();
        Playouts::new(candidate.board, RuleSet::Backgammon, 11)
            .expect("a game")
            .truncated_after(NonZeroU32::new(120).expect("not 0"))
            .run_with_ends(Tier::Portable, 0..3000, &mut records, NO_STOP)
            .unwrap();
        let of_game = |record: &GameEnd| record.outcome.map_or(0, |outcome| -outcome.points());
        points.push(records.iter().map(of_game).collect());
        let index = points.len() - 1;
        let result =
            summary.standings.iter().find(|result| result.candidate == index).expect("each candidate stands somewhere");
        for (at, count) in result.outcomes.iter().enumerate() {
            let outcome = Outcome::ALL[at].reversed();
            let ended = records.iter().filter(|r| r.outcome == Some(outcome));
            assert_eq!(ended.count() as u64, *count);
        }
        let unfinished = records.iter().filter(|r| r.outcome.is_none()).count();
        assert_eq!(result.unfinished, unfinished as u64);
        let share = |n: u64| n as f64 / 3000.0;
        let [ws, wg, wb, ls, lg, lb] = result.outcomes;
        for (statistic, count) in [
            (result.win, ws + wg + wb),
            (result.win_gammon, wg + wb),
            (result.win_backgammon, wb),
            (result.lose, ls + lg + lb),
            (result.lose_gammon, lg + lb),
            (result.lose_backgammon, lb),
        ] {
            let p = share(count);
            assert!((statistic.mean - p).abs() < 1e-12);
            let deviation = (p * (1.0 - p) * 3000.0 / 2999.0).sqrt();
            assert!((statistic.standard_deviation - deviation).abs() < 1e-9);
            assert!(statistic.standard_error <= 1.1 * deviation / 3000_f64.sqrt());
        }
    }
    // The paired differences, trial by trial.
    let best = &points[summary.best().candidate];
    for result in &summary.standings[1..] {
        let pairs = best.iter().zip(&points[result.candidate]);
        let differences: Vec<f64> = pairs.map(|(a, b)| f64::from(a - b)).collect();
        let mean = differences.iter().sum::<f64>() / 3000.0;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        assert!((result.behind.mean - mean).abs() < 1e-12);
        assert!((result.behind.standard_deviation - (squares / 2999.0).sqrt()).abs() < 1e-9);
        assert!(result.behind.mean >= 0.0 && result.jsd >= 0.0);
    }
}

#[test]
fn however_it_is_played_it_is_the_same() {
    for first_roll in [FirstRoll::Stratified, FirstRoll::Any] {
        let settings = PlayoutSettings { first_roll, ..PlayoutSettings::default() };
        let whole = played(opening(settings, 10_001), &workers(1));
        let summary = whole.summary();
        let assert_same = |other: &Rollout, how: &str| {
            assert_eq!(facts(other), facts(&whole), "{how}");
            assert_eq!(other.summary().standings, summary.standings, "{how}");
        };
        assert_same(&played(opening(settings, 10_001), &workers(3)), "threads");
        for tier in tiers() {
            let mut rollout = opening(settings, 10_001);
            let session = Session { tier, ..Session::default() };
            session.play(&mut rollout, &workers(2), |_| ()).expect("nothing is saved");
            assert_same(&rollout, tier.name());
        }
        // In sessions, each saved and read again.
        let mut extended = opening(settings, 1);
        for trials in [1, 35, 1296, 1300, 9999, 10_001] {
            let again = Rollout::from_json(&extended.to_json()).expect("a record");
            extended = played(again.until(EndRules::after_trials(trials)).expect("more"), &workers(2));
        }
        assert_same(&extended, "extended");
        for shards in [1, 2, 7] {
            let mut parts: Vec<Rollout> = (1..=shards)
                .map(|index| {
                    let shard = Shard::new(index, shards).expect("a shard");
                    let request = RolloutRequest { shard: Some(shard), ..request_of_plays("31", settings, 10_001) };
                    let part = played(begun(Board::START, &request), &workers(2));
                    assert!(part.is_complete());
                    Rollout::from_json(&part.to_json()).expect("a record")
                })
                .collect();
            parts.reverse();
            assert_same(&Rollout::merge(&parts).expect("a whole"), "shards");
        }
    }
}

/// Uniform plays, whose switch is thrown after a number of plays, as if they took long.
#[derive(Debug)]
struct Interrupting {
    plays: AtomicU64,
    cancel: Cancel,
}

impl Policy for Interrupting {
    fn name(&self) -> &str {
        Uniform::NAME
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn first_games(&self) -> u64 {
        1
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        Uniform.pick(decisions, picks, stop)?;
        let played = picks.len() as u64;
        let less = |left: u64| Some(left.saturating_sub(played));
        let before = self.plays.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if before.is_ok_and(|before| before <= played) {
            self.cancel.cancel();
        }
        Ok(())
    }
}

#[test]
fn games_by_slow_players_are_kept_when_others_are_interrupted() {
    let session = Session::default();
    // Some six games of 16 plays, of 64 trials.
    let policy = Arc::new(Interrupting { plays: AtomicU64::new(96 * 96), cancel: session.cancel.clone() });
    let request = RolloutRequest {
        players: Some(PolicyPair::alike(policy)),
        ..request_of_plays("31", PlayoutSettings::default(), 64)
    };
    let mut rollout = begun(Board::START, &request);
    let ended = session.play(&mut rollout, &workers(1), |_| ()).expect("nothing is saved");
    assert_eq!(ended, EndReason::Cancelled);
    assert!((1..64).contains(&rollout.trials().end), "{:?}", rollout.trials());
}

#[test]
fn interruptions_change_nothing() {
    let workers = workers(2);
    let end_rules = EndRules { standard_error: Some(0.016), ..EndRules::after_trials(1 << 40) };
    let rollout = || opening(PlayoutSettings::default(), 1).until(end_rules).expect("a rule");
    let mut whole = rollout();
    let ended = Session::default().play(&mut whole, &workers, |_| ()).expect("nothing is saved");
    assert_eq!(ended, EndReason::StandardError);
    let widest = |rollout: &Rollout| {
        let summary = rollout.summary();
        let errors = summary.standings.iter().map(|s| s.equity.standard_error);
        errors.fold(0.0, f64::max)
    };
    assert!(widest(&whole) <= 0.016 && widest(&whole) > 0.014);
    // Sessions of a small part of its plies, about 96 a game, each longer than the one before.
    let summary = whole.summary();
    let of_whole = summary.trials * summary.standings.len() as u64;
    let mut plays = 96 * of_whole / 16;
    let mut record = rollout().to_json();
    let mut ends = Vec::new();
    let interrupted = loop {
        let session = Session::default();
        let policy = Arc::new(Interrupting { plays: AtomicU64::new(plays), cancel: session.cancel.clone() });
        let players = PolicyPair::alike(policy);
        let mut interrupted = Rollout::from_json_with(&record, supplied(players), NO_STOP).expect("a record");
        let ended = session.play(&mut interrupted, &workers, |_| ());
        ends.push(ended.expect("nothing is saved"));
        if ends.ends_with(&[EndReason::StandardError]) {
            break interrupted;
        }
        record = interrupted.to_json();
        plays = plays * 3 / 2;
    };
    let (last, others) = ends.split_last().expect("a session");
    assert_eq!(*last, EndReason::StandardError);
    assert!(!others.is_empty() && others.iter().all(|&ended| ended == EndReason::Cancelled), "{ends:?}");
    assert_eq!(facts(&interrupted), facts(&whole));
    // A finished rollout plays nothing, even when it is read again.
    let mut again = Rollout::from_json(&whole.to_json()).expect("a record");
    let ended = Session::default().play(&mut again, &workers, |_| ()).expect("nothing is saved");
    assert_eq!((ended, again.trials()), (EndReason::StandardError, whole.trials()));
}

#[test]
fn every_rule_ends_a_rollout() {
    let workers = workers(2);
    let start = || opening(PlayoutSettings::default(), 1);
    let ends_by = |end_rules: EndRules| {
        let mut rollout = start().until(end_rules).expect("a rule");
        let ended = Session::default().play(&mut rollout, &workers, |progress| {
            assert!(progress.trials >= progress.session_trials);
            assert!(progress.session_games >= progress.session_trials * 16);
            assert!((0.0..=1.0).contains(&progress.fraction()));
        });
        (ended.expect("nothing is saved"), rollout.summary().clone())
    };
    let endless = EndRules::after_trials(1 << 50);
    let (ended, summary) = ends_by(EndRules::after_trials(777));
    assert_eq!((ended, summary.trials), (EndReason::Trials, 777));
    let (ended, summary) = ends_by(EndRules { jsd: Some(0.5), ..endless });
    assert_eq!((ended, summary.trials % 1296), (EndReason::Jsd, 0));
    assert!(summary.standings[1..].iter().all(|result| result.jsd >= 0.5));
    let (ended, summary) = ends_by(EndRules { time: Some(Duration::from_millis(200)), ..endless });
    assert_eq!(ended, EndReason::Time);
    assert!(summary.trials > 0 && summary.elapsed < Duration::from_secs(10));
    // A first game is played however short the time.
    let (ended, summary) = ends_by(EndRules { time: Some(Duration::from_nanos(1)), ..endless });
    assert!(ended == EndReason::Time && summary.trials > 0);
}

#[test]
fn invalid_settings_and_candidates_are_refused() {
    let settings = PlayoutSettings::default();
    let start = || begun(Board::START, &request(settings, 46_656));
    let shard = |end_rules| {
        let request =
            RolloutRequest { end_rules, shard: Some(Shard::new(1, 2).expect("a shard")), ..request(settings, 1) };
        request.rollout(&Board::START.into())
    };
    let message = |result: Result<Rollout, RolloutError>| result.expect_err("refused").to_string();
    for (result, expected) in [
        (start().until(EndRules::after_trials(0)), "1 to 72057594037927936 trials, not 0"),
        (start().until(EndRules::after_trials(u64::MAX)), "trials, not 18446744073709551615"),
        (start().until(EndRules { standard_error: Some(0.0), ..EndRules::default() }), "above 0, not 0"),
        (start().until(EndRules { standard_error: Some(f64::NAN), ..EndRules::default() }), "not NaN"),
        (start().until(EndRules { jsd: Some(3.0), ..EndRules::default() }), "at least two candidates"),
        (shard(EndRulesRequest { seconds: Some(1.0), ..EndRulesRequest::default() }), "cannot end by errors or time"),
        (shard(EndRulesRequest::after_trials(1000)), "too few for 2 shards"),
        (
            played(start(), &workers(1)).with_shard(Shard::new(1, 2).expect("a shard")),
            "of a rollout that has played games cannot change",
        ),
        (played(start(), &workers(1)).until(EndRules::after_trials(1296)), "46656 trials have been played"),
    ] {
        let message = message(result);
        assert!(message.contains(expected), "{message}");
    }
    let candidates = |boards: &[Board]| {
        let request = RolloutRequest {
            plays: Some(boards.iter().copied().map(RequestedPlay::After).collect()),
            ..request_of_plays("31", settings, 1)
        };
        message(request.rollout(&Board::START.into()))
    };
    let rollout = opening(settings, 1);
    let play = rollout.candidates()[0].board;
    assert!(candidates(&[]).contains("0 candidates"));
    assert!(candidates(&[play, play]).contains("is given twice"));
    assert!(candidates(&[play, Board::START]).contains("is not the position after a play of 31"));
    let (mut home, mut away) = ([0; 26], [0; 26]);
    (home[6], away[24]) = (15, 15);
    let over = Board::new(&home, &away).expect("a position");
    let settings = PlayoutSettings { rules: RuleSet::McGammon, ..settings };
    for request in [request(settings, 1), request_of_plays("31", settings, 1)] {
        assert!(message(request.rollout(&over.into())).contains("already over"));
    }
}

#[test]
fn a_play_that_wins_is_rolled_out() {
    // The last checker: every roll bears it off. The opponent has borne off none and has one on the bar.
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    (own[1], opponent[23], opponent[25]) = (1, 14, 1);
    let board = Board::new(&own, &opponent).expect("a position");
    let request = request_of_plays("21", PlayoutSettings::default(), 46_656);
    let rollout = played(begun(board, &request), &workers(1));
    let summary = rollout.summary();
    let best = summary.best();
    assert_eq!((best.win_backgammon.mean, best.equity.mean), (1.0, 3.0));
    assert_eq!(best.equity.standard_error, 0.0);
    let again = Rollout::from_json(&rollout.to_json()).expect("a record");
    assert_eq!(again.summary(), summary);
}

#[test]
fn candidates_meet_the_same_throws() {
    // Two plays whose difference the next ply does not see. Until it matters, both play the same game, so their
    // difference varies less than between independent games.
    let board = position("7e4OAABtdw8AAA");
    let request = request_of_plays("21", PlayoutSettings::default(), 36 * 1296);
    let rollout = played(begun(board, &request), &workers(2));
    let summary = rollout.summary();
    let [best, second] = &summary.standings[..2] else {
        panic!("two plays");
    };
    let apart = best.equity.standard_error.hypot(second.equity.standard_error);
    assert!(second.behind.standard_error < 0.95 * apart, "{summary:?}");
}

/// A policy of another name.
#[derive(Debug)]
struct Renamed;

impl Policy for Renamed {
    fn name(&self) -> &str {
        "renamed"
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        Uniform.pick(decisions, picks, stop)
    }
}

/// A policy that throws a switch when it has been called some times, and counts the calls that begin after.
#[derive(Debug, Default)]
struct Throwing {
    cancel: Cancel,
    calls: AtomicU64,
    after: AtomicU64,
}

impl Policy for Throwing {
    fn name(&self) -> &str {
        "throwing"
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let is_late = self.cancel.is_cancelled();
        self.after.fetch_add(u64::from(is_late), Ordering::Relaxed);
        if self.calls.fetch_add(1, Ordering::Relaxed) == 200 {
            self.cancel.cancel();
        }
        Uniform.pick(decisions, picks, stop)
    }
}

#[test]
fn workers_begin_nothing_after_a_cancel() {
    let policy = Arc::new(Throwing::default());
    let request = RolloutRequest {
        players: Some(PolicyPair::alike(policy.clone())),
        ..request_of_plays("31", PlayoutSettings::default(), 1 << 40)
    };
    let mut rollout = begun(Board::START, &request);
    let session = Session { tier: Tier::Portable, cancel: policy.cancel.clone(), checkpoint: None };
    let workers = workers(2);
    let ended = session.play(&mut rollout, &workers, |_| ());
    assert_eq!(ended.expect("nothing is saved"), EndReason::Cancelled);
    // Each worker finishes its current call.
    let count = workers.count() as u64;
    drop(workers);
    let after = policy.after.load(Ordering::Relaxed);
    assert!(after <= count, "{after} calls after the switch was thrown");
}

#[test]
fn a_policy_is_a_parameter() {
    let renamed = || PolicyPair::alike(Arc::new(Renamed));
    let request =
        RolloutRequest { players: Some(renamed()), ..request_of_plays("31", PlayoutSettings::default(), 1296) };
    let uniform = played(opening(PlayoutSettings::default(), 1296), &workers(1));
    let by_renamed = played(begun(Board::START, &request), &workers(1));
    assert_eq!(uniform.summary().standings, by_renamed.summary().standings);
    let text = by_renamed.to_json();
    let error = Rollout::from_json(&text).expect_err("a policy that is not built in");
    assert_eq!(
        error.to_string(),
        "invalid policy: unknown policy 'renamed'; choose one of: uniform, pubeval, td80, fast, strong, sampled, or name \
         the file of a player; +2ply, +cube or +bearoff:6x6 may follow"
    );
    let error = Rollout::from_json_with(&text, supplied(PolicyPair::default()), NO_STOP).expect_err("another one");
    assert!(error.to_string().starts_with("it was played by renamed, not by uniform: "), "{error}");
    assert!(Rollout::from_json_with(&text, supplied(renamed()), NO_STOP).is_ok());
}

/// The player whose rollout it is and his opponent.
fn players(player: &str, opponent: &str) -> PolicyPair {
    PolicyPair::new(built_in(player).expect("a policy"), built_in(opponent).expect("a policy"))
}

#[test]
fn policies_play_rollouts_alike_on_any_workers_and_in_parts() {
    let settings = PlayoutSettings { seed: 6, ..PlayoutSettings::default() };
    let request =
        RolloutRequest { players: Some(players("pubeval", "uniform")), ..request_of_plays("61", settings, 3 * 1296) };
    let board = position("tu0MAhBoz8EDQA");
    let rollout = || begun(board, &request);
    let whole = played(rollout(), &workers(1));
    assert_eq!(facts(&played(rollout(), &workers(3))), facts(&whole));
    for tier in tiers() {
        let mut rollout = rollout();
        let session = Session { tier, ..Session::default() };
        session.play(&mut rollout, &workers(2), |_| ()).expect("nothing is saved");
        assert_eq!(facts(&rollout), facts(&whole), "tier {tier}");
    }
    let parts = |players: PolicyPair| -> Vec<Rollout> {
        let shards = (1..=3).map(|part| {
            let shard: Shard = format!("{part}/3").parse().expect("a shard");
            let request = RolloutRequest { players: Some(players.clone()), shard: Some(shard), ..request.clone() };
            Rollout::from_json(&played(begun(board, &request), &workers(2)).to_json()).expect("a record")
        });
        shards.collect()
    };
    let mut shards = parts(players("pubeval", "uniform"));
    let merged = Rollout::merge(&shards).expect("a whole");
    assert_eq!(facts(&merged), facts(&whole));
    assert_eq!(merged.players().names(), ["pubeval", "uniform"]);
    shards[1] = parts(players("pubeval", "pubeval")).swap_remove(1);
    let error = Rollout::merge(&shards).expect_err("another opponent");
    assert!(error.to_string().contains("the policy of the opponent"), "{error}");
}

#[test]
fn policies_belong_to_the_player_whose_rollout_it_is() {
    // The player wins nearly all games, whether a roll is to be played yet or has been.
    let settings = PlayoutSettings::default();
    for request in [request(settings, 200), request_of_plays("31", settings, 200)] {
        let request = RolloutRequest { players: Some(players("pubeval", "uniform")), ..request };
        let rollout = played(begun(Board::START, &request), &workers(1));
        let win = rollout.summary().standings[0].win.mean;
        assert!(win > 0.95, "{win}");
    }
}
