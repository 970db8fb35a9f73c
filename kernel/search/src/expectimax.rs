//! Search to a limited depth, with means over the chances.

use std::sync::Arc;

use thiserror::Error;

use tavli_run::Cancel;

use crate::game::Game;
use crate::heuristic::{Heuristic, UNIT};
use crate::names::names;
use crate::window::Window;

/// The most choices that a search looks ahead: the units of its values fit 128 bits with any game's weights.
const MOST_DEPTH: u32 = 11;

/// How a search of limited depth leaves out what cannot change its result.
///
/// In a game without chances, `expectimax` is minimax and `star1` is alpha-beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Not at all: every position of the depth is valued.
    Expectimax,
    /// Bounds of the mean over the chances, from the chances seen so far and the most that a game is worth (Ballard's
    /// Star1, 1983).
    Star1,
    /// Star1 after a look at one choice of each chance, which bounds the chances from below (Star2).
    Star2,
}

names!(Pruning, "method": Expectimax "expectimax", Star1 "star1", Star2 "star2");

/// A depth that a search cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("invalid depth {0}: give 1 to {MOST_DEPTH} choices")]
pub struct DepthError(u32);

/// A search for the best choice, each player choosing his best as many choices ahead as its depth, the first included.
///
/// The values are exact: integers in units that grow with the depth. All kinds of [`Pruning`] find the same choice and
/// the same value of it. Values of other choices are bounds from above where something was left out. Choices of the same
/// value have the order of the game.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::policies::Players;
/// use tavli_backgammon::{Board, RuleSet, Tier};
/// use tavli_players::named::evaluator;
/// use tavli_run::Cancel;
/// use tavli_search::{Backgammon, Expectimax, Pruning, Values};
///
/// let (rules, tier) = (RuleSet::Backgammon, Tier::best());
/// let game = Arc::new(Backgammon::new(rules, Players::default(), tier, 1)?);
/// let root = game.root(&Board::START)?;
/// let chance = Backgammon::chance("31".parse()?);
/// let values = Arc::new(Values::new(rules, tier, evaluator("fast")?));
/// let [plain, star2] = [Pruning::Expectimax, Pruning::Star2].map(|pruning| {
///     let search = Expectimax::new(Arc::clone(&game), Arc::clone(&values), 2, pruning);
///     let found = search.expect("a depth").run(root, chance, &Cancel::new());
///     found.expect("nothing cancels it")
/// });
/// assert_eq!(plain.choices[0], star2.choices[0]);
/// assert!(star2.evaluations < plain.evaluations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Expectimax<G: Game, H> {
    game: Arc<G>,
    heuristic: Arc<H>,
    depth: u32,
    pruning: Pruning,
}

/// A choice at the root, and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Looked {
    /// Its index.
    pub choice: usize,
    /// The mean points of the player who makes it.
    pub value: f64,
    /// Whether that is its value, and not a bound from above.
    pub is_exact: bool,
}

/// What a search of limited depth has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Outlook {
    /// All choices at the root, the best first. Those with bounds follow those with values.
    pub choices: Vec<Looked>,
    /// The positions that were valued.
    pub evaluations: u64,
}

impl<G: Game, H: Heuristic<G::Position>> Expectimax<G, H> {
    /// A search of this depth, in choices.
    ///
    /// # Errors
    /// [`DepthError`] unless the depth is 1 to 11.
    pub fn new(game: Arc<G>, heuristic: Arc<H>, depth: u32, pruning: Pruning) -> Result<Expectimax<G, H>, DepthError> {
        if !(1..=MOST_DEPTH).contains(&depth) {
            return Err(DepthError(depth));
        }
        Ok(Expectimax {
            game,
            heuristic,
            depth,
            pruning,
        })
    }

    /// Searches from a position with its chance, in which the game goes on. `None` if the switch was thrown before the
    /// end.
    #[must_use]
    pub fn run(&self, position: G::Position, chance: usize, cancel: &Cancel) -> Option<Outlook> {
        let mut looking = Looking {
            search: self,
            weights: self.game.chances().iter().copied().map(i128::from).collect(),
            cancel,
            evaluations: 0,
        };
        // Choices still to come after the one at the root.
        let depth = self.depth - 1;
        let results = self.game.results(&position, chance);
        let mut found = Vec::with_capacity(results.len());
        if depth == 0 {
            let values = looking.of_last(&results)?;
            found.extend((0..).zip(values).map(|(choice, value)| (choice, -value, true)));
        } else {
            let mut window = Window::of_all(looking.most(depth));
            for choice in looking.order(&results)? {
                let value = -looking.value(&results[choice], depth, window.reversed())?;
                found.push((choice, value, value > window.alpha));
                if self.pruning != Pruning::Expectimax {
                    // So that a choice of the same value is found to have it.
                    window = window.above(value - 1);
                }
            }
        }
        found.sort_by_key(|&(choice, value, is_exact)| (!is_exact, -value, choice));
        let unit = looking.unit(depth) as f64;
        let choices = found.into_iter().map(|(choice, value, is_exact)| Looked {
            choice,
            value: value as f64 / unit,
            is_exact,
        });
        Some(Outlook {
            choices: choices.collect(),
            evaluations: looking.evaluations,
        })
    }
}

/// A search on its way.
///
/// The value of a position with `depth` choices to come is in [`UNIT`]s divided by the sum of the weights to the power of
/// `depth`: so means are sums.
struct Looking<'a, G: Game, H> {
    search: &'a Expectimax<G, H>,
    weights: Vec<i128>,
    cancel: &'a Cancel,
    evaluations: u64,
}

impl<G: Game, H: Heuristic<G::Position>> Looking<'_, G, H> {
    /// A point in a position with `depth` choices to come.
    fn unit(&self, depth: u32) -> i128 {
        let weight: i128 = self.weights.iter().sum();
        i128::from(UNIT) * weight.pow(depth)
    }

    /// The highest value of a position with `depth` choices to come.
    fn most(&self, depth: u32) -> i128 {
        self.unit(depth) / i128::from(UNIT) * i128::from(self.search.heuristic.most())
    }

    /// The values of positions in which it looks no further. `None` if the switch was thrown.
    fn of_last(&mut self, positions: &[G::Position]) -> Option<Vec<i128>> {
        let points = |position| self.search.game.points(position);
        let ends: Vec<Option<i32>> = positions.iter().map(points).collect();
        let goes_on = positions.iter().zip(&ends).filter(|(_, end)| end.is_none());
        let goes_on: Vec<G::Position> = goes_on.map(|(position, _)| *position).collect();
        self.evaluations += goes_on.len() as u64;
        let mut values = vec![0; goes_on.len()];
        let stop = || self.cancel.is_cancelled();
        let valued = self.search.heuristic.values(&goes_on, &mut values, &stop);
        valued.ok()?;
        let mut values = values.into_iter();
        let value = |end: Option<i32>| match end {
            Some(points) => i128::from(points) * i128::from(UNIT),
            None => i128::from(values.next().expect("each has its value")),
        };
        Some(ends.into_iter().map(value).collect())
    }

    /// In which order results of choices are looked at: the likely best first, where that saves something. `None` if
    /// the switch was thrown.
    fn order(&mut self, results: &[G::Position]) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..results.len()).collect();
        if self.search.pruning != Pruning::Expectimax {
            let values = self.of_last(results)?;
            order.sort_by_key(|&choice| values[choice]);
        }
        Some(order)
    }

    /// The value of a position for the player whose turn it is, before its chance, with `depth` choices to come.
    /// At or outside the ends of the window it is a bound. `None` if the switch was thrown.
    fn value(&mut self, position: &G::Position, depth: u32, window: Window) -> Option<i128> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let game = &self.search.game;
        if let Some(points) = game.points(position) {
            return Some(i128::from(points) * self.unit(depth));
        }
        if depth == 0 {
            return Some(self.of_last(&[*position])?[0]);
        }
        let chances = 0..self.weights.len();
        let results = chances.map(|chance| game.results(position, chance));
        let results: Vec<Vec<G::Position>> = results.collect();
        match self.search.pruning {
            Pruning::Expectimax => self.mean(&results, depth),
            Pruning::Star1 => {
                let seen = vec![None; results.len()];
                self.mean_within(&results, depth, window, &seen)
            }
            Pruning::Star2 => {
                let likely = self.search.heuristic.likely(position, &results);
                match self.seen(&results, &likely, depth, window)? {
                    Looks::Enough(least) => Some(least),
                    Looks::Seen(seen) => self.mean_within(&results, depth, window, &seen),
                }
            }
        }
    }

    /// The mean over the chances of the best choice after each, with nothing left out.
    fn mean(&mut self, results: &[Vec<G::Position>], depth: u32) -> Option<i128> {
        let window = Window::of_all(self.most(depth - 1));
        let mut sum = 0;
        if depth == 1 {
            let values = self.of_last(&results.concat())?;
            let mut values = values.into_iter();
            for (weight, results) in self.weights.iter().zip(results) {
                let of_chance = values.by_ref().take(results.len());
                sum += weight * -of_chance.min().expect("there is a choice");
            }
            return Some(sum);
        }
        for (chance, results) in results.iter().enumerate() {
            sum += self.weights[chance] * self.best(results, depth - 1, window, None)?;
        }
        Some(sum)
    }

    /// The mean over the chances, or a bound of it outside the window. Of each chance a choice may have been seen.
    fn mean_within(
        &mut self,
        results: &[Vec<G::Position>],
        depth: u32,
        window: Window,
        seen: &[Option<Seen>],
    ) -> Option<i128> {
        let most = self.most(depth - 1);
        let least = |chance: usize| seen[chance].map_or(-most, |seen| seen.value);
        // What the chances add, each at its value once it is known.
        let chances = 0..results.len();
        let mut lowest: i128 = chances.map(|chance| self.weights[chance] * least(chance)).sum();
        let mut highest: i128 = self.most(depth);
        for (chance, results) in results.iter().enumerate() {
            let weight = self.weights[chance];
            lowest -= weight * least(chance);
            highest -= weight * most;
            let of_chance = window.of_chance(weight, lowest, highest);
            let value = self.best(results, depth - 1, of_chance, seen[chance])?;
            lowest += weight * value;
            highest += weight * value;
            if value <= of_chance.alpha {
                return Some(highest);
            }
            if value >= of_chance.beta {
                return Some(lowest);
            }
        }
        Some(lowest)
    }

    /// Looks at the likely best choice of each chance.
    fn seen(&mut self, results: &[Vec<G::Position>], likely: &[usize], depth: u32, window: Window) -> Option<Looks> {
        let most = self.most(depth - 1);
        let mut lowest = -self.most(depth);
        let firsts = results.iter().zip(likely);
        let firsts: Vec<G::Position> = firsts.map(|(results, &likely)| results[likely]).collect();
        let of_last = match depth {
            1 => Some(self.of_last(&firsts)?),
            _ => None,
        };
        let mut seen = Vec::with_capacity(results.len());
        for (chance, first) in firsts.iter().enumerate() {
            let weight = self.weights[chance];
            let highest = self.most(depth);
            let beta = window.of_chance(weight, lowest + weight * most, highest).beta;
            let of_first = Window {
                beta,
                ..Window::of_all(most)
            };
            let value = match &of_last {
                Some(values) => -values[chance],
                None => -self.value(first, depth - 1, of_first.reversed())?,
            };
            lowest += weight * (value + most);
            if lowest >= window.beta {
                return Some(Looks::Enough(lowest));
            }
            let choice = likely[chance];
            seen.push(Some(Seen { choice, value }));
        }
        Some(Looks::Seen(seen))
    }

    /// The value of the best of some choices with these results, after each of which `depth` choices come.
    fn best(&mut self, results: &[G::Position], depth: u32, window: Window, seen: Option<Seen>) -> Option<i128> {
        let mut best = seen.map(|seen| seen.value);
        let is_new = |choice: &usize| seen.is_none_or(|seen| seen.choice != *choice);
        if depth == 0 {
            let new = (0..results.len()).filter(is_new);
            let new: Vec<G::Position> = new.map(|choice| results[choice]).collect();
            let values = self.of_last(&new)?.into_iter().map(|value| -value);
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

/// A choice after a chance that was looked at, and its value.
#[derive(Clone, Copy, Debug)]
struct Seen {
    choice: usize,
    value: i128,
}

/// What a look at one choice of each chance has found.
enum Looks {
    /// The mean is at least this, which is not below the window.
    Enough(i128),
    /// The choice of each chance.
    Seen(Vec<Option<Seen>>),
}
