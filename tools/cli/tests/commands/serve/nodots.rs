//! The paths of Nodots' clients.

use std::process::Command;

use serde_json::{Value, json};
use tavli::{Context, Position, Stakes};

use super::{POSITIONS, Server, engine, position};
use crate::support::OPENING;

/// A request of Nodots' clients.
fn hint(id: &str) -> Value {
    json!({"positionId": id, "positionIdConvention": "opponent-first", "dice": [3, 1], "activePlayerColor": "black",
           "activePlayerDirection": "clockwise", "cubeValue": 1, "cubeOwner": null, "matchScore": [0, 0],
           "matchLength": 0, "crawford": false, "jacoby": true, "beavers": true})
}

#[test]
fn nodots_clients_get_plays_and_cube_decisions() {
    let (server, engine) = (Server::start(&[]), engine());
    assert_eq!(server.get("/v1/health")["protocolVersion"], "1");
    let money = Context { stakes: Stakes::Money { jacoby: true, beavers: true }, ..Context::default() };
    for id in POSITIONS {
        let board = *position(id).board();
        let swapped = board.swapped().position_id().to_string();
        let position = Position::new(board, money).unwrap();
        let ranked = engine.plays(&position, "31".parse().unwrap()).unwrap().plays;
        let found = server.post("/v1/move", &hint(id));
        let mut other = hint(&swapped);
        other["positionIdConvention"] = "on-roll-first".into();
        assert_eq!(server.post("/v1/move", &other), found);
        assert_eq!(found["equity"], ranked[0].equity());
        let candidates = found["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), ranked.len().min(10));
        assert_eq!(candidates[0]["moves"], found["moves"]);
        for (candidate, ranked) in candidates.iter().zip(&ranked) {
            let steps = candidate["moves"].as_array().unwrap().iter();
            let steps = steps.map(|step| {
                assert_eq!(
                    (step["fromContainer"] == "bar", step["toContainer"] == "off"),
                    (step["from"] == 0, step["to"] == 0)
                );
                (step["from"].as_u64().unwrap(), step["to"].as_u64().unwrap(), step["isHit"].as_bool().unwrap())
            });
            let own = ranked.play.moves.steps().iter();
            let own = own.map(|step| (u64::from(step.from % 25), u64::from(step.to), step.hit));
            assert!(steps.eq(own), "{candidate}");
            assert_eq!(candidate["evaluation"]["cubefulEquity"].as_f64(), ranked.cubeful);
            assert_eq!(candidate["evaluation"]["winGammon"], ranked.play.value.at_least(2));
        }
        let decision = engine.value(&position).unwrap().unwrap();
        let cube = decision.cube.unwrap();
        let found = server.post("/v1/double", &hint(id));
        assert_eq!(found["equity"], cube.best());
        assert_eq!(found["action"] == "double", cube.action.doubles(), "{found} {}", cube.action);
        assert_eq!(server.post("/v1/resign", &hint(id))["action"], "none");
        // Seen by the player who is doubled.
        let found = server.post("/v1/take", &hint(&swapped));
        assert_eq!(found["takeEquity"], -cube.double_take);
        assert_eq!(found["action"] == "drop", cube.double_take > cube.double_pass);
        assert_eq!(found["action"] == "beaver", cube.double_take < 0.0);
    }
    // By score and cube: white has doubled at 2-away, 4-away in a match to 5.
    let mut asked = hint("4HPwATDgc/ABMA");
    (asked["cubeValue"], asked["cubeOwner"]) = (2.into(), "white".into());
    (asked["matchLength"], asked["matchScore"]) = (5.into(), json!([3, 1]));
    let taken = server.post("/v1/take", &asked);
    let doubler = position("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:1:0:5:10");
    let cube = engine.value(&doubler).unwrap().unwrap().cube.unwrap();
    assert_eq!(taken["takeEquity"], -cube.double_take);
    let wrong = |path: &str, member: &str, to: Value| {
        let mut asked = hint(OPENING);
        match to {
            Value::Null => drop(asked.as_object_mut().unwrap().remove(member)),
            to => asked[member] = to,
        }
        let refused = server.refused(path, &asked);
        let error = &refused["error"];
        assert!(!error["message"].as_str().unwrap().is_empty());
        error["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(wrong("/v1/move", "positionId", "!!!".into()), "invalid_position_id");
    for (path, member, to) in [
        ("/v1/move", "positionId", Value::Null),
        ("/v1/move", "dice", Value::Null),
        ("/v1/move", "dice", json!([9, 0])),
        ("/v1/move", "dice", json!([3, 1, 1])),
        ("/v1/move", "positionIdConvention", "other".into()),
        ("/v1/move", "activePlayerColor", "red".into()),
        ("/v1/double", "cubeValue", 3.into()),
        ("/v1/double", "cubeValue", 0.into()),
        ("/v1/double", "cubeValue", 65536.into()),
        ("/v1/double", "matchScore", json!([-1, 0])),
        ("/v1/take", "cubeOwner", "black".into()),
    ] {
        assert_eq!(wrong(path, member, to), "invalid_request", "{path} {member}");
    }
}

/// Nodots' own conformance tool, if its folder is given.
#[test]
fn nodots_conformance_tool_passes() {
    let Ok(tool) = std::env::var("TAVLI_NODOTS") else {
        eprintln!("SKIPPED: TAVLI_NODOTS names no folder of @nodots/backgammon-engine-protocol");
        return;
    };
    let server = Server::start(&[]);
    for vectors in ["vectors.json", "vectors-on-roll-first.json"] {
        let output = Command::new("node")
            .arg(format!("{tool}/bin/conformance.mjs"))
            .arg(format!("http://{}", server.1))
            .args(["--vectors", &format!("{tool}/conformance/{vectors}")])
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{printed}");
    }
}
