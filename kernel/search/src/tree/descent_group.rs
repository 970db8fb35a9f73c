//! The simulations of a group on their way down the tree.

use super::arena::{ChancesId, NodeId};
use super::choices::ChoicesId;
use crate::random::Random;
use crate::simulation_allocator::SelectionEnd;

/// A simulation on its way down.
#[derive(Clone, Debug)]
pub(super) struct Descent {
    pub(super) random: Random,
    /// The choices that it has come to.
    pub(super) choices: ChoicesId,
    /// The last entry of its path: one of `choices`, or the choice whose shortcut led to `choices`.
    pub(super) entry: u32,
    /// Until its choice has led to a node, the parent of `choices`, `None` at the root; afterwards the node that it led
    /// to.
    pub(super) node: Option<NodeId>,
    /// The chances in the node.
    pub(super) chances: Option<ChancesId>,
    /// The chance before `choices`; once it is drawn, the chance in the node.
    pub(super) chance: usize,
}

/// The simulations of a group. Each keeps its index. Between two groups none is active.
// The tree keeps the vectors, so that a descent allocates nothing: together with arenas that never move, searches then
// take 0.90 of the time (profiles/LOG.md, 2026-11-23).
#[derive(Default, Debug)]
pub(super) struct DescentGroup {
    pub(super) descents: Vec<Descent>,
    /// The indices of the simulations that have not ended, in their order.
    pub(super) active: Vec<usize>,
}

impl DescentGroup {
    pub(super) fn begin(&mut self, descents: impl Iterator<Item = Descent>) {
        self.descents.clear();
        self.descents.extend(descents);
        self.active.extend(0..self.descents.len());
    }

    /// Takes each active simulation a step further, in order, and notes the end of each that ends.
    #[inline(always)]
    pub(super) fn each<P>(
        &mut self,
        ends: &mut [SelectionEnd<P>],
        mut step: impl FnMut(&mut Descent) -> Result<(), SelectionEnd<P>>,
    ) {
        self.active.retain(|&index| match step(&mut self.descents[index]) {
            Ok(()) => true,
            Err(end) => {
                ends[index] = end;
                false
            }
        });
    }
}
