//! What decides the result of a search.

use core::num::NonZeroU32;

use thiserror::Error;

use crate::names::names;

/// How the simulations are spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// A tree, by upper confidence bounds.
    Uct,
    /// Evenly over the choices at the root; no tree.
    Flat,
    /// Sequential halving at the root: evenly, and after each round on the better half only. No tree.
    Halving,
}

/// What a finished game counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// 1 for a win, -1 for a loss, 0 for a tie.
    Wins,
    /// The points of the game: in backgammon -3..=3.
    Points,
}

impl Value {
    /// What these points count.
    #[must_use]
    pub(crate) const fn of(self, points: i32) -> i32 {
        match self {
            Value::Wins => points.signum(),
            Value::Points => points,
        }
    }
}

/// How a tree draws the chance in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceSampling {
    /// At random, as dice do.
    Random,
    /// In proportion: visits to a position get all throws before any throw comes again.
    Stratified,
}

/// Which choice at the root is the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMoveRule {
    /// The most visited; of equally visited ones the first.
    Visits,
    /// That of the highest mean value.
    Value,
    /// The most visited; of equally visited ones that of the highest mean value.
    VisitsThenValue,
}

names!(Method, "method": Uct "uct", Flat "flat", Halving "halving");
names!(Value, "value": Wins "wins", Points "points");
names!(ChanceSampling, "draw": Random "random", Stratified "stratified");
names!(BestMoveRule, "choice": Visits "visits", Value "value", VisitsThenValue "visits-then-value");

/// All that decides the result of a search, beside the game, the root and the number of simulations.
///
/// ```
/// use tavli_search::Settings;
/// assert!(Settings::default().check().is_ok());
/// let settings = Settings { c: -1.0, ..Settings::default() };
/// let error = settings.check().unwrap_err().to_string();
/// assert_eq!(error, "invalid C -1: give a number from 0 to 1000, such as 1");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How the simulations are spread.
    pub method: Method,
    /// The factor of exploration in `v_i + C sqrt(ln n_p / n_i)`, in units of the value; 0 to 1,000. Only the trees of
    /// [`Method::Uct`] read it, `draw`, `expand` and `memory`; other methods refuse what is not the default.
    pub c: f64,
    /// What a finished game counts.
    pub value: Value,
    /// How a tree draws the chance in a position.
    pub draw: ChanceSampling,
    /// Which choice is the best.
    pub choice: BestMoveRule,
    /// The visits to a position with its chance after which its choices join the tree: below, the playout decides.
    pub expand: NonZeroU32,
    /// How many trees there are; 1..=65,536. Their statistics are added up. Workers beyond this number have nothing to do.
    pub trees: u32,
    /// The most playouts of one tree that are in flight; 1..=65,536. A tree has fewer at its beginning: as many as a
    /// quarter of those that it has taken back, but at least 8. They begin in bunches of 8.
    pub in_flight: u32,
    /// Seed of the dice of trees and playouts.
    pub seed: u64,
    /// The bytes that all trees may take. A tree that has its part of them goes on without growing.
    pub memory: u64,
}

/// The most trees of a search, and the most playouts in flight of a tree.
pub(crate) const MOST: u32 = 1 << 16;

/// The largest factor of exploration and of progressive bias: far beyond it, the sums of 32-bit floats hold nothing of the
/// values that simulations find.
pub const MOST_FACTOR: f64 = 1000.0;

/// Simulations that begin together, and the playouts in flight of a tree that begins.
pub(crate) const BUNCH: u64 = 8;

impl Default for Settings {
    /// UCT with C 1 on points, the play of the highest value, 16 trees, and 2 GB.
    fn default() -> Settings {
        Settings {
            method: Method::Uct,
            c: 1.0,
            value: Value::Points,
            draw: ChanceSampling::Random,
            choice: BestMoveRule::Value,
            expand: NonZeroU32::MIN,
            trees: 16,
            in_flight: 256,
            seed: 1,
            memory: 2_000_000_000,
        }
    }
}

/// Settings with which there is nothing to search.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// C is not in its range.
    #[error("invalid C {0}: give a number from 0 to {MOST_FACTOR}, such as 1")]
    C(f64),
    /// The bias of a guide is not in its range.
    #[error("invalid bias {0}: give a number from 0 to {MOST_FACTOR}, such as 1")]
    Bias(f64),
    /// A guide without trees.
    #[error("{0} has no trees to guide: use the method uct")]
    Treeless(Method),
    /// A setting of trees, other than its default, for a method that grows none.
    #[error("{setting} is for the method uct, not for {method}, which grows no trees: leave it out")]
    OfTrees {
        /// What is set.
        setting: &'static str,
        /// The method.
        method: Method,
    },
    /// No tree, or too many.
    #[error("invalid number of trees {0}: give 1 to {MOST}")]
    Trees(u32),
    /// No playout in flight, or too many.
    #[error("invalid number of playouts in flight {0}: give 1 to {MOST}")]
    InFlight(u32),
    /// Memory in which the roots have no place.
    #[error("{memory} bytes are too few for the roots of {trees} trees: give at least {least}, or fewer trees")]
    Memory {
        /// The bytes allowed.
        memory: u64,
        /// The trees.
        trees: u32,
        /// The bytes that their roots take.
        least: u64,
    },
    /// No simulation, or more than can be counted.
    #[error("invalid number of simulations {simulations}: give 1 to {most} with this number of trees")]
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

impl Settings {
    /// Checks what does not depend on the game.
    ///
    /// # Errors
    /// [`SettingsError`] names the value and the range.
    pub fn check(&self) -> Result<(), SettingsError> {
        if !(0.0..=MOST_FACTOR).contains(&self.c) {
            return Err(SettingsError::C(self.c));
        }
        if !(1..=MOST).contains(&self.trees) {
            return Err(SettingsError::Trees(self.trees));
        }
        if !(1..=MOST).contains(&self.in_flight) {
            return Err(SettingsError::InFlight(self.in_flight));
        }
        if self.method != Method::Uct
            && let Some(setting) = self.of_trees()
        {
            let method = self.method;
            return Err(SettingsError::OfTrees { setting, method });
        }
        Ok(())
    }

    /// A setting that only trees read, if one is not its default.
    fn of_trees(&self) -> Option<&'static str> {
        let default = Settings::default();
        let set = [
            ("c", self.c != default.c),
            ("draw", self.draw != default.draw),
            ("expand", self.expand != default.expand),
            ("memory", self.memory != default.memory),
        ];
        let set = set.into_iter().find(|(_, is_set)| *is_set);
        set.map(|(setting, _)| setting)
    }

    /// How many simulations of a tree have begun when it has taken so many back. It takes bunches of them back before it
    /// begins as many.
    pub(crate) fn begun_after(&self, taken: u64) -> u64 {
        let bunch = BUNCH.min(u64::from(self.in_flight));
        let taken = taken - taken % bunch;
        taken + (taken / 4).max(BUNCH).min(u64::from(self.in_flight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_without_trees_refuse_settings_of_trees() {
        let flat = Settings {
            method: Method::Flat,
            ..Settings::default()
        };
        assert!(flat.check().is_ok());
        let expand = NonZeroU32::new(2).unwrap();
        for (setting, settings) in [
            ("c", Settings { c: 2.0, ..flat }),
            (
                "draw",
                Settings {
                    draw: ChanceSampling::Stratified,
                    ..flat
                },
            ),
            ("expand", Settings { expand, ..flat }),
            (
                "memory",
                Settings {
                    memory: 1 << 20,
                    ..flat
                },
            ),
        ] {
            let method = Method::Flat;
            let refused = Err(SettingsError::OfTrees { setting, method });
            assert_eq!(settings.check(), refused);
            let of_uct = Settings {
                method: Method::Uct,
                ..settings
            };
            assert!(of_uct.check().is_ok());
        }
    }

    #[test]
    fn the_default_choice_is_the_play_of_the_highest_value() {
        assert_eq!(Settings::default().choice, BestMoveRule::Value);
        assert_eq!(Settings::default().choice.name(), "value");
    }
}
