//! The conditions under which positions are valued.

use core::fmt;

use tavli_simd::Tier;

use crate::rules::RuleSet;
use tavli_base::{NO_STOP, Stopped};

/// The input of an evaluator besides the positions: the rules, the tier, when to stop, and perhaps a seed for each.
///
/// ```
/// use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Sampled};
/// use tavli_backgammon::{Board, RuleSet, Stopped, Tier};
/// let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
/// let positions = [Board::START.into()];
/// let values = Sampled::default().evaluated(&conditions, &positions)?;
/// assert!(values[0].equity().abs() < 1.0);
/// let stopped = conditions.with_stop(&|| true);
/// assert_eq!(Sampled::default().evaluated(&stopped, &positions), Err(Stopped));
/// # Ok::<(), Stopped>(())
/// ```
#[derive(Clone, Copy)]
pub struct EvaluationConditions<'a> {
    rules: RuleSet,
    tier: Tier,
    stop: &'a dyn Fn() -> bool,
    seeds: Option<&'a [u64]>,
}

impl<'a> EvaluationConditions<'a> {
    /// Under these rules, on this tier, to the end, without seeds.
    #[must_use]
    pub fn new(rules: RuleSet, tier: Tier) -> EvaluationConditions<'a> {
        EvaluationConditions { rules, tier, stop: NO_STOP, seeds: None }
    }

    /// Stops when `stop` returns `true`: it is called often, from the thread that values the positions.
    #[must_use]
    pub fn with_stop(self, stop: &'a dyn Fn() -> bool) -> EvaluationConditions<'a> {
        EvaluationConditions { stop, ..self }
    }

    /// Sets a seed for each position, or for each decision, by which an evaluator that samples draws its value.
    ///
    /// A mean over many valued positions needs seeds: with one seed for all, their values would share one sampling
    /// error, and no number of positions would reduce it. Values of the same seed have the same dice, so that their
    /// differences vary less. Without seeds the value of a position depends on nothing but the position.
    #[must_use]
    pub fn seeded(self, seeds: Option<&'a [u64]>) -> EvaluationConditions<'a> {
        EvaluationConditions { seeds, ..self }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The tier, which may change the speed, never the values.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The function that says when to stop.
    pub fn stop(&self) -> &'a dyn Fn() -> bool {
        self.stop
    }

    /// The seed of each position or decision, if they have some.
    #[must_use]
    pub fn seeds(&self) -> Option<&'a [u64]> {
        self.seeds
    }

    /// The seeds at these indices.
    #[must_use]
    pub fn seeds_at(&self, indices: impl Iterator<Item = usize>) -> Option<Vec<u64>> {
        let seeds = self.seeds?;
        Some(indices.map(|index| seeds[index]).collect())
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Stopped`] if not.
    pub fn check(&self) -> Result<(), Stopped> {
        if (self.stop)() { Err(Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for EvaluationConditions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationConditions")
            .field("rules", &self.rules)
            .field("tier", &self.tier)
            .field("seeds", &self.seeds)
            .finish_non_exhaustive()
    }
}
