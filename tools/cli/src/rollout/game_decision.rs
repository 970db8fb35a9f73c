//! Which options of `tavli rollout` ask for a decision in a game other than backgammon that has nets.

use tavli::game::{GameRolloutRequest, NamedGame, default_net};
use tavli::rollout::{Options, RolloutError};
use tavli_terminal::failure::Failure;

use super::arguments::Arguments;
use crate::arguments::{first_given, given};

/// The options that only decisions have in these games, and whether each is given.
pub(super) fn options_of_decisions(arguments: &Arguments) -> [(&'static str, bool); 3] {
    [
        ("--within", arguments.within.is_some()),
        ("--filter", arguments.filter.is_some()),
        ("--truncate", arguments.truncate.is_some()),
    ]
}

/// The request for a decision, if the arguments ask for one.
pub(super) fn asked<G: NamedGame>(
    arguments: &Arguments,
    has_roll: bool,
) -> Result<Option<GameRolloutRequest>, Failure> {
    // Every option by name: a new option does not compile until it is placed here.
    let Arguments {
        plays,
        within,
        filter,
        truncate,
        seed,
        // Without `within` these ask for a plain rollout.
        trials,
        stop_se,
        shard,
        policies,
        variance_reduction,
        // These leave it a decision.
        positions: _,
        save: _,
        resume: _,
        seconds: _,
        position: _,
        roll: _,
        game: _,
        machine: _,
        format: _,
        force: _,
        extend: _,
        checkpoint: _,
        // Options of backgammon, which other games refuse (`OF_BACKGAMMON`).
        stop_jsd: _,
        allocate: _,
        first_roll: _,
        plies: _,
        evaluator: _,
        style: _,
        cube: _,
    } = arguments;
    let shaping = given(&[
        ("--policy", policies.policy.is_some()),
        ("--trials", trials.is_some()),
        ("--variance-reduction", *variance_reduction),
        ("--play", plays.len() == 1),
    ]);
    // What no decision has, whichever other options there are.
    let foreign = given(&[("--stop-se", stop_se.is_some()), ("--shard", shard.is_some())]);
    let is_plain = !shaping.is_empty() || !foreign.is_empty();
    let is_decision = default_net(G::NAME).is_some() && has_roll && (within.is_some() || !is_plain);
    match first_given(&options_of_decisions(arguments)) {
        _ if is_decision => {}
        None => return Ok(None),
        Some(option) if default_net(G::NAME).is_none() => {
            return Err(Failure::usage(format_args!(
                "{option} needs a player that values positions, and {} has none: leave it out",
                G::NAME
            )));
        }
        Some(option) => {
            let roll = (!has_roll).then(|| "write the ROLL after the position".to_owned());
            let others = match (foreign.is_empty(), within.is_some() || shaping.is_empty()) {
                (true, true) => None,
                (true, false) => Some(format!("add --within or leave out {}", shaping.join(" and "))),
                (false, true) => Some(format!("leave out {}", foreign.join(" and "))),
                (false, false) => Some(format!("leave out {}", [foreign, shaping].concat().join(" and "))),
            };
            let remedies: Vec<String> = roll.into_iter().chain(others).collect();
            return Err(Failure::usage(format_args!(
                "{option} is for decisions in {}: {}",
                G::NAME,
                remedies.join(", and ")
            )));
        }
    }
    if let Some(option) = foreign.first() {
        return Err(Failure::usage(format_args!(
            "{option} is for plain rollouts in {}, and this is a decision: leave out {}",
            G::NAME,
            given(&options_of_decisions(arguments)).join(" and ")
        )));
    }
    let options = Options {
        within: *within,
        filter: filter.unwrap_or_default(),
        truncation: truncate.unwrap_or_default(),
        stop: arguments.stop(),
        seed: *seed,
        ..Options::default()
    };
    let request = GameRolloutRequest::decision(&options).map_err(|error| match error {
        RolloutError::Within(within) => Failure::usage(format_args!(
            "invalid --within {within}: write points, 0 or more, such as 0.01"
        )),
        error => Failure::usage(error),
    })?;
    Ok(Some(GameRolloutRequest {
        rules: arguments.game.given_rules().map(str::to_owned),
        plays: plays.clone(),
        policy: policies.policy.clone(),
        ..request
    }))
}
