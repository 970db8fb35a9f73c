//! Rollouts in games other than backgammon: saved, shared and merged they are the whole, and damaged records are
//! refused.

use core::num::NonZeroUsize;

use tavli_backgammon::Tier;
use tavli_draughts::Draughts;
use tavli_file::record::EnvelopeError;
use tavli_games::{GameRollout, GameRolloutRecordError, GameRolloutRequest, PlayableGame};
use tavli_run::{Cpus, Pinning, Placement, Workers};
use tavli_trials::{EndReason, EndRules, EndRulesRequest, ResumableRollout, Session, Shard};
use tavli_variants::{Fevga, Plakoto};

/// A bear-off with one checker and two, whose games are short.
const BEAR_OFF: &str = "---------A-----------o--";

fn workers(threads: usize) -> Workers {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, NonZeroUsize::new(threads));
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn by(policy: &str, trials: u64) -> GameRolloutRequest {
    GameRolloutRequest {
        policy: Some(policy.to_owned()),
        variance_reduction: policy != "uniform",
        end_rules: EndRulesRequest::after_trials(trials),
        ..GameRolloutRequest::default()
    }
}

fn begun<G: PlayableGame>(position: &str, roll: Option<&str>, request: &GameRolloutRequest) -> GameRollout<G> {
    let game = G::by_rules(G::RULES[0], Tier::best(), 1).expect("its own rules");
    // A game without dice has one chance.
    let chance = roll.map(|roll| game.chance(roll).unwrap_or(0));
    let position = match position {
        "start" => game.start(),
        text => game.read(text).expect("a position"),
    };
    GameRollout::new(position, chance, request, Tier::best()).expect("a rollout")
}

fn played<G: PlayableGame>(mut rollout: GameRollout<G>, threads: usize) -> GameRollout<G> {
    let reason = Session::default().play(&mut rollout, &workers(threads), |_| ());
    assert!(matches!(reason, Ok(EndReason::Trials)), "{reason:?}");
    rollout
}

/// A rollout that comes back from its record.
fn read<G: PlayableGame>(rollout: &GameRollout<G>) -> GameRollout<G> {
    GameRollout::from_json(&rollout.to_json(), Tier::best()).expect("its own record")
}

/// The record without the time and what depends on it.
fn facts<G: PlayableGame>(mut rollout: GameRollout<G>) -> String {
    rollout.set_elapsed(core::time::Duration::ZERO);
    rollout.to_json()
}

fn are_the_whole<G: PlayableGame>(position: &str, roll: Option<&str>, policy: &str) {
    let trials = 2 * 1296 + 36;
    let whole = played(begun::<G>(position, roll, &by(policy, trials)), 1);
    assert_eq!(whole.standings().len(), whole.candidates().len());
    let expected = (whole.standings(), facts(whole));
    let part = |index| {
        let shard = Some(Shard::new(index, 3).expect("a shard"));
        let request = GameRolloutRequest { shard, ..by(policy, trials) };
        read(&played(begun::<G>(position, roll, &request), 2))
    };
    let merged = GameRollout::merge([3, 1, 2].map(part).into()).expect("all trials once");
    assert_eq!((merged.standings(), facts(merged)), expected, "{} shards", G::NAME);
    let session = read(&played(begun::<G>(position, roll, &by(policy, 100)), 2));
    let session = played(session.until(EndRules::after_trials(trials)).expect("more trials"), 1);
    assert_eq!((session.standings(), facts(session)), expected, "{} sessions", G::NAME);
    let missing = GameRollout::merge([1, 3].map(part).into()).expect_err("a part is missing");
    assert!(missing.to_string().contains("trials 1296 to 2591 are in no shard"), "{missing}");
    assert!(GameRollout::<G>::merge(Vec::new()).is_err());
}

#[test]
fn sessions_and_shards_are_the_whole() {
    are_the_whole::<Plakoto>(BEAR_OFF, Some("31"), "strong");
    are_the_whole::<Plakoto>("start", None, "uniform");
    are_the_whole::<Fevga>("start", Some("64"), "uniform");
    are_the_whole::<Draughts>("start", Some(""), "uniform");
}

#[test]
fn a_standard_error_ends_a_rollout_at_a_look() {
    let end_rules = EndRulesRequest { standard_error: Some(0.02), ..EndRulesRequest::default() };
    let request = GameRolloutRequest { end_rules, ..by("uniform", 1) };
    let mut rollout = begun::<Fevga>("start", None, &request);
    let reason = Session::default().play(&mut rollout, &workers(2), |_| ());
    assert!(matches!(reason, Ok(EndReason::StandardError)), "{reason:?}");
    let trials = rollout.trials().end;
    assert_eq!(trials % 1296, 0);
    assert!(rollout.standings()[0].equity.standard_error <= 0.02);
    let before = played(begun::<Fevga>("start", None, &by("uniform", trials - 1296)), 1);
    assert!(before.standings()[0].equity.error() > 0.02, "{:?}", before.standings());
}

/// Each record can be one; no games give all of them.
#[test]
fn parts_whose_sums_overflow_are_refused() {
    const PARTS: u64 = 9;
    let read = |text: &str| GameRollout::<Plakoto>::from_json(text, Tier::best());
    let part = |index, member: &str, number: &str| {
        let shard = Some(Shard::new(index, PARTS).expect("a shard"));
        let request = GameRolloutRequest { shard, ..by("strong", 1296 * PARTS) };
        let text = played(begun::<Plakoto>(BEAR_OFF, None, &request), 1).to_json();
        // So far apart values have such cubes.
        let changed = with_number(&text, "\"squares\":", "19342813113834066795298816");
        let changed = with_number(&changed, member, number);
        match read(&changed) {
            Err(GameRolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) => {
                read(&changed.replacen(&found, &contents, 1)).expect("it may be a record")
            }
            other => panic!("{other:?}"),
        }
    };
    let most = ((1_i128 << 124) - 1).to_string();
    let merged = |member, number: &str| {
        let parts = (1..=PARTS).map(|index| part(index, member, number));
        GameRollout::merge(parts.collect())
    };
    let error = merged("\"cubes\":", &most).expect_err("too large");
    assert_eq!(
        error.of_list(),
        "item 8 of the list: its sums are too large to be added to those of the shards before it: no games give them"
    );
    // Times do not make a merge fail: their sum is at most the longest duration.
    assert!(merged("\"seconds\":", "1e19").is_ok());
}

/// A text with another number in the last member of a name.
fn with_number(text: &str, member: &str, number: &str) -> String {
    let (before, after) = text.rsplit_once(member).expect("a member");
    let end = after.find([',', '}']).expect("an end");
    format!("{before}{member}{number}{}", &after[end..])
}

/// The mean of a bear-off that is nearly won is 0.99983, and the values of its games lie near it.
#[test]
fn luck_adjusted_sums_that_no_games_have_are_refused() {
    let board = "BB-A--------bbbba---a---";
    for trials in [72, 2592] {
        let text = played(begun::<Fevga>(board, None, &by("strong", trials)), 2).to_json();
        let read = |text: &str| GameRollout::<Fevga>::from_json(text, Tier::best());
        assert!(read(&text).is_ok());
        let [huge, large] = [30, 27].map(|digits| 10_i128.pow(digits).to_string());
        for (member, number) in [
            ("\"squares\":", if trials == 72 { &*huge } else { &*large }),
            ("\"squares\":", "0"),
            ("\"cubes\":", "0"),
            ("\"cubes\":", "-1"),
            ("\"cubes\":", "-10000000000000000000000000"),
            ("\"values\":", &huge),
        ] {
            let changed = with_number(&text, member, number);
            let Err(GameRolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) = read(&changed)
            else {
                panic!("{member} {number}");
            };
            let error = read(&changed.replacen(&found, &contents, 1)).map(|_| ());
            let error = error.expect_err(&changed).to_string();
            assert!(error.contains("games cannot have these sums"), "{member} {number}: {error}");
        }
    }
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    let text = played(begun::<Plakoto>(BEAR_OFF, Some("31"), &by("strong", 36)), 1).to_json();
    let read = |text: &str| GameRollout::<Plakoto>::from_json(text, Tier::best());
    let other = GameRollout::<Fevga>::from_json(&text, Tier::best()).expect_err("another game");
    assert!(other.to_string().starts_with("it is a rollout of plakoto, not of fevga: "), "{other}");
    let damaged = read(&text.replacen("\"seed\":1", "\"seed\":2", 1)).expect_err("damaged");
    assert!(damaged.to_string().starts_with("it is damaged: its checksum is "), "{damaged}");
    // The checksum is right: it is computed after the change.
    let signed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        let changed = text.replacen(from, to, 1);
        match read(&changed) {
            Err(GameRolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) => {
                read(&changed.replacen(&found, &contents, 1)).expect_err("refused").to_string()
            }
            Err(error) => error.to_string(),
            Ok(_) => panic!("{changed}"),
        }
    };
    for (from, to, expected) in [
        ("\"trials\":[0,36]", "\"trials\":[0,37]", "0..37 is not a beginning of 0..36"),
        ("\"trials\":[0,36]", "\"trials\":[1,36]", "1..36 is not a beginning of 0..36"),
        ("\"trials\":[0,36]", "\"trials\":[0,35]", "they do not add up to the trials"),
        ("\"trials\":36", "\"trials\":0", "a rollout has 1 to"),
        ("\"roll\":\"31\"", "\"roll\":\"32\"", "they are not the plays of the roll"),
        ("\"roll\":\"31\"", "\"roll\":\"71\"", "it is not a roll of the game"),
        ("\"rules\":\"default\"", "\"rules\":\"chess\"", "a version whose games have other values"),
        ("\"game\":\"plakoto\"", "\"game\":\"fevga\"", "a version whose games have other values"),
        ("\"policy\":\"strong\"", "\"policy\":\"strongest\"", "'strongest' plays no rollouts"),
        ("\"policy\":\"strong\"", "\"policy\":\"uniform\"", "variance reduction needs a net"),
        ("\"variance_reduction\":true", "\"variance_reduction\":false", "if, and only if, luck"),
        ("\"shard\":null", "\"shard\":\"2/1\"", "there is no shard 2 of 1"),
        ("\"net\":\"", "\"net\":\"1", "its games were played by another net strong"),
        ("\"lose_single\":", "\"lose_single\":1", "they do not add up to the trials"),
        ("\"win_gammon\":0", "\"win_gammon\":1", "a game of the position cannot end so"),
        ("\"tie\":0", "\"draw\":0", "a name is of no outcome"),
        ("\"squares\":", "\"squares\":-", "games cannot have these sums"),
        ("\"values\":-", "\"values\":-99999999999", "games cannot have these sums"),
        ("\"cubes\":-", "\"cubes\":-999999999", "a sum is too large"),
        ("\"seed\":1", "\"seed\":1,\"luck\":2", "unknown field `luck`"),
        ("\"version\":1", "\"version\":2", "version 2; this program reads version 1"),
    ] {
        let message = signed(from, to);
        assert!(message.contains(expected), "{from} to {to}: {message}");
    }
}
