//! Files that commands write are checked before any game, locked, and replaced as a whole. Results are printed even if
//! they cannot be saved.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::support::{
    OPENING, errors, json, let_work, parse, run, run_with_input, scratch_file, signal, tavli, text, wait_until_caught,
};
use serde_json::Value;

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = scratch_file(name);
        fs::create_dir_all(&folder).expect("a place to write");
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("UTF-8");
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Commands that would take minutes, without the name of the file that they write.
const COMMANDS: [&str; 4] = [
    "rollout 4HPwATDgc/ABMA --trials 1000000000000 --save",
    "playout --games 1000000000000 --per-game",
    "bench soak --save",
    "profile --seconds 600 --folded",
];

#[test]
fn unwritable_files_are_refused_before_any_game() {
    let folder = Folder::new("refused");
    let there = folder.path("there");
    fs::write(&there, "mine").expect("a place to write");
    for command in COMMANDS {
        for (name, status, message) in [
            ("there", 2, "exists; "),
            ("", 2, "is not a regular file; name a file"),
            ("no/folder", 2, "No such file or directory (os error 2); make its folder"),
            ("there/x", 2, "Not a directory"),
        ] {
            let path = folder.at(name);
            let output = run(&format!("{command} {path}"));
            assert_eq!(output.status.code(), Some(status), "{command} {name}: {output:?}");
            for part in [message, &path] {
                assert!(errors(&output).contains(part), "{command} {name}: {}", errors(&output));
            }
            assert!(text(&output).is_empty(), "{command} {name}: {}", text(&output));
        }
    }
    assert_eq!(fs::read(&there).expect("it is there"), b"mine");
    assert_eq!(folder.names(), ["there"]);
}

#[test]
fn existing_files_are_replaced_by_force() {
    let folder = Folder::new("force");
    let [part, whole, record, page, games] =
        ["part", "whole", "record.json", "page", "games"].map(|name| folder.at(name));
    let commands = [
        format!("rollout --policy uniform {OPENING} --trials 1296 --shard 1/1 --save {part}"),
        format!("merge {part} -o {whole}"),
        format!("bench --repetitions 2 --seconds 0.01 --warm-up 0.01 --save {record}"),
        format!("bench report {record} --output {page}"),
        format!("playout --games 5 --per-game {games}"),
    ];
    for command in &commands {
        assert!(run(command).status.success(), "{command}");
        let before = fs::read(command.rsplit(' ').next().expect("a file")).expect("it is written");
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(errors(&output).contains("--force replaces it"), "{command}: {}", errors(&output));
        assert_eq!(fs::read(command.rsplit(' ').next().expect("a file")).expect("it is there"), before);
        assert!(run(&format!("{command} --force")).status.success(), "{command}");
    }
    // An output that is also an input, under any name.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&part, folder.path("link")).expect("a place to write");
        fs::hard_link(&part, folder.path("hard")).expect("a place to write");
        std::os::unix::fs::symlink(&record, folder.path("record")).expect("a place to write");
    }
    let positions = folder.at("positions");
    fs::write(&positions, OPENING).expect("a place to write");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&positions, folder.path("alias")).expect("a place to write");
    let inputs = [&part, &record, &positions];
    let before = inputs.map(|path| fs::read(path).expect("it is there"));
    for command in [
        format!("merge {part} -o {part}"),
        format!("merge {part} -o {}", folder.at("link")),
        format!("merge {part} -o {}", folder.at("hard")),
        format!("merge {} -o {part}", folder.at("link")),
        format!("bench report {record} --output {}", folder.at("record")),
        format!("rollout --policy uniform --positions {positions} --trials 36 --save {positions}"),
        format!("rollout --policy uniform --positions {positions} --trials 36 --save {}", folder.at("alias")),
        format!("profile {positions} --seconds 0.01 --folded {positions}"),
        format!("profile {} --seconds 0.01 --folded {positions}", folder.at("alias")),
    ] {
        let output = run(&format!("{command} --force"));
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(errors(&output).contains("name another file"), "{command}: {}", errors(&output));
    }
    assert_eq!(inputs.map(|path| fs::read(path).expect("it is there")), before);
}

/// Starts a rollout that does not end, and waits until it is saved.
fn start_rollout(path: &Path) -> Child {
    let mut child = tavli()
        .args(["rollout", OPENING, "--trials", "1000000000000", "--threads", "1", "--json", "--resume"])
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_until_caught(&mut child);
    while !path.exists() {
        assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
        std::thread::yield_now();
    }
    child
}

#[cfg(unix)]
#[test]
fn a_file_is_written_by_one_process_at_a_time() {
    let folder = Folder::new("in-use");
    let path = folder.path("a.json");
    let child = start_rollout(&path);
    std::os::unix::fs::symlink("a.json", folder.path("link")).expect("a place to write");
    let positions = scratch_file("in-use.tsv");
    fs::write(&positions, OPENING).expect("a place to write");
    for command in [
        format!("rollout --policy uniform {OPENING} --resume {}", folder.at("a.json")),
        format!("rollout --policy uniform {OPENING} --save {} --force", folder.at("link")),
        format!("rollout --policy uniform --positions {} --resume {}", positions.display(), folder.at("a.json")),
        format!("bench --save {} --force", folder.at("a.json")),
        format!("playout --games 5 --per-game {} --force", folder.at("a.json")),
    ] {
        let output = run(&command);
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(errors(&output).contains("is in use: another process is writing it"), "{command}: {}", errors(&output));
    }
    signal(&child, "INT");
    let first = parse(&child.wait_with_output().expect("it ends"));
    let saved: Value = serde_json::from_slice(&fs::read(&path).expect("it is saved")).expect("JSON");
    assert_eq!(saved["rollout"]["trials"][1], first["trials"]);
    // A killed process holds no lock.
    let mut child = start_rollout(&path);
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    assert!(run(&format!("rollout --resume {} --extend 1", folder.at("a.json"))).status.success());
    assert_eq!(folder.names(), ["a.json", "link"]);
    fs::remove_file(positions).expect("it was there");
}

#[cfg(unix)]
#[test]
fn a_file_of_another_program_is_not_replaced() {
    let folder = Folder::new("foreign");
    let path = folder.path("a.json");
    let child = start_rollout(&path);
    fs::write(folder.path("other"), "mine").expect("a place to write");
    fs::rename(folder.path("other"), &path).expect("a place to write");
    signal(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = "move that file away, or name another file";
    assert!(errors(&output).contains(message), "{}", errors(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("the result");
    assert_eq!(printed["ended_by"], "cancelled");
    assert_eq!(fs::read(&path).expect("it is there"), b"mine");
    // A deleted file is written again.
    fs::remove_file(&path).expect("it was there");
    let child = start_rollout(&path);
    fs::remove_file(&path).expect("it was there");
    signal(&child, "INT");
    // The signal may come before the first trial: the status is then 1, and the file is written all the same.
    let output = child.wait_with_output().expect("it ends");
    let _: Value = serde_json::from_slice(&output.stdout).expect("the result");
    assert_eq!(folder.names(), ["a.json"]);

    // Records of games are not written again.
    let games = folder.path("games.csv");
    let mut child = tavli()
        .args(["playout", "--seconds", "600", "--threads", "1", "--json"])
        .arg("--per-game")
        .arg(&games)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let_work(&mut child);
    fs::remove_file(&games).expect("it is there");
    signal(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = "games.csv was deleted or moved while in use";
    assert!(errors(&output).contains(message), "{}", errors(&output));
    assert_eq!(folder.names(), ["a.json"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("links");
    let (link, file) = (folder.path("link"), folder.path("file"));
    let common = format!("rollout --policy uniform {OPENING} --trials");
    assert!(run(&format!("{common} 36 --save {}", folder.at("file"))).status.success());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    symlink("file", &link).expect("a place to write");
    assert!(run(&format!("{common} 72 --resume {}", folder.at("link"))).status.success());
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(json(&format!("rollout --resume {} --json", folder.at("file")))["trials"], 72);
}

/// Runs the command where no file may grow beyond a number of blocks of 512 bytes, as on a disk that is full.
#[cfg(unix)]
fn run_on_full_disk(blocks: u64, arguments: &str) -> Output {
    let script = format!("ulimit -f {blocks}; exec \"$0\" {arguments}");
    Command::new("sh").args(["-c", &script]).arg(env!("CARGO_BIN_EXE_tavli")).output().expect("there is a shell")
}

#[cfg(unix)]
#[test]
fn a_result_that_cannot_be_saved_is_printed() {
    let folder = Folder::new("full");
    // The record grows with the digits of its counts; stratified first rolls have many.
    let short = format!(
        "rollout --policy uniform {OPENING} --first-roll stratified --trials 1 --save {}",
        folder.at("size.json")
    );
    assert!(run(&short).status.success());
    let begun = fs::metadata(folder.path("size.json")).expect("it is saved").len();
    let blocks = begun / 512 + 1;
    let common =
        format!("rollout --policy uniform {OPENING} --first-roll stratified --trials 200000 --threads 1 --json");
    let output = run_on_full_disk(blocks, &format!("{common} --checkpoint 0.001 --save {}", folder.at("a.json")));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("error: cannot save the rollout: cannot write "), "{}", errors(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("the result");
    assert_eq!((&printed["trials"], &printed["ended_by"]), (&200_000.into(), &"trials".into()));
    let warnings = errors(&output).matches("warning: cannot save the rollout: ").count();
    assert!(warnings <= 1, "{}", errors(&output));
    // The last save is complete, and continues to the same result.
    let resumed = json(&format!("{common} --resume {}", folder.at("a.json")));
    assert_eq!(resumed["candidates"], printed["candidates"]);
    assert_eq!(folder.names(), ["a.json", "size.json"]);

    // An existing record does not change.
    fs::write(folder.path("record.json"), "mine").expect("a place to write");
    let bench = "bench --repetitions 2 --seconds 0.01 --warm-up 0.01 --json --force --save";
    let output = run_on_full_disk(1, &format!("{bench} {}", folder.at("record.json")));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).expect("the record");
    assert_eq!(printed["recipe"], "quick");
    assert_eq!(fs::read(folder.path("record.json")).expect("it is there"), b"mine");

    // A run ends when its lines cannot be written, and reports the games before.
    let output =
        run_on_full_disk(8, &format!("playout --games 100000000000 --json --per-game {}", folder.at("games.csv")));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("games.csv: File too large"), "{}", errors(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("the result");
    assert!(printed["games"].as_u64().expect("a number") > 0);
    assert_eq!(folder.names(), ["a.json", "games.csv", "record.json", "size.json"]);
}

/// Names of players come from files: what a terminal obeys reaches no page and no text.
#[test]
fn names_reach_no_page_and_no_exported_text_raw() {
    let folder = Folder::new("names");
    let (path, page, export) = (folder.at("one.mat"), folder.at("page.html"), folder.at("export.txt"));
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/transcript/tests/data/two_games.mat");
    let played = fs::read_to_string(data).expect("a match");
    fs::write(&path, played.replace("gnubg", "A\u{1b}[31m\u{9b}\u{202e}\u{7f}n")).expect("a match");
    let analyzed = run(&format!("analyze {path} --player fast --html {page}"));
    assert_eq!(analyzed.status.code(), Some(0), "{analyzed:?}");
    let commands = format!("import mat {path}\nexport match text {export}\n");
    let exported = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], commands.as_bytes());
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    for written in [page, export] {
        let text = fs::read_to_string(&written).expect("it is written");
        assert!(text.contains("A\\u{1b}[31m\\u{9b}\\u{202e}\\u{7f}n"), "{written}: {text}");
        let is_raw =
            |character: char| character.is_control() && !matches!(character, '\n' | '\t') || character == '\u{202e}';
        assert!(!text.contains(is_raw), "{written}");
    }
}

#[test]
fn a_page_replaces_no_match_that_it_is_made_of() {
    let folder = Folder::new("page");
    let path = folder.at("one.mat");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/transcript/tests/data/two_games.mat");
    fs::copy(data, &path).expect("a match");
    let output = run(&format!("analyze {path} --player fast --html {path} --force"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(errors(&output).contains("the page would replace a match, "), "{output:?}");
    assert_eq!(fs::read(&path).expect("it is there"), fs::read(data).expect("a match"));
}

#[test]
fn what_a_run_reads_is_not_replaced() {
    let folder = Folder::new("read");
    let player = folder.at("own.mat");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/players/players/fast.player");
    fs::copy(data, &player).expect("a player");
    let error = format!("the output {player} would replace a file that another argument names");
    for command in [
        format!("rollout {OPENING} --policy {player} --trials 36 --save {player}"),
        format!("rollout {OPENING} --evaluator={player}+1ply --truncate 3 --trials 36 --save={player}"),
        format!("playout --games 36 --policy {player} --per-game {player}"),
        format!("search {OPENING} 31 --simulations 36 --policy {player} --save {player}"),
        format!("duel {player} uniform --games 2 --save {player}"),
    ] {
        let output = run(&format!("{command} --force"));
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(errors(&output).contains(&error), "{command}: {output:?}");
        assert!(fs::read(&player).expect("it is there") == fs::read(data).expect("a player"), "{command}");
    }
    // Named twice by one text, it is said once.
    let output = run(&format!("merge {player} -o {player} --force"));
    assert!(errors(&output).contains(&format!("{error}; name another file")), "{output:?}");
}

#[cfg(unix)]
#[test]
fn records_of_games_go_into_pipes() {
    let output = run("playout --games 3 --json --per-game /dev/stderr");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(errors(&output).lines().count(), 4);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["games"], 3);
}
