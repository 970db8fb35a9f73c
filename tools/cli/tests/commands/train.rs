//! Nets, trained, interrupted and gone on with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::killed_rollouts::kill_until_done;
use crate::support::{errors, json, let_work, run, scratch_file, signal, tavli, text};

/// A training of a second, with many reports: each saves it.
pub(crate) const RECIPE: &str = r#"
description = "A test"
seed = 3
[net]
encoder = "raw196"
hidden = [16]
[report]
times = 30
games = 2
[[phase]]
kind = "self-play"
games = 600
round = 20
rate = 0.5
[[phase]]
kind = "supervised"
games = 40
every = 5
epochs = 4
targets = { by = "look-ahead" }
rate = 0.01
method = "adam"
"#;

/// Writes a recipe, and names a file for its net that is not there.
fn recipe(name: &str, text: &str) -> (PathBuf, PathBuf) {
    let file = scratch_file(&format!("{name}.toml"));
    fs::write(&file, text).expect("a place to write");
    let net = scratch_file(&format!("{name}.net"));
    for file in [&net, &saved(&net)] {
        let _ = fs::remove_file(file);
    }
    (file, net)
}

fn saved(net: &Path) -> PathBuf {
    let mut name = net.as_os_str().to_owned();
    name.push(".training");
    name.into()
}

#[test]
fn a_training_prints_its_way_and_writes_the_net() {
    let (file, net) = recipe("train", RECIPE);
    let command = format!("train {} --output {}", file.display(), net.display());
    let page = scratch_file("train.html");
    let _ = fs::remove_file(&page);
    let output = run(&format!("{command} --html {}", page.display()));
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<&str> = text(&output).lines().collect();
    assert!(lines[0].starts_with("phase 1: 20 of 600 games in "), "{}", lines[0]);
    assert!(lines[1].contains(", loss 0.0") && lines[1].contains(", pubeval -"), "{}", lines[1]);
    let last = lines.last().expect("a line");
    assert!(last.starts_with("phase 2: ") && last.contains(" positions in "), "{last}");
    assert!(!saved(&net).exists(), "a training that has ended is not gone on with");

    let page = fs::read_to_string(page).expect("it is written");
    assert_eq!(page.matches("<circle").count(), 3 * lines.len() - 1, "no loss in the first report");

    let again = run(&command);
    assert_eq!(again.status.code(), Some(2));
    assert!(errors(&again).contains("--force replaces it"), "{again:?}");
    let first = fs::read(&net).expect("it is written");
    let output = run(&format!("{command} --force --threads 1 --isa portable --json"));
    assert!(output.status.success(), "{output:?}");
    assert!(first == fs::read(&net).expect("it is written"), "the same weights");
    let reports = text(&output).lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON on each line"));
    let reports: Vec<Value> = reports.collect();
    assert_eq!(reports.len(), lines.len());
    assert_eq!(reports[1]["games"], 40);
    assert_eq!(reports[1]["strengths"][1]["opponent"], "pubeval");
    assert!(reports.last().expect("a report")["positions"].is_u64());
}

/// Its steps are known once its games are played.
#[test]
fn a_warm_up_longer_than_its_phase_is_remarked_on_once() {
    let phases: Vec<&str> = RECIPE.split("[[phase]]").collect();
    let text = format!("{}[[phase]]{}warm_up = 1000000\n", phases[0], phases[2]);
    let (file, net) = recipe("train-warm-up", &text);
    let output = run(&format!("train {} --output {} --json", file.display(), net.display()));
    assert!(output.status.success(), "{output:?}");
    let start = "remark: warm_up of phase 1 is 1000000, and the phase has ";
    assert_eq!(errors(&output).matches(start).count(), 1, "{output:?}");
    assert_eq!(self::text(&output).matches(start).count(), 1, "{output:?}");
}

/// Each player is remarked on once, before the first game.
#[test]
fn players_that_have_not_learned_the_rules_are_remarked_on() {
    let phases: Vec<&str> = RECIPE.split("[[phase]]").collect();
    let [first, last] = [phases[0].replace("seed = 3", "seed = 3\nrules = \"mcgammon\""), phases[2].to_owned()];
    let last = last.replace("look-ahead", "evaluation") + "evaluator = \"fast+cube\"\n";
    let other = last.replace("fast+cube", "fast\"\nteacher = \"td80");
    let text = format!("{first}[[phase]]{last}[[phase]]{last}[[phase]]{other}");
    let (file, net) = recipe("train-rules", &text);
    let output = run(&format!("train {} --output {}", file.display(), net.display()));
    assert!(output.status.success(), "{output:?}");
    let said: Vec<&str> = errors(&output).lines().filter(|line| line.starts_with("remark: ")).collect();
    let [values, cube, teacher] = &said[..] else {
        panic!("{said:?}");
    };
    for (said, player, place) in [(values, "fast", "evaluator of phase 1"), (teacher, "td80", "teacher of phase 3")] {
        let words = format!("remark: {place}: the player '{player}' has not learned mcgammon: its values are far off");
        assert!(said.starts_with(&words), "{said}");
    }
    let words = "remark: evaluator of phase 1: fast+cube: +cube changes nothing in games without a cube: leave it out";
    assert_eq!(*cube, words);
}

#[test]
fn a_killed_training_comes_to_the_same_net() {
    let (file, net) = recipe("train-whole", RECIPE);
    let whole = run(&format!("train {} --output {}", file.display(), net.display()));
    assert!(whole.status.success(), "{whole:?}");
    let (file, killed) = recipe("train-killed", RECIPE);
    let command = format!("train {} --output {} --resume", file.display(), killed.display());
    let mut found = 0;
    let (output, kills) = kill_until_done(&command, |_| found += u32::from(saved(&killed).exists()));
    assert!(kills >= 20 && found >= 5, "{kills} kills, of which {found} left a saved training");
    assert!(text(&output).lines().count() < text(&whole).lines().count(), "it went on");
    assert!(fs::read(&net).expect("a net") == fs::read(&killed).expect("a net"));
}

#[test]
fn what_cannot_be_trained_is_said() {
    let (file, net) = recipe("train-wrong", &RECIPE.replace("raw196", "raw7"));
    for (arguments, message) in [
        (file.display().to_string(), "invalid recipe"),
        (file.display().to_string(), "unknown encoder 'raw7'; choose one of: raw196, raw198"),
        ("no-such-recipe.toml".to_owned(), "cannot read no-such-recipe.toml"),
    ] {
        let output = run(&format!("train {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(message), "{output:?}");
    }
    let (file, _) = recipe("train-wrong", &RECIPE.replace("seed = ", "seed = -"));
    let output = run(&format!("train {}", file.display()));
    let range = "expected a whole number from 0 to 9,223,372,036,854,775,807";
    assert!(errors(&output).contains(range), "{output:?}");
    let (file, _) = recipe("train-wrong", RECIPE);
    fs::write(saved(&net), "something else").expect("a place to write");
    let command = format!("train {} --output {}", file.display(), net.display());
    for (command, message) in [
        (command.clone(), "--resume goes on from it, --force begins anew"),
        (format!("{command} --resume"), "it is not a saved training"),
        (format!("train {0} --output {0} --force", file.display()), "the net would replace its recipe"),
    ] {
        let output = run(&command);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(message), "{output:?}");
    }
    let (file, _) = recipe("train-weak", &RECIPE.replace("games = 2\n", "games = 2\npubeval_at_least = 2.9\n"));
    let folder = scratch_file("train-here");
    fs::create_dir_all(&folder).expect("a place for a folder");
    let mut command = tavli();
    command.args(["train", "--force"]).arg(&file);
    let output = command.current_dir(&folder).output().expect("it starts");
    let named_like_recipe = file.with_extension("player");
    let name = named_like_recipe.file_name().expect("it has a name");
    assert!(folder.join(name).exists(), "{output:?}");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("its recipe demands +2.900"), "{output:?}");
    // The training has ended, but not as the recipe demands: to resume it does not make it better.
    for without_saved in [false, true] {
        let mut again = tavli();
        again.args(["train", "--resume"]).arg(&file);
        let output = again.current_dir(&folder).output().expect("it starts");
        let expected = match without_saved {
            false => (Some(1), "its recipe demands +2.900"),
            true => (Some(2), "from which it would go on, is missing"),
        };
        assert_eq!(output.status.code(), expected.0, "{output:?}");
        assert!(errors(&output).contains(expected.1), "{output:?}");
        let _ = fs::remove_file(saved(&folder.join(name)));
    }
}

/// Interrupts a training as soon as a worker works.
fn interrupt(command: &str) -> Output {
    let mut child = tavli()
        .args(command.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let_work(&mut child);
    signal(&child, "INT");
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_training_that_ended_says_so_again() {
    let (file, net) = recipe("train-ended", RECIPE);
    let command = format!("train {} --output {} --resume", file.display(), net.display());
    assert!(run(&command).status.success());
    let output = run(&command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(errors(&output).contains("its training has ended"), "{output:?}");
    // The net of another recipe is not this recipe's.
    let (other, _) = recipe("train-ended-not", &RECIPE.replace("rate = 0.5", "rate = 0.4"));
    let output = run(&format!("train {} --output {} --resume", other.display(), net.display()));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(errors(&output).contains("--force replaces it"), "{output:?}");
}

#[test]
fn an_interrupted_training_says_how_far_it_is() {
    let endless = RECIPE.replace("games = 600", "games = 1000000000");
    let (file, net) = recipe("train-interrupted", &endless);
    let command = format!("train {} --output {} --threads 1", file.display(), net.display());
    let output = interrupt(&command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = errors(&output);
    assert!(
        said.contains("interrupted in phase 1 of 2 after ")
            && said.contains(" of 1,000,000,000 games; --resume goes on"),
        "{said}"
    );
    // Without the saved training the net is not taken for one that is done.
    fs::remove_file(saved(&net)).expect("it is saved");
    let output = run(&format!("{command} --resume"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(errors(&output).contains("is the net of an unfinished training"), "{output:?}");
}

#[test]
fn a_report_is_left_at_once() {
    let reports = RECIPE
        .replace("times = 30", "times = 1")
        .replace("games = 2\n", "games = 1000000\n")
        .replace("games = 600", "games = 20");
    let (file, net) = recipe("train-report", &reports);
    let output = interrupt(&format!("train {} --output {} --threads 1", file.display(), net.display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output).is_empty(), "no report: {output:?}");
    let said = errors(&output);
    assert!(said.contains("interrupted in phase 1 of 2 after 20 of 20 games"), "{said}");
}

#[test]
fn weights_without_bounds_fail_again_and_again() {
    let (file, net) = recipe("train-diverged", &RECIPE.replace("rate = 0.5", "rate = 1e30"));
    let command = format!("train {} --output {} --resume", file.display(), net.display());
    for _ in 0..3 {
        let output = run(&command);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = errors(&output);
        assert!(said.contains("phase 1, step ") && said.contains("a lower rate may help"), "{said}");
    }
}

#[test]
fn what_a_recipe_names_must_be_there_and_stay() {
    let (file, teacher) = recipe("train-teacher", RECIPE);
    let train = |file: &Path, net: &Path, options: &str| {
        run(&format!("train {} --output {} {options}", file.display(), net.display()))
    };
    assert!(train(&file, &teacher, "").status.success());
    let taught =
        RECIPE.replace("games = 600", "games = 1000000000").replace("epochs = 4", &format!("teacher = {teacher:?}"));
    let (file, net) = recipe("train-taught", &taught);
    let output = interrupt(&format!("train {} --output {}", file.display(), net.display()));
    assert!(output.status.success(), "{output:?}");
    let expect = |output: &Output, message: &str| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(output).contains(message), "{output:?}");
    };
    // The output must not be the teacher, nor the page.
    expect(&train(&file, &teacher, "--force"), "the net would replace a file that its recipe names");
    expect(
        &train(&file, &net, &format!("--force --html {}", teacher.display())),
        "the page would replace a file that its recipe names",
    );
    // Another teacher under its name.
    let (other, _) = recipe("train-teacher", &RECIPE.replace("seed = 3", "seed = 4"));
    assert!(train(&other, &teacher, "").status.success());
    expect(&train(&file, &net, "--resume"), "teacher of phase 2 is ");
    fs::remove_file(&teacher).expect("it is there");
    for options in ["--resume", "--force"] {
        expect(&train(&file, &net, options), "teacher of phase 2: cannot read ");
    }
}

#[test]
fn a_page_replaces_nothing_unasked() {
    let (file, net) = recipe("train-page", RECIPE);
    let page = scratch_file("train-page.html");
    fs::write(&page, "mine").expect("a place to write");
    let train = |page: &Path, force: &str| {
        run(&format!("train {} --output {} --html {}{force}", file.display(), net.display(), page.display()))
    };
    for (page, force, message) in [
        (&page, "", "--force replaces it"),
        (&file, " --force", "the page would replace its recipe"),
        (&net, " --force", "the page would replace the net or the training"),
        (&saved(&net), " --force", "the page would replace the net or the training"),
    ] {
        let output = train(page, force);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(message), "{output:?}");
    }
    assert_eq!(fs::read(&page).expect("it is there"), b"mine");
    assert!(!net.exists(), "nothing was trained");
    assert!(train(&page, " --force").status.success());
    assert!(fs::read(&page).expect("it is there").starts_with(b"<!DOCTYPE html>"));
}

/// A net for Plakoto is trained, interrupted and gone on with, and plays under the name of its file.
#[test]
fn nets_of_variants_play_by_their_files() {
    let text_of_recipe = "description = \"A test\"\ngame = \"plakoto\"\nseed = 3\n\
         net = { encoder = \"plakoto-2\", hidden = 8 }\nreport = { times = 3, games = 2 }\n\
         self_play = { games = 60, lambda = 0.0, rate = 0.1 }\n";
    let (file, net) = recipe("tables", text_of_recipe);
    let command = format!("train {} --output {}", file.display(), net.display());
    let output = run(&command);
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<&str> = text(&output).lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with("phase 1: 60 of 60 games in "), "{}", lines[2]);
    assert!(lines[2].contains(", tavli3d "), "{}", lines[2]);
    assert!(!saved(&net).exists());
    let whole = fs::read(&net).expect("the net");
    let again = run(&format!("{command} --resume"));
    assert!(again.status.success() && errors(&again).contains("its training has ended"), "{again:?}");
    let again = run(&format!("{command} --force --threads 1 --isa portable"));
    assert!(again.status.success(), "{again:?}");
    assert_eq!(fs::read(&net).expect("the net"), whole);

    let path = net.display();
    let duel = json(&format!("duel {path} random --game plakoto --games 4 --json"));
    assert_eq!((&duel["games"], duel["a"].as_str()), (&4.into(), Some(&*path.to_string())));
    let ahead = json(&format!("duel minimax:1:{path} minimax:1:tavli3d --game plakoto --games 2 --json"));
    assert_eq!(ahead["a"], format!("minimax:1:{path}"));
    let valued = json(&format!("evaluate start 31 --game plakoto --evaluator {path} --json"));
    let equity = valued["equity"].as_f64().expect("a number");
    assert!(equity.abs() <= 2.0 && valued["plays"][0]["equity"].as_f64() >= valued["plays"][1]["equity"].as_f64());
    let played = run(&format!("play {path} random --game plakoto"));
    assert!(text(&played).contains(&format!("{path}: ")), "{played:?}");
    for (command, message) in [
        (format!("duel {path} random --game fevga"), "it is a file of another game, not of fevga"),
        (format!("duel {} random --game plakoto", file.display()), "it is not a file of a net"),
        ("duel nobody random --game plakoto".to_owned(), "or FILE, a net that tavli train wrote"),
        (format!("duel minimax:12:{path} random --game plakoto"), "is not a player of plakoto"),
    ] {
        let output = run(&command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(errors(&output).contains(message), "{command}: {}", errors(&output));
    }
}
