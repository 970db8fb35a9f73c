//! GNU Backgammon's external player.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{parse, run_with_input, scratch_file, tavli};

/// A server of the external player, ended when it is dropped.
struct External(Child, String);

impl External {
    fn start() -> External {
        External::with("fast")
    }

    fn with(player: &str) -> External {
        let mut child = tavli()
            .args(["external", "0", "--player", player, "--threads", "1"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening at ").expect("an address").to_owned();
        External(child, address)
    }

    fn ask(&self, lines: &str) -> Vec<String> {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        stream.write_all(lines.as_bytes()).unwrap();
        stream.write_all(b"exit\n").unwrap();
        let mut answers = String::new();
        stream.read_to_string(&mut answers).unwrap();
        answers.lines().map(str::to_owned).collect()
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The opening as FIBS writes it, with these dice, and whether it is doubled.
pub(crate) fn board(dice: &str, doubled: u8) -> String {
    format!(
        "board:You:Opp:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:{dice}:0:0:1:1:1:{doubled}:1:-1:0:25:\
         0:0:0:0:0:0:0:0"
    )
}

/// A line without its end is the last one.
#[test]
fn the_last_line_may_lack_its_end() {
    let server = External::start();
    for end in ["", "\r", "\n", "\n\0"] {
        let mut stream = TcpStream::connect(&server.1).unwrap();
        let lines = format!("{}\n{}{end}", board("3:1", 0), board("0:0", 0));
        stream.write_all(lines.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answers = String::new();
        stream.read_to_string(&mut answers).unwrap();
        assert_eq!(answers, "8/5 6/5\nroll\n", "{end:?}");
    }
}

/// The question would take hours, and the engine has one at a time.
#[test]
fn a_client_that_has_left_is_not_served_to_the_end() {
    let server = External::with("sampled:1000000000");
    let mut stream = TcpStream::connect(&server.1).unwrap();
    stream.write_all(format!("{}\n", board("0:0", 0)).as_bytes()).unwrap();
    drop(stream);
    // It is not known when the engine begins with the question.
    thread::sleep(Duration::from_secs(1));
    assert_eq!(server.ask("set debug on\n"), ["Debug output ON"]);
}

#[test]
fn the_external_player_answers_boards() {
    let server = External::start();
    let (play, roll, doubled) = (board("3:1", 0), board("0:0", 0), board("0:0", 1));
    let answers = server.ask(&format!(
        "version\nset debug off\nset interface new\n{play}\n{roll}\n{doubled}\n{doubled} beavers off\n{roll} resignation 1\n\
         evaluation fibsboard {roll} plies 0 cubeless\nevaluation fibsboard {roll} plies 0 cubeful jacobyrule off\nbogus\n\
         board:You\n{play}\n\0"
    ));
    assert_eq!(answers[..2], ["Interface: 2", "RFBF: 0"]);
    assert_eq!(answers[4..11], ["Debug output OFF", "New interface ON", "8/5 6/5", "roll", "beaver", "take", "accept"]);
    for answer in &answers[11..13] {
        let numbers: Vec<f64> = answer.split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 6);
        assert!((0.5..0.55).contains(&numbers[0]) && (0.0..0.2).contains(&numbers[5]), "{answer}");
    }
    assert!(answers[13].starts_with("Error: unknown command 'bogus'"), "{answers:?}");
    let parts = server.ask("evaluation\nevaluation plies 0\nset debug\nset interface 2\nset\n");
    let missing = [
        "evaluation has no board: send evaluation fibsboard BOARD",
        "only a fibsboard is evaluated, not 'plies': send evaluation fibsboard BOARD",
        "debug is on or off: send set debug on, or set debug off",
        "the interface is new or old: send set interface new, or set interface old",
        "settings are debug and interface: send set debug on|off or set interface new|old",
    ];
    assert_eq!(parts, missing.map(|text| format!("Error: {text}")));
    assert!(answers[14].starts_with("Error: "), "{answers:?}");
    assert_eq!(answers[15], "8/5 6/5");
    // The plies of one question leave the engine's own for others as they were; and a line that is not a board.
    let evaluation = |options: &str| format!("evaluation fibsboard {roll} cubeless{options}\n");
    let answers = server.ask(&format!(
        "{}{}{}{}{}{}\n{}{}{}{}evaluation fibsboard\n",
        evaluation(""),
        evaluation(" plies 1"),
        evaluation(" plies 0"),
        evaluation(" plies 9"),
        evaluation(" plies x"),
        "x".repeat(100_000),
        evaluation(" noise 0.1"),
        evaluation(" noise 0.0"),
        evaluation(" plies 0 plies 1"),
        evaluation(" cubeful"),
    ));
    assert_ne!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[3..5], ["Error: plies are 0 to 3"; 2]);
    assert!(answers[5].starts_with("Error: the line has more than 4096 bytes"), "{answers:?}");
    assert_eq!(
        answers[6..],
        [
            "Error: noise is 0: this engine has none",
            &answers[0],
            "Error: plies is given twice: send it once",
            "Error: cube is given twice: send it once",
            "Error: evaluation fibsboard has no board: send one after it"
        ]
    );
    // An editor on Windows has saved the lines that a script sends.
    assert_eq!(server.ask(&format!("\u{feff}{play}\n")), ["8/5 6/5"]);
    // Several at a time, and clients that go away in the middle of a line.
    let hold = TcpStream::connect(&server.1).unwrap();
    (&hold).write_all(b"board:").unwrap();
    assert_eq!(server.ask(&format!("{play}\n")), ["8/5 6/5"]);
    drop(hold);
    assert_eq!(server.ask(&format!("{play}\n")), ["8/5 6/5"]);
}

/// GNU Backgammon itself plays matches and money sessions against the external player, which is either of its players,
/// if it is installed.
#[test]
fn gnubg_plays_against_the_external_player() {
    let names = ["/usr/games/gnubg", "/usr/bin/gnubg"];
    let Some(gnubg) = names.into_iter().find(|name| Path::new(name).exists()) else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    let server = External::start();
    let play = |own: usize, seed: u32, what: &str, games: usize| {
        let [commands, played] = ["match.gnubg", "match.mat"].map(scratch_file);
        let other = 1 - own;
        let mut script = format!(
            "set confirm new off\nset player {own} external {}\nset player {other} gnubg\nset player {other} chequerplay evaluation \
             plies 0\nset player {other} cubedecision evaluation plies 0\nset automatic roll on\nset automatic move on\nset display \
             off\nset seed {seed}\nnew {what}\n",
            server.1
        );
        // Later games have a score.
        script.push_str(&format!("{}new game\n", "play\n".repeat(250)).repeat(games));
        script.push_str(&format!("export match mat {}\nquit\n", played.display()));
        fs::write(&commands, script).unwrap();
        let output = Command::new(gnubg).args(["-t", "-q", "-c"]).arg(&commands).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let record = fs::read_to_string(&played).unwrap_or_else(|error| panic!("{error}: {printed}"));
        assert!(record.contains("Wins"), "{record} {printed}");
        // The record does not say that money sessions have the Jacoby rule and beavers.
        fs::write(&played, format!("; [Jacoby \"true\"]\n; [Beaver \"true\"]\n{record}")).unwrap();
        // By its own values it made no mistake: it saw the boards, the cube and the score as they were.
        let analysis = ["analyze", "--player", "fast", "--json", &played.display().to_string()].map(str::to_owned);
        let analysis = analysis.each_ref().map(String::as_str);
        let analysis = parse(&run_with_input(&analysis, b""));
        let player = &analysis["players"][own];
        assert_eq!(player["name"], ["gnubg", "root"][own]);
        let (decisions, loss) = (player["decisions"].as_u64().unwrap(), player["loss"].as_f64().unwrap());
        assert!(decisions > 10 && loss < 1e-3, "{what} as player {own}: {player}\n{record}");
        player["takes"]["decisions"].as_u64().unwrap()
    };
    play(0, 12, "match 3", 2);
    // In these matches it answers doubles at scores that differ.
    assert!(play(0, 7, "match 11", 5) > 0);
    assert!(play(1, 7, "match 11", 5) > 0);
    play(0, 3, "session", 2);
    play(1, 3, "session", 2);
}
