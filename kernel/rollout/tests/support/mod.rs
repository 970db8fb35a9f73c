//! Shared by several tests: golden rows, ranks, requests, tiers and effort.

pub(crate) mod golden;
pub(crate) mod ranks;

use tavli_backgammon::Board;
use tavli_backgammon::policies::PolicyPair;
use tavli_rollout::{Communicator, EndRulesRequest, PlayoutSettings, Rollout, RolloutRequest};
pub(crate) use tavli_testing::{effort, tiers};

/// A request for trials by uniform players.
pub(crate) fn request(settings: PlayoutSettings, trials: u64) -> RolloutRequest {
    RolloutRequest {
        settings,
        players: Some(PolicyPair::default()),
        end_rules: EndRulesRequest::after_trials(trials),
        ..RolloutRequest::default()
    }
}

/// [`request`] for the plays of a roll.
pub(crate) fn request_of_plays(roll: &str, settings: PlayoutSettings, trials: u64) -> RolloutRequest {
    RolloutRequest { roll: Some(roll.parse().expect("a roll")), ..request(settings, trials) }
}

/// The rollout of a board by a valid request.
pub(crate) fn begun(board: Board, request: &RolloutRequest) -> Rollout {
    request.rollout(&board.into()).expect("a rollout")
}
