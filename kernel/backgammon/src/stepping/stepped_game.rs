//! One game that is played ply by ply.

use rand_xoshiro::Xoshiro128PlusPlus;

use crate::board::{Board, Side};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::playout::{Dice, GameEnd, Playouts, Throw};
use crate::plays::{Play, Plays};
use crate::rules::RuleSet;
use crate::stepping::play_error::PlayError;

/// A game that is played ply by ply, with the dice that the [playout](Playouts::play) of its number has.
///
/// ```
/// use tavli_backgammon::stepping::SteppedGame;
/// use tavli_backgammon::{Board, Outcome, Playouts, RuleSet};
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 42)?;
/// let mut game = SteppedGame::new(&playouts, 7);
/// while let Some(throw) = game.roll() {
///     let plays = game.plays().expect("the dice are thrown");
///     game.make(throw.draw(plays.len()))?; // any index will do; this one makes it a playout
/// }
/// assert_eq!(game.outcome(), playouts.play(7).outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SteppedGame {
    rules: RuleSet,
    max_plies: u32,
    dice: Dice,
    stream: Xoshiro128PlusPlus,
    end: GameEnd,
    throw: Option<Throw>,
}

impl SteppedGame {
    /// The game of a number, before its first roll.
    #[must_use]
    pub fn new(playouts: &Playouts, number: u64) -> SteppedGame {
        let dice = playouts.dice();
        SteppedGame {
            rules: playouts.rules(),
            max_plies: playouts.truncation().map_or(u32::MAX, |plies| plies.get()),
            dice,
            stream: dice.stream(number),
            end: GameEnd { game: number, outcome: None, plies: 0, board: *playouts.start() },
            throw: None,
        }
    }

    /// Throws the dice, unless they lie there already; `None` when the game has ended or was cut off.
    pub fn roll(&mut self) -> Option<Throw> {
        if self.throw.is_none() && !self.has_ended() {
            let GameEnd { game, plies, .. } = self.end;
            self.throw = Some(self.dice.draw(&mut self.stream, game, plies));
        }
        self.throw
    }

    /// Replaces the roll that is played next. The fraction that draws the play stays the stream's. A game that has
    /// ended stays as it is.
    pub fn set_roll(&mut self, roll: Roll) {
        if let Some(throw) = self.roll() {
            self.throw = Some(Throw { roll, ..throw });
        }
    }

    /// The plays of the roll, if the dice are thrown.
    #[must_use]
    pub fn plays(&self) -> Option<Plays> {
        let roll = self.throw?.roll;
        Some(Plays::new(&self.end.board, roll, self.rules))
    }

    /// Makes the play of an index, and returns it.
    ///
    /// # Errors
    /// [`PlayError`] if the dice are not thrown, or there are fewer plays; nothing is then played.
    pub fn make(&mut self, index: usize) -> Result<Play, PlayError> {
        let plays = self.plays().ok_or(PlayError::NoRoll)?;
        let play = plays.get(index).ok_or(PlayError::Index { index, plays: plays.len() })?;
        self.throw = None;
        let GameEnd { plies, board, .. } = &mut self.end;
        *plies += 1;
        *board = play.board();
        self.end.outcome = self.rules.outcome_after(*plies, board.opponent(), board.own());
        Ok(play)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The number of the game.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.end.game
    }

    /// The position, seen by the player on roll, or after the end by the player who would be next.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.end.board
    }

    /// Whose turn it is: that of the player who was on roll in the first position, or that of his opponent.
    #[must_use]
    pub fn turn(&self) -> Side {
        Side::after(self.end.plies)
    }

    /// Plies played, passes included.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.end.plies
    }

    /// How it ended for the player who was on roll in the first position, if it is over. [`Outcome::points`] has the
    /// points.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.end.outcome
    }

    /// Whether it is over, or cut off by the truncation of its playouts.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.end.outcome.is_some() || self.end.plies >= self.max_plies
    }

    /// The game so far, in the form in which a playout reports its end.
    #[must_use]
    pub fn so_far(&self) -> GameEnd {
        self.end
    }
}
