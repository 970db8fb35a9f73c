//! What is rolled out: a position, or the position after a play.

use tavli_backgammon::Board;
use tavli_backgammon::Outcome;
use tavli_backgammon::playout::{PlayoutError, Playouts};
use tavli_backgammon::plays::Moves;
use tavli_backgammon::policies::Players;

use super::horizon::{Numbers, reversed};
use super::settings::Settings;

/// A position that is rolled out, and the play that leads to it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The moves of the play; `None` where the position itself is rolled out.
    pub moves: Option<Moves>,
    /// The position whose games are played: after a play, that of the player next on roll.
    pub board: Board,
    pub(super) course: Course,
}

/// How the games of a candidate are played.
#[derive(Clone, Debug)]
pub(super) enum Course {
    /// From this position on.
    Played(Playouts),
    /// Not at all, since the play wins: the end for the player who made it.
    Over(Outcome),
}

impl Candidate {
    /// The position of the player on roll.
    pub(super) fn position(board: Board, settings: &Settings) -> Result<Candidate, PlayoutError> {
        Ok(Candidate {
            moves: None,
            board,
            course: Course::Played(settings.playouts(board)?),
        })
    }

    /// The position after a play.
    pub(super) fn play(
        moves: Moves,
        board: Board,
        settings: &Settings,
    ) -> Result<Candidate, PlayoutError> {
        let course = match settings
            .rules
            .outcome_of_play(board.opponent(), board.own())
        {
            Some(outcome) => Course::Over(outcome),
            None => Course::Played(settings.playouts(board)?),
        };
        Ok(Candidate {
            moves: Some(moves),
            board,
            course,
        })
    }

    /// Whether the play wins, so that nothing is left to play.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.course, Course::Over(_))
    }

    /// Whether games may have an outcome, seen by the player whose rollout it is: who has borne a checker off does
    /// not lose a gammon, and the rules may have none.
    pub(super) fn may_end(&self, outcome: Outcome) -> bool {
        let Course::Played(playouts) = &self.course else {
            return false;
        };
        let of_first = self.for_player(outcome);
        let loser = if of_first.is_win() {
            self.board.opponent()
        } else {
            self.board.own()
        };
        let points = outcome.points().abs();
        let rules = playouts.rules();
        points == 1 || (points <= rules.most().points() && loser.borne_off(rules.checkers()) == 0)
    }

    /// The players of its games, the one who is on roll first before the other: after a play that is the opponent of the
    /// player whose rollout it is.
    pub(super) fn players(&self, of_rollout: &Players) -> Players {
        match self.moves {
            None => of_rollout.clone(),
            Some(_) => of_rollout.swapped(),
        }
    }

    /// The value of a game for the first player on roll, seen by the player whose rollout it is.
    pub(super) fn value_for_player(&self, value: Numbers) -> Numbers {
        match self.moves {
            None => value,
            Some(_) => reversed(value),
        }
    }

    /// An end for the first player on roll, seen by the player whose rollout it is.
    pub(super) fn for_player(&self, outcome: Outcome) -> Outcome {
        match self.moves {
            None => outcome,
            Some(_) => outcome.reversed(),
        }
    }
}
