//! Rollouts that are refused, each with its reason.

use std::fs;

use crate::rollout::{at, fresh};
use crate::support::{OPENING, OPENING_31, errors, json, run, tavli, text};

/// A side without checkers has won.
const OVER: &str = "the game is already over in the position AAAAAAEAAAAAAA, with -1 points for the player whose turn \
    it would be; name one in which it goes on";

/// What agrees with the saved question is taken, what contradicts it is refused by name.
#[test]
fn a_saved_decision_is_continued_by_its_own_question_only() {
    let file = at(&fresh("question.json"));
    let question = format!("{OPENING} 31 --cube 1 --filter 0.3 --within 0.5 --truncate 3 --trials 36");
    let question = format!("{question} --variance-reduction --policy td80 --evaluator td80");
    let whole = json(&format!("rollout {question} --save {file} --json"));
    for agreed in [
        question.as_str(),
        "--filter 0.3",
        "--filter 0.3 --truncate 3 --evaluator td80",
        "--within 0.5 --evaluator td80",
    ] {
        let again = json(&format!("rollout --resume {file} {agreed} --json"));
        assert_eq!(again["candidates"], whole["candidates"], "{agreed}");
    }
    for (other, message) in [
        ("--filter 0.001", "the saved rollout has the candidates"),
        ("--filter all", "the saved rollout has the candidates"),
        ("--within 0.5 --evaluator fast", "the saved rollout has the evaluator td80, not fast"),
        ("--within 0.5 --evaluator none", "the saved rollout has the evaluator td80, not none"),
        (
            &format!("{OPENING} 31"),
            "the saved rollout has the cube money game, cube 1 in the middle, and the position here has none: give that",
        ),
        (&format!("{OPENING} 31 --cubeless"), "cube 1 in the middle, not none; leave the option out"),
        (&format!("{OPENING} 31 --cube 1 --rules portes"), "the saved rollout has the rules backgammon, not portes"),
    ] {
        let refused = run(&format!("rollout --resume {file} {other}"));
        assert_eq!(refused.status.code(), Some(2), "{other}: {refused:?}");
        assert!(errors(&refused).contains(message), "{other}: {}", errors(&refused));
    }
    // A left-out option of a decision has the default of decisions.
    let file = at(&fresh("default-decision.json"));
    let question = format!("{OPENING} 31 --within 0.9 --trials 36 --variance-reduction --truncate 1 --resume {file}");
    for _ in 0..2 {
        json(&format!("rollout {question} --json"));
    }
    let file = at(&fresh("position-question.json"));
    run(&format!("rollout {OPENING} --policy uniform --trials 36 --save {file}"));
    let refused = run(&format!("rollout --resume {file} --filter 0.1"));
    let message = "--filter leaves out plays of a roll, and the saved rollout has none: leave it out";
    assert!(errors(&refused).contains(message), "{refused:?}");
}

#[test]
fn parts_that_differ_name_the_setting() {
    let names = ["money-1.json", "match-2.json", "portes-2.json", "never.json"];
    let [money, of_match, portes, merged] = names.map(|name| at(&fresh(name)));
    let common = "--policy fast --truncate 1 --trials 2592";
    for (options, file) in [
        ("--cube 1 --shard 1/2", &money),
        ("--cube 1 --match 3 --score 2-0 --crawford --shard 2/2", &of_match),
        ("--rules portes --shard 2/2", &portes),
    ] {
        json(&format!("rollout 4NvBEQiYz+ABMA {common} {options} --save {file} --json"));
    }
    for (other, message) in [
        (&of_match, "the cube is money game, cube 1 in the middle in one, 1-away"),
        (&portes, "the rule set is backgammon in one, portes in the other"),
    ] {
        let refused = run(&format!("merge {money} {other} -o {merged}"));
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(errors(&refused).contains(message), "{}", errors(&refused));
    }
}

#[test]
fn invalid_arguments_exit_2_with_a_reason() {
    let file = fresh("refusals.json");
    run(&format!("rollout --policy uniform {OPENING} --trials 100 --save {}", at(&file)));
    let saved = fs::read(&file).expect("a file");
    let path = at(&file);
    for (arguments, message) in [
        ("rollout".to_owned(), "<POSITION>"),
        (format!("rollout --policy uniform {OPENING} 07"), "two digits 1 to 6"),
        (format!("rollout --policy uniform {OPENING} --play 8/5"), "write the ROLL after the position"),
        (
            format!("rollout --policy uniform {OPENING} --within 0.1"),
            "--within decides which play of a roll to make: write the ROLL after the position",
        ),
        (
            format!("rollout --policy uniform {OPENING_31} 65"),
            "the position has the roll 31, not 65; leave one of them out",
        ),
        (format!("rollout --policy uniform {OPENING} 31 --play 8/2"), "8/2"),
        (format!("rollout --policy uniform {OPENING} --trials 0"), "whole number 1"),
        (
            format!("rollout --policy uniform {OPENING} --trials 99999999999999999"),
            "trials are a whole number 1 to 72057594037927936",
        ),
        (
            format!("rollout --policy uniform {OPENING} --stop-se 0"),
            "invalid value '0' for '--stop-se <POINTS>': write a number above 0",
        ),
        (
            format!("rollout --policy uniform {OPENING} --stop-se nan"),
            "invalid value 'nan' for '--stop-se <POINTS>': write a number above 0",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --stop-jsd -1"),
            "invalid value '-1' for '--stop-jsd <NUMBER>': write a number above 0, such as 2.5",
        ),
        ("rollout --policy uniform AAAAAAEAAAAAAA".to_owned(), OVER),
        ("play --position AAAAAAEAAAAAAA".to_owned(), OVER),
        ("plays AAAAAAEAAAAAAA 31".to_owned(), OVER),
        (
            format!("rollout {OPENING} 31 --within -0.01"),
            "invalid value '-0.01' for '--within <POINTS>': write points, 0 or more",
        ),
        (
            "rollout start 31 --game fevga --within inf".to_owned(),
            "invalid value 'inf' for '--within <POINTS>': write points, 0 or more",
        ),
        (format!("rollout --policy uniform {OPENING} --stop-jsd 3"), "at least two candidates"),
        (format!("rollout --policy uniform {OPENING} 31 --allocate fair"), "write even, race, race:PERCENT%"),
        (format!("rollout --policy uniform {OPENING} 31 --allocate race:0"), "standard deviations above 0"),
        (format!("rollout --policy uniform {OPENING} --allocate race"), "at least two candidates"),
        (format!("rollout --policy uniform {OPENING} 31 --allocate race --shard 1/2 --save x"), "cannot be used with"),
        (format!("rollout --policy uniform {OPENING} --shard 1/2"), "--save"),
        (format!("rollout --policy uniform {OPENING} --shard 3/2 --save x"), "no shard 3 of 2"),
        (format!("rollout --policy uniform {OPENING} --shard slurm/2 --save x"), "SLURM_ARRAY_TASK_ID is not set"),
        (
            format!("rollout --policy uniform {OPENING} --shard slurm --save x"),
            "write slurm/N, where N is the number of shards",
        ),
        (
            format!("rollout --policy uniform {OPENING} --shard 1/2 --trials 9 --save x"),
            "9 trials are 1 block of 1296, too few for 2 shards; ask for at most 1 shard, or at least 1297 trials",
        ),
        (format!("rollout --policy uniform {OPENING} --shard 1/2 --seconds 1 --save x"), "cannot be used with"),
        (
            format!("rollout --policy uniform {OPENING} --trials 20000 --shard 1/18446744073709551615 --save x"),
            "ask for at most 16 shards\n",
        ),
        ("rollout --policy uniform --positions x --play 8/5".to_owned(), "cannot be used with"),
        (format!("rollout --policy uniform {OPENING} --save -"), "name a file"),
        (format!("rollout --policy uniform {OPENING} --resume -"), "name a file"),
        ("rollout --policy uniform --positions /dev/null --save -".to_owned(), "name a file"),
        (format!("rollout --policy uniform {OPENING} --extend 5"), "--resume"),
        (
            format!("rollout --policy uniform {OPENING} --save {path}"),
            "exists; --resume continues it if it is a saved rollout, --force replaces it",
        ),
        (format!("rollout --policy uniform {OPENING} --resume {path} --force"), "cannot be used with"),
        (format!("rollout --policy uniform {OPENING} --json --csv"), "cannot be used with"),
        (format!("rollout --resume {path} --seed 2"), "has the seed 1, not 2"),
        (format!("rollout --resume {path} --truncate 7 --evaluator none"), "has the truncation none, not 7"),
        (format!("rollout --policy uniform {OPENING} 31 --resume {path}"), "has the roll none, not 31"),
        (format!("rollout --resume {path} --trials 50"), "100 trials have been played"),
        ("merge x.json".to_owned(), "--output"),
        ("merge -o x.json".to_owned(), "<FILE>"),
    ] {
        let output =
            tavli().args(arguments.split_whitespace()).env_remove("SLURM_ARRAY_TASK_ID").output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{arguments}");
    }
    assert_eq!(fs::read(&file).expect("a file"), saved);
    fs::write(&file, &saved[..saved.len() / 2]).expect("a place to write");
    for (arguments, status, message) in [
        ("rollout --resume /nowhere.json".to_owned(), 2, "cannot read /nowhere.json"),
        (format!("rollout --resume {path}"), 2, "it is not a record of a rollout"),
        (
            format!("rollout --policy uniform {OPENING} --save /nowhere/at/all.json"),
            2,
            "cannot write /nowhere/at/all.json: No such file",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn evaluators_that_cannot_be_had_exit_2() {
    for (options, message) in [
        ("--truncate 7 --evaluator pubeval", "'pubeval' is a policy: it picks plays and gives no probabilities"),
        (
            "--truncate 7 --evaluator gnubg",
            "choose one of: td80, fast, strong, sampled, sampled:GAMES, sampled:GAMES:POLICY",
        ),
        ("--evaluator sampled", "--truncate"),
        ("--truncate 7 --plies 7", "cannot be used with"),
        ("--truncate 0", "invalid value '0'"),
    ] {
        let output = run(&format!("rollout --policy uniform {OPENING} {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
}

#[test]
fn a_fault_of_the_machine_is_said_before_a_file_is_made() {
    let [positions, table] = ["machine.txt", "machine.csv"].map(fresh);
    fs::write(&positions, format!("{OPENING}\n")).unwrap();
    let (positions, saved) = (at(&positions), at(&table));
    let output = run(&format!("rollout --positions {positions} --save {saved} --pin 65535"));
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(said.contains("--pin 65535: this process may not use CPU 65535"), "{said}");
    assert!(!table.exists());
}

#[test]
fn a_damaged_part_is_called_what_it_is() {
    let names = ["search.part", "rollout.part", "no.part", "merged.part"];
    let [search, rollout, none, merged] = names.map(|name| at(&fresh(name)));
    json(&format!("search {OPENING_31} --simulations 200 --shard 1/2 --trees 2 --save {search} --json"));
    json(&format!("rollout {OPENING} --policy uniform --trials 1300 --shard 1/2 --save {rollout} --json"));
    for file in [&search, &rollout] {
        let text = fs::read(file).expect("a file");
        fs::write(file, &text[..text.len() / 2]).expect("a place to write");
    }
    fs::write(&none, "{\"format\":\"tavli bench\"}").expect("a place to write");
    for (file, message) in [
        (&search, "it is not a record of a search: EOF"),
        (&rollout, "it is not a record of a rollout: EOF"),
        (&none, "it is the record of neither a rollout nor a search"),
    ] {
        let output = run(&format!("merge {file} -o {merged}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains(message), "{output:?}");
        fs::remove_file(file).expect("it was there");
    }
}
