//! Choices by the values of a heuristic some plies ahead.

use core::cmp::Reverse;
use core::ops::Range;
use std::sync::Arc;

use tavli_base::Stopped;

use tavli_game::{Game, Heuristic, POINT, WinProbabilities};

/// A move filter before one more ply of look-ahead: the best `choices` pass, if they are within `margin` of the best.
#[derive(Clone, Copy, Debug)]
struct Filter {
    choices: usize,
    margin: i64,
}

/// The filters before the first ply and before the second: the same as backgammon's players have.
const FILTERS: [Filter; 2] =
    [Filter { choices: 8, margin: POINT * 16 / 100 }, Filter { choices: 3, margin: POINT * 4 / 100 }];

/// Looks a fixed number of plies ahead, in a game with chances: the value of a position is the mean, over the chances,
/// of the value after the best choice, with one ply less. The best choice is there the one that the heuristic values
/// highest without looking ahead.
///
/// Choices are compared through move filters. All are valued without looking ahead; the best 8 within 0.16 points of
/// the best are valued one ply ahead, and of them the best 3 within 0.04 points two plies ahead. Choices that end the
/// game always pass, and do not count.
///
/// ```
/// use std::sync::Arc;
/// use tavli_search::{GameHeuristic, GameLookAhead};
/// use tavli_base::NO_STOP;
/// use tavli_game::{Game, PlayableGame, POINT};
/// use tavli_tictactoe::TicTacToe;
///
/// let game = Arc::new(TicTacToe::by_rules("standard", tavli_simd::Tier::best(), 1)?);
/// let ahead = GameLookAhead::new(Arc::clone(&game), Arc::new(GameHeuristic::new(Arc::clone(&game), 0)), 1);
/// // X ends the game with c3.
/// let position = game.read("XX-/OO-/--- X").expect("a position");
/// let ranked = ahead.ranked(&position, 0, NO_STOP).expect("nothing stops it");
/// assert_eq!(game.moves(&position, 0, ranked[0].choice), "c3");
/// assert_eq!(ranked[0].value, POINT);
/// # Ok::<(), tavli_game::RulesError>(())
/// ```
#[derive(Debug)]
pub struct GameLookAhead<G: Game> {
    game: Arc<G>,
    heuristic: Arc<dyn Heuristic<G::Position>>,
    plies: u32,
}

/// A choice, and its value for the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookedAhead {
    /// The index of the choice.
    pub choice: usize,
    /// The value, in [`POINT`]s of a point.
    pub value: i64,
    /// How many plies were looked ahead from the position after the choice. Choices that end the game have as many as
    /// any.
    pub plies: u32,
}

// These sorts do not depend on the game: as part of `GameLookAhead`, four games' copies of these sorts and alpha-beta's
// took 19 kB of a module of WebAssembly.
fn sort_by_value(choices: &mut [usize], looked: &[LookedAhead]) {
    choices.sort_by_key(|&choice| Reverse(looked[choice].value));
}

/// Sorts by plies, the most first, then by value. The first of equal choices stays first.
fn sort_best_first(looked: &mut [LookedAhead]) {
    looked.sort_by_key(|look| (Reverse(look.plies), Reverse(look.value)));
}

impl<G: Game> GameLookAhead<G> {
    /// The most plies.
    pub const MAX_PLIES: u32 = FILTERS.len() as u32;

    /// Looks `plies` plies ahead from the positions after the choices.
    ///
    /// # Panics
    /// If there are more than [`GameLookAhead::MAX_PLIES`].
    #[must_use]
    pub fn new(game: Arc<G>, heuristic: Arc<dyn Heuristic<G::Position>>, plies: u32) -> GameLookAhead<G> {
        assert!(plies <= Self::MAX_PLIES, "at most {} plies", Self::MAX_PLIES);
        GameLookAhead { game, heuristic, plies }
    }

    /// The value of a position in which the game goes on, for the player whose turn it is, before the chance.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn value(&self, position: &G::Position, stop: &dyn Fn() -> bool) -> Result<i64, Stopped> {
        self.value_ahead(position, self.plies, stop)
    }

    /// The choices after a chance, the best first. Choices that a filter has left out come last.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn ranked(
        &self,
        position: &G::Position,
        chance: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<LookedAhead>, Stopped> {
        self.compare(position, &self.game.results(position, chance), false, stop)
    }

    /// The index of the best choice after a chance, the first of equal ones.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn best(&self, position: &G::Position, chance: usize, stop: &dyn Fn() -> bool) -> Result<usize, Stopped> {
        self.best_result(position, &self.game.results(position, chance), stop)
    }

    /// The index of the best of the positions after the choices, the first of equal ones.
    pub(crate) fn best_result(
        &self,
        position: &G::Position,
        results: &[G::Position],
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, Stopped> {
        match results {
            [_] => Ok(0),
            _ => Ok(self.compare(position, results, true, stop)?[0].choice),
        }
    }

    /// The luck of a chance for the player whose turn it is: how much better the best choice is after it than after the
    /// mean chance, as the heuristic values them without looking ahead.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn luck(&self, position: &G::Position, chance: usize, stop: &dyn Fn() -> bool) -> Result<i64, Stopped> {
        let (results, of_chances) = self.results_of_chances(position);
        let values = self.values_after(position, &results, stop)?;
        let best = |of_chance: Range<usize>| -values[of_chance].iter().min().expect("there is a choice");
        let after_chances: Vec<i64> = of_chances.into_iter().map(best).collect();
        Ok(after_chances[chance] - self.mean(&after_chances))
    }

    /// Ranks the choices by the positions after them. If only the best one is asked for and a filter passes a single
    /// choice, that choice is not looked ahead from.
    fn compare(
        &self,
        position: &G::Position,
        results: &[G::Position],
        best_is_asked: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<LookedAhead>, Stopped> {
        let is_over = |choice: usize| self.game.points(&results[choice]).is_some();
        let values = self.values_after(position, results, stop)?;
        let look = |(choice, value): (usize, i64)| LookedAhead {
            choice,
            value: -value,
            plies: if is_over(choice) { self.plies } else { 0 },
        };
        let mut looked: Vec<LookedAhead> = values.into_iter().enumerate().map(look).collect();
        let mut open: Vec<usize> = (0..results.len()).filter(|&choice| !is_over(choice)).collect();
        let ends = results.len() - open.len();
        for (plies, filter) in (1..=self.plies).zip(FILTERS) {
            sort_by_value(&mut open, &looked);
            let best = open.first().map_or(0, |&choice| looked[choice].value);
            open.retain(|&choice| best - looked[choice].value <= filter.margin);
            open.truncate(filter.choices);
            let is_alone = ends + open.len() == 1;
            for &choice in &open {
                if !(best_is_asked && is_alone) {
                    looked[choice].value = -self.value_ahead(&results[choice], plies, stop)?;
                }
                looked[choice].plies = plies;
            }
        }
        sort_best_first(&mut looked);
        Ok(looked)
    }

    /// The value of a position in which the game goes on, `plies` plies ahead.
    fn value_ahead(&self, position: &G::Position, plies: u32, stop: &dyn Fn() -> bool) -> Result<i64, Stopped> {
        let Some(further) = plies.checked_sub(1) else {
            let mut value = [0];
            self.heuristic.values(&[*position], &mut value, stop)?;
            return Ok(value[0]);
        };
        // Several chances may lead to one position, for instance where nothing can be chosen: it is valued once.
        let mut found: Vec<(G::Position, i64)> = Vec::new();
        let mut after_chances = Vec::new();
        for (after, value_here) in self.best_after_chances(position, stop)? {
            let value = if further == 0 || self.game.points(&after).is_some() {
                value_here
            } else if let Some(&(_, value)) = found.iter().find(|(position, _)| *position == after) {
                value
            } else {
                let value = self.value_ahead(&after, further, stop)?;
                found.push((after, value));
                value
            };
            after_chances.push(-value);
        }
        Ok(self.mean(&after_chances))
    }

    /// The probabilities of a position in which the game goes on, `plies` plies ahead: the ones that
    /// [`GameLookAhead::value`] sums up. `None` if the heuristic knows only values.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn probabilities(
        &self,
        position: &G::Position,
        plies: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<WinProbabilities>, Stopped> {
        let Some(further) = plies.checked_sub(1) else {
            let found = self.heuristic.probabilities(&[*position], stop)?;
            return Ok(found.map(|found| found[0]));
        };
        let mut after_chances = Vec::new();
        for (after, _) in self.best_after_chances(position, stop)? {
            let found = match self.game.points(&after) {
                Some(points) => Some(WinProbabilities::from_points(points)),
                None => self.probabilities(&after, further, stop)?,
            };
            let Some(found) = found else {
                return Ok(None);
            };
            after_chances.push(found.reversed());
        }
        let weights = self.game.chances().iter().copied();
        Ok(Some(WinProbabilities::mean(weights.zip(after_chances))))
    }

    /// For each chance the position after the choice that is best without looking ahead, and its value there.
    fn best_after_chances(
        &self,
        position: &G::Position,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<(G::Position, i64)>, Stopped> {
        let (results, of_chances) = self.results_of_chances(position);
        let values = self.values_after(position, &results, stop)?;
        let best = of_chances.into_iter().map(|of_chance| {
            let best = of_chance.min_by_key(|&at| values[at]).expect("there is a choice");
            (results[best], values[best])
        });
        Ok(best.collect())
    }

    /// The positions after all choices, chance by chance, and the range of each chance.
    fn results_of_chances(&self, position: &G::Position) -> (Vec<G::Position>, Vec<Range<usize>>) {
        let mut results = Vec::new();
        let ranges = (0..self.game.chances().len()).map(|chance| {
            let start = results.len();
            results.append(&mut self.game.results(position, chance));
            start..results.len()
        });
        let ranges = ranges.collect();
        (results, ranges)
    }

    /// The mean of the values after each chance.
    fn mean(&self, after_chances: &[i64]) -> i64 {
        let weights = self.game.chances();
        let weighted = weights.iter().zip(after_chances).map(|(&weight, value)| i64::from(weight) * value);
        weighted.sum::<i64>() / i64::from(weights.iter().sum::<u32>())
    }

    /// The values of the positions after choices from one position, without looking ahead; the points where the game is
    /// over.
    fn values_after(
        &self,
        before: &G::Position,
        results: &[G::Position],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<i64>, Stopped> {
        let points: Vec<Option<i32>> = results.iter().map(|result| self.game.points(result)).collect();
        let goes_on = results.iter().zip(&points).filter(|(_, points)| points.is_none());
        let goes_on: Vec<G::Position> = goes_on.map(|(result, _)| *result).collect();
        let mut values = vec![0; goes_on.len()];
        self.heuristic.values_of_results(before, &goes_on, &mut values, stop)?;
        let mut values = values.into_iter();
        let value = |points: Option<i32>| match points {
            Some(points) => i64::from(points) * POINT,
            None => values.next().expect("each has its value"),
        };
        Ok(points.into_iter().map(value).collect())
    }
}
