//! Texts from outside: positions as people paste them, byte order marks, and characters that a terminal would obey.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{OPENING, OPENING_31, errors, parse, run_with_input, scratch_file, tavli, text};

/// A byte order mark.
const MARK: &str = "\u{feff}";

fn run(arguments: &[&str]) -> Output {
    tavli().args(arguments).output().expect("it runs")
}

/// Puts a byte order mark before a file.
fn mark(file: &Path) {
    let mut bytes = MARK.as_bytes().to_vec();
    bytes.extend(fs::read(file).expect("it is there"));
    fs::write(file, bytes).expect("a place to write");
}

fn at(file: &Path) -> &str {
    file.to_str().expect("text")
}

#[test]
fn a_whole_pasted_text_is_an_argument() {
    let drawing = run(&["position", OPENING_31]);
    let pasted = format!("{OPENING_31}\n\nX:You   O:Me\n{}", text(&drawing));
    // The drawing of the command has the IDs, too.
    assert_eq!(text(&run(&["position", &pasted])), text(&drawing));
    let plays = run(&["plays", OPENING_31]);
    for argument in [
        OPENING_31.to_lowercase().replace("xgid=-b----e-c---ee", "xgid=-b----E-C---eE").replace("-b-:", "-B-:"),
        OPENING_31["XGID=".len()..].replace(':', "%3A"),
        "Match ID: cIkFAAAAAAAE Position ID: 4HPwATDgc/ABMA".to_owned(),
    ] {
        let output = run(&["plays", &argument]);
        assert_eq!(text(&output), text(&plays), "{argument}: {output:?}");
    }
    // In other input the unit is a line. Lines without an ID are bad, except in a text that XG copied.
    let others = pasted.replace("X:You   O:Me", "you and me");
    let output = run_with_input(&["position", "--json"], others.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).lines().next().expect("an answer").contains(OPENING_31));
    assert!(errors(&output).contains("error: line 3: 'you and me' is not a position"));
}

#[test]
fn a_false_mark_of_the_crawford_game_is_remarked() {
    let remark = "at 4-2 in a match of 7 there is no Crawford game";
    for (argument, match_id) in [
        ("XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10", "UgngACAAIAAE"),
        ("bD3BAQyYd2cEAA:ggHgAEAAEAAE", "AgHgAEAAEAAE"),
    ] {
        let output = run(&["position", argument, "--json"]);
        assert_eq!(parse(&output)["match_id"], match_id);
        let said = format!("remark: '{argument}': {remark}");
        assert!(errors(&output).starts_with(&said), "{output:?}");
        let lines = run_with_input(&["position", "--json"], argument.as_bytes());
        assert!(errors(&lines).starts_with(&said), "{lines:?}");
    }
}

#[test]
fn byte_order_marks_are_passed_over() {
    let lines = format!("{MARK}{OPENING}\t31\n7e4OAABtdw8AAA\t66\n");
    let positions = scratch_file("marked.tsv");
    fs::write(&positions, &lines).expect("a place to write");
    let unmarked = &lines[MARK.len()..];
    for arguments in [&["plays"][..], &["evaluate", "--evaluator", "fast"]] {
        let marked = run_with_input(arguments, lines.as_bytes());
        assert!(marked.status.success(), "{marked:?}");
        let output = run_with_input(arguments, unmarked.as_bytes());
        assert_eq!(text(&marked), text(&output));
    }
    let ids = format!("{MARK}{OPENING}\n");
    let output = run_with_input(&["playout", "--positions", "-", "--json"], ids.as_bytes());
    assert_eq!(parse(&output)["position_id"], OPENING);

    for (position, game) in [
        ("B:W21,K30:B1,K7", "draughts"),
        ("1. 11-15 23-19", "draughts"),
        ("start", "draughts"),
        ("XO-/-X-/--- O", "tictactoe"),
        ("o----------------------O", "plakoto"),
    ] {
        let marked = run(&["position", &format!("{MARK}{position}\r\n"), "--game", game]);
        assert!(marked.status.success(), "{marked:?}");
        assert_eq!(text(&marked), text(&run(&["position", position, "--game", game])));
    }

    // A table of rollouts, and its positions.
    let table = scratch_file("marked.csv");
    let _ = fs::remove_file(&table);
    let rollout = ["rollout", "--cubeless", "--trials", "36", "--positions", at(&positions)];
    let resume = [&rollout[..], &["--resume", at(&table)]].concat();
    assert!(run(&resume).status.success());
    mark(&table);
    let before = fs::read(&table).expect("a table");
    let output = run(&resume);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read(&table).expect("a table"), before);

    // Records.
    let (record, merged) = (scratch_file("marked.json"), scratch_file("merged.json"));
    for begun in [format!("{OPENING} --policy uniform"), "start 31 --game plakoto".to_owned()] {
        let _ = fs::remove_file(&record);
        let begun = format!("rollout {begun} --trials 36 --save");
        let begun: Vec<&str> = begun.split(' ').chain([at(&record)]).collect();
        assert!(run(&begun).status.success());
        mark(&record);
        let output = run(&["rollout", "--resume", at(&record), "--trials", "72"]);
        assert!(output.status.success(), "{output:?}");
        mark(&record);
        let output = run(&["merge", at(&record), "--output", at(&merged), "--force"]);
        assert!(output.status.success(), "{output:?}");
    }
    for file in [record, merged] {
        fs::remove_file(file).expect("it is there");
    }
    for file in [positions, table] {
        fs::remove_file(file).expect("it is there");
    }
}

#[test]
fn lines_end_by_line_feeds_and_carriage_returns() {
    let answers = |end: &str| {
        let lines = format!("{OPENING}\t31{end}sGfwATDgc/ABMA\t52{end}{OPENING}\t66{end}");
        text(&run_with_input(&["plays"], lines.as_bytes())).to_owned()
    };
    assert_eq!(answers("\n").lines().count(), 3);
    for end in ["\r\n", "\r"] {
        assert_eq!(answers(end), answers("\n"), "{end:?}");
    }
}

#[test]
fn what_a_terminal_would_obey_is_escaped() {
    let output = run_with_input(&["plays"], b"\x1b[31mfoo\x07\n4HPwATDgc/ABMA\t\x1b[31m\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).starts_with(r"error: line 1: '\u{1b}[31mfoo\u{7}' is not a position"), "{output:?}");
    // Names of players and of files, on standard output.
    let game = scratch_file("\u{1b}[31m\u{9b}.mat");
    let game = game.to_str().expect("UTF-8");
    let played = " 3 point match\n\n Game 1\n \u{1b}[31mA\u{9b} : 0    B\u{7} : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n";
    fs::write(game, played).expect("it is written");
    let statistics = format!("import mat {game}\nanalyse match\nshow statistics match\nshow board\n");
    let analysed = run(&["analyze", game, "--look-ahead", "0"]);
    assert!(text(&analysed).contains(r"\u{1b}[31m\u{9b}.mat: "), "{analysed:?}");
    let commanded = run_with_input(&["gnubg"], statistics.as_bytes());
    assert!(text(&commanded).contains(r"\u{1b}[31mA\u{9b}"), "{commanded:?}");
    fs::remove_file(game).expect("it is there");
    for output in [
        &output,
        &analysed,
        &commanded,
        &run_with_input(&["plays"], "\u{1b}[31m4HPwATDgc/ABMA\u{9b}\u{202e}\t31\n".as_bytes()),
        &run(&["plays", "\u{1b}[31m"]),
        &run(&["rollout", OPENING, "--policy", "\u{1b}[31m"]),
        &run(&["rollout", OPENING, "--pin", "\u{1b}[31m"]),
        &run(&["\u{1b}[31m"]),
        &run(&["train", "no\u{1b}[31m.toml"]),
        &run(&["bench", "report", "no\u{1b}[31m.json"]),
        &run(&["merge", "no\u{1b}[31m.json", "-o", "no\u{9b}"]),
        &tavli().env("TAVLI_ISA", "\u{1b}[31m\u{202e}").arg("signature").output().expect("it runs"),
        &tavli()
            .env("SLURM_ARRAY_TASK_ID", "\u{1b}[31m")
            .args(["rollout", OPENING, "--shard", "slurm/2", "--save", "x"])
            .output()
            .expect("it runs"),
    ] {
        let all = format!("{}{}", text(output), errors(output));
        let bad = |c: char| c != '\n' && c != '\t' && (c.is_control() || c == '\u{202e}');
        assert!(!all.contains(bad), "{all:?}");
    }
}

#[test]
fn long_lines_have_short_errors() {
    let mut input = vec![b'x'; 50_000_000];
    input.extend(format!("\n{OPENING}\t31\n").into_bytes());
    for arguments in [&["plays"][..], &["evaluate", "--evaluator", "fast"]] {
        let output = run_with_input(arguments, &input);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(errors(&output), "error: line 1: it has more than 65536 bytes\n");
        assert!(text(&output).contains("31"), "the next line is answered");
    }
    let output = run(&["plays", &"x".repeat(100_000)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).len() < 10_000, "{}", errors(&output).len());
}

#[cfg(unix)]
#[test]
fn names_that_could_not_be_given_later_are_refused_before_anything_is_made() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use crate::train::RECIPE;

    let folder = scratch_file("names");
    fs::create_dir_all(&folder).expect("a place to write");
    let recipe = folder.join("recipe.toml");
    fs::write(&recipe, format!("{MARK}{RECIPE}")).expect("a place to write");
    for name in [&b"\xff.player"[..], b"\x1b[31m.player"] {
        let net = folder.join(OsStr::from_bytes(name));
        for arguments in [
            &[OsStr::new("train"), recipe.as_os_str(), OsStr::new("-o")][..],
            &[OsStr::new("bearoff"), OsStr::new("--two-sided"), OsStr::new("2x2"), OsStr::new("--output")],
        ] {
            let output = tavli().args(arguments).arg(&net).output().expect("it runs");
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(errors(&output).contains("not printable UTF-8 text"), "{output:?}");
            assert!(!net.exists());
        }
    }
    fs::remove_dir_all(folder).expect("it is there");
}

/// A text that eXtreme Gammon copied, cut off anywhere, ends at the next line that is a position, in any form.
#[test]
fn a_copied_text_without_its_last_lines_ends_at_the_next_position() {
    let copied = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\nX:Ann   O:Ben\nScore is X:0 O:0 Unlimited game\n \
                  +13-14-15-16-17-18------19-20-21-22-23-24-+\n | X           O    |   | O              X |\nPip count  X: 167  O: \
                  167 X-O: 0-0\nCube: 1\nX to play 31\n\n    1. 4-ply       8/5 6/5                      eq:+0.159\n";
    let whole = copied.lines().count();
    for next in [
        "4HPwATDgc/ABMA\t52",
        "4HPwATDgc/ABMA:cAkAAAAAAAAE",
        "GNUID=4HPwATDgc/ABMA",
        "xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
        "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0",
    ] {
        for kept in 1..=whole {
            let lines: Vec<&str> = copied.lines().take(kept).chain([next, "4HPwATDgc/ABMA"]).collect();
            let output = run_with_input(&["evaluate", "--evaluator", "fast", "--json"], lines.join("\n").as_bytes());
            assert_eq!(text(&output).lines().count(), 3, "{next} after {kept} lines: {output:?}");
        }
    }
}

/// Texts that eXtreme Gammon copies, in two languages, one after the other: each is a position, by its line.
#[test]
fn copied_texts_may_follow_each_other_in_a_file() {
    let copied = |xgid: &str, players: &str, score: &str, version: &str| {
        format!(
            "{xgid}\r\n\r\n{players}\r\n{score}\r\n +13-14-15-16-17-18------19-20-21-22-23-24-+\r\n | X           O    |   | O              X \
             |\r\nPip count  X: 167  O: 167 X-O: 0-0\r\n\r\n    1. 4-ply       8/5 6/5                      eq:+0.159\r\n\r\n{version}\r\n\r\n"
        )
    };
    let opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let other = opening.replace("31", "52");
    let pasted = [
        copied(
            opening,
            "X:Ann   O:Ben",
            "Score is X:0 O:0 Unlimited game",
            "eXtreme Gammon Version: 2.10, MET: Kazaross XG2",
        ),
        copied(&other, "X:プレーヤー 1   O:プレーヤー 2", "スコア X:0 O:0", "eXtreme Gammon Version: 2.19"),
        "4HPwATDgc/ABMA\nno position\n".to_owned(),
    ]
    .concat();
    let file = scratch_file("copied.txt");
    fs::write(&file, &pasted).unwrap();
    let file = file.to_str().unwrap();
    let lines_of = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(!output.status.success(), "{output:?}");
        let complaint = errors(&output);
        assert!(complaint.contains("error: line 26: 'no position' is not a position"), "{complaint}");
        assert_eq!(complaint.matches("error: ").count(), 1, "{complaint}");
        text(&output)
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["line"].as_u64().unwrap())
            .collect::<Vec<u64>>()
    };
    assert_eq!(lines_of(&["evaluate", "--evaluator", "fast", "--json", "--positions", file]), [1, 13, 25]);
    assert_eq!(lines_of(&["playout", "--games", "36", "--json", "--positions", file]), [1, 13, 25]);
    let rolled = ["rollout", "--trials", "36", "--cubeless", "--json", "--positions", file];
    assert_eq!(lines_of(&rolled), [1, 13, 25]);
    let output = run_with_input(&["position"], pasted.as_bytes());
    assert_eq!(errors(&output).matches("error: ").count(), 1, "{output:?}");
}
