//! Whole trainings: the same weights whatever the threads, the tier and the interruptions; and they learn.

use std::num::NonZeroUsize;

use tavli_backgammon::Tier;
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_train::{
    CheckpointError, Opponent, Progress, Recipe, RecipeError, Step, Training, TrainingError,
};

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
strays = 0.1
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
strays = 0.2
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
    let mut training = Training::new(recipe(), tier, None).expect("a training");
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
            assert!(
                other.network() == training.network(),
                "{threads} threads, {tier}"
            );
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
    let mut training = Training::new(recipe(), Tier::best(), None).expect("a training");
    let mut kills = 0;
    // Each life ends at its second save; what follows the first save of the next life starts from that file.
    while !training.has_ended() {
        let cancel = Cancel::new();
        let mut saves = Vec::new();
        let ran = training.run(&workers, &cancel, |training| {
            // Examples are not saved: the next life makes them anew.
            let progress = training.progress();
            let is_supervised = |progress: Progress| matches!(progress.phase, 2..=4);
            if progress
                .is_some_and(|progress| is_supervised(progress) && progress.step != Step::Learn)
            {
                return;
            }
            saves.push(training.to_checkpoint());
            if saves.len() == 2 {
                cancel.cancel();
            }
        });
        ran.expect("it goes on");
        let saved = &saves[0];
        training = Training::from_checkpoint(recipe(), Tier::best(), saved).expect("it is whole");
        kills += 1;
    }
    assert!(kills >= 10, "{kills}");
    assert!(training.network() == whole.network());
    let strengths = |training: &Training| {
        let reports = training.reports().iter();
        reports
            .map(|report| {
                (
                    report.phase,
                    report.done,
                    report.strengths.clone(),
                    report.loss,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(strengths(&training), strengths(&whole));
}

#[test]
fn checkpoints_that_are_not_whole_are_refused() {
    let training = Training::new(recipe(), Tier::best(), None).expect("a training");
    let file = training.to_checkpoint();
    let read = |bytes: &[u8]| Training::from_checkpoint(recipe(), Tier::best(), bytes).map(|_| ());
    assert_eq!(read(&file), Ok(()));
    assert_eq!(read(b"tavli player"), Err(CheckpointError::Magic));
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
    let mut training = Training::new(recipe.expect("a recipe"), Tier::best(), None).expect("a net");
    training
        .run(&workers(2), &Cancel::new(), |_| ())
        .expect("it goes on");
    let last = training.reports().last().expect("a report");
    let uniform = last
        .strengths
        .iter()
        .find(|one| one.opponent == Opponent::Uniform);
    let points = uniform.expect("it is measured").points;
    assert!(
        points.mean > 1.0 && points.standard_error < 0.1,
        "{points:?}"
    );
}

#[test]
fn training_goes_on_from_a_net() {
    let text = EVERY_KIND
        .split("[[phase]]")
        .next()
        .expect("a beginning")
        .to_owned()
        + "[[phase]]\nkind = \"self-play\"\ngames = 1\nrate = 0.0\n";
    let recipe = Recipe::parse(&text).expect("a recipe");
    let net = trained(1, Tier::best()).network();
    let from = net.clone();
    let mut training = Training::new(recipe.clone(), Tier::best(), Some(from)).expect("the shape");
    training
        .run(&workers(1), &Cancel::new(), |_| ())
        .expect("it goes on");
    assert!(training.network() == net, "at rate 0 nothing is learned");
    let other = Recipe::parse(&text.replace("[20, 12]", "[20, 13]")).expect("a recipe");
    let error = Training::new(other, Tier::best(), Some(net)).map(|_| ());
    assert_eq!(
        error.expect_err("another shape").to_string(),
        "the net to start from has encoder raw196, hidden units [20, 12], activation logistic, outputs cumulative; the \
         recipe asks for encoder raw196, hidden units [20, 13], activation logistic, outputs cumulative"
    );
}

#[test]
fn too_high_a_rate_is_said() {
    let text = EVERY_KIND.replace("{ from = 0.5, to = 0.1 }", "1e9");
    let recipe = Recipe::parse(&text).expect("a recipe");
    let mut training = Training::new(recipe, Tier::best(), None).expect("a training");
    let error = training
        .run(&workers(1), &Cancel::new(), |_| ())
        .expect_err("too high");
    assert!(
        matches!(error, TrainingError::Diverged { phase: 1, .. }),
        "{error}"
    );
    assert!(
        error.to_string().ends_with("a lower rate may help"),
        "{error}"
    );
}

#[test]
fn errors_of_recipes_name_the_place() {
    let parse = |from: &str, to: &str| {
        assert!(EVERY_KIND.contains(from), "{from}");
        Recipe::parse(&EVERY_KIND.replacen(from, to, 1))
    };
    for (from, to, message) in [
        (
            "lambda = 1.0",
            "lambda = 1.5",
            "lambda of phase 6 is 1.5: write 0 to 1",
        ),
        (
            "rate = 0.001",
            "rate = -1.0",
            "rate of phase 6 is -1.0: write a number from 0 on",
        ),
        (
            "strays = 0.1",
            "strayer = \"td80\"",
            "strayer of phase 2 is \"td80\": write the share of its plays, strays, above 0, or name no strayer",
        ),
        (
            "[20, 12]",
            "[20, 0]",
            "net.hidden is [20, 0]: write at least one layer, each of 1 to 4096 units",
        ),
        (
            "[20, 12]",
            "[]",
            "net.hidden is []: write at least one layer, each of 1 to 4096 units",
        ),
    ] {
        let error = parse(from, to).expect_err(to);
        assert!(matches!(error, RecipeError::Value { .. }));
        assert_eq!(error.to_string(), message);
    }
    for (from, to, part) in [
        ("seed = 7", "seed = -7", "seed"),
        (
            "raw196",
            "raw197",
            "unknown encoder 'raw197'; choose one of: raw196, raw198",
        ),
        ("seed = 7", "seed = 7\nspeed = 1", "unknown field `speed`"),
        ("round = 40", "around = 40", "unknown field `around`"),
        ("look-ahead", "look-back", "unknown variant `look-back`"),
        ("games = 150", "games = 0", "nonzero"),
    ] {
        let error = parse(from, to).expect_err(to).to_string();
        assert!(error.contains(part), "{error}");
    }
    let none = EVERY_KIND.split("[[phase]]").next().expect("a beginning");
    assert!(Recipe::parse(none).is_err());
}

#[test]
fn a_player_has_the_net_that_ranks_first() {
    let with = |first: &str| {
        let text = format!("{first}\n{EVERY_KIND}");
        let (top, tables) = text.split_once("[net]").expect("a net");
        let (first, top) = top.split_once("description").expect("a description");
        format!("description{top}{first}[net]{tables}")
    };
    let first = "[first]\nplayer = \"cheap.player\"\nplays = 4\nmargin = 0.125\n";
    let recipe = Recipe::parse(&with(first)).expect("a recipe");
    let training = Training::new(recipe, Tier::best(), None).expect("a training");
    assert_eq!(training.player_file().first, None);
    let net = training.network();
    let file = training.with_first(net.clone()).player_file();
    let (stages, of_file) = file.first.expect("it ranks first");
    assert_eq!((stages.plays.get(), stages.margin), (4, 0.125));
    assert!(of_file == net);
    let negative = Recipe::parse(&with(&first.replace("0.125", "-1.0")));
    let error = negative.expect_err("a margin from 0 on").to_string();
    assert!(error.starts_with("first.margin is -1.0"), "{error}");
}
