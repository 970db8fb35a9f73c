//! `tavli rollout` of a game other than backgammon: games from each play, by `uniform` or a net.

use tavli::Tier;
use tavli::game::{GameRollout, GameRolloutError, GameRolloutRequest, PlayableGame, START};
use tavli::rollout::{Allocation, EndReason, ResumableRollout, RolloutError, SaveError};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::decimals;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::arguments::{RolloutArguments, has_trials, write_result};
use super::game_decision;
use super::game_lines::GameLines;
use super::game_result::GameRolloutJson;
use super::positions_file;
use super::resolved::contradiction;
use crate::arguments::{DEFAULT_SEED, first_given};
use crate::game_turn::Turn;
use crate::record_kind::RecordKind;
use crate::run_description::RunDescription;

pub(crate) fn run<G: PlayableGame>(arguments: &RolloutArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.positions {
        return positions_file::run(arguments, path, || GameLines::<G>::new(arguments, request(arguments, None)));
    }
    let tier = arguments.machine.tier()?;
    let checkpoint = arguments.checkpoint()?;
    let saved = saved::<G>(arguments, tier)?;
    let turn = match (&arguments.position, &saved) {
        (None, Some(saved)) => Turn { position: *saved.position(), chance: saved.chance() },
        (text, saved) => {
            let saved_rules = saved.as_ref().map(GameRollout::rules);
            let rules = arguments.game.given_rules().or(saved_rules).unwrap_or(G::RULES[0]);
            let game = G::by_rules(rules, tier, DEFAULT_SEED).map_err(Failure::usage)?;
            let text = text.as_deref().unwrap_or(START);
            Turn::from_arguments(&game, text, arguments.roll.as_deref())?
        }
    };
    let mut rollout = match saved {
        Some(saved) => continued(arguments, saved, &turn, tier)?,
        None => {
            if let Some(request) = game_decision::asked::<G>(arguments, turn.chance.is_some())? {
                return game_decision::run::<G>(arguments, &turn, request);
            }
            let request = request(arguments, None);
            GameRollout::<G>::new(turn.position, turn.chance, &request, tier).map_err(in_terms_of_options)?
        }
    };
    if let Some(remark) = rollout.remark() {
        output::remark(format_args!("remark: {remark}"));
    }
    let (workers, header) = arguments.machine.start()?;
    // Set up after the rollout is read: until then a signal ends the program, while the bear-off table of a player is
    // solved.
    let cancel = interrupt::cancel_on_interrupt()?;
    let session = arguments.session(cancel, checkpoint)?;
    let bar = Bar::new();
    let played = session.play(&mut rollout, &workers, |progress| bar.show_trials(progress, &interim));
    drop(bar);
    finish(arguments, &rollout, played, &header)
}

/// Writes the result of a session.
fn finish<G: PlayableGame>(
    arguments: &RolloutArguments,
    rollout: &GameRollout<G>,
    played: Result<EndReason, SaveError>,
    header: &RunDescription,
) -> Result<(), Failure> {
    let write = |reason| {
        let document = GameRolloutJson::new(Some(header), rollout, reason);
        arguments.format.write(&document, GameRolloutJson::print)
    };
    let reason = write_result(played, write)?;
    has_trials(rollout.total_games(), reason).map_err(Failure::run)
}

/// The request of the arguments; what they leave out is as in the saved rollout, if there is one.
fn request(arguments: &RolloutArguments, saved: Option<GameRolloutRequest>) -> GameRolloutRequest {
    let is_new = saved.is_none();
    let other = saved.unwrap_or_default();
    GameRolloutRequest {
        rules: arguments.game.given_rules().map(str::to_owned).or(other.rules),
        // The position of a saved rollout has the plays that are given with it.
        plays: match arguments.position {
            Some(_) => arguments.plays.clone(),
            None => other.plays,
        },
        policy: arguments.policies.policy.clone().or(other.policy),
        variance_reduction: arguments.variance_reduction || other.variance_reduction,
        seed: arguments.seed.unwrap_or(other.seed),
        end_rules: if is_new { arguments.end_rules() } else { other.end_rules },
        shard: arguments.shard.or(other.shard),
    }
}

/// The saved rollout that the arguments name, if there is one.
fn saved<G: PlayableGame>(arguments: &RolloutArguments, tier: Tier) -> Result<Option<GameRollout<G>>, Failure> {
    let Some(path) = arguments.saved() else {
        return Ok(None);
    };
    RecordKind::of(path)?.check_game(path, G::NAME)?;
    GameRollout::load(path, tier).map(Some).map_err(Failure::usage)
}

/// A saved rollout, changed by the arguments, which must not contradict it.
fn continued<G: PlayableGame>(
    arguments: &RolloutArguments,
    saved: GameRollout<G>,
    turn: &Turn<G::Position>,
    tier: Tier,
) -> Result<GameRollout<G>, Failure> {
    if let Some(option) = first_given(&game_decision::options_of_decisions(arguments)) {
        return Err(Failure::usage(format_args!(
            "{option} is for decisions, and the saved rollout is none: leave it out"
        )));
    }
    let request = request(arguments, Some(saved.request()));
    let asked = GameRollout::<G>::new(turn.position, turn.chance, &request, tier).map_err(in_terms_of_options)?;
    for ((what, given), (_, has)) in asked.deciding_settings().into_iter().zip(saved.deciding_settings()) {
        contradiction(what, &given, &has)?;
    }
    let shard = |rollout: &GameRollout<G>| rollout.shard().map_or_else(|| "none".to_owned(), |shard| shard.to_string());
    contradiction("the shard", &shard(&asked), &shard(&saved))?;
    let end_rules = arguments.changed_end_rules(Allocation::Even, saved.shard(), saved.trials().end)?;
    match end_rules {
        Some(end_rules) => saved.until(end_rules).map_err(Failure::usage),
        None => Ok(saved),
    }
}

/// Why there is no rollout, in terms of the options.
fn in_terms_of_options(error: GameRolloutError) -> Failure {
    match error {
        GameRolloutError::Rollout(RolloutError::NoRoll) => {
            Failure::usage("--play names a play of a roll: write the ROLL after the position")
        }
        error => Failure::usage(error),
    }
}

/// The interim result: the best play, and how far the next one is behind it.
fn interim<G: PlayableGame>(rollout: &GameRollout<G>) -> String {
    let standings = rollout.standings();
    let Some(best) = standings.first() else {
        return String::new();
    };
    let moves = rollout.candidates()[best.candidate].moves.as_ref();
    let moves = moves.map_or_else(String::new, |moves| format!("{moves} "));
    let error = decimals(best.equity.standard_error, 4);
    let equity = format!("; {moves}{:+.4} [{error}]", best.equity.mean);
    match standings.get(1) {
        Some(second) => format!("{equity}, next {:+.4}", -second.behind),
        None => equity,
    }
}
