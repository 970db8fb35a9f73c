//! A match as it was played.

use tavli_backgammon::plays::Moves;
use tavli_backgammon::{Board, Position, Roll, RuleSet};

/// A match or a money session.
#[derive(Clone, Debug)]
pub struct Match {
    /// The points that win the match; `None` in a money session.
    pub length: Option<u16>,
    /// The names of the players.
    pub players: [String; 2],
    /// The names and values in comments, such as `EventDate` and its value.
    pub comments: Vec<(String, String)>,
    /// The games, in order.
    pub games: Vec<MatchGame>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The points of both players before it.
    pub score: [u16; 2],
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// The actions, in order.
    pub steps: Vec<Step>,
    /// The winner, 0 or 1, and the points; `None` if the file ends first.
    pub winner: Option<(usize, u16)>,
}

/// A step of a game: an action of a player in a position.
#[derive(Clone, Debug)]
pub struct Step {
    /// The player, 0 or 1.
    pub player: usize,
    /// The position before the action, with cube and score, seen by the player who acts; for an answer to a double, by
    /// the player who doubled.
    pub position: Position,
    /// The action.
    pub action: Action,
    /// The line of the file.
    pub line: usize,
}

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Rolls and plays.
    Play {
        /// The roll.
        roll: Roll,
        /// The position after it, seen by the other player.
        after: Board,
    },
    /// Doubles, or redoubles.
    Double,
    /// Takes a double.
    Take,
    /// Passes a double.
    Pass,
}

impl Step {
    /// The moves of a play; `None` for other actions, and for an illegal play.
    #[must_use]
    pub fn moves(&self) -> Option<Moves> {
        match self.action {
            Action::Play { roll, after } => Moves::between(self.position.board(), roll, &after),
            Action::Double | Action::Take | Action::Pass => None,
        }
    }
}

impl MatchGame {
    /// The points of both players after the game, or so far if it has not ended.
    #[must_use]
    pub(crate) fn score_after(&self) -> [u16; 2] {
        let mut score = self.score;
        if let Some((winner, points)) = self.winner {
            score[winner] = score[winner].saturating_add(points);
        }
        score
    }

    /// Whether it ended by neither its last checker nor a pass: one of the players gave it up.
    #[must_use]
    pub fn is_resigned(&self) -> bool {
        let is_end = |step: &Step| match step.action {
            Action::Play { after, .. } => RuleSet::Backgammon.is_over(&after),
            Action::Pass => true,
            Action::Double | Action::Take => false,
        };
        self.winner.is_some() && !self.steps.last().is_some_and(is_end)
    }
}
