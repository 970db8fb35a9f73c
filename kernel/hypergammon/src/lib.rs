//! Hypergammon, solved: the value of every position of three checkers a side under perfect play, without a cube and
//! with one.
//!
//! There are 7,959,904 legal positions. A [`Solver`] finds the equity of each by value iteration: the equity of the
//! best play of each roll, averaged over the 36 throws, until no equity changes by more than 1e-12. Then it finds the
//! probabilities of the outcomes along the best plays. It takes minutes, and about 1.5 GB of memory. It can be stopped
//! at any time and go on later, to the same values bit for bit. The file of an unfinished solver has up to 1.2 GB, with
//! a cube up to 2.8 GB.
//!
//! A solver [with a cube](Solver::with_cube) goes on to equities of money games for each owner of the cube, each with
//! its own best plays, until they change by less than 1e-7.
//!
//! ```no_run
//! use tavli_hypergammon::Solver;
//! use tavli_run::{Cancel, Cpus, Pinning, Placement, Workers};
//! let placement = Placement::new(&Cpus::allowed(), Pinning::default(), None)?;
//! let workers = Workers::start(&placement)?;
//! let (mut solver, cancel) = (Solver::new()?, Cancel::new());
//! assert!(solver.run(&workers, &cancel, |_, progress| println!("{progress:?}")));
//! let solution = solver.solution(&workers, &cancel, |_, _| ())?.expect("nobody cancels it");
//! assert!((solution.opening().equity - 0.0836795444708631).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod cube;
mod error;
mod format;
mod plan;
mod positions;
mod saved_solver;
mod solver;
mod sweep;
mod table;

pub use cube::CubeEquities;
pub use error::SolutionError;
pub use plan::{SolverProgress, SolverStage};
pub use positions::OPEN_POSITIONS as POSITIONS;
pub use solver::Solver;
pub use table::{Solution, Value};
