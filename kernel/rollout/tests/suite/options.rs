//! Options that a user leaves out, names by a text, or cannot use.

use std::sync::Arc;

use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{Policy, PolicyPair, Uniform};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, NO_STOP, Position, Stopped};
use tavli_cube::{CubeInPlay, CubeState};
use tavli_players::named;
use tavli_rollout::{OptionTexts, OptionValue, Options, RolloutError, RolloutRequest};

/// A caller's own policy, which has the name of a built-in player.
#[derive(Debug)]
struct Impostor;

impl Policy for Impostor {
    fn name(&self) -> &str {
        "fast"
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        Uniform.pick(decisions, picks, stop)
    }
}

fn texts(set: &[(&str, &str)]) -> OptionTexts {
    let mut texts = OptionTexts::default();
    for (name, text) in set {
        texts.set(name, text);
    }
    texts
}

fn options(set: &[(&str, &str)]) -> Options {
    texts(set).options().expect("options")
}

fn evaluator(request: &RolloutRequest) -> Option<&str> {
    request.evaluator.as_ref().map(|evaluator| evaluator.name())
}

#[test]
fn games_that_are_cut_off_are_valued_by_their_player_unless_an_evaluator_is_named() {
    for (set, expected) in [
        (&[("truncate", "5")][..], Some("fast")),
        (&[("truncate", "5"), ("policy", "td80")], Some("td80")),
        (&[("truncate", "5"), ("policy_opponent", "td80")], Some("fast")),
        (&[("truncate", "5"), ("policy", "fast+cube")], Some("fast")),
        (&[("truncate", "5"), ("policy", "pubeval")], Some("sampled:36:uniform")),
        (&[("truncate", "5"), ("rules", "mcgammon")], Some("sampled:36:uniform")),
        (&[("truncate", "5"), ("evaluator", "strong")], Some("strong")),
        (&[("truncate", "5"), ("evaluator", "none")], None),
        (&[("truncate", "none")], None),
        (&[], None),
    ] {
        let request = options(set).request().expect("a request");
        assert_eq!(evaluator(&request), expected, "{set:?}");
    }
    let decision = |set| options(set).decision().expect("a request");
    assert_eq!(evaluator(&decision(&[])), Some("strong+bearoff:6x6"));
    assert_eq!(evaluator(&decision(&[("policy", "td80")])), Some("td80"));
    assert_eq!(decision(&[("truncate", "none")]).settings.truncation, None);
}

#[test]
fn a_policy_has_its_own_values_whatever_its_name() {
    let players = PolicyPair::alike(Arc::new(Impostor));
    let cut = Options { players: Some(players.clone()), ..options(&[("truncate", "5")]) };
    assert_eq!(evaluator(&cut.request().expect("a request")), Some("sampled:36:uniform"));
    let position: Position = "4HPwATDgc/ABMA".parse().expect("a position");
    let state = CubeState::from_context(position.context()).expect("a cube");
    let with_cube = RolloutRequest {
        players: Some(players),
        cube: Some(CubeInPlay { state, efficiency: None }),
        ..RolloutRequest::default()
    };
    let error = with_cube.rollout(&position).expect_err("nobody decides about the cube");
    assert_eq!(error, RolloutError::NoCubeValues("fast".to_owned()));
    for name in ["fast", "strong+bearoff:6x2", "sampled:9+1ply+cube", "td80+2ply:3"] {
        let named = named::player(name, NO_STOP).expect("a player");
        let own = named.policy.evaluator().expect("it values positions");
        assert_eq!(own.name(), named.evaluator.expect("an evaluator").name());
    }
    for name in ["uniform", "pubeval", "pubeval+bearoff:6x2"] {
        assert!(named::policy(name).expect("a policy").evaluator().is_none(), "{name}");
    }
}

#[test]
fn options_that_cannot_be_used_are_named() {
    for (set, decides, option, message) in [
        (&[("within", "0.1")][..], false, "within", "ask for a decision"),
        (&[("allocate", "even")], true, "allocate", "leave the allocation out"),
        (&[("trails", "5")], false, "trails", "choose from roll, filter, rules"),
        (
            &[("evaluator", "fast"), ("luck", "td80"), ("variance_reduction", "true")],
            false,
            "evaluator",
            "evaluator is for truncated games, and none is truncated: give truncate a number of plies, or let",
        ),
        (
            &[("evaluator", "fast"), ("luck", "td80"), ("truncate", "none")],
            true,
            "evaluator",
            "measure luck, by variance reduction",
        ),
        (&[("evaluator", "none")], false, "evaluator", "evaluator is for truncated games"),
        (
            &[("evaluator", "none"), ("variance_reduction", "true")],
            false,
            "evaluator",
            "variance reduction needs an evaluator, and the evaluator is none",
        ),
        (
            &[("evaluator", "none"), ("truncate", "3"), ("variance_reduction", "true")],
            false,
            "evaluator",
            "variance reduction needs an evaluator, and the evaluator is none",
        ),
        (&[("shard", "1/0")], false, "shard", "write its number and how many there are"),
        (&[("trials", "many")], false, "trials", "a whole number from 1 to 72057594037927936, not many"),
        (&[("seed", "-1")], false, "seed", "a whole number from 0 to 18446744073709551615, not -1"),
        (&[("truncate", "0")], false, "truncate", "a whole number from 1 to 4294967295, or none, not 0"),
        (&[("filter", "many")], false, "filter", "write a number, or all, not many"),
        (&[("roll", "31"), ("filter", "-1")], false, "filter", "0 or more"),
        (&[("variance_reduction", "yes")], false, "variance_reduction", "write true or false, not yes"),
        (&[("roll", "77")], false, "roll", "77"),
        (&[("policy", "gnubg")], false, "policy", "unknown policy 'gnubg'"),
        (&[("opponent_policy", "gnubg")], false, "opponent_policy", "unknown policy 'gnubg'"),
        (&[("luck", "pubeval")], false, "luck", "gives no probabilities"),
        (&[("jsd", "2"), ("stop_jsd", "3")], false, "jsd", "stop_jsd is another name of this option"),
        (&[("evaluator", "sampled")], false, "evaluator", "evaluator is for truncated games"),
        (&[("trials", "0")], false, "trials", "1 to 72057594037927936"),
    ] {
        let position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse().expect("a position");
        let request = texts(set).options().and_then(|options| match decides {
            true => options.decision(),
            false => options.request(),
        });
        let error = request.and_then(|request| request.rollout(&position)).expect_err(message);
        assert!(error.to_string().contains(message), "{set:?}: {error}");
        assert_eq!(error.option(), Some(option), "{error}");
    }
    let named = Options { plays: Some(vec!["8/5 6/5".into()]), filter: OptionValue::Set(0.1), ..Options::default() };
    assert_eq!(named.request().err(), Some(RolloutError::FilteredPlays));
    assert_eq!(named.decision().err(), Some(RolloutError::FilteredPlays));
    let of_position = Options { filter: OptionValue::Set(0.1), ..Options::default() };
    let request = of_position.request().expect("a request");
    let refused = request.rollout(&Board::START.into()).map(|_| ());
    assert_eq!(refused, Err(RolloutError::FilteredPosition));
    // The dice may be the position's.
    let rolled: Position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse().expect("a position");
    let rollout = request.rollout(&rolled).expect("a rollout");
    assert!((1..16).contains(&rollout.candidates().len()));
}

#[test]
fn what_shapes_the_games_or_ends_them_asks_for_a_plain_rollout() {
    for (name, text, decides) in [
        ("roll", "31", true),
        ("filter", "0.1", true),
        ("rules", "portes", true),
        ("seed", "7", true),
        ("first_roll", "open", true),
        ("seconds", "3", true),
        ("within", "0.1", true),
        ("truncate", "none", false),
        ("allocate", "even", false),
        ("trials", "36", false),
        ("stop_se", "0.1", false),
        ("standard_error", "0.1", false),
        ("stop_jsd", "3", false),
        ("jsd", "3", false),
        ("shard", "1/2", false),
        ("policy", "td80", false),
        ("policy_opponent", "td80", false),
        ("opponent_policy", "td80", false),
        ("evaluator", "none", false),
        ("variance_reduction", "true", false),
        ("luck", "fast", false),
    ] {
        assert_eq!(options(&[(name, text)]).are_for_decision(), decides, "{name}");
        assert!(OptionTexts::names().any(|known| known == name), "{name}");
        let both = options(&[(name, text), ("within", "0.1")]);
        assert!(both.are_for_decision(), "{name}");
    }
}

/// JSON has them as floating-point numbers.
#[test]
fn numbers_beyond_64_bits_are_not_shown_with_digits_of_their_own() {
    for (json, shown) in [
        (r#"{"seed": 18446744073709551616}"#, "not 1.8446744073709552e19"),
        (r#"{"seed": 18446744073709551615.5}"#, "not 1.8446744073709552e19"),
        (r#"{"seed": 0.5}"#, "not 0.5"),
    ] {
        let texts: OptionTexts = serde_json::from_str(json).expect("JSON");
        let error = texts.options().map(|_| ()).expect_err(json);
        assert!(error.to_string().ends_with(shown), "{error}");
    }
}
