//! Many clients at a time, hostile ones, idle ones, and clients of other machines.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tavli::{Board, Roll};

use super::{Server, engine, next, parameters, request, split, value, wildbg};
use crate::support::{OPENING, errors, let_worker_use, run, signal};

/// A thousand requests at 64 at once: none is lost, none is wrong.
#[test]
fn many_clients_get_their_own_answers() {
    const CLIENTS: usize = 64;
    const REQUESTS: usize = 16;
    let (server, engine) = (Server::start(&[]), engine());
    let rolls: Vec<Roll> = Roll::ALL.to_vec();
    // Positions after the best plays of the opening, each with every roll.
    let boards: Vec<Board> =
        rolls.iter().map(|&roll| engine.plays(&Board::START.into(), roll).unwrap().plays[0].play.board).collect();
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
    for (body, kind) in
        [("[5]", "a list"), ("null", "null"), (" true", "true or false"), ("5\n", "a number"), ("\"x\"", "a text")]
    {
        let message = format!("the request is {kind}: write an object, with a name for each value");
        assert_eq!(post(body)["message"], message, "{body}");
    }
    // A terminal does not obey what a message quotes.
    let quoted = post("{\"position\": \"\\u001b[31m\"}");
    assert!(!quoted["message"].as_str().unwrap().contains('\u{1b}'), "{quoted}");
    let huge = "x".repeat(70_000);
    assert_eq!(server.ask("POST", "/decide", Some(&huge)).0, 413);
    for length in [99_999_999_999_999, u64::MAX - 2] {
        let lying = format!(
            "POST /decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let lying = value(server.send(lying.as_bytes()), 413);
        assert_eq!(lying["message"], "a body has at most 65536 bytes", "{length}");
    }
    let broken = "POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                  Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
    let (status, broken) = server.send(broken.as_bytes());
    assert_eq!(status, 400);
    assert!(broken.contains("a chunk of it has no size in hexadecimal digits; send it whole"), "{broken}");
    let other = "POST /decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    assert_eq!(server.send(other.as_bytes()).0, 415);
    for (method, path) in
        [("PUT", "/move"), ("POST", "/eval"), ("GET", "/rollout"), ("DELETE", "/jobs"), ("PATCH", "/jobs/1")]
    {
        assert_eq!(value(server.ask(method, path, None), 405)["error"]["code"], "invalid_request");
    }
    assert_eq!(value(server.ask("GET", "/../../etc/passwd", None), 404)["error"]["code"], "not_found");
    let chunks = b"POST /decide HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    assert_eq!(server.send(chunks).0, 403);
    // A page of the web that gave its name this address.
    let foreign = "GET /v1/health HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n";
    assert_eq!(value(server.send(foreign.as_bytes()), 403)["error"]["code"], "unauthorized");
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

/// Before a path is known, so by a status alone.
#[test]
fn heads_that_are_no_http_or_too_long_are_refused() {
    let server = Server::start(&[]);
    let headers = format!("GET / HTTP/1.1\r\n{}\r\n", "X-Name: value\r\n".repeat(200));
    for (head, status) in [
        ("\x16\x03\x01\x02\0\x01\0\x01\x03\x03", 400), // of TLS
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (&headers, 431),
    ] {
        assert_eq!(server.send(head.as_bytes()).0, status, "{head}");
    }
    assert_eq!(server.ask("GET", "/v1/health", None).0, 200);
}

#[test]
fn a_client_that_ends_its_side_after_a_request_gets_its_answer() {
    let server = Server::start(&[]);
    let body = json!({"position": OPENING}).to_string();
    for (method, path, body) in [("POST", "/evaluate", Some(&*body)), ("GET", "/v1/health", None)] {
        for _ in 0..10 {
            let mut stream = server.connect();
            stream.write_all(request(method, path, body, "").as_bytes()).unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert_eq!(split(&answer).0, 200, "{method} {path}: {answer}");
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

/// Games of a sampled player, and look-ahead by its name, take hours here.
#[test]
fn slow_players_keep_to_the_limit_of_time_and_let_others_be_served() {
    let body = json!({"position": OPENING, "roll": "66"}).to_string();
    let evaluate = json!({"position": OPENING}).to_string();
    let eval = format!("/eval?p{}", &parameters(&Board::START)[2..]);
    for player in ["sampled:4000000000", "strong+4ply"] {
        let server = Server::with_player(player, "1", &["--request-seconds", "0.2"]);
        for (method, path, body) in
            [("POST", "/plays", Some(&*body)), ("POST", "/evaluate", Some(&*evaluate)), ("GET", &*eval, None)]
        {
            let refused = server.ask(method, path, body);
            assert_eq!(value(refused, 504)["error"]["code"], "timeout", "{player} {path}");
        }
        let mut server = Server::with_player(player, "1", &[]);
        let waiting = server.connect();
        (&waiting).write_all(request("POST", "/plays", Some(&body), "").as_bytes()).unwrap();
        server.get("/v1/health");
        let_worker_use(&mut server.0, Duration::from_millis(20));
        signal(&server.0, "TERM");
        let refused = value(next(&mut BufReader::new(&waiting)).unwrap(), 503);
        assert_eq!(refused["error"]["code"], "interrupted", "{player}");
        assert_eq!(refused["message"], "interrupted before the end: there is no result");
    }
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
    assert_eq!(value(server.ask("GET", "/v1/health", None), 401)["error"]["code"], "unauthorized");
    let headers = |token: &str| format!("Authorization: Bearer {token}\r\nConnection: close\r\n");
    let asked = |token: &str| server.send(request("GET", "/v1/health", None, &headers(token)).as_bytes()).0;
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
