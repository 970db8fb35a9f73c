//! Games of duels and of play, saved as matches and read again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;
use tavli::transcript::{Action, Match};
use tavli::{NO_STOP, Stakes};

#[cfg(target_os = "linux")]
use crate::bearoff::run_within;
use crate::support::{errors, json, let_work, read_meanwhile, run, run_with_input, scratch_file, signal, tavli, text};

/// A name that no file has.
#[track_caller]
fn fresh(name: &str) -> PathBuf {
    let path = scratch_file(name);
    let _ = fs::remove_file(&path);
    path
}

/// The match of a file, which writes the same again.
fn read(path: &Path) -> Match {
    let written = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let played = Match::read(&written, NO_STOP).expect(&written);
    assert_eq!(played.mat(), written);
    played
}

/// How often something was done in games that have all ended.
fn count(played: &Match, action: Action) -> u64 {
    let steps = played.games.iter().flat_map(|game| &game.steps);
    steps.filter(|step| step.action == action).count() as u64
}

/// The points that the first player wins in a session, and the games; who begins alternates.
fn won(played: &Match) -> (i64, u64) {
    let (mut points, mut games) = (0, 0);
    for (number, game) in played.games.iter().enumerate() {
        let (winner, of_game) = game.winner.expect("it has ended");
        assert!(!game.is_resigned());
        assert_eq!(game.steps[0].player, number % 2, "game {number}");
        points += if winner == 0 { i64::from(of_game) } else { -i64::from(of_game) };
        games += u64::from(winner == 0);
    }
    (points, games)
}

fn number(document: &Value, name: &str) -> u64 {
    document[name].as_u64().expect(name)
}

#[test]
fn the_ending_of_a_file_names_its_form() {
    for (mat, sgf, games) in [
        ("form.mat", "form.SGF", "duel fast td80 --money --games 2 --save"),
        ("match.mat", "match.sgf", "play fast td80 --match 1 --save"),
    ] {
        let [mat, sgf] = [fresh(mat), fresh(sgf)];
        for file in [&mat, &sgf] {
            let output = run(&format!("{games} {}", file.display()));
            assert!(output.status.success(), "{output:?}");
        }
        assert_eq!(fs::read_to_string(&sgf).unwrap(), read(&mat).sgf());
    }
}

#[test]
fn a_money_session_is_that_of_the_results() {
    let (one, two) = (fresh("one.mat"), fresh("two.mat"));
    let common = "duel fast td80 --money --jacoby --games 40 --seed 5 --json --save";
    let document = json(&format!("{common} {} --threads 1 --isa portable", one.display()));
    json(&format!("{common} {} --threads 2", two.display()));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let played = read(&one);
    assert_eq!((played.length, played.games.len()), (None, 40));
    assert_eq!(played.players, ["fast", "td80"]);
    let (points, games) = won(&played);
    let mean = document["points_per_game"].as_f64().unwrap();
    assert!((points as f64 / 40.0 - mean).abs() < 1e-9, "{points} {mean}");
    assert_eq!(games, number(&document, "games_won"));
    assert_eq!(count(&played, Action::Pass), number(&document, "passes"));
    assert_eq!(count(&played, Action::Take), number(&document, "takes"));
    let stakes = played.games[7].steps[0].position.context().stakes;
    assert!(matches!(stakes, Stakes::Money { jacoby: true, .. }));
    // Both games of a pair begin with the same dice.
    let first_roll = |game: usize| match played.games[game].steps[0].action {
        Action::Play { roll, .. } => roll,
        other => panic!("{other:?}"),
    };
    assert!((0..20).all(|pair| first_roll(2 * pair) == first_roll(2 * pair + 1)));
}

#[test]
fn matches_have_files_of_their_own() {
    let path = fresh("numbered.mat");
    let file = |number: u32| {
        path.with_file_name(path.file_name().unwrap().to_str().unwrap().replace(".mat", &format!("-{number}.mat")))
    };
    (1..=4).for_each(|number| drop(fs::remove_file(file(number))));
    let arguments = format!("duel fast td80 --match 3 --games 4 --save {}", path.display());
    let document = json(&format!("{arguments} --json"));
    let (mut games, mut won, mut takes) = (0, 0, 0);
    for number in 1..=4 {
        let played = read(&file(number));
        assert_eq!(played.length, Some(3));
        let mut score = [0, 0];
        for game in &played.games {
            assert_eq!(game.score, score);
            let (winner, points) = game.winner.expect("it has ended");
            score[winner] += points;
        }
        assert!(score.iter().any(|&points| points >= 3), "{score:?}");
        games += played.games.len() as u64;
        won += u64::from(score[0] >= 3);
        takes += count(&played, Action::Take);
    }
    assert_eq!(games, number(&document, "games"));
    assert_eq!(won, number(&document, "matches_won"));
    assert_eq!(takes, number(&document, "takes"));
    assert!(!path.exists() && !file(5).exists());
    // None is overwritten, and the refusal comes before the games.
    fs::remove_file(file(1)).unwrap();
    fs::write(file(4), "mine").unwrap();
    let refused = run(&arguments.replace("--games 4", "--games 400000"));
    let refused_here = run(&arguments);
    for refused in [refused, refused_here] {
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{refused:?}");
    }
    assert_eq!(fs::read_to_string(file(4)).unwrap(), "mine");
    assert!(run(&format!("{arguments} --force")).status.success());
    read(&file(1));
    read(&file(4));
    // A number of matches that ends within a pair.
    (1..=4).for_each(|number| fs::remove_file(file(number)).unwrap());
    let few = run(&format!("{arguments} --save-first 3"));
    assert!(
        few.status.success() && errors(&few).contains("-3.mat have the first 3 of 4 matches: --save-first"),
        "{few:?}"
    );
    assert!(file(3).exists() && !file(4).exists());
    // Nobody who names one file expects one for each of a hundred matches.
    (1..=3).for_each(|number| fs::remove_file(file(number)).unwrap());
    let usual = run(&arguments.replace("--games 4", "--games 12"));
    assert!(
        usual.status.success() && errors(&usual).contains("-10.mat have the first 10 of 12 matches: --save-first"),
        "{usual:?}"
    );
    assert!(file(10).exists() && !file(11).exists());
}

#[test]
fn games_without_a_cube_are_analysed_without_one() {
    let path = fresh("cubeless.mat");
    let document =
        json(&format!("duel fast uniform --games 6 --seed 9 --json --save {} --save-first 5", path.display()));
    let played = read(&path);
    assert_eq!(played.games.len(), 5);
    assert_eq!(number(&document, "games"), 6);
    let whole = fresh("whole.mat");
    json(&format!("duel fast uniform --games 6 --seed 9 --json --save {}", whole.display()));
    let (points, games) = won(&read(&whole));
    assert_eq!(games, number(&document, "wins"));
    assert!((points as f64 / 6.0 - document["points_per_game"].as_f64().unwrap()).abs() < 1e-9);
    let analysis = json(&format!("analyze {} --player fast --json", path.display()));
    for player in 0..2 {
        assert_eq!(analysis["players"][player]["doubles"]["decisions"], 0);
    }
    // `fast` played its best plays by its own values, except for their rounding.
    assert_eq!(analysis["players"][0]["mistakes"], 0);
    assert!(analysis["players"][0]["plays"]["loss"].as_f64().unwrap() < 0.01);
    assert!(analysis["players"][1]["plays"]["loss"].as_f64().unwrap() > 1.0);
    let import = format!("import mat {}\nshow statistics match\n", path.display());
    let printed = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], import.as_bytes());
    assert!(text(&printed).contains("Chequerplay statistics"), "{printed:?}");
}

/// Players of one name have names of their own in a file; an analysis tells them apart, also of standard input.
#[test]
fn players_of_one_name_are_told_apart() {
    for (command, name) in [("duel", "alike-duel.mat"), ("play", "alike-play.mat")] {
        let path = fresh(name);
        let output = run(&format!("{command} fast fast --games 2 --save {}", path.display()));
        assert!(output.status.success(), "{output:?}");
        let played = read(&path);
        assert_eq!(played.players, ["fast (A)", "fast (B)"]);
        let input = fs::read(&path).expect("it is written");
        let of_input = run_with_input(&["analyze", "-", "--player", "fast"], &input);
        let of_file = run(&format!("analyze {} --player fast", path.display()));
        let words = |output: &Output| text(output).split_once(": ").expect("a title").1.to_owned();
        assert!(words(&of_file).starts_with("fast (A) against fast (B), money session, 2 games\n"), "{of_file:?}");
        assert_eq!(words(&of_input), words(&of_file));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_larger_than_the_memory_is_refused() {
    let path = fresh("long.mat");
    fs::write(&path, " 0 point match\n".repeat(300_000)).expect("a place to write");
    let output = run_within(100_000, &format!("analyze --player fast {}", path.display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = "long.mat: there is not enough memory to analyse a match of 4,500,000 bytes, which takes up to 1,099 MiB: \
                split the file\n";
    assert!(errors(&output).ends_with(said), "{output:?}");
    fs::remove_file(path).expect("it was written");
}

#[test]
fn an_interrupted_duel_saves_what_it_counts() {
    for options in ["--money", ""] {
        let path = fresh("stopped.mat");
        let arguments =
            format!("duel fast fast --games 100000000 --threads 1 {options} --save-first 100000 --json --save");
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = read_meanwhile(&mut child);
        let_work(&mut child);
        signal(&child, "INT");
        let status = child.wait().unwrap().code();
        let document: Value = serde_json::from_slice(&output.join().unwrap()).unwrap();
        assert_eq!(document["interrupted"], true);
        let games = number(&document, "games");
        assert_eq!(status, Some(i32::from(games == 0)), "{document}");
        match games {
            0 => assert!(!path.exists()),
            games => assert_eq!(read(&path).games.len() as u64, games),
        }
    }
}

#[test]
fn games_of_play_are_saved_as_they_were_played() {
    let path = fresh("play.mat");
    let arguments = format!("play fast td80 --match 3 --seed 4 --save {}", path.display());
    let printed = run(&arguments);
    assert!(printed.status.success(), "{printed:?}");
    let printed = text(&printed);
    let played = read(&path);
    assert_eq!(played.players, ["fast", "td80"]);
    let last = played.games.last().unwrap();
    let mut score = last.score;
    let (winner, points) = last.winner.unwrap();
    score[winner] += points;
    assert!(printed.contains(&format!("match to 3: fast {}, td80 {}\n", score[0], score[1])), "{printed}");
    let plays =
        played.games.iter().flat_map(|game| &game.steps).filter(|step| matches!(step.action, Action::Play { .. }));
    let shown = printed
        .lines()
        .filter(|line| line.trim_start().split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok()));
    assert_eq!(plays.count(), shown.count());
    let refused = run(&arguments);
    assert!(!refused.status.success() && refused.stdout.is_empty(), "{refused:?}");
    // A play that a person takes back was not played; a game that is given up has its winner, and one that is left has
    // none.
    let path = fresh("person.mat");
    let arguments = ["play", "fast", "--seed", "2", "--games", "3", "--save", path.to_str().unwrap()];
    let output = run_with_input(&arguments, b"13/7 8/7\nundo\n13/6\nresign gammon\nquit\n");
    assert!(output.status.success(), "{output:?}");
    let played = read(&path);
    assert_eq!(played.players, ["you", "fast"]);
    let [first, second] = &played.games[..] else { panic!("{}", played.mat()) };
    assert_eq!(first.steps.iter().map(|step| step.player).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(first.steps[0].moves().unwrap().to_string(), "13/6");
    assert_eq!((first.winner, first.is_resigned()), (Some((1, 2)), true));
    assert_eq!((second.score, second.winner, second.steps.len()), ([0, 2], None, 1));
}

#[test]
fn what_files_cannot_hold_is_refused() {
    let path = fresh("never.mat");
    for (arguments, message) in [
        ("duel fast fast --rules nackgammon --save", "games of backgammon, not of nackgammon"),
        ("play fast fast --rules portes --save", "games of backgammon, not of portes"),
        ("play fast fast --position 4HPwATDgc/ABMA --save", "cannot be used with"),
        ("duel fast fast --save-first 0 --save", "games are a whole number 1 to"),
    ] {
        let output = run(&format!("{arguments} {}", path.display()));
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
        assert!(!path.exists());
    }
    let output = run("duel fast fast --save-first 4");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // Nobody played: there is nothing to save.
    let output = run_with_input(&["play", "fast", "--save", path.to_str().unwrap()], b"quit\n");
    assert!(errors(&output).contains("no game to save"), "{output:?}");
    assert!(!path.exists());
}

/// Games of draughts are kept as PDN, and each is read as its last position.
#[test]
fn draughts_is_saved_as_pdn() {
    let file = fresh("duel.pdn");
    let path = file.display();
    let duel = format!("duel minimax:2 random --game draughts --games 6 --save {path} --save-first 4 --json");
    let output = run(&duel);
    assert_eq!(errors(&output), format!("remark: --save {path} has the first 4 of 6 games: --save-first saves more\n"));
    let written = fs::read_to_string(&file).expect("PDN");
    let games: Vec<&str> = written.split_inclusive("\n\n").collect();
    let games: Vec<String> = games.chunks(2).map(<[&str]>::concat).collect();
    assert_eq!(games.len(), 4);
    for (number, game) in games.iter().enumerate() {
        let first = ["minimax:2:material", "random"][number % 2];
        assert!(game.starts_with(&format!("[Black \"{first}\"]\n")), "{game}");
        let last = run_with_input(&["position", game, "--game", "draughts", "--json"], b"");
        let last: Value = serde_json::from_slice(&last.stdout).expect("JSON");
        let is_drawn = game.contains("[Result \"1/2-1/2\"]");
        assert_eq!(last["points_won"], if is_drawn { 0 } else { -1 }, "{game}");
    }

    // The rules are in the file, and it is read without naming them.
    let file = fresh("report.pdn");
    let save = file.display();
    assert!(
        run(&format!("duel random random --game draughts --rules report --games 2 --save {save}")).status.success()
    );
    let written = fs::read_to_string(&file).expect("PDN");
    let first = written.split_inclusive("\n\n").take(2).collect::<String>();
    assert!(first.contains("[Rules \"report\"]") && !first.contains("GameType"), "{first}");
    let by = |rules: &str| run_with_input(&["position", &first, "--game", "draughts", "--rules", rules], b"");
    let (own, other) = (by("report"), by("english"));
    assert!(own.status.success() && errors(&own).is_empty(), "{own:?}");
    assert!(other.status.success(), "{other:?}");
    let remark = "the game was played by report rules, and its last position is taken by english rules";
    assert!(errors(&other).contains(remark), "{other:?}");

    let file = fresh("play.pdn");
    let save = file.display().to_string();
    let play = ["play", "random", "--game", "draughts", "--save", &save];
    run_with_input(&play, b"11-15\nquit\n");
    let written = fs::read_to_string(&file).expect("PDN");
    assert!(written.starts_with("[Black \"you\"]\n[White \"random\"]\n[Result \"*\"]\n"), "{written}");
    assert!(written.contains("\n1. 11-15 "), "{written}");

    let refused = run(&format!("duel random random --game plakoto --save {}", fresh("p.txt").display()));
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("plakoto has no files of games"), "{}", errors(&refused));
}
