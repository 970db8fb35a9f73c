//! Decisions in games other than backgammon.

use core::num::NonZeroUsize;
use std::sync::Arc;

use tavli::game::{
    AnyPosition, AnyPositionError, DecisionRequest, GameCandidateResult, GameRollout, GameRolloutRequest, NamedGame,
    POINT, RaceSettings, built_in_net,
};
use tavli::rollout::{
    Allocation, Decision, Options, Playable, Rollout, RolloutError, Session, StopReason, StopRequest, Verdict,
};
use tavli::run::{Cancel, Cpus, Pinning, Placement, Workers};
use tavli::search::LookAhead;
use tavli::variants::{Fevga, Plakoto};
use tavli::{NO_STOP, Stopped, Tier};

fn workers(threads: usize) -> Workers {
    let threads = NonZeroUsize::new(threads);
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, threads);
    Workers::start(&placement.expect("a placement")).expect("workers")
}

fn usual() -> GameRolloutRequest {
    DecisionRequest::default().rollout
}

/// A decision about the first choices of a game after the chance numbered `chance`.
fn begun<G: NamedGame>(chance: usize, request: &GameRolloutRequest) -> GameRollout<G> {
    let game = G::by_rules(G::RULES[0], Tier::best(), 1).expect("its own rules");
    GameRollout::new(game.start(), Some(chance), request, Tier::best()).expect("a decision")
}

/// The results of a decision, how it stands, and what ended it.
type Decided = (Vec<GameCandidateResult>, Decision, StopReason);

fn decided<G: NamedGame>(chance: usize, request: &GameRolloutRequest, threads: usize) -> Decided {
    let mut rollout = begun::<G>(chance, request);
    let ended_by = Session::default().play(&mut rollout, &workers(threads), |_| ());
    let decision = rollout.decision().expect("the plays are valued");
    (rollout.standings(), decision, ended_by.expect("nothing is saved"))
}

#[test]
fn a_decision_depends_on_no_number_of_workers() {
    for chance in 0..21 {
        let request = GameRolloutRequest {
            stop: StopRequest::after(72),
            ..usual()
        };
        let found = decided::<Plakoto>(chance, &request, 1);
        assert_eq!(found, decided::<Plakoto>(chance, &request, 2));
        let (standings, _, ended_by) = &found;
        assert!(matches!(ended_by, StopReason::Decided | StopReason::Trials));
        assert!(matches!(standings[0].trials, 36 | 72), "{found:?}");
        assert!(standings.iter().all(|result| result.equity.low <= result.equity.mean));
    }
}

/// The decision finds the best choice by whole games two plies ahead, or an equally good one.
#[test]
fn decisions_agree_with_look_ahead() {
    let game = Arc::new(Fevga::by_rules(Fevga::RULES[0], Tier::best(), 1).expect("its own rules"));
    let net = built_in_net(&*game, "strong").expect("a net");
    let ahead = LookAhead::new(Arc::clone(&game), net, 2);
    for chance in [3, 11, 20] {
        let mut rollout = begun::<Fevga>(chance, &usual());
        Session::default()
            .play(&mut rollout, &workers(2), |_| ())
            .expect("nothing is saved");
        let best = rollout.standings()[0].candidate;
        let ranked = ahead.ranked(&game.start(), chance, NO_STOP).expect("not stopped");
        let value = |choice: usize| {
            let looked = ranked.iter().find(|looked| looked.choice == choice).expect("a choice");
            looked.value as f64 / POINT as f64
        };
        let found = value(rollout.candidates()[best].choice);
        assert!(value(ranked[0].choice) - found < 0.03, "{chance}: {rollout:?}");
    }
}

#[test]
fn time_ends_a_decision_with_whole_trials() {
    let request = GameRolloutRequest {
        race: Some(RaceSettings {
            within: 0.0,
            filter: None,
            truncation: None,
        }),
        stop: StopRequest {
            seconds: Some(1e-6),
            ..StopRequest::after(2304)
        },
        ..usual()
    };
    let (standings, decision, ended_by) = decided::<Plakoto>(5, &request, 2);
    assert_eq!(ended_by, StopReason::Time, "{standings:?}");
    assert_eq!(decision.verdict, Verdict::Open);
    let trials = standings[0].trials;
    assert!(
        trials < 36 && standings.iter().all(|result| result.trials == trials),
        "{standings:?}"
    );
}

/// A decision that was saved while it was played goes on to the same end.
#[test]
fn a_saved_decision_goes_on() {
    let request = GameRolloutRequest {
        race: Some(RaceSettings {
            within: 0.0,
            ..RaceSettings::default()
        }),
        stop: StopRequest::after(144),
        ..usual()
    };
    let whole = decided::<Fevga>(4, &request, 2);
    for trials in [0, 20, 36, 100] {
        let part = GameRolloutRequest {
            stop: StopRequest::after(trials.max(1)),
            ..request.clone()
        };
        let mut rollout = begun::<Fevga>(4, &part);
        if trials > 0 {
            Session::default()
                .play(&mut rollout, &workers(2), |_| ())
                .expect("nothing is saved");
        }
        let json = rollout.to_json();
        let read = GameRollout::<Fevga>::from_json(&json, Tier::best()).expect("its own record");
        assert_eq!(
            (read.to_json(), read.standings()),
            (json.clone(), rollout.standings()),
            "{trials}"
        );
        let stop = request.stop.resolve(Allocation::DEFAULT_RACE).expect("a rule");
        let mut read = read.until(stop).expect("more trials");
        let ended_by = Session::default().play(&mut read, &workers(1), |_| ());
        let found = (
            read.standings(),
            read.decision().expect("a race"),
            ended_by.expect("not saved"),
        );
        assert_eq!(found, whole, "{trials}");
    }
}

/// Pieces of any sizes, played by another copy, are the whole decision.
#[test]
fn a_decision_in_pieces_is_the_whole() {
    for (game, roll) in [("plakoto", "43"), ("fevga", "31")] {
        let position = AnyPosition::start(game, None).expect("a game");
        let request = DecisionRequest {
            roll: Some(roll.to_owned()),
            rollout: GameRolloutRequest {
                race: Some(RaceSettings {
                    within: 0.0,
                    ..RaceSettings::default()
                }),
                stop: StopRequest::after(100),
                ..usual()
            },
            ..DecisionRequest::default()
        };
        let mut prepared = request.prepare(&position, Tier::best(), NO_STOP).expect("a decision");
        let whole = prepared
            .decide(&workers(2), &Cancel::new(), &mut |_| ())
            .expect("not stopped");

        let file = match game {
            "plakoto" => &include_bytes!("../../players/plakoto-strong.player")[..],
            _ => include_bytes!("../../players/fevga-strong.player"),
        };
        let net = position.net(Tier::best(), file).expect("a net");
        let begin = || request.in_pieces(&position, &net, Tier::best());
        let (mut lead, worker) = (begin().expect("a decision"), begin().expect("a decision"));
        assert_eq!(lead.roll(), roll);
        let ended_by = loop {
            let trials = match lead.next_trials() {
                Ok(trials) => trials,
                Err(reason) => break reason,
            };
            let playing = lead.playing();
            let middle = trials.start + trials.end.div_ceil(7).min(trials.end - trials.start);
            for piece in [trials.start..middle, middle..trials.end] {
                lead.add(&worker.values(&playing, piece));
            }
        };
        assert_eq!(
            (lead.standing(), ended_by),
            ((whole.plays, whole.decision), whole.ended_by),
            "{game}"
        );
    }
}

/// As in backgammon, a stop rule without a number of trials leaves the trials without bound.
#[test]
fn a_decision_by_time_alone_has_no_bound_on_trials() {
    let trials = |stop: StopRequest| {
        let options = Options {
            stop,
            ..Options::default()
        };
        let request = GameRolloutRequest::decision(&options).expect("options in range");
        begun::<Fevga>(0, &request).stop().trials
    };
    let by_time = StopRequest {
        seconds: Some(10.0),
        ..StopRequest::default()
    };
    assert_eq!(trials(StopRequest::default()), 2304);
    assert_eq!(trials(by_time), Rollout::MOST_TRIALS);
    let both = StopRequest {
        trials: Some(72),
        ..by_time
    };
    assert_eq!(trials(both), 72);
}

#[test]
fn a_decision_that_waits_for_a_table_is_stopped() {
    let position = AnyPosition::start("plakoto", None).expect("a game");
    let request = DecisionRequest {
        roll: Some("31".to_owned()),
        rollout: GameRolloutRequest {
            policy: Some("strong+bearoff:9x6".to_owned()),
            ..usual()
        },
        ..DecisionRequest::default()
    };
    let stopped = request.prepare(&position, Tier::best(), &|| true).err();
    assert_eq!(stopped, Some(AnyPositionError::Stopped(Stopped).into()));
}

#[test]
fn a_decision_has_a_trial() {
    let options = Options {
        stop: StopRequest::after(0),
        ..Options::default()
    };
    assert_eq!(GameRolloutRequest::decision(&options), Err(RolloutError::Trials(0)));
}
