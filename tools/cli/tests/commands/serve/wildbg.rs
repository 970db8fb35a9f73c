//! The paths of wildbg's clients.

use serde_json::json;
use tavli::{Board, Context, Position, Roll, Stakes};

use super::{POSITIONS, Server, WILDBG, engine, parameters, position, shares, value, wildbg};

#[test]
fn wildbg_clients_get_plays_and_values() {
    let (server, engine) = (Server::start(&[]), engine());
    for id in POSITIONS {
        let position = position(id);
        let parameters = parameters(position.board());
        for roll in ["31", "66"] {
            let roll: Roll = roll.parse().unwrap();
            let path = format!("/move?die1={}&die2={}{parameters}", roll.low(), roll.high());
            assert_eq!(server.get(&path), wildbg(&engine, &position, roll), "{id} {roll}");
        }
        let eval = server.get(&format!("/eval?x_away=0{parameters}"));
        let decision = engine.value(&position).unwrap().unwrap();
        let cube = decision.cube.unwrap();
        let expected = json!({
            "cube": {"double": cube.action.doubles(), "accept": cube.double_take <= cube.double_pass},
            "probabilities": shares(&decision.value, &WILDBG),
        });
        assert_eq!(eval, expected, "{id}");
    }
    // In a match, and after the end of a game.
    let mut context = Context { stakes: Stakes::Match { length: 3, crawford: true }, score: 2, ..Context::default() };
    let roll: Roll = "21".parse().unwrap();
    for (away, crawford, score) in [([1, 3], true, [2, 0]), ([1, 1], false, [0, 0]), ([2, 4], false, [2, 0])] {
        let length = away[0].max(away[1]);
        context.stakes = Stakes::Match { length, crawford };
        (context.score, context.opponent_score) = (score[0], score[1]);
        let position = Position::new(Board::START, context).unwrap();
        let path = format!("/move?die1=1&die2=2&x_away={}&o_away={}", away[0], away[1]);
        let path = format!("{path}{}", parameters(&Board::START));
        assert_eq!(server.get(&path), wildbg(&engine, &position, roll));
    }
    let over = server.get("/eval?p1=-2");
    assert_eq!(over["probabilities"]["win"], 1.0);
    assert_eq!(over["cube"], json!({"double": false, "accept": true}));
    for (path, message) in [
        ("/move", "neither side has a checker"),
        ("/move?die1=3&p6=2&p1=-1", "die1 and die2 are missing"),
        ("/move?die1=7&die2=1&p6=2&p1=-1", "7"),
        ("/move?die1=3&die2=1&p6=2&p1=-1&p26=1", "there is no parameter 'p26'"),
        ("/move?die1=3&die2=1&p6=2&p6=2&p1=-1", "p6 is given twice"),
        ("/move?die1=3&die2=1&p6=x&p1=-1", "p6 is a small whole number, not 'x'"),
        ("/move?die1=3&die2=1&p6=16&p1=-1", "16"),
        ("/move?die1=3&die2=1&p0=1&p1=2", "0"),
        ("/move?die1=3&die2=1&x_away=0&o_away=1&p6=2&p1=-1", "both 0 in money games"),
        ("/eval", "neither side has a checker"),
        ("/eval?p1=1&p%ff=2", "there is no parameter"),
    ] {
        let refused = value(server.ask("GET", path, None), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{path}: {found}");
    }
}
