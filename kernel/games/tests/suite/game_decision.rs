//! Decisions in games other than backgammon.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::sync::Arc;

use tavli_backgammon::{NO_STOP, Stopped, Tier};
use tavli_games::{
    AnyDecisionRequest, AnyPosition, AnyPositionError, DecisionChunks, GameDecision, GameDecisionSettings, POINT,
    PlayableGame, built_in_net,
};
use tavli_rollout::{Options, Rollout};
use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli_search::GameLookAhead;
use tavli_trials::{EndReason, EndRulesRequest, PlanError, Verdict};
use tavli_variants::{Fevga, Plakoto};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

/// A decision about the first choices of a game after the chance numbered `chance`.
fn decided<G: PlayableGame>(
    chance: usize,
    settings: &GameDecisionSettings,
    threads: usize,
    cancel: &Cancel,
) -> GameDecision {
    let game = Arc::new(G::by_rules(G::RULES[0], Tier::best(), 1).expect("its own rules"));
    let net = built_in_net(&*game, "strong").expect("a net");
    let start = game.start();
    GameDecision::of(&game, (&start, chance), (&net, 0), settings, &workers(threads), cancel, |_| ())
        .expect("not stopped")
}

#[test]
fn a_decision_depends_on_no_number_of_workers() {
    for chance in 0..21 {
        let settings = GameDecisionSettings { trials: 72, ..GameDecisionSettings::default() };
        let decide = |threads| decided::<Plakoto>(chance, &settings, threads, &Cancel::new());
        let decision = decide(1);
        assert_eq!(decision, decide(2));
        assert!(matches!(decision.ended_by, EndReason::Decided | EndReason::Trials));
        let best = &decision.choices[decision.decision.candidate];
        assert!(best.trials == 36 || best.trials == 72, "{decision:?}");
        assert!(decision.choices.iter().all(|raced| raced.equity.low <= raced.equity.mean));
    }
}

/// The decision finds the best choice by whole games two plies ahead, or an equally good one.
#[test]
fn decisions_agree_with_look_ahead() {
    let game = Arc::new(Fevga::by_rules(Fevga::RULES[0], Tier::best(), 1).expect("its own rules"));
    let net = built_in_net(&*game, "strong").expect("a net");
    let ahead = GameLookAhead::new(Arc::clone(&game), net, 2);
    for chance in [3, 11, 20] {
        let decision = decided::<Fevga>(chance, &GameDecisionSettings::default(), 2, &Cancel::new());
        let ranked = ahead.ranked(&game.start(), chance, NO_STOP).expect("not stopped");
        let value = |choice: usize| {
            let looked = ranked.iter().find(|looked| looked.choice == choice).expect("a choice");
            looked.value as f64 / POINT as f64
        };
        let found = value(decision.choices[decision.decision.candidate].choice);
        assert!(value(ranked[0].choice) - found < 0.03, "{chance}: {decision:?}");
    }
}

#[test]
fn time_ends_a_decision_with_whole_trials() {
    let settings = GameDecisionSettings {
        within: 0.0,
        filter: None,
        plies: None,
        time: Some(Duration::ZERO),
        ..GameDecisionSettings::default()
    };
    let found = decided::<Plakoto>(5, &settings, 2, &Cancel::new());
    assert_eq!(found.ended_by, EndReason::Time, "{found:?}");
    assert_eq!(found.decision.verdict, Verdict::Open);
    let trials = found.choices[0].trials;
    assert!(trials < 36 && found.choices.iter().all(|raced| raced.trials == trials), "{found:?}");
}

/// Chunks of any sizes, played by another copy, are the whole decision.
#[test]
fn a_decision_in_chunks_is_the_whole() {
    for (game, roll) in [("plakoto", "43"), ("fevga", "31")] {
        let position = AnyPosition::start(game, None).expect("a game");
        let request = AnyDecisionRequest {
            roll: Some(roll.to_owned()),
            settings: GameDecisionSettings { trials: 100, within: 0.0, ..GameDecisionSettings::default() },
            ..AnyDecisionRequest::default()
        };
        let prepared = request.prepare(&position, Tier::best(), NO_STOP).expect("a decision");
        let whole = prepared.decide(&workers(2), &Cancel::new(), |_| ()).expect("not stopped");

        let file = match game {
            "plakoto" => &include_bytes!("../../players/plakoto-strong.player")[..],
            _ => include_bytes!("../../players/fevga-strong.player"),
        };
        let net = position.net(Tier::best(), file).expect("a net");
        let begin = || DecisionChunks::begin(&position, Some(roll), None, &net, &request.settings, Tier::best());
        let (mut lead, worker) = (begin().expect("a decision"), begin().expect("a decision"));
        assert_eq!(lead.roll(), roll);
        let ended_by = loop {
            let trials = match lead.next_trials() {
                Ok(trials) => trials,
                Err(reason) => break reason,
            };
            let playing = lead.playing().to_vec();
            let middle = trials.start + trials.end.div_ceil(7).min(trials.end - trials.start);
            for chunk in [trials.start..middle, middle..trials.end] {
                lead.add(&worker.values(&playing, chunk));
            }
        };
        assert_eq!((lead.standing(), ended_by), ((whole.plays, whole.decision), whole.ended_by), "{game}");
    }
}

/// As in backgammon, a end rule without a number of trials leaves the trials without bound.
#[test]
fn a_decision_by_time_alone_has_no_bound_on_trials() {
    let trials = |end_rules: EndRulesRequest| {
        let options = Options { end_rules, ..Options::default() };
        GameDecisionSettings::from_options(&options).expect("options in range").trials
    };
    let by_time = EndRulesRequest { seconds: Some(10.0), ..EndRulesRequest::default() };
    assert_eq!(trials(EndRulesRequest::default()), 2304);
    assert_eq!(trials(by_time), Rollout::MAX_TRIALS);
    let both = EndRulesRequest { trials: Some(72), ..by_time };
    assert_eq!(trials(both), 72);
}

#[test]
fn a_decision_that_waits_for_a_table_is_stopped() {
    let position = AnyPosition::start("plakoto", None).expect("a game");
    let request = AnyDecisionRequest {
        roll: Some("31".to_owned()),
        policy: Some("strong+bearoff:9x6".to_owned()),
        ..AnyDecisionRequest::default()
    };
    let stopped = request.prepare(&position, Tier::best(), &|| true).err();
    assert_eq!(stopped, Some(AnyPositionError::Stopped(Stopped).into()));
}

#[test]
fn a_decision_has_a_trial() {
    let options = Options { end_rules: EndRulesRequest::after_trials(0), ..Options::default() };
    assert_eq!(GameDecisionSettings::from_options(&options), Err(PlanError::Trials(0).into()));
}
