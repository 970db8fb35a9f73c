//! Policies: who picks the plays.
//!
//! A [`Policy`] looks at many [decisions](Decisions) at a time and picks a play in each. [`Players`] are the policies of
//! both sides, and play whole games.
//!
//! | name | how it plays |
//! |---|---|
//! | `uniform` | [`Uniform`]: each distinct play is as likely as any other |
//! | `pubeval` | [`Pubeval`]: Tesauro's linear evaluation of 1993 |

mod players;
mod pubeval;
mod stages;
mod uniform;

pub use players::{Look, Players, Watch};
pub use pubeval::Pubeval;
pub use stages::{PolicyStage, PolicyTimes};
pub use uniform::Uniform;

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::games::Decisions;
use crate::known_values::KnownValues;
use crate::playout::RECORDED_SIGNATURE;
use crate::plays::View;
use crate::stopped::Stopped;
use crate::text::Quoted;

/// Picks plays.
///
/// A policy is a pure function of each decision: its position, its roll, its random fraction and the rules. It neither
/// remembers anything nor looks from one decision at another. So results depend on no batch, thread or tier. The dice
/// of a game do not depend on who plays it.
///
/// ```
/// use tavli_backgammon::Stopped;
/// use tavli_backgammon::games::Decisions;
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
///     fn pick(&self, decisions: &Decisions, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
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
    /// Names the policy with all that decides its plays. It stands in saved results, which only a policy of the same
    /// name continues.
    fn name(&self) -> &str;

    /// What it wants to see of the plays. Nothing else is listed.
    fn view(&self) -> View;

    /// Picks a play in each decision, by its index among the decision's plays. `picks` has a place for each decision. What has
    /// code for several tiers runs on [that of the decisions](Decisions::tier). A policy that takes longer than some
    /// milliseconds asks `stop` as often.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn pick(&self, decisions: &Decisions, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped>;

    /// The positions in which it plays perfectly, so that a rollout may end games there if both players know the same
    /// ones.
    fn ends(&self) -> Option<&Arc<dyn KnownValues>> {
        None
    }
}

/// A name that no built-in policy has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown policy '{}'; choose one of: {names}", Quoted::new(.0), names = NAMES.join(", "))]
pub struct PolicyError(pub String);

/// Both sides' policies in words: `pubeval`, or `pubeval against uniform`.
#[must_use]
pub fn title(names: [&str; 2]) -> String {
    match names {
        [first, second] if first == second => first.to_owned(),
        [first, second] => format!("{first} against {second}"),
    }
}

/// The names of the built-in policies.
pub const NAMES: &[&str] = &[Uniform::NAME, Pubeval::NAME];

/// The built-in policy of a name.
///
/// ```
/// use tavli_backgammon::policies::built_in;
/// assert_eq!(built_in("pubeval")?.name(), "pubeval");
/// let error = built_in("td-gammon").unwrap_err().to_string();
/// assert_eq!(error, "unknown policy 'td-gammon'; choose one of: uniform, pubeval");
/// # Ok::<(), tavli_backgammon::policies::PolicyError>(())
/// ```
///
/// # Errors
/// [`PolicyError`], which lists the names, if none has this one.
pub fn built_in(name: &str) -> Result<Arc<dyn Policy>, PolicyError> {
    match name {
        Uniform::NAME => Ok(Arc::new(Uniform)),
        Pubeval::NAME => Ok(Arc::new(Pubeval)),
        _ => Err(PolicyError(name.to_owned())),
    }
}

/// The recorded [signature](Players::signature) of a built-in policy's games against itself: what names their values, in
/// saved results as well.
///
/// # Errors
/// [`PolicyError`] if no built-in policy has the name.
pub fn recorded_signature(name: &str) -> Result<u64, PolicyError> {
    match name {
        Uniform::NAME => Ok(RECORDED_SIGNATURE),
        Pubeval::NAME => Ok(Pubeval::RECORDED_SIGNATURE),
        _ => Err(PolicyError(name.to_owned())),
    }
}
