//! The settings on which the values of a rollout depend.

use core::num::NonZeroU32;

use tavli_backgammon::Board;
use tavli_backgammon::RuleSet;
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::playout::{FirstRoll, PlayoutError, Playouts, Row};
use tavli_players::named;

/// The settings on which the values of a rollout depend, besides its position, its policy and the number of trials.
///
/// ```
/// use tavli_rollout::PlayoutSettings;
/// use tavli_backgammon::FirstRoll;
/// let settings = PlayoutSettings { seed: 7, ..PlayoutSettings::default() };
/// assert_eq!(settings.first_roll, FirstRoll::Any);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutSettings {
    /// The rules of the game.
    pub rules: RuleSet,
    /// The seed of the random streams. Trial number `n` is game number `n` of this seed.
    pub seed: u64,
    /// How each game begins. The game of a candidate play begins with the roll after the play.
    pub first_roll: FirstRoll,
    /// The plies after which games are cut off. Such games count 0 points, unless a rollout has an
    /// [evaluator](crate::guide#truncated-games) for them.
    pub truncation: Option<NonZeroU32>,
}

impl Default for PlayoutSettings {
    /// Backgammon, seed 1, any first roll, games played to their end.
    fn default() -> PlayoutSettings {
        PlayoutSettings { rules: RuleSet::Backgammon, seed: 1, first_roll: FirstRoll::Any, truncation: None }
    }
}

impl PlayoutSettings {
    /// The playouts of a position: the games that a rollout of it plays.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over, or can never end.
    pub fn playouts(&self, board: Board) -> Result<Playouts, PlayoutError> {
        let playouts = Playouts::new(board, self.rules, self.seed)?.with_first_roll(self.first_roll);
        Ok(match self.truncation {
            Some(plies) => playouts.truncated_after(plies),
            None => playouts,
        })
    }

    /// A remark on rollouts whose games are cut off and valued by this evaluator, if it [has not
    /// learned](tavli_players::named::remark_on_values) the rules.
    #[must_use]
    pub fn remark_on(&self, evaluator: Option<&dyn Evaluator>) -> Option<String> {
        self.truncation?;
        named::remark_on_values(evaluator?.name(), self.rules)
    }

    /// A board as one of [many positions](tavli_backgammon::playout::ManyPlayouts). If the game is over there, all its
    /// games have that outcome.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game can never end, or has fewer checkers.
    pub fn row(&self, board: Board) -> Result<Row, PlayoutError> {
        match self.playouts(board) {
            Err(PlayoutError::GameOver { .. }) => {
                let outcome = self.rules.outcome(&board).expect("the game is over");
                Ok(Row::Over(outcome))
            }
            playouts => playouts.map(Row::Played),
        }
    }
}
