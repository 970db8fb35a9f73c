//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. The fast
//! generator need not list them: it *counts* them in closed form from bit masks, and *unranks* the one of
//! a given index; [`algebra`] shows how, and why each play has exactly one index. The [`reference`](mod@reference)
//! generator is the rules word for word, and the tests compare the fast one with it.
//!
//! The change of a play has a type for each width in which it is used:
//!
//! | type | content | made by | read by |
//! |---|---|---|---|
//! | [`Change`] | up to four steps of checkers and the hit points, 12 bytes | listing | policies, nets, notation |
//! | `StepList` | these steps while one play is listed, in two registers | listing | `Change` |
//! | `SideDeltas` | a side's words, and their changes by one checker less or more | listing, once a side | listing, for every play |
//! | `MovedSide` | the mover's words after a play, and the points landed on | listing | `Opponent`, which makes the result |
//! | `BoardDelta` | bit planes of checkers taken up and put down | `PlaySet::delta`, of an index | one play: `Plays::get`, the portable tier |
//! | `PlaneDelta` | bit planes of landings less departures, in two's complement | the batch | `Pool::make` |
//! | `SelectedDelta` | a `PlaneDelta` of two different dice, without its duplicate plane | `Pool::choose` | `Pool::make` |

#[doc = include_str!("../../docs/algebra.md")]
pub mod algebra {}
mod board_delta;
mod change;
mod double_list;
mod double_masks;
mod listing;
mod masks;
mod moves;
mod non_doubles;
pub mod notation;
mod opponent;
mod packed_side;
mod perft;
mod plane_delta;
mod planes;
mod play;
mod play_set;
pub mod reference;
mod roll_plays;
mod side_deltas;
mod step;
mod step_list;

pub use change::Change;
pub use listing::View;
pub use moves::Moves;
pub use perft::perft;
pub use play::Play;
pub use roll_plays::Plays;
pub use step::Step;
pub use tavli_game::Nodes;

pub(crate) use double_masks::double_masks;
pub(crate) use listing::{Listing, copied_unless, pick_results};
pub(crate) use masks::Masks;
pub(crate) use non_doubles::NonDoubleMasks;
pub(crate) use plane_delta::PlaneDelta;
pub(crate) use planes::{CheckerPlanes, Steps, occupied_and_made};
pub(crate) use play_set::{CountPlays, PlaySet, Visit, at_most_one_outside, visit_plays};
