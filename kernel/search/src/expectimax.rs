//! Expectimax: search to a fixed depth, with means over the chances.

use std::sync::Arc;

use thiserror::Error;

use crate::search_window::SearchWindow;
use crate::visited_positions::VisitedPositions;
use tavli_game::Game;
use tavli_game::{Heuristic, POINT};

/// The greatest depth: the units of its values, [`POINT`] times at most 255 to the power of 11, fit 128 bits.
const MAX_DEPTH: u32 = 11;

/// Which positions an expectimax search leaves out, because they cannot change its result.
///
/// In a game without chances, `expectimax` is minimax and `star1` is alpha-beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// No pruning: every position at the depth is valued.
    Expectimax,
    /// Star1 (Ballard, 1983): bounds of the mean over the chances, from the chances searched so far and the largest
    /// value of a game.
    Star1,
    /// Star2 (Ballard, 1983): a probe of one choice of each chance, which bounds the mean from below, then Star1.
    Star2,
}

tavli_base::parsed_values!(Pruning, "method": Expectimax "expectimax", Star1 "star1", Star2 "star2");

/// A depth out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("invalid depth {0}: give 1 to {MAX_DEPTH} choices")]
pub struct DepthError(u32);

/// An expectimax search for the best choice: both players make their best choices for `depth` choices, including the
/// choice at the root, and a heuristic values the positions after the last.
///
/// Values are exact integers, in units that become smaller with the depth. With any [`Pruning`] the best choice and its
/// value are the same. With pruning, values of other choices may be upper bounds. Choices of equal value are in the
/// order of the game.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::evaluators::EquityHeuristic;
/// use tavli_backgammon::policies::PolicyPair;
/// use tavli_backgammon::{BackgammonGame, Board, NO_STOP, RuleSet, Tier};
/// use tavli_players::named::evaluator;
/// use tavli_search::{Expectimax, Pruning};
///
/// let (rules, tier) = (RuleSet::Backgammon, Tier::best());
/// let game = Arc::new(BackgammonGame::new(rules, PolicyPair::default(), tier, 1)?);
/// let root = game.root(&Board::START)?;
/// let chance = BackgammonGame::chance("31".parse()?);
/// let values = Arc::new(EquityHeuristic::new(rules, tier, evaluator("fast", NO_STOP)?));
/// let [plain, star2] = [Pruning::Expectimax, Pruning::Star2].map(|pruning| {
///     let search = Expectimax::new(Arc::clone(&game), Arc::clone(&values), 2, pruning);
///     let found = search.expect("a depth").run(root, chance, NO_STOP);
///     found.expect("nothing stops it")
/// });
/// assert_eq!(plain.choices[0], star2.choices[0]);
/// assert!(star2.evaluations < plain.evaluations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Expectimax<G: Game, H: ?Sized> {
    game: Arc<G>,
    heuristic: Arc<H>,
    depth: u32,
    pruning: Pruning,
}

/// A choice at the root, and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValuedChoice {
    /// The index of the choice.
    pub choice: usize,
    /// The mean points of the player who makes it.
    pub value: f64,
    /// Whether `value` is exact; if not, it is an upper bound.
    pub is_exact: bool,
}

/// The result of an expectimax search.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectimaxReport {
    /// All choices at the root, the best first. Choices with upper bounds follow choices with exact values.
    pub choices: Vec<ValuedChoice>,
    /// The number of positions that the heuristic valued.
    pub evaluations: u64,
    /// The positions that were searched.
    pub met: VisitedPositions,
}

impl<G: Game, H: Heuristic<G::Position> + ?Sized> Expectimax<G, H> {
    /// A search to a depth of `depth` choices.
    ///
    /// # Errors
    /// [`DepthError`] unless the depth is 1 to 11.
    pub fn new(game: Arc<G>, heuristic: Arc<H>, depth: u32, pruning: Pruning) -> Result<Expectimax<G, H>, DepthError> {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(DepthError(depth));
        }
        Ok(Expectimax { game, heuristic, depth, pruning })
    }

    /// Searches from a position with its chance, in which the game is not over. `None` if `stop` ended the search.
    #[must_use]
    pub fn run(&self, position: G::Position, chance: usize, stop: &dyn Fn() -> bool) -> Option<ExpectimaxReport> {
        let mut searcher = ExpectimaxSearch {
            search: self,
            weights: self.game.chances().iter().copied().map(i128::from).collect(),
            stop,
            evaluations: 0,
            met: VisitedPositions::new(self.game.max_points()),
        };
        searcher.met.add_ongoing(1);
        // The number of choices still to come after the choice at the root.
        let depth = self.depth - 1;
        let results = self.game.results(&position, chance);
        let mut valued = Vec::with_capacity(results.len());
        if depth == 0 {
            let values = searcher.leaf_values(&results)?;
            valued.extend((0..).zip(values).map(|(choice, value)| (choice, -value, true)));
        } else {
            let mut window = SearchWindow::holding_all(searcher.most(depth));
            for choice in searcher.order(&results)? {
                let value = -searcher.value(&results[choice], depth, window.reversed())?;
                valued.push((choice, value, value > window.alpha));
                if self.pruning != Pruning::Expectimax {
                    // Not `value`: a later choice of the same value must be exact, not a bound. So equal choices have
                    // the order of the game with any pruning.
                    window = window.above(value - 1);
                }
            }
        }
        valued.sort_by_key(|&(choice, value, is_exact)| (!is_exact, -value, choice));
        let unit = searcher.unit(depth) as f64;
        let choices = valued.into_iter().map(|(choice, value, is_exact)| ValuedChoice {
            choice,
            value: value as f64 / unit,
            is_exact,
        });
        Some(ExpectimaxReport { choices: choices.collect(), evaluations: searcher.evaluations, met: searcher.met })
    }
}

/// A search in progress. Its methods return `None` if the search was stopped.
///
/// With `depth` choices to come, values are in [`POINT`]s divided by the sum of the weights to the power of `depth`. So
/// the mean over the chances is a weighted sum, without a division.
struct ExpectimaxSearch<'a, G: Game, H: ?Sized> {
    search: &'a Expectimax<G, H>,
    weights: Vec<i128>,
    stop: &'a dyn Fn() -> bool,
    evaluations: u64,
    met: VisitedPositions,
}

impl<G: Game, H: Heuristic<G::Position> + ?Sized> ExpectimaxSearch<'_, G, H> {
    /// One point, with `depth` choices to come.
    fn unit(&self, depth: u32) -> i128 {
        let weight: i128 = self.weights.iter().sum();
        i128::from(POINT) * weight.pow(depth)
    }

    /// The largest value, with `depth` choices to come.
    fn most(&self, depth: u32) -> i128 {
        self.unit(depth) / i128::from(POINT) * i128::from(self.search.heuristic.most())
    }

    /// The values of positions at the depth.
    fn leaf_values(&mut self, positions: &[G::Position]) -> Option<Vec<i128>> {
        let ends = self.ends(positions);
        for points in ends.iter().flatten() {
            self.met.add_finished(*points, self.search.depth);
        }
        self.met.add_ongoing(ends.iter().filter(|end| end.is_none()).count() as u64);
        self.values_here(positions, ends)
    }

    /// The points of the positions in which the game is over.
    fn ends(&self, positions: &[G::Position]) -> Vec<Option<i32>> {
        let points = |position| self.search.game.points(position);
        positions.iter().map(points).collect()
    }

    /// The heuristic values of positions, or their points where the game is over.
    fn values_here(&mut self, positions: &[G::Position], ends: Vec<Option<i32>>) -> Option<Vec<i128>> {
        let goes_on = positions.iter().zip(&ends).filter(|(_, end)| end.is_none());
        let goes_on: Vec<G::Position> = goes_on.map(|(position, _)| *position).collect();
        self.evaluations += goes_on.len() as u64;
        let mut values = vec![0; goes_on.len()];
        let valued = self.search.heuristic.values(&goes_on, &mut values, self.stop);
        valued.ok()?;
        let mut values = values.into_iter();
        let value = |end: Option<i32>| match end {
            Some(points) => i128::from(points) * i128::from(POINT),
            None => i128::from(values.next().expect("each has its value")),
        };
        Some(ends.into_iter().map(value).collect())
    }

    /// The order in which choices are searched, by the positions after them. With pruning, the best by heuristic value
    /// come first, since they narrow the window most.
    fn order(&mut self, results: &[G::Position]) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..results.len()).collect();
        if self.search.pruning != Pruning::Expectimax {
            let values = self.values_here(results, self.ends(results))?;
            order.sort_by_key(|&choice| values[choice]);
        }
        Some(order)
    }

    /// The value of a position for the player whose turn it is, before its chance, with `depth` choices to come. At or
    /// outside the ends of the window it is a bound.
    fn value(&mut self, position: &G::Position, depth: u32, window: SearchWindow) -> Option<i128> {
        if (self.stop)() {
            return None;
        }
        let game = &self.search.game;
        if let Some(points) = game.points(position) {
            self.met.add_finished(points, self.search.depth - depth);
            return Some(i128::from(points) * self.unit(depth));
        }
        if depth == 0 {
            return Some(self.leaf_values(&[*position])?[0]);
        }
        self.met.add_ongoing(1);
        let chances = 0..self.weights.len();
        let results = chances.map(|chance| game.results(position, chance));
        let results: Vec<Vec<G::Position>> = results.collect();
        match self.search.pruning {
            Pruning::Expectimax => self.mean(&results, depth),
            Pruning::Star1 => {
                let probed = vec![None; results.len()];
                self.mean_within(&results, depth, window, &probed)
            }
            Pruning::Star2 => {
                let likely = self.search.heuristic.likely(position, &results);
                match self.probe(&results, &likely, depth, window)? {
                    Probes::Cutoff(least) => Some(least),
                    Probes::All(probed) => self.mean_within(&results, depth, window, &probed),
                }
            }
        }
    }

    /// Expectimax without pruning: the mean over the chances of the best choice after each.
    fn mean(&mut self, results: &[Vec<G::Position>], depth: u32) -> Option<i128> {
        let window = SearchWindow::holding_all(self.most(depth - 1));
        let mut sum = 0;
        if depth == 1 {
            // One batch of the plays of all rolls: evaluators take less time for a position in a large batch.
            let values = self.leaf_values(&results.concat())?;
            let mut values = values.into_iter();
            for (weight, results) in self.weights.iter().zip(results) {
                let chance_values = values.by_ref().take(results.len());
                sum += weight * -chance_values.min().expect("there is a choice");
            }
            return Some(sum);
        }
        for (chance, results) in results.iter().enumerate() {
            sum += self.weights[chance] * self.best(results, depth - 1, window, None)?;
        }
        Some(sum)
    }

    /// Star1: the mean over the chances, or a bound of it outside the window. Chances that were probed have a lower
    /// bound.
    fn mean_within(
        &mut self,
        results: &[Vec<G::Position>],
        depth: u32,
        window: SearchWindow,
        probed: &[Option<Probe>],
    ) -> Option<i128> {
        let most = self.most(depth - 1);
        let least = |chance: usize| probed[chance].map_or(-most, |probed| probed.value);
        // Bounds of the sum: a chance that was searched adds its value to both, any other adds the least or the most
        // that it may have.
        let chances = 0..results.len();
        let mut lowest: i128 = chances.map(|chance| self.weights[chance] * least(chance)).sum();
        let mut highest: i128 = self.most(depth);
        for (chance, results) in results.iter().enumerate() {
            let weight = self.weights[chance];
            lowest -= weight * least(chance);
            highest -= weight * most;
            let chance_window = window.for_chance(weight, lowest, highest);
            let value = self.best(results, depth - 1, chance_window, probed[chance])?;
            lowest += weight * value;
            highest += weight * value;
            // This chance alone takes the mean out of the window, whatever the others add.
            if value <= chance_window.alpha {
                return Some(highest);
            }
            if value >= chance_window.beta {
                return Some(lowest);
            }
        }
        Some(lowest)
    }

    /// The probing phase of Star2: searches the likely best choice of each chance.
    fn probe(
        &mut self,
        results: &[Vec<G::Position>],
        likely: &[usize],
        depth: u32,
        window: SearchWindow,
    ) -> Option<Probes> {
        let most = self.most(depth - 1);
        let mut lowest = -self.most(depth);
        let firsts = results.iter().zip(likely);
        let firsts: Vec<G::Position> = firsts.map(|(results, &likely)| results[likely]).collect();
        let leaf_values = match depth {
            1 => Some(self.leaf_values(&firsts)?),
            _ => None,
        };
        let mut probed = Vec::with_capacity(results.len());
        for (chance, first) in firsts.iter().enumerate() {
            let weight = self.weights[chance];
            let highest = self.most(depth);
            // `lowest` has the least that this chance may have in it, which is taken out here.
            let beta = window.for_chance(weight, lowest + weight * most, highest).beta;
            let probe_window = SearchWindow {
                beta,
                // Open below: a value cut off there would be an upper bound, and probes are lower bounds.
                ..SearchWindow::holding_all(most)
            };
            let value = match &leaf_values {
                Some(values) => -values[chance],
                None => -self.value(first, depth - 1, probe_window.reversed())?,
            };
            lowest += weight * (value + most);
            if lowest >= window.beta {
                return Some(Probes::Cutoff(lowest));
            }
            let choice = likely[chance];
            probed.push(Some(Probe { choice, value }));
        }
        Some(Probes::All(probed))
    }

    /// The value of the best choice, by the positions after the choices, with `depth` choices to come after them.
    fn best(
        &mut self,
        results: &[G::Position],
        depth: u32,
        window: SearchWindow,
        probed: Option<Probe>,
    ) -> Option<i128> {
        let mut best = probed.map(|probed| probed.value);
        let is_new = |choice: &usize| probed.is_none_or(|probed| probed.choice != *choice);
        if depth == 0 {
            let new = (0..results.len()).filter(is_new);
            let new: Vec<G::Position> = new.map(|choice| results[choice]).collect();
            let values = self.leaf_values(&new)?.into_iter().map(|value| -value);
            return values.chain(best).max();
        }
        for choice in self.order(results)?.into_iter().filter(is_new) {
            if best.is_some_and(|best| best >= window.beta) {
                break;
            }
            let above = best.map_or(window, |best| window.above(best));
            let value = -self.value(&results[choice], depth, above.reversed())?;
            best = best.max(Some(value));
        }
        best
    }
}

/// A choice that was probed, and its value.
#[derive(Clone, Copy, Debug)]
struct Probe {
    choice: usize,
    value: i128,
}

/// The result of the probing phase.
enum Probes {
    /// A lower bound of the mean, at or above the window: the search can be cut off.
    Cutoff(i128),
    /// The probe of each chance.
    All(Vec<Option<Probe>>),
}
