//! Rollouts with variance reduction, and with a bear-off table.

use serde_json::Value;

use crate::support::{errors, parse, scratch_file, tavli, text};

/// Three checkers of one side against two of the other, all home.
const BEAR_OFF: &str = "0 0 0 0 0 1 2 0 0 0 0 0 0 0 0 0 0 0 0 -1 -1 0 0 0 0 0";

#[test]
fn luck_adjusted_games_have_the_same_value_if_a_table_measures_luck() {
    let roll_out = |options: &[&str]| {
        let fixed = ["rollout", BEAR_OFF, "--trials", "36", "--policy", "pubeval"];
        let mut command = tavli();
        let command = command.args(fixed).args(["--bearoff", "6x3", "--json"]);
        parse(&command.args(options).output().expect("it runs"))
    };
    let value = |rollout: &Value, name: &str| {
        let value = rollout["candidates"][0][name].as_f64();
        value.unwrap_or_else(|| panic!("{name}: {rollout}"))
    };
    let command = ["evaluate", BEAR_OFF, "--evaluator", "sampled:1", "--bearoff", "6x3", "--json"];
    let exact = parse(&tavli().args(command).output().expect("it runs"));
    let exact = exact["win"].as_f64().expect("a share");
    let plain = roll_out(&["--first-roll", "stratified"]);
    assert_eq!(plain["policy"], "pubeval+bearoff:6x3");
    assert!((value(&plain, "win") - exact).abs() < 1e-8, "games end in the table");
    let less = roll_out(&["--variance-reduction", "--evaluator", "sampled:1"]);
    assert_eq!(less["luck"], "sampled:1:uniform+bearoff:6x3");
    assert!((value(&less, "win") - exact).abs() < 1e-8 && value(&less, "sd_win") < 1e-8);
    // The table knows the position itself, and each of its trials has that value.
    assert!(value(&roll_out(&[]), "sd_win") < 1e-8);
}

#[test]
fn an_equity_that_is_not_that_of_the_shares_beside_it_says_so() {
    let mut said = 0;
    for (seed, layout) in (1..=12).flat_map(|seed| [(seed, "gnubg"), (seed, "xg")]) {
        let run = |format: &[&str]| {
            let seed = seed.to_string();
            let fixed = ["rollout", "s20AKBp/HAAABA", "--luck-adjusted", "--trials", "36", "--seed", &seed];
            tavli().args(fixed).args(format).output().expect("it runs")
        };
        let json = parse(&run(&["--json"]));
        let number = |name: &str| json["candidates"][0][name].as_f64().expect(name);
        let mean = |prefix: &str| {
            let side = |side: &str| {
                let parts = ["", "_gammon", "_backgammon"].map(|part| number(&format!("{prefix}{side}{part}")));
                parts.iter().sum::<f64>()
            };
            side("win") - side("lose")
        };
        // JSON has both, by name.
        assert!((mean("raw_") - number("raw_equity")).abs() < 1e-9, "{json}");
        let differs = (mean("") - number("equity")).abs() >= 5e-5;
        let printed = run(&["--layout", layout]);
        let printed = text(&printed);
        let line = format!("they imply an equity of {:+.4}. The equity above is the unbiased mean", mean(""));
        assert_eq!(printed.contains(&line), differs, "{seed} {layout}: {printed}");
        said += usize::from(differs);
    }
    assert!(said > 0);
}

#[test]
fn luck_is_part_of_a_saved_rollout() {
    let file = scratch_file("luck.json");
    let _ = std::fs::remove_file(&file);
    let path = file.display().to_string();
    let run = |options: &[&str]| {
        let mut command = tavli();
        command.args(["rollout", "--resume", &path]).args(options).output().expect("it runs")
    };
    let luck = ["--variance-reduction", "--evaluator", "sampled:1"];
    let begun = run(&[&[BEAR_OFF, "--trials", "10", "--json"][..], &luck].concat());
    assert_eq!(parse(&begun)["luck"], "sampled:1:uniform");
    let more = parse(&run(&["--extend", "5", "--json", "--variance-reduction", "--evaluator", "sampled:1"]));
    assert_eq!(more["trials"], 15);
    let other = run(&["--extend", "5", "--variance-reduction", "--evaluator", "sampled:2"]);
    assert_eq!(other.status.code(), Some(2), "{other:?}");
    assert!(errors(&other).contains("the evaluator of luck sampled:1:uniform, not sampled:2:uniform"));
    std::fs::remove_file(&file).expect("it is there");
}
