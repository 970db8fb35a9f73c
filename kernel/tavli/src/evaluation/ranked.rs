//! Plays and cube decisions, ranked with the cube if there is one.

use tavli_backgammon::evaluators::Probabilities;
use tavli_backgammon::{Board, PlayoutError, Roll, Tier};
use tavli_run::{Cancel, Workers};

use super::valued::{Evaluation, ValuedPlay};
use crate::cube::{CubeInPlay, CubePosition, CubeValues};

/// The value of a position before the roll.
#[derive(Clone, Copy, Debug)]
pub struct ValuedPosition {
    /// The probabilities of the outcomes for the player on roll, without the cube.
    pub value: Probabilities,
    /// The values with the cube; `None` where there is none, and where the game is over: nothing is left to decide.
    pub cube: Option<CubeValues>,
}

/// A play in its rank.
#[derive(Clone, Debug)]
pub struct RankedPlay {
    /// The play, its value without the cube, and the plies that it was looked ahead.
    pub play: ValuedPlay,
    /// Its equity with the cube for the player who makes it: in money games in units of the cube, in matches equivalent
    /// to that.
    pub cubeful: Option<f64>,
}

/// The plays of a roll, the best first. Those that were looked ahead from less follow the others.
#[derive(Clone, Debug)]
pub struct RankedPlays {
    /// The plays.
    pub plays: Vec<RankedPlay>,
    /// Whether the switch was thrown before the end.
    pub cancelled: bool,
}

impl RankedPlay {
    /// The equity that plays are ranked by: with the cube, if there is one.
    #[must_use]
    pub fn equity(&self) -> f64 {
        self.cubeful.unwrap_or_else(|| self.play.value.equity())
    }
}

impl Evaluation {
    /// The plays of a roll, ranked with a cube if there is one: as [`Evaluation::plays`], of which it has the errors.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over or can never end, or the rules do not know the position.
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    pub fn ranked(
        &self,
        board: &Board,
        roll: Roll,
        cube: Option<&CubeInPlay>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<RankedPlays, PlayoutError> {
        let valued = self.plays(board, roll, tier, workers, cancel)?;
        let mut cancelled = valued.cancelled;
        let mut plays: Vec<RankedPlay> = valued
            .plays
            .into_iter()
            .map(|play| RankedPlay { play, cubeful: None })
            .collect();
        if let Some(cube) = cube {
            cancelled |= self.add_cube(&mut plays, cube, tier, workers, cancel);
        }
        // A value from fewer plies ahead does not compare with the others.
        plays.sort_by(|a, b| {
            let deeper = b.play.plies.cmp(&a.play.plies);
            deeper.then(b.equity().total_cmp(&a.equity()))
        });
        Ok(RankedPlays { plays, cancelled })
    }

    /// A play of a roll, valued as far ahead as this evaluation looks, whatever the move filters say; `None` if the
    /// switch was thrown.
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    #[must_use]
    pub fn in_full(
        &self,
        play: &RankedPlay,
        cube: Option<&CubeInPlay>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Option<RankedPlay> {
        let mut valued = play.clone();
        let after = self.values(&[play.play.board], tier, workers, cancel);
        let after = after.expect("a position after a play").pop()?;
        (valued.play.value, valued.play.plies) = (after.reversed(), self.plies());
        if let Some(cube) = cube
            && self.add_cube(core::slice::from_mut(&mut valued), cube, tier, workers, cancel)
        {
            return None;
        }
        Some(valued)
    }

    /// Gives plays their equity with the cube: without looking ahead, if the switch was thrown before. Returns whether
    /// it was.
    fn add_cube(
        &self,
        plays: &mut [RankedPlay],
        cube: &CubeInPlay,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> bool {
        let position = |ranked: &RankedPlay, most: u32| {
            let play = &ranked.play;
            // A finished game is not looked ahead from.
            let is_over = self.rules.outcome(&play.board).is_some();
            let plies = if is_over { 0 } else { play.plies.min(most) };
            CubePosition::after_play(cube, &play.board, &play.value.into(), plies)
        };
        let ahead = plays.iter().map(|play| position(play, u32::MAX)).collect();
        let ahead = self.with_cube(ahead, tier, workers, cancel);
        let was_cut = ahead.len() < plays.len() && self.plies() > 0;
        for (index, play) in plays.iter_mut().enumerate() {
            let values = match ahead.get(index) {
                Some(values) => *values,
                None => {
                    let here = position(play, 0).values_here();
                    play.play.plies = 0;
                    here
                }
            };
            play.cubeful = Some(-values.best());
        }
        was_cut
    }

    /// The value of each position before the roll, and with its own cube, if it has one: as [`Evaluation::values`]. If
    /// the switch was thrown before the end, those before the first that had none.
    ///
    /// # Errors
    /// As [`Evaluation::values`].
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    pub fn decisions(
        &self,
        positions: &[(Board, Option<CubeInPlay>)],
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Vec<ValuedPosition>, (usize, PlayoutError)> {
        let boards: Vec<Board> = positions.iter().map(|(board, _)| *board).collect();
        let values = self.values(&boards, tier, workers, cancel)?;
        let cubes = positions.iter().map(|(board, cube)| {
            // A finished game has no decision.
            cube.as_ref().filter(|_| self.rules.outcome(board).is_none())
        });
        let cubes: Vec<Option<&CubeInPlay>> = cubes.take(values.len()).collect();
        let with_cube = cubes
            .iter()
            .zip(&boards)
            .zip(&values)
            .filter_map(|((cube, board), value)| {
                let chances = (*value).into();
                cube.map(|cube| CubePosition::before_roll(cube, board, chances, self.plies()))
            });
        let mut found = self.with_cube(with_cube.collect(), tier, workers, cancel).into_iter();
        let valued = values.into_iter().zip(cubes).map_while(|(value, cube)| match cube {
            None => Some(ValuedPosition { value, cube: None }),
            Some(_) => found.next().map(|values| ValuedPosition {
                value,
                cube: Some(values),
            }),
        });
        Ok(valued.collect())
    }

    /// The values of a position with a cube before the roll, from its value without: `None` if the switch was thrown.
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    #[must_use]
    pub fn decision(
        &self,
        board: &Board,
        value: &Probabilities,
        cube: &CubeInPlay,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Option<CubeValues> {
        let position = CubePosition::before_roll(cube, board, (*value).into(), self.plies());
        self.with_cube(vec![position], tier, workers, cancel).pop()
    }
}
