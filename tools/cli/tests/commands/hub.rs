//! Hub, the protocol of draughts engines.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{run_with_input, tavli, text};

/// What a session of the Hub protocol answers, without what it thought on the way.
fn hub(options: &[&str], lines: &str) -> Vec<String> {
    let output = run_with_input(&[&["hub", "--threads", "1"], options].concat(), lines.as_bytes());
    assert!(output.status.success(), "{output:?}");
    let lines = text(&output).lines().map(str::to_owned).collect::<Vec<_>>();
    lines.into_iter().filter(|line| !line.starts_with("info ")).collect()
}

/// The lines that pydraughts sends, in a game that it has begun.
#[test]
fn hub_plays_a_session_of_pydraughts() {
    let answers = hub(
        &[],
        "hub\nset-param name=variant value=english\ninit\nping\nnew-game\n\
         pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nlevel depth=3\ngo think\n\
         pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19 8-11 22-17\"\nlevel nodes=400\ngo think\n\
         pos pos=WeeeeebeeeeeeebeeeweeeeeeeweeeeeW\ngo think\nquit\nping\n",
    );
    assert!(answers[0].starts_with("id name=tavli version="), "{answers:?}");
    assert_eq!(
        answers[1..5],
        ["param name=variant value=english type=enum values=\"english\"", "wait", "ready", "pong"]
    );
    assert!(answers[5].starts_with("done move="), "{answers:?}");
    // 11-15 23-19 8-11 22-17 15x24 28x19 is old theory; here Black may take one way only.
    assert!(answers[6].starts_with("done move="), "{answers:?}");
    // The squares of a capture, then the squares of the pieces taken.
    assert_eq!(answers[7], "done move=14x30x18x26");
    assert_eq!(answers.len(), 8);
}

#[test]
fn hub_refuses_and_goes_on() {
    let answers = hub(
        &[],
        "bogus\npos pos=Xee\npos pos=W\npos moves=\"1-2\"\n\
         set-param name=variant value=frisian\nlevel depth=0\nlevel time=x\ngo slowly\n\
         pos pos=WeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW\ngo\n\
         pos moves=\"\u{1b}[31m\"\nset-param name=tt-size value=24\nlevel depth=500\nlevel depth=3 pace=2\nstop\nping\n",
    );
    let expected = [
        "unknown command 'bogus'",
        "'Xee' is not a position",
        "'W' is not a position",
        "'1-2' is not a play",
        "the variant is english",
        "depth=0: write a whole number, 1 to 64",
        "time=x: write seconds, 0 to 1000000",
        "go is think, ponder or analyze",
        "the game is over",
        "is not a move",
        "set-param has name=variant, not 'tt-size'",
        "depth=500: write a whole number, 1 to 64",
        "or infinite, not 'pace'",
    ];
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(answer.starts_with("error message=\"") && answer.contains(expected), "{answer}: {expected}");
        assert!(!answer.contains('\u{1b}'), "{answer:?}");
    }
    assert_eq!(answers.last().map(String::as_str), Some("pong"));
    assert_eq!(answers.len(), expected.len() + 1, "{answers:?}");
}

/// Each session would take hours by its depth alone.
#[test]
fn the_first_limit_that_is_reached_ends_a_search() {
    for level in [
        "depth=40 move-time=0.1",
        "depth=40 time=1 moves=20",
        "depth=40 nodes=5000",
        "depth=40 nodes=1",
        "nodes=8000000000 move-time=0.1",
    ] {
        let answers = hub(&[], &format!("level {level}\ngo think\n"));
        assert_eq!(answers.len(), 1, "{level}: {answers:?}");
        assert!(answers[0].starts_with("done move="), "{level}: {answers:?}");
    }
}

#[test]
fn hub_answers_no_position_before_the_one_refused() {
    let answers = hub(
        &[],
        "pos pos=foo\ngo think\npos start\nlevel time=0 inc=-1\ngo think\ngo\nlevel depth=2\ngo\n\
         level depth=\"3\nlevel depth=3 depth=12\nset-param name=variant value=english pace=x\ninit foo\n",
    );
    let expected = [
        "error message=\"'foo' is not a position",
        "error message=\"the last pos was refused: send another",
        "error message=\"inc=-1: write seconds",
        "error message=\"the last level was refused: send another",
        "error message=\"the last level was refused: send another",
        "done move=",
        "error message=\"depth= has no quote after '3'",
        "error message=\"'depth' is given twice",
        "error message=\"set-param has name= and value=, not 'pace'",
        "error message=\"init stands alone, without 'foo'",
    ];
    assert_eq!(answers.len(), expected.len(), "{answers:?}");
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(answer.starts_with(expected), "{answer}: {expected}");
    }
}

#[test]
fn hub_says_what_a_pos_lacks() {
    let answers = hub(
        &[],
        "pos\ngo think\npos pos=Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb\npos pos=WBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb\n",
    );
    let expected = [
        "error message=\"pos names no position: write start, pos= or moves=\"",
        "error message=\"the last pos was refused: send another\"",
        "error message=\"White has a man on square 1, where it would be a king: write W\"",
        "error message=\"Black has a man on square 32, where it would be a king: write B\"",
    ];
    assert_eq!(answers, expected);
}

/// A list of plays is whole, whatever its length.
#[test]
fn hub_lists_the_plays_of_a_position() {
    let answers = hub(&[], "pos moves=\"1-2\"\n");
    for play in ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"] {
        assert!(answers[0].contains(play), "{play}: {answers:?}");
    }
}

#[test]
fn hub_thinks_until_it_is_told_to_stop() {
    let mut child = tavli()
        .args(["hub", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    writeln!(input, "level infinite\ngo analyze\ngo think").expect("it listens");
    let note = "info message=\"a search runs: go waits for the end, and stop ends it\"\n";
    while line != note {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("a note"), 0, "it ended");
    }
    writeln!(input, "stop").expect("it listens");
    while !line.starts_with("done move=") {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("an answer"), 0, "it ended");
    }
    // The end of the input ends a search that nobody could stop any more.
    writeln!(input, "go ponder").expect("it listens");
    drop(input);
    assert!(child.wait().expect("it ends").success());
}
