//! The trait of policies, which pick plays.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use crate::board::Planes;
use crate::evaluator::Evaluator;
use crate::known_values::KnownValues;
use crate::plays::View;
use crate::stepping::RollBatch;
use tavli_base::Stopped;

/// Picks plays.
///
/// A policy is a pure function of each decision: its position, its roll, its random fraction and the rules. It neither
/// remembers anything nor looks from one decision at another. So results depend on no batch, thread or tier. The dice
/// of a game do not depend on its players.
///
/// ```
/// use tavli_backgammon::Stopped;
/// use tavli_backgammon::stepping::RollBatch;
/// use tavli_backgammon::plays::View;
/// use tavli_backgammon::policies::Policy;
///
/// /// Hits as many blots as it can.
/// #[derive(Debug)]
/// struct Hitter;
///
/// impl Policy for Hitter {
///     fn name(&self) -> &str {
///         "hitter"
///     }
///
///     fn view(&self) -> View {
///         View::CHANGES
///     }
///
///     fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
///         for (decision, pick) in picks.iter_mut().enumerate() {
///             let changes = decisions.changes_of(decision).iter().enumerate();
///             let best = changes.max_by_key(|(_, change)| change.hits().count());
///             *pick = best.expect("a decision has a play").0 as u32;
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Policy: Any + fmt::Debug + Send + Sync {
    /// The name of the policy, with all that decides its plays. Saved results hold the name, and only a policy of the
    /// same name continues them.
    fn name(&self) -> &str;

    /// The parts of the plays that the policy needs. Nothing else is listed.
    fn view(&self) -> View;

    /// Picks a play in each decision, by its index among the decision's plays. `picks` has a place for each decision.
    /// Code for several tiers runs on [the tier of the decisions](RollBatch::tier). A policy that takes longer than
    /// some milliseconds asks `stop` as often.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped>;

    /// Lists the plays of the decisions, and makes the one that it picks in each: the positions after them, seen by the
    /// player next on roll.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    ///
    /// # Panics
    /// If it picks an index that no play has.
    fn play<'a>(&self, decisions: &'a mut RollBatch, stop: &dyn Fn() -> bool) -> Result<&'a [Planes], Stopped> {
        decisions.list(self.view());
        let mut picks = vec![0; decisions.len()];
        self.pick(decisions, &mut picks, stop)?;
        let made = decisions.make(&picks);
        Ok(made.unwrap_or_else(|error| panic!("policy {}: {error}", self.name())))
    }

    /// How many games a worker plays by this policy in some milliseconds, roughly. While the rate is unknown,
    /// so many are handed out at once. No result depends on it. A policy that takes long for a play returns 1: a run
    /// that is stopped early then has whole games to keep.
    fn first_games(&self) -> u64 {
        1296
    }

    /// The evaluator that it plays by, if it values positions: the one that decides about the cube for it, and values
    /// games that are cut off.
    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        None
    }

    /// The positions in which it plays perfectly, so that a rollout may end games there if both players know the same
    /// ones.
    fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        None
    }
}

/// Both sides' policies in words: `pubeval`, or `pubeval against uniform`.
#[must_use]
pub fn title(names: [&str; 2]) -> String {
    match names {
        [first, second] if first == second => first.to_owned(),
        [first, second] => format!("{first} against {second}"),
    }
}
