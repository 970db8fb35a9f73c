//! GNU Backgammon's command line: its commands and what it prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use tavli::NO_STOP;
use tavli::transcript::{Match, MatchGame};

use crate::support::{OPENING, OPENING_31, json, parse, run, run_with_input, scratch_file, tavli, text};

#[test]
fn commands_of_a_file_without_end_are_refused() {
    let output = run_with_input(&["gnubg", "-t", "-q"], b"load commands /dev/zero\nset output digits 2\n");
    assert_eq!(output.status.code(), Some(0));
    let message = "Error: cannot read /dev/zero: it has more than 16777216 bytes";
    assert!(text(&output).contains(message), "{}", text(&output));
}

/// No value is taken in silence that GNU Backgammon would refuse, also of settings that change nothing here.
#[test]
fn gnubg_new_games_take_nothing() {
    let commands = b"new game x\nnew session 7\nshow board\n";
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], commands);
    for refusal in [
        "Error: new game takes no argument, but got `x'",
        "Error: new session takes no argument, but got `7'",
        "no game in progress",
    ] {
        assert!(text(&output).to_lowercase().contains(&refusal.to_lowercase()), "{output:?}");
    }
}

#[test]
fn gnubg_values_of_settings_are_checked() {
    let ask = |lines: &str| {
        let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], lines.as_bytes());
        let printed = text(&output).split_once("\n\n\n\n").expect("a banner").1;
        printed.trim_end().to_owned()
    };
    for (setting, value) in [
        ("rollout cubeful", "maybe"),
        ("rollout varredn", "1"),
        ("rollout truncation enable", "maybe"),
        ("rollout quasirandom", "maybe"),
        ("rollout chequerplay deterministic", "maybe"),
        ("crawford", "maybe"),
        ("jacoby", "maybe"),
        ("display", "maybe"),
        ("automatic game", "maybe"),
        ("confirm new", "maybe"),
        ("output mwc", "maybe"),
        ("evaluation chequerplay evaluation cubeful", "maybe"),
        ("evaluation cubedecision evaluation cubeful", "maybe"),
        ("analysis luck", "maybe"),
        ("player gnubg chequerplay evaluation prune", "maybe"),
    ] {
        assert_eq!(
            ask(&format!("new match 1\nset {setting} {value}\n")).lines().last(),
            Some(&*format!("Illegal keyword `{value}': set {setting} is on or off."))
        );
    }
    for what in ["evaluation chequerplay", "evaluation cubedecision", "analysis chequerplay"] {
        assert_eq!(
            ask(&format!("set {what} type foo\n")),
            format!("Illegal keyword `foo': set {what} type is rollout or evaluation.")
        );
    }
    for setting in [
        "rollout foo on",
        "evaluation foo",
        "evaluation chequerplay eval plies 2",
        "output foo on",
        "foo",
        "player 0 foo",
    ] {
        assert!(ask(&format!("set {setting}\n")).starts_with("Unknown keyword `set "), "{setting}");
    }
    for setting in [
        "evaluation chequerplay evaluation noise foo",
        "cache foo",
        "seed foo",
        "rollout chequerplay plies foo",
        "rollout limit minimumgames nan",
    ] {
        let printed = ask(&format!("set {setting}\n"));
        let ends = ["is not a number", "is not a whole number from 0", "plies are 0 to 3, and not `foo'"];
        assert!(
            printed.starts_with("Error: ") && ends.iter().any(|end| printed.ends_with(end)),
            "{setting}: {printed}"
        );
    }
    for (setting, said) in [
        ("threads 0", "Error: set threads: threads are a whole number 1 to 4096, and not `0'"),
        ("threads 99999", "Error: set threads: threads are a whole number 1 to 4096, and not `99999'"),
        ("rng foo", "Unknown keyword `set rng foo' (try `help')."),
        ("rollout rng foo", "Unknown keyword `set rollout rng foo' (try `help')."),
        ("cache -1", "Error: set cache: `-1' is not a whole number from 0"),
        ("cache 1e9", "Error: set cache: `1e9' is not a whole number from 0"),
        ("evaluation movefilter x", "Error: set evaluation movefilter x: `x' is not a number"),
        ("evaluation chequerplay", "Incomplete command."),
        ("evaluation chequerplay evaluation", "Incomplete command."),
        ("rollout jsd foo", "Unknown keyword `set rollout jsd foo' (try `help')."),
        ("rollout chequerplay plies 9", "Error: set rollout chequerplay plies: plies are 0 to 3, and not `9'"),
        (
            "player 0 chequerplay evaluation plies 9",
            "Error: set player 0 chequerplay evaluation plies: plies are 0 to 3, and not `9'",
        ),
        ("player 0 gnubg evaluation plies 9", "Unknown keyword `set player 0 gnubg evaluation plies 9' (try `help')."),
        ("player 0 human x", "Unknown keyword `set player 0 human x' (try `help')."),
        ("analysis threshold bad nan", "Error: set analysis threshold bad: `nan' is not a number"),
        ("rng mersenne 42", ""),
        ("evaluation movefilter 1 0 0 8 0.16", ""),
        ("player 0 chequerplay evaluation plies 2", ""),
        ("player 0 gnubg", ""),
        ("rollout late plies 9", ""),
        ("analysis threshold bad 0.06", ""),
        ("rollout jsd limit 2.33", ""),
        ("rollout jsd minimumgames 36", ""),
        ("rollout jsd stop on", ""),
    ] {
        assert_eq!(ask(&format!("set {setting}\n")), said, "{setting}");
    }
    assert_eq!(ask("set player nobody gnubg"), "Unknown player `nobody' (see `help set player').");
    assert_eq!(ask("set player 0 name"), "You must specify a name to use.");
    assert_eq!(ask("set player 0 name A Person"), "Player 0 is now known as `A Person'.");
    assert_eq!(ask("set rollout cubeful"), "You must specify whether to set `rollout cubeful' on or off.");
    assert_eq!(ask("set rollout cubeful No\n"), "Cubeless rollouts will be performed.");
    assert_eq!(
        ask("set rollout quasirandom on\nset cache 100\nset confirm new off\nset lang en\nset sound enable no"),
        ""
    );
}

/// The recorded commands of GNU Backgammon's users: what it prints, apart from the values.
#[test]
fn hints_have_the_form_of_gnubg() {
    let session = |xgid: &str, rest: &str| {
        let commands = format!(
            "set lang en\nset threads 1\nset automatic game off\nset automatic roll off\nset xgid {xgid}\nset evaluation \
             chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\nset output matchpc off\nset \
             output mwc off\n{rest}\n"
        );
        let file = scratch_file("hint.cmd");
        fs::write(&file, commands).unwrap();
        let output = tavli().args(["gnubg", "-t", "-q", "--threads", "1", "-c"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        text(&output).to_owned()
    };
    let printed = session("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "hint\nhint 2");
    for part in [
        "The number of threads has been set to 1.\nWill not automatically start games.\n",
        "The dice have been set to 3 and 1.\n GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : \
         cIkFAAAAAAAE\n +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg\n | X           O    |   | O              X \
         |     0 points\n",
        "v|                  |BAR|                  |     (Cube: 1)\n",
        "`eval' and `hint' cube decisions will use 0 ply evaluation.\n",
        "    1. Cubeful 0-ply    8/5 6/5                      Eq.: +0.2",
        "   10. Cubeful 0-ply    ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert_eq!(printed.matches(" 1. Cubeful").count(), 2);
    assert_eq!(printed.matches(" 3. Cubeful").count(), 1);
    let printed = session("XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10", "hint\neval");
    for part in [
        "7 points match (Cube: 1)",
        "On roll\n",
        "\nCube analysis\n0-ply cubeless equity +0.7",
        "Cubeful equities:\n1. Double, take        +0.9",
        "\n2. Double, pass        +1.000  (+0.0",
        "\nProper cube action: Double, take\n",
        "\nstatic: 0.6",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    // With a cube at 2; in the Crawford game, and if the cube is dead, nobody may double.
    let printed = session("XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:4:0:7:10", "hint");
    let part = "The dice have been set to 5 and 2.\nThe cube has been set to 2.\n GNU Backgammon  Position ID: ";
    assert!(printed.contains(part), "{printed}");
    for xgid in [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10",
        "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:5:2:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:2:4:0:7:10",
    ] {
        let printed = session(xgid, "hint");
        assert!(printed.ends_with("\nYou cannot double.\n"), "{xgid}: {printed}");
        assert!(!printed.contains("Cube analysis"), "{xgid}: {printed}");
    }
    // As GNU Backgammon 1.07.001 draws it: the player at the top is on roll, and X stays at the bottom.
    let opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let printed = session(opening, "set gnubgid bD3BAQyYd2cEAA:AgHgAEAAEAAE\nshow board");
    for part in [
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: gnubg (Cube: 4)\n",
        " | X     O     O  O |   | O     O  X       |     4 points\n",
        " | X     O     O  O |   | O     O  X       |     On roll\n | X           O  O |   | O                |\n",
        "\n^|                  |BAR|                  |     7 points match\n",
        "+13-14-15-16-17-18------19-20-21-22-23-24-+     X: ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let printed = session("XGID=nonsense", "hint\nbogus\nset evaluation chequerplay evaluation plies 99");
    for part in ["Error: ", "You must start a game", "Unknown keyword `bogus'", "Error: plies are 0 to 3"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

/// Positions that are set up in parts, and what is shown of them.
#[test]
fn gnubg_positions_are_set_in_parts() {
    let ask = |lines: &str| {
        let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"], lines.as_bytes());
        let kept = |line: &&str| !line.starts_with([' ', 'v', '^']) && !line.is_empty();
        text(&output).lines().skip(1).filter(kept).map(str::to_owned).collect::<Vec<String>>()
    };
    let match_id = "set gnubgid 4HPwATDgc/ABMA:QYnqAEAAEAAE\n";
    assert_eq!(
        ask(&format!(
            "{match_id}show dice\nshow turn\nshow score\nshow cube\nset turn gnubg\nshow dice\nshow turn\nshow score\n\
                      show cube\nset turn nobody\nset turn 1\nshow cube\n"
        )),
        [
            "The dice have been set to 5 and 2.",
            "The cube has been set to 2.",
            "root has rolled 5 and 2.",
            "root in on move.",
            "The score (after 0 games) is: gnubg 4, root 2 (match to 7 points)",
            "The cube is at 2, and is owned by gnubg.",
            "`gnubg' is now on roll.",
            "gnubg has not yet rolled the dice.",
            "gnubg in on roll.",
            "The score (after 0 games) is: gnubg 4, root 2 (match to 7 points)",
            "The cube is at 2, and is owned by gnubg.",
            "Unknown player `nobody' (see `help set turn').",
            "`root' is now on roll.",
            "The cube is at 2, and is owned by gnubg.",
        ]
    );
    assert_eq!(
        ask("set threads x\nshow version\nhelp hint\n"),
        [
            "Error: set threads: threads are a whole number 1 to 4096, and not `x'",
            concat!("tavli ", env!("CARGO_PKG_VERSION")),
            "No help available for topic `hint' (try `help' for the list of commands)",
        ]
    );
    assert!(ask("help\n").contains(&"quit".to_owned()));
    // The player at the top has the play that the one at the bottom would have with his checkers.
    let plays = |before: &str| {
        let lines = ask(&format!("{before}set dice 31\nhint 1\n"));
        lines[lines.len() - 1].clone()
    };
    let hints = |lines: &str| {
        let output = run_with_input(&["gnubg", "--player", "fast", "--threads", "1"], lines.as_bytes());
        let printed = text(&output).lines().rev().take(3).map(str::to_owned).collect::<Vec<String>>();
        printed.join("\n")
    };
    assert!(plays("new game\n").contains("3 and 1"));
    let ranked = ask("new game\nset dice 31\nhint\n");
    assert_eq!(ask("new game\nset dice 31\nhint 0\n"), ranked);
    assert_eq!(ask("new game\nset board start\nshow board\n"), ask("new game\nset board 4HPwATDgc/ABMA\nshow board\n"));
    let owned = "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:1:1:1:00:2:4:0:7:10\n";
    let turned = "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:1:1:-1:42:2:4:0:7:10\n";
    assert_eq!(hints(&format!("{owned}set turn gnubg\nset dice 42\nhint 1\n")), hints(&format!("{turned}hint 1\n")));
    // A board alone leaves the match as it is; numbers begin with the bar of the player on roll.
    let simple = "set board simple 0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0\n";
    assert_eq!(
        ask(&format!(
            "new match 7\nset board 4HPwATDgc/ABMA\nshow score\n{simple}show score\nset matchid QYnqAEAAEAAE\nshow cube\n\
                      new session\nshow score\nset board simple 1\nexport match html x\nnew match 0\n\
                      new match 99999999\nset matchlength 32767\nset matchlength 32768\nset matchlength 0\n\
                      set matchlength 65536\nshow matchlength\nset jacoby off\nnew game\nshow score\n"
        )),
        [
            "A new 7 points match has been started.",
            "The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)",
            "The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)",
            "The dice have been set to 5 and 2.",
            "The cube has been set to 2.",
            "The cube is at 2, and is owned by gnubg.",
            "The score (after 0 games) is: gnubg 0, root 0 (money session, with Jacoby rule)",
            "Error: set board: write a Position ID, or simple and 26 numbers",
            "Error: written are `export match mat', `export match text', `export game text', `export position text' and `save match', and \
             not `export match html x'",
            "Error: a match is 1 to 32767 points long, and not `0'",
            "Error: a match is 1 to 32767 points long, and not `99999999'",
            "New matches default to 32,767 points.",
            "You must specify a valid match length (1 to 32767 points).",
            "You must specify a valid match length (1 to 32767 points).",
            "You must specify a valid match length (1 to 32767 points).",
            "New matches default to 32,767 points.",
            "Will not use the Jacoby rule for money sessions.",
            "The score (after 0 games) is: gnubg 0, root 0 (money session, without Jacoby rule)",
        ]
    );
}

/// A command without its argument, and one with another than it takes.
#[test]
fn gnubg_names_what_is_missing() {
    let commands = [
        ("export match mat", "You must specify a file: write its name after `export match mat'"),
        ("export position text", "You must specify a file: write its name after `export position text'"),
        ("save match", "You must specify a file: write its name after `save match'"),
        ("hint x", "Error: hint N shows N plays, a whole number, and not `x'"),
        ("hint -1", "Error: hint N shows N plays, a whole number, and not `-1'"),
        ("hint 3.5", "Error: hint N shows N plays, a whole number, and not `3.5'"),
    ];
    for (command, answer) in commands {
        let output = run_with_input(
            &["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"],
            format!("set xgid {OPENING_31}\n{command}\n").as_bytes(),
        );
        let printed = text(&output);
        assert!(printed.contains(answer), "{command}: {printed}");
        assert!(!printed.contains("1. Cubeful"), "{command}: {printed}");
    }
}

/// The names, the cube, the score and the rules: what GNU Backgammon prints; if it is installed, it is asked, too.
#[test]
fn gnubg_names_cube_and_score_are_set() {
    let session = "set player 0 name p_x\nset player 1 name p_o\nset player both human\nset player nobody human\nset player nobody \
                   name x\nset display off\nset xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10\nset turn p_x\nshow turn\nshow \
                   score\nshow cube\nset cube value 4\nset cube owner p_o\nshow cube\nset cube owner 0\nshow cube\nset cube owner \
                   nobody\nset cube value 3\nset cube centre\nset cube center\nset cube use on\nset cube\nset score 4 5\nset score 7 \
                   0\nset score -3 0\nset score x y\nset crawford on\nset score 6 6\nset score 6 2\nshow crawford\nset crawford \
                   on\nshow score\nshow crawford\nset cube value 2\nset cube centre\nset \
                   crawford off\nshow crawford\nset matchlength 9\nshow matchlength\nshow \
                   pipcount\nshow jacoby\nset jacoby off\nshow jacoby\nset jacoby on\nset beavers 0\nshow beavers\nset beavers \
                   1\nset beavers 2\nset beavers x\nset dice 2\nset dice 7 1\nset dice 2 1\nshow dice\nshow turn\nset output digits \
                   4\nset output digits 99\nset evaluation chequerplay evaluation cubeful off\nset analysis cubedecision evaluation \
                   plies 0\nset analysis chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\n";
    // Not every line of GNU Backgammon ends.
    let flat = |printed: &str| {
        let lines = printed.lines().skip_while(|line| !line.starts_with("Player 0 is now"));
        lines.filter(|line| !line.starts_with([' ', 'v', '^'])).collect::<String>()
    };
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"], session.as_bytes());
    let printed = flat(text(&output));
    assert!(printed.starts_with("Player 0 is now known as `p_x'.Player 1 is now known as `p_o'."), "{printed}");
    assert!(
        printed.contains("The score (after 0 games) is: p_x 6, p_o 2 (match to 7 points, Crawford game)"),
        "{printed}"
    );
    let hint = run_with_input(
        &["gnubg", "--player", "fast", "--threads", "1"],
        b"new game\nset dice 31\nset output digits 4\nset evaluation chequerplay evaluation cubeful off\nhint 1\neval\n",
    );
    let hint = text(&hint);
    assert!(hint.contains("    1. Cubeless 0-ply    8/5 6/5"), "{hint}");
    let row = Regex::new(r"(?m)^static: 0\.\d{4}  0\.\d{4}  0\.\d{4}  0\.\d{4}  0\.\d{4}  \+0\.\d{4}   \+0\.\d{4}   $");
    assert!(row.expect("an expression").is_match(hint), "{hint}");
    let file = scratch_file("session.gnubg");
    fs::write(&file, session).unwrap();
    // A file of commands may load one, and not itself without end.
    let nested = scratch_file("nested.gnubg");
    fs::write(&nested, format!("load commands {}\nshow version\n", nested.display())).unwrap();
    let load =
        format!("load commands {}\nload commands nowhere\nload commands {}\nquit\n", file.display(), nested.display());
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"], load.as_bytes());
    let loaded = text(&output);
    assert!(flat(loaded).starts_with(&printed), "{loaded}");
    assert!(loaded.contains("Error: cannot read nowhere: "), "{loaded}");
    assert_eq!(loaded.matches("files load each other already").count(), 1, "{loaded}");
    assert_eq!(loaded.matches("\ntavli ").count(), 8, "{loaded}");
    if !Path::new("/usr/games/gnubg").exists() {
        return eprintln!("SKIPPED: GNU Backgammon is not installed");
    }
    let theirs = Command::new("/usr/games/gnubg").args(["-t", "-q", "-c"]).arg(&file).output().unwrap();
    assert_eq!(printed, flat(text(&theirs)));
}

/// GNU Backgammon, if installed, reads the matches that are written: games that end by a pass of either player, and a
/// record that ends after a take.
#[test]
fn gnubg_reads_the_matches_that_are_written() {
    let names = ["/usr/games/gnubg", "/usr/bin/gnubg"];
    let Some(gnubg) = names.into_iter().find(|name| Path::new(name).exists()) else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    let [first, written, again, commands] = ["first.mat", "written.mat", "again.mat", "again.gnubg"].map(scratch_file);
    fs::write(
        &first,
        " 5 point match\n\n Game 1\n A : 0                          B : 0\n  1)                             31: 8/5 6/5\n  2) 52: \
         13/8 24/22                Doubles => 2\n  3)  Drops\n                                  Wins 1 point\n\n Game 2\n A : 0          \
         \x20               B : 1\n  1) 31: 8/5 6/5                 52: 13/8 24/22\n  2)  Doubles => 2                Drops\n      Wins \
         1 point\n\n Game 3\n A : 1                          B : 1\n  1)                             31: 8/5 6/5\n  2) 52: 13/8 24/22\
         \x20               Doubles => 2\n  3)  Takes\n",
    )
    .unwrap();
    let session = format!("import mat {}\nexport match mat {}\n", first.display(), written.display());
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], session.as_bytes());
    assert!(!text(&output).contains("Error"), "{output:?}");
    let session =
        format!("set confirm new off\nimport mat {}\nexport match mat {}\nquit\n", written.display(), again.display());
    fs::write(&commands, session).unwrap();
    let output = Command::new(gnubg).args(["-t", "-q", "-c"]).arg(&commands).output().unwrap();
    let actions = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let expected = actions(&written);
    assert!(actions(&again).ends_with(&expected[expected.find("Game 1").expect("a game")..]), "{}", actions(&again));
}

/// A cube beyond 1024, the limit of GNU Backgammon's positions, up to what a Match ID holds.
#[test]
fn every_cube_that_is_offered_is_taken() {
    let valued = json(&format!("evaluate {OPENING} --cube 32768:own --evaluator fast --json"));
    assert_eq!(valued["cube"]["action"], "Not available", "{valued}");
    let rolled = run(&format!("rollout {OPENING} --cube 4096 --policy fast --trials 1 --layout gnubg"));
    assert!(text(&rolled).contains("cube 4096 in the middle"), "{rolled:?}");
    let commands = b"new game\nset cube value 4096\nset cube value 32768\n";
    let output = run_with_input(&["gnubg", "-t", "-q"], commands);
    for value in ["4096", "32768"] {
        let said = format!("The cube has been set to {value}.");
        assert!(text(&output).contains(&said), "{output:?}");
    }
}

/// Rollouts in GNU Backgammon's rows: of the position, of hinted plays, and of the cube.
#[test]
fn gnubg_rolls_out() {
    let common = "set rollout trials 36\nset rollout seed 3\n";
    let ask = |lines: &str| {
        let commands = format!("{common}{lines}");
        let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], commands.as_bytes());
        assert!(output.status.success(), "{output:?}");
        text(&output).to_owned()
    };
    let printed =
        ask("rollout\nset rollout trials 0\nset rollout seed -1\nset rollout truncation plies x\nrollout =cube\n");
    for part in [
        "36 games will be played per rollout.\nRollout seed set to 3.\n",
        "No position specified and no game in progress.",
        "Error: trials are 1 to 2147483647, and not `0'",
        "Error: a seed is 0 to",
        "Error: plies are 0 to",
        "The rollout command takes no arguments",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let row = Regex::new(r"(?m)^  (\d\.\d{3} ){3}- (\d\.\d{3} ){3}CL [+-]\d\.\d{3} CF ([+-]\d\.\d{3})$").unwrap();
    let error = Regex::new(r"(?m)^ \[(\d\.\d{3} ){3}- (\d\.\d{3} ){3}CL  \d\.\d{3} CF  (\d\.\d{3})\]$").unwrap();
    let printed = ask("set rollout varredn off\nset rollout trials 1\nnew game\nrollout\n");
    assert!(printed.contains("\n [    -     -     - -     -     -     - CL      -"), "{printed}");
    let printed = ask("new game\nrollout\n");
    assert!(printed.contains("\nCurrent Position:\n"), "{printed}");
    assert!(row.is_match(&printed) && error.is_match(&printed), "{printed}");
    // The same as `tavli rollout` finds, which names its results in full.
    let settings = "--policy fast --trials 36 --seed 3 --variance-reduction --evaluator fast --json";
    // GNU Backgammon begins with the Jacoby rule and beavers.
    let opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
    let expected = json(&format!("rollout {opening} {settings}"));
    let cubeful = format!("CF {:+.3}\n", expected["candidates"][0]["cubeful"].as_f64().unwrap());
    assert!(printed.contains(&cubeful), "{printed}: {cubeful}");
    let hints = ask(
        "set xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\nset evaluation chequerplay type rollout\nhint 1\n",
    );
    assert!(hints.contains("    1. Rollout          8/5 6/5                      Eq.: +"), "{hints}");
    assert!(
        hints.contains("        Full cubeful rollout with var.redn.\n        36 games, dice of seed 3\n"),
        "{hints}"
    );
    let cube = ask(
        "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10\nset evaluation cubedecision type rollout\nhint\n",
    );
    for part in ["Rollout cubeless equity ", "Cubeful equities:\n1. ", "Proper cube action: ", "Rollout details:"] {
        assert!(cube.contains(part), "{part}: {cube}");
    }
    // The mean after a take is beyond the value of a pass, but by less than chance explains.
    let close = ask("set xgid XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10\nset rollout seed 1\nrollout\n");
    let found = |row: &Regex, column: usize| row.captures(&close).map(|row| row[column].to_owned());
    assert_eq!(found(&row, 3).as_deref(), Some("+1.000"), "{close}");
    assert_ne!(found(&error, 3).as_deref(), Some("0.000"), "{close}");
    let cubeless = ask("set rollout cubeful off\nset rollout truncation plies 5\nnew game\nrollout\n");
    assert!(!row.is_match(&cubeless) && cubeless.contains(" CL "), "{cubeless}");
}

/// The recorded match, imported, analysed and written again by GNU Backgammon's commands.
#[test]
fn gnubg_commands_read_analyse_and_write_matches() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernel/transcript/tests/data/two_games.mat");
    let (mat, sgf) = (scratch_file("written.mat"), scratch_file("written.sgf"));
    let commands = format!(
        "analyse match\nexport match mat x\nimport mat {}\nanalyse match\nshow statistics match\nshow statistics game\nexport \
         match mat \"{}\"\nsave match {}\nimport mat nowhere.mat\nexport match mat /nowhere/x\n",
        file.display(),
        mat.display(),
        sgf.display()
    );
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast", "--threads", "2"], commands.as_bytes());
    assert!(output.status.success(), "{output:?}");
    let printed = text(&output);
    let played = Match::read(&fs::read_to_string(&file).unwrap(), NO_STOP).unwrap();
    assert_eq!(fs::read_to_string(&mat).unwrap(), played.mat());
    assert_eq!(fs::read_to_string(&sgf).unwrap(), played.sgf());
    for part in [
        "No match to analyse: import one.\nNo match to write: import one.\n",
        "7 points match\n",
        "Player                                   gnubg                   root                    \n\nChequerplay statistics\n\nTotal \
         moves                               45                      44                    \nUnforced moves                            \
         40                      32                    \n",
        "\nDoubles                                   2                       0                     \nTakes                            \
         \u{20}        0                       2                     \n",
        "\nTotal moves                               24                      23                    \n",
        "Error: cannot read nowhere.mat",
        "Error: cannot",
    ] {
        let (part, printed) = (part.replace(" \n", "\n"), printed.replace(" \n", "\n"));
        let flat = |text: &str| text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        assert!(flat(&printed).contains(&flat(&part)), "{part}: {printed}");
    }
    // Columns are where programs look for them, and sums equal those of `tavli analyze`.
    let row = |name: &str| printed.lines().find(|line| line.starts_with(name)).unwrap();
    assert_eq!(row("Total moves").find("45"), Some(42));
    assert_eq!(row("Total moves").find("44"), Some(66));
    let analysis = ["analyze", "--player", "fast", "--json", &file.display().to_string()].map(str::to_owned);
    let analysis = analysis.each_ref().map(String::as_str);
    let analysis = parse(&run_with_input(&analysis, b""));
    let overall = printed.split("Overall statistics").nth(1).unwrap();
    let total = overall.lines().find(|line| line.starts_with("Error total EMG (MWC)")).unwrap();
    let first: Vec<&str> = total[41..].split_whitespace().collect();
    let losses = [0, 1].map(|player| format!("{:+.3}", -analysis["players"][player]["loss"].as_f64().unwrap()));
    assert_eq!(first[0], losses[0], "{total}");
    let second: Vec<&str> = total[65..].split_whitespace().collect();
    assert_eq!(second[0], losses[1], "{total}");
    // GNU Backgammon, if installed, loads the files that were written.
    let Some(gnubg) = ["/usr/games/gnubg", "/usr/bin/gnubg"].into_iter().find(|name| Path::new(name).exists()) else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    for (load, name) in
        [(format!("load match {}", sgf.display()), "sgf"), (format!("import mat {}", mat.display()), "mat")]
    {
        let (script, again) = (scratch_file(&format!("{name}.gnubg")), scratch_file(&format!("{name}.mat")));
        fs::write(&script, format!("set confirm save off\n{load}\nexport match mat {}\n", again.display())).unwrap();
        let output = Command::new(gnubg).args(["-t", "-q", "-c"]).arg(&script).output().unwrap();
        let again = fs::read_to_string(&again).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let again = Match::read(&again, NO_STOP).unwrap();
        assert_eq!(again.games.len(), played.games.len());
        for (one, other) in again.games.iter().zip(&played.games) {
            assert_eq!((one.score, one.winner), (other.score, other.winner), "{name}");
            let steps = |game: &MatchGame| game.steps.iter().map(|step| (step.player, step.action)).collect::<Vec<_>>();
            assert_eq!(steps(one), steps(other), "{name}");
        }
    }
}
