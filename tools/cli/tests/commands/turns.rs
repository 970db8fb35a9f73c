//! Two builds measured in turns by the command: honest ones, and programs that are not builds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::support::{errors, run, scratch_file, signal, tavli, text, wait_until_caught};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tavli");

/// A recipe of one short case. It is written once: a test that wrote it again could have another read half of it.
static RECIPE: LazyLock<PathBuf> = LazyLock::new(|| {
    let file = scratch_file("turns.toml");
    let recipe = r#"
        description = "one case"
        warm_up_seconds = 0.0
        repetitions = 1
        seconds = 0.01
        seed = 1
        [[case]]
        name = "games"
        workload = "playouts"
        rules = "backgammon"
        placement = "none"
        threads = 1
    "#;
    fs::write(&file, recipe).unwrap();
    file
});

/// A program that is a shell script.
fn script(name: &str, text: &str) -> PathBuf {
    let file = scratch_file(name);
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn compare(old: &Path, new: &Path, options: &str) -> Output {
    let (recipe, old, new) = (RECIPE.display(), old.display(), new.display());
    run(&format!("bench compare --run {old} {new} --recipe {recipe} --case-seconds 0.01 {options}"))
}

#[test]
fn a_build_is_compared_with_itself() {
    let program = Path::new(PROGRAM);
    // Wide enough to be reached soon, and to decide nothing.
    let output = compare(program, program, "--seconds 120 --precision 0.9 --margin 0.001 --json");
    assert!(output.status.success(), "{}", errors(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["end"], "precise");
    let case = &result["cases"][0];
    assert_eq!(case["name"], "games");
    let number = |key: &str| case[key].as_f64().unwrap();
    assert!(0.0 < number("low") && number("low") <= number("ratio"), "{case}");
    assert!(number("ratio") <= number("high"), "{case}");
    // The first look is after 24 rounds, and finds no interval if they resemble each other too much.
    let rounds = case["rounds"].as_u64().unwrap();
    assert!(rounds >= 24);
    assert_eq!(case["ratios"].as_array().unwrap().len() as u64, rounds);
    assert!(["faster", "slower", "same", "undecided"].contains(&case["verdict"].as_str().unwrap()));
    assert!((-1.0..=1.0).contains(&number("autocorrelation")));
    assert_eq!(result["old"], result["new"]);
    assert_eq!(result["old"]["name"], PROGRAM);
}

/// The record of a real run.
fn record(name: &str) -> PathBuf {
    let saved = scratch_file(&format!("{name}.json"));
    let recipe = RECIPE.display();
    let output = run(&format!("bench {recipe} --repetitions 8 --seconds 0.002 --warm-up 0.01 --json"));
    assert!(output.status.success(), "{}", errors(&output));
    fs::write(&saved, &output.stdout).unwrap();
    saved
}

/// A program that writes this record at once, with processor times of `factor`, varied by up to a tenth. Programs of
/// one record have done the same work.
fn player(name: &str, record: &Path, factor: f64) -> PathBuf {
    // Numbers of processes follow each other, so their remainders are spread evenly.
    let scale = format!(
        "awk -v scale=$(($$ * 37 % 101)) '{{ if ($1 == \"\\\"cpu_seconds\\\":\") \
         printf \"\\\"cpu_seconds\\\": %.9f,\\n\", {factor} * (1 + scale / 1000); else print }}' '{}'",
        record.display()
    );
    script(name, &scale)
}

/// A git repository, and what is done in it.
struct Repository(PathBuf);

impl Repository {
    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .current_dir(&self.0)
            .args(["-c", "user.name=tavli", "-c", "user.email=tavli@localhost"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }

    /// Commits a program that writes the record of the folder with processor times of `factor`, varied by up to a
    /// tenth.
    fn commit(&self, factor: f64) {
        let program = r#"
            const RECORD: &str = include_str!("../record.json");
            fn main() {
                let scale = FACTOR * (1.0 + f64::from(std::process::id() * 37 % 101) / 1000.0);
                for line in RECORD.lines() {
                    match line.contains("\"cpu_seconds\":") {
                        true => println!("\"cpu_seconds\": {scale},"),
                        false => println!("{line}"),
                    }
                }
            }
        "#;
        let program = program.replace("FACTOR", &format!("{factor:?}"));
        fs::write(self.0.join("src/main.rs"), program).unwrap();
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "a build"]);
    }
}

/// A repository of two revisions whose crate has the command's name, and a program that is half as fast in the second.
fn repository() -> Repository {
    let record = record("revisions");
    let folder = scratch_file("repository");
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::copy(record, folder.join("record.json")).unwrap();
    let manifest = "[package]\nname = \"tavli-cli\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\
                    [[bin]]\nname = \"tavli\"\npath = \"src/main.rs\"\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let lock = "version = 4\n[[package]]\nname = \"tavli-cli\"\nversion = \"1.0.0\"\n";
    fs::write(folder.join("Cargo.lock"), lock).unwrap();
    fs::write(folder.join(".gitignore"), "/target\n").unwrap();
    let repository = Repository(folder);
    repository.git(&["init", "--quiet"]);
    repository.commit(0.01);
    repository.commit(0.02);
    repository
}

#[test]
fn revisions_are_built_and_compared() {
    let Repository(folder) = repository();
    let compare = |options: &str| {
        let mut command = tavli();
        command
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .args(["bench", "compare", "--run", "HEAD~1", "HEAD", "--recipe"])
            .arg(&*RECIPE)
            .args(["--case-seconds", "0.01", "--seconds", "120", "--json"])
            .args(options.split_whitespace());
        command.output().unwrap()
    };
    let output = compare("--precision 0.1");
    assert!(output.status.success(), "{}", errors(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["cases"][0]["verdict"], "slower", "{result}");
    let high = result["cases"][0]["high"].as_f64().unwrap();
    assert!(high < 0.6, "{result}");
    assert_eq!(result["old"]["name"], "HEAD~1");
    let worktrees = fs::read_dir(folder.join("target/compare")).unwrap();
    assert!(worktrees.count() >= 2);
    // What somebody changed there is not the revision any more.
    let output = Command::new("git").current_dir(&folder).args(["rev-parse", "HEAD"]).output();
    let output = output.unwrap();
    let commit = text(&output);
    let sources = folder.join("target/compare").join(&commit[..12]);
    fs::write(sources.join("src/main.rs"), "fn main() {}").unwrap();
    let output = compare("");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("was changed; delete it"), "{}", errors(&output));
}

#[test]
fn time_is_bounded() {
    let player = player("bounded", &record("bounded"), 1.0);
    let start = Instant::now();
    let output = compare(&player, &player, "--seconds 2 --precision 0.000001");
    assert!(output.status.success(), "{}", errors(&output));
    // A generous bound for the start and the end of the command itself.
    assert!(start.elapsed() < Duration::from_secs(60));
    for part in ["times as fast", "time is over; 0.0001 % to either side", "by processor time"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let output = compare(&player, &player, "--seconds 0.0001");
    assert_eq!(output.status.code(), Some(1));
    let message = "no round was done in 0.0001 s; allow more time";
    assert!(errors(&output).contains(message), "{}", errors(&output));
}

#[test]
fn a_slower_build_is_found_and_fails_the_gate() {
    let record = record("gate");
    let (one, slow) = (player("one", &record, 1.0), player("slow", &record, 1.25));
    let options = "--seconds 600 --precision 0.03 --fail-below 0.9";
    for (old, new, verdict, status) in [(&one, &slow, "slower", 1), (&slow, &one, "faster", 0), (&one, &one, "", 0)] {
        let output = compare(old, new, options);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(text(&output).contains(&format!(": {verdict}")), "{}", text(&output));
        assert!(text(&output).contains("every interval reaches at most 3 %"), "{}", text(&output));
        let evidence = errors(&output).contains("less than 0.9 times as fast:\n  games: 0.");
        assert_eq!(evidence, status == 1, "{}", errors(&output));
    }
}

#[test]
fn programs_that_are_no_builds_are_refused() {
    let program = Path::new(PROGRAM);
    let wrong = format!("'{PROGRAM}' \"$@\" | sed 's/\"found\": \"5e4411ba37c678f2/\"found\": \"5e4411ba37c678f3/'");
    let failed = format!("'{PROGRAM}' \"$@\" | sed 's/\"passed\": true/\"passed\": false/'");
    let other = format!("'{PROGRAM}' \"$@\" | sed 's/\"seed\": 1/\"seed\": 2/'");
    let negative = format!("'{PROGRAM}' \"$@\" | sed 's/\"cpu_seconds\": /\"cpu_seconds\": -/'");
    for (name, lines, message) in [
        ("garbage", "head -c 100000 /dev/urandom", "did not write a record of tavli bench"),
        ("empty", "exit 0", "did not write a record"),
        ("crash", "echo 'error: out of luck' >&2; exit 7", "failed (exit status: 7): error: out of luck"),
        ("signal", "kill -SEGV $$", "failed (signal: 11"),
        ("signature", &wrong, "5e4411ba37c678f"),
        ("failed", &failed, "FAILED: signature of tier"),
        ("other", &other, "do different work: "),
        ("negative", &negative, "FAILED: case 'games'"),
    ] {
        let program_of = script(name, lines);
        // The fault is found whichever side has it.
        for (old, new) in [(program, program_of.as_path()), (&program_of, program)] {
            let output = compare(old, new, "--seconds 60");
            assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
            assert!(errors(&output).contains(message), "{name}: {}", errors(&output));
            assert!(output.stdout.is_empty(), "{name}: {}", text(&output));
        }
    }
    let silent = script("silent", "sleep 3600");
    let start = Instant::now();
    let output = compare(&silent, program, "--seconds 2");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("no round was done in 2 s"), "{}", errors(&output));
    assert!(start.elapsed() < Duration::from_secs(60));
    let missing = script("removed", "");
    fs::write(&missing, [0x7f, b'E', b'L', b'F', 0, 0, 0]).unwrap();
    let output = compare(&missing, program, "--seconds 20");
    assert!(errors(&output).contains("cannot run "), "{}", errors(&output));
}

#[test]
fn bad_arguments_are_usage_errors() {
    for (arguments, message) in [
        ("--run /nowhere/a /nowhere/b", "'/nowhere/a' is neither a program nor a git revision"),
        ("--run --help-me x", "unexpected argument"),
        ("--run a b --seconds 0", "seconds are a number above 0"),
        ("--run a b --seconds -1", "seconds are a number above 0"),
        ("--run a b --seconds nan", "seconds are a number above 0"),
        ("--run a b --each 0.001", "--case-seconds must be at least 0.008 s"),
        ("--run a b --width 0", "a share is a number 0.000001 to 1"),
        ("--run a b --margin nan", "a share is a number"),
        ("--run a b --layouts 3", "3 layouts show nothing about 3 cases: give --layouts at least 7, or 1"),
        ("--run a b --layouts 0", "invalid value '0'"),
        ("--run a b --recipe none", "'none' is not one of the recipes"),
        ("--run a b --clock moon", "possible values: processor, wall"),
        ("a b --seconds 3", "--run"),
        ("--run a", "<NEW>"),
    ] {
        let output = run(&format!("bench compare {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
    let output = run(&format!("bench compare --run {PROGRAM} {PROGRAM} --layouts 8"));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("has one layout; compare git revisions"), "{}", errors(&output));
}

#[test]
fn an_interrupt_keeps_the_rounds_before_it() {
    let log = scratch_file("runs.log");
    let player = player("logged", &record("logged"), 1.0);
    let program = script("log", &format!("echo run >> '{}'; exec '{}'", log.display(), player.display()));
    let start = |program: &Path, arguments: &[&str]| {
        let mut command = tavli();
        command.args(["bench", "compare", "--run"]).args([program, program]);
        command.args(["--seconds", "3600", "--precision", "0.000001", "--json", "--recipe"]);
        command.arg(&*RECIPE).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut child = start(&program, &["--case-seconds", "0.01"]);
    // Six runs have begun, so two rounds are done.
    while fs::read_to_string(&log).unwrap_or_default().lines().count() < 6 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended too early");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["end"], "cancelled");
    assert!(result["cases"][0]["rounds"].as_u64().unwrap() >= 2);
    let mut child = start(Path::new(PROGRAM), &["--case-seconds", "600"]);
    wait_until_caught(&mut child);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("interrupted before the first round"), "{}", errors(&output));
}
