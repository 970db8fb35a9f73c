//! `tavli serve`: what each path answers, and what it does about clients of every kind.

mod bgweb;
mod clients;
mod document;
mod jobs;
mod nodots;
mod wildbg;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tavli::engine::Engine;
use tavli::evaluators::Probabilities;
use tavli::run::{Cancel, Workers};
use tavli::{Board, Position, Roll, RuleSet, Tier};

use crate::support::{OPENING, tavli};

/// A server, ended when it is dropped.
struct Server(Child, String);

/// An answer: its status and its body.
type Answer = (u16, String);

impl Server {
    fn start(options: &[&str]) -> Server {
        Server::with_player("fast", "2", options)
    }

    fn with_player(player: &str, threads: &str, options: &[&str]) -> Server {
        let mut child = tavli()
            .args(["serve", "--listen", "127.0.0.1:0", "--player", player, "--threads", threads])
            .args(options)
            .env_remove("TAVLI_TOKEN")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
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

    /// The refusal of a request.
    fn refused(&self, path: &str, body: &Value) -> Value {
        value(self.ask("POST", path, Some(&body.to_string())), 400)
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
        format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
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
    let engine = Engine::new("fast", 0, RuleSet::Backgammon, Tier::best(), Workers::here(), &Cancel::new());
    engine.unwrap()
}

fn shares(value: &Probabilities, names: &[(&str, i32)]) -> Value {
    let shares = names.iter().map(|&(name, points)| (name.to_owned(), value.at_least(points).into()));
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
    points.map(|place| format!("&p{place}={}", board.points()[place])).collect()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

/// Positions with the bar, with races, in bear-offs and at the start.
const POSITIONS: [&str; 5] = [OPENING, "Np7BQSCYZ/AAWA", "/z0AADDeaxsAAA", "t02oASACAAAAAA", "4HPiQUAzTvABMA"];
