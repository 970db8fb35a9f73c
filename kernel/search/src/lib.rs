//! Monte-Carlo tree search, flat Monte Carlo, sequential halving and expectimax, for any turn-based game of two players
//! with chance nodes.
//!
//! A [`Game`] has positions, chances and choices, and plays out many leaves as one batch. A [`Search`] grows numbered
//! trees on all workers, and adds up the statistics of their roots. While one tree waits for its playouts, others fill
//! the lanes of the batch.
//!
//! A tree is a pure function of its position, chance, seed, number and [`SearchSettings`]: its number of playouts in
//! flight is fixed, and they are backed up in the order of their beginnings. So results do not depend on threads or
//! tiers. They depend on timing only if a clock, a gap or a switch ends the search.
//!
//! [`Expectimax`] searches to a fixed depth, where a [`Heuristic`] values the positions.
//!
//! [`AlphaBeta`] searches games without chances deeper and deeper, with a table of positions. A [`GameWithTables`] adds
//! tables of solved positions and playouts by an evaluator to a game.
//!
//! [`GameLookAhead`] ranks choices by a heuristic some plies ahead, through move filters; [`GreedyPlayouts`] make the
//! best choices by it.
//!
//! An [`Agent`] picks the choices of any game: at random, by a search, by minimax, or by looking ahead.
//! [`AgentPlayouts`] are games of two agents.
#![deny(missing_docs)]

mod agent;
mod agent_playouts;
mod alpha_beta;
mod budget;
mod chances;
mod expectimax;
mod flat_allocation;
mod game_heuristic;
mod game_with_tables;
mod greedy_playouts;
mod line_and_replies;
mod line_step;
mod look_ahead;
mod paths;
mod pending_playouts;
pub mod profile;
mod progressive_bias;
mod random;
mod root_counts;
mod search;
mod search_report;
mod search_settings;
mod search_window;
mod simulation_allocator;
mod stage;
mod tree;
mod visited_positions;
mod worker_trees;

pub use agent::{Agent, AgentContext, AgentError, AgentEvaluator, HEAVY_SHARE, MINIMAX_DEPTH, Nets};
pub use agent_playouts::AgentPlayouts;
pub use alpha_beta::{AlphaBeta, AlphaBetaError, Deepened};
pub use budget::Budget;
pub use expectimax::{DepthError, Expectimax, ExpectimaxReport, Pruning, ValuedChoice};
pub use game_heuristic::GameHeuristic;
pub use game_with_tables::{GameWithTables, HeavyPlayouts, TablesAndHeavyPlayouts};
pub use greedy_playouts::{GreedyPlayout, GreedyPlayouts};
pub use line_and_replies::{LineAndReplies, Replies, Reply};
pub use line_step::LineStep;
pub use look_ahead::{GameLookAhead, LookedAhead};
pub use progressive_bias::ProgressiveBias;
pub use root_counts::{RootChoice, RootCounts};
pub use search::Search;
pub use search_report::{SearchProgress, SearchReport};
pub use search_settings::{
    BestChoice, ChanceSampling, MAX_FACTOR, Method, Reward, SearchSettings, SelectionBound, SettingsError,
};
pub use tavli_base::UnknownNameError as NameError;
pub use tavli_game::{Game, GameSource, GameStart, Heuristic, POINT};
pub use visited_positions::VisitedPositions;
