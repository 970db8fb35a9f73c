//! The games by name: everything that plays, searches, counts or prints games takes them from this list. An
//! [`AnyPosition`] is a position of a game that is named at run time.
//!
//! ```
//! use tavli_games::{Game, PlayableGame, Visitor, visit};
//!
//! /// The number of choices of the first ply.
//! struct First;
//!
//! impl Visitor for First {
//!     type Output = u128;
//!
//!     fn visit<G: PlayableGame>(self) -> u128 {
//!         let game = G::by_rules(G::RULES[0], tavli_backgammon::Tier::best(), 1).expect("its own rules");
//!         game.perft(&game.start(), 1).nodes
//!     }
//! }
//!
//! assert_eq!(visit("backgammon", First)?, 447);
//! assert_eq!(visit("tictactoe", First)?, 9);
//! # Ok::<(), tavli_games::UnknownGame>(())
//! ```
#![deny(missing_docs)]

mod agents;
mod any_decision;
mod any_net;
mod any_position;
mod built_in;
mod choice_evaluator;
mod decision;
mod decision_chunks;
mod files;
mod known_bear_offs;
mod list;
mod named_choices;
mod rollout;

pub use agents::{NamedNet, ReadAgentError, named_net, names_of_nets, read_agent, split_look_ahead};
pub use any_decision::{
    AnyDecision, AnyDecisionError, AnyDecisionProgress, AnyDecisionRequest, AnyPreparedDecision, AnyRacedPlay,
};
pub use any_net::AnyNet;
pub use any_position::{AnyEvaluator, AnyPlay, AnyPosition, AnyPositionError};
pub use built_in::{built_in_net, built_in_nets, default_evaluator, default_net, remark_on_values};
pub use choice_evaluator::{ChoiceEvaluator, RankedChoice, UnknownEvaluator, evaluator_index};
pub use decision::{GameDecision, GameDecisionProgress, GameDecisionSettings, RacedChoice};
pub use decision_chunks::DecisionChunks;
pub use files::{net_bytes, read_net, read_solved_positions, solved_position_bytes, write_net, write_solved_positions};
pub use list::{NAMES, OTHER_NAMES, UnknownGame, Visitor, visit, visit_other};
pub use named_choices::{NamedChoicesError, named_choices};
pub use rollout::{
    GameCandidate, GameCandidateResult, GameRollout, GameRolloutError, GameRolloutRecordError, GameRolloutRequest,
    LoadGameRolloutError, RolloutPlayer, RolloutPlayerError,
};
#[doc(inline)]
pub use tavli_game::*;
