//! The settings of a search.

use core::num::NonZeroU32;

use tavli_base::parsed_values;
use thiserror::Error;

/// How simulations are allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// UCT: a tree whose choices have upper confidence bounds.
    Uct,
    /// Flat Monte Carlo: evenly to the choices at the root, without a tree.
    Flat,
    /// Sequential halving: rounds that each share their simulations evenly among the better half of the choices of the
    /// round before, without a tree.
    Halving,
}

/// The value of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// 1 for a win, -1 for a loss, 0 for a tie.
    Wins,
    /// The points of the game: in backgammon -3..=3.
    Points,
}

impl Reward {
    /// The value of a game that ends with `points` points.
    #[must_use]
    pub const fn value(self, points: i32) -> i32 {
        match self {
            Reward::Wins => points.signum(),
            Reward::Points => points,
        }
    }
}

/// How a tree draws the chance in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceSampling {
    /// At random, as dice do.
    Random,
    /// Stratified: the visits to a position get each throw once before any comes again.
    Stratified,
}

/// Which choice at the root is the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestChoice {
    /// The choice with the most visits; the first of several.
    Visits,
    /// The choice with the highest mean value.
    Value,
    /// The choice with the most visits; among equals, the one with the highest mean value.
    VisitsThenValue,
}

/// The upper bound that a tree selects choices by: its mean value `v_i`, and a bonus that falls with its visits `n_i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectionBound {
    /// UCB1: `v_i + C sqrt(ln n_p / n_i)`, with the visits `n_p` to all choices.
    Ucb1,
    /// `v_i + C sqrt(log2 n_i / n_i)`, by the choice's own visits alone: a choice that loses once may never be tried
    /// again. A report on Monte-Carlo search for draughts uses this bound, with values from 0 to 1 and a weight `p`:
    /// there C is `2 / p`. It is kept for comparison with that report.
    OwnVisits,
}

parsed_values!(Method, "method": Uct "uct", Flat "flat", Halving "halving");
parsed_values!(SelectionBound, "bound": Ucb1 "ucb1", OwnVisits "own-visits");
parsed_values!(Reward, "reward": Wins "wins", Points "points");
parsed_values!(ChanceSampling, "chance sampling": Random "random", Stratified "stratified");
parsed_values!(
    BestChoice, "rule of the best play":
    Visits "visits",
    Value "value",
    VisitsThenValue "visits-then-value",
);

/// The settings of a search. Together with the game, the root, the number of simulations and the options of the
/// [`Search`] (its [`SelectionBound`], proofs and progressive bias), they decide its result.
///
/// [`Search`]: crate::Search
///
/// ```
/// use tavli_search::SearchSettings;
/// assert!(SearchSettings::default().check().is_ok());
/// let settings = SearchSettings { c: -1.0, ..SearchSettings::default() };
/// let error = settings.check().unwrap_err().to_string();
/// assert_eq!(error, "invalid C -1: give a number from 0 to 1000, such as 1");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How simulations are allocated.
    pub method: Method,
    /// The factor of exploration in `v_i + C sqrt(ln n_p / n_i)`, in units of the value; 0 to 1,000.
    ///
    /// `c`, `chance_sampling`, `expand` and `memory` are only for trees: other methods than [`Method::Uct`] refuse all
    /// values except the defaults.
    pub c: f64,
    /// The value of a finished game.
    pub reward: Reward,
    /// How a tree draws the chance in a position.
    pub chance_sampling: ChanceSampling,
    /// Which choice at the root is the best.
    pub best_by: BestChoice,
    /// The choices after a chance in a position join the tree once the chance has more visits than this; until then,
    /// playouts begin after the chance.
    pub expand: NonZeroU32,
    /// The number of independent parts of the search, 1..=65,536; their statistics are added up. With [`Method::Uct`]
    /// each part is a tree, with other methods only its root. Workers beyond this number stay idle.
    pub trees: u32,
    /// The most playouts of one tree that are in flight; 1..=65,536. A young tree has fewer: a quarter of the
    /// simulations that it has backed up, but at least 8. They begin in groups of 8.
    pub in_flight: u32,
    /// Seed of the dice of trees and playouts.
    pub seed: u64,
    /// The bytes that all trees together may take. A tree that reaches its share stops expanding and continues with
    /// playouts from its leaves.
    pub memory: u64,
}

impl SearchSettings {
    /// The largest number of trees, and of playouts in flight of a tree.
    pub const MAX_TREES: u32 = 1 << 16;
}

/// The largest factor of exploration and of progressive bias. Bounds are 32-bit floats: far larger factors would round
/// the values of simulations away.
pub const MAX_FACTOR: f64 = 1000.0;

/// The simulations that begin together, and the least playouts in flight of a tree.
// A group hides the latency of memory: see `Tree::descend`.
pub(crate) const SIMULATIONS_PER_DESCENT: u64 = 8;

impl Default for SearchSettings {
    /// UCT with C 1 on points, the play of the highest value, 16 trees, and 2 GB.
    fn default() -> SearchSettings {
        SearchSettings {
            method: Method::Uct,
            c: 1.0,
            reward: Reward::Points,
            chance_sampling: ChanceSampling::Random,
            // The paper takes the most visited choice. By value, less equity is lost in hypergammon and fewer bear-offs
            // are missed, at every number of simulations measured.
            best_by: BestChoice::Value,
            expand: NonZeroU32::MIN,
            // A worker has trees of its own, so 16 workers have something to do. The searches of profiles/LOG.md were
            // measured with 16.
            trees: 16,
            // 512 are no faster (profiles/LOG.md, 2026-11-23).
            in_flight: 256,
            seed: 1,
            memory: 2_000_000_000,
        }
    }
}

/// Settings that leave nothing to search.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// C is not in its range.
    #[error("invalid C {0}: give a number from 0 to {MAX_FACTOR}, such as 1")]
    C(f64),
    /// The factor of progressive bias is not in its range.
    #[error("invalid bias {0}: give a number from 0 to {MAX_FACTOR}, such as 1")]
    Bias(f64),
    /// Proofs in a game with dice, where no choice is known to win.
    #[error("wins are proven only in games without dice: leave the proofs out")]
    Dice,
    /// Proofs or another bound together with progressive bias.
    #[error("progressive bias cannot be combined with another bound or with proofs: leave these out")]
    Biased,
    /// A setting of trees that is not its default, or progressive bias or unpruning, for a method that grows no trees.
    #[error("{setting} is for the method uct, not for {method}, which grows no trees: leave it out")]
    OfTrees {
        /// The name of the setting.
        setting: &'static str,
        /// The method.
        method: Method,
    },
    /// No tree, or too many.
    #[error("invalid number of trees {0}: give 1 to {most}", most = SearchSettings::MAX_TREES)]
    Trees(u32),
    /// No playout in flight, or too many.
    #[error("invalid number of playouts in flight {0}: give 1 to {most}", most = SearchSettings::MAX_TREES)]
    InFlight(u32),
    /// The roots do not fit the memory.
    #[error("{memory} bytes are too few for the roots of {trees} trees: give at least {least}, or fewer trees")]
    Memory {
        /// The bytes allowed.
        memory: u64,
        /// The trees.
        trees: u32,
        /// The bytes that their roots take.
        least: u64,
    },
    /// The system lacks the memory that the trees take from the start.
    #[error("{trees} trees take {needed} bytes of memory before they grow, more than there are: give fewer")]
    NoMemory {
        /// The trees.
        trees: u32,
        /// The bytes.
        needed: u64,
    },
    /// No simulation, or more than the trees can count.
    #[error("with this number of trees, simulations are a whole number 1 to {most}, not {simulations}")]
    Simulations {
        /// The number asked for.
        simulations: u64,
        /// The most with these trees.
        most: u64,
    },
    /// Halving without a number of simulations to divide into rounds.
    #[error("halving divides its simulations into rounds: give their number, not a time")]
    Endless,
    /// A root in which the game is over.
    #[error("the game is over in this position: there is nothing to choose")]
    Over,
}

impl SearchSettings {
    /// Checks the settings that do not depend on the game.
    ///
    /// # Errors
    /// [`SettingsError`] names the value and the range.
    pub fn check(&self) -> Result<(), SettingsError> {
        if !(0.0..=MAX_FACTOR).contains(&self.c) {
            return Err(SettingsError::C(self.c));
        }
        if !(1..=SearchSettings::MAX_TREES).contains(&self.trees) {
            return Err(SettingsError::Trees(self.trees));
        }
        if !(1..=SearchSettings::MAX_TREES).contains(&self.in_flight) {
            return Err(SettingsError::InFlight(self.in_flight));
        }
        if self.method != Method::Uct
            && let Some(setting) = self.tree_options()
        {
            let method = self.method;
            return Err(SettingsError::OfTrees { setting, method });
        }
        Ok(())
    }

    /// The first setting of trees that is not its default.
    fn tree_options(&self) -> Option<&'static str> {
        let default = SearchSettings::default();
        let set = [
            ("c", self.c != default.c),
            ("chance_sampling", self.chance_sampling != default.chance_sampling),
            ("expand", self.expand != default.expand),
            ("memory", self.memory != default.memory),
        ];
        let set = set.into_iter().find(|(_, is_set)| *is_set);
        set.map(|(setting, _)| setting)
    }

    /// How many more backups complete the current group.
    pub(crate) fn until_whole_group(&self, backed_up: u64) -> u64 {
        let group = SIMULATIONS_PER_DESCENT.min(self.in_flight.into());
        group - backed_up % group
    }

    /// How many simulations a tree has begun once it has backed up `backed_up`.
    pub(crate) fn begun_after(&self, backed_up: u64) -> u64 {
        let in_flight = u64::from(self.in_flight);
        // Whole groups, so that a group is backed up before the next begins.
        let group = SIMULATIONS_PER_DESCENT.min(in_flight);
        let backed_up = backed_up - backed_up % group;
        // A tree of few simulations would hardly see the results of many playouts in flight, so their number grows with
        // the tree.
        backed_up + (backed_up / 4).max(SIMULATIONS_PER_DESCENT).min(in_flight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_without_trees_refuse_settings_of_trees() {
        let flat = SearchSettings { method: Method::Flat, ..SearchSettings::default() };
        assert!(flat.check().is_ok());
        let expand = NonZeroU32::new(2).unwrap();
        for (setting, settings) in [
            ("c", SearchSettings { c: 2.0, ..flat }),
            ("chance_sampling", SearchSettings { chance_sampling: ChanceSampling::Stratified, ..flat }),
            ("expand", SearchSettings { expand, ..flat }),
            ("memory", SearchSettings { memory: 1 << 20, ..flat }),
        ] {
            let method = Method::Flat;
            let refused = Err(SettingsError::OfTrees { setting, method });
            assert_eq!(settings.check(), refused);
            let of_uct = SearchSettings { method: Method::Uct, ..settings };
            assert!(of_uct.check().is_ok());
        }
    }

    #[test]
    fn the_default_choice_is_the_play_of_the_highest_value() {
        assert_eq!(SearchSettings::default().best_by, BestChoice::Value);
        assert_eq!(SearchSettings::default().best_by.name(), "value");
    }
}
