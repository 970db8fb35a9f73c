//! Playouts on every core.
//!
//! A [`Run`] gives consecutive ranges of game numbers to [`Workers`](tavli_run::Workers), one thread per CPU, and adds
//! up their results. A game is the same on every worker, so the results of a run depend on nothing but the playouts and
//! the range of games. The number of workers, their speed and the sizes of the ranges change only the time it takes.
//!
//! [`Run::new`] plays games of one position, and [`Run::from_rows`] some from each of many: of backgammon by
//! [`BackgammonPlayouts`], of any game by [`GamePlayouts`].
//!
//! ```
//! use std::time::Duration;
//! use tavli_backgammon::policies::PolicyPair;
//! use tavli_backgammon::{Board, Playouts, RuleSet, Tier};
//! use tavli_playouts::{BackgammonPlayouts, Run};
//! use tavli_run::{Cpus, Limit, Pinning, Placement, Workers};
//!
//! let placement = Placement::new(&Cpus::allowed(), Pinning::CORES, None)?;
//! let workers = Workers::start(&placement)?;
//! let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
//! let playouts = BackgammonPlayouts::new(playouts, PolicyPair::default(), Tier::best());
//! let timed = Run::new(playouts.clone(), Limit::Time(Duration::from_millis(20)));
//! let timed = timed.play(&workers, |_| ());
//! // The games that a timed run played, played again by count, give the same results.
//! let counted = Run::new(playouts, Limit::Items(timed.results.tally.games));
//! assert_eq!(counted.play(&workers, |_| ()).results, timed.results);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod backgammon_playouts;
mod count_games;
mod game_numbers;
mod game_playouts;
mod report;
mod rows;
mod run;
mod tier_variable;

pub use backgammon_playouts::{BackgammonPlayouts, first_games_a_worker, remark_on_cube};
pub use count_games::{CountGames, CountGamesWithEnds, CountRows};
pub use game_numbers::GameNumbersError;
pub use game_playouts::GamePlayouts;
pub use report::{GameCounts, PlayoutReport};
pub use rows::{Rows, RowsError};
pub use run::Run;
pub use tier_variable::{TIER_VARIABLE, TierVariableError, tier_variable};
