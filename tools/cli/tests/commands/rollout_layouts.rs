//! The layouts of a rollout's result.

use crate::support::{OPENING, errors, json, run, text};
use serde_json::Value;

#[test]
fn json_has_the_difference_of_every_pair() {
    let result = json(&format!("rollout --policy uniform {OPENING} 31 --trials 500 --json"));
    let candidates = result["candidates"].as_array().expect("a list");
    let differences = result["differences"].as_array().expect("a list");
    assert_eq!(differences.len(), 16 * 15 / 2);
    for difference in differences {
        let rank = |name: &str| difference[name].as_u64().expect("a rank") as usize;
        let (one, less) = (&candidates[rank("rank") - 1], &candidates[rank("less_rank") - 1]);
        for name in ["equity", "win", "win_gammon", "lose_backgammon"] {
            let number = |value: &Value| value[name].as_f64().expect("a number");
            let mean = number(one) - number(less);
            assert!((number(difference) - mean).abs() < 1e-12, "{name}");
        }
        if rank("rank") == 1 {
            assert_eq!(difference["equity"], less["behind"]);
            assert_eq!(difference["se_equity"], less["se_behind"]);
        }
    }
}

#[test]
fn json_and_csv_have_the_same_numbers() {
    let common = format!("rollout --policy uniform {OPENING} 31 --trials 3000 --seed 5");
    let result = json(&format!("{common} --json"));
    assert_eq!((&result["trials"], &result["seed"]), (&3000.into(), &5.into()));
    assert_eq!((&result["roll"], &result["first_roll"]), (&"31".into(), &"any".into()));
    assert_eq!((&result["ended_by"], &result["complete"]), (&"trials".into(), &true.into()));
    let candidates = result["candidates"].as_array().expect("a list");
    assert_eq!(candidates.len(), 16);
    let output = run(&format!("{common} --csv"));
    let mut lines = text(&output).lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("names");
    let mut best = f64::INFINITY;
    for (line, candidate) in lines.zip(candidates) {
        assert_eq!(line.len(), names.len());
        for (name, field) in names.iter().zip(line) {
            let value = match name.strip_prefix("games_") {
                Some(outcome) => &candidate["outcomes"][outcome],
                None => &candidate[*name],
            };
            match value {
                Value::String(text) => assert_eq!(text, field),
                value => assert_eq!(value.as_f64(), field.parse().ok(), "{name}"),
            }
        }
        let number = |name: &str| candidate[name].as_f64().expect("a number");
        assert!(number("equity") <= best, "ranked by equity");
        best = number("equity");
        assert!(number("low_equity") < best && best < number("high_equity"));
        assert!((number("win") + number("lose") - 1.0).abs() < 1e-9);
        let games: u64 = candidate["outcomes"]
            .as_object()
            .expect("counts")
            .values()
            .map(|count| count.as_u64().expect("a count"))
            .sum();
        assert_eq!(games, 3000);
    }
}

#[test]
fn text_shows_both_layouts() {
    let common = format!("rollout --policy uniform {OPENING} 31 --trials 1296");
    let both = run(&common);
    for part in [
        "16 plays of 31",
        "  1. ",
        "Eq.: ",
        "JSD ",
        "CL +",
        "1,296 trials each",
        "eq: ",
        "Player:",
        "Opponent:",
        "(G:",
        "Conf.: ±",
        "...",
        "games rolled. Dice seed: 1. Duration: ",
    ] {
        assert!(text(&both).contains(part), "{part}: {}", text(&both));
    }
    assert!(text(&both).lines().all(|line| line.chars().count() <= 80), "{}", text(&both));
    assert!(errors(&both).is_empty());
    let gnubg = run(&format!("{common} --layout gnubg"));
    assert!(text(&gnubg).contains("CL ") && !text(&gnubg).contains("Conf."));
    let xg = run(&format!("{common} --layout xg"));
    assert!(!text(&xg).contains("CL ") && text(&xg).contains("Conf."));
    let position = run(&format!("rollout --policy uniform {OPENING} --trials 100 --truncate 30 --evaluator none"));
    assert!(text(&position).contains("cut off after 30 plies"), "{}", text(&position));
}

#[test]
fn numbers_that_do_not_exist_are_dashes() {
    let output = run(&format!("rollout --policy uniform {OPENING} 31 --trials 1"));
    let text = text(&output);
    for part in [
        "    [     -      -      - -      -      -      -  CL       -]\n",
        " [-]  JSD -)\n",
        "     1 trial each, standard errors in brackets\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NaN"), "{text}");
}
