//! Rollouts whose games are cut off.

use crate::rollout::{at, fresh};
use crate::support::{OPENING, errors, json, run, tavli, text};
use serde_json::Value;

#[test]
fn games_cut_off_are_valued() {
    let common = format!("rollout --policy uniform {OPENING} 31 --play '8/5 6/5' --play 24/20 --truncate 9");
    let arguments = |more: &str| -> Vec<String> {
        let words = format!("{common} {more}");
        words.replace("'8/5 6/5'", "8/5%6/5").split_whitespace().map(|word| word.replace('%', " ")).collect()
    };
    let result = |more: &str| -> Value {
        let output = tavli().args(arguments(more)).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let whole = result("--evaluator sampled:5 --trials 1400 --json");
    assert_eq!(whole["evaluator"], "sampled:5:uniform");
    assert_eq!(whole["truncated_after"], 9);
    let best = &whole["candidates"][0];
    assert_eq!(best["outcomes"]["unfinished"], 1400);
    let number = |name: &str| best[name].as_f64().expect("a number");
    assert!((number("win") + number("lose") - 1.0).abs() < 1e-12);
    assert!(number("se_equity") > 0.0 && number("se_equity") < 0.1, "{best}");
    // The default, in words.
    let output = tavli().args(arguments("--trials 10")).output().expect("it runs");
    let shown = text(&output);
    assert!(shown.contains("cut off after 9 plies, valued by sampled:36:uniform"), "{shown}");

    let names = ["valued", "valued-1", "valued-2", "valued-all"];
    let [file, first, second, merged] = names.map(|name| at(&fresh(&format!("{name}.json"))));
    result(&format!("--evaluator sampled:5 --trials 100 --json --save {file}"));
    let continued = json(&format!("rollout --resume {file} --trials 1400 --json --isa portable"));
    assert_eq!(continued["candidates"], whole["candidates"]);
    for (other, message) in [
        (
            "--truncate 9 --policy uniform",
            "the saved rollout has the evaluator sampled:5:uniform, not sampled:36:uniform",
        ),
        ("--truncate 9 --evaluator none", "the saved rollout has the evaluator sampled:5:uniform, not none"),
        ("--truncate 8 --evaluator sampled:5", "the saved rollout has the truncation 9, not 8"),
    ] {
        let refused = run(&format!("rollout --resume {file} {other}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(errors(&refused).contains(message), "{refused:?}");
    }
    for (part, file) in [("1/2", &first), ("2/2", &second)] {
        result(&format!("--evaluator sampled:5 --trials 1400 --json --threads 1 --shard {part} --save {file}"));
    }
    let all = json(&format!("merge {first} {second} -o {merged} --json"));
    assert_eq!(all["candidates"], whole["candidates"]);
}

#[test]
fn games_that_are_cut_off_and_not_valued_are_named() {
    let output =
        run(&format!("rollout {OPENING} --policy uniform --truncate 60 --evaluator none --trials 1296 --threads 1"));
    let shown = text(&output);
    let result =
        json(&format!("rollout {OPENING} --policy uniform --truncate 60 --evaluator none --trials 1296 --json"));
    let candidate = &result["candidates"][0];
    let number = |name: &str| candidate[name].as_f64().expect("a number");
    let unfinished = candidate["outcomes"]["unfinished"].as_u64().expect("a number");
    assert!((900..1296).contains(&unfinished), "{unfinished}");
    let share = unfinished as f64 / 1296.0;
    assert!((number("win") + number("lose") + share - 1.0).abs() < 1e-12);
    let games = match unfinished {
        1000.. => format!("1,{:03} games", unfinished - 1000),
        _ => format!("{unfinished} games"),
    };
    let percent = 100.0 * share;
    for line in [
        format!("     {share:.4} cut off: {games}, neither won nor lost\n"),
        format!("     Cut off:  {percent:.2}% ({games}, neither won nor lost)\n"),
    ] {
        assert!(shown.contains(&line), "{line}{shown}");
    }
    // Valued, they are among those won and lost.
    let valued = run(&format!("rollout {OPENING} --policy uniform --truncate 5 --evaluator sampled:1 --trials 36"));
    assert!(!text(&valued).to_lowercase().contains("cut off:"));
}
