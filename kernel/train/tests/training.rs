//! Whole trainings: the same weights whatever the threads, the tier and the interruptions; and they learn.

use std::fs;
use std::num::NonZeroUsize;

use tavli_backgammon::Tier;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_train::{
    CheckpointError, Network, Opponent, PlayerFile, Recipe, RecipeError, Strength, Training, TrainingError,
    TrainingReport,
};
use tempfile::TempDir;

/// A short training with every kind of phase, both methods and both losses.
const EVERY_KIND: &str = r#"
description = "Every kind of phase"
seed = 7
[net]
encoder = "raw196"
hidden = [20, 12]
[report]
times = 3
games = 20
[[phase]]
kind = "self-play"
games = 150
round = 40
rate = { from = 0.5, to = 0.1 }
minibatch = 16
[[phase]]
kind = "supervised"
games = 10
every = 7
exploration = 0.1
targets = { by = "look-ahead", before = 0.25 }
lambda = 0.8
epochs = 3
rate = { from = 0.002, to = 0.0, along = "cosine" }
method = "adam"
loss = "cross-entropy"
minibatch = 25
[[phase]]
kind = "supervised"
games = 4
every = 9
targets = { by = "rollout", games = 4, plies = 3 }
rate = { steps = [[0.0, 0.1], [0.5, 0.01]] }
[[phase]]
kind = "supervised"
games = 2
every = 9
teacher = "pubeval"
evaluator = "sampled:36:uniform"
exploration = 0.2
targets = { by = "evaluation" }
rate = 0.1
[[phase]]
kind = "online"
games = 40
lambda = { from = 0.9, to = 0.5 }
rate = 0.05
[[phase]]
kind = "self-play"
games = 30
round = 20
minibatch_games = 3
lambda = 1.0
rate = 0.001
method = "adam"
"#;

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).expect("a placement");
    Workers::start(&placement).expect("workers")
}

fn recipe() -> Recipe {
    Recipe::parse(EVERY_KIND).expect("a recipe")
}

fn trained(threads: usize, tier: Tier) -> Training {
    let mut training = Training::new(recipe(), tier).expect("a training");
    let ended = training.run(&workers(threads), &Cancel::new(), |_| ());
    assert_eq!(ended, Ok(true));
    training
}

#[test]
fn weights_depend_on_no_threads_and_no_tier() {
    let training = trained(1, Tier::Portable);
    let reports = training.reports();
    assert_eq!(reports.last().map(|report| report.phase), Some(6));
    for threads in [1, 2, 5] {
        for &tier in Tier::available() {
            let other = trained(threads, tier);
            assert!(other.network() == training.network(), "{threads} threads, {tier}");
            assert_eq!(other.reports().len(), reports.len());
            for (other, report) in other.reports().iter().zip(reports) {
                assert_eq!(other.loss, report.loss);
                assert_eq!(other.strengths, report.strengths);
            }
        }
    }
}

#[test]
fn a_killed_training_comes_to_the_same_weights() {
    let whole = trained(2, Tier::best());
    let workers = workers(2);
    let mut training = Training::new(recipe(), Tier::best()).expect("a training");
    let mut kills = 0;
    // Each run is killed at its second save; the next run starts from the first of the two saves.
    while !training.has_ended() {
        let cancel = Cancel::new();
        let mut saves = Vec::new();
        let ran = training.run(&workers, &cancel, |training| {
            saves.push(training.to_checkpoint());
            if saves.len() == 2 {
                cancel.cancel();
            }
        });
        ran.expect("it goes on");
        let saved = &saves[0];
        training = Training::from_checkpoint(recipe(), Tier::best(), saved).expect("it is whole");
        assert_eq!(&training.to_checkpoint(), saved, "all of it is saved again");
        kills += 1;
    }
    assert!(kills >= 10, "{kills}");
    assert!(training.network() == whole.network());
    assert_eq!(facts(&training), facts(&whole));
}

/// The reports of a training, without its times.
fn facts(training: &Training) -> Vec<(usize, u64, Option<f64>, Vec<Strength>)> {
    let fact = |report: &TrainingReport| {
        let strengths = report.strengths.clone();
        (report.phase, report.done, report.loss, strengths)
    };
    training.reports().iter().map(fact).collect()
}

#[test]
fn checkpoints_that_are_not_whole_are_refused() {
    let training = Training::new(recipe(), Tier::best()).expect("a training");
    let file = training.to_checkpoint();
    let read = |bytes: &[u8]| Training::from_checkpoint(recipe(), Tier::best(), bytes).map(|_| ());
    assert_eq!(read(&file), Ok(()));
    assert_eq!(read(b"tavli player"), Err(CheckpointError::Magic));
    for old in [&b"tavli training 1\n{}\n"[..], b"tavli training 2\n{}\n"] {
        assert_eq!(read(old), Err(CheckpointError::Version));
    }
    for damage in [20, file.len() / 2, file.len() - 1] {
        let mut damaged = file.clone();
        damaged[damage] ^= 1;
        let error = read(&damaged).expect_err("it is damaged");
        assert!(matches!(error, CheckpointError::Checksum { .. }), "{error}");
    }
    assert!(read(&file[..file.len() - 4]).is_err());
    let other = Recipe::parse(&EVERY_KIND.replace("seed = 7", "seed = 8")).expect("a recipe");
    let error = Training::from_checkpoint(other, Tier::best(), &file).map(|_| ());
    assert_eq!(error, Err(CheckpointError::Recipe));
}

#[test]
fn a_net_learns_to_beat_chance() {
    let recipe = Recipe::parse(
        r#"
        description = "A small net"
        seed = 1
        [net]
        encoder = "raw196"
        hidden = [10]
        [report]
        times = 1
        games = 400
        [[phase]]
        kind = "self-play"
        games = 4000
        round = 100
        rate = 1.0
        minibatch = 8
        "#,
    );
    let mut training = Training::new(recipe.expect("a recipe"), Tier::best()).expect("a net");
    training.run(&workers(2), &Cancel::new(), |_| ()).expect("it goes on");
    let last = training.reports().last().expect("a report");
    let uniform = last.strengths.iter().find(|one| one.opponent == Opponent::Uniform);
    let points = uniform.expect("it is measured").points;
    assert!(points.mean > 1.0 && points.standard_error < 0.1, "{points:?}");
}

/// Writes a net as the file of a player, and returns the path.
fn write_player(folder: &TempDir, name: &str, net: Network) -> String {
    let file = PlayerFile { net, prefilter: None, recipe: String::new() };
    let path = folder.path().join(name);
    fs::write(&path, file.write()).expect("a place to write");
    path.to_str().expect("a name").to_owned()
}

/// A net of the first weights of [`EVERY_KIND`] with another seed.
fn net(seed: u64) -> Network {
    let text = EVERY_KIND.replace("seed = 7", &format!("seed = {seed}"));
    let recipe = Recipe::parse(&text).expect("a recipe");
    let training = Training::new(recipe, Tier::best()).expect("a training");
    training.network()
}

/// The beginning of [`EVERY_KIND`] with another phase.
fn one_phase(phase: &str) -> String {
    let beginning = EVERY_KIND.split("[[phase]]").next();
    format!("{}[[phase]]\n{phase}", beginning.expect("a beginning"))
}

#[test]
fn training_goes_on_from_a_net() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = net(8);
    let path = write_player(&folder, "from.player", net.clone());
    let text = one_phase("kind = \"self-play\"\ngames = 1\nrate = 2e-45\n");
    let text = text.replace("[net]", &format!("[net]\nfrom = {path:?}"));
    let recipe = Recipe::parse(&text).expect("a recipe");
    let mut training = Training::new(recipe, Tier::best()).expect("the shape");
    training.run(&workers(1), &Cancel::new(), |_| ()).expect("it goes on");
    assert!(training.network() == net, "the smallest float changes no weight");
    let other = Recipe::parse(&text.replace("[20, 12]", "[20, 13]")).expect("a recipe");
    let error = Training::new(other, Tier::best()).map(|_| ());
    assert_eq!(
        error.expect_err("another shape").to_string(),
        "the net to start from has encoder raw196, hidden units [20, 12], activation logistic, outputs cumulative; the \
         recipe asks for encoder raw196, hidden units [20, 13], activation logistic, outputs cumulative"
    );
}

/// A recipe with players from files in the second phase, and a file for the player that ranks the net's plays.
fn with_players(folder: &TempDir) -> Recipe {
    let path = |name: &str| {
        let path = folder.path().join(name);
        path.to_str().expect("a name").to_owned()
    };
    let first = format!("[prefilter]\nplayer = {:?}\nplays = 4\nmargin = 0.1\n[net]", path("prefilter.player"));
    let text = one_phase("kind = \"self-play\"\ngames = 20\nrate = 0.1\n").replace("[net]", &first)
        + &format!(
            "[[phase]]\nkind = \"supervised\"\ngames = 2\nexploration = 0.1\nteacher = {:?}\nevaluator = {:?}\n\
             explorer = {:?}\ntargets = {{ by = \"look-ahead\" }}\nrate = 0.1\n",
            path("teacher.player"),
            path("evaluator.player") + "+1ply",
            path("explorer.player"),
        );
    Recipe::parse(&text).expect("a recipe")
}

#[test]
fn what_a_recipe_names_is_read_before_the_first_game_and_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["teacher", "evaluator", "explorer", "prefilter"];
    for (seed, name) in (10..).zip(names) {
        write_player(&folder, &format!("{name}.player"), net(seed));
    }
    let recipe = with_players(&folder);
    let training = Training::new(recipe.clone(), Tier::best()).expect("all is there");
    let saved = training.to_checkpoint();
    let go_on = || Training::from_checkpoint(recipe.clone(), Tier::best(), &saved).map(|_| ());
    assert_eq!(go_on(), Ok(()));
    for (seed, name) in (10..).zip(names) {
        let file = folder.path().join(format!("{name}.player"));
        // Another net, another format, and no file.
        write_player(&folder, &format!("{name}.player"), net(20));
        let replaced = go_on().expect_err("another net").to_string();
        assert!(replaced.starts_with(name) && replaced.contains(", and the training began with "), "{replaced}");
        fs::write(&file, "no net").expect("a place to write");
        let damaged = Training::new(recipe.clone(), Tier::best()).expect_err("no net");
        fs::remove_file(&file).expect("it is there");
        let missing = Training::new(recipe.clone(), Tier::best()).expect_err("no file");
        for error in [damaged, missing] {
            assert!(matches!(error, TrainingError::Input(_)), "{error:?}");
            assert!(error.to_string().starts_with(name), "{error}");
        }
        assert!(matches!(go_on(), Err(CheckpointError::Input(_))));
        write_player(&folder, &format!("{name}.player"), net(seed));
        assert_eq!(go_on(), Ok(()), "the first file again");
    }
}

#[test]
fn files_replaced_while_a_training_runs_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["teacher", "evaluator", "explorer", "prefilter"];
    let nets = || {
        for (seed, name) in (10..).zip(names) {
            write_player(&folder, &format!("{name}.player"), net(seed));
        }
    };
    let train = |begun: &dyn Fn()| {
        let mut training = Training::new(with_players(&folder), Tier::best()).expect("all is there");
        begun();
        let ran = training.run(&workers(1), &Cancel::new(), |_| ());
        assert_eq!(ran, Ok(true));
        training.file()
    };
    nets();
    let expected = train(&|| ());
    let found = train(&|| {
        for name in names {
            fs::remove_file(folder.path().join(format!("{name}.player"))).expect("it is there");
        }
    });
    assert!(found == expected);
}

#[test]
fn the_file_of_a_net_says_whether_its_training_is_done() {
    let text = one_phase("kind = \"self-play\"\ngames = 40\nround = 20\nrate = 0.1\n");
    let train = |text: &str| {
        let recipe = Recipe::parse(text).expect("a recipe");
        let mut training = Training::new(recipe, Tier::best()).expect("a training");
        let mut files = Vec::new();
        let ran = training.run(&workers(1), &Cancel::new(), |training| {
            files.push(training.file());
        });
        assert_eq!(ran, Ok(true));
        (training, files)
    };
    let (training, files) = train(&text);
    let (last, before) = files.split_last().expect("it was watched");
    let recipe = training.recipe();
    assert!(training.is_done() && Training::made(recipe, last) && !Training::began(recipe, last));
    assert_eq!(last.recipe, text);
    assert!(before.len() > 2);
    for file in before {
        assert!(!Training::made(recipe, file) && Training::began(recipe, file));
        let read = PlayerFile::read(&file.write()).expect("the file of a player");
        let line = "# This training has not ended: it is in phase 1 of 1.\n";
        assert_eq!(read.recipe, format!("{line}{text}"));
        assert!(Recipe::parse(&read.recipe).is_ok());
    }
    let (weak, files) = train(&text.replace("games = 20\n[[", "games = 20\npubeval_at_least = 3.0\n[["));
    assert!(weak.has_ended() && !weak.is_done());
    let missed = weak.missed_demand().expect("no net wins backgammons only");
    assert_eq!(missed.least, 3.0);
    let last = files.last().expect("it was watched");
    assert!(!Training::made(weak.recipe(), last) && Training::began(weak.recipe(), last));
    assert!(last.recipe.starts_with("# This training ended, and the net makes -"));
}

#[test]
fn a_training_stops_at_once_and_measures_later() {
    let whole = trained(2, Tier::best());
    let workers = workers(2);
    let mut training = Training::new(recipe(), Tier::best()).expect("a training");
    let thrown = Cancel::new();
    thrown.cancel();
    let mut stops = 0;
    loop {
        // With the switch thrown before it begins, nothing is done.
        let state = |training: &Training| {
            let reports = training.reports().len();
            (training.progress(), reports, training.network())
        };
        let before = state(&training);
        let stopped = training.run(&workers, &thrown, |_| ());
        if training.has_ended() {
            break;
        }
        assert_eq!(stopped, Ok(false));
        assert!(state(&training) == before, "nothing is done");
        stops += 1;
        let once = Cancel::new();
        let ran = training.run(&workers, &once, |_| once.cancel());
        ran.expect("it goes on");
    }
    assert!(stops > 20, "{stops}");
    assert!(training.network() == whole.network());
    assert_eq!(facts(&training), facts(&whole));
}

#[test]
fn infinite_weights_and_losses_end_the_training() {
    for (phase, reason) in [
        ("kind = \"self-play\"\ngames = 40\nround = 20\nrate = 1e30\n", "the sums of unit "),
        (
            "kind = \"self-play\"\ngames = 40\nround = 20\nminibatch_games = 20\nrate = 1e308\n",
            "a weight is not a finite number",
        ),
        ("kind = \"online\"\ngames = 40\nrate = 1e308\n", "the loss is not a finite number"),
        (
            "kind = \"supervised\"\ngames = 10\ntargets = { by = \"look-ahead\" }\nrate = 1e308\n",
            "the loss is not a finite number",
        ),
    ] {
        let messages = [1, 3].map(|threads| {
            let recipe = Recipe::parse(&one_phase(phase)).expect("a recipe");
            let mut training = Training::new(recipe, Tier::best()).expect("a training");
            let ran = training.run(&workers(threads), &Cancel::new(), |_| ());
            let error = ran.expect_err(phase);
            let TrainingError::Diverged { phase: 1, step, .. } = error else {
                panic!("{error}");
            };
            assert!(step > 0, "{error}");
            error.to_string()
        });
        assert!(messages[0].contains(reason), "{}", messages[0]);
        assert_eq!(messages[0], messages[1], "at the same step");
    }
}

/// With all corrections the targets of a net that knows nothing are near the ends of games. So its loss does not depend
/// on how far rollouts look: an error counts once.
#[test]
fn rollouts_are_not_corrected_for_what_they_have_seen() {
    let loss = |plies: u32| {
        let text = one_phase(&format!(
            "kind = \"supervised\"\ngames = 30\nlambda = 1.0\nrate = 2e-45\n\
             targets = {{ by = \"rollout\", games = 36, plies = {plies} }}\n"
        ));
        let recipe = Recipe::parse(&text).expect("a recipe");
        let mut training = Training::new(recipe, Tier::best()).expect("a training");
        let ran = training.run(&workers(2), &Cancel::new(), |_| ());
        assert_eq!(ran, Ok(true));
        let last = training.reports().last().expect("a report");
        last.loss.expect("positions were learned from")
    };
    let [near, far] = [1, 7].map(loss);
    assert!((near / 2.0..near * 2.0).contains(&far), "{near} {far}");
}

/// Trains by the beginning of [`EVERY_KIND`] and another phase, and returns the remarks of the way.
fn ended(phase: &str) -> (Training, Vec<String>) {
    let recipe = Recipe::parse(&one_phase(phase)).expect(phase);
    let mut training = Training::new(recipe, Tier::best()).expect("a training");
    let mut remarks = Vec::new();
    let ran = training.run(&workers(2), &Cancel::new(), |training| {
        remarks.extend(training.remarks());
        remarks.dedup();
    });
    assert_eq!(ran, Ok(true));
    (training, remarks)
}

#[test]
fn the_positions_of_a_smaller_last_minibatch_are_counted() {
    let counts = |minibatch: usize| {
        let (training, _) = ended(&format!(
            "kind = \"supervised\"\ngames = 2\nepochs = 3\nrate = 0.1\n\
             targets = {{ by = \"look-ahead\" }}\nminibatch = {minibatch}\n"
        ));
        let reports = training.reports().iter();
        reports.map(|report| (report.done, report.of)).collect::<Vec<_>>()
    };
    let one_by_one = counts(1);
    let (done, of) = *one_by_one.last().expect("a report");
    assert!(done == of && of.is_multiple_of(3), "{one_by_one:?}");
    for minibatch in [2, 32, 100, of as usize / 3, 1_000_000] {
        assert_eq!(counts(minibatch), one_by_one, "{minibatch}");
    }
}

#[test]
fn settings_that_a_phase_does_not_fill_are_remarked() {
    let supervised = "kind = \"supervised\"\ngames = 2\nevery = 9\ntargets = { by = \"look-ahead\" }\n";
    let self_play = "kind = \"self-play\"\ngames = 60\nround = 20\nrate = 0.1\n";
    for (phase, start, end) in [
        (
            format!("{supervised}rate = 0.1\nwarm_up = 1000000\n"),
            "warm_up of phase 1 is 1000000, and the phase has ",
            " of the rate",
        ),
        (
            format!("{supervised}rate = {{ from = 0.0, to = 0.1 }}\nminibatch = 1000000\n"),
            "minibatch of phase 1 is 1000000, and the phase has ",
            "rate of phase 1 is 0 where each of its steps begins: nothing is learned",
        ),
        (
            format!("{self_play}minibatch = 1000000\n"),
            "minibatch of phase 1 is 1000000, and its first round has ",
            " positions: a step learns from all of them",
        ),
        (
            format!("{self_play}minibatch_games = 21\n"),
            "minibatch_games of phase 1 is 21, and a round has 20 games: ",
            "a step learns from all of them",
        ),
    ] {
        let (_, remarks) = ended(&phase);
        let first = remarks.first().expect(&phase);
        assert!(first.starts_with(start), "{remarks:?}");
        assert!(remarks.last().expect("the first").ends_with(end), "{remarks:?}");
    }
    for phase in [
        format!("{supervised}rate = 0.1\nwarm_up = 1\nminibatch = 2\n"),
        format!("{self_play}minibatch_games = 20\n"),
        format!("{self_play}minibatch = 2\n"),
    ] {
        let (_, remarks) = ended(&phase);
        assert!(remarks.is_empty(), "{remarks:?}");
    }
}

#[test]
fn too_high_a_rate_is_said() {
    let text = EVERY_KIND.replace("{ from = 0.5, to = 0.1 }", "1e9");
    let recipe = Recipe::parse(&text).expect("a recipe");
    let mut training = Training::new(recipe, Tier::best()).expect("a training");
    let error = training.run(&workers(1), &Cancel::new(), |_| ()).expect_err("too high");
    assert!(matches!(error, TrainingError::Diverged { phase: 1, .. }), "{error}");
    assert!(error.to_string().ends_with("a lower rate may help"), "{error}");
}

#[test]
fn old_keys_of_recipes_are_read() {
    let filter = "[first]\nplayer = \"cheap.player\"\nplays = 4\nmargin = 0.1\n[net]";
    let old = EVERY_KIND.replace("exploration", "strays").replace("[net]", filter);
    let old = Recipe::parse(&old).expect("old keys");
    assert_eq!(old.phases, recipe().phases);
    assert_eq!(old.prefilter.expect("a filter").player, "cheap.player");
}

#[test]
fn errors_of_recipes_name_the_place() {
    let parse = |from: &str, to: &str| {
        assert!(EVERY_KIND.contains(from), "{from}");
        Recipe::parse(&EVERY_KIND.replacen(from, to, 1))
    };
    for (from, to, message) in [
        ("lambda = 1.0", "lambda = 1.5", "lambda of phase 6 is 1.5: write 0 to 1"),
        ("rate = 0.001", "rate = -1.0", "rate of phase 6 is -1.0: write a number above 0"),
        (
            "{ from = 0.5, to = 0.1 }",
            "{ steps = [[0.0, 0.0], [0.9, 0.5]] }",
            "rate of phase 1 is 0.0: write a schedule that is above 0 where a round begins: nothing is learned",
        ),
        (
            "games = 40\nlambda = { from = 0.9, to = 0.5 }\nrate = 0.05",
            "games = 1\nrate = { from = 0.0, to = 0.5 }",
            "rate of phase 5 is 0.0: write a schedule that is above 0 where a game begins: nothing is learned",
        ),
        (
            "exploration = 0.1",
            "explorer = \"td80\"",
            "explorer of phase 2 is \"td80\": write the share of its plays, exploration, above 0, or name no explorer",
        ),
        ("[20, 12]", "[20, 0]", "net.hidden is [20, 0]: write 1 to 16 layers, each of 1 to 4096 units"),
        ("[20, 12]", "[]", "net.hidden is []: write 1 to 16 layers, each of 1 to 4096 units"),
        (
            "[20, 12]",
            "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
            "net.hidden is [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]: write 1 to 16 layers, each of 1 to 4096 \
             units",
        ),
        (
            "games = 20\n",
            "games = 20\npubeval_at_least = nan\n",
            "report.pubeval_at_least is NaN: write points per game, -3 to 3",
        ),
        (
            "games = 20\n",
            "games = 20\npubeval_at_least = 3.5\n",
            "report.pubeval_at_least is 3.5: write points per game, -3 to 3",
        ),
        (
            "{ steps = [[0.0, 0.1], [0.5, 0.01]] }",
            "{ steps = [] }",
            "steps of the rate of phase 3 is []: write parts of the phase that rise from 0 and are below 1, such as [[0.0, \
             1.0], [0.8, 0.1]]",
        ),
        (
            "{ steps = [[0.0, 0.1], [0.5, 0.01]] }",
            "{ steps = [[0.0, 0.1], [0.5, 0.01], [0.4, 1.0]] }",
            "steps of the rate of phase 3 is [[0.0, 0.1], [0.5, 0.01], [0.4, 1.0]]: write parts of the phase that rise \
             from 0 and are below 1, such as [[0.0, 1.0], [0.8, 0.1]]",
        ),
        (
            "lambda = 1.0",
            "lambda = { steps = [[0.1, 1.0]] }",
            "steps of the lambda of phase 6 is [[0.1, 1.0]]: write parts of the phase that rise from 0 and are below 1, \
             such as [[0.0, 1.0], [0.8, 0.1]]",
        ),
        (
            "minibatch_games = 3",
            "minibatch_games = 3\nminibatch = 32",
            "minibatch_games of phase 6 is 3: name it or minibatch, not both: the positions or the games of a step",
        ),
        (
            "targets = { by = \"evaluation\" }",
            "targets = { by = \"evaluation\" }\nlambda = 0.5",
            "lambda of phase 4 is 0.5: leave it out: the evaluator's own values are not corrected",
        ),
        (
            "games = 20",
            "games = 3",
            "report.games is 3: write an even number: two games on the same dice, with the sides exchanged",
        ),
        (
            "rate = 0.05",
            "rate = 0",
            "rate of phase 5 is 0.0: write a number above 0: at a rate of 0 nothing is learned",
        ),
        (
            "rate = 0.05",
            "rate = { from = 1e-46, to = 1e-320 }",
            "rate of phase 5 is 1e-46: write a larger number, such as 0.1: in single precision it is 0, and nothing is \
             learned",
        ),
        (
            "games = 150",
            "games = 9223372036854775807",
            "the number of games is 9223372036854775893: write fewer: there are 2^63 games of a seed",
        ),
    ] {
        let error = parse(from, to).expect_err(to);
        assert!(matches!(error, RecipeError::Value { .. }));
        assert_eq!(error.to_string(), message);
    }
    for (from, to, part) in [
        ("seed = 7", "seed = -7", "seed"),
        ("raw196", "raw197", "unknown encoder 'raw197'; choose one of: raw196, raw198"),
        ("seed = 7", "seed = 7\nspeed = 1", "unknown field `speed`"),
        (
            "round = 40",
            "around = 40",
            "unknown field `around`, expected one of `games`, `lambda`, `round`, `minibatch_games`, `rate`, `method`",
        ),
        ("look-ahead", "look-back", "unknown variant `look-back`"),
        ("games = 150", "games = 0", "games: invalid value: integer `0`, expected a nonzero"),
        ("round = 40", "round = 0", "round: invalid value: integer `0`, expected a nonzero"),
        (
            "minibatch = 25",
            "minibatch = 0",
            "minibatch: invalid value: integer `0`, expected a whole number from 1 to 1000000000",
        ),
        (
            "minibatch = 25",
            "minibatch = 1000000001",
            "minibatch: invalid value: integer `1000000001`, expected a whole number from 1 to 1000000000",
        ),
        (
            "epochs = 3",
            "epochs = 9223372036854775807",
            "epochs: invalid value: integer `9223372036854775807`, expected a whole number from 1 to 1000000000",
        ),
        ("times = 3", "times = 0", "invalid value: integer `0`, expected a whole number from 1 to 10000"),
        ("times = 3", "times = 100000", "invalid value: integer `100000`, expected a whole number from 1 to 10000"),
        ("kind = \"online\"", "kind = \"offline\"", "kind is \"offline\": write \"self-play\""),
        ("exploration = 0.1", "learning = 0.1", "unknown field `learning`"),
        ("rate = 0.05\n", "", "\nmissing field `rate`"),
        ("rate = 0.1\n", "", "\nmissing field `rate`"),
        ("games = 4, plies", "games = 0, plies", "targets: invalid value: integer `0`"),
        ("by = \"evaluation\"", "by = \"evaluation\", before = 0.5", "unknown field `before`"),
        (
            "{ steps = [[0.0, 0.1], [0.5, 0.01]] }",
            "{ steps = [[0.0, 0.1]], from = 1.0, to = 0.5 }",
            "write a number, { from = 1.0, to = 0.1 }",
        ),
    ] {
        let error = parse(from, to).expect_err(to).to_string();
        assert!(error.contains(part), "{error}");
    }
    let none = EVERY_KIND.split("[[phase]]").next().expect("a beginning");
    assert!(Recipe::parse(none).is_err());
}

#[test]
fn a_player_has_the_net_that_ranks_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_player(&folder, "cheap.player", net(9));
    let with = |first: &str| {
        let text = format!("{first}\n{EVERY_KIND}");
        let (top, tables) = text.split_once("[net]").expect("a net");
        let (first, top) = top.split_once("description").expect("a description");
        format!("description{top}{first}[net]{tables}")
    };
    let first = format!("[prefilter]\nplayer = {path:?}\nplays = 4\nmargin = 0.125\n");
    let recipe = Recipe::parse(&with(&first)).expect("a recipe");
    let training = Training::new(recipe, Tier::best()).expect("a training");
    let (stages, of_file) = training.file().prefilter.expect("it ranks first");
    assert_eq!((stages.plays.get(), stages.margin), (4, 0.125));
    assert!(of_file == net(9));
    let negative = Recipe::parse(&with(&first.replace("0.125", "-1.0")));
    let error = negative.expect_err("a margin from 0 on").to_string();
    assert!(error.starts_with("prefilter.margin is -1.0"), "{error}");
    let large = Recipe::parse(&with(&first.replace("0.125", "1e308")));
    let error = large.expect_err("a margin of a player file").to_string();
    assert!(error.starts_with("prefilter.margin is 1e308"), "{error}");
}
