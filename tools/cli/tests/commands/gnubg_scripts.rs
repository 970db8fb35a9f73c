//! Scripts for GNU Backgammon: matches exported as text, and its Python module.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex::Regex;

use crate::support::{errors, run_with_input, scratch_file, tavli, text};

const GNUBG: &str = "/usr/games/gnubg";
const OPTIONS: [&str; 7] = ["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"];

fn two_games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernel/transcript/tests/data/two_games.mat")
}

/// The lines of an export that do not depend on values or on the program. GNU Backgammon turns the board with the
/// player. Its Match ID of the first decision says that no game is in progress.
fn skeleton(text: &str) -> Vec<&str> {
    let is_match_id = |line: &&str| line.trim_start().starts_with("Match ID");
    let first = text.lines().position(|line| is_match_id(&line));
    let is_same = |(at, line): &(usize, &str)| {
        let begins = ["Move number", "* ", " GNU", "Pip", "Cube analysis"];
        let is_one = begins.iter().any(|begin| line.starts_with(begin)) || is_match_id(line);
        is_one && !line.contains("Eq.:") && Some(*at) != first
    };
    let lines = text.lines().enumerate().filter(is_same);
    lines.map(|(_, line)| line.trim_end()).collect()
}

#[test]
fn matches_are_exported_as_text() {
    let file = scratch_file("exported.txt");
    let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let second = file.with_file_name(format!("{stem}_002.txt"));
    let (game, position) = (scratch_file("exported-game.txt"), scratch_file("exported-position.txt"));
    let commands = |path: &Path| {
        format!(
            "import mat {}\nset analysis chequerplay evaluation plies 0\nset analysis cubedecision evaluation plies 0\nanalyse \
             match\nset export moves number 3\nexport match text {}\n",
            two_games().display(),
            path.display()
        )
    };
    let more = format!("export game text {}\nexport position text {}\n", game.display(), position.display());
    let output = run_with_input(&OPTIONS, (commands(&file) + &more).as_bytes());
    assert!(output.status.success(), "{output:?}");
    let [first, second] = [&file, &second].map(|path| fs::read_to_string(path).expect("an export"));
    assert!(first.starts_with("The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)\n"), "{first}");
    let done = Regex::new(r"(?m)^\* \S").expect("an expression");
    for (text, number) in [(&first, 1), (&second, 2)] {
        assert!(text.contains(&format!("Game statistics for game {number}")), "{text}");
        assert_eq!(done.find_iter(text).count(), text.matches("Move number ").count());
    }
    assert!(!first.contains("Match statistics") && second.contains("Match statistics"));
    // Three plays of a roll, and the one that was made.
    let rows = Regex::new(r"(?m)^[* ] +\d+\. Cubeful 0-ply    \S").expect("an expression");
    let made = Regex::new(r"(?m)^\* +\d+\. Cubeful|^\*    Cannot move").expect("an expression");
    let rolled = Regex::new(r"(?m)^Rolled \d\d \([-+]\d\.\d{3}\):$").expect("an expression");
    let number = rolled.find_iter(&first).count();
    assert!(number > 20 && made.find_iter(&first).count() == number, "{first}");
    assert!(rows.find_iter(&first).count() <= 4 * number);
    assert!(fs::read_to_string(&game).expect("an export").contains("Game statistics for game 2"));
    assert!(fs::read_to_string(&position).expect("an export").contains("Position ID:"));
    // Without an analysis there are the moves alone.
    let commands_alone = commands(&file).replace("analyse match\n", "");
    run_with_input(&OPTIONS, commands_alone.as_bytes());
    let alone = fs::read_to_string(&file).expect("an export");
    assert!(alone.contains("\n* ") && !alone.contains("Rolled 31 (") && !alone.contains("statistics"));
    if !Path::new(GNUBG).exists() {
        return eprintln!("SKIPPED: GNU Backgammon is not installed");
    }
    let (theirs, script) = (scratch_file("theirs.txt"), scratch_file("theirs.gnubg"));
    fs::write(&script, commands(&theirs)).expect("a place to write");
    let output = Command::new(GNUBG).args(["-t", "-q", "-c"]).arg(&script).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let theirs = fs::read_to_string(&theirs).expect("an export");
    assert_eq!(skeleton(&first), skeleton(&theirs), "{first}");
}

/// The output of a script.
fn run(name: &str, script: &str, options: &[&str]) -> Output {
    let file = scratch_file(name);
    fs::write(&file, script).expect("a place to write");
    let mut command = tavli();
    command.args(OPTIONS).arg("-p").arg(&file).args(options);
    command.output().expect("it runs")
}

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: there is no python3");
    }
    found
}

/// What scripts get that does not depend on values.
const SCRIPT: &str = r#"
import gnubg
gnubg.command("set display off")
gnubg.command("set xgid XGID=-b----E-C---eE---c-e----B-:2:1:1:31:3:2:0:7:10")
print("@", gnubg.board())
print("@", sorted(gnubg.posinfo().items()))
info = gnubg.cubeinfo()
print("@", sorted(item for item in info.items() if item[0] != "gammonprice"))
print("@", gnubg.positionid(), gnubg.matchid(), gnubg.gnubgid())
print("@", gnubg.positionfromid("jM/gDQDYzeAJIA"))
print("@", gnubg.positionid(gnubg.positionfromid("jM/gDQDYzeAJIA")))
print("@", gnubg.positionkey(), gnubg.positionfromkey(list(gnubg.positionkey())) == gnubg.board())
print("@", gnubg.parsemove("8/5*(2) bar/24 3/off"))
for move in (8, 5, 6, 5), (13, 8, 13, 8, 8, 3, 8, 3), (13, 7, 7, 2, 0, 0, 0, 0):
    print("@", gnubg.movetupletostring(move, gnubg.positionfromid("4HPwATDgc/ABMA")))
print("@", gnubg.findbestmove())
print("@", gnubg.findbestmove(gnubg.board(), gnubg.cubeinfo(), gnubg.evalcontext(1, 0, 1, 1, 0.0), (3, 1)))
hint = gnubg.hint(2)
print("@", hint["hinttype"], hint["gnubgid"], len(hint["hint"]), hint["hint"][0]["move"])
print("@", sorted(hint["hint"][0]), sorted(hint["hint"][0]["details"]), len(hint["hint"][0]["details"]["probs"]))
print("@", [round(value, 4) for value in gnubg.met(3)[0][1]], [len(part) for part in gnubg.met()])
print("@", round(gnubg.eq2mwc(0.3), 4), round(gnubg.mwc2eq(0.6), 3))
print("@", len(gnubg.evaluate()), len(gnubg.cfevaluate()), "in on move" in gnubg.show("turn"))
print("@", [gnubg.luckrating(luck) for luck in (-1, -0.05, 0, 0.05, 1)])
print("@", [gnubg.errorrating(loss) for loss in (0, 0.003, 0.01, 0.05)])
for score in ("2:1:1:00:3:2:0:7", "0:0:1:00:3:2:0:7", "0:0:1:00:6:2:1:7", "0:0:1:00:2:6:0:7", "1:-1:1:00:0:0:1:0"):
    gnubg.command("set xgid XGID=-b----E-C---eE---c-e----B-:" + score + ":10")
    prices = gnubg.calcgammonprice(gnubg.cubeinfo())["gammonprice"]
    print("@", [[round(price, 4) + 0.0 for price in of] for of in prices], gnubg.cubeinfo()["gammonprice"] == prices)
for checkers in (
    "-b----E-C---eE---c-e----B-", "-BBBBB----------------bbb-", "-BBB--BBB-----------bbb---", "-A----------------------a-",
    "aBBBBBBB----------ccccaa--", "-BEEAA-----------------ee-", "----C--DD---------dbb-----",
):
    gnubg.command("set xgid XGID=" + checkers + ":0:0:1:00:0:0:0:0:10")
    print("@", gnubg.classifypos(), gnubg.classifypos(gnubg.board(), 2), gnubg.positionbearoff())
    print("@", gnubg.positionbearoff(gnubg.board()[1]), gnubg.positionid())
print("@", [gnubg.positionfrombearoff(number) for number in (0, 1, 6, 7, 1651, 54263)])
for seed in 42, 7:
    gnubg.command("set seed %d" % seed)
    print("@", gnubg.dicerolls(50))
print("@", sorted(gnubg.rolloutcontext(1, 0, 1)), gnubg.rolloutcontext(1, 0, 1)["variance-reduction"])
print("@", [(item["ply"], item["level"], item["acceptmoves"]) for item in gnubg.getevalhintfilter()][:2])
print("@", gnubg.getevalhintfilter()[0]["extramoves"], round(gnubg.getevalhintfilter()[0]["threshold"], 4))
gnubg.command("set xgid XGID=-BBBBB----------------bbb-:1:1:1:00:0:0:0:0:10")
print("@", gnubg.cfevaluate()[4:])
"#;

/// What they get of a match.
const OF_MATCH: &str = r#"
gnubg.command("import mat FILE")
gnubg.command("set analysis chequerplay evaluation plies 0")
gnubg.command("set analysis cubedecision evaluation plies 0")
gnubg.command("analyse match")
match = gnubg.match(1, 1, 1)
print("@", match["match-info"]["X"], match["match-info"]["O"], match["match-info"]["match-length"])
for game in match["games"]:
    print("@", sorted(game["info"].items(), key=str))
    print("@", [(action["action"], action["player"], action.get("dice"), action.get("board")) for action in game["game"]])
    print("@", [len(action.get("move", ())) for action in game["game"]])
    print("@", game["stats"]["X"]["moves"]["total-moves"], game["stats"]["O"]["moves"]["unforced-moves"])
print("@", sorted(set(match["games"][0]["game"][2]["analysis"]) - {"skill"}))
gnubg.navigate()
ids = []
for count in range(3):
    ids.append(gnubg.positionid())
    gnubg.navigate(next=1)
print("@", ids)
"#;

#[test]
fn scripts_have_the_module_of_gnubg() {
    if !has_python() {
        return;
    }
    let script = format!("{SCRIPT}{}", OF_MATCH.replace("FILE", &two_games().display().to_string()));
    let lines = |output: &Output| -> Vec<String> {
        let lines = text(output).lines().filter(|line| line.starts_with('@'));
        lines.map(str::to_owned).collect()
    };
    let output = run("whole.py", &script, &[]);
    assert!(output.status.success() && errors(&output).is_empty(), "{output:?}");
    let found = lines(&output);
    assert_eq!(
        found.len(),
        // Loops of 3 moves, 5 scores, 7 positions and 2 seeds.
        SCRIPT.matches("\nprint(").count() + 3 + 5 + 2 * 7 + 2 + OF_MATCH.matches("print(").count() + 4,
        "{found:#?}"
    );
    assert!(found[3].starts_with("@ 4HPwATDgc/ABMA "), "{found:#?}");
    assert!(found.contains(&"@ (8, 5, 6, 5)".to_owned()));
    if !Path::new(GNUBG).exists() {
        return eprintln!("SKIPPED: GNU Backgammon is not installed");
    }
    let file = scratch_file("same.py");
    fs::write(&file, &script).expect("a place to write");
    let theirs = Command::new(GNUBG).args(["-t", "-q", "-p"]).arg(&file).output().expect("it runs");
    assert_eq!(found, lines(&theirs), "{theirs:?}");
}

#[test]
fn scripts_end_as_those_of_gnubg() {
    if !has_python() {
        return;
    }
    for (script, status, said) in [
        ("import sys; sys.exit(3)", 3, ""),
        ("print('in it')\nraise ValueError('x')", 0, "ValueError: x\n"),
        ("x = = 1", 0, "SyntaxError"),
        ("import gnubg\nprint(gnubg.board())\ngnubg.command('quit')\nprint('never')", 0, ""),
        ("import gnubg\ngnubg.setevalhintfilter([])", 0, "this module gnubg has no setevalhintfilter; it has board, "),
        ("import gnubg\ngnubg.posinfo()", 0, "Exception: there is no game in progress"),
        ("import gnubg\ngnubg.parsemove('8-5')", 0, "'8-5' is no move"),
        ("import gnubg\ngnubg.dicerolls(0)", 0, "ValueError: number of rolls must be greater than 0"),
        ("import gnubg\ngnubg.positionfrombearoff(54264)", 0, "ValueError: invalid position number"),
        ("import gnubg\ngnubg.positionbearoff((9,) * 25)", 0, "ValueError: 15 checkers at most are on the 6 points"),
        ("import gnubg\ngnubg.command('new game')\ngnubg.classifypos(None, 9)", 0, "Variation unknown"),
    ] {
        let output = run("end.py", script, &[]);
        assert_eq!(output.status.code(), Some(status), "{script}: {output:?}");
        assert!(errors(&output).contains(said), "{script}: {output:?}");
        assert!(!text(&output).contains("never"));
    }
    // Commands of a file leave no script to be run.
    let commands = scratch_file("before.gnubg");
    fs::write(&commands, "show version\n").expect("a place to write");
    let output = run("not-run.py", "print('in it')", &["-c", &commands.display().to_string()]);
    assert!(output.status.success() && !text(&output).contains("in it"), "{output:?}");
    let output = run("refused.py", "import gnubg\nprint(gnubg.board())", &["--look-ahead", "9"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = tavli().args(["gnubg", "-p", "nowhere.py"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(errors(&output).contains("-p nowhere.py: "), "{output:?}");
    let script = scratch_file("none.py");
    fs::write(&script, "").expect("a place to write");
    let mut command = tavli();
    let output = command.env("PATH", "/nowhere").args(["gnubg", "-p"]).arg(&script).output().expect("it runs");
    assert!(errors(&output).contains("there is no Python interpreter, python3 or python, on the PATH"), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
}
