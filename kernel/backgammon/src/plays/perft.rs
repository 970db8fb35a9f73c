//! Perft: the number of ways a game can go on, the standard check of a play generator.

use tavli_game::Nodes;

use crate::board::Board;
use crate::dice::Roll;
use crate::plays::roll_plays::Plays;
use crate::rules::RuleSet;

/// Counts the sequences of `depth` plies from a position: at every ply each of the 21 rolls, and each
/// play of it. A forced pass is one play; a finished game counts at its own depth and goes no further.
/// The plays of the last ply are counted without listing them. Depth 0 is the position itself: 1.
///
/// ```
/// use tavli_backgammon::{Board, RuleSet, plays::perft};
/// let nodes = perft(&Board::START, RuleSet::Backgammon, 1);
/// assert_eq!((nodes.nodes, nodes.weighted), (447, 637));
/// ```
#[must_use]
pub fn perft(board: &Board, rules: RuleSet, depth: u32) -> Nodes {
    // Before the test for the end: a game that is over counts at depth 0.
    if depth == 0 {
        return Nodes::ONE;
    }
    let mut sum = Nodes::default();
    if rules.is_over(board) {
        return sum;
    }
    for roll in Roll::ALL {
        let plays = Plays::new(board, roll, rules);
        let below = if depth == 1 {
            Nodes { nodes: plays.len() as u128, weighted: plays.len() as u128 }
        } else {
            let mut below = Nodes::default();
            for play in plays.to_vec() {
                below += perft(&play.board(), rules, depth - 1);
            }
            below
        };
        sum += below.after_chance(roll.weight());
    }
    sum
}
