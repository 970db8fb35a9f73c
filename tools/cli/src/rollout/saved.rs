//! How the options fit a saved rollout, in any game.

use std::num::NonZeroU64;

use tavli::named;
use tavli::rollout::{Allocation, EndRules, EndRulesRequest, Shard};
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

/// The rules that are to end a saved rollout from now on, or a shard of one, which has this allocation and trials up to
/// `played`, by the rules that are `given` or the trials of --extend; `None` for its own.
pub(super) fn changed_end_rules(
    given: EndRulesRequest,
    extend: Option<NonZeroU64>,
    allocation: Allocation,
    shard: Option<Shard>,
    played: u64,
) -> Result<Option<EndRules>, Failure> {
    match extend {
        Some(_) if shard.is_some() => Err(Failure::usage(
            "--extend cannot extend one shard: merge all shards with tavli merge, and extend the merged rollout",
        )),
        Some(more) => Ok(Some(EndRules::after_trials(played.saturating_add(more.get())))),
        None if given.is_empty() => Ok(None),
        None => given.resolve(allocation).map(Some).map_err(Failure::usage),
    }
}
