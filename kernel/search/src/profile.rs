//! Where the time of searches goes, for whoever makes them faster.
//!
//! **Not a stable interface.** The stages are those of searches as they are built today. They change with them, and such a
//! change is not a breaking one.

use core::array;
use std::time::Duration;

use tavli_backgammon::profile::reading;

use crate::game::Game;
use crate::search::{Report, Search};
pub use crate::stage::SearchStage;
use crate::stage::Stopwatch;

/// What the stages of a search took; see [`run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTimes {
    /// What a reading of the clock takes. There is one at the end of each stage; the times are without it.
    pub reading: Duration,
    /// How often the clock was read.
    pub readings: u64,
    times: [Duration; SearchStage::ALL.len()],
}

impl SearchTimes {
    /// Wall-clock time of a stage.
    #[must_use]
    pub fn of(&self, stage: SearchStage) -> Duration {
        self.times[stage as usize]
    }

    /// Wall-clock time of all stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

/// Searches as [`Search::run_here`] does, and takes the time of each [stage](SearchStage). The search finds the same.
/// Reading the clock slows it down; the times are without the readings.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::Players;
/// use tavli_backgammon::{Board, RuleSet, Tier};
/// use tavli_search::profile::{self, SearchStage};
/// use tavli_search::{Backgammon, Budget, Search, Settings};
///
/// let settings = Settings::default();
/// let game = Backgammon::new(RuleSet::Backgammon, Players::default(), Tier::best(), settings.seed)?;
/// let root = game.root(&Board::START)?;
/// let chance = Backgammon::chance("31".parse()?);
/// let search = Search::new(Arc::new(game), root, chance, settings, Budget::simulations(5000))?;
/// let (report, times) = profile::run(search);
/// assert_eq!(report.root.simulations(), 5000);
/// for &stage in SearchStage::ALL {
///     println!("{stage}: {:?}", times.of(stage));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the game's playouts panic.
#[must_use]
pub fn run<G: Game>(search: Search<G>) -> (Report, SearchTimes) {
    let mut stopwatch = Stopwatch::started(SearchStage::Expand);
    let report = search.run_with(&mut stopwatch);
    let (times, readings) = stopwatch.stopped();
    let reading = reading();
    let times = SearchTimes {
        reading,
        readings: readings.iter().copied().map(u64::from).sum(),
        times: array::from_fn(|stage| times[stage].saturating_sub(reading * readings[stage])),
    };
    (report, times)
}
