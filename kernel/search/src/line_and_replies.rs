//! The expected line after a choice at the root, and the replies to it.

use crate::line_step::LineStep;

/// The expected line and the replies after a choice at the root.
///
/// The replies of trees of the same root add up exactly, like their [`RootCounts`](crate::RootCounts)s. Simulations
/// that were in flight when a switch or a clock ended the search count here as visits with a virtual loss.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LineAndReplies {
    /// The expected line (principal variation) of the first tree of the search: the choice, then alternately the most
    /// visited chance and the most visited choice after it.
    pub line: Vec<LineStep>,
    /// The replies after each chance that was visited, in the order of the chances; empty for methods without a tree.
    pub replies: Vec<Replies>,
}

/// The replies after a choice at the root and a chance.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Replies {
    /// The chance.
    pub chance: usize,
    /// The visits to the position with this chance.
    pub visits: u64,
    /// The replies: one for each choice of the other player; empty if the choices have not joined a tree.
    pub choices: Vec<Reply>,
}

/// A choice of the other player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reply {
    /// The number of simulations.
    pub visits: u64,
    /// The sum of their values for the other player.
    pub sum: i64,
}

impl Reply {
    /// The mean value for the other player; 0 without visits.
    ///
    /// ```
    /// use tavli_search::Reply;
    /// assert_eq!(Reply { visits: 4, sum: -2 }.value(), -0.5);
    /// ```
    #[must_use]
    pub fn value(&self) -> f64 {
        match self.visits {
            0 => 0.0,
            visits => self.sum as f64 / visits as f64,
        }
    }
}

impl LineAndReplies {
    /// Adds the replies of other trees. The line stays; if there is none yet, it is theirs.
    pub fn merge(&mut self, other: &LineAndReplies) {
        if self.line.is_empty() {
            self.line.clone_from(&other.line);
        }
        for others in &other.replies {
            match self.replies.binary_search_by_key(&others.chance, |replies| replies.chance) {
                Ok(at) => self.replies[at].merge(others),
                Err(at) => self.replies.insert(at, others.clone()),
            }
        }
    }
}

impl Replies {
    fn merge(&mut self, other: &Replies) {
        self.visits += other.visits;
        // Choices may have joined the other tree only.
        if self.choices.len() < other.choices.len() {
            self.choices.resize(other.choices.len(), Reply::default());
        }
        for (reply, other) in self.choices.iter_mut().zip(&other.choices) {
            reply.visits += other.visits;
            reply.sum += other.sum;
        }
    }
}
