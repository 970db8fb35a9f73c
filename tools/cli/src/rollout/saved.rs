//! How the options fit a saved rollout, in any game.

use std::fmt::Display;
use std::num::NonZeroU64;

use tavli::named;
use tavli::rollout::{EndRules, EndRulesRequest, ResumableRollout};
use tavli::trials::Plan;
use tavli_terminal::failure::Failure;

/// The text of a value that a rollout may have or not.
pub(super) fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// Refuses the value of an option, `what`, that differs from the value that the saved rollout `has`.
pub(super) fn contradiction(what: &str, given: &str, has: &str) -> Result<(), Failure> {
    // A net may be named by two paths.
    if named::identity(given) == named::identity(has) {
        return Ok(());
    }
    Err(Failure::usage(format_args!(
        "the saved rollout has {what} {has}, not {given}; leave the option out, or begin a new rollout"
    )))
}

/// A saved rollout that goes on until the rules that are `given` end it, for as many trials more as --extend says, or by
/// its own rules.
pub(super) fn extended<R: ResumableRollout, E: Display>(
    saved: R,
    given: EndRulesRequest,
    extend: Option<NonZeroU64>,
    until: impl FnOnce(R, EndRules) -> Result<R, E>,
) -> Result<R, Failure> {
    let Plan { allocation, shard, .. } = *saved.plan();
    let end_rules = match extend {
        Some(_) if shard.is_some() => {
            return Err(Failure::usage(
                "--extend cannot extend one shard: merge all shards with tavli merge, and extend the merged rollout",
            ));
        }
        Some(more) => EndRules::after_trials(saved.trials().end.saturating_add(more.get())),
        None if given.is_empty() => return Ok(saved),
        None => given.resolve(allocation).map_err(Failure::usage)?,
    };
    until(saved, end_rules).map_err(Failure::usage)
}
