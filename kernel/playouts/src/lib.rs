//! Playouts on every core.
//!
//! A [`Run`] gives consecutive ranges of game numbers to [`Workers`](tavli_run::Workers), one thread per CPU, and adds
//! up their results. A game is the same on every worker, so the results of a run depend on nothing but the playouts and
//! the range of games. The number of workers, their speed and the sizes of the ranges change only the time it takes.
//!
//! A [`ManyRun`] plays games from many positions. A [`GameRun`] and a [`GameManyRun`] do the same in any game.
//!
//! ```
//! use std::time::Duration;
//! use tavli_backgammon::{Board, Playouts, RuleSet, Tier};
//! use tavli_playouts::Run;
//! use tavli_run::{Cpus, Limit, Pinning, Placement, Workers};
//!
//! let placement = Placement::new(&Cpus::allowed(), Pinning::CORES, None)?;
//! let workers = Workers::start(&placement)?;
//! let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
//! let timed = Run::new(playouts, Tier::best(), Limit::Time(Duration::from_millis(20)));
//! let timed = timed.play(&workers, |_| ());
//! // The games that a timed run played, played again by count, give the same results.
//! let counted = Run::new(playouts, Tier::best(), Limit::Items(timed.results.tally.games));
//! assert_eq!(counted.play(&workers, |_| ()).results, timed.results);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod game_run;
mod many;
mod recorded;
mod report;
mod run;

pub use game_run::{GameManyRun, GameRun};
pub use many::{ManyReport, ManyRun, ManyRunError};
pub use report::{Played, Report};
pub use run::{GameNumbersError, Run, first_games_a_worker};
