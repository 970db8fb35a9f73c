//! The result of a search.

use core::ops::Range;
use std::time::Duration;

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Outcome, Planes, Roll, RuleSet};
use tavli_players::named;
use tavli_search::{
    Budget, LineAndReplies, LineStep, ProgressiveBias, Reward, RootChoice, RootCounts, SearchReport, SearchSettings,
};

use super::request::{SearchRequest, moves};

/// The result of a search for the best play of a roll, or of a shard of it.
///
/// Values are for the player on roll. Counts are exact integers, so counts of different trees add up.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    pub(super) board: Board,
    pub(super) roll: Roll,
    pub(super) rules: RuleSet,
    pub(super) policy: String,
    pub(super) settings: SearchSettings,
    /// With the heuristic's name, by which the result is saved and compared.
    pub(super) progressive_bias: Option<ProgressiveBias<String>>,
    pub(super) budget: Budget,
    pub(super) trees: Range<u32>,
    /// Each play in notation, and the position after it.
    pub(super) plays: Vec<(String, Board)>,
    pub(super) report: SearchReport,
}

/// A play at the root.
#[derive(Clone, Copy, Debug)]
pub struct FoundPlay<'a> {
    /// The index of the play in [`Plays`], and of its choice and branch in the report.
    pub choice: usize,
    /// The play in notation.
    pub moves: &'a str,
    /// The position after it, seen by the other player.
    pub board: &'a Board,
    /// The statistics of the play.
    pub root_choice: &'a RootChoice,
    /// The expected line and the replies after the play. A search that was read from a file has only the line.
    pub line_and_replies: &'a LineAndReplies,
}

impl SearchResult {
    /// The result before the search: no visits.
    pub(super) fn unsearched(board: Board, roll: Roll, request: &SearchRequest, trees: Range<u32>) -> SearchResult {
        let plays = moves(&board, roll, request.rules);
        SearchResult {
            board,
            roll,
            rules: request.rules,
            policy: request.policy.name().to_owned(),
            settings: request.settings,
            progressive_bias: request
                .progressive_bias
                .as_ref()
                .map(|bias| bias.with_heuristic(bias.heuristic.name().to_owned())),
            budget: request.budget,
            trees,
            report: SearchReport {
                // Trees prove values in games without dice only.
                proofs: vec![None; plays.len()],
                root: RootCounts { choices: vec![RootChoice::default(); plays.len()] },
                lines_and_replies: vec![LineAndReplies::default(); plays.len()],
                nodes: 0,
                bytes: 0,
                memory_refused: false,
                depth: 0,
                plies: 0,
                elapsed: Duration::ZERO,
                interrupted: false,
            },
            plays,
        }
    }

    pub(super) fn with_report(self, report: SearchReport) -> SearchResult {
        SearchResult { report, ..self }
    }

    /// Sets the wall-clock time, for shards that were searched at the same time and merged: merging adds their times.
    #[must_use]
    pub fn taking(mut self, elapsed: Duration) -> SearchResult {
        self.report.elapsed = elapsed;
        self
    }

    /// The position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The roll whose plays were searched.
    #[must_use]
    pub fn roll(&self) -> Roll {
        self.roll
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The name of the policy that played the playouts.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// A remark for people, if the heuristic of progressive bias or unpruning [has not
    /// learned](tavli_players::named::remark_on_values) the rules.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        named::remark_on_values(&self.progressive_bias.as_ref()?.heuristic, self.rules)
    }

    /// The settings of the search.
    #[must_use]
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Progressive bias and unpruning, with the heuristic's name; `None` without both.
    #[must_use]
    pub fn progressive_bias(&self) -> Option<&ProgressiveBias<String>> {
        self.progressive_bias.as_ref()
    }

    /// The budget of the search.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The numbers of the trees in this result.
    #[must_use]
    pub fn trees(&self) -> Range<u32> {
        self.trees.clone()
    }

    /// Whether this result has all trees of the search.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.trees == (0..self.settings.trees)
    }

    /// The statistics of the plays, in the order of [`Plays`].
    #[must_use]
    pub fn root(&self) -> &RootCounts {
        &self.report.root
    }

    /// A play by its index.
    ///
    /// # Panics
    /// If there are fewer plays.
    #[must_use]
    pub fn play(&self, choice: usize) -> FoundPlay<'_> {
        let (moves, board) = &self.plays[choice];
        FoundPlay {
            choice,
            moves,
            board,
            root_choice: &self.report.root.choices[choice],
            line_and_replies: &self.report.lines_and_replies[choice],
        }
    }

    /// The plays, the best first.
    #[must_use]
    pub fn plays(&self) -> Vec<FoundPlay<'_>> {
        let ranking = self.report.root.ranking(self.settings.best_by).into_iter();
        ranking.map(|choice| self.play(choice)).collect()
    }

    /// The best play.
    #[must_use]
    pub fn best(&self) -> FoundPlay<'_> {
        self.play(self.report.root.ranking(self.settings.best_by)[0])
    }

    /// The share of games that the best play wins, 0..=1, with a tie as half a win: a player may resign if it is small.
    /// `None` if games count [points](Reward::Points), or if no game was played.
    #[must_use]
    pub fn share_of_wins(&self) -> Option<f64> {
        let root_choice = self.best().root_choice;
        let counts = self.settings.reward == Reward::Wins && root_choice.visits > 0;
        // A game won has the reward 1, a lost one -1 and a tie 0.
        counts.then(|| (1.0 + root_choice.value()) / 2.0)
    }

    /// The expected line that begins with a play, each step as a roll and its moves, such as `31: 8/5 6/5`.
    ///
    /// # Panics
    /// If there are fewer plays.
    #[must_use]
    pub fn line(&self, choice: usize) -> Vec<String> {
        self.steps(choice).expect("steps of a search are plays")
    }

    /// The values that simulations of a play can end with, by the rules.
    pub(super) fn possible_values(&self, choice: usize) -> impl Iterator<Item = i64> {
        let (_, board) = &self.plays[choice];
        let possible = match self.rules.outcome(board) {
            Some(end) => OutcomeSet::from_outcomes(&[end]),
            None => OutcomeSet::possible(self.rules, &Planes::from(*board)),
        };
        let possible = Outcome::ALL.iter().filter(move |&&outcome| possible.contains(outcome));
        // The board is seen by the other player.
        possible.map(|outcome| i64::from(self.settings.reward.value(-outcome.points())))
    }

    /// Whether the expected line of a play is valid: it begins with that play, and each of its steps is a play.
    pub(super) fn can_go(&self, choice: usize) -> bool {
        let first = self.report.lines_and_replies[choice].line.first();
        first.is_none_or(|step| Roll::ALL.get(step.chance) == Some(&self.roll) && step.choice == choice)
            && self.steps(choice).is_some()
    }

    /// The expected line of a play; `None` if one of its steps is not a play.
    fn steps(&self, choice: usize) -> Option<Vec<String>> {
        let mut board = self.board;
        let text = |step: &LineStep| {
            let roll = *Roll::ALL.get(step.chance)?;
            if self.rules.outcome(&board).is_some() {
                return None;
            }
            let plays = Plays::new(&board, roll, self.rules);
            let play = plays.get(step.choice)?;
            board = play.board();
            Some(format!("{roll}: {}", plays.moves(&play)))
        };
        self.report.lines_and_replies[choice].line.iter().map(text).collect()
    }

    /// Positions in the trees.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// Bytes of the trees.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.report.bytes
    }

    /// Whether the system refused memory to a tree, which then stopped growing before it had its share of
    /// [`SearchSettings::memory`].
    #[must_use]
    pub fn memory_refused(&self) -> bool {
        self.report.memory_refused
    }

    /// The most plays that a simulation has made before its playout.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.report.depth
    }

    /// Plies of all playouts.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.report.plies
    }

    /// Wall-clock time; for merged shards, the sum of theirs.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.report.elapsed
    }

    /// Simulations a second.
    #[must_use]
    pub fn simulations_per_second(&self) -> f64 {
        self.report.root.simulations() as f64 / self.report.elapsed.as_secs_f64()
    }

    /// Plies of all playouts a second.
    #[must_use]
    pub fn plies_per_second(&self) -> f64 {
        self.report.plies as f64 / self.report.elapsed.as_secs_f64()
    }

    /// Whether a switch ended the search before its budget was spent.
    #[must_use]
    pub fn interrupted(&self) -> bool {
        self.report.interrupted
    }
}
