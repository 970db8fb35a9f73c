//! Rollouts: the same however they are played, errors that are right, and records that are whole.

mod support;

use core::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use support::effort::of_effort;
use support::golden;
use support::tiers::tiers;
use tavli::rollout::{
    Checkpoint, Ended, MergeError, Policy, RecordError, Rollout, RolloutError, Session, Settings,
    Shard, Standing, Stop, Uniform,
};
use tavli::run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli::{Board, FirstRoll, Outcome, Playouts, Record, RuleSet, Tier};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).expect("a placement");
    Workers::start(&placement).expect("workers")
}

fn position(id: &str) -> Board {
    Board::from_position_id(id).expect("a position")
}

fn played(rollout: Rollout, workers: &Workers) -> Rollout {
    let mut rollout = rollout;
    let session = Session {
        tier: tiers()[0],
        ..Session::default()
    };
    rollout
        .play(workers, &session, |_| ())
        .expect("nothing is saved");
    rollout
}

/// The plays of 3-1 from the opening.
fn opening(settings: Settings, trials: u64) -> Rollout {
    Rollout::of_plays(&Board::START, "31".parse().expect("a roll"), settings)
        .expect("a rollout")
        .until(Stop::after(trials))
        .expect("a number of trials")
}

/// The record without the time that playing took.
fn facts(rollout: &Rollout) -> serde_json::Value {
    let mut record: serde_json::Value = serde_json::from_str(&rollout.to_json()).expect("JSON");
    record["checksum"].take();
    record["rollout"]["seconds"].take();
    record
}

#[test]
fn counts_are_those_of_the_games() {
    let settings = Settings {
        seed: 11,
        truncation: NonZeroU32::new(120),
        ..Settings::default()
    };
    let rollout = played(opening(settings, 3000), &workers(2));
    let summary = rollout.summary();
    assert_eq!(summary.trials, 3000);
    let mut points: Vec<Vec<i32>> = Vec::new();
    for candidate in rollout.candidates() {
        let mut records = Vec::new();
        Playouts::new(candidate.board, RuleSet::Backgammon, 11)
            .expect("a game")
            .with_first_roll(FirstRoll::Stratified)
            .truncated_after(NonZeroU32::new(120).expect("not 0"))
            .run_recorded(Tier::Portable, 0..3000, &mut records);
        let of_game = |record: &Record| record.outcome.map_or(0, |outcome| -outcome.points());
        points.push(records.iter().map(of_game).collect());
        let index = points.len() - 1;
        let standing = summary
            .standings
            .iter()
            .find(|standing| standing.candidate == index)
            .expect("each candidate stands somewhere");
        for (at, count) in standing.outcomes.iter().enumerate() {
            let outcome = Outcome::ALL[at].reversed();
            let ended = records.iter().filter(|r| r.outcome == Some(outcome));
            assert_eq!(ended.count() as u64, *count);
        }
        let unfinished = records.iter().filter(|r| r.outcome.is_none()).count();
        assert_eq!(standing.unfinished, unfinished as u64);
        let share = |n: u64| n as f64 / 3000.0;
        let [ws, wg, wb, ls, lg, lb] = standing.outcomes;
        for (statistic, count) in [
            (standing.win, ws + wg + wb),
            (standing.win_gammon, wg + wb),
            (standing.win_backgammon, wb),
            (standing.lose, ls + lg + lb),
            (standing.lose_gammon, lg + lb),
            (standing.lose_backgammon, lb),
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
    for standing in &summary.standings[1..] {
        let pairs = best.iter().zip(&points[standing.candidate]);
        let differences: Vec<f64> = pairs.map(|(a, b)| f64::from(a - b)).collect();
        let mean = differences.iter().sum::<f64>() / 3000.0;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        assert!((standing.behind.mean - mean).abs() < 1e-12);
        assert!((standing.behind.standard_deviation - (squares / 2999.0).sqrt()).abs() < 1e-9);
        assert!(standing.behind.mean >= 0.0 && standing.jsd >= 0.0);
    }
}

#[test]
fn however_it_is_played_it_is_the_same() {
    for first_roll in [FirstRoll::Stratified, FirstRoll::Any] {
        let settings = Settings {
            first_roll,
            ..Settings::default()
        };
        let whole = played(opening(settings, 10_001), &workers(1));
        let summary = whole.summary();
        let assert_same = |other: &Rollout, how: &str| {
            assert_eq!(facts(other), facts(&whole), "{how}");
            assert_eq!(other.summary().standings, summary.standings, "{how}");
        };
        assert_same(&played(opening(settings, 10_001), &workers(3)), "threads");
        for tier in tiers() {
            let mut rollout = opening(settings, 10_001);
            let session = Session {
                tier,
                ..Session::default()
            };
            rollout
                .play(&workers(2), &session, |_| ())
                .expect("nothing is saved");
            assert_same(&rollout, tier.name());
        }
        // In sessions, each saved and read again.
        let mut extended = opening(settings, 1);
        for trials in [1, 35, 1296, 1300, 9999, 10_001] {
            let again = Rollout::from_json(&extended.to_json()).expect("a record");
            extended = played(again.until(Stop::after(trials)).expect("more"), &workers(2));
        }
        assert_same(&extended, "extended");
        for shards in [1, 2, 7] {
            let mut parts: Vec<Rollout> = (1..=shards)
                .map(|index| {
                    let shard = Shard::new(index, shards).expect("a shard");
                    let part = opening(settings, 10_001)
                        .shard(shard)
                        .expect("enough trials");
                    let part = played(part, &workers(2));
                    assert!(part.is_complete());
                    Rollout::from_json(&part.to_json()).expect("a record")
                })
                .collect();
            parts.reverse();
            assert_same(&Rollout::merge(&parts).expect("a whole"), "shards");
        }
    }
}

#[test]
fn interruptions_change_nothing() {
    let workers = workers(2);
    let stop = Stop {
        standard_error: Some(0.008),
        ..Stop::after(1 << 40)
    };
    let rollout = || opening(Settings::default(), 1).until(stop).expect("a rule");
    let mut whole = rollout();
    let ended = whole
        .play(&workers, &Session::default(), |_| ())
        .expect("nothing is saved");
    assert_eq!(ended, Ended::StandardError);
    let widest = |rollout: &Rollout| {
        let summary = rollout.summary();
        let errors = summary.standings.iter().map(|s| s.equity.standard_error);
        errors.fold(0.0, f64::max)
    };
    assert!(widest(&whole) <= 0.008 && widest(&whole) > 0.007);
    // Sessions of a small part of the time that the whole took, each longer than the one before.
    let mut time = whole.elapsed() / 16;
    let mut sessions = 0;
    let mut interrupted = rollout();
    loop {
        let cancel = Cancel::new();
        let session = Session {
            cancel: cancel.clone(),
            ..Session::default()
        };
        let timer = thread::spawn(move || {
            thread::sleep(time);
            cancel.cancel();
        });
        let ended = interrupted
            .play(&workers, &session, |_| ())
            .expect("nothing is saved");
        timer.join().expect("no panic");
        sessions += 1;
        time = time * 3 / 2;
        match ended {
            Ended::Cancelled => {
                interrupted = Rollout::from_json(&interrupted.to_json()).expect("a record");
            }
            ended => {
                assert_eq!(ended, Ended::StandardError);
                break;
            }
        }
    }
    assert!(sessions > 1);
    assert_eq!(facts(&interrupted), facts(&whole));
    // At its end it plays nothing, even when it is read again.
    let mut again = Rollout::from_json(&whole.to_json()).expect("a record");
    let ended = again
        .play(&workers, &Session::default(), |_| ())
        .expect("nothing is saved");
    assert_eq!(
        (ended, again.games()),
        (Ended::StandardError, whole.games())
    );
}

#[test]
fn every_rule_ends_a_rollout() {
    let workers = workers(2);
    let start = || opening(Settings::default(), 1);
    let ends_by = |stop: Stop| {
        let mut rollout = start().until(stop).expect("a rule");
        let ended = rollout.play(&workers, &Session::default(), |progress| {
            assert!(progress.trials >= progress.session_trials && progress.candidates == 16);
            assert!((0.0..=1.0).contains(&progress.fraction()));
        });
        (ended.expect("nothing is saved"), rollout.summary())
    };
    let endless = Stop::after(1 << 50);
    let (ended, summary) = ends_by(Stop::after(777));
    assert_eq!((ended, summary.trials), (Ended::Trials, 777));
    let (ended, summary) = ends_by(Stop {
        jsd: Some(0.5),
        ..endless
    });
    assert_eq!((ended, summary.trials % 1296), (Ended::Jsd, 0));
    assert!(
        summary.standings[1..]
            .iter()
            .all(|standing| standing.jsd >= 0.5)
    );
    let (ended, summary) = ends_by(Stop {
        time: Some(Duration::from_millis(200)),
        ..endless
    });
    assert_eq!(ended, Ended::Time);
    assert!(summary.trials > 0 && summary.elapsed < Duration::from_secs(10));
    // Some game is played however short the time.
    let (ended, summary) = ends_by(Stop {
        time: Some(Duration::from_nanos(1)),
        ..endless
    });
    assert!(ended == Ended::Time && summary.trials > 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let settings = Settings::default();
    let start = || Rollout::of_position(&Board::START, settings).expect("a rollout");
    let message = |result: Result<Rollout, RolloutError>| result.expect_err("refused").to_string();
    for (result, expected) in [
        (
            start().until(Stop::after(0)),
            "1 to 72057594037927936 trials, not 0",
        ),
        (
            start().until(Stop::after(u64::MAX)),
            "trials, not 18446744073709551615",
        ),
        (
            start().until(Stop {
                standard_error: Some(0.0),
                ..Stop::default()
            }),
            "above 0, not 0",
        ),
        (
            start().until(Stop {
                standard_error: Some(f64::NAN),
                ..Stop::default()
            }),
            "not NaN",
        ),
        (
            start().until(Stop {
                jsd: Some(3.0),
                ..Stop::default()
            }),
            "at least two candidates",
        ),
        (
            start()
                .until(Stop {
                    time: Some(Duration::from_secs(1)),
                    ..Stop::default()
                })
                .and_then(|rollout| rollout.shard(Shard::new(1, 2).expect("a shard"))),
            "cannot end by errors or time",
        ),
        (
            start()
                .until(Stop::after(1000))
                .and_then(|rollout| rollout.shard(Shard::new(1, 2).expect("a shard"))),
            "too few for 2 shards",
        ),
        (
            played(start(), &workers(1)).shard(Shard::new(1, 2).expect("a shard")),
            "before a rollout begins",
        ),
        (
            played(start(), &workers(1)).until(Stop::after(1296)),
            "46656 trials have been played",
        ),
    ] {
        let message = message(result);
        assert!(message.contains(expected), "{message}");
    }
    let roll = "31".parse().expect("a roll");
    let candidates = |boards: &[Board]| {
        message(Rollout::of_candidates(
            &Board::START,
            roll,
            boards,
            settings,
        ))
    };
    let rollout = opening(settings, 1);
    let play = rollout.candidates()[0].board;
    assert!(candidates(&[]).contains("0 candidates"));
    assert!(candidates(&[play, play]).contains("is a candidate twice"));
    assert!(candidates(&[play, Board::START]).contains("is not the position after a play of 31"));
    let (mut home, mut away) = ([0; 26], [0; 26]);
    (home[6], away[24]) = (15, 15);
    let over = Board::new(&home, &away).expect("a position");
    let settings = Settings {
        rules: RuleSet::McGammon,
        ..settings
    };
    assert!(message(Rollout::of_position(&over, settings)).contains("already over"));
    assert!(message(Rollout::of_plays(&over, roll, settings)).contains("already over"));
}

#[test]
fn a_play_that_wins_is_rolled_out() {
    // The last checker: every roll bears it off. The opponent has borne off none and has one on the bar.
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    (own[1], opponent[23], opponent[25]) = (1, 14, 1);
    let board = Board::new(&own, &opponent).expect("a position");
    let rollout = Rollout::of_plays(&board, "21".parse().expect("a roll"), Settings::default());
    let rollout = played(rollout.expect("a rollout"), &workers(1));
    let summary = rollout.summary();
    let best = summary.best();
    assert_eq!((best.win_backgammon.mean, best.equity.mean), (1.0, 3.0));
    assert_eq!(best.equity.standard_error, 0.0);
    let again = Rollout::from_json(&rollout.to_json()).expect("a record");
    assert_eq!(again.summary(), summary);
}

#[test]
fn merging_names_the_conflict() {
    let workers = workers(2);
    let part = |settings, trials, index| {
        let shard = Shard::new(index, 3).expect("a shard");
        played(
            opening(settings, trials).shard(shard).expect("enough"),
            &workers,
        )
    };
    let settings = Settings::default();
    let parts: Vec<Rollout> = (1..=3)
        .map(|index| part(settings, 6 * 1296, index))
        .collect();
    let error = |parts: &[&Rollout]| {
        let parts: Vec<Rollout> = parts.iter().map(|&part| part.clone()).collect();
        Rollout::merge(&parts).expect_err("a conflict").to_string()
    };
    assert!(Rollout::merge(&parts).is_ok());
    assert_eq!(
        Rollout::merge(&[]).expect_err("nothing"),
        MergeError::Nothing
    );
    assert_eq!(
        error(&[&parts[0], &parts[2]]),
        "games 2592 to 5183 are in no part: of 7776 trials, each must be in one"
    );
    assert!(error(&[&parts[1], &parts[0]]).contains("games 5184 to 7775 are in no part"));
    assert_eq!(
        error(&[&parts[0], &parts[1], &parts[1], &parts[2]]),
        "both hold games 2592 to 5183"
    );
    let other = |settings| part(settings, 6 * 1296, 2);
    for (other, expected) in [
        (
            other(Settings {
                seed: 2,
                ..settings
            }),
            "the seed is 1 in one, 2 in the other",
        ),
        (
            other(Settings {
                first_roll: FirstRoll::Any,
                ..settings
            }),
            "the first roll is stratified in one, any in the other",
        ),
        (
            other(Settings {
                truncation: NonZeroU32::new(9),
                ..settings
            }),
            "the truncation is none in one, 9 plies in the other",
        ),
        (
            other(Settings {
                rules: RuleSet::McGammon,
                ..settings
            }),
            "backgammon in one, mcgammon",
        ),
        (
            part(settings, 7 * 1296, 2),
            "the number of trials is 7776 in one, 9072 in the other",
        ),
        (
            played(
                Rollout::of_position(&Board::START, settings).expect("a rollout"),
                &workers,
            ),
            "the roll is 31 in one, none in the other",
        ),
    ] {
        let message = error(&[&parts[0], &other, &parts[2]]);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn candidates_meet_the_same_throws() {
    // Two plays that differ by nothing that the next ply sees: the covariance is that of one game with itself
    // as long as it lasts, so the difference varies less than independent games would.
    let board = position("7e4OAABtdw8AAA");
    let rollout = Rollout::of_plays(&board, "21".parse().expect("a roll"), Settings::default());
    let rollout = rollout
        .expect("a rollout")
        .until(Stop::after(36 * 1296))
        .expect("trials");
    let summary = played(rollout, &workers(2)).summary();
    let [best, second] = &summary.standings[..2] else {
        panic!("two plays");
    };
    let apart = best
        .equity
        .standard_error
        .hypot(second.equity.standard_error);
    assert!(second.behind.standard_error < 0.95 * apart, "{summary:?}");
}

/// A policy of another name.
#[derive(Debug)]
struct Renamed;

impl Policy for Renamed {
    fn name(&self) -> &str {
        "renamed"
    }

    fn play(
        &self,
        playouts: &Playouts,
        tier: Tier,
        games: core::ops::Range<u64>,
        records: &mut Vec<Record>,
    ) {
        Uniform.play(playouts, tier, games, records);
    }
}

#[test]
fn a_policy_is_a_parameter() {
    let rollout = opening(Settings::default(), 1296);
    let renamed = rollout
        .clone()
        .played_by(Arc::new(Renamed))
        .expect("nothing is played");
    let (uniform, renamed) = (played(rollout, &workers(1)), played(renamed, &workers(1)));
    assert_eq!(uniform.summary().standings, renamed.summary().standings);
    let text = renamed.to_json();
    let error = Rollout::from_json(&text).expect_err("another policy");
    assert_eq!(
        error.to_string(),
        "it was played by policy 'renamed', not 'uniform'"
    );
    assert!(Rollout::from_json_played_by(&text, Arc::new(Renamed)).is_ok());
    assert!(uniform.played_by(Arc::new(Renamed)).is_err());
}

#[test]
fn records_come_back() {
    let stop = Stop {
        trials: 1 << 50,
        standard_error: Some(0.1 + 0.2),
        jsd: Some(1.0 / 3.0),
        time: Some(Duration::from_nanos(1_234_567_891)),
    };
    let settings = Settings {
        seed: u64::MAX,
        truncation: NonZeroU32::new(60),
        ..Settings::default()
    };
    let rollout = played(
        opening(settings, 1).until(stop).expect("rules"),
        &workers(2),
    );
    let again = Rollout::from_json(&rollout.to_json()).expect("a record");
    assert_eq!(again.to_json(), rollout.to_json());
    assert_eq!(again.summary().standings, rollout.summary().standings);
    assert_eq!(
        (again.stop(), again.settings()),
        (rollout.stop(), rollout.settings())
    );
}

#[test]
fn other_records_are_refused_with_the_reason() {
    let text = played(opening(Settings::default(), 1296), &workers(2)).to_json();
    let error = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Rollout::from_json(&text.replacen(from, to, 1))
            .expect_err("refused")
            .to_string()
    };
    assert!(
        error("\"version\":1", "\"version\":2").contains("version 2; this program reads version 1")
    );
    assert!(error("tavli rollout", "tavli roll").contains("its format is 'tavli roll'"));
    assert!(error("dac667e0cf9b3c25", "0000000000000000").contains("signature 0000000000000000"));
    assert!(error("\"seed\":1", "\"seed\":2").contains("it is damaged: its checksum is "));
    assert!(error("\"seed\":1", "\"seeds\":1").contains("unknown field `seeds`"));
    assert!(error("{", "").contains("it is no record of a rollout"));
    assert!(matches!(Rollout::from_json(""), Err(RecordError::Json(_))));
}

/// Numbers that look random, for mutations: SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

#[test]
fn mutated_records_are_refused() {
    let settings = Settings {
        first_roll: FirstRoll::Any,
        ..Settings::default()
    };
    let short = played(opening(settings, 500), &workers(1)).to_json();
    let long = played(opening(Settings::default(), 500), &workers(1)).to_json();
    let mut numbers = Numbers(1);
    let pieces = [
        "-",
        "9",
        "0",
        "1e400",
        "null",
        "\"",
        "[",
        "]",
        "{",
        "}",
        ",",
        "\\u0000",
        "18446744073709551616",
        "\u{e9}",
    ];
    for i in 0..10_000 {
        let original = if i % 100 == 0 { &long } else { &short };
        let mut bytes = original.clone().into_bytes();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(bytes.len());
            match numbers.below(5) {
                0 => bytes[at] ^= 1 << numbers.below(8),
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at..(at + 1 + numbers.below(30)).min(bytes.len()))),
                3 => drop(bytes.splice(at..at, pieces[numbers.below(pieces.len())].bytes())),
                _ => {
                    let from = numbers.below(bytes.len());
                    let copy = bytes[from..(from + 40).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, copy));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        match Rollout::from_json(&text) {
            Err(error) => assert!(!error.to_string().is_empty()),
            // Such as a hexadecimal digit that was replaced by itself.
            Ok(rollout) => assert_eq!(&rollout.to_json(), original, "{text}"),
        }
    }
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    // The checksum is right, for it is computed after the change.
    let text = played(opening(Settings::default(), 1296), &workers(1)).to_json();
    let signed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let changed = text.replacen(from, to, 1);
        match Rollout::from_json(&changed) {
            Err(RecordError::Checksum { found, contents }) => {
                Rollout::from_json(&changed.replacen(&found, &contents, 1))
                    .expect_err("refused")
                    .to_string()
            }
            other => panic!("{other:?}"),
        }
    };
    let ends = text.find("\"ends\":[[").expect("ends") + "\"ends\":[[".len();
    let first = &text[ends..ends + 1];
    let products = text.find("\"products\":[[").expect("products") + "\"products\":[[".len();
    let product = text[products..].split(',').next().expect("a number");
    for (from, to, expected) in [
        (
            "\"games\":[0,1296]".to_owned(),
            "\"games\":[0,1297]".to_owned(),
            "its games cannot be",
        ),
        (
            "\"games\":[0,1296]".to_owned(),
            "\"games\":[0,1295]".to_owned(),
            "do not add up",
        ),
        (
            "\"games\":[0,1296]".to_owned(),
            "\"games\":[36,1296]".to_owned(),
            "its games cannot be",
        ),
        (
            "\"trials\":1296".to_owned(),
            "\"trials\":0".to_owned(),
            "1 to 72057594037927936 trials",
        ),
        (
            format!("\"ends\":[[{first}"),
            "\"ends\":[[7".to_owned(),
            "do not add up",
        ),
        (
            "\"ends\":[[".to_owned(),
            "\"ends\":[[0,0,0,0,0,0,0],[".to_owned(),
            "one for each stratum",
        ),
        (
            format!("\"products\":[[{product}"),
            "\"products\":[[999999".to_owned(),
            "larger than",
        ),
        (
            "\"products\":[[".to_owned(),
            "\"products\":[[0,0,0,0],[".to_owned(),
            "one for each pair",
        ),
        (
            "\"roll\":\"31\"".to_owned(),
            "\"roll\":\"66\"".to_owned(),
            "after a play of 66",
        ),
        (
            "\"roll\":\"31\"".to_owned(),
            "\"roll\":null".to_owned(),
            "without a roll",
        ),
        (
            "\"roll\":\"31\"".to_owned(),
            "\"roll\":\"97\"".to_owned(),
            "its roll cannot be",
        ),
        (
            "\"shard\":null".to_owned(),
            "\"shard\":\"2/2\"".to_owned(),
            "too few for 2 shards",
        ),
        (
            "stratified".to_owned(),
            "any".to_owned(),
            "one for each stratum",
        ),
        (
            "4HPwATDgc/ABMA".to_owned(),
            "4HPwATDgc/ABM*".to_owned(),
            "its position_id cannot be",
        ),
        (
            "\"standard_error\":null".to_owned(),
            "\"standard_error\":-1.0".to_owned(),
            "above 0",
        ),
    ] {
        let message = signed(&from, &to);
        assert!(message.contains(expected), "{from} {to}: {message}");
    }
}

#[test]
fn checkpoints_are_written_while_it_plays() {
    let path = std::env::temp_dir().join(format!("tavli-checkpoint-{}.json", std::process::id()));
    let session = Session {
        checkpoint: Some(Checkpoint {
            path: path.clone(),
            interval: Duration::ZERO,
        }),
        ..Session::default()
    };
    let mut rollout = opening(Settings::default(), 20_000);
    let mut trials = Vec::new();
    rollout
        .play(&workers(2), &session, |_| {
            trials.push(Rollout::load(&path).expect("a whole record").games().end);
        })
        .expect("a place to save");
    let saved = Rollout::load(&path).expect("a whole record");
    assert_eq!(saved.to_json(), rollout.to_json());
    assert!(trials.is_sorted(), "{trials:?}");
    std::fs::remove_file(&path).expect("it was there");
    let nowhere = Session {
        checkpoint: Some(Checkpoint {
            path: path.join("x"),
            interval: Duration::ZERO,
        }),
        ..Session::default()
    };
    let error = rollout
        .play(&workers(1), &nowhere, |_| ())
        .expect_err("no such folder");
    assert!(error.to_string().starts_with("cannot save the rollout as "));
}

fn number(field: &str) -> f64 {
    field.parse().expect("a number")
}

/// How many of 95 % intervals hold the exact value.
#[derive(Default)]
struct Coverage {
    held: u64,
    all: u64,
}

impl Coverage {
    fn add(&mut self, interval: (f64, f64), exact: f64) {
        self.all += 1;
        self.held += u64::from(interval.0 <= exact && exact <= interval.1);
    }

    fn assert(&self, what: &str) {
        let share = self.held as f64 / self.all as f64;
        println!("{what}: {share:.4} of {}", self.all);
        assert!(
            (0.93..=0.97).contains(&share),
            "{what}: {share:.4} of {}",
            self.all
        );
    }
}

/// Rollouts by seeds of their own.
fn independent(
    first_roll: FirstRoll,
    trials: u64,
    rollouts: u64,
    rollout: impl Fn(Settings) -> Result<Rollout, RolloutError>,
    mut each: impl FnMut(&[Standing]),
) {
    let workers = workers(2);
    for seed in 0..rollouts {
        let settings = Settings {
            seed,
            first_roll,
            ..Settings::default()
        };
        let rollout = rollout(settings)
            .expect("a rollout")
            .until(Stop::after(trials));
        each(
            &played(rollout.expect("trials"), &workers)
                .summary()
                .standings,
        );
    }
}

#[test]
fn intervals_hold_the_exact_value_95_times_in_100() {
    let rollouts = of_effort(1000, 4000);
    let rows = golden::rows(&golden::data("bearoff_random_exact.tsv"));
    for first_roll in [FirstRoll::Stratified, FirstRoll::Any] {
        for trials in [1296, 2592, 3000] {
            let mut coverage = Coverage::default();
            // Short and long bear-offs whose winner is open.
            let open = rows
                .iter()
                .filter(|row| (0.2..0.8).contains(&number(&row[1])));
            let chosen: Vec<_> = open.step_by(17).take(8).collect();
            for row in &chosen {
                let (board, win) = (position(&row[0]), number(&row[1]));
                let of_board = |settings| Rollout::of_position(&board, settings);
                let each = rollouts / chosen.len() as u64;
                independent(first_roll, trials, each, of_board, |standings| {
                    coverage.add(standings[0].win.interval(), win);
                });
            }
            coverage.assert(&format!("{first_roll}, {trials} trials, games won"));
        }
    }
}

#[test]
fn intervals_of_equities_and_differences_hold_their_mean_95_times_in_100() {
    let rollouts = of_effort(600, 2000);
    // The opening, and a race of few plies, in which the first rolls decide much and games run in step.
    for (id, roll) in [("4HPwATDgc/ABMA", "31"), ("FQAAIAoAAAAAAA", "21")] {
        let board = position(id);
        let roll = roll.parse().expect("a roll");
        let two = |settings| {
            let all = Rollout::of_plays(&board, roll, settings)?;
            let boards: Vec<Board> = all.candidates().iter().map(|c| c.board).collect();
            Rollout::of_candidates(&board, roll, &boards[..2], settings)
        };
        let mut equities = Vec::new();
        let mut differences = Vec::new();
        independent(FirstRoll::Stratified, 1296, rollouts, two, |standings| {
            let of = |candidate: usize| standings.iter().find(|s| s.candidate == candidate);
            equities.push(of(0).expect("it stands").equity);
            let mut behind = standings[1].behind;
            if standings[0].candidate == 1 {
                behind.mean = -behind.mean;
            }
            differences.push(behind);
        });
        for (what, statistics) in [("equity", &equities), ("difference", &differences)] {
            // So many rollouts together are far more certain than each.
            let mean = statistics.iter().map(|s| s.mean).sum::<f64>() / statistics.len() as f64;
            let mut coverage = Coverage::default();
            statistics
                .iter()
                .for_each(|s| coverage.add(s.interval(), mean));
            coverage.assert(&format!("{id}, {what}"));
        }
    }
}

#[test]
fn rollouts_are_those_of_other_programs() {
    let workers = workers(2);
    let trials = of_effort(36 * 1296, 1296 * 1296);
    let rows = golden::rows(&golden::data("playout_stats.tsv"));
    let mut compared = 0;
    for row in rows.iter().filter(|row| row[4] == "pooled") {
        let first_roll = match (row[2].as_str(), row[3].as_str()) {
            ("any", "normal") => FirstRoll::Stratified,
            ("open", "normal") => FirstRoll::Open,
            _ => continue,
        };
        let settings = Settings {
            first_roll,
            ..Settings::default()
        };
        let rollout = Rollout::of_position(&position(&row[1]), settings).expect("a rollout");
        let rollout = rollout.until(Stop::after(trials)).expect("trials");
        let summary = played(rollout, &workers).summary();
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
            // What never happened here has no error here, but theirs tells how often it does.
            let floor = their_error * (games / trials as f64).sqrt();
            let ours = if statistic.mean == 0.0 {
                floor
            } else {
                statistic.standard_error
            };
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
