//! The trait of games that can be played out, searched and counted.

use core::fmt;
use core::hash::Hash;

use crate::nodes::Nodes;
use crate::playout_end::PlayoutEnd;

/// A game of two players who take turns; in each turn a chance (a roll) comes before the choice (a play).
///
/// A position is seen by the player whose turn it is, before the chance. A game without chance nodes has one chance, of
/// weight 1. An implementor holds what its playouts need: rules, a tier, a seed.
pub trait Game: fmt::Debug + Send + Sync + Sized + 'static {
    /// A position before its chance.
    type Position: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The weight of each chance, at least 1, in any position. The sum of the weights is at most 255.
    // The bound is for searches: they number throws by bytes, and by it the units of expectimax fit 128 bits.
    fn chances(&self) -> &[u32];

    /// How many choices there are after a chance, at least 1, in a position in which the game goes on.
    fn choices(&self, position: &Self::Position, chance: usize) -> usize;

    /// The position after a choice, seen by the other player. `choice` is below [`Game::choices`].
    fn result(&self, position: &Self::Position, chance: usize, choice: usize) -> Self::Position;

    /// The positions after all choices, in the order of the choices.
    fn results(&self, position: &Self::Position, chance: usize) -> Vec<Self::Position> {
        (0..self.choices(position, chance)).map(|choice| self.result(position, chance, choice)).collect()
    }

    /// If the game is over, the points of the player whose turn it would be: -127..=127.
    fn points(&self, position: &Self::Position) -> Option<i32>;

    /// The most points that any game can end with. A choice that is proven to win them is the best: a search looks no
    /// further.
    fn max_points(&self) -> i32 {
        127
    }

    /// The least and the most points that the rules still allow the player whose turn it is in a position in which the
    /// game goes on. These bound the statistics of its playouts.
    fn possible_points(&self, position: &Self::Position) -> [i32; 2] {
        let _ = position;
        [-self.max_points(), self.max_points()]
    }

    /// A number for the choice that leads from one position to another: choices that do the same in different positions
    /// have the same number, such as a step between two squares. A search first tries choices whose numbers were good
    /// elsewhere.
    fn change(&self, before: &Self::Position, after: &Self::Position) -> u64 {
        let _ = (before, after);
        0
    }

    /// Counts the sequences of `depth` plies from a position: at every ply each chance, and each choice after it. A
    /// finished game counts at its own depth and goes no further. The choices of the last ply are counted without
    /// listing them. Depth 0 is the position itself: 1.
    fn perft(&self, position: &Self::Position, depth: u32) -> Nodes {
        self.perft_by_results(position, depth)
    }

    /// The perft of any game, by the results of every choice: for games whose own perft does not know all positions.
    fn perft_by_results(&self, position: &Self::Position, depth: u32) -> Nodes {
        // Before the test for the end: a game that is over counts at depth 0.
        if depth == 0 {
            return Nodes::ONE;
        }
        let mut sum = Nodes::default();
        if self.points(position).is_some() {
            return sum;
        }
        for (chance, &weight) in self.chances().iter().enumerate() {
            let below = if depth == 1 {
                Nodes::from_choices(self.choices(position, chance))
            } else {
                let mut below = Nodes::default();
                for result in self.results(position, chance) {
                    // Not `perft_by_results`: further down, the game's faster way may know the position.
                    below += self.perft(&result, depth - 1);
                }
                below
            };
            sum += below.after_chance(weight);
        }
        sum
    }

    /// Plays the games of a source until it has no more, or `stop` returns `true`. A game that is not over after
    /// [`GameSource::max_plies`] is cut off.
    ///
    /// A game must be a pure function of its start's position, chance and number. Games may end in any order. After
    /// `None` from [`GameSource::next`] it asks again when a game has ended, and stops only when no game is in play.
    // Trait objects, so that a batch is compiled once for each instruction set, not for each source of games. In
    // backgammon, a source compiled into the batch was no faster than a called one (profiles/LOG.md, 2026-11-22).
    fn play_out(&self, source: &mut dyn GameSource<Self::Position>, stop: &dyn Fn() -> bool);
}

/// The source of games for [`Game::play_out`], and the sink of their results.
pub trait GameSource<P> {
    /// The next game; `None` if there is none until another ends.
    fn next(&mut self) -> Option<GameStart<P>>;

    /// Takes the result of the game with this tag: the points of the player whose turn it is at its start, and the
    /// number of plies.
    fn end(&mut self, tag: u64, points: i32, plies: u32);

    /// The plies after which every game is cut off, at least 1; none is by default. It does not change.
    fn max_plies(&self) -> u32 {
        u32::MAX
    }

    /// Takes the game with this tag, which was cut off after [`GameSource::max_plies`].
    fn cut_off(&mut self, tag: u64) {
        unreachable!("game {tag} has more plies than are counted")
    }

    /// Takes the result of the game with this tag, whether it is over or was cut off.
    fn record_end(&mut self, tag: u64, end: PlayoutEnd) {
        match end.points {
            Some(points) => self.end(tag, points, end.plies),
            None => self.cut_off(tag),
        }
    }
}

/// Where a playout begins. The game is not over in its position.
#[derive(Clone, Copy, Debug)]
pub struct GameStart<P> {
    /// The position.
    pub position: P,
    /// The chance in it; `None` if the game draws it.
    pub chance: Option<usize>,
    /// The number of the game, unique among the playouts of one [`Game`].
    pub game: u64,
    /// To be passed to [`GameSource::end`].
    pub tag: u64,
}
