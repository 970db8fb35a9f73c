//! A game for searches, with tables of solved positions and with playouts by an evaluator.

use core::fmt;
use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use tavli_game::streams::StreamKey;
use tavli_game::{Game, GameSource, Nodes, PlayableGame, SolvedPositions, pick, play_out_by};

/// The solved positions and the heavy playouts that a search of a game may use; none by default.
#[derive(Debug)]
pub struct TablesAndHeavyPlayouts<P> {
    /// Solved positions, which end a search's games with their values. The game's own playouts do not consult them:
    /// playing on is faster than a lookup. Playouts by an evaluator do.
    pub tables: Option<Arc<dyn SolvedPositions<P>>>,
    /// Playouts by an evaluator, instead of the game's own.
    pub playouts: Option<HeavyPlayouts>,
}

impl<P> Default for TablesAndHeavyPlayouts<P> {
    fn default() -> TablesAndHeavyPlayouts<P> {
        TablesAndHeavyPlayouts { tables: None, playouts: None }
    }
}

impl<P> Clone for TablesAndHeavyPlayouts<P> {
    fn clone(&self) -> TablesAndHeavyPlayouts<P> {
        TablesAndHeavyPlayouts { tables: self.tables.clone(), playouts: self.playouts }
    }
}

/// Heavy playouts: in some plies the best choice by an evaluator of the game, in the other plies a random one.
///
/// A ply takes a word of the game's stream as in [`tavli_game::play_out_one_by_one`], which draws a chance and a
/// choice. If `share` is not 0, another word decides whether the best choice replaces the drawn one: it does if the
/// word is below `share * 2^32`. Among several best choices, it is the first from the drawn one on; the first choice
/// follows the last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeavyPlayouts {
    /// The index of the heuristic in [`PlayableGame::HEURISTICS`].
    pub evaluator: usize,
    /// The share of plies in which the best choice is made, 0 to 1.
    pub share: f64,
}

impl HeavyPlayouts {
    /// Heavy playouts by the evaluator with this index and name.
    pub(crate) fn named((evaluator, name): (usize, &'static str), share: f64) -> (HeavyPlayouts, &'static str) {
        (HeavyPlayouts { evaluator, share }, name)
    }
}

/// A game with its tables and heavy playouts.
pub struct GameWithTables<G: PlayableGame> {
    game: Arc<G>,
    added: TablesAndHeavyPlayouts<G::Position>,
    key: StreamKey,
}

impl<G: PlayableGame> fmt::Debug for GameWithTables<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameWithTables").field("game", &self.game).field("added", &self.added).finish_non_exhaustive()
    }
}

impl<G: PlayableGame> GameWithTables<G> {
    /// A game with its tables and heavy playouts. `seed` is the seed of its heavy playouts.
    ///
    /// # Panics
    /// If the game has no evaluator of the index that heavy playouts name, or their greed is not 0 to 1.
    #[must_use]
    pub fn new(game: Arc<G>, added: TablesAndHeavyPlayouts<G::Position>, seed: u64) -> GameWithTables<G> {
        if let Some(heavy) = added.playouts {
            assert!(heavy.evaluator < G::HEURISTICS.len(), "an evaluator of {}", G::NAME);
            assert!((0.0..=1.0).contains(&heavy.share), "greed is a share");
        }
        GameWithTables { game, added, key: StreamKey::new(seed) }
    }

    /// The choice with the best value by an evaluator; among equal ones, the first from `first` on.
    fn best(&self, position: &G::Position, chance: usize, evaluator: usize, first: usize) -> G::Position {
        let results = self.game.results(position, chance);
        let value = |result: &G::Position| match self.points(result) {
            Some(points) => -f64::from(points),
            None => -self.game.value(result, evaluator),
        };
        let (before, from) = results.split_at(first);
        let mut best = (from[0], value(&from[0]));
        for result in from[1..].iter().chain(before) {
            let value = value(result);
            if value > best.1 {
                best = (*result, value);
            }
        }
        best.0
    }
}

impl<G: PlayableGame> Game for GameWithTables<G> {
    type Position = G::Position;

    fn chances(&self) -> &[u32] {
        self.game.chances()
    }

    fn choices(&self, position: &G::Position, chance: usize) -> usize {
        self.game.choices(position, chance)
    }

    fn result(&self, position: &G::Position, chance: usize, choice: usize) -> G::Position {
        self.game.result(position, chance, choice)
    }

    fn results(&self, position: &G::Position, chance: usize) -> Vec<G::Position> {
        self.game.results(position, chance)
    }

    fn points(&self, position: &G::Position) -> Option<i32> {
        let known = || {
            let tables = self.added.tables.as_ref()?;
            Some(tables.known(position)?.points)
        };
        self.game.points(position).or_else(known)
    }

    fn max_points(&self) -> i32 {
        self.game.max_points()
    }

    fn change(&self, before: &G::Position, after: &G::Position) -> u64 {
        self.game.change(before, after)
    }

    fn perft(&self, position: &G::Position, depth: u32) -> Nodes {
        // Not the default, which would end at solved positions.
        self.game.perft(position, depth)
    }

    fn play_out(&self, source: &mut dyn GameSource<G::Position>, stop: &dyn Fn() -> bool) {
        let Some(heavy) = self.added.playouts else {
            return self.game.play_out(source, stop);
        };
        // In 64 bits: with a share of 1 it is above every word.
        let threshold = (heavy.share * f64::from(1_u32 << 31) * 2.0) as u64;
        play_out_by(self, &self.key, source, stop, |ply, words| {
            let choice = pick(ply.fraction, self.game.choices(&ply.position, ply.chance));
            // In this order: without heavy plies a ply takes one word, as in any playout.
            let is_best = threshold > 0 && u64::from(words.next_u32()) < threshold;
            Some(match is_best {
                true => self.best(&ply.position, ply.chance, heavy.evaluator, choice),
                false => self.game.result(&ply.position, ply.chance, choice),
            })
        });
    }
}
