//! Training of nets for Plakoto and Fevga.

use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_simd::Tier;
use tavli_train::{CheckpointError, NetFile, Opponent, VariantRecipe, VariantTraining};

fn recipe(game: &str, encoder: &str, more: &str) -> String {
    format!(
        "description = \"A small one\"\ngame = \"{game}\"\nseed = 1\nnet = {{ encoder = \"{encoder}\", hidden = 8 }}\n\
         report = {{ times = 2, games = 4 }}\n[self_play]\ngames = 40\nlambda = 0.7\nrate = 0.1\n{more}"
    )
}

fn workers(threads: usize) -> Workers {
    let threads = threads.try_into().ok();
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads).expect("a placement");
    Workers::start(&placement).expect("workers")
}

fn trained(text: &str, tier: Tier, threads: usize) -> VariantTraining {
    let mut training = VariantTraining::new(VariantRecipe::parse(text).expect("a recipe"), tier);
    assert_eq!(training.run(&workers(threads), &Cancel::new(), |_| ()), Ok(true));
    training
}

#[test]
fn weights_depend_on_the_recipe_alone() {
    for (game, encoder, more) in [
        ("fevga", "fevga-2", "prime_reward = true"),
        ("plakoto", "plakoto-2", ""),
        ("plakoto", "plakoto-2", "raw_targets = true\ndouble = 2"),
    ] {
        let text = recipe(game, encoder, more);
        let whole = trained(&text, Tier::best(), 2);
        let again = trained(&text, Tier::Portable, 1);
        assert_eq!(whole.file(), again.file());
        assert!(whole.has_ended() && whole.file().recipe == text);
        // After the first 16 games that reach a half, and at the end.
        let reports = whole.reports();
        assert_eq!(reports.iter().map(|report| report.done).collect::<Vec<_>>(), [32, 40]);
        for (report, other) in reports.iter().zip(again.reports()) {
            assert_eq!((report.loss, &report.strengths), (other.loss, &other.strengths));
            assert_eq!(report.strengths[0].opponent, Opponent::Tavli3d);
        }
        let other = recipe(game, encoder, more).replace("seed = 1", "seed = 2");
        assert_ne!(trained(&other, Tier::best(), 1).file().net, whole.file().net);
    }
}

#[test]
fn interrupted_trainings_go_on() {
    let text = recipe("fevga", "fevga-1", "");
    let parsed = || VariantRecipe::parse(&text).expect("a recipe");
    let whole = trained(&text, Tier::best(), 1);
    let mut training = VariantTraining::new(parsed(), Tier::best());
    let mut interruptions = 0;
    while !training.has_ended() {
        let cancel = Cancel::new();
        let ended = training.run(&workers(1), &cancel, |_| cancel.cancel()).expect("finite");
        if !ended {
            assert!(VariantTraining::began(&parsed(), &training.file()));
            interruptions += 1;
        }
        let saved = training.to_checkpoint();
        training = VariantTraining::from_checkpoint(parsed(), Tier::best(), &saved).expect("its own file");
    }
    assert!(interruptions > 2, "{interruptions}");
    assert_eq!(training.file(), whole.file());
    assert!(VariantTraining::made(&parsed(), &training.file()));
    let saved = training.to_checkpoint();
    let error = |recipe: &str, bytes: &[u8]| {
        let recipe = VariantRecipe::parse(recipe).expect("a recipe");
        VariantTraining::from_checkpoint(recipe, Tier::best(), bytes).unwrap_err()
    };
    assert_eq!(error(&recipe("fevga", "fevga-2", ""), &saved), CheckpointError::Recipe);
    assert_eq!(error(&text, b"something else"), CheckpointError::Magic);
    for other in [&b"tavli training 3\n"[..], b"tavli tables training 1\n"] {
        assert_eq!(error(&text, other), CheckpointError::Version);
    }
    let mut damaged = saved.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert!(matches!(error(&text, &damaged), CheckpointError::Checksum { .. }));
    assert!(NetFile::read(&whole.file().write()).is_ok());
}

/// A saved training as earlier versions wrote it, which did not name the phase.
fn as_before(saved: &[u8], games: u64) -> Vec<u8> {
    let lines: Vec<&[u8]> = saved[..saved.len() - 4].splitn(3, |&byte| byte == b'\n').collect();
    let mut of_before: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(lines[1]).expect("JSON");
    let has_ended = of_before["phases"] == 1;
    for name in ["phases", "games", "all"] {
        assert!(of_before.remove(name).is_some(), "{name}");
    }
    if has_ended {
        of_before.insert("done".to_owned(), games.into());
    }
    let mut file = [lines[0], &serde_json::to_vec(&of_before).expect("JSON"), lines[2]].join(&b'\n');
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

#[test]
fn trainings_of_earlier_versions_go_on() {
    let text = recipe("plakoto", "plakoto-1", "");
    let parsed = || VariantRecipe::parse(&text).expect("a recipe");
    let whole = trained(&text, Tier::best(), 1);
    let mut saves = Vec::new();
    let mut training = VariantTraining::new(parsed(), Tier::best());
    let ran = training.run(&workers(1), &Cancel::new(), |training| {
        saves.push(training.to_checkpoint());
    });
    assert_eq!(ran, Ok(true));
    for saved in &saves {
        let saved = as_before(saved, 40);
        let mut training = VariantTraining::from_checkpoint(parsed(), Tier::best(), &saved).expect("a whole file");
        assert_eq!(training.run(&workers(1), &Cancel::new(), |_| ()), Ok(true));
        assert_eq!(training.file(), whole.file());
        let done = |training: &VariantTraining| -> Vec<u64> {
            let reports = training.reports().iter();
            reports.map(|report| report.done).collect()
        };
        assert_eq!(done(&training), done(&whole));
    }
}

#[test]
fn recipes_name_what_is_wrong() {
    let good = recipe("fevga", "fevga-2", "");
    assert!(VariantRecipe::is_meant(&good) && VariantRecipe::parse(&good).is_ok());
    assert!(!VariantRecipe::is_meant("description = \"for backgammon\"\nseed = 1"));
    for (from, to, message) in [
        ("\"fevga\"", "\"chess\"", "game is \"chess\": write plakoto or fevga"),
        ("\"fevga\"", "\"plakoto\"", "game is \"plakoto\": its encoders are plakoto-1, plakoto-2"),
        ("hidden = 8", "hidden = 0", "net.hidden is 0: write 1 to 4096 units"),
        ("lambda = 0.7", "lambda = 1.7", "self_play.lambda is 1.7: write 0 to 1"),
        ("rate = 0.1", "rate = -1", "self_play.rate is -1.0: write a number above 0"),
        (
            "games = 40\nlambda = 0.7\nrate = 0.1",
            "games = 1\nlambda = 0.7\nrate = { from = 0.0, to = 0.1 }",
            "self_play.rate is 0.0: write a schedule that is above 0 where a game begins: nothing is learned",
        ),
        ("seed = 1", "seed = 9223372036854775808", ""),
        ("fevga-2", "fevga-3", "unknown encoder 'fevga-3'; choose one of: fevga-1"),
        ("games = 40", "games = 0", ""),
        ("rate = 0.1", "rate = 0.1\nspeed = 1", "unknown field `speed`"),
        ("rate = 0.1", "rate = 0.1\ndouble = 11", "self_play.double is 11.0: write 0 to 10 points"),
        ("rate = 0.1", "rate = 0.1\ndouble = 1e308", "self_play.double is 1e308: write 0 to 10 points"),
        ("games = 4 }", "games = 3 }", "report.games is 3: write an even number"),
    ] {
        assert!(good.contains(from));
        let error = VariantRecipe::parse(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // The text is still a recipe of such nets, and the error names the number.
    assert!(VariantRecipe::is_meant(&good.replace("rate = 0.1", "rate = 1e999")));
    let reward = recipe("plakoto", "plakoto-1", "prime_reward = true");
    let error = VariantRecipe::parse(&reward).unwrap_err().to_string();
    assert!(error.starts_with("self_play.prime_reward is true: leave it out"), "{error}");
}

/// The loss stays finite, since outputs are between 0 and 1.
#[test]
fn a_rate_that_no_weight_stands_is_an_error() {
    for rate in ["1e6", "1e30"] {
        let text = recipe("fevga", "fevga-2", "").replace("rate = 0.1", &format!("rate = {rate}"));
        let mut training = VariantTraining::new(VariantRecipe::parse(&text).expect("a recipe"), Tier::best());
        let error = training.run(&workers(1), &Cancel::new(), |_| ()).expect_err("no net");
        let said = "a weight has grown beyond 16384, and the values of the net mean nothing; a lower rate may help";
        assert!(error.to_string().ends_with(said), "{error}");
    }
}
