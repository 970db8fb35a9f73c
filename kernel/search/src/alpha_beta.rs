//! Alpha-beta for games without chances: one choice ahead, then two, and so on, with a table of the positions met.

use core::cmp::Reverse;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use crate::expectimax::{ExpectimaxReport, ValuedChoice};
use crate::visited_positions::VisitedPositions;
use tavli_game::Game;
use tavli_game::streams::mixed;
use tavli_game::{Heuristic, POINT, in_points};

const MAX_DEPTH: u32 = 64;

/// The most places of a table, as a power of two: 40 MB with the positions of draughts.
const MAX_BITS: u32 = 20;

/// The places of the history, as a power of two.
const HISTORY_BITS: u32 = 12;

/// The positions searched between two questions whether to stop.
const POSITIONS_PER_STOP_CHECK: u64 = 256;

/// Why there is no search by alpha-beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AlphaBetaError {
    /// A depth out of range.
    #[error("invalid depth {0}: give 1 to {MAX_DEPTH} choices")]
    Depth(u32),
    /// A game with dice.
    #[error("this search is for games without dice: star1 and star2 search those with dice")]
    Dice,
}

/// A search to a depth by alpha-beta in a game without chances. Its result equals minimax's.
///
/// It searches one choice ahead, then two, up to the depth. A table keeps the positions met, with bounds of their
/// values and the best choice. This choice is tried first when the position is met again, as a rule one choice deeper.
/// The other choices are tried in the order of how often [such a choice](Game::change) was good elsewhere.
///
/// A value from the table is used only at the depth at which it was found. So the best choice, all choices that equal
/// it, and their value are the same as by [`Expectimax`](crate::Expectimax) without pruning, whatever the table holds.
///
/// ```
/// use std::sync::Arc;
/// use tavli_base::NO_STOP;
/// use tavli_game::PlayableGame;
/// use tavli_search::{AlphaBeta, GameHeuristic};
/// use tavli_simd::Tier;
/// use tavli_tictactoe::TicTacToe;
///
/// let game = Arc::new(TicTacToe::by_rules("standard", Tier::Portable, 1)?);
/// let ends = Arc::new(GameHeuristic::new(Arc::clone(&game), 0));
/// let found = AlphaBeta::new(Arc::clone(&game), ends, 9)?.run(game.start(), NO_STOP).expect("nothing stops it");
/// assert_eq!((found.depth, found.report.choices[0].value), (9, 0.0)); // the game is a draw
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<G: Game, H: ?Sized> {
    game: Arc<G>,
    heuristic: Arc<H>,
    depth: u32,
    is_plain: bool,
}

/// The result of the deepest search that was finished.
#[derive(Clone, PartialEq, Debug)]
pub struct Deepened {
    /// The choices looked ahead in the last search that was finished.
    pub depth: u32,
    /// Its result. The evaluations and the positions met include all searches before it.
    pub report: ExpectimaxReport,
}

impl<G: Game, H: Heuristic<G::Position> + ?Sized> AlphaBeta<G, H> {
    /// A search up to this depth, in choices.
    ///
    /// # Errors
    /// [`AlphaBetaError`] unless the depth is 1 to 64, and the game has no dice.
    pub fn new(game: Arc<G>, heuristic: Arc<H>, depth: u32) -> Result<AlphaBeta<G, H>, AlphaBetaError> {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(AlphaBetaError::Depth(depth));
        }
        if game.chances().len() > 1 {
            return Err(AlphaBetaError::Dice);
        }
        Ok(AlphaBeta { game, heuristic, depth, is_plain: false })
    }

    /// Searches once, to the depth, with the choices in the game's order and without a table, as textbooks do: for
    /// counts that can be compared. Among equally good choices only the first has an exact value.
    #[must_use]
    pub fn plain(self) -> AlphaBeta<G, H> {
        AlphaBeta { is_plain: true, ..self }
    }

    /// Searches from a position in which the game is not over. `None` if `stop` returned `true` before it had looked
    /// one choice ahead.
    #[must_use]
    pub fn run(&self, position: G::Position, stop: &dyn Fn() -> bool) -> Option<Deepened> {
        let results = self.game.results(&position, 0);
        let mut order: Vec<usize> = (0..results.len()).collect();
        let mut searcher = AlphaBetaSearch {
            game: &*self.game,
            heuristic: &*self.heuristic,
            is_plain: self.is_plain,
            table: Table::with_depth(if self.is_plain { 0 } else { self.depth }),
            history: vec![0; 1 << HISTORY_BITS],
            stop,
            evaluations: 0,
            met: VisitedPositions::new(self.game.max_points()),
            depth: 0,
        };
        let mut deepest = None;
        let first = if self.is_plain { self.depth } else { 1 };
        for depth in first..=self.depth {
            let Some(mut choices) = searcher.search_root(&results, &order, depth) else {
                break;
            };
            order = choices.iter().map(|choice| choice.choice).collect();
            sort_best_first(&mut choices);
            let report = ExpectimaxReport { choices, evaluations: searcher.evaluations, met: searcher.met.clone() };
            deepest = Some(Deepened { depth, report });
        }
        deepest
    }
}

// Like the sorts in `look_ahead`, these do not depend on the game.
fn sort_best_first(choices: &mut [ValuedChoice]) {
    choices.sort_by(|a, b| {
        let by_value = b.is_exact.cmp(&a.is_exact).then(b.value.total_cmp(&a.value));
        by_value.then(a.choice.cmp(&b.choice))
    });
}

/// Choices with their values, and whether these are exact: the exact ones first.
fn sort_by_value(valued: &mut [(usize, i64, bool)]) {
    valued.sort_by_key(|&(_, value, is_exact)| (!is_exact, -value));
}

/// The order in which choices are tried: the best known choice, then by history, then in the game's order.
fn order_of(history: &[u64], known: Option<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..history.len()).collect();
    order.sort_by_key(|&choice| (known != Some(choice), Reverse(history[choice])));
    order
}

/// Whether a value is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A position that was searched.
#[derive(Clone, Copy, Debug)]
struct TableEntry<P> {
    position: P,
    value: i64,
    bound: Bound,
    depth: u8,
    /// The best choice.
    choice: u16,
}

/// Positions that were searched: in each place the last one.
#[derive(Debug)]
struct Table<P> {
    places: Vec<Option<TableEntry<P>>>,
    bits: u32,
}

impl<P: Copy + Eq + Hash> Table<P> {
    /// A table for searches of up to this depth. It grows with the depth: a small search should not wait for memory
    /// that it does not use.
    fn with_depth(depth: u32) -> Table<P> {
        let bits = (4 + 2 * depth).min(MAX_BITS);
        Table { places: vec![None; 1 << bits], bits }
    }

    fn place(&self, position: &P) -> usize {
        let mut hasher = PositionHasher(0);
        position.hash(&mut hasher);
        (hasher.finish() >> (64 - self.bits)) as usize
    }

    fn get(&self, position: &P) -> Option<TableEntry<P>> {
        // The whole position is compared, so two positions with the same place are never confused.
        self.places[self.place(position)].filter(|entry| entry.position == *position)
    }

    fn set(&mut self, entry: TableEntry<P>) {
        let place = self.place(&entry.position);
        self.places[place] = Some(entry);
    }
}

/// A hasher of positions: a few words each, mixed as SplitMix64 does.
struct PositionHasher(u64);

impl Hasher for PositionHasher {
    fn finish(&self) -> u64 {
        mixed(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

/// Searches in progress. Its methods return `None` if the search was stopped.
struct AlphaBetaSearch<'a, G: Game, H: ?Sized> {
    game: &'a G,
    heuristic: &'a H,
    /// Whether choices keep the game's order, and the table stays empty.
    is_plain: bool,
    table: Table<G::Position>,
    /// How good choices were, by their [`AlphaBetaSearch::history_place`].
    history: Vec<u64>,
    stop: &'a dyn Fn() -> bool,
    evaluations: u64,
    met: VisitedPositions,
    /// The depth of the search in progress.
    depth: u32,
}

impl<G: Game, H: Heuristic<G::Position> + ?Sized> AlphaBetaSearch<'_, G, H> {
    /// The choices at the root, the exact ones in the order of their values.
    fn search_root(&mut self, results: &[G::Position], order: &[usize], depth: u32) -> Option<Vec<ValuedChoice>> {
        let most = self.heuristic.most().max(POINT * i64::from(self.game.max_points()));
        // One beyond, since values at the ends of a window are bounds.
        let (mut alpha, beta) = (-most - 1, most + 1);
        self.depth = depth;
        self.met.add_ongoing(1);
        let mut valued = Vec::with_capacity(results.len());
        for &choice in order {
            let value = -self.value(&results[choice], depth - 1, -beta, -alpha)?;
            valued.push((choice, value, value > alpha));
            // Otherwise not `value`: a later choice of the same value must have it exactly, as in `Expectimax`.
            alpha = alpha.max(if self.is_plain { value } else { value - 1 });
        }
        sort_by_value(&mut valued);
        let valued = valued.into_iter().map(|(choice, value, is_exact)| ValuedChoice {
            choice,
            value: in_points(value),
            is_exact,
        });
        Some(valued.collect())
    }

    /// The value of a position for the player to move with `depth` choices to come. At or outside the ends of the
    /// window it is a bound.
    fn value(&mut self, position: &G::Position, depth: u32, alpha: i64, beta: i64) -> Option<i64> {
        if self.met.nodes().is_multiple_of(POSITIONS_PER_STOP_CHECK) && (self.stop)() {
            return None;
        }
        if let Some(points) = self.game.points(position) {
            self.met.add_finished(points, self.depth - depth);
            return Some(i64::from(points) * POINT);
        }
        self.met.add_ongoing(1);
        if depth == 0 {
            return self.value_of_leaf(position);
        }
        let entry = self.table.get(position);
        if let Some(entry) = entry.filter(|entry| u32::from(entry.depth) == depth) {
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => entry.value >= beta,
                Bound::AtMost => entry.value <= alpha,
            };
            if is_enough {
                return Some(entry.value);
            }
        }
        let results = self.game.results(position, 0);
        let order = self.order(position, &results, entry.map(|entry| usize::from(entry.choice)));
        let (mut best, mut best_choice, mut above) = (i64::MIN, 0, alpha);
        for choice in order {
            let value = -self.value(&results[choice], depth - 1, -beta, -above)?;
            if value > best {
                (best, best_choice) = (value, choice);
            }
            above = above.max(value);
            if above >= beta {
                let place = self.history_place(position, &results[choice]);
                // The deeper the search that a choice cuts off, the more positions it spares.
                self.history[place] += u64::from(depth).pow(2);
                break;
            }
        }
        if self.is_plain {
            return Some(best);
        }
        self.table.set(TableEntry {
            position: *position,
            value: best,
            bound: match best {
                best if best >= beta => Bound::AtLeast,
                best if best <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            },
            depth: depth as u8,
            choice: best_choice as u16,
        });
        Some(best)
    }

    fn value_of_leaf(&mut self, position: &G::Position) -> Option<i64> {
        self.evaluations += 1;
        let mut value = [0];
        self.heuristic.values(&[*position], &mut value, self.stop).ok()?;
        Some(value[0])
    }

    fn order(&self, position: &G::Position, results: &[G::Position], known: Option<usize>) -> Vec<usize> {
        if self.is_plain {
            return (0..results.len()).collect();
        }
        let of_history = results.iter().map(|result| self.history[self.history_place(position, result)]);
        order_of(&of_history.collect::<Vec<_>>(), known)
    }

    /// The place in the history, shared by choices with the same change.
    fn history_place(&self, before: &G::Position, after: &G::Position) -> usize {
        (mixed(self.game.change(before, after)) >> (64 - HISTORY_BITS)) as usize
    }
}
