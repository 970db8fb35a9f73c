//! Plakoto and Fevga, two of the three games of tavli: positions, plays, uniform playouts, nets, and Tavli3D's
//! evaluation.
//!
//! ```
//! use tavli_base::NO_STOP;
//! use tavli_game::{Game, PlayableGame, PlayoutStart};
//! use tavli_variants::Plakoto;
//! use tavli_simd::Tier;
//!
//! let game = Plakoto::by_rules("default", Tier::best(), 1)?;
//! let position = game.read("n-------------------a--O")?;
//! let roll = game.chance("31").expect("a roll");
//! assert_eq!(game.choices(&position, roll), 2);
//! assert_eq!(game.moves(&position, roll, 0), "24/23 24/21*"); // pins a checker
//!
//! let tally = PlayoutStart::new(game.start()).run(&game, 0..1000, NO_STOP)?;
//! assert_eq!([2, 1, 0, -1, -2].map(|points| tally.count(points)), [291, 137, 196, 117, 259]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod batch;
mod drawing;
mod end_test;
mod entry_points;
mod fevga;
mod game;
pub mod nets;
mod notation;
mod plakoto;
mod plays;
mod points;
mod position;
mod position_text;
mod possible_points;
mod roll_plays;
mod rolls;
mod scalar;
mod tavli3d;
mod tavli3d_position;
mod variant;

pub use fevga::{BeforeStart, Blocking, FevgaRules, StartQuadrant};
pub use game::VariantGame;
pub use plakoto::PlakotoRules;
pub use position::{Position, SideCheckers};

/// Plakoto: checkers are pinned, not hit.
pub type Plakoto = VariantGame<PlakotoRules>;
/// Fevga: one checker holds a point.
pub type Fevga = VariantGame<FevgaRules>;
