//! The paths of positions and jobs: the numbers of the commands, how far a job is, and what is refused.

use std::fs;
use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};
use tavli::Board;
use tavli::net::{Activation, Encoder, Network, Outputs, PlayerFile};

use super::{Server, parameters, request, value};
use crate::support::{OPENING, json as json_of, scratch_file, signal};

/// With the cube and the score that a position names, or without them if asked.
#[test]
fn jobs_play_with_the_cube_of_the_position() {
    let server = Server::start(&[]);
    let (before, rolled) =
        ("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:1:0:5:10", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:5:10");
    let asked = json!({"position": before, "trials": 36, "policy": "fast", "seed": 3});
    let printed = json_of(&format!("rollout {before} --trials 36 --policy fast --seed 3 --json"));
    let rollout = server.job("/rollout", &asked);
    assert!(rollout["result"]["cube"]["action"].is_string(), "{rollout}");
    same(&rollout, &printed, &["differences"]);
    let cubeless = json!({"position": before, "trials": 36, "policy": "fast", "seed": 3, "cubeless": true});
    let printed = json_of(&format!("rollout {before} --cubeless --trials 36 --policy fast --seed 3 --json"));
    same(&server.job("/rollout", &cubeless), &printed, &["differences"]);
    let asked = json!({"position": rolled, "within": 0.3, "trials": 36});
    let printed = json_of(&format!("rollout {rolled} --within 0.3 --trials 36 --json"));
    let decided = server.job("/decide", &asked);
    assert!(decided["result"]["candidates"][0]["cubeful"].is_number(), "{decided}");
    same(&decided, &printed, &["differences"]);
}

/// A client does not see the standard error on which the command says it.
#[test]
fn what_a_position_cannot_be_is_remarked_on() {
    let server = Server::start(&[]);
    // The Crawford game at 4-2 in a match to 7.
    let position = "bD3BAQyYd2cEAA:ggHgAEAAEAAE";
    let remark = "at 4-2 in a match of 7 there is no Crawford game";
    let games = json!({"position": position, "games": 10});
    let trials = json!({"position": position, "trials": 36, "policy": "fast"});
    for answer in [
        server.post("/evaluate", &json!({"position": position})),
        server.post("/plays", &json!({"position": position, "roll": "31"})),
        server.job("/rollout", &trials)["result"].clone(),
        server.job("/playouts", &games)["result"].clone(),
    ] {
        let remarks = answer["remarks"].as_array().expect("remarks");
        assert!(remarks[0].as_str().expect("a text").starts_with(remark), "{answer}");
    }
    let plain = server.post("/evaluate", &json!({"position": OPENING}));
    assert!(plain.get("remarks").is_none(), "{plain}");
}

/// The net of a file has learned the rules of its recipe, and the server values by those of backgammon.
#[test]
fn rules_that_the_player_has_not_learned_are_remarked_on() {
    let path = scratch_file("serve-hyper.player");
    let net = Network::zero(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[2]);
    let file = PlayerFile { net, prefilter: None, recipe: "rules = \"hypergammon\"\n".to_owned() };
    fs::write(&path, file.write()).expect("a place to write");
    let server = Server::with_player(path.to_str().expect("a text"), "2", &[]);
    for answer in [
        server.post("/evaluate", &json!({"position": OPENING})),
        server.post("/plays", &json!({"position": OPENING, "roll": "31"})),
    ] {
        let remark = answer["remarks"][0].as_str().expect("a remark");
        assert!(remark.contains("has not learned backgammon: its values are far off"), "{answer}");
    }
    fs::remove_file(&path).expect("it is there");
}

/// As the command says it.
#[test]
fn what_the_command_remarks_on_a_job_is_in_its_result() {
    let server = Server::start(&[]);
    let same_as = |job: &Value, command: &str| {
        let printed = json_of(&format!("{command} --json"));
        let words = |remark: &Value| remark.as_str().expect("a text").trim_start_matches("remark: ").to_owned();
        let printed: Vec<String> = printed["remarks"].as_array().expect("remarks").iter().map(words).collect();
        assert!(!printed.is_empty(), "{command}");
        assert_eq!(job["result"]["remarks"], json!(printed), "{command}");
    };
    let unlearned =
        json!({"position": OPENING, "rules": "longgammon", "trials": 36, "truncate": 5, "evaluator": "fast"});
    let command = format!("rollout {OPENING} --rules longgammon --trials 36 --truncate 5 --evaluator fast");
    same_as(&server.job("/rollout", &unlearned), &command);
    let filtered = json!({"position": "start", "roll": "21", "rules": "hypergammon", "filter": 0.001, "within": 1.0,
                          "trials": 36});
    let command = "rollout start 21 --rules hypergammon --filter 0.001 --within 1 --trials 36";
    same_as(&server.job("/decide", &filtered), command);
    for position in
        ["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10", "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10"]
    {
        let playouts = server.job("/playouts", &json!({"position": position, "games": 10}));
        same_as(&playouts, &format!("playout {position} --games 10"));
    }
    let r2 = json!({"position": "start", "game": "fevga", "roll": "31", "rules": "r2=off", "policy": "strong",
                    "trials": 36});
    same_as(&server.job("/rollout", &r2), "rollout start 31 --game fevga --rules r2=off --policy strong --trials 36");
    let plain = server.job("/playouts", &json!({"position": OPENING, "games": 10}));
    assert!(plain["result"].get("remarks").is_none(), "{plain}");
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
    let cut = server.job("/rollout", &json!({"position": OPENING, "trials": 36, "truncate": 5, "evaluator": "none"}));
    let printed = json_of(&format!("rollout {OPENING} --trials 36 --truncate 5 --evaluator none --json"));
    same(&cut, &printed, &["differences"]);
    let decided = server.job("/decide", &json!({"position": OPENING, "roll": "31", "within": 0.3, "trials": 36}));
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
    let playouts =
        server.job("/playouts", &json!({"position": OPENING, "games": 5000, "seed": 42, "policy": "pubeval"}));
    let printed = json_of(&format!("playout {OPENING} --games 5000 --seed 42 --policy pubeval --json"));
    same(&playouts, &printed, &[]);
    // As some editors and shells write it.
    let marked = format!("\u{feff}{}", json!({"position": OPENING}));
    let marked = value(server.ask("POST", "/evaluate", Some(&marked)), 200);
    assert_eq!(marked, server.post("/evaluate", &json!({"position": OPENING})));
    // With the cube if the text names cube or score, as the command values it.
    let money = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    for position in [OPENING, "start", "4OvgASjgc/ABMA", money] {
        let valued = server.post("/evaluate", &json!({"position": position}));
        assert_eq!(valued, json_of(&format!("evaluate {position} --evaluator fast --json")));
        let plays = server.post("/plays", &json!({"position": position, "roll": "25"}));
        assert_eq!(plays, json_of(&format!("evaluate {position} 25 --evaluator fast --json")));
    }
    // Dice are played, and not passed over.
    let rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let refused = server.refused("/evaluate", &json!({"position": rolled}));
    assert_eq!(refused["error"]["field"], "position", "{refused}");
    assert!(refused["error"]["message"].as_str().expect("a text").contains("ask for its plays"), "{refused}");
    assert_eq!(server.post("/plays", &json!({"position": rolled, "most": 1}))["roll"], "31");
    let other = json!({"position": rolled, "roll": "42"}).to_string();
    let refused = value(server.ask("POST", "/plays", Some(&other)), 400);
    assert_eq!(refused["error"]["field"], "roll", "{refused}");
    let all = server.get("/jobs");
    let kinds: Vec<&str> = all["jobs"].as_array().unwrap().iter().map(|job| job["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["rollout", "rollout", "decide", "decide", "playouts"]);
    server.ask("DELETE", "/jobs/1", None);
    assert_eq!(value(server.ask("GET", "/jobs/1", None), 404)["error"]["code"], "not_found");
    for (path, asked, message) in [
        (
            "/rollout",
            json!({"position": OPENING, "trails": 36}),
            "trails: there is no such option; choose from position, game, cubeless, roll, filter, rules",
        ),
        ("/rollout", json!({"position": OPENING, "trials": 20_000_000}), "more than the 10000000"),
        ("/rollout", json!({"position": OPENING, "trials": 0}), "trial"),
        ("/rollout", json!({"position": OPENING, "trials": -1}), "-1"),
        ("/rollout", json!({"position": OPENING, "seconds": 0}), "seconds"),
        ("/rollout", json!({"position": OPENING, "seconds": 1e-300}), "1.8e19, not 1e-300"),
        ("/rollout", json!({"position": OPENING, "truncate": 0}), "a whole number from 1 to"),
        ("/rollout", json!({"position": OPENING, "policy": "/etc/passwd"}), "is not a player of this server"),
        ("/rollout", json!({"position": OPENING, "policy": "fast+bearoff:12x15"}), "is not a player of this server"),
        ("/rollout", json!({"position": OPENING, "evaluator": "sampled:1000000000"}), "is not a player of this server"),
        ("/rollout", json!({"position": OPENING, "roll": "31", "plays": ["8/2"]}), "8/2"),
        ("/rollout", json!({"position": OPENING, "roll": "77"}), "roll"),
        ("/rollout", json!({"position": OPENING, "roll": "31", "filter": -1}), "0 or more"),
        ("/rollout", json!({"position": "nonsense"}), "nonsense"),
        ("/rollout", json!({}), "position"),
        ("/rollout", json!({"position": OPENING, "roll": "31", "within": 0.1}), "within is for decisions"),
        (
            "/rollout",
            json!({"position": OPENING, "roll": "31", "plays": ["8/5 6/5"], "filter": 0.1}),
            "a filter does not apply to named plays",
        ),
        ("/rollout", json!({"position": OPENING, "roll": "31", "plays": "8/5 6/5"}), "plays: invalid type: string"),
        ("/decide", json!({"position": OPENING, "roll": "31", "allocate": "even"}), "leave the allocation out"),
        ("/decide", json!({"position": OPENING}), "name the roll"),
        ("/decide", json!({"position": OPENING, "roll": "31", "within": -1}), "0 or more"),
        ("/playouts", json!({"games": 1, "seconds": 1}), "not both"),
        ("/playouts", json!({"games": 0}), "a whole number from 1 to"),
        ("/playouts", json!({"games": 1, "occupancy": true}), "truncate"),
        ("/playouts", json!({"games": 2, "first_game": u64::MAX}), "game number"),
        ("/playouts", json!({"seconds": 1e300}), "1.8e19, not 1e300"),
        ("/playouts", json!({"rules": "chess"}), "chess"),
    ] {
        let refused = server.refused(path, &asked);
        let found = refused["message"].as_str().unwrap();
        assert!(found.contains(message), "{path} {asked}: {found}");
    }
    for path in ["/jobs/99", "/jobs/x", "/jobs/-1", "/jobs/99/events", "/job"] {
        assert_eq!(value(server.ask("GET", path, None), 404)["error"]["code"], "not_found", "{path}");
    }
    assert_eq!(server.ask("GET", "/jobs/2?wait=1000", None).0, 400);
}

/// Compares the result of a job with what a command prints, except the machine and the times.
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
    (&stream).write_all(request("GET", "/jobs/1/events", None, "").as_bytes()).unwrap();
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
    // There is room for another, and a signal ends running jobs with their results so far.
    assert_eq!(value(begin(), 202)["id"], 3);
    let stream = server.connect();
    (&stream).write_all(request("GET", "/jobs/2/events", None, "").as_bytes()).unwrap();
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let has_begun = |line: String| {
        let job: Option<Value> = line.strip_prefix("data: ").map(|job| serde_json::from_str(job).unwrap());
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
    let server = Server::start(&["--job-seconds", "0.5"]);
    let job = json!({"position": OPENING, "policy": "fast", "trials": 10_000_000});
    let job = value(server.ask("POST", "/rollout", Some(&job.to_string())), 202);
    let job = server.ended(job["id"].as_u64().unwrap());
    assert_eq!(job["status"], "cancelled");
    assert!(job["message"].as_str().unwrap().contains("the longest"), "{job}");
    assert!(job["result"]["trials"].is_number());
}

/// A job that is cancelled before its first game has no result, whatever the game.
#[test]
fn rollouts_without_a_game_fail() {
    let server = Server::start(&["--job-seconds", "0.001"]);
    for job in [
        json!({"position": OPENING, "policy": "sampled:144:fast", "trials": 36}),
        json!({"position": "start", "game": "plakoto", "policy": "strong+2ply", "trials": 36}),
    ] {
        let job = value(server.ask("POST", "/rollout", Some(&job.to_string())), 202);
        let job = server.ended(job["id"].as_u64().unwrap());
        assert_eq!(job["status"], "failed", "{job}");
        assert!(job["message"].as_str().unwrap().contains("no result"), "{job}");
    }
}

#[test]
fn rollouts_of_other_games_count_trials_and_show_the_best_play() {
    let server = Server::start(&[]);
    let long = json!({"position": "start", "game": "plakoto", "roll": "31", "trials": 10_000_000});
    assert_eq!(value(server.ask("POST", "/rollout", Some(&long.to_string())), 202)["id"], 1);
    let stream = server.connect();
    (&stream).write_all(request("GET", "/jobs/1/events", None, "").as_bytes()).unwrap();
    let lines = BufReader::new(&stream).lines().map(Result::unwrap);
    let jobs = lines.filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    let shown = jobs.map(|mut job| job["progress"].take()).find(|progress| progress["best"]["equity"].is_number());
    let shown = shown.expect("progress after the first trials");
    assert!(shown["best"]["moves"].is_string(), "{shown}");
    value(server.ask("DELETE", "/jobs/1", None), 200);
    let done = shown["done"].as_f64().unwrap();
    assert!((shown["fraction"].as_f64().unwrap() * 1e7 - done).abs() < 1.0, "{shown}");
}

/// Every name in the list of the options is one that a request may have.
#[test]
fn the_options_of_a_rollout_are_all_listed() {
    let server = Server::start(&[]);
    let answer = |body: Value| server.refused("/rollout", &body);
    let refused = answer(json!({"position": OPENING, "trails": 36}));
    let message = refused["error"]["message"].as_str().expect("a text");
    let (_, names) = message.split_once("choose from ").expect("a list");
    let names: Vec<&str> = names.split(", ").collect();
    assert_eq!(names[..4], ["position", "game", "cubeless", "roll"]);
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
        ("/rollout", "", "the request is not JSON: EOF while parsing a value at line 1 column 0"),
        ("/rollout", "{}", "missing field `position`"),
        (
            "/rollout",
            r#"{"position": "4HPwATDgc/ABMA", "trials": -1}"#,
            "trials: write a whole number from 1 to 72057594037927936, not -1",
        ),
        ("/playouts", r#"{"games": 0}"#, "games: invalid value: integer `0`, expected a whole number from 1 to"),
        (
            "/plays",
            r#"{"position": "4HPwATDgc/ABMA", "roll": "31", "most": 0}"#,
            "most: invalid value: integer `0`, expected a whole number from 1 to",
        ),
        ("/decide", r#"{"position": 3}"#, "position: invalid type: integer `3`, expected a text"),
        ("/api/v1/getmoves", r#"{"board": 1}"#, "board: invalid type: integer `1`, expected an object"),
    ] {
        let refused = value(server.ask("POST", path, Some(body)), 400);
        let found = refused["message"].as_str().unwrap();
        assert!(found.starts_with(message), "{path} {body}: {found}");
    }
    for number in ["x", "99999999999999999999999"] {
        let job = value(server.ask("GET", &format!("/jobs/{number}"), None), 404);
        let message = "jobs have whole numbers, at most 18446744073709551615: /jobs lists them";
        assert_eq!(job["message"], message, "{number}");
    }
}
