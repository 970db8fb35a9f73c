//! The players of rollouts: named or not, saved, continued and not mixed.

use crate::rollout::{at, fresh};
use crate::support::{OPENING, errors, json, run};

#[test]
fn policies_are_saved_continued_and_not_mixed() {
    let both = "--json --policy pubeval --policy-opponent uniform";
    let whole = json(&format!("rollout {OPENING} {both} --trials 2592"));
    assert_eq!(whole["policy"], "pubeval");
    assert_eq!(whole["opponent_policy"], "uniform");
    let names = ["policies", "policies-1", "policies-2", "policies-all"];
    let [file, first, second, merged] = names.map(|name| at(&fresh(&format!("{name}.json"))));
    json(&format!("rollout {OPENING} {both} --trials 1296 --save {file}"));
    let continued = json(&format!("rollout --resume {file} --trials 2592 --json"));
    assert_eq!(continued["candidates"], whole["candidates"]);
    let refused = run(&format!("rollout --resume {file} --policy uniform"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("has the policy pubeval, not uniform"));

    let shard = |policies: &str, part: &str, file: &str| {
        json(&format!("rollout {OPENING} {policies} --trials 2592 --shard {part} --save {file} --force"))
    };
    shard(both, "1/2", &first);
    shard("--json --policy pubeval", "2/2", &second);
    let refused = run(&format!("merge {first} {second} -o {merged}"));
    assert!(!refused.status.success());
    let message = errors(&refused);
    assert!(message.contains("the policy of the opponent is uniform in one, pubeval in the other"), "{message}");
    shard(both, "2/2", &second);
    let all = json(&format!("merge {first} {second} -o {merged} --json"));
    assert_eq!(all["candidates"], whole["candidates"]);
}

#[test]
fn fast_plays_unless_a_policy_is_named() {
    let names = |options: &str| {
        let result = json(&format!("rollout {OPENING} --trials 2 --json {options}"));
        let name = |key: &str| result[key].as_str().expect("a name").to_owned();
        [name("policy"), name("opponent_policy")]
    };
    assert_eq!(names(""), ["fast"; 2]);
    assert_eq!(names("--rules portes"), ["fast"; 2]);
    assert_eq!(names("--policy-opponent uniform"), ["fast", "uniform"]);
    assert_eq!(names("--bearoff 6x1"), ["fast+bearoff:6x1"; 2]);
    assert_eq!(names("--bearoff 2"), ["fast+bearoff:2"; 2]);
    // No net has learned to bring all checkers home.
    assert_eq!(names("--rules mcgammon"), ["uniform"; 2]);
    assert_eq!(names("--policy uniform"), ["uniform"; 2]);
    let cut = json(&format!("rollout {OPENING} --trials 2 --truncate 2 --json"));
    assert_eq!(cut["evaluator"], "fast");
    // A saved rollout goes on with its own players if none is named.
    let file = at(&fresh("fast.json"));
    json(&format!("rollout --policy uniform {OPENING} --trials 2 --json --save {file}"));
    let more = json(&format!("rollout {OPENING} --resume {file} --trials 4 --json"));
    assert_eq!(more["policy"], "uniform");
    for (given, message) in [
        ("--policy fast", "has the policy uniform, not fast"),
        ("--bearoff 6x1", "has the policy uniform, not fast+bearoff:6x1"),
    ] {
        let refused = run(&format!("rollout --resume {file} {given}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(errors(&refused).contains(message), "{refused:?}");
    }
}
