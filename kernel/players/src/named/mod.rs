//! Players by name or by file: all programs look them up here.
//!
//! | text | player |
//! |---|---|
//! | `uniform`, `pubeval` | the [policies](tavli_backgammon::policies) with these names |
//! | `td80` | a [net](crate::net::NetPlayer) as TD-Gammon's of 1992: 198 inputs, 80 hidden units, 1.5 million games of self-play |
//! | `fast` | a [net](crate::net::NetPlayer) of 192 hidden units, the cheapest good player |
//! | `strong` | a [net](crate::net::NetPlayer) of layers of 384, 256 and 64 hidden units, which values the best plays by `fast` |
//! | `sampled`, `sampled:GAMES:POLICY` | a player that picks by the [evaluator](tavli_backgammon::evaluators::Sampled) of this name |
//! | a path | the player in a [file of nets](crate::net::PlayerFile) |
//! | `PATH#CHECKSUM` | the player in a file whose bytes, in reverse order, have this CRC-32 |
//! | `PLAYER+1ply`, `PLAYER+2ply:KEEP:BY` | a player that values positions, [looking ahead](crate::LookAhead) from the plays that pass its [move filters](crate::MoveFilters), or from the KEEP plays of the roll that BY ranks first |
//! | `PLAYER+bearoff`, `PLAYER+bearoff:6x6`, `PLAYER+bearoff:FILE` | the player, with perfect play in the positions of a two-sided table: of 6 checkers on 6 points, of another size, or of GNU Backgammon's file |
//! | `PLAYER+bearoff:6`, `PLAYER+bearoff:FILE` | the player, with the values of a [one-sided table](crate::bearoff::OneSidedValues), as if both sides minimised rolls: of 6 points, of other points, or of GNU Backgammon's file |
//! | `PLAYER+bearoff:6+bearoff:6x6` | the player with both tables; the two-sided one is asked first |
//! | `PLAYER+cube` | the player, whose plays are [chosen with the cube](crate::cubeful_evaluator) in games with one: last of its additions |
//!
//! A player has at most 8 additions (`+`), one of which may look ahead: names are parsed recursively,
//! so their depth is limited.
//!
//! The name of a player from a file is `PATH#CHECKSUM`, so that the name decides its plays: a saved result goes on only
//! with the same file. The bytes are taken in reverse order since a file ends with the CRC-32 of its other bytes, which
//! gives all files the same CRC-32 forwards. Evaluators are found here as well: they are the players that value
//! positions.
//!
//! The [defaults](Defaults) of all programs and the [list](built_ins) of the built-in players are here as well.

mod addition;
mod built_in;
mod by_name;
mod defaults;
mod error;
mod file;
mod learned;
mod nets;

pub use crate::player::NamedPlayer;
pub use addition::{MAX_PLIES, check_look_ahead};
pub use built_in::{BuiltIn, built_ins, list_of_evaluators, list_of_policies, names};
pub use by_name::{
    evaluator, give_net, identity, is_taken, known_values, player, policy, signature_of_evaluator,
    signature_of_policies,
};
pub use defaults::{Defaults, rollout_players};
pub use error::NamedError;
pub use learned::remark_on_values;
