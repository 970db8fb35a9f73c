//! Playouts: games by uniform random play from any position, to their end or to the ply after which they are cut off
//! ([`Playouts::truncated_after`]).
//!
//! Every ply, the player on roll throws the dice and makes one of his plays, each distinct resulting
//! position being equally likely. A playout is a pure function of the starting position, the rules, the
//! first-roll mode, the seed and the number of the game: [`Playouts::play`] gives the same [`GameEnd`] on
//! every machine, and [`Playouts::run`] the same [`Results`] on every [`Tier`](tavli_simd::Tier).
//!
//! # The draw of a ply
//! A ply takes one 32-bit word `w` of the game's stream. The high word of `36 w` is the throw `t`, with the dice
//! `t / 6 + 1` and `t % 6 + 1`. The low word `f` draws the play: the one of index `f n / 2^32` among the `n` plays in
//! the order of [`Plays`](crate::Plays). If the first roll is `open`, it is drawn by `15 w` from the non-doubles in
//! ascending order; if it is given, `f` is `w`. If the first rolls are `stratified`, the throws of the first two plies
//! follow from the seed and the number of the game ([`FirstRoll::Stratified`]), and in both `f` is `w`. This is part of
//! the value-stability promise. `specification.rs`, beside the sources of this package, has all of it in one file of
//! plain loops, and the tests hold every tier to it.
//!
//! Roll and play together are `floor(36 n w / 2^32)`: each of the `36 n` pairs gets a share of the words
//! that differs from the ideal by less than one word, so its probability is off by less than `2^-32`, a
//! relative bias below `36 n / 2^32` (1.6e-7 at the mean of 19 plays, 1.6e-5 at the largest known number
//! of plays, 1896).

mod batch;
mod batch_game;
mod block;
mod dice;
mod drawn;
mod first_roll;
mod game_end;
mod game_queue;
mod many_playouts;
mod occupancy;
mod plain_plies;
mod playout_error;
mod playouts;
mod pool;
mod presets;
pub mod profile;
mod queues;
mod results;
mod rolled_block;
mod scalar;
mod selected_delta;
mod signature;
mod source;
mod stages;
mod start;
mod stratified;
mod tally;
mod throws;

pub use batch::Batch;
pub use batch_game::BatchEnd;
pub use dice::{Dice, Throw, Throws};
pub use first_roll::{FirstRoll, OtherFirstRollError};
pub use game_end::GameEnd;
pub use many_playouts::{ManyPlayouts, MixedRowsError, Row};
pub use occupancy::Occupancy;
pub use playout_error::PlayoutError;
pub use playouts::Playouts;
pub use results::Results;
pub(crate) use signature::signature_of;
pub use signature::{RECORDED_SIGNATURE, signature};
pub use source::BatchSource;
pub use start::{BatchStart, StartPosition};
pub use tally::Tally;
pub use tavli_game::Estimate;

pub use stratified::StratifiedThrows;
