//! Games of choice and chance.

use core::fmt;

/// A game that can be searched: two players in turn, each with a chance (a roll) before his choice.
///
/// A position is seen by the player whose turn it is, before the chance. A game without chances has one chance of
/// weight 1. See [`Backgammon`](crate::Backgammon).
pub trait Game: fmt::Debug + Send + Sync + 'static {
    /// A position before its chance.
    type Position: Copy + fmt::Debug + Send + Sync;

    /// The weight of each chance, at least 1. They are the same in all positions, and at most 255 in all.
    fn chances(&self) -> &[u32];

    /// How many choices there are after a chance, at least 1, in a position in which the game goes on.
    fn choices(&self, position: &Self::Position, chance: usize) -> usize;

    /// The position after a choice, seen by the other player. `choice` is below [`Game::choices`].
    fn result(&self, position: &Self::Position, chance: usize, choice: usize) -> Self::Position;

    /// The positions after all choices, in their order.
    fn results(&self, position: &Self::Position, chance: usize) -> Vec<Self::Position> {
        (0..self.choices(position, chance))
            .map(|choice| self.result(position, chance, choice))
            .collect()
    }

    /// The points of the player whose turn it would be, -127..=127, if the game is over.
    fn points(&self, position: &Self::Position) -> Option<i32>;

    /// Plays a game from each leaf until there are no more, or `stop` returns `true`.
    ///
    /// A game is a pure function of its leaf's position, chance and number. Games end in any order. After a `None`,
    /// there may be a next leaf when a game has ended; there is none if no game is being played.
    fn play_out(&self, leaves: &mut dyn Leaves<Self::Position>, stop: &dyn Fn() -> bool);
}

/// Hands out the leaves whose games are played, and takes the games' ends.
pub trait Leaves<P> {
    /// The next leaf; `None` if there is none before another game ends.
    fn next(&mut self) -> Option<Leaf<P>>;

    /// Takes the end of the game of the leaf with this tag: the points of the player whose turn it was in the leaf, and
    /// the plies played.
    fn end(&mut self, tag: u64, points: i32, plies: u32);
}

/// Where a game begins. The game is not over there.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<P> {
    /// The position.
    pub position: P,
    /// The chance in it; `None` if the game draws it.
    pub chance: Option<usize>,
    /// The number of the game, which no other leaf of the search has.
    pub game: u64,
    /// Returned to [`Leaves::end`].
    pub tag: u64,
}
