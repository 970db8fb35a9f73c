//! Rollouts that several processes play together (here threads that pass numbers through memory) equal rollouts by one
//! process, however they are divided and wherever they are interrupted.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::support::{begun, ranks, request, request_of_plays};
use tavli_backgammon::evaluators::built_in;
use tavli_backgammon::{Board, FirstRoll};
use tavli_file::{Existing, Target};
use tavli_rollout::{
    Allocation, Checkpoint, Communicator, EndReason, EndRules, PlayoutSettings, Rollout, RolloutRequest, SaveError,
    Session, Shard, play_by_ranks,
};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).expect("a placement");
    Workers::start(&placement).expect("workers")
}

/// Plays a rollout by one process for each session.
fn played_by_ranks(
    rollout: &Rollout,
    count: usize,
    session: impl Fn(usize) -> Session + Sync,
) -> Vec<(Rollout, Result<EndReason, SaveError>)> {
    watched_by_ranks(rollout, count, &|| (), session)
}

/// [`played_by_ranks`]; the first process calls `watch` after each slice.
fn watched_by_ranks(
    rollout: &Rollout,
    count: usize,
    watch: &(dyn Fn() + Sync),
    session: impl Fn(usize) -> Session + Sync,
) -> Vec<(Rollout, Result<EndReason, SaveError>)> {
    let session = &session;
    thread::scope(|scope| {
        let processes = ranks::threads(count).into_iter().map(|ranks| {
            scope.spawn(move || {
                let rank = ranks.rank();
                let mut rollout = rollout.clone();
                let mut seen = 0;
                let progress = |progress: &tavli_rollout::RolloutProgress| {
                    assert!(progress.trials > seen);
                    seen = progress.trials;
                    watch();
                };
                let ended = play_by_ranks(&mut rollout, &ranks, &workers(1 + rank % 2), &session(rank), progress);
                assert_eq!(seen > 0, rank == 0 && rollout.summary().trials > 0);
                (rollout, ended)
            })
        });
        let processes: Vec<_> = processes.collect();
        let results = processes.into_iter().map(|process| process.join());
        results.map(|result| result.expect("no process failed")).collect()
    })
}

fn alone(rollout: &Rollout) -> (Rollout, EndReason) {
    let mut rollout = rollout.clone();
    let ended = Session::default().play(&mut rollout, &workers(2), |_| ()).expect("nothing is saved");
    (rollout, ended)
}

/// The record without the time that playing took.
fn facts(rollout: &Rollout) -> serde_json::Value {
    let mut record: serde_json::Value = serde_json::from_str(&rollout.to_json()).expect("JSON");
    record["checksum"].take();
    record["rollout"]["seconds"].take();
    record
}

/// The plays of 3-1 from the opening.
fn opening(settings: PlayoutSettings) -> Rollout {
    begun(Board::START, &request_of_plays("31", settings, 46_656))
}

fn scratch_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-ranks-{name}", std::process::id()))
}

#[test]
fn any_number_of_processes_plays_the_rollout_of_one() {
    let any = PlayoutSettings { first_roll: FirstRoll::Any, ..PlayoutSettings::default() };
    let position = begun(Board::START, &request(any, 46_656));
    let cut_off = PlayoutSettings { truncation: NonZeroU32::new(8), ..PlayoutSettings::default() };
    let valued = RolloutRequest {
        evaluator: Some(built_in("sampled:1").expect("an evaluator")),
        ..request_of_plays("31", cut_off, 700)
    };
    let valued = begun(Board::START, &valued);
    let rules = [
        (opening(PlayoutSettings::default()), EndRules::after_trials(10_000)),
        (opening(any), EndRules::after_trials(3)),
        (position.clone(), EndRules::after_trials(1)),
        (valued, EndRules::after_trials(700)),
        (position, EndRules { standard_error: Some(0.012), ..EndRules::after_trials(1 << 40) }),
        (opening(PlayoutSettings::default()), EndRules { jsd: Some(0.2), ..EndRules::after_trials(1 << 40) }),
        (
            opening(PlayoutSettings::default()),
            EndRules { standard_error: Some(1e-9), jsd: Some(1e9), ..EndRules::after_trials(5000) },
        ),
    ];
    let dropping = [Allocation::JsdRace { jsd: 1.5 }, Allocation::Halving].map(|allocation| {
        let rollout = opening(PlayoutSettings::default()).allocated(allocation);
        (rollout.expect("several candidates"), EndRules::after_trials(9000))
    });
    for (rollout, end_rules) in rules.into_iter().chain(dropping) {
        let rollout = rollout.until(end_rules).expect("rules that can hold");
        let (expected, expected_end) = alone(&rollout);
        for count in [1, 2, 3, 5] {
            for (result, ended) in played_by_ranks(&rollout, count, |_| Session::default()) {
                assert_eq!(ended.expect("nothing is saved"), expected_end, "{end_rules:?}");
                assert_eq!(facts(&result), facts(&expected), "{count} processes, {end_rules:?}");
            }
        }
    }
}

#[test]
fn a_shard_is_played_by_ranks() {
    let request = RolloutRequest {
        shard: Some(Shard::new(2, 3).expect("a shard")),
        ..request_of_plays("31", PlayoutSettings::default(), 8 * 1296)
    };
    let rollout = begun(Board::START, &request);
    let (expected, _) = alone(&rollout);
    let (result, _) = played_by_ranks(&rollout, 3, |_| Session::default()).remove(0);
    assert_eq!(facts(&result), facts(&expected));
}

#[test]
fn other_processes_continue_an_interrupted_rollout() {
    let trials = 40_000;
    let rollout = opening(PlayoutSettings::default()).until(EndRules::after_trials(trials)).expect("trials");
    let path = scratch_file("interrupted.json");
    let mut now = rollout.clone();
    let mut ends = Vec::new();
    for (sessions, count) in (1..=3).cycle().enumerate() {
        // Only the last process is cancelled, and after some games: a first slice is far from the whole.
        let cancels: Vec<Cancel> = (0..count).map(|_| Cancel::new()).collect();
        let interrupt = || {
            if sessions < 4 {
                cancels[count - 1].cancel();
            }
        };
        let results = watched_by_ranks(&now, count, &interrupt, |rank| Session {
            cancel: cancels[rank].clone(),
            checkpoint: (rank == 0).then(|| Checkpoint {
                target: Target::open(&path, Existing::Replace).expect("a place to save"),
                interval: Duration::from_millis(1),
            }),
            ..Session::default()
        });
        let saved = Rollout::load(&path).expect("a whole file");
        for (result, ended) in &results {
            assert_eq!(facts(result), facts(&saved));
            assert_eq!(result.elapsed(), results[0].0.elapsed());
            let complete = result.is_complete();
            let expected = if complete { EndReason::Trials } else { EndReason::Cancelled };
            assert_eq!(*ended.as_ref().expect("it was saved"), expected);
        }
        assert!(saved.summary().trials > now.summary().trials);
        ends.push(saved.is_complete());
        now = saved;
        if now.is_complete() {
            break;
        }
    }
    std::fs::remove_file(&path).expect("it was there");
    assert_eq!(ends, [false, false, false, false, true]);
    assert_eq!(facts(&now), facts(&alone(&rollout).0));
}

#[test]
fn time_ends_all() {
    let end_rules = EndRules { time: Some(Duration::from_millis(400)), ..EndRules::after_trials(Rollout::MAX_TRIALS) };
    let rollout = opening(PlayoutSettings::default()).until(end_rules).expect("a time");
    let results = played_by_ranks(&rollout, 2, |_| Session::default());
    for (result, ended) in &results {
        assert_eq!(*ended.as_ref().expect("nothing is saved"), EndReason::Time);
        let end_rules = EndRules::after_trials(result.summary().trials);
        let (again, _) = alone(&opening(PlayoutSettings::default()).until(end_rules).expect("trials"));
        assert_eq!(result.summary().standings, again.summary().standings);
    }
}

#[test]
fn a_file_that_cannot_be_written_ends_all() {
    let folder = scratch_file("folder");
    std::fs::create_dir(&folder).expect("a place to write");
    let target = Target::open(&folder.join("file.json"), Existing::Refuse).expect("a folder");
    std::fs::remove_dir_all(&folder).expect("it was there");
    let results = played_by_ranks(&opening(PlayoutSettings::default()), 3, |rank| Session {
        checkpoint: (rank == 0).then(|| Checkpoint { target: target.clone(), interval: Duration::from_secs(10) }),
        ..Session::default()
    });
    for (rank, (result, ended)) in results.iter().enumerate() {
        assert_eq!(result.summary().trials, 0);
        match ended {
            Err(error) => assert!(rank == 0 && error.to_string().contains("cannot save")),
            Ok(ended) => assert!(rank > 0 && *ended == EndReason::Cancelled),
        }
    }
}
