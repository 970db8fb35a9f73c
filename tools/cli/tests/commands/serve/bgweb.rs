//! The path of bgweb's clients.

use serde_json::{Value, json};
use tavli::plays::Moves;
use tavli::{Plays, Roll, RuleSet};

use super::{POSITIONS, Server, engine, position, shares, value};

#[test]
fn bgweb_clients_get_plays() {
    let (server, engine) = (Server::start(&[]), engine());
    let layout = |counts: [u8; 26]| {
        let points = (1..=25).filter(|&point| counts[point] > 0);
        let name = |point: usize| {
            if point == 25 { "bar".to_owned() } else { point.to_string() }
        };
        Value::Object(points.map(|point| (name(point), counts[point].into())).collect())
    };
    let steps = |moves: &Moves| {
        let name = |point: u8, end: &str| {
            if [0, 25].contains(&point) { end.to_owned() } else { point.to_string() }
        };
        let steps = moves.steps().iter();
        let steps = steps.map(|step| json!({"from": name(step.from, "bar"), "to": name(step.to, "off")}));
        Value::Array(steps.collect())
    };
    for (id, cubeful) in POSITIONS.into_iter().zip([false, true, true, false, true]) {
        let position = position(id);
        let board = position.board();
        let (own, opponent) = (layout(board.own().counts()), layout(board.opponent().counts()));
        let roll: Roll = "31".parse().unwrap();
        let mut engine = engine.clone();
        engine.set_cubeful(cubeful);
        let ranked = engine.plays(&position, roll).unwrap().plays;
        let best = ranked[0].equity();
        let expected = ranked.iter().take(3).map(|ranked| {
            let names = [("win", 1), ("winG", 2), ("winBG", 3), ("lose", -1), ("loseG", -2), ("loseBG", -3)];
            json!({"play": steps(&ranked.play.moves), "evaluation": {
                "eq": ranked.equity(),
                "diff": ranked.equity() - best,
                "info": {"cubeful": cubeful, "plies": 1},
                "probability": shares(&ranked.play.value, &names),
            }})
        });
        let expected = Value::Array(expected.collect());
        for (player, x, o) in [("x", &own, &opponent), ("o", &opponent, &own)] {
            let asked = json!({"board": {"x": x, "o": o}, "cubeful": cubeful, "dice": [1, 3], "max-moves": 3,
                               "player": player, "score-moves": true, "more": 1});
            assert_eq!(server.post("/api/v1/getmoves", &asked), expected, "{id} {player}");
        }
        let asked = json!({"board": {"x": own, "o": opponent}, "dice": [3, 1], "player": "x", "score-moves": false});
        let plays = Plays::new(board, roll, RuleSet::Backgammon);
        let listed = plays.to_vec().iter().map(|play| json!({"play": steps(&plays.moves(play))})).collect();
        assert_eq!(server.post("/api/v1/getmoves", &asked), Value::Array(listed));
    }
    // Whoever cannot move has no moves.
    let closed = json!({"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2});
    let asked = json!({"board": {"x": {"bar": 1}, "o": closed}, "dice": [3, 1], "player": "x"});
    assert_eq!(server.post("/api/v1/getmoves", &asked), json!([]));
    for (board, dice, message) in [
        (json!({"x": {"6": 2}, "o": {"25": 1}}), json!([3, 1]), "'25' is not a point"),
        (json!({"x": {"6": 2}, "o": {"1": -1}}), json!([3, 1]), "-1"),
        (json!({"x": {"6": 16}, "o": {"1": 1}}), json!([3, 1]), "16"),
        (json!({"x": {"6": 2}, "o": {"19": 1}}), json!([3, 1]), "point 6"),
        (json!({"x": {"6": 2}}), json!([3, 1]), "missing field `o`"),
        (json!({"x": {"6": 2}, "o": {"1": 1}}), json!([3, 0]), "0"),
        (json!({"x": {"6": 2}, "o": {"1": 1}}), json!([3]), "length"),
        (json!({"x": {"6": 200, "bar": 200}, "o": {"1": 1}}), json!([3, 1]), "400"),
    ] {
        let asked = json!({"board": board, "dice": dice, "player": "x"}).to_string();
        let refused = value(server.ask("POST", "/api/v1/getmoves", Some(&asked)), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{asked}: {found}");
    }
}
