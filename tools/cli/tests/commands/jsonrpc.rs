//! `tavli jsonrpc`: its calls, and what it does about hostile clients.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{
    OPENING, errors, json as json_of, let_worker_use, run_with_input, signal, tavli, wait_until_caught,
};

/// An engine that is running.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(options: &[&str]) -> Engine {
        Engine::with_player("fast", options)
    }

    fn with_player(player: &str, options: &[&str]) -> Engine {
        let mut child = tavli()
            .args(["jsonrpc", "--player", player, "--threads", "2"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Engine { input: child.stdin.take(), child, output }
    }

    fn send(&mut self, message: &str) {
        self.input.as_mut().unwrap().write_all(frame(message).as_bytes()).unwrap();
    }

    fn call(&mut self, id: i32, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// The next message; `None` at the end.
    fn text(&mut self) -> Option<String> {
        let mut head = String::new();
        if self.output.read_line(&mut head).unwrap() == 0 {
            return None;
        }
        let length = head.strip_prefix("Content-Length: ").and_then(|rest| rest.strip_suffix("\r\n"));
        let mut body = vec![0; length.expect("a head").parse::<usize>().unwrap() + 2];
        self.output.read_exact(&mut body).unwrap();
        assert_eq!(body[..2], *b"\r\n");
        Some(String::from_utf8(body[2..].to_vec()).unwrap())
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.text().expect("a message")).unwrap()
    }

    /// The next message that is not progress.
    fn answer(&mut self) -> Value {
        loop {
            let message = self.next();
            if message["method"] != "progress" {
                return message;
            }
        }
    }

    /// Waits until a rollout has counted games.
    fn wait_for_games(&mut self) {
        while !self.next()["params"]["job"]["progress"]["best"].is_object() {}
    }

    fn end(mut self) {
        drop(self.input.take());
        assert_eq!(self.text(), None);
        assert!(self.child.wait().unwrap().success());
    }
}

fn frame(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

/// The messages of the guide's session are answered as it says.
#[test]
fn the_session_of_the_guide_is_this() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/frontends.md");
    let text = fs::read_to_string(guide).unwrap();
    let (_, section) = text.split_once("## tavli jsonrpc\n").unwrap();
    let (_, session) = section.split_once("```text\n").unwrap();
    let (session, _) = session.split_once("```").unwrap();
    let mut engine = Engine::start(&[]);
    for line in session.lines() {
        match line.split_at(2) {
            ("> ", message) => engine.send(message),
            (_, shown) => {
                let mut answer = engine.text().unwrap();
                // The cancelled rollout has a result once it has counted games.
                while answer.contains("progress") && (!shown.contains("progress") || !answer.contains("best")) {
                    answer = engine.text().unwrap();
                }
                match shown.strip_suffix("...") {
                    Some(start) => assert!(answer.starts_with(start), "{answer}: {start}"),
                    None => assert_eq!(answer, shown),
                }
            }
        }
    }
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn values_and_rollouts_are_those_of_the_commands() {
    let mut engine = Engine::start(&[]);
    engine.call(1, "evaluate", &json!({ "position": OPENING }));
    let expected = json_of(&format!("evaluate {OPENING} --evaluator fast --json"));
    let answer = engine.answer();
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &expected));
    // In the second position the best play with a money cube is another one.
    for (id, position, roll) in [(2, OPENING, "31"), (3, "4OvgASjgc/ABMA", "25")] {
        engine.call(id, "plays", &json!({ "position": position, "roll": roll }));
        let expected = json_of(&format!("evaluate {position} {roll} --evaluator fast --json"));
        assert_eq!(engine.answer()["result"], expected, "{position}");
    }
    let rollout = json!({ "position": OPENING, "roll": "31", "plays": ["8/5 6/5"], "trials": 36, "policy": "uniform" });
    engine.call(4, "rollout", &rollout);
    let expected = json_of(&format!("rollout {OPENING} 31 --play sGfwATDgc/ABMA --trials 36 --policy uniform --json"));
    let answer = engine.answer();
    assert_eq!(answer["result"]["status"], "done", "{answer}");
    assert_eq!(answer["result"]["result"]["candidates"][0]["equity"], expected["candidates"][0]["equity"]);
    // Requests that have begun are answered after the end of the input.
    engine.call(5, "playouts", &json!({ "games": 100 }));
    drop(engine.input.take());
    assert_eq!(engine.answer()["result"]["result"]["games"], 100);
    engine.end();
}

#[test]
fn other_games_are_answered_as_by_their_commands() {
    let mut engine = Engine::start(&[]);
    let mut answer = |method: &str, params: Value| {
        engine.call(1, method, &params);
        engine.answer()
    };
    let plakoto = |more: Value| {
        let mut params = json!({ "position": "start", "game": "plakoto" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    let value = answer("evaluate", plakoto(json!({})));
    assert_eq!(value["result"], json_of("evaluate start --game plakoto --json"));
    let valued = json_of("evaluate start 42 --game plakoto --json");
    assert_eq!(answer("plays", plakoto(json!({ "roll": "42" })))["result"], valued);
    let best = answer("plays", plakoto(json!({ "roll": "42", "most": 1 })));
    assert_eq!(best["result"]["plays"], json!([valued["plays"][0]]));
    // A finished position has its result, and no plays.
    let over = "XXX/OO-/--- O";
    let finished = json!({ "position": over, "game": "tictactoe" });
    let result = run_with_input(&["evaluate", over, "--game", "tictactoe", "--json"], b"");
    let mut result: Value = serde_json::from_slice(&result.stdout).expect("JSON");
    assert_eq!(answer("evaluate", finished.clone())["result"], result);
    result["plays"] = json!([]);
    assert_eq!(answer("plays", finished.clone())["result"], result);
    assert_eq!(answer("rollout", finished)["error"]["data"]["field"], "position");
    let decided = answer("decide", plakoto(json!({ "roll": "42", "trials": 72 })));
    let expected = json_of("rollout start 42 --game plakoto --within 0.01 --trials 72 --json");
    assert_eq!(decided["result"]["status"], "done", "{decided}");
    for member in ["decision", "candidates", "policy", "truncate", "ended_by", "game", "position", "roll", "rules"] {
        assert_eq!(decided["result"]["result"][member], expected[member], "{member}");
    }
    // By time alone the server's own bound on trials holds.
    let timed = answer("decide", plakoto(json!({ "roll": "42", "seconds": 0.01 })));
    assert_eq!(timed["result"]["status"], "done", "{timed}");
    let rolled = answer("rollout", plakoto(json!({ "roll": "42", "trials": 36, "policy": "strong" })));
    let expected = json_of("rollout start 42 --game plakoto --trials 36 --policy strong --json");
    for member in ["candidates", "policy", "trials", "complete", "game"] {
        assert_eq!(rolled["result"]["result"][member], expected[member], "{member}");
    }
    let played = answer("playouts", json!({ "game": "fevga", "games": 100, "seed": 7, "first_roll": "31" }));
    let expected = json_of("playout --game fevga --games 100 --seed 7 --first-roll 31 --json");
    for member in ["outcomes", "games", "first_roll", "equity", "position"] {
        assert_eq!(played["result"]["result"][member], expected[member], "{member}");
    }
    let unlearned = answer("evaluate", json!({ "position": "start", "game": "fevga", "rules": "r2=off" }));
    let remark = unlearned["result"]["remarks"][0].as_str().expect("a remark");
    assert!(remark.contains("has not learned fevga by r2=off"), "{remark}");
    let unlearned =
        json!({ "position": OPENING, "rules": "longgammon", "truncate": 5, "evaluator": "fast", "trials": 36 });
    let unlearned = answer("rollout", unlearned);
    let remark = unlearned["result"]["result"]["remarks"][0].as_str().expect("a remark");
    assert!(remark.contains("has not learned longgammon"), "{remark}");
    for (method, params, field, words) in [
        ("plays", json!({ "position": "start", "game": "chess" }), "game", "'chess' is not one of the games"),
        ("plays", plakoto(json!({})), "roll", "plays are those of a roll"),
        ("plays", json!({ "position": "x", "game": "plakoto" }), "position", "x"),
        ("evaluate", json!({ "position": OPENING, "rules": "portes" }), "rules", "rules are for other games"),
        ("decide", plakoto(json!({})), "roll", "has dice: name a roll"),
        ("decide", plakoto(json!({ "roll": "42", "luck": "fast" })), "luck", "do not have this option"),
        ("decide", plakoto(json!({ "roll": "42", "policy": "/etc/passwd" })), "policy", "is no player of plakoto"),
        ("decide", plakoto(json!({ "roll": "42", "plays": ["24/19"] })), "plays", "is neither a play of 42"),
        ("decide", plakoto(json!({ "roll": "42", "within": -1 })), "within", "0 or more, not -1"),
        ("decide", json!({ "position": "start", "game": "draughts" }), "game", "draughts has none"),
        ("rollout", plakoto(json!({ "truncate": 7 })), "truncate", "do not have this option"),
        ("playouts", json!({ "game": "fevga", "occupancy": true }), "occupancy", "do not have the option"),
        ("playouts", json!({ "game": "fevga", "first_roll": "37" }), "first_roll", "'37' is not a roll"),
    ] {
        let refused = answer(method, params);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        assert_eq!(refused["error"]["data"]["field"], field, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(words), "{refused}");
    }
    engine.end();
}

#[test]
fn calls_are_cancelled_by_their_ids() {
    let mut engine = Engine::start(&["--most-jobs", "1"]);
    let long = json!({ "position": OPENING, "trials": 10_000_000 });
    engine.call(1, "rollout", &long);
    engine.wait_for_games();
    for (id, method, params, code) in [(1, "rollout", &long, -32600), (2, "rollout", &long, -32000)] {
        engine.call(id, method, params);
        let answer = engine.answer();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(code)), "{answer}");
    }
    engine.call(3, "cancel", &json!({ "id": 1 }));
    let mut answers = [engine.answer(), engine.answer()];
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers[0]["result"]["status"], "cancelled");
    assert_eq!(answers[1]["result"]["cancelled"], true);
    // Before it has begun, and one that is not there.
    engine.call(4, "rollout", &long);
    engine.send(r#"{"jsonrpc":"2.0","method":"cancel","params":{"id":4}}"#);
    engine.send(r#"{"jsonrpc":"2.0","method":"cancel","params":{"id":[4]}}"#);
    let ended = engine.answer();
    let message = ended["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("no result") || ended["result"]["status"] == "cancelled", "{ended}");
    engine.call(5, "rollout", &long);
    engine.wait_for_games();
    wait_until_caught(&mut engine.child);
    signal(&engine.child, "TERM");
    assert_eq!(engine.answer()["result"]["status"], "cancelled");
    engine.end();
}

/// Values that take minutes, or longer than the test.
#[test]
fn values_are_cancelled_too() {
    let mut engine = Engine::with_player("sampled:1000000000", &["--request-seconds", "1000"]);
    for (id, method, params) in
        [(1, "evaluate", json!({ "position": OPENING })), (2, "plays", json!({ "position": OPENING, "roll": "66" }))]
    {
        engine.call(id, method, &params);
        engine.call(10 + id, "cancel", &json!({ "id": id }));
        let mut answers = [engine.answer(), engine.answer()];
        answers.sort_by_key(|answer| answer["id"].as_i64());
        assert_eq!(answers[0]["error"]["data"]["code"], "interrupted", "{answers:?}");
        assert_eq!(answers[1]["result"]["cancelled"], true, "{answers:?}");
    }
    engine.end();
}

/// Numbers that no 64-bit number holds are the ids of their calls, too.
#[test]
fn ids_are_answered_as_they_were_written() {
    let mut engine = Engine::start(&[]);
    for id in ["123456789012345678901234567890", "18446744073709551616", "1E2", "-0", "0.10", r#""1""#] {
        engine.send(&format!(r#"{{"jsonrpc":"2.0","params":{{}},"id": {id} ,"method":"plays"}}"#));
        let answer = engine.text().expect("an answer");
        assert!(answer.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error""#)), "{answer}");
    }
    // Two that are one as floating-point numbers.
    for last in [1, 2] {
        let params = json!({ "position": OPENING, "trials": 10_000_000 });
        engine.send(&format!(
            r#"{{"jsonrpc":"2.0","id":10000000000000000000{last},"method":"rollout","params":{params}}}"#
        ));
    }
    for last in [2, 1] {
        engine.send(&format!(r#"{{"jsonrpc":"2.0","method":"cancel","params":{{"id":10000000000000000000{last}}}}}"#));
        let start = format!(r#"{{"jsonrpc":"2.0","id":10000000000000000000{last},"#);
        loop {
            let answer = engine.text().expect("an answer");
            if !answer.contains(r#""method":"progress""#) {
                assert!(answer.starts_with(&start), "{answer}: {start}");
                break;
            }
        }
    }
    engine.end();
}

#[test]
fn messages_that_are_no_calls_are_told_what_a_call_is() {
    let mut engine = Engine::start(&[]);
    for (message, words) in [
        ("5", "a message is an object with jsonrpc, id, method and params, not 5"),
        ("null", "and params, not null"),
        (r#""x""#, r#"and params, not "x""#),
        ("[5]", "calls are not sent in lists"),
    ] {
        engine.send(message);
        let answer = engine.answer();
        let found = answer["error"]["message"].as_str().expect("words");
        assert!(found.contains(words), "{found}: {words}");
    }
    engine.end();
    let output =
        run_with_input(&["jsonrpc", "--player", "fast"], b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"plays\"}\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("a frame begins with a line such as Content-Length: 42, not with '{"),
        "{output:?}"
    );
}

#[test]
fn hostile_messages_are_answered_by_errors() {
    let mut engine = Engine::start(&[]);
    let deep = "[".repeat(10_000);
    let long = "x".repeat(70_000);
    for (message, id, code) in [
        ("", Value::Null, -32700),
        ("{", Value::Null, -32700),
        ("\u{0}\u{1b}", Value::Null, -32700),
        (&*deep, Value::Null, -32700),
        (&*long, Value::Null, -32600),
        ("[]", Value::Null, -32600),
        ("7", Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"plays"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"plays"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"plays"}"#, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":"a\"b"}"#, json!("a\"b"), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"plays"}"#, Value::Null, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"plays","params":{"position":"x","position":"4HPwATDgc/ABMA"}}"#,
            json!(1),
            -32600,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"/jobs"}"#, json!(1), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"plays","params":[1]}"#, json!(1), -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"plays"}"#, json!(1), -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"plays","params":{"x":1}}"#, json!(1), -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"rollout","params":{"position":"4HPwATDgc/ABMA","trials":99999999999}}"#,
            json!(1),
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"rollout","params":{"position":"4HPwATDgc/ABMA","policy":"/etc/passwd"}}"#,
            json!(1),
            -32602,
        ),
    ] {
        engine.send(message);
        let answer = engine.answer();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{answer}");
    }
    // Notifications have no answers, whatever they name.
    engine.send(r#"{"jsonrpc":"2.0","method":"rollout","params":{"position":"4HPwATDgc/ABMA"}}"#);
    engine.send(r#"{"jsonrpc":"2.0","method":"nothing"}"#);
    engine.end();
    for input in ["hello\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: 99\r\n\r\n{}"] {
        let output = run_with_input(&["jsonrpc", "--player", "fast", "--threads", "1"], input.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains("cannot read standard input"), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("-32700"), "{output:?}");
    }
}

/// An error about a member of the parameters names it, whichever member is wrong and in whatever way.
#[test]
fn errors_name_the_member_that_is_wrong() {
    let mut engine = Engine::start(&[]);
    let scored = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:3:10";
    let rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    for (method, params, field) in [
        ("evaluate", json!({"position": 5}), "position"),
        ("evaluate", json!({}), "position"),
        ("evaluate", json!({"position": OPENING, "bogus": 1}), "bogus"),
        ("plays", json!({"position": OPENING, "roll": "31", "most": 0}), "most"),
        ("plays", json!({"position": OPENING, "roll": ["31"]}), "roll"),
        ("rollout", json!({"position": OPENING, "cubeless": "yes"}), "cubeless"),
        ("rollout", json!({"position": OPENING, "trials": {}}), "trials"),
        ("rollout", json!({"position": OPENING, "stop_se": 0}), "stop_se"),
        ("rollout", json!({"position": OPENING, "standard_error": -1}), "standard_error"),
        ("rollout", json!({"position": OPENING, "roll": "31", "jsd": 0}), "jsd"),
        ("rollout", json!({"position": OPENING, "roll": "31", "plays": []}), "plays"),
        ("rollout", json!({"position": OPENING, "roll": "31", "shard": "1/2", "stop_se": 0.1}), "shard"),
        ("rollout", json!({"position": OPENING, "rules": "hypergammon"}), "position"),
        ("rollout", json!({"position": scored, "policy": "fast", "opponent_policy": "uniform"}), "opponent_policy"),
        ("rollout", json!({"position": scored, "policy": "uniform"}), "policy"),
        ("decide", json!({"position": OPENING, "roll": "31", "seed": []}), "seed"),
        ("decide", json!({"position": OPENING}), "roll"),
        ("playouts", json!({"games": -1}), "games"),
        ("playouts", json!({"seconds": 0}), "seconds"),
        ("playouts", json!({"seconds": 1, "games": 1}), "seconds"),
        ("playouts", json!({"policy": "foo"}), "policy"),
        ("playouts", json!({"opponent_policy": "foo"}), "opponent_policy"),
        ("playouts", json!({"position": rolled, "first_roll": "42"}), "first_roll"),
        ("playouts", json!({"position": OPENING, "rules": "hypergammon"}), "position"),
        ("playouts", json!({"occupancy": true}), "occupancy"),
        ("playouts", json!({"games": 3, "first_game": u64::MAX}), "first_game"),
        ("cancel", json!({}), "id"),
        ("cancel", json!({"id": [4]}), "id"),
        ("cancel", json!({"id": 4, "bogus": 1}), "bogus"),
        ("shutdown", json!({"bogus": 1}), "bogus"),
    ] {
        engine.call(1, method, &params);
        let answer = engine.answer();
        assert_eq!(answer["error"]["code"], -32602, "{method} {params}: {answer}");
        assert_eq!(answer["error"]["data"]["field"], field, "{method} {params}: {answer}");
    }
    engine.end();
}

/// Games of a sampled player, and look-ahead by its name, take hours here.
#[test]
fn slow_players_keep_to_the_limit_of_time() {
    let params = json!({ "position": OPENING, "roll": "66" });
    for player in ["sampled:4000000000", "strong+4ply"] {
        let mut engine = Engine::with_player(player, &["--request-seconds", "0.2"]);
        engine.call(1, "plays", &params);
        assert_eq!(engine.answer()["error"]["code"], -32001, "{player}");
        engine.end();
        let mut engine = Engine::with_player(player, &[]);
        engine.call(1, "plays", &params);
        let_worker_use(&mut engine.child, Duration::from_millis(20));
        signal(&engine.child, "TERM");
        let error = &engine.answer()["error"];
        assert_eq!(error["data"]["code"], "interrupted", "{player}: {error}");
        assert_eq!(error["message"], "interrupted before the end: there is no result");
        engine.end();
    }
}

#[test]
fn unknown_members_of_a_message_are_named() {
    let mut engine = Engine::start(&[]);
    engine.send(r#"{"jsonrpc":"2.0","id":1,"method":"shutdown","foo":1}"#);
    let answer = engine.answer();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32600)));
    assert_eq!(answer["error"]["data"]["field"], "foo");
    let message = "there is no member 'foo': a message has jsonrpc, id, method and params";
    assert_eq!(answer["error"]["message"], message);
    // It has not been shut down.
    engine.call(2, "shutdown", &json!({}));
    assert_eq!(engine.answer()["result"], Value::Null);
    engine.end();
}

/// A client that sends and never reads does not keep it from ending.
#[test]
fn clients_that_do_not_read_stop_nothing() {
    let mut engine = Engine::start(&[]);
    let plays = frame(&json!({ "jsonrpc": "2.0", "id": 1, "method": "x".repeat(1000) }).to_string());
    let mut input = engine.input.take().unwrap();
    let writer = std::thread::spawn(move || {
        // Ends when the engine does.
        while input.write_all(plays.as_bytes()).is_ok() {}
    });
    wait_until_caught(&mut engine.child);
    // A whole pipe of answers.
    while engine.output.fill_buf().unwrap().is_empty() {}
    signal(&engine.child, "TERM");
    assert!(engine.child.wait().unwrap().success());
    writer.join().unwrap();
}
