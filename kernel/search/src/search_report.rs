//! Progress and result of a search.

use core::time::Duration;

use crate::line_and_replies::LineAndReplies;
use crate::pending_playouts::PendingPlayouts;
use crate::root_counts::RootCounts;
use crate::search_settings::BestChoice;
use crate::stage::StageTimer;

/// How far a search is.
#[derive(Clone, Debug)]
pub struct SearchProgress<'a> {
    /// Counts of the simulations backed up so far; they may lag behind by a moment.
    pub root: &'a RootCounts,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchReport {
    /// The statistics of the choices at the root.
    pub root: RootCounts,
    /// The first levels of the trees after each choice at the root.
    pub lines_and_replies: Vec<LineAndReplies>,
    /// By choice, the points of the player who chooses, if a tree has proven them; see
    /// [`Search::with_proofs`](crate::Search::with_proofs).
    pub proofs: Vec<Option<i32>>,
    /// Positions in the trees.
    pub nodes: u64,
    /// Bytes of the trees.
    pub bytes: u64,
    /// Whether the system refused memory to a tree, which then stopped growing before it had its share of
    /// [`SearchSettings::memory`](crate::SearchSettings::memory).
    pub memory_refused: bool,
    /// The most choices that a simulation has made before its playout.
    pub depth: u32,
    /// Plies of all playouts.
    pub plies: u64,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether the switch ended it before its budget was spent.
    pub interrupted: bool,
}

/// The trees of one worker, searched.
pub(crate) struct WorkerResult<P, C: StageTimer> {
    pub(crate) trees: Vec<PendingPlayouts<P, C>>,
    /// Whether the search was stopped before all trees were made.
    pub(crate) lacks_trees: bool,
    /// Plies of their playouts.
    pub(crate) plies: u64,
}

impl SearchReport {
    /// The report of all workers' parts.
    pub(crate) fn new<P: Copy, C: StageTimer>(
        parts: &[WorkerResult<P, C>],
        choices: usize,
        elapsed: Duration,
        is_cancelled: bool,
    ) -> SearchReport {
        let mut report = SearchReport {
            root: RootCounts::new(choices),
            lines_and_replies: vec![LineAndReplies::default(); choices],
            proofs: vec![None; choices],
            nodes: 0,
            bytes: 0,
            memory_refused: false,
            depth: 0,
            plies: 0,
            elapsed,
            interrupted: false,
        };
        let mut is_whole = true;
        for part in parts {
            report.plies += part.plies;
            is_whole &= !part.lacks_trees;
            for tree in &part.trees {
                let allocator = tree.allocator();
                report.root.merge(tree.counts());
                for (choice, line_and_replies) in report.lines_and_replies.iter_mut().enumerate() {
                    line_and_replies.merge(&LineAndReplies { line: Vec::new(), replies: allocator.replies(choice) });
                }
                for (choice, proof) in report.proofs.iter_mut().enumerate() {
                    // Any tree's proof holds for all.
                    *proof = proof.or_else(|| allocator.proof(choice));
                }
                report.nodes += allocator.nodes();
                report.bytes += allocator.bytes();
                report.memory_refused |= allocator.memory_refused();
                report.depth = report.depth.max(allocator.depth());
                is_whole &= tree.is_done();
            }
        }
        // A switch that is thrown after the last simulation changes nothing.
        report.interrupted = !is_whole && is_cancelled;
        // Lines do not add up: the first tree's lines are taken.
        if let Some(first) = parts.iter().find_map(|part| part.trees.first()) {
            for (choice, line_and_replies) in report.lines_and_replies.iter_mut().enumerate() {
                line_and_replies.line = first.allocator().line(choice);
            }
        }
        report
    }

    /// The choices, best first: proven wins by their points, then unproven choices and proven draws, then proven losses
    /// by their points and by the simulations that it took to prove them, the most first; equal ones by a rule. A
    /// proven draw has the value 0.
    // A loss that took many simulations to prove puts up more resistance. The value says less: a choice that loses at
    // once may be proven after a few lucky playouts.
    #[must_use]
    pub fn ranking(&self, by: BestChoice) -> Vec<usize> {
        let mut root = self.root.clone();
        for (root_choice, proof) in root.choices.iter_mut().zip(&self.proofs) {
            if *proof == Some(0) {
                root_choice.sum = 0;
            }
        }
        let mut ranking = root.ranking(by);
        // Stable: within a group the order by the rule stays.
        ranking.sort_by_key(|&choice| {
            let points = self.proofs[choice].unwrap_or(0);
            let resistance = if points < 0 { root.choices[choice].visits } else { 0 };
            core::cmp::Reverse((points, resistance))
        });
        ranking
    }
}
