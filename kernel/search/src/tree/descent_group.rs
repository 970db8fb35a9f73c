//! The simulations of a group on their way down the tree.

use super::arena::{Chances, Choices, NodeId};
use crate::allocator::SelectionEnd;
use crate::random::Random;

/// A simulation at choices.
#[derive(Debug)]
pub(super) struct Descent {
    pub(super) random: Random,
    /// Its index in the group.
    pub(super) which: usize,
    /// The node whose chance was drawn; `None` at the root.
    pub(super) node: Option<NodeId>,
    pub(super) chance: usize,
    pub(super) choices: Choices,
}

/// A simulation after a choice.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) descent: Descent,
    pub(super) node: NodeId,
}

/// A simulation after a chance.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) descent: Descent,
    pub(super) node: NodeId,
    pub(super) chances: Chances,
}

/// The simulations of a group by how far they are; empty between two groups.
// The tree keeps the vectors, so that a descent allocates nothing: together with arenas that never move, searches then
// take 0.90 of the time (profiles/LOG.md, 2026-11-23).
#[derive(Debug)]
pub(super) struct DescentGroup<P> {
    pub(super) descents: Vec<Descent>,
    pub(super) chosen: Vec<Chosen>,
    pub(super) drawn: Vec<Drawn>,
    pub(super) landed: Vec<Option<SelectionEnd<P>>>,
}

impl<P> Default for DescentGroup<P> {
    fn default() -> DescentGroup<P> {
        DescentGroup {
            descents: Vec::new(),
            chosen: Vec::new(),
            drawn: Vec::new(),
            landed: Vec::new(),
        }
    }
}
