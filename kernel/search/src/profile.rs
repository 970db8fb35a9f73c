//! The time of each stage of a search, for work on its speed.
//!
//! **Not a stable interface.** The stages follow today's implementation. Changing them is not a breaking change.

use core::array;
use std::time::Duration;

use tavli_base::time_of_reading;

use tavli_game::Game;

use crate::search::Search;
use crate::search_report::SearchReport;
pub use crate::stage::SearchStage;
use crate::stage::Stopwatch;

/// The time of each stage of a search; see [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTimes {
    /// The time of one reading of the clock. There is a reading at the end of each stage, which the times leave out.
    pub reading: Duration,
    /// The number of readings.
    pub readings: u64,
    times: [Duration; SearchStage::ALL.len()],
}

impl SearchTimes {
    /// Wall-clock time of a stage.
    #[must_use]
    pub fn time_of(&self, stage: SearchStage) -> Duration {
        self.times[stage as usize]
    }

    /// Wall-clock time of all stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

/// Searches as [`Search::run_here`] does, with the same result, and measures each [stage](SearchStage). Reading the
/// clock slows the search down; the times leave the readings out.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_backgammon::{BackgammonGame, Board, RuleSet, Tier};
/// use tavli_search::profile::{self, SearchStage};
/// use tavli_search::{Budget, Search, SearchSettings};
///
/// let settings = SearchSettings::default();
/// let game = BackgammonGame::new(RuleSet::Backgammon, PolicyPair::default(), Tier::best(), settings.seed)?;
/// let root = game.root(&Board::START)?;
/// let chance = BackgammonGame::chance("31".parse()?);
/// let search = Search::new(Arc::new(game), root, chance, settings, Budget::simulations(5000))?;
/// let (report, times) = profile::run(search);
/// assert_eq!(report.root.simulations(), 5000);
/// for &stage in SearchStage::ALL {
///     println!("{stage}: {:?}", times.time_of(stage));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If a playout panics.
#[must_use]
pub fn run<G: Game>(search: Search<G>) -> (SearchReport, SearchTimes) {
    let mut stopwatch = Stopwatch::started(SearchStage::Expand);
    let report = search.run_with(&mut stopwatch, &|_| ());
    let (times, readings) = stopwatch.stopped();
    let reading = time_of_reading();
    let times = SearchTimes {
        reading,
        readings: readings.iter().copied().map(u64::from).sum(),
        // A reading is measured separately, and a short stage's readings may have taken less.
        times: array::from_fn(|stage| times[stage].saturating_sub(reading * readings[stage])),
    };
    (report, times)
}
