//! The plays of a decision in a game other than backgammon.

use pyo3::prelude::*;
use tavli::games::AnyRacedPlay;

use crate::candidate_result::Statistic;
use crate::pickled::class_of_members;
use crate::position::Position;

class_of_members! {
    /// A play of a game other than backgammon that raced, for the player who makes it.
    #[derive(Clone, Debug)]
    pub(crate) struct RacedPlay: from_py_object {
        /// The play in notation.
        pub(crate) moves: String,
        /// The position after it, seen by the player next on roll.
        position: Position,
        /// Games of this play. A dropped play has fewer than the best.
        pub(crate) trials: u64,
        /// Whether it was dropped before the end.
        is_dropped: bool,
        /// Its value by the policy without games, in points.
        evaluation: f64,
        /// Mean points of its games minus their luck; NaN without games.
        pub(crate) equity: Statistic,
        /// Points behind the best play, on the same dice, over the trials of both; 0 for the best.
        behind: Statistic,
    }

    fn __repr__(&self) -> String {
        format!("<tavli.RacedPlay {}: equity {}>", self.moves, self.equity.text(4))
    }
}

impl RacedPlay {
    pub(crate) fn new(raced: &AnyRacedPlay) -> RacedPlay {
        let AnyRacedPlay { play, raced } = raced;
        RacedPlay {
            moves: play.moves.clone(),
            position: Position::from_any_position(play.position.clone()),
            trials: raced.trials,
            is_dropped: raced.is_dropped,
            evaluation: raced.evaluation,
            equity: Statistic::new(raced.equity),
            behind: Statistic::new(raced.behind),
        }
    }
}
