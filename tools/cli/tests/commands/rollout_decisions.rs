//! Decisions: which plays a rollout takes up, drops and finds.

use std::time::{Duration, Instant};

use crate::rollout::{at, facts, fresh};
use crate::support::{OPENING, errors, json, parse, run, tavli, text};
use serde_json::Value;

/// The candidates that a rollout dropped, and the games of all.
fn dropped(result: &Value) -> (usize, u64) {
    let candidates = result["candidates"].as_array().expect("a list");
    let dropped = candidates.iter().filter(|candidate| candidate["dropped"] == true);
    let trials = candidates.iter().map(|candidate| candidate["trials"].as_u64().expect("a number"));
    (dropped.count(), trials.sum())
}

#[test]
fn a_race_is_saved_continued_and_says_what_it_dropped() {
    let common = format!("rollout --policy uniform {OPENING} 31 --allocate race:1");
    let whole = json(&format!("{common} --trials 9000 --json"));
    assert_eq!(whole["allocation"], "race:1");
    let (number, games) = dropped(&whole);
    assert!(number > 0 && games < 16 * 9000, "{number} {games}");
    let file = fresh("race.json");
    let saved = run(&format!("{common} --trials 3000 --save {}", at(&file)));
    assert!(text(&saved).contains(", race:1"), "{saved:?}");
    let resume = format!("rollout --resume {}", at(&file));
    let again = json(&format!("{resume} --trials 9000 --json"));
    assert_eq!(facts(&again), facts(&whole));
    let shown = run(&resume);
    assert!(text(&shown).contains("dropped after 1,296 trials"), "{shown:?}");
    let other = run(&format!("{resume} {OPENING} 31 --allocate halving"));
    assert_eq!(other.status.code(), Some(2));
    let message = "the saved rollout has the allocation race:1, not halving";
    assert!(errors(&other).contains(message), "{other:?}");
}

#[test]
fn a_roll_alone_is_decided() {
    let common = format!("rollout {OPENING} 31");
    let result = json(&format!("{common} --json"));
    let decision = &result["decision"];
    assert_eq!((&decision["play"], &decision["verdict"]), (&"8/5 6/5".into(), &"best".into()));
    assert!(decision["sure"].as_f64().expect("a share") >= 0.95, "{decision}");
    assert_eq!(
        (&result["allocation"], &result["policy"], &result["luck"]),
        (&"race:95%:0.01".into(), &"strong+bearoff:6x6".into(), &"fast+bearoff:6x6".into())
    );
    let candidates = result["candidates"].as_array().expect("a list").len();
    assert_eq!(decision["left_out"], 16 - candidates);
    assert_eq!(decision["equal_plays"], Value::Array(Vec::new()));
    assert_eq!(decision["games"].as_u64(), Some(dropped(&result).1));
    assert!(decision["equivalent_games"].as_f64() > Some(1000.0), "{decision}");
    let cut_off = (&result["truncated_after"], &result["evaluator"]);
    assert_eq!(cut_off, (&5.into(), &"strong+bearoff:6x6".into()));
    // Each part is an option. The luck and the end have one evaluator: without it games are played to their end.
    let result = json(&format!("{common} --within 0.02 --truncate none --json"));
    assert_eq!(result["truncated_after"], Value::Null);
    assert!(result["decision"]["equivalent_games"].as_f64() > Some(100.0));
    let unvalued = json(&format!("{common} --within 0.02 --evaluator none --json"));
    assert_eq!(facts(&unvalued), facts(&result));
    let players = "--policy strong+bearoff:6x6 --variance-reduction --evaluator fast+bearoff:6x6";
    let parts = format!("--allocate race:95%:0.02 --filter 0.16 {players}");
    let named = json(&format!("{common} {parts} --trials 2304 --json"));
    assert_eq!(facts(&named), facts(&result));
    let shown = run(&format!("{common} --layout gnubg"));
    let shown = text(&shown);
    assert!(shown.contains("\n8/5 6/5 is the best play: 9"), "{shown}");
    assert!(shown.contains("% sure\n  left out by their value: "), "{shown}");
}

/// A trial of the players takes minutes.
#[test]
fn time_is_kept_before_the_first_trial() {
    let slow = "--policy strong+3ply --seconds 0.1";
    let common = format!("rollout {OPENING} 31 --within 0 --truncate none {slow}");
    let start = Instant::now();
    let result = json(&format!("{common} --json"));
    let decision = &result["decision"];
    assert_eq!((&result["ended_by"], &result["trials"]), (&"time".into(), &0.into()));
    assert_eq!(
        (&decision["play"], &decision["verdict"], &decision["sure"]),
        (&"8/5 6/5".into(), &"open".into(), &0.0.into())
    );
    let shown = run(&common);
    for part in [
        "the time was up before a trial had ended\n\n8/5 6/5, but not for sure: no trials were played\n",
        "by their values without trials:\n    24/23 13/10\n",
        "left out by their value: 14 plays",
    ] {
        assert!(text(&shown).contains(part), "{}", text(&shown));
    }
    // Without a decision there is no result.
    let plain = run(&format!("rollout {OPENING} {slow}"));
    assert_eq!(plain.status.code(), Some(1), "{plain:?}");
    assert!(errors(&plain).contains("give more with --seconds"), "{plain:?}");
    // The first two were decided by an evaluation, which takes a moment in a slow build.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn options_that_shape_a_rollout_ask_for_no_decision() {
    for options in ["--policy fast --trials 4", "--trials 4", "--allocate even --trials 4"] {
        let result = json(&format!("rollout {OPENING} 31 {options} --json"));
        assert_eq!(result["decision"], Value::Null, "{options}");
        assert_eq!(result["candidates"].as_array().map(Vec::len), Some(16), "{options}");
    }
    // A rollout that was saved before goes on as it was.
    let file = fresh("even.json");
    assert!(run(&format!("rollout {OPENING} 31 --trials 4 --save {}", at(&file))).status.success());
    let again = json(&format!("rollout {OPENING} 31 --resume {} --json", at(&file)));
    assert_eq!((&again["allocation"], &again["trials"]), (&"even".into(), &4.into()));
    // One that decides is saved, continued and not mixed with another.
    let file = fresh("decision.json");
    let common = format!("rollout {OPENING} 31 --policy fast --within 0.3");
    let begun = json(&format!("{common} --trials 36 --save {} --json", at(&file)));
    assert_eq!(begun["allocation"], "race:95%:0.3");
    let other = run(&format!("rollout {OPENING} 31 --within 0.2 --resume {}", at(&file)));
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("race:95%:0.3, not race:95%:0.2"), "{other:?}");
    let whole = json(&format!("{common} --trials 144 --json"));
    let resumed = json(&format!("rollout {OPENING} 31 --trials 144 --resume {} --json", at(&file)));
    assert_eq!(facts(&resumed), facts(&whole));
    for (arguments, message) in [
        ("--within -1", "invalid value '-1' for '--within <POINTS>': write points, 0 or more"),
        ("--filter -1", "0 or more"),
        ("--within 0.1 --allocate even", "cannot be used with"),
        ("--allocate race:101%", "a percentage below 100"),
    ] {
        let refused = run(&format!("rollout {OPENING} 31 {arguments}"));
        assert_eq!(refused.status.code(), Some(2), "{arguments}");
        assert!(errors(&refused).contains(message), "{}", errors(&refused));
    }
}

#[test]
fn halving_plays_its_rounds() {
    let result = json(&format!("rollout --policy uniform {OPENING} 31 --allocate halving --trials 1500 --json"));
    assert_eq!(result["trials"], 1500);
    assert_eq!(dropped(&result), (14, 4 * 16 * 100));
    // Its rounds cannot be extended.
    let file = fresh("halving.json");
    let save = format!("rollout --policy uniform {OPENING} 31 --allocate halving --trials 150 --save {}", at(&file));
    assert!(run(&save).status.success());
    let extended = run(&format!("rollout --resume {} --extend 100", at(&file)));
    assert_eq!(extended.status.code(), Some(2));
    assert!(errors(&extended).contains("rounds of halving"), "{extended:?}");
}

#[test]
fn a_decided_race_is_not_extended() {
    let file = fresh("decided.json");
    let save = format!("rollout {OPENING} 31 --save {}", at(&file));
    assert!(run(&save).status.success());
    let extended = run(&format!("rollout --resume {} --extend 360", at(&file)));
    assert_eq!(extended.status.code(), Some(2));
    assert!(errors(&extended).contains("the saved race is decided"), "{extended:?}");
}

#[test]
fn plays_are_chosen_by_name() {
    let output = tavli()
        .args(["rollout", OPENING, "31", "--play", "8/5 6/5", "--play", "24/20", "--trials", "36", "--json"])
        .output()
        .expect("it runs");
    let result = parse(&output);
    let moves = |at: usize| result["candidates"][at]["moves"].as_str().expect("moves").to_owned();
    let mut both = [moves(0), moves(1)];
    both.sort();
    assert_eq!(both, ["24/20", "8/5 6/5"]);
    assert!(result["candidates"].get(2).is_none());

    // They are the only ones that were asked for: no filter left out the others.
    let decided = |plays: &[&str], options: &[&str]| {
        let plays = plays.iter().flat_map(|&play| ["--play", play]);
        let output = tavli().args(["rollout", OPENING, "31"]).args(plays).args(options).output();
        output.expect("it runs")
    };
    let weak = ["6/2", "8/7 6/3"];
    let decision = &parse(&decided(&weak, &["--json"]))["decision"];
    assert_eq!((&decision["verdict"], &decision["left_out"]), (&"best".into(), &0.into()));
    let saved = at(&fresh("named.json"));
    let shown = decided(&weak, &["--layout", "gnubg", "--save", &saved]);
    for shown in [shown, run(&format!("rollout --resume {saved} --layout gnubg"))] {
        let shown = text(&shown);
        assert!(shown.contains(" is the best of the 2 plays named: 9"), "{shown}");
        assert!(!shown.contains("left out"), "{shown}");
    }
    let one = decided(&weak[..1], &["--within", "0.01", "--layout", "gnubg"]);
    assert!(text(&one).contains("\n6/2 is the only play named\n"), "{one:?}");
}
