//! Monte-Carlo tree search, and the searches beside it, over any game of choice and chance.
//!
//! A [`Game`] has positions, chances, choices, and a way to play out many leaves as one batch. A [`Search`] grows
//! numbered trees on all workers, and adds up the statistics of their roots. While one tree waits for its playouts,
//! others use the lanes of the batch.
//!
//! A tree is a pure function of its position, chance, seed, number and [`Settings`]: it has a fixed number of playouts
//! in flight, and takes them back in the order in which they began. So results do not depend on threads, tiers or
//! timing, except on when a clock or a switch ends them.
//!
//! [`Expectimax`] searches the same games to a limited depth, where a [`Heuristic`] values positions.
//!
//! [`Backgammon`] is the game with all its rule sets; the tests have tic-tac-toe.
#![deny(missing_docs)]

mod backgammon;
mod branch;
mod budget;
mod chances;
mod expectimax;
mod flight;
mod game;
mod group;
mod heuristic;
mod names;
pub mod profile;
mod progressive_bias;
mod random;
mod root;
mod scores;
mod search;
mod settings;
mod simulations;
mod spread;
mod stage;
mod step;
mod tree;
mod values;
mod window;

pub use backgammon::{Backgammon, PlayersError};
pub use branch::{Branch, Replies, Reply};
pub use budget::Budget;
pub use expectimax::{DepthError, Expectimax, Looked, Outlook, Pruning};
pub use game::{Game, Leaf, Leaves};
pub use heuristic::{Heuristic, UNIT};
pub use names::NameError;
pub use progressive_bias::ProgressiveBias;
pub use root::{Arm, Root};
pub use scores::Scores;
pub use search::{Progress, Report, Search};
pub use settings::{BestMoveRule, ChanceSampling, MOST_FACTOR, Method, Settings, SettingsError, Value};
pub use step::Step;
pub use values::Values;
