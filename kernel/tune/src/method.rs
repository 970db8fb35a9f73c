//! The trait of a method of tuning.

use core::fmt::Debug;

use tavli_game::PairScore;

/// A number 0 to 1 for each parameter, from its least value to its greatest.
pub type Point = Vec<f64>;

/// Two agents that are to play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairing {
    /// The agent whose points count.
    pub point: Point,
    /// The opponent; `None` for the recipe's opponent, by default the agent with the start values.
    pub opponent: Option<Point>,
}

/// A method: it asks for the games of a generation, and learns from their scores. It draws its own random numbers, and
/// is a pure function of them and of the scores.
pub trait Method: Debug {
    /// The pairings of the next generation.
    fn ask(&mut self) -> Vec<Pairing>;

    /// Learns the scores of the pairings that it asked for, in their order.
    fn tell(&mut self, scores: &[PairScore]);

    /// The best point so far.
    fn best(&self) -> Point;
}
