//! Searches for the best play of a roll.

use std::fs;

use serde_json::Value;

use crate::support::{OPENING, errors, json, run, scratch_file, text};

/// What does not depend on the time or the machine.
fn result(document: &Value) -> [&Value; 6] {
    ["plays", "line", "simulations", "nodes", "bytes", "playout_plies"].map(|name| &document[name])
}

#[test]
fn a_search_is_the_same_on_any_threads_and_tier() {
    for options in [
        "",
        "--method flat",
        "--method halving --reward wins",
        "--chance-sampling stratified --c 0.5 --policy pubeval",
        "--bias 2 --unprune --evaluator td80 --expand 30",
        "--bias 0.5 --evaluator pubeval",
    ] {
        let search = |machine: &str| {
            let simulations = if options.contains("pubeval") { 1000 } else { 20_000 };
            json(&format!("search {OPENING} 31 --simulations {simulations} --seed 5 {options} {machine} --json"))
        };
        let one = search("--threads 1");
        for machine in ["--threads 1", "--threads 2", "--threads 3 --isa portable"] {
            assert_eq!(result(&search(machine)), result(&one), "{options} {machine}");
        }
        let plays = one["plays"].as_array().expect("plays");
        assert_eq!(plays.len(), 16);
        let visits = plays.iter().map(|play| play["visits"].as_u64().expect("a count"));
        assert_eq!(Some(visits.clone().sum()), one["simulations"].as_u64());
        let values = plays.iter().map(|play| play["value"].as_f64().expect("a number"));
        assert!(values.is_sorted_by(|a, b| a >= b));
        for play in plays {
            let [sum, visits] = ["sum", "visits"].map(|name| play[name].as_f64().expect("a number"));
            assert_eq!(play["value"].as_f64(), Some(sum / visits), "{play}");
        }
        assert_eq!(one["interrupted"], false);
    }
}

#[test]
fn flat_values_are_those_of_the_playouts() {
    let flat = json(&format!("search {OPENING} 31 --method flat --simulations 320000 --json"));
    for play in flat["plays"].as_array().expect("plays") {
        let position = play["position_id"].as_str().expect("an ID");
        let rollout = json(&format!("playout {position} --games 20000 --seed 9 --json"));
        let [value, se] = ["value", "se_value"].map(|name| play[name].as_f64().expect("a number"));
        let equity = rollout["equity"].as_f64().expect("a number");
        // The opponent is on roll there.
        assert!((value + equity).abs() < 6.0 * se * 2_f64.sqrt(), "{play}: {equity}");
    }
}

#[test]
fn a_search_is_printed() {
    let printed = run(&format!("search {OPENING} 31 --simulations 100000"));
    assert!(printed.status.success(), "{printed:?}");
    let printed = text(&printed);
    for part in [
        "31 from 4HPwATDgc/ABMA, backgammon, uct by uniform playouts, C 1, points, 16 trees, seed 1",
        "  8/5 6/5 ",
        "expected 31: ",
        "100,000 simulations of up to",
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

#[test]
fn looking_ahead_finds_what_evaluate_finds() {
    let evaluated = json(&format!("evaluate {OPENING} 31 --evaluator td80 --look-ahead 1 --keep 16 --json"));
    let plays = evaluated["plays"].as_array().expect("plays");
    let search =
        |method: &str| json(&format!("search {OPENING} 31 --method {method} --depth 2 --evaluator td80 --json"));
    let found = ["expectimax", "star1", "star2", "minimax", "alphabeta"].map(search);
    for document in &found {
        let best = &document["plays"][0];
        assert_eq!(best["position_id"], plays[0]["position_id"], "{document}");
        assert_eq!(best["is_exact"], true);
        let [value, equity] = [&best["value"], &plays[0]["equity"]].map(|value| value.as_f64());
        let apart = value.expect("a number") - equity.expect("a number");
        assert!(apart.abs() < 1e-7, "{document}");
        assert_eq!(document["depth"], 2);
    }
    let [all, star1, star2, minimax, alphabeta] = found;
    assert_eq!(minimax["plays"], all["plays"]);
    assert_eq!(alphabeta["plays"], star1["plays"]);
    let count = |document: &Value| document["evaluations"].as_u64().expect("a count");
    assert!(count(&star2) < count(&all), "{star2}");
    for document in [all, star1, star2] {
        for play in document["plays"].as_array().expect("plays") {
            let of = |other: &&Value| other["position_id"] == play["position_id"];
            let exact = plays.iter().find(of).expect("the same plays");
            let [value, equity] = [&play["value"], &exact["equity"]].map(|value| value.as_f64());
            let above = value.expect("a number") - equity.expect("a number");
            assert!(above > -1e-7, "{play}: {exact}");
            assert!(play["is_exact"] == false || above < 1e-7, "{play}: {exact}");
        }
    }
    let printed = run(&format!("search {OPENING} 31 --method star2 --evaluator td80"));
    let printed = text(&printed);
    for part in [
        "31 from 4HPwATDgc/ABMA, backgammon, star2 by td80, 2 plays ahead",
        "  8/5 6/5 ",
        "  at most",
        " positions valued in ",
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

#[test]
fn shards_of_a_search_are_the_whole() {
    shards_are_the_whole("whole", "");
}

#[test]
fn shards_of_a_search_with_progressive_bias_are_the_whole() {
    shards_are_the_whole("bias-by-pubeval", "--bias 0.5 --evaluator pubeval");
    let bias = shards_are_the_whole("bias", "--bias 2 --unprune --evaluator td80");
    assert_eq!(bias["evaluator"], "td80");
    assert_eq!(bias["bias"], 2.0);
    assert_eq!(bias["unprune"], true);
}

/// Searches in three parts and as a whole, with `options`. Returns their progressive bias.
fn shards_are_the_whole(name: &str, options: &str) -> Value {
    let file = |part: &str| {
        let path = scratch_file(&format!("search-{name}-{part}.json"));
        path.display().to_string()
    };
    let whole_file = file("whole");
    let search = format!("search {OPENING} 31 --simulations 20001 --trees 5 --json {options}");
    let whole = json(&format!("{search} --threads 2 --save {whole_file}"));
    let parts = [1, 2, 3].map(|index| file(&format!("part-{index}")));
    for (index, part) in (1..).zip(&parts) {
        let found = json(&format!("{search} --shard {index}/3 --save {part}"));
        assert_eq!(found["trees"], 5);
        assert_ne!(found["held"], Value::Null);
    }
    let [one, two, three] = &parts;
    let merged_file = file("merged");
    let merged = json(&format!("merge {three} {one} {two} -o {merged_file} --json"));
    assert_eq!(result(&merged), result(&whole));
    assert_eq!(merged["depth"], whole["depth"]);
    // The saved searches differ in nothing but the time.
    let saved = |path: &str| {
        let text = fs::read_to_string(path).expect("it is saved");
        let mut saved: Value = serde_json::from_str(&text).expect("a record");
        saved["search"]["seconds"] = Value::Null;
        saved["checksum"] = Value::Null;
        saved
    };
    assert_eq!(saved(&merged_file), saved(&whole_file));
    let printed = run(&format!("merge {one} {two} {three} -o {merged_file} --force"));
    assert!(text(&printed).contains("5 trees, seed 1"), "{printed:?}");

    let other = file("other");
    json(&format!("{search} --seed 2 --shard 2/3 --save {other}"));
    let rollout = file("rollout");
    json(&format!("rollout {OPENING} --trials 36 --json --save {rollout}"));
    for (files, message) in [
        (format!("{one} {three}"), "trees 1 to 2 are in no shard: of 5 trees"),
        (format!("{one} {two} {two} {three}"), "both hold trees 1 to 2"),
        (format!("{one} {other} {three}"), "the seed is 1 in one, 2 in the other"),
        (format!("{one} {rollout}"), "its format is 'tavli rollout', not 'tavli search'"),
        (format!("{rollout} {one}"), "its format is 'tavli search', not 'tavli rollout'"),
    ] {
        let output = run(&format!("merge {files} -o {merged_file} --force"));
        assert_eq!(output.status.code(), Some(2), "{files}: {output:?}");
        assert!(errors(&output).contains(message), "{files}: {}", errors(&output));
    }
    let csv = run(&format!("merge {one} {two} {three} -o {merged_file} --force --csv"));
    assert_eq!(csv.status.code(), Some(2), "{csv:?}");
    for path in parts.iter().chain([&whole_file, &merged_file, &other, &rollout]) {
        fs::remove_file(path).expect("it is there");
    }
    whole["progressive_bias"].clone()
}

#[test]
fn bad_searches_exit_2() {
    for (arguments, message) in [
        (format!("search {OPENING}"), "write the ROLL after it"),
        (format!("search {OPENING} 31 --c -1"), "invalid C -1: give a number from 0 to 1000"),
        (format!("search {OPENING} 31 --c nan"), "invalid C NaN"),
        (format!("search {OPENING} 31 --c 1e20"), "invalid C 100000000000000000000: give a number from 0 to 1000"),
        (
            format!("search {OPENING} 31 --bias 1e6 --evaluator pubeval"),
            "invalid bias 1000000: give a number from 0 to 1000",
        ),
        (format!("search {OPENING} 31 --c much"), "C is a number from 0 to 1000, such as 1"),
        (
            format!("search {OPENING} 31 --method flat --c 1"),
            "--c is for the method uct, not for flat, which grows no trees",
        ),
        (
            format!("search {OPENING} 31 --method halving --memory 1000000"),
            "--memory is for the method uct, not for halving",
        ),
        (
            format!("search {OPENING} 31 --method flat --chance-sampling stratified"),
            "--chance-sampling is for the method uct, not for flat",
        ),
        (format!("search {OPENING} 31 --method flat --expand 30"), "--expand is for the method uct, not for flat"),
        (
            format!("search {OPENING} 31 --method star1 --c 1"),
            "--c is for the methods uct, flat and halving, not for star1",
        ),
        (
            format!("search {OPENING} 31 --method expectimax --seed 2"),
            "--seed is for the methods uct, flat and halving, not for expectimax",
        ),
        (
            format!("search {OPENING} 31 --method star2 --seconds 1"),
            "--seconds is for the methods uct, flat and halving, and for alphabeta in games without dice, not for star2",
        ),
        (
            format!("search {OPENING} 31 --bias nobody"),
            "a bias is a number from 0 to 1000, such as 1; --evaluator names the evaluator",
        ),
        (format!("search {OPENING} 31 --bias 1 --evaluator nobody"), "unknown evaluator 'nobody'"),
        (
            format!("search {OPENING} 31 --simulations 0 --trees 2"),
            "with this number of trees, simulations are a whole number 1 to 1073741824, not 0",
        ),
        (
            "search start --game tictactoe --simulations 0".to_owned(),
            "with this number of trees, simulations are a whole number 1 to 8589934592, not 0",
        ),
        (
            format!("search {OPENING} 31 --simulations -5"),
            "simulations are a whole number 1 to 536870912 for each of the --trees",
        ),
        (format!("search {OPENING} 31 --seconds 0"), "above 0"),
        (format!("search {OPENING} 31 --gap 0"), "above 0, such as 3"),
        (format!("search {OPENING} 31 --seconds 1 --simulations 5"), "cannot be used with"),
        (format!("search {OPENING} 31 --seconds 1 --method halving"), "give their number, not a time"),
        (format!("search {OPENING} 31 --memory 100"), "100 bytes are too few for the roots of 16 trees: give at least"),
        (format!("search {OPENING} 31 --trees 0"), "invalid number of trees 0: give 1 to 65536"),
        (format!("search {OPENING} 31 --in-flight 0"), "give 1 to 65536"),
        (format!("search {OPENING} 31 --policy gnubg"), "choose one of: uniform, pubeval"),
        (
            format!("search {OPENING} 31 --method mcts"),
            "unknown method 'mcts'; choose one of: uct, flat, halving, expectimax, star1, star2, minimax, alphabeta",
        ),
        (format!("search {OPENING} 31 --method star1 --depth 0"), "invalid depth 0: give 1 to 11 choices"),
        (format!("search {OPENING} 31 --method star1 --evaluator pubeval"), "'pubeval' is a policy"),
        (
            format!("search {OPENING} 31 --method star1 --simulations 100"),
            "--simulations is for the methods uct, flat and halving, not for star1",
        ),
        (
            format!("search {OPENING} 31 --method flat --depth 3"),
            "--depth is for the methods expectimax, star1 and star2, and for --bias and --unprune, not for flat",
        ),
        (format!("search {OPENING} 31 --bias -1"), "invalid bias -1: give a number from 0 to 1000"),
        (
            format!("search {OPENING} 31 --method flat --unprune"),
            "progressive bias or unpruning is for the method uct, not for flat, which grows no trees: leave it out",
        ),
        (
            format!("search {OPENING} 31 --method star2 --bias 1"),
            "--bias is for the methods uct, flat and halving, not for star2",
        ),
        (format!("search {OPENING} 31 --rules hypergammon"), "checkers"),
        (
            format!("search {OPENING} 31 --shard 1/17 --save no-such-folder/part"),
            "16 trees are too few for 17 shards: ask for at most 16 shards, or more trees",
        ),
        (format!("search {OPENING} 31 --shard 1/2"), "--save <FILE>"),
        (format!("search {OPENING} 31 --shard 1/2 --gap 3 --save part"), "cannot be used with"),
        (
            "search AAAAAAEAAAAAAA 31".to_owned(),
            "the game is already over in the position AAAAAAEAAAAAAA, with -1 points for the player whose turn it would \
             be; name one in which it goes on",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
}

#[test]
fn methods_without_trees_print_no_factor_of_exploration() {
    let head = |method: &str| {
        let found = run(&format!("search {OPENING} 31 --simulations 500 --method {method}"));
        text(&found).to_owned()
    };
    assert!(head("uct").contains("uct by uniform playouts, C 1, points"));
    assert!(head("flat").contains("flat by uniform playouts, points"));
    let growth = |method: &str| {
        let search = format!("search {OPENING} 31 --simulations 500 --method {method} --json");
        ["c", "chance_sampling", "expand"].map(|field| json(&search).get(field).cloned())
    };
    let of_uct = [1.0.into(), "random".into(), 1.into()].map(Some);
    assert_eq!(growth("uct"), of_uct);
    assert_eq!(growth("flat"), [None, None, None]);
    assert_eq!(growth("halving"), [None, None, None]);
}

#[test]
fn a_search_may_have_fewer_simulations_than_trees() {
    for method in ["uct", "flat", "halving"] {
        for simulations in [1, 2, 15, 17] {
            let found = json(&format!("search {OPENING} 31 --method {method} --simulations {simulations} --json"));
            let plays = found["plays"].as_array().expect("plays").iter();
            let visits = plays.map(|play| play["visits"].as_u64().expect("visits"));
            assert_eq!(visits.sum::<u64>(), simulations, "{method}");
        }
    }
}

#[test]
fn workers_without_a_tree_are_remarked() {
    let remarks = |trees: u32| {
        let found = run(&format!("search {OPENING} 31 --simulations 500 --trees {trees} --threads 2 --pin none"));
        String::from_utf8(found.stderr).expect("UTF-8")
    };
    assert!(remarks(1).contains("1 tree for 2 workers: 1 worker has no tree; raise --trees"));
    assert!(!remarks(2).contains("nothing to do"));
}

#[test]
fn trees_with_too_few_simulations_to_try_each_play_are_remarked() {
    for (command, trees_and_plays) in [
        (format!("search {OPENING} 31"), "16 trees, each of which tries all of 16 plays"),
        ("search W:WK2:BK13 --game draughts".to_owned(), "16 trees, each of which tries all of 2 plays"),
    ] {
        let remarks = |simulations: u32| {
            let found = run(&format!("{command} --simulations {simulations} --threads 1"));
            String::from_utf8(found.stderr).expect("UTF-8")
        };
        let remark = format!("20 simulations for {trees_and_plays}");
        assert!(remarks(20).contains(&remark), "{}", remarks(20));
        assert!(!remarks(256).contains("each of which"), "{}", remarks(256));
    }
}

/// A shard of trees without simulations would have nothing to merge.
#[test]
fn shards_of_fewer_simulations_than_trees_are_refused() {
    let path = scratch_file("few.search");
    let shard = format!("search {OPENING} 31 --simulations 5 --shard 1/3 --save {} --force", path.display());
    let refused = run(&shard);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said =
        "--shard divides the trees, and 5 simulations leave some of 16 trees without any: give --trees 5 or fewer";
    assert!(errors(&refused).contains(said), "{refused:?}");
    let taken = run(&format!("{shard} --trees 5"));
    assert!(taken.status.success(), "{taken:?}");
}

#[test]
fn a_search_without_a_simulation_has_no_result() {
    for command in [format!("search {OPENING} 31"), "search start --game draughts".to_owned()] {
        let output = run(&format!("{command} --trees 10000 --seconds 0.001"));
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains("ended before its first simulation"), "{}", errors(&output));
        assert!(!String::from_utf8_lossy(&output.stdout).contains("expected"), "{output:?}");
    }
}

#[test]
fn the_play_of_the_highest_value_is_the_best_unless_another_choice_is_named() {
    let search = |options: &str| json(&format!("search {OPENING} 31 --simulations 2000 --trees 2 {options} --json"));
    let [unnamed, named] = ["", "--best-by value"].map(search);
    assert_eq!(unnamed["best_by"], "value");
    assert_eq!(unnamed["plays"], named["plays"]);
    let help = run("search --help");
    let help = text(&help).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("the play of the highest value [default: value]"), "{help}");
}
