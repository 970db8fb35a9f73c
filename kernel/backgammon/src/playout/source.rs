//! Where the games of a batch come from, and where they go.

use super::batch_game::BatchEnd;
use super::start::BatchStart;

/// Hands out the games of a [`Batch`](super::Batch) and takes their ends.
///
/// The batch asks for a game whenever it has a place for one, thousands before the first has ended. After a `None` it
/// asks again when another game has ended, so a search may hand out its next leaf then. A batch is over when it has no
/// game left and the source has none. Games end in any order, but each source meets the same order on the same tier.
///
/// A search that chooses each next game by the results so far:
/// ```
/// use tavli_backgammon::playout::{Batch, BatchStart, Dice, BatchEnd, BatchSource, StartPosition};
/// use tavli_backgammon::plays::{Play, Plays};
/// use tavli_backgammon::{Board, FirstRoll, NO_STOP, RuleSet, Tier};
///
/// /// Plays most of the games from the play that has won most of its games.
/// struct Search {
///     leaves: Vec<StartPosition>,
///     dice: Dice,
///     /// Games begun, ended and won from each leaf.
///     begun: Vec<u64>,
///     ended: Vec<u64>,
///     won: Vec<u64>,
///     left: u64,
/// }
///
/// impl BatchSource for Search {
///     fn next(&mut self) -> Option<BatchStart> {
///         self.left = self.left.checked_sub(1)?;
///         let bound = |leaf: &usize| {
///             let (begun, won) = (self.begun[*leaf] as f64, self.won[*leaf] as f64);
///             let log = (2.0 * begun.max(1.0).ln() / (begun + 1.0)).sqrt();
///             (won + 1.0) / (self.ended[*leaf] as f64 + 2.0) + log
///         };
///         let leaf = (0..self.leaves.len()).max_by(|a, b| bound(a).total_cmp(&bound(b)))?;
///         let game = self.begun[leaf];
///         self.begun[leaf] += 1;
///         Some(BatchStart::new(&self.leaves[leaf], &self.dice, game, leaf as u64))
///     }
///
///     fn end(&mut self, end: &BatchEnd) {
///         let leaf = end.tag() as usize;
///         self.ended[leaf] += 1;
///         // The opponent is on roll in the leaf.
///         self.won[leaf] += u64::from(end.outcome().is_some_and(|outcome| !outcome.is_win()));
///     }
/// }
///
/// let rules = RuleSet::Backgammon;
/// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon).to_vec();
/// let after = |play: &Play| StartPosition::new(&play.board(), rules);
/// let leaves = plays.iter().map(after).collect::<Result<Vec<StartPosition>, _>>()?;
/// let count = leaves.len();
/// let mut search = Search {
///     leaves,
///     dice: Dice::new(1, FirstRoll::Any),
///     begun: vec![0; count],
///     ended: vec![0; count],
///     won: vec![0; count],
///     left: 5000,
/// };
/// Batch::new(rules).play(Tier::best(), &mut search, NO_STOP);
/// assert_eq!(search.ended.iter().sum::<u64>(), 5000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BatchSource {
    /// The next game; `None` if there is none before another ends.
    fn next(&mut self) -> Option<BatchStart>;

    /// Takes a game that has ended or was cut off.
    fn end(&mut self, end: &BatchEnd);
}
