//! The counts of perft: the number of ways a game can go on, the standard check of a generator of plays.

use core::ops::AddAssign;

/// Numbers of nodes at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nodes {
    /// Choices over the distinct chances, such as the 21 rolls.
    // A ply of backgammon multiplies the counts by some 500, weighted by 800: 64 bits would end near the seventh ply.
    pub nodes: u128,
    /// Choices over the chances, each as often as its weight: the plays of a non-double count twice.
    pub weighted: u128,
}

impl Nodes {
    /// The position itself.
    pub const ONE: Nodes = Nodes { nodes: 1, weighted: 1 };

    /// This many choices.
    #[must_use]
    pub fn from_choices(choices: usize) -> Nodes {
        let nodes = choices as u128;
        Nodes { nodes, weighted: nodes }
    }

    /// These nodes after a chance of this weight.
    #[must_use]
    pub fn after_chance(self, weight: u32) -> Nodes {
        Nodes { nodes: self.nodes, weighted: self.weighted * u128::from(weight) }
    }
}

impl AddAssign for Nodes {
    fn add_assign(&mut self, other: Nodes) {
        self.nodes += other.nodes;
        self.weighted += other.weighted;
    }
}
