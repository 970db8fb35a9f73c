//! Perft: the number of ways a game can go on, the standard check of a generator of plays.

use core::ops::AddAssign;

use crate::game::Game;

/// Numbers of nodes at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nodes {
    /// Choices over the distinct chances, such as the 21 rolls.
    pub nodes: u128,
    /// The same, each chance as often as its weight: the plays of a non-double count twice.
    pub weighted: u128,
}

impl Nodes {
    /// The position itself.
    pub const ONE: Nodes = Nodes { nodes: 1, weighted: 1 };

    /// These nodes after a chance of this weight.
    #[must_use]
    pub fn after_chance(self, weight: u32) -> Nodes {
        Nodes {
            nodes: self.nodes,
            weighted: self.weighted * u128::from(weight),
        }
    }
}

impl AddAssign for Nodes {
    fn add_assign(&mut self, other: Nodes) {
        self.nodes += other.nodes;
        self.weighted += other.weighted;
    }
}

/// Counts the sequences of `depth` plies from a position: at every ply each chance, and each choice after it. A
/// finished game counts at its own depth and goes no further. The choices of the last ply are counted without listing
/// them. Depth 0 is the position itself: 1. What [`Game::perft`] does unless a game has a faster way.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> Nodes {
    if depth == 0 {
        return Nodes::ONE;
    }
    let mut sum = Nodes::default();
    if game.points(position).is_some() {
        return sum;
    }
    for (chance, &weight) in game.chances().iter().enumerate() {
        let below = if depth == 1 {
            let nodes = game.choices(position, chance) as u128;
            Nodes { nodes, weighted: nodes }
        } else {
            let mut below = Nodes::default();
            for result in game.results(position, chance) {
                below += game.perft(&result, depth - 1);
            }
            below
        };
        sum += below.after_chance(weight);
    }
    sum
}
