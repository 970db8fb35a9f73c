//! Parts of a rollout put together.

use crate::ask::checked_request::CheckedRequest;
use crate::estimate::rounds::RolloutRounds;
use crate::play::played_trials::PlayedTrials;
use tavli_file::saved_parts::{MergeError, ROLLOUTS};
use tavli_players::named;
use tavli_trials::{Allocation, MAX_TRIALS, Plan};

/// Puts parts together, in any order; each is a checked request and its played trials. They must hold each trial of the
/// rollout once.
///
/// # Errors
/// [`MergeError`] names the first conflict.
pub(crate) fn merge(parts: &[(&CheckedRequest, &PlayedTrials)]) -> Result<(CheckedRequest, PlayedTrials), MergeError> {
    // A net under two paths is one net.
    let settings = parts.iter().map(|(checked, _)| deciding_settings(checked));
    ROLLOUTS.check_same(settings, named::identity)?;
    let (checked, first) = parts[0];
    if checked.plan.allocation != Allocation::Even {
        return Err(MergeError::Allocation(checked.plan.allocation.to_string()));
    }
    let ranges: Vec<_> = parts.iter().map(|(_, played)| played.range()).collect();
    let trials = checked.plan.end_rules.trials;
    let order = ROLLOUTS.order(&ranges, trials)?;
    let mut rounds = RolloutRounds::new(first.rounds().counted_values(), checked.candidates.len());
    for &part in &order {
        // Games that are divided evenly have a single round.
        rounds.add(&parts[part].1.rounds().last().counts);
    }
    let elapsed = parts.iter().map(|(_, played)| played.elapsed()).sum();
    let plan = Plan { shard: None, ..checked.plan };
    let whole = CheckedRequest { plan, ..checked.clone() };
    Ok((whole, PlayedTrials::new(0..trials, rounds, elapsed)))
}

/// The settings on which the values of the games depend, by name and as text.
fn deciding_settings(checked: &CheckedRequest) -> [(&'static str, String); 14] {
    let roll = checked.roll.map_or("none".to_owned(), |roll| roll.to_string());
    let plies = checked.settings.truncation;
    let evaluator = checked.evaluator.as_ref();
    let evaluator = evaluator.map_or("none", |evaluator| evaluator.name());
    let luck = checked.luck.as_ref();
    let luck = luck.map_or("none", |luck| luck.evaluator().name());
    let cube = checked.cube.as_ref();
    let cube = cube.map_or("none".to_owned(), |cube| cube.in_play.to_string());
    let trials = match checked.plan.end_rules.trials {
        MAX_TRIALS => "not bounded".to_owned(),
        trials => trials.to_string(),
    };
    let boards = checked.candidates.iter().map(|c| c.board.position_id().to_string());
    [
        ("the position", checked.position.position_id().to_string()),
        ("the roll", roll),
        ("the rule set", checked.settings.rules.to_string()),
        ("the seed", checked.settings.seed.to_string()),
        ("the first roll", checked.settings.first_roll.to_string()),
        ("the truncation", plies.map_or("none".to_owned(), |plies| format!("{plies} plies"))),
        ("the allocation", checked.plan.allocation.to_string()),
        ("the policy", checked.players.names()[0].to_owned()),
        ("the policy of the opponent", checked.players.names()[1].to_owned()),
        ("the evaluator", evaluator.to_owned()),
        ("the evaluator of luck", luck.to_owned()),
        ("the cube", cube),
        // After the settings that decide which candidates there are, so that an error names one of these.
        ("the list of candidates", boards.collect::<Vec<_>>().join(" ")),
        ("the number of trials", trials),
    ]
}
