//! Two players against each other.

use crate::support::{errors, json, run, text};

#[test]
fn a_duel_has_the_results_of_the_first_player() {
    let ours = json("duel pubeval uniform --games 200 --seed 3 --threads 1 --json");
    let theirs = json("duel uniform pubeval --games 200 --seed 3 --threads 2 --isa portable --json");
    assert_eq!((&ours["a"], &ours["b"]), (&"pubeval".into(), &"uniform".into()));
    for (own, other) in [
        ("wins", "losses"),
        ("gammons", "lost_gammons"),
        ("backgammons", "lost_backgammons"),
        ("games", "games"),
        ("standard_error", "standard_error"),
    ] {
        assert_eq!(ours[own], theirs[other], "{own}");
        assert_eq!(ours[other], theirs[own], "{other}");
    }
    let points = |result: &serde_json::Value| result["points_per_game"].as_f64().expect("a number");
    assert!((points(&ours) + points(&theirs)).abs() < 1e-12);
    assert!(points(&ours) > 2.0);
    let outcomes = ours["outcomes"].as_object().expect("counts by name");
    let games: u64 = outcomes.values().map(|count| count.as_u64().expect("a count")).sum();
    assert_eq!((games, ours["games"].as_u64()), (200, Some(200)));
}

#[test]
fn a_duel_is_printed() {
    let output = run("duel pubeval uniform --games 20 --rules hypergammon");
    assert!(output.status.success(), "{output:?}");
    let printed = text(&output);
    for part in ["hypergammon, pubeval against uniform", "points a game for pubeval", "20 games in"] {
        assert!(printed.contains(part), "{printed}");
    }
}

#[test]
fn bad_duels_exit_2() {
    for (arguments, message) in [
        ("duel pubeval", "<B>"),
        ("duel pubeval gnubg", "choose one of: uniform, pubeval"),
        ("duel pubeval ./none.net", "cannot read ./none.net"),
        ("duel pubeval uniform --games 3", "an even number 2 to"),
        ("duel pubeval uniform --games 0", "an even number 2 to"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
}
