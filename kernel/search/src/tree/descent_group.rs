//! The simulations of a group on their way down the tree.

use super::arena::{Chances, Choices, NodeId};
use crate::random::Random;

/// What comes before choices.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// Nothing: they are those at the root.
    Root,
    /// The node whose chance was drawn.
    Node(NodeId),
    /// The node that the choices have in front of them. A descent reads it only where it leaves the tree.
    Shortcut,
}

/// A simulation at choices.
#[derive(Clone, Debug)]
pub(super) struct Descent {
    pub(super) random: Random,
    /// The index of its path in the group.
    pub(super) path: usize,
    /// What comes before the choices.
    pub(super) before: Before,
    pub(super) chance: usize,
    pub(super) choices: Choices,
}

/// A simulation after a choice.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) descent: Descent,
    pub(super) node: NodeId,
}

/// Where a simulation stands after a choice.
#[derive(Debug)]
pub(super) enum Reached {
    Node(NodeId),
    /// The next choices, by a shortcut.
    Choices(Choices),
    /// Outside the tree: the choice has no node yet. Here `node` has the position where it was made, unless that is the
    /// root's.
    Outside {
        node: Option<NodeId>,
        choice: usize,
    },
}

/// A simulation whose choice leads out of the tree.
#[derive(Debug)]
pub(super) struct Departure {
    pub(super) descent: Descent,
    /// The node of the position where it chose; `None` at the root.
    pub(super) node: Option<NodeId>,
    pub(super) choice: usize,
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
#[derive(Default, Debug)]
pub(super) struct DescentGroup {
    pub(super) descents: Vec<Descent>,
    pub(super) leaving: Vec<Departure>,
    pub(super) chosen: Vec<Chosen>,
    pub(super) drawn: Vec<Drawn>,
}
