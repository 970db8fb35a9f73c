//! Rollouts that are played chunk by chunk, or on the calling thread, equal rollouts by workers.

use tavli_backgammon::evaluators::built_in;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{NO_STOP, Position, Stopped, Tier};
use tavli_rollout::{AddTrialsError, Allocation, EndReason, EndRulesRequest, Rollout, RolloutRequest, Session};
use tavli_run::Workers;

fn rollout(request: &RolloutRequest) -> Rollout {
    let position: Position = "4HPwATDgc/ABMA".parse().expect("the opening");
    request.rollout(&position).expect("a rollout")
}

/// Plays a rollout in chunks of at most `most` trials, each counted by another rollout of the same request.
fn in_chunks(rollout: &mut Rollout, most: u64) -> EndReason {
    let mut counting = rollout.clone();
    loop {
        let next = match rollout.next_trials() {
            Ok(next) => next,
            Err(reason) => return reason,
        };
        let chunk = next.start..next.end.min(next.start + most);
        counting.keep_candidates(|place| rollout.playing().contains(&place));
        let counts = counting.count_trials(chunk.clone(), Tier::best(), NO_STOP);
        let counts = counts.expect("nothing stops it");
        rollout.add_trials(chunk, &counts).expect("the next chunk");
    }
}

/// Requests of uniform play.
fn uniform() -> RolloutRequest {
    RolloutRequest { players: Some(PolicyPair::default()), ..RolloutRequest::default() }
}

fn requests() -> [RolloutRequest; 4] {
    let of_plays = RolloutRequest { roll: Some("31".parse().expect("a roll")), ..uniform() };
    let trials = |trials| EndRulesRequest { trials: Some(trials), ..EndRulesRequest::default() };
    let mut cut = RolloutRequest {
        end_rules: trials(500),
        evaluator: Some(built_in("sampled:2").expect("an evaluator")),
        ..uniform()
    };
    cut.settings.truncation = core::num::NonZeroU32::new(5);
    [
        RolloutRequest { end_rules: trials(3001), ..uniform() },
        RolloutRequest {
            end_rules: EndRulesRequest { standard_error: Some(0.03), ..EndRulesRequest::default() },
            ..uniform()
        },
        RolloutRequest { end_rules: trials(6000), allocation: Allocation::Halving, ..of_plays },
        cut,
    ]
}

#[test]
fn chunks_make_the_rollout() {
    for request in requests() {
        let mut expected = rollout(&request);
        let session = Session::default();
        let reason = session.play(&mut expected, &Workers::here(), |_| ());
        let reason = reason.expect("nothing is saved");
        for most in [97, 1296, u64::MAX / 2] {
            let mut chunks = rollout(&request);
            assert_eq!(in_chunks(&mut chunks, most), reason);
            assert_eq!(chunks.trials(), expected.trials());
            let standings = &expected.summary().standings;
            assert_eq!(&chunks.summary().standings, standings);
        }
    }
}

#[test]
fn the_calling_thread_plays_what_workers_play() {
    let [request, ..] = requests();
    let [mut here, mut there] = [rollout(&request), rollout(&request)];
    let session = Session::default();
    let mut seen = 0;
    let reason = session.play(&mut here, &Workers::here(), |progress| seen = progress.trials);
    assert_eq!(reason.expect("nothing is saved"), EndReason::Trials);
    assert!(seen <= 3001);
    session.play(&mut there, &super::playing::workers(3), |_| ()).expect("nothing is saved");
    assert_eq!(here.summary().standings, there.summary().standings);
}

#[test]
fn a_chunk_that_does_not_come_next_is_refused() {
    let [request, ..] = requests();
    let mut rollout = rollout(&request);
    let count = |trials| rollout.count_trials(trials, Tier::best(), NO_STOP);
    let counts = count(0..10).expect("nothing stops it");
    assert_eq!(rollout.count_trials(0..1_000_000, Tier::best(), &|| true), Err(Stopped));
    for trials in [1..11, 0..0, 0..3002] {
        let next = 0..3001;
        let refused = Err(AddTrialsError::Order { next, trials: trials.clone() });
        assert_eq!(rollout.add_trials(trials, &counts), refused);
    }
    let (expected, found) = (counts.len(), counts.len() - 1);
    let refused = Err(AddTrialsError::Length { expected, found });
    assert_eq!(rollout.add_trials(0..10, &counts[1..]), refused);
    assert_eq!(rollout.add_trials(0..10, &counts), Ok(()));
    assert_eq!(rollout.trials(), 0..10);
}
