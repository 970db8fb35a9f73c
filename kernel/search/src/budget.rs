//! The budget of a search.

use core::ops::Range;
use core::time::Duration;

use crate::search_settings::{Method, SearchSettings};

/// The bounds of a search: it ends at the first of them, or when it is cancelled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// The number of simulations, shared evenly among the trees.
    pub simulations: Option<u64>,
    /// The wall-clock time.
    pub time: Option<Duration>,
    /// How many standard errors the best choice must be ahead of the second in value; checked ten times a second.
    pub gap: Option<f64>,
}

impl Budget {
    /// The most simulations of one tree, which keeps sums of values in 32 bits: 2^29 games of at most 3 points fit. In
    /// a game with larger ends the limit is smaller by that factor.
    pub const MAX_PER_TREE: u64 = 1 << 29;

    /// The most simulations of a search with these settings, in all its trees.
    #[must_use]
    pub const fn max_simulations(settings: &SearchSettings) -> u64 {
        Budget::MAX_PER_TREE * settings.trees as u64
    }

    /// The number of simulations of the trees in the range, of a search with these settings; `None` if the budget does
    /// not fix one. If it does not divide evenly, the first trees have one more each.
    #[must_use]
    pub fn simulations_of(&self, settings: &SearchSettings, trees: Range<u32>) -> Option<u64> {
        let (all, of) = (self.simulations?, u64::from(settings.trees));
        let before = |tree| all / of * u64::from(tree) + u64::from(tree).min(all % of);
        Some(before(trees.end) - before(trees.start))
    }

    /// A remark on simulations too few for each tree to try all of the `choices` at its root.
    #[must_use]
    pub fn remark_on(&self, settings: &SearchSettings, choices: usize) -> Option<String> {
        self.remark(settings, choices, "give fewer trees or more simulations")
    }

    /// [`Budget::remark_on`], where the number of trees is not the caller's.
    #[must_use]
    pub fn remark_on_simulations(&self, settings: &SearchSettings, choices: usize) -> Option<String> {
        self.remark(settings, choices, "give more simulations")
    }

    /// The remark with a remedy; for a single tree it is more simulations.
    fn remark(&self, settings: &SearchSettings, choices: usize, remedy: &str) -> Option<String> {
        let (simulations, trees) = (self.simulations?, settings.trees);
        let to_try_all = u64::from(trees).saturating_mul(choices as u64);
        if settings.method != Method::Uct || choices < 2 || simulations >= to_try_all {
            return None;
        }
        let simulations = match simulations {
            1 => "1 simulation".to_owned(),
            number => format!("{number} simulations"),
        };
        Some(match trees {
            1 => format!(
                "{simulations} for 1 tree, which tries all of {choices} plays before it prefers one: give more \
                 simulations"
            ),
            _ => format!(
                "{simulations} for {trees} trees, each of which tries all of {choices} plays before it prefers one: \
                 {remedy}"
            ),
        })
    }

    /// A budget of `number` simulations.
    #[must_use]
    pub fn simulations(number: u64) -> Budget {
        Budget { simulations: Some(number), time: None, gap: None }
    }

    /// About this much time. Simulations in play when the time is over are not counted.
    #[must_use]
    pub fn time(time: Duration) -> Budget {
        Budget { simulations: None, time: Some(time), gap: None }
    }
}
