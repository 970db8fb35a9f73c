//! Tunings at tic-tac-toe: threads and interruptions, and impossible recipes.

use core::num::NonZeroUsize;

use tavli_file::record::EnvelopeError;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_simd::Tier;
use tavli_tictactoe::TicTacToe;
use tavli_tune::{MethodName, Recipe, RoundPurpose, SavedError, Tuning};

const RECIPE: &str = r#"
description = "A test"
game = "tictactoe"
seed = 5
agent = "uct:{simulations}:{c}"
random_plies = 2
games = 160
parameters.c = { start = 0.3, least = 0.05, most = 5, logarithmic = true }
parameters.simulations = { start = 2, least = 2, most = 40, decimals = 0 }
ga = { population = 5, keep = 2, games = 8 }
spsa = { games = 8 }
cma-es = { population = 5, games = 8 }
verification = { games = 200 }
"#;

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn new(text: &str) -> Tuning<TicTacToe> {
    let recipe = Recipe::parse(text).expect("a recipe");
    Tuning::new(recipe, Tier::Portable).expect("a tuning")
}

/// The tuning from its beginning to its end.
fn whole(text: &str, threads: usize) -> Tuning<TicTacToe> {
    let mut tuning = new(text);
    let ran = tuning.run(&workers(threads), &Cancel::new(), &mut |_| ());
    assert_eq!(ran, Ok(true));
    tuning
}

#[test]
fn the_number_of_simulations_is_found_on_any_number_of_threads() {
    let one = whole(RECIPE, 1);
    assert_eq!(one.rounds(), whole(RECIPE, 3).rounds());
    assert_eq!((one.played().games, one.played().of), (3 * 160 + 6 * 200, 3 * 160 + 6 * 200));
    for (name, values) in one.bests() {
        assert!(values[1] >= 8.0, "{name}: {values:?}");
    }
    // More simulations play better: each winner beats the start.
    let last = one.rounds().last().expect("the matches");
    let against_start = last.duels.iter().filter(|duel| duel.agents[1].name == "start");
    let intervals: Vec<f64> = against_start.map(|duel| one.interval(duel)[0]).collect();
    assert!(intervals.len() == 3 && intervals.iter().all(|low| *low > 0.0), "{intervals:?}");
}

#[test]
fn an_opponent_is_played_by_all() {
    let text = RECIPE.replace("seed = 5", "seed = 6\nopponent = \"minimax:2\"");
    let tuning = whole(&text, 2);
    for round in tuning.rounds().iter().filter(|round| round.stage != RoundPurpose::Verification) {
        assert!(round.duels.iter().all(|duel| duel.agents[1].name == "opponent"));
        assert_eq!(round.duels.len(), if round.stage == RoundPurpose::Method(MethodName::Spsa) { 2 } else { 5 });
    }
    // Three methods against the start values and each other, and these four against the opponent.
    assert_eq!(tuning.rounds().last().expect("the matches").duels.len(), 6 + 4);
    assert_eq!(tuning.played().games, tuning.played().of);
}

#[test]
fn an_interrupted_tuning_comes_to_the_same_numbers() {
    let expected = whole(RECIPE, 2);
    let workers = workers(2);
    let mut tuning = new(RECIPE);
    let mut interruptions = 0;
    while tuning.round().is_some() {
        // After each round, which begins some of the next.
        let cancel = Cancel::new();
        let before = tuning.rounds().len();
        let ran = tuning.run(&workers, &cancel, &mut |tuning| {
            if tuning.rounds().len() > before {
                cancel.cancel();
            }
        });
        ran.expect("agents that can be read");
        let recipe = Recipe::parse(RECIPE).expect("a recipe");
        tuning = Tuning::from_saved(recipe, Tier::Portable, &tuning.to_saved()).expect("it was saved");
        interruptions += 1;
    }
    assert!(interruptions > 10, "{interruptions}");
    assert_eq!(tuning.rounds(), expected.rounds());
}

#[test]
fn a_saved_tuning_is_whole_and_of_its_recipe() {
    let expected = whole(RECIPE, 1);
    let full = expected.to_saved();
    let recipe = || Recipe::parse(RECIPE).expect("a recipe");
    let from = |text: &str| Tuning::<TicTacToe>::from_saved(recipe(), Tier::Portable, text);
    assert_eq!(from(&full).expect("it was saved").rounds(), expected.rounds());
    let error = from(&full.replacen("\"pairs\":4", "\"pairs\":3", 1)).expect_err("another checksum");
    assert!(error.to_string().starts_with("it is damaged: its checksum is "), "{error}");
    let other = Recipe::parse(&RECIPE.replace("seed = 5", "seed = 6")).expect("a recipe");
    let error = Tuning::<TicTacToe>::from_saved(other, Tier::Portable, &full).expect_err("another recipe");
    assert!(error.to_string().contains("it is the tuning of another recipe"), "{error}");
}

/// With a checksum that is right: it is computed after the change.
#[test]
fn scores_that_no_games_have_are_refused() {
    let full = whole(RECIPE, 1).to_saved();
    let recipe = || Recipe::parse(RECIPE).expect("a recipe");
    let from = |text: &str| Tuning::<TicTacToe>::from_saved(recipe(), Tier::Portable, text);
    let points = full.split("\"points\":").nth(1).and_then(|rest| rest.split(',').next());
    let squares = full.split("\"squares\":").nth(1).and_then(|rest| rest.split('}').next());
    let first = |points: &str, squares: &str| format!("\"points\":{points},\"squares\":{squares}}}");
    let was = first(points.expect("a score"), squares.expect("a score"));
    for (points, squares) in [
        ("9223372036854775807", "16"),
        ("-9223372036854775808", "16"),
        ("-9", "16"),
        ("-1", "0"),
        ("0", "17"),
        ("0", "18446744073709551615"),
    ] {
        let changed = full.replacen(&was, &first(points, squares), 1);
        let Err(SavedError::Envelope(EnvelopeError::Checksum { found, contents })) = from(&changed) else {
            panic!("{points} {squares}");
        };
        let signed = changed.replacen(&found, &contents, 1);
        assert!(matches!(from(&signed), Err(SavedError::Scores)), "{points} {squares}");
    }
}

#[test]
fn recipes_name_what_is_wrong() {
    for (from, to, message) in [
        ("tictactoe", "chess", "game is \"chess\": write one of backgammon, "),
        ("seed = 5", "seed = -1", "seed = -1"),
        ("seed = 5", "seed = 5\nrules = \"misere\"", "rules is \"misere\": write one of standard"),
        ("uct:{s", "uct{s", "agent is \"uct{simulations}:{c}\": 'uct2:0.3' is not a player of tictactoe"),
        ("{c}", "{d}", "agent is \"uct:{simulations}:{d}\": write {c} in it, where the value belongs"),
        ("{c}", "{c}{d}", "{d} is not a parameter; the recipe has c, simulations"),
        ("start = 0.3", "start = 9", "parameters.c.start is 9.0: write a number from 0.05 to 5"),
        ("least = 0.05", "least = 0", "parameters.c.least is 0.0: write a number above 0"),
        ("most = 5,", "most = 2000,", "parameters.c.most is 2000.0: 'uct:2:2000' is not a player"),
        ("most = 40", "most = 1", "parameters.simulations.most is 1.0: write a number above the least, 2"),
        ("most = 40", "most = 2.1", "parameters.simulations.decimals is 0: write 0 to 9, so that"),
        (
            "start = 2,",
            "start = 2.25,",
            "parameters.simulations.start is 2.25: decimals = 0 cannot write it: write a number with no more decimals, \
             or decimals = 2",
        ),
        (
            "most = 40",
            "most = 40.5",
            "parameters.simulations.most is 40.5: decimals = 0 cannot write it: write a number with no more decimals, or \
             decimals = 1",
        ),
        (
            "least = 0.05, most = 5,",
            "least = 0.05, most = 5, decimals = 1,",
            "parameters.c.least is 0.05: decimals = 1 cannot write it: write a number with no more decimals, or \
             decimals = 2",
        ),
        ("ga = { population = 5", "ga = { population = -5", "integer `-5`, expected a whole number from 3 to 1000"),
        (
            "cma-es = { population = 5",
            "cma-es = { population = 3",
            "integer `3`, expected a whole number from 4 to 1000",
        ),
        ("most = 5,", "decimals = -1, most = 5,", "integer `-1`, expected a whole number from 0 to 9"),
        ("keep = 2", "keep = 5", "ga.keep is 5: write 2 to 4"),
        ("games = 8 }\nspsa", "games = 7 }\nspsa", "ga.games is 7: write an even number"),
        ("games = 160", "games = 30", "games is 30: write 40, one generation of ga, to 1000000000000"),
        ("spsa = { ", "spsa = { rate = 0, ", "spsa.rate is 0.0: write a number from 0.01 to 10000"),
        ("spsa = { ", "spsa = { rate = 1e300, ", "spsa.rate is 1e300: write a number from 0.01 to 10000"),
        (
            "cma-es = { ",
            "cma-es = { spread = 1e-300, ",
            "cma-es.spread is 1e-300: write a share of the range of a parameter, 0.001 to 1",
        ),
        ("spsa = { ", "spsa = { step = 0, ", "unknown field `step`, expected one of `games`, `perturbation`, `rate`"),
        (
            "spsa = { ",
            "spsa = { perturbation = 1e-9, ",
            "spsa.perturbation is 1e-9: write a share of the range that changes a parameter",
        ),
        ("cma-es = { ", "cma-es = { spread = 2, ", "cma-es.spread is 2.0: write a share of the range"),
        ("games = 200", "games = 20", "verification.games is 20: write an even number from 100"),
        (
            "games = 160",
            "games = 160\nmethods = [\"ga\", \"ga\"]",
            "methods is [\"ga\", \"ga\"]: write some of ga, spsa, cma-es",
        ),
    ] {
        let text = RECIPE.replacen(from, to, 1);
        assert_ne!(text, RECIPE, "{from}");
        let error = match Recipe::parse(&text) {
            Ok(recipe) => Tuning::<TicTacToe>::new(recipe, Tier::Portable).expect_err(message).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn the_recipes_of_the_repository_can_be_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../profiles/tune");
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let recipes: Vec<_> = entries.filter(|path| path.extension().is_some_and(|name| name == "toml")).collect();
    assert!(recipes.len() >= 4);
    for path in recipes {
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(Recipe::parse(&text).is_ok_and(|recipe| recipe.generations(MethodName::Ga) > 1), "{path:?}");
    }
}
