//! Which plays of a roll are looked ahead from.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::Evaluator;

use crate::net::MoveFilter;

/// A move filter before each ply of looking ahead, as GNU Backgammon has them. All plays of a roll are valued without
/// looking ahead; plays that pass the first filter are valued one ply ahead, plays that pass the second two plies
/// ahead, and so on. Plays that end the game always pass, and do not count.
///
/// ```
/// use tavli_players::MoveFilters;
/// let filters = MoveFilters::default();
/// // Two plays nearly as good as each other, and one half a point behind.
/// assert_eq!(filters.passing(0, &[0.12, 0.13, -0.37]), [0, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct MoveFilters {
    /// The suffix of the name of a player with these filters.
    pub(crate) name: String,
    /// Ranks all plays, if not the evaluator that looks ahead itself.
    pub by: Option<Arc<dyn Evaluator>>,
    /// The filter before each ply. All plays pass before further plies.
    before_plies: &'static [MoveFilter],
    /// Overrides the first filter: `keep` plays pass, however far they are behind the best.
    keep: Option<NonZeroU32>,
}

const fn filter(plays: u32, margin: f32) -> MoveFilter {
    MoveFilter { plays: NonZeroU32::new(plays).expect("some plays"), margin }
}

/// The first filter is GNU Backgammon's in its "normal" setting.
// `strong+2ply` on 200 decisions, points lost and milliseconds each: without a second filter 0.0010 and 13.2, with this
// one 0.0011 and 5.6, with four plays within 0.06 points 0.0010 and 7.1 (profiles/LOG.md, 2026-11-27).
const DEFAULT_FILTERS: [MoveFilter; 4] = [filter(8, 0.16), filter(3, 0.04), filter(3, 0.04), filter(2, 0.03)];

impl Default for MoveFilters {
    /// The usual filters, by the values of the evaluator that looks ahead.
    fn default() -> MoveFilters {
        MoveFilters { name: String::new(), by: None, before_plies: &DEFAULT_FILTERS, keep: None }
    }
}

impl MoveFilters {
    /// One filter instead of the usual ones: the best `plays` of a roll pass, ranked by the evaluator that looks ahead
    /// or by another.
    #[must_use]
    pub fn keeping(plays: NonZeroU32, by: Option<Arc<dyn Evaluator>>) -> MoveFilters {
        let mut name = format!(":{plays}");
        if let Some(by) = &by {
            name.push_str(&format!(":{}", by.name()));
        }
        MoveFilters { name, by, before_plies: &[], keep: Some(plays) }
    }

    /// Whether plays are filtered by their values `plies` plies ahead.
    #[must_use]
    pub fn filter_at(&self, plies: u32) -> bool {
        self.filter(plies).is_some()
    }

    /// The indices of the plays that are looked further ahead from, by their equities `plies` plies ahead.
    #[must_use]
    pub fn passing(&self, plies: u32, equities: &[f64]) -> Vec<usize> {
        match self.filter(plies) {
            Some(filter) => filter.passing(equities),
            None => (0..equities.len()).collect(),
        }
    }

    /// The filter of plays by their values `plies` plies ahead, if they are filtered.
    #[must_use]
    pub fn filter(&self, plies: u32) -> Option<MoveFilter> {
        let margin = f32::INFINITY;
        let keep = self.keep.filter(|_| plies == 0).map(|plays| MoveFilter { plays, margin });
        keep.or_else(|| self.before_plies.get(plies as usize).copied())
    }
}
