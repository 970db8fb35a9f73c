//! The default players, the same in every program.

use std::sync::Arc;

use tavli_backgammon::RuleSet;
use tavli_backgammon::policies::{Policy, PolicyPair, Uniform};

use super::by_name::policy;
use super::error::NamedError;

/// The names of the default players of a program. Playouts need none: their play is uniform.
///
/// ```
/// use tavli_backgammon::RuleSet;
/// use tavli_players::named::Defaults;
/// assert_eq!(Defaults::for_rules(RuleSet::Backgammon).evaluator, "strong+bearoff:6+bearoff:6x6");
/// assert_eq!(Defaults::for_rules(RuleSet::Backgammon).player, "strong");
/// assert_eq!(Defaults::for_rules(RuleSet::McGammon).rollout_policy, "uniform");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Defaults {
    /// Values positions and plays that a person or a frontend looks at: [`Defaults::player`], with both tables of
    /// bear-offs where the rules have them.
    pub evaluator: &'static str,
    /// Plays both sides of decisions, and values the games that are cut off: [`Defaults::player`], with the exact table
    /// of bear-offs where the rules have them.
    pub decision_player: &'static str,
    /// Plays against people.
    pub player: &'static str,
    /// Plays both sides of rollouts.
    pub rollout_policy: &'static str,
    /// Values the plays of the trees of a search.
    pub search_heuristic: &'static str,
    /// Measures the luck that is subtracted from the games of a decision, which [`Defaults::decision_player`] plays and
    /// values after a few plies; `None` if no net has learned the rules, so that decisions play whole games.
    pub luck: Option<&'static str>,
}

/// For rules that the nets have learned: bearing off wins, from a start like that of backgammon.
// `strong` needs a few milliseconds for the plays of a roll, so nobody waits for it. In rollouts and trees it takes six
// and four times as long as `fast`: 1,296 trials of the opening 1.0 s instead of 0.14 s, a million simulations with
// progressive bias 21 s instead of 5 s (two busy CPUs, 2026-11-25). All plays of a roll at 46,656 trials are minutes by
// `strong`. In a decision `strong` plays and `fast` measures luck: one standard error of a difference takes half the
// time that it takes by `strong` alone: its games take 14 ms instead of 3.8 and scatter by 0.30 instead of 0.41 points
// (opening 31, best and second play, 2026-11-26); `td80` takes 4.4 ms for 0.62 points.
const LEARNED: Defaults = Defaults {
    // The two-sided table is the table of the equities with the cube, so both are exact in the same positions. The
    // one-sided table has 15 checkers, and gammons: in bear-offs of 7 and 8 checkers it is off by 0.0023 points, and by
    // 0.010 at most, where `strong` is off by 0.022 and 0.111 (400 positions, 2026-11-30).
    evaluator: "strong+bearoff:6+bearoff:6x6",
    // Without the one-sided table, since its values would be taken as exact. Luck is exact where games end, so plays of
    // a bear-off have no error.
    decision_player: "strong+bearoff:6x6",
    player: "strong",
    rollout_policy: "fast",
    search_heuristic: "fast",
    luck: Some("fast+bearoff:6x6"),
};

/// For rules by which bearing off wins, from starts that no net has learned.
const OTHER_STARTS: Defaults = Defaults { luck: None, ..LEARNED };

/// For rules with other goals, which no net has learned.
const OTHER_GOALS: Defaults = Defaults {
    evaluator: "sampled",
    decision_player: "sampled",
    player: "sampled",
    rollout_policy: Uniform::NAME,
    search_heuristic: "sampled",
    luck: None,
};

impl Defaults {
    /// The defaults under some rules.
    #[must_use]
    pub fn for_rules(rules: RuleSet) -> Defaults {
        match rules {
            RuleSet::Hypergammon | RuleSet::Longgammon => OTHER_STARTS,
            rules if rules.bears_off() => LEARNED,
            _ => OTHER_GOALS,
        }
    }
}

/// The players of a rollout: [`Defaults::rollout_policy`] unless the user names a `policy`, and the same on both sides
/// unless the user names an `opponent`.
///
/// # Errors
/// [`NamedError::NetMissing`] in a build without the file of the default player, until that is
/// [given](super::give_net).
pub fn rollout_players(
    policy: Option<Arc<dyn Policy>>,
    opponent: Option<Arc<dyn Policy>>,
    rules: RuleSet,
) -> Result<PolicyPair, NamedError> {
    let policy = policy.map_or_else(|| self::policy(Defaults::for_rules(rules).rollout_policy), Ok)?;
    Ok(PolicyPair::named(Some(policy), opponent))
}
