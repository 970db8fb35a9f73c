//! Candidates that are dropped, and the differences between candidates: against sums over the games one by one.

use super::playing::{facts, opening, played, workers};
use crate::support::tiers::tiers;
use crate::support::{begun, request, request_of_plays};
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Playouts, RuleSet, Tier};
use tavli_rollout::{
    Allocation, Difference, EndReason, EndRules, MergeError, PlayoutSettings, Rollout, RolloutError, RolloutRequest,
    Session, Shard, Statistic,
};
use tavli_run::{Cancel, Workers};

/// The plays of 3-1 from the opening, with this allocation.
fn allocated(allocation: Allocation, settings: PlayoutSettings, trials: u64) -> Rollout {
    let rollout = opening(settings, 1).allocated(allocation);
    let rollout = rollout.expect("several candidates");
    rollout.until(EndRules::after_trials(trials)).expect("trials")
}

fn candidates_left(rollout: &Rollout) -> Vec<usize> {
    let standings = rollout.summary().standings.iter();
    let left = standings.filter(|result| !result.is_dropped);
    let mut left: Vec<usize> = left.map(|result| result.candidate).collect();
    left.sort_unstable();
    left
}

/// The points of games of each candidate, for the player who made the play.
fn points(rollout: &Rollout, trials: u64) -> Vec<Vec<f64>> {
    let seed = rollout.settings().seed;
    let of_candidate = |board: Board| {
        let mut records = Vec::new();
        Playouts::new(board, RuleSet::Backgammon, seed)
            .expect("a game")
            .run_with_ends(Tier::Portable, 0..trials, &mut records, NO_STOP)
            .unwrap();
        let points = |record: &GameEnd| -f64::from(record.outcome.expect("an end").points());
        records.iter().map(points).collect()
    };
    let candidates = rollout.candidates().iter();
    candidates.map(|candidate| of_candidate(candidate.board)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean of paired differences, and the larger of their standard error and the standard error of Agresti and Min's
/// interval.
fn compared(a: &[f64], b: &[f64]) -> (f64, f64) {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let n = differences.len() as f64;
    let middle = mean(&differences);
    let squares: f64 = differences.iter().map(|d| (d - middle).powi(2)).sum();
    let sum_of_squares: f64 = differences.iter().map(|d| d * d).sum();
    let added = middle * n / (n + 2.0);
    let variance = (sum_of_squares + 4.0) / (n + 2.0) - added * added;
    let error = (squares / (n - 1.0) / n).sqrt();
    (middle, error.max((variance / (n + 2.0)).sqrt()))
}

/// The trials of each candidate in a race, by sums over the games one by one.
fn race_by_hand(points: &[Vec<f64>], jsd: f64, trials: u64) -> (Vec<u64>, u64) {
    let mut of_candidate = vec![0; points.len()];
    let mut left: Vec<usize> = (0..points.len()).collect();
    let checks = (1..=16).chain([18, 20, 22, 24]).map(|blocks| blocks * 1296);
    for check in checks.take_while(|&check| check <= trials) {
        let n = check as usize;
        left.iter().for_each(|&at| of_candidate[at] = check);
        let by_mean =
            |a: &&usize, b: &&usize| mean(&points[**a][..n]).total_cmp(&mean(&points[**b][..n])).then(b.cmp(a));
        let best = *left.iter().max_by(by_mean).expect("one is left");
        left.retain(|&at| {
            let (behind, error) = compared(&points[best][..n], &points[at][..n]);
            at == best || behind < jsd * error
        });
        if left.len() == 1 {
            return (of_candidate, check);
        }
    }
    left.iter().for_each(|&at| of_candidate[at] = trials);
    (of_candidate, trials)
}

#[test]
fn a_race_drops_what_is_hopeless() {
    let settings = PlayoutSettings { seed: 5, ..PlayoutSettings::default() };
    let limit = 20 * 1296;
    for jsd in [1.0, 2.0] {
        let mut race = allocated(Allocation::JsdRace { jsd }, settings, limit);
        let ended = Session::default().play(&mut race, &workers(2), |_| ()).expect("nothing is saved");
        let points = points(&race, limit);
        let (of_candidate, trials) = race_by_hand(&points, jsd, limit);
        let summary = race.summary();
        assert_eq!(summary.trials, trials);
        assert_eq!(summary.games(), of_candidate.iter().sum::<u64>());
        assert_eq!(race.total_games(), summary.games());
        assert!(candidates_left(&race).len() < 16, "some are dropped at {jsd}");
        for result in &summary.standings {
            let at = result.candidate;
            assert_eq!(result.trials, of_candidate[at], "candidate {at}");
            let own = &points[at][..result.trials as usize];
            assert!((result.equity.mean - mean(own)).abs() < 1e-12);
        }
        assert_eq!(ended == EndReason::Jsd, candidates_left(&race).len() == 1);
        // A finished rollout plays nothing, even when it is read again.
        let mut again = Rollout::from_json(&race.to_json()).expect("a record");
        let ended_again = Session::default().play(&mut again, &workers(1), |_| ());
        assert_eq!(ended_again.expect("nothing is saved"), ended);
        assert_eq!(facts(&again), facts(&race));
    }
}

#[test]
fn halving_keeps_the_better_half() {
    let trials = 15 * 1296;
    let rollout = allocated(Allocation::Halving, PlayoutSettings::default(), trials);
    let points = points(&rollout, trials);
    let rollout = played(rollout, &workers(2));
    let mut left: Vec<usize> = (0..16).collect();
    let mut of_candidate = [trials; 16];
    for blocks in [1, 3, 7] {
        let n = blocks * 1296;
        left.sort_by(|&a, &b| mean(&points[b][..n]).total_cmp(&mean(&points[a][..n])));
        for dropped in left.split_off(left.len() / 2) {
            of_candidate[dropped] = n as u64;
        }
    }
    left.sort_unstable();
    assert_eq!(candidates_left(&rollout), left);
    let summary = rollout.summary();
    assert_eq!(summary.games(), 4 * 16 * 1296);
    for result in &summary.standings {
        assert_eq!(result.trials, of_candidate[result.candidate]);
    }
    let ranks = summary.standings[1..].iter();
    let keys: Vec<(bool, f64)> = ranks.map(|one| (one.is_dropped, one.behind.mean)).collect();
    assert!(keys.is_sorted(), "the best first, what was dropped last");
}

#[test]
fn drops_do_not_depend_on_how_it_is_played() {
    let stratified = PlayoutSettings { first_roll: FirstRoll::Stratified, ..PlayoutSettings::default() };
    for (allocation, settings) in [
        (Allocation::JsdRace { jsd: 1.5 }, PlayoutSettings::default()),
        (Allocation::JsdRace { jsd: 1.5 }, stratified),
        (Allocation::DEFAULT_RACE, PlayoutSettings::default()),
        (Allocation::DEFAULT_RACE, stratified),
        (Allocation::Halving, PlayoutSettings::default()),
    ] {
        let new = || allocated(allocation, settings, 9000);
        let whole = played(new(), &workers(1));
        assert!(candidates_left(&whole).len() < 16);
        let assert_same = |other: &Rollout, how: &str| {
            assert_eq!(facts(other), facts(&whole), "{how}");
            let standings = &whole.summary().standings;
            assert_eq!(&other.summary().standings, standings, "{how}");
        };
        assert_same(&played(new(), &workers(3)), "threads");
        for tier in tiers() {
            let mut rollout = new();
            let session = Session { tier, ..Session::default() };
            session.play(&mut rollout, &workers(2), |_| ()).expect("nothing is saved");
            assert_same(&rollout, tier.name());
        }
        assert_same(&interrupted(new(), &workers(2)), "interrupted");
    }
}

/// The rollout played in sessions that are cancelled somewhere, each saved and read again.
fn interrupted(rollout: Rollout, workers: &Workers) -> Rollout {
    let mut rollout = rollout;
    let mut sessions = 0;
    loop {
        let cancel = Cancel::new();
        let session = Session { cancel: cancel.clone(), ..Session::default() };
        let ended = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(20 + 10 * sessions));
                cancel.cancel();
            });
            let ended = session.play(&mut rollout, workers, |_| ());
            ended.expect("nothing is saved")
        });
        sessions += 1;
        rollout = Rollout::from_json(&rollout.to_json()).expect("a record");
        if ended != EndReason::Cancelled {
            return rollout;
        }
    }
}

#[test]
fn dropping_is_refused_where_it_cannot_work() {
    let half = Shard::new(1, 2).expect("a shard");
    let message = |result: Result<Rollout, RolloutError>| result.expect_err("refused").to_string();
    let halving = played(allocated(Allocation::Halving, PlayoutSettings::default(), 150), &workers(1));
    let alone = begun(Board::START, &request(PlayoutSettings::default(), 36));
    let shard = |allocation| {
        let request = RolloutRequest {
            allocation,
            shard: Some(half),
            ..request_of_plays("31", PlayoutSettings::default(), 2592)
        };
        request.rollout(&Board::START.into())
    };
    for (result, expected) in [
        (shard(Allocation::DEFAULT_RACE), "cannot drop any by race:95%; divide"),
        (shard(Allocation::Halving), "cannot drop any by halving; divide"),
        (alone.allocated(Allocation::DEFAULT_RACE), "need at least two candidates"),
        (
            opening(PlayoutSettings::default(), 10).allocated(Allocation::JsdRace { jsd: f64::NAN }),
            "a finite number above 0, not NaN",
        ),
        (halving.clone().until(EndRules::after_trials(300)), "rounds of halving that end after 150 trials"),
        (halving.clone().allocated(Allocation::DEFAULT_RACE), "of a rollout that has played games cannot change"),
    ] {
        let message = message(result);
        assert!(message.contains(expected), "{message}");
    }
    let merged = Rollout::merge(std::slice::from_ref(&halving));
    assert_eq!(merged.err(), Some(MergeError::Allocation("halving".to_owned())));
    assert!(halving.until(EndRules::after_trials(150)).is_ok());
}

/// Each difference is the mean over the trials of the difference of the two values, with the errors of this sample.
#[test]
fn differences_are_those_of_the_games() {
    let trials = 3000;
    let mut rollout = allocated(Allocation::Halving, PlayoutSettings::default(), trials);
    let points = points(&rollout, trials);
    rollout = played(rollout, &workers(2));
    let differences: Vec<Difference> = rollout.differences().collect();
    assert_eq!(differences.len(), 16 * 15 / 2);
    let ranks: Vec<usize> = rollout.summary().standings.iter().map(|s| s.candidate).collect();
    assert_eq!((differences[0].candidate, differences[0].other), (ranks[0], ranks[1]));
    for difference in &differences {
        let Difference { candidate, other, .. } = *difference;
        let n = difference.trials as usize;
        let fewest = |at: usize| {
            let standings = &rollout.summary().standings;
            standings.iter().find(|s| s.candidate == at).expect("it stands").trials
        };
        assert_eq!(difference.trials, fewest(candidate).min(fewest(other)));
        let share = |holds: fn(f64) -> bool| move |points: f64| if holds(points) { 1.0 } else { 0.0 };
        type Value = Box<dyn Fn(f64) -> f64>;
        let values: [(Statistic, Value); 7] = [
            (difference.win, Box::new(share(|p| p >= 1.0))),
            (difference.win_gammon, Box::new(share(|p| p >= 2.0))),
            (difference.win_backgammon, Box::new(share(|p| p >= 3.0))),
            (difference.lose, Box::new(share(|p| p <= -1.0))),
            (difference.lose_gammon, Box::new(share(|p| p <= -2.0))),
            (difference.lose_backgammon, Box::new(share(|p| p <= -3.0))),
            (difference.equity, Box::new(|p| p)),
        ];
        for (statistic, value) in values {
            let pairs = points[candidate][..n].iter().zip(&points[other][..n]);
            let sample: Vec<f64> = pairs.map(|(&a, &b)| value(a) - value(b)).collect();
            let middle = mean(&sample);
            let squares: f64 = sample.iter().map(|d| (d - middle).powi(2)).sum();
            let deviation = (squares / (n as f64 - 1.0)).sqrt();
            assert!((statistic.mean - middle).abs() < 1e-12);
            assert!((statistic.standard_deviation - deviation).abs() < 1e-9);
            assert!((statistic.standard_error - deviation / (n as f64).sqrt()).abs() < 1e-9);
            assert!(statistic.low < statistic.mean && statistic.mean < statistic.high);
        }
        let jsd = difference.equity.mean / difference.equity.standard_error;
        assert!((difference.jsd - jsd).abs() < 1e-9 || difference.equity.mean == 0.0);
    }
    let (best, second) = (&rollout.summary().standings[0], &rollout.summary().standings[1]);
    assert_eq!(rollout.difference(best.candidate, second.candidate).equity, second.behind);
}

/// Racing to three joint standard deviations plays far fewer games than an even rollout to the same certainty, and
/// finds the same best play.
#[test]
fn a_race_plays_fewer_games() {
    let to_three = |allocation: Allocation| {
        let end_rules = EndRules { jsd: Some(1.0), ..EndRules::after_trials(1 << 40) };
        let rollout = allocated(allocation, PlayoutSettings::default(), 1);
        played(rollout.until(end_rules).expect("a rule"), &workers(2))
    };
    let (even, race) = (to_three(Allocation::Even), to_three(Allocation::JsdRace { jsd: 1.0 }));
    let best = |rollout: &Rollout| rollout.summary().best().candidate;
    assert_eq!(best(&even), best(&race));
    let share = race.total_games() as f64 / even.total_games() as f64;
    assert!(share < 0.6, "{share}");
}
