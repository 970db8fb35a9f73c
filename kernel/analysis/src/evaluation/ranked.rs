//! Plays and cube decisions, ranked with the cube if there is one.

use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::{Board, Outcome, Planes, PlayoutError, Playouts, Plays, Position, Roll, Tier};
use tavli_run::{Cancel, Workers};

use thiserror::Error;

use super::valued::{Evaluation, ValuedPlay};
use crate::cube::{self, CubeInPlay, CubeModel, CubePosition, CubeValues, NO_CUBE, PossibleRolls};

/// The value of a position before the roll.
#[derive(Clone, Copy, Debug)]
pub struct PositionValue {
    /// The probabilities of the outcomes for the player on roll, without the cube.
    pub value: Probabilities,
    /// The values with the cube, and the right action, which is [`NotAvailable`](cube::Action::NotAvailable) if the
    /// game is over; `None` without a cube.
    pub cube: Option<CubeValues>,
}

/// A position with dice, although a position before the roll is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "a position is valued before its roll, and this one has the roll {0}: ask for its plays, or leave out the dice"
)]
pub struct RolledError(pub Roll);

impl RolledError {
    /// Checks that the dice of a position are not rolled: the value of a position is the value before the roll.
    ///
    /// # Errors
    /// [`RolledError`] if they are.
    pub fn check(position: &Position) -> Result<(), RolledError> {
        position.roll().map_or(Ok(()), |roll| Err(RolledError(roll)))
    }
}

/// A play in its rank.
#[derive(Clone, Debug)]
pub struct RankedPlay {
    /// The play, its value without the cube, and the plies that it was looked ahead.
    pub play: ValuedPlay,
    /// Its equity with the cube for the player who makes it: in money games in units of the cube, in matches equivalent
    /// to that unit.
    pub cubeful: Option<f64>,
}

/// The plays of a roll, the best first. Plays with fewer plies of look-ahead follow the others.
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
    /// The plays of a roll, ranked with a cube if there is one, the best first; equal ones in the order of [`Plays`].
    /// Plays that a move filter drops come after the others, deepest first, with the value at which they were dropped.
    /// If another evaluator filters, they have this one's values without look-ahead. The most promising plays are
    /// looked ahead from first, so that a result is there early.
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
        Playouts::new(*board, self.rules, 0)?;
        let plays = Plays::new(board, roll, self.rules);
        let deepest = self.plies();
        let (mut ended, mut open) = (Vec::new(), Vec::new());
        for (index, play) in plays.to_vec().iter().enumerate() {
            let board = play.board();
            let outcome = self.rules.outcome_of_play(board.opponent(), board.own());
            let play = ValuedPlay {
                moves: plays.moves(play),
                board,
                value: Probabilities::certain(outcome.unwrap_or(Outcome::WinSingle)),
                // An end is exact, so it ranks among the plays that are looked ahead from furthest.
                plies: deepest,
            };
            match outcome {
                Some(_) => {
                    let cubeful = cube.map(|cube| equity_here(&play.board, &play.value, cube));
                    ended.push((index, RankedPlay { play, cubeful }));
                }
                None => open.push((index, RankedPlay { play, cubeful: None })),
            }
        }
        let mut left = Vec::new();
        let mut cancelled = false;
        let filtered = (0..deepest).filter(|&plies| self.filters.filter_at(plies));
        for plies in filtered.chain([deepest]) {
            // Only plays that are looked ahead from are filtered.
            let by = self.filters.by.as_ref().filter(|_| plies == 0 && deepest > 0);
            let by = by.unwrap_or_else(|| self.evaluator_at(plies));
            let unvalued = take_values(&mut open, plies, |plays| {
                self.after_plays(plays, cube, (by, plies), tier, workers, cancel)
            });
            if !unvalued.is_empty() {
                cancelled = true;
                // Plays without any value are left out.
                left.extend(unvalued.into_iter().filter(|_| plies > 0));
                break;
            }
            if plies < deepest && !open.is_empty() {
                // Of equal plays a filter passes the first. With a cube these are to be the better ones without it.
                sort(&mut open);
                let equities: Vec<f64> = open.iter().map(|(_, play)| play.equity()).collect();
                let mut passing = self.filters.passing(plies, &equities).into_iter().peekable();
                let own = self.evaluator_at(plies);
                if !Arc::ptr_eq(by, own) {
                    let unvalued = take_values(&mut open, plies, |plays| {
                        self.after_plays(plays, cube, (own, plies), tier, workers, cancel)
                    });
                    if !unvalued.is_empty() {
                        cancelled = true;
                        break;
                    }
                }
                // Indices and `passing` both ascend, so each is walked once.
                let (pass, fail) = (0..).zip(open).partition::<Vec<_>, _>(|(at, _)| passing.next_if_eq(at).is_some());
                open = pass.into_iter().map(|(_, play)| play).collect();
                left.extend(fail.into_iter().map(|(_, play)| play));
            }
        }
        let mut plays = [ended, open, left].concat();
        sort(&mut plays);
        let plays = plays.into_iter().map(|(_, play)| play).collect();
        Ok(RankedPlays { plays, cancelled })
    }

    /// A play of a roll, valued as far ahead as this evaluation looks, whatever the move filters say; `None` if the
    /// switch was thrown.
    ///
    /// # Panics
    /// As [`Evaluation::values`].
    #[must_use]
    pub fn at_full_depth(
        &self,
        play: &RankedPlay,
        cube: Option<&CubeInPlay>,
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Option<RankedPlay> {
        let mut valued = play.clone();
        let value = self.after_plays(&[play], cube, (self.evaluator(), self.plies()), tier, workers, cancel);
        (valued.play.value, valued.cubeful) = value.into_iter().next()?;
        valued.play.plies = self.plies();
        Some(valued)
    }

    /// The value of each play for the player who makes it, and his equity with the cube, if there is one, by an
    /// evaluator that looks `plies` plies ahead. If cancelled, only the first plays have values. No play may end the
    /// game.
    fn after_plays(
        &self,
        plays: &[&RankedPlay],
        cube: Option<&CubeInPlay>,
        (evaluator, plies): (&Arc<dyn Evaluator>, u32),
        tier: Tier,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Vec<(Probabilities, Option<f64>)> {
        if let Some(cube) = cube.filter(|_| plies > 0) {
            let position =
                // Looking ahead does not read the value, which may still be the placeholder.
                |play: &&RankedPlay| CubePosition::after_play(cube, &play.play.board, &play.play.value.into(), plies);
            let ahead = self.with_cube(plays.iter().map(position).collect(), tier, workers, cancel);
            let values = plays.iter().zip(ahead).map(|(play, (value, values))| {
                // Without a value, the build has no look-ahead with the cube.
                let value = value.map_or(play.play.value, |value| value.reversed());
                (value, Some(-values.best()))
            });
            return values.collect();
        }
        let positions: Vec<Planes> = plays.iter().map(|play| play.play.board.into()).collect();
        let values = self.values_of_open(evaluator, positions, tier, workers, cancel);
        let values = plays.iter().zip(values).map(|(play, value)| {
            let value = value.reversed();
            (value, cube.map(|cube| equity_here(&play.play.board, &value, cube)))
        });
        values.collect()
    }

    /// The value of each position before the roll, as [`Evaluation::values`], and the values with its own cube, if it
    /// has one. With a cube, the value without it is for the plays that are best with the cube; if the equities with
    /// the cube are exact, for the plays that are best without it. If cancelled, the values up to the first position
    /// without a value.
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
    ) -> Result<Vec<PositionValue>, (usize, PlayoutError)> {
        let boards: Vec<Board> = positions.iter().map(|(board, _)| *board).collect();
        self.check(&boards, cancel)?;
        // A game that is over has no decision, but a value with the cube.
        let (with, without): (Vec<_>, Vec<_>) =
            positions.iter().partition(|(board, cube)| cube.is_some() && self.rules.outcome(board).is_none());
        let without: Vec<Board> = without.into_iter().map(|(board, _)| board).collect();
        let mut without = self.values_by(self.evaluator(), &without, tier, workers, cancel).into_iter();
        let with = with.into_iter().filter_map(|(board, cube)| Some((board, cube?)));
        let mut with = self.before_roll(with.collect(), tier, workers, cancel).into_iter();
        let valued = positions.iter().map_while(|(board, cube)| {
            let outcome = self.rules.outcome(board);
            if cube.is_none() || outcome.is_some() {
                let value = without.next()?;
                let over = cube.as_ref().zip(outcome);
                // The end is certain: of the model only the match equity table counts, and the default one has it.
                let cube = over.map(|(cube, end)| CubeModel::default().values_of_end(end.points(), &cube.state));
                return Some(PositionValue { value, cube });
            }
            let (value, values) = with.next()?;
            Some(PositionValue { value, cube: Some(values) })
        });
        Ok(valued.collect())
    }

    /// How much better the best play of a roll is than the mean over all `rolls` that might have come, without looking
    /// ahead: in units of the cube, or equivalent to that unit. `None` if the switch was thrown.
    ///
    /// # Panics
    /// If the game is over.
    #[must_use]
    pub fn luck(
        &self,
        board: &Board,
        (roll, rolls): (Roll, PossibleRolls),
        cube: Option<&CubeInPlay>,
        tier: Tier,
        cancel: &Cancel,
    ) -> Option<f64> {
        let stop = || cancel.is_cancelled();
        let conditions = EvaluationConditions::new(self.rules, tier).with_stop(&stop);
        let cube = cube.unwrap_or(&NO_CUBE);
        cube::luck(board, (roll, rolls), cube, self.without_look_ahead.as_ref(), &conditions, &self.cache).ok()
    }
}

/// Gives plays their values `plies` plies ahead. Returns the last plays, which remain without.
fn take_values(
    plays: &mut Vec<(usize, RankedPlay)>,
    plies: u32,
    values: impl FnOnce(&[&RankedPlay]) -> Vec<(Probabilities, Option<f64>)>,
) -> Vec<(usize, RankedPlay)> {
    let values = values(&plays.iter().map(|(_, play)| play).collect::<Vec<_>>());
    let unvalued = plays.split_off(values.len());
    for ((_, play), (value, cubeful)) in plays.iter_mut().zip(values) {
        (play.play.value, play.play.plies, play.cubeful) = (value, plies, cubeful);
    }
    unvalued
}

/// The equity with the cube after a play with the value `value`, for the player who makes it, without looking ahead.
fn equity_here(board: &Board, value: &Probabilities, cube: &CubeInPlay) -> f64 {
    let after = CubePosition::after_play(cube, board, &(*value).into(), 0);
    -after.values_here().best()
}

/// Sorts plays: the deepest first, since a value from fewer plies ahead does not compare with the others; then the
/// best. All plays after which the opponent doubles and the player passes are equal with the cube.
fn sort(plays: &mut [(usize, RankedPlay)]) {
    plays.sort_by(|(a, one), (b, other)| {
        let deeper = other.play.plies.cmp(&one.play.plies);
        let better = other.equity().total_cmp(&one.equity());
        let without_cube = other.play.value.equity().total_cmp(&one.play.value.equity());
        deeper.then(better).then(without_cube).then(a.cmp(b))
    });
}
