//! `tavli serve`: what each path answers, and what it does about clients of every kind.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tavli::engine::Engine;
use tavli::evaluators::Probabilities;
use tavli::plays::Moves;
use tavli::rollout::OptionTexts;
use tavli::run::{Cancel, Workers};
use tavli::{Board, Context, Plays, Position, Roll, RuleSet, Stakes, Tier};

use crate::support::{OPENING, errors, json as json_of, run, signal, tavli};

/// A server, ended when it is dropped.
struct Server(Child, String);

/// An answer: its status and its body.
type Answer = (u16, String);

impl Server {
    fn start(options: &[&str]) -> Server {
        let mut child = tavli()
            .args(["serve", "--listen", "127.0.0.1:0", "--player", "fast", "--threads", "2"])
            .args(options)
            .env_remove("TAVLI_TOKEN")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("listening at http://").expect("an address");
        Server(child, address.to_owned())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.1).unwrap();
        // A server that does not answer fails the test, and does not hang it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are, and reads until the server closes.
    fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses a request may close before it is read.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        split(&String::from_utf8(answer).unwrap())
    }

    fn ask(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        self.send(request(method, path, body, "Connection: close\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> Value {
        value(self.ask("GET", path, None), 200)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        value(self.ask("POST", path, Some(&body.to_string())), 200)
    }

    /// Begins a job and waits for its end.
    fn job(&self, path: &str, body: &Value) -> Value {
        let begun = value(self.ask("POST", path, Some(&body.to_string())), 202);
        self.ended(begun["id"].as_u64().unwrap())
    }

    fn ended(&self, id: u64) -> Value {
        loop {
            let job = self.get(&format!("/jobs/{id}?wait=20"));
            if job["status"] != "running" {
                return job;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn request(method: &str, path: &str, body: Option<&str>, headers: &str) -> String {
    let body = body.map_or_else(String::new, |body| {
        format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    });
    let end = if body.is_empty() { "\r\n" } else { "" };
    format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}{body}{end}")
}

/// The status and the body of an answer; status 0 if there is none.
fn split(answer: &str) -> Answer {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return (0, answer.to_owned());
    };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), body.to_owned())
}

/// The JSON of an answer of this status.
fn value((status, body): Answer, expected: u16) -> Value {
    assert_eq!(status, expected, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Reads an answer of a connection that goes on.
fn next(input: &mut BufReader<&TcpStream>) -> io::Result<Answer> {
    let (mut status, mut length) = (0, 0);
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(rest) = line.strip_prefix("http/1.1 ") {
            status = rest[..3].parse().unwrap();
        }
        if let Some(rest) = line.strip_prefix("content-length: ") {
            length = rest.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok((status, String::from_utf8(body).unwrap()))
}

fn engine() -> Engine {
    let engine = Engine::new(
        "fast",
        0,
        RuleSet::Backgammon,
        Tier::best(),
        Workers::here(),
        &Cancel::new(),
    );
    engine.unwrap()
}

fn shares(value: &Probabilities, names: &[(&str, i32)]) -> Value {
    let shares = names
        .iter()
        .map(|&(name, points)| (name.to_owned(), value.at_least(points).into()));
    Value::Object(shares.collect())
}

const WILDBG: [(&str, i32); 5] = [("win", 1), ("winG", 2), ("winBg", 3), ("loseG", -2), ("loseBg", -3)];

/// What wildbg's path answers, by the library.
fn wildbg(engine: &Engine, position: &Position, roll: Roll) -> Value {
    let ranked = engine.plays(position, roll).unwrap();
    let moves = ranked.plays.iter().map(|ranked| {
        let steps = ranked.play.moves.steps().iter();
        let play: Vec<Value> = steps.map(|step| json!({"from": step.from, "to": step.to})).collect();
        json!({"play": play, "probabilities": shares(&ranked.play.value, &WILDBG)})
    });
    json!({"moves": moves.collect::<Vec<_>>()})
}

/// The parameters of a position.
fn parameters(board: &Board) -> String {
    let points = board.points();
    let points = (0..26).filter(|&place| points[place] != 0);
    points
        .map(|place| format!("&p{place}={}", board.points()[place]))
        .collect()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

/// Positions with the bar, with races, in bear-offs and at the start.
const POSITIONS: [&str; 5] = [
    OPENING,
    "Np7BQSCYZ/AAWA",
    "/z0AADDeaxsAAA",
    "t02oASACAAAAAA",
    "4HPiQUAzTvABMA",
];

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
        let decision = engine.decision(&position).unwrap().unwrap();
        let cube = decision.cube.unwrap();
        let expected = json!({
            "cube": {"double": cube.action.doubles(), "accept": cube.double_take <= cube.double_pass},
            "probabilities": shares(&decision.value, &WILDBG),
        });
        assert_eq!(eval, expected, "{id}");
    }
    // In a match, and where a game is over.
    let mut context = Context {
        stakes: Stakes::Match {
            length: 3,
            crawford: true,
        },
        score: 2,
        ..Context::default()
    };
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
        (
            "/move?die1=3&die2=1&x_away=0&o_away=1&p6=2&p1=-1",
            "both 0 in money games",
        ),
        ("/eval", "neither side has a checker"),
        ("/eval?p1=1&p%ff=2", "there is no parameter"),
    ] {
        let refused = value(server.ask("GET", path, None), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{path}: {found}");
    }
}

#[test]
fn bgweb_clients_get_plays() {
    let (server, engine) = (Server::start(&[]), engine());
    let layout = |counts: [u8; 26]| {
        let points = (1..=25).filter(|&point| counts[point] > 0);
        let name = |point: usize| {
            if point == 25 {
                "bar".to_owned()
            } else {
                point.to_string()
            }
        };
        Value::Object(points.map(|point| (name(point), counts[point].into())).collect())
    };
    let steps = |moves: &Moves| {
        let name = |point: u8, end: &str| {
            if [0, 25].contains(&point) {
                end.to_owned()
            } else {
                point.to_string()
            }
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
            let names = [
                ("win", 1),
                ("winG", 2),
                ("winBG", 3),
                ("lose", -1),
                ("loseG", -2),
                ("loseBG", -3),
            ];
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
        let listed = plays
            .to_vec()
            .iter()
            .map(|play| json!({"play": steps(&plays.moves(play))}))
            .collect();
        assert_eq!(server.post("/api/v1/getmoves", &asked), Value::Array(listed));
    }
    // Whoever cannot move has no moves.
    let closed = json!({"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2});
    let asked = json!({"board": {"x": {"bar": 1}, "o": closed}, "dice": [3, 1], "player": "x"});
    assert_eq!(server.post("/api/v1/getmoves", &asked), json!([]));
    for (board, dice, message) in [
        (
            json!({"x": {"6": 2}, "o": {"25": 1}}),
            json!([3, 1]),
            "'25' is no point",
        ),
        (json!({"x": {"6": 2}, "o": {"1": -1}}), json!([3, 1]), "-1"),
        (json!({"x": {"6": 16}, "o": {"1": 1}}), json!([3, 1]), "16"),
        (json!({"x": {"6": 2}, "o": {"19": 1}}), json!([3, 1]), "point 6"),
        (json!({"x": {"6": 2}}), json!([3, 1]), "missing field `o`"),
        (json!({"x": {"6": 2}, "o": {"1": 1}}), json!([3, 0]), "0"),
        (json!({"x": {"6": 2}, "o": {"1": 1}}), json!([3]), "length"),
        (
            json!({"x": {"6": 200, "bar": 200}, "o": {"1": 1}}),
            json!([3, 1]),
            "400",
        ),
    ] {
        let asked = json!({"board": board, "dice": dice, "player": "x"}).to_string();
        let refused = value(server.ask("POST", "/api/v1/getmoves", Some(&asked)), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{asked}: {found}");
    }
}

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
    let money = Context {
        stakes: Stakes::Money {
            jacoby: true,
            beavers: true,
        },
        ..Context::default()
    };
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
                (
                    step["from"].as_u64().unwrap(),
                    step["to"].as_u64().unwrap(),
                    step["isHit"].as_bool().unwrap(),
                )
            });
            let own = ranked.play.moves.steps().iter();
            let own = own.map(|step| (u64::from(step.from % 25), u64::from(step.to), step.hit));
            assert!(steps.eq(own), "{candidate}");
            assert_eq!(candidate["evaluation"]["cubefulEquity"].as_f64(), ranked.cubeful);
            assert_eq!(candidate["evaluation"]["winGammon"], ranked.play.value.at_least(2));
        }
        let decision = engine.decision(&position).unwrap().unwrap();
        let cube = decision.cube.unwrap();
        let found = server.post("/v1/double", &hint(id));
        assert_eq!(found["equity"], cube.best());
        assert_eq!(
            found["action"] == "double",
            cube.action.doubles(),
            "{found} {}",
            cube.action
        );
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
    let cube = engine.decision(&doubler).unwrap().unwrap().cube.unwrap();
    assert_eq!(taken["takeEquity"], -cube.double_take);
    let wrong = |path: &str, member: &str, to: Value| {
        let mut asked = hint(OPENING);
        match to {
            Value::Null => drop(asked.as_object_mut().unwrap().remove(member)),
            to => asked[member] = to,
        }
        let refused = value(server.ask("POST", path, Some(&asked.to_string())), 400);
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

/// With the cube and the score that a position names, unless they are to be passed over.
#[test]
fn jobs_play_with_the_cube_of_the_position() {
    let server = Server::start(&[]);
    let (before, rolled) = (
        "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:1:0:5:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:5:10",
    );
    let asked = json!({"position": before, "trials": 36, "policy": "fast", "seed": 3});
    let printed = json_of(&format!("rollout {before} --trials 36 --policy fast --seed 3 --json"));
    let rollout = server.job("/rollout", &asked);
    assert!(rollout["result"]["cube"]["action"].is_string(), "{rollout}");
    same(&rollout, &printed, &["differences"]);
    let cubeless = json!({"position": before, "trials": 36, "policy": "fast", "seed": 3, "cubeless": true});
    let printed = json_of(&format!(
        "rollout {before} --cubeless --trials 36 --policy fast --seed 3 --json"
    ));
    same(&server.job("/rollout", &cubeless), &printed, &["differences"]);
    let asked = json!({"position": rolled, "within": 0.3, "trials": 36});
    let printed = json_of(&format!("rollout {rolled} --within 0.3 --trials 36 --json"));
    let decided = server.job("/decide", &asked);
    assert!(decided["result"]["candidates"][0]["cubeful"].is_number(), "{decided}");
    same(&decided, &printed, &["differences"]);
}

#[test]
fn jobs_play_what_the_commands_play() {
    let server = Server::start(&[]);
    let rollout = server.job(
        "/rollout",
        &json!({"position": OPENING, "roll": "31", "plays": ["8/5 6/5", "24/23 13/10"], "trials": 72, "seed": 7,
                "first_roll": "stratified", "truncate": 11, "variance_reduction": true, "policy": "fast"}),
    );
    let printed = json_of(&format!(
        "rollout {OPENING} 31 --play 8/5,6/5 --play 24/23,13/10 --trials 72 --seed 7 --first-roll stratified --truncate 11 \
         --variance-reduction --policy fast --json"
    ));
    same(&rollout, &printed, &["differences"]);
    let cut = server.job(
        "/rollout",
        &json!({"position": OPENING, "trials": 36, "truncate": 5, "evaluator": "none"}),
    );
    let printed = json_of(&format!(
        "rollout {OPENING} --trials 36 --truncate 5 --evaluator none --json"
    ));
    same(&cut, &printed, &["differences"]);
    let decided = server.job(
        "/decide",
        &json!({"position": OPENING, "roll": "31", "within": 0.3, "trials": 36}),
    );
    let printed = json_of(&format!("rollout {OPENING} 31 --within 0.3 --trials 36 --json"));
    same(&decided, &printed, &["differences"]);
    let by_others = server.job(
        "/decide",
        &json!({"position": OPENING, "roll": "31", "within": 0.3, "trials": 36, "policy": "fast", "filter": "all",
                "truncate": 3}),
    );
    let printed = json_of(&format!(
        "rollout {OPENING} 31 --within 0.3 --trials 36 --policy fast --filter all --truncate 3 --json"
    ));
    same(&by_others, &printed, &["differences"]);
    assert!(decided["result"]["decision"]["play"].is_string());
    let playouts = server.job(
        "/playouts",
        &json!({"position": OPENING, "games": 5000, "seed": 42, "policy": "pubeval"}),
    );
    let printed = json_of(&format!(
        "playout {OPENING} --games 5000 --seed 42 --policy pubeval --json"
    ));
    same(&playouts, &printed, &[]);
    // As some editors and shells write it.
    let marked = format!("\u{feff}{}", json!({"position": OPENING}));
    let marked = value(server.ask("POST", "/evaluate", Some(&marked)), 200);
    assert_eq!(marked, server.post("/evaluate", &json!({"position": OPENING})));
    // With the cube if the text names cube or score, as the command values it.
    let money = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    for position in [OPENING, "start", "4OvgASjgc/ABMA", money] {
        let valued = server.post("/evaluate", &json!({"position": position}));
        assert_eq!(valued, json_of(&format!("evaluate {position} --player fast --json")));
        let plays = server.post("/plays", &json!({"position": position, "roll": "25"}));
        assert_eq!(plays, json_of(&format!("evaluate {position} 25 --player fast --json")));
    }
    // Dice are played, and not passed over.
    let rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let refused = value(
        server.ask("POST", "/evaluate", Some(&json!({"position": rolled}).to_string())),
        400,
    );
    assert_eq!(refused["error"]["field"], "position", "{refused}");
    assert!(
        refused["error"]["message"]
            .as_str()
            .expect("a text")
            .contains("ask for its plays"),
        "{refused}"
    );
    assert_eq!(
        server.post("/plays", &json!({"position": rolled, "most": 1}))["roll"],
        "31"
    );
    let other = json!({"position": rolled, "roll": "42"}).to_string();
    let refused = value(server.ask("POST", "/plays", Some(&other)), 400);
    assert_eq!(refused["error"]["field"], "roll", "{refused}");
    let all = server.get("/jobs");
    let kinds: Vec<&str> = all["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| job["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["rollout", "rollout", "decide", "decide", "playouts"]);
    server.ask("DELETE", "/jobs/1", None);
    assert_eq!(
        value(server.ask("GET", "/jobs/1", None), 404)["error"]["code"],
        "not_found"
    );
    for (path, asked, message) in [
        (
            "/rollout",
            json!({"position": OPENING, "trails": 36}),
            "trails: there is no such option; choose from position, cubeless, roll, filter, rules",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "trials": 20_000_000}),
            "more than the 10000000",
        ),
        ("/rollout", json!({"position": OPENING, "trials": 0}), "trial"),
        ("/rollout", json!({"position": OPENING, "trials": -1}), "-1"),
        ("/rollout", json!({"position": OPENING, "seconds": 0}), "seconds"),
        (
            "/rollout",
            json!({"position": OPENING, "seconds": 1e-300}),
            "1.8e19, not 1e-300",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "truncate": 0}),
            "a whole number from 1 to",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "policy": "/etc/passwd"}),
            "is no player of this server",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "policy": "fast+bearoff:12x15"}),
            "is no player of this server",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "evaluator": "sampled:1000000000"}),
            "is no player of this server",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "plays": ["8/2"]}),
            "8/2",
        ),
        ("/rollout", json!({"position": OPENING, "roll": "77"}), "roll"),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "filter": -1}),
            "0 or more",
        ),
        ("/rollout", json!({"position": "nonsense"}), "nonsense"),
        ("/rollout", json!({}), "position"),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "within": 0.1}),
            "within is of decisions",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "plays": ["8/5 6/5"], "filter": 0.1}),
            "the plays are named",
        ),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "plays": "8/5 6/5"}),
            "plays: invalid type: string",
        ),
        (
            "/decide",
            json!({"position": OPENING, "roll": "31", "allocate": "even"}),
            "leave the allocation out",
        ),
        ("/decide", json!({"position": OPENING}), "name the roll"),
        (
            "/decide",
            json!({"position": OPENING, "roll": "31", "within": -1}),
            "0 or more",
        ),
        ("/playouts", json!({"games": 1, "seconds": 1}), "not both"),
        ("/playouts", json!({"games": 0}), "a whole number from 1 to"),
        ("/playouts", json!({"games": 1, "occupancy": true}), "truncate"),
        ("/playouts", json!({"games": 2, "first_game": u64::MAX}), "game number"),
        ("/playouts", json!({"seconds": 1e300}), "1.8e19, not 1e300"),
        ("/playouts", json!({"rules": "chess"}), "chess"),
    ] {
        let refused = value(server.ask("POST", path, Some(&asked.to_string())), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{path} {asked}: {found}");
    }
    for path in ["/jobs/99", "/jobs/x", "/jobs/-1", "/jobs/99/events", "/job"] {
        assert_eq!(
            value(server.ask("GET", path, None), 404)["error"]["code"],
            "not_found",
            "{path}"
        );
    }
    assert_eq!(server.ask("GET", "/jobs/2?wait=1000", None).0, 400);
}

/// Compares the result of a job with what a command prints: all but the machine and the times.
fn same(job: &Value, printed: &Value, absent: &[&str]) {
    assert_eq!(job["status"], "done", "{job}");
    let result = job["result"].as_object().unwrap();
    let times = [
        "seconds",
        "cpu_seconds",
        "games_per_second",
        "plies_per_second",
        "ns_per_ply",
        "ns_per_ply_and_thread",
        "cycles_per_ply",
        "clock",
    ];
    for (name, value) in result {
        if !times.contains(&name.as_str()) {
            assert_eq!(value, &printed[name], "{name}");
        }
    }
    let machine = [
        "version",
        "commit",
        "compiler",
        "cpu",
        "isa",
        "threads",
        "pinning",
        "pinning_asked",
        "cpus",
        "workers",
        "cpus_allowed",
        "cpus_granted",
        "remarks",
    ];
    for name in printed.as_object().unwrap().keys() {
        let is_there = result.contains_key(name);
        let is_of_machine = machine.contains(&name.as_str()) || absent.contains(&name.as_str());
        assert!(is_there != is_of_machine, "{name}");
    }
}

#[test]
fn jobs_show_how_far_they_are_until_they_end() {
    let mut server = Server::start(&["--most-jobs", "2"]);
    let long = json!({"position": OPENING, "policy": "fast", "trials": 10_000_000});
    let begin = || server.ask("POST", "/rollout", Some(&long.to_string()));
    assert_eq!(value(begin(), 202)["id"], 1);
    assert_eq!(value(begin(), 202)["id"], 2);
    assert_eq!(value(begin(), 429)["error"]["code"], "busy");
    let stream = server.connect();
    (&stream)
        .write_all(request("GET", "/jobs/1/events", None, "").as_bytes())
        .unwrap();
    let mut lines = BufReader::new(&stream).lines().map(Result::unwrap);
    let mut event = || {
        let name = lines.find_map(|line| line.strip_prefix("event: ").map(str::to_owned));
        let data = lines.find_map(|line| line.strip_prefix("data: ").map(str::to_owned));
        Some((name?, serde_json::from_str::<Value>(&data?).unwrap()))
    };
    // Until it has played some trials.
    loop {
        let (name, job) = event().unwrap();
        assert_eq!((name.as_str(), &job["id"]), ("progress", &json!(1)));
        let progress = &job["progress"];
        if progress["done"].as_u64().is_some_and(|done| done > 0) && progress["best"]["equity"].is_number() {
            assert!((0.0..1.0).contains(&progress["fraction"].as_f64().unwrap()));
            break;
        }
    }
    assert_eq!(value(server.ask("DELETE", "/jobs/1", None), 200)["id"], 1);
    let end = loop {
        let (name, job) = event().unwrap();
        if name == "end" {
            break job;
        }
    };
    assert_eq!(end["status"], "cancelled");
    assert!(end["result"]["trials"].as_u64().unwrap() > 0);
    assert_eq!(server.ended(1), end);
    // There is room for another, and a signal ends what runs with what it has.
    assert_eq!(value(begin(), 202)["id"], 3);
    let stream = server.connect();
    (&stream)
        .write_all(request("GET", "/jobs/2/events", None, "").as_bytes())
        .unwrap();
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let has_begun = |line: String| {
        let job: Option<Value> = line
            .strip_prefix("data: ")
            .map(|job| serde_json::from_str(job).unwrap());
        job.is_some_and(|job| job["progress"]["done"].as_u64().is_some_and(|done| done > 0))
    };
    assert!(lines.any(has_begun));
    signal(&server.0, "TERM");
    let last = lines.filter(|line| line.starts_with("data: ")).last().unwrap();
    let last: Value = serde_json::from_str(last.strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!((&last["status"], &last["id"]), (&json!("cancelled"), &json!(2)));
    assert!(last["result"]["trials"].as_u64().unwrap() > 0);
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn time_limits_hold() {
    let server = Server::start(&["--request-seconds", "0.01", "--look-ahead", "3"]);
    let path = format!("/move?die1=3&die2=1{}", parameters(&Board::START));
    let refused = value(server.ask("GET", &path, None), 504);
    assert_eq!(refused["error"]["code"], "timeout");
    let server = Server::start(&["--job-seconds", "0.05"]);
    let job = json!({"position": OPENING, "policy": "fast", "trials": 10_000_000});
    let job = value(server.ask("POST", "/rollout", Some(&job.to_string())), 202);
    let job = server.ended(job["id"].as_u64().unwrap());
    assert_eq!(job["status"], "cancelled");
    assert!(job["message"].as_str().unwrap().contains("the longest"), "{job}");
    assert!(job["result"]["trials"].is_number());
}

/// A thousand requests at 64 at once: none is lost, none is wrong.
#[test]
fn many_clients_get_their_own_answers() {
    const CLIENTS: usize = 64;
    const REQUESTS: usize = 16;
    let (server, engine) = (Server::start(&[]), engine());
    let rolls: Vec<Roll> = Roll::ALL.to_vec();
    // Positions after the best plays of the opening, each with every roll.
    let boards: Vec<Board> = rolls
        .iter()
        .map(|&roll| engine.plays(&Board::START.into(), roll).unwrap().plays[0].play.board)
        .collect();
    let asked: Vec<(String, Value)> = (0..200)
        .map(|number| {
            let (board, roll) = (boards[number % boards.len()], rolls[number / boards.len()]);
            let path = format!("/move?die1={}&die2={}{}", roll.high(), roll.low(), parameters(&board));
            (path, wildbg(&engine, &board.into(), roll))
        })
        .collect();
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (server, asked, answered) = (&server, &asked, &answered);
            scope.spawn(move || {
                let stream = server.connect();
                let mut input = BufReader::new(&stream);
                for number in 0..REQUESTS {
                    let (path, expected) = &asked[(client * REQUESTS + number) * 37 % asked.len()];
                    (&stream).write_all(request("GET", path, None, "").as_bytes()).unwrap();
                    assert_eq!(&value(next(&mut input).unwrap(), 200), expected);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(answered.load(Ordering::Relaxed), CLIENTS * REQUESTS);
}

/// Every name in the list of the options is one that a request may have.
#[test]
fn the_options_of_a_rollout_are_all_listed() {
    let server = Server::start(&[]);
    let answer = |body: Value| value(server.ask("POST", "/rollout", Some(&body.to_string())), 400);
    let refused = answer(json!({"position": OPENING, "trails": 36}));
    let message = refused["error"]["message"].as_str().expect("a text");
    let (_, names) = message.split_once("choose from ").expect("a list");
    let names: Vec<&str> = names.split(", ").collect();
    assert_eq!(names[..3], ["position", "cubeless", "roll"]);
    for name in names {
        let mut body = json!({"position": OPENING});
        body[name] = json!({"no": "value"});
        let refused = answer(body);
        assert_eq!(refused["error"]["field"], name, "{refused}");
        let message = refused["error"]["message"].as_str().expect("a text");
        assert!(!message.contains("no such option"), "{message}");
    }
}

/// A refusal speaks to who sends requests, and not of the types of the program.
#[test]
fn json_of_another_form_is_refused_in_plain_words() {
    let server = Server::start(&[]);
    for (path, body, message) in [
        (
            "/rollout",
            "",
            "the request is not JSON: EOF while parsing a value at line 1 column 0",
        ),
        ("/rollout", "{}", "missing field `position`"),
        (
            "/rollout",
            r#"{"position": "4HPwATDgc/ABMA", "trials": -1}"#,
            "trials: write a whole number from 0 to 18446744073709551615, not -1",
        ),
        (
            "/playouts",
            r#"{"games": 0}"#,
            "games: invalid value: integer `0`, expected a whole number from 1 to",
        ),
        (
            "/plays",
            r#"{"position": "4HPwATDgc/ABMA", "roll": "31", "most": 0}"#,
            "most: invalid value: integer `0`, expected a whole number from 1 to",
        ),
        (
            "/decide",
            r#"{"position": 3}"#,
            "position: invalid type: integer `3`, expected a text",
        ),
        (
            "/api/v1/getmoves",
            r#"{"board": 1}"#,
            "board: invalid type: integer `1`, expected an object",
        ),
    ] {
        let refused = value(server.ask("POST", path, Some(body)), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.starts_with(message), "{path} {body}: {found}");
    }
    let job = value(server.ask("GET", "/jobs/x", None), 404);
    assert_eq!(job["message"], "jobs have whole numbers: /jobs lists them");
}

#[test]
fn hostile_clients_harm_nobody() {
    let server = Server::start(&[]);
    let good = format!("/move?die1=3&die2=1{}", parameters(&Board::START));
    let expected = server.get(&good);
    let post = |body: &str| value(server.ask("POST", "/decide", Some(body)), 400);
    for body in [
        "",
        "{",
        "{not json",
        "[]",
        "null",
        "\u{0}",
        "{\"position\": 5}",
        "{\"position\": \"4HPwATDgc/ABMA\", \"roll\": \"31\", \"seed\": 1e400}",
        &"[".repeat(60_000),
        &format!("{{\"position\": \"{}\"}}", "x".repeat(60_000)),
    ] {
        let refused = post(body);
        assert!(refused["message"].as_str().unwrap().len() < 4000);
    }
    // A terminal does not obey what a message quotes.
    let quoted = post("{\"position\": \"\\u001b[31m\"}");
    assert!(!quoted["message"].as_str().unwrap().contains('\u{1b}'), "{quoted}");
    let huge = "x".repeat(70_000);
    assert_eq!(server.ask("POST", "/decide", Some(&huge)).0, 413);
    let lying = "POST /decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Content-Length: 99999999999999\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(lying.as_bytes()).0, 413);
    let other = "POST /decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    assert_eq!(server.send(other.as_bytes()).0, 415);
    for (method, path) in [
        ("PUT", "/move"),
        ("POST", "/eval"),
        ("GET", "/rollout"),
        ("DELETE", "/jobs"),
        ("PATCH", "/jobs/1"),
    ] {
        assert_eq!(
            value(server.ask(method, path, None), 405)["error"]["code"],
            "invalid_request"
        );
    }
    assert_eq!(
        value(server.ask("GET", "/../../etc/passwd", None), 404)["error"]["code"],
        "not_found"
    );
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /decide HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let (status, _) = server.send(bytes);
        assert!([0, 400, 403].contains(&status), "{status}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(100_000));
    let (status, _) = server.send(long.as_bytes());
    assert!([0, 414, 431].contains(&status), "{status}");
    // A page of the web that gave its name this address.
    let foreign = "GET /v1/health HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n";
    assert_eq!(
        value(server.send(foreign.as_bytes()), 403)["error"]["code"],
        "unauthorized"
    );
    // Clients that begin a request and are silent, nearly as many as may be.
    let silent: Vec<TcpStream> = (0..240)
        .map(|_| {
            let stream = server.connect();
            (&stream).write_all(b"GET /move?die1=3 HTTP/1.1\r\nHost: loc").unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get(&good), expected);
    drop(silent);
    // Clients that go away before the answer.
    for _ in 0..50 {
        let stream = server.connect();
        (&stream).write_all(request("GET", &good, None, "").as_bytes()).unwrap();
    }
    loop {
        let (status, body) = server.ask("GET", &good, None);
        // All places may be taken by clients whose end the server has not seen.
        if status == 200 {
            assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), expected);
            break;
        }
    }
}

#[test]
fn idle_connections_make_way_for_new_clients() {
    let server = Server::start(&[]);
    let good = format!("/move?die1=3&die2=1{}", parameters(&Board::START));
    let expected = server.get(&good);
    let long = json!({"position": OPENING, "policy": "fast", "trials": 10_000_000});
    let job = value(server.ask("POST", "/rollout", Some(&long.to_string())), 202);
    let path = format!("/jobs/{}", job["id"]);
    // The oldest connection, and the answer to it lasts as long as the job.
    let watched = server.connect();
    let events = request("GET", &format!("{path}/events"), None, "");
    (&watched).write_all(events.as_bytes()).unwrap();
    let mut lines = BufReader::new(&watched).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "event: progress"));
    // More clients than there are places: silent ones, slow ones, and some that have had an answer.
    let clients: Vec<TcpStream> = (0..600)
        .map(|number| {
            let client = server.connect();
            match number % 3 {
                0 => {}
                1 => (&client).write_all(b"GET /move?die1=3 HTTP/1.1\r\nHost: loc").unwrap(),
                _ => {
                    (&client).write_all(request("GET", &good, None, "").as_bytes()).unwrap();
                    let answer = next(&mut BufReader::new(&client)).unwrap();
                    assert_eq!(value(answer, 200), expected);
                }
            }
            client
        })
        .collect();
    assert_eq!(server.get(&good), expected);
    assert_eq!(value(server.ask("DELETE", &path, None), 200)["id"], job["id"]);
    assert!(lines.any(|line| line == "event: end"));
    drop(clients);
}

#[test]
fn other_addresses_need_a_token() {
    let refused = run("serve --listen 0.0.0.0:0");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("TAVLI_TOKEN"), "{}", errors(&refused));
    let short = run("serve --token short");
    assert_eq!(short.status.code(), Some(2));
    let nowhere = run("serve --listen nonsense");
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(errors(&nowhere).contains("HOST:PORT"), "{}", errors(&nowhere));
    let token = "0123456789abcdef";
    let mut server = Server::start(&["--token", token, "--log"]);
    assert_eq!(
        value(server.ask("GET", "/v1/health", None), 401)["error"]["code"],
        "unauthorized"
    );
    let headers = |token: &str| format!("Authorization: Bearer {token}\r\nConnection: close\r\n");
    let asked = |token: &str| {
        server
            .send(request("GET", "/v1/health", None, &headers(token)).as_bytes())
            .0
    };
    assert_eq!((asked(token), asked("0123456789abcdeg")), (200, 401));
    // Two servers cannot have one address.
    let second = run(&format!("serve --listen {}", server.1));
    assert_eq!(second.status.code(), Some(1));
    signal(&server.0, "TERM");
    assert!(server.0.wait().unwrap().success());
    let mut log = String::new();
    server.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].contains(" INFO listening at 127.0.0.1:"), "{log}");
    let requests = lines.iter().filter_map(|line| line.split_once("GET /v1/health "));
    let statuses: Vec<&str> = requests.map(|(_, rest)| &rest[..3]).collect();
    assert_eq!(statuses, ["401", "200", "401"], "{log}");
    assert!(lines[4].ends_with(" INFO no longer listening"), "{log}");
    assert!(!log.contains(token));
}

/// Checks a value by a schema of the document.
fn check(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return check(value, document.pointer(name.trim_start_matches('#')).unwrap(), document);
    }
    if let Some(one) = schema["oneOf"].as_array() {
        let fits = one.iter().any(|schema| check(value, schema, document).is_ok());
        return fits
            .then_some(())
            .ok_or_else(|| format!("{value} fits none of {schema}"));
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    };
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    if !types.iter().any(|name| is(name.as_str().unwrap())) {
        return Err(format!("{value} is no {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return Err(format!("{value} is none of {}", schema["enum"]));
    }
    let number = value.as_f64();
    let is_below = number
        .zip(schema["minimum"].as_f64())
        .is_some_and(|(number, least)| number < least);
    if is_below
        || number
            .zip(schema["maximum"].as_f64())
            .is_some_and(|(number, most)| number > most)
    {
        return Err(format!("{value} is out of range"));
    }
    for item in value.as_array().into_iter().flatten() {
        check(item, &schema["items"], document)?;
    }
    if let (Some(value), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        let required = schema["required"].as_array().into_iter().flatten();
        let missing = required
            .map(|name| name.as_str().unwrap())
            .find(|&name| !value.contains_key(name));
        if let Some(missing) = missing {
            return Err(format!("{missing} is missing"));
        }
        for (name, member) in value {
            let schema = properties.get(name).ok_or_else(|| format!("{name} is not described"))?;
            check(member, schema, document).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// Each request that the document shows is answered as it says, and what it requires is required.
#[test]
fn the_document_says_what_is_answered() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json");
    for schema in ["RolloutRequest", "DecideRequest"] {
        let options = &document["components"]["schemas"][schema]["properties"];
        for name in options.as_object().unwrap().keys() {
            let is_option = OptionTexts::names().any(|option| option == name);
            assert!(
                is_option || ["position", "cubeless"].contains(&&**name),
                "{schema}: {name}"
            );
        }
    }
    let mut codes = BTreeSet::new();
    let paths = document["paths"].as_object().unwrap();
    let mut operations: Vec<(&String, &String, &Value)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, operation)| (path, method, operation))
        })
        .collect();
    // Those that begin jobs come before those that show them. The one that forgets a job that has ended is the last.
    operations.sort_by_key(|(path, method, _)| (path.starts_with("/jobs"), *method == "delete"));
    for (path, method, operation) in operations {
        let (mut path, mut query) = (path.clone(), String::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let (name, example) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
            if parameter["in"] == "path" {
                path = path.replace(&format!("{{{name}}}"), &example.to_string());
            } else if !example.is_null() {
                query.push_str(&format!("&{name}={example}"));
            }
        }
        let path = format!("{path}?{}", query.trim_start_matches('&'));
        let (status, response) = operation["responses"].as_object().unwrap().iter().next().unwrap();
        let asked = &operation["requestBody"]["content"]["application/json"];
        let body = (!asked.is_null()).then(|| {
            check(&asked["example"], &asked["schema"], &document).unwrap();
            asked["example"].to_string()
        });
        let answer = server.ask(&method.to_uppercase(), &path, body.as_deref());
        if response["content"]["text/event-stream"].is_object() {
            assert!(answer.0 == 200 && answer.1.contains("event: end"), "{answer:?}");
            continue;
        }
        let answer = value(answer, status.parse().unwrap());
        let schema = &response["content"]["application/json"]["schema"];
        check(&answer, schema, &document).unwrap_or_else(|error| panic!("{method} {path}: {error} in {answer}"));
        // Without a body it is refused, in the form that is described.
        if body.is_some() {
            let refused = value(
                server.ask("POST", &path, Some("{}")),
                if path.starts_with("/playouts") { 202 } else { 400 },
            );
            if let Some(error) = refused.get("error") {
                check(
                    &refused,
                    &operation["responses"]["default"]["content"]["application/json"]["schema"],
                    &document,
                )
                .unwrap();
                codes.insert(error["code"].to_string());
            }
        }
    }
    assert!(!codes.is_empty());
}

/// The session of the guide, with the requests that its commands send.
#[test]
fn the_session_of_the_guide_is_this() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(guide).unwrap();
    let server = Server::start(&[]);
    let mut commands = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ curl ") else {
            continue;
        };
        commands += 1;
        let parts: Vec<&str> = command.split('\'').collect();
        let (method, path, body) = match parts[..] {
            ["-s ", url, ""] => ("GET", url, None),
            ["-s -X DELETE ", url, ""] => ("DELETE", url, None),
            ["-s --json ", body, " ", url, ""] => ("POST", url, Some(body)),
            _ => panic!("{command}"),
        };
        let path = path.strip_prefix("127.0.0.1:8080").expect("the address");
        let (_, answer) = server.ask(method, path, body);
        let shown = lines.next().unwrap();
        // A line that ends with three dots shows the beginning.
        match shown.strip_suffix("...") {
            Some(shown) => assert!(answer.starts_with(shown), "{command}\n{answer}"),
            None => assert_eq!(shown, answer, "{command}"),
        }
    }
    assert!(commands > 3);
}

/// Nodots' own conformance tool, where its folder is given.
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
