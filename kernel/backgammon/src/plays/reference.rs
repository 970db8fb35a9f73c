//! The reference generator: the rules word for word. Every faster generator is compared with it.
//!
//! It plays every sequence of single steps and then keeps the sequences the rules allow. It works on
//! plain arrays of counts, uses none of the board's masks and shares no code with the fast generator,
//! so that the two can check each other.

use std::collections::BTreeSet;

use crate::board::{BAR, Board, SideCheckers};
use crate::dice::Roll;
use crate::rules::RuleSet;

/// The checkers of both players, each in his own frame: 1 to 24 are points, 25 is the bar.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Checkers {
    mover: [u8; 26],
    other: [u8; 26],
}

/// Steps played one after the other, and where they lead.
struct Sequence {
    dice: Vec<u8>,
    position: Checkers,
}

/// Every play of a roll: the distinct positions it can lead to, with the next player on roll, in
/// ascending order of the mover's counts and then of the next player's.
///
/// If no checker can move, the one result is the position with the next player on roll. A game in
/// which a side has no checkers left is over and has no plays: the result is empty. The largest number
/// of plays known is 1896. Under [`RuleSet::McGammon`] a die that could only bear a checker off
/// cannot be played.
///
/// ```
/// use tavli_backgammon::{Board, Roll, RuleSet, plays::reference};
/// let plays = reference::plays(&Board::START, Roll::new(3, 1)?, RuleSet::Backgammon);
/// assert_eq!(plays.len(), 16);
/// # Ok::<(), tavli_backgammon::RollError>(())
/// ```
#[must_use]
pub fn plays(board: &Board, roll: Roll, rules: RuleSet) -> Vec<Board> {
    let start = Checkers { mover: board.own().counts(), other: board.opponent().counts() };
    if start.mover == [0; 26] || start.other == [0; 26] {
        return Vec::new();
    }

    let orders = if roll.is_double() {
        vec![vec![roll.high(); 4]]
    } else {
        vec![vec![roll.high(), roll.low()], vec![roll.low(), roll.high()]]
    };
    let mut sequences = Vec::new();
    for order in &orders {
        play_on(rules, &start, order, &mut Vec::new(), &mut sequences);
    }

    // As many dice as possible.
    let most = sequences.iter().map(|s| s.dice.len()).max().unwrap_or(0);
    sequences.retain(|s| s.dice.len() == most);
    // If only one, the larger if it can be played.
    if most == 1 {
        let larger = sequences.iter().map(|s| s.dice[0]).max();
        sequences.retain(|s| Some(s.dice[0]) == larger);
    }

    let positions: BTreeSet<Checkers> = sequences.into_iter().map(|s| s.position).collect();
    positions.iter().map(Checkers::handed_over).collect()
}

/// Plays the first of the remaining dice with every checker that can use it, and so on; a sequence
/// ends where no checker can use the next die or no dice remain.
fn play_on(rules: RuleSet, position: &Checkers, remaining: &[u8], played: &mut Vec<u8>, sequences: &mut Vec<Sequence>) {
    let mut ended = true;
    if let Some((&die, rest)) = remaining.split_first() {
        for from in 1..=BAR {
            if let Some(next) = position.step(rules, from, die) {
                ended = false;
                played.push(die);
                play_on(rules, &next, rest, played, sequences);
                played.pop();
            }
        }
    }
    if ended {
        sequences.push(Sequence { dice: played.clone(), position: position.clone() });
    }
}

impl Checkers {
    /// The position after moving one of the mover's checkers with one die, if the rules allow it.
    fn step(&self, rules: RuleSet, from: u8, die: u8) -> Option<Checkers> {
        let count = |point: u8| self.mover[usize::from(point)];
        if count(from) == 0 {
            return None;
        }
        // A checker on the bar enters before any other moves.
        if from != BAR && count(BAR) > 0 {
            return None;
        }

        let mut next = self.clone();
        next.mover[usize::from(from)] -= 1;
        if from > die {
            let to = from - die;
            let opposite = usize::from(BAR - to);
            match self.other[opposite] {
                0 => {}
                1 => {
                    next.other[opposite] = 0;
                    next.other[usize::from(BAR)] += 1;
                }
                _ => return None,
            }
            next.mover[usize::from(to)] += 1;
            return Some(next);
        }

        // Bearing off: with all checkers home, by the exact number, or with a larger one from the
        // rearmost point.
        let all_home = (7..=BAR).all(|point| count(point) == 0);
        let exact = from == die;
        let rearmost = (from + 1..=6).all(|point| count(point) == 0);
        (rules.bears_off() && all_home && (exact || rearmost)).then_some(next)
    }

    /// The board with the other player on roll.
    fn handed_over(&self) -> Board {
        Board::from_sides(
            SideCheckers::from_counts_unchecked(&self.other),
            SideCheckers::from_counts_unchecked(&self.mover),
        )
    }
}
